// Convex solids through GJK and EPA, against checks that share no code with them.
//
// Apart, a proof: two points of the solids as far from one another as the normal tells the solids apart. Overlapping, a
// search: the depth along 1500 normals, then the best twelve regions searched line by line to 1e-10; for many poses, a
// quicker one that goes downhill from the best of fewer normals. Sizes are about 1 m.

#include "collision/gjk/gjk.h"
#include "support/pairs_check.h"

enum { KINDS = 7, GRID = 1500, BEST = 12 };

static const srs_shape_kind kinds[KINDS] = {SRS_SHAPE_BOX,  SRS_SHAPE_CYLINDER, SRS_SHAPE_CONE,
                                            SRS_SHAPE_HULL, SRS_SHAPE_CAPSULE,  SRS_SHAPE_SPHERE};
static vec3 grid[GRID];

#ifdef __SANITIZE_ADDRESS__
enum { SLOWER = 5 }; // so many times fewer poses under the sanitizers
#else
enum { SLOWER = 1 };
#endif

static int poses(int usual, int many) { return (getenv("SARRUS_LONG") != NULL ? many : usual) / SLOWER; }

// ---------------------------------------------------------------------------------------------------------------------
// Solids

static srs_hull *hull_of(const double *points, int n)
{
  srs_hull *hull;
  assert_int_equal(srs_hull_create(points, n, &hull, NULL), SRS_OK);
  return hull;
}

static srs_solid make_solid(testing_random *random, srs_shape_kind kind)
{
  if (kind != SRS_SHAPE_HULL) return random_solid(random, kind);
  double points[20 * 3];
  for (int i = 0; i < 20; i++) vec3_store(points + 3 * (size_t)i, scale3(0.6, random_unit(random)));
  srs_solid solid = {.kind = kind, .radius = 0.6};
  solid.hull = hull_of(points, 20);
  return solid;
}

static void drop(srs_solid *solid) { free((void *)solid->hull); }

static vec3 reach(const srs_placed *placed, vec3 direction)
{
  const srs_solid *s = placed->solid;
  const vec3 d = rotate_back(placed->axes, direction);
  vec3 at;
  if (s->kind == SRS_SHAPE_HULL) {
    at = s->hull->corners[0];
    for (int i = 1; i < s->hull->n_corners; i++)
      if (dot3(s->hull->corners[i], d) > dot3(at, d)) at = s->hull->corners[i];
  } else if (s->kind == SRS_SHAPE_CONE) {
    const double across = fmax(hypot(d.x, d.y), 1e-300);
    const vec3 rim = {s->size[0] * d.x / across, s->size[0] * d.y / across, -s->size[1] / 2},
               tip = {0, 0, s->size[1] / 2};
    at = dot3(rim, d) > dot3(tip, d) ? rim : tip;
  } else {
    at = own_support(s, d);
  }
  return add3(placed->origin, rotate(placed->axes, at));
}

static double gap_along(const srs_placed *a, const srs_placed *b, vec3 n)
{
  return dot3(n, sub3(reach(a, scale3(-1, n)), reach(b, n)));
}

static double above(const srs_placed *placed, vec3 p)
{
  const srs_hull *hull = placed->solid->hull;
  if (placed->solid->kind != SRS_SHAPE_HULL) return height(placed, p);
  const vec3 local = rotate_back(placed->axes, sub3(p, placed->origin));
  double most = -INFINITY;
  for (int f = 0; f < hull->n_faces; f++) most = fmax(most, dot3(hull->normals[f], local) - hull->offsets[f]);
  return most;
}

// ---------------------------------------------------------------------------------------------------------------------
// The search for the least depth

typedef struct window {
  const srs_placed *a, *b;
  vec3 n, x, y;
  double half;
} window;

static vec3 normal_at(const window *w, double u, double v)
{
  const vec3 n = add_scaled3(add_scaled3(w->n, u, w->x), v, w->y);
  return scale3(1 / norm3(n), n);
}

typedef double along_line(const window *w, double at, double fixed, double *other);

// Golden sections; the depth is one valley within the window.
static double lowest(along_line *f, const window *w, double fixed, double *where)
{
  const double g = 0.6180339887498949;
  double low = -w->half, high = w->half, p = high - g * (high - low), q = low + g * (high - low), unused;
  double at_p = f(w, p, fixed, &unused), at_q = f(w, q, fixed, &unused);
  while (high - low > 1e-10) {
    if (at_p < at_q) {
      high = q, q = p, at_q = at_p, p = high - g * (high - low);
      at_p = f(w, p, fixed, &unused);
    } else {
      low = p, p = q, at_p = at_q, q = low + g * (high - low);
      at_q = f(w, q, fixed, &unused);
    }
  }
  *where = (low + high) / 2;
  return fmin(at_p, at_q);
}

