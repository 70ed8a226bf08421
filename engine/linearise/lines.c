// Which rows of a solved step are active, strictly or weakly?
//
//   contact    w_n = 0 < lambda_n: it holds; sticks where it does not slip and |lambda_t| < mu lambda_n; slides where
//              it slips, with lambda_t = -mu lambda_n w_t/|w_t|
//   unilateral w = 0 < lambda: it holds
//   box        within its bounds, w = 0: it holds; at a bound and w != 0: its impulse stays there
//
// Impulses are compared with velocities by the diagonal of W. Where both are below the threshold the row is weakly
// active; it then counts as pressing, and as not sliding, and is noted where that matters (solve_lines.c). A gap of
// zero, to 1e-9, counts as open: the row's shift is gap / h there, and none (or the error reduction's) inside.

#include "collision/world/geometries.h"
#include "engine/islands/row_title.h"
#include "engine/linearise/linearisation.h"
#include "engine/rows/contact_rows.h"
#include "topology/base/errors.h"

#include <math.h>
#include <string.h>

static const double threshold = 1e-9, surface = 1e-9; // m/s or rad/s, also as a share of the speeds; m or rad

// ---------------------------------------------------------------------------------------------------------------------
// The list
// ---------------------------------------------------------------------------------------------------------------------

static bool is_limit(const scalar_row *s)
{
  return s->source == SRS_ROW_LOWER_LIMIT || s->source == SRS_ROW_UPPER_LIMIT;
}

// The shift per gap of a row without projection, whose push is bounded.
static double corrected_slope(double gap, double open, double reduction, double h, double most)
{
  if (gap >= -surface) return open;
  return reduction * gap / h < -most ? 0 : reduction / h;
}

static double contact_slope(const srs_contact_settings *o, double h, double gap)
{
  const double open = o->normal == SRS_NORMAL_GAP ? 1 / h : 0;
  if (srs_is_projected(o)) return gap >= -surface ? open : 0;
  return corrected_slope(gap, open, o->error_reduction, h, o->max_depenetration_velocity);
}

static double scalar_slope(const srs_joint_settings *o, double h, const scalar_row *s)
{
  if (!is_limit(s) || s->kind != SCALAR_UNILATERAL || o->restitution > 0) return NAN;
  if (o->projection) return s->gap >= -surface ? 1 / h : 0;
  return corrected_slope(s->gap, 1 / h, o->error_reduction, h, o->max_depenetration_velocity);
}

static void list_contact(srs_linearisation *l, int i)
{
  const active_contact *a = &l->active[i];
  for (int row = 0; row < a->n_rows; row++)
    l->lines[l->n_lines++] =
        (srs_line){.contact = i,
                   .component = row,
                   .scalar = -1,
                   .is_pushed = a->is_pushed[row],
                   .push = a->is_pushed[row] ? a->push[row] : 0,
                   .impulse = a->answer[row],
                   .gap = a->gap,
                   .slope = row == 0 ? contact_slope(&l->twin->options.contact, l->twin->options.dt, a->gap) : 0};
}

