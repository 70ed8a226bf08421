// Warnings, names and values for the parts of the MJCF reader.
//
// A value is looked for on the element, then in its class, then in the classes around that. Lists of numbers may be
// shorter than their kind: the tail is then that of the class further out, and at last the format's own default.

#include "topology/mjcf_base/mjcf_common.h"
#include "topology/base/nearest_word.h"
#include "topology/builder/builder.h"

#include <limits.h>
#include <math.h>
#include <string.h>

srs_status srs_mjcf_no_memory(const srs_mjcf *mjcf)
{
  return srs_fail(mjcf->error, SRS_ERROR_MEMORY, mjcf->document->path, 0, 0, NULL, "out of memory");
}

srs_status srs_mjcf_warn(srs_mjcf *mjcf, const srs_xml_node *node, const char *text)
{
  return srs_xml_report_add(&mjcf->report, node->document, node->line, text, false);
}

srs_status srs_mjcf_leave_out(srs_mjcf *mjcf, const srs_xml_node *node, const char *text)
{
  if (text == NULL || mjcf->options->allow_unsupported) return srs_mjcf_warn(mjcf, node, text);
  return srs_mjcf_fail(mjcf, SRS_ERROR_UNSUPPORTED, node, srs_xml_peek(node, "name"),
                       "%s; --allow-unsupported (allow_unsupported) leaves it out", text);
}

srs_status srs_mjcf_note(srs_mjcf *mjcf, const srs_xml_node *node, const char *text)
{
  return srs_xml_report_add(&mjcf->report, node->document, node->line, text, true);
}

const char *srs_mjcf_prefixed(srs_mjcf *mjcf, const char *name)
{
  const char *prefix = mjcf->options->prefix;
  return srs_mjcf_format(mjcf, "%s%s", prefix != NULL ? prefix : "", name);
}

void srs_mjcf_locate(srs_mjcf *mjcf, const srs_xml_node *node)
{
  srs_builder_set_location(mjcf->builder, node->document->path, node->line, 0);
}

void *srs_mjcf_grow(srs_mjcf *mjcf, void *items, int n, int *room, size_t size)
{
  if (n < *room) return items;
  const int larger = *room > 0 ? 2 * *room : 16;
  void *moved = srs_arena_take(&mjcf->document->memory, (size_t)larger, size);
  if (moved == NULL) return NULL;
  if (n > 0) memcpy(moved, items, (size_t)n * size);
  *room = larger;
  return moved;
}

srs_status srs_mjcf_add_name(srs_mjcf *mjcf, srs_names *names, const char *what, const char *name, int value,
                             const srs_xml_node *node)
{
  if (srs_names_find(names, name) >= 0)
    return srs_mjcf_fail(mjcf, SRS_ERROR_NAME, node, name, "the name '%.80s' is that of two elements (%s); rename one",
                         name, what);
  if (!srs_names_reserve(names)) return srs_mjcf_no_memory(mjcf);
  srs_names_add(names, name, value);
  return SRS_OK;
}

srs_status srs_mjcf_find(srs_mjcf *mjcf, const srs_names *names, const char *what, const char *name,
                         const srs_xml_node *node, int *index)
{
  *index = srs_names_find(names, name);
  if (*index >= 0) return SRS_OK;
  srs_nearest nearest = srs_nearest_to(name);
  for (int i = 0; i < names->n; i++) srs_nearest_offer(&nearest, names->names[i]);
  char hint[192];
  return srs_mjcf_fail(mjcf, SRS_ERROR_NAME, node, name, "<%.40s>: no %s is named '%.80s'%s", node->name, what, name,
                       srs_nearest_hint(&nearest, hint));
}

// ---------------------------------------------------------------------------------------------------------------------
// Elements and classes
// ---------------------------------------------------------------------------------------------------------------------

// All kinds of actuators share their defaults.
static bool is_actuator(const char *tag)
{
  static const char *const tags[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                     "damper",  "cylinder", "muscle",   "adhesion", "dcmotor"};
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
    if (strcmp(tag, tags[i]) == 0) return true;
  return false;
}

static bool is_default_of(const srs_xml_node *node, const srs_mjcf_item *item)
{
  return strcmp(node->name, item->tag) == 0 || (is_actuator(item->tag) && is_actuator(node->name));
}

// The text in one class itself: the last one counts.
static const char *text_of_class(const srs_mjcf_class *class, const srs_mjcf_item *item, const char *name,
                                 const srs_xml_node **at)
{
  const char *found = NULL;
  for (int i = 0; i < class->n_nodes; i++)
    for (const srs_xml_node *node = class->nodes[i]->first_child; node != NULL; node = node->next) {
      const char *text = is_default_of(node, item) ? srs_xml_peek(node, name) : NULL;
      if (text == NULL) continue;
      found = text;
      *at = node;
    }
  return found;
}

// The nearest text at or above a class, and the class above the one that has it.
static const char *text_at(const srs_mjcf_item *item, const char *name, const srs_mjcf_class **class,
                           const srs_xml_node **at)
{
  const char *text = NULL;
  while (*class != NULL && text == NULL) {
    text = text_of_class(*class, item, name, at);
    *class = (*class)->parent;
  }
  return text;
}

static const char *nearest_text(const srs_mjcf_item *item, const char *name, const srs_mjcf_class **above,
                                const srs_xml_node **at)
{
  *above = item->class;
  *at = item->node;
  const char *text = srs_xml_peek(item->node, name);
  return text != NULL ? text : text_at(item, name, above, at);
}

