// Newton's step of the exact cone's equations by the rows that act.
//
// With z = w - x (Todorov's form, contact/iterate/mncp.c) the derivative of r is J = W D + I - D, D = -dx/dz. A parted
// contact has D = 0: its columns of J are those of I. So has a sliding one along its slip t. These unknowns follow from
// the others, the active ones y,
//
//   dx = -R y      A y = L r      A = L W R + N
//
//   sticking   L = I                 R = I                              N = 0
//   sliding    L = (e_n  u)^T        R = (e_n - mu t   s u)             N = diag(0, 1 - s)      u across t
//   parted     no rows
//
// and then the velocities change by g = W R y: dz = r - g for parted contacts, and along a slip t . (r - g) - mu y_n.
// Of 3 rows a contact 1.7 are left where the three modes are equally likely, so that an LU costs a fifth.
#include "contact/refine/active.h"

#include <string.h>

// What the first row of a contact's frame says; sliding: s, in [0, 1]. The other rows: t.
static const double parted = -1, sticking = -2;

static int contact_frame(int d, const double *z, double mu, double *frame)
{
  const double radius = -mu * z[0], square = srs_square(d, z + 1);
  if (!(z[0] < 0)) {
    frame[0] = parted;
    return 0;
  }
  if (square <= radius * radius) {
    frame[0] = sticking;
    return 1 + d;
  }
  const double inverse = 1 / sqrt(square);
  frame[0] = radius * inverse;
  for (int k = 1; k <= d; k++) frame[k] = z[k] * inverse;
  return d;
}

static bool is_held(const srs_cone_problem *p, const double *z, int i)
{
  const int box = i - (p->n - p->n_box);
  return box < 0 ? z[i] < 0 : -z[i] > p->lower[box] && -z[i] < p->upper[box];
}

int srs_active_frame(const srs_cone_problem *p, const double *z, double *frame)
{
  int unknowns = 0;
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = srs_cone_first(p, c);
    unknowns += contact_frame(srs_cone_tangents(p, c), z + i, p->friction[c], frame + i);
  }
  for (int i = srs_cone_scalars(p); i < p->n; i++) {
    const bool holds = is_held(p, z, i);
    frame[i] = holds ? sticking : parted;
    unknowns += holds;
  }
  return unknowns;
}

// ---- residual ----

static void impulse(const srs_cone_problem *p, const double *z, double *x)
{
  const int scalars = srs_cone_scalars(p), boxes = p->n - p->n_box;
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = srs_cone_first(p, c), d = srs_cone_tangents(p, c);
    const double normal = z[i] < 0 ? -z[i] : 0, radius = p->friction[c] * normal, square = srs_square(d, z + i + 1);
    const double s = square <= radius * radius ? 1 : radius / sqrt(square);
    x[i] = normal;
    for (int k = 1; k <= d; k++) x[i + k] = normal > 0 ? -s * z[i + k] : 0;
  }
  for (int i = scalars; i < boxes; i++) x[i] = z[i] < 0 ? -z[i] : 0;
  for (int i = boxes; i < p->n; i++) x[i] = srs_clamp(-z[i], p->lower[i - boxes], p->upper[i - boxes]);
}

SRS_CONTACT_KERNEL
static void subtract(int n, const double *W, int stride, const double *x, double *r)
{
  for (int j = 0; j < n; j++) {
    const double *row = W + (size_t)j * (size_t)stride, part = x[j];
    for (int i = 0; i < n && part != 0; i++) r[i] -= part * row[i];
  }
}

double srs_active_residual(const srs_cone_problem *p, const double *z, double *x, double *r)
{
  impulse(p, z, x);
  for (int i = 0; i < p->n; i++) r[i] = x[i] + z[i] - p->b[i];
  subtract(p->n, p->W, p->stride, x, r);
  return srs_length(p->n, r);
}

// ---- the step ----

// The k-th direction across the unit vector t of d numbers, k < d - 1.
static void across(int d, const double *t, int k, double *u)
{
  if (d == 2) {
    u[0] = -t[1], u[1] = t[0];
    return;
  }
  if (d > 3) { // columns of the reflection that takes t to an axis
    const double sign = copysign(1, t[0]), share = t[k + 1] / (1 + fabs(t[0]));
    for (int i = 0; i < d; i++) u[i] = (i == k + 1) - share * (t[i] + (i == 0 ? sign : 0));
    return;
  }
  const double sign = copysign(1, t[2]), a = -1 / (sign + t[2]), b = t[0] * t[1] * a; // d = 3: Duff & al. 2017
  u[0] = k == 0 ? 1 + sign * t[0] * t[0] * a : b;
  u[1] = k == 0 ? sign * b : sign + t[1] * t[1] * a;
  u[2] = k == 0 ? -sign * t[0] : -t[1];
}

// The sum of d rows times a number each.
SRS_CONTACT_KERNEL
static void combine(int n, int d, const double *rows, int stride, const double *part, double *sum)
{
  for (int i = 0; i < n; i++) sum[i] = part[0] * rows[i];
  for (int k = 1; k < d; k++) {
    const double *row = rows + (size_t)k * (size_t)stride;
    for (int i = 0; i < n; i++) sum[i] += part[k] * row[i];
  }
}

