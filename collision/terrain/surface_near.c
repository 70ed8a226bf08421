// What is near on a surface of triangles?
//
// A node of the one tree is near if its box, seen from the other surface and grown, meets a leaf of the other tree.
// Both walks go from node to node without a stack (terrain_tree.c), and that over the other tree ends at the first
// leaf.
//
// On which side of a surface a point is, its nearest place says. In a triangle that is the sign of its height. At an
// edge or corner the triangles that meet there may say different things; the one from whose plane the point is farthest
// is right, since its plane separates the point from the others nearby or has it behind all of them.
#include "collision/terrain/surface_near.h"

void srs_surface_pair_make(const srs_terrain *const mesh[2], const srs_placed *const pose[2], double grown,
                           srs_surface_pair *pair)
{
  pair->grown = grown;
  for (int k = 0; k < 2; k++) {
    const srs_placed *own = pose[k], *other = pose[1 - k];
    pair->mesh[k] = mesh[k];
    pair->axes[k] = mul3(transpose3(own->axes), other->axes);
    pair->origin[k] = rotate_back(own->axes, sub3(other->origin, own->origin));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Triangles near the other surface
// ---------------------------------------------------------------------------------------------------------------------

static bool meets_leaf(const srs_terrain *mesh, vec3 low, vec3 high)
{
  for (int i = 0; i < mesh->n_nodes;) {
    const srs_terrain_node *node = &mesh->nodes[i];
    if (!terrain_node_meets(node, low, high)) {
      i = node->skip;
      continue;
    }
    if (node->n > 0) return true;
    i++;
  }
  return false;
}

// A node of surface k against the other surface.
static bool node_is_near(const srs_surface_pair *pair, int k, const srs_terrain_node *node)
{
  const int other = 1 - k;
  const mat3 m = pair->axes[other];
  const vec3 half = scale3(0.5, sub3(node->high, node->low));
  const vec3 middle = srs_surface_seen_from(pair, other, scale3(0.5, add3(node->low, node->high)));
  const vec3 reach = {fabs(m.x.x) * half.x + fabs(m.y.x) * half.y + fabs(m.z.x) * half.z + pair->grown,
                      fabs(m.x.y) * half.x + fabs(m.y.y) * half.y + fabs(m.z.y) * half.z + pair->grown,
                      fabs(m.x.z) * half.x + fabs(m.y.z) * half.y + fabs(m.z.z) * half.z + pair->grown};
  return meets_leaf(pair->mesh[other], sub3(middle, reach), add3(middle, reach));
}

static bool triangle_is_near(const srs_surface_pair *pair, int k, int t)
{
  vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    const vec3 p = srs_surface_seen_from(pair, 1 - k, terrain_corner(pair->mesh[k], t, i));
    low = (vec3){smaller(low.x, p.x), smaller(low.y, p.y), smaller(low.z, p.z)};
    high = (vec3){larger(high.x, p.x), larger(high.y, p.y), larger(high.z, p.z)};
  }
  const vec3 grown = {pair->grown, pair->grown, pair->grown};
  return meets_leaf(pair->mesh[1 - k], sub3(low, grown), add3(high, grown));
}

int srs_surface_find_near(const srs_surface_pair *pair, int k, int *near)
{
  const srs_terrain *mesh = pair->mesh[k];
  int n = 0;
  for (int i = 0; i < mesh->n_nodes;) {
    const srs_terrain_node *node = &mesh->nodes[i];
    if (!node_is_near(pair, k, node)) {
      i = node->skip;
      continue;
    }
    for (int t = node->first; t < node->first + node->n; t++)
      if (triangle_is_near(pair, k, t)) near[n++] = t;
    i++;
  }
  return n;
}

static void sort_numbers(int *numbers, int n)
{
  int gap = 1;
  while (gap < n / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3)
    for (int i = gap; i < n; i++) {
      const int number = numbers[i];
      int k = i;
      for (; k >= gap && numbers[k - gap] > number; k -= gap) numbers[k] = numbers[k - gap];
      numbers[k] = number;
    }
}

int srs_surface_sharp_points(const srs_terrain *mesh, const int *triangles, int n, int *points)
{
  int count = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) {
      const int point = mesh->corners[3 * (size_t)triangles[i] + (size_t)k];
      if (mesh->is_sharp[point]) points[count++] = point;
    }
  sort_numbers(points, count);
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (i == 0 || points[i] != points[i - 1]) points[kept++] = points[i];
  return kept;
}

// ---------------------------------------------------------------------------------------------------------------------
// Points
// ---------------------------------------------------------------------------------------------------------------------

bool srs_surface_is_over(const srs_terrain *mesh, int t, vec3 p, double slack)
{
  for (int k = 0; k < 3; k++) {
    const vec3 from = terrain_corner(mesh, t, k), along = sub3(terrain_corner(mesh, t, k + 1), from);
    const double out = dot3(cross3(along, mesh->normals[t]), sub3(p, from));
    if (out > 0 && out > slack * norm3(along)) return false;
  }
  return true;
}

void srs_surface_look_at(const srs_terrain *mesh, int t, vec3 p, srs_surface_nearest *nearest)
{
  const vec3 n = mesh->normals[t];
  const double height = dot3(n, sub3(p, terrain_corner(mesh, t, 0)));
  if (fabs(height) > nearest->distance * (1 + 1e-9)) return;
  vec3 at = add_scaled3(p, -height, n);
  double distance = fabs(height);
  if (!srs_surface_is_over(mesh, t, p, 0)) {
    distance = INFINITY;
    for (int k = 0; k < 3; k++) {
      const vec3 from = terrain_corner(mesh, t, k), along = sub3(terrain_corner(mesh, t, k + 1), from);
      const double s = dot3(sub3(p, from), along) / dot3(along, along);
      const vec3 on = add_scaled3(from, s < 0 ? 0 : s > 1 ? 1 : s, along);
      const double length = norm3(sub3(p, on));
      if (length < distance) distance = length, at = on;
    }
  }
  const double same = 1e-9 * distance;
  if (distance > nearest->distance + same) return;
  if (distance >= nearest->distance - same && fabs(height) <= fabs(nearest->height)) return;
  *nearest = (srs_surface_nearest){distance, height, at, t};
}

