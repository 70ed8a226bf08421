// Validates the inertias of a plan, for each set of links that fixed joints join, as one body.
//
// Files in practice put markers (a foot, an antenna, a base_link) with made-up inertia on real parts: harmless, since
// the whole moves as a possible body does. So an impossible part of a possible whole is a warning; an impossible whole
// is an error that names the part. All that is welded to the world is one such whole.
//
// A moment above the sum of the others harms no recursion: the spatial inertia stays positive semidefinite, as all
// moments are. So a caller may allow it; the results are then those of the file's numbers.
#include "topology/builder/validate_inertia.h"
#include "topology/model/inertia.h"

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while checking the inertia");
}

// ---------------------------------------------------------------------------------------------------------------------
// Warnings of our own
// ---------------------------------------------------------------------------------------------------------------------

// text lies in the plan's memory; NULL: out of memory.
static srs_status warn(srs_plan *plan, const char *text, srs_place place, srs_error *error)
{
  if (text == NULL) return no_memory(error);
  plan->warnings[plan->n_warnings++] = (srs_builder_warning){.text = text, .place = place};
  return SRS_OK;
}

// Collision shapes on bodies without mass. One warning a link.
static srs_status warn_of_weightless_shapes(srs_plan *plan, const double *mass, srs_error *error)
{
  const srs_builder *builder = plan->builder;
  bool *is_reported = srs_arena_take(&plan->memory, (size_t)plan->n, sizeof *is_reported);
  if (is_reported == NULL) return no_memory(error);
  for (int i = 0; i < builder->n_shapes; i++) {
    const int link = plan->shape_link[i], owner = link >= 0 ? plan->owner[link] : -1;
    if (owner < 0 || builder->shapes[i].def.is_visual || mass[owner] > 0 || is_reported[link]) continue;
    is_reported[link] = true;
    const char *text = srs_arena_print(&plan->memory, "link '%s' has a shape to collide with but no mass",
                                       builder->links[link].def.name);
    const srs_status status = warn(plan, text, builder->shapes[i].place, error);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bodies
// ---------------------------------------------------------------------------------------------------------------------

// Links by the body they belong to: links[start[b]] … links[start[b + 1] - 1], the world's first.
static void group(const srs_plan *plan, int *start, int *links)
{
  for (int b = 0; b < plan->n_links + 2; b++) start[b] = 0;
  for (int i = 0; i < plan->n; i++) start[plan->owner[i] + 2]++;
  for (int b = 0; b < plan->n_links; b++) start[b + 2] += start[b + 1];
  for (int i = 0; i < plan->n; i++) links[start[plan->owner[plan->order[i]] + 1]++] = plan->order[i];
  for (int b = plan->n_links + 1; b > 0; b--) start[b] = start[b - 1];
  start[0] = 0;
}

// A part that may be impossible, in a whole with a fault or none.
static srs_status validate_part(srs_plan *plan, const srs_builder_link *link, srs_inertia_fault whole, bool allow,
                                srs_error *error)
{
  const srs_body part = srs_body_of(&link->def);
  const srs_inertia_fault fault = srs_inertia_validate(part.mass, part.inertia);
  if (fault == SRS_INERTIA_POSSIBLE) return SRS_OK;
  const char *name = link->def.name;
  char words[400];
  srs_inertia_describe(part.mass, part.inertia, words, sizeof words);
  const bool can_allow = whole == SRS_INERTIA_TRIANGLE && fault == SRS_INERTIA_TRIANGLE;
  if (whole != SRS_INERTIA_POSSIBLE && !(can_allow && allow))
    return srs_fail_at(error, SRS_ERROR_MODEL, link->place, name, "link '%s': %s%s", name, words,
                       can_allow ? ", or allow it (allow_impossible_inertia)" : "");
  const char *why = can_allow ? "allowed" : "since what fixed joints join to it makes up for it";
  return warn(plan, srs_arena_print(&plan->memory, "link '%s': %s; taken as it is, %s", name, words, why), link->place,
              error);
}

static srs_status validate_body(srs_plan *plan, const int *links, int n, srs_body *parts, double *mass, bool allow,
                                srs_error *error)
{
  for (int i = 0; i < n; i++)
    parts[i] =
        srs_body_move(srs_body_of(&plan->builder->links[links[i]].def), plan->offset[links[i]], plan->axes[links[i]]);
  const srs_body whole = srs_body_weld(parts, n);
  *mass = whole.mass;
  const srs_inertia_fault fault = srs_inertia_validate(whole.mass, whole.inertia);
  for (int i = 0; i < n; i++) {
    const srs_status status = validate_part(plan, &plan->builder->links[links[i]], fault, allow, error);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

srs_status srs_plan_validate(srs_plan *plan, bool allow_impossible_inertia, srs_error *error)
{
  const size_t n = (size_t)plan->n, n_bodies = (size_t)plan->n_links + 1;
  int *start = srs_arena_take(&plan->memory, n_bodies + 1, sizeof *start);
  int *links = srs_arena_take(&plan->memory, n, sizeof *links);
  srs_body *parts = srs_arena_take(&plan->memory, n, sizeof *parts);
  double *mass = srs_arena_take(&plan->memory, n_bodies, sizeof *mass);
  if (plan->memory.failed) return no_memory(error);

  group(plan, start, links);
  for (int b = 0; b <= plan->n_links; b++) {
    const srs_status status = validate_body(plan, links + start[b], start[b + 1] - start[b], parts, &mass[b],
                                            allow_impossible_inertia, error);
    if (status != SRS_OK) return status;
  }
  return warn_of_weightless_shapes(plan, mass + 1, error);
}
