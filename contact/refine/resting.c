// Answers in which more rows rest than W has rank.
//
// Many contacts of few bodies have more rows than the bodies have freedoms, so W = L L^T is of a rank m less than its n
// rows, and velocities are w = b + L u with m numbers u. In an answer the contacts that press have w_n = 0, and w_t = 0
// too where they stick: often more rows than m. Then m of them determine u, and that the others rest as well can
// hardly be by chance:
//
//   draw         some contacts that stick and some that press, m rows together; u is where these rest
//   test         no w_n is below 0, and more than those drawn are 0
//   press        with w, modes are known: x = 0 where w_n > 0, x = y (1, -mu w_t / |w_t|) where it slides, x in the
//                cone where w = 0. Such impulses satisfy L^T x = u, cones and a plane: the averaged reflections of
//                Douglas & Rachford lead to a point of both, if there is one
//
// Of 20 contacts of which 7 stick, 4 that do are drawn once in 140 times: u for m = 12.
#include "contact/refine/resting.h"
#include "contact/algebra/random.h"
#include "contact/algebra/semidefinite.h"

#include <string.h>

static const double least_pivot = 1e-13, least_diagonal = 1e-10, independent = 1e-9, twice_below = 0.1,
                    contradiction = 1e-7,
                    zero = 1e-9;         // of W; of W; of velocities
static const double most_of_rows = 0.75; // rank over rows
static const double reached = 1e-10, near_enough = 1e-3, promising = 3e-2, least_decrease = 0.9, least_part = 1e-2;
enum { MOST_REFLECTIONS = 2000, CHECK_EVERY = 50, ROUNDS = 8 };

static int nodes_of(const srs_cone_problem *p) { return p->n_contacts + p->n_unilateral; }

static int node_first(const srs_cone_problem *p, int node)
{
  return node < p->n_contacts ? srs_cone_first(p, node) : srs_cone_scalars(p) + node - p->n_contacts;
}

// Tangents that can stick.
static int node_tangents(const srs_cone_problem *p, int node)
{
  return node < p->n_contacts && p->friction[node] > 0 ? srs_cone_tangents(p, node) : 0;
}

static double *factor_of(const srs_resting *s) { return s->lm->gram; } // L: n x rank, its stride that of the rank

bool srs_resting_begin(srs_resting *s)
{
  const srs_cone_problem *p = s->problem;
  const int n = p->n, stride = p->stride;
  const srs_lm_memory *m = s->lm;
  if (p->n_box > 0 || p->sparse != NULL || !srs_lm_spend(m, srs_cube(n))) return false;
  memcpy(m->J, p->W, sizeof *m->J * (size_t)n * (size_t)stride);
  s->rank = srs_semidefinite_factor(n, m->J, stride, m->pivot, least_pivot, m->step);
  if (s->rank == 0 || s->rank > most_of_rows * n) return false;
  const size_t wide = (size_t)srs_dense_stride(s->rank);
  double *L = factor_of(s);
  memset(L, 0, sizeof *L * (size_t)n * wide);
  for (int k = 0; k < s->rank; k++) {
    const double *row = srs_semidefinite_row(m->J, stride, m->pivot, k);
    const double root = sqrt(srs_semidefinite_pivot(m->J, stride, m->pivot, k));
    for (int i = 0; i < n; i++) L[(size_t)i * wide + (size_t)k] = row[i] / root;
    for (int j = 0; j < k; j++) L[(size_t)m->pivot[j] * wide + (size_t)k] = 0;
    L[(size_t)m->pivot[k] * wide + (size_t)k] = root;
  }
  return true;
}

// ---- draw ----

static int draw_below(const srs_resting *s, int n)
{
  const int drawn = (int)(0.5 * (srs_random(s->state) + 1) * n);
  return drawn < n ? drawn : n - 1;
}

// Gram-Schmidt: a row less its parts along those so far, and its right side.
SRS_CONTACT_KERNEL
static void reduce_row(int rows, int rank, const double *Q, size_t wide, const double *q, double *row, double *right)
{
  for (int k = 0; k < rows; k++) {
    const double *other = Q + (size_t)k * wide, part = srs_dot(rank, row, other);
    for (int j = 0; j < rank; j++) row[j] -= part * other[j];
    *right -= part * q[k];
  }
}

