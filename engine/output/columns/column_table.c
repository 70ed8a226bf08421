// Which groups of columns can a trajectory have, and which option asks for each?
#include "engine/output/columns/column_table.h"

#include <stddef.h>

#define OPTION(name) #name, offsetof(srs_trajectory_options, name)

const srs_column_source srs_column_sources[SRS_COLUMN_SOURCES] = {
    {NULL, 0, srs_state_columns_make, srs_state_columns_fill, NULL, NULL, false},
    {OPTION(torques), srs_torque_columns_make, srs_torque_columns_fill, NULL, NULL, false},
    {OPTION(accelerations), srs_acceleration_columns_make, srs_acceleration_columns_fill, NULL, NULL, false},
    {OPTION(energies), srs_energy_columns_make, srs_energy_columns_fill, NULL, NULL, false},
    {OPTION(contacts), srs_contact_columns_make, srs_contact_columns_fill, "contact_columns", srs_contact_columns_note,
     false},
    {OPTION(body_contacts), srs_body_contact_columns_make, srs_body_contact_columns_fill, "contact_columns",
     srs_body_contact_columns_note, false},
    {OPTION(loops), srs_loop_columns_make, srs_loop_columns_fill, NULL, NULL, false},
    {OPTION(efforts), srs_row_columns_make, srs_row_columns_fill, NULL, NULL, false},
    {OPTION(wrenches), srs_wrench_columns_make, srs_wrench_columns_fill, NULL, NULL, true},
    {OPTION(poses), srs_pose_columns_make, srs_pose_columns_fill, NULL, NULL, false},
    {OPTION(twists), srs_twist_columns_make, srs_twist_columns_fill, NULL, NULL, false},
    {OPTION(sensors), srs_sensor_columns_make, srs_sensor_columns_fill, NULL, NULL, false},
};

bool *srs_column_option(const srs_column_source *source, srs_trajectory_options *options)
{
  return source->key != NULL ? (bool *)(void *)((char *)options + source->option) : NULL;
}

bool srs_has_columns(const srs_column_source *source, const srs_trajectory_options *options)
{
  return source->key == NULL || *(const bool *)(const void *)((const char *)options + source->option);
}
