// Free bodies of one shape each, for tests of heaps and walls.
#pragma once
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

/// Adds the body "b<number>" on the joint "j<number>", with the moments of a box of this size.
static inline void add_free_body(srs_builder *builder, int number, double mass, srs_shape_kind kind,
                                 const double size[3])
{
  srs_error error;
  char name[16], joint_name[16];
  snprintf(name, sizeof name, "b%d", number);
  snprintf(joint_name, sizeof joint_name, "j%d", number);
  srs_link_def link = srs_default_link_def();
  link.name = name, link.mass = mass;
  for (int i = 0; i < 3; i++) {
    const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
    link.inertia[i] = mass * (a * a + b * b) / 12;
  }
  assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
  joint.name = joint_name, joint.child = name;
  assert_int_equal(srs_builder_add_joint(builder, &joint, &error), SRS_OK);
  srs_shape_def shape = srs_default_shape_def(kind);
  shape.link = name;
  memcpy(shape.size, size, sizeof shape.size);
  assert_int_equal(srs_builder_add_shape(builder, &shape, &error), SRS_OK);
  srs_builder_end_robot(builder, SRS_SELF_COLLISION_NONE);
}
