// Parts of one body that touch: what they cover is not met, what they leave is.
#include "support/bodies.h"

static srs_shape_def box_at(const char *name, const char *link, double x, double y, double z, double sx, double sy,
                            double sz)
{
  srs_shape_def def = bodies_shape(SRS_SHAPE_BOX, name, link, sx, sy, sz);
  def.pose = bodies_at(x, y, z);
  return def;
}

typedef struct ground {
  srs_model *model;
  srs_collider *collider;
  srs_contact_point *contacts;
  int n;
} ground;

// Boxes on the world, and a solid on a free link.
static ground make(const srs_shape_def *boxes, int n, const srs_shape_def *solid, bool makes_sides)
{
  ground g = {0};
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "m", SRS_JOINT_FREE, NULL);
  for (int i = 0; i < n; i++) bodies_add_shape(builder, &boxes[i]);
  bodies_add_shape(builder, solid);
  g.model = bodies_build(builder);
  srs_collider_options options = srs_default_collider_options();
  options.makes_sides = makes_sides;
  g.collider = bodies_collider(g.model, &options);
  return g;
}

static void look(ground *g, double x, double y, double z, double margin)
{
  const srs_pose pose = bodies_at(x, y, z);
  free(g->contacts);
  g->contacts = bodies_contacts(g->collider, &pose, margin, &g->n);
}

static void give_back(ground *g)
{
  free(g->contacts);
  srs_collider_destroy(g->collider);
  srs_model_destroy(g->model);
}

// Of the solid's contacts with a shape: how many, and whether all have that normal, from the shape to the solid.
static int count(const ground *g, const char *name, double x, double y, double z)
{
  int n = 0;
  for (int i = 0; i < g->n; i++) {
    const srs_contact_point *c = &g->contacts[i];
    const bool is_a = strcmp(srs_model_shape(g->model, c->shape_a)->name, name) == 0;
    if (!is_a && strcmp(srs_model_shape(g->model, c->shape_b)->name, name) != 0) continue;
    const double sign = is_a ? -1 : 1;
    assert_true(fabs(sign * c->normal[0] - x) < 1e-9 && fabs(sign * c->normal[1] - y) < 1e-9);
    assert_true(fabs(sign * c->normal[2] - z) < 1e-9);
    assert_int_equal(c->n_sides, 0);
    n++;
  }
  return n;
}

static const srs_shape_kind kinds[] = {SRS_SHAPE_BOX, SRS_SHAPE_SPHERE, SRS_SHAPE_CYLINDER, SRS_SHAPE_CAPSULE};

static srs_shape_def solid_of(srs_shape_kind kind)
{
  srs_shape_def def = bodies_shape(kind, "solid", "m", kind == SRS_SHAPE_BOX ? 0.2 : 0.1, 0.2, 0.2);
  if (kind != SRS_SHAPE_CYLINDER && kind != SRS_SHAPE_CAPSULE) return def;
  const double quaternion[4] = {0.70710678118654752, 0.70710678118654752, 0, 0}; // along y
  srs_rotation_from_quaternion(quaternion, def.pose.rotation);
  return def;
}

// Before the place where two boxes meet, 1 mm and 1 um above them or as deep in them: the next one's top, no edge.
static void the_next_box_of_a_row_is_met_from_above(void **state)
{
  (void)state;
  const srs_shape_def row[2] = {box_at("one", NULL, -0.5, 0, -0.25, 1, 3, 0.5),
                                box_at("two", NULL, 0.5, 0, -0.25, 1, 3, 0.5)};
  for (int k = 0; k < 4; k++) {
    const srs_shape_def solid = solid_of(kinds[k]);
    for (int form = 0; form < 2; form++) {
      ground g = make(row, 2, &solid, form == 1);
      const double heights[] = {1e-3, 1e-6, 0, -1e-6};
      for (int h = 0; h < 4; h++) {
        look(&g, kinds[k] == SRS_SHAPE_BOX ? -0.11 : -0.02, 0.1, 0.1 + heights[h], 0.03);
        assert_true(count(&g, "two", 0, 0, 1) > 0 || form == 0); // by itself it is not met there at all
        assert_true(count(&g, "one", 0, 0, 1) > 0);
      }
      give_back(&g);
    }
  }
}

// So are the places of a row of many boxes, in whatever order they were added.
static void a_long_row_is_met_from_above(void **state)
{
  (void)state;
  enum { HALF = 40, BOXES = 2 * HALF };
  srs_shape_def row[BOXES];
  char names[BOXES][8];
  for (int k = 0; k < BOXES; k++) {
    const int i = 37 * k % BOXES; // each once
    snprintf(names[k], sizeof names[k], "b%d", i);
    row[k] = box_at(names[k], NULL, i + 0.5 - HALF, 0, -0.25, 1, 3, 0.5);
  }
  const srs_shape_def solid = solid_of(SRS_SHAPE_BOX);
  ground g = make(row, BOXES, &solid, false);
  for (int i = 1; i < BOXES; i++) {
    char before[16], after[16];
    snprintf(before, sizeof before, "b%d", i - 1);
    snprintf(after, sizeof after, "b%d", i);
    look(&g, i - HALF - 0.11, 0.1, 0.1, 0.03);
    assert_true(count(&g, before, 0, 0, 1) > 0 && count(&g, after, 0, 0, 1) == 0);
  }
  give_back(&g);
}

