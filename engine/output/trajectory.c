// Trajectories: a CSV file with time, q and v by name, then the columns asked for; or the same as HDF5
// (hdf5_trajectory.c).
//
// The columns are those of column_choice.c. Names with a comma or a quotation mark are quoted (RFC 4180);
// those with control characters are refused. A row is formatted in a buffer taken at creation and written by one
// write(2), so that whole lines remain however the program ends. When a write fails the file is cut back to its last
// whole line.
#include "engine/output/columns/column_choice.h"
#include "engine/output/dropped_columns.h"
#include "engine/output/end_row.h"
#include "engine/output/hdf5_trajectory.h"
#include "engine/output/metadata.h"
#include "engine/output/output_files.h"
#include "engine/output/run_figures.h"
#include "topology/base/text.h"
#include "topology/base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct srs_trajectory {
  srs_arena arena;
  const char *path, *metadata;
  const srs_model *model;
  int descriptor;
  bool is_regular; // a file of its own, not a pipe, a device or a stream
  srs_column_choice choice;
  off_t good_size; // bytes up to the last whole line
  char *row;       // room for a row or the header
  long n_rows;
  srs_hdf5_trajectory *hdf5; // NULL: a CSV file
  srs_run_figures figures;
  srs_error error; // the first failure
};

srs_trajectory_options srs_default_trajectory_options(void) { return (srs_trajectory_options){.torques = false}; }

static srs_status no_memory(srs_error *error, const char *path)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){path, 0, 0}, "", "no memory left for the trajectory");
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------------------------------------------------

static srs_status make_columns(srs_trajectory *t, srs_sim *sim, const srs_trajectory_options *options)
{
  const srs_status status = srs_columns_choose(&t->arena, sim, options, srs_is_hdf5(t->path), &t->choice, &t->error);
  if (status != SRS_OK) srs_place_error(&t->error, (srs_place){t->path, 0, 0});
  return status;
}

static srs_status check_names(const srs_trajectory *t, srs_error *error)
{
  for (int i = 0; i < t->choice.n; i++)
    for (const char *c = t->choice.names[i]; *c != '\0'; c++)
      if ((unsigned char)*c < 0x20 || *c == 0x7f)
        return srs_fail_at(error, SRS_ERROR_NAME, (srs_place){t->path, 0, 0}, t->choice.names[i],
                           "the name of column %d holds a control character, which a CSV header cannot", i + 1);
  return SRS_OK;
}

// Room for the longer of header and row.
static size_t line_room(const srs_trajectory *t)
{
  size_t header = 2;
  for (int i = 0; i < t->choice.n; i++) header += 2 * strlen(t->choice.names[i]) + 3;
  const size_t row = 32 * (size_t)t->choice.n + 2;
  return header > row ? header : row;
}

// ---------------------------------------------------------------------------------------------------------------------
// Writing
// ---------------------------------------------------------------------------------------------------------------------

static srs_status file_failure(srs_trajectory *t, const char *what, int number)
{
  char why[128];
  return srs_fail_at(&t->error, SRS_ERROR_FILE, (srs_place){t->path, 0, 0}, "", "%s: %s", what,
                     strerror_r(number, why, sizeof why));
}

static srs_status write_line(srs_trajectory *t, size_t length)
{
  size_t written;
  if (srs_write_all(t->descriptor, t->row, length, &written)) {
    t->good_size += (off_t)length;
    return SRS_OK;
  }
  const int number = errno;
  const bool is_cut = !t->is_regular || written == 0 || ftruncate(t->descriptor, t->good_size) == 0;
  return file_failure(t, is_cut ? "cannot be written" : "cannot be written, and its last line is broken", number);
}

static srs_status write_header(srs_trajectory *t)
{
  char *at = t->row;
  for (int i = 0; i < t->choice.n; i++) {
    if (i > 0) *at++ = ',';
    at = srs_put_column_name(at, t->choice.names[i]);
  }
  *at++ = '\n';
  return write_line(t, (size_t)(at - t->row));
}

static srs_status add_line(srs_trajectory *t)
{
  char *at = t->row;
  for (int i = 0; i < t->choice.n; i++) {
    at += srs_format_number(*t->choice.values[i], at);
    *at++ = ',';
  }
  at[-1] = '\n'; // in the place of the last comma
  return write_line(t, (size_t)(at - t->row));
}

