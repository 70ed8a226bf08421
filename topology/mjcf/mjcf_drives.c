// Options, actuators and named states of MJCF. A key without a name goes by its number, from 0.
//
// An actuator of a joint has the length gear q, and pulls the joint with gear times its force
//
//   gain ctrl + b_0 + b_1 length + b_2 rate        motor: gain 1;  position: gain kp, b = (0, -kp, -kv);
//                                                  velocity: gain kv, b = (0, 0, -kv)
//
// which is a servo of gains kp = -b_1, kd = -b_2 here, at the position (gain ctrl + b_0) / kp, or with a torque where
// kp is zero. ctrl starts at 0, within ctrlrange. What bounds the force (forcerange; of a motor also gear times
// ctrlrange) bounds the joint's effort, one bound for both ways.

#include "topology/mjcf/mjcf_drives.h"
#include "topology/base/nearest_word.h"
#include "topology/mjcf/mjcf_pose.h"
#include "topology/mjcf/mjcf_settings.h"
#include "topology/xml/additions.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Options
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_flags(srs_mjcf *mjcf, srs_xml_node *node)
{
  static const char *const words[] = {"enable", "disable", NULL};
  static const char *const names[] = {"gravity",      "filterparent", "contact",   "limit",
                                      "frictionloss", "equality",     "constraint"};
  enum { FLAGS = sizeof names / sizeof *names };
  const srs_mjcf_item item = srs_mjcf_bare(node);
  int off[FLAGS] = {0};
  srs_status status = SRS_OK;
  for (int i = 0; i < FLAGS && status == SRS_OK; i++) status = srs_mjcf_choice(mjcf, &item, names[i], words, &off[i]);
  srs_file_settings *file = &mjcf->builder->file;
  if (off[0]) {
    file->has_gravity = true;
    memset(file->gravity, 0, sizeof file->gravity);
  }
  if (off[1]) mjcf->meets_parents = true;
  if (off[6]) off[2] = off[3] = off[4] = off[5] = 1;
  if (off[2]) mjcf->has_no_contact = true;
  if (off[3]) mjcf->has_no_limits = true;
  if (off[4]) mjcf->has_no_friction = true;
  if (off[5]) mjcf->has_no_loops = true;
  return status;
}

static srs_status read_option(srs_mjcf *mjcf, srs_xml_node *node)
{
  static const char *const integrators[] = {"Euler", "RK4", "implicit", "implicitfast", NULL};
  srs_file_settings *file = &mjcf->builder->file;
  const srs_mjcf_item item = srs_mjcf_bare(node);
  double gravity[3] = {0, 0, -9.81}, step = 0.002;
  int integrator = 0;
  srs_status status = srs_mjcf_numbers(mjcf, &item, "gravity", 3, 3, gravity, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "timestep", 1, 1, &step, NULL);
  if (status == SRS_OK) status = srs_mjcf_choice(mjcf, &item, "integrator", integrators, &integrator);
  if (status != SRS_OK) return status;
  if (!(step > 0)) return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, NULL, "<option timestep=...> must be above 0");
  if (srs_mjcf_text(&item, "gravity") != NULL) {
    file->has_gravity = true;
    memcpy(file->gravity, gravity, sizeof gravity);
  }
  if (srs_mjcf_text(&item, "timestep") != NULL) file->step = step;
  if (srs_mjcf_text(&item, "integrator") != NULL) {
    file->has_integrator = true;
    file->integrator = integrator == 3 ? 2 : integrator;
  }
  for (srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next)
    if (strcmp(child->name, "flag") == 0) status = read_flags(mjcf, child);
  return status;
}

