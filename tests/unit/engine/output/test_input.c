// Inputs over time: which row holds when, and how each mistake in the file is told.
#include "support/sims.h"
#include "support/testing.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Two sliders of 1 kg, each on its own, and a body that flies: without gravity every motion has a closed form.
static srs_model *build(void)
{
  srs_builder *builder = srs_builder_create();
  static const char *const links[] = {"a", "b", "c"};
  static const char *const joints[] = {"left", "right", "fly"};
  for (int i = 0; i < 3; i++) {
    srs_link_def link = srs_default_link_def();
    link.name = links[i], link.mass = 1, link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
    srs_joint_def joint = srs_default_joint_def(i < 2 ? SRS_JOINT_PRISMATIC : SRS_JOINT_FREE);
    joint.name = joints[i], joint.child = links[i];
    assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  }
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  srs_builder_destroy(builder);
  return model;
}

static srs_sim *start(const srs_model *model, double dt)
{
  srs_sim_options options = srs_default_sim_options();
  options.gravity[2] = 0;
  options.dt = dt;
  return sim_of_model(model, &options);
}

static srs_input *load(const char *text, const srs_model *model)
{
  srs_input *input;
  srs_error error;
  if (srs_input_load(testing_write("input.csv", text), model, &input, &error) != SRS_OK)
    fail_msg("%d:%d: %s", error.line, error.column, error.message);
  return input;
}

static double torque_at(srs_input *input, srs_sim *sim, double time)
{
  assert_int_equal(srs_sim_set_state(sim, time, NULL, NULL, NULL), SRS_OK);
  assert_int_equal(srs_input_apply(input, sim, NULL), SRS_OK);
  return srs_sim_torque(sim)[0];
}

