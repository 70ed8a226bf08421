// Shapes that are swept, and rays against meshes that move: closed forms, and brute force over all triangles.
#include "unit/collision/terrain/dented.h"

static srs_ray_hit sweep(srs_collider *collider, const srs_pose *links, vec3 direction, double length)
{
  srs_ray_hit hit;
  srs_error error;
  const double d[3] = {direction.x, direction.y, direction.z};
  if (srs_collider_sweep(collider, links, 0, d, length, &hit, &error) != SRS_OK) fail_msg("%s", error.message);
  return hit;
}

// The first shape on a body of its own; the second on the world, or on a body too.
static srs_model *pair(const srs_shape_def *moving, const srs_shape_def *other)
{
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "a", SRS_JOINT_FREE, NULL);
  if (other->link != NULL) bodies_add_link(builder, "b", SRS_JOINT_FREE, NULL);
  bodies_add_shape(builder, moving);
  bodies_add_shape(builder, other);
  return bodies_build(builder);
}

static void a_ball_meets_a_ball_and_a_floor_where_it_must(void **state)
{
  (void)state;
  const srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, "ball", "a", 0.2, 0, 0);
  const srs_shape_def other = bodies_shape(SRS_SHAPE_SPHERE, "other", "b", 0.3, 0, 0);
  const srs_shape_def floor = bodies_shape(SRS_SHAPE_HALF_SPACE, "floor", NULL, 0, 0, 0);
  const srs_pose links[2] = {bodies_at(-2, 0, 0.3), bodies_at(0, 0, 0)};
  srs_model *model = pair(&ball, &other);
  srs_collider *collider = bodies_collider(model, NULL);
  srs_ray_hit hit = sweep(collider, links, (vec3){2, 0, 0}, 10);
  assert_int_equal(hit.shape, 1);
  assert_true(fabs(hit.distance - (2 - 0.4)) < 1e-9); // 0.3, 0.4, 0.5: a right triangle
  assert_true(fabs(hit.normal[0] + 0.8) < 1e-8 && fabs(hit.normal[2] - 0.6) < 1e-8);
  assert_int_equal(sweep(collider, links, (vec3){2, 0, 0}, 1.5).shape, -1);   // too short
  assert_int_equal(sweep(collider, links, (vec3){-1, 0, 0}, 10).shape, -1);   // away
  assert_int_equal(sweep(collider, links, (vec3){1, 0.3, 0.1}, 9).shape, -1); // past it
  srs_collider_destroy(collider), srs_model_destroy(model);
  model = pair(&ball, &floor);
  collider = bodies_collider(model, NULL);
  hit = sweep(collider, links, (vec3){3, 0, -4}, 10);
  assert_true(hit.shape == 1 && fabs(hit.distance - 0.1 / 0.8) < 1e-9 && fabs(hit.normal[2] - 1) < 1e-12);
  assert_true(fabs(hit.point[0] - (-2 + 0.1 * 0.75)) < 1e-8);
  srs_error error;
  const double none[3] = {0, 0, 0}, down[3] = {0, 0, -1};
  assert_int_equal(srs_collider_sweep(collider, links, 1, down, 1, &hit, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_sweep(collider, links, 0, none, 1, &hit, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_sweep(collider, links, 0, down, INFINITY, &hit, &error), SRS_ERROR_NOT_FINITE);
  srs_collider_destroy(collider), srs_model_destroy(model);
}

// Where a ray from o along the unit d first is r away from the line through two points, between them, or from a point.
static double meets_edge(vec3 o, vec3 d, double r, vec3 a, vec3 b)
{
  const vec3 along = scale3(1 / norm3(sub3(b, a)), sub3(b, a)), w = sub3(o, a);
  const vec3 p = add_scaled3(d, -dot3(d, along), along), q = add_scaled3(w, -dot3(w, along), along);
  const double A = dot3(p, p), B = dot3(p, q), C = dot3(q, q) - r * r, root = B * B - A * C;
  if (!(root > 0) || !(A > 0)) return INFINITY;
  const double t = (-B - sqrt(root)) / A, at = dot3(add_scaled3(w, t, d), along);
  return t >= 0 && at >= 0 && at <= norm3(sub3(b, a)) ? t : INFINITY;
}

static double meets_point(vec3 o, vec3 d, double r, vec3 a)
{
  const vec3 w = sub3(o, a);
  const double B = dot3(d, w), root = B * B - dot3(w, w) + r * r;
  return root > 0 && -B - sqrt(root) >= 0 ? -B - sqrt(root) : INFINITY;
}

// A ball of radius r against all triangles; with r = 0 a ray.
static double meets_mesh(const dented_mesh *m, const srs_pose *pose, vec3 o, vec3 d, double r)
{
  double first = INFINITY;
  for (int t = 0; t < m->n_triangles; t++) {
    vec3 c[3];
    for (int k = 0; k < 3; k++) c[k] = dented_corner(m, pose, t, k);
    vec3 n = cross3(sub3(c[1], c[0]), sub3(c[2], c[0]));
    n = scale3(1 / norm3(n), n);
    const double rate = dot3(n, d), way = (r - dot3(n, sub3(o, c[0]))) / rate;
    bool is_over = rate < 0 && way >= 0;
    for (int k = 0; k < 3; k++) {
      const vec3 along = sub3(c[(k + 1) % 3], c[k]);
      is_over = is_over && dot3(cross3(n, along), sub3(add_scaled3(o, way, d), c[k])) >= 0;
      if (r > 0) first = fmin(first, fmin(meets_edge(o, d, r, c[k], c[(k + 1) % 3]), meets_point(o, d, r, c[k])));
    }
    if (is_over) first = fmin(first, way);
  }
  return first;
}

static void balls_and_rays_meet_meshes_where_brute_force_does(void **state)
{
  (void)state;
  testing_random random = testing_random_start(91);
  dented_mesh mesh;
  dented_ball(&mesh, 0.5, 7, 9, 0.05, &random);
  const srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, "ball", "a", 0.1, 0, 0);
  srs_shape_def other = bodies_shape(SRS_SHAPE_SURFACE, "other", "b", 0, 0, 0);
  other.points = mesh.points, other.n_points = mesh.n_points;
  other.triangles = mesh.triangles, other.n_triangles = mesh.n_triangles;
  srs_model *model = pair(&ball, &other);
  srs_collider *collider = bodies_collider(model, NULL);
  int n_hit = 0, n_passed = 0;
  for (int i = 0; i < 200; i++) {
    srs_pose links[2] = {bodies_random_pose(&random, 1), bodies_random_pose(&random, 0.1)};
    const vec3 o = scale3(2 / norm3(vec3_load(links[0].position)), vec3_load(links[0].position));
    vec3_store(links[0].position, o);
    const vec3 aim = {testing_uniform(&random, -0.6, 0.6), testing_uniform(&random, -0.6, 0.6),
                      testing_uniform(&random, -0.6, 0.6)};
    const vec3 way = sub3(aim, o), d = scale3(1 / norm3(way), way);
    const srs_ray_hit hit = sweep(collider, links, d, 5);
    const double truth = meets_mesh(&mesh, &links[1], o, d, 0.1);
    assert_int_equal(hit.shape, isinf(truth) ? -1 : 1);
    if (!isinf(truth)) assert_true(fabs(hit.distance - truth) < 1e-7);
    n_hit += !isinf(truth), n_passed += isinf(truth);
    const double from[3] = {o.x, o.y, o.z}, along[3] = {d.x, d.y, d.z};
    links[0].position[2] += 50; // the ball is out of the way
    srs_ray_hit of_ray;
    srs_error error;
    assert_int_equal(srs_collider_cast_ray(collider, links, from, along, 5, &of_ray, &error), SRS_OK);
    const double exact = meets_mesh(&mesh, &links[1], o, d, 0);
    assert_int_equal(of_ray.shape, isinf(exact) ? -1 : 1);
    if (!isinf(exact)) assert_true(fabs(of_ray.distance - exact) < 1e-12);
  }
  assert_true(n_hit > 50 && n_passed > 10);
  srs_collider_destroy(collider), srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_meets_a_ball_and_a_floor_where_it_must),
      cmocka_unit_test(balls_and_rays_meet_meshes_where_brute_force_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
