// `sarrus check MODEL`: what became of all that a file says (model_report.c). With `--against` what differs from
// another model (engine/cli/against) instead. With `--pairs` the shapes that overlap by the way that a robot is drawn
// instead (pairs.c). With `--contacts` a second opinion: both detectors of collision are asked at the same poses, the
// one that the scene starts in, and those that its motion comes through.
#include "engine/cli/check/check.h"

#include "engine/cli/against/against.h"
#include "engine/cli/check/detectors.h"
#include "engine/cli/check/model_report.h"
#include "engine/cli/check/pairs.h"
#include "engine/cli/shared/json.h"
#include "engine/cli/shared/loading.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/shape_overlaps.h"
#include "engine/cli/shared/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct check_options {
  srs_loading loading;
  const char *margin, *within, *poses, *duration, *seed, *often, *against, *tolerance, *ignored;
  bool has_contacts, has_pairs, as_srdf, lists_all, is_json;
} check_options;

typedef struct check_settings {
  double margin, within, duration; // m, m, s
  int poses;
} check_settings;

static int read_settings(const srs_command *command, const check_options *given, const srs_scene_settings *scene,
                         check_settings *settings)
{
  *settings = (check_settings){.margin = 1e-4, .within = 0.01, .duration = scene->duration, .poses = 100};
  int status = SRS_EXIT_OK;
  if (given->margin != NULL) status = srs_value_not_negative(command, "margin", given->margin, &settings->margin);
  if (status == SRS_EXIT_OK && given->within != NULL)
    status = srs_value_not_negative(command, "within", given->within, &settings->within);
  if (status == SRS_EXIT_OK && given->duration != NULL)
    status = srs_value_not_negative(command, "duration", given->duration, &settings->duration);
  if (status == SRS_EXIT_OK && given->poses != NULL)
    status = srs_value_count(command, "poses", given->poses, &settings->poses);
  return status;
}

