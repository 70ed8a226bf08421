// Compares two compiled models, array by array, bits and not values: a -0 is not a 0.
#include "topology/save/compare.h"
#include "topology/base/errors.h"
#include "topology/model/model.h"

#include <string.h>

typedef struct comparison {
  bool same;
  char *where; // 160
} comparison;

static void differ(comparison *c, const char *what, const char *of, int index)
{
  if (!c->same) return;
  c->same = false;
  if (of != NULL && of[0] != '\0')
    srs_print(c->where, 160, "%s of '%.100s'", what, of);
  else
    srs_print(c->where, 160, "%s, entry %d", what, index);
}

static void bytes(comparison *c, const void *a, const void *b, size_t size, const char *what, const char *of)
{
  if (c->same && size > 0 && memcmp(a, b, size) != 0) differ(c, what, of, 0);
}

// n items, compared one by one so that the first that differs is named by its index.
static void arrays(comparison *c, const void *a, const void *b, int n, size_t size, const char *what)
{
  for (int i = 0; i < n && c->same; i++)
    if (memcmp((const char *)a + (size_t)i * size, (const char *)b + (size_t)i * size, size) != 0)
      differ(c, what, NULL, i);
}

static void texts(comparison *c, const char *a, const char *b, const char *what, const char *of)
{
  if (c->same && strcmp(a, b) != 0) differ(c, what, of, 0);
}

