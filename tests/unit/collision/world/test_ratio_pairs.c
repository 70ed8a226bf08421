// Pairs of a collider that go by the ratio metric: their nodes, which pairs they are, and that nothing else changes.
#include "support/bodies.h"
#include "topology/base/spatial.h"

enum { MOST = 4096 };

static const srs_collider_options by_ratio = {.distance = SRS_DISTANCE_RATIO_METRIC};

// A link named "a", "b", … for each shape.
static srs_model *loose(const srs_shape_def *defs, int n)
{
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < n; i++) {
    const char name[2] = {(char)('a' + i), '\0'};
    bodies_add_link(builder, name, SRS_JOINT_FREE, NULL);
    srs_shape_def def = defs[i];
    def.link = name;
    bodies_add_shape(builder, &def);
  }
  return bodies_build(builder);
}

static srs_model *two_boxes(double x, double y, double z)
{
  const srs_shape_def box = bodies_shape(SRS_SHAPE_BOX, NULL, NULL, 1, 1, 1);
  const srs_shape_def other = bodies_shape(SRS_SHAPE_BOX, NULL, NULL, x, y, z);
  return loose((const srs_shape_def[]){box, other}, 2);
}

static bool has_node(const srs_contact_point *contacts, int n, double x, double y, double gap, double tolerance)
{
  for (int i = 0; i < n; i++)
    if (fabs(contacts[i].point_a[0] - x) < tolerance && fabs(contacts[i].point_a[1] - y) < tolerance &&
        fabs(contacts[i].gap - gap) < tolerance)
      return true;
  return false;
}

static void stacked_cubes_have_the_nodes_of_the_euclidean_distance(void **state)
{
  (void)state;
  srs_model *model = two_boxes(1, 1, 1);
  srs_collider *ratio = bodies_collider(model, &by_ratio), *euclidean = bodies_collider(model, NULL);
  for (int i = 0; i < 3; i++) {
    const double gap = (i - 1) * 1e-3;
    const srs_pose links[2] = {bodies_at(0, 0, 0), bodies_at(0.25, i == 2 ? 0.1 : 0, 1 + gap)};
    int n, m;
    srs_contact_point *contacts = bodies_contacts(ratio, links, 0.01, &n),
                      *others = bodies_contacts(euclidean, links, 0.01, &m);
    assert_int_equal(n, 4);
    assert_int_equal(m, 4);
    for (int k = 0; k < m; k++) {
      assert_true(has_node(contacts, n, others[k].point_a[0], others[k].point_a[1], gap, 1e-3));
      assert_true(fabs(contacts[k].normal[2] + 1) < 1e-12); // from B, above, to A
    }
    free(contacts);
    free(others);
  }
  srs_collider_destroy(ratio);
  srs_collider_destroy(euclidean);
  srs_model_destroy(model);
}

static vec3 centre_of(const srs_pose *pose) { return vec3_load(pose->position); }

// What a node says of itself, boxes being about their links' origins: gap, phi, its gradient, and momentum.
static void check_node(const srs_contact_point *c, const srs_pose *links, double margin)
{
  const vec3 n = vec3_load(c->normal), a = vec3_load(c->point_a), b = vec3_load(c->point_b);
  const vec3 centres = sub3(centre_of(&links[c->link_a]), centre_of(&links[c->link_b]));
  assert_true(fabs(norm3(n) - 1) < 1e-14 && c->gap <= margin);
  assert_true(norm3(sub3(sub3(a, b), scale3(c->gap, n))) < 1e-13);
  assert_true(fabs(c->phi - c->gap / dot3(n, centres)) < 1e-13);
  // phi = gap / D, D = n . centres: moving along n changes it by (D - gap) / D^2.
  const double between = dot3(n, centres);
  assert_true(fabs(c->slope - (between - c->gap) / (between * between)) < 1e-12 * c->slope);
  // Points are on their boxes, or as near as the bodies are to touching.
  const double near = fabs(c->phi) * norm3(centres) + (margin + 1e-9) * (1 - c->phi);
  const vec3 on_a = rotate_back(mat3_from_rows(links[c->link_a].rotation), sub3(a, centre_of(&links[c->link_a])));
  const vec3 on_b = rotate_back(mat3_from_rows(links[c->link_b].rotation), sub3(b, centre_of(&links[c->link_b])));
  assert_true(fmax(fmax(fabs(on_a.x), fabs(on_a.y)), fabs(on_a.z)) <= 0.5 + near);
  assert_true(fabs(on_b.x) <= 0.3 + near && fabs(on_b.y) <= 0.4 + near);
  assert_true(fabs(on_b.z) <= 0.55 + near);
}

