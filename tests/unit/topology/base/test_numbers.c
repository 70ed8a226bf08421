// Numbers in and out, in any locale.
#include "support/testing.h"
#include "topology/base/errors.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reads(const char *text, double *value) { return srs_parse_number(text, strlen(text), value); }

static void assert_reads(const char *text, double expected)
{
  double value = -77;
  if (!reads(text, &value)) fail_msg("'%s' is refused", text);
  if (value != expected || signbit(value) != signbit(expected)) fail_msg("'%s' reads as %.17g", text, value);
}

static void decimals_read_as_the_nearest_double(void **state)
{
  (void)state;
  assert_reads("0", 0.0);
  assert_reads("-0", -0.0);
  assert_reads("-0.0e7", -0.0);
  assert_reads("1.5", 1.5);
  assert_reads("+1.5", 1.5);
  assert_reads(" \t\n-12.5e-1\r ", -1.25);
  assert_reads(".5", 0.5);
  assert_reads("5.", 5.0);
  assert_reads("1E3", 1000.0);
  assert_reads("0.1", 0.1);
  assert_reads("000123.4500", 123.45);
  assert_reads("1.7976931348623157e308", DBL_MAX);
  assert_reads("2.2250738585072014e-308", DBL_MIN);
  assert_reads("4.9406564584124654e-324", 0x1p-1074);
  assert_reads("5e-324", 0x1p-1074);
  assert_reads("1e-400", 0.0);
  assert_reads("0e999999999999", 0.0);
  assert_reads("9007199254740993", 9007199254740992.0); // half-way: to even
}

static void everything_else_is_refused(void **state)
{
  (void)state;
  const char *bad[] = {"",
                       " ",
                       "-",
                       "+",
                       ".",
                       "-.",
                       "e5",
                       ".e5",
                       "1e",
                       "1e+",
                       "1,5",
                       "1.0kg",
                       "1 2",
                       "0x10",
                       "0x1p3",
                       "nan",
                       "NaN",
                       "nan(7)",
                       "inf",
                       "-inf",
                       "infinity",
                       "1e309",
                       "-1e999999999999999999",
                       "1.2.3",
                       "--1",
                       "+-1",
                       "1e5.0",
                       "${m}",
                       "1d3",
                       "1_000"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double value = -77;
    if (reads(bad[i], &value)) fail_msg("'%s' reads as %g", bad[i], value);
    assert_true(value == -77);
  }
  double value = -77;
  assert_false(srs_parse_number("1\0", 2, &value));
  assert_false(srs_parse_number(NULL, 0, &value));
}

static void only_the_given_length_is_read(void **state)
{
  (void)state;
  double value = 0;
  assert_true(srs_parse_number("12345", 3, &value));
  assert_true(value == 123);
  assert_true(srs_parse_number("1e5", 1, &value));
  assert_true(value == 1);
}

// The midpoint between 1 and the next double is 1 + 2^-53, exactly 53 decimals; a digit far behind decides.
static void digits_far_behind_decide_a_tie(void **state)
{
  (void)state;
  char text[2000];
  snprintf(text, sizeof text, "1.00000000000000011102230246251565404236316680908203125");
  assert_reads(text, 1.0);
  const size_t length = strlen(text);
  memset(text + length, '0', 1500);
  text[length + 1500] = '\0';
  assert_reads(text, 1.0);
  text[length + 1499] = '1';
  assert_reads(text, 1.0 + DBL_EPSILON);
}

static void long_numbers_keep_their_size(void **state)
{
  (void)state;
  char text[3000] = "0.";
  memset(text + 2, '0', 1500);
  snprintf(text + 1502, sizeof text - 1502, "25e1501");
  assert_reads(text, 2.5);
  memset(text, '7', 1200);
  snprintf(text + 1200, sizeof text - 1200, "e-1199");
  assert_reads(text, 7.777777777777777777777777777777);
}

static double any_double(testing_random *random)
{
  uint64_t bits = 0;
  for (int i = 0; i < 4; i++) bits = bits << 16 | (uint64_t)testing_below(random, 65536);
  double value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void every_double_comes_back(void **state)
{
  (void)state;
  testing_random random = testing_random_start(11);
  char text[32];
  for (int i = 0; i < 50000; i++) {
    const double value = any_double(&random);
    if (!isfinite(value)) continue;
    const int length = srs_format_number(value, text);
    assert_int_equal(length, strlen(text));
    assert_reads(text, value);
  }
}

static void assert_writes(double value, const char *expected)
{
  char text[32];
  srs_format_number(value, text);
  assert_string_equal(text, expected);
}

static void numbers_are_written_short(void **state)
{
  (void)state;
  assert_writes(0.0, "0");
  assert_writes(-0.0, "-0");
  assert_writes(0.1, "0.1");
  assert_writes(1.0 / 3, "0.3333333333333333");
  assert_writes(0.1 + 0.2, "0.30000000000000004");
  assert_writes(100000, "100000");
  assert_writes(-2.5e-7, "-2.5e-07");
  assert_writes(0x1p-1074, "5e-324");
  assert_writes(DBL_MAX, "1.7976931348623157e+308");
  assert_writes(NAN, "nan");
  assert_writes(INFINITY, "inf");
  assert_writes(-INFINITY, "-inf");
}

// What srs_format_number promises, by printf and strtod alone.
static void assert_as_printf_writes(double value)
{
  char text[32], expected[32];
  int length = 0;
  if (!isfinite(value)) return;
  for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
    length = snprintf(expected, sizeof expected, "%.*g", digits, value);
    if (strtod(expected, NULL) == value) break;
  }
  if (srs_format_number(value, text) != length || strcmp(text, expected) != 0)
    fail_msg("%a is written as %s, not %s", value, text, expected);
}

