// The Newton step of an interior point.
//
// With s = y / z a Newton step for z_k y_k = t (contact/large/interior_point.c) is
//
//   (D^T W D + diag(s)) dz = g        g_k = -d_k . w - c_k / z_k       c = dz dy of the predictor - t
//
// A contact may have many more directions than rows. With B a basis of directions, those of the smallest s, and C the
// others expressed in it, the step u = dz_B + C dz_C of its impulses in that basis is that of
//
//   (D_B^T W D_B + Q) u = Q (g_B / s_B + C g_C / s_C)      Q^-1 = 1 / s_B + C (1 / s_C) C^T
//
// symmetric positive definite, factored once for both steps of an iteration: by rows, in W's own pattern; or, where
// W = L L^T is known, by its columns (contact/large/interior_groups.h), with H = B Q^-1 B^T. The basis matters: s range
// from 1e-16 to 1e16, and small ones survive beside large ones only in coordinates of their own. By columns they are
// summed, so iterative refinement follows, until the error of no z exceeds a fraction of it.
//
// W is usually singular (more rows than degrees of freedom); then the matrix becomes singular too, since s goes to zero
// in active directions. A small shift of its diagonal only slows steps along W's null space.
#include "contact/large/interior_step.h"

#include <math.h>
#include <string.h>

enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST };

static const double soft = 1e-12; // on the diagonal

// ---- products ----

// y = W x on the rows that are kept.
SRS_CONTACT_KERNEL
void srs_interior_multiply(const srs_interior *s, const double *x, double *y)
{
  const srs_sparse *p = &s->pattern;
  for (int node = 0; node < s->n_nodes; node++) {
    const double *W = s->W + s->begin[node];
    for (int i = p->first[node]; i < p->first[node + 1]; i++) {
      double sum = 0;
      for (int k = p->start[node]; k < p->start[node + 1]; k++)
        for (int j = p->first[p->column[k]]; j < p->first[p->column[k] + 1]; j++) sum += *W++ * x[j];
      y[i] = sum;
    }
  }
}

// ---- a node's part of the matrix ----

// Directions that span the node's rows, smallest s first.
static void choose_basis(srs_interior *s, int node)
{
  const int n = srs_interior_size(s, node), from = s->first_direction[node],
            count = s->first_direction[node + 1] - from;
  int *basis = s->basis + MOST * (size_t)node;
  double left[SRS_POLYHEDRON_MOST + 2][MOST];
  for (int k = 0; k < count; k++)
    for (int i = 0; i < n; i++)
      left[k][i] = s->direction[MOST * (size_t)(from + k) + (size_t)i] * sqrt(s->z[from + k] / s->y[from + k]);
  for (int m = 0; m < n; m++) {
    double most = -1, unit[MOST];
    int best = 0;
    for (int k = 0; k < count; k++) {
      const double square = srs_interior_product(n, left[k], left[k]);
      if (square > most) most = square, best = k;
    }
    basis[m] = from + best;
    for (int i = 0; i < n; i++) unit[i] = left[best][i] / sqrt(most);
    for (int k = 0; k < count; k++) {
      const double part = srs_interior_product(n, unit, left[k]);
      for (int i = 0; i < n; i++) left[k][i] -= part * unit[i];
    }
    for (int i = 0; i < n; i++) left[best][i] = 0; // so that rounding cannot choose it twice
  }
}

// A x = y for n unknowns and `count` columns y, which become x.
static void solve_small(int n, const double *matrix, int count, double *y)
{
  double A[SQUARE];
  memcpy(A, matrix, sizeof A);
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * MOST + k]) > fabs(A[best * MOST + k])) best = i;
    for (int j = 0; j < n; j++) {
      const double t = A[k * MOST + j];
      A[k * MOST + j] = A[best * MOST + j], A[best * MOST + j] = t;
    }
    for (int c = 0; c < count; c++) {
      double *column = y + MOST * (size_t)c;
      const double t = column[k];
      column[k] = column[best], column[best] = t;
    }
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      const double f = A[i * MOST + k] / A[k * MOST + k];
      for (int j = k; j < n; j++) A[i * MOST + j] -= f * A[k * MOST + j];
      for (int c = 0; c < count; c++) y[MOST * (size_t)c + (size_t)i] -= f * y[MOST * (size_t)c + (size_t)k];
    }
  }
  for (int c = 0; c < count; c++)
    for (int k = 0; k < n; k++) y[MOST * (size_t)c + (size_t)k] /= A[k * MOST + k];
}

