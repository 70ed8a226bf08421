// The memory of the recursions, and the small steps that all of them share. Internal.
//
// All quantities are in WORLD axes, taken at each link's OWN origin. So going from a link to its parent never rotates
// anything, it only moves the point by `arm`, and nothing grows with the distance from the world's origin.
// Accelerations are classical. With columns s_i = [ang; lin] of the joint, w_J = sum ang v_i, u_J = sum lin v_i:
//
//   w = w_p + w_J                     alpha = alpha_p + w_p x w_J + (universal: s1 v1 x s2 v2) + sum ang a_i
//   v = v_p + w_p x arm + u_J         a = a_p + alpha_p x arm + w_p x (w_p x arm + 2 u_J) + sum lin a_i
//
// because every angular column but universal's second and the link-fixed ones turns with the parent (and those add
// w_J x w_J = 0), and every linear column does.
#pragma once
#include "engine/dynamics/lanes.h"
#include "topology/base/kernel.h"
#include "topology/model/model.h"
#include <sarrus/engine.h>

typedef struct placement {
  m3 axes;   // the turned frame
  v3 origin; // of the link in the world
  v3 arm;    // the origin seen from the parent's (for a root: from the world's)
} placement;

// A rigid body about its link's origin.
typedef struct body {
  m3 inertia;
  v3 moment; // mass * centre
  double mass;
} body;

// An articulated body's inertia about its link's origin: [torque; force] = [J K^T; K M] [alpha; a]. J and M are
// symmetric.
typedef struct articulated {
  m3 J, K, M;
} articulated;

// What eliminating one coordinate leaves behind: U = P s, 1/D, and u = its share of the force.
typedef struct pivot {
  v6 U;
  double D_inverse;
  double u;
} pivot;

// One row of a constraint: the unit force that it exerts, on a link (-1: the world), about the link's origin, world
// axes; or the generalised force `coefficient` on one coordinate of the link's joint.
typedef struct srs_row {
  int link;
  int coordinate; // -1: a force on the link
  double coefficient;
  v6 force; // zero with a coordinate
} srs_row;

struct srs_workspace {
  const srs_model *model;
  v3 gravity;
  int state_level;       // 0 nothing yet, 1 placements, 2 velocities, 3 accelerations: what the getters may show
  bool has_joint_forces; // `force` is what srs_inverse_dynamics found

  placement *place;         // n_links
  v6 *velocity;             // n_links
  v6 *acceleration;         // n_links
  v6 *force;                // n_links
  body *bodies;             // n_links
  articulated *articulated; // n_links
  pivot *pivots;            // nv
  v6 *column;               // nv: filled for joints with more than one coordinate
  double *cosine, *sine;    // n_angles (padded)
  double *rows;             // 6 x nv (padded): forces of unit motions, for the mass matrix
  double *scratch_v;        // nv
  double *zero_v;           // nv zeros
  size_t v_stride;          // distance between the six rows

  // Operational space.
  articulated *upsilon; // n_links: [lin-lin lin-ang; . ang-ang], see operational_space.c
  srs_row *node_rows;   // row_capacity: rows as given
  double *node_force;   // 6 x row_capacity: forces of the rows sorted by link
  double *node_product; // row_capacity: products of one row with others
  int *node_order;      // row_capacity: caller's index of each sorted row
  int *node_fill;       // n_links, zero between calls
  int *row_begin;       // n_links + 1: first sorted row of each link
  int *root;            // n_links: the root of each link's tree
  const int *tree;      // n_links: the same, or where embedded loops tie trees together, the first one's
  int row_capacity;

  struct srs_embedding *embedding; // NULL where the model embeds no loop
  bool is_embedded;                // the recursions of forward dynamics and of Lambda are those of embedding.h

  srs_error error;
  void *memory, *row_memory;
};

// ---------------------------------------------------------------------------------------------------------------------
// Shared steps
// ---------------------------------------------------------------------------------------------------------------------

/// Sines and cosines of the configuration's angles into the workspace.
void srs_workspace_angles(srs_workspace *w, const double *q);

static inline bool srs_axes_known(srs_axes axes) { return axes == SRS_AXES_WORLD || axes == SRS_AXES_LOCAL; }

/// Index of the first entry that is NaN or infinite, -1 when there is none.
int srs_first_not_finite(const double *x, int n);

