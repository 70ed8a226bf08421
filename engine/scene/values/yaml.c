// Reading YAML and JSON files into a tree whose values know their place.
//
// libfyaml turns text into events (start of a map, a scalar, …), each with its mark; the events become a tree of our
// own, held in one arena. Keys and values alternate inside a map. The diagnostics of the parser are collected, never
// printed: the first of them becomes the error.
#include "engine/scene/values/yaml.h"
#include "engine/scene/values/former_names.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32, MOST_VALUES = 1000000, MOST_KEYS = 10000 };

typedef struct tree_builder {
  srs_yaml *yaml;
  srs_yaml_node *stack[DEEPEST]; // open maps and lists
  srs_yaml_node *last[DEEPEST];  // the latest entry of each
  const char *key[DEEPEST];      // a key that waits for its value
  srs_place key_place[DEEPEST];
  int depth, n_values;
  bool has_document;
  srs_error *error;
} tree_builder;

// ---------------------------------------------------------------------------------------------------------------------
// Events to tree
// ---------------------------------------------------------------------------------------------------------------------

static srs_place event_place(const srs_yaml *yaml, struct fy_event *event)
{
  const struct fy_mark *mark = fy_event_start_mark(event);
  return mark != NULL ? (srs_place){yaml->file, mark->line + 1, mark->column + 1} : (srs_place){yaml->file, 0, 0};
}

static srs_status out_of_memory(const srs_yaml *yaml, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){yaml->file, 0, 0}, "", "no memory left to read the file");
}

// Hangs a value into the open map or list.
static srs_status hang(tree_builder *b, srs_yaml_node *node)
{
  if (b->depth == 0) {
    b->yaml->root = node;
    return SRS_OK;
  }
  const int top = b->depth - 1;
  srs_yaml_node *parent = b->stack[top];
  if (parent->kind == SRS_YAML_MAP) {
    if (b->key[top] == NULL)
      return srs_fail_at(b->error, SRS_ERROR_SYNTAX, node->place, "", "a key must be a word, not %s",
                         srs_yaml_describe(node));
    node->key = b->key[top];
    node->key_place = b->key_place[top];
    b->key[top] = NULL;
    if (node->place.line == 0) node->place = node->key_place; // a value that is missing
  }
  if (b->last[top] != NULL)
    b->last[top]->next = node;
  else
    parent->first = node;
  b->last[top] = node;
  parent->count++;
  return SRS_OK;
}

static srs_status new_node(tree_builder *b, srs_yaml_kind kind, srs_place place, srs_yaml_node **node)
{
  if (++b->n_values > MOST_VALUES)
    return srs_fail_at(b->error, SRS_ERROR_UNSUPPORTED, place, "", "the file holds more than %d values", MOST_VALUES);
  *node = srs_arena_take(&b->yaml->arena, 1, sizeof **node);
  if (*node == NULL) return out_of_memory(b->yaml, b->error);
  (*node)->kind = kind;
  (*node)->place = place;
  return SRS_OK;
}

static srs_status open_node(tree_builder *b, srs_yaml_kind kind, srs_place place)
{
  if (b->depth == DEEPEST)
    return srs_fail_at(b->error, SRS_ERROR_SYNTAX, place, "", "values are nested more than %d deep", DEEPEST);
  srs_yaml_node *node;
  srs_status status = new_node(b, kind, place, &node);
  if (status == SRS_OK) status = hang(b, node);
  if (status != SRS_OK) return status;
  b->stack[b->depth] = node;
  b->last[b->depth] = NULL;
  b->key[b->depth] = NULL;
  b->depth++;
  return SRS_OK;
}

static const srs_yaml_node *entry_of(const srs_yaml_node *map, const char *key)
{
  for (const srs_yaml_node *entry = map->first; entry != NULL; entry = entry->next)
    if (entry->key != NULL && strcmp(entry->key, key) == 0) return entry;
  return NULL;
}

