// The plan of an elimination, made once for a model: where strands start, come together and end.
//
// Links are taken from the last to the first, so those that a link carries come just before it, and the strands that
// pass them lie on top of a stack. Of a row that has strands on several of them, or a further side on the link itself,
// one strand goes on. Rows end at the last link that carries all of their sides: a block.

#include "contact/algebra/dense.h"
#include "engine/dynamics/block.h"
#include "engine/elimination/elimination.h"
#include "engine/elimination/memory.h"
#include "topology/base/reserve.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 48 }; // below, W takes little time in any case

// The plan under way. Counts are of what was met so far; lists are filled where the elimination has them.
typedef struct planning {
  srs_elimination *e;
  int *slot, *row; // of the stack, n_sides
  int *free_slot;  // slots that may be used again
  int *met;        // n_rows: 1 + place on the stack of the row's strand, in the scan under way
  int *after;      // n_links + 1: height of the stack
  int height, n_free, n_slots, n_live, n_merges, n_blocks, n_block_rows, n_others;
  size_t n_shares, n_numbers;
  double cost;
} planning;

static int new_slot(planning *p) { return p->n_free > 0 ? p->free_slot[--p->n_free] : p->n_slots++; }

static void release_slot(planning *p, int slot) { p->free_slot[p->n_free++] = slot; }

// Joins strands of one row among those from `base` on.
static void plan_merges(planning *p, int link, int base)
{
  int kept = base;
  for (int i = base; i < p->height; i++) {
    const int row = p->row[i];
    if (p->met[row] == 0) {
      p->met[row] = kept + 1;
      p->slot[kept] = p->slot[i], p->row[kept] = row, kept++;
      continue;
    }
    if (p->e->merges != NULL) p->e->merges[p->n_merges] = (loop_merge){link, p->slot[p->met[row] - 1], p->slot[i]};
    p->n_merges++;
    release_slot(p, p->slot[i]);
  }
  p->height = kept;
  for (int i = base; i < kept; i++) p->met[p->row[i]] = 0;
}

// Starts the strands of sides on a link, wrenches or coordinates.
static void plan_sides(planning *p, const bool *on_coordinates, int link, int base, bool coordinates)
{
  srs_elimination *e = p->e;
  for (int s = e->side_begin[link]; s < e->side_begin[link + 1]; s++) {
    const int row = e->side_row[s];
    if (on_coordinates[row] != coordinates) continue;
    int i = base;
    while (i < p->height && p->row[i] != row) i++;
    const bool starts = i == p->height;
    if (starts) p->slot[i] = new_slot(p), p->row[i] = row, p->height++;
    e->side_slot[s] = starts ? -p->slot[i] - 1 : p->slot[i];
  }
}

// Ends the rows whose link this is.
static void plan_block(planning *p, int link, int base)
{
  srs_elimination *e = p->e;
  loop_block b = {.link = link, .first = p->n_block_rows, .other = p->n_others, .at = p->n_numbers};
  int kept = base;
  for (int i = base; i < p->height; i++) b.n += e->end[p->row[i]] == link;
  if (b.n == 0) return;
  for (int i = base; i < p->height; i++) {
    const int slot = p->slot[i], row = p->row[i];
    const bool ends = e->end[row] == link;
    int *slots = ends ? e->block_slot : e->other_slot, *rows = ends ? e->block_row : e->other_row;
    const int at = ends ? p->n_block_rows++ : p->n_others++;
    if (slots != NULL) slots[at] = slot, rows[at] = row;
    if (ends)
      release_slot(p, slot);
    else
      p->slot[kept] = slot, p->row[kept] = row, kept++;
  }
  p->height = kept;
  b.n_others = kept - base;
  b.stride = srs_dense_stride(b.n);
  const size_t n = (size_t)b.n, stride = (size_t)b.stride;
  p->n_numbers += n * stride + 3 * stride + n * (size_t)b.n_others + n * n;
  const double rows = b.n, others = b.n_others;
  p->cost += 0.3 * rows * rows * rows + 2 * rows * rows * (6 + others) + rows * others * others;
  if (e->blocks != NULL) e->blocks[p->n_blocks] = b;
  p->n_blocks++;
}

static void plan_link(planning *p, const bool *on_coordinates, int k)
{
  srs_elimination *e = p->e;
  const srs_model *m = e->w->model;
  const int n_links = m->n_links, base = m->subtree_end[k] < n_links ? p->after[m->subtree_end[k]] : 0;
  const bool has_branches = k + 1 < m->subtree_end[k] && m->subtree_end[k + 1] < m->subtree_end[k];
  if (has_branches && p->height > base) plan_merges(p, k, base);
  plan_sides(p, on_coordinates, k, base, false);
  if (p->height > base) plan_block(p, k, base);
  plan_sides(p, on_coordinates, k, base, true);
  const int live = p->height - base, coordinates = m->v_index[k + 1] - m->v_index[k];
  for (int i = 0; i < live && e->live_slot != NULL; i++) {
    e->live_slot[p->n_live + i] = p->slot[base + i];
    e->live_row[p->n_live + i] = p->row[base + i];
  }
  e->live_end[k] = p->n_live += live;
  e->share_end[k] = p->n_shares += (size_t)(live * coordinates);
  p->cost += 100 + (double)coordinates * live * (8.0 + live);
  p->after[k] = p->height;
}

