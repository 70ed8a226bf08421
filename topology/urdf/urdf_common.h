// What the parts of the URDF reader share: the state of reading, warnings, names, placements. Internal.
#pragma once
#include "topology/base/names.h"
#include "topology/xml/report.h"
#include <sarrus/topology.h>

typedef struct srs_urdf_joint {
  srs_xml_node *node;
  const char *name; // as in the file
  srs_joint_kind kind;
  int parent, child; // indices of links
} srs_urdf_joint;

typedef enum srs_stillness { SRS_UNKNOWN_YET, SRS_STILL, SRS_MOVING } srs_stillness;

typedef struct srs_urdf_link {
  srs_xml_node *node;
  const char *name; // as in the file
  int joint;        // the joint whose child it is, -1 for none
  srs_stillness stillness;
  bool is_left_out; // no joint joins it to the rest (allow_missing_links)
} srs_urdf_link;

typedef struct srs_urdf_mesh srs_urdf_mesh; // urdf_meshes.c

// Meshes that collide as their hulls.
typedef struct srs_urdf_hulls {
  int count, n_open, line; // line: of the first
  double least, most;      // volume of hull by mesh; 0 for none
} srs_urdf_hulls;

// The joints that a note names together, by their first line.
typedef struct srs_urdf_joint_list {
  const char **names; // n
  int n, line;
} srs_urdf_joint_list;

typedef struct srs_urdf {
  srs_builder *builder;
  srs_xml *document;
  const srs_load_options *options;
  srs_error *error;
  srs_urdf_link *links;   // n_links, in file order
  srs_urdf_joint *joints; // n_joints, in file order
  int n_links, n_joints;
  srs_names link_names, joint_names; // as in the file
  srs_xml_report report;
  srs_xml_tally unused[2];      // safety_controller, calibration
  srs_urdf_joint_list zeros[2]; // of effort, of velocity
  srs_urdf_mesh *meshes;
  srs_urdf_hulls hulls;
  int n_terrains, terrain_line; // meshes that collide as terrain; line: of the first
  int builder_line;             // of what is added now
} srs_urdf;

srs_status srs_urdf_no_memory(const srs_urdf *urdf);

/// Keeps a warning for a line; they reach the builder in the order of their lines. text may be NULL: out of memory.
srs_status srs_urdf_warn(srs_urdf *urdf, int line, const char *text);

/// The same for what needs no change of the file: nothing that a strict build refuses.
srs_status srs_urdf_note(srs_urdf *urdf, int line, const char *text);

/// The options' prefix and the name, NULL when out of memory.
const char *srs_urdf_prefixed(srs_urdf *urdf, const char *name);

/// Later additions to the builder come from this node.
void srs_urdf_locate(srs_urdf *urdf, const srs_xml_node *node);

/// The placement in a child element <origin>; the identity where there is none.
srs_status srs_urdf_origin(srs_urdf *urdf, srs_xml_node *node, srs_pose *pose);
