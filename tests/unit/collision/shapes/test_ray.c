// Rays against solids. A hit is right when its point lies on the surface, the whole solid lies behind the plane through
// it with the normal given, and the ray goes through that plane inwards: then nothing was met before. A miss is right
// when no point along the ray is inside.
#include "collision/shapes/ray.h"
#include "support/convex_check.h"

static void check_hit(const srs_placed *placed, vec3 from, vec3 along, double distance, vec3 normal)
{
  const vec3 p = add_scaled3(from, distance, along);
  const bool is_curved = placed->solid->kind == SRS_SHAPE_ELLIPSOID || placed->solid->kind == SRS_SHAPE_PARABOLOID ||
                         placed->solid->kind == SRS_SHAPE_SUPERELLIPSOID;
  const double rounding = 1e-14 * (1 + norm3(from)) * (is_curved ? 10 : 1);
  // Grazing rays: an error e across moves the point along by sqrt(e r); the height stays.
  assert_true(fabs(solid_height(placed, p)) <= 4e-14 * (1 + norm3(from)));
  assert_true(fabs(norm3(normal) - 1) < 1e-14);
  assert_true(dot3(normal, along) <= 1e-7);
  const double behind = dot3(normal, sub3(solid_reach(placed, normal), p));
  if (!(fabs(behind) <= 4 * rounding)) print_error("kind %d: %.3g behind the plane\n", placed->solid->kind, behind);
  assert_true(fabs(behind) <= 4 * rounding);
}

static int check_ray(const srs_placed *placed, vec3 from, vec3 along, double length)
{
  double distance = -7;
  vec3 normal = {7, 7, 7};
  if (srs_solid_cast_ray(placed, from, along, length, &distance, &normal)) {
    assert_true(distance >= 0 && distance <= length);
    check_hit(placed, from, along, distance, normal);
    double same;
    vec3 normal_too;
    assert_true(srs_solid_cast_ray(placed, from, along, distance * (1 + 1e-12), &same, &normal_too));
    assert_false(srs_solid_cast_ray(placed, from, along, distance * (1 - 1e-12), &same, &normal_too));
    return 1;
  }
  assert_true(distance == -7 && normal.x == 7); // untouched
  if (solid_height(placed, from) < 0) return 0;
  for (int i = 0; i < 200; i++) assert_true(solid_height(placed, add_scaled3(from, length * i / 200, along)) > -1e-12);
  return 0;
}

static void rays_meet_every_kind_where_they_should(void **state)
{
  (void)state;
  testing_random random = testing_random_start(51);
  const srs_shape_kind more[2] = {SRS_SHAPE_SUPERELLIPSOID, SRS_SHAPE_PARABOLOID};
  for (int k = 0; k < CONVEX_KINDS + 2; k++) {
    int n_hits = 0;
    for (int trial = 0; trial < 2000; trial++) {
      srs_solid solid;
      make_solid(&random, k < CONVEX_KINDS ? convex_kinds[k] : more[k - CONVEX_KINDS], &solid);
      const srs_placed placed = random_placed(&random, &solid, 2);
      for (int i = 0; i < 5; i++) {
        const vec3 from = add3(placed.origin, random_vector(&random, i == 4 ? 100 : 2));
        const vec3 at = add3(placed.origin, random_vector(&random, 0.5)), away = sub3(at, from);
        n_hits +=
            check_ray(&placed, from, scale3(1 / norm3(away), away), i == 4 ? 200 : testing_uniform(&random, 0, 4));
      }
      release_solid(&solid);
    }
    assert_true(n_hits > 2000);
  }
}

static void rays_along_axes_and_sides_are_met(void **state)
{
  (void)state;
  testing_random random = testing_random_start(52);
  const vec3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  for (int k = 0; k < CONVEX_KINDS; k++)
    for (int trial = 0; trial < 1000; trial++) {
      srs_solid solid;
      make_solid(&random, convex_kinds[k], &solid);
      const srs_placed placed = {&solid, mat3_identity, vec3_zero};
      vec3 along = axes[trial % 6];
      if (solid.kind == SRS_SHAPE_CONE && trial % 2 == 0) { // along a generator
        const double angle = testing_uniform(&random, 0, 7);
        along = (vec3){-solid.size[0] * cos(angle), -solid.size[0] * sin(angle), solid.size[1]};
        along = scale3(trial % 4 == 0 ? 1 / norm3(along) : -1 / norm3(along), along);
      }
      check_ray(&placed, add_scaled3(random_vector(&random, 0.3), -3, along), along, 9);
      release_solid(&solid);
    }
}

