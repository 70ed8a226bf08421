// <compiler> and <default> of MJCF: settings and classes of defaults. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Reads all <compiler> elements, wherever they stand; the last word counts.
srs_status srs_mjcf_read_compiler(srs_mjcf *mjcf);

/// Lists the classes.
srs_status srs_mjcf_read_classes(srs_mjcf *mjcf);

/// The class that completes an element: that of its attribute `class`, else the given one (of the enclosing
/// `childclass`), else the outermost. @return SRS_OK, or SRS_ERROR_NAME where there is no such class
srs_status srs_mjcf_class_of(srs_mjcf *mjcf, srs_xml_node *node, const char *attribute, const srs_mjcf_class *outer,
                             const srs_mjcf_class **class);

/// An element with its class, by its tag.
srs_status srs_mjcf_item_of(srs_mjcf *mjcf, srs_xml_node *node, const char *tag, const srs_mjcf_class *outer,
                            srs_mjcf_item *item);
