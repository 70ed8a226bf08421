// Velocities at which fewer rows rest than determine them.
//
// In a vertex's dictionary w = w_0 + T y, u = u_0 + U y (contact/refine/vertices.c) let some y, drawn, be free, y_R;
// the rows of the others, K, rest. That is a face of the polyhedron of velocities. An answer in it has
//
//   f = x_K + T_t^T x_t - U^T u = 0    x_t = -mu x_K w_t / |w_t|    w_t = w_0t + T_tR y_R    u = u_0 + U_R y_R
//
// with an equation for each y, x_K only in those of K: as many as unknowns x_K and y_R. They are found by Newton's
// method, which knows velocities and impulses apart, whatever their sizes,
//
//   df_j / dx_i = (i = j) - mu T_ti,j . t    df_j / dy_r = -sum_i mu x_i T_ti,j . (1 - t t^T) T_ti,r / |w_t| - U_j .
//   U_r
//
// from y_R drawn inside the face and the x_K that solve the equations of K there. The answer must be in the face too,
// and x_K >= 0.
#include "contact/refine/faces.h"
#include "contact/algebra/dense.h"
#include "contact/algebra/random.h"

#include <string.h>

static const double least_slope = 1e-7, sinks = -1e-13; // of T; of velocities
static const double exact = 1e-13;                      // over the largest impulse
static const double inside = 0.95;                      // of the way out of the face
static const double spread = 2.5;                       // logarithm of distances drawn
enum { MOST_STEPS = 20, HALVINGS = 6 };

typedef struct face {
  const srs_vertices *v;
  double *A, *right, *q; // the matrix; f; x_K and y_R
  double *start, *step;  // of a step
  bool *is_free;         // of each column: y_R
  int n, stride;
} face;

static double random_of(const face *f) { return 0.5 * (srs_random(f->v->resting->state) + 1); }

static const double *row_of(const srs_vertices *v, int row) { return v->T + (size_t)row * v->wide; }

// Columns that no row decides, and some others; of these one at least is kept.
static void draw_free(const face *f)
{
  const int touching = f->v->touching;
  const int least = touching == f->n; // a face, not the vertex
  int count = least;
  if (random_of(f) < 0.5)
    count += (int)(random_of(f) * (touching - least));
  else
    while (count < touching - 1 && random_of(f) < 0.5) count++;
  for (int j = 0; j < f->n; j++) f->is_free[j] = j >= touching;
  for (int k = 0; k < count; k++) {
    int j = (int)(random_of(f) * touching);
    while (j >= touching || f->is_free[j]) j = j + 1 < touching ? j + 1 : 0;
    f->is_free[j] = true;
  }
}

// How far from the vertex along a direction the face ends.
static double room_of(const face *f, const double *direction)
{
  const srs_vertices *v = f->v;
  const srs_cone_problem *p = v->resting->problem;
  double most = INFINITY;
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int i = srs_resting_first(p, node);
    if (v->state[node] != SRS_VERTEX_APART) continue;
    const double slope = -srs_dot(f->n, row_of(v, i), direction), here = fmax(v->value[i], 0);
    if (slope > least_slope && here < most * slope) most = here / slope;
  }
  return most;
}

// y_R from the vertex along a drawn direction: any part of the way, or by what velocities are at least.
static bool draw_point(const face *f)
{
  const srs_resting *s = f->v->resting;
  for (int j = 0; j < f->n; j++) f->q[j] = f->is_free[j] ? -log(1 - random_of(f)) : 0;
  for (int j = f->v->touching; j < f->n; j++) f->q[j] *= random_of(f) < 0.5 ? -1 : 1;
  const double most = room_of(f, f->q), drawn = s->slip * exp(spread * srs_random(s->state));
  if (!(most > 0)) return false;
  const double part = most < INFINITY && random_of(f) < 0.5 ? inside * random_of(f) * most : fmin(drawn, inside * most);
  for (int j = 0; j < f->n; j++) f->q[j] *= part;
  return true;
}