srs_status srs_mjcf_read_options(srs_mjcf *mjcf)
{
  srs_status status = SRS_OK;
  srs_file_settings *file = &mjcf->builder->file;
  file->has_step = true;
  file->step = 0.002; // the format's default
  for (srs_xml_node *node = mjcf->document->root->first_child; node != NULL && status == SRS_OK; node = node->next)
    if (strcmp(node->name, "option") == 0) status = read_option(mjcf, node);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Actuators
// ---------------------------------------------------------------------------------------------------------------------

static srs_status leave_out(srs_mjcf *mjcf, const srs_xml_node *node, const char *why)
{
  const char *name = srs_xml_peek(node, "name");
  return srs_mjcf_warn(mjcf, node,
                       srs_mjcf_format(mjcf, "actuator %s%s%s is not honoured: %s", name != NULL ? "'" : "",
                                       name != NULL ? name : node->name, name != NULL ? "'" : "", why));
}

// The law gain ctrl + b.
static srs_status read_law(srs_mjcf *mjcf, const srs_mjcf_item *item, double *gain, double b[3], const char **why)
{
  static const char *const gains[] = {"fixed", "affine", "muscle", "user", NULL};
  static const char *const biases[] = {"none", "affine", "muscle", "user", NULL};
  const char *tag = item->node->name;
  double kp = 1, kv = 0, gainprm[10] = {1}, biasprm[10] = {0};
  int gain_kind = 0, bias_kind = 0;
  if (strcmp(tag, "velocity") == 0) kv = 1;
  srs_status status = srs_mjcf_numbers(mjcf, item, "kp", 1, 1, &kp, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, item, "kv", 1, 1, &kv, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, item, "gainprm", 1, 10, gainprm, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, item, "biasprm", 1, 10, biasprm, NULL);
  if (status == SRS_OK) status = srs_mjcf_choice(mjcf, item, "gaintype", gains, &gain_kind);
  if (status == SRS_OK) status = srs_mjcf_choice(mjcf, item, "biastype", biases, &bias_kind);
  *gain = 1;
  b[0] = b[1] = b[2] = 0;
  if (strcmp(tag, "position") == 0) {
    *gain = kp, b[1] = -kp, b[2] = -kv;
  } else if (strcmp(tag, "velocity") == 0) {
    *gain = kv, b[2] = -kv;
  } else if (strcmp(tag, "general") == 0) {
    *gain = gainprm[0];
    for (int i = 0; i < 3 && bias_kind == 1; i++) b[i] = biasprm[i];
    if (gain_kind > 0 || bias_kind > 1) *why = "its gain or bias is not of a kind that a servo has";
  }
  if (b[1] > 0 || b[2] > 0) *why = "its gains push away from where they should pull to";
  return status;
}

// Bounds of input and force.  @param most  of the actuator's force, INFINITY for none
static srs_status read_bounds(srs_mjcf *mjcf, const srs_mjcf_item *item, double ctrl[2], double *most)
{
  bool has_ctrl = false, has_force = false;
  double force[2] = {0, 0};
  ctrl[0] = -INFINITY, ctrl[1] = INFINITY, *most = INFINITY;
  srs_status status = srs_mjcf_limited(mjcf, item, "ctrllimited", "ctrlrange", &has_ctrl);
  if (status == SRS_OK) status = srs_mjcf_limited(mjcf, item, "forcelimited", "forcerange", &has_force);
  if (status == SRS_OK && has_ctrl) status = srs_mjcf_numbers(mjcf, item, "ctrlrange", 2, 2, ctrl, NULL);
  if (status == SRS_OK && has_force) status = srs_mjcf_numbers(mjcf, item, "forcerange", 2, 2, force, NULL);
  if (status != SRS_OK) return status;
  if (ctrl[0] > ctrl[1] || force[0] > force[1])
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, item->node, NULL, "<%.40s>: a range's first number is above its second",
                         item->node->name);
  if (has_force) *most = fmax(fabs(force[0]), fabs(force[1]));
  if (!has_force || force[0] == -force[1]) return SRS_OK;
  return srs_mjcf_warn(mjcf, item->node,
                       srs_mjcf_format(mjcf, "forcerange is not symmetric: the larger bound holds both ways"));
}

