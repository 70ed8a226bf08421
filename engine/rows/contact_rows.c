// Contact rows: selects the contacts that enter a step's problem from the collider's candidates, and makes their
// constraint rows.
//
// For each contact the normal n and two tangents, t1 along the slip at the start of the step, or along the direction of
// one shape's anisotropic friction; with torsional friction a row for the spin n . (w_A - w_B), with rolling friction
// two for t1 . (w_A - w_B) and t2 . (w_A - w_B), f a torque. A row's velocity is f_A . V_A + f_B . V_B, f the unit
// impulse on each side's link about its origin (that of B has the minus sign). A contact without friction needs the
// normal alone; where both bodies can move in one plane only (state/planar_motion.c) and n is in it, two rows. The
// normal row's b is n . V at v_free plus the term of the normal law (engine.h: Stewart & Trinkle; Hart & Anitescu).

#include "engine/rows/contact_rows.h"
#include "collision/world/collider.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/rows/constraint_memory.h"
#include "engine/rows/corner_solids.h"
#include "engine/rows/material.h"
#include "engine/state/step_context.h"
#include "topology/base/errors.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Candidates
// ---------------------------------------------------------------------------------------------------------------------

// The distance by which any two surfaces may approach within the step: h times the sum of the two largest speeds
// without contact, at the farthest points of the links' shapes.
static double approach(const struct srs_constraints *c, const srs_workspace *w, const v6 *velocity, double h)
{
  double first = 0, second = 0;
  for (int k = 0; k < w->model->n_links; k++) {
    if (!(c->reach[k] >= 0)) continue; // no shapes
    const v6 v = velocity[k];
    const double speed = sqrt(dot(v.lin, v.lin)) + c->reach[k] * sqrt(dot(v.ang, v.ang));
    if (speed > first)
      second = first, first = speed;
    else if (speed > second)
      second = speed;
  }
  return h * (first + second);
}

// The links' velocities without contact, as the collider takes them.
static const double *link_motion(const struct srs_constraints *c)
{
  if (c->corners == SRS_CORNERS_CONVEX) return NULL;
  const srs_workspace *w = c->workspace;
  for (int k = 0; k < w->model->n_links; k++) v6_store(c->motion + 6 * (size_t)k, w->velocity[k]);
  return c->motion;
}

srs_status srs_fail_overflowed(struct srs_constraints *c, const srs_workspace *w)
{
  const char *name = srs_fastest_link(w);
  return srs_fail(&c->error, SRS_ERROR_DIVERGED, NULL, 0, 0, name,
                  "the velocities of '%s' or the impulses on it have overflowed: the forces on it are too large or the "
                  "step is: lower dt",
                  name);
}

