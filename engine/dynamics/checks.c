// Checks of the arguments of the recursions, and the errors that name the entry or the joint. Errors are kept in the
// workspace, because its functions take no srs_error.

#include "engine/dynamics/checks.h"
#include "engine/dynamics/articulated.h"
#include "topology/base/errors.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

srs_status srs_workspace_fail(srs_workspace *w, srs_status status, const char *subject, const char *format, ...)
{
  w->error = (srs_error){.status = status};
  srs_print(w->error.subject, sizeof w->error.subject, "%s", subject);
  va_list arguments;
  va_start(arguments, format);
  srs_vprint(w->error.message, sizeof w->error.message, format, arguments);
  va_end(arguments);
  return status;
}

// The entries of "q", "v", "a" and "tau" have names; those of other arrays only have numbers.
static const char *entry_name(const srs_model *m, const char *what, int n, int i)
{
  if (strcmp(what, "q") == 0 && n == m->nq) return m->q_names[i];
  if (n == m->nv && (strcmp(what, "v") == 0 || strcmp(what, "a") == 0 || strcmp(what, "tau") == 0))
    return m->v_names[i];
  return NULL;
}

// 0 * x is 0 for every finite x, NaN otherwise.
SRS_INLINE lanes zeros_of(const double *x, int n)
{
  lanes zeros = v3_zero;
  int i = 0;
  if (n >= 8 * LANES) { // four sums, which do not wait for each other
    const size_t step = LANES;
    lanes a = v3_zero, b = v3_zero, c = v3_zero, d = v3_zero;
    for (; i + 4 * LANES <= n; i += 4 * LANES) {
      a += 0 * lanes_load(x + i), b += 0 * lanes_load(x + i + step);
      c += 0 * lanes_load(x + i + 2 * step), d += 0 * lanes_load(x + i + 3 * step);
    }
    zeros = (a + b) + (c + d);
  }
  for (; i + LANES <= n; i += LANES) zeros += 0 * lanes_load(x + i);
  if (i < n && n > LANES) { // the last four, some of them once more
    zeros += 0 * lanes_load(x + n - LANES);
    i = n;
  }
  for (; i < n; i++) zeros[0] += 0 * x[i];
  return zeros;
}

SRS_INLINE double sum_of_lanes(lanes a) { return (a[0] + a[1]) + (a[2] + a[3]); }

SRS_KERNEL static double sum_of_zeros(const double *x, int n) { return sum_of_lanes(zeros_of(x, n)); }

// Of a state, at once.
SRS_KERNEL static double zeros_of_state(int nq, int nv, const double *q, const double *v, const double *a)
{
  return sum_of_lanes(zeros_of(q, nq) + zeros_of(v, nv) + zeros_of(a, nv));
}

int srs_first_not_finite(const double *x, int n)
{
  if (sum_of_zeros(x, n) == 0) return -1;
  int i = 0;
  while (i < n - 1 && isfinite(x[i])) i++;
  return i;
}

srs_status srs_check_finite(srs_workspace *w, const char *what, const double *x, int n)
{
  const int i = srs_first_not_finite(x, n);
  if (i < 0) return SRS_OK;
  const char *name = entry_name(w->model, what, n, i);
  if (name != NULL)
    return srs_workspace_fail(w, SRS_ERROR_NOT_FINITE, name, "%s of '%s' is not a finite number", what, name);
  return srs_workspace_fail(w, SRS_ERROR_NOT_FINITE, what, "entry %d of %s is not a finite number", i, what);
}

srs_status srs_check_all_finite(srs_workspace *w, const double *q, const double *v, const double *a)
{
  const srs_model *m = w->model;
  if (zeros_of_state(m->nq, m->nv, q, v, a) == 0) return SRS_OK;
  srs_status status = srs_check_finite(w, "q", q, m->nq);
  if (status == SRS_OK) status = srs_check_finite(w, "v", v, m->nv);
  return status == SRS_OK ? srs_check_finite(w, "a", a, m->nv) : status;
}

srs_status srs_workspace_singular(srs_workspace *w, int v_index)
{
  char cause[320];
  const srs_status status = srs_singular_cause(w, v_index, cause);
  return srs_workspace_fail(w, status, w->model->joints[w->model->link_of_v[v_index]].name, "%s", cause);
}

#define TOO_LARGE "has overflowed: positions, velocities, forces or inertias are too large to compute with"

static srs_status overflowed(srs_workspace *w, const char *what, const char *name)
{
  return srs_workspace_fail(w, SRS_ERROR_DIVERGED, name, "%s of '%s' " TOO_LARGE, what, name);
}

srs_status srs_check_coordinates(srs_workspace *w, const char *what, const double *x)
{
  const int i = srs_first_not_finite(x, w->model->nv);
  return i < 0 ? SRS_OK : overflowed(w, what, w->model->v_names[i]);
}

srs_status srs_check_rows(srs_workspace *w, const char *what, const double *matrix)
{
  srs_status status = SRS_OK;
  const int nv = w->model->nv;
  if (srs_first_not_finite(matrix, nv * nv) < 0) return SRS_OK;
  for (int i = 0; i < nv && status == SRS_OK; i++)
    status = srs_check_coordinates(w, what, matrix + (size_t)i * (size_t)nv);
  return status;
}

