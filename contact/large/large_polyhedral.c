// Large problems with a friction polyhedron: an interior point, and Newton on Fischer-Burmeister equations.
//
// The complementarity problem of contact/iterate/mlcp.h, z >= 0, f = M z + q >= 0, z . f = 0, whose unknowns z (of a
// contact beta_n, beta_k, sigma) are coupled to those of other nodes through impulses and velocities alone, x = S z and
// w = W x + b:
//
//   f = S^T w + N z + q         N: a node's own, mu beta_n - sum beta_k and sigma
//
// Every method here takes steps of the form
//
//   diag(a) dz + diag(c) (S^T v + N dz) = g        u = S dz,  v = W u
//
// A node's dz are eliminated (with pivots from all of its equations), which leaves as many equations as it has rows,
//
//   E u + F v = h      so      (E + F W) u = h
//
// in W's pattern, however many directions there are.
//
// Interior point: y for f, z y = t for t towards 0, a = y / (z + y), c = z / (z + y); the shorter the last
// step was, the more the next one aims at equal products. The problem is not monotone (mu and sigma are one-sided), so
// convergence is not proved; from several starts it usually converges, more often than any other method.
//
// Newton: r = phi(z, f) (contact/algebra/ncp_function.h), a and c its slopes; the step is halved until |r| decreases,
// or for PLM until it is below the largest of the last five; where no length is accepted, a is raised (damping).
#include "contact/large/large_polyhedral.h"
#include "contact/algebra/ncp_function.h"
#include "topology/base/reserve.h"

#include <stdlib.h>
#include <string.h>

// OTHERS: unknowns of a contact beside its plane directions
enum { MOST = SRS_NODE_MOST, OTHERS = 4, MOST_OWN = SRS_POLYHEDRON_MOST + OTHERS, WIDE = MOST_OWN + 2 * MOST + 1 };

static const double soft = 1e-12;         // on W's diagonal
static const double towards_edge = 0.995; // of the way to the nearest bound
static const double low_product = 0.01;   // over the mean one

// ---- memory ----

enum { VECTORS = 10 };

bool srs_large_polyhedral_reserve(srs_large_polyhedral *s, int n_rows, int n_nodes, int n_directions)
{
  const int directions = (int)fmax(n_directions, s->n_directions),
            nodes = n_nodes > s->most_nodes ? n_nodes : s->most_nodes;
  if (n_rows <= s->most_rows && nodes == s->most_nodes && directions == s->n_directions) return true;
  const size_t rows = (size_t)srs_dense_stride(n_rows + 1), n = (size_t)nodes * (size_t)(directions + OTHERS);
  double *doubles = srs_reserve((VECTORS + MOST) * n + 3 * rows, sizeof *doubles);
  int *integers = srs_reserve((size_t)nodes + 1, sizeof *integers);
  if (doubles == NULL || integers == NULL) {
    srs_release(doubles);
    srs_release(integers);
    return false;
  }
  srs_large_polyhedral_release(s);
  *s = (srs_large_polyhedral){
      .most_rows = n_rows, .most_nodes = nodes, .n_directions = directions, .doubles = doubles, .integers = integers};
  double **const vectors[VECTORS] = {&s->z,    &s->f,    &s->y,     &s->dz,    &s->dy,
                                     &s->by_z, &s->by_f, &s->right, &s->trial, &s->best};
  for (size_t i = 0; i < VECTORS; i++, doubles += n) *vectors[i] = doubles;
  s->share = doubles, doubles += MOST * n;
  s->offset = doubles, doubles += rows;
  s->u = doubles, doubles += rows;
  s->v = doubles;
  s->first = integers;
  return true;
}

void srs_large_polyhedral_release(srs_large_polyhedral *s)
{
  srs_release(s->doubles);
  srs_release(s->integers);
}

// ---- nodes ----

typedef enum kind { CONTACT, SINGLE, BOX, FREE } kind; // CONTACT: with tangents

