// How far is the push-out's motion shortened (islands/push_out.c), and how does that change? With y the motion that the
// rows ask for, s the share of its island,
//
//   dq = s y     d(dq) = s dy + y ds
//
// s is the least of what each link's turn and way allow, a way as a multiple of the largest push. ds is a central
// difference along each column; where those of the two sides differ, the rows are noted. So are rows that the
// push-out's iteration has left before they moved as far as was asked: y is then no solution that could be
// differentiated.

#include "engine/dynamics/kinematics.h"
#include "engine/islands/island.h"
#include "engine/islands/push_out.h"
#include "engine/linearise/linearisation.h"

#include <math.h>
#include <string.h>

static const double width = 1e-6, agreement = 1e-3, settled = 1e-9; // the last: of the largest push

static int n_links_of(const srs_linearisation *l) { return l->twin->model->n_links; }

static int root_of_coordinate(const srs_linearisation *l, int i)
{
  return srs_island_of_tree(l->twin->constraints, l->twin->workspace->tree[l->twin->model->link_of_v[i]]);
}

static int root_of_line(const srs_linearisation *l, int line)
{
  const srs_line *x = &l->lines[line];
  struct srs_constraints *c = l->twin->constraints;
  if (x->contact < 0) return srs_island_of_tree(c, l->twin->workspace->tree[l->scalars[x->scalar].row.link[0]]);
  const int *tree = l->active[x->contact].tree;
  return srs_island_of_tree(c, tree[0] >= 0 ? tree[0] : tree[1]);
}

void srs_lengthen_push(srs_linearisation *l)
{
  const double *share = l->twin->constraints->motion;
  for (int i = 0; i < l->nv; i++) {
    const double own = share[root_of_coordinate(l, i)];
    if (own > 0) l->moved[i] /= own;
  }
}

// Of each island the row that is pushed furthest; -1 where none is found.
static void find_furthest(srs_linearisation *l, const double *most)
{
  for (int k = 0; k < n_links_of(l); k++) l->push_line[k] = -1;
  for (int i = 0; i < l->n_lines; i++) {
    const double push = fabs(srs_push_target(l, i));
    if (push == 0) continue;
    const int root = root_of_line(l, i);
    if (fabs(push - most[root]) <= 1e-9 * most[root]) l->push_line[root] = i;
  }
}

// The shares beside the step, by `by` of a column, in the constraints' scratch.
static const double *shares_beside(srs_linearisation *l, int column, double by, const double *most)
{
  const int n = n_links_of(l);
  srs_workspace *w = l->twin->workspace;
  struct srs_constraints *c = l->twin->constraints;
  const double *dmoved = l->dmoved + (size_t)column * (size_t)l->nv;
  for (int i = 0; i < l->nv; i++) l->scratch_push[i] = l->moved[i] + by * dmoved[i];
  for (int k = 0; k < n; k++) {
    const int line = l->push_line[k];
    const double rate = line >= 0 ? srs_push_target_change(l, line, column) : 0;
    c->motion[n + k] = most[k] + (line >= 0 && srs_push_target(l, line) < 0 ? -by : by) * rate;
  }
  srs_set_arguments(l, column, by);
  srs_place_links(w, l->twin->state.q);
  srs_move_links(w, l->scratch_push);
  return srs_push_out_shares(c, w);
}

// The rows of an island whose share has a kink.
static void note(srs_linearisation *l, int root)
{
  for (int i = 0; i < l->n_lines; i++)
    if (l->lines[i].is_pushed && l->lines[i].component == 0 && srs_push_target(l, i) != 0 && root_of_line(l, i) == root)
      srs_note_weak(l, i, SRS_WEAK_PUSH);
}

static void shorten_column(srs_linearisation *l, int column, const double *most, const double *share, double *rate)
{
  const int n = n_links_of(l);
  double *dmoved = l->dmoved + (size_t)column * (size_t)l->nv, largest = 1;
  for (int i = 0; i < l->nv; i++) largest = fmax(largest, fabs(dmoved[i]));
  const srs_parameter *parameter = srs_parameter_of(l, column);
  const double by = (parameter != NULL ? fmin(width, srs_parameter_width(l, parameter)) : width) / largest;
  memcpy(rate, shares_beside(l, column, by, most), (size_t)n * sizeof *rate);
  const double *down = shares_beside(l, column, -by, most);
  for (int k = 0; k < n; k++) {
    const double bend = fabs(rate[k] - 2 * share[k] + down[k]) / by;
    rate[k] = 0.5 / by * (rate[k] - down[k]);
    if (bend > agreement * fmax(1, fabs(rate[k]))) note(l, k);
  }
  for (int i = 0; i < l->nv; i++) {
    const int root = root_of_coordinate(l, i);
    dmoved[i] = share[root] * dmoved[i] + rate[root] * l->moved[i];
  }
}

static void note_unsettled(srs_linearisation *l, const double *most)
{
  for (int i = 0; i < l->n_lines; i++) {
    const srs_line *x = &l->lines[i];
    if (!x->is_pushed) continue;
    double lacks = srs_push_target(l, i);
    const double *J = l->jacobian + (size_t)i * (size_t)l->nv;
    for (int k = 0; k < l->nv; k++) lacks -= J[k] * l->moved[k];
    if (fabs(lacks) > settled * most[root_of_line(l, i)]) srs_note_weak(l, i, SRS_WEAK_PUSH);
  }
}

void srs_shorten_push(srs_linearisation *l)
{
  const size_t n = (size_t)n_links_of(l);
  double *most = l->push_wrench, *share = most + n, *rate = share + n;
  memcpy(most, l->twin->constraints->motion + n, n * sizeof *most);
  for (size_t k = 0; k < n; k++) l->push_line[k] = -1;
  memcpy(share, shares_beside(l, 0, 0, most), n * sizeof *share);
  note_unsettled(l, most);
  bool any = false;

  for (size_t k = 0; k < n; k++) any = any || share[k] < 1;
  if (any) {
    find_furthest(l, most);
    for (int column = 0; column < l->n_columns; column++) shorten_column(l, column, most, share, rate);
  }
  memcpy(l->twin->constraints->motion + n, most, n * sizeof *most);
  for (int i = 0; i < l->nv && any; i++) l->moved[i] *= share[root_of_coordinate(l, i)];
}
