// CBAT 6.1 to 6.4 against figures of an independent program; smooth bodies that roll without friction's losses.

#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static srs_sim *open_sample(const char *name, srs_scene **scene)
{
  char path[256];
  snprintf(path, sizeof path, "samples/%s", name);
  *scene = scene_of_file(testing_source(path));
  srs_sim *sim = sim_of_scene(*scene, NULL);
  return sim;
}

static void step_solved(srs_sim *sim)
{
  step(sim, 1);
  assert_true(srs_sim_get_statistics(sim)->residual_last < 1e-10);
}

static void assert_solved_fast(const srs_sim *sim)
{
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  print_message("%ld steps, %.3f iterations a step, %d at most, residual %.3g\n", srs_sim_steps(sim),
                (double)s->iterations / (double)s->solves, s->iterations_max, s->residual_max);
  assert_int_equal(s->failures, 0);
  assert_true((double)s->iterations <= 6 * (double)s->solves);
}

static void assert_near(double found, double wanted, double tolerance, const char *what)
{
  if (!(fabs(found - wanted) <= tolerance * fmax(1, fabs(wanted))))
    fail_msg("%s is %.17g, not %.17g", what, found, wanted);
}

// CBAT 6.1
static void a_rolling_disc_keeps_its_energy(void **state)
{
  (void)state;
  testing_json *json = testing_json_load(testing_data("experiments/geometrically_implicit.json"));
  srs_scene *scene;
  srs_sim *sim = open_sample("rolling_disc.yaml", &scene);
  const double start = testing_json_number(json, "/disc_on_plane/KE0");
  double q[3], v[3];
  for (int k = 0; k < 1000; k++) {
    step_solved(sim);
    assert_near(kinetic_energy(sim), start, 1e-12 / start, "kinetic energy");
  }
  testing_json_numbers(json, "/disc_on_plane/q_end", q, 3);
  testing_json_numbers(json, "/disc_on_plane/nu_end", v, 3);
  for (int i = 0; i < 3; i++) {
    assert_near(srs_sim_q(sim)[i], q[i], 1e-8, "q");
    assert_near(srs_sim_v(sim)[i], v[i], 1e-8, "v");
  }
  int n;
  const srs_sim_contact *contact = srs_sim_contacts(sim, &n);
  assert_int_equal(n, 1);
  assert_near(contact->impulse[1], testing_json_number(json, "/disc_on_plane/pn_end"), 1e-8, "impulse");
  assert_solved_fast(sim);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  testing_json_free(json);
}

typedef struct at_contact {
  double normal, friction, slip; // F_n, |F_f / e|, |e v|
} at_contact;

// Of the contact with the sphere centred at `centre`, of the sphere with radius 1.
static at_contact measure(srs_sim *sim, const double *centre)
{
  at_contact out = {0};
  int n;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  for (int i = 0; i < n; i++) {
    const srs_sim_contact *c = &contacts[i];
    double normal[3], away = 0, velocity[6], slip[3], along = 0, spin = 0;
    const double sign = c->contact.link_a >= 0 ? 1 : -1; // towards the small sphere
    for (int k = 0; k < 3; k++) normal[k] = sign * c->contact.normal[k], away += normal[k] * centre[k];
    const double *q = srs_sim_q(sim);
    double distance = 0;
    for (int k = 0; k < 3; k++) distance += normal[k] * (q[k] - centre[k]);
    double off = 0;
    for (int k = 0; k < 3; k++) off += fabs(q[k] - centre[k] - distance * normal[k]);
    if (off > 1e-6) continue; // with the other sphere
    srs_frame_velocity(srs_sim_workspace(sim), 0, SRS_AXES_WORLD, velocity);
    for (int k = 0; k < 3; k++) { // at the contact, r = -normal
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      slip[k] = velocity[3 + k] - (velocity[a] * normal[b] - velocity[b] * normal[a]);
      along += slip[k] * normal[k];
      spin += velocity[k] * normal[k];
    }
    double slide = 0, force = 0, push = 0;
    for (int k = 0; k < 3; k++) push += sign * c->force[k] * normal[k];
    for (int k = 0; k < 3; k++) {
      slide += pow(slip[k] - along * normal[k], 2);
      force += pow(sign * c->force[k] - push * normal[k], 2);
    }
    out = (at_contact){push, sqrt(force + pow(c->torque / 0.3, 2)), sqrt(slide + pow(0.3 * spin, 2))};
  }
  return out;
}

