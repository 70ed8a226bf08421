// The friction polyhedron that approximates a cone. Internal.
#pragma once
#include <sarrus/contact.h>

enum { SRS_POLYHEDRON_MOST = 64 };

/// Directions of a contact, at most.
enum { SRS_POLYHEDRON_SETS_MOST = SRS_POLYHEDRON_MOST + 2 * (SRS_CONTACT_TANGENTS_MOST - 2) };

/// Unit directions in the tangent plane, at equal angles, each with its opposite. A contact's friction set is mu x_n
/// times the hull of its directions: with two tangents these; with more these and both senses of each further tangent
/// (with three, torsion, a double pyramid); with one its two senses, which is exact; with none the origin.
typedef struct srs_polyhedron {
  int n; // even
  double direction[SRS_POLYHEDRON_MOST][2];
  bool is_relaxed; // the relaxed condition w_n - mu sigma >= 0, sigma the slip
                   // (contact/iterate/relaxation.h)
} srs_polyhedron;

/// n directions, nothing relaxed, the first `angle` counter-clockwise of t1.
void srs_polyhedron_make(int n, double angle, srs_polyhedron *polyhedron);

/// The first of d tangents whose two senses are directions of their own.
static inline int srs_polyhedron_single(int d) { return d >= 2 ? 2 : 0; }

/// How many directions a contact with d tangents has.
int srs_polyhedron_directions(const srs_polyhedron *polyhedron, int d);

/// A tangent vector t (d numbers) as a sum over directions with the least weights >= 0, which go to beta.
void srs_polyhedron_spread(const srs_polyhedron *polyhedron, int d, const double *t, double *beta);

/// sigma of d tangential velocities w: max_k -d_k . w, >= 0.
double srs_polyhedron_slip(const srs_polyhedron *polyhedron, int d, const double *w);

/// The squared natural map of a contact (n and d tangents) with the polyhedron for the cone: the distance of x_n from
/// max(0, x_n - w_n), and of x_t from the nearest point to x_t - w_t of mu x_n times the directions' hull.
double srs_polyhedron_defect(const srs_polyhedron *polyhedron, int d, const double *x, const double *w, double mu);
