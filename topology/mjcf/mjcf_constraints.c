// Contacts and equality constraints of MJCF.
//
// There, two geoms may touch if contype of one shares a bit with conaffinity of the other. Here both ways must agree:
// so each different pair (contype, conaffinity) becomes a group of its own, of at most 32, whose mask holds the groups
// that it may touch. The first group is the format's default (1, 1), which shapes of other files and of scenes have.
//
// connect       the anchor on body1 and the point of body2 that is there at the start coincide
// weld          body2 stays at relpose in body1; where none is given, as at the start
// joint         q1 - r1 = p(q2 - r2) with r the joints' ref, p of degree 4; q1 alone: q1 = r1 + p_0

#include "topology/mjcf/mjcf_constraints.h"
#include "topology/mjcf/mjcf_tendons.h"
#include "topology/mjcf_base/mjcf_pose.h"
#include "topology/mjcf_base/mjcf_settings.h"
#include "topology/xml/additions.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Groups and friction
// ---------------------------------------------------------------------------------------------------------------------

enum { MOST_GROUPS = 32, MOST_FRICTIONS = 1000 };

typedef struct types {
  unsigned contype, conaffinity;
} types;

static bool pass_types(types a, types b)
{
  return (a.contype & b.conaffinity) != 0 || (b.contype & a.conaffinity) != 0;
}

static bool are_same(types a, types b) { return a.contype == b.contype && a.conaffinity == b.conaffinity; }

srs_status srs_mjcf_find_contact_groups(srs_mjcf *mjcf, unsigned *groups, unsigned *masks)
{
  types all[MOST_GROUPS] = {{1, 1}};
  int n = 1;
  for (int i = 0; i < mjcf->n_geoms; i++) {
    const types own = {mjcf->geoms[i].contype, mjcf->geoms[i].conaffinity};
    int k = 0;
    while (k < n && !are_same(all[k], own)) k++;
    if (k == MOST_GROUPS)
      return srs_mjcf_fail(mjcf, SRS_ERROR_CAPACITY, mjcf->geoms[i].item.node, mjcf->geoms[i].word,
                           "geoms have more than %d different pairs of contype and conaffinity", MOST_GROUPS);
    if (k == n) all[n++] = own;
    groups[i] = 1U << k;
  }
  for (int i = 0; i < mjcf->n_geoms; i++) {
    const types own = {mjcf->geoms[i].contype, mjcf->geoms[i].conaffinity};
    masks[i] = 0;
    for (int k = 0; k < n; k++)
      if (pass_types(own, all[k])) masks[i] |= 1U << k;
  }
  return SRS_OK;
}

static bool same_friction(const srs_mjcf_geom *a, const srs_mjcf_geom *b)
{
  return a->friction[0] == b->friction[0] && a->friction[1] == b->friction[1] && a->friction[2] == b->friction[2] &&
         a->condim == b->condim && a->priority == b->priority;
}

static srs_status add_material(srs_mjcf *mjcf, srs_mjcf_geom *geom)
{
  srs_file_material material = {.friction = geom->friction[0],
                                .torsional = geom->friction[1],
                                .rolling = geom->friction[2],
                                .dimensions = geom->condim,
                                .priority = geom->priority};
  if (material.friction < 0 || material.torsional < 0 || material.rolling < 0)
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, geom->item.node, geom->word, "<geom>: friction is negative");
  const char *name = srs_mjcf_format(mjcf, "geom friction %d", mjcf->builder->file.n_materials + 1);
  material.name = geom->material = name != NULL ? srs_mjcf_prefixed(mjcf, name) : NULL;
  if (material.name == NULL || srs_builder_add_material(mjcf->builder, &material) != SRS_OK)
    return srs_mjcf_no_memory(mjcf);
  return SRS_OK;
}

