/// Scene files, trajectories as CSV and HDF5 files, inputs over time.
#pragma once
#include <sarrus/sensors.h>
#include <sarrus/simulation.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Columns of trajectories
// ---------------------------------------------------------------------------------------------------------------------

/// Additional columns, in this order, all off by default. What acts is of the last step, in (t - dt, t].
typedef struct srs_trajectory_options {
  bool torques; // `tau:<name>`: the applied torques

  bool accelerations; // `a:<name>`: the change of v by all forces and impulses over dt, rad/s^2 or m/s^2; zeros before
                      // the first step. Not with rk4

  bool energies; // `energy:kinetic`, `energy:potential`, and the works and the rest of srs_energy_balance:
                 // `energy:drives`, `energy:dampers`, …, `energy:rest`
  bool contacts; // `contact:count`, `contact:gap` (m, the smallest; 0 without contacts), `contact:residual`,
                 // `contact:infeasibility`, and for each pair of shapes that may collide (at most 200):
                 // `contact:<A>:<B>:fx` fy fz, the force on A by B (N, world axes), and x y z, the centre of pressure:
                 // the mean of its points weighted by normal force (m; the plain mean without force; 0 without
                 // contact). Shapes go by their labels (srs_shape.label)
  bool body_contacts; // instead of `contacts`: the same by links (shapes of the world by themselves), for pairs that
                      // touched at least once; other columns are taken out when the file is closed
  bool loops;   // for each loop `loop:<name>:gap` (m or rad), `loop:<name>:speed` (the velocity error of its rows, m/s
                // or rad/s), and for revolute and prismatic closures `loop:<name>:angle` (counting turns) or travel,
                // and rate
  bool efforts; // `effort:<name>` of all coordinates and loop joints (srs_sim_actuator_effort), and where the model has
                // limits or dry friction `limit:<name>` and `friction:<name>`, along the coordinate, of ball joints
                // `limit:<joint>.swing` and `.twist`: N m or N
  bool wrenches; // for each link of the file except those on free joints `wrench:<link>:tx` ty tz fx fy fz
                 // (srs_sim_joint_wrench, world axes), and for each closure `loop:<name>:tx` … (srs_sim_loop_wrench)
  bool poses;    // `pose:<frame>:x` y z qw qx qy qz of all frames: origin (m) and unit quaternion, world
  bool twists;   // `twist:<frame>:wx` wy wz vx vy vz of all frames: angular velocity (rad/s) and the velocity of the
                 // origin (m/s), world axes
  bool sensors; // `sensor:<name>`, or `sensor:<name>:<component>` of those that show several numbers (srs_sensor_kind),
                // of `instruments`. In a scene true where it has sensors

  srs_sensors *instruments; // of the trajectory's sim, read for each row; must outlive the trajectory. NULL: none

  const char *const *columns; // names and patterns (`*`, `?`, `[…]`), ended by NULL: of all columns that there can be
                              // those are written, besides `time`, in the place of `q:` and `v:`; groups asked for
                              // above stay whole. NULL: `q:` and `v:` are written

  // HDF5 files alone. Contacts of either kind are then a table of contact points.
  long most_rows;         // that the file can take, 0: a million. It takes no more room than the rows that are there
  bool compresses;        // when it is closed: gzip. It cannot be resumed then
  uint64_t seed;          // of what the caller draws, noise of sensors for one; 0: nothing. For the record
  bool resumes;           // the file is there: its last snapshot is restored, rows behind it are cut off
  const char *arguments;  // kept in the file, for those who resume; NULL for none
  const char *scene_text; // for FILE.yaml, NULL for none
  const char *scene_file; // likewise
  const char *const *robot_files; // of the scene, ended by NULL; NULL for none
  const char *input_file;         // of srs_input_load, NULL for none
} srs_trajectory_options;

srs_trajectory_options srs_default_trajectory_options(void);

// ---------------------------------------------------------------------------------------------------------------------
// Scenes
// ---------------------------------------------------------------------------------------------------------------------

/// A scene file: models, environment, initial state, integrator, output (docs/scene.md lists the keys).
typedef struct srs_scene srs_scene;

typedef struct srs_scene_options {
  srs_load_options load; // for a scene that is a robot file; its packages and strictness hold for all scenes, and its
                         // self_collision for robot files in them that say nothing of it
  srs_self_collision self_collision; // of all robots, whatever they say. Default SRS_SELF_COLLISION_OWN: what they say
  const char *text; // read in place of the file, whose path is then for messages and for files named in it; NULL: read
                    // the file, as robot files always are
} srs_scene_options;

srs_scene_options srs_default_scene_options(void);

/// Reads a YAML scene, or a robot file (.urdf) as a scene of that model alone. Allocates.
/// @param options  NULL for the default
/// @param scene    out, freed by srs_scene_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _NAME, _UNSUPPORTED, …; the error names FILE:LINE:COL
srs_status srs_scene_load(const char *path, const srs_scene_options *options, srs_scene **scene, srs_error *error);
void srs_scene_destroy(srs_scene *scene);

/// All models of the scene as one. It lives as long as the scene.
const srs_model *srs_scene_model(const srs_scene *scene);

