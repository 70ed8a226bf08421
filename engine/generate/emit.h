// From a graph to C: one straight-line function. Internal.
#pragma once
#include "engine/generate/graph.h"
#include "topology/save/save_text.h"

/// An array of the function: parameter `name`, of `size` numbers, whose first is input or output number `first`.
typedef struct srs_emit_array {
  const char *name;
  int first, size;
} srs_emit_array;

typedef struct srs_emit_function {
  const char *name, *prefix;
  const srs_emit_array *inputs, *outputs;
  int n_inputs, n_outputs;
  const srs_term *terms; // of the outputs, as many as all their sizes
} srs_emit_function;

/// What one call costs.
typedef struct srs_emit_cost {
  int additions, multiplications, divisions, sines; // pairs of a sine and a cosine
} srs_emit_cost;

/// Counts what the function's body will do.  @return false when out of memory
bool srs_emit_count(const srs_graph *graph, const srs_term *terms, int n, srs_emit_cost *cost);

/// Writes the function's body.  @return false when out of memory
bool srs_emit_body(srs_save *text, const srs_graph *graph, const srs_emit_function *f);
