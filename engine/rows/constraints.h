// The constraint system of a mechanism: the data of all constraint rows of a step's problem, from contacts, loops,
// limits, dry friction and actuators, and the memory that the problem takes. Internal. Only data: each source of rows
// has a file of its own.
#pragma once
#include "engine/loops/closure.h"
#include "engine/state/planar_motion.h"
#include <sarrus/nonconvex.h>

enum { CONTACT_ROWS = 6 };

// A contact in the step's problem: three rows of forces, and more of torques: one with torsional friction, two with
// rolling friction. Without friction it needs the first one only; where both sides can move in one common plane only,
// the first two, with both directions in that plane, and one of rolling friction about its normal.
typedef struct active_contact {
  v3 direction[3];            // normal, two tangents, for the velocity of the first shape relative to the second
  v6 wrench[2][CONTACT_ROWS]; // each row's unit impulse on the two links, first shape's first, about the link's origin;
                              // rows after the forces': torques
  int n_rows, n_forces;       // rows; of forces, which come first
  int first_torque;           // the first torque is about this direction, the next ones about those that follow it
  int row;                    // its first row in its island's problem
  double anisotropy[3];       // factors of friction of the rows after the normal's
  double rolling;             // that of rows after the fourth: the radius of rolling friction, m
  int link[2];                // -1: the world
  int tree[2];                // root of the link's tree, -1
  int rank[2];                // of its shapes, ascending: which of them is A depends on indices only
  double friction, restitution;
  double shift;    // added to the normal row's b
  double turn[3];  // added to the b of the first three rows: how their velocities change as the contact moves in a step
  double gap;      // m, at the configuration of the matrices
  bool bounces;    // approaches faster than the impact threshold, and has restitution
  bool has_answer; // `answer` holds its impulses when the step was last solved
  double answer[CONTACT_ROWS]; // without the blow
  bool is_settled;             // of an island's first contact: it rests, and `answer` holds its answer,
  int n_settled;               // of so many contacts,
  double residual;             // with this residual
  bool has_rested;             // its island was settled in the last step, by the impulses of the step before to the bit
  bool is_kept;                // it is as the last step left it, and so are the bodies
  double blow[CONTACT_ROWS];   // impulses of its impact
  bool is_turned;              // the first shape is B
  int candidate;               // index among the candidates
  int island;
  int group;        // the first candidate of its group, one of whose sides has to hold; -1: the contact stands alone
  int side;         // of the group
  double closing;   // gap + h n.v_free
  bool is_left_out; // another side of its group was chosen in the step under way
  bool is_pushed[CONTACT_ROWS]; // rows that hold in the push-out,
  double push[CONTACT_ROWS];    // and their impulses there, kg m
} active_contact;

// About which direction the torque of a row acts, -1: the row is one of forces. The normal: torsion; else rolling.
static inline int srs_torque_direction(const active_contact *a, int row)
{
  return row < a->n_forces ? -1 : a->first_torque + row - a->n_forces;
}

// The impulse of forces on the first shape, and that of rolling friction (a torque); returns that of torsional
// friction.
static inline double srs_split_impulse(const active_contact *a, const double *f, v3 *force, v3 *rolling)
{
  double spin = 0;
  *force = *rolling = v3_zero;
  for (int row = 0; row < a->n_forces; row++) *force += f[row] * a->direction[row];
  for (int row = a->n_forces; row < a->n_rows; row++) {
    const int axis = srs_torque_direction(a, row);
    if (axis == 0)
      spin = f[row];
    else
      *rolling += f[row] * a->direction[axis];
  }
  return spin;
}

// The complementarity condition of a scalar row. The problem has its rows in this order.
typedef enum scalar_kind { SCALAR_BILATERAL, SCALAR_UNILATERAL, SCALAR_BOX } scalar_kind;

enum { SCALAR_KINDS = SCALAR_BOX + 1 };

// A scalar constraint row of the step's problem: w = row velocity + softness * impulse + shift.
typedef struct scalar_row {
  srs_step_row row;
  scalar_kind kind;
  srs_row_source source;
  srs_row_subject subject;
  int index;       // as in srs_sim_row
  double sign;     // of the row on its coordinate
  int row_of_loop; // loops: which of its rows
  int slot;        // of its impulse among the warm starts
  double gap;
  double shift, softness;
  double lower, upper; // box: bounds of the impulse
  double impulse;      // the answer
  int island;          // -1: on the world alone
  bool is_pushed;      // it holds in the push-out,
  double push;         // with this impulse, kg m
} scalar_row;

