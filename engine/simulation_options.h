/// The options of a simulation: integrator, contact laws and materials, joint limits, loops.
///
/// srs_default_sim_options and the other srs_default_ functions fill every field; the comments state the defaults.
#pragma once
#include <sarrus/collision.h>
#include <sarrus/contact.h>
#include <sarrus/surfaces.h>
#include <sarrus/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Integrators
// ---------------------------------------------------------------------------------------------------------------------

typedef enum srs_integrator {
  /// v+ = v + h M^-1 (tau - c); q+ = integrate(q, h v+). Order 1.
  SRS_SEMI_IMPLICIT_EULER,
  /// The same at q^m = integrate(q, h/2 v); q+ = integrate(q, h (v + v+)/2). Order 2 where nothing collides; with c at
  /// the start's velocity order 1.
  /// Dampers and springs that are stiff for the step are taken later than the mean, here and in implicit-moreau.
  SRS_MOREAU_MIDPOINT,
  /// The classical method of order 4 on the configuration manifold; springs and dampers explicit.
  SRS_RK4,
  /// All matrices, velocity terms and contact directions at (q+, v+), found by iteration. Order 1; dissipates energy.
  SRS_IMPLICIT_EULER,
  /// All at the mean, by iteration: q^m = integrate(q, h/2 v^m), v^m = (v + v+)/2. Order 2 where nothing
  /// collides, with rolling contact too.
  SRS_IMPLICIT_MOREAU,
  /// semi-implicit-euler with gaps, normals and contacts at q+, found together with it (Chakraborty, Berard, Akella &
  /// Trinkle). Order 1; smooth shapes and boxes, inelastic impacts.
  SRS_GEOMETRICALLY_IMPLICIT,
} srs_integrator;

enum { SRS_INTEGRATORS = SRS_GEOMETRICALLY_IMPLICIT + 1 };

/// "semi-implicit-euler", "moreau-midpoint", "rk4", "implicit-euler", "implicit-moreau", "geometrically-implicit";
/// the words of scene files.
const char *srs_integrator_name(srs_integrator integrator);

/// @return false where no integrator has that name; *integrator is untouched then
bool srs_integrator_from_name(const char *name, srs_integrator *integrator);

/// The velocity at which semi-implicit-euler, moreau-midpoint and geometrically-implicit take the velocity terms c
/// (centrifugal, Coriolis, gyroscopic). Springs, dampers and servos have their own (engine/step/step_velocity.c).
typedef enum srs_velocity_terms {
  /// (v + v_free) / 2, v_free the velocity that the step would reach without contacts and rows; iterated where the last
  /// step's acceleration does not predict it well enough. What turns fast keeps its energy. v in a first step, in trees
  /// on which contacts or rows acted in the last step, and with embedded loops, while no link of the tree turns by more
  /// than 0.02 rad in a step.
  SRS_VELOCITY_TERMS_MEAN,
  SRS_VELOCITY_TERMS_START, // v, as Mylapilli & Jain do: what turns at the rate w gains energy, the share dt w^2 a
                            // second
} srs_velocity_terms;

/// How the implicit integrators iterate.
typedef struct srs_implicit_settings {
  double tolerance; // > 0: the iteration ends when no velocity changes by more than this share of 1 + the largest one.
                    // Default 1e-10
  int iterations;   // 1 to 10000: each solves one contact problem per island. Default 50
  int halvings;     // in [0, 20]: a step that does not converge is split into 2, 4, … 2^halvings smaller ones; if one
                    // of these does not converge, the step fails. Default 8
} srs_implicit_settings;

// ---------------------------------------------------------------------------------------------------------------------
// Contact laws
// ---------------------------------------------------------------------------------------------------------------------

/// Which contacts enter a step's problem. phi is the gap at the configuration where the step takes its matrices.
typedef enum srs_activation {
  /// phi + h n.v_free <= 0: contacts that would close. Under the gap law and without restitution, also those that
  /// gravity could close within a step.
  SRS_ACTIVATION_PREDICT,
  SRS_ACTIVATION_DISTANCE,    // phi <= distance
  SRS_ACTIVATION_PENETRATING, // phi <= 0
} srs_activation;

/// What a contact's normal row requires. gamma is the error reduction.
typedef enum srs_normal_law {
  SRS_NORMAL_GAP,      // n.v+ + max(phi, 0)/h >= 0: bodies come to rest at the surface, see `projection`
  SRS_NORMAL_VELOCITY, // n.v+ >= 0; once phi < 0, n.v+ + gamma phi/h >= 0
  SRS_NORMAL_HART,     // n.v+ + gamma phi/h >= 0 for either sign, without a bound on the speed (Hart & Anitescu)
} srs_normal_law;

