// Which shapes of one robot overlap in its neutral configuration?
//
// A robot's links are drawn into each other where a joint hides it, and often two joints apart too. No motion parts
// such a pair; its contacts would only push. Overlaps up to 1 um are rounding errors of files.
#include "collision/world/self_overlaps.h"
#include "topology/base/errors.h"
#include "topology/model/link_placement.h"

#include <stdlib.h>

static const double negligible = 1e-6; // m

static bool are_of_one_robot(const srs_filter *f, int i, int j)
{
  return f->robot[i] > 0 && f->robot[i] == f->robot[j] && f->tree[i] >= 0 && f->tree[i] == f->tree[j];
}

bool srs_self_can_overlap(const srs_geometries *m, const srs_filter *f, int i, int j)
{
  return are_of_one_robot(f, i, j) && srs_filter_passes(f, i, j) &&
         srs_kinds_collide(m->solids[i].kind, m->solids[j].kind);
}

double srs_self_depth(const srs_geometries *m, srs_narrow_phase *narrow, int i, int j)
{
  const bool has_plane = m->is_half_space[i] || m->is_half_space[j];
  srs_contact_point deepest;
  if (!srs_bounds_meet(m, i, j, 0) || (!has_plane && !srs_boxes_meet(m, i, j, 0))) return 0;
  if (srs_geometries_distance(m, narrow, i, j, 0, &deepest) == 0) return 0;
  return deepest.gap < -negligible ? -deepest.gap : 0;
}

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for the shapes of robots that overlap");
}

// ---------------------------------------------------------------------------------------------------------------------
// In the neutral configuration
// ---------------------------------------------------------------------------------------------------------------------

static bool has_auto(const srs_geometries *m, const srs_filter *f)
{
  for (int i = 0; i < m->n; i++)
    if (f->robot[i] > 0 && f->self[i] == SRS_SELF_COLLISION_AUTO) return true;
  return false;
}

static bool add(srs_self_overlap **list, int *n, int *room, srs_self_overlap overlap)
{
  if (*n == *room) {
    const int larger = 2 * *room + 16;
    srs_self_overlap *moved = realloc(*list, (size_t)larger * sizeof *moved);
    if (moved == NULL) return false;
    *list = moved, *room = larger;
  }
  (*list)[(*n)++] = overlap;
  return true;
}

static bool find_overlaps(const srs_geometries *m, srs_narrow_phase *narrow, const srs_filter *f,
                          srs_self_overlap **list, int *n)
{
  int room = 0;
  for (int i = 0; i < m->n; i++)
    for (int j = i + 1; j < m->n && f->self[i] == SRS_SELF_COLLISION_AUTO; j++) {
      if (!srs_self_can_overlap(m, f, i, j)) continue;
      const double depth = srs_self_depth(m, narrow, i, j);
      if (depth > 0 && !add(list, n, &room, (srs_self_overlap){i, j, depth})) return false;
    }
  return true;
}

static bool keep(const srs_self_overlap *list, int n, srs_filter *f, srs_arena *arena)
{
  uint64_t *keys = srs_arena_take(arena, (size_t)n, sizeof *keys);
  f->left_out = srs_arena_take(arena, (size_t)n, sizeof *f->left_out);
  if (keys == NULL || f->left_out == NULL) return false;
  for (int k = 0; k < n; k++) keys[k] = srs_pair_key(list[k].i, list[k].j), f->left_out[k] = list[k];
  f->n_left_out = n;
  return srs_pair_set_add(&f->excluded, keys, n, arena);
}

static bool place_at(srs_geometries *m, const double *q, srs_pose *links)
{
  srs_pose_links(m->model, q, links);
  return srs_geometries_place(m, links);
}

srs_status srs_self_overlaps_exclude(srs_geometries *m, srs_narrow_phase *narrow, srs_filter *f, srs_arena *arena,
                                     srs_error *error)
{
  if (!has_auto(m, f)) return SRS_OK;
  srs_pose *links = malloc(((size_t)m->model->n_links + 1) * sizeof *links);
  if (links == NULL) return no_memory(error);
  srs_self_overlap *list = NULL;
  int n = 0;
  bool is_good = true;
  if (place_at(m, m->model->neutral, links)) is_good = find_overlaps(m, narrow, f, &list, &n);
  if (is_good && n > 0) is_good = keep(list, n, f, arena);
  free(list);
  free(links);
  return is_good ? SRS_OK : no_memory(error);
}

srs_status srs_self_overlaps_take(const srs_filter *known, srs_filter *f, srs_arena *arena, srs_error *error)
{
  return known->n_left_out == 0 || keep(known->left_out, known->n_left_out, f, arena) ? SRS_OK : no_memory(error);
}
