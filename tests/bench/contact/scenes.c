// The scenes: the chain of the main experiment, ANYmal on its feet, a wall of boxes, a gripper that holds a box.
#include "scenes.h"

#include "mechanism.h"

#include <math.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(contact_scene *scene, int n_trees, int n_shapes)
{
  scene->trees = calloc((size_t)n_trees, sizeof *scene->trees);
  scene->q_first = calloc((size_t)n_trees, sizeof *scene->q_first);
  scene->v_first = calloc((size_t)n_trees, sizeof *scene->v_first);
  scene->shapes = calloc((size_t)n_shapes, sizeof *scene->shapes);
  scene->n_trees = n_trees, scene->n_shapes = n_shapes;
  return scene->trees != NULL && scene->q_first != NULL && scene->v_first != NULL && scene->shapes != NULL;
}

// Once the trees are there: places and rooms for states.
static bool number(contact_scene *scene)
{
  for (int t = 0; t < scene->n_trees; t++) {
    scene->q_first[t] = scene->nq, scene->v_first[t] = scene->nv;
    scene->nq += scene->trees[t].nq, scene->nv += scene->trees[t].nv;
  }
  scene->q = calloc((size_t)scene->nq, sizeof *scene->q);
  scene->v = calloc((size_t)scene->nv, sizeof *scene->v);
  scene->servos = calloc((size_t)scene->nv, sizeof *scene->servos);
  return scene->q != NULL && scene->v != NULL && scene->servos != NULL;
}

static bool make_pendulum(contact_scene *scene)
{
  enum { LINKS = 12 };
  if (!reserve(scene, 1, LINKS) || !bench_chain(LINKS, scene->trees)) return false;
  scene->trees[0].links[0].position[2] = 10.1;
  for (int k = 0; k < LINKS; k++) scene->shapes[k] = (scene_shape){.link = k, .size = {0.25}, .position = {0, 0, -1}};
  scene->n_planes = 2;
  memcpy(scene->planes, (const double[2][4]){{0, 0, 1, 0.1}, {0, -1, 0, -4}}, sizeof scene->planes);
  scene->self_collision = true;
  scene->friction = 0.5, scene->restitution = 0.7;
  scene->steps = 10000, scene->every = 1, scene->settled = -1;
  if (!number(scene)) return false;
  scene->q[0] = -0.7853981633974483, scene->v[0] = 1;
  return true;
}

// Which link a foot is on, where on it, and how high when the robot is at the workspace's q.
static bool foot(const srs_model *model, const srs_workspace *workspace, const char *name, int *link, double in_link[3],
                 double *height)
{
  const int frame = srs_model_find_frame(model, name);
  srs_pose placed;
  if (frame < 0 || srs_frame_placement(workspace, frame, &placed) != SRS_OK) return false;
  *link = srs_model_frame(model, frame)->link;
  memcpy(in_link, srs_model_frame(model, frame)->pose.position, 3 * sizeof *in_link);
  *height = placed.position[2];
  return true;
}

static const double foot_radius = 0.03;

// The legs stand as on the manufacturer's pictures: hips spread by 0, upper legs 0.4, knees 0.8 rad to the middle.
static void pose_legs(contact_scene *scene)
{
  scene->q[2] = 0, scene->q[3] = 1;
  for (int k = 1; k < scene->trees[0].n_links; k++) {
    const bench_link *link = &scene->trees[0].links[k];
    const int part = (k - 1) % 3, at = link->v_index;
    const bool is_fore = strstr(link->name, "F_") != NULL;
    const double angle = part == 0 ? 0 : part == 1 ? 0.4 : -0.8;
    scene->q[link->q_index] = is_fore ? angle : -angle;
    scene->servos[at] = (scene_servo){.kp = 200, .kd = 5, .reference = scene->q[link->q_index]};
  }
}

static bool make_anymal(contact_scene *scene, char why[SCENE_WHY])
{
  static const char *const feet[] = {"LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"};
  const char *data = getenv("SARRUS_DATA"); // NOLINT(concurrency-mt-unsafe): one thread
  char path[1024];
  snprintf(path, sizeof path, "%s/robots/anymal.urdf", data != NULL ? data : BENCH_DATA);
  if (!reserve(scene, 1, 4) || !bench_load(path, "anymal", true, scene->trees, why) || !number(scene)) return false;
  pose_legs(scene);
  srs_load_options options = srs_default_load_options();
  options.base = SRS_BASE_FLOATING;
  srs_model *model = NULL;
  srs_workspace *workspace = NULL;
  srs_error error = {0};
  bool is_good = srs_model_load(path, &options, &model, &error) == SRS_OK &&
                 srs_workspace_create(model, &workspace, &error) == SRS_OK &&
                 srs_forward_kinematics(workspace, scene->q) == SRS_OK;
  double lowest = INFINITY;
  for (int i = 0; i < 4 && is_good; i++) {
    double height = 0;
    scene->shapes[i] = (scene_shape){.size = {foot_radius}};
    is_good = foot(model, workspace, feet[i], &scene->shapes[i].link, scene->shapes[i].position, &height);
    lowest = fmin(lowest, height);
  }
  srs_workspace_destroy(workspace);
  srs_model_destroy(model);
  scene->q[2] = foot_radius - lowest;
  scene->n_planes = 1, scene->planes[0][2] = 1;
  scene->friction = 0.7;
  scene->steps = 4000, scene->every = 1, scene->settled = 2000;
  return is_good;
}

