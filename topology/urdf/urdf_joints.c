// The <joint> elements of a URDF file, and the tree that they form.
//
// Each link is the child of at most one joint, and exactly one link of none: the root. Going up from any link n_links
// times without reaching the root means a cycle.

#include "topology/urdf/urdf_joints.h"
#include "topology/base/nearest_word.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// ---------------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_kind(srs_urdf *urdf, srs_urdf_joint *joint)
{
  static const struct {
    const char *word;
    srs_joint_kind kind;
  } kinds[] = {{"revolute", SRS_JOINT_REVOLUTE},   {"continuous", SRS_JOINT_CONTINUOUS},
               {"prismatic", SRS_JOINT_PRISMATIC}, {"fixed", SRS_JOINT_FIXED},
               {"floating", SRS_JOINT_FREE},       {"planar", SRS_JOINT_PLANAR}};
  const char *type = NULL;
  const srs_status status = srs_xml_required_text(joint->node, "type", &type, urdf->error);
  if (status != SRS_OK) return status;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(type, kinds[i].word) != 0) continue;
    joint->kind = kinds[i].kind;
    return SRS_OK;
  }
  return srs_fail_at(urdf->error, SRS_ERROR_SYNTAX, srs_xml_place(joint->node), joint->name,
                     "joint '%.60s' has the unknown type '%.40s'; expected revolute, continuous, prismatic, fixed, "
                     "floating or planar",
                     joint->name, type);
}

// Which link does a joint mean whose end is not there? Of those that no joint has as its child where the end is one.
static const char *hint_at_end(const srs_urdf *urdf, const char *end, const char *name, char hint[192])
{
  enum { MOST = 1000 }; // links to compare with
  srs_nearest nearest = srs_nearest_to(name);
  bool is_taken[MOST] = {false};
  const int n = urdf->n_links < MOST ? urdf->n_links : MOST;
  for (srs_xml_node *node = urdf->document->root->first_child; node != NULL; node = node->next) {
    srs_xml_node *other =
        strcmp(node->name, "joint") == 0 && strcmp(end, "child") == 0 ? srs_xml_child(node, end) : NULL;
    const char *child = other != NULL ? srs_xml_peek(other, "link") : NULL;
    const int link = child != NULL ? srs_names_find(&urdf->link_names, child) : -1;
    if (link >= 0 && link < n) is_taken[link] = true;
  }
  for (int i = 0; i < n; i++)
    if (!is_taken[i]) srs_nearest_offer(&nearest, urdf->links[i].name);
  return srs_nearest_hint(&nearest, hint);
}

// link: out: -1 for one that is not there and need not be
static srs_status read_end(srs_urdf *urdf, const srs_urdf_joint *joint, const char *end, int *link)
{
  srs_xml_node *node = srs_xml_child(joint->node, end);
  if (node == NULL)
    return srs_fail_at(urdf->error, SRS_ERROR_SYNTAX, srs_xml_place(joint->node), joint->name,
                       "joint '%.60s' needs <%s link=...>", joint->name, end);
  const char *name = NULL;
  const srs_status status = srs_xml_required_text(node, "link", &name, urdf->error);
  if (status != SRS_OK) return status;
  *link = srs_names_find(&urdf->link_names, name);
  if (*link >= 0) return SRS_OK;
  char hint[192];
  hint_at_end(urdf, end, name, hint);
  if (urdf->options->allow_missing_links)
    return srs_urdf_warn(urdf, node->line,
                         srs_xml_format(urdf->document, "joint '%s' is left out: its %s link '%s' is not there%s",
                                        joint->name, end, name, hint));
  return srs_fail_at(
      urdf->error, SRS_ERROR_NAME, srs_xml_place(node), joint->name,
      "joint '%.60s' names the %s link '%.60s', but there is no link of that name (--allow-missing-links leaves the "
      "joint out)%s",
      joint->name, end, name, hint);
}