static void nodes_are_whole_and_in_order(void **state)
{
  (void)state;
  testing_random random = testing_random_start(721);
  srs_model *model = two_boxes(0.6, 0.8, 1.1);
  srs_collider *collider = bodies_collider(model, &by_ratio);
  int total = 0;
  for (int i = 0; i < 3000; i++) {
    srs_pose links[2] = {bodies_random_pose(&random, 0.5), bodies_random_pose(&random, 0.9)};
    if (i % 3 == 0) memcpy(links[1].rotation, links[0].rotation, sizeof links[0].rotation);
    int n;
    const double margin = i % 2 == 0 ? 0.02 : 0;
    srs_contact_point *contacts = bodies_contacts(collider, links, margin, &n);
    for (int k = 0; k < n; k++) {
      check_node(&contacts[k], links, margin);
      assert_true(k == 0 || contacts[k].feature > contacts[k - 1].feature);
    }
    total += n;
    free(contacts);
  }
  assert_true(total > 1500);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

// Boxes that slide, tilt and come to rest on each other: each pass starts from the last one, and gives what a collider
// gives that has never been asked.
static void a_pair_that_goes_on_has_the_nodes_of_one_that_begins(void **state)
{
  (void)state;
  testing_random random = testing_random_start(727);
  srs_model *model = two_boxes(0.6, 0.8, 1.1);
  srs_collider *old = bodies_collider(model, &by_ratio);
  int total = 0;
  for (int i = 0; i < 400; i++) {
    const double tilt = i % 3 == 0 ? 0 : pow(10, -testing_uniform(&random, 2, 17));
    srs_pose links[2] = {bodies_at(0, 0, 0), bodies_at(i / 1000.0, 0.1, 0.5 + 0.55 + (i % 5 - 2) * 1e-3)};
    const double turn[4] = {1, testing_uniform(&random, -tilt, tilt), testing_uniform(&random, -tilt, tilt), 0};
    srs_rotation_from_quaternion(turn, links[1].rotation);
    srs_collider *fresh = bodies_collider(model, &by_ratio);
    int n, m;
    srs_contact_point *contacts = bodies_contacts(old, links, 0.01, &n),
                      *others = bodies_contacts(fresh, links, 0.01, &m);
    assert_int_equal(n, m);
    for (int k = 0; k < n; k++) {
      assert_true(contacts[k].feature == others[k].feature && contacts[k].gap == others[k].gap &&
                  contacts[k].phi == others[k].phi && contacts[k].slope == others[k].slope);
      assert_memory_equal(contacts[k].point_a, others[k].point_a, sizeof contacts[k].point_a);
      assert_memory_equal(contacts[k].normal, others[k].normal, sizeof contacts[k].normal);
      assert_memory_equal(contacts[k].witness, others[k].witness, sizeof contacts[k].witness);
    }
    total += n;
    free(contacts);
    free(others);
    srs_collider_destroy(fresh);
  }
  assert_true(total > 800);
  srs_collider_destroy(old);
  srs_model_destroy(model);
}

// Where the Euclidean depth says that boxes overlap, there are nodes, and the deepest is no less deep.
static void no_overlap_is_missed(void **state)
{
  (void)state;
  testing_random random = testing_random_start(722);
  srs_model *model = two_boxes(0.6, 0.8, 1.1);
  srs_collider *ratio = bodies_collider(model, &by_ratio), *euclidean = bodies_collider(model, NULL);
  int n_overlaps = 0, n_apart = 0;
  for (int i = 0; i < 3000; i++) {
    const srs_pose links[2] = {bodies_random_pose(&random, 0.4), bodies_random_pose(&random, 0.9)};
    srs_contact_point nearest;
    assert_int_equal(srs_collider_distance(euclidean, links, 0, 1, &nearest, NULL), SRS_OK);
    int n;
    const double margin = i % 2 == 0 ? 0 : 0.05;
    srs_contact_point *contacts = bodies_contacts(ratio, links, margin, &n);
    double least = INFINITY;
    for (int k = 0; k < n; k++) least = fmin(least, contacts[k].gap);
    if (nearest.gap <= margin) {
      n_overlaps++;
      assert_true(n > 0 && least <= nearest.gap + 1e-12);
    } else {
      n_apart += n == 0;
    }
    free(contacts);
  }
  assert_true(n_overlaps > 1000 && n_apart > 300); // apart, but by more than the metric's normal says: few
  srs_collider_destroy(ratio);
  srs_collider_destroy(euclidean);
  srs_model_destroy(model);
}

// The bounds of rho by Euclidean distance and depth, from the other side.
static void the_metric_is_as_good_as_euclidean_distance(void **state)
{
  (void)state;
  testing_random random = testing_random_start(724);
  double points[3 * 20];
  for (int i = 0; i < 60; i++) points[i] = testing_uniform(&random, -0.5, 0.5);
  srs_shape_def hull = bodies_shape(SRS_SHAPE_HULL, NULL, NULL, 0, 0, 0);
  hull.points = points, hull.n_points = 20;
  srs_model *model = loose((const srs_shape_def[]){bodies_shape(SRS_SHAPE_BOX, NULL, NULL, 0.6, 0.8, 1.1), hull}, 2);
  srs_collider *collider = bodies_collider(model, NULL);
  double corners[24], centre[3], i_a, i_b;
  const double half[3] = {0.3, 0.4, 0.55};
  for (int i = 0; i < 24; i++) corners[i] = bodies_cube[i] * half[i % 3];
  srs_polytope *a, *b;
  assert_int_equal(srs_polytope_create(corners, 8, 3, NULL, &a, NULL), SRS_OK);
  assert_int_equal(srs_polytope_create(points, 20, 3, NULL, &b, NULL), SRS_OK);
  srs_polytope_centre(a, centre, &i_a);
  srs_polytope_centre(b, centre, &i_b);
  const int n = getenv("SARRUS_LONG") != NULL ? 1000000 : 10000;
  int n_apart = 0, n_inside = 0;
  for (int i = 0; i < n; i++) {
    const srs_pose links[2] = {bodies_random_pose(&random, 0.5), bodies_random_pose(&random, 1)};
    srs_contact_point nearest;
    srs_ratio ratio;
    assert_int_equal(srs_collider_distance(collider, links, 0, 1, &nearest, NULL), SRS_OK);
    assert_true(srs_ratio_metric(a, &links[0], b, &links[1], NULL, &ratio));
    const vec3 middle = add3(centre_of(&links[1]), rotate(mat3_from_rows(links[1].rotation), vec3_load(centre)));
    const double between = norm3(sub3(middle, centre_of(&links[0]))), s = fabs(nearest.gap), inradii = i_a + i_b;
    const double slack = 1e-7 * (1 + fabs(ratio.rho)); // of what is deep, distances are good to 1e-8 of the size
    assert_true((nearest.gap > slack) <= (ratio.r > 1) && (nearest.gap < -slack) <= (ratio.r < 1));
    if (ratio.r >= 1) {
      n_apart++;
      assert_true(s / between <= ratio.rho + slack && ratio.rho <= s / (inradii + s) + slack);
    } else {
      n_inside++;
      assert_true(ratio.rho <= -s / between + slack);
      if (s < 0.99 * inradii) assert_true(-s / (inradii - s) <= ratio.rho + slack * inradii / (inradii - s));
    }
  }
  assert_true(n_apart > n / 10 && n_inside > n / 10);
  srs_polytope_destroy(a);
  srs_polytope_destroy(b);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

static srs_shape_def prism_of(double points[600], int n)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) {
      double *p = points + 3 * ((size_t)(2 * i) + (size_t)k);
      p[0] = 0.5 * cos(i * 6.283185307179586 / n), p[1] = 0.5 * sin(i * 6.283185307179586 / n), p[2] = k ? 0.2 : -0.2;
    }
  srs_shape_def def = bodies_shape(SRS_SHAPE_HULL, NULL, NULL, 0, 0, 0);
  def.points = points, def.n_points = 2 * n;
  return def;
}

