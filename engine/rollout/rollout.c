// A pool of threads for rollouts: who runs which row, and when is a job done?
//
//   next      the row to be taken next, an atomic counter: whoever is free takes it
//   job       a number that grows with each job; a thread sleeps until it is another than the last it worked on
//   working   how many threads have not finished the job; the caller, who works too, waits until there are none
//
// Which thread takes a row changes nothing in it (row.c).

#include "engine/rollout/lane_rows.h"
#include "topology/base/errors.h"
#include <sarrus/parameters.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct worker {
  struct srs_rollout *pool;
  srs_sim *sim;
  srs_lanes *lanes; // NULL: each row runs alone
  pthread_t thread; // not of the first, which is the caller
} worker;

struct srs_rollout {
  int n_workers, n_threads; // the latter have been started: the workers but the first
  worker *workers;
  srs_rollout_start start; // of rows that have none of their own
  void *start_bytes;
  const srs_rollout_job *job;
  atomic_long next;

  pthread_mutex_t lock; // of what follows
  pthread_cond_t begun, done;
  unsigned long job_number;
  int working;
  bool ends;
  long n_failed, first_failed, n_alone;
  srs_error first_error;
};

int srs_usable_processors(void)
{
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool is_told = sched_getaffinity(0, sizeof set, &set) == 0;
  const long n = is_told ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n < SRS_MOST_THREADS ? (int)n : SRS_MOST_THREADS;
}

// ---------------------------------------------------------------------------------------------------------------------
// Threads
// ---------------------------------------------------------------------------------------------------------------------

static void note_failure(srs_rollout *pool, long row, const srs_error *error)
{
  (void)pthread_mutex_lock(&pool->lock);
  pool->n_failed++;
  if (pool->first_failed < 0 || row < pool->first_failed) pool->first_failed = row, pool->first_error = *error;
  (void)pthread_mutex_unlock(&pool->lock);
}

static void note(srs_rollout *pool, long row, srs_status status, const srs_error *error)
{
  const srs_rollout_job *job = pool->job;
  if (job->status != NULL) job->status[row] = status;
  if (status == SRS_OK) return;
  if (job->errors != NULL) job->errors[row] = *error;
  note_failure(pool, row, error);
}

// Takes rows, one after the other, until there are none.
static void take_rows(worker *w)
{
  srs_rollout *pool = w->pool;
  const srs_rollout_job *job = pool->job;
  for (long row = 0; (row = atomic_fetch_add(&pool->next, 1)) < job->n_rows;) {
    srs_error error = {.status = SRS_OK};
    const srs_status status = srs_run_row(w->sim, job, &pool->start, row, &error);
    note(pool, row, status, &error);
  }
}

// The same in lanes. The rows of a group are always the same, whichever thread takes it.
static void take_groups(worker *w)
{
  srs_rollout *pool = w->pool;
  const srs_rollout_job *job = pool->job;
  long n_alone = 0;
  for (long first = 0; (first = atomic_fetch_add(&pool->next, SRS_SIM_LANES)) < job->n_rows;) {
    const int n = job->n_rows - first < SRS_SIM_LANES ? (int)(job->n_rows - first) : SRS_SIM_LANES;
    srs_status status[SRS_SIM_LANES];
    srs_error error[SRS_SIM_LANES] = {{.status = SRS_OK}};
    n_alone += srs_run_lane_rows(w->lanes, w->sim, job, &pool->start, first, n, status, error);
    for (int l = 0; l < n; l++) note(pool, first + l, status[l], &error[l]);
  }
  (void)pthread_mutex_lock(&pool->lock);
  pool->n_alone += n_alone;
  (void)pthread_mutex_unlock(&pool->lock);
}

static void take_all(worker *w)
{
  if (w->lanes != NULL)
    take_groups(w);
  else
    take_rows(w);
}

static void *work(void *context)
{
  worker *w = context;
  srs_rollout *pool = w->pool;
  unsigned long seen = 0;
  (void)pthread_mutex_lock(&pool->lock);
  while (true) {
    while (!pool->ends && pool->job_number == seen) (void)pthread_cond_wait(&pool->begun, &pool->lock);
    if (pool->ends) break;
    seen = pool->job_number;
    (void)pthread_mutex_unlock(&pool->lock);
    take_all(w);
    (void)pthread_mutex_lock(&pool->lock);
    if (--pool->working == 0) (void)pthread_cond_signal(&pool->done);
  }
  (void)pthread_mutex_unlock(&pool->lock);
  return NULL;
}

// Signals from outside are for the program's own threads.
static void hold_signals(sigset_t *before)
{
  static const int of_the_thread[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
  sigset_t held;
  (void)sigfillset(&held);
  for (size_t i = 0; i < sizeof of_the_thread / sizeof *of_the_thread; i++) (void)sigdelset(&held, of_the_thread[i]);
  (void)pthread_sigmask(SIG_BLOCK, &held, before);
}

static srs_status start_threads(srs_rollout *pool, srs_error *error)
{
  sigset_t before;
  int failure = 0;
  hold_signals(&before);
  for (int k = 1; k < pool->n_workers && failure == 0; k++) {
    failure = pthread_create(&pool->workers[k].thread, NULL, work, &pool->workers[k]);
    if (failure == 0) pool->n_threads++;
  }
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure == 0) return SRS_OK;
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "the system starts no more than %d of %d threads",
                  pool->n_threads + 1, pool->n_workers);
}

static void end_threads(srs_rollout *pool)
{
  (void)pthread_mutex_lock(&pool->lock);
  pool->ends = true;
  (void)pthread_cond_broadcast(&pool->begun);
  (void)pthread_mutex_unlock(&pool->lock);
  for (int k = 1; k <= pool->n_threads; k++) (void)pthread_join(pool->workers[k].thread, NULL);
}

