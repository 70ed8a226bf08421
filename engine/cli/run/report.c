// The report of a run. docs/command.md guarantees the keys of `--json`; those about contacts and closures are always
// present, and zero where a scene has neither.
#include "engine/cli/run/report.h"

#include "engine/cli/run/energy_report.h"
#include "engine/cli/shared/json.h"
#include "engine/cli/shared/loading.h"
#include "engine/output/output_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FEW = 24 }; // the most coordinates that a summary lists

// Infinite for a run too short to be timed: null in JSON.
static double realtime_factor(const srs_run_report *report)
{
  return (srs_sim_time(report->sim) - report->outcome->time_start) / report->outcome->wall_time;
}

// ---------------------------------------------------------------------------------------------------------------------
// To read
// ---------------------------------------------------------------------------------------------------------------------

static void print_line(const char *label, double value, const char *unit)
{
  char text[32];
  srs_format_number(value, text);
  printf("%-16s %s%s\n", label, text, unit);
}

// What a clock says: its last digits are no news.
static void print_measured(const char *label, double value, const char *unit)
{
  if (value < 1e4)
    printf("%-16s %.4g%s\n", label, value, unit);
  else
    printf("%-16s %.0f%s\n", label, value, unit);
}

static void print_state(const char *label, const srs_model *model, int n, const double *values,
                        const char *(*name)(const srs_model *, int), const char *(*unit)(const srs_model *, int))
{
  for (int i = 0; i < n; i++) {
    char text[32];
    srs_format_number(values[i], text);
    printf("  %s:%-20s %s", label, name(model, i), text);
    printf(strcmp(unit(model, i), "1") == 0 ? "\n" : " %s\n", unit(model, i));
  }
}

static void print_final(const srs_run_report *report, const srs_model *model)
{
  const int nq = srs_model_nq(model), nv = srs_model_nv(model);
  if (nq > FEW) {
    printf("final state      %d coordinates, %d velocities: shown by --json\n", nq, nv);
    return;
  }
  puts("final state");
  print_state("q", model, nq, srs_sim_q(report->sim), srs_model_q_name, srs_model_q_unit);
  print_state("v", model, nv, srs_sim_v(report->sim), srs_model_v_name, srs_model_v_unit);
}

// What a step can take at most: its problems' bounds, of the step that had most to solve, beside the longest step.
static double longest_step(const srs_run_report *report)
{
  const srs_sim_statistics *s = srs_sim_get_statistics(report->sim);
  return s->step_most_work_max * report->work_time + 1e-9 * (double)report->times->worst;
}

static void print_work(const srs_run_report *report)
{
  const srs_sim_statistics *s = srs_sim_get_statistics(report->sim);
  if (!(s->most_work_max > 0)) return;
  printf("%-16s %.3g multiplications for a problem, %.3g for a step\n", "work, worst", s->work_max, s->step_work_max);
  printf("%-16s %.3g for a problem, %.3g for a step, at %.2g ns\n", "work, bound", s->most_work_max,
         s->step_most_work_max, 1e9 * report->work_time);
  print_measured("step, bound", longest_step(report), " s");
}

static void print_times(const srs_step_times *times)
{
  print_measured("step, median", srs_step_times_quantile(times, 0.5) / 1e3, " us");
  print_measured("step, 99.9 %", srs_step_times_quantile(times, 0.999) / 1e3, " us");
  print_measured("step, 99.99 %", srs_step_times_quantile(times, 0.9999) / 1e3, " us");
  print_measured("step, worst", (double)times->worst / 1e3, " us");
}

// A device has no FILE.yaml beside it, and an HDF5 file needs none.
static void print_output(const char *path, long n_rows)
{
  struct stat info;
  printf("%-16s %s (%ld rows)", "written", path, n_rows);
  if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && !srs_is_hdf5(path)) printf(", %s.yaml", path);
  putchar('\n');
}

static const char *solver_of(srs_sim *sim)
{
  const srs_sim_options *o = srs_sim_get_options(sim);
  if (srs_sim_collider(sim) == NULL) return "none";
  return o->integrator == SRS_GEOMETRICALLY_IMPLICIT ? "mcp" : srs_contact_method_name(o->contact.solver.method);
}

static void print_unsolved(const srs_sim_statistics *s)
{
  if (s->failures > 0) printf("%-16s %ld: the best impulses found were used\n", "unsolved", s->failures);
  print_line("worst residual", s->residual_max, "");
}

