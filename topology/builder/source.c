// Keeps what a model was built from.
//
// Compiling welds the links that fixed joints join and turns frames, so the arrays of a model no longer say what was
// defined. Whoever writes a model to a file needs the definitions as they stood, to the bit.
#include "topology/builder/source.h"
#include "topology/model/model.h"
#include "topology/model/prescribed_motion.h"
#include "topology/model/tendon.h"

#include <string.h>

// Places name few files, and those that follow each other mostly the same one.
static void keep_place(srs_place *place, const char **from, const char **copy, srs_arena *arena)
{
  if (place->file == NULL) return;
  if (place->file != *from) {
    *from = place->file;
    *copy = srs_arena_copy(arena, place->file);
  }
  place->file = *copy;
}

// A copy of n items in the arena.
static void *copy_items(srs_arena *arena, const void *items, int n, size_t size)
{
  void *copy = srs_arena_take(arena, (size_t)n, size);
  if (copy != NULL && n > 0) memcpy(copy, items, (size_t)n * size);
  return copy;
}

static void keep_tree(const srs_builder *from, srs_builder *kept, srs_arena *arena)
{
  const char *from_file = NULL, *file = NULL;
  kept->links = copy_items(arena, from->links, from->n_links, sizeof *from->links);
  kept->joints = copy_items(arena, from->joints, from->n_joints, sizeof *from->joints);
  kept->frames = copy_items(arena, from->frames, from->n_frames, sizeof *from->frames);
  for (int i = 0; i < from->n_links && !arena->failed; i++) {
    kept->links[i].def.name = srs_arena_copy(arena, from->links[i].def.name);
    keep_place(&kept->links[i].place, &from_file, &file, arena);
  }
  for (int i = 0; i < from->n_joints && !arena->failed; i++) {
    srs_builder_joint *joint = &kept->joints[i];
    joint->def.name = srs_arena_copy_or_null(arena, joint->def.name);
    joint->def.parent = srs_arena_copy_or_null(arena, joint->def.parent);
    joint->def.child = srs_arena_copy_or_null(arena, joint->def.child);
    joint->held_by = srs_arena_copy_or_null(arena, joint->held_by);
    keep_place(&joint->place, &from_file, &file, arena);
  }
  for (int i = 0; i < from->n_frames && !arena->failed; i++) {
    kept->frames[i].name = srs_arena_copy(arena, from->frames[i].name);
    kept->frames[i].link = srs_arena_copy_or_null(arena, from->frames[i].link);
    keep_place(&kept->frames[i].place, &from_file, &file, arena);
  }
}

static void keep_shapes(const srs_builder *from, srs_builder *kept, const srs_model *model, srs_arena *arena)
{
  const char *from_file = NULL, *file = NULL;
  kept->shapes = copy_items(arena, from->shapes, from->n_shapes, sizeof *from->shapes);
  for (int i = 0; i < from->n_shapes && !arena->failed; i++) {
    srs_shape_def *def = &kept->shapes[i].def;
    const srs_shape *shape = &model->shapes[i];
    def->points = shape->points, def->triangles = shape->triangles, def->heights = shape->heights;
    def->name = def->name != NULL ? shape->name : NULL;
    def->file = def->file != NULL ? shape->file : NULL;
    def->material = def->material != NULL ? shape->material : NULL;
    def->link = srs_arena_copy_or_null(arena, def->link);
    keep_place(&kept->shapes[i].place, &from_file, &file, arena);
  }
}

static void keep_closure(srs_closure_def *def, srs_arena *arena)
{
  def->name = srs_arena_copy_or_null(arena, def->name);
  def->frame_a = srs_arena_copy_or_null(arena, def->frame_a);
  def->frame_b = srs_arena_copy_or_null(arena, def->frame_b);
  def->motion = srs_motion_copy(arena, &def->motion);
  def->tendon = srs_tendon_copy(arena, &def->tendon);
  const char **names = copy_items(arena, def->independent, def->n_independent, sizeof *names);
  for (int i = 0; i < def->n_independent && !arena->failed; i++) names[i] = srs_arena_copy(arena, def->independent[i]);
  def->independent = names;
}

static void keep_loops(const srs_builder *from, srs_builder *kept, srs_arena *arena)
{
  const char *from_file = NULL, *file = NULL;
  kept->closures = copy_items(arena, from->closures, from->n_closures, sizeof *from->closures);
  kept->couplings = copy_items(arena, from->couplings, from->n_couplings, sizeof *from->couplings);
  for (int i = 0; i < from->n_closures && !arena->failed; i++) {
    keep_closure(&kept->closures[i].def, arena);
    keep_place(&kept->closures[i].place, &from_file, &file, arena);
  }
  for (int i = 0; i < from->n_couplings && !arena->failed; i++) {
    srs_coupling_def *def = &kept->couplings[i].def;
    def->name = srs_arena_copy_or_null(arena, def->name);
    def->follower = srs_arena_copy_or_null(arena, def->follower);
    def->leader = srs_arena_copy_or_null(arena, def->leader);
    def->motion = srs_motion_copy(arena, &def->motion);
    keep_place(&kept->couplings[i].place, &from_file, &file, arena);
  }
}

static void keep_read(const srs_builder *from, srs_builder *kept, srs_arena *arena)
{
  for (const srs_read_file *file = from->read.first; file != NULL && !arena->failed; file = file->next) {
    srs_read_file *copy = srs_arena_take(arena, 1, sizeof *copy);
    if (copy == NULL) return;
    *copy = (srs_read_file){srs_arena_copy(arena, file->path), kept->read.first};
    kept->read.first = copy;
  }
}

bool srs_source_keep(const srs_builder *builder, srs_model *model, srs_arena *arena)
{
  srs_builder *kept = srs_arena_take(arena, 1, sizeof *kept);
  if (kept == NULL) return false;
  kept->n_links = builder->n_links, kept->n_joints = builder->n_joints, kept->n_frames = builder->n_frames;
  kept->n_shapes = builder->n_shapes;
  kept->n_closures = builder->n_closures, kept->n_couplings = builder->n_couplings;
  keep_tree(builder, kept, arena);
  keep_shapes(builder, kept, model, arena);
  keep_loops(builder, kept, arena);
  keep_read(builder, kept, arena);
  model->source = kept;
  return !arena->failed;
}

const srs_builder *srs_source_of(const srs_model *model) { return model->source; }