static const srs_cone_problem *cone_of(const srs_large_polyhedral *s) { return &s->cone->fallback.cone; }

static int rows_of(const srs_large_polyhedral *s, int node)
{
  return s->cone->pattern.first[node + 1] - s->cone->pattern.first[node];
}

static kind kind_of(const srs_large_polyhedral *s, int node)
{
  const srs_cone_problem *cone = cone_of(s);
  const int box = node - cone->n_contacts - cone->n_unilateral;
  if (node < cone->n_contacts) return rows_of(s, node) > 1 ? CONTACT : SINGLE;
  if (box < 0) return SINGLE;
  const bool has_lower = cone->lower[box] > -INFINITY, has_upper = cone->upper[box] < INFINITY;
  return has_lower && has_upper ? BOX : has_lower || has_upper ? SINGLE : FREE;
}

static double *add_unknown(srs_large_polyhedral *s)
{
  double *share = s->share + MOST * (size_t)s->n++;
  memset(share, 0, sizeof *share * MOST);
  return share;
}

// A direction in the plane, turned so that the first is that of the impulses in `towards`.
static void turned(const srs_large_polyhedral *s, int node, const double direction[2], double *t)
{
  const int first = s->cone->pattern.first[node];
  const bool has_plane = rows_of(s, node) == 1 + srs_contact_tangents(s->cone->problem, node);
  const double *x = s->towards == NULL || !has_plane ? NULL : s->towards + first + 1;
  const double size = x == NULL ? 0 : sqrt(x[0] * x[0] + x[1] * x[1]);
  const double c = size > 0 ? x[0] / size : 1, sine = size > 0 ? x[1] / size : 0;
  t[0] = c * direction[0] - sine * direction[1], t[1] = sine * direction[0] + c * direction[1];
}

// The polyhedron's directions that differ in the kept tangents; for one tangent the two extreme ones.
static void add_directions(srs_large_polyhedral *s, int node)
{
  const srs_contact_problem *p = s->cone->problem;
  const srs_polyhedron *polyhedron = &s->polyhedron;
  const int first = s->cone->pattern.first[node], rows = rows_of(s, node), row = s->cone->kept[first];
  const int d = srs_contact_tangents(p, node), n = srs_polyhedron_directions(polyhedron, d);
  double extreme = 0;
  for (int k = 0; k < n; k++) {
    double t[3] = {0, 0, 0}, kept[MOST] = {0}, most = 0;
    if (d == 1)
      t[0] = k == 0 ? 1 : -1;
    else if (k < polyhedron->n)
      turned(s, node, polyhedron->direction[k], t);
    else
      t[2] = k == polyhedron->n ? 1 : -1;
    for (int i = 1; i < rows; i++) kept[i] = t[s->cone->kept[first + i] - row - 1], most = fmax(most, fabs(kept[i]));
    extreme = fmax(extreme, most);
    if (rows > 2 && most > 0) memcpy(add_unknown(s), kept, sizeof kept);
  }
  if (rows > 2) return;
  add_unknown(s)[1] = extreme;
  add_unknown(s)[1] = -extreme;
}

bool srs_large_polyhedral_begin(srs_large_polyhedral *s, srs_large_cone *cone, const srs_polyhedron *polyhedron,
                                const double *towards)
{
  s->cone = cone;
  s->towards = towards;
  s->polyhedron = *polyhedron;
  s->n = 0, s->own_work = 0;
  if (polyhedron->n > s->n_directions || cone->pattern.n_nodes > s->most_nodes || cone->pattern.n > s->most_rows)
    return false;
  memset(s->offset, 0, sizeof *s->offset * (size_t)cone->pattern.n);
  for (int node = 0; node < cone->pattern.n_nodes; node++) {
    const int row = cone->pattern.first[node];
    s->first[node] = s->n;
    const kind of = kind_of(s, node);
    if (of == FREE) continue;
    const int box = node - cone_of(s)->n_contacts - cone_of(s)->n_unilateral;
    const bool is_upper = box >= 0 && !(cone_of(s)->lower[box] > -INFINITY);
    add_unknown(s)[0] = is_upper ? -1 : 1;
    if (box >= 0) s->offset[row] = is_upper ? cone_of(s)->upper[box] : cone_of(s)->lower[box];
    if (of == SINGLE) continue;
    if (of == CONTACT) add_directions(s, node);
    (void)add_unknown(s);
    const double own = s->n - s->first[node], rows = rows_of(s, node);
    s->own_work += own * (own + rows) * (own + 2 * rows + 1);
  }
  s->first[cone->pattern.n_nodes] = s->n;
  return true;
}

