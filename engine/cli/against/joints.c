// Joints: what they are, where they are, and the values of their coordinates.
//
// Where a joint is has two parts that do not depend on where its file puts the joint's frame. With a link c on the
// child's side and a link p on the parent's that both files have, X the joint's frame seen from p and Y that of c seen
// from the joint's: the placement X Y of c at coordinates zero; and the axis seen from c, a line of direction Y_R^T a
// through -Y_R^T Y_p, of which the point counts only across the axis, and only where the joint turns about it.
#include "engine/cli/against/compare.h"
#include "topology/model/joint_kind.h"

#include <math.h>
#include <string.h>

// Two joints that are one.
typedef struct joint_pair {
  const srs_builder_joint *a, *b;
  int child_a, child_b, parent_a, parent_b; // links; parents -1: the world
  srs_compared of;
} joint_pair;

static const char *title_of(const srs_joint_def *def) { return def->name != NULL ? def->name : def->child; }

static const char *parent_of(const srs_joint_def *def) { return def->parent != NULL ? def->parent : "the world"; }

// ---------------------------------------------------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------------------------------------------------

// Of one side: the joint's frame seen from the parent's common link, and the child's common link seen from the joint.
static void find_ends(const srs_sides *sides, int which, const joint_pair *joints, int parent, int child,
                      srs_placed *from_parent, srs_placed *of_child)
{
  const srs_builder_joint *joint = which == 0 ? joints->a : joints->b;
  const int carrier = which == 0 ? joints->parent_a : joints->parent_b;
  const int carried = which == 0 ? joints->child_a : joints->child_b;
  *from_parent = srs_sides_seen(sides, which, parent, carrier, srs_placed_of(&joint->def.origin));
  if (child < 0) {
    *of_child = srs_placed_identity;
    return;
  }
  const srs_placed back = srs_sides_seen(sides, which, child, carried, srs_placed_identity);
  *of_child = srs_placed_from(back, srs_placed_identity);
}

static bool turns(srs_joint_kind kind) { return kind != SRS_JOINT_PRISMATIC && kind != SRS_JOINT_PLANAR; }

static vec3 axis_seen(const double axis[3], srs_placed of_child)
{
  const vec3 seen = rotate_back(of_child.axes, vec3_load(axis));
  return scale3(1 / norm3(seen), seen);
}

static void compare_axis(srs_sides *sides, const joint_pair *joints, srs_placed child_a, srs_placed child_b)
{
  srs_differences *found = sides->found;
  const srs_joint_def *a = &joints->a->def, *b = &joints->b->def;
  char first[SRS_NUMBERS_SIZE], second[SRS_NUMBERS_SIZE];
  if (!srs_joint_kind_has_axis(a->kind) || !srs_joint_kind_has_axis(b->kind)) return;
  const vec3 x = axis_seen(a->axis, child_a), y = axis_seen(b->axis, child_b);
  const double degrees = srs_degrees_between(x, y), least = found->tolerance * 57.29577951308232;
  srs_numbers_text(a->axis, 3, first), srs_numbers_text(b->axis, 3, second);
  if (degrees > least && degrees > 180 - least)
    srs_differ(found, &joints->of, SRS_DIFFERS_AXIS, first, second, "axis reversed: its coordinate has the other sign");
  else if (degrees > least)
    srs_differ(found, &joints->of, SRS_DIFFERS_AXIS, first, second, "axis turned by %.4g degrees", degrees);
  if (a->kind == SRS_JOINT_UNIVERSAL && b->kind == SRS_JOINT_UNIVERSAL) {
    const double second_degrees = srs_degrees_between(axis_seen(a->axis2, child_a), axis_seen(b->axis2, child_b));
    srs_numbers_text(a->axis2, 3, first), srs_numbers_text(b->axis2, 3, second);
    if (second_degrees > least)
      srs_differ(found, &joints->of, SRS_DIFFERS_AXIS, first, second, "second axis turned by %.4g degrees",
                 second_degrees);
  }
  if (!turns(a->kind) || !turns(b->kind)) return;
  const vec3 p = rotate_back(child_a.axes, child_a.at), q = rotate_back(child_b.axes, child_b.at);
  const vec3 away = sub3(p, q), across = add_scaled3(away, -dot3(away, x), x);
  if (norm3(across) > found->tolerance * fmax(1, norm3(p)))
    srs_differ(found, &joints->of, SRS_DIFFERS_AXIS, NULL, NULL, "axis passes %.4g mm beside that of the other",
               1000 * norm3(across));
}

