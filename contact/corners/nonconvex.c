// Solver of nonconvex contact problems (nonconvex.h): which side of each group holds, and with which impulses?
//
// Max form (Egan, Berard & Trinkle, sec. IV): with a_k = w_n of side k, the least of its contacts', max_k a_k >= 0 in
// each group, and p_k > 0 only where a_k = 0 = max_k a_k. Lemke's pivoting cannot solve that, so sides are chosen: with
// one side of each group kept and the others left out the problem is an ordinary one. Its solution solves the whole if
// no side pushes while another of its group separates (else the plane would push beyond its end).
//
// Without friction such a choice exists if any choice has a solution: the admissible velocity nearest to b (in the
// energy norm) is the solution for every choice of sides that hold there, and a side that pushes beside a separating
// one can be exchanged for it.
//
//   guess    each group's side of the last step, or the one nearest to separating: the largest b_n
//   walk     replace each side that pushes while another separates by the one that separates most, until it is a
//            solution or a choice recurs
//   search   branch and bound: no group decided at first; then the most violated group, its sides in the order of their
//            a_k; a branch ends where the problem with the sides chosen so far has no solution, and a node that
//            violates no group is a solution with the rest undecided
#include "contact/algebra/budget.h"
#include "contact/algebra/levenberg_marquardt.h"
#include "contact/corners/nonconvex_memory.h"
#include "contact/corners/summation.h"
#include "contact/problem/problem.h"
#include "topology/base/reserve.h"

#include <stdlib.h>
#include <string.h>

// ---- memory ----

static bool take_memory(srs_nonconvex_solver *s)
{
  const size_t rows = (size_t)s->capacity.n_rows, groups = (size_t)s->capacity.n_groups,
               sides = (size_t)s->capacity.n_sides;
  s->memory = srs_reserve_unused(rows * rows + 11 * rows + sides + 1, sizeof *s->memory);
  s->indices = srs_reserve_unused(3 * rows + 2 * groups + sides + 1, sizeof *s->indices);
  s->marks = srs_reserve_unused(rows + (SRS_CORNER_WALK + 2) * sides + groups + 1, 1);
  if (s->memory == NULL || s->indices == NULL || s->marks == NULL) return false;
  double *m = s->memory;
  s->W = m, m += rows * rows;
  s->anisotropy = m, m += 3 * rows;
  s->gap = m, m += sides;
  double **vectors[] = {&s->b, &s->friction, &s->rolling, &s->x, &s->scale, &s->impulse, &s->best, &s->velocity};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++, m += rows) *vectors[i] = m;
  s->row = s->indices;
  s->normal = s->row + rows;
  s->group_of = s->normal + rows;
  s->stack = s->group_of + rows;
  s->next = s->stack + groups;
  s->order = s->next + groups;
  s->tangents = s->marks;
  s->is_on = s->tangents + rows;
  s->is_on_at_best = s->is_on + sides;
  s->seen = s->is_on_at_best + sides;
  s->is_decided = s->seen + SRS_CORNER_WALK * sides;
  return true;
}

srs_status srs_nonconvex_solver_create(const srs_nonconvex_capacity *capacity, srs_nonconvex_solver **solver,
                                       srs_error *error)
{
  if (capacity == NULL || solver == NULL)
    return srs_contact_fail(error, SRS_ERROR_ARGUMENT, "no capacity, or nowhere to put the solver");
  if (capacity->n_groups < 0 || capacity->n_sides < capacity->n_groups || capacity->n_sides > capacity->n_rows)
    return srs_contact_fail(error, SRS_ERROR_ARGUMENT,
                            "%d groups of %d sides in %d rows: each group has a side at least, and each side a row",
                            capacity->n_groups, capacity->n_sides, capacity->n_rows);
  srs_nonconvex_solver *s = calloc(1, sizeof *s);
  if (s == NULL) return srs_contact_fail(error, SRS_ERROR_MEMORY, "no memory for a solver");
  s->capacity = *capacity;
  srs_status status = srs_contact_solver_create(0, &s->inner, error);
  if (status == SRS_OK)
    status = srs_contact_solver_reserve_directions(s->inner, capacity->n_rows, capacity->n_directions, error);
  if (status == SRS_OK && !take_memory(s))
    status = srs_contact_fail(error, SRS_ERROR_MEMORY, "no memory for problems of %d rows with %d sides",
                              capacity->n_rows, capacity->n_sides);
  if (status == SRS_OK && capacity->has_summation) status = srs_summation_create(capacity, &s->summation, error);
  if (status != SRS_OK) {
    srs_nonconvex_solver_destroy(s);
    return status;
  }
  *solver = s;
  return SRS_OK;
}