// Adds N z to a node's f, and q where `is_whole`.
static void add_own(const srs_large_polyhedral *s, int node, bool is_whole, const double *z, double *f)
{
  const int last = s->first[node + 1] - 1, box = node - cone_of(s)->n_contacts - cone_of(s)->n_unilateral;
  switch (kind_of(s, node)) {
  case CONTACT:
    f[last] += cone_of(s)->friction[node] * z[s->first[node]];
    for (int k = s->first[node] + 1; k < last; k++) f[k] += z[last], f[last] -= z[k];
    break;
  case BOX:
    f[last - 1] += z[last];
    f[last] += (is_whole ? cone_of(s)->upper[box] - cone_of(s)->lower[box] : 0) - z[last - 1];
    break;
  case SINGLE:
  case FREE: break;
  }
}

// f <- S^T w + N z (+ q).
static void complement(const srs_large_polyhedral *s, bool is_whole, const double *z, const double *w, double *f)
{
  for (int node = 0; node < s->cone->pattern.n_nodes; node++) {
    const int row = s->cone->pattern.first[node], rows = rows_of(s, node);
    for (int k = s->first[node]; k < s->first[node + 1]; k++) {
      f[k] = 0;
      for (int i = 0; i < rows; i++) f[k] += s->share[MOST * (size_t)k + (size_t)i] * w[row + i];
    }
    if (s->first[node + 1] > s->first[node]) add_own(s, node, is_whole, z, f);
  }
}

// x of z; free rows are left as they are.
static void add_up(const srs_large_polyhedral *s, const double *z, double *x)
{
  for (int node = 0; node < s->cone->pattern.n_nodes; node++) {
    const int row = s->cone->pattern.first[node], rows = rows_of(s, node);
    if (s->first[node + 1] == s->first[node]) continue;
    for (int i = 0; i < rows; i++) {
      double sum = s->offset[row + i];
      for (int k = s->first[node]; k < s->first[node + 1]; k++) sum += s->share[MOST * (size_t)k + (size_t)i] * z[k];
      x[row + i] = sum;
    }
  }
}

// x, w and f of z.
static void evaluate(const srs_large_polyhedral *s, const double *z, double *f)
{
  srs_fallback *l = &s->cone->fallback;
  add_up(s, z, l->x);
  srs_cone_velocity(&l->cone, l->x, l->w);
  complement(s, true, z, l->w, f);
}

static double evaluation_work(const srs_large_polyhedral *s) { return srs_cone_numbers(cone_of(s)) + 20.0 * s->n; }

// ---- a step ----

// A node's equations in dz, u, v and 1: [a + c N | 0 | c S^T | g], [S | -1 | 0 | 0]; returns how many.
static int set_up_node(const srs_large_polyhedral *s, int node, double own[][WIDE])
{
  const int from = s->first[node], n = s->first[node + 1] - from, rows = rows_of(s, node), last = n - 1;
  const kind of = kind_of(s, node);
  for (int k = 0; k < n + rows; k++) memset(own[k], 0, sizeof own[k][0] * (size_t)(n + 2 * rows + 1));
  for (int k = 0; k < n; k++) {
    const double *share = s->share + MOST * (size_t)(from + k), c = s->by_f[from + k];
    own[k][k] = s->by_z[from + k];
    if (of == CONTACT && k == last) own[k][0] += c * cone_of(s)->friction[node];
    for (int j = 1; of == CONTACT && k == last && j < last; j++) own[k][j] -= c;
    if (of == CONTACT && k > 0 && k < last) own[k][last] += c;
    if (of == BOX) own[k][1 - k] += k == 0 ? c : -c;
    for (int i = 0; i < rows; i++) own[k][n + rows + i] = c * share[i], own[n + i][k] = share[i];
    own[k][n + 2 * rows] = s->right[from + k];
  }
  for (int i = 0; i < rows; i++) own[n + i][n + i] = -1;
  return n + rows;
}