// How an actuator with an effort or velocity limit acts in a step (joint_rows.c). Impulses are over the step.
typedef struct actuator_plan {
  bool is_linear; // no row is needed: it stays in the mass matrix, or is `base` alone
  double sign;    // 1, -1: the direction in which max_velocity limits it; 0: neither
  double base;    // impulse that acts whatever v+ is
  double beyond;  // impulse that it would still have at max_velocity, >= 0
  double effort;  // effort limit, as an impulse
  double change;  // impulse lost per velocity gained
  double target;  // velocity at which a servo exerts nothing
} actuator_plan;

// A coordinate with a limit, dry friction or a limited actuator: of a joint, of a loop joint, or the swing or twist of
// a spherical joint. The last two are no entries of q.
typedef struct joint_coordinate {
  srs_row_subject subject;
  int v, q;                        // indices; q -1 where there is no such coordinate
  int closure;                     // index, of a loop joint's coordinate
  double lower, upper;             // -+INFINITY for none
  double friction;                 // 0 for none
  double max_effort, max_velocity; // INFINITY for none
  unsigned sources;                // bit i: source i of joint_rows.c can have rows here
  // Of the step under way, at the configuration of the matrices.
  bool is_kept_from_lower, is_kept_from_upper; // the limit is in the problem whatever v_free is
  double position, rate, rate_free;            // rates before the step, and after it without any row
  srs_step_row row;                            // its velocity is the rate; of coordinates that are no entries of q
  double rate_change;                          // of a loop joint's rotor: dJ/dt v, and the drift of embedded loops
  actuator_plan plan;                          // of a loop joint's actuator
  bool has_plan;
} joint_coordinate;

// Warm-start slots of a coordinate's rows.
enum {
  SLOT_LOWER,
  SLOT_UPPER,
  SLOT_FRICTION,
  SLOT_ACTUATOR,
  SLOT_ACTUATOR_SPEED,
  SLOT_ACTUATOR_BRAKE,
  SLOT_PASSIVE,
  JOINT_SLOTS
};

// Warm start of one contact.
typedef struct warm_contact {
  int shape_a, shape_b;
  uint64_t feature;
  double impulse[3]; // world axes
  double torsional_impulse;
  double rolling_impulse[3]; // world axes
} warm_contact;

// What of a shape's material is not combined with the other shape's: torsional, rolling and anisotropic friction,
// layer.
typedef struct shape_anisotropy {
  double torsional;     // radius of torsional friction, m
  double rolling;       // of rolling friction, m
  double along, across; // factors of friction along and across the direction
  v3 direction;         // on the link, unit; zero: none
  srs_compliant_layer layer;
} shape_anisotropy;

// Two shapes at the start of an implicit step. Implicit Euler: those that overlap, once each.
typedef struct start_gap {
  int shape_a, shape_b;
  double gap; // of the deepest contact point
  // Implicit midpoint: every contact point.
  uint64_t feature;
  v3 slip;         // velocity of the first shape's point relative to the second's
  double approach; // its component along the normal
} start_gap;

typedef struct pair_override {
  int shape_a, shape_b;
  double friction, restitution, torsional, rolling; // NAN: none
  int turn;                                         // later ones win
} pair_override;

// Everything that a step's problem is made of and solved with. Shapes stand beside the arrays; "of the step under way"
// is overwritten by each step, "of the last step" is what srs_constraints_accept kept.
struct srs_constraints {
  // -------------------------------------------------------------------------------------------------------------------
  // Settings of the whole system, fixed at creation
  // -------------------------------------------------------------------------------------------------------------------
  srs_workspace *workspace; // of the simulation
  bool has_second_phase;    // Poisson's impacts: problems may have twice the contacts
  bool is_projected;        // see srs_is_projected
  bool is_cold;             // no problem starts from the last step's impulses: for tests
  bool keeps_none;          // what rests is computed again, too: for tests
  bool is_fixed;            // memory must not grow
  bool takes_blocks;        // large problems are given by blocks (islands/island_blocks.c)
  bool counts_loops;        // bilateral rows make a problem large too: relaxed solvers do not eliminate them
  int n_directions;         // room of the solvers for directions of polyhedral friction cones
  double impact_threshold;  // m/s

