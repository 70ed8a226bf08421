// Fixed tendons: the length of one is L = sum coef q over joints with one coordinate, in MuJoCo's q, which contains
// ref.
//
// One that something acts on (limits, a spring, a damper, friction, a rotor, an actuator) becomes a free tendon of the
// model. An equality holds one at L = L_0 + p(L2 - L2_0), the zeros at the coordinates as drawn. A spring without a
// length of its own is at rest where the joints' springs are.

#include "topology/mjcf/mjcf_tendons.h"
#include "topology/mjcf_base/mjcf_pose.h"
#include "topology/mjcf_base/mjcf_settings.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Listing
// ---------------------------------------------------------------------------------------------------------------------

static srs_status add_term(srs_mjcf *mjcf, srs_mjcf_tendon *tendon, srs_xml_node *node)
{
  const char *name = NULL;
  double coefficient = 0;
  int joint = 0;
  srs_status status = srs_xml_required_text(node, "joint", &name, mjcf->error);
  if (status == SRS_OK) status = srs_mjcf_find(mjcf, &mjcf->joint_names, "joint", name, node, &joint);
  if (status == SRS_OK) status = srs_xml_required_numbers(node, "coef", 1, &coefficient, mjcf->error);
  if (status != SRS_OK) return status;
  if (mjcf->joints[joint].kind != SRS_MJCF_HINGE && mjcf->joints[joint].kind != SRS_MJCF_SLIDE)
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, node, name,
                         "<joint joint=\"%.60s\">: a fixed tendon goes over hinges and slides", name);
  for (int i = 0; i < tendon->n; i++) {
    if (tendon->joint[i] != joint) continue;
    tendon->coefficient[i] += coefficient;
    return SRS_OK;
  }
  if (tendon->n == SRS_TENDON_TERMS) {
    tendon->is_too_long = true;
    return SRS_OK;
  }
  tendon->joint[tendon->n] = joint;
  tendon->coefficient[tendon->n++] = coefficient;
  return SRS_OK;
}

static void drop_zeros(srs_mjcf_tendon *tendon)
{
  int n = 0;
  for (int i = 0; i < tendon->n; i++) {
    if (tendon->coefficient[i] == 0) continue;
    tendon->joint[n] = tendon->joint[i];
    tendon->coefficient[n++] = tendon->coefficient[i];
  }
  tendon->n = n;
}

static srs_status read_tendon(srs_mjcf *mjcf, srs_xml_node *node)
{
  srs_mjcf_tendon *tendons = srs_mjcf_grow(mjcf, mjcf->tendons, mjcf->n_tendons, &mjcf->tendon_room, sizeof *tendons);
  if (tendons == NULL) return srs_mjcf_no_memory(mjcf);
  mjcf->tendons = tendons;
  srs_mjcf_tendon tendon = {.max_effort = INFINITY, .word = srs_xml_peek(node, "name")};
  srs_status status = srs_mjcf_item_of(mjcf, node, "tendon", NULL, &tendon.item);
  for (srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next)
    if (strcmp(child->name, "joint") == 0) status = add_term(mjcf, &tendon, child);
  if (status != SRS_OK) return status;
  if (tendon.n == 0)
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, node, tendon.word,
                         "tendon '%.80s' goes over no joint: add a <joint joint=\"...\" coef=\"...\"/> or delete it",
                         tendon.word != NULL ? tendon.word : "");
  drop_zeros(&tendon);
  const char *own = tendon.word != NULL ? tendon.word : srs_mjcf_format(mjcf, "tendon%d", mjcf->n_tendons);
  tendon.name = own != NULL ? srs_mjcf_prefixed(mjcf, own) : NULL;
  if (tendon.name == NULL) return srs_mjcf_no_memory(mjcf);
  if (tendon.word != NULL)
    status = srs_mjcf_add_name(mjcf, &mjcf->tendon_names, "tendon", tendon.word, mjcf->n_tendons, node);
  mjcf->tendons[mjcf->n_tendons++] = tendon;
  if (status != SRS_OK || !tendon.is_too_long) return status;
  return srs_mjcf_leave_out(
      mjcf, node,
      srs_mjcf_format(mjcf, "tendon '%s' is not honoured: it goes over more than %d joints", own, SRS_TENDON_TERMS));
}

