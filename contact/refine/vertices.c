// Velocities at which contacts that touch and contacts that stick determine all others.
//
// W = L L^T of rank m, so velocities w = b + L u have m freedoms. If of the contacts that press some k are known to
// stick, the others to slide or part, then m - 3 k freedoms are left, and w_n >= 0 in the other contacts bounds a
// polyhedron in them. Where enough contacts slide w is one of its vertices. Vertices are visited as in linear
// programming, by a dictionary of the rows in terms of those y >= 0 that are zero there,
//
//   w = w_0 + T y    u = u_0 + U y
//
// An exchange of a y for another row costs a multiplication for each entry. Into the polyhedron leads the dual simplex
// method: with costs c > 0 of any y, whatever their signs, it ends at the vertex where c . y is least, or proves that
// there is none. Then from neighbour to neighbour: a y drawn grows until another row comes to rest.
//
// A few contacts that stick are enough, as the others that do, and all that slide, are vertices of more rows than are
// needed. The fewer are drawn, the likelier are all of them right, and the more vertices there are.
//
// Which vertices can be answers? Those where more rows rest than m, which is hardly by chance. And any other if it
// has impulses: u = L^T x, multiplied by U^T, is
//
//   x_n + T_t^T x_t = U^T u    x_t = -mu x_n w_t / |w_t|
//
// over the rows that touch alone, as U moves no contact that sticks.
#include "contact/refine/vertices.h"
#include "contact/algebra/dense.h"
#include "contact/algebra/random.h"

#include <string.h>

static const double least_diagonal = 1e-10, least_entry = 1e-7, contradiction = 1e-12; // of W; of T; of velocities
static const double least_slope = 1e-7, sinks = -1e-13, rests = 1e-13;                 // of T; of velocities
static const double part_guided = 0.25;                                                // of draws
static const double below_limit = 1 - 1e-6;                                            // of friction, where it sticks
enum { MOST_EXCHANGES = 5, MOST_TRIES = 8 }; // of the simplex method, over nodes; of neighbours

srs_vertices srs_vertices_of(const srs_resting *s)
{
  const srs_lm_memory *m = s->lm;
  return (srs_vertices){.resting = s,
                        .T = m->factor,
                        .U = m->J,
                        .value = m->tall,
                        .cost = m->r,
                        .state = m->trial,
                        .key = m->trial_r,
                        .node = m->gradient,
                        .wide = (size_t)srs_dense_stride(s->rank)};
}

static int first_of(const srs_vertices *v, int node) { return srs_resting_first(v->resting->problem, node); }

static const double *row_of(const srs_vertices *v, int row) { return v->T + (size_t)row * v->wide; }

static double random_of(const srs_vertices *v) { return 0.5 * (srs_random(v->resting->state) + 1); }

static int draw_below(const srs_vertices *v, int n)
{
  const int drawn = (int)(random_of(v) * n);
  return drawn < n ? drawn : n - 1;
}

// ---- exchanges ----

// Rows of T: each less its share of `own`, whose entry j is gone.
SRS_CONTACT_KERNEL
static void subtract_row(int n, int columns, size_t wide, const double *own, int j, double inverse, double here,
                         double *T, double *value)
{
  for (int i = 0; i < n; i++) {
    double *row = T + (size_t)i * wide;
    const double part = row[j] * inverse;
    if (part == 0) continue;
    for (int k = 0; k < columns; k++) row[k] -= part * own[k];
    row[j] = part;
    value[i] -= part * here;
  }
}

// The velocity of a row comes for the y of a column.
static bool exchange(const srs_vertices *v, int row, int j)
{
  const srs_resting *s = v->resting;
  const int n = s->problem->n;
  double *own = s->lm->best;
  if (!srs_lm_spend(s->lm, (double)(n + s->rank) * v->columns + 4.0 * n)) return false;
  memcpy(own, row_of(v, row), sizeof *own * (size_t)v->columns);
  const double inverse = 1 / own[j], here = v->value[row];
  own[j] = 0;
  subtract_row(n, v->columns, v->wide, own, j, inverse, here, v->T, v->value);
  subtract_row(s->rank, v->columns, v->wide, own, j, inverse, here, v->U, v->value + n);
  v->value[row] = 0;
  return true;
}

