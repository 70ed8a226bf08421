// How is a page put together? page.html has places {{NAME}}, which become the files of that name; {{run}} becomes the
// run as JSON. In JSON every "<" is written \u003c, so that no name can end the script that holds it. Arrays are
// little-endian numbers in base64.

#include "engine/cli/view/page.h"

#include "engine/cli/shared/json.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/view/page_parts.h"
#include "engine/cli/view/scenery.h"

#include <stdlib.h>
#include <string.h>

static const char frame_name[] = "page.html";

enum { MOST_VALUES = 1000000 }; // of all columns in a page

bool srs_page_is_built_in(void) { return srs_page_part_named(frame_name, sizeof frame_name - 1) != NULL; }

// ---------------------------------------------------------------------------------------------------------------------
// The run as JSON
// ---------------------------------------------------------------------------------------------------------------------

static void put_time(srs_json *json, const srs_film *film, double *scratch)
{
  const table *t = &film->recording->table;
  for (int i = 0; i < film->n_frames; i++) scratch[i] = t->values[(size_t)film->rows[i] * (size_t)t->n_columns];
  srs_json_bytes(json, "time", scratch, (size_t)film->n_frames * sizeof *scratch);
}

// What the page keeps of a recording: all but time and contacts of pairs, which are shown as arrows.
static bool is_kept(const srs_film *film, int column)
{
  if (column == 0) return false;
  if (film->recording->hdf5 != NULL) return true;
  for (int i = 0; i < film->n_pairs; i++)
    for (int k = 0; k < 6; k++)
      if (film->pairs[i].columns[k] == column) return false;
  return true;
}

static void put_columns(srs_json *json, const srs_film *film, const int *kept, int n_kept, float *scratch)
{
  const srs_recording *recording = film->recording;
  const table *t = &recording->table;
  const size_t n_frames = (size_t)film->n_frames;
  srs_json_array(json, "columns");
  for (int i = 0; i < n_kept; i++) {
    srs_json_object(json, NULL);
    srs_json_text(json, "name", t->names[kept[i]]);
    srs_json_text(json, "unit", recording->units[kept[i]]);
    srs_json_close(json);
    for (size_t k = 0; k < n_frames; k++)
      scratch[(size_t)i * n_frames + k] =
          (float)t->values[(size_t)film->rows[k] * (size_t)t->n_columns + (size_t)kept[i]];
  }
  srs_json_close(json);
  srs_json_bytes(json, "values", scratch, (size_t)n_kept * n_frames * sizeof *scratch);
}

static void put_chosen(srs_json *json, const srs_page *page, const int *kept, int n_kept)
{
  srs_json_array(json, "chosen");
  for (int i = 0; i < page->n_chosen; i++)
    for (int k = 0; k < n_kept; k++)
      if (kept[k] == page->chosen[i]) srs_json_integer(json, NULL, k);
  srs_json_close(json);
}

static void put_contacts(srs_json *json, const srs_film *film)
{
  srs_json_array(json, "pairs");
  for (int i = 0; i < film->n_pairs; i++) {
    const double bodies[2] = {film->pairs[i].body[0], film->pairs[i].body[1]};
    srs_json_object(json, NULL);
    srs_json_text(json, "a", film->pairs[i].side[0]);
    srs_json_text(json, "b", film->pairs[i].side[1]);
    srs_json_numbers(json, "bodies", bodies, 2);
    srs_json_close(json);
  }
  srs_json_close(json);
  const size_t n = (size_t)film->n_contacts;
  srs_json_bytes(json, "contact_ends", film->contact_ends, (size_t)film->n_frames * sizeof *film->contact_ends);
  srs_json_bytes(json, "contact_pair", film->contact_pair, n * sizeof *film->contact_pair);
  srs_json_bytes(json, "contacts", film->contacts, 6 * n * sizeof *film->contacts);
  if (film->cones != NULL)
    srs_json_bytes(json, "cones", film->cones, 4 * n * sizeof *film->cones);
  else
    srs_json_null(json, "cones");
}

