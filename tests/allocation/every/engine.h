// Walks of <sarrus/dynamics.h>, loops.h, derivatives.h, batch.h, simulation.h and scene.h.
#pragma once
#include "allocation/every/walk.h"

static srs_status of_workspace(const fixture *f, srs_status status, srs_error *error)
{
  if (status != SRS_OK) *error = *srs_workspace_error(f->workspace);
  return status;
}

static srs_status walk_srs_workspace_create(fixture *f, srs_error *error)
{
  srs_workspace *w = NULL;
  const srs_status status = srs_workspace_create(f->model, &w, error);
  assert_true((status == SRS_OK) == (w != NULL));
  srs_workspace_destroy(w);
  return status;
}

// Rows that stay with the workspace would hide the next n: it is made anew with all memory.
static srs_status walk_srs_workspace_reserve_rows(fixture *f, srs_error *error)
{
  srs_workspace *w = NULL;
  WITH_MEMORY(assert_int_equal(srs_workspace_create(f->model, &w, error), SRS_OK));
  const srs_status status = srs_workspace_reserve_rows(w, 600);
  if (status != SRS_OK) *error = *srs_workspace_error(w);
  srs_workspace_destroy(w);
  return status;
}

static srs_status walk_srs_workspace_reserve_derivatives(fixture *f, srs_error *error)
{
  srs_workspace *w = NULL;
  WITH_MEMORY(assert_int_equal(srs_workspace_create(f->model, &w, error), SRS_OK));
  const srs_status status = srs_workspace_reserve_derivatives(w);
  if (status != SRS_OK) *error = *srs_workspace_error(w);
  srs_workspace_destroy(w);
  return status;
}

static srs_status walk_srs_batch_create(fixture *f, srs_error *error)
{
  srs_batch *batch = NULL;
  const srs_status status = srs_batch_create(f->minimal, &batch, error);
  assert_true((status == SRS_OK) == (batch != NULL));
  srs_batch_destroy(batch);
  return status;
}

static srs_status walk_srs_loop_gaps(fixture *f, srs_error *error)
{
  double gaps[6];
  return of_workspace(f, srs_loop_gaps(f->workspace, f->q, 0, gaps), error);
}

static srs_status walk_srs_loop_ranks(fixture *f, srs_error *error)
{
  int ranks[1], rank;
  return of_workspace(f, srs_loop_ranks(f->workspace, f->q, 0, ranks, &rank), error);
}

static srs_status walk_srs_assemble(fixture *f, srs_error *error)
{
  double q[MOST_V + 4];
  srs_assembly_report report;
  memcpy(q, f->q, sizeof q);
  return of_workspace(f, srs_assemble(f->workspace, NULL, q, &report), error);
}

static srs_status walk_srs_assemble_velocity(fixture *f, srs_error *error)
{
  double v[MOST_V];
  srs_assembly_report report;
  memcpy(v, f->v, sizeof v);
  return of_workspace(f, srs_assemble_velocity(f->workspace, NULL, f->q, v, &report), error);
}

static srs_status walk_srs_ik_create(fixture *f, srs_error *error)
{
  srs_ik *ik = NULL;
  const srs_status status = srs_ik_create(f->model, 3, &ik, error);
  assert_true((status == SRS_OK) == (ik != NULL));
  srs_ik_destroy(ik);
  return status;
}

static srs_status walk_srs_build_redundant(fixture *f, srs_error *error)
{
  srs_model *model = NULL;
  const srs_status status = srs_build_redundant(f->builder, NULL, &model, error);
  assert_true((status == SRS_OK) == (model != NULL));
  srs_model_destroy(model);
  return status;
}

static srs_status walk_srs_redundant_state(fixture *f, srs_error *error)
{
  const double q[2] = {0.1, 0.2}, v[2] = {1, 2};
  double q_out[14], v_out[12];
  return srs_redundant_state(f->minimal, f->redundant, q, v, q_out, v_out, error);
}

