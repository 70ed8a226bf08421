// Which data sets has a trajectory? One for each group of columns, `/time` first, then `/q`, `/v`, …; with contacts
// also
// `/contact` with the columns of all of them together, `/contacts/end` with the number of contacts up to each row, and
// `/contacts/pair`, `point`, `normal`, `gap`, `force`, `friction` with a row for each of these. Texts: `/scene`,
// `/metadata`,
// `/arguments`. `/resume` is for going on.
#include "engine/output/hdf5_trajectory.h"

#include "engine/output/hdf5/compress.h"
#include "engine/output/metadata.h"
#include "engine/output/read_texts.h"
#include "engine/simulation/sim.h"
#include "topology/base/errors.h"
#include "topology/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_ROWS = 1000000,
  FEWEST_CONTACTS = 8,   // a row that are usual: one a link, at least so many
  MORE_CONTACTS = 4,     // times as many there is room for, in the mean
  SLOT_ROOM = 64 * 1024, // bytes by which a snapshot may grow
  CONTACT_STREAMS = 8,   // the summary and those of /contacts
};

// Numbers of a row that lie one after the other where they are filled, as they do in the row.
typedef struct piece {
  const double *from;
  size_t n;
} piece;

struct srs_hdf5_trajectory {
  srs_layout layout;
  srs_h5_writer *writer;
  int n_groups;     // streams of columns, before those of contacts
  int *columns;     // n: in the order of the streams
  piece *pieces;    // of the rows of all groups
  int *first_piece; // n_groups + 1: of each
  bool has_contacts, compresses;
  int32_t n_contacts;
  srs_column_choice *choice;
  size_t n_saved; // numbers of the choice, between `kept_counts` and the sim's own snapshot
  srs_run_figures *figures;
  double *snapshot; // layout.slot bytes
};

// What a snapshot begins with.
typedef struct kept_counts {
  uint64_t format;
  srs_sim_counts counts;
  srs_run_figures figures;
} kept_counts;

enum { KEPT = sizeof(kept_counts) / sizeof(double), KEPT_FORMAT = 0x5253 + 0x10000 * KEPT };

static srs_status no_memory(const char *path, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){path, 0, 0}, "", "no memory left for the trajectory");
}

// ---------------------------------------------------------------------------------------------------------------------
// Streams of columns
// ---------------------------------------------------------------------------------------------------------------------

static size_t head_of(const char *name)
{
  const char *colon = strchr(name, ':');
  return colon != NULL ? (size_t)(colon - name) : strlen(name);
}

static const char *note_of(const char *path)
{
  if (strcmp(path, "/q") == 0)
    return "Coordinates of joints. Quaternions are w x y z, of the child seen from the parent.";
  if (strcmp(path, "/a") == 0) return "The change of v by all forces and impulses of the step, over dt.";
  if (strcmp(path, "/twist") == 0) return "Of frames: angular velocity, and the velocity of the origin.";
  if (strcmp(path, "/v") == 0)
    return "Velocities of joints. Free joints: vx vy vz of the child's origin in the parent's axes, wx wy wz in the "
           "child's axes; ball joints: in the child's axes.";
  if (strcmp(path, "/pose") == 0)
    return "Places of frames in the world: x y z of the origin, and the unit quaternion w x y z.";
  if (strcmp(path, "/sensor") == 0) return "Of the last step; places and velocities of the present state.";
  if (strcmp(path, "/wrench") == 0) return "On the child of each joint, about its origin, in the world's axes.";
  return NULL;
}

// Adds the stream of all columns that begin like column `first`.
static bool add_group(srs_hdf5_trajectory *h, const srs_column_choice *c, srs_arena *arena, int first, bool *is_taken,
                      int *n_placed)
{
  const size_t length = head_of(c->names[first]);
  srs_stream *s = &h->layout.streams[h->layout.n_streams++];
  const char *head = srs_text_copy(arena, c->names[first], length);
  int n = 0;
  for (int i = first; i < c->n; i++)
    n += head_of(c->names[i]) == length && strncmp(c->names[i], c->names[first], length) == 0;
  const char **names = srs_arena_take(arena, (size_t)n, sizeof *names);
  const char **units = srs_arena_take(arena, (size_t)n, sizeof *units);
  const char **axes = srs_arena_take(arena, (size_t)n, sizeof *axes);
  if (head == NULL || names == NULL || units == NULL || axes == NULL) return false;
  *s = (srs_stream){.path = srs_text_join(arena, "/", head, ""), .width = n, .names = names, .units = units};
  if (s->path == NULL) return false;
  s->note = note_of(s->path);
  for (int i = first, k = 0; i < c->n; i++) {
    if (head_of(c->names[i]) != length || strncmp(c->names[i], c->names[first], length) != 0) continue;
    names[k] = c->names[i][length] == ':' ? c->names[i] + length + 1 : c->names[i];
    s->axes = c->axes[i][0] != '\0' ? axes : s->axes; // told where any has some
    axes[k] = c->axes[i];
    units[k++] = c->units[i];
    is_taken[i] = true;
    h->columns[(*n_placed)++] = i;
  }
  if (strchr(c->names[first], ':') == NULL) { // a column alone, as `time`
    s->unit = units[0];
    s->width = 0, s->names = s->units = NULL;
  }
  return true;
}