static bool is_basic(const srs_interior *s, int node, int k)
{
  for (int i = 0; i < srs_interior_size(s, node); i++)
    if (s->basis[MOST * (size_t)node + (size_t)i] == k) return true;
  return false;
}

// Q of a contact.
static void set_cone(srs_interior *s, int node)
{
  const int n = srs_interior_size(s, node), from = s->first_direction[node], to = s->first_direction[node + 1];
  const int *basis = s->basis + MOST * (size_t)node;
  double *Q = s->Q + SQUARE * (size_t)node, *B = s->B + SQUARE * (size_t)node;
  memset(Q, 0, sizeof *Q * SQUARE);
  if (to - from == n) {
    for (int i = 0; i < n; i++) Q[i * MOST + i] = s->y[from + i] / s->z[from + i];
    return;
  }
  choose_basis(s, node);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) B[i * MOST + j] = s->direction[MOST * (size_t)basis[j] + (size_t)i];
  memcpy(s->beyond + MOST * (size_t)from, s->direction + MOST * (size_t)from, sizeof *B * MOST * (size_t)(to - from));
  solve_small(n, B, to - from, s->beyond + MOST * (size_t)from);
  double root[MOST], scale[MOST];
  for (int i = 0; i < n; i++) root[i] = sqrt(s->y[basis[i]] / s->z[basis[i]]), Q[i * MOST + i] = 1;
  for (int k = from; k < to; k++) {
    if (is_basic(s, node, k)) continue;
    const double *c = s->beyond + MOST * (size_t)k, share = s->z[k] / s->y[k];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) Q[i * MOST + j] += root[i] * c[i] * c[j] * root[j] * share;
  }
  for (int i = 0; i < n; i++) scale[i] = Q[i * MOST + i];
  srs_symmetric_invert(n, scale, Q);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) Q[i * MOST + j] *= root[i] * root[j];
}

static double ratio(const srs_interior *s, int k) { return s->y[k] > 0 ? s->y[k] / s->z[k] : 0; }

static void set_nodes(srs_interior *s)
{
  for (int node = 0; node < s->n_nodes; node++) {
    if (srs_interior_size(s, node) == 0) continue;
    double *Q = s->Q + SQUARE * (size_t)node;
    const int k = s->first_direction[node];
    switch ((srs_interior_kind)s->kind[node]) {
    case SRS_INTERIOR_FREE: Q[0] = s->free_part; break;
    case SRS_INTERIOR_CONE: set_cone(s, node); break;
    case SRS_INTERIOR_BOX: Q[0] = ratio(s, k) + ratio(s, k + 1); break;
    }
  }
}

// D_B^T W D_B + Q, a block of it.
SRS_CONTACT_INLINE void small_block(int rows, int columns, const double *W, size_t wide, const double *left,
                                    const double *right, double *block)
{
  double half[SQUARE];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      double sum = 0;
      for (int l = 0; l < columns; l++) sum += W[(size_t)i * wide + (size_t)l] * right[l * MOST + j];
      half[i * MOST + j] = sum;
    }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      double sum = 0;
      for (int l = 0; l < rows; l++) sum += left[l * MOST + i] * half[l * MOST + j];
      block[i * MOST + j] = sum;
    }
}

