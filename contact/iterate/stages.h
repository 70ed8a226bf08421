// Stages of the fallback sequence: from a start to what it leads to. Internal.
#pragma once
#include "contact/iterate/fallback_state.h"
#include "contact/iterate/proximal.h"

/// Levenberg-Marquardt from z, until |r| <= goal (or `enough`, where little more is to be had).  @return |r|
double srs_stage_minimise(srs_fallback *l, double goal, double enough);

/// Whether a residual at x is no more than rounding; whether l->x, of that residual, is an answer.
bool srs_stage_is_rounding(const srs_fallback *l, double residual, const double *x);
bool srs_stage_is_answer(const srs_fallback *l, double residual);

/// Whether impulses (n) are so large that their rounding is about the tolerance; whether they may be kept nevertheless.
bool srs_stage_is_large(const srs_fallback *l, const double *x);
bool srs_stage_is_kept(const srs_fallback *l, const double *x);

/// How many Jacobians that many multiplications allow, between `least` and `most`.
int srs_stage_jacobians(const srs_fallback *l, double work, int least, int most);

/// Proximal points of the problem at hand.
srs_proximal srs_stage_proximal(srs_fallback *l);

/// x, w and z of impulses (n).
void srs_stage_begin(srs_fallback *l, const double *impulses);

/// Keeps x where it is the best so far.  @return whether it is an answer
bool srs_stage_keep(srs_fallback *l, srs_contact_stage name, double residual);

/// The least-norm answer in place of the answer x, in small problems.
void srs_stage_make_least(srs_fallback *l);

/// From z by damped steps, then by proximal points where these end near an answer.
/// @param is_short  a few damped steps only
/// @return whether that leads to an answer; the best point so far is kept
bool srs_stage_try(srs_fallback *l, srs_contact_stage name, bool is_short);

/// From z by sweeps, where that is nearly an answer, in large problems.  @return whether x is one
bool srs_stage_settle(srs_fallback *l, srs_contact_stage name);

/// From impulses (n) by proximal points alone.
/// @param begun  rho of the first point; 0: by the residual
/// @param work   multiplications, about
/// @return likewise
bool srs_stage_points(srs_fallback *l, srs_contact_stage name, double begun, double work, const double *impulses);
