// Joints of MJCF bodies.
//
// A body at B in its parent with joints 1 … n is, at coordinates q, at B J_1 … J_n, with a_i the axis and p_i the
// position of joint i, both in the body's frame, and r_i its `ref`:
//
//   hinge  T(p) R(a, q - r) T(-p)       slide  T(a (q - r))       ball  T(p) R(q) T(-p)       free  the pose itself
//
// Here a joint's child has its frame where the joint is. So each joint but the last has a massless link as its child,
// named BODY@JOINT, whose frame lies at p_i; the next joint's origin there is T(p_i+1 - p_i), and a hinge's or slide's
// origin is moved back by its ref. The last joint's child is the body itself if p_n = 0; else another such link that
// the body is fixed to by T(-p_n).

#include "topology/mjcf/mjcf_joints.h"
#include "topology/mjcf_base/mjcf_pose.h"
#include "topology/mjcf_base/mjcf_settings.h"
#include "topology/xml/additions.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Listing
// ---------------------------------------------------------------------------------------------------------------------

// Free: alone, on a body of the world. Ball: no rotation after it.
static srs_status check_company(srs_mjcf *mjcf, const srs_mjcf_joint *joint)
{
  const srs_mjcf_body *body = &mjcf->bodies[joint->body];
  const srs_mjcf_joint *others = mjcf->joints + body->first_joint;
  const char *why = NULL;
  if (joint->kind == SRS_MJCF_FREE && body->parent >= 0)
    why = "a free joint belongs to a body of the world; move the body there";
  for (int i = 0; i < body->n_joints && why == NULL; i++) {
    if (joint->kind == SRS_MJCF_FREE || others[i].kind == SRS_MJCF_FREE)
      why = "a free joint must be the only joint of its body; delete the others";
    else if (others[i].kind == SRS_MJCF_BALL && joint->kind != SRS_MJCF_SLIDE)
      why = "a rotation follows a ball joint in the same body; put the ball last, or a body between";
  }
  if (why == NULL) return SRS_OK;
  return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, joint->item.node, joint->word, "body '%.80s': %s",
                       body->word != NULL ? body->word : "", why);
}

static srs_status read_axis(srs_mjcf *mjcf, srs_mjcf_joint *joint, const srs_pose *around)
{
  double position[3] = {0, 0, 0}, axis[3] = {0, 0, 1};
  srs_status status = srs_mjcf_numbers(mjcf, &joint->item, "pos", 3, 3, position, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &joint->item, "axis", 3, 3, axis, NULL);
  if (status != SRS_OK) return status;
  const bool has_axis = joint->kind == SRS_MJCF_HINGE || joint->kind == SRS_MJCF_SLIDE;
  if (has_axis && norm3(vec3_load(axis)) < 1e-9)
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, joint->item.node, joint->word,
                         "a joint's axis is zero; give it a direction");
  const mat3 turn = mat3_from_rows(around->rotation);
  joint->position = add3(vec3_load(around->position), rotate(turn, vec3_load(position)));
  joint->axis = rotate(turn, vec3_load(axis));
  return SRS_OK;
}

static srs_status read_reference(srs_mjcf *mjcf, srs_mjcf_joint *joint)
{
  if (joint->kind != SRS_MJCF_HINGE && joint->kind != SRS_MJCF_SLIDE) return SRS_OK;
  const srs_status status = srs_mjcf_numbers(mjcf, &joint->item, "ref", 1, 1, &joint->reference, NULL);
  if (joint->kind == SRS_MJCF_HINGE) joint->reference = srs_mjcf_angle(mjcf, joint->reference);
  return status;
}

