// Do the columns say what acted? Against the rows of the step, and what is at rest against its weight.

#include "engine/output/columns/column_sources.h"
#include "support/scene_cases.h"
#include "support/sims.h"

#include <math.h>
#include <string.h>

// An arm with its bob against a stop, a wheel that friction holds against a torque, a cart on a cut slider that a
// servo holds against its weight, a ball joint on its cone.
static const char scene_text[] = "gravity: [0, 0, -10]\n"
                                 "models:\n- name: m\n  links:\n"
                                 "  - {name: arm, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
                                 "  - {name: wheel, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
                                 "  - {name: cart, mass: 3, inertia: [0.1, 0.1, 0.1]}\n"
                                 "  - {name: bob, mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
                                 "  joints:\n"
                                 "  - {name: stop, kind: revolute, child: arm, axis: [0, 1, 0], lower: -1, upper: 0}\n"
                                 "  - {name: brake, kind: revolute, child: wheel, axis: [0, 0, 1], friction: 5}\n"
                                 "  - {name: carry, kind: free, child: cart}\n"
                                 "  - {name: ball, kind: spherical, child: bob, axis: [1, 0, 0], max_swing: 0.5, "
                                 "min_twist: -1, max_twist: 1, damping: "
                                 "[0.2, 0.2, 0.2]}\n"
                                 "  closures:\n"
                                 "  - {name: lift, kind: prismatic, frame_b: cart, axis: [0, 0, 1], max_effort: 100, "
                                 "lower: -5, upper: 5, friction: 1}\n"
                                 "actuators: [{coordinate: brake, torque: 2}, {closure: lift, kp: 1e4, kd: 1e3}]\n"
                                 "duration: 3\noutput: {efforts: true}\n";

static double value_of(const srs_columns *c, const char *name)
{
  for (int i = 0; i < c->n; i++)
    if (strcmp(c->names[i], name) == 0) return c->values[i];
  fail_msg("no column '%s'", name);
  return 0;
}

static void columns_say_what_actuators_limits_and_friction_hold(void **state)
{
  (void)state;
  srs_scene *scene = NULL;
  srs_error error;
  if (load_text(scene_text, &scene, &error) != SRS_OK) fail_msg("line %d: %s", error.line, error.message);
  srs_sim *sim = sim_of_scene(scene, NULL);
  assert_true(srs_scene_get_settings(scene)->output.efforts);
  srs_arena arena = {0};
  srs_columns c;
  assert_int_equal(srs_row_columns_make(&arena, sim, &c, &error), SRS_OK);
  step(sim, 3000);
  srs_row_columns_fill(&c, sim, &error);
  for (int i = 0; i < c.n; i++) print_message("%s [%s] %.12g\n", c.names[i], c.units[i], c.values[i]);
  assert_int_equal(c.n, srs_model_nv(srs_sim_model(sim)) + 1 + 1 + 1 + 2 + 2);
  assert_true(fabs(value_of(&c, "limit:stop") + 10) < 1e-9);     // 2 kg at 0.5 m, off the upper stop
  assert_true(fabs(value_of(&c, "effort:brake") - 2) < 1e-12);   // the torque
  assert_true(fabs(value_of(&c, "friction:brake") + 2) < 1e-12); // all of it held
  const double lift = value_of(&c, "effort:lift"), rubs = value_of(&c, "friction:lift");
  assert_true(fabs(lift + rubs - 30) < 1e-9 && fabs(rubs) < 1 + 1e-9); // the cart's weight
  assert_true(value_of(&c, "limit:lift") == 0);
  assert_true(fabs(value_of(&c, "limit:ball.swing") + 2 * cos(0.5)) < 1e-3); // nearly at rest
  srs_arena_release(&arena);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_say_what_actuators_limits_and_friction_hold)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