static void a_flat_patch_has_no_more_nodes_than_bound_it(void **state)
{
  (void)state;
  double points[600];
  const srs_shape_def prism = prism_of(points, 100);
  srs_model *model = loose((const srs_shape_def[]){prism, prism}, 2);
  srs_collider *collider = bodies_collider(model, &by_ratio);
  for (int i = 0; i < 10; i++) {
    const srs_pose links[2] = {bodies_at(0, 0, 0), bodies_at(0.03 * i, 0, 0.4 - 1e-4)};
    int n;
    srs_contact_point *contacts = bodies_contacts(collider, links, 0, &n);
    assert_in_range(n, 4, SRS_MANIFOLD_POINTS);
    for (int k = 0; k < n; k++) assert_true(fabs(contacts[k].gap + 1e-4) < 1e-12);
    free(contacts);
  }
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

static void centres_in_one_place_are_left_to_the_euclidean_distance(void **state)
{
  (void)state;
  srs_model *model = two_boxes(0.6, 0.8, 1.1);
  srs_collider *ratio = bodies_collider(model, &by_ratio), *euclidean = bodies_collider(model, NULL);
  const srs_pose links[2] = {bodies_at(1, 2, 3), bodies_at(1, 2, 3)};
  int n, m;
  srs_contact_point *contacts = bodies_contacts(ratio, links, 0, &n),
                    *others = bodies_contacts(euclidean, links, 0, &m);
  assert_true(n > 0);
  assert_int_equal(n, m);
  assert_memory_equal(contacts, others, (size_t)n * sizeof *contacts);
  free(contacts);
  free(others);
  srs_collider_destroy(ratio);
  srs_collider_destroy(euclidean);
  srs_model_destroy(model);
}

// The same bodies added in the other order, seen with their shapes exchanged.
static void the_order_of_adding_changes_no_bit(void **state)
{
  (void)state;
  testing_random random = testing_random_start(723);
  srs_model *models[2];
  srs_collider *colliders[2];
  for (int order = 0; order < 2; order++) {
    srs_builder *builder = srs_builder_create();
    for (int k = 0; k < 2; k++) {
      const bool is_a = (k == 0) == (order == 0);
      bodies_add_link(builder, is_a ? "a" : "b", SRS_JOINT_FREE, NULL);
      srs_shape_def def = bodies_shape(is_a ? SRS_SHAPE_BOX : SRS_SHAPE_HULL, NULL, is_a ? "a" : "b", 1, 0.7, 0.4);
      def.n_points = is_a ? 0 : 7; // a cube without one corner
      bodies_add_shape(builder, &def);
    }
    models[order] = bodies_build(builder);
    colliders[order] = bodies_collider(models[order], &by_ratio);
  }
  int total = 0;
  for (int i = 0; i < 300; i++) {
    const srs_pose a = bodies_random_pose(&random, 0.5), b = bodies_random_pose(&random, 1.5);
    const srs_pose there[2] = {a, b}, back[2] = {b, a};
    const int link_a = srs_model_find_link(models[1], "a");
    int n, m;
    srs_contact_point *first = bodies_contacts(colliders[0], there, 0.05, &n);
    srs_contact_point *second = bodies_contacts(colliders[1], link_a == 0 ? there : back, 0.05, &m);
    assert_int_equal(n, m);
    for (int k = 0; k < n; k++) {
      assert_memory_equal(first[k].point_a, second[k].point_b, sizeof first->point_a);
      assert_memory_equal(first[k].point_b, second[k].point_a, sizeof first->point_a);
      assert_memory_equal(first[k].witness, second[k].witness, sizeof first->witness);
      for (int c = 0; c < 3; c++) assert_true(first[k].normal[c] == -second[k].normal[c]);
      assert_true(first[k].gap == second[k].gap && first[k].phi == second[k].phi &&
                  first[k].feature == second[k].feature);
    }
    total += n;
    free(first);
    free(second);
  }
  assert_true(total > 100);
  for (int order = 0; order < 2; order++) {
    srs_collider_destroy(colliders[order]);
    srs_model_destroy(models[order]);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Which pairs
// ---------------------------------------------------------------------------------------------------------------------

static bool goes_by_ratio(const srs_contact_point *c) { return c->slope != 1; }

// a, b boxes, c a ball: which of the pairs ab, ac, bc go by the metric?
static void assert_pairs(const srs_collider_options *options, bool ab)
{
  const srs_shape_def box = bodies_shape(SRS_SHAPE_BOX, NULL, NULL, 1, 1, 1);
  srs_model *model = loose((const srs_shape_def[]){box, box, bodies_shape(SRS_SHAPE_SPHERE, NULL, NULL, 0.5, 0, 0)}, 3);
  srs_collider *collider = bodies_collider(model, options);
  const srs_pose links[3] = {bodies_at(0, 0, 0), bodies_at(0.99, 0, 0), bodies_at(0.5, 0, 0.98)};
  int n;
  srs_contact_point *contacts = bodies_contacts(collider, links, 0, &n);
  assert_true(n > 2);
  for (int k = 0; k < n; k++) {
    const bool is_ab = contacts[k].shape_b == 1;
    assert_int_equal(goes_by_ratio(&contacts[k]), is_ab && ab);
    if (is_ab) continue;
    assert_true(contacts[k].phi == contacts[k].gap);
    for (int c = 0; c < 3; c++)
      assert_true(fabs(contacts[k].witness[c] - (contacts[k].point_a[c] + contacts[k].point_b[c]) / 2) < 1e-15);
  }
  free(contacts);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

static void pairs_go_by_the_measure_that_is_asked_for(void **state)
{
  (void)state;
  const char *const ab[] = {"a", "b", NULL}, *const ac[] = {"a", "c", NULL};
  assert_pairs(NULL, false);
  assert_pairs(&by_ratio, true);
  assert_pairs(&(srs_collider_options){.ratio_metric = ab}, true);
  assert_pairs(&(srs_collider_options){.distance = SRS_DISTANCE_RATIO_METRIC, .euclidean = ab}, false);
  assert_pairs(&(srs_collider_options){.distance = SRS_DISTANCE_RATIO_METRIC, .euclidean = ac}, true);
}

static void pairs_that_cannot_are_refused_by_name(void **state)
{
  (void)state;
  const srs_shape_def box = bodies_shape(SRS_SHAPE_BOX, NULL, NULL, 1, 1, 1);
  srs_model *model = loose((const srs_shape_def[]){box, bodies_shape(SRS_SHAPE_SPHERE, NULL, NULL, 0.5, 0, 0), box}, 3);
  srs_collider *collider = NULL;
  srs_error error = {0};
  const char *const ab[] = {"a", "b", NULL}, *const ax[] = {"a", "x", NULL}, *const aa[] = {"a", "a", NULL};
  const char *const second[] = {"a", "c", "a", "b", NULL}, *const odd[] = {"a", "c", "a", NULL};
  srs_collider_options options = {.ratio_metric = ab};
  assert_int_equal(srs_collider_create(model, &options, &collider, &error), SRS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "sphere"));
  options.ratio_metric = ax;
  assert_int_equal(srs_collider_create(model, &options, &collider, &error), SRS_ERROR_NAME);
  assert_non_null(strstr(error.message, "'x'"));
  options.ratio_metric = second; // of several each has to
  assert_int_equal(srs_collider_create(model, &options, &collider, &error), SRS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "sphere"));
  options.ratio_metric = aa;
  assert_int_equal(srs_collider_create(model, &options, &collider, &error), SRS_ERROR_NAME);
  assert_non_null(strstr(error.message, "'a' and 'a'"));
  options.ratio_metric = odd;
  assert_int_equal(srs_collider_create(model, &options, &collider, &error), SRS_ERROR_ARGUMENT);
  assert_null(collider);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stacked_cubes_have_the_nodes_of_the_euclidean_distance),
      cmocka_unit_test(nodes_are_whole_and_in_order),
      cmocka_unit_test(a_pair_that_goes_on_has_the_nodes_of_one_that_begins),
      cmocka_unit_test(no_overlap_is_missed),
      cmocka_unit_test(the_metric_is_as_good_as_euclidean_distance),
      cmocka_unit_test(a_flat_patch_has_no_more_nodes_than_bound_it),
      cmocka_unit_test(centres_in_one_place_are_left_to_the_euclidean_distance),
      cmocka_unit_test(the_order_of_adding_changes_no_bit),
      cmocka_unit_test(pairs_go_by_the_measure_that_is_asked_for),
      cmocka_unit_test(pairs_that_cannot_are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
