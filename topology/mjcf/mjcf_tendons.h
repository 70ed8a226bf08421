// Fixed tendons of MJCF. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Lists the fixed tendons, after the tree.
srs_status srs_mjcf_read_tendons(srs_mjcf *mjcf);

/// Adds those that something acts on, and the equalities between tendons, after the bodies and after the actuators were
/// read.
srs_status srs_mjcf_add_tendons(srs_mjcf *mjcf);
srs_status srs_mjcf_add_tendon_equality(srs_mjcf *mjcf, srs_xml_node *node, const srs_mjcf_item *item,
                                        const char *name);