static void print_contacts(const srs_run_report *report)
{
  const srs_sim_statistics *s = srs_sim_get_statistics(report->sim);
  if (srs_sim_collider(report->sim) == NULL) {
    if (s->failures > 0) print_unsolved(s); // problems of loops, limits, friction and actuators alone
    return;
  }
  printf("%-16s %s\n", "contact solver", solver_of(report->sim));
  printf("%-16s %ld, at most %d contacts at once\n", "contact steps", s->contact_steps, s->contacts_max);
  if (s->solves == 0) return;
  printf("%-16s %ld, %.3g iterations in the mean, at most %d\n", "problems solved", s->solves - s->failures,
         (double)s->iterations / (double)s->solves, s->iterations_max);
  print_unsolved(s);
  if (s->corner_solves > 0)
    printf("%-16s at most %d groups at once; %.3g tries in the mean, at most %d\n", "corners", s->groups_max,
           (double)s->tries / (double)s->corner_solves, s->tries_max);
  print_line("deepest overlap", s->penetration_max, " m");
}

static void print_implicit(const srs_run_report *report)
{
  const srs_implicit_statistics *s = srs_sim_get_implicit_statistics(report->sim);
  if (s->solves == 0) return;
  printf("%-16s %.3g in the mean, at most %d\n", "step iterations", (double)s->iterations / (double)s->solves,
         s->iterations_max);
  if (s->halved > 0) printf("%-16s %ld\n", "steps halved", s->halved);
}

static void print_spin(const srs_run_report *report)
{
  const srs_spin_statistics *s = srs_sim_get_spin_statistics(report->sim);
  if (s->unresolved > 0)
    printf("%-16s in %ld steps, up to %.3g rad/s: dt %.2g s resolves it\n", "turns too fast", s->unresolved, s->speed,
           s->dt);
}

static void print_loops(const srs_run_report *report)
{
  const srs_sim_statistics *s = srs_sim_get_statistics(report->sim);
  if (srs_model_n_loops(srs_sim_model(report->sim)) == 0) return;
  printf("%-16s %d, of rank %d in the last step\n", "rows of loops", s->bilateral_rows, s->bilateral_rank);
  print_line("largest gap", s->closure_error_max, " m or rad");
  if (s->change_points > 0) printf("%-16s %ld\n", "change points", s->change_points);
}

void srs_report_print(const srs_run_report *report)
{
  const srs_model *model = srs_sim_model(report->sim);
  const srs_sim_options *options = srs_sim_get_options(report->sim);
  const srs_run_outcome *outcome = report->outcome;
  printf("%-16s %s%s\n", "scene", report->scene, outcome->was_interrupted ? " (interrupted)" : "");
  const int n_links = srs_model_n_links(model), nv = srs_model_nv(model);
  printf("%-16s %d moving link%s, %d degree%s of freedom, base %s\n", "model", n_links, n_links == 1 ? "" : "s", nv,
         nv == 1 ? "" : "s", srs_loading_base(model));
  print_line("moving mass", srs_model_mass(model), " kg");
  printf("%-16s %s\n", "integrator", srs_integrator_name(options->integrator));
  print_line("dt", options->dt, " s");
  printf("%-16s %ld\n", "steps", srs_sim_steps(report->sim));
  print_line("simulated time", srs_sim_time(report->sim), " s");
  if (outcome->was_resumed) print_line("resumed at", outcome->time_start, " s");
  print_measured("wall time", outcome->wall_time, " s");
  if (srs_sim_steps(report->sim) > 0) print_measured("realtime factor", realtime_factor(report), "");
  print_line("energy at start", outcome->energy_start, " J");
  print_line("energy at end", outcome->energy_end, " J");
  print_line("energy change", outcome->energy_end - outcome->energy_start, " J");
  srs_energy_report_print(outcome);
  print_implicit(report);
  print_spin(report);
  print_contacts(report);
  print_loops(report);
  if (report->times != NULL) print_times(report->times);
  if (report->times != NULL) print_work(report);
  print_final(report, model);
  if (report->output != NULL) print_output(report->output, outcome->n_rows);
  if (report->record_folder != NULL)
    printf("%-16s %d contact problem%s in %s\n", "recorded", report->n_recorded, report->n_recorded == 1 ? "" : "s",
           report->record_folder);
}

// ---------------------------------------------------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------------------------------------------------

static void write_state(srs_json *json, const char *key, const srs_model *model, int n, const double *values,
                        const char *(*name)(const srs_model *, int))
{
  srs_json_object(json, key);
  for (int i = 0; i < n; i++) srs_json_number(json, name(model, i), values[i]);
  srs_json_close(json);
}

