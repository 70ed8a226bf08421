// Joint limits, dry friction and limited actuators: constraint rows on joint coordinates.
//
//   limits    of a coordinate x (ball joints: loops/swing_twist.c, loop joints: loop_joint_rows.c), at the
//             configuration of the matrices: gap = x - lower, or upper - x. Active where gap + h x'_free <= 0, or where
//             other impulses would break the limit. v+ + gap/h >= 0, so that the coordinate arrives at the stop and
//             stays there; beyond it, v+ >= 0, and positions are led back (islands/push_out.c); without projection v+ +
//             gamma gap/h >= 0 with the depenetration velocity capped. Restitution: v+ >=
//             -e v-, where the coordinate arrives faster than twice the change of its rate in a step without the stop.
//             Equal limits lock the coordinate: a bilateral row
//   friction  |lambda| <= h f against v+: it sticks where that suffices
//   actuators a servo's impulse is p = f0 - e (v+ - v), f0 its impulse at v+ = v with the torque applied, e its linear
//             change; its effort limit is E = h max_effort:
//               p = clamp(f0 - e (v+ - v), -E, E),
//             a box row with compliance 1/e, w = v+ - v0 + p/e with v0 = v + f0/e. An actuator does not accelerate
//             beyond max_velocity V: with T the impulse that it would still have there, its graph over v+ is the sum of
//               T;  [0, E - T] yielding, from V on;  [-T, 0] stiff, at V;  [-E, 0] yielding, from v0 on
//             (mirrored for -V). Servos that stay within their limits need no rows: step_velocity.c tries that first

#include "engine/rows/joint_rows.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/swing_twist.h"
#include "engine/rows/actuator_plan.h"
#include "engine/rows/loop_joint_rows.h"
#include "engine/state/step_context.h"
#include "topology/base/errors.h"
#include "topology/model/joint_kind.h"

#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------------------------

static joint_coordinate coordinate_of(const srs_model *m, const srs_joint_settings *o, int i)
{
  const int link = m->link_of_v[i];
  const bool has_limits = srs_joint_kind_nq((srs_joint_kind)m->kind[link]) == m->v_index[link + 1] - m->v_index[link];
  return (joint_coordinate){.subject = SRS_ROW_OF_COORDINATE,
                            .v = i,
                            .q = has_limits ? m->q_index[link] + i - m->v_index[link] : -1,
                            .lower = has_limits && o->limits ? m->lower[i] : -INFINITY,
                            .upper = has_limits && o->limits ? m->upper[i] : INFINITY,
                            .friction = o->friction ? m->friction[i] : 0,
                            .max_effort = o->actuator_limits ? m->max_effort[i] : INFINITY,
                            .max_velocity = o->actuator_limits ? m->max_velocity[i] : INFINITY};
}

// Adds the swing and twist of a ball joint, where they have limits; returns how many.
static int cone_coordinates(const srs_model *m, int link, joint_coordinate *coordinates)
{
  const srs_joint *joint = &m->joints[link];
  const joint_coordinate none = {.v = m->v_index[link],
                                 .q = -1,
                                 .lower = -INFINITY,
                                 .upper = INFINITY,
                                 .max_effort = INFINITY,
                                 .max_velocity = INFINITY};
  int n = 0;
  if (joint->kind != SRS_JOINT_SPHERICAL) return 0;
  if (isfinite(joint->max_swing)) {
    coordinates[n] = none;
    coordinates[n].subject = SRS_ROW_OF_SWING;
    coordinates[n++].upper = joint->max_swing;
  }
  if (isfinite(joint->max_twist)) {
    coordinates[n] = none;
    coordinates[n].subject = SRS_ROW_OF_TWIST;
    coordinates[n].lower = joint->min_twist;
    coordinates[n++].upper = joint->max_twist;
  }
  return n;
}

