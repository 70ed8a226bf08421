/// Models from files and to files: URDF, MJCF and SRDF are read into a builder, or one robot file at once into a model;
/// a model is written as URDF or as a scene. <sarrus/topology.h> includes this header.
#pragma once
#include <sarrus/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How the root link of a robot is attached to the world.
typedef enum srs_base_kind {
  SRS_BASE_FIXED,    // the root link is welded to the world
  SRS_BASE_FLOATING, // the root link gets a free joint named `root` (`root_1` where that name is taken, …)
} srs_base_kind;

/// What became of an element of a robot file in XML, or of one of its attributes.
typedef enum srs_item_state {
  SRS_ITEM_READ,   // a reader asked for it
  SRS_ITEM_KNOWN,  // known to have no effect (colours); what is in it is not visited
  SRS_ITEM_UNREAD, // nothing asked for it; what is in it is not visited
} srs_item_state;

typedef struct srs_file_item {
  const char *file;
  int line;
  const char *path;      // names of the elements from the root on: "robot/link/inertial"
  const char *attribute; // NULL for the element itself
  srs_item_state state;
} srs_file_item;

/// Called for an item of a file; the item and its texts live as long as the call.
typedef void (*srs_file_visit)(void *context, const srs_file_item *item);

typedef struct srs_load_options {
  srs_base_kind base;          // default SRS_BASE_FIXED
  srs_pose placement;          // of the root link in the world; floating: where it starts (neutral q). Default identity
  const char *prefix;          // put before every name, e.g. "left/"; NULL for none
  const char *const *packages; // "name=directory" for package:// addresses, ended by NULL; NULL for none
  srs_file_visit visit; // called in document order for every element and attribute of the file, when it has been read
                        // or refused. Default NULL
  void *visit_context;
  srs_self_collision self_collision; // default SRS_SELF_COLLISION_AUTO
  const char *srdf;   // a file whose `disable_collisions` are excluded (srs_builder_add_srdf); NULL for none
  const char *key;    // MJCF: name of the <key> that it starts at; NULL: as the file draws it
  bool allow_outside; // MJCF: <include> may name files outside the model's folder. Default false
  bool no_collision;  // shapes of the file are drawn only, and meshes to collide with may be missing. Default false
  bool allow_missing_meshes; // where a mesh to collide with is missing the rest collides. Default false
  bool allow_missing_links;  // URDF: joints with links that are not there, and links that no joint joins to the rest,
                             // are left out with a warning. Default false
  bool allow_unsupported;    // MJCF: what acts in MuJoCo and has no counterpart here (spatial tendons, flexes, muscles,
                          // compensated gravity, a fluid) is left out with a warning. Default false: refused. How soft
                          // contacts, limits and loops are is no such thing, and always a warning
  bool apply_up_axis; // URDF: Collada meshes are turned as their up_axis says. Default false
  double density;     // kg/m^3, of the shapes to collide with of links that have no inertial: they get the mass and the
                      // inertia of these shapes, and a warning says so. 0: they have none. Default 0
  srs_build_options build;
} srs_load_options;

srs_load_options srs_default_load_options(void);

/// Reads a URDF file into a builder: links, inertials, joints of all URDF types, limits, dynamics, mimic, shapes;
/// meshes to collide with (.stl, .obj, .dae) as their convex hulls, as terrain on links that are welded to the world.
/// docs/urdf.md lists every element. What has no effect is reported as warnings with their line numbers. Several files
/// may go into one builder. Network access and entity expansion are off. Allocates.
///
/// Robot files often hold what a simulation cannot use. It is then a warning, and the model serves for what needs it
/// not: moments that no body has are taken as they are (the nearest possible ones are printed); where a mesh to collide
/// with is missing, or a joint moves nothing that has inertia, kinematics works and srs_sim_create refuses.
/// build.strict refuses all of these at once.
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, or what adding returns; error names FILE:LINE
srs_status srs_builder_add_urdf(srs_builder *builder, const char *path, const srs_load_options *options,
                                srs_error *error);

/// Reads the pairs of links that do not collide from an SRDF file: `disable_collisions`, and
/// `disable_default_collisions` but for `enable_collisions`. What else such a file says has no effect. The links must
/// be in the builder; pairs with others are left out, with one warning. Allocates.
/// @param prefix  put before every name; NULL for none   @return SRS_OK, SRS_ERROR_FILE, _SYNTAX or _MEMORY
srs_status srs_builder_add_srdf(srs_builder *builder, const char *path, const char *prefix, srs_error *error);

/// Reads an MJCF file (MuJoCo's format) into a builder: bodies with their joints, geoms, sites, masses; docs/mjcf.md
/// has it element by element. The file itself says how its bodies hang on the world: options->base must be
/// SRS_BASE_FIXED, and the placement is that of the file's world. What is not honoured is reported as warnings, one for
/// each kind. Included files lie in the model's folder unless options->allow_outside. Allocates.
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, or what adding returns; error names FILE:LINE
srs_status srs_builder_add_mjcf(srs_builder *builder, const char *path, const srs_load_options *options,
                                srs_error *error);

/// Reads one robot file and builds it: URDF, or MJCF where the root element is <mujoco>. Allocates.  @param options
/// NULL for the default
srs_status srs_model_load(const char *path, const srs_load_options *options, srs_model **model, srs_error *error);

/// How a model is written to a file.
typedef struct srs_save_options {
  bool overwrite; // a file of that name is replaced. Default false: it stays, and that is an error
  void (*note)(void *context, const char *text); // called with a line for each kind of thing that the format cannot
                                                 // say and how it was written. Default NULL
  void *context;                                 // passed on
  bool model_only; // a scene: without gravity, step, actuators and velocities of the model's robot file. Default false
} srs_save_options;

srs_save_options srs_default_save_options(void);

/// Writes a model, from a file or from a builder, in the format of the path's ending: .urdf, or .yaml for a scene of
/// this model alone (docs/scene.md). What the format can say reads back as the same model to the bit: numbers are the
/// shortest that give the same double, rotations the roll, pitch and yaw (in scenes else the matrix) that give the same
/// nine entries. Files of meshes are named from the written file's folder where they lie in it, else by their whole
/// path. A scene can say all but motions that are functions; URDF one tree of its joint kinds with boxes, spheres,
/// cylinders, capsules and meshes. The file is written whole or not at all. Allocates.
/// @param options  NULL for the default
/// @return SRS_OK, SRS_ERROR_ARGUMENT, _FILE (also: the name is taken), _UNSUPPORTED (another ending; a joint kind or a
///         motion that the format does not have) or _MEMORY
srs_status srs_model_save(const srs_model *model, const char *path, const srs_save_options *options, srs_error *error);

#ifdef __cplusplus
}
#endif
