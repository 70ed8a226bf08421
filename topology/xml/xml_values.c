// The values of XML elements, and what nothing asked for.
//
// Values are read whole: a number with anything left over, two numbers where three are expected, and an empty text are
// errors that name the element, the attribute, its value and what was expected. Asking for a value marks it; what stays
// unmarked was not understood.

#include "topology/xml/xml_values.h"
#include "topology/base/names.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Elements and texts
// ---------------------------------------------------------------------------------------------------------------------

srs_xml_node *srs_xml_child(srs_xml_node *node, const char *name)
{
  for (srs_xml_node *child = node->first_child; child != NULL; child = child->next) {
    if (strcmp(child->name, name) != 0) continue;
    if (child->mark == SRS_XML_UNREAD) child->mark = SRS_XML_READ;
    return child;
  }
  return NULL;
}

static srs_xml_attribute *find(const srs_xml_node *node, const char *name)
{
  for (int i = 0; i < node->n_attributes; i++)
    if (strcmp(node->attributes[i].name, name) == 0) return &node->attributes[i];
  return NULL;
}

const char *srs_xml_peek(const srs_xml_node *node, const char *name)
{
  const srs_xml_attribute *attribute = find(node, name);
  return attribute != NULL ? attribute->value : NULL;
}

static bool has_control(const char *text)
{
  for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
    if (*c < 0x20 || *c == 0x7f) return true;
  return false;
}

srs_status srs_xml_text(srs_xml_node *node, const char *name, const char **text, srs_error *error)
{
  *text = NULL;
  srs_xml_attribute *attribute = find(node, name);
  if (attribute == NULL) return SRS_OK;
  attribute->is_read = true;
  if (has_control(attribute->value))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, srs_xml_place(node), NULL,
                       "<%.40s %s=...> holds a control character (a line break or tab, say); take it out", node->name,
                       name);
  *text = attribute->value;
  return SRS_OK;
}

// Text where an attribute is wanted is the usual slip: <mass>5</mass>.
static srs_status missing(const srs_xml_node *node, const char *name, const char *expected, srs_error *error)
{
  if (node->text != NULL && node->first_child == NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, srs_xml_place(node), NULL,
                       "<%.40s> needs the attribute %s: %s; it holds the text '%.40s' instead", node->name, name,
                       expected, node->text);
  return srs_fail_at(error, SRS_ERROR_SYNTAX, srs_xml_place(node), NULL, "<%.40s> needs the attribute %s: %s",
                     node->name, name, expected);
}

srs_status srs_xml_required_text(srs_xml_node *node, const char *name, const char **text, srs_error *error)
{
  const srs_status status = srs_xml_text(node, name, text, error);
  if (status != SRS_OK) return status;
  if (*text == NULL) return missing(node, name, "a text that is not empty", error);
  if (**text == '\0')
    return srs_fail_at(error, SRS_ERROR_SYNTAX, srs_xml_place(node), NULL,
                       "<%.40s %s=\"\"> is empty; expected a text that is not", node->name, name);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------------------------

static const char *expectation(int n)
{
  switch (n) {
  case 1: return "one finite number with a decimal point and no unit";
  case 3: return "three finite numbers separated by spaces";
  case 4: return "four finite numbers separated by spaces";
  default: return "finite numbers separated by spaces";
  }
}

static const char *skip_space(const char *text) { return text + strspn(text, " \t\r\n"); }

// How many words the text has, the first n of them as numbers; -1 when one of those is none.
static int read_words(const char *text, int n, double *values)
{
  int count = 0;
  for (const char *word = skip_space(text); *word != '\0'; count++) {
    const size_t length = strcspn(word, " \t\r\n");
    if (count < n && !srs_parse_number(word, length, &values[count])) return -1;
    word = skip_space(word + length);
  }
  return count;
}

srs_status srs_xml_numbers(srs_xml_node *node, const char *name, int n, double *values, srs_error *error)
{
  enum { MOST = 16 };
  double read[MOST];
  const char *text = NULL;
  if (n > MOST) return srs_fail_at(error, SRS_ERROR_ARGUMENT, srs_xml_place(node), NULL, "at most %d numbers", MOST);
  const srs_status status = srs_xml_text(node, name, &text, error);
  if (status != SRS_OK || text == NULL) return status;
  const int count = read_words(text, n, read);
  if (count == n) {
    memcpy(values, read, (size_t)n * sizeof *values);
    return SRS_OK;
  }
  if (count < 0 || n == 1)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, srs_xml_place(node), NULL, "<%.40s %s=\"%.60s\">: expected %s",
                       node->name, name, text, expectation(n));
  return srs_fail_at(error, SRS_ERROR_SYNTAX, srs_xml_place(node), NULL, "<%.40s %s=\"%.60s\">: expected %s, found %d",
                     node->name, name, text, expectation(n), count);
}

