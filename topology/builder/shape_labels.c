// What are shapes called where each needs a name of its own?
//
// By their name, or by that of their link. Of several shapes that collide and would be called the same, each gets its
// number among them: arm.1, arm.2, ... A name with a number that some shape, link or frame has is passed over. There is
// no "#", which readers of tables take for the start of a comment.
#include "topology/builder/shape_labels.h"

#include <stdlib.h>

static const char *plain(const srs_frame *frames, const srs_shape *shape)
{
  if (shape->name[0] != '\0') return shape->name;
  return shape->frame >= 0 ? frames[shape->frame].name : "world";
}

static bool collides(const srs_shape *shape) { return !shape->is_visual && shape->kind != SRS_SHAPE_MESH; }

// seen: the plain names, numbered as they came. counts: how many shapes have each.
static bool count_names(const srs_frame *frames, const srs_shape *shapes, int n, srs_names *seen, int *counts)
{
  for (int i = 0; i < n; i++) {
    if (!collides(&shapes[i])) continue;
    const char *name = plain(frames, &shapes[i]);
    const int at = srs_names_find(seen, name);
    if (at >= 0) {
      counts[at]++;
      continue;
    }
    if (!srs_names_reserve(seen)) return false;
    counts[seen->n] = 1;
    srs_names_add(seen, name, seen->n);
  }
  return true;
}

static const char *numbered(const srs_builder *builder, const srs_names *seen, const char *name, int *number,
                            srs_arena *arena)
{
  for (;;) {
    const char *label = srs_arena_print(arena, "%s.%d", name, ++*number);
    if (label == NULL || (srs_names_find(seen, label) < 0 && srs_names_find(&builder->link_names, label) < 0 &&
                          srs_names_find(&builder->frame_names, label) < 0))
      return label;
  }
}

bool srs_label_shapes(const srs_builder *builder, const srs_frame *frames, srs_shape *shapes, int n_shapes,
                      srs_arena *arena)
{
  srs_names seen = {0};
  int *counts = calloc(2 * (size_t)n_shapes + 1, sizeof *counts), *numbers = counts != NULL ? counts + n_shapes : NULL;
  bool is_good = counts != NULL && count_names(frames, shapes, n_shapes, &seen, counts);
  for (int i = 0; i < n_shapes && is_good; i++) {
    const char *name = plain(frames, &shapes[i]);
    const int at = collides(&shapes[i]) ? srs_names_find(&seen, name) : -1;
    shapes[i].label = at < 0 || counts[at] == 1 ? name : numbered(builder, &seen, name, &numbers[at], arena);
    is_good = shapes[i].label != NULL;
  }
  srs_names_release(&seen);
  free(counts);
  return is_good;
}
