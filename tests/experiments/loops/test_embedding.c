// Motion with loops embedded against motion with loops held by multipliers: trajectories to order h, energy, contacts,
// and where the independent coordinates fail.

#include "support/embedded.h"
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double largest_gap(srs_sim *sim)
{
  double gaps[8], largest = 0;
  srs_workspace *w = NULL;
  assert_int_equal(srs_workspace_create(srs_sim_model(sim), &w, NULL), SRS_OK);
  assert_int_equal(srs_loop_gaps(w, srs_sim_q(sim), srs_sim_time(sim), gaps), SRS_OK);
  for (int i = 0; i < srs_model_n_loops(srs_sim_model(sim)); i++) largest = fmax(largest, gaps[i]);
  srs_workspace_destroy(w);
  return largest;
}

// The largest difference of q after some time with one step, embedded and by multipliers.
static double difference(const embedded_mechanism *mechanism, const char *more, double time, double dt)
{
  srs_sim *sims[2];
  srs_scene *scenes[2];
  double apart = 0, d[64];
  for (int i = 0; i < 2; i++) {
    scenes[i] = embedded_scene(mechanism, i == 0, more);
    sims[i] = sim_with_step(scenes[i], dt);
    step(sims[i], lround(time / dt));
    assert_true(largest_gap(sims[i]) < 4e-12); // 1e-12 a row
  }
  srs_difference(srs_sim_model(sims[0]), srs_sim_q(sims[0]), srs_sim_q(sims[1]), d);
  for (int i = 0; i < srs_model_nv(srs_sim_model(sims[0])); i++) apart = fmax(apart, fabs(d[i]));
  for (int i = 0; i < 2; i++) {
    srs_sim_destroy(sims[i]);
    srs_scene_destroy(scenes[i]);
  }
  return apart;
}

static void trajectories_differ_by_order_h(void **state)
{
  (void)state;
  static const char *const integrators[2] = {"integrator: semi-implicit-euler\n", "integrator: moreau-midpoint\n"};
  for (int scheme = 0; scheme < 2; scheme++)
    for (int i = 0; i < EMBEDDED_MECHANISMS; i++) {
      const embedded_mechanism *mechanism = &embedded_mechanisms[i];
      const double time = 0.15; // Sarrus's falls flat at 0.19 s, and is singular there
      const double one = difference(mechanism, integrators[scheme], time, 5e-4);
      const double half = difference(mechanism, integrators[scheme], time, 2.5e-4);
      print_message("%s, %s: %.3g apart, with half the step a factor %.3f less\n", scheme ? "midpoint" : "Euler",
                    mechanism->name, one, one / half);
      assert_true(one < 1e-9 || one / half > 1.85); // Sarrus's: X is constant, both forms are one
    }
}

// Two cranks in series on one rocker: the first loop embedded, the second held by multipliers.
static void loops_held_by_rows_go_beside_embedded_ones(void **state)
{
  (void)state;
  static const embedded_mechanism mixed = {
      "mixed",
      "models:\n- links:\n" EMBEDDED_BAR("crank", "0.4") EMBEDDED_BAR("coupler", "0.7") EMBEDDED_BAR("rocker", "0.5")
          EMBEDDED_BAR(
              "lever",
              "0.3") "  joints:\n"
                     "  - {name: q1, kind: continuous, child: crank, axis: [0, 1, 0]}\n"
                     "  - {name: q2, kind: continuous, parent: crank, child: coupler, axis: [0, 1, 0], origin: "
                     "{position: "
                     "[0, 0, 0.1]}}\n"
                     "  - {name: q3, kind: continuous, child: rocker, axis: [0, 1, 0], origin: {position: [0.4, 0, "
                     "0]}}\n"
                     "  - {name: q4, kind: continuous, child: lever, axis: [0, 1, 0], origin: {position: [0.8, 0, "
                     "0]}}\n"
                     "  closures:\n"
                     "  - {name: pin, kind: revolute, axis: [0, 1, 0], frame_a: coupler, frame_b: rocker, pose_a: "
                     "{position: "
                     "[0.2987218950531729, 0, 0.1823875802126918]}, pose_b: {position: [-0.1012781049468271, 0, "
                     "0.2823875802126918]}@q1@}\n"
                     "  - {name: strut, kind: rod, length: 0.41, frame_a: rocker, frame_b: lever, pose_a: {position: "
                     "[0, 0, "
                     "0.2]}, pose_b: {position: [0, 0, 0.2]}}\n"};
  const double one = difference(&mixed, "", 0.2, 1e-3), half = difference(&mixed, "", 0.2, 5e-4);
  print_message("%.3g apart, with half the step a factor %.3f less\n", one, one / half);
  assert_true(one > 1e-7 && fabs(one / half - 2) < 0.15);
}

