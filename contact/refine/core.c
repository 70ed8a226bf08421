// Velocities of which some are known to rest, the others by a smaller problem.
//
// Some bodies rest on each other with more rows than they have freedoms, others lie on these and have freedoms left, so
// that all together are no vertex: with the former as they are, a vertex has contacts of the latter rest that do not.
// But that more rows rest than must is hardly by chance. In the vertex's dictionary w = w_0 + T y, u = u_0 + U y, these
// depend on some y, the core's, which stay zero. The others, y', have kinetic energy |u|^2 / 2 as before, and make
// velocities of the contacts with rows in T' alone:
//
//   w' = W' x' + b'    W' = T' G^-1 T'^T    b' = w_0 - T' G^-1 U'^T u_0    G = U'^T U'
//
// a contact problem of fewer rows and a smaller rank, for hops. Contacts that y' does not move push the core alone.
// Then all velocities are known, and impulses are found as at a vertex. The same for contacts that stick, drawn,
// without any vertex.
#include "contact/refine/core.h"
#include "contact/algebra/dense.h"
#include "contact/refine/active.h"
#include "contact/refine/hopping.h"
#include "contact/refine/press.h"
#include "contact/refine/vertices.h"

#include <string.h>

static const double least_entry = 1e-7, least_diagonal = 1e-10; // of T; of W
static const double most_of_rows = 0.8;                         // of the problem's: three of its matrices in two
static const double most_work = 1e8, part_of_work = 0.2;        // of hops; of the budget
static const double drawn_work = 5e6;                           // where contacts that stick were drawn
static const double least_decrease = 0.5;                       // of |r|, by a step
static const double rests = 1e-11;                              // velocities
enum { MOST_STEPS = 30 };

typedef struct core {
  srs_resting *s;
  srs_vertices v;
  srs_cone_problem smaller;
  int free;                  // y', the first columns
  double *b, *friction, *of; // of the smaller problem; its nodes in the problem
} core;

static bool moves(const srs_cone_problem *p, int row)
{
  return p->W[(size_t)row * (size_t)(p->stride + 1)] > least_diagonal;
}

static bool depends(const core *c, int row, int from, int to)
{
  const double *own = c->v.T + (size_t)row * c->v.wide;
  for (int j = from; j < to; j++)
    if (fabs(own[j]) > least_entry) return true;
  return false;
}

// The columns of y' first: those on which no row that rests depends, but its own.
static void part_columns(core *c)
{
  const srs_vertices *v = &c->v;
  c->free = 0;
  for (int j = 0; j < v->columns; j++) {
    bool is_free = true;
    for (int i = 0; i < c->s->problem->n && is_free; i++)
      is_free = i == (int)v->node[j] || v->key[i] == 0 || !moves(c->s->problem, i) || !depends(c, i, j, j + 1);
    if (is_free) srs_vertices_swap(v, j, c->free++);
  }
}

// Whether these nodes were tried before; they are then.
static bool is_known(srs_resting *s, double sign)
{
  for (int k = 0; k < SRS_RESTING_CORES && k < s->n_cores; k++)
    if (fabs(s->cores[k] - sign) <= srs_resting_same) return true;
  s->cores[s->n_cores++ % SRS_RESTING_CORES] = sign;
  return false;
}

// The nodes that y' moves. False where it moves a node in part, or there are too few or too many.
// @param sign  out: a number of the others
static bool choose_nodes(core *c, double *sign)
{
  const srs_cone_problem *p = c->s->problem;
  srs_cone_problem *to = &c->smaller;
  *sign = c->free;
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int i = srs_resting_first(p, node), rows = node < p->n_contacts ? 3 : 1;
    int own = 0, all = 0;
    for (int k = 0; k < rows; k++)
      if (moves(p, i + k)) own += depends(c, i + k, 0, c->free), all++;
    if (own > 0 && own < all) return false;
    for (int k = 0; k < rows && own == 0; k++) *sign += c->v.value[i + k] * (i + k + 1);
    if (own == 0) continue;
    c->of[srs_resting_nodes(to)] = node;
    if (rows == 3)
      c->friction[to->n_contacts++] = p->friction[node];
    else
      to->n_unilateral++;
    to->n += rows;
  }
  to->stride = srs_dense_stride(to->n);
  return to->n > 0 && to->stride <= most_of_rows * p->stride;
}

