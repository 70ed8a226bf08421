// Opening the model of a subcommand. Scenes and robot files alike become a scene; unsupported elements of a file are
// reported as warnings.
#include "engine/cli/shared/loading.h"

#include "engine/cli/shared/folding.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/values.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int srs_loading_create(srs_loading *loading, int argc)
{
  *loading = (srs_loading){.packages.items = calloc((size_t)argc + 1, sizeof(char *))};
  if (loading->packages.items != NULL) return SRS_EXIT_OK;
  srs_error error;
  srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory");
  return srs_report_failure(&error);
}

void srs_loading_destroy(srs_loading *loading) { free(loading->packages.items); }

static bool is_scene_file(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot != NULL && (strcasecmp(dot, ".yaml") == 0 || strcasecmp(dot, ".yml") == 0);
}

int srs_loading_open(const srs_command *command, const srs_loading *loading, const char *path, srs_scene **scene)
{
  static const char *const bases[] = {"fixed", "floating"}, *const self_collisions[] = {"false", "auto", "all"};
  static const srs_self_collision chosen[] = {SRS_SELF_COLLISION_NONE, SRS_SELF_COLLISION_AUTO, SRS_SELF_COLLISION_ALL};
  srs_scene_options options = srs_default_scene_options();
  if (loading->base != NULL) {
    int base = 0;
    const int status = srs_value_word(command, "base", loading->base, bases, 2, &base);
    if (status != SRS_EXIT_OK) return status;
    if (is_scene_file(path))
      return srs_usage_error(command, "--base is for robot files; in the scene %s each model has its own key `base:`",
                             path);
    options.load.base = base == 0 ? SRS_BASE_FIXED : SRS_BASE_FLOATING;
  }
  if (loading->self_collision != NULL) {
    int how = 0;
    const int status = srs_value_word(command, "self-collision", loading->self_collision, self_collisions, 3, &how);
    if (status != SRS_EXIT_OK) return status;
    options.self_collision = chosen[how];
  }
  if (loading->srdf != NULL && is_scene_file(path))
    return srs_usage_error(command, "--srdf is for robot files; in the scene %s each model has its own key `srdf:`",
                           path);
  options.load.srdf = loading->srdf;
  for (int i = 0; i < loading->packages.count; i++) {
    const char *package = loading->packages.items[i];
    const char *equals = strchr(package, '=');
    if (equals == NULL || equals == package || equals[1] == '\0')
      return srs_usage_error(command, "--package: '%s' is not of the form NAME=DIR", package);
  }
  options.load.packages = loading->packages.count > 0 ? loading->packages.items : NULL;
  if (loading->key != NULL && is_scene_file(path))
    return srs_usage_error(command, "--key is for MJCF files; in the scene %s each model has its own `key:`", path);
  options.load.key = loading->key;
  options.load.allow_outside = loading->allows_outside;
  options.load.build.strict = loading->is_strict;
  options.load.allow_missing_meshes = loading->allows_missing_meshes;
  options.load.allow_missing_links = loading->allows_missing_links;
  options.load.allow_unsupported = loading->allows_unsupported;
  options.load.apply_up_axis = loading->applies_up_axis;
  options.load.no_collision = loading->has_no_collision;
  if (loading->density != NULL) {
    const int status = srs_value_positive(command, "density", loading->density, &options.load.density);
    if (status != SRS_EXIT_OK) return status;
  }
  options.load.build.allow_impossible_inertia = loading->allows_impossible_inertia;

  options.load.visit = loading->visit;
  options.load.visit_context = loading->visit_context;
  options.text = loading->text;

  srs_error error = {0};
  if (srs_scene_load(path, &options, scene, &error) == SRS_OK) return SRS_EXIT_OK;
  if (loading->error != NULL) *loading->error = error;
  return srs_report_failure(&error);
}

void srs_loading_warn(const srs_command *command, const srs_model *model)
{
  for (int notes = 0; notes < 2; notes++) { // warnings first
    srs_folds folds = {0};
    bool is_folded = true;
    for (int i = 0; i < srs_model_n_warnings(model) && is_folded; i++)
      if (srs_model_is_note(model, i) == (notes == 1)) is_folded = srs_folds_add(&folds, srs_model_warning(model, i));
    for (int i = 0; i < folds.n; i++) {
      const char *line = srs_fold_line(&folds, i);
      srs_report_message(command, notes == 1 ? "note" : "warning", line != NULL ? line : folds.folds[i].text);
    }
    srs_folds_release(&folds);
  }
}

const char *srs_loading_base(const srs_model *model)
{
  int n_roots = 0, n_free = 0;
  for (int i = 0; i < srs_model_n_links(model); i++) {
    if (srs_model_link(model, i)->parent >= 0) continue;
    n_roots++;
    n_free += srs_model_joint(model, i)->kind == SRS_JOINT_FREE;
  }
  if (n_free == 0) return "fixed";
  return n_free == n_roots ? "floating" : "mixed";
}
