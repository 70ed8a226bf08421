// What is the state one step later? The steps of the integrators; contacts come in between (constraint.c).
//
// Springs, dampers and servos exert f(q, v) = -K (q - q_ref) - D (v - v_ref). In the two schemes that are not rk4 they
// act with their value inside the step, whatever their stiffness, which puts a diagonal beside the mass matrix:
//
//   semi-implicit Euler   f at (q + h v+, v+):     (M + h D + h^2 K) (v+ - v) = h (tau - c + f(q + h v, v))
//   Moreau midpoint       f at the mean of both ends; with q^m = q + h/2 v the mean of q is q^m + h/4 (v+ - v):
//                                                  (M + h/2 D + h^2/4 K) (v+ - v) = h (tau - c + f(q^m, v))
//   rk4                   f explicit. On the configuration manifold: stage i stands at integrate(q, u_i), and the rate
//   of u_i
//                         is v_i brought back by the inverse differential of the exponential (Munthe-Kaas 1998)
//
// (Mylapilli & Jain sec. 2.7.1-2.7.2, M and c at q, or at q^m; c at the velocity v.)

// implicit Euler and implicit Moreau are the first two with M, c and all rows at the step's end, or its mean; what they
// iterate is in implicit.c. f is linearised about the guess v_g: f(v+) = f(v_g) - E/h (v+ - v_g), E the diagonal above,
// so that beside M + E stands h f(v_g) + E (v_g - v).

#include "engine/dynamics/checks.h"
#include "engine/geometric/geometrically_implicit.h"
#include "engine/islands/constraint.h"
#include "engine/loops/embedding.h"
#include "engine/loops/mechanism.h"
#include "engine/loops/projection.h"
#include "engine/simulation/simulation.h"
#include "topology/base/errors.h"
#include "topology/model/configuration.h"

#include <string.h>

// w x I w of bodies that float alone, implicitly: in the body's axes I (w+ - w_free) + h (w+ x I w+ - w x I w) = 0
// about the mass centre, one Newton step from w_free. Its Jacobian I + h ([w] I - [I w]) is not symmetric, so it stays
// out of the mass matrix.
static vec3 gyroscopic_step(sym3 inertia, vec3 w, vec3 w_free, double h)
{
  const vec3 free_spin = sym3_times(inertia, w_free);
  const vec3 residual = scale3(h, sub3(cross3(w_free, free_spin), cross3(w, sym3_times(inertia, w))));
  const mat3 I = {
      {inertia.xx, inertia.xy, inertia.xz}, {inertia.xy, inertia.yy, inertia.yz}, {inertia.xz, inertia.yz, inertia.zz}};
  const vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const vec3 column[3] = {I.x, I.y, I.z};
  vec3 J[3];
  for (int i = 0; i < 3; i++)
    J[i] = add_scaled3(column[i], h, sub3(cross3(w_free, column[i]), cross3(free_spin, unit[i])));
  const vec3 yz = cross3(J[1], J[2]);
  const double share = -1 / dot3(J[0], yz); // Cramer's rule
  return add3(w_free, scale3(share, (vec3){dot3(residual, yz), dot3(residual, cross3(J[2], J[0])),
                                           dot3(residual, cross3(J[0], J[1]))}));
}

static void gyroscopic_steps(srs_sim *sim)
{
  const srs_model *m = sim->model;
  for (int k = 0; sim->options.implicit_gyroscopic && k < m->n_links; k++) {
    if (m->kind[k] != SRS_JOINT_FREE || m->parent[k] >= 0 || m->subtree_end[k] != k + 1 || !(m->links[k].mass > 0))
      continue;
    if (sim->workspace->embedding != NULL && sim->workspace->embedding->of_link[k] >= 0) continue; // it is tied
    const int i = m->v_index[k] + 3;
    const sym3 inertia = sym3_load(m->links[k].inertia); // free joints: the turned axes are the link's
    const vec3 before = vec3_load(sim->v_next + i);
    const vec3 after = gyroscopic_step(inertia, vec3_load(sim->v + i), before, sim->options.dt);
    vec3_store(sim->v_next + i, after);
    // The mass centre keeps its velocity: the link's origin changes its own.
    const vec3 swing = cross3(sub3(before, after), vec3_load(m->links[k].com));
    double *origin = sim->v_next + m->v_index[k];
    v3_store(origin, v3_load(origin) + m3_times_packed(sim->workspace->place[k].axes, &swing));
  }
}