void srs_nonconvex_solver_destroy(srs_nonconvex_solver *solver)
{
  if (solver == NULL) return;
  srs_summation_destroy(solver->summation);
  srs_contact_solver_destroy(solver->inner);
  srs_release(solver->memory);
  srs_release(solver->indices);
  srs_release(solver->marks);
  free(solver);
}

// ---- names and defaults ----

static const char *const form_names[] = {"max", "summation"};

const char *srs_nonconvex_form_name(srs_nonconvex_form form)
{
  return form == SRS_NONCONVEX_MAX || form == SRS_NONCONVEX_SUMMATION ? form_names[form] : "unknown";
}

bool srs_nonconvex_form_from_name(const char *text, srs_nonconvex_form *form)
{
  if (text == NULL || form == NULL) return false;
  for (int i = 0; i <= SRS_NONCONVEX_SUMMATION; i++) {
    if (strcmp(text, form_names[i]) != 0) continue;
    *form = (srs_nonconvex_form)i;
    return true;
  }
  return false;
}

srs_nonconvex_options srs_default_nonconvex_options(void)
{
  return (srs_nonconvex_options){
      .form = SRS_NONCONVEX_MAX, .contact = srs_default_contact_options(), .most_tries = 1000, .epsilon = 1e-3};
}

// ---- one try ----

typedef struct search {
  srs_nonconvex_solver *s;
  const srs_contact_problem *whole;
  srs_side_groups groups;
  const int *size_of_side; // NULL: 1 each
  const srs_nonconvex_options *options;
  srs_nonconvex_report *report;
  double left, fixed; // work of all tries together; the least that one takes
  int n;              // rows of the whole
  double size;        // |S b| of the rows of the last try
  double rounding;    // scaled impulses and velocities up to this are zero
  bool has_guess;     // s->impulse is worth starting from
  bool is_certified;  // the last try was solved to the tolerance, or to rounding
  bool is_solved;     // the last try was solved, at least to 1e-9
  double fault;       // its distance from a solution of the whole: 0 for one
  double best_fault;  // of the best try
  srs_status status;
} search;

static double largest_gap(const search *a, int group)
{
  double most = -INFINITY;
  for (int k = a->groups.first[group]; k < a->groups.first[group + 1]; k++) most = fmax(most, a->s->gap[k]);
  return most;
}

static int contacts_of(const search *a, int k) { return a->size_of_side != NULL ? a->size_of_side[k] : 1; }

// The least of a side's contacts.
static double least_of(const search *a, int k, const double *velocity)
{
  double least = INFINITY;
  for (int c = 0; c < contacts_of(a, k); c++) least = fmin(least, velocity[a->s->normal[a->groups.side[k] + c]]);
  return least;
}

static double largest_impulse(const search *a, int k)
{
  double most = 0;
  for (int c = 0; c < contacts_of(a, k); c++) most = fmax(most, a->s->impulse[a->s->normal[a->groups.side[k] + c]]);
  return most;
}

// A side's normal impulse and velocity in the scale of the whole.
static double push_of(const search *a, int k)
{
  return largest_impulse(a, k) / (a->s->scale[a->s->normal[a->groups.side[k]]] * a->size);
}

static double scaled_gap(const search *a, int k, double gap)
{
  return gap * a->s->scale[a->s->normal[a->groups.side[k]]] / a->size;
}

// The freest side of k's group but k; -1: there is no other.
static int freest_beside(const search *a, int k)
{
  const int group = a->s->group_of[a->groups.side[k]];
  int best = -1;
  for (int j = a->groups.first[group]; j < a->groups.first[group + 1]; j++)
    if (j != k && (best < 0 || a->s->gap[j] > a->s->gap[best])) best = j;
  return best;
}

// By how much does a side push while another of its group separates? The side's own separation is subtracted: it is
// zero, except under a relaxed law, where sliding contacts separate, from the other sides too.
static double conflict_of(const search *a, int k)
{
  const int other = freest_beside(a, k);
  if (other < 0) return 0;
  const double free = a->s->gap[other] - fmax(a->s->gap[k], 0);
  const double both = fmin(push_of(a, k), scaled_gap(a, k, free - a->options->slack));
  return both > a->rounding ? both : 0;
}