// One material for each different friction: that of the first geom that has it.
static srs_status name_materials(srs_mjcf *mjcf)
{
  int firsts[MOST_FRICTIONS], n = 0;
  for (int i = 0; i < mjcf->n_geoms; i++) {
    srs_mjcf_geom *geom = &mjcf->geoms[i];
    int k = 0;
    while (k < n && !same_friction(geom, &mjcf->geoms[firsts[k]])) k++;
    if (k < n) {
      geom->material = mjcf->geoms[firsts[k]].material;
      continue;
    }
    if (n == MOST_FRICTIONS)
      return srs_mjcf_fail(mjcf, SRS_ERROR_CAPACITY, geom->item.node, geom->word,
                           "geoms have more than %d different frictions", MOST_FRICTIONS);
    firsts[n++] = i;
    const srs_status status = add_material(mjcf, geom);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// <contact>
// ---------------------------------------------------------------------------------------------------------------------

typedef srs_status reader(srs_mjcf *mjcf, srs_xml_node *node);

static srs_status each(srs_mjcf *mjcf, const char *section, const char *name, reader *read)
{
  srs_status status = SRS_OK;
  for (srs_xml_node *node = mjcf->document->root->first_child; node != NULL; node = node->next) {
    if (strcmp(node->name, section) != 0) continue;
    for (srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next)
      if (strcmp(child->name, name) == 0) status = read(mjcf, child);
  }
  return status;
}

static srs_status find_named(srs_mjcf *mjcf, srs_xml_node *node, const char *attribute, const srs_names *names,
                             const char *what, int *index)
{
  const char *name = NULL;
  const srs_status status = srs_xml_required_text(node, attribute, &name, mjcf->error);
  return status == SRS_OK ? srs_mjcf_find(mjcf, names, what, name, node, index) : status;
}

static srs_status mark_pair(srs_mjcf *mjcf, srs_xml_node *node)
{
  int a, b;
  srs_status status = find_named(mjcf, node, "geom1", &mjcf->geom_names, "geom", &a);
  if (status == SRS_OK) status = find_named(mjcf, node, "geom2", &mjcf->geom_names, "geom", &b);
  if (status == SRS_OK) mjcf->geoms[a].is_paired = mjcf->geoms[b].is_paired = true;
  return status;
}

srs_status srs_mjcf_read_contact(srs_mjcf *mjcf)
{
  srs_status status = each(mjcf, "contact", "pair", mark_pair);
  return status == SRS_OK ? name_materials(mjcf) : status;
}

// Friction of a pair: sliding along two axes (the larger counts here), torsion, rolling.
static srs_status add_pair(srs_mjcf *mjcf, srs_xml_node *node)
{
  srs_mjcf_item item;
  int a, b, condim = 3;
  double friction[5] = {1, 1, 0.005, 0.0001, 0.0001};
  srs_status status = find_named(mjcf, node, "geom1", &mjcf->geom_names, "geom", &a);
  if (status == SRS_OK) status = find_named(mjcf, node, "geom2", &mjcf->geom_names, "geom", &b);
  if (status == SRS_OK) status = srs_mjcf_item_of(mjcf, node, "pair", NULL, &item);
  if (status != SRS_OK) return status;
  const srs_mjcf_geom *one = &mjcf->geoms[a], *other = &mjcf->geoms[b];
  const srs_mjcf_geom *first = other->priority > one->priority ? other : one;
  condim =
      one->priority == other->priority ? (one->condim > other->condim ? one->condim : other->condim) : first->condim;
  for (int i = 0; i < 3; i++) {
    const double own =
        one->priority == other->priority ? fmax(one->friction[i], other->friction[i]) : first->friction[i];
    if (i == 0) friction[0] = friction[1] = own;
    if (i == 1) friction[2] = own;
    if (i == 2) friction[3] = friction[4] = own;
  }
  status = srs_mjcf_integer(mjcf, &item, "condim", &condim);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "friction", 1, 5, friction, NULL);
  srs_file_pair pair = {.a = srs_mjcf_prefixed(mjcf, one->word),
                        .b = srs_mjcf_prefixed(mjcf, other->word),
                        .touches = true,
                        .has_friction = true};
  if (pair.a == NULL || pair.b == NULL) return srs_mjcf_no_memory(mjcf);
  pair.grip = (srs_file_grip){.friction = condim >= 3 ? fmax(friction[0], friction[1]) : 0,
                              .torsional = condim >= 4 ? friction[2] : 0,
                              .rolling = condim >= 6 ? fmax(friction[3], friction[4]) : 0};
  if (status == SRS_OK && srs_builder_add_pair(mjcf->builder, &pair) != SRS_OK) return srs_mjcf_no_memory(mjcf);
  const bool differs = (condim >= 3 && friction[0] != friction[1]) || (condim >= 6 && friction[3] != friction[4]);
  if (status != SRS_OK || !differs) return status;
  return srs_mjcf_warn(mjcf, node, srs_mjcf_format(mjcf, "<pair>: friction differs along two axes: the larger holds"));
}

static srs_status add_exclusion(srs_mjcf *mjcf, srs_xml_node *node)
{
  int a, b;
  for (int i = 0; i < 2; i++) {
    const char *name = srs_xml_peek(node, i == 0 ? "body1" : "body2");
    if (name != NULL && strcmp(name, "world") == 0)
      return srs_mjcf_warn(mjcf, node,
                           srs_mjcf_format(mjcf, "<exclude> of the world is not honoured: give its geoms a contype and "
                                                 "conaffinity"));
  }
  srs_status status = find_named(mjcf, node, "body1", &mjcf->body_names, "body", &a);
  if (status == SRS_OK) status = find_named(mjcf, node, "body2", &mjcf->body_names, "body", &b);
  if (status != SRS_OK) return status;
  const srs_file_pair pair = {.a = srs_mjcf_prefixed(mjcf, mjcf->bodies[a].name),
                              .b = srs_mjcf_prefixed(mjcf, mjcf->bodies[b].name)};
  if (pair.a == NULL || pair.b == NULL || srs_builder_add_pair(mjcf->builder, &pair) != SRS_OK)
    return srs_mjcf_no_memory(mjcf);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// <equality>
// ---------------------------------------------------------------------------------------------------------------------

// The pose of a body in the world at the start.
static srs_pose start_of(const srs_mjcf *mjcf, int body)
{
  srs_pose pose = srs_identity_pose();
  for (; body >= 0; body = mjcf->bodies[body].parent) pose = srs_mjcf_compose(&mjcf->bodies[body].pose, &pose);
  return pose;
}

static srs_pose inverse(const srs_pose *pose)
{
  const mat3 back = transpose3(mat3_from_rows(pose->rotation));
  srs_pose result;
  vec3_store(result.position, scale3(-1, rotate(back, vec3_load(pose->position))));
  mat3_to_rows(result.rotation, back);
  return result;
}

static srs_status is_active(srs_mjcf *mjcf, srs_xml_node *node, srs_mjcf_item *item, bool *active)
{
  *active = true;
  srs_status status = srs_mjcf_item_of(mjcf, node, "equality", NULL, item);
  if (status == SRS_OK) status = srs_mjcf_flag(mjcf, item, "active", active);
  if (status != SRS_OK || *active) return status;
  return srs_mjcf_warn(mjcf, node,
                       srs_mjcf_format(mjcf,
                                       "<%s active=\"false\"> is left out: loops are not switched on "
                                       "later",
                                       node->name));
}

// Its name, or one that says what it is and where; several of a kind may stand in one line, or in that line of two
// files.
static const char *loop_name(srs_mjcf *mjcf, const srs_xml_node *node)
{
  const char *name = srs_xml_peek(node, "name");
  if (name != NULL && *name != '\0' && srs_names_find(&mjcf->tendon_names, name) < 0)
    return srs_mjcf_prefixed(mjcf, name);
  const srs_builder *builder = mjcf->builder;
  const char *word = srs_mjcf_format(mjcf, "%s%d", node->name, node->line);
  const char *made = word != NULL ? srs_mjcf_prefixed(mjcf, word) : NULL;
  for (int k = builder->n_closures + builder->n_couplings + 1;
       made != NULL && srs_names_find(&builder->loop_names, made) >= 0; k++) {
    word = srs_mjcf_format(mjcf, "%s%d_%d", node->name, node->line, k);
    made = word != NULL ? srs_mjcf_prefixed(mjcf, word) : NULL;
  }
  return made;
}

// One end: a body (the world where it is missing), or a site.
typedef struct end {
  int body;
  srs_pose pose; // of the site in the body
  bool is_site;
} end;

static srs_status read_end(srs_mjcf *mjcf, srs_xml_node *node, int which, end *e)
{
  static const char *const bodies[] = {"body1", "body2"}, *const sites[] = {"site1", "site2"};
  *e = (end){.body = -1, .pose = srs_identity_pose()};
  if (srs_xml_peek(node, sites[which]) != NULL) {
    int site = 0;
    const srs_status status = find_named(mjcf, node, sites[which], &mjcf->site_names, "site", &site);
    if (status == SRS_OK) *e = (end){mjcf->sites[site].body, mjcf->sites[site].pose, true};
    return status;
  }
  const char *name = srs_xml_peek(node, bodies[which]);
  if (name == NULL && which == 0)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, NULL, "<%.40s> needs body1=... or site1=...", node->name);
  if (name == NULL || strcmp(name, "world") == 0) return SRS_OK;
  return find_named(mjcf, node, bodies[which], &mjcf->body_names, "body", &e->body);
}

// Where the ends' frames coincide, seen from each.
static srs_status read_ends(srs_mjcf *mjcf, const srs_mjcf_item *item, end ends[2], bool is_weld)
{
  srs_xml_node *node = item->node;
  srs_status status = read_end(mjcf, node, 0, &ends[0]);
  if (status == SRS_OK) status = read_end(mjcf, node, 1, &ends[1]);
  if (status != SRS_OK || ends[0].is_site) return status;
  double anchor[3] = {0, 0, 0}, relative[7] = {0, 0, 0, 0, 0, 0, 0};
  if (!is_weld && srs_mjcf_text(item, "anchor") == NULL)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, NULL, "<connect> needs an anchor");
  status = srs_mjcf_numbers(mjcf, item, "anchor", 3, 3, anchor, NULL);
  if (status == SRS_OK && is_weld) status = srs_mjcf_numbers(mjcf, item, "relpose", 7, 7, relative, NULL);
  if (status != SRS_OK) return status;
  const srs_pose one = start_of(mjcf, ends[0].body), other = start_of(mjcf, ends[1].body), back = inverse(&other),
                 here = inverse(&one);
  srs_pose at = srs_identity_pose();
  if (!is_weld) { // the anchor is a point of body1
    memcpy(at.position, anchor, sizeof anchor);
    const srs_pose in_world = srs_mjcf_compose(&one, &at);
    ends[0].pose = at;
    ends[1].pose = srs_mjcf_compose(&back, &in_world);
    return SRS_OK;
  }
  const double length = sqrt(relative[3] * relative[3] + relative[4] * relative[4] + relative[5] * relative[5] +
                             relative[6] * relative[6]);
  if (length > 1e-9) { // where body2 is in body1
    memcpy(ends[0].pose.position, relative, 3 * sizeof *relative);
    srs_rotation_from_quaternion(relative + 3, ends[0].pose.rotation);
  } else {
    ends[0].pose = srs_mjcf_compose(&here, &other);
  }
  return SRS_OK;
}

