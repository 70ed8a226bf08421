// What the files of topology/ (and those that read model files) share beside the public headers. Not installed.
#pragma once
#include <sarrus/topology.h>
#include <stdarg.h>

/// Where something was written. file NULL: nowhere; line or column 0: unknown.
typedef struct srs_place {
  const char *file;
  int line, column;
} srs_place;

/// Fills error (which may be NULL) and returns status. The message is printf-like, printed as in the "C" locale;
/// control characters become spaces and a message too long is cut between characters, so it stays one clean line.
/// @param file     NULL or "" for none; only the end of a very long path is kept
/// @param subject  name of what is concerned, NULL or "" for none
srs_status srs_fail(srs_error *error, srs_status status, const char *file, int line, int column, const char *subject,
                    const char *format, ...) __attribute__((format(printf, 7, 8)));

/// The same at a place.
srs_status srs_fail_at(srs_error *error, srs_status status, srs_place place, const char *subject, const char *format,
                       ...) __attribute__((format(printf, 5, 6)));

/// snprintf as in the "C" locale, whatever the process's.
int srs_print(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int srs_vprint(char *text, size_t size, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

/// Makes one clean line of a text: control characters become spaces, a UTF-8 character cut off at the end goes.
void srs_tidy(char *text);

/// Whether a placement is finite and its rotation one, to 1e-6; it is then made exact.
/// @param name  NULL: what says it all
srs_status srs_check_pose(srs_pose *pose, const char *what, const char *name, srs_place place, srs_error *error);

/// Scales a quaternion to unit length. @return false, untouched, when it is zero, shorter than that, or not finite
bool srs_quaternion_normalise(double *wxyz, double shortest);

/// Whether a quaternion that a user gives may pass for one of unit length: within 1e-6, as files print digits.
/// @param length  out
bool srs_quaternion_is_unit(const double wxyz[4], double *length);

/// Whether a joint, or a link or frame, of that name was added already.
bool srs_builder_has_joint(const srs_builder *builder, const char *name);
bool srs_builder_has_frame(const srs_builder *builder, const char *name);

/// Where a joint that was added stands in the model's neutral configuration, in place of zero (quaternion 1 0 0 0).
/// Quaternions are normalised.  @param q  nq numbers, nq that of the joint's kind
/// @return SRS_OK, SRS_ERROR_ARGUMENT (also a quaternion of length zero), _NOT_FINITE, _NAME or _MEMORY
srs_status srs_builder_set_neutral(srs_builder *builder, const char *joint, const double *q, int nq);

/// Hangs a base link on the world: welded at the placement, or on a free joint that starts there and is named
/// `<prefix>root`, or `<prefix>root_1`, … where that is taken. Allocates.
srs_status srs_builder_hang_base(srs_builder *builder, const char *link, srs_base base, const srs_pose *placement,
                                 const char *prefix, srs_error *error);

/// How much a builder holds: a reader takes the mark first, and rolls back when it fails half-way, so that a failed
/// call leaves the builder as it was (the current location included).
typedef struct srs_builder_mark {
  int n_links, n_joints, n_frames, n_shapes, n_closures, n_couplings, n_warnings;
  srs_place place;
} srs_builder_mark;

srs_builder_mark srs_builder_take_mark(const srs_builder *builder);
void srs_builder_roll_back(srs_builder *builder, srs_builder_mark mark);
