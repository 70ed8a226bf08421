// Joints of MJCF: from elements to the links and joints of the model. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Lists a <joint> or <freejoint>.  @param around  the placement of the frames around it, in the body
srs_status srs_mjcf_read_joint(srs_mjcf *mjcf, srs_xml_node *node, const char *word, int body, const srs_pose *around,
                               const srs_mjcf_class *class);

/// Joints without a name get one.
srs_status srs_mjcf_name_joints(srs_mjcf *mjcf);

/// Adds the links and joints of all bodies to the builder.
srs_status srs_mjcf_add_bodies(srs_mjcf *mjcf);
