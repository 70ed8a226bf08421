// Which columns does the command line ask for, besides those of the scene?
#pragma once
#include "engine/cli/shared/options.h"
#include <sarrus/scene.h>

/// Options as they were typed, and the memory of a list.
typedef struct srs_column_request {
  const char *list; // of --columns
  bool torques, accelerations, energies, contacts, body_contacts, loops, efforts, wrenches, frames, sensors;
  const char **patterns; // of the list
  char *text;
} srs_column_request;

// clang-format off
#define SRS_COLUMN_OPTIONS(r)                                                                                          \
  {"columns", "LIST", "names and patterns of columns in place of q and v: 'q:*,contact:foot*'", .text = &(r).list},    \
  {"torques", NULL, "add columns of applied torques", .flag = &(r).torques},                                           \
  {"accelerations", NULL, "add columns of accelerations", .flag = &(r).accelerations},                                 \
  {"energies", NULL, "add columns of energies and their balance", .flag = &(r).energies},                              \
  {"contacts", NULL, "add columns of contacts and their forces", .flag = &(r).contacts},                               \
  {"body-contacts", NULL, "the same by pairs of links, of those that touched", .flag = &(r).body_contacts},            \
  {"loops", NULL, "add columns of loops: gaps and coordinates", .flag = &(r).loops},                                   \
  {"efforts", NULL, "add columns of efforts of actuators, limits and dry friction", .flag = &(r).efforts},             \
  {"wrenches", NULL, "add columns of what joints and closures carry", .flag = &(r).wrenches},                          \
  {"frames", NULL, "add columns of poses and twists of all frames", .flag = &(r).frames},                       \
  {"sensors", NULL, "with --columns, add those of the scene's sensors; else they are there", .flag = &(r).sensors}
// clang-format on

/// The name of the first option given, NULL: none.
const char *srs_column_request_name(const srs_column_request *request);

/// Adds what is asked for to the options of a trajectory of the sim. Where contacts of more pairs of shapes are asked
/// for than there are columns for, they go by links, with a note.
/// @param shows  the run is shown: its coordinates are needed, and contacts where there can be columns
/// @return SRS_EXIT_OK, SRS_EXIT_USAGE or SRS_EXIT_FAILED, reported
int srs_column_request_apply(const srs_command *command, srs_column_request *request, srs_sim *sim, bool shows,
                             srs_trajectory_options *options);

void srs_column_request_free(srs_column_request *request);
