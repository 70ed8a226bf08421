// What rests is computed once: are states, contacts, counts and sums what they would be if every step were computed?
#include "support/inside_sim.h"
#include "support/testing.h"
#include "unit/engine/free_bodies.h"

#include "engine/simulation/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 20, MOST_SNAPSHOT = 1 << 18 };

// The same scene twice: in `computed` every step is.
typedef struct twins {
  srs_model *model;
  srs_sim *computed, *sim;
  int n_bricks, n_bodies;
  double q[7 * MOST_BODIES + 1], v[6 * MOST_BODIES + 1];
  long repeats; // steps that `sim` has not computed
  long kept;    // contacts that it has kept in others
} twins;

static const double hanging = 0.3; // rad

// A bob far from everything else. It swings, or hangs at its limit with dry friction.
static void add_pendulum(srs_builder *builder, bool rests)
{
  srs_error error;
  srs_link_def link = srs_default_link_def();
  link.name = "bob", link.mass = 1;
  for (int i = 0; i < 3; i++) link.inertia[i] = 0.01;
  link.com[2] = -0.5;
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  joint.name = "swing", joint.child = "bob";
  joint.axis[0] = 0, joint.axis[1] = 1, joint.axis[2] = 0;
  joint.origin.position[0] = 5, joint.origin.position[2] = 3;
  if (rests) joint.lower[0] = hanging, joint.upper[0] = 2, joint.friction[0] = 0.01;
  assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
  srs_shape_def shape = srs_default_shape_def(SRS_SHAPE_SPHERE);
  shape.link = "bob", shape.size[0] = 0.05, shape.pose.position[2] = -0.5;
  assert_int_equal(srs_builder_add_shape(builder, &shape, &error), SRS_OK);
  srs_builder_end_robot(builder, SRS_SELF_COLLISION_NONE);
}

typedef enum mover { NOTHING, BALL, PENDULUM, BALL_AND_PENDULUM, MOVERS } mover;

// A small wall, turned about the vertical, and what moves beside it: a ball that flies at it, a pendulum. Some fall.
static twins draw(testing_random *random, mover with, srs_integrator integrator, int most_high)
{
  twins t = {0};
  srs_error error;
  srs_builder *builder = srs_builder_create();
  assert_non_null(builder);
  const int wide = 1 + testing_below(random, most_high + 1), high = 1 + testing_below(random, most_high);
  const double size[3] = {testing_uniform(random, 0.15, 0.3), testing_uniform(random, 0.08, 0.12),
                          testing_uniform(random, 0.05, 0.12)};
  const double turn = testing_below(random, 2) * testing_uniform(random, -1.5, 1.5);
  const bool falls = with == BALL && testing_below(random, 2) == 0;
  t.n_bricks = wide * high;
  for (int i = 0; i < t.n_bricks; i++) {
    add_free_body(builder, i, exp(testing_uniform(random, -1, 1)), SRS_SHAPE_BOX, size);
    const int layer = i / wide;
    double *q = t.q + (ptrdiff_t)7 * i;
    const double x = (i % wide + 0.25 * (layer % 2)) * (size[0] + 0.001);
    q[0] = cos(turn) * x, q[1] = sin(turn) * x, q[2] = (layer + 0.5) * size[2];
    q[3] = cos(turn / 2), q[6] = sin(turn / 2);
    for (int j = 3; j < 6 && falls; j++) t.v[6 * i + j] = testing_uniform(random, -2, 2);
    if (falls) q[2] += 0.02 * (layer + 1);
  }
  t.n_bodies = t.n_bricks;
  if (with == BALL || with == BALL_AND_PENDULUM) {
    const double radius[3] = {0.04, 0.04, 0.04};
    double *q = t.q + (ptrdiff_t)7 * t.n_bodies, *v = t.v + (ptrdiff_t)6 * t.n_bodies;
    add_free_body(builder, t.n_bodies++, testing_uniform(random, 0.05, 2), SRS_SHAPE_SPHERE, radius);
    const double far = testing_uniform(random, 0.1, 0.3), speed = testing_uniform(random, 1, 4);
    q[0] = sin(turn) * far, q[1] = -cos(turn) * far, q[2] = 0.1 + high * size[2] / 2, q[3] = 1;
    v[0] = -sin(turn) * speed, v[1] = cos(turn) * speed;
  }
  const bool hangs = with == NOTHING && t.n_bricks % 2 == 0;
  if (with == PENDULUM || with == BALL_AND_PENDULUM || hangs) {
    add_pendulum(builder, hangs);
    t.q[(ptrdiff_t)7 * t.n_bodies] = hangs ? hanging : testing_uniform(random, 0.2, 1.5);
  }
  const srs_shape_def floor = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  assert_int_equal(srs_builder_add_shape(builder, &floor, &error), SRS_OK);
  assert_int_equal(srs_builder_build(builder, NULL, &t.model, &error), SRS_OK);
  srs_builder_destroy(builder);
  srs_sim_options options = srs_default_sim_options();
  options.integrator = integrator, options.energy_balance = true;
  options.dt = testing_uniform(random, 1e-3, 3e-3);
  options.contact.friction = testing_uniform(random, 0.3, 0.9);
  options.contact.restitution = testing_below(random, 2) * testing_uniform(random, 0, 0.6);
  for (int i = 0; i < 2; i++) {
    srs_sim **sim = i == 0 ? &t.computed : &t.sim;
    if (srs_sim_create(t.model, &options, sim, &error) != SRS_OK) fail_msg("%s", error.message);
    if (srs_sim_set_state(*sim, 0, t.q, t.v, &error) != SRS_OK) fail_msg("%s", error.message);
  }
  t.computed->repeat.is_off = t.computed->constraints->keeps_none = true;
  return t;
}

