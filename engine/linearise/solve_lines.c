// dv+ and dlambda of the active rows, from g = dv+ at impulses that stay:
//
//   velocity  J (g + Z dlambda) + softness dlambda + dw = 0             Z = (M + E)^-1 J^T, dw: differences.c, and the
//                                                                       gap's derivative J dq times the shift's slope
//   impulse   dlambda = d(bound)
//   slide     dlambda_t + mu d dlambda_n + mu lambda_n / |w_t| (1 - d d^T) dw_t = 0,   d = w_t / |w_t|
//
// in units of velocity, each scaled by the diagonal of W. Rows that depend on the others follow from these where they
// agree; otherwise they are noted. The push-out's motion comes from its rows in the same way (islands/push_out.c): a
// row that is inside moves by -gamma times its gap at the step's end, one that closes by minus its gap, others not at
// all.

#include "contact/algebra/lanes.h"
#include "engine/linearise/linearisation.h"

#include <math.h>
#include <string.h>

static const double agreement = 1e-6; // of the largest right-hand side
static const double shared = 1e-3;    // of the largest entry of a null vector

static double W(const srs_linearisation *l, int i, int j)
{
  const size_t nv = (size_t)l->nv;
  return srs_dot(l->nv, l->jacobian + (size_t)i * nv, l->response + (size_t)j * nv) +
         (i == j ? l->lines[i].softness : 0);
}

static double square_root(const srs_linearisation *l, int line) { return sqrt(W(l, line, line)); }

static int normal_of(const srs_linearisation *l, int line) { return line - l->lines[line].component; }

static double friction_of(const srs_linearisation *l, int line) { return l->active[l->lines[line].contact].friction; }

static int tangents_of(const srs_linearisation *l, int line) { return l->active[l->lines[line].contact].n_rows - 1; }

// mu lambda_n / |w_t| of a contact that slides.
static double turning(const srs_linearisation *l, int line)
{
  const int normal = normal_of(l, line);
  double slip = 0;
  for (int i = 1; i <= tangents_of(l, line); i++) slip = hypot(slip, l->lines[normal + i].velocity);
  return friction_of(l, line) * l->lines[normal].impulse / slip;
}

// d(row i) / d(lambda_j), in units of velocity.
static double entry(const srs_linearisation *l, int i, int j)
{
  const srs_line *x = &l->lines[i];
  if (x->kind == SRS_LINE_VELOCITY) return W(l, i, j);
  const double own = W(l, i, i);
  double sum = i == j ? own : 0;
  if (x->kind != SRS_LINE_SLIDE) return sum;
  const int normal = normal_of(l, i);
  if (j == normal) sum += own * friction_of(l, i) * x->direction;
  const double rate = own * turning(l, i);
  for (int k = 1; k <= tangents_of(l, i) && tangents_of(l, i) > 1; k++)
    sum += rate * ((normal + k == i) - x->direction * l->lines[normal + k].direction) * W(l, normal + k, j);
  return sum;
}

// The change of a row's gap, v+ aside.
static double gap_change(const srs_linearisation *l, int line, int column)
{
  if (column < l->nv) return l->jacobian[(size_t)line * (size_t)l->nv + (size_t)column];
  return column < 3 * l->nv ? 0 : l->dgap[(size_t)(column - 3 * l->nv) * (size_t)l->room + (size_t)line];
}

// The change of a row's velocity while impulses stay.
static double velocity_change(const srs_linearisation *l, int line, int column)
{
  const srs_line *x = &l->lines[line];
  const double *J = l->jacobian + (size_t)line * (size_t)l->nv, *g = l->dplus + (size_t)column * (size_t)l->nv;
  double sum = srs_dot(l->nv, J, g) + l->drow[(size_t)column * (size_t)l->room + (size_t)line];
  return x->slope > 0 ? sum + x->slope * gap_change(l, line, column) : sum;
}

static double right_side(const srs_linearisation *l, int line, int column)
{
  const srs_line *x = &l->lines[line];
  if (x->kind == SRS_LINE_VELOCITY) return -velocity_change(l, line, column);
  const double own = W(l, line, line);
  if (x->kind == SRS_LINE_IMPULSE) return own * l->dbound[(size_t)column * (size_t)l->room + (size_t)line];
  const int normal = normal_of(l, line), n = tangents_of(l, line);
  double sum = 0;
  for (int k = 1; k <= n && n > 1; k++)
    sum -=
        ((normal + k == line) - x->direction * l->lines[normal + k].direction) * velocity_change(l, normal + k, column);
  sum *= n > 1 ? own * turning(l, line) : 0;
  if (column >= 3 * l->nv) // more friction
    sum -= own * l->lines[normal].impulse * x->direction *
           l->dfriction[(size_t)(column - 3 * l->nv) * (size_t)l->room + (size_t)line];
  return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// Systems
// ---------------------------------------------------------------------------------------------------------------------

// Rows that take part and that something moves; returns how many.
static int choose(srs_linearisation *l, bool is_push)
{
  double most = 0;
  int n = 0;
  for (int i = 0; i < l->n_lines; i++) most = fmax(most, W(l, i, i));
  for (int i = 0; i < l->n_lines; i++) {
    const bool takes_part = is_push ? l->lines[i].is_pushed : l->lines[i].kind != SRS_LINE_FREE;
    if (takes_part && W(l, i, i) > 1e-13 * most) l->order[n++] = i;
  }
  return n;
}

static int factor(srs_linearisation *l, int n, bool is_push)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const int row = l->order[i], column = l->order[j];
      const double own = is_push ? W(l, row, column) : entry(l, row, column);
      l->matrix[(size_t)i * (size_t)n + (size_t)j] = own / (square_root(l, row) * square_root(l, column));
    }
  return srs_full_pivot_lu(n, l->matrix, l->rows_kept, l->columns);
}

