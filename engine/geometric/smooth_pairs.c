// Selects the pairs of smooth solids that enter a step, and finds where the search for their nearest points begins.
//
// A pair enters when its gap at the start is no more than its solids may approach in the step, by their speeds before
// the step and without contact. A farther pair is measured by srs_surface_closest once, and then skipped until its
// solids have moved as far as that distance. After the solve, solids that moved farther are measured again at the end
// of the step. A pair that was in the last system starts from its last solution, another from its nearest points.

#include "engine/geometric/smooth_pairs.h"
#include "engine/dynamics/recursion.h"
#include "engine/geometric/smooth_solids.h"
#include "topology/base/errors.h"

#include <string.h>

static placement place_of(const srs_workspace *w, int link) { return link < 0 ? world_placement : w->place[link]; }

static srs_pose pose_of(const srs_workspace *w, int link)
{
  const placement p = place_of(w, link);
  srs_pose pose;
  v3_store(pose.position, p.origin);
  const m3 rows = m3_transpose(p.axes);
  v3_store(pose.rotation, rows.x);
  v3_store(pose.rotation + 3, rows.y);
  v3_store(pose.rotation + 6, rows.z);
  return pose;
}

// The farthest that any point of a solid moves in the step with these velocities of the links.
static double motion_of(const struct srs_geometric *g, const smooth_solid *solid, const v6 *velocity)
{
  if (solid->link < 0) return 0;
  const v6 v = velocity[solid->link];
  const double turning = sqrt(dot(v.ang, v.ang));
  const v3 arm = m3_times_packed(g->workspace->place[solid->link].axes, &solid->centre);
  const v3 centre = v.lin + cross(v.ang, arm);
  return g->h * (sqrt(dot(centre, centre)) + (turning > 0 ? turning * solid->reach : 0));
}

// The distance between the bounding balls of two solids; for a half-space, its distance from the other's ball.
static double ball_gap(const struct srs_geometric *g, const smooth_pair *pair)
{
  const smooth_solid *s[2] = {&g->solids[pair->solid[0]], &g->solids[pair->solid[1]]};
  v3 centre[2];
  for (int k = 0; k < 2; k++) {
    const placement p = place_of(g->workspace, s[k]->link);
    centre[k] = p.origin + m3_times_packed(p.axes, &s[k]->centre);
  }
  for (int k = 0; k < 2; k++) {
    const smooth_part *part = &g->parts[s[k]->first];
    if (part->surface.kind != SRS_SURFACE_HALF_SPACE || s[k]->n != 1 || isinf(s[1 - k]->reach)) continue;
    const v3 outward = m3_times_packed(place_of(g->workspace, s[k]->link).axes, &part->axes.z);
    return dot(outward, centre[1 - k] - centre[k]) - s[1 - k]->reach;
  }
  const v3 d = centre[1] - centre[0];
  return sqrt(dot(d, d)) - s[0]->reach - s[1]->reach;
}

static bool measure_gap(const struct srs_geometric *g, const smooth_pair *pair, srs_surface_gap *gap)
{
  const smooth_solid *a = &g->solids[pair->solid[0]], *b = &g->solids[pair->solid[1]];
  const srs_pose pose_a = pose_of(g->workspace, a->link), pose_b = pose_of(g->workspace, b->link);
  return srs_surface_closest(&a->body, &pose_a, &b->body, &pose_b, gap);
}

// Stores a pair's nearest points as a warm start.
static void store_points(const struct srs_geometric *g, const smooth_pair *pair, const srs_surface_gap *gap,
                         bool keeps_impulses)
{
  double *warm = g->warm_next + pair->warm;
  const int n_a = g->solids[pair->solid[0]].n, n_b = g->solids[pair->solid[1]].n;
  warm[WARM_GAP] = gap->gap;
  memcpy(warm + WARM_POINT, gap->point_a, 3 * sizeof *warm);
  const int from = keeps_impulses ? WARM_CHANGE : WARM_REFERENCE;
  memset(warm + from, 0, (size_t)(WARM_MULTIPLIERS - from) * sizeof *warm);
  memcpy(warm + WARM_MULTIPLIERS, gap->weight_a, (size_t)n_a * sizeof *warm);
  memcpy(warm + WARM_MULTIPLIERS + n_a, gap->weight_b, (size_t)n_b * sizeof *warm);
}

