// Solver of contact problems with a friction polyhedron.
//
// The LCP of contact/iterate/mlcp.h, by Lemke's pivoting or by Levenberg-Marquardt on (penalised) Fischer-Burmeister
// equations. The starts are the impulses handed in, zero, and Gauss-Seidel sweeps (with the exact cone, which is near
// enough); where none leads to a solution, Lemke's is taken and refined by PLM where pivoting lost accuracy. Within
// 1e-6 of a solution the last digits are looked for with the exact cone, and by proximal points. A solution is accepted
// by its impulses, not by the unknowns of the LCP: by the natural map with the polyhedron for the cone.
#include "contact/iterate/polyhedral.h"
#include "contact/iterate/gauss_seidel.h"
#include "contact/iterate/mncp.h"
#include "contact/iterate/proximal.h"

#include <string.h>

// Keeps l->x if it is the best; true if it is a solution.
static bool keep_if_best(const srs_polyhedral *p, srs_fallback *l, srs_contact_stage name)
{
  const int scalars = srs_cone_scalars(&l->cone), boxes = scalars + l->cone.n_unilateral;
  double sum = 0;
  srs_cone_velocity(&l->cone, l->x, l->w);
  for (int c = 0; c < l->cone.n_contacts; c++) {
    const int i = srs_cone_first(&l->cone, c), d = srs_cone_tangents(&l->cone, c);
    sum += srs_polyhedron_defect(&p->mlcp.polyhedron, d, l->x + i, l->w + i, l->cone.friction[c]);
  }
  for (int i = scalars; i < l->cone.n; i++) {
    const double lower = i < boxes ? 0 : l->cone.lower[i - boxes],
                 upper = i < boxes ? INFINITY : l->cone.upper[i - boxes];
    const double defect = l->x[i] - srs_clamp(l->x[i] - l->w[i], lower, upper);
    sum += defect * defect;
  }
  const double residual = sqrt(sum);
  if (residual < l->best_residual) {
    l->best_residual = residual;
    l->stage = name;
    memcpy(l->best, l->x, sizeof *l->x * (size_t)l->cone.n);
  }
  return residual <= l->enough || (residual < 1e-6 && residual <= srs_cone_rounding(&l->cone, l->x));
}

static bool from_impulses(srs_polyhedral *p, srs_minimiser *minimise, srs_fallback *l, const double *x,
                          srs_contact_stage name)
{
  const int n = p->mlcp.lcp.n;
  const srs_equations equations = {n, p->mlcp.lcp.stride, &p->mlcp, srs_mlcp_residual, srs_mlcp_jacobian};
  if (!srs_spend(&l->left, 2.0 * n * n + 4.0 * l->cone.n * l->cone.n)) return false;
  memcpy(l->x, x, sizeof *x * (size_t)l->cone.n);
  srs_cone_velocity(&l->cone, l->x, l->w);
  srs_mlcp_unknowns_of(&p->mlcp, l->x, l->w, p->z);
  const srs_lm_result result = minimise(&equations, &p->lm, l->goal, 0.1 * l->enough, l->max_iterations, p->z);
  l->iterations += result.iterations;
  srs_mlcp_impulse(&p->mlcp, p->z, l->x);
  return keep_if_best(p, l, name);
}

static void turn_towards(const double t[2], double turn[2])
{
  const double size = sqrt(t[0] * t[0] + t[1] * t[1]);
  if (!(size > 0)) return;
  turn[0] = t[0] / size, turn[1] = t[1] / size;
}

// The LCP of the fallback's problem. turn: NULL, or n: each contact's first direction is that of its tangential
// entries.
static void assemble(srs_polyhedral *p, const srs_fallback *l, const double *turn)
{
  p->mlcp.cone = &l->cone;
  for (int c = 0; c < l->cone.n_contacts; c++) {
    const int t1 = srs_cone_first(&l->cone, c) + 1;
    if (srs_cone_tangents(&l->cone, c) < 2) continue;
    if (turn == NULL)
      p->mlcp.turn[t1] = 1, p->mlcp.turn[t1 + 1] = 0;
    else
      turn_towards(turn + t1, p->mlcp.turn + t1);
  }
  srs_mlcp_assemble(&p->mlcp);
  for (int i = p->mlcp.lcp.n; i < p->mlcp.lcp.stride; i++)
    p->z[i] = p->lm.step[i] = p->lm.trial[i] = p->lm.best[i] = p->lm.gradient[i] = 0;
}

