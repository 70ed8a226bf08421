// A scene at several times: what there is to see of it, in view coordinates.
#pragma once
#include "tools/pictures/sketch.h"
#include <sarrus/engine.h>

/// Owners of solids that are no link's: else the link's index. Rods, and the ways of slides, are closures'.
enum { STAGE_WORLD = -1, STAGE_CLOSURE = -2 };

typedef enum stage_dot_kind {
  STAGE_PIVOT, // a joint on the ground, where nothing else is drawn of the ground
  STAGE_JOINT,
  STAGE_LOOP, // an end of a closure
} stage_dot_kind;

typedef struct stage_dot {
  stage_dot_kind kind;
  double at[3];
} stage_dot;

/// A contact that acted in the last step.
typedef struct stage_contact {
  double at[3];        // halfway between the nearest points
  double direction[3]; // unit: of its normal, toward the body (one of two that move)
} stage_contact;

typedef struct stage_terrain {
  int shape;
  srs_pose pose;
} stage_terrain;

/// What is there at one time.
typedef struct stage_frame {
  double time;
  sketch solids;
  stage_dot *dots; // n_dots
  int n_dots;
  sketch_plane *planes; // n_planes
  int n_planes;
  stage_terrain *terrains; // n_terrains
  int n_terrains;
  stage_contact *contacts; // n_contacts
  int n_contacts;
  int trace_length; // points of each trace so far
} stage_frame;

typedef struct stage {
  srs_scene *scene;
  const srs_model *model;
  stage_frame *frames; // n_frames
  int n_frames;
  double *traces; // n_traces x trace_capacity x 3
  int n_traces, trace_capacity;
} stage;

typedef struct stage_options {
  sketch_view view;
  const double *times; // n_times, s, rising
  int n_times;
  const char *const *traces; // n_traces: names of frames whose paths are kept
  int n_traces;
  bool contacts; // keeps those that acted. Default false
} stage_options;

/// Runs a scene and keeps what is to be seen at each of the times (of the step that begins nearest). Allocates.
/// @param scene  a file
/// @return SRS_OK, or what loading and stepping return; SRS_ERROR_NAME for a trace of a frame that does not exist
srs_status stage_play(const char *scene, const stage_options *options, stage *s, srs_error *error);
void stage_destroy(stage *s);

/// Bounds of all solids at all times, and of traces.  @param low, high  3, out
/// @return false where there is nothing
bool stage_bounds(const stage *s, double low[3], double high[3]);

/// Adds what is seen of a model at a state to an empty frame.  @param workspace  after srs_forward_kinematics
/// @return false when memory is short
bool stage_gather(srs_workspace *workspace, const sketch_view *view, stage_frame *frame);
