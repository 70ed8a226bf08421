// The geometrically implicit step: trees, loops, limits and dry friction beside contacts, solids of several functions
// on both sides, and that it goes on from a snapshot bit by bit.

#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
  srs_scene *scene;
  srs_sim *sim;
} run;

static run open_text(const char *text)
{
  run r = {NULL, NULL};
  r.scene = scene_of_text(text);
  r.sim = sim_of_scene(r.scene, NULL);
  return r;
}

static void close_run(run *r)
{
  srs_sim_destroy(r->sim);
  srs_scene_destroy(r->scene);
}

static void step_solved(srs_sim *sim)
{
  step(sim, 1);
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  assert_int_equal(s->failures, 0);
  assert_true(s->residual_last < 1e-10);
}

// The smallest gap of the present state by the collider's closed forms, which know nothing of surfaces; `margin` if
// there is none below it.
static double least_gap(srs_sim *sim, double margin)
{
  enum { MOST_LINKS = 16, MOST = 200 };
  srs_pose links[MOST_LINKS];
  static srs_contact_point contacts[MOST];
  const srs_model *model = srs_sim_model(sim);
  for (int k = 0; k < srs_model_n_links(model); k++)
    srs_frame_placement(srs_sim_workspace(sim), srs_model_find_frame(model, srs_model_link(model, k)->name), &links[k]);
  int n = 0;
  double least = margin;
  assert_int_equal(srs_collider_contacts(srs_sim_collider(sim), links, margin, contacts, MOST, &n, NULL), SRS_OK);
  for (int i = 0; i < n; i++) least = fmin(least, contacts[i].gap);
  return least;
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------------------------

static const char chain[] =
    "models:\n"
    "  - name: chain\n"
    "    links:\n"
    "      - {name: a, mass: 1, com: [0, 0, -0.25], inertia: [0.02, 0.02, 0.002]}\n"
    "      - {name: b, mass: 1, com: [0, 0, -0.25], inertia: [0.02, 0.02, 0.002]}\n"
    "      - {name: c, mass: 1, com: [0, 0, -0.25], inertia: [0.02, 0.02, 0.002]}\n"
    "      - {name: d, mass: 1, com: [0, 0, -0.25], inertia: [0.02, 0.02, 0.002]}\n"
    "    joints:\n"
    "      - {name: a, kind: revolute, child: a, axis: [0, 1, 0], origin: {position: [0, 0, 0.9]}}\n"
    "      - {name: b, kind: universal, parent: a, child: b, axis: [0, 1, 0], axis2: [1, 0, 0], origin: {position: [0, "
    "0, -0.5]}}\n"
    "      - {name: c, kind: spherical, parent: b, child: c, origin: {position: [0, 0, -0.5]}}\n"
    "      - {name: d, kind: revolute, parent: c, child: d, axis: [1, 1, 0], origin: {position: [0, 0, -0.5]}, lower: "
    "-1, upper: 1}\n"
    "    shapes:\n"
    "      - {kind: capsule, link: a, radius: 0.1, length: 0.25, pose: {position: [0, 0, -0.25]}}\n"
    "      - {kind: capsule, link: b, radius: 0.1, length: 0.25, pose: {position: [0, 0, -0.25]}}\n"
    "      - {kind: capsule, link: c, radius: 0.1, length: 0.25, pose: {position: [0, 0, -0.25]}}\n"
    "      - {kind: capsule, link: d, radius: 0.1, length: 0.25, pose: {position: [0, 0, -0.25]}}\n"
    "environment:\n"
    "  - {name: floor, shape: half-space, normal: [0, 0, 1], offset: 0}\n"
    "  - {name: post, shape: capsule, radius: 0.2, length: 1, position: [0.7, 0, 0.5]}\n"
    "contact: {friction: 0.4, torsional: 0.05}\n"
    "initial: {q: {a: 1.2}, v: {a: 1, b: [0.5, 0.5]}}\n"
    "integrator: geometrically-implicit\n"
    "dt: 0.005\n";

static void a_chain_of_capsules_beats_about_without_sinking_in(void **state)
{
  (void)state;
  run r = open_text(chain);
  const int d = srs_model_find_q(srs_sim_model(r.sim), "d");
  for (int k = 0; k < 800; k++) {
    step_solved(r.sim);
    assert_true(least_gap(r.sim, 0.01) > -1e-9);
    assert_true(fabs(srs_sim_q(r.sim)[d]) <= 1 + 1e-10);
  }
  const srs_sim_statistics *s = srs_sim_get_statistics(r.sim);
  print_message("%d contacts at most, %ld steps with some, %.2f iterations, %d at most\n", s->contacts_max,
                s->contact_steps, (double)s->iterations / (double)s->solves, s->iterations_max);
  assert_true(s->contacts_max >= 3 && s->contact_steps > 100);
  close_run(&r);
}

static const char boxes[] =
    "models:\n"
    "  - {name: a, base: floating, position: [0, 0, 0.6], rotation: {rpy: [0.3, 0.5, 0.2]}, links: [{name: l, mass: 1, "
    "inertia: [0.02, 0.03, 0.04]}], shapes: [{link: l, kind: box, size: [0.5, 0.4, 0.3]}]}\n"
    "  - {name: b, base: floating, position: [0.1, 0.05, 1.2], rotation: {rpy: [-0.4, 0.2, 0.9]}, links: [{name: l, "
    "mass: 0.5, inertia: [0.01, 0.01, 0.01]}], shapes: [{link: l, kind: cylinder, radius: 0.2, length: 0.3}]}\n"
    "  - {name: c, base: floating, position: [0, -0.05, 1.7], rotation: {rpy: [0.1, -0.4, 0.4]}, links: [{name: l, "
    "mass: 0.5, inertia: [0.01, 0.01, 0.01]}], shapes: [{link: l, kind: box, size: [0.3, 0.3, 0.3]}]}\n"
    "environment: [{name: table, shape: box, size: [3, 3, 0.2], position: [0, 0, -0.1]}]\n"
    "contact: {friction: 0.5, torsional: 0.02}\n"
    "integrator: geometrically-implicit\n"
    "dt: 0.005\n";

// CBAT's remark 1: several functions on both sides, and which are active comes out of the step.
static void solids_with_edges_land_on_each_other(void **state)
{
  (void)state;
  run r = open_text(boxes);
  for (int k = 0; k < 600; k++) {
    const double before = total_energy(r.sim);
    step_solved(r.sim);
    assert_true(least_gap(r.sim, 0.01) > -1e-8);
    assert_true(total_energy(r.sim) <= before + 1e-9); // inelastic, and implicit
  }
  const srs_sim_statistics *s = srs_sim_get_statistics(r.sim);
  print_message("%d contacts at most, %.2f iterations, %d at most\n", s->contacts_max,
                (double)s->iterations / (double)s->solves, s->iterations_max);
  assert_true(s->contacts_max >= 3);
  close_run(&r);
}

static void a_resumed_run_is_the_same_bit_by_bit(void **state)
{
  (void)state;
  run r = open_text(chain), other = open_text(chain);
  for (int k = 0; k < 150; k++) step_solved(r.sim);
  const size_t size = srs_sim_snapshot_size(r.sim);
  void *bytes = malloc(size);
  srs_sim_snapshot_save(r.sim, bytes);
  assert_int_equal(srs_sim_snapshot_restore(other.sim, bytes, size, NULL), SRS_OK);
  for (int k = 0; k < 150; k++) step_solved(r.sim), step_solved(other.sim);
  const srs_model *model = srs_sim_model(r.sim);
  assert_memory_equal(srs_sim_q(r.sim), srs_sim_q(other.sim), (size_t)srs_model_nq(model) * sizeof(double));
  assert_memory_equal(srs_sim_v(r.sim), srs_sim_v(other.sim), (size_t)srs_model_nv(model) * sizeof(double));
  free(bytes);
  close_run(&r);
  close_run(&other);
}

// ---------------------------------------------------------------------------------------------------------------------
// Other rows
// ---------------------------------------------------------------------------------------------------------------------

static void without_contacts_it_is_semi_implicit_euler(void **state)
{
  (void)state;
  run r = open_text("models: [{name: m, links: [{name: l, mass: 1, com: [0, 0, -1]}], joints: [{name: h, kind: "
                    "revolute, child: l, stiffness: 3, damping: 0.1}]}]\ninitial: {q: {h: 1}}\ndt: 0.01\n"
                    "integrator: geometrically-implicit\n");
  srs_sim_options options = srs_scene_get_settings(r.scene)->sim;
  options.integrator = SRS_SEMI_IMPLICIT_EULER;
  srs_sim *other;
  assert_int_equal(srs_scene_create_sim(r.scene, &options, &other, NULL), SRS_OK);
  for (int k = 0; k < 100; k++) step_solved(r.sim), step_solved(other);
  assert_true(srs_sim_q(r.sim)[0] == srs_sim_q(other)[0] && srs_sim_v(r.sim)[0] == srs_sim_v(other)[0]);
  srs_sim_destroy(other);
  close_run(&r);
}

// A four-bar whose coupler drags over the ground: loop and contact in one step.
static void loops_are_closed_where_contacts_are(void **state)
{
  (void)state;
  run r = open_text(
      "models:\n"
      "  - name: bar\n"
      "    links:\n"
      "      - {name: crank, mass: 0.2, com: [0, 0, 0.1], inertia: [0.001, 0.001, 0.001]}\n"
      "      - {name: coupler, mass: 0.3, com: [0.2, 0, 0], inertia: [0.002, 0.004, 0.004]}\n"
      "      - {name: rocker, mass: 0.2, com: [0, 0, 0.1], inertia: [0.001, 0.001, 0.001]}\n"
      "    joints:\n"
      "      - {name: a, kind: revolute, child: crank, axis: [0, 1, 0]}\n"
      "      - {name: b, kind: revolute, parent: crank, child: coupler, axis: [0, 1, 0], origin: {position: [0, 0, "
      "0.2]}}\n"
      "      - {name: d, kind: revolute, child: rocker, axis: [0, 1, 0], origin: {position: [0.4, 0, 0]}, friction: "
      "0.01}\n"
      "    closures: [{kind: revolute, frame_a: coupler, pose_a: {position: [0.4, 0, 0]}, frame_b: rocker, pose_b: "
      "{position: [0, 0, 0.2]}, axis: [0, 1, 0], name: c}]\n"
      "    shapes: [{link: coupler, kind: sphere, radius: 0.05, pose: {position: [0.2, 0, 0]}}]\n"
      "environment: [{name: bump, shape: ellipsoid, size: [0.3, 0.2, 0.15], position: [0.55, 0.02, 0]}]\n"
      "contact: {friction: 0.3}\n"
      "initial: {v: {a: 6}}\n"
      "integrator: geometrically-implicit\n"
      "dt: 0.002\n");
  double gap = 0;
  bool meets = false;
  for (int k = 0; k < 500; k++) {
    step_solved(r.sim);
    int n;
    const srs_sim_contact *contacts = srs_sim_contacts(r.sim, &n);
    for (int i = 0; i < n; i++) meets = meets || contacts[i].impulse[0] != 0;
    assert_int_equal(srs_loop_gaps(srs_sim_workspace(r.sim), srs_sim_q(r.sim), 0, &gap), SRS_OK);
    assert_true(fabs(gap) < 1e-12);
    for (int i = 0; i < n; i++) assert_true(contacts[i].contact.gap > -1e-12);
  }
  assert_true(meets);
  close_run(&r);
}

static void a_limit_and_dry_friction_hold(void **state)
{
  (void)state;
  run r =
      open_text("models: [{name: m, links: [{name: l, mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}, {name: s, mass: "
                "2}], joints: [{name: h, kind: revolute, child: l, axis: [0, 1, 0], lower: -0.3, upper: 2}, {name: "
                "p, kind: prismatic, child: s, axis: [1, 0, 1], friction: 15}]}]\ninitial: {q: {h: 1.5}}\ndt: 0.01\n"
                "integrator: geometrically-implicit\n");
  double least = 1;
  for (int k = 0; k < 300; k++) {
    step_solved(r.sim);
    least = fmin(least, srs_sim_q(r.sim)[0]);
    assert_true(fabs(srs_sim_v(r.sim)[1]) < 1e-13); // 2 * 9.81 / sqrt(2) = 13.9 N would move it
  }
  assert_true(fabs(least + 0.3) < 1e-13);
  close_run(&r);
}

// ---------------------------------------------------------------------------------------------------------------------
// Refusals
// ---------------------------------------------------------------------------------------------------------------------

// An ellipsoid's function, as a caller would write it.
static void egg(const void *context, const double point[3], double *value, double *gradient, double *hessian)
{
  const double *size = context, scale = cbrt(size[0] * size[1] * size[2]);
  double sum = -1;
  if (hessian != NULL) memset(hessian, 0, 9 * sizeof *hessian);
  for (int i = 0; i < 3; i++) {
    const double square = size[i] * size[i];
    sum += point[i] * point[i] / square;
    if (gradient != NULL) gradient[i] = scale * point[i] / square;
    if (hessian != NULL) hessian[(size_t)i * 4] = scale / square;
  }
  if (value != NULL) *value = 0.5 * scale * sum;
}

static const double egg_size[3] = {1, 0.6, 0.8};

static const char rolling[] =
    "models:\n"
    "  - {name: m, base: floating, links: [{name: l, mass: 1, inertia: [0.2, 0.3, 0.3]}], shapes: [{link: l, name: "
    "egg, %s}]}\n"
    "environment: [{name: floor, shape: half-space, normal: [0, 0, 1], offset: -0.8}, {name: post, shape: cylinder, "
    "radius: 0.5, length: 4, position: [2, 0.3, 0]}]\n"
    "initial: {v: {root.vx: 2, root.wy: 2.5, root.wz: 0.3}}\n"
    "integrator: geometrically-implicit\n"
    "dt: 0.005\n";

static srs_status create_with(const srs_scene *scene, const char *shape, srs_integrator integrator, srs_sim **sim,
                              srs_error *error)
{
  const srs_shape_surface given = {.shape = shape,
                                   .surface = {.kind = SRS_SURFACE_FUNCTION, .function = egg, .context = egg_size}};
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.contact.surfaces = &given, options.contact.n_surfaces = 1;
  options.integrator = integrator;
  return srs_scene_create_sim(scene, &options, sim, error);
}

static void a_caller_s_surface_moves_as_the_shape_would(void **state)
{
  (void)state;
  char text[1024];
  srs_error error;
  snprintf(text, sizeof text, rolling, "kind: ellipsoid, size: [1, 0.6, 0.8]");
  run known = open_text(text), given = {NULL, NULL};
  snprintf(text, sizeof text, rolling, "kind: sphere, radius: 1");
  given.scene = scene_of_text(text);
  if (create_with(given.scene, "egg", SRS_GEOMETRICALLY_IMPLICIT, &given.sim, &error) != SRS_OK)
    fail_msg("%s", error.message);
  for (int k = 0; k < 400; k++) step_solved(known.sim), step_solved(given.sim);
  assert_true(srs_sim_get_statistics(known.sim)->contacts_max >= 2); // the post was met
  testing_assert_close("q", srs_sim_q(given.sim), srs_sim_q(known.sim), 7, 1e-9);
  testing_assert_close("v", srs_sim_v(given.sim), srs_sim_v(known.sim), 6, 1e-9);

  srs_sim *none = NULL;
  assert_int_equal(create_with(given.scene, "eg", SRS_GEOMETRICALLY_IMPLICIT, &none, &error), SRS_ERROR_NAME);
  assert_non_null(strstr(error.message, "no shape is called 'eg'"));
  assert_int_equal(create_with(given.scene, NULL, SRS_GEOMETRICALLY_IMPLICIT, &none, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(create_with(given.scene, "floor", SRS_GEOMETRICALLY_IMPLICIT, &none, &error), SRS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "a sphere that holds what it bounds"));
  assert_int_equal(create_with(given.scene, "egg", SRS_MOREAU_MIDPOINT, &none, &error), SRS_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "the surface of 'egg' needs the integrator geometrically-implicit"));
  close_run(&known);
  close_run(&given);
}

static void assert_refused(const char *text, const char *word)
{
  srs_sim *sim = NULL;
  srs_error error;
  srs_scene *scene = scene_of_text(text);
  assert_int_equal(srs_scene_create_sim(scene, NULL, &sim, &error), SRS_ERROR_UNSUPPORTED);
  if (strstr(error.message, word) == NULL) fail_msg("no '%s' in: %s", word, error.message);
  srs_scene_destroy(scene);
}

static void what_it_cannot_do_is_refused_by_name(void **state)
{
  (void)state;
  static const char body[] =
      "models: [{name: m, base: floating, links: [{name: l, mass: 1, inertia: [1, 1, 1]}], shapes: "
      "[{link: l, name: thing, %s}]}]\nenvironment: [{name: floor, shape: half-space}]\n"
      "contact: {%s}\nintegrator: geometrically-implicit\n";
  char text[1024];
  snprintf(text, sizeof text, body, "kind: cone, radius: 1, length: 1", "restitution: 0");
  assert_refused(text, "cone");
  snprintf(text, sizeof text, body, "kind: sphere, radius: 1", "restitution: 0.5");
  assert_refused(text, "restitution");
  snprintf(text, sizeof text, body, "kind: box, size: [1, 1, 1]", "corners: max");
  assert_refused(text, "no corners: max");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_of_capsules_beats_about_without_sinking_in),
      cmocka_unit_test(solids_with_edges_land_on_each_other),
      cmocka_unit_test(a_caller_s_surface_moves_as_the_shape_would),
      cmocka_unit_test(a_resumed_run_is_the_same_bit_by_bit),
      cmocka_unit_test(without_contacts_it_is_semi_implicit_euler),
      cmocka_unit_test(loops_are_closed_where_contacts_are),
      cmocka_unit_test(a_limit_and_dry_friction_hold),
      cmocka_unit_test(what_it_cannot_do_is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
