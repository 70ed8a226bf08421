// Inputs over time: torques and servo references from a CSV file. A row holds until the next one.
//
// Row i holds for t_i <= t < t_(i+1), where a step counts as begun at t_i already when it begins within 1e-6 dt before:
// times are sums, and 3 * 0.1 is not 0.3. Before the first row torques are zero and servos off. The row is found by
// bisection at every call, so there is nothing to reset and a restored snapshot goes on right.
//
// A coordinate with q_ref has gains (kp, kd), one with v_ref alone (0, kd), every other (0, 0).
#include "topology/base/text.h"
#include "topology/model/model.h"

#include <sarrus/engine.h>
#include <stdlib.h>
#include <string.h>

typedef enum column_kind { COLUMN_TIME, COLUMN_TAU, COLUMN_Q_REF, COLUMN_V_REF } column_kind;

typedef struct column {
  column_kind kind;
  int index; // of the coordinate in v, for q_ref in q
  const char *name;
} column;

struct srs_input {
  srs_arena arena;
  const srs_model *model;
  column *columns; // n_columns
  double *rows;    // n_rows x n_columns, time first
  int n_columns;
  size_t n_rows;
  bool has_tau, has_servo;
  double kp_gain, kd_gain;
  double *tau, *v_ref, *kp, *kd, *zero; // nv
  double *q_ref;                        // nq
};

typedef struct csv_reader {
  srs_input *input;
  const char *path;
  const char *at; // the next line
  const char *end;
  int line;
  srs_error *error;
} csv_reader;

// ---------------------------------------------------------------------------------------------------------------------
// Lines and fields
// ---------------------------------------------------------------------------------------------------------------------

static bool next_line(csv_reader *r, const char **start, const char **stop)
{
  if (r->at >= r->end) return false;
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  *start = r->at;
  *stop = newline != NULL ? newline : r->end;
  r->at = newline != NULL ? newline + 1 : r->end;
  if (*stop > *start && (*stop)[-1] == '\r') --*stop;
  r->line++;
  return true;
}

static bool is_blank(const char *start, const char *stop)
{
  while (start < stop && (*start == ' ' || *start == '\t')) start++;
  return start == stop;
}

static int count_fields(const char *start, const char *stop)
{
  int n = 1;
  bool is_quoted = false;
  for (; start < stop; start++) {
    if (*start == '"') is_quoted = !is_quoted;
    n += *start == ',' && !is_quoted;
  }
  return n;
}

// The end of the field that begins here.
static const char *field_end(const char *start, const char *stop)
{
  bool is_quoted = false;
  for (; start < stop && (is_quoted || *start != ','); start++)
    if (*start == '"') is_quoted = !is_quoted;
  return start;
}

// A field's text, without surrounding blanks and quotation marks.
static char *field_text(srs_arena *arena, const char *start, const char *stop)
{
  while (start < stop && (*start == ' ' || *start == '\t')) start++;
  while (start < stop && (stop[-1] == ' ' || stop[-1] == '\t')) stop--;
  const bool is_quoted = stop - start >= 2 && start[0] == '"' && stop[-1] == '"';
  if (is_quoted) start++, stop--;
  char *text = srs_arena_take(arena, (size_t)(stop - start) + 1, 1);
  if (text == NULL) return NULL;
  char *to = text;
  for (; start < stop; start++) {
    if (is_quoted && *start == '"' && start + 1 < stop && start[1] == '"') start++;
    *to++ = *start;
  }
  return text;
}

static srs_place place_of(const csv_reader *r, const char *line_start, const char *at)
{
  return (srs_place){r->path, r->line, line_start != NULL ? (int)(at - line_start) + 1 : 0};
}

static srs_status no_memory(const csv_reader *r)
{
  return srs_fail_at(r->error, SRS_ERROR_MEMORY, (srs_place){r->path, 0, 0}, "", "no memory left to read the file");
}

// ---------------------------------------------------------------------------------------------------------------------
// The header
// ---------------------------------------------------------------------------------------------------------------------

