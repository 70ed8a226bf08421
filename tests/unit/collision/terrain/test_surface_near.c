// What is near on a surface of triangles, against all of its triangles one by one.
#include "collision/terrain/surface_near.h"
#include "collision/terrain/terrain_arc.h"
#include "collision/terrain/terrain_build.h"
#include "collision/terrain/terrain_cone.h"
#include "unit/collision/terrain/dented.h"

static srs_terrain *terrain_of(const dented_mesh *m)
{
  srs_shape shape = {.kind = SRS_SHAPE_TERRAIN, .frame = -1};
  shape.points = m->points, shape.n_points = m->n_points;
  shape.triangles = m->triangles, shape.n_triangles = m->n_triangles;
  srs_terrain *terrain = NULL;
  srs_error error;
  if (srs_terrain_create(&shape, &terrain, &error) != SRS_OK) fail_msg("%s", error.message);
  return terrain;
}

static vec3 random_point(testing_random *random, double size)
{
  const double x = testing_uniform(random, -size, size), y = testing_uniform(random, -size, size);
  return (vec3){x, y, testing_uniform(random, -size, size)};
}

// The same triangle, place and side; and nothing is nearer by more than rounding. On the surface and beside it.
static void the_nearest_place_is_the_nearest_of_all_triangles(void **state)
{
  (void)state;
  testing_random random = testing_random_start(291);
  dented_mesh mesh;
  for (int trial = 0; trial < 8; trial++) {
    dented_ball(&mesh, 1, 4 + 2 * trial, 5 + 3 * trial, trial % 2 == 0 ? 0 : 0.05, &random);
    srs_terrain *terrain = terrain_of(&mesh);
    for (int i = 0; i < 500; i++) {
      const int corner = (int)testing_uniform(&random, 0, terrain->n_points - 0.5);
      const vec3 p = i % 5 == 0 ? terrain->points[corner] : random_point(&random, 1.5);
      srs_surface_nearest all = srs_surface_nothing(), found;
      for (int t = 0; t < terrain->n_triangles; t++) srs_surface_look_at(terrain, t, p, &all);
      for (int k = 0; k < 3; k++) {
        srs_surface_find_nearest(terrain, p, k == 0 ? 1e3 : all.distance * k + 1e-9, &found);
        assert_int_equal(found.triangle, all.triangle);
        assert_true(found.distance == all.distance && found.height == all.height);
        assert_true(norm3(sub3(found.at, all.at)) == 0);
      }
      if (all.distance < 1e-6) continue;
      assert_true(srs_surface_has_nearer(terrain, p, all.distance * (1 + 1e-6)));
      assert_false(srs_surface_has_nearer(terrain, p, all.distance * (1 - 1e-6)));
    }
    srs_terrain_destroy(terrain);
  }
}

// n . e <= 0 for the corners of the triangles around it; a fan of many triangles, too.
static void the_cone_of_a_corner_is_below_all_of_its_edges(void **state)
{
  (void)state;
  testing_random random = testing_random_start(292);
  dented_mesh mesh;
  int n_inside = 0;
  for (int trial = 0; trial < 6; trial++) {
    dented_ball(&mesh, 1, 5, trial == 5 ? 80 : 4 + 2 * trial, 0.02, &random);
    srs_terrain *terrain = terrain_of(&mesh);
    for (int point = 0; point < terrain->n_points; point++) {
      srs_corner_cone cone;
      srs_corner_cone_make(terrain, point, &cone);
      for (int i = 0; i < 40; i++) {
        const vec3 p = terrain->points[point], way = add3(scale3(1 / norm3(p), p), random_point(&random, 0.5));
        const vec3 n = scale3(1 / norm3(way), way);
        bool is_inside = true;
        for (int f = terrain->fan_begin[point]; f < terrain->fan_begin[point + 1]; f++)
          for (int k = 0; k < 3; k++) {
            const vec3 e = sub3(terrain_corner(terrain, terrain->fan[f], k), p);
            if (dot3(n, e) > SRS_ARC_END * norm3(e)) is_inside = false;
          }
        n_inside += is_inside;
        assert_int_equal(srs_corner_has_normal(terrain, point, n), is_inside);
        if (is_inside || cone.n < SRS_CONE_WAYS - 1) assert_int_equal(srs_corner_cone_has(&cone, n), is_inside);
      }
    }
    srs_terrain_destroy(terrain);
  }
  assert_true(n_inside > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_place_is_the_nearest_of_all_triangles),
      cmocka_unit_test(the_cone_of_a_corner_is_below_all_of_its_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
