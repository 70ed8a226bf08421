// Which solutions of a step's system are no motion? The system asks for contacts where the step ends, and for nothing
// in between, so it has more solutions than the motion.
//
// A multiplier below zero, of a solid with one function: the point is on the far side.
//
// A leap: a solid meets an edge, and at the end of the step it lies beyond the edge on the next face, whose normal
// points along the way that it was pushed. Solids that were apart approach along the normal n of a contact that pushes,
// up to what their curvature turns n in the step: n . v h = O(v^2 h^2 / r). In a leap they part along it, by nearly all
// of their way, and the impulse does work that nothing had.

#include "engine/geometric/wrong_solutions.h"

#include "engine/geometric/geometrically_implicit_rows.h"

bool srs_is_inside_out(const struct srs_geometric *g, const double *z)
{
  for (int k = 0; k < g->n_contacts; k++) {
    const smooth_contact *c = &g->contacts[k];
    for (int s = 0; s < 2; s++)
      if (c->n_parts[s] == 1 && !(z[srs_smooth_multiplier(c, s)] > 0)) return true;
  }
  return false;
}

bool srs_is_leap(const struct srs_geometric *g, const double *z)
{
  for (int k = 0; k < g->n_contacts; k++) {
    const smooth_contact *c = &g->contacts[k];
    const smooth_pair *pair = &g->pairs[c->pair];
    if (!(z[srs_smooth_impulse(c)] > 0)) continue;
    const double reach = fmin(g->solids[pair->solid[0]].reach, g->solids[pair->solid[1]].reach);
    const double parting = -dot(c->slip, c->n), speed = sqrt(dot(c->slip, c->slip)), gap = g->clearance[c->pair];
    if (parting > 0.5 * speed && g->h * parting > 1e-3 * reach + fmax(0, -gap)) return true;
  }
  return false;
}
