// Default options of a simulation, and the check that options make sense.

#include "engine/simulation/options.h"
#include "engine/step/integrator.h"
#include "topology/base/errors.h"

#include <math.h>

srs_sim_options srs_default_sim_options(void)
{
  return (srs_sim_options){.dt = 0.001,
                           .integrator = SRS_SEMI_IMPLICIT_EULER,
                           .gravity = {0, 0, -9.81},
                           .joint = {.limits = true,
                                     .friction = true,
                                     .actuator_limits = true,
                                     .error_reduction = 0.2,
                                     .max_depenetration_velocity = 1},
                           .closure = {.projection = true, .error_reduction = 0.2},
                           .implicit = {.tolerance = 1e-10, .iterations = 50, .halvings = 8},
                           .contact = {.enabled = true,
                                       .friction = 0.5,
                                       .friction_rule = SRS_COMBINE_GEOMETRIC_MEAN,
                                       .restitution_rule = SRS_COMBINE_LARGER,
                                       .impact = SRS_IMPACT_TWO_PHASE,
                                       .impact_threshold = NAN,
                                       .activation = SRS_ACTIVATION_PREDICT,
                                       .normal = SRS_NORMAL_GAP,
                                       .error_reduction = 0.2,
                                       .max_depenetration_velocity = 1,
                                       .corner_cap = 1e-3,
                                       .solver = srs_default_contact_options(),
                                       .collider = srs_default_collider_options()}};
}

srs_status srs_check_sim_options(const srs_sim_options *o, srs_error *error)
{
  if (!(o->dt > 0) || !isfinite(o->dt))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "dt", "dt must be a positive number of seconds, not %g",
                    o->dt);
  if ((int)o->integrator < 0 || (int)o->integrator >= SRS_INTEGRATORS)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "integrator", "there is no integrator %d",
                    (int)o->integrator);
  const srs_integrator_traits *traits = &srs_integrator_of(o->integrator)->traits;
  for (int i = 0; i < o->contact.n_materials; i++)
    if (o->contact.materials[i].layer.thickness > 0 && !traits->takes_surfaces)
      return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, o->contact.materials[i].name,
                      "the layer of '%s' needs the integrator geometrically-implicit", o->contact.materials[i].name);
  if (o->contact.n_surfaces > 0 && !traits->takes_surfaces)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, o->contact.surfaces[0].shape,
                    "the surface of '%s' needs the integrator geometrically-implicit", o->contact.surfaces[0].shape);
  if (!(o->implicit.tolerance > 0) || o->implicit.iterations < 1 || o->implicit.halvings < 0 ||
      o->implicit.halvings > 20)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "implicit",
                    "implicit steps need a tolerance above 0, one iteration or more, and 0 to 20 halvings");
  for (int i = 0; i < 3; i++)
    if (!isfinite(o->gravity[i]))
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, "gravity", "gravity is not finite");
  return SRS_OK;
}