static srs_status walk_srs_sim_create(fixture *f, srs_error *error)
{
  srs_sim *sim = NULL;
  srs_sim_options options = srs_scene_get_settings(f->scene)->sim;
  const srs_material stone = {.name = "stone", .friction = 0.3, .restitution = NAN, .torsional = NAN};
  options.contact.materials = &stone;
  options.contact.n_materials = 1;
  const srs_status status = srs_sim_create(f->model, &options, &sim, error);
  assert_true((status == SRS_OK) == (sim != NULL));
  srs_sim_destroy(sim);
  return status;
}

static srs_status walk_srs_scene_create_sim(fixture *f, srs_error *error)
{
  srs_sim *sim = NULL;
  const srs_status status = srs_scene_create_sim(f->scene, NULL, &sim, error);
  assert_true((status == SRS_OK) == (sim != NULL));
  srs_sim_destroy(sim);
  return status;
}

static srs_status walk_srs_sim_assemble(fixture *f, srs_error *error)
{
  srs_assembly_report report;
  assert_int_equal(srs_sim_set_state(f->sim, 0, f->q, f->v, NULL), SRS_OK);
  const srs_status status = srs_sim_assemble(f->sim, NULL, &report, error);
  if (status != SRS_OK) assert_memory_equal(srs_sim_q(f->sim), f->q, (size_t)srs_model_nq(f->model) * sizeof(double));
  return status;
}

// Contacts grow in a sim without a capacity; one that fails to can go on once there is memory.
static srs_status walk_srs_sim_step(fixture *f, srs_error *error)
{
  srs_sim *sim = NULL;
  WITH_MEMORY(assert_int_equal(srs_scene_create_sim(f->boxes, NULL, &sim, error), SRS_OK));
  const srs_status status = srs_sim_step(sim, 20, error);
  const long made = srs_sim_steps(sim);
  if (status != SRS_OK) WITH_MEMORY(assert_int_equal(srs_sim_step(sim, 20 - made, NULL), SRS_OK));
  assert_true(srs_sim_get_statistics(sim)->growths > 0);
  srs_sim_destroy(sim);
  return status;
}

static srs_status walk_srs_trajectory_create(fixture *f, srs_error *error)
{
  srs_trajectory *t = NULL;
  srs_trajectory_options options = srs_default_trajectory_options();
  options.torques = options.energies = options.contacts = options.loops = options.efforts = options.wrenches = true;
  srs_status status = srs_trajectory_create(f->csv, f->sim, &options, &t, error);
  assert_true((status == SRS_OK) == (t != NULL));
  if (status != SRS_OK) return status;
  status = srs_trajectory_add(t, f->sim, error);
  const srs_status closed = srs_trajectory_close(t, status == SRS_OK ? error : NULL);
  return status != SRS_OK ? status : closed;
}

static srs_status walk_srs_trajectory_close(fixture *f, srs_error *error)
{
  srs_trajectory *t = NULL;
  WITH_MEMORY(assert_int_equal(srs_trajectory_create(f->csv, f->sim, NULL, &t, error), SRS_OK));
  return srs_trajectory_close(t, error);
}

// Of an HDF5 file. Where one cannot be made, libhdf5 keeps pieces of its own (docs/safety.md): it is made with memory.
static srs_status walk_srs_trajectory_flush(fixture *f, srs_error *error)
{
  srs_trajectory *t = NULL;
  WITH_MEMORY(assert_int_equal(srs_trajectory_create(f->h5, f->sim, NULL, &t, error), SRS_OK));
  srs_status status = srs_trajectory_add(t, f->sim, error);
  if (status == SRS_OK) status = srs_trajectory_flush(t, f->sim, error);
  const srs_status closed = srs_trajectory_close(t, status == SRS_OK ? error : NULL);
  return status != SRS_OK ? status : closed;
}

static srs_status walk_srs_scene_load(fixture *f, srs_error *error)
{
  srs_scene *scene = NULL;
  const srs_status status = srs_scene_load(f->yaml, NULL, &scene, error);
  assert_true((status == SRS_OK) == (scene != NULL));
  srs_scene_destroy(scene);
  return status;
}

