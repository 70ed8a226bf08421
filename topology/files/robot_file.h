// Robot files of any format, by their endings. Internal.
#pragma once
#include <sarrus/topology.h>

/// Whether a path ends like a robot file's.
bool srs_is_robot_file(const char *path);

/// Reads a robot file into a builder by the reader that its ending names; URDF where it names none.
srs_status srs_builder_add_robot_file(srs_builder *builder, const char *path, const srs_load_options *options,
                                      srs_error *error);
