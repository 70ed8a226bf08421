// Steps that end where they begin, which need not be computed again. Internal. Why that is exact: repeat.c.
#pragma once
#include "engine/state/sim_state.h"
#include <sarrus/simulation.h>

typedef struct srs_repeat {
  double *before;    // state.n_read: what the last candidate read of the state; NULL: the steps of this simulation read
                     // other things, too
  bool is_off;       // every step is computed: for tests
  bool is_candidate; // of the step under way: nothing moves at its start
  bool is_fixed;     // the last step led to where it began, `before`
  srs_sim_statistics contact;       // at the start of the candidate; of a fixed step what it adds
  srs_implicit_statistics implicit; // likewise
  long spins;                       // at the start of the candidate: steps with velocity terms that were iterated
} srs_repeat;

/// What a step counts.
typedef struct srs_repeat_counts {
  srs_sim_statistics *contact; // NULL: without constraints
  srs_implicit_statistics *implicit;
  const srs_spin_statistics *spin;
} srs_repeat_counts;

/// Whether the step from this state is the last one again.
bool srs_repeats(const srs_repeat *repeat, const srs_sim_state *state);

/// At the start of a step that is computed.  @param nv  velocities
void srs_repeat_begin(srs_repeat *repeat, const srs_sim_state *state, int nv, const srs_repeat_counts *counts);

/// Once the step is accepted.
/// @param has_same_impulses  those from which contacts start are, bit for bit, what they were before the step
/// @param deepest            m: what the step has added to the sum of penetrations
void srs_repeat_end(srs_repeat *repeat, const srs_sim_state *state, const srs_repeat_counts *counts,
                    bool has_same_impulses, double deepest);

/// Counts the step once more.
void srs_repeat_count(const srs_repeat *repeat, const srs_repeat_counts *counts);

/// Where something else than state and inputs changes: a parameter, the impulses from which contacts start.
void srs_repeat_forget(srs_repeat *repeat);
