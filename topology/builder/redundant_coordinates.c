// The same mechanism in redundant (maximal) coordinates: free links, held to each other by closures instead of joints.
//
// A joint's frame a is its origin seen from the parent, b the child's own frame; both coincide where q = 0:
//
//   revolute, continuous   revolute     cylindrical   rows wx wy x y in axes turned so that z is the joint's axis
//   prismatic              prismatic    universal     universal, for axes at right angles
//   planar                 planar       spherical     point                free   none
//
// N links on N joints of one coordinate become 6 N coordinates under 5 N rows (Mylapilli & Jain sec. 2.4).
#include "topology/builder/redundant_coordinates.h"
#include "topology/base/spatial.h"
#include "topology/model/joint_kind.h"

#include <string.h>

static bool is_kept(const srs_joint_def *def)
{
  return def->kind == SRS_JOINT_FIXED || (def->kind == SRS_JOINT_FREE && def->parent == NULL);
}

// ---------------------------------------------------------------------------------------------------------------------
// What closures can do
// ---------------------------------------------------------------------------------------------------------------------

static srs_status refuse(const srs_builder_joint *joint, const char *what, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, joint->place, joint->def.name,
                     "joint '%s' cannot be held by a closure (redundant coordinates): %s", joint->def.name, what);
}

static srs_status check_forces(const srs_builder_joint *joint, srs_error *error)
{
  const srs_joint_def *def = &joint->def;
  const int nv = srs_joint_kind_nv(def->kind);
  const bool has_limits = srs_joint_kind_nq(def->kind) == nv;
  for (int i = 0; i < nv; i++) {
    if (def->armature[i] > 0) return refuse(joint, "it has an armature, which only coordinates have", error);
    if (def->damping[i] > 0) return refuse(joint, "it has damping, which only coordinates have", error);
    if (def->stiffness[i] > 0) return refuse(joint, "it has a spring, which only coordinates have", error);
    if (def->friction[i] > 0) return refuse(joint, "it has dry friction, which only coordinates have", error);
    if (has_limits && (isfinite(def->lower[i]) || isfinite(def->upper[i])))
      return refuse(joint, "it has limits, which only coordinates have", error);
  }
  return SRS_OK;
}

// The closure that holds what a joint holds; SRS_CLOSURE_KINDS: none does.
static srs_closure_kind closure_kind_of(srs_joint_kind kind)
{
  switch (kind) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: return SRS_CLOSURE_REVOLUTE;
  case SRS_JOINT_PRISMATIC: return SRS_CLOSURE_PRISMATIC;
  case SRS_JOINT_CYLINDRICAL: return SRS_CLOSURE_ROWS;
  case SRS_JOINT_UNIVERSAL: return SRS_CLOSURE_UNIVERSAL;
  case SRS_JOINT_PLANAR: return SRS_CLOSURE_PLANAR;
  case SRS_JOINT_SPHERICAL: return SRS_CLOSURE_POINT;
  default: return (srs_closure_kind)SRS_CLOSURE_KINDS;
  }
}

static srs_status check_joint(const srs_builder_joint *joint, srs_error *error)
{
  const srs_joint_def *def = &joint->def;
  if (is_kept(def)) return SRS_OK;
  if (def->kind == SRS_JOINT_HELICAL) return refuse(joint, "no closure ties a turn to a travel", error);
  if (def->kind != SRS_JOINT_FREE && closure_kind_of(def->kind) == (srs_closure_kind)SRS_CLOSURE_KINDS)
    return refuse(joint, "no closure holds what a joint of this kind holds", error);
  const double across = dot3(vec3_load(def->axis), vec3_load(def->axis2));
  if (def->kind == SRS_JOINT_UNIVERSAL && fabs(across) > 1e-9)
    return refuse(joint, "its two axes are not at right angles", error);
  return check_forces(joint, error);
}

static srs_status check_couplings(const srs_builder *builder, srs_error *error)
{
  if (builder->n_couplings == 0) return SRS_OK;
  const srs_builder_coupling *first = &builder->couplings[0];
  return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, first->place, first->def.name,
                     "coupling '%s' ties coordinates of joints, which redundant coordinates do not have",
                     first->def.name);
}

// ---------------------------------------------------------------------------------------------------------------------
// Cutting
// ---------------------------------------------------------------------------------------------------------------------

static srs_pose turned(const srs_pose *pose, mat3 turn)
{
  srs_pose result = *pose;
  mat3_to_rows(result.rotation, mul3(mat3_from_rows(pose->rotation), turn));
  return result;
}

// Returns false where there is nothing to hold.
static bool closure_of(const srs_joint_def *joint, srs_closure_def *closure)
{
  if (joint->kind == SRS_JOINT_FREE) return false;
  *closure = srs_default_closure_def(closure_kind_of(joint->kind));
  closure->name = joint->name;
  closure->frame_a = joint->parent;
  closure->frame_b = joint->child;
  closure->pose_a = joint->origin;
  memcpy(closure->axis, joint->axis, sizeof closure->axis);
  memcpy(closure->axis2, joint->axis2, sizeof closure->axis2);
  if (joint->kind != SRS_JOINT_CYLINDRICAL) return true;
  const mat3 turn = srs_turned_axes(vec3_load(joint->axis));
  closure->pose_a = turned(&closure->pose_a, turn);
  closure->pose_b = turned(&closure->pose_b, turn);
  closure->rows = 0x1b; // wx wy x y
  return true;
}

