// Time, coordinates, velocities, accelerations, applied torques and energies: columns of a trajectory.
#include "engine/output/columns/column_sources.h"
#include "engine/simulation/sim.h"
#include "topology/base/text.h"
#include "topology/model/model.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Axes
// ---------------------------------------------------------------------------------------------------------------------

// "world", or "link NAME".
static const char *axes_of(srs_arena *arena, const srs_model *m, int link)
{
  return link < 0 ? "world" : srs_text_join(arena, "link ", m->links[link].name, "");
}

// Of the columns added last for all coordinates of v: along whose axes those of free and ball joints are.
static bool tell_axes(srs_arena *arena, const srs_model *m, srs_columns *c, int first)
{
  for (int k = 0; k < m->n_links; k++) {
    const bool is_free = m->kind[k] == SRS_JOINT_FREE;
    if (!is_free && m->kind[k] != SRS_JOINT_SPHERICAL) continue;
    const char *own = axes_of(arena, m, k), *parent = is_free ? axes_of(arena, m, m->parent[k]) : "";
    if (own == NULL || parent == NULL) return false;
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++)
      c->axes[first + i] = is_free && i < m->v_index[k] + 3 ? parent : own;
  }
  return true;
}

static bool tell_places(srs_arena *arena, const srs_model *m, srs_columns *c, int first)
{
  for (int k = 0; k < m->n_links; k++) {
    if (m->kind[k] != SRS_JOINT_FREE) continue;
    const char *parent = axes_of(arena, m, m->parent[k]);
    if (parent == NULL) return false;
    for (int i = 0; i < 3; i++) c->axes[first + m->q_index[k] + i] = parent;
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------------------------------------------------

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
  is_good = is_good && tell_places(arena, model, c, 1) && tell_axes(arena, model, c, 1 + nq);
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
  is_good = is_good && tell_axes(arena, model, c, 0);
  return srs_columns_made(is_good, "trajectory", error);
}

srs_status srs_torque_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  memcpy(c->values, srs_sim_torque(sim), (size_t)c->n * sizeof *c->values);
  return SRS_OK;
}

srs_status srs_acceleration_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  const srs_model *model = srs_sim_model(sim);
  if (srs_sim_get_options(sim)->integrator == SRS_RK4)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, "accelerations",
                    "rk4 has no one acceleration of a step: leave the columns out, or take another integrator");
  bool is_good = srs_columns_reserve(arena, c, (size_t)srs_model_nv(model), 0);
  for (int i = 0; i < srs_model_nv(model) && is_good; i++)
    is_good =
        srs_columns_add(arena, c, "a:", srs_model_v_name(model, i), "", srs_is_angle(model, i) ? "rad/s^2" : "m/s^2");
  is_good = is_good && tell_axes(arena, model, c, 0);
  return srs_columns_made(is_good, "accelerations", error);
}

srs_status srs_acceleration_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  const double *q, *v, *w, *a;
  if (srs_sim_step_motion(sim, &q, &v, &w, &a))
    memcpy(c->values, a, (size_t)c->n * sizeof *c->values);
  else
    memset(c->values, 0, (size_t)c->n * sizeof *c->values);
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
  const srs_status balanced = srs_sim_balance_to(sim, &energy, &b);
  if (balanced != SRS_OK) {
    *error = *srs_workspace_error(srs_sim_workspace(sim));
    return balanced;
  }
  const double works[] = {b.drives, b.dampers, b.dry_friction, b.contact_normal, b.contact_friction,
                          b.limits, b.loops,   b.loop_joints,  b.push_out,       b.rest};
  memcpy(c->values + 2, works, sizeof works);
  return SRS_OK;
}
