// Coplanar faces: which parts of one body touch each other, and which of their faces do they cover there?
//
// A body may be a union of convex parts: a row of boxes, a stair. Where two parts touch, an edge of one is inside the
// body, or in a plane that continues beyond it, and nothing can hit it: its faces count only where no other part lies
// before them. Near a contact point, a face of part B is covered if a point just before the face, and just within its
// border, is inside another part.
//
//   face       p_f = B's contact point, brought into the face's plane and by d inwards from the borders that it lies
//              on; q = p_f + d n_f is inside another part: covered
//   others     a direction n at an edge or corner of B of which some faces are covered must lie in the span of the
//              other faces: one face, its normal; two, across their common edge; none, no contact
//
// The nearest point of the whole body has such a direction. Where that of one part has none, another part is nearer.
//
// d is small beside the parts, 1e-5 of their radius. Parts that differ in height by less are as one.
#include "collision/world/coplanar_faces.h"
#include "collision/gjk/gjk.h"
#include "collision/shapes/point_distance.h"
#include "collision/world/grid.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

static const double DEPTH = 1e-5;    // of the part's radius
static const double ALIKE = 1e-6;    // rad
static const double TOUCHING = 1e-6; // of the smaller part's radius

// ---------------------------------------------------------------------------------------------------------------------
// Neighbours
// ---------------------------------------------------------------------------------------------------------------------

// Ellipsoids do not count as neighbours.
static bool may_touch(const srs_geometries *m, int i, int j)
{
  const srs_shape_kind a = m->solids[i].kind, b = m->solids[j].kind;
  return m->link[i] == m->link[j] && srs_kinds_have_sides(a, b) && a != SRS_SHAPE_ELLIPSOID &&
         b != SRS_SHAPE_ELLIPSOID && srs_bounds_meet(m, i, j, 0);
}

static bool touch(const srs_geometries *m, int i, int j)
{
  const double limit = TOUCHING * fmin(m->solids[i].radius, m->solids[j].radius);
  return may_touch(m, i, j) && srs_boxes_meet(m, i, j, limit) && srs_gjk_meet(&m->placed[i], &m->placed[j], limit);
}

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for shapes that touch each other");
}

static bool place_at_rest(srs_geometries *m, srs_arena *arena)
{
  const int n = m->model->n_links;
  srs_pose *links = srs_arena_take(arena, (size_t)n + 1, sizeof *links);
  if (links == NULL) return false;
  for (int k = 0; k < n; k++) links[k] = srs_identity_pose();
  return srs_geometries_place(m, links);
}

typedef struct search {
  const srs_geometries *m;
  const int *body;        // the geometries of one body
  const srs_ball **balls; // their bounds
  int *pairs, n, room;    // what was found, two numbers each; room for so many pairs
  bool failed;            // out of memory
} search;

static void report(void *user, int first, int second)
{
  search *s = user;
  const int a = s->body[first], b = s->body[second], i = a < b ? a : b, j = a < b ? b : a;
  if (s->failed || !touch(s->m, i, j)) return;
  if (s->n == s->room) {
    const int room = 2 * s->room + 16;
    int *pairs = realloc(s->pairs, 2 * (size_t)room * sizeof *pairs);
    s->failed = pairs == NULL;
    if (s->failed) return;
    s->pairs = pairs, s->room = room;
  }
  s->pairs[(size_t)s->n * 2] = i, s->pairs[(size_t)s->n * 2 + 1] = j;
  s->n++;
}

// Among n geometries of a body: each with each of a few, by a grid of many.
static bool search_body(search *s, int n)
{
  enum { FEW = 32 };
  if (n <= FEW) {
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) report(s, i, j);
    return true;
  }
  srs_arena scratch = {0};
  srs_grid grid;
  for (int i = 0; i < n; i++) s->balls[i] = &s->m->bounds[s->body[i]];
  const bool is_made = srs_grid_make(s->balls, n, &scratch, &grid);
  if (is_made) srs_grid_find(&grid, s->balls, 0, report, s);
  srs_arena_release(&scratch);
  return is_made;
}

