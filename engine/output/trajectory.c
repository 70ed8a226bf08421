// Where did it go? A CSV file: `time`, then q and v by name, then what was asked for besides.
//
// Names with a comma or a quotation mark are quoted (RFC 4180); those with control characters are refused. A row is
// formatted in a buffer taken at creation and handed to the system with one write(2) at once, so that whatever ends the
// program leaves whole lines. When a write fails the file is cut back to its last whole line.
#include "engine/output/contact_columns.h"
#include "engine/output/loop_columns.h"
#include "engine/output/metadata.h"
#include "engine/output/row_columns.h"
#include "engine/output/wrench_columns.h"
#include "topology/base/text.h"

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
  bool torques, energies, contacts, loops, efforts, wrenches;
  srs_contact_columns contact_columns;
  srs_loop_columns loop_columns;
  srs_row_columns row_columns;
  srs_wrench_columns wrench_columns;
  off_t good_size; // bytes up to the last whole line
  int n_columns;
  const char **names; // n_columns, in the order of the rows
  const char **units; // n_columns
  char *row;          // room for a row or the header
  srs_error error;    // the first failure
};

srs_trajectory_options srs_default_trajectory_options(void) { return (srs_trajectory_options){.torques = false}; }

static srs_status no_memory(srs_error *error, const char *path)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){path, 0, 0}, "", "no memory left for the trajectory");
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------------------------------------------------

static bool add_column(srs_trajectory *t, const char *what, const char *name, const char *unit)
{
  t->names[t->n_columns] = srs_text_join(&t->arena, what, "", name);
  t->units[t->n_columns] = unit;
  return t->names[t->n_columns++] != NULL;
}

static bool name_columns(srs_trajectory *t)
{
  const int nq = srs_model_nq(t->model), nv = srs_model_nv(t->model);
  const size_t n = 1 + (size_t)nq + (size_t)nv * (t->torques ? 2 : 1) + (t->energies ? 2 : 0) +
                   (size_t)t->contact_columns.n_columns + (size_t)t->loop_columns.n_columns +
                   (size_t)t->row_columns.n_columns + (size_t)t->wrench_columns.n_columns;
  t->names = srs_arena_take(&t->arena, n, sizeof *t->names);
  t->units = srs_arena_take(&t->arena, n, sizeof *t->units);
  bool is_good = t->names != NULL && t->units != NULL && add_column(t, "time", "", "s");
  for (int i = 0; i < nq && is_good; i++)
    is_good = add_column(t, "q:", srs_model_q_name(t->model, i), srs_model_q_unit(t->model, i));
  for (int i = 0; i < nv && is_good; i++)
    is_good = add_column(t, "v:", srs_model_v_name(t->model, i), srs_model_v_unit(t->model, i));
  for (int i = 0; i < nv && is_good && t->torques; i++) {
    const bool is_angle = strncmp(srs_model_v_unit(t->model, i), "rad", 3) == 0;
    is_good = add_column(t, "tau:", srs_model_v_name(t->model, i), is_angle ? "N m" : "N");
  }
  if (is_good && t->energies)
    is_good = add_column(t, "energy:", "kinetic", "J") && add_column(t, "energy:", "potential", "J");
  for (int i = 0; i < t->contact_columns.n_columns && is_good; i++)
    is_good = add_column(t, t->contact_columns.names[i], "", t->contact_columns.units[i]);
  for (int i = 0; i < t->loop_columns.n_columns && is_good; i++)
    is_good = add_column(t, t->loop_columns.names[i], "", t->loop_columns.units[i]);
  for (int i = 0; i < t->row_columns.n_columns && is_good; i++)
    is_good = add_column(t, t->row_columns.names[i], "", t->row_columns.units[i]);
  for (int i = 0; i < t->wrench_columns.n_columns && is_good; i++)
    is_good = add_column(t, t->wrench_columns.names[i], "", t->wrench_columns.units[i]);
  return is_good;
}

static srs_status check_names(const srs_trajectory *t, srs_error *error)
{
  for (int i = 0; i < t->n_columns; i++)
    for (const char *c = t->names[i]; *c != '\0'; c++)
      if ((unsigned char)*c < 0x20 || *c == 0x7f)
        return srs_fail_at(error, SRS_ERROR_NAME, (srs_place){t->path, 0, 0}, t->names[i],
                           "the name of column %d holds a control character, which a CSV header cannot", i + 1);
  return SRS_OK;
}

