/// The linearised step: how the state after a step changes with the state before it and with the torques.
#pragma once
#include <sarrus/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Memory in which the steps of one sim are linearised. It holds a second sim of the same model and options, so the
/// first one is only read. One thread at a time.
typedef struct srs_linearisation srs_linearisation;

/// Allocates.
/// @param sim            must outlive the linearisation
/// @param linearisation  out, freed by srs_linearisation_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_ARGUMENT, _MEMORY, or _UNSUPPORTED, naming what is not offered: every integrator but
///         semi-implicit-euler, embedded loops, the option implicit_gyroscopic, the normal law hart, corners other
///         than convex, and torsional, rolling or anisotropic friction
srs_status srs_linearisation_create(const srs_sim *sim, srs_linearisation **linearisation, srs_error *error);
void srs_linearisation_destroy(srs_linearisation *linearisation);

/// What a parameter is. Those of links are of links of the file, lumped or not.
typedef enum srs_parameter_kind {
  SRS_PARAMETER_MASS,         // of link `index` (its frame), kg; com and moments stay
  SRS_PARAMETER_COM,          // its coordinate `component`, 0 to 2, in the link's frame, m; moments about it stay
  SRS_PARAMETER_INERTIA,      // entry `component`, 0 to 5, of I_xx I_yy I_zz I_xy I_xz I_yz about com, kg m^2
  SRS_PARAMETER_JOINT_ORIGIN, // of the joint that carries link `index` of the model (not of the file): its origin's
                              // coordinate `component` in the frame of the link that it is on, m: a length of that link
  SRS_PARAMETER_ARMATURE,     // of coordinate `index`, kg m^2 or kg
  SRS_PARAMETER_DAMPING,      // N m s or N s
  SRS_PARAMETER_STIFFNESS,    // N m or N/m
  SRS_PARAMETER_DRY_FRICTION, // N m or N: of coordinates that have some
  SRS_PARAMETER_FRICTION,     // of shape `index`, before it is combined with another's
  SRS_PARAMETER_GRAVITY,      // component 0 to 2, m/s^2
} srs_parameter_kind;

typedef struct srs_parameter {
  srs_parameter_kind kind;
  int index, component; // 0 where the kind has none
} srs_parameter;

/// Chooses the parameters by which steps are differentiated, for srs_linearisation_parameters. Allocates.
/// @param parameters  n, copied; NULL where n is 0
/// @return SRS_OK, SRS_ERROR_ARGUMENT (the error says which entry) or _MEMORY: no parameters then
srs_status srs_linearisation_set_parameters(srs_linearisation *linearisation, const srs_parameter *parameters, int n,
                                            srs_error *error);

/// Whether a step has a derivative at the state.
typedef enum srs_linearisation_status {
  SRS_LINEARISATION_SMOOTH,    // it has: every row is clearly active or clearly not
  SRS_LINEARISATION_ONE_SIDED, // rows are exactly at their surface or limit, as what rests is: the derivative holds for
                               // motions that do not lead inside; or loops are held by more rows than they need: it
                               // holds for motions that keep them closed
  SRS_LINEARISATION_NOT_SMOOTH // rows are weakly active: the derivative is that of the rows as they stand
} srs_linearisation_status;

/// "smooth", "one-sided", "not smooth"
const char *srs_linearisation_status_name(srs_linearisation_status status);

/// Why a row keeps the step from being differentiable.
typedef enum srs_weakness {
  SRS_WEAK_AT_SURFACE,  // its gap is zero, to 1e-9 m or rad: its row is that of a gap, and another one inside
  SRS_WEAK_PRESSURE,    // it neither presses nor opens
  SRS_WEAK_FRICTION,    // it does not slip, and its friction is at the cone's edge; dry friction and actuators likewise
  SRS_WEAK_CONTACT_SET, // its contact points change between here and beside it, so its normal and gap do not turn
  SRS_WEAK_DEPENDENCE,  // rows that depend on each other ask for different motions beside the state; loops: where they
                        // are not closed
  SRS_WEAK_SHARES,      // how contacts that slide share the load is not determined, and the derivative depends on it
  SRS_WEAK_EFFORT, // an actuator exerts nothing at or beyond its max_velocity, where it acts in one direction alone
  SRS_WEAK_PUSH,   // its push-out ends short of where it was to go, held back by others; or it just reaches what one
                   // step may turn or move a link
} srs_weakness;

