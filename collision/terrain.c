// How does a convex solid touch ground made of triangles?
//
// Seen along a normal n of the ground, what matters of the solid is the part of its surface that faces n (outline.c)
// and its lowest height s(n) = min n . x over it. Three kinds of places take part, each with its own normals:
//
//   a triangle   its normal: points of the outline over it, by their heights;
//   a ridge      the arc from one triangle's normal to the other's, n = cos t N + sin t m with m in the first triangle
//                and across the edge: of these the one with the largest s. Where that is an end of the arc the edge
//                bounds a patch of that triangle and its nodes, the outline's crossings with it, count with the
//                triangle's; else they stand for themselves. Valleys and flat edges have no arc;
//   a corner     the normals n with n . e <= 0 for all edges e from it. If the way from it to the solid's surface is
//                one of these (nearest.c), it is a node.
//
// So a solid over many triangles in one plane sees that plane alone, and moves from a face over a ridge to the next
// without a jump. An edge with one triangle only has an arc of 90 degrees.
//
// A node behind a triangle's plane is none of it if the solid's way out through another triangle is shorter, one that
// meets it in a convex corner: a box that stands on a table is not in the table's side. Nor is one if neither of its
// points is in the other body, unless it is shallow and a triangle's, or a ridge's that goes through the solid. And the
// solid is on a face's other side if its middle is too deep behind it (terrain.h). Among shards as sharp and as small
// as the solid these rules can be wrong in an overlap (docs/scene.md tells how often).
//
// Everything is computed in the terrain's frame.
#include "collision/clip.h"
#include "collision/nearest.h"
#include "collision/ray.h"
#include "collision/terrain_mesh.h"

enum { ARC_SAMPLES = 8, ARC_STEPS = 60 };

static const double SLACK = 1e-9, NEAR = 1e-6; // of the solid's radius
static const double ARC_END = 1e-7;            // rad: nearer than this to an end of an arc is at it
static const double SHALLOW = 0.02;            // of the solid's radius
static const double BESIDE = 0.05;             // of a node's depth
static const double ALONG = 0.999;             // cosine: a face that lies along an edge

typedef struct query {
  const srs_terrain *terrain;
  const srs_placed *pose;
  srs_placed solid; // seen from the terrain
  double margin, slack;
  srs_touch *touches;
  int room, n;
  // What is known of the solid along one normal.
  vec3 normal;
  srs_outline facing;
  double lowest, middle, half; // n . x
  srs_nodes patch;             // of the flat part at hand
} query;

typedef struct edge {
  int triangle, k, other; // whose corner k it starts at; beyond: other, or -1
  vec3 from, to;
  int from_point, to_point;
} edge;

typedef enum arc_place { AT_FIRST, BETWEEN, AT_OTHER, APART } arc_place;

