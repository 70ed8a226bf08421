// A text under construction, and the notes that go with it: what the writers of model files share. Internal.
#pragma once
#include "topology/builder/builder.h"
#include <math.h>
#include <sarrus/topology.h>

typedef struct srs_save {
  char *text; // `length` bytes of it
  size_t length, room;
  bool failed; // out of memory
  const char *path;
  char *folder; // of the path, resolved, with a slash at its end; NULL where unknown
  const srs_model *model;
  const srs_builder *source; // what it was built from
  const srs_save_options *options;
  srs_error *error;
} srs_save;

/// Adds text as it is.
void srs_save_add(srs_save *save, const char *text);

/// printf-like.
void srs_save_print(srs_save *save, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// n numbers with a text between them, each the shortest that reads back as the same double; infinities as `infinity`
/// with a sign before it.
void srs_save_numbers(srs_save *save, const double *values, int n, const char *between, const char *infinity);

/// Tells the caller what the format cannot say. printf-like, one line.
void srs_save_note(const srs_save *save, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// How a file is named in the one that is written: from its folder where it lies in that, else as it is.
const char *srs_save_file_name(const srs_save *save, const char *file);

/// Whether all n numbers have this value, a zero its sign.
static inline bool srs_all_are(const double *x, int n, double value)
{
  bool all = true;
  for (int i = 0; i < n; i++) all = all && x[i] == value && !signbit(x[i]) == !signbit(value);
  return all;
}

/// Whether n numbers are the same to the bit; none is a NaN.
static inline bool srs_are_same(const double *a, const double *b, int n)
{
  bool same = true;
  for (int i = 0; i < n; i++) same = same && a[i] == b[i] && !signbit(a[i]) == !signbit(b[i]);
  return same;
}

static inline bool srs_is_identity_rotation(const double rotation[9])
{
  const srs_pose identity = srs_identity_pose();
  return srs_are_same(rotation, identity.rotation, 9);
}

static inline bool srs_is_identity(const srs_pose *pose)
{
  return srs_all_are(pose->position, 3, 0) && srs_is_identity_rotation(pose->rotation);
}
