// What other folders may see of a contact solver beside its answers. Internal.
#pragma once
#include "contact/problem/bilateral.h"

/// The factor of the bilateral rows of the solver's last problem.
const srs_bilateral *srs_contact_bilateral(const srs_contact_solver *solver);