static bool same(vec3 a, vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void look_along(query *q, vec3 n)
{
  if (same(n, q->normal)) return;
  q->normal = n;
  srs_solid_outline(&q->solid, scale3(-1, n), &q->facing);
  q->lowest = dot3(n, srs_solid_support(&q->solid, scale3(-1, n)));
  const double highest = dot3(n, srs_solid_support(&q->solid, n));
  q->middle = 0.5 * (q->lowest + highest);
  q->half = 0.5 * (highest - q->lowest);
}

// Whether the solid as last looked at is near a plane with that normal, on its front side.
static bool is_before_plane(const query *q, double offset)
{
  return q->lowest - offset <= q->margin && q->middle - offset >= -0.5 * q->half - q->terrain->thickness;
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

static void finish_patch(query *q)
{
  const int n = srs_patch_reduce(q->patch.touches, q->patch.n);
  for (int i = 0; i < n; i++) put_out(q, &q->patch.touches[i]);
  q->patch.n = 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Triangles
// ---------------------------------------------------------------------------------------------------------------------

// Whether two triangles each lie behind the other's plane.
static bool are_convex(const query *q, int t, int u)
{
  const srs_terrain *terrain = q->terrain;
  const vec3 a = terrain_corner(terrain, t, 0), b = terrain_corner(terrain, u, 0);
  for (int k = 0; k < 3; k++)
    if (dot3(terrain->normals[t], sub3(terrain_corner(terrain, u, k), a)) > q->slack ||
        dot3(terrain->normals[u], sub3(terrain_corner(terrain, t, k), b)) > q->slack)
      return false;
  return true;
}

// Whether a node with gap < 0 is where the two overlap: its point a of the solid in the ground or its point b of the
// ground in the solid, or nearly. a is out of the ground if it would have to come in again on its way to b, or if the
// way from b along -n does not go in (at a sharp edge).
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

// Whether the solid as last looked at, behind triangle t or a ridge of it by -s, has a shorter way out through a
// triangle that meets t in a corner, neither in one plane with t nor with its neighbour `but`.
static bool leaves_around(const query *q, int t, int but, double s)
{
  const srs_terrain *terrain = q->terrain;
  for (int k = 0; k < 3; k++) {
    const int point = terrain->corners[3 * (size_t)t + (size_t)k];
    for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1]; i++) {
      const int u = terrain->fan[i];
      if (terrain->group[u] == terrain->group[t] || (but >= 0 && terrain->group[u] == terrain->group[but])) continue;
      const vec3 n = terrain->normals[u], lowest = srs_solid_support(&q->solid, scale3(-1, n));
      if (dot3(n, sub3(lowest, terrain->points[point])) > s + q->slack && are_convex(q, t, u)) return true;
    }
  }
  return false;
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
  q->patch.normal = n;
  for (int i = 0; i < q->facing.n; i++) {
    const vec3 p = q->facing.points[i];
    const double gap = dot3(n, sub3(p, corner));
    if (gap > q->margin || !is_over_triangle(q, t, p)) continue;
    const vec3 b = add_scaled3(p, -gap, n);
    if (gap < 0 && (leaves_around(q, t, -1, q->lowest - dot3(n, corner)) ||
                    !(is_shallow(q, gap) || is_overlap(q, p, b, n, gap, true))))
      continue;
    srs_nodes_add(&q->patch, p, b, srs_node_feature(SRS_NODE_POINT_OF_A, q->facing.names[i], terrain->group[t]));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Corners
// ---------------------------------------------------------------------------------------------------------------------

// Whether the corner is what the solid meets there; n: its normal, gap: along it.
static bool is_met(const query *q, int point, vec3 *n, double *gap)
{
  const srs_terrain *terrain = q->terrain;
  const vec3 p = terrain->points[point];
  vec3 outward;
  *gap = srs_solid_distance(&q->solid, p, &outward);
  if (*gap > q->margin || *gap < -q->solid.solid->radius) return false;
  *n = scale3(-1, outward);
  for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1]; i++) {
    const size_t t = (size_t)terrain->fan[i];
    for (size_t k = 0; k < 3; k++) {
      const int from = terrain->corners[3 * t + k], to = terrain->corners[3 * t + (k + 1) % 3];
      if (from != point && to != point) continue;
      const vec3 along = sub3(terrain->points[from != point ? from : to], p);
      if (dot3(*n, along) > ARC_END * norm3(along)) return false;
      const bool is_open = terrain->edges[3 * t + k] == SRS_EDGE_OPEN;
      if (is_open && dot3(*n, terrain->normals[t]) < -ARC_END) return false; // from below
    }
  }
  return true;
}

static void meet_corner(query *q, int t, int point)
{
  const srs_terrain *terrain = q->terrain;
  const vec3 p = terrain->points[point];
  vec3 n;
  double gap;
  if (!terrain->is_sharp[point] || !is_met(q, point, &n, &gap)) return;
  int face = -1; // of the fan, whose normal it is
  for (int i = terrain->fan_begin[point]; i < terrain->fan_begin[point + 1] && face < 0; i++)
    if (norm3(sub3(n, terrain->normals[terrain->fan[i]])) <= ARC_END) face = terrain->fan[i];
  const uint32_t feature = srs_node_feature(SRS_NODE_POINT_OF_B, 0, point);
  const vec3 a = add_scaled3(p, gap, n);
  if (face == t) {
    q->patch.normal = terrain->normals[t];
    srs_nodes_add(&q->patch, a, p, feature);
  } else if (face < 0 && terrain->fan[terrain->fan_begin[point]] == t) {
    put_out(q, &(srs_touch){a, p, n, gap, feature});
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

typedef struct arc {
  const srs_placed *solid;
  vec3 start, across, point; // normals: cos t start + sin t across
  double end, margin;
} arc;

// The lowest point of the solid at one normal of the arc, from the edge: s = n . r, and how it grows with t.
typedef struct arc_point {
  double t, s, slope;
  vec3 r;
} arc_point;

static arc_point look_at_arc(const arc *c, double t)
{
  const double cosine = cos(t), sine = sin(t);
  const vec3 n = add_scaled3(scale3(cosine, c->start), sine, c->across);
  const vec3 turned = add_scaled3(scale3(-sine, c->start), cosine, c->across);
  const vec3 r = sub3(srs_solid_support(c->solid, scale3(-1, n)), c->point);
  return (arc_point){t, dot3(n, r), dot3(turned, r), r};
}

static double slope_of(const arc *c, vec3 r, double t)
{
  return cos(t) * dot3(c->across, r) - sin(t) * dot3(c->start, r);
}

// Where the heights of the two points of the bracket are the same, or where that of one that they share is highest:
// the answer, if it is one of these two that is lowest there.
static double meeting_of(const arc *c, const arc_point *low, const arc_point *high)
{
  const vec3 d = sub3(low->r, high->r);
  if (same(low->r, high->r)) return atan2(dot3(low->r, c->across), dot3(low->r, c->start));
  const double t = atan2(-dot3(d, c->start), dot3(d, c->across));
  return t < low->t ? t + 3.14159265358979323846 : t > high->t ? t - 3.14159265358979323846 : t;
}

// The highest s between, where it grows at low and falls at high: in turn at a meeting, which is exact for corners,
// where the slopes say, for curves, and halfway.
static double highest_between(const arc *c, arc_point low, arc_point high)
{
  for (int i = 0; i < ARC_STEPS && high.t - low.t > 1e-16 * c->end; i++) {
    const double half = 0.5 * (low.t + high.t);
    double t = half;
    if (i % 3 == 0) t = meeting_of(c, &low, &high);
    if (i % 3 == 1) t = low.t + (high.t - low.t) * low.slope / (low.slope - high.slope);
    if (!(t > low.t && t < high.t)) t = half;
    const arc_point at = look_at_arc(c, t);
    if (fabs(at.slope) <= 4e-16 * (fabs(at.r.x) + fabs(at.r.y) + fabs(at.r.z))) return t;
    const bool is_known = i % 3 == 0 && t != half && (same(at.r, low.r) || same(at.r, high.r));
    if (is_known && (same(low.r, high.r) || (slope_of(c, low.r, t) >= 0 && slope_of(c, high.r, t) <= 0))) return t;
    if (at.slope > 0)
      low = at;
    else
      high = at;
  }
  return 0.5 * (low.t + high.t);
}

// APART as soon as one normal says so.
static arc_place best_on_arc(const arc *c, double *t)
{
  arc_point at[ARC_SAMPLES + 1];
  int best = 0;
  for (int i = 0; i <= ARC_SAMPLES; i++) {
    at[i] = look_at_arc(c, c->end * i / ARC_SAMPLES);
    if (at[i].s > c->margin) return APART;
    if (at[i].s > at[best].s) best = i;
  }
  if (best == 0 && look_at_arc(c, ARC_END).slope <= 0) return AT_FIRST;
  if (best == ARC_SAMPLES && look_at_arc(c, c->end - ARC_END).slope >= 0) return AT_OTHER;
  *t = highest_between(c, at[best > 0 ? best - 1 : 0], at[best < ARC_SAMPLES ? best + 1 : ARC_SAMPLES]);
  return *t <= ARC_END ? AT_FIRST : *t >= c->end - ARC_END ? AT_OTHER : BETWEEN;
}

// The normal along which the solid meets the edge, best among those that it has.
static arc_place edge_normal(const query *q, const edge *e, vec3 *n)
{
  const srs_terrain *terrain = q->terrain;
  const vec3 start = terrain->normals[e->triangle], along = sub3(e->to, e->from);
  const vec3 across = scale3(1 / norm3(along), cross3(along, start));
  arc c = {&q->solid, start, across, e->from, 0.5 * 3.14159265358979323846, q->margin};
  if (e->other >= 0) c.end = atan2(dot3(terrain->normals[e->other], across), dot3(terrain->normals[e->other], start));
  double t = c.end;
  const arc_place place = best_on_arc(&c, &t);
  if (place == APART) return APART;
  const bool is_open = e->other < 0;
  if (place == AT_FIRST)
    *n = start;
  else if (place == AT_OTHER)
    *n = is_open ? across : terrain->normals[e->other];
  else
    *n = add3(scale3(cos(t), start), scale3(sin(t), across));
  return place == AT_OTHER && is_open ? BETWEEN : place;
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
static void add_point_over_edge(const query *q, const edge *e, int i, srs_nodes *nodes)
{
  const vec3 along = sub3(e->to, e->from), p = q->facing.points[i], r = sub3(p, e->from);
  const double length = norm3(along), t = dot3(r, along) / (length * length);
  const double beside = fabs(dot3(cross3(nodes->normal, along), r)) / length;
  if (beside > nodes->near || t * length < -q->slack || (t - 1) * length > q->slack) return;
  const uint32_t feature = srs_node_feature(SRS_NODE_CROSSING, q->facing.names[i], 3 * e->triangle + e->k);
  srs_nodes_add(nodes, p, add_scaled3(e->from, t, along), feature);
}

// A generator crosses the edge, or runs along it.
static void add_generator(const query *q, const edge *e, srs_nodes *nodes)
{
  const vec3 n = nodes->normal, *g = q->facing.line;
  const vec3 u = sub3(g[1], g[0]), v = sub3(e->to, e->from), r = sub3(e->from, g[0]);
  const double turn = dot3(n, cross3(u, v)), size = norm3(u) * norm3(v);
  if (fabs(turn) > 1e-9 * size) {
    const double s = dot3(n, cross3(r, v)) / turn, t = dot3(n, cross3(r, u)) / turn;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      const uint32_t feature = srs_node_feature(SRS_NODE_CROSSING, q->facing.name, 3 * e->triangle + e->k);
      srs_nodes_add(nodes, add_scaled3(g[0], s, u), add_scaled3(e->from, t, v), feature);
      return;
    }
  }
  for (int i = 0; i < 2; i++) add_point_over_edge(q, e, i, nodes);
  if (fabs(turn) > 1e-9 * size) return;
  const vec3 ends[2] = {e->from, e->to};
  const int names[2] = {e->from_point, e->to_point};
  for (int i = 0; i < 2; i++) {
    const double s = dot3(sub3(ends[i], g[0]), u) / dot3(u, u);
    const vec3 a = add_scaled3(g[0], s, u), apart = sub3(a, ends[i]);
    if (s < 0 || s > 1 || norm3(cross3(apart, n)) > nodes->near) continue;
    srs_nodes_add(nodes, a, ends[i], srs_node_feature(SRS_NODE_POINT_OF_B, 0, names[i]));
  }
}

// Whether a node of the edge is another place's: a corner's, or that of a face around its ends.
static bool is_elsewhere(const query *q, const edge *e, const srs_touch *touch)
{
  const bool is_end = touch->feature >> 30 == SRS_NODE_POINT_OF_B;
  vec3 n;
  double gap;
  if (is_end) {
    const int point = same(touch->b, e->from) ? e->from_point : e->to_point;
    if (!q->terrain->is_sharp[point] || is_met(q, point, &n, &gap)) return true;
  }
  if (touch->gap >= 0) return false;
  const bool is_face = q->facing.kind == SRS_OUTLINE_POLYGON || q->facing.kind == SRS_OUTLINE_DISC;
  if (is_end && is_face && -dot3(q->facing.normal, touch->normal) < ALONG) return true;
  const vec3 *normals = q->terrain->normals;
  const bool goes_in =
      dot3(touch->normal, normals[e->triangle]) > 0 && (e->other < 0 || dot3(touch->normal, normals[e->other]) > 0);
  const bool is_ours = -touch->gap <= q->patch.near || (is_shallow(q, touch->gap) && goes_through(q, e)) ||
                       is_overlap(q, touch->a, touch->b, touch->normal, touch->gap, goes_in);
  if (!is_ours) return true;
  const double s = q->lowest - dot3(touch->normal, e->from);
  return leaves_around(q, e->triangle, e->other, s) || (e->other >= 0 && leaves_around(q, e->other, e->triangle, s));
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
  vec3 n;
  const arc_place place = edge_normal(q, &e, &n);
  const bool is_of_patch = (place == AT_FIRST && e.triangle == t) || (place == AT_OTHER && e.other == t);
  if (!is_of_patch && !(place == BETWEEN && e.triangle == t)) return; // the other triangle's turn
  look_along(q, n);
  if (!is_before_plane(q, dot3(n, e.from))) return;
  srs_nodes nodes = {.normal = n, .least = -INFINITY, .margin = q->margin, .near = q->patch.near};
  if (q->facing.kind == SRS_OUTLINE_POINT)
    add_point_over_edge(q, &e, 0, &nodes);
  else if (q->facing.kind == SRS_OUTLINE_SEGMENT)
    add_generator(q, &e, &nodes);
  else {
    srs_outline on_edge;
    set_edge_outline(&e, &on_edge);
    srs_clip(&q->facing, &on_edge, q->slack, &nodes);
    for (int i = 0; i < q->facing.n; i++) add_point_over_edge(q, &e, i, &nodes);
  }
  q->patch.normal = n;
  for (int i = 0; i < nodes.n; i++) {
    const srs_touch *touch = &nodes.touches[i];
    if (is_elsewhere(q, &e, touch)) continue;
    if (is_of_patch)
      srs_nodes_add(&q->patch, touch->a, touch->b, touch->feature);
    else
      put_out(q, touch);
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
  q.n = 0;
  q.normal = vec3_zero;
  q.patch.n = 0;
  q.patch.margin = margin;
  q.patch.least = -INFINITY;
  q.patch.near = NEAR * solid->solid->radius;
  int *near = scratch;
  const int n = find_near(&q, near);
  for (int i = 0; i < n; i++) {
    const int t = near[i];
    meet_triangle(&q, t);
    for (int k = 0; k < 3; k++) meet_edge(&q, t, k);
    for (int k = 0; k < 3; k++) meet_corner(&q, t, terrain->corners[3 * (size_t)t + (size_t)k]);
    if (i + 1 == n || terrain->group[near[i + 1]] != terrain->group[t]) finish_patch(&q);
  }
  return q.n;
}
