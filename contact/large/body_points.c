// Proximal points of contacts in space, by bodies: from near an answer to the answer, where contacts slide.
//
// With c the impulses so far and z as in contact/iterate/mncp.c, x = P(-z), a point solves
//
//   r(z) = x + z - W x - b - rho (x - c) = 0
//
// by Newton's method. A step from z to z - dz has dx = D dz, and with u = r - W dx = dz - (1 - rho) dx it is
//
//   dx = H u,  H = D (1 - (1 - rho) D)^-1        open       0
//                                                sticking   1 / rho
//                                                sliding    H_nn = 1 / rho   H_tn = -mu t / rho
//                                                           H_tt = s (1 - t t^T) / (1 - s + rho s)
//
// with t = z_t / |z_t| and s = mu x_n / |z_t|. With W = L L^T that is one solve in the bodies' velocities
// (contact/large/body_newton.c), a third to a sixth of the work of packed factors. Where the step does not halve |r| it
// ends just beyond the first kink.
//
// W is singular: four contacts under one brick that are inconsistent by 1e-11 leave a residual that stays until
// impulses have moved so far that one of them opens, by r / rho at each point. So |r| says little about how far it is,
// and falls and rises on the way. rho becomes smaller wherever a point takes few steps, and larger where there is none
// in twenty; the next point starts from the last one, not from the best.
//
// Factors lose 1e-16 / rho, steps only: |r| is that of L L^T x, whose rounding is a change of velocities and no slack
// between contacts, and what L L^T and W differ by is measured at c and added to b.
#include "contact/iterate/mncp.h"
#include "contact/iterate/stages.h"
#include "contact/large/body_newton.h"

#include <string.h>

enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST };
enum { MOST_STEPS = 20, MOST_IDLE = 150 }; // of a point; points that have not halved |r|
enum { FEW = 4, USUAL = 10 };              // steps of a point
static const double rho_least = 1e-12, rho_most = 1e-2;
static const double far_less = 0.1, less = 0.3, more = 3;  // factors of rho
static const double worse = 10;                            // |r| over that of the last point, to be no point
static const double farthest = 0.3;                        // of |x|, in a point after which rho falls
static const double goal_share = 0.01, enough_share = 0.1; // of |r| before, and of what is enough: |r| of a point

typedef struct points {
  srs_body_newton *newton;
  srs_fallback *l;
  double *last, *off;   // of the cone problem's rows: z of the last point; (W - L L^T) x
  double product, step; // multiplications of L L^T x, and of Newton's step
} points;

// ---- steps ----

SRS_CONTACT_INLINE void contact_block(int d, const double *z, double mu, double rho, double *H)
{
  if (!(z[0] < 0)) return;
  const double stiff = 1 / rho, square = srs_square(d, z + 1), radius = -mu * z[0];
  H[0] = stiff;
  if (square <= radius * radius) {
    for (int k = 1; k <= d; k++) H += MOST, H[k] = stiff;
    return;
  }
  const double length = sqrt(square), s = radius / length, across = s / (1 - s + rho * s);
  for (int k = 1; k <= d; k++) {
    H += MOST;
    H[0] = -mu * z[k] / length * stiff;
    for (int j = 1; j <= d; j++) H[j] = across * ((k == j) - z[k] * z[j] / square);
  }
}

bool srs_body_points_factor(srs_body_newton *s, double rho, const double *z)
{
  const srs_cone_problem *cone = &s->cone->fallback.cone;
  const srs_contact_problem *p = s->cone->problem;
  const int scalars = srs_cone_scalars(cone), boxes = scalars + cone->n_unilateral;
  s->rho = rho;
  memset(s->H, 0, sizeof *s->H * SQUARE * (size_t)p->blocks->n_block_rows);
  for (int node = 0; node < p->blocks->n_block_rows; node++) {
    const int rows = s->row[node + 1] - s->row[node];
    if (rows == 0) continue;
    double *H = s->H + SQUARE * (size_t)node;
    const int i = s->at[s->row[node]];
    if (i < scalars)
      contact_block(rows - 1, z + i, cone->friction[node - p->n_bilateral], rho, H);
    else if (i < boxes ? z[i] < 0 : -z[i] > cone->lower[i - boxes] && -z[i] < cone->upper[i - boxes])
      H[0] = 1 / rho;
  }
  return srs_groups_factor_general(s->groups, s->H);
}

// w = L L^T x
static void multiply(const points *p, const double *x, double *w)
{
  const srs_body_newton *s = p->newton;
  const int n = p->l->cone.n;
  for (int k = 0; k < n; k++) s->own[k] = x[s->at[k]];
  srs_groups_gather(s->groups, s->own, s->velocity);
  srs_groups_spread(s->groups, s->velocity, s->dx);
  for (int k = 0; k < n; k++) w[s->at[k]] = s->dx[k];
}

