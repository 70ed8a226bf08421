// Accelerations of several runs, their velocity terms at the mean of a step's velocities: the iteration of
// engine/step/mean_velocity.c, whose equations these are, for each tree of each lane.
//
// All lanes are solved at a time, from the acceleration of the last step. Where that was no good guess, guesses are
// made lane by lane, and solved at a time again (forces alone: P stays); trees that are right keep what they have.

#include "engine/batch/solve.h"
#include "engine/lanes/lanes.h"
#include "engine/lanes/memory.h"

#include <math.h>
#include <string.h>

// v + h/2 a
SRS_KERNEL static void place_mean(const srs_lanes *w)
{
  const lanes *v = w->batch->v;
  const double half = 0.5 * w->sim.options->dt;
  for (int i = 0; i < w->sim.model->nv; i++) w->mean_v[i] = v[i] + half * w->guess[i];
}

// ---------------------------------------------------------------------------------------------------------------------
// Which are right
// ---------------------------------------------------------------------------------------------------------------------

typedef struct lane_squares {
  lanes residual, a, v, largest_v;
} lane_squares;

SRS_KERNEL static void add_squares(const srs_lanes *w, const lane_tree *t, lane_squares *out)
{
  lanes residual = {0}, whole = {0}, rate = {0}, largest = {0};
  for (int i = t->v; i < t->v + t->nv; i++) {
    const lanes a = w->batch->a[i], r = a - w->guess[i], v = w->mean_v[i], size = lanes_choose(v < 0, -v, v);
    residual += r * r, whole += a * a, rate += v * v;
    largest = lanes_choose(size > largest, size, largest);
  }
  out->residual = residual, out->a = whole, out->v = rate, out->largest_v = largest;
}

SRS_KERNEL static void find_fastest(const srs_lanes *w, const lane_tree *t, lanes *out)
{
  lanes most = {0};
  for (int k = t->first; k < t->end; k++) {
    const wide3 spin = wide_load3(&w->batch->links[k].w);
    const lanes square = wide_dot(spin, spin);
    most = lanes_choose(square > most, square, most);
  }
  *out = most;
}

// Judges the lanes of a tree that are not right yet.  @return whether there are any left
static bool judge(srs_lanes *w, int tree)
{
  const lane_tree *t = &w->trees[tree];
  lane_squares sums;
  lanes fastest = {0};
  bool knows_fastest = false, any = false;
  add_squares(w, t, &sums);
  for (int l = 0; l < LANES; l++) {
    lane_progress *p = &w->progress[tree * LANES + l];
    if (!p->is_wrong) continue;
    const srs_mean_tree of = {w->sim.options->dt, t->nv, t->end - t->first == 1, w->is_known[tree * LANES + l]};
    const srs_mean_squares own = {sums.residual[l], sums.a[l], sums.v[l]};
    p->is_wrong = !srs_mean_is_right_by_bound(&of, &own);
    if (!p->is_wrong) continue;
    if (!knows_fastest) find_fastest(w, t, &fastest);
    knows_fastest = true;
    p->is_wrong = !srs_mean_is_right(&of, &own, sqrt(fastest[l]), sums.largest_v[l]);
    p->iteration.size = sqrt(own.residual);
    any = any || p->is_wrong;
  }
  return any;
}

// ---------------------------------------------------------------------------------------------------------------------
// Guesses
// ---------------------------------------------------------------------------------------------------------------------

static void read_lane(const lanes *from, int v, int nv, int lane, double *to)
{
  for (int i = v; i < v + nv; i++) to[i] = from[i][lane];
}

// A lane whose iteration does not converge is given up.
static void improve(srs_lanes *w, int tree, int lane, bool is_first)
{
  const lane_tree *t = &w->trees[tree];
  lane_progress *p = &w->progress[tree * LANES + lane];
  srs_mean_velocity *memory = &w->memory[lane];
  if (is_first) {
    read_lane(w->guess, t->v, t->nv, lane, w->row);
    p->iteration = srs_mean_iteration_start(memory, t->v, t->nv, w->row, p->iteration.size);
  }
  read_lane(w->batch->a, t->v, t->nv, lane, w->row);
  if (srs_mean_improve_guess(memory, t->v, t->nv, w->row, &p->iteration)) {
    for (int i = t->v; i < t->v + t->nv; i++) w->guess[i][lane] = memory->guess[i];
  } else {
    w->is_lost[lane] = true;
    p->is_wrong = false;
  }
}

// Trees that were right keep their accelerations.
static void keep_right_ones(srs_lanes *w)
{
  for (int tree = 0; tree < w->n_trees; tree++) {
    const lane_tree *t = &w->trees[tree];
    lane_mask was_wrong;
    for (int l = 0; l < LANES; l++) was_wrong[l] = w->progress[tree * LANES + l].is_wrong ? -1 : 0;
    for (int i = t->v; i < t->v + t->nv; i++) w->batch->a[i] = lanes_choose(was_wrong, w->batch->a[i], w->kept[i]);
  }
}

static bool judge_all(srs_lanes *w)
{
  bool any = false;
  for (int tree = 0; tree < w->n_trees; tree++) any = judge(w, tree) || any;
  return any;
}

static void iterate(srs_lanes *w)
{
  const size_t bytes = (size_t)w->sim.model->nv * sizeof *w->kept;
  for (bool is_first = true;; is_first = false) {
    bool any = false;
    for (int i = 0; i < w->n_trees * LANES; i++) {
      if (w->progress[i].is_wrong) improve(w, i / LANES, i % LANES, is_first);
      any = any || w->progress[i].is_wrong;
    }
    if (!any) return;
    memcpy(w->kept, w->batch->a, bytes);
    place_mean(w);
    srs_batch_solve_again(w->batch, w->mean_v);
    keep_right_ones(w);
    if (!judge_all(w)) return;
  }
}

void srs_lanes_accelerate(srs_lanes *w)
{
  const lanes *v = w->batch->v;
  if (w->sim.takes_mean) place_mean(w), v = w->mean_v;
  const unsigned singular = srs_batch_solve(w->batch, v, w->damped);
  for (int l = 0; l < LANES; l++) w->is_lost[l] = w->is_lost[l] || (singular >> l & 1U) != 0;
  if (!w->sim.takes_mean) return;
  for (int i = 0; i < w->n_trees * LANES; i++) w->progress[i].is_wrong = !w->is_lost[i % LANES];
  if (judge_all(w)) iterate(w);
  memcpy(w->guess, w->batch->a, (size_t)w->sim.model->nv * sizeof *w->guess); // the next step starts from there
  for (int i = 0; i < w->n_trees * LANES; i++) w->is_known[i] = true;
}
