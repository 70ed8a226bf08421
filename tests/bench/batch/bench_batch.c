// How long does a state take in a batch, beside a state alone?
//
// Robots of the data folder, a humanoid and long chains (mechanism.h), 64 random states; each in turn, so that they see
// the same clock; processor time for one state, the middle of five runs, and the ratio with the least and the most of
// the runs (timing.h). In lanes of four, which a processor with AVX2 has, and in those of this one. Forward kinematics
// writes the places of all links, and so does the state alone. A step is semi-implicit Euler; that of a state alone is
// srs_sim_step with velocity terms at the start, for robots without shapes that collide.
//
// Before that the same beside the loops over states of other engines, on one core and on all (beside_peers.c).
//
//   bench_batch [COUNT]     COUNT rounds over the states and no clock, for profiles
//   bench_batch --alone     without other engines
#include "beside_peers.h"
#include "dynamics/ours.h"
#include "engine/batch/kernels.h"
#include "mechanism.h"
#include "robots.h"
#include "timing.h"

#include <string.h>

typedef struct instance {
  robot r;
  srs_batch *batch, *four;
  int *frames;                               // of all links
  double *tau, *out, *positions, *rotations; // of all states
  double *q_step, *v_step;
} instance;

static instance start(robot r)
{
  instance s = {.r = r};
  const size_t nq = s.r.nq, nv = s.r.nv, n = (size_t)srs_model_n_links(s.r.model);
  if (srs_batch_create(s.r.model, &s.batch, NULL) != SRS_OK) die("no memory");
  if (srs_batch_create_of(s.r.model, &srs_batch_four, &s.four, NULL) != SRS_OK) die("no memory");
  s.tau = numbers(STATES * nv), s.out = numbers(STATES * nv * nv);
  s.positions = numbers((size_t)3 * STATES * n), s.rotations = numbers((size_t)9 * STATES * n);
  s.q_step = numbers(STATES * nq), s.v_step = numbers(STATES * nv);
  s.frames = calloc(n + 1, sizeof *s.frames);
  if (s.frames == NULL) die("no memory");
  for (size_t k = 0; k < n; k++) s.frames[k] = srs_model_find_frame(s.r.model, srs_model_link(s.r.model, (int)k)->name);
  return s;
}

static void finish(instance *s)
{
  free(s->tau), free(s->out), free(s->positions), free(s->rotations), free(s->q_step), free(s->v_step);
  free(s->frames);
  srs_batch_destroy(s->batch);
  srs_batch_destroy(s->four);
  robot_finish(&s->r);
}

typedef enum quantity { FK, RNEA, ABA, CRBA, STEP, QUANTITIES } quantity;

static const char *const titles[] = {"FK", "RNEA", "ABA", "mass matrix", "step"};

static void check(srs_status status, const char *what)
{
  if (status != SRS_OK) die(what);
}

static void alone(instance *s, srs_sim *sim, quantity what)
{
  const int n = srs_model_n_links(s->r.model);
  for (size_t k = 0; k < STATES; k++) {
    const double *q = s->r.q + k * s->r.nq, *v = s->r.v + k * s->r.nv, *a = s->r.a + k * s->r.nv;
    srs_pose pose;
    switch (what) {
    case FK:
      check(srs_forward_kinematics(s->r.w, q), "forward kinematics");
      for (int i = 0; i < n; i++) {
        check(srs_frame_placement(s->r.w, s->frames[i], &pose), "a placement");
        memcpy(s->positions + 3 * (k * (size_t)n + (size_t)i), pose.position, sizeof pose.position);
        memcpy(s->rotations + 9 * (k * (size_t)n + (size_t)i), pose.rotation, sizeof pose.rotation);
      }
      break;
    case RNEA: check(srs_inverse_dynamics(s->r.w, q, v, a, NULL, s->out + k * s->r.nv), "inverse dynamics"); break;
    case ABA: check(srs_forward_dynamics(s->r.w, q, v, a, NULL, s->out + k * s->r.nv), "forward dynamics"); break;
    case CRBA: check(srs_mass_matrix(s->r.w, q, s->out + k * s->r.nv * s->r.nv), "a mass matrix"); break;
    case STEP: check(srs_sim_step(sim, 1, NULL), "a step"); break;
    case QUANTITIES: break;
    }
  }
}

