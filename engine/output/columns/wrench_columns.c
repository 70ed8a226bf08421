// Wrench columns of a trajectory: what do joints and closures carry? Torque and force on the child of each joint, about
// the child's origin, and on frame b's link of each closure (a's, where b is on the world), in world axes.

#include "engine/output/columns/column_sources.h"
#include "engine/simulation/sim.h"
#include "topology/model/model.h"

#include <string.h>

typedef struct joint_list {
  int n;
  int *frames; // n: of links of the file that a joint holds
} joint_list;

static bool add_wrench(srs_arena *arena, srs_columns *c, const char *what, const char *name)
{
  static const char *const entries[] = {":tx", ":ty", ":tz", ":fx", ":fy", ":fz"};
  bool is_good = true;
  for (int i = 0; i < 6 && is_good; i++)
    is_good = srs_columns_add(arena, c, what, name, entries[i], srs_force_unit(i < 3));
  if (is_good) srs_columns_axes(c, 6, "world");
  return is_good;
}

// A link of the file that hangs on a free joint is held by nothing.
static bool is_held(const srs_model *model, int part)
{
  const int link = model->frame_link[part];
  return link < 0 || model->kind[link] != SRS_JOINT_FREE ||
         srs_model_find_frame(model, model->links[link].name) != part;
}

srs_status srs_wrench_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  const srs_model *model = srs_sim_model(sim);
  const size_t most = 6 * ((size_t)model->n_parts + (size_t)model->n_closures);
  bool is_good = srs_columns_reserve(arena, c, most, sizeof(joint_list));
  joint_list *joints = c->state;
  if (is_good) {
    joints->frames = srs_arena_take(arena, (size_t)model->n_parts + 1, sizeof *joints->frames);
    is_good = joints->frames != NULL;
  }
  for (int i = 0; i < model->n_parts && is_good; i++) {
    if (!is_held(model, i)) continue;
    joints->frames[joints->n++] = i;
    is_good = add_wrench(arena, c, "wrench:", model->frames[i].name);
  }
  for (int i = 0; i < model->n_closures && is_good; i++)
    is_good = add_wrench(arena, c, "loop:", model->closures[i].name);
  return srs_columns_made(is_good, "wrench columns", error);
}

srs_status srs_wrench_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  const joint_list *joints = c->state;
  memset(c->values, 0, (size_t)c->n * sizeof *c->values);
  if (!srs_sim_has_wrenches(sim)) return SRS_OK;
  for (int i = 0; i < joints->n; i++)
    (void)srs_sim_joint_wrench(sim, joints->frames[i], SRS_AXES_WORLD, c->values + 6 * (size_t)i);
  for (int i = 0; i < srs_model_n_closures(srs_sim_model(sim)); i++)
    (void)srs_sim_loop_wrench(sim, i, NULL, c->values + 6 * ((size_t)joints->n + (size_t)i));
  return SRS_OK;
}
