// The scaled problem that an interior point works on, and its memory.
//
// A node is a block row: its rows that are kept, and the directions whose combinations with weights z >= 0 are its
// impulses. For a contact these are (1, mu d_k), d_k those of the friction polyhedron; where only one tangent is kept
// the two extreme ones; without friction the normal alone. A planar mechanism has immobile tangents: they are left out.
#include "contact/large/interior_problem.h"
#include "contact/problem/problem.h"
#include "topology/base/reserve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST, FILL_A_NODE = 48 };

// ---- memory ----

static size_t at_least(size_t wanted, size_t had) { return wanted > had ? wanted : had; }

typedef struct rooms {
  int rows, nodes, directions, columns;
  size_t blocks, values, fill;
} rooms;

static void lay_out(srs_interior *s, const rooms *room)
{
  const size_t rows = (size_t)room->rows, nodes = (size_t)room->nodes, directions = (size_t)room->directions;
  double *m = s->doubles;
  double **const of_rows[] = {&s->x,     &s->w,        &s->b,       &s->best,  &s->u,        &s->dx,
                              &s->v,     &s->lower,    &s->upper,   &s->scale, &s->velocity, &s->answer,
                              &s->ahead, &s->response, &s->mistake, &s->old_x, &s->centre_x, &s->free_shift};
  double **const of_directions[] = {&s->z,     &s->y,      &s->dz,     &s->dy,    &s->g,    &s->shift,
                                    &s->slope, &s->weight, &s->centre, &s->old_z, &s->old_y};
  for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++, m += rows) *of_rows[i] = m;
  for (size_t i = 0; i < sizeof of_directions / sizeof *of_directions; i++, m += directions) *of_directions[i] = m;
  s->whole = m, m += MOST * directions;
  s->direction = m, m += MOST * directions;
  s->beyond = m, m += MOST * directions;
  s->B = m, m += SQUARE * nodes;
  s->Q = m, m += SQUARE * nodes;
  s->H = m, m += SQUARE * nodes;
  s->inverse = m, m += SQUARE * nodes;
  s->change = m, m += room->columns;
  s->W = m, m += room->values;
  const srs_sparse_room pattern = {room->nodes, room->blocks, room->fill};
  int *integers = s->integers;
  s->kept = integers, integers += rows + 1;
  s->at = integers, integers += room->blocks;
  s->first_direction = integers, integers += nodes + 1;
  s->basis = integers, integers += MOST * nodes;
  s->kind = (unsigned char *)integers, integers += nodes;
  s->pushes = (bool *)integers, integers += directions;
  srs_sparse_lay_out(&s->pattern, &pattern, integers, m);
  integers += srs_sparse_integers(&pattern), m += srs_sparse_doubles(&pattern);
  s->begin = s->sizes;
  srs_symmetric_lay_out(&s->factor, room->rows, room->nodes, SQUARE * room->fill, integers, s->sizes + nodes + 1, m);
  s->factor.pattern = &s->pattern;
}

bool srs_interior_has_room(const srs_interior *s, const srs_contact_sizes *sizes, int n_directions)
{
  return sizes->n_rows <= s->most_rows && sizes->n_block_rows <= s->most_nodes && sizes->n_blocks <= s->most_blocks &&
         sizes->n_values <= s->most_values && n_directions <= s->most_directions &&
         srs_groups_has_room(&s->groups, sizes);
}