static void known_hits_are_exact(void **state)
{
  (void)state;
  const srs_solid sphere = solid_of(SRS_SHAPE_SPHERE, 2, 0, 0), box = solid_of(SRS_SHAPE_BOX, 2, 4, 6);
  const srs_solid cylinder = solid_of(SRS_SHAPE_CYLINDER, 1, 4, 0), cone = solid_of(SRS_SHAPE_CONE, 1, 2, 0);
  const srs_solid capsule = solid_of(SRS_SHAPE_CAPSULE, 0.5, 2, 0), plane = solid_of(SRS_SHAPE_HALF_SPACE, 0, 0, 0);
  const struct {
    const srs_solid *solid;
    vec3 from, along, normal;
    double distance;
  } cases[] = {
      {&sphere, {-5, 0, 0}, {1, 0, 0}, {-1, 0, 0}, 3},
      {&box, {0.5, 0.25, 10}, {0, 0, -1}, {0, 0, 1}, 7},
      {&box, {0.5, 10, 2}, {0, -1, 0}, {0, 1, 0}, 8},
      {&cylinder, {0.5, 0, 10}, {0, 0, -1}, {0, 0, 1}, 8},
      {&cylinder, {-3, 0, 1.5}, {1, 0, 0}, {-1, 0, 0}, 2},
      {&capsule, {0, 0, 4}, {0, 0, -1}, {0, 0, 1}, 2.5},
      {&capsule, {0, 2, 0.5}, {0, -1, 0}, {0, 1, 0}, 1.5},
      {&cone, {-3, 0, 0}, {1, 0, 0}, {-0.894427190999916, 0, 0.447213595499958}, 2.5}, // (-2, 0, 1) / sqrt(5)
      {&cone, {0.25, 0, -4}, {0, 0, 1}, {0, 0, -1}, 3},
      {&plane, {3, -2, 5}, {0, 0, -1}, {0, 0, 1}, 5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const srs_placed placed = {cases[i].solid, mat3_identity, vec3_zero};
    double distance = 0;
    vec3 normal = vec3_zero;
    assert_true(srs_solid_cast_ray(&placed, cases[i].from, cases[i].along, INFINITY, &distance, &normal));
    assert_true(fabs(distance - cases[i].distance) < 1e-15 * 10); // the way's own rounding
    assert_true(norm3(sub3(normal, cases[i].normal)) < 1e-15);
    assert_false(srs_solid_cast_ray(&placed, cases[i].from, scale3(-1, cases[i].along), INFINITY, &distance, &normal));
    assert_false(
        srs_solid_cast_ray(&placed, cases[i].from, cases[i].along, cases[i].distance - 1e-9, &distance, &normal));
  }
}

static void rays_from_inside_meet_nothing(void **state)
{
  (void)state;
  testing_random random = testing_random_start(53);
  for (int k = 0; k < CONVEX_KINDS; k++)
    for (int trial = 0; trial < 1000; trial++) {
      srs_solid solid;
      make_solid(&random, convex_kinds[k], &solid);
      const srs_placed placed = random_placed(&random, &solid, 2);
      const vec3 from = add3(placed.origin, random_vector(&random, 0.3));
      double distance;
      vec3 normal;
      if (solid_height(&placed, from) < -1e-9)
        assert_false(srs_solid_cast_ray(&placed, from, random_unit(&random), INFINITY, &distance, &normal));
      release_solid(&solid);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_meet_every_kind_where_they_should),
      cmocka_unit_test(rays_along_axes_and_sides_are_met),
      cmocka_unit_test(known_hits_are_exact),
      cmocka_unit_test(rays_from_inside_meet_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
