// `sarrus convert IN OUT`: a robot file becomes a scene, a scene a robot file. The file that was written is read again
// and compared with the model, to the bit. `sarrus convert RUN OUT`: a recording becomes what others show (../motion).
#include "engine/cli/convert/convert.h"

#include "engine/cli/motion/export.h"
#include "engine/cli/shared/loading.h"
#include "engine/cli/shared/messages.h"
#include "topology/base/text.h"
#include "topology/files/robot_file.h"
#include "topology/save/compare.h"

#include <stdio.h>
#include <string.h>

static void say_note(void *context, const char *text) { srs_report_note(context, "%s", text); }

// One root on a free joint: a URDF holds neither, so it is read with a floating base.
static bool needs_floating_base(const srs_model *model)
{
  int n_roots = 0;
  for (int i = 0; i < srs_model_n_links(model); i++) n_roots += srs_model_link(model, i)->parent < 0;
  return n_roots == 1 && srs_model_joint(model, 0)->kind == SRS_JOINT_FREE;
}

// ---------------------------------------------------------------------------------------------------------------------
// What a robot file has that no model holds
// ---------------------------------------------------------------------------------------------------------------------

enum { MOST_KINDS = 40, NAME_SIZE = 48 };

// Names of elements, each with how often it came.
typedef struct leftovers {
  char names[MOST_KINDS][NAME_SIZE];
  int counts[MOST_KINDS];
  int n, n_further; // elements of further names
} leftovers;

// A srs_file_visit. Attributes without effect are few, and a warning names each.
static void take_leftover(void *context, const srs_file_item *item)
{
  leftovers *left = context;
  if (item->state == SRS_ITEM_READ || item->attribute != NULL) return;
  const char *slash = strrchr(item->path, '/');
  char name[NAME_SIZE];
  srs_print(name, sizeof name, "%s", slash != NULL ? slash + 1 : item->path);
  int i = 0;
  while (i < left->n && strcmp(left->names[i], name) != 0) i++;
  if (i == MOST_KINDS) {
    left->n_further++;
    return;
  }
  if (i == left->n) memcpy(left->names[left->n++], name, sizeof name);
  left->counts[i]++;
}

static void note_leftovers(const srs_command *command, const leftovers *left, const char *from)
{
  char text[MOST_KINDS * (NAME_SIZE + 16)] = "";
  size_t at = 0;
  for (int i = 0; i < left->n; i++, at = strlen(text))
    srs_print(text + at, sizeof text - at, "%s<%s> (%d)", i > 0 ? ", " : "", left->names[i], left->counts[i]);
  if (left->n_further > 0) srs_print(text + at, sizeof text - at, " and %d others", left->n_further);
  if (left->n > 0) srs_report_note(command, "%s: no part of the model, left out: %s", from, text);
}

// What reads back, and whether it is the same.
static int verify(const srs_command *command, const srs_loading *loading, const srs_model *model, const char *path)
{
  srs_scene_options options = srs_default_scene_options();
  options.load.packages = loading->packages.count > 0 ? loading->packages.items : NULL;
  options.load.build.allow_impossible_inertia = loading->allows_impossible_inertia;
  if (needs_floating_base(model)) options.load.base = SRS_BASE_FLOATING;
  srs_scene *scene = NULL;
  srs_error error = {0};
  char where[160];
  if (srs_scene_load(path, &options, &scene, &error) != SRS_OK) {
    srs_report_note(command, "%s was written, but does not read back", path);
    return srs_report_failure(&error);
  }
  const srs_model *read = srs_scene_model(scene);
  const bool is_same = srs_model_equals(model, read, where);
  printf("%s: %d links, %d shapes; %s%s\n", path, srs_model_n_links(read), srs_model_n_shapes(read),
         is_same ? "reads back as the same model to the bit" : "reads back as another model, the first difference: ",
         where);
  srs_scene_destroy(scene);
  return SRS_EXIT_OK;
}

static int convert(srs_command *command, srs_loading *loading, const char *from, const char *to, bool is_forced)
{
  srs_scene *scene = NULL;
  srs_error error = {0};
  leftovers left = {0};
  loading->visit = take_leftover;
  loading->visit_context = &left;
  int status = srs_loading_open(command, loading, from, &scene);
  if (status != SRS_EXIT_OK) return status;
  srs_loading_warn(command, srs_scene_model(scene));
  srs_save_options options = srs_default_save_options();
  options.overwrite = is_forced;
  options.model_only = !srs_is_robot_file(from);
  options.note = say_note;
  options.context = command;
  if (srs_model_save(srs_scene_model(scene), to, &options, &error) != SRS_OK) {
    if (!is_forced && error.status == SRS_ERROR_FILE && strstr(error.message, "there already") != NULL)
      srs_report_note(command, "--force replaces it");
    status = srs_report_failure(&error);
  } else {
    note_leftovers(command, &left, from);
    if (!srs_is_robot_file(from))
      srs_report_note(command,
                      "the scene's settings (gravity, time step, contact, initial state, outputs) belong to no "
                      "model and are not written");
    status = verify(command, loading, srs_scene_model(scene), to);
  }
  srs_scene_destroy(scene);
  return status;
}

static const char purpose[] =
    "Writes the model of a robot file or a scene in the format that OUT ends with: .urdf, or .yaml for a scene. All\n"
    "that the format can say is kept to the bit, with numbers as short as that allows; a note on stderr names each "
    "kind\n"
    "of thing that it cannot say. OUT is then read again, and stdout says whether it gives the same model.\n"
    "A run (.h5, .csv) becomes .csv; .pvd, with a folder of files for ParaView; or .gltf, an animation.";

int srs_command_convert(int argc, char **argv)
{
  srs_command command = {.name = "convert"};
  srs_loading loading;
  bool is_forced = false, wants_help = false;
  const char *given_scene = NULL, *every = NULL;
  int status = srs_loading_create(&loading, argc);
  if (status != SRS_EXIT_OK) return status;
  const srs_option options[] = {
      SRS_LOADING_OPTIONS(loading),
      {"force", NULL, "replace OUT where it exists", .flag = &is_forced},
      {"every", "N", "of a run: a frame every N rows", .text = &every},
      {"scene", "FILE", "of a run: its scene, where it is not that which it names", .text = &given_scene},
      {"quiet", NULL, "no warnings and notes", .flag = &command.is_quiet},
  };
  static const char *const operand_names[] = {"IN", "OUT"};
  const srs_usage usage = {"convert IN OUT",
                           purpose,
                           "Nothing that exists is overwritten without --force.",
                           operand_names,
                           2,
                           options,
                           sizeof options / sizeof *options};
  const char *operands[2] = {NULL, NULL};
  status = srs_options_read(&command, &usage, argc, argv, operands, &wants_help);
  if (status == SRS_EXIT_OK && wants_help)
    srs_options_help(&usage);
  else if (status == SRS_EXIT_OK && srs_is_run_file(operands[0]) && !srs_is_export(operands[0], operands[1]))
    status = srs_usage_error(&command, "%s: a run becomes .csv, .pvd or .gltf", operands[1]);
  else if (status == SRS_EXIT_OK && srs_is_export(operands[0], operands[1]))
    status = srs_export_run(&command, &loading,
                            &(srs_export_request){operands[0], operands[1], given_scene, every, is_forced});
  else if (status == SRS_EXIT_OK)
    status = convert(&command, &loading, operands[0], operands[1], is_forced);
  srs_loading_destroy(&loading);
  return status;
}
