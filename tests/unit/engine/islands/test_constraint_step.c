// What do contacts do to one step? Laws against cases computed by hand, and what must not change a motion: other
// bodies far away, the order in which shapes and bodies were added, the start of the solver.

#include "support/inside_sim.h"
#include "support/sims.h"
#include "support/testing.h"
#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81, h = 1e-3;

// ---------------------------------------------------------------------------------------------------------------------
// Normal laws and activation: a ball of 1 kg and radius 0.1 m over the ground
// ---------------------------------------------------------------------------------------------------------------------

typedef struct drop {
  const char *settings;
  double gap, v;     // before
  double gap_n, v_n; // after
  int n_contacts;
} drop;

static void check_drop(const char *integrator, const drop *d)
{
  char text[1024];
  snprintf(text, sizeof text,
           "models: [{name: m, base: floating, links: [{name: b, mass: 1, inertia: [1, 1, 1]}],\n"
           "          shapes: [{link: b, kind: sphere, radius: 0.1}]}]\n"
           "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
           "integrator: %s\ncontact: {%s}\ninitial: {q: {root.z: %.17g}, v: {root.vz: %.17g}}\n",
           integrator, d->settings, 0.1 + d->gap, d->v);
  world w = load(text);
  step(w.sim, 1);
  int n;
  (void)srs_sim_contacts(w.sim, &n);
  const double gap = srs_sim_q(w.sim)[2] - 0.1, v = srs_sim_v(w.sim)[2];
  // A gap of 1e-17 rounds to 1e-17 / h as a speed; the solver's tolerance is 1e-12 of the speed.
  if (n != d->n_contacts || fabs(gap - d->gap_n) > 1e-14 || fabs(v - d->v_n) > 1e-11 * (1 + fabs(d->v)))
    fail_msg("%s, %s, gap %g, v %g: %d contacts, gap %.17g, v %.17g, not %d, %.17g, %.17g", integrator, d->settings,
             d->gap, d->v, n, gap, v, d->n_contacts, d->gap_n, d->v_n);
  unload(&w);
}