static double square_to_box(const srs_terrain_node *node, vec3 p)
{
  const double x = larger(0, larger(node->low.x - p.x, p.x - node->high.x));
  const double y = larger(0, larger(node->low.y - p.y, p.y - node->high.y));
  const double z = larger(0, larger(node->low.z - p.z, p.z - node->high.z));
  return x * x + y * y + z * z;
}

// How far some place is that is not much farther than the nearest: in the leaf to which the nearer half always leads.
static double distance_of_some(const srs_terrain *mesh, vec3 p)
{
  srs_surface_nearest nearest = srs_surface_nothing();
  const srs_terrain_node *node = mesh->nodes;
  while (node->n == 0) {
    const srs_terrain_node *first = node + 1, *second = &mesh->nodes[first->skip];
    node = square_to_box(first, p) <= square_to_box(second, p) ? first : second;
  }
  for (int t = node->first; t < node->first + node->n; t++) srs_surface_look_at(mesh, t, p, &nearest);
  return nearest.distance;
}

// Every place found makes the box smaller, by less than srs_surface_look_at takes for one distance.
void srs_surface_find_nearest(const srs_terrain *mesh, vec3 p, double reach, srs_surface_nearest *nearest)
{
  *nearest = srs_surface_nothing();
  const double rounding = 1e-12 * (reach + norm3(p));
  vec3 low, high;
  if (mesh->n_nodes > 0) reach = smaller(reach, distance_of_some(mesh, p) * (1 + 1e-8) + rounding);
  srs_surface_box_around(p, reach, &low, &high);
  for (int i = 0; i < mesh->n_nodes;) {
    const srs_terrain_node *node = &mesh->nodes[i];
    if (!terrain_node_meets(node, low, high)) {
      i = node->skip;
      continue;
    }
    const double before = nearest->distance;
    for (int t = node->first; t < node->first + node->n; t++) srs_surface_look_at(mesh, t, p, nearest);
    const double grown = nearest->distance * (1 + 1e-8) + rounding;
    if (nearest->distance < before && grown < reach) srs_surface_box_around(p, grown, &low, &high);
    i++;
  }
}

bool srs_surface_has_nearer(const srs_terrain *mesh, vec3 p, double distance)
{
  srs_surface_nearest nearest = srs_surface_nothing();
  vec3 low, high;
  srs_surface_box_around(p, distance, &low, &high);
  for (int i = 0; i < mesh->n_nodes;) {
    const srs_terrain_node *node = &mesh->nodes[i];
    if (!terrain_node_meets(node, low, high)) {
      i = node->skip;
      continue;
    }
    for (int t = node->first; t < node->first + node->n; t++) srs_surface_look_at(mesh, t, p, &nearest);
    if (nearest.distance < distance) return true;
    i++;
  }
  return false;
}

double srs_surface_distance(const srs_terrain *mesh, vec3 p, double reach)
{
  srs_surface_nearest nearest;
  srs_surface_find_nearest(mesh, p, reach, &nearest);
  return nearest.triangle < 0 || nearest.height >= 0 ? nearest.distance : -nearest.distance;
}

// ---------------------------------------------------------------------------------------------------------------------
// Normals
// ---------------------------------------------------------------------------------------------------------------------

// Which way leads from triangle t over its edge, of any length along that edge's square: in its plane, outward.
static vec3 way_over(const srs_terrain *mesh, int t, vec3 along)
{
  const vec3 out = cross3(along, mesh->normals[t]);
  return scale3(1 / norm3(out), out);
}

bool srs_surface_ridge_has(const srs_terrain *mesh, int t, int i, vec3 n, double slack)
{
  const vec3 along = sub3(terrain_corner(mesh, t, i + 1), terrain_corner(mesh, t, i));
  if (dot3(n, way_over(mesh, t, along)) < -slack) return false;
  const int other = mesh->across[3 * (size_t)t + (size_t)i];
  if (other < 0) return dot3(n, mesh->normals[t]) >= -slack;
  return dot3(n, way_over(mesh, other, scale3(-1, along))) >= -slack;
}

vec3 srs_surface_ridge_middle(const srs_terrain *mesh, int t, int i)
{
  const int other = mesh->across[3 * (size_t)t + (size_t)i];
  if (other >= 0) return add3(mesh->normals[t], mesh->normals[other]);
  return add3(mesh->normals[t], way_over(mesh, t, sub3(terrain_corner(mesh, t, i + 1), terrain_corner(mesh, t, i))));
}

bool srs_surface_corner_has(const srs_terrain *mesh, int point, vec3 n)
{
  const vec3 p = mesh->points[point];
  for (int i = mesh->fan_begin[point]; i < mesh->fan_begin[point + 1]; i++) {
    const int t = mesh->fan[i];
    for (int k = 0; k < 3; k++) {
      const vec3 along = sub3(terrain_corner(mesh, t, k), p);
      if (dot3(n, along) > 0) return false;
    }
    for (int k = 0; k < 3; k++)
      if (mesh->edges[3 * (size_t)t + (size_t)k] == SRS_EDGE_OPEN && dot3(n, mesh->normals[t]) < 0) return false;
  }
  return true;
}
