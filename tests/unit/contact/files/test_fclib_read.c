// Contact problems in files: what is written comes back, what is wrong is named, and no bytes whatever lead to a crash.
// Under the sanitizers a fifth of the changed bytes (testing_draws).
#include "contact/files/hdf5_entry.h"
#include "contact/problem/problem.h"
#include "support/contact_problems.h"
#include "support/fclib_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_same(const double *a, const double *b, size_t n)
{
  assert_non_null(a);
  assert_memory_equal(a, b, n * sizeof *a);
}

static void what_is_written_comes_back_to_the_bit(void **state)
{
  (void)state;
  sample s;
  make_sample(&s);
  write_good(path_of("whole.hdf5"), &s.file);
  srs_contact_file f = read_good(path_of("whole.hdf5"));
  assert_int_equal(f.problem.n_bilateral, BILATERAL);
  assert_int_equal(f.problem.n_contacts, CONTACTS);
  assert_int_equal(f.problem.n_unilateral + f.problem.n_box, 0);
  assert_null(f.problem.tangents);
  assert_same(f.problem.W, s.W, (size_t)ROWS * ROWS);
  assert_same(f.problem.b, s.b, ROWS);
  assert_same(f.problem.friction, s.friction, CONTACTS);
  assert_same(f.impulse, s.impulse, ROWS);
  assert_same(f.velocity, s.velocity, ROWS);
  assert_int_equal(f.n_guesses, 2);
  assert_same(f.guesses, s.guesses, (size_t)2 * ROWS);
  assert_string_equal(f.title, "two contacts");
  assert_string_equal(f.description, "and a joint");
  assert_string_equal(f.math_info, "one answer");
  srs_contact_file_free(&f);
  assert_null(f.memory);
}

static void the_least_comes_back_too(void **state)
{
  (void)state;
  sample s;
  make_sample(&s);
  const unsigned char one[3] = {1, 1, 1};
  s.file = (srs_contact_file){.problem = {.n_contacts = 3, .W = s.W, .b = s.b, .friction = s.b, .tangents = one}};
  for (int i = 0; i < 3; i++) s.b[i] = fabs(s.b[i]); // serve as friction, too
  write_good(path_of("plane.hdf5"), &s.file);
  srs_contact_file f = read_good(path_of("plane.hdf5"));
  assert_int_equal(f.problem.n_contacts, 3);
  assert_int_equal(f.problem.n_bilateral, 0);
  assert_non_null(f.problem.tangents);
  for (int i = 0; i < 3; i++) assert_int_equal(f.problem.tangents[i], 1);
  assert_same(f.problem.W, s.W, 36);
  assert_same(f.problem.b, s.b, 6);
  assert_true(f.impulse == NULL && f.velocity == NULL && f.guesses == NULL && f.n_guesses == 0);
  assert_true(f.title == NULL && f.description == NULL && f.math_info == NULL);
  srs_contact_file_free(&f);
  srs_contact_file_free(&f); // harmless
  srs_contact_file_free(NULL);
}