static bool free_box(bench_model *tree, int number, double mass, const double size[3])
{
  *tree = (bench_model){.n_links = 1, .nq = 7, .nv = 6};
  tree->links = calloc(1, sizeof *tree->links);
  if (tree->links == NULL) return false;
  bench_link *link = tree->links;
  *link = (bench_link){.parent = -1,
                       .joint = BENCH_FREE,
                       .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                       .mass = mass,
                       .principal = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int i = 0; i < 3; i++) {
    const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
    link->moments[i] = link->inertia[i] = mass * (a * a + b * b) / 12;
  }
  snprintf(link->name, sizeof link->name, "box%d", number);
  return true;
}

// Bricks of 0.2 x 0.1 x 0.1 m, every second layer a quarter of a brick further, 1 mm apart sideways: all rest.
static bool make_wall(contact_scene *scene)
{
  enum { SIDE = 10 };
  static const double size[3] = {0.2, 0.1, 0.1};
  if (!reserve(scene, SIDE * SIDE, SIDE * SIDE)) return false;
  for (int t = 0; t < SIDE * SIDE; t++) {
    if (!free_box(&scene->trees[t], t, 2, size)) return false;
    scene->shapes[t] = (scene_shape){.tree = t, .is_box = true, .size = {size[0], size[1], size[2]}};
  }
  if (!number(scene)) return false;
  for (int t = 0; t < SIDE * SIDE; t++) {
    const int layer = t / SIDE;
    double *q = scene->q + scene->q_first[t];
    q[0] = (t % SIDE + 0.25 * (layer % 2)) * (size[0] + 0.001), q[2] = (layer + 0.5) * size[2], q[3] = 1;
  }
  scene->n_planes = 1, scene->planes[0][2] = 1;
  scene->friction = 0.5;
  scene->steps = 200, scene->every = 1, scene->settled = 100;
  return true;
}

// Two fingers on slides hold a box of 0.5 kg in the air: one at its place, the other pushing with 10 N.
static bool make_gripper(contact_scene *scene)
{
  static const double finger[3] = {0.02, 0.04, 0.1}, box[3] = {0.06, 0.06, 0.06};
  if (!reserve(scene, 2, 3)) return false;
  bench_model *fingers = &scene->trees[0];
  *fingers = (bench_model){.n_links = 2, .nq = 2, .nv = 2, .links = calloc(2, sizeof *fingers->links)};
  if (fingers->links == NULL || !free_box(&scene->trees[1], 0, 0.5, box) || !number(scene)) return false;
  for (int k = 0; k < 2; k++) {
    bench_link *link = &fingers->links[k];
    const double side = k == 0 ? 1 : -1;
    *link = (bench_link){.parent = -1,
                         .joint = BENCH_PRISMATIC,
                         .q_index = k,
                         .v_index = k,
                         .mass = 0.2,
                         .position = {side * 0.04, 0, 1},
                         .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                         .axis = {1, 0, 0},
                         .principal = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < 3; i++) link->moments[i] = link->inertia[i] = 1e-4;
    snprintf(link->name, sizeof link->name, "finger%d", k + 1);
    scene->shapes[k] = (scene_shape){.link = k, .is_box = true, .size = {finger[0], finger[1], finger[2]}};
  }
  scene->shapes[2] = (scene_shape){.tree = 1, .is_box = true, .size = {box[0], box[1], box[2]}};
  scene->q[4] = 1, scene->q[5] = 1;
  scene->servos[0] = (scene_servo){.kp = 5000, .kd = 50};
  scene->servos[1] = (scene_servo){.force = 10, .kd = 5};
  scene->friction = 0.7;
  scene->steps = 4000, scene->every = 1, scene->settled = 1000, scene->rests = 1;
  return true;
}

bool scene_make(int which, contact_scene *scene, char why[SCENE_WHY])
{
  static const char *const names[] = {"pendulum of 12", "ANYmal standing", "wall of 100 boxes", "gripper holding"};
  if (which >= (int)(sizeof names / sizeof names[0])) return false;
  *scene = (contact_scene){.name = names[which], .dt = 0.001};
  snprintf(why, SCENE_WHY, "no memory left");
  const bool is_made = which == 0   ? make_pendulum(scene)
                       : which == 1 ? make_anymal(scene, why)
                       : which == 2 ? make_wall(scene)
                                    : make_gripper(scene);
  if (!is_made) scene->steps = 0;
  return true;
}

void scene_free(contact_scene *scene)
{
  for (int t = 0; t < scene->n_trees && scene->trees != NULL; t++) bench_model_free(&scene->trees[t]);
  free(scene->trees), free(scene->q_first), free(scene->v_first), free(scene->shapes);
  free(scene->q), free(scene->v), free(scene->servos);
  *scene = (contact_scene){0};
}

void scene_torque(const contact_scene *scene, const double *q, const double *v, double *tau)
{
  for (int t = 0; t < scene->n_trees; t++)
    for (int k = 0; k < scene->trees[t].n_links; k++) {
      const bench_link *link = &scene->trees[t].links[k];
      if (link->joint == BENCH_FREE) continue;
      const int at = scene->v_first[t] + link->v_index;
      const scene_servo *s = &scene->servos[at];
      tau[at] = s->force + s->kp * (s->reference - q[scene->q_first[t] + link->q_index]) - s->kd * v[at];
    }
}
