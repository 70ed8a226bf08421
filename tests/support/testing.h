// What tests share: data files, reference figures in JSON, random numbers with a printed seed, temporary files.
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sarrus/sarrus.h>

/// Full path of a file below the data folder (environment SARRUS_DATA, else ../shared/data beside the source). Where it
/// is missing: the test is skipped, or fails if SARRUS_DATA is set.
const char *testing_data(const char *relative);

/// Whether there is such a file or folder; a message says so where there is none and SARRUS_DATA is not set.
bool testing_has_data(const char *relative);

/// Full path of a file of the source tree.
const char *testing_source(const char *relative);

/// Path of the `sarrus` command.
const char *testing_command(void);

/// A new temporary folder, removed with its contents at exit.
const char *testing_folder(void);

/// Writes text to NAME in the temporary folder and returns the full path (valid until 64 calls later).
const char *testing_write(const char *name, const char *text);

/// The whole file as text, freed by the caller; the test fails if it cannot be read. length may be NULL.
char *testing_read(const char *path, size_t *length);

/// Runs a shell command, its stdout and stderr caught in out and err (each may be NULL; cut to 64 KiB); returns the
/// exit status.
int testing_run(const char *command, char out[65536], char err[65536]);

// Uniform random numbers. The seed comes from SARRUS_SEED (default given), and is printed.
typedef struct testing_random {
  uint64_t state;
} testing_random;
testing_random testing_random_start(uint64_t default_seed);

/// How many of n drawn cases to try: all, but a fifth under the sanitizers, where each takes many times as long. Cases
/// of one draw run the same lines on other numbers; the build without sanitizers tries all n.
static inline int testing_draws(int n)
{
#ifdef __SANITIZE_ADDRESS__
  return (n + 4) / 5;
#else
  return n;
#endif
}
double testing_uniform(testing_random *random, double low, double high);
int testing_below(testing_random *random, int n); // 0 … n-1

// JSON documents (read with libfyaml). Paths as libfyaml has them: "/states/0/q".
typedef struct testing_json testing_json;
testing_json *testing_json_load(const char *path);
testing_json *testing_json_parse(const char *text);
void testing_json_free(testing_json *json);
bool testing_json_has(const testing_json *json, const char *path);
int testing_json_count(const testing_json *json, const char *path); // items of a sequence, -1 if there is none
double testing_json_number(const testing_json *json, const char *path);
const char *testing_json_text(const testing_json *json, const char *path); // valid until the document is freed
/// Numbers of a sequence, nested sequences flattened, in order; fails unless there are exactly n.
void testing_json_numbers(const testing_json *json, const char *path, double *values, int n);

/// Fails, printing the worst entry, unless |a_i - b_i| <= tolerance * max(1, max |b|) for all i.
void testing_assert_close(const char *what, const double *a, const double *b, int n, double tolerance);

/// A model of random links and joints of the given kinds (n_kinds of them; 0: all moving kinds).
/// depth_bias 1: a chain; 0: parents chosen among all.
srs_model *testing_random_model(testing_random *random, int n_links, const srs_joint_kind *kinds, int n_kinds,
                                double depth_bias);

/// The same before it is built: links `link0` …, joints `hinge0` …
srs_builder *testing_random_builder(testing_random *random, int n_links, const srs_joint_kind *kinds, int n_kinds,
                                    double depth_bias);

/// Builds, or fails with the message; the builder is destroyed.
srs_model *testing_build(srs_builder *builder);

/// A random configuration (unit quaternions) and nv random numbers within +-scale.
void testing_random_q(testing_random *random, const srs_model *model, double *q);
void testing_random_v(testing_random *random, const srs_model *model, double scale, double *v);
