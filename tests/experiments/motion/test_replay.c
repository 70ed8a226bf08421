// Is a motion a function of its state and inputs alone? Field cases F77 and F80, for a tree under load without contact
// and for boxes that tumble: a snapshot goes on bit-equal in the same sim, in one with another history and in another
// process, and many threads on one model compute what one does.
//
// Run as `PROGRAM --replay FILE INTEGRATOR` it restores that snapshot, runs to the end and prints the hash; with
// `tumble` in place of the integrator, that of the boxes.

#include "support/testing.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAVED_AT = 500, END = 1000, THREADS = 16, TUMBLING_THREADS = 8, BOXES = 20, MAX = 160 };

static const char *program;

// Every kind of joint, in a tree. Always the same, as another process must have it too.
static srs_model *busy_model(void)
{
  testing_random random = {20240607};
  return testing_random_model(&random, 12, NULL, 0, 0.5);
}

static srs_sim *busy_sim(const srs_model *model, srs_integrator integrator, uint64_t seed)
{
  testing_random random = {seed};
  srs_sim_options options = srs_default_sim_options();
  options.integrator = integrator;
  options.implicit_gyroscopic = integrator != SRS_RK4;
  srs_sim *sim;
  double q[MAX], v[MAX];
  assert_in_range(srs_model_nq(model), 1, MAX);
  assert_int_equal(srs_sim_create(model, &options, &sim, NULL), SRS_OK);
  testing_random_q(&random, model, q);
  testing_random_v(&random, model, 0.5, v);
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
  return sim;
}

// Torques, wrenches in both kinds of axes, and a servo.
static void set_inputs(srs_sim *sim, uint64_t seed)
{
  testing_random random = {seed};
  const srs_model *model = srs_sim_model(sim);
  double tau[MAX], q_ref[MAX], v_ref[MAX], kp[MAX], kd[MAX];
  testing_random_v(&random, model, 1, tau);
  testing_random_q(&random, model, q_ref);
  testing_random_v(&random, model, 0.1, v_ref);
  for (int i = 0; i < srs_model_nv(model); i++) {
    kp[i] = i % 3 == 0 ? testing_uniform(&random, 0, 20) : 0;
    kd[i] = testing_uniform(&random, 0, 2);
  }
  assert_int_equal(srs_sim_set_torque(sim, tau, NULL), SRS_OK);
  assert_int_equal(srs_sim_set_servo(sim, q_ref, v_ref, kp, kd, NULL), SRS_OK);
  for (int f = 0; f < srs_model_n_frames(model); f++) {
    double wrench[6];
    for (int i = 0; i < 6; i++) wrench[i] = testing_uniform(&random, -1, 1);
    if (testing_below(&random, 2) == 0) continue;
    assert_int_equal(srs_sim_set_wrench(sim, f, f % 2 == 0 ? SRS_AXES_LOCAL : SRS_AXES_WORLD, wrench, NULL), SRS_OK);
  }
}

// F77's scene: 20 boxes that fall spinning on the ground, bounce, tumble and come to rest, two of each pair near enough
// to meet.
static srs_model *tumbling_model(void)
{
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < BOXES; i++) {
    char name[16];
    snprintf(name, sizeof name, "box%d", i);
    srs_link_def link = srs_default_link_def();
    link.name = name, link.mass = 1;
    link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.004;
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
    joint.name = joint.child = name;
    srs_shape_def shape = srs_default_shape_def(SRS_SHAPE_BOX);
    shape.link = name;
    shape.size[0] = 0.2, shape.size[1] = 0.14, shape.size[2] = 0.1;
    assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
    assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
    assert_int_equal(srs_builder_add_shape(builder, &shape, NULL), SRS_OK);
  }
  const srs_shape_def ground = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  assert_int_equal(srs_builder_add_shape(builder, &ground, NULL), SRS_OK);
  srs_model *model = NULL;
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  srs_builder_destroy(builder);
  return model;
}

static srs_sim *tumbling_sim(const srs_model *model, uint64_t seed)
{
  testing_random random = {seed};
  srs_sim_options options = srs_default_sim_options();
  options.contact.restitution = 0.4;
  srs_sim *sim;
  double q[7 * BOXES], v[6 * BOXES];
  assert_int_equal(srs_sim_create(model, &options, &sim, NULL), SRS_OK);
  testing_random_q(&random, model, q);
  testing_random_v(&random, model, 3, v);
  for (int i = 0; i < BOXES; i++) {
    double *position = q + 7 * (size_t)i, *velocity = v + 6 * (size_t)i;
    const int column = i / 2;
    position[0] = column + 0.21 * (i % 2), position[1] = 0, position[2] = testing_uniform(&random, 0.3, 0.6);
    for (int j = 0; j < 3; j++) velocity[j] *= 0.1;
  }
  assert_int_equal(srs_sim_set_state(sim, 0, q, v, NULL), SRS_OK);
  return sim;
}