static bool stands_still(const srs_mjcf *mjcf, const end *e) { return e->body < 0 || mjcf->bodies[e->body].weld < 0; }

static srs_status add_closure(srs_mjcf *mjcf, srs_xml_node *node, bool is_weld)
{
  srs_mjcf_item item;
  bool active;
  end ends[2];
  srs_status status = is_active(mjcf, node, &item, &active);
  if (status == SRS_OK && active) status = read_ends(mjcf, &item, ends, is_weld);
  if (status != SRS_OK || !active) return status;
  if (stands_still(mjcf, &ends[0]) && stands_still(mjcf, &ends[1]))
    return srs_mjcf_warn(mjcf, node, srs_mjcf_format(mjcf, "<%s> is left out: both its ends stand still", node->name));
  srs_closure_def def = srs_default_closure_def(is_weld ? SRS_CLOSURE_WELD : SRS_CLOSURE_POINT);
  const char *frames[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    if (ends[i].body >= 0)
      frames[i] = srs_mjcf_prefixed(mjcf, mjcf->bodies[ends[i].body].name);
    else
      ends[i].pose = srs_mjcf_compose(&mjcf->options->placement, &ends[i].pose);
  }
  def.name = loop_name(mjcf, node);
  def.frame_a = frames[0], def.frame_b = frames[1];
  def.pose_a = ends[0].pose, def.pose_b = ends[1].pose;
  if (def.name == NULL || mjcf->document->memory.failed) return srs_mjcf_no_memory(mjcf);
  srs_mjcf_locate(mjcf, node);
  return srs_builder_add_closure(mjcf->builder, &def, mjcf->error);
}

