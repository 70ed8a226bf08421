// Joint wrenches: the wrench from parent to child across every joint of the file, fixed ones included, in the last
// step.
//
// A step changes v to v+ with the matrices at some q: a = (v+ - v) / h there is exactly the acceleration by forces and
// impulses over h. The Newton-Euler equations of each link of the file, lumped or not (a part), give from the tips
// inward the wrench in its joint:
//
//   W_i = m_i (a_i - g) - contacts - loops - applied + sum over children W_j      all about the part's origin
//
// Actuators, springs, limits and friction act along the joint's axes and are part of W_i, so they need not be known.
// The inertia of a rotor (armature) is on neither side.
//
// The step never computes the forces of an embedded loop. They are the part of W_i along the joint's axes S_i that
// exceeds the force exerted there, f_i,
//
//   (G^T lambda)_i = S_i . W_i - f_i     f = forces - extra a + impulses on coordinates / h - armature a
//
// where W_i is computed without them. The dependent joints determine lambda, up to redundant loops, for which it is the
// one of least norm. Here a is X dy/dt + drift; (v+ - v) / h lacks the drift.

#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "engine/loops/compound_rows.h"
#include "engine/loops/embedding.h"
#include "engine/rows/constraints.h"
#include "engine/step/simulation.h"
#include "topology/model/configuration.h"

#include <string.h>

typedef struct part_place {
  v3 origin;
  m3 axes;
} part_place;

SRS_INLINE v3 origin_of(const srs_workspace *w, int frame)
{
  const srs_model *m = w->model;
  const placement *p = m->frame_link[frame] < 0 ? &world_placement : &w->place[m->frame_link[frame]];
  return p->origin + m3_times_packed(p->axes, &m->frame_offset[frame]);
}

SRS_INLINE part_place place_of(const srs_workspace *w, int frame)
{
  const srs_model *m = w->model;
  const placement *p = m->frame_link[frame] < 0 ? &world_placement : &w->place[m->frame_link[frame]];
  return (part_place){origin_of(w, frame), m3_times_matrix(p->axes, &m->frame_axes[frame])};
}

// Adds a wrench on a part, with the torque about `point`; nothing for the world.
static void add_part_wrench(const srs_sim *sim, int part, double sign, v3 torque, v3 force, v3 point)
{
  if (part < 0) return;
  double *to = sim->last.part_wrench + 6 * (size_t)part;
  const v3 arm = point - origin_of(sim->workspace, part);
  v3_store(to, v3_load(to) + sign * (torque + cross(arm, force)));
  v3_store(to + 3, v3_load(to + 3) + sign * force);
}

// Adds a share of a part's m a - weight, about its origin. The workspace has the accelerations.
SRS_INLINE void add_motion(const srs_sim *sim, int part, double share)
{
  const srs_model *m = sim->model;
  const srs_workspace *w = sim->workspace;
  const int link = m->frame_link[part];
  const body b = body_in_world(m->part_inertia + 10 * (size_t)part, place_of(w, part).axes);
  v3 spin = v3_zero;
  v6 a = v6_zero;
  if (link >= 0) {
    const v3 arm = m3_times_packed(w->place[link].axes, &m->frame_offset[part]);
    spin = w->velocity[link].ang;
    a = carry_motion(w->acceleration[link], arm);
    a.lin += cross(spin, cross(spin, arm));
  }
  a.lin -= w->gravity;
  const v6 f = body_force(&b, spin, a);
  double *to = sim->last.part_wrench + 6 * (size_t)part;
  v3_store(to, v3_load(to) + share * f.ang);
  v3_store(to + 3, v3_load(to + 3) + share * f.lin);
}

SRS_KERNEL static void add_motions(const srs_sim *sim, double share)
{
  for (int i = 0; i < sim->model->n_parts; i++) add_motion(sim, i, share);
}

static void subtract_contacts(const srs_sim *sim)
{
  const srs_model *m = sim->model;
  int n;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  for (int i = 0; i < n; i++) {
    const srs_contact_point *c = &contacts[i].contact;
    const v3 force = v3_load(contacts[i].force),
             torque = contacts[i].torque * v3_load(c->normal) + v3_load(contacts[i].rolling_torque);
    add_part_wrench(sim, m->shapes[c->shape_a].frame, -1, torque, force, v3_load(c->point_a));
    add_part_wrench(sim, m->shapes[c->shape_b].frame, 1, torque, force, v3_load(c->point_b));
  }
}

