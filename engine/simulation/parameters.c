// Parameters that change while a sim runs: checks, the sim's own copy of the model (state/own_model.h), and what else
// is made of them:
//
//   masses      sums of trees that float, and bounds of mobilities for midpoint schemes
//   coordinates rows on them (rows/joint_rows.c)
//   materials   the constraints' arrays
//   shapes      solids and bounds of the collider, reaches of links
//   gravity     the workspace's and the options', the impact threshold
//
// Each setter does at most one of these, O(n).

#include "engine/simulation/parameters.h"
#include "collision/world/collider.h"
#include "engine/conservation/floating_trees.h"
#include "engine/dynamics/checks.h"
#include "engine/rows/constraints.h"
#include "engine/rows/material.h"
#include "engine/simulation/fingerprint.h"
#include "engine/step/simulation.h"
#include "engine/step/theta.h"
#include "topology/base/errors.h"
#include "topology/model/inertia.h"
#include "topology/model/shape_kind.h"

#include <math.h>
#include <string.h>

static srs_status bad(srs_error *error, const char *subject, const char *what)
{
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, subject, "%s", what);
}

// ---------------------------------------------------------------------------------------------------------------------
// What is made of parameters
// ---------------------------------------------------------------------------------------------------------------------

// What rests has to be computed again.
static void wake(srs_sim *sim)
{
  srs_repeat_forget(&sim->repeat);
  if (sim->constraints != NULL) sim->constraints->n_left = 0;
}

static void refresh_state(srs_sim *sim)
{
  const srs_model *m = sim->model;
  sim->own.is_changed = true;
  sim->workspace_is_current = sim->knows_start_energy = false;
  sim->workspace->state_level = 0;
  sim->workspace->is_late = sim->workspace->has_joint_forces = false;
  sim->last.has_part_wrench = false;
  wake(sim);
  memset(sim->state.free_a, 0, (size_t)m->nv * sizeof *sim->state.free_a);
  memset(sim->state.row_a, 0, (size_t)m->nv * sizeof *sim->state.row_a);
  memset(sim->state.is_free, 0, (size_t)m->n_links * sizeof *sim->state.is_free);
}

static void refresh_masses(srs_sim *sim)
{
  refresh_state(sim);
  srs_forget_momentum(&sim->state);
  if (sim->floating != NULL) srs_tree_frames_prepare(&sim->floating->frames);
  if (sim->integrator->traits.is_mean) srs_bound_mobilities(sim);
  srs_state_start_balance(&sim->state, sim->model);
}

static void refresh_coordinates(srs_sim *sim)
{
  const srs_model *m = sim->model;
  srs_model *own = &sim->own.model;
  refresh_state(sim);
  own->has_springs = own->has_damping = false;
  for (int i = 0; i < m->nv; i++) {
    own->has_springs = own->has_springs || m->stiffness[i] > 0;
    own->has_damping = own->has_damping || m->damping[i] > 0;
  }
  const struct srs_constraints *c = sim->constraints;
  for (int k = 0; c != NULL && k < c->n_joint_coordinates; k++) {
    joint_coordinate *x = &c->coordinates[k];
    const srs_joint_settings *o = &sim->options.joint;
    if (x->q >= 0 && o->limits) x->lower = m->lower[x->v], x->upper = m->upper[x->v];
    if (o->friction) x->friction = m->friction[x->v];
    if (o->actuator_limits) x->max_effort = m->max_effort[x->v], x->max_velocity = m->max_velocity[x->v];
  }
  if (sim->integrator->traits.is_mean) srs_bound_mobilities(sim);
}

static void set_gravity(srs_sim *sim, const double gravity[3])
{
  refresh_state(sim);
  memcpy(sim->options.gravity, gravity, sizeof sim->options.gravity);
  sim->workspace->gravity = v3_load(gravity);
  if (sim->constraints != NULL) sim->constraints->impact_threshold = srs_impact_threshold(&sim->options);
  srs_state_start_balance(&sim->state, sim->model);
}

static void refresh_shapes(srs_sim *sim)
{
  struct srs_constraints *c = sim->constraints;
  refresh_state(sim);
  if (c == NULL || c->collider == NULL) return;
  srs_collider_resize(c->collider);
  srs_measure_reach(c, sim->model);
}

// ---------------------------------------------------------------------------------------------------------------------
// All of them
// ---------------------------------------------------------------------------------------------------------------------

static bool has_materials(const srs_sim *sim) { return sim->constraints != NULL && sim->constraints->collider != NULL; }

