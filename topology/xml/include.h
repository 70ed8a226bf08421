// <include file="..."/>: the named file's elements stand where it stood. Internal.
#pragma once
#include "topology/xml/xml.h"
#include <sarrus/topology.h>

/// Replaces every <include> of a document, and of what it includes. A path is relative to the file that names it, else
/// to the main file. A file is included at most once, none outside the main file's folder unless options allow it.
/// Only regular files are opened.
/// @param files  notes them
/// @param roots  what the root of an included file may be called, ended by NULL
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX or _MEMORY
srs_status srs_xml_include(srs_xml *document, const char *const *roots, bool allow_outside, srs_read_files *files,
                           srs_error *error);