static srs_status take_key(tree_builder *b, const char *key, srs_place place)
{
  const int top = b->depth - 1;
  if (place.line == 0) place = b->stack[top]->place; // a key that is missing
  if (key[0] == '\0') return srs_fail_at(b->error, SRS_ERROR_SYNTAX, place, "", "a key is empty");
  if (b->stack[top]->count >= MOST_KEYS)
    return srs_fail_at(b->error, SRS_ERROR_UNSUPPORTED, place, "", "a map holds more than %d keys", MOST_KEYS);
  const srs_yaml_node *same = entry_of(b->stack[top], key);
  if (same != NULL)
    return srs_fail_at(b->error, SRS_ERROR_NAME, place, key, "key '%s' is given twice, first in line %d", key,
                       same->key_place.line);
  b->key[top] = key;
  b->key_place[top] = place;
  return SRS_OK;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Lines fold to spaces: a break is a space, n + 1 of them are n breaks; blanks around them are dropped.
static const char *fold(const char *at, const char *end, const char *start, char **to)
{
  int breaks = 0;
  while (*to > start && is_blank((*to)[-1])) --*to;
  for (; at < end && (is_blank(*at) || *at == '\n' || *at == '\r'); at++)
    breaks += *at == '\n' || (*at == '\r' && (at + 1 == end || at[1] != '\n'));
  if (breaks == 1) *(*to)++ = ' ';
  for (int i = 1; i < breaks; i++) *(*to)++ = '\n';
  return at;
}

// What stands between single quotes: two of them are one. libfyaml 0.7 reads a''''b as a'''b and loses memory over it.
static char *unquote(srs_arena *arena, const char *at, const char *end, size_t *length)
{
  char *text = srs_arena_take(arena, (size_t)(end - at) + 1, 1), *to = text;
  if (text == NULL) return NULL;
  while (at < end) {
    if (*at == '\n' || *at == '\r') {
      at = fold(at, end, text, &to);
      continue;
    }
    at += *at == '\'' && at + 1 < end && at[1] == '\'';
    *to++ = *at++;
  }
  *to = '\0';
  *length = (size_t)(to - text);
  return text;
}

// A scalar's text, in the arena.
static char *copy_text(srs_yaml *yaml, struct fy_token *token, enum fy_scalar_style style, size_t *length)
{
  const struct fy_mark *first = fy_token_start_mark(token), *last = fy_token_end_mark(token);
  *length = 0;
  if (style == FYSS_SINGLE_QUOTED && first != NULL && last != NULL && first->input_pos > 0 &&
      first->input_pos <= last->input_pos && last->input_pos < yaml->length &&
      yaml->text[first->input_pos - 1] == '\'' && yaml->text[last->input_pos] == '\'')
    return unquote(&yaml->arena, yaml->text + first->input_pos, yaml->text + last->input_pos, length);
  const char *text = fy_token_get_text(token, length);
  return text != NULL ? srs_text_copy(&yaml->arena, text, *length) : srs_text_copy(&yaml->arena, "", 0);
}

static srs_status take_scalar(tree_builder *b, struct fy_event *event, srs_place place)
{
  const enum fy_scalar_style style = fy_token_scalar_style(event->scalar.value);
  if (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) place.column--; // the mark stands behind the quote
  size_t length = 0;
  char *copy = copy_text(b->yaml, event->scalar.value, style, &length);
  if (copy == NULL) return out_of_memory(b->yaml, b->error);
  if (strlen(copy) != length)
    return srs_fail_at(b->error, SRS_ERROR_SYNTAX, place, "", "a zero byte stands inside a value");
  const int top = b->depth - 1;
  if (top >= 0 && b->stack[top]->kind == SRS_YAML_MAP && b->key[top] == NULL) return take_key(b, copy, place);
  srs_yaml_node *node;
  const srs_status status = new_node(b, SRS_YAML_SCALAR, place, &node);
  if (status != SRS_OK) return status;
  node->text = copy;
  node->length = strlen(copy);
  node->is_plain = style == FYSS_PLAIN;
  return hang(b, node);
}

static srs_status take_event(tree_builder *b, struct fy_event *event)
{
  srs_place place = event_place(b->yaml, event);
  if (event->type == FYET_ALIAS) place.column--; // the mark stands behind the star
  if (event->type == FYET_ALIAS || fy_event_get_anchor_token(event) != NULL)
    return srs_fail_at(b->error, SRS_ERROR_UNSUPPORTED, place, "",
                       "anchors (&) and aliases (*) are not read, write the value out");
  if (fy_event_get_tag_token(event) != NULL)
    return srs_fail_at(b->error, SRS_ERROR_UNSUPPORTED, place, "", "tags (!) are not read, write the value without");
  switch (event->type) {
  case FYET_DOCUMENT_START:
    if (b->has_document)
      return srs_fail_at(b->error, SRS_ERROR_SYNTAX, place, "", "a second document starts here, only one is read");
    b->has_document = true;
    return SRS_OK;
  case FYET_MAPPING_START: return open_node(b, SRS_YAML_MAP, place);
  case FYET_SEQUENCE_START: return open_node(b, SRS_YAML_LIST, place);
  case FYET_MAPPING_END:
  case FYET_SEQUENCE_END:
    if (b->depth > 0) b->depth--;
    return SRS_OK;
  case FYET_SCALAR: return take_scalar(b, event, place);
  default: return SRS_OK;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Loading
// ---------------------------------------------------------------------------------------------------------------------

static void swallow(struct fy_diag *diag, void *user, const char *text, size_t length)
{
  (void)diag, (void)user, (void)text, (void)length;
}

static srs_status tell_syntax(const srs_yaml *yaml, struct fy_diag *diag, srs_error *error)
{
  void *position = NULL;
  for (const struct fy_diag_error *found; (found = fy_diag_errors_iterate(diag, &position)) != NULL;) {
    if (found->type != FYET_ERROR || found->msg == NULL) continue;
    const srs_place place = {yaml->file, found->line > 0 ? found->line : 0, found->column > 0 ? found->column : 0};
    int length = (int)strnlen(found->msg, 400);
    while (length > 0 && (found->msg[length - 1] == '\n' || found->msg[length - 1] == '.')) length--;
    return srs_fail_at(error, SRS_ERROR_SYNTAX, place, "", "not well-formed YAML: %.*s", length, found->msg);
  }
  return srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){yaml->file, 0, 0}, "", "not well-formed YAML");
}

static srs_status run_parser(struct fy_parser *parser, struct fy_diag *diag, srs_yaml *yaml, srs_error *error)
{
  if (fy_parser_set_string(parser, yaml->text, yaml->length) != 0) return tell_syntax(yaml, diag, error);
  tree_builder builder = {.yaml = yaml, .error = error};
  for (struct fy_event *event; (event = fy_parser_parse(parser)) != NULL;) {
    const srs_status status = take_event(&builder, event);
    fy_parser_event_free(parser, event);
    if (status != SRS_OK) return status;
  }
  if (fy_parser_get_stream_error(parser) || fy_diag_got_error(diag)) return tell_syntax(yaml, diag, error);
  const bool is_empty = yaml->root == NULL || (yaml->root->kind == SRS_YAML_SCALAR && yaml->root->length == 0);
  if (is_empty) return srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){yaml->file, 0, 0}, "", "the file is empty");
  return SRS_OK;
}

