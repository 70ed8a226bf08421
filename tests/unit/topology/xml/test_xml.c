// The XML tree: exact lines, nothing expanded or fetched, whole values, and the names of what nobody read.
#include "support/testing.h"
#include "topology/xml/xml.h"
#include "topology/xml/xml_values.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static srs_xml *parsed(const char *text)
{
  srs_xml *document = NULL;
  srs_error error;
  if (srs_xml_parse("t.xml", text, strlen(text), &document, &error) != SRS_OK) fail_msg("%s", error.message);
  return document;
}

static srs_error refused(const char *text)
{
  srs_xml *document = NULL;
  srs_error error;
  memset(&error, 0, sizeof error);
  const srs_status status = srs_xml_parse("t.xml", text, strlen(text), &document, &error);
  assert_int_not_equal(status, SRS_OK);
  assert_int_equal(status, error.status);
  assert_null(document);
  assert_string_equal(error.file, "t.xml");
  assert_null(strpbrk(error.message, "\n\r\t"));
  return error;
}

static void assert_says(const srs_error *error, const char *words)
{
  if (strstr(error->message, words) == NULL) fail_msg("\"%s\" does not say \"%s\"", error->message, words);
}

// ---------------------------------------------------------------------------------------------------------------------
// Trees
// ---------------------------------------------------------------------------------------------------------------------

static void elements_attributes_and_texts_are_kept_in_order(void **state)
{
  (void)state;
  srs_xml *document = parsed("<?xml version='1.0'?><!-- c --><a x='1 &lt; 2' y='&#65;' w='R&amp;D &#38; "
                             "&amp;#38;'><b/>  word <c:d e=''/> more </a>");
  const srs_xml_node *a = document->root;
  assert_string_equal(a->name, "a");
  assert_int_equal(a->n_attributes, 3);
  assert_string_equal(srs_xml_peek(a, "x"), "1 < 2");
  assert_string_equal(srs_xml_peek(a, "y"), "A");
  assert_string_equal(srs_xml_peek(a, "w"), "R&D & &#38;");
  assert_null(srs_xml_peek(a, "z"));
  assert_string_equal(a->first_child->name, "b");
  assert_string_equal(a->first_child->next->name, "c:d"); // an undeclared prefix is part of the name
  assert_null(a->first_child->next->next);
  assert_string_equal(a->text, "word  more");
  assert_null(a->first_child->text);
  srs_xml_destroy(document);
}

static void other_encodings_come_out_as_utf8(void **state)
{
  (void)state;
  srs_xml *document = parsed("<?xml version='1.0' encoding='ISO-8859-1'?><a x='\xe9'/>");
  assert_string_equal(srs_xml_peek(document->root, "x"), "\xc3\xa9");
  srs_xml_destroy(document);
}

static void an_element_is_where_its_tag_begins(void **state)
{
  (void)state;
  srs_xml *document = parsed("<a\n x='1'\n y='2'>\n\n<b\n\n p='\n\n'/><c>\n text</c></a>");
  const srs_xml_node *b = document->root->first_child;
  assert_int_equal(document->root->line, 1);
  assert_int_equal(b->line, 5);
  assert_int_equal(b->next->line, 9);
  assert_int_equal(b->next->text_line, 10);
  srs_xml_destroy(document);
}

static void lines_beyond_65535_are_exact(void **state)
{
  (void)state;
  enum { LINES = 200000 };
  char *text = malloc(LINES * 8 + 64), *end = text;
  assert_non_null(text);
  end += sprintf(end, "<a>");
  for (int i = 2; i <= LINES; i++) end += sprintf(end, i % 2 == 0 ? "\n<b/>" : "\n<b\tc=''/>");
  sprintf(end, "\n<last\n q='1'\n r='2'/></a>");
  srs_xml *document = parsed(text);
  int line = 1;
  const srs_xml_node *node = document->root->first_child;
  for (; strcmp(node->name, "b") == 0; node = node->next) assert_int_equal(node->line, ++line);
  assert_int_equal(line, LINES);
  assert_int_equal(node->line, LINES + 1);
  srs_xml_destroy(document);

  sprintf(end, "\n<c></a>");
  const srs_error error = refused(text);
  assert_int_equal(error.line, LINES + 1);
  free(text);
}

