// Polyhedra and polygons for tests of the ratio metric, and what it is by brute force.
#pragma once
#include "collision/ratio/ratio_metric.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A polytope where it is.
typedef struct stand {
  const srs_polytope *polytope;
  srs_pose pose;
} stand;

static inline vec3 random_point(testing_random *random, double most)
{
  const double x = testing_uniform(random, -most, most), y = testing_uniform(random, -most, most);
  return (vec3){x, y, testing_uniform(random, -most, most)};
}

static inline srs_polytope *polytope_of(const double *points, int n, int dimension, const double *centre)
{
  srs_polytope *polytope = NULL;
  srs_error error = {0};
  if (srs_polytope_create(points, n, dimension, centre, &polytope, &error) != SRS_OK) fail_msg("%s", error.message);
  return polytope;
}

static inline srs_polytope *box_of(double x, double y, double z)
{
  double points[24];
  const double half[3] = {x, y, z};
  for (int i = 0; i < 24; i++) points[i] = ((i / 3) >> (i % 3) & 1 ? 1 : -1) * half[i % 3];
  return polytope_of(points, 8, 3, NULL);
}

static inline srs_polytope *tetrahedron(void)
{
  return polytope_of((const double[]){1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1}, 4, 3, NULL);
}

static inline srs_polytope *icosahedron(void)
{
  const double phi = (1 + sqrt(5)) / 2;
  double points[36];
  for (int i = 0; i < 12; i++) {
    const double v[3] = {0, i & 1 ? 1 : -1, i & 2 ? phi : -phi};
    for (int k = 0; k < 3; k++) points[3 * i + k] = v[(k + i / 4) % 3];
  }
  return polytope_of(points, 12, 3, (const double[]){0, 0, 0});
}

// Points about a sphere of radius 1, `rough` of it in and out: corners of all degrees.
static inline srs_polytope *random_ball(testing_random *random, int n, double rough)
{
  double *points = malloc(3 * (size_t)n * sizeof *points);
  for (int i = 0; i < n; i++) {
    vec3 p = random_point(random, 1);
    while (norm3(p) < 0.2) p = random_point(random, 1);
    vec3_store(points + 3 * (size_t)i, scale3((1 + testing_uniform(random, -rough, rough)) / norm3(p), p));
  }
  srs_polytope *polytope = polytope_of(points, n, 3, NULL);
  free(points);
  return polytope;
}

static inline srs_polytope *random_polygon(testing_random *random, int n)
{
  double points[128];
  for (int i = 0; i < n; i++) {
    const double angle = (i + testing_uniform(random, 0, 0.8)) * 6.283185307179586 / n;
    const double radius = testing_uniform(random, 0.7, 1.3);
    double *point = points + 2 * (size_t)i;
    point[0] = radius * cos(angle), point[1] = radius * sin(angle);
  }
  return polytope_of(points, n, 2, NULL);
}

static inline srs_pose random_pose(testing_random *random, int dimension, double most)
{
  srs_pose pose = srs_identity_pose();
  double q[4] = {1, 0, 0, 0};
  for (int k = 0; k < 4; k++) q[k] = testing_uniform(random, -1, 1);
  if (dimension == 2) q[1] = q[2] = 0;
  srs_rotation_from_quaternion(q, pose.rotation);
  vec3_store(pose.position, random_point(random, most));
  if (dimension == 2) pose.position[2] = 0;
  return pose;
}

static inline vec3 centre_of(const stand *s)
{
  return add3(vec3_load(s->pose.position), rotate(mat3_from_rows(s->pose.rotation), s->polytope->centre));
}

static inline vec3 corner_of(const stand *s, int i) // from the centre, world axes
{
  return rotate(mat3_from_rows(s->pose.rotation), s->polytope->corners[i]);
}

static inline vec3 facet_normal(const stand *s, int i)
{
  return rotate(mat3_from_rows(s->pose.rotation), s->polytope->normals[i]);
}

static inline double support_of(const stand *s, vec3 n)
{
  double most = -INFINITY;
  for (int i = 0; i < s->polytope->n_corners; i++) most = fmax(most, dot3(n, corner_of(s, i)));
  return most;
}

static inline vec3 edge_along(const stand *s, int i)
{
  return sub3(corner_of(s, s->polytope->edges[i].to), corner_of(s, s->polytope->edges[i].from));
}

// n . d / h(n): what the direction n asks for.
static inline double asked_by(const stand *one, const stand *two, vec3 n)
{
  const double h = support_of(one, n) + support_of(two, scale3(-1, n));
  return dot3(n, sub3(centre_of(two), centre_of(one))) / h;
}

// The greatest of all face normals and edge crosses.
static inline double ratio_by_supports(const stand *one, const stand *two)
{
  double r = 0;
  for (int i = 0; i < one->polytope->n_facets; i++) r = fmax(r, asked_by(one, two, facet_normal(one, i)));
  for (int i = 0; i < two->polytope->n_facets; i++) r = fmax(r, asked_by(one, two, scale3(-1, facet_normal(two, i))));
  for (int i = 0; i < one->polytope->n_edges; i++)
    for (int k = 0; k < two->polytope->n_edges; k++) {
      const vec3 a = edge_along(one, i), b = edge_along(two, k), m = cross3(a, b);
      if (norm3(m) <= 1e-9 * norm3(a) * norm3(b)) continue;
      r = fmax(r, asked_by(one, two, m));
      r = fmax(r, asked_by(one, two, scale3(-1, m)));
    }
  return r;
}

static inline bool ratio_of(const stand *one, const stand *two, const srs_ratio *last, srs_ratio *ratio)
{
  return srs_ratio_metric(one->polytope, &one->pose, two->polytope, &two->pose, last, ratio);
}