static double depth_in_line(const window *w, double v, double u, double *other)
{
  *other = 0;
  return -gap_along(w->a, w->b, normal_at(w, u, v));
}

static double depth_across(const window *w, double u, double fixed, double *v)
{
  (void)fixed;
  return lowest(depth_in_line, w, u, v);
}

static double search_around(const srs_placed *a, const srs_placed *b, vec3 n)
{
  double least = INFINITY;
  for (int round = 0; round < 6; round++) {
    window w = {.a = a, .b = b, .n = n, .half = 0.08};
    w.x = cross3(n, fabs(n.x) < 0.6 ? (vec3){1, 0, 0} : (vec3){0, 1, 0});
    w.x = scale3(1 / norm3(w.x), w.x), w.y = cross3(n, w.x);
    double u, v;
    least = fmin(least, lowest(depth_across, &w, 0, &u));
    least = fmin(least, depth_across(&w, u, 0, &v));
    n = normal_at(&w, u, v);
    if (hypot(u, v) < 0.8 * w.half) break; // else the valley goes on outside
  }
  return least;
}

static double least_depth(const srs_placed *a, const srs_placed *b)
{
  double depth[GRID], least = INFINITY;
  for (int i = 0; i < GRID; i++) depth[i] = -gap_along(a, b, grid[i]);
  for (int k = 0; k < BEST; k++) {
    int best = 0;
    for (int i = 1; i < GRID; i++)
      if (depth[i] < depth[best]) best = i;
    least = fmin(least, search_around(a, b, grid[best]));
    for (int i = 0; i < GRID; i++)
      if (dot3(grid[i], grid[best]) > 0.985) depth[i] = INFINITY;
  }
  return least;
}

// Downhill from the best of every fourth normal, by steps in random directions: an upper bound of the least depth, and
// most often it.
static double less_depth(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  enum { COARSE = GRID / 4, STARTS = 5 };
  double depth[COARSE], least = INFINITY;
  for (int i = 0; i < COARSE; i++) depth[i] = -gap_along(a, b, grid[4 * (size_t)i]);
  for (int start = 0; start < STARTS; start++) {
    int best = 0;
    for (int i = 1; i < COARSE; i++)
      if (depth[i] < depth[best]) best = i;
    vec3 n = grid[4 * (size_t)best];
    double now = depth[best];
    double size = 0.08;
    for (int round = 0; round < 27; round++) { // size down to 1e-7
      for (int step = 0; step < 4; step++) {
        const vec3 moved = add_scaled3(n, size, random_unit(random)), other = scale3(1 / norm3(moved), moved);
        const double there = -gap_along(a, b, other);
        if (there < now) now = there, n = other, step = 0;
      }
      size *= 0.6;
    }
    least = fmin(least, now);
    for (int i = 0; i < COARSE; i++)
      if (dot3(grid[4 * (size_t)i], grid[4 * (size_t)best]) > 0.97) depth[i] = INFINITY;
  }
  return least;
}

// ---------------------------------------------------------------------------------------------------------------------
// Checking one answer

static void check_points(const srs_placed *a, const srs_placed *b, const srs_touch *t, double tolerance)
{
  assert_true(fabs(norm3(t->normal) - 1) < 1e-14);
  assert_true(norm3(sub3(sub3(t->a, t->b), scale3(t->gap, t->normal))) < 1e-14); // rounding
  assert_true(fabs(gap_along(a, b, t->normal) - t->gap) < 1e-13);                // rounding of 1 m lengths, three turns
  if (!(fabs(above(a, t->a)) < tolerance && fabs(above(b, t->b)) < tolerance))
    print_error("kinds %d %d points off by %g %g, gap %g\n", a->solid->kind, b->solid->kind, above(a, t->a),
                above(b, t->b), t->gap);
  assert_true(fabs(above(a, t->a)) < tolerance && fabs(above(b, t->b)) < tolerance);
}

