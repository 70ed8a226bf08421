// Which joint has its links apart, or one inside of the other, as no other joint has? The shapes of two links that a
// joint connects usually touch, or are drawn into each other by a little.
//
// Of each joint that moves, the gap is the distance of the nearest shapes that collide of the two bodies it connects,
// where all coordinates are zero; negative where they overlap, by how much. Robots have gaps of their own: a link
// without shapes in between, a mesh that ends before the bearing. So a gap is odd where it exceeds all others by far,
// by 1 cm and the next one again, and likewise the depth of an overlap. A gap among those of six joints or more is a
// doubt. Overlaps, and gaps among fewer joints, are notes: hulls of hollow links overlap deeply on purpose.
#include "engine/cli/check/lint.h"
#include "topology/base/text.h"
#include "topology/builder/source.h"
#include "topology/model/link_placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_JOINTS = 6, FEW_JOINTS = 3 }; // with known gaps: for a doubt, for a note

// The frames of a body that carry convex shapes to collide with and no others: first by link + 1, next by frame, or -1.
typedef struct carriers {
  int *first, *next;
} carriers;

static bool list_carriers(const srs_model *model, carriers *c)
{
  const int n_links = srs_model_n_links(model), n_frames = srs_model_n_frames(model);
  enum { NOTHING, CONVEX, TRIANGLES }; // a distance from triangles takes long
  char *carries = calloc((size_t)n_frames + 1, sizeof *carries);
  c->first = malloc(((size_t)n_links + 1) * sizeof *c->first);
  c->next = malloc(((size_t)n_frames + 1) * sizeof *c->next);
  const bool has_memory = carries != NULL && c->first != NULL && c->next != NULL;
  for (int i = 0; has_memory && i <= n_links; i++) c->first[i] = -1;
  for (int s = 0; has_memory && s < srs_model_n_shapes(model); s++) {
    const srs_shape *shape = srs_model_shape(model, s);
    if (shape->frame < 0 || shape->is_visual || shape->kind == SRS_SHAPE_MESH) continue;
    if (shape->kind == SRS_SHAPE_SURFACE)
      carries[shape->frame] = TRIANGLES;
    else if (carries[shape->frame] == NOTHING)
      carries[shape->frame] = CONVEX;
  }
  for (int f = n_frames - 1; has_memory && f >= 0; f--) {
    const int body = srs_model_frame(model, f)->link + 1;
    if (carries[f] != CONVEX) continue;
    c->next[f] = c->first[body];
    c->first[body] = f;
  }
  free(carries);
  return has_memory;
}

// Negative where they overlap, by how much; NAN where it is not known.
static double gap_between(srs_collider *collider, const srs_pose *links, const carriers *c, int body, int other)
{
  double least = NAN;
  for (int a = c->first[body]; a >= 0; a = c->next[a])
    for (int b = c->first[other]; b >= 0; b = c->next[b]) {
      srs_contact_point nearest;
      srs_error ignored;
      if (srs_collider_distance(collider, links, a, b, &nearest, &ignored) != SRS_OK) continue;
      least = fmin(least, nearest.gap); // of a number and NAN the number
    }
  return least;
}

srs_place srs_lint_place_of(const srs_model *model, const char *joint)
{
  const srs_builder *source = srs_source_of(model);
  for (int i = 0; i < source->n_joints; i++)
    if (source->joints[i].def.name != NULL && strcmp(source->joints[i].def.name, joint) == 0)
      return source->joints[i].place;
  return (srs_place){NULL, 0, 0};
}

// Of the gaps, or with sign -1 of the depths of overlaps: the largest, if it exceeds all others by far, else -1.
static int find_odd(const double *gaps, int n_links, double sign, int *n_known, double *next)
{
  int widest = -1;
  *n_known = 0, *next = 0;
  for (int i = 0; i < n_links; i++) {
    if (isnan(gaps[i])) continue;
    ++*n_known;
    if (widest < 0 || sign * gaps[i] > sign * gaps[widest]) {
      if (widest >= 0) *next = fmax(*next, sign * gaps[widest]);
      widest = i;
    } else {
      *next = fmax(*next, sign * gaps[i]);
    }
  }
  const bool is_odd = *n_known >= FEW_JOINTS && sign * gaps[widest] > 2 * *next + 0.01;
  return is_odd ? widest : -1;
}

static bool name_odd(const srs_model *model, const double *gaps, double sign, srs_folds *doubts, srs_folds *notes)
{
  int n;
  double next;
  const int odd = find_odd(gaps, srs_model_n_links(model), sign, &n, &next);
  if (odd < 0) return true;
  const srs_joint *joint = srs_model_joint(model, odd);
  const srs_place place = srs_lint_place_of(model, joint->name);
  const int parent = srs_model_link(model, odd)->parent;
  const char *link = srs_model_link(model, odd)->name, *quote = parent >= 0 ? "'" : "";
  const char *base = parent >= 0 ? srs_model_link(model, parent)->name : "its base";
  char text[800], whole[1200];
  if (sign > 0)
    srs_print(text, sizeof text,
              "joint '%.100s' leaves %.3g mm between link '%.100s' and %s%s%.100s%s, but no other joint more than "
              "%.3g mm: moved?",
              joint->name, 1000 * gaps[odd], link, parent >= 0 ? "link " : "", quote, base, quote, 1000 * next);
  else
    srs_print(text, sizeof text,
              "joint '%.100s' has link '%.100s' %.3g mm inside of %s%s%.100s%s, but no other joint more than %.3g mm: "
              "on purpose?",
              joint->name, link, -1000 * gaps[odd], parent >= 0 ? "link " : "", quote, base, quote, 1000 * next);
  srs_print(whole, sizeof whole, "%s:%d: %s", place.file != NULL ? place.file : "model", place.line, text);
  return srs_folds_add(sign > 0 && n >= LEAST_JOINTS ? doubts : notes, whole);
}

static bool is_on_base(const srs_model *model, int link)
{
  const int parent = srs_model_link(model, link)->parent;
  return parent < 0 || srs_model_joint(model, parent)->kind == SRS_JOINT_FREE;
}

bool srs_lint_gaps(const srs_model *model, srs_folds *doubts, srs_folds *notes)
{
  const int n = srs_model_n_links(model);
  srs_collider_options options = srs_default_collider_options();
  srs_collider *collider = NULL;
  srs_error ignored;
  options.self_collision = SRS_SELF_COLLISION_NONE;
  const srs_status status = srs_collider_create(model, &options, &collider, &ignored);
  if (status != SRS_OK) return status != SRS_ERROR_MEMORY; // a model that cannot collide is told elsewhere
  carriers c = {0};
  double *gaps = calloc((size_t)n + 1, sizeof *gaps);
  srs_pose *links = malloc(((size_t)n + 1) * sizeof *links);
  bool is_good = list_carriers(model, &c) && gaps != NULL && links != NULL;
  if (is_good) {
    srs_pose_links(model, srs_model_neutral(model), links);
    for (int i = 0; i < n; i++) {
      const bool is_joined = srs_model_joint(model, i)->kind != SRS_JOINT_FREE;
      gaps[i] = is_joined ? gap_between(collider, links, &c, i + 1, srs_model_link(model, i)->parent + 1) : NAN;
    }
    is_good = name_odd(model, gaps, 1, doubts, notes);
    for (int i = 0; i < n; i++)
      if (is_on_base(model, i)) gaps[i] = NAN;
    is_good = is_good && name_odd(model, gaps, -1, doubts, notes);
  }
  free(c.first);
  free(c.next);
  free(gaps);
  free(links);
  srs_collider_destroy(collider);
  return is_good;
}