// Beside a step the side that stands out is met, above the box before it.
static void what_stands_out_is_met(void **state)
{
  (void)state;
  const srs_shape_def step[2] = {box_at("low", NULL, -0.5, 0, -0.25, 1, 3, 0.5),
                                 box_at("high", NULL, 0.5, 0, -0.15, 1, 3, 0.7)};
  const srs_shape_def stacked[2] = {box_at("low", NULL, 0, 0, -0.25, 3, 3, 0.5),
                                    box_at("high", NULL, 0.5, 0, 0.1, 1, 3, 0.2)};
  const srs_shape_def solid = solid_of(SRS_SHAPE_BOX);
  for (int i = 0; i < 2; i++) {
    ground g = make(i == 0 ? step : stacked, 2, &solid, false);
    look(&g, -0.11, 0, 0.1, 0.03);
    assert_true(count(&g, "high", -1, 0, 0) > 0);
    assert_true(count(&g, "low", 0, 0, 1) > 0);
    give_back(&g);
  }
}

// Along the outer edge of a row the edge counts, the place where two boxes meet does not: no part along the row.
static void an_outer_edge_goes_on_past_the_place(void **state)
{
  (void)state;
  const srs_shape_def row[2] = {box_at("one", NULL, -0.5, 0, -0.25, 1, 1, 0.5),
                                box_at("two", NULL, 0.5, 0, -0.25, 1, 1, 0.5)};
  const srs_shape_def solid = solid_of(SRS_SHAPE_SPHERE);
  ground g = make(row, 2, &solid, false);
  look(&g, -0.01, 0.56, 0.08, 0.03);              // 3-4-5 from the edge, a little before the place
  assert_int_equal(count(&g, "two", 0, 0, 0), 0); // the one is nearer
  assert_int_equal(count(&g, "one", 0, 0.6, 0.8), 1);
  give_back(&g);
}

// A body of parts that moves: no edge of its own either.
static void parts_of_a_moving_body_cover_each_other(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "m", SRS_JOINT_FREE, NULL);
  const srs_shape_def post = box_at("post", NULL, 0.5, 0, -0.25, 1, 1, 0.5);
  const srs_shape_def parts[2] = {box_at("left", "m", -0.1, 0, 0, 0.2, 0.2, 0.2),
                                  box_at("right", "m", 0.1, 0, 0, 0.2, 0.2, 0.2)};
  bodies_add_shape(builder, &post);
  bodies_add_shape(builder, &parts[0]);
  bodies_add_shape(builder, &parts[1]);
  ground g = {.model = bodies_build(builder)};
  g.collider = bodies_collider(g.model, NULL);
  // The post's edge is under the left part, 5 mm before the right one begins, which stands over the post's end.
  look(&g, 0.005, 0, 0.1, 0.03);
  assert_true(count(&g, "left", 0, 0, -1) > 0); // seen from the part
  assert_true(count(&g, "right", 0, 0, -1) > 0);
  give_back(&g);
}

static void parts_with_a_gap_have_no_coplanar_faces(void **state)
{
  (void)state;
  const srs_shape_def row[2] = {box_at("one", NULL, -0.5, 0, -0.25, 1, 3, 0.5),
                                box_at("two", NULL, 0.501, 0, -0.25, 1, 3, 0.5)};
  const srs_shape_def solid = solid_of(SRS_SHAPE_BOX);
  ground g = make(row, 2, &solid, false);
  look(&g, -0.101, 0, 0.1, 0.03);
  assert_true(count(&g, "two", -1, 0, 0) > 0); // 2 mm away, and nothing between
  give_back(&g);
}

static double least_gap(const ground *g)
{
  double least = INFINITY;
  for (int i = 0; i < g->n; i++) least = fmin(least, g->contacts[i].gap);
  return least;
}

static void look_from(ground *g, const srs_pose *pose, double margin)
{
  free(g->contacts);
  g->contacts = bodies_contacts(g->collider, pose, margin, &g->n);
}

// Two boxes whose faces are coplanar are one: what is near them at random is as near as to the one, and no contact
// point is nearer.
static void two_boxes_with_coplanar_faces_are_as_one(void **state)
{
  (void)state;
  const srs_shape_def row[2] = {box_at("one", NULL, -0.3, 0, 0, 0.6, 1, 0.5),
                                box_at("two", NULL, 0.25, 0, 0, 0.5, 1, 0.5)};
  const srs_shape_def whole = box_at("whole", NULL, -0.05, 0, 0, 1.1, 1, 0.5);
  testing_random random = testing_random_start(981);
  for (int k = 0; k < 4; k++) {
    const srs_shape_def solid = solid_of(kinds[k]);
    ground parts = make(row, 2, &solid, false), one = make(&whole, 1, &solid, false);
    int n = 0;
    for (int i = 0; i < 20000; i++) {
      srs_pose pose = bodies_random_pose(&random, 0.8);
      look_from(&one, &pose, 0.05);
      const double gap = least_gap(&one);
      if (!(gap > 1e-4 && gap < 0.05 - 1e-4)) continue;
      look_from(&parts, &pose, 0.05);
      n++;
      assert_true(fabs(least_gap(&parts) - gap) < 1e-6);
    }
    print_message("kind %d: %d placements\n", (int)kinds[k], n);
    assert_true(n > 300);
    give_back(&parts);
    give_back(&one);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_next_box_of_a_row_is_met_from_above),
      cmocka_unit_test(a_long_row_is_met_from_above),
      cmocka_unit_test(what_stands_out_is_met),
      cmocka_unit_test(an_outer_edge_goes_on_past_the_place),
      cmocka_unit_test(parts_of_a_moving_body_cover_each_other),
      cmocka_unit_test(parts_with_a_gap_have_no_coplanar_faces),
      cmocka_unit_test(two_boxes_with_coplanar_faces_are_as_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
