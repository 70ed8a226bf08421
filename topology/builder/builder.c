// The builder: a growing list of each kind of definition, with the place it came from.
//
// Everything is copied: texts into an arena, the rest by value. An addition first checks, then reserves all the memory
// it needs, and only then changes anything.
#include "topology/builder/builder.h"
#include "topology/base/rotations.h"
#include "topology/checks/check.h"
#include "topology/checks/check_loops.h"
#include "topology/model/joint_kind.h"
#include "topology/model/prescribed_motion.h"
#include "topology/model/shape_kind.h"
#include "topology/model/tendon.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Defaults
// ---------------------------------------------------------------------------------------------------------------------

srs_link_def srs_default_link_def(void) { return (srs_link_def){.inertia_rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}; }

srs_joint_def srs_default_joint_def(srs_joint_kind kind)
{
  srs_joint_def def = {.kind = kind,
                       .origin = srs_identity_pose(),
                       .axis = {1, 0, 0},
                       .axis2 = {0, 1, 0},
                       .max_swing = INFINITY,
                       .min_twist = -INFINITY,
                       .max_twist = INFINITY};
  const int at = srs_joint_kind_quaternion(kind);
  if (at >= 0) def.reference[at] = 1;
  for (int i = 0; i < SRS_MAX_JOINT_NV; i++) {
    def.lower[i] = -INFINITY;
    def.upper[i] = def.max_effort[i] = def.max_velocity[i] = INFINITY;
  }
  return def;
}

srs_build_options srs_default_build_options(void) { return (srs_build_options){0}; }

// ---------------------------------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------------------------------

srs_builder *srs_builder_create(void)
{
  srs_builder *builder = calloc(1, sizeof *builder);
  if (builder != NULL) builder->read.memory = &builder->texts;
  return builder;
}

void srs_builder_destroy(srs_builder *builder)
{
  if (builder == NULL) return;
  free(builder->links);
  free(builder->joints);
  free(builder->frames);
  free(builder->shapes);
  free(builder->closures);
  free(builder->couplings);
  free(builder->warnings);
  free(builder->excluded);
  srs_names_release(&builder->loop_names);
  srs_names_release(&builder->link_names);
  srs_names_release(&builder->joint_names);
  srs_names_release(&builder->frame_names);
  srs_arena_release(&builder->texts);
  free(builder);
}

void srs_builder_set_location(srs_builder *builder, const char *file, int line, int column)
{
  if (builder == NULL) return;
  srs_place *place = &builder->place;
  if (file == NULL)
    place->file = NULL;
  else if (place->file == NULL || strcmp(place->file, file) != 0) {
    builder->texts.failed = false; // a location that finds no memory is unknown; what follows may succeed
    place->file = srs_arena_copy(&builder->texts, file);
  }
  place->line = line > 0 ? line : 0;
  place->column = column > 0 ? column : 0;
}

srs_builder_mark srs_builder_take_mark(const srs_builder *builder)
{
  return (srs_builder_mark){.n_links = builder->n_links,
                            .n_joints = builder->n_joints,
                            .n_frames = builder->n_frames,
                            .n_shapes = builder->n_shapes,
                            .n_closures = builder->n_closures,
                            .n_couplings = builder->n_couplings,
                            .n_warnings = builder->n_warnings,
                            .n_excluded = builder->n_excluded,
                            .n_settled = builder->n_settled,
                            .place = builder->place,
                            .file = builder->file,
                            .is_obstructed = builder->obstacle.status != SRS_OK};
}

void srs_builder_roll_back(srs_builder *builder, srs_builder_mark mark)
{
  builder->n_links = mark.n_links;
  builder->n_joints = mark.n_joints;
  builder->n_frames = mark.n_frames;
  builder->n_shapes = mark.n_shapes;
  builder->n_closures = mark.n_closures;
  builder->n_couplings = mark.n_couplings;
  builder->n_warnings = mark.n_warnings;
  builder->n_excluded = mark.n_excluded;
  builder->n_settled = mark.n_settled;
  builder->place = mark.place;
  builder->file = mark.file;
  builder->is_lenient = false;
  if (!mark.is_obstructed) builder->obstacle = (srs_error){0};
  srs_names_cut(&builder->link_names, mark.n_links);
  srs_names_cut(&builder->joint_names, mark.n_joints);
  srs_names_cut(&builder->frame_names, mark.n_frames);
  srs_names_cut(&builder->loop_names, mark.n_closures + mark.n_couplings);
}

// ---------------------------------------------------------------------------------------------------------------------
// Room
// ---------------------------------------------------------------------------------------------------------------------

