// Parses an XML file into a tree of elements, safely.
//
// We read the file in one piece and hand it to libxml2's SAX parser as memory: so libxml2 opens nothing, neither a
// network address nor another file nor a compressed one. Whatever could expand is rejected where it starts, at the
// DOCTYPE. So no entity but the five of XML is left to replace, and XML_PARSE_NOENT makes an "&" of "&amp;" in an
// attribute, which would else be "&#38;". What takes a parser long is refused before (screen.h). Errors go to a handler
// of this one parser, never to stderr nor to libxml2's process-wide settings. Prefixes stay part of the names, declared
// or not. Lines come from the parser's own counter, an int; libxml2's tree would keep 16 bits.

#include "topology/xml/xml.h"
#include "topology/xml/screen.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/xmlversion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 200, MAX_BYTES = 256 << 20, MAX_FILE = 32 << 20, MAX_PARTS = 400000, MAX_NAMES = 20000 };

typedef struct reader {
  xmlParserCtxtPtr parser;
  srs_xml *document;
  srs_xml_node *open; // the innermost element whose end has not come yet
  int depth, n_parts; // parts: elements and attributes
  srs_status status;  // the first failure
  srs_error *error;
} reader;

// ---------------------------------------------------------------------------------------------------------------------
// Building the tree
// ---------------------------------------------------------------------------------------------------------------------

static reader *reader_of(void *context) { return ((xmlParserCtxtPtr)context)->_private; }

static void stop(reader *r, srs_status status)
{
  if (r->status == SRS_OK) r->status = status;
  xmlStopParser(r->parser);
}

static void stop_without_memory(reader *r)
{
  if (r->status == SRS_OK) srs_fail(r->error, SRS_ERROR_MEMORY, r->document->path, 0, 0, NULL, "out of memory");
  stop(r, SRS_ERROR_MEMORY);
}

// The parser stands behind the start tag's last attribute: back to its "<", which no attribute can hold.
static int tag_line(const xmlParserCtxt *parser)
{
  const xmlParserInput *input = parser->input;
  int line = input->line;
  for (const xmlChar *c = input->cur; c > input->base;) {
    c--;
    if (*c == '<') return line;
    if (*c == '\n') line--;
  }
  return input->line;
}

static size_t offset_of(const xmlParserCtxt *parser, const xmlChar *at)
{
  return parser->input->consumed + (size_t)(at - parser->input->base);
}

// The parser stands within the start tag, behind its attributes.
static size_t end_of_tag(const xmlParserCtxt *parser)
{
  const xmlChar *c = parser->input->cur;
  while (c < parser->input->end && *c != '>') c++;
  return offset_of(parser, c) + 1;
}

// A name as it stands in the file.
static const char *whole_name(srs_xml *document, const xmlChar *prefix, const xmlChar *name)
{
  if (prefix == NULL) return srs_arena_copy(&document->memory, (const char *)name);
  return srs_xml_format(document, "%s:%s", (const char *)prefix, (const char *)name);
}

static const char *copy_value(srs_xml *document, const xmlChar *from, const xmlChar *end)
{
  const size_t length = (size_t)(end - from);
  char *value = srs_arena_take(&document->memory, length + 1, 1);
  if (value != NULL) memcpy(value, from, length);
  return value;
}

// libxml2's five words for each attribute: name, prefix, namespace, begin and end of the value.
static bool copy_attributes(srs_xml_node *node, const xmlChar *const *words, int n)
{
  node->n_attributes = n;
  if (n == 0) return true;
  node->attributes = srs_arena_take(&node->document->memory, (size_t)n, sizeof *node->attributes);
  if (node->attributes == NULL) return false;
  for (int i = 0; i < n; i++, words += 5) {
    srs_xml_attribute *attribute = &node->attributes[i];
    attribute->name = whole_name(node->document, words[1], words[0]);
    attribute->value = copy_value(node->document, words[3], words[4]);
    if (attribute->name == NULL || attribute->value == NULL) return false;
  }
  return true;
}

static void append(srs_xml_node *parent, srs_xml_node *node)
{
  if (parent->last_child != NULL)
    parent->last_child->next = node;
  else
    parent->first_child = node;
  parent->last_child = node;
}

