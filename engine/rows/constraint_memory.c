// What memory does a step's problem take? Taken at creation; grown by half when a step finds more contacts or rows than
// there is room for, unless the capacity is fixed.

#include "engine/rows/constraint_memory.h"
#include "engine/rows/problem_sizes.h"

#include <stdlib.h>
#include <string.h>

// Memory that starts on a vector's boundary, zeroed.
void *srs_aligned_zeros(size_t count, size_t size)
{
  const size_t bytes = (count * size + 63) / 64 * 64 + 64;
  void *memory = aligned_alloc(64, bytes);
  if (memory != NULL) memset(memory, 0, bytes);
  return memory;
}

static void *enlarged(void *old, size_t used, size_t count, size_t size)
{
  void *memory = srs_aligned_zeros(count, size);
  if (memory != NULL && old != NULL && used > 0) memcpy(memory, old, used * size);
  return memory;
}

srs_status srs_contacts_reserve(struct srs_constraints *c, int capacity)
{
  if (capacity <= c->capacity) return SRS_OK;
  const size_t n = (size_t)capacity, warm = (size_t)c->n_warm, results = (size_t)c->n_results;
  const size_t scalars = (size_t)c->scalar_capacity, sides = 2 * (size_t)c->contact_rows * n + SRS_ROW_SIDES * scalars;
  if (srs_workspace_reserve_rows(c->workspace, (int)sides) != SRS_OK) return SRS_ERROR_MEMORY;
  enum { BLOCKS = 19 };
  void *fresh[BLOCKS] = {srs_aligned_zeros(n, sizeof *c->candidates),
                         srs_aligned_zeros(n, sizeof *c->active),
                         srs_aligned_zeros(n, sizeof *c->by_name),
                         srs_aligned_zeros(n, sizeof *c->order),
                         srs_aligned_zeros(n + scalars + 1, sizeof *c->island_begin),
                         srs_aligned_zeros(SCALAR_KINDS * (n + scalars) + 1, sizeof *c->scalar_begin),
                         enlarged(c->results, results, n, sizeof *c->results),
                         enlarged(c->warm, warm, n, sizeof *c->warm),
                         srs_aligned_zeros(n, sizeof *c->next_results),
                         srs_aligned_zeros(sides, sizeof *c->rows),
                         srs_aligned_zeros(sides, sizeof *c->row_of),
                         srs_aligned_zeros(n, sizeof *c->starts),
                         srs_aligned_zeros(n, sizeof *c->excess),
                         srs_aligned_zeros(n + 1, sizeof *c->group_first),
                         srs_aligned_zeros(n, sizeof *c->side_choice),
                         srs_aligned_zeros(n, sizeof *c->side_contact),
                         srs_aligned_zeros(n, sizeof *c->side_contacts),
                         srs_aligned_zeros(srs_node_integers(c, capacity), sizeof *c->node_integers),
                         srs_aligned_zeros(srs_node_sizes(c, capacity), sizeof *c->node_sizes)};
  void *old[BLOCKS] = {c->candidates,   c->active,        c->by_name,       c->order,        c->island_begin,
                       c->scalar_begin, c->results,       c->warm,          c->next_results, c->rows,
                       c->row_of,       c->starts,        c->excess,        c->group_first,  c->side_choice,
                       c->side_contact, c->side_contacts, c->node_integers, c->node_sizes};
  bool failed = false;
  for (int i = 0; i < BLOCKS; i++) failed = failed || fresh[i] == NULL;
  for (int i = 0; i < BLOCKS; i++) free(failed ? fresh[i] : old[i]);
  if (failed) return SRS_ERROR_MEMORY;
  c->candidates = fresh[0], c->active = fresh[1], c->by_name = fresh[2], c->order = fresh[3];
  c->island_begin = fresh[4], c->scalar_begin = fresh[5], c->results = fresh[6], c->warm = fresh[7];
  c->next_results = fresh[8], c->rows = fresh[9], c->row_of = fresh[10];
  c->starts = fresh[11], c->excess = fresh[12];
  c->group_first = fresh[13], c->side_choice = fresh[14], c->side_contact = fresh[15], c->side_contacts = fresh[16];
  c->node_integers = fresh[17], c->node_sizes = fresh[18];
  c->capacity = capacity;
  return SRS_OK;
}

srs_status srs_blocks_reserve(struct srs_constraints *c, const srs_contact_sizes *sizes, size_t doubles)
{
  if (doubles > c->problem_room) {
    double *problem = srs_aligned_zeros(doubles, sizeof *problem);
    if (problem == NULL) return SRS_ERROR_MEMORY;
    free(c->problem);
    c->problem = problem;
    c->problem_room = doubles;
  }
  return srs_contact_solver_reserve_blocks(c->solver, sizes, NULL);
}