// The list with room for one more item, maybe moved; NULL, nothing changed, when out of memory.
static void *make_room(void *items, int n, int *room, size_t size)
{
  if (n < *room) return items;
  if (*room > INT_MAX / 4) return NULL;
  const int larger = *room > 0 ? 2 * *room : 16;
  void *moved = realloc(items, (size_t)larger * size);
  if (moved != NULL) *room = larger;
  return moved;
}

static srs_status no_memory(const srs_builder *builder, const char *subject, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, builder->place, subject, "out of memory");
}

static srs_status no_argument(const char *function, srs_error *error)
{
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s: an argument is NULL", function);
}

// A name may be taken once among its kind. "two links are named 'x': the other is at FILE:LINE".
static srs_status name_taken(const srs_builder *builder, const char *name, const char *claim, srs_place other,
                             srs_error *error)
{
  if (other.file == NULL)
    return srs_fail_at(error, SRS_ERROR_NAME, builder->place, name, "%s '%s'; rename one", claim, name);
  return srs_fail_at(error, SRS_ERROR_NAME, builder->place, name, "%s '%s': the other is at %s:%d; rename one", claim,
                     name, other.file, other.line);
}

static srs_status check_frame_name(const srs_builder *builder, const char *name, bool is_link, srs_error *error)
{
  const int link = srs_names_find(&builder->link_names, name);
  if (link >= 0)
    return name_taken(builder, name, is_link ? "two links are named" : "a link and a frame are named",
                      builder->links[link].place, error);
  const int frame = srs_names_find(&builder->frame_names, name);
  if (frame < 0) return SRS_OK;
  return name_taken(builder, name, is_link ? "a link and a frame are named" : "two frames are named",
                    builder->frames[frame].place, error);
}

