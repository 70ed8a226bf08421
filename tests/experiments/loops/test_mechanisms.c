// The field's cases of what holds a mechanism together: stops, stiction, armature, loops, loops on the ground.

#include "support/linkages.h"
#include "support/mechanisms.h"
#include "support/sims.h"
#include "support/world.h"

#include <stdlib.h>
#include <string.h>

static double energy_of(srs_sim *sim)
{
  srs_energies e;
  assert_int_equal(srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &e), SRS_OK);
  return e.kinetic + e.potential;
}

static void push(const world *w, const char *coordinate, double torque)
{
  double *tau = calloc((size_t)srs_model_nv(w->model), sizeof *tau);
  assert_non_null(tau);
  tau[srs_model_find_v(w->model, coordinate)] = torque;
  assert_int_equal(srs_sim_set_torque(w->sim, tau, NULL), SRS_OK);
  free(tau);
}

static const double stop = 0.5235987755982988; // 30 degrees

static void F38_a_stop_neither_gives_nor_chatters_nor_sticks(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "models: [{name: m, links: [{name: p, mass: 1, com: [0, 0.3, 0], inertia: [0.01, 0.01, 0.01]}], joints: "
             "[{name: h, kind: revolute, child: p, axis: [-1, 0, 0], lower: -3, upper: %.17g}]}]\nintegrator: %s\n",
             stop, i == 0 ? "semi-implicit-euler" : "moreau-midpoint");
    world w = load(text);
    const double *q = srs_sim_q(w.sim), *v = srs_sim_v(w.sim);
    double before = energy_of(w.sim), deepest = 0;
    int arrived = -1;
    for (int k = 0; k < 1000; k++) {
      step(w.sim, 1);
      const double now = energy_of(w.sim);
      assert_true(now <= before + (i == 0 ? 1e-12 : 1e-7)); // midpoint: h^3 of a step
      before = now;
      deepest = fmax(deepest, q[0] - stop);
      if (arrived < 0 && q[0] >= stop - 1e-9) arrived = k;
      if (arrived >= 0 && k > arrived) assert_true(fabs(v[0]) < 1e-12); // a gap's rounding over h
    }
    assert_true(arrived >= 0);
    push(&w, "h", 5);
    for (int k = 0; k < 1000; k++) {
      step(w.sim, 1);
      deepest = fmax(deepest, q[0] - stop);
      assert_true(fabs(v[0]) < 1e-12);
    }
    print_message("%s: deepest %.3g rad beyond the stop\n", srs_integrator_name(srs_sim_get_options(w.sim)->integrator),
                  deepest);
    assert_true(deepest < 1e-15);
    push(&w, "h", -5);
    step(w.sim, 1);
    const double a = (-5 + 9.81 * 0.3 * cos(stop)) / (0.01 + 0.09);
    assert_true(fabs(v[0] - 1e-3 * a) < 1e-12);
    unload(&w);
  }
}

static world arm_with_friction(double friction, double dt, const char *integrator)
{
  char text[1024];
  snprintf(text, sizeof text,
           "models: [{name: m, links: [{name: p, mass: 1, com: [0, 0.5, 0], inertia: [0.01, 0.01, 0.01]}], joints: "
           "[{name: h, kind: revolute, child: p, axis: [-1, 0, 0], friction: %.17g}]}]\ndt: %.17g\nintegrator: %s\n",
           friction, dt, integrator);
  return load(text);
}

// Gravity turns with 4.905 N m.
static void F39_dry_friction_holds_what_it_can_at_any_step(void **state)
{
  (void)state;
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint"};
  for (int i = 0; i < 2; i++) {
    double moved = 0, q[2], v[2];
    for (int k = 0; k < 2; k++) {
      const double dt = k == 0 ? 1e-2 : 1e-4;
      world w = arm_with_friction(6, dt, integrators[i]);
      for (int s = 0; s < 100; s++) {
        step(w.sim, (long)(0.1 / dt + 0.5));
        moved = fmax(moved, fabs(srs_sim_q(w.sim)[0]));
      }
      unload(&w);
      w = arm_with_friction(4, dt, integrators[i]);
      step(w.sim, 1);
      assert_true(fabs(srs_sim_v(w.sim)[0] / dt - 0.905 / 0.26) < (i == 0 ? 1e-11 : 1e-3 * dt));
      step(w.sim, (long)(0.2 / dt + 0.5) - 1);
      q[k] = srs_sim_q(w.sim)[0], v[k] = srs_sim_v(w.sim)[0];
      unload(&w);
    }
    print_message(
        "%s: 6 N m: |q| <= %.3g rad in 10 s; 4 N m, 0.2 s: dt 1e-2 against 1e-4 differ by %.3g of q, %.3g of v\n",
        integrators[i], moved, fabs(q[0] / q[1] - 1), fabs(v[0] / v[1] - 1));
    assert_true(moved < 1e-15);
    assert_true(fabs(v[0] / v[1] - 1) < 1e-3);
    // semi-implicit Euler's own error in q: dt / t
    assert_true(fabs(q[0] / q[1] - 1) < (i == 0 ? 0.06 : 1e-3));
  }
}

