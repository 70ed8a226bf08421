// Contact points between two surfaces of triangles.
//
// Two surfaces that do not overlap stay apart if their locally nearest places do. These are of two kinds:
//
//   a corner p of one and, on the other, the places that are nearest to p among their neighbours: a face with p
//   straight over it, a ridge with p in the wedge between the normals of its faces, a corner with p in its cone of
//   normals (n . e <= 0 for all edges e from it);
//
//   two ridges a + s u and b + t v whose common perpendicular n = u x v / |u x v| meets both between their ends, with n
//   between the normals of the faces of the one and -n between those of the other.
//
// Which ridges these are changes as bodies turn: one that lies nearly along a face or along another ridge may be
// nearest at its one end when a step begins and at the other when it ends. Ridges that do not overlap therefore meet
// also where n is outside of the faces' normals by no more than a step turns; whatever the faces are, ridges must not
// pass through each other. The angle is twice that which moves the smaller surface's border by the margin, for impacts
// may turn bodies faster than they came.
//
// A corner that is inside is under one face or more. Which side it is on its nearest place says. Ridges that passed
// through each other have the same n with a gap < 0; that they overlap is seen where the point of the one is in the
// other.
//
// A contact point with gap < 0 that asks for more than another does is dropped, if A's part of it is before the other's
// plane, once A has moved by what that asks for, and B's part is behind it: then the other leads out of these too. So a
// cube near the edge of a table is not in the table's side.
//
// Corners inside a flat part, and where only a straight ridge goes on, take no part: they meet nothing that others do
// not.
#include "collision/terrain/surface_contacts.h"
#include "collision/manifold/clip.h"
#include "collision/manifold/reduce.h"
#include "collision/terrain/surface_near.h"
#include "collision/terrain/terrain_valley.h"

enum { MOST_UNDER = 16 };

static const double SLACK = 1e-9, NEAR = 1e-6;             // of the radius
static const double SHALLOW = 0.02, MOST_DEEP = 0.25;      // of the radius
static const double INSIDE_CONE = 1e-7, ONE_NORMAL = 1e-9; // rad
static const double TURNS = 2, MOST_TURN = 0.5;            // rad a radius of the margin, rad
static const double PARALLEL = 1e-6;                       // rad: nearer ridges have no perpendicular of their own

// The corners of the parts that meet: of a corner, a ridge, or a triangle.
typedef struct srs_surface_site {
  int part[2][3], n[2];
} site;

typedef struct meeting {
  srs_surface_pair pair;
  const srs_placed *const *pose;
  double margin, deepest, slack, near;
  double turn; // rad: ridges apart meet where their faces' normals are reached by that
  srs_touch *touches;
  site *sites;
  int room, n;
  srs_known_places known[2];
} meeting;

bool srs_surface_scratch_make(srs_arena *arena, int n_first, int n_second, int n_touches, srs_surface_scratch *scratch)
{
  const int n[2] = {n_first, n_second};
  for (int k = 0; k < 2; k++) {
    scratch->near[k] = srs_arena_take(arena, (size_t)n[k], sizeof(int));
    scratch->points[k] = srs_arena_take(arena, 3 * (size_t)n[k], sizeof(int));
  }
  scratch->sites = srs_arena_take(arena, (size_t)n_touches, sizeof *scratch->sites);
  scratch->n_sites = n_touches;
  return !arena->failed;
}

// ---------------------------------------------------------------------------------------------------------------------
// Putting out
// ---------------------------------------------------------------------------------------------------------------------

static vec3 to_world(const meeting *q, int k, vec3 p) { return add3(q->pose[k]->origin, rotate(q->pose[k]->axes, p)); }

// One more, unless there is one like it; the deeper one stays.
static void put_out(meeting *q, const srs_touch *touch, const site *parts)
{
  for (int i = 0; i < q->n && i < q->room; i++) {
    srs_touch *known = &q->touches[i];
    const vec3 apart = sub3(touch->a, known->a), turn = sub3(touch->normal, known->normal);
    if (dot3(apart, apart) > q->near * q->near || dot3(turn, turn) > ONE_NORMAL) continue;
    if (touch->gap < known->gap - 1e-4 * q->near) *known = *touch, q->sites[i] = *parts;
    return;
  }
  if (q->n < q->room) q->touches[q->n] = *touch, q->sites[q->n] = *parts;
  q->n++;
}

