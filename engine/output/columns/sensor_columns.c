// Sensor columns of a trajectory: what do the sensors of the sim show? `sensor:<name>`, or one for each number of a
// sensor that shows several.
#include "engine/output/columns/column_sources.h"
#include "topology/base/text.h"

#include <string.h>

// Of one number of a sensor.
static const char *unit_of(const srs_model *model, const srs_sensor_def *d, int k)
{
  const bool is_first = k < 3; // of six: turning before moving
  switch (d->kind) {
  case SRS_SENSOR_JOINT_POSITION: return srs_is_angle(model, d->coordinate) ? "rad" : "m";
  case SRS_SENSOR_JOINT_VELOCITY: return srs_model_v_unit(model, d->coordinate);
  case SRS_SENSOR_JOINT_EFFORT: return srs_force_unit(srs_is_angle(model, d->coordinate));
  case SRS_SENSOR_JOINT_ACCELERATION: return srs_is_angle(model, d->coordinate) ? "rad/s^2" : "m/s^2";
  case SRS_SENSOR_IMU: return is_first ? "rad/s" : "m/s^2";
  case SRS_SENSOR_POSE: return is_first ? "m" : "1";
  case SRS_SENSOR_TWIST: return is_first ? "rad/s" : "m/s";
  case SRS_SENSOR_ACCELERATION: return is_first ? "rad/s^2" : "m/s^2";
  case SRS_SENSOR_FORCE_TORQUE:
  case SRS_SENSOR_CONTACT: return srs_force_unit(is_first);
  case SRS_SENSOR_RANGE: return "m";
  }
  return "1";
}

// Along whose axes a sensor's numbers are; "" for one number.
static const char *axes_of(srs_arena *arena, const srs_model *model, const srs_sensor_def *d)
{
  if (srs_sensor_kind_size(d->kind) == 1) return "";
  if (d->kind == SRS_SENSOR_POSE || (d->kind != SRS_SENSOR_IMU && d->axes == SRS_AXES_WORLD)) return "world";
  return srs_text_join(arena, "frame ", srs_model_frame(model, d->frame)->name, "");
}

static bool add_sensor(srs_arena *arena, const srs_model *model, const srs_sensor_def *d, srs_columns *c)
{
  const int n = srs_sensor_kind_size(d->kind);
  const char *axes = axes_of(arena, model, d);
  bool is_good = axes != NULL;
  for (int k = 0; k < n && is_good; k++) {
    const char *ending = n > 1 ? srs_text_join(arena, ":", srs_sensor_component(d->kind, k), "") : "";
    is_good = ending != NULL && srs_columns_add(arena, c, "sensor:", d->name, ending, unit_of(model, d, k));
  }
  if (is_good) srs_columns_axes(c, n, axes);
  return is_good;
}

srs_status srs_sensor_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  int n = 0;
  if (c->sensors != NULL) (void)srs_sensors_values(c->sensors, &n);
  bool is_good = srs_columns_reserve(arena, c, (size_t)n, 0);
  for (int i = 0; i < srs_sensors_count(c->sensors) && is_good; i++)
    is_good = add_sensor(arena, srs_sim_model(sim), srs_sensors_def(c->sensors, i), c);
  return srs_columns_made(is_good, "sensors", error);
}

// Quaternions, of the two the one that is nearer to that of the row before.
static void take_quaternion(const double *now, double *value)
{
  double product = 0;
  for (int k = 0; k < 4; k++) product += now[k] * value[k];
  for (int k = 0; k < 4; k++) value[k] = product < 0 ? -now[k] : now[k];
}

srs_status srs_sensor_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)sim;
  if (c->n == 0) return SRS_OK;
  const srs_status status = srs_sensors_read(c->sensors, error);
  double *value = c->values;
  for (int i = 0; i < srs_sensors_count(c->sensors) && status == SRS_OK; i++) {
    const srs_sensor_kind kind = srs_sensors_def(c->sensors, i)->kind;
    const int n = srs_sensor_kind_size(kind), plain = kind == SRS_SENSOR_POSE ? 3 : n;
    const double *now = srs_sensors_value(c->sensors, i);
    memcpy(value, now, (size_t)plain * sizeof *value);
    if (plain < n) take_quaternion(now + plain, value + plain);
    value += n;
  }
  return status;
}
