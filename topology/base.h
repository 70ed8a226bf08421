/// The base of all parts of Sarrus: status codes, errors, numbers as text, poses and rotations.
///
/// Nothing here allocates or prints, and nothing depends on the process's locale or changes it.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The version of these headers, as numbers and as text; srs_version is that of the library that runs.
#define SRS_VERSION_MAJOR 0
#define SRS_VERSION_MINOR 1
#define SRS_VERSION_PATCH 0
#define SRS_VERSION       "0.1.0"

/// For #if: whether these headers are of this version or a later one.
#define SRS_VERSION_AT_LEAST(major, minor, patch)                                                                      \
  (SRS_VERSION_MAJOR * 1000000 + SRS_VERSION_MINOR * 1000 + SRS_VERSION_PATCH >=                                       \
   (major)*1000000 + (minor)*1000 + (patch))

/// The outcome of a call. Every function that can fail returns one; a failed call changes nothing the caller can see.
typedef enum srs_status {
  SRS_OK = 0,
  SRS_ERROR_ARGUMENT,    // a null pointer, an index or size out of range, an option that makes no sense
  SRS_ERROR_NOT_FINITE,  // an input holds a NaN or an infinity
  SRS_ERROR_MEMORY,      // the system has no memory left
  SRS_ERROR_FILE,        // a file cannot be opened, read or written
  SRS_ERROR_SYNTAX,      // a file is not well formed, or a value in it has the wrong type
  SRS_ERROR_NAME,        // a name that does not exist, or that exists twice
  SRS_ERROR_MODEL,       // the mechanism is impossible: a cycle, a negative mass, a joint without inertia on it
  SRS_ERROR_UNSUPPORTED, // this version does not do what was asked
  SRS_ERROR_SINGULAR,    // a joint carries no inertia in this configuration
  SRS_ERROR_DIVERGED,    // the motion is no longer finite
  SRS_ERROR_CAPACITY,    // more than the memory set aside can hold; the message says how much is needed
  SRS_ERROR_UNREACHABLE, // no configuration was found that closes the loops, or that reaches a target
} srs_status;

/// What is wrong, and where. Owned by the caller; every function that takes one accepts NULL.
typedef struct srs_error {
  srs_status status;
  char file[256];    // the file at fault, "" for none
  int line, column;  // 1-based, 0 where unknown
  char subject[128]; // name of the link, joint, frame or key concerned, "" for none
  char message[512]; // what, and how to mend it; one line, no full stop
} srs_error;

/// A fixed English phrase for a status, never NULL.
const char *srs_status_string(srs_status status);

/// Writes "FILE:LINE:COL: message" into text, always terminated; unknown parts are left out.
/// @param text, size  destination and its size in bytes
/// @return text
const char *srs_error_format(const srs_error *error, char *text, size_t size);

/// The version of the library, "MAJOR.MINOR.PATCH". Programs that were built with headers of another MAJOR or, before
/// 1.0, another MINOR do not work with it; its soname says so too.
const char *srs_version(void);

/// Reads a whole string as one finite decimal number with a point, whatever the locale.
///
/// Rejects empty text, anything left over ("1,5", "1.0kg"), hexadecimal, NaN, infinities and overflow. White space
/// around the number is allowed.
/// @param text    characters, need not be terminated
/// @param length  how many
/// @param value   out: the nearest double; untouched on failure
bool srs_parse_number(const char *text, size_t length, double *value);

/// Writes the shortest decimal of at most 17 digits that reads back as the same double, with a point whatever the
/// locale.
/// @param text   at least 32 bytes
/// @return the number of characters written, the terminator not counted
int srs_format_number(double value, char text[32]);

/// A rigid placement: where a frame is, seen from another.
typedef struct srs_pose {
  double position[3]; // the frame's origin, m
  double rotation[9]; // 3 x 3, rows first; its columns are the frame's axes
} srs_pose;

/// Position zero, no rotation.
srs_pose srs_identity_pose(void);

/// A rotation from fixed-axis roll, pitch, yaw as URDF has them: R = Rz(yaw) Ry(pitch) Rx(roll).
/// @param rpy       3, rad
/// @param rotation  9, out, rows first
void srs_rotation_from_rpy(const double rpy[3], double rotation[9]);

/// A rotation from a quaternion w x y z, which is normalised first; the zero quaternion gives the identity.
void srs_rotation_from_quaternion(const double wxyz[4], double rotation[9]);

/// The unit quaternion w x y z of a rotation, with w >= 0.
void srs_quaternion_from_rotation(const double rotation[9], double wxyz[4]);

#ifdef __cplusplus
}
#endif