// Text is UTF-8 without zero bytes.
static srs_status check_bytes(const srs_yaml *yaml, srs_error *error)
{
  const char *at = yaml->text, *const end = at + yaml->length;
  srs_place place = {yaml->file, 1, 1};
  if (strncmp(at, "\x89HDF\r\n", 6) == 0)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){yaml->file, 0, 0}, "",
                       "an HDF5 file is no scene or model: sarrus plot, view and convert read a recorded run");
  while (at < end) {
    long character;
    const char *next = srs_next_character(at, &character);
    if (character <= 0)
      return srs_fail_at(error, SRS_ERROR_SYNTAX, place, "", "%s: a file must be UTF-8 text",
                         character == 0 ? "a zero byte" : "a byte that is no UTF-8");
    place.column = character == '\n' ? 1 : place.column + 1;
    place.line += character == '\n';
    at = next;
  }
  return SRS_OK;
}

// "<robot", "<?xml", "<!--"
static bool begins_as_xml(const char *text)
{
  if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
  text += strspn(text, " \t\r\n");
  const char next = text[0] == '<' ? text[1] : '\0';
  return next == '?' || next == '!' || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
}

static srs_status parse_text(srs_yaml *yaml, srs_error *error)
{
  srs_status status = check_bytes(yaml, error);
  if (status != SRS_OK) return status;
  if (begins_as_xml(yaml->text))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){yaml->file, 0, 0}, "",
                       "is XML, not YAML: name a robot file .urdf, .xml or .mjcf; run xacro first where it needs that");
  const struct fy_diag_cfg diag_configuration = {
      .output_fn = swallow, .level = FYET_ERROR, .module_mask = (1u << FYEM_MAX) - 1};
  struct fy_diag *diag = fy_diag_create(&diag_configuration);
  if (diag == NULL) return out_of_memory(yaml, error);
  fy_diag_set_collect_errors(diag, true);
  const unsigned json = srs_has_ending(yaml->file, ".json") ? FYPCF_JSON_FORCE : FYPCF_JSON_NONE;
  const struct fy_parse_cfg configuration = {
      .search_path = "", .flags = (enum fy_parse_cfg_flags)(FYPCF_QUIET | FYPCF_COLLECT_DIAG | json), .diag = diag};
  struct fy_parser *parser = fy_parser_create(&configuration);
  if (parser != NULL) {
    status = run_parser(parser, diag, yaml, error);
    fy_parser_destroy(parser);
  } else
    status = out_of_memory(yaml, error);
  fy_diag_destroy(diag);
  return status;
}

