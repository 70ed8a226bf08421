// `sarrus solve PROBLEM`: solves a contact problem stored in FCLIB's format by one of our solvers, prints the answer
// with its certificate, and on request writes a file that contains the solution. With --judge the judge
// (contact_judge.h) evaluates the impulses: ours, or those that a file holds, in which case nothing is solved.
#include "engine/cli/eval/solve.h"

#include "engine/cli/eval/impulses.h"
#include "engine/cli/eval/judge.h"
#include "engine/cli/eval/problem_file.h"
#include "engine/cli/shared/command.h"
#include "engine/cli/shared/json.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/options.h"
#include "engine/cli/shared/solver_choice.h"
#include "engine/cli/shared/step_times.h"
#include "engine/cli/shared/values.h"
#include "topology/base/whole_file.h"

#include <math.h>
#include <sarrus/contact_file.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct solve_options {
  const char *solver, *tolerance, *out, *impulses;
  bool is_json, is_judged, is_given, replaces;
} solve_options;

typedef struct solution {
  srs_contact_options options;
  srs_contact_report report;
  double natural_map;         // over |b|
  double siconos;             // over the larger of |b| and |impulse|, as Siconos reports it
  double time;                // s
  double *impulse, *velocity; // n
  int n;
} solution;

static bool is_solved_elsewhere(const solve_options *given) { return given->is_given || given->impulses != NULL; }

static int read_options(const srs_command *command, const solve_options *given, srs_contact_options *options)
{
  *options = srs_default_contact_options();
  if (given->is_given && given->impulses != NULL)
    return srs_usage_error(command,
                           "--given judges the solution in PROBLEM, --impulses another file: give one of them");
  if (is_solved_elsewhere(given) && given->out != NULL)
    return srs_usage_error(command, "--out writes our answer, but with %s nothing is solved: leave out one of them",
                           given->is_given ? "--given" : "--impulses");
  if (given->tolerance != NULL) {
    const int status = srs_value_positive(command, "tol", given->tolerance, &options->tolerance);
    if (status != SRS_EXIT_OK) return status;
  }
  if (given->solver == NULL) return SRS_EXIT_OK;
  srs_solver_choice choice;
  const int status = srs_solver_choice_read(command, "solver", given->solver, &choice);
  if (status == SRS_EXIT_OK) srs_solver_choice_apply(&choice, options);
  return status;
}