// Of a trajectory of one row.
static void write_h5(fixture *f)
{
  srs_trajectory_options options = srs_default_trajectory_options();
  srs_trajectory *t = NULL;
  srs_error error;
  options.contacts = true, options.scene_text = "models: []";
  assert_int_equal(srs_trajectory_create(f->h5, f->sim, &options, &t, &error), SRS_OK);
  assert_int_equal(srs_trajectory_add(t, f->sim, &error), SRS_OK);
  assert_int_equal(srs_trajectory_close(t, &error), SRS_OK);
}

static srs_status walk_srs_results_read(fixture *f, srs_error *error)
{
  srs_results *results = NULL;
  WITH_MEMORY(write_h5(f));
  const srs_status status = srs_results_read(f->h5, &results, error);
  assert_true((status == SRS_OK) == (results != NULL));
  srs_results_destroy(results);
  return status;
}

static srs_status walk_srs_results_read_text(fixture *f, srs_error *error)
{
  char *text = NULL;
  WITH_MEMORY(write_h5(f));
  const srs_status status = srs_results_read_text(f->h5, "scene", &text, error);
  assert_true((status == SRS_OK) == (text != NULL));
  srs_results_free_text(text);
  return status;
}

static srs_status walk_srs_input_load(fixture *f, srs_error *error)
{
  srs_input *input = NULL;
  srs_status status = srs_input_load(f->input, f->model, &input, error);
  assert_true((status == SRS_OK) == (input != NULL));
  if (status == SRS_OK) status = srs_input_apply(input, f->sim, error);
  srs_input_destroy(input);
  return status;
}

static const walk engine_walks[] = {
    WALK(srs_workspace_create),
    WALK(srs_workspace_reserve_rows),
    WALK(srs_workspace_reserve_derivatives),
    WALK(srs_batch_create),
    WALK(srs_loop_gaps),
    WALK(srs_loop_ranks),
    WALK(srs_assemble),
    WALK(srs_assemble_velocity),
    WALK(srs_ik_create),
    WALK(srs_build_redundant),
    WALK(srs_redundant_state),
    WALK(srs_sim_create),
    WALK(srs_scene_create_sim),
    WALK(srs_sim_assemble),
    WALK(srs_sim_step),
    WALK(srs_trajectory_create),
    WALK(srs_trajectory_close),
    WALK(srs_trajectory_flush),
    {.name = "srs_scene_load", .call = walk_srs_scene_load, .goes_without = true},
    WALK(srs_input_load),
    WALK(srs_results_read),
    WALK(srs_results_read_text),
};

// ---------------------------------------------------------------------------------------------------------------------
// Without memory
// ---------------------------------------------------------------------------------------------------------------------

#define SQUARE ((double[MOST_V *MOST_V]){0})
#define LINE   ((double[MOST_V + 4]){0})
static const srs_constraint_frame one_point = {.frame = 3, .rows = SRS_ROWS_POINT};

