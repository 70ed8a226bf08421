// Rigid-body inertias: validity, and several bodies welded together. Internal.
#pragma once
#include "topology/base/spatial.h"
#include <sarrus/topology.h>

/// Principal moments, smallest first.
void srs_principal_moments(sym3 inertia, double moments[3]);

/// Principal moments in any order, and the axis of each; axes diag(moments) axes^T is the inertia.
void srs_principal_axes(sym3 inertia, double moments[3], mat3 *axes);

/// Masses of links are 0, or within these: products of several of them, and of their moments, stay numbers.
#define SRS_LEAST_MASS 1e-40 // kg
#define SRS_MOST_MASS  1e40

/// Whether a mass that is not negative is 0 or within these.
bool srs_mass_is_in_range(double mass);

/// A fault of a mass and its inertia.
typedef enum srs_inertia_fault {
  SRS_INERTIA_POSSIBLE,
  SRS_INERTIA_NEGATIVE_MASS,
  SRS_INERTIA_WITHOUT_MASS, // moments, but no mass
  SRS_INERTIA_NEGATIVE,     // a principal moment below zero
  SRS_INERTIA_TRIANGLE,     // the largest principal moment exceeds the sum of the others
} srs_inertia_fault;

srs_inertia_fault srs_inertia_validate(double mass, sym3 inertia);

/// The same where moments up to `rounding` (kg m^2, >= 0) may be those of rounding.
srs_inertia_fault srs_inertia_validate_within(double mass, sym3 inertia, double rounding);

/// The inertia that a body may have and that is nearest: of the same principal axes, the sum of the squares of what its
/// moments change by as small as can be. A possible one comes back as it is.
sym3 srs_inertia_nearest(sym3 inertia);

/// The fault in words, with the numbers and what to do: "principal moments 1.0 > 0.2 + 0.3 kg m^2: …".
/// @return text
const char *srs_inertia_describe(double mass, sym3 inertia, char *text, size_t size);

/// A rigid body: inertia about the centre of mass.
typedef struct srs_body {
  double mass;
  vec3 com;
  sym3 inertia;
} srs_body;

/// The body of a link's definition, in the link's axes.
srs_body srs_body_of(const srs_link_def *def);

/// The body seen from outside: its frame lies at `offset` with the given axes.
srs_body srs_body_move(srs_body body, vec3 offset, mat3 axes);

/// Several bodies in one frame as one. A single massive one comes out as it is, to the bit.
srs_body srs_body_weld(const srs_body *bodies, int n);