srs_status srs_check_whole(srs_workspace *w, const char *what, const double *x, int n)
{
  if (srs_first_not_finite(x, n) < 0) return SRS_OK;
  return srs_workspace_fail(w, SRS_ERROR_DIVERGED, what, "%s " TOO_LARGE, what);
}

srs_status srs_check_named(srs_workspace *w, const char *what, const char *name, const double *x, int n)
{
  return srs_first_not_finite(x, n) < 0 ? SRS_OK : overflowed(w, what, name);
}

static bool is_finite3(v3 a) { return 0 * a[0] + 0 * a[1] + 0 * a[2] == 0; }

// What overflows in a link does so in all that it carries: the tips tell.
srs_status srs_check_links(srs_workspace *w, int level)
{
  const srs_model *m = w->model;
  v3 sum = v3_zero;
  for (int i = 0; i < w->n_tips; i++) {
    const int k = w->tips[i];
    sum += 0 * w->place[k].origin;
    if (level > 1) sum += 0 * w->velocity[k].ang + 0 * w->velocity[k].lin;
    if (level > 2) sum += 0 * w->acceleration[k].ang + 0 * w->acceleration[k].lin;
  }
  if (is_finite3(sum)) return SRS_OK;
  for (int k = 0; k < m->n_links; k++) {
    const v6 motions[2] = {level > 1 ? w->velocity[k] : v6_zero, level > 2 ? w->acceleration[k] : v6_zero};
    if (!is_finite3(w->place[k].origin)) return overflowed(w, "the position", m->links[k].name);
    if (!is_finite3(motions[0].ang) || !is_finite3(motions[0].lin))
      return overflowed(w, "the velocity", m->links[k].name);
    if (!is_finite3(motions[1].ang) || !is_finite3(motions[1].lin))
      return overflowed(w, "the acceleration", m->links[k].name);
  }
  return SRS_OK;
}

const char *srs_fastest_link(const srs_workspace *w)
{
  const char *name = "";
  double speed = -1;
  for (int k = 0; k < w->model->n_links && isfinite(speed); k++) {
    const v6 v = w->velocity[k];
    const double size = sqrt(fmax(dot(v.lin, v.lin), dot(v.ang, v.ang)));
    const bool is_more = !(size <= speed);
    if (is_more) speed = size, name = w->model->links[k].name;
  }
  return name;
}

// ---------------------------------------------------------------------------------------------------------------------
// Singular
// ---------------------------------------------------------------------------------------------------------------------

// Why does the inward pass of articulated-body inertias end at a joint? Nothing that the joint carries resists it, or
// all that resists it does so through another joint with the same axis, or numbers have overflowed.

// Below these sine of an angle, and distance over a length, two axes are one: about the rounding of SRS_SINGULAR_SHARE.
static const double same_axis = 1e-6;

static bool is_parallel(v3 a, v3 b)
{
  const v3 across = cross(a, b);
  return dot(across, across) < same_axis * same_axis;
}

// A joint beyond k whose axis is k's too in this configuration; -1 for none.
static int joint_on_axis(const srs_workspace *w, int k)
{
  const srs_model *m = w->model;
  const bool turns = turns_only(m, k), slides = m->kind[k] == SRS_JOINT_PRISMATIC;
  const placement *own = &w->place[k];
  for (int j = k + 1; j < m->subtree_end[k] && (turns || slides); j++) {
    const placement *other = &w->place[j];
    const v3 between = other->origin - own->origin, aside = cross(own->axes.z, between);
    const double length = 1 + sqrt(dot(between, between));
    if (slides && m->kind[j] == SRS_JOINT_PRISMATIC && is_parallel(own->axes.z, other->axes.z)) return j;
    if (turns && turns_only(m, j) && is_parallel(own->axes.z, other->axes.z) &&
        dot(aside, aside) < same_axis * same_axis * length * length)
      return j;
  }
  return -1;
}

// Whether D of the coordinate, before others of its link, is a number.
static bool is_in_range(const srs_workspace *w, int link, int v_index)
{
  const articulated *P = &w->articulated[link];
  const v6 s = joint_column(w, link, v_index), U = articulated_times(P, s);
  return isfinite(v6_dot(s, U)) && isfinite(trace(P->J) + trace(P->M));
}

srs_status srs_singular_cause(const srs_workspace *w, int v_index, char text[320])
{
  const srs_model *m = w->model;
  const int link = m->link_of_v[v_index];
  const char *joint = m->joints[link].name;
  if (!is_in_range(w, link, v_index)) {
    srs_print(text, 320,
              "the inertia about joint '%.80s' has overflowed: positions, velocities or masses are too large to "
              "compute with",
              joint);
    return SRS_ERROR_DIVERGED;
  }
  const int other = joint_on_axis(w, link);
  if (other >= 0)
    srs_print(
        text, 320,
        "the axes of joints '%.80s' and '%.80s' coincide in this configuration, and what lies between them has no "
        "inertia about them; keep away from it, give a joint an armature, or take a spherical joint in their place",
        joint, m->joints[other].name);
  else
    srs_print(
        text, 320,
        "in this configuration nothing resists joint '%.80s': link '%.80s' and all that it carries have no inertia "
        "about it; give one of them mass, or the joint an armature",
        joint, m->links[link].name);
  return SRS_ERROR_SINGULAR;
}