// clang-format off
#define DYNAMICS_STATUSES(X)                                                                                       \
  X(srs_workspace_set_gravity, f->workspace, down)                                                                 \
  X(srs_forward_kinematics, f->workspace, f->q)                                                                    \
  X(srs_forward_velocity, f->workspace, f->q, f->v)                                                                \
  X(srs_forward_acceleration, f->workspace, f->q, f->v, f->v)                                                      \
  X(srs_frame_placement, f->workspace, 0, &(srs_pose){0})                                                          \
  X(srs_frame_velocity, f->workspace, 0, SRS_AXES_WORLD, LINE)                                                     \
  X(srs_frame_acceleration, f->workspace, 0, SRS_AXES_WORLD, LINE)                                                 \
  X(srs_frame_jacobian, f->workspace, 0, SRS_AXES_LOCAL, SQUARE)                                                   \
  X(srs_add_wrench, f->workspace, 0, SRS_AXES_WORLD, f->v, SQUARE)                                                 \
  X(srs_closure_coordinate, f->workspace, 0, 0, LINE, LINE)                                                        \
  X(srs_inverse_dynamics, f->workspace, f->q, f->v, f->v, NULL, LINE)                                              \
  X(srs_joint_wrench, f->workspace, 0, LINE)                                                                       \
  X(srs_bias, f->workspace, f->q, f->v, LINE)                                                                      \
  X(srs_mass_matrix, f->workspace, f->q, SQUARE)                                                                   \
  X(srs_forward_dynamics, f->workspace, f->q, f->v, f->zeros, NULL, LINE)                                          \
  X(srs_embedded_acceleration, f->workspace, f->q, f->v, f->zeros, NULL, LINE)                                     \
  X(srs_delassus, f->workspace, f->q, &one_point, 1, MOST_V, SQUARE)                                               \
  X(srs_operational_space_inertia, f->workspace, f->q, &one_point, 1, MOST_V, true, SQUARE)                        \
  X(srs_com, f->workspace, f->q, f->v, &(srs_center_of_mass){0})                                                   \
  X(srs_momentum, f->workspace, f->q, f->v, LINE)                                                                  \
  X(srs_energy, f->workspace, f->q, f->v, &(srs_energies){0})                                                      \
  X(srs_passive_forces, f->model, f->q, f->v, LINE)                                                                \
  X(srs_inverse_dynamics_derivatives, f->workspace, f->q, f->v, f->v, NULL, SQUARE, SQUARE, SQUARE)                \
  X(srs_forward_dynamics_derivatives, f->workspace, f->q, f->v, f->zeros, NULL, LINE, SQUARE, SQUARE, SQUARE)      \
  X(srs_frame_derivatives, f->workspace, f->q, f->v, f->v, 0, SRS_AXES_WORLD, SQUARE, SQUARE, SQUARE)              \
  X(srs_coriolis_matrix, f->workspace, f->q, f->v, SQUARE)                                                         \
  X(srs_centroidal_momentum_matrix, f->workspace, f->q, f->v, SQUARE, SQUARE, SQUARE)                              \
  X(srs_embedded_motion_derivatives, f->workspace, f->q, f->v, f->v, SQUARE, SQUARE, SQUARE, SQUARE)               \
  X(srs_embedded_inverse_dynamics_derivatives, f->workspace, f->q, f->v, f->v, NULL, LINE, SQUARE, SQUARE, SQUARE) \
  X(srs_embedded_acceleration_derivatives, f->workspace, f->q, f->v, f->zeros, NULL, LINE, SQUARE, SQUARE, SQUARE) \
  X(srs_embedded_frame_derivatives, f->workspace, f->q, f->v, f->v, 0, SRS_AXES_WORLD, SQUARE, SQUARE, SQUARE,     \
    SQUARE)                                                                                                        \
  X(srs_embedded_coriolis_matrix, f->workspace, f->q, f->v, SQUARE)                                                \
  X(srs_embedded_centroidal_momentum_matrix, f->workspace, f->q, f->v, SQUARE, SQUARE, SQUARE)                     \
  X(srs_inverse_kinematics, f->ik, &f->target, 1, NULL, f->q, NULL)                                                \
  X(srs_batch_set_gravity, f->batch, down)                                                                         \
  X(srs_batch_forward_kinematics, f->batch, 1, f->zeros, (const int[1]){0}, 1, LINE, LINE)                         \
  X(srs_batch_inverse_dynamics, f->batch, 1, f->zeros, f->zeros, NULL, LINE)                                       \
  X(srs_batch_forward_dynamics, f->batch, 1, f->zeros, f->zeros, NULL, LINE)                                       \
  X(srs_batch_mass_matrix, f->batch, 1, f->zeros, SQUARE)                                                          \
  X(srs_batch_step, f->batch, 1, 1e-3, LINE, LINE, NULL)
