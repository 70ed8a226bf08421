// Checks of one link, shape or joint by itself: finite numbers, rotations, masses, axes, signs.
//
// A rotation may be off by 1e-6 (files and users print digits); above rounding it is replaced by that of the nearest
// quaternion. Inertias are validated when building, for each set of links that fixed joints join: files in practice
// split a body into a main part and markers whose own numbers mean nothing.
#include "topology/checks/check.h"
#include "topology/base/rotations.h"
#include "topology/base/spatial.h"
#include "topology/model/inertia.h"
#include "topology/model/joint_kind.h"
#include "topology/model/shape_kind.h"

#include <string.h>

static bool all_finite(const double *x, int n)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static bool is_empty(const char *text) { return text == NULL || text[0] == '\0'; }

// name NULL where `what` names it already.
static srs_status not_finite(const char *what, const char *name, const char *part, srs_place place, srs_error *error)
{
  if (name == NULL) return srs_fail_at(error, SRS_ERROR_NOT_FINITE, place, NULL, "%s: %s is not finite", what, part);
  return srs_fail_at(error, SRS_ERROR_NOT_FINITE, place, name, "%s '%s': %s is not finite", what, name, part);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rotations and placements
// ---------------------------------------------------------------------------------------------------------------------

// How far R^T R is from 1; infinite for a reflection.
static double distance_from_rotation(const double rotation[9])
{
  const mat3 r = mat3_from_rows(rotation);
  const double errors[6] = {dot3(r.x, r.x) - 1, dot3(r.y, r.y) - 1, dot3(r.z, r.z) - 1,
                            dot3(r.x, r.y),     dot3(r.x, r.z),     dot3(r.y, r.z)};
  double worst = 0;
  for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(errors[i]));
  return dot3(cross3(r.x, r.y), r.z) > 0 ? worst : INFINITY;
}

static bool clean_rotation(double rotation[9])
{
  const double off = distance_from_rotation(rotation);
  if (off > 1e-6) return false;
  if (off < 4e-15) return true; // products of sines and cosines leave this much
  double quaternion[4];
  srs_quaternion_from_rotation(rotation, quaternion);
  srs_rotation_from_quaternion(quaternion, rotation);
  return true;
}

static srs_status check_rotation(double rotation[9], const char *what, const char *name, const char *part,
                                 srs_place place, srs_error *error)
{
  if (!all_finite(rotation, 9)) return not_finite(what, name, part, place, error);
  if (clean_rotation(rotation)) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, name,
                     "%s%s%s%s: %s is not a rotation: its columns must be unit, at right angles and right-handed", what,
                     name != NULL ? " '" : "", name != NULL ? name : "", name != NULL ? "'" : "", part);
}

srs_status srs_check_pose(srs_pose *pose, const char *what, const char *name, srs_place place, srs_error *error)
{
  if (!all_finite(pose->position, 3)) return not_finite(what, name, "its position", place, error);
  return check_rotation(pose->rotation, what, name, "its rotation", place, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Links and shapes
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_check_link(srs_link_def *def, srs_place place, srs_error *error)
{
  if (is_empty(def->name)) return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, NULL, "a link has no name");
  if (!isfinite(def->mass)) return not_finite("link", def->name, "its mass", place, error);
  if (!all_finite(def->com, 3)) return not_finite("link", def->name, "its centre of mass", place, error);
  if (!all_finite(def->inertia, 6)) return not_finite("link", def->name, "its inertia", place, error);
  if (def->mass < 0)
    return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name, "link '%s': mass %g kg is negative", def->name,
                       def->mass);
  if (!srs_mass_is_in_range(def->mass))
    return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                       "link '%s': a mass of %g kg is none to compute with: 0, or %g to %g kg", def->name, def->mass,
                       SRS_LEAST_MASS, SRS_MOST_MASS);
  return check_rotation(def->inertia_rotation, "link", def->name, "the rotation of its inertia", place, error);
}

static srs_status check_points(const srs_shape_def *def, const char *title, srs_place place, srs_error *error)
{
  const srs_shape_facts *facts = &srs_shape_table[def->kind];
  const int fewest = facts->fewest_points;
  if (def->points == NULL || def->n_points < fewest)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name, "%s: %s%s needs %d points or more", title,
                       facts->is_ground ? "" : "a ", facts->name, fewest);
  for (int i = 0; i < def->n_points; i++)
    if (!all_finite(def->points + 3 * (size_t)i, 3)) return not_finite(title, NULL, "a point", place, error);
  for (int i = 0; facts->is_flat && i < def->n_points; i++)
    if (def->points[3 * (size_t)i + 2] != 0)
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                         "%s: point %d of a %s is not in its plane, z = 0; use its pose, or a hull", title, i,
                         facts->name);
  return SRS_OK;
}