void srs_keep_first_parameters(srs_sim *sim)
{
  memcpy(sim->own.gravity, sim->options.gravity, sizeof sim->own.gravity);
  const size_t n = has_materials(sim) ? (size_t)sim->model->n_shapes : 0;
  for (size_t i = 0; i < n; i++) {
    sim->own.materials[2 * i] = sim->constraints->friction[i];
    sim->own.materials[2 * i + 1] = sim->constraints->restitution[i];
  }
}

static void refresh_all(srs_sim *sim, const double gravity[3])
{
  refresh_coordinates(sim);
  refresh_shapes(sim);
  set_gravity(sim, gravity);
  refresh_masses(sim);
}

void srs_restore_parameters(srs_sim *sim)
{
  srs_own_model_copy(sim->own.source, &sim->own);
  const size_t n = has_materials(sim) ? (size_t)sim->model->n_shapes : 0;
  for (size_t i = 0; i < n; i++) {
    sim->constraints->friction[i] = sim->own.materials[2 * i];
    sim->constraints->restitution[i] = sim->own.materials[2 * i + 1];
  }
  refresh_all(sim, sim->own.gravity);
  sim->own.is_changed = false;
}

void srs_copy_parameters(const srs_sim *from, srs_sim *to)
{
  if (!from->own.is_changed && !to->own.is_changed) return;
  srs_own_model_copy(from->model, &to->own);
  if (has_materials(from) && has_materials(to)) {
    const size_t bytes = (size_t)from->model->n_shapes * sizeof(double);
    memcpy(to->constraints->friction, from->constraints->friction, bytes);
    memcpy(to->constraints->restitution, from->constraints->restitution, bytes);
  }
  refresh_all(to, from->options.gravity);
  to->own.is_changed = from->own.is_changed;
}

srs_status srs_sim_copy_parameters(const srs_sim *from, srs_sim *to, srs_error *error)
{
  if (from == NULL || to == NULL) return bad(error, NULL, "a simulation is NULL");
  if (from->own.source != to->own.source) return bad(error, NULL, "the two simulations are not of the same model");
  if (from->integrator != to->integrator || has_materials(from) != has_materials(to))
    return bad(error, NULL, "the two simulations do not have the same integrator and contacts");
  srs_copy_parameters(from, to);
  return SRS_OK;
}

uint64_t srs_parameter_fingerprint(const srs_sim *sim)
{
  srs_model model = *sim->model; // with the model's motions: targets are inputs
  model.closures = sim->own.source->closures, model.couplings = sim->own.source->couplings;
  uint64_t hash = srs_model_fingerprint(&model, NULL);
  if (!has_materials(sim)) return hash;
  const size_t bytes = (size_t)sim->model->n_shapes * sizeof(double);
  hash = srs_hash_bytes(hash, sim->constraints->friction, bytes);
  return srs_hash_bytes(hash, sim->constraints->restitution, bytes);
}

bool srs_sim_has_own_parameters(const srs_sim *sim) { return sim != NULL && sim->own.is_changed; }

// ---------------------------------------------------------------------------------------------------------------------
// Links
// ---------------------------------------------------------------------------------------------------------------------

static sym3 sym3_of(const double x[6]) { return (sym3){x[0], x[1], x[2], x[3], x[4], x[5]}; }

srs_status srs_sim_get_link_inertia(const srs_sim *sim, int frame, srs_link_inertia *out)
{
  if (sim == NULL || out == NULL || frame < 0 || frame >= sim->model->n_parts) return SRS_ERROR_ARGUMENT;
  const double *x = sim->model->part_inertia + 10 * (size_t)frame;
  *out = (srs_link_inertia){.mass = x[0]};
  const vec3 com = x[0] > 0 ? scale3(1 / x[0], vec3_load(x + 1)) : vec3_zero;
  const sym3 I = sym3_add(sym3_of(x + 4), sym3_point_mass(-x[0], com));
  vec3_store(out->com, com);
  const double moments[6] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  memcpy(out->inertia, moments, sizeof moments);
  return SRS_OK;
}

static srs_status check_inertia(const srs_link_inertia *x, const char *name, srs_error *error)
{
  const double all[10] = {x->mass,       x->com[0],     x->com[1],     x->com[2],     x->inertia[0],
                          x->inertia[1], x->inertia[2], x->inertia[3], x->inertia[4], x->inertia[5]};
  if (srs_first_not_finite(all, 10) >= 0)
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, name, "the inertia of '%s' is not finite", name);
  if (x->mass >= 0 && !srs_mass_is_in_range(x->mass))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name,
                    "a mass of %g kg of '%s' is none to compute with: 0, or %g to %g kg", x->mass, name, SRS_LEAST_MASS,
                    SRS_MOST_MASS);
  const sym3 I = sym3_of(x->inertia);
  const double rounding = 1e-12 * (fabs(I.xx) + fabs(I.yy) + fabs(I.zz));
  if (srs_inertia_validate_within(x->mass, I, rounding) == SRS_INERTIA_POSSIBLE) return SRS_OK;
  char text[320];
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "the inertia of '%s': %s", name,
                  srs_inertia_describe(x->mass, I, text, sizeof text));
}

