// What a robot file says beyond the mechanism: friction of its shapes, pairs that touch or do not, actuators, gravity
// and step, velocities at the start. A model carries it for the engine; formats without it leave it empty. Internal.
#pragma once
#include "topology/base/arena.h"

/// Friction of shapes that name it as their material. Which of its kinds act where two meet is the larger `dimensions`.
typedef struct srs_file_material {
  const char *name;
  double friction;  // 0: none
  double torsional; // m: the torque about the normal is bounded by this times the normal force; 0: none
  double rolling;   // m: likewise the torque about axes across the normal
  int dimensions;   // 1: no friction, 3: sliding, 4: torsion too, 6: rolling too; the numbers are its own all the same
  int priority;     // of two shapes the one with the higher decides alone; of equals the larger value of each
} srs_file_material;

/// What acts where two shapes meet: as in srs_file_material, what their dimensions leave out being 0.
typedef struct srs_file_grip {
  double friction, torsional, rolling;
} srs_file_grip;

/// A pair of shapes or links, by name.
typedef struct srs_file_pair {
  const char *a, *b;
  bool touches;      // always, whatever else filters; else never
  bool has_friction; // then this holds
  srs_file_grip grip;
} srs_file_pair;

/// An actuator of one coordinate, with its input as at the start. Torque and gains are the actuator's own.
typedef struct srs_file_actuator {
  const char *name;       // "" for none
  const char *coordinate; // of v, or a closure whose coordinate it drives
  bool is_of_closure;
  double gear, torque, position, velocity, kp, kd;
} srs_file_actuator;

/// A sensor by its words and names, as an entry of a scene's `sensors`. Absent: "" and 0.
typedef struct srs_file_sensor {
  const char *name, *kind; // kind: "joint-position", …, known to the engine
  const char *coordinate;  // of v
  const char *frame;       // or of a link
  const char *other;       // a link that a contact must be with, "world"
  bool is_in_world;        // its axes
  double range;            // m
} srs_file_sensor;

/// A constant wrench on a frame, [torque; force] along its axes. Several on one frame add.
typedef struct srs_file_wrench {
  const char *frame;
  double wrench[6]; // N m, N
} srs_file_wrench;

/// Velocities of a joint at the start.
typedef struct srs_file_velocity {
  const char *joint;
  int nv;
  double v[6];
} srs_file_velocity;

typedef struct srs_file_settings {
  const srs_file_material *materials;
  const srs_file_pair *pairs;
  const srs_file_actuator *actuators;
  const srs_file_velocity *velocities;
  const srs_file_wrench *wrenches;
  const srs_file_sensor *sensors;
  int n_materials, n_pairs, n_actuators, n_velocities, n_wrenches, n_sensors;
  bool has_gravity, has_step, has_integrator; // the last file that says so counts
  double gravity[3];                          // m/s^2
  double step;                                // s
  int integrator;                             // 0: semi-implicit Euler, 1: RK4, 2: implicit
} srs_file_settings;

/// What acts between two shapes of the same material.
double srs_file_own_friction(const srs_file_material *material);
double srs_file_own_torsional(const srs_file_material *material);
double srs_file_own_rolling(const srs_file_material *material);

/// What bounds a torque, over the friction's force: the length that the engine's settings have.
double srs_file_torque_length(double friction, double torque); // m

/// The friction between two shapes of which at least one names a material of the file: `a` and `b` are NULL for none.
/// @return false: the simulation's own rules hold
bool srs_file_friction(const srs_file_material *a, const srs_file_material *b, srs_file_grip *grip);

const srs_file_material *srs_file_material_of(const srs_file_settings *settings, const char *name); // NULL for none

/// Copies into the arena.  @return false when out of memory
bool srs_file_settings_copy(srs_arena *arena, const srs_file_settings *settings, srs_file_settings *copy);

srs_file_sensor srs_file_sensor_copy(srs_arena *arena, const srs_file_sensor *sensor); // texts too
