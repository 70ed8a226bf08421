// Nearest points of bodies of convex functions, proven by the conditions of an optimum, checked with nothing but the
// functions themselves: both points in their own body, the line between them along a normal that lies in the cone of
// each body's gradients there. For convex functions no pair of points can then be nearer; an overlap is, moved apart by
// its depth, one that just touches.
#include "support/pairs_check.h"

#include <stdio.h>

enum { KINDS = 11, SIDES = 6 };

static const char *const names[KINDS] = {"sphere",     "ellipsoid", "superellipsoid", "half-space", "tube",
                                         "paraboloid", "function",  "cylinder",       "box",        "lens",
                                         "cap"};

typedef struct sample {
  srs_surface surfaces[SIDES];
  srs_pose poses[SIDES];
  srs_surface_body body;
  double radii[3];
} sample;

// An ellipsoid that leans to one side, as a function: |x over a|^2 - 1 with an exponential added, convex.
static void egg(const void *context, const double x[3], double *value, double *gradient, double *hessian)
{
  const double *a = context, e = 0.2 * exp(x[0] / a[0]);
  *value = e - 0.5;
  for (int i = 0; i < 3; i++) *value += 0.5 * x[i] * x[i] / (a[i] * a[i]);
  for (int i = 0; i < 3 && gradient != NULL; i++) gradient[i] = x[i] / (a[i] * a[i]) + (i == 0 ? e / a[0] : 0);
  for (int i = 0; i < 9 && hessian != NULL; i++)
    hessian[i] = i % 4 == 0 ? 1 / (a[i / 4] * a[i / 4]) + (i == 0 ? e / (a[0] * a[0]) : 0) : 0;
}

static srs_pose pose_of(mat3 axes, vec3 origin)
{
  srs_pose pose;
  mat3_to_rows(pose.rotation, axes);
  vec3_store(pose.position, origin);
  return pose;
}

// A half-space whose outward normal is an axis of the body, at a distance from its origin.
static void add_side(sample *s, int axis, double sign, double offset)
{
  const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const vec3 z = scale3(sign, axes[axis]), x = axes[(axis + 1) % 3];
  s->surfaces[s->body.n] = srs_default_surface(SRS_SURFACE_HALF_SPACE);
  s->poses[s->body.n++] = pose_of((mat3){x, cross3(z, x), z}, scale3(offset, z));
}

static void add_surface(sample *s, const srs_surface *surface, vec3 at)
{
  s->surfaces[s->body.n] = *surface;
  s->poses[s->body.n++] = pose_of(mat3_identity, at);
}

static void make_sample(testing_random *random, int kind, sample *s)
{
  const srs_surface_kind single[7] = {SRS_SURFACE_SPHERE,     SRS_SURFACE_ELLIPSOID, SRS_SURFACE_SUPERELLIPSOID,
                                      SRS_SURFACE_HALF_SPACE, SRS_SURFACE_CYLINDER,  SRS_SURFACE_PARABOLOID,
                                      SRS_SURFACE_FUNCTION};
  const srs_surface_kind first[4] = {SRS_SURFACE_CYLINDER, SRS_SURFACE_HALF_SPACE, SRS_SURFACE_SPHERE,
                                     SRS_SURFACE_PARABOLOID};
  srs_surface surface = srs_default_surface(kind < 7 ? single[kind] : first[kind - 7]);
  *s = (sample){.body = {.n = 0}};
  for (int i = 0; i < 3; i++) surface.size[i] = s->radii[i] = testing_uniform(random, 0.1, 1);
  const double exponents[4] = {2, 2.5, 4, 8};
  surface.exponent[1] = exponents[testing_below(random, 4)];
  surface.exponent[0] = surface.exponent[1] == 2 ? 2 : exponents[testing_below(random, 4)];
  if (kind == 6) surface.function = egg, surface.context = s->radii;
  if (kind < 8 || kind == 10) add_surface(s, &surface, vec3_zero);
  if (kind == 7) add_side(s, 2, 1, s->radii[1]), add_side(s, 2, -1, s->radii[1]);
  for (int i = 0; i < 6 && kind == 8; i++) add_side(s, i / 2, i % 2 ? 1 : -1, s->radii[i / 2]);
  for (int i = 0; i < 2 && kind == 9; i++)
    add_surface(s, &surface, (vec3){0, 0, (i ? 0.5 : -0.5) * testing_uniform(random, 0.1, 1) * surface.size[0]});
  if (kind == 10) add_side(s, 2, -1, s->radii[2]);
  s->body.surfaces = s->surfaces, s->body.poses = s->poses;
  assert_int_equal(srs_surface_body_prepare(&s->body, NULL), SRS_OK);
}

static bool is_bounded(int kind) { return kind < 3 || kind > 5; }