/// Refuses non-finite input by name: fills w->error. what: "q", "v", …
srs_status srs_check_finite(srs_workspace *w, const char *what, const double *x, int n);
srs_status srs_workspace_singular(srs_workspace *w, int v_index); // names the joint that nothing resists
srs_status srs_workspace_fail(srs_workspace *w, srs_status status, const char *subject, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Kinematics without checks, for callers inside the engine. a may be NULL for level 2.
void srs_place_links(srs_workspace *w, const double *q);
void srs_move_links(srs_workspace *w, const double *v);
void srs_accelerate_links(srs_workspace *w, const double *v, const double *a);

/// Forward dynamics without checks: (M + diag(extra)) a = tau - c + J^T f. extra may be NULL.
/// On SRS_ERROR_SINGULAR *bad_v is the coordinate that nothing resists.
srs_status srs_solve_forward(srs_workspace *w, const double *q, const double *v, const double *tau, const double *extra,
                             const double *wrenches, double *a, int *bad_v);

static const placement world_placement = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {0, 0, 0, 0}, {0, 0, 0, 0}};

// Where link k is, given its parent. Joints with more than one coordinate leave their columns at `column`.
SRS_INLINE placement place_link(const srs_model *m, int k, const placement *parent, const double *q,
                                const double *cosine, const double *sine, v6 *column)
{
  m3 r = m3_times_matrix(parent->axes, &m->turn[k]);
  v3 arm = m3_times_packed(parent->axes, &m->offset[k]);
  const int angle = m->first_angle[k];
  const double *x = q + m->q_index[k];
  v6 *s = column + m->v_index[k];
  switch ((srs_joint_kind)m->kind[k]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: r = turn_about_z(r, cosine[angle], sine[angle]); break;
  case SRS_JOINT_PRISMATIC: arm += x[0] * r.z; break;
  case SRS_JOINT_HELICAL:
    arm += m->pitch[k] * x[0] * r.z;
    r = turn_about_z(r, cosine[angle], sine[angle]);
    break;
  case SRS_JOINT_CYLINDRICAL:
    s[0] = (v6){r.z, v3_zero};
    s[1] = (v6){v3_zero, r.z};
    arm += x[1] * r.z;
    r = turn_about_z(r, cosine[angle], sine[angle]);
    break;
  case SRS_JOINT_UNIVERSAL:
    s[0] = (v6){r.z, v3_zero};
    r = m3_times_matrix(turn_about_z(r, cosine[angle], sine[angle]), &m->turn2[k]);
    s[1] = (v6){r.z, v3_zero};
    r = turn_about_z(r, cosine[angle + 1], sine[angle + 1]);
    break;
  case SRS_JOINT_PLANAR:
    s[0] = (v6){v3_zero, r.x};
    s[1] = (v6){v3_zero, r.y};
    s[2] = (v6){r.z, v3_zero};
    arm += x[0] * r.x + x[1] * r.y;
    r = turn_about_z(r, cosine[angle], sine[angle]);
    break;
  case SRS_JOINT_SPHERICAL: {
    const mat3 turned = mat3_from_quaternion(x);
    r = m3_times_matrix(r, &turned);
    s[0] = (v6){r.x, v3_zero};
    s[1] = (v6){r.y, v3_zero};
    s[2] = (v6){r.z, v3_zero};
    break;
  }
  case SRS_JOINT_FREE: {
    const mat3 turned = mat3_from_quaternion(x + 3);
    s[0] = (v6){v3_zero, r.x};
    s[1] = (v6){v3_zero, r.y};
    s[2] = (v6){v3_zero, r.z};
    arm += x[0] * r.x + x[1] * r.y + x[2] * r.z;
    r = m3_times_matrix(r, &turned);
    s[3] = (v6){r.x, v3_zero};
    s[4] = (v6){r.y, v3_zero};
    s[5] = (v6){r.z, v3_zero};
    break;
  }
  case SRS_JOINT_FIXED: break;
  }
  return (placement){r, parent->origin + arm, arm};
}