static int width_of(const srs_stream *s) { return s->width > 0 ? s->width : 1; }

static void find_pieces(srs_hdf5_trajectory *h, const srs_column_choice *c)
{
  int n = 0, column = 0;
  for (int group = 0; group < h->n_groups; group++) {
    h->first_piece[group] = n;
    for (int k = 0; k < width_of(&h->layout.streams[group]); k++) {
      const double *from = c->values[h->columns[column++]];
      piece *last = n > h->first_piece[group] ? &h->pieces[n - 1] : NULL;
      if (last != NULL && last->from + last->n == from)
        last->n++;
      else
        h->pieces[n++] = (piece){from, 1};
    }
  }
  h->first_piece[h->n_groups] = n;
}

static bool add_groups(srs_hdf5_trajectory *h, const srs_column_choice *c, srs_arena *arena)
{
  bool *is_taken = srs_arena_take(arena, (size_t)c->n + 1, sizeof *is_taken);
  int n_placed = 0;
  h->columns = srs_arena_take(arena, (size_t)c->n + 1, sizeof *h->columns);
  h->pieces = srs_arena_take(arena, (size_t)c->n + 1, sizeof *h->pieces);
  h->first_piece = srs_arena_take(arena, (size_t)c->n + 1, sizeof *h->first_piece);
  h->layout.streams = srs_arena_take(arena, (size_t)c->n + CONTACT_STREAMS, sizeof *h->layout.streams);
  bool is_good = is_taken != NULL && h->columns != NULL && h->pieces != NULL && h->first_piece != NULL &&
                 h->layout.streams != NULL;
  for (int i = 0; i < c->n && is_good; i++)
    if (!is_taken[i]) is_good = add_group(h, c, arena, i, is_taken, &n_placed);
  h->n_groups = h->layout.n_streams;
  if (is_good) find_pieces(h, c);
  return is_good;
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------------------------

static void add_contacts(srs_hdf5_trajectory *h)
{
  static const char *const names[] = {"count", "gap", "residual", "infeasibility"},
                           *const units[] = {"1", "m", "1", "m or 1"}, *const sides[] = {"a", "b"},
                           *const axes[] = {"x", "y", "z"};
  const srs_stream streams[CONTACT_STREAMS] = {
      {.path = "/contact",
       .width = SRS_CONTACT_SUMMARY,
       .names = names,
       .units = units,
       .note = "Of all contacts together: how many, the smallest gap, the largest scaled residual of the step's "
               "problems, the largest max(0, -phi)."},
      {.path = "/contacts/end",
       .is_integer = true,
       .unit = "1",
       .note = "Contacts of row i are those from end[i - 1] (0 for the first row) up to, not with, end[i]."},
      {.path = "/contacts/pair",
       .width = 2,
       .is_integer = true,
       .is_ragged = true,
       .names = sides,
       .note = "Shapes A and B, by their numbers in the lines of /contacts/shapes."},
      {.path = "/contacts/point",
       .width = 3,
       .is_ragged = true,
       .names = axes,
       .unit = "m",
       .note = "Halfway between the two surfaces, world, where the step took its matrices."},
      {.path = "/contacts/normal",
       .width = 3,
       .is_ragged = true,
       .names = axes,
       .unit = "1",
       .note = "From B to A, world."},
      {.path = "/contacts/gap", .is_ragged = true, .unit = "m", .note = "Negative where the shapes overlap."},
      {.path = "/contacts/force",
       .width = 3,
       .is_ragged = true,
       .names = axes,
       .unit = "N",
       .note = "On A by B, world axes: the step's impulse over dt."},
      {.path = "/contacts/friction", .is_ragged = true, .unit = "1", .note = "The coefficient of friction."},
  };
  memcpy(h->layout.streams + h->layout.n_streams, streams, sizeof streams);
  h->layout.n_streams += CONTACT_STREAMS;
  h->has_contacts = true;
}

static srs_status put_contacts(srs_hdf5_trajectory *h, srs_sim *sim, srs_error *error)
{
  const int first = h->n_groups;
  double summary[SRS_CONTACT_SUMMARY];
  int n = 0;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  srs_contact_summary_fill(sim, summary);
  h->n_contacts += n;
  srs_status status = srs_h5_put(h->writer, first, summary, error);
  if (status == SRS_OK) status = srs_h5_put(h->writer, first + 1, &h->n_contacts, error);
  for (int i = 0; i < n && status == SRS_OK; i++) {
    const srs_contact_point *p = &contacts[i].contact;
    const int32_t pair[2] = {p->shape_a, p->shape_b};
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = (p->point_a[k] + p->point_b[k]) / 2;
    const void *const rows[] = {pair, middle, p->normal, &p->gap, contacts[i].force, &contacts[i].friction};
    for (int k = 0; k < 6 && status == SRS_OK; k++) status = srs_h5_put(h->writer, first + 2 + k, rows[k], error);
  }
  return status;
}

static const char *list_shapes(const srs_model *model, srs_arena *arena)
{
  size_t length = 1;
  for (int i = 0; i < srs_model_n_shapes(model); i++) length += strlen(srs_model_shape(model, i)->label) + 1;
  char *list = srs_arena_take(arena, length, 1), *at = list;
  for (int i = 0; i < srs_model_n_shapes(model) && list != NULL; i++) {
    const char *label = srs_model_shape(model, i)->label;
    const size_t n = strlen(label);
    memcpy(at, label, n); // NOLINT(bugprone-not-null-terminated-result): the list ends it
    at[n] = '\n';
    at += n + 1;
  }
  return list;
}

// ---------------------------------------------------------------------------------------------------------------------
// The file
// ---------------------------------------------------------------------------------------------------------------------

// Of a snapshot: the bytes before those of the sim.
static size_t size_before_sim(const srs_hdf5_trajectory *h) { return (KEPT + h->n_saved) * sizeof(double); }

static bool plan_file(srs_hdf5_trajectory *h, const char *path, srs_sim *sim, const srs_trajectory_options *options,
                      srs_column_choice *columns, srs_arena *arena)
{
  const uint64_t rows = options->most_rows > 0 ? (uint64_t)options->most_rows : MOST_ROWS;
  const int n_links = srs_model_n_links(srs_sim_model(sim));
  const uint64_t usual = (uint64_t)(n_links > FEWEST_CONTACTS ? n_links : FEWEST_CONTACTS);
  h->choice = columns;
  h->n_saved = srs_column_choice_save(columns, NULL);
  h->layout = (srs_layout){.path = path,
                           .most_rows = rows,
                           .most_contacts = rows * usual * MORE_CONTACTS,
                           .contacts_a_row = usual,
                           .slot = srs_sim_snapshot_size(sim) + size_before_sim(h) + SLOT_ROOM};
  h->compresses = options->compresses;
  h->snapshot = srs_arena_take(arena, h->layout.slot, 1);
  if (h->snapshot == NULL || !add_groups(h, columns, arena)) return false;
  if (columns->has_contact_table) add_contacts(h);
  return true;
}

static srs_status make_file(srs_hdf5_trajectory *h, srs_sim *sim, const srs_trajectory_options *options,
                            const srs_column_choice *columns, srs_arena *arena, srs_error *error)
{
  char *metadata = NULL;
  const char *shapes = h->has_contacts ? list_shapes(srs_sim_model(sim), arena) : "";
  if (shapes == NULL || !srs_metadata_text(sim, options, columns, &metadata)) return no_memory(h->layout.path, error);
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)options->seed);
  const srs_text_entry attributes[] = {
      {"format", "sarrus trajectory 1", NULL},
      {"version", srs_version(), NULL},
      {"scene_file", options->scene_file != NULL ? options->scene_file : "", NULL},
      {"integrator", srs_integrator_name(srs_sim_get_options(sim)->integrator), NULL},
      {"solver", srs_sim_solver_name(sim), NULL},
      {"seed", seed, NULL},
  };
  srs_text_entry texts[4 + SRS_MOST_READ_TEXTS] = {
      {"/scene", options->scene_text != NULL ? options->scene_text : "", NULL},
      {"/metadata", metadata, NULL},
      {"/arguments", options->arguments != NULL ? options->arguments : "", NULL},
      {"/contacts/shapes", shapes, NULL},
  };
  h->layout.attributes = attributes;
  h->layout.n_attributes = sizeof attributes / sizeof *attributes;
  h->layout.texts = texts;
  h->layout.n_texts = h->has_contacts ? 4 : 3;
  h->layout.n_texts += srs_take_read_texts(srs_sim_model(sim), arena, texts + h->layout.n_texts);
  const srs_status status = srs_h5_create(&h->layout, arena, &h->writer, error);
  h->layout.attributes = h->layout.texts = NULL;
  free(metadata);
  return status;
}

