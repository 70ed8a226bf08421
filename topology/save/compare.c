// Compares two compiled models, array by array: numbers to the bit, except that a -0 is a 0, as it is wherever a
// model's numbers are used.
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

// n numbers in rows of `width`, so that the first row that differs is named by its index, or by `of` where that is
// given.
static void rows(comparison *c, const double *a, const double *b, int n, int width, const char *what, const char *of)
{
  for (size_t i = 0; i < (size_t)n * (size_t)width && c->same; i++)
    if (a[i] != b[i]) differ(c, what, of, (int)(i / (size_t)width));
}

static void numbers(comparison *c, const double *a, const double *b, int n, const char *what, const char *of)
{
  rows(c, a, b, 1, n, what, of);
}

static void poses(comparison *c, const srs_pose *a, const srs_pose *b, const char *what, const char *of)
{
  numbers(c, a->position, b->position, 3, what, of);
  numbers(c, a->rotation, b->rotation, 9, what, of);
}

static bool are_same(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void vectors(comparison *c, const vec3 *a, const vec3 *b, int n, const char *what)
{
  for (int i = 0; i < n && c->same; i++)
    if (!are_same(a[i], b[i])) differ(c, what, NULL, i);
}

static void matrices(comparison *c, const mat3 *a, const mat3 *b, int n, const char *what)
{
  for (int i = 0; i < n && c->same; i++)
    if (!are_same(a[i].x, b[i].x) || !are_same(a[i].y, b[i].y) || !are_same(a[i].z, b[i].z)) differ(c, what, NULL, i);
}

// n items without numbers, compared one by one.
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
    numbers(c, &x->mass, &y->mass, 1, "mass", x->name);
    numbers(c, x->com, y->com, 3, "centre of mass", x->name);
    numbers(c, x->inertia, y->inertia, 6, "inertia", x->name);
    texts(c, i->name, j->name, "name of the joint", i->name);
    if (i->kind != j->kind) differ(c, "kind", i->name, 0);
    poses(c, &i->origin, &j->origin, "origin", i->name);
    numbers(c, i->axis, j->axis, 3, "axis", i->name);
    numbers(c, i->axis2, j->axis2, 3, "second axis", i->name);
    numbers(c, &i->max_swing, &j->max_swing, 1, "max_swing", i->name);
    numbers(c, &i->min_twist, &j->min_twist, 1, "min_twist", i->name);
    numbers(c, &i->max_twist, &j->max_twist, 1, "max_twist", i->name);
  }
  arrays(c, a->kind, b->kind, n, sizeof *a->kind, "kinds");
  arrays(c, a->parent, b->parent, n, sizeof *a->parent, "parents");
  arrays(c, a->subtree_end, b->subtree_end, n, sizeof *a->subtree_end, "subtrees");
  arrays(c, a->q_index, b->q_index, n, sizeof *a->q_index, "indices of q");
  arrays(c, a->v_index, b->v_index, n + 1, sizeof *a->v_index, "indices of v");
  arrays(c, a->first_angle, b->first_angle, n, sizeof *a->first_angle, "first angles");
  matrices(c, a->turn, b->turn, n, "turns");
  matrices(c, a->turn2, b->turn2, n, "second turns");
  vectors(c, a->offset, b->offset, n, "offsets");
  rows(c, a->pitch, b->pitch, n, 1, "pitches", NULL);
  rows(c, a->inertia, b->inertia, n, 10, "inertias in turned axes", NULL);
  matrices(c, a->link_axes, b->link_axes, n, "axes of links");
  arrays(c, a->angle_q, b->angle_q, a->n_angles, sizeof *a->angle_q, "angles");
  numbers(c, &a->mass, &b->mass, 1, "moving mass", "the model");
}

static void compare_frames(comparison *c, const srs_model *a, const srs_model *b)
{
  const int n = a->n_frames;
  for (int i = 0; i < n && c->same; i++) {
    texts(c, a->frames[i].name, b->frames[i].name, "name of the frame", a->frames[i].name);
    poses(c, &a->frames[i].pose, &b->frames[i].pose, "pose", a->frames[i].name);
  }
  arrays(c, a->frame_link, b->frame_link, n, sizeof *a->frame_link, "links of frames");
  vectors(c, a->frame_offset, b->frame_offset, n, "offsets of frames");
  matrices(c, a->frame_axes, b->frame_axes, n, "axes of frames");
  arrays(c, a->frame_body, b->frame_body, n, sizeof *a->frame_body, "bodies of frames");
  arrays(c, a->frame_carrier, b->frame_carrier, n, sizeof *a->frame_carrier, "carriers of frames");
  arrays(c, a->frame_is_static, b->frame_is_static, n, sizeof *a->frame_is_static, "frames that do not move");
  arrays(c, a->part_of_frame, b->part_of_frame, n, sizeof *a->part_of_frame, "parts of frames");
  arrays(c, a->part_parent, b->part_parent, a->n_parts, sizeof *a->part_parent, "parents of parts");
  rows(c, a->part_inertia, b->part_inertia, a->n_parts, 10, "inertias of parts", NULL);
}