const char *srs_mjcf_text(const srs_mjcf_item *item, const char *name)
{
  const srs_mjcf_class *above;
  const srs_xml_node *at;
  return nearest_text(item, name, &above, &at);
}

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

static const char *skip_space(const char *text) { return text + strspn(text, " \t\r\n"); }

static srs_status read_list(srs_mjcf *mjcf, const srs_xml_node *node, const char *name, const char *text, int least,
                            int most, double *values, int *n)
{
  int count = 0;
  for (const char *word = skip_space(text); *word != '\0'; count++) {
    const size_t length = strcspn(word, " \t\r\n");
    if (count == most || !srs_parse_number(word, length, &values[count])) {
      count = -1;
      break;
    }
    word = skip_space(word + length);
  }
  *n = count;
  if (count >= least) return SRS_OK;
  if (least == most)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, NULL, "<%.40s %s=\"%.60s\">: expected %d finite number%s",
                         node->name, name, text, most, most == 1 ? "" : "s, separated by spaces");
  return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, NULL,
                       "<%.40s %s=\"%.60s\">: expected %d to %d finite numbers, separated by spaces", node->name, name,
                       text, least, most);
}

srs_status srs_mjcf_numbers(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name, int least, int most,
                            double *values, int *n)
{
  enum { MOST = 16, DEPTH = 64 };
  const char *texts[DEPTH];
  const srs_xml_node *nodes[DEPTH];
  int depth = 0, count = 0;
  const srs_mjcf_class *above;
  const char *text = nearest_text(item, name, &above, &nodes[0]);
  while (text != NULL && depth < DEPTH - 1) {
    texts[depth++] = text;
    text = text_at(item, name, &above, &nodes[depth]);
  }
  while (depth-- > 0) {
    double read[MOST];
    const srs_status status = read_list(mjcf, nodes[depth], name, texts[depth], least, most, read, &count);
    if (status != SRS_OK) return status;
    for (int i = 0; i < count; i++) values[i] = read[i];
  }
  if (n != NULL) *n = count;
  return SRS_OK;
}

srs_status srs_mjcf_integer(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name, int *value)
{
  double number = *value;
  const srs_status status = srs_mjcf_numbers(mjcf, item, name, 1, 1, &number, NULL);
  if (status != SRS_OK) return status;
  if (number != floor(number) || fabs(number) > INT_MAX)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, item->node, NULL, "<%.40s %s=\"%.40s\">: expected a whole number",
                         item->node->name, name, srs_mjcf_text(item, name));
  *value = (int)number;
  return SRS_OK;
}

srs_status srs_mjcf_choice(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name, const char *const *words,
                           int *choice)
{
  const srs_mjcf_class *above;
  const srs_xml_node *at;
  const char *text = nearest_text(item, name, &above, &at);
  if (text == NULL) return SRS_OK;
  char list[200] = "";
  int length = 0;
  for (int i = 0; words[i] != NULL; i++) {
    if (strcmp(text, words[i]) == 0) {
      *choice = i;
      return SRS_OK;
    }
    if (length < (int)sizeof list - 40)
      length += srs_print(list + length, sizeof list - (size_t)length, "%s%s", i > 0 ? ", " : "", words[i]);
  }
  return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, at, NULL, "<%.40s %s=\"%.40s\">: expected one of %s", at->name, name,
                       text, list);
}

srs_status srs_mjcf_flag(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name, bool *flag)
{
  static const char *const words[] = {"false", "true", NULL};
  int choice = *flag;
  const srs_status status = srs_mjcf_choice(mjcf, item, name, words, &choice);
  *flag = choice == 1;
  return status;
}

srs_status srs_mjcf_limited(srs_mjcf *mjcf, const srs_mjcf_item *item, const char *name, const char *range,
                            bool *is_limited)
{
  static const char *const words[] = {"false", "true", "auto", NULL};
  int choice = 2;
  double bounds[2] = {0, 0};
  srs_status status = srs_mjcf_choice(mjcf, item, name, words, &choice);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, item, range, 2, 2, bounds, NULL);
  if (status != SRS_OK) return status;
  const bool is_none = choice == 2 && bounds[0] == 0 && bounds[1] == 0;
  const bool has_range = srs_mjcf_text(item, range) != NULL && !is_none;
  *is_limited = choice == 1 || (choice == 2 && has_range);
  if (choice == 2 && has_range && !mjcf->compiler.auto_limits)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, item->node, srs_xml_peek(item->node, "name"),
                         "<%.40s> has a %s but not %s=\"true\" or \"false\", and autolimits is off; say which",
                         item->node->name, range, name);
  if (choice == 1 && !has_range)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, item->node, srs_xml_peek(item->node, "name"),
                         "<%.40s> has %s=\"true\" but no %s; give one", item->node->name, name, range);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Of several parts
// ---------------------------------------------------------------------------------------------------------------------

bool srs_mjcf_names_spatial_tendon(const srs_mjcf *mjcf, const char *name)
{
  for (const srs_xml_node *node = mjcf->document->root->first_child; node != NULL; node = node->next)
    for (const srs_xml_node *child = node->first_child; child != NULL && strcmp(node->name, "tendon") == 0;
         child = child->next) {
      const char *own = strcmp(child->name, "spatial") == 0 ? srs_xml_peek(child, "name") : NULL;
      if (own != NULL && strcmp(own, name) == 0) return true;
    }
  return false;
}

void srs_mjcf_shift_polynomial(double p[5], double r)
{
  for (int i = 0; i < 4; i++)
    for (int k = 3; k >= i; k--) p[k] -= r * p[k + 1];
}
