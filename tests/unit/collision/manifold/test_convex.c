// Contact manifolds of any two convex solids: every point exact, the deepest the right one, the manifold whole and
// steady.
#include "collision/manifold/convex.h"
#include "support/convex_check.h"

static const srs_shape_kind kinds[] = {SRS_SHAPE_BOX,  SRS_SHAPE_HULL,    SRS_SHAPE_CYLINDER,
                                       SRS_SHAPE_CONE, SRS_SHAPE_CAPSULE, SRS_SHAPE_SPHERE};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int meet(const srs_placed *a, const srs_placed *b, double margin, srs_touch touches[SRS_MANIFOLD_POINTS])
{
  return srs_pair_convex(NULL, a, b, margin, touches);
}

static double depth_of(const srs_touch *touches, int n)
{
  return n > 0 ? touches[deepest_of(touches, n)].gap : INFINITY;
}

static double reach_along(const srs_placed *a, const srs_placed *b, vec3 n)
{
  return dot3(n, sub3(solid_reach(a, scale3(-1, n)), solid_reach(b, n)));
}

static void check_points(const srs_placed *a, const srs_placed *b, double margin, const srs_touch *touches, int n)
{
  // Flush edges are told from others to 1e-9 along the manifold; over a face that is steep there it is more in height.
  const double rounding = 1e-7 * (a->solid->radius + b->solid->radius);
  assert_in_range(n, 0, SRS_MANIFOLD_POINTS);
  for (int i = 0; i < n; i++) {
    const srs_touch *t = &touches[i];
    const vec3 apart = sub3(t->a, t->b);
    assert_true(fabs(norm3(t->normal) - 1) < 1e-14);
    assert_true(fabs(dot3(t->normal, apart) - t->gap) < 1e-14 && t->gap <= margin);
    assert_true(norm3(sub3(apart, scale3(t->gap, t->normal))) < 1e-9);
    if (!(fabs(solid_height(a, t->a)) < rounding && fabs(solid_height(b, t->b)) < rounding))
      print_error("kinds %d %d feature %x gap %g %g %g deepest %g\n", a->solid->kind, b->solid->kind, t->feature,
                  t->gap, solid_height(a, t->a), solid_height(b, t->b), depth_of(touches, n));
    assert_true(fabs(solid_height(a, t->a)) < rounding && fabs(solid_height(b, t->b)) < rounding);
    for (int k = 0; k < i; k++) assert_true(t->feature != touches[k].feature);
  }
}

// Nothing is nearer, or less deep: no normal tried sets them apart by more.
static void check_deepest(testing_random *random, const srs_placed *a, const srs_placed *b, const srs_touch *touches,
                          int n)
{
  const srs_touch *t = &touches[deepest_of(touches, n)];
  const double s = reach_along(a, b, t->normal);
  assert_true(fabs(s - t->gap) < 3e-9); // 1e-9 of the smaller's size is as deep, and flush edges
  for (int i = 0; i < 60; i++) {
    const vec3 near = add_scaled3(t->normal, pow(10, testing_uniform(random, -5, 0)), random_unit(random));
    const double other = reach_along(a, b, scale3(1 / norm3(near), near));
    assert_true(other <= t->gap + 5e-8);
  }
}

static void deepest_points_are_right_for_every_pair(void **state)
{
  (void)state;
  testing_random random = testing_random_start(61);
  const int poses = getenv("SARRUS_LONG") != NULL ? 100000 : 1000;
  for (int p = 0; p < KINDS * KINDS; p++) {
    int n_met = 0, n_deep = 0;
    for (int trial = 0; trial < poses; trial++) {
      srs_solid solids[2];
      for (int i = 0; i < 2; i++) make_solid(&random, kinds[i == 0 ? p % KINDS : p / KINDS], &solids[i]);
      const srs_placed a = random_placed(&random, &solids[0], 0.9);
      const srs_placed b = {&solids[1], random_axes(&random), vec3_zero};
      srs_touch touches[SRS_MANIFOLD_POINTS];
      const double margin = testing_uniform(&random, 0, 0.5);
      const int n = meet(&a, &b, margin, touches);
      check_points(&a, &b, margin, touches, n);
      if (n > 0)
        check_deepest(&random, &a, &b, touches, n);
      else { // apart by more than the margin along some normal: the distance without one says which
        const int all = meet(&a, &b, 100, touches);
        assert_true(all > 0 && depth_of(touches, all) > margin);
        check_deepest(&random, &a, &b, touches, all);
      }
      n_met += n > 0;
      n_deep += depth_of(touches, n) < 0;
      release_solid(&solids[0]);
      release_solid(&solids[1]);
    }
    assert_true(n_met > poses / 4 && n_deep > poses / 20);
  }
}