static void text_is_cut_between_characters(void **state)
{
  (void)state;
  char text[1024] = "<a>x";
  for (int i = 0; i < 200; i++) strcat(text, "\xc3\xa9");
  strcat(text, "</a>");
  srs_xml *document = parsed(text);
  assert_int_equal(strlen(document->root->text), SRS_XML_TEXT - 1); // 1 + 2 * 59: the 60th would not fit
  srs_xml_destroy(document);
}

// ---------------------------------------------------------------------------------------------------------------------
// What is refused
// ---------------------------------------------------------------------------------------------------------------------

static void broken_xml_is_named_with_line_and_column(void **state)
{
  (void)state;
  const srs_error error = refused("<a>\n  <b>\n</a>\n");
  assert_int_equal(error.status, SRS_ERROR_SYNTAX);
  assert_int_equal(error.line, 3);
  assert_true(error.column > 0);
  assert_says(&error, "not well-formed XML");
  refused("<a");
  refused("<a x=1/>");
  refused("<a/><b/>");
  refused("plain words");
  refused("<a x='1' x='2'/>");
  refused("<a>\xff\xfe</a>");
  refused("<a>&undefined;</a>");
  refused("<?xml version='1.0' encoding='no-such'?><a/>");
}

static void a_doctype_is_refused_before_anything_expands(void **state)
{
  (void)state;
  const srs_error bomb = refused("<?xml version='1.0'?>\n<!DOCTYPE a [\n<!ENTITY x 'xxxxxxxxxx'>\n"
                                 "<!ENTITY y '&x;&x;&x;&x;&x;&x;&x;&x;'>\n]>\n<a b='&y;'>&y;</a>");
  assert_int_equal(bomb.status, SRS_ERROR_SYNTAX);
  assert_int_equal(bomb.line, 2);
  assert_says(&bomb, "DOCTYPE");
  assert_says(&bomb, "entity bomb");
  const srs_error file = refused("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>");
  assert_says(&file, "DOCTYPE");
  const srs_error outside = refused("<!DOCTYPE a SYSTEM 'http://localhost:1/a.dtd'><a/>");
  assert_says(&outside, "DOCTYPE");
}

static void elements_too_deep_are_refused(void **state)
{
  (void)state;
  char *text = calloc(1, 100000 * 3 + 1);
  assert_non_null(text);
  for (size_t i = 0; i < 300000; i++) text[i] = "<a>"[i % 3];
  const srs_error error = refused(text);
  assert_says(&error, "nested more than 200 deep");
  free(text);
}

