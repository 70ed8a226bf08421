// A plan becomes a model: flat arrays for the recursions first, then frames, coordinates, and the data of the getters.
//
// Everything lies in one arena, in the order in which it is made. See model.h for the turned frames.
#include "topology/builder/compile.h"
#include "topology/builder/compile_loops.h"
#include "topology/builder/shape_labels.h"
#include "topology/builder/source.h"
#include "topology/model/inertia.h"
#include "topology/model/joint_kind.h"
#include "topology/model/shape_kind.h"

#include <stdio.h>
#include <string.h>

typedef struct compiler {
  const srs_plan *plan;
  srs_model *model;
  srs_arena arena, scratch;
  srs_body *bodies;   // n_links: lumped, link's axes
  mat3 *turned;       // n_links: B
  srs_link *links;    // n_links
  srs_joint *joints;  // n_links
  srs_frame *frames;  // n_frames
  int *frame_of_link; // n: the frame of each of the plan's links
} compiler;

static void *take(compiler *f, int count, size_t size) { return srs_arena_take(&f->arena, (size_t)count, size); }

static const srs_builder_joint *joint_of(const compiler *f, int k)
{
  return &f->plan->builder->joints[f->plan->carrier[f->plan->first[k]]];
}

// ---------------------------------------------------------------------------------------------------------------------
// Shared by the sections below: the public view of links and joints
// ---------------------------------------------------------------------------------------------------------------------

// Lumped bodies. In depth-first order the parts of a body are not contiguous: a counting sort gives each its list.
static bool gather_bodies(compiler *f)
{
  const srs_plan *plan = f->plan;
  const int n = plan->n, n_links = plan->n_links;
  int *end = srs_arena_take(&f->scratch, (size_t)n_links + 1, sizeof *end);
  srs_body *parts = srs_arena_take(&f->scratch, (size_t)n, sizeof *parts);
  f->bodies = srs_arena_take(&f->scratch, (size_t)n_links, sizeof *f->bodies);
  f->turned = srs_arena_take(&f->scratch, (size_t)n_links, sizeof *f->turned);
  f->frame_of_link = srs_arena_take(&f->scratch, (size_t)n, sizeof *f->frame_of_link);
  if (f->scratch.failed) return false;
  for (int i = 0; i < n; i++)
    if (plan->owner[i] >= 0) end[plan->owner[i] + 1]++;
  for (int k = 0; k < n_links; k++) end[k + 1] += end[k];
  for (int i = 0; i < n; i++) {
    const int link = plan->order[i], owner = plan->owner[link];
    if (owner < 0) continue;
    parts[end[owner]++] =
        srs_body_move(srs_body_of(&plan->builder->links[link].def), plan->offset[link], plan->axes[link]);
  }
  for (int k = 0, start = 0; k < n_links; start = end[k], k++)
    f->bodies[k] = srs_body_weld(parts + start, end[k] - start);
  return true;
}

static bool compile_links(compiler *f)
{
  const srs_plan *plan = f->plan;
  srs_model *m = f->model;
  srs_link *links = f->links = take(f, m->n_links, sizeof *links);
  if (links == NULL) return false;
  for (int k = 0; k < m->n_links; k++) {
    const int link = plan->first[k], parent = plan->parent[link];
    links[k].name = srs_arena_copy(&f->arena, plan->builder->links[link].def.name);
    links[k].parent = parent >= 0 ? plan->owner[parent] : -1;
    links[k].subtree_end = k + 1;
    links[k].mass = f->bodies[k].mass;
    vec3_store(links[k].com, f->bodies[k].com);
    sym3_store(links[k].inertia, f->bodies[k].inertia);
  }
  for (int k = m->n_links - 1; k >= 0; k--) {
    const int parent = links[k].parent;
    if (parent >= 0 && links[parent].subtree_end < links[k].subtree_end)
      links[parent].subtree_end = links[k].subtree_end;
  }
  m->links = links;
  return !f->arena.failed;
}

