// The table of options: nothing of srs_sim_options is missing from it, what is out of range is refused by name, scenes
// read every key, and docs/options.md says what it says.
#include "engine/state/option_table.h"
#include "support/testing.h"
#include <sarrus/engine.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct field {
  size_t at, size;
} field;

static size_t size_of(const srs_option_row *row)
{
  return row->kind == SRS_OPTION_NUMBER ? sizeof(double) : row->kind == SRS_OPTION_FLAG ? sizeof(bool) : sizeof(int);
}

#define FIELD(name)                                                                                                    \
  {                                                                                                                    \
    offsetof(srs_sim_options, name), sizeof((srs_sim_options){0}.name)                                                 \
  }

// What is left are the gaps of alignment.
static void every_field_has_a_row(void **state)
{
  (void)state;
  static const field lists[] = {FIELD(contact.materials),
                                FIELD(contact.n_materials),
                                FIELD(contact.pairs),
                                FIELD(contact.n_pairs),
                                FIELD(contact.solids),
                                FIELD(contact.n_solids),
                                FIELD(contact.surfaces),
                                FIELD(contact.n_surfaces),
                                FIELD(contact.collider.excluded),
                                FIELD(contact.collider.included),
                                FIELD(contact.collider.euclidean),
                                FIELD(contact.collider.ratio_metric)};
  static unsigned char is_known[sizeof(srs_sim_options)];
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) memset(is_known + lists[i].at, 1, lists[i].size);
  for (int i = 0; i < srs_n_option_rows; i++) {
    const srs_option_row *row = &srs_option_rows[i];
    for (size_t k = 0; k < size_of(row); k++) {
      if (is_known[row->at + k]) fail_msg("'%s' lies over another row", row->name);
      is_known[row->at + k] = 1;
    }
  }
  for (size_t begin = 0, end; begin < sizeof is_known; begin = end + 1) {
    for (end = begin; end < sizeof is_known && !is_known[end]; end++) continue;
    if (end - begin > 7 || (end > begin && end % 4 != 0))
      fail_msg("bytes %zu to %zu of srs_sim_options are in no row", begin, end);
  }
}

// A damaged snapshot may hold any number for a word.
static void no_number_is_too_large_for_a_word(void **state)
{
  (void)state;
  static const double numbers[] = {1e154, -1e154, 3e9, -3e9, 0.5, INFINITY, -INFINITY, NAN, -1, 1000};
  char text[64];
  for (int i = 0; i < srs_n_option_rows; i++)
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && srs_option_rows[i].kind == SRS_OPTION_WORD; k++) {
      assert_false(srs_option_is_in_range(&srs_option_rows[i], numbers[k]));
      assert_true(strlen(srs_option_text(&srs_option_rows[i], numbers[k], text)) > 0);
    }
}

static srs_scene *ball(void)
{
  static const char text[] =
      "models: [{name: m, base: floating, links: [{name: ball, mass: 1, inertia: [1, 1, 1]}]}]\n";
  srs_scene *scene;
  srs_error error;
  if (srs_scene_load(testing_write("ball.yaml", text), NULL, &scene, &error) != SRS_OK) fail_msg("%s", error.message);
  return scene;
}

static void refuse(const srs_scene *scene, const srs_option_row *row, double value)
{
  srs_sim_options o = srs_default_sim_options();
  srs_sim *sim = NULL;
  srs_error error = {0};
  srs_option_set(row, &o, value);
  if (srs_sim_create(srs_scene_model(scene), &o, &sim, &error) == SRS_OK)
    fail_msg("%s = %g is taken", row->name, value);
  assert_null(sim);
  assert_string_equal(error.subject, row->name);
  if (strstr(error.message, row->name) == NULL) fail_msg("%s = %g: %s", row->name, value, error.message);
}

