// Two robot files of which one is a copy that is wrong in one place: is the place named, and nothing else? 200 copies
// of all robots of the data, each with one mutation drawn by a seed.
#include "support/urdf_cases.h"
#include "unit/engine/cli/robot_names.h"
#include <sarrus/engine.h>

#include <math.h>
#include <stdlib.h>

// The files of the command are in no library.
#include "engine/cli/against/bodies.c"      // NOLINT(bugprone-suspicious-include)
#include "engine/cli/against/differences.c" // NOLINT(bugprone-suspicious-include)
#include "engine/cli/against/frames.c"      // NOLINT(bugprone-suspicious-include)
#include "engine/cli/against/joints.c"      // NOLINT(bugprone-suspicious-include)
#include "engine/cli/against/loops.c"       // NOLINT(bugprone-suspicious-include)
#include "engine/cli/against/mesh_files.c"  // NOLINT(bugprone-suspicious-include)
#include "engine/cli/against/placements.c"  // NOLINT(bugprone-suspicious-include)
#include "engine/cli/against/shapes.c"      // NOLINT(bugprone-suspicious-include)
#include "engine/cli/against/sides.c"       // NOLINT(bugprone-suspicious-include)
#include "engine/cli/shared/json.c"         // NOLINT(bugprone-suspicious-include)

enum { COPIES = 200, MOST_BLOCKS = 400 };

// ---------------------------------------------------------------------------------------------------------------------
// The text of a robot
// ---------------------------------------------------------------------------------------------------------------------

typedef struct range {
  const char *begin, *end;
} range;

// A joint or a link.
typedef struct block {
  range text;
  char name[100], type[40];
} block;

typedef struct robot {
  char *text;
  srs_model *model;
  block joints[MOST_BLOCKS], links[MOST_BLOCKS];
  int n_joints, n_links;
} robot;

// On one line, so that attributes in lines of their own are found like others, and without what stands in comments.
static void tidy(char *text)
{
  for (char *c = text; *c != '\0'; c++)
    if (*c == '\n' || *c == '\t' || *c == '\r') *c = ' ';
  for (char *open = strstr(text, "<!--"); open != NULL; open = strstr(open, "<!--")) {
    char *close = strstr(open, "-->");
    if (close == NULL) return;
    memset(open, ' ', (size_t)(close + 3 - open));
  }
}

// The value of an attribute of the tag that begins at `tag`; empty and NULL where it has none.
static range attribute_of(const char *tag, const char *attribute)
{
  const char *end = strchr(tag, '>');
  char words[40];
  snprintf(words, sizeof words, " %s=\"", attribute);
  const char *at = strstr(tag, words);
  if (at == NULL || end == NULL || at > end) return (range){NULL, NULL};
  at += strlen(words);
  return (range){at, strchr(at, '"')};
}

static void copy_range(range from, char *to, size_t size)
{
  snprintf(to, size, "%.*s", from.begin != NULL ? (int)(from.end - from.begin) : 0,
           from.begin != NULL ? from.begin : "");
}

static int find_blocks(const char *text, const char *element, block *blocks)
{
  char open[20], close[20];
  int n = 0;
  snprintf(open, sizeof open, "<%s ", element), snprintf(close, sizeof close, "</%s>", element);
  for (const char *at = strstr(text, open); at != NULL && n < MOST_BLOCKS; at = strstr(at + 1, open)) {
    block *b = &blocks[n];
    const char *tag_end = strchr(at, '>'), *end = strstr(at, close);
    copy_range(attribute_of(at, "name"), b->name, sizeof b->name);
    copy_range(attribute_of(at, "type"), b->type, sizeof b->type);
    const bool is_joint = strcmp(element, "joint") == 0;
    if (tag_end[-1] == '/' || end == NULL || b->name[0] == '\0') continue;
    if (is_joint && b->type[0] == '\0') continue; // of a transmission
    b->text = (range){at, end};
    n++;
  }
  return n;
}