static void plan(planning *p, const bool *on_coordinates)
{
  const int n_links = p->e->w->model->n_links;
  for (int k = n_links - 1; k >= 0; k--) plan_link(p, on_coordinates, k);
  plan_merges(p, -1, 0);
  plan_block(p, -1, 0);
}

static int common_link(const srs_model *m, int a, int b)
{
  while (a != b) {
    if (a > b)
      a = m->parent[a];
    else
      b = m->parent[b];
  }
  return a;
}

static int end_of(const srs_model *m, const srs_loop_shape *s)
{
  if (!s->is_on_coordinates && s->n_sides < 2) return -1; // the other side is on the world
  int end = s->n_sides > 0 ? s->link[0] : -1;
  if (s->is_on_coordinates && end >= 0) end = m->parent[end];
  for (int i = 1; i < s->n_sides; i++)
    end = common_link(m, end, s->is_on_coordinates ? m->parent[s->link[i]] : s->link[i]);
  return end;
}

// Sorts the sides by link, rows in their order.
static void sort_sides(srs_elimination *e, const srs_loop_shape *shapes, int n_loops, bool *on_coordinates)
{
  const srs_model *m = e->w->model;
  int *begin = e->side_begin;
  for (int i = 0; i < n_loops; i++)
    for (int side = 0; side < shapes[i].n_sides; side++) begin[shapes[i].link[side] + 1] += shapes[i].n_rows;
  for (int k = 0; k < m->n_links; k++) begin[k + 1] += begin[k];
  for (int i = 0, row = 0; i < n_loops; i++) {
    const int end = end_of(m, &shapes[i]);
    for (const int last = row + shapes[i].n_rows; row < last; row++) {
      e->end[row] = end;
      on_coordinates[row] = shapes[i].is_on_coordinates;
      for (int side = 0; side < shapes[i].n_sides; side++) {
        const int at = begin[shapes[i].link[side]]++;
        e->side_row[at] = row, e->side_of_row[at] = side;
      }
    }
  }
  memmove(begin + 1, begin, (size_t)m->n_links * sizeof *begin);
  begin[0] = 0;
}

// What making W and factoring it takes, in the same unit: about a nanosecond.  @param depth  n_links: scratch
static double cost_by_matrix(const srs_elimination *e, int *depth)
{
  const srs_model *m = e->w->model;
  const double n = e->n_rows;
  double met = 0; // coordinates, by all sides
  for (int k = 0; k < m->n_links; k++) {
    depth[k] = m->v_index[k + 1] - m->v_index[k] + (m->parent[k] >= 0 ? depth[m->parent[k]] : 0);
    met += (double)(e->side_begin[k + 1] - e->side_begin[k]) * depth[k];
  }
  return met + 10 * n * n + 0.1 * n * n * n;
}

static size_t lay_out_sides(srs_elimination *e, char *base)
{
  const size_t links = (size_t)e->w->model->n_links, sides = (size_t)e->n_sides, rows = (size_t)e->n_rows;
  size_t used = 0;
  e->side_begin = srs_block_take(base, &used, links + 1, sizeof *e->side_begin);
  e->live_end = srs_block_take(base, &used, links + 1, sizeof *e->live_end);
  e->share_end = srs_block_take(base, &used, links + 1, sizeof *e->share_end);
  e->side_row = srs_block_take(base, &used, sides, sizeof *e->side_row);
  e->side_of_row = srs_block_take(base, &used, sides, sizeof *e->side_of_row);
  e->side_slot = srs_block_take(base, &used, sides, sizeof *e->side_slot);
  e->end = srs_block_take(base, &used, rows, sizeof *e->end);
  e->left = srs_block_take(base, &used, rows + LANES, sizeof *e->left);
  e->mobility = srs_block_take(base, &used, rows, sizeof *e->mobility);
  e->sides = srs_block_take(base, &used, sides, sizeof *e->sides);
  return used;
}

