// Checks of one closure or coupling by itself: axes, rows, motions and what acts on the free coordinate.
#include "topology/checks/check_loops.h"
#include "topology/checks/check.h"
#include "topology/model/closure_kind.h"
#include "topology/model/prescribed_motion.h"

#include <math.h>

static srs_status check_closure_axes(srs_closure_def *def, srs_place place, srs_error *error)
{
  if (!srs_closure_table[def->kind].has_axis) return SRS_OK;
  double *const axes[2] = {def->axis, def->axis2};
  for (int i = 0; i < (def->kind == SRS_CLOSURE_UNIVERSAL ? 2 : 1); i++) {
    if (!isfinite(axes[i][0] + axes[i][1] + axes[i][2]))
      return srs_fail_at(error, SRS_ERROR_NOT_FINITE, place, def->name, "closure '%s': an axis is not finite",
                         def->name);
    if (!srs_clean_axis(axes[i]))
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                         "closure '%s' (%s): an axis is zero; give it a direction, of any length above 1e-9", def->name,
                         srs_closure_table[def->kind].name);
  }
  return SRS_OK;
}

// Whether something acts on the free coordinate.
static bool has_joint(const srs_loop_joint *j)
{
  return j->lower > -INFINITY || j->upper < INFINITY || j->friction != 0 || j->damping != 0 || j->stiffness != 0 ||
         j->armature != 0 || j->max_effort < INFINITY || j->max_velocity < INFINITY;
}

static srs_status check_joint(const srs_closure_def *def, srs_place place, srs_error *error)
{
  const srs_loop_joint *j = &def->joint;
  const char *const words[] = {"friction", "damping", "stiffness", "armature"};
  const double values[] = {j->friction, j->damping, j->stiffness, j->armature};
  for (int i = 0; i < 4; i++) {
    if (!isfinite(values[i]))
      return srs_fail_at(error, SRS_ERROR_NOT_FINITE, place, def->name, "closure '%s': %s is not finite", def->name,
                         words[i]);
    if (values[i] < 0)
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name, "closure '%s': %s %g is negative; give 0 or more",
                         def->name, words[i], values[i]);
  }
  if (!isfinite(j->reference) || isnan(j->lower) || isnan(j->upper) || isnan(j->max_effort) || isnan(j->max_velocity))
    return srs_fail_at(error, SRS_ERROR_NOT_FINITE, place, def->name,
                       "closure '%s': a limit or the reference of its spring is not a number", def->name);
  if (j->lower > j->upper)
    return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name, "closure '%s': lower limit %g is above upper limit %g",
                       def->name, j->lower, j->upper);
  if (j->lower == INFINITY || j->upper == -INFINITY)
    return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                       "closure '%s': %s limit of %g leaves it no place; for none give lower = -inf and upper = inf",
                       def->name, j->lower == INFINITY ? "a lower" : "an upper",
                       j->lower == INFINITY ? j->lower : j->upper);
  if (j->max_effort < 0 || j->max_velocity < 0)
    return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                       "closure '%s': an actuator's limit is negative (effort %g, velocity %g); leave it out for none",
                       def->name, j->max_effort, j->max_velocity);
  const bool is_free_tendon = def->kind == SRS_CLOSURE_TENDON && !def->tendon.is_held;
  if (def->kind == SRS_CLOSURE_REVOLUTE || def->kind == SRS_CLOSURE_PRISMATIC || is_free_tendon || !has_joint(j))
    return SRS_OK;
  return srs_fail_at(
      error, SRS_ERROR_UNSUPPORTED, place, def->name,
      "closure '%s': limits, friction, damping, spring, armature and actuators are for revolute and prismatic "
      "closures and free tendons, not for %s; leave them out",
      def->name, srs_closure_table[def->kind].name);
}