static void destroy(twins *t)
{
  srs_sim_destroy(t->computed);
  srs_sim_destroy(t->sim);
  srs_model_destroy(t->model);
}

// ---------------------------------------------------------------------------------------------------------------------
// Comparison, to the bit
// ---------------------------------------------------------------------------------------------------------------------

static void same(const void *a, const void *b, size_t bytes, const char *what, const twins *t)
{
  if (memcmp(a, b, bytes) != 0) fail_msg("step %ld: other %s", srs_sim_steps(t->sim), what);
}

static void compare_contacts(const twins *t)
{
  int n, m;
  const srs_sim_contact *a = srs_sim_contacts(t->computed, &n), *b = srs_sim_contacts(t->sim, &m);
  assert_int_equal(n, m);
  for (int i = 0; i < n; i++) {
    const size_t behind = offsetof(srs_contact_point, phi), front = offsetof(srs_contact_point, feature);
    same(&a[i].contact, &b[i].contact, front, "contact", t);
    assert_true(a[i].contact.feature == b[i].contact.feature);
    same(&a[i].contact.phi, &b[i].contact.phi, offsetof(srs_contact_point, n_sides) - behind, "contact", t);
    same(&a[i].friction, &b[i].friction, sizeof a[i] - offsetof(srs_sim_contact, friction), "impulse", t);
  }
  const srs_sim_row *c = srs_sim_rows(t->computed, &n), *d = srs_sim_rows(t->sim, &m);
  assert_int_equal(n, m);
  for (int i = 0; i < n; i++) same(&c[i].gap, &d[i].gap, 3 * sizeof(double), "row", t);
}

