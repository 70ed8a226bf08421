// A dented mesh that moves settles in a bowl that is a mesh itself, or ground: nothing overlaps by more than 0.1 mm
// times its size, and energy only falls. Overlaps are found by brute force, from solid angles, not by our own
// collision.
#include "support/sims.h"
#include "unit/collision/terrain/dented.h"

typedef struct trial {
  double radius, dt;
  int seed;
  bool is_closed; // the bowl is a closed mesh, else ground
} trial;

typedef struct settling {
  dented_mesh ball, bowl;
  srs_model *model;
  srs_sim *sim;
} settling;

static settling *begin(const trial *t)
{
  settling *s = calloc(1, sizeof *s);
  testing_random random = {(uint64_t)t->seed};
  dented_ball(&s->ball, t->radius, 8, 12, 0.03, &random);
  dented_bowl(&s->bowl, 3 * t->radius, 6, 12, 0.01, t->is_closed, &random);
  srs_builder *builder = srs_builder_create();
  srs_error error;
  srs_link_def link = srs_default_link_def();
  link.name = "ball";
  dented_inertia(&s->ball, 1000, &link);
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
  joint.name = joint.child = "ball";
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
  dented_add_shape(builder, &s->ball, SRS_SHAPE_SURFACE, "ball", "ball");
  dented_add_shape(builder, &s->bowl, t->is_closed ? SRS_SHAPE_SURFACE : SRS_SHAPE_TERRAIN, "bowl", NULL);
  s->model = bodies_build(builder);
  srs_sim_options options = srs_default_sim_options();
  options.dt = t->dt;
  options.energy_balance = true;
  options.contact.friction = 0.5;
  s->sim = sim_of_model(s->model, &options);
  const srs_pose start = bodies_random_pose(&random, 0.5 * t->radius);
  double q[7] = {start.position[0], start.position[1], 2 * t->radius};
  srs_quaternion_from_rotation(start.rotation, q + 3);
  assert_int_equal(srs_sim_set_state(s->sim, 0, q, (const double[6]){0}, &error), SRS_OK);
  return s;
}

static double overlap(const settling *s, bool is_closed)
{
  srs_pose pose = srs_identity_pose(), world = srs_identity_pose();
  const double *q = srs_sim_q(s->sim);
  memcpy(pose.position, q, sizeof pose.position);
  srs_rotation_from_quaternion(q + 3, pose.rotation);
  return fmax(dented_overlap(&s->ball, &pose, &s->bowl, &world, is_closed),
              dented_overlap(&s->bowl, &world, &s->ball, &pose, true));
}

// Until it rests: half a minute of a large one.
static void settle(const trial *t)
{
  settling *s = begin(t);
  double before = total_energy(s->sim), worst_rise = 0, deepest = 0;
  const double start = before, size = fmax(1, t->radius / 0.1);
  const long n = lround(24 * sqrt(t->radius) / t->dt), part = n / 8;
  for (long i = 0; i < n; i++) {
    step(s->sim, 1);
    const double energy = total_energy(s->sim);
    worst_rise = fmax(worst_rise, energy - before);
    before = energy;
    if (i % part == part - 1) deepest = fmax(deepest, overlap(s, t->is_closed));
  }
  srs_energy_balance balance;
  assert_int_equal(srs_sim_energy_balance(s->sim, &balance), SRS_OK);
  const double lost = start - before, speed = sqrt(2 * kinetic_energy(s->sim) / srs_model_link(s->model, 0)->mass);
  print_message("radius %g m, dt %g s, seed %d, %s: overlap %.2g m, rise %.2g, scheme %.2g, push-out %.2g of the "
                "energy lost, speed %.2g m/s\n",
                t->radius, t->dt, t->seed, t->is_closed ? "mesh" : "ground", deepest, worst_rise / lost,
                balance.rest / lost, balance.push_out / lost, speed);
  assert_true(deepest < 1e-4 * size);
  assert_true(speed < 1e-6);
  assert_true(balance.contact_normal + balance.contact_friction <= 0);
  assert_true(worst_rise <= 1e-3 * lost); // the scheme's, of a body that turns, and what it costs to lead out
  assert_int_equal(srs_sim_get_statistics(s->sim)->failures, 0);
  srs_sim_destroy(s->sim);
  srs_model_destroy(s->model);
  free(s);
}

static void a_dented_mesh_settles_in_a_bowl(void **state)
{
  (void)state;
  const trial trials[] = {{0.02, 1e-3, 5, true}, {0.1, 2e-3, 4, false}, {0.02, 1e-3, 6, false}, {0.1, 1e-3, 1, true},
                          {0.1, 1e-3, 2, false}, {0.1, 5e-4, 3, true},  {1, 1e-3, 7, true},     {0.1, 1e-3, 11, true},
                          {0.1, 1e-3, 12, true}, {0.1, 1e-3, 13, false}};
  const size_t n = getenv("SARRUS_LONG") != NULL ? sizeof trials / sizeof trials[0] : 3;
  for (size_t i = 0; i < n; i++) settle(&trials[i]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_dented_mesh_settles_in_a_bowl)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
