// The builder: every definition added so far, with the place it came from. Internal.
#pragma once
#include "topology/base/arena.h"
#include "topology/base/errors.h"
#include "topology/base/names.h"
#include "topology/base/text.h"
#include "topology/model/file_settings.h"
#include <sarrus/topology.h>

typedef struct srs_builder_link {
  srs_link_def def;
  srs_place place;
  bool is_carriage;     // massless, between two joints of one body: neighbours are those beyond it
  bool meets_neighbour; // the body it hangs on may collide with it
  bool is_lenient;      // from a robot file: what it lacks or has wrong is told, and refused only where it matters
} srs_builder_link;

typedef struct srs_builder_joint {
  srs_joint_def def; // axes of unit length, rotation and reference quaternion clean
  double neutral[SRS_MAX_JOINT_NQ];
  srs_place place;
  const char *held_by; // of a joint that was cut (redundant_coordinates.c): the link that holds its child by a closure;
                       // else NULL
} srs_builder_joint;

typedef struct srs_builder_frame {
  const char *name, *link; // link NULL: the world
  srs_pose pose;
  srs_place place;
} srs_builder_frame;

typedef struct srs_builder_shape {
  srs_shape_def def;
  srs_place place;
  int robot; // from 1, 0: of none
  srs_self_collision self_collision;
  bool has_own_filter; // its file says itself what collides: SRS_SELF_COLLISION_AUTO adds nothing to that
} srs_builder_shape;

typedef struct srs_builder_excluded {
  const char *name[2]; // of links
  srs_place place;
} srs_builder_excluded;

typedef struct srs_builder_closure {
  srs_closure_def def; // axes of unit length, rotations clean
  srs_place place;
} srs_builder_closure;

typedef struct srs_builder_coupling {
  srs_coupling_def def;
  srs_place place;
} srs_builder_coupling;

typedef struct srs_builder_warning {
  const char *text; // without the place
  srs_place place;
  bool is_note; // nothing that strict refuses
} srs_builder_warning;

struct srs_builder {
  srs_builder_link *links;         // n_links
  srs_builder_joint *joints;       // n_joints
  srs_builder_frame *frames;       // n_frames
  srs_builder_shape *shapes;       // n_shapes
  srs_builder_closure *closures;   // n_closures
  srs_builder_coupling *couplings; // n_couplings
  srs_builder_warning *warnings;   // n_warnings
  srs_builder_excluded *excluded;  // n_excluded
  int n_links, n_joints, n_frames, n_shapes, n_closures, n_couplings, n_warnings, n_excluded;
  int link_room, joint_room, frame_room, shape_room, closure_room, coupling_room, warning_room, excluded_room;
  int n_settled; // shapes before this one are of a robot, or of none for good
  srs_names link_names, joint_names, frame_names;
  srs_names loop_names; // of closures and couplings, numbered as they came
  srs_file_settings file;
  srs_place place;     // of what is added now
  bool is_lenient;     // likewise
  srs_error obstacle;  // why no simulation can be made of the model; status SRS_OK for none
  srs_read_files read; // what was read for it
  srs_arena texts;     // every name, path and warning, and `read`
};

/// Whether a joint of that name was added already.
bool srs_builder_has_joint(const srs_builder *builder, const char *name);

/// Where a joint that was added stands in the model's neutral configuration, in place of zero (quaternion 1 0 0 0).
/// Quaternions are normalised.  @param q  nq numbers, nq that of the joint's kind
/// @return SRS_OK, SRS_ERROR_ARGUMENT (also a quaternion of length zero), _NOT_FINITE, _NAME or _MEMORY
srs_status srs_builder_set_neutral(srs_builder *builder, const char *joint, const double *q, int nq);

/// Joins a base link to the world: welded at the placement, or on a free joint that starts there and is named
/// `<prefix>root`, or `<prefix>root_1`, … where that is taken. Allocates.
srs_status srs_builder_attach_base(srs_builder *builder, const char *link, srs_base_kind base,
                                   const srs_pose *placement, const char *prefix, srs_error *error);

/// Makes one robot of the shapes on links from the given one on, whatever robots they were of.
void srs_builder_set_robot(srs_builder *builder, int first_shape, srs_self_collision self_collision);
/// Whether links that are added from now on are those of a robot file. Their moments may be none that a body has (a
/// warning, with the nearest ones that a body may have), and moving links may lack inertia: the model is then built for
/// kinematics, and no simulation can be made of it.
void srs_builder_be_lenient(srs_builder *builder, bool is_lenient);

/// Notes at the current location why no simulation can be made of the model; the first reason counts. printf-like.
void srs_builder_obstruct(srs_builder *builder, srs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// How much a builder holds. A reader takes the mark first and rolls back when it fails half-way, so that a failed
/// call leaves the builder as it was (the current location included).
typedef struct srs_builder_mark {
  int n_links, n_joints, n_frames, n_shapes, n_closures, n_couplings, n_warnings, n_excluded, n_settled;
  srs_place place;
  srs_file_settings file;
  bool is_obstructed;
} srs_builder_mark;

srs_builder_mark srs_builder_take_mark(const srs_builder *builder);
void srs_builder_roll_back(srs_builder *builder, srs_builder_mark mark);
