// `sarrus check MODEL --pairs`: which shapes of a robot overlap by the way it is drawn, so that they should not
// collide?
//
// Offered are pairs that overlap in the neutral configuration (`self_collision: auto` leaves them out by itself), and
// those that do in most of the sampled poses. Pairs that overlap in some poses are collisions.
#include "engine/cli/check/pairs.h"

#include "collision/sampling/sampled_pairs.h"
#include "engine/cli/shared/json.h"
#include "engine/cli/shared/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double share_of(const srs_sampled_pairs *found, const srs_sampled_pair *pair)
{
  return (double)pair->n_overlaps / found->n_poses;
}

static bool is_offered(const srs_sampled_pairs *found, const srs_sampled_pair *pair, double often)
{
  return pair->neutral_depth > 0 || (pair->n_overlaps > 0 && share_of(found, pair) >= often);
}

static const char *link_of(const srs_model *model, int shape)
{
  return srs_model_frame(model, srs_model_shape(model, shape)->frame)->name;
}

// ---------------------------------------------------------------------------------------------------------------------
// For a scene
// ---------------------------------------------------------------------------------------------------------------------

static bool is_plain(const char *name)
{
  static const char *const words[] = {"true", "false", "null", "yes", "no"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(name, words[i]) == 0) return false;
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  return strchr(letters, name[0]) != NULL && name[0] != '\0' &&
         name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789./-")] == '\0';
}

static void print_yaml_name(const char *name)
{
  if (is_plain(name)) {
    fputs(name, stdout);
    return;
  }
  putchar('"');
  for (; *name != '\0'; name++) {
    if (*name == '"' || *name == '\\') putchar('\\');
    putchar(*name);
  }
  putchar('"');
}

static void print_counts(const char *path, const srs_pairs_request *request, const srs_sampled_pairs *found)
{
  int n_neutral = 0, n_always = 0, n_often = 0, n_some = 0;
  for (int i = 0; i < found->n; i++) {
    const srs_sampled_pair *pair = &found->pairs[i];
    const bool is_often = share_of(found, pair) >= request->often && pair->n_overlaps > 0;
    n_neutral += pair->neutral_depth > 0;
    n_always += pair->n_overlaps == found->n_poses;
    n_often += is_often;
    n_some += !is_often && pair->n_overlaps > 0;
  }
  printf("# %s: %d pair%s of shapes of one robot may collide, %d random poses, seed %llu\n", path, found->n_pairs,
         found->n_pairs == 1 ? "" : "s", found->n_poses, (unsigned long long)request->seed);
  printf(
      "# overlap where all coordinates are zero: %d; in all poses: %d; in %.4g %% of them or more: %d; in fewer: %d; "
      "never: %d\n",
      n_neutral, n_always, 100 * request->often, n_often, n_some, found->n_pairs - found->n);
}

static void print_yaml(const char *path, const srs_model *model, const srs_pairs_request *request,
                       const srs_sampled_pairs *found)
{
  int n = 0;
  print_counts(path, request, found);
  for (int i = 0; i < found->n; i++) {
    const srs_sampled_pair *pair = &found->pairs[i];
    if (!is_offered(found, pair, request->often)) continue;
    fputs(n++ == 0 ? "collision:\n  exclude:\n    - [" : "    - [", stdout);
    print_yaml_name(srs_model_shape(model, pair->shape_a)->label);
    fputs(", ", stdout);
    print_yaml_name(srs_model_shape(model, pair->shape_b)->label);
    if (pair->neutral_depth > 0)
      printf("]  # %.4g mm at zero, in %.4g %% of the poses\n", 1000 * pair->neutral_depth,
             100 * share_of(found, pair));
    else
      printf("]  # in %.4g %% of the poses, by up to %.4g mm\n", 100 * share_of(found, pair), 1000 * pair->depth);
  }
  if (n == 0) puts("# nothing to exclude");
}

// ---------------------------------------------------------------------------------------------------------------------
// As SRDF
// ---------------------------------------------------------------------------------------------------------------------

