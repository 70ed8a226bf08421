// The list of integrators, one line each, and their names.

#include "engine/step/integrator.h"

#include <string.h>

static const srs_integrator_table *const tables[SRS_INTEGRATORS] = {
    [SRS_SEMI_IMPLICIT_EULER] = &srs_semi_implicit_euler,
    [SRS_MOREAU_MIDPOINT] = &srs_moreau_midpoint,
    [SRS_RK4] = &srs_runge_kutta,
    [SRS_IMPLICIT_EULER] = &srs_implicit_euler,
    [SRS_IMPLICIT_MOREAU] = &srs_implicit_moreau,
    [SRS_GEOMETRICALLY_IMPLICIT] = &srs_geometrically_implicit,
};

const srs_integrator_table *srs_integrator_of(srs_integrator integrator) { return tables[integrator]; }

const char *srs_integrator_name(srs_integrator integrator)
{
  return (int)integrator >= 0 && (int)integrator < SRS_INTEGRATORS ? tables[integrator]->traits.name : "";
}

bool srs_integrator_from_name(const char *name, srs_integrator *integrator)
{
  for (int i = 0; name != NULL && i < SRS_INTEGRATORS; i++) {
    if (strcmp(name, tables[i]->traits.name) != 0) continue;
    *integrator = (srs_integrator)i;
    return true;
  }
  return false;
}