static srs_status add_connect(srs_mjcf *mjcf, srs_xml_node *node) { return add_closure(mjcf, node, false); }
static srs_status add_weld(srs_mjcf *mjcf, srs_xml_node *node) { return add_closure(mjcf, node, true); }

static srs_status find_scalar(srs_mjcf *mjcf, srs_xml_node *node, const char *attribute, const srs_mjcf_joint **joint)
{
  int index = 0;
  const srs_status status = find_named(mjcf, node, attribute, &mjcf->joint_names, "joint", &index);
  if (status != SRS_OK) return status;
  *joint = &mjcf->joints[index];
  if ((*joint)->kind == SRS_MJCF_HINGE || (*joint)->kind == SRS_MJCF_SLIDE) return SRS_OK;
  return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, node, (*joint)->word,
                       "<joint %s=\"%.60s\">: only hinges and slides can be coupled", attribute, (*joint)->label);
}

static srs_status add_coupling(srs_mjcf *mjcf, srs_xml_node *node)
{
  srs_mjcf_item item;
  bool active;
  const srs_mjcf_joint *follower = NULL, *leader = NULL;
  double p[5] = {0, 1, 0, 0, 0};
  srs_status status = is_active(mjcf, node, &item, &active);
  if (status != SRS_OK || !active) return status;
  status = find_scalar(mjcf, node, "joint1", &follower);
  if (status == SRS_OK && srs_xml_peek(node, "joint2") != NULL) status = find_scalar(mjcf, node, "joint2", &leader);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "polycoef", 1, 5, p, NULL);
  if (status != SRS_OK) return status;
  if (leader != NULL) srs_mjcf_shift_polynomial(p, leader->reference);
  srs_coupling_def def = srs_default_coupling_def();
  memcpy(def.coefficients, p, sizeof p);
  def.coefficients[0] += follower->reference;
  def.name = loop_name(mjcf, node);
  def.follower = follower->name;
  def.leader = leader != NULL ? leader->name : NULL;
  if (leader == NULL) {
    def.motion.kind = SRS_MOTION_RATE; // stands still
    def.motion.start = def.coefficients[0];
    memset(def.coefficients, 0, sizeof def.coefficients);
  }
  if (def.name == NULL) return srs_mjcf_no_memory(mjcf);
  srs_mjcf_locate(mjcf, node);
  return srs_builder_add_coupling(mjcf->builder, &def, mjcf->error);
}

static srs_status add_tendon_equality(srs_mjcf *mjcf, srs_xml_node *node)
{
  srs_mjcf_item item;
  bool active;
  const srs_status status = is_active(mjcf, node, &item, &active);
  if (status != SRS_OK || !active) return status;
  const char *name = loop_name(mjcf, node);
  return name != NULL ? srs_mjcf_add_tendon_equality(mjcf, node, &item, name) : srs_mjcf_no_memory(mjcf);
}

srs_status srs_mjcf_add_constraints(srs_mjcf *mjcf)
{
  srs_status status = mjcf->has_no_contact ? SRS_OK : each(mjcf, "contact", "pair", add_pair);
  if (status == SRS_OK) status = each(mjcf, "contact", "exclude", add_exclusion);
  if (status == SRS_OK) status = srs_mjcf_add_tendons(mjcf);
  if (mjcf->has_no_loops) return status;
  if (status == SRS_OK) status = each(mjcf, "equality", "connect", add_connect);
  if (status == SRS_OK) status = each(mjcf, "equality", "weld", add_weld);
  if (status == SRS_OK) status = each(mjcf, "equality", "joint", add_coupling);
  return status == SRS_OK ? each(mjcf, "equality", "tendon", add_tendon_equality) : status;
}
