// Velocity terms at the mean of a step's velocities, without contacts and rows: (v + v_free) / 2 = v + h/2 a.
//
//   x = g(x),   g(x) = (M + E)^-1 (tau + J^T f - c(q, v + h/2 (x + r)))
//
// r is what contacts and rows give, over h, impacts aside: v + h/2 (x + r) is the mean of v and v+. In slow trees what
// they gave in the last step will do, which is near it where they act steadily; 0 where none acted. In fast trees the
// step is taken again until r is what they gave in it (step_velocity.c, srs_rows_are_known).
//
// At v, c gives energy to a nutation at the rate w, the share h w^2 a second. A body in its own axes keeps its energy
// with c at the mean, where v . c = 0 for that mean v.
//
//   first guess   the acceleration of the last step's free motion: c is then wrong by O(h^2), at no cost
//   enough        g(x) is wrong by about e = h w d,  d = h/2 |g(x) - x|,  w the largest rate of turn of the tree's
//                 links. In a slow tree, h w <= SLOW, e may be 1e-4 of the velocity's change h |g(x)|, less than the
//                 scheme's own error; in others, and of bodies by themselves, 1e-12 of |v|
//   iteration     Anderson's: with orthonormal changes R of r = g(x) - x, and the changes G of g that belong to them,
//                 x <- g - G (R^T r). It sweeps forces only (forward_dynamics.c). g's slope is h w / 2 times a ratio of
//                 moments of inertia, up to 2, so from 1 rad a step on x <- g would not converge; it is antisymmetric
//                 with few pairs of rates, and the changes of as many iterations resolve these at any size
//
// Each tree is iterated by itself, so that bodies apart move as each would alone. Where contacts or rows acted on a
// tree in the last step, it takes the first guess while it is slow, since r is no better; trees with embedded loops
// take c at v then. A first step, where nothing is known, is taken twice where anything acts and what it does is felt.
//
// (Anderson 1965; Walker & Ni, SIAM J. Numer. Anal. 49 (2011). c at v: Mylapilli & Jain sec. 2.7.)

#include "engine/step/mean_velocity.h"
#include "engine/dynamics/forward_dynamics.h"
#include "engine/dynamics/recursion.h"
#include "engine/loops/embedding.h"
#include "engine/loops/mechanism.h"

#include <math.h>
#include <string.h>

enum { DEPTH = SRS_MEAN_DEPTH, MOST = 40 };

static const double SLOW = 0.02, SLOW_SHARE = 1e-4, SHARE = 1e-12; // rad a step; shares of h |a|, of |v|
static const double ROWS_SHARE = 1e-8;                             // of |v|
static const double MOST_TURN = 0.5;                               // rad a step, of joints but for wheels

typedef double pair __attribute__((vector_size(16)));

static inline pair pair_load(const double *x)
{
  pair a;
  memcpy(&a, x, sizeof a);
  return a;
}

static double largest(const double *x, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fabs(x[i]) > most ? fabs(x[i]) : most;
  return most;
}

