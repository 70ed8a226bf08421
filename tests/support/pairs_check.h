// What the tests of the pairs share: random solids and placements, and an independent judgement of contact points.
//
// Two convex solids are apart by at least s(n) = min over A of n . a - max over B of n . b, for any unit n, and by at
// most |a - b| for any two of their points. So nodes are right when the deepest one's points lie on the surfaces and,
// apart, s(normal) = gap = |a - b|: nothing is nearer. Where they overlap s(normal) = gap still, and no other n gives
// more: tried are all normals of faces and all directions across two edges, and many at random.
#pragma once
#include "collision/shapes/solid.h"
#include "collision/shapes/touch.h"
#include "support/testing.h"

#include <stdlib.h>
#include <string.h>

#define UNUSED_HERE __attribute__((unused))

static inline int pairs_poses(void) { return getenv("SARRUS_LONG") != NULL ? 100000 : 10000; }

static inline vec3 random_vector(testing_random *random, double most)
{
  const double x = testing_uniform(random, -most, most), y = testing_uniform(random, -most, most);
  return (vec3){x, y, testing_uniform(random, -most, most)};
}

static inline vec3 random_unit(testing_random *random)
{
  for (;;) {
    const vec3 v = random_vector(random, 1);
    const double length = norm3(v);
    if (length > 0.1 && length < 1) return scale3(1 / length, v);
  }
}

// The rotation by |w| about w.
static inline mat3 rotation_about(vec3 w)
{
  const double angle = norm3(w);
  if (angle == 0) return mat3_identity;
  const double s = sin(angle / 2) / angle, q[4] = {cos(angle / 2), s * w.x, s * w.y, s * w.z};
  return mat3_from_quaternion(q);
}

static inline mat3 random_axes(testing_random *random)
{
  const vec3 w = random_unit(random);
  return rotation_about(scale3(testing_uniform(random, 0, 3.14), w));
}

static inline srs_solid solid_of(srs_shape_kind kind, double x, double y, double z)
{
  srs_solid solid = {.kind = kind, .size = {x, y, z}, .exponent = {2.5, 4}};
  switch (kind) {
  case SRS_SHAPE_SPHERE: solid.radius = x; break;
  case SRS_SHAPE_CAPSULE: solid.radius = x + y / 2; break;
  case SRS_SHAPE_CYLINDER:
  case SRS_SHAPE_CONE: solid.radius = hypot(x, y / 2); break;
  case SRS_SHAPE_HALF_SPACE: solid.radius = INFINITY; break;
  case SRS_SHAPE_ELLIPSOID: solid.radius = fmax(x, fmax(y, z)); break;
  case SRS_SHAPE_SUPERELLIPSOID: solid.radius = norm3((vec3){x, y, z}); break;
  case SRS_SHAPE_PARABOLOID:
    solid.centre.z = -z / 2;
    solid.radius = norm3((vec3){sqrt(2 * x * z), sqrt(2 * y * z), z / 2});
    break;
  default: solid.radius = norm3((vec3){x / 2, y / 2, z / 2}); break;
  }
  return solid;
}

static inline srs_solid random_solid(testing_random *random, srs_shape_kind kind)
{
  const double x = testing_uniform(random, 0.1, 1), y = testing_uniform(random, 0.1, 1);
  return solid_of(kind, x, y, testing_uniform(random, 0.1, 1));
}

// The norm of which a superellipsoid is the unit ball.
static inline double superellipsoid_norm(const srs_solid *solid, vec3 p)
{
  const double k = solid->exponent[0], q = solid->exponent[1], *a = solid->size;
  const double flat = pow(fabs(p.x / a[0]), k) + pow(fabs(p.y / a[1]), k);
  return pow(pow(flat, q / k) + pow(fabs(p.z / a[2]), q), 1 / q);
}