static void compare_counts(const twins *t)
{
  const srs_sim_counts a = srs_sim_get_counts(t->computed), b = srs_sim_get_counts(t->sim);
  const srs_sim_statistics *x = &a.statistics, *y = &b.statistics;
  const long counts[2][11] = {
      {x->contact_steps, x->contacts_max, x->solves, x->iterations, x->iterations_max, x->second_rounds, x->pushes,
       x->failures, x->growths, a.implicit.solves, a.implicit.iterations},
      {y->contact_steps, y->contacts_max, y->solves, y->iterations, y->iterations_max, y->second_rounds, y->pushes,
       y->failures, y->growths, b.implicit.solves, b.implicit.iterations}};
  same(counts[0], counts[1], sizeof counts[0], "counts", t);
  const double sums[2][11] = {
      {x->residual_max, x->residual_last, x->penetration_max, x->penetration_sum, x->infeasibility_sum,
       x->infeasibility_last, x->step_work, x->step_most_work, x->step_work_max, x->work_max, x->most_work_max},
      {y->residual_max, y->residual_last, y->penetration_max, y->penetration_sum, y->infeasibility_sum,
       y->infeasibility_last, y->step_work, y->step_most_work, y->step_work_max, y->work_max, y->most_work_max}};
  same(sums[0], sums[1], sizeof sums[0], "sums", t);
}

static void compare_reports(const twins *t)
{
  srs_energy_balance balance[2];
  double wrench[2][6];
  const int frame = srs_model_find_frame(t->model, "b0");
  for (int i = 0; i < 2; i++) {
    srs_sim *sim = i == 0 ? t->computed : t->sim;
    assert_int_equal(srs_sim_energy_balance(sim, &balance[i]), SRS_OK);
    assert_int_equal(srs_sim_joint_wrench(sim, frame, SRS_AXES_WORLD, wrench[i]), SRS_OK);
  }
  same(&balance[0], &balance[1], sizeof balance[0], "energy balance", t);
  same(wrench[0], wrench[1], sizeof wrench[0], "wrench", t);
}

static void compare(const twins *t)
{
  const size_t nq = (size_t)srs_model_nq(t->model), nv = (size_t)srs_model_nv(t->model);
  same(srs_sim_q(t->computed), srs_sim_q(t->sim), nq * sizeof(double), "q", t);
  same(srs_sim_v(t->computed), srs_sim_v(t->sim), nv * sizeof(double), "v", t);
  same(srs_sim_actuator_effort(t->computed), srs_sim_actuator_effort(t->sim), nv * sizeof(double), "effort", t);
  assert_true(srs_sim_time(t->computed) == srs_sim_time(t->sim));
  assert_true(srs_sim_steps(t->computed) == srs_sim_steps(t->sim));
  if (srs_sim_state_hash(t->computed) != srs_sim_state_hash(t->sim)) fail_msg("other state");
  compare_contacts(t);
  compare_counts(t);
}