// Between corner `point` of the other surface, at p, and the place `on` of surface k with its outward normal, all in
// its frame.
static void put_out_corner(meeting *q, int k, int point, vec3 p, vec3 on, vec3 normal, double gap, int name,
                           const int *part, int n_part)
{
  site parts = {{{0}}, {0}};
  parts.part[1 - k][0] = point, parts.n[1 - k] = 1, parts.n[k] = n_part;
  for (int i = 0; i < n_part; i++) parts.part[k][i] = part[i];
  const vec3 n = rotate(q->pose[k]->axes, normal), at = to_world(q, k, p), place = to_world(q, k, on);
  const srs_touch touch =
      k == 1 ? (srs_touch){at, place, n, gap, srs_contact_feature(SRS_FEATURE_POINT_OF_A, point, name)}
             : (srs_touch){place, at, scale3(-1, n), gap, srs_contact_feature(SRS_FEATURE_POINT_OF_B, name, point)};
  put_out(q, &touch, &parts);
}

// ---------------------------------------------------------------------------------------------------------------------
// Corners
// ---------------------------------------------------------------------------------------------------------------------

typedef struct corner_query {
  int k, point; // a corner of surface 1 - k
  vec3 p;       // in the frame of surface k
  int under[MOST_UNDER], n_under;
  srs_surface_nearest nearest;
} corner_query;

// Whether the other surface shows a face to what it meets along n at a corner.
static bool faces(const meeting *q, int k, int point, vec3 n)
{
  const srs_terrain *other = q->pair.mesh[1 - k];
  const vec3 along = rotate_back(q->pair.axes[k], n);
  for (int i = other->fan_begin[point]; i < other->fan_begin[point + 1]; i++)
    if (dot3(other->normals[other->fan[i]], along) < -INSIDE_CONE) return true;
  return false;
}

static void meet_face(meeting *q, corner_query *c, int t)
{
  const srs_terrain *mesh = q->pair.mesh[c->k];
  const vec3 n = mesh->normals[t];
  const double height = dot3(n, sub3(c->p, terrain_corner(mesh, t, 0)));
  if (height > q->margin || height < -q->deepest || !faces(q, c->k, c->point, n)) return;
  if (!srs_surface_is_over(mesh, t, c->p, q->slack) &&
      !srs_terrain_is_across_valley(mesh, t, c->p, height, q->margin, q->slack, c->point, &q->known[c->k]))
    return;
  if (height < 0) {
    if (c->n_under < MOST_UNDER) c->under[c->n_under++] = t;
    return;
  }
  put_out_corner(q, c->k, c->point, c->p, add_scaled3(c->p, -height, n), n, height, mesh->group[t],
                 mesh->corners + 3 * (size_t)t, 3);
}

static void meet_ridge(meeting *q, const corner_query *c, int t, int i)
{
  const srs_terrain *mesh = q->pair.mesh[c->k];
  if (!srs_surface_owns_ridge(mesh, t, i)) return;
  const vec3 from = terrain_corner(mesh, t, i), along = sub3(terrain_corner(mesh, t, i + 1), from);
  const double s = dot3(sub3(c->p, from), along) / dot3(along, along);
  if (!(s > 0 && s < 1)) return;
  const vec3 on = add_scaled3(from, s, along), d = sub3(c->p, on);
  const double distance = norm3(d);
  if (!(distance > q->slack) || distance > q->margin) return; // on it: over both faces
  const vec3 n = scale3(1 / distance, d);
  if (!srs_surface_ridge_has(mesh, t, i, n, 0) || !faces(q, c->k, c->point, n)) return;
  const int ends[2] = {mesh->corners[3 * (size_t)t + (size_t)i], mesh->corners[3 * (size_t)t + (size_t)(i + 1) % 3]};
  put_out_corner(q, c->k, c->point, c->p, on, n, distance, 3 * t + i, ends, 2);
}

