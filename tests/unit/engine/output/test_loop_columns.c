// Columns of loops in a trajectory: how well they hold, and the angle of a loop joint over many turns.

#include "support/linkages.h"
#include "topology/model/model.h"

#include <stdlib.h>
#include <string.h>

// Rows of numbers behind the header, which must be as given.
static int read_rows(const char *path, const char *header, double *values, int n_columns, int most)
{
  char *text = testing_read(path, NULL), *at = strchr(text, '\n');
  assert_non_null(at);
  *at++ = '\0';
  assert_string_equal(text, header);
  int n = 0;
  for (; *at != '\0' && n < most; n++)
    for (int i = 0; i < n_columns; i++) {
      values[n * n_columns + i] = strtod(at, &at);
      assert_true(*at == (i + 1 < n_columns ? ',' : '\n'));
      at++;
    }
  assert_true(*at == '\0');
  free(text);
  return n;
}

static void a_loop_joint_is_followed_over_turns_and_gaps_are_told(void **state)
{
  (void)state;
  enum { COLUMNS = 11, ROWS = 32 };
  srs_model *model = testing_build(linkages_four_bar(SRS_CLOSURE_REVOLUTE, 1));
  srs_sim_options options = srs_default_sim_options();
  options.integrator = SRS_MOREAU_MIDPOINT;
  for (int i = 0; i < 3; i++) options.gravity[i] = 0;
  srs_sim *sim;
  assert_int_equal(srs_sim_create(model, &options, &sim, NULL), SRS_OK);
  const double v[3] = {30, 0, 0};
  const bool frozen[3] = {true, false, false};
  srs_assembly_options assembly = srs_default_assembly_options();
  assembly.frozen = frozen;
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  assert_int_equal(srs_sim_assemble(sim, &assembly, NULL, NULL), SRS_OK);
  srs_trajectory_options output = srs_default_trajectory_options();
  output.loops = true;
  srs_trajectory *trajectory;
  srs_error error;
  const char *path = testing_write("four_bar.csv", "");
  if (srs_trajectory_create(path, sim, &output, &trajectory, &error) != SRS_OK) fail_msg("%s", error.message);
  for (int i = 0; i < 30; i++) { // a row every 0.05 s: 1.5 rad of the crank
    assert_int_equal(srs_trajectory_add(trajectory, sim, &error), SRS_OK);
    assert_int_equal(srs_sim_step(sim, 50, &error), SRS_OK);
  }
  assert_int_equal(srs_trajectory_close(trajectory, &error), SRS_OK);
  double values[ROWS * COLUMNS];
  const int n = read_rows(path,
                          "time,q:q1,q:q2,q:q3,v:q1,v:q2,v:q3,loop:coupler-rocker:gap,loop:coupler-rocker:speed,"
                          "loop:coupler-rocker:angle,loop:coupler-rocker:rate",
                          values, COLUMNS, ROWS);
  assert_int_equal(n, 30);
  for (int i = 0; i < n; i++) {
    const double *row = values + (size_t)i * COLUMNS;
    assert_true(row[7] < 2e-12 && row[8] < 1e-10);
    assert_true(fabs(row[9] - (row[3] - row[1] - row[2])) < 1e-9); // the rocker against the coupler, turns and all
    assert_true(fabs(row[10] - (row[6] - row[4] - row[5])) < 1e-9);
  }
  assert_true(values[(n - 1) * COLUMNS + 1] > 4 * linkages_pi);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void couplings_have_their_unit(void **state)
{
  (void)state;
  enum { COLUMNS = 9 };
  srs_builder *builder = srs_builder_create();
  linkages_add(builder, "a", "la", NULL, srs_identity_pose(), 0, 0, 1);
  linkages_add(builder, "b", "lb", NULL, srs_identity_pose(), 0, 0, 1);
  srs_coupling_def def = srs_default_coupling_def();
  def.name = "gear";
  def.follower = "b";
  def.leader = "a";
  assert_int_equal(srs_builder_add_coupling(builder, &def, NULL), SRS_OK);
  srs_model *model = testing_build(builder);
  srs_sim *sim;
  assert_int_equal(srs_sim_create(model, NULL, &sim, NULL), SRS_OK);
  const double q[2] = {0.25, 0}, v[2] = {0, 0.5}; // not assembled: the gap is told
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
  srs_trajectory_options output = srs_default_trajectory_options();
  output.loops = true;
  srs_trajectory *trajectory;
  const char *path = testing_write("gear.csv", "");
  assert_int_equal(srs_trajectory_create(path, sim, &output, &trajectory, NULL), SRS_OK);
  assert_int_equal(srs_trajectory_add(trajectory, sim, NULL), SRS_OK);
  assert_int_equal(srs_trajectory_close(trajectory, NULL), SRS_OK);
  double values[COLUMNS];
  assert_int_equal(read_rows(path, "time,q:a,q:b,v:a,v:b,loop:gear:gap,loop:gear:speed", values, 7, 1), 1);
  assert_true(values[5] == 0.25 && values[6] == 0.5);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_joint_is_followed_over_turns_and_gaps_are_told),
      cmocka_unit_test(couplings_have_their_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
