// Lemke's pivoting method for linear complementarity: which z >= 0 has w = M z + q >= 0 and z . w = 0?
//
// An artificial z0 is added to every row, w = M z + q + z0, large enough that w >= 0, z = 0 is feasible. Then pivots:
// of each pair (w_i, z_i) at most one is basic; the partner of what just left the basis enters, the row that first
// reaches zero leaves, until that is z0. For copositive M, as friction polyhedra give, it ends with a solution if
// there is a feasible point.
//
// The tableau holds   basic_i = rhs_i + sum_j T_ij nonbasic_j,   n x (n + 1) and rhs. Ties can make the
// method cycle, and stacked or duplicate contacts are full of ties: they are broken as if q had been q + (e, e^2, e^3,
// ...) with a tiny e, which makes all ratios differ (lexicographic rule). Row i then has in e^k: 1 if w_k is basic in
// row i, -T_ij if w_k is nonbasic in column j, 0 otherwise.
//
// At the end z is computed again, from M itself: M_BB z_B = -q_B for the z that are basic, by LU with one refinement.
#include "contact/direct/lemke.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Variables: w_i is i, z_i is n + i, z0 is 2 n. place: column of a nonbasic one, -1 - row of a basic one.
typedef struct basis {
  int n, stride;
  double *T; // columns 0 … n-1, n: z0's at the start, n + 1: right-hand side
  int *row;  // the variable that is basic in a row
  int *place;
} basis;

static double *row_of(const basis *b, int i) { return b->T + (size_t)i * (size_t)b->stride; }

static void begin(const srs_lcp *lcp, const srs_lemke_memory *m, basis *b)
{
  const int n = lcp->n;
  *b = (basis){n, srs_dense_stride(n + 2), m->tableau, m->row, m->place};
  for (int i = 0; i < n; i++) {
    double *row = row_of(b, i);
    memcpy(row, lcp->M + (size_t)i * (size_t)lcp->stride, sizeof *row * (size_t)n);
    row[n] = 1;
    row[n + 1] = lcp->q[i];
    for (int j = n + 2; j < b->stride; j++) row[j] = 0;
    b->row[i] = i;
    b->place[i] = -1 - i;
    b->place[n + i] = i;
  }
  b->place[(size_t)2 * (size_t)n] = n;
}

// The basic variable of a row and the nonbasic one of a column change places.
SRS_CONTACT_KERNEL
static void exchange(const basis *b, int entering, int r)
{
  const int s = b->place[entering], n_columns = b->n + 2;
  double *restrict pivot = row_of(b, r);
  const double inverse = 1 / pivot[s];
  for (int j = 0; j < n_columns; j++) pivot[j] *= -inverse;
  pivot[s] = inverse;
  for (int i = 0; i < b->n; i++) {
    double *restrict row = row_of(b, i);
    const double factor = row[s];
    if (i == r || factor == 0) continue;
    row[s] = 0;
    for (int j = 0; j < n_columns; j++) row[j] += factor * pivot[j];
  }
  b->place[b->row[r]] = s;
  b->row[r] = entering;
  b->place[entering] = -1 - r;
}

// Which of two rows that reach zero together leaves first, by the lexicographic rule?
static int earlier(const basis *b, int s, int one, int other)
{
  const double *p = row_of(b, one), *q = row_of(b, other);
  for (int k = 0; k < b->n; k++) {
    const int place = b->place[k];
    double u = 0, v = 0;
    if (place >= 0)
      u = -p[place] / -p[s], v = -q[place] / -q[s];
    else
      u = place == -1 - one ? 1 / -p[s] : 0, v = place == -1 - other ? 1 / -q[s] : 0;
    if (fabs(u - v) > 1e-11 * (fabs(u) + fabs(v))) return u < v ? one : other;
  }
  return one;
}

// The row that leaves when the variable in column s grows; -1: none.
static int leaving_row(const basis *b, int s)
{
  const int n = b->n, z0 = b->place[(size_t)2 * (size_t)n];
  double largest = 0, least = INFINITY;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(row_of(b, i)[s]));
  const double smallest = 1e-11 * largest; // smaller entries count as rounding
  for (int i = 0; i < n; i++) {
    const double *row = row_of(b, i);
    if (row[s] < -smallest) least = fmin(least, fmax(row[n + 1], 0) / -row[s]);
  }
  if (!(least < INFINITY)) return -1;
  const double tie = least + 1e-12 * (1 + least);
  int best = -1;
  for (int i = 0; i < n; i++) {
    const double *row = row_of(b, i);
    if (!(row[s] < -smallest) || fmax(row[n + 1], 0) / -row[s] > tie) continue;
    if (z0 == -1 - i) return i;
    best = best < 0 ? i : earlier(b, s, best, i);
  }
  return best;
}

// z_B from M and q themselves, if that is not worse.
static void recompute(const srs_lcp *lcp, const srs_lemke_memory *m, const basis *b, double *z)
{
  const int n = lcp->n;
  int *index = m->row, count = 0; // the tableau is no longer needed
  for (int i = 0; i < n; i++)
    if (b->place[n + i] < 0) index[count++] = i;
  const int stride = srs_dense_stride(count);
  for (int i = 0; i < count; i++) {
    double *row = m->factor + (size_t)i * (size_t)stride;
    for (int j = 0; j < stride; j++)
      row[j] = j < count ? lcp->M[(size_t)index[i] * (size_t)lcp->stride + (size_t)index[j]] : 0;
  }
  if (count == 0 || srs_dense_lu(count, m->factor, stride, m->pivot) < 1e-13) return;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < count; i++) {
      double sum = lcp->q[index[i]];
      for (int j = 0; j < count; j++)
        sum += lcp->M[(size_t)index[i] * (size_t)lcp->stride + (size_t)index[j]] * z[index[j]];
      m->column[i] = sum;
    }
    srs_dense_lu_solve(count, m->factor, stride, m->pivot, m->column);
    for (int i = 0; i < count; i++) z[index[i]] -= m->column[i];
  }
  for (int i = 0; i < n; i++) z[i] = z[i] > 0 ? z[i] : 0;
}

srs_lemke_status srs_lemke(const srs_lcp *lcp, const srs_lemke_memory *m, int most_pivots, double *z, int *pivots)
{
  const int n = lcp->n;
  basis b;
  int r = -1;
  *pivots = 0;
  for (int i = 0; i < lcp->stride; i++) z[i] = 0;
  for (int i = 0; i < n; i++)
    if (lcp->q[i] < 0 && (r < 0 || lcp->q[i] <= lcp->q[r])) r = i;
  if (r < 0) return SRS_LEMKE_SOLVED;

  begin(lcp, m, &b);
  int entering = 2 * n;
  srs_lemke_status status = SRS_LEMKE_LIMIT;
  while (*pivots < most_pivots) {
    const int left = b.row[r];
    exchange(&b, entering, r);
    ++*pivots;
    if (left == 2 * n) {
      status = SRS_LEMKE_SOLVED;
      break;
    }
    entering = left < n ? left + n : left - n;
    r = leaving_row(&b, b.place[entering]);
    if (r < 0) {
      status = SRS_LEMKE_RAY;
      break;
    }
  }
  for (int i = 0; i < n; i++)
    if (b.row[i] >= n && b.row[i] < 2 * n) z[b.row[i] - n] = fmax(row_of(&b, i)[n + 1], 0);
  if (status == SRS_LEMKE_SOLVED) recompute(lcp, m, &b, z);
  return status;
}
