// Which texts take a parser of XML very long, or end before their end?
//
// A parser compares each attribute of an element with those before it, and looks a prefix up among all name spaces that
// are declared: n attributes take n^2 steps, before any handler is called. A zero byte ends the text for it in silence.
// So we pass over the text first. Outside comments, CDATA and processing instructions a "<" begins a tag; in a tag,
// each
// "=" outside quotes is an attribute's. Where a text is not well-formed the parser stops, and what we count behind that
// does not matter.
//
// The text is a row of units: bytes, or pairs of them in UTF-16. Encodings of bytes must keep ASCII as it is, for else
// the parser would see other tags than we do.

#include "topology/xml/screen.h"

#include <string.h>
#include <strings.h>

typedef struct screen {
  const char *path;
  const unsigned char *bytes;
  size_t n;            // units
  int width;           // bytes of a unit, 1 or 2
  bool is_big_endian;  // of two bytes
  size_t at;           // a unit
  size_t n_namespaces; // declared so far
  srs_error *error;
} screen;

static unsigned unit(const screen *s, size_t i)
{
  if (s->width == 1) return s->bytes[i];
  const unsigned first = s->bytes[2 * i], second = s->bytes[2 * i + 1];
  return s->is_big_endian ? first << 8 | second : second << 8 | first;
}

static srs_status refuse(const screen *s, size_t at, const char *what)
{
  int line = 1;
  for (size_t i = 0; i < at; i++) line += unit(s, i) == '\n';
  return srs_fail(s->error, SRS_ERROR_SYNTAX, s->path, line, 0, NULL, "%s", what);
}

static bool is_word(const screen *s, size_t at, const char *word)
{
  for (; *word != '\0'; word++, at++)
    if (at >= s->n || unit(s, at) != (unsigned char)*word) return false;
  return true;
}

static bool is_space(unsigned c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// ---------------------------------------------------------------------------------------------------------------------
// Encodings
// ---------------------------------------------------------------------------------------------------------------------

// By the first bytes, as an XML parser finds them.
static bool find_units(screen *s, size_t length)
{
  const unsigned char *b = s->bytes;
  const size_t n = length < 4 ? length : 4;
  const bool is_little = (n >= 2 && memcmp(b, "\xFF\xFE", 2) == 0) || (n == 4 && memcmp(b, "<\0?", 4) == 0);
  const bool is_big = (n >= 2 && memcmp(b, "\xFE\xFF", 2) == 0) || (n == 4 && memcmp(b, "\0<\0?", 4) == 0);
  s->width = is_little || is_big ? 2 : 1;
  s->is_big_endian = is_big;
  s->n = length / (size_t)s->width;
  return n < 4 || memcmp(b, "\x4C\x6F\xA7\x94", 4) != 0; // "<?xm" in EBCDIC
}

// What a declaration says, "" for nothing.
static void find_encoding(const screen *s, size_t first, char name[48])
{
  name[0] = '\0';
  if (!is_word(s, first, "<?xml") || first + 5 >= s->n || !is_space(unit(s, first + 5))) return;
  size_t i = first;
  while (i < s->n && unit(s, i) != '>' && !is_word(s, i, "encoding")) i++;
  while (i < s->n && unit(s, i) != '>' && unit(s, i) != '"' && unit(s, i) != '\'') i++;
  size_t length = 0;
  if (i >= s->n || unit(s, i) == '>') return;
  for (i++; i < s->n && length < 47; i++) {
    const unsigned c = unit(s, i);
    if (c == '"' || c == '\'' || c == '>' || c > 0x7e) break;
    name[length++] = (char)c;
  }
  name[length] = '\0';
}

// Begins the names of encodings that hold ASCII as it is; UTF-16 is of pairs of bytes.
static bool keeps_ascii(const char *encoding)
{
  static const char *const words[] = {"utf-8",   "utf8",      "us-ascii",    "ascii", "iso-8859", "iso_8859",
                                      "iso8859", "latin",     "windows-125", "cp125", "koi8",     "gb",
                                      "big5",    "shift_jis", "sjis",        "euc-",  "utf-16"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncasecmp(encoding, words[i], strlen(words[i])) == 0) return true;
  return encoding[0] == '\0';
}

// ---------------------------------------------------------------------------------------------------------------------
// Tags
// ---------------------------------------------------------------------------------------------------------------------

// Behind the next such word, or at the end.
static void skip_behind(screen *s, const char *word)
{
  while (s->at < s->n && !is_word(s, s->at, word)) s->at++;
  s->at += s->at < s->n ? strlen(word) : 0;
}

// From behind "<" to behind ">".
static srs_status screen_tag(screen *s)
{
  const size_t begin = s->at;
  size_t n_attributes = 0;
  unsigned quote = 0;
  for (; s->at < s->n; s->at++) {
    const unsigned c = unit(s, s->at);
    if (quote != 0) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '>') break;
    if (c == '"' || c == '\'') quote = c;
    n_attributes += c == '=';
    s->n_namespaces += c == 'x' && is_space(unit(s, s->at - 1)) && is_word(s, s->at, "xmlns");
    if (n_attributes > SRS_XML_MOST_ATTRIBUTES)
      return refuse(s, begin, "an element has more than 1000 attributes: no element of a robot has as many");
    if (s->n_namespaces > SRS_XML_MOST_ATTRIBUTES)
      return refuse(s, begin, "more than 1000 name spaces (xmlns) are declared: delete them, none is needed");
  }
  return SRS_OK;
}

static srs_status screen_text(screen *s)
{
  srs_status status = SRS_OK;
  while (s->at < s->n && status == SRS_OK) {
    if (unit(s, s->at++) != '<') continue;
    if (is_word(s, s->at, "!--"))
      s->at += 3, skip_behind(s, "-->");
    else if (is_word(s, s->at, "![CDATA["))
      s->at += 8, skip_behind(s, "]]>");
    else if (is_word(s, s->at, "?"))
      skip_behind(s, "?>");
    else
      status = screen_tag(s);
  }
  return status;
}

srs_status srs_xml_screen(const char *path, const char *bytes, size_t length, srs_error *error)
{
  screen s = {.path = path, .bytes = (const unsigned char *)bytes, .error = error};
  char encoding[48] = "EBCDIC";
  const bool is_known = find_units(&s, length);
  const size_t first = s.width == 1 ? (is_word(&s, 0, "\xEF\xBB\xBF") ? 3 : 0) : s.n > 0 && unit(&s, 0) == 0xfeff;
  if (is_known) find_encoding(&s, first, encoding);
  if (!keeps_ascii(encoding)) {
    char text[200];
    srs_print(text, sizeof text, "the encoding '%.47s' is not read: save the file as UTF-8", encoding);
    return refuse(&s, 0, text);
  }
  for (size_t i = 0; i < s.n; i++)
    if (unit(&s, i) == 0)
      return refuse(&s, i,
                    "not well-formed XML: holds a zero byte, at which a parser would stop in silence; delete it");
  return screen_text(&s);
}