static void ellipsoids_meet_spheres_and_hulls_exactly(void **state)
{
  (void)state;
  testing_random random = testing_random_start(68);
  int n_met = 0, n_deep = 0;
  for (int trial = 0; trial < 4000; trial++) {
    srs_solid solids[2];
    make_solid(&random, SRS_SHAPE_ELLIPSOID, &solids[trial & 1]);
    make_solid(&random, trial & 2 ? SRS_SHAPE_SPHERE : SRS_SHAPE_HULL, &solids[1 - (trial & 1)]);
    const srs_placed a = random_placed(&random, &solids[0], 0.9), b = random_placed(&random, &solids[1], 0.1);
    srs_touch touches[SRS_MANIFOLD_POINTS], turned[SRS_MANIFOLD_POINTS];
    const int n = meet(&a, &b, 0.3, touches);
    assert_int_equal(meet(&b, &a, 0.3, turned), n);
    if (n == 1) {
      const srs_touch *t = &touches[0];
      const double s = reach_along(&a, &b, t->normal), rounding = 1e-12;
      assert_true(fabs(s - t->gap) < rounding && fabs(turned[0].gap - t->gap) < rounding);
      assert_true(norm3(sub3(sub3(t->a, t->b), scale3(t->gap, t->normal))) < rounding);
      if (t->gap > 0) assert_true(fabs(solid_height(&a, t->a)) < 1e-7 && fabs(solid_height(&b, t->b)) < 1e-7);
      const double *half =
          solids[trial & 1].size; // deeper than the middle there may be shorter ways, past other corners
      const bool is_before_middle = t->gap > -0.8 * fmin(half[0], fmin(half[1], half[2]));
      for (int i = 0; i < 60 && is_before_middle; i++) {
        const vec3 near = add_scaled3(t->normal, pow(10, testing_uniform(&random, -6, 0)), random_unit(&random));
        assert_true(reach_along(&a, &b, scale3(1 / norm3(near), near)) <= t->gap + rounding);
      }
      n_deep += t->gap < 0;
    } else {
      assert_int_equal(n, 0);
      assert_true(meet(&a, &b, 100, touches) == 1 && touches[0].gap > 0.3);
    }
    n_met += n;
    release_solid(&solids[0]);
    release_solid(&solids[1]);
  }
  assert_true(n_met > 1000 && n_deep > 500);
}

static void swapping_two_solids_changes_nothing(void **state)
{
  (void)state;
  testing_random random = testing_random_start(62);
  int n_points = 0;
  for (int trial = 0; trial < 4000; trial++) {
    srs_solid solids[2];
    for (int i = 0; i < 2; i++) make_solid(&random, kinds[testing_below(&random, KINDS)], &solids[i]);
    const srs_placed a = random_placed(&random, &solids[0], 0.9);
    const srs_placed b = {&solids[1], random_axes(&random), vec3_zero};
    srs_touch one[SRS_MANIFOLD_POINTS], other[SRS_MANIFOLD_POINTS];
    const int n = meet(&a, &b, 0.1, one), m = meet(&b, &a, 0.1, other);
    const bool is_apart = n > 0 && depth_of(one, n) > 0;
    if (is_apart) assert_int_equal(n, m);
    if (n > 0) assert_true(fabs(depth_of(one, n) - depth_of(other, m)) < 1e-10 * (solids[0].radius + solids[1].radius));
    for (int i = 0; i < n && is_apart; i++) { // of those that overlap, two normals may be as good
      // A disc's point that has lost its direction lies anywhere about the middle: 1e-16 of tilt over 1e-9.
      double nearest = INFINITY;
      for (int k = 0; k < m; k++)
        nearest = fmin(nearest, norm3(sub3(one[i].a, other[k].b)) + fabs(one[i].gap - other[k].gap));
      assert_true(nearest < 2e-6);
      n_points++;
    }
    release_solid(&solids[0]);
    release_solid(&solids[1]);
  }
  assert_true(n_points > 300);
}

