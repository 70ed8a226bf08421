// Meshes that are not convex, for tests: a ball with a dent, a bowl, and how far two of them overlap by brute force.
#pragma once
#include "support/bodies.h"
#include "topology/base/spatial.h"

enum { DENTED_POINTS = 1024, DENTED_TRIANGLES = 2048 };

typedef struct dented_mesh {
  double points[3 * DENTED_POINTS];
  int triangles[3 * DENTED_TRIANGLES], n_points, n_triangles;
} dented_mesh;

static inline void dented_add_point(dented_mesh *m, double x, double y, double z)
{
  double *p = m->points + 3 * (size_t)m->n_points++;
  p[0] = x, p[1] = y, p[2] = z;
}

static inline void dented_add_triangle(dented_mesh *m, int a, int b, int c)
{
  int *t = m->triangles + 3 * (size_t)m->n_triangles++;
  t[0] = a, t[1] = b, t[2] = c;
}

/// A ball of `rings` times `sides` corners; around +z it is pressed in, up to half of its radius; each corner is moved
/// by up to `rough` of itself.
static inline void dented_ball(dented_mesh *m, double radius, int rings, int sides, double rough,
                               testing_random *random)
{
  const double pi = 3.14159265358979323846;
  m->n_points = m->n_triangles = 0;
  for (int i = 0; i <= rings; i++)
    for (int j = 0; j < (i == 0 || i == rings ? 1 : sides); j++) {
      const double down = pi * i / rings, turn = 2 * pi * j / sides, off = (1 - cos(down)) / 0.25;
      const double r = radius * (1 - 0.5 * exp(-off * off)) * (1 + testing_uniform(random, -rough, rough));
      dented_add_point(m, r * sin(down) * cos(turn), r * sin(down) * sin(turn), r * cos(down));
    }
  const int last = m->n_points - 1;
  for (int j = 0; j < sides; j++) {
    const int next = (j + 1) % sides;
    dented_add_triangle(m, 0, 1 + j, 1 + next);
    for (int i = 0; i + 2 < rings; i++) {
      const int a = 1 + i * sides;
      dented_add_triangle(m, a + j, a + sides + j, a + sides + next);
      dented_add_triangle(m, a + j, a + sides + next, a + next);
    }
    dented_add_triangle(m, last - sides + j, last, last - sides + next);
  }
}

/// A paraboloid of revolution, as high as half its radius; each corner is raised by up to `rough` radii. With a floor
/// underneath and a wall around where it is closed.
static inline void dented_bowl(dented_mesh *m, double radius, int rings, int sides, double rough, bool is_closed,
                               testing_random *random)
{
  const double pi = 3.14159265358979323846;
  m->n_points = m->n_triangles = 0;
  dented_add_point(m, 0, 0, 0);
  for (int i = 1; i <= rings; i++)
    for (int j = 0; j < sides; j++) {
      const double s = (double)i / rings, turn = 2 * pi * j / sides;
      const double up = i < rings ? testing_uniform(random, 0, rough) : 0;
      dented_add_point(m, radius * s * cos(turn), radius * s * sin(turn), radius * (0.5 * s * s + up));
    }
  for (int j = 0; j < sides; j++) {
    const int next = (j + 1) % sides;
    dented_add_triangle(m, 0, 1 + j, 1 + next);
    for (int i = 0; i + 1 < rings; i++) {
      const int a = 1 + i * sides;
      dented_add_triangle(m, a + j, a + sides + j, a + sides + next);
      dented_add_triangle(m, a + j, a + sides + next, a + next);
    }
  }
  if (!is_closed) return;
  const int n = m->n_points, rim = n - sides;
  for (int j = 0; j < sides; j++)
    dented_add_point(m, m->points[(ptrdiff_t)3 * (rim + j)], m->points[(ptrdiff_t)3 * (rim + j) + 1], -0.1 * radius);
  dented_add_point(m, 0, 0, -0.1 * radius);
  for (int j = 0; j < sides; j++) {
    const int next = (j + 1) % sides;
    dented_add_triangle(m, rim + j, n + j, n + next);
    dented_add_triangle(m, rim + j, n + next, rim + next);
    dented_add_triangle(m, n + sides, n + next, n + j);
  }
}