static void together(instance *s, srs_batch *batch, quantity what)
{
  const int n = srs_model_n_links(s->r.model);
  switch (what) {
  case FK:
    check(srs_batch_forward_kinematics(batch, STATES, s->r.q, s->frames, n, s->positions, s->rotations), "batch: FK");
    break;
  case RNEA: check(srs_batch_inverse_dynamics(batch, STATES, s->r.q, s->r.v, s->r.a, s->out), "batch: RNEA"); break;
  case ABA: check(srs_batch_forward_dynamics(batch, STATES, s->r.q, s->r.v, s->r.a, s->out), "batch: ABA"); break;
  case CRBA: check(srs_batch_mass_matrix(batch, STATES, s->r.q, s->out), "batch: mass matrix"); break;
  case STEP: check(srs_batch_step(batch, STATES, 1e-6, s->q_step, s->v_step, s->tau), "batch: step"); break;
  case QUANTITIES: break;
  }
}

typedef struct pair {
  instance *s;
  srs_sim *sim;
  quantity what;
} pair;

static void compute(void *context, int which, long calls)
{
  const pair *p = context;
  for (long i = 0; i < calls; i++)
    if (which == 0)
      alone(p->s, p->sim, p->what);
    else
      together(p->s, which == 1 ? p->s->four : p->s->batch, p->what);
}

static void measure(instance *s, srs_sim *sim, const char *name)
{
  const int quantities = srs_sim_collider(sim) == NULL ? QUANTITIES : STEP;
  for (int what = 0; what < quantities; what++) {
    const int ways = srs_batch_width(s->batch) == srs_batch_width(s->four) ? 2 : 3;
    double times[3][BENCH_RUNS];
    char ratio[BENCH_SPREAD_TEXT];
    bench_take_turns(compute, &(pair){s, sim, (quantity)what}, ways, 2e-3, times);
    printf("%-12s %3zu  %-12s %8.3f", name, s->r.nv, titles[what], 1e6 * bench_spread_of(times[0]).median / STATES);
    for (int way = 1; way < ways; way++)
      printf("   %8.3f   %-16s", 1e6 * bench_spread_of(times[way]).median / STATES,
             bench_spread_print(bench_ratio(times[way], times[0]), ratio));
    printf("\n");
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
  if (srs_sim_create(s->r.model, &options, &sim, &error) != SRS_OK) die(error.message);
  if (srs_sim_set_state(sim, 0, s->r.q, s->r.v, &error) != SRS_OK)
    die(error.message); // not at rest, which costs nothing
  return sim;
}

// A robot of no file: a humanoid, or a chain of n links.
static robot made(const char *name, int n)
{
  bench_model model;
  srs_error error = {0};
  if (!(n > 0 ? bench_chain(n, &model) : bench_humanoid(&model))) die("no memory");
  robot r = {.name = name, .model = bench_build(&model, &error)};
  bench_model_free(&model);
  if (r.model == NULL) die(error.message);
  return robot_of(r);
}

static void take(robot r, long count)
{
  instance s = start(r);
  srs_sim *sim = sim_of(&s);
  memcpy(s.q_step, s.r.q, STATES * s.r.nq * sizeof *s.r.q);
  for (long k = 0; k < count * QUANTITIES; k++) together(&s, s.batch, (quantity)(k % QUANTITIES));
  if (count == 0) measure(&s, sim, r.name);
  srs_sim_destroy(sim);
  finish(&s);
}

int main(int argc, char **argv)
{
  const bool is_alone = argc > 1 && strcmp(argv[1], "--alone") == 0;
  const long count = argc > 1 && !is_alone ? strtol(argv[1], NULL, 10) : 0;
  if (count == 0 && !is_alone) bench_beside_peers(BENCH_DATA); // before this thread is bound to its processor
  (void)bench_pin();
  if (count == 0)
    printf("\nus per state  nv                  alone   by fours   ratio (of runs)    as wide as it goes\n");
  for (size_t i = 0; i < ROBOTS; i++) take(robot_start(&robots[i]), count);
  take(made("humanoid", 0), count);
  take(made("chain50", 50), count);
  take(made("chain200", 200), count);
  return 0;
}
