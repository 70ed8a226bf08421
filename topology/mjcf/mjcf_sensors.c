// Sensors of MJCF, each as the sensor whose numbers contain its own, under its own name:
//
//   jointpos, jointvel, jointactuatorfrc      joint-position, joint-velocity, joint-effort of a hinge or slide
//   actuatorpos, actuatorvel, actuatorfrc     the same, of an actuator of gear 1 that is the only one of its joint
//   gyro, accelerometer                       imu: w, a in the site's axes
//   velocimeter                               twist, in the site's axes
//   framepos, framequat, frame?axis           pose: the axes are the columns of the quaternion's rotation
//   framelinvel, frameangvel, frameangacc     twist, acceleration, in the world's axes
//   framelinacc                               acceleration in the world's axes, gravity not taken off: noted
//   force, torque                             force-torque about the site, in its axes: of the parent on the body
//   touch                                     contact: the wrench of all contacts of the site's body, about the site
//   rangefinder                               range along the site's z axis, as far as `cutoff` says
//
// What else there is has no counterpart and is noted, once for each kind and reason.

#include "topology/mjcf/mjcf_sensors.h"
#include "topology/mjcf_base/mjcf_pose.h"
#include "topology/mjcf_base/mjcf_settings.h"
#include "topology/xml/additions.h"

#include <string.h>

typedef enum subject { JOINT, ACTUATOR, SITE, FRAME } subject;

typedef struct meaning {
  const char *tag, *kind;
  subject of;
  bool is_in_world;
  bool takes_body; // the frame of a body's inertia serves as well as its own
  bool needs_body; // not the world
} meaning;

static const meaning meanings[] = {
    {"jointpos", "joint-position", JOINT, false, false, false},
    {"jointvel", "joint-velocity", JOINT, false, false, false},
    {"jointactuatorfrc", "joint-effort", JOINT, false, false, false},
    {"actuatorpos", "joint-position", ACTUATOR, false, false, false},
    {"actuatorvel", "joint-velocity", ACTUATOR, false, false, false},
    {"actuatorfrc", "joint-effort", ACTUATOR, false, false, false},
    {"gyro", "imu", SITE, false, false, false},
    {"accelerometer", "imu", SITE, false, false, false},
    {"velocimeter", "twist", SITE, false, false, false},
    {"force", "force-torque", SITE, false, false, true},
    {"torque", "force-torque", SITE, false, false, true},
    {"touch", "contact", SITE, false, false, true},
    {"rangefinder", "range", SITE, false, false, false},
    {"framepos", "pose", FRAME, false, false, false},
    {"framequat", "pose", FRAME, false, false, false},
    {"framexaxis", "pose", FRAME, false, false, false},
    {"frameyaxis", "pose", FRAME, false, false, false},
    {"framezaxis", "pose", FRAME, false, false, false},
    {"framelinacc", "acceleration", FRAME, true, false, false},
    {"framelinvel", "twist", FRAME, true, false, false},
    {"frameangvel", "twist", FRAME, true, true, false},
    {"frameangacc", "acceleration", FRAME, true, true, false},
};

enum { MOST_REASONS = 64 };

typedef struct reason {
  const char *tag, *why;
  bool is_kept; // the sensor shows something, but not just that
  srs_xml_tally tally;
} reason;

typedef struct sensor_reader {
  srs_mjcf *mjcf;
  srs_names names; // of the sensors
  reason reasons[MOST_REASONS];
  int n_reasons, n;
} sensor_reader;

static void note(sensor_reader *r, const srs_xml_node *node, bool is_kept, const char *why)
{
  int i = 0;
  while (i < r->n_reasons && (strcmp(r->reasons[i].tag, node->name) != 0 || strcmp(r->reasons[i].why, why) != 0)) i++;
  if (i == MOST_REASONS) return;
  if (i == r->n_reasons) r->reasons[r->n_reasons++] = (reason){.tag = node->name, .why = why, .is_kept = is_kept};
  srs_xml_count(&r->reasons[i].tally, node);
}

// ---------------------------------------------------------------------------------------------------------------------
// What it looks at
// ---------------------------------------------------------------------------------------------------------------------

static int find(const srs_names *names, const char *name) { return name != NULL ? srs_names_find(names, name) : -1; }