srs_status srs_mjcf_read_joint(srs_mjcf *mjcf, srs_xml_node *node, const char *word, int body, const srs_pose *around,
                               const srs_mjcf_class *class)
{
  static const char *const kinds[] = {"free", "ball", "slide", "hinge", NULL};
  srs_mjcf_joint *joints = srs_mjcf_grow(mjcf, mjcf->joints, mjcf->n_joints, &mjcf->joint_room, sizeof *joints);
  if (joints == NULL) return srs_mjcf_no_memory(mjcf);
  mjcf->joints = joints;
  srs_mjcf_joint joint = {.word = word, .body = body, .max_effort = INFINITY};
  int kind = SRS_MJCF_HINGE;
  srs_status status = SRS_OK;
  if (strcmp(node->name, "freejoint") == 0) {
    kind = SRS_MJCF_FREE;
    joint.item = srs_mjcf_bare(node);
  } else {
    status = srs_mjcf_item_of(mjcf, node, "joint", class, &joint.item);
    if (status == SRS_OK) status = srs_mjcf_choice(mjcf, &joint.item, "type", kinds, &kind);
  }
  joint.kind = (srs_mjcf_joint_kind)kind;
  if (status == SRS_OK) status = read_axis(mjcf, &joint, around);
  if (status == SRS_OK) status = read_reference(mjcf, &joint);
  if (status == SRS_OK) status = check_company(mjcf, &joint);
  if (status == SRS_OK && word != NULL)
    status = srs_mjcf_add_name(mjcf, &mjcf->joint_names, "joint", word, mjcf->n_joints, node);
  if (status != SRS_OK) return status;
  if (mjcf->n_joints > 0) {
    static const int nq[] = {7, 4, 1, 1}, nv[] = {6, 3, 1, 1};
    const srs_mjcf_joint *last = &mjcf->joints[mjcf->n_joints - 1];
    joint.q_index = last->q_index + nq[last->kind];
    joint.v_index = last->v_index + nv[last->kind];
  }
  mjcf->joints[mjcf->n_joints++] = joint;
  mjcf->bodies[body].n_joints++;
  return SRS_OK;
}

srs_status srs_mjcf_name_joints(srs_mjcf *mjcf)
{
  for (int i = 0; i < mjcf->n_joints; i++) {
    srs_mjcf_joint *joint = &mjcf->joints[i];
    const char *body = mjcf->bodies[joint->body].name, *name = joint->word;
    const bool is_only = mjcf->bodies[joint->body].n_joints == 1;
    if (name == NULL && is_only) name = body;
    if (name == NULL) name = srs_mjcf_format(mjcf, "%s_joint%d", body, i - mjcf->bodies[joint->body].first_joint + 1);
    for (int k = 1; name != NULL && joint->word == NULL && srs_names_find(&mjcf->joint_names, name) >= 0; k++)
      name = srs_mjcf_format(mjcf, "%s_joint_%d", body, k);
    if (name == NULL) return srs_mjcf_no_memory(mjcf);
    joint->label = name;
    joint->name = srs_mjcf_prefixed(mjcf, name);
    if (joint->name == NULL) return srs_mjcf_no_memory(mjcf);
    if (joint->word != NULL) continue;
    const srs_status status = srs_mjcf_add_name(mjcf, &mjcf->joint_names, "joint", name, i, joint->item.node);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

static srs_joint_kind kind_of(const srs_mjcf_joint *joint, bool is_limited)
{
  switch (joint->kind) {
  case SRS_MJCF_FREE: return SRS_JOINT_FREE;
  case SRS_MJCF_BALL: return SRS_JOINT_SPHERICAL;
  case SRS_MJCF_SLIDE: return SRS_JOINT_PRISMATIC;
  case SRS_MJCF_HINGE: break;
  }
  return is_limited ? SRS_JOINT_REVOLUTE : SRS_JOINT_CONTINUOUS;
}

static bool is_angle(const srs_mjcf_joint *joint) { return joint->kind == SRS_MJCF_HINGE; }

static srs_status read_range(srs_mjcf *mjcf, const srs_mjcf_joint *joint, bool *is_limited, double range[2])
{
  *is_limited = false;
  if (joint->kind == SRS_MJCF_FREE) return SRS_OK;
  srs_status status = srs_mjcf_limited(mjcf, &joint->item, "limited", "range", is_limited);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &joint->item, "range", 2, 2, range, NULL);
  if (mjcf->has_no_limits) *is_limited = false;
  if (status != SRS_OK || !*is_limited) return status;
  const bool is_ball = joint->kind == SRS_MJCF_BALL;
  for (int i = 0; i < 2 && (is_angle(joint) || is_ball); i++) range[i] = srs_mjcf_angle(mjcf, range[i]);
  if (is_ball && (range[0] != 0 || !(range[1] > 0)))
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, joint->item.node, joint->word,
                         "joint '%.80s': <... range=\"%.40s\">: of a ball joint it is 0 and the largest angle",
                         joint->name, srs_mjcf_text(&joint->item, "range"));
  if (range[0] < range[1]) return SRS_OK;
  return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, joint->item.node, joint->word,
                       "joint '%.80s': <... range=\"%.40s\">: the first number must be the smaller", joint->name,
                       srs_mjcf_text(&joint->item, "range"));
}

