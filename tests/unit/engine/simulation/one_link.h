// Mechanisms of one link, and sims of them.
#pragma once
#include "support/sims.h"

#include <string.h>

// One link `body` on one joint `h`, with a frame `tip` 1 m along x.
static inline srs_model *one_link(srs_joint_kind kind, double mass, const double com[3], const double moments[3])
{
  srs_builder *builder = srs_builder_create();
  srs_link_def link = srs_default_link_def();
  link.name = "body";
  link.mass = mass;
  memcpy(link.com, com, sizeof link.com);
  memcpy(link.inertia, moments, 3 * sizeof *moments);
  srs_joint_def joint = srs_default_joint_def(kind);
  joint.name = "h";
  joint.child = "body";
  srs_pose tip = srs_identity_pose();
  tip.position[0] = 1;
  srs_model *model = NULL;
  assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_frame(builder, "tip", "body", &tip, NULL), SRS_OK);
  assert_int_equal(srs_builder_build(builder, NULL, &model, NULL), SRS_OK);
  srs_builder_destroy(builder);
  return model;
}

static const double at_origin[3] = {0, 0, 0}, round_moments[3] = {0.1, 0.1, 0.1};

// 2 kg on a rail along x.
static inline srs_model *cart(void) { return one_link(SRS_JOINT_PRISMATIC, 2, at_origin, round_moments); }

// A point of 1 kg 1 m below an axis along x: gravity's torque is -9.81 sin q.
static inline srs_model *pendulum(void)
{
  return one_link(SRS_JOINT_REVOLUTE, 1, (const double[3]){0, 0, -1}, (const double[3]){0, 0, 0});
}

static inline srs_sim *new_sim(const srs_model *model, srs_integrator integrator, double dt, double gravity)
{
  srs_sim_options options = srs_default_sim_options();
  options.integrator = integrator;
  options.dt = dt;
  options.gravity[2] = gravity;
  return sim_of_model(model, &options);
}

static inline int frame(const srs_sim *sim, const char *name) { return srs_model_find_frame(srs_sim_model(sim), name); }
