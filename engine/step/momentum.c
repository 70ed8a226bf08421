// The momentum of trees that float: those on a free joint to the world that nothing of the world touches or ties in a
// step. Inner forces leave it as it is, whatever the step's error; so the root's motion is set from it.
//
//   at (q, v)     p, and L about the mass centre c
//   outside       p+ = p + h (m g + sum f),   L+ = L + h sum of the torques about c, at the configuration of the
//                 step's matrices. Gravity exerts none.
//   at q+         the tree is shifted so that c+ = c + h p/m, with p+, or with the mean of p and p+ where positions
//                 move with the mean velocity
//   alignment     of the implicit midpoint scheme: the tree turns until L(q+, v+) has the direction of L+
//   velocities    dw = I^-1 (L+ - L(q+, v+)),   dc = (p+ - p(q+, v+)) / m,   I about c+: added to the root's twist
//
// Shift and dw, dc move the tree as one rigid body, so rows between its own links hold as they did. Trees that closures
// or contacts join move as one body together. A tree is left as it is when a contact or a closure joins it to the
// world or to a tree that does not float, a row acts on its root's coordinates, or its mass is on one line. Under the
// geometrically implicit scheme contacts with any other tree leave it out: that scheme's levers are those of the step's
// end, and have a law of their own (docs/theory.md, section 16).
//
// The momentum is that of composite bodies: sum over links of I_k^c (motion of the link's own joint), carried to the
// root, and goes through trees in the order of their roots' names. What depends on q alone is kept from the end of a
// step to the next one's start.
//
// Where positions move with v+, a root that floats alone turns with the mean of v and v+: with w+ of q+, turning with
// w+ would take energy from the nutation of a body with a wheel (h^2 a step), and turning with w would give it.

#include "engine/step/momentum.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "engine/rows/constraints.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

// Of a root, about an origin; of a group's leader the sum over the group's trees, about its own root's origin.
typedef struct tree_sum {
  body whole;
  v6 momentum;
  v3 origin;
} tree_sum;

struct srs_floating_trees {
  const srs_model *model;
  int n;                         // trees whose root is on a free joint to the world
  int *root;                     // n: links
  int *tree_of;                  // n_links: -1 for links of other trees
  int *fixed_leader, *leader;    // n: of the group: by closures, and in the step under way. A leader leads itself, and
                                 // has the lowest index
  bool *is_fixed_held, *is_held; // n: of leaders: likewise
  bool *is_alone;                // n: the tree is a group of its own and floats
  bool any;                      // a tree floats in the step under way

  double *q;             // nq: where links are placed
  placement *place;      // n_links
  body *composite;       // n_links: with all that the link carries, about its origin
  v6 *column;            // nv
  v6 *force;             // n_links: scratch
  tree_sum *start, *end; // n
  v6 *impulse;           // n: of leaders, from outside without gravity, about the mass centre
  void *memory;
};

// ---------------------------------------------------------------------------------------------------------------------
// Which trees float
// ---------------------------------------------------------------------------------------------------------------------

static int leader_of(const int *leader, int t)
{
  while (leader[t] != t) t = leader[t];
  return t;
}

// Joins two trees; -1 is the world, or a tree that does not float.
static void join(int *leader, bool *is_held, int a, int b)
{
  if (a == b) return;
  if (a < 0 || b < 0) {
    is_held[leader_of(leader, a < 0 ? b : a)] = true;
    return;
  }
  const int x = leader_of(leader, a), y = leader_of(leader, b), low = x < y ? x : y, high = x < y ? y : x;
  leader[high] = low;
  is_held[low] = is_held[low] || is_held[high];
}

static int tree_of(const srs_floating_trees *f, int link) { return link < 0 ? -1 : f->tree_of[link]; }

static void hold_root(const srs_floating_trees *f, int *leader, bool *is_held, int v_index)
{
  const int link = v_index < 0 ? -1 : f->model->link_of_v[v_index], t = tree_of(f, link);
  if (t >= 0 && f->root[t] == link) join(leader, is_held, t, -1);
}

static bool is_floating_root(const srs_model *m, int k) { return m->parent[k] < 0 && m->kind[k] == SRS_JOINT_FREE; }

