// The model or scene that a subcommand works on, and the options about it that all of them take.
#pragma once
#include "engine/cli/shared/command.h"
#include "engine/cli/shared/options.h"
#include <sarrus/engine.h>

/// Values of the options below as they were typed.
typedef struct srs_loading {
  const char *base, *self_collision, *srdf, *key, *density;
  bool is_strict, allows_impossible_inertia, allows_outside, has_no_collision, allows_missing_meshes,
      allows_missing_links, allows_unsupported, applies_up_axis;
  srs_texts packages;
  srs_file_visit visit; // as in srs_load_options
  void *visit_context;
  const char *text; // as in srs_scene_options
  srs_error *error; // out: why srs_loading_open failed; NULL where nobody asks
} srs_loading;

/// The lines for a subcommand's table of options.
// clang-format off
#define SRS_LOADING_OPTIONS(loading)                                                                                  \
  {"base", "fixed|floating", "how a robot file's root is attached (default fixed)", .text = &(loading).base},               \
  {"self-collision", "false|auto|all", "which shapes of a robot meet (default: the scene's; of a robot file auto)",        \
   .text = &(loading).self_collision},                                                                                 \
  {"srdf", "FILE", "pairs of a robot file's links that do not collide", .text = &(loading).srdf},                      \
  {"package", "NAME=DIR", "folder of package://NAME/; may be given several times", .texts = &(loading).packages},      \
  {"no-collision", NULL, "shapes of robot files are drawn only, their meshes may be missing",                           \
   .flag = &(loading).has_no_collision},                                                                                \
  {"allow-missing-meshes", NULL, "meshes of robot files to collide with may be missing",                                \
   .flag = &(loading).allows_missing_meshes},                                                                                \
  {"allow-missing-links", NULL, "leave out joints of URDF files whose link is not there, and loose links",                 \
   .flag = &(loading).allows_missing_links},                                                                                \
  {"allow-unsupported", NULL, "leave out what acts in MuJoCo and has no counterpart here",                               \
   .flag = &(loading).allows_unsupported},                                                                              \
  {"up-axis", NULL, "turn Collada meshes as their <up_axis> says",                                                        \
   .flag = &(loading).applies_up_axis},                                                                                \
  {"density", "KG/M3", "mass of links without inertial from their shapes", .text = &(loading).density},                 \
  {"strict", NULL, "treat warnings about the file as errors", .flag = &(loading).is_strict},                               \
  {"allow-impossible-inertia", NULL, "warn of moments of inertia that no body can have",                                   \
   .flag = &(loading).allows_impossible_inertia},                                                                      \
  {"key", "NAME", "the <key> of an MJCF file that it starts at", .text = &(loading).key},                                  \
  {"allow-outside", NULL, "let an MJCF file include files outside its folder", .flag = &(loading).allows_outside}
// clang-format on

/// Takes memory for as many packages as argc arguments may name.  @return SRS_EXIT_OK or SRS_EXIT_FAILED, reported
int srs_loading_create(srs_loading *loading, int argc);
void srs_loading_destroy(srs_loading *loading);

/// Reads the scene, or the robot file as a scene of that model alone.
/// @return SRS_EXIT_OK, SRS_EXIT_USAGE or SRS_EXIT_FAILED, reported
int srs_loading_open(const srs_command *command, const srs_loading *loading, const char *path, srs_scene **scene);

/// Reports the model's warnings, those of one kind in one line.
void srs_loading_warn(const srs_command *command, const srs_model *model);

/// "fixed", "floating", or "mixed": whether the trees' roots hang on free joints.
const char *srs_loading_base(const srs_model *model);
