// The same mechanism in redundant coordinates. Internal.
#pragma once
#include "topology/builder/builder.h"

/// The same mechanism with every joint cut: adds to an empty builder all that `builder` has, the child of each joint on
/// a free joint of its own (named as the link, or `<link>_1`, …, all starting at the world's origin), and a closure of
/// the joint's name that holds it as the joint did. Fixed joints stay, and free ones on the world. Refused by
/// name: what no closure can do (helical joints, universal ones with axes that are not at right angles, springs,
/// dampers, limits, friction, rotors; couplings of coordinates).
/// @return SRS_OK, SRS_ERROR_UNSUPPORTED, or what adding returns
srs_status srs_builder_cut_joints(const srs_builder *builder, srs_builder *cut, srs_error *error);
