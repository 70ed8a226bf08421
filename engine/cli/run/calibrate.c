// How long does a counted multiplication of a contact problem take on this machine?
//
// W = J J^T and b = J v of c contacts with d velocities, J drawn by lot, but for every second contact's normal, which
// is the opposite of the one before, and for b, which is negative in normals: no velocities satisfy both. So the search
// goes through all of its stages until its work is used up. Time over work depends on the size: the worst counts, with
// a margin (tests/bench/bench_bounded.c: 0.2 to 0.9 ns where most of these take 0.25).
#include "engine/cli/run/calibrate.h"

#include "engine/cli/shared/step_times.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_CONTACTS = 40, MOST_ROWS = 3 * MOST_CONTACTS, MOST_VELOCITIES = 60, TIMES = 2 };
static const double least_work = 1e5, most_work = 1e7; // of each
static const double margin = 5;                        // problems of other sizes and kinds take up to so much longer

typedef struct problem {
  double J[MOST_ROWS][MOST_VELOCITIES], W[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], friction[MOST_CONTACTS];
  double value[MOST_ROWS * MOST_ROWS], impulse[MOST_ROWS];
  int first[MOST_CONTACTS + 1], start[MOST_CONTACTS + 1], column[MOST_CONTACTS * MOST_CONTACTS];
  size_t begin[MOST_CONTACTS + 1];
} problem;

// -1 … 1
static double draw(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-52 - 1;
}

static srs_contact_problem make(problem *p, int n_contacts, int n_velocities)
{
  const int n = 3 * n_contacts;
  uint64_t state = 1;
  for (int i = 0; i < n; i++) {
    const int contact = i / 3;
    const bool is_normal = i % 3 == 0, is_opposed = is_normal && contact % 2 == 1;
    for (int k = 0; k < n_velocities; k++) p->J[i][k] = is_opposed ? -p->J[i - 3][k] : draw(&state);
    p->b[i] = is_normal ? -1 : draw(&state);
    p->friction[contact] = 0.5;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n_velocities; k++) sum += p->J[i][k] * p->J[j][k];
      p->W[i * n + j] = sum;
    }
  return (srs_contact_problem){.n_contacts = n_contacts, .W = p->W, .b = p->b, .friction = p->friction};
}

// The same by blocks, all neighbours of each other.
static srs_contact_blocks by_blocks(problem *p, int n_contacts)
{
  const size_t count = (size_t)n_contacts, n = 3 * count;
  for (size_t i = 0; i <= count; i++) {
    p->first[i] = (int)(3 * i), p->start[i] = (int)(i * count);
    p->begin[i] = 3 * i * n;
    for (size_t j = 0; i < count && j < count; j++) p->column[i * count + j] = (int)j;
  }
  for (size_t i = 0; i < n * n; i++) p->value[i] = p->W[i];
  return (srs_contact_blocks){.n_block_rows = n_contacts,
                              .first = p->first,
                              .start = p->start,
                              .column = p->column,
                              .begin = p->begin,
                              .value = p->value};
}

// The least of a few: what else the machine does is not meant.
static double time_of(srs_contact_solver *solver, const srs_contact_problem *contacts,
                      const srs_contact_options *options, double *impulse)
{
  double least = INFINITY;
  for (int i = 0; i < TIMES; i++) {
    srs_contact_report report;
    const long long begin = srs_cpu_clock();
    if (srs_contact_solve(solver, contacts, options, false, impulse, NULL, &report) != SRS_OK) return 0;
    least = fmin(least, 1e-9 * (double)(srs_cpu_clock() - begin) / report.most_work);
  }
  return least;
}

static double worst_time(srs_contact_solver *solver, problem *p, const srs_contact_options *given)
{
  static const int contacts[] = {2, 8, MOST_CONTACTS}, velocities[] = {6, 12, MOST_VELOCITIES};
  srs_contact_options options = *given;
  double worst = 0;
  options.most_work = fmax(least_work, fmin(given->most_work, most_work)); // near a small bound other things count more
  options.last_stage = SRS_STAGE_SOFTENED;
  for (int k = 0; k < 3; k++) {
    srs_contact_problem whole = make(p, contacts[k], velocities[k]);
    worst = fmax(worst, time_of(solver, &whole, &options, p->impulse));
    const srs_contact_blocks blocks = by_blocks(p, contacts[k]);
    const srs_contact_sizes sizes = {.n_rows = 3 * contacts[k],
                                     .n_block_rows = contacts[k],
                                     .n_blocks = (size_t)blocks.start[contacts[k]],
                                     .n_values = blocks.begin[contacts[k]],
                                     .n_directions = options.n_directions};
    if (srs_contact_solver_reserve_blocks(solver, &sizes, NULL) != SRS_OK) continue;
    whole.W = NULL, whole.blocks = &blocks;
    worst = fmax(worst, time_of(solver, &whole, &options, p->impulse));
  }
  return worst;
}

double srs_calibrate(const srs_contact_options *options)
{
  problem *p = malloc(sizeof *p);
  srs_contact_solver *solver = NULL;
  double worst = 0;
  if (p != NULL && srs_contact_solver_create(0, &solver, NULL) == SRS_OK &&
      srs_contact_solver_reserve_directions(solver, MOST_ROWS, options->n_directions, NULL) == SRS_OK)
    worst = worst_time(solver, p, options);
  srs_contact_solver_destroy(solver);
  free(p);
  return margin * worst;
}
