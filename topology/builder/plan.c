// The tree of a mechanism: names are looked up, each link must have exactly one joint to a parent, and every chain must
// end at the world.
//
// Order: depth first, siblings in the order in which their joints were added. A subtree is contiguous in it, and stays
// so when links that fixed joints join become one: with the link's frame at (o, R) seen from its parent's, and the
// parent's at (O, S) seen from the owner's, it lies at (O + S o, S R).
#include "topology/builder/plan.h"

#include <stdio.h>

static const char *joint_name(const srs_builder_joint *joint)
{
  return joint->def.name != NULL ? joint->def.name : joint->def.child;
}

static const char *link_name(const srs_plan *plan, int link) { return plan->builder->links[link].def.name; }

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while building");
}

// ---------------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------------

// The link of that name, -1 for the world (NULL).  @param what, who  the item that refers to it, for messages
static srs_status find_link(const srs_plan *plan, const char *name, const char *what, const char *who, srs_place place,
                            int *link, srs_error *error)
{
  *link = name != NULL ? srs_names_find(&plan->builder->link_names, name) : -1;
  if (name == NULL || *link >= 0) return SRS_OK;
  const bool is_frame = srs_names_find(&plan->builder->frame_names, name) >= 0;
  const char *hint = is_frame ? " (a frame is, but a link is needed)" : "";
  if (who == NULL)
    return srs_fail_at(error, SRS_ERROR_NAME, place, name, "a %s belongs to link '%s', but no link is named so%s", what,
                       name, hint);
  return srs_fail_at(error, SRS_ERROR_NAME, place, name, "%s '%s': no link is named '%s'%s", what, who, name, hint);
}

static srs_status resolve_joints(srs_plan *plan, srs_error *error)
{
  const srs_builder *builder = plan->builder;
  for (int i = 0; i < plan->n; i++) plan->carrier[i] = -1;
  for (int h = 0; h < builder->n_joints; h++) {
    const srs_builder_joint *joint = &builder->joints[h];
    int child = -1, parent = -1;
    srs_status status = find_link(plan, joint->def.parent, "joint", joint_name(joint), joint->place, &parent, error);
    if (status == SRS_OK)
      status = find_link(plan, joint->def.child, "joint", joint_name(joint), joint->place, &child, error);
    if (status != SRS_OK) return status;
    if (plan->carrier[child] >= 0)
      return srs_fail_at(error, SRS_ERROR_MODEL, joint->place, link_name(plan, child),
                         "link '%s' is the child of joint '%s' and of joint '%s'; a link has one parent joint",
                         link_name(plan, child), joint_name(&builder->joints[plan->carrier[child]]), joint_name(joint));
    plan->carrier[child] = h;
    plan->parent[child] = parent;
  }
  for (int i = 0; i < plan->n; i++)
    if (plan->carrier[i] < 0)
      return srs_fail_at(error, SRS_ERROR_MODEL, builder->links[i].place, link_name(plan, i),
                         "link '%s' has no parent joint: add one from the world or from another link "
                         "(fixed to weld it, free to let it move)",
                         link_name(plan, i));
  return SRS_OK;
}