// A row that rests into the equations Q u = q, unless it follows from them. False where it contradicts them.
static bool take_row(const srs_resting *s, int row, int *rows)
{
  const size_t wide = (size_t)srs_dense_stride(s->rank);
  double *Q = s->lm->factor, *own = Q + (size_t)*rows * wide, *q = s->lm->x, right = -s->problem->b[row];
  memcpy(own, factor_of(s) + (size_t)row * wide, sizeof *own * wide);
  const double before = srs_length(s->rank, own);
  double size = before;
  for (int pass = 0; pass < 2 && (pass == 0 || size < twice_below * before); pass++) {
    reduce_row(*rows, s->rank, Q, wide, q, own, &right);
    size = srs_length(s->rank, own);
  }
  if (!(size > independent * before)) return fabs(right) <= contradiction;
  for (int j = 0; j < s->rank; j++) own[j] /= size;
  q[(*rows)++] = right / size;
  return true;
}

// Rows that rest. False where they contradict each other, or are not enough.
static bool draw_rows(const srs_resting *s)
{
  const srs_cone_problem *p = s->problem;
  const int count = nodes_of(p), least = s->rank > count ? (s->rank - count + 1) / 2 : 0, most = s->rank / 3;
  const int sticking = most > least ? least + draw_below(s, most - least + 1) : least;
  double *taken = s->lm->trial;
  int rows = 0, nodes = 0;
  memset(taken, 0, sizeof *taken * (size_t)count);
  while (rows < s->rank && nodes < count) {
    int node = draw_below(s, count);
    while (taken[node] != 0) node = node + 1 < count ? node + 1 : 0;
    taken[node] = 1;
    const int i = node_first(p, node), d = nodes < sticking ? node_tangents(p, node) : 0;
    nodes++;
    for (int k = 0; k <= d && rows < s->rank; k++)
      if (!take_row(s, i + k, &rows)) return false;
  }
  return rows == s->rank;
}

// Velocities at which the rows drawn rest.
static void find_velocities(const srs_resting *s, double *u, double *w)
{
  const srs_cone_problem *p = s->problem;
  const int wide = srs_dense_stride(s->rank);
  memset(u, 0, sizeof *u * (size_t)wide);
  srs_dense_multiply_transposed(s->rank, s->rank, s->lm->factor, wide, s->lm->x, u);
  for (int i = s->rank; i < wide; i++) u[i] = 0;
  srs_dense_multiply(p->n, s->rank, factor_of(s), wide, u, w);
  for (int i = 0; i < p->n; i++) w[i] += p->b[i];
}

// How many of a node's rows rest that impulses can move: the others say nothing.
static int resting_rows(const srs_resting *s, int node, const double *w)
{
  const srs_cone_problem *p = s->problem;
  const int i = node_first(p, node), d = node_tangents(p, node);
  if (w[i] > zero) return 0;
  const int rows = srs_length(d, w + i + 1) <= zero ? 1 + d : 1;
  int count = 0;
  for (int k = 0; k < rows; k++) count += p->W[(size_t)(i + k) * (size_t)(p->stride + 1)] > least_diagonal;
  return count;
}

// Whether nothing sinks in, and more rests than was drawn.
static bool is_special(const srs_resting *s, const double *w)
{
  const srs_cone_problem *p = s->problem;
  int resting = 0;
  for (int node = 0; node < nodes_of(p); node++) {
    if (!(w[node_first(p, node)] >= -zero)) return false;
    resting += resting_rows(s, node, w);
  }
  return resting > s->rank;
}

// ---- press ----

// A contact's unknowns: 1 + d where it sticks, 1 where it slides, 0 where it parts.
static int unknowns_of(const srs_cone_problem *p, int node, const double *w)
{
  const double *own = w + node_first(p, node);
  if (own[0] > zero) return 0;
  const int d = node_tangents(p, node);
  return srs_length(d, own + 1) > zero ? 1 : 1 + d;
}