static srs_status resume(srs_hdf5_trajectory *h, srs_sim *sim, srs_arena *arena, srs_error *error)
{
  uint64_t rows = 0;
  void *snapshot = NULL;
  size_t size = 0;
  srs_status status = srs_h5_resume(&h->layout, arena, &h->writer, &rows, &snapshot, &size, error);
  const size_t saved = size_before_sim(h);
  kept_counts kept = {.format = 0};
  if (status == SRS_OK && size >= saved) memcpy(&kept, snapshot, sizeof kept);
  if (status == SRS_OK && kept.format != KEPT_FORMAT)
    status = srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){h->layout.path, 0, 0}, "",
                         "was written by another version, or with other columns: it cannot be resumed");
  if (status == SRS_OK) status = srs_sim_snapshot_restore(sim, (char *)snapshot + saved, size - saved, error);
  if (status != SRS_OK) return status;
  srs_column_choice_load(h->choice, (const double *)snapshot + KEPT);
  srs_sim_set_counts(sim, &kept.counts);
  *h->figures = kept.figures;
  if (!h->has_contacts) return status;
  h->n_contacts = (int32_t)srs_h5_rows(h->writer, h->n_groups + 2);
  return status;
}

srs_status srs_hdf5_trajectory_create(const char *path, srs_sim *sim, const srs_trajectory_options *options,
                                      srs_column_choice *columns, srs_run_figures *figures, srs_arena *arena,
                                      srs_hdf5_trajectory **trajectory, srs_error *error)
{
  *trajectory = NULL;
  srs_hdf5_trajectory *h = srs_arena_take(arena, 1, sizeof *h);
  if (h != NULL) h->figures = figures;
  if (h == NULL || !plan_file(h, path, sim, options, columns, arena)) return no_memory(path, error);
  const srs_status status =
      options->resumes ? resume(h, sim, arena, error) : make_file(h, sim, options, columns, arena, error);
  if (status == SRS_OK)
    *trajectory = h;
  else
    srs_h5_close(h->writer);
  return status;
}

