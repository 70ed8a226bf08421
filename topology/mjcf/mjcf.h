// The MJCF reader for a document that is parsed already. Internal; srs_builder_add_mjcf is public.
#pragma once
#include "topology/xml/xml.h"
#include <sarrus/topology.h>

/// Reads a parsed document into a builder; on failure the builder is left as it was.
srs_status srs_mjcf_add(srs_builder *builder, srs_xml *document, const srs_load_options *options, srs_error *error);
