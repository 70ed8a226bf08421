// Do many bodies stay where they are put? A field of cubes, towers.
#include "support/piles.h"
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

// n free cubes of 0.1 m and 1 kg; position(k, p) says where, the floor is z = 0.
static srs_scene *cubes(int n, void (*position)(int k, double p[3]))
{
  const size_t size = 512 * (size_t)(n + 2);
  char *text = malloc(size), *at = text;
  assert_non_null(text);
  at += snprintf(at, size, "models:\n");
  for (int k = 0; k < n; k++) {
    double p[3];
    position(k, p);
    at += snprintf(at, size - (size_t)(at - text),
                   "  - {name: c%d, base: floating, position: [%.17g, %.17g, %.17g], links: [{name: l, mass: 1, "
                   "inertia: [%.17g, %.17g, %.17g]}], shapes: [{link: l, kind: box, size: [0.1, 0.1, 0.1]}]}\n",
                   k, p[0], p[1], p[2], 1.0 / 600, 1.0 / 600, 1.0 / 600);
  }
  (void)snprintf(at, size - (size_t)(at - text),
                 "environment: [{name: ground, shape: half-space, normal: [0, 0, 1], offset: 0}]\n");
  srs_scene *scene = scene_of_text(text);
  free(text);
  return scene;
}

// F63: no cap drops any of 3600 contacts.

static void in_a_field(int k, double p[3])
{
  const int row = k / 30, column = k % 30;
  p[0] = 0.15 * column, p[1] = 0.15 * row, p[2] = 0.05;
}

static void nine_hundred_cubes_stay(void **state)
{
  (void)state;
  enum { N = 900 };
  srs_scene *scene = cubes(N, in_a_field);
  srs_sim *sim = sim_of_scene(scene, NULL);
  step(sim, 200);
  int n;
  const srs_sim_contact *c = srs_sim_contacts(sim, &n);
  assert_int_equal(n, 4 * N);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (c[i].contact.link_a >= 0 ? 1 : -1) * c[i].force[2];
  assert_true(fabs(sum / (N * g) - 1) < 1e-8);
  for (int k = 0; k < N; k++) {
    double p[3];
    in_a_field(k, p);
    for (int i = 0; i < 3; i++) assert_true(fabs(srs_sim_q(sim)[7 * k + i] - p[i]) < 1e-6);
  }
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// A tower: every cube stays on the one below it, which carries what is above.

static void in_a_tower(int k, double p[3]) { p[0] = p[1] = 0, p[2] = 0.05 + 0.1 * k; }

static void tower(int n, double apart, long steps)
{
  srs_scene *scene = cubes(n, in_a_tower);
  srs_sim *sim = sim_of_scene(scene, NULL);
  double q[70];
  memcpy(q, srs_sim_q(sim), 7 * (size_t)n * sizeof *q);
  for (int k = 0; k < n; k++) q[7 * k + 2] += apart * (k + 1);
  assert_int_equal(srs_sim_set_state(sim, 0, q, NULL, NULL), SRS_OK);
  step(sim, steps);
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  double moved = 0;
  for (int k = 0; k < n; k++) {
    double p[3];
    in_a_tower(k, p);
    for (int i = 0; i < 3; i++) moved = fmax(moved, fabs(srs_sim_q(sim)[7 * k + i] - p[i]));
  }
  int n_contacts;
  const srs_sim_contact *c = srs_sim_contacts(sim, &n_contacts);
  double floor = 0;
  for (int i = 0; i < n_contacts; i++)
    if (c[i].contact.link_a < 0 || c[i].contact.link_b < 0)
      floor += (c[i].contact.link_a >= 0 ? 1 : -1) * c[i].force[2];
  print_message("%d cubes, %ld steps: moved by %.2g m, force on the floor off by %.2g, %ld of %ld unsolved, residual "
                "%.2g, %.1f iterations in the mean\n",
                n, steps, moved, floor / (n * g) - 1, s->failures, s->solves, s->residual_max,
                (double)s->iterations / (double)s->solves);
  assert_int_equal(s->failures, 0);
  assert_true(s->residual_max <= 1e-12 && s->iterations < 3 * s->solves);
  assert_true(moved < 1e-6);
  assert_true(fabs(floor / (n * g) - 1) < 1e-8);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void towers_stand(void **state)
{
  (void)state;
  const bool is_long = getenv("SARRUS_LONG") != NULL; // 20 s of ten cubes: minutes under the sanitizers
  tower(2, 0, 20000);
  tower(3, 0, is_long ? 20000 : 5000);
  tower(10, 0, is_long ? 20000 : 1000);
  tower(10, 1e-3, is_long ? 2000 : 500); // let go 1 mm apart
}

// Discs with friction that fall and settle, as wide as high: Newton's method ends at contacts that can neither stick
// nor slide from nearly every start.
static void heaps_of_discs_settle_with_nothing_unsolved(void **state)
{
  (void)state;
  static const char *const solvers[] = {"mncp-rlm", "mncp-plm", "mlcp-pfb-rlm"};
  const bool is_long = getenv("SARRUS_LONG") != NULL;
  for (int k = 0; k < (is_long ? 9 : 3); k++) {
    char solver[64];
    snprintf(solver, sizeof solver, "name: %s, tolerance: 1e-8", solvers[k % 3]);
    const int n = k < 3 ? 100 : k < 6 ? 200 : 500;
    const pile p = {.n = n, .width = 24 * sqrt(n / 200.0), .distance = 0.3, .dt = 0.05, .solver = solver};
    world w = pile_world(&p);
    srs_error error;
    if (srs_sim_step(w.sim, is_long ? 20 : 15, &error) != SRS_OK) fail_msg("%s", error.message);
    const srs_sim_statistics *s = srs_sim_get_statistics(w.sim);
    print_message("%s: %d contacts, residual %.3g\n", solvers[k % 3], s->contacts_max, s->residual_max);
    assert_int_equal(s->failures, 0);
    unload(&w);
  }
}

// With every solver, by blocks and whole; much less than some of them need.
static void work_on_a_heap_is_bounded(void **state)
{
  (void)state;
  static const char *const laws[] = {"", ", impact: poisson", ", corners: max"};
  const double most_work = 3e7;
  for (int k = 0; k < 3 * SRS_CONTACT_METHODS; k++) {
    char solver[96];
    snprintf(solver, sizeof solver, "name: %s, most_work: %g", srs_contact_method_name((srs_contact_method)(k / 3)),
             most_work);
    const pile p = {
        .n = 60, .width = 24 * sqrt(0.3), .distance = 0.3, .dt = 0.05, .solver = solver, .contact = laws[k % 3]};
    world w = pile_world(&p);
    srs_error error;
    if (srs_sim_step(w.sim, 4, &error) != SRS_OK) fail_msg("%s", error.message);
    const srs_sim_statistics *s = srs_sim_get_statistics(w.sim);
    print_message("%s%s: %d contacts, %ld unsolved, work %.3g of %.3g\n", solver, laws[k % 3], s->contacts_max,
                  s->failures, s->work_max, s->most_work_max);
    assert_true(s->work_max > 0 && s->work_max <= s->most_work_max && s->step_work_max <= s->step_most_work_max);
    assert_true(s->most_work_max == most_work);
    unload(&w);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nine_hundred_cubes_stay),
      cmocka_unit_test(towers_stand),
      cmocka_unit_test(heaps_of_discs_settle_with_nothing_unsolved),
      cmocka_unit_test(work_on_a_heap_is_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