// Where the gradient of that norm is along d: powers of d's parts, first across z, then along it.
static inline vec3 superellipsoid_reach(const srs_solid *solid, vec3 d)
{
  const double k = solid->exponent[0], q = solid->exponent[1], *a = solid->size;
  const double u = pow(fabs(a[0] * d.x), 1 / (k - 1)), v = pow(fabs(a[1] * d.y), 1 / (k - 1));
  const double flat = fmax(pow(pow(u, k) + pow(v, k), 1 / k), 1e-300);
  const double pull = (fabs(a[0] * d.x) * u + fabs(a[1] * d.y) * v) / flat, across = pow(pull, 1 / (q - 1));
  const vec3 p = {copysign(a[0] * across * u / flat, d.x), copysign(a[1] * across * v / flat, d.y),
                  copysign(a[2] * pow(fabs(a[2] * d.z), 1 / (q - 1)), d.z)};
  return scale3(1 / superellipsoid_norm(solid, p), p);
}

// The highest of the bowl's points, or of the rim's, whose z / slope may be anything.
static inline vec3 paraboloid_reach(const double size[3], vec3 d)
{
  const vec3 bowl = {size[0] * d.x / d.z, size[1] * d.y / d.z, 0};
  const double depth = bowl.x * bowl.x / (2 * size[0]) + bowl.y * bowl.y / (2 * size[1]);
  if (d.z > 0 && depth < size[2]) return (vec3){bowl.x, bowl.y, -depth};
  const double x = sqrt(2 * size[0] * size[2]), y = sqrt(2 * size[1] * size[2]);
  const double length = fmax(hypot(x * d.x, y * d.y), 1e-300);
  return (vec3){x * x * d.x / length, y * y * d.y / length, -size[2]};
}

// How far the solid reaches along d, its own frame, and where; edges and faces give one of their points.
static inline vec3 own_support(const srs_solid *solid, vec3 d)
{
  const double x = solid->size[0], y = solid->size[1], z = solid->size[2];
  switch (solid->kind) {
  case SRS_SHAPE_SPHERE: return scale3(x / norm3(d), d);
  case SRS_SHAPE_CAPSULE: return add3((vec3){0, 0, copysign(y / 2, d.z)}, scale3(x / norm3(d), d));
  case SRS_SHAPE_BOX: return (vec3){copysign(x / 2, d.x), copysign(y / 2, d.y), copysign(z / 2, d.z)};
  case SRS_SHAPE_CYLINDER: {
    const double across = fmax(hypot(d.x, d.y), 1e-300);
    return (vec3){x * d.x / across, x * d.y / across, copysign(y / 2, d.z)};
  }
  case SRS_SHAPE_ELLIPSOID: {
    const vec3 s = {x * d.x, y * d.y, z * d.z};
    return (vec3){x * s.x / norm3(s), y * s.y / norm3(s), z * s.z / norm3(s)};
  }
  case SRS_SHAPE_SUPERELLIPSOID: return superellipsoid_reach(solid, d);
  case SRS_SHAPE_PARABOLOID: return paraboloid_reach(solid->size, d);
  default: fail(); return vec3_zero;
  }
}

static inline vec3 support(const srs_placed *placed, vec3 d)
{
  return add3(placed->origin, rotate(placed->axes, own_support(placed->solid, rotate_back(placed->axes, d))));
}

static inline double apart_along(const srs_placed *a, const srs_placed *b, vec3 n)
{
  return dot3(n, sub3(support(a, scale3(-1, n)), support(b, n)));
}

