// Convex relaxation of a large problem, by a primal-dual interior point.
//
//   min x . W x / 2 + b . x      x = sum z_k d_k, z >= 0, at each contact (contact/iterate/relaxation.h); free and box
//   rows too
//
// with Mehrotra's predictor and corrector: y_k = d_k . (W x + b) >= 0 and z_k y_k = t for t towards 0
// (contact/large/interior_step.c computes the steps). Where z and y both vanish it is slow, and rounding may end it;
// then proximal points finish (contact/large/interior_finish.c).
#include "contact/large/interior_point.h"
#include "contact/large/interior_step.h"
#include "contact/large/interior_sums.h"

#include <math.h>
#include <string.h>

static const double start_weights[] = {0.1, 10, 1e-3}; // z and y at the start: usually the first
static const double near = 1e-6;                       // natural map below which the finish is tried
static const double towards_edge = 0.995;              // of the way to the nearest bound

// How far z and y can go.
static double room_of(const srs_interior *s)
{
  double room = 1 / towards_edge;
  for (int k = 0; k < s->n_directions; k++) {
    if (s->dz[k] < 0) room = fmin(room, -s->z[k] / s->dz[k]);
    if (s->dy[k] < 0) room = fmin(room, -s->y[k] / s->dy[k]);
  }
  return room;
}

// The mean of z y, `length` along the step.
static double mean_product(const srs_interior *s, double length)
{
  double sum = 0;
  int n = 0;
  for (int k = 0; k < s->n_directions; k++) {
    if (!(s->y[k] > 0)) continue;
    sum += (s->z[k] + length * s->dz[k]) * (s->y[k] + length * s->dy[k]);
    n++;
  }
  return n > 0 ? sum / n : 0;
}

static void move(srs_interior *s, double length)
{
  for (int k = 0; k < s->n_directions; k++) s->z[k] += length * s->dz[k], s->y[k] += length * s->dy[k];
  for (int node = 0; node < s->n_nodes; node++) {
    const int k = s->first_direction[node], first = s->pattern.first[node],
              box = node - (s->n_nodes - s->problem->n_box);
    if (s->kind[node] == SRS_INTERIOR_CONE || srs_interior_size(s, node) == 0) continue;
    double *x = &s->x[s->kept[first]];
    *x += length * s->dx[first];
    if (s->kind[node] != SRS_INTERIOR_BOX) continue;
    if (s->y[k] > 0 && (!(s->y[k + 1] > 0) || s->z[k] < s->z[k + 1]))
      *x = s->lower[box] + s->z[k];
    else if (s->y[k + 1] > 0)
      *x = s->upper[box] - s->z[k + 1];
  }
}

// Mehrotra's two steps.
static bool iterate(srs_interior *s)
{
  if (!srs_interior_factor(s)) return false;
  memset(s->shift, 0, sizeof *s->shift * (size_t)s->n_directions);
  const double mean = mean_product(s, 0);
  srs_interior_step(s);
  const double there = mean_product(s, fmin(1, room_of(s))), share = mean > 0 ? there / mean : 0;
  const double target = share * share * mean;
  for (int k = 0; k < s->n_directions; k++) s->shift[k] = s->y[k] > 0 ? (s->dz[k] * s->dy[k] - target) / s->z[k] : 0;
  srs_interior_step(s);
  move(s, fmin(1, towards_edge * room_of(s)));
  return true;
}

static void begin_box(srs_interior *s, int node, double weight)
{
  const int k = s->first_direction[node], box = node - (s->n_nodes - s->problem->n_box);
  const double lower = s->lower[box], upper = s->upper[box];
  const bool has_lower = isfinite(lower), has_upper = isfinite(upper);
  const double inside = has_lower ? lower + weight : has_upper ? upper - weight : 0;
  const double x = has_lower && has_upper ? 0.5 * (lower + upper) : inside;
  s->x[s->kept[s->pattern.first[node]]] = x;
  s->z[k] = has_lower ? x - lower : 1, s->y[k] = has_lower ? weight : 0;
  s->z[k + 1] = has_upper ? upper - x : 1, s->y[k + 1] = has_upper ? weight : 0;
}

static void begin(srs_interior *s, double weight)
{
  memset(s->x, 0, sizeof *s->x * (size_t)s->n_rows);
  for (int k = 0; k < s->n_directions; k++) s->z[k] = s->y[k] = weight, s->dz[k] = s->dy[k] = 0;
  for (int node = 0; node < s->n_nodes; node++)
    if (s->kind[node] == SRS_INTERIOR_BOX && srs_interior_size(s, node) > 0) begin_box(s, node, weight);
}

// From z = y = weight. `best` and its natural map, `residual`, are replaced by better ones only.
static bool descend(srs_interior *s, double weight, double goal, int max_iterations, int *iterations, double *residual)
{
  enum { PATIENCE = 40 };
  double mark = INFINITY, last = INFINITY, tried = INFINITY;
  int idle = 0, slow = 0;
  begin(s, weight);
  for (int i = 0; i <= max_iterations && idle < PATIENCE; i++, idle++) {
    srs_interior_add_up(s);
    const double here = srs_interior_natural_map(s, NULL);
    if (here < 0.5 * mark) mark = here, idle = 0;
    if (here < *residual) {
      *residual = here;
      memcpy(s->best, s->x, sizeof *s->best * (size_t)s->n_rows);
    }
    if (*residual <= goal || i == max_iterations || !(here < INFINITY)) break;
    slow = here > 0.9 * last ? slow + 1 : 0;
    if (here < 0.1 * tried && ((here < near && here > 0.3 * last) || slow == 5)) {
      tried = here;
      if (!srs_interior_finish(s, goal, iterations, residual)) return false;
      if (*residual <= goal) break;
    }
    last = here;
    if (!srs_spend(s->left, s->work)) break;
    if (!iterate(s)) return false;
    ++*iterations;
  }
  return *residual <= goal || srs_interior_finish(s, goal, iterations, residual);
}

double srs_interior_minimise(srs_interior *s, double goal, int max_iterations, int *iterations)
{
  double residual = INFINITY;
  memset(s->best, 0, sizeof *s->best * (size_t)s->n_rows);
  for (size_t i = 0; i < sizeof start_weights / sizeof *start_weights && residual > goal; i++)
    if (!descend(s, start_weights[i], goal, max_iterations, iterations, &residual)) return -1;
  return residual;
}

double srs_interior_map(srs_interior *s, const double *ahead)
{
  memcpy(s->x, s->best, sizeof *s->x * (size_t)s->n_rows);
  srs_interior_velocities(s);
  const bool is_relaxed = s->polyhedron.is_relaxed;
  s->polyhedron.is_relaxed = false;
  const double residual = srs_interior_natural_map(s, ahead);
  s->polyhedron.is_relaxed = is_relaxed;
  return residual;
}
