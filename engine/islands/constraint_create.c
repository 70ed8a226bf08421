// Creates and destroys the constraint system of a simulation: opens the collider, finds the rows
// that the mechanism can have, and takes the memory for them.

#include "engine/islands/constraint_create.h"
#include "collision/world/collider.h"
#include "engine/rows/constraint_memory.h"
#include "engine/rows/contact_rows.h"
#include "engine/rows/corner_solids.h"
#include "engine/rows/material.h"
#include "engine/rows/row_sources.h"
#include "engine/rows/statistics.h"
#include "topology/base/errors.h"
#include "topology/base/reserve.h"

#include <limits.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 32, FIRST_ROWS = 200 }; // contacts; scalar rows of one island

// Opens the collider; leaves it NULL where no two shapes can meet.
static srs_status open_collider(struct srs_constraints *c, const srs_model *m, const srs_sim_options *o,
                                const srs_integrator_traits *traits, srs_error *error)
{
  if (!o->contact.enabled) return SRS_OK;
  srs_collider_options collider = o->contact.collider;
  if (o->contact.capacity > 0 && collider.pair_capacity == 0) collider.pair_capacity = INT_MAX; // must not grow later
  collider.makes_sides = collider.makes_sides || o->contact.corners != SRS_CORNERS_CONVEX;
  const srs_status status = traits->takes_surfaces ? srs_collider_create_for_pairs(m, &collider, &c->collider, error)
                                                   : srs_collider_create(m, &collider, &c->collider, error);
  if (status != SRS_OK) return status;
  if (srs_collider_n_pairs(c->collider) == 0) {
    srs_collider_destroy(c->collider);
    c->collider = NULL;
    return SRS_OK;
  }
  if (traits->takes_rows) return SRS_OK;
  return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, traits->name,
                  "%s cannot step through contacts, and shapes of this mechanism can meet: take another integrator, or "
                  "switch contact off",
                  traits->name);
}

// Refuses rows, by name, for an integrator that takes none.
static srs_status refuse_rows(const struct srs_constraints *c, const srs_model *m, const char *integrator,
                              srs_error *error)
{
  if (srs_model_n_loops(m) > 0) // a free tendon has no rows of its own, but what acts on it is in rows
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, srs_model_loop_name(m, 0),
                    "%s cannot hold loops, and '%.80s' is one: take another integrator", integrator,
                    srs_model_loop_name(m, 0));
  for (int i = 0; i < c->n_coordinates; i++) {
    const joint_coordinate *at = &c->coordinates[i];
    const bool is_friction = at->friction > 0;
    if (!is_friction && !isfinite(at->lower) && !isfinite(at->upper)) continue;
    const char *joint = m->joints[m->link_of_v[at->v]].name;
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, joint,
                    "%s cannot step through %s, and joint '%.80s' has %s: take another integrator, or switch it off "
                    "(%s: false)",
                    integrator, is_friction ? "dry friction" : "position limits", joint, is_friction ? "some" : "them",
                    is_friction ? "joint_friction" : "limits");
  }
  return SRS_OK;
}

static srs_status fill(struct srs_constraints *c, const srs_model *m, const srs_sim_options *options, srs_error *error)
{
  const srs_contact_settings *o = &options->contact;
  if (srs_fixed_arrays_create(c, m) != SRS_OK)
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for constraints");
  c->impact_threshold = srs_impact_threshold(options);
  c->is_projected = srs_is_projected(o);
  c->is_fixed = o->capacity > 0;
  c->has_second_phase = o->impact == SRS_IMPACT_POISSON;
  c->takes_blocks = !c->has_second_phase && o->corners == SRS_CORNERS_CONVEX;
  c->counts_loops = srs_contact_method_is_relaxed(o->solver.method);
  c->n_directions = srs_contact_method_has_polyhedron(o->solver.method) ? o->solver.n_directions : 4;
  const int capacity = c->collider == NULL ? 1 : o->capacity > 0 ? o->capacity : FIRST_CAPACITY;
  const int rows = c->scalar_capacity <= FIRST_ROWS || c->is_fixed ? c->scalar_capacity : FIRST_ROWS;
  c->is_round = true, c->contact_rows = 3;
  c->corners = c->collider != NULL ? o->corners : SRS_CORNERS_CONVEX;
  srs_status status = c->collider != NULL ? srs_contact_materials_create(c, m, o, error) : SRS_OK;
  c->takes_blocks = c->takes_blocks && !c->has_rolling; // blocks have no room for as many rows
  if (status == SRS_OK && c->collider != NULL) status = srs_corner_solids_create(c, m, o, error);
  if (status == SRS_OK) status = srs_contact_solver_create(0, &c->solver, error);
  if (status == SRS_OK &&
      (srs_contacts_reserve(c, capacity) != SRS_OK || srs_problem_reserve(c, capacity, rows) != SRS_OK))
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %d contacts: lower contact.capacity",
                      capacity);
  if (status == SRS_OK && c->is_fixed && srs_blocks_reserve_fixed(c) != SRS_OK)
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %d contacts: lower contact.capacity",
                      capacity);
  return status;
}

srs_status srs_constraints_create(srs_workspace *workspace, const srs_sim_options *options,
                                  const srs_integrator_traits *traits, struct srs_constraints **constraints,
                                  srs_error *error)
{
  const srs_model *model = workspace->model;
  *constraints = NULL;
  struct srs_constraints *c = srs_reserve(1, sizeof *c);
  if (c == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for constraints");
  c->workspace = workspace;
  c->statistics = srs_no_statistics();
  srs_status status = open_collider(c, model, options, traits, error);
  if (status == SRS_OK) status = srs_count_rows(c, model, options, error);
  if (status == SRS_OK && !traits->takes_rows) status = refuse_rows(c, model, traits->name, error);
  if (status == SRS_OK && c->collider == NULL && c->n_coordinates + c->n_loop_rows == 0) {
    srs_constraints_destroy(c);
    return SRS_OK;
  }
  if (status == SRS_OK) status = fill(c, model, options, error);
  if (status != SRS_OK) {
    srs_constraints_destroy(c);
    return status;
  }
  *constraints = c;
  return SRS_OK;
}

void srs_constraints_destroy(struct srs_constraints *c)
{
  if (c == NULL) return;
  srs_collider_destroy(c->collider);
  srs_contact_solver_destroy(c->solver);
  srs_nonconvex_solver_destroy(c->corner_solver);
  srs_arrays_destroy(c);
  srs_release(c);
}