// The columns of W R, as rows of T: W is symmetric.
static int contact_columns(const srs_cone_problem *p, int c, const double *frame, double *T)
{
  const int i = srs_cone_first(p, c), d = srs_cone_tangents(p, c), n = p->n, stride = p->stride;
  const double *rows = p->W + (size_t)i * (size_t)stride, *t = frame + i + 1, s = frame[i];
  double part[1 + SRS_CONTACT_TANGENTS_MOST] = {1};
  if (s == parted) return 0;
  if (s == sticking) {
    memcpy(T, rows, sizeof *T * (size_t)(1 + d) * (size_t)stride);
    return 1 + d;
  }
  for (int k = 0; k < d; k++) part[1 + k] = -p->friction[c] * t[k];
  combine(n, 1 + d, rows, stride, part, T);
  for (int k = 0; k < d - 1; k++) {
    across(d, t, k, part);
    for (int j = 0; j < d; j++) part[j] *= s;
    combine(n, d, rows + stride, stride, part, T + (size_t)(1 + k) * (size_t)stride);
  }
  return d;
}

static void form_columns(const srs_cone_problem *p, const double *frame, double *T)
{
  const size_t stride = (size_t)p->stride;
  for (int c = 0; c < p->n_contacts; c++) T += (size_t)contact_columns(p, c, frame, T) * stride;
  for (int i = srs_cone_scalars(p); i < p->n; i++) {
    if (frame[i] == parted) continue;
    memcpy(T, p->W + (size_t)i * stride, sizeof *T * stride);
    T += stride;
  }
}

// L of a vector: its numbers `step` apart.
static void compress(const srs_cone_problem *p, const double *frame, const double *from, size_t step, double *to)
{
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = srs_cone_first(p, c), d = srs_cone_tangents(p, c);
    if (frame[i] == parted) continue;
    *to = from[i], to += step;
    for (int k = 1; k <= d && frame[i] == sticking; k++) *to = from[i + k], to += step;
    for (int k = 0; k < d - 1 && frame[i] != sticking; k++) {
      double u[SRS_CONTACT_TANGENTS_MOST], sum = 0;
      across(d, frame + i + 1, k, u);
      for (int j = 0; j < d; j++) sum += u[j] * from[i + 1 + j];
      *to = sum, to += step;
    }
  }
  for (int i = srs_cone_scalars(p); i < p->n; i++)
    if (frame[i] == sticking) *to = from[i], to += step;
}

// A += N.
static void add_own(const srs_cone_problem *p, const double *frame, int stride, double *A)
{
  size_t at = 0;
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = srs_cone_first(p, c), d = srs_cone_tangents(p, c);
    if (frame[i] == parted) continue;
    for (int k = 1; k < d && frame[i] != sticking; k++) A[(at + (size_t)k) * (size_t)(stride + 1)] += 1 - frame[i];
    at += (size_t)(frame[i] == sticking ? 1 + d : d);
  }
}

// dz from y and g, which comes in step.
static void expand(const srs_cone_problem *p, const double *frame, const double *r, const double *y, double *step)
{
  for (int i = 0; i < p->n; i++) step[i] = r[i] - step[i];
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = srs_cone_first(p, c), d = srs_cone_tangents(p, c);
    const double *t = frame + i + 1;
    double *own = step + i;
    if (frame[i] == parted) continue;
    const bool slides = frame[i] != sticking;
    double along = 0;
    for (int k = 0; k < d && slides; k++) along += t[k] * own[1 + k];
    own[0] = *y++;
    along -= p->friction[c] * own[0];
    for (int k = 0; k < d; k++) own[1 + k] = slides ? along * t[k] : *y++;
    for (int k = 0; k < d - 1 && slides; k++, y++) {
      double u[SRS_CONTACT_TANGENTS_MOST];
      across(d, t, k, u);
      for (int j = 0; j < d; j++) own[1 + j] += *y * u[j];
    }
  }
  for (int i = srs_cone_scalars(p); i < p->n; i++)
    if (frame[i] == sticking) step[i] = *y++;
}

bool srs_active_step(const srs_cone_problem *p, const srs_lm_memory *m, const double *frame, int unknowns,
                     const double *r, double *step)
{
  const int stride = srs_dense_stride(unknowns);
  double *T = m->J, *A = m->factor, *y = m->x;
  form_columns(p, frame, T);
  for (int j = 0; j < unknowns; j++) compress(p, frame, T + (size_t)j * (size_t)p->stride, (size_t)stride, A + j);
  for (int i = 0; i < unknowns; i++)
    for (int j = unknowns; j < stride; j++) A[(size_t)i * (size_t)stride + (size_t)j] = 0;
  add_own(p, frame, stride, A);
  compress(p, frame, r, 1, y);
  if (!srs_dense_lu_if_regular(unknowns, A, stride, m->pivot, 0)) return false;
  srs_dense_lu_solve(unknowns, A, stride, m->pivot, y);
  srs_dense_multiply_transposed(unknowns, p->n, T, p->stride, y, step);
  for (int i = p->n; i < p->stride; i++) step[i] = 0;
  expand(p, frame, r, y, step);
  return true;
}