static double violation_of(const search *a, int group)
{
  const double below = -scaled_gap(a, a->groups.first[group], largest_gap(a, group));
  return below > a->rounding ? below : 0;
}

static double fault_of(const search *a)
{
  double sum = 0;
  for (int group = 0; group < a->groups.n; group++) {
    sum += 1e3 * violation_of(a, group); // a superfluous push is better than penetration
    for (int k = a->groups.first[group]; k < a->groups.first[group + 1]; k++)
      if (a->s->is_on[k]) sum += conflict_of(a, k);
  }
  return sum;
}

// Lists the rows of the whole that are kept; returns how many, and how many contacts.
static int keep_rows(const search *a, int *n_contacts)
{
  const srs_contact_problem *p = a->whole;
  srs_nonconvex_solver *s = a->s;
  int n = 0, contacts = 0;
  for (int i = 0; i < p->n_bilateral; i++) s->row[n++] = i;
  for (int k = 0; k < a->groups.first[a->groups.n]; k++)
    memset(s->tangents + a->groups.side[k], s->is_on[k], (size_t)contacts_of(a, k)); // temporarily: which are kept
  for (int c = 0; c < p->n_contacts; c++) {
    const int tangents = srs_contact_tangents(p, c);
    if (s->group_of[c] >= 0 && s->tangents[c] == 0) continue;
    for (int k = 0; k <= tangents; k++) s->row[n++] = s->normal[c] + k;
    s->friction[contacts] = p->friction[c];
    for (int k = 0; k < 3 && p->anisotropy != NULL; k++)
      s->anisotropy[3 * (size_t)contacts + (size_t)k] = p->anisotropy[3 * (size_t)c + (size_t)k];
    if (p->rolling != NULL) s->rolling[contacts] = p->rolling[c];
    s->tangents[contacts++] = (unsigned char)tangents; // contacts <= c: that mark has been read
  }
  for (int i = a->n - p->n_unilateral - p->n_box; i < a->n; i++) s->row[n++] = i;
  *n_contacts = contacts;
  return n;
}

static srs_contact_problem left_over(const search *a)
{
  const srs_contact_problem *p = a->whole;
  srs_nonconvex_solver *s = a->s;
  srs_contact_problem left = *p;
  const size_t n = (size_t)keep_rows(a, &left.n_contacts);
  for (size_t i = 0; i < n; i++) {
    const double *row = p->W + (size_t)s->row[i] * (size_t)a->n;
    s->b[i] = p->b[s->row[i]];
    s->x[i] = s->impulse[s->row[i]];
    for (size_t j = 0; j < n; j++) s->W[i * n + j] = row[s->row[j]];
  }
  left.W = s->W, left.b = s->b, left.friction = s->friction;
  left.tangents = p->tangents != NULL ? s->tangents : NULL;
  left.anisotropy = p->anisotropy != NULL ? s->anisotropy : NULL;
  left.rolling = p->rolling != NULL ? s->rolling : NULL;
  return left;
}

static void find_gaps(const search *a, int n_left)
{
  const srs_nonconvex_solver *s = a->s;
  for (int k = 0; k < a->groups.first[a->groups.n]; k++) {
    s->gap[k] = INFINITY;
    for (int c = 0; c < contacts_of(a, k); c++) {
      const int i = s->normal[a->groups.side[k] + c];
      double w = a->whole->b[i];
      for (int j = 0; j < n_left; j++) w += a->whole->W[(size_t)i * (size_t)a->n + (size_t)s->row[j]] * s->x[j];
      s->gap[k] = fmin(s->gap[k], w);
    }
  }
}

static void keep_best(search *a, const srs_contact_report *report)
{
  const double fault = (a->is_solved ? a->fault : 1e3) + (a->is_certified ? 0 : report->residual);
  if (a->report->tries > 1 && !(fault < a->best_fault)) return;
  a->best_fault = fault;
  a->report->contact = *report;
  memcpy(a->s->best, a->s->impulse, sizeof *a->s->best * (size_t)a->n);
  memcpy(a->s->is_on_at_best, a->s->is_on, (size_t)a->groups.first[a->groups.n]);
}