static void semi_implicit_euler_obeys_each_normal_law(void **state)
{
  (void)state;
  const double fall = -1 - g * h; // v_free of v = -1
  const drop cases[] = {
      // Closing within the step: gap arrives at the surface, velocity stops where it is, hart goes gamma of the way.
      {"normal: gap", 5e-4, -1, 0, -0.5, 1},
      {"normal: velocity", 5e-4, -1, 5e-4, 0, 1},
      {"normal: hart", 5e-4, -1, 4e-4, -0.1, 1},
      // Not closing within the step: no contact.
      {"normal: gap", 2e-3, -1, 2e-3 + h * fall, fall, 0},
      {"normal: velocity", 2e-3, -1, 2e-3 + h * fall, fall, 0},
      // Within the distance, but not closing: hart holds it back, gap need not.
      {"normal: gap, activation: distance, distance: 0.01", 2e-3, -1, 2e-3 + h * fall, fall, 1},
      {"normal: hart, activation: distance, distance: 0.01", 2e-3, -1, 1.6e-3, -0.4, 1},
      {"normal: gap, activation: distance, distance: 0.001", 2e-3, -1, 2e-3 + h * fall, fall, 0},
      // Closing, but only penetration counts.
      {"normal: gap, activation: penetrating", 5e-4, -1, 5e-4 + h * fall, fall, 0},
      {"normal: gap, activation: penetrating", -5e-4, -1, -4e-4, 0, 1},
      // Inside: gamma of the depth comes out in a step, but no faster than the cap, which hart has not. By default
      // positions move, and the speed is that of rest; otherwise velocities push.
      {"normal: gap", -1e-3, -1, -8e-4, 0, 1},
      {"normal: gap, projection: false", -1e-3, -1, -8e-4, 0.2, 1},
      {"normal: velocity", -1e-3, -1, -8e-4, 0.2, 1},
      {"normal: hart", -1e-3, -1, -8e-4, 0.2, 1},
      {"normal: gap", -1e-2, -1, -9e-3, 0, 1},
      {"normal: gap, projection: false", -1e-2, -1, -9e-3, 1, 1},
      {"normal: velocity", -1e-2, -1, -9e-3, 1, 1},
      {"normal: hart", -1e-2, -1, -8e-3, 2, 1},
      {"normal: gap, max_depenetration_velocity: 0.1", -1e-2, -1, -9.9e-3, 0, 1},
      {"normal: gap, error_reduction: 0", -1e-2, -1, -1e-2, 0, 1},
      {"normal: gap, error_reduction: 1, max_depenetration_velocity: 100", -1e-2, -1, 0, 0, 1},
      {"normal: gap, error_reduction: 1, max_depenetration_velocity: 100, projection: false", -1e-2, -1, 0, 10, 1},
      // Inside and leaving: nothing pulls it back. It is in the problem, since it touches, and nothing acts.
      {"normal: gap", -1e-3, 3, -1e-3 + h * (3 - g * h), 3 - g * h, 1},
      {"normal: gap, projection: false", -1e-3, 3, -1e-3 + h * (3 - g * h), 3 - g * h, 0},
      {"normal: gap, activation: penetrating", -1e-3, 3, -1e-3 + h * (3 - g * h), 3 - g * h, 1},
      // A bounce returns e of the velocity at the middle of the step. By the papers' rule a bouncing contact is taken
      // as
      // `velocity`, whatever the law, and returns e of v_free.
      {"normal: gap, restitution: 0.5", 5e-4, -1, 5e-4 + h * (0.5 - 0.25 * g * h), 0.5 - 0.25 * g * h, 1},
      {"normal: gap, restitution: 1", -5e-4, -1, -5e-4 + h, 1, 1},
      {"normal: gap, restitution: 0.5, impact: poisson", 5e-4, -1, 5e-4 + h * (0.5 - 0.25 * g * h), 0.5 - 0.25 * g * h,
       1},
      {"normal: gap, restitution: 0.5, impact: newton", 5e-4, -1, 5e-4 + h * (0.5 - 0.25 * g * h), 0.5 - 0.25 * g * h,
       1},
      {"normal: gap, restitution: 0.5, projection: false", 5e-4, -1, 5e-4 - 0.5 * h * fall, -0.5 * fall, 1},
      {"normal: hart, restitution: 0.5", 5e-4, -1, 5e-4 - 0.5 * h * fall, -0.5 * fall, 1},
      {"normal: velocity, restitution: 0.5", 5e-4, -1, 5e-4 - 0.5 * h * fall, -0.5 * fall, 1},
      {"normal: velocity, restitution: 0.5, impact_threshold: 2", 5e-4, -1, 5e-4, 0, 1},
      // Newton: e of the velocity at the start of the step.
      {"normal: velocity, restitution: 0.5, impact: newton", 5e-4, -1, 5e-4 + 0.5 * h, 0.5, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_drop("semi-implicit-euler", &cases[i]);
}

// All is taken at the middle, phi_m = phi + h/2 v; the gap afterwards is phi_m + h/2 v+.
static void moreau_midpoint_obeys_each_normal_law_at_the_middle(void **state)
{
  (void)state;
  const double fall = -1 - g * h;
  const drop cases[] = {
      {"normal: gap", 1e-3, -1, 2.5e-4, -0.5, 1}, // phi_m = 5e-4
      {"normal: velocity", 1e-3, -1, 5e-4, 0, 1},
      {"normal: hart", 1e-3, -1, 4.5e-4, -0.1, 1},
      {"normal: gap", 2e-3, -1, 1.5e-3 + 0.5 * h * fall, fall, 0},
      {"normal: gap", 5e-4, -1, 0, 0, 1}, // phi_m = 0
      {"normal: gap, activation: penetrating", 1e-3, -1, 5e-4 + 0.5 * h * fall, fall, 0},
      {"normal: gap", -5e-4, -1, -8e-4, 0, 1}, // phi_m = -1e-3
      {"normal: gap, projection: false", -5e-4, -1, -9e-4, 0.2, 1},
      {"normal: hart", -9.5e-3, -1, -9e-3, 2, 1},
      {"normal: gap", -9.5e-3, -1, -9e-3, 0, 1},
      {"normal: gap, projection: false", -9.5e-3, -1, -9.5e-3, 1, 1},
      {"normal: gap, restitution: 0.5", 1e-3, -1, 5e-4 + 0.5 * h * (0.5 - 0.25 * g * h), 0.5 - 0.25 * g * h, 1},
      {"normal: gap, restitution: 1", 1e-3, -1, 1e-3, 1, 1},
      {"normal: gap, restitution: 0.5, projection: false", 1e-3, -1, 5e-4 - 0.25 * h * fall, -0.5 * fall, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_drop("moreau-midpoint", &cases[i]);
}

// Both steppers end on the surface and stay there, Euler in one step, the midpoint scheme in two.
static void a_falling_ball_arrives_at_the_surface_and_not_above_it(void **state)
{
  (void)state;
  static const char *const integrators[] = {"semi-implicit-euler", "moreau-midpoint"};
  for (int i = 0; i < 2; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "models: [{name: m, base: floating, links: [{name: b, mass: 1, inertia: [1, 1, 1]}],\n"
             "          shapes: [{link: b, kind: sphere, radius: 0.1}]}]\n"
             "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
             "integrator: %s\ninitial: {q: {root.z: 0.1123}}\n",
             integrators[i]);
    world w = load(text);
    double lowest = 1;
    for (int k = 0; k < 200; k++) {
      step(w.sim, 1);
      lowest = fmin(lowest, srs_sim_q(w.sim)[2]);
    }
    assert_true(lowest - 0.1 > -1e-15);
    assert_true(fabs(srs_sim_q(w.sim)[2] - 0.1) < 1e-15); // roundings of 0.1
    unload(&w);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Impacts
// ---------------------------------------------------------------------------------------------------------------------

// Two balls at x = +-1 of one body, m = 1, I = 0.5 about y, without gravity and friction. In the contacts' coordinates
// W = [3 -1; -1 3]: what pushes one end up presses the other down. One end comes in at 1 m/s, the other rests. e = 0:
// lambda = W^-1 (1, 0) = (3, 1) / 8. The first end bounces: e times 3/8 more there moves the ends by e (9, -3) / 8; the
// second pushes back by e / 8, which gives e (8, 0) / 8. So the first leaves with e and the second stays.
static void two_phases_on_two_contacts_bounce_one_and_hold_the_other(void **state)
{
  (void)state;
  world w =
      load("gravity: [0, 0, 0]\n"
           "models: [{name: m, base: floating, links: [{name: b, mass: 1, inertia: [0.5, 0.5, 0.5]}],\n"
           "  shapes: [{link: b, name: left, kind: sphere, radius: 0.1, pose: {position: [-1, 0, 0]}},\n"
           "           {link: b, name: right, kind: sphere, radius: 0.1, pose: {position: [1, 0, 0]}}]}]\n"
           "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
           "contact: {friction: 0, restitution: 0.75, normal: velocity, error_reduction: 0, impact_threshold: 0.1}\n"
           // v_z = -1/2 and w_y = 1/2: the right end, at v_z - w_y, has -1, the left end 0
           "initial: {q: {root.z: 0.099999}, v: {root.vz: -0.5, root.wy: 0.5}}\n");
  step(w.sim, 1);
  int n;
  const srs_sim_contact *c = srs_sim_contacts(w.sim, &n);
  const double *v = srs_sim_v(w.sim);
  assert_int_equal(n, 2);
  const double ends[2] = {v[2] + v[4], v[2] - v[4]}, expected[2] = {0, 0.75};
  testing_assert_close("velocities of the ends", ends, expected, 2, 1e-11);
  const double impulses[2] = {c[0].impulse[2], c[1].impulse[2]}, hand[2] = {1.0 / 8 + 0.75 / 8, 3.0 / 8 * 1.75};
  testing_assert_close("impulses", impulses, hand, 2, 1e-11);
  assert_int_equal(srs_sim_get_statistics(w.sim)->solves, 2);
  unload(&w);
}

static void two_phases_bounce_two_contacts_alike(void **state)
{
  (void)state;
  world w = load("gravity: [0, 0, 0]\n"
                 "models: [{name: m, base: floating, links: [{name: b, mass: 1, inertia: [0.5, 0.5, 0.5]}],\n"
                 "  shapes: [{link: b, kind: sphere, radius: 0.1, pose: {position: [-1, 0, 0]}},\n"
                 "           {link: b, kind: sphere, radius: 0.1, pose: {position: [1, 0, 0]}}]}]\n"
                 "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
                 "contact: {restitution: 0.75}\ninitial: {q: {root.z: 0.1005}, v: {root.vz: -2}}\n");
  step(w.sim, 1);
  const double expected[6] = {0, 0, 1.5, 0, 0, 0};
  testing_assert_close("velocity", srs_sim_v(w.sim), expected, 6, 1e-11);
  unload(&w);
}

// ---------------------------------------------------------------------------------------------------------------------
// Materials
// ---------------------------------------------------------------------------------------------------------------------

static void check_friction(const char *contact, double expected)
{
  char text[1024];
  snprintf(text, sizeof text,
           "models: [{name: m, base: floating, links: [{name: b, mass: 1, inertia: [1, 1, 1]}],\n"
           "          shapes: [{link: b, name: ball, kind: sphere, radius: 0.1, material: ice}]}]\n"
           "environment: [{name: ground, shape: half-space, normal: [0, 0, 1], material: stone}]\n"
           "contact: {materials: [{name: ice, friction: 0.3}, {name: stone, friction: 0.8}]%s}\n"
           "initial: {q: {root.z: 0.1}}\n",
           contact);
  world w = load(text);
  step(w.sim, 1);
  int n;
  const srs_sim_contact *c = srs_sim_contacts(w.sim, &n);
  assert_int_equal(n, 1);
  assert_true(fabs(c[0].friction - expected) < 1e-15);
  unload(&w);
}

// F73: the rule's values of the two materials, and the last pair that says something wins over it.
static void F73_materials_combine_by_the_rule_and_pairs_override(void **state)
{
  (void)state;
  check_friction("", sqrt(0.24));
  check_friction(", friction_rule: mean", 0.55);
  check_friction(", friction_rule: larger", 0.8);
  check_friction(", friction_rule: smaller", 0.3);
  check_friction(", friction_rule: product", 0.24);
  check_friction(", pairs: [{between: [ice, stone], friction: 1}]", 1);
  check_friction(", pairs: [{between: [ground, ball], friction: 1}, {between: [ice, stone], friction: 0.1}]", 0.1);
  check_friction(", pairs: [{between: [b, stone], friction: 1}, {between: [ice, stone], restitution: 0.1}]", 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// What must not change a motion
// ---------------------------------------------------------------------------------------------------------------------

typedef struct box_body {
  const char *name;
  double x, z, spin;
} box_body;

enum { BODIES = 5 };

// A pile that topples on a slab, and two boxes far off. Every box carries a knob beside its main shape.
static const box_body bodies[BODIES] = {
    {"top", 0.05, 0.62, 0}, {"low", 0, 0.12, 0}, {"middle", -0.04, 0.37, 1}, {"far", 5, 0.3, 7}, {"away", -5, 0.4, -3}};

static void add_part(srs_builder *builder, const char *link, bool is_knob)
{
  char name[32];
  srs_shape_def shape = srs_default_shape_def(is_knob ? SRS_SHAPE_SPHERE : SRS_SHAPE_BOX);
  snprintf(name, sizeof name, "%s of %s", is_knob ? "knob" : "block", link);
  shape.name = name, shape.link = link;
  if (is_knob)
    shape.size[0] = 0.04, shape.pose.position[0] = 0.1;
  else
    shape.size[0] = shape.size[1] = 0.2, shape.size[2] = 0.24;
  assert_int_equal(srs_builder_add_shape(builder, &shape, NULL), SRS_OK);
}

static void add_slab(srs_builder *builder)
{
  srs_shape_def shape = srs_default_shape_def(SRS_SHAPE_BOX);
  shape.name = "slab";
  shape.size[0] = 20, shape.size[1] = 20, shape.size[2] = 1, shape.pose.position[2] = -0.5;
  assert_int_equal(srs_builder_add_shape(builder, &shape, NULL), SRS_OK);
}

static void add_body(srs_builder *builder, const box_body *b)
{
  srs_link_def link = srs_default_link_def();
  link.name = b->name, link.mass = 2, link.inertia[0] = link.inertia[1] = 0.016, link.inertia[2] = 0.013;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
  joint.name = joint.child = b->name;
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
}

/// order: of n bodies; the shapes come in an order that the seed shuffles, 0: as the bodies do.
static srs_model *pile(const int *order, int n, uint64_t seed)
{
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < n; i++) add_body(builder, &bodies[order[i]]);
  int parts[2 * BODIES + 1];
  for (int i = 0; i <= 2 * n; i++) parts[i] = i;
  testing_random random = {seed};
  for (int i = 2 * n; i > 0 && seed != 0; i--) {
    const int j = testing_below(&random, i + 1), kept = parts[i];
    parts[i] = parts[j], parts[j] = kept;
  }
  for (int i = 0; i <= 2 * n; i++)
    if (parts[i] == 2 * n)
      add_slab(builder);
    else
      add_part(builder, bodies[order[parts[i] / 2]].name, parts[i] % 2 == 1);
  srs_model *model = NULL;
  srs_error error;
  if (srs_builder_build(builder, NULL, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_builder_destroy(builder);
  return model;
}

static srs_sim *start_pile(const srs_model *model, const int *order, int n)
{
  srs_sim *sim;
  srs_error error;
  double q[7 * BODIES] = {0}, v[6 * BODIES] = {0};
  for (int i = 0; i < n; i++) {
    const box_body *b = &bodies[order[i]];
    double *at = q + 7 * (size_t)i, *velocity = v + 6 * (size_t)i;
    at[0] = b->x, at[2] = b->z, at[3] = 1;
    velocity[4] = b->spin, velocity[5] = 0.3 * b->spin;
  }
  srs_sim_options options = srs_default_sim_options();
  options.contact.restitution = 0.3;
  if (srs_sim_create(model, &options, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
  return sim;
}

// The bodies' final coordinates, by their place in `bodies`.
static void run_pile(const int *order, int n, uint64_t seed, long n_steps, double *q)
{
  srs_model *model = pile(order, n, seed);
  srs_sim *sim = start_pile(model, order, n);
  step(sim, n_steps);
  for (int i = 0; i < n; i++) memcpy(q + 7 * (size_t)order[i], srs_sim_q(sim) + 7 * (size_t)i, 7 * sizeof *q);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void the_order_of_shapes_and_bodies_does_not_change_a_bit(void **state)
{
  (void)state;
  static const int orders[3][BODIES] = {{0, 1, 2, 3, 4}, {4, 2, 1, 0, 3}, {1, 3, 0, 4, 2}};
  double expected[7 * BODIES], q[7 * BODIES];
  run_pile(orders[0], BODIES, 0, 105, expected);
  for (int i = 0; i < 3; i++)
    for (uint64_t seed = 1; seed <= 2; seed++) {
      run_pile(orders[i], BODIES, seed, 105, q);
      assert_memory_equal(q, expected, sizeof q);
    }
}

static void bodies_apart_move_as_each_alone(void **state)
{
  (void)state;
  static const int together[2] = {3, 4}, first[1] = {3}, second[1] = {4};
  double both[7 * BODIES] = {0}, alone[7 * BODIES] = {0};
  run_pile(together, 2, 0, 1500, both);
  run_pile(first, 1, 0, 1500, alone);
  run_pile(second, 1, 0, 1500, alone);
  assert_memory_equal(both, alone, sizeof both);
}

// F52. The exact answer is one: what the solver starts from shows in roundings only, which sliding and tilting let grow
// a little.
static void F52_the_warm_start_never_shows_in_the_motion(void **state)
{
  (void)state;
  char text[1024];
  const double edge = 0.2, low = edge / sqrt(24), round = edge / sqrt(3); // centre above the base; corner from the axis
  snprintf(
      text, sizeof text,
      "models: [{name: m, base: floating, links: [{name: b, mass: 1, inertia: [0.002, 0.002, 0.002]}],\n"
      "  shapes: [{link: b, kind: hull, points: [[%.17g, 0, %.17g], [%.17g, 0.1, %.17g], [%.17g, -0.1, %.17g], [0, 0, "
      "%.17g]]}]}]\n"
      "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n"
      "initial: {q: {root.z: %.17g}, v: {root.vx: 2}}\n",
      round, -low, -0.5 * round, -low, -0.5 * round, -low, 3 * low, low);
  world warm = load(text), cold = load(text);
  cold.sim->constraints->is_cold = true;
  for (int i = 0; i < 100; i++) {
    step(warm.sim, 10);
    step(cold.sim, 10);
    testing_assert_close("q", srs_sim_q(warm.sim), srs_sim_q(cold.sim), 7, 1e-10);
  }
  const srs_sim_statistics *a = srs_sim_get_statistics(warm.sim), *b = srs_sim_get_statistics(cold.sim);
  print_message("iterations: %ld warm, %ld cold, %ld problems\n", a->iterations, b->iterations, a->solves);
  assert_int_equal(a->failures + b->failures, 0);
  assert_true(a->iterations < b->iterations);
  unload(&warm);
  unload(&cold);
}

// ---------------------------------------------------------------------------------------------------------------------
// Room
// ---------------------------------------------------------------------------------------------------------------------

// A row of cubes on the ground, the last one higher: it arrives in the course of the run.
static void row_of_cubes(char *text, size_t size, int n, const char *contact)
{
  size_t used = (size_t)snprintf(
      text, size, "contact: {%s}\nenvironment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\nmodels:\n",
      contact);
  for (int i = 0; i < n; i++)
    used +=
        (size_t)snprintf(text + used, size - used,
                         "  - {name: m%d, base: floating, position: [%d, 0, %g], links: [{name: b, mass: 1, inertia: "
                         "[0.1, 0.1, 0.1]}], shapes: [{link: b, kind: box, size: [0.2, 0.2, 0.2]}]}\n",
                         i, i, i == n - 1 ? 0.11 : 0.1);
  assert_true(used < size);
}

static void a_step_beyond_the_capacity_fails_and_changes_nothing(void **state)
{
  (void)state;
  char text[2048];
  row_of_cubes(text, sizeof text, 2, "capacity: 4");
  world w = load(text);
  srs_error error;
  srs_status status = SRS_OK;
  double q[14], v[12];
  srs_sim_statistics before = {0};
  long steps = 0;
  while (status == SRS_OK && steps < 1000) {
    steps = srs_sim_steps(w.sim);
    memcpy(q, srs_sim_q(w.sim), sizeof q);
    memcpy(v, srs_sim_v(w.sim), sizeof v);
    before = *srs_sim_get_statistics(w.sim);
    status = srs_sim_step(w.sim, 1, &error);
  }
  assert_int_equal(status, SRS_ERROR_CAPACITY);
  assert_true(steps > 30); // 10 mm take 45 ms, less the reach of a step
  assert_non_null(strstr(error.message, "8 contact points"));
  assert_non_null(strstr(error.message, "raise the contact capacity to 8"));
  assert_non_null(strstr(error.message, "t = 0.04"));
  for (int again = 0; again < 2; again++) { // and again
    assert_int_equal(srs_sim_steps(w.sim), steps);
    assert_memory_equal(srs_sim_q(w.sim), q, sizeof q);
    assert_memory_equal(srs_sim_v(w.sim), v, sizeof v);
    assert_memory_equal(srs_sim_get_statistics(w.sim), &before, sizeof before);
    int n;
    assert_non_null(srs_sim_contacts(w.sim, &n));
    assert_int_equal(n, 4);
    assert_int_equal(srs_sim_step(w.sim, 1, NULL), SRS_ERROR_CAPACITY);
  }
  assert_int_equal(before.growths, 0);
  unload(&w);
  row_of_cubes(text, sizeof text, 2, "capacity: 8");
  w = load(text);
  step(w.sim, 200);
  assert_int_equal(srs_sim_get_statistics(w.sim)->contacts_max, 8);
  unload(&w);
}

static void growth_is_counted_and_rare(void **state)
{
  (void)state;
  enum { CUBES = 60 };
  char *text = malloc(1 << 16);
  assert_non_null(text);
  row_of_cubes(text, 1 << 16, CUBES, "enabled: true");
  world w = load(text);
  free(text);
  step(w.sim, 100);
  const srs_sim_statistics *s = srs_sim_get_statistics(w.sim);
  assert_int_equal(s->contacts_max, 4 * CUBES);
  assert_in_range(s->growths, 1, 2); // each time by half more than was needed
  unload(&w);
}

// More rows on one link than a workspace sets aside by itself.
static void one_link_may_have_many_contacts(void **state)
{
  (void)state;
  char text[8192];
  size_t used = (size_t)snprintf(text, sizeof text,
                                 "models:\n  - name: m\n    base: floating\n    position: [0, 0, 0.1]\n"
                                 "    links: [{name: b, mass: 4, inertia: [1, 1, 1]}]\n    shapes:\n");
  for (int i = 0; i < 25; i++) {
    const int row = i / 5;
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "      - {link: b, kind: sphere, radius: 0.1, pose: {position: [%g, %g, 0]}}\n",
                             0.1 * (i % 5 - 2), 0.1 * (row - 2));
  }
  snprintf(text + used, sizeof text - used, "environment: [{name: ground, shape: half-space, normal: [0, 0, 1]}]\n");
  world w = load(text);
  step(w.sim, 20);
  int n;
  const srs_sim_contact *c = srs_sim_contacts(w.sim, &n);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += c[i].force[2];
  assert_int_equal(n, 25);
  assert_true(fabs(sum - 4 * g) < 1e-8 * 4 * g); // F68's figure for weights
  assert_true(fabs(srs_sim_q(w.sim)[2] - 0.1) < 1e-12);
  unload(&w);
}

static void a_step_that_leaves_the_numbers_says_so_and_changes_nothing(void **state)
{
  (void)state;
  char text[2048];
  row_of_cubes(text, sizeof text, 1, "enabled: true");
  world w = load(text);
  step(w.sim, 50);
  const size_t size = srs_sim_snapshot_size(w.sim);
  char *before = malloc(size), *after = malloc(size);
  assert_true(before != NULL && after != NULL);
  const double huge[6] = {1e308, 1e308, 1e308, 1e308, 1e308, 1e308}, none[6] = {0};
  srs_error error;
  srs_sim_snapshot_save(w.sim, before);
  assert_int_equal(srs_sim_set_torque(w.sim, huge, NULL), SRS_OK);
  assert_int_equal(srs_sim_step(w.sim, 5, &error), SRS_ERROR_DIVERGED);
  assert_non_null(strstr(error.message, "lower dt"));
  assert_int_equal(srs_sim_set_torque(w.sim, none, NULL), SRS_OK);
  if (srs_sim_steps(w.sim) == 50) {
    assert_int_equal(srs_sim_snapshot_size(w.sim), size);
    srs_sim_snapshot_save(w.sim, after);
    assert_memory_equal(after, before, size);
  }
  free(before);
  free(after);
  unload(&w);
}

// A limit that a prescribed motion runs into: no force does both.
static void a_motion_against_a_limit_ends_the_run_where_they_meet(void **state)
{
  (void)state;
  world w = load("models: [{name: m, links: [{name: l, mass: 1, com: [0.25, 0, 0], inertia: [0.01, 0.02, 0.02]}],\n"
                 "  joints: [{name: h, kind: revolute, child: l, axis: [0, -1, 0], lower: -1, upper: 0.2}],\n"
                 "  couplings: [{follower: h, motion: {rate: 1}}]}]\n");
  srs_error error;
  assert_int_equal(srs_sim_step(w.sim, 300, &error), SRS_ERROR_MODEL);
  assert_non_null(strstr(error.message, "the loop of 'h' cannot be held beside the other rows"));
  assert_true(fabs(srs_sim_q(w.sim)[0] - 0.2) < 2e-3); // the last step before: 1 ms at 1 rad/s
  unload(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motion_against_a_limit_ends_the_run_where_they_meet),
      cmocka_unit_test(semi_implicit_euler_obeys_each_normal_law),
      cmocka_unit_test(moreau_midpoint_obeys_each_normal_law_at_the_middle),
      cmocka_unit_test(a_falling_ball_arrives_at_the_surface_and_not_above_it),
      cmocka_unit_test(two_phases_on_two_contacts_bounce_one_and_hold_the_other),
      cmocka_unit_test(two_phases_bounce_two_contacts_alike),
      cmocka_unit_test(F73_materials_combine_by_the_rule_and_pairs_override),
      cmocka_unit_test(the_order_of_shapes_and_bodies_does_not_change_a_bit),
      cmocka_unit_test(bodies_apart_move_as_each_alone),
      cmocka_unit_test(F52_the_warm_start_never_shows_in_the_motion),
      cmocka_unit_test(a_step_beyond_the_capacity_fails_and_changes_nothing),
      cmocka_unit_test(growth_is_counted_and_rare),
      cmocka_unit_test(one_link_may_have_many_contacts),
      cmocka_unit_test(a_step_that_leaves_the_numbers_says_so_and_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