static srs_status check_triangles(const srs_shape_def *def, const char *title, srs_place place, srs_error *error)
{
  if (def->triangles == NULL || def->n_triangles < 1)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name, "%s: %s needs triangles", title,
                       def->kind == SRS_SHAPE_TERRAIN ? "terrain" : "a surface");
  for (int i = 0; i < def->n_triangles; i++) {
    const int *corners = def->triangles + 3 * (size_t)i;
    for (int c = 0; c < 3; c++)
      if (corners[c] < 0 || corners[c] >= def->n_points)
        return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name,
                           "%s: triangle %d has corner %d, but the points are 0 to %d", title, i, corners[c],
                           def->n_points - 1);
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                         "%s: triangle %d has the same corner twice; leave it out", title, i);
  }
  return SRS_OK;
}

static srs_status check_heights(const srs_shape_def *def, const char *title, srs_place place, srs_error *error)
{
  if (def->heights == NULL || def->n_rows < 2 || def->n_columns < 2)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name,
                       "%s: a heightfield needs 2 rows and 2 columns of heights or more", title);
  for (int row = 0; row < def->n_rows; row++)
    if (!all_finite(def->heights + (size_t)row * (size_t)def->n_columns, def->n_columns))
      return not_finite(title, NULL, "a height", place, error);
  return SRS_OK;
}

static srs_status check_sizes(const srs_shape_def *def, const char *title, srs_place place, srs_error *error)
{
  const srs_shape_facts *facts = &srs_shape_table[def->kind];
  const bool is_scale = facts->has_file || (facts->may_be_of_file && def->file != NULL);
  const int n_sizes = is_scale ? 3 : facts->n_sizes;
  if (!all_finite(def->size, n_sizes)) return not_finite(title, NULL, "its size", place, error);
  if (is_scale) return SRS_OK; // a negative one mirrors
  for (int i = 0; i < n_sizes; i++) {
    if (def->size[i] < 0)
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name, "%s: size %g m is negative", title, def->size[i]);
    if (i < facts->n_positive && !(def->size[i] > 0))
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                         facts->is_flat ? "%s: its thickness is zero; give it one"
                                        : "%s: the spacing of its heights is zero; give size x and y",
                         title);
  }
  return SRS_OK;
}

// Below 2 a superellipsoid's surface has edges.
static srs_status check_exponents(const srs_shape_def *def, const char *title, srs_place place, srs_error *error)
{
  for (int i = 0; i < 2; i++)
    if (!(def->exponent[i] >= 2 && isfinite(def->exponent[i])))
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name, "%s: exponent %g of a %s must be 2 or more", title,
                         def->exponent[i], srs_shape_table[def->kind].name);
  return SRS_OK;
}

srs_status srs_check_shape(srs_shape_def *def, srs_place place, srs_error *error)
{
  char title[160] = "a shape of the world";
  if (!is_empty(def->name) || !is_empty(def->link))
    srs_print(title, sizeof title, "shape '%.140s'", !is_empty(def->name) ? def->name : def->link);
  if ((unsigned)def->kind >= SRS_SHAPE_KINDS)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name, "%s: there is no kind %d", title, (int)def->kind);
  srs_status status = srs_check_pose(&def->pose, title, NULL, place, error);
  if (status == SRS_OK) status = check_sizes(def, title, place, error);
  const srs_shape_facts *facts = &srs_shape_table[def->kind];
  if (status == SRS_OK && facts->has_file && is_empty(def->file))
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name, "%s: a %s needs a file", title, facts->name);
  if (status == SRS_OK && facts->fewest_points > 0) status = check_points(def, title, place, error);
  if (status == SRS_OK && facts->has_triangles) status = check_triangles(def, title, place, error);
  if (status == SRS_OK && facts->has_exponents) status = check_exponents(def, title, place, error);
  if (status == SRS_OK && facts->has_heights) status = check_heights(def, title, place, error);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints
// ---------------------------------------------------------------------------------------------------------------------

