// Collision filters: which pairs of shapes may collide?
//
// Two shapes that no joint moves against each other never do. Of the rest, a pair collides if it is included by name;
// else not if it is excluded by name or by the model, if its groups and masks do not match, by default if one joint
// connects their bodies, and as the robot that both are of says of itself. A body is what fixed joints join, up to the
// world; the world itself is no body: a floor given as a shape of the world collides with the link that hangs there,
// the robot's base does not. A free joint connects nothing. Two bodies that hang on one do not count as neighbours.
#include "collision/world/filter.h"
#include "topology/base/errors.h"

#include <string.h>

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for the filters of collision");
}

// ---------------------------------------------------------------------------------------------------------------------
// Pairs by name
// ---------------------------------------------------------------------------------------------------------------------

static bool is_named(const srs_model *model, int shape, const char *name)
{
  const srs_shape *s = &model->shapes[shape];
  return strcmp(s->name, name) == 0 || strcmp(s->label, name) == 0 ||
         (s->frame >= 0 && strcmp(model->frames[s->frame].name, name) == 0);
}

static srs_status check_name(const srs_model *model, const char *name, const char *which, srs_error *error)
{
  if (srs_model_find_frame(model, name) >= 0) return SRS_OK;
  for (int s = 0; s < model->n_shapes; s++)
    if (name[0] != '\0' && (strcmp(model->shapes[s].name, name) == 0 || strcmp(model->shapes[s].label, name) == 0))
      return SRS_OK;
  return srs_fail(error, SRS_ERROR_NAME, NULL, 0, 0, name, "%s pairs: no shape and no link is named '%s'", which, name);
}

uint64_t srs_pair_key(int i, int j)
{
  return i < j ? (uint64_t)i << 32 | (unsigned)j : (uint64_t)j << 32 | (unsigned)i;
}

// All geometries that one name means with all that the other does; counted only where keys is NULL.
static int pair_up(const srs_geometries *m, const char *a, const char *b, uint64_t *keys)
{
  int n = 0;
  for (int i = 0; i < m->n; i++) {
    if (!is_named(m->model, m->shape[i], a)) continue;
    for (int j = 0; j < m->n; j++) {
      if (i == j || !is_named(m->model, m->shape[j], b)) continue;
      if (keys != NULL) keys[n] = srs_pair_key(i, j);
      n++;
    }
  }
  return n;
}

// Heap sort: takes no memory, whatever the library's does.
static void sort_keys(uint64_t *keys, int n)
{
  for (int end = n, start = n / 2; end > 1;) {
    uint64_t moving;
    if (start > 0) {
      moving = keys[--start];
    } else {
      moving = keys[--end];
      keys[end] = keys[0];
    }
    int hole = start;
    for (int child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
      if (child + 1 < end && keys[child + 1] > keys[child]) child++;
      if (keys[child] <= moving) break;
      keys[hole] = keys[child];
      hole = child;
    }
    keys[hole] = moving;
  }
}

bool srs_pair_set_has(const srs_pair_set *set, int i, int j)
{
  const uint64_t key = srs_pair_key(i, j);
  int low = 0, high = set->n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (set->keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < set->n && set->keys[low] == key;
}

srs_status srs_pair_set_make(const srs_geometries *m, const char *const *names, const char *which, srs_arena *arena,
                             srs_pair_set *set, srs_error *error)
{
  *set = (srs_pair_set){NULL, 0};
  if (names == NULL) return SRS_OK;
  size_t n = 0;
  for (const char *const *name = names; *name != NULL; name += 2) {
    if (name[1] == NULL)
      return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name[0], "%s pairs: '%s' has no partner", which, name[0]);
    srs_status status = check_name(m->model, name[0], which, error);
    if (status == SRS_OK) status = check_name(m->model, name[1], which, error);
    if (status != SRS_OK) return status;
    n += (size_t)pair_up(m, name[0], name[1], NULL);
  }
  set->keys = srs_arena_take(arena, n, sizeof *set->keys);
  if (set->keys == NULL) return no_memory(error);
  for (const char *const *name = names; *name != NULL; name += 2)
    set->n += pair_up(m, name[0], name[1], set->keys + set->n);
  sort_keys(set->keys, set->n);
  return SRS_OK;
}