static srs_status fail_embedded(srs_sim *sim, srs_status status)
{
  if (status != SRS_OK) sim->constraints->error = sim->workspace->error;
  return status;
}

srs_status srs_close_ahead(srs_sim *sim, double ahead, int *bad_v)
{
  srs_workspace *w = sim->workspace;
  const srs_status status = w->embedding != NULL ? srs_embedding_close(w, sim->q_mid) : SRS_OK;
  if (status != SRS_OK) return fail_embedded(sim, status);
  if (sim->projector == NULL || !sim->options.closure.projection) return SRS_OK;
  srs_projector_forget(sim->projector);
  const srs_status closed = srs_project_closures(sim->projector, *sim->time + ahead, sim->q_mid, bad_v);
  return closed == SRS_ERROR_UNREACHABLE ? SRS_OK : closed; // the step's end says so
}

static void look_ahead(srs_sim *sim, const srs_scheme *s, const double *v, const double *v_bias)
{
  for (int i = 0; i < sim->model->nv; i++) {
    sim->gain[i] = s->gain * (v_bias[i] - v[i]);
    sim->ahead[i] = s->ahead_bias * v_bias[i] + s->ahead_before * v[i];
  }
  srs_constraints_look_ahead(sim, s->q);
}

// v_next of a step from v.
static srs_status find_free_and_constrained(srs_sim *sim, const srs_scheme *s, const double *v, const double *v_bias,
                                            int *bad_v)
{
  const double h = sim->options.dt, *q = s->q;
  if (sim->ahead != NULL) look_ahead(sim, s, v, v_bias);
  srs_find_rotor_turns(sim, q, v_bias);
  srs_sim_forces(sim, s->q_force, v_bias, s->h_q, s->h_v, sim->force, sim->extra);
  const srs_status status =
      srs_solve_forward(sim->workspace, q, v_bias, sim->force, sim->extra,
                        srs_loop_joint_wrenches(sim, q, srs_sim_link_wrenches(sim, q)), sim->a, bad_v);
  if (status != SRS_OK) return status;
  for (int i = 0; i < sim->model->nv; i++) sim->v_next[i] = v[i] + h * sim->a[i];
  if (sim->workspace->is_embedded) srs_embedding_lift(sim->workspace, sim->v_next); // rows are those at q: no drift
  if (sim->guess == NULL) gyroscopic_steps(sim);
  if (sim->geometric != NULL) return srs_geometric_step(sim, q, v, sim->v_next);
  return sim->constraints != NULL ? srs_constraints_step(sim, q, v, sim->v_next) : SRS_OK;
}

static srs_status find_velocities(srs_sim *sim, const srs_scheme *s, int *bad_v)
{
  srs_workspace *w = sim->workspace;
  if (w->embedding == NULL) return find_free_and_constrained(sim, s, sim->v, s->v_bias, bad_v);
  const size_t bytes = (size_t)sim->model->nv * sizeof *sim->v;
  memcpy(sim->lifted_bias, s->v_bias, bytes);
  sim->bias_v = sim->lifted_bias;
  srs_status status = srs_embedding_prepare(w, s->q, sim->lifted_bias);
  if (status != SRS_OK) return fail_embedded(sim, status);
  memcpy(sim->embedded_v, sim->v, bytes);
  srs_embedding_lift(w, sim->embedded_v);
  srs_embedding_keep(w);
  w->is_embedded = true;
  status = find_free_and_constrained(sim, s, sim->embedded_v, sim->lifted_bias, bad_v);
  w->is_embedded = false;
  return status;
}

// What is embedded follows its independent coordinates, which have come to q_next with v_next.
static srs_status follow(srs_sim *sim)
{
  srs_workspace *w = sim->workspace;
  if (w->embedding == NULL || srs_first_not_finite(sim->v_next, sim->model->nv) >= 0) return SRS_OK;
  srs_status status = srs_embedding_close(w, sim->q_next);
  if (status == SRS_OK) status = srs_embedding_map(w, NULL);
  if (status == SRS_OK) status = srs_embedding_check_passage(w);
  if (status == SRS_OK) srs_embedding_lift(w, sim->v_next);
  return fail_embedded(sim, status);
}