// The joint's frame seen from the frame of its parent link, through the fixed joints between them.
static srs_pose joint_origin(const compiler *f, int k)
{
  const srs_plan *plan = f->plan;
  const srs_pose origin = joint_of(f, k)->def.origin;
  const int parent = plan->parent[plan->first[k]];
  if (parent < 0) return origin;
  srs_pose whole;
  vec3_store(whole.position, add3(plan->offset[parent], rotate(plan->axes[parent], vec3_load(origin.position))));
  mat3_to_rows(whole.rotation, mul3(plan->axes[parent], mat3_from_rows(origin.rotation)));
  return whole;
}

static bool compile_joints(compiler *f)
{
  srs_model *m = f->model;
  srs_joint *joints = f->joints = take(f, m->n_links, sizeof *joints);
  if (joints == NULL) return false;
  m->nq = m->nv = 0;
  for (int k = 0; k < m->n_links; k++) {
    const srs_joint_def *def = &joint_of(f, k)->def;
    srs_joint *joint = &joints[k];
    joint->name = srs_arena_copy(&f->arena, def->name != NULL ? def->name : "");
    joint->kind = def->kind;
    joint->q_index = m->nq;
    joint->v_index = m->nv;
    m->nq += joint->nq = srs_joint_kind_nq(def->kind);
    m->nv += joint->nv = srs_joint_kind_nv(def->kind);
    joint->origin = joint_origin(f, k);
    if (srs_joint_kind_has_axis(def->kind)) memcpy(joint->axis, def->axis, sizeof joint->axis);
    if (def->kind == SRS_JOINT_UNIVERSAL) memcpy(joint->axis2, def->axis2, sizeof joint->axis2);
    if (def->kind == SRS_JOINT_HELICAL) joint->pitch = def->pitch;
    joint->max_swing = def->max_swing, joint->min_twist = def->min_twist, joint->max_twist = def->max_twist;
    if (isfinite(def->max_swing) || isfinite(def->max_twist)) memcpy(joint->axis, def->axis, sizeof joint->axis);
  }
  m->joints = joints;
  return !f->arena.failed;
}

// ---------------------------------------------------------------------------------------------------------------------
// For the recursions
// ---------------------------------------------------------------------------------------------------------------------

static bool compile_tree(compiler *f)
{
  srs_model *m = f->model;
  const int n = m->n_links;
  unsigned char *kind = take(f, n, sizeof *kind);
  int *parent = take(f, n, sizeof *parent), *subtree_end = take(f, n, sizeof *subtree_end);
  int *q_index = take(f, n, sizeof *q_index), *v_index = take(f, n + 1, sizeof *v_index);
  int *first_angle = take(f, n, sizeof *first_angle), *angle_q = take(f, m->nq, sizeof *angle_q);
  int *link_of_v = take(f, m->nv, sizeof *link_of_v);
  if (f->arena.failed) return false;
  for (int k = 0; k < n; k++) {
    const srs_joint *joint = &f->joints[k];
    kind[k] = (unsigned char)joint->kind;
    parent[k] = f->links[k].parent;
    subtree_end[k] = f->links[k].subtree_end;
    q_index[k] = joint->q_index;
    v_index[k] = joint->v_index;
    first_angle[k] = m->n_angles;
    for (int i = 0; i < joint->nq; i++)
      if (srs_joint_kind_q_type(joint->kind, i) == 'a') angle_q[m->n_angles++] = joint->q_index + i;
    for (int i = 0; i < joint->nv; i++) link_of_v[joint->v_index + i] = k;
  }
  v_index[n] = m->nv;
  m->kind = kind, m->parent = parent, m->subtree_end = subtree_end;
  m->q_index = q_index, m->v_index = v_index, m->link_of_v = link_of_v;
  m->first_angle = first_angle, m->angle_q = angle_q;
  return true;
}

static bool is_unit(vec3 a, double x, double y, double z) { return a.x == x && a.y == y && a.z == z; }

