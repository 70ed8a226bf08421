// How long does a state take in a batch, beside a state alone?
//
// Robots of the data folder, 64 random states; both in turn, so that they see the same clock; medians of batches of
// processor time, for one state. Forward kinematics writes the places of all links, and so does the state alone. A step
// is semi-implicit Euler; that of a state alone is srs_sim_step with velocity terms at the start, for
// robots without shapes that collide.
//
//   bench_batch [COUNT]     COUNT rounds over the states and no clock, for profiles
#include "timing.h"

#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 64, BATCHES = 31, ROUNDS = 8 };

typedef struct robot {
  const char *file;
  srs_base_kind base;
} robot;

typedef struct instance {
  srs_model *model;
  srs_workspace *w;
  srs_batch *batch;
  int *frames; // of all links
  size_t nq, nv;
  double *q, *v, *a;                         // STATES each
  double *tau, *out, *positions, *rotations; // of all states
  double *q_step, *v_step;
} instance;

static void die(const char *what)
{
  fprintf(stderr, "bench_batch: %s\n", what);
  exit(1);
}

static double uniform(double low, double high)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static double *numbers(size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  if (x == NULL) die("no memory");
  return x;
}

static instance start(const robot *r)
{
  instance s = {0};
  srs_error error = {0};
  srs_load_options options = srs_default_load_options();
  char path[1024];
  options.base = r->base;
  snprintf(path, sizeof path, "%s/robots/%s.urdf", BENCH_DATA, r->file);
  if (srs_model_load(path, &options, &s.model, &error) != SRS_OK) die(error.message);
  if (srs_workspace_create(s.model, &s.w, &error) != SRS_OK || srs_batch_create(s.model, &s.batch, &error) != SRS_OK)
    die("no memory");
  s.nq = (size_t)srs_model_nq(s.model), s.nv = (size_t)srs_model_nv(s.model);
  s.q = numbers(STATES * s.nq), s.v = numbers(STATES * s.nv), s.a = numbers(STATES * s.nv);
  const size_t n = (size_t)srs_model_n_links(s.model);
  s.tau = numbers(STATES * s.nv), s.out = numbers(STATES * s.nv * s.nv);
  s.positions = numbers((size_t)3 * STATES * n), s.rotations = numbers((size_t)9 * STATES * n);
  s.q_step = numbers(STATES * s.nq), s.v_step = numbers(STATES * s.nv);
  for (size_t i = 0; i < STATES * s.nv; i++) s.v[i] = uniform(-1, 1), s.a[i] = uniform(-1, 1);
  s.frames = calloc(n + 1, sizeof *s.frames);
  if (s.frames == NULL) die("no memory");
  for (size_t k = 0; k < n; k++) s.frames[k] = srs_model_find_frame(s.model, srs_model_link(s.model, (int)k)->name);
  double *far = numbers(s.nv);
  for (size_t k = 0; k < STATES; k++) {
    for (size_t i = 0; i < s.nv; i++) far[i] = uniform(-3, 3);
    srs_integrate(s.model, srs_model_neutral(s.model), far, 1, s.q + k * s.nq);
  }
  free(far);
  return s;
}

static void finish(instance *s)
{
  free(s->q), free(s->v), free(s->a), free(s->tau), free(s->out);
  free(s->positions), free(s->rotations), free(s->q_step), free(s->v_step), free(s->frames);
  srs_batch_destroy(s->batch);
  srs_workspace_destroy(s->w);
  srs_model_destroy(s->model);
}

typedef enum quantity { FK, RNEA, ABA, CRBA, STEP, QUANTITIES } quantity;

static const char *const titles[] = {"FK", "RNEA", "ABA", "mass matrix", "step"};

static void check(srs_status status, const char *what)
{
  if (status != SRS_OK) die(what);
}

