// How far towards a step's end the midpoint schemes take dampers, springs and servos: theta of each coordinate.
//
//   M (v+ - v) = h (tau - c - D v~ - K (q~ - q_ref)),   v~ = v + Theta (v+ - v),   q~ = q + Theta h v~,   q+ = q + h v~
//
// Theta, D, K diagonal. theta = 1/2 is the midpoint rule, of order 2, which keeps the energy of springs; theta = 1 is
// implicit Euler. A mode e^(s t) changes in a step by the factor (1 + (1 - theta) h s) / (1 - theta h s). At theta =
// 1/2 it tends to -1 for stiff modes: they ring. So a coordinate has 1/2 as long as that is right, and more beyond:
//
//   dampers   sum over a tree of (1 - theta_i) h d_i mu_i <= 0.9,   mu_i = (M^-1)_ii
//   springs   (1 - theta_i) h sqrt(k_i mu_i) <= 1
//
// each theta as low as it may be; dampers too stiff for 1/2 have equal parts of the sum. So a single damper departs
// from 1/2 at h d mu = 1.8 and a single spring at h omega = 2, and both tend to implicit Euler.
//
// No growth, for any theta_i in [1/2, 1]: with r = 1 / (lambda - 1) an eigenvector v of the step has
//   v* M v + sum h d_i (theta_i + r) |v_i|^2 + sum h^2 k_i (theta_i + r)^2 |v_i|^2 = 0.
// |lambda| > 1 means Re r > -1/2, so Re (theta_i + r) > 0. The imaginary part then says Im r = 0, and the real part is
// positive: there is none.
//
// No sign changes by dampers: lambda < 0 means -1 < r < 0, where the equation needs sum h d_i (1 - theta_i) |v_i|^2 >
// v* M v. But |v_i|^2 <= mu_i v* M v, so a sum up to 1 excludes it; 0.9 leaves room for rounding and for mu as it
// changes in a step. Contacts, loops and limits only take mobility away, so this holds with them.
//
// mu is that of the tree: at q^m for moreau-midpoint, at q for implicit-moreau. A loop joint's is bounded by that of
// its two links: sqrt(mu) <= sqrt(mu_a) + sqrt(mu_b); a tendon's likewise by its joints', each times |c|. A bound that
// holds at any q saves finding mu where all is mild: links are heavier in a tree than alone, so for a hinge's axis z
//
//   1/mu >= armature + 1 / (z . J^-1 z of the link + the same of its parent),   J about the mass centre

#include "engine/step/theta.h"
#include "engine/dynamics/delassus.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "engine/rows/constraints.h"
#include "engine/step/simulation.h"

#include <math.h>

static const double damping_budget = 0.9;

// ---------------------------------------------------------------------------------------------------------------------
// The most that coordinates are moved by a unit force, at any configuration
// ---------------------------------------------------------------------------------------------------------------------

// z . J^-1 z, J the inertia about the mass centre: the turn about z that a unit torque gives to the body alone.
SRS_INLINE double turn_alone(const body *b, v3 z)
{
  if (!(b->mass > 0)) return INFINITY;
  const v3 r = (1 / b->mass) * b->moment;
  const double square = dot(r, r);
  const m3 I = m3_from_s3(b->inertia);
  const m3 J = {I.x - b->mass * (square * m3_identity.x - r[0] * r),
                I.y - b->mass * (square * m3_identity.y - r[1] * r),
                I.z - b->mass * (square * m3_identity.z - r[2] * r)};
  const double trace = J.x[0] + J.y[1] + J.z[2], determinant = dot(J.x, cross(J.y, J.z));
  if (!(determinant > 1e-10 * trace * trace * trace)) return INFINITY;
  return (z[0] * dot(z, cross(J.y, J.z)) + z[1] * dot(z, cross(J.z, J.x)) + z[2] * dot(z, cross(J.x, J.y))) /
         determinant;
}

// The same of a joint's link about its axis, which a fixed parent holds.
SRS_KERNEL static double most_turn(const srs_workspace *w, int k)
{
  const srs_model *m = w->model;
  const int p = m->parent[k];
  const v3 z = w->place[k].axes.z;
  const body own = body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes);
  if (p < 0) return 1 / dot(z, s33_times(own.inertia, z));
  const body carrier = body_in_world(m->inertia + 10 * (size_t)p, w->place[p].axes);
  return turn_alone(&own, z) + turn_alone(&carrier, z);
}

void srs_bound_mobilities(srs_sim *sim)
{
  const srs_model *m = sim->model;
  srs_place_links(sim->workspace, m->neutral);
  for (int k = 0; k < m->n_links; k++)
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++)
      sim->step.mobility_most[i] =
          turns_only(m, k) ? 1 / (m->armature[i] + 1 / most_turn(sim->workspace, k)) : INFINITY;
}

// ---------------------------------------------------------------------------------------------------------------------
// Gains
// ---------------------------------------------------------------------------------------------------------------------

// Gains of a coordinate: what acts against its velocity, and against its position.
typedef struct gains {
  double damping, stiffness;
} gains;