static void refuse_numbers(const srs_scene *scene, const srs_option_row *row)
{
  if (!row->may_be_nan) refuse(scene, row, NAN);
  if (isfinite(row->high)) refuse(scene, row, INFINITY);
  refuse(scene, row, -INFINITY);
  if (row->low > -1e300) refuse(scene, row, row->is_above_low ? row->low : row->low - 0.1 - fabs(row->low));
  if (row->high < 1e300) refuse(scene, row, 1.001 * row->high);
}

static void refuse_counts(const srs_scene *scene, const srs_option_row *row)
{
  refuse(scene, row, row->low - 1);
  refuse(scene, row, INT_MIN);
  if (row->high < INT_MAX) refuse(scene, row, row->high + 1);
  if (row->is_even) refuse(scene, row, row->low + 1);
}

static void what_is_out_of_range_is_refused_by_name(void **state)
{
  (void)state;
  srs_scene *scene = ball();
  const srs_sim_options defaults = srs_default_sim_options();
  for (int i = 0; i < srs_n_option_rows; i++) {
    const srs_option_row *row = &srs_option_rows[i];
    assert_true(srs_option_is_in_range(row, srs_option_value(row, &defaults)));
    if (row->kind == SRS_OPTION_NUMBER) refuse_numbers(scene, row);
    if (row->kind == SRS_OPTION_COUNT) refuse_counts(scene, row);
    if (row->kind != SRS_OPTION_WORD) continue;
    refuse(scene, row, -1);
    refuse(scene, row, 1000);
  }
  srs_scene_destroy(scene);
}

static void lists_that_are_not_there_are_refused(void **state)
{
  (void)state;
  srs_scene *scene = ball();
  const srs_material nameless = srs_default_material(NULL), slippery = {.name = "a", .friction = -1};
  const srs_material_pair alone = {.a = "a", .friction = NAN, .restitution = NAN, .torsional = NAN};
  const srs_half_space_solid nothing = {NULL, 2};
  for (int i = 0; i < 12; i++) {
    srs_sim_options o = srs_default_sim_options();
    srs_contact_settings *c = &o.contact;
    if (i == 0) c->n_materials = 1;
    if (i == 1) c->n_materials = -1;
    if (i == 2) c->n_pairs = 2;
    if (i == 3) c->n_pairs = INT_MIN;
    if (i == 4) c->n_solids = 1;
    if (i == 5) c->n_surfaces = 3;
    if (i == 6) c->n_surfaces = -3;
    if (i == 7) c->materials = &nameless, c->n_materials = 1;
    if (i == 8) c->materials = &slippery, c->n_materials = 1;
    if (i == 9) c->pairs = &alone, c->n_pairs = 1;
    if (i == 10) c->solids = &nothing, c->n_solids = 1;
    if (i == 11) c->n_solids = -1;
    srs_sim *sim = NULL;
    srs_error error = {0};
    if (srs_sim_create(srs_scene_model(scene), &o, &sim, &error) == SRS_OK) fail_msg("list %d is taken", i);
    assert_non_null(strstr(error.message, "contact."));
  }
  srs_scene_destroy(scene);
}

// A value of the row other than its default.
static double another(const srs_option_row *row, double value)
{
  if (row->kind == SRS_OPTION_FLAG) return value == 0;
  if (row->kind == SRS_OPTION_WORD) return value == 0 ? 1 : 0;
  if (row->kind == SRS_OPTION_COUNT) return value + 2 <= row->high ? value + 2 : value - 2;
  if (isnan(value)) return 0.25;
  if (isinf(value)) return 1e9;
  const double more = value == 0 ? 0.25 : 1.25 * value;
  return more <= row->high ? more : 0.5 * value;
}