// @return why not; NULL: found
static const char *find_joint(const srs_mjcf *mjcf, const char *name, srs_file_sensor *sensor)
{
  const int index = find(&mjcf->joint_names, name);
  if (index < 0) return "no joint has the name that it gives";
  const srs_mjcf_joint *joint = &mjcf->joints[index];
  if (joint->kind != SRS_MJCF_HINGE && joint->kind != SRS_MJCF_SLIDE) return "its joint has several coordinates";
  sensor->coordinate = joint->name;
  return NULL;
}

static const char *joint_of(const srs_xml_node *actuator)
{
  const char *joint = srs_xml_peek(actuator, "joint");
  return joint != NULL ? joint : srs_xml_peek(actuator, "jointinparent");
}

// The joint of an actuator whose force, length and rate are the joint's own.
static srs_status find_actuator(srs_mjcf *mjcf, const char *name, srs_file_sensor *sensor, const char **why)
{
  srs_xml_node *own = NULL;
  int n = 0;
  for (int pass = 0; pass < 2; pass++)
    for (const srs_xml_node *list = mjcf->document->root->first_child; list != NULL; list = list->next)
      for (srs_xml_node *node = list->first_child; node != NULL && strcmp(list->name, "actuator") == 0;
           node = node->next) {
        const char *word = srs_xml_peek(node, "name"), *joint = joint_of(node);
        if (pass == 0 && name != NULL && word != NULL && strcmp(word, name) == 0) own = node;
        if (pass == 1 && own != NULL && joint != NULL && joint_of(own) != NULL) n += strcmp(joint, joint_of(own)) == 0;
      }
  *why = own == NULL ? "no actuator has the name that it gives" : joint_of(own) == NULL ? "it is not of a joint" : NULL;
  if (*why != NULL) return SRS_OK;
  srs_mjcf_item item;
  double gear[6] = {1};
  srs_status status = srs_mjcf_item_of(mjcf, own, own->name, NULL, &item);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "gear", 1, 6, gear, NULL);
  if (status != SRS_OK) return status;
  *why = n > 1 || gear[0] != 1 ? "its actuator has a gear or is not the only one of its joint: look at the joint"
                               : find_joint(mjcf, joint_of(own), sensor);
  return SRS_OK;
}

// @return why not; NULL: found
static const char *find_frame(srs_mjcf *mjcf, const meaning *m, const srs_xml_node *node, srs_file_sensor *sensor)
{
  const char *kind = m->of == SITE ? "site" : srs_xml_peek(node, "objtype");
  const char *name = srs_xml_peek(node, m->of == SITE ? "site" : "objname");
  const bool is_body = kind != NULL && (strcmp(kind, "xbody") == 0 || (m->takes_body && strcmp(kind, "body") == 0));
  if (srs_xml_peek(node, "reftype") != NULL || srs_xml_peek(node, "refname") != NULL)
    return "it is seen from another frame (refname)";
  if (kind != NULL && strcmp(kind, "site") == 0) {
    const int index = find(&mjcf->site_names, name);
    if (index < 0) return "no site has the name that it gives";
    if (m->needs_body && mjcf->sites[index].body < 0) return "its site is on the world";
    sensor->frame = srs_mjcf_prefixed(mjcf, mjcf->sites[index].name);
  } else if (is_body) {
    const int index = find(&mjcf->body_names, name);
    if (index < 0) return "no body of the file has the name that it gives";
    sensor->frame = srs_mjcf_prefixed(mjcf, mjcf->bodies[index].name);
  } else {
    return "only bodies (xbody) and sites have frames";
  }
  return NULL;
}