srs_status srs_xml_required_numbers(srs_xml_node *node, const char *name, int n, double *values, srs_error *error)
{
  if (find(node, name) == NULL) return missing(node, name, expectation(n), error);
  return srs_xml_numbers(node, name, n, values, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Paths and what was not read
// ---------------------------------------------------------------------------------------------------------------------

// Gives each child its place among the siblings of its name. Once for all of them: there may be very many.
static bool rank_children(srs_xml_node *parent)
{
  srs_names names = {0}; // value: the last child of that name
  srs_arena memory = {0};
  bool is_held = true;
  int n = 0;
  for (const srs_xml_node *child = parent->first_child; child != NULL; child = child->next) n++;
  srs_xml_node **last = srs_arena_take(&memory, (size_t)n + 1, sizeof(srs_xml_node *));
  n = 0;
  for (srs_xml_node *child = parent->first_child; child != NULL && is_held; child = child->next) {
    is_held = last != NULL && srs_names_reserve(&names);
    if (!is_held) break;
    child->rank = 0;
    const int found = srs_names_find(&names, child->name);
    if (found < 0) {
      last[n] = child;
      srs_names_add(&names, child->name, n++);
      continue;
    }
    if (last[found]->rank == 0) last[found]->rank = 1;
    child->rank = last[found]->rank + 1;
    last[found] = child;
  }
  parent->is_ranked = is_held;
  srs_names_release(&names);
  srs_arena_release(&memory);
  return is_held;
}

static const char *step_of_path(const srs_xml_node *node, const char *above)
{
  const char *name = srs_xml_peek(node, "name");
  if (name != NULL && node->parent != NULL)
    return srs_xml_format(node->document, "%s%.60s[@name='%.60s']", above, node->name, name);
  if (node->parent != NULL && !node->parent->is_ranked && !rank_children(node->parent)) return NULL;
  if (node->parent != NULL && node->rank > 0)
    return srs_xml_format(node->document, "%s%.60s[%d]", above, node->name, node->rank);
  return srs_xml_format(node->document, "%s%.60s", above, node->name);
}

const char *srs_xml_path(const srs_xml_node *node)
{
  const srs_xml_node *line[256]; // deeper than a document can be
  int depth = 0;
  for (; node != NULL && depth < 256; node = node->parent) line[depth++] = node;
  const char *path = "";
  while (path != NULL && depth-- > 0) {
    path = step_of_path(line[depth], path);
    if (path != NULL && depth > 0) path = srs_xml_format(line[depth]->document, "%s/", path);
  }
  return path;
}

static srs_status visit_element(const srs_xml_node *node, srs_xml_visit *visit, void *context)
{
  if (node->mark == SRS_XML_UNREAD) return visit(context, node, NULL);
  for (int i = 0; i < node->n_attributes; i++) {
    const srs_xml_attribute *attribute = &node->attributes[i];
    if (attribute->is_read || strncmp(attribute->name, "xml:", 4) == 0) continue;
    const srs_status status = visit(context, node, attribute);
    if (status != SRS_OK) return status;
  }
  return node->text != NULL ? visit(context, node, NULL) : SRS_OK;
}

srs_xml_node *srs_xml_next(const srs_xml_node *node, bool inside)
{
  if (inside && node->first_child != NULL) return node->first_child;
  while (node != NULL && node->next == NULL) node = node->parent;
  return node != NULL ? node->next : NULL;
}

srs_status srs_xml_each_unread(const srs_xml *document, srs_xml_visit *visit, void *context)
{
  for (const srs_xml_node *node = document->root; node != NULL; node = srs_xml_next(node, node->mark == SRS_XML_READ)) {
    if (node->mark == SRS_XML_WHOLE) continue;
    const srs_status status = visit_element(node, visit, context);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}