// The range of forces of all actuators together; here one bound serves both ways.
static srs_status read_effort(srs_mjcf *mjcf, const srs_mjcf_joint *joint, double *most)
{
  bool is_limited = false;
  double range[2] = {0, 0};
  srs_status status = srs_mjcf_limited(mjcf, &joint->item, "actuatorfrclimited", "actuatorfrcrange", &is_limited);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &joint->item, "actuatorfrcrange", 2, 2, range, NULL);
  if (status != SRS_OK || !is_limited) return status;
  *most = fmax(fabs(range[0]), fabs(range[1]));
  if (!(*most > 0))
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, joint->item.node, joint->word,
                         "joint '%.80s': actuatorfrcrange leaves no force", joint->name);
  if (range[0] == -range[1]) return SRS_OK;
  return srs_mjcf_warn(mjcf, joint->item.node,
                       srs_mjcf_format(mjcf,
                                       "joint '%s': actuatorfrcrange is not symmetric: the larger bound holds both "
                                       "ways",
                                       joint->name));
}

static srs_status read_spring(srs_mjcf *mjcf, const srs_mjcf_joint *joint, srs_joint_def *def)
{
  if (joint->kind != SRS_MJCF_HINGE && joint->kind != SRS_MJCF_SLIDE) return SRS_OK;
  const srs_status status = srs_mjcf_numbers(mjcf, &joint->item, "springref", 1, 1, &def->reference[0], NULL);
  if (is_angle(joint)) def->reference[0] = srs_mjcf_angle(mjcf, def->reference[0]);
  return status;
}