static void assert_neighbours_too(double value)
{
  assert_as_printf_writes(value);
  assert_as_printf_writes(-value);
  assert_as_printf_writes(nextafter(value, INFINITY));
  assert_as_printf_writes(nextafter(value, -INFINITY));
}

static void numbers_of_all_sizes_are_written_as_printf_does(void **state)
{
  (void)state;
  testing_random random = testing_random_start(23);
  const int n = getenv("SARRUS_LONG") != NULL ? 10000000 : 200000; // NOLINT(concurrency-mt-unsafe): one thread
  for (int i = 0; i < n; i++) {
    const double value = any_double(&random);
    assert_as_printf_writes(value);
    if (isfinite(value)) // of a common size
      assert_as_printf_writes(ldexp(frexp(value, &(int){0}), (int)testing_below(&random, 180) - 120));
  }
  for (int exponent = -1074; exponent < 1024; exponent++) assert_neighbours_too(ldexp(1, exponent));
  for (int i = 0; i < 2000; i++) assert_neighbours_too(ldexp((double)testing_below(&random, 65536), -1074));
}

// Short decimals, where a rounding ends in zeros or carries, and those halfway between two of 15 or 16 digits.
static void decimals_of_all_lengths_are_written_as_printf_does(void **state)
{
  (void)state;
  testing_random random = testing_random_start(24);
  for (int i = 0; i < 100000; i++) {
    const int digits = 1 + (int)testing_below(&random, 17);
    char text[64];
    int length = 0;
    for (int k = 0; k < digits; k++) text[length++] = (char)('0' + testing_below(&random, 10));
    if (i % 4 == 0) memset(text, '9', (size_t)digits - 1);
    snprintf(text + length, sizeof text - (size_t)length, "e%d", (int)testing_below(&random, 70) - 52);
    assert_neighbours_too(strtod(text, NULL));
  }
  for (int i = 0; i < 20000; i++) { // m / 2^s with a few digits behind the 15th
    const double mantissa =
        (double)testing_below(&random, 65536) * 65536 * 65536 + (double)testing_below(&random, 65536);
    assert_as_printf_writes(ldexp(mantissa, -(int)testing_below(&random, 12)));
    assert_as_printf_writes(1e15 + (double)testing_below(&random, 65536) / 8);
  }
}

// Where the system has no locale with a decimal comma there is nothing to test against.
static bool enter_comma_locale(void)
{
  const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (setlocale(LC_ALL, names[i]) != NULL) return true;
  return false;
}

static void a_decimal_comma_locale_changes_nothing(void **state)
{
  (void)state;
  if (!enter_comma_locale()) {
    print_message("skipped: no locale with a decimal comma is installed\n");
    skip();
  }
  assert_reads("0.25", 0.25);
  double value = 0;
  assert_false(reads("0,25", &value));
  assert_writes(0.25, "0.25");
  srs_error error;
  srs_fail(&error, SRS_ERROR_MODEL, NULL, 0, 0, NULL, "mass %g", -0.5);
  assert_string_equal(error.message, "mass -0.5");
  char text[16];
  snprintf(text, sizeof text, "%.2f", 0.25); // the caller's locale is as it was
  assert_string_equal(text, "0,25");
  setlocale(LC_ALL, "C");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decimals_read_as_the_nearest_double),
      cmocka_unit_test(everything_else_is_refused),
      cmocka_unit_test(only_the_given_length_is_read),
      cmocka_unit_test(digits_far_behind_decide_a_tie),
      cmocka_unit_test(long_numbers_keep_their_size),
      cmocka_unit_test(every_double_comes_back),
      cmocka_unit_test(numbers_of_all_sizes_are_written_as_printf_does),
      cmocka_unit_test(decimals_of_all_lengths_are_written_as_printf_does),
      cmocka_unit_test(numbers_are_written_short),
      cmocka_unit_test(a_decimal_comma_locale_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
