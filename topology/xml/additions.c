// Adds materials, pairs, actuators, sensors and velocities of a robot file to a builder.
//
// Lists grow by copying into the builder's arena, so that a mark still sees the list as it was when it was taken.

#include "topology/xml/additions.h"

#include <string.h>

void srs_builder_set_neighbour(srs_builder *builder, const char *link, bool is_carriage, bool meets_neighbour)
{
  const int index = srs_names_find(&builder->link_names, link);
  if (index < 0) return;
  builder->links[index].is_carriage = is_carriage;
  builder->links[index].meets_neighbour = meets_neighbour;
}

void srs_builder_set_own_filter(srs_builder *builder, int first_shape)
{
  for (int i = first_shape; i < builder->n_shapes; i++) builder->shapes[i].has_own_filter = true;
}

// Where texts and lists are copied to; what failed in it before is forgotten.
static srs_arena *fresh_texts(srs_builder *builder)
{
  builder->texts.failed = false;
  return &builder->texts;
}

// The list with one more item in it, which counts from then on; NULL when that, or a text of the item, had no room.
static const void *longer(srs_builder *builder, const void *items, int *n, const void *item, size_t size)
{
  const int before = *n;
  const int room = before > 0 && (before & (before - 1)) != 0 ? 0 : 2 * before + 1; // full at none and powers of two
  char *list = room > 0 ? srs_arena_take(&builder->texts, (size_t)room, size) : (char *)items;
  if (builder->texts.failed) return NULL;
  if (room > 0 && before > 0) memcpy(list, items, (size_t)before * size);
  memcpy(list + (size_t)before * size, item, size);
  (*n)++;
  return list;
}

srs_status srs_builder_add_material(srs_builder *builder, const srs_file_material *material)
{
  srs_arena *texts = fresh_texts(builder);
  srs_file_material copy = *material;
  copy.name = srs_arena_copy(texts, material->name);
  const srs_file_material *list =
      longer(builder, builder->file.materials, &builder->file.n_materials, &copy, sizeof copy);
  if (list == NULL) return SRS_ERROR_MEMORY;
  builder->file.materials = list;
  return SRS_OK;
}

srs_status srs_builder_add_pair(srs_builder *builder, const srs_file_pair *pair)
{
  srs_arena *texts = fresh_texts(builder);
  srs_file_pair copy = *pair;
  copy.a = srs_arena_copy(texts, pair->a);
  copy.b = srs_arena_copy(texts, pair->b);
  const srs_file_pair *list = longer(builder, builder->file.pairs, &builder->file.n_pairs, &copy, sizeof copy);
  if (list == NULL) return SRS_ERROR_MEMORY;
  builder->file.pairs = list;
  return SRS_OK;
}

srs_status srs_builder_add_actuator(srs_builder *builder, const srs_file_actuator *actuator)
{
  srs_arena *texts = fresh_texts(builder);
  srs_file_actuator copy = *actuator;
  copy.name = srs_arena_copy(texts, actuator->name);
  copy.coordinate = srs_arena_copy(texts, actuator->coordinate);
  const srs_file_actuator *list =
      longer(builder, builder->file.actuators, &builder->file.n_actuators, &copy, sizeof copy);
  if (list == NULL) return SRS_ERROR_MEMORY;
  builder->file.actuators = list;
  return SRS_OK;
}

srs_status srs_builder_add_velocity(srs_builder *builder, const srs_file_velocity *velocity)
{
  srs_arena *texts = fresh_texts(builder);
  srs_file_velocity copy = *velocity;
  copy.joint = srs_arena_copy(texts, velocity->joint);
  const srs_file_velocity *list =
      longer(builder, builder->file.velocities, &builder->file.n_velocities, &copy, sizeof copy);
  if (list == NULL) return SRS_ERROR_MEMORY;
  builder->file.velocities = list;
  return SRS_OK;
}

srs_status srs_builder_add_wrench(srs_builder *builder, const srs_file_wrench *wrench)
{
  srs_arena *texts = fresh_texts(builder);
  srs_file_wrench copy = *wrench;
  copy.frame = srs_arena_copy(texts, wrench->frame);
  const srs_file_wrench *list = longer(builder, builder->file.wrenches, &builder->file.n_wrenches, &copy, sizeof copy);
  if (list == NULL) return SRS_ERROR_MEMORY;
  builder->file.wrenches = list;
  return SRS_OK;
}

srs_status srs_builder_add_sensor(srs_builder *builder, const srs_file_sensor *sensor)
{
  const srs_file_sensor copy = srs_file_sensor_copy(fresh_texts(builder), sensor);
  const srs_file_sensor *list = longer(builder, builder->file.sensors, &builder->file.n_sensors, &copy, sizeof copy);
  if (list == NULL) return SRS_ERROR_MEMORY;
  builder->file.sensors = list;
  return SRS_OK;
}
