// All elements and attributes of a document, with what became of them. Internal.
#pragma once
#include "topology/xml/xml.h"
#include <sarrus/topology.h>

/// Calls visit for each element and each of its attributes, in document order; what is inside of elements that nothing
/// has read, or that are known as a whole, is left out.
void srs_xml_visit_items(const srs_xml *document, srs_file_visit visit, void *context);