srs_status srs_sim_set_link_inertia(srs_sim *sim, int frame, const srs_link_inertia *x, srs_error *error)
{
  if (sim == NULL || x == NULL) return bad(error, NULL, "no sim, or no inertia");
  const srs_model *m = sim->model;
  if (frame < 0 || frame >= m->n_parts) return bad(error, NULL, "the frame is no link of the file");
  const srs_status status = check_inertia(x, m->frames[frame].name, error);
  if (status != SRS_OK) return status;
  const vec3 com = vec3_load(x->com);
  const sym3 I = sym3_add(sym3_of(x->inertia), sym3_point_mass(x->mass, com));
  const double own[10] = {x->mass, x->mass * com.x, x->mass * com.y, x->mass * com.z, I.xx, I.yy, I.zz, I.xy, I.xz,
                          I.yz};
  memcpy(sim->own.part_inertia + 10 * (size_t)frame, own, sizeof own);
  srs_own_model_weld(&sim->own, m->frame_link[frame]);
  refresh_masses(sim);
  return SRS_OK;
}

srs_status srs_sim_set_link_mass(srs_sim *sim, int frame, double mass, srs_error *error)
{
  srs_link_inertia x;
  if (srs_sim_get_link_inertia(sim, frame, &x) != SRS_OK) return bad(error, NULL, "no sim, or no link of the file");
  const char *name = sim->model->frames[frame].name;
  if (!isfinite(mass))
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, name, "the mass of '%s' is not finite", name);
  if (!(mass > 0) || !(x.mass > 0))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name,
                    "the mass of '%s' goes from %g to %g kg, both must be above 0: use srs_sim_set_link_inertia", name,
                    x.mass, mass);
  for (int i = 0; i < 6; i++) x.inertia[i] *= mass / x.mass;
  x.mass = mass;
  return srs_sim_set_link_inertia(sim, frame, &x, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Coordinates
// ---------------------------------------------------------------------------------------------------------------------

enum { ARMATURE, DAMPING, STIFFNESS, FRICTION, LOWER, UPPER, MAX_EFFORT, MAX_VELOCITY, VALUES };

srs_status srs_sim_get_coordinate_parameters(const srs_sim *sim, int i, srs_coordinate_parameters *out)
{
  if (sim == NULL || out == NULL || i < 0 || i >= sim->model->nv) return SRS_ERROR_ARGUMENT;
  double *const *x = sim->own.coordinates;
  *out = (srs_coordinate_parameters){x[ARMATURE][i], x[DAMPING][i], x[STIFFNESS][i],  x[FRICTION][i],
                                     x[LOWER][i],    x[UPPER][i],   x[MAX_EFFORT][i], x[MAX_VELOCITY][i]};
  return SRS_OK;
}

static srs_status cannot_have(const char *name, const char *what, srs_error *error)
{
  return srs_fail(
      error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, name,
      "'%s' cannot be given %s while it runs: the model has none there; give it some, however small or wide", name,
      what);
}

static srs_status check_coordinate(const srs_sim *sim, int i, const srs_coordinate_parameters *p, srs_error *error)
{
  const char *name = sim->model->v_names[i];
  const srs_model *m = sim->own.source;
  const double finite[] = {p->armature, p->damping, p->stiffness, p->friction};
  for (int k = 0; k < 4; k++) {
    if (!isfinite(finite[k]))
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, name, "a parameter of '%s' is not finite", name);
    if (finite[k] < 0)
      return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "a parameter of '%s' is negative", name);
  }
  if (isnan(p->lower) || isnan(p->upper) || isnan(p->max_effort) || isnan(p->max_velocity))
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, name, "a bound of '%s' is no number", name);
  if (p->lower > p->upper || p->max_effort < 0 || p->max_velocity < 0)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name,
                    "'%s' needs lower <= upper, max_effort and max_velocity of 0 or more", name);
  if (p->friction > 0 && !(m->friction[i] > 0)) return cannot_have(name, "dry friction", error);
  const bool opens = isfinite(p->lower) > isfinite(m->lower[i]) || isfinite(p->upper) > isfinite(m->upper[i]);
  if (opens || (p->lower == p->upper) != (m->lower[i] == m->upper[i])) return cannot_have(name, "such a limit", error);
  const bool has_bound = isfinite(m->max_effort[i]) || isfinite(m->max_velocity[i]);
  if ((isfinite(p->max_effort) || isfinite(p->max_velocity)) && !has_bound)
    return cannot_have(name, "a bound of its actuator", error);
  return SRS_OK;
}

