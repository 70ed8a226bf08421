// Do threads change an answer? Many contact problems, and many motions, with every solver: whether one thread does all
// or eight share them, the bits are the same. A thread takes whatever comes next, so each has its solver's memory left
// by other problems than the single thread had.
#include "support/bodies.h"
#include "support/contact_problems.h"
#include "support/sims.h"

#include <cblas.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8 };

typedef struct work {
  atomic_int next;
  int count;
  void *user;
  void (*prepare)(struct work *work, void **memory); // what a thread works with
  void (*release)(void *memory);
  uint64_t (*carry_out)(const struct work *work, void *memory, int i); // a hash of the result
  uint64_t *hash;                                                      // count
} work;

static void *take_turns(void *context)
{
  work *w = context;
  void *memory = NULL;
  if (w->prepare != NULL) w->prepare(w, &memory);
  for (int i = atomic_fetch_add(&w->next, 1); i < w->count; i = atomic_fetch_add(&w->next, 1))
    w->hash[i] = w->carry_out(w, memory, i);
  if (w->release != NULL) w->release(memory);
  return NULL;
}

static uint64_t hash_of(uint64_t hash, const void *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u; // FNV-1a
  return hash;
}

static const uint64_t empty_hash = 14695981039346656037u;

static void check_threads(work *w)
{
  uint64_t *serial = calloc((size_t)w->count, sizeof *serial), *shared = calloc((size_t)w->count, sizeof *shared);
  assert_true(serial != NULL && shared != NULL);
  w->hash = serial;
  atomic_store(&w->next, 0);
  take_turns(w);
  w->hash = shared;
  atomic_store(&w->next, 0);
  pthread_t threads[THREADS];
  for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_create(&threads[k], NULL, take_turns, w), 0);
  for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_join(threads[k], NULL), 0);
  for (int i = 0; i < w->count; i++)
    if (serial[i] == 0 || serial[i] != shared[i]) fail_msg("piece %d of work differs", i);
  free(serial);
  free(shared);
}

// ---------------------------------------------------------------------------------------------------------------------
// Problems: piece i is problem i / solvers with solver i % solvers
// ---------------------------------------------------------------------------------------------------------------------

enum { MOST_ROWS = 200, DIRECTIONS = 6 };

typedef struct problems {
  random_problem *drawn;
  int n;
} problems;

static void make_solver(work *w, void **memory)
{
  (void)w;
  srs_contact_solver *solver = NULL;
  if (srs_contact_solver_create(MOST_ROWS, &solver, NULL) != SRS_OK ||
      srs_contact_solver_reserve_directions(solver, MOST_ROWS, DIRECTIONS, NULL) != SRS_OK)
    abort();
  *memory = solver;
}

static void free_solver(void *memory) { srs_contact_solver_destroy(memory); }

// 0 for a call that failed.
static uint64_t solve_piece(const work *w, void *memory, int i)
{
  const problems *all = w->user;
  const srs_contact_problem *problem = &all->drawn[i / SRS_CONTACT_METHODS].problem;
  srs_contact_options options = srs_default_contact_options();
  options.method = (srs_contact_method)(i % SRS_CONTACT_METHODS);
  options.n_directions = i % 2 == 0 ? 4 : DIRECTIONS;
  double x[MOST_ROWS] = {0}, velocity[MOST_ROWS] = {0};
  srs_contact_report report;
  memset(&report, 0, sizeof report);
  if (srs_contact_solve(memory, problem, &options, false, x, velocity, &report) != SRS_OK) return 0;
  uint64_t hash = hash_of(empty_hash, x, sizeof x);
  hash = hash_of(hash, velocity, sizeof velocity);
  hash = hash_of(hash, &report.iterations, sizeof report.iterations);
  return hash_of(hash, &report.residual, sizeof report.residual);
}

// n problems of at least so many rows.
static void check_problems(const contact_lots *lots, uint64_t seed, int n, int least)
{
  testing_random random = testing_random_start(seed);
  problems all = {calloc((size_t)n, sizeof *all.drawn), n};
  assert_non_null(all.drawn);
  int most = 0;
  for (int i = 0; i < n;) {
    all.drawn[i] = random_problem_make(&random, lots);
    const int rows = srs_contact_problem_rows(&all.drawn[i].problem);
    most = rows > most ? rows : most;
    if (rows < least)
      random_problem_free(&all.drawn[i]);
    else
      i++;
  }
  print_message("%d problems of %d to %d rows\n", n, least, most);
  assert_true(most <= MOST_ROWS);
  work w = {.count = n * SRS_CONTACT_METHODS,
            .user = &all,
            .prepare = make_solver,
            .release = free_solver,
            .carry_out = solve_piece};
  check_threads(&w);
  for (int i = 0; i < n; i++) random_problem_free(&all.drawn[i]);
  free(all.drawn);
}

static void every_solver_has_the_same_bits_in_eight_threads(void **state)
{
  (void)state;
  const contact_lots lots = {.most_contacts = 10,
                             .most_bilateral = 6,
                             .most_copies = 3,
                             .most_unilateral = 2,
                             .most_box = 2,
                             .most_friction = 2,
                             .most_mass_ratio = 1e6};
  check_problems(&lots, 701, 24, 1);
}

