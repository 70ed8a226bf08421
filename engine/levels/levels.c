// Which links can a pass take side by side? (levels.h)
//
// Links by distance from the root, and those of one parent in their own order. Groups are filled in this order; one
// ends early where the next link's parent is in it. So on trees that are some four links wide at most distances nearly
// all slots are filled, and on a chain one in four: there the order is not used.
//
// The motion of a link is needed until its last child has been placed. In this order that is soon, unless the tree is
// very wide: a ring of as many motions as that takes mostly stays in the nearest cache.
#include "engine/levels/levels.h"
#include "topology/base/reserve.h"

#include <stdlib.h>
#include <string.h>

// Below so many links all branches of a tree are known to the processor after some passes.
static const int least_links = 100;

typedef struct order {
  int *link; // n_links: in order of distance
  int *slot; // n_links
  int n_slots;
} order;

static bool is_plain(const srs_model *m, int k)
{
  const srs_joint_kind kind = (srs_joint_kind)m->kind[k];
  return kind == SRS_JOINT_REVOLUTE || kind == SRS_JOINT_CONTINUOUS || kind == SRS_JOINT_PRISMATIC ||
         kind == SRS_JOINT_FIXED;
}

static bool turns(const srs_model *m, int k)
{
  return m->kind[k] == SRS_JOINT_REVOLUTE || m->kind[k] == SRS_JOINT_CONTINUOUS;
}

static void order_by_distance(const srs_model *m, order *o)
{
  int n = 0;
  for (int root = 0; root < m->n_links; root = m->subtree_end[root]) o->link[n++] = root;
  for (int i = 0; i < n; i++) {
    const int k = o->link[i], end = m->subtree_end[k];
    for (int child = k + 1; child < end; child = m->subtree_end[child]) o->link[n++] = child;
  }
}

static int next_group(int slot) { return (slot + SRS_LEVEL_LANES - 1) / SRS_LEVEL_LANES * SRS_LEVEL_LANES; }

static void fill_groups(const srs_model *m, order *o)
{
  int slot = 0;
  for (int i = 0; i < m->n_links; i++) {
    const int k = o->link[i], p = m->parent[k];
    const bool is_single = !is_plain(m, k);
    const int first = slot / SRS_LEVEL_LANES * SRS_LEVEL_LANES; // of the group at hand
    if (is_single || (p >= 0 && o->slot[p] >= first)) slot = next_group(slot);
    o->slot[k] = slot++;
    if (is_single) slot = next_group(slot);
  }
  o->n_slots = next_group(slot);
}

static int ring_size(const srs_model *m, const order *o)
{
  int most = 0, size = SRS_LEVEL_LANES;
  for (int k = 0; k < m->n_links; k++) {
    const int back = m->parent[k] < 0 ? 0 : o->slot[k] - o->slot[m->parent[k]];
    if (back > most) most = back;
  }
  while (size < most + 2 * SRS_LEVEL_LANES) size *= 2;
  return size;
}

static void *take(char *base, size_t *used, size_t count, size_t size)
{
  enum { LINE = 64 };
  void *at = base != NULL ? base + *used : NULL;
  *used += (count * size + LINE - 1) / LINE * LINE;
  return at;
}

static size_t lay_out(srs_levels *l, const srs_model *m, char *base)
{
  const size_t slots = (size_t)l->n_slots, groups = (size_t)l->n_groups;
  size_t used = 0;
  l->link = take(base, &used, slots, sizeof *l->link);
  l->parent = take(base, &used, slots, sizeof *l->parent);
  l->from = take(base, &used, slots, sizeof *l->from);
  l->q_index = take(base, &used, slots, sizeof *l->q_index);
  l->v_index = take(base, &used, slots, sizeof *l->v_index);
  l->tau_index = take(base, &used, slots, sizeof *l->tau_index);
  l->angle = take(base, &used, slots, sizeof *l->angle);
  l->is_single = take(base, &used, groups, sizeof *l->is_single);
  l->joints = take(base, &used, groups, sizeof *l->joints);
  l->bodies = take(base, &used, groups, sizeof *l->bodies);
  l->slot = take(base, &used, (size_t)m->n_links, sizeof *l->slot);
  l->ring = take(base, &used, ((size_t)l->ring_mask + 2) * SRS_MOTION_NUMBERS, sizeof *l->ring);
  l->wrench = take(base, &used, (slots + 1) * SRS_WRENCH_NUMBERS, sizeof *l->wrench);
  return used;
}

