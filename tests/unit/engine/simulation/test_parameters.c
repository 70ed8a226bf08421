// A sim whose parameters are changed goes on as one that was built with them.

#include "support/world.h"
#include <sarrus/linearisation.h>
#include <sarrus/parameters.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A robot of two links, the first of two parts, that floats over a floor.
static const char robot[] =
    "gravity: [0, 0, %g]\n"
    "models:\n"
    "  - name: r\n"
    "    base: floating\n"
    "    position: [0, 0, 0.4]\n"
    "    links:\n"
    "      - {name: body, mass: 2, com: [0.01, 0.02, -0.01], inertia: [0.03, 0.04, 0.05]}\n"
    "      - {name: pack, mass: %g, com: [0.02, 0, 0.01], inertia: [%g, %g, %g, 0, 0, 0]}\n"
    "      - {name: arm, mass: 0.5, com: [0, 0, 0.15], inertia: [0.004, 0.004, 0.001]}\n"
    "    joints:\n"
    "      - {name: mount, kind: fixed, parent: body, child: pack, origin: {position: [0, 0.1, 0.1], rotation: {rpy: "
    "[0.3, "
    "0.2, 0.1]}}}\n"
    "      - {name: swing, kind: revolute, parent: body, child: arm, axis: [0, 1, 0], origin: {position: [0.1, 0, "
    "0.1]}, "
    "damping: %g, stiffness: %g, friction: %g, lower: %g, upper: 2, armature: %g}\n"
    "    shapes: [{link: body, kind: box, size: [%g, 0.3, %g]}, {link: arm, kind: sphere, radius: %g, pose: {position: "
    "[0, 0, 0.3]}}]\n"
    "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"
    "contact: {friction: %g, restitution: %g}\n"
    "integrator: %s\n"
    "initial: {v: {root: [1, 0.3, -1, 3, 2, 1], swing: 2}}\n";

typedef struct values {
  double gravity, mass, moment, damping, stiffness, friction, lower, armature, length, height, radius, mu, e;
} values;

static const values first = {-9.81, 0.4, 0.001, 0.01, 0.1, 0.02, -1, 0.001, 0.2, 0.1, 0.05, 0.5, 0};
static const values second = {-3.7, 0.9, 0.003, 0.2, 2, 0.1, -0.2, 0.01, 0.3, 0.16, 0.08, 0.2, 0.3};

static world robot_of(const values *x, const char *integrator)
{
  char text[4096];
  snprintf(text, sizeof text, robot, x->gravity, x->mass, x->moment, x->moment, x->moment, x->damping, x->stiffness,
           x->friction, x->lower, x->armature, x->length, x->height, x->radius, x->mu, x->e, integrator);
  return load(text);
}

static int frame(const world *w, const char *name) { return srs_model_find_frame(w->model, name); }

static void set(world *w, const values *x)
{
  srs_error error = {0};
  const srs_link_inertia pack = {x->mass, {0.02, 0, 0.01}, {x->moment, x->moment, x->moment, 0, 0, 0}};
  assert_int_equal(srs_sim_set_link_inertia(w->sim, frame(w, "pack"), &pack, &error), SRS_OK);
  srs_coordinate_parameters swing;
  assert_int_equal(srs_sim_get_coordinate_parameters(w->sim, 6, &swing), SRS_OK);
  swing.damping = x->damping, swing.stiffness = x->stiffness, swing.friction = x->friction;
  swing.lower = x->lower, swing.armature = x->armature;
  assert_int_equal(srs_sim_set_coordinate_parameters(w->sim, 6, &swing, &error), SRS_OK);
  const double gravity[3] = {0, 0, x->gravity}, box[3] = {x->length, 0.3, x->height};
  assert_int_equal(srs_sim_set_gravity(w->sim, gravity, &error), SRS_OK);
  for (int i = 0; i < srs_model_n_shapes(w->model); i++) {
    const srs_shape *shape = srs_model_shape(w->model, i);
    assert_int_equal(srs_sim_set_shape_material(w->sim, i, x->mu, x->e, &error), SRS_OK);
    if (shape->kind == SRS_SHAPE_BOX) assert_int_equal(srs_sim_set_shape_size(w->sim, i, box, &error), SRS_OK);
    if (shape->kind == SRS_SHAPE_SPHERE)
      assert_int_equal(srs_sim_set_shape_size(w->sim, i, &x->radius, &error), SRS_OK);
  }
}

static double apart(const world *a, const world *b)
{
  double most = 0;
  for (int i = 0; i < srs_model_nq(a->model); i++) most = fmax(most, fabs(srs_sim_q(a->sim)[i] - srs_sim_q(b->sim)[i]));
  return most;
}

