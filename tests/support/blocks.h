// A matrix as blocks, whatever it is: nodes that are not coupled share no block.
#pragma once
#include "support/testing.h"
#include <sarrus/contact.h>

#include <stdlib.h>

typedef struct testing_blocks {
  srs_contact_problem problem; // of the same question, without W
  srs_contact_blocks blocks;
  int *integers;
  size_t *begin;
  double *value;
} testing_blocks;

static inline int testing_node_rows(const srs_contact_problem *p, int node)
{
  const int contact = node - p->n_bilateral;
  if (contact < 0 || contact >= p->n_contacts) return 1;
  return p->tangents == NULL ? 3 : 1 + p->tangents[contact];
}

static inline bool testing_are_coupled(const srs_contact_problem *p, const int *first, int a, int b)
{
  const size_t n = (size_t)srs_contact_problem_rows(p);
  bool any = a == b;
  for (int i = first[a]; i < first[a + 1]; i++)
    for (int j = first[b]; j < first[b + 1]; j++)
      any = any || p->W[(size_t)i * n + (size_t)j] != 0 || p->W[(size_t)j * n + (size_t)i] != 0;
  return any;
}

/// Fills `out`, which must stay where it is; freed by testing_blocks_free.
static inline void testing_blocks_make(const srs_contact_problem *p, testing_blocks *out)
{
  const int nodes = p->n_bilateral + p->n_contacts + p->n_unilateral + p->n_box, n = srs_contact_problem_rows(p);
  out->integers = calloc((size_t)(2 * nodes + 2) + (size_t)nodes * (size_t)nodes, sizeof *out->integers);
  out->begin = calloc((size_t)nodes + 1, sizeof *out->begin);
  out->value = calloc((size_t)n * (size_t)n + 1, sizeof *out->value);
  assert_true(out->integers != NULL && out->begin != NULL && out->value != NULL);
  int *first = out->integers, *start = first + nodes + 1, *column = start + nodes + 1, count = 0;
  for (int i = 0; i < nodes; i++) first[i + 1] = first[i] + testing_node_rows(p, i);
  size_t at = 0;
  for (int i = 0; i < nodes; i++) {
    start[i] = count, out->begin[i] = at;
    for (int j = 0; j < nodes; j++)
      if (testing_are_coupled(p, first, i, j)) column[count++] = j;
    for (int row = first[i]; row < first[i + 1]; row++)
      for (int k = start[i]; k < count; k++)
        for (int j = first[column[k]]; j < first[column[k] + 1]; j++)
          out->value[at++] = p->W[(size_t)row * (size_t)n + (size_t)j];
  }
  start[nodes] = count, out->begin[nodes] = at;
  out->blocks = (srs_contact_blocks){.n_block_rows = nodes,
                                     .first = first,
                                     .start = start,
                                     .column = column,
                                     .begin = out->begin,
                                     .value = out->value};
  out->problem = *p;
  out->problem.W = NULL;
  out->problem.blocks = &out->blocks;
}

static inline srs_contact_sizes testing_sizes(const srs_contact_blocks *b, int n_directions)
{
  return (srs_contact_sizes){.n_rows = b->first[b->n_block_rows],
                             .n_block_rows = b->n_block_rows,
                             .n_blocks = (size_t)b->start[b->n_block_rows],
                             .n_values = b->begin[b->n_block_rows],
                             .n_directions = n_directions};
}

static inline void testing_blocks_free(testing_blocks *blocks)
{
  free(blocks->integers);
  free(blocks->begin);
  free(blocks->value);
}
