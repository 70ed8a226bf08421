// The two programs against what is known in closed form: their ends are good to about 1e-5 in points, 1e-8 in values.
#include "collision/surfaces/surface_program.h"
#include "support/pairs_check.h"

static srs_placed_surfaces two_balls(const srs_surface *a, const srs_surface *b, vec3 at)
{
  srs_placed_surfaces placed = {.n = 2, .n_a = 1, .scale = 1};
  placed.surface[0] = a, placed.surface[1] = b;
  placed.axes[0] = placed.axes[1] = mat3_identity;
  placed.origin[0] = at;
  return placed;
}

static void the_level_of_two_equal_balls_is_halfway(void **state)
{
  (void)state;
  testing_random random = testing_random_start(95);
  const srs_surface ball = srs_default_surface(SRS_SURFACE_SPHERE);
  for (int trial = 0; trial < 300; trial++) {
    const vec3 at = random_vector(&random, 3), start = random_vector(&random, 5);
    const srs_placed_surfaces placed = two_balls(&ball, &ball, at);
    srs_program_end end;
    assert_true(srs_level_program(&placed, start, -INFINITY, &end));
    assert_true(fabs(end.level - (0.25 * dot3(at, at) - 1) / 2) < 1e-8);
    assert_true(norm3(sub3(end.point_a, scale3(0.5, at))) < 1e-4);
  }
}

static void the_distance_of_two_balls_is_that_of_their_centres_less_radii(void **state)
{
  (void)state;
  testing_random random = testing_random_start(96);
  srs_surface a = srs_default_surface(SRS_SURFACE_SPHERE), b = a;
  for (int trial = 0; trial < 300; trial++) {
    a.size[0] = testing_uniform(&random, 0.01, 1), b.size[0] = testing_uniform(&random, 0.01, 1);
    const vec3 n = random_unit(&random), shift = random_vector(&random, 1);
    const double far = a.size[0] + b.size[0] + testing_uniform(&random, 0.1, 100);
    const vec3 at = sub3(scale3(far, n), shift);
    const srs_placed_surfaces placed = two_balls(&a, &b, at);
    srs_program_end end;
    assert_true(srs_distance_program(&placed, shift, at, vec3_zero, 0, &end));
    assert_true(norm3(sub3(end.point_b, scale3(b.size[0], n))) < 1e-4);
    assert_true(norm3(sub3(end.point_a, add_scaled3(at, -a.size[0], n))) < 1e-4);
    // The weights are the pull, the distance, over gradients of length 1.
    assert_true(fabs(end.weight[0] / (far - a.size[0] - b.size[0]) - 1) < 1e-4);
  }
}

static void a_level_without_end_is_told(void **state)
{
  (void)state;
  const srs_surface plane = srs_default_surface(SRS_SURFACE_HALF_SPACE);
  const srs_placed_surfaces placed = two_balls(&plane, &plane, (vec3){0, 0, 1});
  srs_program_end end;
  assert_false(srs_level_program(&placed, vec3_zero, -INFINITY, &end));
  srs_level_program(&placed, vec3_zero, -1, &end);
  assert_true(end.level < -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_level_of_two_equal_balls_is_halfway),
      cmocka_unit_test(the_distance_of_two_balls_is_that_of_their_centres_less_radii),
      cmocka_unit_test(a_level_without_end_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
