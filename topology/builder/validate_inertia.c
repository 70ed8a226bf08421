// Validates the inertias of a plan, for each set of links that fixed joints join, as one body.
//
// Files in practice put markers (a foot, an antenna, a base_link) with made-up inertia on real parts: harmless, since
// the whole moves as a possible body does. So an impossible part of a possible whole is a warning; an impossible whole
// is an error that names the part. All that is welded to the world is one such whole.
//
// A moment above the sum of the others harms no recursion: the spatial inertia stays positive semidefinite, as all
// moments are. So a caller may allow it; the results are then those of the file's numbers.
//
// Links of robot files are taken as they are (srs_builder_be_lenient): a moment that no body has is a warning with the
// numbers and the nearest possible ones. And a moment wrong by less than 1e-9 of m l^2, l how far the link reaches, is
// rounding: CAD programs write -5e-20 for the moments of a thin rod.
#include "topology/builder/validate_inertia.h"
#include "topology/model/inertia.h"

static const double ROUNDING = 1e-9; // of mass times length squared

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

// "; the nearest possible one is ixx=…", in the axes in which the file writes it.
static void print_nearest(const srs_link_def *def, char *text, size_t size)
{
  const sym3 n = srs_inertia_nearest(sym3_load(def->inertia));
  srs_print(text, size, "the nearest possible one is ixx=%.6g iyy=%.6g izz=%.6g ixy=%.6g ixz=%.6g iyz=%.6g", n.xx, n.yy,
            n.zz, n.xy, n.xz, n.yz);
}

static bool is_of_moments(srs_inertia_fault fault)
{
  return fault == SRS_INERTIA_TRIANGLE || fault == SRS_INERTIA_NEGATIVE;
}

// A part that may be impossible, in a whole with a fault or none.
static srs_status validate_part(srs_plan *plan, const srs_builder_link *link, srs_inertia_fault whole, double rounding,
                                bool allow, srs_error *error)
{
  const srs_body part = srs_body_of(&link->def);
  const srs_inertia_fault fault = srs_inertia_validate_within(part.mass, part.inertia, rounding);
  if (fault == SRS_INERTIA_POSSIBLE) return SRS_OK;
  const char *name = link->def.name;
  char words[400];
  srs_inertia_describe(part.mass, part.inertia, words, sizeof words);
  const bool can_allow = whole == SRS_INERTIA_TRIANGLE && fault == SRS_INERTIA_TRIANGLE;
  static const char *const made_up = "since what fixed joints join to it makes up for it";
  if (link->is_lenient && is_of_moments(fault)) {
    char nearest[240];
    print_nearest(&link->def, nearest, sizeof nearest);
    const bool is_made_up = whole == SRS_INERTIA_POSSIBLE;
    plan->has_impossible_inertia = plan->has_impossible_inertia || !is_made_up;
    const char *text = srs_arena_print(&plan->memory, "link '%s': %s; taken as it is%s%s; %s", name, words,
                                       is_made_up ? ", " : "", is_made_up ? made_up : "", nearest);
    return warn(plan, text, link->place, error);
  }
  if (whole != SRS_INERTIA_POSSIBLE && !(can_allow && allow))
    return srs_fail_at(error, SRS_ERROR_MODEL, link->place, name, "link '%s': %s%s", name, words,
                       can_allow ? ", or allow it (allow_impossible_inertia)" : "");
  plan->has_impossible_inertia = plan->has_impossible_inertia || can_allow;
  const char *why = can_allow ? "allowed" : made_up;
  return warn(plan, srs_arena_print(&plan->memory, "link '%s': %s; taken as it is, %s", name, words, why), link->place,
              error);
}

// How far the things are that the link's definition and its joints and shapes name, m.
static void find_lengths(const srs_plan *plan, double *length)
{
  const srs_builder *builder = plan->builder;
  for (int i = 0; i < plan->n; i++) length[i] = norm3(vec3_load(builder->links[i].def.com));
  for (int i = 0; i < plan->n; i++) {
    const double arm = norm3(vec3_load(builder->joints[plan->carrier[i]].def.origin.position));
    if (plan->parent[i] >= 0) length[plan->parent[i]] = fmax(length[plan->parent[i]], arm);
  }
  for (int i = 0; i < builder->n_shapes; i++) {
    const srs_shape_def *def = &builder->shapes[i].def;
    const int link = plan->shape_link[i];
    if (link < 0 || def->kind == SRS_SHAPE_MESH) continue;
    double size = norm3(vec3_load(def->size));
    for (int k = 0; k < def->n_points; k++) size = fmax(size, norm3(vec3_load(def->points + 3 * (size_t)k)));
    length[link] = fmax(length[link], norm3(vec3_load(def->pose.position)) + size);
  }
}

// The moments that rounding may leave on a link.
static double rounding_of(const srs_plan *plan, const double *length, int link)
{
  return ROUNDING * plan->builder->links[link].def.mass * length[link] * length[link];
}

static srs_status validate_body(srs_plan *plan, const int *links, int n, const double *length, srs_body *parts,
                                double *mass, bool allow, srs_error *error)
{
  double rounding = 0;
  for (int i = 0; i < n; i++) rounding += rounding_of(plan, length, links[i]);
  for (int i = 0; i < n; i++)
    parts[i] =
        srs_body_move(srs_body_of(&plan->builder->links[links[i]].def), plan->offset[links[i]], plan->axes[links[i]]);
  const srs_body whole = srs_body_weld(parts, n);
  *mass = whole.mass;
  const srs_inertia_fault fault = srs_inertia_validate_within(whole.mass, whole.inertia, rounding);
  for (int i = 0; i < n; i++) {
    const srs_status status =
        validate_part(plan, &plan->builder->links[links[i]], fault, rounding_of(plan, length, links[i]), allow, error);
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
  double *length = srs_arena_take(&plan->memory, n, sizeof *length);
  if (plan->memory.failed) return no_memory(error);

  group(plan, start, links);
  find_lengths(plan, length);
  for (int b = 0; b <= plan->n_links; b++) {
    const srs_status status = validate_body(plan, links + start[b], start[b + 1] - start[b], length, parts, &mass[b],
                                            allow_impossible_inertia, error);
    if (status != SRS_OK) return status;
  }
  return warn_of_weightless_shapes(plan, mass + 1, error);
}
