// Every value of a YAML or JSON file knows its place, and whatever is wrong is told with it.
#include "engine/scene/values/yaml.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static srs_status parse(const char *text, srs_yaml *yaml, srs_error *error)
{
  *error = (srs_error){0};
  return srs_yaml_parse("scene.yaml", text, strlen(text), yaml, error);
}

static void expect_fault(const char *path, const char *text, srs_status status, int line, int column, const char *words)
{
  srs_yaml yaml;
  srs_error error = {0};
  const srs_status got = srs_yaml_parse(path, text, strlen(text), &yaml, &error);
  if (got != status || error.status != status || (line >= 0 && error.line != line) ||
      (column >= 0 && error.column != column) || strstr(error.message, words) == NULL)
    fail_msg("'%s': status %d at %d:%d '%s', not %d at %d:%d with '%s'", text, got, error.line, error.column,
             error.message, status, line, column, words);
  assert_string_equal(error.file, path);
  assert_null(strchr(error.message, '\n'));
  assert_null(yaml.root);
}

static void values_know_their_place(void **state)
{
  (void)state;
  srs_yaml yaml;
  srs_error error;
  const char *text = "# comment\ndt: 0.001\nlist: [1, 22,\n  {deep: yes}]\nblock:\n  - one\n  - two: 2\n";
  assert_int_equal(parse(text, &yaml, &error), SRS_OK);
  assert_int_equal(yaml.root->kind, SRS_YAML_MAP);
  assert_int_equal(yaml.root->count, 3);
  const srs_yaml_node *dt = srs_yaml_get(yaml.root, "dt"), *list = srs_yaml_get(yaml.root, "list");
  assert_int_equal(dt->key_place.line, 2);
  assert_int_equal(dt->key_place.column, 1);
  assert_int_equal(dt->place.line, 2);
  assert_int_equal(dt->place.column, 5);
  assert_string_equal(dt->place.file, "scene.yaml");
  assert_int_equal(list->place.column, 7);
  assert_int_equal(list->count, 3);
  assert_int_equal(list->first->next->place.column, 11);
  const srs_yaml_node *deep = list->first->next->next->first;
  assert_int_equal(deep->key_place.line, 4);
  assert_int_equal(deep->key_place.column, 4);
  assert_int_equal(deep->place.column, 10);
  const srs_yaml_node *two = srs_yaml_get(yaml.root, "block")->first->next->first;
  assert_string_equal(two->key, "two");
  assert_int_equal(two->place.line, 7);
  assert_int_equal(two->place.column, 10);
  assert_null(srs_yaml_get(yaml.root, "d"));
  srs_yaml_free(&yaml);
}

static void json_is_read_and_its_places_are_known(void **state)
{
  (void)state;
  srs_yaml yaml;
  srs_error error = {0};
  const char *text = "{\"q\": [1e-3, -2.5E+2],\n\t\"v\":{\"a/b\" : 3}, \"w\\u00e4\": \"x\\ny\", \"e\": {}}\n";
  assert_int_equal(srs_yaml_parse("state.json", text, strlen(text), &yaml, &error), SRS_OK);
  double q[2], number;
  assert_int_equal(srs_yaml_numbers(srs_yaml_get(yaml.root, "q"), "q", q, 2, &error), SRS_OK);
  assert_true(q[0] == 1e-3 && q[1] == -250);
  const srs_yaml_node *v = srs_yaml_get(yaml.root, "v");
  assert_int_equal(v->place.line, 2);
  assert_int_equal(srs_yaml_number(srs_yaml_get(v, "a/b"), "v", &number, &error), SRS_OK);
  assert_true(number == 3);
  const srs_yaml_node *accented = srs_yaml_get(yaml.root, "w\xc3\xa4");
  assert_non_null(accented);
  assert_string_equal(accented->text, "x\ny");
  assert_int_equal(srs_yaml_get(yaml.root, "e")->count, 0);
  srs_yaml_free(&yaml);
}

static void long_json_lines_are_read(void **state)
{
  (void)state;
  enum { N = 5000 };
  char *text = malloc(N * 16 + 64);
  assert_non_null(text);
  char *at = text + sprintf(text, "{\"q\":[");
  for (int i = 0; i < N; i++) at += sprintf(at, "%s%d.5", i > 0 ? "," : "", i);
  strcpy(at, "],\"v\":[]}");
  srs_yaml yaml;
  srs_error error = {0};
  assert_int_equal(srs_yaml_parse("state.json", text, strlen(text), &yaml, &error), SRS_OK);
  assert_int_equal(srs_yaml_get(yaml.root, "q")->count, N);
  srs_yaml_free(&yaml);
  assert_int_equal(srs_yaml_parse("state.yaml", text, strlen(text), &yaml, &error), SRS_OK);
  assert_int_equal(srs_yaml_get(yaml.root, "q")->count, N);
  srs_yaml_free(&yaml);
  free(text);
}