static void swap_column(int n, size_t wide, int a, int b, double *T)
{
  for (int i = 0; i < n; i++) {
    double *row = T + (size_t)i * wide, kept = row[a];
    row[a] = row[b], row[b] = kept;
  }
}

void srs_vertices_swap(const srs_vertices *v, int a, int b)
{
  const double node = v->node[a];
  v->node[a] = v->node[b], v->node[b] = node;
  swap_column(v->resting->problem->n, v->wide, a, b, v->T);
  swap_column(v->resting->rank, v->wide, a, b, v->U);
}

static int largest_entry(const srs_vertices *v, int row, int from)
{
  const double *own = row_of(v, row);
  double most = least_entry;
  int best = -1;
  for (int j = from; j < v->columns; j++)
    if (fabs(own[j]) > most) most = fabs(own[j]), best = j;
  return best;
}

// ---- draw ----

// A contact sticks: its rows rest, and no longer vary. False where they contradict those that stick already.
static bool stick(srs_vertices *v, int node)
{
  const srs_cone_problem *p = v->resting->problem;
  const int i = srs_resting_first(p, node), d = srs_resting_tangents(p, node);
  v->state[node] = SRS_VERTEX_STICKS;
  for (int k = 0; k <= d; k++) {
    const int j = largest_entry(v, i + k, 0);
    if (j < 0 && fabs(v->value[i + k]) > contradiction) return false;
    if (j < 0) continue;
    if (!exchange(v, i + k, j)) return false;
    srs_vertices_swap(v, j, --v->columns);
  }
  return true;
}

static double weight(int freedoms) { return 1 / ((freedoms + 6.0) * (freedoms + 6.0)); }

// How many stick: as many as let the others' normals determine what is left, or more, one of them also where fewer than
// three freedoms are left. The work of a draw grows as the square of the freedoms left: the fewer these are, the
// likelier.
static int draw_count(const srs_vertices *v)
{
  const int rank = v->resting->rank, count = srs_resting_nodes(v->resting->problem);
  const int least = rank > count ? (rank - count + 1) / 2 : 0, most = (rank + 2) / 3;
  double sum = 0;
  for (int k = least; k <= most; k++) sum += weight(rank - 3 * k);
  sum *= random_of(v);
  int k = least;
  while (k < most && (sum -= weight(rank - 3 * k)) > 0) k++;
  return k;
}

// Whether the guide's node touches, or sticks too.
static bool is_likely(const srs_vertices *v, int node, bool sticks)
{
  const srs_cone_problem *p = v->resting->problem;
  const int i = srs_resting_first(p, node), d = srs_resting_tangents(p, node);
  const double *x = v->resting->guide + i;
  return x[0] > 0 && (!sticks || srs_length(d, x + 1) < below_limit * p->friction[node] * x[0]);
}

static bool draw_sticking(srs_vertices *v, bool is_guided)
{
  const srs_cone_problem *p = v->resting->problem;
  const int count = srs_resting_nodes(p), sticking = draw_count(v);
  for (int k = 0; k < sticking; k++) {
    int node = draw_below(v, count), tries = 0;
    for (; tries < 2 * count; node = node + 1 < count ? node + 1 : 0, tries++) {
      if (v->state[node] != SRS_VERTEX_APART || srs_resting_tangents(p, node) == 0) continue;
      if (!is_guided || tries >= count || is_likely(v, node, true)) break;
    }
    if (tries == 2 * count) break;
    if (!stick(v, node)) return false;
  }
  return true;
}

