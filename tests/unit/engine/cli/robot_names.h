// The robots in URDF files that copies are made of.
#pragma once

static const char *const robots[] = {"anymal",
                                     "chain12",
                                     "double_pendulum",
                                     "panda",
                                     "ur5",
                                     "more/a1",
                                     "more/baxter",
                                     "more/bolt",
                                     "more/borinot_flying_arm_2",
                                     "more/double_pendulum_continuous",
                                     "more/hextilt_flying_arm_5",
                                     "more/hyq_no_sensors",
                                     "more/iris_simple",
                                     "more/kinova",
                                     "more/romeo_small",
                                     "more/tiago_no_hand",
                                     "more/ur10_joint_limited_robot"};

enum { ROBOTS = sizeof robots / sizeof *robots };
