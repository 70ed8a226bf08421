// `sarrus generate MODEL -o DIR`: the dynamics of one model as C source, a header and a self-test.
#include "engine/cli/generate/generate.h"

#include "engine/cli/eval/query.h"
#include "engine/cli/shared/loading.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/values.h"
#include "engine/generate/generate.h"

#include <stdio.h>
#include <string.h>

enum { PREFIX_SIZE = 49 };

typedef struct generate_options {
  srs_loading loading;
  const char *out, *functions, *prefix, *frames, *gravity;
  bool gravity_is_input, is_forced;
} generate_options;

static int read_function(const srs_command *command, const char *name, size_t length, unsigned *functions)
{
  for (int i = 0; i < SRS_GENERATED_FUNCTIONS; i++)
    if (strlen(srs_generated_names[i]) == length && strncmp(srs_generated_names[i], name, length) == 0) {
      *functions |= 1U << i;
      return SRS_EXIT_OK;
    }
  return srs_usage_error(command,
                         "--functions: there is no '%.*s'; there are rnea, aba, crba, fk, jacobian, derivatives",
                         (int)length, name);
}

static int read_functions(const srs_command *command, const char *list, unsigned *functions)
{
  if (list == NULL) {
    *functions = (1U << SRS_GENERATED_FUNCTIONS) - 1;
    return SRS_EXIT_OK;
  }
  for (const char *at = list;; at++) {
    const size_t length = strcspn(at, ",");
    const int status = read_function(command, at, length, functions);
    if (status != SRS_EXIT_OK) return status;
    at += length;
    if (*at == '\0') return SRS_EXIT_OK;
  }
}

