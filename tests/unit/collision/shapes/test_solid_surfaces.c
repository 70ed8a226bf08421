// The functions of solids against what their kinds mean.

#include "collision/shapes/solid_surfaces.h"
#include "support/testing.h"

#include <math.h>

// Whether a point is inside, by the kind's own formula; far from its surface enough to tell, *sure.
static bool is_inside(const srs_solid *s, const double *x, bool *sure)
{
  const double *a = s->size, across = hypot(x[0], x[1]);
  double f = 0;
  switch (s->kind) {
  case SRS_SHAPE_SPHERE: f = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - a[0]; break;
  case SRS_SHAPE_ELLIPSOID: f = pow(x[0] / a[0], 2) + pow(x[1] / a[1], 2) + pow(x[2] / a[2], 2) - 1; break;
  case SRS_SHAPE_SUPERELLIPSOID: {
    const double p = s->exponent[0], q = s->exponent[1];
    f = pow(pow(fabs(x[0] / a[0]), p) + pow(fabs(x[1] / a[1]), p), q / p) + pow(fabs(x[2] / a[2]), q) - 1;
    break;
  }
  case SRS_SHAPE_BOX: f = fmax(fabs(x[0]) - a[0] / 2, fmax(fabs(x[1]) - a[1] / 2, fabs(x[2]) - a[2] / 2)); break;
  case SRS_SHAPE_CYLINDER: f = fmax(across - a[0], fabs(x[2]) - a[1] / 2); break;
  case SRS_SHAPE_PARABOLOID: f = fmax(x[2] + x[0] * x[0] / (2 * a[0]) + x[1] * x[1] / (2 * a[1]), -a[2] - x[2]); break;
  default: f = x[2]; break;
  }
  *sure = fabs(f) > 1e-9;
  return f < 0;
}

static double largest_value(const srs_solid_surfaces *s, const double *x)
{
  double most = -INFINITY;
  for (int i = 0; i < s->body.n; i++) {
    const double *R = s->pose[i].rotation, *o = s->pose[i].position;
    double local[3];
    for (int k = 0; k < 3; k++) local[k] = R[k] * (x[0] - o[0]) + R[3 + k] * (x[1] - o[1]) + R[6 + k] * (x[2] - o[2]);
    most = fmax(most, srs_surface_value(&s->surface[i], local));
  }
  return most;
}

static void functions_are_below_zero_where_the_solid_is(void **state)
{
  (void)state;
  static const srs_shape_kind kinds[] = {SRS_SHAPE_SPHERE,    SRS_SHAPE_ELLIPSOID, SRS_SHAPE_SUPERELLIPSOID,
                                         SRS_SHAPE_BOX,       SRS_SHAPE_CYLINDER,  SRS_SHAPE_PARABOLOID,
                                         SRS_SHAPE_HALF_SPACE};
  testing_random random = testing_random_start(17);
  for (int run = 0; run < 7000; run++) {
    srs_solid solid = {.kind = kinds[run % 7],
                       .exponent = {testing_uniform(&random, 2, 6), testing_uniform(&random, 2, 6)}};
    for (int i = 0; i < 3; i++) solid.size[i] = testing_uniform(&random, 0.3, 2);
    srs_solid_surfaces surfaces;
    assert_true(srs_solid_surfaces_make(&solid, &surfaces));
    const double x[3] = {testing_uniform(&random, -2, 2), testing_uniform(&random, -2, 2),
                         testing_uniform(&random, -2, 2)};
    bool sure;
    const bool inside = is_inside(&solid, x, &sure);
    if (sure) assert_true(inside == (largest_value(&surfaces, x) < 0));
    assert_true(largest_value(&surfaces, surfaces.body.centre) <= -surfaces.body.depth * (1 - 1e-12));
  }
}

static void other_kinds_have_none(void **state)
{
  (void)state;
  srs_solid_surfaces surfaces;
  const srs_solid cone = {.kind = SRS_SHAPE_CONE, .size = {1, 1, 1}}, hull = {.kind = SRS_SHAPE_HULL};
  assert_false(srs_solid_surfaces_make(&cone, &surfaces));
  assert_false(srs_solid_surfaces_make(&hull, &surfaces));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_are_below_zero_where_the_solid_is),
      cmocka_unit_test(other_kinds_have_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
