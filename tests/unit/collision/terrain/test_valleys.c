// Valleys and pits of ground hold bodies as the half-spaces of their faces do; beside a heightfield nothing does.
#include "unit/collision/terrain/dented.h"

enum { MOST_FACES = 6 };

static const double half = 0.1; // of a cube's edge

// A body of some kind and the ground, which does not move.
static srs_model *on_ground(const srs_shape_def *solid, const srs_shape_def *ground)
{
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "body", SRS_JOINT_FREE, NULL);
  bodies_add_shape(builder, ground);
  bodies_add_shape(builder, solid);
  return bodies_build(builder);
}

static srs_shape_def shape_of_mesh(srs_shape_kind kind, const char *name, const char *link, const dented_mesh *m)
{
  srs_shape_def def = bodies_shape(kind, name, link, 0, 0, 0);
  def.points = m->points, def.n_points = m->n_points;
  def.triangles = m->triangles, def.n_triangles = m->n_triangles;
  return def;
}

static void make_cube(dented_mesh *m)
{
  static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  m->n_points = m->n_triangles = 0;
  for (size_t i = 0; i < 24; i += 3)
    dented_add_point(m, half * bodies_cube[i], half * bodies_cube[i + 1], half * bodies_cube[i + 2]);
  for (int i = 0; i < 6; i++) {
    dented_add_triangle(m, faces[i][0], faces[i][1], faces[i][2]);
    dented_add_triangle(m, faces[i][0], faces[i][2], faces[i][3]);
  }
}

// A cube as a box, a hull or a surface.
static srs_shape_def cube_of_kind(srs_shape_kind kind, const dented_mesh *m)
{
  return kind == SRS_SHAPE_BOX ? bodies_shape(kind, "cube", "body", 2 * half, 2 * half, 2 * half)
                               : shape_of_mesh(kind, "cube", "body", m);
}

// A closed block with a valley along y at x = z = 0, between slopes of the angles left and right, in `strips` strips.
static void make_valley(dented_mesh *m, double left, double right, int strips)
{
  const double section[5][2] = {
      {-3 * cos(left), 3 * sin(left)}, {0, 0}, {3 * cos(right), 3 * sin(right)}, {4, -2}, {-4, -2}};
  static const int cap[3][3] = {{0, 1, 4}, {1, 3, 4}, {1, 2, 3}};
  m->n_points = m->n_triangles = 0;
  for (int i = 0; i <= strips; i++)
    for (int j = 0; j < 5; j++) dented_add_point(m, section[j][0], 4.0 * i / strips - 2, section[j][1]);
  for (int i = 0; i < strips; i++)
    for (int j = 0; j < 5; j++) {
      const int a = 5 * i + j, b = 5 * i + (j + 1) % 5;
      dented_add_triangle(m, a, b, b + 5);
      dented_add_triangle(m, a, b + 5, a + 5);
    }
  for (int i = 0; i < 3; i++) {
    dented_add_triangle(m, cap[i][1], cap[i][0], cap[i][2]);
    dented_add_triangle(m, cap[i][0] + 5 * strips, cap[i][1] + 5 * strips, cap[i][2] + 5 * strips);
  }
}

static vec3 corner_at(const srs_pose *pose, int i)
{
  return add3(vec3_load(pose->position),
              rotate(mat3_from_rows(pose->rotation), scale3(half, vec3_load(bodies_cube + 3 * (size_t)i))));
}

// How deep the cube is below the deepest plane.
static double depth_below(const srs_pose *pose, const vec3 *normals, int n)
{
  double lowest = INFINITY;
  for (int f = 0; f < n; f++)
    for (int i = 0; i < 8; i++) lowest = fmin(lowest, dot3(normals[f], corner_at(pose, i)));
  return -lowest;
}

// A cube of any orientation whose lowest corner is at p, or higher if it is farther below a plane than `most`.
static srs_pose pose_with_lowest_at(testing_random *random, vec3 p, const vec3 *normals, int n, double most)
{
  srs_pose pose = bodies_random_pose(random, 0);
  vec3 up = vec3_zero;
  for (int f = 0; f < n; f++) up = add3(up, normals[f]);
  vec3 lowest = corner_at(&pose, 0);
  for (int i = 1; i < 8; i++)
    if (dot3(up, sub3(corner_at(&pose, i), lowest)) < 0) lowest = corner_at(&pose, i);
  vec3_store(pose.position, sub3(p, lowest));
  up = scale3(1 / norm3(up), up);
  for (int i = 0; i < 100 && depth_below(&pose, normals, n) > most; i++)
    vec3_store(pose.position, add_scaled3(vec3_load(pose.position), depth_below(&pose, normals, n) - 0.9 * most, up));
  return pose;
}

