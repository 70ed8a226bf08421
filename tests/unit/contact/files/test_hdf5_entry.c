// Entries of HDF5 files: what is put comes back, and what is not what it should be is told with its name.
// (tests/unit/contact/files/test_fclib_read.c has more that is wrong.)
#include "contact/files/hdf5_entry.h"
#include "support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[4200];

static srs_hdf5 create(void)
{
  snprintf(path, sizeof path, "%s/entries.hdf5", testing_folder());
  srs_hdf5 h = {.path = path, .file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)};
  assert_true(h.file >= 0);
  return h;
}

static void reopen(srs_hdf5 *h, srs_error *error)
{
  srs_hdf5_close(h);
  h->error = error;
  if (srs_hdf5_open(h) != SRS_OK) fail_msg("%s", error->message);
}

static void what_is_put_comes_back(void **state)
{
  (void)state;
  const int integers[3] = {-2, 0, 2147483647};
  const double numbers[2] = {1.0 / 3, -1e300};
  srs_error error = {0};
  srs_hdf5 h = create();
  assert_int_equal(srs_hdf5_make_group(&h, "g"), SRS_OK);
  assert_int_equal(srs_hdf5_put_integers(&h, "g/i", 3, integers), SRS_OK);
  assert_int_equal(srs_hdf5_put_numbers(&h, "g/x", 2, numbers), SRS_OK);
  assert_int_equal(srs_hdf5_put_numbers(&h, "none", 0, NULL), SRS_OK);
  assert_int_equal(srs_hdf5_put_text(&h, "text", "a µ"), SRS_OK);
  assert_int_equal(srs_hdf5_put_text(&h, "blank", ""), SRS_OK);
  reopen(&h, &error);
  assert_true(srs_hdf5_has(&h, "g") && srs_hdf5_has(&h, "g/i") && !srs_hdf5_has(&h, "g/j") && !srs_hdf5_has(&h, "i/g"));
  int64_t wide[3], count = -1;
  double x[2];
  assert_int_equal(srs_hdf5_count(&h, "g/i", &count), SRS_OK);
  assert_int_equal(count, 3);
  assert_int_equal(srs_hdf5_integers(&h, "g/i", 3, wide), SRS_OK);
  for (int i = 0; i < 3; i++) assert_int_equal(wide[i], integers[i]);
  assert_int_equal(srs_hdf5_numbers(&h, "g/x", 2, x), SRS_OK);
  assert_memory_equal(x, numbers, sizeof x);
  assert_int_equal(srs_hdf5_numbers(&h, "none", 0, x), SRS_OK);
  char *text = NULL;
  assert_int_equal(srs_hdf5_text(&h, "text", &text), SRS_OK);
  assert_string_equal(text, "a µ");
  free(text);
  assert_int_equal(srs_hdf5_text(&h, "blank", &text), SRS_OK);
  assert_string_equal(text, "");
  free(text);
  srs_hdf5_close(&h);
  srs_hdf5_close(&h); // harmless
}

static void assert_told(const srs_hdf5 *h, srs_status status, const char *entry, const char *part)
{
  if (status == SRS_OK || strcmp(h->error->subject, entry) != 0 || strstr(h->error->message, part) == NULL)
    fail_msg("%s: status %d, message '%s'", entry, (int)status, h->error->message);
}

static void what_does_not_fit_is_told(void **state)
{
  (void)state;
  const int integers[2] = {7, 8};
  srs_error error = {0};
  srs_hdf5 h = create();
  assert_int_equal(srs_hdf5_make_group(&h, "g"), SRS_OK);
  assert_int_equal(srs_hdf5_put_integers(&h, "two", 2, integers), SRS_OK);
  assert_int_equal(srs_hdf5_put_integers(&h, "one", 1, integers), SRS_OK);
  assert_true(H5Lcreate_soft("/one", h.file, "soft", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  // A file may claim integers of a gigabyte each.
  const hsize_t size = 1;
  const hid_t giant = H5Tcopy(H5T_STD_I32LE), space = H5Screate_simple(1, &size, NULL);
  assert_true(H5Tset_size(giant, 64) >= 0);
  const hid_t set = H5Dcreate2(h.file, "giant", giant, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(set >= 0 && H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, integers) >= 0);
  H5Dclose(set), H5Sclose(space), H5Tclose(giant);
  reopen(&h, &error);
  int64_t wide[2];
  int value = -1;
  char *text = NULL;
  assert_told(&h, srs_hdf5_integers(&h, "two", 3, wide), "two", "has 2 numbers where 3 are needed");
  assert_told(&h, srs_hdf5_integer(&h, "one", 0, 6, &value), "one", "is 7: 0 to 6 are possible");
  assert_int_equal(value, -1);
  assert_int_equal(srs_hdf5_integer(&h, "one", 0, 7, &value), SRS_OK);
  assert_int_equal(value, 7);
  assert_told(&h, srs_hdf5_integers(&h, "g", 1, wide), "g", "is no data set");
  assert_told(&h, srs_hdf5_integers(&h, "soft", 1, wide), "soft", "is missing");
  assert_told(&h, srs_hdf5_integers(&h, "giant", 1, wide), "giant", "does not hold integers");
  assert_told(&h, srs_hdf5_text(&h, "one", &text), "one", "is no text");
  assert_null(text);
  srs_hdf5_close(&h);
}

static void messages_name_file_and_entry(void **state)
{
  (void)state;
  char long_path[400];
  memset(long_path, 'x', sizeof long_path);
  memcpy(long_path + sizeof long_path - 6, "/file", 6);
  srs_error error = {0};
  srs_hdf5 h = {.path = long_path, .error = &error};
  assert_int_equal(srs_hdf5_fail(&h, SRS_ERROR_SYNTAX, "a/b", "is %d", 3), SRS_ERROR_SYNTAX);
  assert_int_equal(error.status, SRS_ERROR_SYNTAX);
  assert_string_equal(error.message, "a/b is 3");
  assert_string_equal(error.file + strlen(error.file) - 5, "/file"); // of a long path the end
  h.error = NULL;
  assert_int_equal(srs_hdf5_fail(&h, SRS_ERROR_FILE, NULL, "no"), SRS_ERROR_FILE);
}

int main(void)
{
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_put_comes_back),
      cmocka_unit_test(what_does_not_fit_is_told),
      cmocka_unit_test(messages_name_file_and_entry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