static srs_status reserve_corners(struct srs_constraints *c, int n_contacts, int n_rows)
{
  if (c->corners == SRS_CORNERS_CONVEX) return SRS_OK;
  const srs_nonconvex_capacity capacity = {.n_rows = n_rows,
                                           .n_groups = n_contacts,
                                           .n_sides = n_contacts,
                                           .n_directions = c->n_directions,
                                           .has_summation = c->corners == SRS_CORNERS_SUMMATION};
  srs_nonconvex_solver *solver = NULL;
  const srs_status status = srs_nonconvex_solver_create(&capacity, &solver, NULL);
  if (status != SRS_OK) return status;
  srs_nonconvex_solver_destroy(c->corner_solver);
  c->corner_solver = solver;
  return SRS_OK;
}

srs_status srs_problem_reserve(struct srs_constraints *c, int n_contacts, int n_scalars)
{
  if (c->takes_blocks && (c->counts_loops || c->is_fixed)) { // beyond, problems are given by blocks
    n_contacts = n_contacts < SRS_BLOCKS_FROM / 3 ? n_contacts : SRS_BLOCKS_FROM / 3;
    if (c->counts_loops) n_scalars = n_scalars < SRS_BLOCKS_FROM ? n_scalars : SRS_BLOCKS_FROM;
  }
  const size_t doubles = srs_island_doubles(c, n_contacts, n_scalars);
  if (doubles > c->problem_room) {
    double *problem = srs_aligned_zeros(doubles, sizeof *problem);
    int *second_rows =
        srs_aligned_zeros(srs_poisson_ints(c->contact_rows * n_contacts + n_scalars, n_contacts), sizeof *second_rows);
    if (problem == NULL || second_rows == NULL) {
      free(problem);
      free(second_rows);
      return SRS_ERROR_MEMORY;
    }
    free(c->problem);
    free(c->second_rows);
    c->problem = problem;
    c->second_rows = second_rows;
    c->problem_room = doubles;
  }
  const int rows = srs_island_rows(c, n_contacts, n_scalars);
  srs_status status = reserve_corners(c, n_contacts, c->contact_rows * n_contacts + n_scalars);
  if (status != SRS_OK) return status;
  status = srs_contact_solver_reserve_directions(c->solver, rows, c->n_directions, NULL);
  if (status == SRS_OK && rows > c->solver_rows) c->solver_rows = rows;
  return status;
}

// Of contacts of like bodies a node has about ten, in three dimensions twenty.
enum { USUAL_NEIGHBOURS = 32, NODE_ROWS = 3, USUAL_FREEDOMS = 12, WHOLE = 400 }; // WHOLE: that may all be neighbours

srs_status srs_blocks_reserve_fixed(struct srs_constraints *c)
{
  const srs_node_rooms room = srs_node_rooms_of(c, c->capacity);
  const size_t few = room.nodes < WHOLE ? room.nodes : WHOLE, usual = USUAL_NEIGHBOURS * room.nodes;
  const size_t blocks = usual > few * few ? usual : few * few, values = (size_t)NODE_ROWS * NODE_ROWS * blocks;
  const size_t sides = 2 * (NODE_ROWS * few > SRS_BLOCKS_FROM ? NODE_ROWS * few : (size_t)SRS_BLOCKS_FROM);
  const size_t freedoms = (size_t)c->workspace->model->nv, links = room.sides;
  const size_t columns = (size_t)NODE_ROWS * links < freedoms ? (size_t)NODE_ROWS * links : freedoms;
  const size_t widest = columns < USUAL_FREEDOMS ? columns : USUAL_FREEDOMS;
  const srs_contact_sizes sizes = {.n_rows = (int)room.rows,
                                   .n_nodes = (int)room.nodes,
                                   .n_blocks = blocks,
                                   .n_values = values,
                                   .n_directions = c->n_directions,
                                   .n_groups = (int)columns,
                                   .n_columns = (int)columns,
                                   .n_links = links,
                                   .n_numbers = (size_t)NODE_ROWS * links * widest};
  if (!c->takes_blocks || room.rows < SRS_BLOCKS_FROM) return SRS_OK;
  c->block_columns = malloc(blocks * sizeof *c->block_columns);
  if (c->block_columns == NULL) return SRS_ERROR_MEMORY;
  c->column_room = blocks;
  return srs_blocks_reserve(c, &sizes, values + sizes.n_numbers + 16 * room.rows + sides * sides);
}