bool srs_builder_has_joint(const srs_builder *builder, const char *name)
{
  return srs_names_find(&builder->joint_names, name) >= 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Adding
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_builder_add_link(srs_builder *builder, const srs_link_def *def, srs_error *error)
{
  if (builder == NULL || def == NULL) return no_argument("srs_builder_add_link", error);
  srs_builder_link link = {.def = *def, .place = builder->place, .is_lenient = builder->is_lenient};
  srs_status status = srs_check_link(&link.def, builder->place, error);
  if (status == SRS_OK) status = check_frame_name(builder, def->name, true, error);
  if (status != SRS_OK) return status;

  builder->texts.failed = false;
  link.def.name = srs_arena_copy(&builder->texts, def->name);
  srs_builder_link *links = make_room(builder->links, builder->n_links, &builder->link_room, sizeof link);
  if (links != NULL) builder->links = links;
  if (builder->texts.failed || !srs_names_reserve(&builder->link_names) || links == NULL)
    return no_memory(builder, def->name, error);
  srs_names_add(&builder->link_names, link.def.name, builder->n_links);
  builder->links[builder->n_links++] = link;
  return SRS_OK;
}

srs_status srs_builder_add_joint(srs_builder *builder, const srs_joint_def *def, srs_error *error)
{
  if (builder == NULL || def == NULL) return no_argument("srs_builder_add_joint", error);
  srs_builder_joint joint = {.def = *def, .place = builder->place};
  const srs_status status = srs_check_joint(&joint.def, builder->place, error);
  if (status != SRS_OK) return status;
  const char *name = joint.def.name;
  const int same = name != NULL ? srs_names_find(&builder->joint_names, name) : -1;
  if (same >= 0) return name_taken(builder, name, "two joints are named", builder->joints[same].place, error);

  const int at = srs_joint_kind_quaternion(def->kind);
  if (at >= 0) joint.neutral[at] = 1;
  builder->texts.failed = false;
  joint.def.name = srs_arena_copy_or_null(&builder->texts, name);
  joint.def.parent = srs_arena_copy_or_null(&builder->texts, def->parent);
  joint.def.child = srs_arena_copy(&builder->texts, def->child);
  srs_builder_joint *joints = make_room(builder->joints, builder->n_joints, &builder->joint_room, sizeof joint);
  if (joints != NULL) builder->joints = joints;
  if (builder->texts.failed || !srs_names_reserve(&builder->joint_names) || joints == NULL)
    return no_memory(builder, name, error);
  if (name != NULL) srs_names_add(&builder->joint_names, joint.def.name, builder->n_joints);
  builder->joints[builder->n_joints++] = joint;
  return SRS_OK;
}

// Texts and arrays of a shape into the arena, without those that its kind does not use.
static void copy_shape(srs_arena *arena, const srs_shape_def *def, srs_shape_def *copy)
{
  *copy = *def;
  copy->name = srs_arena_copy_or_null(arena, def->name);
  copy->link = srs_arena_copy_or_null(arena, def->link);
  copy->material = srs_arena_copy_or_null(arena, def->material);
  const srs_shape_facts *facts = &srs_shape_table[def->kind];
  copy->file = srs_arena_copy_or_null(arena, facts->has_file || facts->may_be_of_file ? def->file : NULL);
  if (facts->may_be_of_file && copy->file == NULL) copy->size[0] = copy->size[1] = copy->size[2] = 0;
  if (def->kind != SRS_SHAPE_HULL || copy->file == NULL) copy->part = 0;
  srs_shape_copy_arrays(arena, def, copy);
}

srs_status srs_builder_add_shape(srs_builder *builder, const srs_shape_def *def, srs_error *error)
{
  if (builder == NULL || def == NULL) return no_argument("srs_builder_add_shape", error);
  srs_builder_shape shape = {.def = *def, .place = builder->place};
  const srs_status status = srs_check_shape(&shape.def, builder->place, error);
  if (status != SRS_OK) return status;

  builder->texts.failed = false;
  const srs_shape_def cleaned = shape.def;
  copy_shape(&builder->texts, &cleaned, &shape.def);
  srs_builder_shape *shapes = make_room(builder->shapes, builder->n_shapes, &builder->shape_room, sizeof shape);
  if (shapes != NULL) builder->shapes = shapes;
  if (builder->texts.failed || shapes == NULL) return no_memory(builder, def->name, error);
  builder->shapes[builder->n_shapes++] = shape;
  return SRS_OK;
}

srs_status srs_builder_add_frame(srs_builder *builder, const char *name, const char *link, const srs_pose *pose,
                                 srs_error *error)
{
  if (builder == NULL || name == NULL || pose == NULL) return no_argument("srs_builder_add_frame", error);
  srs_builder_frame frame = {NULL, NULL, *pose, builder->place};
  if (name[0] == '\0') return srs_fail_at(error, SRS_ERROR_ARGUMENT, builder->place, NULL, "a frame has no name");
  srs_status status = srs_check_pose(&frame.pose, "frame", name, builder->place, error);
  if (status == SRS_OK) status = check_frame_name(builder, name, false, error);
  if (status != SRS_OK) return status;

  builder->texts.failed = false;
  frame.name = srs_arena_copy(&builder->texts, name);
  frame.link = srs_arena_copy_or_null(&builder->texts, link);
  srs_builder_frame *frames = make_room(builder->frames, builder->n_frames, &builder->frame_room, sizeof frame);
  if (frames != NULL) builder->frames = frames;
  if (builder->texts.failed || !srs_names_reserve(&builder->frame_names) || frames == NULL)
    return no_memory(builder, name, error);
  srs_names_add(&builder->frame_names, frame.name, builder->n_frames);
  builder->frames[builder->n_frames++] = frame;
  return SRS_OK;
}

srs_status srs_builder_exclude(srs_builder *builder, const char *a, const char *b, srs_error *error)
{
  if (builder == NULL || a == NULL || b == NULL) return no_argument("srs_builder_exclude", error);
  builder->texts.failed = false;
  const srs_builder_excluded pair = {.name = {srs_arena_copy(&builder->texts, a), srs_arena_copy(&builder->texts, b)},
                                     .place = builder->place};
  srs_builder_excluded *pairs = make_room(builder->excluded, builder->n_excluded, &builder->excluded_room, sizeof pair);
  if (pairs != NULL) builder->excluded = pairs;
  if (builder->texts.failed || pairs == NULL) return no_memory(builder, a, error);
  builder->excluded[builder->n_excluded++] = pair;
  return SRS_OK;
}

void srs_builder_set_robot(srs_builder *builder, int first_shape, srs_self_collision self_collision)
{
  int robot = 1; // the first number that no earlier shape has
  for (int i = 0; i < first_shape; i++)
    if (builder->shapes[i].robot >= robot) robot = builder->shapes[i].robot + 1;
  for (int i = first_shape; i < builder->n_shapes; i++) {
    srs_builder_shape *shape = &builder->shapes[i];
    if (shape->def.link == NULL) continue;
    shape->robot = robot;
    const bool is_own = shape->has_own_filter && self_collision == SRS_SELF_COLLISION_AUTO;
    shape->self_collision = is_own ? SRS_SELF_COLLISION_ALL : self_collision;
  }
  builder->n_settled = builder->n_shapes;
}

void srs_builder_end_robot(srs_builder *builder, srs_self_collision self_collision)
{
  if (builder != NULL) srs_builder_set_robot(builder, builder->n_settled, self_collision);
}

// Closures and couplings share one set of names, numbered together.
static srs_status check_loop_name(const srs_builder *builder, const char *name, srs_error *error)
{
  if (srs_names_find(&builder->loop_names, name) < 0) return SRS_OK;
  srs_place other = {NULL, 0, 0};
  for (int i = 0; i < builder->n_closures; i++)
    if (strcmp(builder->closures[i].def.name, name) == 0) other = builder->closures[i].place;
  for (int i = 0; i < builder->n_couplings; i++)
    if (strcmp(builder->couplings[i].def.name, name) == 0) other = builder->couplings[i].place;
  return name_taken(builder, name, "two closures or couplings are named", other, error);
}

static const char *const *copy_texts(srs_arena *arena, const char *const *texts, int n)
{
  const char **copies = srs_arena_take(arena, (size_t)n, sizeof *copies);
  for (int i = 0; i < n && copies != NULL; i++) copies[i] = srs_arena_copy(arena, texts[i]);
  return copies;
}

srs_status srs_builder_add_closure(srs_builder *builder, const srs_closure_def *def, srs_error *error)
{
  if (builder == NULL || def == NULL) return no_argument("srs_builder_add_closure", error);
  srs_builder_closure closure = {*def, builder->place};
  srs_status status = srs_check_closure(&closure.def, builder->place, error);
  if (status == SRS_OK) status = check_loop_name(builder, def->name, error);
  if (status != SRS_OK) return status;

  builder->texts.failed = false;
  closure.def.name = srs_arena_copy(&builder->texts, def->name);
  closure.def.frame_a = srs_arena_copy_or_null(&builder->texts, def->frame_a);
  closure.def.frame_b = srs_arena_copy_or_null(&builder->texts, def->frame_b);
  closure.def.motion = srs_motion_copy(&builder->texts, &def->motion);
  closure.def.tendon = srs_tendon_copy(&builder->texts, &def->tendon);
  closure.def.independent = copy_texts(&builder->texts, def->independent, def->n_independent);
  srs_builder_closure *closures =
      make_room(builder->closures, builder->n_closures, &builder->closure_room, sizeof closure);
  if (closures != NULL) builder->closures = closures;
  if (builder->texts.failed || !srs_names_reserve(&builder->loop_names) || closures == NULL)
    return no_memory(builder, def->name, error);
  srs_names_add(&builder->loop_names, closure.def.name, builder->n_closures + builder->n_couplings);
  builder->closures[builder->n_closures++] = closure;
  return SRS_OK;
}

// A coupling without a name has its follower's, so two for one follower collide.
static srs_status check_coupling_name(const srs_builder *builder, const srs_coupling_def *def, srs_error *error)
{
  for (int i = 0; i < builder->n_couplings && strcmp(def->name, def->follower) == 0; i++) {
    const srs_coupling_def *other = &builder->couplings[i].def;
    const srs_place at = builder->couplings[i].place;
    char where[320] = "";
    if (strcmp(other->name, def->name) != 0 || strcmp(other->follower, def->follower) != 0) continue;
    if (at.file != NULL) srs_print(where, sizeof where, " (the other is at %s:%d)", at.file, at.line);
    return srs_fail_at(error, SRS_ERROR_MODEL, builder->place, def->name,
                       "two couplings say what '%s' follows%s; leave one out", def->follower, where);
  }
  return check_loop_name(builder, def->name, error);
}

srs_status srs_builder_add_coupling(srs_builder *builder, const srs_coupling_def *def, srs_error *error)
{
  if (builder == NULL || def == NULL) return no_argument("srs_builder_add_coupling", error);
  srs_builder_coupling coupling = {*def, builder->place};
  if (coupling.def.name == NULL || coupling.def.name[0] == '\0') coupling.def.name = def->follower;
  srs_status status = srs_check_coupling(&coupling.def, builder->place, error);
  if (status == SRS_OK) status = check_coupling_name(builder, &coupling.def, error);
  if (status != SRS_OK) return status;

  builder->texts.failed = false;
  coupling.def.name = srs_arena_copy(&builder->texts, coupling.def.name);
  coupling.def.follower = srs_arena_copy(&builder->texts, def->follower);
  coupling.def.leader = srs_arena_copy_or_null(&builder->texts, def->leader);
  coupling.def.motion = srs_motion_copy(&builder->texts, &def->motion);
  srs_builder_coupling *couplings =
      make_room(builder->couplings, builder->n_couplings, &builder->coupling_room, sizeof coupling);
  if (couplings != NULL) builder->couplings = couplings;
  if (builder->texts.failed || !srs_names_reserve(&builder->loop_names) || couplings == NULL)
    return no_memory(builder, def->follower, error);
  srs_names_add(&builder->loop_names, coupling.def.name, builder->n_closures + builder->n_couplings);
  builder->couplings[builder->n_couplings++] = coupling;
  return SRS_OK;
}

static srs_status keep_words(srs_builder *builder, bool is_note, const char *format, va_list arguments)
{
  builder->texts.failed = false;
  char *text = srs_arena_vprint(&builder->texts, format, arguments);
  if (text != NULL) srs_tidy(text);
  const srs_builder_warning warning = {.text = text, .place = builder->place, .is_note = is_note};
  srs_builder_warning *warnings =
      make_room(builder->warnings, builder->n_warnings, &builder->warning_room, sizeof warning);
  if (warnings != NULL) builder->warnings = warnings;
  if (builder->texts.failed || warnings == NULL) return SRS_ERROR_MEMORY;
  builder->warnings[builder->n_warnings++] = warning;
  return SRS_OK;
}

srs_status srs_builder_warn(srs_builder *builder, const char *format, ...)
{
  if (builder == NULL || format == NULL) return SRS_ERROR_ARGUMENT;
  va_list arguments;
  va_start(arguments, format);
  const srs_status status = keep_words(builder, false, format, arguments);
  va_end(arguments);
  return status;
}

srs_status srs_builder_note(srs_builder *builder, const char *format, ...)
{
  if (builder == NULL || format == NULL) return SRS_ERROR_ARGUMENT;
  va_list arguments;
  va_start(arguments, format);
  const srs_status status = keep_words(builder, true, format, arguments);
  va_end(arguments);
  return status;
}

void srs_builder_be_lenient(srs_builder *builder, bool is_lenient) { builder->is_lenient = is_lenient; }

void srs_builder_obstruct(srs_builder *builder, srs_status status, const char *format, ...)
{
  if (builder->obstacle.status != SRS_OK) return;
  char text[sizeof builder->obstacle.message];
  va_list arguments;
  va_start(arguments, format);
  srs_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  (void)srs_fail_at(&builder->obstacle, status, builder->place, NULL, "%s", text);
}

srs_status srs_builder_set_neutral(srs_builder *builder, const char *joint, const double *q, int nq)
{
  if (builder == NULL || joint == NULL || q == NULL) return SRS_ERROR_ARGUMENT;
  const int index = srs_names_find(&builder->joint_names, joint);
  if (index < 0) return SRS_ERROR_NAME;
  srs_builder_joint *found = &builder->joints[index];
  if (nq != srs_joint_kind_nq(found->def.kind)) return SRS_ERROR_ARGUMENT;
  double copy[SRS_MAX_JOINT_NQ] = {0};
  for (int i = 0; i < nq; i++) {
    if (!isfinite(q[i])) return SRS_ERROR_NOT_FINITE;
    copy[i] = q[i];
  }
  const int at = srs_joint_kind_quaternion(found->def.kind);
  if (at >= 0 && !srs_clean_quaternion(copy + at)) return SRS_ERROR_ARGUMENT;
  for (int i = 0; i < nq; i++) found->neutral[i] = copy[i];
  return SRS_OK;
}

srs_status srs_builder_attach_base(srs_builder *builder, const char *link, srs_base_kind base,
                                   const srs_pose *placement, const char *prefix, srs_error *error)
{
  srs_joint_def def = srs_default_joint_def(base == SRS_BASE_FLOATING ? SRS_JOINT_FREE : SRS_JOINT_FIXED);
  def.child = link;
  if (base == SRS_BASE_FIXED) {
    def.origin = *placement;
    return srs_builder_add_joint(builder, &def, error);
  }
  builder->texts.failed = false;
  def.name = srs_arena_print(&builder->texts, "%sroot", prefix);
  for (int i = 1; def.name != NULL && srs_builder_has_joint(builder, def.name); i++)
    def.name = srs_arena_print(&builder->texts, "%sroot_%d", prefix, i);
  if (def.name == NULL) return no_memory(builder, link, error);
  double start[7];
  memcpy(start, placement->position, sizeof placement->position);
  srs_quaternion_from_rotation(placement->rotation, start + 3);
  srs_status status = srs_builder_add_joint(builder, &def, error);
  if (status != SRS_OK) return status;
  status = srs_builder_set_neutral(builder, def.name, start, 7);
  if (status == SRS_OK) return SRS_OK;
  return srs_fail_at(error, status, builder->place, link, "link '%s' cannot start at its placement", link);
}
