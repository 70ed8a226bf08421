// Actuators of MJCF.
//
// There, an actuator of gear g on a coordinate q has length g q; its force g (gain u + b_0 + b_1 g q + b_2 g v) acts on
// the coordinate, u being its input:
//
//   motor     gain 1, b = 0                        position     gain kp, b = (0, -kp, -kv)
//   velocity  gain kv, b = (0, 0, -kv)             intvelocity  as position, u the integral of the input
//   damper    gain 0, b = (0, 0, -kv u)            cylinder     gain the area, b its bias
//   general   gainprm, biasprm
//
// which is a servo of gains kp = -b_1, kd = -b_2 here, at the position (gain u + b_0) / kp, or with a torque where kp
// is zero. Several on one coordinate are one: gains and torques add, each seen from the coordinate. The coordinate is
// that of a hinge or slide, or the length of a fixed tendon. On joints with several coordinates, and at sites, gear is
// a vector: constant torques, or a constant wrench [force; torque] along the site's axes; there, laws with b_1 or b_2
// have no counterpart.
//
// u starts at 0 within ctrlrange, or as the key says; where an activation follows the input: at 0 for an integrator, at
// the input for a filter. What bounds the force (forcerange; of a motor also gear times ctrlrange)
// bounds the effort on the coordinate, one bound for both ways.

#include "topology/mjcf/mjcf_actuators.h"
#include "topology/mjcf_base/mjcf_pose.h"
#include "topology/mjcf_base/mjcf_settings.h"
#include "topology/xml/additions.h"

#include <math.h>
#include <string.h>

// What an actuator says, before it becomes a servo.
typedef struct drive {
  srs_xml_node *node;
  srs_mjcf_item item;
  const char *why; // why it is left out; NULL: it is not
  double input;
  double gain, b[3];
  double gear[6];
  double most; // bound of its force, INFINITY for none
} drive;

static srs_status leave_out(srs_mjcf *mjcf, const drive *d)
{
  const char *name = srs_xml_peek(d->node, "name");
  return srs_mjcf_leave_out(mjcf, d->node,
                            srs_mjcf_format(mjcf, "actuator %s%s%s is not honoured: %s", name != NULL ? "'" : "",
                                            name != NULL ? name : d->node->name, name != NULL ? "'" : "", d->why));
}

static bool is_tag(const drive *d, const char *tag) { return strcmp(d->node->name, tag) == 0; }

// ---------------------------------------------------------------------------------------------------------------------
// The law
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_general(srs_mjcf *mjcf, drive *d)
{
  static const char *const gains[] = {"fixed", "affine", "muscle", "user", NULL};
  static const char *const biases[] = {"none", "affine", "muscle", "user", NULL};
  double gainprm[10] = {1}, biasprm[10] = {0};
  int gain_kind = 0, bias_kind = 0;
  srs_status status = srs_mjcf_numbers(mjcf, &d->item, "gainprm", 1, 10, gainprm, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &d->item, "biasprm", 1, 10, biasprm, NULL);
  if (status == SRS_OK) status = srs_mjcf_choice(mjcf, &d->item, "gaintype", gains, &gain_kind);
  if (status == SRS_OK) status = srs_mjcf_choice(mjcf, &d->item, "biastype", biases, &bias_kind);
  d->gain = gainprm[0];
  for (int i = 0; i < 3 && bias_kind == 1; i++) d->b[i] = biasprm[i];
  if (gain_kind == 1) // the gain is affine in length and velocity: at a constant input these are the bias's
    for (int i = 1; i < 3; i++) d->b[i] += gainprm[i] * d->input;
  if (gain_kind > 1 || bias_kind > 1) d->why = "its gain or bias is not of a kind that a servo has";
  return status;
}

static srs_status read_cylinder(srs_mjcf *mjcf, drive *d)
{
  double area = 1, diameter = 0;
  srs_status status = srs_mjcf_numbers(mjcf, &d->item, "area", 1, 1, &area, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &d->item, "diameter", 1, 1, &diameter, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &d->item, "bias", 1, 3, d->b, NULL);
  d->gain = diameter > 0 ? 3.14159265358979323846 / 4 * diameter * diameter : area;
  return status;
}

