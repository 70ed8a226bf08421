// Contact points between a convex solid and ground made of triangles.
//
// Seen along a normal n of the ground, two things of the solid matter: its supporting feature that faces n (outline.c)
// and its lowest height s(n) = min n . x. Three kinds of places take part, each with its own normals:
//
//   a triangle   its normal: points of the outline over it, by their heights;
//   a ridge      the arc from one triangle's normal to the other's, n = cos t N + sin t m with m in the first triangle
//                and across the edge: of these the one with the largest s. Where that is an end of the arc, the edge
//                bounds a flat part of that triangle and its contact points, the outline's crossings with it, count
//                with the triangle's; else they stand for themselves. Valleys and flat edges have no arc;
//   a corner     the normals n with n . e <= 0 for all edges e from it. If the way from it to the solid's surface is
//                one of these (point_distance.c), it is a contact point; inside the solid, the shortest way
//                out that is.
//
// So a solid over many triangles in one plane meets that plane alone, and moves from a face over a ridge to the next
// without a jump. An edge with one triangle only has an arc of 90 degrees.
//
// A contact point with gap < 0 claims that the solid is in the triangles of its place and must leave them. It is
// dropped in three cases:
//
//   - All of the solid is before a plane that these triangles are behind: that of a triangle nearby, or of a contact
//     point.
//   - The solid is before such a plane of a contact point once it has moved by less than this one asks for. Then that
//     one leads out of these triangles too: a box that stands on a table is not in the table's side.
//   - Neither of its points is in the other body, unless it is a triangle's and shallow, or a ridge's that goes through
//     the solid.
//
// And the solid is on the other side of a face if its middle is too deep behind it (terrain_build.h).
//
// Everything is computed in the terrain's frame.
#include "collision/terrain/terrain_contacts.h"
#include "collision/manifold/clip.h"
#include "collision/manifold/reduce.h"
#include "collision/shapes/point_distance.h"
#include "collision/shapes/ray.h"
#include "collision/shapes/support.h"
#include "collision/terrain/terrain_arc.h"
#include "collision/terrain/terrain_corner.h"
#include "collision/terrain/terrain_tree.h"
#include "collision/terrain/terrain_valley.h"

#include <string.h>

enum { MOST_WAYS = 64, KNOWN_CORNERS = 128 };

static const double SLACK = 1e-9, NEAR = 1e-6; // of the solid's radius
static const double SHALLOW = 0.02;            // of the solid's radius
static const double BESIDE = 0.05;             // of a contact point's depth
static const double ALONG = 0.999;             // cosine: a face that lies along an edge

// The contact points of one place of the ground. With s = -depth its normal and b are a plane that all of the solid is
// before once it has moved by depth, if none of it is lower than the contact points.
typedef struct way_out {
  int first, n;         // of the contact points put out
  const int *triangles; // n_triangles that the place belongs to; NULL: pair
  int n_triangles, pair[2];
  vec3 normal, b;
  double depth; // of the deepest contact point
} way_out;

// What the solid meets at corners asked about before: each triangle around a corner asks.
typedef struct known_corners {
  int points[KNOWN_CORNERS]; // -1: none
  bool is_met[KNOWN_CORNERS];
  vec3 n[KNOWN_CORNERS];
  double gap[KNOWN_CORNERS];
} known_corners;

typedef struct query {
  const srs_terrain *terrain;
  const srs_placed *pose;
  srs_placed solid; // seen from the terrain
  double margin, slack;
  srs_touch *touches;
  int room, n;
  // What is known of the solid along one normal; has_facing, has_height: whether facing, middle and half are.
  vec3 normal;
  bool has_facing, has_height;
  srs_outline facing;
  double lowest, middle, half; // n . x
  srs_manifold flat;           // of the flat part at hand
  way_out ways[MOST_WAYS];     // those beyond are not compared
  int n_ways;
  srs_known_places known;
  known_corners corners;
} query;

typedef struct edge {
  int triangle, k, other; // whose corner k it starts at; beyond: other, or -1
  vec3 from, to;
  int from_point, to_point;
} edge;

