// The ratio metric against brute force, differences and its own bounds.
// Under the sanitizers a fifth of the draws (testing_draws).
#include "support/ratio_check.h"

#include <stdio.h>

// ---------------------------------------------------------------------------------------------------------------------
// Random pairs
// ---------------------------------------------------------------------------------------------------------------------

enum { BODIES = 24 };

static void make_bodies(testing_random *random, srs_polytope *bodies[BODIES])
{
  bodies[0] = box_of(1, 1, 1);
  bodies[1] = box_of(1, 0.05, 0.6);
  bodies[2] = tetrahedron();
  bodies[3] = icosahedron();
  for (int i = 4; i < BODIES; i++) bodies[i] = random_ball(random, 4 + i, i % 3 == 0 ? 0 : 0.3);
}

static void free_bodies(srs_polytope *bodies[BODIES])
{
  for (int i = 0; i < BODIES; i++) srs_polytope_destroy(bodies[i]);
}

// Centres at distances from deep inside to apart; one in four flat on each other or along axes.
static void draw(testing_random *random, srs_polytope *const bodies[BODIES], stand *one, stand *two)
{
  *one = (stand){bodies[testing_below(random, BODIES)], random_pose(random, 3, 1)};
  *two = (stand){bodies[testing_below(random, BODIES)], random_pose(random, 3, 1)};
  if (testing_below(random, 4) == 0) {
    memcpy(two->pose.rotation, one->pose.rotation, sizeof two->pose.rotation);
    if (testing_below(random, 2) == 0) two->polytope = one->polytope;
  }
  vec3 towards = random_point(random, 1);
  if (testing_below(random, 4) == 0) towards = facet_normal(one, testing_below(random, one->polytope->n_facets));
  const double reach = one->polytope->reach + two->polytope->reach;
  vec3_store(two->pose.position, add_scaled3(vec3_load(one->pose.position),
                                             testing_uniform(random, 0.05, 1.3) * reach / norm3(towards), towards));
}

// The conditions of an optimum: the witness is in both grown bodies, and the facets' weights prove that no less will
// do.
static void check_optimum(const stand *one, const stand *two, const srs_ratio *ratio)
{
  const stand *stands[2] = {one, two};
  const double size =
      ratio->r * fmax(one->polytope->reach / one->polytope->inradius, two->polytope->reach / two->polytope->inradius);
  vec3 sum = vec3_zero;
  double total = 0;
  for (int k = 0; k < 2; k++) {
    const stand *s = stands[k];
    const vec3 x = sub3(vec3_load(ratio->witness), centre_of(s));
    for (int f = 0; f < s->polytope->n_facets; f++)
      assert_true(dot3(facet_normal(s, f), x) <= ratio->r * s->polytope->offsets[f] + 1e-12 * size);
    for (int i = 0; i < ratio->n_active; i++) {
      if (ratio->active[i].body != k + 1) continue;
      const double weight = ratio->active[i].weight / s->polytope->offsets[ratio->active[i].facet];
      assert_true(weight >= 0);
      sum = add_scaled3(sum, weight, facet_normal(s, ratio->active[i].facet));
      total += ratio->active[i].weight;
    }
  }
  const double scale = 1 / fmin(one->polytope->inradius, two->polytope->inradius);
  assert_true(norm3(sum) <= 1e-11 * scale && fabs(total - 1) <= 1e-12);
  assert_true(fabs(dot3(vec3_load(ratio->normal), sub3(centre_of(two), centre_of(one))) - ratio->r) <= 1e-11 * size);
}

static void ratio_is_the_greatest_over_face_normals_and_edge_crosses(void **state)
{
  (void)state;
  testing_random random = testing_random_start(701);
  srs_polytope *bodies[BODIES];
  make_bodies(&random, bodies);
  const int n = testing_draws(getenv("SARRUS_LONG") != NULL ? 1000000 : 10000);
  double worst = 0;
  for (int i = 0; i < n; i++) {
    stand one, two;
    draw(&random, bodies, &one, &two);
    srs_ratio ratio;
    assert_true(ratio_of(&one, &two, NULL, &ratio));
    assert_true(ratio.is_proven);
    check_optimum(&one, &two, &ratio);
    const double r = ratio_by_supports(&one, &two), off = fabs(ratio.r - r) / fmax(1, r);
    if (!(off <= 1e-12)) fail_msg("pair %d: r is %.17g, by supports %.17g", i, ratio.r, r);
    worst = fmax(worst, off);
  }
  print_message("%d pairs, largest difference %.2g\n", n, worst);
  free_bodies(bodies);
}