// F50 with its loop embedded: a box whose linkage hangs in springs lands on the ground and comes to rest. The ground
// carries the weight, and nothing creeps.
static const embedded_mechanism on_the_ground = {
    "a five-bar on a box on the ground",
    "models:\n- base: floating\n  position: [0, 0, 0.06]\n  links:\n"
    "  - {name: box, mass: 3, inertia: [0.02, 0.03, 0.04]}\n" EMBEDDED_BAR("left", "0.4") EMBEDDED_BAR("left2", "0.5")
        EMBEDDED_BAR("right", "0.4") EMBEDDED_BAR(
            "right2", "0.5") "  joints:\n"
                             "  - {name: l1, kind: continuous, parent: box, child: left, axis: [0, 1, 0], origin: "
                             "{position: [-0.1, 0, 0.05]}, "
                             "stiffness: 40, damping: 4}\n"
                             "  - {name: l2, kind: continuous, parent: left, child: left2, axis: [0, 1, 0], origin: "
                             "{position: [-0.1, 0, "
                             "0.2]}, damping: 0.1}\n"
                             "  - {name: r1, kind: continuous, parent: box, child: right, axis: [0, 1, 0], origin: "
                             "{position: [0.1, 0, 0.05]}, "
                             "stiffness: 40, damping: 4}\n"
                             "  - {name: r2, kind: continuous, parent: right, child: right2, axis: [0, 1, 0], origin: "
                             "{position: [0.1, 0, "
                             "0.2]}, damping: 0.1}\n"
                             "  closures:\n  - {name: tip, kind: revolute, axis: [0, 1, 0], frame_a: left2, frame_b: "
                             "right2, pose_a: {position: "
                             "[0.2, 0, 0.2]}, pose_b: {position: [-0.2, 0, 0.2]}@l1, r1@}\n"
                             "  shapes: [{link: box, kind: box, size: [0.6, 0.4, 0.1]}]\n"
                             "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}]\n"
                             "contact: {friction: 0.8}\n"};

static double weight_on_the_ground(srs_sim *sim)
{
  int n;
  double sum = 0;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  for (int i = 0; i < n; i++) sum += fabs(contacts[i].force[2]);
  return sum;
}

// What the two joints of the box lift, and the largest that its free joint does.
static double weight_on_the_joints(srs_sim *sim, double *root)
{
  static const char *const links[] = {"left", "right", "box"};
  double wrench[6], sum = 0;
  for (int i = 0; i < 3; i++) {
    const int frame = srs_model_find_frame(srs_sim_model(sim), links[i]);
    assert_int_equal(srs_sim_joint_wrench(sim, frame, SRS_AXES_WORLD, wrench), SRS_OK);
    if (i < 2) sum += wrench[5];
    for (int j = 0; i == 2 && j < 6; j++) *root = fmax(*root, fabs(wrench[j]));
  }
  return sum;
}