// Nothing tells them farther apart: proven by the points where they are apart, searched for where they overlap.
static void check_answer(const srs_placed *a, const srs_placed *b, const srs_touch *t)
{
  // Edges nearly parallel leave the points along them to rounding over the angle. The search for the least depth is
  // content within 1e-8 of the sizes, and there the normal may be some way off.
  check_points(a, b, t, t->gap > 1e-7 ? 1e-10 : 1e-7);
  if (t->gap > 0) return; // |a - b| = gap: the points prove it
  const double least = least_depth(a, b);
  if (!(-t->gap - least < 5e-8))
    print_error("kinds %d %d depth %.12g, found by search %.12g\n", a->solid->kind, b->solid->kind, -t->gap, least);
  assert_true(-t->gap - least < 5e-8);
}

static srs_touch nearest_of(const srs_placed *a, const srs_placed *b)
{
  srs_touch t = {0};
  assert_true(srs_gjk_closest(a, b, 100, &t));
  return t;
}

typedef void each_pair(testing_random *random, const srs_placed *a, const srs_placed *b);

// Both solids new for every tenth pose, their middles within `most` of one another.
static void for_random_poses(uint64_t seed, int n, double least, double most, each_pair *check)
{
  testing_random random = testing_random_start(seed);
  for (int i = 0; i < KINDS; i++)
    for (int k = i; k < KINDS; k++)
      for (int made = 0; made < n; made += 10) {
        srs_solid a = make_solid(&random, kinds[i]), b = make_solid(&random, kinds[k]);
        for (int pose = 0; pose < 10 && made + pose < n; pose++) {
          srs_placed at_a = {&a, random_axes(&random), random_vector(&random, 2)};
          srs_placed at_b = {&b, random_axes(&random), at_a.origin};
          const double length = testing_uniform(&random, least, most);
          at_b.origin = add_scaled3(at_b.origin, length, random_unit(&random));
          check(&random, &at_a, &at_b);
        }
        drop(&a), drop(&b);
      }
}

// ---------------------------------------------------------------------------------------------------------------------

static void check_judge(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  (void)random;
  const srs_touch t = nearest_of(a, b);
  check_answer(a, b, &t);
}

static void gaps_of_solids_apart_are_proven(void **state)
{
  (void)state;
  for_random_poses(1, poses(2000, 100000), 2.5, 5, check_judge);
}

static void depths_of_solids_that_overlap_are_the_least(void **state)
{
  (void)state;
  for_random_poses(2, poses(10, 500), 0, 0.8, check_judge);
}

static void check_less(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  const srs_touch t = nearest_of(a, b);
  check_points(a, b, &t, t.gap > 1e-7 ? 1e-10 : 1e-7);
  if (t.gap > 0) return;
  const double other = less_depth(random, a, b);
  if (!(-t.gap - other < 5e-8))
    print_error("kinds %d %d depth %.12g, another way %.12g\n", a->solid->kind, b->solid->kind, -t.gap, other);
  assert_true(-t.gap - other < 5e-8);
}

static void no_way_out_of_an_overlap_is_shorter(void **state)
{
  (void)state;
  for_random_poses(9, poses(200, 100000), 0, 1.2, check_less);
}

static int n_loose; // of the poses below, those whose gap is off by more than 1e-10

// Axes the same, at right angles, or off by less than shows, one above or beside the other: faces, caps and edges are
// flush or nearly so, and optima come in rings or have nothing that proves them.
static void check_parallel(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  static const double angles[] = {0, 0, 1e-9, 1e-7, 1e-5};
  static const double aims[] = {0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3};
  const mat3 quarter = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};
  srs_placed turned = *b;
  const mat3 off = rotation_about(scale3(angles[testing_below(random, 5)], random_unit(random)));
  turned.axes = mul3(off, testing_below(random, 3) == 0 ? mul3(a->axes, quarter) : a->axes);
  const double length = norm3(sub3(b->origin, a->origin));
  const int way = testing_below(random, 3);
  if (way > 0) turned.origin = add_scaled3(a->origin, length, way == 1 ? a->axes.z : a->axes.x);
  srs_touch t = nearest_of(a, &turned);
  check_points(a, &turned, &t, 1e-7);
  if (t.gap < 0 && testing_below(random, 10) == 0) check_less(random, a, &turned);
  if (t.gap < 0) return;
  const double aim = aims[testing_below(random, 11)];
  turned.origin = add_scaled3(turned.origin, t.gap - aim, t.normal);
  t = nearest_of(a, &turned);
  check_points(a, &turned, &t, 1e-7);
  // Where rounding hides the pieces that meet, nothing is proven, and srs_epa may leave 1e-8 of the size.
  const double excess = aim < 0 ? aim - t.gap : fabs(t.gap - aim);
  const bool is_right = excess < 1e-8 * (a->solid->radius + b->solid->radius);
  n_loose += !(excess < 1e-10);
  if (!is_right) print_error("kinds %d %d gap %.17g aim %.17g\n", a->solid->kind, b->solid->kind, t.gap, aim);
  assert_true(is_right);
}