static srs_status check_tendon(const srs_closure_def *def, srs_place place, srs_error *error)
{
  const srs_tendon_def *t = &def->tendon;
  const int n = t->n_terms + t->n_leaders;
  if (def->kind != SRS_CLOSURE_TENDON) return SRS_OK;
  if (t->n_terms < 1 || t->n_leaders < 0 || n > SRS_TENDON_TERMS || t->terms == NULL ||
      (t->n_leaders > 0 && (t->leaders == NULL || !t->is_held)))
    return srs_fail_at(error, SRS_ERROR_CAPACITY, place, def->name,
                       "tendon '%s': %d + %d coordinates; a tendon goes over 1 to %d, and only one that is held has "
                       "some on its second side",
                       def->name, t->n_terms, t->n_leaders, SRS_TENDON_TERMS);
  for (int i = 0; i < n; i++) {
    const srs_tendon_term *term = i < t->n_terms ? &t->terms[i] : &t->leaders[i - t->n_terms];
    if (term->coordinate == NULL || !isfinite(term->coefficient) || term->coefficient == 0)
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                         "tendon '%s': term %d needs a coordinate and a coefficient that is finite and not 0",
                         def->name, i + 1);
  }
  for (int i = 0; i < SRS_COUPLING_TERMS; i++)
    if (!isfinite(t->polynomial[i]))
      return srs_fail_at(error, SRS_ERROR_NOT_FINITE, place, def->name, "tendon '%s': coefficient %d is not finite",
                         def->name, i);
  if (def->frame_a == NULL && def->frame_b == NULL && !def->embed && def->motion.kind == SRS_MOTION_NONE) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, place, def->name,
                     "tendon '%s': a tendon has no frames and no motion, and is not embedded", def->name);
}

static srs_status check_embedding(const srs_closure_def *def, srs_place place, srs_error *error)
{
  if (def->n_independent < 0 || (def->n_independent > 0 && (def->independent == NULL || !def->embed)))
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name,
                       "closure '%s': independent coordinates are for one that is embedded", def->name);
  for (int i = 0; i < def->n_independent; i++)
    if (def->independent[i] == NULL)
      return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name,
                         "closure '%s': an independent coordinate has no name", def->name);
  if (def->embed && def->motion.kind != SRS_MOTION_NONE)
    return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, place, def->name,
                       "closure '%s': a closure with a motion cannot be embedded; leave out one or the other",
                       def->name);
  if (def->embed && has_joint(&def->joint))
    return srs_fail_at(
        error, SRS_ERROR_UNSUPPORTED, place, def->name,
        "closure '%s': limits, friction, damping, spring, armature and actuators are not for a closure that is "
        "embedded; leave out one or the other, or cut the loop at another joint",
        def->name);
  return SRS_OK;
}

srs_status srs_check_closure(srs_closure_def *def, srs_place place, srs_error *error)
{
  if (def->name == NULL || def->name[0] == '\0')
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, NULL, "a closure has no name");
  if ((unsigned)def->kind >= SRS_CLOSURE_KINDS)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name, "closure '%s': there is no kind %d", def->name,
                       (int)def->kind);
  srs_status status = srs_check_pose(&def->pose_a, "closure", def->name, place, error);
  if (status == SRS_OK) status = srs_check_pose(&def->pose_b, "closure", def->name, place, error);
  if (status == SRS_OK) status = check_closure_axes(def, place, error);
  if (status == SRS_OK) status = srs_check_motion(&def->motion, "closure", def->name, place, error);
  if (status == SRS_OK) status = check_joint(def, place, error);
  if (status == SRS_OK) status = check_tendon(def, place, error);
  if (status != SRS_OK) return status;
  if (def->kind == SRS_CLOSURE_ROD && !(def->length > 0 && isfinite(def->length)))
    return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                       "closure '%s': a rod needs a length above 0 m, not %g; two points that coincide are a point",
                       def->name, def->length);
  if (def->kind == SRS_CLOSURE_ROWS &&
      (def->rows == 0 || (def->rows & ~(unsigned)(SRS_ANGULAR_ROWS | SRS_LINEAR_ROWS)) != 0))
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name,
                       "closure '%s': rows 0x%x names none, or has bits beyond 0x3f", def->name, def->rows);
  if (def->motion.kind != SRS_MOTION_NONE && (def->motion_row < 0 || def->motion_row >= srs_closure_row_count(def)))
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name,
                       "closure '%s': its motion is of row %d, but its rows are 0 to %d", def->name, def->motion_row,
                       srs_closure_row_count(def) - 1);
  return check_embedding(def, place, error);
}

srs_status srs_check_coupling(const srs_coupling_def *def, srs_place place, srs_error *error)
{
  if (def->follower == NULL || def->follower[0] == '\0')
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name, "a coupling names no coordinate that follows");
  for (int i = 0; i < SRS_COUPLING_TERMS; i++)
    if (!isfinite(def->coefficients[i]))
      return srs_fail_at(error, SRS_ERROR_NOT_FINITE, place, def->name, "coupling '%s': coefficient %d is not finite",
                         def->name, i);
  if (def->leader == NULL && def->motion.kind == SRS_MOTION_NONE)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name,
                       "coupling '%s': '%s' follows neither a coordinate nor a motion", def->name, def->follower);
  return srs_check_motion(&def->motion, "coupling", def->name, place, error);
}
