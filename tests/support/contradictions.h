// Contact problems without an answer, drawn by lot.
//
// Velocities w = J v + c have to satisfy w_i >= 0 in some rows, while a combination sum y_i J_i of these rows, y_i > 0,
// and of bilateral ones is zero and sum y_i c_i < 0. Opposed contacts are the case of two rows, y = (1, 1).
#pragma once
#include "support/testing.h"
#include <sarrus/contact.h>

#include <math.h>
#include <string.h>

enum { MOST_CONTACTS = 8, MOST_ROWS = 48, MOST_COORDINATES = 24 };

typedef struct drawn {
  srs_contact_problem problem;
  int n, n_coordinates;
  double J[MOST_ROWS][MOST_COORDINATES], inverse[MOST_COORDINATES];
  double W[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], friction[MOST_CONTACTS], anisotropy[3 * MOST_CONTACTS];
  double lower[2], upper[2];
  unsigned char tangents[MOST_CONTACTS];
} drawn;

// The row of a contact's normal, or of a unilateral row where there are no contacts so many.
static inline int one_sided(const drawn *d, int number)
{
  int row = d->problem.n_bilateral;
  for (int c = 0; c < number && c < d->problem.n_contacts; c++) row += 1 + d->tangents[c];
  return number < d->problem.n_contacts ? row : row + number - d->problem.n_contacts;
}

// The last one-sided row contradicts some others. By how much rows miss each other: nothing, or rounding.
static inline void contradict(testing_random *random, drawn *d)
{
  const int n_sided = d->problem.n_contacts + d->problem.n_unilateral;
  const int last = one_sided(d, n_sided - 1), n_others = 1 + testing_below(random, n_sided < 4 ? n_sided - 1 : 3);
  const double miss = testing_below(random, 2) == 0 ? 0 : pow(10, testing_uniform(random, -17, -13));
  double sum = 0, row[MOST_COORDINATES] = {0};
  for (int k = 0; k < n_others + d->problem.n_bilateral; k++) {
    const bool is_sided = k < n_others;
    const int other = is_sided ? one_sided(d, testing_below(random, n_sided - 1)) : k - n_others;
    const double y = n_others == 1 ? 1 : is_sided ? testing_uniform(random, 0.2, 2) : testing_uniform(random, -1, 1);
    if (!is_sided && testing_below(random, 2) == 0) continue;
    for (int j = 0; j < d->n_coordinates; j++) row[j] -= y * d->J[other][j];
    sum += y * d->b[other];
  }
  for (int j = 0; j < d->n_coordinates; j++) d->J[last][j] = row[j] + miss * testing_uniform(random, -1, 1);
  d->b[last] = -sum - testing_uniform(random, 0.1, 2);
}

static inline void draw_contradiction(testing_random *random, drawn *d)
{
  memset(d, 0, sizeof *d);
  srs_contact_problem *p = &d->problem;
  p->n_bilateral = testing_below(random, 3), p->n_box = testing_below(random, 3);
  p->n_contacts = testing_below(random, MOST_CONTACTS + 1);
  p->n_unilateral = (p->n_contacts < 2 ? 2 : 0) + testing_below(random, 3);
  d->n = p->n_bilateral + p->n_unilateral + p->n_box;
  const int kind = testing_below(random, 3); // without tangents, with two, with any number
  for (int c = 0; c < p->n_contacts; c++) {
    d->tangents[c] = (unsigned char)(kind == 0 ? 0 : kind == 1 ? 2 : testing_below(random, 4));
    d->friction[c] = testing_below(random, 4) == 0 ? 0 : pow(10, testing_uniform(random, -2, 1));
    for (int k = 0; k < 3; k++) d->anisotropy[3 * c + k] = pow(10, testing_uniform(random, -0.5, 0.5));
    d->n += 1 + d->tangents[c];
  }
  d->n_coordinates = p->n_bilateral + 1 + testing_below(random, MOST_COORDINATES - 3);
  const double orders = testing_below(random, 2) == 0 ? 0 : testing_uniform(random, 0, 6);
  for (int j = 0; j < d->n_coordinates; j++) d->inverse[j] = pow(10, testing_uniform(random, -orders / 2, orders / 2));
  for (int i = 0; i < d->n; i++) {
    for (int j = 0; j < d->n_coordinates; j++) d->J[i][j] = testing_uniform(random, -1, 1);
    d->b[i] = testing_uniform(random, -1, 1);
  }
  for (int i = 0; i < p->n_box; i++) d->upper[i] = testing_uniform(random, 0, 1), d->lower[i] = -d->upper[i];
  contradict(random, d);
  for (int i = 0; i < d->n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < d->n_coordinates; k++) sum += d->J[i][k] * d->inverse[k] * d->J[j][k];
      d->W[i * d->n + j] = d->W[j * d->n + i] = sum;
    }
  p->W = d->W, p->b = d->b, p->friction = d->friction, p->tangents = d->tangents;
  p->box_lower = d->lower, p->box_upper = d->upper;
  if (kind == 2) p->anisotropy = d->anisotropy;
}
