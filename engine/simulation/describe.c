// Which solver does a sim use, and are there wrenches of a last step?
#include "engine/simulation/describe.h"

#include "engine/simulation/simulation.h"

const char *srs_sim_solver_name(const srs_sim *sim)
{
  if (sim->constraints == NULL) return "none";
  if (sim->options.integrator == SRS_GEOMETRICALLY_IMPLICIT) return "mcp";
  return srs_contact_method_name(sim->options.contact.solver.solver);
}

bool srs_sim_has_wrenches(const srs_sim *sim) { return sim->has_last || sim->options.integrator == SRS_RK4; }
