// What a robot file says beyond the mechanism, added to a builder. Internal.
#pragma once
#include "topology/builder/builder.h"

/// How a link that was added takes part in the rule that neighbours do not collide (srs_builder_link).
void srs_builder_set_neighbour(srs_builder *builder, const char *link, bool is_carriage, bool meets_neighbour);

/// Says that the shapes from that one on come from a file that says itself what collides.
void srs_builder_set_own_filter(srs_builder *builder, int first_shape);

/// Adds to what the file says beyond the mechanism. Texts and numbers are copied.  @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_builder_add_material(srs_builder *builder, const srs_file_material *material);
srs_status srs_builder_add_pair(srs_builder *builder, const srs_file_pair *pair);
srs_status srs_builder_add_actuator(srs_builder *builder, const srs_file_actuator *actuator);
srs_status srs_builder_add_wrench(srs_builder *builder, const srs_file_wrench *wrench);
srs_status srs_builder_add_velocity(srs_builder *builder, const srs_file_velocity *velocity);
srs_status srs_builder_add_sensor(srs_builder *builder, const srs_file_sensor *sensor);
