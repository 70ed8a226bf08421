// Sensors: each kind is a row of a table, with the numbers that it shows and the function that reads them. They are
// made of what the sim's public functions say, but for efforts under rk4; accelerations are those of
// srs_sim_step_motion.

#include "engine/dynamics/kinematics.h"
#include "engine/simulation/acceleration.h"
#include "topology/base/errors.h"
#include "topology/model/model.h"
#include <sarrus/sensors.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 7 };

struct srs_sensors {
  srs_sim *sim;
  const srs_model *model;
  srs_workspace *then[2]; // at the last step's matrices, with its accelerations; of its two halves
  bool has_step;          // there is such a step
  srs_pose *links;        // n_links: of the present state, for rays
  const double *a;        // nv: of the step
  double *now, *effort;   // nv: under rk4, accelerations and the actuators' efforts of the present state
  bool is_of_state;       // forces and accelerations are these
  int n, n_values;
  srs_sensor_def *defs; // n
  int *begin;           // n: first number of each
  double *values;       // n_values
  char *names;
};

typedef struct sensor_facts {
  const char *name;
  int size;
  const char *components[MOST_NUMBERS]; // NULL where there is one alone
  bool is_of_joint, needs_link;
  srs_status (*read)(srs_sensors *s, const srs_sensor_def *def, double *out, srs_error *error);
} sensor_facts;

// ---------------------------------------------------------------------------------------------------------------------
// Readers
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_position(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  (void)error;
  const int link = s->model->link_of_v[d->coordinate];
  *out = srs_sim_q(s->sim)[s->model->q_index[link] + d->coordinate - s->model->v_index[link]];
  return SRS_OK;
}

static srs_status read_velocity(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  (void)error;
  *out = srs_sim_v(s->sim)[d->coordinate];
  return SRS_OK;
}

static srs_status read_effort(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  (void)error;
  const double *effort = s->is_of_state ? s->effort : srs_sim_actuator_effort(s->sim);
  *out = s->has_step ? effort[d->coordinate] : 0;
  return SRS_OK;
}

static srs_status read_joint_acceleration(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  (void)error;
  *out = s->has_step ? s->a[d->coordinate] : 0;
  return SRS_OK;
}

// The mean of both halves.
static srs_status find_acceleration(const srs_sensors *s, int frame, srs_axes axes, double out[6])
{
  double second[6];
  srs_status status = srs_frame_acceleration(s->then[0], frame, axes, out);
  if (status == SRS_OK) status = srs_frame_acceleration(s->then[1], frame, axes, second);
  for (int i = 0; i < 6 && status == SRS_OK; i++) out[i] = 0.5 * (out[i] + second[i]);
  return status;
}

static srs_status read_imu(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  (void)error;
  srs_status status = srs_frame_velocity(srs_sim_workspace(s->sim), d->frame, SRS_AXES_LOCAL, out);
  memset(out + 3, 0, 3 * sizeof *out);
  if (!s->has_step || status != SRS_OK) return status;
  double acceleration[6];
  srs_pose pose;
  const double *g = srs_sim_get_options(s->sim)->gravity;
  status = find_acceleration(s, d->frame, SRS_AXES_WORLD, acceleration);
  if (status == SRS_OK) status = srs_frame_placement(s->then[0], d->frame, &pose);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) out[3 + i] += pose.rotation[3 * k + i] * (acceleration[3 + k] - g[k]);
  return status;
}

static srs_status read_pose(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  (void)error;
  srs_pose pose;
  const srs_status status = srs_frame_placement(srs_sim_workspace(s->sim), d->frame, &pose);
  if (status != SRS_OK) return status;
  memcpy(out, pose.position, sizeof pose.position);
  srs_quaternion_from_rotation(pose.rotation, out + 3);
  return SRS_OK;
}

static srs_status read_twist(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  (void)error;
  return srs_frame_velocity(srs_sim_workspace(s->sim), d->frame, d->axes, out);
}

static srs_status read_acceleration(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  (void)error;
  memset(out, 0, 6 * sizeof *out);
  return s->has_step ? find_acceleration(s, d->frame, d->axes, out) : SRS_OK;
}

// Turns a vector of the world into a frame's axes.
static void turn_back(const srs_pose *pose, const double world[3], double out[3])
{
  const double *R = pose->rotation;
  for (int i = 0; i < 3; i++) out[i] = R[i] * world[0] + R[3 + i] * world[1] + R[6 + i] * world[2];
}