static void compare_coordinates(comparison *c, const srs_model *a, const srs_model *b)
{
  const struct {
    const double *a, *b;
    int n;
    const char *what;
  } lists[] = {{a->armature, b->armature, a->nv, "armatures"},
               {a->damping, b->damping, a->nv, "damping"},
               {a->stiffness, b->stiffness, a->nv, "stiffness"},
               {a->friction, b->friction, a->nv, "dry friction"},
               {a->lower, b->lower, a->nv, "lower limits"},
               {a->upper, b->upper, a->nv, "upper limits"},
               {a->max_effort, b->max_effort, a->nv, "limits of effort"},
               {a->max_velocity, b->max_velocity, a->nv, "limits of velocity"},
               {a->reference, b->reference, a->nq, "references of springs"},
               {a->neutral, b->neutral, a->nq, "neutral coordinates"}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    rows(c, lists[i].a, lists[i].b, lists[i].n, 1, lists[i].what, NULL);
  for (int i = 0; i < a->nq && c->same; i++) texts(c, a->q_names[i], b->q_names[i], "name of q", a->q_names[i]);
  for (int i = 0; i < a->nv && c->same; i++) texts(c, a->v_names[i], b->v_names[i], "name of v", a->v_names[i]);
}

// Of none, or as a builder leaves it: all pairs. What is only drawn collides with nothing, however it stands there.
static bool collide_alike(const srs_shape *x, const srs_shape *y)
{
  if (x->is_visual && y->is_visual) return true;
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
  poses(c, &x->pose, &y->pose, "pose", of);
  numbers(c, x->size, y->size, 3, "size", of);
  numbers(c, x->exponent, y->exponent, 2, "exponents", of);
  rows(c, x->points, y->points, x->n_points, 3, "points", of);
  arrays(c, x->triangles, y->triangles, x->n_triangles, 3 * sizeof *x->triangles, "triangles");
  rows(c, x->heights, y->heights, x->n_rows, x->n_columns, "heights", of);
}

static void compare_motion(comparison *c, const srs_motion *x, const srs_motion *y, const char *of)
{
  const double p[5] = {x->start, x->rate, x->amplitude, x->frequency, x->phase};
  const double q[5] = {y->start, y->rate, y->amplitude, y->frequency, y->phase};
  if (x->kind != y->kind || x->n_points != y->n_points || x->function != y->function) differ(c, "motion", of, 0);
  numbers(c, p, q, 5, "motion", of);
  if (!c->same || x->kind != SRS_MOTION_TABLE) return;
  numbers(c, x->times, y->times, x->n_points, "motion", of);
  numbers(c, x->values, y->values, x->n_points, "motion", of);
}

static void compare_loop_joint(comparison *c, const srs_loop_joint *x, const srs_loop_joint *y, const char *of)
{
  const double p[9] = {x->lower,     x->upper,    x->friction,   x->damping,     x->stiffness,
                       x->reference, x->armature, x->max_effort, x->max_velocity};
  const double q[9] = {y->lower,     y->upper,    y->friction,   y->damping,     y->stiffness,
                       y->reference, y->armature, y->max_effort, y->max_velocity};
  numbers(c, p, q, 9, "loop joint", of);
}

static void compare_tendon(comparison *c, const srs_tendon *x, const srs_tendon *y, const char *of)
{
  const int n = x->n_terms + x->n_leaders;
  if (x->n_terms != y->n_terms || x->n_leaders != y->n_leaders || x->is_held != y->is_held ||
      x->is_angle != y->is_angle || memcmp(x->q, y->q, (size_t)n * sizeof *x->q) != 0 ||
      memcmp(x->v, y->v, (size_t)n * sizeof *x->v) != 0) {
    differ(c, "tendon", of, 0);
    return;
  }
  numbers(c, x->coefficients, y->coefficients, n, "tendon", of);
  numbers(c, x->polynomial, y->polynomial, SRS_COUPLING_TERMS, "tendon", of);
}

static void compare_closure(comparison *c, const srs_closure *x, const srs_closure *y)
{
  const char *of = x->name;
  texts(c, x->name, y->name, "name of the closure", of);
  if (x->kind != y->kind || x->rows != y->rows || x->n_rows != y->n_rows || x->motion_row != y->motion_row ||
      x->is_embedded != y->is_embedded || x->n_independent != y->n_independent || x->link[0] != y->link[0] ||
      x->link[1] != y->link[1])
    differ(c, "closure", of, 0);
  if (!c->same) return;
  for (int k = 0; k < 2; k++) poses(c, &x->pose[k], &y->pose[k], "frames", of);
  numbers(c, &x->length, &y->length, 1, "length", of);
  compare_loop_joint(c, &x->joint, &y->joint, of);
  arrays(c, x->independent, y->independent, x->n_independent, sizeof *x->independent, "independent");
  compare_motion(c, &x->motion, &y->motion, of);
  if (c->same && x->tendon != NULL && y->tendon != NULL) compare_tendon(c, x->tendon, y->tendon, of);
}

static void compare_coupling(comparison *c, const srs_coupling *x, const srs_coupling *y)
{
  texts(c, x->name, y->name, "name of the coupling", x->name);
  if (x->follower_q != y->follower_q || x->leader_q != y->leader_q || x->is_angle != y->is_angle)
    differ(c, "coupling", x->name, 0);
  numbers(c, x->coefficients, y->coefficients, SRS_COUPLING_TERMS, "coefficients", x->name);
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