static srs_status list_joint(srs_urdf *urdf, srs_xml_node *node)
{
  srs_urdf_joint joint = {.node = node};
  node->mark = SRS_XML_READ;
  srs_status status = srs_xml_required_text(node, "name", &joint.name, urdf->error);
  if (status != SRS_OK) return status;
  const int first = srs_names_find(&urdf->joint_names, joint.name);
  if (first >= 0)
    return srs_fail_at(urdf->error, SRS_ERROR_NAME, srs_xml_place(node), joint.name,
                       "there are two joints named '%.60s'; the first is in line %d", joint.name,
                       urdf->joints[first].node->line);
  status = read_kind(urdf, &joint);
  if (status == SRS_OK) status = read_end(urdf, &joint, "parent", &joint.parent);
  if (status == SRS_OK) status = read_end(urdf, &joint, "child", &joint.child);
  if (status != SRS_OK) return status;
  if (joint.parent < 0 || joint.child < 0) {
    node->mark = SRS_XML_WHOLE;
    return SRS_OK;
  }
  if (!srs_names_reserve(&urdf->joint_names)) return srs_urdf_no_memory(urdf);
  srs_names_add(&urdf->joint_names, joint.name, urdf->n_joints);
  urdf->joints[urdf->n_joints++] = joint;
  return SRS_OK;
}