// The file's name without folder and ending; what no identifier has becomes _.
static const char *prefix_of(const char *path, char prefix[PREFIX_SIZE])
{
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  const size_t length = dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name);
  const char first = name[0];
  const bool needs_letter = !((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z'));
  size_t at = 0;
  if (needs_letter) prefix[at++] = 'm';
  for (size_t i = 0; i < length && at < PREFIX_SIZE - 1; i++) {
    const char c = name[i];
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    prefix[at++] = is_plain ? c : '_';
  }
  prefix[at] = '\0';
  return prefix;
}

static void print_costs(const generate_options *given, const srs_generate_options *options,
                        const srs_generated_cost *costs)
{
  printf("%s/%s_dynamics.c, .h and _test.c\n", given->out, options->prefix);
  printf("%-12s %9s %15s %9s %8s\n", "function", "additions", "multiplications", "divisions", "sin, cos");
  for (int i = 0; i < SRS_GENERATED_FUNCTIONS; i++)
    if ((options->functions >> i & 1) != 0)
      printf("%-12s %9d %15d %9d %8d\n", srs_generated_names[i], costs[i].additions, costs[i].multiplications,
             costs[i].divisions, costs[i].sines);
}

static int generate_model(const srs_command *command, const generate_options *given, const srs_scene *scene,
                          srs_generate_options *options)
{
  const srs_model *model = srs_scene_model(scene);
  const srs_state state = {.model = model};
  srs_query query = {.state = &state};
  srs_generated_cost costs[SRS_GENERATED_FUNCTIONS];
  srs_error error = {0};
  int status = given->frames != NULL ? srs_query_choose_frames(command, &query, given->frames) : SRS_EXIT_OK;
  options->frames = query.frames, options->n_frames = query.n_frames;
  if (status == SRS_EXIT_OK) srs_loading_warn(command, model);
  if (given->functions == NULL) options->functions = srs_functions_of(model);
  if (status == SRS_EXIT_OK && srs_generate(model, given->out, options, costs, &error) != SRS_OK) {
    if (!given->is_forced && error.status == SRS_ERROR_FILE && strstr(error.message, "there already") != NULL)
      srs_report_note(command, "--force replaces it");
    status = error.status == SRS_ERROR_ARGUMENT ? srs_usage_error(command, "--prefix: %s", error.message)
                                                : srs_report_failure(&error);
  } else if (status == SRS_EXIT_OK) {
    if (srs_model_n_couplings(model) > 0)
      srs_report_note(command, "'%s' and what else couples joints is left open: every joint is a coordinate of its own",
                      srs_model_coupling(model, 0)->name);
    if (given->functions == NULL && (options->functions >> SRS_GENERATED_ABA & 1) == 0)
      srs_report_note(command, "no forward dynamics (aba): nothing resists a joint, as the warning says");
    print_costs(given, options, costs);
  }
  srs_query_free_frames(&query);
  return status;
}

static int generate(const srs_command *command, const generate_options *given, const char *path)
{
  char prefix[PREFIX_SIZE];
  srs_generate_options options = {.prefix = given->prefix != NULL ? given->prefix : prefix_of(path, prefix),
                                  .gravity_is_input = given->gravity_is_input,
                                  .overwrite = given->is_forced};
  if (given->out == NULL) return srs_usage_error(command, "--out DIR is missing: the folder for the files");
  int status = read_functions(command, given->functions, &options.functions);
  if (status != SRS_EXIT_OK) return status;
  srs_scene *scene = NULL;
  status = srs_loading_open(command, &given->loading, path, &scene);
  if (status != SRS_EXIT_OK) return status;
  memcpy(options.gravity, srs_scene_get_settings(scene)->sim.gravity, sizeof options.gravity);
  if (given->gravity != NULL) status = srs_value_vector(command, "gravity", given->gravity, options.gravity);
  if (status == SRS_EXIT_OK) status = generate_model(command, given, scene, &options);
  srs_scene_destroy(scene);
  return status;
}

static const char purpose[] =
    "Writes the dynamics of one robot file or scene as straight-line C99 that needs only <math.h>:\n"
    "DIR/PREFIX_dynamics.h, .c and a self-test, PREFIX_dynamics_test.c. Numbers of the model are constants in the "
    "code.\n"
    "stdout says how many operations a call takes.";

static const char notes[] =
    "Functions: rnea (inverse dynamics), aba (forward dynamics), crba (mass matrix), fk, jacobian, derivatives (of\n"
    "inverse dynamics). States are as everywhere: sarrus info shows the order. Models with loop closures are refused.\n"
    "Nothing that exists is overwritten without --force.";

int srs_command_generate(int argc, char **argv)
{
  srs_command command = {.name = "generate"};
  generate_options given = {0};
  bool wants_help = false;
  int status = srs_loading_create(&given.loading, argc);
  if (status != SRS_EXIT_OK) return status;
  const srs_option options[] = {
      {"out", "DIR", "folder for the files, made where it is missing (-o DIR)", .text = &given.out},
      {"functions", "LIST", "which functions, with commas between (default all)", .text = &given.functions},
      {"prefix", "NAME", "what all names begin with (default the file's name)", .text = &given.prefix},
      {"frames", "A,B", "frames of fk and jacobian (default those of the last links)", .text = &given.frames},
      {"gravity", "X,Y,Z", "m/s^2, world axes (default the scene's; 0,0,-9.81)", .text = &given.gravity},
      {"gravity-input", NULL, "gravity is an argument of the functions", .flag = &given.gravity_is_input},
      SRS_LOADING_OPTIONS(given.loading),
      {"force", NULL, "replace files that exist", .flag = &given.is_forced},
      {"quiet", NULL, "no warnings and notes", .flag = &command.is_quiet},
  };
  static const char *const operand_names[] = {"MODEL"};
  const srs_usage usage = {"generate MODEL -o DIR",         purpose, notes, operand_names, 1, options,
                           sizeof options / sizeof *options};
  const char *operands[1] = {NULL};
  status = srs_options_read(&command, &usage, argc, argv, operands, &wants_help);
  if (status == SRS_EXIT_OK && wants_help)
    srs_options_help(&usage);
  else if (status == SRS_EXIT_OK)
    status = generate(&command, &given, operands[0]);
  srs_loading_destroy(&given.loading);
  return status;
}
