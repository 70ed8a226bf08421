// Which link of one file is which of the other? The one of that name; else the one on the joint of that name; else the
// one that carries the same joint. What one pair tells of its neighbours is followed up the tree.
//
// Links that fixed joints join are one rigid body, however a file spreads it over links. Each link has its placement in
// its body, seen from the link that the body hangs by (from the world for what is welded to that), so that two files
// that draw the tree of welds otherwise, or leave some links out, can be compared by the links that both have.
#include "engine/cli/against/sides.h"

#include <stdlib.h>
#include <string.h>

static bool is_fixed(const srs_side *side, int joint)
{
  return side->source->joints[joint].def.kind == SRS_JOINT_FIXED;
}

int srs_side_link(const srs_side *side, const char *name)
{
  return name != NULL ? srs_names_find(&side->links, name) : -1;
}

int srs_side_body(const srs_side *side, int link) { return link < 0 ? side->source->n_links : side->body[link]; }

srs_placed srs_side_in_body(const srs_side *side, int link)
{
  return link < 0 ? srs_placed_identity : side->in_body[link];
}

// ---------------------------------------------------------------------------------------------------------------------
// One side
// ---------------------------------------------------------------------------------------------------------------------

static bool take_name(srs_names *names, const char *name, int value)
{
  if (name == NULL) return true;
  if (!srs_names_reserve(names)) return false;
  if (srs_names_find(names, name) < 0) srs_names_add(names, name, value);
  return true;
}

static int *take_indices(int n)
{
  int *indices = malloc(((size_t)n + 1) * sizeof *indices);
  for (int i = 0; i <= n && indices != NULL; i++) indices[i] = -1;
  return indices;
}

// Up over fixed joints to what the body hangs by.
static void place_link(srs_side *side, int link)
{
  srs_placed placed = srs_placed_identity;
  int at = link;
  while (at >= 0 && side->joint_of[at] >= 0 && is_fixed(side, side->joint_of[at])) {
    placed = srs_placed_in(srs_placed_of(&side->source->joints[side->joint_of[at]].def.origin), placed);
    at = side->parent[at];
  }
  side->body[link] = at < 0 ? side->source->n_links : at;
  side->in_body[link] = placed;
}

