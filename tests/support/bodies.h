// What tests of collision share: models of loose bodies, and shapes by a few words.
#pragma once
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double bodies_cube[24] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                       -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};

static inline srs_shape_def bodies_shape(srs_shape_kind kind, const char *name, const char *link, double x, double y,
                                         double z)
{
  srs_shape_def def = srs_default_shape_def(kind);
  def.name = name;
  def.link = link;
  def.size[0] = x, def.size[1] = y, def.size[2] = z;
  if (kind == SRS_SHAPE_HULL) def.points = bodies_cube, def.n_points = 8;
  return def;
}

static inline void bodies_add_shape(srs_builder *builder, const srs_shape_def *def)
{
  srs_error error;
  if (srs_builder_add_shape(builder, def, &error) != SRS_OK) fail_msg("%s", error.message);
}

/// A link of 1 kg on a joint of its own name. parent NULL: the world.
static inline void bodies_add_link(srs_builder *builder, const char *name, srs_joint_kind kind, const char *parent)
{
  srs_link_def link = srs_default_link_def();
  link.name = name;
  link.mass = 1;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
  srs_joint_def joint = srs_default_joint_def(kind);
  joint.name = name;
  joint.parent = parent;
  joint.child = name;
  srs_error error;
  if (srs_builder_add_link(builder, &link, &error) != SRS_OK) fail_msg("%s", error.message);
  if (srs_builder_add_joint(builder, &joint, &error) != SRS_OK) fail_msg("%s", error.message);
}

static inline srs_model *bodies_build(srs_builder *builder)
{
  srs_model *model = NULL;
  srs_error error;
  if (srs_builder_build(builder, NULL, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_builder_destroy(builder);
  return model;
}

static inline srs_collider *bodies_collider(const srs_model *model, const srs_collider_options *options)
{
  srs_collider *collider = NULL;
  srs_error error;
  if (srs_collider_create(model, options, &collider, &error) != SRS_OK) fail_msg("%s", error.message);
  return collider;
}

static inline srs_pose bodies_at(double x, double y, double z)
{
  srs_pose pose = srs_identity_pose();
  pose.position[0] = x, pose.position[1] = y, pose.position[2] = z;
  return pose;
}

static inline srs_pose bodies_random_pose(testing_random *random, double reach)
{
  srs_pose pose;
  double quaternion[4];
  for (int c = 0; c < 3; c++) pose.position[c] = testing_uniform(random, -reach, reach);
  for (int c = 0; c < 4; c++) quaternion[c] = testing_uniform(random, -1, 1);
  srs_rotation_from_quaternion(quaternion, pose.rotation);
  return pose;
}

/// All contacts, in memory that the caller frees.
static inline srs_contact_point *bodies_contacts(srs_collider *collider, const srs_pose *links, double margin, int *n)
{
  srs_error error;
  srs_contact_point none;
  srs_status status = srs_collider_contacts(collider, links, margin, &none, 0, n, &error);
  assert_true(status == (*n > 0 ? SRS_ERROR_CAPACITY : SRS_OK));
  srs_contact_point *contacts = calloc((size_t)*n + 1, sizeof *contacts);
  assert_non_null(contacts);
  const int capacity = *n;
  status = srs_collider_contacts(collider, links, margin, contacts, capacity, n, &error);
  if (status != SRS_OK) fail_msg("%s", error.message);
  return contacts;
}
