// CSV files: what is read, and where mistakes are.
#include "engine/cli/drawing/table.h"
#include "support/testing.h"

#include <string.h>

static void a_table_has_names_and_numbers(void **state)
{
  (void)state;
  table t;
  srs_error error;
  assert_int_equal(table_read(testing_write("a.csv", "time, q:a ,\"v\"\r\n0,1,-2e3\r\n0.5, 3 ,4\n\n"), &t, &error),
                   SRS_OK);
  assert_int_equal(t.n_columns, 3);
  assert_int_equal(t.n_rows, 2);
  assert_int_equal(table_find(&t, "q:a"), 1);
  assert_int_equal(table_find(&t, "v"), 2);
  assert_int_equal(table_find(&t, "w"), -1);
  const double wanted[6] = {0, 1, -2e3, 0.5, 3, 4};
  assert_memory_equal(t.values, wanted, sizeof wanted);
  table_destroy(&t);
}

static void mistakes_are_told_with_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"a,b\n1,2\n1,x\n", "bad.csv:3:3: 'x' is no number"},
      {"a,b\n1,nan\n", "bad.csv:2:3: 'nan' is no number"},
      {"a,b\n1\n", "bad.csv:2: fewer fields than the header's 2 names"},
      {"a,b\n1,2,3\n", "bad.csv:2: more fields than the header's 2 names"},
      {"a,b\n", "bad.csv: has no rows: a header and lines of numbers are wanted"},
      {"", "bad.csv: has no rows: a header and lines of numbers are wanted"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    table t;
    srs_error error;
    char text[1024];
    assert_int_equal(table_read(testing_write("bad.csv", cases[i].text), &t, &error), SRS_ERROR_SYNTAX);
    srs_error_format(&error, text, sizeof text);
    const char *name = strstr(text, "bad.csv");
    assert_non_null(name);
    assert_string_equal(name, cases[i].message);
    assert_null(t.values);
  }
  table t;
  srs_error error;
  assert_int_equal(table_read("/nowhere.csv", &t, &error), SRS_ERROR_FILE);
  assert_int_equal(table_read("/", &t, &error), SRS_ERROR_FILE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_table_has_names_and_numbers),
      cmocka_unit_test(mistakes_are_told_with_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