static void set_constants(srs_levels *l, const srs_model *m, int k, int slot)
{
  const int lane = slot % SRS_LEVEL_LANES;
  srs_level_joints *joints = &l->joints[slot / SRS_LEVEL_LANES];
  srs_level_bodies *bodies = &l->bodies[slot / SRS_LEVEL_LANES];
  const mat3 t = m->turn[k];
  const double turn[9] = {t.x.x, t.x.y, t.x.z, t.y.x, t.y.y, t.y.z, t.z.x, t.z.y, t.z.z};
  for (int i = 0; i < 9; i++) joints->turn[i][lane] = turn[i];
  joints->offset[0][lane] = m->offset[k].x;
  joints->offset[1][lane] = m->offset[k].y;
  joints->offset[2][lane] = m->offset[k].z;
  for (int i = 0; i < 10; i++) bodies->inertia[i][lane] = m->inertia[10 * (size_t)k + (size_t)i];
  joints->hinge[lane] = turns(m, k);
  joints->slide[lane] = m->kind[k] == SRS_JOINT_PRISMATIC;
  if (is_plain(m, k) && m->kind[k] != SRS_JOINT_FIXED) joints->armature[lane] = m->armature[m->v_index[k]];
}

static void set_link(srs_levels *l, const srs_model *m, const order *o, int k)
{
  const int slot = o->slot[k], p = m->parent[k];
  l->slot[k] = slot;
  l->link[slot] = k;
  if (p >= 0) l->parent[slot] = o->slot[p], l->from[slot] = o->slot[p] & l->ring_mask;
  if (turns(m, k)) l->angle[slot] = m->first_angle[k];
  if (m->kind[k] == SRS_JOINT_PRISMATIC) l->q_index[slot] = m->q_index[k], l->has_slides = true;
  if (is_plain(m, k) && m->kind[k] != SRS_JOINT_FIXED) l->v_index[slot] = l->tau_index[slot] = m->v_index[k];
  l->is_single[slot / SRS_LEVEL_LANES] = !is_plain(m, k);
  set_constants(l, m, k, slot);
}

static srs_levels *levels_from(const srs_model *m, const order *o)
{
  srs_levels *l = calloc(1, sizeof *l);
  if (l == NULL) return NULL;
  l->n_slots = o->n_slots;
  l->n_groups = o->n_slots / SRS_LEVEL_LANES;
  l->ring_mask = ring_size(m, o) - 1;
  const size_t size = lay_out(l, m, NULL);
  l->memory = srs_take_pages(size);
  if (l->memory == NULL) {
    free(l);
    return NULL;
  }
  memset(l->memory, 0, size);
  lay_out(l, m, l->memory);
  for (int slot = 0; slot < l->n_slots; slot++) {
    l->link[slot] = -1;
    l->parent[slot] = l->n_slots;
    l->from[slot] = l->ring_mask + 1;
    l->tau_index[slot] = m->nv;
  }
  for (int k = 0; k < m->n_links; k++) set_link(l, m, o, k);
  return l;
}

srs_status srs_levels_create(const srs_model *m, srs_levels **levels)
{
  *levels = NULL;
  if (m->n_links < least_links || m->nv == 0 || m->n_angles == 0) return SRS_OK;
  const size_t n = (size_t)m->n_links;
  int *numbers = malloc(2 * n * sizeof *numbers);
  if (numbers == NULL) return SRS_ERROR_MEMORY;
  order o = {.link = numbers, .slot = numbers + n};
  order_by_distance(m, &o);
  fill_groups(m, &o);
  srs_status status = SRS_OK;
  if (o.n_slots <= m->n_links + m->n_links / 2) {
    *levels = levels_from(m, &o);
    status = *levels != NULL ? SRS_OK : SRS_ERROR_MEMORY;
  }
  free(numbers);
  return status;
}

void srs_levels_destroy(srs_levels *levels)
{
  if (levels == NULL) return;
  free(levels->memory);
  free(levels);
}