static size_t lay_out_factor(srs_elimination *e, const planning *p, char *base)
{
  const size_t slots = (size_t)p->n_slots, rows = (size_t)p->n_block_rows, others = (size_t)p->n_others;
  size_t used = 0;
  e->live_slot = srs_block_take(base, &used, (size_t)p->n_live, sizeof *e->live_slot);
  e->live_row = srs_block_take(base, &used, (size_t)p->n_live, sizeof *e->live_row);
  e->blocks = srs_block_take(base, &used, (size_t)p->n_blocks, sizeof *e->blocks);
  e->merges = srs_block_take(base, &used, (size_t)p->n_merges, sizeof *e->merges);
  e->block_row = srs_block_take(base, &used, rows, sizeof *e->block_row);
  e->block_slot = srs_block_take(base, &used, rows, sizeof *e->block_slot);
  e->order = srs_block_take(base, &used, rows, sizeof *e->order);
  e->pull = srs_block_take(base, &used, rows, sizeof *e->pull);
  e->other_row = srs_block_take(base, &used, others, sizeof *e->other_row);
  e->other_slot = srs_block_take(base, &used, others, sizeof *e->other_slot);
  e->share = srs_block_take(base, &used, p->n_shares, sizeof *e->share);
  e->numbers = srs_block_take(base, &used, p->n_numbers, sizeof *e->numbers);
  e->strand = srs_block_take(base, &used, slots, sizeof *e->strand);
  e->size = srs_block_take(base, &used, slots, sizeof *e->size);
  e->is_coupled = srs_block_take(base, &used, slots, sizeof *e->is_coupled);
  e->K = srs_block_take(base, &used, slots * slots, sizeof *e->K);
  e->pivots = srs_block_take(base, &used, (size_t)e->w->model->nv, sizeof *e->pivots);
  e->force = srs_block_take(base, &used, (size_t)e->w->model->n_links, sizeof *e->force);
  return used;
}

// Plans twice: the first time counts, the second fills the lists.
static bool plan_twice(srs_elimination *e, planning *p, const bool *on_coordinates, bool always, bool *pays)
{
  plan(p, on_coordinates);
  *pays = always || (e->n_rows >= LEAST_ROWS && p->cost < cost_by_matrix(e, p->after));
  if (!*pays) return true;
  e->n_slots = p->n_slots, e->n_blocks = p->n_blocks, e->n_merges = p->n_merges;
  const size_t size = lay_out_factor(e, p, NULL);
  e->factor_memory = srs_take_pages(size);
  if (e->factor_memory == NULL) return false;
  memset(e->factor_memory, 0, size);
  lay_out_factor(e, p, e->factor_memory);
  p->height = p->n_free = p->n_slots = p->n_live = p->n_merges = p->n_blocks = p->n_block_rows = p->n_others = 0;
  p->n_shares = p->n_numbers = 0;
  plan(p, on_coordinates);
  return true;
}

static bool make_plan(srs_elimination *e, const srs_loop_shape *shapes, int n_loops, bool always, bool *pays)
{
  const size_t sides = (size_t)e->n_sides + 1, rows = (size_t)e->n_rows + 1, links = (size_t)e->w->model->n_links + 1;
  int *scratch = calloc(3 * sides + rows + links, sizeof *scratch);
  bool *on_coordinates = calloc(rows, sizeof *on_coordinates);
  bool has_memory = scratch != NULL && on_coordinates != NULL;
  if (has_memory) {
    planning p = {.e = e,
                  .slot = scratch,
                  .row = scratch + sides,
                  .free_slot = scratch + 2 * sides,
                  .met = scratch + 3 * sides,
                  .after = scratch + 3 * sides + rows};
    sort_sides(e, shapes, n_loops, on_coordinates);
    has_memory = plan_twice(e, &p, on_coordinates, always, pays);
  }
  free(on_coordinates);
  free(scratch);
  return has_memory;
}

srs_status srs_elimination_create(srs_workspace *w, const srs_loop_shape *shapes, int n_loops, bool always,
                                  srs_elimination **out)
{
  *out = NULL;
  srs_elimination *e = calloc(1, sizeof *e);
  if (e == NULL) return SRS_ERROR_MEMORY;
  e->w = w;
  for (int i = 0; i < n_loops; i++) e->n_rows += shapes[i].n_rows, e->n_sides += shapes[i].n_rows * shapes[i].n_sides;
  const size_t size = lay_out_sides(e, NULL);
  e->memory = srs_take_pages(size);
  bool pays = false, has_memory = e->memory != NULL;
  if (has_memory) {
    memset(e->memory, 0, size);
    lay_out_sides(e, e->memory);
    has_memory = make_plan(e, shapes, n_loops, always, &pays);
  }
  if (has_memory && pays) {
    *out = e;
    return SRS_OK;
  }
  srs_elimination_destroy(e);
  return has_memory ? SRS_OK : SRS_ERROR_MEMORY;
}

void srs_elimination_destroy(srs_elimination *e)
{
  if (e == NULL) return;
  free(e->factor_memory);
  free(e->memory);
  free(e);
}