// The least gap of contact points with a normal, from the ground to the body.
static double least_gap(const srs_contact_point *contacts, int n, vec3 normal)
{
  double least = INFINITY;
  for (int i = 0; i < n; i++)
    if (norm3(add3(vec3_load(contacts[i].normal), normal)) < 1e-9) least = fmin(least, contacts[i].gap);
  return least;
}

// Each face that the cube is below or, by `margin`, near to beside the valley's line, has its contact point.
static void check_faces(srs_collider *collider, const srs_pose *pose, const vec3 *normals, int n_faces, double margin)
{
  int n;
  srs_contact_point *contacts = bodies_contacts(collider, pose, margin, &n);
  for (int f = 0; f < n_faces; f++) {
    vec3 lowest = corner_at(pose, 0);
    for (int i = 1; i < 8; i++)
      if (dot3(normals[f], corner_at(pose, i)) < dot3(normals[f], lowest)) lowest = corner_at(pose, i);
    const double height = dot3(normals[f], lowest), least = least_gap(contacts, n, normals[f]);
    const bool is_near = height < -1e-9 || (n_faces == 2 && hypot(lowest.x, lowest.z) < margin - 1e-9);
    if (is_near ? !(fabs(least - height) < 1e-12) : !(least >= height - 1e-12))
      fail_msg("face %d of %d: height %g, gap %g, lowest corner %g %g %g", f, n_faces, height, least, lowest.x,
               lowest.y, lowest.z);
  }
  free(contacts);
}

static const srs_shape_kind cubes[] = {SRS_SHAPE_BOX, SRS_SHAPE_HULL, SRS_SHAPE_SURFACE};
static const srs_shape_kind grounds[] = {SRS_SHAPE_TERRAIN, SRS_SHAPE_SURFACE};