static void parallel_solids_have_points_that_fit_their_normal(void **state)
{
  (void)state;
  n_loose = 0;
  for_random_poses(10, poses(300, 20000), 0, 3, check_parallel);
  print_message("%d poses beyond 1e-10\n", n_loose);
}

// Moves b along the normal until the gap is a given one, near zero.
static void check_touching(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  const srs_touch t = nearest_of(a, b);
  if (t.gap < 0) return; // shallow all the way: only for solids that began apart
  const double gap = pow(10, testing_uniform(random, -13, -3)) * (testing_below(random, 4) ? 1 : -1);
  srs_placed moved = *b;
  moved.origin = add_scaled3(moved.origin, t.gap - gap, t.normal);
  const srs_touch near = nearest_of(a, &moved);
  check_answer(a, &moved, &near);
  assert_true(fabs(near.gap - gap) < 1e-12 || gap < 0); // the points met by moving along the line between them
  assert_true(near.gap > gap - 1e-12);                  // and no overlap is deeper than the way that it was moved
}

static void gaps_of_solids_that_nearly_touch_are_right(void **state)
{
  (void)state;
  for_random_poses(3, poses(30, 5000), 1.5, 3, check_touching);
}

static void check_swap(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  (void)random;
  const srs_touch t = nearest_of(a, b), swapped = nearest_of(b, a);
  assert_true(fabs(t.gap - swapped.gap) < 1e-12);
  if (t.gap < 1e-3) return;
  assert_true(norm3(add3(t.normal, swapped.normal)) < 1e-9); // rounding over the gap
}

static void check_moved(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  const mat3 turn = random_axes(random);
  const vec3 far = random_vector(random, 1000);
  const srs_placed at_a = {a->solid, mul3(turn, a->axes), add3(far, rotate(turn, a->origin))};
  const srs_placed at_b = {b->solid, mul3(turn, b->axes), add3(far, rotate(turn, b->origin))};
  const srs_touch t = nearest_of(a, b), moved = nearest_of(&at_a, &at_b);
  assert_true(fabs(t.gap - moved.gap) < 1e-12); // origins of 1000 m are rounded to 1e-13
}

static void gaps_do_not_depend_on_the_order(void **state)
{
  (void)state;
  for_random_poses(4, poses(500, 10000), 0, 3, check_swap);
}

static void gaps_do_not_depend_on_the_place(void **state)
{
  (void)state;
  for_random_poses(5, poses(500, 10000), 0, 3, check_moved);
}

static void check_limit(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  srs_touch t, again;
  memset(&t, 0, sizeof t), memset(&again, 0, sizeof again); // padding too
  assert_true(srs_gjk_closest(a, b, 100, &t));
  if (t.gap < 0) return;
  const double limit = testing_uniform(random, 0, 2 * t.gap);
  assert_int_equal(srs_gjk_closest(a, b, limit, &again), t.gap <= limit);
  if (t.gap <= limit) assert_memory_equal(&again, &t, sizeof t);
}

static void pairs_farther_apart_than_asked_are_refused(void **state)
{
  (void)state;
  for_random_poses(6, poses(500, 10000), 1, 4, check_limit);
}

// Limits on both sides of the gap, down to a millionth of it.
static void check_meeting(testing_random *random, const srs_placed *a, const srs_placed *b)
{
  srs_touch t;
  (void)random;
  assert_true(srs_gjk_closest(a, b, 1e9, &t));
  const double shift = 1e-7 + 1e-6 * fabs(t.gap);
  assert_true(srs_gjk_meet(a, b, fmax(0, t.gap + shift)));
  if (t.gap > shift) assert_false(srs_gjk_meet(a, b, t.gap - shift));
  assert_true(srs_gjk_meet(a, b, 0) == (t.gap <= 0) || fabs(t.gap) < 1e-9);
}

static void whether_solids_meet_needs_no_depth(void **state)
{
  (void)state;
  for_random_poses(11, poses(1000, 100000), 0, 3, check_meeting);
}

