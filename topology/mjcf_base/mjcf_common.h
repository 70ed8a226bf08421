// What the parts of the MJCF reader share: settings, the tree as it is gathered, values with class defaults. Internal.
//
// An MJCF file is read in three passes. First its sections become settings, classes and flat lists (bodies, joints,
// geoms, sites: this page); then masses are found and scaled; then all is handed to the builder.
#pragma once
#include "topology/base/names.h"
#include "topology/model/file_settings.h"
#include "topology/model/inertia.h"
#include "topology/xml/report.h"
#include <sarrus/topology.h>

/// One class of defaults. The outermost is called "main" unless the file says otherwise.
typedef struct srs_mjcf_class {
  const char *name;
  const struct srs_mjcf_class *parent;
  srs_xml_node **nodes; // n_nodes: <default> elements, in file order
  int n_nodes;
} srs_mjcf_class;

/// An element as its class completes it.
typedef struct srs_mjcf_item {
  srs_xml_node *node;
  const char *tag;             // among defaults: "joint", "geom", "general", "equality", "tendon", …
  const srs_mjcf_class *class; // NULL: no defaults apply
} srs_mjcf_item;

typedef enum srs_mjcf_inertia_source { SRS_MJCF_AUTO, SRS_MJCF_ALWAYS, SRS_MJCF_NEVER } srs_mjcf_inertia_source;

/// <compiler>.
typedef struct srs_mjcf_compiler {
  bool is_degree, auto_limits, balance_inertia, discard_visual, strip_path;
  double bound_mass, bound_inertia, total_mass; // total_mass <= 0: as it is
  srs_mjcf_inertia_source from_geoms;
  int group_range[2];
  char euler_sequence[4];
  const char *mesh_folder; // NULL for none
} srs_mjcf_compiler;

typedef enum srs_mjcf_joint_kind {
  SRS_MJCF_FREE,
  SRS_MJCF_BALL,
  SRS_MJCF_SLIDE,
  SRS_MJCF_HINGE,
} srs_mjcf_joint_kind;

typedef struct srs_mjcf_joint {
  srs_mjcf_item item;
  const char *name;  // as in the model
  const char *word;  // as in the file, with the suffixes of copies; NULL for none
  const char *label; // the same, or one that was found for it
  int body;
  srs_mjcf_joint_kind kind;
  vec3 position, axis;  // in the body's frame
  double reference;     // coordinate where the body is as drawn
  int q_index, v_index; // in the file's order
  double max_effort;    // from its actuators; INFINITY for none
  bool is_driven;       // it has one
} srs_mjcf_joint;

/// A fixed tendon.
typedef struct srs_mjcf_tendon {
  srs_mjcf_item item;
  const char *word; // as in the file; NULL for none
  const char *name; // as in the model
  int n;            // joints
  int joint[SRS_TENDON_TERMS];
  double coefficient[SRS_TENDON_TERMS];
  double max_effort; // as of a joint
  bool is_driven;
  bool is_too_long; // it goes over more joints: it is left out
} srs_mjcf_tendon;

typedef struct srs_mjcf_body {
  srs_xml_node *node;
  const char *name; // the link's, and the frame's
  const char *word; // as in the file; NULL for none
  int parent;       // -1: the world
  srs_pose pose;    // in the parent's frame
  vec3 written;     // its `pos`, without the frames that it stands in
  int first_joint, n_joints;
  srs_xml_node *inertial; // NULL for none
  srs_body mass;
  int weld; // the body that is the root of those it is welded to; -1: welded to the world
} srs_mjcf_body;

typedef enum srs_mjcf_geom_kind {
  SRS_MJCF_PLANE,
  SRS_MJCF_HFIELD,
  SRS_MJCF_SPHERE,
  SRS_MJCF_CAPSULE,
  SRS_MJCF_ELLIPSOID,
  SRS_MJCF_CYLINDER,
  SRS_MJCF_BOX,
  SRS_MJCF_MESH,
  SRS_MJCF_SDF,
} srs_mjcf_geom_kind;

typedef struct srs_mjcf_geom {
  srs_mjcf_item item;
  const char *word; // as in the file; NULL for none
  int body;         // -1: the world
  srs_mjcf_geom_kind kind;
  double size[3]; // MuJoCo's: radii and half lengths
  srs_pose pose;  // in the body's frame
  int asset;      // mesh or hfield, -1 for none
  unsigned contype, conaffinity;
  int condim, priority;
  double friction[3];   // sliding; torsion, m; rolling, m
  const char *material; // its friction, as the model names it; NULL: the first
  bool is_paired;       // <pair> names it, so that it touches something whatever its types say
} srs_mjcf_geom;

typedef struct srs_mjcf_site {
  srs_xml_node *node;
  const char *name; // of the frame
  const char *word; // as in the file; NULL for none
  int body;
  srs_pose pose;
} srs_mjcf_site;

/// A mesh or a height field. Points are in the geom's frame.
typedef struct srs_mjcf_asset {
  srs_xml_node *node;
  const char *name;
  bool is_hfield;
  const char *file; // path that was found; NULL for none
  const double *points;
  const int *triangles;
  int n_points, n_triangles;
  const double *heights; // n_rows x n_columns, m
  int n_rows, n_columns;
  double spacing[2];
  double scale[3];     // that points have undergone already
  bool was_moved;      // by refpos or refquat
  const char *inertia; // "legacy", "exact", "convex", "shell"
  bool is_missing;     // its file was not found
} srs_mjcf_asset;