// Both touch the floor within the time; rounding of the welded inertia, 1e-17, grows at its impacts.
static void a_changed_sim_moves_as_one_built_with_the_values(void **unused)
{
  (void)unused;
  for (int i = 0; i < SRS_INTEGRATORS; i++) {
    const char *integrator = srs_integrator_name((srs_integrator)i);
    if (i == SRS_RK4 || i == SRS_GEOMETRICALLY_IMPLICIT) continue;
    world built = robot_of(&second, integrator), changed = robot_of(&first, integrator);
    set(&changed, &second);
    assert_true(srs_sim_has_own_parameters(changed.sim));
    step(built.sim, 300);
    step(changed.sim, 300);
    printf("%s: apart %.1e, contacts in %ld steps\n", integrator, apart(&built, &changed),
           srs_sim_get_statistics(built.sim)->contact_steps);
    assert_true(srs_sim_get_statistics(built.sim)->contact_steps > 0);
    assert_true(apart(&built, &changed) < 1e-9);
    unload(&built), unload(&changed);
  }
}

static void reset_returns_to_the_models_values_to_the_bit(void **unused)
{
  (void)unused;
  world fresh = robot_of(&first, "semi-implicit-euler"), changed = robot_of(&first, "semi-implicit-euler");
  step(changed.sim, 20);
  set(&changed, &second);
  step(changed.sim, 100);
  srs_sim_reset(changed.sim);
  assert_false(srs_sim_has_own_parameters(changed.sim));
  assert_int_equal(srs_sim_set_state(changed.sim, 0, srs_sim_q(fresh.sim), srs_sim_v(fresh.sim), NULL), SRS_OK);
  step(fresh.sim, 300);
  step(changed.sim, 300);
  assert_memory_equal(srs_sim_q(fresh.sim), srs_sim_q(changed.sim), (size_t)srs_model_nq(fresh.model) * sizeof(double));
  unload(&fresh), unload(&changed);
}

static void other_sims_of_the_model_keep_theirs(void **unused)
{
  (void)unused;
  world w = robot_of(&first, "semi-implicit-euler"), alone = robot_of(&first, "semi-implicit-euler");
  srs_sim *other = sim_of_scene(w.scene, NULL);
  set(&w, &second);
  step(other, 300);
  step(alone.sim, 300);
  assert_memory_equal(srs_sim_q(other), srs_sim_q(alone.sim), (size_t)srs_model_nq(w.model) * sizeof(double));
  srs_sim_destroy(other);
  unload(&w), unload(&alone);
}

static void a_sim_takes_the_values_of_another_one(void **unused)
{
  (void)unused;
  world w = robot_of(&first, "semi-implicit-euler"), stranger = robot_of(&first, "semi-implicit-euler");
  srs_sim *other = sim_of_scene(w.scene, NULL);
  srs_error error = {0};
  set(&w, &second);
  step(other, 20);
  assert_int_equal(srs_sim_copy_parameters(w.sim, other, &error), SRS_OK);
  assert_true(srs_sim_has_own_parameters(other));
  assert_int_equal(srs_sim_set_state(other, 0, srs_sim_q(w.sim), srs_sim_v(w.sim), NULL), SRS_OK);
  step(w.sim, 300);
  step(other, 300);
  assert_memory_equal(srs_sim_q(other), srs_sim_q(w.sim), (size_t)srs_model_nq(w.model) * sizeof(double));
  assert_int_equal(srs_sim_copy_parameters(stranger.sim, other, &error), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "same model"));
  srs_sim_options options = srs_scene_get_settings(w.scene)->sim;
  options.integrator = SRS_MOREAU_MIDPOINT;
  srs_sim *unlike = NULL;
  assert_int_equal(srs_sim_create(w.model, &options, &unlike, NULL), SRS_OK);
  assert_int_equal(srs_sim_copy_parameters(w.sim, unlike, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_copy_parameters(NULL, other, NULL), SRS_ERROR_ARGUMENT);
  srs_sim_destroy(unlike), srs_sim_destroy(other);
  unload(&w), unload(&stranger);
}

static void a_snapshot_is_refused_by_a_sim_with_other_values(void **unused)
{
  (void)unused;
  world w = robot_of(&first, "semi-implicit-euler");
  srs_sim *other = sim_of_scene(w.scene, NULL);
  assert_int_equal(srs_sim_set_shape_material(w.sim, 0, 0.1, 0, NULL), SRS_OK);
  const size_t size = srs_sim_snapshot_size(w.sim);
  void *bytes = malloc(size);
  assert_non_null(bytes);
  srs_sim_snapshot_save(w.sim, bytes);
  assert_int_equal(srs_sim_snapshot_restore(other, bytes, size, NULL), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_set_shape_material(other, 0, 0.1, 0, NULL), SRS_OK);
  assert_int_equal(srs_sim_snapshot_restore(other, bytes, size, NULL), SRS_OK);
  free(bytes);
  srs_sim_destroy(other);
  unload(&w);
}

