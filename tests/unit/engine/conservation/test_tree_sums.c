// Are the sums of a floating tree, taken from its tips inwards, those over its links one by one? Random trees with
// every joint kind, and trees whose hinges are parallel or square to each other.

#include "engine/conservation/floating_trees.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "support/sims.h"
#include "support/testing.h"

#include <stdio.h>
#include <stdlib.h>

// Mass, mass centre (3), momentum (3), angular momentum (3) and inertia (6) about the centre, world axes, all seen from
// the root's origin.
enum { SUMS = 16, SCALES = 5 };

static void store(double *to, double mass, vec3 centre, vec3 linear, vec3 angular, sym3 inertia)
{
  to[0] = mass;
  vec3_store(to + 1, centre);
  vec3_store(to + 4, linear);
  vec3_store(to + 7, angular);
  sym3_store(to + 10, inertia);
}

static vec3 packed(v3 a) { return (vec3){a[0], a[1], a[2]}; }

// Link by link, each from its own placement, velocity and inertia.
static void sum_links(srs_workspace *w, int root, const double *q, const double *v, double sums[SUMS])
{
  const srs_model *m = w->model;
  double mass = 0;
  vec3 moment = vec3_zero, linear = vec3_zero, angular = vec3_zero;
  sym3 inertia = sym3_zero;
  srs_place_links(w, q);
  srs_move_links(w, v);
  for (int pass = 0; pass < 2; pass++)
    for (int k = root; k < m->subtree_end[root]; k++) {
      const body b = body_in_world(m->inertia + 10 * (size_t)k, w->place[k].axes);
      const vec3 r = packed(w->place[k].origin - w->place[root].origin), c = scale3(1 / b.mass, packed(b.moment));
      if (pass == 0) {
        mass += b.mass;
        moment = add3(moment, scale3(b.mass, add3(r, c)));
        continue;
      }
      const v6 p = body_momentum(&b, w->velocity[k]);
      const v3 d = b.inertia.d, e = b.inertia.e;
      const sym3 own = {d[0], d[1], d[2], e[0], e[2], e[1]};
      const vec3 arm = sub3(r, scale3(1 / mass, moment));
      linear = add3(linear, packed(p.lin));
      angular = add3(angular, add3(packed(p.ang), cross3(arm, packed(p.lin))));
      const sym3 about_centre = sym3_add(own, sym3_point_mass(-b.mass, c));
      inertia = sym3_add(inertia, sym3_add(about_centre, sym3_point_mass(b.mass, add3(arm, c))));
    }
  store(sums, mass, scale3(1 / mass, moment), linear, angular, inertia);
}

static void sum_inwards(srs_floating_trees *f, srs_workspace *w, int t, const double *q, const double *v,
                        double sums[SUMS])
{
  mass_sum sum;
  const srs_root_axes *axes = &f->axes[t];
  srs_workspace_angles(w, q);
  srs_sum_tree(&f->frames, w, f->root[t], q, v, &f->axes[t], &sum);
  store(sums, sum.mass, sub3(sum.centre, axes->origin), sum.linear, rotate(axes->angular, sum.angular),
        sym3_rotate(axes->angular, sum.inertia));
}

// Compares all floating trees of a model in a random state.  @return their number
static int compare(testing_random *random, const srs_model *model)
{
  static const int begins[SCALES + 1] = {0, 1, 4, 7, 10, 16};
  srs_floating_trees *f;
  srs_workspace *w;
  srs_error error;
  double *q = calloc((size_t)srs_model_nq(model) + 1, sizeof *q),
         *v = calloc((size_t)srs_model_nv(model) + 1, sizeof *v);
  assert_int_equal(srs_floating_trees_create(model, &f), SRS_OK);
  assert_int_equal(srs_workspace_create(model, &w, &error), SRS_OK);
  testing_random_q(random, model, q);
  testing_random_v(random, model, 1, v);
  const int n = f != NULL ? f->n : 0;
  for (int t = 0; t < n; t++) {
    double expected[SUMS], found[SUMS];
    sum_inwards(f, w, t, q, v, found);
    sum_links(w, f->root[t], q, v, expected);
    for (int i = 0; i < SCALES; i++)
      testing_assert_close("sum", found + begins[i], expected + begins[i], begins[i + 1] - begins[i], 1e-12);
  }
  free(q), free(v);
  srs_workspace_destroy(w);
  srs_floating_trees_destroy(f);
  return n;
}

