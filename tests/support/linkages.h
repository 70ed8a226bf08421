// Closed mechanisms that several tests take apart: the four-bar, Bennett's and Sarrus's linkage.
#pragma once
#include "support/testing.h"

#include <math.h>
#include <stdio.h>

static const double linkages_pi = 3.14159265358979323846;

/// A placement at x y z, turned about x.
static inline srs_pose linkages_pose(double x, double y, double z, double turn)
{
  return (srs_pose){{x, y, z}, {1, 0, 0, 0, cos(turn), -sin(turn), 0, sin(turn), cos(turn)}};
}

/// A link with a mass and round inertia on a revolute joint. parent NULL: the world.
static inline void linkages_add(srs_builder *builder, const char *joint_name, const char *link_name, const char *parent,
                                srs_pose origin, double x, double y, double z)
{
  srs_link_def link = srs_default_link_def();
  link.name = link_name;
  link.mass = 0.5;
  link.com[0] = 0.02, link.com[1] = 0.03, link.com[2] = 0.05;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = 1e-3;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  joint.name = joint_name;
  joint.parent = parent;
  joint.child = link_name;
  joint.origin = origin;
  joint.axis[0] = x, joint.axis[1] = y, joint.axis[2] = z;
  srs_error error;
  if (srs_builder_add_link(builder, &link, &error) != SRS_OK) fail_msg("%s", error.message);
  if (srs_builder_add_joint(builder, &joint, &error) != SRS_OK) fail_msg("%s", error.message);
}

static inline void linkages_close(srs_builder *builder, const srs_closure_def *def)
{
  srs_error error;
  if (srs_builder_add_closure(builder, def, &error) != SRS_OK) fail_msg("%s", error.message);
}

/// A thin rod from the link's origin to `to`, as a capsule of radius 1 cm and 1000 kg/m^3.
static inline srs_link_def linkages_rod(const char *name, const double to[3])
{
  const double r = 0.01, length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
  const double cylinder = 1000 * linkages_pi * r * r * length, caps = 1000 * 4.0 / 3 * linkages_pi * r * r * r;
  srs_link_def link = srs_default_link_def();
  link.name = name;
  link.mass = cylinder + caps;
  const double across = cylinder * (3 * r * r + length * length) / 12 +
                        caps * (0.4 * r * r + 0.25 * length * length + 0.375 * r * length);
  const double along = cylinder * r * r / 2 + caps * 0.4 * r * r;
  const double u[3] = {to[0] / length, to[1] / length, to[2] / length};
  for (int i = 0; i < 3; i++) {
    link.com[i] = to[i] / 2;
    link.inertia[i] = across + (along - across) * u[i] * u[i];
  }
  link.inertia[3] = (along - across) * u[0] * u[1];
  link.inertia[4] = (along - across) * u[0] * u[2];
  link.inertia[5] = (along - across) * u[1] * u[2];
  return link;
}

/// F44. Planar, x-z, joints about y: crank 0.1, coupler 0.35, ground 0.4, and a rocker which, where it is 0.3 long, is
/// closed at q = 0. The closure is named "coupler-rocker"; n_copies of it.
static inline srs_builder *linkages_four_bar_of(srs_closure_kind kind, int n_copies, double rocker_length)
{
  srs_builder *builder = srs_builder_create();
  const double crank[3] = {0, 0, 0.1}, coupler[3] = {0.2987218950531729, 0, 0.1823875802126918};
  const double part = rocker_length / 0.3;
  const double rocker[3] = {part * -0.1012781049468271, 0, part * 0.2823875802126918};
  const struct {
    const char *joint, *link, *parent;
    const double *to;
    double at[3];
  } bars[] = {{"q1", "crank", NULL, crank, {0, 0, 0}},
              {"q2", "coupler", "crank", coupler, {0, 0, 0.1}},
              {"q3", "rocker", NULL, rocker, {0.4, 0, 0}}};
  srs_error error;
  for (int i = 0; i < 3; i++) {
    const srs_link_def link = linkages_rod(bars[i].link, bars[i].to);
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
    joint.name = bars[i].joint;
    joint.parent = bars[i].parent;
    joint.child = bars[i].link;
    joint.axis[0] = 0, joint.axis[1] = 1;
    for (int j = 0; j < 3; j++) joint.origin.position[j] = bars[i].at[j];
    if (srs_builder_add_link(builder, &link, &error) != SRS_OK) fail_msg("%s", error.message);
    if (srs_builder_add_joint(builder, &joint, &error) != SRS_OK) fail_msg("%s", error.message);
  }
  for (int i = 0; i < n_copies; i++) {
    char name[32];
    snprintf(name, sizeof name, i == 0 ? "coupler-rocker" : "coupler-rocker %d", i + 1);
    srs_closure_def closure = srs_default_closure_def(kind);
    closure.name = name;
    closure.frame_a = "coupler";
    closure.frame_b = "rocker";
    closure.axis[0] = 0, closure.axis[1] = 1, closure.axis[2] = 0;
    for (int j = 0; j < 3; j++) {
      closure.pose_a.position[j] = coupler[j];
      closure.pose_b.position[j] = rocker[j];
    }
    linkages_close(builder, &closure);
  }
  return builder;
}