// The first n columns are eliminated; equations keep their order but for pivots, which come first.
SRS_CONTACT_KERNEL
static void eliminate(int n, int equations, int wide, double own[][WIDE])
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < equations; i++)
      if (fabs(own[i][k]) > fabs(own[best][k])) best = i;
    for (int j = k; j < wide && best != k; j++) {
      const double t = own[k][j];
      own[k][j] = own[best][j], own[best][j] = t;
    }
    const double inverse = own[k][k] != 0 ? 1 / own[k][k] : 0;
    for (int i = k + 1; i < equations; i++) {
      const double f = own[i][k] * inverse;
      if (f == 0) continue;
      for (int j = k + 1; j < wide; j++) own[i][j] -= f * own[k][j];
    }
  }
}

// The node's rows of E + F W, and h.
static void set_node(const srs_large_polyhedral *s, int node, double *J, double *h)
{
  const srs_sparse *p = &s->cone->pattern;
  const double *W = cone_of(s)->packed + p->begin[node];
  const int n = s->first[node + 1] - s->first[node], rows = rows_of(s, node), own_column = p->first[node];
  const size_t wide = (size_t)p->wide[node];
  double own[MOST_OWN + MOST][WIDE];
  J += p->begin[node];
  if (n == 0) { // w = 0
    memcpy(J, W, sizeof *J * wide);
    h[own_column] = -s->cone->fallback.w[own_column];
    *srs_sparse_diagonal(p, J - p->begin[node], own_column) += soft;
    return;
  }
  const int equations = set_up_node(s, node, own);
  eliminate(n, equations, n + 2 * rows + 1, own);
  for (int i = 0; i < rows; i++) {
    const double *E = own[n + i] + n, *F = E + rows;
    double *to = J + (size_t)i * wide;
    double most = 0;
    for (int j = 0; j < 2 * rows; j++) most = fmax(most, fabs(E[j]));
    const double scale = most > 0 ? 1 / most : 1;
    h[own_column + i] = scale * F[rows];
    memset(to, 0, sizeof *to * wide);
    for (int k = 0; k < rows; k++)
      for (size_t j = 0; j < wide; j++) to[j] += scale * F[k] * W[(size_t)k * wide + j];
    double *diagonal = srs_sparse_diagonal(p, J - p->begin[node], own_column) + (size_t)i * wide;
    for (int j = 0; j < rows; j++) diagonal[j] += scale * (E[j] + soft * F[j]);
  }
}

// dz of a node, u and v being known.
static void finish_node(const srs_large_polyhedral *s, int node)
{
  const int from = s->first[node], n = s->first[node + 1] - from, rows = rows_of(s, node);
  const int row = s->cone->pattern.first[node];
  double own[MOST_OWN + MOST][WIDE];
  if (n == 0) return;
  const int equations = set_up_node(s, node, own);
  for (int k = 0; k < equations; k++) {
    double sum = own[k][n + 2 * rows];
    for (int i = 0; i < rows; i++) sum -= own[k][n + i] * s->u[row + i] + own[k][n + rows + i] * s->v[row + i];
    own[k][n] = sum;
  }
  eliminate(n, equations, n + 1, own);
  for (int k = n - 1; k >= 0; k--) {
    double sum = own[k][n];
    for (int j = k + 1; j < n; j++) sum -= own[k][j] * s->dz[from + j];
    s->dz[from + k] = own[k][k] != 0 ? sum / own[k][k] : 0;
  }
}