static srs_turn_way way_of(mat3 turn)
{
  const bool about_x = is_unit(turn.x, 1, 0, 0) && turn.y.x == 0 && turn.z.x == 0;
  if (about_x) return is_unit(turn.y, 0, 1, 0) && is_unit(turn.z, 0, 0, 1) ? SRS_TURN_NONE : SRS_TURN_ABOUT_X;
  if (is_unit(turn.x, 0, 1, 0) && is_unit(turn.y, 0, 0, 1) && is_unit(turn.z, 1, 0, 0)) return SRS_TURN_FORTH;
  if (is_unit(turn.x, 0, 0, 1) && is_unit(turn.y, 1, 0, 0) && is_unit(turn.z, 0, 1, 0)) return SRS_TURN_BACK;
  return SRS_TURN_ANY;
}

static bool compile_geometry(compiler *f)
{
  srs_model *m = f->model;
  const int n = m->n_links;
  mat3 *turn = take(f, n, sizeof *turn), *turn2 = take(f, n, sizeof *turn2), *link_axes = take(f, n, sizeof *link_axes);
  vec3 *offset = take(f, n, sizeof *offset);
  double *pitch = take(f, n, sizeof *pitch);
  unsigned char *way = take(f, n, sizeof *way);
  if (f->arena.failed) return false;
  for (int k = 0; k < n; k++) {
    const srs_joint *joint = &f->joints[k];
    const bool is_universal = joint->kind == SRS_JOINT_UNIVERSAL, has_axis = srs_joint_kind_has_axis(joint->kind);
    const mat3 first = has_axis ? srs_turned_axes(vec3_load(joint->axis)) : mat3_identity;
    const mat3 own = is_universal ? srs_turned_axes(vec3_load(joint->axis2)) : first;
    const mat3 back = f->links[k].parent >= 0 ? transpose3(f->turned[f->links[k].parent]) : mat3_identity;
    f->turned[k] = own;
    turn[k] = mul3(back, mul3(mat3_from_rows(joint->origin.rotation), first));
    way[k] = (unsigned char)way_of(turn[k]);
    turn2[k] = is_universal ? mul3(transpose3(first), own) : mat3_identity;
    offset[k] = rotate(back, vec3_load(joint->origin.position));
    link_axes[k] = transpose3(own);
    pitch[k] = joint->pitch;
  }
  m->turn = turn, m->turn2 = turn2, m->link_axes = link_axes, m->offset = offset, m->pitch = pitch;
  m->way = way;
  return true;
}