// Nodes in a drawn order touch until these determine the velocities, or what is left moves no normal.
static bool draw_touching(srs_vertices *v, bool is_guided)
{
  const int count = srs_resting_nodes(v->resting->problem);
  for (int k = 0; k < count; k++) {
    v->key[k] = v->state[k] == SRS_VERTEX_APART ? random_of(v) : -1;
    if (is_guided && v->key[k] >= 0 && is_likely(v, k, false)) v->key[k] += 1;
  }
  while (v->touching < v->columns) {
    int node = 0;
    for (int k = 1; k < count; k++)
      if (v->key[k] > v->key[node]) node = k;
    if (v->key[node] < 0) return true;
    v->key[node] = -1;
    const int at = v->touching, j = largest_entry(v, first_of(v, node), at);
    if (j < 0) continue;
    if (!exchange(v, first_of(v, node), j)) return false;
    srs_vertices_swap(v, j, at);
    v->node[at] = node, v->state[node] = SRS_VERTEX_TOUCHES;
    v->cost[at] = -log(0.5 * (random_of(v) + 1)); // greater than 0
    v->touching++;
  }
  return true;
}

// ---- move ----

static bool enter(const srs_vertices *v, int node, int j)
{
  if (!exchange(v, first_of(v, node), j)) return false;
  v->state[(int)v->node[j]] = SRS_VERTEX_APART;
  v->state[node] = SRS_VERTEX_TOUCHES;
  v->node[j] = node;
  return true;
}

// The dual simplex method.
static bool find_vertex(const srs_vertices *v)
{
  const int count = srs_resting_nodes(v->resting->problem);
  for (int step = 0; step < MOST_EXCHANGES * count; step++) {
    int node = -1, j = -1;
    double least = sinks, ratio = INFINITY;
    for (int k = 0; k < count; k++) {
      const double here = v->value[first_of(v, k)];
      if (v->state[k] == SRS_VERTEX_APART && here < least) least = here, node = k;
    }
    if (node < 0) return true;
    const double *row = row_of(v, first_of(v, node));
    for (int k = 0; k < v->touching; k++)
      if (row[k] > least_slope && v->cost[k] < ratio * row[k]) ratio = v->cost[k] / row[k], j = k;
    if (j < 0) return false;
    for (int k = 0; k < v->touching; k++) v->cost[k] = fmax(0, v->cost[k] - ratio * row[k]);
    v->cost[j] = ratio;
    if (!enter(v, node, j)) return false;
  }
  return false;
}

// u = y from where |w| is least: that is where y stay that no row decides.
static bool begin(srs_vertices *v)
{
  const srs_resting *s = v->resting;
  const srs_cone_problem *p = s->problem;
  const double numbers = (double)(2 * p->n + s->rank) * s->rank, drawn = 30.0 * srs_resting_nodes(p) + 200;
  if (!srs_lm_spend(s->lm, numbers + drawn)) return false;
  v->columns = s->rank, v->touching = 0;
  memcpy(v->T, srs_resting_factor(s), sizeof *v->T * (size_t)p->n * v->wide);
  memset(v->U, 0, sizeof *v->U * (size_t)s->rank * v->wide);
  for (int i = 0; i < s->rank; i++) v->U[(size_t)i * (v->wide + 1)] = 1;
  for (int i = 0; i < p->n; i++) v->value[i] = p->b[i] + srs_dot(s->rank, row_of(v, i), s->least);
  memcpy(v->value + p->n, s->least, sizeof *v->value * (size_t)s->rank);
  for (int k = 0; k < srs_resting_nodes(p); k++) v->state[k] = SRS_VERTEX_APART;
  return true;
}

static bool draws_guided(const srs_vertices *v) { return v->resting->guide != NULL && random_of(v) < part_guided; }

bool srs_vertices_draw_sticking(srs_vertices *v) { return begin(v) && draw_sticking(v, draws_guided(v)); }

bool srs_vertices_draw(srs_vertices *v)
{
  const bool is_guided = draws_guided(v);
  return begin(v) && draw_sticking(v, is_guided) && draw_touching(v, is_guided) && find_vertex(v);
}

