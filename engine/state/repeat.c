// Steps that end where they begin.
//
// A step is a function of state, inputs, impulses from which contacts start, model and options, and of nothing else
// (what snapshots rest on). If F(x) = x to the bit, then F(F(x)) = x: as long as x is the same, to the bit, the step
// need not be computed. What it leaves besides x is what the last one left: contacts, rows, efforts, wrenches. Counts
// add up what that step has added; sums add the same number once more, so that their rounding is the same, too.
//
// x is compared in each step, so a torque, a servo's reference or a wrench that changes by its last bit ends it.
// Parameters and gravity are not in x: their setters call srs_repeat_forget. Time enters steps by prescribed motions,
// and loops keep more (the largest pivots so far), so that simulations with loops are left out. Steps in which
// something happened that does not happen again count as others: memory grew, or a problem was not solved.
//
// Only states at rest are looked at, v = 0: where anything moves the first such coordinate ends the search.

#include "engine/state/repeat.h"

#include <string.h>

void srs_repeat_forget(srs_repeat *r) { r->is_candidate = r->is_fixed = false; }

static bool is_before(const srs_repeat *r, const srs_sim_state *s)
{
  return memcmp(r->before, s->inputs.has_wrench, s->n_read * sizeof *r->before) == 0;
}

bool srs_repeats(const srs_repeat *r, const srs_sim_state *s) { return r->is_fixed && !r->is_off && is_before(r, s); }

static bool is_still(const double *v, int nv)
{
  for (int i = 0; i < nv; i++)
    if (v[i] != 0) return false;
  return true;
}

void srs_repeat_begin(srs_repeat *r, const srs_sim_state *s, int nv, const srs_repeat_counts *counts)
{
  r->is_fixed = false;
  r->is_candidate = r->before != NULL && !r->is_off && is_still(s->v, nv);
  if (!r->is_candidate) return;
  memcpy(r->before, s->inputs.has_wrench, s->n_read * sizeof *r->before);
  if (counts->contact != NULL) r->contact = *counts->contact;
  r->implicit = *counts->implicit;
  r->spins = counts->spin->iterated + counts->spin->unconverged + counts->spin->unresolved;
}

// Takes what was counted before the step to what the step has added.
static void subtract(srs_sim_statistics *before, const srs_sim_statistics *now, double deepest)
{
  before->contact_steps = now->contact_steps - before->contact_steps;
  before->solves = now->solves - before->solves;
  before->iterations = now->iterations - before->iterations;
  before->second_rounds = now->second_rounds - before->second_rounds;
  before->pushes = now->pushes - before->pushes;
  before->corner_solves = now->corner_solves - before->corner_solves;
  before->tries = now->tries - before->tries;
  before->penetration_sum = deepest;
  before->infeasibility_sum = now->infeasibility_last;
}

// Whether something happened that need not happen again.
static bool is_special(const srs_repeat *r, const srs_repeat_counts *now)
{
  const srs_sim_statistics *a = &r->contact, *b = now->contact;
  const bool has_event =
      b != NULL && (a->failures != b->failures || a->growths != b->growths || a->change_points != b->change_points);
  return has_event || r->implicit.halved != now->implicit->halved ||
         r->spins != now->spin->iterated + now->spin->unconverged + now->spin->unresolved;
}

void srs_repeat_end(srs_repeat *r, const srs_sim_state *s, const srs_repeat_counts *counts, bool has_same_impulses,
                    double deepest)
{
  if (!r->is_candidate) return;
  r->is_candidate = false;
  r->is_fixed = has_same_impulses && !is_special(r, counts) && is_before(r, s);
  if (!r->is_fixed) return;
  if (counts->contact != NULL) subtract(&r->contact, counts->contact, deepest);
  r->implicit.solves = counts->implicit->solves - r->implicit.solves;
  r->implicit.iterations = counts->implicit->iterations - r->implicit.iterations;
}

void srs_repeat_count(const srs_repeat *r, const srs_repeat_counts *counts)
{
  srs_sim_statistics *to = counts->contact;
  counts->implicit->solves += r->implicit.solves;
  counts->implicit->iterations += r->implicit.iterations;
  if (to == NULL) return;
  to->contact_steps += r->contact.contact_steps;
  to->solves += r->contact.solves;
  to->iterations += r->contact.iterations;
  to->second_rounds += r->contact.second_rounds;
  to->pushes += r->contact.pushes;
  to->corner_solves += r->contact.corner_solves;
  to->tries += r->contact.tries;
  to->penetration_sum += r->contact.penetration_sum;
  to->infeasibility_sum += r->contact.infeasibility_sum;
}
