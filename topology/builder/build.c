// A builder becomes a model: plan the tree, validate inertias, compile flat arrays, check that every joint has inertia
// against it.
#include "topology/builder/compile.h"
#include "topology/builder/plan.h"
#include "topology/builder/validate_inertia.h"
#include "topology/checks/mobility.h"

#include <stdlib.h>

static srs_status refuse_warning(const srs_plan *plan, srs_error *error)
{
  const int n_first = plan->builder->n_warnings;
  for (int i = 0; i < n_first + plan->n_warnings; i++) {
    const srs_builder_warning *warning = i < n_first ? &plan->builder->warnings[i] : &plan->warnings[i - n_first];
    if (!warning->is_note)
      return srs_fail_at(error, SRS_ERROR_MODEL, warning->place, NULL, "a warning, refused as strict: %s",
                         warning->text);
  }
  return SRS_OK;
}

// "nothing resists joints 'x', 'y' and 'z': links …". Names them all, up to a few.
static srs_status report_bare(const srs_plan *plan, const srs_model *model, const bool *bare, int n_bare,
                              srs_error *error)
{
  const char **joints = malloc(2 * (size_t)n_bare * sizeof *joints), **links = joints + n_bare;
  if (joints == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while building");
  int n = 0, last = 0;
  for (int k = 0; k < model->n_links; k++) {
    if (!bare[k]) continue;
    joints[n] = model->joints[k].name;
    links[n++] = model->links[k].name;
    last = k;
  }
  char joint_list[160], link_list[160];
  srs_names_join(joints, n, joint_list, sizeof joint_list);
  srs_names_join(links, n, link_list, sizeof link_list);
  const srs_place place = plan->builder->joints[plan->carrier[plan->first[last]]].place;
  const char *s = n == 1 ? "" : "s", *name = model->links[last].name;
  const bool has_mass = model->links[last].mass > 0;
  const srs_status status = srs_fail_at(
      error, SRS_ERROR_MODEL, place, model->joints[last].name,
      "nothing resists joint%s %s: link%s %s and all that %s no inertia %s; %s'%s' %s%s or the joint%s an armature", s,
      joint_list, s, link_list, n == 1 ? "it carries have" : "they carry have", n == 1 ? "about it" : "there",
      has_mass ? "" : "give ", name, has_mass ? "has a mass but lacks 'inertia' there: give it that" : "a mass",
      n == 1 && !has_mass ? "" : ",", s);
  free(joints);
  return status;
}

static srs_status report_too_heavy(const srs_plan *plan, const srs_model *model, int link, srs_error *error)
{
  const char *name = model->links[link].name;
  return srs_fail_at(error, SRS_ERROR_MODEL, plan->builder->joints[plan->carrier[plan->first[link]]].place, name,
                     "the masses, inertias or distances of link '%s' and of what it carries are too large: the numbers "
                     "overflow; give them in kg and m",
                     name);
}

// Whether each link that lacks inertia is of a robot file, as a whole body.
static bool are_lenient(const srs_plan *plan, const srs_model *model, const bool *bare)
{
  for (int k = 0; k < model->n_links; k++)
    if (bare[k] && !plan->builder->links[plan->first[k]].is_lenient) return false;
  return true;
}

// The model is one for kinematics: a warning says so, and what needs inertia refuses in the same words.
static srs_status accept_bare(const srs_error *why, const bool *bare, srs_model *model, srs_error *error)
{
  char words[1024];
  const char *text = srs_arena_print(model->memory, "%s; kinematics works, a simulation cannot be made",
                                     srs_error_format(why, words, sizeof words));
  if (text == NULL) return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while building");
  ((const char **)model->warnings)[model->n_warnings++] = text; // compile.c has left room
  model->has_impossible_inertia = true;
  if (model->obstacle.status == SRS_OK) model->obstacle = *why;
  model->is_bare = true;
  for (int k = model->n_links - 1; k >= 0; k--)
    if (bare[k]) model->bare_link = k;
  return SRS_OK;
}

static srs_status check_mobility(const srs_plan *plan, srs_model *model, bool is_strict, srs_error *error)
{
  bool *bare = calloc((size_t)model->n_links + 1, sizeof *bare);
  int n_bare = 0, too_heavy = -1;
  srs_status status = SRS_OK;
  if (bare == NULL || !srs_mobility_check(model, bare, &n_bare, &too_heavy))
    status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory while building");
  else if (too_heavy >= 0)
    status = report_too_heavy(plan, model, too_heavy, error);
  else if (n_bare > 0) {
    srs_error why = {0};
    status = report_bare(plan, model, bare, n_bare, &why);
    if (status == SRS_ERROR_MODEL && !is_strict && are_lenient(plan, model, bare))
      status = accept_bare(&why, bare, model, error);
    else if (error != NULL)
      *error = why;
  }
  free(bare);
  return status;
}

srs_status srs_builder_build(const srs_builder *builder, const srs_build_options *options, srs_model **model,
                             srs_error *error)
{
  if (model != NULL) *model = NULL;
  if (builder == NULL || model == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "srs_builder_build: an argument is NULL");
  const srs_build_options chosen = options != NULL ? *options : srs_default_build_options();

  srs_plan plan;
  srs_model *made = NULL;
  srs_status status = srs_plan_make(builder, &plan, error);
  if (status == SRS_OK) status = srs_plan_validate(&plan, chosen.allow_impossible_inertia, error);
  if (status == SRS_OK && chosen.strict) status = refuse_warning(&plan, error);
  if (status == SRS_OK && chosen.keep_fixed_joints) srs_plan_split(&plan);
  if (status == SRS_OK) status = srs_plan_compile(&plan, &made, error);
  if (status == SRS_OK) made->has_impossible_inertia = plan.has_impossible_inertia;
  if (status == SRS_OK) status = check_mobility(&plan, made, chosen.strict, error);
  srs_plan_release(&plan);
  if (status != SRS_OK) {
    srs_model_destroy(made);
    return status;
  }
  *model = made;
  return SRS_OK;
}
