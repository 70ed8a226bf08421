// The memory of the recursions, and the small steps that all of them share. Internal.
//
// All quantities are in WORLD axes, taken at each link's OWN origin. So going from a link to its parent never rotates
// anything, it only moves the point by `arm`, and nothing grows with the distance from the world's origin.
// Accelerations are classical. With columns s_i = [ang; lin] of the hinge, w_J = sum ang v_i, u_J = sum lin v_i:
//
//   w = w_p + w_J                     alpha = alpha_p + w_p x w_J + (universal: s1 v1 x s2 v2) + sum ang a_i
//   v = v_p + w_p x arm + u_J         a = a_p + alpha_p x arm + w_p x (w_p x arm + 2 u_J) + sum lin a_i
//
// because every angular column but universal's second and the link-fixed ones turns with the parent (and those add
// w_J x w_J = 0), and every linear column does.
#pragma once
#include "topology/model.h"
#include <sarrus/engine.h>

// Kernels are compiled twice and chosen at load time: for any processor of the architecture, and for those with AVX2
// and FMA. Everything they call is always_inline, so that each copy is whole.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&                       \
    !defined(SARRUS_SANITIZE)
#define SRS_KERNEL __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define SRS_KERNEL
#endif

typedef struct placement {
  mat3 axes;   // the turned frame
  vec3 origin; // of the link in the world
  vec3 arm;    // the origin seen from the parent's (for a root: from the world's)
} placement;

// A rigid body about its link's origin.
typedef struct body {
  double mass;
  vec3 moment; // mass * centre
  sym3 inertia;
} body;

// An articulated body's inertia about its link's origin: [torque; force] = [J H; H^T M] [alpha; a].
typedef struct articulated {
  sym3 J;
  mat3 H;
  sym3 M;
} articulated;

// What eliminating one coordinate leaves behind: U = P s, 1/D, and u = its share of the force.
typedef struct pivot {
  spatial U;
  double D_inverse;
  double u;
} pivot;

// One row of a constraint: the unit force that it exerts, on a link (-1: the world), about the link's origin, world
// axes.
typedef struct srs_row {
  int link;
  spatial force;
} srs_row;

struct srs_workspace {
  const srs_model *model;
  vec3 gravity;
  int state_level; // 0 nothing yet, 1 placements, 2 velocities, 3 accelerations: what the getters may show

  placement *place;         // n_links
  spatial *velocity;        // n_links
  spatial *acceleration;    // n_links
  spatial *force;           // n_links
  body *bodies;             // n_links
  articulated *articulated; // n_links
  pivot *pivots;            // nv
  spatial *column;          // nv: filled for hinges with more than one coordinate
  double *cosine, *sine;    // n_angles (padded)
  double *rows;             // 6 x nv (padded): forces of unit motions, for the mass matrix
  double *scratch_v;        // nv
  double *zero_v;           // nv zeros
  size_t v_stride;          // distance between the six rows

  // Operational space.
  articulated *upsilon; // n_links: [lin-lin lin-ang; . ang-ang], see operational_space.c
  srs_row *node_rows;   // row_capacity: rows as given
  double *node_force;   // 6 x row_capacity: forces of the rows sorted by link
  int *node_order;      // row_capacity: caller's index of each sorted row
  int *node_fill;       // n_links, zero between calls
  int *row_begin;       // n_links + 1: first sorted row of each link
  int *root;            // n_links: the root of each link's tree
  int row_capacity;

  srs_error error;
  void *memory, *row_memory;
};

// ---------------------------------------------------------------------------------------------------------------------
// Shared steps
// ---------------------------------------------------------------------------------------------------------------------

/// Sines and cosines of the configuration's angles into the workspace.
void srs_workspace_angles(srs_workspace *w, const double *q);

/// Refuses non-finite input by name: fills w->error. what: "q", "v", …
srs_status srs_check_finite(srs_workspace *w, const char *what, const double *x, int n);
srs_status srs_workspace_singular(srs_workspace *w, int v_index); // names the hinge that nothing resists
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