// What forces and impulses change v by, over dt, before loops change v_next once more.
static void keep_accelerations(srs_sim *sim)
{
  for (int i = 0; i < sim->model->nv; i++) sim->mean_a[i] = (sim->v_next[i] - sim->v[i]) / sim->options.dt;
  if (sim->workspace->embedding == NULL) return;
  srs_embedding_lift(sim->workspace, sim->mean_a);
  srs_embedding_add_drift(sim->workspace, sim->mean_a);
}

// Servos first act without their limits, inside the mass matrix. Where one of them gave more than it may, the step is
// made again with all limited actuators as rows of its problem. If none did, the limits change nothing: it is solved.
srs_status srs_find_velocities(srs_sim *sim, const srs_scheme *scheme, int *bad_v)
{
  sim->bias_v = scheme->v_bias;
  sim->actuators_are_rows = false;
  srs_status status = find_velocities(sim, scheme, bad_v);
  if (status == SRS_OK) keep_accelerations(sim);
  const struct srs_constraints *c = sim->constraints;
  if (status != SRS_OK || c == NULL || !c->has_actuator_limits) return status;
  const double h = sim->options.dt;
  bool exceeds = false;
  for (int k = 0; k < c->n_joint_coordinates && !exceeds; k++) {
    const int i = c->coordinates[k].v;
    const double change = sim->actuator_change[i], force = sim->actuator_force[i], most = c->coordinates[k].max_effort;
    const double impulse = change > 0 ? h * (force - change * sim->mean_a[i]) : h * fmax(-most, fmin(most, force));
    exceeds = srs_actuator_exceeds(&c->coordinates[k], h, impulse, sim->v_next[i]);
  }
  if (!exceeds) return SRS_OK;
  sim->actuators_are_rows = true;
  status = find_velocities(sim, scheme, bad_v);
  if (status == SRS_OK) keep_accelerations(sim);
  return status;
}

// q_next back onto the loops, at the end of the step; what is left of their gaps is noted.
static srs_status close_loops(srs_sim *sim, int *bad_v)
{
  struct srs_constraints *c = sim->constraints;
  if (sim->projector == NULL) return SRS_OK;
  double gap = 0;
  if (!sim->options.closure.projection || sim->geometric != NULL) {
    // Before the step: one late; but after the geometrically implicit one, which closes them itself.
    gap = srs_largest_gap(c->loop_rows, c->n_loop_rows);
  } else if (srs_first_not_finite(sim->q_next, sim->model->nq) < 0) { // else srs_sim_step says which
    const srs_status status = srs_project_closures(sim->projector, *sim->time + sim->options.dt, sim->q_next, bad_v);
    gap = srs_projection_gap(sim->projector);
    if (status != SRS_OK && status != SRS_ERROR_SINGULAR) {
      const char *name = srs_model_loop_name(sim->model, srs_projection_loop(sim->projector));
      return srs_fail(&c->error, status, NULL, 0, 0, name,
                      "loop '%.80s' cannot be closed: a gap of %.3g is left; take smaller steps, or see "
                      "whether motions and limits let it close",
                      name, gap);
    }
    if (status != SRS_OK) return status;
  }
  c->next.closure_error_max = fmax(c->next.closure_error_max, gap);
  return SRS_OK;
}

// From v_next to q_next, of both kinds of schemes.
static srs_status end_at_velocity(srs_sim *sim, int *bad_v)
{
  srs_integrate(sim->model, sim->q, sim->v_next, sim->options.dt, sim->q_next);
  const srs_status followed = follow(sim);
  return followed == SRS_OK ? close_loops(sim, bad_v) : followed;
}

static srs_status end_at_mean(srs_sim *sim, int *bad_v)
{
  const double h = sim->options.dt;
  for (int i = 0; i < sim->model->nv; i++) sim->mean_v[i] = 0.5 * (sim->v[i] + sim->v_next[i]);
  srs_integrate(sim->model, sim->q, sim->mean_v, h, sim->q_next);
  const srs_status followed = follow(sim);
  if (followed != SRS_OK) return followed;
  const srs_status closed = close_loops(sim, bad_v);
  if (closed != SRS_OK || sim->projector == NULL) return closed;
  if (sim->workspace->embedding != NULL && sim->workspace->embedding->holds_all) return SRS_OK;
  // Rows on the mean leave what v has across the loops with its sign turned: of order h^2 after a step, but near a
  // change point, where the loops' directions turn fast, it would build up.
  return srs_project_velocities(sim->projector, *sim->time + h, sim->q_next, sim->v_next, bad_v);
}

