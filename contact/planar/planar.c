// Which impulses solve a large problem of planar contacts, heaps above all?
//
// In heaps with friction Newton's method ends at contacts that can neither stick nor slide, from nearly every start.
// Four methods bring each other on:
//
//   relaxed problems   with b_n + mu |w_t| of the last one for b_n: convex, solved at once as a whole (Acary, Cadoux,
//                      Lemarechal & Malick 2011). A few rounds, of half their length, settle the heap's forces, but for
//                      some contacts they go on to and fro
//   sweeps             over the contacts, each solved alone with the law itself. They settle these, and need thousands
//                      for what is wrong over long distances
//   paths              through the modes of contacts (mode_path.h), which take the rest away where there is a way.
//   Where
//                      a few contacts have none, the others are solved, and sweeps go on from there
//
// and again: the velocities after sweeps are those that the next relaxed problem starts from.
#include "contact/planar/planar.h"
#include "contact/iterate/gauss_seidel.h"
#include "contact/iterate/mncp.h"
#include "contact/planar/mode_path.h"

#include <string.h>

enum { ROUNDS = 4, SWEEPS = 2000, PATHS = 4, MORE_SWEEPS = 500, MOST_CHANGES = 300 };
static const double softness = 1e-6, softness_end = 1e-9;

// From x; on arrival x is a solution, to the last softness.
static srs_mode_end follow(srs_fallback *l, double rho)
{
  const srs_proximal proximal = {&l->cone, &l->lm, l->centre, l->diagonal, false};
  srs_cone_velocity(&l->cone, l->x, l->w);
  for (int i = 0; i < l->cone.n; i++) l->z[i] = l->w[i] - l->x[i];
  const srs_mode_end end = srs_mode_path(&proximal, rho, MOST_CHANGES, l->z, &l->iterations);
  if (end != SRS_MODE_LOST) srs_mncp_impulse(&l->cone, l->z, l->x);
  return end;
}

static bool sweep(srs_fallback *l, int sweeps)
{
  l->left -= 2.0 * sweeps * srs_cone_numbers(&l->cone);
  return l->left > 0 && srs_gauss_seidel(&l->cone, sweeps, l->x);
}

static bool arrive(srs_fallback *l)
{
  for (int k = 0; k < PATHS; k++) {
    if (k > 0 && !sweep(l, MORE_SWEEPS)) return false;
    const srs_mode_end end = follow(l, softness);
    if (end == SRS_MODE_LOST) return false;
    if (end == SRS_MODE_PARTLY) continue;
    for (double rho = 0.1 * softness; rho > softness_end; rho *= 0.1) {
      srs_cone_velocity(&l->cone, l->x, l->w);
      if (srs_cone_residual(&l->cone, l->x, l->w) <= l->answer) break;
      if (follow(l, rho) != SRS_MODE_ARRIVES) break;
    }
    return true;
  }
  return false;
}

bool srs_planar_search(srs_fallback *l, srs_planar_relax *relax, void *data)
{
  const double *w = NULL;
  while (l->left > 0) {
    if (!relax(data, ROUNDS, w, l->x) || !sweep(l, SWEEPS)) return false;
    if (arrive(l)) return true;
    srs_cone_velocity(&l->cone, l->x, l->w);
    w = l->w;
  }
  return false;
}