static void meet_corner(meeting *q, const corner_query *c, int t, int i)
{
  const srs_terrain *mesh = q->pair.mesh[c->k];
  const int point = mesh->corners[3 * (size_t)t + (size_t)i];
  if (c->k == 0 || !mesh->is_sharp[point] || mesh->fan[mesh->fan_begin[point]] != t) return; // two corners once
  const vec3 d = sub3(c->p, mesh->points[point]);
  const double distance = norm3(d);
  if (!(distance > q->slack) || distance > q->margin) return;
  const vec3 n = scale3(1 / distance, d);
  if (srs_surface_corner_has(mesh, point, n) && faces(q, c->k, c->point, n))
    put_out_corner(q, c->k, c->point, c->p, mesh->points[point], n, distance, point, &point, 1);
}

// A corner that is inside leaves by the faces over it; where there is none, by the shortest way.
static void leave(meeting *q, const corner_query *c)
{
  const srs_terrain *mesh = q->pair.mesh[c->k];
  for (int i = 0; i < c->n_under; i++) {
    const int t = c->under[i];
    const vec3 n = mesh->normals[t];
    const double height = dot3(n, sub3(c->p, terrain_corner(mesh, t, 0)));
    put_out_corner(q, c->k, c->point, c->p, add_scaled3(c->p, -height, n), n, height, mesh->group[t],
                   mesh->corners + 3 * (size_t)t, 3);
  }
  const double distance = c->nearest.distance;
  const int t = c->nearest.triangle;
  if (c->n_under > 0 || distance > q->deepest || !(distance > q->slack)) return;
  if (!faces(q, c->k, c->point, mesh->normals[t])) return;
  const vec3 n = scale3(1 / distance, sub3(c->nearest.at, c->p));
  put_out_corner(q, c->k, c->point, c->p, c->nearest.at, n, -distance, mesh->group[t], mesh->corners + 3 * (size_t)t,
                 3);
}

static void meet_point(meeting *q, int k, int point)
{
  const srs_terrain *mesh = q->pair.mesh[k];
  corner_query c = {k,   point, srs_surface_seen_from(&q->pair, k, q->pair.mesh[1 - k]->points[point]),
                    {0}, 0,     srs_surface_nothing()};
  vec3 low, high;
  srs_surface_box_around(c.p, q->pair.grown, &low, &high);
  for (int i = 0; i < mesh->n_nodes;) {
    const srs_terrain_node *node = &mesh->nodes[i];
    if (!terrain_node_meets(node, low, high)) {
      i = node->skip;
      continue;
    }
    for (int t = node->first; t < node->first + node->n; t++) {
      meet_face(q, &c, t);
      srs_surface_look_at(mesh, t, c.p, &c.nearest);
      for (int j = 0; j < 3; j++) {
        meet_ridge(q, &c, t, j);
        meet_corner(q, &c, t, j);
      }
    }
    i++;
  }
  if (c.nearest.triangle >= 0 && c.nearest.height < 0 && !terrain_is_beside(mesh, c.p, q->near)) leave(q, &c);
}

// ---------------------------------------------------------------------------------------------------------------------
// Ridges
// ---------------------------------------------------------------------------------------------------------------------

// A ridge of A in B's frame: corner i of triangle t and the next.
typedef struct ridge {
  int t, i;
  vec3 from, along;
} ridge;

static bool is_inside(const meeting *q, int k, vec3 p, double depth)
{
  return srs_surface_distance(q->pair.mesh[k], p, depth * (1 + 1e-9) + q->slack) <= q->slack;
}

// Of two opposite normals the one that the ridge shows.
static vec3 normal_of_ridge(const srs_terrain *mesh, int t, int i, vec3 n)
{
  return dot3(n, srs_surface_ridge_middle(mesh, t, i)) < 0 ? scale3(-1, n) : n;
}

