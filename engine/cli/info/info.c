// `sarrus info MODEL`: shows the mechanism that was read: the tree of links and joints, merged links, counts, mass,
// base, and every warning. Nothing is simulated.
#include "engine/cli/info/info.h"

#include "engine/cli/info/columns.h"
#include "engine/cli/info/info_json.h"
#include "engine/cli/info/loops.h"
#include "engine/cli/info/sensors.h"
#include "engine/cli/shared/command.h"
#include "engine/cli/shared/loading.h"
#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/options.h"
#include "engine/cli/shared/shape_overlaps.h"
#include "engine/cli/shared/start_warnings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_number(double value)
{
  char text[32];
  srs_format_number(value, text);
  fputs(text, stdout);
}

static void print_numbers(const char *before, const double *values, int n)
{
  fputs(before, stdout);
  for (int i = 0; i < n; i++) {
    if (i > 0) putchar(' ');
    print_number(values[i]);
  }
}

// "1 link", "2 links"
static void print_count(int n, const char *what, const char *after)
{
  printf("%d %s%s%s", n, what, n == 1 ? "" : "s", after);
}

static void print_limits(const srs_model *model, const srs_joint *joint)
{
  for (int i = joint->v_index; i < joint->v_index + joint->nv; i++) {
    const double lower = srs_model_lower(model)[i], upper = srs_model_upper(model)[i];
    if (!isfinite(lower) && !isfinite(upper)) continue;
    fputs(joint->nv == 1 ? ", limits" : ", limits of ", stdout);
    if (joint->nv > 1) fputs(srs_model_v_name(model, i), stdout);
    putchar(' ');
    isfinite(lower) ? print_number(lower) : (void)fputs("-", stdout);
    fputs(" to ", stdout);
    isfinite(upper) ? print_number(upper) : (void)fputs("-", stdout);
  }
}

// Values that are not zero, one for each coordinate of the joint.
static void print_if_any(const char *before, const double *values, const srs_joint *joint)
{
  for (int i = 0; i < joint->nv; i++) {
    if (values[joint->v_index + i] == 0) continue;
    print_numbers(before, values + joint->v_index, joint->nv);
    return;
  }
}

static void print_joint(const srs_model *model, const srs_joint *joint)
{
  printf("%s: %s", joint->name[0] != '\0' ? joint->name : "(no name)", srs_joint_kind_name(joint->kind));
  const bool has_axis =
      joint->kind != SRS_JOINT_FIXED && joint->kind != SRS_JOINT_SPHERICAL && joint->kind != SRS_JOINT_FREE;
  if (has_axis) print_numbers(", axis ", joint->axis, 3);
  if (joint->kind == SRS_JOINT_UNIVERSAL) print_numbers(", second axis ", joint->axis2, 3);
  if (joint->kind == SRS_JOINT_HELICAL) print_numbers(", pitch ", &joint->pitch, 1);
  print_limits(model, joint);
  print_if_any(", armature ", srs_model_armature(model), joint);
  print_if_any(", damping ", srs_model_damping(model), joint);
  print_if_any(", stiffness ", srs_model_stiffness(model), joint);
  print_if_any(", dry friction ", srs_model_friction(model), joint);
}

// The frames of each link in a list, and how deep the link is in the tree.
typedef struct outline {
  int *head, *next; // n_links + 1, the world's first; n_frames: the next frame on the same link, -1
  int *depth;       // n_links
} outline;

static void outline_free(outline *o)
{
  free(o->head);
  free(o->next);
  free(o->depth);
}

static bool outline_make(const srs_model *model, outline *o)
{
  const int n = srs_model_n_links(model), n_frames = srs_model_n_frames(model);
  o->head = malloc(((size_t)n + 1) * sizeof *o->head);
  o->next = malloc(((size_t)n_frames + 1) * sizeof *o->next);
  o->depth = malloc(((size_t)n + 1) * sizeof *o->depth);
  if (o->head == NULL || o->next == NULL || o->depth == NULL) {
    outline_free(o);
    return false;
  }
  for (int k = 0; k <= n; k++) o->head[k] = -1;
  for (int i = n_frames - 1; i >= 0; i--) {
    int *head = &o->head[srs_model_frame(model, i)->link + 1];
    o->next[i] = *head;
    *head = i;
  }
  for (int k = 0; k < n; k++) {
    const int parent = srs_model_link(model, k)->parent;
    o->depth[k] = parent >= 0 ? o->depth[parent] + 1 : 1;
  }
  return true;
}

// The frames on a link (-1: the world) besides its own.
static void print_frames(const srs_model *model, const outline *o, int link)
{
  const char *own = link >= 0 ? srs_model_link(model, link)->name : "";
  int count = 0;
  for (int i = o->head[link + 1]; i >= 0; i = o->next[i]) {
    const srs_frame *frame = srs_model_frame(model, i);
    if (strcmp(frame->name, own) == 0) continue;
    printf("%s%s", count++ == 0 ? "; frames " : ", ", frame->name);
  }
}

