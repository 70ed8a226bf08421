// Which problems need no iteration over the whole: decoupled contacts, and a few planar ones.
//
// Contacts that are decoupled in W are solved one by one (contact/direct/one_contact.h). A few planar ones: with x and
// w scaled, z = w - x says of each contact whether it separates (z_n >= 0), sticks (|z_t| <= -mu z_n) or slides. Once
// every contact's branch is known, the impulses solve linear equations:
//
//   sticks   w_n = w_t = 0                          slides   w_n = 0, x_t = -sign(z_t) mu x_n
//
// That is Newton's method on a piecewise linear function: branches that come out as they went in are a solution. It
// starts at z = b. Where the equations are nearly singular there may be many solutions; the general solver then
// chooses.
#include "contact/direct/direct.h"
#include "contact/algebra/lanes.h"
#include "contact/direct/one_contact.h"
#include "contact/problem/problem.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { MOST_PLANAR = 4, MOST = 2 * MOST_PLANAR, ROUNDS = 6, MOST_ROWS = 1 + SRS_CONTACT_TANGENTS_MOST };

static const double least_pivot = 1e-8; // over the largest

// ---- decoupled contacts ----

// Contact c, whose rows begin at i, to and from the scaled problem. is_round: no anisotropy.
SRS_CONTACT_INLINE int one_contact(int d, bool is_round, const srs_contact_problem *p, size_t n, int c, size_t i,
                                   const double *scale, double size, double *impulse)
{
  const double push = scale[i] * (1 / size), pull = scale[i] * size, square = scale[i] * scale[i];
  const size_t rows = 1 + (size_t)d;
  double W[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], x[MOST_ROWS], e[MOST_ROWS] = {1};
  for (size_t k = 0; k < rows; k++) {
    for (size_t j = 0; j < rows; j++) W[rows * k + j] = square * p->W[(i + k) * n + i + j];
    b[k] = push * p->b[i + k];
  }
  for (size_t k = 1; k < rows && !is_round; k++) {
    e[k] = srs_contact_anisotropy(p, c, (int)k - 1);
    for (size_t j = 0; j < rows; j++) W[rows * k + j] *= e[k], W[rows * j + k] *= e[k];
    b[k] *= e[k];
  }
  const int iterations = srs_one_contact(d, W, b, p->friction[c], x);
  for (size_t k = 0; k < rows; k++) impulse[i + k] = is_round ? pull * x[k] : pull * e[k] * x[k];
  return iterations > 0 ? iterations : 0;
}

static int each_alone(const srs_contact_problem *p, const srs_contact_form *form, const double *scale, double size,
                      double *impulse)
{
  const size_t n = (size_t)form->n;
  int iterations = 0;
  size_t i = 0;
  for (int c = 0; c < p->n_contacts; c++) {
    if (form->tangents == 2) {
      iterations += one_contact(2, true, p, n, c, i, scale, size, impulse), i += 3;
    } else if (form->tangents == 1) { // needs no scaling: its solution consists of quotients
      iterations += srs_planar_contact(p->W + i * (n + 1), n, p->b + i, p->friction[c], impulse + i) > 0, i += 2;
    } else {
      const int d = srs_contact_tangents(p, c);
      iterations += one_contact(d, false, p, n, c, i, scale, size, impulse), i += 1 + (size_t)d;
    }
  }
  return iterations;
}

// ---- a few planar ones ----

typedef enum branch { PARTS, STICKS, SLIDES_UP, SLIDES_DOWN } branch; // up: along t

// Planar contacts, all with one tangent, scaled.
typedef struct planar {
  int n_contacts, n;
  double W[MOST][MOST], b[MOST], x[MOST], z[MOST];
  branch branches[MOST_PLANAR];
} planar;

static bool is_planar(const srs_contact_problem *p)
{
  if (p->n_contacts > MOST_PLANAR || p->tangents == NULL || p->anisotropy != NULL) return false;
  for (int c = 0; c < p->n_contacts; c++)
    if (p->tangents[c] != 1) return false;
  return true;
}

