// The constraint system of a mechanism: contacts, loops, limits, dry friction and actuators as rows of a step's
// problem, and all memory that they take. Internal. Only data: each source of rows has a file of its own.
#pragma once
#include "engine/loops/closure.h"

enum { CONTACT_ROWS = 4 };

// A contact in the step's problem: three rows, and one more with torsional friction.
typedef struct active_contact {
  v3 direction[3]; // normal, two tangents; the velocity of the first shape less that of the second is taken along them
  v6 wrench[2][CONTACT_ROWS]; // the unit impulse of each row on the first shape's link and on the other's, about its
                              // origin; the fourth row's is a torque about the normal
  int n_rows;
  int row;              // its first in its island's problem
  double anisotropy[3]; // of the rows behind the normal's
  int link[2];          // -1: the world
  int tree[2];          // root of the link's tree, -1
  int rank[2];          // of its shapes, rising: which of them is A is a matter of indices
  double friction, restitution;
  double shift; // added to the normal row's b
  bool bounces;
  bool is_turned; // the first shape is B
  int candidate;  // index among the candidates
  int island;
  int group;        // one of its sides has to hold: the first candidate of them; -1: it stands for itself
  int side;         // of the group
  double closing;   // gap + h n.v_free
  bool is_left_out; // its side was not chosen in the step under way
} active_contact;

// How a scalar row stands in the problem, in the problem's order.
typedef enum scalar_kind { SCALAR_BILATERAL, SCALAR_UNILATERAL, SCALAR_BOX } scalar_kind;

enum { SCALAR_KINDS = SCALAR_BOX + 1 };

// A scalar row of the step's problem: w = row velocity + softness * impulse + shift.
typedef struct scalar_row {
  srs_step_row row;
  scalar_kind kind;
  srs_row_source source;
  srs_row_subject subject;
  int index;       // as in srs_sim_row
  double sign;     // of the row on its coordinate
  int row_of_loop; // loops: which of its rows
  int slot;        // of its impulse among those that the next step may start from
  double gap;
  double shift, softness;
  double lower, upper; // box: impulses
  double impulse;      // the answer
  int island;          // -1: on the world alone
} scalar_row;

// How a limited actuator acts in a step: see joint_rows.c. Impulses are over the step.
typedef struct actuator_plan {
  bool is_linear; // it stays in the mass matrix, or is `base` alone
  double sign;    // 1, -1: towards which max_velocity holds it back; 0: neither
  double base;    // impulse that acts whatever happens
  double beyond;  // that it would still have at max_velocity, >= 0
  double effort;  // the most
  double change;  // per velocity
  double target;  // velocity at which a servo would have none
} actuator_plan;

// A coordinate that a limit, dry friction or a limited actuator acts on: of a joint, or one that is no entry of q (of a
// closure; swing or twist of a spherical joint).
typedef struct joint_coordinate {
  srs_row_subject subject;
  int v, q;                        // indices; q -1 where there is no such coordinate
  int closure;                     // which, if it is of one
  double lower, upper;             // -+INFINITY for none
  double friction;                 // 0 for none
  double max_effort, max_velocity; // INFINITY for none
  unsigned sources;                // bit i: source i of joint_rows.c can have rows
  // Of the step under way, at the configuration of the matrices.
  bool is_kept_from_lower, is_kept_from_upper; // in the problem whatever v_free says
  double position, rate, rate_free;            // the rate before the step, and without any row
  srs_step_row row;                            // whose velocity is the rate; of those that are no entry of q
  double rate_change;                          // of a closure's rotor: dJ/dt v, and the drift of embedded loops
  actuator_plan plan;                          // of a closure's actuator
  bool has_plan;
} joint_coordinate;

// Slots of a coordinate's rows.
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

// One contact that the next step may start from.
typedef struct warm_contact {
  int shape_a, shape_b;
  uint64_t feature;
  double impulse[3]; // world axes
  double spin;
} warm_contact;

// What friction is beside mu, of a shape.
// What of a shape's material is its own and not combined.
typedef struct shape_anisotropy {
  double torsional;     // m
  double along, across; // anisotropy
  v3 direction;         // on the link, unit; zero: none
  srs_compliant_layer layer;
} shape_anisotropy;

// Two shapes that overlap where an implicit step begins.
typedef struct start_gap {
  int shape_a, shape_b;
  double gap; // of the deepest node
} start_gap;

typedef struct pair_override {
  int shape_a, shape_b;
  double friction, restitution, torsional; // NAN: none
  int turn;                                // later ones win
} pair_override;

struct srs_constraints {
  srs_contact_solver *solver;
  // Corners. With SRS_CORNERS_CONVEX every contact stands for itself.
  srs_corners corners;
  srs_nonconvex_solver *corner_solver;
  int *solid_of;                     // n_shapes: which solid a half-space bounds, -1: none
  int *solid_planes;                 // n_shapes: how many planes that has
  int n_groups;                      // of the step under way
  int *group_first, *side_choice;    // capacity + 1, capacity: of an island's groups
  int *side_contact, *side_contacts; // capacity: of an island's sides the first contact, and how many
  int n_directions;                  // that it has room for
  v6 *impulse;                       // n_links
  double *on_coordinates;            // nv
  double *dv;                        // nv
  double *v_trial;                   // nv
  int *tree_island;                  // n_links: union-find over roots
  int *tree_mark;                    // n_links: a root's mark while islands are found and filled, zero in between
  bool has_second_phase;             // Poisson's impacts: problems may have twice the contacts
  bool is_cold;                      // no problem starts from the last step's impulses: for tests
  bool is_fixed;                     // memory does not grow

