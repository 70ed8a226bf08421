// What are the impulses of planar contacts if one after the other is solved for, all others fixed?
//
// With W = sum of L_g L_g^T over bodies g and their changes of velocity y_g = sum of L_g^T x, a visit of a contact
// needs its own bodies only:
//
//   w = b + sum of L_g y_g    q = w - W_cc x_c    x_c <- x    y_g <- y_g + L_g^T (x - x_c)
//
// where x solves the contact's own problem, w = W_cc x + q. With W_cc = (a b; b c):
//
//   open       q_n >= 0   x = 0
//   sticking   x = -W_cc^-1 q, if that is inside the cone
//   sliding    x_t = s mu x_n, x_n = -q_n / (a + s mu b), s the sign of x_t if it stuck
//
// (For given x_t, w_n = 0 gives x_n, and w_t then rises with x_t: so it has the sign against s where the line x_n(x_t)
// leaves the cone, which it does on the side of the sticking x_t, with a + s mu b > 0.)
//
// So a sweep takes as many multiplications as there are contacts, times some thirty. It finds the modes of contacts
// that depend on their neighbours alone; forces that go through the whole heap need sweeps in proportion to the square
// of its height. (Jean 1999 and Moreau 1999, nonsmooth contact dynamics.)
#include "contact/large/body_sweeps.h"

#include <string.h>

enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST };

static const double least_pivot = 1e-9; // of a contact's problem, over what it is the difference of

static int columns_of(const srs_groups *g, int link)
{
  return g->column[g->group[link] + 1] - g->column[g->group[link]];
}

double srs_body_sweep_work(const srs_body_sweeps *s)
{
  const srs_groups *g = s->groups;
  double sum = 0;
  for (int node = 0; node < g->n_nodes; node++)
    for (int i = g->start[node]; i < g->start[node + 1]; i++)
      sum += 2.0 * columns_of(g, i) * (g->row[node + 1] - g->row[node]);
  return sum + 20.0 * s->cone->pattern.n;
}

// W_cc of each node.
static void find_own(const srs_body_sweeps *s)
{
  const srs_groups *g = s->groups;
  memset(s->block, 0, sizeof *s->block * SQUARE * (size_t)g->n_nodes);
  for (int node = 0; node < g->n_nodes; node++) {
    const int rows = g->row[node + 1] - g->row[node];
    double *own = s->block + SQUARE * (size_t)node;
    for (int i = g->start[node]; i < g->start[node + 1]; i++) {
      const int columns = columns_of(g, i);
      const double *L = g->L + g->begin[i];
      for (int j = 0; j < rows; j++)
        for (int k = 0; k < rows; k++)
          for (int c = 0; c < columns; c++) own[j * MOST + k] += L[j * columns + c] * L[k * columns + c];
    }
  }
}

// A contact's own problem, x in and out.
SRS_CONTACT_INLINE void solve_contact(const double *own, double mu, const double *w, double *x)
{
  const double a = own[0], b = own[1], c = own[MOST + 1], determinant = a * c - b * b;
  const double q_n = w[0] - a * x[0] - b * x[1], q_t = w[1] - b * x[0] - c * x[1];
  const double n = b * q_t - c * q_n, t = b * q_n - a * q_t; // times 1 / determinant: sticking
  const double s = t < 0 ? -mu : mu, pivot = a + s * b;
  if (q_n >= 0) {
    x[0] = x[1] = 0;
  } else if (determinant > least_pivot * a * c && fabs(t) <= mu * n) {
    x[0] = n / determinant, x[1] = t / determinant;
  } else if (pivot > least_pivot * a) {
    x[0] = -q_n / pivot, x[1] = s * x[0];
  }
}

// A node of one row: a contact without a tangent, a limit, dry friction or a loop.
static double solve_row(const srs_cone_problem *cone, int row, double own, double w, double x)
{
  const int box = row - srs_cone_scalars(cone) - cone->n_unilateral;
  if (!(own > 0)) return x;
  return box < 0 ? fmax(0, x - w / own) : srs_clamp(x - w / own, cone->lower[box], cone->upper[box]);
}

SRS_CONTACT_INLINE void visit(const srs_body_sweeps *s, int node, int rows, int columns, double *x)
{
  const srs_groups *g = s->groups;
  const srs_cone_problem *cone = &s->cone->fallback.cone;
  const int at = s->at[g->row[node]], begin = g->start[node], end = g->start[node + 1];
  const double *own = s->block + SQUARE * (size_t)node;
  double w[2], next[2], step[2];
  for (int j = 0; j < rows; j++) w[j] = cone->b[at + j], next[j] = x[at + j];
  for (int i = begin; i < end; i++) {
    const int wide = columns > 0 ? columns : columns_of(g, i);
    const double *L = g->L + g->begin[i], *y = s->change + g->column[g->group[i]];
    for (int j = 0; j < rows; j++)
      for (int c = 0; c < wide; c++) w[j] += L[j * wide + c] * y[c];
  }
  if (rows == 2)
    solve_contact(own, cone->friction[node - s->cone->problem->n_bilateral], w, next);
  else
    next[0] = solve_row(cone, at, own[0], w[0], next[0]);
  for (int j = 0; j < rows; j++) step[j] = next[j] - x[at + j], x[at + j] = next[j];
  if (step[0] == 0 && (rows == 1 || step[1] == 0)) return;
  for (int i = begin; i < end; i++) {
    const int wide = columns > 0 ? columns : columns_of(g, i);
    const double *L = g->L + g->begin[i];
    double *y = s->change + g->column[g->group[i]];
    for (int j = 0; j < rows; j++)
      for (int c = 0; c < wide; c++) y[c] += L[j * wide + c] * step[j];
  }
}

SRS_CONTACT_KERNEL
static void sweep(const srs_body_sweeps *s, bool is_back, bool is_planar, double *x)
{
  const srs_groups *g = s->groups;
  for (int k = 0; k < g->n_nodes; k++) {
    const int node = is_back ? g->n_nodes - 1 - k : k, rows = g->row[node + 1] - g->row[node];
    if (rows == 2 && is_planar)
      visit(s, node, 2, 3, x);
    else if (rows == 2)
      visit(s, node, 2, 0, x);
    else if (rows == 1)
      visit(s, node, 1, 0, x);
  }
}

void srs_body_sweep(const srs_body_sweeps *s, int sweeps, double *x)
{
  const srs_groups *g = s->groups;
  const int n = s->cone->pattern.n;
  bool is_planar = true; // all bodies have three degrees of freedom
  for (int i = 0; i < g->n_groups && is_planar; i++) is_planar = g->column[i + 1] - g->column[i] == 3;
  find_own(s);
  for (int k = 0; k < n; k++) s->x[k] = x[s->at[k]];
  srs_groups_gather(g, s->x, s->change);
  for (int k = 0; k < sweeps; k++) sweep(s, k % 2 == 1, is_planar, x);
}
