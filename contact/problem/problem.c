// Is it a contact problem, and how large and how is it scaled?
//
// Checks sizes, pointers and numbers, finds what a look over the problem shows (its form), and gives the scales of rows
// and |S b|, in which its certificate is stated.
#include "contact/problem/problem.h"
#include "contact/algebra/lanes.h"
#include "contact/problem/blocks.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// Out of line: the usual case has no such array.
static __attribute__((noinline)) int count_tangents(const unsigned char *tangents, int n_contacts)
{
  int n = 0;
  for (int i = 0; i < n_contacts; i++) n += tangents[i];
  return n;
}

int srs_contact_problem_rows(const srs_contact_problem *p)
{
  const int usual = p->n_bilateral + 3 * p->n_contacts + p->n_unilateral + p->n_box;
  if (p->tangents == NULL) return usual;
  return usual - 2 * p->n_contacts + count_tangents(p->tangents, p->n_contacts);
}

SRS_CONTACT_KERNEL
static bool all_finite(const double *x, size_t n)
{
  srs_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}; // 0 * x is 0 for every finite x
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    s0 += 0 * srs_load(x + i);
    s1 += 0 * srs_load(x + i + 4);
    s2 += 0 * srs_load(x + i + 8);
    s3 += 0 * srs_load(x + i + 12);
  }
  double rest = 0;
  for (; i < n; i++) rest += 0 * x[i];
  return srs_sum((s0 + s1) + (s2 + s3)) + rest == 0;
}

typedef long long srs_answers __attribute__((vector_size(32))); // of four comparisons: -1 where that is so

// How many entries are nonzero; -1 where one is not finite.
SRS_CONTACT_KERNEL
static long long count_entries(const double *x, size_t n)
{
  srs_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  srs_answers n0 = {0}, n1 = {0};
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const srs_lanes x0 = srs_load(x + i), x1 = srs_load(x + i + 4), x2 = srs_load(x + i + 8), x3 = srs_load(x + i + 12);
    s0 += 0 * x0, s1 += 0 * x1, s2 += 0 * x2, s3 += 0 * x3;
    n0 -= (x0 != 0) + (x1 != 0), n1 -= (x2 != 0) + (x3 != 0);
  }
  for (; i + 4 <= n; i += 4) {
    const srs_lanes x0 = srs_load(x + i);
    s0 += 0 * x0;
    n0 -= x0 != 0;
  }
  n0 += n1;
  double rest = 0;
  long long count = n0[0] + n0[1] + n0[2] + n0[3];
  for (; i < n; i++) rest += 0 * x[i], count += fabs(x[i]) > 0;
  return srs_sum((s0 + s1) + (s2 + s3)) + rest == 0 ? count : -1;
}

// How many entries of the contacts' diagonal blocks are nonzero.
SRS_CONTACT_INLINE long long count_in_blocks(int tangents, const srs_contact_problem *problem, size_t n)
{
  long long count = 0;
  const double *block = problem->W;
  for (int c = 0; c < problem->n_contacts; c++) {
    const size_t rows = 1 + (size_t)(tangents >= 0 ? tangents : srs_contact_tangents(problem, c));
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < rows; j++) count += fabs(block[i * n + j]) > 0;
    block += rows * (n + 1);
  }
  return count;
}

// One pass over W. In large problems the first contact usually shows that contacts are coupled.
static srs_status check_matrix(const srs_contact_problem *problem, srs_contact_form *form)
{
  const size_t n = (size_t)form->n;
  const srs_contact_blocks *blocks = problem->blocks;
  if (blocks != NULL)
    return all_finite(blocks->value, blocks->begin[blocks->n_block_rows]) ? SRS_OK : SRS_ERROR_NOT_FINITE;
  bool may_be = problem->n_bilateral + problem->n_unilateral + problem->n_box == 0;
  if (may_be && n > 32) {
    const long long rows = 1 + srs_contact_tangents(problem, 0);
    may_be = count_entries(problem->W, (size_t)rows * n) <= rows * rows;
  }
  if (!may_be) return all_finite(problem->W, n * n) ? SRS_OK : SRS_ERROR_NOT_FINITE;
  const long long count = count_entries(problem->W, n * n);
  if (count < 0) return SRS_ERROR_NOT_FINITE;
  form->is_apart = problem->n_contacts == 1 || count == (form->tangents == 2   ? count_in_blocks(2, problem, n)
                                                         : form->tangents == 1 ? count_in_blocks(1, problem, n)
                                                                               : count_in_blocks(-1, problem, n));
  return SRS_OK;
}