static srs_status unknown_column(const csv_reader *r, srs_place place, const char *name)
{
  static const struct {
    const char *prefix;
    bool is_q;
  } kinds[] = {{"tau:", false}, {"q_ref:", true}, {"v_ref:", false}};
  const srs_model *model = r->input->model;
  srs_nearest nearest = srs_nearest_to(name);
  srs_arena arena = {0};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    const int n = kinds[k].is_q ? srs_model_nq(model) : srs_model_nv(model);
    for (int i = 0; i < n; i++) {
      const char *tail = kinds[k].is_q ? srs_model_q_name(model, i) : srs_model_v_name(model, i);
      const char *candidate = srs_text_join(&arena, kinds[k].prefix, "", tail);
      if (candidate != NULL) srs_nearest_offer(&nearest, candidate);
    }
  }
  char hint[192];
  const srs_status status =
      srs_fail_at(r->error, SRS_ERROR_NAME, place, name,
                  "unknown column '%.80s' (there are time, and tau:, q_ref: and v_ref: with a coordinate's name)%s",
                  name, srs_nearest_hint(&nearest, hint));
  srs_arena_release(&arena);
  return status;
}

static bool is_quaternion_entry(const srs_model *model, int index)
{
  for (int k = 0; k < model->n_links; k++) {
    const srs_joint *joint = srs_model_joint(model, k);
    const int offset = index - joint->q_index;
    if (offset < 0 || offset >= joint->nq) continue;
    return joint->kind == SRS_JOINT_SPHERICAL || (joint->kind == SRS_JOINT_FREE && offset >= 3);
  }
  return false;
}

static srs_status read_column(csv_reader *r, srs_place place, const char *name, int number)
{
  srs_input *input = r->input;
  column *c = input->columns + number;
  *c = (column){COLUMN_TIME, 0, name};
  if (number == 0 && strcmp(name, "time") == 0) return SRS_OK;
  if (number == 0)
    return srs_fail_at(r->error, SRS_ERROR_NAME, place, name,
                       "the first column must be 'time', here is '%.80s' (columns are separated by commas)", name);
  for (int i = 0; i < number; i++)
    if (strcmp(input->columns[i].name, name) == 0)
      return srs_fail_at(r->error, SRS_ERROR_NAME, place, name, "column '%.80s' is there twice", name);
  if (strncmp(name, "tau:", 4) == 0) {
    c->kind = COLUMN_TAU;
    c->index = srs_model_find_v(input->model, name + 4);
    input->has_tau = true;
  } else if (strncmp(name, "v_ref:", 6) == 0) {
    c->kind = COLUMN_V_REF;
    c->index = srs_model_find_v(input->model, name + 6);
    input->has_servo = true;
  } else if (strncmp(name, "q_ref:", 6) == 0) {
    c->kind = COLUMN_Q_REF;
    c->index = srs_model_find_q(input->model, name + 6);
    input->has_servo = true;
    if (c->index >= 0 && is_quaternion_entry(input->model, c->index))
      return srs_fail_at(r->error, SRS_ERROR_UNSUPPORTED, place, name,
                         "'%.80s': a servo cannot follow the entries of a quaternion, use tau or v_ref", name);
  } else
    c->index = -1;
  return c->index >= 0 ? SRS_OK : unknown_column(r, place, name);
}

static srs_status read_header(csv_reader *r)
{
  static const char mark[] = "\xef\xbb\xbf"; // some spreadsheets begin a file so
  if (r->end - r->at >= 3 && memcmp(r->at, mark, 3) == 0) r->at += 3;
  if (memchr(r->at, '\0', (size_t)(r->end - r->at)) != NULL)
    return srs_fail_at(r->error, SRS_ERROR_SYNTAX, (srs_place){r->path, 0, 0}, "", "a zero byte: this is no text file");
  const char *start, *stop;
  if (!next_line(r, &start, &stop) || is_blank(start, stop))
    return srs_fail_at(r->error, SRS_ERROR_SYNTAX, (srs_place){r->path, r->line, 0}, "",
                       "%s: the first line must name the columns, 'time' first",
                       r->line == 0 ? "the file is empty" : "the first line is empty");
  srs_input *input = r->input;
  input->n_columns = count_fields(start, stop);
  input->columns = srs_arena_take(&input->arena, (size_t)input->n_columns, sizeof *input->columns);
  if (input->columns == NULL) return no_memory(r);
  const char *field = start;
  for (int i = 0; i < input->n_columns; i++) {
    const char *end = field_end(field, stop);
    const char *name = field_text(&input->arena, field, end);
    if (name == NULL) return no_memory(r);
    const srs_status status = read_column(r, place_of(r, start, field), name, i);
    if (status != SRS_OK) return status;
    field = end < stop ? end + 1 : stop;
  }
  if (input->n_columns > 1) return SRS_OK;
  return srs_fail_at(r->error, SRS_ERROR_SYNTAX, (srs_place){r->path, 1, 0}, "",
                     "there is no column besides 'time', nothing would be driven");
}