  // Contacts. collider NULL: none can be.
  srs_collider *collider;
  srs_pose *poses;                // n_links
  v6 *velocity_before;            // n_links
  double *motion;                 // n_links x 6: for corners
  v6 *velocity_ahead;             // n_links: of sim->ahead, where there is one
  double *reach;                  // n_links: farthest point of its shapes from its origin, m; negative: has none
  double *friction, *restitution; // n_shapes
  shape_anisotropy *anisotropy;   // n_shapes
  bool is_round;    // no shape has anisotropic friction, and none resists spin: problems have three rows a contact
  int contact_rows; // most that a contact takes
  double impact_threshold;  // m/s
  pair_override *overrides; // n_overrides, sorted by shapes, one a pair
  int n_overrides;
  int n_shapes;
  int *shape_rank; // n_shapes: order by the names of link and shape, the world first
  int *rank_begin; // n_shapes + 1: scratch of sorting

  int capacity;                  // contacts
  srs_contact_point *candidates; // capacity
  start_gap *starts;             // capacity: of implicit Euler's step, sorted by shapes
  int n_starts;                  // negative: not asked for
  bool is_at_start;              // the matrices are those of the step's start
  double *excess;                // capacity: what candidates lack beyond their gaps, <= 0
  active_contact *active;        // capacity
  int *by_name;                  // capacity: active contacts in the order of their shapes' names
  int *order;                    // capacity: the same by island
  srs_sim_contact *results;      // capacity: of the last step that was accepted
  warm_contact *warm;            // capacity: likewise
  int n_results, n_warm;
  srs_sim_contact *next_results; // capacity: of the step under way
  int n_next;
  int *second_rows; // rows of the second phase of an impact: of the largest island

  // Scalar rows.
  joint_coordinate *coordinates; // n_coordinates: those of joints first
  int n_coordinates, n_joint_coordinates;
  bool has_loop_joint_limits, has_loop_joint_rotors; // of a closure's coordinate
  bool has_actuator_limits;
  int n_slots;              // JOINT_SLOTS * n_coordinates, then those of closures
  int scalar_capacity;      // most that a step can have
  scalar_row *scalars;      // scalar_capacity: of the step under way
  int *scalar_order;        // scalar_capacity: by island, then by kind
  int rank;                 // of the bilateral rows of the problem solved last
  bool is_certain;          // of the island at hand every problem was solved, and its rows hold by the certificates
  double problem_pivot;     // likewise, see srs_contact_report
  int problem_weakest;      // likewise
  double pivot;             // the least of the step under way
  int pivot_loop;           // whose
  double usual_pivot;       // the largest of these yet
  double *usual_diagonal;   // n_loop_rows: the largest entry of W's diagonal yet, of each of the loops' rows
  double *pivot_matrix;     // n_loop_rows and one more, with the stride of dense.h: scratch
  int *pivot_order;         // n_loop_rows: scratch
  double sure_pivot;        // the least of the step under way, of rows scaled to these; only where it is in doubt
  int usual_rank;           // likewise, of all islands' bilateral rows together
  bool is_at_change_point;  // the last accepted step was
  int n_scalars;            // of the step under way, and after srs_constraints_accept of the last step
  srs_sim_row *row_results; // scalar_capacity: of the last step that was accepted
  int n_row_results;

  // Loops.
  int n_loop_rows;
  srs_closure_row *loop_rows; // n_loop_rows
  v6 *loop_wrench;            // n_loops: of the last step that was accepted
  double *loop_rates;         // n_loop_rows: prescribed, at the end of the step; zeros otherwise

  // Islands.
  int *island_begin; // capacity + scalar_capacity + 1: in `order`
  int *scalar_begin; // SCALAR_KINDS times that: in `scalar_order`, of each island's kinds
  int *row_of;       // one for each side of a problem's rows: the row
  srs_row *rows;     // likewise: those on one tree
  bool takes_blocks; // large problems are given by blocks (island_blocks.c)
  bool
      counts_loops; // large: with bilateral rows, which relaxed solvers do not eliminate however few contacts there are
  int *node_integers; // of their nodes: for `capacity` contacts
  size_t *node_sizes; // likewise
  int *block_columns; // column_room: which blocks there are
  size_t column_room;
  double *problem;                     // room for one island: island.c
  size_t problem_room;                 // doubles
  int solver_rows;                     // that the solver has room for, of problems that are not by blocks
  srs_sim_statistics statistics, next; // up to the last step accepted; with the step under way
  srs_workspace *workspace;            // of the sim
  srs_error error;                     // of the last step that failed
  srs_contact_watch watch;             // sees every contact problem; NULL for none
  void *watcher;
};
