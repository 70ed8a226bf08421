// From contacts at a configuration to impulses on links. Internal.
//
// A step hands over the velocities before it and those it would reach without contact; it gets back what the impulses
// change.
#pragma once
#include "engine/operational_space.h"
#include "engine/simulation.h"

// A contact in the step's problem.
typedef struct active_contact {
  v3 direction[3]; // normal, two tangents; the velocity of the first shape less that of the second is taken along them
  v6 wrench[2][3]; // the unit impulse of each row on the first shape's link and on the other's, about its origin
  int link[2];     // -1: the world
  int tree[2];     // root of the link's tree, -1
  int rank[2];     // of its shapes, rising: which of them is A is a matter of indices
  double friction, restitution;
  double shift; // added to the normal row's b
  bool bounces;
  bool is_turned; // the first shape is B
  int candidate;  // index among the candidates
  int island;
} active_contact;

// One contact that the next step may start from.
typedef struct warm_contact {
  int shape_a, shape_b;
  uint64_t feature;
  double impulse[3]; // world axes
} warm_contact;

typedef struct pair_override {
  int shape_a, shape_b;
  double friction, restitution; // NAN: none
  int turn;                     // later ones win
} pair_override;

struct srs_contacts {
  srs_collider *collider;
  srs_contact_solver *solver;
  int n_directions;    // that it has room for
  srs_pose *poses;     // n_links
  v6 *velocity_before; // n_links
  v6 *impulse;         // n_links
  int *tree_island;    // n_links: union-find over roots
  int *tree_mark;      // n_links: a root's mark while islands are found and filled, zero in between
  double *reach;       // n_links: farthest point of its shapes from its origin, m; negative where it has none
  double *friction, *restitution; // n_shapes
  double impact_threshold;        // m/s
  double *dv;                     // nv
  pair_override *overrides;       // n_overrides, sorted by shapes, one a pair
  int n_overrides;
  int n_shapes;
  int *shape_rank;       // n_shapes: order by the names of link and shape, the world first
  int *rank_begin;       // n_shapes + 1: scratch of sorting
  bool has_second_phase; // Poisson's impacts: problems may have twice the contacts
  bool is_cold;          // no problem starts from the last step's impulses: for tests

  int capacity; // contacts
  bool is_fixed;
  srs_contact *candidates;  // capacity
  active_contact *active;   // capacity
  int *by_name;             // capacity: active contacts in the order of their shapes' names
  int *order;               // capacity: the same by island
  int *island_begin;        // capacity + 1: in `order`
  int *sides;               // 2 x capacity: contacts of an island that are on one tree
  srs_sim_contact *results; // capacity: of the last step that was accepted
  warm_contact *warm;       // capacity: likewise
  int n_results, n_warm;
  srs_sim_contact *next_results; // capacity: of the step under way
  int n_next;
  double *problem;                     // room for one island: see constraint.c
  size_t problem_room;                 // doubles
  int *second_rows;                    // capacity x 6: rows of the second phase of an impact
  srs_row *rows;                       // 6 * capacity
  srs_sim_statistics statistics, next; // up to the last step accepted; with the step under way
  srs_workspace *workspace;            // of the sim
  srs_error error;                     // of the last step that failed
};

double srs_combine(srs_combination rule, double a, double b);

/// NULL in *contacts when no two shapes can meet or contact is off. The workspace gets room for the rows.
srs_status srs_contacts_create(srs_workspace *workspace, const srs_sim_options *options, struct srs_contacts **contacts,
                               srs_error *error);
void srs_contacts_destroy(struct srs_contacts *contacts);
srs_status srs_contacts_reserve(struct srs_contacts *contacts, int capacity);
srs_status srs_contacts_reserve_problem(struct srs_contacts *contacts, int n_contacts);

/// What is said about a pair of shapes, shape_a < shape_b; NULL for nothing.
const pair_override *srs_override_of(const struct srs_contacts *contacts, int shape_a, int shape_b);

/// Room that one island of so many contacts takes.
size_t srs_island_doubles(int contacts);

/// Adds the contacts' response to v_next, which holds the velocities without them, after srs_solve_forward at the
/// configuration in the workspace.  @param v  velocities at the start of the step
srs_status srs_contacts_step(srs_sim *sim, const double *v, double *v_next);

/// The step is taken: its contacts are the last ones now.
void srs_contacts_accept(struct srs_contacts *contacts);

/// There was no last step.
void srs_contacts_forget(struct srs_contacts *contacts);