static srs_status check_anisotropy(const srs_contact_problem *problem)
{
  const bool is_round = problem->anisotropy == NULL && problem->rolling == NULL;
  for (int i = 0; !is_round && i < problem->n_contacts; i++)
    for (int k = 0; k < srs_contact_tangents(problem, i); k++) {
      const double e = srs_contact_anisotropy(problem, i, k);
      if (!isfinite(e)) return SRS_ERROR_NOT_FINITE;
      if (!(e > 0)) return SRS_ERROR_ARGUMENT;
    }
  return SRS_OK;
}

static srs_status find_form(const srs_contact_problem *problem, srs_contact_form *form)
{
  form->n = problem->n_bilateral + problem->n_contacts + problem->n_unilateral + problem->n_box;
  form->is_apart = false;
  form->tangents = problem->anisotropy != NULL ? -1 : 2;
  if (problem->tangents == NULL) {
    form->n += 2 * problem->n_contacts;
    return SRS_OK;
  }
  int most = 0, least = SRS_CONTACT_TANGENTS_MOST;
  for (int i = 0; i < problem->n_contacts; i++) {
    const int d = problem->tangents[i];
    form->n += d;
    most = d > most ? d : most, least = d < least ? d : least;
  }
  if (problem->anisotropy == NULL) form->tangents = most == least && most <= 3 ? most : -1;
  return most > (problem->blocks != NULL ? SRS_CONTACT_TANGENTS_BY_BLOCKS : SRS_CONTACT_TANGENTS_MOST)
             ? SRS_ERROR_ARGUMENT
             : SRS_OK;
}

static srs_status check_friction(const srs_contact_problem *problem)
{
  double sum = 0;
  bool is_negative = false;
  for (int i = 0; i < problem->n_contacts; i++) {
    sum += 0 * problem->friction[i];
    is_negative |= problem->friction[i] < 0;
  }
  return sum != 0 ? SRS_ERROR_NOT_FINITE : is_negative ? SRS_ERROR_ARGUMENT : SRS_OK;
}

static srs_status check_bounds(const srs_contact_problem *problem)
{
  for (int i = 0; i < problem->n_box; i++) {
    if (isnan(problem->box_lower[i]) || isnan(problem->box_upper[i])) return SRS_ERROR_NOT_FINITE;
    if (problem->box_lower[i] > 0 || problem->box_upper[i] < 0) return SRS_ERROR_ARGUMENT;
  }
  return SRS_OK;
}

srs_status srs_contact_problem_check(const srs_contact_problem *problem, srs_contact_form *form)
{
  const int most = 1 << 20; // of rows of each kind, so that no size overflows
  if (problem->n_bilateral < 0 || problem->n_contacts < 0 || problem->n_unilateral < 0 || problem->n_box < 0 ||
      problem->n_bilateral > most || problem->n_contacts > most || problem->n_unilateral > most ||
      problem->n_box > most)
    return SRS_ERROR_ARGUMENT;
  srs_status status = find_form(problem, form);
  if (status == SRS_OK) status = check_anisotropy(problem);
  if (status != SRS_OK) return status;
  const size_t n = (size_t)form->n;
  if (n == 0) return SRS_OK;
  const srs_contact_blocks *blocks = problem->blocks;
  if ((problem->W == NULL) == (blocks == NULL) || problem->b == NULL ||
      (problem->n_contacts > 0 && problem->friction == NULL) ||
      (problem->n_box > 0 && (problem->box_lower == NULL || problem->box_upper == NULL)))
    return SRS_ERROR_ARGUMENT;
  if (blocks != NULL && blocks->first[blocks->n_block_rows] != form->n) return SRS_ERROR_ARGUMENT;
  status = check_matrix(problem, form);
  if (status == SRS_OK && !all_finite(problem->b, n)) status = SRS_ERROR_NOT_FINITE;
  if (status == SRS_OK) status = check_friction(problem);
  if (status == SRS_OK) status = check_bounds(problem);
  return status;
}