bool srs_pair_set_add(srs_pair_set *set, const uint64_t *keys, int n, srs_arena *arena)
{
  if (n == 0) return true;
  uint64_t *all = srs_arena_take(arena, (size_t)set->n + (size_t)n, sizeof *all);
  if (all == NULL) return false;
  for (int i = 0; i < set->n; i++) all[i] = set->keys[i];
  for (int i = 0; i < n; i++) all[set->n + i] = keys[i];
  set->keys = all;
  set->n += n;
  sort_keys(set->keys, set->n);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pairs of the model
// ---------------------------------------------------------------------------------------------------------------------

// Geometries by the frames that carry them: the first on each frame, the next on the same one; -1 ends.
static bool list_by_frame(const srs_geometries *m, srs_arena *arena, int **first, int **next)
{
  const srs_model *model = m->model;
  *first = srs_arena_take(arena, (size_t)model->n_frames, sizeof **first);
  *next = srs_arena_take(arena, (size_t)m->n, sizeof **next);
  if (*first == NULL || *next == NULL) return false;
  for (int i = 0; i < model->n_frames; i++) (*first)[i] = -1;
  for (int i = m->n - 1; i >= 0; i--) {
    const int frame = model->shapes[m->shape[i]].frame;
    (*next)[i] = -1;
    if (frame < 0) continue;
    (*next)[i] = (*first)[frame];
    (*first)[frame] = i;
  }
  return true;
}

// The pairs of geometries on the model's pairs of frames; counted only where keys is NULL.
static int pair_up_frames(const srs_model *model, const int *first, const int *next, uint64_t *keys)
{
  int n = 0;
  for (const int *pair = model->excluded; pair < model->excluded + 2 * (size_t)model->n_excluded; pair += 2)
    for (int i = first[pair[0]]; i >= 0; i = next[i])
      for (int j = first[pair[1]]; j >= 0; j = next[j]) {
        if (i == j) continue;
        if (keys != NULL) keys[n] = srs_pair_key(i, j);
        n++;
      }
  return n;
}

static srs_status exclude_frames(const srs_geometries *m, srs_arena *arena, srs_filter *f, srs_error *error)
{
  int *first, *next;
  if (m->model->n_excluded == 0) return SRS_OK;
  if (!list_by_frame(m, arena, &first, &next)) return no_memory(error);
  const int n = pair_up_frames(m->model, first, next, NULL);
  uint64_t *keys = srs_arena_take(arena, (size_t)n, sizeof *keys);
  if (keys == NULL) return no_memory(error);
  pair_up_frames(m->model, first, next, keys);
  return srs_pair_set_add(&f->excluded, keys, n, arena) ? SRS_OK : no_memory(error);
}

// ---------------------------------------------------------------------------------------------------------------------
// All filters
// ---------------------------------------------------------------------------------------------------------------------

static bool can_move_apart(const srs_filter *f, int i, int j)
{
  return !(f->is_static[i] && f->is_static[j]) && !(f->body[i] == f->body[j] && f->body[i] >= 0);
}

bool srs_filter_passes(const srs_filter *f, int i, int j)
{
  if (!can_move_apart(f, i, j)) return false;
  if (f->included.n > 0 && srs_pair_set_has(&f->included, i, j)) return true;
  if ((f->group[i] & f->mask[j]) == 0 || (f->group[j] & f->mask[i]) == 0) return false;
  if (!f->parent_child &&
      ((f->carrier[i] >= 0 && f->carrier[i] == f->body[j]) || (f->carrier[j] >= 0 && f->carrier[j] == f->body[i])))
    return false;
  if (f->robot[i] > 0 && f->robot[i] == f->robot[j] && f->self[i] == SRS_SELF_COLLISION_NONE) return false;
  return f->excluded.n == 0 || !srs_pair_set_has(&f->excluded, i, j);
}

// A pair that is included but can never touch is a mistake.
static srs_status check_included(const srs_filter *f, const char *const *names, srs_error *error)
{
  const srs_geometries *m = f->geometries;
  for (const char *const *name = names; name != NULL && *name != NULL; name += 2) {
    bool can = false;
    for (int i = 0; i < m->n && !can; i++)
      for (int j = 0; j < m->n && !can; j++)
        can = i != j && can_move_apart(f, i, j) && is_named(m->model, m->shape[i], name[0]) &&
              is_named(m->model, m->shape[j], name[1]);
    if (!can)
      return srs_fail(error, SRS_ERROR_NAME, NULL, 0, 0, name[0],
                      "included pairs: '%s' and '%s' have no shapes that can move against each other", name[0],
                      name[1]);
  }
  return SRS_OK;
}

// The caller's pairs and those of the model's file that touch, or never do; NULL for none.
static const char *const *all_pairs(const srs_model *model, const char *const *names, bool touch, srs_arena *arena)
{
  const srs_file_settings *file = &model->file;
  size_t n = 0, n_file = 0;
  while (names != NULL && names[n] != NULL) n++;
  for (int i = 0; i < file->n_pairs; i++) n_file += file->pairs[i].touches == touch;
  if (n_file == 0) return names;
  const char **all = srs_arena_take(arena, n + 2 * n_file + 1, sizeof *all);
  if (all == NULL) return NULL; // the arena says so
  size_t at = 0;
  for (int i = 0; i < file->n_pairs; i++) {
    if (file->pairs[i].touches != touch) continue;
    all[at++] = file->pairs[i].a;
    all[at++] = file->pairs[i].b;
  }
  for (size_t i = 0; i < n; i++) all[at++] = names[i];
  return all;
}

// Whether a frame's link stands on the world by joints whose coordinates all follow motions alone.
static bool is_prescribed(const srs_model *m, int frame)
{
  if (m->n_couplings == 0) return false;
  for (int k = m->frame_link[frame]; k >= 0; k = m->parent[k])
    for (int v = m->v_index[k]; v < m->v_index[k + 1]; v++) {
      bool follows = false;
      for (int i = 0; i < m->n_couplings && !follows; i++)
        follows = m->couplings[i].follower_v == v && m->couplings[i].leader_q < 0;
      if (!follows) return false;
    }
  return true;
}

srs_status srs_filter_make(const srs_geometries *m, const srs_collider_options *options, srs_arena *arena,
                           srs_filter *f, srs_error *error)
{
  const size_t n = (size_t)m->n;
  *f = (srs_filter){.geometries = m, .parent_child = options->parent_child};
  int *body = srs_arena_take(arena, n, sizeof *body), *carrier = srs_arena_take(arena, n, sizeof *carrier);
  bool *is_static = srs_arena_take(arena, n, sizeof *is_static);
  int *robot = srs_arena_take(arena, n, sizeof *robot), *tree = srs_arena_take(arena, n, sizeof *tree);
  unsigned char *self = srs_arena_take(arena, n, sizeof *self);
  unsigned *group = srs_arena_take(arena, n, sizeof *group), *mask = srs_arena_take(arena, n, sizeof *mask);
  if (arena->failed) return no_memory(error);
  for (int i = 0; i < m->n; i++) {
    const srs_shape *s = &m->model->shapes[m->shape[i]];
    body[i] = s->frame >= 0 ? m->model->frame_body[s->frame] : -1;
    carrier[i] = s->frame >= 0 ? m->model->frame_carrier[s->frame] : -1;
    is_static[i] =
        s->frame < 0 || m->model->frame_is_static[s->frame] || is_prescribed(m->model, s->frame); // no force moves them
    group[i] = s->group;
    mask[i] = s->mask;
    robot[i] = s->robot;
    tree[i] = body[i];
    while (tree[i] >= 0 && m->model->frame_carrier[tree[i]] >= 0) tree[i] = m->model->frame_carrier[tree[i]];
    const srs_self_collision chosen =
        options->self_collision != SRS_SELF_COLLISION_OWN ? options->self_collision : s->self_collision;
    self[i] = (unsigned char)(chosen != SRS_SELF_COLLISION_OWN ? chosen : SRS_SELF_COLLISION_ALL);
  }
  f->body = body, f->carrier = carrier, f->is_static = is_static, f->group = group, f->mask = mask;
  f->robot = robot, f->tree = tree, f->self = self;
  const char *const *excluded = all_pairs(m->model, options->excluded, false, arena);
  const char *const *included = all_pairs(m->model, options->included, true, arena);
  if (arena->failed) return no_memory(error);
  srs_status status = srs_pair_set_make(m, excluded, "excluded", arena, &f->excluded, error);
  if (status == SRS_OK) status = exclude_frames(m, arena, f, error);
  if (status == SRS_OK) status = srs_pair_set_make(m, included, "included", arena, &f->included, error);
  return status == SRS_OK ? check_included(f, options->included, error) : status;
}
