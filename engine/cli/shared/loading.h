// The model or scene that a subcommand works on, and the options about it that all of them take.
#pragma once
#include "engine/cli/shared/command.h"
#include "engine/cli/shared/options.h"
#include <sarrus/engine.h>

/// Values of the options below as they were typed.
typedef struct srs_loading {
  const char *base, *density;
  bool is_strict, allows_impossible_inertia, has_no_collision;
  srs_texts packages;
} srs_loading;

/// The lines for a subcommand's table of options.
// clang-format off
#define SRS_LOADING_OPTIONS(loading)                                                                                  \
  {"base", "fixed|floating", "how a robot file's root is attached (default fixed)", .text = &(loading).base},               \
  {"package", "NAME=DIR", "folder of package://NAME/; may be given several times", .texts = &(loading).packages},      \
  {"no-collision", NULL, "shapes of robot files are drawn only, their meshes may be missing",                           \
   .flag = &(loading).has_no_collision},                                                                                \
  {"density", "KG/M3", "mass of links without inertial from their shapes", .text = &(loading).density},                 \
  {"strict", NULL, "treat warnings about the file as errors", .flag = &(loading).is_strict},                               \
  {"allow-impossible-inertia", NULL, "warn of moments of inertia that no body can have",                                   \
   .flag = &(loading).allows_impossible_inertia}
// clang-format on

/// Takes memory for as many packages as argc arguments may name.  @return SRS_EXIT_OK or SRS_EXIT_FAILED, reported
int srs_loading_create(srs_loading *loading, int argc);
void srs_loading_destroy(srs_loading *loading);

/// Reads the scene, or the robot file as a scene of that model alone.
/// @return SRS_EXIT_OK, SRS_EXIT_USAGE or SRS_EXIT_FAILED, reported
int srs_loading_open(const srs_command *command, const srs_loading *loading, const char *path, srs_scene **scene);

/// Reports the model's warnings.
void srs_loading_warn(const srs_command *command, const srs_model *model);

/// "fixed", "floating", or "mixed": whether the trees' roots hang on free joints.
const char *srs_loading_base(const srs_model *model);
