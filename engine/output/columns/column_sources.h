// The sources of columns: for each, a function that names its columns and one that fills their values. Internal.
//
// Names are made once, in the arena, which keeps all that the columns need; filling allocates nothing.
#pragma once
#include "engine/output/columns/columns.h"

enum { SRS_COLUMN_SOURCES = 12 }; // rows of the table

/// Names the columns.  @return SRS_OK, SRS_ERROR_MEMORY, or SRS_ERROR_CAPACITY where there would be too many
typedef srs_status (*srs_columns_make)(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);

/// Fills the values: of the sim's present state, or of what acted in its last step, zero where there was none.
typedef srs_status (*srs_columns_fill)(srs_columns *columns, srs_sim *sim, srs_error *error);

/// state_columns.c: `time`, `q:`, `v:`; `a:`, mean accelerations of the step; `tau:`; `energy:`.
srs_status srs_state_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_state_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);
srs_status srs_torque_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_torque_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);
srs_status srs_acceleration_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_acceleration_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);
srs_status srs_energy_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_energy_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);

/// contact_columns.c: `contact:`, for at most so many pairs of shapes. The note is for readers of the file.
enum { SRS_CONTACT_COLUMN_PAIRS = 200 };
extern const char srs_contact_columns_note[];
srs_status srs_contact_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_contact_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);

/// The columns of all contacts together, the first of both groups.  @return false when out of memory
enum { SRS_CONTACT_SUMMARY = 4 };
bool srs_contact_summary_name(srs_arena *arena, srs_columns *columns);
void srs_contact_summary_fill(srs_sim *sim, double values[SRS_CONTACT_SUMMARY]);

/// body_contact_columns.c: `contact:` for pairs of links, of at most so many that may touch; those that never do are
/// taken out of the file when it is closed.
enum { SRS_BODY_CONTACT_PAIRS = 2000 };
extern const char srs_body_contact_columns_note[];
srs_status srs_body_contact_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_body_contact_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);

/// loop_columns.c: gaps, speeds, angles and travels of `loop:`. Angles continue from those of the row before, by as
/// many turns as the mean of the two rates says.
srs_status srs_loop_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_loop_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);

/// row_columns.c: `effort:`, `limit:`, `friction:`.
srs_status srs_row_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_row_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);

/// wrench_columns.c: `wrench:`, and wrenches of `loop:`.
srs_status srs_wrench_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_wrench_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);

/// pose_columns.c: `pose:`; `twist:`.
srs_status srs_pose_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_pose_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);
srs_status srs_twist_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_twist_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);

/// sensor_columns.c: `sensor:`.
srs_status srs_sensor_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *columns, srs_error *error);
srs_status srs_sensor_columns_fill(srs_columns *columns, srs_sim *sim, srs_error *error);