static inline srs_builder *linkages_four_bar(srs_closure_kind kind, int n_copies)
{
  return linkages_four_bar_of(kind, n_copies, 0.3);
}

/// Bennett's: a = 0.2, 0.2 sqrt(3), twist 30 and 60 degrees, in turn; closed by its fourth joint, or, all four in the
/// tree, by a weld. tan(q1 / 2) tan(q2 / 2) = 1 + sqrt(3), q3 = -q1, q4 = -q2 where it is closed.
static inline srs_builder *linkages_bennett(bool is_welded)
{
  srs_builder *builder = srs_builder_create();
  static const char *const joints[4] = {"q1", "q2", "q3", "q4"}, *const links[4] = {"l1", "l2", "l3", "l4"};
  const double length = 0.2 * sqrt(3), twist = linkages_pi / 6;
  const srs_pose odd = linkages_pose(0.2, 0, 0, twist), even = linkages_pose(length, 0, 0, 2 * twist);
  const int n = is_welded ? 4 : 3;
  for (int i = 0; i < n; i++)
    linkages_add(builder, joints[i], links[i], i > 0 ? links[i - 1] : NULL,
                 i == 0       ? srs_identity_pose()
                 : i % 2 == 1 ? odd
                              : even,
                 0, 0, 1);
  srs_closure_def closure = srs_default_closure_def(is_welded ? SRS_CLOSURE_WELD : SRS_CLOSURE_REVOLUTE);
  closure.name = "bennett";
  closure.frame_a = links[n - 1];
  closure.pose_a = is_welded ? even : odd;
  // The fourth joint's frame seen from the world, which is where the fourth link ends: the inverse of `even`.
  if (!is_welded) closure.pose_b = linkages_pose(-length, 0, 0, -2 * twist);
  linkages_close(builder, &closure);
  return builder;
}

static inline void linkages_bennett_q(double q1, double q[4])
{
  q[0] = q1, q[1] = 2 * atan((1 + sqrt(3)) / tan(q1 / 2)), q[2] = -q[0], q[3] = -q[1];
}

/// Sarrus's: two legs of two equal links between ground and plate, one with joints along y, one along x. The plate's
/// frame is at (a, 0, 2 L sin 45) and moves along z alone.
static inline srs_builder *linkages_sarrus(void)
{
  srs_builder *builder = srs_builder_create();
  const double a = 0.1, reach = 0.15 * sqrt(0.5);
  linkages_add(builder, "a1", "lower_a", NULL, linkages_pose(a, 0, 0, 0), 0, 1, 0);
  linkages_add(builder, "a2", "upper_a", "lower_a", linkages_pose(reach, 0, reach, 0), 0, 1, 0);
  linkages_add(builder, "a3", "plate", "upper_a", linkages_pose(-reach, 0, reach, 0), 0, 1, 0);
  linkages_add(builder, "b1", "lower_b", NULL, linkages_pose(0, a, 0, 0), 1, 0, 0);
  linkages_add(builder, "b2", "upper_b", "lower_b", linkages_pose(0, reach, reach, 0), 1, 0, 0);
  srs_closure_def closure = srs_default_closure_def(SRS_CLOSURE_REVOLUTE);
  closure.name = "sarrus";
  closure.frame_a = "upper_b";
  closure.frame_b = "plate";
  closure.pose_a = linkages_pose(0, -reach, reach, 0);
  closure.pose_b = linkages_pose(-a, a, 0, 0);
  closure.axis[0] = 1, closure.axis[2] = 0;
  linkages_close(builder, &closure);
  return builder;
}