static double size_of(const search *a, const srs_contact_problem *left)
{
  double *scale = a->s->velocity; // not yet in use
  const int n = srs_contact_problem_rows(left);
  for (int i = 0; i < n; i++) scale[i] = a->s->scale[a->s->row[i]];
  const double size = srs_contact_size(n, left->b, scale);
  return size > 0 ? size : 1;
}

// Solves with the chosen sides. True if that solves the whole.
static bool holds(search *a)
{
  srs_nonconvex_solver *s = a->s;
  srs_contact_report report;
  const srs_contact_problem left = left_over(a);
  const int n = srs_contact_problem_rows(&left);
  a->size = size_of(a, &left);
  srs_contact_options options = a->options->contact;
  options.most_work = a->left;
  a->status = srs_contact_solve(s->inner, &left, &options, a->has_guess, s->x, NULL, &report);
  if (a->status != SRS_OK) return false;
  a->left -= fmax(report.work, (double)n * n);
  for (int i = 0; i < a->n; i++) s->impulse[i] = 0;
  for (int i = 0; i < n; i++) s->impulse[s->row[i]] = s->x[i];
  a->has_guess = true;
  a->report->tries++;
  a->report->iterations += report.iterations;
  a->is_certified = report.status == SRS_CONTACT_SOLVED || report.status == SRS_CONTACT_STAGNATED;
  a->is_solved = a->is_certified || report.residual <= a->rounding;
  find_gaps(a, n);
  a->fault = fault_of(a);
  keep_best(a, &report);
  return a->is_certified && a->fault == 0;
}

static bool may_go_on(const search *a)
{
  if (a->report->tries == 0) return a->status == SRS_OK;
  return a->status == SRS_OK && a->report->tries < a->options->most_tries && a->left > a->fixed;
}

// ---- guess and walk ----

static void choose_only(const search *a, int group, int side)
{
  for (int k = a->groups.first[group]; k < a->groups.first[group + 1]; k++) a->s->is_on[k] = k == side;
}

static int freest_side(const search *a, int group)
{
  int best = a->groups.first[group];
  for (int k = best + 1; k < a->groups.first[group + 1]; k++)
    if (a->s->gap[k] > a->s->gap[best]) best = k;
  return best;
}

// The last step's side, unless another separates without impulses.
static void guess(const search *a, bool is_warm, const int *side)
{
  for (int group = 0; group < a->groups.n; group++) {
    const int first = a->groups.first[group], count = a->groups.first[group + 1] - first;
    const int freest = freest_side(a, group);
    const bool is_known = is_warm && side[group] >= 0 && side[group] < count && a->s->gap[freest] < 0;
    choose_only(a, group, is_known ? first + side[group] : freest);
  }
}

static bool was_seen(const search *a, int n_seen)
{
  const size_t sides = (size_t)a->groups.first[a->groups.n];
  for (int i = 0; i < n_seen; i++)
    if (memcmp(a->s->seen + (size_t)i * sides, a->s->is_on, sides) == 0) return true;
  return false;
}

static bool walk(search *a)
{
  const size_t sides = (size_t)a->groups.first[a->groups.n];
  for (int step = 0; step < SRS_CORNER_WALK && may_go_on(a) && !was_seen(a, step); step++) {
    memcpy(a->s->seen + (size_t)step * sides, a->s->is_on, sides);
    if (holds(a)) return true;
    if (!a->is_solved) return false;
    for (int k = 0; k < (int)sides; k++) {
      const int group = a->s->group_of[a->groups.side[k]];
      if (!a->s->is_on[k] || conflict_of(a, k) == 0) continue;
      choose_only(a, group, freest_beside(a, k));
      k = a->groups.first[group + 1] - 1;
    }
  }
  return false;
}

// ---- search ----

// The undecided group that is most violated, or nearest to violation.
static int next_group(const search *a)
{
  int best = -1;
  for (int group = 0; group < a->groups.n; group++) {
    if (a->s->is_decided[group]) continue;
    if (best < 0 || largest_gap(a, group) < largest_gap(a, best)) best = group;
  }
  return best;
}

// Branches on a group, its sides in the order of their gaps.
static void branch(const search *a, int group, int depth)
{
  const int first = a->groups.first[group], end = a->groups.first[group + 1];
  int *order = a->s->order;
  for (int k = first; k < end; k++) {
    int place = k;
    for (; place > first && a->s->gap[order[place - 1]] < a->s->gap[k]; place--) order[place] = order[place - 1];
    order[place] = k;
  }
  a->s->stack[depth] = group;
  a->s->next[depth] = 0;
  a->s->is_decided[group] = 1;
}