// A cube of the given edge as box or hull, at rest on a box of 20 m or its hull.
static void cubes_give_the_same_four_points_whatever_represents_them(void **state)
{
  (void)state;
  const double edges[] = {0.1, 0.005}, gaps[] = {1e-4, 0, -1e-5};
  srs_solid ground[2] = {solid_of(SRS_SHAPE_BOX, 20, 20, 1)};
  make_box_hull(&ground[1], 20, 20, 1);
  for (int e = 0; e < 2; e++) {
    srs_solid cube[2] = {solid_of(SRS_SHAPE_BOX, edges[e], edges[e], edges[e])};
    make_box_hull(&cube[1], edges[e], edges[e], edges[e]);
    for (int k = 0; k < 48; k++) {
      const double gap = gaps[k % 3], h = 0.5 * edges[e], turn = 0.025 * (k - k % 12);
      const srs_placed a = {&cube[k / 3 % 2], rotation_about((vec3){0, 0, turn}), {0.3, -2.7, 0.5 + h + gap}};
      const srs_placed b = {&ground[k / 6 % 2], mat3_identity, vec3_zero};
      srs_touch touches[SRS_MANIFOLD_POINTS];
      const int n = meet(&a, &b, 1e-3, touches);
      assert_int_equal(n, 4);
      for (int i = 0; i < 4; i++) {
        assert_true(norm3(sub3(touches[i].normal, (vec3){0, 0, 1})) < 1e-15);
        assert_true(fabs(touches[i].gap - gap) < 1e-15);
        double nearest = INFINITY;
        for (int c = 0; c < 4; c++) {
          const vec3 corner = {c & 1 ? h : -h, c & 2 ? h : -h, -h};
          nearest = fmin(nearest, norm3(sub3(touches[i].a, add3(a.origin, rotate(a.axes, corner)))));
        }
        assert_true(nearest < 1e-15);
      }
    }
    for (int i = 0; i < 2; i++) release_solid(&cube[i]);
  }
  for (int i = 0; i < 2; i++) release_solid(&ground[i]);
}

static void equal_cubes_face_to_face_give_four_points(void **state)
{
  (void)state;
  testing_random random = testing_random_start(63);
  srs_solid cube;
  make_box_hull(&cube, 0.2, 0.2, 0.2);
  for (int trial = 0; trial < 500; trial++) {
    const mat3 axes = trial == 0 ? mat3_identity : random_axes(&random);
    const srs_placed b = {&cube, axes, random_vector(&random, 1)};
    const double slip = trial % 2 == 0 ? 0 : pow(10, testing_uniform(&random, -12, -2));
    const vec3 step = {slip, 0.3 * slip, 0.2 + pow(10, testing_uniform(&random, -9, -3))};
    const srs_placed a = {&cube, axes, add3(b.origin, rotate(axes, step))};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    const int n = meet(&a, &b, 0.01, touches);
    assert_int_equal(n, 4);
    for (int i = 0; i < 4; i++) {
      assert_true(fabs(touches[i].gap - (step.z - 0.2)) < 2e-15);
      assert_true(norm3(sub3(touches[i].normal, axes.z)) < 1e-14);
    }
  }
  release_solid(&cube);
}

static void a_standing_cylinder_has_a_ring_of_points_and_keeps_it(void **state)
{
  (void)state;
  testing_random random = testing_random_start(64);
  srs_solid cylinder = solid_of(SRS_SHAPE_CYLINDER, 0.03, 0.1, 0), ground[2] = {solid_of(SRS_SHAPE_BOX, 2, 2, 1)};
  make_box_hull(&ground[1], 2, 2, 1);
  for (int trial = 0; trial < 2000; trial++) {
    const vec3 tilt = scale3(testing_uniform(&random, 0, 1e-12), random_unit(&random));
    const vec3 origin = {0.2 + 1e-9 * trial, 0.1, 0.55 + testing_uniform(&random, -1e-9, 1e-9)};
    const srs_placed a = {&cylinder, rotation_about(tilt), origin};
    const srs_placed b = {&ground[trial % 2], mat3_identity, vec3_zero};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    const int n = meet(&a, &b, 1e-3, touches);
    assert_in_range(n, 3, 5);
    int n_rim = 0;
    for (int i = 0; i < n; i++) {
      const vec3 at = sub3(touches[i].a, origin);
      n_rim += fabs(hypot(at.x, at.y) - 0.03) < 1e-9;
      assert_true(fabs(touches[i].gap) < 1e-8);
      double moved = INFINITY; // since the first step: the same within 1 mm
      const vec3 ring[5] = {{0.03, 0, 0}, {0, 0.03, 0}, {-0.03, 0, 0}, {0, -0.03, 0}, {0, 0, 0}};
      for (int k = 0; k < 5; k++) moved = fmin(moved, hypot(at.x - ring[k].x, at.y - ring[k].y));
      assert_true(moved < 1e-3);
    }
    assert_int_equal(n_rim, 4);
  }
  for (int i = 0; i < 2; i++) release_solid(&ground[i]);
  release_solid(&cylinder);
}

