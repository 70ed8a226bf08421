// A progress line that is redrawn in place: a bar, the simulated time, the speed relative to real time, the time left.
#include "engine/cli/run/progress.h"

#include "engine/cli/shared/step_times.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, CALLS_PER_LOOK = 8 };

static const long long before_first = 1000000000, between = 100000000; // ns

srs_progress srs_progress_start(bool is_quiet)
{
  srs_progress progress = {.is_on = !is_quiet && isatty(STDERR_FILENO) == 1};
  if (progress.is_on) progress.start = srs_clock();
  return progress;
}

static void draw(double part, double sim_time, double elapsed)
{
  char bar[BAR_WIDTH + 1];
  const int filled = (int)(part * BAR_WIDTH);
  for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < filled ? '=' : ' ';
  bar[BAR_WIDTH] = '\0';
  const double left = part > 0 ? elapsed * (1 - part) / part : 0;
  fprintf(stderr, "\r[%s] %3d %%  t = %.3f s  %.3g x real time  %.0f s left \033[K", bar, (int)(100 * part), sim_time,
          sim_time / elapsed, left);
  fflush(stderr);
}

void srs_progress_show(srs_progress *progress, double part, double sim_time)
{
  if (!progress->is_on || ++progress->calls % CALLS_PER_LOOK != 0) return;
  const long long now = srs_clock();
  if (now - progress->start < before_first || now - progress->drawn < between) return;
  progress->drawn = now;
  progress->is_shown = true;
  draw(part, sim_time, (double)(now - progress->start) * 1e-9);
}

void srs_progress_end(srs_progress *progress)
{
  if (progress->is_shown) fputs("\r\033[K", stderr);
  progress->is_shown = false;
}