bool srs_interior_reserve(srs_interior *s, const srs_contact_sizes *sizes, int n_directions)
{
  if (!srs_groups_reserve(&s->groups, sizes)) return false;
  rooms room = {.rows = (int)at_least((size_t)sizes->n_rows, (size_t)s->most_rows),
                .nodes = (int)at_least((size_t)sizes->n_block_rows, (size_t)s->most_nodes),
                .directions = (int)at_least((size_t)n_directions, (size_t)s->most_directions),
                .columns = s->groups.most_columns,
                .blocks = at_least(sizes->n_blocks, s->most_blocks),
                .values = at_least(sizes->n_values, s->most_values)};
  room.fill = at_least(FILL_A_NODE * (size_t)room.nodes, s->is_short ? 2 * s->most_fill : s->most_fill);
  const bool is_same = room.rows == s->most_rows && room.nodes == s->most_nodes &&
                       room.directions == s->most_directions && room.blocks == s->most_blocks &&
                       room.values == s->most_values && room.fill == s->most_fill && room.columns == s->most_columns;
  if (is_same) return true;
  const srs_sparse_room pattern = {room.nodes, room.blocks, room.fill};
  const size_t rows = (size_t)room.rows + 1, nodes = (size_t)room.nodes + 1, directions = (size_t)room.directions;
  const size_t n_doubles = 18 * rows + (size_t)(11 + 3 * MOST) * directions + (size_t)4 * SQUARE * nodes + room.values +
                           (size_t)room.columns + srs_sparse_doubles(&pattern) +
                           srs_symmetric_doubles(room.rows, room.nodes, SQUARE * room.fill);
  const size_t n_integers = rows + room.blocks + directions + (2 + MOST) * nodes + srs_sparse_integers(&pattern) +
                            srs_symmetric_integers(room.nodes, room.fill);
  double *fresh = srs_reserve(n_doubles, sizeof *fresh);
  int *integers = srs_reserve(n_integers, sizeof *integers);
  size_t *places = srs_reserve(2 * nodes + 1, sizeof *places);
  if (fresh == NULL || integers == NULL || places == NULL) {
    srs_release(fresh);
    srs_release(integers);
    srs_release(places);
    return false;
  }
  srs_release(s->doubles);
  srs_release(s->integers);
  srs_release(s->sizes);
  *s = (srs_interior){.groups = s->groups,
                      .most_columns = room.columns,
                      .most_rows = room.rows,
                      .most_nodes = room.nodes,
                      .most_directions = room.directions,
                      .most_blocks = room.blocks,
                      .most_values = room.values,
                      .most_fill = room.fill,
                      .doubles = fresh,
                      .integers = integers,
                      .sizes = places};
  lay_out(s, &room);
  return true;
}

void srs_interior_release(srs_interior *s)
{
  srs_release(s->doubles);
  srs_release(s->integers);
  srs_release(s->sizes);
  srs_groups_release(&s->groups);
}

// ---- rows and directions ----

// A row's entries in the node's diagonal block.
static const double *own_row(const srs_contact_blocks *W, int node, int row)
{
  size_t wide = 0, at = 0;
  for (int k = W->start[node]; k < W->start[node + 1]; k++) {
    if (W->column[k] == node) at = wide;
    wide += (size_t)(W->first[W->column[k] + 1] - W->first[W->column[k]]);
  }
  return W->value + W->begin[node] + (size_t)(row - W->first[node]) * wide + at;
}

static void add_direction(srs_interior *s, double c0, double c1, double c2, double c3)
{
  double *d = s->whole + MOST * (size_t)s->n_directions++;
  d[0] = c0, d[1] = c1, d[2] = c2, d[3] = c3;
}

// Directions on the rows that are kept; B where there is no basis to choose.
static void cut_directions(srs_interior *s, int node)
{
  const int first = s->pattern.first[node], n = s->pattern.first[node + 1] - first, from = s->first_direction[node];
  const int row = s->problem->blocks->first[node], count = s->first_direction[node + 1] - from;
  double *B = s->B + SQUARE * (size_t)node;
  memset(B, 0, sizeof *B * SQUARE);
  for (int k = from; k < from + count; k++)
    for (int i = 0; i < n; i++)
      s->direction[MOST * (size_t)k + (size_t)i] = s->whole[MOST * (size_t)k + (size_t)(s->kept[first + i] - row)];
  for (int i = 0; i < n; i++) {
    s->basis[MOST * (size_t)node + (size_t)i] = from + i;
    for (int j = 0; j < n && s->kind[node] == SRS_INTERIOR_CONE && count == n; j++)
      B[i * MOST + j] = s->direction[MOST * (size_t)(from + j) + (size_t)i];
    if (s->kind[node] != SRS_INTERIOR_CONE) B[i * MOST + i] = 1;
  }
}

// The polyhedron's k-th direction at a contact with d tangents.
static void tangents_of(const srs_polyhedron *p, int d, int k, double mu, double *t)
{
  t[0] = t[1] = t[2] = 0;
  if (d == 1)
    t[0] = k == 0 ? mu : -mu;
  else if (k < p->n)
    t[0] = mu * p->direction[k][0], t[1] = mu * p->direction[k][1];
  else
    t[2] = k == p->n ? mu : -mu;
}

