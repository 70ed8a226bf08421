// The solver that a simulation uses, and whether it has wrenches of a last step.
#include "engine/simulation/describe.h"

#include "engine/step/simulation.h"

const char *srs_sim_solver_name(const srs_sim *sim)
{
  if (sim->geometric != NULL) return "mcp";
  return sim->constraints != NULL ? srs_contact_method_name(sim->options.contact.solver.method) : "none";
}

bool srs_sim_has_wrenches(const srs_sim *sim) { return sim->last.exists || !sim->integrator->traits.keeps_wrenches; }