bool srs_vertices_at(srs_vertices *v, const double *w)
{
  const srs_cone_problem *p = v->resting->problem;
  if (!begin(v)) return false;
  memset(v->key, 0, sizeof *v->key * (size_t)p->n);
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int first = srs_resting_first(p, node), d = srs_resting_tangents(p, node);
    if (w[first] > srs_resting_zero) continue;
    const int rows = srs_length(d, w + first + 1) <= srs_resting_zero ? 1 + d : 1;
    for (int i = first; i < first + rows; i++) {
      const int j = largest_entry(v, i, v->touching);
      v->key[i] = 1;
      if (j < 0) continue;
      if (!exchange(v, i, j)) return false;
      srs_vertices_swap(v, j, v->touching);
      v->node[v->touching++] = i;
    }
  }
  return v->touching == v->columns;
}

bool srs_vertices_move(srs_vertices *v)
{
  const int count = srs_resting_nodes(v->resting->problem);
  for (int tries = 0; tries < MOST_TRIES && v->touching > 0; tries++) {
    const int j = draw_below(v, v->touching);
    int node = -1;
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
      const double slope = -row_of(v, first_of(v, k))[j], here = fmax(v->value[first_of(v, k)], 0);
      if (v->state[k] == SRS_VERTEX_APART && slope > least_slope && here < least * slope)
        least = here / slope, node = k;
    }
    if (node >= 0) return enter(v, node, j);
  }
  return false;
}

// ---- judge ----

bool srs_vertices_is_special(const srs_vertices *v)
{
  const srs_cone_problem *p = v->resting->problem;
  for (int node = 0; node < srs_resting_nodes(p); node++) {
    const int i = srs_resting_first(p, node), d = srs_resting_tangents(p, node);
    if (v->state[node] == SRS_VERTEX_STICKS || v->value[i] > rests) continue;
    double most = 0; // of what can move; without, rest says nothing
    for (int k = v->state[node] == SRS_VERTEX_TOUCHES; k <= d; k++)
      most = fmax(most, p->W[(size_t)(i + k) * (size_t)(p->stride + 1)]);
    if (most <= least_diagonal) continue;
    if (v->state[node] == SRS_VERTEX_APART || srs_length(d, v->value + i + 1) <= rests) return true;
  }
  return false;
}

bool srs_vertices_is_pressed(const srs_vertices *v)
{
  const srs_resting *s = v->resting;
  const srs_cone_problem *p = s->problem;
  const int n = v->columns, stride = srs_dense_stride(n);
  const size_t used = (size_t)s->rank * v->wide, all = (size_t)p->stride * (size_t)p->stride;
  double *A = v->U + used, *x = s->lm->best;
  const double cost = (double)n * (s->rank + 3 * n) + (n + 20.0) * n * n / 3;
  if (used + (size_t)n * (size_t)stride > all || !srs_lm_spend(s->lm, cost)) return false;
  memset(x, 0, sizeof *x * (size_t)stride);
  for (int i = 0; i < s->rank; i++) {
    const double *row = v->U + (size_t)i * v->wide, part = v->value[p->n + i];
    for (int j = 0; j < n; j++) x[j] += part * row[j];
  }
  memset(A, 0, sizeof *A * (size_t)n * (size_t)stride);
  for (int k = 0; k < n; k++) {
    const int node = (int)v->node[k], i = srs_resting_first(p, node), d = srs_resting_tangents(p, node);
    const double slip = srs_length(d, v->value + i + 1);
    A[(size_t)k * (size_t)(stride + 1)] = 1;
    for (int e = 1; e <= d && slip > srs_resting_zero; e++) {
      const double *row = row_of(v, i + e), part = p->friction[node] * v->value[i + e] / slip;
      for (int j = 0; j < n; j++) A[(size_t)j * (size_t)stride + (size_t)k] -= part * row[j];
    }
  }
  if (!srs_dense_lu_if_regular(n, A, stride, s->lm->pivot, 0)) return false;
  srs_dense_lu_solve(n, A, stride, s->lm->pivot, x);
  double least = 0, most = 0;
  for (int j = 0; j < n; j++) least = fmin(least, x[j]), most = fmax(most, fabs(x[j]));
  return least >= srs_resting_least_impulse(s) * most;
}