// B^T, rank rows of so many unknowns, by columns: L^T x = B^T y, y in units that a contact's share. Returns the
// unknowns.
static int form_plane(const srs_resting *s, const double *w, const double *unit, double *B, size_t stride)
{
  const srs_cone_problem *p = s->problem;
  const size_t wide = (size_t)srs_dense_stride(s->rank), rank = (size_t)s->rank;
  int at = 0;
  for (int node = 0; node < nodes_of(p); node++) {
    const int i = node_first(p, node), d = node_tangents(p, node), count = unknowns_of(p, node, w);
    const double *L = factor_of(s) + (size_t)i * wide, slip = srs_length(d, w + i + 1);
    for (int k = 0; k < count; k++, at++)
      for (size_t j = 0; j < rank; j++) B[j * stride + (size_t)at] = L[(size_t)k * wide + j];
    for (int k = 1; k <= d && count == 1; k++)
      for (size_t j = 0; j < rank; j++)
        B[j * stride + (size_t)at - 1] -= p->friction[node] * w[i + k] / slip * L[(size_t)k * wide + j];
  }
  for (size_t j = 0; j < rank; j++)
    for (size_t k = 0; k < stride; k++) B[j * stride + k] = k < (size_t)at ? unit[k] * B[j * stride + k] : 0;
  return at;
}

// Gram-Schmidt, each row twice: B^T y = u becomes Q^T y = q, Q^T in B's place.
static void make_orthonormal(int rank, int n, double *B, int stride, const double *u, double *q)
{
  for (int j = 0; j < rank; j++) {
    double *row = B + (size_t)j * (size_t)stride, right = u[j];
    const double before = srs_length(n, row);
    for (int pass = 0; pass < 2; pass++)
      for (int k = 0; k < j; k++) {
        const double *other = B + (size_t)k * (size_t)stride, part = srs_dot(n, row, other);
        for (int i = 0; i < n; i++) row[i] -= part * other[i];
        right -= part * q[k];
      }
    const double size = srs_length(n, row);
    const bool is_independent = size > least_pivot * before;
    for (int i = 0; i < n; i++) row[i] = is_independent ? row[i] / size : 0;
    q[j] = is_independent ? right / size : 0;
  }
}

// The nearest point of a cone |t| <= mu n.
static void into_cone(int d, double mu, const double *from, double *to)
{
  const double size = srs_length(d, from + 1), normal = (from[0] + mu * size) / (1 + mu * mu);
  const bool is_inside = from[0] >= 0 && size <= mu * from[0], is_below = mu * size <= -from[0];
  const double part = is_inside ? 1 : is_below ? 0 : mu * normal / size;
  to[0] = is_inside ? from[0] : is_below ? 0 : normal;
  for (int k = 1; k <= d; k++) to[k] = part * from[k];
}

static void into_cones(const srs_cone_problem *p, const double *w, const double *from, double *to)
{
  for (int node = 0; node < nodes_of(p); node++) {
    const int count = unknowns_of(p, node, w);
    if (count > 0) into_cone(count - 1, count > 1 ? p->friction[node] : 0, from, to);
    from += count, to += count;
  }
}

// How far y is from the plane; off = Q^T y - q.
static double distance(const srs_resting *s, int n, const double *q, const double *y, double *off)
{
  srs_dense_multiply(s->rank, n, s->lm->J, s->problem->stride, y, off);
  for (int i = 0; i < s->rank; i++) off[i] -= q[i];
  for (int i = s->rank; i < s->problem->stride; i++) off[i] = 0;
  return srs_length(s->rank, off);
}

