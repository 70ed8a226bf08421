// What is the same mechanism in redundant coordinates? Links that move freely, held to each other by closures in the
// place of hinges.
//
// A hinge's frame a is its origin seen from the parent, b the child's own frame; both meet where q = 0:
//
//   revolute, continuous   hinge       cylindrical   rows wx wy x y in axes turned so that z is the hinge's axis
//   prismatic              slider      universal     universal, for axes at right angles
//   planar                 planar      spherical     point                free   none
//
// N links on N hinges of one coordinate become 6 N coordinates under 5 N rows (Mylapilli & Jain sec. 2.4).
#include "topology/base/spatial.h"
#include "topology/model/builder.h"
#include "topology/model/configuration.h"

#include <string.h>

static bool is_kept(const srs_hinge_def *def)
{
  return def->kind == SRS_HINGE_FIXED || (def->kind == SRS_HINGE_FREE && def->parent == NULL);
}

// ---------------------------------------------------------------------------------------------------------------------
// What closures can do
// ---------------------------------------------------------------------------------------------------------------------

static srs_status refuse(const srs_builder_hinge *hinge, const char *what, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, hinge->place, hinge->def.name,
                     "hinge '%s' cannot be held by a closure (redundant coordinates): %s", hinge->def.name, what);
}

static srs_status check_forces(const srs_builder_hinge *hinge, srs_error *error)
{
  const srs_hinge_def *def = &hinge->def;
  const int nv = srs_hinge_kind_nv(def->kind);
  const bool has_limits = srs_hinge_kind_nq(def->kind) == nv;
  for (int i = 0; i < nv; i++) {
    if (def->armature[i] > 0) return refuse(hinge, "it has an armature, which only coordinates have", error);
    if (def->damping[i] > 0) return refuse(hinge, "it has damping, which only coordinates have", error);
    if (def->stiffness[i] > 0) return refuse(hinge, "it has a spring, which only coordinates have", error);
    if (def->friction[i] > 0) return refuse(hinge, "it has dry friction, which only coordinates have", error);
    if (has_limits && (isfinite(def->lower[i]) || isfinite(def->upper[i])))
      return refuse(hinge, "it has limits, which only coordinates have", error);
  }
  return SRS_OK;
}

static srs_status check_hinge(const srs_builder_hinge *hinge, srs_error *error)
{
  const srs_hinge_def *def = &hinge->def;
  if (is_kept(def)) return SRS_OK;
  if (def->kind == SRS_HINGE_HELICAL) return refuse(hinge, "no closure ties a turn to a travel", error);
  const double across = dot3(vec3_load(def->axis), vec3_load(def->axis2));
  if (def->kind == SRS_HINGE_UNIVERSAL && fabs(across) > 1e-9)
    return refuse(hinge, "its two axes are not at right angles", error);
  return check_forces(hinge, error);
}

