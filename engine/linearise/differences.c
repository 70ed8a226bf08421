// What changes with the arguments of a step while v+ and the impulses stay, by central differences:
//
//   dforce   forces on coordinates and applied wrenches, J^T f
//   dload    impulses of contacts and rows, J^T lambda: normals turn and contact points move
//   drow     J v+ likewise, and what of the rows' shifts is no gap's; the gap's own derivative is J, exactly
//   dbound   bounds of impulses, of limited actuators
//   dpush, dway   as dload and drow, of the push-out's impulses and its motion
//
// The builders of forces and rows are called again beside the state, by 1e-5 rad or m; contacts are found again and
// known by shapes and feature. Where one is not found, its normal and its arms stay as they are, and it is noted.

#include "collision/world/collider.h"
#include "engine/dynamics/kinematics.h"
#include "engine/islands/island.h"
#include "engine/linearise/linearisation.h"
#include "engine/rows/contact_rows.h"
#include "engine/rows/material.h"
#include "engine/rows/row_sources.h"
#include "engine/step/step_velocity.h"
#include "topology/model/model.h"

#include <math.h>
#include <string.h>

static const double width = 1e-5, more_margin = 1e-4; // rad or m; m, and m a metre of reach

void srs_set_arguments(srs_linearisation *l, int column, double by)
{
  srs_sim_state *state = &l->twin->state;
  const srs_model *m = l->twin->model;
  const size_t nv = (size_t)l->nv;
  memcpy(state->q, l->q, (size_t)m->nq * sizeof *l->q);
  memcpy(state->v, l->v, nv * sizeof *l->v);
  memcpy(state->inputs.tau, l->tau, nv * sizeof *l->tau);
  if (l->backup.moved != NULL) srs_move_parameter(l, l->backup.moved, 0);
  if (by == 0) return;
  const srs_parameter *parameter = srs_parameter_of(l, column);
  if (parameter != NULL) {
    srs_move_parameter(l, parameter, by);
  } else if (column < l->nv) {
    memset(l->scratch, 0, nv * sizeof *l->scratch);
    l->scratch[column] = by;
    srs_integrate(m, l->q, l->scratch, 1, state->q);
  } else if (column < 2 * l->nv) {
    state->v[column - l->nv] += by;
  } else {
    state->inputs.tau[column - 2 * l->nv] += by;
  }
}

srs_status srs_generalise(srs_linearisation *l, const double *q, const double *wrench, double *out)
{
  const srs_status status = srs_inverse_dynamics(l->weightless, q, l->zero, l->zero, wrench, out);
  for (int i = 0; i < l->nv && status == SRS_OK; i++) out[i] = 0 - out[i];
  if (status != SRS_OK) l->error = l->weightless->error;
  return status;
}

