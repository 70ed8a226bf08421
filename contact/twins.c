// Which contacts stand there more than once?
//
// A collision detector may hand over the same point many times. Only the sum of such contacts' impulses matters; with x
// an answer for one of them, x / k for each of k copies is one too (the cone is convex, and copies slide alike). So
// copies are solved as one contact: smaller, and one reason less for W to be singular.
#include "contact/twins.h"

#include <string.h>

static bool is_twin(const srs_contact_problem *p, int one, int other)
{
  const size_t n = (size_t)srs_contact_problem_rows(p);
  const size_t contacts = (size_t)p->n_bilateral, i = contacts + 3 * (size_t)one, j = contacts + 3 * (size_t)other;
  if (p->b[i] != p->b[j] || p->b[i + 1] != p->b[j + 1] || p->b[i + 2] != p->b[j + 2]) return false;
  if (p->friction[one] != p->friction[other] || p->W[i * n + i] != p->W[j * n + j]) return false;
  for (size_t r = 0; r < 3; r++)
    for (size_t k = 0; k < n; k++)
      if (p->W[(i + r) * n + k] != p->W[(j + r) * n + k] || p->W[k * n + i + r] != p->W[k * n + j + r]) return false;
  return true;
}

bool srs_twins_find(const srs_contact_problem *p, srs_twins *twins)
{
  bool any = false;
  for (int c = 0; c < p->n_contacts; c++) twins->place[c] = -1;
  twins->n_contacts = 0;
  for (int c = 0; c < p->n_contacts; c++) {
    if (twins->place[c] >= 0) continue;
    const int place = twins->place[c] = twins->n_contacts++;
    twins->count[place] = 1;
    for (int d = c + 1; d < p->n_contacts; d++) {
      if (twins->place[d] >= 0 || !is_twin(p, c, d)) continue;
      twins->place[d] = place;
      twins->count[place]++;
      any = true;
    }
  }
  return any;
}

// The row of the merged problem that a row of the problem is in.
static size_t row_there(const srs_contact_problem *p, const srs_twins *twins, int i)
{
  const int contacts = p->n_bilateral, scalars = contacts + 3 * p->n_contacts;
  if (i < contacts) return (size_t)i;
  if (i >= scalars) return (size_t)(i - 3 * (p->n_contacts - twins->n_contacts));
  return (size_t)contacts + 3 * (size_t)twins->place[(i - contacts) / 3] + (size_t)((i - contacts) % 3);
}

srs_contact_problem srs_twins_merge(const srs_contact_problem *p, srs_twins *twins)
{
  const int n = srs_contact_problem_rows(p);
  const size_t merged = (size_t)(n - 3 * (p->n_contacts - twins->n_contacts));
  for (int i = 0; i < n; i++) { // copies write the same numbers
    const size_t row = row_there(p, twins, i);
    twins->b[row] = p->b[i];
    for (int j = 0; j < n; j++)
      twins->W[row * merged + row_there(p, twins, j)] = p->W[(size_t)i * (size_t)n + (size_t)j];
  }
  for (int c = 0; c < p->n_contacts; c++) twins->friction[twins->place[c]] = p->friction[c];
  srs_contact_problem without = *p;
  without.n_contacts = twins->n_contacts;
  without.W = twins->W, without.b = twins->b, without.friction = twins->friction;
  return without;
}

void srs_twins_gather(const srs_contact_problem *p, const srs_twins *twins, const double *impulse)
{
  const int n = srs_contact_problem_rows(p);
  memset(twins->impulse, 0, sizeof *impulse * (size_t)(n - 3 * (p->n_contacts - twins->n_contacts)));
  for (int i = 0; i < n; i++) twins->impulse[row_there(p, twins, i)] += impulse[i];
}

void srs_twins_spread(const srs_contact_problem *p, const srs_twins *twins, double *impulse)
{
  const int n = srs_contact_problem_rows(p), contacts = p->n_bilateral, scalars = contacts + 3 * p->n_contacts;
  for (int i = 0; i < n; i++) {
    const bool is_contact = i >= contacts && i < scalars;
    const double share = is_contact ? twins->count[twins->place[(i - contacts) / 3]] : 1;
    impulse[i] = twins->impulse[row_there(p, twins, i)] / share;
  }
}