srs_status srs_yaml_parse(const char *path, const char *text, size_t length, srs_yaml *yaml, srs_error *error)
{
  *yaml = (srs_yaml){.length = length};
  yaml->file = srs_text_copy(&yaml->arena, path, strlen(path));
  yaml->text = srs_text_copy(&yaml->arena, text, length);
  srs_status status;
  if (yaml->file == NULL || yaml->text == NULL)
    status = srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){path, 0, 0}, "", "no memory left to read the file");
  else
    status = parse_text(yaml, error);
  if (status != SRS_OK) srs_yaml_free(yaml);
  return status;
}

srs_status srs_yaml_load(const char *path, srs_yaml *yaml, srs_error *error)
{
  *yaml = (srs_yaml){0};
  char *text = NULL;
  size_t length = 0;
  srs_status status = srs_read_text(path, NULL, &text, &length, error);
  if (status == SRS_OK) status = srs_yaml_parse(path, text, length, yaml, error);
  free(text);
  return status;
}

void srs_yaml_free(srs_yaml *yaml)
{
  srs_arena_release(&yaml->arena);
  *yaml = (srs_yaml){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

const srs_yaml_node *srs_yaml_get(const srs_yaml_node *map, const char *key)
{
  for (const srs_yaml_node *entry = map->first; entry != NULL; entry = entry->next) {
    if (entry->key == NULL) continue;
    const char *present = srs_present_key(entry->key);
    if (strcmp(entry->key, key) == 0 || (present != NULL && strcmp(present, key) == 0)) return entry;
  }
  return NULL;
}

static bool is_nothing(const srs_yaml_node *node)
{
  if (!node->is_plain) return false;
  return node->length == 0 || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0;
}

const char *srs_yaml_describe(const srs_yaml_node *node)
{
  if (node->kind == SRS_YAML_LIST) return "a list";
  if (node->kind == SRS_YAML_MAP) return "a map";
  double number;
  if (is_nothing(node)) return "nothing";
  return node->is_plain && srs_parse_number(node->text, node->length, &number) ? "a number" : "text";
}

static srs_status wrong_type(const srs_yaml_node *node, const char *what, const char *wanted, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, what, "%s must be %s, here is %s", what, wanted,
                     srs_yaml_describe(node));
}

srs_status srs_yaml_number(const srs_yaml_node *node, const char *what, double *value, srs_error *error)
{
  if (node->kind != SRS_YAML_SCALAR || is_nothing(node)) return wrong_type(node, what, "a number", error);
  if (node->is_plain && srs_parse_number(node->text, node->length, value)) return SRS_OK;
  if (!node->is_plain) return wrong_type(node, what, "a number without quotes", error);
  return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, what,
                     "%s: '%.80s' is not a finite number (write it with a decimal point and without a unit)", what,
                     node->text);
}

