// A robot file that is wrong in one place: what names the place? 200 copies, each with one mutation drawn by a seed.
//
// Not knowable from a file alone, and so not among the kinds here: a value that is another possible one and has no
// counterpart that it differs from. A joint moved by less than its link's extent where neither shapes, counterparts nor
// a pattern of axes say so (docs/command.md has how often they do), an axis turned, the sign of an angle,
// a limit within a turn, an effort, a damping, a mass times 2, a shape that shrinks, a mesh that is another one.
#include "support/urdf_cases.h"

#include <stdlib.h>

// The files of the command are in no library.
#include "engine/cli/check/axes.c"     // NOLINT(bugprone-suspicious-include)
#include "engine/cli/check/gaps.c"     // NOLINT(bugprone-suspicious-include)
#include "engine/cli/check/lint.c"     // NOLINT(bugprone-suspicious-include)
#include "engine/cli/check/symmetry.c" // NOLINT(bugprone-suspicious-include)
#include "engine/cli/shared/folding.c" // NOLINT(bugprone-suspicious-include)

typedef enum change { TIMES, ADD_TO_FIRST, REPLACE, RENAME_ATTRIBUTE, RENAME_ELEMENT, SWAP_LIMITS } change;

typedef struct mutation {
  const char *claim, *element, *attribute;
  change change;
  double number;
  const char *text;
  const char *owner; // the link or joint must begin so; NULL for any
} mutation;

static const mutation mutations[] = {
    {"a mass times 1000", "mass", "value", TIMES, 1e3, NULL, NULL},
    {"a mass over 1000", "mass", "value", TIMES, 1e-3, NULL, NULL},
    {"a mass that is negative", "mass", "value", TIMES, -1, NULL, NULL},
    {"a mass with a comma", "mass", "value", REPLACE, 0, "1,5", NULL},
    {"a moment that is negative", "inertia", "ixx", TIMES, -1, NULL, NULL},
    {"a moment that is no number", "inertia", "iyy", REPLACE, 0, "0.1kg", NULL},
    {"limits in degrees", "limit", "upper", TIMES, 180, NULL, NULL},
    {"a lower limit above the upper", "limit", "lower", REPLACE, 0, "99", NULL},
    {"an effort that is negative", "limit", "effort", REPLACE, 0, "-5", NULL},
    {"a velocity in degrees", "limit", "velocity", REPLACE, 0, "900", NULL},
    {"a limit that is misspelt", "limit", "upper", RENAME_ATTRIBUTE, 0, "uper", NULL},
    {"an axis that is misspelt", "axis", NULL, RENAME_ELEMENT, 0, "axes", NULL},
    {"an axis of zero", "axis", "xyz", REPLACE, 0, "0 0 0", "@moving"},
    {"a joint moved by 10 m", "origin", "xyz", ADD_TO_FIRST, 10, NULL, "@joint"},
    {"a joint moved by 1 cm against its counterparts", "origin", "xyz", ADD_TO_FIRST, 0.01, NULL, "@symmetric"},
    {"an arm's joint moved by 5 cm across its axes", "origin", "xyz", ADD_TO_FIRST, 0.05, NULL, "@crossing"},
    {"a mesh that is not there", "mesh", "filename", REPLACE, 0, "package://nowhere/none.stl", NULL},
    {"a scale that mirrors", "mesh", "filename", REPLACE, 0, "m.dae\" scale=\"1 1 -1", NULL},
    {"a scale of a thousand", "mesh", "filename", REPLACE, 0, "m.dae\" scale=\"1000 1000 1000", NULL},
    {"a child that does not exist", "child", "link", REPLACE, 0, "nobody", NULL},
    {"a type that does not exist", "joint", "type", REPLACE, 0, "hinge", NULL},
};

enum { MUTATIONS = sizeof mutations / sizeof *mutations, COPIES = 200 };

// ---------------------------------------------------------------------------------------------------------------------
// What check says
// ---------------------------------------------------------------------------------------------------------------------

// A line for each message about the file: refused, warnings, doubts.
static void examine(const char *text, srs_folds *said)
{
  srs_load_options options = srs_default_load_options();
  options.build.allow_impossible_inertia = true;
  srs_model *model = NULL;
  srs_error error;
  char line[1200];
  *said = (srs_folds){.lists_all = true};
  if (srs_model_load(testing_write("m.urdf", text), &options, &model, &error) != SRS_OK) {
    assert_true(srs_folds_add(said, srs_error_format(&error, line, sizeof line)));
    return;
  }
  for (int i = 0; i < srs_model_n_warnings(model); i++) assert_true(srs_folds_add(said, srs_model_warning(model, i)));
  assert_true(srs_lint_values(model, said) && srs_lint_symmetry(model, said));
  assert_true(srs_lint_gaps(model, said, said) && srs_lint_axes(model, said));
  srs_model_destroy(model);
}