#define SIM_STATUSES(X)                                                                                            \
  X(srs_sim_set_state, f->sim, 0, f->q, f->v, error)                                                               \
  X(srs_sim_acceleration, f->sim, LINE, error)                                                                     \
  X(srs_sim_set_torque, f->sim, f->zeros, error)                                                                   \
  X(srs_sim_set_wrench, f->sim, 0, SRS_AXES_WORLD, f->zeros, error)                                                \
  X(srs_sim_set_servo, f->sim, f->q, f->zeros, f->zeros, f->zeros, error)                                          \
  X(srs_sim_set_actuator, f->sim, &f->actuator, error)                                                            \
  X(srs_sim_set_motion, f->loose, 0, 0, 0, error)                                                                  \
  X(srs_sim_get_motion, f->loose, 0, LINE, LINE)                                                                   \
  X(srs_sim_closure_coordinate, f->sim, 0, LINE, LINE, LINE)                                                       \
  X(srs_sim_snapshot_restore, f->sim, f->snapshot, f->snapshot_size, error)                                        \
  X(srs_sim_energies, f->sim, &(srs_energies){0}, error)                                                           \
  X(srs_sim_energy_balance, f->sim, &(srs_energy_balance){0})                                                      \
  X(srs_sim_loop_wrench, f->sim, 0, &(int){0}, LINE)                                                               \
  X(srs_sim_joint_wrench, f->sim, 0, SRS_AXES_WORLD, LINE)                                                         \
  X(srs_trajectory_add, f->trajectory, f->sim, error)                                                              \
  X(srs_input_apply, f->read_input, f->sim, error)
#define ENGINE_VALUES(X)                                                                                           \
  X(srs_results_name, f->results, 0)                                                                               \
  X(srs_results_unit, f->results, 0)                                                                               \
  X(srs_results_values, f->results)                                                                                \
  X(srs_results_contacts, f->results, 0, &(int){0})                                                                \
  X(srs_results_shape, f->results, 0)                                                                              \
  X(srs_workspace_model, f->workspace)                                                                             \
  X(srs_workspace_error, f->workspace)                                                                             \
  X(srs_ik_best, f->ik)                                                                                            \
  X(srs_ik_error, f->ik)                                                                                           \
  X(srs_batch_model, f->batch)                                                                                     \
  X(srs_batch_error, f->batch)                                                                                     \
  X(srs_integrator_name, (srs_integrator)0)                                                                        \
  X(srs_activation_name, (srs_activation)0)                                                                        \
  X(srs_normal_law_name, (srs_normal_law)0)                                                                        \
  X(srs_impact_law_name, (srs_impact_law)0)                                                                        \
  X(srs_velocity_terms_name, (srs_velocity_terms)0)                                                                \
  X(srs_alignment_name, (srs_alignment)0)                                                                          \
  X(srs_corners_name, (srs_corners)0)                                                                              \
  X(srs_combination_name, (srs_combination)0)                                                                      \
  X(srs_row_source_name, (srs_row_source)0)                                                                        \
  X(srs_sim_model, f->sim)                                                                                         \
  X(srs_sim_get_options, f->sim)                                                                                   \
  X(srs_sim_q, f->sim)                                                                                             \
  X(srs_sim_v, f->sim)                                                                                             \
  X(srs_sim_workspace, f->sim)                                                                                     \
  X(srs_sim_collider, f->sim)                                                                                      \
  X(srs_sim_torque, f->sim)                                                                                        \
  X(srs_sim_contacts, f->sim, &(int){0})                                                                           \
  X(srs_sim_rows, f->sim, &(int){0})                                                                               \
  X(srs_sim_actuator_effort, f->sim)                                                                               \
  X(srs_sim_get_statistics, f->sim)                                                                                \
  X(srs_sim_get_implicit_statistics, f->sim)                                                                       \
  X(srs_sim_get_spin_statistics, f->sim)                                                                           \
  X(srs_sim_snapshot_size, f->sim)                                                                                 \
  X(srs_sim_snapshot_save, f->sim, f->snapshot)                                                                    \
  X(srs_sim_clear_inputs, f->sim)                                                                                  \
  X(srs_sim_reset, f->still)                                                                                       \
  X(srs_scene_model, f->scene)                                                                                     \
  X(srs_scene_get_settings, f->scene)
// clang-format on

DYNAMICS_STATUSES(QUIET_STATUS)
SIM_STATUSES(QUIET_STATUS)
ENGINE_VALUES(QUIET_VALUE)
static const walk engine_quiet[] = {DYNAMICS_STATUSES(QUIET) SIM_STATUSES(QUIET) ENGINE_VALUES(QUIET)};