static srs_xml_node *new_node(reader *r, int line)
{
  srs_xml_node *node = srs_arena_take(&r->document->memory, 1, sizeof *node);
  if (node == NULL) return NULL;
  node->line = line;
  node->document = r->document;
  node->parent = r->open;
  return node;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space,
                          int n_namespaces, const xmlChar **namespaces, int n_attributes, int n_defaulted,
                          const xmlChar **attributes)
{
  (void)space, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
  reader *r = reader_of(context);
  if (r->status != SRS_OK) return;
  const int line = tag_line(r->parser);
  if (r->depth == MAX_DEPTH) {
    stop(r, srs_fail(r->error, SRS_ERROR_SYNTAX, r->document->path, line, 0, NULL,
                     "elements are nested more than %d deep", MAX_DEPTH));
    return;
  }
  r->n_parts += 1 + n_attributes;
  if (r->n_parts > MAX_PARTS) {
    stop(r, srs_fail(r->error, SRS_ERROR_SYNTAX, r->document->path, line, 0, NULL,
                     "has more than %d elements and attributes: no robot has as many", MAX_PARTS));
    return;
  }
  if (xmlDictSize(r->parser->dict) > MAX_NAMES) { // the parser's table of names has a bounded number of slots
    stop(r, srs_fail(r->error, SRS_ERROR_SYNTAX, r->document->path, line, 0, NULL,
                     "has more than %d different names of elements and attributes: no robot has as many", MAX_NAMES));
    return;
  }
  srs_xml_node *node = new_node(r, line);
  if (node != NULL) node->inside = end_of_tag(r->parser);
  if (node != NULL) node->name = whole_name(r->document, prefix, name);
  if (node == NULL || node->name == NULL || !copy_attributes(node, (const xmlChar *const *)attributes, n_attributes)) {
    stop_without_memory(r);
    return;
  }
  if (r->open != NULL)
    append(r->open, node);
  else
    r->document->root = node;
  r->open = node;
  r->depth++;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space)
{
  (void)name, (void)prefix, (void)space;
  reader *r = reader_of(context);
  if (r->status != SRS_OK || r->open == NULL) return;
  char *text = r->open->text;
  if (text != NULL)
    for (size_t n = strlen(text); n > 0 && is_space(text[n - 1]);) text[--n] = '\0';
  r->open->end = offset_of(r->parser, r->parser->input->cur);
  r->open = r->open->parent;
  r->depth--;
}

static void characters(void *context, const xmlChar *bytes, int length)
{
  reader *r = reader_of(context);
  srs_xml_node *node = r->open;
  if (r->status != SRS_OK || node == NULL) return;
  const char *text = (const char *)bytes;
  if (node->text == NULL) {
    while (length > 0 && is_space(*text)) text++, length--;
    if (length == 0) return;
    node->text = srs_arena_take(&r->document->memory, SRS_XML_TEXT + 1, 1);
    if (node->text == NULL) {
      stop_without_memory(r);
      return;
    }
    node->text_line = r->parser->input->line;
    for (int i = 0; i < length; i++) node->text_line -= text[i] == '\n';
    if (node->text_line < node->line) node->text_line = node->line;
  }
  const size_t have = strlen(node->text), room = SRS_XML_TEXT - have;
  size_t take = (size_t)length < room ? (size_t)length : room;
  if (take < (size_t)length) // cut between characters
    while (take > 0 && ((unsigned char)text[take] & 0xc0) == 0x80) take--;
  memcpy(node->text + have, text, take);
}

// ---------------------------------------------------------------------------------------------------------------------
// What goes wrong
// ---------------------------------------------------------------------------------------------------------------------

static void refuse_doctype(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
  (void)name, (void)external, (void)system;
  reader *r = reader_of(context);
  if (r->status != SRS_OK) return;
  stop(r, srs_fail(r->error, SRS_ERROR_SYNTAX, r->document->path, r->parser->input->line, 0, NULL,
                   "has a DOCTYPE: document types and entities are never read or expanded (an entity bomb would fill "
                   "the memory); delete it and write the values out"));
}

#if LIBXML_VERSION >= 21200
static void take_error(void *context, const xmlError *what)
#else
static void take_error(void *context, xmlErrorPtr what)
#endif
{
  reader *r = reader_of(context);
  if (r->status != SRS_OK || what == NULL || what->level != XML_ERR_FATAL) return;
  if (what->code == XML_ERR_NO_MEMORY) {
    stop_without_memory(r);
    return;
  }
  const char *message = what->message != NULL ? what->message : "no further detail";
  size_t length = strlen(message);
  while (length > 0 && is_space(message[length - 1])) length--;
  const int shown = length < 300 ? (int)length : 300;
  r->status = srs_fail(r->error, SRS_ERROR_SYNTAX, r->document->path, what->line, what->int2 > 0 ? what->int2 : 0, NULL,
                       "not well-formed XML: %.*s", shown, message);
}