static void put_poses(srs_json *json, const srs_film *film)
{
  const size_t n = (size_t)film->n_frames * (size_t)film->n_bodies;
  srs_json_bytes(json, "positions", film->positions, 3 * n * sizeof *film->positions);
  srs_json_bytes(json, "rotations", film->rotations, 4 * n * sizeof *film->rotations);
  if (film->energies != NULL)
    srs_json_bytes(json, "energies", film->energies, n * sizeof *film->energies);
  else
    srs_json_null(json, "energies");
}

static srs_status put_run(FILE *file, const srs_page *page, int *n_missing, srs_error *missing)
{
  const srs_film *film = page->film;
  const size_t n_frames = (size_t)film->n_frames, n_columns = (size_t)film->recording->table.n_columns;
  int *kept = calloc(n_columns + 1, sizeof *kept), n_kept = 0;
  for (int i = 0; kept != NULL && !page->is_live && i < (int)n_columns && (size_t)n_kept * n_frames < MOST_VALUES; i++)
    if (is_kept(film, i)) kept[n_kept++] = i;
  float *values = calloc((size_t)n_kept * n_frames + 1, sizeof *values);
  double *time = calloc(n_frames + 1, sizeof *time);
  srs_status status = kept != NULL && values != NULL && time != NULL ? SRS_OK : SRS_ERROR_MEMORY;
  if (status == SRS_OK) {
    srs_json json = {.file = file};
    srs_json_object(&json, NULL);
    srs_json_text(&json, "version", srs_version());
    srs_json_text(&json, "name", page->title);
    srs_json_integer(&json, "live", page->is_live);
    srs_json_numbers(&json, "gravity", page->gravity, 3);
    status = srs_scenery_write(&json, film->model, n_missing, missing);
    put_time(&json, film, time);
    put_poses(&json, film);
    put_columns(&json, film, kept, n_kept, values);
    put_chosen(&json, page, kept, n_kept);
    put_contacts(&json, film);
    srs_json_close(&json);
  }
  free(kept);
  free(values);
  free(time);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The page
// ---------------------------------------------------------------------------------------------------------------------

static srs_status put_escaped_run(FILE *out, const srs_page *page, int *n_missing, srs_error *missing)
{
  char *json = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&json, &length);
  if (memory == NULL) return SRS_ERROR_MEMORY;
  srs_status status = put_run(memory, page, n_missing, missing);
  const bool is_good = ferror(memory) == 0;
  if (fclose(memory) != 0 || !is_good) status = SRS_ERROR_MEMORY;
  for (size_t i = 0; i < length && status == SRS_OK; i++) {
    if (json[i] == '<')
      fputs("\\u003c", out);
    else
      fputc(json[i], out);
  }
  free(json);
  return status;
}

static srs_status fill_frame(FILE *out, const srs_page *page, int *n_missing, srs_error *missing)
{
  const srs_page_part *frame = srs_page_part_named(frame_name, sizeof frame_name - 1);
  srs_status status = SRS_OK;
  for (const char *at = frame->begin; status == SRS_OK;) {
    const char *open = strstr(at, "{{"), *close = open != NULL ? strstr(open, "}}") : NULL;
    const char *end = close != NULL ? open : frame->end;
    fwrite(at, 1, (size_t)(end - at), out);
    if (close == NULL) return SRS_OK;
    const char *name = open + 2;
    const size_t length = (size_t)(close - name);
    const srs_page_part *part = srs_page_part_named(name, length);
    if (part != NULL) fwrite(part->begin, 1, (size_t)(part->end - part->begin), out);
    if (length == 3 && strncmp(name, "run", 3) == 0) status = put_escaped_run(out, page, n_missing, missing);
    at = close + 2;
  }
  return status;
}

srs_status srs_page_make(const srs_page *page, char **text, size_t *length, int *n_missing, srs_error *missing,
                         srs_error *error)
{
  *text = NULL;
  FILE *memory = open_memstream(text, length);
  srs_status status = memory != NULL ? fill_frame(memory, page, n_missing, missing) : SRS_ERROR_MEMORY;
  const bool is_good = memory != NULL && ferror(memory) == 0;
  if (memory != NULL && fclose(memory) != 0) status = SRS_ERROR_MEMORY;
  if (status == SRS_OK && is_good) return SRS_OK;
  free(*text);
  *text = NULL;
  return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for the page");
}