static srs_status check_couplings(const srs_builder *builder, srs_error *error)
{
  if (builder->n_couplings == 0) return SRS_OK;
  const srs_builder_coupling *first = &builder->couplings[0];
  return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, first->place, first->def.name,
                     "coupling '%s' ties coordinates of hinges, which redundant coordinates do not have",
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

// false: it holds nothing.
static bool closure_of(const srs_hinge_def *hinge, srs_closure_def *closure)
{
  static const srs_closure_kind kinds[SRS_HINGE_KINDS] = {
      [SRS_HINGE_REVOLUTE] = SRS_CLOSURE_HINGE,      [SRS_HINGE_CONTINUOUS] = SRS_CLOSURE_HINGE,
      [SRS_HINGE_PRISMATIC] = SRS_CLOSURE_SLIDER,    [SRS_HINGE_CYLINDRICAL] = SRS_CLOSURE_ROWS,
      [SRS_HINGE_UNIVERSAL] = SRS_CLOSURE_UNIVERSAL, [SRS_HINGE_PLANAR] = SRS_CLOSURE_PLANAR,
      [SRS_HINGE_SPHERICAL] = SRS_CLOSURE_POINT,
  };
  if (hinge->kind == SRS_HINGE_FREE) return false;
  *closure = srs_default_closure_def(kinds[hinge->kind]);
  closure->name = hinge->name;
  closure->frame_a = hinge->parent;
  closure->frame_b = hinge->child;
  closure->pose_a = hinge->origin;
  memcpy(closure->axis, hinge->axis, sizeof closure->axis);
  memcpy(closure->axis2, hinge->axis2, sizeof closure->axis2);
  if (hinge->kind != SRS_HINGE_CYLINDRICAL) return true;
  const mat3 turn = srs_turned_axes(vec3_load(hinge->axis));
  closure->pose_a = turned(&closure->pose_a, turn);
  closure->pose_b = turned(&closure->pose_b, turn);
  closure->rows = 0x1b; // wx wy x y
  return true;
}

static srs_status add_free(srs_builder *cut, const srs_hinge_def *from, srs_error *error)
{
  srs_hinge_def def = srs_default_hinge_def(SRS_HINGE_FREE);
  def.child = def.name = from->child;
  for (int i = 1; def.name != NULL && srs_builder_has_hinge(cut, def.name); i++)
    def.name = srs_arena_print(&cut->texts, "%s_%d", from->child, i);
  if (def.name == NULL) return srs_fail_at(error, SRS_ERROR_MEMORY, cut->place, from->child, "out of memory");
  return srs_builder_add_hinge(cut, &def, error);
}

static srs_status cut_hinge(srs_builder *cut, const srs_builder_hinge *hinge, srs_error *error)
{
  srs_builder_set_location(cut, hinge->place.file, hinge->place.line, hinge->place.column);
  srs_status status = add_free(cut, &hinge->def, error);
  srs_closure_def closure;
  if (status != SRS_OK || !closure_of(&hinge->def, &closure)) return status;
  const char *holder = hinge->def.parent;
  cut->texts.failed = false;
  cut->hinges[cut->n_hinges - 1].held_by = srs_arena_copy_or_null(&cut->texts, holder);
  if (cut->texts.failed) return srs_fail_at(error, SRS_ERROR_MEMORY, cut->place, closure.name, "out of memory");
  return srs_builder_add_closure(cut, &closure, error);
}

static srs_status keep_hinge(srs_builder *cut, const srs_builder_hinge *hinge, srs_error *error)
{
  srs_builder_set_location(cut, hinge->place.file, hinge->place.line, hinge->place.column);
  const srs_status status = srs_builder_add_hinge(cut, &hinge->def, error);
  if (status == SRS_OK) memcpy(cut->hinges[cut->n_hinges - 1].neutral, hinge->neutral, sizeof hinge->neutral);
  return status;
}

static srs_status copy_links(const srs_builder *builder, srs_builder *cut, srs_error *error)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < builder->n_links && status == SRS_OK; i++) {
    const srs_builder_link *link = &builder->links[i];
    srs_builder_set_location(cut, link->place.file, link->place.line, link->place.column);
    status = srs_builder_add_link(cut, &link->def, error);
  }
  for (int i = 0; i < builder->n_frames && status == SRS_OK; i++) {
    const srs_builder_frame *frame = &builder->frames[i];
    srs_builder_set_location(cut, frame->place.file, frame->place.line, frame->place.column);
    status = srs_builder_add_frame(cut, frame->name, frame->link, &frame->pose, error);
  }
  for (int i = 0; i < builder->n_shapes && status == SRS_OK; i++) {
    const srs_builder_shape *shape = &builder->shapes[i];
    srs_builder_set_location(cut, shape->place.file, shape->place.line, shape->place.column);
    status = srs_builder_add_shape(cut, &shape->def, error);
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
    def.embed = false, def.independent = NULL, def.n_independent = 0; // the hinges whose coordinates these are, are cut
    status = srs_builder_add_closure(cut, &def, error);
  }
  for (int i = 0; i < builder->n_warnings && status == SRS_OK; i++) {
    const srs_builder_warning *w = &builder->warnings[i];
    srs_builder_set_location(cut, w->place.file, w->place.line, w->place.column);
    status = w->is_note ? srs_builder_note(cut, "%s", w->text) : srs_builder_warn(cut, "%s", w->text);
    if (status != SRS_OK) return srs_fail_at(error, status, w->place, NULL, "out of memory");
  }
  srs_builder_set_location(cut, NULL, 0, 0);
  return status;
}

srs_status srs_builder_cut_hinges(const srs_builder *builder, srs_builder *cut, srs_error *error)
{
  srs_status status = check_couplings(builder, error);
  for (int i = 0; i < builder->n_hinges && status == SRS_OK; i++) status = check_hinge(&builder->hinges[i], error);
  if (status == SRS_OK) status = copy_links(builder, cut, error);
  for (int i = 0; i < builder->n_hinges && status == SRS_OK; i++) // their names first
    if (is_kept(&builder->hinges[i].def)) status = keep_hinge(cut, &builder->hinges[i], error);
  for (int i = 0; i < builder->n_hinges && status == SRS_OK; i++)
    if (!is_kept(&builder->hinges[i].def)) status = cut_hinge(cut, &builder->hinges[i], error);
  if (status == SRS_OK) status = copy_rest(builder, cut, error);
  return status;
}