static void find_fixed_groups(srs_floating_trees *f)
{
  const srs_model *m = f->model;
  int n = 0;
  for (int i = 0; i < m->n_links; i++) { // by name: the order of bodies in a file must not show in sums
    const int k = m->links_by_name[i];
    f->tree_of[k] = is_floating_root(m, k) ? n : -1;
    if (f->tree_of[k] >= 0) f->root[n] = k, f->fixed_leader[n] = n, n++;
  }
  for (int k = 0; k < m->n_links; k++)
    if (m->parent[k] >= 0) f->tree_of[k] = f->tree_of[m->parent[k]];
  for (int i = 0; i < m->n_closures; i++)
    join(f->fixed_leader, f->is_fixed_held, tree_of(f, m->closures[i].link[0]), tree_of(f, m->closures[i].link[1]));
  for (int i = 0; i < m->n_couplings; i++) {
    hold_root(f, f->fixed_leader, f->is_fixed_held, m->couplings[i].follower_v);
    hold_root(f, f->fixed_leader, f->is_fixed_held, m->couplings[i].leader_v);
  }
}

static char *take(char *base, size_t *used, size_t bytes)
{
  char *at = base != NULL ? base + *used : NULL;
  *used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return at;
}

static size_t lay_out(srs_floating_trees *f, char *base)
{
  const size_t n = (size_t)f->n, n_links = (size_t)f->model->n_links, nv = (size_t)f->model->nv;
  size_t used = 0;
  f->place = (placement *)take(base, &used, n_links * sizeof *f->place);
  f->composite = (body *)take(base, &used, n_links * sizeof *f->composite);
  f->column = (v6 *)take(base, &used, nv * sizeof *f->column);
  f->force = (v6 *)take(base, &used, n_links * sizeof *f->force);
  f->start = (tree_sum *)take(base, &used, n * sizeof *f->start);
  f->end = (tree_sum *)take(base, &used, n * sizeof *f->end);
  f->impulse = (v6 *)take(base, &used, n * sizeof *f->impulse);
  f->q = (double *)take(base, &used, (size_t)f->model->nq * sizeof *f->q);
  f->root = (int *)take(base, &used, n * sizeof *f->root);
  f->tree_of = (int *)take(base, &used, n_links * sizeof *f->tree_of);
  f->fixed_leader = (int *)take(base, &used, n * sizeof *f->fixed_leader);
  f->leader = (int *)take(base, &used, n * sizeof *f->leader);
  f->is_fixed_held = (bool *)take(base, &used, n * sizeof *f->is_fixed_held);
  f->is_held = (bool *)take(base, &used, n * sizeof *f->is_held);
  f->is_alone = (bool *)take(base, &used, n * sizeof *f->is_alone);
  return used;
}

srs_status srs_floating_trees_create(const srs_model *model, srs_floating_trees **trees)
{
  *trees = NULL;
  int n = 0;
  for (int k = 0; k < model->n_links; k++) n += is_floating_root(model, k);
  if (n == 0) return SRS_OK;
  srs_floating_trees *f = calloc(1, sizeof *f);
  if (f == NULL) return SRS_ERROR_MEMORY;
  f->model = model, f->n = n;
  const size_t size = lay_out(f, NULL);
  f->memory = aligned_alloc(ALIGNMENT, size);
  if (f->memory == NULL) {
    free(f);
    return SRS_ERROR_MEMORY;
  }
  memset(f->memory, 0, size);
  lay_out(f, f->memory);
  for (int i = 0; i < model->nq; i++) f->q[i] = NAN; // nothing is placed
  find_fixed_groups(f);
  *trees = f;
  return SRS_OK;
}

void srs_floating_trees_destroy(srs_floating_trees *f)
{
  if (f == NULL) return;
  free(f->memory);
  free(f);
}