static void compare_sample(const testing_json *json, const char *time, srs_sim *sim, const at_contact *contacts)
{
  const char *name[3] = {"q", "v", "w"};
  double velocity[6];
  srs_frame_velocity(srs_sim_workspace(sim), 0, SRS_AXES_WORLD, velocity);
  const double *found[3] = {srs_sim_q(sim), srs_sim_v(sim), velocity};
  char path[128];
  for (int k = 0; k < 3; k++) {
    double wanted[3];
    snprintf(path, sizeof path, "/sphere_on_two_spheres/samples/%s/%s", time, name[k]);
    testing_json_numbers(json, path, wanted, 3);
    for (int i = 0; i < 3; i++) assert_near(found[k][i], wanted[i], 1e-8, path);
  }
  for (int k = 0; k < 2; k++) {
    const char *key[3] = {"Fn", "Ft", "sigma"};
    const double value[3] = {contacts[k].normal, contacts[k].friction, contacts[k].slip};
    for (int i = 0; i < 3; i++) {
      snprintf(path, sizeof path, "/sphere_on_two_spheres/samples/%s/c%d/%s", time, k + 1, key[i]);
      assert_near(value[i], testing_json_number(json, path), 1e-8, path);
    }
  }
}

// CBAT 6.2: contact 1 is that with the larger sphere
static void a_sphere_leaves_two_others_smoothly(void **state)
{
  (void)state;
  static const double centres[2][3] = {{0, 0, 0}, {0, 11.4, 0}};
  testing_json *json = testing_json_load(testing_data("experiments/geometrically_implicit.json"));
  srs_scene *scene;
  srs_sim *sim = open_sample("two_spheres.yaml", &scene);
  static const struct {
    int step;
    const char *name;
  } samples[] = {{50, "0.5"}, {100, "1"}, {200, "2"}, {300, "3"}};
  double slides = 0, parts[2] = {0};
  for (int k = 1; k <= 400; k++) {
    step_solved(sim);
    at_contact contacts[2];
    for (int i = 0; i < 2; i++) {
      contacts[i] = measure(sim, centres[i]);
      if (contacts[i].normal > 1e-7) parts[i] = 0.01 * (k + 1);
    }
    if (slides == 0 && contacts[1].slip > 1e-7) slides = 0.01 * k;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
      if (samples[i].step == k) compare_sample(json, samples[i].name, sim, contacts);
  }
  assert_near(slides, testing_json_number(json, "/sphere_on_two_spheres/events/contact2_roll_to_slide"), 1e-9,
              "slides");
  assert_near(parts[0], testing_json_number(json, "/sphere_on_two_spheres/events/contact1_separates"), 1e-9, "parts 1");
  assert_near(parts[1], testing_json_number(json, "/sphere_on_two_spheres/events/contact2_separates"), 1e-9, "parts 2");
  assert_solved_fast(sim);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  testing_json_free(json);
}

static srs_sim *open_layer(double thickness, srs_scene **scene)
{
  srs_error error;
  *scene = scene_of_file(testing_source("samples/quasi_rigid.yaml"));
  const srs_scene_settings *settings = srs_scene_get_settings(*scene);
  srs_sim_options options = settings->sim;
  srs_material soft = options.contact.materials[0];
  soft.layer.thickness = thickness;
  options.contact.materials = &soft;
  srs_sim *sim = NULL;
  if (srs_sim_create(srs_scene_model(*scene), &options, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
  const double q[3] = {0, 1.5, 0}, v[3] = {0};
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, &error), SRS_OK);
  return sim;
}

typedef struct layer_run {
  double first_contact, core[4], impulse[4], before, after, deepest, deepest_at, end;
  int n_core;
} layer_run;

// m v^2 / 2 + m g y + k d^2 / 2
static double energy_of(double y, double v) { return 0.5 * v * v + 9.81 * y + 500 * pow(fmax(0, 1 - y), 2); }

static void compare_state(const testing_json *json, const char *name, double time, double y, double v)
{
  static const char *const times[] = {"0.10", "0.30", "0.33", "0.34", "0.35", "0.40", "0.50", "1.00", "1.50", "2.00"};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    if (fabs(strtod(times[i], NULL) - time) > 1e-9) continue;
    char path[128];
    double wanted[3];
    snprintf(path, sizeof path, "/disc_on_quasi_rigid_half_plane/%s/state_samples/%s", name, times[i]);
    testing_json_numbers(json, path, wanted, 3);
    assert_near(y, wanted[0], 1e-8, path);
    assert_near(v, wanted[1], 1e-8, path);
    assert_near(energy_of(y, v), wanted[2], 1e-8, path);
  }
}

