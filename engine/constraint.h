// From contacts at a configuration to impulses on links. Internal.
//
// A step hands over the velocities before it and those it would reach without contact; it gets back what the impulses
// change.
#pragma once
#include "engine/operational_space.h"
#include "engine/simulation.h"

// A contact in the step's problem.
typedef struct active_contact {
  v3 direction[3]; // normal, two tangents; the relative velocity of A seen from B is taken along them
  v6 wrench[2][3]; // the unit impulse of each row on A's link and on B's, about the link's origin
  int link[2];     // -1: the world
  int tree[2];     // root of the link's tree, -1
  int row[2];      // first of its three rows among those of that tree, within its island
  double friction, restitution;
  double shift; // added to the normal row's b
  double start; // normal velocity at the start of the step, m/s
  bool bounces;
  int candidate; // index among the candidates
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
  double friction, restitution;
} pair_override;

struct srs_contacts {
  srs_collider *collider;
  srs_contact_solver *solver;
  srs_pose *poses;     // n_links
  v6 *velocity_before; // n_links
  v6 *impulse;         // n_links
  int *tree_island;    // n_links: union-find over roots
  int *tree_rows;      // n_links: rows counted on each root
  double *reach;       // n_links: farthest point of its shapes from its origin, m; negative where it has none
  double *friction, *restitution; // n_shapes
  double impact_threshold;        // m/s
  double *dv;                     // nv
  pair_override *overrides;       // n_overrides, sorted by shapes
  int n_overrides;

  int capacity; // contacts
  bool is_fixed;
  srs_contact *candidates;  // capacity
  active_contact *active;   // capacity
  int *order;               // capacity: active contacts sorted by island
  srs_sim_contact *results; // capacity
  warm_contact *warm;       // capacity
  int n_results, n_warm;
  double *problem;     // room for one island: see constraint.c
  size_t problem_room; // doubles
  srs_row *rows;       // 6 * capacity
  srs_sim_statistics statistics;
  srs_error error; // of the last step that failed
};

double srs_combine(srs_combination rule, double a, double b);

/// NULL in *contacts when no two shapes can meet or contact is off.
srs_status srs_contacts_create(const srs_model *model, const srs_sim_options *options, struct srs_contacts **contacts,
                               srs_error *error);
void srs_contacts_destroy(struct srs_contacts *contacts);
srs_status srs_contacts_reserve(struct srs_contacts *contacts, int capacity);
srs_status srs_contacts_reserve_problem(struct srs_contacts *contacts, size_t doubles, int rows);

/// Room that one island of so many contacts takes.
size_t srs_island_doubles(int contacts);

/// Adds the contacts' response to v_next, which holds the velocities without them, after srs_solve_forward at the
/// configuration in the workspace.  @param v  velocities at the start of the step
srs_status srs_contacts_step(srs_sim *sim, const double *v, double *v_next);