// Depth first. True if a solution was found.
static bool search_all(search *a)
{
  srs_nonconvex_solver *s = a->s;
  int depth = 0;
  for (int group = 0; group < a->groups.n; group++) choose_only(a, group, -1), s->is_decided[group] = 0;
  while (may_go_on(a)) {
    if (holds(a)) return true;
    const int group = a->is_solved ? next_group(a) : -1;
    if (group >= 0) branch(a, group, depth++);
    while (depth > 0) {
      const int last = s->stack[depth - 1], first = a->groups.first[last];
      if (s->next[depth - 1] < a->groups.first[last + 1] - first) {
        choose_only(a, last, s->order[first + s->next[depth - 1]++]);
        break;
      }
      choose_only(a, last, -1);
      s->is_decided[last] = 0;
      depth--;
    }
    if (depth == 0) return false;
  }
  return false;
}

// ---- the whole ----

static srs_status check_groups(const srs_nonconvex_solver *s, const srs_nonconvex_problem *p)
{
  if (p->n_groups < 0 || (p->n_groups > 0 && (p->first == NULL || p->side == NULL || p->first[0] != 0)))
    return SRS_ERROR_ARGUMENT;
  if (srs_contact_problem_rows(&p->contacts) > s->capacity.n_rows || p->n_groups > s->capacity.n_groups)
    return SRS_ERROR_CAPACITY;
  for (int group = 0; group < p->n_groups; group++)
    if (p->first[group + 1] <= p->first[group]) return SRS_ERROR_ARGUMENT;
  return p->n_groups > 0 && p->first[p->n_groups] > s->capacity.n_sides ? SRS_ERROR_CAPACITY : SRS_OK;
}

// Where the contacts' rows are, and which group each is of.
static srs_status place(srs_nonconvex_solver *s, const srs_nonconvex_problem *p)
{
  int row = p->contacts.n_bilateral;
  for (int c = 0; c < p->contacts.n_contacts; c++) {
    s->normal[c] = row;
    s->group_of[c] = -1;
    row += 1 + srs_contact_tangents(&p->contacts, c);
  }
  for (int group = 0; group < p->n_groups; group++)
    for (int k = p->first[group]; k < p->first[group + 1]; k++) {
      const int size = p->size != NULL ? p->size[k] : 1;
      if (size < 1 || p->side[k] < 0 || p->side[k] > p->contacts.n_contacts - size) return SRS_ERROR_ARGUMENT;
      for (int c = p->side[k]; c < p->side[k] + size; c++) {
        if (s->group_of[c] >= 0) return SRS_ERROR_ARGUMENT;
        s->group_of[c] = group;
      }
    }
  return SRS_OK;
}

static srs_status check_call(srs_nonconvex_solver *s, const srs_nonconvex_problem *p,
                             const srs_nonconvex_options *options, bool is_warm, const double *impulse, const int *side)
{
  srs_contact_form form;
  srs_status status = srs_contact_problem_check(&p->contacts, &form);
  if (status == SRS_OK) status = check_groups(s, p);
  if (status == SRS_OK) status = place(s, p);
  if (status != SRS_OK) return status;
  if (!(options->slack >= 0) || !isfinite(options->slack)) return SRS_ERROR_ARGUMENT;
  if (options->most_tries < 1 || !(options->epsilon > 0) || !isfinite(options->epsilon)) return SRS_ERROR_ARGUMENT;
  const int n = srs_contact_problem_rows(&p->contacts);
  if ((n > 0 && impulse == NULL) || (p->n_groups > 0 && side == NULL)) return SRS_ERROR_ARGUMENT;
  for (int i = 0; is_warm && i < n; i++)
    if (!isfinite(impulse[i])) return SRS_ERROR_NOT_FINITE;
  return SRS_OK;
}

static void velocity_of(const srs_contact_problem *p, int n, const double *impulse, double *w)
{
  for (int i = 0; i < n; i++) {
    const double *row = p->W + (size_t)i * (size_t)n;
    double sum = p->b[i];
    for (int j = 0; j < n; j++) sum += row[j] * impulse[j];
    w[i] = sum;
  }
}