static srs_status resolve_others(srs_plan *plan, srs_error *error)
{
  const srs_builder *builder = plan->builder;
  for (int i = 0; i < builder->n_shapes; i++) {
    const srs_builder_shape *shape = &builder->shapes[i];
    const srs_status status =
        find_link(plan, shape->def.link, "shape", shape->def.name, shape->place, &plan->shape_link[i], error);
    if (status != SRS_OK) return status;
  }
  for (int i = 0; i < builder->n_frames; i++) {
    const srs_builder_frame *frame = &builder->frames[i];
    const srs_status status =
        find_link(plan, frame->link, "frame", frame->name, frame->place, &plan->frame_link[i], error);
    if (status != SRS_OK) return status;
  }
  for (int i = 0; i < 2 * builder->n_excluded; i++) {
    const srs_builder_excluded *pair = &builder->excluded[i / 2];
    const char *name = pair->name[i % 2];
    plan->excluded[i] = srs_names_find(&builder->link_names, name);
    if (plan->excluded[i] < 0)
      return srs_fail_at(error, SRS_ERROR_NAME, pair->place, name,
                         "a pair of links that do not collide: no link is named '%s'", name);
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------------------------------------------------

// Some link was not reached from the world: going up from it leads into a cycle.
static srs_status report_cycle(srs_plan *plan, const bool *reached, srs_error *error)
{
  int link = 0;
  while (reached[link]) link++;
  for (int i = 0; i < plan->n; i++) link = plan->parent[link];
  int start = link; // of those in the cycle, the one that was added first
  for (int at = plan->parent[link]; at != link; at = plan->parent[at])
    if (at < start) start = at;
  const char **names = srs_arena_take(&plan->memory, (size_t)plan->n, sizeof *names);
  if (names == NULL) return no_memory(error);
  int first = plan->n; // filled from behind, as we walk from child to parent
  for (int at = plan->parent[start]; at != start; at = plan->parent[at]) names[--first] = link_name(plan, at);
  names[--first] = link_name(plan, start);
  char list[320];
  return srs_fail_at(error, SRS_ERROR_MODEL, plan->builder->joints[plan->carrier[start]].place, names[first],
                     "links %s form a cycle that is not connected to the world; remove one joint",
                     srs_names_join(names + first, plan->n - first, list, sizeof list));
}

static srs_status order_links(srs_plan *plan, srs_error *error)
{
  const srs_builder *builder = plan->builder;
  const size_t n = (size_t)plan->n;
  int *head = srs_arena_take(&plan->memory, n + 1, sizeof *head); // first link on each link; the world's at the end
  int *next = srs_arena_take(&plan->memory, n, sizeof *next);     // sibling
  int *stack = srs_arena_take(&plan->memory, n, sizeof *stack);
  bool *reached = srs_arena_take(&plan->memory, n, sizeof *reached);
  if (plan->memory.failed) return no_memory(error);

  for (int i = 0; i <= plan->n; i++) head[i] = -1;
  for (int h = builder->n_joints - 1; h >= 0; h--) {
    const int child = srs_names_find(&builder->link_names, builder->joints[h].def.child);
    const int parent = plan->parent[child] >= 0 ? plan->parent[child] : plan->n;
    next[child] = head[parent];
    head[parent] = child;
  }
  int count = 0, depth = 0;
  for (int link = head[plan->n]; link >= 0 || depth > 0;) {
    if (link < 0) {
      link = stack[--depth];
      continue;
    }
    plan->order[count++] = link;
    reached[link] = true;
    stack[depth++] = next[link];
    link = head[link];
  }
  return count == plan->n ? SRS_OK : report_cycle(plan, reached, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Lumping
// ---------------------------------------------------------------------------------------------------------------------

static void become_link(srs_plan *plan, int link)
{
  plan->first[plan->n_links] = link;
  plan->owner[link] = plan->n_links++;
  plan->offset[link] = vec3_zero;
  plan->axes[link] = mat3_identity;
}

static void lump(srs_plan *plan)
{
  plan->n_links = 0;
  for (int i = 0; i < plan->n; i++) {
    const int link = plan->order[i], parent = plan->parent[link];
    const srs_joint_def *def = &plan->builder->joints[plan->carrier[link]].def;
    if (def->kind != SRS_JOINT_FIXED) {
      become_link(plan, link);
      continue;
    }
    const vec3 o = vec3_load(def->origin.position);
    const mat3 r = mat3_from_rows(def->origin.rotation);
    plan->owner[link] = parent >= 0 ? plan->owner[parent] : -1;
    plan->offset[link] = parent >= 0 ? add3(plan->offset[parent], rotate(plan->axes[parent], o)) : o;
    plan->axes[link] = parent >= 0 ? mul3(plan->axes[parent], r) : r;
  }
}

void srs_plan_split(srs_plan *plan)
{
  plan->n_links = 0;
  for (int i = 0; i < plan->n; i++) become_link(plan, plan->order[i]);
}

srs_status srs_plan_make(const srs_builder *builder, srs_plan *plan, srs_error *error)
{
  *plan = (srs_plan){.builder = builder, .n = builder->n_links};
  const size_t n = (size_t)plan->n, n_shapes = (size_t)builder->n_shapes;
  plan->carrier = srs_arena_take(&plan->memory, n, sizeof *plan->carrier);
  plan->parent = srs_arena_take(&plan->memory, n, sizeof *plan->parent);
  plan->order = srs_arena_take(&plan->memory, n, sizeof *plan->order);
  plan->owner = srs_arena_take(&plan->memory, n, sizeof *plan->owner);
  plan->first = srs_arena_take(&plan->memory, n, sizeof *plan->first);
  plan->offset = srs_arena_take(&plan->memory, n, sizeof *plan->offset);
  plan->axes = srs_arena_take(&plan->memory, n, sizeof *plan->axes);
  plan->shape_link = srs_arena_take(&plan->memory, n_shapes, sizeof *plan->shape_link);
  plan->frame_link = srs_arena_take(&plan->memory, (size_t)builder->n_frames, sizeof *plan->frame_link);
  plan->excluded = srs_arena_take(&plan->memory, 2 * (size_t)builder->n_excluded, sizeof *plan->excluded);
  plan->warnings = srs_arena_take(&plan->memory, n + n_shapes, sizeof *plan->warnings);
  if (plan->memory.failed) return no_memory(error);

  srs_status status = resolve_joints(plan, error);
  if (status == SRS_OK) status = resolve_others(plan, error);
  if (status == SRS_OK) status = order_links(plan, error);
  if (status == SRS_OK) lump(plan);
  return status;
}

void srs_plan_release(srs_plan *plan) { srs_arena_release(&plan->memory); }