// Plates and needles of all sizes, level with each other but for a turn of 1e-16 to 1e-3: facets that are nearly
// opposite make four facets whose equations say next to nothing, and weights of either sign.
static void thin_bodies_nearly_flat_on_each_other_have_their_ratio(void **state)
{
  (void)state;
  testing_random random = testing_random_start(708);
  double worst = 0;
  for (int i = 0; i < testing_draws(6000); i++) {
    const double size = pow(10, testing_uniform(&random, -3, 3));
    double half[6];
    for (int k = 0; k < 6; k++) half[k] = size * pow(10, testing_uniform(&random, -3, 0));
    srs_polytope *a = box_of(half[0], half[1], half[2]), *b = box_of(half[3], half[4], half[5]);
    const stand one = {a, random_pose(&random, 3, 1)};
    stand two = {b, one.pose};
    const vec3 turn = random_point(&random, i % 4 == 0 ? 0 : pow(10, testing_uniform(&random, -16, -3)));
    double by[9];
    srs_rotation_from_quaternion((const double[]){1, turn.x, turn.y, turn.z}, by);
    mat3_to_rows(two.pose.rotation, mul3(mat3_from_rows(by), mat3_from_rows(one.pose.rotation)));
    const vec3 along = i % 2 == 0 ? random_point(&random, 1) : facet_normal(&one, testing_below(&random, 6));
    const double distance = testing_uniform(&random, 0.001, 1.3) * (a->reach + b->reach);
    vec3_store(two.pose.position, add_scaled3(centre_of(&one), distance / norm3(along), along));
    srs_ratio ratio;
    assert_true(ratio_of(&one, &two, NULL, &ratio));
    assert_true(ratio.is_proven);
    const double r = ratio_by_supports(&one, &two);
    // Normals are rounded to 1e-16, and what that moves is their length by what is inside.
    const double off = fabs(ratio.r - r) / r / fmax(a->reach / a->inradius, b->reach / b->inradius);
    if (!(off <= 1e-13)) fail_msg("case %d: r is %.17g, by supports %.17g", i, ratio.r, r);
    worst = fmax(worst, off);
    srs_polytope_destroy(a);
    srs_polytope_destroy(b);
  }
  print_message("largest difference %.2g of the bodies' slenderness\n", worst);
}

static void polygons_have_the_ratio_of_their_sides(void **state)
{
  (void)state;
  testing_random random = testing_random_start(702);
  for (int i = 0; i < 3000; i++) {
    srs_polytope *a = random_polygon(&random, 3 + testing_below(&random, 12));
    srs_polytope *b = random_polygon(&random, 3 + testing_below(&random, 12));
    const stand one = {a, random_pose(&random, 2, 1.5)}, two = {b, random_pose(&random, 2, 1.5)};
    srs_ratio ratio;
    assert_true(ratio_of(&one, &two, NULL, &ratio));
    assert_true(ratio.is_proven && ratio.n_active == 3 && ratio.normal[2] == 0);
    check_optimum(&one, &two, &ratio);
    assert_true(fabs(ratio.r - ratio_by_supports(&one, &two)) <= 1e-13 * fmax(1, ratio.r));
    srs_polytope_destroy(a);
    srs_polytope_destroy(b);
  }
}

static void squares_flat_on_each_other_have_their_ratio(void **state)
{
  (void)state;
  srs_polytope *square = polytope_of((const double[]){-1, -1, 1, -1, 1, 1, -1, 1, 0, 0, 0.5, 1}, 6, 2, NULL);
  assert_int_equal(square->n_corners, 4);
  stand one = {square, srs_identity_pose()}, two = one;
  two.pose.position[0] = 0.5, two.pose.position[1] = 2.5;
  srs_ratio ratio;
  assert_true(ratio_of(&one, &two, NULL, &ratio));
  assert_true(ratio.r == 1.25 && ratio.normal[0] == 0 && ratio.normal[1] == 0.5);
  srs_ratio_event events[8];
  const srs_ratio_event_options exact = srs_default_ratio_event_options(square, square, 0);
  // Two corners of each on the other's side, one inside it: 1 + 1.
  assert_int_equal(srs_ratio_events(square, &one.pose, square, &two.pose, &ratio, &exact, events, 8), 2);
  srs_polytope_destroy(square);
}