// How a URDF stands on the world is a choice of who reads it.
static bool is_base(const srs_sides *sides, const joint_pair *joints)
{
  return (sides->side[0].is_urdf && joints->a->def.parent == NULL) ||
         (sides->side[1].is_urdf && joints->b->def.parent == NULL);
}

static void compare_places(srs_sides *sides, const joint_pair *joints)
{
  int parent = -1, child = -1;
  srs_placed from_a, from_b, child_a, child_b;
  const srs_joint_def *a = &joints->a->def, *b = &joints->b->def;
  const bool has_parent = srs_sides_common(sides, joints->parent_a, joints->parent_b, &parent);
  if (sides->side[0].twin[joints->child_a] == joints->child_b)
    child = joints->child_a;
  else if (!srs_sides_common(sides, joints->child_a, joints->child_b, &child))
    child = -1;
  if (!has_parent)
    srs_differ(sides->found, &joints->of, SRS_DIFFERS_PARENT, parent_of(a), parent_of(b), "hangs on another link");
  if (child < 0) srs_differ(sides->found, &joints->of, SRS_DIFFERS_PARENT, a->child, b->child, "carries another link");
  find_ends(sides, 0, joints, has_parent ? parent : joints->parent_a, child, &from_a, &child_a);
  find_ends(sides, 1, joints, has_parent ? parent : -1, child, &from_b, &child_b);
  if (has_parent)
    srs_compare_placed(sides->found, &joints->of, SRS_DIFFERS_ORIGIN, "origin", srs_placed_in(from_a, child_a),
                       srs_placed_in(from_b, child_b));
  compare_axis(sides, joints, child_a, child_b);
}

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

static void compare_value(srs_sides *sides, const joint_pair *joints, srs_difference_kind kind, const char *what,
                          double a, double b, double unit)
{
  char first[SRS_NUMBERS_SIZE], second[SRS_NUMBERS_SIZE];
  if (srs_is_alike(sides->found, a, b, unit)) return;
  srs_differ(sides->found, &joints->of, kind, srs_numbers_text(&a, 1, first), srs_numbers_text(&b, 1, second), "%s",
             what);
}

// "limits of x (m)"
static void name_value(const joint_pair *joints, int i, const char *name, const char *unit, char what[120])
{
  const char *word = srs_joint_kind_v_word(joints->a->def.kind, i);
  srs_print(what, 120, "%s%s%s (%s)", name, word[0] != '\0' ? " of " : "", word, unit);
}

static void compare_limits(srs_sides *sides, const joint_pair *joints, int i, bool is_angle)
{
  const srs_joint_def *a = &joints->a->def, *b = &joints->b->def;
  const double x[2] = {a->lower[i], a->upper[i]}, y[2] = {b->lower[i], b->upper[i]};
  char what[120], first[SRS_NUMBERS_SIZE], second[SRS_NUMBERS_SIZE];
  if (srs_is_alike(sides->found, x[0], y[0], 1) && srs_is_alike(sides->found, x[1], y[1], 1)) return;
  name_value(joints, i, "limits", is_angle ? "rad" : "m", what);
  srs_differ(sides->found, &joints->of, SRS_DIFFERS_LIMITS, srs_numbers_text(x, 2, first),
             srs_numbers_text(y, 2, second), "%s", what);
}

static void compare_coordinate(srs_sides *sides, const joint_pair *joints, int i)
{
  const srs_joint_def *a = &joints->a->def, *b = &joints->b->def;
  const bool is_angle = srs_joint_kind_v_type(a->kind, i) == 'a';
  const struct {
    srs_difference_kind kind;
    const char *what, *unit;
    double a, b;
  } rows[] = {
      {SRS_DIFFERS_EFFORT, "effort", is_angle ? "N m" : "N", a->max_effort[i], b->max_effort[i]},
      {SRS_DIFFERS_VELOCITY, "velocity", is_angle ? "rad/s" : "m/s", a->max_velocity[i], b->max_velocity[i]},
      {SRS_DIFFERS_DAMPING, "damping", is_angle ? "N m s/rad" : "N s/m", a->damping[i], b->damping[i]},
      {SRS_DIFFERS_FRICTION, "dry friction", is_angle ? "N m" : "N", a->friction[i], b->friction[i]},
      {SRS_DIFFERS_ARMATURE, "armature", is_angle ? "kg m2" : "kg", a->armature[i], b->armature[i]},
      {SRS_DIFFERS_SPRING, "stiffness", is_angle ? "N m/rad" : "N/m", a->stiffness[i], b->stiffness[i]},
  };
  compare_limits(sides, joints, i, is_angle);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char what[120];
    name_value(joints, i, rows[k].what, rows[k].unit, what);
    compare_value(sides, joints, rows[k].kind, what, rows[k].a, rows[k].b, 0);
  }
}

