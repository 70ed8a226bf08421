// Errors as one clean line.
#include "support/testing.h"
#include "topology/base/errors.h"

#include <string.h>

static void an_error_is_one_clean_line(void **state)
{
  (void)state;
  srs_error error;
  char text[1024];
  assert_int_equal(srs_fail(&error, SRS_ERROR_SYNTAX, "a.urdf", 3, 7, "x", "two\nlines\tand %d", 5), SRS_ERROR_SYNTAX);
  assert_string_equal(error.subject, "x");
  assert_string_equal(srs_error_format(&error, text, sizeof text), "a.urdf:3:7: two lines and 5");
  error.column = 0;
  assert_string_equal(srs_error_format(&error, text, sizeof text), "a.urdf:3: two lines and 5");
  error.line = 0;
  assert_string_equal(srs_error_format(&error, text, sizeof text), "a.urdf: two lines and 5");
  error.file[0] = '\0';
  assert_string_equal(srs_error_format(&error, text, sizeof text), "two lines and 5");
  assert_string_equal(srs_error_format(&error, text, 4), "two");
  assert_int_equal(srs_fail(NULL, SRS_ERROR_NAME, NULL, 0, 0, NULL, "%s", "nobody listens"), SRS_ERROR_NAME);
}

static void long_texts_are_cut_between_characters(void **state)
{
  (void)state;
  srs_error error;
  char path[400], umlauts[1200];
  memset(path, 'p', sizeof path - 1);
  path[sizeof path - 1] = '\0';
  memcpy(path + 390, "end.urdf", 9);
  for (size_t i = 0; i < sizeof umlauts; i += 2) umlauts[i] = (char)0xc3, umlauts[i + 1] = (char)0xb6;
  umlauts[sizeof umlauts - 2] = '\0';
  srs_fail(&error, SRS_ERROR_FILE, path, 1, 0, umlauts, "x%s", umlauts);
  assert_int_equal(strlen(error.file), 255);
  assert_memory_equal(error.file, "...", 3);
  assert_string_equal(error.file + 255 - 8, "end.urdf");
  assert_int_equal(strlen(error.message), 511); // x and 255 whole characters
  assert_int_equal(strlen(error.subject), 126); // 63 whole characters
}

static void every_status_has_a_phrase(void **state)
{
  (void)state;
  for (int i = SRS_OK; i <= SRS_ERROR_CAPACITY; i++) assert_true(strlen(srs_status_string((srs_status)i)) > 5);
  assert_string_equal(srs_status_string((srs_status)99), "unknown status");
  assert_string_equal(srs_version(), SRS_VERSION);
  assert_true(SRS_VERSION_AT_LEAST(0, 1, 0));
  assert_false(SRS_VERSION_AT_LEAST(SRS_VERSION_MAJOR, SRS_VERSION_MINOR + 1, 0));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_error_is_one_clean_line),
      cmocka_unit_test(long_texts_are_cut_between_characters),
      cmocka_unit_test(every_status_has_a_phrase),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
