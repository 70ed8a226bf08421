// Couplings (mimic joints, gears) by the coordinate that follows; loop closures by their names; pairs of links that do
// not collide.
#include "engine/cli/against/compare.h"
#include <sarrus/topology.h>

#include <math.h>
#include <string.h>

static srs_compared lone_item(const char *element, const char *name, srs_place place, int which)
{
  return (srs_compared){element, name, which == 0 ? place : srs_no_place(), which == 1 ? place : srs_no_place()};
}

static bool are_same(const char *a, const char *b) { return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0); }

static bool motions_differ(const srs_differences *found, const srs_motion *x, const srs_motion *y)
{
  if (x->kind != y->kind || x->n_points != y->n_points || x->function != y->function) return true;
  const double p[5] = {x->start, x->rate, x->amplitude, x->frequency, x->phase};
  const double q[5] = {y->start, y->rate, y->amplitude, y->frequency, y->phase};
  for (int i = 0; i < 5; i++)
    if (!srs_is_alike(found, p[i], q[i], 0)) return true;
  for (int i = 0; x->kind == SRS_MOTION_TABLE && i < x->n_points; i++)
    if (!srs_is_alike(found, x->times[i], y->times[i], 0) || !srs_is_alike(found, x->values[i], y->values[i], 0))
      return true;
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Couplings
// ---------------------------------------------------------------------------------------------------------------------

static int find_follower(const srs_side *side, const char *follower)
{
  for (int i = 0; i < side->source->n_couplings; i++)
    if (strcmp(side->source->couplings[i].def.follower, follower) == 0) return i;
  return -1;
}

static void compare_coupling(srs_sides *sides, const srs_builder_coupling *x, const srs_builder_coupling *y)
{
  const srs_compared of = {"joint", x->def.follower, x->place, y->place};
  char first[SRS_NUMBERS_SIZE], second[SRS_NUMBERS_SIZE];
  bool differs = false;
  if (!are_same(srs_sides_joint_name(sides, 0, x->def.leader), y->def.leader))
    srs_differ(sides->found, &of, SRS_DIFFERS_MIMIC, x->def.leader != NULL ? x->def.leader : "its motion",
               y->def.leader != NULL ? y->def.leader : "its motion", "follows another coordinate");
  for (int i = 0; i < SRS_COUPLING_TERMS; i++)
    differs = differs || !srs_is_alike(sides->found, x->def.coefficients[i], y->def.coefficients[i], i == 0);
  int n = SRS_COUPLING_TERMS;
  while (n > 2 && x->def.coefficients[n - 1] == 0 && y->def.coefficients[n - 1] == 0) n--;
  if (differs)
    srs_differ(sides->found, &of, SRS_DIFFERS_MIMIC, srs_numbers_text(x->def.coefficients, n, first),
               srs_numbers_text(y->def.coefficients, n, second), "follows by another rule (offset, multiplier)");
  if (motions_differ(sides->found, &x->def.motion, &y->def.motion))
    srs_differ(sides->found, &of, SRS_DIFFERS_MIMIC, NULL, NULL, "follows another motion");
}

void srs_compare_couplings(srs_sides *sides)
{
  for (int which = 0; which < 2; which++) {
    const srs_side *side = &sides->side[which], *other = &sides->side[1 - which];
    for (int i = 0; i < side->source->n_couplings; i++) {
      const srs_builder_coupling *coupling = &side->source->couplings[i];
      const int there = find_follower(other, srs_sides_joint_name(sides, which, coupling->def.follower));
      const srs_compared of = lone_item("joint", coupling->def.follower, coupling->place, which);
      if (there < 0)
        srs_differ(sides->found, &of, SRS_DIFFERS_MIMIC, NULL, NULL, "follows '%s' in this file only",
                   coupling->def.leader != NULL ? coupling->def.leader : "a motion");
      else if (which == 0)
        compare_coupling(sides, coupling, &other->source->couplings[there]);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Closures
// ---------------------------------------------------------------------------------------------------------------------

static bool numbers_differ(const srs_differences *found, const double *a, const double *b, int n)
{
  for (int i = 0; i < n; i++)
    if (!srs_is_alike(found, a[i], b[i], 1)) return true;
  return false;
}

static bool tendons_differ(const srs_differences *found, const srs_tendon_def *x, const srs_tendon_def *y)
{
  if (x->n_terms != y->n_terms || x->n_leaders != y->n_leaders || x->is_held != y->is_held) return true;
  for (int i = 0; i < x->n_terms + x->n_leaders; i++) {
    const srs_tendon_term *p = i < x->n_terms ? &x->terms[i] : &x->leaders[i - x->n_terms];
    const srs_tendon_term *q = i < x->n_terms ? &y->terms[i] : &y->leaders[i - x->n_terms];
    if (strcmp(p->coordinate, q->coordinate) != 0 || !srs_is_alike(found, p->coefficient, q->coefficient, 0))
      return true;
  }
  return numbers_differ(found, x->polynomial, y->polynomial, SRS_COUPLING_TERMS);
}

static void compare_closure(srs_sides *sides, const srs_builder_closure *a, const srs_builder_closure *b)
{
  const srs_closure_def *x = &a->def, *y = &b->def;
  const srs_compared of = {"closure", x->name, a->place, b->place};
  const srs_loop_joint *i = &x->joint, *j = &y->joint;
  const double p[9] = {i->lower,     i->upper,    i->friction,   i->damping,     i->stiffness,
                       i->reference, i->armature, i->max_effort, i->max_velocity};
  const double q[9] = {j->lower,     j->upper,    j->friction,   j->damping,     j->stiffness,
                       j->reference, j->armature, j->max_effort, j->max_velocity};
  srs_differences *found = sides->found;
  const struct {
    bool differs;
    const char *what;
  } rows[] = {
      {x->kind != y->kind || x->rows != y->rows, "another kind of closure"},
      {!are_same(x->frame_a, y->frame_a) || !are_same(x->frame_b, y->frame_b), "between other frames"},
      {srs_placed_differs(found, srs_placed_of(&x->pose_a), srs_placed_of(&y->pose_a)) ||
           srs_placed_differs(found, srs_placed_of(&x->pose_b), srs_placed_of(&y->pose_b)),
       "at another place"},
      {numbers_differ(found, x->axis, y->axis, 3) || numbers_differ(found, x->axis2, y->axis2, 3), "another axis"},
      {!srs_is_alike(found, x->length, y->length, 1), "another length"},
      {motions_differ(found, &x->motion, &y->motion), "another motion"},
      {numbers_differ(found, p, q, 9), "other limits, friction, spring or damping"},
      {tendons_differ(found, &x->tendon, &y->tendon), "over other coordinates"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (rows[k].differs) srs_differ(found, &of, SRS_DIFFERS_LOOP, NULL, NULL, "%s", rows[k].what);
}

void srs_compare_loops(srs_sides *sides)
{
  for (int which = 0; which < 2; which++) {
    const srs_builder *source = sides->side[which].source, *other = sides->side[1 - which].source;
    for (int i = 0; i < source->n_closures; i++) {
      const srs_builder_closure *closure = &source->closures[i];
      const srs_compared of = lone_item("closure", closure->def.name, closure->place, which);
      int there = 0;
      const char *name = closure->def.name;
      while (there < other->n_closures && strcmp(other->closures[there].def.name, name) != 0) there++;
      if (there == other->n_closures)
        srs_differ(sides->found, &of, SRS_DIFFERS_LOOP, NULL, NULL, "in this file only");
      else if (which == 0)
        compare_closure(sides, closure, &other->closures[there]);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Pairs
// ---------------------------------------------------------------------------------------------------------------------

// Names of the pair of that index.  @return false where there are no more
static bool pair_of(const srs_side *side, int index, const char *pair[2])
{
  int frames[2];
  if (!srs_model_excluded(side->model, index, &frames[0], &frames[1])) return false;
  for (int i = 0; i < 2; i++) pair[i] = srs_model_frame(side->model, frames[i])->name;
  return true;
}

static bool has_pair(const srs_side *side, const char *const pair[2])
{
  const char *other[2];
  for (int i = 0; pair_of(side, i, other); i++)
    for (int k = 0; k < 2; k++)
      if (strcmp(other[k], pair[0]) == 0 && strcmp(other[1 - k], pair[1]) == 0) return true;
  return false;
}

void srs_compare_pairs(srs_sides *sides)
{
  for (int which = 0; which < 2; which++) {
    const char *pair[2];
    for (int i = 0; pair_of(&sides->side[which], i, pair); i++) {
      char name[300];
      if (has_pair(&sides->side[1 - which], pair)) continue;
      srs_print(name, sizeof name, "%s and %s", pair[0], pair[1]);
      const srs_compared of = lone_item("pair", name, (srs_place){NULL, 0, 0}, which);
      srs_differ(sides->found, &of, SRS_DIFFERS_PAIR, NULL, NULL, "collides in the other file only");
    }
  }
}
