// Pose and twist columns of a trajectory: where is each frame of the model in the world, and how does it move? x y z of
// its origin, and its unit quaternion w x y z: of the two the one that is nearer to that of the row before; its angular
// velocity, and the velocity of its origin.
#include "engine/output/columns/column_sources.h"

#include <string.h>

enum { PER_FRAME = 7, PER_TWIST = 6 };

srs_status srs_pose_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  static const char *const parts[PER_FRAME] = {":x", ":y", ":z", ":qw", ":qx", ":qy", ":qz"};
  const srs_model *model = srs_sim_model(sim);
  bool is_good = srs_columns_reserve(arena, c, PER_FRAME * (size_t)srs_model_n_frames(model), 0);
  for (int i = 0; i < srs_model_n_frames(model) && is_good; i++)
    for (int k = 0; k < PER_FRAME && is_good; k++)
      is_good = srs_columns_add(arena, c, "pose:", srs_model_frame(model, i)->name, parts[k], k < 3 ? "m" : "1");
  if (is_good) srs_columns_axes(c, c->n, "world");
  return srs_columns_made(is_good, "poses", error);
}

srs_status srs_pose_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  const srs_workspace *workspace = srs_sim_workspace(sim);
  for (int i = 0; i < c->n / PER_FRAME; i++) {
    double *values = c->values + (size_t)i * PER_FRAME, quaternion[4], product = 0;
    srs_pose pose;
    const srs_status status = srs_frame_placement(workspace, i, &pose);
    if (status != SRS_OK) return status;
    srs_quaternion_from_rotation(pose.rotation, quaternion);
    for (int k = 0; k < 4; k++) product += quaternion[k] * values[3 + k];
    memcpy(values, pose.position, sizeof pose.position);
    for (int k = 0; k < 4; k++) values[3 + k] = product < 0 ? -quaternion[k] : quaternion[k];
  }
  return SRS_OK;
}

srs_status srs_twist_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  static const char *const parts[PER_TWIST] = {":wx", ":wy", ":wz", ":vx", ":vy", ":vz"};
  const srs_model *model = srs_sim_model(sim);
  bool is_good = srs_columns_reserve(arena, c, PER_TWIST * (size_t)srs_model_n_frames(model), 0);
  for (int i = 0; i < srs_model_n_frames(model) && is_good; i++)
    for (int k = 0; k < PER_TWIST && is_good; k++)
      is_good = srs_columns_add(arena, c, "twist:", srs_model_frame(model, i)->name, parts[k], k < 3 ? "rad/s" : "m/s");
  if (is_good) srs_columns_axes(c, c->n, "world");
  return srs_columns_made(is_good, "twists", error);
}

srs_status srs_twist_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  const srs_workspace *workspace = srs_sim_workspace(sim);
  srs_status status = SRS_OK;
  for (int i = 0; i < c->n / PER_TWIST && status == SRS_OK; i++)
    status = srs_frame_velocity(workspace, i, SRS_AXES_WORLD, c->values + (size_t)i * PER_TWIST);
  return status;
}
