/// How good are impulses, whoever found them? The judge evaluates the laws of contact.h in long double (64 bits of
/// mantissa on x86), from their definitions. No solver and no certificate takes part.
///
/// v = W lambda + b is computed anew. With x = lambda_t / e, u = e v_t and r = mu max(0, lambda_n), let F be the set of
/// friction that lambda_n allows: the ball of radius r, or r times the hull of a polyhedron's directions. Each kind of
/// law has a residual of its own, P being the nearest point:
///
///   gap          |min(lambda_n, v_n)|                            0 <= lambda_n _|_ v_n >= 0
///   cone         |x - P_F(x)|                                    friction lies in F
///   dissipation  |y - P_F(y - u)|, y = P_F(x)                    friction opposes the slip: of all in F it takes most
///   loops        |v|                                             bilateral rows
///   limits       |min(lambda, v)|                                unilateral rows
///   box          |lambda - P(lambda - v)| onto its bounds        box rows
///
/// Two figures of each. Unscaled: of N s and m/s (N m s and rad/s where a row turns) the one that is meant, that is, 1
/// N s counts as 1 m/s, as in the natural maps of papers. Relative: the same of lambda' and v' as contact.h scales
/// them, over |b'|; over |lambda'| where b is 0.
#pragma once
#include <sarrus/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is judged.
typedef struct srs_contact_claim {
  const double *impulse;  // n
  const double *velocity; // n: what W lambda + b is said to be; NULL: nothing
  int n_directions;       // friction polyhedron: even, 4 … SRS_CONTACT_DIRECTIONS_MOST; 0: the cone
  double direction_angle; // of the first from t1 towards t2, rad
  bool is_relaxed;        // the laws of `relaxed`: v_n - mu sigma in place of v_n (contact.h)
} srs_contact_claim;

/// Impulses and a method's options: the laws that the method solves.
srs_contact_claim srs_contact_claim_of(const srs_contact_options *options, const double *impulse,
                                       const double *velocity);

/// One kind of law, over all its rows. Zeros and -1 where it has none, or none is broken.
typedef struct srs_contact_residual {
  double worst;    // the largest, unscaled
  double relative; // the largest relative one
  int index;       // which contact or row of its kind has `worst`, from 0; rows of `velocity`: of the problem
} srs_contact_residual;

/// What a contact does: without impulse; with one, at rest along its tangents; with one, and friction at its bound. The
/// smaller scaled number is taken for zero: lambda'_n or v'_n; the slip |u'| or what friction lacks to its bound.
/// Without friction a contact under load slides.
typedef enum srs_contact_mode { SRS_CONTACT_OPEN, SRS_CONTACT_STICKS, SRS_CONTACT_SLIDES } srs_contact_mode;

/// "open", "stick", "slide"
const char *srs_contact_mode_name(srs_contact_mode mode);

/// One contact.
typedef struct srs_contact_finding {
  srs_contact_mode mode;
  double normal, friction;       // lambda_n, |x|, N s
  double normal_velocity, slip;  // v_n, |u|, m/s
  double gap, cone, dissipation; // unscaled
  double relative;               // the largest of its three relative figures
} srs_contact_finding;

typedef struct srs_contact_judgement {
  double residual;       // the scaled natural map of contact.h: with the polyhedron, and relaxed, where so claimed
  double exact_residual; // with the cone
  double natural_map;    // |natural map| unscaled (rho = 1), with the cone, not divided (srs_contact_natural_map)
  srs_contact_residual gap, cone, dissipation, loops, limits, box;
  srs_contact_residual velocity; // |v claimed - (W lambda + b)|; NAN where none is claimed
  double energy;                 // lambda^T W lambda / 2 + b^T lambda: kinetic energy that the impulses add, J
} srs_contact_judgement;

/// Judges. Allocates nothing; any thread.
/// @param judgement  out
/// @param findings   n_contacts, out; may be NULL
/// @return SRS_OK, SRS_ERROR_ARGUMENT (the problem's sizes and bounds, the directions), SRS_ERROR_NOT_FINITE (the
///         problem, impulses, velocities, the angle)
srs_status srs_contact_judge(const srs_contact_problem *problem, const srs_contact_claim *claim,
                             srs_contact_judgement *judgement, srs_contact_finding *findings);

#ifdef __cplusplus
}
#endif