// Signed distance of a point from the solid's surface (its own frame); a box's and a cylinder's exact only near it.
static inline double own_height(const srs_solid *solid, vec3 p)
{
  const double x = solid->size[0], y = solid->size[1], z = solid->size[2];
  switch (solid->kind) {
  case SRS_SHAPE_SPHERE: return norm3(p) - x;
  case SRS_SHAPE_CAPSULE: {
    const double t = fmin(fmax(p.z, -y / 2), y / 2);
    return norm3((vec3){p.x, p.y, p.z - t}) - x;
  }
  case SRS_SHAPE_BOX: return fmax(fabs(p.x) - x / 2, fmax(fabs(p.y) - y / 2, fabs(p.z) - z / 2));
  case SRS_SHAPE_CYLINDER: return fmax(hypot(p.x, p.y) - x, fabs(p.z) - y / 2);
  case SRS_SHAPE_CONE: {
    const double slant = hypot(x, y);
    return fmax(-p.z - y / 2, (y * hypot(p.x, p.y) + x * (p.z - y / 2)) / slant);
  }
  case SRS_SHAPE_ELLIPSOID: {
    const double f = norm3((vec3){p.x / x, p.y / y, p.z / z});
    return (f - 1) * fmin(x, fmin(y, z));
  }
  case SRS_SHAPE_SUPERELLIPSOID: return (superellipsoid_norm(solid, p) - 1) * fmin(x, fmin(y, z));
  case SRS_SHAPE_PARABOLOID: return fmax(p.z + p.x * p.x / (2 * x) + p.y * p.y / (2 * y), -p.z - z);
  case SRS_SHAPE_HALF_SPACE: return p.z;
  default: fail(); return 0;
  }
}

static inline double height(const srs_placed *placed, vec3 p)
{
  return own_height(placed->solid, rotate_back(placed->axes, sub3(p, placed->origin)));
}

static inline int deepest_of(const srs_touch *touches, int n)
{
  int best = 0;
  for (int i = 1; i < n; i++) {
    if (touches[i].gap < touches[best].gap) best = i;
  }
  return best;
}

static inline double pair_size(const srs_placed *a, const srs_placed *b)
{
  return a->solid->radius + (isfinite(b->solid->radius) ? b->solid->radius : 0) + norm3(sub3(a->origin, b->origin));
}

// Unit normals, points on both surfaces, gap = n . (a - b) <= margin, features that differ.
static inline void assert_nodes_are_sound(const srs_placed *a, const srs_placed *b, double margin,
                                          const srs_touch *touches, int n)
{
  const double size = pair_size(a, b), rounding = 2e-14 * size;
  assert_in_range(n, 0, SRS_MANIFOLD_POINTS);
  for (int i = 0; i < n; i++) {
    const srs_touch *t = &touches[i];
    assert_true(fabs(norm3(t->normal) - 1) < 1e-14);
    assert_true(fabs(t->gap - dot3(t->normal, sub3(t->a, t->b))) < rounding);
    assert_true(t->gap <= margin);
    assert_true(fabs(height(a, t->a)) < rounding);
    assert_true(fabs(height(b, t->b)) < rounding);
    for (int k = 0; k < i; k++) assert_int_not_equal(t->feature, touches[k].feature);
  }
}

static inline int directions_of(const srs_placed *placed, vec3 out[3])
{
  if (placed->solid->kind == SRS_SHAPE_SPHERE) return 0;
  out[0] = placed->axes.z;
  if (placed->solid->kind != SRS_SHAPE_BOX) return 1;
  out[1] = placed->axes.x;
  out[2] = placed->axes.y;
  return 3;
}

// The most that any direction tried keeps them apart.
static inline double most_apart(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  double most = -INFINITY;
  vec3 u[3], v[3];
  const int n_u = directions_of(a, u), n_v = directions_of(b, v);
  for (int i = 0; i < n_u; i++) most = fmax(most, fmax(apart_along(a, b, u[i]), apart_along(a, b, scale3(-1, u[i]))));
  for (int i = 0; i < n_v; i++) most = fmax(most, fmax(apart_along(a, b, v[i]), apart_along(a, b, scale3(-1, v[i]))));
  for (int i = 0; i < n_u; i++) {
    for (int k = 0; k < n_v; k++) {
      const vec3 w = cross3(u[i], v[k]);
      const double length = norm3(w);
      if (length < 1e-6) continue;
      const vec3 n = scale3(1 / length, w);
      most = fmax(most, fmax(apart_along(a, b, n), apart_along(a, b, scale3(-1, n))));
    }
  }
  for (int i = 0; i < 30; i++) most = fmax(most, apart_along(a, b, random_unit(random)));
  return most;
}