// Adds a closure's wrench, given on one of its links, to both its parts, and to all that carry them where `is_carried`.
static void add_loop(const srs_sim *sim, int closure, v6 wrench, double sign, bool is_carried)
{
  const srs_model *m = sim->model;
  const int link = srs_link_of_loop(m, closure);
  if (link < 0) return; // a tendon acts on joints
  const v3 origin = sim->workspace->place[link].origin;
  for (int end = 0; end < 2; end++) {
    const double own = m->closures[closure].link[end] == link ? sign : -sign;
    for (int part = m->closure_ends[closure].part[end]; part >= 0; part = is_carried ? m->part_parent[part] : -1)
      add_part_wrench(sim, part, own, wrench.ang, wrench.lin, origin);
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
    add_part_wrench(sim, m->part_of_frame[f], -1, m3_times(axes, v3_load(slot + 1)), m3_times(axes, v3_load(slot + 4)),
                    at.origin);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Embedded loops
// ---------------------------------------------------------------------------------------------------------------------

// Whether the part is carried by its link's joint; other parts of the link hang on fixed joints.
static bool is_first_of_link(const srs_model *m, int part)
{
  const int link = m->frame_link[part], parent = m->part_parent[part];
  return link >= 0 && (parent < 0 || m->frame_link[parent] != link);
}

// The part of part_wrench along a joint's axes that exceeds load.
static void find_axial_rest(const srs_sim *sim, int part, const double *load, double *rest)
{
  const srs_workspace *w = sim->workspace;
  const int link = sim->model->frame_link[part];
  const double *own = sim->last.part_wrench + 6 * (size_t)part;
  const v3 force = v3_load(own + 3), arm = origin_of(w, part) - w->place[link].origin;
  const v6 wrench = {v3_load(own) + cross(arm, force), force};
  for (int i = sim->model->v_index[link]; i < sim->model->v_index[link + 1]; i++)
    rest[i] = v6_dot(joint_column(w, link, i), wrench) - load[i];
}

// Finds the embedded loops' wrenches, and adds their effects to part_wrench, which has all other terms.
static srs_status add_embedded(srs_sim *sim, const double *q, const double *load)
{
  const srs_model *m = sim->model;
  srs_workspace *w = sim->workspace;
  const struct srs_embedding *e = w->embedding;
  const srs_status status = srs_embedding_map(w, q);
  if (status != SRS_OK) return status;
  memset(sim->last.embedded_wrench, 0, 6 * (size_t)m->n_closures * sizeof *sim->last.embedded_wrench);
  for (int i = 0; i < m->n_parts; i++)
    if (is_first_of_link(m, i) && e->of_link[m->frame_link[i]] >= 0) find_axial_rest(sim, i, load, e->dv);
  for (int i = 0; i < e->n_compounds; i++) {
    srs_compound *c = &e->compounds[i];
    for (int j = 0; j < c->n_dependent; j++) c->right[j] = e->dv[c->v[c->dependent[c->order[j]]]];
    srs_compound_loads(c, c->right);
    for (int r = 0; r < c->n_rows; r++) {
      const srs_closure_row *row = &e->loops[c->rows[r]];
      double *wrench = sim->last.embedded_wrench + 6 * (size_t)row->closure;
      for (int side = 0; side < row->row.n_sides; side++)
        if (row->row.link[side] == srs_link_of_loop(m, row->closure))
          v6_store(wrench, v6_add_scaled(v6_load(wrench), c->right[r], row->row.wrench[side]));
    }
  }
  for (int i = 0; i < m->n_closures; i++)
    if (m->closures[i].is_embedded) add_loop(sim, i, v6_load(sim->last.embedded_wrench + 6 * (size_t)i), -1, true);
  return SRS_OK;
}

// Finds the wrenches of the last step, or of the present state where there is no last step.
static srs_status find_wrenches(srs_sim *sim)
{
  const srs_model *m = sim->model;
  const bool is_last = sim->last.exists, is_embedded = sim->workspace->embedding != NULL;
  const double *q = is_last ? sim->last.q : sim->state.q, *a = is_last ? sim->last.a : sim->step.mean_a;
  srs_status status = SRS_OK;
  if (!is_last) status = srs_sim_acceleration(sim, sim->step.mean_a, NULL);
  if (!is_last && is_embedded) srs_find_loads(m, sim->options.dt, sim->step.force, NULL, a, NULL, sim->last.load);
  memset(sim->last.part_wrench, 0, 6 * (size_t)m->n_parts * sizeof *sim->last.part_wrench);
  const int halves = is_last && sim->last.has_halves ? 2 : 1; // the velocity terms are the mean of both
  for (int half = 0; half < halves && status == SRS_OK; half++) {
    const double *v = !is_last ? sim->step.embedded_v : half == 0 ? sim->last.v : sim->last.second_v;
    status = srs_forward_acceleration(sim->workspace, q, v, a);
    if (status == SRS_OK) add_motions(sim, 1.0 / halves);
  }
  sim->workspace_is_current = false;
  if (status != SRS_OK) return status;
  if (is_last) {
    subtract_contacts(sim);
    for (int i = 0; i < m->n_closures; i++) add_loop(sim, i, sim->constraints->loop_wrench[i], -1, false);
  }
  if (is_last ? sim->last.has_wrench : *sim->state.inputs.has_wrench != 0)
    subtract_applied(sim, is_last ? sim->last.wrench : sim->state.inputs.wrench);
  for (int i = m->n_parts - 1; i >= 0; i--) {
    const double *own = sim->last.part_wrench + 6 * (size_t)i;
    add_part_wrench(sim, m->part_parent[i], 1, v3_load(own), v3_load(own + 3), origin_of(sim->workspace, i));
  }
  return is_embedded ? add_embedded(sim, q, sim->last.load) : SRS_OK;
}

// Finds the wrenches once per step.
static srs_status ensure_wrenches(srs_sim *sim)
{
  if (sim->last.has_part_wrench) return SRS_OK;
  const srs_status status = find_wrenches(sim);
  sim->last.has_part_wrench =
      status == SRS_OK && sim->last.exists; // without a last step, inputs and state may still change
  return status;
}

srs_status srs_sim_loop_wrench(srs_sim *sim, int loop, int *link, double wrench[6])
{
  if (sim == NULL || wrench == NULL || loop < 0 || loop >= srs_model_n_loops(sim->model)) return SRS_ERROR_ARGUMENT;
  if (link != NULL) *link = srs_link_of_loop(sim->model, loop);
  v6_store(wrench, sim->constraints->loop_wrench[loop]);
  if (!sim->last.exists || !srs_loop_is_embedded(sim->model, loop)) return SRS_OK;
  const srs_status status = ensure_wrenches(sim);
  for (int i = 0; i < 6 && status == SRS_OK; i++) wrench[i] += sim->last.embedded_wrench[6 * (size_t)loop + (size_t)i];
  if (status != SRS_OK) return status;
  return srs_first_not_finite(wrench, 6) < 0 ? SRS_OK : SRS_ERROR_DIVERGED;
}

srs_status srs_sim_joint_wrench(srs_sim *sim, int frame, srs_axes axes, double wrench[6])
{
  if (sim == NULL || wrench == NULL || frame < 0 || frame >= sim->model->n_parts || !srs_axes_known(axes))
    return SRS_ERROR_ARGUMENT;
  const srs_status status = ensure_wrenches(sim);
  if (status != SRS_OK) return status;
  memcpy(wrench, sim->last.part_wrench + 6 * (size_t)frame, 6 * sizeof *wrench);
  if (srs_first_not_finite(wrench, 6) >= 0) return SRS_ERROR_DIVERGED;
  if (axes == SRS_AXES_WORLD) return SRS_OK;
  srs_place_links(sim->workspace, sim->last.exists ? sim->last.q : sim->state.q);
  sim->workspace_is_current = false;
  const m3 own = place_of(sim->workspace, frame).axes;
  v3_store(wrench, m3_times_back(own, v3_load(wrench)));
  v3_store(wrench + 3, m3_times_back(own, v3_load(wrench + 3)));
  return SRS_OK;
}