static void write_contacts(srs_json *json, const srs_run_report *report)
{
  const srs_sim_statistics *s = srs_sim_get_statistics(report->sim);
  const double steps = (double)srs_sim_steps(report->sim);
  srs_json_integer(json, "contacts_max", s->contacts_max);
  srs_json_integer(json, "contact_steps", s->contact_steps);
  srs_json_integer(json, "second_rounds", s->second_rounds);
  srs_json_integer(json, "pushes", s->pushes);
  srs_json_object(json, "solver_iterations");
  srs_json_number(json, "mean", s->solves > 0 ? (double)s->iterations / (double)s->solves : 0);
  srs_json_integer(json, "max", s->iterations_max);
  srs_json_close(json);
  srs_json_integer(json, "groups_max", s->groups_max);
  srs_json_object(json, "tries");
  srs_json_number(json, "mean", s->corner_solves > 0 ? (double)s->tries / (double)s->corner_solves : 0);
  srs_json_integer(json, "max", s->tries_max);
  srs_json_close(json);
  srs_json_integer(json, "solver_failures", s->failures);
  srs_json_number(json, "first_failure_time", s->first_failure_time);
  srs_json_number(json, "residual_max", s->residual_max);
  srs_json_number(json, "penetration_max", s->penetration_max);
  srs_json_number(json, "penetration_mean", steps > 0 ? s->penetration_sum / steps : 0);
  srs_json_number(json, "infeasibility_max", s->infeasibility_max);
  srs_json_number(json, "infeasibility_mean", steps > 0 ? s->infeasibility_sum / steps : 0);
  srs_json_number(json, "closure_error_max", s->closure_error_max);
  srs_json_integer(json, "change_points", s->change_points);
}

static void write_implicit(srs_json *json, const srs_run_report *report)
{
  const srs_implicit_statistics *s = srs_sim_get_implicit_statistics(report->sim);
  if (s->solves == 0) return;
  srs_json_object(json, "step_iterations");
  srs_json_number(json, "mean", (double)s->iterations / (double)s->solves);
  srs_json_integer(json, "max", s->iterations_max);
  srs_json_close(json);
  srs_json_integer(json, "halved_steps", s->halved);
}

static void write_times(srs_json *json, const srs_run_report *report)
{
  const srs_step_times *times = report->times;
  const srs_sim_statistics *s = srs_sim_get_statistics(report->sim);
  srs_json_object(json, "step_time");
  srs_json_number(json, "median", srs_step_times_quantile(times, 0.5) / 1e9);
  srs_json_number(json, "p99.9", srs_step_times_quantile(times, 0.999) / 1e9);
  srs_json_number(json, "p99.99", srs_step_times_quantile(times, 0.9999) / 1e9);
  srs_json_number(json, "worst", (double)times->worst / 1e9);
  srs_json_number(json, "bound", longest_step(report));
  srs_json_close(json);
  srs_json_object(json, "work");
  srs_json_number(json, "problem", s->work_max);
  srs_json_number(json, "problem_bound", s->most_work_max);
  srs_json_number(json, "step", s->step_work_max);
  srs_json_number(json, "step_bound", s->step_most_work_max);
  srs_json_number(json, "time", report->work_time);
  srs_json_close(json);
}

void srs_report_json(const srs_run_report *report)
{
  const srs_model *model = srs_sim_model(report->sim);
  const srs_sim_options *options = srs_sim_get_options(report->sim);
  const srs_run_outcome *outcome = report->outcome;
  srs_json json = {.file = stdout};
  srs_json_object(&json, NULL);
  srs_json_text(&json, "scene", report->scene);
  srs_json_text(&json, "status", outcome->was_interrupted ? "interrupted" : "finished");
  srs_json_text(&json, "base", srs_loading_base(model));
  srs_json_integer(&json, "dof", srs_model_nv(model));
  srs_json_number(&json, "mass", srs_model_mass(model));
  srs_json_integer(&json, "steps", srs_sim_steps(report->sim));
  srs_json_number(&json, "dt", options->dt);
  srs_json_number(&json, "sim_time", srs_sim_time(report->sim));
  srs_json_number(&json, "wall_time", outcome->wall_time);
  srs_json_number(&json, "realtime_factor", realtime_factor(report));
  srs_json_text(&json, "solver", solver_of(report->sim));
  srs_json_text(&json, "integrator", srs_integrator_name(options->integrator));
  write_implicit(&json, report);
  srs_json_integer(&json, "unresolved_turns", srs_sim_get_spin_statistics(report->sim)->unresolved);
  write_contacts(&json, report);
  srs_json_number(&json, "energy_start", outcome->energy_start);
  srs_json_number(&json, "energy_end", outcome->energy_end);
  srs_energy_report_json(&json, outcome);
  if (report->times != NULL) write_times(&json, report);
  srs_json_object(&json, "final");
  write_state(&json, "q", model, srs_model_nq(model), srs_sim_q(report->sim), srs_model_q_name);
  write_state(&json, "v", model, srs_model_nv(model), srs_sim_v(report->sim), srs_model_v_name);
  srs_json_close(&json);
  if (report->output != NULL) {
    srs_json_text(&json, "output", report->output);
    srs_json_integer(&json, "rows", outcome->n_rows);
  }
  if (report->record_folder != NULL) {
    srs_json_text(&json, "recorded_in", report->record_folder);
    srs_json_integer(&json, "recorded", report->n_recorded);
  }
  srs_json_close(&json);
}