/// The settings of a scene; change a copy to override them.
typedef struct srs_scene_settings {
  srs_sim_options sim;
  srs_collider_options collider; // which shapes may collide; its names live as long as the scene
  double duration;               // s, >= 0
  const char *output_file;       // NULL for none; relative to the working directory
  int output_every;              // a row every so many steps, >= 1
  srs_trajectory_options output; // which columns; its files are NULL
  const double *q, *v;           // initial state as written, nq and nv
  const srs_actuator *actuators; // n_actuators, set at the start
  int n_actuators;
  const srs_sensor_def *sensors; // n_sensors, of the scene and of robot files, for srs_sensors_create
  int n_sensors;
  bool is_redundant;              // every joint of the model is cut (srs_build_redundant); q and v are converted
  bool assemble;                  // close the loops before the first step. Default true
  const bool *frozen;             // nv: coordinates that this keeps as written; NULL for none
  const char *text;               // the file's text, for the record
  const char *const *robot_files; // that the scene names, ended by NULL; NULL for a robot file
} srs_scene_settings;

const srs_scene_settings *srs_scene_get_settings(const srs_scene *scene);

/// Creates a sim of the scene's model at its initial state, assembled (srs_sim_assemble) unless the scene says
/// otherwise. Allocates.
/// @param options  NULL for the scene's
/// @param sim      out, freed by srs_sim_destroy; NULL on failure
/// @return as srs_sim_create; also SRS_ERROR_UNREACHABLE where its loops cannot be closed
srs_status srs_scene_create_sim(const srs_scene *scene, const srs_sim_options *options, srs_sim **sim,
                                srs_error *error);

// ---------------------------------------------------------------------------------------------------------------------
// Trajectories
// ---------------------------------------------------------------------------------------------------------------------

/// A file being written: `time`, `q:<name>` …, `v:<name>` …, and the columns of srs_trajectory_options.
///
/// CSV: one line per sample, flushed so that an interrupted run leaves whole lines. FILE.yaml beside it records scene,
/// integrator, dt, version and units.
///
/// HDF5, where the name ends in .h5 or .hdf5: a data set for each group of columns, and all that FILE.yaml has
/// (docs/trajectories.md). However the process ends the file is whole, and has all rows but those of the last quarter
/// of a second. A run can go on from it.
typedef struct srs_trajectory srs_trajectory;

/// Opens the file and writes the header. Allocates; adding rows does not.
/// @param options     NULL for the default
/// @param trajectory  out, freed by srs_trajectory_close; NULL on failure
/// @return SRS_OK; SRS_ERROR_ARGUMENT, with nothing changed, where the file or its FILE.yaml is one that the run reads:
///         the scene, a robot file, a mesh of the model, the input; SRS_ERROR_FILE, _NAME, _CAPACITY, _UNSUPPORTED or
///         _MEMORY
srs_status srs_trajectory_create(const char *path, srs_sim *sim, const srs_trajectory_options *options,
                                 srs_trajectory **trajectory, srs_error *error);

/// Adds the sim's present state as a row. Allocates nothing.
srs_status srs_trajectory_add(srs_trajectory *trajectory, srs_sim *sim, srs_error *error);

/// HDF5: writes the rows that are not yet in the file, and a snapshot of the sim from which the run can go on; CSV has
/// no such rows. Allocates nothing.
srs_status srs_trajectory_flush(srs_trajectory *trajectory, srs_sim *sim, srs_error *error);

/// Rows so far; of a file that is resumed, with those that were there.
long srs_trajectory_rows(const srs_trajectory *trajectory);

/// Flushes, closes and frees.  @return whether all was written; SRS_OK for NULL
srs_status srs_trajectory_close(srs_trajectory *trajectory, srs_error *error);

// ---------------------------------------------------------------------------------------------------------------------
// Inputs over time
// ---------------------------------------------------------------------------------------------------------------------

/// Inputs from a CSV file with `time` (s) and columns `tau:<name>`, `q_ref:<name>`, `v_ref:<name>`. A row holds until
/// the next one.
typedef struct srs_input srs_input;

/// Allocates.
/// @param model  gives the names their meaning; must outlive the input
/// @param input  out, freed by srs_input_destroy; NULL on failure
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _NAME or _MEMORY; the error names FILE:LINE:COL
srs_status srs_input_load(const char *path, const srs_model *model, srs_input **input, srs_error *error);
void srs_input_destroy(srs_input *input);

/// Applies the row of the sim's time: torques, and servo references with the gains of srs_input_set_gains. Allocates
/// nothing.
srs_status srs_input_apply(srs_input *input, srs_sim *sim, srs_error *error);

/// Gains for all reference columns (defaults kp 100, kd 10).
void srs_input_set_gains(srs_input *input, double kp, double kd);

/// The first position reference that lies beyond a position limit of its coordinate.
/// @param coordinate, time, target  out: index in v; s; rad or m   @return false where there is none
bool srs_input_beyond_limits(const srs_input *input, int *coordinate, double *time, double *target);

#ifdef __cplusplus
}
#endif