// The four-bar of F44 turns without gravity until friction in its crank has stopped it: every step of the rest is
// solved, whatever is left of its speeds.
static void a_linkage_that_friction_stops_is_at_rest(void **state)
{
  (void)state;
  static const srs_integrator integrators[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_IMPLICIT_EULER};
  for (int i = 0; i < 6; i++) {
    srs_builder *builder = linkages_four_bar(i < 3 ? SRS_CLOSURE_POINT : SRS_CLOSURE_REVOLUTE, 1);
    srs_model *model;
    srs_error error;
    assert_int_equal(srs_builder_build(builder, NULL, &model, &error), SRS_OK);
    srs_builder_destroy(builder);
    ((double *)srs_model_friction(model))[0] = 1;
    srs_sim_options options = srs_default_sim_options();
    options.integrator = integrators[i % 3];
    options.gravity[2] = 0;
    srs_sim *sim;
    assert_int_equal(srs_sim_create(model, &options, &sim, &error), SRS_OK);
    const double v[3] = {5, 0, 0};
    const bool frozen[3] = {true, false, false};
    srs_assembly_options assembly = srs_default_assembly_options();
    assembly.frozen = frozen;
    assert_int_equal(srs_sim_set_state(sim, 0, NULL, v, &error), SRS_OK);
    assert_int_equal(srs_sim_assemble(sim, &assembly, NULL, &error), SRS_OK);
    step(sim, 2000);
    for (int k = 0; k < 3; k++) assert_true(fabs(srs_sim_v(sim)[k]) < 1e-200);
    assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
    assert_true(srs_sim_get_statistics(sim)->residual_max <= 1e-12);
    srs_sim_destroy(sim);
    srs_model_destroy(model);
  }
}

static void F41_armature_counts_once_everywhere(void **state)
{
  (void)state;
  world w = load("gravity: [0, 0, 0]\nmodels: [{name: m, links: [{name: p, mass: 1, inertia: [0.02, 0.02, 0.02]}], "
                 "joints: [{name: h, kind: revolute, child: p, axis: [0, 0, 1], armature: 0.05, friction: 0.1, "
                 "max_effort: 1, lower: -1, upper: 2}]}]\n");
  push(&w, "h", 1.1);
  step(w.sim, 1);
  assert_true(fabs(srs_sim_v(w.sim)[0] / 1e-3 - 0.9 / 0.07) < 1e-10); // max_effort - friction
  push(&w, "h", 0);
  const double v = 3;
  assert_int_equal(srs_sim_set_state(w.sim, 0, NULL, &v, NULL), SRS_OK);
  assert_true(fabs(energy_of(w.sim) - 0.5 * 0.07 * 9) < 1e-15);
  double a, M, tau;
  push(&w, "h", 1);
  assert_int_equal(srs_sim_acceleration(w.sim, &a, NULL), SRS_OK); // without dry friction
  assert_true(fabs(a - 14.285714285714286) < 1e-13);
  assert_int_equal(srs_mass_matrix(srs_sim_workspace(w.sim), srs_sim_q(w.sim), &M), SRS_OK);
  assert_int_equal(srs_inverse_dynamics(srs_sim_workspace(w.sim), srs_sim_q(w.sim), &v, &a, NULL, &tau), SRS_OK);
  assert_true(fabs(M - 0.07) < 1e-16 && fabs(tau - 1) < 1e-14);
  unload(&w);
}

// How fast the two points of a closure come apart at (q, v), m/s.
static double parting_speed(srs_sim *sim, const double *q, const double *v)
{
  const srs_model *model = srs_sim_model(sim);
  const srs_closure *closure = srs_model_closure(model, 0);
  srs_workspace *w = srs_sim_workspace(sim);
  double apart[3] = {0}, zero[3] = {0};
  assert_int_equal(srs_forward_acceleration(w, q, v, zero), SRS_OK);
  for (int end = 0; end < 2; end++) {
    const int frame = srs_model_find_frame(model, srs_model_link(model, closure->link[end])->name);
    double velocity[6], arm[3] = {0};
    srs_pose pose;
    srs_frame_placement(w, frame, &pose);
    srs_frame_velocity(w, frame, SRS_AXES_WORLD, velocity);
    for (int i = 0; i < 9; i++) arm[i / 3] += pose.rotation[i] * closure->pose[end].position[i % 3];
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      apart[i] += (end == 0 ? -1 : 1) * (velocity[3 + i] + velocity[j] * arm[k] - velocity[k] * arm[j]);
    }
  }
  return sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
}