static void compare_values(srs_sides *sides, const joint_pair *joints)
{
  const srs_joint_def *a = &joints->a->def, *b = &joints->b->def;
  const int nv = srs_joint_kind_nv(a->kind), nq = srs_joint_kind_nq(a->kind);
  if (srs_joint_kind_nv(b->kind) != nv || srs_joint_kind_nq(b->kind) != nq) return;
  bool has_spring = false;
  for (int i = 0; i < nv; i++) {
    compare_coordinate(sides, joints, i);
    has_spring = has_spring || a->stiffness[i] > 0 || b->stiffness[i] > 0;
  }
  for (int i = 0; i < nq && has_spring; i++)
    compare_value(sides, joints, SRS_DIFFERS_SPRING, "rest of the spring", a->reference[i], b->reference[i], 1);
  if (a->kind == SRS_JOINT_HELICAL && b->kind == SRS_JOINT_HELICAL)
    compare_value(sides, joints, SRS_DIFFERS_PITCH, "pitch (m/rad)", a->pitch, b->pitch, 0);
  if (a->kind != SRS_JOINT_SPHERICAL || b->kind != SRS_JOINT_SPHERICAL) return;
  compare_value(sides, joints, SRS_DIFFERS_LIMITS, "largest swing (rad)", a->max_swing, b->max_swing, 1);
  compare_value(sides, joints, SRS_DIFFERS_LIMITS, "least twist (rad)", a->min_twist, b->min_twist, 1);
  compare_value(sides, joints, SRS_DIFFERS_LIMITS, "largest twist (rad)", a->max_twist, b->max_twist, 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints
// ---------------------------------------------------------------------------------------------------------------------

static void compare_joint_pair(srs_sides *sides, int i, int other)
{
  const srs_side *a = &sides->side[0], *b = &sides->side[1];
  joint_pair joints = {.a = &a->source->joints[i], .b = &b->source->joints[other]};
  const srs_joint_def *x = &joints.a->def, *y = &joints.b->def;
  joints.child_a = srs_side_link(a, x->child), joints.parent_a = srs_side_link(a, x->parent);
  joints.child_b = srs_side_link(b, y->child), joints.parent_b = srs_side_link(b, y->parent);
  joints.of = (srs_compared){"joint", title_of(x), joints.a->place, joints.b->place};
  if (joints.child_a < 0 || joints.child_b < 0) return;
  if (is_base(sides, &joints)) {
    if (x->kind != y->kind)
      srs_differ_not(sides->found, &joints.of, SRS_DIFFERS_KIND,
                     "link '%s' stands on the world by a joint of another kind, %s and %s: a URDF does not say how it "
                     "stands, see --base",
                     x->child, srs_joint_kind_name(x->kind), srs_joint_kind_name(y->kind));
    return;
  }
  const bool are_fixed = x->kind == SRS_JOINT_FIXED && y->kind == SRS_JOINT_FIXED;
  if (!are_fixed && x->name != NULL && y->name != NULL && strcmp(x->name, y->name) != 0)
    srs_differ(sides->found, &joints.of, SRS_DIFFERS_NAME, NULL, y->name, "named otherwise, with the same child '%s'",
               x->child);
  if (x->kind != y->kind)
    srs_differ(sides->found, &joints.of, SRS_DIFFERS_KIND, srs_joint_kind_name(x->kind), srs_joint_kind_name(y->kind),
               "another kind of joint");
  compare_places(sides, &joints);
  compare_values(sides, &joints);
}

static void tell_lone_joints(srs_sides *sides, int which)
{
  const srs_side *side = &sides->side[which];
  for (int i = 0; i < side->source->n_joints; i++) {
    const srs_builder_joint *joint = &side->source->joints[i];
    if (side->joint_twin[i] >= 0 || joint->def.kind == SRS_JOINT_FIXED) continue;
    const srs_compared of = {"joint", title_of(&joint->def), which == 0 ? joint->place : srs_no_place(),
                             which == 1 ? joint->place : srs_no_place()};
    srs_differ(sides->found, &of, SRS_DIFFERS_JOINT, NULL, NULL, "in this file only (%s, from '%s' to '%s')",
               srs_joint_kind_name(joint->def.kind), parent_of(&joint->def), joint->def.child);
  }
}

void srs_compare_joints(srs_sides *sides)
{
  const srs_side *a = &sides->side[0];
  for (int i = 0; i < a->source->n_joints; i++)
    if (a->joint_twin[i] >= 0) compare_joint_pair(sides, i, a->joint_twin[i]);
  tell_lone_joints(sides, 0);
  tell_lone_joints(sides, 1);
}