// to += Z x, by the scaled unknowns of a column.
static void add_response(const srs_linearisation *l, int n, double *to)
{
  for (int i = 0; i < n; i++) {
    const int line = l->order[i];
    const double share = l->right[i] / square_root(l, line);
    const double *Z = l->response + (size_t)line * (size_t)l->nv;
    for (int k = 0; k < l->nv; k++) to[k] += share * Z[k];
  }
}

// Whether a line is a tangent that slides, with another one beside it.
static bool can_turn(const srs_linearisation *l, int line)
{
  return l->lines[line].kind == SRS_LINE_SLIDE && tangents_of(l, line) > 1;
}

// Notes the rows among which impulses may shift, where contacts slide: even where the motion does not depend on it, its
// derivative does, by how fast friction turns with the slip.
static void check_shares(srs_linearisation *l, int n, int rank)
{
  for (int k = 0; k < n - rank; k++) {
    srs_full_pivot_null(n, rank, k, l->matrix, l->rows_kept, l->columns, l->right);
    double most = 0;
    bool any = false;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(l->right[i]));
    for (int i = 0; i < n; i++) any = any || (fabs(l->right[i]) > shared * most && can_turn(l, l->order[i]));
    for (int i = 0; i < n && any; i++)
      if (fabs(l->right[i]) > shared * most) srs_note_weak(l, l->order[i], SRS_WEAK_SHARES);
  }
}

