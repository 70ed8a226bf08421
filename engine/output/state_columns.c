// Time, coordinates, velocities, applied torques and energies: columns of a trajectory.
#include "engine/output/column_sources.h"

#include <string.h>

srs_status srs_state_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  const srs_model *model = srs_sim_model(sim);
  const int nq = srs_model_nq(model), nv = srs_model_nv(model);
  bool is_good =
      srs_columns_reserve(arena, c, 1 + (size_t)nq + (size_t)nv, 0) && srs_columns_add(arena, c, "time", "", "", "s");
  for (int i = 0; i < nq && is_good; i++)
    is_good = srs_columns_add(arena, c, "q:", srs_model_q_name(model, i), "", srs_model_q_unit(model, i));
  for (int i = 0; i < nv && is_good; i++)
    is_good = srs_columns_add(arena, c, "v:", srs_model_v_name(model, i), "", srs_model_v_unit(model, i));
  return srs_columns_made(is_good, "trajectory", error);
}

srs_status srs_state_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  const size_t nq = (size_t)srs_model_nq(srs_sim_model(sim)), nv = (size_t)srs_model_nv(srs_sim_model(sim));
  c->values[0] = srs_sim_time(sim);
  memcpy(c->values + 1, srs_sim_q(sim), nq * sizeof *c->values);
  memcpy(c->values + 1 + nq, srs_sim_v(sim), nv * sizeof *c->values);
  return SRS_OK;
}

srs_status srs_torque_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  const srs_model *model = srs_sim_model(sim);
  bool is_good = srs_columns_reserve(arena, c, (size_t)srs_model_nv(model), 0);
  for (int i = 0; i < srs_model_nv(model) && is_good; i++)
    is_good = srs_columns_add(arena, c, "tau:", srs_model_v_name(model, i), "", srs_force_unit(srs_is_angle(model, i)));
  return srs_columns_made(is_good, "trajectory", error);
}

srs_status srs_torque_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  memcpy(c->values, srs_sim_torque(sim), (size_t)c->n * sizeof *c->values);
  return SRS_OK;
}

srs_status srs_energy_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  static const char *const names[] = {"kinetic",      "potential",      "drives",           "dampers",
                                      "dry_friction", "contact_normal", "contact_friction", "limits",
                                      "loops",        "loop_joints",    "push_out",         "rest"};
  const size_t n = srs_sim_get_options(sim)->energy_balance ? sizeof names / sizeof *names : 2;
  bool is_good = srs_columns_reserve(arena, c, n, 0);
  for (size_t i = 0; i < n && is_good; i++) is_good = srs_columns_add(arena, c, "energy:", names[i], "", "J");
  return srs_columns_made(is_good, "trajectory", error);
}

srs_status srs_energy_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  srs_energies energy;
  const srs_status status = srs_sim_energies(sim, &energy, error);
  if (status != SRS_OK) return status;
  c->values[0] = energy.kinetic;
  c->values[1] = energy.potential;
  if (c->n == 2) return SRS_OK;
  srs_energy_balance b;
  const srs_status balanced = srs_sim_energy_balance(sim, &b);
  if (balanced != SRS_OK) {
    *error = *srs_workspace_error(srs_sim_workspace(sim));
    return balanced;
  }
  const double works[] = {b.drives, b.dampers, b.dry_friction, b.contact_normal, b.contact_friction,
                          b.limits, b.loops,   b.loop_joints,  b.push_out,       b.rest};
  memcpy(c->values + 2, works, sizeof works);
  return SRS_OK;
}