// Two blanks a level; beyond the last level that is drawn the line says which it is.
static void print_level(int depth)
{
  enum { MOST_DRAWN = 40 };
  if (depth <= MOST_DRAWN)
    printf("%*s", 2 * depth, "");
  else
    printf("%*s[%d] ", 2 * MOST_DRAWN, "", depth);
}

static bool print_tree(const srs_model *model)
{
  outline o;
  if (!outline_make(model, &o)) return false;
  fputs("world", stdout);
  print_frames(model, &o, -1);
  putchar('\n');
  for (int k = 0; k < srs_model_n_links(model); k++) {
    const srs_link *link = srs_model_link(model, k);
    print_level(o.depth[k]);
    print_joint(model, srs_model_joint(model, k));
    printf(" -> %s: ", link->name);
    print_number(link->mass);
    fputs(" kg", stdout);
    if (link->mass > 0) print_numbers(", centre ", link->com, 3);
    print_frames(model, &o, k);
    putchar('\n');
  }
  outline_free(&o);
  return true;
}

static void print_shapes(const srs_model *model, const srs_shape_overlaps *shapes)
{
  fputs("shapes: ", stdout);
  print_count(srs_model_n_shapes(model), "shape", "");
  if (shapes->n_visual > 0) printf(", %d visual only", shapes->n_visual);
  if (shapes->n_meshes > 0)
    printf(", %d mesh%s not collide", shapes->n_meshes, shapes->n_meshes == 1 ? " that does" : "es that do");
  if (shapes->n_pairs >= 0) {
    fputs("; ", stdout);
    print_count(shapes->n_pairs, "pair", " may collide");
  }
  putchar('\n');
  if (shapes->problem[0] != '\0') printf("no collision: %s\n", shapes->problem);
}

static void print_overlaps(const srs_model *model, const srs_shape_overlaps *shapes)
{
  const int n = shapes->n_overlaps;
  if (n > 0) printf("\n%d overlap%s at the start\n", n, n == 1 ? "" : "s");
  for (int i = 0; i < n; i++) {
    const srs_overlap *overlap = &shapes->overlaps[i];
    char first[160], second[160];
    printf("  %s and %s: %.4g mm%s\n", srs_shape_label(model, overlap->shape_a, first),
           srs_shape_label(model, overlap->shape_b, second), 1000 * overlap->depth, srs_overlap_reason(overlap));
  }
}

static void print_value(const char *before, double value, const char *unit)
{
  print_numbers(before, &value, 1);
  fputs(unit, stdout);
}

static void print_material(double friction, double restitution, double torsional, double rolling)
{
  if (!isnan(friction)) print_value(" friction ", friction, "");
  if (!isnan(restitution)) print_value(" restitution ", restitution, "");
  if (!isnan(torsional)) print_value(" torsional ", torsional, " m");
  if (!isnan(rolling)) print_value(" rolling ", rolling, " m");
  putchar('\n');
}

// The contact laws and materials.
static void print_contact(const srs_sim_options *options)
{
  const srs_contact_settings *c = &options->contact;
  if (!c->enabled) {
    puts("contact: switched off");
    return;
  }
  printf("contact: activation %s", srs_activation_name(c->activation));
  if (c->activation == SRS_ACTIVATION_DISTANCE) print_value(" ", c->distance, " m");
  printf(", normal law %s", srs_normal_law_name(c->normal));
  print_value(", error_reduction ", c->error_reduction, "");
  printf("\n  impacts %s above ", srs_impact_law_name(c->impact));
  print_value("", srs_impact_threshold(options), " m/s\n");
  print_value("  friction ", c->friction, "");
  printf(", of two materials the %s\n", srs_combination_name(c->friction_rule));
  print_value("  restitution ", c->restitution, "");
  printf(", of two materials the %s\n", srs_combination_name(c->restitution_rule));
  print_value("  torsional friction ", c->torsional, " m, of two materials the larger\n");
  print_value("  rolling friction ", c->rolling, " m, of two materials the larger\n");
  for (int i = 0; i < c->n_materials; i++) {
    printf("  material %s:", c->materials[i].name);
    const srs_material *m = &c->materials[i];
    const double *d = m->direction;
    print_material(m->friction, m->restitution, m->torsional, m->rolling);
    if (d[0] == 0 && d[1] == 0 && d[2] == 0) continue;
    print_numbers("    friction along ", d, 3);
    print_value(" of the shape times ", m->along, "");
    print_value(", across times ", m->across, "\n");
  }
  for (int i = 0; i < c->n_pairs; i++) {
    printf("  between %s and %s:", c->pairs[i].a, c->pairs[i].b);
    print_material(c->pairs[i].friction, c->pairs[i].restitution, c->pairs[i].torsional, c->pairs[i].rolling);
  }
}

