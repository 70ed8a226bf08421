// Which contacts are duplicates?
//
// A collision detector may report the same point many times. Only the sum of such contacts' impulses matters: if x
// solves one of them, x / k for each of k duplicates is a solution too (the cone is convex, and duplicates slide
// alike). So duplicates are solved as one contact: the problem is smaller, and W has one reason less to be singular.
// Their rows of W come from different sums and may differ by rounding; the certificate shows whether that matters.
#include "contact/problem/duplicates.h"
#include "contact/problem/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double rounding = 32 * DBL_EPSILON;

// Of W's entries in row i and another row's; own, others: W_ii and W_kk, the scale of the comparison.
static bool is_same(double one, double other, double own, double others)
{
  const double difference = one - other;
  return difference == 0 || difference * difference <= rounding * rounding * fabs(own * others);
}

// Contacts one and other, whose rows begin at i and j.
static bool is_duplicate(const srs_contact_problem *p, size_t n, int one, int other, size_t i, size_t j)
{
  const size_t rows = 1 + (size_t)srs_contact_tangents(p, one);
  const double between = p->W[i * n + j], own_normal = p->W[i * (n + 1)];
  if (!is_same(own_normal, between, own_normal, own_normal)) return false; // the usual case
  if (p->friction[one] != p->friction[other]) return false;
  if (srs_contact_tangents(p, one) != srs_contact_tangents(p, other)) return false;
  for (int k = 0; k + 1 < (int)rows; k++)
    if (srs_contact_anisotropy(p, one, k) != srs_contact_anisotropy(p, other, k)) return false;
  for (size_t r = 0; r < rows; r++) {
    const double own = p->W[(i + r) * (n + 1)];
    if (p->b[i + r] != p->b[j + r]) return false;
    for (size_t k = 0; k < n; k++) {
      const double others = p->W[k * (n + 1)];
      if (!is_same(p->W[(i + r) * n + k], p->W[(j + r) * n + k], own, others) ||
          !is_same(p->W[k * n + i + r], p->W[k * n + j + r], own, others))
        return false;
    }
  }
  return true;
}

bool srs_duplicates_find(const srs_contact_problem *p, srs_duplicates *duplicates)
{
  const size_t n = (size_t)srs_contact_problem_rows(p);
  bool any = false;
  for (int c = 0; c < p->n_contacts; c++) duplicates->place[c] = -1;
  duplicates->n_contacts = 0;
  size_t i = (size_t)p->n_bilateral;
  for (int c = 0; c < p->n_contacts; i += 1 + (size_t)srs_contact_tangents(p, c++)) {
    if (duplicates->place[c] >= 0) continue;
    const int place = duplicates->place[c] = duplicates->n_contacts++;
    duplicates->count[place] = 1;
    size_t j = i + 1 + (size_t)srs_contact_tangents(p, c);
    for (int d = c + 1; d < p->n_contacts; j += 1 + (size_t)srs_contact_tangents(p, d++)) {
      if (p->b[i] != p->b[j] || duplicates->place[d] >= 0 || !is_duplicate(p, n, c, d, i, j)) continue;
      duplicates->place[d] = place;
      duplicates->count[place]++;
      any = true;
    }
  }
  return any;
}

// The row of the merged problem for each row.
static void find_rows(const srs_contact_problem *p, srs_duplicates *duplicates)
{
  const int n = srs_contact_problem_rows(p);
  int row = 0, seen = 0;
  for (; row < p->n_bilateral; row++) duplicates->row[row] = row;
  duplicates->n = row;
  for (int c = 0; c < p->n_contacts; c++) {
    const int d = srs_contact_tangents(p, c), place = duplicates->place[c];
    int to = duplicates->n;
    if (place == seen) { // the first of its duplicates
      seen++;
      duplicates->n += 1 + d;
    } else { // after the first
      int duplicate = 0;
      for (to = p->n_bilateral; duplicates->place[duplicate] != place; duplicate++)
        to += 1 + srs_contact_tangents(p, duplicate);
      to = duplicates->row[to];
    }
    for (int k = 0; k <= d; k++) duplicates->row[row++] = to + k;
  }
  while (row < n) duplicates->row[row++] = duplicates->n++;
}

srs_contact_problem srs_duplicates_merge(const srs_contact_problem *p, srs_duplicates *duplicates)
{
  const int n = srs_contact_problem_rows(p);
  find_rows(p, duplicates);
  // Duplicates write the same numbers up to rounding: the last stay, in rows and columns alike.
  for (int i = 0; i < n; i++) {
    const size_t row = (size_t)duplicates->row[i];
    duplicates->b[row] = p->b[i];
    for (int j = 0; j < n; j++)
      duplicates->W[row * (size_t)duplicates->n + (size_t)duplicates->row[j]] = p->W[(size_t)i * (size_t)n + (size_t)j];
  }
  for (int c = 0; c < p->n_contacts; c++) {
    const size_t place = (size_t)duplicates->place[c];
    duplicates->friction[place] = p->friction[c];
    duplicates->tangents[place] = (unsigned char)srs_contact_tangents(p, c);
    for (int k = 0; k < srs_contact_tangents(p, c) && k < 3; k++)
      duplicates->anisotropy[3 * place + (size_t)k] = srs_contact_anisotropy(p, c, k);
    duplicates->rolling[place] = srs_contact_anisotropy(p, c, 3);
  }
  srs_contact_problem without = *p;
  without.n_contacts = duplicates->n_contacts;
  without.W = duplicates->W, without.b = duplicates->b, without.friction = duplicates->friction;
  if (p->tangents != NULL) without.tangents = duplicates->tangents;
  if (p->anisotropy != NULL) without.anisotropy = duplicates->anisotropy;
  if (p->rolling != NULL) without.rolling = duplicates->rolling;
  return without;
}

void srs_duplicates_gather(const srs_contact_problem *p, const srs_duplicates *duplicates, const double *impulse)
{
  const int n = srs_contact_problem_rows(p);
  memset(duplicates->impulse, 0, sizeof *impulse * (size_t)duplicates->n);
  for (int i = 0; i < n; i++) duplicates->impulse[duplicates->row[i]] += impulse[i];
}

void srs_duplicates_spread(const srs_contact_problem *p, const srs_duplicates *duplicates, double *impulse)
{
  const int n = srs_contact_problem_rows(p);
  int i = 0;
  for (; i < p->n_bilateral; i++) impulse[i] = duplicates->impulse[duplicates->row[i]];
  for (int c = 0; c < p->n_contacts; c++) {
    const double share = duplicates->count[duplicates->place[c]];
    for (int k = 0; k <= srs_contact_tangents(p, c); k++, i++)
      impulse[i] = duplicates->impulse[duplicates->row[i]] / share;
  }
  for (; i < n; i++) impulse[i] = duplicates->impulse[duplicates->row[i]];
}
