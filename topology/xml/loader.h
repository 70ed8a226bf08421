// From the path of an XML robot file to a vocabulary's reader, the same for all vocabularies. Internal.
#pragma once
#include "topology/xml/xml.h"
#include <sarrus/topology.h>

/// What a vocabulary does with a document that is parsed: makes builder calls.
typedef srs_status srs_xml_vocabulary(srs_builder *builder, srs_xml *document, const srs_load_options *options,
                                      srs_error *error);

/// Checks arguments and options, parses the file and hands it to the vocabulary. When that fails the builder is left
/// as it was. Allocates.  @param options  NULL for the default
srs_status srs_xml_load(srs_builder *builder, const char *path, const srs_load_options *options,
                        srs_xml_vocabulary *read, srs_error *error);

/// The same for a document that is parsed already.
srs_status srs_xml_load_document(srs_builder *builder, srs_xml *document, const srs_load_options *options,
                                 srs_xml_vocabulary *read, srs_error *error);