static void block_of(const void *data, int node, int k, double *block)
{
  const srs_interior *s = data;
  const int other = s->pattern.column[k], rows = srs_interior_size(s, node), columns = srs_interior_size(s, other);
  if (rows == 0 || columns == 0) return;
  const size_t wide = (s->begin[node + 1] - s->begin[node]) / (size_t)rows;
  const double *W = s->W + s->begin[node] + s->at[k];
  const double *left = s->B + SQUARE * (size_t)node, *right = s->B + SQUARE * (size_t)other;
  if (rows == 2 && columns == 2)
    small_block(2, 2, W, wide, left, right, block);
  else if (rows == 3 && columns == 3)
    small_block(3, 3, W, wide, left, right, block);
  else
    small_block(rows, columns, W, wide, left, right, block);
  if (other != node) return;
  const double *Q = s->Q + SQUARE * (size_t)node;
  for (int i = 0; i < rows; i++) {
    block[i * MOST + i] += soft;
    for (int j = 0; j < rows; j++) block[i * MOST + j] += Q[i * MOST + j];
  }
}

// ---- by W's factor ----

// Inverses of the shifted Q, in the basis and in rows.
static void invert_nodes(srs_interior *s)
{
  const double *own = s->problem->blocks->factor->own;
  for (int node = 0; node < s->n_nodes; node++) {
    const int n = srs_interior_size(s, node), first = s->pattern.first[node];
    const double *Q = s->Q + SQUARE * (size_t)node, *B = s->B + SQUARE * (size_t)node;
    double *inverse = s->inverse + SQUARE * (size_t)node, *H = s->H + SQUARE * (size_t)node;
    double half[SQUARE], scale[MOST];
    if (n == 0) continue;
    memcpy(inverse, Q, sizeof *Q * SQUARE);
    for (int i = 0; i < n; i++) {
      inverse[i * MOST + i] += soft;
      for (int j = 0; j < n && own != NULL; j++)
        for (int k = 0; k < n; k++) {
          const int row = s->kept[first + k];
          inverse[i * MOST + j] += B[k * MOST + i] * s->scale[row] * s->scale[row] * own[row] * B[k * MOST + j];
        }
    }
    for (int i = 0; i < n; i++) scale[i] = inverse[i * MOST + i];
    srs_symmetric_invert(n, scale, inverse);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += B[i * MOST + k] * inverse[k * MOST + j];
        half[i * MOST + j] = sum;
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        H[i * MOST + j] = srs_interior_product(n, half + MOST * (size_t)i, B + MOST * (size_t)j);
  }
}

// to = B from, of a node.
SRS_CONTACT_INLINE void to_rows(int n, const double *B, const double *from, double *to)
{
  for (int i = 0; i < n; i++) to[i] = srs_interior_product(n, B + MOST * (size_t)i, from);
}

// left -= Q u + B^T v, of a node.
SRS_CONTACT_INLINE void subtract_node(int n, const double *B, const double *Q, const double *u, const double *v,
                                      double *left)
{
  for (int i = 0; i < n; i++) {
    double sum = soft * u[i] + srs_interior_product(n, Q + MOST * (size_t)i, u);
    for (int k = 0; k < n; k++) sum += B[k * MOST + i] * v[k];
    left[i] -= sum;
  }
}

// dx = B inverse left, of a node.
SRS_CONTACT_INLINE void push_node(int n, const double *B, const double *inverse, const double *left, double *dx)
{
  double own[MOST];
  for (int i = 0; i < n; i++) own[i] = srs_interior_product(n, inverse + MOST * (size_t)i, left);
  to_rows(n, B, own, dx);
}

// u += inverse (left - B^T v), of a node.
SRS_CONTACT_INLINE void answer_node(int n, const double *B, const double *inverse, const double *left, const double *v,
                                    double *u)
{
  double own[MOST];
  for (int i = 0; i < n; i++) {
    own[i] = left[i];
    for (int k = 0; k < n; k++) own[i] -= B[k * MOST + i] * v[k];
  }
  for (int i = 0; i < n; i++) u[i] += srs_interior_product(n, inverse + MOST * (size_t)i, own);
}

// y = W x on the rows that are kept, by the factor.
static void multiply_by_groups(const srs_interior *s, const double *x, double *y)
{
  srs_groups_gather(&s->groups, x, s->change);
  srs_groups_spread(&s->groups, s->change, y);
  const double *own = s->problem->blocks->factor->own;
  for (int i = 0; i < s->pattern.n && own != NULL; i++) {
    const int row = s->kept[i];
    y[i] += s->scale[row] * s->scale[row] * own[row] * x[i];
  }
}

