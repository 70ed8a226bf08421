// Quickhull: the triangles that enclose a set of points.
//
// It starts from a tetrahedron. Every point outside is stored with one facet that it can see. As long as a facet has
// such points, its farthest one (the eye) becomes a corner of the hull: the facets that the eye strictly sees are
// removed, and new ones join it to the closed line of edges around them, the horizon. What an eye sees is decided
// exactly (orient.c), so the hull is convex at every moment, whatever lies in one plane or on one line: the facets seen
// are one piece, the horizon is one ring, and an eye is never on the line of a horizon edge. (A facet in whose plane
// the eye lies counts as not seen; an edge in line with the eye has such facets on both sides, or none.) Rounded
// distances only choose the farthest point, and which points to leave out for standing out too little.
#include "topology/mesh/hull_triangles.h"
#include "topology/mesh/orient.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

typedef struct facet {
  srs_hull_triangle t;
  int outside; // first of the points kept here
  int farthest;
  double distance; // of the farthest
  bool is_alive, is_seen, is_waiting;
} facet;

typedef struct ring_edge {
  int from, to, beyond; // beyond: the facet that stays
} ring_edge;

// One place of several lists, each at most as long as there are facets.
typedef struct list_place {
  int free, waiting, seen, fresh; // facets
  ring_edge ring;
} list_place;

typedef struct hull_work {
  const vec3 *points;
  int n_points;
  double tolerance;
  int *next;     // n_points: the next kept with the same facet
  int *at_start; // n_points: the new facet whose horizon edge starts there
  facet *facets; // capacity
  list_place *lists;
  int capacity, n_facets, n_free, n_waiting, n_seen, n_ring; // the ring has as many fresh facets as edges
} hull_work;

static bool grow(hull_work *w)
{
  const size_t capacity = 2 * (size_t)w->capacity + 64;
  if (capacity > INT_MAX) return false;
  facet *facets = realloc(w->facets, capacity * sizeof *facets);
  if (facets == NULL) return false;
  w->facets = facets;
  list_place *lists = realloc(w->lists, capacity * sizeof *lists);
  if (lists == NULL) return false;
  w->lists = lists;
  w->capacity = (int)capacity;
  return true;
}

// Index of a new facet a b c without neighbours, NONE when out of memory.
static int add_facet(hull_work *w, int a, int b, int c)
{
  if (w->n_free == 0 && w->n_facets == w->capacity && !grow(w)) return NONE;
  const bool is_new = w->n_free == 0;
  const int index = is_new ? w->n_facets++ : w->lists[--w->n_free].free;
  const vec3 *p = w->points, u = sub3(p[b], p[a]), v = sub3(p[c], p[b]), z = sub3(p[a], p[c]);
  // From the two shorter sides: the rounding error is smallest there.
  const double uu = dot3(u, u), vv = dot3(v, v), zz = dot3(z, z);
  const vec3 n = uu >= vv && uu >= zz ? cross3(v, z) : vv >= zz ? cross3(z, u) : cross3(u, v);
  const double length = norm3(n);
  const vec3 normal = length > 0 ? scale3(1 / length, n) : vec3_zero;
  facet *f = &w->facets[index];
  *f = (facet){.t = {{a, b, c}, {NONE, NONE, NONE}, normal, dot3(normal, p[a]), 0.5 * length},
               .outside = NONE,
               .farthest = NONE,
               .is_alive = true,
               .is_waiting = !is_new && f->is_waiting};
  return index;
}

static bool sees(const hull_work *w, const facet *f, int point)
{
  const int *v = f->t.corners;
  return srs_orient(w->points[v[0]], w->points[v[1]], w->points[v[2]], w->points[point]) > 0;
}

// Keeps the point with the facet if that sees it from farther than the tolerance.
static bool keep_outside(hull_work *w, int point, int index)
{
  facet *f = &w->facets[index];
  const double distance = dot3(f->t.normal, w->points[point]) - f->t.offset;
  if (distance <= w->tolerance || !sees(w, f, point)) return false;
  w->next[point] = f->outside;
  f->outside = point;
  if (f->farthest == NONE || distance > f->distance || (distance == f->distance && point < f->farthest)) {
    f->farthest = point;
    f->distance = distance;
  }
  if (!f->is_waiting) w->lists[w->n_waiting++].waiting = index;
  f->is_waiting = true;
  return true;
}

// The facets that the eye sees, from one of them on, and the ring around them.
static void look_around(hull_work *w, int eye, int first)
{
  w->n_seen = w->n_ring = 0;
  w->lists[w->n_seen++].seen = first;
  w->facets[first].is_seen = true;
  for (int i = 0; i < w->n_seen; i++)
    for (int k = 0; k < 3; k++) {
      const int across = w->facets[w->lists[i].seen].t.across[k];
      facet *g = &w->facets[across];
      if (g->is_seen || !sees(w, g, eye)) continue;
      g->is_seen = true;
      w->lists[w->n_seen++].seen = across;
    }
  for (int i = 0; i < w->n_seen; i++)
    for (int k = 0; k < 3; k++) {
      const srs_hull_triangle *t = &w->facets[w->lists[i].seen].t;
      if (w->facets[t->across[k]].is_seen) continue;
      w->lists[w->n_ring++].ring = (ring_edge){t->corners[k], t->corners[(k + 1) % 3], t->across[k]};
    }
}

static void link_back(facet *f, int from, int neighbour)
{
  for (int k = 0; k < 3; k++)
    if (f->t.corners[k] == from) f->t.across[k] = neighbour;
}