static void a_lying_cylinder_has_two_points_at_its_ends(void **state)
{
  (void)state;
  testing_random random = testing_random_start(65);
  srs_solid cylinder = solid_of(SRS_SHAPE_CYLINDER, 0.03, 0.1, 0), ground = solid_of(SRS_SHAPE_BOX, 2, 2, 1);
  for (int trial = 0; trial < 1000; trial++) {
    const mat3 lying = rotation_about((vec3){0, 1.5707963267948966, 0});
    const mat3 turn = mul3(rotation_about((vec3){0, 0, testing_uniform(&random, 0, 6)}), lying);
    const mat3 axes = mul3(turn, rotation_about((vec3){0, 0, testing_uniform(&random, 0, 6)}));
    const double gap = testing_uniform(&random, -1e-4, 1e-4);
    const srs_placed a = {&cylinder, axes, {0.2, 0.1, 0.53 + gap}}, b = {&ground, mat3_identity, vec3_zero};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    assert_int_equal(meet(&a, &b, 1e-3, touches), 2);
    for (int i = 0; i < 2; i++) {
      assert_true(fabs(touches[i].gap - gap) < 1e-14);
      assert_true(norm3(sub3(touches[i].normal, (vec3){0, 0, 1})) < 1e-14);
      const double along = dot3(axes.z, sub3(touches[i].a, a.origin));
      assert_true(fabs(fabs(along) - 0.05) < 1e-14);
    }
  }
  release_solid(&cylinder);
  release_solid(&ground);
}

// Of two coplanar faces, every point that both have lies within the contact points.
static void manifolds_bound_all_that_two_faces_share(void **state)
{
  (void)state;
  testing_random random = testing_random_start(66);
  int n_whole = 0;
  for (int trial = 0; trial < 3000; trial++) {
    srs_solid solids[2];
    const srs_shape_kind top = kinds[testing_below(&random, 4)], bottom = kinds[testing_below(&random, 3)];
    for (int i = 0; i < 2; i++) {
      const srs_shape_kind kind = i == 0 ? top : bottom;
      if (kind == SRS_SHAPE_HULL)
        make_box_hull(&solids[i], testing_uniform(&random, 0.2, 1), 0.5, 0.4);
      else
        make_solid(&random, kind, &solids[i]);
    }
    const mat3 axes = random_axes(&random), turn = rotation_about((vec3){0, 0, testing_uniform(&random, 0, 6)});
    const double z[2] = {0.5 * (top == SRS_SHAPE_BOX    ? solids[0].size[2]
                                : top == SRS_SHAPE_HULL ? 0.4
                                                        : solids[0].size[1]),
                         0.5 * (bottom == SRS_SHAPE_BOX    ? solids[1].size[2]
                                : bottom == SRS_SHAPE_HULL ? 0.4
                                                           : solids[1].size[1])};
    const double gap = testing_uniform(&random, -1e-6, 1e-3);
    const vec3 step = random_at(&random, 0.7, z[0] + z[1] + gap);
    const srs_placed b = {&solids[1], axes, vec3_zero}, a = {&solids[0], mul3(axes, turn), rotate(axes, step)};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    const int n = meet(&a, &b, 0.01, touches);
    for (int i = 0; i < 300; i++) { // points of the plane between, in b's frame
      const vec3 local = random_at(&random, 1, z[1] - 1e-9);
      const vec3 p = rotate(axes, local), q = add_scaled3(p, gap + 2e-9, axes.z);
      if (solid_height(&b, p) > 0 || solid_height(&a, q) > 0) continue;
      assert_true(n > 0);
      for (int k = 0; k < 24; k++) { // no direction in the plane goes beyond all points
        const vec3 d = add3(scale3(cos(k * 0.2618), axes.x), scale3(sin(k * 0.2618), axes.y));
        double most = -INFINITY;
        for (int m = 0; m < n; m++) most = fmax(most, dot3(d, touches[m].b));
        const bool is_round = top == SRS_SHAPE_CYLINDER || top == SRS_SHAPE_CONE || bottom == SRS_SHAPE_CYLINDER;
        const double radius =
            fmax(solids[0].size[0], solids[1].size[0]); // of arcs, a square's corners are contact points
        assert_true(dot3(d, p) <= most + (is_round ? 0.3 * radius : 1e-8));
      }
      n_whole++;
    }
    for (int i = 0; i < 2; i++) release_solid(&solids[i]);
  }
  assert_true(n_whole > 10000);
}