static bool fill(srs_side *side)
{
  const srs_builder *source = side->source;
  bool is_held = true;
  for (int i = 0; i < source->n_links && is_held; i++) is_held = take_name(&side->links, source->links[i].def.name, i);
  for (int i = 0; i < source->n_joints && is_held; i++)
    is_held = take_name(&side->joints, source->joints[i].def.name, i);
  for (int i = 0; i < source->n_frames && is_held; i++) is_held = take_name(&side->frames, source->frames[i].name, i);
  side->joint_of = take_indices(source->n_links);
  side->parent = take_indices(source->n_links);
  side->body = take_indices(source->n_links);
  side->twin = take_indices(source->n_links);
  side->joint_twin = take_indices(source->n_joints);
  side->in_body = calloc((size_t)source->n_links + 1, sizeof *side->in_body);
  if (!is_held || side->joint_of == NULL || side->parent == NULL || side->body == NULL || side->twin == NULL ||
      side->joint_twin == NULL || side->in_body == NULL)
    return false;
  for (int i = 0; i < source->n_joints; i++) {
    const int child = srs_side_link(side, source->joints[i].def.child);
    if (child < 0) continue;
    side->joint_of[child] = i;
    side->parent[child] = srs_side_link(side, source->joints[i].def.parent);
  }
  for (int i = 0; i < source->n_links; i++) place_link(side, i);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Twins
// ---------------------------------------------------------------------------------------------------------------------

static void pair_joints(srs_sides *sides, int joint, int other)
{
  sides->side[0].joint_twin[joint] = other;
  sides->side[1].joint_twin[other] = joint;
}

// Joints of one name; of fixed ones only where both are.
static void pair_joints_by_name(srs_sides *sides)
{
  const srs_side *a = &sides->side[0], *b = &sides->side[1];
  for (int i = 0; i < a->source->n_joints; i++) {
    const char *name = a->source->joints[i].def.name;
    const int other = name != NULL ? srs_names_find(&b->joints, name) : -1;
    if (other >= 0 && is_fixed(a, i) == is_fixed(b, other) && b->joint_twin[other] < 0) pair_joints(sides, i, other);
  }
}

// Links whose names are in one file alone, on joints of one name.
static void pair_links(srs_sides *sides, int link, int other, const char *how, int joint)
{
  const srs_side *a = &sides->side[0], *b = &sides->side[1];
  const srs_builder_link *x = &a->source->links[link], *y = &b->source->links[other];
  const srs_joint_def *on = &a->source->joints[joint].def;
  a->twin[link] = other, b->twin[other] = link;
  if (!x->is_carriage && !y->is_carriage)
    srs_differ(sides->found, &(srs_compared){"link", x->def.name, x->place, y->place}, SRS_DIFFERS_NAME, NULL,
               y->def.name, "named otherwise, %s '%s'", how, on->name != NULL ? on->name : on->child);
}

static void pair_renamed_links(srs_sides *sides)
{
  const srs_side *a = &sides->side[0], *b = &sides->side[1];
  for (int i = 0; i < a->source->n_joints; i++) {
    const int other = a->joint_twin[i];
    if (other < 0) continue;
    const int link = srs_side_link(a, a->source->joints[i].def.child);
    const int there = srs_side_link(b, b->source->joints[other].def.child);
    if (link >= 0 && there >= 0 && a->twin[link] < 0 && b->twin[there] < 0)
      pair_links(sides, link, there, "on the same joint", i);
  }
}

// Whether a body hangs by it; of what is welded to that, two files may draw other trees.
static bool is_head(const srs_side *side, int link)
{
  const int joint = side->joint_of[link];
  return side->parent[link] < 0 || (joint >= 0 && !is_fixed(side, joint));
}

// Links whose names are in one file alone, and that carry the same joint.  @return whether there were such
static bool pair_parents(srs_sides *sides)
{
  const srs_side *a = &sides->side[0], *b = &sides->side[1];
  bool has_found = false;
  for (int i = 0; i < a->source->n_joints; i++) {
    const int other = a->joint_twin[i];
    if (other < 0) continue;
    const int link = srs_side_link(a, a->source->joints[i].def.parent);
    const int there = srs_side_link(b, b->source->joints[other].def.parent);
    if (link < 0 || there < 0 || a->twin[link] >= 0 || b->twin[there] >= 0) continue;
    if (!is_head(a, link) || !is_head(b, there)) continue;
    pair_links(sides, link, there, "it carries the same joint", i);
    has_found = true;
  }
  return has_found;
}

// What carries the same link, where neither joint is another's.
static void pair_joints_by_child(srs_sides *sides)
{
  const srs_side *a = &sides->side[0], *b = &sides->side[1];
  for (int i = 0; i < a->source->n_joints; i++) {
    const int link = srs_side_link(a, a->source->joints[i].def.child);
    const int there = link >= 0 ? a->twin[link] : -1;
    const int other = there >= 0 ? b->joint_of[there] : -1;
    if (a->joint_twin[i] < 0 && other >= 0 && b->joint_twin[other] < 0) pair_joints(sides, i, other);
  }
}

// Fixed joints are what carries a link: their names do not matter.
static void part_misnamed_welds(srs_sides *sides)
{
  srs_side *a = &sides->side[0], *b = &sides->side[1];
  for (int i = 0; i < a->source->n_joints; i++) {
    const int other = a->joint_twin[i];
    if (other < 0 || !is_fixed(a, i)) continue;
    const int link = srs_side_link(a, a->source->joints[i].def.child);
    if (link >= 0 && a->twin[link] == srs_side_link(b, b->source->joints[other].def.child)) continue;
    a->joint_twin[i] = b->joint_twin[other] = -1;
  }
}

bool srs_sides_match(srs_sides *sides)
{
  srs_side *a = &sides->side[0], *b = &sides->side[1];
  a->source = srs_source_of(a->model), b->source = srs_source_of(b->model);
  if (!fill(a) || !fill(b)) return false;
  for (int i = 0; i < a->source->n_links; i++) {
    const int other = srs_side_link(b, a->source->links[i].def.name);
    if (other >= 0) a->twin[i] = other, b->twin[other] = i;
  }
  pair_joints_by_name(sides);
  pair_renamed_links(sides);
  part_misnamed_welds(sides);
  do pair_joints_by_child(sides);
  while (pair_parents(sides));
  return true;
}

const char *srs_sides_joint_name(const srs_sides *sides, int which, const char *name)
{
  const srs_side *side = &sides->side[which], *other = &sides->side[1 - which];
  const int joint = name != NULL ? srs_names_find(&side->joints, name) : -1;
  if (joint < 0 || side->joint_twin[joint] < 0) return name;
  const srs_joint_def *twin = &other->source->joints[side->joint_twin[joint]].def;
  return twin->name != NULL ? twin->name : twin->child;
}

void srs_sides_release(srs_sides *sides)
{
  for (int i = 0; i < 2; i++) {
    srs_side *side = &sides->side[i];
    srs_names_release(&side->links);
    srs_names_release(&side->joints);
    srs_names_release(&side->frames);
    free(side->joint_of);
    free(side->parent);
    free(side->body);
    free(side->in_body);
    free(side->twin);
    free(side->joint_twin);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Common links
// ---------------------------------------------------------------------------------------------------------------------

static bool is_common(const srs_sides *sides, int link, int body)
{
  const int twin = sides->side[0].twin[link];
  return twin >= 0 && sides->side[1].body[twin] == body;
}

bool srs_sides_common(const srs_sides *sides, int link, int other, int *common)
{
  const srs_side *a = &sides->side[0], *b = &sides->side[1];
  const int here = srs_side_body(a, link), there = srs_side_body(b, other);
  for (int at = link; at >= 0 && a->body[at] == here; at = a->parent[at]) {
    *common = at;
    if (is_common(sides, at, there)) return true;
  }
  for (int i = 0; i < a->source->n_links && link >= 0; i++) {
    *common = i;
    if (a->body[i] == here && is_common(sides, i, there)) return true;
  }
  *common = -1;
  return here == a->source->n_links && there == b->source->n_links;
}

srs_placed srs_sides_seen(const srs_sides *sides, int which, int common, int link, srs_placed in_link)
{
  const srs_side *side = &sides->side[which];
  const int from = which == 0 || common < 0 ? common : sides->side[0].twin[common];
  return srs_placed_from(srs_side_in_body(side, from), srs_placed_in(srs_side_in_body(side, link), in_link));
}