// A snapshot that does not fit is left out: the run can be resumed from the one before.
srs_status srs_hdf5_trajectory_flush(srs_hdf5_trajectory *h, const srs_sim *sim, srs_error *error)
{
  const size_t size = srs_sim_snapshot_size(sim) + size_before_sim(h);
  const bool fits = size <= h->layout.slot;
  if (fits) {
    const kept_counts kept = {KEPT_FORMAT, srs_sim_get_counts(sim), *h->figures};
    memcpy(h->snapshot, &kept, sizeof kept);
    srs_sim_snapshot_save(sim, h->snapshot + KEPT + srs_column_choice_save(h->choice, h->snapshot + KEPT));
  }
  return srs_h5_flush(h->writer, fits ? h->snapshot : NULL, size, (uint64_t)srs_sim_steps(sim), error);
}

static srs_status put_group(srs_hdf5_trajectory *h, int group, srs_error *error)
{
  void *row = NULL;
  const srs_status status = srs_h5_add(h->writer, group, &row, error);
  if (status != SRS_OK) return status;
  double *to = row;
  for (int i = h->first_piece[group]; i < h->first_piece[group + 1]; to += h->pieces[i++].n)
    memcpy(to, h->pieces[i].from, h->pieces[i].n * sizeof *to);
  return SRS_OK;
}

srs_status srs_hdf5_trajectory_add(srs_hdf5_trajectory *h, srs_sim *sim, bool is_end, srs_error *error)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < h->n_groups && status == SRS_OK; i++) status = put_group(h, i, error);
  if (status == SRS_OK && h->has_contacts) status = put_contacts(h, sim, error);
  if (status != SRS_OK) return status;
  bool is_due;
  srs_h5_end_row(h->writer, &is_due);
  return is_due && !is_end ? srs_hdf5_trajectory_flush(h, sim, error) : SRS_OK;
}

uint64_t srs_hdf5_trajectory_rows(const srs_hdf5_trajectory *h) { return srs_h5_rows(h->writer, 0); }

srs_status srs_hdf5_trajectory_close(srs_hdf5_trajectory *h, bool is_whole, srs_error *error)
{
  const srs_status status = is_whole ? srs_h5_flush(h->writer, NULL, 0, 0, error) : SRS_OK;
  if (!is_whole || status != SRS_OK) srs_h5_rescue(h->writer);
  srs_h5_close(h->writer);
  return status == SRS_OK && is_whole && h->compresses ? srs_h5_compress(h->layout.path, error) : status;
}
