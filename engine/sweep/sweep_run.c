// What comes of one run of a sweep? Its values go into the scene's text, the scene is loaded and simulated to its end
// or until the sweep says stop, and the expressions are evaluated on the columns that a trajectory of it would have.
#include "engine/sweep/sweep_run.h"
#include "engine/sweep/read_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHECKED = 8 }; // runs that are looked at before the first, evenly among all

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for a run");
}

// ---------------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------------

// Values move when a source is added, so sources are all made before any expression is read.
static srs_status make_columns(srs_run_work *w, srs_error *error)
{
  size_t n = (size_t)w->plan->n_variables + 1;
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++) {
    const char *key = srs_column_sources[i].key;
    w->first[i] = -1;
    if (key != NULL && strcmp(key, "body_contacts") == 0) continue; // have the names of `contacts`
    srs_error reason = {0};
    const srs_status status = srs_column_sources[i].make(&w->arena, w->sim, &w->columns[i], &reason);
    if (status == SRS_ERROR_CAPACITY) continue; // too many pairs of shapes: their names are not known
    if (status != SRS_OK) {
      if (error != NULL) *error = reason;
      return status;
    }
    w->first[i] = (int)n;
    n += (size_t)w->columns[i].n;
  }
  w->names = srs_arena_take(&w->arena, n, sizeof *w->names);
  w->values = srs_arena_take(&w->arena, n, sizeof *w->values);
  if (w->names == NULL || w->values == NULL) return no_memory(error);
  for (int i = 0; i < w->plan->n_variables; i++) w->names[i] = w->plan->variables[i].name;
  w->names[w->plan->n_variables] = "run";
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++)
    for (int k = 0; k < w->columns[i].n && w->first[i] >= 0; k++) w->names[w->first[i] + k] = w->columns[i].names[k];
  w->n_values = (int)n;
  return SRS_OK;
}

static int find_value(void *context, const char *name)
{
  srs_run_work *w = context;
  for (int i = 0; i < w->n_values; i++) {
    if (strcmp(w->names[i], name) != 0) continue;
    for (int s = 0; s < SRS_COLUMN_SOURCES; s++)
      if (w->first[s] >= 0 && i >= w->first[s] && i < w->first[s] + w->columns[s].n) w->is_used[s] = true;
    return i;
  }
  return -1;
}

static srs_status read_questions(srs_run_work *w, srs_error *error)
{
  const srs_sweep_plan *plan = w->plan;
  w->outcomes = srs_arena_take(&w->arena, (size_t)plan->n_outcomes + 1, sizeof *w->outcomes);
  if (w->outcomes == NULL) return no_memory(error);
  srs_status status = SRS_OK;
  for (int i = 0; i < plan->n_outcomes && status == SRS_OK; i++)
    status =
        srs_expression_read(plan->outcomes[i].text, plan->outcomes[i].place, find_value, w, &w->outcomes[i], error);
  if (status == SRS_OK && plan->stop.text != NULL)
    status = srs_expression_read(plan->stop.text, plan->stop.place, find_value, w, &w->stop, error);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_run_begin(srs_run_work *w, const double *values, long run, srs_error *error)
{
  char *text = srs_sweep_scene_text(w->plan, values);
  if (text == NULL) return no_memory(error);
  srs_scene_options options = srs_default_scene_options();
  options.text = text;
  srs_status status = srs_scene_load(w->plan->scene_file, &options, &w->scene, error);
  free(text);
  if (status != SRS_OK) return status;
  const srs_scene_settings *settings = srs_scene_get_settings(w->scene);
  srs_sim_options sim = settings->sim;
  sim.energy_balance = sim.energy_balance && strstr(w->plan->text, "energy:") != NULL; // only where it is asked for
  status = srs_scene_create_sim(w->scene, &sim, &w->sim, error);
  if (status == SRS_OK) status = make_columns(w, error);
  if (status != SRS_OK) return status;
  memcpy(w->values, values, (size_t)w->plan->n_variables * sizeof *values);
  w->values[w->plan->n_variables] = (double)run;
  return read_questions(w, error);
}

void srs_run_end(srs_run_work *w)
{
  srs_sim_destroy(w->sim);
  srs_scene_destroy(w->scene);
  srs_arena_release(&w->arena);
}

srs_status srs_run_fill(srs_run_work *w, srs_error *error)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < SRS_COLUMN_SOURCES && status == SRS_OK; i++) {
    if (!w->is_used[i]) continue;
    status = srs_column_sources[i].fill(&w->columns[i], w->sim, error);
    memcpy(w->values + w->first[i], w->columns[i].values, (size_t)w->columns[i].n * sizeof(double));
  }
  return status;
}

