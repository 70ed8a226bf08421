// What a run has recorded is read back: names, units, numbers to the bit, contacts by rows, texts; and what is no run
// is refused in one line.
#include "support/world.h"
#include <sarrus/results.h>

#include <math.h>
#include <string.h>

static const char scene[] = "models:\n"
                            "  - name: a\n"
                            "    links: [{name: ball, mass: 2, inertia: [0.1, 0.1, 0.1]}]\n"
                            "    joints: [{name: root, kind: free, child: ball, origin: {position: [0, 0, 0.6]}}]\n"
                            "    shapes: [{link: ball, kind: sphere, radius: 0.5, name: ball}]\n"
                            "environment: [{name: floor, shape: half-space}]\n";

enum { ROWS = 30 };

static void what_was_recorded_is_read(void **unused)
{
  (void)unused;
  world w = load(scene);
  const char *path = testing_write("run.h5", "");
  srs_trajectory_options options = srs_default_trajectory_options();
  options.contacts = true, options.scene_text = scene;
  srs_trajectory *t = NULL;
  srs_error error;
  double z[ROWS];
  assert_int_equal(srs_trajectory_create(path, w.sim, &options, &t, &error), SRS_OK);
  for (int i = 0; i < ROWS; i++) {
    z[i] = srs_sim_q(w.sim)[2];
    assert_int_equal(srs_trajectory_add(t, w.sim, &error), SRS_OK);
    step(w.sim, 10);
  }
  assert_int_equal(srs_trajectory_close(t, &error), SRS_OK);

  srs_results *r = NULL;
  if (srs_results_read(path, &r, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_results_rows(r), ROWS);
  assert_string_equal(srs_results_name(r, 0), "time");
  const int column = srs_results_find(r, "q:root.z"), n_columns = srs_results_columns(r);
  assert_true(column > 0 && column < n_columns);
  assert_string_equal(srs_results_unit(r, column), "m");
  assert_int_equal(srs_results_find(r, "q:root.zz"), -1);
  assert_null(srs_results_name(r, n_columns));
  assert_null(srs_results_unit(r, -1));
  const double *values = srs_results_values(r);
  for (int i = 0; i < ROWS; i++)
    assert_memory_equal(values + (size_t)i * (size_t)n_columns + column, &z[i], sizeof z[i]);

  int n;
  assert_null(srs_results_contacts(r, 0, &n));
  assert_int_equal(n, 0);
  const srs_result_contact *contact = srs_results_contacts(r, ROWS - 1, &n);
  assert_int_equal(n, 1); // at rest: its weight on the floor
  const double sign = strcmp(srs_results_shape(r, contact->shape_a), "ball") == 0 ? 1 : -1;
  assert_string_equal(srs_results_shape(r, sign > 0 ? contact->shape_b : contact->shape_a), "floor");
  assert_true(fabs(sign * contact->force[2] - 2 * 9.81) < 1e-9 && fabs(sign * contact->normal[2] - 1) < 1e-15);
  assert_true(fabs(contact->point[2]) < 1e-9 && contact->friction == 0.5);
  assert_null(srs_results_shape(r, 99));
  assert_null(srs_results_contacts(r, ROWS, &n));
  srs_results_destroy(r);

  char *text = NULL;
  assert_int_equal(srs_results_read_text(path, "scene", &text, &error), SRS_OK);
  assert_string_equal(text, scene);
  srs_results_free_text(text);
  unload(&w);
}

static void what_is_no_run_is_refused(void **unused)
{
  (void)unused;
  srs_results *r = (void *)1;
  srs_error error;
  assert_int_equal(srs_results_read("none.h5", &r, &error), SRS_ERROR_FILE);
  assert_null(r);
  assert_non_null(strstr(error.message, "No such file"));
  const char *path = testing_write("text.h5", "time,q\n0,1\n");
  assert_int_equal(srs_results_read(path, &r, &error), SRS_ERROR_SYNTAX);
  assert_null(r);
  char *text;
  assert_int_equal(srs_results_read_text(path, "scene", &text, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(srs_results_read(NULL, &r, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_results_read(path, NULL, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_results_rows(NULL), 0);
  srs_results_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_recorded_is_read),
                                     cmocka_unit_test(what_is_no_run_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
