// What did actuators give, what did limits and dry friction hold? Columns of a trajectory, N m or N along the
// coordinate, of the step that led to the row.
//
// Each coordinate, of a joint or of a loop joint, has its actuator's effort; where the model has limits or dry
// friction, theirs follow. Cone and twist of a ball joint have their limits'.

#include "engine/output/row_columns.h"
#include "topology/base/text.h"
#include "topology/model/model.h"

#include <math.h>
#include <string.h>

// Where a subject's columns are noted.
static int key_of(const srs_model *m, srs_row_subject subject, int index)
{
  switch (subject) {
  case SRS_ROW_OF_LOOP: return m->nv + index;
  case SRS_ROW_OF_SWING: return m->nv + m->n_closures + index;
  case SRS_ROW_OF_TWIST: return 2 * m->nv + m->n_closures + index;
  case SRS_ROW_OF_COORDINATE: break;
  }
  return index;
}

static const char *force_unit(bool is_angle) { return is_angle ? "N m" : "N"; }

static bool add_column(srs_arena *arena, srs_row_columns *c, const char *what, const char *name, const char *tail,
                       bool is_angle)
{
  c->names[c->n_columns] = srs_text_join(arena, what, name, tail);
  c->units[c->n_columns] = force_unit(is_angle);
  return c->names[c->n_columns++] != NULL;
}

// Limit and friction of one subject.
static bool add_held(srs_arena *arena, srs_row_columns *c, int key, const char *name, const char *tail, bool has_limit,
                     bool has_friction, bool is_angle)
{
  c->limit[key] = has_limit ? c->n_columns : -1;
  if (has_limit && !add_column(arena, c, "limit:", name, tail, is_angle)) return false;
  c->friction[key] = has_friction ? c->n_columns : -1;
  return !has_friction || add_column(arena, c, "friction:", name, tail, is_angle);
}

static bool has_coordinate(const srs_closure *closure)
{
  return closure->kind == SRS_CLOSURE_REVOLUTE || closure->kind == SRS_CLOSURE_PRISMATIC;
}

static bool add_efforts(srs_arena *arena, srs_row_columns *c, const srs_model *m)
{
  bool is_good = true;
  for (int i = 0; i < m->nv && is_good; i++)
    is_good = add_column(arena, c, "effort:", m->v_names[i], "", srs_model_v_unit(m, i)[0] == 'r');
  for (int i = 0; i < m->n_closures && is_good; i++)
    if (has_coordinate(&m->closures[i]))
      is_good = add_column(arena, c, "effort:", m->closures[i].name, "", m->closures[i].kind == SRS_CLOSURE_REVOLUTE);
  return is_good;
}

static bool name_columns(srs_arena *arena, srs_row_columns *c, const srs_model *m)
{
  bool is_good = add_efforts(arena, c, m);
  for (int i = 0; i < m->nv && is_good; i++)
    is_good = add_held(arena, c, i, m->v_names[i], "", isfinite(m->lower[i]) || isfinite(m->upper[i]),
                       m->friction[i] > 0, srs_model_v_unit(m, i)[0] == 'r');
  for (int i = 0; i < m->n_closures && is_good; i++) {
    const srs_closure *at = &m->closures[i];
    is_good = add_held(arena, c, key_of(m, SRS_ROW_OF_LOOP, i), at->name, "",
                       isfinite(at->joint.lower) || isfinite(at->joint.upper), at->joint.friction > 0,
                       at->kind == SRS_CLOSURE_REVOLUTE);
  }
  for (int k = 0; k < m->n_links && is_good; k++) {
    const srs_joint *at = &m->joints[k];
    if (at->kind != SRS_JOINT_SPHERICAL) continue;
    is_good = add_held(arena, c, key_of(m, SRS_ROW_OF_SWING, at->v_index), at->name, ".swing", isfinite(at->max_swing),
                       false, true) &&
              add_held(arena, c, key_of(m, SRS_ROW_OF_TWIST, at->v_index), at->name, ".twist", isfinite(at->max_twist),
                       false, true);
  }
  return is_good;
}

srs_status srs_row_columns_make(srs_arena *arena, srs_sim *sim, srs_row_columns *c, srs_error *error)
{
  const srs_model *m = srs_sim_model(sim);
  const size_t keys = 3 * (size_t)m->nv + (size_t)m->n_closures, most = 3 * keys;
  *c = (srs_row_columns){0};
  c->names = srs_arena_take(arena, most, sizeof *c->names);
  c->units = srs_arena_take(arena, most, sizeof *c->units);
  c->values = srs_arena_take(arena, most, sizeof *c->values);
  c->limit = srs_arena_take(arena, keys, sizeof *c->limit);
  c->friction = srs_arena_take(arena, keys, sizeof *c->friction);
  const bool has_memory =
      c->names != NULL && c->units != NULL && c->values != NULL && c->limit != NULL && c->friction != NULL;
  if (has_memory && name_columns(arena, c, m)) return SRS_OK;
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for the columns of efforts");
}

void srs_row_columns_fill(srs_row_columns *c, srs_sim *sim)
{
  const srs_model *m = srs_sim_model(sim);
  memset(c->values, 0, (size_t)c->n_columns * sizeof *c->values);
  double *at = c->values;
  for (int i = 0; i < m->nv; i++) *at++ = srs_sim_actuator_effort(sim)[i];
  for (int i = 0; i < m->n_closures; i++) {
    double value;
    if (has_coordinate(&m->closures[i])) srs_sim_closure_coordinate(sim, i, &value, NULL, at++);
  }
  int n;
  const srs_sim_row *rows = srs_sim_rows(sim, &n);
  for (int i = 0; i < n; i++) {
    const srs_sim_row *row = &rows[i];
    const bool is_friction = row->source == SRS_ROW_FRICTION, is_upper = row->source == SRS_ROW_UPPER_LIMIT;
    if (!is_friction && !is_upper && row->source != SRS_ROW_LOWER_LIMIT) continue;
    const int key = key_of(m, row->subject, row->index), column = is_friction ? c->friction[key] : c->limit[key];
    if (column >= 0) c->values[column] += is_upper ? -row->force : row->force;
  }
}