// FNV-1a over the bits of time, q and v.
static uint64_t mixed(uint64_t hash, const void *bytes, size_t n)
{
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ byte[i]) * 1099511628211U;
  return hash;
}

static uint64_t mixed_state(uint64_t hash, const srs_sim *sim)
{
  const srs_model *model = srs_sim_model(sim);
  const double time = srs_sim_time(sim);
  hash = mixed(hash, &time, sizeof time);
  hash = mixed(hash, srs_sim_q(sim), (size_t)srs_model_nq(model) * sizeof(double));
  return mixed(hash, srs_sim_v(sim), (size_t)srs_model_nv(model) * sizeof(double));
}

// Hash of all states on the way; 0 when a step fails.
static uint64_t run_on(srs_sim *sim, long n)
{
  uint64_t hash = 14695981039346656037U;
  for (long i = 0; i < n; i++) {
    if (srs_sim_step(sim, 1, NULL) != SRS_OK) return 0;
    hash = mixed_state(hash, sim);
  }
  return hash;
}

// ---------------------------------------------------------------------------------------------------------------------
// F77
// ---------------------------------------------------------------------------------------------------------------------

static int replay(const char *path, const char *what)
{
  const bool tumbles = strcmp(what, "tumble") == 0;
  srs_integrator chosen = SRS_RK4;
  if (!tumbles && !srs_integrator_from_name(what, &chosen)) return 2;
  srs_model *model = tumbles ? tumbling_model() : busy_model();
  srs_sim *sim = tumbles ? tumbling_sim(model, 1) : busy_sim(model, chosen, 1);
  size_t size;
  char *bytes = testing_read(path, &size);
  if (srs_sim_snapshot_restore(sim, bytes, size, NULL) != SRS_OK) return 3;
  printf("hash %016llx\n", (unsigned long long)run_on(sim, END - SAVED_AT));
  free(bytes);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  return 0;
}

