// Expressions of a sweep: their values against C's, figures over time against a series worked out by hand, and texts
// that are refused, at the right column.
#include "engine/sweep/expression.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"a", "b", "q:gear.x", "odd name"};

static int find(void *context, const char *name)
{
  (void)context;
  for (int i = 0; i < 4; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static double value_of(const char *text, const double *values)
{
  srs_expression e;
  srs_error error = {0};
  if (srs_expression_read(text, (srs_place){"s.yaml", 3, 10}, find, NULL, &e, &error) != SRS_OK)
    fail_msg("%s: %s", text, error.message);
  return srs_expression_value(&e, values);
}

static void values_are_those_of_c(void **state)
{
  (void)state;
  const double v[4] = {1.5, -2.25, 0.125, 7}, a = v[0], b = v[1];
  const struct {
    const char *text;
    double value;
  } cases[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"2 - 3 - 4", -5},
      {"16 / 4 / 2", 2},
      {"2 ^ 3 ^ 2", 512},
      {"-2 ^ 2", -4},
      {"2 ^ -1", 0.5},
      {"-a", -a},
      {"a*b + q:gear.x", a * b + v[2]},
      {"'odd name' / 2", 3.5},
      {"abs(b) + sqrt(a) + exp(a) + log(a)", fabs(b) + sqrt(a) + exp(a) + log(a)},
      {"sin(a) * cos(b) - tan(a)", sin(a) * cos(b) - tan(a)},
      {"asin(0.3) + acos(0.3) + atan(b)", asin(0.3) + acos(0.3) + atan(b)},
      {"atan2(a, b) + hypot(a, b)", atan2(a, b) + hypot(a, b)},
      {"min(a, b) - max(a, b) + floor(b)", fmin(a, b) - fmax(a, b) + floor(b)},
      {"if(a > b, 10, 20) + if(a < b, 1, 2)", 12},
      {"a < b", 0},
      {"a > b && b < 0", 1},
      {"a < b || !(b < 0)", 0},
      {"1 == 1 && 2 != 3 && 2 >= 2 && 2 <= 2", 1},
      {"1 || 0 && 0", 1}, // && is stronger
      {"!0 + 1", 2},
      {"pi", acos(-1)},
      {"1.5e-3*2E2", 0.3},
      {".5", 0.5},
      {"\n  a\n  + 1 ", a + 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double found = value_of(cases[i].text, v);
    if (found != cases[i].value) fail_msg("%s is %.17g, not %.17g", cases[i].text, found, cases[i].value);
  }
  assert_true(isnan(value_of("nan", v)));
  assert_true(isnan(value_of("0 / 0", v)));
}

static void figures_over_time_are_those_of_the_series(void **state)
{
  (void)state;
  static const double series[] = {0.5, -1, 3, 3, -2};
  const struct {
    const char *text;
    double value;
  } cases[] = {
      {"ever(a > 2)", 1},
      {"ever(a > 5)", 0},
      {"ever(nan)", 0},
      {"when(a > 2)", 0.2},
      {"lowest(a)", -2},
      {"highest(a)", 3},
      {"mean(a)", 0.7},
      {"initial(a)", 0.5},
      {"highest(a) - lowest(a)", 5},
      {"a - initial(a)", -2.5},
      {"highest(abs(a) + 1) * 2", 8},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    srs_expression e;
    double values[4] = {0};
    assert_int_equal(srs_expression_read(cases[i].text, (srs_place){0}, find, NULL, &e, NULL), SRS_OK);
    for (int round = 0; round < 2; round++) { // the second after forgetting the first
      for (int k = 0; k < 5; k++) {
        values[0] = series[k];
        srs_expression_note(&e, 0.1 * k, values);
      }
      if (fabs(srs_expression_value(&e, values) - cases[i].value) > 1e-15) fail_msg("%s", cases[i].text);
      srs_expression_restart(&e);
    }
  }
  srs_expression never;
  const double values[4] = {0};
  assert_int_equal(srs_expression_read("when(a > 1)", (srs_place){0}, find, NULL, &never, NULL), SRS_OK);
  srs_expression_note(&never, 0, values);
  assert_true(isnan(srs_expression_value(&never, values)));
}

static void what_is_no_expression_is_refused_at_its_column(void **state)
{
  (void)state;
  const struct {
    const char *text, *message;
    int column;
  } cases[] = {
      {"", "is missing", 10},
      {"1 +", "is missing", 13},
      {"(1", "')' is missing", 12},
      {"1 2", "operator is missing", 12},
      {"a < b < 2", "a < b && b < c", 0},
      {"c + 1", "nothing is named 'c'", 10},
      {"1 + qq:gear.x", "nothing is named", 14},
      {"sqr(2)", "did you mean 'sqrt'", 10},
      {"atan2(1)", "takes 2 arguments", 0},
      {"ever(when(a > 1) > 0)", "within another", 15},
      {"'odd", "no closing", 10},
      {"a; b", "operator is missing", 11},
      {"1e999", "no number", 10},
      {"system(1)", "no function 'system'", 10},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    srs_expression e;
    srs_error error = {0};
    assert_int_not_equal(srs_expression_read(cases[i].text, (srs_place){"s.yaml", 3, 10}, find, NULL, &e, &error),
                         SRS_OK);
    if (strstr(error.message, cases[i].message) == NULL) fail_msg("%s: %s", cases[i].text, error.message);
    assert_int_equal(error.line, 3);
    if (cases[i].column > 0 && error.column != cases[i].column)
      fail_msg("%s: column %d, not %d", cases[i].text, error.column, cases[i].column);
  }
}

// Depth and length have bounds, so that no text overflows a stack.
static void long_and_deep_texts_are_refused(void **state)
{
  (void)state;
  char text[20001];
  const char *const pieces[] = {"(", "-", "!", "1+", "abs(", "a^", "1,", "when("};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    size_t length = 0;
    while (length + strlen(pieces[i]) < sizeof text) length += (size_t)sprintf(text + length, "%s", pieces[i]);
    srs_expression e;
    assert_int_not_equal(srs_expression_read(text, (srs_place){0}, find, NULL, &e, NULL), SRS_OK);
  }
}

// Random texts of the grammar's signs: whatever they are, they are read or refused, and evaluated within the stack.
static void random_texts_do_no_harm(void **state)
{
  (void)state;
  static const char *const signs[] = {"a",  "b",  "1", "2.5", "(",  ")", "+",   "-",    "*", "/",     "^",
                                      "&&", "||", "!", "<",   "==", ",", "if(", "min(", " ", "ever(", "mean("};
  testing_random random = testing_random_start(20);
  const double values[4] = {1, 2, 3, 4};
  int n_read = 0;
  for (int i = 0; i < 200000; i++) {
    char text[256] = "";
    const int n = 1 + testing_below(&random, 12);
    for (int k = 0; k < n; k++) strcat(text, signs[testing_below(&random, 22)]);
    srs_expression e;
    if (srs_expression_read(text, (srs_place){0}, find, NULL, &e, NULL) != SRS_OK) continue;
    n_read++;
    srs_expression_note(&e, 0, values);
    (void)srs_expression_value(&e, values);
  }
  assert_true(n_read > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_those_of_c),
      cmocka_unit_test(figures_over_time_are_those_of_the_series),
      cmocka_unit_test(what_is_no_expression_is_refused_at_its_column),
      cmocka_unit_test(long_and_deep_texts_are_refused),
      cmocka_unit_test(random_texts_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
