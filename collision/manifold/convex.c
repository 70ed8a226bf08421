// Which nodes lie between any two convex solids?
//
// GJK gives the normal n along which they are nearest, or least deep in one another; the
// signed distance is s(n) = min over A of n . a - max over B of n . b at its best n. Nodes are cut from the parts of
// the two surfaces that face each other along n (outline.c, clip.c), and all have this normal. No node is deeper than
// s, and a node with the gap s is always among them: where clipping finds none (two edges that cross, two balls), the
// nearest points are it.
//
// A flat patch asks for a normal that does not tremble: where the normal of one of the two faces is as good as n to
// rounding, it is taken in its place.
#include "collision/manifold/convex.h"
#include "collision/gjk/gjk.h"
#include "collision/manifold/clip.h"
#include "collision/manifold/reduce.h"
#include "collision/shapes/support.h"

static const double SNAP = 1e-9;     // rad: what is left of rounding
static const double AS_GOOD = 1e-11; // of the smaller solid's radius
static const double AS_DEEP = 1e-10;
static const double SLACK = 1e-9, NEAR = 1e-6;

static double separation(const srs_placed *a, const srs_placed *b, vec3 n)
{
  return dot3(n, sub3(srs_solid_support(a, scale3(-1, n)), srs_solid_support(b, n)));
}

static bool is_face(const srs_outline *o) { return o->kind == SRS_OUTLINE_POLYGON || o->kind == SRS_OUTLINE_DISC; }

// The better of n and the normals of the two faces; at a tie A's face before n, B's before A's. Between normals that
// lean by d the separations differ by at most d times the distance between any two points of the solids: up to there
// nobody needs to look.
static vec3 better_normal(const srs_outline *a, const srs_outline *b, const srs_touch *nearest, double tolerance)
{
  const vec3 n = nearest->normal, faces[2] = {scale3(-1, a->normal), b->normal};
  const bool is_area[2] = {is_face(a), is_face(b)};
  const double apart = 2 * (a->solid->solid->radius + b->solid->solid->radius) + fabs(nearest->gap);
  vec3 normal = n;
  double best = NAN;
  for (int i = 0; i < 2; i++) {
    if (!is_area[i]) continue;
    const double lean = norm3(sub3(faces[i], n));
    if (!(lean <= SNAP)) continue;
    if (lean * apart <= 0.5 * tolerance) {
      normal = faces[i];
      continue;
    }
    if (isnan(best)) best = separation(a->solid, b->solid, n);
    const double s = separation(a->solid, b->solid, faces[i]);
    if (s >= best - tolerance) normal = faces[i], best = larger(s, best);
  }
  return normal;
}

// Round solids have one point that faces n, exactly.
static srs_touch round_touch(const srs_outline *a, const srs_outline *b, const srs_touch *nearest)
{
  srs_touch touch = *nearest;
  touch.feature = srs_node_feature(SRS_NODE_NEAREST, a->name, b->name);
  if (a->kind == SRS_OUTLINE_POINT) {
    touch.a = a->points[0];
    touch.b = add_scaled3(touch.a, -touch.gap, touch.normal);
  } else {
    touch.b = b->points[0];
    touch.a = add_scaled3(touch.b, touch.gap, touch.normal);
  }
  return touch;
}

int srs_pair_convex(void *scratch, const srs_placed *a, const srs_placed *b, double margin,
                    srs_touch touches[SRS_MANIFOLD_POINTS])
{
  srs_touch nearest;
  if (!srs_gjk_closest(scratch, a, b, margin, &nearest)) return 0;
  const double size = smaller(a->solid->radius, b->solid->radius);
  srs_outline on_a, on_b;
  srs_solid_outline(a, scale3(-1, nearest.normal), &on_a);
  srs_solid_outline(b, nearest.normal, &on_b);
  if (on_a.kind == SRS_OUTLINE_POINT || on_b.kind == SRS_OUTLINE_POINT) {
    touches[0] = round_touch(&on_a, &on_b, &nearest);
    return 1;
  }
  srs_nodes nodes; // touches as they come, not thousands of zeros
  nodes.n = 0;
  nodes.normal = better_normal(&on_a, &on_b, &nearest, AS_GOOD * size);
  nodes.margin = margin;
  nodes.near = NEAR * size;
  nodes.least = nearest.gap - AS_DEEP * size;
  srs_clip(&on_a, &on_b, SLACK * size, &nodes);
  double least = INFINITY;
  for (int i = 0; i < nodes.n; i++) least = smaller(nodes.touches[i].gap, least);
  if (least > nearest.gap + AS_DEEP * size) {
    nodes.near = 0;
    srs_nodes_add(&nodes, nearest.a, nearest.b, srs_node_feature(SRS_NODE_NEAREST, on_a.name, on_b.name));
  }
  const int n = srs_manifold_reduce(nodes.touches, nodes.n);
  for (int i = 0; i < n; i++) touches[i] = nodes.touches[i];
  return n;
}
