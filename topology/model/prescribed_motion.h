// Copies and checks of prescribed motions. Internal; srs_motion_at is public.
#pragma once
#include "topology/base/arena.h"
#include "topology/base/errors.h"
#include <sarrus/topology.h>

/// The motion with its table in the arena, which then says whether there was room.
srs_motion srs_motion_copy(srs_arena *arena, const srs_motion *motion);

/// @param title, name  of the closure or coupling that moves, for messages
srs_status srs_check_motion(const srs_motion *motion, const char *title, const char *name, srs_place place,
                            srs_error *error);