// r of z, whose x goes to lm.  @return |r|
static double residual(const points *p, double rho, const double *z, double *r)
{
  const srs_fallback *l = p->l;
  const double *x = l->lm.x;
  srs_mncp_impulse(&l->cone, z, l->lm.x);
  multiply(p, x, r);
  for (int i = 0; i < l->cone.n; i++)
    r[i] = x[i] + z[i] - (r[i] + p->off[i] + l->cone.b[i] + rho * (x[i] - l->centre[i]));
  return srs_length(l->cone.n, r);
}

// Goes to z - t step if |r| there is at most `most`.
static bool go(const points *p, double rho, double t, double most, double *z, double *size)
{
  const srs_lm_memory *m = &p->l->lm;
  const size_t bytes = sizeof *z * (size_t)p->l->cone.n;
  for (int i = 0; i < p->l->cone.n; i++) m->trial[i] = z[i] - t * m->step[i];
  const double there = residual(p, rho, m->trial, m->trial_r);
  if (!(there <= most)) return false;
  memcpy(z, m->trial, bytes);
  memcpy(m->r, m->trial_r, bytes);
  *size = there;
  return true;
}

// Newton's method from z.  @return steps, or MOST_STEPS + 1 where they do not lead to |r| <= goal
static int find_point(const points *p, double rho, double goal, double *z)
{
  srs_fallback *l = p->l;
  const srs_lm_memory *m = &l->lm;
  double size = residual(p, rho, z, m->r);
  for (int k = 0; k <= MOST_STEPS; k++) {
    if (size <= goal) return k;
    if (k == MOST_STEPS || !srs_spend(&l->left, p->step)) break;
    l->iterations++;
    if (!srs_body_points_factor(p->newton, rho, z)) break;
    memcpy(m->step, m->r, sizeof *z * (size_t)l->cone.n);
    srs_body_newton_divide(p->newton, m->step);
    if (go(p, rho, 1, 0.5 * size, z, &size)) continue;
    if (!go(p, rho, srs_mncp_share(&l->cone, z, m->step), 1, z, &size)) break;
  }
  return MOST_STEPS + 1;
}

// ---- points ----

// x and w of z, and what L L^T x lacks there.  @return |r| without softening
static double measure(const points *p, const double *z)
{
  const srs_fallback *l = p->l;
  const srs_lm_memory *m = &l->lm;
  srs_mncp_impulse(&l->cone, z, l->x);
  multiply(p, l->x, m->trial);
  srs_cone_multiply(&l->cone, l->x, p->off);
  for (int i = 0; i < l->cone.n; i++) {
    l->w[i] = p->off[i] + l->cone.b[i];
    p->off[i] -= m->trial[i];
  }
  return residual(p, 0, z, m->r);
}

static double distance(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

// From z, which becomes the best that is found.
static void find_points(const points *p, double rho, double *z)
{
  srs_fallback *l = p->l;
  const int n = l->cone.n;
  const size_t bytes = sizeof *z * (size_t)n;
  const double work = 2 * (srs_cone_numbers(&l->cone) + 2 * p->product);
  double size = measure(p, z), best = size;
  memcpy(p->last, z, bytes);
  memcpy(l->lm.best, z, bytes);
  for (int idle = 0; idle < MOST_IDLE && best > l->enough && rho < rho_most && srs_spend(&l->left, work); idle++) {
    memcpy(l->centre, l->x, bytes);
    const int steps = find_point(p, rho, enough_share * l->enough + goal_share * size, z);
    const double there = measure(p, z);
    const bool is_point = steps <= MOST_STEPS && there < worse * size;
    if (!is_point)
      rho *= more;
    else if (steps <= USUAL && distance(n, l->x, l->centre) < farthest * srs_length(n, l->x))
      rho = fmax(rho * (steps <= FEW ? far_less : less), rho_least);
    const bool is_answer = srs_cone_residual(&l->cone, l->x, l->w) <= l->answer;
    if (there < best || is_answer) memcpy(l->lm.best, z, bytes);
    if (there < 0.5 * best)
      idle = -1;
    else if (is_answer)
      break;
    if (is_point || there < best) {
      memcpy(p->last, z, bytes);
      size = there;
    } else {
      memcpy(z, p->last, bytes);
      (void)measure(p, z);
    }
    best = fmin(best, there);
  }
  memcpy(z, l->lm.best, bytes);
}

bool srs_body_points_search(void *data, double begun, const double *impulses)
{
  srs_body_newton *s = data;
  srs_fallback *l = &s->cone->fallback;
  const double product = srs_body_sweep_work(&s->sweeps), step = s->work - 2 * srs_cone_numbers(&l->cone) + 2 * product;
  const points p = {s, l, l->diagonal, l->lm.gradient, product, step};
  srs_stage_begin(l, impulses);
  find_points(&p, begun, l->z);
  srs_mncp_impulse(&l->cone, l->z, l->x);
  srs_cone_velocity(&l->cone, l->x, l->w);
  return srs_stage_keep(l, SRS_STAGE_COLD, srs_cone_residual(&l->cone, l->x, l->w));
}