// ---------------------------------------------------------------------------------------------------------------------
// The rows
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_row(csv_reader *r, const char *start, const char *stop, double *row)
{
  const srs_input *input = r->input;
  const int n = count_fields(start, stop);
  if (n != input->n_columns)
    return srs_fail_at(r->error, SRS_ERROR_SYNTAX, place_of(r, NULL, NULL), "", "the row has %d %s, the header has %d",
                       n, n == 1 ? "field" : "fields", input->n_columns);
  const char *field = start;
  for (int i = 0; i < n; i++) {
    const char *end = field_end(field, stop);
    if (!srs_parse_number(field, (size_t)(end - field), row + i))
      return srs_fail_at(r->error, SRS_ERROR_SYNTAX, place_of(r, start, field), input->columns[i].name,
                         "'%.*s' in column '%.80s' is not a finite number", (int)(end - field < 80 ? end - field : 80),
                         field, input->columns[i].name);
    field = end < stop ? end + 1 : stop;
  }
  return SRS_OK;
}

static srs_status read_rows(csv_reader *r)
{
  srs_input *input = r->input;
  const size_t n = (size_t)input->n_columns;
  // A row that is taken has at least one character for each field and one after it.
  const size_t most = ((size_t)(r->end - r->at) + 1) / (2 * n) + 1;
  input->rows = malloc(most * n * sizeof(double));
  if (input->rows == NULL) return no_memory(r);
  const char *start, *stop;
  while (next_line(r, &start, &stop)) {
    if (is_blank(start, stop)) continue;
    double *row = input->rows + input->n_rows * n;
    const srs_status status = read_row(r, start, stop, row);
    if (status != SRS_OK) return status;
    if (input->n_rows > 0 && !(row[0] > row[-(ptrdiff_t)n]))
      return srs_fail_at(r->error, SRS_ERROR_SYNTAX, place_of(r, start, start), "time",
                         "time must grow from row to row, here it does not");
    input->n_rows++;
  }
  if (input->n_rows > 0) return SRS_OK;
  return srs_fail_at(r->error, SRS_ERROR_SYNTAX, (srs_place){r->path, r->line, 0}, "",
                     "there is no row below the header");
}

// ---------------------------------------------------------------------------------------------------------------------
// Loading
// ---------------------------------------------------------------------------------------------------------------------

static bool take_arrays(srs_input *input)
{
  const size_t nq = (size_t)srs_model_nq(input->model), nv = (size_t)srs_model_nv(input->model);
  double *block = srs_arena_take(&input->arena, nq + 5 * nv + 1, sizeof(double));
  if (block == NULL) return false;
  input->q_ref = block;
  input->tau = block + nq;
  input->v_ref = input->tau + nv;
  input->kp = input->v_ref + nv;
  input->kd = input->kp + nv;
  input->zero = input->kd + nv;
  if (nq > 0) memcpy(input->q_ref, srs_model_neutral(input->model), nq * sizeof(double));
  return true;
}

