// Walks of <sarrus/linearisation.h>, parameters.h, sensors.h, control_loop.h and rollout.h, on a sim of the boxes.
#pragma once
#include "allocation/every/walk.h"
#include <sarrus/control_loop.h>

static const srs_parameter box_parameters[2] = {{SRS_PARAMETER_MASS, 0, 0}, {SRS_PARAMETER_FRICTION, 0, 0}};

static srs_status walk_srs_linearisation_create(fixture *f, srs_error *error)
{
  srs_linearisation *l = NULL;
  const srs_status status = srs_linearisation_create(f->loose, &l, error);
  assert_true((status == SRS_OK) == (l != NULL));
  srs_linearisation_destroy(l);
  return status;
}

static srs_status walk_srs_linearisation_set_parameters(fixture *f, srs_error *error)
{
  srs_linearisation *l = NULL;
  WITH_MEMORY(assert_int_equal(srs_linearisation_create(f->loose, &l, NULL), SRS_OK));
  const srs_status status = srs_linearisation_set_parameters(l, box_parameters, 2, error);
  srs_linearisation_destroy(l);
  return status;
}

static srs_status walk_srs_sensors_create(fixture *f, srs_error *error)
{
  srs_sensors *s = NULL;
  const srs_sensor_def imu = srs_default_sensor_def(SRS_SENSOR_IMU, "imu");
  const srs_status status = srs_sensors_create(f->loose, &imu, 1, &s, error);
  assert_true((status == SRS_OK) == (s != NULL));
  srs_sensors_destroy(s);
  return status;
}

static srs_status walk_srs_control_loop_create(fixture *f, srs_error *error)
{
  srs_control_loop *loop = NULL;
  const srs_status status = srs_control_loop_create(f->loose, NULL, &loop, error);
  assert_true((status == SRS_OK) == (loop != NULL));
  srs_control_loop_destroy(loop);
  return status;
}

static srs_status walk_srs_rollout_create(fixture *f, srs_error *error)
{
  srs_rollout *r = NULL;
  const srs_status status = srs_rollout_create(f->loose, 2, &r, error);
  assert_true((status == SRS_OK) == (r != NULL));
  srs_rollout_destroy(r);
  return status;
}

// Of a chain without loops.
static srs_status walk_srs_rollout_use_lanes(fixture *f, srs_error *error)
{
  (void)f;
  const srs_joint_kind hinge = SRS_JOINT_REVOLUTE;
  testing_random random = testing_random_start(3);
  srs_model *model = NULL;
  srs_sim *sim = NULL;
  srs_rollout *r = NULL;
  WITH_MEMORY(model = testing_random_model(&random, 3, &hinge, 1, 1));
  WITH_MEMORY(assert_int_equal(srs_sim_create(model, NULL, &sim, NULL), SRS_OK));
  WITH_MEMORY(assert_int_equal(srs_rollout_create(sim, 2, &r, NULL), SRS_OK));
  const srs_status status = srs_rollout_use_lanes(r, error);
  srs_rollout_destroy(r);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  return status;
}

static const walk control_walks[] = {
    WALK(srs_linearisation_create), WALK(srs_linearisation_set_parameters),
    WALK(srs_sensors_create),       WALK(srs_control_loop_create),
    WALK(srs_rollout_create),       WALK(srs_rollout_use_lanes),
};

/// Makes what the calls below work on.
static void load_control(fixture *f)
{
  srs_error error = {0};
  srs_sim_options options = srs_scene_get_settings(f->boxes)->sim;
  options.contact.capacity = 400;
  if (srs_scene_create_sim(f->boxes, &options, &f->loose, &error) != SRS_OK ||
      srs_linearisation_create(f->loose, &f->linearisation, &error) != SRS_OK ||
      srs_linearisation_set_parameters(f->linearisation, box_parameters, 2, &error) != SRS_OK ||
      srs_sim_linearise(f->loose, f->linearisation, NULL, NULL, NULL, &error) != SRS_OK ||
      srs_control_loop_create(f->loose, NULL, &f->loop, &error) != SRS_OK ||
      srs_rollout_create(f->loose, 2, &f->rollout, &error) != SRS_OK)
    fail_msg("%s", error.message);
  const srs_sensor_def imu = srs_default_sensor_def(SRS_SENSOR_IMU, "imu");
  assert_int_equal(srs_sensors_create(f->loose, &imu, 1, &f->sensors, NULL), SRS_OK);
  assert_int_equal(srs_sim_get_link_inertia(f->loose, 0, &f->inertia), SRS_OK);
  assert_int_equal(srs_sim_get_coordinate_parameters(f->loose, 0, &f->coordinate), SRS_OK);
  assert_int_equal(srs_sim_get_shape_size(f->loose, 0, f->size), SRS_OK);
  const size_t nv = (size_t)srs_model_nv(srs_sim_model(f->loose));
  f->many = calloc(4 * nv * nv + 1, sizeof *f->many);
  assert_non_null(f->many);
}