static void both_faces_of_a_valley_hold_a_cube(void **state)
{
  (void)state;
  testing_random random = testing_random_start(821);
  dented_mesh cube, valley;
  make_cube(&cube);
  for (int trial = 0; trial < 120; trial++) {
    const double left = testing_uniform(&random, -0.3, 1.2),
                 right = testing_uniform(&random, fmax(0, -left) + 0.1, 1.5);
    make_valley(&valley, left, right, 1 + trial % 4);
    const srs_shape_def solid = cube_of_kind(cubes[trial % 3], &cube);
    const srs_shape_def ground = shape_of_mesh(grounds[trial / 3 % 2], "ground", NULL, &valley);
    srs_model *model = on_ground(&solid, &ground);
    srs_collider *collider = bodies_collider(model, NULL);
    const vec3 normals[2] = {{sin(left), 0, cos(left)}, {-sin(right), 0, cos(right)}};
    for (int k = 0; k < 50; k++) {
      const double size = k % 2 == 0 ? 1e-5 : trial % 3 == 2 ? 1.5e-3 : 3e-3; // surfaces are seen 3.4 mm deep
      const vec3 p = {testing_uniform(&random, -size, size), k % 3 == 0 ? 0 : testing_uniform(&random, -1, 1),
                      testing_uniform(&random, -size, size)};
      const srs_pose pose = pose_with_lowest_at(&random, p, normals, 2, 2 * size);
      check_faces(collider, &pose, normals, 2, k % 5 == 0 ? size : 3e-3);
    }
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
}

// A pit with its deepest point at the origin. @return its faces
static int make_pit(dented_mesh *m, testing_random *random, vec3 normals[MOST_FACES])
{
  const int n = 3 + testing_below(random, MOST_FACES - 2);
  const double rise = testing_uniform(random, 0.1, 0.7); // on a cone: all edges are valleys
  m->n_points = m->n_triangles = 0;
  dented_add_point(m, 0, 0, 0);
  for (int i = 0; i < n; i++) {
    const double turn = 2 * 3.14159265358979323846 * (i + testing_uniform(random, -0.2, 0.2)) / n;
    dented_add_point(m, 3 * cos(turn), 3 * sin(turn), 3 * rise);
  }
  for (int i = 0; i < n; i++) {
    const int a = 1 + i, b = 1 + (i + 1) % n;
    dented_add_triangle(m, 0, a, b);
    const vec3 cross = cross3(vec3_load(m->points + 3 * (size_t)a), vec3_load(m->points + 3 * (size_t)b));
    normals[i] = scale3(1 / norm3(cross), cross);
  }
  return n;
}

static void all_faces_of_a_pit_hold_a_corner(void **state)
{
  (void)state;
  testing_random random = testing_random_start(822);
  dented_mesh cube, pit;
  make_cube(&cube);
  for (int trial = 0; trial < 120; trial++) {
    vec3 normals[MOST_FACES];
    const int n_faces = make_pit(&pit, &random, normals);
    const srs_shape_def solid = cube_of_kind(cubes[trial % 3], &cube);
    const srs_shape_def ground = shape_of_mesh(SRS_SHAPE_TERRAIN, "ground", NULL, &pit);
    srs_model *model = on_ground(&solid, &ground);
    srs_collider *collider = bodies_collider(model, NULL);
    for (int k = 0; k < 50; k++) {
      const double size = k % 2 == 0 ? 1e-5 : trial % 3 == 2 ? 1.5e-3 : 3e-3; // surfaces are seen 3.4 mm deep
      const vec3 p = {testing_uniform(&random, -size, size), testing_uniform(&random, -size, size),
                      testing_uniform(&random, -size, 0)};
      const srs_pose pose = pose_with_lowest_at(&random, p, normals, n_faces, 2 * size);
      check_faces(collider, &pose, normals, n_faces, k % 5 == 0 ? size : 3e-3);
    }
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
}

static void a_pit_holds_the_tip_of_a_cone(void **state)
{
  (void)state;
  testing_random random = testing_random_start(823);
  dented_mesh pit;
  vec3 normals[MOST_FACES];
  for (int trial = 0; trial < 20; trial++) {
    const int n_faces = make_pit(&pit, &random, normals);
    const srs_shape_def cone = bodies_shape(SRS_SHAPE_CONE, "cone", "body", 0.05, 0.2, 0);
    const srs_shape_def ground = shape_of_mesh(SRS_SHAPE_TERRAIN, "ground", NULL, &pit);
    srs_model *model = on_ground(&cone, &ground);
    srs_collider *collider = bodies_collider(model, NULL);
    const double depth = trial % 2 == 0 ? 1e-5 : 1e-3;
    srs_pose pose = bodies_at(0, 0, 0.1 - depth);
    pose.rotation[4] = pose.rotation[8] = -1;
    int n;
    srs_contact_point *contacts = bodies_contacts(collider, &pose, 0, &n);
    assert_true(n >= n_faces);
    for (int f = 0; f < n_faces; f++)
      assert_true(fabs(least_gap(contacts, n, normals[f]) + depth * normals[f].z) < 1e-12);
    free(contacts);
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
}

// However high its border is, and however deep the body.
static void nothing_holds_a_body_beside_a_heightfield(void **state)
{
  (void)state;
  testing_random random = testing_random_start(824);
  enum { SIDE = 4 };
  dented_mesh cube;
  make_cube(&cube);
  for (int trial = 0; trial < 60; trial++) {
    double heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = testing_uniform(&random, 0, 1);
    srs_shape_def ground = bodies_shape(SRS_SHAPE_HEIGHTFIELD, "ground", NULL, 1, 0.7, 0);
    ground.heights = heights, ground.n_rows = ground.n_columns = SIDE;
    const srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, "ball", "body", sqrt(3) * half, 0, 0);
    const srs_shape_def solid = trial % 4 == 3 ? ball : cube_of_kind(cubes[trial % 4], &cube);
    srs_model *model = on_ground(&solid, &ground);
    srs_collider *collider = bodies_collider(model, NULL);
    for (int k = 0; k < 50; k++) {
      srs_pose pose = bodies_random_pose(&random, 1.5);
      const int across = k & 1;
      const double reach = across ? 1.05 : 1.5, side = k & 2 ? 1 : -1;
      pose.position[across] = side * (reach + 1.75 * half + testing_uniform(&random, 0, 0.3));
      int n;
      free(bodies_contacts(collider, &pose, 1e-4, &n));
      assert_int_equal(n, 0);
      if (trial % 4 == 2) continue; // a surface has no distance from ground
      pose.position[2] = 2;
      srs_ray_hit hit;
      srs_error error;
      const double down[3] = {0, 0, -1};
      assert_int_equal(srs_collider_sweep(collider, &pose, 1, down, 4, &hit, &error), SRS_OK);
      if (hit.shape != -1)
        fail_msg("trial %d k %d hit at %g: %g %g %g, n %g %g %g; pos %g %g", trial, k, hit.distance, hit.point[0],
                 hit.point[1], hit.point[2], hit.normal[0], hit.normal[1], hit.normal[2], pose.position[0],
                 pose.position[1]);
    }
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_faces_of_a_valley_hold_a_cube),
      cmocka_unit_test(all_faces_of_a_pit_hold_a_corner),
      cmocka_unit_test(a_pit_holds_the_tip_of_a_cone),
      cmocka_unit_test(nothing_holds_a_body_beside_a_heightfield),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