static srs_status find_candidates(struct srs_constraints *c, double margin, int *n)
{
  if (!isfinite(margin)) return srs_fail_overflowed(c, c->workspace);
  srs_link_poses(c->workspace, c->poses);
  const double *motion = link_motion(c);
  for (;;) {
    const srs_status status =
        srs_collider_contacts_moving(c->collider, c->poses, motion, margin, c->candidates, c->capacity, n, &c->error);
    if (status != SRS_ERROR_CAPACITY || *n <= c->capacity) return status;
    if (c->is_fixed)
      return srs_fail(&c->error, SRS_ERROR_CAPACITY, NULL, 0, 0, NULL,
                      "%d contact points are within reach of this step, but there is room for %d: raise the contact "
                      "capacity to %d or more",
                      *n, c->capacity, *n);
    const srs_status grown = srs_contacts_reserve(c, *n + *n / 2);
    if (grown != SRS_OK) return srs_fail(&c->error, grown, NULL, 0, 0, NULL, "no memory for %d contacts", *n);
    c->next.growths = ++c->statistics.growths;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Active contacts
// ---------------------------------------------------------------------------------------------------------------------

static const double out_of_plane = 1e-9; // rad, of a normal in the plane

// A contact with its shapes in the order of their names: `first` has the lower rank, whether it is A or B.
typedef struct ordered_contact {
  int link[2];
  v3 point[2];
  v3 normal; // from the second to the first
} ordered_contact;

// Adding zero turns -0 into 0, so that turning a contact twice gives the same bits. is_at_witness: both impulses act at
// the witness point.
SRS_INLINE ordered_contact in_order(const srs_contact_point *contact, bool is_turned, bool is_at_witness)
{
  const v3 a = v3_load(is_at_witness ? contact->witness : contact->point_a);
  const v3 b = v3_load(is_at_witness ? contact->witness : contact->point_b), n = v3_load(contact->normal);
  if (is_turned) return (ordered_contact){{contact->link_b, contact->link_a}, {b, a}, v3_zero - n};
  return (ordered_contact){{contact->link_a, contact->link_b}, {a, b}, v3_zero + n};
}

// The velocity of the first contact point relative to the second.
SRS_INLINE v3 relative_velocity(const ordered_contact *contact, const srs_workspace *w, const v6 *velocity)
{
  v3 u[2] = {v3_zero, v3_zero};
  for (int side = 0; side < 2; side++) {
    const int link = contact->link[side];
    if (link < 0) continue;
    u[side] = velocity[link].lin + cross(velocity[link].ang, contact->point[side] - w->place[link].origin);
  }
  return u[0] - u[1];
}

// A unit vector at right angles to n, the same for the same n.
SRS_INLINE v3 any_tangent(v3 n)
{
  const double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
  const v3 least = x <= y && x <= z ? m3_identity.x : y <= z ? m3_identity.y : m3_identity.z;
  const v3 t = cross(n, least);
  return t * (1 / sqrt(dot(t, t)));
}

// In whichever order the shapes stand, t2 lies counter-clockwise of t1, seen from above.
SRS_INLINE void set_fixed_directions(active_contact *a, v3 n)
{
  const v3 axis = fabs(n[0]) > 0.9 ? m3_identity.y : m3_identity.x, t = axis - dot(n, axis) * n;
  a->direction[0] = n;
  a->direction[1] = t * (1 / sqrt(dot(t, t)));
  a->direction[2] = cross(n[2] < 0 ? v3_zero - n : n, a->direction[1]);
}

SRS_INLINE void set_directions(active_contact *a, v3 n, v3 slip)
{
  const v3 across = slip - dot(n, slip) * n;
  const double speed = sqrt(dot(across, across));
  a->direction[0] = n;
  a->direction[1] = speed > 1e-12 ? across * (1 / speed) : any_tangent(n);
  a->direction[2] = cross(n, a->direction[1]);
}

SRS_INLINE void set_sides(active_contact *a, const ordered_contact *contact, const srs_workspace *w)
{
  for (int side = 0; side < 2; side++) {
    const int link = a->link[side];
    a->tree[side] = link < 0 ? -1 : w->tree[link];
    if (link < 0) continue;
    const v3 arm = contact->point[side] - w->place[link].origin;
    for (int row = 0; row < a->n_forces; row++) {
      const v3 d = side == 0 ? a->direction[row] : -a->direction[row];
      a->wrench[side][row] = (v6){cross(arm, d), d};
    }
    for (int row = a->n_forces; row < a->n_rows; row++) {
      const v3 axis = a->direction[srs_torque_direction(a, row)];
      a->wrench[side][row] = (v6){side == 0 ? axis : -axis, v3_zero};
    }
  }
}

static const srs_tree_motion *motion_of(const struct srs_constraints *c, int link)
{
  return link < 0 ? NULL : &c->tree_motion[c->workspace->root[link]];
}

// Leaves out the tangents that do nothing. In a plane the friction set is what of the ellipse lies over the tangent t:
// its half width is the ellipse's support, |(e_1 t . t_1, e_2 t . t_2)|. The summation form of corners may have several
// solutions, and which one its pivoting finds depends on the rows; it keeps all three.
SRS_INLINE void leave_out_rows(const struct srs_constraints *c, active_contact *a)
{
  if (c->corners == SRS_CORNERS_SUMMATION) return;
  if (!(a->friction > 0)) {
    a->n_rows = a->n_forces = 1;
    return;
  }
  v3 p;
  if (!c->has_planar_trees || !srs_share_plane(motion_of(c, a->link[0]), motion_of(c, a->link[1]), &p) ||
      fabs(dot(p, a->direction[0])) > out_of_plane)
    return;
  const v3 across = cross(p, a->direction[0]), unit = across * (1 / sqrt(dot(across, across)));
  const double first = dot(unit, a->direction[1]), second = dot(unit, a->direction[2]);
  a->anisotropy[0] = hypot(a->anisotropy[0] * first, a->anisotropy[1] * second);
  a->direction[1] = first < 0 ? v3_zero - unit : unit;
  a->direction[2] = cross(a->direction[0], a->direction[1]);
  a->n_rows = a->n_forces = 2;
  if (!(a->rolling > 0)) return;
  a->first_torque = 2, a->n_rows = 3;
  a->anisotropy[1] = a->rolling;
}

// max(gap, 0), without what rounding may leave of points that touch: over h it would be a speed, another in each step.
SRS_INLINE double open_gap(const srs_contact_point *contact)
{
  const v3 at = v3_load(contact->point_a);
  const double rounding = 1e-14 + 1e-15 * sqrt(dot(at, at));
  return contact->gap > rounding ? contact->gap : 0;
}

// The shift of the normal row by the normal law. Hart's law holds for the ratio metric phi of the contact: its rate is
// slope n . V, so slope n . V + gamma phi / h >= 0 is required. What is inside already is pushed out by moving
// positions (islands/push_out.c) or, without projection, by the row's velocity.
SRS_INLINE double normal_shift(const srs_contact_settings *o, const srs_contact_point *contact, double excess, double h,
                               bool bounces)
{
  const double gap = contact->gap;
  if (srs_is_projected(o)) return (open_gap(contact) + excess) / h;
  if (o->normal == SRS_NORMAL_HART && !bounces) return o->error_reduction * contact->phi / (contact->slope * h);
  const double beyond = o->normal == SRS_NORMAL_GAP && !bounces ? excess / h : 0;
  if (gap >= 0) return o->normal == SRS_NORMAL_GAP && !bounces ? (gap + excess) / h : 0;
  const double push = o->error_reduction * gap / h;
  return beyond + (push < -o->max_depenetration_velocity ? -o->max_depenetration_velocity : push);
}

SRS_INLINE void set_anisotropy(const struct srs_constraints *c, const srs_contact_point *contact, active_contact *a)
{
  const int first = a->is_turned ? contact->shape_b : contact->shape_a;
  const int second = a->is_turned ? contact->shape_a : contact->shape_b;
  bool is_second;
  const shape_anisotropy *g = srs_anisotropy_of(c, first, second, &is_second);
  if (g == NULL) return;
  const int link = a->link[is_second ? 1 : 0];
  v3 d = g->direction;
  if (link >= 0) {
    const double *R = c->poses[link].rotation;
    d = (v3){R[0] * d[0] + R[1] * d[1] + R[2] * d[2], R[3] * d[0] + R[4] * d[1] + R[5] * d[2],
             R[6] * d[0] + R[7] * d[1] + R[8] * d[2]};
  }
  const v3 n = a->direction[0], within = d - dot(n, d) * n;
  const double length = sqrt(dot(within, within));
  a->anisotropy[0] = a->anisotropy[1] = g->across;
  if (length < 1e-3) return;
  a->anisotropy[0] = g->along;
  a->direction[1] = within * (1 / length);
  a->direction[2] = cross(n, a->direction[1]);
}

// Bodies that rest on each other and fall together do not approach, and their gap is zero up to rounding of either
// sign. So where the row lets a gap close (the gap law without bounce), contacts nearer than the slack stay active,
// too. What touches is active even where the free motion would part it: other impulses may close it again.
SRS_INLINE bool is_active(const srs_contact_settings *o, bool bounces, double gap, double free_normal, double h,
                          double slack)
{
  if (o->activation != SRS_ACTIVATION_PREDICT)
    return gap <= (o->activation == SRS_ACTIVATION_DISTANCE ? o->distance : 0);
  if (srs_is_projected(o)) return gap + h * fmin(free_normal, 0) <= slack;
  return gap + h * free_normal <= (o->normal == SRS_NORMAL_GAP && !bounces ? slack : 0);
}

// The distance by which gravity moves a body in a step, or without gravity the gap that rounding may leave, m.
static double resting_slack(const srs_sim_options *o) { return 1e-10 + norm3(vec3_load(o->gravity)) * o->dt * o->dt; }

static bool is_pair_of(const start_gap *s, const srs_contact_point *contact)
{
  return s->shape_a == contact->shape_a && s->shape_b == contact->shape_b;
}

// The first entry of the contact's pair among the starts, or the place where it would be.
static int first_start(const struct srs_constraints *c, const srs_contact_point *contact)
{
  int low = 0, high = c->n_starts;
  while (low < high) {
    const int middle = (low + high) / 2;
    const start_gap *s = &c->starts[middle];
    if (s->shape_a < contact->shape_a || (s->shape_a == contact->shape_a && s->shape_b < contact->shape_b))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The rows at q^m say J(q^m) v+, where J(q+) v+ is meant. Both differ by what J v changes from the start to q^m, to
// O(h^2): so a body that rolls keeps the midpoint scheme's order. Contact points that were not there at the start are
// left as they are.
SRS_INLINE void set_turn(const struct srs_constraints *c, const srs_contact_point *contact, v3 slip, double approach,
                         active_contact *a)
{
  for (int i = first_start(c, contact); i < c->n_starts && is_pair_of(&c->starts[i], contact); i++) {
    const start_gap *s = &c->starts[i];
    if (s->feature != contact->feature) continue;
    a->turn[0] = approach - s->approach;
    for (int row = 1; row < a->n_forces; row++) a->turn[row] = dot(a->direction[row], slip - s->slip);
    return;
  }
}

// Fills the contact's directions and rows.
SRS_INLINE void set_rows(const struct srs_constraints *c, const srs_step_context *step,
                         const srs_contact_point *contact, const ordered_contact *ordered, double excess, double start,
                         v3 slip, active_contact *a)
{
  const srs_contact_settings *o = &step->options->contact;
  if (o->alignment == SRS_ALIGNMENT_FIXED)
    set_fixed_directions(a, ordered->normal);
  else
    set_directions(a, ordered->normal, slip);
  a->link[0] = ordered->link[0], a->link[1] = ordered->link[1];
  if (!c->is_round) set_anisotropy(c, contact, a);
  leave_out_rows(c, a);
  set_sides(a, ordered, step->workspace);
  a->shift = a->bounces && o->impact == SRS_IMPACT_NEWTON && !srs_is_projected(o)
                 ? a->restitution * start
                 : normal_shift(o, contact, excess, step->options->dt, a->bounces);
  memset(a->turn, 0, sizeof a->turn);
  memset(a->is_pushed, 0, sizeof a->is_pushed);
  if (c->is_projected && step->predicted_motion != NULL && step->traits->is_mean && !a->bounces)
    set_turn(c, contact, slip, start, a);
}

// Fills the contact and returns true if it is active, so enters the problem. is_taken: it does in any case.
SRS_KERNEL static bool activate_contact(const struct srs_constraints *c, const srs_step_context *step,
                                        const srs_contact_point *contact, double excess, double slack, bool is_taken,
                                        active_contact *a)
{
  const srs_workspace *w = step->workspace;
  const srs_contact_settings *o = &step->options->contact;
  const double h = step->options->dt;
  const int rank_a = c->shape_rank[contact->shape_a], rank_b = c->shape_rank[contact->shape_b];
  a->is_turned = rank_b < rank_a;
  a->rank[0] = a->is_turned ? rank_b : rank_a;
  a->rank[1] = a->is_turned ? rank_a : rank_b;
  // Contacts of the ratio metric act at the witness point, where the grown bodies meet, because phi's rate is taken
  // there; others act on the surfaces.
  const bool is_at_witness = o->normal == SRS_NORMAL_HART && contact->slope != 1;
  const ordered_contact ordered = in_order(contact, a->is_turned, is_at_witness);
  const v3 slip = relative_velocity(&ordered, w, c->velocity_before);
  const double start = dot(ordered.normal, slip);
  const double free_normal = dot(ordered.normal, relative_velocity(&ordered, w, w->velocity));
  a->group = -1;
  a->has_answer = a->is_kept = a->has_rested = false;
  a->gap = contact->gap + excess;
  a->closing = contact->gap + excess + h * free_normal;
  srs_find_material(c, o, a, contact->shape_a, contact->shape_b);
  a->bounces = a->restitution > 0 && start < -c->impact_threshold;
  if (!is_taken && !is_active(o, a->bounces, contact->gap + excess, free_normal, h, slack)) return false;
  set_rows(c, step, contact, &ordered, excess, start, slip, a);
  return true;
}

static double excess_of(const struct srs_constraints *c, const srs_step_context *step, int candidate)
{
  return step->predicted_motion != NULL ? c->excess[candidate] : 0;
}

// Activates the sides of a pair, n onwards, if none of them is free; otherwise the group is not active and n stays. In
// summation form each side has one contact, the one that closes fastest.
static int activate_sides(struct srs_constraints *c, const srs_step_context *step, int first, int end, double slack,
                          int n, double *gap)
{
  int taken = n, n_sides = 0, last = 0;
  double least = -INFINITY; // smallest gap of the side
  *gap = -INFINITY;         // largest gap of the pair's sides
  for (int k = first; k < end; k++) {
    const srs_contact_point *candidate = &c->candidates[k];
    active_contact *a = &c->active[taken];
    const bool begins = k == first || candidate->side != candidate[-1].side;
    if (begins) *gap = fmax(*gap, least);
    least = begins ? candidate->gap : fmin(least, candidate->gap);
    if (!activate_contact(c, step, candidate, excess_of(c, step, k), slack, false, a)) continue;
    a->candidate = k, a->group = first, a->side = candidate->side;
    const bool is_new = candidate->side != last;
    n_sides += is_new, last = candidate->side;
    if (is_new || c->corners == SRS_CORNERS_MAX)
      taken++;
    else if (a->closing < c->active[taken - 1].closing)
      c->active[taken - 1] = *a;
  }
  *gap = fmax(*gap, least);
  if (n_sides < c->candidates[first].n_sides) return n;
  c->n_groups++;
  return taken;
}

// Activates a point of a body at a solid that half-spaces bound: the point is outside where it is outside of one
// half-space, so all of them have to close.
static int activate_at_half_space(struct srs_constraints *c, const srs_step_context *step, int n_candidates, int i,
                                  double slack, int n, double *gap)
{
  const srs_contact_point *candidate = &c->candidates[i];
  const int plane = srs_plane_of(c, candidate), other = candidate->shape_a + candidate->shape_b - plane;
  int group = -1, near = 0, closing = 0, side = 0;
  *gap = -INFINITY;
  for (int k = 0; k < n_candidates; k++) {
    const srs_contact_point *beside = &c->candidates[k];
    const int its_plane = srs_plane_of(c, beside);
    if (its_plane < 0 || c->solid_of[its_plane] != c->solid_of[plane] || beside->feature != candidate->feature ||
        beside->shape_a + beside->shape_b - its_plane != other)
      continue;
    if (group < 0) group = k;
    if (k < i) side++;
    near++;
    *gap = fmax(*gap, beside->gap);
    closing += activate_contact(c, step, beside, excess_of(c, step, k), slack, false, &c->active[n]);
  }
  if (near < c->solid_planes[plane]) *gap = INFINITY; // it is outside the margin of another half-space
  if (closing < c->solid_planes[plane]) return n;
  active_contact *a = &c->active[n];
  (void)activate_contact(c, step, candidate, excess_of(c, step, i), slack, false, a);
  a->candidate = i, a->group = group, a->side = side;
  if (group == i) c->n_groups++;
  return n + 1;
}

// Activates the group that begins at candidate i, and adds to n. Returns the next candidate.
// gap: out, the group's gap
static int activate_at_corner(struct srs_constraints *c, const srs_step_context *step, int n_candidates, int i,
                              double slack, int *n, double *gap)
{
  const srs_contact_point *first = &c->candidates[i];
  if (first->n_sides == 0) {
    *n = activate_at_half_space(c, step, n_candidates, i, slack, *n, gap);
    return i + 1;
  }
  int end = i + 1;
  while (end < n_candidates && c->candidates[end].shape_a == first->shape_a &&
         c->candidates[end].shape_b == first->shape_b)
    end++;
  *n = activate_sides(c, step, i, end, slack, *n, gap);
  return end;
}

// Keeps the n-th active contact, where the last step left it in an island at rest: same bodies, same contact point.
static bool keep(struct srs_constraints *c, int candidate, int n)
{
  const void *now = &c->candidates[candidate], *last = &c->results[n].contact; // to the bit: they have no padding
  active_contact *a = &c->active[n];
  if (n >= c->n_standing || !a->has_rested || memcmp(now, last, sizeof *c->candidates) != 0) return false;
  for (int side = 0; side < 2; side++)
    if (a->tree[side] >= 0 && !c->stands[a->tree[side]]) return false;
  a->candidate = candidate, a->has_answer = false;
  return a->is_kept = true;
}

// Makes candidate i the n-th active contact, if it is active; what stands there stays otherwise.
static bool activate_next(struct srs_constraints *c, const srs_step_context *step, int i, double slack, int n)
{
  active_contact next, *a = n < c->n_standing ? &next : &c->active[n];
  if (!activate_contact(c, step, &c->candidates[i], excess_of(c, step, i), slack, false, a)) return false;
  if (a == &next) c->active[n] = next;
  c->active[n].candidate = i;
  return true;
}

static int select_active(struct srs_constraints *c, const srs_step_context *step, int n_candidates)
{
  const double slack = resting_slack(step->options);
  int n = 0;
  double infeasibility = c->deepest = 0;
  for (int i = 0; i < n_candidates; i++) {
    if (!srs_stands_alone(c, &c->candidates[i])) {
      double gap;
      i = activate_at_corner(c, step, n_candidates, i, slack, &n, &gap) - 1;
      c->deepest = fmax(c->deepest, -gap);
      infeasibility = fmax(infeasibility, -gap);
      continue;
    }
    if (-c->candidates[i].gap > c->deepest) c->deepest = -c->candidates[i].gap;
    if (-c->candidates[i].phi > infeasibility) infeasibility = -c->candidates[i].phi;
    n += keep(c, i, n) || activate_next(c, step, i, slack, n);
  }
  if (c->deepest > c->next.penetration_max) c->next.penetration_max = c->deepest;
  c->next.penetration_sum += c->deepest;
  if (infeasibility > c->next.infeasibility_max) c->next.infeasibility_max = infeasibility;
  c->next.infeasibility_sum += infeasibility;
  c->next.infeasibility_last = infeasibility;
  return n;
}

// Records which pairs overlap at the start of an implicit Euler step.
static void record_start_gaps(struct srs_constraints *c, int n_candidates)
{
  c->n_starts = 0;
  for (int i = 0; i < n_candidates; i++) {
    const srs_contact_point *contact = &c->candidates[i];
    if (!(contact->gap < 0)) continue;
    start_gap *last = c->n_starts > 0 ? &c->starts[c->n_starts - 1] : NULL;
    if (last != NULL && last->shape_a == contact->shape_a && last->shape_b == contact->shape_b)
      last->gap = fmin(last->gap, contact->gap);
    else
      c->starts[c->n_starts++] =
          (start_gap){.shape_a = contact->shape_a, .shape_b = contact->shape_b, .gap = contact->gap};
  }
}

void srs_record_start(struct srs_constraints *c, const srs_step_context *step)
{
  srs_workspace *w = step->workspace;
  int n = 0;
  c->n_starts = 0;
  srs_place_links(w, step->state->q);
  srs_move_links(w, step->state->v);
  const double margin = approach(c, w, w->velocity, step->options->dt) + resting_slack(step->options);
  if (find_candidates(c, margin, &n) != SRS_OK) return; // the iteration will say so
  for (int i = 0; i < n; i++) {
    const srs_contact_point *contact = &c->candidates[i];
    const ordered_contact ordered =
        in_order(contact, c->shape_rank[contact->shape_b] < c->shape_rank[contact->shape_a], false);
    const v3 slip = relative_velocity(&ordered, w, w->velocity);
    c->starts[c->n_starts++] = (start_gap){.shape_a = contact->shape_a,
                                           .shape_b = contact->shape_b,
                                           .gap = contact->gap,
                                           .feature = contact->feature,
                                           .slip = slip,
                                           .approach = dot(ordered.normal, slip)};
  }
}

static double start_of(const struct srs_constraints *c, const srs_contact_point *contact)
{
  const int i = first_start(c, contact);
  return i < c->n_starts && is_pair_of(&c->starts[i], contact) ? c->starts[i].gap : 0;
}

// Turns gaps into those that an explicit scheme would have found, by the contact points' own motion: correct to O(h^2),
// and the same in every iteration to that order. In implicit Euler, what remains below the gap at the start is no
// overlap but the effect of the points' rotation: the excess, which the step has to make up for so that it ends in
// contact.
static void use_explicit_gaps(struct srs_constraints *c, bool is_mean, int n_candidates)
{
  for (int i = 0; i < n_candidates; i++) {
    srs_contact_point *contact = &c->candidates[i];
    const ordered_contact ordered = in_order(contact, false, false);
    const double approached = dot(ordered.normal, relative_velocity(&ordered, c->workspace, c->predicted_motion));
    contact->gap -= approached;
    contact->phi -= contact->slope * approached;
    const double least = !is_mean && contact->gap < 0 ? start_of(c, contact) : -INFINITY;
    c->excess[i] = fmin(0, contact->gap - least);
    contact->gap -= c->excess[i];
  }
}

srs_status srs_select_contacts(struct srs_constraints *c, const srs_step_context *step, int *n)
{
  const srs_workspace *w = step->workspace;
  double margin = step->options->contact.activation == SRS_ACTIVATION_PREDICT
                      ? approach(c, w, w->velocity, step->options->dt) + resting_slack(step->options)
                      : step->options->contact.distance;
  if (step->predicted_motion != NULL) margin += approach(c, w, c->predicted_motion, 1);
  int n_candidates = 0;
  c->margin = margin;
  const srs_status status = find_candidates(c, margin, &n_candidates);
  if (status == SRS_OK && step->predicted_motion != NULL && c->is_at_start && !step->traits->is_mean)
    record_start_gaps(c, n_candidates);
  if (status == SRS_OK && step->predicted_motion != NULL) use_explicit_gaps(c, step->traits->is_mean, n_candidates);
  c->n_candidates = status == SRS_OK ? n_candidates : 0;
  *n = select_active(c, step, c->n_candidates);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts that were left out
// ---------------------------------------------------------------------------------------------------------------------

// The normal velocity of a candidate, for the workspace's links.
static double normal_velocity(const struct srs_constraints *c, const srs_workspace *w, int candidate)
{
  const ordered_contact ordered = in_order(&c->candidates[candidate], false, false);
  return dot(ordered.normal, relative_velocity(&ordered, w, w->velocity));
}

// Restores the order of candidates among the active contacts: the last ones were appended.
static void merge(active_contact *active, int n_before, int n)
{
  for (int i = n_before; i < n; i++) {
    const active_contact taken = active[i];
    int at = i;
    for (; at > 0 && active[at - 1].candidate > taken.candidate; at--) active[at] = active[at - 1];
    active[at] = taken;
  }
}

int srs_take_left_out(struct srs_constraints *c, const srs_step_context *step, int n)
{
  const double h = step->options->dt, rounding = 1e-12;
  int end = n;
  for (int k = 0, i = 0; k < c->n_candidates; k++) {
    while (i < n && c->active[i].candidate < k) i++;
    if ((i < n && c->active[i].candidate == k) || !srs_stands_alone(c, &c->candidates[k])) continue;
    const double excess = excess_of(c, step, k);
    if (!(c->candidates[k].gap + excess + h * normal_velocity(c, step->workspace, k) < -rounding)) continue;
    (void)activate_contact(c, step, &c->candidates[k], excess, 0, true, &c->active[end]);
    c->active[end++].candidate = k;
  }
  merge(c->active, n, end);
  return end;
}

// The tangents turn with the normal, about the axis at right angles to both normals, so they change smoothly with it.
void srs_move_contact(const srs_workspace *w, const srs_contact_point *contact, active_contact *a)
{
  const ordered_contact ordered = in_order(contact, a->is_turned, false);
  const v3 before = a->direction[0], sum = before + ordered.normal;
  const double share = 1 / (1 + dot(before, ordered.normal));
  for (int i = 1; i < 3; i++) a->direction[i] -= (share * dot(a->direction[i], sum)) * sum;
  a->direction[0] = ordered.normal;
  a->gap = contact->gap;
  set_sides(a, &ordered, w);
}
