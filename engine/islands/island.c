// Islands: splits a step's rows into independent problems, and fills the Delassus matrix of each.
//
//   islands   contacts and scalar rows that share no moving tree are separate problems. The order in which shapes were
//             added does not affect the sums: contacts are ordered by the names of their shapes, islands by their first
//             contacts, then by their first scalar rows
//   W         sum over trees of J Lambda J^T: Lambda of the rows on each tree by spatial operators, never through M;
//             plus the softness of compliant rows on the diagonal
//   b         the rows' velocities without impulses, plus each row's shift

#include "engine/islands/island.h"
#include "engine/dynamics/delassus.h"
#include "engine/loops/mechanism.h"
#include "engine/rows/constraint_memory.h"
#include "engine/rows/problem_sizes.h"
#include "topology/base/errors.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Islands
// ---------------------------------------------------------------------------------------------------------------------

static int find_tree(int *parent, int tree)
{
  while (parent[tree] != tree) tree = parent[tree] = parent[parent[tree]];
  return tree;
}

int srs_island_of_tree(struct srs_constraints *c, int tree) { return find_tree(c->tree_island, tree); }

static void join(int *parent, int a, int b)
{
  const int x = find_tree(parent, a), y = find_tree(parent, b);
  if (x < y)
    parent[y] = x;
  else
    parent[x] = y;
}

static int tree_of_side(const struct srs_constraints *c, const scalar_row *row, int side)
{
  return c->workspace->tree[row->row.link[side]];
}

// One pass of a stable counting sort of active contacts by the rank of one of their shapes.
static void sort_by_rank(struct srs_constraints *c, const int *from, int *to, int n, bool by_lower)
{
  memset(c->rank_begin, 0, ((size_t)c->n_shapes + 1) * sizeof *c->rank_begin);
  for (int i = 0; i < n; i++) c->rank_begin[c->active[from[i]].rank[by_lower ? 0 : 1] + 1]++;
  for (int r = 0; r < c->n_shapes; r++) c->rank_begin[r + 1] += c->rank_begin[r];
  for (int i = 0; i < n; i++) to[c->rank_begin[c->active[from[i]].rank[by_lower ? 0 : 1]]++] = from[i];
}

static void join_trees(struct srs_constraints *c, int n_contacts)
{
  int *parent = c->tree_island;
  for (int i = 0; i < n_contacts; i++)
    for (int side = 0; side < 2; side++)
      if (c->active[i].tree[side] >= 0) parent[c->active[i].tree[side]] = c->active[i].tree[side];
  for (int i = 0; i < c->n_scalars; i++)
    for (int side = 0; side < c->scalars[i].row.n_sides; side++) {
      const int tree = tree_of_side(c, &c->scalars[i], side);
      parent[tree] = tree;
    }
  for (int i = 0; i < n_contacts; i++)
    if (c->active[i].tree[0] >= 0 && c->active[i].tree[1] >= 0)
      join(parent, c->active[i].tree[0], c->active[i].tree[1]);
  for (int i = 0; i < c->n_scalars; i++)
    for (int side = 1; side < c->scalars[i].row.n_sides; side++)
      join(parent, tree_of_side(c, &c->scalars[i], 0), tree_of_side(c, &c->scalars[i], side));
}

// The number of a tree's island, a new one where it has none yet. tree_mark holds it plus one meanwhile.
static int number_of(struct srs_constraints *c, int tree, int *n_islands)
{
  int *number = &c->tree_mark[find_tree(c->tree_island, tree)];
  if (*number == 0) {
    *number = ++*n_islands;
    c->island_begin[*n_islands] = 0;
  }
  return *number - 1;
}

static void clear_marks(struct srs_constraints *c, int n_contacts)
{
  for (int i = 0; i < n_contacts; i++)
    for (int side = 0; side < 2; side++)
      if (c->active[i].tree[side] >= 0) c->tree_mark[c->active[i].tree[side]] = 0;
  for (int i = 0; i < c->n_scalars; i++)
    for (int side = 0; side < c->scalars[i].row.n_sides; side++)
      c->tree_mark[tree_of_side(c, &c->scalars[i], side)] = 0;
}

