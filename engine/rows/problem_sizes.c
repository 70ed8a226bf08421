// Sizes of a step's problem from its numbers of contacts and scalar rows, whole or by blocks.

#include "engine/rows/problem_sizes.h"

// The second phase has each row twice at most.
size_t srs_poisson_doubles(int n_rows, int n_contacts)
{
  const size_t n = (size_t)n_rows, most = 2 * n;
  return most * most + 3 * most + 10 * (size_t)n_contacts + 3 * n;
}

// The bytes of `tangents` are last.
size_t srs_poisson_ints(int n_rows, int n_contacts) { return 2 * (size_t)n_rows + (size_t)n_contacts; }

size_t srs_blow_doubles(size_t n_rows, size_t n_contacts)
{
  return (size_t)SRS_BLOCKS_FROM * (size_t)SRS_BLOCKS_FROM + 5 * n_rows + 7 * n_contacts;
}

size_t srs_island_doubles(const struct srs_constraints *c, int n_contacts, int n_scalars)
{
  const size_t contacts = (size_t)n_contacts, scalars = (size_t)n_scalars, rows = (size_t)c->contact_rows * contacts;
  const size_t most_beyond = (SRS_ROW_SIDES - SRS_ROW_WRENCHES) * scalars, beyond = (size_t)c->sides_beyond;
  const size_t n = rows + scalars, usual = 2 * rows + SRS_ROW_WRENCHES * scalars;
  const size_t sides = usual + (beyond < most_beyond ? beyond : most_beyond);
  const size_t lambda = sides * sides, second = srs_poisson_doubles((int)n, n_contacts);
  const size_t blow = n * n + 5 * n + 7 * contacts; // a round of impacts, beside its second phase
  return n * n + 5 * n + 7 * contacts + 4 * scalars + (lambda > second + blow ? lambda : second + blow);
}

int srs_island_rows(const struct srs_constraints *c, int n_contacts, int n_scalars)
{
  return (c->has_second_phase ? 2 : 1) * c->contact_rows * n_contacts + n_scalars;
}

int srs_island_most_contacts(const struct srs_constraints *c, int n_scalars)
{
  const int most = (SRS_CONTACT_MOST_ROWS - n_scalars) / srs_island_rows(c, 1, 0);
  return most > 0 ? most : 0;
}

srs_node_rooms srs_node_rooms_of(const struct srs_constraints *c, int capacity)
{
  const size_t n = (size_t)capacity, scalars = (size_t)c->scalar_capacity;
  return (srs_node_rooms){(size_t)c->contact_rows * n + scalars, n + scalars + 1, 2 * n + srs_scalar_sides(c)};
}

size_t srs_node_integers(const struct srs_constraints *c, int capacity)
{
  const srs_node_rooms room = srs_node_rooms_of(c, capacity);
  return c->takes_blocks ? room.rows + 5 * room.nodes + 5 * room.sides + 2 : 0;
}

size_t srs_node_sizes(const struct srs_constraints *c, int capacity)
{
  const srs_node_rooms room = srs_node_rooms_of(c, capacity);
  return c->takes_blocks ? room.rows + room.nodes + room.sides : 0;
}
