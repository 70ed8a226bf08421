// Answers in which rows that rest determine all velocities.
//
// Many contacts of few bodies have more rows than the bodies have freedoms, so W = L L^T is of a rank m less than its n
// rows, and velocities are w = b + L u with m numbers u. In an answer the contacts that press have w_n = 0, and w_t = 0
// too where they stick: often m rows, or more. Then
//
//   draw    a vertex of the velocities at which some contacts stick and none sinks in (contact/refine/vertices.h), and
//           go on to its neighbours
//   test    more rows rest there than make a vertex, which can hardly be by chance; or there are impulses
//   press   modes are known, and impulses are found for them (contact/refine/press.h)
//   keep    where there are none, though more rows rest than must: what these determine (contact/refine/core.h)
//   leave   vertices for their faces, where fewer rows rest (contact/refine/faces.h)
//
// A quarter of the draws are guided by the best impulses so far: what sticks and touches there does so in the draw.
// Once in a thousand only contacts that stick are drawn, and all others are a smaller problem.
#include "contact/refine/resting.h"
#include "contact/algebra/dense.h"
#include "contact/algebra/random.h"
#include "contact/refine/core.h"
#include "contact/refine/faces.h"
#include "contact/refine/press.h"
#include "contact/refine/vertices.h"

#include <string.h>

static const double part_in_faces = 0.25; // of vertices: whose faces are tried too
enum { DRAWS_A_CORE = 1000 };             // which take as much work
static const double independent = 1e-7, twice_below = 0.1, contradiction = 1e-12; // of W, its rows; velocities

// Gram-Schmidt: a row less its parts along those so far, and its right side.
SRS_CONTACT_KERNEL
static void reduce_row(int rows, int rank, const double *Q, size_t wide, const double *q, double *row, double *right)
{
  for (int k = 0; k < rows; k++) {
    const double *other = Q + (size_t)k * wide, part = srs_dot(rank, row, other);
    for (int j = 0; j < rank; j++) row[j] -= part * other[j];
    *right -= part * q[k];
  }
}

// A row that rests into the equations Q u = q, unless it follows from them. False where it contradicts them.
static bool take_row(const srs_resting *s, int row, int *rows)
{
  const size_t wide = (size_t)srs_dense_stride(s->rank);
  double *Q = s->lm->J, *own = Q + (size_t)*rows * wide, *q = s->lm->x, right = -s->problem->b[row];
  memcpy(own, srs_resting_factor(s) + (size_t)row * wide, sizeof *own * wide);
  const double before = srs_length(s->rank, own);
  double size = before;
  for (int pass = 0; pass < 2 && (pass == 0 || size < twice_below * before); pass++) {
    reduce_row(*rows, s->rank, Q, wide, q, own, &right);
    size = srs_length(s->rank, own);
  }
  if (!(size > independent * before)) return fabs(right) <= contradiction;
  for (int j = 0; j < s->rank; j++) own[j] /= size;
  q[(*rows)++] = right / size;
  return true;
}

// The velocities of a vertex once more, from its rows alone.
static bool find_velocities(const srs_resting *s, const srs_vertices *v, double *u, double *w)
{
  const srs_cone_problem *p = s->problem;
  const int wide = srs_dense_stride(s->rank);
  int rows = 0;
  for (int node = 0; node < srs_resting_nodes(p) && rows < s->rank; node++) {
    if (v->state[node] == SRS_VERTEX_APART) continue;
    const int i = srs_resting_first(p, node),
              d = v->state[node] == SRS_VERTEX_STICKS ? srs_resting_tangents(p, node) : 0;
    for (int k = 0; k <= d && rows < s->rank; k++)
      if (!take_row(s, i + k, &rows)) return false;
  }
  if (rows < s->rank) return false;
  memset(u, 0, sizeof *u * (size_t)wide);
  srs_dense_multiply_transposed(s->rank, s->rank, s->lm->J, wide, s->lm->x, u);
  for (int i = s->rank; i < wide; i++) u[i] = 0;
  srs_dense_multiply(p->n, s->rank, srs_resting_factor(s), wide, u, w);
  for (int i = 0; i < p->n; i++) w[i] += p->b[i];
  for (int node = 0; node < srs_resting_nodes(p); node++)
    if (!(w[srs_resting_first(p, node)] >= -srs_resting_zero)) return false;
  return true;
}

// Whether these velocities were tried before; they are then.
static bool is_known(srs_resting *s, const double *w)
{
  double sign = 0;
  for (int i = 0; i < s->problem->n; i++) sign += w[i] * (i + 1);
  for (int k = 0; k < SRS_RESTING_KNOWN && k < s->n_known; k++)
    if (fabs(s->known[k] - sign) <= srs_resting_same) return true;
  s->known[s->n_known++ % SRS_RESTING_KNOWN] = sign;
  return false;
}

bool srs_resting_search(srs_resting *s, double *x)
{
  const double rank = s->rank, cost = 2 * rank * rank * (rank + 20) + s->problem->n * (rank + 10);
  double *u = s->lm->step, *w = s->velocity;
  srs_vertices v = srs_vertices_of(s);
  for (int draws = 1; srs_lm_spend(s->lm, 1); draws++) {
    if (draws % DRAWS_A_CORE == 0 && srs_core_draw(s, u, w, x)) return true;
    bool goes_on = srs_vertices_draw(&v);
    for (int moves = 2 * v.columns; goes_on && moves >= 0; moves--) {
      const bool is_vertex = v.touching == v.columns, is_special = is_vertex && srs_vertices_is_special(&v);
      if (is_vertex && (is_special || srs_vertices_is_pressed(&v)) && !is_known(s, v.value)) {
        if (!srs_lm_spend(s->lm, cost)) return false;
        const bool are_found = find_velocities(s, &v, u, w);
        if (are_found && srs_resting_press(s, u, w, x)) return true;
        if (are_found && is_special && srs_core_search(s, u, w, x)) return true;
        break; // the dictionary is lost
      }
      const bool leaves = !is_vertex || 0.5 * (srs_random(s->state) + 1) < part_in_faces;
      if (leaves && srs_faces_try(&v, u, w) && !is_known(s, w)) {
        if (!srs_lm_spend(s->lm, cost)) return false;
        if (srs_resting_press(s, u, w, x)) return true;
        break;
      }
      goes_on = srs_vertices_move(&v);
    }
  }
  return false;
}