// Appends a row on coordinate k; the caller completes it.
static scalar_row *add_row(struct srs_constraints *c, int k, double sign, srs_row_source source, int slot)
{
  const joint_coordinate *x = &c->coordinates[k];
  scalar_row *row = &c->scalars[c->n_scalars++];
  *row = (scalar_row){.source = source,
                      .subject = x->subject,
                      .index = x->subject == SRS_ROW_OF_LOOP ? x->closure : x->v,
                      .sign = sign,
                      .slot = JOINT_SLOTS * k + slot};
  if (x->subject == SRS_ROW_OF_COORDINATE) {
    srs_coordinate_sides(c->workspace, x->v, sign, &row->row);
    return row;
  }
  row->row = x->row;
  for (int i = 0; i < row->row.n_sides; i++) {
    row->row.coefficient[i] *= sign;
    if (!row->row.is_coordinate[i]) row->row.wrench[i] = v6_add_scaled(v6_zero, sign, row->row.wrench[i]);
  }
  return row;
}

// Measures the swing or twist of a ball joint; its row acts on the joint's angular velocity.
static void measure_cone(const srs_step_context *step, joint_coordinate *x)
{
  const srs_model *m = step->model;
  const int link = m->link_of_v[x->v];
  const double *quaternion = step->q + m->q_index[link];
  const v3 axis = v3_load(m->joints[link].axis);
  v3 row;
  x->position = x->subject == SRS_ROW_OF_SWING ? srs_joint_swing(quaternion, axis, &row)
                                               : srs_joint_twist(quaternion, axis, 0.5 * (x->lower + x->upper), &row);
  x->row.n_sides = 0;
  for (int i = 0; i < 3; i++) srs_coordinate_sides(step->workspace, x->v + i, row[i], &x->row);
  if (step->predicted_motion != NULL) x->position -= srs_row_velocity(&x->row, NULL, step->predicted_motion);
}

// Measures a coordinate: its position, and its rate before the step and without rows.
static void measure(const struct srs_constraints *c, const srs_step_context *step, joint_coordinate *x,
                    const double *v_free)
{
  if (x->subject == SRS_ROW_OF_LOOP) {
    srs_measure_loop_joint(c, step, v_free, x);
    return;
  }
  if (x->subject != SRS_ROW_OF_COORDINATE) {
    measure_cone(step, x);
    x->rate = srs_row_velocity(&x->row, NULL, step->v);
    x->rate_free = srs_row_velocity(&x->row, NULL, v_free);
    return;
  }
  x->position = x->q >= 0 ? step->q[x->q] : 0;
  if (step->predicted_motion != NULL) x->position -= step->predicted_motion[x->v];
  x->rate = step->v[x->v];
  x->rate_free = v_free[x->v];
  // where the coordinate would be if it moved with v+ alone: it ends at this position + theta h v+
  if (step->theta != NULL) x->position -= (step->theta[x->v] - 0.5) * step->options->dt * x->rate;
}

// ---------------------------------------------------------------------------------------------------------------------
// Limits
// ---------------------------------------------------------------------------------------------------------------------

static bool is_locked(const joint_coordinate *x) { return x->lower == x->upper; }

static double capped(double push, double most) { return push < -most ? -most : push > most ? most : push; }

static double limit_shift(const srs_joint_settings *o, double h, double gap, double start, double change)
{
  if (o->restitution > 0 && start < -2 * fabs(change)) return o->restitution * start;
  if (o->projection) return fmax(gap, 0) / h;
  return gap >= 0 ? gap / h : capped(o->error_reduction * gap / h, o->max_depenetration_velocity);
}