// ---------------------------------------------------------------------------------------------------------------------
// Derivatives, starts, bounds
// ---------------------------------------------------------------------------------------------------------------------

static srs_pose moved(const stand *s, vec3 shift, vec3 turn)
{
  const double angle = norm3(turn);
  const vec3 half = angle > 0 ? scale3(sin(angle / 2) / angle, turn) : vec3_zero;
  const mat3 by = mat3_from_quaternion((const double[]){cos(angle / 2), half.x, half.y, half.z});
  const mat3 axes = mul3(by, mat3_from_rows(s->pose.rotation));
  const vec3 centre = add3(centre_of(s), shift);
  srs_pose pose;
  mat3_to_rows(pose.rotation, axes);
  vec3_store(pose.position, sub3(centre, rotate(axes, s->polytope->centre)));
  return pose;
}

static const double STEP = 1e-5;

// The central difference; false where the two sides do not rest on the same facets.
static bool difference(const stand *one, const stand *two, int body, vec3 shift, vec3 turn, double *slope)
{
  double r[2];
  srs_ratio ratio[2];
  for (int side = 0; side < 2; side++) {
    stand a = *one, b = *two;
    const double sign = side ? 1 : -1;
    if (body == 1)
      a.pose = moved(one, scale3(sign, shift), scale3(sign, turn));
    else
      b.pose = moved(two, scale3(sign, shift), scale3(sign, turn));
    ratio_of(&a, &b, NULL, &ratio[side]);
    r[side] = ratio[side].r;
  }
  *slope = (r[1] - r[0]) / (2 * STEP);
  // Where faces pass through parallel the normal stays and the witness jumps: a kink in the turns alone.
  const double kink = norm3(sub3(vec3_load(ratio[0].normal), vec3_load(ratio[1].normal)));
  const double jump = norm3(sub3(vec3_load(ratio[0].turn1), vec3_load(ratio[1].turn1)));
  return fmax(kink, jump) <= 100 * STEP * (norm3(vec3_load(ratio[0].normal)) + norm3(vec3_load(ratio[0].turn1)));
}

static void gradients_are_central_differences(void **state)
{
  (void)state;
  testing_random random = testing_random_start(703);
  srs_polytope *bodies[BODIES];
  make_bodies(&random, bodies);
  int n_smooth = 0;
  for (int i = 0; i < 400; i++) {
    const stand one = {bodies[testing_below(&random, BODIES)], random_pose(&random, 3, 1)};
    const stand two = {bodies[testing_below(&random, BODIES)], random_pose(&random, 3, 1)};
    if (one.polytope == bodies[1] || two.polytope == bodies[1]) continue; // so thin that third derivatives show
    srs_ratio ratio;
    ratio_of(&one, &two, NULL, &ratio);
    double gradient[12], slopes[12];
    for (int k = 0; k < 3; k++) {
      gradient[k] = -ratio.normal[k], gradient[3 + k] = ratio.turn1[k];
      gradient[6 + k] = ratio.normal[k], gradient[9 + k] = ratio.turn2[k];
    }
    bool is_smooth = true;
    for (int k = 0; k < 12; k++) {
      const vec3 step = {k % 3 == 0 ? STEP : 0, k % 3 == 1 ? STEP : 0, k % 3 == 2 ? STEP : 0};
      const bool turns = k / 3 % 2 == 1;
      is_smooth = is_smooth &&
                  difference(&one, &two, 1 + k / 6, turns ? vec3_zero : step, turns ? step : vec3_zero, &slopes[k]);
    }
    if (!is_smooth) continue;
    n_smooth++;
    testing_assert_close("gradient of r", gradient, slopes, 12, 1e-8); // rounding 1e-16 / STEP, STEP^2
  }
  assert_true(n_smooth > 250);
  free_bodies(bodies);
}

