// The rows of an embedded loop, factored: they give the dependent joints' rates, and the loop's forces.
//
//   G_dependent x = r            the dependent joints' rates or motions; r from the independent ones, gaps or drift
//   G_dependent^T lambda = r     the loop's forces, the least norm; r the forces missing on the dependent joints
//
// by Householder QR with column pivoting, G_dependent P = Q [R; 0]: rows may depend on each other (a planar loop held
// by five), columns must not. When what is left of a column is below `least_share` of the terms that its products are
// sums of, its coordinate is not determined. Then
//
//   x = P R^-1 (Q^T r)_1     lambda = Q [R^-T P^T r; 0]

#include "engine/loops/compound_rows.h"
#include "engine/dynamics/recursion.h"

#include <string.h>

static const double least_share = 1e-7; // of the terms of a column

void srs_compound_fill_rows(const srs_workspace *w, srs_compound *c)
{
  const srs_model *m = w->model;
  const size_t n = (size_t)c->n_rows;
  memset(c->G, 0, n * (size_t)c->n_dependent * sizeof *c->G);
  memset(c->right, 0, n * (size_t)c->n_independent * sizeof *c->right);
  memset(c->parts, 0, (size_t)c->n_dependent * sizeof *c->parts);
  for (size_t r = 0; r < n; r++) {
    const srs_step_row *row = &w->embedding->loops[c->rows[r]].row; // a closure's sides are wrenches
    for (int side = 0; side < row->n_sides; side++) {
      v6 force = row->wrench[side];
      for (int k = row->link[side]; k != c->base; k = m->parent[k]) {
        for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
          const int column = c->column[w->embedding->place[i]];
          const v6 s = joint_column(w, k, i);
          const double entry = v6_dot(s, force);
          if (column >= 0) {
            c->G[(size_t)column * n + r] += entry;
            c->parts[column] +=
                dot(s.ang, s.ang) * dot(force.ang, force.ang) + dot(s.lin, s.lin) * dot(force.lin, force.lin);
          } else {
            c->right[(size_t)(-1 - column) * n + r] -= entry;
          }
        }
        force = carry_force(force, w->place[k].arm);
      }
    }
  }
}

// Reflects x: x <- (1 - beta h h^T) x, h being entries from … n - 1.
static void reflect(const double *h, double beta, size_t from, size_t n, double *x)
{
  double sum = 0;
  for (size_t r = from; r < n; r++) sum += h[r] * x[r];
  for (size_t r = from; r < n; r++) x[r] -= beta * sum * h[r];
}

static double length_of(const double *x, size_t from, size_t n)
{
  double sum = 0;
  for (size_t r = from; r < n; r++) sum += x[r] * x[r];
  return sqrt(sum);
}

// Swaps the longest of the remaining columns to place k. Returns what is left of its length.
static double choose_column(srs_compound *c, size_t k)
{
  const size_t n = (size_t)c->n_rows, n_dependent = (size_t)c->n_dependent;
  size_t best = k;
  double longest = -1;
  for (size_t j = k; j < n_dependent; j++) {
    const double share = length_of(c->QR + j * n, k, n) / c->size[j];
    if (share > longest) longest = share, best = j;
  }
  for (size_t r = 0; r < n && best != k; r++) {
    const double entry = c->QR[k * n + r];
    c->QR[k * n + r] = c->QR[best * n + r];
    c->QR[best * n + r] = entry;
  }
  const double size = c->size[k];
  const int order = c->order[k];
  c->size[k] = c->size[best], c->size[best] = size;
  c->order[k] = c->order[best], c->order[best] = order;
  return longest;
}

// The reflections are stored below the diagonal, their first entries in `heads`, R's diagonal on the diagonal.
int srs_compound_factor(srs_compound *c)
{
  const size_t n = (size_t)c->n_rows, n_dependent = (size_t)c->n_dependent;
  memcpy(c->QR, c->G, n * n_dependent * sizeof *c->QR);
  for (size_t j = 0; j < n_dependent; j++) {
    c->order[j] = (int)j;
    c->size[j] = sqrt(c->parts[j]);
    if (!(c->size[j] > 0)) return (int)j;
  }
  double *heads = c->QR + n * n_dependent;
  for (size_t k = 0; k < n_dependent; k++) {
    const double share = k < n ? choose_column(c, k) : 0;
    if (!(share > least_share)) return c->order[k];
    double *h = c->QR + k * n;
    const double length = length_of(h, k, n), diagonal = h[k] > 0 ? -length : length;
    h[k] -= diagonal;
    const double square = length_of(h, k, n);
    c->beta[k] = 2 / (square * square);
    for (size_t j = k + 1; j < n_dependent; j++) reflect(h, c->beta[k], k, n, c->QR + j * n);
    heads[k] = h[k];
    h[k] = diagonal;
  }
  return -1;
}

// Applies reflection k of the factors.
static void reflect_by(const srs_compound *c, size_t k, double *x)
{
  const size_t n = (size_t)c->n_rows;
  double *h = c->QR + k * n;
  const double diagonal = h[k];
  h[k] = c->QR[(size_t)c->n_dependent * n + k];
  reflect(h, c->beta[k], k, n, x);
  h[k] = diagonal;
}

double srs_compound_follow(const srs_compound *c, double *right)
{
  const size_t n = (size_t)c->n_rows, n_dependent = (size_t)c->n_dependent;
  const double length = length_of(right, 0, n);
  for (size_t k = 0; k < n_dependent; k++) reflect_by(c, k, right);
  for (size_t k = n_dependent; k-- > 0;) {
    for (size_t j = k + 1; j < n_dependent; j++) right[k] -= c->QR[j * n + k] * right[j];
    right[k] /= c->QR[k * n + k];
  }
  return length > 0 ? length_of(right, n_dependent, n) / length : 0;
}

void srs_compound_loads(const srs_compound *c, double *right)
{
  const size_t n = (size_t)c->n_rows, n_dependent = (size_t)c->n_dependent;
  for (size_t k = 0; k < n_dependent; k++) {
    for (size_t j = 0; j < k; j++) right[k] -= c->QR[k * n + j] * right[j];
    right[k] /= c->QR[k * n + k];
  }
  for (size_t r = n_dependent; r < n; r++) right[r] = 0;
  for (size_t k = n_dependent; k-- > 0;) reflect_by(c, k, right);
}
