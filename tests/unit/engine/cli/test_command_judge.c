// `sarrus solve --judge`: what it says of our impulses, of those in the file and in another, and what is refused.
#include "support/command.h"

#include <math.h>

// A joint row at 1 m/s of 4 kg, and two masses of 2 kg that meet the ground at 3 m/s, one of them sliding at 8 m/s with
// mu 0.25.
enum { N = 7 };
static const double b[N] = {1, -3, 0, 0, -3, 8, 0}, friction[2] = {0.25, 0.25};
static const double impulse[N] = {-4, 6, 0, 0, 6, -1.5, 0}, velocity[N] = {0, 0, 0, 0, 0, 7.25, 0};

// With the solution, unless it is NULL.
static void write_problem(const char *name, const double *solution, const double *u)
{
  char path[4096];
  double W[N * N] = {0};
  srs_error error = {0};
  for (size_t i = 0; i < N; i++) W[i * (N + 1)] = i == 0 ? 0.25 : 0.5;
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  const srs_contact_file file = {.problem = {.n_bilateral = 1, .n_contacts = 2, .W = W, .b = b, .friction = friction},
                                 .impulse = solution,
                                 .velocity = u};
  if (srs_contact_file_write(path, &file, &error) != SRS_OK) fail_msg("%s", error.message);
}

static void assert_number(testing_json *json, const char *path, double expected)
{
  const double value = testing_json_number(json, path);
  if (!(fabs(value - expected) < 1e-14 * fmax(1, fabs(expected)))) // a few roundings
    fail_msg("%s is %.17g, not %.17g", path, value, expected);
}

static void our_answer_is_judged_beside_its_certificate(void **state)
{
  (void)state;
  write_problem("three.hdf5", NULL, NULL);
  assert_int_equal(sarrus("solve three.hdf5 --judge --json"), 0);
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/status"), "solved");
  assert_string_equal(testing_json_text(json, "/judge/impulses"), "our impulses");
  assert_true(testing_json_number(json, "/judge/residual") < 1e-15);
  assert_number(json, "/judge/energy", -2 - 9 - 9 - 1.5 * (8 + 7.25) / 2);
  const char *const kinds[] = {"gap", "cone", "dissipation", "loops", "velocity"};
  for (int i = 0; i < 5; i++) {
    char path[64];
    snprintf(path, sizeof path, "/judge/%s/worst", kinds[i]);
    assert_number(json, path, 0);
  }
  assert_false(testing_json_has(json, "/judge/limits"));
  assert_int_equal(testing_json_count(json, "/judge/contacts"), 2);
  assert_string_equal(testing_json_text(json, "/judge/contacts/0/mode"), "stick");
  assert_string_equal(testing_json_text(json, "/judge/contacts/1/mode"), "slide");
  assert_number(json, "/judge/contacts/1/normal", 6);
  assert_number(json, "/judge/contacts/1/friction", 1.5);
  assert_number(json, "/judge/contacts/1/mu", 0.25);
  assert_number(json, "/judge/contacts/1/slip", 7.25);
  testing_json_free(json);
  assert_int_equal(sarrus("solve three.hdf5 --judge"), 0);
  assert_says(command_out, "judged in long double");
  assert_says(command_out, "\n  gap            at most ");
  assert_says(command_out, "\n      1 slide           6         1.5      0.25           0        7.25 ");
}

static void a_solution_in_the_file_is_judged_without_solving(void **state)
{
  (void)state;
  write_problem("solved.hdf5", impulse, velocity);
  assert_int_equal(sarrus("solve solved.hdf5 --judge --given --json"), 0);
  testing_json *json = command_json();
  assert_string_equal(testing_json_text(json, "/judge/impulses"), "the file's solution");
  assert_false(testing_json_has(json, "/status"));
  assert_number(json, "/judge/residual", 0);
  assert_number(json, "/judge/velocity/worst", 0);
  testing_json_free(json);

  const double wrong[N] = {-4.5, 6, 0, 0, 6, -1.75, 0}, off[N] = {0, 0, 0, 0, 0, 7.375, 0};
  write_problem("wrong.hdf5", wrong, off);
  assert_int_equal(sarrus("solve wrong.hdf5 --given --json"), 1);
  assert_says(command_err, "sarrus: wrong.hdf5: the residual of the file's solution is ");
  json = command_json();
  assert_number(json, "/judge/loops/worst", 0.125);
  assert_number(json, "/judge/loops/relative", 0.125 * 2 / sqrt(4 + 2 * (9 + 9 + 64))); // |s b|
  assert_number(json, "/judge/cone/worst", 0.25);
  assert_number(json, "/judge/cone/contact", 1);
  assert_number(json, "/judge/velocity/worst", 0.25); // 7.375 - (8 - 0.875)
  assert_number(json, "/judge/velocity/row", 5);
  testing_json_free(json);
  assert_int_equal(sarrus("solve wrong.hdf5 --given --tol 0.5"), 0);
}

static void impulses_may_come_from_another_file(void **state)
{
  (void)state;
  write_problem("bare.hdf5", NULL, NULL);
  write_problem("other.hdf5", impulse, NULL);
  testing_write("list.json", "[-4, 6, 0, 0, 6, -1.5, 0]");
  testing_write("map.json", "{\"solver\": \"mine\", \"impulse\": [-4, 6, 0, 0, 6, -1.5, 0], \"velocity\": "
                            "[0, 0, 0, 0, 0, 7.5, 0]}");
  assert_int_equal(sarrus("solve bare.hdf5 --impulses other.hdf5 --json"), 0);
  testing_json *json = command_json();
  assert_number(json, "/judge/residual", 0);
  assert_false(testing_json_has(json, "/judge/velocity"));
  testing_json_free(json);
  assert_int_equal(sarrus("solve bare.hdf5 --judge --impulses list.json"), 0);
  assert_int_equal(sarrus("solve bare.hdf5 --impulses map.json --json"), 0); // velocities are no part of the residual
  json = command_json();
  assert_number(json, "/judge/velocity/worst", 0.25);
  testing_json_free(json);
  assert_int_equal(sarrus("solve bare.hdf5 --json >ours.json"), 0);
  assert_int_equal(sarrus("solve bare.hdf5 --impulses ours.json"), 0);
}