// Whether n is a normal of a ridge of B, and its opposite one of A's.
static bool have_normal(const meeting *q, const ridge *r, int t, int i, vec3 n, double slack)
{
  const srs_terrain *a = q->pair.mesh[0];
  const vec3 opposite = rotate_back(q->pair.axes[1], scale3(-1, n));
  return srs_surface_ridge_has(q->pair.mesh[1], t, i, n, slack) &&
         srs_surface_ridge_has(a, r->t, r->i, opposite, slack) &&
         dot3(opposite, srs_surface_ridge_middle(a, r->t, r->i)) > 0;
}

static void cross_ridges(meeting *q, const ridge *r, int t, int i)
{
  const srs_terrain *a = q->pair.mesh[0], *b = q->pair.mesh[1];
  const vec3 from = terrain_corner(b, t, i), along = sub3(terrain_corner(b, t, i + 1), from);
  const vec3 across = cross3(r->along, along), way = sub3(from, r->from);
  const double square = dot3(across, across), ends = 1e-12;
  if (!(square > PARALLEL * PARALLEL * dot3(along, along) * dot3(r->along, r->along))) return;
  const double s = dot3(cross3(way, along), across) / square, u = dot3(cross3(way, r->along), across) / square;
  if (!(s >= -ends && s <= 1 + ends && u >= -ends && u <= 1 + ends)) return;
  const vec3 n = normal_of_ridge(b, t, i, scale3(1 / sqrt(square), across));
  const vec3 on_a = add_scaled3(r->from, s, r->along), on_b = add_scaled3(from, u, along);
  const double gap = dot3(n, sub3(on_a, on_b));
  if (gap > q->margin || gap < -q->deepest || !have_normal(q, r, t, i, n, gap < 0 ? INSIDE_CONE : q->turn)) return;
  if (gap < -q->slack && !is_inside(q, 1, on_a, -gap) &&
      !is_inside(q, 0, srs_surface_seen_from(&q->pair, 0, on_b), -gap))
    return;
  site parts = {{{0}}, {2, 2}};
  for (int j = 0; j < 2; j++) {
    parts.part[0][j] = a->corners[3 * (size_t)r->t + (size_t)(r->i + j) % 3];
    parts.part[1][j] = b->corners[3 * (size_t)t + (size_t)(i + j) % 3];
  }
  const srs_touch touch = {to_world(q, 1, on_a), to_world(q, 1, on_b), rotate(q->pose[1]->axes, n), gap,
                           srs_contact_feature(SRS_FEATURE_CROSSING, 3 * r->t + r->i, 3 * t + i)};
  put_out(q, &touch, &parts);
}