static void faults_are_told_with_line_and_column(void **state)
{
  (void)state;
  const char *path = "scene.yaml";
  expect_fault(path, "dt: 1\ndt: 2\n", SRS_ERROR_NAME, 2, 1, "key 'dt' is given twice, first in line 1");
  expect_fault(path, "a: {x: 1, 'x': 2}\n", SRS_ERROR_NAME, 1, 11, "given twice");
  expect_fault(path, "a: 1\nb: [1, 2\nc: 3\n", SRS_ERROR_SYNTAX, -1, -1, "not well-formed YAML");
  expect_fault(path, "a: 1\n b: 2\n", SRS_ERROR_SYNTAX, 1, -1, "not well-formed YAML");
  expect_fault("robot.xacro", "\xef\xbb\xbf \n<?xml version=\"1.0\"?>\n<robot name=\"r\">\n</robot>\n",
               SRS_ERROR_SYNTAX, 0, 0, "is XML, not YAML: name a robot file .urdf, .xml or .mjcf");
  expect_fault(path, "<robot name='r'/>", SRS_ERROR_SYNTAX, 0, 0, "is XML, not YAML");
  expect_fault(path, "a: \"x\n", SRS_ERROR_SYNTAX, -1, -1, "not well-formed YAML");
  expect_fault(path, "a:\n\t- 1\n", SRS_ERROR_SYNTAX, 2, -1, "not well-formed YAML");
  expect_fault(path, "a: &x 1\nb: *x\n", SRS_ERROR_UNSUPPORTED, 1, -1, "anchors");
  expect_fault(path, "a: 1\nb: *x\n", SRS_ERROR_UNSUPPORTED, 2, 4, "aliases");
  expect_fault(path, "a: !!float 1\n", SRS_ERROR_UNSUPPORTED, 1, -1, "tags");
  expect_fault(path, "a: 1\n---\nb: 2\n", SRS_ERROR_SYNTAX, 2, -1, "second document");
  expect_fault(path, "? [1, 2]\n: 3\n", SRS_ERROR_SYNTAX, 1, 3, "a key must be a word, not a list");
  expect_fault(path, "{: 3}\n", SRS_ERROR_SYNTAX, 1, -1, "a key is empty");
  expect_fault(path, "", SRS_ERROR_SYNTAX, 0, 0, "the file is empty");
  expect_fault(path, "# nothing\n", SRS_ERROR_SYNTAX, 0, 0, "the file is empty");
  expect_fault(path, "---\n", SRS_ERROR_SYNTAX, 0, 0, "the file is empty");
  expect_fault(path, "a: \"x\\0y\"\n", SRS_ERROR_SYNTAX, 1, 4, "zero byte");
  expect_fault("run.h5", "\x89HDF\r\n\x1a\n", SRS_ERROR_SYNTAX, 0, 0, "an HDF5 file is no scene or model");
  expect_fault("state.json", "{\"a\": 1,}", SRS_ERROR_SYNTAX, -1, -1, "not well-formed");
  expect_fault("state.json", "{\"a\": ", SRS_ERROR_SYNTAX, -1, -1, "not well-formed");
}

static void an_alias_bomb_is_refused_at_its_first_anchor(void **state)
{
  (void)state;
  char text[2048] = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; i++) {
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1, i - 1, i - 1);
  }
  expect_fault("scene.yaml", text, SRS_ERROR_UNSUPPORTED, 1, -1, "anchors (&) and aliases (*) are not read");
}

static void deep_nesting_is_refused(void **state)
{
  (void)state;
  char text[4096];
  for (size_t depth = 30; depth < 2000; depth += 600) {
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    text[2 * depth] = '\0';
    srs_yaml yaml;
    srs_error error;
    const srs_status status = parse(text, &yaml, &error);
    assert_int_equal(status, depth <= 32 ? SRS_OK : SRS_ERROR_SYNTAX);
    srs_yaml_free(&yaml);
  }
}

static void values_of_a_wrong_type_are_told(void **state)
{
  (void)state;
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"a: 1,5", "'1,5' is not a finite number"},
      {"a: 1.0kg", "'1.0kg' is not a finite number"},
      {"a: .nan", "'.nan' is not a finite number"},
      {"a: nan", "'nan' is not a finite number"},
      {"a: .inf", "'.inf' is not a finite number"},
      {"a: 1e999", "'1e999' is not a finite number"},
      {"a: 0x10", "'0x10' is not a finite number"},
      {"a: ${m}", "'${m}' is not a finite number"},
      {"a: '1'", "a number without quotes, here is text"},
      {"a: [1]", "here is a list"},
      {"a: {b: 1}", "here is a map"},
      {"a:", "here is nothing"},
      {"a: ~", "here is nothing"},
      {"a: null", "here is nothing"},
      {"a: true", "'true' is not a finite number"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_yaml yaml;
    srs_error error;
    double number = 7;
    assert_int_equal(parse(cases[i].text, &yaml, &error), SRS_OK);
    assert_int_equal(srs_yaml_number(srs_yaml_get(yaml.root, "a"), "a", &number, &error), SRS_ERROR_SYNTAX);
    if (strstr(error.message, cases[i].words) == NULL) fail_msg("%s: '%s'", cases[i].text, error.message);
    assert_int_equal(error.line, 1);
    assert_true(number == 7);
    srs_yaml_free(&yaml);
  }
}