static bool same(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void look_along(query *q, vec3 n)
{
  if (same(n, q->normal)) return;
  q->normal = n;
  q->has_facing = q->has_height = false;
  q->lowest = dot3(n, srs_solid_support(&q->solid, scale3(-1, n)));
}

// The outline as last looked at.
static void find_facing(query *q)
{
  if (!q->has_facing) srs_solid_outline(&q->solid, scale3(-1, q->normal), &q->facing);
  q->has_facing = true;
}

static void find_height(query *q)
{
  if (q->has_height) return;
  const double highest = dot3(q->normal, srs_solid_support(&q->solid, q->normal));
  q->middle = 0.5 * (q->lowest + highest);
  q->half = 0.5 * (highest - q->lowest);
  q->has_height = true;
}

// Whether the solid as last looked at is near a plane with that normal, on its front side.
static bool is_before_plane(query *q, double offset)
{
  if (q->lowest - offset > q->margin) return false;
  find_height(q);
  return q->middle - offset >= -0.5 * q->half - q->terrain->thickness;
}

static void put_out(query *q, const srs_touch *touch)
{
  if (q->n < q->room) {
    srs_touch *out = &q->touches[q->n];
    *out = *touch;
    out->a = add3(q->pose->origin, rotate(q->pose->axes, touch->a));
    out->b = add3(q->pose->origin, rotate(q->pose->axes, touch->b));
    out->normal = rotate(q->pose->axes, touch->normal);
  }
  q->n++;
}

// Notes the contact points of one place that were put out last. NULL: no room.
static way_out *note_way(query *q, const srs_touch *touches, int n)
{
  const srs_touch *deepest = &touches[0];
  for (int i = 1; i < n; i++)
    if (touches[i].gap < deepest->gap) deepest = &touches[i];
  if (q->n_ways == MOST_WAYS) return NULL;
  way_out *way = &q->ways[q->n_ways++];
  *way = (way_out){.first = q->n - n, .n = n, .normal = deepest->normal, .b = deepest->b, .depth = -deepest->gap};
  return way;
}

// A contact point of an edge or corner, of one or two triangles.
static void put_out_alone(query *q, const srs_touch *touch, const int pair[2], int n_triangles)
{
  put_out(q, touch);
  way_out *way = note_way(q, touch, 1);
  if (way != NULL) way->n_triangles = n_triangles, way->pair[0] = pair[0], way->pair[1] = pair[1];
}

static void finish_flat(query *q, const int *triangles, int n_triangles)
{
  const int n = srs_manifold_reduce(q->flat.touches, q->flat.n);
  for (int i = 0; i < n; i++) put_out(q, &q->flat.touches[i]);
  way_out *way = n > 0 ? note_way(q, q->flat.touches, n) : NULL;
  if (way != NULL) way->triangles = triangles, way->n_triangles = n_triangles;
  q->flat.n = 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Triangles
// ---------------------------------------------------------------------------------------------------------------------

// Whether a contact point with gap < 0 is where the two overlap: its point a of the solid in the ground or its point b
// of the ground in the solid, or nearly. a is out of the ground if it would have to come in again on its way to b, or
// if the way from b along -n does not go in (at a sharp edge).
static bool is_overlap(const query *q, vec3 a, vec3 b, vec3 n, double gap, bool goes_in)
{
  double length = -gap - q->slack;
  if (goes_in && srs_terrain_first_met(q->terrain, a, n, &length) < 0) return true;
  vec3 normal;
  return srs_solid_distance(&q->solid, b, &normal) <= -BESIDE * gap;
}

static bool is_shallow(const query *q, double gap) { return -gap <= SHALLOW * q->solid.solid->radius; }

// Whether an edge of the ground goes through the solid.
static bool goes_through(const query *q, const edge *e)
{
  const vec3 along = sub3(e->to, e->from);
  const double length = norm3(along);
  double distance;
  vec3 normal;
  return srs_solid_cast_ray(&q->solid, e->from, scale3(1 / length, along), length, &distance, &normal) ||
         srs_solid_distance(&q->solid, e->from, &normal) < 0;
}

static bool is_over_triangle(const query *q, int t, vec3 p)
{
  for (int k = 0; k < 3; k++) {
    const vec3 from = terrain_corner(q->terrain, t, k), along = sub3(terrain_corner(q->terrain, t, k + 1), from);
    const vec3 out = cross3(along, q->terrain->normals[t]);
    if (dot3(out, sub3(p, from)) > q->slack * norm3(along)) return false;
  }
  return true;
}

static void meet_triangle(query *q, int t)
{
  const srs_terrain *terrain = q->terrain;
  const vec3 n = terrain->normals[t], corner = terrain_corner(terrain, t, 0);
  look_along(q, n);
  if (!is_before_plane(q, dot3(n, corner))) return;
  q->flat.normal = n;
  find_facing(q);
  for (int i = 0; i < q->facing.n; i++) {
    const vec3 p = q->facing.points[i];
    const double gap = dot3(n, sub3(p, corner));
    if (gap > q->margin) continue;
    if (!is_over_triangle(q, t, p) &&
        !srs_terrain_is_across_valley(terrain, t, p, gap, q->margin, q->slack, q->facing.names[i], &q->known))
      continue;
    const vec3 b = add_scaled3(p, -gap, n);
    if (gap < 0 && !is_shallow(q, gap)) {
      if (terrain_is_beside(terrain, p, q->slack) || !is_overlap(q, p, b, n, gap, true)) continue;
    }
    srs_manifold_add(&q->flat, p, b,
                     srs_contact_feature(SRS_FEATURE_POINT_OF_A, q->facing.names[i], terrain->group[t]));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Corners
// ---------------------------------------------------------------------------------------------------------------------

static bool is_known_met(query *q, int point, vec3 *n, double *gap)
{
  known_corners *c = &q->corners;
  const int k = point % KNOWN_CORNERS;
  if (c->points[k] != point)
    c->points[k] = point,
    c->is_met[k] = srs_corner_is_met(q->terrain, point, &q->solid, q->margin, &c->n[k], &c->gap[k]);
  *n = c->n[k], *gap = c->gap[k];
  return c->is_met[k];
}

static void meet_corner(query *q, int t, int point)
{
  const srs_terrain *terrain = q->terrain;
  const vec3 p = terrain->points[point];
  vec3 n;
  double gap;
  if (!terrain->is_sharp[point] || !is_known_met(q, point, &n, &gap)) return;
  int face = -1; // of the fan, whose normal it is
  for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1] && face < 0; i++)
    if (norm3(sub3(n, terrain->normals[terrain->fan[i]])) <= SRS_ARC_END) face = terrain->fan[i];
  const uint32_t feature = srs_contact_feature(SRS_FEATURE_POINT_OF_B, 0, point);
  const vec3 a = add_scaled3(p, gap, n);
  if (face == t) {
    q->flat.normal = terrain->normals[t];
    srs_manifold_add(&q->flat, a, p, feature);
  } else if (face < 0 && terrain->fan[terrain->fan_begin[point]] == t) {
    const srs_touch touch = {a, p, n, gap, feature};
    put_out(q, &touch);
    way_out *way = note_way(q, &touch, 1);
    if (way == NULL) return;
    way->triangles = terrain->fan + terrain->fan_begin[point];
    way->n_triangles = terrain->fan_begin[point + 1] - terrain->fan_begin[point];
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Ridges
// ---------------------------------------------------------------------------------------------------------------------

static edge edge_of(const srs_terrain *terrain, int t, int k)
{
  const int *corners = terrain->corners + 3 * (size_t)t;
  const int from = corners[k], to = corners[k < 2 ? k + 1 : 0];
  return (edge){t, k, terrain->across[3 * (size_t)t + (size_t)k], terrain->points[from], terrain->points[to], from, to};
}

// The same edge as the triangle with the lower number has it.
static edge first_edge(const srs_terrain *terrain, edge e)
{
  if (e.other < 0 || e.triangle < e.other) return e;
  int k = 0;
  while (terrain->corners[3 * (size_t)e.other + (size_t)k] != e.to_point) k++;
  return edge_of(terrain, e.other, k);
}

static srs_arc arc_of(const query *q, const edge *e)
{
  const vec3 *normals = q->terrain->normals, start = normals[e->triangle], along = sub3(e->to, e->from);
  const vec3 across = scale3(1 / norm3(along), cross3(along, start));
  srs_arc c = {&q->solid, start, across, e->from, 0.5 * 3.14159265358979323846, q->margin};
  if (e->other >= 0) c.end = atan2(dot3(normals[e->other], across), dot3(normals[e->other], start));
  return c;
}

// The normal along which the solid meets the edge near a peak.
static srs_arc_place edge_normal(const query *q, const edge *e, const srs_arc *c, const srs_arc_point *at, int peak,
                                 vec3 *n)
{
  double t = c->end;
  const srs_arc_place place = srs_arc_peak(c, at, peak, &t);
  const bool is_open = e->other < 0;
  if (place == SRS_ARC_FIRST)
    *n = c->start;
  else if (place == SRS_ARC_OTHER)
    *n = is_open ? c->across : q->terrain->normals[e->other];
  else
    *n = add3(scale3(cos(t), c->start), scale3(sin(t), c->across));
  return place == SRS_ARC_OTHER && is_open ? SRS_ARC_BETWEEN : place;
}

static void set_edge_outline(const edge *e, srs_outline *o)
{
  o->kind = SRS_OUTLINE_SEGMENT;
  o->n = 2;
  o->points[0] = o->line[0] = e->from;
  o->points[1] = o->line[1] = e->to;
  o->names[0] = e->from_point;
  o->names[1] = e->to_point;
  o->name = o->first_edge = 3 * e->triangle + e->k;
  o->solid = NULL;
}

// A point of the outline straight over the edge.
static void add_point_over_edge(const query *q, const edge *e, int i, srs_manifold *manifold)
{
  const vec3 along = sub3(e->to, e->from), p = q->facing.points[i], r = sub3(p, e->from);
  const double length = norm3(along), t = dot3(r, along) / (length * length);
  const double beside = fabs(dot3(cross3(manifold->normal, along), r)) / length;
  if (beside > manifold->near || t * length < -q->slack || (t - 1) * length > q->slack) return;
  const uint32_t feature = srs_contact_feature(SRS_FEATURE_CROSSING, q->facing.names[i], 3 * e->triangle + e->k);
  srs_manifold_add(manifold, p, add_scaled3(e->from, t, along), feature);
}

// A generator crosses the edge, or runs along it.
static void add_generator(const query *q, const edge *e, srs_manifold *manifold)
{
  const vec3 n = manifold->normal, *g = q->facing.line;
  const vec3 u = sub3(g[1], g[0]), v = sub3(e->to, e->from), r = sub3(e->from, g[0]);
  const double turn = dot3(n, cross3(u, v)), size = norm3(u) * norm3(v);
  if (fabs(turn) > 1e-9 * size) {
    const double s = dot3(n, cross3(r, v)) / turn, t = dot3(n, cross3(r, u)) / turn;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      const uint32_t feature = srs_contact_feature(SRS_FEATURE_CROSSING, q->facing.name, 3 * e->triangle + e->k);
      srs_manifold_add(manifold, add_scaled3(g[0], s, u), add_scaled3(e->from, t, v), feature);
      return;
    }
  }
  for (int i = 0; i < 2; i++) add_point_over_edge(q, e, i, manifold);
  if (fabs(turn) > 1e-9 * size) return;
  const vec3 ends[2] = {e->from, e->to};
  const int names[2] = {e->from_point, e->to_point};
  for (int i = 0; i < 2; i++) {
    const double s = dot3(sub3(ends[i], g[0]), u) / dot3(u, u);
    const vec3 a = add_scaled3(g[0], s, u), apart = sub3(a, ends[i]);
    if (s < 0 || s > 1 || norm3(cross3(apart, n)) > manifold->near) continue;
    srs_manifold_add(manifold, a, ends[i], srs_contact_feature(SRS_FEATURE_POINT_OF_B, 0, names[i]));
  }
}

// Whether a contact point of the edge is another place's: a corner's, or that of a face around its ends.
static bool is_elsewhere(query *q, const edge *e, const srs_touch *touch)
{
  const bool is_end = touch->feature >> 30 == SRS_FEATURE_POINT_OF_B;
  vec3 n;
  double gap;
  if (is_end) {
    const int point = same(touch->b, e->from) ? e->from_point : e->to_point;
    if (!q->terrain->is_sharp[point] || is_known_met(q, point, &n, &gap)) return true;
  }
  if (touch->gap >= 0) return false;
  const bool is_face = srs_outline_is_area(&q->facing);
  if (is_end && is_face && -dot3(q->facing.normal, touch->normal) < ALONG) return true;
  const vec3 *normals = q->terrain->normals;
  const bool goes_in =
      dot3(touch->normal, normals[e->triangle]) > 0 && (e->other < 0 || dot3(touch->normal, normals[e->other]) > 0);
  const bool is_ours = -touch->gap <= q->flat.near || goes_through(q, e) ||
                       (!terrain_is_beside(q->terrain, touch->a, q->slack) &&
                        is_overlap(q, touch->a, touch->b, touch->normal, touch->gap, goes_in));
  return !is_ours;
}

// The outline's contact points with the edge along a normal.
static void cross_outline(const query *q, const edge *e, srs_manifold *manifold)
{
  if (q->facing.kind == SRS_OUTLINE_POINT) {
    add_point_over_edge(q, e, 0, manifold);
  } else if (q->facing.kind == SRS_OUTLINE_SEGMENT) {
    add_generator(q, e, manifold);
  } else {
    srs_outline on_edge;
    set_edge_outline(e, &on_edge);
    srs_clip(&q->facing, &on_edge, q->slack, manifold);
    for (int i = 0; i < q->facing.n; i++) add_point_over_edge(q, e, i, manifold);
  }
}

// Along one normal; is_of_flat: which is that of the triangle at hand.
static void meet_edge_along(query *q, const edge *e, vec3 n, bool is_of_flat)
{
  look_along(q, n);
  if (!is_before_plane(q, dot3(n, e->from))) return;
  find_facing(q);
  srs_manifold manifold;
  manifold.n = 0, manifold.normal = n, manifold.least = -INFINITY, manifold.margin = q->margin,
  manifold.near = q->flat.near;
  cross_outline(q, e, &manifold);
  q->flat.normal = n;
  for (int i = 0; i < manifold.n; i++) {
    const srs_touch *touch = &manifold.touches[i];
    if (is_elsewhere(q, e, touch)) continue;
    if (is_of_flat)
      srs_manifold_add(&q->flat, touch->a, touch->b, touch->feature);
    else
      put_out_alone(q, touch, (const int[2]){e->triangle, e->other}, e->other >= 0 ? 2 : 1);
  }
}

static void meet_edge(query *q, int t, int k)
{
  const srs_terrain *terrain = q->terrain;
  const int kind = terrain->edges[3 * (size_t)t + (size_t)k];
  if (kind == SRS_EDGE_FLAT || kind == SRS_EDGE_VALLEY) return;
  const edge e = first_edge(terrain, edge_of(terrain, t, k));
  const vec3 along = sub3(e.to, e.from), centre = add3(q->solid.origin, rotate(q->solid.axes, q->solid.solid->centre));
  const double at = fmin(fmax(dot3(sub3(centre, e.from), along) / dot3(along, along), 0), 1);
  if (norm3(sub3(centre, add_scaled3(e.from, at, along))) > q->solid.solid->radius + q->margin) return;
  const srs_arc c = arc_of(q, &e);
  srs_arc_point samples[SRS_ARC_SAMPLES + 1];
  if (!srs_arc_look(&c, samples)) return;
  for (int i = 0; i <= SRS_ARC_SAMPLES; i++) {
    if (!srs_arc_has_peak(samples, i)) continue;
    vec3 n;
    const srs_arc_place place = edge_normal(q, &e, &c, samples, i, &n);
    const bool is_of_flat = (place == SRS_ARC_FIRST && e.triangle == t) || (place == SRS_ARC_OTHER && e.other == t);
    if (is_of_flat || (place == SRS_ARC_BETWEEN && e.triangle == t)) meet_edge_along(q, &e, n, is_of_flat);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The terrain
// ---------------------------------------------------------------------------------------------------------------------

static bool comes_before(const srs_terrain *terrain, int t, int u)
{
  return terrain->group[t] != terrain->group[u] ? terrain->group[t] < terrain->group[u] : t < u;
}

static void sort_by_group(const srs_terrain *terrain, int *triangles, int n)
{
  int gap = 1;
  while (gap < n / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3)
    for (int i = gap; i < n; i++) {
      const int t = triangles[i];
      int k = i;
      for (; k >= gap && comes_before(terrain, t, triangles[k - gap]); k -= gap) triangles[k] = triangles[k - gap];
      triangles[k] = t;
    }
}

static int find_near(const query *q, int *triangles)
{
  const srs_terrain *terrain = q->terrain;
  const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double low[3], high[3];
  const double grown = q->margin + terrain->thickness + q->slack;
  for (int i = 0; i < 3; i++) {
    high[i] = dot3(axes[i], srs_solid_support(&q->solid, axes[i])) + grown;
    low[i] = dot3(axes[i], srs_solid_support(&q->solid, scale3(-1, axes[i]))) - grown;
  }
  const vec3 from = vec3_load(low), to = vec3_load(high);
  int n = 0;
  for (int i = 0; i < terrain->n_nodes;) {
    const srs_terrain_node *node = &terrain->nodes[i];
    if (!terrain_node_meets(node, from, to)) {
      i = node->skip;
      continue;
    }
    for (int k = 0; k < node->n; k++) triangles[n++] = node->first + k;
    i++;
  }
  sort_by_group(terrain, triangles, n);
  return n;
}

static bool is_behind(const query *q, const way_out *way, vec3 normal, vec3 point)
{
  const int *triangles = way->triangles != NULL ? way->triangles : way->pair;
  for (int i = 0; i < way->n_triangles; i++)
    for (int k = 0; k < 3; k++)
      if (dot3(normal, sub3(terrain_corner(q->terrain, triangles[i], k), point)) > q->slack) return false;
  return true;
}

// How high all of the solid is over a plane.
static double height_over(query *q, vec3 normal, vec3 point)
{
  look_along(q, normal);
  return q->lowest - dot3(normal, point);
}

// Marks places whose triangles the solid is not in, or leaves by less than they ask for.
static void find_longer_ways(query *q, const int *near, int n_near, bool is_longer[MOST_WAYS])
{
  for (int i = 0; i < n_near; i++) {
    const vec3 normal = q->terrain->normals[near[i]], point = terrain_corner(q->terrain, near[i], 0);
    if (height_over(q, normal, point) < -q->slack) continue;
    for (int k = 0; k < q->n_ways; k++)
      if (!is_longer[k] && q->ways[k].depth > q->slack) is_longer[k] = is_behind(q, &q->ways[k], normal, point);
  }
  for (int m = 0; m < q->n_ways; m++) {
    const way_out *way = &q->ways[m];
    if (height_over(q, way->normal, way->b) < -way->depth - q->slack) continue;
    for (int k = 0; k < q->n_ways; k++)
      if (!is_longer[k] && q->ways[k].depth > fmax(way->depth, 0) + q->slack)
        is_longer[k] = is_behind(q, &q->ways[k], way->normal, way->b);
  }
}

static void drop_longer_ways(query *q, const int *near, int n_near)
{
  bool is_longer[MOST_WAYS] = {false}, overlaps = false;
  for (int k = 0; k < q->n_ways; k++) overlaps = overlaps || q->ways[k].depth > q->slack;
  if (!overlaps || q->n > q->room) return;
  find_longer_ways(q, near, n_near, is_longer);
  int kept = 0, k = 0;
  for (int i = 0; i < q->n; i++) {
    while (k < q->n_ways && i >= q->ways[k].first + q->ways[k].n) k++;
    if (k == q->n_ways || !is_longer[k]) q->touches[kept++] = q->touches[i];
  }
  q->n = kept;
}

size_t srs_terrain_scratch_size(const srs_terrain *terrain) { return (size_t)terrain->n_triangles * sizeof(int); }

int srs_terrain_touches(const srs_terrain *terrain, void *scratch, const srs_placed *solid, const srs_placed *pose,
                        double margin, srs_touch *touches, int room)
{
  query q;
  q.terrain = terrain;
  q.pose = pose;
  q.solid.solid = solid->solid;
  q.solid.axes = mul3(transpose3(pose->axes), solid->axes);
  q.solid.origin = rotate_back(pose->axes, sub3(solid->origin, pose->origin));
  q.margin = margin;
  q.slack = SLACK * solid->solid->radius;
  q.touches = touches;
  q.room = room;
  q.n = q.n_ways = 0;
  for (int i = 0; i < KNOWN_CORNERS; i++) q.corners.points[i] = -1;
  memset(q.known.is_known, 0, sizeof q.known.is_known);
  q.normal = vec3_zero;
  q.has_facing = q.has_height = false;
  q.flat.n = 0;
  q.flat.margin = margin;
  q.flat.least = -INFINITY;
  q.flat.near = NEAR * solid->solid->radius;
  int *near = scratch;
  const int n = find_near(&q, near);
  for (int i = 0, begin = 0; i < n; i++) {
    const int t = near[i];
    meet_triangle(&q, t);
    for (int k = 0; k < 3; k++) meet_edge(&q, t, k);
    for (int k = 0; k < 3; k++) meet_corner(&q, t, terrain->corners[3 * (size_t)t + (size_t)k]);
    if (i + 1 < n && terrain->group[near[i + 1]] == terrain->group[t]) continue;
    finish_flat(&q, near + begin, i + 1 - begin);
    begin = i + 1;
  }
  drop_longer_ways(&q, near, n);
  return q.n;
}