static void a_row_holds_until_the_next_begins(void **state)
{
  (void)state;
  srs_model *model = build();
  srs_sim *sim = start(model, 0.1);
  srs_input *input = load("time,tau:left,tau:fly.wz\n1,10,-1\n2,20,-2\n3.5,30,-3\n", model);
  assert_true(torque_at(input, sim, 0) == 0);
  assert_true(torque_at(input, sim, 0.99) == 0);
  assert_true(torque_at(input, sim, 1) == 10);
  assert_true(torque_at(input, sim, 1.99) == 10);
  assert_true(torque_at(input, sim, 2) == 20);
  assert_true(torque_at(input, sim, 3.4) == 20);
  assert_true(torque_at(input, sim, 3.5) == 30);
  assert_true(torque_at(input, sim, 1e9) == 30);
  assert_true(srs_sim_torque(sim)[1] == 0 && srs_sim_torque(sim)[srs_model_find_v(model, "fly.wz")] == -3);
  assert_true(torque_at(input, sim, 1.5) == 10); // back in time as forth
  assert_true(torque_at(input, sim, 0.5) == 0);
  srs_input_destroy(input);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void a_row_begins_with_the_step_that_its_time_is_meant_for(void **state)
{
  (void)state;
  srs_model *model = build();
  srs_sim *sim = start(model, 0.1);
  char text[4096] = "time,tau:left\n";
  for (int i = 0; i < 100; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%d.%d,%d\n", i / 10, i % 10, i + 1);
  srs_input *input = load(text, model);
  for (int i = 0; i < 100; i++) {
    assert_int_equal(srs_input_apply(input, sim, NULL), SRS_OK);
    assert_true(srs_sim_torque(sim)[0] == i + 1);
    assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
  }
  // Semi-implicit Euler on 1 kg: v = h sum of tau.
  testing_assert_close("v", srs_sim_v(sim), (const double[]){0.1 * 5050}, 1, 1e-13); // 100 roundings
  srs_input_destroy(input);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void servos_follow_their_references_with_the_gains_given(void **state)
{
  (void)state;
  srs_model *model = build();
  srs_sim *sim = start(model, 0.01);
  srs_input *input = load("time,q_ref:left,v_ref:right\n0.5,2,3\n", model);
  for (int i = 0; i < 50; i++) {
    assert_int_equal(srs_input_apply(input, sim, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
  }
  assert_true(srs_sim_q(sim)[0] == 0 && srs_sim_v(sim)[1] == 0); // off until 0.5
  double a[8];
  assert_int_equal(srs_input_apply(input, sim, NULL), SRS_OK);
  assert_int_equal(srs_sim_acceleration(sim, a, NULL), SRS_OK);
  testing_assert_close("defaults", a, (const double[]){100 * 2, 10 * 3}, 2, 1e-13); // kp 100, kd 10 on 1 kg
  srs_input_set_gains(input, 7, 4);
  assert_int_equal(srs_input_apply(input, sim, NULL), SRS_OK);
  assert_int_equal(srs_sim_acceleration(sim, a, NULL), SRS_OK);
  testing_assert_close("set", a, (const double[]){7 * 2, 4 * 3}, 2, 1e-13);
  for (int i = 0; i < 2000; i++) {
    assert_int_equal(srs_input_apply(input, sim, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(sim, 1, NULL), SRS_OK);
  }
  assert_true(fabs(srs_sim_q(sim)[0] - 2) < 1e-6 && fabs(srs_sim_v(sim)[1] - 3) < 1e-6); // exp(-2 * 20) is left
  srs_input_set_gains(input, -1, 0);
  assert_int_equal(srs_input_apply(input, sim, NULL), SRS_ERROR_ARGUMENT);
  srs_input_set_gains(NULL, 1, 1);
  srs_input_destroy(input);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void a_free_body_is_servoed_along_its_position_and_rates(void **state)
{
  (void)state;
  srs_model *model = build();
  srs_sim *sim = start(model, 0.01);
  srs_input *input = load("time,q_ref:fly.y,v_ref:fly.wx,v_ref:fly.vy\n0,2,3,1\n", model);
  double a[8];
  assert_int_equal(srs_input_apply(input, sim, NULL), SRS_OK);
  assert_int_equal(srs_sim_acceleration(sim, a, NULL), SRS_OK);
  testing_assert_close("a", a, (const double[]){0, 0, 0, 100 * 2 + 10 * 1, 0, 10 * 3, 0, 0}, 8, 1e-13);
  srs_input_destroy(input);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void what_the_file_does_not_name_is_left_alone(void **state)
{
  (void)state;
  srs_model *model = build();
  srs_sim *sim = start(model, 0.01);
  const double tau[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
  srs_input *input = load("time,q_ref:left\n0,0\n", model);
  assert_int_equal(srs_input_apply(input, sim, NULL), SRS_OK);
  assert_memory_equal(srs_sim_torque(sim), tau, sizeof tau);
  srs_input_destroy(input);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void files_from_spreadsheets_are_read(void **state)
{
  (void)state;
  srs_model *model = build();
  srs_sim *sim = start(model, 0.1);
  srs_input *input = load("\xef\xbb\xbftime, \"tau:left\" ,tau:right\r\n0, 1.5 ,2\r\n\r\n1,2.5e0,3", model);
  assert_true(torque_at(input, sim, 0) == 1.5);
  assert_true(torque_at(input, sim, 1) == 2.5 && srs_sim_torque(sim)[1] == 3);
  srs_input_destroy(input);
  if (setlocale(LC_ALL, "de_DE.utf8") != NULL) {
    input = load("time,tau:left\n0,1.5\n", model);
    assert_true(torque_at(input, sim, 0) == 1.5);
    srs_input_destroy(input);
    setlocale(LC_ALL, "C");
  } else
    print_message("the locale de_DE is not installed\n");
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void mistakes_are_told_with_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    srs_status status;
    int line, column;
    const char *words;
  } cases[] = {
      {"", SRS_ERROR_SYNTAX, 0, 0, "the file is empty"},
      {"\n0,1\n", SRS_ERROR_SYNTAX, 1, 0, "the first line is empty"},
      {"time\n0\n", SRS_ERROR_SYNTAX, 1, 0, "no column besides 'time'"},
      {"time,tau:left\n", SRS_ERROR_SYNTAX, 1, 0, "no row below the header"},
      {"tau:left,time\n0,1\n", SRS_ERROR_NAME, 1, 1, "the first column must be 'time', here is 'tau:left'"},
      {"time;tau:left\n0;1\n", SRS_ERROR_NAME, 1, 1, "separated by commas"},
      {"0,1\n1,2\n", SRS_ERROR_NAME, 1, 1, "the first column must be 'time'"},
      {"time,tau:lft\n0,1\n", SRS_ERROR_NAME, 1, 6, "unknown column 'tau:lft'"},
      {"time,tau:lft\n0,1\n", SRS_ERROR_NAME, 1, 6, "did you mean 'tau:left'?"},
      {"time,q_reff:left\n0,1\n", SRS_ERROR_NAME, 1, 6, "did you mean 'q_ref:left'?"},
      {"time,left\n0,1\n", SRS_ERROR_NAME, 1, 6, "unknown column 'left'"},
      {"time,tau:fly.x\n0,1\n", SRS_ERROR_NAME, 1, 6, "did you mean 'tau:fly.vx'?"},
      {"time,tau:left,tau:left\n0,1,2\n", SRS_ERROR_NAME, 1, 15, "column 'tau:left' is there twice"},
      {"time,time\n0,1\n", SRS_ERROR_NAME, 1, 6, "twice"},
      {"time,tau:left,\n0,1,2\n", SRS_ERROR_NAME, 1, 15, "unknown column ''"},
      {"time,q_ref:fly.qw\n0,1\n", SRS_ERROR_UNSUPPORTED, 1, 6, "a servo cannot follow the entries of a quaternion"},
      {"time,tau:left\n0,1\n1\n", SRS_ERROR_SYNTAX, 3, 0, "the row has 1 field, the header has 2"},
      {"time,tau:left\n0,1\n1,2,3\n", SRS_ERROR_SYNTAX, 3, 0, "the row has 3 fields, the header has 2"},
      {"time,tau:left\n0,1\n1,\n", SRS_ERROR_SYNTAX, 3, 3, "'' in column 'tau:left' is not a finite number"},
      {"time,tau:left\n0,1.0kg\n", SRS_ERROR_SYNTAX, 2, 3, "'1.0kg' in column 'tau:left' is not a finite number"},
      {"time,tau:left\n0,nan\n", SRS_ERROR_SYNTAX, 2, 3, "not a finite number"},
      {"time,tau:left\n0,inf\n", SRS_ERROR_SYNTAX, 2, 3, "not a finite number"},
      {"time,tau:left\n0,1\n\n0,2\n", SRS_ERROR_SYNTAX, 4, 1, "time must grow from row to row"},
      {"time,tau:left\n1,1\n0,2\n", SRS_ERROR_SYNTAX, 3, 1, "time must grow from row to row"},
      {"time,tau:left\nx,1\n", SRS_ERROR_SYNTAX, 2, 1, "'x' in column 'time' is not a finite number"},
  };
  srs_model *model = build();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_input *input = (srs_input *)1;
    srs_error error = {0};
    const char *path = testing_write("input.csv", cases[i].text);
    const srs_status status = srs_input_load(path, model, &input, &error);
    if (status != cases[i].status || error.line != cases[i].line || error.column != cases[i].column ||
        strstr(error.message, cases[i].words) == NULL)
      fail_msg("'%s': %d at %d:%d '%s'", cases[i].text, status, error.line, error.column, error.message);
    assert_string_equal(error.file, path);
    assert_null(input);
  }
  srs_model_destroy(model);
}

static void files_that_cannot_be_read_are_told(void **state)
{
  (void)state;
  srs_model *model = build();
  srs_input *input;
  srs_error error;
  assert_int_equal(srs_input_load("/nowhere/input.csv", model, &input, &error), SRS_ERROR_FILE);
  assert_string_equal(error.file, "/nowhere/input.csv");
  assert_int_equal(srs_input_load(testing_folder(), model, &input, &error), SRS_ERROR_FILE);
  assert_int_equal(srs_input_load(NULL, model, &input, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_input_load("/nowhere/input.csv", NULL, &input, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_input_load("/nowhere/input.csv", model, NULL, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_input_load("/nowhere/input.csv", model, &input, NULL), SRS_ERROR_FILE);
  srs_input_destroy(NULL);

  srs_model *other = build();
  srs_sim *stranger = start(other, 0.1);
  input = load("time,tau:left\n0,1\n", model);
  assert_int_equal(srs_input_apply(input, stranger, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_input_apply(NULL, stranger, &error), SRS_ERROR_ARGUMENT);
  srs_input_destroy(input);
  srs_sim_destroy(stranger);
  srs_model_destroy(other);
  srs_model_destroy(model);
}

static void mutated_inputs_load_or_are_refused(void **state)
{
  (void)state;
  static const char good[] = "time,tau:left,\"q_ref:right\",v_ref:fly.wx\n0,1,2,3\n0.5,-1e-3,2.5,0\n1,0,0,0\n";
  static const char alphabet[] = ",\"\n\r :e.-0a;";
  testing_random random = testing_random_start(20240612);
  srs_model *model = build();
  srs_sim *sim = start(model, 0.1);
  int n_good = 0;
  for (int round = 0; round < 1500; round++) {
    char text[sizeof good];
    memcpy(text, good, sizeof good);
    for (int change = 1 + testing_below(&random, 3); change > 0; change--) {
      const int at = testing_below(&random, (int)sizeof good - 1);
      text[at] = testing_below(&random, 8) == 0 ? '\0' : alphabet[testing_below(&random, (int)sizeof alphabet - 1)];
    }
    srs_input *input = NULL;
    srs_error error = {0};
    const srs_status status = srs_input_load(testing_write("mutant.csv", text), model, &input, &error);
    assert_true((status == SRS_OK) == (input != NULL));
    if (status == SRS_OK)
      assert_int_equal(srs_input_apply(input, sim, NULL), SRS_OK);
    else
      assert_true(error.message[0] != '\0' && strchr(error.message, '\n') == NULL);
    n_good += status == SRS_OK;
    srs_input_destroy(input);
  }
  assert_true(n_good > 0);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_row_holds_until_the_next_begins),
      cmocka_unit_test(a_row_begins_with_the_step_that_its_time_is_meant_for),
      cmocka_unit_test(servos_follow_their_references_with_the_gains_given),
      cmocka_unit_test(a_free_body_is_servoed_along_its_position_and_rates),
      cmocka_unit_test(what_the_file_does_not_name_is_left_alone),
      cmocka_unit_test(files_from_spreadsheets_are_read),
      cmocka_unit_test(mistakes_are_told_with_their_place),
      cmocka_unit_test(files_that_cannot_be_read_are_told),
      cmocka_unit_test(mutated_inputs_load_or_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
