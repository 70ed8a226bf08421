// What changed between two robots, physically? Two models are compared item by item, by name: what moves, collides or
// is drawn otherwise is a difference; the format of a file, the order in it, names of shapes and of fixed joints, and
// how mass is spread over links that are welded to each other are none.
#include "engine/cli/against/against.h"

#include "engine/cli/against/compare.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/values.h"
#include "topology/files/robot_file.h"

#include <stdio.h>
#include <string.h>

static const double TOLERANCE = 1e-5;

typedef struct opened {
  srs_scene *scene[2];
  bool is_urdf[2];
} opened;

// ---------------------------------------------------------------------------------------------------------------------
// What was asked
// ---------------------------------------------------------------------------------------------------------------------

static int read_ignored(const srs_command *command, const char *list, srs_differences *found)
{
  int status = SRS_EXIT_OK;
  for (const char *at = list; at != NULL && status == SRS_EXIT_OK;) {
    const size_t n = strcspn(at, ",");
    char word[40];
    int kind = 0;
    srs_print(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), at);
    status = srs_value_word(command, "ignore", word, srs_difference_words, SRS_DIFFERENCE_KINDS, &kind);
    if (status == SRS_EXIT_OK) found->is_ignored[kind] = true;
    at = at[n] == ',' ? at + n + 1 : NULL;
  }
  return status;
}

static int read_request(const srs_command *command, const srs_against_request *request, srs_differences *found)
{
  found->path = request->path, found->other = request->other, found->tolerance = TOLERANCE;
  int status = SRS_EXIT_OK;
  if (request->tolerance != NULL)
    status = srs_value_not_negative(command, "tolerance", request->tolerance, &found->tolerance);
  return status == SRS_EXIT_OK ? read_ignored(command, request->ignored, found) : status;
}

// A srs_file_visit: the root element of a file tells its vocabulary.
static void see_root(void *context, const srs_file_item *item)
{
  bool *is_urdf = context;
  if (item->attribute == NULL && strcmp(item->path, "robot") == 0) *is_urdf = true;
}

static int open_both(srs_command *command, srs_loading *loading, const srs_against_request *request, opened *both)
{
  const char *const paths[2] = {request->path, request->other};
  int status = SRS_EXIT_OK;
  loading->visit = see_root;
  for (int i = 0; i < 2 && status == SRS_EXIT_OK; i++) {
    bool is_urdf = false;
    loading->visit_context = &is_urdf;
    status = srs_loading_open(command, loading, paths[i], &both->scene[i]);
    both->is_urdf[i] = is_urdf && srs_is_robot_file(paths[i]);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The report
// ---------------------------------------------------------------------------------------------------------------------

static void print_report(const srs_differences *found, bool lists_all)
{
  const int n = srs_differences_count(found, false);
  if (n == 0)
    printf("%s against %s: no difference\n", found->path, found->other);
  else
    printf("%s against %s: %d difference%s\n", found->path, found->other, n, n == 1 ? "" : "s");
  srs_differences_print(found, lists_all);
}

static void write_report(const srs_differences *found)
{
  srs_json json = {.file = stdout};
  srs_json_object(&json, NULL);
  srs_json_text(&json, "model", found->path);
  srs_json_text(&json, "against", found->other);
  srs_json_number(&json, "tolerance", found->tolerance);
  srs_differences_write(found, &json);
  srs_json_close(&json);
}

static bool compare_all(const opened *both, srs_differences *found)
{
  srs_sides sides = {.found = found};
  for (int i = 0; i < 2; i++)
    sides.side[i].model = srs_scene_model(both->scene[i]), sides.side[i].is_urdf = both->is_urdf[i];
  bool is_held = srs_sides_match(&sides);
  if (is_held) {
    srs_compare_bodies(&sides);
    srs_compare_joints(&sides);
    srs_compare_couplings(&sides);
    srs_compare_shapes(&sides);
    srs_compare_frames(&sides);
    srs_compare_loops(&sides);
    srs_compare_pairs(&sides);
    is_held = !found->failed;
  }
  srs_sides_release(&sides);
  return is_held;
}

int srs_check_against(srs_command *command, srs_loading *loading, const srs_against_request *request)
{
  srs_differences found = {0};
  opened both = {{NULL, NULL}, {false, false}};
  const bool is_strict = loading->is_strict;
  loading->is_strict = false; // warnings of either file are the matter of check without --against
  loading->allows_unsupported = true;
  int status = read_request(command, request, &found);
  if (status == SRS_EXIT_OK) status = open_both(command, loading, request, &both);
  if (status != SRS_EXIT_OK) {
    status = SRS_EXIT_TROUBLE;
  } else if (!compare_all(&both, &found)) {
    srs_error error;
    srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for the comparison");
    srs_report_failure(&error);
    status = SRS_EXIT_TROUBLE;
  } else {
    const bool differs = srs_differences_count(&found, false) > 0;
    const bool is_noted = is_strict && srs_differences_count(&found, true) > 0;
    if (request->is_json)
      write_report(&found);
    else
      print_report(&found, request->lists_all);
    status = differs || is_noted ? SRS_EXIT_DIFFER : SRS_EXIT_SAME;
  }
  srs_differences_release(&found);
  for (int i = 0; i < 2; i++) srs_scene_destroy(both.scene[i]);
  return status;
}
