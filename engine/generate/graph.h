// Arithmetic that is recorded instead of carried out: a graph of sums, products, quotients, sines and cosines of the
// inputs of a function, from which its C text is written. Internal.
//
// A term is an index into the graph. Equal terms have the same index (hash consing), so common subexpressions are found
// as they are made; constants are folded, 0 x, 1 x and x + 0 vanish. Signs are drawn outwards, so that x - y and y - x,
// or (-x) y and x y, share their work: a NEGATE never is an operand of a sum or product. Memory that runs out is noted;
// terms are then worthless, but no operation fails.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef int srs_term;

typedef enum srs_operation {
  SRS_TERM_CONSTANT,
  SRS_TERM_INPUT, // a: which one
  SRS_TERM_ADD,
  SRS_TERM_SUBTRACT,
  SRS_TERM_MULTIPLY,
  SRS_TERM_DIVIDE,
  SRS_TERM_NEGATE,
  SRS_TERM_SINE,
  SRS_TERM_COSINE,
} srs_operation;

typedef struct srs_term_node {
  srs_operation operation;
  srs_term a, b;
  double value; // of a constant
} srs_term_node;

typedef struct srs_graph {
  srs_term_node *nodes;
  int n, capacity;
  int *buckets; // n_buckets: the node there, or -1
  int n_buckets;
  bool failed; // out of memory
} srs_graph;

void srs_graph_destroy(srs_graph *graph);

srs_term srs_constant(srs_graph *graph, double value);
srs_term srs_input(srs_graph *graph, int index);
srs_term srs_add(srs_graph *graph, srs_term a, srs_term b);
srs_term srs_subtract(srs_graph *graph, srs_term a, srs_term b);
srs_term srs_multiply(srs_graph *graph, srs_term a, srs_term b);
srs_term srs_divide(srs_graph *graph, srs_term a, srs_term b);
srs_term srs_negate(srs_graph *graph, srs_term a);
srs_term srs_sine(srs_graph *graph, srs_term a);
srs_term srs_cosine(srs_graph *graph, srs_term a);

/// Whether the term is the constant 0.
bool srs_is_zero(const srs_graph *graph, srs_term a);
