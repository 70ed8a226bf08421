// Two detectors of collision: ours, and Bullet's GJK and EPA with our manifolds. What rests and slides moves alike
// under both, and on the same poses they find the same gaps as far as Bullet's are right.
//
// Boxes and hulls: where Bullet's normal is that of a face the manifold is ours, so motions differ by rounding, which
// impacts and sliding multiply. Bullet has no ellipsoids: the grasp is the same to the bit.
#include "support/bodies.h"
#include "support/sims.h"

enum { BODIES = 12, ROOM = 2000 };

static double motion_difference(const char *sample, double duration)
{
  char path[64];
  snprintf(path, sizeof path, "samples/%s.yaml", sample);
  srs_scene *scene = scene_of_file(testing_source(path));
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.contact.collider.distance = SRS_DISTANCE_EUCLIDEAN;
  options.contact.collider.detector = SRS_DETECTOR_EXACT;
  srs_sim *exact = sim_of_scene(scene, &options);
  options.contact.collider.detector = SRS_DETECTOR_BULLET;
  srs_sim *bullet = sim_of_scene(scene, &options);
  double worst = 0;
  for (long i = 0; i < lround(duration / options.dt); i += 10) {
    step(exact, 10), step(bullet, 10);
    for (int k = 0; k < srs_model_nq(srs_scene_model(scene)); k++)
      worst = fmax(worst, fabs(srs_sim_q(exact)[k] - srs_sim_q(bullet)[k]));
  }
  assert_int_equal(srs_sim_get_statistics(bullet)->failures, srs_sim_get_statistics(exact)->failures);
  srs_sim_destroy(exact), srs_sim_destroy(bullet);
  srs_scene_destroy(scene);
  print_message("%s: coordinates differ by up to %.3g\n", sample, worst);
  return worst;
}

static void stacks_pyramids_and_grasps_move_alike(void **state)
{
  (void)state;
  assert_true(motion_difference("boxes_stacking", 1) < 1e-12);
  assert_true(motion_difference("pyramid1", 10) < 1e-10);
  assert_true(motion_difference("grasp", 1) == 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// The same poses
// ---------------------------------------------------------------------------------------------------------------------

// Of one size, 0.2 m wide; kinds from the list in turn.
static srs_model *heap(const srs_shape_kind *kinds, int n_kinds)
{
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < BODIES; i++) {
    char name[16];
    snprintf(name, sizeof name, "b%d", i);
    bodies_add_link(builder, name, SRS_JOINT_FREE, NULL);
    srs_shape_def def = bodies_shape(kinds[i % n_kinds], NULL, name, 0.1, 0.2, 0.15);
    double points[24];
    for (int p = 0; p < 24; p++) points[p] = (0.1 + 0.002 * p) * bodies_cube[p];
    def.points = points, def.n_points = 8;
    bodies_add_shape(builder, &def);
  }
  return bodies_build(builder);
}

static double least_gap(const srs_contact_point *contacts, int n, int a, int b)
{
  double least = INFINITY;
  for (int i = 0; i < n; i++)
    if (contacts[i].shape_a == a && contacts[i].shape_b == b) least = fmin(least, contacts[i].gap);
  return least;
}

// The largest difference of gaps over drawn poses, and the share of those above 1e-6 m, of pairs that one finds within
// reach and that overlap by no more than `depth`.
static void compare(testing_random *random, const srs_shape_kind *kinds, int n_kinds, double depth, double *worst,
                    double *share)
{
  enum { MOST = 100000, POSES = 400 };
  static double differences[MOST];
  static srs_contact_point of_exact[ROOM], of_bullet[ROOM];
  const double reach = 0.02;
  srs_model *model = heap(kinds, n_kinds);
  srs_collider_options options = srs_default_collider_options();
  srs_collider *exact = bodies_collider(model, &options);
  options.detector = SRS_DETECTOR_BULLET;
  srs_collider *bullet = bodies_collider(model, &options);
  int n = 0;
  for (int pose = 0; pose < POSES; pose++) {
    srs_pose links[BODIES];
    int n_exact, n_bullet;
    for (int k = 0; k < BODIES; k++) links[k] = bodies_random_pose(random, 0.4);
    assert_int_equal(srs_collider_contacts(exact, links, reach, of_exact, ROOM, &n_exact, NULL), SRS_OK);
    assert_int_equal(srs_collider_contacts(bullet, links, reach, of_bullet, ROOM, &n_bullet, NULL), SRS_OK);
    for (int i = 0; i < BODIES; i++)
      for (int k = i + 1; k < BODIES && n < MOST; k++) {
        const double first = fmin(least_gap(of_exact, n_exact, i, k), reach);
        const double second = fmin(least_gap(of_bullet, n_bullet, i, k), reach);
        if (first < -depth || (first == reach && second == reach)) continue;
        differences[n++] = fabs(first - second);
      }
  }
  srs_collider_destroy(exact), srs_collider_destroy(bullet);
  srs_model_destroy(model);
  *worst = *share = 0;
  int n_large = 0;
  for (int i = 0; i < n; i++) *worst = fmax(*worst, differences[i]), n_large += differences[i] > 1e-6;
  *share = (double)n_large / n;
  print_message("%d pairs: worst difference %.3g m, %.3g %% over 1e-6 m\n", n, *worst, 100 * *share);
}

static void detectors_find_the_same_gaps(void **state)
{
  (void)state;
  static const srs_shape_kind flat[] = {SRS_SHAPE_BOX, SRS_SHAPE_HULL, SRS_SHAPE_CAPSULE, SRS_SHAPE_SPHERE};
  static const srs_shape_kind all[] = {SRS_SHAPE_BOX,     SRS_SHAPE_CYLINDER, SRS_SHAPE_HULL,
                                       SRS_SHAPE_CAPSULE, SRS_SHAPE_CONE,     SRS_SHAPE_SPHERE};
  testing_random random = testing_random_start(61);
  double worst, share;
  compare(&random, flat, 4, 0.01, &worst, &share);
  assert_true(share < 0.01 && worst < 1e-3);
  compare(&random, all, 6, 0.01, &worst, &share); // round edges: Bullet's GJK ends early
  assert_true(share < 0.03 && worst < 1e-3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stacks_pyramids_and_grasps_move_alike),
      cmocka_unit_test(detectors_find_the_same_gaps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
