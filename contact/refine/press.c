// Impulses for velocities at which contacts rest.
//
// With w, modes are known: x = 0 where w_n > 0, x = y (1, -mu w_t / |w_t|) where it slides, x in the cone where w = 0.
// Such impulses satisfy L^T x = u, cones and a plane. Newton's steps towards the analytic centre of both, from inside
// the cones, reach the plane wherever there are impulses that do not lie on the cones' borders, whatever their sizes:
// with phi = -sum log(mu^2 y_n^2 - |y_t|^2), and -log y of a single row,
//
//   dy = y - H^-1 Q v    S v = 2 Q^T y - q    S = Q^T H^-1 Q    H^-1 = y y^T - (mu^2 y_n^2 - |y_t|^2) / 2 diag(1 /
//   mu^2, -1)
//
// (Boyd & Vandenberghe 2004, 10.3.) Else the averaged reflections of Douglas & Rachford lead to a point of both, if
// there is one.
#include "contact/refine/press.h"
#include "contact/algebra/dense.h"

#include <string.h>

static const double least_pivot = 1e-13, rounding = 1e-12; // of rows; of the largest
static const double reached = 1e-10, near_enough = 1e-3, promising = 3e-2, least_decrease = 0.9, least_part = 1e-2;
static const double towards_edge = 0.95; // of the way to the nearest border of a cone
enum { MOST_REFLECTIONS = 2000, CHECK_EVERY = 50, ROUNDS = 8, MOST_CENTRINGS = 60 };

// A contact's unknowns: 1 + d where it sticks, 1 where it slides, 0 where it parts.
static int unknowns_of(const srs_cone_problem *p, int node, const double *w)
{
  const double *own = w + srs_resting_first(p, node);
  if (own[0] > srs_resting_zero) return 0;
  const int d = srs_resting_tangents(p, node);
  return srs_length(d, own + 1) > srs_resting_zero ? 1 : 1 + d;
}

// B^T, rank rows of so many unknowns, by columns: L^T x = B^T y, y in units that a contact's share. Returns the
// unknowns.
static int form_plane(const srs_resting *s, const double *w, const double *unit, double *B, size_t stride)
{
  const srs_cone_problem *p = s->problem;
  const size_t wide = (size_t)srs_dense_stride(s->rank), rank = (size_t)s->rank;
  int at = 0;
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int i = srs_resting_first(p, node), d = srs_resting_tangents(p, node), count = unknowns_of(p, node, w);
    const double *L = srs_resting_factor(s) + (size_t)i * wide, slip = srs_length(d, w + i + 1);
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
  double most = 0;
  for (int j = 0; j < rank; j++) most = fmax(most, srs_square(n, B + (size_t)j * (size_t)stride));
  most = sqrt(most);
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
    const bool is_independent = size > least_pivot * before && size > rounding * most;
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
  for (int node = 0; node < srs_resting_nodes(p); node++) {
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

// ---- the analytic centre ----

// out = H^-1 v, of all contacts.
static void multiply_inverse(const srs_cone_problem *p, const double *w, const double *y, const double *v, double *out)
{
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int count = unknowns_of(p, node, w), d = count - 1;
    const double mu = count > 1 ? p->friction[node] : 0, square = d > 0 ? mu * mu : 1;
    if (count == 0) continue;
    if (d == 0) {
      *out++ = *y * *y * *v;
      y++, v++;
      continue;
    }
    const double along = srs_dot(count, y, v), half = 0.5 * (square * y[0] * y[0] - srs_square(d, y + 1));
    out[0] = y[0] * along - half / square * v[0];
    for (int k = 1; k <= d; k++) out[k] = y[k] * along + half * v[k];
    y += count, v += count, out += count;
  }
}

// How far y + part dy can go inside a cone.
static double room_in(int d, double mu, const double *y, const double *dy)
{
  double room = dy[0] < 0 ? -y[0] / dy[0] : INFINITY;
  if (d == 0) return room;
  double a = mu * mu * dy[0] * dy[0], b = mu * mu * y[0] * dy[0], c = mu * mu * y[0] * y[0];
  for (int k = 1; k <= d; k++) a -= dy[k] * dy[k], b -= y[k] * dy[k], c -= y[k] * y[k];
  const double root = b * b - a * c; // of a s^2 + 2 b s + c
  if (root < 0 || (a >= 0 && b >= 0)) return room;
  const double s = c / (sqrt(root) - b);
  return s > 0 ? fmin(room, s) : room;
}

static double room_of(const srs_cone_problem *p, const double *w, const double *y, const double *dy)
{
  double room = INFINITY;
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int count = unknowns_of(p, node, w);
    if (count > 0) room = fmin(room, room_in(count - 1, count > 1 ? p->friction[node] : 0, y, dy));
    y += count, dy += count;
  }
  return room;
}

