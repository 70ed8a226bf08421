// The faces, edges and corners of the convex hull of given points.
//
// The points are sorted (so that their order does not matter, and duplicates are neighbours), scaled by a power of two,
// and enclosed by triangles (hull_triangles.c). Triangles that lie in one plane to a part COPLANAR of the hull's
// longest side become one face: from the largest triangle on, each gathers those around it whose corners are all in its
// plane. A point on the border of fewer than three faces is then no corner: it lies inside a face or an edge.
//
// COPLANAR leaves room for corners that went through a file in single precision (6e-8) and for nothing visible. Should
// merging with it not give a polyhedron (each face one ring of three corners or more, each edge between two faces,
// Euler's V - E + F = 2), it is repeated with smaller tolerances, at last with none: the triangles are always a
// polyhedron.
//
// The plane of a face has the normal of its ring (Newell's sum) and touches the outermost of its corners.
#include "collision/shapes/hull.h"
#include "topology/base/arena.h"
#include "topology/base/errors.h"
#include "topology/mesh/hull_triangles.h"

#include <stdlib.h>
#include <string.h>

static const double COPLANAR = 2e-7, FLAT = 1e-6; // of the longest side of the points' bounds

enum { NONE = -1 };

typedef struct half_edge {
  int from, to, face;
} half_edge;

typedef struct sized {
  double area;
  int triangle;
} sized;

typedef struct polyhedron {
  const vec3 *points, *scaled;        // each once
  const srs_hull_triangle *triangles; // of the scaled points
  int n_points, n_triangles;
  sized *by_area;        // n_triangles: the largest first
  int *region;           // n_triangles: the face it belongs to
  int *stack;            // n_triangles
  int *n_borders;        // n_points: faces that meet there
  int *number;           // n_points: among the corners
  int *start;            // n_triangles: for each face, 3 * triangle + corner of an edge on its border, or NONE
  int *begin;            // n_triangles + 1: of each face, into half_edges
  half_edge *half_edges; // 3 n_triangles: the faces' rings one after the other
  half_edge *sorted;     // 3 n_triangles
  int n_faces, n_corners;
} polyhedron;

// ---------------------------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------------------------

static int by_place(const void *a, const void *b)
{
  const vec3 *p = a, *q = b;
  const double from[3] = {p->x, p->y, p->z}, to[3] = {q->x, q->y, q->z};
  for (int i = 0; i < 3; i++)
    if (from[i] != to[i]) return from[i] < to[i] ? -1 : 1;
  return 0;
}

static int sort_points(const double *points, int n_points, vec3 *sorted)
{
  for (int i = 0; i < n_points; i++)
    sorted[i] = add3(vec3_load(points + 3 * (size_t)i), vec3_zero); // no negative zeros
  qsort(sorted, (size_t)n_points, sizeof *sorted, by_place);
  int n = 0;
  for (int i = 0; i < n_points; i++)
    if (n == 0 || by_place(&sorted[n - 1], &sorted[i]) != 0) sorted[n++] = sorted[i];
  return n;
}

// Numbers that vanish beside 1 are zero, so that products of three do not underflow.
static double flushed(double x) { return fabs(x) < 1e-90 ? 0 : x; }

