// How good are impulses, whoever found them? Evaluates the laws of contacts in long double.
//
// The rows are taken contact by contact (other rows one by one), with x = lambda / e, v = e (W lambda + b): first for
// the size of the data, |b'|, then for the laws (contact_judge.h). A contact's laws are measured twice: on x and v as
// they are, and on x' = x / s and v' = s v, s = (mean diagonal entry)^(-1/2). The natural map on the cone K is that of
// contact.h, z = (x_n - v_n - mu |u|, x_t - u), x - P_K(z).
#include "contact/problem/friction_set.h"
#include "contact/problem/problem.h"
#include <sarrus/contact_judge.h>

#include <math.h>

typedef srs_wide wide;

srs_contact_claim srs_contact_claim_of(const srs_contact_options *options, const double *impulse,
                                       const double *velocity)
{
  srs_contact_claim claim = {.impulse = impulse, .velocity = velocity};
  if (srs_contact_method_has_polyhedron(options->method))
    claim.n_directions = options->n_directions, claim.direction_angle = options->direction_angle;
  claim.is_relaxed = options->method == SRS_METHOD_RELAXED;
  return claim;
}

const char *srs_contact_mode_name(srs_contact_mode mode)
{
  static const char *const names[] = {"open", "stick", "slide"};
  return names[mode];
}

enum { MOST = 1 + SRS_CONTACT_TANGENTS_MOST };

typedef struct judging {
  const srs_contact_problem *problem;
  const srs_contact_claim *claim;
  srs_friction_set set;
  int n;
  wide size;                          // |b'|, or |lambda'|
  wide claimed, exact, plain, energy; // sums: squares of the natural maps; twice the energy
} judging;

// ---- rows ----

// Rows that belong together: a contact's, or one other.
typedef struct group {
  int first, rows;
  int kind_index; // which of its kind
  wide s;
  wide x[MOST], v[MOST], b[MOST];
} group;

// (W lambda + b) of a row of group `node`, and its diagonal entry.
static wide find_velocity(const judging *j, int node, int row, wide *diagonal)
{
  const srs_contact_blocks *blocks = j->problem->blocks;
  const double *impulse = j->claim->impulse;
  wide sum = 0;
  if (blocks == NULL) {
    const double *W = j->problem->W + (size_t)row * (size_t)j->n;
    for (int k = 0; k < j->n; k++) sum += (wide)W[k] * impulse[k];
    *diagonal = W[row];
    return sum + j->problem->b[row];
  }
  const size_t height = (size_t)(blocks->first[node + 1] - blocks->first[node]);
  const size_t width = (blocks->begin[node + 1] - blocks->begin[node]) / height;
  const double *W = blocks->value + blocks->begin[node] + (size_t)(row - blocks->first[node]) * width;
  *diagonal = 0;
  for (int b = blocks->start[node]; b < blocks->start[node + 1]; b++)
    for (int k = blocks->first[blocks->column[b]]; k < blocks->first[blocks->column[b] + 1]; k++, W++) {
      if (k == row) *diagonal = *W;
      sum += (wide)*W * impulse[k];
    }
  return sum + j->problem->b[row];
}

// e of row k of a group
static wide anisotropy_of(const judging *j, const group *g, int k)
{
  const bool is_tangent = k > 0; // only contacts have more than one row
  return is_tangent ? srs_contact_anisotropy(j->problem, g->kind_index, k - 1) : 1;
}

static group read_group(const judging *j, int node, int first, int rows, int kind_index)
{
  group g = {.first = first, .rows = rows, .kind_index = kind_index};
  wide sum = 0;
  for (int k = 0; k < rows; k++) {
    wide diagonal;
    const wide e = anisotropy_of(j, &g, k);
    g.v[k] = e * find_velocity(j, node, first + k, &diagonal);
    g.x[k] = j->claim->impulse[first + k] / e;
    g.b[k] = e * j->problem->b[first + k];
    sum += e * e * diagonal;
  }
  g.s = sum > 0 ? 1 / sqrtl(sum / rows) : 1;
  return g;
}

typedef void group_visit(judging *j, const group *g, void *context);

// Calls `visit` for each group. Kinds in the order of contact.h.
static void visit_groups(judging *j, group_visit *const visits[4], void *context)
{
  const srs_contact_problem *p = j->problem;
  const int counts[4] = {p->n_bilateral, p->n_contacts, p->n_unilateral, p->n_box};
  int node = 0, row = 0;
  for (int kind = 0; kind < 4; kind++)
    for (int i = 0; i < counts[kind]; i++, node++) {
      const int rows = kind == 1 ? 1 + srs_contact_tangents(p, i) : 1;
      const group g = read_group(j, node, row, rows, i);
      visits[kind](j, &g, context);
      row += rows;
    }
}

// ---- the size of the data ----

typedef struct sizes {
  wide b, impulse; // squares
} sizes;

