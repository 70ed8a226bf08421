// What do joints and closures carry? Columns of a trajectory: torque and force on the child of each joint, about the
// child's origin, and on frame b's link of each closure (a's, where b is on the world), in world axes.

#include "engine/output/wrench_columns.h"
#include "engine/step/simulation.h"
#include "topology/base/errors.h"
#include "topology/base/text.h"
#include "topology/model/model.h"

static bool add_columns(srs_arena *arena, srs_wrench_columns *c, const char *what, const char *name)
{
  static const char *const entries[] = {":tx", ":ty", ":tz", ":fx", ":fy", ":fz"};
  for (int i = 0; i < 6; i++) {
    c->names[c->n_columns] = srs_text_join(arena, what, name, entries[i]);
    c->units[c->n_columns] = i < 3 ? "N m" : "N";
    if (c->names[c->n_columns++] == NULL) return false;
  }
  return true;
}

// A link of the file that hangs on a free joint is held by nothing.
static bool is_held(const srs_model *model, int part)
{
  const int link = model->frame_link[part];
  return link < 0 || model->kind[link] != SRS_JOINT_FREE ||
         srs_model_find_frame(model, model->links[link].name) != part;
}

srs_status srs_wrench_columns_make(srs_arena *arena, const srs_model *model, srs_wrench_columns *c, srs_error *error)
{
  const size_t most = 6 * ((size_t)model->n_parts + (size_t)model->n_closures) + 1;
  *c = (srs_wrench_columns){0};
  c->frames = srs_arena_take(arena, (size_t)model->n_parts + 1, sizeof *c->frames);
  c->names = srs_arena_take(arena, most, sizeof *c->names);
  c->units = srs_arena_take(arena, most, sizeof *c->units);
  c->values = srs_arena_take(arena, most, sizeof *c->values);
  bool is_good = c->frames != NULL && c->names != NULL && c->units != NULL && c->values != NULL;
  for (int i = 0; i < model->n_parts && is_good; i++) {
    if (!is_held(model, i)) continue;
    c->frames[c->n_joints++] = i;
    is_good = add_columns(arena, c, "wrench:", model->frames[i].name);
  }
  for (int i = 0; i < model->n_closures && is_good; i++)
    is_good = add_columns(arena, c, "loop:", model->closures[i].name);
  if (is_good) return SRS_OK;
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for the wrench columns");
}

void srs_wrench_columns_fill(srs_wrench_columns *c, srs_sim *sim)
{
  for (int i = 0; i < c->n_columns; i++) c->values[i] = 0;
  if (!sim->last.exists && sim->integrator->traits.keeps_wrenches) return; // no step led here
  for (int i = 0; i < c->n_joints; i++)
    (void)srs_sim_joint_wrench(sim, c->frames[i], SRS_AXES_WORLD, c->values + 6 * (size_t)i);
  for (int i = 0; i < srs_model_n_closures(srs_sim_model(sim)); i++)
    (void)srs_sim_loop_wrench(sim, i, NULL, c->values + 6 * ((size_t)c->n_joints + (size_t)i));
}