srs_status srs_sim_set_coordinate_parameters(srs_sim *sim, int i, const srs_coordinate_parameters *p, srs_error *error)
{
  if (sim == NULL || p == NULL) return bad(error, NULL, "no sim, or no parameters");
  if (i < 0 || i >= sim->model->nv) return bad(error, NULL, "there is no such coordinate");
  const srs_status status = check_coordinate(sim, i, p, error);
  if (status != SRS_OK) return status;
  const double values[VALUES] = {p->armature, p->damping, p->stiffness,  p->friction,
                                 p->lower,    p->upper,   p->max_effort, p->max_velocity};
  for (int k = 0; k < VALUES; k++) sim->own.coordinates[k][i] = values[k];
  refresh_coordinates(sim);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes and gravity
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_sim_get_shape_material(const srs_sim *sim, int shape, double *friction, double *restitution)
{
  if (sim == NULL || shape < 0 || shape >= sim->model->n_shapes) return SRS_ERROR_ARGUMENT;
  if (!has_materials(sim)) return SRS_ERROR_UNSUPPORTED;
  if (friction != NULL) *friction = sim->constraints->friction[shape];
  if (restitution != NULL) *restitution = sim->constraints->restitution[shape];
  return SRS_OK;
}

srs_status srs_sim_set_shape_material(srs_sim *sim, int shape, double friction, double restitution, srs_error *error)
{
  if (sim == NULL || shape < 0 || shape >= sim->model->n_shapes) return bad(error, NULL, "no sim, or no such shape");
  const char *name = sim->model->shapes[shape].label;
  if (!has_materials(sim))
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, name, "nothing can collide in this sim");
  if (!isfinite(friction) || !isfinite(restitution))
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, name, "the material of '%s' is not finite", name);
  if (friction < 0 || restitution < 0 || restitution > 1)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name,
                    "'%s' needs friction of 0 or more and restitution between 0 and 1", name);
  sim->constraints->friction[shape] = friction;
  sim->constraints->restitution[shape] = restitution;
  sim->own.is_changed = true;
  wake(sim);
  return SRS_OK;
}

srs_status srs_sim_get_shape_size(const srs_sim *sim, int shape, double size[3])
{
  if (sim == NULL || size == NULL || shape < 0 || shape >= sim->model->n_shapes) return SRS_ERROR_ARGUMENT;
  memcpy(size, sim->model->shapes[shape].size, 3 * sizeof *size);
  return SRS_OK;
}

srs_status srs_sim_set_shape_size(srs_sim *sim, int shape, const double *size, srs_error *error)
{
  if (sim == NULL || size == NULL || shape < 0 || shape >= sim->model->n_shapes)
    return bad(error, NULL, "no sim, no size, or no such shape");
  srs_shape *own = &sim->own.shapes[shape];
  const int n = srs_shape_table[own->kind].n_sizes;
  const srs_collider_options *o = &sim->options.contact.collider;
  if (!srs_shape_resizes(own->kind) || sim->integrator->traits.takes_surfaces || o->detector == SRS_DETECTOR_BULLET ||
      o->distance != SRS_DISTANCE_EUCLIDEAN || o->ratio_metric != NULL)
    return srs_fail(
        error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, own->label,
        "the size of '%s' cannot change: it must be a sphere, box, capsule, cylinder or ellipsoid, with the "
        "detector exact, Euclidean distances and an integrator that takes no surfaces",
        own->label);
  for (int i = 0; i < n; i++)
    if (!isfinite(size[i]) || !(size[i] > 0))
      return srs_fail(error, isfinite(size[i]) ? SRS_ERROR_ARGUMENT : SRS_ERROR_NOT_FINITE, NULL, 0, 0, own->label,
                      "the size of '%s' must be above 0 and finite", own->label);
  memcpy(own->size, size, (size_t)n * sizeof *size);
  refresh_shapes(sim);
  return SRS_OK;
}

srs_status srs_sim_set_gravity(srs_sim *sim, const double gravity[3], srs_error *error)
{
  if (sim == NULL || gravity == NULL) return bad(error, NULL, "no sim, or no gravity");
  if (srs_first_not_finite(gravity, 3) >= 0)
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, "gravity", "gravity is not finite");
  set_gravity(sim, gravity);
  return SRS_OK;
}