static void unload_control(fixture *f)
{
  srs_rollout_destroy(f->rollout);
  srs_control_loop_destroy(f->loop);
  srs_sensors_destroy(f->sensors);
  srs_linearisation_destroy(f->linearisation);
  srs_sim_destroy(f->loose);
  free(f->many);
}

// The sim's memory is not locked here: that would hold for the whole program.
static srs_status quiet_srs_sim_lock_memory(fixture *f, srs_error *error)
{
  (void)f, (void)error;
  return SRS_OK;
}

static const srs_rollout_job five_rows = {.n_rows = 5, .n_steps = 3, .every = 2};

// clang-format off
#define CONTROL_STATUSES(X)                                                                                        \
  X(srs_sim_linearise, f->loose, f->linearisation, f->many, NULL, NULL, error)                                     \
  X(srs_linearisation_parameters, f->linearisation, f->many)                                                       \
  X(srs_sim_get_link_inertia, f->loose, 0, &(srs_link_inertia){0})                                                 \
  X(srs_sim_set_link_inertia, f->loose, 0, &f->inertia, error)                                                     \
  X(srs_sim_set_link_mass, f->loose, 0, f->inertia.mass, error)                                                    \
  X(srs_sim_get_coordinate_parameters, f->loose, 0, &(srs_coordinate_parameters){0})                               \
  X(srs_sim_set_coordinate_parameters, f->loose, 0, &f->coordinate, error)                                         \
  X(srs_sim_get_shape_material, f->loose, 0, NULL, NULL)                                                           \
  X(srs_sim_set_shape_material, f->loose, 0, 0.5, 0, error)                                                        \
  X(srs_sim_get_shape_size, f->loose, 0, (double[3]){0})                                                           \
  X(srs_sim_set_shape_size, f->loose, 0, f->size, error)                                                           \
  X(srs_sim_set_gravity, f->loose, (const double[3]){0, 0, -9.81}, error)                                          \
  X(srs_sim_copy_parameters, f->loose, f->loose, error)                                                            \
  X(srs_sensors_read, f->sensors, error)                                                                           \
  X(srs_control_loop_run, f->loop, 2, error)                                                                       \
  X(srs_rollout_run, f->rollout, &five_rows, error)                                                                \
  X(srs_rollout_row, f->loose, &five_rows, 4, error)
#define CONTROL_VALUES(X)                                                                                          \
  X(srs_linearisation_status_name, SRS_LINEARISATION_SMOOTH)                                                       \
  X(srs_weak_row_text, f->model, &(srs_weak_row){.shape_a = 0}, (char[256]){0}, 256)                               \
  X(srs_sensor_kind_name, SRS_SENSOR_IMU)                                                                          \
  X(srs_sensor_component, SRS_SENSOR_IMU, 0)                                                                       \
  X(srs_sensors_def, f->sensors, 0)                                                                                \
  X(srs_sensors_value, f->sensors, 0)                                                                              \
  X(srs_sensors_values, f->sensors, NULL)                                                                          \
  X(srs_control_loop_get_report, f->loop)                                                                          \
  X(srs_control_loop_reset, f->loop)
// clang-format on

CONTROL_STATUSES(QUIET_STATUS)
CONTROL_VALUES(QUIET_VALUE)
static const walk control_quiet[] = {CONTROL_STATUSES(QUIET) CONTROL_VALUES(QUIET) QUIET(srs_sim_lock_memory)};