static void print_xml_text(const char *text)
{
  for (; *text != '\0'; text++) {
    const char *escaped = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '"' ? "&quot;" : NULL;
    if (escaped != NULL)
      fputs(escaped, stdout);
    else
      putchar(*text);
  }
}

// Whether an earlier pair that is offered lies on the same two links.
static bool is_said(const srs_model *model, const srs_sampled_pairs *found, int index, double often)
{
  const char *a = link_of(model, found->pairs[index].shape_a), *b = link_of(model, found->pairs[index].shape_b);
  for (int i = 0; i < index; i++) {
    if (!is_offered(found, &found->pairs[i], often)) continue;
    const char *one = link_of(model, found->pairs[i].shape_a), *other = link_of(model, found->pairs[i].shape_b);
    if ((strcmp(one, a) == 0 && strcmp(other, b) == 0) || (strcmp(one, b) == 0 && strcmp(other, a) == 0)) return true;
  }
  return false;
}

static void print_srdf(const srs_model *model, const srs_pairs_request *request, const srs_sampled_pairs *found)
{
  puts("<?xml version=\"1.0\"?>\n<robot name=\"robot\">");
  for (int i = 0; i < found->n; i++) {
    const srs_sampled_pair *pair = &found->pairs[i];
    if (!is_offered(found, pair, request->often) || is_said(model, found, i, request->often)) continue;
    fputs("  <disable_collisions link1=\"", stdout);
    print_xml_text(link_of(model, pair->shape_a));
    fputs("\" link2=\"", stdout);
    print_xml_text(link_of(model, pair->shape_b));
    printf("\" reason=\"%s\"/>\n", pair->n_overlaps == found->n_poses ? "Always" : "Default");
  }
  puts("</robot>");
}

// ---------------------------------------------------------------------------------------------------------------------
// As JSON
// ---------------------------------------------------------------------------------------------------------------------

static void print_json(const char *path, const srs_model *model, const srs_pairs_request *request,
                       const srs_sampled_pairs *found)
{
  srs_json json = {.file = stdout};
  srs_json_object(&json, NULL);
  srs_json_text(&json, "scene", path);
  srs_json_object(&json, "self_collision");
  srs_json_integer(&json, "pairs", found->n_pairs);
  srs_json_integer(&json, "poses", found->n_poses);
  srs_json_integer(&json, "seed", (long)request->seed);
  srs_json_number(&json, "often", request->often);
  srs_json_array(&json, "overlaps");
  for (int i = 0; i < found->n; i++) {
    const srs_sampled_pair *pair = &found->pairs[i];
    srs_json_object(&json, NULL);
    srs_json_text(&json, "shape_a", srs_model_shape(model, pair->shape_a)->label);
    srs_json_text(&json, "shape_b", srs_model_shape(model, pair->shape_b)->label);
    srs_json_text(&json, "link_a", link_of(model, pair->shape_a));
    srs_json_text(&json, "link_b", link_of(model, pair->shape_b));
    srs_json_number(&json, "depth_at_zero", pair->neutral_depth);
    srs_json_number(&json, "depth", pair->depth);
    srs_json_number(&json, "share", share_of(found, pair));
    srs_json_integer(&json, "exclude", is_offered(found, pair, request->often));
    srs_json_close(&json);
  }
  srs_json_close(&json);
  srs_json_close(&json);
  srs_json_close(&json);
}

int srs_check_pairs(const char *path, const srs_scene *scene, const srs_pairs_request *request)
{
  const srs_model *model = srs_scene_model(scene);
  srs_sampled_pairs found;
  srs_error error = {0};
  const srs_status status = srs_sample_pairs(model, &srs_scene_get_settings(scene)->collider, request->n_poses,
                                             request->seed, &found, &error);
  if (status == SRS_OK && request->is_json)
    print_json(path, model, request, &found);
  else if (status == SRS_OK && request->as_srdf)
    print_srdf(model, request, &found);
  else if (status == SRS_OK)
    print_yaml(path, model, request, &found);
  srs_sampled_pairs_free(&found);
  if (status == SRS_OK) return SRS_EXIT_OK;
  if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%s", path);
  return srs_report_failure(&error);
}