// ---------------------------------------------------------------------------------------------------------------------
// Known answers

static void assert_gap(const srs_solid *a, const srs_solid *b, mat3 axes_b, vec3 origin_b, double gap, vec3 normal)
{
  const srs_placed at_a = {a, mat3_identity, {0, 0, 0}}, at_b = {b, axes_b, origin_b};
  const srs_touch t = nearest_of(&at_a, &at_b);
  assert_true(fabs(t.gap - gap) < 1e-15);
  assert_true(norm3(sub3(t.normal, normal)) < 1e-14);
  check_points(&at_a, &at_b, &t, 1e-13);
}

static void margins_never_show(void **state)
{
  (void)state;
  const vec3 up = {0, 0, 1};
  const double side[2] = {0.1, 0.005};
  for (int i = 0; i < 2; i++) {
    const double s = side[i], h = s / 2;
    double points[24];
    for (int k = 0; k < 8; k++)
      vec3_store(points + 3 * (size_t)k, (vec3){k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h});
    srs_solid box = solid_of(SRS_SHAPE_BOX, s, s, s), cylinder = solid_of(SRS_SHAPE_CYLINDER, h, s, 0),
              cone = solid_of(SRS_SHAPE_CONE, h, s, 0), hull = {.kind = SRS_SHAPE_HULL, .radius = s},
              capsule = solid_of(SRS_SHAPE_CAPSULE, h / 2, h, 0), sphere = solid_of(SRS_SHAPE_SPHERE, h, 0, 0);
    hull.hull = hull_of(points, 8);
    srs_solid *all[] = {&box, &cylinder, &cone, &hull, &capsule, &sphere};
    for (int k = 0; k < 6; k++) {
      const double gaps[] = {1, 0.1 * s, 1e-9 * s, 0, -1e-9 * s, -0.1 * s};
      for (int g = 0; g < 6; g++) assert_gap(all[k], &hull, mat3_identity, (vec3){0, 0, -s - gaps[g]}, gaps[g], up);
    }
    for (int k = 0; k < 6; k++) drop(all[k]);
  }
}

static void turned_boxes_meet_at_their_edges(void **state)
{
  (void)state;
  srs_solid box = solid_of(SRS_SHAPE_BOX, 1, 1, 1);
  const double half = sqrt(0.5);
  const mat3 about_x = {{1, 0, 0}, {0, half, half}, {0, -half, half}};
  assert_gap(&box, &box, about_x, (vec3){0.1, 0.2, -0.5 - half - 0.25}, 0.25, (vec3){0, 0, 1});
  drop(&box);
}

static void solids_in_one_place_have_a_way_out(void **state)
{
  (void)state;
  testing_random random = testing_random_start(8);
  for (int i = 0; i < KINDS; i++)
    for (int k = i; k < KINDS; k++) {
      srs_solid a = make_solid(&random, kinds[i]), b = make_solid(&random, kinds[k]);
      const srs_placed at_a = {&a, mat3_identity, {0, 0, 0}}, at_b = {&b, mat3_identity, {0, 0, 0}};
      const srs_touch t = nearest_of(&at_a, &at_b);
      check_answer(&at_a, &at_b, &t);
      drop(&a), drop(&b);
    }
}

static int set_up(void **state)
{
  (void)state;
  for (int i = 0; i < GRID; i++) { // a spiral from pole to pole by the golden angle
    const double z = 1 - 2 * (i + 0.5) / GRID, across = sqrt(1 - z * z), angle = 2.399963229728653 * i;
    grid[i] = (vec3){across * cos(angle), across * sin(angle), z};
  }
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaps_of_solids_apart_are_proven),
      cmocka_unit_test(depths_of_solids_that_overlap_are_the_least),
      cmocka_unit_test(no_way_out_of_an_overlap_is_shorter),
      cmocka_unit_test(parallel_solids_have_points_that_fit_their_normal),
      cmocka_unit_test(gaps_of_solids_that_nearly_touch_are_right),
      cmocka_unit_test(gaps_do_not_depend_on_the_order),
      cmocka_unit_test(gaps_do_not_depend_on_the_place),
      cmocka_unit_test(pairs_farther_apart_than_asked_are_refused),
      cmocka_unit_test(whether_solids_meet_needs_no_depth),
      cmocka_unit_test(margins_never_show),
      cmocka_unit_test(turned_boxes_meet_at_their_edges),
      cmocka_unit_test(solids_in_one_place_have_a_way_out),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
