// Values against the solids they stand for, derivatives against differences, convexity by chords.
#include "collision/surfaces/implicit_surface.h"
#include "support/pairs_check.h"

// The logarithm of a sum of exponentials of planes: convex, smooth, not a quadric.
static void rounded_box(const void *context, const double x[3], double *value, double *gradient, double *hessian)
{
  const double sharpness = *(const double *)context;
  double weight[6], sum = 0;
  for (int i = 0; i < 6; i++) {
    weight[i] = exp(sharpness * ((i < 3 ? 1 : -1) * x[i % 3] - 1));
    sum += weight[i];
  }
  *value = log(sum) / sharpness;
  double g[3];
  for (int i = 0; i < 3; i++) g[i] = (weight[i] - weight[3 + i]) / sum;
  for (int i = 0; i < 3 && gradient != NULL; i++) gradient[i] = g[i];
  for (int i = 0; i < 9 && hessian != NULL; i++)
    hessian[i] = sharpness * ((i % 4 == 0 ? (weight[i / 4] + weight[3 + i / 4]) / sum : 0) - g[i / 3] * g[i % 3]);
}

static const double sharpness = 3;

static srs_surface random_surface(testing_random *random, srs_surface_kind kind)
{
  srs_surface s = srs_default_surface(kind);
  for (int i = 0; i < 3; i++) s.size[i] = testing_uniform(random, 0.3, 2);
  const double exponents[4] = {2, 2.5, 4, 9};
  s.exponent[1] = exponents[testing_below(random, 4)];
  s.exponent[0] = s.exponent[1] == 2 ? 2 : exponents[testing_below(random, 4)];
  if (kind == SRS_SURFACE_FUNCTION) s.function = rounded_box, s.context = &sharpness;
  assert_int_equal(srs_surface_check(&s, NULL), SRS_OK);
  return s;
}

static void gradient_at(const srs_surface *s, const double x[3], double gradient[3])
{
  double value, hessian[9];
  srs_surface_evaluate(s, x, &value, gradient, hessian);
}

// Central differences of step 1e-5 err by 1e-10 of third derivatives, and by rounding over the step.
static void check_derivatives(const srs_surface *s, const double x[3])
{
  const double step = 1e-5;
  double value, gradient[3], hessian[9];
  srs_surface_evaluate(s, x, &value, gradient, hessian);
  assert_true(fabs(value - srs_surface_value(s, x)) <= 1e-15 * (1 + fabs(value)));
  for (int i = 0; i < 3; i++) {
    double above[3], below[3], up[3], down[3];
    for (int k = 0; k < 3; k++) above[k] = below[k] = x[k];
    above[i] += step, below[i] -= step;
    const double slope = (srs_surface_value(s, above) - srs_surface_value(s, below)) / (2 * step);
    assert_true(fabs(slope - gradient[i]) < 1e-7 * (1 + fabs(slope)));
    gradient_at(s, above, up), gradient_at(s, below, down);
    for (int k = 0; k < 3; k++) {
      const double bend = (up[k] - down[k]) / (2 * step);
      assert_true(fabs(bend - hessian[3 * i + k]) < 1e-5 * (1 + fabs(bend)));
      assert_true(hessian[3 * i + k] == hessian[3 * k + i]);
    }
  }
}

static void derivatives_agree_with_differences(void **state)
{
  (void)state;
  testing_random random = testing_random_start(81);
  for (int kind = 0; kind < SRS_SURFACE_KINDS; kind++)
    for (int trial = 0; trial < 300; trial++) {
      const srs_surface s = random_surface(&random, (srs_surface_kind)kind);
      double x[3];
      for (int i = 0; i < 3; i++) {
        x[i] = testing_uniform(&random, -2, 2);
        if (fabs(x[i]) < 0.05) x[i] = 0.05; // third derivatives of |x|^2.5 are unbounded at 0
      }
      check_derivatives(&s, x);
    }
}

static void derivatives_exist_on_axes_and_middle_planes(void **state)
{
  (void)state;
  const double exponents[3][2] = {{2, 2}, {4, 4}, {2, 4}};
  for (int e = 0; e < 3; e++) {
    srs_surface s = srs_default_surface(SRS_SURFACE_SUPERELLIPSOID);
    s.size[0] = 0.5, s.size[2] = 2, s.exponent[0] = exponents[e][0], s.exponent[1] = exponents[e][1];
    for (int zeros = 0; zeros < 7; zeros++) {
      const double x[3] = {zeros & 1 ? 0 : 0.4, zeros & 2 ? 0 : -0.7, zeros & 4 ? 0 : 1.3};
      check_derivatives(&s, x);
    }
  }
}

