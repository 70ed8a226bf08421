// A control loop: every so many steps the controller is called, its torques wait for the delay and then hold until the
// next ones act (zero-order hold).
//
//   sample k   u_k = control(x_k) into a ring of delay + 1;   u_(k - delay) acts from now on
//   pace       sample k is due at t_0 + k T / pace; the thread sleeps until then

#include "topology/base/errors.h"
#include <sarrus/control_loop.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

struct srs_control_loop {
  srs_sim *sim;
  srs_control_loop_options options;
  srs_control_loop_report report;
  int nv;
  long until_control; // steps
  double *computed;   // nv
  double *ring;       // (delay + 1) x nv
  double due;         // s, of the clock: of the next control sample; NAN: the clock has not started
};

srs_control_loop_options srs_default_control_loop_options(void)
{
  return (srs_control_loop_options){.steps_per_control = 1};
}

static const char *fault(const srs_control_loop_options *o)
{
  if (o->steps_per_control < 1) return "steps_per_control must be 1 or more";
  if (o->delay < 0) return "delay must be 0 or more";
  if (!(o->pace >= 0) || !isfinite(o->pace)) return "pace must be 0 or more";
  return NULL;
}

srs_status srs_control_loop_create(srs_sim *sim, const srs_control_loop_options *options, srs_control_loop **loop,
                                   srs_error *error)
{
  if (loop != NULL) *loop = NULL;
  if (sim == NULL || loop == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "a loop needs a sim and a place to be put");
  const srs_control_loop_options chosen = options != NULL ? *options : srs_default_control_loop_options();
  const char *wrong = fault(&chosen);
  if (wrong != NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s", wrong);
  srs_control_loop *l = calloc(1, sizeof *l);
  const size_t nv = (size_t)srs_model_nv(srs_sim_model(sim));
  double *numbers = calloc(nv * ((size_t)chosen.delay + 2) + 1, sizeof *numbers);
  if (l == NULL || numbers == NULL) {
    free(l), free(numbers);
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a control loop");
  }
  l->sim = sim;
  l->options = chosen;
  l->nv = (int)nv;
  l->computed = numbers;
  l->ring = numbers + nv;
  l->due = NAN;
  *loop = l;
  return SRS_OK;
}

void srs_control_loop_destroy(srs_control_loop *l)
{
  if (l == NULL) return;
  free(l->computed);
  free(l);
}

void srs_control_loop_reset(srs_control_loop *l)
{
  if (l == NULL) return;
  memset(l->computed, 0, (size_t)l->nv * ((size_t)l->options.delay + 2) * sizeof *l->computed);
  l->report = (srs_control_loop_report){0};
  l->until_control = 0;
  l->due = NAN;
}

// ---------------------------------------------------------------------------------------------------------------------
// The clock
// ---------------------------------------------------------------------------------------------------------------------

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double due)
{
  const double whole = floor(due);
  const struct timespec at = {(time_t)whole, (long)(1e9 * (due - whole))};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) continue;
}

// Waits until the next control sample is due.
static void keep_pace(srs_control_loop *l)
{
  if (!(l->options.pace > 0)) return;
  const double length = l->options.steps_per_control * srs_sim_get_options(l->sim)->dt / l->options.pace, at = now();
  if (isnan(l->due)) l->due = at;
  const double late = at - l->due;
  if (late > 0.01 * length) l->report.overruns++;
  l->report.worst_delay = fmax(l->report.worst_delay, late);
  if (late < 0) sleep_until(l->due);
  l->due = (late > length ? at : l->due) + length;
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------------------------------------------------

// A control sample: computes torques, and sets those whose delay is over.  @return false: stopped, or failed
static bool sample(srs_control_loop *l, srs_status *status, srs_error *error)
{
  const srs_control_loop_options *o = &l->options;
  const size_t nv = (size_t)l->nv, places = (size_t)o->delay + 1, at = (size_t)l->report.controls % places;
  keep_pace(l);
  if (!o->control(o->context, l->sim, l->computed)) {
    l->report.is_stopped = true;
    return false;
  }
  l->report.controls++;
  memcpy(l->ring + at * nv, l->computed, nv * sizeof *l->ring);
  *status = srs_sim_set_torque(l->sim, l->ring + (at + 1) % places * nv, error);
  return *status == SRS_OK;
}

static bool goes_on(srs_control_loop *l, srs_step_callback callback)
{
  l->report.is_stopped = callback != NULL && !callback(l->options.context, l->sim);
  return !l->report.is_stopped;
}

srs_status srs_control_loop_run(srs_control_loop *l, long n, srs_error *error)
{
  if (l == NULL || n < 0)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no loop, or a negative number of steps");
  srs_status status = SRS_OK;
  l->report.is_stopped = false;
  for (long i = 0; i < n; i++) {
    if (l->until_control == 0 && l->options.control == NULL) keep_pace(l);
    if (l->until_control == 0 && l->options.control != NULL && !sample(l, &status, error)) return status;
    if (l->until_control == 0) l->until_control = l->options.steps_per_control;
    if (!goes_on(l, l->options.before_step)) return SRS_OK;
    status = srs_sim_step(l->sim, 1, error);
    if (status != SRS_OK) return status;
    l->until_control--;
    l->report.steps++;
    if (!goes_on(l, l->options.after_step)) return SRS_OK;
  }
  return SRS_OK;
}

const srs_control_loop_report *srs_control_loop_get_report(const srs_control_loop *l)
{
  static const srs_control_loop_report none = {0};
  return l != NULL ? &l->report : &none;
}

srs_status srs_sim_lock_memory(srs_error *error)
{
  if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0) return SRS_OK;
  return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, NULL,
                  "the system does not let this process lock its memory: raise its limit (ulimit -l) or run it with "
                  "CAP_IPC_LOCK");
}
