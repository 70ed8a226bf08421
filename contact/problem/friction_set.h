// The friction that a normal impulse allows, in long double: for the judge. Internal.
#pragma once
#include <sarrus/contact.h>

typedef long double srs_wide;

/// Of radius 1: the ball, or the hull of n directions (with a contact's spin, the double pyramid over it; rolling
/// likewise).
typedef struct srs_friction_set {
  int n; // 0: the ball
  srs_wide corner[SRS_CONTACT_DIRECTIONS_MOST][2];
} srs_friction_set;

/// n even, the first direction at `angle`.
void srs_friction_set_make(int n, double angle, srs_friction_set *set);

srs_wide srs_wide_length(int d, const srs_wide *t);

/// The least radius of the set that holds t; d = 0 … 5 tangents.
srs_wide srs_friction_set_gauge(const srs_friction_set *set, int d, const srs_wide *t);

/// The nearest point to t of the set of radius r.  @return whether t is in it
bool srs_friction_set_project(const srs_friction_set *set, int d, srs_wide r, const srs_wide *t, srs_wide *nearest);

/// The largest -d . u over the set of radius 1: what slip u costs it.
srs_wide srs_friction_set_slip(const srs_friction_set *set, int d, const srs_wide *u);
