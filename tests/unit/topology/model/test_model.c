// What a model tells: counts, names, units, searching.
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

// One joint of each kind, in a chain.
static srs_model *one_of_each(bool keep_fixed)
{
  srs_builder *builder = srs_builder_create();
  char previous[16] = "";
  for (int k = 0; k < SRS_JOINT_KINDS; k++) {
    const char *name = srs_joint_kind_name((srs_joint_kind)k);
    srs_link_def link = srs_default_link_def();
    link.name = name;
    link.mass = 1;
    link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
    assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
    srs_joint_def joint = srs_default_joint_def((srs_joint_kind)k);
    joint.name = name;
    joint.parent = k > 0 ? previous : NULL;
    joint.child = name;
    assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
    snprintf(previous, sizeof previous, "%s", name);
  }
  const srs_build_options options = {.keep_fixed_joints = keep_fixed};
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, &options, &model, NULL), SRS_OK);
  srs_builder_destroy(builder);
  return model;
}

static void coordinates_have_their_names_and_units(void **state)
{
  (void)state;
  const char *q[][2] = {{"revolute", "rad"},
                        {"continuous", "rad"},
                        {"prismatic", "m"},
                        {"helical", "rad"},
                        {"cylindrical.angle", "rad"},
                        {"cylindrical.z", "m"},
                        {"universal.angle1", "rad"},
                        {"universal.angle2", "rad"},
                        {"spherical.qw", "1"},
                        {"spherical.qx", "1"},
                        {"spherical.qy", "1"},
                        {"spherical.qz", "1"},
                        {"planar.x", "m"},
                        {"planar.y", "m"},
                        {"planar.angle", "rad"},
                        {"free.x", "m"},
                        {"free.y", "m"},
                        {"free.z", "m"},
                        {"free.qw", "1"},
                        {"free.qx", "1"},
                        {"free.qy", "1"},
                        {"free.qz", "1"}};
  const char *v[][2] = {{"revolute", "rad/s"},
                        {"continuous", "rad/s"},
                        {"prismatic", "m/s"},
                        {"helical", "rad/s"},
                        {"cylindrical.angle", "rad/s"},
                        {"cylindrical.z", "m/s"},
                        {"universal.angle1", "rad/s"},
                        {"universal.angle2", "rad/s"},
                        {"spherical.wx", "rad/s"},
                        {"spherical.wy", "rad/s"},
                        {"spherical.wz", "rad/s"},
                        {"planar.x", "m/s"},
                        {"planar.y", "m/s"},
                        {"planar.angle", "rad/s"},
                        {"free.vx", "m/s"},
                        {"free.vy", "m/s"},
                        {"free.vz", "m/s"},
                        {"free.wx", "rad/s"},
                        {"free.wy", "rad/s"},
                        {"free.wz", "rad/s"}};
  for (int keep = 0; keep <= 1; keep++) {
    srs_model *model = one_of_each(keep == 1);
    assert_int_equal(srs_model_nq(model), sizeof q / sizeof *q);
    assert_int_equal(srs_model_nv(model), sizeof v / sizeof *v);
    for (int i = 0; i < srs_model_nq(model); i++) {
      assert_string_equal(srs_model_q_name(model, i), q[i][0]);
      assert_string_equal(srs_model_q_unit(model, i), q[i][1]);
      assert_int_equal(srs_model_find_q(model, q[i][0]), i);
    }
    for (int i = 0; i < srs_model_nv(model); i++) {
      assert_string_equal(srs_model_v_name(model, i), v[i][0]);
      assert_string_equal(srs_model_v_unit(model, i), v[i][1]);
      assert_int_equal(srs_model_find_v(model, v[i][0]), i);
    }
    srs_model_destroy(model);
  }
}

static void parts_are_found_by_name(void **state)
{
  (void)state;
  testing_random random = testing_random_start(81);
  srs_model *model = testing_random_model(&random, 500, NULL, 0, 0.5);
  for (int k = 0; k < 500; k++) {
    assert_int_equal(srs_model_find_link(model, srs_model_link(model, k)->name), k);
    assert_int_equal(srs_model_find_joint(model, srs_model_joint(model, k)->name), k);
    assert_int_equal(srs_model_frame(model, srs_model_find_frame(model, srs_model_link(model, k)->name))->link, k);
  }
  const char *absent[] = {"", "link", "link500", "zzz", NULL};
  for (int i = 0; i < 5; i++) {
    assert_int_equal(srs_model_find_link(model, absent[i]), -1);
    assert_int_equal(srs_model_find_joint(model, absent[i]), -1);
    assert_int_equal(srs_model_find_frame(model, absent[i]), -1);
    assert_int_equal(srs_model_find_q(model, absent[i]), -1);
    assert_int_equal(srs_model_find_v(model, absent[i]), -1);
  }
  srs_model_destroy(model);
}

static void indices_out_of_range_give_null(void **state)
{
  (void)state;
  srs_model *model = one_of_each(false);
  const int n[] = {-1, 1000, srs_model_nq(model)};
  for (int i = 0; i < 3; i++) {
    assert_null(srs_model_link(model, n[i]));
    assert_null(srs_model_joint(model, n[i]));
    assert_null(srs_model_frame(model, n[i]));
    assert_null(srs_model_shape(model, n[i]));
    assert_null(srs_model_q_name(model, n[i]));
    assert_null(srs_model_v_name(model, n[i]));
    assert_null(srs_model_q_unit(model, n[i]));
    assert_null(srs_model_v_unit(model, n[i]));
    assert_null(srs_model_warning(model, n[i]));
  }
  srs_model_destroy(model);
}

static void an_empty_mechanism_is_a_model(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  srs_builder_destroy(builder);
  assert_int_equal(srs_model_n_links(model) + srs_model_nq(model) + srs_model_n_frames(model), 0);
  assert_int_equal(srs_model_find_link(model, "a"), -1);
  double none = 0;
  srs_integrate(model, &none, &none, 1, &none);
  assert_true(srs_normalise(model, &none));
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coordinates_have_their_names_and_units),
      cmocka_unit_test(parts_are_found_by_name),
      cmocka_unit_test(indices_out_of_range_give_null),
      cmocka_unit_test(an_empty_mechanism_is_a_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
