// <asset> of MJCF: meshes and height fields. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Lists meshes and height fields; heights are read, files of meshes are looked for.
srs_status srs_mjcf_read_assets(srs_mjcf *mjcf);

srs_status srs_mjcf_find_asset(srs_mjcf *mjcf, const char *name, bool is_hfield, const srs_xml_node *node, int *index);

/// Reads a mesh's points and triangles, once. @return SRS_OK, or what is wrong with its file
srs_status srs_mjcf_load_mesh(srs_mjcf *mjcf, int asset);

/// The triangles of the convex hull of a mesh that was read; none where its points span no volume.
srs_status srs_mjcf_hull_of_mesh(srs_mjcf *mjcf, const srs_mjcf_asset *asset, const int **triangles, int *n_triangles);