// The slip of a node at y_R: its length, and t.
static double slip_of(const face *f, int row, int d, double *t)
{
  for (int e = 0; e < d; e++) {
    const double *own = row_of(f->v, row + e);
    t[e] = f->v->value[row + e];
    for (int j = 0; j < f->n; j++)
      if (f->is_free[j]) t[e] += own[j] * f->q[j];
  }
  const double length = srs_length(d, t);
  for (int e = 0; e < d && length > 0; e++) t[e] /= length;
  return length;
}

// f's part of impulses of a node that rests and slides, and its derivatives.
static void add_node(const face *f, int column, bool with_velocities)
{
  const srs_vertices *v = f->v;
  const srs_cone_problem *p = v->resting->problem;
  const int node = (int)v->node[column], row = srs_resting_first(p, node) + 1, d = srs_resting_tangents(p, node);
  double t[SRS_CONTACT_TANGENTS_MOST], across[SRS_CONTACT_TANGENTS_MOST];
  const double slip = slip_of(f, row, d, t), x = f->q[column];
  f->A[(size_t)column * (size_t)(f->stride + 1)] += 1;
  f->right[column] += x;
  if (d == 0 || !(slip > srs_resting_zero)) return;
  const double mu = p->friction[node];
  for (int j = 0; j < f->n; j++) {
    double along = 0;
    for (int e = 0; e < d; e++) along += row_of(v, row + e)[j] * t[e];
    f->A[(size_t)j * (size_t)f->stride + (size_t)column] -= mu * along;
    f->right[j] -= mu * x * along;
  }
  for (int r = 0; r < f->n && with_velocities; r++) {
    if (!f->is_free[r]) continue;
    double along = 0;
    for (int e = 0; e < d; e++) along += row_of(v, row + e)[r] * t[e];
    for (int e = 0; e < d; e++) across[e] = mu * x / slip * (row_of(v, row + e)[r] - along * t[e]);
    for (int j = 0; j < f->n; j++)
      for (int e = 0; e < d; e++) f->A[(size_t)j * (size_t)f->stride + (size_t)r] -= row_of(v, row + e)[j] * across[e];
  }
}

// f, and its derivatives by x_K, by y_R too where asked for.
static void form(const face *f, bool with_velocities)
{
  const srs_vertices *v = f->v;
  const int n_rows = v->resting->problem->n, rank = v->resting->rank;
  memset(f->A, 0, sizeof *f->A * (size_t)f->n * (size_t)f->stride);
  memset(f->right, 0, sizeof *f->right * (size_t)f->stride);
  for (int k = 0; k < rank; k++) {
    const double *U = v->U + (size_t)k * v->wide;
    double u = v->value[n_rows + k];
    for (int r = 0; r < f->n; r++)
      if (f->is_free[r]) u += U[r] * f->q[r];
    for (int j = 0; j < f->n; j++) {
      f->right[j] -= U[j] * u;
      for (int r = 0; r < f->n && with_velocities; r++)
        if (f->is_free[r]) f->A[(size_t)j * (size_t)f->stride + (size_t)r] -= U[j] * U[r];
    }
  }
  for (int k = 0; k < f->n; k++)
    if (!f->is_free[k]) add_node(f, k, with_velocities);
}

// y_R are as they are.
static void hold(const face *f)
{
  for (int r = 0; r < f->n; r++) {
    if (!f->is_free[r]) continue;
    memset(f->A + (size_t)r * (size_t)f->stride, 0, sizeof *f->A * (size_t)f->n);
    f->A[(size_t)r * (size_t)(f->stride + 1)] = 1;
    f->right[r] = 0;
  }
}

// |f| at q, or with the matrix of Newton's step there.
static double measure(const face *f, bool with_velocities)
{
  const double n = f->n;
  if (!srs_lm_spend(f->v->resting->lm, n * (f->v->resting->rank + 4 * n) * (with_velocities ? n : 1))) return INFINITY;
  form(f, with_velocities);
  return srs_length(f->n, f->right);
}

