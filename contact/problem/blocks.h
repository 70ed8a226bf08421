// Products with a Delassus matrix in sparse block rows. Internal.
#pragma once
#include <sarrus/contact.h>

/// W_ii of every row.
void srs_blocks_diagonal(const srs_contact_blocks *W, double *diagonal);

/// w = W x + b.
void srs_blocks_velocity(const srs_contact_blocks *W, const double *b, const double *x, double *w);

/// The sum over rows of (scale_i (|b_i| + sum_j |W_ij x_j|))^2.
double srs_blocks_terms(const srs_contact_blocks *W, const double *b, const double *x, const double *scale);
