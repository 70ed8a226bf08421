// What do hinges carry? The wrench from parent to child across every hinge of the file, fixed ones included, of the
// last step.
//
// A step changes v to v+ with the matrices at some q: a = (v+ - v) / h there is the acceleration that forces and
// impulses over h gave, exactly. Newton's and Euler's laws for each link of the file, lumped or not (a part), then say
// from the tips down what its hinge carries:
//
//   W_i = m_i (a_i - g) - contacts - loops - applied + sum over children W_j      all about the part's origin
//
// What drives, springs, limits and friction exert is in W_i along the hinge's axes: nothing of it needs to be known. A
// rotor's inertia (armature) is on neither side.

#include "engine/constraint.h"
#include "engine/simulation.h"
#include "topology/joint.h"

#include <string.h>

void srs_wrenches_keep(srs_sim *sim)
{
  const srs_model *m = sim->model;
  const srs_integrator integrator = sim->options.integrator;
  const bool is_elsewhere = srs_is_mean(integrator) || srs_is_implicit(integrator);
  sim->knows_part_wrench = false;
  sim->has_last = sim->options.integrator != SRS_RK4;
  if (!sim->has_last) return;
  memcpy(sim->last_q, is_elsewhere ? sim->q_mid : sim->q, (size_t)m->nq * sizeof *sim->last_q);
  memcpy(sim->last_v, sim->bias_v, (size_t)m->nv * sizeof *sim->last_v);
  memcpy(sim->last_a, sim->mean_a, (size_t)m->nv * sizeof *sim->last_a);
  sim->has_last_wrench = sim->flags[0] != 0;
  if (sim->has_last_wrench)
    memcpy(sim->last_wrench, sim->wrench, SRS_WRENCH_SIZE * (size_t)m->n_frames * sizeof *sim->wrench);
}

typedef struct part_place {
  v3 origin;
  m3 axes;
} part_place;

static part_place place_of(const srs_workspace *w, int frame)
{
  const srs_model *m = w->model;
  const placement *p = m->frame_link[frame] < 0 ? &world_placement : &w->place[m->frame_link[frame]];
  return (part_place){p->origin + m3_times_packed(p->axes, &m->frame_offset[frame]),
                      m3_times_matrix(p->axes, &m->frame_axes[frame])};
}

// Adds a wrench, with the torque about `point`, to what acts on a part; nothing for the world.
static void act(const srs_sim *sim, int part, double sign, v3 torque, v3 force, v3 point)
{
  if (part < 0) return;
  double *to = sim->part_wrench + 6 * (size_t)part;
  const v3 arm = point - place_of(sim->workspace, part).origin;
  v3_store(to, v3_load(to) + sign * (torque + cross(arm, force)));
  v3_store(to + 3, v3_load(to + 3) + sign * force);
}

// m a - weight, about the part's origin. The workspace has the accelerations.
static void add_motion(const srs_sim *sim, int part)
{
  const part_place at = place_of(sim->workspace, part);
  const body b = body_in_world(sim->model->part_inertia + 10 * (size_t)part, at.axes);
  double velocity[6], acceleration[6];
  srs_frame_velocity(sim->workspace, part, SRS_AXES_WORLD, velocity);
  srs_frame_acceleration(sim->workspace, part, SRS_AXES_WORLD, acceleration);
  const v3 a = v3_load(acceleration + 3) - sim->workspace->gravity;
  const v6 f = body_force(&b, v3_load(velocity), (v6){v3_load(acceleration), a});
  act(sim, part, 1, f.ang, f.lin, at.origin);
}

static void subtract_contacts(const srs_sim *sim)
{
  const srs_model *m = sim->model;
  int n;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  for (int i = 0; i < n; i++) {
    const srs_contact *c = &contacts[i].contact;
    const v3 force = v3_load(contacts[i].force);
    act(sim, m->shapes[c->shape_a].frame, -1, v3_zero, force, v3_load(c->point_a));
    act(sim, m->shapes[c->shape_b].frame, 1, v3_zero, force, v3_load(c->point_b));
  }
}