// ---------------------------------------------------------------------------------------------------------------------
// The check

// How far a point and a normal are from what (1) of surface_closest.c asks of one body; 0 is perfect.
static double fault_of(const sample *s, const srs_pose *pose, vec3 point, vec3 outward, const double *weight)
{
  const mat3 axes = mat3_from_rows(pose->rotation);
  vec3 rest = outward;
  double fault = 0;
  for (int k = 0; k < s->body.n; k++) {
    const mat3 own = mul3(axes, mat3_from_rows(s->poses[k].rotation));
    const vec3 origin = add3(vec3_load(pose->position), rotate(axes, vec3_load(s->poses[k].position)));
    const vec3 local = rotate_back(own, sub3(point, origin));
    const double at[3] = {local.x, local.y, local.z};
    double value, gradient[3], hessian[9];
    srs_surface_evaluate(&s->surfaces[k], at, &value, gradient, hessian);
    rest = add_scaled3(rest, -weight[k], rotate(own, vec3_load(gradient)));
    fault = fmax(fault, fmax(value, weight[k] > 0 ? fabs(value) : 0));
    if (!(weight[k] >= 0)) fault = INFINITY;
  }
  return fmax(fault, norm3(rest));
}

static double fault(const sample *a, const srs_pose *pose_a, const sample *b, const srs_pose *pose_b,
                    const srs_surface_gap *gap)
{
  const vec3 n = vec3_load(gap->normal), x = vec3_load(gap->point_a), y = vec3_load(gap->point_b);
  const double line = norm3(add_scaled3(sub3(x, y), -gap->gap, n)), unit = fabs(norm3(n) - 1);
  const double of_a = fault_of(a, pose_a, x, scale3(-1, n), gap->weight_a);
  return fmax(fmax(line, unit), fmax(of_a, fault_of(b, pose_b, y, n, gap->weight_b)));
}

// Sizes are about 1 m.
static bool is_right(const sample *a, const srs_pose *pose_a, const sample *b, const srs_pose *pose_b,
                     srs_surface_gap *gap)
{
  return srs_surface_closest(&a->body, pose_a, &b->body, pose_b, gap) && gap->is_proven &&
         fault(a, pose_a, b, pose_b, gap) < 1e-9;
}

// ---------------------------------------------------------------------------------------------------------------------

static int n_pairs(void) { return getenv("SARRUS_LONG") != NULL ? 1000000 : 20000; }

// An overlap that has no end is no pair: two bodies that open the same way. Only the unbounded are asked.
static void random_pairs_have_no_failures(void **state)
{
  (void)state;
  testing_random random = testing_random_start(91);
  int failures[KINDS][KINDS] = {{0}}, total = 0, apart = 0;
  long iterations = 0;
  for (int pair = 0; pair < n_pairs(); pair++) {
    int kind_a = testing_below(&random, KINDS), kind_b = testing_below(&random, KINDS);
    if (!is_bounded(kind_a) && !is_bounded(kind_b)) kind_b = 0;
    sample a, b;
    make_sample(&random, kind_a, &a);
    make_sample(&random, kind_b, &b);
    const mat3 turn_a = random_axes(&random), turn_b = random_axes(&random);
    const double far[4] = {0.3, 1, 2, 20};
    const srs_pose pose_a = pose_of(turn_a, random_vector(&random, far[pair % 4])), pose_b = pose_of(turn_b, vec3_zero);
    srs_surface_gap gap = {0};
    if (!is_right(&a, &pose_a, &b, &pose_b, &gap)) failures[kind_a][kind_b]++, total++;
    iterations += gap.iterations, apart += gap.gap > 0;
  }
  printf("%d pairs, %d apart, %.1f systems each, %d failures\n", n_pairs(), apart, (double)iterations / n_pairs(),
         total);
  for (int i = 0; i < KINDS && total > 0; i++)
    for (int k = 0; k < KINDS; k++)
      if (failures[i][k] > 0) printf("  %s and %s: %d\n", names[i], names[k], failures[i][k]);
  assert_int_equal(total, 0);
}

// Moved along the normal until they touch, and a little to either side.
static void touching_pairs_have_no_failures(void **state)
{
  (void)state;
  testing_random random = testing_random_start(92);
  int total = 0;
  for (int pair = 0; pair < n_pairs() / 10; pair++) {
    sample a, b;
    make_sample(&random, testing_below(&random, KINDS), &a);
    make_sample(&random, testing_below(&random, 3), &b);
    const mat3 turn_a = random_axes(&random), turn_b = random_axes(&random);
    srs_pose pose_a = pose_of(turn_a, random_vector(&random, 2)), pose_b = pose_of(turn_b, vec3_zero);
    srs_surface_gap gap = {0}, touching = {0};
    const double asked[5] = {0, 1e-12, -1e-12, 1e-6, -1e-6};
    if (!is_right(&a, &pose_a, &b, &pose_b, &gap)) total++;
    const vec3 back = scale3(asked[pair % 5] - gap.gap, vec3_load(gap.normal));
    vec3_store(pose_a.position, add3(vec3_load(pose_a.position), back));
    if (!is_right(&a, &pose_a, &b, &pose_b, &touching)) {
      total++;
      continue;
    }
    assert_true(fabs(touching.gap - asked[pair % 5]) < 1e-9);
  }
  assert_int_equal(total, 0);
}

