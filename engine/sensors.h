/// Sensors: what instruments on a mechanism would show, as numbers of the last step.
///
/// Forces and accelerations are those of the step, with contacts, limits, friction, loops and impacts in them: means
/// over dt, where the step took its matrices (at its start; for midpoint schemes in its middle), so that each body's
/// mass times its acceleration is the sum of its forces to rounding. Poses and velocities are those of the present
/// state. Before the first step, and after srs_sim_set_state and srs_sim_reset, forces and accelerations are zero.
/// Under rk4, whose four stages have no forces of one step, they are those of the present state, at any time.
#pragma once
#include <sarrus/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum srs_sensor_kind {
  SRS_SENSOR_JOINT_POSITION, // 1: of `coordinate`, rad or m; not of those of a quaternion
  SRS_SENSOR_JOINT_VELOCITY, // 1: rad/s or m/s
  SRS_SENSOR_JOINT_EFFORT,   // 1: of its actuator (srs_sim_actuator_effort; under rk4 of the present state), N m or N
  SRS_SENSOR_JOINT_ACCELERATION, // 1: rad/s^2 or m/s^2
  SRS_SENSOR_IMU,                // 6: angular velocity, rad/s; proper acceleration (that minus gravity) of the frame's
                                 // origin, m/s^2: both in the frame's axes
  SRS_SENSOR_POSE,               // 7: x y z, qw qx qy qz of the frame in the world
  SRS_SENSOR_TWIST,              // 6: angular and linear velocity of the frame, in `axes`
  SRS_SENSOR_ACCELERATION,       // 6: angular and linear, classical, in `axes`
  SRS_SENSOR_FORCE_TORQUE, // 6: torque and force that the parent exerts on the link of `frame` through its joint, about
                           // the frame's origin, in `axes`; fixed joints too, lumped or not (srs_sim_joint_wrench)
  SRS_SENSOR_CONTACT,      // 6: torque and force of the contacts on the link of `frame`, about the frame's origin, in
                           // `axes`; with `other`, of those with that link alone
  SRS_SENSOR_RANGE,        // 1: how far the frame's z axis goes until it meets a shape of another link, m; at most
                           // `range`, which it shows where there is none
} srs_sensor_kind;

enum { SRS_SENSOR_KINDS = SRS_SENSOR_RANGE + 1 };

/// "joint-position", "joint-velocity", "joint-effort", "joint-acceleration", "imu", "pose", "twist", "acceleration",
/// "force-torque", "contact", "range"
const char *srs_sensor_kind_name(srs_sensor_kind kind);

/// How many numbers a kind shows, and the name of each: "ax"; "" where there is one alone.
int srs_sensor_kind_size(srs_sensor_kind kind);
const char *srs_sensor_component(srs_sensor_kind kind, int component);

typedef struct srs_sensor_def {
  srs_sensor_kind kind;
  const char *name; // unique among the sensors
  int coordinate;   // of joints: index in v
  int frame;        // of the others; force-torque and contact: a link of the file, or a frame on one
  int other;        // contact: a link's frame, SRS_SENSOR_WORLD, or SRS_SENSOR_ANY. Default that
  srs_axes axes;    // default SRS_AXES_LOCAL
  double range;     // m, > 0. Default 10
} srs_sensor_def;

enum { SRS_SENSOR_WORLD = -1, SRS_SENSOR_ANY = -2 };

srs_sensor_def srs_default_sensor_def(srs_sensor_kind kind, const char *name);

typedef struct srs_sensors srs_sensors;

/// Puts sensors on a sim. Allocates.
/// @param sim      must outlive the sensors
/// @param defs     n; copied, names too
/// @param sensors  out, freed by srs_sensors_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_ARGUMENT (the error names the sensor), _UNSUPPORTED (a range where nothing collides),
///         _MEMORY
srs_status srs_sensors_create(srs_sim *sim, const srs_sensor_def *defs, int n, srs_sensors **sensors, srs_error *error);
void srs_sensors_destroy(srs_sensors *sensors);

/// Reads all sensors after a step. Allocates nothing; O(links + contacts).
/// @return SRS_OK, or what the sim returns (srs_sim_joint_wrench, srs_collider_cast_ray); the values are undefined then
srs_status srs_sensors_read(srs_sensors *sensors, srs_error *error);

int srs_sensors_count(const srs_sensors *sensors);
const srs_sensor_def *srs_sensors_def(const srs_sensors *sensors, int sensor); // a view; NULL out of range
int srs_sensors_find(const srs_sensors *sensors, const char *name);            // -1 for none; O(n)

/// The numbers of a sensor, as last read: srs_sensor_kind_size of them, a view that the next reading changes.
const double *srs_sensors_value(const srs_sensors *sensors, int sensor);

/// All numbers one after the other.  @param n  out
const double *srs_sensors_values(const srs_sensors *sensors, int *n);

#ifdef __cplusplus
}
#endif
