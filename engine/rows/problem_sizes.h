// How much memory a step's problem takes, by its contacts and scalar rows. Internal.
#pragma once
#include "engine/rows/constraints.h"

/// From so many rows on problems are given by blocks; bilateral ones count for relaxed solvers only: the others solve
/// mechanisms of many loops whole, and say which rows depend on each other.
enum { SRS_BLOCKS_FROM = 300 };

/// Doubles that a problem takes.
size_t srs_island_doubles(const struct srs_constraints *constraints, int n_contacts, int n_scalars);

/// Rows that the contact solver must have room for.
int srs_island_rows(const struct srs_constraints *constraints, int n_contacts, int n_scalars);

/// Integers and sizes that nodes and their trees take, for so many contacts; none where no solver takes blocks.
size_t srs_node_integers(const struct srs_constraints *constraints, int capacity);
size_t srs_node_sizes(const struct srs_constraints *constraints, int capacity);

/// Rows, nodes and sides on trees that so many contacts and all scalar rows have at most.
typedef struct srs_node_rooms {
  size_t rows, nodes, sides;
} srs_node_rooms;

srs_node_rooms srs_node_rooms_of(const struct srs_constraints *constraints, int capacity);

/// Doubles and ints that the second phase of a Poisson impact takes, of so many rows.
size_t srs_poisson_doubles(int n_rows, int n_contacts);
size_t srs_poisson_ints(int n_rows, int n_contacts);