static bool says(const srs_folds *said, const char *text)
{
  for (int i = 0; i < said->n; i++)
    if (strcmp(said->folds[i].text, text) == 0) return true;
  return false;
}

// Whether something that was not said of the file as it was names the owner, or the line.
static bool is_named(const srs_folds *before, const srs_folds *after, const char *owner, int line)
{
  char place[40], quoted[200];
  snprintf(place, sizeof place, "m.urdf:%d:", line);
  snprintf(quoted, sizeof quoted, "'%s'", owner);
  for (int i = 0; i < after->n; i++) {
    const char *text = after->folds[i].text;
    if (!says(before, text) && (strstr(text, place) != NULL || strstr(text, quoted) != NULL)) return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Mutations
// ---------------------------------------------------------------------------------------------------------------------

// The value of an attribute in the tag that begins at `tag`; NULL where it has none.
static const char *value_in(const char *tag, const char *attribute, size_t *length)
{
  const char *end = strchr(tag, '>');
  char words[40];
  snprintf(words, sizeof words, " %s=\"", attribute);
  const char *at = strstr(tag, words);
  if (at == NULL || end == NULL || at > end) return NULL;
  at += strlen(words);
  *length = (size_t)(strchr(at, '"') - at);
  return at;
}

// The link or joint that a tag stands in.
static bool find_owner(const char *text, const char *tag, char owner[100], char type[40], bool *is_joint)
{
  size_t n = 0;
  for (const char *at = tag; at >= text; at--) {
    if (strncmp(at, "<link ", 6) != 0 && strncmp(at, "<joint ", 7) != 0) continue;
    const char *name = value_in(at, "name", &n);
    *is_joint = at[1] == 'j';
    if (name == NULL || n >= 100) return false;
    snprintf(owner, 100, "%.*s", (int)n, name);
    const char *kind = *is_joint ? value_in(at, "type", &n) : "";
    snprintf(type, 40, "%.*s", *is_joint && kind != NULL ? (int)n : 0, kind != NULL ? kind : "");
    return true;
  }
  return false;
}

// Whether the mutation means something there: a joint that moves, one that has a counterpart, a value that is not zero.
static bool fits(const mutation *m, const char *text, const char *tag, const char *owner, const char *type,
                 bool is_joint)
{
  const bool wants_joint = m->owner != NULL || strcmp(m->element, "limit") == 0 || strcmp(m->element, "axis") == 0 ||
                           strcmp(m->element, "child") == 0 || strcmp(m->element, "joint") == 0;
  const bool is_moving = strcmp(type, "revolute") == 0 || strcmp(type, "prismatic") == 0;
  size_t n = 0;
  if (wants_joint != is_joint) return false;
  const bool has_moves = strcmp(m->element, "limit") == 0 || strcmp(m->element, "axis") == 0;
  if (has_moves && !is_moving) return false;
  if (m->owner != NULL && strcmp(m->owner, "@symmetric") == 0 && strncmp(owner, "LF_", 3) != 0) return false;
  // Of a UR5: x is across both axes, which cross.
  if (m->owner != NULL && strcmp(m->owner, "@crossing") == 0 && strcmp(owner, "shoulder_lift_joint") != 0 &&
      strcmp(owner, "wrist_2_joint") != 0 && strcmp(owner, "wrist_3_joint") != 0)
    return false;
  if (m->attribute == NULL) { // leaving out the default axis changes nothing
    const char *axis = value_in(tag, "xyz", &n);
    return axis != NULL;
  }
  const char *value = value_in(tag, m->attribute, &n);
  (void)text;
  const double least = strcmp(m->element, "inertia") == 0 ? 1e-5 : 0.05; // markers have next to nothing
  return value != NULL && (m->change != TIMES || fabs(strtod(value, NULL)) > least);
}

static char *mutate(const char *text, const char *tag, const mutation *m)
{
  size_t n = 0, room = strlen(text) + 200;
  char *made = malloc(room), number[64];
  const char *value = m->attribute != NULL ? value_in(tag, m->attribute, &n) : tag + 1;
  if (m->attribute == NULL) n = strlen(m->element);
  const char *with = m->text;
  if (m->change == TIMES || m->change == ADD_TO_FIRST) {
    char *rest = NULL;
    const double was = strtod(value, &rest);
    snprintf(number, sizeof number, "%.12g", m->change == TIMES ? was * m->number : was + m->number);
    with = number;
    n = (size_t)(rest - value);
  } else if (m->change == RENAME_ATTRIBUTE) {
    n = strlen(m->attribute);
    value -= n + 2;
  }
  assert_non_null(made);
  snprintf(made, room, "%.*s%s%s", (int)(value - text), text, with, value + n);
  if (m->change != RENAME_ELEMENT || strncmp(made + (value - text), m->text, strlen(m->text)) != 0) return made;
  char *close = strstr(made + (value - text), "</axis>"); // the end tag too, where there is one before the next joint
  const char *next = strstr(made + (value - text), "<joint");
  if (close != NULL && (next == NULL || close < next)) memcpy(close, "</axes>", 7);
  return made;
}

// One copy with this mutation at a place drawn from all that fit.  @return false where none does
static bool try_mutation(testing_random *random, const char *text, const mutation *m)
{
  const char *fitting[400];
  char tag[40], owner[100], type[40];
  bool is_joint;
  int n = 0, line = 1;
  snprintf(tag, sizeof tag, "<%s ", m->element);
  for (const char *at = strstr(text, tag); at != NULL && n < 400; at = strstr(at + 1, tag))
    if (find_owner(text, at, owner, type, &is_joint) && fits(m, text, at, owner, type, is_joint)) fitting[n++] = at;
  if (n == 0) return false;
  const char *at = fitting[testing_below(random, n)];
  find_owner(text, at, owner, type, &is_joint);
  for (const char *c = text; c < at; c++) line += *c == '\n';
  char *made = mutate(text, at, m);
  srs_folds before, after;
  examine(text, &before);
  examine(made, &after);
  if (!is_named(&before, &after, owner, line)) {
    for (int i = 0; i < after.n; i++)
      if (!says(&before, after.folds[i].text)) print_message("said: %s\n", after.folds[i].text);
    fail_msg("%s: '%s', line %d, is not named", m->claim, owner, line);
  }
  srs_folds_release(&before);
  srs_folds_release(&after);
  free(made);
  return true;
}

static void what_is_wrong_in_one_place_is_named(void **state)
{
  (void)state;
  static const char *const robots[] = {"robots/anymal.urdf", "robots/panda.urdf", "robots/ur5.urdf",
                                       "robots/double_pendulum.urdf", "robots/more/hyq_no_sensors.urdf"};
  if (!testing_has_data("robots")) return;
  testing_random random = testing_random_start(200);
  for (int i = 0; i < COPIES; i++) {
    const mutation *m = &mutations[i % MUTATIONS];
    bool is_done = false;
    for (int attempt = 0; attempt < 100 && !is_done; attempt++) {
      const bool is_symmetric = m->owner != NULL && strcmp(m->owner, "@symmetric") == 0;
      const bool is_crossing = m->owner != NULL && strcmp(m->owner, "@crossing") == 0;
      size_t length = 0;
      char *text = testing_read(testing_data(robots[is_symmetric  ? 0
                                                    : is_crossing ? 2
                                                                  : testing_below(&random, 5)]),
                                &length);
      is_done = try_mutation(&random, text, m);
      free(text);
    }
    if (!is_done) fail_msg("%s: no robot has such a place", m->claim);
  }
}

static void messages_of_one_kind_are_one_line(void **state)
{
  (void)state;
  srs_folds folds = {0};
  assert_true(srs_folds_add(&folds, "a.urdf:3: robot/joint[@name='a']/limit/@k is not read and has no effect"));
  assert_true(srs_folds_add(&folds, "a.urdf:9: robot/joint[@name='b']/limit/@k is not read and has no effect"));
  assert_true(srs_folds_add(&folds, "a.urdf:9: robot/joint[@name='b']/limit/@m is not read and has no effect"));
  assert_true(srs_folds_add(&folds, "mesh 'x' 3 mm (not found; looked for a/b)"));
  assert_true(srs_folds_add(&folds, "mesh 'y' 4.5 mm (not found; looked for c/d, e)"));
  assert_true(srs_folds_add(&folds, "mesh 'y' 4.5 mm (found at c/d)"));
  assert_int_equal(folds.n, 4);
  assert_string_equal(srs_fold_line(&folds, 0), "a.urdf:3: robot/joint[@name='a']/limit/@k is not read and has no "
                                                "effect (and 1 more of this kind, the last in line 9)");
  assert_string_equal(srs_fold_line(&folds, 2), "mesh 'x' 3 mm (not found; looked for a/b) (and 1 more of this kind)");
  srs_folds_release(&folds);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_wrong_in_one_place_is_named),
      cmocka_unit_test(messages_of_one_kind_are_one_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
