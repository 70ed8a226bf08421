// Contacts of whole models: order, no memory, capacities, refusals.
#include "support/bodies.h"

#include <pthread.h>

enum { BODIES = 40, MOST_SHAPES = 100 };

// ---------------------------------------------------------------------------------------------------------------------
// A heap of all kinds that meet each other, on a floor and beside a box that stands still
// ---------------------------------------------------------------------------------------------------------------------

static const srs_shape_kind heap_kinds[] = {SRS_SHAPE_SPHERE,   SRS_SHAPE_BOX,  SRS_SHAPE_CAPSULE,
                                            SRS_SHAPE_CYLINDER, SRS_SHAPE_CONE, SRS_SHAPE_HULL};
enum { HEAP_KINDS = sizeof heap_kinds / sizeof heap_kinds[0] };

static void shuffle(testing_random *random, int *order, int n)
{
  for (int i = n - 1; i > 0; i--) {
    const int j = testing_below(random, i + 1), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
}

// Link i and its shape `s<i>` are the same whatever the orders in which links and shapes are added.
static srs_model *heap(int n, const int *link_order, const int *shape_order)
{
  srs_builder *builder = srs_builder_create();
  char names[BODIES][16];
  double points[BODIES][24];
  for (int k = 0; k < n; k++) {
    snprintf(names[link_order[k]], sizeof names[0], "b%d", link_order[k]);
    bodies_add_link(builder, names[link_order[k]], SRS_JOINT_FREE, NULL);
  }
  for (int k = 0; k < n + 2; k++) {
    const int i = shape_order[k];
    char name[16];
    snprintf(name, sizeof name, "s%d", i);
    srs_shape_def def = bodies_shape(SRS_SHAPE_HALF_SPACE, name, NULL, 0, 0, 0);
    if (i == n) def = bodies_shape(SRS_SHAPE_BOX, name, NULL, 0.7, 0.6, 0.5);
    if (i < n) {
      testing_random own = {(uint64_t)i * 7919 + 1};
      def = bodies_shape(heap_kinds[i % HEAP_KINDS], name, names[i], 0, 0, 0);
      for (int c = 0; c < 3; c++) def.size[c] = testing_uniform(&own, 0.1, 0.3);
      for (int p = 0; p < 24; p++) points[i][p] = bodies_cube[p] * testing_uniform(&own, 0.08, 0.2);
      def.points = points[i];
      def.pose = bodies_random_pose(&own, 0.1);
    }
    bodies_add_shape(builder, &def);
  }
  return bodies_build(builder);
}

static srs_model *plain_heap(int n)
{
  int order[MOST_SHAPES];
  for (int i = 0; i < MOST_SHAPES; i++) order[i] = i;
  return heap(n, order, order);
}

static void random_heap(testing_random *random, int n, srs_pose *links)
{
  for (int i = 0; i < n; i++) {
    links[i] = bodies_random_pose(random, 0.6);
    links[i].position[2] += 0.5;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// What every contact is
// ---------------------------------------------------------------------------------------------------------------------

static double gap_of(const srs_contact_point *c)
{
  double gap = 0;
  for (int i = 0; i < 3; i++) gap += c->normal[i] * (c->point_a[i] - c->point_b[i]);
  return gap;
}

static void contacts_are_whole_and_in_order(void **state)
{
  (void)state;
  testing_random random = testing_random_start(41);
  srs_model *model = plain_heap(BODIES);
  srs_collider *collider = bodies_collider(model, NULL);
  assert_int_equal(srs_collider_n_pairs(collider), BODIES * (BODIES - 1) / 2 + 2 * BODIES);
  for (int round = 0; round < 20; round++) {
    srs_pose links[BODIES];
    int n;
    random_heap(&random, BODIES, links);
    const double margin = round % 2 == 0 ? 0 : 0.05;
    srs_contact_point *contacts = bodies_contacts(collider, links, margin, &n);
    assert_true(n > 20);
    for (int i = 0; i < n; i++) {
      const srs_contact_point *c = &contacts[i];
      const srs_shape *a = srs_model_shape(model, c->shape_a), *b = srs_model_shape(model, c->shape_b);
      assert_true(c->shape_a < c->shape_b && c->gap <= margin);
      assert_int_equal(c->link_a, a->frame < 0 ? -1 : srs_model_frame(model, a->frame)->link);
      assert_int_equal(c->link_b, b->frame < 0 ? -1 : srs_model_frame(model, b->frame)->link);
      const double length = c->normal[0] * c->normal[0] + c->normal[1] * c->normal[1] + c->normal[2] * c->normal[2];
      assert_true(fabs(length - 1) < 1e-12 && fabs(gap_of(c) - c->gap) < 1e-12); // roundings of lengths up to 2 m
      if (i == 0) continue;
      const srs_contact_point *before = &contacts[i - 1];
      assert_true(before->shape_a < c->shape_a || (before->shape_a == c->shape_a && before->shape_b <= c->shape_b));
      if (before->shape_a == c->shape_a && before->shape_b == c->shape_b) assert_true(before->feature != c->feature);
    }
    free(contacts);
  }
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Order of insertion
// ---------------------------------------------------------------------------------------------------------------------

static int number_of(const srs_model *model, int shape)
{
  return (int)strtol(srs_model_shape(model, shape)->name + 1, NULL, 10);
}

// A contact with its shapes in the order of their own numbers.
static srs_contact_point by_number(const srs_model *model, const srs_contact_point *c)
{
  srs_contact_point turned = *c;
  const int a = number_of(model, c->shape_a), b = number_of(model, c->shape_b);
  turned.shape_a = a, turned.shape_b = b;
  turned.link_a = turned.link_b = 0;
  if (a < b) return turned;
  turned.shape_a = b, turned.shape_b = a;
  memcpy(turned.point_a, c->point_b, sizeof turned.point_a);
  memcpy(turned.point_b, c->point_a, sizeof turned.point_b);
  for (int i = 0; i < 3; i++) turned.normal[i] = 0 - c->normal[i];
  return turned;
}

static int compare(const void *left, const void *right)
{
  const srs_contact_point *a = left, *b = right;
  if (a->shape_a != b->shape_a) return a->shape_a < b->shape_a ? -1 : 1;
  if (a->shape_b != b->shape_b) return a->shape_b < b->shape_b ? -1 : 1;
  return a->feature < b->feature ? -1 : a->feature > b->feature;
}

static void canonical(const srs_model *model, srs_contact_point *contacts, int n)
{
  for (int i = 0; i < n; i++) {
    contacts[i] = by_number(model, &contacts[i]);
    for (int c = 0; c < 3; c++) contacts[i].normal[c] += 0.0; // no negative zero
  }
  qsort(contacts, (size_t)n, sizeof *contacts, compare);
}

static void the_order_of_adding_changes_no_bit_of_a_contact(void **state)
{
  (void)state;
  testing_random random = testing_random_start(42);
  const int sizes[] = {8, BODIES, 35};
  for (int s = 0; s < 3; s++) {
    const int n_bodies = sizes[s];
    srs_pose links[BODIES], shuffled[BODIES];
    random_heap(&random, n_bodies, links);
    srs_model *model = plain_heap(n_bodies);
    srs_collider *collider = bodies_collider(model, NULL);
    int n;
    srs_contact_point *expected = bodies_contacts(collider, links, 0.02, &n);
    canonical(model, expected, n);
    srs_collider_destroy(collider);
    srs_model_destroy(model);
    for (int round = 0; round < 10; round++) {
      int link_order[BODIES], shape_order[MOST_SHAPES], m;
      for (int i = 0; i < n_bodies; i++) link_order[i] = i;
      for (int i = 0; i < n_bodies + 2; i++) shape_order[i] = i;
      shuffle(&random, link_order, n_bodies);
      shuffle(&random, shape_order, n_bodies + 2);
      model = heap(n_bodies, link_order, shape_order);
      collider = bodies_collider(model, NULL);
      for (int k = 0; k < n_bodies; k++) shuffled[k] = links[link_order[k]];
      srs_contact_point *got = bodies_contacts(collider, shuffled, 0.02, &m);
      canonical(model, got, m);
      assert_int_equal(m, n);
      assert_memory_equal(got, expected, (size_t)n * sizeof *got);
      free(got);
      srs_collider_destroy(collider);
      srs_model_destroy(model);
    }
    free(expected);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// No memory
// ---------------------------------------------------------------------------------------------------------------------

static void other_configurations_leave_no_trace(void **state)
{
  (void)state;
  testing_random random = testing_random_start(43);
  for (int bodies = 6; bodies <= BODIES; bodies += BODIES - 6) {
    srs_model *model = plain_heap(bodies);
    srs_collider *collider = bodies_collider(model, NULL);
    srs_pose links[BODIES], others[BODIES];
    random_heap(&random, bodies, links);
    int n, m;
    srs_contact_point *expected = bodies_contacts(collider, links, 0.01, &n);
    for (int round = 0; round < 50; round++) {
      random_heap(&random, bodies, others);
      if (round % 3 == 0) others[round % bodies] = links[round % bodies];
      free(bodies_contacts(collider, others, testing_uniform(&random, 0, 0.3), &m));
      srs_contact_point *again = bodies_contacts(collider, links, 0.01, &m);
      assert_int_equal(m, n);
      assert_memory_equal(again, expected, (size_t)n * sizeof *again);
      free(again);
    }
    free(expected);
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
}

typedef struct task {
  const srs_model *model;
  const srs_pose *links; // ROUNDS x BODIES
  srs_contact_point *contacts;
  int n, from;
  bool failed;
} task;

enum { ROUNDS = 30, THREADS = 8, ROOM = 2000 };

// All rounds, each thread beginning at another; contacts of all of them one after the other.
static void *work(void *user)
{
  task *t = user;
  srs_collider *collider = NULL;
  t->failed = srs_collider_create(t->model, NULL, &collider, NULL) != SRS_OK;
  for (int k = 0; k < ROUNDS && !t->failed; k++) {
    const int round = (t->from + k) % ROUNDS;
    int n;
    srs_contact_point *out = t->contacts + (size_t)round * ROOM;
    t->failed = srs_collider_contacts(collider, t->links + (size_t)round * BODIES, 0.01, out, ROOM, &n, NULL) != SRS_OK;
    t->n += n;
  }
  srs_collider_destroy(collider);
  return NULL;
}

static void eight_threads_get_the_same_bits(void **state)
{
  (void)state;
  testing_random random = testing_random_start(44);
  srs_model *model = plain_heap(BODIES);
  srs_pose *links = calloc((size_t)ROUNDS * BODIES, sizeof *links);
  assert_non_null(links);
  for (int round = 0; round < ROUNDS; round++) random_heap(&random, BODIES, links + (size_t)round * BODIES);
  task tasks[THREADS];
  pthread_t threads[THREADS];
  const size_t size = (size_t)ROUNDS * ROOM * sizeof(srs_contact_point);
  for (int k = 0; k < THREADS; k++) {
    tasks[k] = (task){model, links, calloc(1, size), 0, k * 7, false};
    assert_non_null(tasks[k].contacts);
    assert_int_equal(pthread_create(&threads[k], NULL, work, &tasks[k]), 0);
  }
  for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_join(threads[k], NULL), 0);
  for (int k = 0; k < THREADS; k++) {
    assert_false(tasks[k].failed);
    assert_true(tasks[k].n > 0);
    assert_int_equal(tasks[k].n, tasks[0].n);
    assert_memory_equal(tasks[k].contacts, tasks[0].contacts, size);
  }
  for (int k = 0; k < THREADS; k++) free(tasks[k].contacts);
  free(links);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Capacities, arguments, refusals
// ---------------------------------------------------------------------------------------------------------------------

static void too_little_room_is_told_with_what_is_needed(void **state)
{
  (void)state;
  testing_random random = testing_random_start(45);
  for (int bodies = 8; bodies <= BODIES; bodies += BODIES - 8) {
    srs_model *model = plain_heap(bodies);
    srs_collider *collider = bodies_collider(model, NULL);
    srs_pose links[BODIES];
    random_heap(&random, bodies, links);
    int n, m;
    srs_contact_point *all = bodies_contacts(collider, links, 0.05, &n);
    for (int capacity = 0; capacity < n; capacity++) {
      srs_contact_point *some = calloc((size_t)capacity + 1, sizeof *some); // one beyond tells of writing there
      memset(&some[capacity], 7, sizeof *some);
      srs_error error;
      assert_int_equal(srs_collider_contacts(collider, links, 0.05, some, capacity, &m, &error), SRS_ERROR_CAPACITY);
      assert_int_equal(m, n);
      assert_memory_equal(some, all, (size_t)capacity * sizeof *some);
      assert_int_equal(*(unsigned char *)&some[capacity], 7);
      char words[64];
      snprintf(words, sizeof words, "there are %d contacts, but room for %d", n, capacity);
      assert_non_null(strstr(error.message, words));
      free(some);
    }
    free(all);
    srs_collider_destroy(collider);

    srs_collider_options options = srs_default_collider_options();
    options.pair_capacity = 3;
    collider = bodies_collider(model, &options);
    srs_contact_point none;
    srs_error error;
    assert_int_equal(srs_collider_contacts(collider, links, 0.05, &none, 1, &m, &error), SRS_ERROR_CAPACITY);
    assert_non_null(strstr(error.message, "but pair_capacity is 3"));
    assert_int_equal(m, 0);
    for (int k = 0; k < bodies; k++) links[k] = bodies_at(10.0 * k, 0, 10); // few are near: it works on
    assert_int_equal(srs_collider_contacts(collider, links, 0.05, &none, 1, &m, &error), SRS_OK);
    assert_int_equal(m, 0);
    srs_collider_destroy(collider);
    srs_model_destroy(model);
  }
}

static void bad_arguments_are_refused(void **state)
{
  (void)state;
  srs_model *model = plain_heap(2);
  srs_collider *collider = bodies_collider(model, NULL);
  srs_pose links[2] = {bodies_at(0, 0, 1), bodies_at(0, 0, 2)};
  srs_contact_point contact;
  srs_error error;
  int n = 5;
  assert_int_equal(srs_collider_contacts(collider, links, -1e-9, &contact, 1, &n, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(n, 0);
  assert_int_equal(srs_collider_contacts(collider, links, NAN, &contact, 1, &n, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_contacts(collider, links, INFINITY, &contact, 1, &n, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_contacts(collider, links, 0, &contact, -1, &n, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_contacts(collider, NULL, 0, &contact, 1, &n, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_contacts(collider, links, 0, NULL, 1, &n, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_contacts(NULL, links, 0, &contact, 1, &n, &error), SRS_ERROR_ARGUMENT);
  for (int entry = 0; entry < 12; entry++) {
    srs_pose bad[2] = {links[0], links[1]};
    *(entry < 3 ? &bad[1].position[entry] : &bad[1].rotation[entry - 3]) = entry % 2 == 0 ? NAN : INFINITY;
    assert_int_equal(srs_collider_contacts(collider, bad, 0, &contact, 1, &n, &error), SRS_ERROR_NOT_FINITE);
    assert_string_equal(error.message, "the placement of link 'b1' is not finite");
  }
  srs_collider_options options = srs_default_collider_options();
  options.pair_capacity = -1;
  srs_collider *none;
  assert_int_equal(srs_collider_create(model, &options, &none, &error), SRS_ERROR_ARGUMENT);
  assert_null(none);
  assert_int_equal(srs_collider_create(NULL, NULL, &none, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_create(model, NULL, NULL, &error), SRS_ERROR_ARGUMENT);
  srs_collider_destroy(NULL);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

static void a_model_without_shapes_has_no_contacts(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "a", SRS_JOINT_FREE, NULL);
  srs_model *model = bodies_build(builder);
  srs_collider *collider = bodies_collider(model, NULL);
  const srs_pose links[1] = {bodies_at(0, 0, 0)};
  int n = 1;
  assert_int_equal(srs_collider_contacts(collider, links, 1, NULL, 0, &n, NULL), SRS_OK);
  assert_int_equal(n, 0);
  assert_int_equal(srs_collider_n_pairs(collider), 0);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

static void refuse_shapes(srs_shape_def a, srs_shape_def b, srs_status status, const char *words)
{
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "left", SRS_JOINT_FREE, NULL);
  bodies_add_link(builder, "right", SRS_JOINT_FREE, NULL);
  bodies_add_shape(builder, &a);
  bodies_add_shape(builder, &b);
  srs_model *model = bodies_build(builder);
  srs_collider *collider = NULL;
  srs_error error = {0};
  const srs_status got = srs_collider_create(model, NULL, &collider, &error);
  if (got != status || strstr(error.message, words) == NULL)
    fail_msg("status %d, not %d; '%s' not in '%s'", got, status, words, error.message);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

static void kinds_that_cannot_meet_are_refused_by_name(void **state)
{
  (void)state;
  const srs_shape_def egg = bodies_shape(SRS_SHAPE_SUPERELLIPSOID, "egg", "left", 1, 2, 3);
  srs_shape_def other = bodies_shape(SRS_SHAPE_CONE, NULL, "right", 1, 2, 3);
  refuse_shapes(
      egg, other, SRS_ERROR_UNSUPPORTED,
      "shapes 'egg' (superellipsoid) and cone of 'right' (cone) cannot collide in this version (a superellipsoid "
      "collides with half-spaces, spheres, boxes, cylinders, ellipsoids, superellipsoids and paraboloids): exclude "
      "the pair");
  other.is_visual = true;
  refuse_shapes(egg, other, SRS_OK, "");
  other.is_visual = false;
  other.mask = 2;
  refuse_shapes(egg, other, SRS_OK, "");
  static const struct {
    srs_shape_kind kind;
    bool can;
  } others[] = {{SRS_SHAPE_SPHERE, true},    {SRS_SHAPE_PARABOLOID, true},    {SRS_SHAPE_HALF_SPACE, true},
                {SRS_SHAPE_CAPSULE, false},  {SRS_SHAPE_CYLINDER, true},      {SRS_SHAPE_CONE, false},
                {SRS_SHAPE_ELLIPSOID, true}, {SRS_SHAPE_SUPERELLIPSOID, true}};
  const srs_shape_def ellipsoid = bodies_shape(SRS_SHAPE_ELLIPSOID, "ellipsoid", "left", 1, 2, 3);
  for (int kind = SRS_SHAPE_SPHERE; kind < SRS_SHAPE_HULL; kind++)
    if (kind != SRS_SHAPE_MESH)
      refuse_shapes(ellipsoid, bodies_shape((srs_shape_kind)kind, "other", "right", 1, 1, 1), SRS_OK, "");
  const srs_shape_def bowl = bodies_shape(SRS_SHAPE_PARABOLOID, "bowl", "left", 1, 2, 3);
  refuse_shapes(bowl, bodies_shape(SRS_SHAPE_BOX, "other", "right", 1, 1, 1), SRS_ERROR_UNSUPPORTED,
                "(a paraboloid collides with half-spaces");
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    refuse_shapes(egg, bodies_shape(others[i].kind, "other", "right", 1, 1, 1),
                  others[i].can ? SRS_OK : SRS_ERROR_UNSUPPORTED, others[i].can ? "" : "'other'");
  const srs_shape_def plane = bodies_shape(SRS_SHAPE_HALF_SPACE, "p", "left", 0, 0, 0);
  refuse_shapes(plane, bodies_shape(SRS_SHAPE_HALF_SPACE, "q", "right", 0, 0, 0), SRS_ERROR_UNSUPPORTED,
                "both are unbounded");
}

static void shapes_without_size_or_place_are_refused_by_name(void **state)
{
  (void)state;
  const srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, "ball", "left", 1, 0, 0);
  refuse_shapes(ball, bodies_shape(SRS_SHAPE_SPHERE, "point", "right", 0, 0, 0), SRS_ERROR_MODEL,
                "shape 'point' has no size");
  refuse_shapes(ball, bodies_shape(SRS_SHAPE_BOX, NULL, "right", 1, 0, 1), SRS_ERROR_MODEL,
                "shape box of 'right' has no size");
  refuse_shapes(ball, bodies_shape(SRS_SHAPE_CAPSULE, "ball2", "right", 1, 0, 0), SRS_OK, "");
  refuse_shapes(ball, bodies_shape(SRS_SHAPE_CONE, "flat", "right", 1, 0, 0), SRS_ERROR_MODEL, "'flat'");
  srs_shape_def flat = bodies_shape(SRS_SHAPE_HULL, "sheet", "right", 0, 0, 0);
  static const double sheet[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  flat.points = sheet, flat.n_points = 4;
  refuse_shapes(ball, flat, SRS_ERROR_MODEL, "'sheet'");
  // F69: moving triangle meshes.
  srs_shape_def terrain = bodies_shape(SRS_SHAPE_TERRAIN, "mould", "right", 0, 0, 0);
  static const int triangles[3] = {0, 1, 2};
  terrain.points = sheet, terrain.n_points = 4, terrain.triangles = triangles, terrain.n_triangles = 1;
  refuse_shapes(ball, terrain, SRS_ERROR_MODEL, "shape 'mould' is on a link that moves");
}

// ---------------------------------------------------------------------------------------------------------------------
// Overlaps
// ---------------------------------------------------------------------------------------------------------------------

typedef struct overlaps {
  srs_contact_point items[16];
  int n;
} overlaps;

static void note(void *user, const srs_contact_point *deepest)
{
  overlaps *o = user;
  if (o->n < 16) o->items[o->n] = *deepest;
  o->n++;
}

// F21: a base that is fixed to the world and a link that overlaps it by 10 mm on a joint.
static void an_overlap_of_neighbours_is_reported_when_they_may_meet(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  bodies_add_link(builder, "base", SRS_JOINT_FIXED, NULL);
  bodies_add_link(builder, "arm", SRS_JOINT_REVOLUTE, "base");
  const srs_shape_def foot = bodies_shape(SRS_SHAPE_BOX, "foot", "base", 0.2, 0.2, 0.2);
  srs_shape_def rod = bodies_shape(SRS_SHAPE_BOX, "rod", "arm", 0.1, 0.1, 0.4);
  rod.pose.position[2] = 0.1 + 0.2 - 0.01;
  bodies_add_shape(builder, &foot);
  bodies_add_shape(builder, &rod);
  srs_model *model = bodies_build(builder);
  const srs_pose links[1] = {bodies_at(0, 0, 0)};
  overlaps found = {.n = 0};
  srs_collider *collider = bodies_collider(model, NULL);
  assert_int_equal(srs_collider_overlaps(collider, links, 0, note, &found, NULL), SRS_OK);
  assert_int_equal(found.n, 0);
  srs_collider_destroy(collider);
  srs_collider_options options = srs_default_collider_options();
  options.parent_child = true;
  collider = bodies_collider(model, &options);
  assert_int_equal(srs_collider_overlaps(collider, links, 0.0099, note, &found, NULL), SRS_OK);
  assert_int_equal(found.n, 1);
  assert_true(fabs(found.items[0].gap + 0.01) < 1e-15);
  assert_int_equal(srs_collider_overlaps(collider, links, 0.0101, note, &found, NULL), SRS_OK);
  assert_int_equal(found.n, 1);
  assert_int_equal(srs_collider_overlaps(collider, links, NAN, note, &found, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_collider_overlaps(collider, links, 0, NULL, &found, NULL), SRS_ERROR_ARGUMENT);
  srs_collider_destroy(collider);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_are_whole_and_in_order),
      cmocka_unit_test(the_order_of_adding_changes_no_bit_of_a_contact),
      cmocka_unit_test(other_configurations_leave_no_trace),
      cmocka_unit_test(eight_threads_get_the_same_bits),
      cmocka_unit_test(too_little_room_is_told_with_what_is_needed),
      cmocka_unit_test(bad_arguments_are_refused),
      cmocka_unit_test(a_model_without_shapes_has_no_contacts),
      cmocka_unit_test(kinds_that_cannot_meet_are_refused_by_name),
      cmocka_unit_test(shapes_without_size_or_place_are_refused_by_name),
      cmocka_unit_test(an_overlap_of_neighbours_is_reported_when_they_may_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
