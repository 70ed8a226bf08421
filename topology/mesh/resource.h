// Finds the file that a model names. Internal.
#pragma once
#include "topology/base/text.h"

typedef struct srs_resource {
  char *path;  // absolute, without links or ".."; NULL when no candidate is a readable file
  char *tried; // what was looked at, in order, separated by ", "
} srs_resource;

/// Looks for the file of an address: "package://NAME/REST" (or "model://NAME/REST"), "file://PATH", or a plain path.
/// The first candidate that is a readable file is taken:
///
///   1. REST below DIRECTORY for each "NAME=DIRECTORY" of packages
///   2. REST below each folder at or above the model's that is called NAME or whose package.xml says so, and below a
///      folder NAME inside one of them
///   3. REST below D, D/NAME for each D of ROS_PACKAGE_PATH (D itself only where it is that package), below the
///   packages
///      of that name anywhere below a D (12 levels and 20000 folders at most), and below P/share/NAME for each P of
///      AMENT_PREFIX_PATH
///   4. REST, or the plain path, from the model's folder
///
/// Percent escapes are tried undone where the address as written leads nowhere. Nothing is fetched from a network.
/// @param model_file  path of the model file that holds the address
/// @param packages    "name=directory", ended by NULL; or NULL
/// @param files       notes the package.xml that were read; NULL for none
/// @param resource    out: to be released by srs_resource_release
/// @return SRS_OK, found or not; SRS_ERROR_MEMORY
srs_status srs_resource_find(const char *address, const char *model_file, const char *const *packages,
                             srs_read_files *files, srs_resource *resource);

void srs_resource_release(srs_resource *resource);