srs_status srs_urdf_list_joints(srs_urdf *urdf)
{
  int room = 0;
  for (const srs_xml_node *node = urdf->document->root->first_child; node != NULL; node = node->next)
    room += strcmp(node->name, "joint") == 0;
  urdf->joints = srs_arena_take(&urdf->document->memory, (size_t)room, sizeof *urdf->joints);
  if (urdf->joints == NULL) return srs_urdf_no_memory(urdf);
  srs_status status = SRS_OK;
  for (srs_xml_node *node = urdf->document->root->first_child; node != NULL && status == SRS_OK; node = node->next)
    if (strcmp(node->name, "joint") == 0) status = list_joint(urdf, node);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The tree
// ---------------------------------------------------------------------------------------------------------------------

static srs_status give_parents(srs_urdf *urdf)
{
  for (int i = 0; i < urdf->n_joints; i++) {
    const srs_urdf_joint *joint = &urdf->joints[i];
    srs_urdf_link *child = &urdf->links[joint->child];
    if (child->joint >= 0)
      return srs_fail_at(urdf->error, SRS_ERROR_MODEL, srs_xml_place(joint->node), child->name,
                         "link '%.60s' is the child of two joints, '%.60s' (line %d) and '%.60s': a tree gives it one",
                         child->name, urdf->joints[child->joint].name, urdf->joints[child->joint].node->line,
                         joint->name);
    child->joint = i;
  }
  return SRS_OK;
}

static int parent_of(const srs_urdf *urdf, int link)
{
  const int joint = urdf->links[link].joint;
  return joint >= 0 ? urdf->joints[joint].parent : -1;
}

// Names as "'a', 'b', 'c'", cut with "…" where there are many.
typedef struct name_list {
  char text[300];
  int length, count;
} name_list;

static void add_name(name_list *list, const char *name)
{
  enum { MOST = 6 };
  const int room = (int)sizeof list->text - list->length;
  if (list->count > MOST || room < 80) return;
  if (list->count == MOST)
    list->length += srs_print(list->text + list->length, (size_t)room, ", ...");
  else
    list->length += srs_print(list->text + list->length, (size_t)room, "%s'%.40s'", list->count > 0 ? ", " : "", name);
  list->count++;
}

static srs_status report_cycle(const srs_urdf *urdf, int link)
{
  name_list names = {0};
  int at = link;
  do {
    add_name(&names, urdf->links[at].name);
    at = parent_of(urdf, at);
  } while (at != link);
  return srs_fail_at(urdf->error, SRS_ERROR_MODEL, srs_xml_place(urdf->joints[urdf->links[link].joint].node),
                     urdf->links[link].name, "the joints form a cycle of the links %s; a robot is a tree", names.text);
}

// seen[k]: the walk that met link k first, 0 for none.
static srs_status find_cycle(const srs_urdf *urdf, int *seen)
{
  for (int start = 0; start < urdf->n_links; start++) {
    int at = start;
    while (at >= 0 && seen[at] == 0) {
      seen[at] = start + 1;
      at = parent_of(urdf, at);
    }
    if (at >= 0 && seen[at] == start + 1) return report_cycle(urdf, at);
  }
  return SRS_OK;
}

// Of several trees the largest stays, of equal ones the first. root_of: n_links zeros, turned into roots.
static srs_status leave_out_the_rest(srs_urdf *urdf, int *root_of, int *root)
{
  int *size = srs_arena_take(&urdf->document->memory, (size_t)urdf->n_links, sizeof *size), n_left_out = 0, first = -1;
  if (size == NULL) return srs_urdf_no_memory(urdf);
  for (int i = 0; i < urdf->n_links; i++) {
    int end = i;
    while (root_of[end] == 0 && parent_of(urdf, end) >= 0) end = parent_of(urdf, end);
    const int own = root_of[end] != 0 ? root_of[end] : end + 1;
    for (int at = i; at >= 0 && root_of[at] == 0; at = parent_of(urdf, at)) root_of[at] = own;
    size[own - 1]++;
  }
  for (int i = 0; i < urdf->n_links; i++)
    if (size[i] > size[*root]) *root = i;
  name_list names = {0};
  for (int i = 0; i < urdf->n_links; i++) {
    srs_urdf_link *link = &urdf->links[i];
    if (root_of[i] == *root + 1) continue;
    link->is_left_out = true;
    link->node->mark = SRS_XML_WHOLE;
    if (link->joint >= 0) urdf->joints[link->joint].node->mark = SRS_XML_WHOLE;
    if (n_left_out++ == 0) first = i;
    add_name(&names, link->name);
  }
  return srs_urdf_warn(urdf, urdf->links[first].node->line,
                       srs_xml_format(urdf->document, "%d link%s that no joint joins to '%s' %s left out: %s",
                                      n_left_out, n_left_out == 1 ? "" : "s", urdf->links[*root].name,
                                      n_left_out == 1 ? "is" : "are", names.text));
}

srs_status srs_urdf_find_root(srs_urdf *urdf, int *root)
{
  srs_status status = give_parents(urdf);
  if (status != SRS_OK) return status;
  int *seen = srs_arena_take(&urdf->document->memory, (size_t)urdf->n_links, sizeof *seen);
  if (seen == NULL) return srs_urdf_no_memory(urdf);
  status = find_cycle(urdf, seen);
  if (status != SRS_OK) return status;
  name_list roots = {0};
  int n_roots = 0, last = -1;
  for (int i = 0; i < urdf->n_links; i++) {
    if (urdf->links[i].joint >= 0) continue;
    if (n_roots++ == 0) *root = i;
    last = i;
    add_name(&roots, urdf->links[i].name);
  }
  if (n_roots == 1) return SRS_OK;
  if (urdf->options->allow_missing_links) {
    memset(seen, 0, (size_t)urdf->n_links * sizeof *seen);
    return leave_out_the_rest(urdf, seen, root);
  }
  return srs_fail_at(urdf->error, SRS_ERROR_MODEL, srs_xml_place(urdf->links[last].node), urdf->links[last].name,
                     "%d root links, %s: all but one must be the child of a joint", n_roots, roots.text);
}

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

static bool has_one_coordinate(srs_joint_kind kind)
{
  return kind == SRS_JOINT_REVOLUTE || kind == SRS_JOINT_CONTINUOUS || kind == SRS_JOINT_PRISMATIC;
}

static srs_status read_axis(srs_urdf *urdf, const srs_urdf_joint *joint, srs_joint_def *def)
{
  double axis[3] = {1, 0, 0};
  srs_xml_node *node = srs_xml_child(joint->node, "axis");
  const srs_status status = node != NULL ? srs_xml_numbers(node, "xyz", 3, axis, urdf->error) : SRS_OK;
  if (status != SRS_OK || joint->kind == SRS_JOINT_FIXED || joint->kind == SRS_JOINT_FREE) return status;
  memcpy(def->axis, axis, sizeof axis);
  return SRS_OK;
}

static srs_status warn_of(srs_urdf *urdf, const srs_xml_node *node, const srs_urdf_joint *joint, const char *what)
{
  return srs_urdf_warn(urdf, node->line, srs_xml_format(urdf->document, "joint '%s' %s", joint->name, what));
}

// A number that may be infinite: "inf", "-INF", "Infinity", as some exporters write for no limit.
static srs_status read_limit_number(srs_urdf *urdf, srs_xml_node *limit, const char *name, double *value)
{
  const char *text = srs_xml_peek(limit, name);
  const char *word = text != NULL ? text + strspn(text, " \t") : "";
  const bool is_negative = *word == '-';
  if (*word == '-' || *word == '+') word++;
  if (*word == '.') word++;
  if (strcasecmp(word, "inf") != 0 && strcasecmp(word, "infinity") != 0)
    return srs_xml_numbers(limit, name, 1, value, urdf->error);
  *value = is_negative ? -INFINITY : INFINITY;
  return srs_xml_text(limit, name, &text, urdf->error);
}

// Multiples of 5 beyond two turns: nobody limits a hinge to 180 rad.
static bool looks_like_degrees(double x)
{
  return fabs(x) > 4 * 3.141592653589793 && fabs(x) <= 720 && fabs(x) != 100 && fmod(x, 5) == 0;
}

static srs_status warn_of_degrees(srs_urdf *urdf, const srs_urdf_joint *joint, const srs_xml_node *limit,
                                  const srs_joint_def *def)
{
  if (joint->kind != SRS_JOINT_REVOLUTE) return SRS_OK;
  if (!looks_like_degrees(def->lower[0]) && !looks_like_degrees(def->upper[0])) return SRS_OK;
  const double degree = 3.141592653589793 / 180;
  return srs_urdf_warn(urdf, limit->line,
                       srs_xml_format(urdf->document,
                                      "joint '%s': limits of %.15g and %.15g rad look like degrees; if they are, write "
                                      "%.6g and %.6g",
                                      joint->name, def->lower[0], def->upper[0], degree * def->lower[0],
                                      degree * def->upper[0]));
}

// A lower limit of inf, or an upper of -inf: nothing lies within.
static srs_status refuse_endless(const srs_urdf *urdf, const srs_urdf_joint *joint, const srs_xml_node *limit,
                                 const srs_joint_def *def)
{
  const bool is_lower = def->lower[0] == INFINITY;
  if (!is_lower && def->upper[0] != -INFINITY) return SRS_OK;
  return srs_fail_at(urdf->error, SRS_ERROR_MODEL, srs_xml_place(limit), joint->name,
                     "joint '%.60s': no coordinate keeps a%s; %s is none", joint->name,
                     is_lower ? " lower limit of inf" : "n upper limit of -inf", is_lower ? "-inf" : "inf");
}

static srs_status read_range(srs_urdf *urdf, const srs_urdf_joint *joint, srs_xml_node *limit, srs_joint_def *def)
{
  const bool is_given = srs_xml_peek(limit, "lower") != NULL || srs_xml_peek(limit, "upper") != NULL;
  def->lower[0] = def->upper[0] = 0; // the format's default
  srs_status status = read_limit_number(urdf, limit, "lower", &def->lower[0]);
  if (status == SRS_OK) status = read_limit_number(urdf, limit, "upper", &def->upper[0]);
  if (status == SRS_OK) status = refuse_endless(urdf, joint, limit, def);
  if (status == SRS_OK) status = warn_of_degrees(urdf, joint, limit, def);
  if (status != SRS_OK) return status;
  if (def->lower[0] > def->upper[0])
    return srs_fail_at(urdf->error, SRS_ERROR_MODEL, srs_xml_place(limit), joint->name,
                       "joint '%.60s': the lower limit %.60s lies above the upper, %.60s", joint->name,
                       srs_xml_peek(limit, "lower"), srs_xml_peek(limit, "upper"));
  return is_given ? SRS_OK
                  : warn_of(urdf, limit, joint, "has a limit without lower and upper: the format takes both as 0");
}

static srs_status note_zero(srs_urdf *urdf, srs_urdf_joint_list *list, const char *name, int line)
{
  if (list->names == NULL) {
    list->names = srs_arena_take(&urdf->document->memory, (size_t)urdf->n_joints, sizeof *list->names);
    if (list->names == NULL) return srs_urdf_no_memory(urdf);
    list->line = line;
  }
  list->names[list->n++] = name;
  return SRS_OK;
}

// Files write 0 for an unknown limit: an actuator without effort would be none.
static srs_status read_most(srs_urdf *urdf, const srs_urdf_joint *joint, srs_xml_node *limit, const char *name,
                            double *most)
{
  if (srs_xml_peek(limit, name) == NULL)
    return srs_urdf_warn(urdf, limit->line,
                         srs_xml_format(urdf->document,
                                        "joint '%s' has a limit without %s, which the "
                                        "format requires: taken as unlimited",
                                        joint->name, name));
  double value = 0;
  const srs_status status = read_limit_number(urdf, limit, name, &value);
  if (status != SRS_OK) return status;
  if (value < 0)
    return srs_fail_at(urdf->error, SRS_ERROR_MODEL, srs_xml_place(limit), joint->name,
                       "joint '%.60s': <limit %s=\"%.40s\"> is negative; expected a number that is not", joint->name,
                       name, srs_xml_peek(limit, name));
  if (value > 0)
    *most = value;
  else
    return note_zero(urdf, &urdf->zeros[strcmp(name, "velocity") == 0], joint->name, limit->line);
  return SRS_OK;
}

// For a limit on a joint with several coordinates the format does not define which one it is.
static srs_status refuse_limit(srs_urdf *urdf, const srs_urdf_joint *joint)
{
  for (const srs_xml_node *node = joint->node->first_child; node != NULL; node = node->next) {
    if (strcmp(node->name, "limit") != 0) continue;
    if (srs_xml_peek(node, "lower") == NULL && srs_xml_peek(node, "upper") == NULL) continue;
    return srs_fail_at(
        urdf->error, SRS_ERROR_UNSUPPORTED, srs_xml_place(node), joint->name,
        "joint '%.60s' has several coordinates: a lower and upper limit on them is not supported; delete "
        "both",
        joint->name);
  }
  return SRS_OK;
}

static srs_status read_limit(srs_urdf *urdf, const srs_urdf_joint *joint, srs_joint_def *def)
{
  if (joint->kind == SRS_JOINT_PLANAR || joint->kind == SRS_JOINT_FREE) return refuse_limit(urdf, joint);
  if (!has_one_coordinate(joint->kind)) return SRS_OK;
  srs_xml_node *limit = srs_xml_child(joint->node, "limit");
  if (limit == NULL) {
    if (joint->kind == SRS_JOINT_CONTINUOUS) return SRS_OK;
    return warn_of(urdf, joint->node, joint, "has no <limit>, which the format requires: taken as unlimited");
  }
  srs_status status = SRS_OK;
  if (joint->kind != SRS_JOINT_CONTINUOUS) status = read_range(urdf, joint, limit, def);
  if (status == SRS_OK) status = read_most(urdf, joint, limit, "effort", &def->max_effort[0]);
  return status == SRS_OK ? read_most(urdf, joint, limit, "velocity", &def->max_velocity[0]) : status;
}

static srs_status read_dynamics(srs_urdf *urdf, const srs_urdf_joint *joint, srs_joint_def *def)
{
  srs_xml_node *dynamics = has_one_coordinate(joint->kind) ? srs_xml_child(joint->node, "dynamics") : NULL;
  if (dynamics == NULL) return SRS_OK;
  srs_status status = srs_xml_numbers(dynamics, "damping", 1, &def->damping[0], urdf->error);
  if (status == SRS_OK) status = srs_xml_numbers(dynamics, "friction", 1, &def->friction[0], urdf->error);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Known elements without effect
// ---------------------------------------------------------------------------------------------------------------------

static void count_unused(srs_urdf *urdf, const srs_urdf_joint *joint)
{
  static const char *const known[] = {"safety_controller", "calibration"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    srs_xml_node *node = srs_xml_child(joint->node, known[i]);
    if (node == NULL) continue;
    node->mark = SRS_XML_WHOLE;
    srs_xml_count(&urdf->unused[i], node);
  }
}

// <sarrus armature="0.01" stiffness="5" reference="0.3"/>: what the format has no words for.
static srs_status read_extension(srs_urdf *urdf, const srs_urdf_joint *joint, srs_joint_def *def)
{
  srs_xml_node *extension = has_one_coordinate(joint->kind) ? srs_xml_child(joint->node, "sarrus") : NULL;
  if (extension == NULL) return SRS_OK;
  srs_status status = srs_xml_numbers(extension, "armature", 1, &def->armature[0], urdf->error);
  if (status == SRS_OK) status = srs_xml_numbers(extension, "stiffness", 1, &def->stiffness[0], urdf->error);
  if (status == SRS_OK) status = srs_xml_numbers(extension, "reference", 1, &def->reference[0], urdf->error);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints
// ---------------------------------------------------------------------------------------------------------------------

static srs_status add_joint(srs_urdf *urdf, const srs_urdf_joint *joint)
{
  srs_joint_def def = srs_default_joint_def(joint->kind);
  def.name = srs_urdf_prefixed(urdf, joint->name);
  def.parent = srs_urdf_prefixed(urdf, urdf->links[joint->parent].name);
  def.child = srs_urdf_prefixed(urdf, urdf->links[joint->child].name);
  if (def.name == NULL || def.parent == NULL || def.child == NULL) return srs_urdf_no_memory(urdf);
  srs_status status = srs_urdf_origin(urdf, joint->node, &def.origin);
  if (status == SRS_OK) status = read_axis(urdf, joint, &def);
  if (status == SRS_OK) status = read_limit(urdf, joint, &def);
  if (status == SRS_OK) status = read_dynamics(urdf, joint, &def);
  if (status == SRS_OK) status = read_extension(urdf, joint, &def);
  count_unused(urdf, joint);
  if (status != SRS_OK) return status;
  srs_urdf_locate(urdf, joint->node);
  return srs_builder_add_joint(urdf->builder, &def, urdf->error);
}

// A mimic joint. Where it cannot follow, a warning says why, and both joints move independently.
static srs_status read_mimic(srs_urdf *urdf, const srs_urdf_joint *joint)
{
  srs_xml_node *mimic = srs_xml_child(joint->node, "mimic");
  if (mimic == NULL) return SRS_OK;
  const char *leader = NULL, *reason = NULL;
  srs_coupling_def def = srs_default_coupling_def();
  srs_status status = srs_xml_required_text(mimic, "joint", &leader, urdf->error);
  if (status == SRS_OK) status = srs_xml_numbers(mimic, "multiplier", 1, &def.coefficients[1], urdf->error);
  if (status == SRS_OK) status = srs_xml_numbers(mimic, "offset", 1, &def.coefficients[0], urdf->error);
  if (status != SRS_OK) return status;
  const int found = srs_names_find(&urdf->joint_names, leader);
  if (found < 0)
    reason = "there is no joint of the second name";
  else if (&urdf->joints[found] == joint)
    reason = "a joint does not follow itself";
  else if (joint->kind == SRS_JOINT_FIXED || urdf->joints[found].kind == SRS_JOINT_FIXED)
    reason = "a fixed joint neither leads nor follows";
  else if (!has_one_coordinate(joint->kind) || !has_one_coordinate(urdf->joints[found].kind))
    reason = "a joint of several coordinates neither leads nor follows";
  else if (urdf->links[urdf->joints[found].child].is_left_out)
    reason = "the second is left out";
  if (reason != NULL)
    return srs_urdf_warn(urdf, mimic->line,
                         srs_xml_format(urdf->document,
                                        "joint '%s' does not follow joint '%s' (multiplier %.15g, offset "
                                        "%.15g): %s",
                                        joint->name, leader, def.coefficients[1], def.coefficients[0], reason));
  def.follower = srs_urdf_prefixed(urdf, joint->name);
  def.leader = srs_urdf_prefixed(urdf, leader);
  if (def.follower == NULL || def.leader == NULL) return srs_urdf_no_memory(urdf);
  srs_urdf_locate(urdf, mimic);
  return srs_builder_add_coupling(urdf->builder, &def, urdf->error);
}

srs_status srs_urdf_add_joints(srs_urdf *urdf)
{
  srs_status status = SRS_OK;
  for (int mimics = 0; mimics < 2; mimics++)
    for (int i = 0; i < urdf->n_joints && status == SRS_OK; i++) {
      if (urdf->links[urdf->joints[i].child].is_left_out) continue;
      status = mimics == 0 ? add_joint(urdf, &urdf->joints[i]) : read_mimic(urdf, &urdf->joints[i]);
    }
  return status;
}