// G = C C^T, C in its lower half.
static bool factor(int n, size_t stride, double *G)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double *a = G + (size_t)i * stride, *b = G + (size_t)j * stride;
      const double left = a[j] - srs_dot(j, a, b);
      if (i == j && !(left > 0)) return false;
      a[j] = i == j ? sqrt(left) : left / b[j];
    }
  return true;
}

static void forward(int n, size_t stride, const double *C, double *y)
{
  for (int i = 0; i < n; i++) y[i] = (y[i] - srs_dot(i, C + (size_t)i * stride, y)) / C[(size_t)i * (stride + 1)];
}

// W' and b'. The first is left in J.
static bool form(core *c)
{
  const srs_cone_problem *p = c->s->problem;
  const srs_lm_memory *m = c->s->lm;
  const int rank = c->s->rank, n = c->free, stride = c->smaller.stride;
  const size_t wide = c->v.wide, used = (size_t)rank * wide;
  double *G = m->J + used, *y = m->best;
  if (used + (size_t)n * (size_t)n > (size_t)p->stride * (size_t)p->stride) return false;
  if (!srs_lm_spend(m, (double)n * n * (rank + n + p->n) + srs_cube(c->smaller.n))) return false;
  memset(G, 0, sizeof *G * (size_t)n * (size_t)n);
  memset(y, 0, sizeof *y * (size_t)p->stride);
  for (int k = 0; k < rank; k++)
    for (int i = 0; i < n; i++) {
      const double *U = c->v.U + (size_t)k * wide;
      y[i] += U[i] * c->v.value[p->n + k];
      for (int j = 0; j <= i; j++) G[(size_t)i * (size_t)n + (size_t)j] += U[i] * U[j];
    }
  if (!factor(n, (size_t)n, G)) return false;
  forward(n, (size_t)n, G, y);
  const int nodes = srs_resting_nodes(&c->smaller);
  memset(m->gram, 0, sizeof *m->gram * (size_t)stride * (size_t)stride);
  memset(c->b, 0, sizeof *c->b * (size_t)stride);
  for (int node = 0, at = 0; node < nodes; node++) {
    const int first = srs_resting_first(p, (int)c->of[node]), rows = node < c->smaller.n_contacts ? 3 : 1;
    for (int k = 0; k < rows; k++, at++) {
      double *row = c->v.T + (size_t)(first + k) * wide;
      forward(n, (size_t)n, G, row);
      c->b[at] = c->v.value[first + k] - srs_dot(n, row, y);
      memmove(c->v.T + (size_t)at * wide, row, sizeof *row * (size_t)n); // in their order: none is lost
    }
  }
  for (int i = 0; i < c->smaller.n; i++)
    for (int j = 0; j < c->smaller.n; j++)
      m->gram[(size_t)i * (size_t)stride + (size_t)j] =
          srs_dot(n, c->v.T + (size_t)i * wide, c->v.T + (size_t)j * wide);
  memcpy(m->J, m->gram, sizeof *m->J * (size_t)stride * (size_t)stride);
  return true;
}

// To rounding, by Newton's method.
static void polish(const core *c, const srs_lm_memory *m, double *x)
{
  const srs_cone_problem *p = &c->smaller;
  double *z = c->s->impulse, before = INFINITY;
  for (int i = p->n; i < p->stride; i++) x[i] = z[i] = 0;
  srs_cone_velocity(p, x, z);
  for (int i = 0; i < p->n; i++) z[i] -= x[i];
  for (int k = 0; k < MOST_STEPS; k++) {
    const double size = srs_active_residual(p, z, m->x, m->r);
    if (!(size < least_decrease * before)) break;
    before = size;
    memcpy(x, m->x, sizeof *x * (size_t)p->n);
    const int unknowns = srs_active_frame(p, z, m->trial);
    if (!srs_lm_spend(m, srs_active_cost(p->n, unknowns))) break;
    if (!srs_active_step(p, m, m->trial, unknowns, m->r, m->step)) break;
    for (int i = 0; i < p->n; i++) z[i] -= m->step[i];
  }
}