// The middle of each cone.
static void begin_inside(const srs_cone_problem *p, const double *w, double size, double *y)
{
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int count = unknowns_of(p, node, w);
    for (int k = 0; k < count; k++) y[k] = k == 0 ? size : 0;
    y += count;
  }
}

// v of a step, in `off`.
static bool find_multipliers(const srs_resting *s, const double *w, int n, const double *q, const double *y,
                             double *off)
{
  const srs_lm_memory *m = s->lm;
  const int rank = s->rank, wide = srs_dense_stride(rank);
  const size_t stride = (size_t)s->problem->stride;
  double *S = m->factor, *own = m->trial_r;
  (void)distance(s, n, q, y, off);
  for (int i = 0; i < rank; i++) off[i] = 2 * off[i] + q[i];
  for (int i = 0; i < rank; i++) {
    double *row = S + (size_t)i * (size_t)wide;
    multiply_inverse(s->problem, w, y, m->J + (size_t)i * stride, own);
    for (int j = i; j < rank; j++) row[j] = srs_dot(n, own, m->J + (size_t)j * stride);
    if (!(row[i] > 0)) row[i] = 1; // a row that follows from others
  }
  if (!srs_dense_cholesky(rank, S, wide, 0)) return false;
  srs_dense_cholesky_solve(rank, S, wide, off);
  return true;
}

// From the middle of the cones to a point inside them in the plane; how far from it.
static double centre(const srs_resting *s, const double *w, int n, const double *q, double *y)
{
  const srs_lm_memory *m = s->lm;
  const int stride = s->problem->stride;
  const double rank = s->rank, cost = rank * rank * (n + rank / 6 + 10) + 12.0 * rank * n;
  double *step = m->trial, *off = m->best, *own = m->trial_r;
  begin_inside(s->problem, w, srs_length(s->rank, q), y);
  for (int k = 0; k < MOST_CENTRINGS && srs_lm_spend(m, cost); k++) {
    if (!find_multipliers(s, w, n, q, y, off)) break;
    srs_dense_multiply_transposed(s->rank, n, m->J, stride, off, own);
    multiply_inverse(s->problem, w, y, own, step);
    for (int i = 0; i < n; i++) step[i] = y[i] - step[i];
    const double room = room_of(s->problem, w, y, step), part = room > 1 ? 1 : towards_edge * room;
    for (int i = 0; i < n; i++) y[i] += part * step[i];
    if (part == 1) break;
  }
  return distance(s, n, q, y, off);
}

static void spread(const srs_cone_problem *p, const double *w, const double *y, double *x)
{
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int i = srs_resting_first(p, node), d = srs_resting_tangents(p, node), count = unknowns_of(p, node, w);
    const int rows = node < p->n_contacts ? 1 + srs_cone_tangents(p, node) : 1;
    const double slip = srs_length(d, w + i + 1);
    for (int k = 0; k < rows; k++) x[i + k] = k < count ? y[k] : 0;
    for (int k = 1; k <= d && count == 1; k++) x[i + k] = -p->friction[node] * y[0] * w[i + k] / slip;
    y += count;
  }
}

// y in new units, a contact's own size.
static void change_units(const srs_resting *s, const double *w, double *unit, double *y)
{
  const srs_cone_problem *p = s->problem;
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int count = unknowns_of(p, node, w);
    const double size = srs_length(count, y), part = fmax(size, least_part);
    for (int k = 0; k < count; k++) unit[k] *= part, y[k] /= part;
    unit += count, y += count;
  }
}

// Impulses for velocities: first in the problem's units, then in those of each contact's impulse so far.
bool srs_resting_press(const srs_resting *s, const double *u, const double *w, double *x)
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
    if (round == 0) {
      away = centre(s, w, unknowns, q, y);
      if (away <= reached) break;
      memset(y, 0, sizeof *y * (size_t)stride);
    }
    away = reflect(s, w, unknowns, q, y);
    if (away <= reached || (round == 0 && !(away <= promising))) break;
  }
  for (int i = 0; i < unknowns; i++) y[i] *= unit[i];
  if (!(away <= near_enough)) return false;
  spread(s->problem, w, y, x);
  return true;
}