// Adds one end's limit: sign 1 for the lower one, -1 for the upper one. A limit that was activated stays active for the
// step.
static void add_limit(struct srs_constraints *c, const srs_sim_options *o, int k, double sign, bool *is_kept)
{
  const joint_coordinate *x = &c->coordinates[k];
  const double h = o->dt, gap = sign > 0 ? x->position - x->lower : x->upper - x->position;
  if (!*is_kept && gap + h * sign * x->rate_free > 0) return;
  *is_kept = true;
  scalar_row *row =
      add_row(c, k, sign, sign > 0 ? SRS_ROW_LOWER_LIMIT : SRS_ROW_UPPER_LIMIT, sign > 0 ? SLOT_LOWER : SLOT_UPPER);
  row->kind = SCALAR_UNILATERAL;
  row->gap = gap;
  row->shift = limit_shift(&o->joint, h, gap, sign * x->rate, x->rate_free - x->rate);
}

static void add_lock(struct srs_constraints *c, const srs_sim_options *options, int k)
{
  const srs_joint_settings *o = &options->joint;
  scalar_row *row = add_row(c, k, 1, SRS_ROW_LOWER_LIMIT, SLOT_LOWER);
  row->kind = SCALAR_BILATERAL;
  row->gap = c->coordinates[k].position - c->coordinates[k].lower;
  if (!o->projection) row->shift = capped(o->error_reduction * row->gap / options->dt, o->max_depenetration_velocity);
}

static bool has_limits(const joint_coordinate *x) { return isfinite(x->lower) || isfinite(x->upper); }

bool srs_find_broken_limits(struct srs_constraints *c, double dt, const double *v_next)
{
  const double rounding = 1e-12;
  bool any = false;
  if (c->has_loop_joint_limits) srs_move_links(c->workspace, v_next);
  for (int k = 0; k < c->n_coordinates; k++) {
    joint_coordinate *x = &c->coordinates[k];
    if (!has_limits(x) || is_locked(x)) continue;
    const double rate =
        x->subject == SRS_ROW_OF_COORDINATE ? v_next[x->v] : srs_row_velocity(&x->row, c->workspace->velocity, v_next);
    const double arrival = x->position + dt * rate;
    const bool below = arrival < x->lower - rounding && !x->is_kept_from_lower;
    const bool above = arrival > x->upper + rounding && !x->is_kept_from_upper;
    x->is_kept_from_lower = x->is_kept_from_lower || below;
    x->is_kept_from_upper = x->is_kept_from_upper || above;
    any = any || below || above;
  }
  return any;
}

// ---------------------------------------------------------------------------------------------------------------------
// Actuators
// ---------------------------------------------------------------------------------------------------------------------

// Adds a box row for impulses in [lower, upper], one of them 0, on coefficient * v.
static void add_part(struct srs_constraints *c, int k, int slot, double coefficient, double lower, double upper,
                     double shift, double softness)
{
  const bool is_unbounded = isinf(lower) || isinf(upper);
  const double sign = is_unbounded && isinf(lower) ? -1 : 1;
  scalar_row *row = add_row(c, k, sign * coefficient, SRS_ROW_ACTUATOR, slot);
  row->kind = is_unbounded ? SCALAR_UNILATERAL : SCALAR_BOX;
  row->lower = lower, row->upper = upper;
  row->shift = sign * shift;
  row->softness = softness;
}

// Adds a compliant row: impulse = change (target - v+).
static void add_yielding(struct srs_constraints *c, int k, srs_row_source source, int slot, double target,
                         double change)
{
  scalar_row *row = add_row(c, k, 1, source, slot);
  row->kind = SCALAR_BILATERAL;
  row->shift = -target;
  row->softness = 1 / change;
}