// Orders the contacts by island; island_begin holds their counts on entry.
static void order_contacts(struct srs_constraints *c, int n_contacts, int n_islands)
{
  for (int k = 0; k < n_islands; k++) c->island_begin[k + 1] += c->island_begin[k];
  for (int i = n_contacts - 1; i >= 0; i--)
    c->order[--c->island_begin[c->active[c->by_name[i]].island + 1]] = c->by_name[i];
  // Each entry has become the begin of the next island.
  memmove(c->island_begin, c->island_begin + 1, (size_t)n_islands * sizeof *c->island_begin);
  c->island_begin[n_islands] = n_contacts;
}

// Orders the scalar rows by island, then by kind.
static void order_scalars(struct srs_constraints *c, int n_islands)
{
  const int n_keys = SCALAR_KINDS * n_islands;
  int *begin = c->scalar_begin;
  memset(begin, 0, ((size_t)n_keys + 1) * sizeof *begin);
  for (int i = 0; i < c->n_scalars; i++)
    if (c->scalars[i].island >= 0) begin[SCALAR_KINDS * c->scalars[i].island + (int)c->scalars[i].kind]++;
  for (int k = 0; k < n_keys; k++) begin[k + 1] += begin[k];
  for (int i = c->n_scalars - 1; i >= 0; i--)
    if (c->scalars[i].island >= 0)
      c->scalar_order[--begin[SCALAR_KINDS * c->scalars[i].island + (int)c->scalars[i].kind]] = i;
}

