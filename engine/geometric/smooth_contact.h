// Data of the geometrically implicit step: smooth solids, the pairs of them that may collide, and the system of
// equations of one step. Internal. Mathematics: geometrically_implicit.c.
#pragma once
#include "collision/surfaces/implicit_surface.h"
#include "engine/rows/constraints.h"
#include "engine/state/step_context.h"
#include <sarrus/mcp.h>

enum { FRICTION_ROWS = 3 }; // along t and o, and the spin about the normal

// One convex function of a solid, in the link's turned frame (in the world for link -1).
typedef struct smooth_part {
  srs_surface surface;
  vec3 offset;
  mat3 axes;
} smooth_part;

// A shape as the set where all of its functions are <= 0.
typedef struct smooth_solid {
  int shape, link;       // link -1: the world
  int first, n;          // among the parts
  srs_surface_body body; // the same in the link's turned frame, for srs_surface_closest
  vec3 centre;           // of a bounding ball, in the link's turned frame
  double reach;          // the ball's radius, m; INFINITY: there is none
} smooth_solid;

typedef struct smooth_pair {
  int solid[2];
  uint64_t feature; // distinguishes the pairs of two shapes
  double friction, anisotropy[FRICTION_ROWS];
  int n_layers;                 // 0 to 2
  srs_compliant_layer layer[2]; // n_layers: the first solid's first (quasi_rigid.c)
  int anisotropy_side;          // 0, 1: the solid whose anisotropy directs t; -1: neither has one
  v3 anisotropy_direction;      // in the turned frame of that solid's link
  size_t warm;                  // place of its warm start among the doubles of all pairs
} smooth_pair;

// A pair that is in the step's system. Unknowns from `first` on: x (3), gap, multipliers of the first solid's functions
// and of the second's, normal impulse, friction impulses, deflections of layers (quasi_rigid.h).
typedef struct smooth_contact {
  int pair, link[2];
  const smooth_part *part[2];
  int n_parts[2];
  int first, n_friction;
  int friction_row[FRICTION_ROWS]; // which of t, o, spin each friction unknown is
  double impulse_scale, gap_scale; // units of the unknowns, N s and m
  v3 start;                        // the origin of x, world
  v3 reference;                    // t is its tangential part; in the frame of the anisotropy's link, or world
  int n_path;                      // coordinates that move either link, roots first
  int *path;                       // n_path
  signed char *side;               // n_path: 1 the first link only, -1 the second only, 0 both
  unsigned char *has_side;         // n_path: bit 0 the first link, bit 1 the second
  v3 *turn, *move;                 // n_path: motion per unit of the coordinate, angular and of x
  int surface;                     // index of its first part's value
  v3 x, y, n, second;              // points; normal outward from the first; sum of the second's weighted gradients
  v3 across, t, o;                 // reference in world axes; tangents
  double across_length;            // of its tangential part
  v3 slip, spin;                   // velocity of the first at x relative to the second; angular likewise
  v3 force, torque;                // impulses on the first, about x
} smooth_contact;

// A part's function at its point.
typedef struct smooth_value {
  m3 axes; // of its frame, world
  double value;
  v3 gradient;  // world
  sym3 hessian; // its own frame
} smooth_value;

// Another row of the system: a loop, a limit, dry friction, an actuator. Its unknown is an impulse.
typedef struct smooth_row {
  bool is_loop; // it requires its gap at the end to vanish, not its velocity
  double scale; // unit of the unknown, N s
  int index;    // of the loop row; of the scalar row
} smooth_row;

struct srs_geometric {
  const srs_model *model;
  srs_workspace *workspace;
  struct srs_constraints *constraints;
  const srs_contact_settings *settings; // during creation
  srs_mcp_solver *solver;
  smooth_part *parts;    // n_parts
  srs_surface *surfaces; // n_parts: the parts' surfaces
  srs_pose *poses;       // n_parts: likewise
  smooth_solid *solids;  // n_solids
  smooth_pair *pairs;    // n_pairs
  int n_parts, n_solids, n_pairs;
  size_t n_warm;     // doubles of all pairs, then nv: the change of v in the last step
  double *warm_next; // n_warm: after the step under way

  // Of the step under way. Matrices are rows first.
  srs_step_context step;
  double work, most_work; // of this step so far, multiplications, and its bound
  int preferred_row;      // of loops: chosen first, -1 for none
  int choices;            // of rows of loops, in this step
  double h;
  double friction_scale;         // 1; 0 while friction is left out
  double *v_free;                // nv
  int n;                         // unknowns: v (nv), rows, contacts
  int n_contacts, n_rows;        // in it
  int capacity;                  // contacts
  smooth_contact *contacts;      // capacity
  smooth_contact *best_contacts; // n_best_contacts: of the best attempt, as it laid them out
  int best_n, n_best_contacts;
  smooth_row *rows;
  smooth_value *values;
  int *path;
  signed char *side;
  unsigned char *has_side;
  v3 *motions;             // memory of turn and move of all paths
  bool *is_in;             // n_pairs
  double *clearance;       // n_pairs: a lower bound of the gap at the start
  double *mass, *scale;    // nv x nv, nv
  double *row_matrix;      // n_rows x nv: Jacobian of all rows, at the start
  double *one_side;        // nv: of a row's line
  double *trial_v;         // nv: velocities from which another attempt starts
  double *at, *F;          // n: the unknowns at which F was computed, F
  double *spare_F;         // n: F where only what comes with it is wanted
  double *unknowns, *z;    // n: unknowns of the attempt under way, of the best attempt
  double *lower, *upper;   // n
  double *v_next, *q_next; // nv, nq: of `at`
  bool has_values;         // F and all values are those at `at`
  void *memory, *step_memory;
};

/// A pair's warm start, as doubles in the state.
enum {
  WARM_STATE,                                            // one of pair_state
  WARM_GAP,                                              // m; of a pair apart: what it is at least
  WARM_POINT,                                            // 3: x
  WARM_REFERENCE = WARM_POINT + 3,                       // 3: t
  WARM_IMPULSE = WARM_REFERENCE + 3,                     // normal, t, o, spin: N s, N m s
  WARM_CHANGE = WARM_IMPULSE + 1 + FRICTION_ROWS,        // of x and of the impulses in the last step
  WARM_DEFLECTION = WARM_CHANGE + 3 + 1 + FRICTION_ROWS, // 2 x 3: of the layers, n t o, m
  WARM_MULTIPLIERS = WARM_DEFLECTION + 6                 // of the first solid's functions and the second's
};

typedef enum pair_state { PAIR_UNKNOWN, PAIR_APART, PAIR_IN } pair_state; // PAIR_IN: it was in the last step's system

/// The axis 0, 1, 2 of the link about which the coordinate turns a quaternion; -1 for other coordinates.
static inline int srs_turning_coordinate(const srs_model *model, int i)
{
  const int link = model->link_of_v[i], end = model->v_index[link + 1];
  const bool has_quaternion = model->kind[link] == SRS_JOINT_SPHERICAL || model->kind[link] == SRS_JOINT_FREE;
  return has_quaternion && i >= end - 3 ? i - (end - 3) : -1;
}

static inline int srs_smooth_gap(const smooth_contact *c) { return c->first + 3; }
static inline int srs_smooth_multiplier(const smooth_contact *c, int side)
{
  return c->first + 4 + (side > 0 ? c->n_parts[0] : 0);
}
static inline int srs_smooth_impulse(const smooth_contact *c) { return c->first + 4 + c->n_parts[0] + c->n_parts[1]; }