// Compares at the start and along the motion.
static srs_status compare_along(srs_sim *sim, const check_settings *settings, double dt, srs_detectors *detectors,
                                srs_error *error)
{
  const long n_steps = lround(settings->duration / dt);
  srs_status status = srs_detectors_compare(detectors, srs_sim_q(sim), srs_sim_time(sim), error);
  for (long pose = 1, done = 0; pose < settings->poses && done < n_steps && status == SRS_OK; pose++) {
    const long next = lround((double)n_steps * (double)pose / (settings->poses - 1.0));
    if (next == done) continue;
    status = srs_sim_step(sim, next - done, error);
    done = next;
    if (status == SRS_OK) status = srs_detectors_compare(detectors, srs_sim_q(sim), srs_sim_time(sim), error);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The report
// ---------------------------------------------------------------------------------------------------------------------

static const char *gap_text(double gap, char text[40])
{
  if (isfinite(gap))
    snprintf(text, 40, "%.9g m", gap);
  else
    snprintf(text, 40, "nothing within reach");
  return text;
}

static void print_pair(const srs_model *model, const srs_pair_difference *pair)
{
  char first[160], second[160], exact[40], bullet[40];
  printf("  %s and %s: %.3g m apart at t = %.9g s (exact %s, bullet %s", srs_shape_label(model, pair->shape_a, first),
         srs_shape_label(model, pair->shape_b, second), pair->worst, pair->time, gap_text(pair->exact, exact),
         gap_text(pair->bullet, bullet));
  if (!isnan(pair->angle)) printf("; normals %.3g rad apart", pair->angle);
  printf("), in %ld of %ld poses\n", pair->n_apart, pair->n_poses);
}

static void print_report(const char *path, const srs_model *model, const srs_detectors *found, int n_apart,
                         double worst, double end)
{
  printf("%s: detectors exact and bullet at %ld pose%s, t = 0 to %.9g s\n", path, found->n_poses,
         found->n_poses == 1 ? "" : "s", end);
  printf("pairs within %.9g m  %d\n", found->reach, found->n_pairs);
  if (found->n_pairs > 0) printf("largest difference  %.3g m\n", worst);
  printf("pairs whose gaps differ by more than %.9g m  %d\n", found->margin, n_apart);
  for (int i = 0; i < found->n_pairs; i++)
    if (found->pairs[i].n_apart > 0) print_pair(model, &found->pairs[i]);
}

static void write_report(const char *path, const srs_model *model, const srs_detectors *found, double worst, double end)
{
  srs_json json = {.file = stdout};
  srs_json_object(&json, NULL);
  srs_json_text(&json, "scene", path);
  srs_json_object(&json, "contacts");
  srs_json_integer(&json, "poses", found->n_poses);
  srs_json_number(&json, "end", end);
  srs_json_number(&json, "within", found->reach);
  srs_json_number(&json, "margin", found->margin);
  srs_json_integer(&json, "pairs", found->n_pairs);
  srs_json_number(&json, "worst", worst);
  srs_json_array(&json, "differences");
  for (int i = 0; i < found->n_pairs; i++) {
    const srs_pair_difference *pair = &found->pairs[i];
    char label[160];
    if (pair->n_apart == 0) continue;
    srs_json_object(&json, NULL);
    srs_json_text(&json, "shape_a", srs_shape_label(model, pair->shape_a, label));
    srs_json_text(&json, "shape_b", srs_shape_label(model, pair->shape_b, label));
    srs_json_number(&json, "difference", pair->worst);
    srs_json_number(&json, "time", pair->time);
    srs_json_number(&json, "exact", pair->exact);
    srs_json_number(&json, "bullet", pair->bullet);
    srs_json_number(&json, "angle", pair->angle);
    srs_json_integer(&json, "poses", pair->n_poses);
    srs_json_integer(&json, "poses_apart", pair->n_apart);
    srs_json_close(&json);
  }
  srs_json_close(&json);
  srs_json_close(&json);
  srs_json_close(&json);
}

// Whether any pair differs by more than the margin.
static bool report(const check_options *given, const char *path, const srs_model *model, const srs_detectors *found,
                   double end)
{
  int n_apart = 0;
  double worst = 0;
  for (int i = 0; i < found->n_pairs; i++) {
    n_apart += found->pairs[i].n_apart > 0;
    worst = fmax(worst, found->pairs[i].worst);
  }
  if (given->is_json)
    write_report(path, model, found, worst, end);
  else
    print_report(path, model, found, n_apart, worst, end);
  return n_apart > 0;
}

static int check_scene(const srs_command *command, const check_options *given, const char *path, const srs_scene *scene)
{
  const srs_scene_settings *scene_settings = srs_scene_get_settings(scene);
  const srs_model *model = srs_scene_model(scene);
  check_settings settings;
  int status = read_settings(command, given, scene_settings, &settings);
  if (status != SRS_EXIT_OK) return status;
  srs_sim *sim = NULL;
  srs_detectors detectors = {0};
  srs_error error = {0};
  srs_status done = srs_scene_create_sim(scene, &scene_settings->sim, &sim, &error);
  if (done == SRS_OK)
    done = srs_detectors_begin(model, &scene_settings->collider, settings.within, settings.margin, &detectors, &error);
  if (done == SRS_OK) done = compare_along(sim, &settings, scene_settings->sim.dt, &detectors, &error);
  if (done == SRS_OK) {
    const bool differs = report(given, path, model, &detectors, srs_sim_time(sim));
    status = differs ? SRS_EXIT_FAILED : SRS_EXIT_OK;
  } else {
    if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%s", path);
    status = srs_report_failure(&error);
  }
  srs_detectors_end(&detectors);
  srs_sim_destroy(sim);
  return status;
}

// Options of one kind of check are none of the others'.
static int check_options_given(const srs_command *command, const check_options *given)
{
  const struct {
    const char *name;
    bool is_given, has_its_check;
    const char *check;
  } options[] = {
      {"margin", given->margin != NULL, given->has_contacts, "--contacts"},
      {"within", given->within != NULL, given->has_contacts, "--contacts"},
      {"duration", given->duration != NULL, given->has_contacts, "--contacts"},
      {"poses", given->poses != NULL, given->has_contacts || given->has_pairs, "--contacts or --pairs"},
      {"seed", given->seed != NULL, given->has_pairs, "--pairs"},
      {"often", given->often != NULL, given->has_pairs, "--pairs"},
      {"as-srdf", given->as_srdf, given->has_pairs, "--pairs"},
      {"tolerance", given->tolerance != NULL, given->against != NULL, "--against"},
      {"ignore", given->ignored != NULL, given->against != NULL, "--against"},
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (options[i].is_given && !options[i].has_its_check)
      return srs_usage_error(command, "--%s belongs to %s; give that too", options[i].name, options[i].check);
  if (given->has_contacts && given->has_pairs)
    return srs_usage_error(command, "--contacts and --pairs are two checks; ask for one");
  if ((given->has_contacts || given->has_pairs) && given->against != NULL)
    return srs_usage_error(command, "--against and --%s are two checks; ask for one",
                           given->has_contacts ? "contacts" : "pairs");
  if ((given->has_contacts || given->has_pairs) && given->lists_all)
    return srs_usage_error(command, "--all lists elements of a file; leave out --%s",
                           given->has_contacts ? "contacts" : "pairs");
  return SRS_EXIT_OK;
}

static int check_pairs(const srs_command *command, const check_options *given, const char *path, const srs_scene *scene)
{
  srs_pairs_request request = {.n_poses = 1000, .seed = 1, .often = 0.95};
  request.as_srdf = given->as_srdf, request.is_json = given->is_json;
  int status = SRS_EXIT_OK, seed = 1;
  if (given->as_srdf && given->is_json)
    status = srs_usage_error(command, "--as-srdf and --json are two forms; ask for one");
  if (status == SRS_EXIT_OK && given->poses != NULL)
    status = srs_value_count(command, "poses", given->poses, &request.n_poses);
  if (status == SRS_EXIT_OK && given->seed != NULL) status = srs_value_count(command, "seed", given->seed, &seed);
  if (status == SRS_EXIT_OK && given->often != NULL)
    status = srs_value_not_negative(command, "often", given->often, &request.often);
  if (status == SRS_EXIT_OK && !(request.often <= 1))
    status = srs_usage_error(command, "--often is a share of the poses, from 0 to 1, not %s", given->often);
  request.seed = (uint64_t)seed;
  return status == SRS_EXIT_OK ? srs_check_pairs(path, scene, &request) : status;
}

// Those that look at shapes: a scene, or a robot file as one.
static int check_shapes(const srs_command *command, check_options *given, const char *path)
{
  srs_scene *scene = NULL;
  int status = srs_loading_open(command, &given->loading, path, &scene);
  if (status == SRS_EXIT_OK) srs_loading_warn(command, srs_scene_model(scene));
  if (status == SRS_EXIT_OK) status = (given->has_pairs ? check_pairs : check_scene)(command, given, path, scene);
  srs_scene_destroy(scene);
  return status;
}

// The check that was asked for.
static int check(srs_command *command, check_options *given, const char *path)
{
  if (given->against != NULL)
    return srs_check_against(command, &given->loading,
                             &(srs_against_request){path, given->against, given->tolerance, given->ignored,
                                                    given->lists_all, given->is_json});
  if (given->has_contacts || given->has_pairs) return check_shapes(command, given, path);
  return srs_report_model(command, &given->loading, path, given->lists_all, given->is_json);
}

static const char purpose[] =
    "Says what became of every element and attribute of a robot file (honoured, changed, ignored, refused, with\n"
    "FILE:LINE), draws the tree, and lists what is odd: masses and moments that do not fit each other or the shapes,\n"
    "limits that look like degrees, meshes that look like mm, a left that differs from its right, shapes that overlap\n"
    "at the start. What many elements share is one line. The exit status is 1 where the file is refused, with "
    "--strict\n"
    "also where anything is changed, ignored or doubtful; else 0.\n\n"
    "--against compares the model with that of another file of any format instead, by name: links, joints, masses,\n"
    "shapes and frames; each difference is named with FILE:LINE of both. The exit status is that of diff: 0 no\n"
    "difference, 1 some, 2 a mistake or a file that is refused.\n\n"
    "--contacts asks a second opinion about a scene instead: both detectors of collision, exact and bullet, find\n"
    "the gaps between shapes at the same poses: where the scene starts, and evenly over its motion. Pairs whose gaps\n"
    "differ by more than the margin are listed, and the exit status is then 1.\n\n"
    "--pairs draws poses of each robot at random between its limits; the shapes that overlap where all coordinates "
    "are\n"
    "zero, or in nearly all poses, are printed as an exclusion list for a scene.";

int srs_command_check(int argc, char **argv)
{
  srs_command command = {.name = "check"};
  check_options given = {0};
  bool wants_help = false;
  int status = srs_loading_create(&given.loading, argc);
  if (status != SRS_EXIT_OK) return status;
  const srs_option options[] = {
      {"against", "OTHER", "what differs from another robot file or scene", .text = &given.against},
      {"tolerance", "T", "with --against: what is no difference, m, rad, and relative (default 1e-5)",
       .text = &given.tolerance},
      {"ignore", "KIND,KIND", "with --against: kinds of differences that are none", .text = &given.ignored},
      {"contacts", NULL, "compare the detectors of collision", .flag = &given.has_contacts},
      {"pairs", NULL, "find shapes of a robot that overlap by the way it is drawn", .flag = &given.has_pairs},
      {"often", "F", "with --pairs: the share of poses from which on a pair is excluded (default 0.95)",
       .text = &given.often},
      {"seed", "N", "with --pairs: which poses (default 1)", .text = &given.seed},
      {"as-srdf", NULL, "with --pairs: print SRDF instead", .flag = &given.as_srdf},
      {"margin", "M", "differences of gaps up to this are none, m (default 0.0001)", .text = &given.margin},
      {"within", "M", "look at pairs that one detector finds this near, m (default 0.01)", .text = &given.within},
      {"poses", "N", "how many poses, with the first (default 100; with --pairs 1000)", .text = &given.poses},
      {"duration", "T", "how far the motion goes, s (default: the scene's)", .text = &given.duration},
      {"all", NULL, "a line for every element and message, not for every kind", .flag = &given.lists_all},
      SRS_LOADING_OPTIONS(given.loading),
      {"json", NULL, "one JSON object instead", .flag = &given.is_json},
      {"quiet", NULL, "no warnings and notes", .flag = &command.is_quiet},
  };
  static const char *const operand_names[] = {"MODEL"};
  const srs_usage usage = {"check MODEL",
                           purpose,
                           "Nothing is written but the report.",
                           operand_names,
                           1,
                           options,
                           sizeof options / sizeof *options};
  const char *path = NULL;
  status = srs_options_read(&command, &usage, argc, argv, &path, &wants_help);
  if (status == SRS_EXIT_OK && wants_help) {
    srs_options_help(&usage);
  } else if (status == SRS_EXIT_OK) {
    status = check_options_given(&command, &given);
    if (status == SRS_EXIT_OK) status = check(&command, &given, path);
  }
  srs_loading_destroy(&given.loading);
  return status;
}
