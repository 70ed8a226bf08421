// What do contacts do to a step? Candidates from the collider, those that enter the problem, islands, W and b,
// impulses.
//
//   rows      for each contact the normal n and two tangents, t1 along the slip at the start of the step; a row's
//   velocity is
//             f_A . V_A + f_B . V_B with f the unit impulse on each side's link about its origin (that of B carries the
//             minus)
//   W         sum over trees of f Lambda f: Lambda of the rows on each tree by spatial operators; never through M
//   b         the rows' velocities without contact, v_free; the normal one plus what the normal law adds (engine.h)
//   impacts   two-phase: solve, add e times the impulse where a contact came in faster than the threshold, and where
//   then a
//             normal velocity is negative solve once more from there; Poisson's: engine/poisson.h
//   answer    v+ = v_free + M^-1 J^T lambda, by the pivots of the articulated sweep
//
// Islands are contacts that share no moving tree; each is solved by itself, its contacts in the order of their names.
// What a step finds is kept apart until the step is accepted, so that one that fails leaves everything as it was.
// (Mylapilli & Jain sec. 2.6-4; the normal laws after Stewart & Trinkle, and Hart & Anitescu.)

#include "engine/constraint.h"
#include "collision/members.h"
#include "engine/contacts.h"
#include "engine/poisson.h"
#include "topology/internal.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Candidates
// ---------------------------------------------------------------------------------------------------------------------

// How far any two surfaces may approach within the step: h times the speeds without contact of the two fastest links,
// at the farthest points of their shapes.
static double approach(const struct srs_contacts *c, const srs_workspace *w, double h)
{
  double first = 0, second = 0;
  for (int k = 0; k < w->model->n_links; k++) {
    if (!(c->reach[k] >= 0)) continue; // no shapes
    const v6 v = w->velocity[k];
    const double speed = sqrt(dot(v.lin, v.lin)) + c->reach[k] * sqrt(dot(v.ang, v.ang));
    if (speed > first)
      second = first, first = speed;
    else if (speed > second)
      second = speed;
  }
  return h * (first + second);
}