SRS_INLINE mat3 turn_about_z(mat3 r, double c, double s)
{
  return (mat3){add_scaled3(scale3(c, r.x), s, r.y), add_scaled3(scale3(c, r.y), -s, r.x), r.z};
}

static const placement world_placement = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, {0, 0, 0}};
static const spatial spatial_zero = {{0, 0, 0}, {0, 0, 0}};

SRS_INLINE spatial add6(spatial a, spatial b) { return (spatial){add3(a.ang, b.ang), add3(a.lin, b.lin)}; }
SRS_INLINE spatial add_scaled6(spatial a, double s, spatial b)
{
  return (spatial){add_scaled3(a.ang, s, b.ang), add_scaled3(a.lin, s, b.lin)};
}
SRS_INLINE double dot6(spatial a, spatial b) { return dot3(a.ang, b.ang) + dot3(a.lin, b.lin); }

// A motion (velocity, or acceleration without its velocity terms) carried from the parent's origin along the arm.
SRS_INLINE spatial carry_motion(spatial m, vec3 arm) { return (spatial){m.ang, add3(m.lin, cross3(m.ang, arm))}; }
// A force brought back to the parent's origin.
SRS_INLINE spatial carry_force(spatial f, vec3 arm) { return (spatial){add3(f.ang, cross3(arm, f.lin)), f.lin}; }

// Where link k is, given its parent. Hinges with more than one coordinate leave their columns at `column`.
SRS_INLINE placement place_link(const srs_model *m, int k, const placement *parent, const double *q,
                                const double *cosine, const double *sine, spatial *column)
{
  mat3 r = mul3(parent->axes, m->turn[k]);
  vec3 arm = rotate(parent->axes, m->offset[k]);
  const int angle = m->first_angle[k];
  const double *x = q + m->q_index[k];
  spatial *s = column + m->v_index[k];
  switch ((srs_hinge_kind)m->kind[k]) {
  case SRS_HINGE_REVOLUTE:
  case SRS_HINGE_CONTINUOUS: r = turn_about_z(r, cosine[angle], sine[angle]); break;
  case SRS_HINGE_PRISMATIC: arm = add_scaled3(arm, x[0], r.z); break;
  case SRS_HINGE_HELICAL:
    arm = add_scaled3(arm, m->pitch[k] * x[0], r.z);
    r = turn_about_z(r, cosine[angle], sine[angle]);
    break;
  case SRS_HINGE_CYLINDRICAL:
    s[0] = (spatial){r.z, vec3_zero};
    s[1] = (spatial){vec3_zero, r.z};
    arm = add_scaled3(arm, x[1], r.z);
    r = turn_about_z(r, cosine[angle], sine[angle]);
    break;
  case SRS_HINGE_UNIVERSAL:
    s[0] = (spatial){r.z, vec3_zero};
    r = mul3(turn_about_z(r, cosine[angle], sine[angle]), m->turn2[k]);
    s[1] = (spatial){r.z, vec3_zero};
    r = turn_about_z(r, cosine[angle + 1], sine[angle + 1]);
    break;
  case SRS_HINGE_PLANAR:
    s[0] = (spatial){vec3_zero, r.x};
    s[1] = (spatial){vec3_zero, r.y};
    s[2] = (spatial){r.z, vec3_zero};
    arm = add_scaled3(add_scaled3(arm, x[0], r.x), x[1], r.y);
    r = turn_about_z(r, cosine[angle], sine[angle]);
    break;
  case SRS_HINGE_SPHERICAL:
    r = mul3(r, mat3_from_quaternion(x));
    s[0] = (spatial){r.x, vec3_zero};
    s[1] = (spatial){r.y, vec3_zero};
    s[2] = (spatial){r.z, vec3_zero};
    break;
  case SRS_HINGE_FREE:
    s[0] = (spatial){vec3_zero, r.x};
    s[1] = (spatial){vec3_zero, r.y};
    s[2] = (spatial){vec3_zero, r.z};
    arm = add3(arm, rotate(r, vec3_load(x)));
    r = mul3(r, mat3_from_quaternion(x + 3));
    s[3] = (spatial){r.x, vec3_zero};
    s[4] = (spatial){r.y, vec3_zero};
    s[5] = (spatial){r.z, vec3_zero};
    break;
  case SRS_HINGE_FIXED: break;
  }
  return (placement){r, add3(parent->origin, arm), arm};
}