static void values_that_cannot_be_are_refused_and_change_nothing(void **unused)
{
  (void)unused;
  world w = robot_of(&first, "semi-implicit-euler");
  srs_error error = {0};
  srs_link_inertia x;
  assert_int_equal(srs_sim_get_link_inertia(w.sim, frame(&w, "pack"), &x), SRS_OK);
  assert_true(fabs(x.mass - 0.4) < 1e-15 && fabs(x.com[0] - 0.02) < 1e-15 && fabs(x.inertia[1] - 0.001) < 1e-15);
  x.inertia[2] = 1;
  assert_int_equal(srs_sim_set_link_inertia(w.sim, frame(&w, "pack"), &x, &error), SRS_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "pack"));
  x.inertia[2] = NAN;
  assert_int_equal(srs_sim_set_link_inertia(w.sim, frame(&w, "pack"), &x, &error), SRS_ERROR_NOT_FINITE);
  assert_int_equal(srs_sim_set_link_mass(w.sim, frame(&w, "pack"), -1, &error), SRS_ERROR_ARGUMENT);
  for (int i = 0; i < 2; i++) {
    const double mass = i == 0 ? 1e300 : 1e-320;
    assert_int_equal(srs_sim_set_link_mass(w.sim, frame(&w, "pack"), mass, &error), SRS_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "0, or 1e-40 to 1e+40 kg"));
  }
  assert_int_equal(srs_sim_set_link_mass(w.sim, 99, 1, &error), SRS_ERROR_ARGUMENT);
  srs_coordinate_parameters p;
  assert_int_equal(srs_sim_get_coordinate_parameters(w.sim, 6, &p), SRS_OK);
  p.max_effort = 3;
  assert_int_equal(srs_sim_set_coordinate_parameters(w.sim, 6, &p, &error), SRS_ERROR_UNSUPPORTED);
  p.max_effort = INFINITY, p.damping = -1;
  assert_int_equal(srs_sim_set_coordinate_parameters(w.sim, 6, &p, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_set_shape_material(w.sim, 0, -0.1, 0, &error), SRS_ERROR_ARGUMENT);
  assert_int_equal(srs_sim_set_shape_size(w.sim, 99, p.lower < 0 ? &p.upper : NULL, &error), SRS_ERROR_ARGUMENT);
  const double wrong[3] = {0, NAN, 0};
  assert_int_equal(srs_sim_set_gravity(w.sim, wrong, &error), SRS_ERROR_NOT_FINITE);
  assert_false(srs_sim_has_own_parameters(w.sim));
  unload(&w);
}

// The mass that the next step sees: dv+/dtau = h / m of a prismatic joint.
static void a_linearisation_sees_changed_masses(void **unused)
{
  (void)unused;
  world w = load("models:\n  - name: cart\n    links: [{name: base, mass: 2, inertia: [0.1, 0.1, 0.1]}]\n"
                 "    joints: [{name: x, kind: prismatic, child: base, axis: [1, 0, 0]}]\n");
  srs_linearisation *l = NULL;
  double B[2];
  assert_int_equal(srs_linearisation_create(w.sim, &l, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_link_mass(w.sim, 0, 5, NULL), SRS_OK);
  assert_int_equal(srs_sim_linearise(w.sim, l, NULL, B, NULL, NULL), SRS_OK);
  assert_true(fabs(B[1] - 0.001 / 5) < 1e-15);
  srs_sim_reset(w.sim);
  assert_int_equal(srs_sim_linearise(w.sim, l, NULL, B, NULL, NULL), SRS_OK);
  assert_true(fabs(B[1] - 0.001 / 2) < 1e-15);
  srs_linearisation_destroy(l);
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_changed_sim_moves_as_one_built_with_the_values),
      cmocka_unit_test(reset_returns_to_the_models_values_to_the_bit),
      cmocka_unit_test(other_sims_of_the_model_keep_theirs),
      cmocka_unit_test(a_sim_takes_the_values_of_another_one),
      cmocka_unit_test(a_snapshot_is_refused_by_a_sim_with_other_values),
      cmocka_unit_test(values_that_cannot_be_are_refused_and_change_nothing),
      cmocka_unit_test(a_linearisation_sees_changed_masses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
