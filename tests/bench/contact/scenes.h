// Which scenes with contacts are measured, and what is asked of an engine?
//
// Trees of links with spheres and boxes on them, among planes. Each engine builds the same, steps it with its default
// options, and stores the states in our conventions (peers/peers.h), so that one judge can read them all: how deep
// shapes overlap, how far what should rest creeps, by how much energy rises. Torques are tau = force + kp (reference -
// q) - kd v, at the start of each step, computed by scene_torque for every engine.
#pragma once
#include "peers/peers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scene_shape {
  int tree, link;
  bool is_box;
  double size[3]; // sphere: radius; box: full lengths, m
  double position[3];
} scene_shape;

typedef struct scene_servo {
  double force, kp, kd, reference; // N or N m, of a coordinate with q of its own
} scene_servo;

enum { SCENE_PLANES = 2, SCENE_WHY = 512 };

typedef struct contact_scene {
  const char *name;
  int n_trees, n_shapes, n_planes, nq, nv;
  bench_model *trees; // n_trees; q and v of tree t begin at q_first[t], v_first[t]
  int *q_first, *v_first;
  scene_shape *shapes;            // n_shapes
  double planes[SCENE_PLANES][4]; // outward normal and offset: the solid is normal . x <= offset
  double *q, *v;                  // nq, nv: the start
  scene_servo *servos;            // nv
  bool self_collision;            // shapes of one tree meet, but for those of neighbouring links
  double friction, restitution, dt;
  int steps, every; // a state is stored after each `every` steps
  int settled;      // the first stored state from which on things should rest; -1: none should
  int rests;        // the first tree that should rest
} contact_scene;

/// The scenes by number; false when there are no more, or with a reason when one cannot be had (its steps are 0 then).
bool scene_make(int which, contact_scene *scene, char why[SCENE_WHY]);
void scene_free(contact_scene *scene);

static inline int scene_states(const contact_scene *scene) { return scene->steps / scene->every; }

/// @param tau  nv, out; coordinates of free joints get none
void scene_torque(const contact_scene *scene, const double *q, const double *v, double *tau);

/// Takes all steps.
/// @param q, v  out: scene_states x nq, x nv
/// @param cpu   out: processor time of the steps and torques, s
typedef bool scene_run(const contact_scene *scene, double *q, double *v, double *cpu, char why[SCENE_WHY]);

scene_run scene_sarrus, scene_mujoco, scene_mujoco_stiff, scene_bullet;

#ifdef __cplusplus
}
#endif
