// Memory of the constraint system. It is taken at creation and grows by half when a step finds more contacts or rows
// than there is room for, unless the capacity is fixed.

#include "engine/rows/constraint_memory.h"
#include "contact/algebra/dense.h"
#include "engine/rows/problem_sizes.h"
#include "topology/base/reserve.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Arrays: one entry each, so that taking, growing and releasing them walk the same lists
// ---------------------------------------------------------------------------------------------------------------------

typedef struct array {
  void **slot;        // where the constraint system has its pointer
  size_t count, size; // elements, bytes of one
  size_t kept;        // elements that stay when the array grows
} array;

enum { FIXED_ARRAYS = 39, CONTACT_ARRAYS = 19, MOST_ARRAYS = FIXED_ARRAYS };

// Elements of the arrays whose sizes the model determines; one more than there are, so that none is empty.
typedef struct fixed_counts {
  size_t links, shapes, nq, nv, scalars, slots, loops, loop_rows, pivots;
} fixed_counts;

static void list_fixed_arrays(struct srs_constraints *c, const fixed_counts *n, array list[FIXED_ARRAYS])
{
  const array all[FIXED_ARRAYS] = {
      {(void **)&c->impulse, n->links, sizeof *c->impulse, 0},
      {(void **)&c->tree_island, n->links, sizeof *c->tree_island, 0},
      {(void **)&c->tree_mark, n->links, sizeof *c->tree_mark, 0},
      {(void **)&c->dv, n->nv, sizeof *c->dv, 0},
      {(void **)&c->push, n->links, sizeof *c->push, 0},
      {(void **)&c->push_on, n->nv, sizeof *c->push_on, 0},
      {(void **)&c->moved, n->nv, sizeof *c->moved, 0},
      {(void **)&c->v_rows, n->nv, sizeof *c->v_rows, 0},
      {(void **)&c->v_struck, n->nv, sizeof *c->v_struck, 0},
      {(void **)&c->velocity_half, n->links, sizeof *c->velocity_half, 0},
      {(void **)&c->blow_of_slot, n->slots, sizeof *c->blow_of_slot, 0},
      {(void **)&c->v_trial, n->nv, sizeof *c->v_trial, 0},
      {(void **)&c->on_coordinates, n->nv, sizeof *c->on_coordinates, 0},
      {(void **)&c->scalars, n->scalars, sizeof *c->scalars, 0},
      {(void **)&c->scalar_order, n->scalars, sizeof *c->scalar_order, 0},
      {(void **)&c->row_results, n->scalars, sizeof *c->row_results, 0},
      {(void **)&c->poses, n->links, sizeof *c->poses, 0},
      {(void **)&c->velocity_before, n->links, sizeof *c->velocity_before, 0},
      {(void **)&c->predicted_motion, n->links, sizeof *c->predicted_motion, 0},
      {(void **)&c->reach, n->links, sizeof *c->reach, 0},
      {(void **)&c->shape_rank, n->shapes, sizeof *c->shape_rank, 0},
      {(void **)&c->rank_begin, n->shapes, sizeof *c->rank_begin, 0},
      {(void **)&c->friction, n->shapes, sizeof *c->friction, 0},
      {(void **)&c->restitution, n->shapes, sizeof *c->restitution, 0},
      {(void **)&c->loop_rows, n->loop_rows, sizeof *c->loop_rows, 0},
      {(void **)&c->loop_rates, n->loop_rows, sizeof *c->loop_rates, 0},
      {(void **)&c->loop_wrench, n->loops, sizeof *c->loop_wrench, 0},
      {(void **)&c->largest_diagonal, n->loop_rows, sizeof *c->largest_diagonal, 0},
      {(void **)&c->pivot_matrix, n->pivots, sizeof *c->pivot_matrix, 0},
      {(void **)&c->pivot_order, n->loop_rows, sizeof *c->pivot_order, 0},
      {(void **)&c->anisotropy, n->shapes, sizeof *c->anisotropy, 0},
      {(void **)&c->motion, 6 * n->links, sizeof *c->motion, 0},
      {(void **)&c->tree_motion, n->links, sizeof *c->tree_motion, 0},
      {(void **)&c->solid_of, n->shapes, sizeof *c->solid_of, 0},
      {(void **)&c->solid_planes, n->shapes, sizeof *c->solid_planes, 0},
      {(void **)&c->stands, n->links, sizeof *c->stands, 0},
      {(void **)&c->still_q, n->nq, sizeof *c->still_q, 0},
      {(void **)&c->still_v, n->nv, sizeof *c->still_v, 0},
      {(void **)&c->still_extra, n->nv, sizeof *c->still_extra, 0},
  };
  memcpy(list, all, sizeof all);
}

// Arrays that grow with the contacts.
static void list_contact_arrays(struct srs_constraints *c, int capacity, array list[CONTACT_ARRAYS])
{
  const size_t n = (size_t)capacity, scalars = (size_t)c->scalar_capacity;
  const size_t sides = 2 * (size_t)c->contact_rows * n + srs_scalar_sides(c);
  const array all[CONTACT_ARRAYS] = {
      {(void **)&c->candidates, n, sizeof *c->candidates, 0},
      {(void **)&c->active, n, sizeof *c->active, 0},
      {(void **)&c->by_name, n, sizeof *c->by_name, 0},
      {(void **)&c->order, n, sizeof *c->order, 0},
      {(void **)&c->island_begin, n + scalars + 1, sizeof *c->island_begin, 0},
      {(void **)&c->scalar_begin, SCALAR_KINDS * (n + scalars) + 1, sizeof *c->scalar_begin, 0},
      {(void **)&c->results, n, sizeof *c->results, (size_t)c->n_results},
      {(void **)&c->warm, n, sizeof *c->warm, (size_t)c->n_warm},
      {(void **)&c->next_results, n, sizeof *c->next_results, 0},
      {(void **)&c->rows, sides, sizeof *c->rows, 0},
      {(void **)&c->row_of, sides, sizeof *c->row_of, 0},
      {(void **)&c->starts, n, sizeof *c->starts, 0},
      {(void **)&c->excess, n, sizeof *c->excess, 0},
      {(void **)&c->group_first, n + 1, sizeof *c->group_first, 0},
      {(void **)&c->side_choice, n, sizeof *c->side_choice, 0},
      {(void **)&c->side_contact, n, sizeof *c->side_contact, 0},
      {(void **)&c->side_contacts, n, sizeof *c->side_contacts, 0},
      {(void **)&c->node_integers, srs_node_integers(c, capacity), sizeof *c->node_integers, 0},
      {(void **)&c->node_sizes, srs_node_sizes(c, capacity), sizeof *c->node_sizes, 0},
  };
  memcpy(list, all, sizeof all);
}