// left -= (B^T W B + Q) u. The change of impulses goes to dx, that of velocities to v.
SRS_CONTACT_KERNEL
static void subtract_product(const srs_interior *s, const double *u, double *left)
{
  const int *first = s->pattern.first;
  const double *B = s->B, *Q = s->Q;
  for (int node = 0; node < s->n_nodes; node++, B += SQUARE) {
    const int n = srs_interior_size(s, node), at = first[node];
    if (n == 2)
      to_rows(2, B, u + at, s->dx + at);
    else if (n == 3)
      to_rows(3, B, u + at, s->dx + at);
    else
      to_rows(n, B, u + at, s->dx + at);
  }
  multiply_by_groups(s, s->dx, s->v);
  B = s->B;
  for (int node = 0; node < s->n_nodes; node++, B += SQUARE, Q += SQUARE) {
    const int n = srs_interior_size(s, node), at = first[node];
    if (n == 2)
      subtract_node(2, B, Q, u + at, s->v + at, left + at);
    else if (n == 3)
      subtract_node(3, B, Q, u + at, s->v + at, left + at);
    else
      subtract_node(n, B, Q, u + at, s->v + at, left + at);
  }
}

// u += inverse (left - B^T L v), v = (1 + L^T H L)^-1 L^T B inverse left.
SRS_CONTACT_KERNEL
static void add_response(const srs_interior *s, const double *left, double *u)
{
  const int *first = s->pattern.first;
  const double *B = s->B, *inverse = s->inverse;
  for (int node = 0; node < s->n_nodes; node++, B += SQUARE, inverse += SQUARE) {
    const int n = srs_interior_size(s, node), at = first[node];
    if (n == 2)
      push_node(2, B, inverse, left + at, s->dx + at);
    else if (n == 3)
      push_node(3, B, inverse, left + at, s->dx + at);
    else
      push_node(n, B, inverse, left + at, s->dx + at);
  }
  srs_groups_gather(&s->groups, s->dx, s->change);
  srs_groups_solve(&s->groups, s->change);
  srs_groups_spread(&s->groups, s->change, s->v);
  B = s->B, inverse = s->inverse;
  for (int node = 0; node < s->n_nodes; node++, B += SQUARE, inverse += SQUARE) {
    const int n = srs_interior_size(s, node), at = first[node];
    if (n == 2)
      answer_node(2, B, inverse, left + at, s->v + at, u + at);
    else if (n == 3)
      answer_node(3, B, inverse, left + at, s->v + at, u + at);
    else
      answer_node(n, B, inverse, left + at, s->v + at, u + at);
  }
}

// The residual in the norm in which 1 may be an error as large as the least z.
static double mistake_of(const srs_interior *s)
{
  double sum = 0, least = INFINITY;
  for (int k = 0; k < s->n_directions; k++)
    if (s->y[k] > 0) least = fmin(least, s->z[k] * s->y[k]);
  for (int node = 0; node < s->n_nodes; node++) {
    const int n = srs_interior_size(s, node);
    const double *left = s->u + s->pattern.first[node], *inverse = s->inverse + SQUARE * (size_t)node;
    for (int i = 0; i < n; i++) sum += left[i] * srs_interior_product(n, inverse + MOST * (size_t)i, left);
  }
  return sqrt(sum / least);
}

static const double enough = 1e-1;

// u <- (B^T W B + Q)^-1 u, by velocities, with iterative refinement.
static void solve_by_groups(srs_interior *s)
{
  enum { TIMES = 5 };
  const size_t bytes = sizeof *s->u * (size_t)s->pattern.n;
  memset(s->response, 0, bytes);
  memcpy(s->mistake, s->u, bytes);
  double last = INFINITY;
  for (int time = 0; time < TIMES; time++) {
    add_response(s, s->u, s->response);
    memcpy(s->u, s->mistake, bytes);
    subtract_product(s, s->response, s->u);
    const double most = mistake_of(s);
    if (most <= enough || most > 0.5 * last) break;
    last = most;
  }
  memcpy(s->u, s->response, bytes);
}

