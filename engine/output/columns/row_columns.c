// Effort columns of a trajectory: what did actuators, limits and dry friction exert? N m or N along the coordinate, of
// the step that led to the row.
//
// Each coordinate, of a joint or of a loop joint, has its actuator's effort. Where the model has limits or dry
// friction, their columns follow; cone and twist of a ball joint have a column for their limits.

#include "engine/output/columns/column_sources.h"
#include "topology/model/model.h"

#include <math.h>
#include <string.h>

typedef struct column_index {
  int *limit;    // 3 nv + n_closures: columns, -1 for none; of coordinates, closures, swings, twists
  int *friction; // likewise
} column_index;

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

// Limit and friction of one subject.
static bool add_held(srs_arena *arena, srs_columns *c, int key, const char *name, const char *tail, bool has_limit,
                     bool has_friction, bool is_angle)
{
  const column_index *index = c->state;
  const char *unit = srs_force_unit(is_angle);
  index->limit[key] = has_limit ? c->n : -1;
  if (has_limit && !srs_columns_add(arena, c, "limit:", name, tail, unit)) return false;
  index->friction[key] = has_friction ? c->n : -1;
  return !has_friction || srs_columns_add(arena, c, "friction:", name, tail, unit);
}

static bool add_efforts(srs_arena *arena, srs_columns *c, const srs_model *m)
{
  bool is_good = true;
  for (int i = 0; i < m->nv && is_good; i++)
    is_good = srs_columns_add(arena, c, "effort:", m->v_names[i], "", srs_force_unit(srs_is_angle(m, i)));
  for (int i = 0; i < m->n_closures && is_good; i++)
    if (srs_closure_has_coordinate(&m->closures[i]))
      is_good = srs_columns_add(arena, c, "effort:", m->closures[i].name, "",
                                srs_force_unit(srs_closure_turns(&m->closures[i])));
  return is_good;
}

static bool name_columns(srs_arena *arena, srs_columns *c, const srs_model *m)
{
  bool is_good = add_efforts(arena, c, m);
  for (int i = 0; i < m->nv && is_good; i++)
    is_good = add_held(arena, c, i, m->v_names[i], "", isfinite(m->lower[i]) || isfinite(m->upper[i]),
                       m->friction[i] > 0, srs_is_angle(m, i));
  for (int i = 0; i < m->n_closures && is_good; i++) {
    const srs_closure *at = &m->closures[i];
    is_good =
        add_held(arena, c, key_of(m, SRS_ROW_OF_LOOP, i), at->name, "",
                 isfinite(at->joint.lower) || isfinite(at->joint.upper), at->joint.friction > 0, srs_closure_turns(at));
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

srs_status srs_row_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  const srs_model *m = srs_sim_model(sim);
  const size_t keys = 3 * (size_t)m->nv + (size_t)m->n_closures;
  bool is_good = srs_columns_reserve(arena, c, 3 * keys, sizeof(column_index));
  column_index *index = c->state;
  if (is_good) {
    index->limit = srs_arena_take(arena, keys, sizeof *index->limit);
    index->friction = srs_arena_take(arena, keys, sizeof *index->friction);
    is_good = index->limit != NULL && index->friction != NULL;
  }
  return srs_columns_made(is_good && name_columns(arena, c, m), "columns of efforts", error);
}

srs_status srs_row_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  const column_index *index = c->state;
  const srs_model *m = srs_sim_model(sim);
  memset(c->values, 0, (size_t)c->n * sizeof *c->values);
  double *at = c->values;
  for (int i = 0; i < m->nv; i++) *at++ = srs_sim_actuator_effort(sim)[i];
  for (int i = 0; i < m->n_closures; i++) {
    double value;
    if (srs_closure_has_coordinate(&m->closures[i])) srs_sim_closure_coordinate(sim, i, &value, NULL, at++);
  }
  int n;
  const srs_sim_row *rows = srs_sim_rows(sim, &n);
  for (int i = 0; i < n; i++) {
    const srs_sim_row *row = &rows[i];
    const bool is_friction = row->source == SRS_ROW_FRICTION, is_upper = row->source == SRS_ROW_UPPER_LIMIT;
    if (!is_friction && !is_upper && row->source != SRS_ROW_LOWER_LIMIT) continue;
    const int key = key_of(m, row->subject, row->index),
              column = is_friction ? index->friction[key] : index->limit[key];
    if (column >= 0) c->values[column] += is_upper ? -row->force : row->force;
  }
  return SRS_OK;
}