// The joint it pulls; *why says why there is none that can be.
static srs_status find_joint(srs_mjcf *mjcf, srs_xml_node *node, srs_mjcf_joint **joint, const char **why)
{
  const char *name = srs_xml_peek(node, "joint");
  if (name == NULL) name = srs_xml_peek(node, "jointinparent");
  *joint = NULL;
  if (name == NULL) {
    *why = srs_xml_peek(node, "tendon") != NULL ? "actuators of tendons are left out"
           : srs_xml_peek(node, "site") != NULL ? "actuators of sites are left out"
                                                : "it has no joint";
    return SRS_OK;
  }
  int index = 0;
  const srs_status status = srs_mjcf_find(mjcf, &mjcf->joint_names, "joint", name, node, &index);
  if (status != SRS_OK) return status;
  *joint = &mjcf->joints[index];
  if ((*joint)->kind == SRS_MJCF_BALL || (*joint)->kind == SRS_MJCF_FREE)
    *why = "its joint has several coordinates; only hinges and slides are driven";
  for (int i = 0; i < mjcf->builder->file.n_actuators && *why == NULL; i++)
    if (strcmp(mjcf->builder->file.actuators[i].coordinate, (*joint)->name) == 0)
      *why = "its joint has an actuator already; one a joint is read";
  return SRS_OK;
}

static srs_status read_gear(srs_mjcf *mjcf, const srs_mjcf_item *item, double *gear)
{
  double gears[6] = {1, 0, 0, 0, 0, 0};
  const srs_status status = srs_mjcf_numbers(mjcf, item, "gear", 1, 6, gears, NULL);
  *gear = gears[0];
  if (status != SRS_OK || gears[0] != 0) return status;
  return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, item->node, NULL, "<%.40s>: gear is 0", item->node->name);
}

static srs_status read_actuator(srs_mjcf *mjcf, srs_xml_node *node, double input)
{
  static const char *const dynamics[] = {"none", "integrator", "filter", "filterexact", "muscle", "user", NULL};
  srs_mjcf_item item;
  srs_mjcf_joint *joint = NULL;
  const char *why = NULL, *name = srs_xml_peek(node, "name");
  double gain = 1, b[3], ctrl[2], most = INFINITY;
  int dynamic = 0;
  srs_file_actuator actuator = {.name = "", .gear = 1};
  srs_status status = srs_mjcf_item_of(mjcf, node, node->name, NULL, &item);
  if (status == SRS_OK) status = find_joint(mjcf, node, &joint, &why);
  if (status == SRS_OK) status = read_law(mjcf, &item, &gain, b, &why);
  if (status == SRS_OK) status = read_bounds(mjcf, &item, ctrl, &most);
  if (status == SRS_OK) status = read_gear(mjcf, &item, &actuator.gear);
  if (status == SRS_OK && strcmp(node->name, "general") == 0)
    status = srs_mjcf_choice(mjcf, &item, "dyntype", dynamics, &dynamic);
  if (status != SRS_OK) return status;
  if (dynamic == 1 || dynamic > 3) why = "its input passes through dynamics (dyntype)";
  if (why != NULL) return leave_out(mjcf, node, why);
  if (dynamic > 0)
    status = srs_mjcf_warn(mjcf, node,
                           srs_mjcf_format(mjcf, "the filter of an actuator's input (dyntype) is not "
                                                 "honoured: the input acts at once"));
  input = fmin(fmax(input, ctrl[0]), ctrl[1]);
  actuator.kp = fmax(-b[1], 0);
  actuator.kd = fmax(-b[2], 0);
  const double drive = gain * input + b[0];
  if (actuator.kp > 0)
    actuator.position = drive / actuator.kp;
  else
    actuator.torque = drive;
  if (actuator.kp == 0 && actuator.kd == 0) most = fmin(most, fabs(gain) * fmax(fabs(ctrl[0]), fabs(ctrl[1])));
  if (most > 0) joint->max_effort = fmin(joint->max_effort, fabs(actuator.gear) * most);
  actuator.coordinate = joint->name;
  if (name != NULL) actuator.name = srs_mjcf_prefixed(mjcf, name);
  if (actuator.name == NULL) return srs_mjcf_no_memory(mjcf);
  if (status == SRS_OK && srs_builder_add_actuator(mjcf->builder, &actuator) != SRS_OK) return srs_mjcf_no_memory(mjcf);
  return status;
}