static srs_status read_law(srs_mjcf *mjcf, drive *d)
{
  double kp = 1, kv = is_tag(d, "velocity") || is_tag(d, "damper") ? 1 : 0;
  srs_status status = srs_mjcf_numbers(mjcf, &d->item, "kp", 1, 1, &kp, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &d->item, "kv", 1, 1, &kv, NULL);
  d->gain = 1;
  if (is_tag(d, "position") || is_tag(d, "intvelocity"))
    d->gain = kp, d->b[1] = -kp, d->b[2] = -kv;
  else if (is_tag(d, "velocity"))
    d->gain = kv, d->b[2] = -kv;
  else if (is_tag(d, "damper"))
    d->gain = 0, d->b[2] = -kv * d->input;
  else if (is_tag(d, "cylinder") && status == SRS_OK)
    status = read_cylinder(mjcf, d);
  else if (is_tag(d, "general") && status == SRS_OK)
    status = read_general(mjcf, d);
  if (d->b[1] > 0 || d->b[2] > 0) d->why = "its gains push away from where they should pull to";
  return status;
}

// Bounds of input and force.
static srs_status read_bounds(srs_mjcf *mjcf, drive *d, double ctrl[2])
{
  bool has_ctrl = false, has_force = false;
  double force[2] = {0, 0};
  ctrl[0] = -INFINITY, ctrl[1] = INFINITY, d->most = INFINITY;
  srs_status status = srs_mjcf_limited(mjcf, &d->item, "ctrllimited", "ctrlrange", &has_ctrl);
  if (status == SRS_OK) status = srs_mjcf_limited(mjcf, &d->item, "forcelimited", "forcerange", &has_force);
  if (status == SRS_OK && has_ctrl) status = srs_mjcf_numbers(mjcf, &d->item, "ctrlrange", 2, 2, ctrl, NULL);
  if (status == SRS_OK && has_force) status = srs_mjcf_numbers(mjcf, &d->item, "forcerange", 2, 2, force, NULL);
  if (status != SRS_OK) return status;
  if (ctrl[0] > ctrl[1] || force[0] > force[1])
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, d->node, NULL, "<%.40s>: a range's first number is above its second",
                         d->node->name);
  if (has_force) d->most = fmax(fabs(force[0]), fabs(force[1]));
  if (!has_force || force[0] == -force[1]) return SRS_OK;
  return srs_mjcf_warn(mjcf, d->node,
                       srs_mjcf_format(mjcf, "forcerange is not symmetric: the larger bound holds both ways"));
}

// What the law sees of the input at the start.
static srs_status read_activation(srs_mjcf *mjcf, drive *d)
{
  static const char *const dynamics[] = {"none", "integrator", "filter", "filterexact", "muscle", "user", NULL};
  int kind = is_tag(d, "intvelocity") ? 1 : is_tag(d, "cylinder") ? 2 : 0;
  double time = 0;
  srs_status status = SRS_OK;
  if (is_tag(d, "general")) status = srs_mjcf_choice(mjcf, &d->item, "dyntype", dynamics, &kind);
  if (is_tag(d, "position")) status = srs_mjcf_numbers(mjcf, &d->item, "timeconst", 1, 1, &time, NULL);
  if (time > 0) kind = 3;
  if (kind == 1) d->input = 0;
  if (kind > 3) d->why = "its input passes through dynamics (dyntype) that a servo has not";
  if (status != SRS_OK || kind == 0 || kind > 3) return status;
  return srs_mjcf_warn(mjcf, d->node,
                       srs_mjcf_format(mjcf, kind == 1
                                                 ? "an actuator's integrator (dyntype, intvelocity) is not honoured: "
                                                   "its activation stays as at the start"
                                                 : "the filter of an actuator's input (dyntype) is not honoured: the "
                                                   "input acts at once"));
}

// ---------------------------------------------------------------------------------------------------------------------
// What it drives
// ---------------------------------------------------------------------------------------------------------------------

static double torque_of(const drive *d) { return fmin(fmax(d->gain * d->input + d->b[0], -d->most), d->most); }

