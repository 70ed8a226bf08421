// Memory of the constraint system, which grows with its contacts and rows. Internal.
#pragma once
#include "engine/rows/constraints.h"

/// Takes the arrays whose sizes the model determines, zeroed.
srs_status srs_fixed_arrays_create(struct srs_constraints *constraints, const srs_model *model);

/// Releases all arrays of the system.
void srs_arrays_destroy(struct srs_constraints *constraints);

/// Grows the arrays to so many contacts.
srs_status srs_contacts_reserve(struct srs_constraints *constraints, int capacity);

/// Memory for a problem of so many contacts and scalar rows.
srs_status srs_problem_reserve(struct srs_constraints *constraints, int n_contacts, int n_scalars);

/// Memory for a problem given by blocks: the solver's, and so many doubles of the island.
srs_status srs_blocks_reserve(struct srs_constraints *constraints, const srs_contact_sizes *sizes, size_t doubles);

/// Memory for problems given by blocks with as many contacts as the capacity allows, where memory is fixed: enough for
/// nodes with up to 32 neighbours each on average.
srs_status srs_blocks_reserve_fixed(struct srs_constraints *constraints);