void srs_smooth_restart(struct srs_geometric *g, int pair, bool keeps_impulses)
{
  srs_surface_gap gap;
  if (measure_gap(g, &g->pairs[pair], &gap)) store_points(g, &g->pairs[pair], &gap, keeps_impulses);
}

static srs_status add_contact(struct srs_geometric *g, int p)
{
  if (g->n_contacts == g->capacity) {
    struct srs_constraints *c = g->constraints;
    if (c->is_fixed)
      return srs_fail(&c->error, SRS_ERROR_CAPACITY, NULL, 0, 0, NULL,
                      "more than %d pairs are within reach of this step: raise the contact capacity", g->capacity);
    if (srs_geometric_reserve(g, g->capacity + g->capacity / 2 + 1) != SRS_OK)
      return srs_fail(&c->error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %d contacts", g->capacity + 1);
    c->next.growths = ++c->statistics.growths;
  }
  g->contacts[g->n_contacts++].pair = p;
  g->is_in[p] = true;
  return SRS_OK;
}

// Whether a pair is within reach of the step. If its distance had to be measured, its nearest points are stored.
static bool is_within(struct srs_geometric *g, int p, const v6 *before, const v6 *free)
{
  const smooth_pair *pair = &g->pairs[p];
  double *warm = g->warm_next + pair->warm;
  double reach = 1e-9; // rounding
  for (int k = 0; k < 2; k++) {
    const smooth_solid *solid = &g->solids[pair->solid[k]];
    reach += fmax(motion_of(g, solid, before), motion_of(g, solid, free));
  }
  g->clearance[p] = warm[WARM_GAP];
  if (warm[WARM_STATE] == PAIR_IN && !(warm[WARM_GAP] > reach)) return true;
  if (warm[WARM_STATE] == PAIR_APART && warm[WARM_GAP] > reach) return false;
  warm[WARM_STATE] = PAIR_APART;
  warm[WARM_GAP] = g->clearance[p] = ball_gap(g, pair);
  if (warm[WARM_GAP] > reach) return false;
  srs_surface_gap gap;
  if (!measure_gap(g, pair, &gap)) return false;
  store_points(g, pair, &gap, false);
  g->clearance[p] = gap.gap;
  return gap.gap <= reach;
}

srs_status srs_smooth_select(struct srs_geometric *g, const v6 *before, const v6 *free)
{
  g->n_contacts = 0;
  for (int p = 0; p < g->n_pairs; p++) {
    g->is_in[p] = false;
    if (!is_within(g, p, before, free)) continue;
    const srs_status status = add_contact(g, p);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

// How far the solids of a pair that was left out moved, with the links' velocities at the end, where the workspace is.
static double moved(const struct srs_geometric *g, const smooth_pair *pair)
{
  double sum = 0;
  for (int k = 0; k < 2; k++) sum += motion_of(g, &g->solids[pair->solid[k]], g->workspace->velocity);
  return sum;
}

srs_status srs_smooth_check(struct srs_geometric *g, bool *any)
{
  *any = false;
  for (int p = 0; p < g->n_pairs; p++) {
    const smooth_pair *pair = &g->pairs[p];
    if (g->is_in[p]) continue;
    double *warm = g->warm_next + pair->warm;
    warm[WARM_GAP] = g->clearance[p] - moved(g, pair);
    if (warm[WARM_GAP] > 0) continue;
    srs_surface_gap gap;
    warm[WARM_GAP] = ball_gap(g, pair);
    if (warm[WARM_GAP] > 0 || !measure_gap(g, pair, &gap)) continue;
    warm[WARM_GAP] = gap.gap;
    if (!(gap.gap < 0)) continue;
    store_points(g, pair, &gap, false);
    const srs_status status = add_contact(g, p);
    if (status != SRS_OK) return status;
    *any = true;
  }
  return SRS_OK;
}
