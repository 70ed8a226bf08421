// Which triangles of a terrain are near, and which does a ray meet first?
//
// A tree of boxes, made once. A range of n triangles is divided along the longest side of the box around their middles:
// the first half gets LEAF 2^k of them with the largest k that leaves some over. So the size of a subtree is known from
// n alone, a node's halves lie at known places behind it, and a walk needs no stack: on to the next node, or past the
// subtree.
//
// A ray passes a triangle if it is on the inner side of its three edges. The corners' places across the ray are rounded
// once, the same for all triangles; on which side of two of them the ray passes is then told by comparing two products,
// where rounding can make a tie but never the wrong sign. So a ray slips through no edge and no corner.
#include "collision/terrain/terrain_tree.h"

enum { LEAF = 4, DEEPEST = 64 };

// A triangle, and where its middle is along the axis that its range is divided by.
typedef struct item {
  double at;
  int triangle;
} item;

typedef struct range {
  int first, n, node;
} range;

static int first_half(int n)
{
  long half = LEAF;
  while (2 * half < n) half *= 2;
  return (int)half;
}

static int nodes_over(int n)
{
  int count = 1;
  while (n > LEAF) {
    const int half = first_half(n);
    count += 2 * (half / LEAF) - 1 + 1;
    n -= half;
  }
  return count;
}