static srs_status add(srs_trajectory *t, srs_sim *sim, bool is_end, srs_error *error)
{
  if (t == NULL || sim == NULL || srs_sim_model(sim) != t->model)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, (srs_place){NULL, 0, 0}, "",
                       t == NULL ? "the trajectory is null" : "the trajectory was created for another sim");
  srs_status status = t->error.status;
  if (status == SRS_OK) status = srs_column_choice_fill(&t->choice, sim, &t->error);
  if (status == SRS_OK)
    status = t->hdf5 != NULL ? srs_hdf5_trajectory_add(t->hdf5, sim, is_end, &t->error) : add_line(t);
  if (status == SRS_OK) t->n_rows++;
  if (status != SRS_OK && error != NULL) *error = t->error;
  return status;
}

srs_status srs_trajectory_add(srs_trajectory *trajectory, srs_sim *sim, srs_error *error)
{
  return add(trajectory, sim, false, error);
}

// Behind the last snapshot, which is of a row on the beat. One of this state would not do: what acted in the step that
// led here is no part of it, so that the row could not be made again.
srs_status srs_trajectory_add_end(srs_trajectory *t, srs_sim *sim, srs_error *error)
{
  return add(t, sim, true, error);
}

srs_status srs_trajectory_flush(srs_trajectory *trajectory, srs_sim *sim, srs_error *error)
{
  srs_trajectory *t = trajectory;
  if (t == NULL || t->hdf5 == NULL || sim == NULL) return SRS_OK;
  if (t->error.status == SRS_OK) t->error.status = srs_hdf5_trajectory_flush(t->hdf5, sim, &t->error);
  if (t->error.status != SRS_OK && error != NULL) *error = t->error;
  return t->error.status;
}

srs_run_figures *srs_trajectory_figures(srs_trajectory *trajectory) { return &trajectory->figures; }

long srs_trajectory_rows(const srs_trajectory *trajectory) { return trajectory != NULL ? trajectory->n_rows : 0; }

// ---------------------------------------------------------------------------------------------------------------------
// Opening and closing
// ---------------------------------------------------------------------------------------------------------------------

// Names of streams that are open already, wherever they lead: nothing is put beside them, cut off or removed.
static bool is_stream(const char *path)
{
  return strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
         strncmp(path, "/proc/", 6) == 0;
}