// Notes the present values.  @param is_stopped  out
srs_status srs_run_look(srs_run_work *w, bool *is_stopped, srs_error *error)
{
  const srs_status status = srs_run_fill(w, error);
  if (status != SRS_OK) return status;
  const double time = srs_sim_time(w->sim);
  for (int i = 0; i < w->plan->n_outcomes; i++) srs_expression_note(&w->outcomes[i], time, w->values);
  if (w->plan->stop.text == NULL) return SRS_OK;
  srs_expression_note(&w->stop, time, w->values);
  const double stop = srs_expression_value(&w->stop, w->values);
  *is_stopped = stop != 0 && !isnan(stop);
  return SRS_OK;
}

long srs_run_steps(const srs_run_work *w)
{
  const srs_scene_settings *settings = srs_scene_get_settings(w->scene);
  return lround(settings->duration / settings->sim.dt);
}

bool srs_run_looks(const srs_run_work *w)
{
  bool looks = w->plan->stop.text != NULL;
  for (int i = 0; i < w->plan->n_outcomes; i++) looks = looks || w->outcomes[i].n_figures > 0;
  return looks;
}

static srs_status simulate(srs_run_work *w, srs_error *error)
{
  const long n_steps = srs_run_steps(w);
  const bool looks = srs_run_looks(w);
  bool is_stopped = false;
  srs_status status = looks ? srs_run_look(w, &is_stopped, error) : SRS_OK;
  for (long done = 0; done < n_steps && status == SRS_OK && !is_stopped;) {
    long burst = looks ? w->plan->every : n_steps;
    if (burst > n_steps - done) burst = n_steps - done;
    status = srs_sim_step(w->sim, burst, error);
    done += burst;
    if (status == SRS_OK && looks) status = srs_run_look(w, &is_stopped, error);
  }
  return status == SRS_OK ? srs_run_fill(w, error) : status;
}

void srs_run_to_row(srs_run_work *w, srs_status status, const srs_error *error, srs_sweep_row *row)
{
  for (int i = 0; i < w->plan->n_outcomes; i++)
    row->outcomes[i] = status == SRS_OK ? srs_expression_value(&w->outcomes[i], w->values) : NAN;
  row->is_good = status == SRS_OK;
  if (!row->is_good) srs_error_format(error, row->message, sizeof row->message);
}

void srs_sweep_run(const srs_sweep_plan *plan, long run, srs_sweep_row *row)
{
  srs_run_work w = {.plan = plan};
  srs_error error = {0};
  *row = (srs_sweep_row){.run = run};
  srs_sweep_values(plan, run, row->values);
  srs_status status = srs_run_begin(&w, row->values, run, &error);
  if (status == SRS_OK) status = simulate(&w, &error);
  srs_run_to_row(&w, status, &error, row);
  srs_run_end(&w);
}

static srs_status check_run(srs_sweep_plan *plan, long run, srs_error *error)
{
  srs_run_work w = {.plan = plan};
  double values[SRS_SWEEP_VARIABLES];
  srs_sweep_values(plan, run, values);
  srs_status status = srs_run_begin(&w, values, run, error);
  if (status == SRS_OK)
    status = srs_describe_read_files(srs_sim_model(w.sim), plan->scene_file, &plan->arena, &plan->read_files);
  srs_run_end(&w);
  return status;
}

srs_status srs_sweep_check(srs_sweep_plan *plan, srs_error *error)
{
  srs_error reason = {0}, other;
  const srs_status status = check_run(plan, 0, &reason);
  bool is_good = status == SRS_OK;
  for (long i = 1; i < MOST_CHECKED && !is_good; i++) // the first run's own values may be what is wrong
    is_good = check_run(plan, (plan->n_runs - 1) * i / (MOST_CHECKED - 1), &other) == SRS_OK;
  // What the values of a run bring about is a row of the result; what no run can mend is said at once.
  if (is_good || (status != SRS_ERROR_SYNTAX && status != SRS_ERROR_NAME && status != SRS_ERROR_FILE)) return SRS_OK;
  if (error != NULL) *error = reason;
  return status;
}
