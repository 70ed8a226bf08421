// Is this file understood, and does it make sense?
//
// The inventory says of every element and attribute whether it was read. The reader's own warnings are of two sorts:
// what was taken in another way than it stands (changed), and what has no effect (ignored). The third list are doubts
// about values that were read as they stand, the fourth notes on what is worth a look and may be so on purpose, and the
// last shapes that overlap where the model starts.
#include "engine/cli/check/model_report.h"

#include "engine/cli/check/inventory.h"
#include "engine/cli/check/lint.h"
#include "engine/cli/check/tree.h"
#include "engine/cli/shared/json.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/shape_overlaps.h"

#include <stdio.h>
#include <string.h>

enum { CHANGED, IGNORED, DOUBTFUL, NOTES, SORTS };
static const char *const sorts[SORTS] = {"changed", "ignored", "doubtful", "notes"};
static const char *const states[] = {
    [SRS_ROW_HONOURED] = "honoured", [SRS_ROW_NO_EFFECT] = "no effect", [SRS_ROW_IGNORED] = "ignored",
    [SRS_ROW_REFUSED] = "refused",   [SRS_ROW_READ] = "read",           [SRS_ROW_NOT_REACHED] = "not reached"};

typedef struct model_report {
  const char *path;
  srs_inventory inventory;
  srs_folds folds[SORTS];
  srs_shape_overlaps overlaps;
  const srs_model *model;
} model_report;

static bool is_ignored(const char *text)
{
  static const char *const words[] = {"not read",        "no effect", "skipped",     "left out",
                                      "does not follow", "not used",  "not honoured"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(text, words[i]) != NULL) return true;
  return false;
}

// What lint.c says too.
static bool is_known(const char *text) { return strstr(text, "look like degrees") != NULL; }

static bool fill(model_report *r, const srs_scene *scene)
{
  bool is_held = !r->inventory.failed;
  r->model = srs_scene_model(scene);
  for (int i = 0; i < srs_model_n_warnings(r->model) && is_held; i++) {
    const char *text = srs_model_warning(r->model, i);
    if (is_ignored(text)) srs_inventory_ignore(&r->inventory, text);
    if (!is_known(text)) is_held = srs_folds_add(&r->folds[is_ignored(text) ? IGNORED : CHANGED], text);
  }
  srs_inventory_fold(&r->inventory);
  is_held = is_held && !r->inventory.failed;
  return is_held && srs_lint_values(r->model, &r->folds[DOUBTFUL]) &&
         srs_lint_symmetry(r->model, &r->folds[DOUBTFUL]) &&
         srs_lint_gaps(r->model, &r->folds[DOUBTFUL], &r->folds[NOTES]) && srs_lint_axes(r->model, &r->folds[NOTES]) &&
         srs_shape_overlaps_find(scene, NULL, &r->overlaps);
}

// ---------------------------------------------------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------------------------------------------------

static void print_inventory(const srs_inventory *inventory)
{
  int width = 9;
  for (int i = 0; i < inventory->n; i++)
    if (inventory->rows[i].state == SRS_ROW_NOT_REACHED) width = (int)strlen(states[SRS_ROW_NOT_REACHED]);
  if (inventory->n > 0) puts("\nelements and attributes");
  for (int i = 0; i < inventory->n; i++) {
    const srs_inventory_row *row = &inventory->rows[i];
    printf("  %-*s %5d  %s  %s:%d", width, states[row->state], row->count, row->path, row->file, row->first_line);
    if (row->last_line != row->first_line) printf(" to %d", row->last_line);
    putchar('\n');
  }
}

static void print_folds(srs_folds *folds, const char *sort)
{
  if (folds->n > 0) printf("\n%s\n", sort);
  for (int i = 0; i < folds->n; i++) {
    const char *line = srs_fold_line(folds, i);
    printf("  %s\n", line != NULL ? line : folds->folds[i].text);
  }
}

static void print_overlaps(const model_report *r)
{
  if (r->overlaps.n_overlaps > 0) puts("\noverlaps where the model starts");
  for (int i = 0; i < r->overlaps.n_overlaps; i++) {
    const srs_overlap *overlap = &r->overlaps.overlaps[i];
    char first[160], second[160];
    printf("  %s and %s: %.4g mm%s\n", srs_shape_label(r->model, overlap->shape_a, first),
           srs_shape_label(r->model, overlap->shape_b, second), 1000 * overlap->depth, srs_overlap_reason(overlap));
  }
}

static void print_report(model_report *r, const char *verdict)
{
  printf("%s: %s\n", r->path, verdict);
  if (r->model != NULL) {
    printf("%d moving links, %d degrees of freedom, %d shapes, moving mass %.6g kg\n\ntree\n",
           srs_model_n_links(r->model), srs_model_nv(r->model), srs_model_n_shapes(r->model), srs_model_mass(r->model));
    srs_tree_print(r->model);
  }
  print_inventory(&r->inventory);
  for (int s = 0; s < SORTS; s++) print_folds(&r->folds[s], sorts[s]);
  if (r->model != NULL) print_overlaps(r);
}

// ---------------------------------------------------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------------------------------------------------

