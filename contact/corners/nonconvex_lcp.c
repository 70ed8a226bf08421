// The linear complementarity problems of groups of sides: max form and summation form.
//
// a_k is the velocity of a side's normal row, with the gap over the step's length in it, p_k its normal impulse. Each
// line is "left >= 0, complementary to right" (Egan, Berard & Trinkle, with their misprints corrected). Max form:
//
//   c_k + a_k - 1              c_k   so c_k = 1 - min(a_k, 1)
//   sum_k g_k - 1              d
//   c_k + d - gamma            g_k   so d = gamma - min c, and d - gamma + 1 = min(max_k a_k, 1)
//   h_k + a_k                  h_k   so h_k = max(0, -a_k)
//   d - gamma + 1              p     the group: max_k a_k >= 0
//   h_k + d - gamma + 1        p_k   an impulse only where h_k = 0 and max_k a_k = 0
//
// Summation form:
//
//   c_k - a_k - epsilon        c_k   so c_k = max(-epsilon, a_k) + epsilon
//   sum_k c_k - epsilon        p_k
//
// All other rows are those of the contact problem. In the summation form a_k may be in units of its own.
#include "contact/corners/nonconvex_lcp.h"

#include <string.h>

int srs_max_form_unknowns(const srs_side_groups *groups, int mlcp_unknowns)
{
  return 3 * groups->first[groups->n] + 2 * groups->n + mlcp_unknowns;
}

// The unknown of a contact's normal impulse.
static int normal_of(const srs_mlcp *m, int contact)
{
  int i = 0;
  for (int c = 0; c < contact; c++) i += srs_mlcp_contact_unknowns(srs_cone_tangents(m->cone, c), m->polyhedron.n);
  return i;
}

static double *row_of(const srs_lcp *lcp, int i) { return lcp->M + (size_t)i * (size_t)lcp->stride; }

// The contact problem's own rows and columns behind `before` others, and zeros.
static void begin(const srs_lcp *from, int before, srs_lcp *to)
{
  to->n = before + from->n, to->stride = srs_dense_stride(to->n);
  memset(to->M, 0, sizeof *to->M * (size_t)to->stride * (size_t)to->stride);
  memset(to->q, 0, sizeof *to->q * (size_t)to->stride);
  for (int i = 0; i < from->n; i++) {
    memcpy(row_of(to, before + i) + before, row_of(from, i), sizeof *from->M * (size_t)from->n);
    to->q[before + i] = from->q[i];
  }
}

// Row i of `to` gets factor * (M z + q)_k of the contact problem.
static void add_row(const srs_lcp *from, int k, double factor, const srs_lcp *to, int before, int i)
{
  double *row = row_of(to, i) + before;
  const double *source = row_of(from, k);
  for (int j = 0; j < from->n; j++) row[j] += factor * source[j];
  to->q[i] += factor * from->q[k];
}

static void clear_row(const srs_lcp *to, int i, double q)
{
  memset(row_of(to, i), 0, sizeof *to->M * (size_t)to->stride);
  to->q[i] = q;
}

void srs_max_form(const srs_mlcp *m, const srs_side_groups *groups, double gamma, srs_lcp *out)
{
  const int sides = groups->first[groups->n];
  const int d = sides, g = d + groups->n, h = g + sides, p = h + sides, before = p + groups->n;
  begin(&m->lcp, before, out);
  for (int group = 0; group < groups->n; group++) {
    out->q[d + group] = -1;
    row_of(out, p + group)[d + group] = 1;
    out->q[p + group] = 1 - gamma;
    for (int k = groups->first[group]; k < groups->first[group + 1]; k++) {
      const int normal = normal_of(m, groups->side[k]), push = before + normal;
      add_row(&m->lcp, normal, 1, out, before, k);
      row_of(out, k)[k] = 1;
      out->q[k] -= 1;
      row_of(out, d + group)[g + k] = 1;
      row_of(out, g + k)[k] = row_of(out, g + k)[d + group] = 1;
      out->q[g + k] = -gamma;
      add_row(&m->lcp, normal, 1, out, before, h + k);
      row_of(out, h + k)[h + k] = 1;
      clear_row(out, push, 1 - gamma);
      row_of(out, push)[h + k] = row_of(out, push)[d + group] = 1;
    }
  }
}

void srs_summation_form(const srs_mlcp *m, const srs_side_groups *groups, const double *epsilon, const double *weight,
                        srs_lcp *out)
{
  const int before = groups->first[groups->n];
  begin(&m->lcp, before, out);
  for (int group = 0; group < groups->n; group++)
    for (int k = groups->first[group]; k < groups->first[group + 1]; k++) {
      const int normal = normal_of(m, groups->side[k]), push = before + normal;
      add_row(&m->lcp, normal, -1, out, before, k);
      row_of(out, k)[k] = 1;
      out->q[k] -= epsilon[k];
      clear_row(out, push, -epsilon[k]);
      for (int j = groups->first[group]; j < groups->first[group + 1]; j++)
        row_of(out, push)[j] = weight[j] / weight[k];
    }
}