/// Mass, centre and inertia of what a mesh encloses, of uniform density.
static inline void dented_inertia(const dented_mesh *m, double density, srs_link_def *link)
{
  double volume = 0, first[3] = {0}, second[3][3] = {{0}};
  for (int t = 0; t < m->n_triangles; t++) {
    const double *p[3], sum_of = 1.0 / 120;
    for (int c = 0; c < 3; c++) p[c] = m->points + 3 * (size_t)m->triangles[3 * t + c];
    const double six = dot3(vec3_load(p[0]), cross3(vec3_load(p[1]), vec3_load(p[2])));
    volume += six / 6;
    for (int i = 0; i < 3; i++) {
      const double s = p[0][i] + p[1][i] + p[2][i];
      first[i] += six / 24 * s;
      for (int j = 0; j < 3; j++)
        second[i][j] += six * sum_of *
                        (p[0][i] * p[0][j] + p[1][i] * p[1][j] + p[2][i] * p[2][j] + s * (p[0][j] + p[1][j] + p[2][j]));
    }
  }
  double about[3][3], trace = 0;
  link->mass = density * volume;
  for (int i = 0; i < 3; i++) link->com[i] = first[i] / volume;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) about[i][j] = second[i][j] - volume * link->com[i] * link->com[j];
  for (int i = 0; i < 3; i++) trace += about[i][i];
  for (int i = 0; i < 3; i++) link->inertia[i] = density * (trace - about[i][i]);
  link->inertia[3] = -density * about[0][1], link->inertia[4] = -density * about[0][2];
  link->inertia[5] = -density * about[1][2];
}

static inline void dented_add_shape(srs_builder *builder, const dented_mesh *m, srs_shape_kind kind, const char *name,
                                    const char *link)
{
  srs_shape_def def = bodies_shape(kind, name, link, 0, 0, 0);
  def.points = m->points, def.n_points = m->n_points;
  def.triangles = m->triangles, def.n_triangles = m->n_triangles;
  bodies_add_shape(builder, &def);
}

static inline vec3 dented_corner(const dented_mesh *m, const srs_pose *pose, int t, int c)
{
  const vec3 p = vec3_load(m->points + 3 * (size_t)m->triangles[3 * t + c]);
  return add3(vec3_load(pose->position), rotate(mat3_from_rows(pose->rotation), p));
}

/// How far from a triangle a point is.
static inline double dented_distance(vec3 p, const vec3 corner[3])
{
  const vec3 n = cross3(sub3(corner[1], corner[0]), sub3(corner[2], corner[0]));
  double least = INFINITY;
  bool is_over = true;
  for (int c = 0; c < 3; c++) {
    const vec3 from = corner[c], along = sub3(corner[(c + 1) % 3], from);
    is_over = is_over && dot3(cross3(n, along), sub3(p, from)) >= 0;
    const double s = fmin(fmax(dot3(sub3(p, from), along) / dot3(along, along), 0), 1);
    least = fmin(least, norm3(sub3(p, add_scaled3(from, s, along))));
  }
  return is_over ? fabs(dot3(n, sub3(p, corner[0]))) / norm3(n) : least;
}

/// How deep a point is under a surface: its distance where more triangles turn towards it from inside than from outside
/// (the solid angle that they take, of closed surfaces 4 pi), else 0. Ground: its solid angle, over 2 pi, from below.
static inline double dented_depth(vec3 p, const dented_mesh *m, const srs_pose *pose, bool is_closed)
{
  double angle = 0, least = INFINITY;
  for (int t = 0; t < m->n_triangles; t++) {
    vec3 corner[3], r[3];
    double length[3];
    for (int c = 0; c < 3; c++) {
      corner[c] = dented_corner(m, pose, t, c);
      r[c] = sub3(corner[c], p), length[c] = norm3(r[c]);
    }
    const double below = length[0] * length[1] * length[2] + dot3(r[0], r[1]) * length[2] +
                         dot3(r[1], r[2]) * length[0] + dot3(r[2], r[0]) * length[1];
    angle += 2 * atan2(dot3(r[0], cross3(r[1], r[2])), below);
    least = fmin(least, dented_distance(p, corner));
  }
  const double full = 4 * 3.14159265358979323846;
  return angle > (is_closed ? 0.5 * full : 0) ? least : 0;
}

/// The deepest of points spread over the corners and edges of one mesh, under another.
static inline double dented_overlap(const dented_mesh *a, const srs_pose *at, const dented_mesh *b,
                                    const srs_pose *b_at, bool is_closed)
{
  enum { PARTS = 6 };
  double deepest = 0, reach = 0; // what is closed reaches no farther than its corners
  for (int i = 0; i < b->n_points; i++) reach = fmax(reach, norm3(vec3_load(b->points + 3 * (size_t)i)));
  for (int t = 0; t < a->n_triangles; t++)
    for (int c = 0; c < 3; c++) {
      if (a->triangles[3 * t + c] > a->triangles[3 * t + (c + 1) % 3]) continue; // each edge once
      const vec3 from = dented_corner(a, at, t, c), along = sub3(dented_corner(a, at, t, (c + 1) % 3), from);
      for (int i = 0; i <= PARTS; i++) {
        const vec3 p = add_scaled3(from, (double)i / PARTS, along);
        if (is_closed && norm3(sub3(p, vec3_load(b_at->position))) > reach) continue;
        deepest = fmax(deepest, dented_depth(p, b, b_at, is_closed));
      }
    }
  return deepest;
}