static void compare_counts(comparison *c, const srs_model *a, const srs_model *b)
{
  const struct {
    int a, b;
    const char *what;
  } counts[] = {{a->n_links, b->n_links, "number of links"},
                {a->n_frames, b->n_frames, "number of frames"},
                {a->n_shapes, b->n_shapes, "number of shapes"},
                {a->n_closures, b->n_closures, "number of closures"},
                {a->n_couplings, b->n_couplings, "number of couplings"},
                {a->nq, b->nq, "nq"},
                {a->nv, b->nv, "nv"},
                {a->n_angles, b->n_angles, "number of angles"},
                {a->n_parts, b->n_parts, "number of parts"}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (c->same && counts[i].a != counts[i].b) {
      c->same = false;
      srs_print(c->where, 160, "%s: %d and %d", counts[i].what, counts[i].a, counts[i].b);
    }
}

static void compare_tree(comparison *c, const srs_model *a, const srs_model *b)
{
  const int n = a->n_links;
  for (int k = 0; k < n && c->same; k++) {
    const srs_link *x = &a->links[k], *y = &b->links[k];
    const srs_joint *i = &a->joints[k], *j = &b->joints[k];
    texts(c, x->name, y->name, "name of the link", x->name);
    bytes(c, &x->mass, &y->mass, sizeof x->mass, "mass", x->name);
    bytes(c, x->com, y->com, sizeof x->com, "centre of mass", x->name);
    bytes(c, x->inertia, y->inertia, sizeof x->inertia, "inertia", x->name);
    texts(c, i->name, j->name, "name of the joint", i->name);
    bytes(c, &i->kind, &j->kind, sizeof i->kind, "kind", i->name);
    bytes(c, &i->origin, &j->origin, sizeof i->origin, "origin", i->name);
    bytes(c, i->axis, j->axis, sizeof i->axis, "axis", i->name);
    bytes(c, i->axis2, j->axis2, sizeof i->axis2, "second axis", i->name);
    bytes(c, &i->max_swing, &j->max_swing, sizeof i->max_swing, "max_swing", i->name);
    bytes(c, &i->min_twist, &j->min_twist, sizeof i->min_twist, "min_twist", i->name);
    bytes(c, &i->max_twist, &j->max_twist, sizeof i->max_twist, "max_twist", i->name);
  }
  arrays(c, a->kind, b->kind, n, sizeof *a->kind, "kinds");
  arrays(c, a->parent, b->parent, n, sizeof *a->parent, "parents");
  arrays(c, a->subtree_end, b->subtree_end, n, sizeof *a->subtree_end, "subtrees");
  arrays(c, a->q_index, b->q_index, n, sizeof *a->q_index, "indices of q");
  arrays(c, a->v_index, b->v_index, n + 1, sizeof *a->v_index, "indices of v");
  arrays(c, a->first_angle, b->first_angle, n, sizeof *a->first_angle, "first angles");
  arrays(c, a->turn, b->turn, n, sizeof *a->turn, "turns");
  arrays(c, a->turn2, b->turn2, n, sizeof *a->turn2, "second turns");
  arrays(c, a->offset, b->offset, n, sizeof *a->offset, "offsets");
  arrays(c, a->pitch, b->pitch, n, sizeof *a->pitch, "pitches");
  arrays(c, a->inertia, b->inertia, n, 10 * sizeof *a->inertia, "inertias in turned axes");
  arrays(c, a->link_axes, b->link_axes, n, sizeof *a->link_axes, "axes of links");
  arrays(c, a->angle_q, b->angle_q, a->n_angles, sizeof *a->angle_q, "angles");
  bytes(c, &a->mass, &b->mass, sizeof a->mass, "moving mass", "the model");
}

static void compare_frames(comparison *c, const srs_model *a, const srs_model *b)
{
  const int n = a->n_frames;
  for (int i = 0; i < n && c->same; i++) {
    texts(c, a->frames[i].name, b->frames[i].name, "name of the frame", a->frames[i].name);
    bytes(c, &a->frames[i].pose, &b->frames[i].pose, sizeof(srs_pose), "pose", a->frames[i].name);
  }
  arrays(c, a->frame_link, b->frame_link, n, sizeof *a->frame_link, "links of frames");
  arrays(c, a->frame_offset, b->frame_offset, n, sizeof *a->frame_offset, "offsets of frames");
  arrays(c, a->frame_axes, b->frame_axes, n, sizeof *a->frame_axes, "axes of frames");
  arrays(c, a->frame_body, b->frame_body, n, sizeof *a->frame_body, "bodies of frames");
  arrays(c, a->frame_carrier, b->frame_carrier, n, sizeof *a->frame_carrier, "carriers of frames");
  arrays(c, a->frame_is_static, b->frame_is_static, n, sizeof *a->frame_is_static, "frames that do not move");
  arrays(c, a->part_of_frame, b->part_of_frame, n, sizeof *a->part_of_frame, "parts of frames");
  arrays(c, a->part_parent, b->part_parent, a->n_parts, sizeof *a->part_parent, "parents of parts");
  arrays(c, a->part_inertia, b->part_inertia, a->n_parts, 10 * sizeof *a->part_inertia, "inertias of parts");
}

static void compare_coordinates(comparison *c, const srs_model *a, const srs_model *b)
{
  const struct {
    const double *a, *b;
    int n;
    const char *what;
  } rows[] = {{a->armature, b->armature, a->nv, "armatures"},
              {a->damping, b->damping, a->nv, "damping"},
              {a->stiffness, b->stiffness, a->nv, "stiffness"},
              {a->friction, b->friction, a->nv, "dry friction"},
              {a->lower, b->lower, a->nv, "lower limits"},
              {a->upper, b->upper, a->nv, "upper limits"},
              {a->max_effort, b->max_effort, a->nv, "limits of effort"},
              {a->max_velocity, b->max_velocity, a->nv, "limits of velocity"},
              {a->reference, b->reference, a->nq, "references of springs"},
              {a->neutral, b->neutral, a->nq, "neutral coordinates"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    arrays(c, rows[i].a, rows[i].b, rows[i].n, sizeof(double), rows[i].what);
  for (int i = 0; i < a->nq && c->same; i++) texts(c, a->q_names[i], b->q_names[i], "name of q", a->q_names[i]);
  for (int i = 0; i < a->nv && c->same; i++) texts(c, a->v_names[i], b->v_names[i], "name of v", a->v_names[i]);
}

// Of none, or as a builder leaves it: all pairs.
static bool collide_alike(const srs_shape *x, const srs_shape *y)
{
  const srs_self_collision own = SRS_SELF_COLLISION_OWN, all = SRS_SELF_COLLISION_ALL;
  return (x->self_collision == own ? all : x->self_collision) == (y->self_collision == own ? all : y->self_collision);
}

static void compare_shape(comparison *c, const srs_shape *x, const srs_shape *y, int index)
{
  const char *of = x->name[0] != '\0' ? x->name : srs_shape_kind_name(x->kind);
  if (x->kind != y->kind || x->frame != y->frame || x->is_visual != y->is_visual || x->group != y->group ||
      x->mask != y->mask || x->part != y->part || x->n_points != y->n_points || x->n_triangles != y->n_triangles ||
      x->n_rows != y->n_rows || x->n_columns != y->n_columns)
    differ(c, "shapes", NULL, index);
  if (!collide_alike(x, y)) differ(c, "self_collision of shapes", NULL, index);
  if (!c->same) return;
  texts(c, x->name, y->name, "name of the shape", of);
  texts(c, x->file, y->file, "file of the shape", of);
  texts(c, x->material, y->material, "material", of);
  bytes(c, &x->pose, &y->pose, sizeof x->pose, "pose", of);
  bytes(c, x->size, y->size, sizeof x->size, "size", of);
  bytes(c, x->exponent, y->exponent, sizeof x->exponent, "exponents", of);
  bytes(c, x->points, y->points, 3 * (size_t)x->n_points * sizeof *x->points, "points", of);
  bytes(c, x->triangles, y->triangles, 3 * (size_t)x->n_triangles * sizeof *x->triangles, "triangles", of);
  bytes(c, x->heights, y->heights, (size_t)x->n_rows * (size_t)x->n_columns * sizeof *x->heights, "heights", of);
}

static void compare_motion(comparison *c, const srs_motion *x, const srs_motion *y, const char *of)
{
  const double p[5] = {x->start, x->rate, x->amplitude, x->frequency, x->phase};
  const double q[5] = {y->start, y->rate, y->amplitude, y->frequency, y->phase};
  if (x->kind != y->kind || x->n_points != y->n_points || x->function != y->function) differ(c, "motion", of, 0);
  bytes(c, p, q, sizeof p, "motion", of);
  if (!c->same || x->kind != SRS_MOTION_TABLE) return;
  bytes(c, x->times, y->times, (size_t)x->n_points * sizeof *x->times, "motion", of);
  bytes(c, x->values, y->values, (size_t)x->n_points * sizeof *x->values, "motion", of);
}

static void compare_closure(comparison *c, const srs_closure *x, const srs_closure *y)
{
  const srs_loop_joint *i = &x->joint, *j = &y->joint;
  const char *of = x->name;
  texts(c, x->name, y->name, "name of the closure", of);
  if (x->kind != y->kind || x->rows != y->rows || x->n_rows != y->n_rows || x->motion_row != y->motion_row ||
      x->is_embedded != y->is_embedded || x->n_independent != y->n_independent || x->link[0] != y->link[0] ||
      x->link[1] != y->link[1])
    differ(c, "closure", of, 0);
  if (!c->same) return;
  bytes(c, x->pose, y->pose, sizeof x->pose, "frames", of);
  bytes(c, &x->length, &y->length, sizeof x->length, "length", of);
  bytes(c, i, j, sizeof *i, "loop joint", of);
  bytes(c, x->independent, y->independent, (size_t)x->n_independent * sizeof *x->independent, "independent", of);
  compare_motion(c, &x->motion, &y->motion, of);
}

static void compare_coupling(comparison *c, const srs_coupling *x, const srs_coupling *y)
{
  texts(c, x->name, y->name, "name of the coupling", x->name);
  if (x->follower_q != y->follower_q || x->leader_q != y->leader_q || x->is_angle != y->is_angle)
    differ(c, "coupling", x->name, 0);
  bytes(c, x->coefficients, y->coefficients, sizeof x->coefficients, "coefficients", x->name);
  compare_motion(c, &x->motion, &y->motion, x->name);
}

bool srs_model_equals(const srs_model *a, const srs_model *b, char where[160])
{
  comparison c = {.same = true, .where = where};
  where[0] = '\0';
  compare_counts(&c, a, b);
  if (c.same) compare_tree(&c, a, b);
  if (c.same) compare_frames(&c, a, b);
  if (c.same) compare_coordinates(&c, a, b);
  for (int i = 0; i < a->n_shapes && c.same; i++) compare_shape(&c, &a->shapes[i], &b->shapes[i], i);
  for (int i = 0; i < a->n_closures && c.same; i++) compare_closure(&c, &a->closures[i], &b->closures[i]);
  for (int i = 0; i < a->n_couplings && c.same; i++) compare_coupling(&c, &a->couplings[i], &b->couplings[i]);
  return c.same;
}