static void random_problems_come_back(void **state)
{
  (void)state;
  testing_random random = testing_random_start(5);
  const contact_lots lots = {
      .most_contacts = 6, .most_bilateral = 4, .most_copies = 1, .most_friction = 1, .most_mass_ratio = 10};
  for (int i = 0; i < 20; i++) {
    random_problem p = random_problem_make(&random, &lots);
    const size_t n = (size_t)srs_contact_problem_rows(&p.problem);
    const srs_contact_file file = {.problem = p.problem};
    write_good(path_of("random.hdf5"), &file);
    srs_contact_file f = read_good(path_of("random.hdf5"));
    assert_same(f.problem.b, p.problem.b, n);
    for (size_t k = 0; k < n * n; k++) // columns of bilateral rows are those rows, which rounding sets apart
      assert_true(fabs(f.problem.W[k] - p.problem.W[k]) <= 1e-9 * fabs(p.problem.W[k]) + 1e-300);
    srs_contact_file_free(&f);
    random_problem_free(&p);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Files made by hand
// ---------------------------------------------------------------------------------------------------------------------

// An entry of a good file replaced.
typedef struct change {
  const char *entry;
  const char *what; // "gone", "integers", "numbers", "text", "group", "link", "never written", "huge"
  int n;
  double values[20];
  const char *subject, *message; // expected: part of the message
} change;

static void write_base(const char *name)
{
  sample s;
  make_sample(&s);
  write_good(path_of(name), &s.file);
}

static void declare(hid_t file, const char *entry, hsize_t count)
{
  const hid_t space = H5Screate_simple(1, &count, NULL);
  const hid_t set = H5Dcreate2(file, entry, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(set >= 0);
  H5Dclose(set), H5Sclose(space);
}

static void apply(const char *path, const change *c)
{
  srs_hdf5 h = {.path = path, .file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT)};
  assert_true(h.file >= 0);
  if (H5Lexists(h.file, c->entry, H5P_DEFAULT) > 0) assert_true(H5Ldelete(h.file, c->entry, H5P_DEFAULT) >= 0);
  int integers[20];
  for (int i = 0; i < c->n; i++) integers[i] = (int)c->values[i];
  if (strcmp(c->what, "integers") == 0)
    assert_int_equal(srs_hdf5_put_integers(&h, c->entry, (size_t)c->n, integers), SRS_OK);
  else if (strcmp(c->what, "numbers") == 0)
    assert_int_equal(srs_hdf5_put_numbers(&h, c->entry, (size_t)c->n, c->values), SRS_OK);
  else if (strcmp(c->what, "text") == 0)
    assert_int_equal(srs_hdf5_put_text(&h, c->entry, "seven"), SRS_OK);
  else if (strcmp(c->what, "group") == 0)
    assert_int_equal(srs_hdf5_make_group(&h, c->entry), SRS_OK);
  else if (strcmp(c->what, "link") == 0)
    assert_true(H5Lcreate_external("other.hdf5", "/x", h.file, c->entry, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  else if (strcmp(c->what, "never written") == 0)
    declare(h.file, c->entry, (hsize_t)c->n);
  else if (strcmp(c->what, "huge") == 0)
    declare(h.file, c->entry, (hsize_t)1 << 60);
  H5Fclose(h.file);
}

#define LOCAL "fclib_local/"

static const change wrong[] = {
    {LOCAL "spacedim", "gone", .subject = LOCAL "spacedim", .message = "is missing"},
    {LOCAL "spacedim", "integers", 1, {4}, LOCAL "spacedim", "is 4: 2 to 3 are possible"},
    {LOCAL "spacedim", "integers", 2, {3, 3}, LOCAL "spacedim", "has 2 numbers where 1 are needed"},
    {LOCAL "spacedim", "numbers", 1, {3}, LOCAL "spacedim", "does not hold integers"},
    {LOCAL "spacedim", "text", .subject = LOCAL "spacedim", .message = "does not hold integers"},
    {LOCAL "spacedim", "group", .subject = LOCAL "spacedim", .message = "is no data set"},
    {LOCAL "spacedim", "link", .subject = LOCAL "spacedim", .message = "is missing"},
    {LOCAL "W", "gone", .subject = LOCAL "W/m", .message = "is missing"},
    {LOCAL "W/m", "integers", 1, {-6}, LOCAL "W/m", "is -6"},
    {LOCAL "W/m", "integers", 1, {7}, LOCAL "W/m", "no multiple of spacedim 3"},
    {LOCAL "W/m", "integers", 1, {9}, LOCAL "vectors/q", "has 6 numbers where 9 are needed"},
    {LOCAL "W/m", "integers", 1, {30000}, LOCAL "W/m", "at most 10000"},
    {LOCAL "W/n", "integers", 1, {9}, LOCAL "W/n", "is 9, but there are 6 columns"},
    {LOCAL "W/n", "integers", 1, {-1}, LOCAL "W/n", "is -1"},
    {LOCAL "W/nz", "integers", 1, {-3}, LOCAL "W/nz", "is -3"},
    {LOCAL "W/nz", "integers", 1, {12}, LOCAL "W/p", "has 7 numbers where"},
    {LOCAL "W/nzmax", "integers", 1, {3}, LOCAL "W/x", "nzmax 3"},
    {LOCAL "W/nzmax", "integers", 1, {-3}, LOCAL "W/nzmax", "is -3"},
    {LOCAL "W/p", "integers", 7, {1, 2, 4, 6, 8, 10, 12}, LOCAL "W/p", "begins with 1"},
    {LOCAL "W/p", "integers", 7, {0, 5, 4, 6, 8, 10, 12}, LOCAL "W/p", "at index 2, 4"},
    {LOCAL "W/p", "integers", 7, {0, 1, 2, 3, 4, 5, 1000}, LOCAL "W/p", "at index 6, 1000"},
    {LOCAL "W/p", "integers", 6, {0, 1, 2, 3, 4, 5}, LOCAL "W/p", "has 6 numbers where 7 are needed"},
    {LOCAL "V/i", "integers", 2, {0, 6}, LOCAL "V/i", "at index 1, 6: 0 to 5 are possible"},
    {LOCAL "V/i", "integers", 2, {-1, 5}, LOCAL "V/i", "at index 0, -1"},
    {LOCAL "V/i", "integers", 3, {0, 1, 2}, LOCAL "V/x", "has 2 numbers, but i has 3"},
    {LOCAL "V/m", "integers", 1, {3}, LOCAL "V/m", "is 3, but there are 6 rows"},
    {LOCAL "V", "gone", .subject = LOCAL "V", .message = "V, R and s belong together"},
    {LOCAL "R", "gone", .subject = LOCAL "R", .message = "V, R and s belong together"},
    {LOCAL "vectors/s", "gone", .subject = LOCAL "vectors/s", .message = "V, R and s belong together"},
    {LOCAL "vectors/s", "numbers", 2, {1, 2}, LOCAL "vectors/s", "has 2 numbers where 1 are needed"},
    {LOCAL "R/x", "numbers", 1, {NAN}, LOCAL "R/x", "at index 0, no finite number"},
    {LOCAL "vectors/q", "numbers", 6, {1, 2, INFINITY, 4, 5, 6}, LOCAL "vectors/q", "index 2, no finite number"},
    {LOCAL "vectors/q", "never written", 6, .subject = LOCAL "vectors/q", .message = "has no data"},
    {LOCAL "vectors/q", "huge", .subject = LOCAL "vectors/q", .message = "has no data"},
    {LOCAL "W/x", "huge", .subject = LOCAL "W/x", .message = "has no data"},
    {LOCAL "vectors/mu", "numbers", 2, {0.5, -0.5}, LOCAL "vectors/mu", "index 1, a negative number"},
    {LOCAL "vectors/q", "gone", .subject = LOCAL "vectors/q", .message = "is missing"},
    {LOCAL "info/title", "numbers", 1, {1}, LOCAL "info/title", "is no text"},
    {"solution/r", "numbers", 5, {0}, "solution/r", "has 5 numbers where 6 are needed"},
    {"solution/l", "gone", .subject = "solution/l", .message = "is missing"},
    {"solution/u", "text", .subject = "solution/u", .message = "does not hold numbers"},
    {"guesses/number_of_guesses", "integers", 1, {-1}, "guesses/number_of_guesses", "is -1"},
    {"guesses/number_of_guesses", "integers", 1, {900}, "guesses/900", "is missing"},
    {"guesses/1/r", "gone", .subject = "guesses/1/r", .message = "is missing"},
};

static void what_is_wrong_is_named(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const change *c = &wrong[i];
    const srs_status expected = strstr(c->message, "no finite number") != NULL ? SRS_ERROR_NOT_FINITE
                                : strstr(c->message, "at most") != NULL        ? SRS_ERROR_CAPACITY
                                                                               : SRS_ERROR_SYNTAX;
    write_base("wrong.hdf5");
    apply(path_of("wrong.hdf5"), c);
    srs_contact_file f = {.title = "as it was"};
    srs_error error = {0};
    const srs_status status = srs_contact_file_read(path_of("wrong.hdf5"), &f, &error);
    if (status != expected || strcmp(error.subject, c->subject) != 0 || strstr(error.message, c->message) == NULL ||
        strstr(error.message, c->subject) == NULL)
      fail_msg("%s %s: status %d, subject '%s', message '%s'", c->entry, c->what, (int)status, error.subject,
               error.message);
    assert_string_equal(error.file, path_of("wrong.hdf5"));
    assert_null(strchr(error.message, '\n'));
    assert_string_equal(f.title, "as it was");
  }
}

static void a_local_problem_is_asked_for(void **state)
{
  (void)state;
  srs_hdf5 h = {.path = path_of("global.hdf5")};
  h.file = H5Fcreate(h.path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  assert_int_equal(srs_hdf5_make_group(&h, "fclib_global"), SRS_OK);
  H5Fclose(h.file);
  srs_contact_file f;
  srs_error error = {0};
  assert_int_equal(srs_contact_file_read(path_of("global.hdf5"), &f, &error), SRS_ERROR_UNSUPPORTED);
  assert_string_equal(error.subject, "fclib_global");
}

static void no_such_file_is_said_plainly(void **state)
{
  (void)state;
  srs_contact_file f;
  srs_error error = {0};
  assert_int_equal(srs_contact_file_read(path_of("nothing.hdf5"), &f, &error), SRS_ERROR_FILE);
  assert_non_null(strstr(error.message, "No such file"));
  assert_int_equal(srs_contact_file_read(testing_folder(), &f, &error), SRS_ERROR_FILE);
  assert_non_null(strstr(error.message, "no regular file"));
  assert_int_equal(srs_contact_file_read(testing_write("text.hdf5", "not at all"), &f, &error), SRS_ERROR_SYNTAX);
  assert_non_null(strstr(error.message, "no HDF5 file"));
  assert_int_equal(srs_contact_file_read(testing_write("empty.hdf5", ""), &f, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(srs_contact_file_read(NULL, &f, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_contact_file_read(path_of("nothing.hdf5"), NULL, NULL), SRS_ERROR_ARGUMENT);
}

// ---------------------------------------------------------------------------------------------------------------------
// Sparse forms
// ---------------------------------------------------------------------------------------------------------------------

// [1 2; 0 3] as W of a planar contact, each way to store it; the entry 3 in two parts where they add up.
static void every_sparse_form_reads_the_same(void **state)
{
  (void)state;
  static const struct {
    int nz, n, p[5], i[4];
    double x[4];
  } forms[] = {
      {4, 4, {0, 0, 1, 1}, {0, 1, 1, 1}, {1, 2, 2, 1}},
      {3, 4, {0, 0, 1, 9}, {0, 1, 1, 9}, {1, 2, 3, 9}}, // room for more
      {-1, 3, {0, 1, 3}, {0, 0, 1}, {1, 2, 3}},
      {-2, 3, {0, 2, 3}, {0, 1, 1}, {1, 2, 3}},
  };
  const double W[4] = {1, 2, 0, 3}, b[2] = {-1, 1}, friction[1] = {0.5};
  const unsigned char one[1] = {1};
  const srs_contact_file base = {.problem = {.n_contacts = 1, .W = W, .b = b, .friction = friction, .tangents = one}};
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    change changes[5] = {{.entry = LOCAL "W/nz"},
                         {.entry = LOCAL "W/nzmax"},
                         {.entry = LOCAL "W/p"},
                         {.entry = LOCAL "W/i"},
                         {.entry = LOCAL "W/x"}};
    const int sizes[5] = {1, 1, forms[k].nz < 0 ? 3 : forms[k].n, forms[k].n, forms[k].n};
    for (int i = 0; i < 5; i++) changes[i].n = sizes[i], changes[i].what = i < 4 ? "integers" : "numbers";
    changes[0].values[0] = forms[k].nz, changes[1].values[0] = forms[k].n;
    for (int i = 0; i < 4; i++) {
      changes[2].values[i] = forms[k].p[i];
      changes[3].values[i] = forms[k].i[i];
      changes[4].values[i] = forms[k].x[i];
    }
    write_good(path_of("form.hdf5"), &base);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) apply(path_of("form.hdf5"), &changes[i]);
    srs_contact_file f = read_good(path_of("form.hdf5"));
    assert_same(f.problem.W, W, 4);
    srs_contact_file_free(&f);
  }
}

static void hdf5_keeps_its_own_messages(void **state)
{
  (void)state;
  H5E_auto2_t before, after;
  void *before_data, *after_data;
  H5Eget_auto2(H5E_DEFAULT, &before, &before_data);
  srs_contact_file f;
  assert_int_equal(srs_contact_file_read(path_of("nothing.hdf5"), &f, NULL), SRS_ERROR_FILE);
  H5Eget_auto2(H5E_DEFAULT, &after, &after_data);
  assert_true(before == after && before != NULL);
}

// ---------------------------------------------------------------------------------------------------------------------
// Any bytes
// ---------------------------------------------------------------------------------------------------------------------

static void put_bytes(const char *path, const char *bytes, size_t n)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

// A problem or a message, never both.
static void read_anything(const char *path)
{
  srs_contact_file f = {0};
  srs_error error = {0};
  const srs_status status = srs_contact_file_read(path, &f, &error);
  assert_true((status == SRS_OK) == (f.memory != NULL));
  assert_true((status == SRS_OK) == (error.message[0] == '\0'));
  assert_int_equal(error.status, status);
  if (status != SRS_OK) return;
  srs_contact_form form;
  assert_int_equal(srs_contact_problem_check(&f.problem, &form), SRS_OK);
  srs_contact_file_free(&f);
}

static void any_bytes_end_in_a_problem_or_a_message(void **state)
{
  (void)state;
  const char *long_run = getenv("SARRUS_LONG");
  testing_random random = testing_random_start(11);
  sample s;
  make_sample(&s);
  s.file.guesses = s.file.velocity = NULL, s.file.n_guesses = 0, s.file.description = s.file.math_info = NULL;
  write_good(path_of("base.hdf5"), &s.file);
  size_t n;
  char *bytes = testing_read(path_of("base.hdf5"), &n);
  char path[4096];
  snprintf(path, sizeof path, "%s", path_of("fuzz.hdf5"));
  const size_t step = long_run != NULL ? 1 : n / (size_t)testing_draws((int)n / 23);
  for (size_t i = 0; i < n; i += step) {
    const char kept = bytes[i];
    bytes[i] = (char)testing_below(&random, 256);
    put_bytes(path, bytes, n);
    read_anything(path);
    bytes[i] = kept;
  }
  for (size_t length = 0; length < n; length += long_run != NULL ? 16 : 512) { // cut short
    put_bytes(path, bytes, length);
    read_anything(path);
  }
  free(bytes);
}

// HDF5 loses memory over damaged files, and at the end of a process complains of what it lost.
const char *__lsan_default_suppressions(void); // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
const char *__lsan_default_suppressions(void)  // NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
{
  return "leak:libhdf5";
}

int main(void)
{
  assert_true(H5dont_atexit() >= 0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_comes_back_to_the_bit),
      cmocka_unit_test(the_least_comes_back_too),
      cmocka_unit_test(random_problems_come_back),
      cmocka_unit_test(what_is_wrong_is_named),
      cmocka_unit_test(a_local_problem_is_asked_for),
      cmocka_unit_test(no_such_file_is_said_plainly),
      cmocka_unit_test(every_sparse_form_reads_the_same),
      cmocka_unit_test(hdf5_keeps_its_own_messages),
      cmocka_unit_test(any_bytes_end_in_a_problem_or_a_message),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