// The deepest node is the nearest or deepest there is, to 1e-12 of the pair's size.
static inline void assert_deepest_is_right(testing_random *random, const srs_placed *a, const srs_placed *b,
                                           const srs_touch *touches, int n)
{
  const srs_touch *t = &touches[deepest_of(touches, n)];
  const double size = pair_size(a, b);
  const double s = apart_along(a, b, t->normal);
  if (!(fabs(s - t->gap) < 1e-12 * size)) print_error("apart along normal %.17g, gap %.17g\n", s, t->gap);
  assert_true(fabs(s - t->gap) < 1e-12 * size);
  if (t->gap > 1e-12 * size) {
    double nearest = INFINITY; // of the nodes as deep: where flush edges are told from others to 1e-9, two may be
    for (int i = 0; i < n; i++) nearest = fmin(nearest, norm3(sub3(touches[i].a, touches[i].b)));
    if (!(fabs(nearest - t->gap) < 1e-12 * size)) print_error("%.17g apart, gap %.17g\n", nearest, t->gap);
    assert_true(fabs(nearest - t->gap) < 1e-12 * size);
  } else {
    const double most = most_apart(random, a, b);
    if (!(most < t->gap + 1e-12 * size)) print_error("another keeps them apart by %.17g, gap %.17g\n", most, t->gap);
    assert_true(most < t->gap + 1e-12 * size);
  }
}

static inline srs_placed moved(const srs_placed *placed, mat3 axes, vec3 shift)
{
  return (srs_placed){placed->solid, mul3(axes, placed->axes), add3(shift, rotate(axes, placed->origin))};
}

// One of the second set for each of the first, and as many; the deepest as deep to 1e-12. flip: A and B have changed
// places. Returns how far the nodes are off; 0 where they cannot be compared: corners and edges that touch have no one
// normal, it is known from the way between them, as far as that is long.
static inline double same_nodes(const srs_touch *one, int n_one, const srs_touch *other, int n_other, bool flip,
                                mat3 axes, vec3 shift)
{
  const double gap = one[deepest_of(one, n_one)].gap;
  assert_true(n_other > 0 && fabs(other[deepest_of(other, n_other)].gap - gap) < 1e-12);
  if (fabs(gap) < 1e-8) return 0;
  if (n_one != n_other) return INFINITY;
  double worst = 0;
  assert_int_equal(n_one, n_other);
  for (int i = 0; i < n_one; i++) {
    const vec3 a = add3(shift, rotate(axes, one[i].a)), b = add3(shift, rotate(axes, one[i].b));
    const vec3 normal = scale3(flip ? -1 : 1, rotate(axes, one[i].normal));
    double best = INFINITY;
    for (int k = 0; k < n_other; k++) {
      const double off = norm3(sub3(a, flip ? other[k].b : other[k].a)) +
                         norm3(sub3(b, flip ? other[k].a : other[k].b)) + norm3(sub3(normal, other[k].normal)) +
                         fabs(one[i].gap - other[k].gap);
      best = fmin(best, off);
    }
    worst = fmax(worst, best);
  }
  return worst;
}

// A random placement about B, so that the gap is around zero as often as it is not. False: their axes are parallel but
// for 1e-9, so that rounding moves crossings of edges by up to 1e-7 or more.
static inline bool place_at_random(testing_random *random, srs_pair_function *pair, srs_placed *a, srs_placed *b)
{
  static const double aims[] = {0, 1e-9, -1e-9, 1e-3, -1e-3, 0.05, -0.05};
  a->axes = random_axes(random);
  b->axes = random_axes(random);
  b->origin = random_vector(random, 1);
  a->origin = add3(b->origin, random_vector(random, 1.5));
  if (testing_below(random, 8) == 0) a->axes = b->axes; // aligned
  const bool is_parallel = testing_below(random, 16) == 0;
  if (is_parallel) a->axes = mul3(rotation_about(random_vector(random, 1e-9)), b->axes);
  if (testing_below(random, 2) == 0) return !is_parallel;
  srs_touch touches[SRS_MANIFOLD_POINTS];
  const int n = pair(NULL, a, b, 10, touches);
  const srs_touch *t = &touches[deepest_of(touches, n)];
  const double aim = aims[testing_below(random, 7)];
  a->origin = add_scaled3(a->origin, aim - t->gap, t->normal);
  return !is_parallel;
}