// The geometries in order of their links, the world's first; half-spaces left out, which have no sides.
static bool sort_by_link(const srs_geometries *m, srs_arena *arena, int **begin, int **order)
{
  const int n_bodies = m->model->n_links + 1;
  int *b = srs_arena_take(arena, (size_t)n_bodies + 1, sizeof *b),
      *o = srs_arena_take(arena, (size_t)m->n + 1, sizeof *o);
  *begin = b, *order = o;
  if (arena->failed) return false;
  memset(b, 0, ((size_t)n_bodies + 1) * sizeof *b);
  for (int i = 0; i < m->n; i++) b[m->link[i] + 1] += !m->is_half_space[i];
  for (int k = 1; k <= n_bodies; k++) b[k] += b[k - 1];
  for (int i = m->n - 1; i >= 0; i--)
    if (!m->is_half_space[i]) o[--b[m->link[i] + 1]] = i;
  return true;
}

// Two numbers for each pair that touches, to be freed. @return how many pairs; -1: no memory
static int find_pairs(srs_geometries *m, srs_arena *arena, int **pairs)
{
  int *begin, *order;
  search s = {.m = m, .balls = srs_arena_take(arena, (size_t)m->n + 1, sizeof *s.balls)};
  if (!place_at_rest(m, arena) || !sort_by_link(m, arena, &begin, &order) || arena->failed) return -1;
  for (int k = 0; k <= m->model->n_links && !s.failed; k++) {
    s.body = order + begin[k];
    s.failed = !search_body(&s, begin[k + 1] - begin[k]) || s.failed;
  }
  *pairs = s.pairs;
  return s.failed ? -1 : s.n;
}