// Fills the report's figures of groups, and the sides.
static void conclude(search *a, int *side)
{
  srs_nonconvex_solver *s = a->s;
  memcpy(s->impulse, s->best, sizeof *s->best * (size_t)a->n);
  velocity_of(a->whole, a->n, s->impulse, s->velocity);
  for (int k = 0; k < a->groups.first[a->groups.n]; k++) s->gap[k] = least_of(a, k, s->velocity);
  for (int group = 0; group < a->groups.n; group++) {
    const int first = a->groups.first[group];
    int chosen = freest_side(a, group);
    a->report->violation = fmax(a->report->violation, -largest_gap(a, group));
    for (int k = first; k < a->groups.first[group + 1]; k++) {
      if (conflict_of(a, k) > 0) a->report->phantom = fmax(a->report->phantom, largest_impulse(a, k));
      if (s->is_on_at_best[k]) chosen = k;
    }
    side[group] = chosen - first;
  }
}

// What all tries together may take: as much as one problem.
static double begin_work(search *a)
{
  const srs_contact_options *o = &a->options->contact;
  const srs_contact_problem *p = a->whole;
  const double unknowns = srs_contact_method_has_polyhedron(o->method) ? a->n * (o->n_directions + 2) : 0;
  a->fixed = srs_fixed_work(a->n, p->n_bilateral, unknowns);
  return a->left = srs_allow(o->most_work, a->fixed, srs_cube(a->n) / 3, srs_usual_work).most;
}

static srs_status solve_max(srs_nonconvex_solver *s, const srs_nonconvex_problem *p,
                            const srs_nonconvex_options *options, bool is_warm, double *impulse, int *side,
                            srs_nonconvex_report *report)
{
  search a = {.s = s,
              .whole = &p->contacts,
              .groups = {p->n_groups, p->first, p->side},
              .size_of_side = p->size,
              .options = options,
              .report = report,
              .n = srs_contact_problem_rows(&p->contacts),
              .rounding = fmax(1e-9, 100 * options->contact.tolerance),
              .has_guess = is_warm};
  const srs_contact_form form = srs_contact_any_form(&p->contacts);
  srs_contact_scales(&p->contacts, &form, s->scale);
  for (int i = 0; i < a.n; i++) s->impulse[i] = is_warm ? impulse[i] : 0;
  for (int k = 0; k < p->first[p->n_groups]; k++) s->gap[k] = least_of(&a, k, p->contacts.b);
  guess(&a, is_warm, side);
  const double most_work = begin_work(&a);
  const bool is_found = walk(&a) || search_all(&a);
  if (a.status != SRS_OK) return a.status;
  conclude(&a, side);
  report->contact.work = most_work - a.left, report->contact.most_work = most_work;
  report->status = is_found ? report->contact.status : SRS_CONTACT_UNSOLVED;
  return SRS_OK;
}

srs_status srs_nonconvex_solve(srs_nonconvex_solver *s, const srs_nonconvex_problem *p,
                               const srs_nonconvex_options *options, bool is_warm, double *impulse, double *velocity,
                               int *side, srs_nonconvex_report *report)
{
  const srs_nonconvex_options standard = srs_default_nonconvex_options();
  if (options == NULL) options = &standard;
  if (s == NULL || p == NULL || report == NULL) return SRS_ERROR_ARGUMENT;
  *report = (srs_nonconvex_report){.status = SRS_CONTACT_NOT_FINITE};
  srs_status status = check_call(s, p, options, is_warm, impulse, side);
  if (status != SRS_OK) return status;
  const int n = srs_contact_problem_rows(&p->contacts);
  if (p->n_groups == 0) {
    status = srs_contact_solve(s->inner, &p->contacts, &options->contact, is_warm, impulse, velocity, &report->contact);
    report->tries = 1, report->iterations = report->contact.iterations, report->status = report->contact.status;
    return status;
  }
  if (options->form == SRS_NONCONVEX_SUMMATION && (s->summation == NULL || p->size != NULL))
    return SRS_ERROR_UNSUPPORTED;
  if (options->form == SRS_NONCONVEX_SUMMATION)
    status = srs_summation_solve(s, p, options, side, report);
  else if (options->form == SRS_NONCONVEX_MAX)
    status = solve_max(s, p, options, is_warm, impulse, side, report);
  else
    status = SRS_ERROR_ARGUMENT;
  if (status != SRS_OK) return status;
  memcpy(impulse, s->impulse, sizeof *impulse * (size_t)n);
  if (velocity != NULL) memcpy(velocity, s->velocity, sizeof *velocity * (size_t)n);
  return SRS_OK;
}