// Gives every array of a list new memory, what is kept copied; on failure all arrays stay as they were.
static srs_status renew(const array *list, size_t n)
{
  void *fresh[MOST_ARRAYS];
  bool failed = false;
  for (size_t i = 0; i < n; i++) {
    fresh[i] = srs_reserve(list[i].count, list[i].size);
    failed = failed || fresh[i] == NULL;
    if (fresh[i] != NULL && *list[i].slot != NULL && list[i].kept > 0)
      memcpy(fresh[i], *list[i].slot, list[i].kept * list[i].size);
  }
  for (size_t i = 0; i < n; i++) {
    srs_release(failed ? fresh[i] : *list[i].slot);
    if (!failed) *list[i].slot = fresh[i];
  }
  return failed ? SRS_ERROR_MEMORY : SRS_OK;
}

static void release(const array *list, size_t n)
{
  for (size_t i = 0; i < n; i++) srs_release(*list[i].slot);
}

srs_status srs_fixed_arrays_create(struct srs_constraints *c, const srs_model *m)
{
  const size_t loop_rows = (size_t)c->n_loop_rows + 1;
  const fixed_counts n = {.links = (size_t)m->n_links + 1,
                          .shapes = (size_t)m->n_shapes + 1,
                          .nq = (size_t)m->nq + 1,
                          .nv = (size_t)m->nv + 1,
                          .scalars = (size_t)c->scalar_capacity + 1,
                          .slots = (size_t)c->n_slots + 1,
                          .loops = (size_t)srs_model_n_loops(m) + 1, // a free tendon has no row
                          .loop_rows = loop_rows,
                          .pivots = (loop_rows + 1) * (size_t)srs_dense_stride((int)loop_rows)};
  array list[FIXED_ARRAYS];
  list_fixed_arrays(c, &n, list);
  if (!srs_dense_warm_up(c->n_loop_rows)) return SRS_ERROR_MEMORY;
  return renew(list, FIXED_ARRAYS);
}

void srs_arrays_destroy(struct srs_constraints *c)
{
  array list[MOST_ARRAYS];
  list_fixed_arrays(c, &(fixed_counts){.links = 0}, list);
  release(list, FIXED_ARRAYS);
  list_contact_arrays(c, 0, list);
  release(list, CONTACT_ARRAYS);
  srs_release(c->problem);
  srs_release(c->second_rows);
  free(c->overrides);
  free(c->coordinates);
  free(c->block_columns);
}

srs_status srs_contacts_reserve(struct srs_constraints *c, int capacity)
{
  if (capacity <= c->capacity) return SRS_OK;
  const size_t sides = 2 * (size_t)c->contact_rows * (size_t)capacity + srs_scalar_sides(c);
  if (srs_workspace_reserve_rows(c->workspace, (int)sides) != SRS_OK) return SRS_ERROR_MEMORY;
  array list[CONTACT_ARRAYS];
  list_contact_arrays(c, capacity, list);
  if (renew(list, CONTACT_ARRAYS) != SRS_OK) return SRS_ERROR_MEMORY;
  c->capacity = capacity;
  c->n_left = c->n_standing = 0;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Problems, whole and by blocks
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_blocks_reserve(struct srs_constraints *c, const srs_contact_sizes *sizes, size_t doubles)
{
  if (doubles > c->problem_room) {
    double *problem = srs_reserve(doubles, sizeof *problem);
    if (problem == NULL) return SRS_ERROR_MEMORY;
    srs_release(c->problem);
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
  } else if (!c->takes_blocks) { // larger ones have no room
    const int most = srs_island_most_contacts(c, n_scalars);
    n_contacts = n_contacts < most ? n_contacts : most;
  }
  const size_t doubles = srs_island_doubles(c, n_contacts, n_scalars);
  if (doubles > c->problem_room) {
    double *problem = srs_reserve(doubles, sizeof *problem);
    int *second_rows =
        srs_reserve(srs_poisson_ints(c->contact_rows * n_contacts + n_scalars, n_contacts), sizeof *second_rows);
    if (problem == NULL || second_rows == NULL) {
      srs_release(problem);
      srs_release(second_rows);
      return SRS_ERROR_MEMORY;
    }
    srs_release(c->problem);
    srs_release(c->second_rows);
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

// A contact of bodies of like size has about ten neighbours, in three dimensions twenty. WHOLE: nodes that may all be
// neighbours.
enum { USUAL_NEIGHBOURS = 32, NODE_ROWS = 3, USUAL_FREEDOMS = 12, WHOLE = 400 };

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
                                   .n_block_rows = (int)room.nodes,
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
  return srs_blocks_reserve(
      c, &sizes, values + sizes.n_numbers + 16 * room.rows + sides * sides + srs_blow_doubles(room.rows, room.nodes));
}