// 600 s where SARRUS_LONG is set, else 30. Velocities are held where the scheme holds them: semi-implicit Euler's to
// the loop where the step began, the midpoint's where it ends.
static void actuator_four_bar(srs_integrator integrator)
{
  srs_builder *builder = linkages_four_bar(SRS_CLOSURE_POINT, 1);
  srs_model *model;
  srs_error error;
  assert_int_equal(srs_builder_build(builder, NULL, &model, &error), SRS_OK);
  srs_builder_destroy(builder);
  srs_sim *sim;
  srs_sim_options options = srs_default_sim_options();
  options.integrator = integrator;
  assert_int_equal(srs_sim_create(model, &options, &sim, &error), SRS_OK);
  const int seconds = getenv("SARRUS_LONG") != NULL ? 600 : 30;
  double worst = 0, fastest = 0;
  for (int k = 0; k < 1000 * seconds; k++) {
    const double tau[3] = {0.05 * sin(2 * linkages_pi * 1e-3 * k)};
    double gap, before[3];
    memcpy(before, srs_sim_q(sim), sizeof before);
    assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
    step(sim, 1);
    if (k % 100 != 0) continue;
    assert_int_equal(srs_loop_gaps(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_time(sim), &gap), SRS_OK);
    worst = fmax(worst, gap);
    const double *at = integrator == SRS_SEMI_IMPLICIT_EULER ? before : srs_sim_q(sim);
    fastest = fmax(fastest, parting_speed(sim, at, srs_sim_v(sim)));
  }
  assert_true(fastest < 1e-8);
  print_message("speed of parting at most %.3g m/s; ", fastest);
  print_message("%d s: largest gap %.3g m (%.3g by the sim's own account)\n", seconds, worst,
                srs_sim_get_statistics(sim)->closure_error_max);
  assert_true(worst < 1e-11 && srs_sim_get_statistics(sim)->closure_error_max < 1e-11);
  assert_int_equal(srs_sim_get_statistics(sim)->failures, 0);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void F46_a_driven_four_bar_stays_closed(void **state)
{
  (void)state;
  actuator_four_bar(SRS_SEMI_IMPLICIT_EULER);
  actuator_four_bar(SRS_MOREAU_MIDPOINT);
}

static double lift(const srs_sim *sim)
{
  int n;
  double sum = 0;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  for (int i = 0; i < n; i++) sum += contacts[i].force[2] * (contacts[i].contact.normal[2] > 0 ? 1 : -1);
  return fabs(sum);
}

static void F50_a_linkage_on_a_box_on_the_ground(void **state)
{
  (void)state;
  char text[4096];
  snprintf(text, sizeof text, mechanisms_four_bar_on_a_box, "contact: {friction: 0.6}");
  world w = load(text);
  const double *q = srs_sim_q(w.sim);
  step(w.sim, 2500); // the linkage falls to rest under friction and its stop
  const double x = q[0], y = q[1];
  step(w.sim, 1000);
  double speed = 0;
  for (int i = 0; i < srs_model_nv(w.model); i++) speed = fmax(speed, fabs(srs_sim_v(w.sim)[i]));
  const double weight = 9.81 * srs_model_mass(w.model);
  print_message("at rest: largest speed %.3g, creep %.3g m in 1 s, lift - weight %.3g N of %.3g, gap %.3g m\n", speed,
                hypot(q[0] - x, q[1] - y), lift(w.sim) - weight, weight,
                srs_sim_get_statistics(w.sim)->closure_error_max);
  assert_true(hypot(q[0] - x, q[1] - y) < 1e-9 && fabs(lift(w.sim) - weight) < 1e-8 && speed < 1e-9);
  push(&w, "q1", 0.2);
  step(w.sim, 500);
  assert_true(srs_sim_get_statistics(w.sim)->closure_error_max < 1e-10);
  // The box stands on a corner more than it needs: as it rocks and slides, the contacts have impulses of many kinds.
  for (int k = 0; k < 3000; k++) {
    push(&w, "q1", 0.4 * sin(0.005 * k));
    step(w.sim, 1);
  }
  const srs_sim_statistics *s = srs_sim_get_statistics(w.sim);
  print_message("driven: residual at most %.3g in %ld problems, %ld above the tolerance, %.2f iterations, at most %d\n",
                s->residual_max, s->solves, s->failures, (double)s->iterations / (double)s->solves, s->iterations_max);
  assert_true(s->residual_max <= 1e-12 && s->failures == 0); // the solver's tolerance
  assert_true(s->closure_error_max < 1e-10);
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F38_a_stop_neither_gives_nor_chatters_nor_sticks),
      cmocka_unit_test(F39_dry_friction_holds_what_it_can_at_any_step),
      cmocka_unit_test(a_linkage_that_friction_stops_is_at_rest),
      cmocka_unit_test(F41_armature_counts_once_everywhere),
      cmocka_unit_test(F46_a_driven_four_bar_stays_closed),
      cmocka_unit_test(F50_a_linkage_on_a_box_on_the_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