static gains gains_of_coordinate(const srs_sim *sim, int i)
{
  const srs_inputs *in = &sim->state.inputs;
  return (gains){sim->model->damping[i] + in->kd[i], sim->model->stiffness[i] + in->kp[i]};
}

static gains gains_of_loop_joint(const srs_sim *sim, int closure)
{
  const srs_loop_joint *j = &sim->model->closures[closure].joint;
  const double *actuator = sim->state.inputs.loop_joint_actuator + SRS_LOOP_JOINT_ACTUATOR * (size_t)closure;
  return (gains){j->damping + actuator[4], j->stiffness + actuator[3]};
}

static bool any_gains(gains g) { return g.damping > 0 || g.stiffness > 0; }

// How stiff gains are for a step: (h d mu, h sqrt(k mu)).
static void measure_gains(gains g, double h, double mobility, double *damping, double *stiffness)
{
  *damping = g.damping > 0 ? h * g.damping * mobility : 0;
  *stiffness = g.stiffness > 0 ? h * sqrt(g.stiffness * mobility) : 0;
}

// @param mobility  nv: of coordinates
static double loop_joint_mobility(const srs_workspace *w, const double *mobility, int closure)
{
  srs_step_row row;
  double root = 0;
  srs_closure_coordinate_row(w, closure, &row);
  for (int i = 0; i < row.n_sides; i++)
    root += row.is_coordinate[i] ? fabs(row.coefficient[i]) * sqrt(mobility[row.coordinate[i]])
                                 : sqrt(srs_link_mobility(w, row.link[i], &row.wrench[i]));
  return root * root;
}

// The most that one damper may have of the sum over its tree. Those that need less at 1/2 leave the rest to the others.
static double damping_share(const double *rate, int n)
{
  for (double share = 0;;) {
    double left = damping_budget;
    int n_stiff = 0;
    for (int i = 0; i < n; i++)
      if (0.5 * rate[i] > share)
        n_stiff++;
      else
        left -= 0.5 * rate[i];
    if (n_stiff == 0) return INFINITY;
    if (!(left / n_stiff > share)) return share;
    share = left / n_stiff;
  }
}

// Sets theta of n coordinates, whose stiffnesses it holds; returns whether one exceeds 1/2.
static bool weigh(const double *rate, int n, double *theta)
{
  const double share = damping_share(rate, n);
  bool any = false;
  for (int i = 0; i < n; i++) {
    const double stiffness = theta[i];
    theta[i] = 0.5;
    if (0.5 * rate[i] > share) theta[i] = 1 - share / rate[i];
    if (0.5 * stiffness > 1) theta[i] = fmax(theta[i], 1 - 1 / stiffness);
    any = any || theta[i] > 0.5;
  }
  return any;
}

static bool weigh_trees(const srs_model *m, const double *rate, double *theta)
{
  bool any = false;
  for (int k = 0; k < m->n_links; k = m->subtree_end[k]) {
    const int first = m->v_index[k], end = m->v_index[m->subtree_end[k]];
    any = weigh(rate + first, end - first, theta + first) || any;
  }
  return any;
}

static bool weigh_bounds(const srs_sim *sim, double *rate, double *theta)
{
  for (int i = 0; i < sim->model->nv; i++)
    measure_gains(gains_of_coordinate(sim, i), sim->options.dt, sim->step.mobility_most[i], &rate[i], &theta[i]);
  return weigh_trees(sim->model, rate, theta);
}

void srs_find_theta(srs_sim *sim, const double *q)
{
  const srs_model *m = sim->model;
  const double h = sim->options.dt;
  double *theta = sim->step.theta_memory, *rate = sim->step.damping_rate;
  bool in_tree = false, in_loops = false;
  for (int i = 0; i < m->nv && !in_tree; i++) in_tree = any_gains(gains_of_coordinate(sim, i));
  for (int i = 0; i < m->n_closures && !in_loops; i++) in_loops = any_gains(gains_of_loop_joint(sim, i));
  sim->step.theta = NULL;
  if (!in_loops && (!in_tree || !weigh_bounds(sim, rate, theta))) return;
  int bad;
  srs_place_links(sim->workspace, q);
  const bool moves_freely = srs_find_pivots(sim->workspace, NULL, &bad) != SRS_OK; // something has no inertia
  if (!moves_freely) srs_find_mobilities(sim->workspace, rate);
  for (int i = 0; i < m->n_closures; i++) {
    const gains g = gains_of_loop_joint(sim, i);
    const bool has_mobility = any_gains(g) && !moves_freely;
    measure_gains(g, h, has_mobility ? loop_joint_mobility(sim->workspace, rate, i) : INFINITY, &rate[m->nv + i],
                  &theta[m->nv + i]);
  }
  for (int i = 0; i < m->nv; i++)
    measure_gains(gains_of_coordinate(sim, i), h, moves_freely ? INFINITY : rate[i], &rate[i], &theta[i]);
  const bool any = in_loops ? weigh(rate, m->nv + m->n_closures, theta) : weigh_trees(m, rate, theta);
  if (any) sim->step.theta = theta;
}
