// What do rollouts gain in lanes? Rows of a chain of 12 links, of a Panda (its fingers uncoupled, since a coupling is a
// loop) and a UR5 under gravity, alone and in lanes, on one core and on all; runs take turns. Three kinds of rows:
//
//   held     no torques, from random states; limits off
//   drawn    the same with other torques in each step, as controllers that sample have them
//   servo    limits on, servos hold the middle of the ranges, and small torques are drawn
//
// Velocity terms at the mean (the default) and at the start of a step. Time a step on one core is processor time, on
// all time of the clock, of all rows together; the middle of five runs.
#include "robots.h"
#include "timing.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 256, STEPS = 200, EVERY = 10, SAMPLES = STEPS / EVERY + 1, KINDS = 4 };

typedef struct trial {
  robot r;
  srs_sim *sim;
  srs_rollout_job job;
  double *q, *v, *torques, *out;
  srs_rollout *rollouts[KINDS]; // alone, in lanes; the same on all cores
} trial;

static double clock_of(clockid_t id)
{
  struct timespec now;
  clock_gettime(id, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The robot without couplings; they are blanked out in a copy of its file.
static srs_model *uncoupled(const robot *r)
{
  static char text[1 << 20];
  char path[1024], copy[] = "/tmp/bench_lanes_XXXXXX";
  (void)snprintf(path, sizeof path, "%s/robots/%s.urdf", BENCH_DATA, r->name);
  FILE *from = fopen(path, "r");
  if (from == NULL) die(path);
  const size_t length = fread(text, 1, sizeof text - 1, from);
  text[length] = '\0';
  for (char *at = text; (at = strstr(at, "<mimic")) != NULL;) memset(at, ' ', (size_t)(strchr(at, '>') + 1 - at));
  const int to = mkstemp(copy);
  if (fclose(from) != 0 || to < 0 || write(to, text, length) != (ssize_t)length || close(to) != 0) die(copy);
  srs_load_options options = srs_default_load_options();
  srs_error error = {0};
  srs_model *model = NULL;
  options.no_collision = true;
  const srs_status status = srs_model_load(copy, &options, &model, &error);
  (void)unlink(copy);
  if (status != SRS_OK) die(error.message);
  return model;
}

typedef enum rows { HELD, DRAWN, SERVO, ROW_KINDS } rows;

static const char *const row_titles[ROW_KINDS] = {"held", "drawn", "servo"};

static double middle_of(const trial *t, size_t i)
{
  srs_coordinate_parameters p;
  (void)srs_sim_get_coordinate_parameters(t->sim, (int)i, &p);
  return isfinite(p.lower) && isfinite(p.upper) ? 0.5 * (p.lower + p.upper) : 0;
}

static void draw(trial *t, rows kind)
{
  const size_t nv = t->r.nv;
  const double way = kind == SERVO ? 2e-3 : 0.3, torque = kind == SERVO ? 0.02 : 0.1;
  for (size_t i = 0; i < ROWS * nv; i++) {
    t->q[i] = middle_of(t, i % nv) + uniform(-way, way);
    t->v[i] = uniform(-way, way);
  }
  for (size_t i = 0; i < (size_t)ROWS * STEPS * nv; i++) t->torques[i] = uniform(-torque, torque);
  if (kind != SERVO) return;
  double *q = numbers(nv), *v = numbers(nv), *kp = numbers(nv), *kd = numbers(nv);
  srs_error error = {0};
  for (size_t i = 0; i < nv; i++) q[i] = middle_of(t, i), kp[i] = 1000, kd[i] = 100;
  if (srs_sim_set_servo(t->sim, q, v, kp, kd, &error) != SRS_OK) die(error.message);
  free(q), free(v), free(kp), free(kd);
}

static void start(trial *t, const robot *which, srs_velocity_terms terms, rows kind)
{
  srs_error error = {0};
  *t = (trial){.r = *which};
  t->r.model = uncoupled(which);
  t->r.nq = (size_t)srs_model_nq(t->r.model), t->r.nv = (size_t)srs_model_nv(t->r.model);
  srs_sim_options options = srs_default_sim_options();
  options.joint.friction = false;
  options.joint.limits = options.joint.actuator_limits = kind == SERVO;
  options.velocity_terms = terms;
  if (srs_sim_create(t->r.model, &options, &t->sim, &error) != SRS_OK) die(error.message);
  t->q = numbers(ROWS * t->r.nq), t->v = numbers(ROWS * t->r.nv);
  t->torques = numbers((size_t)ROWS * STEPS * t->r.nv), t->out = numbers((size_t)ROWS * SAMPLES * t->r.nq);
  draw(t, kind);
  t->job = srs_default_rollout_job(ROWS, STEPS);
  t->job.every = EVERY, t->job.q = t->q, t->job.v = t->v, t->job.q_out = t->out;
  if (kind != HELD) t->job.torques = t->torques;
  for (int k = 0; k < KINDS; k++) {
    const int threads = k < 2 ? 1 : srs_usable_processors();
    if (srs_rollout_create(t->sim, threads, &t->rollouts[k], &error) != SRS_OK) die(error.message);
    if (k % 2 == 1 && srs_rollout_use_lanes(t->rollouts[k], &error) != SRS_OK) die(error.message);
  }
}

static void finish(trial *t)
{
  for (int k = 0; k < KINDS; k++) srs_rollout_destroy(t->rollouts[k]);
  srs_sim_destroy(t->sim);
  free(t->q), free(t->v), free(t->torques), free(t->out);
  srs_model_destroy(t->r.model);
}

static double work(void *context, int which, int run)
{
  (void)run;
  trial *t = context;
  const clockid_t id = which < 2 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  srs_error error = {0};
  const double at = clock_of(id);
  if (srs_rollout_run(t->rollouts[which], &t->job, &error) != SRS_OK) die(error.message);
  return clock_of(id) - at;
}

static void show(trial *t, const char *terms, rows kind)
{
  double times[KINDS][BENCH_RUNS];
  char ratio[2][BENCH_SPREAD_TEXT];
  for (int k = 0; k < KINDS; k++) (void)work(t, k, 0);
  bench_take_long_turns(work, t, KINDS, times);
  const double each = 1e6 / ((double)ROWS * STEPS);
  printf("%-8s %-6s %-6s %8.3f %8.3f  %-18s %8.3f %8.3f  %-18s %5ld\n", t->r.name, terms, row_titles[kind],
         each * bench_spread_of(times[0]).median, each * bench_spread_of(times[1]).median,
         bench_spread_print(bench_ratio(times[1], times[0]), ratio[0]), each * bench_spread_of(times[2]).median,
         each * bench_spread_of(times[3]).median, bench_spread_print(bench_ratio(times[3], times[2]), ratio[1]),
         srs_rollout_rows_alone(t->rollouts[1]));
  (void)fflush(stdout);
}

int main(void)
{
  static const struct {
    rows kind;
    srs_velocity_terms terms;
  } cases[] = {{HELD, SRS_VELOCITY_TERMS_MEAN},
               {DRAWN, SRS_VELOCITY_TERMS_MEAN},
               {DRAWN, SRS_VELOCITY_TERMS_START},
               {SERVO, SRS_VELOCITY_TERMS_MEAN}};
  printf("%d rows of %d steps; us a step, one core and %d; last: rows that lanes did not carry\n\n", ROWS, STEPS,
         srs_usable_processors());
  printf("%-8s %-6s %-6s %8s %8s  %-18s %8s %8s  %-18s %5s\n", "", "terms", "rows", "alone", "lanes", "ratio (of runs)",
         "alone", "lanes", "ratio (of runs)", "");
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      trial t;
      start(&t, &robots[k], cases[i].terms, cases[i].kind);
      show(&t, srs_velocity_terms_name(cases[i].terms), cases[i].kind);
      finish(&t);
    }
  return 0;
}