static void alone(instance *s, srs_sim *sim, quantity what)
{
  const int n = srs_model_n_links(s->model);
  for (size_t k = 0; k < STATES; k++) {
    const double *q = s->q + k * s->nq, *v = s->v + k * s->nv, *a = s->a + k * s->nv;
    srs_pose pose;
    switch (what) {
    case FK:
      check(srs_forward_kinematics(s->w, q), "forward kinematics");
      for (int i = 0; i < n; i++) {
        check(srs_frame_placement(s->w, s->frames[i], &pose), "a placement");
        memcpy(s->positions + 3 * (k * (size_t)n + (size_t)i), pose.position, sizeof pose.position);
        memcpy(s->rotations + 9 * (k * (size_t)n + (size_t)i), pose.rotation, sizeof pose.rotation);
      }
      break;
    case RNEA: check(srs_inverse_dynamics(s->w, q, v, a, NULL, s->out + k * s->nv), "inverse dynamics"); break;
    case ABA: check(srs_forward_dynamics(s->w, q, v, a, NULL, s->out + k * s->nv), "forward dynamics"); break;
    case CRBA: check(srs_mass_matrix(s->w, q, s->out + k * s->nv * s->nv), "a mass matrix"); break;
    case STEP: check(srs_sim_step(sim, 1, NULL), "a step"); break;
    case QUANTITIES: break;
    }
  }
}

static void together(instance *s, quantity what)
{
  const int n = srs_model_n_links(s->model);
  switch (what) {
  case FK:
    check(srs_batch_forward_kinematics(s->batch, STATES, s->q, s->frames, n, s->positions, s->rotations), "batch: FK");
    break;
  case RNEA: check(srs_batch_inverse_dynamics(s->batch, STATES, s->q, s->v, s->a, s->out), "batch: RNEA"); break;
  case ABA: check(srs_batch_forward_dynamics(s->batch, STATES, s->q, s->v, s->a, s->out), "batch: ABA"); break;
  case CRBA: check(srs_batch_mass_matrix(s->batch, STATES, s->q, s->out), "batch: mass matrix"); break;
  case STEP: check(srs_batch_step(s->batch, STATES, 1e-6, s->q_step, s->v_step, s->tau), "batch: step"); break;
  case QUANTITIES: break;
  }
}

static void measure(instance *s, srs_sim *sim, const char *name)
{
  const int quantities = srs_sim_collider(sim) == NULL ? QUANTITIES : STEP;
  for (int what = 0; what < quantities; what++) {
    double single[BATCHES], batch[BATCHES];
    for (int b = -1; b < BATCHES; b++) { // the first is to warm up
      double begun = bench_cpu_time();
      for (int i = 0; i < ROUNDS; i++) alone(s, sim, (quantity)what);
      if (b >= 0) single[b] = 1e6 * (bench_cpu_time() - begun) / (ROUNDS * STATES);
      begun = bench_cpu_time();
      for (int i = 0; i < ROUNDS; i++) together(s, (quantity)what);
      if (b >= 0) batch[b] = 1e6 * (bench_cpu_time() - begun) / (ROUNDS * STATES);
    }
    const double one = bench_quantile(single, BATCHES, 0.5), many = bench_quantile(batch, BATCHES, 0.5);
    printf("%-12s %3zu  %-12s %8.3f %8.3f %7.2f\n", name, s->nv, titles[what], one, many, many / one);
  }
}

static srs_sim *sim_of(const instance *s)
{
  srs_sim_options options = srs_default_sim_options();
  srs_error error = {0};
  srs_sim *sim = NULL;
  options.dt = 1e-6; // of all steps together: no limit is met
  options.velocity_terms = SRS_VELOCITY_TERMS_START;
  options.keep_momentum = false;
  options.joint.limits = options.joint.friction = options.joint.actuator_limits = false;
  if (srs_sim_create(s->model, &options, &sim, &error) != SRS_OK) die(error.message);
  return sim;
}

int main(int argc, char **argv)
{
  static const robot robots[] = {{"chain12", SRS_BASE_FIXED},
                                 {"panda", SRS_BASE_FIXED},
                                 {"ur5", SRS_BASE_FIXED},
                                 {"anymal", SRS_BASE_FLOATING},
                                 {"more/a1", SRS_BASE_FLOATING}};
  const long count = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
  (void)bench_pin();
  if (count == 0) printf("us per state  nv                  alone  batched   ratio\n");
  for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
    instance s = start(&robots[i]);
    srs_sim *sim = sim_of(&s);
    memcpy(s.q_step, s.q, STATES * s.nq * sizeof *s.q);
    for (long k = 0; k < count * QUANTITIES; k++) together(&s, (quantity)(k % QUANTITIES));
    if (count == 0) measure(&s, sim, robots[i].file);
    srs_sim_destroy(sim);
    finish(&s);
  }
  return 0;
}