static void gradients_of_polygons_are_central_differences(void **state)
{
  (void)state;
  testing_random random = testing_random_start(709);
  int n_smooth = 0;
  for (int i = 0; i < 300; i++) {
    srs_polytope *a = random_polygon(&random, 3 + i % 9), *b = random_polygon(&random, 3 + i % 4);
    const stand one = {a, random_pose(&random, 2, 1.5)}, two = {b, random_pose(&random, 2, 1.5)};
    const vec3 x = {STEP, 0, 0}, y = {0, STEP, 0}, z = {0, 0, STEP};
    srs_ratio ratio;
    ratio_of(&one, &two, NULL, &ratio);
    const double gradient[4] = {ratio.normal[0], ratio.normal[1], ratio.turn1[2], ratio.turn2[2]};
    double slopes[4];
    if (norm3(sub3(centre_of(&one), centre_of(&two))) > 0.3 && difference(&one, &two, 2, x, vec3_zero, &slopes[0]) &&
        difference(&one, &two, 2, y, vec3_zero, &slopes[1]) && difference(&one, &two, 1, vec3_zero, z, &slopes[2]) &&
        difference(&one, &two, 2, vec3_zero, z, &slopes[3])) {
      testing_assert_close("gradient of r of polygons", gradient, slopes, 4, 1e-8);
      n_smooth++;
    }
    srs_polytope_destroy(a);
    srs_polytope_destroy(b);
  }
  assert_true(n_smooth > 200);
}

static srs_polytope_pair pair_of(const stand *one, const stand *two)
{
  srs_polytope_pair pair;
  assert_true(srs_polytope_pair_make(one->polytope, mat3_from_rows(one->pose.rotation), vec3_load(one->pose.position),
                                     two->polytope, mat3_from_rows(two->pose.rotation), vec3_load(two->pose.position),
                                     &pair));
  return pair;
}

static void a_start_changes_no_bit(void **state)
{
  (void)state;
  testing_random random = testing_random_start(704);
  srs_polytope *bodies[BODIES];
  make_bodies(&random, bodies);
  int n_warm = 0;
  for (int i = 0; i < 3000; i++) {
    stand one, two;
    draw(&random, bodies, &one, &two);
    srs_ratio before, cold, warm;
    stand near = two;
    near.pose = moved(&two, random_point(&random, 0.01), random_point(&random, 0.01));
    ratio_of(&one, &near, NULL, &before);
    ratio_of(&one, &two, NULL, &cold);
    warm = before;
    ratio_of(&one, &two, &warm, &warm);
    assert_true(cold.r == warm.r && cold.rho == warm.rho && cold.is_proven == warm.is_proven);
    assert_memory_equal(cold.witness, warm.witness, sizeof cold.witness);
    assert_memory_equal(cold.normal, warm.normal, sizeof cold.normal);
    assert_memory_equal(cold.turn1, warm.turn1, sizeof cold.turn1);
    assert_memory_equal(cold.turn2, warm.turn2, sizeof cold.turn2);
    const srs_polytope_pair pair = pair_of(&one, &two);
    srs_ratio_work work;
    srs_ratio_solve_counted(&pair, &cold, &warm, &work);
    n_warm += work.was_warm;
  }
  assert_true(n_warm > 1500); // flat ones start anew
  free_bodies(bodies);
}

// Two boxes, or bodies of many facets, whose faces meet but for a tilt of any size that matters and others that do not,
// from starts of poses nearby, of any pose, and of facets drawn at random.
static void draw_flat(testing_random *random, srs_polytope *const bodies[BODIES], stand *one, stand *two)
{
  draw(random, bodies, one, two);
  one->polytope = two->polytope = bodies[testing_below(random, 2)];
  memcpy(two->pose.rotation, one->pose.rotation, sizeof two->pose.rotation);
  const vec3 n = facet_normal(one, testing_below(random, one->polytope->n_facets));
  const vec3 aside = scale3(testing_below(random, 3) / 3.0, random_point(random, 1));
  const double away = 2 * support_of(one, n) * testing_uniform(random, 0.98, 1.02);
  vec3_store(two->pose.position, add_scaled3(add3(vec3_load(one->pose.position), aside), away - dot3(aside, n), n));
  const double tilt = pow(10, -testing_uniform(random, 1, 18));
  two->pose = moved(two, vec3_zero, random_point(random, testing_below(random, 4) == 0 ? 0 : tilt));
}