static char *put_name(char *at, const char *name)
{
  if (strpbrk(name, ",\"") == NULL) return stpcpy(at, name);
  *at++ = '"';
  for (; *name != '\0'; name++) {
    if (*name == '"') *at++ = '"';
    *at++ = *name;
  }
  *at++ = '"';
  return at;
}

// Room for the longer of header and row.
static size_t line_room(const srs_trajectory *t)
{
  size_t header = 2;
  for (int i = 0; i < t->n_columns; i++) header += 2 * strlen(t->names[i]) + 3;
  const size_t row = 32 * (size_t)t->n_columns + 2;
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
  for (int i = 0; i < t->n_columns; i++) {
    if (i > 0) *at++ = ',';
    at = put_name(at, t->names[i]);
  }
  *at++ = '\n';
  return write_line(t, (size_t)(at - t->row));
}

static char *put_numbers(char *at, const double *values, int n)
{
  for (int i = 0; i < n; i++) {
    *at++ = ',';
    at += srs_format_number(values[i], at);
  }
  return at;
}

srs_status srs_trajectory_add(srs_trajectory *trajectory, srs_sim *sim, srs_error *error)
{
  srs_trajectory *t = trajectory;
  if (t == NULL || sim == NULL || srs_sim_model(sim) != t->model)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, (srs_place){NULL, 0, 0}, "",
                       t == NULL ? "the trajectory is null" : "the trajectory was created for another sim");
  srs_status status = t->error.status;
  if (status == SRS_OK) {
    const int nq = srs_model_nq(t->model), nv = srs_model_nv(t->model);
    const double *q = srs_sim_q(sim), *v = srs_sim_v(sim);
    char *at = t->row + srs_format_number(srs_sim_time(sim), t->row);
    at = put_numbers(at, q, nq);
    at = put_numbers(at, v, nv);
    if (t->torques) at = put_numbers(at, srs_sim_torque(sim), nv);
    if (t->energies) {
      srs_workspace *workspace = srs_sim_workspace(sim);
      srs_energies energy;
      status = srs_energy(workspace, q, v, &energy);
      if (status != SRS_OK)
        t->error = *srs_workspace_error(workspace);
      else
        at = put_numbers(at, (const double[]){energy.kinetic, energy.potential}, 2);
    }
    if (t->contacts) {
      srs_contact_columns_fill(&t->contact_columns, sim);
      at = put_numbers(at, t->contact_columns.values, t->contact_columns.n_columns);
    }
    if (t->loops) {
      srs_loop_columns_fill(&t->loop_columns, sim);
      at = put_numbers(at, t->loop_columns.values, t->loop_columns.n_columns);
    }
    if (t->efforts) {
      srs_row_columns_fill(&t->row_columns, sim);
      at = put_numbers(at, t->row_columns.values, t->row_columns.n_columns);
    }
    if (t->wrenches) {
      srs_wrench_columns_fill(&t->wrench_columns, sim);
      at = put_numbers(at, t->wrench_columns.values, t->wrench_columns.n_columns);
    }
    *at++ = '\n';
    if (status == SRS_OK) status = write_line(t, (size_t)(at - t->row));
  }
  if (status != SRS_OK && error != NULL) *error = t->error;
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Opening and closing
// ---------------------------------------------------------------------------------------------------------------------

// Names of streams that are open already, wherever they lead: nothing is put beside them, cut off or removed.
static bool is_stream(const char *path)
{
  return strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
         strncmp(path, "/proc/", 6) == 0;
}

static bool is_same_file(const char *a, const char *b)
{
  struct stat first, second;
  return a != NULL && b != NULL && stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

// The file that will be written may not be this one.
static srs_status spare(const char *written, const char *input, const char *what, srs_error *error)
{
  if (!is_same_file(written, input)) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_ARGUMENT, (srs_place){written, 0, 0}, "", "is %s, give the output another name",
                     what);
}

srs_status srs_spare_inputs(const char *written, const srs_model *model, const srs_trajectory_options *options,
                            srs_error *error)
{
  srs_status status = spare(written, options->scene_file, "the scene itself", error);
  if (status == SRS_OK) status = spare(written, options->input_file, "the run's input", error);
  const char *const *robot = options->robot_files;
  for (; status == SRS_OK && robot != NULL && *robot != NULL; robot++)
    status = spare(written, *robot, "a robot of the scene", error);
  for (int i = 0; status == SRS_OK && i < srs_model_n_shapes(model); i++) {
    const char *mesh = srs_model_shape(model, i)->file;
    if (mesh[0] != '\0') status = spare(written, mesh, "a mesh of the model", error);
  }
  return status;
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
  if (t->descriptor < 0) return file_failure(t, "cannot be created", errno);
  struct stat mine;
  if (fstat(t->descriptor, &mine) != 0) return file_failure(t, "cannot be examined", errno);
  t->is_regular = S_ISREG(mine.st_mode) && !is_stream(t->path);
  return SRS_OK;
}