static void the_ground_carries_what_stands_on_it(void **state)
{
  (void)state;
  double q[2][32];
  int nq = 0;
  for (int i = 0; i < 2; i++) {
    srs_scene *scene = embedded_scene(&on_the_ground, i == 0, "");
    srs_sim *sim = sim_with_step(scene, 1e-3);
    const srs_model *m = srs_sim_model(sim);
    double worst = 0, root = 0;
    for (int k = 0; k < 60; k++) {
      step(sim, 5); // the impact and what follows it
      worst = fmax(worst, largest_gap(sim));
      (void)weight_on_the_joints(sim, &root);
    }
    assert_true(worst < 4e-12 && root < 1e-9);
    step(sim, 5000);
    const double weight = 9.81 * srs_model_mass(m), carried = weight_on_the_ground(sim);
    double before[32], moved[32], farthest = 0;
    nq = srs_model_nq(m);
    memcpy(before, srs_sim_q(sim), (size_t)nq * sizeof *before);
    step(sim, 1000);
    srs_difference(m, srs_sim_q(sim), before, moved);
    for (int k = 0; k < srs_model_nv(m); k++) farthest = fmax(farthest, fabs(moved[k]));
    print_message("%s: %.3g of the weight is missing, %.3g moved in 1 s\n", i == 0 ? "embedded" : "multipliers",
                  carried / weight - 1, farthest);
    assert_true(fabs(carried / weight - 1) < 1e-8);
    assert_true(fabs(weight_on_the_joints(sim, &root) / (9.81 * (0.4 + 0.5 + 0.4 + 0.5)) - 1) < 1e-8);
    assert_true(farthest < 1e-9);
    memcpy(q[i], srs_sim_q(sim), (size_t)nq * sizeof *before);
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
  double apart = 0;
  for (int k = 7; k < nq; k++) apart = fmax(apart, fabs(q[0][k] - q[1][k])); // the linkage: the box may land elsewhere
  print_message("the linkages, bent by %.3g rad, come to rest %.3g apart\n", fabs(q[0][7]), apart);
  assert_true(apart < 1e-9 && fabs(q[0][7]) > 5e-3);
}

// The same fall before the first impact has died out: differences of order h, through contacts.
static void falls_onto_the_ground_differ_by_order_h(void **state)
{
  (void)state;
  const double one = difference(&on_the_ground, "", 0.12, 1e-3), quarter = difference(&on_the_ground, "", 0.12, 2.5e-4);
  print_message("%.3g apart, with a quarter of the step a factor %.3f less\n", one, one / quarter);
  assert_true(one < 1e-6 ||
              one / quarter > 2); // when within its step a contact begins is a matter of order h by itself
}

// A body falls on the piston of a slider-crank and rides on it: contact between trees that a loop ties together and one
// that it does not.
static void a_body_rides_on_a_piston(void **state)
{
  (void)state;
  static const embedded_mechanism ridden = {
      "slider-crank with a rider",
      "models:\n- name: engine\n  base: fixed\n  links:\n" EMBEDDED_BAR("crank", "0.3") EMBEDDED_BAR("rod", "0.4")
          EMBEDDED_BAR("piston",
                       "0.8") "  joints:\n"
                              "  - {name: q1, kind: continuous, child: crank, axis: [0, 1, 0]}\n"
                              "  - {name: q2, kind: continuous, parent: crank, child: rod, axis: [0, 1, 0], origin: "
                              "{position: [0, 0, 0.1]}}\n"
                              "  - {name: x, kind: prismatic, child: piston, axis: [1, 0, 0], origin: {position: [0.3, "
                              "0, 0.1]}}\n"
                              "  closures:\n  - {name: wrist, kind: revolute, axis: [0, 1, 0], frame_a: rod, frame_b: "
                              "piston, pose_a: {position: "
                              "[0.3, 0, 0]}@q1@}\n"
                              "  shapes: [{link: piston, kind: box, size: [0.4, 0.4, 0.1]}]\n"
                              "- name: rider\n  base: floating\n  position: [0.3, 0, 0.202]\n"
                              "  links: [{name: body, mass: 0.5, inertia: [1e-3, 1e-3, 1e-3]}]\n"
                              "  shapes: [{link: body, kind: box, size: [0.1, 0.1, 0.1]}]\n"
                              "initial: {v: {engine/q1: 4}}\nfrozen: [engine/q1]\ncontact: {friction: 0.2}\n"};
  const double one = difference(&ridden, "", 0.3, 1e-3), quarter = difference(&ridden, "", 0.3, 2.5e-4);
  print_message("%.3g apart, with a quarter of the step a factor %.3f less\n", one, one / quarter);
  assert_true(fabs(one / quarter - 4) < 1); // order h, but for when within its step the rider lands
}

// A coordinate that follows runs against its stop, and the crank's torque presses it there.
static void what_follows_has_limits(void **state)
{
  (void)state;
  static const embedded_mechanism stopped = {
      "slider-crank against a stop",
      "models:\n- links:\n" EMBEDDED_BAR("crank", "0.3") EMBEDDED_BAR("rod", "0.4")
          EMBEDDED_BAR("piston", "0.8") "  joints:\n"
                                        "  - {name: q1, kind: continuous, child: crank, axis: [0, 1, 0]}\n"
                                        "  - {name: q2, kind: continuous, parent: crank, child: rod, axis: [0, 1, 0], "
                                        "origin: {position: [0, 0, 0.1]}}\n"
                                        "  - {name: x, kind: prismatic, child: piston, axis: [1, 0, 0], origin: "
                                        "{position: [0.3, 0, 0.1]}, lower: -1, "
                                        "upper: 0.04}\n"
                                        "  closures:\n  - {name: wrist, kind: revolute, axis: [0, 1, 0], frame_a: rod, "
                                        "frame_b: piston, pose_a: {position: "
                                        "[0.3, 0, 0]}@q1@}\n"
                                        "initial: {v: {q1: 3}}\nfrozen: [q1]\ngravity: [0, 0, 0]\n"};
  double q[2][3];
  for (int i = 0; i < 2; i++) {
    srs_scene *scene = embedded_scene(&stopped, i == 0, "");
    srs_sim *sim = sim_with_step(scene, 1e-3);
    const double push[3] = {0.5, 0, 0};
    assert_int_equal(srs_sim_set_torque(sim, push, NULL), SRS_OK);
    step(sim, 1000);
    memcpy(q[i], srs_sim_q(sim), sizeof q[i]);
    assert_true(fabs(q[i][2] - 0.04) < 1e-6);
    int n;
    const srs_sim_row *rows = srs_sim_rows(sim, &n);
    double force = 0;
    for (int k = 0; k < n; k++)
      if (rows[k].source == SRS_ROW_UPPER_LIMIT) force = rows[k].force;
    double wrench[6];
    const int piston = srs_model_find_frame(srs_sim_model(sim), "piston");
    assert_int_equal(srs_sim_joint_wrench(sim, piston, SRS_AXES_WORLD, wrench), SRS_OK);
    print_message("%s: the stop holds with %.9g N\n", i == 0 ? "embedded" : "multipliers", force);
    assert_true(force > 1 && fabs(wrench[3] + force) < 1e-9 * force); // along the slide the stop alone
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
  for (int k = 0; k < 3; k++) assert_true(fabs(q[0][k] - q[1][k]) < 1e-6);
}

static void energy_errors_halve_with_the_step(void **state)
{
  (void)state;
  for (int i = 1; i < 4; i++) {
    double error[2];
    for (int half = 0; half < 2; half++) {
      srs_scene *scene = embedded_scene(&embedded_mechanisms[i], true, "");
      for (int k = 0; k < srs_model_nv(srs_scene_model(scene)); k++) // of the four-bar
        ((double *)srs_model_damping(srs_scene_model(scene)))[k] = 0;
      srs_sim *sim = sim_with_step(scene, half ? 2.5e-4 : 5e-4);
      srs_energies before, after;
      assert_int_equal(srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &before), SRS_OK);
      step(sim, half ? 600 : 300);
      assert_int_equal(srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &after), SRS_OK);
      error[half] = after.kinetic + after.potential - before.kinetic - before.potential;
      srs_sim_destroy(sim);
      srs_scene_destroy(scene);
    }
    print_message("%s: energy error %.3g J, a factor %.3f less with half the step\n", embedded_mechanisms[i].name,
                  error[0], error[0] / error[1]);
    assert_true(fabs(error[0] / error[1] - 2) < 0.15);
  }
}