static srs_ratio_start draw_start(testing_random *random, const stand *one, const stand *two)
{
  srs_ratio_start start = {0};
  srs_ratio ratio;
  const double most = pow(10, -testing_uniform(random, 0, 16));
  stand near = *two;
  near.pose = moved(two, random_point(random, most), random_point(random, most));
  const srs_polytope_pair pair = pair_of(one, &near);
  if (testing_below(random, 4) > 0)
    srs_ratio_solve_again(&pair, &start, &ratio, NULL);
  else
    for (int k = 0; k < 4; k++)
      start.facets[k] = testing_below(random, 2) == 0 ? 1 + testing_below(random, one->polytope->n_facets)
                                                      : -1 - testing_below(random, two->polytope->n_facets);
  return start;
}

static void a_start_of_bodies_at_rest_changes_no_bit_of_the_normal(void **state)
{
  (void)state;
  const int n = testing_draws(40000);
  testing_random random = testing_random_start(710);
  srs_polytope *bodies[BODIES];
  make_bodies(&random, bodies);
  int n_warm[2] = {0, 0};
  for (int i = 0; i < n; i++) {
    stand one, two;
    if (i % 2 == 0)
      draw(&random, bodies, &one, &two);
    else
      draw_flat(&random, bodies, &one, &two);
    const srs_polytope_pair pair = pair_of(&one, &two);
    srs_ratio_start start = draw_start(&random, &one, &two), none = {0};
    srs_ratio cold, warm, whole;
    srs_ratio_work work;
    srs_ratio_solve_again(&pair, &none, &cold, NULL);
    srs_ratio_solve_again(&pair, &start, &warm, &work);
    n_warm[i % 2] += work.was_warm;
    assert_true(cold.r == warm.r && cold.rho == warm.rho && cold.is_proven == warm.is_proven);
    assert_memory_equal(cold.normal, warm.normal, sizeof cold.normal);
    srs_ratio_solve(&pair, NULL, &whole);
    assert_true(fabs(cold.r - whole.r) <= 4e-13 * (1 + whole.r)); // SHORT, and rounding
    const vec3 d = sub3(centre_of(&two), centre_of(&one));
    assert_true(fabs(dot3(vec3_load(cold.normal), d) - cold.r) < 1e-12);
  }
  assert_true(n_warm[0] > n / 8 && n_warm[1] > n / 8); // of half the draws each, a quarter of them from any facets
  print_message("warm: %d tumbled, %d flat of %d each\n", n_warm[0], n_warm[1], n / 2);
  free_bodies(bodies);
}

static void ratio_is_symmetric_and_scales(void **state)
{
  (void)state;
  testing_random random = testing_random_start(705);
  srs_polytope *bodies[BODIES];
  make_bodies(&random, bodies);
  for (int i = 0; i < 1000; i++) {
    stand one, two;
    draw(&random, bodies, &one, &two);
    srs_ratio ratio, turned;
    ratio_of(&one, &two, NULL, &ratio);
    ratio_of(&two, &one, NULL, &turned);
    assert_true(fabs(ratio.r - turned.r) <= 1e-13 * fmax(1, ratio.r));
    // r is homogeneous in the distance of the centres.
    const double factor = i % 2 ? 1e-9 : 1e6;
    const vec3 x1 = centre_of(&one), x2 = centre_of(&two);
    two.pose = moved(&two, sub3(add_scaled3(x1, factor, sub3(x2, x1)), x2), vec3_zero);
    ratio_of(&one, &two, NULL, &turned);
    assert_true(turned.is_proven);
    assert_true(fabs(turned.r - factor * ratio.r) <= 1e-5 * factor * ratio.r); // positions are rounded to 1e-16
  }
  free_bodies(bodies);
}

