// Facts about a simulation beyond its public interface, which trajectories record or lanes go on from. Internal.
#pragma once
#include "engine/state/decimal_step.h"
#include "engine/state/sim_state.h"
#include <sarrus/simulation.h>

#include <stdint.h>

struct srs_constraints; // engine/rows/constraints.h

/// The solver of the step's problems: "mcp" (geometrically-implicit), the name of a contact method, or "none" where the
/// sim has neither contacts nor rows.
const char *srs_sim_solver_name(const srs_sim *sim);

/// Whether the option velocity_terms has an effect: not on rk4 and the implicit integrators.
bool srs_sim_chooses_velocity_terms(const srs_sim *sim);

/// Whether srs_sim_joint_wrench can describe a step that led to the present state: not after srs_sim_set_state or a
/// reset. After rk4 the wrenches are those of the present state.
bool srs_sim_has_wrenches(const srs_sim *sim);

/// Everything that a simulation has counted since it began.
typedef struct srs_sim_counts {
  srs_sim_statistics statistics;
  srs_implicit_statistics implicit;
  srs_spin_statistics spin;
} srs_sim_counts;

srs_sim_counts srs_sim_get_counts(const srs_sim *sim);

/// Goes on counting from there. Counts that are not of such a model are left out.
void srs_sim_set_counts(srs_sim *sim, const srs_sim_counts *counts);

/// A hash of all that the next step reads besides model, options and inputs, to the bit; the works of the energy
/// balance too.
uint64_t srs_sim_state_hash(const srs_sim *sim);
/// The energy balance to the present state, whose energies are known.
/// @return SRS_OK, or as srs_energy where the state in which the balance starts has none
srs_status srs_sim_balance_to(srs_sim *sim, const srs_energies *now, srs_energy_balance *balance);

/// What the next step reads, for those who take it in another way.
typedef struct srs_sim_inside {
  const srs_model *model; // with the sim's own parameters
  const srs_sim_options *options;
  const srs_sim_state *state;
  const struct srs_constraints *constraints; // NULL where there is nothing to solve for
  srs_decimal_step clock;
  double gravity[3];     // m/s^2
  bool takes_mean;       // velocity terms at the mean
  bool sets_momentum;    // of trees that float
  bool is_semi_implicit; // semi-implicit Euler
} srs_sim_inside;

srs_sim_inside srs_sim_look_inside(const srs_sim *sim);

/// Sets the state as n free steps led to it: what they do not know of the last step is forgotten.
/// @param q, v  nq, nv   @param free_a  nv: of the last step, m/s^2 or rad/s^2; NULL where velocity terms are at the
/// start
void srs_sim_put(srs_sim *sim, double time, double steps, const double *q, const double *v, const double *free_a);