enum { SRS_WEAKNESSES = SRS_WEAK_PUSH + 1 };

/// A row that keeps the step from being differentiable.
typedef struct srs_weak_row {
  srs_weakness weakness;
  bool is_contact;
  int shape_a, shape_b;    // of a contact; else -1
  srs_row_source source;   // of other rows: as in srs_sim_row
  srs_row_subject subject; // likewise
  int index;               // likewise
} srs_weak_row;

/// "contact of 'ball' and 'floor': its friction is at the edge of the cone"
/// @param text  out, at most size bytes   @return text
const char *srs_weak_row_text(const srs_model *model, const srs_weak_row *row, char *text, int size);

typedef struct srs_linearisation_report {
  srs_linearisation_status status;
  int n_rows;               // of the step's problem: contacts count three, in a plane two, without friction one
  int n_active;             // of these: rows that fix the motion, or slide
  int rank;                 // how many of these are independent
  double geometry_error;    // how far the turning of normals and the growth of gaps may be off: the largest difference
                            // between central differences over 1e-5 and 2e-5 rad or m, as a share of the largest
                            // derivative; 0 without contacts and loops
  const srs_weak_row *weak; // n_weak, a view that the next linearisation changes
  int n_weak;
} srs_linearisation_report;

/// Linearises the next step from the sim's present state and inputs, as srs_sim_set_state with that state followed by
/// srs_sim_step would take it:
///
///   [dq+; dv+] = A [dq; dv] + B dtau
///
/// dq and dq+ are in tangent coordinates: q moves as srs_integrate(model, q, dq, 1, .), q+ likewise, so all have nv
/// entries. Through joint limits, dry friction, limited actuators, loops and contacts the problem that the step has
/// solved is differentiated on its active rows by the implicit function theorem. The dynamics' derivatives are
/// analytic; those of the geometry of contacts and loops, of springs and limited actuators, and of the way from v+ to
/// q+ where loops are projected or trees float, are central differences (geometry_error).
///
/// Where contacts bounce in the step it is refused. What the last step led to (warm starts, velocity terms) is not
/// used, as after srs_sim_set_state. Allocates only where the sim's contacts are more than ever before.
/// @param linearisation  made for this sim
/// @param A       2 nv x 2 nv, out, rows first; may be NULL
/// @param B       2 nv x nv, out, rows first; may be NULL
/// @param report  out, may be NULL
/// @return SRS_OK also where the step is not smooth: ask the report; SRS_ERROR_ARGUMENT; _UNSUPPORTED where contacts
///         bounce; _MEMORY; or as srs_sim_step
///
/// Source: implicit function theorem on the strictly active set, as for parametric complementarity problems (Robinson,
/// Math. Oper. Res. 5 (1980)); de Avila Belbute-Peres et al., NeurIPS 2018; Werling et al., RSS 2021.
srs_status srs_sim_linearise(const srs_sim *sim, srs_linearisation *linearisation, double *A, double *B,
                             srs_linearisation_report *report, srs_error *error);

/// The derivatives of [q+; v+] by the parameters that were chosen, in the step linearised last. Exact like A, where
/// inverse dynamics is linear in the parameter (all but lengths), else central differences of it.
/// @param P  2 nv x n, out, rows first
/// @return SRS_OK, or SRS_ERROR_ARGUMENT before srs_sim_linearise has succeeded
srs_status srs_linearisation_parameters(const srs_linearisation *linearisation, double *P);

#ifdef __cplusplus
}
#endif