// The four-bar by its rocker, which turns back where crank and coupler are in line: the crank goes on, the rocker does
// not say where.
static void a_configuration_that_is_not_determined_ends_the_run(void **state)
{
  (void)state;
  static const char *const integrators[2] = {"integrator: semi-implicit-euler\n", "integrator: moreau-midpoint\n"};
  char text[4096];
  const char *at = strstr(embedded_mechanisms[0].text, "@q1@");
  assert_non_null(at);
  (void)snprintf(text, sizeof text, "%.*s@q3@%s", (int)(at - embedded_mechanisms[0].text), embedded_mechanisms[0].text,
                 at + 4);
  const embedded_mechanism by_rocker = {"four-bar by its rocker", text};
  for (int i = 0; i < 10; i++) {
    char more[256];
    (void)snprintf(more, sizeof more, "%sinitial: {v: {q1: %d}}\nfrozen: [q1]\n", integrators[i % 2], 5 + i);
    srs_scene *scene = embedded_scene(&by_rocker, true, more);
    srs_sim *sim = sim_with_step(scene, 1e-3);
    srs_error error;
    srs_status status = srs_sim_step(sim, 3000, &error);
    if (i < 2) print_message("%s\n", error.message);
    assert_true(status == SRS_ERROR_MODEL || status == SRS_ERROR_UNREACHABLE);
    assert_non_null(strstr(error.message, "'pin'"));
    assert_non_null(strstr(error.message, "'q3'"));
    assert_non_null(strstr(error.message, "choose another independent coordinate"));
    assert_true(srs_sim_steps(sim) > 50); // it had gone on until there, and stands where it was
    srs_sim_destroy(sim);
    srs_scene_destroy(scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trajectories_differ_by_order_h),
      cmocka_unit_test(loops_held_by_rows_go_beside_embedded_ones),
      cmocka_unit_test(the_ground_carries_what_stands_on_it),
      cmocka_unit_test(falls_onto_the_ground_differ_by_order_h),
      cmocka_unit_test(a_body_rides_on_a_piston),
      cmocka_unit_test(what_follows_has_limits),
      cmocka_unit_test(energy_errors_halve_with_the_step),
      cmocka_unit_test(a_configuration_that_is_not_determined_ends_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