// tangents: which of the d are kept, count how many.
static void add_contact(srs_interior *s, int d, double mu, const bool *is_kept, int count)
{
  const int n = srs_polyhedron_directions(&s->polyhedron, d);
  double t[3], most = 0;
  int extreme = 0, axis = 0;
  if (count == 0) {
    add_direction(s, 1, 0, 0, 0);
    return;
  }
  while (!is_kept[axis]) axis++;
  for (int k = 0; k < n; k++) {
    tangents_of(&s->polyhedron, d, k, mu, t);
    if (count == 1) {
      if (t[axis] > most) most = t[axis], extreme = k;
      continue;
    }
    bool any = false;
    for (int i = 0; i < d; i++) any = any || (is_kept[i] && t[i] != 0);
    if (any) add_direction(s, 1, t[0], t[1], t[2]);
  }
  if (count > 1) return;
  tangents_of(&s->polyhedron, d, extreme, mu, t);
  add_direction(s, 1, t[0], t[1], t[2]);
  add_direction(s, 1, -t[0], -t[1], -t[2]);
}

// Rows are immobile whose scaled diagonal and b are below these: rounding.
static const double idle_diagonal = 1e-20, idle_velocity = 1e-14;

static void take_contact(srs_interior *s, int node, int row, int d, double mu, const double *scale)
{
  const srs_contact_problem *p = s->problem;
  bool is_kept[4] = {false};
  int count = 0;
  for (int k = 0; k <= d; k++) {
    const double own = own_row(p->blocks, node, row + k)[k] * scale[row + k] * scale[row + k];
    is_kept[k] = own > idle_diagonal || (k > 0 && fabs(s->b[row + k]) > idle_velocity);
    if (k > 0 && mu == 0) is_kept[k] = false;
    if (k > 0 && is_kept[k]) count++;
  }
  s->kind[node] = SRS_INTERIOR_CONE;
  if (!is_kept[0]) return;
  for (int k = 0; k <= d; k++)
    if (is_kept[k]) s->kept[s->pattern.n++] = row + k;
  add_contact(s, d, mu, is_kept + 1, count);
}

static void take_nodes(srs_interior *s, const double *scale)
{
  const srs_contact_problem *p = s->problem;
  const int contacts = p->n_bilateral, scalars = contacts + p->n_contacts, boxes = scalars + p->n_unilateral;
  s->n_directions = 0;
  s->pattern.n = 0;
  for (int node = 0; node < s->n_nodes; node++) {
    const int row = p->blocks->first[node];
    s->pattern.first[node] = s->pattern.n;
    s->first_direction[node] = s->n_directions;
    if (node >= contacts && node < scalars) {
      const int c = node - contacts;
      take_contact(s, node, row, srs_contact_tangents(p, c), p->friction[c], scale);
      continue;
    }
    s->kind[node] = node < contacts ? SRS_INTERIOR_FREE : node < boxes ? SRS_INTERIOR_CONE : SRS_INTERIOR_BOX;
    if (!(own_row(p->blocks, node, row)[0] > 0)) continue;
    if (node >= boxes && !(p->box_lower[node - boxes] < p->box_upper[node - boxes])) continue; // both are zero
    s->kept[s->pattern.n++] = row;
    if (node >= scalars) add_direction(s, 1, 0, 0, 0);
    if (node >= boxes) add_direction(s, -1, 0, 0, 0);
  }
  s->pattern.first[s->n_nodes] = s->pattern.n;
  s->first_direction[s->n_nodes] = s->n_directions;
  for (int node = 0; node < s->n_nodes; node++) cut_directions(s, node);
}

// ---- the matrix ----

// A node's row `from` of the blocks, scaled, without the columns that are left out.
static double *copy_row(const srs_interior *s, int node, const double *from, double own_scale, const double *scale,
                        double *to)
{
  const srs_contact_blocks *W = s->problem->blocks;
  for (int k = W->start[node]; k < W->start[node + 1]; k++) {
    const int other = W->column[k], first = W->first[other];
    for (int j = s->pattern.first[other]; j < s->pattern.first[other + 1]; j++)
      *to++ = own_scale * from[s->kept[j] - first] * scale[s->kept[j]];
    from += W->first[other + 1] - first;
  }
  return to;
}

