// How does arithmetic become a graph without a term twice? See graph.h.
#include "engine/generate/graph.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void srs_graph_destroy(srs_graph *graph)
{
  free(graph->nodes);
  free(graph->buckets);
  *graph = (srs_graph){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// The table of nodes
// ---------------------------------------------------------------------------------------------------------------------

static uint64_t hash_node(const srs_term_node *node)
{
  uint64_t bits = 0;
  memcpy(&bits, &node->value, sizeof bits);
  uint64_t hash = bits ^ (uint64_t)node->operation * 0x9e3779b97f4a7c15ULL;
  hash = (hash ^ (uint64_t)(unsigned)node->a) * 0xff51afd7ed558ccdULL;
  hash = (hash ^ hash >> 33 ^ (uint64_t)(unsigned)node->b) * 0xc4ceb9fe1a85ec53ULL;
  return hash ^ hash >> 29;
}

static bool is_same(const srs_term_node *a, const srs_term_node *b)
{
  return a->operation == b->operation && a->a == b->a && a->b == b->b && a->value == b->value;
}

// Where the node is, or the empty place for it.
static int find_place(const srs_graph *graph, const srs_term_node *node)
{
  const uint64_t mask = (uint64_t)graph->n_buckets - 1;
  uint64_t at = hash_node(node) & mask;
  while (graph->buckets[at] >= 0 && !is_same(&graph->nodes[graph->buckets[at]], node)) at = (at + 1) & mask;
  return (int)at;
}

static bool grow(srs_graph *graph)
{
  const int capacity = graph->capacity == 0 ? 1024 : 2 * graph->capacity;
  srs_term_node *nodes = realloc(graph->nodes, (size_t)capacity * sizeof *nodes);
  if (nodes == NULL) return false;
  graph->nodes = nodes;
  graph->capacity = capacity;
  int *buckets = malloc(2 * (size_t)capacity * sizeof *buckets);
  if (buckets == NULL) return false;
  free(graph->buckets);
  graph->buckets = buckets;
  graph->n_buckets = 2 * capacity;
  for (int i = 0; i < graph->n_buckets; i++) buckets[i] = -1;
  for (int i = 0; i < graph->n; i++) buckets[find_place(graph, &graph->nodes[i])] = i;
  return true;
}

static srs_term intern(srs_graph *graph, srs_operation operation, srs_term a, srs_term b, double value)
{
  const srs_term_node node = {operation, a, b, value};
  if (graph->failed) return 0;
  if (graph->n == graph->capacity && (graph->n > 1 << 28 || !grow(graph))) {
    graph->failed = true;
    if (graph->n == 0) return 0;
    graph->n--; // the last place serves for what is worthless now
  }
  const int place = find_place(graph, &node);
  if (graph->buckets[place] < 0) {
    graph->nodes[graph->n] = node;
    graph->buckets[place] = graph->n++;
  }
  return graph->buckets[place];
}

// ---------------------------------------------------------------------------------------------------------------------
// Operations
// ---------------------------------------------------------------------------------------------------------------------

// A node, also where there is none.
static srs_term_node look(const srs_graph *graph, srs_term a)
{
  return graph->failed || a >= graph->n ? (srs_term_node){0} : graph->nodes[a];
}

static bool is_constant(const srs_graph *graph, srs_term a) { return look(graph, a).operation == SRS_TERM_CONSTANT; }
static bool is_negated(const srs_graph *graph, srs_term a) { return look(graph, a).operation == SRS_TERM_NEGATE; }

static bool is_value(const srs_graph *graph, srs_term a, double value)
{
  const srs_term_node node = look(graph, a);
  return node.operation == SRS_TERM_CONSTANT && node.value == value;
}

bool srs_is_zero(const srs_graph *graph, srs_term a) { return is_value(graph, a, 0); }

srs_term srs_constant(srs_graph *graph, double value)
{
  return intern(graph, SRS_TERM_CONSTANT, 0, 0, value == 0 ? 0.0 : value); // no -0
}

srs_term srs_input(srs_graph *graph, int index) { return intern(graph, SRS_TERM_INPUT, index, 0, 0); }

srs_term srs_negate(srs_graph *graph, srs_term a)
{
  const srs_term_node node = look(graph, a);
  if (node.operation == SRS_TERM_CONSTANT) return srs_constant(graph, -node.value);
  if (node.operation == SRS_TERM_NEGATE) return node.a;
  return intern(graph, SRS_TERM_NEGATE, a, 0, 0);
}

srs_term srs_subtract(srs_graph *graph, srs_term a, srs_term b)
{
  if (a == b) return srs_constant(graph, 0);
  if (is_constant(graph, a) && is_constant(graph, b))
    return srs_constant(graph, look(graph, a).value - look(graph, b).value);
  if (srs_is_zero(graph, b)) return a;
  if (srs_is_zero(graph, a)) return srs_negate(graph, b);
  if (is_negated(graph, b)) return srs_add(graph, a, look(graph, b).a);
  if (is_negated(graph, a)) return srs_negate(graph, srs_add(graph, look(graph, a).a, b));
  if (a > b) return srs_negate(graph, intern(graph, SRS_TERM_SUBTRACT, b, a, 0));
  return intern(graph, SRS_TERM_SUBTRACT, a, b, 0);
}

srs_term srs_add(srs_graph *graph, srs_term a, srs_term b)
{
  if (is_constant(graph, a) && is_constant(graph, b))
    return srs_constant(graph, look(graph, a).value + look(graph, b).value);
  if (srs_is_zero(graph, a)) return b;
  if (srs_is_zero(graph, b)) return a;
  if (is_negated(graph, a) && is_negated(graph, b))
    return srs_negate(graph, srs_add(graph, look(graph, a).a, look(graph, b).a));
  if (is_negated(graph, b)) return srs_subtract(graph, a, look(graph, b).a);
  if (is_negated(graph, a)) return srs_subtract(graph, b, look(graph, a).a);
  return intern(graph, SRS_TERM_ADD, a < b ? a : b, a < b ? b : a, 0);
}

// c b, c a constant.
static srs_term scale(srs_graph *graph, double c, srs_term b)
{
  const srs_term_node node = look(graph, b);
  if (node.operation == SRS_TERM_CONSTANT) return srs_constant(graph, c * node.value);
  if (c == 0) return srs_constant(graph, 0);
  if (c < 0) return srs_negate(graph, scale(graph, -c, b));
  if (c == 1) return b;
  if (node.operation == SRS_TERM_NEGATE) return srs_negate(graph, scale(graph, c, node.a));
  const srs_term factor = srs_constant(graph, c);
  return intern(graph, SRS_TERM_MULTIPLY, factor < b ? factor : b, factor < b ? b : factor, 0);
}

srs_term srs_multiply(srs_graph *graph, srs_term a, srs_term b)
{
  if (is_constant(graph, a)) return scale(graph, look(graph, a).value, b);
  if (is_constant(graph, b)) return scale(graph, look(graph, b).value, a);
  if (is_negated(graph, a)) return srs_negate(graph, srs_multiply(graph, look(graph, a).a, b));
  if (is_negated(graph, b)) return srs_negate(graph, srs_multiply(graph, a, look(graph, b).a));
  return intern(graph, SRS_TERM_MULTIPLY, a < b ? a : b, a < b ? b : a, 0);
}

srs_term srs_divide(srs_graph *graph, srs_term a, srs_term b)
{
  if (srs_is_zero(graph, a)) return a;
  if (is_value(graph, b, 1)) return a;
  if (is_constant(graph, a) && is_constant(graph, b) && !srs_is_zero(graph, b))
    return srs_constant(graph, look(graph, a).value / look(graph, b).value);
  if (is_negated(graph, a)) return srs_negate(graph, srs_divide(graph, look(graph, a).a, b));
  if (is_negated(graph, b)) return srs_negate(graph, srs_divide(graph, a, look(graph, b).a));
  return intern(graph, SRS_TERM_DIVIDE, a, b, 0);
}

srs_term srs_sine(srs_graph *graph, srs_term a)
{
  if (is_constant(graph, a)) return srs_constant(graph, sin(look(graph, a).value));
  return intern(graph, SRS_TERM_SINE, a, 0, 0);
}

srs_term srs_cosine(srs_graph *graph, srs_term a)
{
  if (is_constant(graph, a)) return srs_constant(graph, cos(look(graph, a).value));
  return intern(graph, SRS_TERM_COSINE, a, 0, 0);
}