void srs_find_floating_trees(srs_floating_trees *f, const struct srs_constraints *c, bool joins_contacts)
{
  if (f == NULL) return;
  memcpy(f->leader, f->fixed_leader, (size_t)f->n * sizeof *f->leader);
  memcpy(f->is_held, f->is_fixed_held, (size_t)f->n * sizeof *f->is_held);
  for (int i = 0; c != NULL && i < c->n_next; i++) {
    const srs_contact_point *p = &c->next_results[i].contact;
    const int a = tree_of(f, p->link_a), b = tree_of(f, p->link_b);
    if (a == b) continue;
    join(f->leader, f->is_held, a, joins_contacts ? b : -1);
    join(f->leader, f->is_held, joins_contacts ? a : -1, b);
  }
  for (int i = 0; c != NULL && i < c->n_scalars; i++) {
    const srs_step_row *row = &c->scalars[i].row;
    for (int side = 0; side < row->n_sides; side++)
      if (row->is_coordinate[side]) hold_root(f, f->leader, f->is_held, row->coordinate[side]);
  }
  f->any = false;
  for (int t = 0; t < f->n; t++) {
    f->leader[t] = leader_of(f->leader, t); // of lower trees it is final already
    f->is_alone[t] = f->leader[t] == t && !f->is_held[t];
    if (f->leader[t] != t) f->is_alone[f->leader[t]] = false;
    f->any = f->any || !f->is_held[f->leader[t]];
  }
}

static bool floats(const srs_floating_trees *f, int t) { return !f->is_held[f->leader[t]]; }