// Depth is the least of h(n) - n . d over the unit normals of faces and across two edges.
static void ratio_is_as_good_a_metric_as_depth(void **state)
{
  (void)state;
  testing_random random = testing_random_start(706);
  srs_polytope *bodies[BODIES];
  make_bodies(&random, bodies);
  int n_deep = 0;
  for (int i = 0; i < testing_draws(2000); i++) {
    stand one, two;
    draw(&random, bodies, &one, &two);
    srs_ratio ratio;
    ratio_of(&one, &two, NULL, &ratio);
    if (ratio.r >= 1) continue;
    n_deep++;
    double depth = INFINITY;
    const vec3 d = sub3(centre_of(&two), centre_of(&one));
    const int facets[2] = {one.polytope->n_facets, two.polytope->n_facets};
    for (int f = 0; f < facets[0] + facets[1]; f++) {
      const vec3 n = f < facets[0] ? facet_normal(&one, f) : scale3(-1, facet_normal(&two, f - facets[0]));
      depth = fmin(depth, support_of(&one, n) + support_of(&two, scale3(-1, n)) - dot3(n, d));
    }
    for (int e = 0; e < one.polytope->n_edges; e++)
      for (int k = 0; k < two.polytope->n_edges; k++) {
        const vec3 m = cross3(edge_along(&one, e), edge_along(&two, k));
        if (norm3(m) <= 1e-9) continue;
        for (int side = 0; side < 2; side++) {
          const vec3 n = scale3((side ? 1 : -1) / norm3(m), m);
          depth = fmin(depth, support_of(&one, n) + support_of(&two, scale3(-1, n)) - dot3(n, d));
        }
      }
    const double inradii = one.polytope->inradius + two.polytope->inradius;
    assert_true(ratio.rho <= -depth / norm3(d) + 1e-12);
    if (depth < inradii) assert_true(-depth / (inradii - depth) <= ratio.rho * (1 - 1e-12) + 1e-12);
  }
  assert_true(n_deep > testing_draws(500));
  free_bodies(bodies);
}

static void centres_that_coincide_have_ratio_zero(void **state)
{
  (void)state;
  srs_polytope *cube = box_of(1, 1, 1), *square = polytope_of((const double[]){-1, -1, 1, -1, 1, 1, -1, 1}, 4, 2, NULL);
  const stand one = {cube, srs_identity_pose()}, flat = {square, srs_identity_pose()};
  srs_ratio ratio;
  assert_true(ratio_of(&one, &one, NULL, &ratio));
  assert_true(ratio.r == 0 && ratio.rho == -INFINITY && ratio.n_active == 0);
  const srs_ratio_event_options options = srs_default_ratio_event_options(cube, cube, 0.1);
  assert_int_equal(srs_ratio_events(cube, &one.pose, cube, &one.pose, &ratio, &options, NULL, 0), 0);
  assert_false(ratio_of(&one, &flat, NULL, &ratio));
  stand astray = one;
  astray.pose.position[1] = NAN;
  assert_false(ratio_of(&one, &astray, NULL, &ratio));
  srs_polytope_destroy(cube);
  srs_polytope_destroy(square);
}

// Scans over all facets are few, and do not grow with them.
static void work_is_linear_in_the_facets(void **state)
{
  (void)state;
  testing_random random = testing_random_start(707);
  for (int n = 100; n <= 2500; n *= 5) {
    srs_polytope *ball = random_ball(&random, n, 0);
    long pivots = 0, scans = 0;
    for (int i = 0; i < 50; i++) {
      srs_polytope_pair pair;
      const srs_pose a = random_pose(&random, 3, 1), b = random_pose(&random, 3, 1);
      srs_polytope_pair_make(ball, mat3_from_rows(a.rotation), vec3_load(a.position), ball, mat3_from_rows(b.rotation),
                             vec3_load(b.position), &pair);
      srs_ratio ratio;
      srs_ratio_work work;
      srs_ratio_solve_counted(&pair, NULL, &ratio, &work);
      pivots += work.pivots;
      scans += work.facets;
    }
    const double share = (double)scans / 50 / (2 * ball->n_facets);
    print_message("%d facets: %.1f exchanges, each facet seen %.1f times\n", ball->n_facets, (double)pivots / 50,
                  share);
    assert_true(share < 20); // about 8; Seidel's bound for four unknowns is 4!
    srs_polytope_destroy(ball);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ratio_is_the_greatest_over_face_normals_and_edge_crosses),
      cmocka_unit_test(thin_bodies_nearly_flat_on_each_other_have_their_ratio),
      cmocka_unit_test(polygons_have_the_ratio_of_their_sides),
      cmocka_unit_test(squares_flat_on_each_other_have_their_ratio),
      cmocka_unit_test(gradients_are_central_differences),
      cmocka_unit_test(gradients_of_polygons_are_central_differences),
      cmocka_unit_test(a_start_changes_no_bit),
      cmocka_unit_test(a_start_of_bodies_at_rest_changes_no_bit_of_the_normal),
      cmocka_unit_test(ratio_is_symmetric_and_scales),
      cmocka_unit_test(ratio_is_as_good_a_metric_as_depth),
      cmocka_unit_test(centres_that_coincide_have_ratio_zero),
      cmocka_unit_test(work_is_linear_in_the_facets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
