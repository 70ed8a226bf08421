// Which of a large relaxed problem's weights push, and what do these answer?
//
// With the set of those that push known, z_k > 0 and d_k . (W x + b) = 0 in it, z_k = 0 outside: equations, of which
// W's null space leaves the weights open. They are solved by proximal steps, which stay near the interior point's
//
//   (D^T W D + r) dz = -d . w      over the set, r small: what a step leaves is the next one's
//
// all with one factor. Then those leave the set whose weight is negative, and those join whose d_k . w is; a few times.
// An answer counts only if it is better than any before. Box rows are in the set while they are between their bounds.
#include "contact/interior_step.h"

#include <math.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>

static const double let_go = 1e16; // s of those that are not in the set

static bool is_box(const srs_interior *s, int node) { return s->kind[node] == SRS_INTERIOR_BOX; }

static int box_of(const srs_interior *s, int node) { return node - (s->n_nodes - s->problem->n_box); }

static double *row_of(const srs_interior *s, int node) { return &s->x[s->kept[s->pattern.first[node]]]; }

// z > y, as the interior point has them; of a bound at infinity both are 0. The others' weights are 0 from now on.
static void guess(srs_interior *s)
{
  for (int k = 0; k < s->n_directions; k++) {
    s->pushes[k] = s->z[k] > s->y[k] || !(s->y[k] > 0);
    s->weight[k] = s->pushes[k] ? s->z[k] : 0;
  }
}

// Whether a box row is between its bounds; else it is put at the one that holds it.
static bool is_between(srs_interior *s, int node)
{
  const int k = s->first_direction[node];
  if (s->pushes[k] && s->pushes[k + 1]) return true;
  *row_of(s, node) = s->pushes[k] ? s->upper[box_of(s, node)] : s->lower[box_of(s, node)];
  return false;
}

// z and y such that steps keep to the set.
static void hold(srs_interior *s, double held)
{
  const double root = sqrt(held), far = sqrt(let_go);
  for (int node = 0; node < s->n_nodes; node++) {
    if (srs_interior_size(s, node) == 0) continue;
    const bool moves = is_box(s, node) && is_between(s, node);
    for (int k = s->first_direction[node]; k < s->first_direction[node + 1]; k++) {
      const bool is_in = is_box(s, node) ? moves : s->pushes[k];
      s->z[k] = is_in ? 1 / root : 1 / far;
      s->y[k] = is_in ? root : far;
    }
  }
}

// x and w of the weights.
static void add_up(srs_interior *s)
{
  memcpy(s->dz, s->z, sizeof *s->z * (size_t)s->n_directions);
  memcpy(s->z, s->weight, sizeof *s->z * (size_t)s->n_directions);
  srs_interior_add_up(s);
  memcpy(s->z, s->dz, sizeof *s->z * (size_t)s->n_directions);
}

// How far the set's equations are from being solved; only they drive the step.
static double set_shifts(srs_interior *s)
{
  double most = 0;
  for (int node = 0; node < s->n_nodes; node++) {
    if (srs_interior_size(s, node) == 0) continue;
    const int k = s->first_direction[node];
    const double w = s->w[s->kept[s->pattern.first[node]]];
    if (s->kind[node] == SRS_INTERIOR_FREE) most = fmax(most, fabs(w));
    if (is_box(s, node)) {
      const bool moves = s->pushes[k] && s->pushes[k + 1];
      s->shift[k] = 0, s->shift[k + 1] = moves ? 0 : w;
      if (moves) most = fmax(most, fabs(w));
      continue;
    }
    for (int i = k; i < s->first_direction[node + 1]; i++) {
      s->shift[i] = s->pushes[i] ? 0 : -s->slope[i];
      if (s->pushes[i]) most = fmax(most, fabs(s->slope[i]));
    }
  }
  return most;
}

