// Which impulses solve a large problem, given by blocks?
//
// `relaxed`: by an interior point. `relaxed-fixed-point`: by iterating it as contact/relaxation.h says.
#include "contact/large.h"

#include <math.h>
#include <string.h>

// Back to the problem's own units, and judged.
static void finish(srs_interior *s, const srs_contact_form *form, const srs_contact_options *options, double size,
                   double *impulse, double *velocity, srs_contact_report *report)
{
  const srs_contact_problem *p = s->problem;
  for (int i = 0; i < s->n_rows; i++) impulse[i] = s->scale[i] * size * s->answer[i];
  srs_contact_measure(p, form, s->scale, size, &s->polyhedron, impulse, s->velocity, report);
  srs_contact_judge(p, s->scale, size, options->tolerance, impulse, report);
  if (velocity != NULL) memcpy(velocity, s->velocity, sizeof *velocity * (size_t)s->n_rows);
}

// |mu sigma - Gamma|, and `part` of that added to Gamma.
static double go_on(srs_interior *s, double part)
{
  const srs_contact_problem *p = s->problem;
  double sum = 0;
  for (int c = 0; c < p->n_contacts; c++) {
    const int i = p->blocks->first[p->n_bilateral + c];
    const double slip = srs_polyhedron_slip(&s->polyhedron, srs_contact_tangents(p, c), s->w + i + 1);
    const double off = p->friction[c] * slip - s->ahead[c];
    sum += off * off;
    s->ahead[c] += part * off;
    s->b[i] += part * off;
  }
  return sqrt(sum);
}

static srs_status relax(srs_interior *s, double goal, int max_iterations, srs_contact_report *report)
{
  const double residual = srs_interior_minimise(s, goal, max_iterations, &report->iterations);
  if (residual < 0) return SRS_ERROR_CAPACITY;
  memcpy(s->answer, s->best, sizeof *s->best * (size_t)s->n_rows);
  return SRS_OK;
}

static srs_status iterate(srs_interior *s, double goal, int max_iterations, srs_contact_report *report)
{
  enum { PATIENCE = 20 };
  double last = INFINITY, mark = INFINITY, part = 1, best = INFINITY;
  int waited = 0;
  memset(s->ahead, 0, sizeof *s->ahead * (size_t)s->problem->n_contacts);
  for (int i = 0; i < 20 * max_iterations; i++) {
    if (srs_interior_minimise(s, 0.1 * goal, max_iterations, &report->iterations) < 0) return SRS_ERROR_CAPACITY;
    const double residual = srs_interior_map(s, s->ahead);
    if (residual < best) {
      best = residual;
      memcpy(s->answer, s->best, sizeof *s->best * (size_t)s->n_rows);
    }
    if (best <= goal) break;
    const double length = go_on(s, part);
    if (last > 1e-9 && last < INFINITY) report->contraction = length / last;
    if (length < 0.9 * mark) mark = length, waited = -1;
    waited++;
    last = length;
    if (waited < PATIENCE) continue;
    if (part < 0.2) break;
    part *= 0.5, waited = 0, mark = INFINITY;
  }
  return SRS_OK;
}

srs_status srs_large_solve(srs_interior *s, const srs_contact_problem *problem, const srs_contact_form *form,
                           const srs_contact_options *options, double *impulse, double *velocity,
                           srs_contact_report *report)
{
  const bool is_fixed_point = options->solver == SRS_SOLVER_RELAXED_FIXED_POINT;
  if (options->solver != SRS_SOLVER_RELAXED && !is_fixed_point) return SRS_ERROR_UNSUPPORTED;
  const int n = form->n;
  *report = (srs_contact_report){.rung = SRS_RUNG_COLD,
                                 .bilateral_rank = problem->n_bilateral,
                                 .bilateral_pivot = INFINITY,
                                 .bilateral_weakest = -1};
  srs_contact_scales(problem, form, s->scale);
  double size = srs_contact_size(form->n, problem->b, s->scale);
  srs_polyhedron polyhedron;
  srs_polyhedron_make(options->n_directions, options->direction_angle, &polyhedron);
  const bool is_at_rest = size == 0;
  if (is_at_rest) size = 1;
  if (!srs_interior_begin(s, problem, s->scale, size, &polyhedron)) return SRS_ERROR_CAPACITY;
  const double goal = 0.5 * options->tolerance;
  srs_status status = SRS_OK;
  memset(s->answer, 0, sizeof *s->answer * (size_t)n);
  if (!is_at_rest) {
    s->polyhedron.is_relaxed = true;
    status = is_fixed_point ? iterate(s, goal, options->max_iterations, report)
                            : relax(s, goal, options->max_iterations, report);
  }
  s->polyhedron.is_relaxed = !is_fixed_point;
  if (status == SRS_OK) finish(s, form, options, size, impulse, velocity, report);
  return status;
}