// Poses at random: sound, right, the same in a turned scene, and (same kinds) with A and B exchanged.
//
// Gaps are the same to 1e-12 always. Nodes are to 1e-11 but for one pose in a thousand: where two answers are as near
// as each other to rounding, their normals differ by its root, and crossings of edges move by rounding / angle between
// them.
UNUSED_HERE static void check_poses(srs_pair_function *pair, srs_shape_kind kind_a, srs_shape_kind kind_b)
{
  testing_random random = testing_random_start(31);
  int n_off = 0;
  for (int pose = 0; pose < pairs_poses(); pose++) {
    const srs_solid solid_a = random_solid(&random, kind_a), solid_b = random_solid(&random, kind_b);
    srs_placed a = {.solid = &solid_a}, b = {.solid = &solid_b};
    const bool is_clear = place_at_random(&random, pair, &a, &b);
    srs_touch touches[SRS_MANIFOLD_POINTS], others[SRS_MANIFOLD_POINTS];
    const double margin = testing_below(&random, 2) == 0 ? 0.1 : 10;
    const int n = pair(NULL, &a, &b, margin, touches);
    assert_nodes_are_sound(&a, &b, margin, touches, n);
    if (n == 0) {
      const int n_others = pair(NULL, &a, &b, 10, others);
      assert_true(n_others > 0 && others[deepest_of(others, n_others)].gap > margin);
      continue;
    }
    assert_deepest_is_right(&random, &a, &b, touches, n);
    const mat3 turn = random_axes(&random);
    const vec3 shift = random_vector(&random, 1);
    const srs_placed a2 = moved(&a, turn, shift), b2 = moved(&b, turn, shift);
    double off = same_nodes(touches, n, others, pair(NULL, &a2, &b2, margin, others), false, turn, shift);
    if (kind_a == kind_b)
      off =
          fmax(off, same_nodes(touches, n, others, pair(NULL, &b, &a, margin, others), true, mat3_identity, vec3_zero));
    if (is_clear && off > 1e-11) n_off++;
  }
  if (n_off > 0) print_message("%d poses of %d off by more than 1e-11\n", n_off, pairs_poses());
  assert_in_range(n_off, 0, pairs_poses() / 1000);
}

// The gap changes no faster than the solids move, along straight paths with a turn, however fine the steps.
UNUSED_HERE static void check_paths(srs_pair_function *pair, srs_shape_kind kind_a, srs_shape_kind kind_b)
{
  testing_random random = testing_random_start(32);
  for (int path = 0; path < pairs_poses() / 20; path++) {
    const srs_solid solid_a = random_solid(&random, kind_a), solid_b = random_solid(&random, kind_b);
    srs_placed a = {.solid = &solid_a}, b = {.solid = &solid_b};
    place_at_random(&random, pair, &a, &b);
    const double pace = testing_below(&random, 2) == 0 ? 1e-2 : 1e-6;
    const vec3 step = random_vector(&random, pace), turn = random_vector(&random, pace);
    const mat3 rotation = rotation_about(turn);
    // Points of A turn about A's origin; shapes whose middle is there.
    const double most = norm3(step) + norm3(turn) * solid_a.radius, size = 10;
    double before = NAN;
    for (int i = 0; i < 100; i++) {
      srs_touch touches[SRS_MANIFOLD_POINTS];
      const int n = pair(NULL, &a, &b, 100, touches);
      assert_true(n > 0);
      const double gap = touches[deepest_of(touches, n)].gap;
      if (i > 0 && !(fabs(gap - before) <= most + 1e-12 * size)) print_error("gap %.17g after %.17g\n", gap, before);
      if (i > 0) assert_true(fabs(gap - before) <= most + 1e-12 * size);
      before = gap;
      a.origin = add3(a.origin, step);
      a.axes = mul3(rotation, a.axes);
    }
  }
}