// A coordinate's actuator, alone or together with those that are there.
static srs_status add_servo(srs_mjcf *mjcf, const drive *d, const char *coordinate, bool is_of_tendon, double gear,
                            bool is_constant)
{
  const char *name = srs_xml_peek(d->node, "name");
  srs_file_actuator *own = NULL;
  for (int i = 0; i < mjcf->n_actuators && own == NULL; i++)
    if (mjcf->actuators[i].is_of_closure == is_of_tendon && strcmp(mjcf->actuators[i].coordinate, coordinate) == 0)
      own = &mjcf->actuators[i];
  srs_file_actuator next = {.name = "", .coordinate = coordinate, .is_of_closure = is_of_tendon, .gear = gear};
  if (name != NULL) next.name = srs_mjcf_prefixed(mjcf, name);
  if (next.name == NULL) return srs_mjcf_no_memory(mjcf);
  next.kp = is_constant ? 0 : fmax(-d->b[1], 0);
  next.kd = is_constant ? 0 : fmax(-d->b[2], 0);
  const double constant = is_constant ? torque_of(d) : d->gain * d->input + d->b[0];
  if (next.kp > 0)
    next.position = constant / next.kp;
  else
    next.torque = constant;
  if (own != NULL) { // seen from the coordinate
    const double a = own->gear, b = gear, kp = a * a * own->kp + b * b * next.kp;
    const double pull = a * own->kp * own->position + b * next.kp * next.position;
    own->torque = a * own->torque + b * next.torque;
    own->kd = a * a * own->kd + b * b * next.kd;
    own->kp = kp, own->position = kp > 0 ? pull / kp : 0, own->gear = 1;
    return SRS_OK;
  }
  srs_file_actuator *list = srs_mjcf_grow(mjcf, mjcf->actuators, mjcf->n_actuators, &mjcf->actuator_room, sizeof *list);
  if (list == NULL) return srs_mjcf_no_memory(mjcf);
  mjcf->actuators = list;
  mjcf->actuators[mjcf->n_actuators++] = next;
  return SRS_OK;
}

// The bounds of several actuators of a coordinate add. Without one nothing is bounded.
static void bound_effort(const drive *d, const double ctrl[2], double *effort, bool *is_driven)
{
  double most = d->most;
  if (d->b[1] == 0 && d->b[2] == 0) most = fmin(most, fabs(d->gain) * fmax(fabs(ctrl[0]), fabs(ctrl[1])));
  if (!(most > 0)) most = INFINITY;
  *effort = fabs(d->gear[0]) * most + (*is_driven ? *effort : 0);
  *is_driven = true;
}