static srs_status add_free(srs_builder *cut, const srs_joint_def *from, srs_error *error)
{
  srs_joint_def def = srs_default_joint_def(SRS_JOINT_FREE);
  def.child = def.name = from->child;
  for (int i = 1; def.name != NULL && srs_builder_has_joint(cut, def.name); i++)
    def.name = srs_arena_print(&cut->texts, "%s_%d", from->child, i);
  if (def.name == NULL) return srs_fail_at(error, SRS_ERROR_MEMORY, cut->place, from->child, "out of memory");
  return srs_builder_add_joint(cut, &def, error);
}

static srs_status cut_joint(srs_builder *cut, const srs_builder_joint *joint, srs_error *error)
{
  srs_builder_set_location(cut, joint->place.file, joint->place.line, joint->place.column);
  srs_status status = add_free(cut, &joint->def, error);
  srs_closure_def closure;
  if (status != SRS_OK || !closure_of(&joint->def, &closure)) return status;
  const char *holder = joint->def.parent;
  cut->texts.failed = false;
  cut->joints[cut->n_joints - 1].held_by = srs_arena_copy_or_null(&cut->texts, holder);
  if (cut->texts.failed) return srs_fail_at(error, SRS_ERROR_MEMORY, cut->place, closure.name, "out of memory");
  return srs_builder_add_closure(cut, &closure, error);
}

static srs_status keep_joint(srs_builder *cut, const srs_builder_joint *joint, srs_error *error)
{
  srs_builder_set_location(cut, joint->place.file, joint->place.line, joint->place.column);
  const srs_status status = srs_builder_add_joint(cut, &joint->def, error);
  if (status == SRS_OK) memcpy(cut->joints[cut->n_joints - 1].neutral, joint->neutral, sizeof joint->neutral);
  return status;
}

static srs_status copy_links(const srs_builder *builder, srs_builder *cut, srs_error *error)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < builder->n_links && status == SRS_OK; i++) {
    const srs_builder_link *link = &builder->links[i];
    srs_builder_set_location(cut, link->place.file, link->place.line, link->place.column);
    status = srs_builder_add_link(cut, &link->def, error);
    if (status != SRS_OK) continue;
    cut->links[cut->n_links - 1].is_carriage = link->is_carriage;
    cut->links[cut->n_links - 1].meets_neighbour = link->meets_neighbour;
    cut->links[cut->n_links - 1].is_lenient = link->is_lenient;
  }
  cut->obstacle = builder->obstacle;
  for (int i = 0; i < builder->n_frames && status == SRS_OK; i++) {
    const srs_builder_frame *frame = &builder->frames[i];
    srs_builder_set_location(cut, frame->place.file, frame->place.line, frame->place.column);
    status = srs_builder_add_frame(cut, frame->name, frame->link, &frame->pose, error);
  }
  for (int i = 0; i < builder->n_shapes && status == SRS_OK; i++) {
    const srs_builder_shape *shape = &builder->shapes[i];
    srs_builder_set_location(cut, shape->place.file, shape->place.line, shape->place.column);
    status = srs_builder_add_shape(cut, &shape->def, error);
    if (status != SRS_OK) return status;
    cut->shapes[i].robot = shape->robot;
    cut->shapes[i].self_collision = shape->self_collision;
  }
  for (int i = 0; i < builder->n_excluded && status == SRS_OK; i++) {
    const srs_builder_excluded *pair = &builder->excluded[i];
    srs_builder_set_location(cut, pair->place.file, pair->place.line, pair->place.column);
    status = srs_builder_exclude(cut, pair->name[0], pair->name[1], error);
  }
  return status;
}

static srs_status copy_rest(const srs_builder *builder, srs_builder *cut, srs_error *error)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < builder->n_closures && status == SRS_OK; i++) {
    const srs_builder_closure *closure = &builder->closures[i];
    srs_builder_set_location(cut, closure->place.file, closure->place.line, closure->place.column);
    srs_closure_def def = closure->def;
    def.embed = false, def.independent = NULL, def.n_independent = 0; // the joints whose coordinates these are, are cut
    status = srs_builder_add_closure(cut, &def, error);
  }
  for (int i = 0; i < builder->n_warnings && status == SRS_OK; i++) {
    const srs_builder_warning *w = &builder->warnings[i];
    srs_builder_set_location(cut, w->place.file, w->place.line, w->place.column);
    status = w->is_note ? srs_builder_note(cut, "%s", w->text) : srs_builder_warn(cut, "%s", w->text);
    if (status != SRS_OK) return srs_fail_at(error, status, w->place, NULL, "out of memory");
  }
  srs_builder_set_location(cut, NULL, 0, 0);
  cut->texts.failed = false;
  if (status == SRS_OK && !srs_file_settings_copy(&cut->texts, &builder->file, &cut->file))
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory");
  return status;
}

srs_status srs_builder_cut_joints(const srs_builder *builder, srs_builder *cut, srs_error *error)
{
  srs_status status = check_couplings(builder, error);
  for (int i = 0; i < builder->n_joints && status == SRS_OK; i++) status = check_joint(&builder->joints[i], error);
  if (status == SRS_OK) status = copy_links(builder, cut, error);
  for (int i = 0; i < builder->n_joints && status == SRS_OK; i++) // their names first
    if (is_kept(&builder->joints[i].def)) status = keep_joint(cut, &builder->joints[i], error);
  for (int i = 0; i < builder->n_joints && status == SRS_OK; i++)
    if (!is_kept(&builder->joints[i].def)) status = cut_joint(cut, &builder->joints[i], error);
  if (status == SRS_OK) status = copy_rest(builder, cut, error);
  return status;
}
