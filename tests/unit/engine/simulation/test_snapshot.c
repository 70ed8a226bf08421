// What of a model's shapes is in its fingerprint, and which bytes are no snapshot?

#include "engine/simulation/fingerprint.h"
#include "engine/state/option_table.h"
#include "unit/engine/simulation/one_link.h"

#include <stdlib.h>

static uint64_t fingerprint_of(const srs_shape_def *shape)
{
  srs_builder *builder = srs_builder_create();
  srs_error error;
  if (srs_builder_add_shape(builder, shape, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_model *model = testing_build(builder);
  const uint64_t fingerprint = srs_model_fingerprint(model, NULL);
  srs_model_destroy(model);
  return fingerprint;
}

static void assert_tells(const srs_shape_def *one, const srs_shape_def *other)
{
  assert_true(fingerprint_of(one) == fingerprint_of(one));
  assert_true(fingerprint_of(one) != fingerprint_of(other));
}

static void sizes_and_exponents_count(void **state)
{
  (void)state;
  srs_shape_def egg = srs_default_shape_def(SRS_SHAPE_SUPERELLIPSOID);
  for (int i = 0; i < 3; i++) egg.size[i] = 1;
  for (int i = 0; i < 3; i++) {
    srs_shape_def other = egg;
    other.size[i] = 1.5;
    assert_tells(&egg, &other);
  }
  for (int i = 0; i < 2; i++) {
    srs_shape_def other = egg;
    other.exponent[i] = 3;
    assert_tells(&egg, &other);
  }
}

static void places_and_filters_count(void **state)
{
  (void)state;
  srs_shape_def ball = srs_default_shape_def(SRS_SHAPE_SPHERE);
  ball.size[0] = 1;
  srs_shape_def moved = ball, visual = ball, in_group = ball, masked = ball;
  moved.pose.position[1] = 0.1;
  visual.is_visual = true;
  in_group.group = 2;
  masked.mask = 1;
  assert_tells(&ball, &moved);
  assert_tells(&ball, &visual);
  assert_tells(&ball, &in_group);
  assert_tells(&ball, &masked);
}

// Lists of contact settings go by names.
static void materials_and_names_count(void **state)
{
  (void)state;
  srs_shape_def ball = srs_default_shape_def(SRS_SHAPE_SPHERE);
  ball.size[0] = 1;
  ball.name = "ball", ball.material = "ice";
  srs_shape_def rubber = ball, named = ball, nameless = ball, seen = ball, seen_rubber;
  rubber.material = "rubber";
  named.name = "bowl";
  nameless.name = NULL;
  assert_tells(&ball, &rubber);
  assert_tells(&ball, &named);
  assert_tells(&ball, &nameless);
  seen.is_visual = true; // and never touches
  seen_rubber = seen;
  seen_rubber.material = "rubber";
  assert_true(fingerprint_of(&seen) == fingerprint_of(&seen_rubber));
}

static void triangles_of_terrain_count(void **state)
{
  (void)state;
  static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.5};
  static const int one_way[6] = {0, 1, 2, 1, 3, 2}, other_way[6] = {0, 1, 3, 0, 3, 2};
  srs_shape_def terrain = srs_default_shape_def(SRS_SHAPE_TERRAIN);
  terrain.points = corners, terrain.n_points = 4;
  terrain.triangles = one_way, terrain.n_triangles = 2;
  srs_shape_def other = terrain;
  other.triangles = other_way;
  assert_tells(&terrain, &other);
}

static void heights_count(void **state)
{
  (void)state;
  static const double level[8] = {0}, bumpy[8] = {0, 0, 0, 0, 0, 0, 0, 0.1};
  srs_shape_def field = srs_default_shape_def(SRS_SHAPE_HEIGHTFIELD);
  field.size[0] = field.size[1] = 1;
  field.heights = level, field.n_rows = 2, field.n_columns = 4;
  srs_shape_def other = field, turned = field;
  other.heights = bumpy;
  turned.n_rows = 4, turned.n_columns = 2;
  assert_tells(&field, &other);
  assert_tells(&field, &turned);
}

// ---------------------------------------------------------------------------------------------------------------------
// Refusals
// ---------------------------------------------------------------------------------------------------------------------

static void bytes_that_are_no_snapshot_of_this_model_are_refused(void **state)
{
  (void)state;
  srs_model *model = cart(), *heavier = one_link(SRS_JOINT_PRISMATIC, 2.5, at_origin, round_moments);
  srs_model *other_kind = one_link(SRS_JOINT_REVOLUTE, 2, at_origin, round_moments);
  srs_sim *sim = new_sim(model, SRS_SEMI_IMPLICIT_EULER, 1e-3, 0);
  srs_sim *others[2] = {new_sim(heavier, SRS_SEMI_IMPLICIT_EULER, 1e-3, 0),
                        new_sim(other_kind, SRS_SEMI_IMPLICIT_EULER, 1e-3, 0)};
  const size_t size = srs_sim_snapshot_size(sim);
  char *bytes = calloc(size, 1);
  srs_error error;
  assert_int_equal(srs_sim_set_state(sim, 2, (double[1]){3}, (double[1]){4}, NULL), SRS_OK);
  assert_int_equal(srs_sim_snapshot_restore(sim, bytes, size, &error), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "no snapshot of this version"));
  for (int i = 0; i < 2; i++) {
    assert_int_equal(srs_sim_snapshot_size(others[i]), size);
    srs_sim_snapshot_save(others[i], bytes);
    assert_int_equal(srs_sim_snapshot_restore(sim, bytes, size, &error), SRS_ERROR_ARGUMENT);
  }
  srs_sim_snapshot_save(sim, bytes);
  assert_int_equal(srs_sim_snapshot_restore(sim, bytes, size - 1, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_snapshot_restore(sim, NULL, size, &error), SRS_ERROR_ARGUMENT);
  assert_true(srs_sim_time(sim) == 2 && srs_sim_q(sim)[0] == 3 && srs_sim_v(sim)[0] == 4); // none left a trace
  assert_int_equal(srs_sim_snapshot_restore(sim, bytes, size, &error), SRS_OK);
  srs_sim_snapshot_save(NULL, bytes);
  free(bytes);
  srs_sim_destroy(others[0]);
  srs_sim_destroy(others[1]);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  srs_model_destroy(heavier);
  srs_model_destroy(other_kind);
}

static srs_model *two_balls(const srs_shape_def *second, double mass, bool are_excluded)
{
  srs_builder *builder = srs_builder_create();
  srs_error error;
  srs_link_def link = srs_default_link_def();
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  srs_shape_def first = srs_default_shape_def(SRS_SHAPE_SPHERE);
  link.mass = mass;
  for (int i = 0; i < 3; i++) link.inertia[i] = 1;
  first.size[0] = 1;
  for (int i = 0; i < 2; i++) {
    const char *const names[2][3] = {{"a", "h", "one"}, {"b", "g", NULL}};
    srs_shape_def shape = i == 0 ? first : *second;
    link.name = joint.child = shape.link = names[i][0];
    joint.name = names[i][1];
    if (i == 0) shape.name = names[i][2];
    srs_status status = srs_builder_add_link(builder, &link, &error);
    if (status == SRS_OK) status = srs_builder_add_joint(builder, &joint, &error);
    if (status == SRS_OK) status = srs_builder_add_shape(builder, &shape, &error);
    if (status != SRS_OK) fail_msg("%s", error.message);
  }
  if (are_excluded) assert_int_equal(srs_builder_exclude(builder, "a", "b", &error), SRS_OK);
  return testing_build(builder);
}

static srs_sim *sim_with_materials(const srs_model *model)
{
  const srs_material materials[2] = {{.name = "ice", .friction = 0.01}, {.name = "rubber", .friction = 0.9}};
  srs_sim_options options = srs_default_sim_options();
  srs_sim *sim = NULL;
  srs_error error;
  options.contact.materials = materials, options.contact.n_materials = 2;
  if (srs_sim_create(model, &options, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
  return sim;
}

static void another_model_is_refused_by_what_differs(void **state)
{
  (void)state;
  srs_shape_def ball = srs_default_shape_def(SRS_SHAPE_SPHERE);
  ball.size[0] = 1;
  ball.name = "two", ball.material = "ice";
  srs_shape_def rubber = ball, named = ball, large = ball, masked = ball;
  rubber.material = "rubber";
  named.name = "three";
  large.size[0] = 2;
  masked.mask = 1;
  const struct {
    srs_model *model;
    const char *message, *subject;
  } others[] = {
      {two_balls(&rubber, 1, false), "the material of shape 'two' differs", "two"},
      {two_balls(&named, 1, false), "the name or the link of shape 'two' differs", "two"},
      {two_balls(&large, 1, false), "the size or the place of shape 'two' differs", "two"},
      {two_balls(&masked, 1, false), "the group, mask or robot of shape 'two' differs", "two"},
      {two_balls(&ball, 1.5, false), "a mass or an inertia differs", ""},
      {two_balls(&ball, 1, true), "other pairs of links never collide", ""},
  };
  srs_model *model = two_balls(&ball, 1, false);
  srs_sim *sim = sim_with_materials(model);
  char *bytes = malloc(srs_sim_snapshot_size(sim) + 1);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    srs_sim *other = sim_with_materials(others[i].model);
    const size_t size = srs_sim_snapshot_size(other);
    srs_error error;
    srs_sim_snapshot_save(other, bytes);
    memmove(bytes + 1, bytes, size); // at no multiple of eight
    assert_int_equal(srs_sim_snapshot_restore(sim, bytes + 1, size, &error), SRS_ERROR_ARGUMENT);
    if (strstr(error.message, others[i].message) == NULL) fail_msg("%s", error.message);
    assert_string_equal(error.subject, others[i].subject);
    srs_sim_destroy(other);
    srs_model_destroy(others[i].model);
  }
  free(bytes);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void a_snapshot_with_any_byte_changed_is_refused(void **state)
{
  (void)state;
  srs_model *model = cart();
  srs_sim *sim = new_sim(model, SRS_SEMI_IMPLICIT_EULER, 1e-3, 0);
  const size_t size = srs_sim_snapshot_size(sim);
  unsigned char *bytes = calloc(size, 1);
  assert_int_equal(srs_sim_set_state(sim, 2, (double[1]){3}, (double[1]){4}, NULL), SRS_OK);
  srs_sim_snapshot_save(sim, bytes);
  for (size_t i = 0; i < size; i++)
    for (int bit = 0; bit < 8; bit += 7) {
      bytes[i] ^= (unsigned char)(1U << bit);
      assert_int_equal(srs_sim_snapshot_restore(sim, bytes, size, NULL), SRS_ERROR_ARGUMENT);
      bytes[i] ^= (unsigned char)(1U << bit);
    }
  assert_true(srs_sim_time(sim) == 2 && srs_sim_q(sim)[0] == 3 && srs_sim_v(sim)[0] == 4);
  assert_int_equal(srs_sim_snapshot_restore(sim, bytes, size, NULL), SRS_OK);
  free(bytes);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// Each option by itself makes another simulation, and is named.
static void other_options_are_refused_by_name(void **state)
{
  (void)state;
  srs_model *model = cart();
  srs_sim *sim = NULL;
  srs_sim_options usual = srs_default_sim_options();
  assert_int_equal(srs_sim_create(model, &usual, &sim, NULL), SRS_OK);
  char bytes[4096];
  int refused = 0;
  for (int i = 0; i < srs_n_option_rows; i++) {
    const srs_option_row *row = &srs_option_rows[i];
    const double usually = srs_option_value(row, &usual);
    const double other = row->kind == SRS_OPTION_FLAG   ? usually == 0
                         : row->kind == SRS_OPTION_WORD ? usually == 0
                         : isnan(usually)               ? 0.5
                         : isinf(usually)               ? 1e9
                         : usually == 0                 ? 0.5 + (row->kind == SRS_OPTION_COUNT)
                                                        : (usually > 1 ? usually + 2 : usually / 2);
    srs_sim_options o = usual;
    srs_sim *changed = NULL;
    srs_error error = {0};
    srs_option_set(row, &o, other);
    if (srs_sim_create(model, &o, &changed, NULL) != SRS_OK) continue; // not with the others
    assert_true(srs_sim_snapshot_size(changed) <= sizeof bytes);
    srs_sim_snapshot_save(changed, bytes);
    assert_int_equal(srs_sim_snapshot_restore(sim, bytes, srs_sim_snapshot_size(changed), &error), SRS_ERROR_ARGUMENT);
    assert_string_equal(error.subject, row->name);
    assert_int_equal(srs_sim_snapshot_restore(changed, bytes, srs_sim_snapshot_size(changed), &error), SRS_OK);
    refused++;
    srs_sim_destroy(changed);
  }
  print_message("%d of %d options\n", refused, srs_n_option_rows);
  assert_true(refused >= srs_n_option_rows - 3);
  const srs_material ice = {.name = "ice", .friction = 0.01};
  srs_sim_options o = usual;
  o.contact.materials = &ice, o.contact.n_materials = 1;
  srs_sim *changed = NULL;
  srs_error error;
  assert_int_equal(srs_sim_create(model, &o, &changed, NULL), SRS_OK);
  srs_sim_snapshot_save(changed, bytes);
  assert_int_equal(srs_sim_snapshot_restore(sim, bytes, srs_sim_snapshot_size(changed), &error), SRS_ERROR_ARGUMENT);
  assert_string_equal(error.subject, "contact.materials");
  srs_sim_destroy(changed);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void snapshots_of_states_that_cannot_be_are_refused_by_name(void **state)
{
  (void)state;
  srs_model *model = one_link(SRS_JOINT_SPHERICAL, 1, at_origin, round_moments);
  srs_sim *sim = new_sim(model, SRS_SEMI_IMPLICIT_EULER, 1e-3, 0),
          *odd = new_sim(model, SRS_SEMI_IMPLICIT_EULER, 1e-3, 0);
  const size_t size = srs_sim_snapshot_size(sim);
  char *bytes = calloc(size, 1);
  srs_error error;
  double *q = (double *)srs_sim_q(odd), *v = (double *)srs_sim_v(odd); // past what set_state lets through
  v[1] = NAN;
  srs_sim_snapshot_save(odd, bytes);
  assert_int_equal(srs_sim_snapshot_restore(sim, bytes, size, &error), SRS_ERROR_NOT_FINITE);
  assert_non_null(strstr(error.message, "v of '"));
  v[1] = 0;
  q[0] = 1.01;
  srs_sim_snapshot_save(odd, bytes);
  assert_int_equal(srs_sim_snapshot_restore(sim, bytes, size, &error), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "length 1.01"));
  q[0] = 1;
  srs_sim_snapshot_save(odd, bytes);
  assert_int_equal(srs_sim_snapshot_restore(sim, bytes, size, &error), SRS_OK);
  free(bytes);
  srs_sim_destroy(odd);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_and_exponents_count),
      cmocka_unit_test(places_and_filters_count),
      cmocka_unit_test(materials_and_names_count),
      cmocka_unit_test(triangles_of_terrain_count),
      cmocka_unit_test(heights_count),
      cmocka_unit_test(bytes_that_are_no_snapshot_of_this_model_are_refused),
      cmocka_unit_test(another_model_is_refused_by_what_differs),
      cmocka_unit_test(a_snapshot_with_any_byte_changed_is_refused),
      cmocka_unit_test(other_options_are_refused_by_name),
      cmocka_unit_test(snapshots_of_states_that_cannot_be_are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
