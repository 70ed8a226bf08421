// Which joint breaks the pattern that the axes and places of all others follow?
//
// Where all coordinates are zero, most arms are drawn to a pattern, which one moved joint breaks.
//
//   Axes      Of two joints in a row whose axes a, b are not parallel the distance |d . (a x b)| / |a x b| is 0, d from
//             a point of the one to one of the other: they cross. One pair that passes at more than 5 mm is odd where
//             three others or more cross.
//
//   Planes    Along a chain of joints the steps from joint to joint stay in planes normal to x, y or z. One step out of
//             them by more than 5 mm is odd where four others or more stay; that to the last joint, which is the
//             hand's, is not, nor one of a left and a right.
//
// Both are built on purpose too: a robot with one offset. So they are notes, which name the joint and the reason, and
// no doubts. Of 331 public robots of three joints or more 8 % have the first note and 3 % the second.
#include "engine/cli/check/lint.h"
#include "topology/base/text.h"
#include "topology/model/link_placement.h"

#include <math.h>
#include <stdlib.h>

static const double SAME = 5e-4, ODD = 5e-3; // m
static const double PARALLEL = 1e-3;         // sine
enum { CROSSING = 2, STAYING = 4 };          // that there must be at least

// Of each link's joint where all coordinates are zero, in the world; step: from its parent's joint.
typedef struct station {
  vec3 at, axis, step;
  int parent; // -1: the world
  bool turns, is_joined, is_parent;
} station;

static void find_places(const srs_model *model, const srs_pose *links, station *places)
{
  for (int i = 0; i < srs_model_n_links(model); i++) {
    const srs_joint *joint = srs_model_joint(model, i);
    station *p = &places[i];
    *p = (station){.parent = srs_model_link(model, i)->parent};
    vec3 origin = vec3_load(joint->origin.position);
    mat3 axes = mat3_from_rows(joint->origin.rotation);
    if (p->parent >= 0) {
      const mat3 turned = mat3_from_rows(links[p->parent].rotation);
      origin = add3(vec3_load(links[p->parent].position), rotate(turned, origin));
      axes = mul3(turned, axes);
      places[p->parent].is_parent = true;
    }
    p->at = origin;
    p->axis = rotate(axes, vec3_load(joint->axis));
    p->turns = joint->kind == SRS_JOINT_REVOLUTE || joint->kind == SRS_JOINT_CONTINUOUS;
    p->is_joined = p->turns || joint->kind == SRS_JOINT_PRISMATIC;
    if (p->parent >= 0) p->step = sub3(p->at, places[p->parent].at);
  }
}

static bool note(const srs_model *model, int link, srs_folds *notes, const char *text)
{
  char whole[1200];
  const srs_place line = srs_lint_place_of(model, srs_model_joint(model, link)->name);
  srs_print(whole, sizeof whole, "%s:%d: joint '%.100s' %s", line.file != NULL ? line.file : "model", line.line,
            srs_model_joint(model, link)->name, text);
  return srs_folds_add(notes, whole);
}

// ---------------------------------------------------------------------------------------------------------------------
// Axes
// ---------------------------------------------------------------------------------------------------------------------

static bool note_axes(const srs_model *model, const station *places, srs_folds *notes)
{
  int n_crossing = 0, n_passing = 0, odd = -1;
  double apart = 0;
  for (int i = 0; i < srs_model_n_links(model); i++) {
    const station *p = &places[i], *before = p->parent >= 0 ? &places[p->parent] : NULL;
    if (before == NULL || !p->turns || !before->turns) continue;
    const vec3 normal = cross3(p->axis, before->axis);
    if (norm3(normal) < PARALLEL) continue;
    const double distance = fabs(dot3(p->step, normal)) / norm3(normal);
    if (distance <= SAME)
      n_crossing++;
    else
      n_passing++, odd = i, apart = distance;
  }
  if (n_crossing < CROSSING || n_passing != 1 || apart <= ODD) return true;
  char text[400];
  srs_print(text, sizeof text,
            "has an axis that passes that of '%.100s' before it at %.3g mm, where all %d other such axes in a row "
            "cross: on purpose?",
            srs_model_joint(model, places[odd].parent)->name, 1000 * apart, n_crossing);
  return note(model, odd, notes, text);
}

// ---------------------------------------------------------------------------------------------------------------------
// Planes
// ---------------------------------------------------------------------------------------------------------------------

static double along(vec3 v, int axis) { return fabs(axis == 0 ? v.x : axis == 1 ? v.y : v.z); }

// The joint of the chain up from a leaf whose step alone leaves the planes normal to an axis, or -1.
static int find_leaving(const station *places, int leaf, int axis, int *n_staying)
{
  int n_leaving = 0, odd = -1;
  *n_staying = 0;
  for (int i = leaf; i >= 0 && places[i].is_joined; i = places[i].parent) {
    if (places[i].parent < 0 || norm3(places[i].step) <= SAME) continue;
    if (along(places[i].step, axis) <= SAME)
      ++*n_staying;
    else
      n_leaving++, odd = i;
  }
  const bool is_odd = n_leaving == 1 && odd != leaf && *n_staying >= STAYING;
  return is_odd && along(places[odd].step, axis) > ODD ? odd : -1;
}

// Whether a joint on the same link steps out as far, to one side or the other: a left and a right.
static bool has_twin(const station *places, int n, int odd, int axis)
{
  for (int i = 0; i < n; i++)
    if (i != odd && places[i].parent == places[odd].parent &&
        fabs(along(places[i].step, axis) - along(places[odd].step, axis)) <= SAME)
      return true;
  return false;
}

static bool note_planes(const srs_model *model, const station *places, bool *is_told, srs_folds *notes)
{
  bool is_held = true;
  for (int leaf = 0; leaf < srs_model_n_links(model) && is_held; leaf++)
    for (int axis = 0; axis < 3 && !places[leaf].is_parent && is_held; axis++) {
      int n;
      const int odd = find_leaving(places, leaf, axis, &n);
      if (odd < 0 || is_told[odd] || has_twin(places, srs_model_n_links(model), odd, axis)) continue;
      char text[400];
      srs_print(text, sizeof text,
                "is %.3g mm along %c from the joint before it, where the %d other steps of its chain are in planes "
                "normal to %c: on purpose?",
                1000 * along(places[odd].step, axis), "xyz"[axis], n, "xyz"[axis]);
      is_told[odd] = true;
      is_held = note(model, odd, notes, text);
    }
  return is_held;
}

bool srs_lint_axes(const srs_model *model, srs_folds *notes)
{
  const size_t n = (size_t)srs_model_n_links(model);
  station *places = calloc(n + 1, sizeof *places);
  srs_pose *links = calloc(n + 1, sizeof *links);
  bool *is_told = calloc(n + 1, sizeof *is_told);
  bool is_held = places != NULL && links != NULL && is_told != NULL;
  if (is_held) {
    srs_pose_links(model, srs_model_neutral(model), links);
    find_places(model, links, places);
    is_held = note_axes(model, places, notes) && note_planes(model, places, is_told, notes);
  }
  free(places);
  free(links);
  free(is_told);
  return is_held;
}
