// Named frames. What one file calls a frame may be a link without mass in another, welded to the same body; each is
// compared as it is seen from a link of the body that both files have.
#include "engine/cli/against/compare.h"

// Where a name stands in a file: as a frame, else as a link.
typedef struct named {
  int link; // -1: the world
  srs_placed in_link;
  srs_place place;
} named;

static bool find_named(const srs_side *side, const char *name, named *found)
{
  const int frame = srs_names_find(&side->frames, name), link = srs_names_find(&side->links, name);
  if (frame >= 0) {
    const srs_builder_frame *is = &side->source->frames[frame];
    *found = (named){srs_side_link(side, is->link), srs_placed_of(&is->pose), is->place};
  } else if (link >= 0) {
    *found = (named){link, srs_placed_identity, side->source->links[link].place};
  }
  return frame >= 0 || link >= 0;
}

static void compare_frame(srs_sides *sides, const char *name, const named *a, const named *b)
{
  const srs_compared of = {"frame", name, a->place, b->place};
  int common = -1;
  if (!srs_sides_common(sides, a->link, b->link, &common)) {
    srs_differ(sides->found, &of, SRS_DIFFERS_FRAME, NULL, NULL, "on another body");
    return;
  }
  srs_compare_placed(sides->found, &of, SRS_DIFFERS_FRAME, "place",
                     srs_sides_seen(sides, 0, common, a->link, a->in_link),
                     srs_sides_seen(sides, 1, common, b->link, b->in_link));
}

void srs_compare_frames(srs_sides *sides)
{
  const srs_side *a = &sides->side[0], *b = &sides->side[1];
  named here, there;
  for (int which = 0; which < 2; which++) {
    const srs_side *side = which == 0 ? a : b, *other = which == 0 ? b : a;
    for (int i = 0; i < side->source->n_frames; i++) {
      const srs_builder_frame *frame = &side->source->frames[i];
      const bool is_frame_there = srs_names_find(&other->frames, frame->name) >= 0;
      if (which == 1 && is_frame_there) continue; // told
      if (find_named(a, frame->name, &here) && find_named(b, frame->name, &there)) {
        compare_frame(sides, frame->name, &here, &there);
        continue;
      }
      const srs_compared of = {"frame", frame->name, which == 0 ? frame->place : srs_no_place(),
                               which == 1 ? frame->place : srs_no_place()};
      srs_differ(sides->found, &of, SRS_DIFFERS_FRAME, NULL, NULL, "in this file only (on '%s')",
                 frame->link != NULL ? frame->link : "the world");
    }
  }
}