// Solids moved and turned a little at a time: the deepest gap changes by no more than they moved.
static void the_deepest_gap_is_continuous_along_paths(void **state)
{
  (void)state;
  testing_random random = testing_random_start(67);
  for (int trial = 0; trial < (getenv("SARRUS_LONG") != NULL ? 10000 : 300); trial++) {
    srs_solid solids[2];
    for (int i = 0; i < 2; i++) make_solid(&random, kinds[testing_below(&random, KINDS)], &solids[i]);
    const srs_placed b = {&solids[1], random_axes(&random), vec3_zero};
    const vec3 start = random_vector(&random, 0.7), end = random_vector(&random, 0.7), spin = random_unit(&random);
    const mat3 axes = random_axes(&random);
    double before = NAN;
    const int steps = 400;
    const double most = (norm3(sub3(end, start)) + solids[0].radius) / steps; // the fastest of its points
    for (int i = 0; i <= steps; i++) {
      const double t = (double)i / steps;
      const srs_placed a = {&solids[0], mul3(rotation_about(scale3(t, spin)), axes),
                            add_scaled3(start, t, sub3(end, start))};
      srs_touch touches[SRS_MANIFOLD_POINTS];
      const double gap = depth_of(touches, meet(&a, &b, 10, touches));
      assert_true(isfinite(gap));
      if (i > 0) assert_true(fabs(gap - before) <= most * (1 + 1e-9) + 1e-7);
      before = gap;
    }
    release_solid(&solids[0]);
    release_solid(&solids[1]);
  }
}

static void points_keep_their_names_while_the_same_features_meet(void **state)
{
  (void)state;
  srs_solid cube, ground = solid_of(SRS_SHAPE_BOX, 2, 2, 1);
  make_box_hull(&cube, 0.2, 0.2, 0.2);
  const srs_placed b = {&ground, mat3_identity, vec3_zero};
  uint32_t names[4];
  for (int step = 0; step < 500; step++) {
    const srs_placed a = {
        &cube, rotation_about((vec3){1e-5 * sin(step), 1e-5 * cos(3 * step), 0.01 * step}), {0.001 * step, 0.1, 0.6}};
    srs_touch touches[SRS_MANIFOLD_POINTS];
    assert_int_equal(meet(&a, &b, 1e-2, touches), 4);
    for (int i = 0; i < 4; i++) {
      if (step == 0) names[i] = touches[i].feature;
      assert_int_equal(touches[i].feature, names[i]);
    }
  }
  release_solid(&cube);
  release_solid(&ground);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deepest_points_are_right_for_every_pair),
      cmocka_unit_test(ellipsoids_meet_spheres_and_hulls_exactly),
      cmocka_unit_test(swapping_two_solids_changes_nothing),
      cmocka_unit_test(cubes_give_the_same_four_points_whatever_represents_them),
      cmocka_unit_test(equal_cubes_face_to_face_give_four_points),
      cmocka_unit_test(a_standing_cylinder_has_a_ring_of_points_and_keeps_it),
      cmocka_unit_test(a_lying_cylinder_has_two_points_at_its_ends),
      cmocka_unit_test(manifolds_bound_all_that_two_faces_share),
      cmocka_unit_test(the_deepest_gap_is_continuous_along_paths),
      cmocka_unit_test(points_keep_their_names_while_the_same_features_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
