// Impulses that somebody found for a contact problem: the solution in the problem's file, or another file in FCLIB's
// format or in JSON. Only as many as the problem has rows, all finite, are taken.
#include "engine/cli/eval/impulses.h"

#include "engine/cli/eval/problem_file.h"
#include "engine/cli/shared/messages.h"
#include "engine/scene/values/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static srs_status fail_in(const char *path, srs_error *error)
{
  if (error->file[0] == '\0') snprintf(error->file, sizeof error->file, "%s", path);
  return error->status;
}

static srs_status take_memory(const char *path, int n, bool has_velocity, srs_impulses *impulses, srs_error *error)
{
  impulses->impulse = calloc((size_t)n + 1, sizeof *impulses->impulse);
  impulses->velocity = has_velocity ? calloc((size_t)n + 1, sizeof *impulses->velocity) : NULL;
  if (impulses->impulse != NULL && (impulses->velocity != NULL || !has_velocity)) return SRS_OK;
  srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %d rows", n);
  return fail_in(path, error);
}

srs_status srs_impulses_take(const char *path, const srs_contact_file *problem, srs_impulses *impulses,
                             srs_error *error)
{
  const int n = srs_contact_problem_rows(&problem->problem);
  *impulses = (srs_impulses){NULL, NULL};
  if (problem->impulse == NULL) {
    srs_report_fill(error, SRS_ERROR_SYNTAX,
                    "has no impulses to judge (no entry solution/r): leave out --given to judge ours, or name the file "
                    "that has them with --impulses");
    return fail_in(path, error);
  }
  const srs_status status = take_memory(path, n, problem->velocity != NULL, impulses, error);
  if (status != SRS_OK) {
    srs_impulses_free(impulses);
    return status;
  }
  memcpy(impulses->impulse, problem->impulse, (size_t)n * sizeof *impulses->impulse);
  if (problem->velocity != NULL) memcpy(impulses->velocity, problem->velocity, (size_t)n * sizeof *impulses->velocity);
  return SRS_OK;
}

// The rows that a file must have numbers for.
static void describe_rows(const srs_contact_problem *p, char *text, size_t size)
{
  const int rows = p->tangents != NULL ? 2 : 3; // of a contact
  snprintf(text, size, "the problem has %d rows: %d bilateral, then %d contacts of %d, the normal first",
           srs_contact_problem_rows(p), p->n_bilateral, p->n_contacts, rows);
}

// ---- FCLIB ----

static bool is_hdf5(const char *path)
{
  char bytes[8] = {0};
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  const size_t read = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return read == sizeof bytes && memcmp(bytes, "\x89HDF\r\n\x1a\n", 8) == 0;
}

static srs_status read_solution(const char *path, const srs_contact_file *problem, srs_impulses *impulses,
                                srs_error *error)
{
  srs_contact_file other = {0};
  srs_status status = srs_problem_file_read(path, &other, error);
  if (status != SRS_OK) return status;
  const srs_contact_problem *p = &problem->problem, *q = &other.problem;
  if (p->n_bilateral != q->n_bilateral || p->n_contacts != q->n_contacts ||
      srs_contact_problem_rows(p) != srs_contact_problem_rows(q)) {
    char rows[160];
    describe_rows(p, rows, sizeof rows);
    status = srs_report_fill(error, SRS_ERROR_SYNTAX, "is of another problem, with %d rows; %s",
                             srs_contact_problem_rows(q), rows);
    (void)fail_in(path, error);
  } else if (other.impulse == NULL) {
    status = srs_report_fill(error, SRS_ERROR_SYNTAX,
                             "has no impulses to judge (no entry solution/r): name a file that another solver has "
                             "written its solution to, or leave out --impulses to judge ours");
    (void)fail_in(path, error);
  } else {
    status = srs_impulses_take(path, &other, impulses, error);
  }
  srs_contact_file_free(&other);
  return status;
}

// ---- JSON ----

static srs_status read_list(const srs_yaml_node *node, const char *what, const srs_contact_problem *p, double *values,
                            srs_error *error)
{
  const int n = srs_contact_problem_rows(p);
  char rows[160];
  describe_rows(p, rows, sizeof rows);
  if (node->kind == SRS_YAML_LIST && node->count != n)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, what, "%s has %d %s; %s", what, node->count,
                       node->count == 1 ? "number" : "numbers", rows);
  return srs_yaml_numbers(node, what, values, n, error);
}

static srs_status read_json(const char *path, const srs_yaml_node *root, const srs_contact_problem *p,
                            srs_impulses *impulses, srs_error *error)
{
  const bool is_map = root->kind == SRS_YAML_MAP;
  const srs_yaml_node *impulse = is_map ? srs_yaml_get(root, "impulse") : root;
  const srs_yaml_node *velocity = is_map ? srs_yaml_get(root, "velocity") : NULL;
  if (impulse == NULL || (!is_map && root->kind != SRS_YAML_LIST))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, root->place, "impulse",
                       "has no impulses to judge: write {\"impulse\": [...]}, as solve --json prints it, or the list "
                       "alone");
  srs_status status = take_memory(path, srs_contact_problem_rows(p), velocity != NULL, impulses, error);
  if (status == SRS_OK) status = read_list(impulse, "impulse", p, impulses->impulse, error);
  if (status == SRS_OK && velocity != NULL) status = read_list(velocity, "velocity", p, impulses->velocity, error);
  return status;
}

srs_status srs_impulses_read(const char *path, const srs_contact_file *problem, srs_impulses *impulses,
                             srs_error *error)
{
  *impulses = (srs_impulses){NULL, NULL};
  if (is_hdf5(path)) return read_solution(path, problem, impulses, error);
  srs_yaml yaml;
  srs_status status = srs_yaml_load(path, &yaml, error);
  if (status != SRS_OK) return status;
  status = read_json(path, yaml.root, &problem->problem, impulses, error);
  if (status != SRS_OK) srs_impulses_free(impulses);
  srs_yaml_free(&yaml);
  return status;
}

void srs_impulses_free(srs_impulses *impulses)
{
  free(impulses->impulse);
  free(impulses->velocity);
  *impulses = (srs_impulses){NULL, NULL};
}