static void add_size(judging *j, const group *g, void *context)
{
  sizes *size = context;
  (void)j;
  for (int k = 0; k < g->rows; k++) {
    const wide b = g->s * g->b[k], x = g->x[k] / g->s;
    size->b += b * b, size->impulse += x * x;
  }
}

// ---- the laws ----

// Of one contact, in one scaling.
typedef struct laws {
  wide gap, cone, dissipation;
  wide claimed, exact; // squares of natural maps: as claimed, on the cone
} laws;

static wide difference(int d, const wide *a, const wide *b)
{
  wide sum = 0;
  for (int k = 0; k < d; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrtl(sum);
}

// |y - P_F(y - u)|; where y - u is in F this is |u|, also where u is lost in y.
static wide friction_defect(const srs_friction_set *set, int d, wide r, const wide *y, const wide *u)
{
  wide t[MOST] = {0}, nearest[MOST];
  for (int k = 0; k < d; k++) t[k] = y[k] - u[k];
  return srs_friction_set_project(set, d, r, t, nearest) ? srs_wide_length(d, u) : difference(d, y, nearest);
}

// |x - P_K(z)|^2
static wide cone_defect(int d, wide mu, const wide *x, const wide *v)
{
  const wide away = v[0] + mu * srs_wide_length(d, v + 1), z_n = x[0] - away;
  wide z[MOST], nearest[MOST] = {0};
  for (int k = 1; k <= d; k++) z[k] = x[k] - v[k];
  const wide size = srs_wide_length(d, z + 1);
  if (z_n >= 0 && size <= mu * z_n) { // x - z
    const wide u = srs_wide_length(d, v + 1);
    return away * away + u * u;
  }
  if (mu * size > -z_n) {
    nearest[0] = (z_n + mu * size) / (1 + mu * mu);
    for (int k = 1; k <= d; k++) nearest[k] = mu * nearest[0] * z[k] / size;
  }
  const wide off = difference(1 + d, x, nearest);
  return off * off;
}

static laws measure(const judging *j, int d, wide mu, const wide *x, const wide *v)
{
  laws l;
  wide y[MOST];
  const wide r = mu * fmaxl(x[0], 0);
  const wide lift = j->claim->is_relaxed ? mu * srs_friction_set_slip(&j->set, d, v + 1) : 0;
  l.gap = fabsl(fminl(x[0], v[0] - lift));
  l.cone = srs_friction_set_project(&j->set, d, r, x + 1, y) ? 0 : difference(d, x + 1, y);
  l.dissipation = friction_defect(&j->set, d, r, y, v + 1);
  l.exact = cone_defect(d, mu, x, v);
  l.claimed = l.exact;
  if (j->set.n > 0 || j->claim->is_relaxed) {
    const wide friction = friction_defect(&j->set, d, r, x + 1, v + 1);
    l.claimed = l.gap * l.gap + friction * friction;
  }
  return l;
}

static srs_contact_mode find_mode(const judging *j, int d, wide mu, const wide *x, const wide *v)
{
  if (x[0] <= fmaxl(v[0], 0)) return SRS_CONTACT_OPEN;
  if (d == 0 || mu == 0) return SRS_CONTACT_SLIDES;
  const wide lack = fabsl(mu * x[0] - srs_friction_set_gauge(&j->set, d, x + 1));
  return srs_wide_length(d, v + 1) <= lack ? SRS_CONTACT_STICKS : SRS_CONTACT_SLIDES;
}

typedef struct results {
  srs_contact_judgement *judgement;
  srs_contact_finding *findings; // NULL: not wanted
} results;

static void record(srs_contact_residual *residual, wide worst, wide relative, int index)
{
  if ((double)worst > residual->worst) residual->worst = (double)worst, residual->index = index;
  residual->relative = fmax(residual->relative, (double)relative);
}

// What all rows have: energy, and the velocities claimed.
static void judge_rows(judging *j, const group *g, srs_contact_judgement *out)
{
  for (int k = 0; k < g->rows; k++) {
    const wide e = anisotropy_of(j, g, k), velocity = g->v[k] / e;
    j->energy += j->claim->impulse[g->first + k] * (velocity + j->problem->b[g->first + k]);
    if (j->claim->velocity == NULL) continue;
    const wide off = fabsl(j->claim->velocity[g->first + k] - velocity);
    record(&out->velocity, off, g->s * e * off / j->size, g->first + k);
  }
}

static void judge_scalar(judging *j, const group *g, wide lower, wide upper, srs_contact_residual *residual,
                         srs_contact_judgement *out)
{
  const wide s = g->s, x = g->x[0], v = g->v[0];
  // x - clamp(x - v, lower, upper), also where v is lost in x
  const wide plain = fabsl(fminl(fmaxl(v, x - upper), x - lower));
  const wide scaled = fabsl(fminl(fmaxl(s * v, (x - upper) / s), (x - lower) / s));
  record(residual, plain, scaled / j->size, g->kind_index);
  j->plain += plain * plain, j->claimed += scaled * scaled, j->exact += scaled * scaled;
  judge_rows(j, g, out);
}

static void judge_loop(judging *j, const group *g, void *context)
{
  results *out = context;
  judge_scalar(j, g, -INFINITY, INFINITY, &out->judgement->loops, out->judgement);
}

static void judge_limit(judging *j, const group *g, void *context)
{
  results *out = context;
  judge_scalar(j, g, 0, INFINITY, &out->judgement->limits, out->judgement);
}

static void judge_box(judging *j, const group *g, void *context)
{
  results *out = context;
  judge_scalar(j, g, j->problem->box_lower[g->kind_index], j->problem->box_upper[g->kind_index], &out->judgement->box,
               out->judgement);
}

static void judge_contact(judging *j, const group *g, void *context)
{
  results *out = context;
  srs_contact_judgement *judgement = out->judgement;
  const int d = g->rows - 1;
  const wide mu = j->problem->friction[g->kind_index];
  wide x[MOST], v[MOST];
  for (int k = 0; k <= d; k++) x[k] = g->x[k] / g->s, v[k] = g->s * g->v[k];
  const laws plain = measure(j, d, mu, g->x, g->v), scaled = measure(j, d, mu, x, v);
  record(&judgement->gap, plain.gap, scaled.gap / j->size, g->kind_index);
  record(&judgement->cone, plain.cone, scaled.cone / j->size, g->kind_index);
  record(&judgement->dissipation, plain.dissipation, scaled.dissipation / j->size, g->kind_index);
  j->plain += plain.exact, j->claimed += scaled.claimed, j->exact += scaled.exact;
  judge_rows(j, g, judgement);
  if (out->findings == NULL) return;
  out->findings[g->kind_index] = (srs_contact_finding){
      .mode = find_mode(j, d, mu, x, v),
      .normal = (double)g->x[0],
      .friction = (double)srs_wide_length(d, g->x + 1),
      .normal_velocity = (double)g->v[0],
      .slip = (double)srs_wide_length(d, g->v + 1),
      .gap = (double)plain.gap,
      .cone = (double)plain.cone,
      .dissipation = (double)plain.dissipation,
      .relative = (double)(fmaxl(scaled.gap, fmaxl(scaled.cone, scaled.dissipation)) / j->size),
  };
}

// ---- the front door ----

static bool all_finite(int n, const double *x)
{
  for (int i = 0; x != NULL && i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static srs_status check(const srs_contact_problem *problem, const srs_contact_claim *claim, int *n)
{
  srs_contact_form form;
  const srs_status status = srs_contact_problem_check(problem, &form);
  if (status != SRS_OK) return status;
  *n = form.n;
  const int directions = claim->n_directions;
  if (directions != 0 && (directions < 4 || directions > SRS_CONTACT_DIRECTIONS_MOST || directions % 2 != 0))
    return SRS_ERROR_ARGUMENT;
  if (form.n > 0 && claim->impulse == NULL) return SRS_ERROR_ARGUMENT;
  if (!all_finite(form.n, claim->impulse) || !all_finite(form.n, claim->velocity)) return SRS_ERROR_NOT_FINITE;
  return isfinite(claim->direction_angle) ? SRS_OK : SRS_ERROR_NOT_FINITE;
}

static const srs_contact_residual none = {0, 0, -1};

srs_status srs_contact_judge(const srs_contact_problem *problem, const srs_contact_claim *claim,
                             srs_contact_judgement *judgement, srs_contact_finding *findings)
{
  judging j = {.problem = problem, .claim = claim};
  const srs_status status = check(problem, claim, &j.n);
  if (status != SRS_OK) return status;
  srs_friction_set_make(claim->n_directions, claim->direction_angle, &j.set);
  sizes size = {0};
  visit_groups(&j, (group_visit *const[]){add_size, add_size, add_size, add_size}, &size);
  j.size = sqrtl(size.b > 0 ? size.b : size.impulse);
  if (j.size == 0) j.size = 1; // nothing moves and nothing pushes
  *judgement = (srs_contact_judgement){
      .gap = none, .cone = none, .dissipation = none, .loops = none, .limits = none, .box = none, .velocity = none};
  if (claim->velocity == NULL) judgement->velocity.worst = judgement->velocity.relative = NAN;
  results out = {judgement, findings};
  visit_groups(&j, (group_visit *const[]){judge_loop, judge_contact, judge_limit, judge_box}, &out);
  judgement->residual = (double)(sqrtl(j.claimed) / j.size);
  judgement->exact_residual = (double)(sqrtl(j.exact) / j.size);
  judgement->natural_map = (double)sqrtl(j.plain);
  judgement->energy = (double)(j.energy / 2);
  return SRS_OK;
}