srs_status srs_input_load(const char *path, const srs_model *model, srs_input **input, srs_error *error)
{
  const srs_place nowhere = {NULL, 0, 0};
  if (input == NULL) return srs_fail_at(error, SRS_ERROR_ARGUMENT, nowhere, "", "input is null");
  *input = NULL;
  if (path == NULL || model == NULL)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, nowhere, "", "%s is null", path == NULL ? "path" : "model");
  srs_input *new_input = calloc(1, sizeof *new_input);
  char *text = NULL;
  size_t length = 0;
  csv_reader reader = {.input = new_input, .path = path, .error = error};
  if (new_input == NULL) return no_memory(&reader);
  new_input->model = model;
  srs_status status = srs_read_text(path, NULL, &text, &length, error);
  if (status == SRS_OK) {
    reader.at = text;
    reader.end = text + length;
    status = take_arrays(new_input) ? SRS_OK : no_memory(&reader);
  }
  if (status == SRS_OK) status = read_header(&reader);
  if (status == SRS_OK) status = read_rows(&reader);
  free(text);
  srs_input_set_gains(new_input, 100, 10);
  if (status == SRS_OK)
    *input = new_input;
  else
    srs_input_destroy(new_input);
  return status;
}

void srs_input_destroy(srs_input *input)
{
  if (input == NULL) return;
  free(input->rows);
  srs_arena_release(&input->arena);
  free(input);
}

void srs_input_set_gains(srs_input *input, double kp, double kd)
{
  if (input == NULL) return;
  input->kp_gain = kp;
  input->kd_gain = kd;
}

// ---------------------------------------------------------------------------------------------------------------------
// Applying
// ---------------------------------------------------------------------------------------------------------------------

// How many rows have begun at a time.
static size_t rows_begun(const srs_input *input, double time)
{
  size_t low = 0, high = input->n_rows;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (input->rows[middle * (size_t)input->n_columns] <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The velocity entry that belongs to an entry of q which is no quaternion's: the same place within its joint.
static int v_of_q(const srs_model *model, int index)
{
  const int k = srs_link_of_q(model, index);
  return model->v_index[k] + index - model->q_index[k];
}

static void fill(srs_input *input, const double *row)
{
  for (int i = 1; i < input->n_columns; i++) {
    const column *c = input->columns + i;
    switch (c->kind) {
    case COLUMN_TAU: input->tau[c->index] = row[i]; break;
    case COLUMN_V_REF:
      input->v_ref[c->index] = row[i];
      input->kd[c->index] = input->kd_gain;
      break;
    case COLUMN_Q_REF: {
      const int v = v_of_q(input->model, c->index);
      input->q_ref[c->index] = row[i];
      input->kp[v] = input->kp_gain;
      input->kd[v] = input->kd_gain;
      break;
    }
    case COLUMN_TIME: break;
    }
  }
}

srs_status srs_input_apply(srs_input *input, srs_sim *sim, srs_error *error)
{
  if (input == NULL || sim == NULL || srs_sim_model(sim) != input->model)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, (srs_place){NULL, 0, 0}, "",
                       input == NULL ? "the input is null" : "the input was loaded for another model than the sim's");
  const size_t begun = rows_begun(input, srs_sim_time(sim) + 1e-6 * srs_sim_get_options(sim)->dt);
  const bool is_on = begun > 0;
  if (is_on) fill(input, input->rows + (begun - 1) * (size_t)input->n_columns);
  srs_status status = SRS_OK;
  if (input->has_tau) status = srs_sim_set_torque(sim, is_on ? input->tau : input->zero, error);
  if (status == SRS_OK && input->has_servo)
    status = srs_sim_set_servo(sim, input->q_ref, input->v_ref, is_on ? input->kp : input->zero,
                               is_on ? input->kd : input->zero, error);
  return status;
}

bool srs_input_beyond_limits(const srs_input *input, int *coordinate, double *time, double *target)
{
  for (size_t k = 0; input != NULL && input->kp_gain > 0 && k < input->n_rows; k++) {
    const double *row = input->rows + k * (size_t)input->n_columns;
    for (int i = 1; i < input->n_columns; i++) {
      if (input->columns[i].kind != COLUMN_Q_REF) continue;
      const int v = v_of_q(input->model, input->columns[i].index);
      if (row[i] >= srs_model_lower(input->model)[v] && row[i] <= srs_model_upper(input->model)[v]) continue;
      *coordinate = v, *time = row[0], *target = row[i];
      return true;
    }
  }
  return false;
}
