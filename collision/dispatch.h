// Which function finds how two kinds of solids meet? Internal.
#pragma once
#include "collision/members.h"

/// Whether the kinds can meet in this version.
bool srs_kinds_meet(srs_shape_kind a, srs_shape_kind b);

/// The nodes with gap <= margin between members i < j, as the public header has them.
/// @param scratch   of the pair functions
/// @param contacts  room for `capacity`; more are counted, not written
/// @return how many there are
int srs_members_meet(const srs_members *members, srs_gjk *scratch, int i, int j, double margin, srs_contact *contacts,
                     int capacity);