// Scales to at most 1 by a power of two; returns the longest side of their bounds after that.
static double scale_points(const vec3 *points, int n, vec3 *scaled)
{
  double largest = 0;
  vec3 low = points[0], high = points[0];
  for (int i = 0; i < n; i++) {
    const vec3 p = points[i];
    largest = fmax(largest, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    low = (vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
    high = (vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
  }
  int exponent = 0;
  (void)frexp(largest, &exponent);
  for (int i = 0; i < n; i++)
    scaled[i] = (vec3){flushed(ldexp(points[i].x, -exponent)), flushed(ldexp(points[i].y, -exponent)),
                       flushed(ldexp(points[i].z, -exponent))};
  return fmax(
      ldexp(high.x, -exponent) - ldexp(low.x, -exponent),
      fmax(ldexp(high.y, -exponent) - ldexp(low.y, -exponent), ldexp(high.z, -exponent) - ldexp(low.z, -exponent)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Faces
// ---------------------------------------------------------------------------------------------------------------------

static int by_falling_area(const void *a, const void *b)
{
  const sized *p = a, *q = b;
  if (p->area != q->area) return p->area > q->area ? -1 : 1;
  return p->triangle < q->triangle ? -1 : 1;
}

static bool is_in_plane(const polyhedron *h, const srs_hull_triangle *plane, int triangle, double tolerance)
{
  for (int k = 0; k < 3; k++) {
    const vec3 corner = h->scaled[h->triangles[triangle].corners[k]];
    if (!(fabs(dot3(plane->normal, corner) - plane->offset) <= tolerance)) return false;
  }
  return true;
}

static void gather_regions(polyhedron *h, double tolerance)
{
  h->n_faces = 0;
  for (int i = 0; i < h->n_triangles; i++) h->region[i] = NONE;
  for (int i = 0; i < h->n_triangles; i++) {
    const int seed = h->by_area[i].triangle;
    if (h->region[seed] != NONE) continue;
    int n = 0;
    h->region[seed] = h->n_faces;
    h->stack[n++] = seed;
    while (n > 0) {
      const int t = h->stack[--n];
      for (int k = 0; k < 3; k++) {
        const int across = h->triangles[t].across[k];
        if (h->region[across] != NONE || !is_in_plane(h, &h->triangles[seed], across, tolerance)) continue;
        h->region[across] = h->n_faces;
        h->stack[n++] = across; // each triangle once: there is room
      }
    }
    h->n_faces++;
  }
}

static bool is_border(const polyhedron *h, int t, int k)
{
  return h->region[h->triangles[t].across[k]] != h->region[t];
}

// Corners are where three faces or more meet. Returns how many edges of triangles lie between faces, each counted
// twice.
static int find_corners(polyhedron *h)
{
  int n = 0;
  memset(h->n_borders, 0, (size_t)h->n_points * sizeof *h->n_borders);
  for (int face = 0; face < h->n_faces; face++) h->start[face] = NONE;
  for (int t = 0; t < h->n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      if (!is_border(h, t, k)) continue;
      h->n_borders[h->triangles[t].corners[k]]++;
      h->start[h->region[t]] = 3 * t + k;
      n++;
    }
  h->n_corners = 0;
  for (int i = 0; i < h->n_points; i++) h->number[i] = h->n_borders[i] >= 3 ? h->n_corners++ : NONE;
  return n;
}

// Walks around the face from one edge of its border to the next; returns how many it met.
static int walk_ring(polyhedron *h, int face, int *n_half_edges)
{
  const int first_t = h->start[face] / 3, first_k = h->start[face] % 3, begin = *n_half_edges;
  int t = first_t, k = first_k, met = 0;
  do {
    const int from = h->triangles[t].corners[k];
    if (h->number[from] != NONE) h->half_edges[(*n_half_edges)++] = (half_edge){h->number[from], NONE, face};
    met++;
    for (k = (k + 1) % 3; !is_border(h, t, k);) { // around the corner that the edge leads to
      const int across = h->triangles[t].across[k], pivot = h->triangles[t].corners[k];
      int j = 0;
      while (h->triangles[across].corners[j] != pivot) j++;
      t = across;
      k = j;
    }
  } while (t != first_t || k != first_k);
  for (int i = begin; i < *n_half_edges; i++)
    h->half_edges[i].to = h->half_edges[i + 1 < *n_half_edges ? i + 1 : begin].from;
  return met;
}

static int by_ends(const void *a, const void *b)
{
  const half_edge *p = a, *q = b;
  const int p_low = p->from < p->to ? p->from : p->to, q_low = q->from < q->to ? q->from : q->to;
  const int p_high = p->from + p->to - p_low, q_high = q->from + q->to - q_low;
  if (p_low != q_low) return p_low < q_low ? -1 : 1;
  if (p_high != q_high) return p_high < q_high ? -1 : 1;
  return p->from < q->from ? -1 : p->from > q->from;
}

// Whether the edges of all rings are each met twice, once in each direction, and Euler's formula holds.
static bool is_closed(polyhedron *h, int n_half_edges)
{
  memcpy(h->sorted, h->half_edges, (size_t)n_half_edges * sizeof *h->sorted);
  qsort(h->sorted, (size_t)n_half_edges, sizeof *h->sorted, by_ends);
  for (int i = 0; i < n_half_edges; i += 2) {
    const half_edge *e = &h->sorted[i];
    if (i + 1 == n_half_edges || e[0].from != e[1].to || e[0].to != e[1].from || e[0].from == e[0].to) return false;
  }
  return h->n_corners - n_half_edges / 2 + h->n_faces == 2;
}

// False when what comes out is no polyhedron.
static bool merge(polyhedron *h, double tolerance)
{
  gather_regions(h, tolerance);
  const int n_borders = find_corners(h);
  int n_half_edges = 0, n_met = 0;
  for (int face = 0; face < h->n_faces; face++) {
    if (h->start[face] == NONE) return false;
    h->begin[face] = n_half_edges;
    n_met += walk_ring(h, face, &n_half_edges);
    if (n_half_edges - h->begin[face] < 3) return false;
  }
  h->begin[h->n_faces] = n_half_edges;
  return n_met == n_borders && is_closed(h, n_half_edges);
}

// ---------------------------------------------------------------------------------------------------------------------
// The hull
// ---------------------------------------------------------------------------------------------------------------------

static void fill_faces(const polyhedron *h, const vec3 *corners, vec3 *normals, double *offsets, int *begin, int *ring)
{
  for (int i = 0; i < h->begin[h->n_faces]; i++) ring[i] = h->half_edges[i].from;
  memcpy(begin, h->begin, ((size_t)h->n_faces + 1) * sizeof *begin);
  for (int face = 0; face < h->n_faces; face++) {
    const vec3 first = corners[ring[begin[face]]];
    vec3 sum = vec3_zero;
    for (int i = begin[face] + 1; i + 1 < begin[face + 1]; i++)
      sum = add3(sum, cross3(sub3(corners[ring[i]], first), sub3(corners[ring[i + 1]], first)));
    const double length = norm3(sum);
    normals[face] = (vec3){sum.x / length, sum.y / length, sum.z / length}; // exactly 1 along an axis
    offsets[face] = -INFINITY;
    for (int i = begin[face]; i < begin[face + 1]; i++)
      offsets[face] = fmax(offsets[face], dot3(normals[face], corners[ring[i]]));
  }
}

static void fill_columns(const vec3 *corners, size_t n_corners, size_t n_padded, double *columns)
{
  for (size_t i = 0; i < n_padded; i++) {
    const vec3 at = corners[i < n_corners ? i : 0];
    columns[i] = at.x, columns[n_padded + i] = at.y, columns[2 * n_padded + i] = at.z;
  }
}

static void fill_fans(const srs_hull *hull, int *fan_begin, int *fan)
{
  const int n_ring = hull->face_begin[hull->n_faces];
  for (int i = 0; i <= hull->n_corners; i++) fan_begin[i] = 0;
  for (int i = 0; i < n_ring; i++) fan_begin[hull->face_corners[i]]++; // the sizes, then the ends, then the beginnings
  for (int i = 0; i < hull->n_corners; i++) fan_begin[i + 1] += fan_begin[i];
  for (int face = hull->n_faces - 1; face >= 0; face--)
    for (int i = hull->face_begin[face]; i < hull->face_begin[face + 1]; i++)
      fan[--fan_begin[hull->face_corners[i]]] = face;
}

static srs_hull *assemble(const polyhedron *h)
{
  const size_t n_corners = (size_t)h->n_corners, n_faces = (size_t)h->n_faces, n_ring = (size_t)h->begin[n_faces];
  const size_t n_padded = (n_corners + SRS_HULL_PADDING - 1) / SRS_HULL_PADDING * SRS_HULL_PADDING;
  const size_t n_nodes = (size_t)srs_face_tree_nodes(h->n_faces);
  srs_hull *hull =
      malloc(sizeof *hull + (n_corners + n_faces + n_padded) * sizeof(vec3) + n_faces * sizeof(double) +
             n_nodes * sizeof(srs_face_node) + (n_faces + 1 + n_corners + 1 + 4 * n_ring + n_faces) * sizeof(int));
  if (hull == NULL) return NULL;
  vec3 *corners = (vec3 *)(hull + 1), *normals = corners + n_corners;
  double *columns = (double *)(normals + n_faces), *offsets = columns + 3 * n_padded;
  srs_face_node *nodes = (srs_face_node *)(offsets + n_faces);
  int *begin = (int *)(nodes + n_nodes), *ring = begin + n_faces + 1, *fan_begin = ring + n_ring;
  int *fan = fan_begin + n_corners + 1, *edges = fan + n_ring, *order = edges + 2 * n_ring;
  for (int i = 0; i < h->n_points; i++)
    if (h->number[i] != NONE) corners[h->number[i]] = h->points[i];
  fill_columns(corners, n_corners, n_padded, columns);
  fill_faces(h, corners, normals, offsets, begin, ring);
  for (size_t i = 0; i < n_ring; i += 2) {
    const half_edge *e = &h->sorted[i];
    memcpy(edges + 2 * i, (int[4]){e[0].from, e[0].to, e[0].face, e[1].face}, 4 * sizeof(int));
  }
  *hull = (srs_hull){.n_corners = h->n_corners,
                     .n_faces = h->n_faces,
                     .n_edges = h->begin[n_faces] / 2,
                     .n_padded = (int)n_padded,
                     .corners = corners,
                     .columns = columns,
                     .normals = normals,
                     .offsets = offsets,
                     .face_begin = begin,
                     .face_corners = ring,
                     .fan_begin = fan_begin,
                     .fan = fan,
                     .edges = edges,
                     .tree = srs_face_tree_grow(h->n_faces, normals, offsets, order, nodes)};
  fill_fans(hull, fan_begin, fan);
  return hull;
}

static bool prepare(srs_arena *arena, polyhedron *h)
{
  const size_t n_points = (size_t)h->n_points, n = (size_t)h->n_triangles;
  h->by_area = srs_arena_take(arena, n, sizeof *h->by_area);
  h->region = srs_arena_take(arena, n, sizeof *h->region);
  h->stack = srs_arena_take(arena, n, sizeof *h->stack);
  h->n_borders = srs_arena_take(arena, n_points, sizeof *h->n_borders);
  h->number = srs_arena_take(arena, n_points, sizeof *h->number);
  h->start = srs_arena_take(arena, n, sizeof *h->start);
  h->begin = srs_arena_take(arena, n + 1, sizeof *h->begin);
  h->half_edges = srs_arena_take(arena, 3 * n, sizeof *h->half_edges);
  h->sorted = srs_arena_take(arena, 3 * n, sizeof *h->sorted);
  if (arena->failed) return false;
  for (int i = 0; i < h->n_triangles; i++) h->by_area[i] = (sized){h->triangles[i].area, i};
  qsort(h->by_area, n, sizeof *h->by_area, by_falling_area);
  return true;
}

static srs_status build(srs_arena *arena, const double *points, int n_given, srs_hull **hull, srs_error *error)
{
  vec3 *given = srs_arena_take(arena, (size_t)n_given, sizeof *given);
  vec3 *scaled = srs_arena_take(arena, (size_t)n_given, sizeof *scaled);
  if (arena->failed) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory");
  const int n_points = sort_points(points, n_given, given);
  const double extent = scale_points(given, n_points, scaled);
  srs_hull_triangle *triangles = NULL;
  const int n = srs_hull_triangulate(scaled, n_points, COPLANAR * extent, FLAT * extent, &triangles);
  if (n == 0)
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, NULL,
                    "the %d points of a hull span no volume: give four or more that do not lie in one plane", n_given);
  polyhedron h = {.points = given, .scaled = scaled, .triangles = triangles, .n_points = n_points, .n_triangles = n};
  if (n > 0 && prepare(arena, &h)) {
    const double tolerances[] = {COPLANAR * extent, 1e-3 * COPLANAR * extent, 1e-6 * COPLANAR * extent, -1};
    int k = 0;
    while (!merge(&h, tolerances[k]) && k < 3) k++; // the last cannot fail
    *hull = assemble(&h);
  }
  free(triangles);
  return *hull != NULL ? SRS_OK : srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory");
}

srs_status srs_hull_create(const double *points, int n_points, srs_hull **hull, srs_error *error)
{
  *hull = NULL;
  if (points == NULL || n_points < 4)
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, NULL, "a hull of %d points has no volume: give four or more",
                    n_points < 0 ? 0 : n_points);
  for (int i = 0; i < 3 * n_points; i++)
    if (!isfinite(points[i]))
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, NULL, "point %d of a hull is not finite", i / 3);
  srs_arena arena = {0};
  const srs_status status = build(&arena, points, n_points, hull, error);
  srs_arena_release(&arena);
  return status;
}