static double inner(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static void add_scaled(double *to, double share, const double *x, int n)
{
  for (int i = 0; i < n; i++) to[i] += share * x[i];
}

// ---------------------------------------------------------------------------------------------------------------------
// Trees
// ---------------------------------------------------------------------------------------------------------------------

// The links and coordinates that are iterated together: a tree; with embedded loops, which tie trees, the whole model.
typedef struct group {
  int first, end; // links
  int v, nv;      // first coordinate, number
} group;

// A body by itself costs little to iterate, and then keeps its energy to rounding at any speed.
static bool is_lone(const group *g) { return g->end - g->first == 1; }

static group group_from(const srs_workspace *w, int first)
{
  const srs_model *m = w->model;
  const int end = w->embedding != NULL ? m->n_links : m->subtree_end[first], v = m->v_index[first];
  return (group){first, end, v, m->v_index[end] - v};
}

static int fastest_link(const srs_workspace *w, const group *g, double *speed)
{
  double most = 0;
  int fastest = g->first;
  for (int k = g->first; k < g->end; k++) {
    const double square = dot(w->velocity[k].ang, w->velocity[k].ang);
    if (square > most) most = square, fastest = k;
  }
  *speed = sqrt(most);
  return fastest;
}

// This loop and that of squares_of are in every step; hence pairs, which all processors have, and several in a turn.
static void place_mean(const srs_mean_problem *p, const group *g, const double *guess, double *v)
{
  const double *start = p->v + g->v, *rows = p->rows + g->v, half = 0.5 * p->dt;
  guess += g->v, v += g->v;
  int i = 0;
#pragma GCC unroll 3
  for (; i < g->nv - 1; i += 2) {
    const pair mean = pair_load(start + i) + half * (pair_load(guess + i) + pair_load(rows + i));
    memcpy(v + i, &mean, sizeof mean);
  }
  if (i < g->nv) v[i] = start[i] + half * (guess[i] + rows[i]);
}

static srs_status solve_again(srs_workspace *w, const srs_mean_problem *p, srs_mean_velocity *s, const group *g,
                              double *a, int *bad_v)
{
  place_mean(p, g, s->guess, s->v);
  if (!w->is_embedded) {
    srs_tree_solve_again(w, g->first, s->v, p->link_wrenches, p->tau, a);
    return SRS_OK;
  }
  srs_embedding_lift(w, s->v);
  srs_embedding_drift(w, s->v);
  return srs_solve_forward(w, p->q, s->v, p->tau, p->extra, p->link_wrenches, a, bad_v);
}

typedef srs_mean_squares squares;

static squares squares_of(const group *g, const double *a, const double *guess, const double *v)
{
  a += g->v, guess += g->v, v += g->v;
  pair residual = {0, 0}, whole = {0, 0}, rate = {0, 0};
  int i = 0;
#pragma GCC unroll 3
  for (; i < g->nv - 1; i += 2) {
    const pair x = pair_load(a + i), r = x - pair_load(guess + i), u = pair_load(v + i);
    residual += r * r, whole += x * x, rate += u * u;
  }
  squares sum = {residual[0] + residual[1], whole[0] + whole[1], rate[0] + rate[1]};
  if (i < g->nv) {
    const double r = a[i] - guess[i];
    sum.residual += r * r, sum.a += a[i] * a[i], sum.v += v[i] * v[i];
  }
  return sum;
}

// |w| <= sum |v| bounds the rates of turn: (h w)^2 <= h^2 nv |v|^2.
bool srs_mean_is_right_by_bound(const srs_mean_tree *t, const srs_mean_squares *sum)
{
  const double bound = t->dt * t->dt * t->nv * sum->v;
  return !t->is_lone && bound <= SLOW * SLOW &&
         (!t->is_free || 0.25 * bound * sum->residual <= SLOW_SHARE * SLOW_SHARE * sum->a);
}

bool srs_mean_is_right(const srs_mean_tree *t, const srs_mean_squares *sum, double speed, double largest_v)
{
  const double turn = t->dt * speed, error = 0.5 * t->dt * turn * sqrt(sum->residual);
  if (!t->is_lone && turn <= SLOW && (!t->is_free || error <= SLOW_SHARE * t->dt * sqrt(sum->a))) return true;
  return error <= SHARE * largest_v;
}

// As is_wrong, by the links' own rates of turn.
__attribute__((noinline)) static bool is_wrong_by_links(const srs_workspace *w, const srs_mean_tree *t,
                                                        srs_mean_velocity *s, const group *g, const squares *sum,
                                                        double *size)
{
  double speed;
  fastest_link(w, g, &speed);
  *size = sqrt(sum->residual);
  const double turn = t->dt * speed;
  s->turn[g->first] = turn > SLOW ? turn : 0;
  s->is_far = s->is_far || turn > 0.5 * MOST_TURN;
  return !srs_mean_is_right(t, sum, speed, largest(s->v + g->v, g->nv));
}

// Whether a is not yet the solution.  @param size  |a - guess|, out
static bool is_wrong(const srs_workspace *w, const srs_mean_problem *p, srs_mean_velocity *s, const group *g,
                     const double *guess, const double *a, double *size)
{
  const squares sum = squares_of(g, a, guess, s->v);
  const srs_mean_tree tree = {p->dt, g->nv, is_lone(g), p->is_free[g->first] > 0};
  s->turn[g->first] = 0;
  return !srs_mean_is_right_by_bound(&tree, &sum) && is_wrong_by_links(w, &tree, s, g, &sum, size);
}

// ---------------------------------------------------------------------------------------------------------------------
// The iteration
// ---------------------------------------------------------------------------------------------------------------------

// Stores the change since the last iteration as direction n, its residual's orthogonal to the others and of length 1.
// Returns the number of directions.
static int add_change(srs_mean_velocity *s, int v, int nv, const double *a, int n)
{
  double *residual = s->changes[n] + v, *end = s->changes[DEPTH + n] + v;
  for (int i = 0; i < nv; i++) {
    residual[i] = s->residual[v + i] - s->last[0][v + i];
    end[i] = a[v + i] - s->last[1][v + i];
  }
  const double whole = inner(residual, residual, nv);
  for (int k = 0; k < n; k++) {
    const double share = -inner(s->changes[k] + v, residual, nv);
    add_scaled(residual, share, s->changes[k] + v, nv);
    add_scaled(end, share, s->changes[DEPTH + k] + v, nv);
  }
  const double rest = inner(residual, residual, nv);
  if (!(rest > 1e-6 * whole)) return n; // what is left is what g has of curvature
  const double share = 1 / sqrt(rest);
  for (int i = 0; i < nv; i++) residual[i] *= share, end[i] *= share;
  return n + 1;
}

// Makes the next guess from a and the known changes.
static void move_guess(srs_mean_velocity *s, int v, int nv, const double *a, int n)
{
  memcpy(s->guess + v, a + v, (size_t)nv * sizeof *a);
  for (int k = 0; k < n; k++)
    add_scaled(s->guess + v, -inner(s->changes[k] + v, s->residual + v, nv), s->changes[DEPTH + k] + v, nv);
}

// Where the iteration does not converge, the guess with the least residual counts.
static srs_status take_best(srs_workspace *w, const srs_mean_problem *p, srs_mean_velocity *s, const group *g,
                            double *a, int *bad_v)
{
  memcpy(s->guess + g->v, s->best + g->v, (size_t)g->nv * sizeof *a);
  const srs_status status = solve_again(w, p, s, g, a, bad_v);
  double speed;
  const int fastest = fastest_link(w, g, &speed);
  if (s->unresolved < 0 || speed > s->speed) s->unresolved = fastest, s->speed = speed;
  return status;
}

srs_mean_iteration srs_mean_iteration_start(srs_mean_velocity *s, int v, int nv, const double *first, double size)
{
  memcpy(s->guess + v, first + v, (size_t)nv * sizeof *first);
  memset(s->best + v, 0, (size_t)nv * sizeof *first); // c at v
  return (srs_mean_iteration){.size = size, .least = INFINITY, .last = INFINITY};
}

bool srs_mean_improve_guess(srs_mean_velocity *s, int v, int nv, const double *a, srs_mean_iteration *i)
{
  const size_t bytes = (size_t)nv * sizeof *a;
  if (i->k == MOST || !isfinite(i->size)) return false;
  if (i->size < i->least) {
    i->least = i->size;
    memcpy(s->best + v, s->guess + v, bytes);
  }
  for (int j = v; j < v + nv; j++) s->residual[j] = a[j] - s->guess[j];
  if (i->k > 0) i->n = i->size > 2 * i->last ? 0 : add_change(s, v, nv, a, i->n);
  i->last = i->size;
  memcpy(s->last[0] + v, s->residual + v, bytes);
  memcpy(s->last[1] + v, a + v, bytes);
  move_guess(s, v, nv, a, i->n);
  if (i->n == DEPTH) i->n = 0;
  i->k++;
  return true;
}

__attribute__((noinline)) static srs_status iterate(srs_workspace *w, const srs_mean_problem *p, srs_mean_velocity *s,
                                                    const group *g, double size, double *a, int *bad_v)
{
  srs_mean_iteration i = srs_mean_iteration_start(s, g->v, g->nv, p->first, size);
  while (srs_mean_improve_guess(s, g->v, g->nv, a, &i)) {
    const srs_status status = solve_again(w, p, s, g, a, bad_v);
    if (i.k > s->iterations) s->iterations = i.k;
    if (status != SRS_OK || !is_wrong(w, p, s, g, s->guess, a, &i.size)) return status;
  }
  return take_best(w, p, s, g, a, bad_v);
}

srs_status srs_solve_at_mean(srs_workspace *w, const srs_mean_problem *p, srs_mean_velocity *s, double *a, int *bad_v)
{
  const int n_links = w->model->n_links, nv = w->model->nv;
  const group all = {0, n_links, 0, nv};
  s->iterations = 0;
  s->unresolved = -1;
  s->is_far = false;
  place_mean(p, &all, p->first, s->v);
  if (w->is_embedded && largest(p->first, nv) > 0) { // else they are prepared at v
    srs_embedding_lift(w, s->v);
    srs_embedding_drift(w, s->v);
  }
  srs_status status = srs_solve_forward(w, p->q, s->v, p->tau, p->extra, p->link_wrenches, a, bad_v);
  for (int k = 0; k < n_links && status == SRS_OK;) {
    const group g = group_from(w, k);
    double size;
    if (is_wrong(w, p, s, &g, p->first, a, &size)) status = iterate(w, p, s, &g, size, a, bad_v);
    k = g.end;
  }
  return status;
}

static bool is_untouched(const srs_mean_velocity *s, const group *g, const double *v_next)
{
  for (int i = g->v; i < g->v + g->nv; i++)
    if (s->v_free[i] != v_next[i]) return false;
  return true;
}

void srs_find_free_groups(const srs_workspace *w, srs_mean_velocity *s, const double *v_next)
{
  for (int k = 0; k < w->model->n_links;) {
    const group g = group_from(w, k);
    s->is_free[k] = is_untouched(s, &g, v_next);
    k = g.end;
  }
}

static void take_what_is_known_along(srs_mean_velocity *s, const srs_model *m)
{
  if (s->first == s->again[0]) return;
  memcpy(s->again[0], s->first, (size_t)m->nv * sizeof *s->first);
  memcpy(s->again[1], s->rows, (size_t)m->nv * sizeof *s->rows);
  memcpy(s->again[2], s->is_known, (size_t)m->n_links * sizeof *s->is_known);
  s->first = s->again[0], s->rows = s->again[1], s->is_known = s->again[2];
}

// Whether the motion of a tree without rows stays as it is with what rows did in this step, in `again`, up to a share
// of its speed.
static bool stays(srs_workspace *w, const srs_mean_problem *p, srs_mean_velocity *s, const group *g, const double *a,
                  double share)
{
  double *v = s->best, *other = s->residual;
  place_mean(p, g, a, v);
  srs_tree_solve_again(w, g->first, v, p->link_wrenches, p->tau, other);
  double change = 0, size = 0;
  for (int i = g->v; i < g->v + g->nv; i++) {
    change = fmax(change, fabs(other[i] - a[i]));
    size = fmax(size, fabs(v[i]));
  }
  return p->dt * change <= share * size;
}

bool srs_rows_are_known(srs_workspace *w, const srs_mean_problem *p, srs_mean_velocity *s, const double *a,
                        const double *v_next)
{
  srs_mean_problem next = *p;
  bool all = true;
  for (int k = 0; k < w->model->n_links && !s->all_free;) {
    const group g = group_from(w, k);
    const bool is_first = s->is_known[k] == 0;
    if (!s->is_free[k] && (is_first || s->turn[k] > 0)) {
      take_what_is_known_along(s, w->model);
      next.rows = s->rows;
      for (int i = g.v; i < g.v + g.nv; i++) {
        s->again[0][i] = a[i];
        s->again[1][i] = (v_next[i] - s->v_free[i]) / p->dt;
      }
      all = stays(w, &next, s, &g, a, is_first ? 0 : ROWS_SHARE) && all;
      s->again[2][k] = -1;
    }
    k = g.end;
  }
  return all;
}

void srs_keep_first_guess(const srs_workspace *w, const srs_mean_velocity *s, double dt, const double *a,
                          const double *v_next, double *first, double *rows, double *is_free)
{
  const srs_model *m = w->model;
  memcpy(first, a, (size_t)m->nv * sizeof *a);
  for (int k = 0; k < m->n_links;) {
    const group g = group_from(w, k);
    const bool was_free = s->all_free || s->is_free[k], had_rows = is_free[k] < 0;
    is_free[k] = was_free ? 1 : -1;
    const bool has_rows = !was_free && w->embedding == NULL;
    if (!was_free && w->embedding != NULL) memset(first + g.v, 0, (size_t)g.nv * sizeof *a);
    if (!has_rows && had_rows) memset(rows + g.v, 0, (size_t)g.nv * sizeof *rows);
    for (int i = g.v; i < g.v + g.nv && has_rows; i++) {
      const double change = (v_next[i] - s->v_free[i]) / dt;
      rows[i] = isfinite(change) ? change : 0; // it is a guess, and a part of snapshots
    }
    k = g.end;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Statistics
// ---------------------------------------------------------------------------------------------------------------------

static bool is_ball(const srs_model *m, int k)
{
  return m->kind[k] == SRS_JOINT_SPHERICAL || m->kind[k] == SRS_JOINT_FREE;
}

// Whether a hinge turns a body alone that is round about its axis: then nothing changes as it turns.
static bool is_wheel(const srs_model *m, int k)
{
  const double *I = m->inertia + 10 * (size_t)k, small = 1e-6 * (I[4] + I[5] + I[6]);
  return turns_only(m, k) && m->subtree_end[k] == k + 1 && I[1] * I[1] + I[2] * I[2] <= small * I[0] &&
         fabs(I[4] - I[5]) <= small && fabs(I[7]) <= small && fabs(I[8]) <= small && fabs(I[9]) <= small;
}

void srs_mean_velocity_start(srs_mean_velocity *s, const srs_model *m)
{
  s->unresolved = -1;
  for (int k = 0; k < m->n_links; k++) s->has_balls = s->has_balls || is_ball(m, k);
}

static double joint_turn(const srs_model *m, int k, const double *v)
{
  const int first = m->v_index[k], end = m->v_index[k + 1];
  if (is_ball(m, k)) return sqrt(inner(v + end - 3, v + end - 3, 3));
  if (m->kind[k] == SRS_JOINT_PRISMATIC || m->kind[k] == SRS_JOINT_FIXED || is_wheel(m, k)) return 0;
  if (m->kind[k] == SRS_JOINT_UNIVERSAL) return hypot(v[first], v[first + 1]);
  return fabs(v[m->kind[k] == SRS_JOINT_PLANAR ? end - 1 : first]);
}

// The link whose joint turns fastest, but for wheels; -1 for none.  @param speed  rad/s, out
static int fastest_joint(const srs_model *m, const double *v, double *speed)
{
  int fastest = -1;
  *speed = 0;
  for (int k = 0; k < m->n_links; k++) {
    const double turn = joint_turn(m, k, v);
    if (turn > *speed) *speed = turn, fastest = k;
  }
  return fastest;
}

static void count_unresolved(srs_mean_velocity *s, const srs_model *m, double time, double dt, const double *v_next)
{
  srs_spin_statistics *to = &s->statistics;
  const bool has_converged = s->unresolved < 0;
  if (has_converged && dt * dt * inner(v_next, v_next, m->nv) <= MOST_TURN * MOST_TURN) return; // no joint turns faster
  double speed;
  int link = fastest_joint(m, v_next, &speed);
  const bool is_far = dt * speed > MOST_TURN;
  if (!is_far && has_converged) return;
  if (!has_converged) to->unconverged++;
  if (!is_far) link = s->unresolved, speed = s->speed;
  if (to->unresolved++ == 0) to->first_time = time;
  if (speed <= to->speed) return;
  to->link = link;
  to->speed = speed;
  to->dt = dt * speed > MOST_TURN ? MOST_TURN / speed : 0.5 * dt;
}

void srs_count_spin(srs_mean_velocity *s, const srs_model *m, double time, double dt, const double *v_next)
{
  if (s->has_balls || s->is_far || s->unresolved >= 0) count_unresolved(s, m, time, dt, v_next);
  if (s->iterations == 0) return;
  s->statistics.iterated++;
  s->statistics.iterations += s->iterations;
  if (s->iterations > s->statistics.iterations_max) s->statistics.iterations_max = s->iterations;
}