srs_status srs_mjcf_read_tendons(srs_mjcf *mjcf)
{
  srs_status status = SRS_OK;
  for (srs_xml_node *node = mjcf->document->root->first_child; node != NULL; node = node->next) {
    if (strcmp(node->name, "tendon") != 0) continue;
    for (srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next)
      if (strcmp(child->name, "fixed") == 0) status = read_tendon(mjcf, child);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// What acts on them
// ---------------------------------------------------------------------------------------------------------------------

// The length where the joints have their `ref`.
static double drawn_length(const srs_mjcf *mjcf, const srs_mjcf_tendon *tendon)
{
  double length = 0;
  for (int i = 0; i < tendon->n; i++) length += tendon->coefficient[i] * mjcf->joints[tendon->joint[i]].reference;
  return length;
}

// The length where the joints' springs are at rest.
static srs_status rest_length(srs_mjcf *mjcf, const srs_mjcf_tendon *tendon, double *length)
{
  *length = 0;
  for (int i = 0; i < tendon->n; i++) {
    const srs_mjcf_joint *joint = &mjcf->joints[tendon->joint[i]];
    double rest = 0;
    const srs_status status = srs_mjcf_numbers(mjcf, &joint->item, "springref", 1, 1, &rest, NULL);
    if (status != SRS_OK) return status;
    if (joint->kind == SRS_MJCF_HINGE) rest = srs_mjcf_angle(mjcf, rest);
    *length += tendon->coefficient[i] * rest;
  }
  return SRS_OK;
}

static srs_status read_spring(srs_mjcf *mjcf, const srs_mjcf_tendon *tendon, srs_loop_joint *joint)
{
  double ends[2] = {-1, -1};
  int n = 0;
  srs_status status = srs_mjcf_numbers(mjcf, &tendon->item, "stiffness", 1, 1, &joint->stiffness, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &tendon->item, "springlength", 1, 2, ends, &n);
  if (status != SRS_OK || joint->stiffness == 0) return status;
  if (n == 1) ends[1] = ends[0];
  if (ends[0] == -1 && ends[1] == -1) return rest_length(mjcf, tendon, &joint->reference);
  joint->reference = ends[0];
  if (ends[0] == ends[1]) return SRS_OK;
  joint->stiffness = 0;
  return srs_mjcf_leave_out(
      mjcf, tendon->item.node,
      srs_mjcf_format(mjcf,
                      "tendon '%s': a spring between two lengths (springlength) is not honoured: give "
                      "one length",
                      tendon->name));
}

static srs_status read_limits(srs_mjcf *mjcf, const srs_mjcf_tendon *tendon, srs_loop_joint *joint)
{
  bool is_limited = false, has_force = false;
  double range[2] = {0, 0}, force[2] = {0, 0};
  const srs_mjcf_item *item = &tendon->item;
  srs_status status = srs_mjcf_limited(mjcf, item, "limited", "range", &is_limited);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, item, "range", 2, 2, range, NULL);
  if (status == SRS_OK) status = srs_mjcf_limited(mjcf, item, "actuatorfrclimited", "actuatorfrcrange", &has_force);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, item, "actuatorfrcrange", 2, 2, force, NULL);
  if (status != SRS_OK) return status;
  if (is_limited && !(range[0] < range[1]))
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, item->node, tendon->word,
                         "tendon '%.80s': the first number of its range must be the smaller", tendon->name);
  if (is_limited && !mjcf->has_no_limits) joint->lower = range[0], joint->upper = range[1];
  joint->max_effort = tendon->max_effort;
  if (has_force) joint->max_effort = fmin(joint->max_effort, fmax(fabs(force[0]), fabs(force[1])));
  return SRS_OK;
}