int srs_polyhedral_lemke(srs_polyhedral *p, srs_fallback *l, const double *towards, double *x)
{
  int pivots;
  assemble(p, l, towards);
  const double n = p->mlcp.lcp.n;
  if (!srs_spend(&l->left, srs_cube(p->mlcp.lcp.n) / 3)) { // of the last LU
    memset(x, 0, sizeof *x * (size_t)l->cone.n);
    return 0;
  }
  const double most = fmin(4e9, l->left) / (n * n + 1);
  const srs_lcp pure = srs_mlcp_pure(&p->mlcp);
  (void)srs_lemke(&pure, &p->lemke, most < 20 * n + 100 ? (int)most : (int)(20 * n + 100), p->z, &pivots);
  (void)srs_spend(&l->left, pivots * n * n);
  for (int i = 0; i < pure.n; i++) p->z[i] += p->mlcp.offset[i];
  srs_mlcp_impulse(&p->mlcp, p->z, x);
  return pivots;
}

static bool run_stages(srs_polyhedral *p, srs_minimiser *minimise, srs_fallback *l, const double *warm)
{
  const size_t bytes = sizeof(double) * (size_t)l->cone.n;
  assemble(p, l, NULL);
  if (minimise == NULL) return false;
  if (warm != NULL && from_impulses(p, minimise, l, warm, SRS_STAGE_WARM)) return true;
  memset(l->swept, 0, bytes);
  if (l->last_stage < SRS_STAGE_COLD && warm != NULL) return true;
  if (from_impulses(p, minimise, l, l->swept, SRS_STAGE_COLD)) return true;
  for (int sweeps = 30; sweeps <= 120 && l->last_stage >= SRS_STAGE_GAUSS_SEIDEL; sweeps *= 4) {
    if (!srs_sweep_within(l, sweeps, l->swept)) break;
    if (from_impulses(p, minimise, l, l->swept, SRS_STAGE_GAUSS_SEIDEL)) return true;
  }
  return l->last_stage < SRS_STAGE_LEMKE;
}

// True where that solves it, or where no later stage is allowed.
static bool run_starts(srs_polyhedral *p, srs_minimiser *minimise, srs_fallback *l, const double *warm)
{
  l->best_residual = INFINITY;
  l->stage = minimise == NULL ? SRS_STAGE_LEMKE : SRS_STAGE_COLD;
  memset(l->best, 0, sizeof *l->best * (size_t)l->cone.n);
  if (run_stages(p, minimise, l, warm)) return true;
  l->iterations += srs_polyhedral_lemke(p, l, NULL, l->x);
  if (keep_if_best(p, l, SRS_STAGE_LEMKE)) return true;
  memcpy(l->swept, l->x, sizeof *l->x * (size_t)l->cone.n); // Newton's steps may refine it
  if (from_impulses(p, srs_plm, l, l->swept, SRS_STAGE_LEMKE)) return true;
  if (minimise == srs_plm) return false;
  memset(l->swept, 0, sizeof *l->x * (size_t)l->cone.n);
  return from_impulses(p, srs_plm, l, l->swept, SRS_STAGE_COLD);
}

// ---- the last digits ----

static const double near_enough = 1e-6; // residual from which proximal points are tried
static const double rho_least = 2e-11, rho_most = 1e-2, least_size = 1e-3;
enum { SWEEPS = 6, MOST_POINTS = 20, MOST_IDLE = 2 };

// W + rho I and b - rho c, or W and b again: as the LCP sees them, which is assembled from the dense W.
static void move_centre(srs_fallback *l, double rho)
{
  for (int i = 0; i < l->cone.n; i++) {
    l->cone.W[(size_t)i * (size_t)(l->cone.stride + 1)] = l->diagonal[i] + rho;
    l->cone.b[i] = l->good[i] - rho * l->centre[i];
  }
}