static void write_overlaps(srs_json *json, const model_report *r)
{
  srs_json_array(json, "overlaps");
  for (int i = 0; r->model != NULL && i < r->overlaps.n_overlaps; i++) {
    const srs_overlap *overlap = &r->overlaps.overlaps[i];
    char label[160];
    srs_json_object(json, NULL);
    srs_json_text(json, "shape_a", srs_shape_label(r->model, overlap->shape_a, label));
    srs_json_text(json, "shape_b", srs_shape_label(r->model, overlap->shape_b, label));
    srs_json_number(json, "depth", overlap->depth);
    srs_json_integer(json, "acts", overlap->acts);
    srs_json_text(json, "filter", srs_overlap_filter(overlap));
    srs_json_close(json);
  }
  srs_json_close(json);
}

static void write_report(const model_report *r, const char *verdict, const srs_error *error)
{
  srs_json json = {.file = stdout};
  srs_json_object(&json, NULL);
  srs_json_text(&json, "model", r->path);
  srs_json_text(&json, "verdict", verdict);
  if (error->status != SRS_OK) {
    char text[1024];
    srs_json_text(&json, "refused", srs_error_format(error, text, sizeof text));
  }
  if (r->model != NULL) {
    srs_json_integer(&json, "links", srs_model_n_links(r->model));
    srs_json_integer(&json, "degrees_of_freedom", srs_model_nv(r->model));
    srs_json_number(&json, "mass", srs_model_mass(r->model));
  }
  srs_json_array(&json, "items");
  for (int i = 0; i < r->inventory.n; i++) {
    const srs_inventory_row *row = &r->inventory.rows[i];
    srs_json_object(&json, NULL);
    srs_json_text(&json, "path", row->path);
    srs_json_text(&json, "state", states[row->state]);
    srs_json_integer(&json, "count", row->count);
    srs_json_text(&json, "file", row->file);
    srs_json_integer(&json, "line", row->first_line);
    srs_json_integer(&json, "last_line", row->last_line);
    srs_json_close(&json);
  }
  srs_json_close(&json);
  for (int s = 0; s < SORTS; s++) {
    srs_json_array(&json, sorts[s]);
    for (int i = 0; i < r->folds[s].n; i++) {
      const srs_fold *fold = &r->folds[s].folds[i];
      srs_json_object(&json, NULL);
      srs_json_text(&json, "text", fold->text);
      srs_json_integer(&json, "count", fold->count);
      srs_json_close(&json);
    }
    srs_json_close(&json);
  }
  write_overlaps(&json, r);
  srs_json_close(&json);
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------------------------------------------------

static void release(model_report *r)
{
  srs_inventory_release(&r->inventory);
  for (int s = 0; s < SORTS; s++) srs_folds_release(&r->folds[s]);
  if (r->model != NULL) srs_shape_overlaps_free(&r->overlaps);
}

// "2 changed, 1 ignored, 3 doubtful" in kinds; "clean". Notes do not count.
static const char *describe(const model_report *r, char text[160])
{
  size_t n = 0;
  text[0] = '\0';
  for (int s = 0; s < NOTES; s++)
    if (r->folds[s].n > 0)
      n += (size_t)snprintf(text + n, 160 - n, "%s%d %s", n > 0 ? ", " : "", r->folds[s].n, sorts[s]);
  int n_overlaps = 0;
  for (int i = 0; i < r->overlaps.n_overlaps; i++) n_overlaps += r->overlaps.overlaps[i].acts;
  if (n_overlaps > 0) n += (size_t)snprintf(text + n, 160 - n, "%s%d overlapping", n > 0 ? ", " : "", n_overlaps);
  return n > 0 ? text : "clean";
}

int srs_report_model(srs_command *command, srs_loading *loading, const char *path, bool lists_all, bool is_json)
{
  model_report report = {.path = path, .inventory = {.lists_all = lists_all}};
  for (int s = 0; s < SORTS; s++) report.folds[s].lists_all = lists_all;
  const bool is_strict = loading->is_strict;
  loading->is_strict = false; // all is to be told, not the first alone
  loading->allows_unsupported = true;
  loading->visit = srs_inventory_take;
  loading->visit_context = &report.inventory;
  srs_error error = {0};
  loading->error = &error;
  srs_scene *scene = NULL;
  char words[160];
  const char *verdict = "refused";
  int status = srs_loading_open(command, loading, path, &scene);
  if (status == SRS_EXIT_OK && !fill(&report, scene)) {
    srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for the report");
    status = srs_report_failure(&error);
    report.model = NULL;
  }
  if (error.status != SRS_OK && scene == NULL) {
    srs_inventory_refuse(&report.inventory, &error);
    srs_inventory_fold(&report.inventory);
  }
  if (status == SRS_EXIT_OK) {
    verdict = describe(&report, words);
    if (is_strict && strcmp(verdict, "clean") != 0) status = SRS_EXIT_FAILED;
  }
  if (status != SRS_EXIT_USAGE && is_json)
    write_report(&report, verdict, &error);
  else if (status != SRS_EXIT_USAGE)
    print_report(&report, verdict);
  release(&report);
  srs_scene_destroy(scene);
  return status;
}
