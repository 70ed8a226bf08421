// Which impulses answer the convex relaxation of a large problem?
//
//   min x . W x / 2 + b . x      x = sum z_k d_k, z >= 0, at each contact (contact/relaxation.h); free and box rows too
//
// by a primal-dual interior point with Mehrotra's predictor and corrector: y_k = d_k . (W x + b) >= 0 and z_k y_k = t
// for t towards 0. With s = y / z a Newton step is
//
//   (D^T W D + diag(s)) dz = g        g_k = -d_k . w - c_k / z_k       c = dz dy of the predictor - t
//
// A contact may have many more directions than rows: with B a basis among them, those of the smallest s, and C the
// others in it, the step u = dz_B + C dz_C of its impulses in that basis is that of
//
//   (D_B^T W D_B + Q) u = Q (g_B / s_B + C g_C / s_C)      Q^-1 = 1 / s_B + C (1 / s_C) C^T
//
// whose pattern is W's: symmetric, positive, factored by blocks once in each iteration. The basis matters: s go from
// 1e-16 to 1e16, and only in coordinates of their own do small ones survive beside the large.
//
// W is singular as a rule (more rows than the bodies have freedom): then so is the matrix, as s goes to zero for all
// that pushes. A little is added to its diagonal, which slows steps down along W's null space, where nothing matters.
#include "contact/interior_point.h"
#include "contact/cone.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST };

static const double soft = 1e-12;                      // on the diagonal
static const double start_weights[] = {0.1, 10, 1e-3}; // z and y at the start: the first, as a rule
static const double towards_edge = 0.995;              // of the way to the nearest bound

static int size_of(const srs_interior *s, int node) { return s->pattern.first[node + 1] - s->pattern.first[node]; }

// ---- products ----

// y = W x on the rows that are kept.
SRS_CONTACT_KERNEL
static void multiply(const srs_interior *s, const double *x, double *y)
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

SRS_CONTACT_INLINE double product(int n, const double *d, const double *v)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += d[i] * v[i];
  return sum;
}

// w of x; that of the rows that are kept in v too.
static void find_velocities(const srs_interior *s)
{
  const srs_sparse *p = &s->pattern;
  for (int i = 0; i < p->n; i++) s->dx[i] = s->x[s->kept[i]];
  multiply(s, s->dx, s->v);
  memcpy(s->w, s->b, sizeof *s->w * (size_t)s->n_rows);
  for (int i = 0; i < p->n; i++) s->v[i] = s->w[s->kept[i]] += s->v[i];
}

// x of z, where it is not in x already; w, and the directions' slopes.
static void add_up(const srs_interior *s)
{
  const srs_sparse *p = &s->pattern;
  for (int node = 0; node < s->n_nodes; node++) {
    const int row = s->problem->blocks->first[node], rows = s->problem->blocks->first[node + 1] - row;
    if (s->kind[node] != SRS_INTERIOR_CONE) continue;
    for (int i = 0; i < rows; i++) {
      double sum = 0;
      for (int k = s->first_direction[node]; k < s->first_direction[node + 1]; k++)
        sum += s->z[k] * s->whole[MOST * (size_t)k + (size_t)i];
      s->x[row + i] = sum;
    }
  }
  find_velocities(s);
  for (int node = 0; node < s->n_nodes; node++)
    for (int k = s->first_direction[node]; k < s->first_direction[node + 1]; k++)
      s->slope[k] = product(size_of(s, node), s->direction + MOST * (size_t)k, s->v + p->first[node]);
}

// ---- judging ----

