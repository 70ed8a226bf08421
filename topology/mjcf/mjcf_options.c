// Options of an MJCF file: gravity, step, integrator, flags; and its named states.

#include "topology/mjcf/mjcf_options.h"
#include "topology/base/nearest_word.h"
#include "topology/builder/builder.h"
#include "topology/mjcf_base/mjcf_pose.h"
#include "topology/mjcf_base/mjcf_settings.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Options
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_flags(srs_mjcf *mjcf, srs_xml_node *node)
{
  static const char *const words[] = {"enable", "disable", NULL};
  static const char *const names[] = {"gravity",  "filterparent", "contact", "limit",  "frictionloss",
                                      "equality", "constraint",   "spring",  "damper", "actuation"};
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
  mjcf->has_no_springs = mjcf->has_no_springs || off[7];
  mjcf->has_no_dampers = mjcf->has_no_dampers || off[8];
  mjcf->has_no_actuators = mjcf->has_no_actuators || off[9];
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