static srs_status read_values(srs_mjcf *mjcf, const srs_mjcf_joint *joint, srs_joint_def *def)
{
  const struct {
    const char *name;
    double *values;
  } rows[] = {{"armature", def->armature},
              {"damping", def->damping},
              {"stiffness", def->stiffness},
              {"frictionloss", def->friction}};
  bool is_limited;
  double range[2] = {0, 0};
  srs_status status = read_range(mjcf, joint, &is_limited, range);
  if (status != SRS_OK) return status;
  *def = srs_default_joint_def(kind_of(joint, is_limited));
  def->name = joint->name;
  vec3_store(def->axis, joint->axis);
  if (is_limited && joint->kind == SRS_MJCF_BALL) { // of the whole rotation; pi stops nothing
    if (range[1] < 3.14159265358979323846) def->max_swing = range[1];
    vec3_store(def->axis, vec3_zero);
  } else if (is_limited) {
    def->lower[0] = range[0], def->upper[0] = range[1];
  }
  const int nv = joint->kind == SRS_MJCF_FREE ? 6 : joint->kind == SRS_MJCF_BALL ? 3 : 1;
  for (size_t r = 0; r < sizeof rows / sizeof *rows && status == SRS_OK; r++) {
    double value = 0;
    status = srs_mjcf_numbers(mjcf, &joint->item, rows[r].name, 1, 1, &value, NULL);
    if (mjcf->has_no_friction && rows[r].values == def->friction) value = 0;
    if (mjcf->has_no_springs && rows[r].values == def->stiffness) value = 0;
    if (mjcf->has_no_dampers && rows[r].values == def->damping) value = 0;
    for (int i = 0; i < nv; i++) rows[r].values[i] = value;
  }
  if (status == SRS_OK) status = read_spring(mjcf, joint, def);
  double most = INFINITY;
  if (status == SRS_OK && nv == 1) status = read_effort(mjcf, joint, &most);
  for (int i = 0; i < nv; i++) def->max_effort[i] = fmin(most, joint->max_effort);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Building
// ---------------------------------------------------------------------------------------------------------------------

// Where the joint's frame is in that of its parent link when its coordinate is zero.
static srs_pose origin_of(const srs_mjcf_joint *joint, const srs_pose *before, vec3 step)
{
  srs_pose move = srs_identity_pose();
  vec3_store(move.position, step);
  const vec3 axis = scale3(1 / fmax(norm3(joint->axis), 1e-300), joint->axis);
  if (joint->kind == SRS_MJCF_SLIDE && joint->reference != 0)
    vec3_store(move.position, add_scaled3(step, -joint->reference, axis));
  if (joint->kind == SRS_MJCF_HINGE && joint->reference != 0) {
    const double half = -0.5 * joint->reference, s = sin(half);
    const double quaternion[4] = {cos(half), s * axis.x, s * axis.y, s * axis.z};
    srs_rotation_from_quaternion(quaternion, move.rotation);
  }
  return srs_mjcf_compose(before, &move);
}

static srs_status add_carriage(srs_mjcf *mjcf, const srs_mjcf_body *body, const srs_mjcf_joint *joint,
                               const char **name)
{
  const char *plain = srs_mjcf_format(mjcf, "%s@%s", body->name, joint->label);
  *name = plain != NULL ? srs_mjcf_prefixed(mjcf, plain) : NULL;
  if (*name == NULL) return srs_mjcf_no_memory(mjcf);
  srs_link_def link = srs_default_link_def();
  link.name = *name;
  srs_mjcf_locate(mjcf, joint->item.node);
  return srs_builder_add_link(mjcf->builder, &link, mjcf->error);
}

// A body starts where the file draws it, or at the chosen <key>; the file's world is at the options' placement.
static srs_status set_neutral(srs_mjcf *mjcf, const srs_mjcf_joint *joint, const srs_pose *pose)
{
  const double *key = mjcf->key_q != NULL ? mjcf->key_q + joint->q_index : NULL;
  double q[7] = {joint->reference};
  if (joint->kind == SRS_MJCF_FREE) {
    srs_pose at = *pose;
    if (key != NULL) {
      memcpy(at.position, key, sizeof at.position);
      srs_rotation_from_quaternion(key + 3, at.rotation);
      at = srs_mjcf_compose(&mjcf->options->placement, &at);
    }
    memcpy(q, at.position, sizeof at.position);
    srs_quaternion_from_rotation(at.rotation, q + 3);
    return srs_builder_set_neutral(mjcf->builder, joint->name, q, 7);
  }
  if (joint->kind == SRS_MJCF_BALL)
    return key == NULL ? SRS_OK : srs_builder_set_neutral(mjcf->builder, joint->name, key, 4);
  if (key != NULL) q[0] = *key;
  return q[0] == 0 ? SRS_OK : srs_builder_set_neutral(mjcf->builder, joint->name, q, 1);
}

static srs_status set_velocity(srs_mjcf *mjcf, const srs_mjcf_joint *joint)
{
  if (mjcf->key_v == NULL) return SRS_OK;
  srs_file_velocity velocity = {.joint = joint->name,
                                .nv = joint->kind == SRS_MJCF_FREE   ? 6
                                      : joint->kind == SRS_MJCF_BALL ? 3
                                                                     : 1};
  memcpy(velocity.v, mjcf->key_v + joint->v_index, (size_t)velocity.nv * sizeof *velocity.v);
  if (joint->kind == SRS_MJCF_FREE) // the linear part along the axes of the file's world
    vec3_store(velocity.v, rotate(mat3_from_rows(mjcf->options->placement.rotation), vec3_load(velocity.v)));
  return srs_builder_add_velocity(mjcf->builder, &velocity);
}

static srs_status add_link(srs_mjcf *mjcf, const srs_mjcf_body *body, const char *name)
{
  srs_link_def link = srs_default_link_def();
  link.name = name;
  link.mass = body->mass.mass;
  vec3_store(link.com, body->mass.com);
  sym3_store(link.inertia, body->mass.inertia);
  srs_mjcf_locate(mjcf, body->inertial != NULL ? body->inertial : body->node);
  return srs_builder_add_link(mjcf->builder, &link, mjcf->error);
}

static srs_status fix(srs_mjcf *mjcf, const char *parent, const char *child, const srs_pose *pose)
{
  srs_joint_def def = srs_default_joint_def(SRS_JOINT_FIXED);
  def.parent = parent;
  def.child = child;
  def.origin = *pose;
  return srs_builder_add_joint(mjcf->builder, &def, mjcf->error);
}

static srs_status add_joint(srs_mjcf *mjcf, const srs_mjcf_joint *joint, const char *parent, const char *child,
                            const srs_pose *before, vec3 step)
{
  srs_joint_def def;
  srs_status status = read_values(mjcf, joint, &def);
  if (status != SRS_OK) return status;
  def.parent = parent;
  def.child = child;
  if (joint->kind != SRS_MJCF_FREE) def.origin = origin_of(joint, before, step);
  srs_mjcf_locate(mjcf, joint->item.node);
  status = srs_builder_add_joint(mjcf->builder, &def, mjcf->error);
  if (status != SRS_OK) return status;
  status = set_neutral(mjcf, joint, before);
  if (status == SRS_OK) status = set_velocity(mjcf, joint);
  if (status == SRS_OK) return SRS_OK;
  return srs_mjcf_fail(mjcf, status, joint->item.node, joint->word, "joint '%.80s' cannot start where it is drawn",
                       joint->name);
}

// Neighbours do not collide, unless that is off, or the neighbour stands still as part of the world.
static bool meets_parent(const srs_mjcf *mjcf, const srs_mjcf_body *body)
{
  return mjcf->meets_parents || body->parent < 0 || mjcf->bodies[body->parent].weld < 0;
}

static srs_status add_body(srs_mjcf *mjcf, const srs_mjcf_body *body)
{
  const char *name = srs_mjcf_prefixed(mjcf, body->name), *parent = NULL;
  if (body->parent >= 0) parent = srs_mjcf_prefixed(mjcf, mjcf->bodies[body->parent].name);
  if (name == NULL || (body->parent >= 0 && parent == NULL)) return srs_mjcf_no_memory(mjcf);
  const srs_pose in_world = srs_mjcf_compose(&mjcf->options->placement, &body->pose);
  srs_pose before = parent == NULL ? in_world : body->pose;
  vec3 at = vec3_zero; // where the parent link's frame is, in the body's frame
  srs_status status = add_link(mjcf, body, name);
  for (int i = 0; i < body->n_joints && status == SRS_OK; i++) {
    const srs_mjcf_joint *joint = &mjcf->joints[body->first_joint + i];
    const bool turns = joint->kind == SRS_MJCF_HINGE || joint->kind == SRS_MJCF_BALL;
    const vec3 position = turns ? joint->position : at;
    const bool is_last = i == body->n_joints - 1 && norm3(position) == 0;
    const char *child = name;
    if (!is_last) status = add_carriage(mjcf, body, joint, &child);
    if (status == SRS_OK) status = add_joint(mjcf, joint, parent, child, &before, sub3(position, at));
    srs_builder_set_neighbour(mjcf->builder, child, i < body->n_joints - 1, meets_parent(mjcf, body));
    parent = child;
    before = srs_identity_pose();
    at = position;
  }
  if (status != SRS_OK || (parent != NULL && strcmp(parent, name) == 0)) return status;
  vec3_store(before.position, sub3(vec3_load(before.position), at));
  return fix(mjcf, parent, name, &before);
}

srs_status srs_mjcf_add_bodies(srs_mjcf *mjcf)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < mjcf->n_bodies && status == SRS_OK; i++) status = add_body(mjcf, &mjcf->bodies[i]);
  return status;
}