// The natural map with the polyhedron for the cone. ahead: of the contacts' normal velocities, taken off; or NULL.
static double natural_map(const srs_interior *s, const double *ahead)
{
  const srs_contact_problem *p = s->problem;
  const int contacts = p->n_bilateral, scalars = contacts + p->n_contacts, boxes = scalars + p->n_unilateral;
  const int *first = p->blocks->first;
  double sum = 0;
  for (int node = 0; node < s->n_nodes; node++) {
    const int row = first[node], rows = first[node + 1] - row;
    if (node >= contacts && node < scalars) {
      double w[MOST];
      for (int i = 0; i < rows; i++) w[i] = s->w[row + i];
      if (ahead != NULL) w[0] -= ahead[node - contacts];
      sum += srs_polyhedron_defect(&s->polyhedron, rows - 1, s->x + row, w, p->friction[node - contacts]);
      continue;
    }
    const double x = s->x[row], w = s->w[row];
    const double defect = node < contacts ? w
                          : node < boxes  ? (x < w ? x : w)
                                          : srs_clamp(w, x - s->upper[node - boxes], x - s->lower[node - boxes]);
    sum += defect * defect;
  }
  return sqrt(sum);
}

// ---- a node's part of the matrix ----

// Directions that span the node's rows, those of the least s first.
static void choose_basis(srs_interior *s, int node)
{
  const int n = size_of(s, node), from = s->first_direction[node], count = s->first_direction[node + 1] - from;
  int *basis = s->basis + MOST * (size_t)node;
  double left[SRS_POLYHEDRON_MOST + 2][MOST];
  for (int k = 0; k < count; k++)
    for (int i = 0; i < n; i++)
      left[k][i] = s->direction[MOST * (size_t)(from + k) + (size_t)i] * sqrt(s->z[from + k] / s->y[from + k]);
  for (int m = 0; m < n; m++) {
    double most = -1, unit[MOST];
    int best = 0;
    for (int k = 0; k < count; k++) {
      const double square = product(n, left[k], left[k]);
      if (square > most) most = square, best = k;
    }
    basis[m] = from + best;
    for (int i = 0; i < n; i++) unit[i] = left[best][i] / sqrt(most);
    for (int k = 0; k < count; k++) {
      const double part = product(n, unit, left[k]);
      for (int i = 0; i < n; i++) left[k][i] -= part * unit[i];
    }
    for (int i = 0; i < n; i++) left[best][i] = 0; // rounding must not choose it twice
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
  for (int i = 0; i < size_of(s, node); i++)
    if (s->basis[MOST * (size_t)node + (size_t)i] == k) return true;
  return false;
}

// Q of a contact.
static void set_cone(srs_interior *s, int node)
{
  const int n = size_of(s, node), from = s->first_direction[node], to = s->first_direction[node + 1];
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
    if (size_of(s, node) == 0) continue;
    double *Q = s->Q + SQUARE * (size_t)node;
    const int k = s->first_direction[node];
    switch ((srs_interior_kind)s->kind[node]) {
    case SRS_INTERIOR_FREE: Q[0] = 0; break;
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
  const int other = s->pattern.column[k], rows = size_of(s, node), columns = size_of(s, other);
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

// Inverses of Q and what softens it, in the basis and in rows.
static void invert_nodes(srs_interior *s)
{
  const double *own = s->problem->blocks->factor->own;
  for (int node = 0; node < s->n_nodes; node++) {
    const int n = size_of(s, node), first = s->pattern.first[node];
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
      for (int j = 0; j < n; j++) H[i * MOST + j] = product(n, half + MOST * (size_t)i, B + MOST * (size_t)j);
  }
}

// to = B from, of a node.
SRS_CONTACT_INLINE void to_rows(int n, const double *B, const double *from, double *to)
{
  for (int i = 0; i < n; i++) to[i] = product(n, B + MOST * (size_t)i, from);
}

// left -= Q u + B^T v, of a node.
SRS_CONTACT_INLINE void subtract_node(int n, const double *B, const double *Q, const double *u, const double *v,
                                      double *left)
{
  for (int i = 0; i < n; i++) {
    double sum = soft * u[i] + product(n, Q + MOST * (size_t)i, u);
    for (int k = 0; k < n; k++) sum += B[k * MOST + i] * v[k];
    left[i] -= sum;
  }
}

// dx = B inverse left, of a node.
SRS_CONTACT_INLINE void push_node(int n, const double *B, const double *inverse, const double *left, double *dx)
{
  double own[MOST];
  for (int i = 0; i < n; i++) own[i] = product(n, inverse + MOST * (size_t)i, left);
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
  for (int i = 0; i < n; i++) u[i] += product(n, inverse + MOST * (size_t)i, own);
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

// What the matrix leaves of `left`: left -= (B^T W B + Q) u. The rows' change goes to dx, that of velocities to v.
SRS_CONTACT_KERNEL
static void subtract_product(const srs_interior *s, const double *u, double *left)
{
  const int *first = s->pattern.first;
  const double *B = s->B, *Q = s->Q;
  for (int node = 0; node < s->n_nodes; node++, B += SQUARE) {
    const int n = size_of(s, node), at = first[node];
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
    const int n = size_of(s, node), at = first[node];
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
    const int n = size_of(s, node), at = first[node];
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
    const int n = size_of(s, node), at = first[node];
    if (n == 2)
      answer_node(2, B, inverse, left + at, s->v + at, u + at);
    else if (n == 3)
      answer_node(3, B, inverse, left + at, s->v + at, u + at);
    else
      answer_node(n, B, inverse, left + at, s->v + at, u + at);
  }
}

// What is left, in the norm in which 1 may be as much as the least z of all.
static double mistake_of(const srs_interior *s)
{
  double sum = 0, least = INFINITY;
  for (int k = 0; k < s->n_directions; k++)
    if (s->y[k] > 0) least = fmin(least, s->z[k] * s->y[k]);
  for (int node = 0; node < s->n_nodes; node++) {
    const int n = size_of(s, node);
    const double *left = s->u + s->pattern.first[node], *inverse = s->inverse + SQUARE * (size_t)node;
    for (int i = 0; i < n; i++) sum += left[i] * product(n, inverse + MOST * (size_t)i, left);
  }
  return sqrt(sum / least);
}

static const double enough = 1e-1;

// u <- (B^T W B + Q)^-1 u, by velocities; what rounding leaves is divided again.
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
    static int debug = -1;
    if (debug < 0) debug = getenv("DEBUG_GROUPS") != NULL;
    if (debug) fprintf(stderr, "  %d: mistake %g of %g\n", time, most, 1.0);
    if (most <= enough || most > 0.5 * last) break;
    last = most;
  }
  memcpy(s->u, s->response, bytes);
}

// ---- a step ----

// What the matrix is to be divided into; shift: c / z of each direction.
static void set_right_side(srs_interior *s, int node)
{
  const int n = size_of(s, node), from = s->first_direction[node], to = s->first_direction[node + 1];
  const int *basis = s->basis + MOST * (size_t)node;
  const double *Q = s->Q + SQUARE * (size_t)node;
  double *u = s->u + s->pattern.first[node], h[MOST];
  if (s->kind[node] != SRS_INTERIOR_CONE) {
    u[0] = -s->w[s->kept[s->pattern.first[node]]];
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
  for (int i = 0; i < n; i++) u[i] = product(n, Q + MOST * (size_t)i, h);
}

// dz and dy of u, dx and v = W dx.
static void set_directions(srs_interior *s, int node)
{
  const int n = size_of(s, node), from = s->first_direction[node], to = s->first_direction[node + 1];
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
    const double change = product(n, s->direction + MOST * (size_t)k, v);
    s->dy[k] = s->slope[k] - s->y[k] + change;
    s->dz[k] = to - from == n ? u[k - from] : (s->g[k] - change) * s->z[k] / s->y[k];
  }
  if (to - from == n) return;
  for (int i = 0; i < n; i++) s->dz[basis[i]] = u[i];
  for (int k = from; k < to; k++)
    for (int i = 0; i < n && !is_basic(s, node, k); i++)
      s->dz[basis[i]] -= s->beyond[MOST * (size_t)k + (size_t)i] * s->dz[k];
}

// A Newton step with the factor at hand.
static void find_step(srs_interior *s)
{
  const srs_sparse *p = &s->pattern;
  for (int node = 0; node < s->n_nodes; node++)
    if (size_of(s, node) > 0) set_right_side(s, node);
  if (s->has_groups) {
    solve_by_groups(s);
  } else {
    srs_symmetric_solve(&s->factor, s->u);
    for (int node = 0; node < s->n_nodes; node++)
      to_rows(size_of(s, node), s->B + SQUARE * (size_t)node, s->u + p->first[node], s->dx + p->first[node]);
    multiply(s, s->dx, s->v);
  }
  for (int node = 0; node < s->n_nodes; node++)
    if (size_of(s, node) > 0) set_directions(s, node);
}

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
    if (s->kind[node] == SRS_INTERIOR_CONE || size_of(s, node) == 0) continue;
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
  set_nodes(s);
  if (s->has_groups) invert_nodes(s);
  if (!(s->has_groups ? srs_groups_factor(&s->groups, s->H) : srs_symmetric_factor(&s->factor, block_of, s)))
    return false;
  memset(s->shift, 0, sizeof *s->shift * (size_t)s->n_directions);
  const double mean = mean_product(s, 0);
  find_step(s);
  const double there = mean_product(s, fmin(1, room_of(s))), share = mean > 0 ? there / mean : 0;
  const double target = (s->last_step < 0.1 ? 1 : share * share * share) * mean;
  if (s->last_step < 0.1) memset(s->dz, 0, sizeof *s->dz * (size_t)s->n_directions);
  for (int k = 0; k < s->n_directions; k++) s->shift[k] = s->y[k] > 0 ? (s->dz[k] * s->dy[k] - target) / s->z[k] : 0;
  find_step(s);
  s->last_step = fmin(1, towards_edge * room_of(s));
  move(s, s->last_step);
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
    if (s->kind[node] == SRS_INTERIOR_BOX && size_of(s, node) > 0) begin_box(s, node, weight);
}

// From z = y = weight. `best` is only replaced by what is better than `residual`, which is its.
static bool descend(srs_interior *s, double weight, double goal, int max_iterations, int *iterations, double *residual)
{
  enum { PATIENCE = 40 };
  double mark = INFINITY;
  int idle = 0;
  begin(s, weight);
  s->last_step = 1;
  if (getenv("DEBUG_W")) fprintf(stderr, "W off\n");
  if (getenv("DEBUG_WW") && s->has_groups) {
    double worst = 0;
    for (int j = 0; j < s->pattern.n; j++) {
      memset(s->dx, 0, sizeof *s->dx * (size_t)s->pattern.n);
      s->dx[j] = 1;
      multiply(s, s->dx, s->v);
      srs_groups_gather(&s->groups, s->dx, s->change);
      srs_groups_spread(&s->groups, s->change, s->u);
      for (int i = 0; i < s->pattern.n; i++) worst = fmax(worst, fabs(s->u[i] - s->v[i]));
    }
    fprintf(stderr, "W off by %g\n", worst);
  }
  for (int i = 0; i <= max_iterations && idle < PATIENCE; i++, idle++) {
    add_up(s);
    const double here = natural_map(s, NULL);
    if (getenv("DEBUG_W")) fprintf(stderr, "%d: map %g, mean %g\n", i, here, mean_product(s, 0)), fprintf(stderr, "step %g\n", s->last_step);
    if (here < 0.5 * mark) mark = here, idle = 0;
    if (here < *residual) {
      *residual = here;
      memcpy(s->best, s->x, sizeof *s->best * (size_t)s->n_rows);
    }
    if (*residual <= goal || i == max_iterations || !(here < INFINITY)) break;
    if (!iterate(s)) return false;
    ++*iterations;
  }
  return true;
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
  find_velocities(s);
  const bool is_relaxed = s->polyhedron.is_relaxed;
  s->polyhedron.is_relaxed = false;
  const double residual = natural_map(s, ahead);
  s->polyhedron.is_relaxed = is_relaxed;
  return residual;
}
