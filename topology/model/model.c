// The getters of a model: counts, parts by index, indices by name, arrays over coordinates.
#include "topology/model/model.h"
#include "topology/base/arena.h"
#include "topology/model/joint_kind.h"

#include <string.h>

void srs_model_destroy(srs_model *model)
{
  if (model != NULL) srs_arena_release(model->memory); // the model lies in it too
}

// ---------------------------------------------------------------------------------------------------------------------
// Counts and parts
// ---------------------------------------------------------------------------------------------------------------------

int srs_model_n_links(const srs_model *model) { return model->n_links; }
int srs_model_n_frames(const srs_model *model) { return model->n_frames; }
int srs_model_n_shapes(const srs_model *model) { return model->n_shapes; }
int srs_model_nq(const srs_model *model) { return model->nq; }
int srs_model_nv(const srs_model *model) { return model->nv; }
double srs_model_mass(const srs_model *model) { return model->mass; }
int srs_model_n_warnings(const srs_model *model) { return model->n_warnings; }

static bool is_within(int index, int n) { return index >= 0 && index < n; }

const srs_link *srs_model_link(const srs_model *model, int link)
{
  return is_within(link, model->n_links) ? &model->links[link] : NULL;
}

const srs_joint *srs_model_joint(const srs_model *model, int link)
{
  return is_within(link, model->n_links) ? &model->joints[link] : NULL;
}

const srs_frame *srs_model_frame(const srs_model *model, int frame)
{
  return is_within(frame, model->n_frames) ? &model->frames[frame] : NULL;
}

const srs_shape *srs_model_shape(const srs_model *model, int shape)
{
  return is_within(shape, model->n_shapes) ? &model->shapes[shape] : NULL;
}

int srs_model_n_closures(const srs_model *model) { return model->n_closures; }
int srs_model_n_couplings(const srs_model *model) { return model->n_couplings; }
int srs_model_n_loops(const srs_model *model) { return model->n_closures + model->n_couplings; }
int srs_model_n_loop_rows(const srs_model *model) { return model->n_loop_rows; }

const srs_closure *srs_model_closure(const srs_model *model, int closure)
{
  return is_within(closure, model->n_closures) ? &model->closures[closure] : NULL;
}

const srs_coupling *srs_model_coupling(const srs_model *model, int coupling)
{
  return is_within(coupling, model->n_couplings) ? &model->couplings[coupling] : NULL;
}

int srs_model_loop_rows(const srs_model *model, int loop)
{
  if (is_within(loop, model->n_closures)) return model->closures[loop].n_rows;
  return is_within(loop, model->n_closures + model->n_couplings) ? 1 : 0;
}

const char *srs_model_loop_name(const srs_model *model, int loop)
{
  if (is_within(loop, model->n_closures)) return model->closures[loop].name;
  return is_within(loop, model->n_closures + model->n_couplings) ? model->couplings[loop - model->n_closures].name
                                                                 : NULL;
}

int srs_model_n_excluded(const srs_model *model) { return model->n_excluded; }

bool srs_model_excluded(const srs_model *model, int index, int *frame_a, int *frame_b)
{
  if (!is_within(index, model->n_excluded)) return false;
  *frame_a = model->excluded[2 * (size_t)index];
  *frame_b = model->excluded[2 * (size_t)index + 1];
  return true;
}

const char *srs_model_warning(const srs_model *model, int index)
{
  return is_within(index, model->n_warnings) ? model->warnings[index] : NULL;
}

bool srs_model_is_note(const srs_model *model, int index)
{
  return is_within(index, model->n_warnings) && model->is_note[index];
}

bool srs_is_on_loop(const srs_model *m, const srs_closure *closure, int link)
{
  bool carries[2];
  for (int i = 0; i < 2; i++) carries[i] = closure->link[i] >= link && closure->link[i] < m->subtree_end[link];
  return carries[0] != carries[1];
}

// ---------------------------------------------------------------------------------------------------------------------
// By name
// ---------------------------------------------------------------------------------------------------------------------

// Bisection. Each item starts with its name.
static int find(const void *items, size_t stride, const int *order, int n, const char *name)
{
  if (name == NULL || name[0] == '\0') return -1; // nameless joints are not to be found
  int low = 0, high = n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const char *other = *(const char *const *)((const char *)items + (size_t)order[middle] * stride);
    const int side = strcmp(other, name);
    if (side == 0) return order[middle];
    if (side < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

int srs_model_find_link(const srs_model *model, const char *name)
{
  return find(model->links, sizeof *model->links, model->links_by_name, model->n_links, name);
}

int srs_model_find_joint(const srs_model *model, const char *name)
{
  return find(model->joints, sizeof *model->joints, model->joints_by_name, model->n_links, name);
}

int srs_model_find_frame(const srs_model *model, const char *name)
{
  return find(model->frames, sizeof *model->frames, model->frames_by_name, model->n_frames, name);
}

int srs_model_find_loop(const srs_model *model, const char *name)
{
  const int n = srs_model_n_loops(model);
  for (int i = 0; name != NULL && i < n; i++)
    if (strcmp(srs_model_loop_name(model, i), name) == 0) return i;
  return -1;
}

int srs_model_find_q(const srs_model *model, const char *name)
{
  return find(model->q_names, sizeof *model->q_names, model->q_by_name, model->nq, name);
}

int srs_model_find_v(const srs_model *model, const char *name)
{
  return find(model->v_names, sizeof *model->v_names, model->v_by_name, model->nv, name);
}

// ---------------------------------------------------------------------------------------------------------------------
// Coordinates
// ---------------------------------------------------------------------------------------------------------------------

const char *srs_model_q_name(const srs_model *model, int index)
{
  return is_within(index, model->nq) ? model->q_names[index] : NULL;
}

const char *srs_model_v_name(const srs_model *model, int index)
{
  return is_within(index, model->nv) ? model->v_names[index] : NULL;
}

int srs_link_of_q(const srs_model *model, int index)
{
  int low = 0, high = model->n_links; // the last link whose q start at or before the index has it, or is followed by it
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (model->q_index[middle] <= index)
      low = middle;
    else
      high = middle;
  }
  return low;
}

const char *srs_model_q_unit(const srs_model *model, int index)
{
  if (!is_within(index, model->nq)) return NULL;
  const int k = srs_link_of_q(model, index);
  const char type = srs_joint_kind_q_type((srs_joint_kind)model->kind[k], index - model->q_index[k]);
  return type == 'a' ? "rad" : type == 'l' ? "m" : "1";
}

const char *srs_model_v_unit(const srs_model *model, int index)
{
  if (!is_within(index, model->nv)) return NULL;
  const int k = model->link_of_v[index];
  return srs_joint_kind_v_type((srs_joint_kind)model->kind[k], index - model->v_index[k]) == 'a' ? "rad/s" : "m/s";
}

const double *srs_model_armature(const srs_model *model) { return model->armature; }
const double *srs_model_damping(const srs_model *model) { return model->damping; }
const double *srs_model_stiffness(const srs_model *model) { return model->stiffness; }
const double *srs_model_friction(const srs_model *model) { return model->friction; }
const double *srs_model_lower(const srs_model *model) { return model->lower; }
const double *srs_model_upper(const srs_model *model) { return model->upper; }
const double *srs_model_max_effort(const srs_model *model) { return model->max_effort; }
const double *srs_model_max_velocity(const srs_model *model) { return model->max_velocity; }
const double *srs_model_reference(const srs_model *model) { return model->reference; }
const double *srs_model_neutral(const srs_model *model) { return model->neutral; }
