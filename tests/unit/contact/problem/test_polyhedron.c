// Friction polyhedra: directions, sums over them, nearest points.
#include "contact/problem/friction_set.h"
#include "contact/problem/polyhedron.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

static void directions_are_unit_and_come_with_their_opposites(void **state)
{
  (void)state;
  for (int n = 4; n <= SRS_POLYHEDRON_MOST; n += 2) {
    srs_polyhedron p;
    srs_polyhedron_make(n, 0.1, &p);
    for (int k = 0; k < n; k++) {
      const double *d = p.direction[k], *o = p.direction[(k + n / 2) % n], angle = 0.1 + 6.283185307179586 * k / n;
      assert_true(fabs(d[0] - cos(angle)) < 4e-15 && fabs(d[1] - sin(angle)) < 4e-15); // the angle rounds too
      assert_true(d[0] == -o[0] && d[1] == -o[1]);
    }
  }
}

static double hull_size(const srs_polyhedron *p, int d, const double *t) // the gauge: 1 on the surface
{
  double most = 0;
  for (int k = 0; k < p->n && d >= 2; k++) {
    const double *a = p->direction[k], *b = p->direction[(k + 1) % p->n];
    const double m[2] = {a[0] + b[0], a[1] + b[1]};
    most = fmax(most, (m[0] * t[0] + m[1] * t[1]) / (m[0] * a[0] + m[1] * a[1]));
  }
  for (int k = srs_polyhedron_single(d); k < d; k++) most += fabs(t[k]);
  return most;
}

static void sums_over_directions_give_the_vector_with_the_least_weights(void **state)
{
  (void)state;
  testing_random random = testing_random_start(376);
  for (int i = 0; i < 3000; i++) {
    const int d = 1 + i % 5;
    srs_polyhedron p;
    srs_polyhedron_make(4 + 2 * testing_below(&random, 4), testing_uniform(&random, 0, 1), &p);
    double t[5], beta[SRS_POLYHEDRON_SETS_MOST], back[5] = {0}, sum = 0;
    for (int k = 0; k < d; k++) t[k] = testing_uniform(&random, -1, 1);
    srs_polyhedron_spread(&p, d, t, beta);
    const int n = srs_polyhedron_directions(&p, d);
    for (int k = 0; k < n; k++) {
      assert_true(beta[k] >= 0);
      sum += beta[k];
      if (d >= 2 && k < p.n) {
        for (int j = 0; j < 2; j++) back[j] += beta[k] * p.direction[k][j];
      } else {
        const int single = d >= 2 ? k - p.n : k;
        back[srs_polyhedron_single(d) + single / 2] += (single % 2 == 0 ? 1 : -1) * beta[k];
      }
    }
    for (int k = 0; k < d; k++) assert_true(fabs(back[k] - t[k]) < 1e-14);
    assert_true(fabs(sum - hull_size(&p, d, t)) < 1e-14);
  }
}

static void the_projection_is_the_nearest_point(void **state)
{
  (void)state;
  testing_random random = testing_random_start(375);
  for (int i = 0; i < 200; i++) {
    srs_polyhedron p;
    srs_polyhedron_make(4 + 2 * testing_below(&random, 4), testing_uniform(&random, 0, 1), &p);
    const double mu = testing_uniform(&random, 0.1, 2);
    const double x[3] = {testing_uniform(&random, 0.1, 1), testing_uniform(&random, -1, 1),
                         testing_uniform(&random, -1, 1)};
    const double w[3] = {testing_uniform(&random, -1, 1), testing_uniform(&random, -2, 2),
                         testing_uniform(&random, -2, 2)};
    const double t1 = x[1] - w[1], t2 = x[2] - w[2], radius = mu * x[0];
    double best = INFINITY, q1 = t1, q2 = t2;
    bool is_inside = true;
    for (int k = 0; k < p.n; k++) {
      const double *a = p.direction[k], *b = p.direction[(k + 1) % p.n];
      if ((b[0] - a[0]) * (t2 - radius * a[1]) - (b[1] - a[1]) * (t1 - radius * a[0]) < 0) is_inside = false;
      for (int s = 0; s <= 2000; s++) {
        const double u = s / 2000.0, c1 = radius * (a[0] + u * (b[0] - a[0])), c2 = radius * (a[1] + u * (b[1] - a[1]));
        const double d = hypot(c1 - t1, c2 - t2);
        if (d < best) best = d, q1 = c1, q2 = c2;
      }
    }
    if (is_inside) q1 = t1, q2 = t2;
    const double n = fmin(x[0], w[0]), expected = sqrt(n * n + (x[1] - q1) * (x[1] - q1) + (x[2] - q2) * (x[2] - q2));
    assert_true(fabs(sqrt(srs_polyhedron_defect(&p, 2, x, w, mu)) - expected) < 3e-3); // the search's grid
  }
}