static void add_actuator(struct srs_constraints *c, const srs_step_context *step, int k)
{
  const joint_coordinate *x = &c->coordinates[k];
  const bool is_cut = x->subject == SRS_ROW_OF_LOOP;
  const double h = step->options->dt, V = x->max_velocity;
  const actuator_plan d =
      is_cut ? x->plan
             : srs_plan_actuator(x, h, x->rate, h * step->actuation->force[x->v], step->actuation->change[x->v]);
  if (is_cut && d.is_linear && d.change > 0) add_yielding(c, k, SRS_ROW_ACTUATOR, SLOT_ACTUATOR, d.target, d.change);
  if (d.is_linear) return;
  const double softness = d.change > 0 ? 1 / d.change : 0;
  if (d.sign == 0) {
    add_part(c, k, SLOT_ACTUATOR, 1, -d.effort, d.effort, -d.target, softness);
    return;
  }
  add_part(c, k, SLOT_ACTUATOR_SPEED, d.sign, -d.beyond, 0, -V, 0);
  if (!(d.change > 0)) return;
  if (d.beyond < d.effort) add_part(c, k, SLOT_ACTUATOR, d.sign, 0, d.effort - d.beyond, -V, softness);
  add_part(c, k, SLOT_ACTUATOR_BRAKE, d.sign, -d.effort, 0, -d.sign * d.target, softness);
}

// ---------------------------------------------------------------------------------------------------------------------
// Sources of rows on a coordinate
// ---------------------------------------------------------------------------------------------------------------------

static int count_limits(const joint_coordinate *x) { return isfinite(x->lower) + isfinite(x->upper); }

static void fill_limits(struct srs_constraints *c, const srs_step_context *step, int k)
{
  joint_coordinate *x = &c->coordinates[k];
  if (has_limits(x) && is_locked(x)) {
    add_lock(c, step->options, k);
    return;
  }
  if (isfinite(x->lower)) add_limit(c, step->options, k, 1, &x->is_kept_from_lower);
  if (isfinite(x->upper)) add_limit(c, step->options, k, -1, &x->is_kept_from_upper);
}

static int count_friction(const joint_coordinate *x) { return x->friction > 0; }

static void fill_friction(struct srs_constraints *c, const srs_step_context *step, int k)
{
  scalar_row *row = add_row(c, k, 1, SRS_ROW_FRICTION, SLOT_FRICTION);
  row->kind = SCALAR_BOX;
  row->upper = c->coordinates[k].friction * step->options->dt;
  row->lower = -row->upper;
}

static int count_passive(const joint_coordinate *x) { return x->subject == SRS_ROW_OF_LOOP; }

static void fill_passive(struct srs_constraints *c, const srs_step_context *step, int k)
{
  const joint_coordinate *x = &c->coordinates[k];
  double impulse, change;
  if (srs_loop_joint_passive(step, x, &impulse, &change))
    add_yielding(c, k, SRS_ROW_PASSIVE, SLOT_PASSIVE, x->rate + impulse / change, change);
}

// Actuators of loop joints are always rows.
static int count_actuator(const joint_coordinate *x)
{
  const bool has_limit = isfinite(x->max_effort) || isfinite(x->max_velocity);
  return x->subject == SRS_ROW_OF_LOOP || has_limit ? 3 : 0;
}

static void fill_actuator(struct srs_constraints *c, const srs_step_context *step, int k)
{
  const joint_coordinate *x = &c->coordinates[k];
  if (x->subject == SRS_ROW_OF_LOOP ? *step->state->inputs.has_loop_joint_actuator != 0 && x->has_plan
                                    : step->actuation->are_rows && x->subject == SRS_ROW_OF_COORDINATE)
    add_actuator(c, step, k);
}

// The sources of rows on a coordinate, in the order of their rows in the problem. Where count is not 0, fill is called
// in every step.
static const struct {
  int (*count)(const joint_coordinate *x); // largest number of rows
  void (*fill)(struct srs_constraints *c, const srs_step_context *step, int k);
} sources[] = {
    {count_limits, fill_limits},
    {count_friction, fill_friction},
    {count_passive, fill_passive},
    {count_actuator, fill_actuator},
};

enum { SOURCES = sizeof sources / sizeof sources[0] };

static int most_rows(const joint_coordinate *x)
{
  int n = 0;
  for (int i = 0; i < SOURCES; i++) n += sources[i].count(x);
  return n;
}

