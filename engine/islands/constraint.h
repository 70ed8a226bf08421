// From what touches, closes loops, stops and drives joints to impulses on links and coordinates. Internal.
//
// A step hands over the velocities before it and those that it would reach without any of this; it gets back what the
// impulses change.
#pragma once
#include "engine/dynamics/delassus.h"
#include "engine/loops/closure.h"
#include "engine/simulation/simulation.h"
#include <sarrus/nonconvex.h>

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
};

double srs_combine(srs_combination rule, double a, double b);

/// NULL in *constraints when there is nothing to solve for: no two shapes that can meet, or contact is off, and no
/// joint has limits or friction that act. The workspace gets room for the rows.
srs_status srs_constraints_create(srs_workspace *workspace, const srs_sim_options *options,
                                  struct srs_constraints **constraints, srs_error *error);
void srs_constraints_destroy(struct srs_constraints *constraints);
srs_status srs_contacts_reserve(struct srs_constraints *constraints, int capacity);

/// Memory for a problem of so many contacts and scalar rows.
srs_status srs_problem_reserve(struct srs_constraints *constraints, int n_contacts, int n_scalars);

/// Friction and restitution of shapes and pairs, the order of their names, how far shapes reach (contact_material.c).
srs_status srs_contact_materials_create(struct srs_constraints *constraints, const srs_model *model,
                                        const srs_contact_settings *settings, srs_error *error);

/// Memory for a problem by blocks: for the solver, and doubles of the island.
srs_status srs_blocks_reserve(struct srs_constraints *constraints, const srs_contact_sizes *sizes, size_t doubles);

/// What is said about a pair of shapes, shape_a < shape_b; NULL for nothing.
const pair_override *srs_override_of(const struct srs_constraints *constraints, int shape_a, int shape_b);

/// Friction, restitution, anisotropy and the number of rows of a contact between two shapes (contact_rows.c).
void srs_find_material(const struct srs_constraints *constraints, const srs_contact_settings *settings,
                       active_contact *contact, int shape_a, int shape_b);

/// The anisotropy that friction between two shapes goes by: that of the one whose anisotropy differ more by ratio, of
/// equals the first. NULL: neither has one.
const shape_anisotropy *srs_anisotropy_of(const struct srs_constraints *constraints, int first, int second,
                                          bool *is_second);

/// The contacts that enter the step's problem, as `active` (contact_rows.c), for links with velocity_before at the
/// start and the workspace's without contact.  @param n  out: how many
srs_status srs_select_contacts(srs_sim *sim, int *n);

/// Appends the loops' rows of a step from v, with the matrices at q (loop_rows.c). The links' velocities at v are in
/// velocity_before.
void srs_add_loop_rows(srs_sim *sim, const double *q, const double *v);

/// Which coordinates have something that acts on them; NULL where none has (joint_rows.c).
srs_status srs_joint_coordinates_create(struct srs_constraints *constraints, const srs_model *model,
                                        const srs_joint_settings *settings, srs_error *error);

/// Appends the joints' rows of a step from v that would reach v_free, with the matrices at q; those of actuators where
/// sim->actuators_are_rows.
void srs_add_joint_rows(srs_sim *sim, const double *q, const double *v, const double *v_free);

/// What joints that were cut keep (loop_joint_rows.c). Their coordinates after those of joints; room was made by the
/// caller.
int srs_loop_joint_coordinates(const srs_model *model, const srs_joint_settings *settings,
                               joint_coordinate *coordinates);

/// Measures a closure's coordinate at the configuration in the workspace, which holds the links' velocities without
/// rows; those before the step are in velocity_before.
void srs_measure_loop_joint(const srs_sim *sim, joint_coordinate *at);

/// Plans the actuators of loop joints for a step with matrices at q, and adds what they give whatever happens.
/// @param wrenches  n_links x 6, or NULL: of others   @return those and this together, NULL for none
const double *srs_loop_joint_wrenches(srs_sim *sim, const double *q, const double *wrenches);

/// What the rotors of loop joints are turned by as links go on with v at q (of embedded loops: as lifted there).
void srs_find_rotor_turns(srs_sim *sim, const double *q, const double *v);

/// Spring, damper and armature of a loop joint: impulse = *impulse - *change (v+ - v).  @return whether it has any
bool srs_loop_joint_passive(const srs_sim *sim, const joint_coordinate *at, double *impulse, double *change);

/// The step is taken: efforts, and where coordinates are about to be. Then: they are counted from their limits' middle.
void srs_accept_loop_joints(srs_sim *sim);
void srs_forget_loop_joint_turns(srs_sim *sim);

/// @param impulse  of the actuator over the step if v stays   @param change  how much less of it per velocity
actuator_plan srs_plan_actuator(const joint_coordinate *coordinate, double h, double v, double impulse, double change);

/// Whether an impulse of the actuator that leads to v_next is more than it may give.
bool srs_actuator_exceeds(const joint_coordinate *coordinate, double h, double impulse, double v_next);

/// Marks the limits that v_next would break in the step though they are not in the problem; whether there are any.
bool srs_find_broken_limits(srs_sim *sim, const double *v_next);

/// For implicit schemes: the links' motion by sim->ahead at q, the configuration of the matrices. Where implicit
/// Euler's step begins, what overlaps is noted.
void srs_constraints_look_ahead(srs_sim *sim, const double *q);

/// Adds the response to v_next, which holds the velocities without any constraint, after srs_solve_forward at the
/// configuration in the workspace.  @param q  that configuration   @param v  velocities at the start of the step
srs_status srs_constraints_step(srs_sim *sim, const double *q, const double *v, double *v_next);

/// The step is taken: its contacts and rows are the last ones now.
void srs_constraints_accept(srs_sim *sim);

/// There was no last step.
void srs_constraints_forget(srs_sim *sim);