srs_status srs_list_lines(srs_linearisation *l)
{
  const struct srs_constraints *c = l->twin->constraints;
  l->n_lines = l->n_contacts = 0;
  if (c == NULL) return SRS_OK;
  int n = c->n_scalars;
  for (int i = 0; i < c->n_next; i++) n += c->active[i].n_rows;
  const srs_status status = srs_linearisation_reserve(l, n);
  if (status != SRS_OK) return status;
  l->n_contacts = c->n_next;
  if (c->n_next > 0) memcpy(l->active, c->active, (size_t)c->n_next * sizeof *l->active);
  if (c->n_scalars > 0) memcpy(l->scalars, c->scalars, (size_t)c->n_scalars * sizeof *l->scalars);
  for (int i = 0; i < c->n_next; i++) list_contact(l, i);
  for (int i = 0; i < c->n_scalars; i++) {
    const scalar_row *s = &c->scalars[i];
    l->lines[l->n_lines++] = (srs_line){.contact = -1,
                                        .scalar = i,
                                        .is_pushed = s->is_pushed,
                                        .push = s->is_pushed ? s->push : 0,
                                        .impulse = s->impulse,
                                        .softness = s->softness,
                                        .gap = s->gap,
                                        .slope = scalar_slope(&l->twin->options.joint, l->twin->options.dt, s)};
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is noted
// ---------------------------------------------------------------------------------------------------------------------

static bool is_same(const srs_weak_row *a, const srs_weak_row *b)
{
  return a->weakness == b->weakness && a->is_contact == b->is_contact && a->shape_a == b->shape_a &&
         a->shape_b == b->shape_b && a->source == b->source && a->subject == b->subject && a->index == b->index;
}

static void note(srs_linearisation *l, const srs_weak_row *row, srs_linearisation_status status)
{
  srs_linearisation_report *r = &l->report;
  if (status > r->status) r->status = status;
  for (int i = 0; i < r->n_weak; i++)
    if (is_same(&l->weak[i], row)) return;
  if (r->n_weak < l->weak_room) l->weak[r->n_weak++] = *row;
}

// ---------------------------------------------------------------------------------------------------------------------
// Judgement
// ---------------------------------------------------------------------------------------------------------------------

static double largest(const double *x, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// W_ii without softness.
static double mobility(const srs_linearisation *l, int line)
{
  const double *J = l->jacobian + (size_t)line * (size_t)l->nv, *Z = l->response + (size_t)line * (size_t)l->nv;
  double sum = 0;
  for (int i = 0; i < l->nv; i++) sum += J[i] * Z[i];
  return sum;
}

// Whether a row w >= 0, lambda >= 0 presses.
static bool presses(srs_linearisation *l, int line, double small)
{
  srs_line *x = &l->lines[line];
  const bool is_pressed = x->impulse * (mobility(l, line) + x->softness) > small;
  const bool is_weak = !is_pressed && !(x->velocity > small);
  if (is_weak) x->is_weak = true, x->other = SRS_LINE_FREE, x->weakness = SRS_WEAK_PRESSURE;
  if ((is_pressed || is_weak) && x->gap >= -surface && x->gap <= surface && x->slope != 0)
    srs_note_weak(l, line, SRS_WEAK_AT_SURFACE);
  return is_pressed || is_weak;
}

static void judge_tangents(srs_linearisation *l, int normal, int n, double friction, double small)
{
  srs_line *t = &l->lines[normal + 1];
  double slip = 0, impulse = 0, most = 0;
  for (int i = 0; i < n; i++) {
    slip = hypot(slip, t[i].velocity);
    impulse = hypot(impulse, t[i].impulse);
    most = fmax(most, mobility(l, normal + 1 + i));
  }
  const bool slides = slip > small;
  if (!slides && !(most * (friction * t[-1].impulse - impulse) > small)) srs_note_weak(l, normal, SRS_WEAK_FRICTION);
  for (int i = 0; i < n; i++) {
    t[i].kind = slides ? SRS_LINE_SLIDE : SRS_LINE_VELOCITY;
    t[i].direction = slides ? t[i].velocity / slip : 0;
  }
}

static void judge_contact(srs_linearisation *l, int normal, double small)
{
  const active_contact *a = &l->active[l->lines[normal].contact];
  if (!presses(l, normal, small)) return;
  l->lines[normal].kind = SRS_LINE_VELOCITY;
  if (a->n_rows > 1) judge_tangents(l, normal, a->n_rows - 1, a->friction, small);
  for (int i = 1; i < a->n_rows && l->lines[normal].is_weak; i++)
    l->lines[normal + i].is_weak = true, l->lines[normal + i].other = SRS_LINE_FREE;
}

static void judge_scalar(srs_linearisation *l, int line, double small)
{
  srs_line *x = &l->lines[line];
  const scalar_row *s = &l->scalars[x->scalar];
  if (s->kind == SCALAR_BILATERAL) {
    x->kind = SRS_LINE_VELOCITY;
    const bool is_led_back = is_limit(s) && l->twin->options.joint.projection;
    if (is_led_back && fabs(x->gap) <= surface && !x->is_pushed) srs_note_weak(l, line, SRS_WEAK_AT_SURFACE);
  } else if (s->kind == SCALAR_UNILATERAL)
    x->kind = presses(l, line, small) ? SRS_LINE_VELOCITY : SRS_LINE_FREE;
  else {
    const bool moves = fabs(x->velocity) > small;
    const double within = fmin(s->upper - x->impulse, x->impulse - s->lower) * (mobility(l, line) + x->softness);
    if (!moves && !(within > small)) x->is_weak = true, x->other = SRS_LINE_IMPULSE, x->weakness = SRS_WEAK_FRICTION;
    x->kind = moves ? SRS_LINE_IMPULSE : SRS_LINE_VELOCITY;
  }
}

// Whether a drive exerts nothing, to rounding, and no servo would change that.
static bool is_idle(const srs_linearisation *l, const joint_coordinate *x, double small)
{
  const srs_sim *sim = l->twin;
  if (x->subject == SRS_ROW_OF_LOOP) return x->has_plan && !(x->plan.change > 0) && x->plan.base == 0;
  const double inertia = l->mass[(size_t)x->v * (size_t)(l->stride + 1)];
  return !(sim->actuation.change[x->v] > 0) && sim->options.dt * fabs(sim->actuation.force[x->v]) <= small * inertia;
}

// A drive that exerts nothing at or beyond its greatest speed has no row there, but would have one for a force onwards.
static void judge_drives(srs_linearisation *l, double small)
{
  const struct srs_constraints *c = l->twin->constraints;
  for (int k = 0; k < c->n_coordinates; k++) {
    const joint_coordinate *x = &c->coordinates[k];
    if (!isfinite(x->max_velocity) || !is_idle(l, x, small)) continue;
    const bool is_of_loop = x->subject == SRS_ROW_OF_LOOP;
    const double rate =
        is_of_loop ? srs_row_velocity(&x->row, l->twin->workspace->velocity, l->v_plus) : l->v_plus[x->v];
    if (fabs(rate) < x->max_velocity - small) continue;
    const srs_weak_row row = {.weakness = SRS_WEAK_EFFORT,
                              .shape_a = -1,
                              .shape_b = -1,
                              .source = SRS_ROW_ACTUATOR,
                              .subject = x->subject,
                              .index = is_of_loop ? x->closure : x->v};
    note(l, &row, SRS_LINEARISATION_NOT_SMOOTH);
  }
}

void srs_judge_lines(srs_linearisation *l)
{
  const double small = threshold * (1 + largest(l->v_plus, l->nv) + largest(l->v_free, l->nv));
  for (int i = 0; i < l->n_lines; i++) {
    srs_line *line = &l->lines[i];
    line->velocity = l->up[i].velocity + line->softness * line->impulse;
    if (line->contact < 0)
      line->velocity += l->scalars[line->scalar].shift;
    else if (line->component == 0)
      line->velocity += l->active[line->contact].shift;
  }
  for (int i = 0; i < l->n_lines; i++)
    if (l->lines[i].contact < 0)
      judge_scalar(l, i, small);
    else if (l->lines[i].component == 0)
      judge_contact(l, i, small);
  if (l->twin->constraints != NULL) judge_drives(l, small);
}

// ---------------------------------------------------------------------------------------------------------------------
// The report
// ---------------------------------------------------------------------------------------------------------------------

void srs_note_weak(srs_linearisation *l, int line, srs_weakness weakness)
{
  const srs_line *x = &l->lines[line];
  srs_weak_row row = {.weakness = weakness, .is_contact = x->contact >= 0, .shape_a = -1, .shape_b = -1};
  if (row.is_contact) {
    const srs_contact_point *at = &l->twin->constraints->candidates[l->active[x->contact].candidate];
    row.shape_a = at->shape_a, row.shape_b = at->shape_b;
  } else {
    const scalar_row *s = &l->scalars[x->scalar];
    row.source = s->source, row.subject = s->subject, row.index = s->index;
  }
  const bool is_one_sided = weakness == SRS_WEAK_AT_SURFACE ||
                            (weakness == SRS_WEAK_DEPENDENCE && row.source == SRS_ROW_LOOP && !row.is_contact);
  note(l, &row, is_one_sided ? SRS_LINEARISATION_ONE_SIDED : SRS_LINEARISATION_NOT_SMOOTH);
}

const char *srs_linearisation_status_name(srs_linearisation_status status)
{
  static const char *const names[] = {"smooth", "one-sided", "not smooth"};
  return (int)status >= 0 && (int)status < 3 ? names[status] : "";
}

static const char *why(const srs_weak_row *row)
{
  switch (row->weakness) {
  case SRS_WEAK_AT_SURFACE: return "its gap is zero; inside, the step differs";
  case SRS_WEAK_PRESSURE: return "it neither presses nor opens";
  case SRS_WEAK_FRICTION:
    return row->is_contact ? "it does not slip, and its friction is at the edge of the cone"
                           : "it does not move, and its force is at its bound";
  case SRS_WEAK_CONTACT_SET: return "its contact points change beside the state";
  case SRS_WEAK_SHARES: return "how contacts that slide share the load is not determined";
  case SRS_WEAK_EFFORT: return "it exerts nothing at or beyond max_velocity, where it can act in one direction alone";
  case SRS_WEAK_PUSH:
    return "its push-out ends short of where it was to go, or just reaches what one step may turn or move a link";
  case SRS_WEAK_DEPENDENCE:
    return "it depends on other rows and agrees with them only where the mechanism's loops stay closed";
  }
  return "";
}

// Whether it names what the model has.
static bool is_of_model(const srs_model *m, const srs_weak_row *row)
{
  const int n_shapes = srs_model_n_shapes(m);
  if (row->is_contact)
    return row->shape_a >= 0 && row->shape_a < n_shapes && row->shape_b >= 0 && row->shape_b < n_shapes;
  const int n = row->subject == SRS_ROW_OF_LOOP ? srs_model_n_loops(m) : srs_model_nv(m);
  return (int)row->subject >= 0 && row->subject <= SRS_ROW_OF_TWIST && row->index >= 0 && row->index < n;
}

const char *srs_weak_row_text(const srs_model *model, const srs_weak_row *row, char *text, int size)
{
  char a[96], b[96];
  if (text == NULL || size <= 0) return "";
  text[0] = '\0';
  if (model == NULL || row == NULL || !is_of_model(model, row)) return text;
  if (row->is_contact) {
    srs_print(text, (size_t)size, "contact of %s and %s: %s", srs_shape_title(model, row->shape_a, a),
              srs_shape_title(model, row->shape_b, b), why(row));
    return text;
  }
  const scalar_row scalar = {.source = row->source, .subject = row->subject, .index = row->index};
  srs_print(text, (size_t)size, "%s: %s", srs_scalar_title(model, &scalar, a), why(row));
  return text;
}