// Returns false when out of memory.
static bool print_info(const char *path, const srs_scene *scene, const srs_shape_overlaps *shapes,
                       const srs_loops *loops, const srs_start_warnings *start)
{
  const srs_model *model = srs_scene_model(scene);
  printf("%s: ", path);
  print_count(srs_model_n_links(model), "moving link", ", ");
  print_count(srs_model_n_frames(model), "frame", ", ");
  print_count(srs_model_n_shapes(model), "shape", "\n");
  printf("degrees of freedom: %d (", srs_model_nv(model));
  print_count(srs_model_nq(model), "coordinate", ")\n");
  printf("base: %s\nmoving mass: ", srs_loading_base(model));
  print_number(srs_model_mass(model));
  fputs(" kg\n", stdout);
  srs_loops_print(model, loops);
  if (srs_model_n_shapes(model) > 0) print_shapes(model, shapes);
  if (start->left_out != NULL) puts(start->left_out);
  if (shapes->n_pairs > 0) print_contact(&srs_scene_get_settings(scene)->sim);
  srs_info_print_sensors(scene);
  putchar('\n');
  if (!print_tree(model)) return false;
  print_overlaps(model, shapes);
  int n_notes = 0;
  for (int i = 0; i < srs_model_n_warnings(model); i++) n_notes += srs_model_is_note(model, i);
  const int n = srs_model_n_warnings(model) - n_notes + start->n;
  if (n + n_notes == 0) return true;
  putchar('\n');
  if (n > 0) print_count(n, "warning", n_notes > 0 ? ", " : "");
  if (n_notes > 0) print_count(n_notes, "note", "");
  puts(", on stderr");
  return true;
}

// A scene that makes no sim has no warnings of its start; what keeps it from that is shown elsewhere.
static bool find_start(const srs_scene *scene, srs_start_warnings *found, srs_shape_overlaps *shapes)
{
  const srs_scene_settings *settings = srs_scene_get_settings(scene);
  srs_sim *sim = NULL;
  srs_error error;
  *found = (srs_start_warnings){.n = 0};
  const srs_status status = srs_scene_create_sim(scene, &settings->sim, &sim, &error);
  const srs_collider *collider = status == SRS_OK ? srs_sim_collider(sim) : NULL;
  const bool has_overlaps = srs_shape_overlaps_find(scene, collider, shapes);
  const bool has_warnings =
      status == SRS_OK ? srs_start_warnings_find(sim, settings, NULL, found) : status != SRS_ERROR_MEMORY;
  srs_sim_destroy(sim);
  return has_overlaps && has_warnings;
}

static int show(const srs_command *command, const char *path, const srs_scene *scene, bool is_json)
{
  srs_shape_overlaps shapes;
  srs_loops loops;
  srs_start_warnings start;
  const bool has_start = find_start(scene, &start, &shapes), has_loops = srs_loops_find(scene, &loops);
  int status = SRS_EXIT_OK;
  if (!has_start || !has_loops) {
    srs_error error;
    srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for %s", has_start ? "loops" : "overlaps and warnings");
    status = srs_report_failure(&error);
  } else if (is_json) {
    srs_info_json(path, scene, &shapes, &loops, &start);
  } else if (!print_info(path, scene, &shapes, &loops, &start)) {
    srs_error error;
    srs_report_fill(&error, SRS_ERROR_MEMORY, "out of memory for the tree");
    status = srs_report_failure(&error);
  } else {
    fflush(stdout); // where both go to one place, the warnings come last
    srs_loading_warn(command, srs_scene_model(scene));
    for (int i = 0; i < start.n; i++) srs_report_warning(command, start.texts[i]);
  }
  srs_shape_overlaps_free(&shapes);
  srs_loops_free(&loops);
  srs_start_warnings_free(&start);
  return status;
}

static const char purpose[] =
    "Shows the mechanism of a robot file or scene as it was read: every joint with its kind, axis (in the joint's\n"
    "frame), limits and the link it carries, with mass, centre of mass and the frames on it; loops, with how many\n"
    "of their rows are independent where the scene starts; and the shapes that overlap there.";

int srs_command_info(int argc, char **argv)
{
  srs_command command = {.name = "info"};
  srs_loading loading;
  bool is_json = false, has_columns = false, wants_help = false;
  int status = srs_loading_create(&loading, argc);
  if (status != SRS_EXIT_OK) return status;
  const srs_option options[] = {
      SRS_LOADING_OPTIONS(loading),
      {"columns", NULL, "instead: the columns that a trajectory can have, with units and axes", .flag = &has_columns},
      {"json", NULL, "one JSON object instead", .flag = &is_json},
      {"quiet", NULL, "no warnings", .flag = &command.is_quiet},
  };
  static const char *const operand_names[] = {"MODEL"};
  const srs_usage usage = {"info MODEL",
                           purpose,
                           "Units are SI: m, kg, rad, N, N m.",
                           operand_names,
                           1,
                           options,
                           sizeof options / sizeof *options};
  const char *path = NULL;
  status = srs_options_read(&command, &usage, argc, argv, &path, &wants_help);
  if (status == SRS_EXIT_OK && wants_help) {
    srs_options_help(&usage);
  } else if (status == SRS_EXIT_OK) {
    srs_scene *scene = NULL;
    status = srs_loading_open(&command, &loading, path, &scene);
    if (status == SRS_EXIT_OK)
      status = has_columns ? srs_columns_print(path, scene) : show(&command, path, scene, is_json);
    srs_scene_destroy(scene);
  }
  srs_loading_destroy(&loading);
  return status;
}