// Notes rows of kind velocity that do not hold.
static void check_dependent(srs_linearisation *l, int n, int rank, int column)
{
  double most = 0;
  for (int i = 0; i < l->n_lines; i++) most = fmax(most, fabs(l->drow[(size_t)column * (size_t)l->room + (size_t)i]));
  if (column < l->nv) most = fmax(most, 1 / l->twin->options.dt);
  for (int i = 0; i < l->nv; i++) most = fmax(most, fabs(l->dfree[(size_t)column * (size_t)l->nv + (size_t)i]));
  for (int i = rank; i < n; i++) {
    const int line = l->order[l->rows_kept[i]];
    if (l->lines[line].kind == SRS_LINE_VELOCITY && fabs(velocity_change(l, line, column)) > agreement * most)
      srs_note_weak(l, line, SRS_WEAK_DEPENDENCE);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The push-out
// ---------------------------------------------------------------------------------------------------------------------

// What a row's motion is to be: target = -share gap at the step's end, bounded to `most`.
typedef struct row_target {
  double share, gap, most; // share 0: the row has none
} row_target;

// -gamma gap inside, and at locks; -gap outside; 0 for others.
static row_target target_of(const srs_linearisation *l, int line)
{
  const srs_line *x = &l->lines[line];
  const srs_sim_options *o = &l->twin->options;
  const bool is_contact = x->contact >= 0;
  const bool is_limit = !is_contact && (l->scalars[x->scalar].source == SRS_ROW_LOWER_LIMIT ||
                                        l->scalars[x->scalar].source == SRS_ROW_UPPER_LIMIT);
  if ((is_contact && x->component > 0) || (!is_contact && !is_limit)) return (row_target){0};
  const double *J = l->jacobian + (size_t)line * (size_t)l->nv;
  const double gap = x->gap + o->dt * srs_dot(l->nv, J, l->v_plus);
  const bool is_lock = is_limit && l->scalars[x->scalar].kind == SCALAR_BILATERAL, is_inside = gap < -1e-10 || is_lock;
  const double gamma = is_contact ? o->contact.error_reduction : o->joint.error_reduction;
  const double most = is_contact ? o->contact.max_depenetration_velocity : o->joint.max_depenetration_velocity;
  return (row_target){is_inside ? gamma : 1, gap, is_inside ? o->dt * most : INFINITY};
}

double srs_push_target(const srs_linearisation *l, int line)
{
  const row_target t = target_of(l, line);
  return t.share == 0 ? 0 : fmax(-t.most, fmin(t.most, -t.share * t.gap));
}

// Capped speeds stay.
double srs_push_target_change(const srs_linearisation *l, int line, int column)
{
  const row_target t = target_of(l, line);
  if (t.share == 0 || t.share * fabs(t.gap) > t.most) return 0;
  const double *J = l->jacobian + (size_t)line * (size_t)l->nv, *dplus = l->dplus + (size_t)column * (size_t)l->nv;
  const double dv = srs_dot(l->nv, J, dplus) + l->drow[(size_t)column * (size_t)l->room + (size_t)line];
  return -t.share * (l->twin->options.dt * dv + gap_change(l, line, column));
}

static void push(srs_linearisation *l)
{
  const int n = choose(l, true);
  if (n == 0) return;
  const int rank = factor(l, n, true);
  for (int column = 0; column < l->n_columns; column++) {
    const double *moved = l->dmoved + (size_t)column * (size_t)l->nv;
    for (int i = 0; i < n; i++) {
      const int line = l->order[i];
      const double *J = l->jacobian + (size_t)line * (size_t)l->nv;
      const double lacks = srs_push_target_change(l, line, column) - srs_dot(l->nv, J, moved) -
                           l->dway[(size_t)column * (size_t)l->room + (size_t)line];
      l->right[i] = lacks / square_root(l, line);
    }
    srs_full_pivot_solve(n, rank, l->matrix, l->rows_kept, l->columns, l->right, l->scratch_lines);
    add_response(l, n, l->dmoved + (size_t)column * (size_t)l->nv);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Weak rows
// ---------------------------------------------------------------------------------------------------------------------

static void exchange_kinds(srs_linearisation *l)
{
  for (int i = 0; i < l->n_lines; i++) {
    srs_line *x = &l->lines[i];
    const srs_line_kind kind = x->kind;
    if (x->is_weak) x->kind = x->other, x->other = kind;
  }
}

// Whether the weak rows' velocities stay along a column where their impulses do: then it does not matter which kind
// they are of.  @param to  nv: scratch
static bool stay(srs_linearisation *l, int n, int rank, int column, double *to)
{
  const size_t nv = (size_t)l->nv, at = (size_t)column * nv;
  double most = column < l->nv ? 1 / l->twin->options.dt : 1;
  for (int i = 0; i < n; i++) l->right[i] = right_side(l, l->order[i], column) / square_root(l, l->order[i]);
  srs_full_pivot_solve(n, rank, l->matrix, l->rows_kept, l->columns, l->right, l->scratch_lines);
  memset(to, 0, nv * sizeof *to);
  add_response(l, n, to);
  for (size_t i = 0; i < nv; i++) most = fmax(most, fabs(l->dfree[at + i]));
  for (int i = 0; i < l->n_lines; i++) {
    const srs_line *x = &l->lines[i];
    if (!x->is_weak) continue;
    double change = velocity_change(l, i, column) + srs_dot(l->nv, l->jacobian + (size_t)i * nv, to);
    if (x->kind == SRS_LINE_IMPULSE) change += x->softness * l->dbound[(size_t)column * (size_t)l->room + (size_t)i];
    if (!(fabs(change) <= agreement * most)) return false;
  }
  return true;
}

// Notes the weak rows, but where the others hold them.
static void judge_weak_lines(srs_linearisation *l)
{
  bool any = false, all_stay = true;
  for (int i = 0; i < l->n_lines; i++) any = any || l->lines[i].is_weak;
  if (!any) return;
  exchange_kinds(l);
  const int n = choose(l, false), rank = n > 0 ? factor(l, n, false) : 0;
  for (int column = 0; column < l->n_columns && all_stay; column++) all_stay = stay(l, n, rank, column, l->force_up);
  exchange_kinds(l);
  for (int i = 0; i < l->n_lines && !all_stay; i++)
    if (l->lines[i].is_weak && (l->lines[i].contact < 0 || l->lines[i].component == 0))
      srs_note_weak(l, i, l->lines[i].weakness);
}

srs_status srs_solve_lines(srs_linearisation *l)
{
  judge_weak_lines(l);
  const int n = choose(l, false);
  const int rank = n > 0 ? factor(l, n, false) : 0;
  l->report.n_rows = l->n_lines, l->report.n_active = n, l->report.rank = rank;
  check_shares(l, n, rank);
  for (int column = 0; column < l->n_columns && n > 0; column++) {
    for (int i = 0; i < n; i++) l->right[i] = right_side(l, l->order[i], column) / square_root(l, l->order[i]);
    srs_full_pivot_solve(n, rank, l->matrix, l->rows_kept, l->columns, l->right, l->scratch_lines);
    add_response(l, n, l->dplus + (size_t)column * (size_t)l->nv);
    if (rank < n) check_dependent(l, n, rank, column);
  }
  if (l->has_push) push(l), srs_shorten_push(l);
  return SRS_OK;
}