static srs_status find_candidates(srs_sim *sim, double margin, int *n)
{
  struct srs_contacts *c = sim->contacts;
  srs_link_poses(sim->workspace, c->poses);
  for (;;) {
    const srs_status status =
        srs_collider_contacts(c->collider, c->poses, margin, c->candidates, c->capacity, n, &c->error);
    if (status != SRS_ERROR_CAPACITY || *n <= c->capacity) return status;
    if (c->is_fixed)
      return srs_fail(&c->error, SRS_ERROR_CAPACITY, NULL, 0, 0, NULL,
                      "%d contact nodes are within reach of this step, but there is room for %d: raise the contact "
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

static double row_velocity(const active_contact *a, int row, const v6 *velocity)
{
  double sum = 0;
  for (int side = 0; side < 2; side++)
    if (a->link[side] >= 0) sum += v6_dot(a->wrench[side][row], velocity[a->link[side]]);
  return sum;
}

// A contact as its shapes' names order it: `first` is the one of lower rank, whichever of the two A is.
typedef struct ordered_contact {
  int link[2];
  v3 point[2];
  v3 normal; // from the second to the first
} ordered_contact;

// Sums with zero make -0 into 0, so that turning a contact twice gives the same bits.
static ordered_contact in_order(const srs_contact *contact, bool is_turned)
{
  const v3 a = v3_load(contact->point_a), b = v3_load(contact->point_b), n = v3_load(contact->normal);
  if (is_turned) return (ordered_contact){{contact->link_b, contact->link_a}, {b, a}, v3_zero - n};
  return (ordered_contact){{contact->link_a, contact->link_b}, {a, b}, v3_zero + n};
}

// The velocity of the first node less that of the second.
static v3 relative_velocity(const ordered_contact *contact, const srs_workspace *w, const v6 *velocity)
{
  v3 u[2] = {v3_zero, v3_zero};
  for (int side = 0; side < 2; side++) {
    const int link = contact->link[side];
    if (link < 0) continue;
    u[side] = velocity[link].lin + cross(velocity[link].ang, contact->point[side] - w->place[link].origin);
  }
  return u[0] - u[1];
}

// Any unit vector across n, the same for the same n.
static v3 any_tangent(v3 n)
{
  const double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
  const v3 least = x <= y && x <= z ? m3_identity.x : y <= z ? m3_identity.y : m3_identity.z;
  const v3 t = cross(n, least);
  return t * (1 / sqrt(dot(t, t)));
}

// Whichever of the two shapes comes first, seen from above t2 lies counter-clockwise of t1.
static void set_fixed_directions(active_contact *a, v3 n)
{
  const v3 axis = fabs(n[0]) > 0.9 ? m3_identity.y : m3_identity.x, t = axis - dot(n, axis) * n;
  a->direction[0] = n;
  a->direction[1] = t * (1 / sqrt(dot(t, t)));
  a->direction[2] = cross(n[2] < 0 ? v3_zero - n : n, a->direction[1]);
}

static void set_directions(active_contact *a, v3 n, v3 slip)
{
  const v3 across = slip - dot(n, slip) * n;
  const double speed = sqrt(dot(across, across));
  a->direction[0] = n;
  a->direction[1] = speed > 1e-12 ? across * (1 / speed) : any_tangent(n);
  a->direction[2] = cross(n, a->direction[1]);
}

static void set_sides(active_contact *a, const ordered_contact *contact, const srs_workspace *w)
{
  for (int side = 0; side < 2; side++) {
    const int link = a->link[side] = contact->link[side];
    a->tree[side] = link < 0 ? -1 : w->root[link];
    if (link < 0) continue;
    const v3 arm = contact->point[side] - w->place[link].origin;
    for (int row = 0; row < 3; row++) {
      const v3 d = side == 0 ? a->direction[row] : -a->direction[row];
      a->wrench[side][row] = (v6){cross(arm, d), d};
    }
  }
}

// What the normal law adds to the normal row's velocity.
static double normal_shift(const srs_contact_settings *o, double gap, double h, bool bounces)
{
  if (o->normal == SRS_NORMAL_HART && !bounces) return o->stabilisation * gap / h;
  if (gap >= 0) return o->normal == SRS_NORMAL_GAP && !bounces ? gap / h : 0;
  const double push = o->stabilisation * gap / h;
  return push < -o->max_correction_speed ? -o->max_correction_speed : push;
}

static void find_material(const struct srs_contacts *c, const srs_contact_settings *o, active_contact *a, int shape_a,
                          int shape_b)
{
  a->friction = srs_combine(o->friction_rule, c->friction[shape_a], c->friction[shape_b]);
  a->restitution = srs_combine(o->restitution_rule, c->restitution[shape_a], c->restitution[shape_b]);
  const pair_override *p = srs_override_of(c, shape_a, shape_b);
  if (p != NULL && !isnan(p->friction)) a->friction = p->friction;
  if (p != NULL && !isnan(p->restitution)) a->restitution = p->restitution;
}

// Bodies that rest on each other fall together: nothing seems to close, and their gap is zero up to rounding of either
// sign. So where the row lets a gap close (the gap law, no bounce), what is nearer than the slack stays in touch too.
static bool is_active(const srs_contact_settings *o, bool bounces, double gap, double free_normal, double h,
                      double slack)
{
  if (o->activation == SRS_ACTIVATION_PREDICT)
    return gap + h * free_normal <= (o->normal == SRS_NORMAL_GAP && !bounces ? slack : 0);
  return gap <= (o->activation == SRS_ACTIVATION_DISTANCE ? o->distance : 0);
}

// How far gravity takes a body in a step, and where there is none what rounding may leave between two, m.
static double resting_slack(const srs_sim_options *o) { return 1e-10 + norm3(vec3_load(o->gravity)) * o->dt * o->dt; }

// Fills the contact, if it enters the problem.
static bool take_in(srs_sim *sim, const srs_contact *contact, double slack, active_contact *a)
{
  const struct srs_contacts *c = sim->contacts;
  const srs_workspace *w = sim->workspace;
  const srs_contact_settings *o = &sim->options.contact;
  const double h = sim->options.dt;
  const int rank_a = c->shape_rank[contact->shape_a], rank_b = c->shape_rank[contact->shape_b];
  a->is_turned = rank_b < rank_a;
  a->rank[0] = a->is_turned ? rank_b : rank_a;
  a->rank[1] = a->is_turned ? rank_a : rank_b;
  const ordered_contact ordered = in_order(contact, a->is_turned);
  const v3 slip = relative_velocity(&ordered, w, c->velocity_before);
  const double start = dot(ordered.normal, slip);
  const double free_normal = dot(ordered.normal, relative_velocity(&ordered, w, w->velocity));
  find_material(c, o, a, contact->shape_a, contact->shape_b);
  a->bounces = a->restitution > 0 && start < -c->impact_threshold;
  if (!is_active(o, a->bounces, contact->gap, free_normal, h, slack)) return false;
  if (o->alignment == SRS_ALIGNMENT_FIXED)
    set_fixed_directions(a, ordered.normal);
  else
    set_directions(a, ordered.normal, slip);
  set_sides(a, &ordered, w);
  a->shift = a->bounces && o->impact == SRS_IMPACT_NEWTON ? a->restitution * start
                                                          : normal_shift(o, contact->gap, h, a->bounces);
  return true;
}

static int select_active(srs_sim *sim, int n_candidates)
{
  struct srs_contacts *c = sim->contacts;
  const double slack = resting_slack(&sim->options);
  int n = 0;
  double deepest = 0;
  for (int i = 0; i < n_candidates; i++) {
    if (-c->candidates[i].gap > deepest) deepest = -c->candidates[i].gap;
    if (take_in(sim, &c->candidates[i], slack, &c->active[n])) c->active[n++].candidate = i;
  }
  if (deepest > c->next.penetration_max) c->next.penetration_max = deepest;
  c->next.penetration_sum += deepest;
  return n;
}

// ---------------------------------------------------------------------------------------------------------------------
// Islands
// ---------------------------------------------------------------------------------------------------------------------

static int find_tree(int *parent, int tree)
{
  while (parent[tree] != tree) tree = parent[tree] = parent[parent[tree]];
  return tree;
}

// One pass of counting sort of active contacts by the rank of one of their shapes, which keeps the order of equals.
static void sort_by_rank(struct srs_contacts *c, const int *from, int *to, int n, bool by_lower)
{
  memset(c->rank_begin, 0, ((size_t)c->n_shapes + 1) * sizeof *c->rank_begin);
  for (int i = 0; i < n; i++) c->rank_begin[c->active[from[i]].rank[by_lower ? 0 : 1] + 1]++;
  for (int r = 0; r < c->n_shapes; r++) c->rank_begin[r + 1] += c->rank_begin[r];
  for (int i = 0; i < n; i++) to[c->rank_begin[c->active[from[i]].rank[by_lower ? 0 : 1]]++] = from[i];
}

static void join_trees(struct srs_contacts *c, int n)
{
  for (int i = 0; i < n; i++)
    for (int side = 0; side < 2; side++)
      if (c->active[i].tree[side] >= 0) c->tree_island[c->active[i].tree[side]] = c->active[i].tree[side];
  for (int i = 0; i < n; i++) {
    const int a = c->active[i].tree[0], b = c->active[i].tree[1];
    if (a < 0 || b < 0) continue;
    const int x = find_tree(c->tree_island, a), y = find_tree(c->tree_island, b);
    if (x < y)
      c->tree_island[y] = x;
    else
      c->tree_island[x] = y;
  }
}

// Numbers the islands by their first contact, and orders the contacts by island, then by the names of their shapes:
// in which order those were added does not show in the sums. Returns how many.
static int find_islands(struct srs_contacts *c, int n)
{
  for (int i = 0; i < n; i++) c->by_name[i] = i;
  sort_by_rank(c, c->by_name, c->order, n, false);
  sort_by_rank(c, c->order, c->by_name, n, true);
  join_trees(c, n);
  int n_islands = 0;
  c->island_begin[0] = 0;
  for (int i = 0; i < n; i++) { // the representative tree's counter holds the island's number + 1 meanwhile
    active_contact *a = &c->active[c->by_name[i]];
    int *number = &c->tree_mark[find_tree(c->tree_island, a->tree[0] >= 0 ? a->tree[0] : a->tree[1])];
    if (*number == 0) {
      *number = ++n_islands;
      c->island_begin[n_islands] = 0;
    }
    a->island = *number - 1;
    c->island_begin[*number]++;
  }
  for (int k = 0; k < n_islands; k++) c->island_begin[k + 1] += c->island_begin[k];
  for (int i = n - 1; i >= 0; i--) c->order[--c->island_begin[c->active[c->by_name[i]].island + 1]] = c->by_name[i];
  // Each end has moved to its island's begin.
  memmove(c->island_begin, c->island_begin + 1, (size_t)n_islands * sizeof *c->island_begin);
  c->island_begin[n_islands] = n;
  for (int i = 0; i < n; i++)
    for (int side = 0; side < 2; side++)
      if (c->active[i].tree[side] >= 0) c->tree_mark[c->active[i].tree[side]] = 0;
  return n_islands;
}

SRS_INLINE double *three(double *rows, int contact) { return rows + 3 * (size_t)contact; }

// One island's problem in the sim's memory.
typedef struct island {
  const int *members; // n: active contacts
  int n;
  double *W, *b, *b2, *friction, *restitution, *impulse, *phase, *velocity, *lambda;
} island;

size_t srs_island_doubles(int contacts)
{
  const size_t n = (size_t)contacts, rows = 3 * n;
  // W; vectors; friction; Lambda with both sides on one tree, in whose place the second phase of an impact comes
  return rows * rows + 5 * rows + 2 * n + srs_poisson_doubles(3 * contacts, contacts);
}

static srs_status open_island(struct srs_contacts *c, const int *members, int n, island *out)
{
  const size_t contacts = (size_t)n, rows = 3 * contacts;
  if (srs_island_doubles(n) > c->problem_room) {
    const srs_status status = srs_contacts_reserve_problem(c, n + n / 2);
    if (status != SRS_OK) return srs_fail(&c->error, status, NULL, 0, 0, NULL, "no memory for %d contacts in touch", n);
    c->next.growths = ++c->statistics.growths;
  }
  double *at = c->problem;
  *out = (island){.members = members, .n = n};
  out->W = at, at += rows * rows;
  out->b = at, at += rows;
  out->b2 = at, at += rows;
  out->impulse = at, at += rows;
  out->phase = at, at += rows;
  out->velocity = at, at += rows;
  out->friction = at, at += contacts;
  out->restitution = at, at += contacts;
  out->lambda = at;
  return SRS_OK;
}

// The rows of the island's contacts on one tree, side by side: contact c->sides[k] has rows 3 k to 3 k + 2. Returns how
// many rows.
static int gather_rows(struct srs_contacts *c, const island *is, int tree)
{
  int n_rows = 0;
  for (int i = 0; i < is->n; i++) {
    const active_contact *a = &c->active[is->members[i]];
    for (int side = 0; side < 2; side++) {
      if (a->tree[side] != tree) continue;
      c->sides[n_rows / 3] = i;
      for (int row = 0; row < 3; row++) c->rows[n_rows++] = (srs_row){a->link[side], a->wrench[side][row]};
    }
  }
  return n_rows;
}

// Adds one tree's part to W.
static void add_tree(srs_sim *sim, const island *is, int tree)
{
  struct srs_contacts *c = sim->contacts;
  const int n = 3 * is->n, n_rows = gather_rows(c, is, tree);
  srs_lambda_of_tree(sim->workspace, tree, c->rows, n_rows, is->lambda);
  for (int i = 0; i < n_rows; i++) {
    const double *restrict from = is->lambda + (size_t)i * (size_t)n_rows;
    double *restrict to = is->W + (size_t)(3 * c->sides[i / 3] + i % 3) * (size_t)n;
    for (int j = 0; j < n_rows; j++) to[3 * c->sides[j / 3] + j % 3] += from[j];
  }
}

// Whether all contacts are between one tree and the world: then Lambda of the tree is W.
static bool is_one_tree(const struct srs_contacts *c, const island *is)
{
  const int tree = c->active[is->members[0]].tree[c->active[is->members[0]].tree[0] < 0];
  for (int i = 0; i < is->n; i++) {
    const int *t = c->active[is->members[i]].tree;
    if (!(t[0] == tree && t[1] < 0) && !(t[1] == tree && t[0] < 0)) return false;
  }
  return true;
}

static void fill_matrix(srs_sim *sim, const island *is)
{
  struct srs_contacts *c = sim->contacts;
  if (is_one_tree(c, is)) {
    const int *t = c->active[is->members[0]].tree, tree = t[t[0] < 0];
    srs_lambda_of_tree(sim->workspace, tree, c->rows, gather_rows(c, is, tree), is->W);
    return;
  }
  memset(is->W, 0, 9 * (size_t)is->n * (size_t)is->n * sizeof *is->W);
  for (int i = 0; i < is->n; i++)
    for (int side = 0; side < 2; side++) {
      const int tree = c->active[is->members[i]].tree[side];
      if (tree < 0 || c->tree_mark[tree] != 0) continue;
      c->tree_mark[tree] = 1; // done
      add_tree(sim, is, tree);
    }
  for (int i = 0; i < is->n; i++)
    for (int side = 0; side < 2; side++)
      if (c->active[is->members[i]].tree[side] >= 0) c->tree_mark[c->active[is->members[i]].tree[side]] = 0;
}

static void fill_island(srs_sim *sim, const island *is)
{
  const struct srs_contacts *c = sim->contacts;
  const size_t n = 3 * (size_t)is->n;
  fill_matrix(sim, is);
  for (int i = 0; i < is->n; i++) {
    const active_contact *a = &c->active[is->members[i]];
    double *b = three(is->b, i);
    for (int row = 0; row < 3; row++) b[row] = row_velocity(a, row, sim->workspace->velocity);
    b[0] += a->shift;
    is->friction[i] = a->friction;
    is->restitution[i] = a->bounces ? a->restitution : 0;
    if (is->W[3 * (size_t)i * (n + 1)] > 0) continue;
    for (int row = 0; row < 3; row++) b[row] = 0; // neither side can move: nothing to push
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Warm start
// ---------------------------------------------------------------------------------------------------------------------

// The last step's impulse of the same features, along this step's directions. Both lists are sorted by shapes.
static bool recall(const struct srs_contacts *c, const srs_contact *contact, const active_contact *a, double impulse[3])
{
  int low = 0, high = c->n_warm;
  while (low < high) {
    const int middle = (low + high) / 2;
    const warm_contact *w = &c->warm[middle];
    if (w->shape_a < contact->shape_a || (w->shape_a == contact->shape_a && w->shape_b < contact->shape_b))
      low = middle + 1;
    else
      high = middle;
  }
  const double sign = a->is_turned ? -1 : 1;
  for (int i = low; i < c->n_warm; i++) {
    const warm_contact *w = &c->warm[i];
    if (w->shape_a != contact->shape_a || w->shape_b != contact->shape_b) return false;
    if (w->feature != contact->feature) continue;
    for (int row = 0; row < 3; row++) impulse[row] = sign * dot(a->direction[row], v3_load(w->impulse));
    return true;
  }
  return false;
}

static bool warm_start(const struct srs_contacts *c, const island *is)
{
  bool all = !c->is_cold;
  for (int i = 0; i < is->n; i++) {
    const active_contact *a = &c->active[is->members[i]];
    memset(three(is->impulse, i), 0, 3 * sizeof *is->impulse);
    all = recall(c, &c->candidates[a->candidate], a, three(is->impulse, i)) && !a->bounces && all;
  }
  return all;
}

// ---------------------------------------------------------------------------------------------------------------------
// Solving
// ---------------------------------------------------------------------------------------------------------------------

static srs_status fail_at(srs_sim *sim, const island *is, srs_status status, const char *why)
{
  struct srs_contacts *c = sim->contacts;
  const srs_contact *first = &c->candidates[c->active[is->members[0]].candidate];
  char a[96], b[96];
  return srs_fail(&c->error, status, NULL, 0, 0, NULL, "the problem of %d contacts, one between %s and %s: %s", is->n,
                  srs_shape_title(sim->model, first->shape_a, a), srs_shape_title(sim->model, first->shape_b, b), why);
}

static srs_contact_problem problem_of(const island *is, const double *b)
{
  return (srs_contact_problem){.n_contacts = is->n, .W = is->W, .b = b, .friction = is->friction};
}

static srs_status solve_problem(srs_sim *sim, const island *is, const srs_contact_problem *problem, bool is_warm,
                                double *impulse, double *velocity)
{
  struct srs_contacts *c = sim->contacts;
  srs_contact_report report;
  const srs_status status =
      srs_contact_solve(c->solver, problem, &sim->options.contact.solver, is_warm, impulse, velocity, &report);
  if (status != SRS_OK) return fail_at(sim, is, status, srs_status_string(status));
  if (report.status == SRS_CONTACT_NOT_FINITE)
    return fail_at(sim, is, SRS_ERROR_DIVERGED, "its velocities or inertias are beyond the finite numbers; lower dt");
  srs_sim_statistics *s = &c->next;
  s->solves++;
  s->iterations += report.iterations;
  if (report.iterations > s->iterations_max) s->iterations_max = report.iterations;
  if (report.residual > s->residual_max) s->residual_max = report.residual;
  if (report.residual > s->residual_last) s->residual_last = report.residual;
  if (report.status != SRS_CONTACT_SOLVED) s->failures++;
  return SRS_OK;
}

// w = W impulse + b; returns whether a normal velocity is negative beyond rounding.
static bool violates(const island *is, const double *impulse, double *w)
{
  const size_t n = 3 * (size_t)is->n;
  double scale = 0, lowest = 0;
  for (size_t i = 0; i < n; i++) {
    double sum = is->b[i];
    for (size_t j = 0; j < n; j++) sum += is->W[i * n + j] * impulse[j];
    w[i] = sum;
    scale = fmax(scale, fabs(is->b[i]));
    if (i % 3 == 0) lowest = fmin(lowest, sum);
  }
  return lowest < -1e-11 * scale;
}

// Two phases: the impulse of each bouncing contact grows by e, and what that pushes together is solved once more.
static srs_status bounce(srs_sim *sim, const island *is)
{
  const struct srs_contacts *c = sim->contacts;
  bool any = false;
  for (int i = 0; i < is->n; i++) {
    const active_contact *a = &c->active[is->members[i]];
    if (!a->bounces) continue;
    any = true;
    for (int row = 0; row < 3; row++) is->impulse[3 * i + row] *= 1 + a->restitution;
  }
  if (!any || !violates(is, is->impulse, is->b2)) return SRS_OK;
  const srs_contact_problem problem = problem_of(is, is->b2);
  const srs_status status = solve_problem(sim, is, &problem, false, is->phase, is->velocity);
  for (int i = 0; i < 3 * is->n && status == SRS_OK; i++) is->impulse[i] += is->phase[i];
  return status;
}

// Poisson's: e times the normal impulse of each bouncing contact is given, and all else solved again.
static srs_status decompress(srs_sim *sim, const island *is)
{
  const srs_contact_problem first = problem_of(is, is->b);
  const size_t bytes = 3 * (size_t)is->n * sizeof *is->impulse;
  srs_poisson second;
  if (!srs_poisson_begin(&first, is->impulse, is->velocity, is->restitution, is->lambda, sim->contacts->second_rows,
                         &second))
    return SRS_OK;
  for (int may_push = 0; may_push < 2; may_push++) {
    srs_poisson_make(&first, is->impulse, is->velocity, may_push, &second);
    const srs_status status = solve_problem(sim, is, &second.problem, false, second.impulse, second.velocity);
    if (status != SRS_OK) return status;
    memcpy(is->phase, is->impulse, bytes);
    srs_poisson_add(&first, &second, is->phase);
    if (!srs_poisson_is_pressed(&first, &second, is->phase)) break;
  }
  memcpy(is->impulse, is->phase, bytes);
  return SRS_OK;
}

static srs_status solve_island(srs_sim *sim, const island *is)
{
  const srs_contact_problem problem = problem_of(is, is->b);
  const srs_status status = solve_problem(sim, is, &problem, warm_start(sim->contacts, is), is->impulse, is->velocity);
  if (status != SRS_OK) return status;
  switch (sim->options.contact.impact) {
  case SRS_IMPACT_TWO_PHASE: return bounce(sim, is);
  case SRS_IMPACT_POISSON: return decompress(sim, is);
  case SRS_IMPACT_NEWTON: break;
  }
  return SRS_OK;
}

static void keep_impulses(srs_sim *sim, const island *is)
{
  struct srs_contacts *c = sim->contacts;
  for (int i = 0; i < is->n; i++) {
    const active_contact *a = &c->active[is->members[i]];
    const double *f = three(is->impulse, i);
    srs_sim_contact *r = &c->next_results[is->members[i]];
    const v3 on_first = f[0] * a->direction[0] + f[1] * a->direction[1] + f[2] * a->direction[2];
    const v3 impulse = a->is_turned ? v3_zero - on_first : on_first;
    r->contact = c->candidates[a->candidate];
    r->friction = a->friction, r->restitution = a->restitution;
    v3_store(r->impulse, impulse);
    v3_store(r->force, impulse * (1 / sim->options.dt));
    for (int side = 0; side < 2; side++) {
      if (a->link[side] < 0) continue;
      v6 *on = &c->impulse[a->link[side]];
      for (int row = 0; row < 3; row++) *on = v6_add_scaled(*on, f[row], a->wrench[side][row]);
    }
  }
}

static srs_status solve_islands(srs_sim *sim, int n)
{
  struct srs_contacts *c = sim->contacts;
  const int n_islands = find_islands(c, n);
  for (int k = 0; k < n_islands; k++) {
    const int begin = c->island_begin[k];
    island is = {0};
    srs_status status = open_island(c, c->order + begin, c->island_begin[k + 1] - begin, &is);
    if (status != SRS_OK) return status;
    fill_island(sim, &is);
    status = solve_island(sim, &is);
    if (status != SRS_OK) return status;
    keep_impulses(sim, &is);
  }
  return SRS_OK;
}

srs_status srs_contacts_step(srs_sim *sim, const double *v, double *v_next)
{
  struct srs_contacts *c = sim->contacts;
  srs_workspace *w = sim->workspace;
  c->n_next = 0;
  c->next = c->statistics;
  c->next.residual_last = 0;
  if (srs_first_not_finite(v_next, w->model->nv) >= 0) return SRS_OK; // srs_sim_step says which
  srs_move_links(w, v);
  memcpy(c->velocity_before, w->velocity, (size_t)w->model->n_links * sizeof *w->velocity);
  srs_move_links(w, v_next);
  const double margin = sim->options.contact.activation == SRS_ACTIVATION_PREDICT
                            ? approach(c, w, sim->options.dt) + resting_slack(&sim->options)
                            : sim->options.contact.distance;
  int n_candidates = 0;
  srs_status status = find_candidates(sim, margin, &n_candidates);
  if (status != SRS_OK) return status;
  const int n = select_active(sim, n_candidates);
  if (n > 0) {
    memset(c->impulse, 0, (size_t)w->model->n_links * sizeof *c->impulse);
    status = solve_islands(sim, n);
    if (status != SRS_OK) return status;
    srs_respond(w, c->impulse, c->dv);
    for (int i = 0; i < w->model->nv; i++) v_next[i] += c->dv[i];
    c->next.contact_steps++;
    if (n > c->next.contacts_max) c->next.contacts_max = n;
  }
  c->n_next = n;
  return SRS_OK;
}

void srs_contacts_accept(struct srs_contacts *c)
{
  srs_sim_contact *const results = c->next_results;
  c->next_results = c->results;
  c->results = results;
  for (int i = 0; i < c->n_next; i++) {
    const srs_sim_contact *r = &results[i];
    c->warm[i] = (warm_contact){
        r->contact.shape_a, r->contact.shape_b, r->contact.feature, {r->impulse[0], r->impulse[1], r->impulse[2]}};
  }
  c->n_results = c->n_warm = c->n_next;
  c->statistics = c->next;
}

void srs_contacts_forget(struct srs_contacts *c)
{
  c->n_results = c->n_warm = 0;
  c->statistics.residual_last = 0;
}