static srs_status read_joint(srs_mjcf *mjcf, const srs_mjcf_tendon *tendon, srs_loop_joint *joint)
{
  const struct {
    const char *name;
    double *value;
  } rows[] = {{"damping", &joint->damping}, {"frictionloss", &joint->friction}, {"armature", &joint->armature}};
  srs_status status = read_limits(mjcf, tendon, joint);
  if (status == SRS_OK) status = read_spring(mjcf, tendon, joint);
  for (size_t i = 0; i < sizeof rows / sizeof *rows && status == SRS_OK; i++)
    status = srs_mjcf_numbers(mjcf, &tendon->item, rows[i].name, 1, 1, rows[i].value, NULL);
  if (mjcf->has_no_friction) joint->friction = 0;
  if (mjcf->has_no_springs) joint->stiffness = 0;
  if (mjcf->has_no_dampers) joint->damping = 0;
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Building
// ---------------------------------------------------------------------------------------------------------------------

static const srs_tendon_term *terms_of(srs_mjcf *mjcf, const srs_mjcf_tendon *tendon)
{
  srs_tendon_term *terms = srs_arena_take(&mjcf->document->memory, (size_t)tendon->n + 1, sizeof *terms);
  for (int i = 0; i < tendon->n && terms != NULL; i++)
    terms[i] = (srs_tendon_term){mjcf->joints[tendon->joint[i]].name, tendon->coefficient[i]};
  return terms;
}

static srs_status add_tendon(srs_mjcf *mjcf, const srs_mjcf_tendon *tendon)
{
  srs_closure_def def = srs_default_closure_def(SRS_CLOSURE_TENDON);
  const srs_status status = read_joint(mjcf, tendon, &def.joint);
  const srs_loop_joint *j = &def.joint;
  const bool is_used = tendon->is_driven || isfinite(j->lower) || j->stiffness > 0 || j->damping > 0 ||
                       j->friction > 0 || j->armature > 0;
  if (status != SRS_OK || !is_used || tendon->is_too_long || tendon->n == 0) return status;
  def.name = tendon->name;
  def.tendon = (srs_tendon_def){.terms = terms_of(mjcf, tendon), .n_terms = tendon->n};
  if (def.tendon.terms == NULL) return srs_mjcf_no_memory(mjcf);
  srs_mjcf_locate(mjcf, tendon->item.node);
  return srs_builder_add_closure(mjcf->builder, &def, mjcf->error);
}

srs_status srs_mjcf_add_tendons(srs_mjcf *mjcf)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < mjcf->n_tendons && status == SRS_OK; i++) status = add_tendon(mjcf, &mjcf->tendons[i]);
  return status;
}

static srs_status find_tendon(srs_mjcf *mjcf, srs_xml_node *node, const char *attribute, const srs_mjcf_tendon **found)
{
  int index = 0;
  const char *name = srs_xml_peek(node, attribute);
  *found = NULL;
  if (name == NULL) return SRS_OK;
  if (srs_mjcf_names_spatial_tendon(mjcf, name)) return SRS_OK;
  const srs_status status = srs_mjcf_find(mjcf, &mjcf->tendon_names, "tendon", name, node, &index);
  if (status == SRS_OK) *found = &mjcf->tendons[index];
  return status;
}

srs_status srs_mjcf_add_tendon_equality(srs_mjcf *mjcf, srs_xml_node *node, const srs_mjcf_item *item, const char *name)
{
  const srs_mjcf_tendon *one = NULL, *other = NULL;
  srs_closure_def def = srs_default_closure_def(SRS_CLOSURE_TENDON);
  double p[5] = {0, 1, 0, 0, 0};
  srs_status status = find_tendon(mjcf, node, "tendon1", &one);
  if (status == SRS_OK) status = find_tendon(mjcf, node, "tendon2", &other);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, item, "polycoef", 1, 5, p, NULL);
  if (status != SRS_OK) return status;
  const bool has_other = srs_xml_peek(node, "tendon2") != NULL;
  const char *why = NULL;
  if (one == NULL || (has_other && other == NULL))
    why = "it needs fixed tendons";
  else if (one->n == 0 || one->is_too_long || one->n + (other != NULL ? other->n : 0) > SRS_TENDON_TERMS)
    why = "its tendons go over too many joints, or over none";
  if (why != NULL)
    return srs_mjcf_leave_out(mjcf, node, srs_mjcf_format(mjcf, "<equality><tendon> is not honoured: %s", why));
  def.name = name;
  def.tendon = (srs_tendon_def){.terms = terms_of(mjcf, one), .n_terms = one->n, .is_held = true};
  if (other != NULL) {
    def.tendon.leaders = terms_of(mjcf, other), def.tendon.n_leaders = other->n;
    srs_mjcf_shift_polynomial(p, drawn_length(mjcf, other));
  } else {
    p[1] = p[2] = p[3] = p[4] = 0;
  }
  memcpy(def.tendon.polynomial, p, sizeof p);
  def.tendon.polynomial[0] += drawn_length(mjcf, one);
  if (mjcf->document->memory.failed) return srs_mjcf_no_memory(mjcf);
  srs_mjcf_locate(mjcf, node);
  return srs_builder_add_closure(mjcf->builder, &def, mjcf->error);
}