int srs_find_islands(struct srs_constraints *c, int n_contacts)
{
  for (int i = 0; i < n_contacts; i++) c->by_name[i] = i;
  if (n_contacts > 0) {
    sort_by_rank(c, c->by_name, c->order, n_contacts, false);
    sort_by_rank(c, c->order, c->by_name, n_contacts, true);
  }
  join_trees(c, n_contacts);
  int n_islands = 0;
  c->island_begin[0] = 0;
  for (int i = 0; i < n_contacts; i++) {
    active_contact *a = &c->active[c->by_name[i]];
    a->island = number_of(c, a->tree[0] >= 0 ? a->tree[0] : a->tree[1], &n_islands);
    c->island_begin[a->island + 1]++;
  }
  for (int i = 0; i < c->n_scalars; i++) {
    scalar_row *row = &c->scalars[i];
    row->island = row->row.n_sides > 0 ? number_of(c, tree_of_side(c, row, 0), &n_islands) : -1;
  }
  clear_marks(c, n_contacts);
  order_contacts(c, n_contacts, n_islands);
  order_scalars(c, n_islands);
  return n_islands;
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

// Makes room for a problem by blocks; where that has to grow, for half more.
static srs_status make_room_for_blocks(struct srs_constraints *c, island *out)
{
  const srs_contact_blocks *W = &out->blocks;
  const size_t n = (size_t)out->n, scalars = (size_t)(W->n_block_rows - out->n_contacts),
               blocks = (size_t)W->start[W->n_block_rows];
  const size_t doubles = W->begin[W->n_block_rows] + 6 * n + 6 * (size_t)out->n_contacts + 4 * scalars +
                         out->most_sides * out->most_sides + out->most_numbers +
                         srs_blow_doubles(n, (size_t)out->n_contacts);
  const srs_contact_sizes sizes = {.n_rows = out->n,
                                   .n_block_rows = W->n_block_rows,
                                   .n_blocks = blocks,
                                   .n_values = W->begin[W->n_block_rows],
                                   .n_directions = c->n_directions,
                                   .n_groups = out->n_trees,
                                   .n_columns = out->most_columns,
                                   .n_links = out->n_links,
                                   .n_numbers = out->most_numbers};
  if (doubles <= c->problem_room && srs_contact_solver_has_room(c->solver, &sizes)) return SRS_OK;
  if (c->is_fixed) return SRS_ERROR_CAPACITY;
  const srs_contact_sizes more = {.n_rows = sizes.n_rows + sizes.n_rows / 2,
                                  .n_block_rows = sizes.n_block_rows + sizes.n_block_rows / 2,
                                  .n_blocks = blocks + blocks / 2,
                                  .n_values = sizes.n_values + sizes.n_values / 2,
                                  .n_directions = c->n_directions,
                                  .n_groups = sizes.n_groups + sizes.n_groups / 2,
                                  .n_columns = sizes.n_columns + sizes.n_columns / 2,
                                  .n_links = sizes.n_links + sizes.n_links / 2,
                                  .n_numbers = sizes.n_numbers + sizes.n_numbers / 2};
  c->next.growths = ++c->statistics.growths;
  return srs_blocks_reserve(c, &more, doubles + doubles / 2);
}

static srs_status make_room(struct srs_constraints *c, island *out)
{
  const int n_scalars = out->n_bilateral + out->n_unilateral + out->n_box;
  if (srs_island_doubles(c, out->n_contacts, n_scalars) > c->problem_room ||
      srs_island_rows(c, out->n_contacts, n_scalars) > c->solver_rows) {
    if (!c->takes_blocks && (c->is_fixed || out->n_contacts > srs_island_most_contacts(c, n_scalars)))
      return srs_fail(&c->error, SRS_ERROR_CAPACITY, NULL, 0, 0, NULL,
                      "a problem of %d contacts and %d other rows: with impact: poisson, and corners other than "
                      "convex, there is room for %d contacts that share bodies",
                      out->n_contacts, n_scalars, srs_island_most_contacts(c, n_scalars));
    const srs_status status = srs_problem_reserve(c, out->n_contacts + out->n_contacts / 2, n_scalars + n_scalars / 2);
    if (status != SRS_OK)
      return srs_fail(&c->error, status, NULL, 0, 0, NULL, "no memory for a problem of %d contacts and %d other rows",
                      out->n_contacts, n_scalars);
    c->next.growths = ++c->statistics.growths;
  }
  return SRS_OK;
}

// Whether the contacts are of few bodies and nearly all coupled: then a whole matrix takes no more memory and less
// time. Where memory is fixed there is no room for it.
static bool is_coupled(const struct srs_constraints *c, const island *is)
{
  const double nodes = is->blocks.n_block_rows;
  return !c->counts_loops && !c->is_fixed && 4.0 * is->blocks.start[is->blocks.n_block_rows] > nodes * nodes;
}

double *srs_lay_out_contacts(const struct srs_constraints *c, island *out, double *at)
{
  const size_t contacts = (size_t)out->n_contacts;
  out->friction = at, at += contacts;
  out->restitution = at, at += contacts;
  out->anisotropy = c->is_round ? NULL : at, at += 3 * contacts;
  out->rolling = c->has_rolling ? at : NULL, at += contacts;
  out->tangents = out->has_two_tangents ? NULL : (unsigned char *)at, at += contacts;
  return at;
}

static srs_status lay_out(struct srs_constraints *c, island *out)
{
  out->has_blocks = c->takes_blocks && out->n - (c->counts_loops ? 0 : out->n_bilateral) >= SRS_BLOCKS_FROM;
  srs_status status = out->has_blocks ? srs_find_blocks(c, out) : SRS_OK;
  if (status == SRS_OK && out->has_blocks && is_coupled(c, out)) out->has_blocks = false;
  if (!out->has_blocks) {
    status = make_room(c, out);
    if (status != SRS_OK) return status;
  } else if (status != SRS_OK || (status = make_room_for_blocks(c, out)) != SRS_OK) {
    return srs_fail(&c->error, status, NULL, 0, 0, NULL,
                    status == SRS_ERROR_CAPACITY
                        ? "%d contacts and %d other rows share bodies with more of each other than there is room for: "
                          "raise the contact capacity"
                        : "no memory for a problem of %d contacts and %d other rows",
                    out->n_contacts, out->n_bilateral + out->n_unilateral + out->n_box);
  }
  const size_t n = (size_t)out->n, n_box = (size_t)out->n_box;
  double *at = c->problem;
  out->matrix = at;
  out->W = out->has_blocks ? NULL : at;
  at += out->has_blocks ? out->blocks.begin[out->blocks.n_block_rows] : n * n;
  out->b = at, at += n;
  out->b2 = at, at += n;
  out->impulse = at, at += n;
  out->phase = at, at += n;
  out->velocity = at, at += n;
  at = srs_lay_out_contacts(c, out, at);
  out->lower = at, at += n_box;
  out->upper = at, at += n_box;
  out->lower2 = at, at += n_box;
  out->upper2 = at, at += n_box;
  if (out->has_blocks) {
    out->own_part = at, at += n;
    out->numbers = at, at += out->most_numbers;
    memset(out->own_part, 0, sizeof *at * n);
  }
  out->rest = at;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Matrix
// ---------------------------------------------------------------------------------------------------------------------

// Gathers the sides of scalar rows [from, to) of the island on one tree.
static int gather_scalars(struct srs_constraints *c, const island *is, int from, int to, int tree, int n)
{
  for (int i = from; i < to; i++) {
    const scalar_row *scalar = &c->scalars[is->scalars[i]];
    for (int side = 0; side < scalar->row.n_sides; side++) {
      if (tree_of_side(c, scalar, side) != tree) continue;
      c->row_of[n] = srs_row_of_scalar(is, i);
      c->rows[n++] = srs_row_side(&scalar->row, side);
    }
  }
  return n;
}

// Gathers the island's rows on one tree, in the problem's order; row_of has their indices. Returns how many.
static int gather_rows(struct srs_constraints *c, const island *is, int tree)
{
  int n = gather_scalars(c, is, 0, is->n_bilateral, tree, 0);
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &c->active[is->contacts[i]];
    for (int side = 0; side < 2; side++) {
      if (a->tree[side] != tree) continue;
      for (int row = 0; row < a->n_rows; row++) {
        c->row_of[n] = srs_row_of_contact(is, i) + row;
        c->rows[n++] = (srs_row){a->link[side], -1, 0, a->wrench[side][row]};
      }
    }
  }
  return gather_scalars(c, is, is->n_bilateral, is->n_bilateral + is->n_unilateral + is->n_box, tree, n);
}

// Adds one tree's part to W.
static void add_tree(struct srs_constraints *c, const island *is, int tree)
{
  if (c->tree_mark[tree] != 0) return;
  c->tree_mark[tree] = 1; // done
  const int n_rows = gather_rows(c, is, tree);
  const int *row_of = c->row_of;
  srs_delassus_of_tree(c->workspace, tree, c->rows, n_rows, is->rest);
  for (int i = 0; i < n_rows; i++) {
    const double *restrict from = is->rest + (size_t)i * (size_t)n_rows;
    double *restrict to = is->W + (size_t)row_of[i] * (size_t)is->n;
    for (int j = 0; j < n_rows; j++) to[row_of[j]] += from[j];
  }
  for (int i = 0; i < n_rows; i++) // the sides of one row are consecutive
    for (int j = i; j >= 0 && row_of[j] == row_of[i] && row_of[i] < is->n_bilateral; j--)
      is->phase[row_of[i]] += (j < i ? 2 : 1) * fabs(is->rest[(size_t)i * (size_t)n_rows + (size_t)j]);
}

// Loops are closed to 1e-12, so levers below that share of the others are no levers: such a row would hold a torque by
// its size over the rounding of an angle.
static const double least_lever = 1e-12;

static bool is_linear(const struct srs_constraints *c, const island *is, size_t i)
{
  const scalar_row *s = &c->scalars[is->scalars[i]];
  return s->subject == SRS_ROW_OF_LOOP && !s->row.is_coordinate[0] &&
         dot(s->row.wrench[0].lin, s->row.wrench[0].lin) > 0;
}

// Loops on a floating base constrain it too, to rounding: along such a row, out of the loop's plane, nothing moves.
// Likewise at a change point, along the line of its links.
static void clear_idle_rows(const struct srs_constraints *c, const island *is)
{
  const size_t n = (size_t)is->n;
  double most = 0;
  for (size_t i = 0; i < (size_t)is->n_bilateral; i++)
    if (is_linear(c, is, i)) most = fmax(most, is->W[i * (n + 1)]);
  for (size_t i = 0; i < (size_t)is->n_bilateral; i++) {
    const double own = is->W[i * (n + 1)];
    const bool has_no_lever = is_linear(c, is, i) && own < least_lever * least_lever * most;
    if (!srs_row_is_idle(own, is->phase[i]) && !has_no_lever) continue;
    for (size_t j = 0; j < n; j++) is->W[i * n + j] = is->W[j * n + i] = 0;
  }
}

// The one tree on which every row of the island has exactly one side, -1: there is none. Then W is that tree's Lambda.
static int only_tree(const struct srs_constraints *c, const island *is)
{
  int tree = -1;
  for (int i = 0; i < is->n_contacts; i++) {
    const int *t = c->active[is->contacts[i]].tree, on = t[0] < 0 ? t[1] : t[0];
    if ((t[0] >= 0 && t[1] >= 0) || (tree >= 0 && on != tree)) return -1;
    tree = on;
  }
  for (int i = 0; i < is->n_bilateral + is->n_unilateral + is->n_box; i++) {
    const scalar_row *scalar = &c->scalars[is->scalars[i]];
    const int on = tree_of_side(c, scalar, 0);
    if (scalar->row.n_sides != 1 || (tree >= 0 && on != tree)) return -1;
    tree = on;
  }
  return tree;
}

static void fill_matrix(struct srs_constraints *c, const island *is)
{
  const int tree = only_tree(c, is), n_scalars = is->n_bilateral + is->n_unilateral + is->n_box;
  if (tree >= 0) {
    srs_delassus_of_tree(c->workspace, tree, c->rows, gather_rows(c, is, tree), is->W);
    return;
  }
  memset(is->W, 0, (size_t)is->n * (size_t)is->n * sizeof *is->W);
  memset(is->phase, 0, (size_t)is->n_bilateral * sizeof *is->phase); // until solving: the sum of the diagonal's terms
  for (int i = 0; i < is->n_contacts; i++)
    for (int side = 0; side < 2; side++)
      if (c->active[is->contacts[i]].tree[side] >= 0) add_tree(c, is, c->active[is->contacts[i]].tree[side]);
  for (int i = 0; i < n_scalars; i++) {
    const scalar_row *scalar = &c->scalars[is->scalars[i]];
    for (int side = 0; side < scalar->row.n_sides; side++) add_tree(c, is, tree_of_side(c, scalar, side));
  }
  for (int i = 0; i < is->n_contacts; i++)
    for (int side = 0; side < 2; side++)
      if (c->active[is->contacts[i]].tree[side] >= 0) c->tree_mark[c->active[is->contacts[i]].tree[side]] = 0;
  for (int i = 0; i < n_scalars; i++) {
    const scalar_row *scalar = &c->scalars[is->scalars[i]];
    for (int side = 0; side < scalar->row.n_sides; side++) c->tree_mark[tree_of_side(c, scalar, side)] = 0;
  }
  clear_idle_rows(c, is);
}

// A relative velocity that is a rounding of the two whose difference it is counts as none: bodies that fall together
// do not touch harder or softer by it, and a problem of such rows alone would have impulses of rounding for an answer.
static double beyond_rounding(const active_contact *a, int row, const v6 *velocity, double difference)
{
  const double share = 1e-14;
  double size = 0;
  for (int side = 0; side < 2; side++) {
    if (a->link[side] < 0) continue;
    const v6 f = a->wrench[side][row], v = velocity[a->link[side]];
    size += sqrt(dot(f.ang, f.ang) * dot(v.ang, v.ang)) + sqrt(dot(f.lin, f.lin) * dot(v.lin, v.lin));
  }
  return fabs(difference) <= share * size ? 0 : difference;
}

void srs_fill_contacts(const struct srs_constraints *c, const island *is)
{
  for (int i = 0; i < is->n_contacts; i++) {
    const active_contact *a = &c->active[is->contacts[i]];
    const size_t at = (size_t)srs_row_of_contact(is, i);
    double *b = is->b + at;
    for (int row = 0; row < a->n_rows; row++) b[row] = srs_contact_velocity(a, row, c->workspace->velocity);
    for (int row = 0; row < a->n_rows && c->is_projected && a->link[0] >= 0 && a->link[1] >= 0; row++)
      b[row] = beyond_rounding(a, row, c->workspace->velocity, b[row]);
    b[0] += a->shift;
    for (int row = 0; row < a->n_forces; row++) b[row] += a->turn[row];
    is->friction[i] = a->friction;
    is->restitution[i] = a->bounces ? a->restitution : 0;
    if (is->anisotropy != NULL) memcpy(is->anisotropy + 3 * (size_t)i, a->anisotropy, sizeof a->anisotropy);
    if (is->rolling != NULL) is->rolling[i] = a->rolling > 0 ? a->rolling : 1;
    if (is->tangents != NULL) is->tangents[i] = (unsigned char)(a->n_rows - 1);
  }
}

// Where neither side can move rows have no effect.
static void clear_immobile(const struct srs_constraints *c, const island *is)
{
  for (int i = 0; i < is->n_contacts; i++) {
    const size_t at = (size_t)srs_row_of_contact(is, i);
    const int n = c->active[is->contacts[i]].n_rows;
    if (!(*srs_island_diagonal(is, at) > 0)) memset(is->b + at, 0, (size_t)n * sizeof *is->b);
  }
}

static void fill_scalars(const struct srs_constraints *c, island *is, const double *v)
{
  const int boxes = is->n_bilateral + is->n_unilateral;
  for (int i = 0; i < boxes + is->n_box; i++) {
    const scalar_row *scalar = &c->scalars[is->scalars[i]];
    const size_t at = (size_t)srs_row_of_scalar(is, i);
    *srs_island_diagonal(is, at) += scalar->softness;
    if (is->has_blocks && scalar->softness > 0) {
      is->own_part[at] = scalar->softness;
      is->factor.own = is->own_part;
    }
    is->b[at] = srs_row_velocity(&scalar->row, c->workspace->velocity, v) + scalar->shift;
    if (i >= boxes) is->lower[i - boxes] = scalar->lower, is->upper[i - boxes] = scalar->upper;
    if (!(*srs_island_diagonal(is, at) > 0) && (i >= is->n_bilateral || fabs(is->b[at]) < 1e-9)) is->b[at] = 0;
  }
}

void srs_begin_island(struct srs_constraints *c, int number, island *out)
{
  const int *begin = c->scalar_begin + (size_t)SCALAR_KINDS * (size_t)number;
  *out = (island){.contacts = c->order + c->island_begin[number],
                  .n_contacts = c->island_begin[number + 1] - c->island_begin[number],
                  .scalars = c->scalar_order + begin[0],
                  .n_bilateral = begin[1] - begin[0],
                  .n_unilateral = begin[2] - begin[1],
                  .n_box = begin[3] - begin[2]};
  out->active = c->active;
  out->has_two_tangents = true;
  for (int i = 0; i < out->n_contacts; i++) {
    active_contact *a = &c->active[out->contacts[i]];
    a->row = out->n_bilateral + out->n_contact_rows;
    out->n_contact_rows += a->n_rows;
    out->has_two_tangents = out->has_two_tangents && a->n_rows == 3;
  }
  out->n = out->n_contact_rows + out->n_bilateral + out->n_unilateral + out->n_box;
}

srs_status srs_open_island(struct srs_constraints *c, int number, const double *v, island *out)
{
  srs_begin_island(c, number, out);
  const srs_status status = lay_out(c, out);
  if (status != SRS_OK) return status;
  if (out->has_blocks)
    srs_fill_blocks(c, out, out->matrix);
  else
    fill_matrix(c, out);
  srs_fill_contacts(c, out);
  clear_immobile(c, out);
  fill_scalars(c, out, v);
  return SRS_OK;
}
