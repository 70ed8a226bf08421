// Warm start of an island's solve. Internal.
#pragma once
#include "engine/islands/island.h"
#include "engine/state/step_context.h"

/// Fills the island's impulses with those of the last step.
/// @param warm_rows  as in srs_sim_state
/// @return whether all of its rows were in the last step's problem, and none bounces
bool srs_warm_start(const struct srs_constraints *constraints, const double *warm_rows, const island *island);

/// The speed that is rounding, where impulses stop the link's joint: of the parts that cancel in it, v_free, or of
/// positions over h.
double srs_speed_that_rounds(const srs_model *model, int link, double h, const double *v_free);

/// Finds what stands since the last step, before contacts are selected: of trees at rest where q, v_free and `extra`
/// are the same to the bit.
void srs_find_standing(struct srs_constraints *constraints, const srs_step_context *step, const double *v_free);

/// Finds the islands at rest that stay so by their impulses of the last step, after srs_find_islands: these are in
/// `answer` of their contacts then, the first of which `is_settled`. Those of contacts that are all kept are so without
/// a look. Counts their solves. Overwrites the links' impulses, dv, v_trial and the problem's memory; has_response:
/// dv is the response to all.
/// @param v_free  nv: velocities without impulses, which the links in the workspace have
/// @return whether there are any
bool srs_settle_islands(struct srs_constraints *constraints, const srs_step_context *step, int n_islands,
                        const double *v_free);

/// After a call that returned true.
static inline bool srs_is_settled(const struct srs_constraints *c, int number)
{
  return c->island_begin[number] < c->island_begin[number + 1] &&
         c->active[c->order[c->island_begin[number]]].is_settled;
}