// With spin or one tangent, without a search: q is the nearest point to y of a convex set iff q is in it and no corner
// c of it has (c - q) . (y - q) > 0. The defect tells |x - q|; a contact whose x is q has none.
static void the_nearest_point_of_a_double_pyramid_leaves_no_corner_before_it(void **state)
{
  (void)state;
  testing_random random = testing_random_start(377);
  int kinds[3] = {0};
  for (int i = 0; i < 3000; i++) {
    srs_polyhedron p;
    srs_polyhedron_make(4 + 2 * testing_below(&random, 4), testing_uniform(&random, 0, 1), &p);
    // A point q of the set and a step along its normal cone: on a face, an edge or at a corner.
    const int k = testing_below(&random, p.n), kind = testing_below(&random, 3);
    const double side = testing_below(&random, 2) == 0 ? 1 : -1, mu = testing_uniform(&random, 0.1, 2), n = 0.8;
    double u[3] = {testing_uniform(&random, 0.1, 1), testing_uniform(&random, 0.1, 1),
                   testing_uniform(&random, 0.1, 1)};
    if (kind > 0) u[0] = 0;
    if (kind > 1) u[1] = 0;
    const double all = u[0] + u[1] + u[2];
    const double *a = p.direction[k], *b = p.direction[(k + 1) % p.n], *c = p.direction[(k + p.n - 1) % p.n];
    // corners: a, b, apex with shares u_2, u_0, u_1
    const double q[3] = {mu * n * (u[2] * a[0] + u[0] * b[0]) / all, mu * n * (u[2] * a[1] + u[0] * b[1]) / all,
                         side * mu * n * u[1] / all};
    double normal[3] = {0};
    for (int face = 0; face < 4; face++) { // at a: faces to b and to c, above and below
      const double *o = face % 2 == 0 ? b : c, m[2] = {0.5 * (a[0] + o[0]), 0.5 * (a[1] + o[1])};
      const double square = m[0] * m[0] + m[1] * m[1], up = face < 2 ? side : -side;
      const bool touches = face == 0 || (kind >= 1 && face == 1) || (kind == 2 && face >= 2);
      const double share = touches ? testing_uniform(&random, 0.1, 1) : 0;
      normal[0] += share * m[0] / square, normal[1] += share * m[1] / square, normal[2] += share * up;
    }
    const double x[4] = {n, q[0], q[1], q[2]}, w[4] = {n, -normal[0], -normal[1], -normal[2]};
    assert_true(fabs(srs_polyhedron_defect(&p, 3, x, w, mu) - n * n) < 1e-14);
    const double away[4] = {n, q[0] + 0.1, q[1], q[2]}, pull[4] = {n, 0.1 - normal[0], -normal[1], -normal[2]};
    assert_true(fabs(srs_polyhedron_defect(&p, 3, away, pull, mu) - n * n - 0.01) < 1e-14);
    kinds[kind]++;
  }
  assert_true(kinds[0] > 500 && kinds[1] > 500 && kinds[2] > 500);
  srs_polyhedron p;
  srs_polyhedron_make(4, 0, &p);
  const double inside[4] = {1, 0.1, 0.1, 0.1}, still[4] = {0, 0.05, 0, -0.05};
  assert_true(fabs(srs_polyhedron_defect(&p, 3, inside, still, 1) - 0.005) < 1e-16);
  const double out[2] = {1, -0.3}, slip[2] = {0, 4};
  assert_true(fabs(srs_polyhedron_defect(&p, 1, out, slip, 0.5) - 0.04) < 1e-15); // to -0.5
  assert_true(srs_polyhedron_defect(&p, 0, out, slip, 0.5) == 0);
}

// With rolling, drawn: z - q is in the cone of normals at q, so that q is the nearest point to z. The judge's set,
// which finds it on other lines in long double, agrees.
static void nearest_points_with_rolling_leave_no_direction_before_them(void **state)
{
  (void)state;
  testing_random random = testing_random_start(378);
  int outside = 0;
  for (int i = 0; i < 4000; i++) {
    const int d = 4 + i % 2, n = 4 + 2 * testing_below(&random, 6);
    const double angle = testing_uniform(&random, 0, 1), radius = i % 7 == 0 ? 0 : testing_uniform(&random, 0.1, 2);
    const double size = pow(10, testing_uniform(&random, -1, 2));
    srs_polyhedron p;
    srs_friction_set set;
    srs_polyhedron_make(n, angle, &p);
    srs_friction_set_make(n, angle, &set);
    double x[6] = {1, 0, 0, 0, 0, 0}, w[6] = {0};
    srs_wide t[5], q[5], away = 0, gauge = 0, most = 0;
    for (int k = 0; k < d; k++) {
      t[k] = testing_below(&random, 5) == 0 ? 0 : size * testing_uniform(&random, -1, 1);
      w[1 + k] = -(double)t[k];
    }
    const bool is_inside = srs_friction_set_project(&set, d, radius, t, q);
    outside += !is_inside;
    gauge = srs_friction_set_gauge(&set, d, q);
    assert_true(gauge <= radius + 1e-15L * (1 + size));
    for (int k = 0; k < d; k++) away += (t[k] - q[k]) * q[k];
    srs_wide pull[5];
    for (int k = 0; k < d; k++) pull[k] = q[k] - t[k];
    most = radius * srs_friction_set_slip(&set, d, pull); // over the set; it is reached at q
    assert_true(fabsl(away - most) <= 1e-14L * (1 + size) * (1 + size));
    for (int k = 0; k < d; k++) x[1 + k] = (double)q[k];
    for (int k = 0; k < d; k++)
      w[1 + k] = (double)(q[k] - t[k]); // a contact whose x is q has no defect but its normal's
    assert_true(fabs(srs_polyhedron_defect(&p, d, x, w, radius)) <= 1e-26 * (1 + size) * (1 + size));
    x[1] += 0.1, w[1] += 0.1;
    assert_true(fabs(srs_polyhedron_defect(&p, d, x, w, radius) - 0.01) <= 1e-13 * (1 + size));
  }
  assert_true(outside > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(directions_are_unit_and_come_with_their_opposites),
      cmocka_unit_test(sums_over_directions_give_the_vector_with_the_least_weights),
      cmocka_unit_test(the_projection_is_the_nearest_point),
      cmocka_unit_test(the_nearest_point_of_a_double_pyramid_leaves_no_corner_before_it),
      cmocka_unit_test(nearest_points_with_rolling_leave_no_direction_before_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