// What takes a parser time as the square of its number, or ends the text before its end.
static void texts_that_harm_a_parser_are_refused(void **state)
{
  (void)state;
  enum { N = 30000 };
  char *text = malloc(40 * N + 100);
  assert_non_null(text);
  const struct {
    const char *begin, *one, *end, *words; // one: of a number
    int line;
  } cases[] = {
      {"<a>\n<!-- <b ' -->\n<b p='>'", " x%d='='", "/></a>", "more than 1000 attributes", 3},
      {"<a>\n", "<b xmlns:x%d='u'/>", "</a>", "more than 1000 name spaces", 2},
      {"<a>\n", "<b%d/>", "</a>", "more than 20000 different names", 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *at = text + sprintf(text, "%s", cases[i].begin);
    for (int k = 0; k < N; k++) at += snprintf(at, 40, cases[i].one, k); // NOLINT(clang-diagnostic-format-nonliteral)
    (void)sprintf(at, "%s", cases[i].end);
    const srs_error error = refused(text);
    assert_int_equal(error.status, SRS_ERROR_SYNTAX);
    assert_int_equal(error.line, cases[i].line);
    assert_says(&error, cases[i].words);
  }
  free(text);
  const srs_error encoding = refused("<?xml version='1.0' encoding='UTF-7'?><a/>");
  assert_says(&encoding, "encoding 'UTF-7' is not read");
}

static void many_equals_signs_outside_tags_harm_nothing(void **state)
{
  (void)state;
  char text[8200] = "<a><!-- ";
  memset(text + 8, '=', 4000);
  strcpy(text + 4008, " --><![CDATA[ < ");
  memset(text + 4008 + 16, '=', 4000);
  strcpy(text + 8024, "]]><?p a=b <?></a>");
  srs_xml_destroy(parsed(text));
}

static void a_zero_byte_is_refused(void **state)
{
  (void)state;
  static const char after[] = "<a/>\n\0<junk", wide[] = "\xFF\xFE<\0a\0/\0>\0\0\0";
  srs_xml *document = NULL;
  srs_error error = {0};
  assert_int_equal(srs_xml_parse("t.xml", after, sizeof after - 1, &document, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(error.line, 2);
  assert_says(&error, "holds a zero byte");
  assert_int_equal(srs_xml_parse("t.xml", wide, 12, &document, &error), SRS_ERROR_SYNTAX);
  assert_says(&error, "holds a zero byte");
  assert_int_equal(srs_xml_parse("t.xml", wide, 10, &document, &error), SRS_OK); // UTF-16
  assert_string_equal(document->root->name, "a");
  srs_xml_destroy(document);
}

static void empty_texts_are_named_so(void **state)
{
  (void)state;
  const srs_error error = refused(""), blank = refused(" \n\t\n");
  assert_says(&error, "is empty");
  assert_says(&blank, "is empty");
}

static void files_that_cannot_be_read_are_named(void **state)
{
  (void)state;
  srs_xml *document = NULL;
  srs_error error;
  assert_int_equal(srs_xml_read("/no/such/file.xml", NULL, &document, &error), SRS_ERROR_FILE);
  assert_string_equal(error.file, "/no/such/file.xml");
  assert_says(&error, "cannot be read: ");
  assert_int_equal(srs_xml_read(testing_folder(), NULL, &document, &error), SRS_ERROR_FILE);
  assert_says(&error, "directory");
  assert_null(document);
  assert_int_equal(srs_xml_read(testing_write("empty.xml", ""), NULL, &document, NULL), SRS_ERROR_SYNTAX);
  assert_int_equal(srs_xml_read(testing_write("good.xml", "<a/>"), NULL, &document, &error), SRS_OK);
  srs_xml_destroy(document);
}

static void nothing_is_printed(void **state)
{
  (void)state;
  char path[1024];
  snprintf(path, sizeof path, "%s/stderr", testing_folder());
  const int file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600), before = fcntl(2, F_DUPFD_CLOEXEC, 3);
  assert_true(file >= 0 && before >= 0);
  fflush(stderr);
  dup2(file, 2);
  refused("<a><b></a>");
  refused("<a x='&nope;'/>");
  refused("<?xml version='9' encoding='no-such'?><a b:c='' xmlns='not a uri'");
  fflush(stderr);
  dup2(before, 2);
  close(before);
  struct stat info;
  assert_int_equal(fstat(file, &info), 0);
  close(file);
  assert_int_equal(info.st_size, 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

static void numbers_are_taken_whole(void **state)
{
  (void)state;
  srs_xml *document =
      parsed("<a>\n<b p='1e-3' v=' 1\t-2.5 \n +3 ' none='' comma='1,5' unit='1.0kg' nan='nan' inf='-inf'\n"
             " hex='0x10' two='0 0' four='1 2 3 4' bad='1 x 3' expression='-13/3*2' huge='1e999'/></a>");
  srs_xml_node *b = srs_xml_child(document->root, "b");
  double v[3] = {7, 8, 9};
  srs_error error;
  assert_int_equal(srs_xml_numbers(b, "p", 1, v, &error), SRS_OK);
  assert_true(v[0] == 1e-3);
  assert_int_equal(srs_xml_numbers(b, "v", 3, v, &error), SRS_OK);
  assert_true(v[0] == 1 && v[1] == -2.5 && v[2] == 3);
  assert_int_equal(srs_xml_numbers(b, "missing", 3, v, &error), SRS_OK);
  assert_true(v[0] == 1 && v[1] == -2.5 && v[2] == 3);

  static const char *const bad[] = {"none", "comma", "unit", "nan", "inf", "hex", "expression", "huge", "two"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double value = 4;
    assert_int_equal(srs_xml_numbers(b, bad[i], 1, &value, &error), SRS_ERROR_SYNTAX);
    assert_true(value == 4);
    assert_int_equal(error.line, 2);
    assert_says(&error, bad[i]);
    assert_says(&error, "expected one finite number");
  }
  static const char *const bad3[] = {"none", "two", "four", "bad", "p"};
  for (size_t i = 0; i < sizeof bad3 / sizeof *bad3; i++) {
    assert_int_equal(srs_xml_numbers(b, bad3[i], 3, v, &error), SRS_ERROR_SYNTAX);
    assert_true(v[0] == 1 && v[1] == -2.5 && v[2] == 3);
    assert_says(&error, "expected three finite numbers");
  }
  assert_int_equal(srs_xml_required_numbers(b, "missing", 1, v, &error), SRS_ERROR_SYNTAX);
  assert_says(&error, "<b> needs the attribute missing");
  srs_xml_destroy(document);
}

static void texts_may_be_required_and_hold_no_control_characters(void **state)
{
  (void)state;
  srs_xml *document = parsed("<a><b name='n' empty='' broken='x&#10;y'/><mass>5</mass></a>");
  srs_xml_node *b = srs_xml_child(document->root, "b");
  const char *text = NULL;
  srs_error error;
  assert_int_equal(srs_xml_required_text(b, "name", &text, &error), SRS_OK);
  assert_string_equal(text, "n");
  assert_int_equal(srs_xml_text(b, "nothing", &text, &error), SRS_OK);
  assert_null(text);
  assert_int_equal(srs_xml_required_text(b, "empty", &text, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(srs_xml_text(b, "broken", &text, &error), SRS_ERROR_SYNTAX);
  assert_says(&error, "control character");
  double value;
  assert_int_equal(srs_xml_required_numbers(srs_xml_child(document->root, "mass"), "value", 1, &value, &error),
                   SRS_ERROR_SYNTAX);
  assert_says(&error, "it holds the text '5' instead");
  srs_xml_destroy(document);
}

// ---------------------------------------------------------------------------------------------------------------------
// What nobody read
// ---------------------------------------------------------------------------------------------------------------------

static srs_status collect(void *context, const srs_xml_node *node, const srs_xml_attribute *attribute)
{
  char *all = context;
  const size_t had = strlen(all);
  snprintf(all + had, 1000 - had, "%d %s%s%s\n", node->line, srs_xml_path(node), attribute != NULL ? "@" : "",
           attribute != NULL ? attribute->name : "");
  return SRS_OK;
}

static void what_is_unread_is_listed_with_its_path(void **state)
{
  (void)state;
  srs_xml *document =
      parsed("<robot xmlns:x='u'>\n<joint name='h' type='t'>\n<dynamics damping='1' extra='2'>\n"
             "<damping>5</damping></dynamics></joint>\n<odd/><odd><deep/></odd>\n<skip><a/></skip>hm</robot>");
  const char *text = NULL;
  document->root->mark = SRS_XML_READ;
  srs_xml_node *joint = srs_xml_child(document->root, "joint"), *dynamics = srs_xml_child(joint, "dynamics");
  assert_int_equal(srs_xml_text(joint, "name", &text, NULL), SRS_OK);
  assert_int_equal(srs_xml_text(dynamics, "damping", &text, NULL), SRS_OK);
  srs_xml_child(document->root, "skip")->mark = SRS_XML_WHOLE;
  char all[1000] = "";
  assert_int_equal(srs_xml_each_unread(document, collect, all), SRS_OK);
  assert_string_equal(all, "1 robot\n"
                           "2 robot/joint[@name='h']@type\n"
                           "3 robot/joint[@name='h']/dynamics@extra\n"
                           "4 robot/joint[@name='h']/dynamics/damping\n"
                           "5 robot/odd[1]\n"
                           "5 robot/odd[2]\n");
  srs_xml_destroy(document);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_attributes_and_texts_are_kept_in_order),
      cmocka_unit_test(other_encodings_come_out_as_utf8),
      cmocka_unit_test(an_element_is_where_its_tag_begins),
      cmocka_unit_test(lines_beyond_65535_are_exact),
      cmocka_unit_test(text_is_cut_between_characters),
      cmocka_unit_test(broken_xml_is_named_with_line_and_column),
      cmocka_unit_test(a_doctype_is_refused_before_anything_expands),
      cmocka_unit_test(elements_too_deep_are_refused),
      cmocka_unit_test(texts_that_harm_a_parser_are_refused),
      cmocka_unit_test(many_equals_signs_outside_tags_harm_nothing),
      cmocka_unit_test(a_zero_byte_is_refused),
      cmocka_unit_test(empty_texts_are_named_so),
      cmocka_unit_test(files_that_cannot_be_read_are_named),
      cmocka_unit_test(nothing_is_printed),
      cmocka_unit_test(numbers_are_taken_whole),
      cmocka_unit_test(texts_may_be_required_and_hold_no_control_characters),
      cmocka_unit_test(what_is_unread_is_listed_with_its_path),
  };
  return cmocka_run_group_tests_name("xml", tests, NULL, NULL);
}