// Beyond 64 rows BLAS multiplies blocks of the matrices.
static void large_problems_have_the_same_bits_in_eight_threads(void **state)
{
  (void)state;
  const contact_lots lots = {
      .most_contacts = 26, .most_bilateral = 3, .most_copies = 1, .most_friction = 0.5, .most_mass_ratio = 10};
  check_problems(&lots, 702, 1, 65);
}

// ---------------------------------------------------------------------------------------------------------------------
// Motions: piece i is a scene with solver i % solvers
// ---------------------------------------------------------------------------------------------------------------------

typedef struct motion {
  const char *file;
  int n_steps;
  srs_scene *scene;
} motion;

static uint64_t run_piece(const work *w, void *memory, int i)
{
  (void)memory;
  const motion *m = w->user;
  const srs_scene *scene = m->scene;
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.contact.solver.method = (srs_contact_method)(i % SRS_CONTACT_METHODS);
  srs_sim *sim;
  if (srs_scene_create_sim(scene, &options, &sim, NULL) != SRS_OK) return 0;
  uint64_t hash = empty_hash;
  for (int k = 0; k < m->n_steps && hash != 0; k++) {
    hash = srs_sim_step(sim, 1, NULL) == SRS_OK ? hash : 0;
    hash = hash_of(hash, srs_sim_q(sim), sizeof(double) * (size_t)srs_model_nq(srs_sim_model(sim)));
    hash = hash_of(hash, srs_sim_v(sim), sizeof(double) * (size_t)srs_model_nv(srs_sim_model(sim)));
  }
  srs_sim_destroy(sim);
  return hash;
}

static void motions_have_the_same_bits_in_eight_threads(void **state)
{
  (void)state;
  // The pendulum's first impact is at step 157; the boxes lie in contact from the start.
  motion motions[] = {{"samples/pendulum12.yaml", 200, NULL}, {"samples/boxes_sliding.yaml", 15, NULL}};
  for (int i = 0; i < 2; i++) {
    motions[i].scene = scene_of_file(testing_source(motions[i].file));
    work w = {.count = 2 * SRS_CONTACT_METHODS, .user = &motions[i], .carry_out = run_piece};
    check_threads(&w);
    srs_scene_destroy(motions[i].scene);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Threads of OpenBLAS's own
// ---------------------------------------------------------------------------------------------------------------------

// A chain of balls that falls on a floor: three rows for each in one tree, a dense problem whose factors BLAS
// multiplies.
static srs_model *falling_chain(int n)
{
  srs_builder *builder = srs_builder_create();
  srs_error error;
  for (int i = 0; i < n; i++) {
    char name[16], parent[16];
    snprintf(name, sizeof name, "b%d", i);
    snprintf(parent, sizeof parent, "b%d", i - 1);
    srs_link_def link = srs_default_link_def();
    link.name = name, link.mass = 0.1;
    link.inertia[0] = link.inertia[1] = link.inertia[2] = 1e-4;
    srs_joint_def joint = srs_default_joint_def(i == 0 ? SRS_JOINT_FREE : SRS_JOINT_SPHERICAL);
    joint.name = joint.child = name;
    if (i > 0) joint.parent = parent;
    joint.origin = bodies_at(i == 0 ? 0 : 0.12, 0, i == 0 ? 0.0505 : 0);
    assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
    const srs_shape_def ball = bodies_shape(SRS_SHAPE_SPHERE, NULL, name, 0.05, 0, 0);
    bodies_add_shape(builder, &ball);
  }
  const srs_shape_def floor = bodies_shape(SRS_SHAPE_HALF_SPACE, NULL, NULL, 0, 0, 0);
  bodies_add_shape(builder, &floor);
  return bodies_build(builder);
}

static void a_large_motion_has_the_same_bits_in_any_number_of_openblas_threads(void **state)
{
  (void)state;
  enum { BALLS = 100, STEPS = 25 };
  srs_model *model = falling_chain(BALLS);
  const int before = openblas_get_num_threads();
  uint64_t first = 0;
  for (int threads = 1; threads <= 4; threads++) {
    openblas_set_num_threads(threads);
    srs_sim_options options = srs_default_sim_options();
    options.contact.friction = 0.4;
    srs_sim *sim = sim_of_model(model, &options);
    step(sim, STEPS);
    assert_int_equal(openblas_get_num_threads(), threads); // nobody changed it
    assert_true(srs_sim_get_statistics(sim)->contacts_max >= BALLS && srs_sim_get_statistics(sim)->failures == 0);
    uint64_t hash = hash_of(empty_hash, srs_sim_q(sim), sizeof(double) * (size_t)srs_model_nq(model));
    hash = hash_of(hash, srs_sim_v(sim), sizeof(double) * (size_t)srs_model_nv(model));
    if (threads == 1) first = hash;
    assert_true(hash == first);
    srs_sim_destroy(sim);
  }
  openblas_set_num_threads(before);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_has_the_same_bits_in_eight_threads),
      cmocka_unit_test(large_problems_have_the_same_bits_in_eight_threads),
      cmocka_unit_test(motions_have_the_same_bits_in_eight_threads),
      cmocka_unit_test(a_large_motion_has_the_same_bits_in_any_number_of_openblas_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