srs_status srs_coplanar_make(srs_geometries *m, srs_arena *arena, srs_coplanar_faces *coplanar, srs_error *error)
{
  *coplanar = (srs_coplanar_faces){0};
  srs_arena scratch = {0};
  int *pairs = NULL;
  const int n = find_pairs(m, &scratch, &pairs);
  bool failed = n < 0;
  if (n > 0) {
    coplanar->begin = srs_arena_take(arena, (size_t)m->n + 1, sizeof *coplanar->begin);
    coplanar->others = srs_arena_take(arena, 2 * (size_t)n, sizeof *coplanar->others);
    failed = arena->failed;
  }
  if (!failed && n > 0) {
    memset(coplanar->begin, 0, ((size_t)m->n + 1) * sizeof *coplanar->begin);
    for (int k = 0; k < 2 * n; k++) coplanar->begin[pairs[k] + 1]++;
    for (int i = 0; i < m->n; i++) coplanar->begin[i + 1] += coplanar->begin[i];
    for (int k = 2 * n - 1; k >= 0; k--) coplanar->others[--coplanar->begin[pairs[k] + 1]] = pairs[k ^ 1];
    memmove(coplanar->begin, coplanar->begin + 1, (size_t)m->n * sizeof *coplanar->begin);
    coplanar->begin[m->n] = 2 * n;
  }
  free(pairs);
  srs_arena_release(&scratch);
  return failed ? no_memory(error) : SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is covered
// ---------------------------------------------------------------------------------------------------------------------

typedef struct part {
  const srs_coplanar_faces *coplanar;
  const srs_geometries *geometries;
  int geometry;
  const srs_placed *placed;
  const srs_hull *hull;
  double radius;
} part;

static part part_of(const srs_coplanar_faces *coplanar, const srs_geometries *m, int geometry)
{
  const srs_placed *placed = &m->placed[geometry];
  return (part){coplanar, m, geometry, placed, placed->solid->hull, placed->solid->radius};
}

static double height_over(const srs_hull *hull, int face, vec3 p)
{
  return dot3(hull->normals[face], p) - hull->offsets[face];
}

// p brought into a face's plane, and inwards from the other faces that it is near to.
static vec3 within(const part *b, int face, vec3 p)
{
  const vec3 n = b->hull->normals[face];
  const double depth = DEPTH * b->radius;
  vec3 at = add_scaled3(p, -height_over(b->hull, face, p), n);
  for (int g = 0; g < b->hull->n_faces; g++) {
    const double missing = depth + height_over(b->hull, g, at);
    if (g == face || missing <= 0) continue;
    const vec3 across = add_scaled3(b->hull->normals[g], -dot3(b->hull->normals[g], n), n);
    at = add_scaled3(at, -missing / dot3(across, across), across);
  }
  return at;
}

static bool covers_near(const part *b, int face, vec3 p)
{
  const vec3 local = rotate_back(b->placed->axes, sub3(p, b->placed->origin));
  const double depth = DEPTH * b->radius;
  const vec3 before = add_scaled3(within(b, face, local), depth, b->hull->normals[face]);
  const vec3 q = add3(b->placed->origin, rotate(b->placed->axes, before));
  for (int k = b->coplanar->begin[b->geometry]; k < b->coplanar->begin[b->geometry + 1]; k++) {
    vec3 normal;
    if (srs_solid_distance(&b->geometries->placed[b->coplanar->others[k]], q, &normal) < -0.25 * depth) return true;
  }
  return false;
}

static bool is_covered_at_all(const part *b, int face, bool is_a, const srs_touch *touches, int n)
{
  for (int i = 0; i < n; i++)
    if (!covers_near(b, face, is_a ? touches[i].a : touches[i].b)) return false;
  return true;
}

// Whether some of the faces that meet at p are covered; then the normals of the others, up to three.
static bool find_free(const part *b, vec3 p, vec3 free[3], int *n_free)
{
  const vec3 local = rotate_back(b->placed->axes, sub3(p, b->placed->origin));
  bool is_any_covered = false;
  *n_free = 0;
  for (int f = 0; f < b->hull->n_faces; f++) {
    if (fabs(height_over(b->hull, f, local)) > DEPTH * b->radius) continue;
    if (covers_near(b, f, p))
      is_any_covered = true;
    else if (*n_free < 3)
      free[(*n_free)++] = rotate(b->placed->axes, b->hull->normals[f]);
  }
  return is_any_covered;
}

// Whether a direction is one of what is left at a body's point p; outward: as that body sees it.
static bool stands_at(const part *b, vec3 p, vec3 outward)
{
  vec3 free[3];
  int n;
  if (!find_free(b, p, free, &n) || n > 2) return true;
  if (n == 0) return false;
  if (n == 1) return norm3(sub3(free[0], outward)) <= ALIKE;
  const vec3 edge = cross3(free[0], free[1]);
  return fabs(dot3(outward, edge)) <= ALIKE * norm3(edge);
}

static bool stands(const part *b, bool is_a, const srs_touch *touches, int n, const srs_side *side)
{
  const int face = is_a ? side->face_a : side->face_b;
  if (face >= 0 && is_covered_at_all(b, face, is_a, touches, n)) return false;
  const vec3 outward = scale3(is_a ? -1 : 1, side->normal);
  for (int i = 0; i < n; i++)
    if (stands_at(b, is_a ? touches[i].a : touches[i].b, outward)) return true;
  return false;
}

int srs_coplanar_filter(const srs_coplanar_faces *coplanar, const srs_geometries *m, int i, int j,
                        const srs_touch *touches, int n_touches, srs_side *sides, int n, bool *nearest_stands)
{
  *nearest_stands = true;
  for (int which = 0; which < 2; which++) {
    const bool is_a = which == 0;
    const part b = part_of(coplanar, m, is_a ? i : j);
    if (b.hull == NULL || !srs_coplanar_has(coplanar, b.geometry)) continue;
    int kept = 0;
    for (int k = 0; k < n; k++) {
      const bool stays = stands(&b, is_a, touches, n_touches, &sides[k]);
      if (k == 0 && !stays) *nearest_stands = false;
      if (stays) sides[kept++] = sides[k];
    }
    n = kept;
  }
  return n;
}