static void subtract_loops(const srs_sim *sim)
{
  const srs_model *m = sim->model;
  for (int i = 0; i < m->n_closures; i++) {
    int link;
    double wrench[6];
    if (srs_sim_loop_wrench(sim, i, &link, wrench) != SRS_OK) continue;
    const double sign = link == m->closures[i].link[1] ? -1 : 1; // as it acts on b, or on a
    const v3 origin = sim->workspace->place[link].origin;
    for (int end = 0; end < 2; end++)
      act(sim, m->closure_ends[i].part[end], end == 1 ? sign : -sign, v3_load(wrench), v3_load(wrench + 3), origin);
  }
}

static void subtract_applied(const srs_sim *sim, const double *wrenches)
{
  const srs_model *m = sim->model;
  for (int f = 0; f < m->n_frames; f++) {
    const double *slot = wrenches + SRS_WRENCH_SIZE * (size_t)f;
    if (slot[0] == SRS_WRENCH_OFF) continue;
    const part_place at = place_of(sim->workspace, f);
    const m3 axes = slot[0] == SRS_WRENCH_LOCAL ? at.axes : m3_identity;
    act(sim, m->part_of_frame[f], -1, m3_times(axes, v3_load(slot + 1)), m3_times(axes, v3_load(slot + 4)), at.origin);
  }
}

// Of the last step; of the present state where there is none to speak of.
static srs_status find_wrenches(srs_sim *sim)
{
  const srs_model *m = sim->model;
  srs_status status = SRS_OK;
  if (!sim->has_last) status = srs_sim_acceleration(sim, sim->mean_a, NULL);
  if (status == SRS_OK)
    status = srs_forward_acceleration(sim->workspace, sim->has_last ? sim->last_q : sim->q,
                                      sim->has_last ? sim->last_v : sim->v, sim->has_last ? sim->last_a : sim->mean_a);
  sim->workspace_is_current = false;
  if (status != SRS_OK) return status;
  memset(sim->part_wrench, 0, 6 * (size_t)m->n_parts * sizeof *sim->part_wrench);
  for (int i = 0; i < m->n_parts; i++) add_motion(sim, i);
  if (sim->has_last) {
    subtract_contacts(sim);
    subtract_loops(sim);
  }
  if (sim->has_last ? sim->has_last_wrench : sim->flags[0] != 0)
    subtract_applied(sim, sim->has_last ? sim->last_wrench : sim->wrench);
  for (int i = m->n_parts - 1; i >= 0; i--) {
    const double *own = sim->part_wrench + 6 * (size_t)i;
    act(sim, m->part_parent[i], 1, v3_load(own), v3_load(own + 3), place_of(sim->workspace, i).origin);
  }
  return SRS_OK;
}

srs_status srs_sim_hinge_wrench(srs_sim *sim, int frame, srs_axes axes, double wrench[6])
{
  if (sim == NULL || wrench == NULL || frame < 0 || frame >= sim->model->n_parts || !srs_axes_known(axes))
    return SRS_ERROR_ARGUMENT;
  for (int i = 0; i < sim->model->n_closures; i++) // whose impulses are not known
    if (sim->model->closures[i].is_embedded) return SRS_ERROR_UNSUPPORTED;
  if (!sim->knows_part_wrench) {
    const srs_status status = find_wrenches(sim);
    if (status != SRS_OK) return status;
    sim->knows_part_wrench = sim->has_last; // inputs and state may change before a step is taken
  }
  memcpy(wrench, sim->part_wrench + 6 * (size_t)frame, 6 * sizeof *wrench);
  if (axes == SRS_AXES_WORLD) return SRS_OK;
  srs_place_links(sim->workspace, sim->has_last ? sim->last_q : sim->q);
  sim->workspace_is_current = false;
  const m3 own = place_of(sim->workspace, frame).axes;
  v3_store(wrench, m3_times_back(own, v3_load(wrench)));
  v3_store(wrench + 3, m3_times_back(own, v3_load(wrench + 3)));
  return SRS_OK;
}