srs_status srs_mjcf_read_actuators(srs_mjcf *mjcf)
{
  static const char *const kinds[] = {"motor", "position", "velocity", "general"};
  srs_status status = SRS_OK;
  int n = 0;
  for (srs_xml_node *node = mjcf->document->root->first_child; node != NULL; node = node->next) {
    if (strcmp(node->name, "actuator") != 0) continue;
    for (srs_xml_node *child = node->first_child; child != NULL; child = child->next, n++)
      for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == SRS_OK; i++)
        if (strcmp(child->name, kinds[i]) == 0)
          status = read_actuator(mjcf, child, mjcf->key_ctrl != NULL ? mjcf->key_ctrl[n] : 0);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Named states
// ---------------------------------------------------------------------------------------------------------------------

// A list of exactly n numbers; NULL where it is missing.
static srs_status read_vector(srs_mjcf *mjcf, srs_xml_node *node, const char *name, int n, double **values)
{
  const char *text = srs_xml_peek(node, name), *const spaces = " \t\r\n";
  *values = NULL;
  if (text == NULL) return SRS_OK;
  double *read = srs_arena_take(&mjcf->document->memory, (size_t)n + 1, sizeof *read);
  if (read == NULL) return srs_mjcf_no_memory(mjcf);
  int count = 0;
  for (const char *c = text + strspn(text, spaces); *c != '\0'; count++) {
    const size_t length = strcspn(c, spaces);
    if (count >= n || !srs_parse_number(c, length, &read[count])) {
      count = -1;
      break;
    }
    c += length;
    c += strspn(c, spaces);
  }
  *values = read;
  if (count == n) return SRS_OK;
  return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, srs_xml_peek(node, "name"),
                       "<key %s=...>: expected %d finite numbers, one for each coordinate in the order of the joints",
                       name, n);
}

static int count_actuators(const srs_mjcf *mjcf)
{
  int n = 0;
  for (const srs_xml_node *node = mjcf->document->root->first_child; node != NULL; node = node->next)
    for (const srs_xml_node *child = node->first_child; child != NULL && strcmp(node->name, "actuator") == 0;
         child = child->next)
      n++;
  return n;
}

static srs_status read_key(srs_mjcf *mjcf, srs_xml_node *node, int index, bool *found)
{
  static const int nq[] = {7, 4, 1, 1}, nv[] = {6, 3, 1, 1};
  int n_q = 0, n_v = 0;
  for (int i = 0; i < mjcf->n_joints; i++) {
    n_q += nq[mjcf->joints[i].kind];
    n_v += nv[mjcf->joints[i].kind];
  }
  double *q = NULL, *v = NULL, *ctrl = NULL;
  srs_status status = read_vector(mjcf, node, "qpos", n_q, &q);
  if (status == SRS_OK) status = read_vector(mjcf, node, "qvel", n_v, &v);
  if (status == SRS_OK) status = read_vector(mjcf, node, "ctrl", count_actuators(mjcf), &ctrl);
  const char *name = srs_xml_peek(node, "name"), *wanted = mjcf->options->key;
  char number[32];
  srs_print(number, sizeof number, "%d", index);
  if (status != SRS_OK || wanted == NULL || strcmp(wanted, name != NULL ? name : number) != 0) return status;
  *found = true;
  mjcf->key_q = q, mjcf->key_v = v, mjcf->key_ctrl = ctrl;
  return SRS_OK;
}

srs_status srs_mjcf_read_keys(srs_mjcf *mjcf)
{
  srs_status status = SRS_OK;
  bool found = false;
  int n = 0;
  const char *wanted = mjcf->options->key;
  srs_nearest nearest = srs_nearest_to(wanted != NULL ? wanted : "");
  for (srs_xml_node *node = mjcf->document->root->first_child; node != NULL; node = node->next) {
    if (strcmp(node->name, "keyframe") != 0) continue;
    for (srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next) {
      if (strcmp(child->name, "key") != 0) continue;
      if (srs_xml_peek(child, "name") != NULL) srs_nearest_offer(&nearest, srs_xml_peek(child, "name"));
      status = read_key(mjcf, child, n++, &found);
    }
  }
  if (status != SRS_OK || wanted == NULL || found) return status;
  char hint[192];
  return srs_fail(mjcf->error, SRS_ERROR_NAME, mjcf->document->path, 0, 0, wanted, "no <key> is named '%.80s'%s",
                  wanted, srs_nearest_hint(&nearest, hint));
}