// Joins the ring to the eye by fresh facets; false when out of memory.
static bool join_ring(hull_work *w, int eye)
{
  for (int i = 0; i < w->n_ring; i++) {
    const ring_edge e = w->lists[i].ring;
    const int index = add_facet(w, e.from, e.to, eye);
    if (index == NONE) return false;
    w->lists[i].fresh = index;
    w->facets[index].t.across[0] = e.beyond;
    link_back(&w->facets[e.beyond], e.to, index);
    w->at_start[e.from] = index;
  }
  for (int i = 0; i < w->n_ring; i++) {
    const int index = w->lists[i].fresh, after = w->at_start[w->lists[i].ring.to];
    w->facets[index].t.across[1] = after;
    w->facets[after].t.across[2] = index;
  }
  return true;
}

// The farthest point of a facet becomes a corner.
static bool add_eye(hull_work *w, int first)
{
  const int eye = w->facets[first].farthest;
  look_around(w, eye, first);
  if (!join_ring(w, eye)) return false;
  for (int i = 0; i < w->n_seen; i++) {
    const int index = w->lists[i].seen;
    for (int point = w->facets[index].outside, next; point != NONE; point = next) {
      next = w->next[point];
      for (int k = 0; point != eye && k < w->n_ring; k++)
        if (keep_outside(w, point, w->lists[k].fresh)) break;
    }
    w->facets[index].is_alive = false;
    w->lists[w->n_free++].free = index;
  }
  return true;
}

// Four points that span a volume, the first three counter-clockwise seen from away from the fourth.
static bool find_tetrahedron(const vec3 *p, int n, double flat, int corner[4])
{
  double far[3] = {flat, flat, flat};
  corner[0] = 0;
  corner[1] = corner[2] = corner[3] = NONE;
  for (int i = 0; i < n; i++) {
    const double distance = norm3(sub3(p[i], p[0]));
    if (distance > far[0]) corner[1] = i, far[0] = distance;
  }
  if (corner[1] == NONE) return false;
  const vec3 along = scale3(1 / far[0], sub3(p[corner[1]], p[0]));
  for (int i = 0; i < n; i++) {
    const double distance = norm3(cross3(along, sub3(p[i], p[0])));
    if (distance > far[1]) corner[2] = i, far[1] = distance;
  }
  if (corner[2] == NONE) return false;
  const vec3 across = cross3(along, sub3(p[corner[2]], p[0])), normal = scale3(1 / norm3(across), across);
  for (int i = 0; i < n; i++) {
    const double distance = fabs(dot3(normal, sub3(p[i], p[0])));
    if (distance > far[2]) corner[3] = i, far[2] = distance;
  }
  if (corner[3] == NONE) return false;
  const int side = srs_orient(p[0], p[corner[1]], p[corner[2]], p[corner[3]]);
  if (side > 0) {
    const int other = corner[1];
    corner[1] = corner[2];
    corner[2] = other;
  }
  return side != 0;
}

static bool start(hull_work *w, const int c[4])
{
  const int sides[4][3] = {{c[0], c[1], c[2]}, {c[0], c[3], c[1]}, {c[1], c[3], c[2]}, {c[2], c[3], c[0]}};
  const int across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int i = 0; i < 4; i++) {
    if (add_facet(w, sides[i][0], sides[i][1], sides[i][2]) == NONE) return false;
    memcpy(w->facets[i].t.across, across[i], sizeof across[i]);
  }
  for (int point = 0; point < w->n_points; point++) {
    if (point == c[0] || point == c[1] || point == c[2] || point == c[3]) continue;
    for (int i = 0; i < 4; i++)
      if (keep_outside(w, point, i)) break;
  }
  return true;
}

static int gather(const hull_work *w, srs_hull_triangle **triangles)
{
  int n = 0;
  for (int i = 0; i < w->n_facets; i++) // their numbers after the dead ones are gone
    if (w->facets[i].is_alive) w->lists[i].fresh = n++;
  srs_hull_triangle *out = malloc((size_t)n * sizeof *out);
  if (out == NULL) return -1;
  for (int i = 0; i < w->n_facets; i++) {
    if (!w->facets[i].is_alive) continue;
    srs_hull_triangle *t = &out[w->lists[i].fresh];
    *t = w->facets[i].t;
    for (int k = 0; k < 3; k++) t->across[k] = w->lists[t->across[k]].fresh;
  }
  *triangles = out;
  return n;
}

int srs_hull_triangulate(const vec3 *points, int n_points, double tolerance, double flat, srs_hull_triangle **triangles)
{
  int corner[4];
  *triangles = NULL;
  if (n_points < 4 || !find_tetrahedron(points, n_points, flat, corner)) return 0;
  hull_work w = {.points = points, .n_points = n_points, .tolerance = tolerance};
  w.next = malloc((size_t)n_points * sizeof *w.next);
  w.at_start = malloc((size_t)n_points * sizeof *w.at_start);
  bool is_done = w.next != NULL && w.at_start != NULL && start(&w, corner);
  while (is_done && w.n_waiting > 0) {
    const int index = w.lists[--w.n_waiting].waiting;
    w.facets[index].is_waiting = false;
    if (w.facets[index].is_alive && w.facets[index].outside != NONE) is_done = add_eye(&w, index);
  }
  const int n = is_done ? gather(&w, triangles) : -1;
  free(w.next);
  free(w.at_start);
  free(w.facets);
  free(w.lists);
  return n;
}