  // -------------------------------------------------------------------------------------------------------------------
  // Shapes and materials (rows/material.c)
  // -------------------------------------------------------------------------------------------------------------------
  int n_shapes;
  int *shape_rank;                // n_shapes: order by the names of link and shape, the world first
  int *rank_begin;                // n_shapes + 1: scratch of sorting
  double *friction, *restitution; // n_shapes
  shape_anisotropy *anisotropy;   // n_shapes
  bool is_round;                  // no shape has anisotropic, torsional or rolling friction: three rows at most
  bool has_rolling;               // one has rolling friction
  int contact_rows;               // that a contact takes at most
  bool has_planar_trees;
  srs_tree_motion *tree_motion; // n_links: at roots
  pair_override *overrides;     // n_overrides, sorted by shapes, one a pair
  int n_overrides;
  double *reach; // n_links: farthest point of its shapes from its origin, m; negative: it has none

  // -------------------------------------------------------------------------------------------------------------------
  // Links and coordinates: scratch of a step
  // -------------------------------------------------------------------------------------------------------------------
  srs_pose *poses;        // n_links
  v6 *velocity_before;    // n_links: at the step's start
  v6 *velocity_half;      // n_links: after half a step without constraints, where impacts act
  v6 *predicted_motion;   // n_links: step->predicted_motion as the links' motion, of implicit integrators
  double *motion;         // n_links x 6: velocities without contact, as collision takes them; for corners
  v6 *impulse;            // n_links
  double *on_coordinates; // nv: impulses
  double *dv;             // nv
  v6 *push;               // n_links: impulses of the push-out, kg m: they move positions (islands/push_out.c)
  double *push_on;        // nv: likewise, on coordinates
  double *moved;          // nv: the motion of the push-out
  bool has_push;          // of the step under way
  double *v_trial;        // nv
  double *v_struck;       // nv: v_free after impacts
  double *v_rows;         // nv: v_struck of trees that took a blow, v of the others; where has_blows
  bool has_blows;         // of the step under way
  bool is_again;          // whether its problems have been solved before, with fewer rows or other velocity terms
  double much_work;       // multiplications of a step after which nothing more should be solved again
  double blow_normal, blow_friction; // J: works of the impacts
  double *blow_of_slot;              // n_slots: impulses of scalar rows in impacts

  // -------------------------------------------------------------------------------------------------------------------
  // Contacts (rows/contact_rows.c)
  // -------------------------------------------------------------------------------------------------------------------
  srs_collider *collider;        // NULL: no two shapes can meet
  int capacity;                  // contacts
  int n_candidates;              // of the step under way
  double margin;                 // m, likewise: within which they are
  srs_contact_point *candidates; // capacity
  double *excess;                // capacity: what candidates lack beyond their gaps, <= 0
  start_gap *starts;             // capacity: of an implicit step, sorted by shapes
  int n_starts;                  // negative: not recorded
  bool is_at_start;              // the first iteration; of implicit Euler, whose matrices are those of the step's start
  active_contact *active;        // capacity
  int *by_name;                  // capacity: active contacts in the order of their shapes' names
  int *order;                    // capacity: the same by island
  srs_sim_contact *next_results; // capacity: of the step under way
  int n_next;
  srs_sim_contact *results; // capacity: of the last step
  warm_contact *warm;       // capacity: likewise
  int n_results, n_warm;
  bool has_same_warm; // the last step left `warm` as it was
  double deepest;     // m: the deepest overlap of the step under way

  // -------------------------------------------------------------------------------------------------------------------
  // What rests on from the last step (islands/warm_start.c)
  // -------------------------------------------------------------------------------------------------------------------
  int n_left, n_standing;                  // active contacts that the last step left; that may be kept in this one
  bool *stands;                            // n_links, at roots: the tree does not move, and nothing of it has changed
  double *still_q, *still_v, *still_extra; // nq, nv, nv: of trees that do not move, configuration and v_free of the
                                           // last problem, and what was added to its mass matrix
  bool has_response;                       // dv is the response to all impulses