// dz of by_z, by_f and right; u and v too.
static bool find_step(const srs_large_polyhedral *s)
{
  srs_fallback *l = &s->cone->fallback;
  const srs_sparse *p = &s->cone->pattern;
  if (!srs_lm_spend(&l->lm, srs_lm_cost(&l->lm, p->n) + s->own_work)) return false;
  for (int node = 0; node < p->n_nodes; node++) set_node(s, node, l->lm.J, s->u);
  if (!srs_sparse_solve(p, l->lm.J, 0, l->lm.gram, s->u)) return false;
  srs_cone_multiply(&l->cone, s->u, s->v);
  for (int node = 0; node < p->n_nodes; node++) finish_node(s, node);
  return true;
}

// ---- the interior point ----

// |phi|, of the penalised function where weight is below 1, and |w| of free rows.
static double norm_of(const srs_large_polyhedral *s, double weight, const double *z, const double *f)
{
  double sum = 0;
  for (int k = 0; k < s->n; k++) {
    const double r = srs_penalised_fb(weight, z[k], f[k]);
    sum += r * r;
  }
  for (int node = 0; node < s->cone->pattern.n_nodes; node++) {
    if (s->first[node + 1] > s->first[node]) continue;
    const double w = s->cone->fallback.w[s->cone->pattern.first[node]];
    sum += w * w;
  }
  return sqrt(sum);
}

// How far z and y can go.
static double room_of(const srs_large_polyhedral *s)
{
  double room = 1 / towards_edge;
  for (int k = 0; k < s->n; k++) {
    if (s->dz[k] < 0) room = fmin(room, -s->z[k] / s->dz[k]);
    if (s->dy[k] < 0) room = fmin(room, -s->y[k] / s->dy[k]);
  }
  return room;
}

static double mean_product(const srs_large_polyhedral *s)
{
  double sum = 0;
  for (int k = 0; k < s->n; k++) sum += s->z[k] * s->y[k];
  return s->n > 0 ? sum / s->n : 0;
}

// dz and dy towards z y = target.
static bool interior_step(srs_large_polyhedral *s, double target)
{
  for (int k = 0; k < s->n; k++) {
    const double sum = s->z[k] + s->y[k];
    s->by_z[k] = s->y[k] / sum, s->by_f[k] = s->z[k] / sum;
    s->right[k] = (target - s->z[k] * s->f[k]) / sum;
  }
  if (!find_step(s)) return false;
  complement(s, false, s->dz, s->v, s->dy);
  for (int k = 0; k < s->n; k++) s->dy[k] += s->f[k] - s->y[k];
  return true;
}

static void move_free(const srs_large_polyhedral *s, double length, const double *from)
{
  for (int node = 0; node < s->cone->pattern.n_nodes; node++) {
    const int row = s->cone->pattern.first[node];
    if (s->first[node + 1] == s->first[node]) s->cone->fallback.x[row] = from[row] + length * s->u[row];
  }
}

// The unknowns of the impulses and velocities in the fallback's x and w.
static void find_unknowns(srs_large_polyhedral *s)
{
  const srs_fallback *l = &s->cone->fallback;
  for (int node = 0; node < s->cone->pattern.n_nodes; node++) {
    const int row = s->cone->pattern.first[node], rows = rows_of(s, node), from = s->first[node];
    const int last = s->first[node + 1] - 1, box = node - cone_of(s)->n_contacts - cone_of(s)->n_unilateral;
    const double *x = l->x + row, *share = s->share + MOST * (size_t)from;
    if (last < from) continue;
    s->z[from] = fmax(share[0] * (x[0] - s->offset[row]), 0);
    if (last == from) continue;
    if (kind_of(s, node) == BOX) {
      s->z[from] = fmin(s->z[from], cone_of(s)->upper[box] - cone_of(s)->lower[box]);
      s->z[last] = fmax(0, -l->w[row]);
      continue;
    }
    for (int k = from + 1; k < last; k++) s->z[k] = 0;
    const int d = srs_contact_tangents(s->cone->problem, node);
    if (rows == 2)
      s->z[from + 1] = fmax(x[1] / share[MOST + 1], 0), s->z[from + 2] = fmax(-x[1] / share[MOST + 1], 0);
    else if (d == rows - 1)
      srs_polyhedron_spread(&s->polyhedron, d, x + 1, s->z + from + 1);
    s->z[last] = 0;
    for (int k = from + 1; k < last; k++) {
      double along = 0;
      for (int i = 1; i < rows; i++) along -= s->share[MOST * (size_t)k + (size_t)i] * l->w[row + i];
      s->z[last] = fmax(s->z[last], along);
    }
  }
}