// Slip along (1, 1): with four directions friction cannot be as large as the cone's.
static void polyhedra_are_judged_by_their_own_laws(void **state)
{
  (void)state;
  const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, slanted[3] = {-3, 4, 3}, mu = 0.25;
  char path[4096];
  srs_error error = {0};
  snprintf(path, sizeof path, "%s/slanted.hdf5", testing_folder());
  const srs_contact_file file = {.problem = {.n_contacts = 1, .W = W, .b = slanted, .friction = &mu}};
  if (srs_contact_file_write(path, &file, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(sarrus("solve slanted.hdf5 --judge --solver mlcp-lemke@8 --json"), 0);
  testing_json *json = command_json();
  assert_number(json, "/judge/directions", 8);
  assert_true(testing_json_number(json, "/judge/residual") < 1e-14);
  assert_true(testing_json_number(json, "/judge/exact_residual") > 1e-3);
  testing_json_free(json);
  testing_write("corner.json", "[6, -1.5, 0]"); // the corner of a square, which slides at (3.25, 3)
  assert_int_equal(sarrus("solve slanted.hdf5 --impulses corner.json --solver mlcp-lemke"), 0);
  assert_int_equal(sarrus("solve slanted.hdf5 --impulses corner.json --json"), 1);
  assert_says(command_err, "the residual of corner.json is ");
}

static void what_cannot_be_judged_is_refused_in_one_line(void **state)
{
  (void)state;
  write_problem("bare.hdf5", NULL, NULL);
  write_problem("solved.hdf5", impulse, velocity);
  const double W = 1, push = -1, mu = 0;
  char path[4096];
  srs_error error = {0};
  snprintf(path, sizeof path, "%s/small.hdf5", testing_folder());
  const double large[9] = {W, 0, 0, 0, W, 0, 0, 0, W}, start[3] = {push, 0, 0}, found[3] = {1, 0, 0};
  const srs_contact_file file = {.problem = {.n_contacts = 1, .W = large, .b = start, .friction = &mu},
                                 .impulse = found};
  if (srs_contact_file_write(path, &file, &error) != SRS_OK) fail_msg("%s", error.message);
  testing_write("short.json", "{\"impulse\": [1, 2, 3]}");
  testing_write("null.json", "[-4, 6, 0, 0, 6, null, 0]");
  testing_write("huge.json", "[-4, 6, 0, 0, 6, 1e999, 0]");
  testing_write("long.json", "{\"impulse\": [-4, 6, 0, 0, 6, -1.5, 0], \"velocity\": [0]}");
  testing_write("none.json", "{\"v\": [1, 2]}");
  testing_write("word.yaml", "impulses");
  assert_refused(sarrus("solve bare.hdf5 --judge --given"), 1,
                 "bare.hdf5: has no impulses to judge (no entry solution/r): leave out --given to judge ours");
  assert_refused(sarrus("solve bare.hdf5 --impulses bare.hdf5"), 1, "bare.hdf5: has no impulses to judge");
  assert_refused(sarrus("solve bare.hdf5 --impulses small.hdf5"), 1,
                 "small.hdf5: is of another problem, with 3 rows; the problem has 7 rows: 1 bilateral, then 2 contacts "
                 "of 3, the normal first");
  assert_refused(sarrus("solve bare.hdf5 --impulses short.json"), 1,
                 "short.json:1:13: impulse has 3 numbers; the problem has 7 rows: 1 bilateral, then 2 contacts");
  assert_refused(sarrus("solve bare.hdf5 --impulses null.json"), 1, "null.json:1:18: impulse must be a number");
  assert_refused(sarrus("solve bare.hdf5 --impulses huge.json"), 1, "huge.json:1:18: impulse: '1e999' is not a finite");
  assert_refused(sarrus("solve bare.hdf5 --impulses long.json"), 1, "velocity has 1 number; the problem has 7 rows");
  assert_refused(sarrus("solve bare.hdf5 --impulses none.json"), 1, "none.json:1:1: has no impulses to judge: write");
  assert_refused(sarrus("solve bare.hdf5 --impulses word.yaml"), 1, "word.yaml:1:1: has no impulses to judge: write");
  assert_refused(sarrus("solve bare.hdf5 --impulses missing.json"), 1, "missing.json: cannot be ");
  assert_refused(sarrus("solve solved.hdf5 --given --impulses short.json"), 2, "give one of them");
  assert_refused(sarrus("solve solved.hdf5 --given --out x.hdf5"), 2, "with --given nothing is solved");
  assert_refused(sarrus("solve solved.hdf5 --solver mlcp-lemke@7"), 2, "--solver: directions are an even number");
  assert_int_equal(sarrus("solve --help"), 0);
  assert_says(command_out, "  dissipation  friction that does not oppose the slip");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(our_answer_is_judged_beside_its_certificate),
      cmocka_unit_test(a_solution_in_the_file_is_judged_without_solving),
      cmocka_unit_test(impulses_may_come_from_another_file),
      cmocka_unit_test(polyhedra_are_judged_by_their_own_laws),
      cmocka_unit_test(what_cannot_be_judged_is_refused_in_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