static void balls_and_planes_are_as_far_as_is_known(void **state)
{
  (void)state;
  testing_random random = testing_random_start(93);
  for (int trial = 0; trial < 500; trial++) {
    sample a, b, plane;
    srs_surface_gap gap;
    make_sample(&random, 0, &a), make_sample(&random, 0, &b), make_sample(&random, 3, &plane);
    const vec3 at = random_vector(&random, 1);
    const srs_pose pose_a = pose_of(random_axes(&random), at), pose_b = pose_of(random_axes(&random), vec3_zero);
    assert_true(is_right(&a, &pose_a, &b, &pose_b, &gap));
    assert_true(fabs(gap.gap - (norm3(at) - a.radii[0] - b.radii[0])) < 1e-12);
    assert_true(is_right(&a, &pose_a, &plane, &pose_b, &gap));
    assert_true(fabs(gap.gap - (dot3(mat3_from_rows(pose_b.rotation).z, at) - a.radii[0])) < 1e-12);
  }
}

static void a_union_is_as_far_as_its_nearest_body(void **state)
{
  (void)state;
  testing_random random = testing_random_start(94);
  for (int trial = 0; trial < 100; trial++) {
    sample a, b, parts[3];
    srs_surface_body bodies[3];
    make_sample(&random, trial % 3, &a), make_sample(&random, 7, &b);
    double least = INFINITY;
    const srs_pose pose = pose_of(random_axes(&random), random_vector(&random, 2)), origin = srs_identity_pose();
    for (int i = 0; i < 3; i++) {
      make_sample(&random, 7 + i, &parts[i]);
      bodies[i] = parts[i].body;
    }
    srs_surface_gap gap, one;
    assert_true(srs_surface_union_closest(&a.body, 1, &pose, bodies, 3, &origin, &gap));
    for (int i = 0; i < 3; i++) {
      assert_true(srs_surface_closest(&a.body, &pose, &bodies[i], &origin, &one));
      least = fmin(least, one.gap);
    }
    assert_true(gap.gap == least && gap.body_a == 0);
    assert_true(is_right(&a, &pose, &parts[gap.body_b], &origin, &one) && one.gap == least);
  }
}

static void bodies_without_an_inside_are_refused(void **state)
{
  (void)state;
  srs_error error;
  sample s = {.body = {.n = 0}};
  srs_surface ball = srs_default_surface(SRS_SURFACE_SPHERE);
  add_surface(&s, &ball, vec3_zero), add_surface(&s, &ball, (vec3){2.5, 0, 0});
  s.body.surfaces = s.surfaces, s.body.poses = s.poses;
  assert_int_equal(srs_surface_body_prepare(&s.body, &error), SRS_ERROR_MODEL);
  s.body.n = SRS_BODY_SURFACES + 1;
  assert_int_equal(srs_surface_body_prepare(&s.body, &error), SRS_ERROR_ARGUMENT);
  s.body.n = 1, s.surfaces[0].size[0] = -1;
  assert_int_equal(srs_surface_body_prepare(&s.body, &error), SRS_ERROR_MODEL);
}

// Concentric balls have no way out that is the shortest; two half-spaces, none at all in general.
static void overlaps_without_a_normal_of_their_own_have_an_answer(void **state)
{
  (void)state;
  testing_random random = testing_random_start(97);
  sample a, b, plane;
  srs_surface_gap gap;
  make_sample(&random, 0, &a), make_sample(&random, 0, &b), make_sample(&random, 3, &plane);
  const srs_pose origin = srs_identity_pose();
  assert_true(is_right(&a, &origin, &b, &origin, &gap));
  assert_true(fabs(gap.gap + a.radii[0] + b.radii[0]) < 1e-12);
  assert_false(srs_surface_closest(&plane.body, &origin, &plane.body, &origin, &gap));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_pairs_have_no_failures),
      cmocka_unit_test(touching_pairs_have_no_failures),
      cmocka_unit_test(balls_and_planes_are_as_far_as_is_known),
      cmocka_unit_test(a_union_is_as_far_as_its_nearest_body),
      cmocka_unit_test(bodies_without_an_inside_are_refused),
      cmocka_unit_test(overlaps_without_a_normal_of_their_own_have_an_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