// An implicit step may fail, then in both.
static void step(twins *t, int n)
{
  srs_error error[2] = {0};
  for (int i = 0; i < n; i++) {
    t->repeats += srs_repeats(&t->sim->repeat, &t->sim->state);
    const srs_status a = srs_sim_step(t->computed, 1, &error[0]), b = srs_sim_step(t->sim, 1, &error[1]);
    assert_int_equal(a, b);
    assert_string_equal(error[0].message, error[1].message);
    compare(t);
    for (int k = 0; k < t->sim->constraints->n_results; k++) t->kept += t->sim->constraints->active[k].is_kept;
    if (a != SRS_OK) return;
    if (i % 7 == 0) compare_reports(t);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Tests
// ---------------------------------------------------------------------------------------------------------------------

static void what_rests_and_what_moves_beside_it_have_the_same_bits(void **state)
{
  (void)state;
  static const srs_integrator integrators[] = {SRS_SEMI_IMPLICIT_EULER, SRS_MOREAU_MIDPOINT, SRS_IMPLICIT_EULER,
                                               SRS_IMPLICIT_MOREAU};
  testing_random random = testing_random_start(260311);
  long alone = 0, steps = 0, kept = 0, of = 0;
  for (int k = 0; k < 4 * MOVERS; k++) {
    const mover with = (mover)(k % MOVERS);
    const bool is_implicit = k / MOVERS % 4 >= 2; // its steps take their time
    twins t = draw(&random, with, integrators[k / MOVERS % 4], is_implicit ? 1 : 3);
    const int n = is_implicit ? 40 : 200;
    step(&t, n);
    if (with == NOTHING) alone += t.repeats, steps += n;
    if (with == PENDULUM) assert_int_equal(t.repeats, 0);
    if (with == PENDULUM && !is_implicit) kept += t.kept, of += (long)n * t.sim->constraints->n_results;
    destroy(&t);
  }
  assert_true(4 * alone > 3 * steps && 10 * kept > 9 * of); // a heap may keep speeds of 1e-15 m/s for a while
}

typedef void (*change)(srs_sim *sim, testing_random random);

static void push(srs_sim *sim, testing_random random)
{
  srs_error error;
  const double wrench[6] = {0, 0, 0, testing_uniform(&random, -2, 2), 0, 0};
  assert_int_equal(srs_sim_set_wrench(sim, 0, SRS_AXES_WORLD, wrench, &error), SRS_OK);
}

static void push_by_the_last_bit(srs_sim *sim, testing_random random)
{
  (void)random;
  srs_error error;
  double tau[6 * MOST_BODIES] = {0};
  tau[0] = 5e-324;
  assert_int_equal(srs_sim_set_torque(sim, tau, &error), SRS_OK);
}

static void lift(srs_sim *sim, testing_random random)
{
  srs_error error;
  double tau[6 * MOST_BODIES] = {0};
  tau[2] = testing_uniform(&random, 0, 60);
  assert_int_equal(srs_sim_set_torque(sim, tau, &error), SRS_OK);
}

static void tilt(srs_sim *sim, testing_random random)
{
  srs_error error;
  const double gravity[3] = {testing_uniform(&random, -9, 9), 0, -9};
  assert_int_equal(srs_sim_set_gravity(sim, gravity, &error), SRS_OK);
}

static void weigh(srs_sim *sim, testing_random random)
{
  srs_error error;
  assert_int_equal(srs_sim_set_link_mass(sim, 0, testing_uniform(&random, 0.5, 5), &error), SRS_OK);
}

static void smooth(srs_sim *sim, testing_random random)
{
  srs_error error;
  (void)random;
  assert_int_equal(srs_sim_set_shape_material(sim, 0, 0, 0.3, &error), SRS_OK);
}

static void grow(srs_sim *sim, testing_random random)
{
  srs_error error;
  double size[3];
  assert_int_equal(srs_sim_get_shape_size(sim, 0, size), SRS_OK);
  size[2] *= testing_uniform(&random, 0.9, 1.01);
  assert_int_equal(srs_sim_set_shape_size(sim, 0, size, &error), SRS_OK);
}

static void hold(srs_sim *sim, testing_random random)
{
  srs_error error;
  srs_actuator a = srs_default_actuator(2);
  a.kp = 100, a.kd = 1, a.position = testing_uniform(&random, 0, 0.1);
  assert_int_equal(srs_sim_set_actuator(sim, &a, &error), SRS_OK);
}

static void throw(srs_sim * sim, testing_random random)
{
  srs_error error;
  double v[6 * MOST_BODIES] = {0};
  v[0] = testing_uniform(&random, -1, 1);
  assert_int_equal(srs_sim_set_state(sim, 3, NULL, v, &error), SRS_OK);
}

static void set_time(srs_sim *sim, testing_random random)
{
  srs_error error;
  assert_int_equal(srs_sim_set_state(sim, testing_uniform(&random, 0, 9), NULL, NULL, &error), SRS_OK);
}

static void start_anew(srs_sim *sim, testing_random random)
{
  (void)random;
  srs_sim_reset(sim);
}

static void look(void *context, const srs_contact_problem *problem, const double *impulse,
                 const srs_contact_report *report)
{
  (void)problem, (void)impulse, (void)report;
  ++*(int *)context;
}

static const struct {
  change change;
  bool may_rest; // whether nothing may move after it
} changes[] = {{push, true},       {push_by_the_last_bit, true},
               {lift, true},       {tilt, false},
               {weigh, true},      {smooth, true},
               {grow, false},      {hold, false},
               {throw, false},     {set_time, true},
               {start_anew, false}};

static void what_changes_between_steps_is_felt(void **state)
{
  (void)state;
  testing_random random = testing_random_start(9417);
  size_t n_resting = 0, n = 2 * sizeof changes / sizeof changes[0];
  for (size_t k = 0; k < n; k++) {
    twins t = draw(&random, NOTHING, k % 2 == 0 ? SRS_SEMI_IMPLICIT_EULER : SRS_MOREAU_MIDPOINT, 3);
    step(&t, 30);
    const long before = t.repeats;
    n_resting += before > 0;
    changes[k / 2].change(t.computed, random), changes[k / 2].change(t.sim, random);
    if (changes[k / 2].change != set_time) assert_false(srs_repeats(&t.sim->repeat, &t.sim->state));
    step(&t, 60);
    if (changes[k / 2].may_rest) assert_true(t.repeats >= before);
    destroy(&t);
  }
  assert_true(4 * n_resting > 3 * n); // others keep speeds of 1e-15 m/s for a while
}

// Inputs set once more to what they are change nothing.
static void the_same_torques_again_are_no_change(void **state)
{
  (void)state;
  testing_random random = testing_random_start(31);
  twins t = draw(&random, NOTHING, SRS_SEMI_IMPLICIT_EULER, 3);
  for (int i = 0; i < 20; i++) {
    push_by_the_last_bit(t.computed, random), push_by_the_last_bit(t.sim, random);
    step(&t, 1);
  }
  assert_true(t.repeats > 15);
  destroy(&t);
}

static void who_watches_sees_every_problem(void **state)
{
  (void)state;
  testing_random random = testing_random_start(77);
  twins t = draw(&random, NOTHING, SRS_SEMI_IMPLICIT_EULER, 3);
  int seen[2] = {0, 0};
  step(&t, 5);
  srs_sim_watch_contacts(t.computed, look, &seen[0]), srs_sim_watch_contacts(t.sim, look, &seen[1]);
  step(&t, 5);
  assert_true(seen[0] > 0 && seen[0] == seen[1]);
  srs_sim_watch_contacts(t.computed, NULL, NULL), srs_sim_watch_contacts(t.sim, NULL, NULL);
  step(&t, 5);
  destroy(&t);
}

static void snapshots_are_the_same(void **state)
{
  (void)state;
  testing_random random = testing_random_start(4242);
  srs_error error;
  char *kept[2] = {malloc(MOST_SNAPSHOT), malloc(MOST_SNAPSHOT)};
  assert_true(kept[0] != NULL && kept[1] != NULL);
  for (int k = 0; k < 6; k++) {
    twins t = draw(&random, k % 2 == 0 ? NOTHING : BALL, SRS_SEMI_IMPLICIT_EULER, 2);
    step(&t, 5 + 20 * k);
    const size_t size = srs_sim_snapshot_size(t.sim);
    assert_true(size <= MOST_SNAPSHOT && size == srs_sim_snapshot_size(t.computed));
    srs_sim_snapshot_save(t.computed, kept[0]), srs_sim_snapshot_save(t.sim, kept[1]);
    assert_memory_equal(kept[0], kept[1], size);
    step(&t, 30);
    assert_int_equal(srs_sim_snapshot_restore(t.computed, kept[0], size, &error), SRS_OK);
    assert_int_equal(srs_sim_snapshot_restore(t.sim, kept[1], size, &error), SRS_OK);
    assert_false(srs_repeats(&t.sim->repeat, &t.sim->state));
    step(&t, 60);
    destroy(&t);
  }
  free(kept[0]), free(kept[1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_rests_and_what_moves_beside_it_have_the_same_bits),
      cmocka_unit_test(what_changes_between_steps_is_felt),
      cmocka_unit_test(the_same_torques_again_are_no_change),
      cmocka_unit_test(who_watches_sees_every_problem),
      cmocka_unit_test(snapshots_are_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