static void meet_ridges(meeting *q, int triangle, int corner)
{
  const srs_terrain *a = q->pair.mesh[0], *b = q->pair.mesh[1];
  if (!srs_surface_owns_ridge(a, triangle, corner)) return;
  const vec3 from = srs_surface_seen_from(&q->pair, 1, terrain_corner(a, triangle, corner));
  const vec3 to = srs_surface_seen_from(&q->pair, 1, terrain_corner(a, triangle, corner + 1));
  const ridge r = {triangle, corner, from, sub3(to, from)};
  vec3 low, high, low_2, high_2;
  srs_surface_box_around(from, q->pair.grown, &low, &high);
  srs_surface_box_around(to, q->pair.grown, &low_2, &high_2);
  low = (vec3){smaller(low.x, low_2.x), smaller(low.y, low_2.y), smaller(low.z, low_2.z)};
  high = (vec3){larger(high.x, high_2.x), larger(high.y, high_2.y), larger(high.z, high_2.z)};
  for (int i = 0; i < b->n_nodes;) {
    const srs_terrain_node *node = &b->nodes[i];
    if (!terrain_node_meets(node, low, high)) {
      i = node->skip;
      continue;
    }
    for (int t = node->first; t < node->first + node->n; t++)
      for (int j = 0; j < 3; j++)
        if (srs_surface_owns_ridge(b, t, j)) cross_ridges(q, &r, t, j);
    i++;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Longer ways, and many points in one plane
// ---------------------------------------------------------------------------------------------------------------------

// Whether the parts of contact point j are apart once A has moved by what i asks for.
static bool leads_out(const meeting *q, int i, int j)
{
  const srs_touch *way = &q->touches[i];
  const site *parts = &q->sites[j];
  const double moved = fmax(-way->gap, 0) + q->slack;
  for (int k = 0; k < parts->n[0]; k++) {
    const vec3 p = to_world(q, 0, q->pair.mesh[0]->points[parts->part[0][k]]);
    if (dot3(way->normal, sub3(p, way->b)) < -moved) return false;
  }
  for (int k = 0; k < parts->n[1]; k++) {
    const vec3 p = to_world(q, 1, q->pair.mesh[1]->points[parts->part[1][k]]);
    if (dot3(way->normal, sub3(p, way->b)) > q->slack) return false;
  }
  return true;
}

static void drop_longer_ways(meeting *q)
{
  for (int j = 0; j < q->n;) {
    bool is_longer = false;
    const double depth = -q->touches[j].gap;
    for (int i = 0; i < q->n && depth > q->slack && !is_longer; i++)
      is_longer = depth > fmax(-q->touches[i].gap, 0) + q->slack && leads_out(q, i, j);
    if (is_longer) {
      q->n--;
      for (int i = j; i < q->n; i++) q->touches[i] = q->touches[i + 1], q->sites[i] = q->sites[i + 1];
    } else {
      j++;
    }
  }
}

static bool is_in_plane_of(const meeting *q, const srs_touch *first, const srs_touch *other)
{
  const vec3 turn = sub3(first->normal, other->normal);
  return dot3(turn, turn) <= ONE_NORMAL * ONE_NORMAL &&
         fabs(dot3(first->normal, sub3(other->b, first->b))) <= q->near &&
         fabs(dot3(first->normal, sub3(other->a, first->a))) <= q->near + q->margin;
}

// Contact points of one plane are put one behind the other and reduced.
static void reduce_planes(meeting *q)
{
  int kept = 0;
  for (int begin = 0, end; begin < q->n; begin = end) {
    end = begin + 1;
    for (int i = end; i < q->n; i++) {
      if (!is_in_plane_of(q, &q->touches[begin], &q->touches[i])) continue;
      const srs_touch touch = q->touches[i];
      for (int k = i; k > end; k--) q->touches[k] = q->touches[k - 1];
      q->touches[end++] = touch;
    }
    const int n = srs_manifold_reduce(q->touches + begin, end - begin);
    for (int i = 0; i < n; i++) q->touches[kept++] = q->touches[begin + i];
  }
  q->n = kept;
}

// ---------------------------------------------------------------------------------------------------------------------
// Both
// ---------------------------------------------------------------------------------------------------------------------

int srs_surface_touches(const srs_terrain *const mesh[2], const srs_placed *const pose[2], double radius, double margin,
                        srs_surface_scratch *scratch, srs_touch *touches, int room)
{
  const double deepest = larger(SHALLOW * radius, smaller(mesh[1]->thickness, MOST_DEEP * radius));
  meeting q = {.pose = pose,
               .margin = margin,
               .deepest = deepest,
               .slack = SLACK * radius,
               .near = NEAR * radius,
               .turn = fmin(TURNS * margin / radius, MOST_TURN) + INSIDE_CONE,
               .touches = touches,
               .sites = scratch->sites,
               .room = room < scratch->n_sites ? room : scratch->n_sites};
  srs_surface_pair_make(mesh, pose, larger(margin, deepest) + q.slack, &q.pair);
  const int n_near = srs_surface_find_near(&q.pair, 0, scratch->near[0]);
  if (n_near == 0) return 0;
  const int n_other = srs_surface_find_near(&q.pair, 1, scratch->near[1]);
  const int n[2] = {n_near, n_other};
  for (int k = 0; k < 2; k++) {
    const int n_points = srs_surface_sharp_points(mesh[k], scratch->near[k], n[k], scratch->points[k]);
    for (int i = 0; i < n_points; i++) meet_point(&q, 1 - k, scratch->points[k][i]);
  }
  for (int i = 0; i < n_near; i++)
    for (int k = 0; k < 3; k++) meet_ridges(&q, scratch->near[0][i], k);
  if (q.n > q.room) return q.n;
  drop_longer_ways(&q);
  reduce_planes(&q);
  return q.n;
}