static double size_of(int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static void compare(const srs_contact_problem *problem, solution *s)
{
  const double defect = srs_contact_natural_map(problem, s->impulse, s->velocity);
  const double b = size_of(s->n, problem->b), larger = fmax(b, size_of(s->n, s->impulse));
  s->natural_map = b > 0 ? defect / b : defect;
  s->siconos = larger > 0 ? defect / larger : defect;
}

// Starts from the file's first guess, if it has one.
static srs_status solve(const srs_contact_file *file, solution *s, srs_error *error)
{
  srs_contact_solver *solver = NULL;
  srs_status status = srs_contact_solver_create(s->n, &solver, error);
  if (status != SRS_OK) return status;
  status = srs_contact_solver_reserve_directions(solver, s->n, s->options.n_directions, error);
  s->impulse = calloc((size_t)s->n + 1, sizeof *s->impulse);
  s->velocity = calloc((size_t)s->n + 1, sizeof *s->velocity);
  if (status == SRS_OK && (s->impulse == NULL || s->velocity == NULL))
    status = srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %d rows", s->n);
  const bool is_warm = file->n_guesses > 0;
  for (int i = 0; status == SRS_OK && is_warm && i < s->n; i++) s->impulse[i] = file->guesses[i];
  const long long start = srs_clock();
  if (status == SRS_OK) {
    status = srs_contact_solve(solver, &file->problem, &s->options, is_warm, s->impulse, s->velocity, &s->report);
    if (status == SRS_ERROR_DIVERGED)
      srs_report_fill(error, status, "cannot be solved: sums of its numbers overflow; state W, q and s in other units");
    else if (status != SRS_OK)
      srs_report_fill(error, status, "cannot be solved: %s", srs_status_string(status));
  }
  s->time = (double)(srs_clock() - start) / 1e9;
  if (status == SRS_OK) compare(&file->problem, s);
  srs_contact_solver_destroy(solver);
  return status;
}

static srs_status write_out(const srs_contact_file *file, const char *path, const solution *s, srs_error *error)
{
  srs_contact_file out = *file;
  out.impulse = s->impulse;
  out.velocity = s->velocity;
  return srs_contact_file_write(path, &out, error);
}

// ---- reporting ----

static void print_number(const char *label, double value, const char *unit)
{
  char text[32];
  srs_format_number(value, text);
  printf("%-16s %s%s\n", label, text, unit);
}

static void print_problem(const char *path, const srs_contact_file *file)
{
  const srs_contact_problem *p = &file->problem;
  printf("%-16s %s\n", "problem", path);
  if (file->title != NULL && file->title[0] != '\0') printf("%-16s %s\n", "title", file->title);
  printf("%-16s %d, %s\n", "contacts", p->n_contacts, p->tangents != NULL ? "in the plane" : "in space");
}

static void print(const srs_contact_file *file, const solution *s)
{
  const srs_contact_problem *p = &file->problem;
  if (p->n_bilateral > 0)
    printf("%-16s %d, %d of them independent\n", "bilateral rows", p->n_bilateral, s->report.bilateral_rank);
  printf("%-16s %s\n", "solver", srs_contact_method_name(s->options.method));
  printf("%-16s %s\n", "status", srs_contact_status_name(s->report.status));
  printf("%-16s %s\n", "answer from", srs_contact_stage_name(s->report.stage));
  printf("%-16s %d\n", "iterations", s->report.iterations);
  print_number("residual", s->report.residual, "");
  if (s->report.residual != s->report.exact_residual) print_number("with round cones", s->report.exact_residual, "");
  print_number("natural map", s->natural_map, "");
  print_number("Siconos's error", s->siconos, "");
  print_number("energy change", s->report.energy, " J");
  print_number("time", s->time, " s");
}

static void print_problem_json(const char *path, const srs_contact_file *file, srs_json *json)
{
  srs_json_object(json, NULL);
  srs_json_text(json, "problem", path);
  if (file->title != NULL) srs_json_text(json, "title", file->title);
  srs_json_integer(json, "contacts", file->problem.n_contacts);
  srs_json_integer(json, "bilateral_rows", file->problem.n_bilateral);
}

static void print_json(const solution *s, srs_json *json)
{
  const srs_contact_report *r = &s->report;
  srs_json_text(json, "status", srs_contact_status_name(r->status));
  srs_json_text(json, "solver", srs_contact_method_name(s->options.method));
  srs_json_number(json, "tolerance", s->options.tolerance);
  srs_json_text(json, "stage", srs_contact_stage_name(r->stage));
  srs_json_integer(json, "iterations", r->iterations);
  srs_json_number(json, "residual", r->residual);
  srs_json_number(json, "exact_residual", r->exact_residual);
  srs_json_number(json, "natural_map", s->natural_map);
  srs_json_number(json, "siconos_error", s->siconos);
  srs_json_number(json, "bilateral", r->bilateral);
  srs_json_number(json, "normal", r->normal);
  srs_json_number(json, "cone", r->cone);
  srs_json_number(json, "sliding", r->sliding);
  srs_json_number(json, "energy", r->energy);
  srs_json_integer(json, "bilateral_rank", r->bilateral_rank);
  srs_json_number(json, "time", s->time);
  srs_json_numbers(json, "impulse", s->impulse, s->n);
  srs_json_numbers(json, "velocity", s->velocity, s->n);
}

// Also for "stagnated", where rounding allows no smaller residual.
static int report_unsolved(const char *path, const solution *s)
{
  char residual[32], tolerance[32];
  srs_error error = {0};
  srs_format_number(s->report.residual, residual);
  srs_format_number(s->options.tolerance, tolerance);
  srs_report_fill(&error, SRS_OK,
                  "%s: the residual is %s, above the tolerance %s; try another --solver or a larger --tol",
                  srs_contact_status_name(s->report.status), residual, tolerance);
  snprintf(error.file, sizeof error.file, "%s", path);
  return srs_report_failure(&error);
}

static int report_in(const char *path, srs_error *error)
{
  if (error->file[0] == '\0') snprintf(error->file, sizeof error->file, "%s", path);
  return srs_report_failure(error);
}

static int report_above(const char *path, const char *source, double residual, double tolerance)
{
  char above[32], allowed[32];
  srs_error error = {0};
  srs_format_number(residual, above);
  srs_format_number(tolerance, allowed);
  srs_report_fill(&error, SRS_OK,
                  "the residual of %s is %s, above the tolerance %s; a larger --tol takes them for an answer", source,
                  above, allowed);
  return report_in(path, &error);
}

// Everything that the command prints on stdout. `s` NULL: nothing was solved; `judged` NULL: nothing was judged.
static void print_all(const solve_options *given, const char *path, const srs_contact_file *file, const solution *s,
                      const srs_judged *judged)
{
  srs_json json = {.file = stdout};
  if (given->is_json) {
    print_problem_json(path, file, &json);
    if (s != NULL) print_json(s, &json);
    if (judged != NULL) srs_judged_print_json(judged, &json);
    srs_json_close(&json);
    return;
  }
  print_problem(path, file);
  if (s != NULL)
    print(file, s);
  else if (file->problem.n_bilateral > 0)
    printf("%-16s %d\n", "bilateral rows", file->problem.n_bilateral);
  if (given->out != NULL) printf("%-16s %s\n", "written", given->out);
  if (judged != NULL) srs_judged_print(judged);
}

static int solve_file(const solve_options *given, const char *path, const srs_contact_file *file, solution *s)
{
  srs_error error = {0};
  srs_judged judged = {.problem = &file->problem, .source = "our impulses"};
  srs_status status = solve(file, s, &error);
  if (status == SRS_OK && given->out != NULL) status = write_out(file, given->out, s, &error);
  if (status == SRS_OK && given->is_judged) {
    judged.claim = srs_contact_claim_of(&s->options, s->impulse, s->velocity);
    status = srs_judged_make(&judged, &error);
  }
  if (status == SRS_OK) print_all(given, path, file, s, given->is_judged ? &judged : NULL);
  srs_judged_free(&judged);
  if (status != SRS_OK) return report_in(path, &error);
  return s->report.status == SRS_CONTACT_SOLVED ? SRS_EXIT_OK : report_unsolved(path, s);
}

static int judge_file(const solve_options *given, const char *path, const srs_contact_file *file,
                      const srs_contact_options *options)
{
  srs_error error = {0};
  srs_impulses impulses;
  srs_judged judged = {.problem = &file->problem, .source = given->is_given ? "the file's solution" : given->impulses};
  srs_status status = given->is_given ? srs_impulses_take(path, file, &impulses, &error)
                                      : srs_impulses_read(given->impulses, file, &impulses, &error);
  if (status == SRS_OK) {
    judged.claim = srs_contact_claim_of(options, impulses.impulse, impulses.velocity);
    status = srs_judged_make(&judged, &error);
  }
  if (status == SRS_OK) print_all(given, path, file, NULL, &judged);
  const double residual = judged.judgement.residual;
  srs_judged_free(&judged);
  srs_impulses_free(&impulses);
  if (status != SRS_OK) return report_in(path, &error);
  return residual <= options->tolerance ? SRS_EXIT_OK : report_above(path, judged.source, residual, options->tolerance);
}

static int solve_path(const srs_command *command, const solve_options *given, const char *path)
{
  solution s = {0};
  srs_contact_file file = {0};
  srs_error error = {0};
  int status = read_options(command, given, &s.options);
  if (status != SRS_EXIT_OK) return status;
  if (given->out != NULL && !given->replaces && srs_is_name_taken(given->out, &error))
    return srs_report_failure(&error);
  if (srs_problem_file_read(path, &file, &error) != SRS_OK) return srs_report_failure(&error);
  s.n = srs_contact_problem_rows(&file.problem);
  status = is_solved_elsewhere(given) ? judge_file(given, path, &file, &s.options) : solve_file(given, path, &file, &s);
  free(s.impulse);
  free(s.velocity);
  srs_contact_file_free(&file);
  return status;
}

static const char purpose[] =
    "Solves a contact problem in a file (FCLIB's HDF5, \"local\") and certifies the answer. The solver starts\n"
    "from the file's guess, if it has one. --judge evaluates the answer, or the impulses of another solver.";

static const char notes[] =
    "The residual is scaled (docs/contact.md); `natural map` is the unscaled residual over |b|, Siconos's\n"
    "error the same over the larger of |b| and |impulse|.\n"
    "The judge computes v = W impulse + b and the laws anew, in long double. Its figures, worst and relative:\n"
    "  gap          |min(impulse, velocity)| along the normal\n"
    "  cone         friction beyond what mu times the normal impulse allows, N s\n"
    "  dissipation  friction that does not oppose the slip, or slip that it should stop\n"
    "  loops        velocity of bilateral rows, m/s\n"
    "  velocity     by how much the velocities claimed differ from W impulse + b, m/s\n"
    "Worst ones are unscaled (1 N s counts as 1 m/s), relative ones scaled as the residual is (docs/command.md).\n"
    "Impulses are judged by the laws that --solver solves: round cones, or polyhedra.\n"
    "The exit status is 1 when the residual stays above the tolerance; all is printed even then.";

int srs_command_solve(int argc, char **argv)
{
  srs_command command = {.name = "solve"};
  solve_options given = {0};
  const srs_option options[] = {
      {"solver", "NAME", "mncp-rlm (default), mncp-plm, mlcp-lemke, ...; mlcp-lemke@8: 8 directions",
       .text = &given.solver},
      {"tol", "X", "tolerance of the residual (default 1e-12)", .text = &given.tolerance},
      {"judge", NULL, "judge the answer: residuals by kind, energy, a table of contacts", .flag = &given.is_judged},
      {"given", NULL, "judge the solution in PROBLEM; nothing is solved", .flag = &given.is_given},
      {"impulses", "FILE", "judge those of this file: FCLIB's solution, or JSON as --json prints it",
       .text = &given.impulses},
      {"out", "FILE.hdf5", "write the problem with its solution to this file", .text = &given.out},
      {"force", NULL, "replace the file of --out if it is there", .flag = &given.replaces},
      {"json", NULL, "one JSON object: all figures, impulses, velocities", .flag = &given.is_json},
      {"quiet", NULL, "accepted; has no effect", .flag = &command.is_quiet},
  };
  static const char *const operand_names[] = {"PROBLEM"};
  const srs_usage usage = {
      "solve PROBLEM", purpose, notes, operand_names, 1, options, sizeof options / sizeof *options};
  const char *path = NULL;
  bool wants_help = false;
  int status = srs_options_read(&command, &usage, argc, argv, &path, &wants_help);
  if (status == SRS_EXIT_OK && wants_help)
    srs_options_help(&usage);
  else if (status == SRS_EXIT_OK)
    status = solve_path(&command, &given, path);
  return status;
}
