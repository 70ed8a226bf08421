// An error names a line, and says in words what is wrong there. Which element or attribute is that? Candidates are all
// that begin in that line, and what is inside of them. The one that the message fits best is taken: it is written as a
// tag in it, its name is a word of it, or its value stands in it. In "joint 'h': damping -1 is negative", the word
// before a name in quotation marks is the owner's, and fits least.
#include "engine/cli/check/refused.h"
#include "topology/base/errors.h"
#include "topology/xml/xml.h"
#include "topology/xml/xml_values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// What each sign that something is meant counts.
enum { IS_TAG = 50, IS_WORD = 5, HAS_NAME = 4, HAS_NAME_OF = 3, HAS_NUMBER = 4, HAS_QUOTED = 3, IS_OWNER = 1 };

static const char *skip_quoted(const char *at)
{
  const char *end = *at == '\'' ? strchr(at + 1, '\'') : NULL;
  return end != NULL ? end + 1 : at + 1;
}

static bool is_letter(char c) { return isalnum((unsigned char)c) != 0 || c == '_'; }

// How much a message has the word, also as "links" of "link" and "named" of "name", outside of quotation marks.
static int word_score(const char *message, const char *name)
{
  const size_t n = strlen(name);
  int score = 0;
  for (const char *at = message; *at != '\0';) {
    if (!is_letter(*at)) {
      at = skip_quoted(at);
      continue;
    }
    const char *end = at;
    while (is_letter(*end)) end++;
    const size_t length = (size_t)(end - at);
    const bool fits = length >= n && length <= n + 2 && strncmp(at, name, n) == 0 &&
                      (length == n || strncmp(at + n, "s", length - n) == 0 || strncmp(at + n, "d", length - n) == 0);
    if (fits && end[0] == ' ' && end[1] == '\'')
      score = score > 0 ? score : IS_OWNER;
    else if (fits)
      score = IS_WORD;
    at = end;
  }
  return score;
}

static bool has_number(const char *value, double number)
{
  for (char *end = NULL; *value != '\0'; value = end) {
    const double one = strtod(value, &end);
    if (end == value) return false;
    if (one == number) return true;
  }
  return false;
}

// Whether some number of the message, outside of quotation marks, is one of the value's; zeros are everywhere.
static bool shares_number(const char *message, const char *value)
{
  bool is_start = true;
  for (const char *at = message; *at != '\0';) {
    char *end = NULL;
    const double number = is_start ? strtod(at, &end) : 0;
    if (is_start && end != at && !is_letter(*end) && number != 0 && has_number(value, number)) return true;
    is_start = *at == ' ' || *at == '(' || *at == '=';
    at = skip_quoted(at);
  }
  return false;
}

static bool quotes(const char *message, const char *value)
{
  char single[200], twice[200];
  if (*value == '\0' || strlen(value) > 150) return false;
  srs_print(single, sizeof single, "'%s'", value);
  srs_print(twice, sizeof twice, "\"%s\"", value);
  return strstr(message, single) != NULL || strstr(message, twice) != NULL;
}

// The first tag of a message begins so: "<limit", "<limit effort=".
static bool has_tag(const char *message, const char *element, const char *attribute)
{
  const char *tag = strchr(message, '<');
  const size_t n = strlen(element), m = attribute != NULL ? strlen(attribute) : 0;
  if (tag == NULL || strncmp(tag + 1, element, n) != 0 || is_letter(tag[1 + n])) return false;
  return attribute == NULL || (tag[1 + n] == ' ' && strncmp(tag + 2 + n, attribute, m) == 0 && tag[2 + n + m] == '=');
}

static int attribute_score(const char *message, const srs_xml_node *node, const srs_xml_attribute *attribute)
{
  int score = 0;
  if (has_tag(message, node->name, attribute->name)) score += 2 * IS_TAG;
  const int word = word_score(message, attribute->name);
  if (word > 0) score += word == IS_WORD ? HAS_NAME : HAS_NAME_OF;
  if (shares_number(message, attribute->value)) score += HAS_NUMBER;
  if (quotes(message, attribute->value)) score += HAS_QUOTED;
  return score + (score > 0 && word_score(message, node->name) == IS_WORD);
}

static void consider(const char *message, const srs_xml_node *node, int *best, srs_refused *refused)
{
  const bool is_single = node->n_attributes == 1; // whatever is wrong with it, that is it
  const int tag = has_tag(message, node->name, NULL) ? IS_TAG : 0;
  const int score = tag + word_score(message, node->name);
  if (score > *best) {
    *best = score;
    srs_print(refused->element, sizeof refused->element, "%s", node->name);
    srs_print(refused->attribute, sizeof refused->attribute, "%s",
              is_single && tag == 0 ? node->attributes[0].name : "");
    refused->line = node->line;
  }
  for (int i = 0; i < node->n_attributes; i++) {
    const int of_attribute = attribute_score(message, node, &node->attributes[i]);
    if (of_attribute <= *best) continue;
    *best = of_attribute;
    srs_print(refused->element, sizeof refused->element, "%s", node->name);
    srs_print(refused->attribute, sizeof refused->attribute, "%s", node->attributes[i].name);
    refused->line = node->line;
  }
}

static bool is_in_line(const srs_xml_node *node, int line)
{
  for (; node != NULL; node = node->parent)
    if (node->line == line) return true;
  return false;
}

bool srs_refused_find(const srs_error *error, srs_refused *refused)
{
  srs_xml *document = NULL;
  if (error->line == 0 || srs_xml_read(error->file, NULL, &document, NULL) != SRS_OK) return false;
  int best = -1;
  for (const srs_xml_node *node = document->root; node != NULL; node = srs_xml_next(node, true))
    if (is_in_line(node, error->line)) consider(error->message, node, &best, refused);
  srs_xml_destroy(document);
  return best >= 0;
}
