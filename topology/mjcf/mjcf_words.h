// The words of MJCF: what is honoured, what has no effect on motion, what is not honoured. Internal.
#pragma once
#include "topology/mjcf_base/mjcf_common.h"

/// Reports, one line for each kind with how often it occurs, all that has an effect in MuJoCo and none here; and each
/// element and attribute that is no word of the format. Comes last.
srs_status srs_mjcf_name_unread(srs_mjcf *mjcf);
