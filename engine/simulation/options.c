// Default options of a simulation, the check that options make sense, and copies of them.

#include "engine/simulation/options.h"
#include "engine/state/option_table.h"
#include "engine/step/integrator.h"
#include "topology/base/errors.h"

#include <math.h>
#include <string.h>

srs_sim_options srs_default_sim_options(void)
{
  return (srs_sim_options){.dt = 0.001,
                           .integrator = SRS_SEMI_IMPLICIT_EULER,
                           .velocity_terms = SRS_VELOCITY_TERMS_MEAN,
                           .gravity = {0, 0, -9.81},
                           .keep_momentum = true,
                           .joint = {.limits = true,
                                     .friction = true,
                                     .actuator_limits = true,
                                     .error_reduction = 0.2,
                                     .max_depenetration_velocity = 1,
                                     .projection = true},
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
                                       .projection = true,
                                       .corner_cap = 1e-3,
                                       .solver = srs_default_contact_options(),
                                       .collider = srs_default_collider_options()}};
}

srs_status srs_check_sim_options(const srs_sim_options *o, srs_error *error)
{
  const srs_status status = srs_check_options(o, error);
  if (status != SRS_OK) return status;
  const srs_integrator_traits *traits = &srs_integrator_of(o->integrator)->traits;
  for (int i = 0; i < o->contact.n_materials; i++)
    if (o->contact.materials[i].layer.thickness > 0 && !traits->takes_surfaces)
      return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, o->contact.materials[i].name,
                      "the layer of '%s' needs the integrator geometrically-implicit", o->contact.materials[i].name);
  if (o->contact.n_surfaces > 0 && !traits->takes_surfaces)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, o->contact.surfaces[0].shape,
                    "the surface of '%s' needs the integrator geometrically-implicit", o->contact.surfaces[0].shape);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Copies
// ---------------------------------------------------------------------------------------------------------------------

// A list of n items; NULL stays NULL, and so does a list without memory, which the arena remembers.
static void *copy_list(srs_arena *memory, const void *list, int n, size_t size)
{
  if (list == NULL || n <= 0) return NULL;
  void *copy = srs_arena_take(memory, (size_t)n, size);
  if (copy != NULL) memcpy(copy, list, (size_t)n * size);
  return copy;
}

static const char *const *copy_names(srs_arena *memory, const char *const *names, int n)
{
  const char **copy = copy_list(memory, names, n, sizeof *copy);
  for (int i = 0; copy != NULL && i < n; i++) copy[i] = srs_arena_copy_or_null(memory, names[i]);
  return copy;
}

// Names of pairs, ended by NULL, which is copied too.
static const char *const *copy_pairs(srs_arena *memory, const char *const *names)
{
  int n = 0;
  while (names != NULL && names[n] != NULL) n++;
  return copy_names(memory, names, n + 1);
}

static void copy_contact_lists(srs_arena *memory, srs_contact_settings *c)
{
  srs_material *materials = copy_list(memory, c->materials, c->n_materials, sizeof *materials);
  for (int i = 0; materials != NULL && i < c->n_materials; i++)
    materials[i].name = srs_arena_copy_or_null(memory, materials[i].name);
  srs_material_pair *pairs = copy_list(memory, c->pairs, c->n_pairs, sizeof *pairs);
  for (int i = 0; pairs != NULL && i < c->n_pairs; i++) {
    pairs[i].a = srs_arena_copy_or_null(memory, pairs[i].a);
    pairs[i].b = srs_arena_copy_or_null(memory, pairs[i].b);
  }
  srs_half_space_solid *solids = copy_list(memory, c->solids, c->n_solids, sizeof *solids);
  for (int i = 0; solids != NULL && i < c->n_solids; i++)
    solids[i].half_spaces = copy_names(memory, solids[i].half_spaces, solids[i].n);
  srs_shape_surface *surfaces = copy_list(memory, c->surfaces, c->n_surfaces, sizeof *surfaces);
  for (int i = 0; surfaces != NULL && i < c->n_surfaces; i++)
    surfaces[i].shape = srs_arena_copy_or_null(memory, surfaces[i].shape);
  c->materials = materials, c->pairs = pairs, c->solids = solids, c->surfaces = surfaces;
}

srs_status srs_copy_sim_options(const srs_sim_options *options, srs_arena *memory, srs_sim_options *copy,
                                srs_error *error)
{
  *copy = *options;
  copy_contact_lists(memory, &copy->contact);
  srs_collider_options *collider = &copy->contact.collider;
  collider->excluded = copy_pairs(memory, collider->excluded);
  collider->included = copy_pairs(memory, collider->included);
  collider->ratio_metric = copy_pairs(memory, collider->ratio_metric);
  collider->euclidean = copy_pairs(memory, collider->euclidean);
  return memory->failed ? srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a simulation's options")
                        : SRS_OK;
}
