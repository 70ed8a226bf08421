// Sarrus in the scenes with contacts.
#include "ours.h"

#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct name {
  char text[80];
} name;

static name name_of(const contact_scene *scene, int tree, int link)
{
  name n;
  snprintf(n.text, sizeof n.text, "%d.%.64s", tree, scene->trees[tree].links[link].name);
  return n;
}

static srs_status add_link(srs_builder *builder, const contact_scene *scene, int tree, int k, srs_error *error)
{
  static const srs_joint_kind kinds[] = {
      [BENCH_REVOLUTE] = SRS_JOINT_REVOLUTE, [BENCH_PRISMATIC] = SRS_JOINT_PRISMATIC, [BENCH_FREE] = SRS_JOINT_FREE};
  const bench_link *link = &scene->trees[tree].links[k];
  const name own = name_of(scene, tree, k);
  srs_link_def body = srs_default_link_def();
  body.name = own.text;
  body.mass = link->mass;
  memcpy(body.com, link->com, sizeof body.com);
  memcpy(body.inertia, link->inertia, sizeof body.inertia);
  const srs_status status = srs_builder_add_link(builder, &body, error);
  if (status != SRS_OK) return status;
  char joint_name[96];
  snprintf(joint_name, sizeof joint_name, "joint %s", own.text);
  const name parent = link->parent < 0 ? (name){""} : name_of(scene, tree, link->parent);
  srs_joint_def joint = srs_default_joint_def(kinds[link->joint]);
  joint.name = joint_name;
  joint.parent = link->parent < 0 ? NULL : parent.text;
  joint.child = own.text;
  memcpy(joint.origin.position, link->position, sizeof link->position);
  memcpy(joint.origin.rotation, link->rotation, sizeof link->rotation);
  memcpy(joint.axis, link->axis, sizeof link->axis);
  return srs_builder_add_joint(builder, &joint, error);
}

static srs_status add_shape(srs_builder *builder, const contact_scene *scene, int i, srs_error *error)
{
  const scene_shape *shape = &scene->shapes[i];
  const name link = name_of(scene, shape->tree, shape->link);
  srs_shape_def def = srs_default_shape_def(shape->is_box ? SRS_SHAPE_BOX : SRS_SHAPE_SPHERE);
  def.link = link.text;
  memcpy(def.size, shape->size, sizeof def.size);
  memcpy(def.pose.position, shape->position, sizeof def.pose.position);
  return srs_builder_add_shape(builder, &def, error);
}

// A half-space whose frame has z along the normal.
static srs_status add_plane(srs_builder *builder, const double plane[4], srs_error *error)
{
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_HALF_SPACE);
  const double *n = plane, help[3] = {fabs(n[0]) < 0.5, fabs(n[0]) >= 0.5, 0};
  double x[3] = {help[1] * n[2] - help[2] * n[1], help[2] * n[0] - help[0] * n[2], help[0] * n[1] - help[1] * n[0]};
  const double size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  for (int i = 0; i < 3; i++) x[i] /= size;
  const double y[3] = {n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2], n[0] * x[1] - n[1] * x[0]};
  for (int i = 0; i < 3; i++) {
    def.pose.position[i] = plane[3] * n[i];
    double *row = def.pose.rotation + (ptrdiff_t)3 * i;
    row[0] = x[i], row[1] = y[i], row[2] = n[i];
  }
  return srs_builder_add_shape(builder, &def, error);
}

static srs_model *build(const contact_scene *scene, srs_error *error)
{
  srs_builder *builder = srs_builder_create();
  srs_status status = builder != NULL ? SRS_OK : SRS_ERROR_MEMORY;
  for (int t = 0; t < scene->n_trees && status == SRS_OK; t++) {
    for (int k = 0; k < scene->trees[t].n_links && status == SRS_OK; k++)
      status = add_link(builder, scene, t, k, error);
    for (int i = 0; i < scene->n_shapes && status == SRS_OK; i++)
      if (scene->shapes[i].tree == t) status = add_shape(builder, scene, i, error);
    srs_builder_end_robot(builder, scene->self_collision ? SRS_SELF_COLLISION_ALL : SRS_SELF_COLLISION_NONE);
  }
  for (int i = 0; i < scene->n_planes && status == SRS_OK; i++) status = add_plane(builder, scene->planes[i], error);
  srs_model *model = NULL;
  if (status == SRS_OK) (void)srs_builder_build(builder, NULL, &model, error);
  srs_builder_destroy(builder);
  return model;
}

srs_sim *scene_sim(const contact_scene *scene, srs_model **model, char why[SCENE_WHY])
{
  srs_error error = {0};
  srs_sim_options options = srs_default_sim_options();
  options.dt = scene->dt;
  options.contact.friction = scene->friction, options.contact.restitution = scene->restitution;
  srs_sim *sim = NULL;
  *model = build(scene, &error);
  if (*model != NULL && srs_sim_create(*model, &options, &sim, &error) == SRS_OK &&
      srs_sim_set_state(sim, 0, scene->q, scene->v, &error) == SRS_OK)
    return sim;
  snprintf(why, SCENE_WHY, "%.400s", error.message);
  srs_sim_destroy(sim);
  srs_model_destroy(*model);
  *model = NULL;
  return NULL;
}

bool scene_sarrus(const contact_scene *scene, double *q, double *v, double *cpu, char why[SCENE_WHY])
{
  const size_t nq = (size_t)scene->nq, nv = (size_t)scene->nv;
  srs_error error = {0};
  srs_model *model;
  srs_sim *sim = scene_sim(scene, &model, why);
  double *tau = calloc(nv, sizeof *tau);
  bool is_good = sim != NULL && tau != NULL;
  const double begin = bench_cpu_time();
  for (int i = 1; i <= scene->steps && is_good; i++) {
    scene_torque(scene, srs_sim_q(sim), srs_sim_v(sim), tau);
    is_good = srs_sim_set_torque(sim, tau, &error) == SRS_OK && srs_sim_step(sim, 1, &error) == SRS_OK;
    if (i % scene->every != 0) continue;
    memcpy(q, srs_sim_q(sim), nq * sizeof *q), q += nq;
    memcpy(v, srs_sim_v(sim), nv * sizeof *v), v += nv;
  }
  *cpu = bench_cpu_time() - begin;
  if (error.message[0] != '\0') snprintf(why, SCENE_WHY, "%.400s", error.message);
  free(tau);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  return is_good;
}