static double part_of(vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

static bool is_before(const item *a, const item *b)
{
  return a->at != b->at ? a->at < b->at : a->triangle < b->triangle;
}

static void swap_items(item *a, item *b)
{
  const item kept = *a;
  *a = *b;
  *b = kept;
}

// Puts the k smallest first (quickselect; no two are equal, so the outcome does not depend on the way there).
static void select_first(item *items, int n, int k)
{
  int low = 0, high = n - 1;
  while (low < high) {
    swap_items(&items[low + (high - low) / 2], &items[high]);
    int border = low;
    for (int i = low; i < high; i++)
      if (is_before(&items[i], &items[high])) swap_items(&items[i], &items[border++]);
    swap_items(&items[border], &items[high]);
    if (border == k || border == k - 1) return;
    if (border < k)
      low = border + 1;
    else
      high = border - 1;
  }
}

static void widen(vec3 *low, vec3 *high, vec3 p)
{
  *low = (vec3){smaller(low->x, p.x), smaller(low->y, p.y), smaller(low->z, p.z)};
  *high = (vec3){larger(high->x, p.x), larger(high->y, p.y), larger(high->z, p.z)};
}

// The longest side of the box around the middles.
static int longest_axis(const vec3 *middles, const item *items, int n)
{
  vec3 low = middles[items[0].triangle], high = low;
  for (int i = 1; i < n; i++) widen(&low, &high, middles[items[i].triangle]);
  const vec3 side = sub3(high, low);
  return side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
}

static void set_places(const vec3 *middles, item *items, int n, int axis)
{
  for (int i = 0; i < n; i++) items[i].at = part_of(middles[items[i].triangle], axis);
}

// Nodes without their boxes, and the order of the triangles.
static void divide(srs_terrain *terrain, const vec3 *middles, item *items)
{
  range stack[DEEPEST] = {{0, terrain->n_triangles, 0}};
  int n_stack = 1;
  while (n_stack > 0) {
    const range r = stack[--n_stack];
    srs_terrain_node *node = &terrain->nodes[r.node];
    node->first = r.first;
    node->n = r.n <= LEAF ? r.n : 0;
    node->skip = r.node + nodes_over(r.n);
    if (r.n <= LEAF) continue;
    const int half = first_half(r.n);
    set_places(middles, items + r.first, r.n, longest_axis(middles, items + r.first, r.n));
    select_first(items + r.first, r.n, half);
    stack[n_stack++] = (range){r.first + half, r.n - half, r.node + 1 + nodes_over(half)};
    stack[n_stack++] = (range){r.first, half, r.node + 1};
  }
}

// From the last node to the first: a node's halves follow it. The triangles are in the tree's order.
static void set_boxes(srs_terrain *terrain)
{
  for (int i = terrain->n_nodes - 1; i >= 0; i--) {
    srs_terrain_node *node = &terrain->nodes[i];
    if (node->n == 0) {
      const srs_terrain_node *first = node + 1, *second = &terrain->nodes[first->skip];
      node->low = first->low, node->high = first->high;
      widen(&node->low, &node->high, second->low);
      widen(&node->low, &node->high, second->high);
      continue;
    }
    node->low = node->high = terrain_corner(terrain, node->first, 0);
    for (int t = node->first; t < node->first + node->n; t++)
      for (int k = 0; k < 3; k++) widen(&node->low, &node->high, terrain_corner(terrain, t, k));
  }
}

bool srs_terrain_grow_tree(srs_terrain *terrain)
{
  const size_t n = (size_t)terrain->n_triangles;
  terrain->n_nodes = nodes_over(terrain->n_triangles);
  terrain->nodes = srs_arena_take(&terrain->memory, (size_t)terrain->n_nodes, sizeof *terrain->nodes);
  srs_arena scratch = {0};
  item *items = srs_arena_take(&scratch, n, sizeof *items);
  vec3 *middles = srs_arena_take(&scratch, n, sizeof *middles);
  int *corners = srs_arena_take(&scratch, 3 * n, sizeof *corners);
  const bool has_memory = !terrain->memory.failed && !scratch.failed;
  if (has_memory) {
    for (int t = 0; t < terrain->n_triangles; t++) {
      const vec3 sum =
          add3(terrain_corner(terrain, t, 0), add3(terrain_corner(terrain, t, 1), terrain_corner(terrain, t, 2)));
      middles[t] = scale3(1.0 / 3, sum);
      items[t].triangle = t;
    }
    divide(terrain, middles, items);
    for (size_t i = 0; i < 3 * n; i++) corners[i] = terrain->corners[3 * (size_t)items[i / 3].triangle + i % 3];
    for (size_t i = 0; i < 3 * n; i++) terrain->corners[i] = corners[i];
    set_boxes(terrain);
  }
  srs_arena_release(&scratch);
  return has_memory;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rays
// ---------------------------------------------------------------------------------------------------------------------

// A ray, and the same seen along the largest part z of its direction, sheared so that it runs along z.
typedef struct ray {
  vec3 o, d;
  double from[3], per_part[3]; // o; 1 / d, where that is not infinite
  int x, y, z;
  double shear_x, shear_y;
} ray;

static ray ray_along(vec3 o, vec3 d)
{
  const int z = fabs(d.x) >= fabs(d.y) && fabs(d.x) >= fabs(d.z) ? 0 : fabs(d.y) >= fabs(d.z) ? 1 : 2;
  const int x = (z + 1) % 3, y = (z + 2) % 3;
  return (ray){.o = o,
               .d = d,
               .from = {o.x, o.y, o.z},
               .per_part = {1 / d.x, 1 / d.y, 1 / d.z},
               .x = x,
               .y = y,
               .z = z,
               .shear_x = part_of(d, x) / part_of(d, z),
               .shear_y = part_of(d, y) / part_of(d, z)};
}

static bool ray_meets_box(const ray *r, double length, const srs_terrain_node *node)
{
  double in = 0, out = length;
  const double low[3] = {node->low.x, node->low.y, node->low.z}, high[3] = {node->high.x, node->high.y, node->high.z};
  for (int k = 0; k < 3; k++) {
    if (isinf(r->per_part[k])) {
      if (r->from[k] < low[k] || r->from[k] > high[k]) return false;
      continue;
    }
    const double s = (low[k] - r->from[k]) * r->per_part[k], t = (high[k] - r->from[k]) * r->per_part[k];
    in = larger(in, smaller(s, t));
    out = smaller(out, larger(s, t));
  }
  return in <= out + 1e-12 * (fabs(in) + fabs(out)); // rounding
}

// The sign of a x b of two corners seen from the ray: on which side of their edge it passes.
static int edge_side(const ray *r, vec3 a, vec3 b)
{
  a = sub3(a, r->o);
  b = sub3(b, r->o);
  const double a_x = part_of(a, r->x) - r->shear_x * part_of(a, r->z);
  const double a_y = part_of(a, r->y) - r->shear_y * part_of(a, r->z);
  const double b_x = part_of(b, r->x) - r->shear_x * part_of(b, r->z);
  const double b_y = part_of(b, r->y) - r->shear_y * part_of(b, r->z);
  const double left = a_x * b_y, right = a_y * b_x;
  return (left > right) - (left < right);
}

static bool ray_meets_triangle(const srs_terrain *terrain, int t, const ray *r, double length, double *distance)
{
  const int *corner = terrain->corners + 3 * (size_t)t;
  const vec3 n = terrain->normals[t];
  const double rate = dot3(n, r->d);
  if (!(rate < 0)) return false;
  const double at = dot3(n, sub3(terrain->points[corner[0]], r->o)) / rate;
  if (!(at >= 0) || !(at <= length)) return false;
  const int inside = part_of(r->d, r->z) > 0 ? -1 : 1; // d looks against n
  for (int k = 0; k < 3; k++)
    if (edge_side(r, terrain_corner(terrain, t, k), terrain_corner(terrain, t, k + 1)) * inside < 0) return false;
  *distance = at;
  return true;
}

int srs_terrain_first_met(const srs_terrain *terrain, vec3 o, vec3 d, double *length)
{
  const ray r = ray_along(o, d);
  int met = -1;
  for (int i = 0; i < terrain->n_nodes;) {
    const srs_terrain_node *node = &terrain->nodes[i];
    if (!ray_meets_box(&r, *length, node)) {
      i = node->skip;
      continue;
    }
    for (int t = node->first; t < node->first + node->n; t++) {
      double at;
      if (ray_meets_triangle(terrain, t, &r, *length, &at) && (met < 0 || at < *length)) *length = at, met = t;
    }
    i++;
  }
  return met;
}

bool srs_terrain_cast_ray(const srs_terrain *terrain, const srs_placed *pose, vec3 from, vec3 direction, double length,
                          double *distance, vec3 *normal)
{
  const vec3 o = rotate_back(pose->axes, sub3(from, pose->origin)), d = rotate_back(pose->axes, direction);
  const int met = srs_terrain_first_met(terrain, o, d, &length);
  if (met < 0) return false;
  *distance = length;
  *normal = rotate(pose->axes, terrain->normals[met]);
  return true;
}