typedef struct srs_mjcf {
  srs_builder *builder;
  srs_xml *document; // the main one; its memory holds all that is gathered
  const srs_load_options *options;
  srs_error *error;
  srs_xml_report report;
  srs_mjcf_compiler compiler;
  srs_mjcf_class **classes; // n_classes, the outermost first
  int n_classes, class_room;
  srs_mjcf_body *bodies;        // n_bodies, depth first
  srs_mjcf_joint *joints;       // n_joints, by body
  srs_mjcf_geom *geoms;         // n_geoms
  srs_mjcf_site *sites;         // n_sites
  srs_mjcf_asset *assets;       // n_assets
  srs_mjcf_tendon *tendons;     // n_tendons: the fixed ones
  srs_file_actuator *actuators; // n_actuators: of coordinates
  int n_bodies, n_joints, n_geoms, n_sites, n_assets, n_tendons, n_actuators;
  int body_room, joint_room, geom_room, site_room, asset_room, tendon_room, actuator_room;
  int n_elements;                                                          // of the tree, copies counted
  srs_names body_names, joint_names, geom_names, site_names, tendon_names; // as in the file, of those that have one
  srs_names frame_names;                                                   // of links and frames in the model
  bool has_no_contact, has_no_limits, has_no_friction, has_no_loops;       // flags of <option>: switched off
  const double *key_q, *key_v, *key_ctrl;                // of the <key> to start at, in file order; NULL for none
  bool has_no_springs, has_no_dampers, has_no_actuators; // likewise
  bool meets_parents;                                    // option flag filterparent="disable": neighbours collide
} srs_mjcf;

srs_status srs_mjcf_no_memory(const srs_mjcf *mjcf);

/// A failure at an element.
#define srs_mjcf_fail(mjcf, status, node, subject, ...)                                                                \
  srs_fail_at((mjcf)->error, status, srs_xml_place(node), subject, __VA_ARGS__)

/// A formatted text that lives as long as the reading; NULL when out of memory.
#define srs_mjcf_format(mjcf, ...) srs_xml_format((mjcf)->document, __VA_ARGS__)

/// Keeps a warning (or a note) about an element. text NULL: out of memory.
srs_status srs_mjcf_warn(srs_mjcf *mjcf, const srs_xml_node *node, const char *text);
srs_status srs_mjcf_note(srs_mjcf *mjcf, const srs_xml_node *node, const char *text);

/// The same of something that acts in MuJoCo and is left out here: refused unless options->allow_unsupported.
srs_status srs_mjcf_leave_out(srs_mjcf *mjcf, const srs_xml_node *node, const char *text);

/// The options' prefix and the name, NULL when out of memory.
const char *srs_mjcf_prefixed(srs_mjcf *mjcf, const char *name);

/// Later additions to the builder come from this node.
void srs_mjcf_locate(srs_mjcf *mjcf, const srs_xml_node *node);

/// The list with room for one more, NULL when out of memory.
void *srs_mjcf_grow(srs_mjcf *mjcf, void *items, int n, int *room, size_t size);

/// Adds a name, unless it is there already.  @return SRS_OK, SRS_ERROR_NAME (said) or SRS_ERROR_MEMORY
srs_status srs_mjcf_add_name(srs_mjcf *mjcf, srs_names *names, const char *what, const char *name, int value,
                             const srs_xml_node *node);

/// What a name stands for; "no joint is named 'x'; did you mean …" where there is none.
srs_status srs_mjcf_find(srs_mjcf *mjcf, const srs_names *names, const char *what, const char *name,
                         const srs_xml_node *node, int *index);

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

/// An element without class defaults.
static inline srs_mjcf_item srs_mjcf_bare(srs_xml_node *node) { return (srs_mjcf_item){node, node->name, NULL}; }

/// The attribute's text, the element's own or that of the nearest class; NULL for none.
const char *srs_mjcf_text(const srs_mjcf_item *item, const char *name);

/// Numbers of an attribute, at least `least` and at most `most` of them; of outer classes first, so that a shorter list
/// leaves the tail of an outer one. Untouched where it is nowhere.  @param n  out: how many the nearest has; or NULL
srs_status srs_mjcf_numbers(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name, int least, int most,
                            double *values, int *n);

/// Whether that is the name of a spatial tendon.
bool srs_mjcf_names_spatial_tendon(const srs_mjcf *mjcf, const char *name);

/// p(x - r) as a polynomial of x.
void srs_mjcf_shift_polynomial(double p[5], double r);

/// One integer.
srs_status srs_mjcf_integer(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name, int *value);

/// Which of the words the attribute is; *choice is untouched where it is nowhere.  @param words  ended by NULL
srs_status srs_mjcf_choice(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name, const char *const *words,
                           int *choice);

/// "true" or "false".
srs_status srs_mjcf_flag(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name, bool *flag);

/// Whether something is limited: "true", "false", or "auto", which asks whether there is a range that is not "0 0".
srs_status srs_mjcf_limited(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name, const char *range,
                            bool *is_limited);
