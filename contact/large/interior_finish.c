// The last digits of an interior point: proximal points from its weights to rounding level.
//
// c <- argmin over z >= 0 of q(z) + r |z - c|^2 / 2, with q the objective; this works whatever the null space of W and
// however many weights are free. With W = L L^T and v the change of velocities that is
//
//   v = L^T D p_+(v)      p_k = c_k - d_k . (L v + b) / r
//
// the stationarity condition of a convex, piecewise quadratic function of v. Newton's step on the current piece is an
// interior point's with s = r where p > 0 and infinite s elsewhere; a line search along it keeps the pieces from
// cycling. The difference of v and p_+ is kept as separate weights z with v = L^T D z. Box rows clamp p at both bounds,
// free rows at none.
#include "contact/large/interior_point.h"
#include "contact/large/interior_step.h"
#include "contact/large/interior_sums.h"

#include <math.h>
#include <string.h>

static const double let_go = 1e16;                       // s of inactive directions
static const double least_hold = 1e-9, most_hold = 1e-2; // r

typedef struct finish {
  srs_interior *s;
  double r;
  double left; // largest residual of the piece's equations
  int changes; // directions that changed their piece in the last step
} finish;

static int box_of(const srs_interior *s, int node) { return node - (s->n_nodes - s->problem->n_box); }

static int row_of(const srs_interior *s, int node) { return s->kept[s->pattern.first[node]]; }

static double wanted_of(const finish *f, int row, double w) { return f->s->centre_x[row] - w / f->r; }

static double wanted_of_box(const finish *f, int node, int row, double w)
{
  const int box = box_of(f->s, node);
  return fmin(fmax(wanted_of(f, row, w), f->s->lower[box]), f->s->upper[box]);
}

// ---- a piece ----

static void set_direction(finish *f, int k)
{
  srs_interior *s = f->s;
  const double p = s->centre[k] - s->slope[k] / f->r;
  const bool pushes = p > 0;
  const double ratio = pushes ? f->r : let_go, off = ratio * ((pushes ? p : 0) - s->weight[k]);
  f->changes += pushes != s->pushes[k];
  if (pushes) f->left = fmax(f->left, fabs(off));
  s->pushes[k] = pushes;
  s->z[k] = 1 / sqrt(ratio), s->y[k] = sqrt(ratio);
  s->shift[k] = -s->slope[k] - off;
}

static void set_row(finish *f, int node)
{
  srs_interior *s = f->s;
  const int row = row_of(s, node), k = s->first_direction[node];
  const double w = s->w[row], p = wanted_of(f, row, w);
  if (s->kind[node] == SRS_INTERIOR_FREE) {
    const double off = f->r * (p - s->x[row]);
    s->free_shift[s->pattern.first[node]] = w + off;
    f->left = fmax(f->left, fabs(off));
    return;
  }
  const double wanted = wanted_of_box(f, node, row, w), ratio = wanted == p ? f->r : let_go;
  const double off = ratio * (wanted - s->x[row]);
  f->changes += (wanted == p) != s->pushes[k];
  if (wanted == p) f->left = fmax(f->left, fabs(off));
  s->pushes[k] = wanted == p;
  s->z[k] = 1 / sqrt(ratio), s->y[k] = sqrt(ratio);
  s->z[k + 1] = 1, s->y[k + 1] = 0;
  s->shift[k] = 0, s->shift[k + 1] = w + off;
}

// Determines the current piece and its equations.
static void set_piece(finish *f)
{
  const srs_interior *s = f->s;
  f->changes = 0, f->left = 0;
  for (int node = 0; node < s->n_nodes; node++) {
    if (srs_interior_size(s, node) == 0) continue;
    if (s->kind[node] != SRS_INTERIOR_CONE) {
      set_row(f, node);
      continue;
    }
    for (int k = s->first_direction[node]; k < s->first_direction[node + 1]; k++) set_direction(f, k);
  }
}

// ---- along a step ----

// The derivative of the objective a fraction `part` along the step; dy: the change of the slopes by W dx.
static double derivative(const finish *f, double part)
{
  const srs_interior *s = f->s;
  double sum = 0;
  for (int i = 0; i < s->pattern.n; i++) {
    const int row = s->kept[i];
    sum += s->dx[i] * (s->w[row] - s->b[row] + part * s->v[i]);
  }
  for (int node = 0; node < s->n_nodes; node++) {
    const int first = s->pattern.first[node];
    if (srs_interior_size(s, node) == 0) continue;
    if (s->kind[node] == SRS_INTERIOR_CONE) {
      for (int k = s->first_direction[node]; k < s->first_direction[node + 1]; k++)
        sum -= s->dy[k] * fmax(0, s->centre[k] - (s->slope[k] + part * s->dy[k]) / f->r);
      continue;
    }
    const int row = s->kept[first];
    const double w = s->w[row] + part * s->v[first];
    sum -= s->v[first] * (s->kind[node] == SRS_INTERIOR_FREE ? wanted_of(f, row, w) : wanted_of_box(f, node, row, w));
  }
  return sum;
}