// Moves a wrench about a link's origin, in the world's axes, to a frame on the link.
static srs_status move_wrench(const srs_sensors *s, int link, const srs_sensor_def *d, double w[6])
{
  srs_pose from, to;
  srs_status status = srs_frame_placement(s->then[0], link, &from);
  if (status == SRS_OK) status = srs_frame_placement(s->then[0], d->frame, &to);
  if (status != SRS_OK) return status;
  double arm[3], moved[6];
  for (int i = 0; i < 3; i++) arm[i] = from.position[i] - to.position[i];
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    moved[i] = w[i] + arm[y] * w[3 + z] - arm[z] * w[3 + y];
    moved[3 + i] = w[3 + i];
  }
  memcpy(w, moved, sizeof moved);
  for (int i = 0; i < 6 && d->axes == SRS_AXES_LOCAL; i += 3) turn_back(&to, moved + i, w + i);
  return SRS_OK;
}

static srs_status read_force_torque(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  memset(out, 0, 6 * sizeof *out);
  if (!s->has_step) return SRS_OK;
  const int part = s->model->part_of_frame[d->frame];
  const bool is_of_link = part == d->frame;
  srs_status status = srs_sim_joint_wrench(s->sim, part, is_of_link ? d->axes : SRS_AXES_WORLD, out);
  if (status == SRS_OK && !is_of_link) status = move_wrench(s, part, d, out);
  if (status == SRS_OK) return SRS_OK;
  return srs_fail(error, status, NULL, 0, 0, d->name, "sensor '%s': the wrench in its joint cannot be found", d->name);
}

// Adds sign times a contact's force on its first shape, at `point`, with its torque about the normal.
static void add_contact(const srs_sim_contact *c, double sign, const double point[3], const double origin[3],
                        double w[6])
{
  double arm[3], f[3];
  for (int i = 0; i < 3; i++) arm[i] = point[i] - origin[i], f[i] = sign * c->force[i];
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    w[i] += arm[y] * f[z] - arm[z] * f[y] + sign * (c->torque * c->contact.normal[i] + c->rolling_torque[i]);
    w[3 + i] += f[i];
  }
}

static srs_status read_contact(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  (void)error;
  memset(out, 0, 6 * sizeof *out);
  if (!s->has_step) return SRS_OK;
  srs_pose pose;
  const srs_status status = srs_frame_placement(s->then[0], d->frame, &pose);
  if (status != SRS_OK) return status;
  int n;
  const srs_sim_contact *contacts = srs_sim_contacts(s->sim, &n);
  const int own = s->model->part_of_frame[d->frame];
  double world[6] = {0};
  for (int i = 0; i < n; i++) {
    const srs_contact_point *at = &contacts[i].contact;
    const int a = srs_model_shape(s->model, at->shape_a)->frame, b = srs_model_shape(s->model, at->shape_b)->frame;
    if (a == own && (d->other == SRS_SENSOR_ANY || d->other == b))
      add_contact(&contacts[i], 1, at->point_a, pose.position, world);
    if (b == own && (d->other == SRS_SENSOR_ANY || d->other == a))
      add_contact(&contacts[i], -1, at->point_b, pose.position, world);
  }
  memcpy(out, world, sizeof world);
  for (int i = 0; i < 6 && d->axes == SRS_AXES_LOCAL; i += 3) turn_back(&pose, world + i, out + i);
  return SRS_OK;
}

// The ray starts anew behind each shape of its own link.
static srs_status read_range(srs_sensors *s, const srs_sensor_def *d, double *out, srs_error *error)
{
  srs_pose pose;
  srs_workspace *w = srs_sim_workspace(s->sim);
  srs_status status = srs_frame_placement(w, d->frame, &pose);
  if (status != SRS_OK) return status;
  srs_link_poses(w, s->links);
  const double along[3] = {pose.rotation[2], pose.rotation[5], pose.rotation[8]};
  const int own = srs_model_frame(s->model, d->frame)->link;
  const double beyond = 1e-9;
  *out = 0;
  while (*out < d->range) {
    srs_ray_hit hit;
    double from[3];
    for (int i = 0; i < 3; i++) from[i] = pose.position[i] + *out * along[i];
    status = srs_collider_cast_ray(srs_sim_collider(s->sim), s->links, from, along, d->range - *out, &hit, error);
    if (status != SRS_OK) return status;
    if (hit.shape < 0) break;
    *out += hit.distance;
    const int frame = srs_model_shape(s->model, hit.shape)->frame;
    if (frame < 0 || own < 0 || srs_model_frame(s->model, frame)->link != own) return SRS_OK;
    *out += beyond;
  }
  *out = d->range;
  return SRS_OK;
}

#define TWIST_NAMES                                                                                                    \
  {                                                                                                                    \
    "wx", "wy", "wz", "vx", "vy", "vz"                                                                                 \
  }
#define WRENCH_NAMES                                                                                                   \
  {                                                                                                                    \
    "tx", "ty", "tz", "fx", "fy", "fz"                                                                                 \
  }