/// How restitution e > 0 acts, at contacts with n.v- < -impact_threshold at the start of the step.
typedef enum srs_impact_law {
  /// Solves with e = 0, adds e times the impulse, friction included, and solves again where that violates a row.
  SRS_IMPACT_TWO_PHASE,
  /// Solves with e = 0, then gives e times the normal impulse and solves for the rest, friction included (Anitescu &
  /// Potra). Adds no energy to v_free where two-phase adds none.
  SRS_IMPACT_POISSON,
  /// n.v+ >= -e n.v-. With friction this law can create energy; it is here because papers use it.
  SRS_IMPACT_NEWTON,
} srs_impact_law;

/// The direction of a contact's first tangent, and so of the friction polyhedron of the mlcp methods (turned further by
/// solver.direction_angle). The exact cone does not depend on it.
typedef enum srs_alignment {
  SRS_ALIGNMENT_SLIP,  // along the slip at the start of the step: exact while the slip keeps its direction (MJ 3.1)
  SRS_ALIGNMENT_FIXED, // the world's x axis in the tangent plane (y where x is nearly the normal), counter-clockwise
                       // seen from above
} srs_alignment;

/// What keeps bodies apart at the corners of solids (docs/corners.md).
typedef enum srs_corners {
  SRS_CORNERS_CONVEX,    // the plane of each contact point extends without end
  SRS_CORNERS_MAX,       // of the planes that meet in a corner one must hold, in max form
  SRS_CORNERS_SUMMATION, // the same in summation form (contact.h): corners are capped, friction is polyhedral
} srs_corners;

/// How the values of two materials combine.
typedef enum srs_combination {
  SRS_COMBINE_GEOMETRIC_MEAN,
  SRS_COMBINE_MEAN,
  SRS_COMBINE_LARGER,
  SRS_COMBINE_SMALLER,
  SRS_COMBINE_PRODUCT,
} srs_combination;

/// The words of scene files, "" for a value out of range:
/// "predict", "distance", "penetrating"
const char *srs_activation_name(srs_activation activation);
/// "gap", "velocity", "hart"
const char *srs_normal_law_name(srs_normal_law law);
/// "two-phase", "poisson", "newton"
const char *srs_impact_law_name(srs_impact_law law);
/// "mean", "start"
const char *srs_velocity_terms_name(srs_velocity_terms terms);
/// "slip", "fixed"
const char *srs_alignment_name(srs_alignment alignment);
/// "convex", "max", "summation"
const char *srs_corners_name(srs_corners corners);
/// "geometric-mean", "mean", "larger", "smaller", "product"
const char *srs_combination_name(srs_combination rule);

// ---------------------------------------------------------------------------------------------------------------------
// Materials and shapes
// ---------------------------------------------------------------------------------------------------------------------

/// A compliant layer around a rigid core (Chakraborty, Berard, Akella & Trinkle, sec. 5), for
/// SRS_GEOMETRICALLY_IMPLICIT. A deflection d along the contact's normal and its two tangents gives the force
/// stiffness d + damping d'. Along the normal d is at most the thickness; beyond that the core pushes.
typedef struct srs_compliant_layer {
  double thickness;    // m; INFINITY: the core is never reached; 0: no layer
  double stiffness[9]; // N/m, rows: normal, t, o, with t and o as for friction; symmetric part positive definite
  double damping[9];   // N s/m, likewise; positive semi-definite
} srs_compliant_layer;

typedef struct srs_material {
  const char *name;
  double friction, restitution; // NAN: the default of srs_contact_settings
  double torsional;          // m: mu lambda_n times this bounds the torque about the normal. NAN: the default; 0: none
  double rolling;            // m: likewise the torque about axes in the tangent plane
  double direction[3];       // of anisotropic friction, in the shape's frame, of any length; zero: isotropic
  double along, across;      // > 0, with a direction: factors of mu along it (projected into the tangent plane) and
                             // across. Where the normal lies along the direction, `across` holds all round
  srs_compliant_layer layer; // default: none
} srs_material;

/// A material whose values are all left to the defaults.
srs_material srs_default_material(const char *name);

/// Values for a pair, which override the combination. `a` and `b` name materials, shapes or frames.
typedef struct srs_material_pair {
  const char *a, *b;
  double friction, restitution, torsional, rolling; // NAN: the combination holds
} srs_material_pair;

/// Half-spaces that bound one solid together: their intersection. With SRS_CORNERS_CONVEX each acts by itself.
typedef struct srs_half_space_solid {
  const char *const *half_spaces; // n: names of shapes
  int n;
} srs_half_space_solid;

/// A surface of the caller's in place of a sphere, for SRS_GEOMETRICALLY_IMPLICIT only. Its frame is the shape's; the
/// body that it bounds lies inside the sphere, which queries, pair lists and pictures still see.
typedef struct srs_shape_surface {
  const char *shape;   // name of a sphere
  srs_surface surface; // of any kind that bounds a body; a function's context must outlive the sim
} srs_shape_surface;