static inline double larger(double a, double b) { return a > b ? a : b; }

// Never 0 and never infinite: a diagonal that overflows counts as the largest number.
static double scale_of(double diagonal)
{
  return diagonal > 0 ? 1 / sqrt(diagonal <= DBL_MAX ? diagonal : DBL_MAX) : 1;
}

// `tangents` of all contacts, which are round; -1: they differ, or have anisotropy.
SRS_CONTACT_INLINE void contact_scales(int tangents, const srs_contact_problem *problem, const double *diagonal,
                                       size_t step, double *scale)
{
  diagonal += (size_t)problem->n_bilateral * step;
  scale += problem->n_bilateral;
  for (int c = 0; c < problem->n_contacts; c++) {
    const int d = tangents >= 0 ? tangents : srs_contact_tangents(problem, c);
    double own[SRS_CONTACT_TANGENTS_MOST];
    const double *e = tangents >= 0 ? NULL : srs_contact_anisotropies(problem, c, d, own);
    double sum = *diagonal;
    for (int k = 1; k <= d; k++) sum += (e == NULL ? 1 : e[k - 1] * e[k - 1]) * diagonal[(size_t)k * step];
    *scale = scale_of(sum / (1 + d));
    for (int k = 1; k <= d; k++) scale[k] = *scale * (e == NULL ? 1 : e[k - 1]);
    diagonal += (size_t)(1 + d) * step, scale += 1 + d;
  }
}

void srs_contact_scales_of(const srs_contact_problem *problem, const srs_contact_form *form, const double *diagonal,
                           size_t step, double *scale)
{
  for (int i = 0; i < problem->n_bilateral; i++) scale[i] = scale_of(diagonal[(size_t)i * step]);
  if (form->tangents == 2)
    contact_scales(2, problem, diagonal, step, scale);
  else if (form->tangents == 1)
    contact_scales(1, problem, diagonal, step, scale);
  else
    contact_scales(-1, problem, diagonal, step, scale);
  for (int i = form->n - problem->n_unilateral - problem->n_box; i < form->n; i++)
    scale[i] = scale_of(diagonal[(size_t)i * step]);
}

void srs_contact_scales(const srs_contact_problem *problem, const srs_contact_form *form, double *scale)
{
  if (problem->blocks != NULL) srs_blocks_diagonal(problem->blocks, scale); // read before its place is taken
  if (problem->blocks != NULL)
    srs_contact_scales_of(problem, form, scale, 1, scale);
  else
    srs_contact_scales_of(problem, form, problem->W, (size_t)form->n + 1, scale);
}

static const double least_size = 1e-290; // below it a motion counts as rest: the inverse would overflow

double srs_contact_size(int n, const double *b, const double *scale)
{
  srs_lanes squares = {0};
  double most[4] = {0}, sum = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) most[k] = larger(most[k], fabs(scale[i + k] * b[i + k]));
  for (; i < n; i++) most[0] = larger(most[0], fabs(scale[i] * b[i]));
  const double largest = larger(larger(most[0], most[1]), larger(most[2], most[3]));
  if (!(largest > least_size)) return 0;
  const double inverse = 1 / largest;
  for (i = 0; i + 4 <= n; i += 4) {
    const srs_lanes part = srs_load(scale + i) * srs_load(b + i) * inverse;
    squares += part * part;
  }
  for (; i < n; i++) {
    const double part = scale[i] * b[i] * inverse;
    sum += part * part;
  }
  return largest * sqrt(srs_sum(squares) + sum);
}

srs_status srs_contact_fail(srs_error *error, srs_status status, const char *format, ...)
{
  if (error == NULL) return status;
  *error = (srs_error){.status = status};
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return status;
}

const int *srs_contact_first_rows(const srs_contact_problem *problem, int *first)
{
  bool is_usual = true;
  first[0] = 0;
  for (int c = 0; c < problem->n_contacts; c++) {
    const int tangents = srs_contact_tangents(problem, c);
    is_usual = is_usual && tangents == 2;
    first[c + 1] = first[c] + 1 + tangents;
  }
  return is_usual ? NULL : first;
}
