// Memory sizes of a step's problem, from its numbers of contacts and scalar rows. Internal.
#pragma once
#include "engine/rows/constraints.h"

/// From so many rows on problems are given by blocks. Bilateral rows count for relaxed solvers only: other solvers take
/// mechanisms of many loops as a whole matrix, and report which rows depend on each other.
enum { SRS_BLOCKS_FROM = 300 };

/// Sides that all scalar rows have together at most.
static inline size_t srs_scalar_sides(const struct srs_constraints *constraints)
{
  return (size_t)SRS_ROW_WRENCHES * (size_t)constraints->scalar_capacity + (size_t)constraints->sides_beyond;
}

/// Doubles that a problem needs.
size_t srs_island_doubles(const struct srs_constraints *constraints, int n_contacts, int n_scalars);

/// Doubles that a round of impacts needs in a problem by blocks.
size_t srs_blow_doubles(size_t n_rows, size_t n_contacts);

/// Rows that the contact solver needs room for.
int srs_island_rows(const struct srs_constraints *constraints, int n_contacts, int n_scalars);

/// Contacts of the largest problem that is not given by blocks.
int srs_island_most_contacts(const struct srs_constraints *constraints, int n_scalars);

/// Integers and sizes that nodes and their trees need, for so many contacts; none where no solver takes blocks.
size_t srs_node_integers(const struct srs_constraints *constraints, int capacity);
size_t srs_node_sizes(const struct srs_constraints *constraints, int capacity);

/// The largest numbers of rows, nodes and sides on trees, for so many contacts and all scalar rows.
typedef struct srs_node_rooms {
  size_t rows, nodes, sides;
} srs_node_rooms;

srs_node_rooms srs_node_rooms_of(const struct srs_constraints *constraints, int capacity);

/// Doubles and ints that the second phase of a Poisson impact needs, for so many rows.
size_t srs_poisson_doubles(int n_rows, int n_contacts);
size_t srs_poisson_ints(int n_rows, int n_contacts);
