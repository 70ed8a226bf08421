// Friction between shapes whose file says it.
//
// Of two materials of equal priority the larger of each friction and the larger number of dimensions hold; else those
// of the one with the higher priority.

#include "topology/model/file_settings.h"

#include <math.h>
#include <string.h>

const srs_file_material *srs_file_material_of(const srs_file_settings *settings, const char *name)
{
  for (int i = 0; name != NULL && name[0] != '\0' && i < settings->n_materials; i++)
    if (strcmp(settings->materials[i].name, name) == 0) return &settings->materials[i];
  return NULL;
}

double srs_file_own_friction(const srs_file_material *m) { return m->dimensions >= 3 ? m->friction : 0; }
double srs_file_own_torsional(const srs_file_material *m) { return m->dimensions >= 4 ? m->torsional : 0; }

double srs_file_own_rolling(const srs_file_material *m) { return m->dimensions >= 6 ? m->rolling : 0; }

double srs_file_torque_length(double friction, double torque) { return friction > 0 ? torque / friction : 0; }

bool srs_file_friction(const srs_file_material *a, const srs_file_material *b, srs_file_grip *grip)
{
  if (a == NULL || b == NULL) return false;
  const srs_file_material *alone = a->priority > b->priority ? a : b->priority > a->priority ? b : NULL;
  if (alone != NULL) a = b = alone;
  const int dimensions = a->dimensions > b->dimensions ? a->dimensions : b->dimensions;
  grip->friction = dimensions >= 3 ? fmax(a->friction, b->friction) : 0;
  grip->torsional = dimensions >= 4 ? fmax(a->torsional, b->torsional) : 0;
  grip->rolling = dimensions >= 6 ? fmax(a->rolling, b->rolling) : 0;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Copies
// ---------------------------------------------------------------------------------------------------------------------

srs_file_sensor srs_file_sensor_copy(srs_arena *arena, const srs_file_sensor *from)
{
  srs_file_sensor copy = *from;
  const char **texts[] = {&copy.name, &copy.kind, &copy.coordinate, &copy.frame, &copy.other};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) *texts[i] = srs_arena_copy(arena, *texts[i]);
  return copy;
}

bool srs_file_settings_copy(srs_arena *arena, const srs_file_settings *from, srs_file_settings *copy)
{
  *copy = *from;
  srs_file_material *materials = srs_arena_take(arena, (size_t)from->n_materials, sizeof *materials);
  srs_file_pair *pairs = srs_arena_take(arena, (size_t)from->n_pairs, sizeof *pairs);
  srs_file_actuator *actuators = srs_arena_take(arena, (size_t)from->n_actuators, sizeof *actuators);
  srs_file_wrench *wrenches = srs_arena_take(arena, (size_t)from->n_wrenches, sizeof *wrenches);
  srs_file_velocity *velocities = srs_arena_take(arena, (size_t)from->n_velocities, sizeof *velocities);
  srs_file_sensor *sensors = srs_arena_take(arena, (size_t)from->n_sensors, sizeof *sensors);
  if (arena->failed) return false;
  for (int i = 0; i < from->n_sensors; i++) sensors[i] = srs_file_sensor_copy(arena, &from->sensors[i]);
  for (int i = 0; i < from->n_materials; i++) {
    materials[i] = from->materials[i];
    materials[i].name = srs_arena_copy(arena, from->materials[i].name);
  }
  for (int i = 0; i < from->n_pairs; i++) {
    pairs[i] = from->pairs[i];
    pairs[i].a = srs_arena_copy(arena, from->pairs[i].a);
    pairs[i].b = srs_arena_copy(arena, from->pairs[i].b);
  }
  for (int i = 0; i < from->n_actuators; i++) {
    actuators[i] = from->actuators[i];
    actuators[i].name = srs_arena_copy(arena, from->actuators[i].name);
    actuators[i].coordinate = srs_arena_copy(arena, from->actuators[i].coordinate);
  }
  for (int i = 0; i < from->n_velocities; i++) {
    velocities[i] = from->velocities[i];
    velocities[i].joint = srs_arena_copy(arena, from->velocities[i].joint);
  }
  for (int i = 0; i < from->n_wrenches; i++) {
    wrenches[i] = from->wrenches[i];
    wrenches[i].frame = srs_arena_copy(arena, from->wrenches[i].frame);
  }
  copy->wrenches = wrenches, copy->sensors = sensors;
  copy->materials = materials, copy->pairs = pairs, copy->actuators = actuators, copy->velocities = velocities;
  return !arena->failed;
}