// With the exact cone, from a few sweeps: where the slip is along a direction, as it is in a plane, that is the same
// answer, and its method for the last digits is the better one.
static bool try_cone(srs_polyhedral *p, srs_fallback *l, srs_contact_stage name)
{
  const srs_equations equations = {l->cone.n, l->cone.stride, &l->cone, srs_mncp_residual, srs_mncp_jacobian};
  const srs_proximal proximal = {&l->cone, &l->lm, l->centre, l->diagonal, false};
  memset(l->x, 0, sizeof *l->x * (size_t)l->cone.n);
  if (!srs_sweep_within(l, SWEEPS, l->x)) return false;
  srs_cone_velocity(&l->cone, l->x, l->w);
  for (int i = 0; i < l->cone.n; i++) l->z[i] = l->w[i] - l->x[i];
  l->iterations += srs_rlm(&equations, &l->lm, l->goal, l->enough, l->max_iterations, l->z).iterations;
  l->iterations += srs_proximal_finish(&proximal, l->enough, l->max_iterations + l->cone.n, l->z).iterations;
  srs_mncp_impulse(&l->cone, l->z, l->x);
  return keep_if_best(p, l, name);
}

static bool can_assemble(const srs_polyhedral *p, srs_fallback *l)
{
  const double n = p->mlcp.lcp.n;
  return srs_spend(&l->left, 4 * n * n);
}

// Proximal points (contact/iterate/proximal.h) of the equations: where W is singular and contacts are slightly
// inconsistent, no step reduces the last of the residual until another contact opens or slides.
static bool try_proximal(srs_polyhedral *p, srs_fallback *l, srs_contact_stage name)
{
  const int n = l->cone.n;
  const size_t bytes = sizeof *l->best * (size_t)n;
  const srs_equations equations = {p->mlcp.lcp.n, p->mlcp.lcp.stride, &p->mlcp, srs_mlcp_residual, srs_mlcp_jacobian};
  bool is_done = false;
  double rho = 0;
  for (int i = 0; i < n; i++) l->diagonal[i] = l->cone.W[(size_t)i * (size_t)(l->cone.stride + 1)];
  memcpy(l->good, l->cone.b, bytes);
  for (int k = 0, idle = 0; k < MOST_POINTS && idle < MOST_IDLE && !is_done && can_assemble(p, l); k++, idle++) {
    const double before = l->best_residual;
    memcpy(l->centre, l->best, bytes);
    rho = srs_clamp(before / fmax(srs_length(n, l->best), least_size), fmax(rho_least, 1e-3 * rho), rho_most);
    memcpy(l->x, l->best, bytes);
    srs_cone_velocity(&l->cone, l->x, l->w);
    move_centre(l, rho);
    assemble(p, l, NULL);
    srs_mlcp_unknowns_of(&p->mlcp, l->x, l->w, p->z);
    l->iterations += srs_plm(&equations, &p->lm, 0.01 * l->enough, 0.1 * l->enough, l->max_iterations, p->z).iterations;
    move_centre(l, 0);
    srs_mlcp_impulse(&p->mlcp, p->z, l->x);
    is_done = keep_if_best(p, l, name);
    if (l->best_residual < 0.5 * before) idle = -1;
  }
  assemble(p, l, NULL);
  return is_done;
}

void srs_polyhedral_run(srs_polyhedral *p, srs_minimiser *minimise, srs_fallback *l, const double *warm)
{
  if (!run_starts(p, minimise, l, warm) && l->best_residual < near_enough && !try_cone(p, l, l->stage))
    (void)try_proximal(p, l, l->stage);
}

void srs_polyhedral_again(srs_polyhedral *p, srs_minimiser *minimise, srs_fallback *l)
{
  assemble(p, l, NULL);
  l->best_residual = INFINITY;
  memcpy(l->swept, l->best, sizeof *l->best * (size_t)l->cone.n);
  (void)from_impulses(p, minimise == NULL ? srs_plm : minimise, l, l->swept, l->stage);
}