srs_status srs_yaml_integer(const srs_yaml_node *node, const char *what, int *value, srs_error *error)
{
  double number;
  const srs_status status = srs_yaml_number(node, what, &number, error);
  if (status != SRS_OK) return status;
  if (number < -2147483647.0 || number > 2147483647.0 || number != (double)(int)number)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, what, "%s must be a whole number, here is %.80s", what,
                       node->text);
  *value = (int)number;
  return SRS_OK;
}

srs_status srs_yaml_bool(const srs_yaml_node *node, const char *what, bool *value, srs_error *error)
{
  const bool is_word = node->kind == SRS_YAML_SCALAR && node->is_plain;
  const bool is_true = is_word && strcmp(node->text, "true") == 0;
  if (!is_true && !(is_word && strcmp(node->text, "false") == 0)) return wrong_type(node, what, "true or false", error);
  *value = is_true;
  return SRS_OK;
}

srs_status srs_yaml_text(const srs_yaml_node *node, const char *what, const char **value, srs_error *error)
{
  if (node->kind != SRS_YAML_SCALAR || is_nothing(node) || node->length == 0)
    return wrong_type(node, what, "text that is not empty", error);
  *value = node->text;
  return SRS_OK;
}

srs_status srs_yaml_numbers(const srs_yaml_node *node, const char *what, double *values, int n, srs_error *error)
{
  const srs_status status = srs_yaml_expect_list(node, what, error);
  if (status != SRS_OK) return status;
  if (node->count != n)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, what, "%s has %d %s, %d %s needed", what, node->count,
                       node->count == 1 ? "entry" : "entries", n, n == 1 ? "is" : "are");
  int i = 0;
  for (const srs_yaml_node *entry = node->first; entry != NULL; entry = entry->next, i++) {
    const srs_status entry_status = srs_yaml_number(entry, what, values + i, error);
    if (entry_status != SRS_OK) return entry_status;
  }
  return SRS_OK;
}

srs_status srs_yaml_expect_map(const srs_yaml_node *node, const char *what, srs_error *error)
{
  return node->kind == SRS_YAML_MAP ? SRS_OK : wrong_type(node, what, "a map of keys and values", error);
}

srs_status srs_yaml_expect_list(const srs_yaml_node *node, const char *what, srs_error *error)
{
  return node->kind == SRS_YAML_LIST ? SRS_OK : wrong_type(node, what, "a list", error);
}

// " (there are a, b, c)", as many as there is room for.
static const char *list_keys(const char *const *keys, char *text, size_t size)
{
  const size_t reserve = sizeof ", ...)";
  size_t used = 0;
  for (int i = 0; keys[i] != NULL; i++) {
    const bool fits = used + strlen(keys[i]) + sizeof " (there are " + reserve < size;
    used += (size_t)srs_print(text + used, size - used, "%s%s", i == 0 ? " (there are " : ", ", fits ? keys[i] : "...");
    if (!fits) break;
  }
  if (used > 0) srs_print(text + used, size - used, ")");
  return text;
}

srs_status srs_yaml_check_keys(const srs_yaml_node *map, const char *what, const char *const *keys, srs_error *error)
{
  for (const srs_yaml_node *entry = map->first; entry != NULL; entry = entry->next) {
    srs_nearest nearest = srs_nearest_to(entry->key);
    const char *present = srs_present_key(entry->key);
    bool is_known = false, was_known = false;
    for (int i = 0; keys[i] != NULL && !is_known; i++) {
      is_known = strcmp(entry->key, keys[i]) == 0;
      was_known = was_known || (present != NULL && strcmp(present, keys[i]) == 0);
      srs_offer_key(&nearest, keys[i]);
    }
    const srs_yaml_node *other = was_known ? entry_of(map, present) : NULL;
    if (!is_known && other != NULL)
      return srs_fail_at(error, SRS_ERROR_NAME, entry->key_place, entry->key,
                         "'%.80s' is the former name of '%s', which is given too, in line %d; keep one of them",
                         entry->key, present, other->key_place.line);
    if (is_known || was_known) continue;
    char hint[192], known[340] = "";
    return srs_fail_at(error, SRS_ERROR_NAME, entry->key_place, entry->key, "unknown key '%.80s' in %s%s", entry->key,
                       what,
                       nearest.best != NULL ? srs_nearest_hint(&nearest, hint) : list_keys(keys, known, sizeof known));
  }
  return SRS_OK;
}
