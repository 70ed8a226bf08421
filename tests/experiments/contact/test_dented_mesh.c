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

enum { MOST_BALLS = 6 };

typedef struct crowd {
  int n;
  double radius, dt, time;
  int seed;
  bool is_on_ridges; // of a heightfield, else in a bowl
} crowd;

static double heights[12][12];

// A heightfield of ridges and pits, and the same triangles as a mesh.
static void add_ridges(srs_builder *builder, double spacing, testing_random *random, dented_mesh *m)
{
  const int n = (int)(sizeof heights / sizeof heights[0]);
  m->n_points = m->n_triangles = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double x = (j - 0.5 * (n - 1)) * spacing, y = (i - 0.5 * (n - 1)) * spacing;
      heights[i][j] = 0.15 * (fabs(x) + fabs(y)) + spacing * testing_uniform(random, 0, (i + j) % 2 == 1 ? 0.6 : 0.1);
      dented_add_point(m, x, y, heights[i][j]);
      if (i + 1 == n || j + 1 == n) continue;
      dented_add_triangle(m, i * n + j, i * n + j + 1, (i + 1) * n + j + 1);
      dented_add_triangle(m, i * n + j, (i + 1) * n + j + 1, (i + 1) * n + j);
    }
  srs_shape_def def = bodies_shape(SRS_SHAPE_HEIGHTFIELD, "ground", NULL, spacing, spacing, 0);
  def.heights = heights[0], def.n_rows = def.n_columns = n;
  bodies_add_shape(builder, &def);
}

static srs_model *crowd_model(const crowd *c, dented_mesh *balls, dented_mesh *ground, testing_random *random)
{
  const char *const names[MOST_BALLS] = {"a", "b", "c", "d", "e", "f"};
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < c->n; i++) {
    dented_ball(&balls[i], c->radius, 8, 12, 0.03, random);
    srs_link_def link = srs_default_link_def();
    link.name = names[i];
    dented_inertia(&balls[i], 1000, &link);
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
    joint.name = joint.child = names[i];
    assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
    dented_add_shape(builder, &balls[i], SRS_SHAPE_SURFACE, names[i], names[i]);
  }
  if (c->is_on_ridges) {
    add_ridges(builder, 1.1 * c->radius, random, ground);
  } else {
    dented_bowl(ground, 6 * c->radius, 6, 12, 0.01, true, random);
    dented_add_shape(builder, ground, SRS_SHAPE_SURFACE, "bowl", NULL);
  }
  return bodies_build(builder);
}

// They start one over the other, and turn.
static void begin_crowd(srs_sim *sim, const crowd *c, testing_random *random)
{
  double q[7 * MOST_BALLS], v[6 * MOST_BALLS] = {0};
  for (int i = 0; i < c->n; i++) {
    const srs_pose start = bodies_random_pose(random, 0.25 * c->radius);
    memcpy(q + (ptrdiff_t)7 * i, start.position, sizeof start.position);
    q[7 * i + 2] += (3.6 + 2.6 * i) * c->radius;
    srs_quaternion_from_rotation(start.rotation, q + (ptrdiff_t)7 * i + 3);
    for (int k = 3; k < 6 && c->is_on_ridges; k++) v[6 * i + k] = testing_uniform(random, -20, 20);
  }
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
}

static srs_pose ball_pose(const srs_sim *sim, int i)
{
  srs_pose pose;
  const double *q = srs_sim_q(sim) + (ptrdiff_t)7 * i;
  memcpy(pose.position, q, sizeof pose.position);
  srs_rotation_from_quaternion(q + 3, pose.rotation);
  return pose;
}

// The deepest overlap of balls with each other and of corners and edges of balls with what they lie on.
static double crowd_overlap(const srs_sim *sim, const crowd *c, const dented_mesh *balls, const dented_mesh *ground)
{
  const srs_pose world = srs_identity_pose();
  double deepest = 0;
  for (int i = 0; i < c->n; i++) {
    const srs_pose pose = ball_pose(sim, i);
    deepest = fmax(deepest, dented_overlap(&balls[i], &pose, ground, &world, !c->is_on_ridges));
    deepest = fmax(deepest, dented_overlap(ground, &world, &balls[i], &pose, true));
    for (int k = 0; k < c->n; k++) {
      const srs_pose other = ball_pose(sim, k);
      const vec3 apart = sub3(vec3_load(pose.position), vec3_load(other.position));
      if (k != i && norm3(apart) < 2.2 * c->radius)
        deepest = fmax(deepest, dented_overlap(&balls[i], &pose, &balls[k], &other, true));
    }
  }
  return deepest;
}

static void tumble(const crowd *c)
{
  static dented_mesh balls[MOST_BALLS], ground;
  testing_random random = {(uint64_t)c->seed};
  srs_model *model = crowd_model(c, balls, &ground, &random);
  srs_sim_options options = srs_default_sim_options();
  options.dt = c->dt;
  options.contact.friction = 0.5;
  srs_sim *sim = sim_of_model(model, &options);
  begin_crowd(sim, c, &random);
  double deepest = 0;
  for (int i = 0; 5 * i * c->dt < c->time; i++) { // an overlap is led out by a fifth in each step
    step(sim, 5);
    deepest = fmax(deepest, crowd_overlap(sim, c, balls, &ground));
  }
  const double turns = c->dt / 1e-3, most = 1e-4 * fmax(1, c->radius / 0.1) * fmax(1, turns * turns);
  print_message("%d balls of %g m, dt %g s, seed %d, %s: overlap %.2g m\n", c->n, c->radius, c->dt, c->seed,
                c->is_on_ridges ? "ridges" : "bowl", deepest);
  assert_true(deepest < most);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

// Balls that fall on each other, and over sharp ridges, meet features in a step that were not the nearest when it
// began.
static void balls_that_tumble_do_not_overlap(void **state)
{
  (void)state;
  const crowd trials[] = {{2, 0.1, 1e-3, 0.4, 5, false},
                          {1, 0.1, 1e-3, 0.6, 6, true},
                          {6, 0.1, 1e-3, 1, 7, false},
                          {1, 0.1, 2e-3, 0.6, 11, true},
                          {2, 0.02, 5e-4, 0.25, 12, true}};
  const size_t n = getenv("SARRUS_LONG") != NULL ? sizeof trials / sizeof trials[0] : 2;
  for (size_t i = 0; i < n; i++) tumble(&trials[i]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_dented_mesh_settles_in_a_bowl),
                                     cmocka_unit_test(balls_that_tumble_do_not_overlap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
