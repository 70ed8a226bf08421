// Comparing contact solvers on one scene. All sims advance side by side, each in turn by a burst of steps: each is
// timed with warm caches, a drifting clock affects all alike, and only the bursts have to be kept. Distances are taken
// after every step:
//
//   d(t) = max_i | difference(q_solver(t), q_first(t))_i |
#include "engine/cli/run/compare.h"

#include "engine/cli/run/endings.h"
#include "engine/cli/run/progress.h"
#include "engine/cli/run/simulate.h"
#include "engine/cli/shared/messages.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BURST = 64 };
static const long long longest_burst = 100000000; // ns, of all sims together: Ctrl-C waits no longer, or one step

const double srs_compare_levels[SRS_COMPARE_LEVELS] = {1e-9, 1e-6, 1e-3};

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

bool srs_comparison_prepare(srs_comparison *c)
{
  static const double parts[SRS_COMPARE_SAMPLES] = {0.05, 0.1, 0.2, 0.5, 1};
  const srs_model *model = srs_sim_model(c->contender[0].sim);
  const size_t nq = (size_t)srs_model_nq(model), nv = (size_t)srs_model_nv(model);
  const size_t each = BURST * (nq + 2); // a long is as large as a double
  c->memory = calloc((size_t)c->n * each + nv + 1, sizeof *c->memory);
  if (c->memory == NULL) return false;
  for (int i = 0; i < SRS_COMPARE_SAMPLES; i++) c->sample_step[i] = lround(parts[i] * (double)c->n_steps);
  double *at = c->memory + nv + 1;
  for (int i = 0; i < c->n; i++, at += each) {
    srs_contender *one = &c->contender[i];
    one->trace = (srs_trace){0, at, (long *)(at + BURST * nq), at + BURST * (nq + 1)};
    for (int k = 0; k < SRS_COMPARE_SAMPLES; k++) one->difference[k] = c->sample_step[k] == 0 ? 0 : NAN;
    for (int k = 0; k < SRS_COMPARE_LEVELS; k++) one->exceeds[k] = NAN;
  }
  return true;
}