// Unit to rounding: what was normalised once comes back from a file as it was.
static bool is_unit(const double *x, int n)
{
  double square = 0;
  for (int i = 0; i < n; i++) square += x[i] * x[i];
  return fabs(square - 1) <= 2e-15; // four roundings in each entry, and those of the sum
}

// The largest entry is divided out first.
bool srs_clean_axis(double axis[3])
{
  if (is_unit(axis, 3)) {
    for (int i = 0; i < 3; i++) axis[i] += 0.0; // no -0
    return true;
  }
  const double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
  if (!(largest > 0)) return false;
  const vec3 scaled = {axis[0] / largest, axis[1] / largest, axis[2] / largest};
  const double length = norm3(scaled);
  if (largest * length < 1e-9) return false;
  vec3_store(axis, (vec3){scaled.x / length + 0.0, scaled.y / length + 0.0, scaled.z / length + 0.0});
  return true;
}

bool srs_clean_quaternion(double wxyz[4]) { return is_unit(wxyz, 4) || srs_quaternion_normalise(wxyz, 1e-9); }

static srs_status check_axes(srs_joint_def *def, srs_place place, srs_error *error)
{
  const char *name = def->name;
  if (!srs_joint_kind_has_axis(def->kind)) return SRS_OK;
  const bool has_two = def->kind == SRS_JOINT_UNIVERSAL;
  if (!all_finite(def->axis, 3)) return not_finite("joint", name, "its axis", place, error);
  if (has_two && !all_finite(def->axis2, 3)) return not_finite("joint", name, "its second axis", place, error);
  if (!srs_clean_axis(def->axis) || (has_two && !srs_clean_axis(def->axis2)))
    return srs_fail_at(error, SRS_ERROR_MODEL, place, name,
                       "joint '%s' (%s): an axis is zero; give it a direction, of any length above 1e-9", name,
                       srs_joint_kind_name(def->kind));
  if (has_two && norm3(cross3(vec3_load(def->axis), vec3_load(def->axis2))) < 1e-9)
    return srs_fail_at(error, SRS_ERROR_MODEL, place, name,
                       "joint '%s': its two axes are parallel; use a revolute joint, or turn one of them", name);
  if (def->kind == SRS_JOINT_HELICAL && !isfinite(def->pitch))
    return not_finite("joint", name, "its pitch", place, error);
  return SRS_OK;
}

static srs_status check_coefficients(const srs_joint_def *def, srs_place place, srs_error *error)
{
  const struct {
    const char *word, *why;
    const double *values;
  } rows[] = {{"armature", "a rotor's inertia cannot be", def->armature},
              {"damping", "it would feed energy in, and the motion would grow without bound", def->damping},
              {"stiffness", "it would push away from rest, and the motion would grow", def->stiffness},
              {"friction", "it would feed energy in", def->friction}};
  const int nv = srs_joint_kind_nv(def->kind);
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    for (int i = 0; i < nv; i++) {
      const double value = rows[r].values[i];
      if (!isfinite(value)) return not_finite("joint", def->name, rows[r].word, place, error);
      if (value < 0)
        return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                           "joint '%s': %s %g is negative: %s; give 0 or more", def->name, rows[r].word, value,
                           rows[r].why);
    }
  return SRS_OK;
}

static srs_status check_limits(const srs_joint_def *def, srs_place place, srs_error *error)
{
  const int nv = srs_joint_kind_nv(def->kind);
  const bool has_limits = srs_joint_kind_nq(def->kind) == nv;
  for (int i = 0; i < nv; i++) {
    if (isnan(def->max_effort[i]) || isnan(def->max_velocity[i]))
      return not_finite("joint", def->name, "an actuator's limit", place, error);
    if (def->max_effort[i] < 0 || def->max_velocity[i] < 0)
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                         "joint '%s': an actuator's limit is negative (effort %g, velocity %g); leave it out for none",
                         def->name, def->max_effort[i], def->max_velocity[i]);
    if (!has_limits && (isfinite(def->lower[i]) || isfinite(def->upper[i])))
      return srs_fail_at(
          error, SRS_ERROR_UNSUPPORTED, place, def->name,
          "joint '%s': a %s joint turns a quaternion, which has no lower and upper limit; leave them out%s", def->name,
          srs_joint_kind_name(def->kind),
          def->kind == SRS_JOINT_SPHERICAL ? " (there are max_swing, min_twist and max_twist)" : "");
    if (!has_limits) continue;
    if (isnan(def->lower[i]) || isnan(def->upper[i])) return not_finite("joint", def->name, "a limit", place, error);
    if (def->lower[i] > def->upper[i])
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name, "joint '%s': lower limit %g is above upper limit %g",
                         def->name, def->lower[i], def->upper[i]);
    if (def->lower[i] == INFINITY || def->upper[i] == -INFINITY)
      return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name,
                         "joint '%s': %s limit of %g leaves the joint no place; for none give lower = -inf and upper = "
                         "inf",
                         def->name, def->lower[i] == INFINITY ? "a lower" : "an upper",
                         def->lower[i] == INFINITY ? def->lower[i] : def->upper[i]);
  }
  return SRS_OK;
}

