// Which faces of a convex hull is a point least deep behind?
//
// A tree of boxes over the faces' normals n and offsets b, in which a range of faces is divided along the longest side
// of the box around their normals. Over a node's box B and its least offset b0
//
//   n . p - b <= max over B of n . p - b0,     n . way <= max over B of n . way,
//
// and the maxima are sums over x, y, z of the larger of low p and high p. Rounding keeps the order of products and of
// sums, so that a bound that is rounded holds for heights that are rounded likewise.
#include "collision/shapes/face_tree.h"

static const double ROUNDING = 1e-12; // of a way's length

// As fmax and fmin between numbers, and one instruction each.
SRS_INLINE double larger(double a, double b) { return a > b ? a : b; }
SRS_INLINE double smaller(double a, double b) { return a < b ? a : b; }

static int first_half(int n) { return (n / 2 + SRS_FACE_LEAF - 1) / SRS_FACE_LEAF * SRS_FACE_LEAF; }

int srs_face_tree_nodes(int n_faces)
{
  const int n_leaves = (n_faces + SRS_FACE_LEAF - 1) / SRS_FACE_LEAF;
  return n_leaves > 0 ? 2 * n_leaves - 1 : 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Growing
// ---------------------------------------------------------------------------------------------------------------------

static double part_of(vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static bool is_before(const srs_face_tree *tree, int a, int b, int axis)
{
  const double x = part_of(tree->normals[a], axis), y = part_of(tree->normals[b], axis);
  return x != y ? x < y : a < b;
}

// Puts the k smallest first (quickselect; no two are equal).
static void select_first(const srs_face_tree *tree, int *faces, int n, int k, int axis)
{
  int low = 0, high = n - 1;
  while (low < high) {
    const int pivot = faces[low + (high - low) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (is_before(tree, faces[i], pivot, axis)) i++;
      while (is_before(tree, pivot, faces[j], axis)) j--;
      if (i > j) break;
      const int kept = faces[i];
      faces[i++] = faces[j], faces[j--] = kept;
    }
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      return;
  }
}

static void set_box(const srs_face_tree *tree, const int *faces, int n, srs_face_node *node)
{
  node->low = node->high = tree->normals[faces[0]];
  node->least = tree->offsets[faces[0]];
  for (int i = 1; i < n; i++) {
    const vec3 m = tree->normals[faces[i]];
    node->low = (vec3){smaller(node->low.x, m.x), smaller(node->low.y, m.y), smaller(node->low.z, m.z)};
    node->high = (vec3){larger(node->high.x, m.x), larger(node->high.y, m.y), larger(node->high.z, m.z)};
    node->least = smaller(node->least, tree->offsets[faces[i]]);
  }
}

typedef struct range {
  int first, n, node;
} range;

srs_face_tree srs_face_tree_grow(int n_faces, const vec3 *normals, const double *offsets, int *order,
                                 srs_face_node *nodes)
{
  const srs_face_tree tree = {n_faces, normals, offsets, order, nodes};
  range stack[SRS_FACE_DEEPEST] = {{0, n_faces, 0}};
  int n_stack = n_faces > 0 ? 1 : 0;
  for (int i = 0; i < n_faces; i++) order[i] = i;
  while (n_stack > 0) {
    const range r = stack[--n_stack];
    srs_face_node *node = &nodes[r.node];
    *node = (srs_face_node){.first = r.first, .n = r.n <= SRS_FACE_LEAF ? r.n : 0};
    set_box(&tree, order + r.first, r.n, node);
    if (node->n > 0) continue;
    const vec3 side = sub3(node->high, node->low);
    const int half = first_half(r.n);
    const int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
    select_first(&tree, order + r.first, r.n, half, axis);
    node->second = r.node + 1 + srs_face_tree_nodes(half);
    stack[n_stack++] = (range){r.first + half, r.n - half, node->second};
    stack[n_stack++] = (range){r.first, half, r.node + 1};
  }
  return tree;
}

// ---------------------------------------------------------------------------------------------------------------------
// Asking
// ---------------------------------------------------------------------------------------------------------------------

static double most_along(const srs_face_node *node, vec3 d)
{
  return larger(node->low.x * d.x, node->high.x * d.x) + larger(node->low.y * d.y, node->high.y * d.y) +
         larger(node->low.z * d.z, node->high.z * d.z);
}

static double limit_of(const srs_face_node *node, vec3 p) { return most_along(node, p) - node->least; }

// Pushes the halves of a node, the more promising one last.
static void push_halves(const srs_face_node *nodes, int at, vec3 p, int *stack, int *n_stack)
{
  const int first = at + 1, second = nodes[at].second;
  const bool is_first = limit_of(&nodes[first], p) >= limit_of(&nodes[second], p);
  stack[(*n_stack)++] = is_first ? second : first;
  stack[(*n_stack)++] = is_first ? first : second;
}

double srs_face_tree_highest(const srs_face_tree *tree, vec3 p, double enough, int *face)
{
  const srs_face_node *nodes = tree->nodes;
  int stack[SRS_FACE_DEEPEST] = {0}, n_stack = 1;
  double highest = -INFINITY;
  *face = 0;
  while (n_stack > 0 && highest <= enough) {
    const int at = stack[--n_stack];
    const srs_face_node *node = &nodes[at];
    if (limit_of(node, p) < highest) continue;
    if (node->n == 0) push_halves(nodes, at, p, stack, &n_stack);
    for (int i = node->first; i < node->first + node->n; i++) {
      const int other = tree->order[i];
      const double height = srs_face_height(tree, other, p);
      if (height > highest || (height == highest && other < *face)) highest = height, *face = other;
    }
  }
  return highest;
}

void srs_face_walk_start(const srs_face_tree *tree, vec3 p, vec3 *ways, double *least, int n_ways, srs_face_walk *walk)
{
  walk->tree = tree, walk->p = p;
  walk->ways = ways, walk->least = least, walk->n_ways = n_ways;
  walk->deepest = -INFINITY;
  walk->stack[0] = 0, walk->n_stack = 1;
  walk->at = walk->end = 0;
}

// Whether none of a node's normals has all ways. The way that says so is asked first the next time.
static bool lacks_a_way(srs_face_walk *w, const srs_face_node *node)
{
  for (int i = 0; i < w->n_ways; i++) {
    if (most_along(node, w->ways[i]) >= w->least[i] - ROUNDING * norm3(w->ways[i])) continue;
    const vec3 way = w->ways[i];
    const double least = w->least[i];
    w->ways[i] = w->ways[0], w->least[i] = w->least[0];
    w->ways[0] = way, w->least[0] = least;
    return true;
  }
  return false;
}

int srs_face_walk_next(srs_face_walk *w)
{
  const srs_face_node *nodes = w->tree->nodes;
  while (w->at == w->end && w->n_stack > 0) {
    const int at = w->stack[--w->n_stack];
    const srs_face_node *node = &nodes[at];
    if (limit_of(node, w->p) < w->deepest || lacks_a_way(w, node)) continue;
    if (node->n == 0) push_halves(nodes, at, w->p, w->stack, &w->n_stack);
    w->at = node->first, w->end = node->first + node->n;
  }
  return w->at < w->end ? w->tree->order[w->at++] : -1;
}