void srs_comparison_free(srs_comparison *c)
{
  for (int i = 0; i < c->n; i++) {
    srs_input_destroy(c->contender[i].input);
    srs_sim_destroy(c->contender[i].sim);
  }
  free(c->memory);
  c->memory = NULL;
  c->n = 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps
// ---------------------------------------------------------------------------------------------------------------------

static void take_burst(srs_contender *one, int n)
{
  const size_t nq = (size_t)srs_model_nq(srs_sim_model(one->sim));
  const srs_sim_statistics *statistics = srs_sim_get_statistics(one->sim);
  srs_trace *trace = &one->trace;
  trace->n = 0;
  if (one->has_stopped) return;
  const long long start = srs_clock(), cpu_start = srs_cpu_clock();
  for (; trace->n < n; trace->n++) {
    srs_status status = one->input != NULL ? srs_input_apply(one->input, one->sim, &one->stop) : SRS_OK;
    if (status == SRS_OK) status = srs_sim_step(one->sim, 1, &one->stop);
    one->has_stopped = status != SRS_OK;
    if (one->has_stopped) break;
    memcpy(trace->q + nq * (size_t)trace->n, srs_sim_q(one->sim), nq * sizeof *trace->q);
    trace->iterations[trace->n] = statistics->iterations;
    trace->residual[trace->n] = statistics->residual_last;
  }
  one->wall_time += (double)(srs_clock() - start) / 1e9;
  one->cpu_time += (double)(srs_cpu_clock() - cpu_start) / 1e9;
}

// Distance of contender i from the first after a burst's step k, NAN where one of both did not take it.
static double distance(const srs_comparison *c, int i, int k)
{
  const srs_contender *first = &c->contender[0], *one = &c->contender[i];
  const srs_model *model = srs_sim_model(first->sim);
  const size_t at = (size_t)k * (size_t)srs_model_nq(model);
  if (k >= first->trace.n || k >= one->trace.n) return NAN;
  if (i == 0) return 0;
  double largest = 0;
  srs_difference(model, one->trace.q + at, first->trace.q + at, c->memory);
  for (int j = 0; j < srs_model_nv(model); j++) largest = fmax(largest, fabs(c->memory[j]));
  return largest;
}

static void keep_distance(const srs_comparison *c, srs_contender *one, long step, double d)
{
  const double time = (double)step * srs_sim_get_options(one->sim)->dt;
  if (isnan(d)) return;
  one->difference_max = fmax(one->difference_max, d);
  for (int k = 0; k < SRS_COMPARE_SAMPLES; k++)
    if (step == c->sample_step[k]) one->difference[k] = d;
  for (int k = 0; k < SRS_COMPARE_LEVELS; k++)
    if (isnan(one->exceeds[k]) && d > srs_compare_levels[k]) one->exceeds[k] = time;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

static void write_header(const srs_comparison *c, FILE *file)
{
  fputs("time", file);
  for (int i = 0; i < c->n; i++) {
    const char *label = c->contender[i].choice.label;
    fprintf(file, ",difference:%s,iterations:%s,residual:%s", label, label, label);
  }
  fputc('\n', file);
}

static void write_cell(FILE *file, bool is_there, double value)
{
  char text[32] = "";
  if (is_there) srs_format_number(value, text);
  fprintf(file, ",%s", text);
}

// The row after a burst's step k. Iterations and residuals are of the steps since the last row.
static void write_row(srs_comparison *c, FILE *file, double time, int k, const double *differences)
{
  char text[32];
  srs_format_number(time, text);
  fputs(text, file);
  for (int i = 0; i < c->n; i++) {
    srs_contender *one = &c->contender[i];
    const bool is_there = k < one->trace.n;
    write_cell(file, !isnan(differences[i]), differences[i]);
    fputc(',', file);
    if (is_there) fprintf(file, "%ld", one->trace.iterations[k] - one->iterations_reported);
    write_cell(file, is_there, one->residual_worst);
    one->residual_worst = 0;
    if (is_there) one->iterations_reported = one->trace.iterations[k];
  }
  fputc('\n', file);
  c->n_rows++;
}

static void write_start(srs_comparison *c, FILE *file)
{
  write_header(c, file);
  fputc('0', file);
  for (int i = 0; i < c->n; i++) fputs(",0,0,0", file);
  fputc('\n', file);
  c->n_rows++;
}

// ---------------------------------------------------------------------------------------------------------------------
// The run
// ---------------------------------------------------------------------------------------------------------------------

static void look_back(srs_comparison *c, FILE *file, int n)
{
  const double dt = srs_sim_get_options(c->contender[0].sim)->dt;
  double differences[SRS_COMPARE_MOST];
  for (int k = 0; k < n; k++) {
    const long step = c->steps_done + k + 1;
    for (int i = 0; i < c->n; i++) {
      srs_contender *one = &c->contender[i];
      differences[i] = distance(c, i, k);
      keep_distance(c, one, step, differences[i]);
      if (k < one->trace.n) one->residual_worst = fmax(one->residual_worst, one->trace.residual[k]);
    }
    if (file != NULL && step % c->every == 0) write_row(c, file, (double)step * dt, k, differences);
  }
}

// Returns how many steps the one that came farthest has taken.
static int take_bursts(srs_comparison *c, int n)
{
  int most = 0;
  for (int i = 0; i < c->n; i++) {
    take_burst(&c->contender[i], n);
    if (c->contender[i].trace.n > most) most = c->contender[i].trace.n;
  }
  return most;
}

// Bursts double up to BURST as long as they are short, and halve when they are not.
static int adapt(int burst, long long duration)
{
  if (duration > longest_burst) return burst > 1 ? burst / 2 : 1;
  return duration < longest_burst / 4 && burst < BURST ? 2 * burst : burst;
}

static srs_status run_loop(srs_comparison *c, srs_progress *progress, FILE *file, srs_error *error)
{
  const double dt = srs_sim_get_options(c->contender[0].sim)->dt;
  int longest = 1;
  if (file != NULL) write_start(c, file);
  while (c->steps_done < c->n_steps && !srs_interrupt_came()) {
    const int burst = c->n_steps - c->steps_done < longest ? (int)(c->n_steps - c->steps_done) : longest;
    const long long start = srs_clock();
    const int taken = take_bursts(c, burst);
    longest = adapt(longest, srs_clock() - start);
    look_back(c, file, taken);
    c->steps_done += taken;
    if (file != NULL && (fflush(file) != 0 || ferror(file)))
      return srs_report_fill(error, SRS_ERROR_FILE, "cannot be written: %s", strerror(errno));
    c->whole = file != NULL ? ftell(file) : -1;
    if (taken < burst) break; // all have stopped
    srs_progress_show(progress, (double)c->steps_done / (double)c->n_steps, (double)c->steps_done * dt);
  }
  c->was_interrupted = srs_interrupt_came() && c->steps_done < c->n_steps;
  return SRS_OK;
}

srs_status srs_compare(const srs_command *command, srs_comparison *c, FILE *file, srs_error *error)
{
  srs_status status = srs_total_energy(c->contender[0].sim, &c->energy_start, error);
  if (status != SRS_OK) return status;
  srs_interrupt before;
  srs_interrupt_catch(&before);
  srs_progress progress = srs_progress_start(command->is_quiet);
  status = run_loop(c, &progress, file, error);
  srs_progress_end(&progress);
  srs_interrupt_release(&before);
  for (int i = 0; i < c->n && status == SRS_OK; i++)
    status = srs_total_energy(c->contender[i].sim, &c->contender[i].energy_end, error);
  return status;
}

// What stdio still holds would come behind what is cut off: it is closed first.
srs_status srs_comparison_close(const srs_comparison *c, FILE *file, srs_status status, srs_error *error)
{
  struct stat info;
  if (file == NULL) return status;
  const bool is_file = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
  if (fclose(file) != 0 && status == SRS_OK)
    status = srs_report_fill(error, SRS_ERROR_FILE, "cannot be written: %s", strerror(errno));
  if (status == SRS_ERROR_FILE && is_file && c->whole >= 0 && truncate(c->output, c->whole) != 0)
    return srs_report_fill(error, SRS_ERROR_FILE, "cannot be written, and not be cut to whole rows: %s",
                           strerror(errno));
  return status;
}