static branch branch_of(const double *z, double mu)
{
  if (!(z[0] < 0)) return PARTS;
  return fabs(z[1]) <= -mu * z[0] ? STICKS : z[1] > 0 ? SLIDES_UP : SLIDES_DOWN;
}

// A x = y by elimination with pivots, y becoming x; false where A is nearly singular.
static bool solve(int n, double A[MOST][MOST], double *y)
{
  double largest = 0;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
    for (int j = k; j < n && best != k; j++) {
      const double t = A[k][j];
      A[k][j] = A[best][j], A[best][j] = t;
    }
    const double t = y[k], pivot = A[k][k];
    y[k] = y[best], y[best] = t;
    largest = fmax(largest, fabs(pivot));
    if (!(fabs(pivot) > least_pivot * largest)) return false;
    for (int i = k + 1; i < n; i++) {
      const double f = A[i][k] / pivot;
      for (int j = k + 1; j < n; j++) A[i][j] -= f * A[k][j];
      y[i] -= f * y[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) y[k] -= A[k][j] * y[j];
    y[k] /= A[k][k];
  }
  return true;
}

// x and z for these branches.
static bool follow(planar *s, const double *friction)
{
  double A[MOST][MOST], y[MOST], drag[MOST] = {0}; // x_t / x_n of a row that slides
  int row[MOST], n = 0;
  for (int c = 0; c < s->n_contacts; c++) {
    const branch at = s->branches[c];
    if (at == PARTS) continue;
    drag[n] = at == STICKS ? 0 : at == SLIDES_UP ? -friction[c] : friction[c];
    row[n++] = 2 * c;
    if (at == STICKS) row[n++] = 2 * c + 1;
  }
  for (int i = 0; i < n; i++) {
    const double *W = s->W[row[i]];
    for (int j = 0; j < n; j++) A[i][j] = drag[j] == 0 ? W[row[j]] : W[row[j]] + drag[j] * W[row[j] + 1];
    y[i] = -s->b[row[i]];
  }
  if (!solve(n, A, y)) return false;
  for (int i = 0; i < s->n; i++) s->x[i] = 0, s->z[i] = s->b[i];
  for (int i = 0; i < n; i++) {
    s->x[row[i]] = y[i];
    if (drag[i] != 0) s->x[row[i] + 1] = drag[i] * y[i];
  }
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++) s->z[i] += s->W[i][j] * s->x[j];
    s->z[i] -= s->x[i];
  }
  return true;
}

static int few_planar(const srs_contact_problem *p, const double *scale, double size, double *impulse)
{
  planar s = {.n_contacts = p->n_contacts, .n = 2 * p->n_contacts};
  for (int i = 0; i < s.n; i++) {
    for (int j = 0; j < s.n; j++) s.W[i][j] = scale[i] * scale[j] * p->W[i * s.n + j];
    s.z[i] = s.b[i] = scale[i] / size * p->b[i];
  }
  for (int c = 0; c < s.n_contacts; c++) s.branches[c] = branch_of(s.z + 2 * (size_t)c, p->friction[c]);
  for (int round = 1; round <= ROUNDS; round++) {
    if (!follow(&s, p->friction)) return -1;
    bool is_same = true;
    for (int c = 0; c < s.n_contacts; c++) {
      const branch now = branch_of(s.z + 2 * (size_t)c, p->friction[c]);
      is_same = is_same && now == s.branches[c];
      s.branches[c] = now;
    }
    if (!is_same) continue;
    for (int i = 0; i < s.n; i++) impulse[i] = scale[i] * size * s.x[i];
    return round;
  }
  return -1;
}

int srs_contact_direct(const srs_contact_problem *p, const srs_contact_form *form, const double *scale, double size,
                       double *impulse)
{
  if (p->n_contacts == 0 || p->n_bilateral + p->n_unilateral + p->n_box > 0) return -1;
  if (form->is_apart) return each_alone(p, form, scale, size, impulse);
  return is_planar(p) ? few_planar(p, scale, size, impulse) : -1;
}