static void scenes_read_every_key(void **state)
{
  (void)state;
  static const char start[] = "models: [{name: m, base: floating, links: [{name: a, mass: 1, inertia: [1, 1, 1]}]}]\n";
  const srs_sim_options defaults = srs_default_sim_options();
  int n = 0;
  for (int i = 0; i < srs_n_option_rows; i++) {
    const srs_option_row *row = &srs_option_rows[i];
    if (row->group == NULL) continue;
    char text[512], word[64];
    const double value = another(row, srs_option_value(row, &defaults));
    srs_option_text(row, value, word);
    if (row->group[0] == '\0')
      snprintf(text, sizeof text, "%s%s: %s\n", start, row->key, word);
    else
      snprintf(text, sizeof text, "%s%s: {%s: %s}\n", start, row->group, row->key, word);
    srs_scene *scene;
    srs_error error;
    if (srs_scene_load(testing_write("one.yaml", text), NULL, &scene, &error) != SRS_OK)
      fail_msg("%s: %s", text, error.message);
    const double read = srs_option_value(row, &srs_scene_get_settings(scene)->sim);
    if (read != value) fail_msg("%s: %.17g, not %.17g", text, read, value);
    srs_scene_destroy(scene);
    n++;
  }
  print_message("%d keys\n", n);
}

static void print_row(FILE *out, const srs_option_row *row, const srs_sim_options *defaults)
{
  char range[96], text[64];
  const double value = srs_option_value(row, defaults);
  fprintf(out, "| `%s` | ", row->name);
  if (row->group == NULL)
    fprintf(out, "| ");
  else if (row->group[0] == '\0')
    fprintf(out, "`%s` | ", row->key);
  else
    fprintf(out, "`%s: {%s}` | ", row->group, row->key);
  const char *word;
  if (row->kind == SRS_OPTION_WORD)
    for (int i = 0; (word = srs_option_word_of(row, i)) != NULL; i++) fprintf(out, "%s%s", i > 0 ? ", " : "", word);
  else
    fprintf(out, "%s", row->kind == SRS_OPTION_FLAG ? "true, false" : srs_option_range(row, range));
  fprintf(out, " | %s | %s |\n", row->unit, isnan(value) ? "from others" : srs_option_text(row, value, text));
}

static char *print_page(size_t *length)
{
  const srs_sim_options defaults = srs_default_sim_options();
  char *text = NULL;
  FILE *out = open_memstream(&text, length);
  assert_non_null(out);
  fprintf(
      out,
      "# Options of a simulation\n\nEvery number, flag and word of `srs_sim_options`, its key in scenes, what it may "
      "be "
      "and its default. C callers and scenes are\nchecked by this table (`engine/state/option_table.c`); the headers "
      "and [scene.md](scene.md) say what each does. Lists\n(materials, pairs, solids, surfaces, filters of "
      "collision) are not in it.\n\n| option | key | values | unit | default |\n|---|---|---|---|---|\n");
  for (int i = 0; i < srs_n_option_rows; i++) print_row(out, &srs_option_rows[i], &defaults);
  assert_int_equal(fclose(out), 0);
  return text;
}

static void the_page_says_what_the_table_says(void **state)
{
  (void)state;
  size_t length = 0, n = 0;
  char *text = print_page(&length), *found = calloc(1, 2 * length);
  const char *anew = getenv("SARRUS_WRITE_PAGE");
  FILE *page = fopen(anew != NULL ? anew : testing_source("docs/options.md"), anew != NULL ? "w+b" : "rb");
  assert_true(page != NULL && found != NULL);
  if (anew != NULL) assert_int_equal(fwrite(text, 1, length, page), length);
  rewind(page);
  n = fread(found, 1, 2 * length - 1, page);
  assert_int_equal(fclose(page), 0);
  const bool is_same = n == length && memcmp(text, found, length) == 0;
  free(text), free(found);
  if (!is_same) fail_msg("docs/options.md differs from the table; SARRUS_WRITE_PAGE=docs/options.md writes it anew");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field_has_a_row),
      cmocka_unit_test(no_number_is_too_large_for_a_word),
      cmocka_unit_test(what_is_out_of_range_is_refused_by_name),
      cmocka_unit_test(lists_that_are_not_there_are_refused),
      cmocka_unit_test(scenes_read_every_key),
      cmocka_unit_test(the_page_says_what_the_table_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
