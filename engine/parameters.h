/// Parameters of a simulation that may change while it runs.
///
/// A sim has its own values, which start as the model's and the options'; the model itself never changes, and other
/// sims of it do not either. A new value holds from the next step on. Setters allocate nothing, and cost at most one
/// pass over the links. srs_sim_reset returns to the values of the model and the options; srs_sim_set_state and
/// snapshots leave them alone. A snapshot is refused by a sim with other values. The sim's workspace
/// (srs_sim_workspace) has them, a workspace that is created for the model has the model's, as a controller that does
/// not know better.
///
/// Gains of servos and torques are inputs (srs_sim_set_servo, srs_sim_set_actuator).
///
/// Common errors: SRS_ERROR_ARGUMENT (a null pointer, an index out of range, a value that cannot be; the subject is the
/// link, coordinate or shape), SRS_ERROR_NOT_FINITE. On failure nothing has changed.
#pragma once
#include <sarrus/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The mass and inertia of a link of the file, lumped by fixed joints or not.
typedef struct srs_link_inertia {
  double mass;       // kg
  double com[3];     // m, in the link's frame
  double inertia[6]; // I_xx I_yy I_zz I_xy I_xz I_yz about com, link's axes, kg m^2
} srs_link_inertia;

/// @param frame  of a link of the file (srs_model_find_frame)   @param inertia  out
srs_status srs_sim_get_link_inertia(const srs_sim *sim, int frame, srs_link_inertia *inertia);

/// Sets it, in one pass over the links. Refused where no body can have it, or with a mass other than 0 and 1e-40 to
/// 1e40 kg, as when the model is built, and where it
/// leaves a moving link without the mass that its joint needs (the next step then says so). The energy balance starts
/// anew, and so does the momentum that floating trees keep.
srs_status srs_sim_set_link_inertia(srs_sim *sim, int frame, const srs_link_inertia *inertia, srs_error *error);

/// The same with the com where it is and moments that grow with the mass: as if the density had changed.
/// @param mass  kg, 1e-40 to 1e40; the link must have had mass
srs_status srs_sim_set_link_mass(srs_sim *sim, int frame, double mass, srs_error *error);

/// What acts on one coordinate of a joint.
typedef struct srs_coordinate_parameters {
  double armature, damping, stiffness; // as of srs_joint_def, >= 0
  double friction;                     // N m or N, >= 0
  double lower, upper;                 // rad or m; -INFINITY, INFINITY: none
  double max_effort, max_velocity;     // N m or N, rad/s or m/s, >= 0; INFINITY: none
} srs_coordinate_parameters;

/// @param coordinate  index in v   @param parameters  out
srs_status srs_sim_get_coordinate_parameters(const srs_sim *sim, int coordinate, srs_coordinate_parameters *parameters);

/// Sets them, O(nv). What a coordinate of the model does not have at all needs memory that the sim did not take: dry
/// friction, limits and bounds of actuators can be changed and switched off (0, INFINITY) only where the model has
/// some, however small or wide; SRS_ERROR_UNSUPPORTED says so. Limits that become equal, or cease to be, are refused
/// too.
srs_status srs_sim_set_coordinate_parameters(srs_sim *sim, int coordinate, const srs_coordinate_parameters *parameters,
                                             srs_error *error);

/// The friction and restitution of a shape, before those of two shapes are combined. Pairs with values of their own
/// (srs_material_pair) keep these.
/// @param shape  index among the model's shapes   @param friction, restitution  out; may be NULL
/// @return also SRS_ERROR_UNSUPPORTED where nothing can collide
srs_status srs_sim_get_shape_material(const srs_sim *sim, int shape, double *friction, double *restitution);

/// @param friction  >= 0   @param restitution  in [0, 1]
srs_status srs_sim_set_shape_material(srs_sim *sim, int shape, double friction, double restitution, srs_error *error);

/// Sets the size of a sphere, box, capsule, cylinder or ellipsoid, O(shapes). Its mass stays
/// (srs_sim_set_link_inertia). Not for geometrically-implicit, the detector bullet and the ratio metric:
/// SRS_ERROR_UNSUPPORTED.
/// @param size  as of srs_shape_def, as many as the kind takes, > 0
srs_status srs_sim_set_shape_size(srs_sim *sim, int shape, const double *size, srs_error *error);

/// @param size  3, out: those that the kind does not take are 0
srs_status srs_sim_get_shape_size(const srs_sim *sim, int shape, double size[3]);

/// Sets gravity, m/s^2, world axes, also in srs_sim_get_options. The approach speed above which contacts bounce follows
/// where it is the default. The energy balance starts anew.
srs_status srs_sim_set_gravity(srs_sim *sim, const double gravity[3], srs_error *error);

/// Gives a sim the parameters of another one, as for many runs side by side. O(n).
/// @param from  of the same model, integrator and contact options   @param to  whose parameters change
srs_status srs_sim_copy_parameters(const srs_sim *from, srs_sim *to, srs_error *error);

/// Whether a parameter is not that of the model or the options.
bool srs_sim_has_own_parameters(const srs_sim *sim);

#ifdef __cplusplus
}
#endif
