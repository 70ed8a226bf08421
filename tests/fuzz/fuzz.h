// What fuzz targets share: claims, numbers out of an input's bytes, files in a temporary folder, scenes to start from.
//
// A target is one function that takes any bytes. libFuzzer calls it with bytes of its own making; replay.c calls it
// with each file of a corpus.
#pragma once
#include <sarrus/sarrus.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Memory of a gigabyte at once is refused, as where there is no more, and the library must say so.
const char *__asan_default_options(void); // NOLINT(bugprone-reserved-identifier,cert-*): the sanitizer's name for it
const char *__asan_default_options(void)  // NOLINT(bugprone-reserved-identifier,cert-*)
{
  return "allocator_may_return_null=1:max_allocation_size_mb=1024";
}

const char *__ubsan_default_options(void); // NOLINT(bugprone-reserved-identifier,cert-*)
const char *__ubsan_default_options(void)  // NOLINT(bugprone-reserved-identifier,cert-*)
{
  return "print_stacktrace=1";
}

// libfyaml 0.7.12 loses the list of a text's pieces where it turns away a scalar of many escapes (docs/safety.md). The
// function in it has no name to outsiders, so its module is named; the project's own use of it is watched by test_yaml.
const char *__lsan_default_suppressions(void); // NOLINT(bugprone-reserved-identifier,cert-*)
const char *__lsan_default_suppressions(void)  // NOLINT(bugprone-reserved-identifier,cert-*)
{
  return "leak:libfyaml";
}

static inline void fuzz_demand(bool claim, const char *what)
{
  if (claim) return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

/// What holds after every call: a known status; with a failure, one line that says what is wrong.
static inline void fuzz_judge(srs_status status, const srs_error *error)
{
  fuzz_demand((int)status >= SRS_OK && status <= SRS_ERROR_UNREACHABLE, "a known status");
  if (status == SRS_OK) return;
  fuzz_demand(error->status == status, "the error has the status that was returned");
  fuzz_demand(error->message[0] != '\0' && strchr(error->message, '\n') == NULL, "a message of one line");
}

/// A scene that may load, and if so may make a sim, which takes one step.
static inline void fuzz_step_scene(const char *path)
{
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error = {0};
  srs_status status = srs_scene_load(path, NULL, &scene, &error);
  fuzz_judge(status, &error);
  if (status == SRS_OK) {
    status = srs_scene_create_sim(scene, NULL, &sim, &error);
    fuzz_judge(status, &error);
    fuzz_demand((status == SRS_OK) == (sim != NULL), "a sim or a message");
  }
  if (sim != NULL) fuzz_judge(srs_sim_step(sim, 1, &error), &error);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

/// A call that must succeed.
static inline void fuzz_expect(srs_status status, const srs_error *error, const char *what)
{
  if (status != SRS_OK) fprintf(stderr, "status %d: %s\n", (int)status, error->message);
  fuzz_demand(status == SRS_OK, what);
}

// ---- numbers from bytes ----

/// The rest of an input. Where it is spent, zeros follow.
typedef struct fuzz_bytes {
  const uint8_t *at;
  size_t left;
} fuzz_bytes;

static inline int fuzz_byte(fuzz_bytes *bytes)
{
  if (bytes->left == 0) return 0;
  bytes->left--;
  return *bytes->at++;
}

static inline int fuzz_below(fuzz_bytes *bytes, int n) { return n > 0 ? fuzz_byte(bytes) % n : 0; }

/// Any eight bytes as a number.
static inline double fuzz_raw(fuzz_bytes *bytes)
{
  uint64_t bits = 0;
  double number;
  for (int i = 0; i < 8; i++) bits = bits << 8 | (uint64_t)fuzz_byte(bytes);
  memcpy(&number, &bits, sizeof number);
  return number;
}

/// Mostly a number of everyday size, now and then one that is none, or huge, or tiny, or any.
static inline double fuzz_number(fuzz_bytes *bytes)
{
  static const double special[] = {0,      -0.0,  1,      -1,     1e-3,  0.5,   2,
                                   1e-300, 1e-12, 1e154,  -1e154, 1e200, 1e308, -1e308,
                                   1e9,    1e16,  5e-324, 1e-9,   1e5,   -1e5,  3.1415926535897932,
                                   1e300,  1e30,  1e-30};
  const int choice = fuzz_byte(bytes), n = sizeof special / sizeof *special;
  if (choice < n) return special[choice];
  if (choice < n + 2) return choice == n ? NAN : -NAN;
  if (choice < n + 4) return choice == n + 2 ? INFINITY : -INFINITY;
  if (choice < 40) return fuzz_raw(bytes);
  return (choice - 148) / 16.0 + fuzz_byte(bytes) / 4096.0;
}

static inline void fuzz_numbers(fuzz_bytes *bytes, double *values, int n)
{
  for (int i = 0; i < n; i++) values[i] = fuzz_number(bytes);
}

// ---- files ----

static char fuzz_folder[512];

static inline const char *fuzz_path(const char *name)
{
  static char paths[4][640];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", fuzz_folder, name);
  return path;
}

static inline void fuzz_remove_folder(void)
{
  static const char *const names[] = {"input",    "scene.yaml", "robot.urdf", "mesh.obj", "mesh.stl",
                                      "obj.yaml", "stl.yaml",   "input.csv",  "p.hdf5",   "written.hdf5"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) (void)unlink(fuzz_path(names[i]));
  (void)rmdir(fuzz_folder);
}

/// Writes a file in a folder of the process's own, and returns its path (valid until 4 calls later).
static inline const char *fuzz_file(const char *name, const void *bytes, size_t size)
{
  if (fuzz_folder[0] == '\0') {
    const char *where = getenv("TMPDIR");
    snprintf(fuzz_folder, sizeof fuzz_folder, "%.480s/fuzz-XXXXXX", where != NULL ? where : "/tmp");
    fuzz_demand(mkdtemp(fuzz_folder) != NULL, "there is a place for temporary files");
    (void)atexit(fuzz_remove_folder);
  }
  const char *path = fuzz_path(name);
  FILE *file = fopen(path, "wb");
  fuzz_demand(file != NULL && fwrite(bytes, 1, size, file) == size, "a temporary file can be written");
  fuzz_demand(fclose(file) == 0, "a temporary file can be written");
  return path;
}

/// A scene of the target's own, which must load.
static inline srs_scene *fuzz_scene(const char *text)
{
  srs_scene *scene = NULL;
  srs_error error;
  if (srs_scene_load(fuzz_file("scene.yaml", text, strlen(text)), NULL, &scene, &error) != SRS_OK) {
    fprintf(stderr, "%d:%d %s\n", error.line, error.column, error.message);
    abort();
  }
  return scene;
}