// ---- a step ----

// The right-hand side; shift: c / z of each direction.
static void set_right_side(srs_interior *s, int node)
{
  const int n = srs_interior_size(s, node), from = s->first_direction[node], to = s->first_direction[node + 1];
  const int *basis = s->basis + MOST * (size_t)node;
  const double *Q = s->Q + SQUARE * (size_t)node;
  double *u = s->u + s->pattern.first[node], h[MOST];
  if (s->kind[node] != SRS_INTERIOR_CONE) {
    u[0] = -s->w[s->kept[s->pattern.first[node]]];
    if (s->kind[node] == SRS_INTERIOR_FREE) u[0] += s->free_shift[s->pattern.first[node]];
    if (s->kind[node] == SRS_INTERIOR_BOX) u[0] += s->shift[from + 1] - s->shift[from];
    return;
  }
  for (int k = from; k < to; k++) s->g[k] = -s->slope[k] - s->shift[k];
  if (to - from == n) {
    memcpy(u, s->g + from, sizeof *u * (size_t)n);
    return;
  }
  for (int i = 0; i < n; i++) h[i] = s->g[basis[i]] * s->z[basis[i]] / s->y[basis[i]];
  for (int k = from; k < to; k++)
    for (int i = 0; i < n && !is_basic(s, node, k); i++)
      h[i] += s->beyond[MOST * (size_t)k + (size_t)i] * s->g[k] * s->z[k] / s->y[k];
  for (int i = 0; i < n; i++) u[i] = srs_interior_product(n, Q + MOST * (size_t)i, h);
}

// dz and dy of u, dx and v = W dx.
static void set_directions(srs_interior *s, int node)
{
  const int n = srs_interior_size(s, node), from = s->first_direction[node], to = s->first_direction[node + 1];
  const int *basis = s->basis + MOST * (size_t)node;
  const double *u = s->u + s->pattern.first[node], *v = s->v + s->pattern.first[node];
  if (s->kind[node] == SRS_INTERIOR_BOX) {
    for (int k = from; k < to; k++) {
      s->dz[k] = s->y[k] > 0 ? (k == from ? u[0] : -u[0]) : 0;
      s->dy[k] = s->y[k] > 0 ? -s->y[k] - s->shift[k] - s->y[k] / s->z[k] * s->dz[k] : 0;
    }
    return;
  }
  for (int k = from; k < to; k++) {
    const double change = srs_interior_product(n, s->direction + MOST * (size_t)k, v);
    s->dy[k] = s->slope[k] - s->y[k] + change;
    s->dz[k] = to - from == n ? u[k - from] : (s->g[k] - change) * s->z[k] / s->y[k];
  }
  if (to - from == n) return;
  for (int i = 0; i < n; i++) s->dz[basis[i]] = u[i];
  for (int k = from; k < to; k++)
    for (int i = 0; i < n && !is_basic(s, node, k); i++)
      s->dz[basis[i]] -= s->beyond[MOST * (size_t)k + (size_t)i] * s->dz[k];
}

bool srs_interior_factor(srs_interior *s)
{
  set_nodes(s);
  if (!s->has_groups) return srs_symmetric_factor(&s->factor, block_of, s);
  invert_nodes(s);
  return srs_groups_factor(&s->groups, s->H);
}

void srs_interior_step(srs_interior *s)
{
  const srs_sparse *p = &s->pattern;
  for (int node = 0; node < s->n_nodes; node++)
    if (srs_interior_size(s, node) > 0) set_right_side(s, node);
  if (s->has_groups) {
    solve_by_groups(s);
  } else {
    srs_symmetric_solve(&s->factor, s->u);
    for (int node = 0; node < s->n_nodes; node++)
      to_rows(srs_interior_size(s, node), s->B + SQUARE * (size_t)node, s->u + p->first[node], s->dx + p->first[node]);
    srs_interior_multiply(s, s->dx, s->v);
  }
  for (int node = 0; node < s->n_nodes; node++)
    if (srs_interior_size(s, node) > 0) set_directions(s, node);
}
