// Why does the inward pass of articulated-body inertias end at a joint? Nothing that the joint carries resists it, or
// all that resists it does so through another joint with the same axis, or numbers have overflowed.

#include "engine/dynamics/articulated.h"
#include "engine/dynamics/checks.h"
#include "topology/base/errors.h"

#include <math.h>

// Below these sine of an angle, and distance over a length, two axes are one: about the rounding of SRS_SINGULAR_SHARE.
static const double same_axis = 1e-6;

static bool is_hinge(const srs_model *m, int k)
{
  return m->kind[k] == SRS_JOINT_REVOLUTE || m->kind[k] == SRS_JOINT_CONTINUOUS;
}

static bool is_parallel(v3 a, v3 b)
{
  const v3 across = cross(a, b);
  return dot(across, across) < same_axis * same_axis;
}

// A joint beyond k whose axis is k's too in this configuration; -1 for none.
static int joint_on_axis(const srs_workspace *w, int k)
{
  const srs_model *m = w->model;
  const bool turns = is_hinge(m, k), slides = m->kind[k] == SRS_JOINT_PRISMATIC;
  const placement *own = &w->place[k];
  for (int j = k + 1; j < m->subtree_end[k] && (turns || slides); j++) {
    const placement *other = &w->place[j];
    const v3 between = other->origin - own->origin, aside = cross(own->axes.z, between);
    const double length = 1 + sqrt(dot(between, between));
    if (slides && m->kind[j] == SRS_JOINT_PRISMATIC && is_parallel(own->axes.z, other->axes.z)) return j;
    if (turns && is_hinge(m, j) && is_parallel(own->axes.z, other->axes.z) &&
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
