// Which trees float: those on a free joint to the world that nothing of the world touches or ties in a step. Trees that
// closures or contacts join are one group, by union-find; a group is held where one of its trees is joined to the world
// or to a tree that does not float, or where a row acts on the coordinates of its root.

#include "engine/conservation/floating_trees.h"
#include "engine/rows/constraints.h"
#include "engine/state/sim_state.h"
#include "topology/model/configuration.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

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

static void find_fixed_groups(srs_floating_trees *f)
{
  const srs_model *m = f->model;
  int n = 0;
  for (int i = 0; i < m->n_links; i++) { // by name: the order of bodies in a file must not show in sums
    const int k = m->links_by_name[i];
    f->tree_of[k] = srs_is_floating_root(m, k) ? n : -1;
    if (f->tree_of[k] >= 0) f->root[n] = k, f->fixed_leader[n] = n, n++;
  }
  for (int k = 0; k < m->n_links; k++) {
    if (m->parent[k] >= 0) f->tree_of[k] = f->tree_of[m->parent[k]];
  }
  for (int t = 0; t < n; t++) f->is_fixed_held[t] = !(f->frames.mass[f->root[t]] > 0);
  for (int i = 0; i < m->n_closures; i++)
    join(f->fixed_leader, f->is_fixed_held, tree_of(f, m->closures[i].link[0]), tree_of(f, m->closures[i].link[1]));
  for (int i = 0; i < m->n_closures; i++) {
    const srs_tendon *t = m->closures[i].tendon;
    for (int k = 0; t != NULL && k < t->n_terms + t->n_leaders; k++)
      hold_root(f, f->fixed_leader, f->is_fixed_held, t->v[k]);
  }
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
  const size_t n = (size_t)f->n, n_links = (size_t)f->model->n_links;
  size_t used = 0;
  f->frames.model = f->model;
  f->frames.mass = (double *)take(base, &used, n_links * sizeof *f->frames.mass);
  f->frames.heading = (two *)take(base, &used, n_links * sizeof *f->frames.heading);
  f->frames.step = (srs_joint_step *)take(base, &used, n_links * sizeof *f->frames.step);
  f->frames.own = (srs_link_sum *)take(base, &used, n_links * sizeof *f->frames.own);
  f->frames.sum = (srs_link_sum *)take(base, &used, n_links * sizeof *f->frames.sum);
  f->frames.column = (v6 *)take(base, &used, (size_t)f->model->nv * sizeof *f->frames.column);
  f->axes = (srs_root_axes *)take(base, &used, n * sizeof *f->axes);
  f->force = (v6 *)take(base, &used, n_links * sizeof *f->force);
  f->start = (mass_sum *)take(base, &used, n * sizeof *f->start);
  f->end = (mass_sum *)take(base, &used, n * sizeof *f->end);
  f->impulse = (mass_sum *)take(base, &used, n * sizeof *f->impulse);
  f->next = (double *)take(base, &used, n * SRS_TREE_MOMENTUM * sizeof *f->next);
  f->root = (int *)take(base, &used, n * sizeof *f->root);
  f->tree_of = (int *)take(base, &used, n_links * sizeof *f->tree_of);
  f->fixed_leader = (int *)take(base, &used, n * sizeof *f->fixed_leader);
  f->leader = (int *)take(base, &used, n * sizeof *f->leader);
  f->is_fixed_held = (bool *)take(base, &used, n * sizeof *f->is_fixed_held);
  f->is_held = (bool *)take(base, &used, n * sizeof *f->is_held);
  f->is_alone = (bool *)take(base, &used, n * sizeof *f->is_alone);
  return used;
}

static void set_linear_axes(srs_root_axes *axes, const mat3 *turn)
{
  const vec3 x = sub3(turn->x, mat3_identity.x), y = sub3(turn->y, mat3_identity.y), z = sub3(turn->z, mat3_identity.z);
  axes->linear = *turn;
  axes->has_turn = dot3(x, x) + dot3(y, y) + dot3(z, z) > 0;
}

srs_status srs_floating_trees_create(const srs_model *model, srs_floating_trees **trees)
{
  *trees = NULL;
  const int n = srs_floating_root_count(model);
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
  srs_tree_frames_prepare(&f->frames);
  find_fixed_groups(f);
  for (int t = 0; t < n; t++) set_linear_axes(&f->axes[t], &model->turn[f->root[t]]);
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
