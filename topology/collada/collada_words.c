// What do the texts and names of a Collada file hold? Numbers, counts and addresses, each checked; what is wrong is
// refused with its line.
#include "topology/collada/collada_words.h"
#include "topology/base/errors.h"
#include "topology/base/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Messages, writing
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_collada_refuse(const srs_collada *c, const srs_xml_node *node, const char *format, ...)
{
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  srs_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  return srs_fail(c->draft->error, SRS_ERROR_SYNTAX, c->draft->path, node->line, 0, NULL, "<%.40s>: %s", node->name,
                  text);
}

srs_status srs_collada_put(srs_collada *c, const char *text, size_t n)
{
  srs_mesh_draft *d = c->draft;
  if (!srs_mesh_reserve(d, n)) return srs_mesh_no_memory(d);
  memcpy(d->clean + d->n_clean, text, n);
  d->n_clean += n;
  return SRS_OK;
}

srs_status srs_collada_print(srs_collada *c, const char *format, ...)
{
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  const int n = srs_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  return srs_collada_put(c, text, (size_t)n);
}

// ---------------------------------------------------------------------------------------------------------------------
// Texts of elements
// ---------------------------------------------------------------------------------------------------------------------

// What an element without children holds.
srs_status srs_collada_text(const srs_collada *c, const srs_xml_node *node, srs_collada_words *w)
{
  *w = (srs_collada_words){c->bytes + node->inside, c->bytes + node->end};
  if (node->end == node->inside) return SRS_OK; // <p/>
  if (node->first_child != NULL)
    return srs_collada_refuse(c, node, "numbers were expected, not <%.40s>", node->first_child->name);
  do w->end--;
  while (w->end > w->at && *w->end != '<'); // the end tag
  return SRS_OK;
}

static bool is_space(char x) { return x == ' ' || x == '\n' || x == '\t' || x == '\r'; }

static bool next_word(srs_collada_words *w, const char **word, size_t *length)
{
  while (w->at < w->end && is_space(*w->at)) w->at++;
  *word = w->at;
  while (w->at < w->end && !is_space(*w->at)) w->at++;
  *length = (size_t)(w->at - *word);
  return *length > 0;
}

srs_status srs_collada_count_numbers(const srs_collada *c, const srs_xml_node *node, size_t *n)
{
  srs_collada_words w;
  const char *word;
  size_t length;
  const srs_status status = srs_collada_text(c, node, &w);
  if (status != SRS_OK) return status;
  for (*n = 0; next_word(&w, &word, &length); ++*n)
    if (!srs_mesh_is_number(word, length))
      return srs_collada_refuse(c, node, "expected numbers, not '%.*s'", (int)(length < 40 ? length : 40), word);
  return SRS_OK;
}

// The indices of an element, appended to those that are there.
srs_status srs_collada_add_indices(srs_collada *c, const srs_xml_node *node, size_t *n)
{
  srs_collada_words w;
  const char *word;
  size_t length;
  const srs_status status = srs_collada_text(c, node, &w);
  if (status != SRS_OK) return status;
  while (next_word(&w, &word, &length)) {
    long value = 0;
    for (size_t i = 0; i < length && value >= 0; i++)
      value = word[i] >= '0' && word[i] <= '9' && value < INT_MAX / 20 ? 10 * value + (word[i] - '0') : -1;
    if (value < 0)
      return srs_collada_refuse(c, node, "expected whole numbers, not '%.*s'", (int)(length < 40 ? length : 40), word);
    if (*n == c->room_for_indices) {
      const size_t room = 2 * c->room_for_indices + 1024;
      int *larger = realloc(c->indices, room * sizeof *larger);
      if (larger == NULL) return srs_mesh_no_memory(c->draft);
      c->indices = larger;
      c->room_for_indices = room;
    }
    c->indices[(*n)++] = (int)value;
  }
  return SRS_OK;
}

// A whole attribute, `otherwise` where it is missing.
srs_status srs_collada_whole(const srs_collada *c, const srs_xml_node *node, const char *name, size_t otherwise,
                             size_t *value)
{
  const char *text = srs_xml_peek(node, name);
  *value = otherwise;
  if (text == NULL) return SRS_OK;
  char *end = NULL;
  const unsigned long read = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
  if (end == NULL || *end != '\0' || read > INT_MAX / 20)
    return srs_collada_refuse(c, node, "%s=\"%.40s\" is no count", name, text);
  *value = read;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------------

static const char *key_of(srs_collada *c, const char *kind, const char *id)
{
  return srs_xml_format(c->document, "%s:%s", kind, id);
}

srs_status srs_collada_list(srs_collada *c, srs_xml_node *node)
{
  const char *id = srs_xml_peek(node, "id");
  if (strcmp(node->name, "geometry") == 0) c->geometries[c->n_geometries++].node = node;
  if (id == NULL) return SRS_OK;
  const char *key = key_of(c, node->name, id);
  if (key == NULL || !srs_names_reserve(&c->ids)) return srs_mesh_no_memory(c->draft);
  if (srs_names_find(&c->ids, key) >= 0) return SRS_OK; // the first counts
  c->nodes[c->n_ids] = node;
  srs_names_add(&c->ids, key, c->n_ids++);
  return SRS_OK;
}

// The element of that kind that an attribute names as "#ID".
srs_status srs_collada_find(srs_collada *c, const srs_xml_node *node, const char *attribute, const char *kind,
                            srs_xml_node **found)
{
  const char *address = srs_xml_peek(node, attribute);
  if (address == NULL || address[0] != '#')
    return srs_collada_refuse(c, node, "%s=\"%.60s\" names nothing in this file", attribute,
                              address != NULL ? address : "");
  const char *key = key_of(c, kind, address + 1);
  if (key == NULL) return srs_mesh_no_memory(c->draft);
  const int i = srs_names_find(&c->ids, key);
  if (i < 0) return srs_collada_refuse(c, node, "%s=\"%.60s\" names no <%s>", attribute, address, kind);
  *found = c->nodes[i];
  return SRS_OK;
}