// Opens without destroying what is there: that is cut off only when all else is in place.
static srs_status open_file(srs_trajectory *t, bool *is_new)
{
  *is_new = true;
  t->descriptor = open(t->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (t->descriptor < 0 && errno == EEXIST) {
    *is_new = false;
    t->descriptor = open(t->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  }
  if (t->descriptor < 0) {
    char why[128];
    return srs_fail_at(&t->error, SRS_ERROR_FILE, (srs_place){t->path, 0, 0}, "",
                       "cannot be created: %s; name a file in an existing folder that can be written to",
                       strerror_r(errno, why, sizeof why));
  }
  struct stat mine;
  if (fstat(t->descriptor, &mine) != 0) return file_failure(t, "cannot be examined", errno);
  t->is_regular = S_ISREG(mine.st_mode) && !is_stream(t->path);
  return SRS_OK;
}

// What was made for nothing is removed, here and by the caller; what was there, a link too, stays.
static srs_status fill_files(srs_trajectory *t, srs_sim *sim, const srs_trajectory_options *options)
{
  srs_status status = SRS_OK;
  struct stat before;
  const bool has_metadata = lstat(t->metadata, &before) == 0;
  if (t->is_regular) status = srs_metadata_write(t->metadata, sim, options, &t->choice, &t->error);
  if (status != SRS_OK) return status;
  if (t->is_regular && ftruncate(t->descriptor, 0) != 0) status = file_failure(t, "cannot be emptied", errno);
  if (status == SRS_OK) status = write_header(t);
  if (status != SRS_OK && t->is_regular && !has_metadata) unlink(t->metadata);
  return status;
}

static srs_status create_hdf5(srs_trajectory *t, srs_sim *sim, const srs_trajectory_options *options)
{
  srs_status status = make_columns(t, sim, options);
  if (status == SRS_OK) status = srs_spare_inputs(t->path, t->model, options, &t->error);
  if (status != SRS_OK) return status;
  status = srs_hdf5_trajectory_create(t->path, sim, options, &t->choice, &t->figures, &t->arena, &t->hdf5, &t->error);
  if (status == SRS_OK) t->n_rows = (long)srs_hdf5_trajectory_rows(t->hdf5);
  return status;
}

static srs_status create_csv(srs_trajectory *t, srs_sim *sim, const srs_trajectory_options *options)
{
  srs_status status = make_columns(t, sim, options);
  if (status != SRS_OK) return status;
  t->row = srs_arena_take(&t->arena, line_room(t), 1);
  if (t->row == NULL) return no_memory(&t->error, t->path);
  status = check_names(t, &t->error);
  if (status == SRS_OK) status = srs_spare_inputs(t->path, t->model, options, &t->error);
  if (status == SRS_OK) status = srs_spare_inputs(t->metadata, t->model, options, &t->error);
  if (status != SRS_OK) return status;
  bool is_new;
  status = open_file(t, &is_new);
  if (status == SRS_OK) status = fill_files(t, sim, options);
  if (status != SRS_OK && t->descriptor >= 0 && is_new && t->is_regular) unlink(t->path);
  return status;
}

static srs_status create(srs_trajectory *t, const char *path, srs_sim *sim, const srs_trajectory_options *options)
{
  t->path = srs_text_copy(&t->arena, path, strlen(path));
  t->metadata = srs_text_join(&t->arena, path, "", ".yaml");
  if (t->path == NULL || t->metadata == NULL) return no_memory(&t->error, path);
  if (!srs_is_hdf5(path) && options->resumes)
    return srs_fail_at(&t->error, SRS_ERROR_UNSUPPORTED, (srs_place){path, 0, 0}, "",
                       "only HDF5 files (.h5) can be resumed");
  return srs_is_hdf5(path) ? create_hdf5(t, sim, options) : create_csv(t, sim, options);
}

srs_status srs_trajectory_create(const char *path, srs_sim *sim, const srs_trajectory_options *options,
                                 srs_trajectory **trajectory, srs_error *error)
{
  const srs_place nowhere = {NULL, 0, 0};
  if (trajectory == NULL) return srs_fail_at(error, SRS_ERROR_ARGUMENT, nowhere, "", "trajectory is null");
  *trajectory = NULL;
  if (path == NULL || path[0] == '\0' || sim == NULL)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, nowhere, "", sim == NULL ? "sim is null" : "the output has no name");
  srs_trajectory_options chosen = options != NULL ? *options : srs_default_trajectory_options();
  chosen.contacts = chosen.contacts && !chosen.body_contacts; // which stand in their place
  srs_trajectory *t = calloc(1, sizeof *t);
  if (t == NULL) return no_memory(error, path);
  t->descriptor = -1;
  t->model = srs_sim_model(sim);
  const srs_status status = create(t, path, sim, &chosen);
  if (status == SRS_OK) {
    *trajectory = t;
    return SRS_OK;
  }
  if (error != NULL) *error = t->error;
  (void)srs_trajectory_close(t, NULL);
  return status;
}

// A file that cannot be made smaller stays as it is, complete.
static void drop_unused(srs_trajectory *t)
{
  bool *stays = srs_arena_take(&t->arena, (size_t)t->choice.n, sizeof *stays);
  int n_kept = 0;
  for (int i = 0; i < t->choice.n && stays != NULL; i++) {
    stays[i] = t->choice.stays[i] == NULL || *t->choice.stays[i];
    n_kept += stays[i];
  }
  if (stays == NULL || n_kept == t->choice.n || t->good_size > SRS_MOST_TO_DROP) return;
  const srs_dropped_columns dropped = {t->choice.names, stays, t->choice.n};
  if (srs_drop_columns(t->path, &dropped) == SRS_OK) (void)srs_drop_metadata_columns(t->metadata, &dropped);
}

srs_status srs_trajectory_close(srs_trajectory *trajectory, srs_error *error)
{
  srs_trajectory *t = trajectory;
  if (t == NULL) return SRS_OK;
  if (t->hdf5 != NULL) {
    const srs_status left = srs_hdf5_trajectory_close(t->hdf5, t->error.status == SRS_OK, &t->error);
    if (left != SRS_OK) t->error.status = left;
  }
  if (t->descriptor >= 0 && close(t->descriptor) != 0 && t->error.status == SRS_OK)
    (void)file_failure(t, "cannot be written", errno);
  if (t->descriptor >= 0 && t->is_regular && t->error.status == SRS_OK) drop_unused(t);
  const srs_status status = t->error.status;
  if (status != SRS_OK && error != NULL) *error = t->error;
  srs_arena_release(&t->arena);
  free(t);
  return status;
}
