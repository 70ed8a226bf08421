// Rows of limits that a configuration exceeds and that are no bounds of one entry of q: cones and twists of ball
// joints, and limits of loop joints.
//
// Each exceeded limit gives a row whose gap is the excess; a limit that is kept gives none. The sum of the squared gaps
// has a continuous derivative, so Levenberg-Marquardt (closure_newton.c) moves back to the limit and does not disturb
// what is inside.
#include "engine/loops/passed_limits.h"
#include "engine/loops/closure.h"
#include "engine/loops/swing_twist.h"

typedef struct further_limit {
  srs_step_row row; // of the position
  double position, lower, upper;
  bool is_angular;
} further_limit;

// Finds limit i: swing and twist of each link come first, then the closures. False: there is no such limit.
static bool find_limit(const srs_workspace *w, const double *q, int i, further_limit *at)
{
  const srs_model *m = w->model;
  const int n_cones = 2 * m->n_links;
  *at = (further_limit){.row = srs_empty_row(), .lower = -INFINITY, .upper = INFINITY, .is_angular = true};
  if (i >= n_cones) {
    const srs_closure *closure = &m->closures[i - n_cones];
    at->lower = closure->joint.lower, at->upper = closure->joint.upper;
    if (isinf(at->lower) && isinf(at->upper)) return false;
    const double near = isfinite(at->lower) && isfinite(at->upper) ? 0.5 * (at->lower + at->upper) : 0;
    at->is_angular = srs_closure_turns(closure);
    return srs_closure_coordinate_row(w, i - n_cones, &at->row) &&
           srs_free_coordinate(w, q, NULL, i - n_cones, near, &at->position, NULL) == SRS_OK;
  }
  const int link = i / 2;
  const srs_joint *joint = &m->joints[link];
  if (joint->kind != SRS_JOINT_SPHERICAL || !isfinite(i % 2 == 0 ? joint->max_swing : joint->max_twist)) return false;
  const double *quaternion = q + m->q_index[link];
  const v3 axis = v3_load(joint->axis);
  v3 row;
  at->upper = i % 2 == 0 ? joint->max_swing : joint->max_twist;
  if (i % 2 == 1) at->lower = joint->min_twist;
  at->position = i % 2 == 0 ? srs_joint_swing(quaternion, axis, &row)
                            : srs_joint_twist(quaternion, axis, 0.5 * (at->lower + at->upper), &row);
  for (int c = 0; c < 3; c++) srs_coordinate_sides(w, m->v_index[link] + c, row[c], &at->row);
  return true;
}

int srs_n_further_limits(const srs_model *m) { return 2 * m->n_links + m->n_closures; }

int srs_count_further_limits(const srs_model *m)
{
  int n = 0;
  for (int i = 0; i < m->n_closures; i++)
    n += isfinite(m->closures[i].joint.lower) || isfinite(m->closures[i].joint.upper);
  for (int k = 0; k < m->n_links; k++)
    if (m->joints[k].kind == SRS_JOINT_SPHERICAL)
      n += (isfinite(m->joints[k].max_swing) != 0) + (isfinite(m->joints[k].max_twist) != 0);
  return n;
}

int srs_passed_limits(const srs_workspace *w, const double *q, const bool *ignored, srs_closure_row *rows)
{
  int n = 0;
  further_limit at;
  for (int i = 0; i < srs_n_further_limits(w->model); i++) {
    if ((ignored != NULL && ignored[i]) || !find_limit(w, q, i, &at)) continue;
    const double gap = at.position > at.upper ? at.position - at.upper : fmin(at.position - at.lower, 0);
    if (gap == 0) continue;
    rows[n++] = (srs_closure_row){.row = at.row, .gap = gap, .is_angular = at.is_angular, .closure = -1 - i};
  }
  return n;
}

int srs_further_limit(const srs_closure_row *row) { return -1 - row->closure; }

const char *srs_further_limit_name(const srs_model *m, int limit)
{
  const int closure = limit - 2 * m->n_links;
  return closure >= 0 ? m->closures[closure].name : m->joints[limit / 2].name;
}