// Whether geoms of two bodies that move apart may meet.
static bool may_collide(const srs_mjcf *mjcf)
{
  const srs_mjcf_geom *first = NULL;
  for (int i = 0; i < mjcf->n_geoms && !mjcf->has_no_contact; i++) {
    const srs_mjcf_geom *g = &mjcf->geoms[i];
    if (g->contype == 0 && g->conaffinity == 0 && !g->is_paired) continue;
    const int own = g->body >= 0 ? mjcf->bodies[g->body].weld : -1;
    const int other = first != NULL && first->body >= 0 ? mjcf->bodies[first->body].weld : -1;
    if (first != NULL && own != other) return true;
    if (first == NULL) first = g;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

// A name of its own for one that has none.
static const char *free_name(sensor_reader *r)
{
  const char *name = srs_mjcf_format(r->mjcf, "sensor%d", r->n);
  for (int k = 1; name != NULL && srs_names_find(&r->names, name) >= 0; k++)
    name = srs_mjcf_format(r->mjcf, "sensor%d_%d", r->n, k);
  return name;
}

static srs_status read_sensor(sensor_reader *r, srs_xml_node *node, const meaning *m)
{
  srs_mjcf *mjcf = r->mjcf;
  const srs_mjcf_item item = srs_mjcf_bare(node);
  srs_file_sensor sensor = {
      .name = "", .kind = m->kind, .coordinate = "", .frame = "", .other = "", .is_in_world = m->is_in_world};
  const char *why = NULL;
  double cutoff = 0;
  srs_status status = srs_mjcf_numbers(mjcf, &item, "cutoff", 1, 1, &cutoff, NULL);
  if (status == SRS_OK && m->of == ACTUATOR)
    status = find_actuator(mjcf, srs_xml_peek(node, "actuator"), &sensor, &why);
  if (status != SRS_OK) return status;
  if (m->of == JOINT) why = find_joint(mjcf, srs_xml_peek(node, "joint"), &sensor);
  if (m->of == SITE || m->of == FRAME) why = find_frame(mjcf, m, node, &sensor);
  const bool is_range = strcmp(m->kind, "range") == 0;
  if (why == NULL && is_range && !may_collide(mjcf)) why = "nothing here can collide";
  if (why != NULL) {
    note(r, node, false, why);
    return SRS_OK;
  }
  if (is_range && cutoff > 0) sensor.range = cutoff;
  if (!is_range && cutoff > 0) note(r, node, true, "its numbers are not cut off (cutoff)");
  if (strcmp(m->tag, "framelinacc") == 0)
    note(r, node, true, "gravity is not taken off, so it is 0 at rest (an accelerometer shows -g)");
  const char *word = srs_xml_peek(node, "name");
  if (word == NULL) word = free_name(r);
  sensor.name = word != NULL ? srs_mjcf_prefixed(mjcf, word) : NULL;
  if (sensor.name == NULL || sensor.frame == NULL) return srs_mjcf_no_memory(mjcf);
  return srs_builder_add_sensor(mjcf->builder, &sensor) == SRS_OK ? SRS_OK : srs_mjcf_no_memory(mjcf);
}

// Reads those of a list, or only their names.
static srs_status read_list(sensor_reader *r, const srs_xml_node *list, bool names_only)
{
  srs_status status = SRS_OK;
  for (srs_xml_node *node = list->first_child; node != NULL && status == SRS_OK; node = node->next, r->n++) {
    const char *word = srs_xml_peek(node, "name");
    if (names_only) {
      if (word != NULL) status = srs_mjcf_add_name(r->mjcf, &r->names, "sensor", word, r->n, node);
      continue;
    }
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings && status == SRS_OK; i++)
      if (strcmp(node->name, meanings[i].tag) == 0) status = read_sensor(r, node, &meanings[i]);
  }
  return status;
}

srs_status srs_mjcf_add_sensors(srs_mjcf *mjcf)
{
  sensor_reader r = {.mjcf = mjcf};
  srs_status status = SRS_OK;
  for (int pass = 0; pass < 2; pass++, r.n = 0)
    for (const srs_xml_node *list = mjcf->document->root->first_child; list != NULL; list = list->next)
      if (strcmp(list->name, "sensor") == 0 && status == SRS_OK) status = read_list(&r, list, pass == 0);
  for (int i = 0; i < r.n_reasons && status == SRS_OK; i++) {
    const reason *one = &r.reasons[i];
    const char *times =
        one->tally.count > 1 ? srs_mjcf_format(mjcf, " (%d times, from here on)", one->tally.count) : "";
    if (times == NULL) status = srs_mjcf_no_memory(mjcf);
    if (status == SRS_OK)
      status = srs_mjcf_note(mjcf, one->tally.first,
                             srs_mjcf_format(mjcf, "sensor <%s>%s %s: %s", one->tag, times,
                                             one->is_kept ? "differs" : "is left out", one->why));
  }
  srs_names_release(&r.names);
  return status;
}