// Cone and twist of a ball joint.
static srs_status check_swing(srs_joint_def *def, srs_place place, srs_error *error)
{
  const double pi = 3.14159265358979323846, swing = def->max_swing, low = def->min_twist, high = def->max_twist;
  const bool has_swing = !isinf(swing), has_twist = !isinf(low) || !isinf(high);
  if (!has_swing && !has_twist) return SRS_OK;
  if (isnan(swing) || isnan(low) || isnan(high)) return not_finite("joint", def->name, "a limit", place, error);
  const char *wrong = NULL;
  if (def->kind != SRS_JOINT_SPHERICAL)
    return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, place, def->name,
                       "joint '%s': max_swing and twists are limits of a spherical joint, not of a %s one", def->name,
                       srs_joint_kind_name(def->kind));
  if (!all_finite(def->axis, 3)) return not_finite("joint", def->name, "its axis", place, error);
  const bool has_no_axis = def->axis[0] == 0 && def->axis[1] == 0 && def->axis[2] == 0;
  if (!(has_no_axis && !has_twist) && !srs_clean_axis(def->axis))
    wrong = "the axis of its twist is zero; give it a direction, of any length above 1e-9";
  else if (has_swing && !(swing > 0 && swing < pi))
    wrong = "max_swing must lie between 0 and pi; for none leave it out, for 0 take a revolute joint";
  else if (has_twist && !(low > -pi && high < pi))
    wrong = "twists are limited on both sides, within -pi and pi";
  else if (has_twist && low > high)
    wrong = "the lower twist is above the upper one";
  if (wrong == NULL) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_MODEL, place, def->name, "joint '%s': %s", def->name, wrong);
}

static srs_status check_reference(srs_joint_def *def, srs_place place, srs_error *error)
{
  const int at = srs_joint_kind_quaternion(def->kind);
  if (!all_finite(def->reference, srs_joint_kind_nq(def->kind)))
    return not_finite("joint", def->name, "the reference of its spring", place, error);
  if (at < 0 || srs_clean_quaternion(def->reference + at)) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name,
                     "joint '%s': the quaternion in its spring's reference has no length; 1 0 0 0 is none turned",
                     def->name);
}

srs_status srs_check_joint(srs_joint_def *def, srs_place place, srs_error *error)
{
  if ((unsigned)def->kind >= SRS_JOINT_KINDS)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name, "joint '%s': there is no kind %d",
                       def->name != NULL ? def->name : "", (int)def->kind);
  if (is_empty(def->child))
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->name, "joint '%s' names no child link",
                       def->name != NULL ? def->name : "");
  if (is_empty(def->name)) {
    if (def->kind != SRS_JOINT_FIXED)
      return srs_fail_at(error, SRS_ERROR_ARGUMENT, place, def->child, "the joint that carries link '%s' has no name",
                         def->child);
    def->name = NULL;
  }
  const char *name = def->name != NULL ? def->name : def->child;
  if (def->parent != NULL && strcmp(def->parent, def->child) == 0)
    return srs_fail_at(error, SRS_ERROR_MODEL, place, name, "joint '%s' joins link '%s' to itself", name, def->child);
  srs_status status = srs_check_pose(&def->origin, "joint", name, place, error);
  if (status == SRS_OK) status = check_axes(def, place, error);
  if (status == SRS_OK) status = check_coefficients(def, place, error);
  if (status == SRS_OK) status = check_limits(def, place, error);
  if (status == SRS_OK) status = check_swing(def, place, error);
  if (status == SRS_OK) status = check_reference(def, place, error);
  return status;
}