static void set_handlers(xmlSAXHandler *sax)
{
  memset(sax, 0, sizeof *sax);
  sax->initialized = XML_SAX2_MAGIC;
  sax->startElementNs = start_element;
  sax->endElementNs = end_element;
  sax->characters = characters;
  sax->ignorableWhitespace = characters;
  sax->cdataBlock = characters;
  sax->internalSubset = refuse_doctype;
  sax->serror = take_error;
}

// Out of memory, libxml2 may report to this thread's handler before it knows its parser; by default that one prints.
#if LIBXML_VERSION >= 21200
static void say_nothing(void *context, const xmlError *what) { (void)context, (void)what; }
#else
static void say_nothing(void *context, xmlErrorPtr what) { (void)context, (void)what; }
#endif

static srs_status parse(reader *r, const char *bytes, size_t length)
{
  xmlInitParser(); // before this thread's handler is looked at; done once for the process, under libxml2's own lock
  const xmlStructuredErrorFunc before = xmlStructuredError;
  void *const context_before = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc(NULL, say_nothing);
  r->parser = xmlNewParserCtxt();
  bool well_formed = false;
  if (r->parser != NULL) {
    set_handlers(r->parser->sax);
    r->parser->_private = r;
    xmlFreeDoc(xmlCtxtReadMemory(r->parser, bytes, (int)length, NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOENT));
    well_formed = r->parser->wellFormed != 0;
    xmlFreeParserCtxt(r->parser);
    r->parser = NULL;
  }
  xmlSetStructuredErrorFunc(context_before, before);
  if (r->status != SRS_OK) return r->status;
  if (well_formed && r->document->root != NULL) return SRS_OK;
  // take_error has reported every other reason.
  return srs_fail(r->error, SRS_ERROR_MEMORY, r->document->path, 0, 0, NULL, "out of memory");
}

// Generated files have declarations that libxml2 refuses: version="0.0" or "1", or white space before them. Where the
// declaration asks for UTF-8 or for no encoding, it says nothing that is needed.
//
// The length of a declaration to pass over, white space before it included; 0 for none.
static size_t bad_declaration(const char *bytes, size_t length)
{
  size_t at = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  const size_t first = at;
  while (at < length && is_space(bytes[at])) at++;
  char text[200];
  const size_t n = length - at < sizeof text ? length - at : sizeof text - 1;
  memcpy(text, bytes + at, n);
  text[n] = '\0';
  if (strncmp(text, "<?xml", 5) != 0 || !is_space(text[5])) return 0;
  char *end = strstr(text, "?>");
  if (end == NULL) return 0;
  *end = '\0';
  const char *version = strstr(text, "version"), *encoding = strstr(text, "encoding");
  if (version != NULL) version += strcspn(version, "\"'");
  const bool is_good = version != NULL && strncmp(version + 1, "1.", 2) == 0 && version[3] >= '0' && version[3] <= '9';
  if (is_good && at == first) return 0;
  if (encoding != NULL) encoding += strcspn(encoding, "\"'");
  if (encoding != NULL && *encoding != '\0' && strncasecmp(encoding + 1, "utf-8", 5) != 0 &&
      strncasecmp(encoding + 1, "ascii", 5) != 0 && strncasecmp(encoding + 1, "us-ascii", 8) != 0)
    return 0;
  return at + (size_t)(end - text) + 2;
}

// A copy with spaces in place of the first n bytes, line breaks kept.
static char *blanked(const char *bytes, size_t length, size_t n)
{
  char *copy = malloc(length);
  if (copy == NULL) return NULL;
  memcpy(copy, bytes, length);
  for (size_t i = 0; i < n; i++)
    if (copy[i] != '\n') copy[i] = ' ';
  return copy;
}

static bool is_blank(const char *bytes, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (!is_space(bytes[i])) return false;
  return true;
}

static srs_status too_large(const char *path, int limit, srs_error *error)
{
  return srs_fail(error, SRS_ERROR_FILE, path, 0, 0, NULL, "is larger than %d MiB: no robot file is", limit >> 20);
}