static void whole_numbers_words_and_texts_are_told_apart(void **state)
{
  (void)state;
  srs_yaml yaml;
  srs_error error;
  int n;
  bool b = false;
  const char *word;
  double three[3];
  assert_int_equal(
      parse("i: 12\nh: 1.5\nbig: 1e12\nt: true\ny: yes\nw: word\nq: ''\nl: [1, 2]\nm: [1, x, 3]", &yaml, &error),
      SRS_OK);
  const srs_yaml_node *r = yaml.root;
  assert_int_equal(srs_yaml_integer(srs_yaml_get(r, "i"), "i", &n, &error), SRS_OK);
  assert_int_equal(n, 12);
  assert_int_equal(srs_yaml_integer(srs_yaml_get(r, "h"), "h", &n, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(srs_yaml_integer(srs_yaml_get(r, "big"), "big", &n, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(srs_yaml_bool(srs_yaml_get(r, "t"), "t", &b, &error), SRS_OK);
  assert_true(b);
  assert_int_equal(srs_yaml_bool(srs_yaml_get(r, "y"), "y", &b, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(srs_yaml_text(srs_yaml_get(r, "w"), "w", &word, &error), SRS_OK);
  assert_string_equal(word, "word");
  assert_int_equal(srs_yaml_text(srs_yaml_get(r, "q"), "q", &word, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(srs_yaml_numbers(srs_yaml_get(r, "l"), "l", three, 3, &error), SRS_ERROR_SYNTAX);
  assert_string_equal(error.message, "l has 2 entries, 3 are needed");
  assert_int_equal(srs_yaml_numbers(srs_yaml_get(r, "m"), "m", three, 3, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(error.line, 9);
  assert_int_equal(error.column, 8);
  assert_int_equal(srs_yaml_number(srs_yaml_get(r, "i"), "i", three, NULL), SRS_OK);
  assert_int_equal(srs_yaml_number(srs_yaml_get(r, "w"), "w", three, NULL), SRS_ERROR_SYNTAX);
  srs_yaml_free(&yaml);
}

static void the_nearest_key_is_offered_where_one_is_near(void **state)
{
  (void)state;
  static const char *const keys[] = {"integrator", "dt", "duration", "models", NULL};
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"intgrator: 1", "unknown key 'intgrator' in a scene, did you mean 'integrator'?"},
      {"Models: 1", "unknown key 'Models' in a scene, did you mean 'models'?"},
      {"durtaion: 1", "unknown key 'durtaion' in a scene, did you mean 'duration'?"},
      {"colour: 1", "unknown key 'colour' in a scene (there are integrator, dt, duration, models)"},
      {"td: 1", "unknown key 'td' in a scene, did you mean 'dt'?"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_yaml yaml;
    srs_error error;
    assert_int_equal(parse(cases[i].text, &yaml, &error), SRS_OK);
    assert_int_equal(srs_yaml_check_keys(yaml.root, "a scene", keys, &error), SRS_ERROR_NAME);
    assert_string_equal(error.message, cases[i].message);
    assert_int_equal(error.column, 1);
    srs_yaml_free(&yaml);
  }
}

static void files_that_cannot_be_read_are_told(void **state)
{
  (void)state;
  srs_yaml yaml;
  srs_error error;
  assert_int_equal(srs_yaml_load("/nowhere/scene.yaml", &yaml, &error), SRS_ERROR_FILE);
  assert_string_equal(error.file, "/nowhere/scene.yaml");
  assert_non_null(strstr(error.message, "No such file"));
  assert_int_equal(srs_yaml_load(testing_folder(), &yaml, &error), SRS_ERROR_FILE);
  assert_non_null(strstr(error.message, "is a folder"));
  assert_int_equal(srs_yaml_load("/dev/zero", &yaml, &error), SRS_ERROR_FILE);
  assert_non_null(strstr(error.message, "larger than"));
  assert_int_equal(srs_yaml_load("/nowhere/scene.yaml", &yaml, NULL), SRS_ERROR_FILE);
}

static void binary_bytes_are_refused(void **state)
{
  (void)state;
  srs_yaml yaml;
  srs_error error;
  assert_int_equal(srs_yaml_parse("x", "a: 1\nb: \0 2\n", 12, &yaml, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(error.line, 2);
  assert_int_equal(srs_yaml_parse("x", "a: \xff\xfe\n", 6, &yaml, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(error.column, 4);
}

static void a_byte_order_mark_and_carriage_returns_do_no_harm(void **state)
{
  (void)state;
  srs_yaml yaml;
  srs_error error;
  assert_int_equal(parse("\xef\xbb\xbf"
                         "a: 1\r\nb: [1,\r\n 2]\r\n",
                         &yaml, &error),
                   SRS_OK);
  double number;
  assert_int_equal(srs_yaml_number(srs_yaml_get(yaml.root, "a"), "a", &number, &error), SRS_OK);
  assert_int_equal(srs_yaml_get(yaml.root, "b")->key_place.line, 2);
  srs_yaml_free(&yaml);
}

// Whatever the parser thinks of a file, it says it through the error and nowhere else.
// YAML 1.2.2, 7.3.2: '' is a quote, lines fold, blanks around breaks are dropped, those within a line are kept.
static void single_quotes_hold_quotes_and_lines(void **state)
{
  (void)state;
  static const char *const texts[][2] = {{"''", ""},
                                         {"' x '", " x "},
                                         {"''''", "'"},
                                         {"''''''", "''"},
                                         {"'''''b'", "''b"},
                                         {"'a''''b'", "a''b"},
                                         {"'a''b''c'", "a'b'c"},
                                         {"'\xc3\xa9''''\xc3\xa9 '", "\xc3\xa9''\xc3\xa9 "},
                                         {"'x \t\n \t y''''z\n\n\n  w\n  '", "x y''z\n\nw "},
                                         {"'x\r\n  y\r\n\r\n z'", "x y\nz"},
                                         {"''''''''''''''''''''''''''''''''", "'''''''''''''''"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (int mark = 0; mark < 2; mark++) {
      char text[200];
      srs_yaml yaml;
      srs_error error;
      snprintf(text, sizeof text, "%s\xc3\xa9: [%s, 'k''''k', 1]\n", mark ? "\xef\xbb\xbf" : "", texts[i][0]);
      if (parse(text, &yaml, &error) != SRS_OK) fail_msg("%s: %s", text, error.message);
      const srs_yaml_node *list = yaml.root->first;
      assert_string_equal(list->first->text, texts[i][1]);
      assert_int_equal(list->first->length, strlen(texts[i][1]));
      assert_string_equal(list->first->next->text, "k''k");
      srs_yaml_free(&yaml);
    }
}

static void nothing_is_printed(void **state)
{
  (void)state;
  const char *caught = testing_write("caught", "");
  fflush(stdout);
  fflush(stderr);
  const int out = dup(1), err = dup(2);
  assert_true(out >= 0 && err >= 0);
  FILE *file = freopen(caught, "wb", stderr);
  assert_non_null(file);
  assert_true(dup2(fileno(stderr), 1) == 1);
  static const char *const texts[] = {"a: [1",       "a: \"", "\t", "%YAML 9.9\n---\na: 1",
                                      "a: 1\n b: 2", "a: *x", "{a", "\xff"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    srs_yaml yaml;
    if (srs_yaml_parse("s.yaml", texts[i], strlen(texts[i]), &yaml, NULL) == SRS_OK) srs_yaml_free(&yaml);
    if (srs_yaml_parse("s.json", texts[i], strlen(texts[i]), &yaml, NULL) == SRS_OK) srs_yaml_free(&yaml);
  }
  fflush(stdout);
  fflush(stderr);
  dup2(out, 1);
  dup2(err, 2);
  close(out);
  close(err);
  size_t length;
  char *text = testing_read(caught, &length);
  assert_string_equal(text, "");
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_know_their_place),
      cmocka_unit_test(json_is_read_and_its_places_are_known),
      cmocka_unit_test(long_json_lines_are_read),
      cmocka_unit_test(faults_are_told_with_line_and_column),
      cmocka_unit_test(an_alias_bomb_is_refused_at_its_first_anchor),
      cmocka_unit_test(deep_nesting_is_refused),
      cmocka_unit_test(values_of_a_wrong_type_are_told),
      cmocka_unit_test(whole_numbers_words_and_texts_are_told_apart),
      cmocka_unit_test(the_nearest_key_is_offered_where_one_is_near),
      cmocka_unit_test(files_that_cannot_be_read_are_told),
      cmocka_unit_test(binary_bytes_are_refused),
      cmocka_unit_test(a_byte_order_mark_and_carriage_returns_do_no_harm),
      cmocka_unit_test(single_quotes_hold_quotes_and_lines),
      cmocka_unit_test(nothing_is_printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
