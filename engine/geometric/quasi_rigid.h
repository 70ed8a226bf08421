// Compliant layers around rigid cores in the geometrically implicit step. Internal. Mathematics: quasi_rigid.c.
#pragma once
#include "engine/geometric/smooth_contact.h"
#include "engine/rows/material.h"

/// The number of a layer's deflections that are unknowns of the contact: along the normal, and along the tangents with
/// friction.
int srs_layer_size(const smooth_contact *contact);

/// The place of deflection `row` (0: normal) of layer `layer` among the unknowns.
int srs_layer_unknown(const smooth_contact *contact, int layer, int row);

/// The place of the impulse that deflection `row` bears.
int srs_layer_impulse(const smooth_contact *contact, int row);

/// Sets bounds and initial values of all deflections, after the contact's gap and impulses have theirs.  @return
/// unknowns taken
int srs_layer_lay_out(struct srs_geometric *geometric, const smooth_contact *contact);

/// The layers' rate of shear along friction row k, m/s.
double srs_layer_slip(const struct srs_geometric *geometric, const smooth_contact *contact, const double *z, int k);

/// The rows of the layers, and their part of the normal impulse's row.
void srs_layer_rows(const struct srs_geometric *geometric, const smooth_contact *contact, const double *z, double *F);

/// The derivative of deflection row `row` by deflection `column` of the same layer, and by its own impulse.
double srs_layer_slope(const struct srs_geometric *geometric, const smooth_contact *contact, int layer, int row,
                       int column);
double srs_layer_impulse_slope(const struct srs_geometric *geometric, const smooth_contact *contact, int layer,
                               int row);

/// The deflections at the end of the step, m.  @param deflection  2 x 3
void srs_layer_keep(const struct srs_geometric *geometric, const smooth_contact *contact, const double *z,
                    double *deflection);
