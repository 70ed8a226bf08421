// Does the large disc come up when small ones are shaken with it? (Hart & Anitescu 2003, section 3; Hart's thesis, 7)
//
// With SARRUS_LONG the whole 75 s, 40 shakes; else the first two.
#include "support/piles.h"

enum { STEPS_A_SECOND = 10 };

static double coordinate(const world *w, const char *name)
{
  for (int i = 0; i < srs_model_nq(w->model); i++)
    if (strcmp(srs_model_q_name(w->model, i), name) == 0) return srs_sim_q(w->sim)[i];
  fail_msg("no coordinate %s", name);
  return 0;
}

// How far the nut's bottom is above the floor after `seconds`.
static double shake(world *w, double seconds)
{
  step(w->sim, lround(STEPS_A_SECOND * seconds));
  const srs_sim_statistics *s = srs_sim_get_statistics(w->sim);
  const double rise = coordinate(w, "nut/plane.y") - 4 - coordinate(w, "floor/lift");
  print_message("%g s: it rises by %.2f m; %ld problems, %.1f iterations, residual %.2g, at most %d contacts\n",
                seconds, rise, s->solves, (double)s->iterations / (double)s->solves, s->residual_max, s->contacts_max);
  assert_int_equal(s->failures, 0);
  assert_true(s->residual_max <= 1e-8);
  return rise;
}

static bool is_long(void) { return getenv("SARRUS_LONG") != NULL; }

static void the_sample_does(void **state)
{
  (void)state;
  world w = world_of_scene(scene_of_file(testing_source("samples/brazil_nut.yaml")));
  assert_int_equal(srs_model_n_links(w.model), 202); // and the floor
  const double rise = shake(&w, is_long() ? 75 : 3.75);
  if (is_long()) assert_true(rise >= 5);
  unload(&w);
}

static void with_270_bodies_it_does(void **state)
{
  (void)state;
  const pile p = {.n = 269,
                  .width = 24,
                  .nut = 4,
                  .is_shaken = true,
                  .distance = 1,
                  .dt = 1.0 / STEPS_A_SECOND,
                  .solver = "name: relaxed, tolerance: 1e-8"};
  world w = pile_world(&p);
  const double rise = shake(&w, is_long() ? 75 : 3.75);
  if (is_long()) assert_true(rise >= 5);
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_sample_does),
      cmocka_unit_test(with_270_bodies_it_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
