// What a builder holds. Internal.
#pragma once
#include "topology/base/arena.h"
#include "topology/base/errors.h"
#include "topology/base/names.h"

typedef struct srs_builder_link {
  srs_link_def def;
  srs_place place;
} srs_builder_link;

typedef struct srs_builder_joint {
  srs_joint_def def; // axes of unit length, rotation and reference quaternion clean
  double neutral[SRS_MAX_JOINT_NQ];
  srs_place place;
  const char *held_by; // of a joint that was cut (redundant.c): the link that holds its child by a closure; else NULL
} srs_builder_joint;

typedef struct srs_builder_frame {
  const char *name, *link; // link NULL: the world
  srs_pose pose;
  srs_place place;
} srs_builder_frame;

typedef struct srs_builder_shape {
  srs_shape_def def;
  srs_place place;
} srs_builder_shape;

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
  int n_links, n_joints, n_frames, n_shapes, n_closures, n_couplings, n_warnings;
  int link_room, joint_room, frame_room, shape_room, closure_room, coupling_room, warning_room;
  srs_names link_names, joint_names, frame_names;
  srs_names loop_names; // of closures and couplings, numbered as they came
  srs_place place;      // of what is added now
  srs_arena texts;      // every name, path and warning
};

/// Check one definition by itself; what they clean (unit axes, exact rotations, unit quaternions) is written back.
srs_status srs_check_link(srs_link_def *def, srs_place place, srs_error *error);
srs_status srs_check_joint(srs_joint_def *def, srs_place place, srs_error *error);
srs_status srs_check_shape(srs_shape_def *def, srs_place place, srs_error *error);
srs_status srs_check_closure(srs_closure_def *def, srs_place place, srs_error *error);
srs_status srs_check_coupling(const srs_coupling_def *def, srs_place place, srs_error *error);
srs_status srs_check_motion(const srs_motion *motion, const char *title, const char *name, srs_place place,
                            srs_error *error);
/// Unit length, exactly where the axis is a coordinate axis. @return false, untouched, when it is shorter than 1e-9
bool srs_clean_axis(double axis[3]);

/// Copies the arrays that the shape's kind has into the arena, which then says whether there was room; the rest of
/// `copy` is left alone, but for the arrays that the kind has not: they become none.
void srs_shape_copy_arrays(srs_arena *arena, const srs_shape_def *def, srs_shape_def *copy);

/// The motion with its table in the arena, which then says whether there was room.
srs_motion srs_motion_copy(srs_arena *arena, const srs_motion *motion);

/// The same mechanism with every joint cut: adds to an empty builder all that `builder` has, the child of each joint on
/// a free joint of its own (named as the link, or `<link>_1`, …, all starting at the world's origin), and a closure of
/// the joint's name that holds it as the joint did. Fixed joints stay, and free ones that hang on the world. Refused by
/// name: what no closure can do (helical joints, universal ones with axes that are not at right angles, springs,
/// dampers, limits, friction, rotors; couplings of coordinates).
/// @return SRS_OK, SRS_ERROR_UNSUPPORTED, or what adding returns
srs_status srs_builder_cut_joints(const srs_builder *builder, srs_builder *cut, srs_error *error);
