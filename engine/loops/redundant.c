// State of a mechanism in redundant (maximal) coordinates. Each link that was cut loose has a free joint, which takes
// the link's placement and velocity from the minimal form:
//
//   q = (R^T (p - o), quaternion of R^T R_link)   v = (R^T v_link, w_link in the link's axes)
//
// with o, R the free joint's origin and axes.

#include "engine/dynamics/workspace.h"
#include "topology/builder/redundant_coordinates.h"

#include <stdlib.h>
#include <string.h>

// The free joint's coordinates for a link's pose and velocity.
static void free_coordinates(const srs_joint *joint, const srs_pose *pose, const double world[6], const double own[6],
                             double q[7], double v[6])
{
  const mat3 axes = mat3_from_rows(joint->origin.rotation);
  const vec3 arm = sub3(vec3_load(pose->position), vec3_load(joint->origin.position));
  double rotation[9];
  mat3_to_rows(rotation, mul3(transpose3(axes), mat3_from_rows(pose->rotation)));
  vec3_store(q, rotate_back(axes, arm));
  srs_quaternion_from_rotation(rotation, q + 3);
  vec3_store(v, rotate_back(axes, vec3_load(world + 3)));
  memcpy(v + 3, own, 3 * sizeof *v);
}

static srs_status map_state(srs_workspace *w, const srs_model *redundant, const double *q, const double *v,
                            double *q_out, double *v_out, srs_error *error)
{
  srs_status status = srs_forward_velocity(w, q, v);
  if (status != SRS_OK && error != NULL) *error = w->error;
  for (int k = 0; k < redundant->n_links && status == SRS_OK; k++) {
    if (redundant->kind[k] != SRS_JOINT_FREE) continue;
    const int frame = srs_model_find_frame(w->model, redundant->links[k].name);
    if (frame < 0)
      return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, redundant->links[k].name,
                      "the minimal model has no link '%s'", redundant->links[k].name);
    srs_pose pose;
    double world[6], own[6];
    srs_frame_placement(w, frame, &pose);
    srs_frame_velocity(w, frame, SRS_AXES_WORLD, world);
    srs_frame_velocity(w, frame, SRS_AXES_LOCAL, own);
    free_coordinates(&redundant->joints[k], &pose, world, own, q_out + redundant->q_index[k],
                     v_out + redundant->v_index[k]);
  }
  return status;
}

srs_status srs_redundant_state(const srs_model *minimal, const srs_model *redundant, const double *q, const double *v,
                               double *q_out, double *v_out, srs_error *error)
{
  if (minimal == NULL || redundant == NULL || q == NULL || v == NULL || q_out == NULL || v_out == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "srs_redundant_state: an argument is NULL");
  srs_workspace *w = NULL;
  srs_status status = srs_workspace_create(minimal, &w, error);
  if (status == SRS_OK) status = map_state(w, redundant, q, v, q_out, v_out, error);
  srs_workspace_destroy(w);
  return status;
}

// Places the free joints in the neutral configuration as the tree places their links in its own.
static srs_status place_neutral(const srs_builder *builder, const srs_build_options *options, srs_builder *cut,
                                const srs_model *first, srs_error *error)
{
  srs_model *minimal = NULL;
  srs_status status = srs_builder_build(builder, options, &minimal, error);
  double *q = calloc((size_t)first->nq + 1, sizeof *q), *v = calloc((size_t)first->nv + 1, sizeof *v);
  double *rest = minimal != NULL ? calloc((size_t)minimal->nv + 1, sizeof *rest) : NULL;
  if (status == SRS_OK && (q == NULL || v == NULL || rest == NULL))
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while building");
  if (status == SRS_OK) status = srs_redundant_state(minimal, first, minimal->neutral, rest, q, v, error);
  for (int k = 0; k < first->n_links && status == SRS_OK; k++)
    if (first->kind[k] == SRS_JOINT_FREE)
      status = srs_builder_set_neutral(cut, first->joints[k].name, q + first->q_index[k], 7);
  free(q);
  free(v);
  free(rest);
  srs_model_destroy(minimal);
  return status;
}

srs_status srs_build_redundant(const srs_builder *builder, const srs_build_options *options, srs_model **model,
                               srs_error *error)
{
  if (model != NULL) *model = NULL;
  if (builder == NULL || model == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "srs_build_redundant: an argument is NULL");
  srs_builder *cut = srs_builder_create();
  if (cut == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while building");
  srs_model *first = NULL;
  srs_status status = srs_builder_cut_joints(builder, cut, error);
  if (status == SRS_OK) status = srs_builder_build(cut, options, &first, error);
  if (status == SRS_OK) status = place_neutral(builder, options, cut, first, error);
  if (status == SRS_OK) status = srs_builder_build(cut, options, model, error);
  srs_model_destroy(first);
  srs_builder_destroy(cut);
  return status;
}