// ---------------------------------------------------------------------------------------------------------------------
// Settings
// ---------------------------------------------------------------------------------------------------------------------

typedef struct srs_contact_settings {
  bool enabled;                  // default true
  double friction, restitution;  // of shapes without a material. Default 0.5 and 0
  double torsional, rolling;     // m, likewise; of two shapes the larger counts. Default 0
  const srs_material *materials; // n_materials; copied
  int n_materials;
  const srs_material_pair *pairs; // n_pairs; copied
  int n_pairs;
  srs_combination friction_rule;     // default SRS_COMBINE_GEOMETRIC_MEAN
  srs_combination restitution_rule;  // default SRS_COMBINE_LARGER
  srs_impact_law impact;             // default SRS_IMPACT_TWO_PHASE
  double impact_threshold;           // m/s, >= 0; NAN: 2 |gravity| dt. Default NAN
  srs_activation activation;         // default SRS_ACTIVATION_PREDICT
  double distance;                   // m, for SRS_ACTIVATION_DISTANCE. Default 0
  srs_normal_law normal;             // default SRS_NORMAL_GAP
  double error_reduction;            // gamma, in [0, 1]: share of a penetration that a step removes. Default 0.2
  double max_depenetration_velocity; // m/s: bound of that, for the laws gap and velocity. Default 1
  bool projection; // for the law gap: penetration is undone by moving positions after the step, velocities untouched,
                   // and restitution acts on approach speeds alone. false: by the row, n.v+ + gamma phi/h >= 0 where
                   // phi < 0, and restitution as the papers print it; so always for the other laws and at corners.
                   // Default true
  int capacity;    // contacts that a step may have before it fails; 0: grows, by allocation. Default 0
  srs_alignment alignment;            // default SRS_ALIGNMENT_SLIP
  srs_corners corners;                // default SRS_CORNERS_CONVEX
  double corner_cap;                  // m/s, > 0: summation, the cap of a corner over the step's length. Default 1e-3
  const srs_half_space_solid *solids; // n_solids, no half-space in two of them; copied
  int n_solids;
  const srs_shape_surface *surfaces; // n_surfaces; copied
  int n_surfaces;
  srs_contact_options solver;
  srs_collider_options collider; // copied
} srs_contact_settings;

/// What acts on the coordinates of joints, where the model has it.
typedef struct srs_joint_settings {
  bool limits;          // position limits stop the coordinate. Default true
  bool friction;        // dry friction; it can hold the coordinate still. Default true
  bool actuator_limits; // max_effort and max_velocity bound torques and servos. Default true
  double restitution;   // e in [0, 1]: a position limit hit faster than two steps change the speed returns e times the
                        // speed. Default 0
  double error_reduction; // gamma, in [0, 1]: share of a violation of a limit that a step removes. Default 0.2
  double max_depenetration_velocity; // rad/s or m/s: bound of that. Default 1
  bool projection; // a passed limit is led back by moving positions, velocities untouched; false: by the row. Default
                   // true
} srs_joint_settings;

/// How loops (closures, couplings, prescribed motions) are held.
typedef struct srs_closure_settings {
  bool projection;        // closes the configuration to rounding after every step. Default true
  double error_reduction; // gamma, in [0, 1]: without projection, share of a gap that a step removes. Default 0.2
} srs_closure_settings;

typedef struct srs_sim_options {
  double dt;                         // s, > 0. Default 0.001
  srs_integrator integrator;         // default SRS_SEMI_IMPLICIT_EULER
  srs_velocity_terms velocity_terms; // default SRS_VELOCITY_TERMS_MEAN
  double gravity[3];                 // m/s^2, world. Default (0, 0, -9.81)
  bool implicit_gyroscopic; // of bodies that float alone (a free joint, no children): w x I w at the step's end, by one
                            // Newton step, so that fast spin loses energy; at the mean velocity it keeps its energy
                            // without this. Not for rk4 and the implicit integrators. Where
                            // keep_momentum sets a body's spin, that holds. Default false
  bool keep_momentum; // of trees on a free joint that nothing of the world touches or ties: their momentum, and angular
                      // momentum about the mass centre, change by outside impulses alone, to rounding. Not for rk4.
                      // Models without a free joint to the world pay nothing; others: docs/theory.md, section 10.
                      // srs_sim_joint_wrench balances the acceleration before the roots' twists are set. Default true
  bool energy_balance; // each step adds up its works for srs_sim_energy_balance. Costs 0.3 to 4 % of a step; motions do
                       // not change by a bit. Default false; scenes have it on
  srs_joint_settings joint;
  srs_closure_settings closure;
  srs_implicit_settings implicit;
  srs_contact_settings contact;
} srs_sim_options;

srs_sim_options srs_default_sim_options(void);

/// The approach speed above which contacts bounce, m/s: contact.impact_threshold, or its default for these options.
double srs_impact_threshold(const srs_sim_options *options);

#ifdef __cplusplus
}
#endif