static srs_status fill_files(srs_trajectory *t, const srs_sim *sim, const srs_trajectory_options *options)
{
  srs_status status = SRS_OK;
  if (t->is_regular)
    status = srs_metadata_write(t->metadata, sim, options, t->names, t->units, t->n_columns, &t->error);
  if (status != SRS_OK) return status;
  if (t->is_regular && ftruncate(t->descriptor, 0) != 0) status = file_failure(t, "cannot be emptied", errno);
  if (status == SRS_OK) status = write_header(t);
  if (status == SRS_OK || !t->is_regular) return status;
  unlink(t->metadata);
  unlink(t->path);
  return status;
}

static srs_status create(srs_trajectory *t, const char *path, srs_sim *sim, const srs_trajectory_options *options)
{
  if (srs_has_ending(path, ".h5") || srs_has_ending(path, ".hdf5"))
    return srs_fail_at(&t->error, SRS_ERROR_UNSUPPORTED, (srs_place){path, 0, 0}, "",
                       "HDF5 output is not part of this version, use .csv");
  t->path = srs_text_copy(&t->arena, path, strlen(path));
  t->metadata = srs_text_join(&t->arena, path, "", ".yaml");
  if (t->path == NULL || t->metadata == NULL) return no_memory(&t->error, path);
  srs_status status = SRS_OK;
  if (t->contacts) status = srs_contact_columns_make(&t->arena, sim, &t->contact_columns, &t->error);
  if (status == SRS_OK && t->loops) status = srs_loop_columns_make(&t->arena, sim, &t->loop_columns, &t->error);
  if (status == SRS_OK && t->efforts) status = srs_row_columns_make(&t->arena, sim, &t->row_columns, &t->error);
  if (status == SRS_OK && t->wrenches)
    status = srs_wrench_columns_make(&t->arena, t->model, &t->wrench_columns, &t->error);
  if (status != SRS_OK) {
    srs_place_error(&t->error, (srs_place){path, 0, 0});
    return status;
  }
  if (!name_columns(t)) return no_memory(&t->error, path);
  t->row = srs_arena_take(&t->arena, line_room(t), 1);
  if (t->row == NULL) return no_memory(&t->error, path);
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

srs_status srs_trajectory_create(const char *path, srs_sim *sim, const srs_trajectory_options *options,
                                 srs_trajectory **trajectory, srs_error *error)
{
  const srs_place nowhere = {NULL, 0, 0};
  if (trajectory == NULL) return srs_fail_at(error, SRS_ERROR_ARGUMENT, nowhere, "", "trajectory is null");
  *trajectory = NULL;
  if (path == NULL || path[0] == '\0' || sim == NULL)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, nowhere, "", sim == NULL ? "sim is null" : "the output has no name");
  const srs_trajectory_options defaults = srs_default_trajectory_options();
  if (options == NULL) options = &defaults;
  srs_trajectory *t = calloc(1, sizeof *t);
  if (t == NULL) return no_memory(error, path);
  t->descriptor = -1;
  t->model = srs_sim_model(sim);
  t->torques = options->torques;
  t->energies = options->energies;
  t->contacts = options->contacts;
  t->loops = options->loops;
  t->efforts = options->efforts;
  t->wrenches = options->wrenches;
  const srs_status status = create(t, path, sim, options);
  if (status == SRS_OK) {
    *trajectory = t;
    return SRS_OK;
  }
  if (error != NULL) *error = t->error;
  (void)srs_trajectory_close(t, NULL);
  return status;
}

srs_status srs_trajectory_close(srs_trajectory *trajectory, srs_error *error)
{
  srs_trajectory *t = trajectory;
  if (t == NULL) return SRS_OK;
  if (t->descriptor >= 0 && close(t->descriptor) != 0 && t->error.status == SRS_OK)
    (void)file_failure(t, "cannot be written", errno);
  const srs_status status = t->error.status;
  if (status != SRS_OK && error != NULL) *error = t->error;
  srs_arena_release(&t->arena);
  free(t);
  return status;
}