void srs_turn_with_mean(const srs_floating_trees *f, const double *v, const double *v_next, double *rate)
{
  for (int t = 0; f != NULL && t < f->n; t++) {
    if (!f->is_alone[t]) continue;
    const int first = f->model->v_index[f->root[t]];
    for (int i = first + 3; i < first + 6; i++) rate[i] = 0.5 * (v[i] + v_next[i]);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Sums over a tree
// ---------------------------------------------------------------------------------------------------------------------

// b about a point from which its origin is at r.
SRS_INLINE body moved_body(body b, v3 r)
{
  const v3 g = b.moment + 0.5 * b.mass * r;
  const double d = 2 * dot(r, g);
  b.inertia.x += d * m3_identity.x - spread_x(r) * g - spread_x(g) * r;
  b.inertia.y += d * m3_identity.y - spread_y(r) * g - spread_y(g) * r;
  b.inertia.z += d * m3_identity.z - spread_z(r) * g - spread_z(g) * r;
  b.moment += b.mass * r;
  return b;
}

SRS_INLINE void add_body(body *to, const body *b)
{
  to->mass += b->mass;
  to->moment += b->moment;
  to->inertia.x += b->inertia.x, to->inertia.y += b->inertia.y, to->inertia.z += b->inertia.z;
}

// Places a root. One function for all uses, so that the same q gives the same bits.
SRS_KERNEL __attribute__((noinline)) static void place_root(srs_floating_trees *f, int root, const double *q)
{
  f->place[root] = place_link(f->model, root, &world_placement, q, NULL, NULL, f->column);
}

SRS_KERNEL static void place_tree(srs_floating_trees *f, const srs_workspace *w, int root, int end, const double *q)
{
  const srs_model *m = f->model;
  for (int k = root; k < end; k++) {
    if (k > root) f->place[k] = place_link(m, k, &f->place[m->parent[k]], q, w->cosine, w->sine, f->column);
    f->composite[k] = body_in_world(m->inertia + 10 * (size_t)k, f->place[k].axes);
  }
  for (int k = end - 1; k > root; k--) {
    const body moved = moved_body(f->composite[k], f->place[k].arm);
    add_body(&f->composite[m->parent[k]], &moved);
  }
}

// Places the trees that float at q, where they are not yet. Root origins alone are kept where they are; what the trees'
// own links are to each other does not depend on them.
static void place_trees(srs_floating_trees *f, srs_workspace *w, const double *q)
{
  const srs_model *m = f->model;
  bool has_angles = false;
  for (int t = 0; t < f->n; t++) {
    if (!floats(f, t)) continue;
    const int root = f->root[t], end = m->subtree_end[root], first = m->q_index[root];
    const int last = m->q_index[end - 1] + m->joints[end - 1].nq;
    const size_t bytes = (size_t)(last - first) * sizeof *q;
    if (memcmp(f->q + first, q + first, bytes) == 0) continue;
    if (!has_angles) srs_workspace_angles(w, q);
    has_angles = true;
    place_root(f, root, q);
    place_tree(f, w, root, end, q);
    memcpy(f->q + first, q + first, bytes);
  }
}

// Carries the forces on a tree's links to the root's origin.
SRS_INLINE v6 gathered(srs_floating_trees *f, int root, int end)
{
  for (int k = end - 1; k > root; k--) {
    v6 *to = &f->force[f->model->parent[k]];
    *to = v6_add(*to, carry_force(f->force[k], f->place[k].arm));
  }
  return f->force[root];
}

SRS_KERNEL static v6 tree_momentum(srs_floating_trees *f, int root, int end, const double *v)
{
  for (int k = root; k < end; k++)
    f->force[k] = body_momentum(&f->composite[k], joint_motion(f->model, k, f->place[k].axes.z, f->column, v));
  return gathered(f, root, end);
}

// Adds the groups' sums at q.  @param v  nv; NULL: without momentum
static void sum_groups(srs_floating_trees *f, srs_workspace *w, const double *q, const double *v, tree_sum *sum)
{
  place_trees(f, w, q);
  for (int t = 0; t < f->n; t++) {
    if (!floats(f, t)) continue;
    const int root = f->root[t];
    sum[t].whole = f->composite[root];
    sum[t].momentum = v != NULL ? tree_momentum(f, root, f->model->subtree_end[root], v) : v6_zero;
    sum[t].origin = f->place[root].origin;
    if (f->leader[t] == t) continue;
    tree_sum *to = &sum[f->leader[t]];
    const v3 arm = sum[t].origin - to->origin;
    const body moved = moved_body(sum[t].whole, arm);
    add_body(&to->whole, &moved);
    to->momentum = v6_add(to->momentum, carry_force(sum[t].momentum, arm));
  }
}

SRS_INLINE v3 mass_centre(const tree_sum *s) { return (1 / s->whole.mass) * s->whole.moment; }

// ---------------------------------------------------------------------------------------------------------------------
// Impulses from outside
// ---------------------------------------------------------------------------------------------------------------------

// The wrench of forces on the root's coordinates.  @return false: there is none
static bool root_wrench(const srs_floating_trees *f, const srs_momentum_step *s, int root, v6 *wrench)
{
  bool any = false;
  *wrench = v6_zero;
  for (int i = f->model->v_index[root]; i < f->model->v_index[root] + 6; i++) {
    const double load = s->force[i] - (s->extra[i] + f->model->armature[i]) * s->a[i];
    if (load == 0) continue;
    any = true;
    *wrench = v6_add_scaled(*wrench, load, f->column[i]);
  }
  return any;
}

static void find_impulses(srs_floating_trees *f, srs_workspace *w, const srs_momentum_step *s, tree_sum *sum)
{
  const srs_model *m = f->model;
  bool any = s->link_wrench != NULL;
  memset(f->impulse, 0, (size_t)f->n * sizeof *f->impulse);
  v6 wrench;
  for (int t = 0; t < f->n && !any; t++) any = floats(f, t) && root_wrench(f, s, f->root[t], &wrench);
  if (!any) return;
  sum_groups(f, w, s->q_matrices, NULL, sum);
  for (int t = 0; t < f->n; t++) {
    if (!floats(f, t)) continue;
    const int root = f->root[t], end = m->subtree_end[root];
    root_wrench(f, s, root, &wrench);
    if (s->link_wrench != NULL) {
      for (int k = root; k < end; k++) f->force[k] = v6_load(s->link_wrench + 6 * (size_t)k);
      wrench = v6_add(wrench, gathered(f, root, end));
    }
    const tree_sum *group = &sum[f->leader[t]];
    const v3 arm = sum[t].origin - group->origin - mass_centre(group);
    f->impulse[f->leader[t]] = v6_add_scaled(f->impulse[f->leader[t]], s->dt, carry_force(wrench, arm));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The root's motion
// ---------------------------------------------------------------------------------------------------------------------

// Solves I x = b by Cramer's rule.  @return false: the mass is on one line, or nearly so
static bool solve_inertia(const m3 *I, v3 b, v3 *x)
{
  const double trace = I->x[0] + I->y[1] + I->z[2];
  const v3 yz = cross(I->y, I->z);
  const double determinant = dot(I->x, yz);
  if (!(determinant > 1e-10 * trace * trace * trace)) return false;
  const double share = 1 / determinant;
  *x = (v3){share * dot(b, yz), share * dot(b, cross(I->z, I->x)), share * dot(b, cross(I->x, I->y)), 0};
  return true;
}

// Shifts and turns the trees of a group as one rigid body.
static void move_group(srs_floating_trees *f, int leader, v3 shift, v6 twist, double *q_next, double *v_next)
{
  const srs_model *m = f->model;
  for (int t = leader; t < f->n; t++) {
    if (f->leader[t] != leader) continue;
    const int root = f->root[t], i = m->v_index[root];
    const v6 own = carry_motion(twist, t == leader ? v3_zero : f->end[t].origin - f->end[leader].origin);
    for (int j = 0; j < 3; j++) {
      q_next[m->q_index[root] + j] += dot(f->column[i + j].lin, shift);
      v_next[i + j] += dot(f->column[i + j].lin, own.lin);
      v_next[i + 3 + j] += dot(f->column[i + 3 + j].ang, own.ang);
    }
    memcpy(f->q + m->q_index[root], q_next + m->q_index[root], 3 * sizeof *q_next);
    place_root(f, root, q_next);
  }
}

// L about the mass centre.
static v3 spin_of(const tree_sum *s) { return s->momentum.ang - cross(mass_centre(s), s->momentum.lin); }

static void keep_group(srs_floating_trees *f, int leader, v3 gravity, const srs_momentum_step *s, double *q_next,
                       double *v_next)
{
  const tree_sum *start = &f->start[leader], *end = &f->end[leader];
  const double mass = start->whole.mass;
  if (!(mass > 0)) return;
  const v3 c = mass_centre(start), c_next = mass_centre(end);
  const v3 p = start->momentum.lin, p_next = p + f->impulse[leader].lin + s->dt * mass * gravity;
  const v3 spin = spin_of(start) + f->impulse[leader].ang;
  const body centred = moved_body(end->whole, v3_zero - c_next);
  const v3 lacking = spin - spin_of(end);
  v6 twist;
  if (!solve_inertia(&centred.inertia, lacking, &twist.ang)) return;
  twist.lin = (1 / mass) * (p_next - end->momentum.lin) - cross(twist.ang, c_next);
  const v3 way = s->dt / mass * (s->is_mean ? 0.5 * (p + p_next) : p_next);
  move_group(f, leader, (start->origin - end->origin) + (c - c_next) + way, twist, q_next, v_next);
}

// Turns trees that float alone about the smallest angle that brings L(q+, v+) into the direction of L+. dw then has
// only the length of L to mend. The implicit midpoint scheme keeps that of one body, and its energy: both stay so.
static void align_trees(srs_floating_trees *f, srs_workspace *w, const srs_momentum_step *s, double *q_next,
                        const double *v_next)
{
  const srs_model *m = f->model;
  memset(s->scratch, 0, (size_t)m->nv * sizeof *s->scratch);
  for (int t = 0; t < f->n; t++) {
    if (!f->is_alone[t] || !(f->start[t].whole.mass > 0)) continue;
    const v3 wanted = spin_of(&f->start[t]) + f->impulse[t].ang, has = spin_of(&f->end[t]);
    const double size = sqrt(dot(wanted, wanted) * dot(has, has));
    if (!(size > 0) || !(dot(wanted, has) > 0.5 * size)) continue;
    const v3 turn = (1 / size) * cross(has, wanted);
    const int i = m->v_index[f->root[t]] + 3;
    for (int j = i; j < i + 3; j++) s->scratch[j] = dot(f->column[j].ang, turn);
  }
  srs_integrate(m, q_next, s->scratch, 1, q_next);
  sum_groups(f, w, q_next, v_next, f->end);
}

void srs_keep_momentum(srs_floating_trees *f, srs_workspace *w, const srs_momentum_step *s, double *q_next,
                       double *v_next)
{
  if (f == NULL || !f->any) return;
  sum_groups(f, w, s->q, s->v, f->start);
  find_impulses(f, w, s, f->end);
  sum_groups(f, w, q_next, v_next, f->end);
  if (s->aligns) align_trees(f, w, s, q_next, v_next);
  for (int t = 0; t < f->n; t++)
    if (f->leader[t] == t && !f->is_held[t]) keep_group(f, t, w->gravity, s, q_next, v_next);
}