// From y into the cones and nearly into the plane Q^T y = q; how far from it.
static double reflect(const srs_resting *s, const double *w, int n, const double *q, double *y)
{
  const srs_lm_memory *m = s->lm;
  const int stride = s->problem->stride;
  double *at = m->trial, *step = m->trial_r, *off = m->best, away = INFINITY;
  memset(step, 0, sizeof *step * (size_t)stride);
  memcpy(at, y, sizeof *y * (size_t)stride);
  for (int k = 0; k < MOST_REFLECTIONS && srs_lm_spend(m, 4.0 * n * s->rank + 20.0 * n); k++) {
    into_cones(s->problem, w, at, y);
    if (k % CHECK_EVERY == 0) {
      const double before = away;
      away = distance(s, n, q, y, off);
      if (away <= reached || away > least_decrease * before) break;
    }
    for (int i = 0; i < n; i++) step[i] = 2 * y[i] - at[i];
    (void)distance(s, n, q, step, off);
    srs_dense_multiply_transposed(s->rank, n, m->J, stride, off, step);
    for (int i = 0; i < n; i++) at[i] = y[i] - step[i];
    for (int i = n; i < stride; i++) step[i] = 0;
  }
  return away;
}

static void spread(const srs_cone_problem *p, const double *w, const double *y, double *x)
{
  for (int node = 0; node < nodes_of(p); node++) {
    const int i = node_first(p, node), d = node_tangents(p, node), count = unknowns_of(p, node, w);
    const int rows = node < p->n_contacts ? 1 + srs_cone_tangents(p, node) : 1;
    const double slip = srs_length(d, w + i + 1);
    for (int k = 0; k < rows; k++) x[i + k] = k < count ? y[k] : 0;
    for (int k = 1; k <= d && count == 1; k++) x[i + k] = -p->friction[node] * y[0] * w[i + k] / slip;
    y += count;
  }
}

// Whether these velocities were tried before; they are then.
static bool is_known(srs_resting *s, const double *w)
{
  double sign = 0;
  for (int i = 0; i < s->problem->n; i++) sign += w[i] * (i + 1);
  for (int k = 0; k < SRS_RESTING_KNOWN && k < s->n_known; k++)
    if (fabs(s->known[k] - sign) <= zero) return true;
  s->known[s->n_known++ % SRS_RESTING_KNOWN] = sign;
  return false;
}

// y in new units, a contact's own size.
static void change_units(const srs_resting *s, const double *w, double *unit, double *y)
{
  const srs_cone_problem *p = s->problem;
  for (int node = 0; node < nodes_of(p); node++) {
    const int count = unknowns_of(p, node, w);
    const double size = srs_length(count, y), part = fmax(size, least_part);
    for (int k = 0; k < count; k++) unit[k] *= part, y[k] /= part;
    unit += count, y += count;
  }
}

// Impulses for velocities: first in the problem's units, then in those of each contact's impulse so far.
static bool press(const srs_resting *s, const double *u, const double *w, double *x)
{
  const srs_lm_memory *m = s->lm;
  const int stride = s->problem->stride;
  double *q = m->gradient, *unit = m->tall, *y = s->impulse, away = INFINITY;
  int unknowns = 0;
  memset(y, 0, sizeof *y * (size_t)stride);
  for (int i = 0; i < stride; i++) unit[i] = 1;
  for (int round = 0; round < ROUNDS; round++) {
    if (!srs_lm_spend(m, 4.0 * s->rank * s->rank * s->problem->n)) return false;
    if (round > 0) change_units(s, w, unit, y);
    unknowns = form_plane(s, w, unit, m->J, (size_t)stride);
    make_orthonormal(s->rank, unknowns, m->J, stride, u, q);
    away = reflect(s, w, unknowns, q, y);
    if (away <= reached || (round == 0 && !(away <= promising))) break;
  }
  for (int i = 0; i < unknowns; i++) y[i] *= unit[i];
  if (!(away <= near_enough)) return false;
  spread(s->problem, w, y, x);
  return true;
}

bool srs_resting_search(srs_resting *s, double *x)
{
  const double rank = s->rank, cost = 1.5 * rank * rank * (rank + 20) + s->problem->n * (rank + 10);
  double *u = s->lm->step, *w = s->velocity;
  while (srs_lm_spend(s->lm, cost)) {
    if (!draw_rows(s)) continue;
    find_velocities(s, u, w);
    if (is_special(s, w) && !is_known(s, w) && press(s, u, w, x)) return true;
  }
  return false;
}