static void copy_matrix(srs_interior *s, const double *scale)
{
  const srs_contact_blocks *W = s->problem->blocks;
  double *to = s->W;
  for (int node = 0; node < s->n_nodes; node++) {
    size_t wide = 0;
    int at = 0;
    s->begin[node] = (size_t)(to - s->W);
    for (int k = W->start[node]; k < W->start[node + 1]; k++) {
      const int other = W->column[k];
      s->at[k] = at;
      at += s->pattern.first[other + 1] - s->pattern.first[other];
      wide += (size_t)(W->first[other + 1] - W->first[other]);
    }
    for (int i = s->pattern.first[node]; i < s->pattern.first[node + 1]; i++) {
      const int row = s->kept[i];
      to = copy_row(s, node, W->value + W->begin[node] + (size_t)(row - W->first[node]) * wide, scale[row], scale, to);
    }
  }
  s->begin[s->n_nodes] = (size_t)(to - s->W);
}

static bool has_room(const srs_interior *s, const srs_contact_problem *p)
{
  const srs_contact_blocks *W = p->blocks;
  int directions = p->n_unilateral + 2 * p->n_box;
  for (int c = 0; c < p->n_contacts; c++) {
    const int n = srs_polyhedron_directions(&s->polyhedron, srs_contact_tangents(p, c));
    directions += n > 0 ? n : 1;
  }
  return srs_contact_problem_rows(p) <= s->most_rows && W->n_block_rows <= s->most_nodes &&
         directions <= s->most_directions && (size_t)W->start[W->n_block_rows] <= s->most_blocks &&
         W->begin[W->n_block_rows] <= s->most_values;
}

// Steps by rows or by W's factor, whichever costs less; with fewer columns than rows that is the factor.
static bool choose_form(srs_interior *s, const double *scale)
{
  const srs_contact_blocks *W = s->problem->blocks;
  s->has_groups = W->factor != NULL;
  if (s->has_groups && !srs_groups_begin(&s->groups, W->factor, s->n_nodes, W->first, s->pattern.first, s->kept, scale))
    return false;
  if (s->has_groups && s->groups.pattern.n <= s->pattern.n) return true;
  s->is_short = !srs_sparse_order(&s->pattern) || srs_sparse_fill(&s->pattern) > (double)s->factor.room;
  s->has_groups = s->has_groups && (s->is_short || srs_groups_work(&s->groups) <= s->pattern.multiplications);
  if (s->has_groups) s->is_short = false;
  return !s->is_short;
}

// Numbers of W's factor.
static double factor_numbers(const srs_groups *g)
{
  double sum = 0;
  for (int node = 0; node < g->n_nodes; node++)
    for (int i = g->start[node]; i < g->start[node + 1]; i++)
      sum += (double)(g->row[node + 1] - g->row[node]) * (g->column[g->group[i] + 1] - g->column[g->group[i]]);
  return sum;
}

// Multiplications of an iteration: the factor, two steps with it (by columns refined up to five times each), products
// with W, and what is done for each direction.
static double work_of(const srs_interior *s)
{
  const double factor =
      s->has_groups ? srs_groups_work(&s->groups) + 20 * factor_numbers(&s->groups) : s->pattern.multiplications;
  return factor + 4 * (double)s->begin[s->n_nodes] + 60.0 * s->n_directions + 100.0 * s->pattern.n;
}

bool srs_interior_begin(srs_interior *s, const srs_contact_problem *p, const double *scale, double size,
                        const srs_polyhedron *polyhedron)
{
  const srs_contact_blocks *W = p->blocks;
  const double inverse = 1 / size;
  s->polyhedron = *polyhedron;
  s->is_short = false;
  if (!has_room(s, p)) return false;
  s->problem = p;
  s->n_rows = srs_contact_problem_rows(p);
  s->n_nodes = s->pattern.n_nodes = W->n_block_rows;
  for (int i = 0; i < s->n_rows; i++) s->b[i] = scale[i] * p->b[i] * inverse;
  for (int i = 0; i < p->n_box; i++) {
    const double pull = inverse / scale[s->n_rows - p->n_box + i];
    s->lower[i] = p->box_lower[i] * pull, s->upper[i] = p->box_upper[i] * pull;
  }
  take_nodes(s, scale);
  memcpy(s->pattern.start, W->start, sizeof *W->start * (size_t)(W->n_block_rows + 1));
  memcpy(s->pattern.column, W->column, sizeof *W->column * (size_t)W->start[W->n_block_rows]);
  copy_matrix(s, scale);
  if (!choose_form(s, scale)) return false;
  s->work = work_of(s);
  return true;
}
