// What does the main experiment ask of an engine? The same chain between a floor and a wall, stepped, and its angles.
//
// 12 links of 1 m with a sphere of 1 kg and radius 0.25 m at each end hang from (0, 0, 10.1), joints about x; the floor
// is z = 0.1, the wall y = 4. They start straight, at -pi/4 and 1 rad/s, and move for 20 s in steps of 1 ms; friction
// 0.5, restitution 0.7 where the engine has it. Spheres of neighbouring links never touch, all others may.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PENDULUM_LINKS = 12, PENDULUM_STEPS = 20000, PENDULUM_WHY = 512 };
#define PENDULUM_STEP        0.001
#define PENDULUM_RADIUS      0.25
#define PENDULUM_HEIGHT      10.1
#define PENDULUM_FLOOR       0.1
#define PENDULUM_WALL        4.0
#define PENDULUM_START       (-0.7853981633974483)
#define PENDULUM_INERTIA     0.025
#define PENDULUM_FRICTION    0.5
#define PENDULUM_RESTITUTION 0.7

/// Builds the chain, takes all steps and stores the joints' angles after each.
/// @param q    PENDULUM_STEPS x PENDULUM_LINKS, out, rad
/// @param cpu  out: processor time of the steps alone, s
/// @param why  out: the reason of a failure
typedef bool pendulum_run(double *q, double *cpu, char why[PENDULUM_WHY]);

pendulum_run pendulum_sarrus;
pendulum_run pendulum_mujoco, pendulum_mujoco_stiff; // stiff: solref 0.002
pendulum_run pendulum_bullet, pendulum_bullet_dantzig;
pendulum_run pendulum_dart;

#ifdef __cplusplus
}
#endif
