// CBAT 6.1 and 6.2 against figures of an independent program; smooth bodies that roll without friction's losses.

#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static srs_sim *open_sample(const char *name, srs_scene **scene)
{
  char path[256];
  srs_error error;
  snprintf(path, sizeof path, "samples/%s", name);
  if (srs_scene_load(testing_source(path), NULL, scene, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_sim *sim = NULL;
  if (srs_scene_create_sim(*scene, NULL, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
  return sim;
}

static void step(srs_sim *sim)
{
  srs_error error;
  if (srs_sim_step(sim, 1, &error) != SRS_OK) fail_msg("%s", error.message);
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

static double kinetic(srs_sim *sim)
{
  srs_energies e;
  assert_int_equal(srs_energy(srs_sim_workspace(sim), srs_sim_q(sim), srs_sim_v(sim), &e), SRS_OK);
  return e.kinetic;
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
    step(sim);
    assert_near(kinetic(sim), start, 1e-12 / start, "kinetic energy");
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
    step(sim);
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rolling_disc_keeps_its_energy),
      cmocka_unit_test(a_sphere_leaves_two_others_smoothly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
