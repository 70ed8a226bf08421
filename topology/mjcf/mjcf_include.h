// <include file="..."/> of MJCF: the named file's elements stand where it stood. Internal.
#pragma once
#include "topology/xml/xml.h"
#include <sarrus/topology.h>

/// The documents that were included, for srs_mjcf_release_includes.
typedef struct srs_mjcf_includes {
  srs_xml **documents; // n
  int n, room;
} srs_mjcf_includes;

/// Replaces every <include> of a document, and of what it includes. A path is relative to the file that names it, else
/// to the main file. A file is included at most once, none outside the main file's folder unless options allow it.
/// Only regular files are opened. @return SRS_OK, SRS_ERROR_FILE, _SYNTAX or _MEMORY
srs_status srs_mjcf_include(srs_xml *document, bool allow_outside, srs_mjcf_includes *includes, srs_error *error);

/// After the nodes that came from them are done with.
void srs_mjcf_release_includes(srs_mjcf_includes *includes);
