// Reports a step that failed because nothing resists a joint.

#include "engine/simulation/reports.h"
#include "topology/base/errors.h"

srs_status srs_report_singular(const srs_model *m, const srs_sim_state *state, int bad_v, srs_error *error)
{
  const char *joint = m->joints[m->link_of_v[bad_v]].name, *link = m->links[m->link_of_v[bad_v]].name;
  return srs_fail(
      error, SRS_ERROR_SINGULAR, NULL, 0, 0, joint,
      "t = %.9g s, step %.0f: nothing resists joint '%s': link '%s' and all that it carries have no inertia about "
      "it in this configuration; give one of them mass, or the joint an armature",
      *state->time, *state->steps, joint, link);
}
