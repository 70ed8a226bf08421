// What was typed: options by a table, lists of numbers, parts between commas.
#include "support/testing.h"
#include "tools/pictures/arguments.h"

#include <string.h>

typedef struct typed {
  const char *operand, *name, *many[ARGUMENT_TIMES];
  int n_many;
  bool flag;
  srs_error error;
} typed;

static srs_status read_words(typed *t, int n, const char *const *words)
{
  *t = (typed){.operand = NULL};
  const argument options[] = {
      {.name = "name", .value = "TEXT", .text = &t->name},
      {.name = "many", .value = "TEXT", .text = t->many, .count = &t->n_many},
      {.name = "flag", .flag = &t->flag},
  };
  char *argv[64];
  for (int i = 0; i < n; i++) argv[i] = (char *)words[i];
  return arguments_read(options, 3, n, argv, &t->operand, &t->error);
}

static void options_and_an_operand_come_in_any_order(void **state)
{
  (void)state;
  typed t;
  static const char *const words[] = {"--many", "a", "file", "--flag", "--many", "b", "--name", "-1,2", "--name", "c"};
  assert_int_equal(read_words(&t, 10, words), SRS_OK);
  assert_string_equal(t.operand, "file");
  assert_string_equal(t.name, "c"); // the last holds
  assert_int_equal(t.n_many, 2);
  assert_string_equal(t.many[0], "a");
  assert_string_equal(t.many[1], "b");
  assert_true(t.flag);
  assert_int_equal(read_words(&t, 0, words), SRS_OK);
  assert_null(t.operand);
  assert_false(t.flag);
}

static void mistakes_are_told(void **state)
{
  (void)state;
  typed t;
  static const char *const unknown[] = {"--nmae", "x"}, *const two[] = {"a", "b"}, *const bare[] = {"--name"};
  assert_int_equal(read_words(&t, 2, unknown), SRS_ERROR_ARGUMENT);
  assert_string_equal(t.error.message, "unknown option '--nmae'");
  assert_int_equal(read_words(&t, 2, two), SRS_ERROR_ARGUMENT);
  assert_string_equal(t.error.message, "unexpected argument 'b'");
  assert_int_equal(read_words(&t, 1, bare), SRS_ERROR_ARGUMENT);
  assert_string_equal(t.error.message, "--name needs a value: --name TEXT");
  const char *often[34];
  for (int i = 0; i < 34; i++) often[i] = i % 2 == 0 ? "--many" : "x";
  assert_int_equal(read_words(&t, 32, often), SRS_OK);
  assert_int_equal(read_words(&t, 34, often), SRS_ERROR_ARGUMENT);
}

static void lists_of_numbers_are_read_whole_or_refused(void **state)
{
  (void)state;
  double values[3];
  srs_error error;
  assert_int_equal(arguments_numbers("at", "0,-1.5e-3,7", values, 3, &error), 3);
  assert_true(values[0] == 0 && values[1] == -1.5e-3 && values[2] == 7);
  assert_int_equal(arguments_numbers("at", "4", values, 3, &error), 1);
  static const char *const wrong[] = {"", "1,", ",1", "1,x", "1;2", "1,2,3,4", "nan"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_int_equal(arguments_numbers("at", wrong[i], values, 3, &error), -1);
  assert_int_equal(arguments_numbers("at", "1,x", values, 3, &error), -1);
  assert_string_equal(error.message, "--at 1,x: 'x' is no number");
}

static void texts_are_cut_at_commas(void **state)
{
  (void)state;
  char text[] = "q:a,v:b,c";
  const char *parts[4];
  assert_int_equal(arguments_split(text, parts, 4), 3);
  assert_string_equal(parts[0], "q:a");
  assert_string_equal(parts[2], "c");
  char more[] = "a,b,c";
  assert_int_equal(arguments_split(more, parts, 2), 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_and_an_operand_come_in_any_order),
      cmocka_unit_test(mistakes_are_told),
      cmocka_unit_test(lists_of_numbers_are_read_whole_or_refused),
      cmocka_unit_test(texts_are_cut_at_commas),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