  // -------------------------------------------------------------------------------------------------------------------
  // Corners (islands/corners.c). With SRS_CORNERS_CONVEX every contact stands alone.
  // -------------------------------------------------------------------------------------------------------------------
  srs_corners corners;
  srs_nonconvex_solver *corner_solver;
  int *solid_of;                     // n_shapes: the solid that a half-space bounds, -1: none
  int *solid_planes;                 // n_shapes: the number of planes that bound that solid
  int n_groups;                      // of the step under way
  int *group_first, *side_choice;    // capacity + 1, capacity: of an island's groups
  int *side_contact, *side_contacts; // capacity: of an island's sides the first contact, and how many

  // -------------------------------------------------------------------------------------------------------------------
  // Scalar rows: limits, dry friction, actuators and loops (rows/joint_rows.c, rows/loop_rows.c)
  // -------------------------------------------------------------------------------------------------------------------
  joint_coordinate *coordinates; // n_coordinates: those of joints first
  int n_coordinates, n_joint_coordinates;
  bool has_loop_joint_limits, has_loop_joint_rotors; // of a closure's coordinate
  bool has_actuator_limits;
  int n_slots;              // JOINT_SLOTS * n_coordinates, then those of closures
  int scalar_capacity;      // rows that a step can have at most
  int sides_beyond;         // that all have together at most, beyond SRS_ROW_WRENCHES each
  int n_scalars;            // of the step under way; after srs_constraints_accept, of the last step
  scalar_row *scalars;      // scalar_capacity: of the step under way
  int *scalar_order;        // scalar_capacity: by island, then by kind
  srs_sim_row *row_results; // scalar_capacity: of the last step
  int n_row_results;
  int n_loop_rows;
  srs_closure_row *loop_rows; // n_loop_rows
  double *loop_rates;         // n_loop_rows: prescribed, at the end of the step; zeros otherwise
  v6 *loop_wrench;            // n_loops: of the last step

  // -------------------------------------------------------------------------------------------------------------------
  // Rank of the bilateral rows and change points (islands/rank_check.c)
  // -------------------------------------------------------------------------------------------------------------------
  int rank;                 // of the bilateral rows of the problem solved last
  bool is_certified;        // each problem of the island at hand was solved, and certificates say that its rows hold
  double problem_pivot;     // of the problem solved last, see srs_contact_report
  int problem_weakest;      // likewise
  double pivot;             // the least of the step under way
  int pivot_loop;           // its loop
  double largest_pivot;     // the largest `pivot` of all steps
  double *largest_diagonal; // n_loop_rows: the largest diagonal entry of W of all steps, for each row of the loops
  double scaled_pivot;      // the least of the step under way, rows scaled by largest_diagonal; only where in doubt
  int largest_rank;         // of all steps: of all islands' bilateral rows together
  double *pivot_matrix;     // n_loop_rows and one more, with the stride of dense.h: scratch
  int *pivot_order;         // n_loop_rows: scratch
  bool is_at_change_point;  // the last step was

  // -------------------------------------------------------------------------------------------------------------------
  // Islands and their problems (islands/island.c)
  // -------------------------------------------------------------------------------------------------------------------
  int *tree_island;   // n_links: union-find over roots
  int *tree_mark;     // n_links: a root's mark while islands are found and filled, zero in between
  int *island_begin;  // capacity + scalar_capacity + 1: in `order`
  int *scalar_begin;  // SCALAR_KINDS times that: in `scalar_order`, of each island's kinds
  int *row_of;        // one for each side of a problem's rows: the row
  srs_row *rows;      // likewise: those on one tree
  int *node_integers; // nodes' integers: for `capacity` contacts
  size_t *node_sizes; // likewise
  int *block_columns; // column_room: which blocks there are
  size_t column_room;
  double *problem;     // problem_room: one island's
  size_t problem_room; // doubles
  int *second_rows;    // rows of the second phase of an impact: of the largest island

  // -------------------------------------------------------------------------------------------------------------------
  // Solver and reports
  // -------------------------------------------------------------------------------------------------------------------
  srs_contact_solver *solver;
  int solver_rows;                     // rows that it has room for in problems that are not given by blocks
  srs_sim_statistics statistics, next; // up to the last step; with the step under way
  srs_error error;                     // of the last step that failed
  srs_contact_watch watch;             // sees every contact problem; NULL for none
  void *watcher;                       // its argument
};

static inline bool srs_has_worked_much(const struct srs_constraints *c) { return c->next.step_work >= c->much_work; }
