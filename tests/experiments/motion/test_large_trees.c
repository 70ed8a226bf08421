// Do large trees of MJCF run by the implicit integrators? Drawn ones of 50 to 150 joints, with springs, dampers, dry
// friction, limits and rotors, fall for half a second. Each step converges and is solved.
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_JOINTS = 150, ROOM = 1 << 17 };

typedef struct tree {
  int parent[MOST_JOINTS], n;
  char text[ROOM];
  size_t used;
} tree;

static void add(tree *t, const char *format, double a, double b, double c)
{
  const int n = snprintf(t->text + t->used, ROOM - t->used, format, a, b, c);
  assert_true(n >= 0 && t->used + (size_t)n < ROOM);
  t->used += (size_t)n;
}

static void add_body(tree *t, testing_random *random, int i)
{
  static const char *const kinds[] = {"hinge", "hinge", "hinge", "slide", "ball"};
  double u[9];
  for (int k = 0; k < 9; k++) u[k] = testing_uniform(random, -1, 1);
  const char *kind = kinds[testing_below(random, 5)];
  add(t, "<body pos='%g %g %g'>", 0.2 * u[0], 0.2 * u[1], 0.2 * u[2]);
  add(t, "<joint", 0, 0, 0);
  t->used += (size_t)snprintf(t->text + t->used, ROOM - t->used, " type='%s'", kind);
  if (kind[0] != 'b') add(t, " axis='%g %g %g'", u[3], u[4], 1.1 + u[5]);
  if (testing_below(random, 3) == 0) add(t, " damping='%g'", 1 + u[6], 0, 0);
  if (testing_below(random, 3) == 0) add(t, " stiffness='%g'", 10 + 10 * u[7], 0, 0);
  if (testing_below(random, 3) == 0) add(t, " frictionloss='%g'", 0.25 + 0.25 * u[8], 0, 0);
  if (testing_below(random, 3) == 0 && kind[0] != 'b') add(t, " range='-0.5 0.5'", 0, 0, 0);
  if (testing_below(random, 3) == 0) add(t, " armature='%g'", 0.02 + 0.019 * u[6], 0, 0);
  add(t, "/><geom type='capsule' size='0.02' contype='0' conaffinity='0' fromto='0 0 0 %g %g %g'/>\n", 0.2 * u[1],
      0.2 * u[3], 0.1 + 0.05 * u[5]);
  for (int k = i + 1; k < t->n; k++)
    if (t->parent[k] == i) add_body(t, random, k);
  add(t, "</body>\n", 0, 0, 0);
}

static void large_trees_fall(void **state)
{
  (void)state;
  static tree t;
  static const srs_integrator integrators[] = {SRS_IMPLICIT_EULER, SRS_IMPLICIT_MOREAU};
  testing_random random = testing_random_start(931);
  for (int i = 0; i < 8; i++) {
    t.n = 50 + testing_below(&random, 101), t.used = 0;
    const bool is_long = i % 2 == 0; // a chain with short branches, or a bush
    for (int k = 0; k < t.n; k++)
      t.parent[k] = k == 0 ? -1 : is_long ? k - 1 - testing_below(&random, k < 3 ? k : 3) : testing_below(&random, k);
    add(&t, "<mujoco><compiler angle='radian'/><worldbody>\n", 0, 0, 0);
    for (int k = 0; k < t.n; k++)
      if (t.parent[k] < 0) add_body(&t, &random, k);
    add(&t, "</worldbody></mujoco>\n", 0, 0, 0);
    srs_scene *scene = scene_of_file(testing_write("tree.xml", t.text));
    srs_sim_options options = srs_scene_get_settings(scene)->sim;
    options.integrator = integrators[i / 2 % 2];
    srs_sim *sim = sim_of_scene(scene, &options);
    srs_error error;
    if (srs_sim_step(sim, 250, &error) != SRS_OK) fail_msg("%d joints: %s", t.n, error.message);
    assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
    for (int k = 0; k < srs_model_nv(srs_sim_model(sim)); k++) assert_true(isfinite(srs_sim_v(sim)[k]));
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(large_trees_fall)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
