// What a control loop calls besides the step takes no memory: parameters that change, and linearised steps.
#include "allocation/counted_allocator.h"
#include "support/world.h"
#include <sarrus/linearisation.h>
#include <sarrus/parameters.h>

#include <math.h>

static const char robot[] = "models:\n"
                            "  - name: r\n"
                            "    base: floating\n"
                            "    position: [0, 0, 0.06]\n"
                            "    links:\n"
                            "      - {name: body, mass: 2, inertia: [0.03, 0.04, 0.05]}\n"
                            "      - {name: arm, mass: 0.5, com: [0, 0, 0.15], inertia: [0.004, 0.004, 0.001]}\n"
                            "    joints: [{name: swing, kind: revolute, parent: body, child: arm, axis: [0, 1, 0], "
                            "friction: 0.01, lower: -1}]\n"
                            "    shapes: [{link: body, kind: box, size: [0.2, 0.3, 0.1]}]\n"
                            "  - name: plate\n"
                            "    links: [{name: top, mass: 1, inertia: [1, 1, 1]}]\n"
                            "    joints: [{name: way, kind: prismatic, child: top, axis: [1, 0, 0]}]\n"
                            "    couplings: [{follower: way, motion: {rate: 0}}]\n"
                            "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"
                            "contact: {capacity: 16}\n";

static void changed_parameters_and_resets_take_no_memory(void **state)
{
  (void)state;
  world w = load(robot);
  srs_coordinate_parameters swing;
  const double size[3] = {0.1, 0.2, 0.1}, gravity[3] = {0, 0, -3};
  assert_int_equal(srs_sim_get_coordinate_parameters(w.sim, 6, &swing), SRS_OK);
  const long before = requests;
  for (int i = 1; i <= 100; i++) {
    swing.friction = 0.001 * i;
    assert_int_equal(srs_sim_set_link_mass(w.sim, 0, i, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_coordinate_parameters(w.sim, 6, &swing, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_shape_material(w.sim, 0, 0.01 * i, 0, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_shape_size(w.sim, 0, size, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_gravity(w.sim, gravity, NULL), SRS_OK);
    assert_int_equal(srs_sim_set_motion(w.sim, 0, 0, 0.01 * i, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(w.sim, 5, NULL), SRS_OK);
    if (i % 10 == 0) srs_sim_reset(w.sim);
  }
  assert_int_equal(requests, before);
  unload(&w);
}

static void linearised_steps_take_no_memory(void **state)
{
  (void)state;
  world w = load(robot);
  srs_linearisation *l = NULL;
  assert_int_equal(srs_linearisation_create(w.sim, &l, NULL), SRS_OK);
  double A[16 * 16], B[16 * 8];
  assert_int_equal(srs_sim_step(w.sim, 100, NULL), SRS_OK); // it stands
  assert_int_equal(srs_sim_linearise(w.sim, l, A, B, NULL, NULL), SRS_OK);
  const long before = requests;
  for (int i = 0; i < 20; i++) {
    assert_int_equal(srs_sim_linearise(w.sim, l, A, B, NULL, NULL), SRS_OK);
    assert_int_equal(srs_sim_step(w.sim, 1, NULL), SRS_OK);
  }
  assert_int_equal(requests, before);
  srs_linearisation_destroy(l);
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changed_parameters_and_resets_take_no_memory),
      cmocka_unit_test(linearised_steps_take_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
