// Geoms of MJCF: shapes for collision, and the mass of their bodies. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Lists a <geom>.  @param around  the placement of the frames around it, in the body
srs_status srs_mjcf_read_geom(srs_mjcf *mjcf, srs_xml_node *node, const char *word, int body, const srs_pose *around,
                              const srs_mjcf_class *class);

/// Adds all geoms to the builder as shapes; those of the world are the environment.
srs_status srs_mjcf_add_geoms(srs_mjcf *mjcf);

/// The shape that a geom is, without points and names: its kind and Sarrus' sizes. Not of meshes and height fields.
srs_shape_def srs_mjcf_shape_of(const srs_mjcf_geom *geom);
