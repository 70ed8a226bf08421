// Which frames make the transforms sparse, and which inertia does a joint not tell from its parent's? See segments.h.
#include "engine/generate/segments.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// From joints to segments
// ---------------------------------------------------------------------------------------------------------------------

static srs_segment *append(srs_segments *s, srs_segment_kind kind, int link, int parent)
{
  srs_segment *segment = &s->segment[s->n++];
  *segment = (srs_segment){.kind = kind, .parent = parent, .link = link, .turn = mat3_identity};
  segment->q = s->model->q_index[link];
  segment->v = s->model->v_index[link];
  segment->nv = kind == SRS_SEGMENT_BALL ? 3 : kind != SRS_SEGMENT_RIGID;
  return segment;
}

static void append_slides(srs_segments *s, int link, int parent, int count)
{
  for (int i = 0; i < count; i++) {
    srs_segment *slide = append(s, SRS_SEGMENT_SLIDE, link, i == 0 ? parent : s->n - 1);
    slide->q += i, slide->v += i, slide->axis = i;
  }
}

// The segments of one joint; the last of them carries the link.
static void append_joint(srs_segments *s, int link, int parent)
{
  const srs_model *m = s->model;
  const int first = s->n;
  switch ((srs_joint_kind)m->kind[link]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: append(s, SRS_SEGMENT_TURN, link, parent); break;
  case SRS_JOINT_PRISMATIC: append(s, SRS_SEGMENT_SLIDE, link, parent)->axis = 2; break;
  case SRS_JOINT_HELICAL: append(s, SRS_SEGMENT_SCREW, link, parent)->pitch = m->pitch[link]; break;
  case SRS_JOINT_CYLINDRICAL: {
    srs_segment *slide = append(s, SRS_SEGMENT_SLIDE, link, parent);
    slide->q++, slide->v++, slide->axis = 2;
    append(s, SRS_SEGMENT_TURN, link, first);
    break;
  }
  case SRS_JOINT_UNIVERSAL: {
    append(s, SRS_SEGMENT_TURN, link, parent);
    srs_segment *second = append(s, SRS_SEGMENT_TURN, link, first);
    second->q++, second->v++;
    second->turn = m->turn2[link];
    break;
  }
  case SRS_JOINT_PLANAR: {
    append_slides(s, link, parent, 2);
    srs_segment *turn = append(s, SRS_SEGMENT_TURN, link, s->n - 1);
    turn->q += 2, turn->v += 2;
    break;
  }
  case SRS_JOINT_SPHERICAL: append(s, SRS_SEGMENT_BALL, link, parent); break;
  case SRS_JOINT_FREE: {
    append_slides(s, link, parent, 3);
    srs_segment *ball = append(s, SRS_SEGMENT_BALL, link, s->n - 1);
    ball->q += 3, ball->v += 3;
    break;
  }
  case SRS_JOINT_FIXED: append(s, SRS_SEGMENT_RIGID, link, parent); break;
  }
  s->segment[first].turn = m->turn[link];
  s->segment[first].offset = m->offset[link];
  const double *inertia = m->inertia + (size_t)10 * (size_t)link;
  s->segment[s->n - 1].body = (srs_segment_body){inertia[0], vec3_load(inertia + 1), sym3_load(inertia + 4)};
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies in other frames
// ---------------------------------------------------------------------------------------------------------------------

// The body seen from a frame in which its own lies so.
static srs_segment_body move_body(srs_segment_body b, mat3 axes, vec3 offset)
{
  const vec3 h = rotate(axes, b.moment), r = offset;
  const double m = b.mass, twice = 2 * dot3(h, r);
  const sym3 both = {twice - 2 * h.x * r.x,  twice - 2 * h.y * r.y,  twice - 2 * h.z * r.z,
                     -h.x * r.y - h.y * r.x, -h.x * r.z - h.z * r.x, -h.y * r.z - h.z * r.y};
  return (srs_segment_body){m, add_scaled3(h, m, r),
                            sym3_add(sym3_add(sym3_rotate(axes, b.inertia), both), sym3_point_mass(m, r))};
}

static srs_segment_body add_bodies(srs_segment_body a, srs_segment_body b)
{
  return (srs_segment_body){a.mass + b.mass, add3(a.moment, b.moment), sym3_add(a.inertia, b.inertia)};
}

// ---------------------------------------------------------------------------------------------------------------------
// Sparse frames
// ---------------------------------------------------------------------------------------------------------------------

static mat3 snap_matrix(mat3 r)
{
  double *x = &r.x.x;
  for (int i = 0; i < 9; i++) x[i] = srs_snap(x[i]);
  return r;
}

static mat3 about_z(double angle)
{
  const double c = srs_snap(cos(angle)), s = srs_snap(sin(angle));
  return (mat3){{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

static bool is_about_z(const srs_segment *segment)
{
  return segment->kind == SRS_SEGMENT_TURN || segment->kind == SRS_SEGMENT_SCREW ||
         (segment->kind == SRS_SEGMENT_SLIDE && segment->axis == 2);
}

// The angle b for which turn Rz(-b) has no entry below x: turn = Rz(a) Rx(alpha) Rz(b), a = 0 where axes are parallel.
static double last_angle(mat3 turn)
{
  if (hypot(turn.x.z, turn.y.z) > 1e-14) return atan2(turn.x.z, turn.y.z);
  return turn.z.z > 0 ? atan2(turn.x.y, turn.x.x) : atan2(-turn.y.x, turn.x.x);
}

// The angle about z at which a child's axis lies in the y-z plane, or else where its origin lies in the x-z plane.
static double first_angle(const srs_segment *child)
{
  const vec3 z = child->turn.z, r = child->offset;
  if (!is_about_z(child)) return 0;
  if (hypot(z.x, z.y) > 1e-14) return fabs(z.x) > 1e-15 ? atan2(-z.x, z.y) : 0;
  return fabs(r.x) > 1e-15 && fabs(r.y) > 1e-15 ? atan2(r.y, r.x) : 0;
}

// How far along its axis the segment's origin moves for the fewest entries of the offset.
static double best_slide(vec3 offset, vec3 axis)
{
  const double r[3] = {offset.x, offset.y, offset.z}, u[3] = {axis.x, axis.y, axis.z};
  double best = 0;
  int fewest = (fabs(r[0]) > 1e-15) + (fabs(r[1]) > 1e-15) + (fabs(r[2]) > 1e-15);
  for (int i = 0; i < 3; i++) {
    if (fabs(u[i]) < 0.1) continue;
    const double along = -r[i] / u[i];
    int count = 0;
    for (int j = 0; j < 3; j++) count += j != i && fabs(r[j] + along * u[j]) > 1e-15;
    if (count < fewest) fewest = count, best = along;
  }
  return best;
}

static vec3 snap_vector(vec3 r)
{
  return (vec3){fabs(r.x) < 1e-15 ? 0 : r.x, fabs(r.y) < 1e-15 ? 0 : r.y, fabs(r.z) < 1e-15 ? 0 : r.z};
}

static int first_child(const srs_segments *s, int k)
{
  for (int i = k + 1; i < s->n; i++)
    if (s->segment[i].parent == k) return i;
  return -1;
}

// Moves segment k's frame by an angle about and a distance along its z: where the new frame is, seen from the old.
static void move_frame(srs_segments *s, int k, double angle, double along, srs_segment_frame *moved)
{
  const mat3 axes = about_z(angle);
  const vec3 offset = {0, 0, along};
  *moved = (srs_segment_frame){k, axes, offset};
  srs_segment *own = &s->segment[k];
  own->body = move_body(own->body, transpose3(axes), rotate_back(axes, scale3(-1, offset)));
  for (int i = k + 1; i < s->n; i++) {
    srs_segment *child = &s->segment[i];
    if (child->parent != k) continue;
    child->turn = snap_matrix(mul3(transpose3(axes), child->turn));
    child->offset = snap_vector(rotate_back(axes, sub3(child->offset, offset)));
  }
}

static void choose_frame(srs_segments *s, int k, srs_segment_frame *moved)
{
  srs_segment *own = &s->segment[k];
  own->turn = snap_matrix(own->turn);
  *moved = (srs_segment_frame){k, mat3_identity, vec3_zero};
  if (!is_about_z(own)) return;
  const double undone = last_angle(own->turn);
  const double along = best_slide(own->offset, own->turn.z);
  own->turn = snap_matrix(mul3(own->turn, about_z(-undone)));
  own->offset = snap_vector(add_scaled3(own->offset, along, own->turn.z));
  double angle = -undone;
  if (own->kind == SRS_SEGMENT_SLIDE) {
    move_frame(s, k, angle, along, moved);
    return;
  }
  const int child = first_child(s, k);
  angle = child < 0 ? 0 : first_angle(&s->segment[child]);
  move_frame(s, k, angle, along, moved);
  own->shift = undone + angle;
}

// ---------------------------------------------------------------------------------------------------------------------
// Inertia that goes to the parent
// ---------------------------------------------------------------------------------------------------------------------

static srs_segment_body part_for_parent(const srs_segment *segment)
{
  const srs_segment_body *b = &segment->body;
  srs_segment_body part = {0};
  switch (segment->kind) {
  case SRS_SEGMENT_TURN:
    part.mass = b->mass;
    part.moment.z = b->moment.z;
    part.inertia.xx = part.inertia.yy = b->inertia.yy;
    break;
  case SRS_SEGMENT_SCREW: part.inertia.xx = part.inertia.yy = b->inertia.yy; break;
  case SRS_SEGMENT_SLIDE: part.inertia = b->inertia; break;
  case SRS_SEGMENT_BALL: part.mass = b->mass; break;
  case SRS_SEGMENT_RIGID: part = *b; break;
  }
  return part;
}

static srs_segment_body without(srs_segment_body b, const srs_segment_body *part)
{
  const sym3 i = b.inertia, p = part->inertia;
  return (srs_segment_body){b.mass - part->mass,
                            sub3(b.moment, part->moment),
                            {i.xx - p.xx, i.yy - p.yy, i.zz - p.zz, i.xy - p.xy, i.xz - p.xz, i.yz - p.yz}};
}

static void regroup(srs_segments *s)
{
  for (int k = s->n - 1; k >= 0; k--) {
    srs_segment *own = &s->segment[k];
    const srs_segment_body part = part_for_parent(own);
    own->body = without(own->body, &part);
    if (own->parent < 0) continue;
    srs_segment *parent = &s->segment[own->parent];
    parent->body = add_bodies(parent->body, move_body(part, own->turn, own->offset));
  }
}

bool srs_segments_make(srs_arena *arena, const srs_model *model, srs_segments *segments)
{
  srs_segments *s = segments;
  const size_t n_links = (size_t)model->n_links;
  *s = (srs_segments){.model = model};
  s->segment = srs_arena_take(arena, 4 * n_links, sizeof *s->segment);
  s->frame = srs_arena_take(arena, (size_t)model->n_frames, sizeof *s->frame);
  srs_segment_frame *moved = srs_arena_take(arena, 4 * n_links, sizeof *moved);
  int *last = srs_arena_take(arena, n_links, sizeof *last);
  if (arena->failed) return false;
  for (int k = 0; k < model->n_links; k++) {
    append_joint(s, k, model->parent[k] < 0 ? -1 : last[model->parent[k]]);
    last[k] = s->n - 1;
  }
  for (int k = 0; k < s->n; k++) choose_frame(s, k, &moved[k]);
  for (int f = 0; f < model->n_frames; f++) {
    const int link = model->frame_link[f];
    s->frame[f] = (srs_segment_frame){-1, model->frame_axes[f], model->frame_offset[f]};
    if (link < 0) continue;
    const srs_segment_frame *m = &moved[last[link]];
    s->frame[f].segment = last[link];
    s->frame[f].axes = snap_matrix(mul3(transpose3(m->axes), model->frame_axes[f]));
    s->frame[f].offset = snap_vector(rotate_back(m->axes, sub3(model->frame_offset[f], m->offset)));
  }
  regroup(s);
  return true;
}