static const sensor_facts table[SRS_SENSOR_KINDS] = {
    [SRS_SENSOR_JOINT_POSITION] = {"joint-position", 1, {NULL}, true, false, read_position},
    [SRS_SENSOR_JOINT_VELOCITY] = {"joint-velocity", 1, {NULL}, true, false, read_velocity},
    [SRS_SENSOR_JOINT_EFFORT] = {"joint-effort", 1, {NULL}, true, false, read_effort},
    [SRS_SENSOR_JOINT_ACCELERATION] = {"joint-acceleration", 1, {NULL}, true, false, read_joint_acceleration},
    [SRS_SENSOR_IMU] = {"imu", 6, {"wx", "wy", "wz", "ax", "ay", "az"}, false, false, read_imu},
    [SRS_SENSOR_POSE] = {"pose", 7, {"x", "y", "z", "qw", "qx", "qy", "qz"}, false, false, read_pose},
    [SRS_SENSOR_TWIST] = {"twist", 6, TWIST_NAMES, false, false, read_twist},
    [SRS_SENSOR_ACCELERATION] =
        {"acceleration", 6, {"alphax", "alphay", "alphaz", "ax", "ay", "az"}, false, false, read_acceleration},
    [SRS_SENSOR_FORCE_TORQUE] = {"force-torque", 6, WRENCH_NAMES, false, true, read_force_torque},
    [SRS_SENSOR_CONTACT] = {"contact", 6, WRENCH_NAMES, false, true, read_contact},
    [SRS_SENSOR_RANGE] = {"range", 1, {NULL}, false, false, read_range},
};

static bool is_kind(srs_sensor_kind kind) { return (int)kind >= 0 && (int)kind < SRS_SENSOR_KINDS; }

const char *srs_sensor_kind_name(srs_sensor_kind kind) { return is_kind(kind) ? table[kind].name : ""; }
int srs_sensor_kind_size(srs_sensor_kind kind) { return is_kind(kind) ? table[kind].size : 0; }

const char *srs_sensor_component(srs_sensor_kind kind, int component)
{
  const bool is_one = is_kind(kind) && component >= 0 && component < table[kind].size;
  return is_one && table[kind].components[component] != NULL ? table[kind].components[component] : "";
}

// ---------------------------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------------------------

srs_sensor_def srs_default_sensor_def(srs_sensor_kind kind, const char *name)
{
  return (srs_sensor_def){.kind = kind, .name = name, .other = SRS_SENSOR_ANY, .axes = SRS_AXES_LOCAL, .range = 10};
}

// What is wrong with a sensor; NULL: nothing.
static const char *fault(const srs_sim *sim, const srs_sensor_def *d)
{
  const srs_model *m = srs_sim_model(sim);
  if (!is_kind(d->kind)) return "its kind is none";
  if (table[d->kind].is_of_joint) {
    if (d->coordinate < 0 || d->coordinate >= srs_model_nv(m)) return "there is no such coordinate";
    if (d->kind == SRS_SENSOR_JOINT_POSITION && !srs_actuator_takes_position(m, d->coordinate))
      return "the coordinate turns a quaternion and has no position: use a pose";
    return NULL;
  }
  if (d->frame < 0 || d->frame >= srs_model_n_frames(m)) return "there is no such frame";
  if (table[d->kind].needs_link && m->part_of_frame[d->frame] < 0) return "its frame must be on a link of the file";
  if (d->axes != SRS_AXES_WORLD && d->axes != SRS_AXES_LOCAL) return "its axes are neither the world's nor its own";
  if (d->kind == SRS_SENSOR_CONTACT && (d->other < SRS_SENSOR_ANY || d->other >= srs_model_n_frames(m)))
    return "there is no such other link";
  if (d->kind == SRS_SENSOR_RANGE && !(d->range > 0 && isfinite(d->range))) return "its range must be above 0";
  return NULL;
}

static srs_status check(srs_sim *sim, const srs_sensor_def *defs, int n, srs_error *error)
{
  for (int i = 0; i < n; i++) {
    const char *name = defs[i].name != NULL ? defs[i].name : "";
    const char *wrong = name[0] == '\0' ? "it has no name" : fault(sim, &defs[i]);
    for (int k = 0; k < i && wrong == NULL; k++)
      if (strcmp(defs[k].name, name) == 0) wrong = "another sensor has its name";
    if (wrong != NULL)
      return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "sensor %d, '%s': %s", i, name, wrong);
    if (defs[i].kind == SRS_SENSOR_RANGE && srs_sim_collider(sim) == NULL)
      return srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, name, "sensor '%s': nothing can collide in this sim",
                      name);
  }
  return SRS_OK;
}