static double find_length(const finish *f)
{
  const srs_interior *s = f->s;
  for (int node = 0; node < s->n_nodes; node++)
    for (int k = s->first_direction[node]; k < s->first_direction[node + 1]; k++)
      s->dy[k] = srs_interior_product(srs_interior_size(s, node), s->direction + (size_t)SRS_NODE_MOST * (size_t)k,
                                      s->v + s->pattern.first[node]);
  const double begin = derivative(f, 0), end = derivative(f, 1);
  double from = 0, to = 1;
  if (!(begin < 0) || end <= -1e-3 * begin) return 1;
  for (int i = 0; i < 12; i++) {
    const double middle = 0.5 * (from + to), here = derivative(f, middle);
    if (fabs(here) <= -1e-2 * begin) return middle;
    if (here < 0)
      from = middle;
    else
      to = middle;
  }
  return from > 0 ? from : to;
}

static void move(const finish *f, double length)
{
  const srs_interior *s = f->s;
  for (int k = 0; k < s->n_directions; k++) s->weight[k] += length * s->dz[k];
  for (int node = 0; node < s->n_nodes; node++)
    if (srs_interior_size(s, node) > 0 && s->kind[node] != SRS_INTERIOR_CONE)
      s->x[row_of(s, node)] += length * s->dx[s->pattern.first[node]];
}

// ---- from centre to centre ----

// x, w and slopes of the weights.
static void add_up(srs_interior *s)
{
  double *z = s->z;
  s->z = s->weight;
  srs_interior_add_up(s);
  s->z = z;
}

static void set_aside(srs_interior *s)
{
  const size_t directions = (size_t)s->n_directions;
  memcpy(s->old_z, s->z, sizeof *s->z * directions);
  memcpy(s->old_y, s->y, sizeof *s->y * directions);
  memcpy(s->old_x, s->x, sizeof *s->x * (size_t)s->n_rows);
  memcpy(s->weight, s->z, sizeof *s->z * directions);
  memset(s->pushes, 0, sizeof *s->pushes * directions);
  memset(s->free_shift, 0, sizeof *s->free_shift * (size_t)s->n_rows);
}

static void take_back(srs_interior *s)
{
  memcpy(s->z, s->old_z, sizeof *s->z * (size_t)s->n_directions);
  memcpy(s->y, s->old_y, sizeof *s->y * (size_t)s->n_directions);
  memcpy(s->x, s->old_x, sizeof *s->x * (size_t)s->n_rows);
  memset(s->free_shift, 0, sizeof *s->free_shift * (size_t)s->n_rows);
  s->free_part = 0;
  srs_interior_add_up(s);
}

static void centre(srs_interior *s)
{
  for (int k = 0; k < s->n_directions; k++) s->centre[k] = fmax(0, s->weight[k]);
  memcpy(s->centre_x, s->x, sizeof *s->x * (size_t)s->n_rows);
}

// The natural map here; `best` is replaced if this is less than any before.
static double keep_if_best(srs_interior *s, double *residual)
{
  const double here = srs_interior_natural_map(s, NULL);
  if (here < *residual) {
    *residual = here;
    memcpy(s->best, s->x, sizeof *s->best * (size_t)s->n_rows);
  }
  return here;
}

bool srs_interior_finish(srs_interior *s, double goal, int *iterations, double *residual)
{
  enum { STEPS = 30 };
  finish f = {.s = s, .r = fmax(least_hold, fmin(most_hold, 10 * *residual))};
  bool has_room = true;
  set_aside(s);
  add_up(s);
  centre(s);
  for (int step = 0; step < STEPS && has_room && srs_spend(s->left, s->work); step++) {
    set_piece(&f);
    if (f.left <= 0.1 * goal && step > 0) { // solved, about this centre
      centre(s);
      f.r = fmax(least_hold, 0.1 * f.r);
      set_piece(&f);
    }
    s->free_part = f.r;
    has_room = srs_interior_factor(s);
    if (!has_room) break;
    ++*iterations;
    srs_interior_step(s);
    const double length = find_length(&f);
    move(&f, length);
    add_up(s);
    keep_if_best(s, residual);
    if (*residual <= goal) break;
  }
  take_back(s);
  return has_room;
}
