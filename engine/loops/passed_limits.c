// Which limits that are not those of one coordinate are passed at a configuration, and by how much? Cones and twists of
// ball joints, and the coordinates that revolute and prismatic closures leave free.
//
// A limit that is passed is a row whose gap is how far; one that is kept is none. The sum of the gaps' squares has a
// continuous derivative, so that Levenberg-Marquardt (fit.c) leads back to the limit and leaves what is inside alone.
#include "engine/loops/passed_limits.h"
#include "engine/loops/closure.h"
#include "engine/loops/swing_twist.h"

typedef struct further_limit {
  srs_step_row row; // of the position
  double position, lower, upper;
  bool is_angular;
} further_limit;

// What has limits: swing and twist of each link, then the closures. False: limit i is none.
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
    at->is_angular = closure->kind == SRS_CLOSURE_REVOLUTE;
    return srs_closure_coordinate_row(w, i - n_cones, &at->row) &&
           srs_closure_coordinate(w, i - n_cones, near, &at->position, NULL) == SRS_OK;
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
