// Who carries out which run, and when? Threads take the next run whenever they are free. One more thread, which does
// not compute, writes rows as soon as all before them are complete, shows the progress, and deals runs to other ranks.
//
//   written <= runs that are under way or wait to be written < next <= written + WINDOW
//
// Rows lie in a ring of WINDOW; which thread or rank made a row leaves no trace in it.
#include "engine/cli/sweep/schedule.h"

#include "engine/cli/run/endings.h"
#include "engine/cli/shared/step_times.h"
#include "engine/cli/sweep/ranks.h"
#include "engine/sweep/sweep_lanes.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WINDOW = 4096, REST = 2000, RANK_CHUNK_PER_THREAD = 8, MOST_RANKS = 4096 }; // REST: us
enum { LONGEST_WAIT = 50 };                                                        // rests, for other threads

typedef struct board {
  const srs_command *command;
  const srs_sweep_plan *plan;
  srs_rows_file *file;
  long first, end;
  atomic_long next, written;
  atomic_bool is_ended; // no more runs are taken
  atomic_int n_busy;    // threads that have a run
  atomic_bool has_help; // there is a thread that computes
  srs_sweep_row *rows;  // WINDOW
  atomic_bool *is_done; // WINDOW
  srs_sweep_row *received;
  int n_ranks_left;        // that have not been told of the end
  int waiting[MOST_RANKS]; // ranks that wait for room in the window
  int wanted[MOST_RANKS], n_waiting;
  long n_remote; // runs dealt to ranks whose rows have not come
  long long start, drawn, flushed;
  bool is_shown;
} board;

// Takes up to `most` runs in a row.  @return their number; 0: none now
static int take_runs(board *b, int most, long *first)
{
  long next = atomic_load(&b->next);
  for (;;) {
    long n = b->end - next;
    const long room = atomic_load(&b->written) + WINDOW - next;
    if (n > room) n = room;
    if (n > most) n = most;
    if (n <= 0 || atomic_load(&b->is_ended)) return 0;
    *first = next;
    if (atomic_compare_exchange_weak(&b->next, &next, next + n)) return (int)n;
  }
}

static void hand_in(board *b, const srs_sweep_row *row)
{
  b->rows[row->run % WINDOW] = *row;
  atomic_store(&b->is_done[row->run % WINDOW], true);
}

static void run_and_hand_in(board *b, long first, int n)
{
  srs_sweep_row rows[SRS_SWEEP_LANES];
  srs_sweep_runs(b->plan, first, n, rows);
  for (int i = 0; i < n; i++) hand_in(b, &rows[i]);
}