static bool compile_inertia(compiler *f)
{
  srs_model *m = f->model;
  double *inertia = take(f, 10 * m->n_links, sizeof *inertia);
  bool *moves = srs_arena_take(&f->scratch, (size_t)m->n_links, sizeof *moves);
  if (inertia == NULL || moves == NULL) return false;
  for (int k = 0; k < m->n_links; k++) {
    const srs_body body = srs_body_move(f->bodies[k], vec3_zero, m->link_axes[k]);
    double *out = inertia + (size_t)k * 10;
    out[0] = body.mass;
    vec3_store(out + 1, scale3(body.mass, body.com));
    sym3_store(out + 4, sym3_add(body.inertia, sym3_point_mass(body.mass, body.com)));
    moves[k] = m->kind[k] != SRS_JOINT_FIXED || (m->parent[k] >= 0 && moves[m->parent[k]]);
    if (moves[k]) m->mass += body.mass;
  }
  m->inertia = inertia;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Frames and shapes
// ---------------------------------------------------------------------------------------------------------------------

// A placement on one of the plan's links becomes one on its owner.
static srs_frame placed(const compiler *f, const char *name, int link, const srs_pose *pose)
{
  srs_frame frame = {name, -1, *pose};
  if (link < 0) return frame;
  const vec3 o = vec3_load(pose->position);
  frame.link = f->plan->owner[link];
  vec3_store(frame.pose.position, add3(f->plan->offset[link], rotate(f->plan->axes[link], o)));
  mat3_to_rows(frame.pose.rotation, mul3(f->plan->axes[link], mat3_from_rows(pose->rotation)));
  return frame;
}

static bool compile_frames(compiler *f)
{
  const srs_plan *plan = f->plan;
  srs_model *m = f->model;
  const srs_pose identity = srs_identity_pose();
  m->n_frames = plan->n + plan->builder->n_frames;
  int *link = take(f, m->n_frames, sizeof *link);
  vec3 *offset = take(f, m->n_frames, sizeof *offset);
  mat3 *axes = take(f, m->n_frames, sizeof *axes);
  srs_frame *frames = f->frames = take(f, m->n_frames, sizeof *frames);
  if (f->arena.failed) return false;
  for (int i = 0; i < plan->n; i++) {
    const int at = plan->order[i];
    frames[i] = placed(f, srs_arena_copy(&f->arena, plan->builder->links[at].def.name), at, &identity);
    f->frame_of_link[at] = i;
  }
  for (int i = 0; i < plan->builder->n_frames; i++) {
    const srs_builder_frame *frame = &plan->builder->frames[i];
    frames[plan->n + i] = placed(f, srs_arena_copy(&f->arena, frame->name), plan->frame_link[i], &frame->pose);
  }
  for (int i = 0; i < m->n_frames; i++) {
    link[i] = frames[i].link;
    const mat3 back = link[i] >= 0 ? m->link_axes[link[i]] : mat3_identity;
    offset[i] = rotate(back, vec3_load(frames[i].pose.position));
    axes[i] = mul3(back, mat3_from_rows(frames[i].pose.rotation));
  }
  m->frame_link = link, m->frame_offset = offset, m->frame_axes = axes, m->frames = frames;
  return !f->arena.failed;
}

// Bodies of links that fixed joints join, by their first link. Parents come before children in the plan's order.
static bool compile_joined(compiler *f)
{
  const srs_plan *plan = f->plan;
  srs_model *m = f->model;
  int *body = take(f, m->n_frames, sizeof *body), *carrier = take(f, m->n_frames, sizeof *carrier);
  bool *is_static = take(f, m->n_frames, sizeof *is_static);
  if (f->arena.failed) return false;
  for (int i = 0; i < plan->n; i++) { // the first n frames are the links in the plan's order
    const int link = plan->order[i];
    const int parent = plan->parent[link] >= 0 ? f->frame_of_link[plan->parent[link]] : -1;
    const srs_joint_kind kind = plan->builder->joints[plan->carrier[link]].def.kind;
    const bool is_joined = kind == SRS_JOINT_FIXED && parent >= 0;
    body[i] = is_joined ? body[parent] : i;
    is_static[i] = kind == SRS_JOINT_FIXED && (parent < 0 || is_static[parent]);
    if (is_joined) // a massless body between two joints hands on what carries it
      carrier[i] = carrier[parent];
    else if (kind == SRS_JOINT_FREE || parent < 0 || plan->builder->links[link].meets_neighbour)
      carrier[i] = -1;
    else
      carrier[i] = plan->builder->links[plan->order[body[parent]]].is_carriage ? carrier[parent] : body[parent];
  }
  for (int i = 0; i < plan->n; i++) { // joints that were cut, of bodies whose parents may come later
    const char *holder = plan->builder->joints[plan->carrier[plan->order[i]]].held_by;
    if (holder == NULL || plan->builder->links[plan->order[i]].meets_neighbour) continue;
    const int parent = body[f->frame_of_link[srs_names_find(&plan->builder->link_names, holder)]];
    for (int k = 0; k < plan->n; k++) // fixed joints may join more to the body
      if (body[k] == i) carrier[k] = parent;
  }
  for (int i = plan->n; i < m->n_frames; i++) {
    const int link = plan->frame_link[i - plan->n], on = link >= 0 ? f->frame_of_link[link] : -1;
    body[i] = on >= 0 ? body[on] : -1;
    carrier[i] = on >= 0 ? carrier[on] : -1;
    is_static[i] = on < 0 || is_static[on];
  }
  m->frame_body = body, m->frame_carrier = carrier, m->frame_is_static = is_static;
  return true;
}

static bool compile_parts(compiler *f)
{
  const srs_plan *plan = f->plan;
  srs_model *m = f->model;
  m->n_parts = plan->n;
  int *parent = take(f, m->n_parts, sizeof *parent), *part = take(f, m->n_frames, sizeof *part);
  double *inertia = take(f, 10 * m->n_parts, sizeof *inertia);
  if (f->arena.failed) return false;
  for (int i = 0; i < m->n_parts; i++) {
    const int link = plan->order[i];
    const srs_body body = srs_body_of(&plan->builder->links[link].def);
    double *out = inertia + (size_t)i * 10;
    parent[i] = plan->parent[link] >= 0 ? f->frame_of_link[plan->parent[link]] : -1;
    part[i] = i;
    out[0] = body.mass;
    vec3_store(out + 1, scale3(body.mass, body.com));
    sym3_store(out + 4, sym3_add(body.inertia, sym3_point_mass(body.mass, body.com)));
  }
  for (int i = m->n_parts; i < m->n_frames; i++) {
    const int link = plan->frame_link[i - m->n_parts];
    part[i] = link >= 0 ? f->frame_of_link[link] : -1;
  }
  m->part_parent = parent, m->part_inertia = inertia, m->part_of_frame = part;
  return true;
}

static bool compile_shapes(compiler *f)
{
  const srs_builder *builder = f->plan->builder;
  srs_model *m = f->model;
  m->n_shapes = builder->n_shapes;
  srs_shape *shapes = take(f, m->n_shapes, sizeof *shapes);
  if (shapes == NULL) return false;
  for (int i = 0; i < m->n_shapes; i++) {
    const srs_shape_def *def = &builder->shapes[i].def;
    const int link = f->plan->shape_link[i];
    srs_shape_def arrays;
    srs_shape_copy_arrays(&f->arena, def, &arrays);
    shapes[i] = (srs_shape){.kind = def->kind,
                            .pose = def->pose,
                            .is_visual = def->is_visual,
                            .points = arrays.points,
                            .n_points = arrays.n_points,
                            .triangles = arrays.triangles,
                            .n_triangles = arrays.n_triangles,
                            .heights = arrays.heights,
                            .n_rows = arrays.n_rows,
                            .n_columns = arrays.n_columns,
                            .group = def->group,
                            .mask = def->mask,
                            .part = def->part,
                            .robot = builder->shapes[i].robot,
                            .self_collision = builder->shapes[i].self_collision};
    shapes[i].material = srs_arena_copy(&f->arena, def->material != NULL ? def->material : "");
    shapes[i].name = srs_arena_copy(&f->arena, def->name != NULL ? def->name : "");
    shapes[i].file = srs_arena_copy(&f->arena, def->file != NULL ? def->file : "");
    shapes[i].frame = link >= 0 ? f->frame_of_link[link] : -1;
    memcpy(shapes[i].size, def->size, sizeof def->size);
    memcpy(shapes[i].exponent, def->exponent, sizeof def->exponent);
  }
  m->shapes = shapes;
  return !f->arena.failed && srs_label_shapes(builder, f->frames, shapes, m->n_shapes, &f->arena);
}

static bool compile_excluded(compiler *f)
{
  const srs_plan *plan = f->plan;
  srs_model *m = f->model;
  m->n_excluded = plan->builder->n_excluded;
  int *excluded = take(f, 2 * m->n_excluded, sizeof *excluded);
  if (excluded == NULL) return false;
  for (int i = 0; i < 2 * m->n_excluded; i++) excluded[i] = f->frame_of_link[plan->excluded[i]];
  m->excluded = excluded;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Coordinates
// ---------------------------------------------------------------------------------------------------------------------

enum { COLUMNS = 8 };

static bool compile_coordinates(compiler *f)
{
  srs_model *m = f->model;
  double *columns[COLUMNS];
  for (int c = 0; c < COLUMNS; c++) columns[c] = take(f, m->nv, sizeof(double));
  double *reference = take(f, m->nq, sizeof *reference), *neutral = take(f, m->nq, sizeof *neutral);
  if (f->arena.failed) return false;
  for (int k = 0; k < m->n_links; k++) {
    const srs_builder_joint *from = joint_of(f, k);
    const srs_joint_def *def = &from->def;
    const srs_joint *joint = &f->joints[k];
    const bool has_limits = joint->nq == joint->nv;
    const double *sources[COLUMNS] = {def->armature, def->damping, def->stiffness,  def->friction,
                                      def->lower,    def->upper,   def->max_effort, def->max_velocity};
    for (int i = 0; i < joint->nv; i++) {
      for (int c = 0; c < COLUMNS; c++) columns[c][joint->v_index + i] = sources[c][i];
      if (!has_limits) columns[4][joint->v_index + i] = -INFINITY, columns[5][joint->v_index + i] = INFINITY;
      m->has_damping = m->has_damping || def->damping[i] > 0;
      m->has_springs = m->has_springs || def->stiffness[i] > 0;
    }
    for (int i = 0; i < joint->nq; i++) {
      reference[joint->q_index + i] = def->reference[i];
      neutral[joint->q_index + i] = from->neutral[i];
    }
  }
  m->armature = columns[0], m->damping = columns[1], m->stiffness = columns[2], m->friction = columns[3];
  m->lower = columns[4], m->upper = columns[5], m->max_effort = columns[6], m->max_velocity = columns[7];
  m->reference = reference, m->neutral = neutral;
  return true;
}

// "<joint>" or "<joint>.<word>".
static const char *coordinate_name(compiler *f, const char *joint, const char *word)
{
  if (word[0] == '\0') return srs_arena_copy(&f->arena, joint);
  const size_t size = strlen(joint) + strlen(word) + 2;
  char *name = srs_arena_take(&f->arena, size, 1);
  if (name != NULL) snprintf(name, size, "%s.%s", joint, word);
  return name;
}

static bool compile_coordinate_names(compiler *f)
{
  srs_model *m = f->model;
  const char **q_names = take(f, m->nq, sizeof *q_names), **v_names = take(f, m->nv, sizeof *v_names);
  if (f->arena.failed) return false;
  for (int k = 0; k < m->n_links; k++) {
    const srs_joint *joint = &f->joints[k];
    for (int i = 0; i < joint->nq; i++)
      q_names[joint->q_index + i] = coordinate_name(f, joint->name, srs_joint_kind_q_word(joint->kind, i));
    for (int i = 0; i < joint->nv; i++)
      v_names[joint->v_index + i] = coordinate_name(f, joint->name, srs_joint_kind_v_word(joint->kind, i));
  }
  m->q_names = q_names, m->v_names = v_names;
  return !f->arena.failed;
}

// ---------------------------------------------------------------------------------------------------------------------
// Names in order, warnings
// ---------------------------------------------------------------------------------------------------------------------

// Sorted order of the names at the head of each item.
static const int *sorted(compiler *f, const void *items, int n, size_t stride)
{
  int *order = take(f, n, sizeof *order);
  const char **names = srs_arena_take(&f->scratch, (size_t)n, sizeof *names);
  if (order == NULL || names == NULL) return NULL;
  for (int i = 0; i < n; i++) names[i] = *(const char *const *)((const char *)items + (size_t)i * stride);
  if (!srs_names_sort(names, n, order)) f->arena.failed = true;
  return order;
}

static bool compile_orders(compiler *f)
{
  srs_model *m = f->model;
  m->links_by_name = sorted(f, m->links, m->n_links, sizeof *m->links);
  m->joints_by_name = sorted(f, m->joints, m->n_links, sizeof *m->joints);
  m->frames_by_name = sorted(f, m->frames, m->n_frames, sizeof *m->frames);
  m->q_by_name = sorted(f, m->q_names, m->nq, sizeof *m->q_names);
  m->v_by_name = sorted(f, m->v_names, m->nv, sizeof *m->v_names);
  return !f->arena.failed && !f->scratch.failed;
}

// "FILE:LINE: text", as srs_error_format has it, but of any length.
static const char *warning_text(compiler *f, const srs_builder_warning *warning)
{
  const char *file = warning->place.file != NULL ? warning->place.file : "";
  char line[16] = "";
  if (warning->place.line > 0) snprintf(line, sizeof line, "%d:", warning->place.line);
  char *text = srs_arena_print(&f->arena, "%s%s%s%s%s", file, *file != '\0' ? ":" : "", line,
                               *file != '\0' || *line != '\0' ? " " : "", warning->text);
  if (text != NULL) srs_tidy(text);
  return text;
}

static bool compile_warnings(compiler *f)
{
  const srs_plan *plan = f->plan;
  srs_model *m = f->model;
  const int n_first = plan->builder->n_warnings;
  m->n_warnings = n_first + plan->n_warnings;
  const char **warnings = take(f, m->n_warnings + 1, sizeof *warnings); // build.c may add one
  if (warnings == NULL) return false;
  bool *is_note = take(f, m->n_warnings + 1, sizeof *is_note);
  if (is_note == NULL) return false;
  for (int i = 0; i < m->n_warnings; i++) {
    const srs_builder_warning *warning = i < n_first ? &plan->builder->warnings[i] : &plan->warnings[i - n_first];
    warnings[i] = warning_text(f, warning);
    is_note[i] = warning->is_note;
  }
  m->warnings = warnings;
  m->is_note = is_note;
  return !f->arena.failed;
}

// Joints `a` (planar) and `a.x` would both have a coordinate `a.x`.
static srs_status check_duplicates(const compiler *f, const char *const *names, const int *order, int n,
                                   const int *link, srs_error *error)
{
  for (int i = 0; i + 1 < n; i++) {
    const char *name = names[order[i]];
    if (strcmp(name, names[order[i + 1]]) != 0) continue;
    const int a = link[order[i]], b = link[order[i + 1]];
    return srs_fail_at(error, SRS_ERROR_NAME, joint_of(f, b)->place, f->joints[b].name,
                       "joints '%s' and '%s' would both have a coordinate '%s'; rename one", f->joints[a].name,
                       f->joints[b].name, name);
  }
  return SRS_OK;
}

static srs_status check_names(compiler *f, srs_error *error)
{
  const srs_model *m = f->model;
  int *link_of_q = srs_arena_take(&f->scratch, (size_t)m->nq, sizeof *link_of_q);
  if (link_of_q == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while building");
  for (int k = 0; k < m->n_links; k++)
    for (int i = 0; i < f->joints[k].nq; i++) link_of_q[f->joints[k].q_index + i] = k;
  const srs_status status = check_duplicates(f, m->q_names, m->q_by_name, m->nq, link_of_q, error);
  return status != SRS_OK ? status : check_duplicates(f, m->v_names, m->v_by_name, m->nv, m->link_of_v, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// All of it
// ---------------------------------------------------------------------------------------------------------------------

static bool compile_all(compiler *f)
{
  srs_model *model = f->model = take(f, 1, sizeof *model);
  srs_arena *kept = take(f, 1, sizeof *kept);
  if (model == NULL || kept == NULL) return false;
  model->n_links = f->plan->n_links;
  model->obstacle = f->plan->builder->obstacle;
  model->memory = kept;
  // Links and joints first, since the rest is made from them.
  return gather_bodies(f) && compile_joints(f) && compile_links(f) && compile_tree(f) && compile_geometry(f) &&
         compile_inertia(f) && compile_coordinates(f) && compile_frames(f) && compile_joined(f) && compile_parts(f) &&
         compile_shapes(f) && compile_excluded(f) && compile_coordinate_names(f) && compile_warnings(f) &&
         compile_orders(f) && srs_file_settings_copy(&f->arena, &f->plan->builder->file, &model->file);
}

srs_status srs_plan_compile(const srs_plan *plan, srs_model **model, srs_error *error)
{
  compiler f = {.plan = plan};
  srs_status status = SRS_OK;
  if (!compile_all(&f)) status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while building");
  if (status == SRS_OK) status = check_names(&f, error);
  if (status == SRS_OK) status = srs_compile_loops(plan->builder, f.model, &f.arena, error);
  if (status == SRS_OK && !srs_source_keep(plan->builder, f.model, &f.arena))
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while building");
  srs_arena_release(&f.scratch);
  if (status != SRS_OK) {
    srs_arena_release(&f.arena);
    return status;
  }
  *model = f.model;
  *(srs_arena *)f.model->memory = f.arena;
  return SRS_OK;
}
