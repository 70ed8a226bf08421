// Does a step, or any quantity, take memory? malloc, calloc, realloc and aligned_alloc are interposed and counted. Own
// binary; not built under the sanitizers, which interpose them too.

#include "allocation/counted_allocator.h"
#include "support/linkages.h"
#include "support/mechanisms.h"
#include "support/piles.h"

#include <stdio.h>
#include <stdlib.h>

static srs_model *mechanism(testing_random *random)
{
  return testing_random_model(random, 12, NULL, 0, 0.7); // every kind of joint
}

static void the_counter_counts(void **state)
{
  (void)state;
  const long before = requests;
  void *volatile memory = malloc(10);
  free(memory);
  assert_true(requests > before);
}

static void ten_thousand_steps_take_no_memory(void **state)
{
  (void)state;
  testing_random random = testing_random_start(11);
  srs_model *model = mechanism(&random);
  for (int integrator = 0; integrator < SRS_INTEGRATORS; integrator++) {
    srs_sim_options options = srs_default_sim_options();
    options.integrator = (srs_integrator)integrator;
    options.dt = 1e-4;
    srs_sim *sim;
    assert_int_equal(srs_sim_create(model, &options, &sim, NULL), SRS_OK);
    const double wrench[6] = {0.1, 0, 0, 0, 0.1, 0};
    assert_int_equal(srs_sim_set_wrench(sim, 3, SRS_AXES_LOCAL, wrench, NULL), SRS_OK);
    const long before = requests;
    assert_int_equal(srs_sim_step(sim, 10000, NULL), SRS_OK);
    assert_int_equal(requests, before);
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

// A floating mechanism with a spin that is set in each step, under a wrench.
static void keeping_momentum_takes_no_memory(void **state)
{
  (void)state;
  srs_scene *scene;
  srs_error error;
  if (srs_scene_load(testing_write("floating.yaml",
                                   "models:\n"
                                   "  - base: floating\n"
                                   "    links: [{name: a, mass: 2, inertia: [0.1, 0.2, 0.15]}, {name: b, mass: 1, "
                                   "inertia: [0.02, 0.02, 0.02]}]\n"
                                   "    joints: [{name: j, kind: spherical, parent: a, child: b, origin: {position: "
                                   "[0.2, 0, 0]}}]\n"
                                   "initial: {v: {root: [0, 0, 0, 1, 2, 3], j: [3, -2, 4]}}\n"
                                   "keep_momentum: true\n"),
                     NULL, &scene, &error) != SRS_OK)
    fail_msg("line %d: %s", error.line, error.message);
  for (int integrator = 0; integrator < SRS_INTEGRATORS; integrator++) {
    srs_sim_options options = srs_scene_get_settings(scene)->sim;
    options.integrator = (srs_integrator)integrator;
    srs_sim *sim;
    if (srs_scene_create_sim(scene, &options, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
    const double wrench[6] = {0.1, 0, 0, 0, 0.1, 0};
    assert_int_equal(srs_sim_set_wrench(sim, 0, SRS_AXES_LOCAL, wrench, NULL), SRS_OK);
    const long before = requests;
    assert_int_equal(srs_sim_step(sim, 1000, NULL), SRS_OK);
    assert_int_equal(requests, before);
    srs_sim_destroy(sim);
  }
  srs_scene_destroy(scene);
}

static void embedded_loops_take_no_memory(void **state)
{
  (void)state;
  srs_builder *builder = linkages_four_bar(SRS_CLOSURE_REVOLUTE, 0);
  srs_closure_def closure = srs_default_closure_def(SRS_CLOSURE_POINT);
  closure.name = "pin", closure.frame_a = "coupler", closure.frame_b = "rocker";
  closure.pose_a.position[0] = 0.2987218950531729, closure.pose_a.position[2] = 0.1823875802126918;
  closure.pose_b.position[0] = -0.1012781049468271, closure.pose_b.position[2] = 0.2823875802126918;
  closure.embed = true, closure.n_independent = 1;
  closure.independent = (const char *const[]){"q1"};
  linkages_close(builder, &closure);
  srs_model *model = testing_build(builder);
  for (int integrator = 0; integrator < SRS_INTEGRATORS; integrator++) {
    if (integrator == SRS_RK4 || integrator == SRS_GEOMETRICALLY_IMPLICIT) continue; // no embedded loops
    srs_sim_options options = srs_default_sim_options();
    options.integrator = (srs_integrator)integrator;
    srs_sim *sim;
    assert_int_equal(srs_sim_create(model, &options, &sim, NULL), SRS_OK);
    const long before = requests;
    assert_int_equal(srs_sim_step(sim, 2000, NULL), SRS_OK);
    assert_int_equal(requests, before);
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

// F83: 20 boxes fall on a floor between four walls, collision and contact solver included.
static void tumbling_boxes_take_no_memory(void **state)
{
  (void)state;
  enum { N = 20 };
  char text[8192], *at = text;
  at += sprintf(at, "models:\n");
  for (int k = 0; k < N; k++)
    at += sprintf(at,
                  "  - {name: b%d, base: floating, position: [%d.01e-1, %d.03e-1, %d.02e-1], rotation: {rpy: [0.%d, "
                  "0.3, 0.%d]}, links: [{name: l, mass: 1, inertia: [0.001, 0.002, 0.002]}], shapes: [{link: l, kind: "
                  "box, size: [0.12, 0.1, 0.08]}]}\n",
                  k, 2 * (k % 2), 2 * (k / 2 % 2), 2 + 2 * (k / 4), k, N - k);
  (void)sprintf(at, "environment:\n"
                    "  - {name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}\n"
                    "  - {name: left, shape: half-space, normal: [1, 0, 0], offset: -0.2}\n"
                    "  - {name: right, shape: half-space, normal: [-1, 0, 0], offset: -0.4}\n"
                    "  - {name: front, shape: half-space, normal: [0, 1, 0], offset: -0.2}\n"
                    "  - {name: back, shape: half-space, normal: [0, -1, 0], offset: -0.4}\n");
  srs_scene *scene;
  srs_error error;
  if (srs_scene_load(testing_write("boxes.yaml", text), NULL, &scene, &error) != SRS_OK)
    fail_msg("line %d: %s", error.line, error.message);
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.contact.capacity = 400;
  srs_sim *sim;
  assert_int_equal(srs_scene_create_sim(scene, &options, &sim, &error), SRS_OK);
  const long before = requests;
  if (srs_sim_step(sim, 10000, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(requests, before);
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  print_message("at most %d contacts, %ld of %ld problems unsolved, residual %.2g, %.1f iterations, depth %.2g m\n",
                s->contacts_max, s->failures, s->solves, s->residual_max, (double)s->iterations / (double)s->solves,
                s->penetration_max);
  assert_true(s->failures <= s->solves / 1000);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// Boxes that fall on each other's corners and over the edges of a stair of boxes, with groups of sides in both forms.
static void corners_take_no_memory(void **state)
{
  (void)state;
  enum { N = 8 };
  static const char *const forms[] = {"max", "summation"};
  for (int form = 0; form < 2; form++) {
    char text[8192], *at = text;
    at += sprintf(at, "models:\n");
    for (int k = 0; k < N; k++)
      at += sprintf(at,
                    "  - {name: b%d, base: floating, position: [%d.01e-1, 0, %d.02e-1], rotation: {rpy: [0.%d, 0.3, "
                    "0.%d]}, links: [{name: l, mass: 1, inertia: [0.001, 0.002, 0.002]}], shapes: [{link: l, kind: "
                    "box, size: [0.12, 0.1, 0.08]}]}\n",
                    k, k % 4, 3 + k, k, N - k);
    (void)sprintf(at,
                  "environment:\n"
                  "  - {name: low, shape: box, size: [0.2, 1, 0.2], position: [0.1, 0, 0]}\n"
                  "  - {name: high, shape: box, size: [0.2, 1, 0.3], position: [0.3, 0, 0.05]}\n"
                  "  - {name: floor, shape: half-space, normal: [0, 0, 1], offset: -0.1}\n"
                  "contact: {corners: %s, restitution: 0.3, capacity: 200}\n",
                  forms[form]);
    srs_scene *scene;
    srs_error error;
    if (srs_scene_load(testing_write("corners.yaml", text), NULL, &scene, &error) != SRS_OK)
      fail_msg("line %d: %s", error.line, error.message);
    srs_sim *sim;
    assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
    const long before = requests;
    if (srs_sim_step(sim, 1000, &error) != SRS_OK) fail_msg("%s", error.message);
    assert_int_equal(requests, before);
    const srs_sim_statistics *s = srs_sim_get_statistics(sim);
    print_message("%s: at most %d groups, %ld problems with some, %ld of %ld unsolved\n", forms[form], s->groups_max,
                  s->corner_solves, s->failures, s->solves);
    assert_true(s->corner_solves > 0);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// A shaken pile, whose problems come by blocks when it is together.
static void a_pile_takes_no_memory(void **state)
{
  (void)state;
  static const char *const solvers[] = {"name: relaxed, tolerance: 1e-8", "name: relaxed-fixed-point, tolerance: 1e-8"};
  for (int i = 0; i < 2; i++) {
    const pile p = {.n = 90,
                    .width = 16,
                    .nut = 3,
                    .is_shaken = true,
                    .distance = 0.5,
                    .dt = 0.05,
                    .solver = solvers[i],
                    .capacity = 400};
    world w = pile_world(&p);
    srs_error error;
    const long before = requests;
    if (srs_sim_step(w.sim, i == 0 ? 100 : 5, &error) != SRS_OK) fail_msg("%s", error.message);
    assert_int_equal(requests, before);
    assert_true(srs_sim_get_statistics(w.sim)->contacts_max >= 100);
    if (i == 0) assert_int_equal(srs_sim_get_statistics(w.sim)->failures, 0);
    unload(&w);
  }
}

static double resident_megabytes(void)
{
  FILE *file = fopen("/proc/self/statm", "r");
  char text[64] = "";
  if (file != NULL) {
    if (fgets(text, sizeof text, file) == NULL) text[0] = 0;
    assert_int_equal(fclose(file), 0);
  }
  char *end = text;
  (void)strtol(text, &end, 10); // all pages
  return (double)strtof(end, NULL) * 4096e-6;
}

// A capacity for a million contacts costs what the contacts at hand use; where problems are whole matrices, too.
static void check_large_capacity(const char *contact)
{
  const double before = resident_megabytes();
  if (!(before > 0)) skip(); // no such file
  const pile p = {.n = 90,
                  .width = 16,
                  .distance = 0.5,
                  .dt = 0.05,
                  .solver = "name: relaxed, tolerance: 1e-8",
                  .contact = contact,
                  .capacity = 1000000};
  world w = pile_world(&p);
  srs_error error;
  const long steps_from = requests;
  if (srs_sim_step(w.sim, 5, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(requests, steps_from);
  print_message("%.0f MB for a million contacts, %d of them at hand\n", resident_megabytes() - before,
                srs_sim_get_statistics(w.sim)->contacts_max);
  assert_true(resident_megabytes() - before < (contact == NULL ? 100 : 150));
  unload(&w);
}

static void a_large_capacity_takes_the_memory_that_is_used(void **state)
{
  (void)state;
  check_large_capacity(NULL);
  check_large_capacity(", impact: poisson");
  check_large_capacity(", corners: max");
  check_large_capacity(", corners: summation");
}

// Too little of it is told, and changes nothing.
static void a_pile_beyond_the_capacity_is_told(void **state)
{
  (void)state;
  const pile p = {
      .n = 90, .width = 16, .distance = 0.5, .dt = 0.05, .solver = "name: relaxed, tolerance: 1e-8", .capacity = 150};
  world w = pile_world(&p);
  srs_error error;
  assert_int_equal(srs_sim_step(w.sim, 1, &error), SRS_ERROR_CAPACITY);
  assert_non_null(strstr(error.message, "capacity"));
  assert_int_equal(srs_sim_steps(w.sim), 0);
  unload(&w);
}

// Problems that are whole matrices have room for so many contacts that share bodies, whatever the capacity is.
static void a_pile_beyond_a_whole_matrix_is_told(void **state)
{
  (void)state;
  const pile p = {.n = 1500,
                  .width = 80,
                  .distance = 0.5,
                  .dt = 0.05,
                  .solver = "name: relaxed, tolerance: 1e-8",
                  .contact = ", impact: poisson",
                  .capacity = 1000000};
  world w = pile_world(&p);
  srs_error error;
  assert_int_equal(srs_sim_step(w.sim, 1, &error), SRS_ERROR_CAPACITY);
  assert_non_null(strstr(error.message, "impact: poisson"));
  assert_int_equal(srs_sim_steps(w.sim), 0);
  unload(&w);
}

// Loops, limits, dry friction, an actuator at its limits and contacts, in all impact laws.
static void a_mechanism_takes_no_memory(void **state)
{
  (void)state;
  static const char *const laws[] = {"two-phase", "poisson", "newton", "two-phase"};
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint", "implicit-euler",
                                            "implicit-moreau"};
  for (int i = 0; i < 4; i++) {
    char keys[160], text[4096];
    snprintf(keys, sizeof keys,
             "contact: {impact: %s, restitution: 0.5}\nintegrator: %s\ndrives: [{coordinate: q1, torque: 0.6}]",
             laws[i], integrators[i]);
    snprintf(text, sizeof text, mechanisms_four_bar_on_a_box, keys);
    srs_scene *scene;
    srs_sim *sim;
    srs_error error;
    if (srs_scene_load(testing_write("mechanism.yaml", text), NULL, &scene, &error) != SRS_OK)
      fail_msg("%s", error.message);
    assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_OK);
    const long before = requests;
    assert_int_equal(srs_sim_step(sim, 500, &error), SRS_OK);
    assert_int_equal(requests, before);
    assert_true(srs_sim_get_statistics(sim)->rows_max > 5);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

// Pairs of smooth solids, a loop, a limit and dry friction in one system.
static void geometrically_implicit_steps_take_no_memory(void **state)
{
  (void)state;
  srs_scene *scene;
  srs_sim *sim;
  srs_error error;
  char text[4096];
  snprintf(text, sizeof text, mechanisms_four_bar_on_a_box,
           "contact: {friction: 0.4}\nintegrator: geometrically-implicit\ndrives: [{coordinate: q1, torque: 0.6}]");
  if (srs_scene_load(testing_write("smooth.yaml", text), NULL, &scene, &error) != SRS_OK) fail_msg("%s", error.message);
  if (srs_scene_create_sim(scene, NULL, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
  const long before = requests;
  if (srs_sim_step(sim, 500, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(requests, before);
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  assert_true(s->rows_max > 5 && s->contacts_max > 0 && s->failures == 0);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void no_quantity_takes_memory(void **state)
{
  (void)state;
  enum { MOST_V = 72 };
  testing_random random = testing_random_start(12);
  srs_model *model = mechanism(&random);
  srs_workspace *w;
  assert_int_equal(srs_workspace_create(model, &w, NULL), SRS_OK);
  static double q[2 * MOST_V], v[MOST_V], out[MOST_V], matrix[MOST_V * MOST_V], lambda[18 * 18];
  testing_random_q(&random, model, q);
  testing_random_v(&random, model, 1, v);
  const srs_constraint_frame nodes[3] = {
      {1, SRS_AXES_WORLD, SRS_ROWS_ALL}, {5, SRS_AXES_LOCAL, SRS_ROWS_ALL}, {9, SRS_AXES_WORLD, SRS_ROWS_ALL}};
  srs_center_of_mass com;
  srs_energies energy;
  const long before = requests;
  for (int i = 0; i < 100; i++) {
    srs_forward_acceleration(w, q, v, v);
    srs_frame_jacobian(w, 3, SRS_AXES_WORLD, matrix);
    srs_inverse_dynamics(w, q, v, v, NULL, out);
    srs_forward_dynamics(w, q, v, v, NULL, out);
    srs_mass_matrix(w, q, matrix);
    srs_delassus(w, q, nodes, 3, 18, lambda);
    srs_operational_space_inertia(w, q, nodes, 3, 18, i % 2 == 0, lambda);
    srs_com(w, q, v, &com);
    srs_energy(w, q, v, &energy);
    srs_momentum(w, q, v, out);
    srs_difference(model, q, q, out);
  }
  assert_int_equal(requests, before);
  srs_workspace_destroy(w);
  srs_model_destroy(model);
}

static void steps_with_loops_and_inverse_kinematics_take_no_memory(void **state)
{
  (void)state;
  srs_model *model = testing_build(linkages_sarrus());
  srs_sim *sim;
  srs_ik *ik;
  assert_int_equal(srs_sim_create(model, NULL, &sim, NULL), SRS_OK);
  assert_int_equal(srs_ik_create(model, 1, &ik, NULL), SRS_OK);
  const double v[5] = {-0.01, 0.02, -0.01, 0.01, -0.02};
  assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, NULL), SRS_OK);
  const srs_pose near = linkages_pose(0.1, 0, 0.25, 0), far = linkages_pose(0.1, 0, 1, 0);
  const long before = requests;
  assert_int_equal(srs_sim_step(sim, 1000, NULL), SRS_OK);
  for (int i = 0; i < 2; i++) {
    double q[5] = {0};
    const srs_ik_target target = srs_default_ik_target(2, i == 0 ? &near : &far);
    assert_int_equal(srs_inverse_kinematics(ik, &target, 1, NULL, q, NULL), i == 0 ? SRS_OK : SRS_ERROR_UNREACHABLE);
  }
  assert_int_equal(requests, before);
  srs_ik_destroy(ik);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_counter_counts),
      cmocka_unit_test(ten_thousand_steps_take_no_memory),
      cmocka_unit_test(keeping_momentum_takes_no_memory),
      cmocka_unit_test(embedded_loops_take_no_memory),
      cmocka_unit_test(tumbling_boxes_take_no_memory),
      cmocka_unit_test(corners_take_no_memory),
      cmocka_unit_test(a_pile_takes_no_memory),
      cmocka_unit_test(a_large_capacity_takes_the_memory_that_is_used),
      cmocka_unit_test(a_pile_beyond_the_capacity_is_told),
      cmocka_unit_test(a_pile_beyond_a_whole_matrix_is_told),
      cmocka_unit_test(a_mechanism_takes_no_memory),
      cmocka_unit_test(geometrically_implicit_steps_take_no_memory),
      cmocka_unit_test(no_quantity_takes_memory),
      cmocka_unit_test(steps_with_loops_and_inverse_kinematics_take_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
