// Several runs of a sweep at a time: each has a scene and a sim of its own, whose states go through lanes together from
// one look at their columns to the next.
//
// Columns that tell of the last step (accelerations, efforts, wrenches, sensors) need the sim to have taken it: then it
// takes the last one before a look by itself.

#include "engine/sweep/sweep_lanes.h"
#include "engine/lanes/lanes.h"
#include "engine/sweep/run_work.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)SRS_SWEEP_LANES == (int)SRS_SIM_LANES, "runs are taken as many as there are lanes");

typedef struct group {
  int n;
  srs_run_work runs[SRS_SIM_LANES];
  bool has_begun[SRS_SIM_LANES], is_stopped[SRS_SIM_LANES], is_alone[SRS_SIM_LANES];
  srs_lanes *lanes;
} group;

// ---------------------------------------------------------------------------------------------------------------------
// Lanes of a group
// ---------------------------------------------------------------------------------------------------------------------

// A snapshot tells whether two sims differ in more than their states.
static srs_status load(srs_lanes *lanes, int lane, srs_sim *first, const srs_sim *sim, srs_error *error)
{
  const size_t size = srs_sim_snapshot_size(sim), own_size = srs_sim_snapshot_size(first);
  char *bytes = malloc(size + own_size);
  if (bytes == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for a run");
  srs_sim_snapshot_save(sim, bytes);
  srs_sim_snapshot_save(first, bytes + size);
  srs_status status = srs_sim_snapshot_restore(first, bytes, size, error);
  if (status == SRS_OK) {
    if (!srs_lanes_load(lanes, lane, first))
      status = srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, NULL, "other gains, or wrenches");
    (void)srs_sim_snapshot_restore(first, bytes + size, own_size, NULL); // its own
  }
  free(bytes);
  return status;
}

static srs_status make_lanes(const srs_run_work *run, srs_lanes **lanes, srs_error *error)
{
  *lanes = NULL;
  if (srs_sim_get_options(run->sim)->energy_balance)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, "energy_balance",
                    "lanes keep no balance of energy: ask for no column of energies, set energy_balance to false, or "
                    "take no lanes");
  return srs_lanes_create(run->sim, lanes, error);
}

static srs_status refuse_run(const srs_sweep_plan *plan, long run, const char *what, srs_error *error)
{
  return srs_fail(error, SRS_ERROR_UNSUPPORTED, plan->file, 0, 0, NULL,
                  "--lanes: run %ld has other parameters, options or gains than run 0%s%.60s: let values set the "
                  "initial state alone, or leave --lanes out",
                  run, what[0] != '\0' ? ", beginning with " : "", what);
}

// Whether a run differs from the first in its state alone. Runs that do not begin are rows with their message.
static srs_status check_run(const srs_run_work *first, srs_lanes *lanes, long run, srs_error *error)
{
  srs_run_work other = {.plan = first->plan};
  srs_error why = {0};
  double values[SRS_SWEEP_VARIABLES];
  srs_sweep_values(first->plan, run, values);
  srs_status status = srs_run_begin(&other, values, run, &why);
  const bool has_begun = status == SRS_OK;
  if (has_begun) status = load(lanes, 0, first->sim, other.sim, &why);
  srs_run_end(&other);
  if (!has_begun || status == SRS_OK) return SRS_OK;
  if (status != SRS_ERROR_MEMORY) return refuse_run(first->plan, run, why.subject, error);
  if (error != NULL) *error = why;
  return status;
}

srs_status srs_sweep_check_lanes(const srs_sweep_plan *plan, srs_error *error)
{
  srs_run_work first = {.plan = plan};
  srs_lanes *lanes = NULL;
  srs_error why = {0};
  double values[SRS_SWEEP_VARIABLES];
  srs_sweep_values(plan, 0, values);
  srs_status status = SRS_OK;
  if (srs_run_begin(&first, values, 0, &why) == SRS_OK) {
    status = make_lanes(&first, &lanes, &why);
    if (status == SRS_OK)
      status = check_run(&first, lanes, (plan->n_runs - 1) / 2, error);
    else
      status = srs_fail(error, status, plan->file, 0, 0, why.subject, "--lanes: %.280s", why.message);
    if (status == SRS_OK) status = check_run(&first, lanes, plan->n_runs - 1, error);
  }
  srs_lanes_destroy(lanes);
  srs_run_end(&first);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The runs
// ---------------------------------------------------------------------------------------------------------------------

// Whether a column that is asked for tells of the last step.
static bool needs_last_step(const srs_run_work *run)
{
  static const char *const of_the_state[] = {"energies", "poses", "twists"};
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++) {
    const char *key = srs_column_sources[i].key;
    bool is_of_state = key == NULL;
    for (size_t k = 0; k < sizeof of_the_state / sizeof *of_the_state && key != NULL; k++)
      is_of_state = is_of_state || strcmp(key, of_the_state[k]) == 0;
    if (run->is_used[i] && !is_of_state) return true;
  }
  return false;
}