// z = y = weight, or not less than it near the impulses in x.
static void begin_interior(srs_large_polyhedral *s, bool is_near, double weight)
{
  srs_fallback *l = &s->cone->fallback;
  if (!is_near) {
    memset(l->x, 0, sizeof *l->x * (size_t)s->cone->pattern.n);
    for (int k = 0; k < s->n; k++) s->z[k] = s->y[k] = weight;
    return;
  }
  srs_cone_velocity(&l->cone, l->x, l->w);
  find_unknowns(s);
  evaluate(s, s->z, s->f);
  for (int k = 0; k < s->n; k++) s->z[k] = fmax(s->z[k], weight), s->y[k] = fmax(s->f[k], weight);
}

// Products far below the mean, usually of one contact at the edge of sticking, make steps short: moves all unknowns of
// such nodes away from their bounds.
static void part_from_bounds(const srs_large_polyhedral *s, double mean, double side)
{
  for (int node = 0; node < s->cone->pattern.n_nodes; node++) {
    bool is_low = false;
    for (int k = s->first[node]; k < s->first[node + 1]; k++) is_low |= s->z[k] * s->y[k] < low_product * mean;
    for (int k = s->first[node]; k < s->first[node + 1] && is_low; k++)
      s->z[k] = fmax(s->z[k], side), s->y[k] = fmax(s->y[k], side);
  }
}

double srs_large_polyhedral_interior(srs_large_polyhedral *s, bool is_near, double weight, double goal,
                                     int max_iterations)
{
  enum { PATIENCE = 30, SHORT_STEPS = 3, PARTINGS = 6 };
  srs_fallback *l = &s->cone->fallback;
  const size_t bytes = sizeof *l->x * (size_t)s->cone->pattern.n;
  double least = INFINITY, mark = INFINITY, last = 1, apart = 3;
  int idle = 0, n_short = 0, partings = 0;
  begin_interior(s, is_near, weight);
  memcpy(l->good, l->x, bytes);
  for (int i = 0; i <= max_iterations && idle < PATIENCE; i++, idle++) {
    if (!srs_lm_spend(&l->lm, evaluation_work(s))) break;
    evaluate(s, s->z, s->f);
    const double here = norm_of(s, 1, s->z, s->f), mean = mean_product(s);
    if (here < 0.5 * mark) mark = here, idle = 0;
    if (here < least) {
      least = here;
      memcpy(l->good, l->x, bytes);
    }
    if (least <= goal || i == max_iterations || !(here < INFINITY)) break;
    n_short = last < 0.1 ? n_short + 1 : 0;
    if (n_short == SHORT_STEPS) {
      if (partings++ == PARTINGS) break;
      part_from_bounds(s, mean, apart * sqrt(mean));
      apart = apart * sqrt(mean) < 1 ? 10 * apart : 3;
      n_short = 0, last = 1;
    }
    const double share = last > 0.9 ? 0.1 : last > 0.5 ? 0.3 : last > 0.1 ? 0.5 : 1;
    if (!interior_step(s, share * mean_product(s))) break;
    s->iterations++;
    last = fmin(1, towards_edge * room_of(s));
    for (int k = 0; k < s->n; k++) s->z[k] += last * s->dz[k], s->y[k] += last * s->dy[k];
    move_free(s, last, l->x);
  }
  memcpy(l->x, l->good, bytes);
  return least;
}

