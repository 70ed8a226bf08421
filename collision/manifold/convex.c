// The contact manifold of any two convex solids: GJK and EPA for the normal, clipping for the points.
//
// The normal n is that of the nearest or deepest points; the signed distance is s(n) = min over A of n . a - max over B
// of n . b. Contact points are clipped from the parts of the two surfaces that face each other along n (outline.c,
// clip.c); all have this normal. None is deeper than s, and one with the gap s is always among them: where clipping
// finds none (two edges that cross, two balls) the nearest points are added.
//
// A flat contact needs a steady normal: where the normal of one of the two faces is as good as n to rounding, it
// replaces n.
//
// Bullet's n and gap are not exact: a face's normal that is better replaces n from farther away, points may be deeper
// than Bullet's, as deep as s(n), and Bullet's own are only added where clipping finds none nearly as deep.
#include "collision/manifold/convex.h"
#include "collision/bullet/bullet_pair.h"
#include "collision/gjk/gjk.h"
#include "collision/manifold/clip.h"
#include "collision/manifold/reduce.h"
#include "collision/shapes/support.h"

static const double AS_GOOD = 1e-11; // of the smaller solid's radius
static const double SLACK = 1e-9, NEAR = 1e-6;

// How far the normal and the gap that a manifold begins with may be off.
typedef struct accuracy {
  double snap;    // rad
  double as_deep; // of the smaller solid's radius
} accuracy;

static const accuracy to_rounding = {1e-9, 1e-10}, of_bullet = {1e-2, 1e-5};

// The better of n and the normals of the two faces; at a tie A's face before n, B's before A's. Between normals that
// lean by d the separations differ by at most d times the distance between any two points of the solids: up to
// there the normals need not be compared.
static vec3 better_normal(const srs_outline *a, const srs_outline *b, const srs_touch *nearest, double snap,
                          double tolerance)
{
  const vec3 n = nearest->normal, faces[2] = {scale3(-1, a->normal), b->normal};
  const bool is_area[2] = {srs_outline_is_area(a), srs_outline_is_area(b)};
  const double apart = 2 * (a->solid->solid->radius + b->solid->solid->radius) + fabs(nearest->gap);
  vec3 normal = n;
  double best = NAN;
  for (int i = 0; i < 2; i++) {
    if (!is_area[i]) continue;
    const double lean = norm3(sub3(faces[i], n));
    if (!(lean <= snap)) continue;
    if (lean * apart <= 0.5 * tolerance) {
      normal = faces[i];
      continue;
    }
    if (isnan(best)) best = srs_separation(a->solid, b->solid, n);
    const double s = srs_separation(a->solid, b->solid, faces[i]);
    if (s >= best - tolerance) normal = faces[i], best = larger(s, best);
  }
  return normal;
}

// Round solids have one point that faces n, exactly.
static srs_touch round_touch(const srs_outline *a, const srs_outline *b, const srs_touch *nearest)
{
  srs_touch touch = *nearest;
  touch.feature = srs_contact_feature(SRS_FEATURE_NEAREST, a->name, b->name);
  if (a->kind == SRS_OUTLINE_POINT) {
    touch.a = a->points[0];
    touch.b = add_scaled3(touch.a, -touch.gap, touch.normal);
  } else {
    touch.b = b->points[0];
    touch.a = add_scaled3(touch.b, touch.gap, touch.normal);
  }
  return touch;
}

// The manifold of two solids of which the nearest points are known, up to an accuracy.
static int clip_manifold(const srs_placed *a, const srs_placed *b, const srs_touch *nearest, const accuracy *known,
                         double margin, srs_touch touches[SRS_MANIFOLD_POINTS])
{
  const double size = smaller(a->solid->radius, b->solid->radius), as_deep = known->as_deep * size;
  srs_outline on_a, on_b;
  srs_solid_outline(a, scale3(-1, nearest->normal), &on_a);
  srs_solid_outline(b, nearest->normal, &on_b);
  if (on_a.kind == SRS_OUTLINE_POINT || on_b.kind == SRS_OUTLINE_POINT) {
    touches[0] = round_touch(&on_a, &on_b, nearest);
    return 1;
  }
  srs_manifold manifold; // touches as they come, not thousands of zeros
  manifold.n = 0;
  manifold.normal = better_normal(&on_a, &on_b, nearest, known->snap, AS_GOOD * size);
  manifold.margin = margin;
  manifold.near = NEAR * size;
  manifold.least = nearest->gap - as_deep;
  if (known == &of_bullet) manifold.least = smaller(manifold.least, srs_separation(a, b, manifold.normal) - as_deep);
  srs_clip(&on_a, &on_b, SLACK * size, &manifold);
  double least = INFINITY;
  for (int i = 0; i < manifold.n; i++) least = smaller(manifold.touches[i].gap, least);
  if (least > nearest->gap + as_deep) {
    manifold.near = 0;
    srs_manifold_add(&manifold, nearest->a, nearest->b, srs_contact_feature(SRS_FEATURE_NEAREST, on_a.name, on_b.name));
  }
  const int n = srs_manifold_reduce(manifold.touches, manifold.n);
  for (int i = 0; i < n; i++) touches[i] = manifold.touches[i];
  return n;
}

int srs_pair_convex(void *bullet, const srs_placed *a, const srs_placed *b, double margin,
                    srs_touch touches[SRS_MANIFOLD_POINTS])
{
  (void)bullet;
  srs_touch nearest;
  if (!srs_gjk_closest(a, b, margin, &nearest)) return 0;
  return clip_manifold(a, b, &nearest, &to_rounding, margin, touches);
}

int srs_pair_bullet(void *bullet, const srs_placed *a, const srs_placed *b, double margin,
                    srs_touch touches[SRS_MANIFOLD_POINTS])
{
  srs_touch nearest;
  if (!srs_bullet_closest(bullet, a, b, margin, &nearest)) return 0;
  return clip_manifold(a, b, &nearest, &of_bullet, margin, touches);
}