static void leave(group *g, int lane)
{
  g->is_alone[lane] = true;
  srs_lanes_give_up(g->lanes, lane);
}

// Takes a lane's run to a look: its sim has the state, and takes the last step if it has to.
static void catch_up(group *g, int l, bool steps, bool looks, bool is_last)
{
  srs_run_work *run = &g->runs[l];
  srs_error error;
  if (!srs_lanes_is_carried(g->lanes, l)) {
    leave(g, l);
    return;
  }
  srs_lanes_store(g->lanes, l, run->sim);
  srs_status status = steps ? srs_sim_step(run->sim, 1, &error) : SRS_OK;
  if (status == SRS_OK && looks) status = srs_run_look(run, &g->is_stopped[l], &error);
  if (status == SRS_OK && (is_last || g->is_stopped[l])) status = srs_run_fill(run, &error);
  if (status != SRS_OK) leave(g, l);
  if (g->is_stopped[l]) srs_lanes_give_up(g->lanes, l);
  if (steps && status == SRS_OK && !is_last && !g->is_stopped[l] && !srs_lanes_load(g->lanes, l, run->sim)) leave(g, l);
}

static bool is_under_way(const group *g, int l) { return g->has_begun[l] && !g->is_alone[l] && !g->is_stopped[l]; }

static void simulate(group *g)
{
  const srs_run_work *first = &g->runs[0];
  const long n_steps = srs_run_steps(first), every = first->plan->every;
  const bool looks = srs_run_looks(first), steps = needs_last_step(first);
  srs_error error;
  for (int l = 0; l < g->n && looks; l++)
    if (is_under_way(g, l) && srs_run_look(&g->runs[l], &g->is_stopped[l], &error) != SRS_OK) leave(g, l);
  for (int l = 0; l < g->n; l++)
    if (g->is_stopped[l] || n_steps == 0) leave(g, l); // no steps to share
  for (long done = 0; done < n_steps;) {
    const long left = n_steps - done, burst = looks && every < left ? every : left;
    bool any = false;
    (void)srs_lanes_step(g->lanes, steps ? burst - 1 : burst);
    done += burst;
    for (int l = 0; l < g->n; l++) {
      if (is_under_way(g, l)) catch_up(g, l, steps, looks, done == n_steps);
      any = any || is_under_way(g, l);
    }
    if (!any) return;
  }
}

// Lanes of the first run's model and options, with all runs that have the same.
static bool begin(group *g)
{
  srs_error error;
  if (!g->has_begun[0] || make_lanes(&g->runs[0], &g->lanes, &error) != SRS_OK) return false;
  srs_sim *first = g->runs[0].sim;
  for (int l = 0; l < g->n; l++) {
    const bool fits = g->has_begun[l] && srs_run_steps(&g->runs[l]) == srs_run_steps(&g->runs[0]);
    if (!fits || load(g->lanes, l, first, g->runs[l].sim, &error) != SRS_OK) leave(g, l);
  }
  for (int l = g->n; l < SRS_SIM_LANES; l++) {
    srs_lanes_copy(g->lanes, 0, l);
    srs_lanes_give_up(g->lanes, l);
  }
  return true;
}

static void run_group(const srs_sweep_plan *plan, long first, int n, srs_sweep_row *rows)
{
  group *g = calloc(1, sizeof *g);
  if (g == NULL) {
    for (int l = 0; l < n; l++) srs_sweep_run(plan, first + l, &rows[l]);
    return;
  }
  g->n = n;
  for (int l = 0; l < n; l++) {
    srs_error error = {0};
    rows[l] = (srs_sweep_row){.run = first + l};
    g->runs[l].plan = plan;
    srs_sweep_values(plan, first + l, rows[l].values);
    g->has_begun[l] = srs_run_begin(&g->runs[l], rows[l].values, first + l, &error) == SRS_OK;
  }
  const bool has_lanes = begin(g);
  if (has_lanes) simulate(g);
  for (int l = 0; l < n; l++) {
    const bool is_whole = has_lanes && g->has_begun[l] && !g->is_alone[l];
    if (is_whole) srs_run_to_row(&g->runs[l], SRS_OK, NULL, &rows[l]);
    srs_run_end(&g->runs[l]);
    if (!is_whole) srs_sweep_run(plan, first + l, &rows[l]);
  }
  srs_lanes_destroy(g->lanes);
  free(g);
}

void srs_sweep_runs(const srs_sweep_plan *plan, long first, int n, srs_sweep_row *rows)
{
  if (plan->in_lanes)
    run_group(plan, first, n, rows);
  else
    for (int l = 0; l < n; l++) srs_sweep_run(plan, first + l, &rows[l]);
}