// The smaller problem's impulses, by hops in what is left of the matrices.
static bool hop(core *c, double most, double *x)
{
  const size_t matrix = (size_t)c->smaller.stride * (size_t)c->smaller.stride;
  srs_lm_memory m = *c->s->lm;
  c->smaller.W = m.J, c->smaller.b = c->b, c->smaller.friction = c->friction;
  m.factor = m.gram + matrix, m.J = m.factor + matrix;
  double left = m.left == NULL ? most : fmin(most, part_of_work * *m.left);
  const double before = left;
  if (m.left != NULL) m.left = &left;
  const srs_hopping hopping = {&c->smaller, &m, c->s->impulse, c->s->state, c->s->slip};
  int formed = 0;
  const bool is_found = srs_hopping_search(&hopping, x, &formed);
  if (is_found) polish(c, &m, x);
  if (m.left != NULL) (void)srs_lm_spend(c->s->lm, before - left);
  return is_found;
}

// The velocities of the smaller problem in their places; those of contacts that push are zero exactly.
static void put_velocities(const core *c, const double *x, double *w)
{
  const srs_cone_problem *p = c->s->problem, *from = &c->smaller;
  double *own = c->s->impulse;
  srs_cone_velocity(from, x, own);
  for (int node = 0, at = 0; node < srs_resting_nodes(from); node++) {
    const int first = srs_resting_first(p, (int)c->of[node]), rows = node < from->n_contacts ? 3 : 1;
    const bool slides = rows == 3 && srs_length(2, own + at + 1) > rests;
    for (int k = 0; k < rows; k++) w[first + k] = k == 0 || slides ? own[at + k] : 0;
    if (fabs(own[at]) <= rests) w[first] = 0;
    at += rows;
  }
}

// u of L u = w - b: the rows of L that came first in W's factor are a lower triangle.
static void find_freedoms(const srs_resting *s, const double *w, double *u)
{
  const size_t wide = (size_t)srs_dense_stride(s->rank);
  memset(u, 0, sizeof *u * (size_t)s->problem->stride);
  for (int k = 0; k < s->rank; k++) {
    const int i = s->lm->pivot[k];
    const double *row = srs_resting_factor(s) + (size_t)i * wide;
    u[k] = (w[i] - s->problem->b[i] - srs_dot(k, row, u)) / row[k];
  }
}

// From vectors that the dictionary leaves to one that hops do not touch.
static void keep(core *c)
{
  double *to = c->s->lm->tall;
  const size_t n = (size_t)c->smaller.stride, nodes = (size_t)srs_resting_nodes(&c->smaller);
  memcpy(to, c->b, sizeof *to * n);
  memcpy(to + n, c->friction, sizeof *to * nodes);
  memcpy(to + n + nodes, c->of, sizeof *to * nodes);
  c->b = to, c->friction = to + n, c->of = to + n + nodes;
}

// The smaller problem's velocities, and impulses for all.
static bool solve(core *c, double most, double *u, double *w, double *x)
{
  const bool is_formed = form(c);
  if (is_formed) keep(c);
  const bool is_found = is_formed && hop(c, most, x);
  if (is_found) put_velocities(c, x, w);
  if (!srs_resting_begin(c->s) || !is_found) return false; // W's factor was lost
  find_freedoms(c->s, w, u);
  return srs_resting_press(c->s, u, w, x);
}

static core begin(srs_resting *s)
{
  core c = {.s = s, .v = srs_vertices_of(s)};
  c.b = c.v.cost, c.of = c.v.state, c.friction = s->lm->x;
  return c;
}

bool srs_core_search(srs_resting *s, double *u, double *w, double *x)
{
  core c = begin(s);
  double sign;
  if (s->problem->first != NULL || !srs_vertices_at(&c.v, w)) return false;
  part_columns(&c);
  return c.free > 0 && choose_nodes(&c, &sign) && !is_known(s, sign) && solve(&c, most_work, u, w, x);
}

bool srs_core_draw(srs_resting *s, double *u, double *w, double *x)
{
  const srs_cone_problem *p = s->problem;
  core c = begin(s);
  double sign;
  if (p->first != NULL || !srs_vertices_draw_sticking(&c.v) || c.v.columns == 0) return false;
  memcpy(w, c.v.value, sizeof *w * (size_t)p->n);
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int i = srs_resting_first(p, node);
    for (int k = 0; k <= srs_resting_tangents(p, node) && c.v.state[node] == SRS_VERTEX_STICKS; k++) w[i + k] = 0;
  }
  c.free = c.v.columns;
  return c.free < s->rank && choose_nodes(&c, &sign) && solve(&c, drawn_work, u, w, x);
}
