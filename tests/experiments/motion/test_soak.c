// Every sample scene runs on, far beyond its duration: no number becomes NaN, no contact problem is left unsolved
// without being counted, and no memory is taken beyond the first steps.
//
// A tenth of a second of processor time for each. SARRUS_SOAK_STEPS is the number of steps of all together (1e8 with
// --long, some 6 minutes): they are shared so that each scene takes about the same time, by how many it made in its
// tenth of a second. How many that is for each depends on the machine, and is printed; nothing that is asserted does.
#include "support/sims.h"

#include <dirent.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_STEPS = 1000, BLOCK = 100, JUDGED = 101, MOST_SAMPLES = 64 }; // every JUDGED-th problem is judged

typedef struct watch {
  long n, judged, unflagged;
  double tolerance, worst;
} watch;

// A problem that was reported solved is solved, says the judge, who shares nothing with the solver. Scaled residuals
// are those of rounding at 1e-9 where a solver's tolerance is smaller.
static void judge(void *context, const srs_contact_problem *problem, const double *impulse,
                  const srs_contact_report *report)
{
  watch *w = context;
  if (++w->n % JUDGED != 1) return;
  w->judged++;
  if (!isfinite(report->residual)) w->unflagged++;
  for (int i = 0; i < srs_contact_problem_rows(problem); i++)
    if (!isfinite(impulse[i])) w->unflagged++;
  if (report->status != SRS_CONTACT_SOLVED) return;
  srs_contact_judgement judgement;
  const srs_contact_claim claim = {.impulse = impulse};
  if (srs_contact_judge(problem, &claim, &judgement, NULL) != SRS_OK) {
    w->unflagged++;
    return;
  }
  const double excess = fabs(judgement.exact_residual - report->exact_residual);
  w->worst = fmax(w->worst, excess);
  if (excess > 1e-9) w->unflagged++;
}

static double processor_time(void)
{
  struct timespec now;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static size_t bytes_in_use(void) { return mallinfo2().uordblks + mallinfo2().hblkhd; }

static void assert_finite(const srs_sim *sim)
{
  const srs_model *m = srs_sim_model(sim);
  for (int i = 0; i < srs_model_nq(m); i++) assert_true(isfinite(srs_sim_q(sim)[i]));
  for (int i = 0; i < srs_model_nv(m); i++) assert_true(isfinite(srs_sim_v(sim)[i]));
}

// Runs one scene for so many seconds and so many steps at least.  @return steps
static long soak(const char *path, double seconds, double at_least)
{
  srs_scene *scene = scene_of_file(path);
  srs_sim *sim = sim_of_scene(scene, NULL);
  watch w = {0};
  srs_sim_watch_contacts(sim, judge, &w);
  const double begun = processor_time();
  size_t first = 0;
  while ((double)srs_sim_steps(sim) < fmax(BLOCK, at_least) || processor_time() - begun < seconds) {
    step(sim, BLOCK);
    assert_finite(sim);
    if (srs_sim_steps(sim) == FIRST_STEPS) first = bytes_in_use();
  }
  const srs_sim_statistics *s = srs_sim_get_statistics(sim);
  const size_t last = bytes_in_use();
  const long growths = s->growths, steps = srs_sim_steps(sim);
  print_message("%-24s %9ld steps, %ld problems judged, residuals off by at most %.1e, %ld counted as unsolved\n",
                strrchr(path, '/') + 1, steps, w.judged, w.worst, s->failures);
  assert_int_equal(w.unflagged, 0);
  if (first > 0 && growths == 0) assert_true(last <= first); // contacts may grow by design
  assert_true(s->failures > 0 || !(s->failure_residual_max > 0));
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  return steps;
}

static int is_scene(const struct dirent *entry)
{
  const char *ending = strrchr(entry->d_name, '.');
  return ending != NULL && strcmp(ending, ".yaml") == 0;
}

static void samples_run_on_without_loss(void **state)
{
  (void)state;
  const char *given = getenv("SARRUS_SOAK_STEPS");
  const double wanted = given != NULL ? strtod(given, NULL) : 0;
  struct dirent **entries = NULL;
  long steps[MOST_SAMPLES], first = 0, all = 0;
  const int n = scandir(testing_source("samples"), &entries, is_scene, alphasort);
  assert_in_range(n, 21, MOST_SAMPLES);
  char path[MOST_SAMPLES][300];
  for (int i = 0; i < n; i++) {
    snprintf(path[i], sizeof path[i], "samples/%.200s", entries[i]->d_name);
    first += steps[i] = soak(testing_source(path[i]), 0.1, 0);
    free(entries[i]);
  }
  free(entries);
  print_message("%ld steps in all\n", first);
  for (int i = 0; wanted > 0 && i < n; i++)
    all += soak(testing_source(path[i]), 0, ceil(wanted * (double)steps[i] / (double)first));
  if (wanted > 0) print_message("%ld steps in all\n", all);
  assert_true((double)all >= wanted && (given == NULL || wanted > 0));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(samples_run_on_without_loss)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