static srs_status take(srs_sensors *s, const srs_sensor_def *defs, int n, srs_error *error)
{
  size_t letters = 1;
  for (int i = 0; i < n; i++) letters += strlen(defs[i].name) + 1, s->n_values += table[defs[i].kind].size;
  s->defs = calloc((size_t)n + 1, sizeof *s->defs);
  s->begin = calloc((size_t)n + 1, sizeof *s->begin);
  s->values = calloc((size_t)s->n_values + 1, sizeof *s->values);
  s->names = calloc(letters, 1);
  s->links = calloc((size_t)srs_model_n_links(s->model) + 1, sizeof *s->links);
  s->now = calloc((size_t)srs_model_nv(s->model) + 1, sizeof *s->now);
  s->effort = calloc((size_t)srs_model_nv(s->model) + 1, sizeof *s->effort);
  if (s->now == NULL || s->effort == NULL || s->defs == NULL || s->begin == NULL || s->values == NULL ||
      s->names == NULL || s->links == NULL)
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %d sensors", n);
  char *name = s->names;
  for (int i = 0, at = 0; i < n; at += table[defs[i++].kind].size) {
    s->defs[i] = defs[i];
    s->defs[i].name = memcpy(name, defs[i].name, strlen(defs[i].name) + 1);
    name += strlen(defs[i].name) + 1;
    s->begin[i] = at;
  }
  s->n = n;
  const srs_status status = srs_workspace_create(s->model, &s->then[0], error);
  return status == SRS_OK ? srs_workspace_create(s->model, &s->then[1], error) : status;
}

srs_status srs_sensors_create(srs_sim *sim, const srs_sensor_def *defs, int n, srs_sensors **sensors, srs_error *error)
{
  if (sensors != NULL) *sensors = NULL;
  if (sim == NULL || sensors == NULL || n < 0 || (n > 0 && defs == NULL))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL,
                    "sensors need a sim, definitions and a place to be put");
  srs_status status = check(sim, defs, n, error);
  if (status != SRS_OK) return status;
  srs_sensors *s = calloc(1, sizeof *s);
  if (s == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %d sensors", n);
  s->sim = sim;
  s->model = srs_sim_model(sim);
  status = take(s, defs, n, error);
  if (status == SRS_OK)
    *sensors = s;
  else
    srs_sensors_destroy(s);
  return status;
}

void srs_sensors_destroy(srs_sensors *s)
{
  if (s == NULL) return;
  for (int i = 0; i < 2; i++) srs_workspace_destroy(s->then[i]);
  free(s->defs), free(s->begin), free(s->values), free(s->names), free(s->links), free(s->now), free(s->effort);
  free(s);
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

// What forces and accelerations are those of: the last step, or the present state under rk4, whose stages have none in
// common, and whose forces are functions of the state alone.
static srs_status find_motion(srs_sensors *s, const double **q, const double *v[2], srs_error *error)
{
  s->is_of_state = srs_sim_get_options(s->sim)->integrator == SRS_RK4;
  if (!s->is_of_state) {
    s->has_step = srs_sim_step_motion(s->sim, q, &v[0], &v[1], &s->a);
    return SRS_OK;
  }
  s->has_step = true;
  s->a = s->now;
  *q = srs_sim_q(s->sim);
  v[0] = v[1] = srs_sim_v(s->sim);
  const srs_status status = srs_sim_acceleration(s->sim, s->now, error);
  srs_sim_state_effort(s->sim, s->effort);
  return status;
}

srs_status srs_sensors_read(srs_sensors *s, srs_error *error)
{
  if (s == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sensors");
  const double *q, *v[2];
  srs_status status = find_motion(s, &q, v, error);
  for (int i = 0; i < 2 && s->has_step && status == SRS_OK; i++) {
    status = srs_forward_acceleration(s->then[i], q, v[i], s->a);
    if (status != SRS_OK && error != NULL) *error = *srs_workspace_error(s->then[i]);
  }
  for (int i = 0; i < s->n && status == SRS_OK; i++)
    status = table[s->defs[i].kind].read(s, &s->defs[i], s->values + s->begin[i], error);
  return status;
}

int srs_sensors_count(const srs_sensors *s) { return s != NULL ? s->n : 0; }

const srs_sensor_def *srs_sensors_def(const srs_sensors *s, int i)
{
  return s != NULL && i >= 0 && i < s->n ? &s->defs[i] : NULL;
}

int srs_sensors_find(const srs_sensors *s, const char *name)
{
  for (int i = 0; s != NULL && name != NULL && i < s->n; i++)
    if (strcmp(s->defs[i].name, name) == 0) return i;
  return -1;
}

const double *srs_sensors_value(const srs_sensors *s, int i)
{
  return s != NULL && i >= 0 && i < s->n ? s->values + s->begin[i] : NULL;
}

const double *srs_sensors_values(const srs_sensors *s, int *n)
{
  if (n != NULL) *n = s != NULL ? s->n_values : 0;
  return s != NULL ? s->values : NULL;
}