static void assert_same_in_another_process(const void *snapshot, size_t size, const char *integrator, uint64_t expected)
{
  char path[1200], command[4096], expected_text[64];
  static char out[65536];
  snprintf(path, sizeof path, "%s/snapshot", testing_folder());
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(snapshot, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
  snprintf(command, sizeof command, "'%s' --replay '%s' %s", program, path, integrator);
  assert_int_equal(testing_run(command, out, NULL), 0);
  snprintf(expected_text, sizeof expected_text, "hash %016llx\n", (unsigned long long)expected);
  assert_non_null(strstr(out, expected_text));
}

// sim: at its start; other: of another history.
static void check_replay(srs_sim *sim, srs_sim *other, const char *what)
{
  assert_true(run_on(sim, SAVED_AT) != 0);
  const size_t size = srs_sim_snapshot_size(sim);
  void *snapshot = malloc(size);
  assert_non_null(snapshot);
  srs_sim_snapshot_save(sim, snapshot);
  const uint64_t expected = run_on(sim, END - SAVED_AT);
  assert_true(expected != 0);
  assert_true(run_on(sim, END - SAVED_AT) != expected); // the hash tells motions apart

  assert_int_equal(srs_sim_snapshot_restore(sim, snapshot, size, NULL), SRS_OK);
  assert_int_equal(srs_sim_steps(sim), SAVED_AT);
  assert_true(run_on(sim, END - SAVED_AT) == expected);

  assert_int_equal(srs_sim_set_state(other, 123.456, NULL, NULL, NULL), SRS_OK);
  assert_true(run_on(other, 377) != 0);
  double a[MAX];
  assert_int_equal(srs_sim_acceleration(other, a, NULL), SRS_OK); // leaves scratch memory of its own behind
  assert_int_equal(srs_sim_snapshot_restore(other, snapshot, size, NULL), SRS_OK);
  assert_true(run_on(other, END - SAVED_AT) == expected);
  assert_int_equal(srs_sim_steps(other), END);

  assert_same_in_another_process(snapshot, size, what, expected);
  free(snapshot);
}

static void F77_a_restored_state_replays_to_the_bit(void **state)
{
  (void)state;
  srs_model *model = busy_model();
  for (int i = 0; i < SRS_INTEGRATORS; i++) {
    const srs_integrator integrator = (srs_integrator)i;
    srs_sim *sim = busy_sim(model, integrator, 7), *other = busy_sim(model, integrator, 99);
    set_inputs(sim, 8);
    set_inputs(other, 98); // all to be overwritten, wrenches on other frames among them
    check_replay(sim, other, srs_integrator_name(integrator));
    srs_sim_destroy(other);
    srs_sim_destroy(sim);
  }
  srs_model_destroy(model);
}

static void F77_twenty_tumbling_boxes_replay_to_the_bit(void **state)
{
  (void)state;
  srs_model *model = tumbling_model();
  srs_sim *sim = tumbling_sim(model, 7), *other = tumbling_sim(model, 99);
  check_replay(sim, other, "tumble");
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  print_message("at most %d contacts, %ld of %ld problems unsolved\n", s->contacts_max, s->failures, s->solves);
  assert_true(s->failures <= s->solves / 10000);
  assert_true(s->contacts_max > BOXES);
  srs_sim_destroy(other);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void looking_at_a_motion_does_not_change_it(void **state)
{
  (void)state;
  srs_model *model = busy_model();
  srs_sim *sim = busy_sim(model, SRS_SEMI_IMPLICIT_EULER, 3), *seen = busy_sim(model, SRS_SEMI_IMPLICIT_EULER, 3);
  set_inputs(sim, 4), set_inputs(seen, 4);
  for (int i = 0; i < 100; i++) {
    double a[MAX], twist[6];
    srs_pose pose;
    srs_energies energies;
    assert_int_equal(srs_sim_acceleration(seen, a, NULL), SRS_OK);
    assert_int_equal(srs_frame_placement(srs_sim_workspace(seen), 3, &pose), SRS_OK);
    assert_int_equal(srs_frame_velocity(srs_sim_workspace(seen), 3, SRS_AXES_WORLD, twist), SRS_OK);
    assert_int_equal(srs_energy(srs_sim_workspace(seen), srs_sim_q(seen), srs_sim_v(seen), &energies), SRS_OK);
    assert_true(run_on(sim, 1) == run_on(seen, 1));
  }
  srs_sim_destroy(sim);
  srs_sim_destroy(seen);
  srs_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------------
// F80
// ---------------------------------------------------------------------------------------------------------------------

typedef struct worker {
  srs_sim *sim;
  uint64_t hash;
} worker;

static void *work(void *context)
{
  worker *w = context;
  w->hash = run_on(w->sim, 400);
  return NULL;
}

static void F80_sixteen_threads_on_one_model_give_the_bits_of_one(void **state)
{
  (void)state;
  srs_model *model = busy_model();
  worker serial[THREADS], parallel[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    const srs_integrator integrator = (srs_integrator)(i % SRS_INTEGRATORS);
    serial[i].sim = busy_sim(model, integrator, 100 + (uint64_t)i);
    parallel[i].sim = busy_sim(model, integrator, 100 + (uint64_t)i);
    set_inputs(serial[i].sim, 200 + (uint64_t)i);
    set_inputs(parallel[i].sim, 200 + (uint64_t)i);
    work(&serial[i]);
    assert_true(serial[i].hash != 0 && (i == 0 || serial[i].hash != serial[i - 1].hash));
  }
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, &parallel[i]), 0);
  for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++) {
    assert_true(serial[i].hash == parallel[i].hash);
    srs_sim_destroy(serial[i].sim);
    srs_sim_destroy(parallel[i].sim);
  }
  srs_model_destroy(model);
}

static void *tumble(void *context)
{
  worker *w = context;
  w->hash = run_on(w->sim, SAVED_AT);
  return NULL;
}

static void F80_eight_threads_tumble_boxes_as_one_does(void **state)
{
  (void)state;
  srs_model *model = tumbling_model();
  worker serial = {tumbling_sim(model, 7), 0}, parallel[TUMBLING_THREADS];
  pthread_t threads[TUMBLING_THREADS];
  tumble(&serial);
  assert_true(serial.hash != 0);
  for (int i = 0; i < TUMBLING_THREADS; i++) parallel[i].sim = tumbling_sim(model, 7);
  for (int i = 0; i < TUMBLING_THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, tumble, &parallel[i]), 0);
  for (int i = 0; i < TUMBLING_THREADS; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(parallel[i].hash == serial.hash);
    srs_sim_destroy(parallel[i].sim);
  }
  srs_sim_destroy(serial.sim);
  srs_model_destroy(model);
}

int main(int argc, char **argv)
{
  if (argc == 4 && strcmp(argv[1], "--replay") == 0) return replay(argv[2], argv[3]);
  program = argv[0];
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F77_a_restored_state_replays_to_the_bit),
      cmocka_unit_test(F77_twenty_tumbling_boxes_replay_to_the_bit),
      cmocka_unit_test(looking_at_a_motion_does_not_change_it),
      cmocka_unit_test(F80_sixteen_threads_on_one_model_give_the_bits_of_one),
      cmocka_unit_test(F80_eight_threads_tumble_boxes_as_one_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