static void sums_of_random_trees_are_those_over_their_links(void **state)
{
  (void)state;
  static const int sizes[] = {1, 2, 3, 7, 20, 60};
  testing_random random = testing_random_start(1601);
  int n = 0;
  for (int s = 0; s < 6; s++)
    for (int round = 0; round < 200; round++) {
      srs_model *model = testing_random_model(&random, sizes[s], NULL, 0, 0.5 * (round % 3));
      n += compare(&random, model);
      srs_model_destroy(model);
    }
  print_message("%d trees\n", n);
  assert_true(n > 100);
}

static const char square[] =
    "models:\n"
    "  - name: m\n"
    "    base: floating\n"
    "    position: [1, 2, 3]\n"
    "    rotation: {rpy: [%s]}\n"
    "    links:\n"
    "      - {name: a, mass: 2, com: [0.1, 0, 0.2], inertia: [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]}\n"
    "      - {name: b, mass: 1, com: [0.1, 0.3, 0.2], inertia: [0.3, 0.2, 0.25, 0.01, 0.02, 0.03]}\n"
    "      - {name: c, mass: 3, com: [0.1, 0.3, 0], inertia: [0.4, 0.5, 0.6, 0.01, 0.02, 0.03]}\n"
    "      - {name: d, mass: 1, com: [0.1, 0.3, 0.1], inertia: [0.4, 0.5, 0.6, 0.01, 0, 0.03]}\n"
    "      - {name: e, mass: 1, com: [0, 0.3, 0.1], inertia: [0.4, 0.5, 0.6, 0.01, 0, 0]}\n"
    "      - {name: f, mass: 2, com: [0.2, 0.3, 0.1], inertia: [0.4, 0.5, 0.6, 0.01, 0, 0.01]}\n"
    "      - {name: g, mass: 2, com: [0.2, 0, 0.1], inertia: [0.4, 0.5, 0.6, 0, 0, 0.01]}\n"
    "    joints:\n"
    "      - {name: jb, kind: revolute, parent: a, child: b, axis: [0, 0, 1], origin: {position: [0.1, 0.2, 0.3]}}\n"
    "      - {name: jc, kind: revolute, parent: b, child: c, axis: [0, 0, 1], origin: {position: [0.3, 0.2, 0.1]}}\n"
    "      - {name: jd, kind: revolute, parent: c, child: d, axis: [1, 0, 0], origin: {position: [0, 0.2, 0.1]}}\n"
    "      - {name: je, kind: revolute, parent: d, child: e, axis: [-1, 0, 0], origin: {position: [0, 0.2, 0.1]}}\n"
    "      - {name: jf, kind: revolute, parent: c, child: f, axis: [0, 1, 0], origin: {position: [0.1, 0, 0.1]}}\n"
    "      - {name: jg, kind: prismatic, parent: f, child: g, axis: [0, 0, 1], origin: {position: [0.1, 0, 0.1]}}\n";

static void sums_of_square_trees_are_those_over_their_links(void **state)
{
  (void)state;
  static const char *turns[] = {"0, 0, 0", "0.3, -0.2, 1.1"};
  testing_random random = testing_random_start(1602);
  for (int i = 0; i < 2; i++) {
    char text[4096];
    snprintf(text, sizeof text, square, turns[i]);
    srs_scene *scene = scene_of_text(text);
    for (int round = 0; round < 20; round++) assert_int_equal(compare(&random, srs_scene_model(scene)), 1);
    srs_scene_destroy(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_of_random_trees_are_those_over_their_links),
      cmocka_unit_test(sums_of_square_trees_are_those_over_their_links),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