srs_status srs_xml_parse(const char *path, const char *bytes, size_t length, srs_xml **document, srs_error *error)
{
  *document = NULL;
  if (is_blank(bytes, length)) return srs_fail(error, SRS_ERROR_SYNTAX, path, 0, 0, NULL, "is empty");
  if (length > MAX_BYTES) return too_large(path, MAX_BYTES, error);
  srs_xml *made = calloc(1, sizeof *made);
  if (made != NULL) made->path = srs_arena_copy(&made->memory, path);
  if (made == NULL || made->path == NULL) {
    srs_xml_destroy(made);
    return srs_fail(error, SRS_ERROR_MEMORY, path, 0, 0, NULL, "out of memory");
  }
  reader r = {.document = made, .error = error};
  const size_t n_bad = bad_declaration(bytes, length);
  char *copy = n_bad > 0 ? blanked(bytes, length, n_bad) : NULL;
  srs_status status = SRS_OK;
  if (n_bad > 0 && copy == NULL)
    status = srs_fail(error, SRS_ERROR_MEMORY, path, 0, 0, NULL, "out of memory");
  else
    status = srs_xml_screen(path, copy != NULL ? copy : bytes, length, error);
  if (status == SRS_OK) status = parse(&r, copy != NULL ? copy : bytes, length);
  for (size_t i = 0; i < n_bad; i++) made->declaration_line += i == 0 || bytes[i] == '\n';
  free(copy);
  if (status == SRS_OK)
    *document = made;
  else
    srs_xml_destroy(made);
  return status;
}

const char *srs_xml_format(srs_xml *document, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const char *text = srs_arena_vprint(&document->memory, format, arguments);
  va_end(arguments);
  return text;
}

void srs_xml_destroy(srs_xml *document)
{
  while (document != NULL) {
    srs_xml *next = document->included;
    srs_arena_release(&document->memory);
    free(document);
    document = next;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

static srs_status cannot_read(const char *path, int number, srs_error *error)
{
  char reason[128] = "";
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
  const char *words = strerror_r(number, reason, sizeof reason);
#else
  const char *words = strerror_r(number, reason, sizeof reason) == 0 ? reason : "unknown reason";
#endif
  const srs_status status = number == ENOMEM ? SRS_ERROR_MEMORY : SRS_ERROR_FILE;
  return srs_fail(error, status, path, 0, 0, NULL, "cannot be read: %s", words);
}

// Everything up to the end or one byte more than is allowed.
static srs_status read_all(const char *path, FILE *file, char **bytes, size_t *length, srs_error *error)
{
  size_t size = 0, room = 1 << 16;
  char *text = malloc(room);
  while (text != NULL) {
    const size_t got = fread(text + size, 1, room - size, file);
    size += got;
    if (size < room || size > MAX_FILE) break;
    room *= 2;
    char *larger = realloc(text, room);
    if (larger == NULL) free(text);
    text = larger;
  }
  if (text == NULL) return srs_fail(error, SRS_ERROR_MEMORY, path, 0, 0, NULL, "out of memory");
  if (size > MAX_FILE) {
    free(text);
    return too_large(path, MAX_FILE, error);
  }
  if (ferror(file) != 0) {
    const int number = errno;
    free(text);
    return cannot_read(path, number, error);
  }
  *bytes = text;
  *length = size;
  return SRS_OK;
}

srs_status srs_xml_read(const char *path, srs_read_files *files, srs_xml **document, srs_error *error)
{
  *document = NULL;
  if (!srs_note_read(files, path)) return srs_fail(error, SRS_ERROR_MEMORY, path, 0, 0, NULL, "out of memory");
  FILE *file = fopen(path, "rbe");
  if (file == NULL) return cannot_read(path, errno, error);
  struct stat info;
  char *bytes = NULL;
  size_t length = 0;
  srs_status status = SRS_OK;
  const bool is_known = fstat(fileno(file), &info) == 0;
  if (is_known && S_ISDIR(info.st_mode))
    status = srs_fail(error, SRS_ERROR_FILE, path, 0, 0, NULL, "is a directory, not a file");
  else if (is_known && S_ISREG(info.st_mode) && info.st_size > MAX_FILE)
    status = too_large(path, MAX_FILE, error);
  else
    status = read_all(path, file, &bytes, &length, error);
  (void)fclose(file); // only read from
  if (status != SRS_OK) return status;
  status = srs_xml_parse(path, bytes, length, document, error);
  free(bytes);
  return status;
}