srs_status srs_joint_coordinates_create(struct srs_constraints *c, const srs_model *m, const srs_joint_settings *o,
                                        srs_error *error)
{
  const size_t most = (size_t)m->nv + (size_t)m->n_closures + 2 * (size_t)m->n_links;
  c->coordinates = calloc(most + 1, sizeof *c->coordinates);
  if (c->coordinates == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for joints");
  for (int i = 0; i < m->nv; i++) {
    const joint_coordinate coordinate = coordinate_of(m, o, i);
    if (most_rows(&coordinate) == 0) continue;
    c->coordinates[c->n_coordinates++] = coordinate;
    c->has_actuator_limits =
        c->has_actuator_limits || isfinite(coordinate.max_effort) || isfinite(coordinate.max_velocity);
  }
  c->n_joint_coordinates = c->n_coordinates;
  c->n_coordinates += srs_loop_joint_coordinates(m, o, c->coordinates + c->n_coordinates);
  for (int k = 0; k < m->n_links && o->limits; k++)
    c->n_coordinates += cone_coordinates(m, k, c->coordinates + c->n_coordinates);
  for (int k = 0; k < c->n_coordinates; k++) {
    joint_coordinate *x = &c->coordinates[k];
    for (int i = 0; i < SOURCES; i++)
      if (sources[i].count(x) > 0) x->sources |= 1U << i;
    c->scalar_capacity += most_rows(x);
    c->has_loop_joint_limits =
        c->has_loop_joint_limits || (x->subject == SRS_ROW_OF_LOOP && (isfinite(x->lower) || isfinite(x->upper)));
    c->has_loop_joint_rotors =
        c->has_loop_joint_rotors || (x->subject == SRS_ROW_OF_LOOP && m->closures[x->closure].joint.armature > 0);
  }
  c->n_slots += JOINT_SLOTS * c->n_coordinates;
  return SRS_OK;
}

void srs_add_joint_rows(struct srs_constraints *c, const srs_step_context *step, const double *v_free)
{
  for (int k = 0; k < c->n_coordinates; k++) {
    measure(c, step, &c->coordinates[k], v_free);
    for (int i = 0; i < SOURCES; i++)
      if ((c->coordinates[k].sources >> i & 1) != 0) sources[i].fill(c, step, k);
  }
}

// The larger of a ball joint's excesses over its cone and its twist limits; negative inside.
static double outside_cone(const srs_model *m, const double *q, int link)
{
  const srs_joint *joint = &m->joints[link];
  const v3 axis = v3_load(joint->axis);
  v3 row;
  double worst = -INFINITY;
  if (isfinite(joint->max_swing)) worst = srs_joint_swing(q + joint->q_index, axis, &row) - joint->max_swing;
  if (!isfinite(joint->max_twist)) return worst;
  const double twist = srs_joint_twist(q + joint->q_index, axis, 0.5 * (joint->min_twist + joint->max_twist), &row);
  return fmax(worst, fmax(joint->min_twist - twist, twist - joint->max_twist));
}

int srs_outside_limits(const srs_model *m, const double *q, double *by)
{
  double worst = 0;
  int at = -1;
  for (int i = 0; m != NULL && q != NULL && i < m->nv; i++) {
    const joint_coordinate c = coordinate_of(m, &(srs_joint_settings){.limits = true}, i);
    if (c.q < 0) continue;
    const double outside = fmax(c.lower - q[c.q], q[c.q] - c.upper);
    if (outside > worst) worst = outside, at = i;
  }
  for (int k = 0; m != NULL && q != NULL && k < m->n_links; k++) {
    if (m->joints[k].kind != SRS_JOINT_SPHERICAL) continue;
    const double outside = outside_cone(m, q, k);
    if (outside > worst) worst = outside, at = m->v_index[k];
  }
  if (by != NULL) *by = worst;
  return at;
}