static srs_status semi_implicit_euler(srs_sim *sim, int *bad_v)
{
  const srs_model *m = sim->model;
  const double h = sim->options.dt;
  const double *q = sim->q;
  if (m->has_springs || sim->flags[1] != 0) {
    srs_integrate(m, sim->q, sim->v, h, sim->q_mid);
    q = sim->q_mid;
  }
  const srs_scheme scheme = {.q = sim->q, .q_force = q, .v_bias = sim->v, .h_q = h * h, .h_v = h};
  const srs_status status = srs_find_velocities(sim, &scheme, bad_v);
  return status == SRS_OK ? end_at_velocity(sim, bad_v) : status;
}

static srs_status moreau_midpoint(srs_sim *sim, int *bad_v)
{
  const srs_model *m = sim->model;
  const double h = sim->options.dt;
  srs_integrate(m, sim->q, sim->v, 0.5 * h, sim->q_mid);
  const srs_status placed = srs_close_ahead(sim, 0.5 * h, bad_v);
  if (placed != SRS_OK) return placed;
  const srs_scheme scheme = {
      .q = sim->q_mid, .q_force = sim->q_mid, .v_bias = sim->v, .h_q = 0.25 * h * h, .h_v = 0.5 * h};
  const srs_status status = srs_find_velocities(sim, &scheme, bad_v);
  return status == SRS_OK ? end_at_mean(sim, bad_v) : status;
}

static srs_status implicit(srs_sim *sim, int *bad_v)
{
  const srs_status status = srs_iterate_step(sim, bad_v);
  if (status != SRS_OK) return status;
  return srs_is_mean(sim->options.integrator) ? end_at_mean(sim, bad_v) : end_at_velocity(sim, bad_v);
}

// Rates of (u, v) at (integrate(q, u), v).
static srs_status rates(srs_sim *sim, const double *u, const double *v, double *u_rate, double *v_rate, int *bad_v)
{
  srs_integrate(sim->model, sim->q, u, 1, sim->q_mid);
  srs_sim_forces(sim, sim->q_mid, v, 0, 0, sim->force, sim->extra);
  srs_tangent_rate(sim->model, u, v, u_rate);
  return srs_solve_forward(sim->workspace, sim->q_mid, v, sim->force, NULL, srs_sim_link_wrenches(sim, sim->q_mid),
                           v_rate, bad_v);
}

static srs_status rk4(srs_sim *sim, int *bad_v)
{
  static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const int nv = sim->model->nv;
  const double h = sim->options.dt;
  double *u = sim->mean_v, *v = sim->v_next;
  sim->actuators_are_rows = false;
  for (int s = 0; s < 4; s++) {
    const double *u_before = sim->stage[s > 0 ? s - 1 : 0], *v_before = sim->stage[s > 0 ? 3 + s : 4];
    for (int i = 0; i < nv; i++) {
      u[i] = s == 0 ? 0 : h * node[s] * u_before[i];
      v[i] = s == 0 ? sim->v[i] : sim->v[i] + h * node[s] * v_before[i];
    }
    const srs_status status = rates(sim, u, v, sim->stage[s], sim->stage[4 + s], bad_v);
    if (status != SRS_OK) return status;
  }
  for (int i = 0; i < nv; i++) {
    double du = 0, dv = 0;
    for (int s = 0; s < 4; s++) {
      du += weight[s] * sim->stage[s][i];
      dv += weight[s] * sim->stage[4 + s][i];
    }
    u[i] = h * du;
    v[i] = sim->v[i] + h * dv;
  }
  srs_integrate(sim->model, sim->q, u, 1, sim->q_next);
  return SRS_OK;
}

srs_status srs_step(srs_sim *sim, int *bad_v)
{
  switch (sim->options.integrator) {
  case SRS_MOREAU_MIDPOINT: return moreau_midpoint(sim, bad_v);
  case SRS_RK4: return rk4(sim, bad_v);
  case SRS_IMPLICIT_EULER:
  case SRS_IMPLICIT_MOREAU: return implicit(sim, bad_v);
  case SRS_SEMI_IMPLICIT_EULER:
  case SRS_GEOMETRICALLY_IMPLICIT: break;
  }
  return semi_implicit_euler(sim, bad_v);
}
