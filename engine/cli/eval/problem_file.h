// Contact problems from files that may be damaged. Internal.
#pragma once
#include <sarrus/contact_file.h>

/// srs_contact_file_read, tried in a child process first: HDF5's library reads beyond its own memory in some damaged
/// files, and then the child alone crashes.  @return what srs_contact_file_read does; SRS_ERROR_SYNTAX where the child
/// crashed
srs_status srs_problem_file_read(const char *path, srs_contact_file *file, srs_error *error);