// The hinge's columns times x: what moving its coordinates at rates x does to the link.
SRS_INLINE spatial hinge_motion(const srs_model *m, int k, vec3 z, const spatial *column, const double *x)
{
  const int i = m->v_index[k];
  switch ((srs_hinge_kind)m->kind[k]) {
  case SRS_HINGE_REVOLUTE:
  case SRS_HINGE_CONTINUOUS: return (spatial){scale3(x[i], z), vec3_zero};
  case SRS_HINGE_PRISMATIC: return (spatial){vec3_zero, scale3(x[i], z)};
  case SRS_HINGE_HELICAL: return (spatial){scale3(x[i], z), scale3(m->pitch[k] * x[i], z)};
  case SRS_HINGE_FIXED: return spatial_zero;
  case SRS_HINGE_CYLINDRICAL:
  case SRS_HINGE_UNIVERSAL:
  case SRS_HINGE_SPHERICAL:
  case SRS_HINGE_PLANAR:
  case SRS_HINGE_FREE: break;
  }
  spatial sum = spatial_zero;
  for (int j = i; j < m->v_index[k + 1]; j++) sum = add_scaled6(sum, x[j], column[j]);
  return sum;
}

// One coordinate's column, whatever the hinge.
SRS_INLINE spatial hinge_column(const srs_workspace *w, int k, int i)
{
  const vec3 z = w->place[k].axes.z;
  switch ((srs_hinge_kind)w->model->kind[k]) {
  case SRS_HINGE_REVOLUTE:
  case SRS_HINGE_CONTINUOUS: return (spatial){z, vec3_zero};
  case SRS_HINGE_PRISMATIC: return (spatial){vec3_zero, z};
  case SRS_HINGE_HELICAL: return (spatial){z, scale3(w->model->pitch[k], z)};
  case SRS_HINGE_FIXED:
  case SRS_HINGE_CYLINDRICAL:
  case SRS_HINGE_UNIVERSAL:
  case SRS_HINGE_SPHERICAL:
  case SRS_HINGE_PLANAR:
  case SRS_HINGE_FREE: break;
  }
  return w->column[i];
}

// The acceleration of link k that its parent's motion and its own hinge rates give it, hinge accelerations left out.
// rate is hinge_motion of v; vel the link's parent's angular velocity.
SRS_INLINE spatial carry_acceleration(const srs_model *m, int k, spatial parent, vec3 parent_w, vec3 arm, spatial rate,
                                      const spatial *column, const double *v)
{
  spatial a;
  a.ang = add3(parent.ang, cross3(parent_w, rate.ang));
  if (m->kind[k] == SRS_HINGE_UNIVERSAL) {
    const int i = m->v_index[k];
    a.ang = add_scaled3(a.ang, v[i] * v[i + 1], cross3(column[i].ang, column[i + 1].ang));
  }
  const vec3 swing = add_scaled3(cross3(parent_w, arm), 2, rate.lin);
  a.lin = add3(add3(parent.lin, cross3(parent.ang, arm)), cross3(parent_w, swing));
  return a;
}

SRS_INLINE body body_in_world(const double *inertia, mat3 axes)
{
  return (body){inertia[0], rotate(axes, vec3_load(inertia + 1)), sym3_rotate(axes, sym3_load(inertia + 4))};
}

// The wrench that gives a body this acceleration at this angular velocity.
SRS_INLINE spatial body_force(const body *b, vec3 w, spatial a)
{
  const vec3 spin = sym3_times(b->inertia, w);
  return (spatial){
      add3(add3(sym3_times(b->inertia, a.ang), cross3(w, spin)), cross3(b->moment, a.lin)),
      add3(scale3(b->mass, a.lin), add3(cross3(a.ang, b->moment), cross3(w, cross3(w, b->moment)))),
  };
}