static void add_wrench(double *wrench, int link, double share, v6 unit)
{
  double *at = wrench + 6 * (size_t)link;
  v6_store(at, v6_add_scaled(v6_load(at), share, unit));
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------------------------

static const srs_contact_point *find_again(const srs_linearisation *l, const srs_contact_point *contact, int n)
{
  for (int i = 0; i < n; i++) {
    const srs_contact_point *x = &l->candidates[i];
    if (x->shape_a == contact->shape_a && x->shape_b == contact->shape_b && x->feature == contact->feature) return x;
  }
  return NULL;
}

// The rows of contact i, from `line` on, where the links are placed.
static void evaluate_contact(srs_linearisation *l, const active_contact *a, int line, srs_line_value *values)
{
  const srs_workspace *w = l->twin->workspace;
  for (int row = 0; row < a->n_rows; row++, line++) {
    values[line] =
        (srs_line_value){.velocity = srs_contact_velocity(a, row, w->velocity), .gap = a->gap, .friction = a->friction};
    if (l->has_push) values[line].way = srs_contact_velocity(a, row, l->twin->constraints->push);
    for (int side = 0; side < 2; side++) {
      if (a->link[side] < 0) continue;
      add_wrench(l->wrench, a->link[side], l->lines[line].impulse, a->wrench[side][row]);
      if (l->has_push) add_wrench(l->push_wrench, a->link[side], l->lines[line].push, a->wrench[side][row]);
    }
  }
}

// Finds the contacts again.
static srs_status evaluate_contacts(srs_linearisation *l, srs_line_value *values)
{
  struct srs_constraints *c = l->twin->constraints;
  if (l->n_contacts == 0) return SRS_OK;
  int n = 0;
  double reach = 0;
  for (int k = 0; k < l->twin->model->n_links; k++) reach = fmax(reach, c->reach[k]);
  srs_link_poses(l->twin->workspace, c->poses);
  const srs_status status = srs_collider_contacts_moving(
      c->collider, c->poses, NULL, c->margin + more_margin * (1 + reach), l->candidates, l->capacity, &n, &l->error);
  if (status != SRS_OK && status != SRS_ERROR_CAPACITY) return status;
  if (n > l->capacity) n = l->capacity;
  for (int i = 0, line = 0; i < l->n_contacts; line += l->active[i++].n_rows) {
    active_contact a = l->active[i];
    const srs_contact_point *found = find_again(l, &c->candidates[a.candidate], n);
    if (found != NULL)
      srs_move_contact(l->twin->workspace, found, &a);
    else
      srs_note_weak(l, line, SRS_WEAK_CONTACT_SET);
    const srs_contact_point *at = &c->candidates[a.candidate];
    srs_find_material(c, &l->twin->options.contact, &a, at->shape_a, at->shape_b);
    evaluate_contact(l, &a, line, values);
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Scalar rows
// ---------------------------------------------------------------------------------------------------------------------

static const scalar_row *find_row(const struct srs_constraints *c, int slot)
{
  for (int i = 0; i < c->n_scalars; i++)
    if (c->scalars[i].slot == slot) return &c->scalars[i];
  return NULL;
}

// Adds an impulse of a row to those on links and on coordinates.
static void push_row(const srs_step_row *row, double impulse, double *wrench, double *on_coordinates)
{
  for (int side = 0; side < row->n_sides; side++)
    if (row->is_coordinate[side])
      on_coordinates[row->coordinate[side]] += impulse * row->coefficient[side];
    else
      add_wrench(wrench, row->link[side], impulse, row->wrench[side]);
}

static void evaluate_scalars(srs_linearisation *l, const srs_evaluation *to)
{
  const struct srs_constraints *c = l->twin->constraints;
  for (int i = 0; i < l->n_lines; i++) {
    const srs_line *line = &l->lines[i];
    if (line->contact >= 0) continue;
    const scalar_row *was = &l->scalars[line->scalar], *is = find_row(c, was->slot);
    if (is == NULL) is = was;
    to->values[i] = (srs_line_value){
        .velocity = srs_row_velocity(&is->row, l->twin->workspace->velocity, l->v_plus),
        .shift = is->shift,
        .bound = line->impulse - was->lower < was->upper - line->impulse ? is->lower : is->upper,
        .way = l->has_push ? srs_row_velocity(&is->row, c->push, l->moved) : 0,
    };
    if (to->load == NULL) continue;
    push_row(&is->row, line->impulse, l->wrench, to->load);
    if (l->has_push) push_row(&is->row, line->push, l->push_wrench, to->push);
  }
}

// Loads on coordinates of the wrenches, added.
static srs_status add_loads(srs_linearisation *l, const srs_evaluation *to)
{
  const double *q = l->twin->state.q;
  srs_status status = srs_generalise(l, q, l->wrench, l->scratch);
  for (int i = 0; i < l->nv; i++) to->load[i] += l->scratch[i];
  if (!l->has_push || status != SRS_OK) return status;
  status = srs_generalise(l, q, l->push_wrench, l->scratch);
  for (int i = 0; i < l->nv; i++) to->push[i] += l->scratch[i];
  return status;
}

// The links' motion by the push-out, in the constraints' scratch `push`; then that by v+.
static void move_links(srs_linearisation *l)
{
  srs_workspace *w = l->twin->workspace;
  if (l->has_push) {
    srs_move_links(w, l->moved);
    memcpy(l->twin->constraints->push, w->velocity, (size_t)w->model->n_links * sizeof *w->velocity);
  }
  srs_move_links(w, l->v_plus);
}

srs_status srs_evaluate_lines(srs_linearisation *l, const srs_evaluation *to)
{
  srs_sim *sim = l->twin;
  srs_workspace *w = sim->workspace;
  struct srs_constraints *c = sim->constraints;
  const size_t nv = (size_t)l->nv, n_links = (size_t)sim->model->n_links;
  const srs_scheme scheme = srs_semi_implicit_scheme(sim);
  const srs_step_context step = srs_step_context_at(sim, sim->state.q, sim->state.v);
  srs_find_step_forces(sim, &scheme, &step, sim->state.v);
  memset(to->force, 0, nv * sizeof *to->force);
  srs_status status = SRS_OK;
  if (sim->step.wrenches != NULL) status = srs_generalise(l, sim->state.q, sim->step.wrenches, to->force);
  for (int i = 0; i < l->nv; i++) to->force[i] += sim->step.force[i];
  if (c == NULL || l->n_lines == 0 || status != SRS_OK) return status;
  srs_place_links(w, sim->state.q);
  srs_move_links(w, sim->state.v);
  memcpy(c->velocity_before, w->velocity, n_links * sizeof *w->velocity);
  c->n_scalars = 0;
  srs_fill_rows(c, &step, l->v_free);
  move_links(l);
  if (to->load != NULL) {
    memset(to->load, 0, nv * sizeof *to->load);
    memset(to->push, 0, nv * sizeof *to->push);
    memset(l->wrench, 0, 6 * n_links * sizeof *l->wrench);
    memset(l->push_wrench, 0, 6 * n_links * sizeof *l->push_wrench);
    status = evaluate_contacts(l, to->values);
  }
  evaluate_scalars(l, to);
  return to->load != NULL && status == SRS_OK ? add_loads(l, to) : status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------------------------------------------------

// Whether forces are the torques and linear dampers alone.
static bool has_plain_forces(const srs_sim *sim)
{
  const struct srs_constraints *c = sim->constraints;
  const bool has_actuators = c != NULL && (c->has_actuator_limits || c->n_coordinates > c->n_joint_coordinates);
  return !sim->model->has_springs && *sim->state.inputs.has_servo == 0 && *sim->state.inputs.has_wrench == 0 &&
         *sim->state.inputs.has_loop_joint_actuator == 0 && !has_actuators;
}

static void take_plain_force(srs_linearisation *l, int column, double *dforce)
{
  memset(dforce, 0, (size_t)l->nv * sizeof *dforce);
  if (column >= 2 * l->nv)
    dforce[column - 2 * l->nv] = 1;
  else if (column >= l->nv)
    dforce[column - l->nv] = -l->twin->model->damping[column - l->nv];
}

static void take_lines(srs_linearisation *l, int column, double share, bool has_geometry)
{
  const size_t at = (size_t)column * (size_t)l->room;
  double *drow = l->drow + at, *dbound = l->dbound + at, *dway = l->dway + at;
  for (int i = 0; i < l->n_lines; i++) {
    const srs_line *line = &l->lines[i];
    const bool is_new = line->contact < 0 || has_geometry;
    drow[i] = is_new ? share * (l->up[i].velocity - l->down[i].velocity) : 0;
    dway[i] = is_new ? share * (l->up[i].way - l->down[i].way) : 0;
    const bool is_at_bound = line->kind == SRS_LINE_IMPULSE || (line->is_weak && line->other == SRS_LINE_IMPULSE);
    dbound[i] = line->contact < 0 && is_at_bound ? share * (l->up[i].bound - l->down[i].bound) : 0;
    if (line->contact < 0 && isnan(line->slope)) drow[i] += share * (l->up[i].shift - l->down[i].shift);
  }
}

// How far central differences over once and twice the width lie apart.
static srs_status compare_widths(srs_linearisation *l, int column, double by)
{
  const double *drow = l->drow + (size_t)column * (size_t)l->room;
  const srs_evaluation up = {l->force, l->load, l->push_load, l->up},
                       down = {l->force, l->load, l->push_load, l->coarse};
  srs_set_arguments(l, column, 2 * by);
  srs_status status = srs_evaluate_lines(l, &up);
  srs_set_arguments(l, column, -2 * by);
  if (status == SRS_OK) status = srs_evaluate_lines(l, &down);
  double most = 0, apart = 0;
  for (int i = 0; i < l->n_lines && status == SRS_OK; i++) {
    const double coarse = 0.25 / by * (l->up[i].velocity - l->coarse[i].velocity);
    if (l->lines[i].contact < 0 && isnan(l->lines[i].slope)) continue;
    most = fmax(most, fabs(drow[i]));
    apart = fmax(apart, fabs(coarse - drow[i]));
  }
  if (most > 0) l->report.geometry_error = fmax(l->report.geometry_error, apart / fmax(most, 1));
  return status;
}

static void subtract(int n, double share, const double *up, const double *down, double *out)
{
  for (int i = 0; i < n; i++) out[i] = share * (up[i] - down[i]);
}

// What the dynamics ask of forces where a parameter has been moved: at a, at the rows' acceleration less that, and at
// the push-out's motion less it.
static srs_status find_needs(srs_linearisation *l, double *need, double *rows, double *push)
{
  const double *q = l->q, *v_c = l->twin->step.bias_v, *extra = l->twin->step.extra, h = l->twin->options.dt;
  srs_status status = srs_inverse_dynamics(l->dynamics, q, v_c, l->a, NULL, need);
  for (int i = 0; i < l->nv; i++) l->scratch[i] = l->a[i] + (l->v_plus[i] - l->v_free[i]) / h;
  if (status == SRS_OK) status = srs_inverse_dynamics(l->dynamics, q, v_c, l->scratch, NULL, rows);
  for (int i = 0; i < l->nv; i++) rows[i] += extra[i] * l->scratch[i];
  for (int i = 0; i < l->nv; i++) l->scratch[i] = l->a[i] + l->moved[i] / (h * h);
  if (status == SRS_OK) status = srs_inverse_dynamics(l->dynamics, q, v_c, l->scratch, NULL, push);
  for (int i = 0; i < l->nv; i++) {
    push[i] += extra[i] * l->scratch[i];
    need[i] += extra[i] * l->a[i];
    rows[i] -= need[i];
    push[i] = h * h * (push[i] - need[i]);
  }
  if (status != SRS_OK) l->error = l->dynamics->error;
  return status;
}

// The same of a parameter's column, by differences.
static srs_status difference_needs(srs_linearisation *l, int column, double by)
{
  const size_t nv = (size_t)l->nv, at = (size_t)(column - 3 * l->nv) * nv;
  double *const to[3] = {l->dneed + at, l->dneed_rows + at, l->dneed_push + at};
  double *const up[3] = {l->by_q_spare, l->by_q_spare + nv, l->by_q_spare + 2 * nv};
  const srs_scheme scheme = srs_semi_implicit_scheme(l->twin);
  srs_status status = SRS_OK;
  for (int side = 0; side < 2 && status == SRS_OK; side++) {
    srs_set_arguments(l, column, side == 0 ? by : -by);
    const srs_step_context step = srs_step_context_at(l->twin, l->twin->state.q, l->twin->state.v);
    srs_find_step_forces(l->twin, &scheme, &step, l->twin->state.v);
    double *const *out = side == 0 ? up : to;
    status = find_needs(l, out[0], out[1], out[2]);
  }
  for (int k = 0; k < 3; k++) subtract(l->nv, 0.5 / by, up[k], to[k], to[k]);
  return status;
}

static void take_contacts(srs_linearisation *l, int column, double share)
{
  const size_t at = (size_t)(column - 3 * l->nv) * (size_t)l->room;
  for (int i = 0; i < l->n_lines; i++) {
    l->dgap[at + (size_t)i] = share * (l->up[i].gap - l->down[i].gap);
    l->dfriction[at + (size_t)i] = share * (l->up[i].friction - l->down[i].friction);
  }
}

static double width_of(const srs_linearisation *l, int column)
{
  const srs_parameter *parameter = srs_parameter_of(l, column);
  if (parameter != NULL) return srs_parameter_width(l, parameter);
  return column < 2 * l->nv ? width : width * fmax(1, fabs(l->tau[column - 2 * l->nv]));
}

static srs_status find_column(srs_linearisation *l, int column, bool has_plain)
{
  const srs_parameter *parameter = srs_parameter_of(l, column);
  const bool has_geometry = column < l->nv || parameter != NULL;
  const size_t at = (size_t)column * (size_t)l->nv;
  const double by = width_of(l, column), share = 0.5 / by;
  memset(l->dload + at, 0, (size_t)l->nv * sizeof *l->dload);
  memset(l->dpush + at, 0, (size_t)l->nv * sizeof *l->dpush);
  if (has_plain && l->n_lines == 0 && parameter == NULL) {
    take_plain_force(l, column, l->dforce + at);
    return SRS_OK;
  }
  const srs_evaluation up = {l->force_up, has_geometry ? l->load_up : NULL, l->push_load_up, l->up},
                       down = {l->force, has_geometry ? l->load : NULL, l->push_load, l->down};
  srs_set_arguments(l, column, by);
  srs_status status = srs_evaluate_lines(l, &up);
  srs_set_arguments(l, column, -by);
  if (status == SRS_OK) status = srs_evaluate_lines(l, &down);
  if (status != SRS_OK) return status;
  subtract(l->nv, share, l->force_up, l->force, l->dforce + at);
  if (has_plain && parameter == NULL) take_plain_force(l, column, l->dforce + at);
  if (has_geometry && l->n_lines > 0) subtract(l->nv, share, l->load_up, l->load, l->dload + at);
  if (has_geometry && l->has_push) subtract(l->nv, share, l->push_load_up, l->push_load, l->dpush + at);
  if (l->n_lines > 0) take_lines(l, column, share, has_geometry);
  if (parameter != NULL && l->n_lines > 0) take_contacts(l, column, share);
  if (parameter != NULL) return difference_needs(l, column, by);
  return has_geometry && l->n_contacts > 0 ? compare_widths(l, column, by) : SRS_OK;
}

srs_status srs_find_differences(srs_linearisation *l)
{
  const bool has_plain = has_plain_forces(l->twin);
  srs_status status = SRS_OK;
  for (int i = 0; i < l->n_columns && status == SRS_OK; i++) status = find_column(l, i, has_plain);
  srs_set_arguments(l, 0, 0);
  return status;
}