// ---- Newton ----

// Slopes of phi; `damping` is added to those by z.
static void set_slopes(srs_large_polyhedral *s, double damping)
{
  for (int k = 0; k < s->n; k++) {
    s->right[k] = -srs_penalised_fb(s->weight, s->z[k], s->f[k]);
    if (s->z[k] == 0 && s->f[k] == 0)
      s->by_z[k] = s->by_f[k] = s->weight * (1 - sqrt(0.5));
    else
      srs_penalised_fb_slopes(s->weight, s->z[k], s->f[k], &s->by_z[k], &s->by_f[k]);
    s->by_z[k] += damping;
  }
}

// Along dz from z and `from`, in free rows: to where |r| is at most `most`, less the required decrease.
static bool search_line(srs_large_polyhedral *s, const double *from, double most, double *norm)
{
  enum { HALVINGS = 10 };
  for (int half = 0; half <= HALVINGS; half++) {
    const double t = ldexp(1, -half);
    if (half > 0 && !srs_lm_spend(&s->cone->fallback.lm, evaluation_work(s))) return false;
    for (int k = 0; k < s->n; k++) s->trial[k] = s->z[k] + t * s->dz[k];
    move_free(s, t, from);
    evaluate(s, s->trial, s->f);
    const double there = norm_of(s, s->weight, s->trial, s->f);
    if (!(there <= (1 - 1e-4 * t) * most)) continue;
    memcpy(s->z, s->trial, sizeof *s->z * (size_t)s->n);
    *norm = there;
    return true;
  }
  return false;
}

// From z, with x in the fallback's centre; damping is raised until a step helps. False where none does.
static bool damped_step(srs_large_polyhedral *s, double most, double *damping, double *norm)
{
  srs_fallback *l = &s->cone->fallback;
  while (*damping < 1 && srs_lm_spend(&l->lm, 2 * evaluation_work(s))) {
    memcpy(l->x, l->centre, sizeof *l->x * (size_t)s->cone->pattern.n);
    evaluate(s, s->z, s->f);
    set_slopes(s, *damping);
    s->iterations++;
    const bool is_better = find_step(s) && search_line(s, l->centre, most, norm);
    *damping = is_better ? fmax(1e-12, 1e-4 * *damping) : 100 * *damping;
    if (is_better) return true;
  }
  return false;
}

double srs_large_polyhedral_newton(srs_large_polyhedral *s, double goal, double enough, int max_iterations)
{
  enum { MEMORY = 5, PATIENCE = 15 };
  srs_fallback *l = &s->cone->fallback;
  const size_t bytes = sizeof *l->x * (size_t)s->cone->pattern.n;
  double recent[MEMORY] = {0}, damping = 1e-12;
  srs_cone_velocity(&l->cone, l->x, l->w);
  find_unknowns(s);
  evaluate(s, s->z, s->f);
  double norm = norm_of(s, s->weight, s->z, s->f), least = norm, mark = norm;
  memcpy(l->good, l->x, bytes);
  for (int i = 0, idle = 0; i < max_iterations && least > goal && idle < PATIENCE; i++, idle++) {
    double most = recent[i % MEMORY] = norm;
    for (int k = 0; k < MEMORY && !s->is_monotone; k++) most = fmax(most, recent[k]);
    memcpy(l->centre, l->x, bytes);
    if (!damped_step(s, most, &damping, &norm)) break;
    const double before = least;
    if (norm < least) {
      least = norm;
      memcpy(l->good, l->x, bytes);
    }
    if (least < 0.5 * mark) mark = least, idle = -1;
    if (least <= enough && least > 0.01 * before) break;
  }
  memcpy(l->x, l->good, bytes);
  return least;
}