// ---------------------------------------------------------------------------------------------------------------------
// Creation
// ---------------------------------------------------------------------------------------------------------------------

static srs_status keep_start(srs_rollout *pool, const srs_sim *sim)
{
  pool->start.size = srs_sim_snapshot_size(sim);
  pool->start_bytes = malloc(pool->start.size);
  if (pool->start_bytes == NULL) return SRS_ERROR_MEMORY;
  srs_sim_snapshot_save(sim, pool->start_bytes);
  pool->start.snapshot = pool->start_bytes;
  return SRS_OK;
}

static srs_status make_sims(srs_rollout *pool, const srs_sim *sim, srs_error *error)
{
  srs_status status = SRS_OK;
  for (int k = 0; k < pool->n_workers && status == SRS_OK; k++) {
    worker *w = &pool->workers[k];
    w->pool = pool;
    status = srs_sim_create(srs_sim_model(sim), srs_sim_get_options(sim), &w->sim, error);
    if (status == SRS_OK) status = srs_sim_copy_parameters(sim, w->sim, error);
  }
  return status;
}

srs_status srs_rollout_create(const srs_sim *sim, int threads, srs_rollout **rollout, srs_error *error)
{
  if (rollout != NULL) *rollout = NULL;
  if (sim == NULL || rollout == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "a rollout needs a sim and a place to be put");
  if (threads < 1 || threads > SRS_MOST_THREADS)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "threads is %d; it can be 1 to %d", threads,
                    SRS_MOST_THREADS);
  srs_rollout *pool = calloc(1, sizeof *pool);
  worker *workers = calloc((size_t)threads, sizeof *workers);
  if (pool == NULL || workers == NULL) {
    free(pool), free(workers);
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for a rollout");
  }
  pool->workers = workers;
  pool->n_workers = threads;
  pool->first_failed = -1;
  atomic_init(&pool->next, 0);
  (void)pthread_mutex_init(&pool->lock, NULL); // of these kinds they do not fail
  (void)pthread_cond_init(&pool->begun, NULL);
  (void)pthread_cond_init(&pool->done, NULL);
  srs_status status = keep_start(pool, sim);
  if (status != SRS_OK) (void)srs_fail(error, status, NULL, 0, 0, NULL, "no memory for a rollout");
  if (status == SRS_OK) status = make_sims(pool, sim, error);
  if (status == SRS_OK) status = start_threads(pool, error);
  if (status == SRS_OK)
    *rollout = pool;
  else
    srs_rollout_destroy(pool);
  return status;
}

void srs_rollout_destroy(srs_rollout *pool)
{
  if (pool == NULL) return;
  end_threads(pool);
  (void)pthread_cond_destroy(&pool->done);
  (void)pthread_cond_destroy(&pool->begun);
  (void)pthread_mutex_destroy(&pool->lock);
  for (int k = 0; k < pool->n_workers; k++) {
    srs_lanes_destroy(pool->workers[k].lanes);
    srs_sim_destroy(pool->workers[k].sim);
  }
  free(pool->start_bytes);
  free(pool->workers);
  free(pool);
}

// The sims are where the one was that they were made of, whose inputs say what gains lanes have.
srs_status srs_rollout_use_lanes(srs_rollout *pool, srs_error *error)
{
  if (pool == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "there is no rollout");
  srs_status status = SRS_OK;
  for (int k = 0; k < pool->n_workers && status == SRS_OK; k++) {
    worker *w = &pool->workers[k];
    if (w->lanes != NULL) continue;
    status = srs_sim_snapshot_restore(w->sim, pool->start_bytes, pool->start.size, error);
    if (status == SRS_OK) status = srs_lanes_create(w->sim, &w->lanes, error);
  }
  for (int k = 0; k < pool->n_workers && status != SRS_OK; k++) {
    srs_lanes_destroy(pool->workers[k].lanes);
    pool->workers[k].lanes = NULL;
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Runs
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_rollout_run(srs_rollout *pool, const srs_rollout_job *job, srs_error *error)
{
  if (pool == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "there is no rollout");
  pool->n_failed = 0;
  pool->first_failed = -1;
  pool->n_alone = 0;
  srs_status status = srs_check_job(job, error);
  if (status != SRS_OK) return status;
  const bool is_shared = job->n_rows > 1 && pool->n_threads > 0; // a row alone need not wake anyone
  pool->job = job;
  atomic_store(&pool->next, 0);
  if (is_shared) {
    (void)pthread_mutex_lock(&pool->lock);
    pool->job_number++;
    pool->working = pool->n_threads;
    (void)pthread_cond_broadcast(&pool->begun);
    (void)pthread_mutex_unlock(&pool->lock);
  }
  take_all(&pool->workers[0]);
  if (is_shared) {
    (void)pthread_mutex_lock(&pool->lock);
    while (pool->working > 0) (void)pthread_cond_wait(&pool->done, &pool->lock);
    (void)pthread_mutex_unlock(&pool->lock);
  }
  if (pool->first_failed < 0) return SRS_OK;
  status = pool->first_error.status;
  if (error != NULL) *error = pool->first_error;
  return status;
}

long srs_rollout_failures(const srs_rollout *pool, long *first)
{
  if (first != NULL) *first = pool != NULL ? pool->first_failed : -1;
  return pool != NULL ? pool->n_failed : 0;
}

long srs_rollout_rows_alone(const srs_rollout *pool) { return pool != NULL ? pool->n_alone : 0; }
