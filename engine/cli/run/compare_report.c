// The report of a comparison: two tables within 100 columns, the work of each solver and its distance from the first;
// or one JSON object with the keys that docs/command.md guarantees.
#include "engine/cli/run/compare.h"
#include "engine/cli/shared/json.h"

#include <math.h>
#include <string.h>

static double dt_of(const srs_comparison *c) { return srs_sim_get_options(c->contender[0].sim)->dt; }

static double sample_time(const srs_comparison *c, int k) { return (double)c->sample_step[k] * dt_of(c); }

static double mean_iterations(const srs_sim_statistics *s)
{
  return s->solves > 0 ? (double)s->iterations / (double)s->solves : 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// To read
// ---------------------------------------------------------------------------------------------------------------------

static void print_work(const srs_comparison *c)
{
  static const char head[] = "%-19s %8s %8s %8s %8s %6s %5s %6s %8s %13s\n";
  putchar('\n');
  printf(head, "solver", "wall, s", "cpu, s", "contact", "problems", "iter.", "iter.", "failed", "worst", "energy at");
  printf(head, "", "", "", "steps", "", "mean", "max", "", "residual", "end, J");
  for (int i = 0; i < c->n; i++) {
    const srs_contender *one = &c->contender[i];
    const srs_sim_statistics *s = srs_sim_get_statistics(one->sim);
    printf("%-19s %8.3g %8.3g %8ld %8ld %6.3g %5d %6ld %8.2g %13.8g\n", one->choice.label, one->wall_time,
           one->cpu_time, s->contact_steps, s->solves, mean_iterations(s), s->iterations_max, s->failures,
           s->residual_max, one->energy_end);
  }
}

static void print_time(double value)
{
  char text[32];
  snprintf(text, sizeof text, "%.7g", value); // rounding of n dt left out
  printf(" %9s", isnan(value) ? "never" : text);
}

static void print_distances(const srs_comparison *c)
{
  char text[48];
  printf("\ndistance from %s: largest difference of a coordinate (rad or m), and when it first exceeds\n",
         c->contender[0].choice.label);
  printf("%-19s", "solver");
  for (int k = 0; k < SRS_COMPARE_SAMPLES; k++) {
    snprintf(text, sizeof text, "%.4g s", sample_time(c, k));
    printf(" %9s", text);
  }
  for (int k = 0; k < SRS_COMPARE_LEVELS; k++) {
    snprintf(text, sizeof text, "> 1e%.0f", log10(srs_compare_levels[k]));
    printf(" %9s", text);
  }
  putchar('\n');
  for (int i = 1; i < c->n; i++) {
    const srs_contender *one = &c->contender[i];
    printf("%-19s", one->choice.label);
    for (int k = 0; k < SRS_COMPARE_SAMPLES; k++)
      if (isnan(one->difference[k]))
        printf(" %9s", "-");
      else
        printf(" %9.2g", one->difference[k]);
    for (int k = 0; k < SRS_COMPARE_LEVELS; k++) print_time(one->exceeds[k]);
    putchar('\n');
  }
}

void srs_comparison_print(const srs_comparison *c)
{
  const srs_sim_options *options = srs_sim_get_options(c->contender[0].sim);
  char dt[32], time[32], energy[32];
  srs_format_number(options->dt, dt);
  srs_format_number((double)c->steps_done * options->dt, time);
  srs_format_number(c->energy_start, energy);
  printf("%-19s %s%s\n", "scene", c->scene, c->was_interrupted ? " (interrupted)" : "");
  printf("%-19s %s, dt %s s, %ld steps to t = %s s\n", "integrator", srs_integrator_name(options->integrator), dt,
         c->steps_done, time);
  printf("%-19s %s J\n", "energy at start", energy);
  print_work(c);
  for (int i = 0; i < c->n; i++)
    if (c->contender[i].has_stopped)
      printf("%s stopped: %s\n", c->contender[i].choice.label, c->contender[i].stop.message);
  if (c->n > 1) print_distances(c);
  if (c->output != NULL) printf("\n%-19s %s (%ld rows)\n", "written", c->output, c->n_rows);
}

// ---------------------------------------------------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------------------------------------------------

static void write_work(srs_json *json, const srs_contender *one)
{
  const srs_sim_statistics *s = srs_sim_get_statistics(one->sim);
  srs_json_integer(json, "steps", srs_sim_steps(one->sim));
  srs_json_number(json, "wall_time", one->wall_time);
  srs_json_number(json, "cpu_time", one->cpu_time);
  srs_json_integer(json, "contact_steps", s->contact_steps);
  srs_json_integer(json, "contacts_max", s->contacts_max);
  srs_json_integer(json, "problems", s->solves);
  srs_json_object(json, "solver_iterations");
  srs_json_number(json, "mean", mean_iterations(s));
  srs_json_integer(json, "max", s->iterations_max);
  srs_json_close(json);
  srs_json_integer(json, "solver_failures", s->failures);
  srs_json_number(json, "residual_max", s->residual_max);
  srs_json_number(json, "penetration_max", s->penetration_max);
  srs_json_number(json, "energy_end", one->energy_end);
}

static void write_contender(srs_json *json, const srs_contender *one)
{
  const srs_contact_options *options = &srs_sim_get_options(one->sim)->contact.solver;
  srs_json_object(json, NULL);
  srs_json_text(json, "name", one->choice.label);
  srs_json_text(json, "solver", srs_contact_method_name(options->method));
  if (srs_contact_method_has_polyhedron(options->method))
    srs_json_integer(json, "directions", options->n_directions);
  else
    srs_json_null(json, "directions");
  write_work(json, one);
  srs_json_numbers(json, "difference", one->difference, SRS_COMPARE_SAMPLES);
  srs_json_number(json, "difference_max", one->difference_max);
  srs_json_numbers(json, "exceeds", one->exceeds, SRS_COMPARE_LEVELS);
  if (one->has_stopped)
    srs_json_text(json, "stopped", one->stop.message);
  else
    srs_json_null(json, "stopped");
  srs_json_close(json);
}

void srs_comparison_json(const srs_comparison *c)
{
  const srs_sim_options *options = srs_sim_get_options(c->contender[0].sim);
  double times[SRS_COMPARE_SAMPLES];
  for (int k = 0; k < SRS_COMPARE_SAMPLES; k++) times[k] = sample_time(c, k);
  srs_json json = {.file = stdout};
  srs_json_object(&json, NULL);
  srs_json_text(&json, "scene", c->scene);
  srs_json_text(&json, "status", c->was_interrupted ? "interrupted" : "finished");
  srs_json_text(&json, "integrator", srs_integrator_name(options->integrator));
  srs_json_integer(&json, "steps", c->steps_done);
  srs_json_number(&json, "dt", options->dt);
  srs_json_number(&json, "sim_time", (double)c->steps_done * options->dt);
  srs_json_number(&json, "energy_start", c->energy_start);
  srs_json_text(&json, "reference", c->contender[0].choice.label);
  srs_json_numbers(&json, "sample_times", times, SRS_COMPARE_SAMPLES);
  srs_json_numbers(&json, "levels", srs_compare_levels, SRS_COMPARE_LEVELS);
  srs_json_array(&json, "solvers");
  for (int i = 0; i < c->n; i++) write_contender(&json, &c->contender[i]);
  srs_json_close(&json);
  if (c->output != NULL) {
    srs_json_text(&json, "output", c->output);
    srs_json_integer(&json, "rows", c->n_rows);
  }
  srs_json_close(&json);
}