static void surfaces_are_where_the_solids_end(void **state)
{
  (void)state;
  testing_random random = testing_random_start(82);
  for (int trial = 0; trial < 1000; trial++) {
    const vec3 u = random_unit(&random);
    srs_surface egg = random_surface(&random, SRS_SURFACE_ELLIPSOID),
                ball = random_surface(&random, SRS_SURFACE_SPHERE),
                tube = random_surface(&random, SRS_SURFACE_CYLINDER), block = egg;
    const double on_egg[3] = {egg.size[0] * u.x, egg.size[1] * u.y, egg.size[2] * u.z};
    assert_true(fabs(srs_surface_value(&egg, on_egg)) < 1e-14);
    block.kind = SRS_SURFACE_SUPERELLIPSOID, block.exponent[0] = block.exponent[1] = 2;
    assert_true(fabs(srs_surface_value(&block, on_egg)) < 1e-14);
    const double on_ball[3] = {ball.size[0] * u.x, ball.size[0] * u.y, ball.size[0] * u.z};
    const double across = hypot(u.x, u.y), on_tube[3] = {tube.size[0] * u.x / across, tube.size[0] * u.y / across, u.z};
    double gradient[3];
    assert_true(fabs(srs_surface_value(&ball, on_ball)) < 1e-14);
    assert_true(fabs(srs_surface_value(&tube, on_tube)) < 1e-14);
    gradient_at(&ball, on_ball, gradient);
    assert_true(norm3(sub3(vec3_load(gradient), u)) < 1e-14);
    gradient_at(&tube, on_tube, gradient);
    assert_true(fabs(norm3(vec3_load(gradient)) - 1) < 1e-14);
  }
  srs_surface block = srs_default_surface(SRS_SURFACE_SUPERELLIPSOID);
  block.size[0] = 2.3, block.size[1] = 1.1, block.exponent[0] = block.exponent[1] = 4;
  const double corner = pow(1.0 / 3, 0.25), x[3] = {2.3 * corner, 1.1 * corner, corner};
  assert_true(fabs(srs_surface_value(&block, x)) < 1e-15);
  const srs_surface bowl = srs_default_surface(SRS_SURFACE_PARABOLOID);
  assert_true(srs_surface_value(&bowl, (const double[3]){1, 2, -2.5}) == 0);
}

static void functions_lie_below_their_chords(void **state)
{
  (void)state;
  testing_random random = testing_random_start(83);
  for (int kind = 0; kind < SRS_SURFACE_KINDS; kind++)
    for (int trial = 0; trial < 1000; trial++) {
      const srs_surface s = random_surface(&random, (srs_surface_kind)kind);
      double a[3], b[3], c[3];
      const double part = testing_uniform(&random, 0, 1);
      for (int i = 0; i < 3; i++) {
        a[i] = testing_uniform(&random, -2, 2), b[i] = testing_uniform(&random, -2, 2);
        c[i] = a[i] + part * (b[i] - a[i]);
      }
      const double chord = (1 - part) * srs_surface_value(&s, a) + part * srs_surface_value(&s, b);
      assert_true(srs_surface_value(&s, c) <= chord + 1e-12 * (1 + fabs(chord)));
    }
}

static void surfaces_that_are_none_are_refused(void **state)
{
  (void)state;
  srs_error error;
  srs_surface s = srs_default_surface(SRS_SURFACE_SPHERE);
  s.size[0] = 0;
  assert_int_equal(srs_surface_check(&s, &error), SRS_ERROR_MODEL);
  s = srs_default_surface(SRS_SURFACE_SUPERELLIPSOID);
  s.exponent[1] = 1.5;
  assert_int_equal(srs_surface_check(&s, &error), SRS_ERROR_MODEL);
  assert_non_null(strstr(error.message, "1.5"));
  s = srs_default_surface(SRS_SURFACE_FUNCTION);
  assert_int_equal(srs_surface_check(&s, &error), SRS_ERROR_MODEL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_agree_with_differences),
      cmocka_unit_test(derivatives_exist_on_axes_and_middle_planes),
      cmocka_unit_test(surfaces_are_where_the_solids_end),
      cmocka_unit_test(functions_lie_below_their_chords),
      cmocka_unit_test(surfaces_that_are_none_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