static void compute(board *b)
{
  const int most = b->plan->in_lanes ? SRS_SWEEP_LANES : 1;
  long run;
  atomic_store(&b->has_help, true);
  while (!atomic_load(&b->is_ended) && atomic_load(&b->next) < b->end) {
    atomic_fetch_add(&b->n_busy, 1);
    const int n = take_runs(b, most, &run);
    if (n > 0) run_and_hand_in(b, run, n);
    atomic_fetch_sub(&b->n_busy, 1);
    if (n == 0) usleep(REST);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The thread that writes
// ---------------------------------------------------------------------------------------------------------------------

static void show(board *b, long long now)
{
  const long n = atomic_load(&b->written) - b->first, all = b->end - b->first;
  if (b->command->is_quiet || isatty(STDERR_FILENO) != 1 || now - b->start < 1000000000 || n == 0) return;
  if (now - b->drawn < 200000000) return;
  b->drawn = now;
  b->is_shown = true;
  const double elapsed = (double)(now - b->start) * 1e-9, left = elapsed * (double)(all - n) / (double)n;
  fprintf(stderr, "\r%ld of %ld runs, %ld failed, %.3g a second, %.0f s left \033[K", b->file->n_rows, b->plan->n_runs,
          b->file->n_failed, (double)n / elapsed, left);
  fflush(stderr);
}

// Writes the rows that are complete.  @return how many
static long write_rows(board *b, srs_status *status, srs_error *error)
{
  long n = 0;
  for (long run = atomic_load(&b->written); *status == SRS_OK && run < b->end; run++, n++) {
    if (!atomic_load(&b->is_done[run % WINDOW])) break;
    *status = srs_rows_file_add(b->file, &b->rows[run % WINDOW], error);
    atomic_store(&b->is_done[run % WINDOW], false);
    atomic_store(&b->written, run + 1);
  }
  const long long now = srs_clock();
  if (*status == SRS_OK && now - b->flushed > 250000000) {
    *status = srs_rows_file_flush(b->file, error);
    b->flushed = now;
  }
  if (*status != SRS_OK || srs_interrupt_came()) atomic_store(&b->is_ended, true);
  show(b, now);
  return n;
}

// Answers a rank with runs, with the end, or, where neither is there yet, not.
static bool answer(board *b, int rank, int most)
{
  long first = 0;
  const int n = take_runs(b, most, &first);
  if (n == 0 && !atomic_load(&b->is_ended) && atomic_load(&b->next) < b->end) return false;
  srs_ranks_answer(rank, first, n);
  b->n_remote += n;
  b->n_ranks_left -= n == 0;
  return true;
}

static bool serve_ranks(board *b)
{
  int n_rows, most, from, n = 0;
  bool was_busy = false;
  while (srs_ranks_listen(b->received, &n_rows, &most, &from)) {
    for (int i = 0; i < n_rows; i++) hand_in(b, &b->received[i]);
    b->n_remote -= n_rows;
    b->waiting[b->n_waiting] = from;
    b->wanted[b->n_waiting++] = most;
    was_busy = true;
  }
  for (int i = 0; i < b->n_waiting; i++) {
    if (answer(b, b->waiting[i], b->wanted[i])) continue;
    b->waiting[n] = b->waiting[i];
    b->wanted[n++] = b->wanted[i];
  }
  b->n_waiting = n;
  return was_busy;
}

static bool is_complete(board *b)
{
  if (b->n_ranks_left > 0 || b->n_remote > 0) return false;
  if (atomic_load(&b->written) == b->end) return true;
  return atomic_load(&b->is_ended) && atomic_load(&b->n_busy) == 0;
}

// Where the system gives no second thread, or the command is built without OpenMP.
static void help(board *b)
{
  long run;
  const int n = take_runs(b, b->plan->in_lanes ? SRS_SWEEP_LANES : 1, &run);
  if (n > 0) run_and_hand_in(b, run, n);
}

static srs_status write_and_deal(board *b, srs_error *error)
{
  srs_status status = SRS_OK;
  for (int rests = 0; !is_complete(b);) {
    const bool was_busy = b->n_ranks_left > 0 && serve_ranks(b);
    if (write_rows(b, &status, error) > 0 || was_busy) continue;
    if (rests++ < LONGEST_WAIT || atomic_load(&b->has_help))
      usleep(REST);
    else
      help(b);
  }
  write_rows(b, &status, error);
  if (status == SRS_OK) status = srs_rows_file_flush(b->file, error);
  if (b->is_shown) fputs("\r\033[K", stderr);
  return status;
}

// Another rank: asks for runs until there are none.
static void compute_for_others(const srs_sweep_plan *plan, int n_threads, srs_sweep_row *rows)
{
  const int side = plan->in_lanes ? SRS_SWEEP_LANES : 1; // runs at a time
  int n = 0, most = n_threads * RANK_CHUNK_PER_THREAD;
  if (most > SRS_RANKS_CHUNK) most = SRS_RANKS_CHUNK;
  long first = 0;
  for (;;) {
    srs_ranks_ask(rows, n, most, &first, &n);
    if (n == 0) return;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1)
    for (int i = 0; i < n; i += side) srs_sweep_runs(plan, first + i, n - i < side ? n - i : side, &rows[i]);
  }
}

static srs_status run_board(board *b, int n_threads, srs_error *error)
{
  srs_status status = SRS_OK;
#pragma omp parallel for num_threads(n_threads + 1) schedule(static, 1)
  for (int i = 0; i <= n_threads; i++) {
    if (i == 0)
      status = write_and_deal(b, error);
    else
      compute(b);
  }
  return status;
}

int srs_sweep_processors(void)
{
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

srs_status srs_sweep_schedule(const srs_command *command, const srs_sweep_plan *plan, int n_threads, long end,
                              srs_rows_file *file, bool *was_interrupted, srs_error *error)
{
  static board b; // large, and there is one sweep in a process
  int rank, n_ranks;
  srs_ranks_count(&rank, &n_ranks);
  srs_sweep_row *received = calloc(SRS_RANKS_CHUNK, sizeof *received);
  srs_sweep_row *rows = rank == 0 ? calloc(WINDOW, sizeof *rows) : NULL;
  atomic_bool *is_done = calloc(WINDOW, sizeof *is_done);
  srs_status status = SRS_OK;
  if (received == NULL || is_done == NULL || (rank == 0 && rows == NULL)) {
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for the rows");
  } else if (rank > 0) {
    compute_for_others(plan, n_threads, received);
  } else {
    const long long now = srs_clock();
    b = (board){.command = command, .plan = plan, .file = file, .first = file->n_rows, .end = end};
    b.rows = rows, b.received = received, b.is_done = is_done;
    b.start = b.flushed = now;
    b.n_ranks_left = n_ranks - 1;
    atomic_store(&b.next, file->n_rows);
    atomic_store(&b.written, file->n_rows);
    srs_interrupt before;
    srs_interrupt_catch(&before);
    status = run_board(&b, n_threads, error);
    srs_interrupt_release(&before);
    *was_interrupted = status == SRS_OK && atomic_load(&b.written) < end;
  }
  free(received), free(rows), free(is_done);
  return status;
}