// Which impulse the layer does not bear is the core's.
static layer_run run_layer(const testing_json *json, const char *name, double thickness)
{
  srs_scene *scene;
  srs_sim *sim = open_layer(thickness, &scene);
  layer_run run = {0};
  for (int k = 1; k <= 20000; k++) {
    const double before = srs_sim_v(sim)[1];
    step_solved(sim);
    const double y = srs_sim_q(sim)[1], v = srs_sim_v(sim)[1], deflection = 1 - y;
    int n;
    const srs_sim_contact *contact = srs_sim_contacts(sim, &n);
    const double push = n > 0 ? contact->impulse[1] * (contact->contact.link_a >= 0 ? 1 : -1) : 0;
    if (run.first_contact == 0 && push > 0) run.first_contact = 1e-4 * k;
    if (deflection > run.deepest) run.deepest = deflection, run.deepest_at = 1e-4 * k;
    const double core = push - 1e-4 * 1000 * deflection;
    if (deflection > 0 && core > 1e-9 && run.n_core < 4) {
      if (run.n_core == 0) run.before = before, run.after = v;
      run.core[run.n_core] = 1e-4 * k, run.impulse[run.n_core++] = core;
    }
    compare_state(json, name, 1e-4 * k, y, v);
    run.end = energy_of(y, v);
  }
  assert_solved_fast(sim);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  return run;
}

// CBAT 6.3, figures 7 and 8
static void a_disc_bounces_on_a_layer_and_its_core_stops_it(void **state)
{
  (void)state;
  testing_json *json = testing_json_load(testing_data("experiments/geometrically_implicit.json"));
#define FIGURE(name) testing_json_number(json, "/disc_on_quasi_rigid_half_plane/" name)
  const layer_run hard = run_layer(json, "ex3_dmax0.05", 0.05), soft = run_layer(json, "ex3_dmax1", 1);
  double times[2], impulses[2];
  testing_json_numbers(json, "/disc_on_quasi_rigid_half_plane/ex3_dmax0.05/rigid_core_steps_t", times, 2);
  testing_json_numbers(json, "/disc_on_quasi_rigid_half_plane/ex3_dmax0.05/p_nr", impulses, 2);
  assert_near(hard.first_contact, FIGURE("ex3_dmax0.05/first_spring_contact_t"), 1e-9, "first contact");
  assert_int_equal(hard.n_core, 2);
  for (int i = 0; i < 2; i++) {
    assert_near(hard.core[i], times[i], 1e-9, "time of the core");
    assert_near(hard.impulse[i], impulses[i], 1e-8, "impulse of the core");
  }
  assert_near(hard.before, FIGURE("ex3_dmax0.05/v_before_rigid"), 1e-8, "velocity before the core");
  assert_near(hard.after, FIGURE("ex3_dmax0.05/v_after"), 1e-8, "velocity after the core");
  assert_near(hard.deepest, 0.05, 1e-12, "deflection");
  assert_near(hard.end, FIGURE("ex3_dmax0.05/E_end"), 1e-8, "energy");
  assert_int_equal(soft.n_core, 0);
  assert_near(soft.deepest, FIGURE("ex3_dmax1/max_delta"), 1e-8, "deflection");
  assert_near(soft.deepest_at, FIGURE("ex3_dmax1/t_max_delta"), 1e-9, "time of the deflection");
  assert_near(soft.end, FIGURE("ex3_dmax1/E_end"), 1e-8, "energy");
#undef FIGURE
  testing_json_free(json);
}

