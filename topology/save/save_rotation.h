// Roll, pitch and yaw that give a rotation back to the bit. Internal.
#pragma once
#include <stdbool.h>

/// Angles of a rotation (rows first), as srs_rotation_from_rpy takes them; decimals of few digits where they do.
/// @param rpy  out: rad; where no angles give every bit, those that come nearest
/// @return whether srs_rotation_from_rpy(rpy) is the rotation to the bit
bool srs_save_rpy(const double rotation[9], double rpy[3]);