static void move(srs_interior *s)
{
  for (int node = 0; node < s->n_nodes; node++) {
    if (srs_interior_size(s, node) == 0) continue;
    const int k = s->first_direction[node];
    if (s->kind[node] == SRS_INTERIOR_FREE || (is_box(s, node) && s->pushes[k] && s->pushes[k + 1]))
      *row_of(s, node) += s->dx[s->pattern.first[node]];
    for (int i = k; i < s->first_direction[node + 1] && !is_box(s, node); i++)
      if (s->pushes[i]) s->weight[i] += s->dz[i];
  }
}

// Those that leave the set, and those that join it; returns how many.
static int change_set(srs_interior *s)
{
  int changes = 0;
  for (int node = 0; node < s->n_nodes; node++) {
    if (srs_interior_size(s, node) == 0) continue;
    const int first = s->first_direction[node];
    if (is_box(s, node)) {
      const int box = box_of(s, node);
      const double x = *row_of(s, node), w = s->w[s->kept[s->pattern.first[node]]];
      const bool is_above = s->pushes[first] ? x > s->lower[box] : w < 0;
      const bool is_below = s->pushes[first + 1] ? x < s->upper[box] : w > 0;
      changes += (is_above != s->pushes[first]) + (is_below != s->pushes[first + 1]);
      s->pushes[first] = is_above || !is_below, s->pushes[first + 1] = is_below;
      continue;
    }
    for (int k = first; k < s->first_direction[node + 1]; k++) {
      const bool is_in = s->pushes[k] ? s->weight[k] > 0 : s->slope[k] < 0;
      changes += is_in != s->pushes[k];
      s->pushes[k] = is_in;
      if (!is_in) s->weight[k] = 0;
    }
  }
  return changes;
}

// The natural map here; `best` is replaced if this is less than any before.
static double judge(srs_interior *s, double *residual)
{
  const double here = srs_interior_natural_map(s, NULL);
  if (here < *residual) {
    *residual = here;
    memcpy(s->best, s->x, sizeof *s->best * (size_t)s->n_rows);
  }
  return here;
}

static void set_aside(srs_interior *s)
{
  memcpy(s->old_z, s->z, sizeof *s->z * (size_t)s->n_directions);
  memcpy(s->old_y, s->y, sizeof *s->y * (size_t)s->n_directions);
  memcpy(s->old_x, s->x, sizeof *s->x * (size_t)s->n_rows);
}

static void take_back(srs_interior *s)
{
  memcpy(s->z, s->old_z, sizeof *s->z * (size_t)s->n_directions);
  memcpy(s->y, s->old_y, sizeof *s->y * (size_t)s->n_directions);
  memcpy(s->x, s->old_x, sizeof *s->x * (size_t)s->n_rows);
  srs_interior_add_up(s);
}

bool srs_interior_finish(srs_interior *s, double goal, int *iterations, double *residual)
{
  enum { ROUNDS = 12, STEPS = 6 };
  set_aside(s);
  guess(s);
  if (getenv("HOLD")) s->hold_factor = atof(getenv("HOLD")); else s->hold_factor = 0.01;
  double here = *residual;
  for (int round = 0; round < ROUNDS; round++) {
    const double held = fmax(1e-12, fmin(1e-4, s->hold_factor * here));
    hold(s, held);
    if (!srs_interior_factor(s)) return false;
    ++*iterations;
    double last = INFINITY;
    for (int step = 0; step <= STEPS; step++) {
      add_up(s);
      here = judge(s, residual);
      const double left = set_shifts(s);
      if (getenv("DEBUG_W")) fprintf(stderr, "  round %d step %d: left %g map %g\n", round, step, left, srs_interior_natural_map(s, NULL));
      if (*residual <= goal || step == STEPS || !(left < 0.5 * last) || left < 0.01 * goal) break;
      last = left;
      srs_interior_step(s);
      move(s);
    }
    if (*residual <= goal || change_set(s) == 0) break;
  }
  take_back(s);
  return true;
}