// After CBAT 6.4: from 11 mm below its middle the piece slips up between the jaws, onto its outermost teeth.
static void a_grasp_ends_on_the_outermost_teeth(void **state)
{
  (void)state;
  srs_scene *scene;
  srs_sim *sim = open_sample("grasp.yaml", &scene);
  for (int k = 0; k < 3000; k++) step_solved(sim);
  const double *q = srs_sim_q(sim), spring = 200 * (0.05 - q[3]);
  int n;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  assert_int_equal(n, 2);
  assert_true(q[1] > 0.005 && fabs(q[0]) < 1e-3 && fabs(q[2]) < 0.01);
  for (int i = 0; i < 5; i++) assert_true(fabs(srs_sim_v(sim)[i]) < 1e-9);
  for (int i = 0; i < n; i++) {
    const srs_sim_contact *c = &contacts[i];
    double push = 0;
    for (int k = 0; k < 3; k++) push += c->force[k] * c->contact.normal[k];
    assert_near(push, spring, 1e-6, "what the jaw presses with");
    assert_near(-c->contact.gap, push / 20000, 1e-9, "what the pad gives by");
    const double *at = c->contact.point_a; // teeth 1 and 6: 20.75 mm at 235 and 305 degrees
    assert_true(hypot(fabs(at[0] - q[0]) - 0.01186, at[1] - q[1] + 0.01703) < 0.0026);
  }
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies that are not round
// ---------------------------------------------------------------------------------------------------------------------

enum { CORNERS = 1000, DIGITS = 80 };

static const double semi_axes[3] = {1, 0.6, 0.8};

typedef struct rolled {
  double lost, sunk; // J over 3 s, m at most
} rolled;

// A body of these exponents rolls and rocks on a plane without slipping; as itself, or as a polyhedron of points on
// it.
static void write_body(double p, double q, bool is_polyhedron, srs_integrator integrator, double dt, char *text,
                       size_t size)
{
  size_t used = (size_t)snprintf(text, size,
                                 "models: [{name: m, base: floating, position: [0, 0, 0.8], links: [{name: l, mass: 1, "
                                 "inertia: [0.2, 0.328, 0.272]}], shapes: [{link: l, ");
  if (!is_polyhedron)
    used += (size_t)snprintf(text + used, size - used, "kind: superellipsoid, size: [1, 0.6, 0.8], exponents: [%g, %g]",
                             p, q);
  for (int i = 0; is_polyhedron && i < CORNERS; i++) {
    const double z = 1 - 2 * (i + 0.5) / CORNERS, r = sqrt(1 - z * z), angle = 2.399963229728653 * i;
    const double x = r * cos(angle), y = r * sin(angle);
    const double n = pow(pow(pow(fabs(x), p) + pow(fabs(y), p), q / p) + pow(fabs(z), q), 1 / q);
    used +=
        (size_t)snprintf(text + used, size - used, "%s[%.15g, %.15g, %.15g]", i == 0 ? "kind: hull, points: [" : ", ",
                         semi_axes[0] * x / n, semi_axes[1] * y / n, semi_axes[2] * z / n);
  }
  snprintf(text + used, size - used,
           "%s}]}]\nenvironment: [{name: plane, shape: half-space}]\ncontact: {friction: 1}\ninitial: {v: {root: [0, "
           "2.4, 0, -3, 0, 0.3]}}\nintegrator: %s\ndt: %.15g\nkeep_momentum: false\n",
           is_polyhedron ? "]" : "", srs_integrator_name(integrator), dt);
}

static rolled roll(double p, double q, bool is_polyhedron, srs_integrator integrator, double dt)
{
  const size_t size = (size_t)CORNERS * DIGITS + 1000;
  char *text = malloc(size);
  write_body(p, q, is_polyhedron, integrator, dt, text, size);
  srs_error error;
  srs_scene *scene = scene_of_text(text);
  srs_sim *sim = sim_of_scene(scene, NULL);
  srs_energies before, after;
  srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &before);
  if (srs_sim_step(sim, lround(3 / dt), &error) != SRS_OK) fail_msg("%s", error.message);
  srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &after);
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  assert_int_equal(s->failures, 0);
  assert_true(s->residual_max < 1e-10);
  const rolled out = {before.kinetic + before.potential - after.kinetic - after.potential, s->penetration_max};
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  free(text);
  return out;
}

// What is lost is of order h, as by implicit Euler, and nothing sinks in. Bodies made of corners lose more, however
// short the step: semi-implicit-euler at a quarter of it costs as much. With the smooth body semi-implicit-euler
// loses less, and sinks in by order h^2.
static void bodies_that_are_not_round_lose_energy_of_order_h(void **state)
{
  (void)state;
  static const double exponents[2][2] = {{2, 2}, {3, 2.5}};
  for (int k = 0; k < 2; k++) {
    const double p = exponents[k][0], q = exponents[k][1];
    double last = 0;
    print_message("exponents %g %g: J lost in 3 s (and m sunk in) by\n", p, q);
    print_message("%8s %26s %26s %26s\n", "h", "geometrically-implicit", "semi-implicit-euler", "its polyhedron, h/4");
    for (int n = 0; n < 3; n++) {
      const double dt = ldexp(0.01, -n);
      const rolled here = roll(p, q, false, SRS_GEOMETRICALLY_IMPLICIT, dt);
      const rolled other = roll(p, q, false, SRS_SEMI_IMPLICIT_EULER, dt);
      const rolled corners = roll(p, q, true, SRS_SEMI_IMPLICIT_EULER, dt / 4);
      print_message("%8.4f %14.4f (%8.1e) %14.4f (%8.1e) %14.4f (%8.1e)\n", dt, here.lost, here.sunk, other.lost,
                    other.sunk, corners.lost, corners.sunk);
      assert_true(here.lost > 0 && here.sunk < 1e-12);
      assert_true(here.lost < corners.lost);
      if (last > 0) assert_true(last / here.lost > 1.6 && last / here.lost < 2.2); // 2 as h goes to 0
      last = here.lost;
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rolling_disc_keeps_its_energy),
      cmocka_unit_test(a_sphere_leaves_two_others_smoothly),
      cmocka_unit_test(a_disc_bounces_on_a_layer_and_its_core_stops_it),
      cmocka_unit_test(a_grasp_ends_on_the_outermost_teeth),
      cmocka_unit_test(bodies_that_are_not_round_lose_energy_of_order_h),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