// One of the elements of that name within a range.
static bool draw_element(testing_random *random, range in, const char *element, range *found)
{
  char open[2][20], close[20];
  const char *at_all[100];
  int n = 0;
  snprintf(open[0], sizeof open[0], "<%s ", element), snprintf(open[1], sizeof open[1], "<%s>", element);
  snprintf(close, sizeof close, "</%s>", element);
  for (const char *at = in.begin; at < in.end && n < 100; at++)
    if (strncmp(at, open[0], strlen(open[0])) == 0 || strncmp(at, open[1], strlen(open[1])) == 0) at_all[n++] = at;
  if (n == 0) return false;
  found->begin = at_all[testing_below(random, n)];
  const char *tag_end = strchr(found->begin, '>'), *end = strstr(found->begin, close);
  found->end = tag_end[-1] == '/' || end == NULL ? tag_end : end;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Mutations
// ---------------------------------------------------------------------------------------------------------------------

typedef enum change { MOVE, TURN, NEGATE, TIMES, ADD, REPLACE, SCALE, GRANDPARENT, SWAP } change;

typedef struct mutation {
  const char *claim, *owner, *within, *element, *attribute; // within: "inertial", …; NULL for the owner itself
  change change;
  double low, high;  // drawn between these, by its logarithm
  const char *types; // of joints: those it makes a difference for; NULL for all
  const char *text;
} mutation;

#define MOVING "revolute continuous prismatic"

static const mutation mutations[] = {
    {"a joint moved", "joint", NULL, "origin", "xyz", MOVE, 1e-3, 0.1, NULL, NULL},
    {"a joint moved by 2 to 10 cm", "joint", NULL, "origin", "xyz", MOVE, 0.02, 0.1, MOVING, NULL},
    {"a joint turned", "joint", NULL, "origin", "rpy", MOVE, 1e-3, 1, NULL, NULL},
    {"an axis turned", "joint", NULL, "axis", "xyz", TURN, 1e-3, 1, MOVING, NULL},
    {"an axis reversed", "joint", NULL, "axis", "xyz", NEGATE, 0, 0, MOVING, NULL},
    {"a lower limit", "joint", NULL, "limit", "lower", ADD, -0.5, -1e-3, "revolute prismatic", NULL},
    {"an upper limit", "joint", NULL, "limit", "upper", ADD, 1e-3, 0.5, "revolute prismatic", NULL},
    {"limits of two joints swapped", "joint", NULL, "limit", "lower", SWAP, 0, 0, "revolute prismatic", NULL},
    {"an effort", "joint", NULL, "limit", "effort", TIMES, 0.5, 2, MOVING, NULL},
    {"a velocity", "joint", NULL, "limit", "velocity", TIMES, 0.5, 2, MOVING, NULL},
    {"a damping", "joint", NULL, "dynamics", "damping", ADD, 1e-3, 1, MOVING, NULL},
    {"a dry friction", "joint", NULL, "dynamics", "friction", ADD, 1e-3, 1, MOVING, NULL},
    {"another type", "joint", NULL, NULL, "type", REPLACE, 0, 0, "revolute prismatic", "continuous"},
    {"a joint that is locked", "joint", NULL, NULL, "type", REPLACE, 0, 0, MOVING, "fixed"},
    {"another parent", "joint", NULL, "parent", "link", GRANDPARENT, 0, 0, MOVING, NULL},
    {"a multiplier", "joint", NULL, "mimic", "multiplier", TIMES, 1.01, 2, MOVING, NULL},
    {"a mass", "link", "inertial", "mass", "value", TIMES, 1.001, 3, NULL, NULL},
    {"a centre of mass", "link", "inertial", "origin", "xyz", MOVE, 1e-3, 0.1, NULL, NULL},
    {"a moment", "link", "inertial", "inertia", "ixx", TIMES, 1.01, 2, NULL, NULL},
    {"a product of inertia", "link", "inertial", "inertia", "ixy", ADD, 1e-3, 0.1, NULL, NULL},
    {"a mesh to collide with", "link", "collision", "mesh", "filename", REPLACE, 0, 0, NULL, "package://other/m.stl"},
    {"a mesh that is drawn", "link", "visual", "mesh", "filename", REPLACE, 0, 0, NULL, "package://other/m.dae"},
    {"a scale", "link", NULL, "mesh", "filename", SCALE, 1e-3, 1e3, NULL, NULL},
    {"a box", "link", "collision", "box", "size", MOVE, 1e-3, 0.1, NULL, NULL},
    {"a radius", "link", "collision", "cylinder", "radius", ADD, 1e-3, 0.1, NULL, NULL},
    {"a length", "link", "collision", "cylinder", "length", ADD, 1e-3, 0.1, NULL, NULL},
    {"a ball", "link", "collision", "sphere", "radius", ADD, 1e-3, 0.1, NULL, NULL},
    {"a shape moved", "link", "collision", "origin", "xyz", MOVE, 1e-3, 0.1, NULL, NULL},
};

enum { MUTATIONS = sizeof mutations / sizeof *mutations };

static double draw(testing_random *random, const mutation *m)
{
  const double sign = m->low < 0 ? -1 : 1, low = fmin(fabs(m->low), fabs(m->high)),
               high = fmax(fabs(m->low), fabs(m->high));
  return sign * low * pow(high / low, testing_uniform(random, 0, 1));
}

// A direction turned by an angle about one that is at right angles to it.
static vec3 turned(testing_random *random, vec3 axis, double angle)
{
  const vec3 n = scale3(1 / norm3(axis), axis),
             any = {testing_uniform(random, -1, 1), testing_uniform(random, -1, 1), testing_uniform(random, -1, 1)};
  const vec3 across = sub3(any, scale3(dot3(any, n), n));
  return add_scaled3(scale3(cos(angle), n), sin(angle) / norm3(across), across);
}

// The new value of an attribute.  @return false where there is none
static bool change_value(testing_random *random, const mutation *m, const robot *r, const block *owner, range value,
                         char made[400])
{
  char old[300];
  double v[3] = {0, 0, 0};
  copy_range(value, old, sizeof old);
  char *rest = old;
  int n = 0;
  for (; n < 3; n++) {
    char *end = NULL;
    v[n] = strtod(rest, &end);
    if (end == rest) break;
    rest = end;
  }
  if (m->change == REPLACE || m->change == SCALE) {
    snprintf(made, 400, m->change == REPLACE ? "%s" : "%s\" scale=\"1 %.9g 1", m->change == REPLACE ? m->text : old,
             m->change == REPLACE ? 0.0 : draw(random, m));
    return strcmp(old, made) != 0;
  }
  if (m->change == GRANDPARENT) {
    const int link = srs_model_find_joint(r->model, owner->name); // that of its joint
    const int parent = link >= 0 ? srs_model_link(r->model, link)->parent : -1;
    const int above = parent >= 0 ? srs_model_link(r->model, parent)->parent : -1;
    if (above < 0) return false;
    snprintf(made, 400, "%s", srs_model_link(r->model, above)->name);
    return true;
  }
  if (n < 1) return false;
  const int at = testing_below(random, n);
  if (m->change == MOVE || m->change == ADD) v[at] += draw(random, m) * fmax(1, fabs(v[at]));
  if (m->change == TIMES && fabs(v[at]) < 1e-9) return false;
  if (m->change == TIMES) v[at] *= draw(random, m);
  if (m->change == NEGATE) v[0] = -v[0], v[1] = -v[1], v[2] = -v[2];
  if (m->change == TURN) vec3_store(v, turned(random, vec3_load(v), draw(random, m)));
  snprintf(made, 400, n == 1 ? "%.17g" : "%.17g %.17g %.17g", v[0], v[1], v[2]);
  return true;
}

// The copy with one value in place of another.
static char *replaced(const char *text, range value, const char *with)
{
  const size_t room = strlen(text) + strlen(with) + 1;
  char *made = malloc(room);
  assert_non_null(made);
  snprintf(made, room, "%.*s%s%s", (int)(value.begin - text), text, with, value.end);
  return made;
}

static bool find_value(testing_random *random, const mutation *m, const block *owner, range *value)
{
  range in = owner->text;
  if (m->types != NULL && strstr(m->types, owner->type) == NULL) return false;
  if (m->within != NULL && !draw_element(random, in, m->within, &in)) return false;
  range tag = in, mass = in;
  if (m->within != NULL && strcmp(m->within, "inertial") == 0) { // markers have none, and then nothing has an effect
    if (!draw_element(random, in, "mass", &mass) || strtod(attribute_of(mass.begin, "value").begin, NULL) < 1e-6)
      return false;
  }
  if (m->element != NULL && !draw_element(random, in, m->element, &tag)) return false;
  *value = attribute_of(tag.begin, m->attribute);
  if (m->change == SCALE && attribute_of(tag.begin, "scale").begin != NULL) return false;
  return value->begin != NULL;
}

// Both limits of one joint in the place of the other's.
static char *swapped(testing_random *random, const robot *r, const mutation *m, const block *first, const block *second)
{
  range values[2][2];
  char texts[2][2][60];
  const block *both[2] = {first < second ? first : second, first < second ? second : first};
  for (int i = 0; i < 2; i++) {
    mutation upper = *m;
    upper.attribute = "upper";
    if (!find_value(random, m, both[i], &values[i][0]) || !find_value(random, &upper, both[i], &values[i][1]))
      return NULL;
    for (int k = 0; k < 2; k++) copy_range(values[i][k], texts[i][k], sizeof texts[i][k]);
  }
  const bool are_same = fabs(strtod(texts[0][0], NULL) - strtod(texts[1][0], NULL)) < 1e-3 &&
                        fabs(strtod(texts[0][1], NULL) - strtod(texts[1][1], NULL)) < 1e-3;
  if (are_same || strcmp(first->type, second->type) != 0) return NULL;
  char *made = strdup(r->text);
  for (int i = 1; i >= 0; i--) { // from the end on, so that what stands before stays where it is
    const int later = values[i][0].begin > values[i][1].begin ? 0 : 1;
    for (int step = 0; step < 2; step++) {
      const int k = step == 0 ? later : 1 - later;
      const range there = {made + (values[i][k].begin - r->text), made + (values[i][k].end - r->text)};
      char *next = replaced(made, there, texts[1 - i][k]);
      free(made);
      made = next;
    }
  }
  return made;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is said
// ---------------------------------------------------------------------------------------------------------------------

static void compare_models(const srs_model *a, const srs_model *b, srs_differences *found)
{
  srs_sides sides = {.found = found};
  *found = (srs_differences){.tolerance = 1e-5, .path = "a", .other = "b"};
  sides.side[0].model = a, sides.side[1].model = b;
  sides.side[0].is_urdf = sides.side[1].is_urdf = false;
  assert_true(srs_sides_match(&sides));
  srs_compare_bodies(&sides);
  srs_compare_joints(&sides);
  srs_compare_couplings(&sides);
  srs_compare_shapes(&sides);
  srs_compare_frames(&sides);
  srs_compare_loops(&sides);
  srs_compare_pairs(&sides);
  srs_sides_release(&sides);
  assert_false(found->failed);
}

static srs_load_options robot_options(void)
{
  srs_load_options options = srs_default_load_options();
  options.build.allow_impossible_inertia = true;
  return options;
}

// What follows from it names it too: a joint that follows one that is locked has no leader any more.
static bool is_of_owner(const srs_finding *item, const char *name)
{
  char quoted[120];
  snprintf(quoted, sizeof quoted, "'%s'", name);
  return strcmp(item->of.name, name) == 0 || strstr(item->what, quoted) != NULL;
}

// @return false where the copy is refused, which is no matter of comparing
static bool assert_named(const robot *r, const char *made, const mutation *m, const char *name, const char *second)
{
  const srs_load_options options = robot_options();
  srs_model *copy = NULL;
  srs_error error;
  srs_differences found;
  int n = 0;
  if (srs_model_load(testing_write("copy.urdf", made), &options, &copy, &error) != SRS_OK) return false;
  compare_models(r->model, copy, &found);
  for (int i = 0; i < found.n; i++) {
    const srs_finding *item = &found.items[i];
    const bool is_owner = is_of_owner(item, name) || (second != NULL && is_of_owner(item, second));
    if (!is_owner || item->is_note)
      fail_msg("%s: of %s '%s' something else is named: %s '%s': %s", m->claim, m->owner, name, item->of.element,
               item->of.name, item->what);
    assert_true(item->of.here.line > 0 || item->of.there.line > 0);
    n++;
  }
  if (n == 0) fail_msg("%s: %s '%s' is not named", m->claim, m->owner, name);
  srs_differences_release(&found);
  srs_model_destroy(copy);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// The tests
// ---------------------------------------------------------------------------------------------------------------------

static robot *read_robots(void)
{
  const srs_load_options options = robot_options();
  robot *all = calloc(ROBOTS, sizeof *all);
  assert_non_null(all);
  for (int i = 0; i < ROBOTS; i++) {
    char path[100];
    size_t length = 0;
    snprintf(path, sizeof path, "robots/%s.urdf", robots[i]);
    all[i].text = testing_read(testing_data(path), &length);
    tidy(all[i].text);
    all[i].model = loaded_with(all[i].text, &options);
    all[i].n_joints = find_blocks(all[i].text, "joint", all[i].joints);
    all[i].n_links = find_blocks(all[i].text, "link", all[i].links);
    assert_true(all[i].n_joints > 0 && all[i].n_links > 0);
  }
  return all;
}

static void free_robots(robot *all)
{
  for (int i = 0; i < ROBOTS; i++) {
    free(all[i].text);
    srs_model_destroy(all[i].model);
  }
  free(all);
}

// One copy.  @return false where what was drawn has no such place
static bool try_mutation(testing_random *random, const robot *r, const mutation *m)
{
  const bool is_joint = strcmp(m->owner, "joint") == 0;
  const block *blocks = is_joint ? r->joints : r->links;
  const int n = is_joint ? r->n_joints : r->n_links;
  const block *owner = &blocks[testing_below(random, n)], *second = NULL;
  char *made = NULL;
  range value = {NULL, NULL};
  char with[400];
  if (!find_value(random, m, owner, &value)) return false;
  if (m->change == SWAP) {
    second = &blocks[testing_below(random, n)];
    made = second != owner ? swapped(random, r, m, owner, second) : NULL;
  } else if (change_value(random, m, r, owner, value, with)) {
    made = replaced(r->text, value, with);
  }
  if (made == NULL) return false;
  const bool is_read = assert_named(r, made, m, owner->name, second != NULL ? second->name : NULL);
  free(made);
  return is_read;
}

static void what_is_wrong_in_a_copy_is_named_and_nothing_else(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  testing_random random = testing_random_start(2020);
  robot *all = read_robots();
  for (int i = 0; i < COPIES; i++) {
    const mutation *m = &mutations[i % MUTATIONS];
    bool is_done = false;
    for (int attempt = 0; attempt < 3000 && !is_done; attempt++)
      is_done = try_mutation(&random, &all[testing_below(&random, ROBOTS)], m);
    if (!is_done) fail_msg("%s: no robot has such a place", m->claim);
  }
  free_robots(all);
}

static void a_robot_is_no_other_than_itself(void **state)
{
  (void)state;
  if (!testing_has_data("robots")) return;
  robot *all = read_robots();
  for (int i = 0; i < ROBOTS; i++) {
    const srs_load_options options = robot_options();
    srs_model *copy = loaded_with(all[i].text, &options);
    srs_differences found;
    compare_models(all[i].model, copy, &found);
    if (found.n > 0) fail_msg("%s: %s", robots[i], found.items[0].what);
    srs_differences_release(&found);
    srs_model_destroy(copy);
  }
  free_robots(all);
}

// Joints of all kinds, written as a scene and read again.
static void what_is_written_and_read_is_no_other(void **state)
{
  (void)state;
  testing_random random = testing_random_start(55);
  for (int i = 0; i < 30; i++) {
    srs_builder *builder = testing_random_builder(&random, 2 + testing_below(&random, 12), NULL, 0, 0.7);
    const char *path = testing_write("random.yaml", "");
    const srs_save_options options = {.overwrite = true};
    srs_model *model = testing_build(builder);
    srs_scene *scene = NULL;
    srs_error error;
    srs_differences found;
    assert_int_equal(srs_model_save(model, path, &options, &error), SRS_OK);
    assert_int_equal(srs_scene_load(path, NULL, &scene, &error), SRS_OK);
    compare_models(model, srs_scene_model(scene), &found);
    if (found.n > 0) fail_msg("%s '%s': %s", found.items[0].of.element, found.items[0].of.name, found.items[0].what);
    srs_differences_release(&found);
    srs_scene_destroy(scene);
    srs_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_wrong_in_a_copy_is_named_and_nothing_else),
      cmocka_unit_test(a_robot_is_no_other_than_itself),
      cmocka_unit_test(what_is_written_and_read_is_no_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
