// Two surfaces of triangles: their contact points against closed forms, against convex hulls and by brute force.
// Under the sanitizers a fifth of the draws (testing_draws).
#include "unit/collision/terrain/dented.h"

enum { POSES = 60 };

// Two loose bodies with one shape each.
static srs_model *two(const dented_mesh *a, const dented_mesh *b, srs_shape_kind kind)
{
  const char *const names[] = {"a", "b"};
  const dented_mesh *const meshes[] = {a, b};
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < 2; i++) {
    bodies_add_link(builder, names[i], SRS_JOINT_FREE, NULL);
    srs_shape_def def = bodies_shape(kind, NULL, names[i], 0, 0, 0);
    def.points = meshes[i]->points, def.n_points = meshes[i]->n_points;
    def.triangles = meshes[i]->triangles, def.n_triangles = meshes[i]->n_triangles;
    bodies_add_shape(builder, &def);
  }
  return bodies_build(builder);
}

// A box with its middle at the origin.
static void box(dented_mesh *m, double x, double y, double z)
{
  static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  m->n_points = m->n_triangles = 0;
  for (int i = 0; i < 8; i++)
    dented_add_point(m, (i & 1 ? 0.5 : -0.5) * x, (i & 2 ? 0.5 : -0.5) * y, (i & 4 ? 0.5 : -0.5) * z);
  for (int i = 0; i < 6; i++) {
    dented_add_triangle(m, faces[i][0], faces[i][1], faces[i][2]);
    dented_add_triangle(m, faces[i][0], faces[i][2], faces[i][3]);
  }
}