// The joint's columns times x: what moving its coordinates at rates x does to the link.
SRS_INLINE v6 joint_motion(const srs_model *m, int k, v3 z, const v6 *column, const double *x)
{
  const int i = m->v_index[k];
  switch ((srs_joint_kind)m->kind[k]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: return (v6){x[i] * z, v3_zero};
  case SRS_JOINT_PRISMATIC: return (v6){v3_zero, x[i] * z};
  case SRS_JOINT_HELICAL: return (v6){x[i] * z, m->pitch[k] * x[i] * z};
  case SRS_JOINT_FIXED: return v6_zero;
  case SRS_JOINT_CYLINDRICAL:
  case SRS_JOINT_UNIVERSAL:
  case SRS_JOINT_SPHERICAL:
  case SRS_JOINT_PLANAR:
  case SRS_JOINT_FREE: break;
  }
  v6 sum = v6_zero;
  for (int j = i; j < m->v_index[k + 1]; j++) sum = v6_add_scaled(sum, x[j], column[j]);
  return sum;
}

// One coordinate's column, whatever the joint.
SRS_INLINE v6 joint_column(const srs_workspace *w, int k, int i)
{
  const v3 z = w->place[k].axes.z;
  switch ((srs_joint_kind)w->model->kind[k]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: return (v6){z, v3_zero};
  case SRS_JOINT_PRISMATIC: return (v6){v3_zero, z};
  case SRS_JOINT_HELICAL: return (v6){z, w->model->pitch[k] * z};
  case SRS_JOINT_FIXED:
  case SRS_JOINT_CYLINDRICAL:
  case SRS_JOINT_UNIVERSAL:
  case SRS_JOINT_SPHERICAL:
  case SRS_JOINT_PLANAR:
  case SRS_JOINT_FREE: break;
  }
  return w->column[i];
}

SRS_INLINE bool turns_only(const srs_model *m, int k)
{
  return m->kind[k] == SRS_JOINT_REVOLUTE || m->kind[k] == SRS_JOINT_CONTINUOUS;
}

// The acceleration of link k that its parent's motion and its own joint rates give it, joint accelerations left out.
// rate is joint_motion of v.
SRS_INLINE v6 carry_acceleration(const srs_model *m, int k, v6 parent, v3 parent_w, v3 arm, v6 rate, const v6 *column,
                                 const double *v)
{
  v6 a;
  a.ang = parent.ang + cross(parent_w, rate.ang);
  v3 swing = cross(parent_w, arm);
  if (!turns_only(m, k)) {
    swing += 2 * rate.lin;
    if (m->kind[k] == SRS_JOINT_UNIVERSAL) {
      const int i = m->v_index[k];
      a.ang += v[i] * v[i + 1] * cross(column[i].ang, column[i + 1].ang);
    }
  }
  a.lin = parent.lin + cross(parent.ang, arm) + cross(parent_w, swing);
  return a;
}

// R I R^T: columns of R I, then each scaled by what R^T has in it.
SRS_INLINE m3 turned_inertia(const double *t, m3 r)
{
  const v3 a = t[0] * r.x + t[3] * r.y + t[4] * r.z;
  const v3 b = t[3] * r.x + t[1] * r.y + t[5] * r.z;
  const v3 c = t[4] * r.x + t[5] * r.y + t[2] * r.z;
  return (m3){spread_x(r.x) * a + spread_x(r.y) * b + spread_x(r.z) * c,
              spread_y(r.x) * a + spread_y(r.y) * b + spread_y(r.z) * c,
              spread_z(r.x) * a + spread_z(r.y) * b + spread_z(r.z) * c};
}

SRS_INLINE body body_in_world(const double *inertia, m3 axes)
{
  const v3 moment = inertia[1] * axes.x + inertia[2] * axes.y + inertia[3] * axes.z;
  return (body){turned_inertia(inertia + 4, axes), moment, inertia[0]};
}

// The wrench that gives a body this acceleration at this angular velocity.
SRS_INLINE v6 body_force(const body *b, v3 w, v6 a)
{
  return (v6){m3_times(b->inertia, a.ang) + cross(w, m3_times(b->inertia, w)) + cross(b->moment, a.lin),
              b->mass * a.lin + cross(a.ang, b->moment) + cross(w, cross(w, b->moment))};
}

// Its momentum.
SRS_INLINE v6 body_momentum(const body *b, v6 v)
{
  return (v6){m3_times(b->inertia, v.ang) + cross(b->moment, v.lin), b->mass * v.lin + cross(v.ang, b->moment)};
}
