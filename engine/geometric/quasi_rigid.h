// A compliant layer around a rigid core in the geometrically implicit step. Internal. Mathematics: quasi_rigid.c.
#pragma once
#include "engine/geometric/smooth_contact.h"
#include "engine/rows/compliant_layer.h"

/// Deflections of a layer that are unknowns of the contact: along the normal, and along the tangents that rub.
int srs_layer_size(const smooth_contact *contact);

/// Where deflection `row` (0: normal) of layer `layer` is among the unknowns.
int srs_layer_unknown(const smooth_contact *contact, int layer, int row);

/// Where the impulse is that deflection `row` bears.
int srs_layer_impulse(const smooth_contact *contact, int row);

/// Bounds and starts of all deflections, after the contact's gap and impulses have theirs.  @return unknowns taken
int srs_layer_lay_out(struct srs_geometric *geometric, const smooth_contact *contact);

/// How fast the layers shear along friction row k, m/s.
double srs_layer_slip(const struct srs_geometric *geometric, const smooth_contact *contact, const double *z, int k);

/// The rows of the layers, and what they add to the row of the normal impulse.
void srs_layer_rows(const struct srs_geometric *geometric, const smooth_contact *contact, const double *z, double *F);

/// The derivative of deflection row `row` by deflection `column` of the same layer, and by its own impulse.
double srs_layer_slope(const struct srs_geometric *geometric, const smooth_contact *contact, int layer, int row,
                       int column);
double srs_layer_impulse_slope(const struct srs_geometric *geometric, const smooth_contact *contact, int layer,
                               int row);

/// What the step leaves, m.  @param deflection  2 x 3
void srs_layer_keep(const struct srs_geometric *geometric, const smooth_contact *contact, const double *z,
                    double *deflection);