static void a_box_stands_on_four_corners(void **state)
{
  (void)state;
  dented_mesh cube, table;
  box(&cube, 0.2, 0.2, 0.2);
  box(&table, 2, 2, 1);
  srs_model *model = two(&cube, &table, SRS_SHAPE_SURFACE);
  srs_collider *collider = bodies_collider(model, NULL);
  const double gaps[] = {1e-3, 0, -1e-6, -1e-3}, places[] = {0, 0.85, 0.95, 0.999};
  for (int g = 0; g < 4; g++)
    for (int p = 0; p < 4; p++) { // in the middle, within the border, over it
      const srs_pose links[2] = {bodies_at(places[p], 0.1, 0.6 + gaps[g]), bodies_at(0, 0, 0)};
      int n;
      srs_contact_point *contacts = bodies_contacts(collider, links, 2e-3, &n);
      assert_int_equal(n, 4);
      const double right = fmin(places[p] + 0.1, 1);
      for (int i = 0; i < n; i++) {
        assert_true(fabs(contacts[i].gap - gaps[g]) < 1e-14 && fabs(contacts[i].normal[2] - 1) < 1e-14);
        const double x = contacts[i].point_b[0], y = contacts[i].point_b[1];
        assert_true(fmin(fabs(x - right), fabs(x - places[p] + 0.1)) < 1e-12);
        assert_true(fmin(fabs(y - 0.2), fabs(y)) < 1e-12);
      }
      free(contacts);
    }
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

// The same solids as hulls, which GJK and EPA measure. Where they overlap, a contact's depth is that of a corner or
// edge below the face next to it, and the way that parts the bodies is mostly as long. It is longer where a body goes
// on beyond the face's border, and shorter where another direction leads out sooner.
static void convex_surfaces_are_as_far_apart_as_hulls(void **state)
{
  (void)state;
  testing_random random = testing_random_start(811);
  dented_mesh a, b;
  box(&a, 0.3, 0.2, 0.1);
  box(&b, 0.15, 0.25, 0.2);
  srs_model *surfaces = two(&a, &b, SRS_SHAPE_SURFACE), *hulls = two(&a, &b, SRS_SHAPE_HULL);
  srs_collider *mine = bodies_collider(surfaces, NULL), *theirs = bodies_collider(hulls, NULL);
  int n_apart = 0, n_deep = 0, n_equal = 0;
  for (int i = 0; i < 40 * POSES; i++) {
    const srs_pose links[2] = {bodies_random_pose(&random, 0.25), bodies_random_pose(&random, 0.05)};
    srs_contact_point nearest;
    srs_error error;
    const int frame_a = srs_model_find_frame(hulls, "a"), frame_b = srs_model_find_frame(hulls, "b");
    assert_int_equal(srs_collider_distance(theirs, links, frame_a, frame_b, &nearest, &error), SRS_OK);
    if (nearest.gap < -2e-3) continue; // deeper than surfaces look
    int n;
    srs_contact_point *contacts = bodies_contacts(mine, links, fmax(nearest.gap, 0) + 1e-3, &n);
    double gap = INFINITY;
    for (int k = 0; k < n; k++) gap = fmin(gap, contacts[k].gap);
    free(contacts);
    const bool is_equal = fabs(gap - nearest.gap) < 1e-12;
    assert_true(is_equal || (nearest.gap < 0 && gap < nearest.gap / 4 && gap > nearest.gap * 4));
    n_apart += nearest.gap > 0, n_deep += nearest.gap < 0, n_equal += is_equal && nearest.gap < 0;
  }
  print_message("%d apart, %d overlap, of these %d equally deep\n", n_apart, n_deep, n_equal);
  assert_true(n_apart > 100 && n_deep > 5 && 4 * n_equal >= 3 * n_deep);
  srs_collider_destroy(mine), srs_collider_destroy(theirs);
  srs_model_destroy(surfaces), srs_model_destroy(hulls);
}

// The least distance of corners and edges, each place of a fine division, from the other mesh: not below the truth, and
// above it by less than a part of an edge.
static double spread_distance(const dented_mesh *a, const srs_pose *at, const dented_mesh *b, const srs_pose *b_at)
{
  enum { PARTS = 16 };
  double least = INFINITY;
  for (int t = 0; t < a->n_triangles; t++)
    for (int c = 0; c < 3; c++) {
      if (a->triangles[3 * t + c] > a->triangles[3 * t + (c + 1) % 3]) continue;
      const vec3 from = dented_corner(a, at, t, c), along = sub3(dented_corner(a, at, t, (c + 1) % 3), from);
      for (int k = 0; k < b->n_triangles; k++) {
        const vec3 corner[3] = {dented_corner(b, b_at, k, 0), dented_corner(b, b_at, k, 1),
                                dented_corner(b, b_at, k, 2)};
        for (int i = 0; i <= PARTS; i++)
          least = fmin(least, dented_distance(add_scaled3(from, (double)i / PARTS, along), corner));
      }
    }
  return least;
}

static void the_nearest_contact_point_is_the_nearest_place(void **state)
{
  (void)state;
  testing_random random = testing_random_start(812);
  dented_mesh a, b;
  dented_ball(&a, 0.1, 5, 7, 0.1, &random);
  dented_bowl(&b, 0.3, 3, 7, 0.05, true, &random);
  srs_model *model = two(&a, &b, SRS_SHAPE_SURFACE);
  srs_collider *collider = bodies_collider(model, NULL);
  int n_apart = 0;
  for (int i = 0; i < POSES; i++) {
    srs_pose links[2] = {bodies_random_pose(&random, 0.12), srs_identity_pose()};
    links[0].position[2] += 0.15;
    if (dented_overlap(&a, &links[0], &b, &links[1], true) > 0 ||
        dented_overlap(&b, &links[1], &a, &links[0], true) > 0)
      continue;
    const double spread =
        fmin(spread_distance(&a, &links[0], &b, &links[1]), spread_distance(&b, &links[1], &a, &links[0]));
    int n;
    srs_contact_point *contacts = bodies_contacts(collider, links, spread + 1e-12, &n);
    double gap = INFINITY;
    for (int k = 0; k < n; k++) gap = fmin(gap, contacts[k].gap);
    free(contacts);
    assert_true(gap <= spread + 1e-12 && gap > -1e-12);
    if (spread > 0.01) assert_true(gap > 0.8 * spread); // edges are cut every 4 mm
    n_apart++;
  }
  assert_true(n_apart > 10);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

// The pose after a small motion: a turn about the body's own origin, and a way.
static srs_pose moved(const srs_pose *pose, vec3 turn, vec3 way)
{
  srs_pose after = *pose;
  const double half = 0.5 * norm3(turn), share = 0.5 * (half > 0 ? sin(half) / half : 1);
  const double q[4] = {cos(half), share * turn.x, share * turn.y, share * turn.z};
  double rotation[9];
  srs_rotation_from_quaternion(q, rotation);
  for (int i = 0; i < 3; i++) {
    after.position[i] += (const double[3]){way.x, way.y, way.z}[i];
    for (int k = 0; k < 3; k++) {
      after.rotation[3 * i + k] = 0;
      for (int l = 0; l < 3; l++) after.rotation[3 * i + k] += rotation[3 * i + l] * pose->rotation[3 * l + k];
    }
  }
  return after;
}

// Lengthens a way until no contact point closes that way, to first order. Shape 0, of link 0, is what moves.
static bool allow(const srs_contact_point *contacts, int n, const srs_pose *pose, vec3 turn, vec3 *way)
{
  for (int round = 0; round < 500; round++) {
    double worst = 0;
    for (int i = 0; i < n; i++) {
      const vec3 normal = vec3_load(contacts[i].normal);
      const vec3 arm = sub3(vec3_load(contacts[i].point_a), vec3_load(pose->position));
      const double gap = contacts[i].gap + dot3(normal, add3(*way, cross3(turn, arm)));
      if (gap >= 0) continue;
      *way = add_scaled3(*way, -gap, normal);
      worst = fmax(worst, -gap);
    }
    if (worst < 1e-9) return true;
  }
  return false;
}

// A step moves bodies as its contact points allow. What these say nothing of must not come to overlap: two rough balls
// that nearly touch turn by some 0.004 rad. What is left is of second order: a few times the square of the turn, times
// the radius.
static void what_contact_points_allow_does_not_overlap(void **state)
{
  (void)state;
  const double radius = 0.1, most = 0.004;
  testing_random random = testing_random_start(2);
  double worst = 0;
  int n_moved = 0;
  for (int i = 0; i < testing_draws(5 * POSES); i++) {
    dented_mesh a, b;
    dented_ball(&a, radius, 8, 12, 0.03, &random);
    dented_ball(&b, radius, 8, 12, 0.03, &random);
    srs_model *model = two(&a, &b, SRS_SHAPE_SURFACE);
    srs_collider *collider = bodies_collider(model, NULL);
    srs_pose links[2] = {bodies_random_pose(&random, 1), bodies_random_pose(&random, 0)};
    const double far = 2.5 * radius / norm3(vec3_load(links[0].position));
    for (int k = 0; k < 3; k++) links[0].position[k] *= far;
    srs_contact_point nearest;
    for (int k = 0; k < 6; k++) { // until they nearly touch
      const int frame_a = srs_model_find_frame(model, "a"), frame_b = srs_model_find_frame(model, "b");
      assert_int_equal(srs_collider_distance(collider, links, frame_a, frame_b, &nearest, NULL), SRS_OK);
      for (int c = 0; c < 3; c++) links[0].position[c] -= (nearest.gap - 1e-6) * nearest.normal[c];
    }
    vec3 turn = {0}, way = vec3_load(links[0].position);
    turn.x = testing_uniform(&random, -most, most), turn.y = testing_uniform(&random, -most, most);
    turn.z = testing_uniform(&random, -most, most), way = scale3(-0.5 * most * radius / norm3(way), way);
    int n;
    srs_contact_point *contacts = bodies_contacts(collider, links, 2 * most * radius, &n);
    if (allow(contacts, n, &links[0], turn, &way)) {
      const srs_pose after = moved(&links[0], turn, way);
      const double depth =
          fmax(dented_overlap(&a, &after, &b, &links[1], true), dented_overlap(&b, &links[1], &a, &after, true));
      worst = fmax(worst, depth);
      n_moved++;
    }
    free(contacts);
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
  print_message("%d motions, deepest overlap %.2g m\n", n_moved, worst);
  assert_true(n_moved > testing_draws(4 * POSES));
  assert_true(worst < 3 * most * most * radius);
}

static void only_closed_surfaces_that_show_their_outside_are_solids(void **state)
{
  (void)state;
  testing_random random = testing_random_start(813);
  dented_mesh open, turned;
  dented_bowl(&open, 0.3, 3, 7, 0, false, &random);
  box(&turned, 1, 1, 1);
  for (int i = 0; i < 3 * turned.n_triangles; i += 3) {
    const int kept = turned.triangles[i];
    turned.triangles[i] = turned.triangles[i + 1], turned.triangles[i + 1] = kept;
  }
  const dented_mesh *const wrong[] = {&open, &turned};
  const char *const words[] = {"close it, or give it as terrain", "counter-clockwise seen from outside"};
  for (int i = 0; i < 2; i++) {
    srs_model *model = two(wrong[i], wrong[i], SRS_SHAPE_SURFACE);
    srs_collider *collider = NULL;
    srs_error error;
    assert_int_equal(srs_collider_create(model, NULL, &collider, &error), SRS_ERROR_MODEL);
    assert_non_null(strstr(error.message, words[i]));
    assert_null(collider);
    srs_model_destroy(model);
  }
}

static void many_points_in_one_plane_are_reduced(void **state)
{
  (void)state;
  testing_random random = testing_random_start(814);
  dented_mesh bowl, table; // stands on its floor of 24 corners
  dented_bowl(&bowl, 0.3, 3, 24, 0, true, &random);
  box(&table, 2, 2, 1);
  srs_model *model = two(&bowl, &table, SRS_SHAPE_SURFACE);
  srs_collider *collider = bodies_collider(model, NULL);
  const srs_pose links[2] = {bodies_at(0, 0, 0.53), bodies_at(0, 0, 0)};
  int n;
  srs_contact_point *contacts = bodies_contacts(collider, links, 1e-3, &n);
  assert_true(n >= 6 && n <= SRS_MANIFOLD_POINTS);
  for (int i = 0; i < n; i++) assert_true(fabs(contacts[i].gap) < 1e-14);
  free(contacts);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_stands_on_four_corners),
      cmocka_unit_test(convex_surfaces_are_as_far_apart_as_hulls),
      cmocka_unit_test(the_nearest_contact_point_is_the_nearest_place),
      cmocka_unit_test(what_contact_points_allow_does_not_overlap),
      cmocka_unit_test(only_closed_surfaces_that_show_their_outside_are_solids),
      cmocka_unit_test(many_points_in_one_plane_are_reduced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