// f->right <- A^-1 f; false where there is none, or the budget is spent.
static bool divide(const face *f)
{
  const srs_lm_memory *m = f->v->resting->lm;
  const double n = f->n;
  if (!srs_lm_spend(m, (n + 20) * n * n / 3)) return false;
  if (!srs_dense_lu_if_regular(f->n, f->A, f->stride, m->pivot, 0)) return false;
  srs_dense_lu_solve(f->n, f->A, f->stride, m->pivot, f->right);
  return true;
}

static void move(const face *f, double part)
{
  for (int j = 0; j < f->n; j++) f->q[j] = f->start[j] - part * f->step[j];
}

// Newton's step, shortened until |f| is less.
static bool descend(const face *f, double size)
{
  const size_t bytes = sizeof *f->q * (size_t)f->n;
  double part = 2, there = INFINITY;
  if (!divide(f)) return false;
  memcpy(f->start, f->q, bytes);
  memcpy(f->step, f->right, bytes);
  for (int k = 0; k < HALVINGS && !(there < size); k++) {
    part *= 0.5;
    move(f, part);
    there = measure(f, false);
  }
  return there < size;
}

static bool solve(const face *f)
{
  if (!(measure(f, false) < INFINITY)) return false;
  hold(f);
  if (!divide(f)) return false;
  for (int j = 0; j < f->n; j++) f->q[j] -= f->right[j];
  for (int k = 0; k < MOST_STEPS; k++) {
    const double size = measure(f, true);
    double most = 0;
    for (int j = 0; j < f->n; j++) most = fmax(most, f->is_free[j] ? 0 : fabs(f->q[j]));
    if (size <= exact * most) return true;
    if (!(size < INFINITY) || !descend(f, size)) return false;
  }
  return false;
}

// Whether q is in the face, of impulses that push.
static bool is_inside(const face *f)
{
  double least = 0, most = 0;
  for (int j = 0; j < f->n; j++) {
    if (f->is_free[j] && j < f->v->touching && !(f->q[j] >= 0)) return false;
    if (!f->is_free[j]) least = fmin(least, f->q[j]), most = fmax(most, f->q[j]);
  }
  return least >= srs_resting_least_impulse(f->v->resting) * most;
}

// The velocities at y_R.
static bool find_velocities(const face *f, double *u, double *w)
{
  const srs_vertices *v = f->v;
  const srs_cone_problem *p = v->resting->problem;
  for (int j = 0; j < f->n; j++)
    if (!f->is_free[j]) f->q[j] = 0;
  for (int i = 0; i < p->n; i++) w[i] = v->value[i] + srs_dot(f->n, row_of(v, i), f->q);
  for (int k = 0; k < v->resting->rank; k++)
    u[k] = v->value[p->n + k] + srs_dot(f->n, v->U + (size_t)k * v->wide, f->q);
  for (int k = v->resting->rank; k < srs_dense_stride(v->resting->rank); k++) u[k] = 0;
  for (int node = 0; node < srs_resting_nodes(p); node++)
    if (!(w[srs_resting_first(p, node)] >= sinks)) return false;
  return true;
}

bool srs_faces_try(const srs_vertices *v, double *u, double *w)
{
  const srs_resting *s = v->resting;
  const srs_cone_problem *p = s->problem;
  const int n = v->columns, stride = srs_dense_stride(n);
  const size_t used = (size_t)s->rank * v->wide, all = (size_t)p->stride * (size_t)p->stride;
  if (v->touching < 1 || n < 2 || used + (size_t)(n + 3) * (size_t)stride > all) return false;
  double *A = v->U + used, *more = A + (size_t)n * (size_t)stride;
  const face f = {v, A, s->lm->best, s->lm->x, more, more + stride, (bool *)(more + 2 * (size_t)stride), n, stride};
  if (!srs_lm_spend(s->lm, (double)srs_resting_nodes(p) * n + 40.0 * n)) return false;
  draw_free(&f);
  return draw_point(&f) && solve(&f) && is_inside(&f) && find_velocities(&f, u, w);
}