static srs_status drive_joint(srs_mjcf *mjcf, drive *d, const char *name, bool in_parent, const double ctrl[2])
{
  static const char *const of_free[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  int index = 0;
  srs_status status = srs_mjcf_find(mjcf, &mjcf->joint_names, "joint", name, d->node, &index);
  if (status != SRS_OK) return status;
  srs_mjcf_joint *joint = &mjcf->joints[index];
  if (joint->kind == SRS_MJCF_HINGE || joint->kind == SRS_MJCF_SLIDE) {
    bound_effort(d, ctrl, &joint->max_effort, &joint->is_driven);
    return add_servo(mjcf, d, joint->name, false, d->gear[0], false);
  }
  if (d->b[1] != 0 || d->b[2] != 0)
    d->why = "its joint has several coordinates, on which only constant torques act";
  else if (in_parent)
    d->why = "torques on a joint of several coordinates are given in the child's axes (joint=..., not jointinparent)";
  const bool is_free = joint->kind == SRS_MJCF_FREE;
  for (int i = 0; i < (is_free ? 6 : 3) && status == SRS_OK && d->why == NULL; i++) {
    if (d->gear[i] == 0) continue;
    const char *coordinate = srs_mjcf_format(mjcf, "%s.%s", joint->name, of_free[is_free ? i : i + 3]);
    status = coordinate != NULL ? add_servo(mjcf, d, coordinate, false, d->gear[i], true) : srs_mjcf_no_memory(mjcf);
  }
  return status;
}

static srs_status drive_tendon(srs_mjcf *mjcf, drive *d, const char *name, const double ctrl[2])
{
  int index = 0;
  if (srs_mjcf_names_spatial_tendon(mjcf, name)) {
    d->why = "its tendon is spatial";
    return SRS_OK;
  }
  const srs_status status = srs_mjcf_find(mjcf, &mjcf->tendon_names, "tendon", name, d->node, &index);
  if (status != SRS_OK) return status;
  srs_mjcf_tendon *tendon = &mjcf->tendons[index];
  if (tendon->is_too_long || tendon->n == 0) {
    d->why = "its tendon is left out";
    return SRS_OK;
  }
  bound_effort(d, ctrl, &tendon->max_effort, &tendon->is_driven);
  return add_servo(mjcf, d, tendon->name, true, d->gear[0], false);
}

static srs_status drive_site(srs_mjcf *mjcf, drive *d, const char *name)
{
  int index = 0;
  const srs_status status = srs_mjcf_find(mjcf, &mjcf->site_names, "site", name, d->node, &index);
  if (status != SRS_OK) return status;
  if (srs_xml_peek(d->node, "refsite") != NULL)
    d->why = "it acts between two sites (refsite)";
  else if (d->b[2] != 0)
    d->why = "at a site only constant wrenches act";
  if (d->why != NULL) return SRS_OK;
  srs_file_wrench wrench = {.frame = srs_mjcf_prefixed(mjcf, mjcf->sites[index].name)};
  const double force = torque_of(d);
  for (int i = 0; i < 3; i++) {
    wrench.wrench[i] = d->gear[3 + i] * force;
    wrench.wrench[3 + i] = d->gear[i] * force;
  }
  if (wrench.frame == NULL || srs_builder_add_wrench(mjcf->builder, &wrench) != SRS_OK) return srs_mjcf_no_memory(mjcf);
  return SRS_OK;
}

static srs_status transmit(srs_mjcf *mjcf, drive *d, const double ctrl[2])
{
  const char *joint = srs_xml_peek(d->node, "joint"), *parent = srs_xml_peek(d->node, "jointinparent");
  const char *tendon = srs_xml_peek(d->node, "tendon"), *site = srs_xml_peek(d->node, "site");
  if (joint != NULL || parent != NULL) return drive_joint(mjcf, d, joint != NULL ? joint : parent, joint == NULL, ctrl);
  if (tendon != NULL) return drive_tendon(mjcf, d, tendon, ctrl);
  if (site != NULL) return drive_site(mjcf, d, site);
  d->why = "it has neither joint, tendon nor site";
  return SRS_OK;
}

static srs_status read_actuator(srs_mjcf *mjcf, srs_xml_node *node, double input)
{
  drive d = {.node = node, .input = input, .gear = {1}};
  double ctrl[2];
  srs_status status = srs_mjcf_item_of(mjcf, node, node->name, NULL, &d.item);
  if (status == SRS_OK) status = read_bounds(mjcf, &d, ctrl);
  if (status != SRS_OK) return status;
  d.input = fmin(fmax(d.input, ctrl[0]), ctrl[1]);
  status = read_activation(mjcf, &d);
  if (status == SRS_OK) status = read_law(mjcf, &d);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &d.item, "gear", 1, 6, d.gear, NULL);
  if (status != SRS_OK) return status;
  if (d.gear[0] == 0 && srs_xml_peek(node, "site") == NULL && d.gear[1] == 0 && d.gear[2] == 0 && d.gear[3] == 0 &&
      d.gear[4] == 0 && d.gear[5] == 0)
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, node, NULL, "<%.40s>: gear is 0", node->name);
  if (d.why == NULL) status = transmit(mjcf, &d, ctrl);
  return status == SRS_OK && d.why != NULL ? leave_out(mjcf, &d) : status;
}

srs_status srs_mjcf_read_actuators(srs_mjcf *mjcf)
{
  static const char *const kinds[] = {"motor", "position", "velocity", "general", "intvelocity", "damper", "cylinder"};
  srs_status status = SRS_OK;
  int n = 0;
  if (mjcf->has_no_actuators) return SRS_OK;
  for (srs_xml_node *node = mjcf->document->root->first_child; node != NULL; node = node->next) {
    if (strcmp(node->name, "actuator") != 0) continue;
    for (srs_xml_node *child = node->first_child; child != NULL; child = child->next, n++) {
      for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == SRS_OK; i++)
        if (strcmp(child->name, kinds[i]) == 0)
          status = read_actuator(mjcf, child, mjcf->key_ctrl != NULL ? mjcf->key_ctrl[n] : 0);
    }
  }
  for (int i = 0; i < mjcf->n_actuators && status == SRS_OK; i++)
    if (srs_builder_add_actuator(mjcf->builder, &mjcf->actuators[i]) != SRS_OK) return srs_mjcf_no_memory(mjcf);
  return status;
}
