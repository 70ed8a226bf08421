// Writing JSON (RFC 8259). Commas and indentation follow from the open objects and arrays; text is escaped; numbers go
// through srs_format_number; NaN and infinities, which JSON does not have, become null.
#include "engine/cli/shared/json.h"

#include <math.h>
#include <sarrus/base.h>
#include <string.h>

// Bytes of the UTF-8 character that begins at text, 0 if it is none. Overlong forms and surrogates are none.
static int utf8_length(const unsigned char *text)
{
  const unsigned char c = text[0];
  if (c < 0x80) return 1;
  const int length = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
  for (int i = 1; i < length; i++)
    if ((text[i] & 0xc0) != 0x80) return 0; // the terminating zero ends here too
  if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f)) return 0;
  if ((c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] > 0x8f)) return 0;
  return length;
}

static void write_text(FILE *file, const char *text)
{
  fputc('"', file);
  for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
    const int length = utf8_length(c);
    if (*c == '"' || *c == '\\')
      fprintf(file, "\\%c", *c);
    else if (*c < ' ')
      fprintf(file, "\\u%04x", *c);
    else if (length == 0)
      fputs("\\ufffd", file);
    else
      fwrite(c, 1, (size_t)length, file);
    c += length > 0 ? length : 1;
  }
  fputc('"', file);
}

static void write_number(FILE *file, double value)
{
  char text[32];
  if (isfinite(value))
    srs_format_number(value, text);
  else
    strcpy(text, "null"); // NOLINT(clang-analyzer-security.insecureAPI.strcpy): four letters into 32
  fputs(text, file);
}

// What stands before a value: the comma after the one before, a new line, the key.
static void begin_value(srs_json *json, const char *key)
{
  if (json->depth > 0) {
    bool *has_items = &json->has_items[json->depth - 1];
    fprintf(json->file, "%s\n%*s", *has_items ? "," : "", 2 * json->depth, "");
    *has_items = true;
  }
  if (key == NULL) return;
  write_text(json->file, key);
  fputs(": ", json->file);
}

static void end_value(srs_json *json)
{
  if (json->depth == 0) fputc('\n', json->file);
}

static void open_bracket(srs_json *json, const char *key, char opening, char closing)
{
  begin_value(json, key);
  fputc(opening, json->file);
  json->has_items[json->depth] = false;
  json->closing[json->depth] = closing;
  json->depth++;
}

void srs_json_object(srs_json *json, const char *key) { open_bracket(json, key, '{', '}'); }

void srs_json_array(srs_json *json, const char *key) { open_bracket(json, key, '[', ']'); }

void srs_json_close(srs_json *json)
{
  json->depth--;
  if (json->has_items[json->depth]) fprintf(json->file, "\n%*s", 2 * json->depth, "");
  fputc(json->closing[json->depth], json->file);
  end_value(json);
}

void srs_json_text(srs_json *json, const char *key, const char *text)
{
  begin_value(json, key);
  write_text(json->file, text);
  end_value(json);
}

void srs_json_number(srs_json *json, const char *key, double value)
{
  begin_value(json, key);
  write_number(json->file, value);
  end_value(json);
}

void srs_json_integer(srs_json *json, const char *key, long value)
{
  begin_value(json, key);
  fprintf(json->file, "%ld", value);
  end_value(json);
}

void srs_json_null(srs_json *json, const char *key)
{
  begin_value(json, key);
  fputs("null", json->file);
  end_value(json);
}

void srs_json_numbers(srs_json *json, const char *key, const double *values, int n)
{
  begin_value(json, key);
  fputc('[', json->file);
  for (int i = 0; i < n; i++) {
    if (i > 0) fputs(", ", json->file);
    write_number(json->file, values[i]);
  }
  fputc(']', json->file);
  end_value(json);
}

void srs_json_matrix(srs_json *json, const char *key, const double *values, int rows, int columns)
{
  srs_json_array(json, key);
  for (int i = 0; i < rows; i++) srs_json_numbers(json, NULL, values + (size_t)i * (size_t)columns, columns);
  srs_json_close(json);
}

void srs_put_base64(FILE *file, const void *bytes, size_t n)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *b = bytes;
  for (size_t i = 0; i < n; i += 3) {
    const unsigned second = i + 1 < n ? b[i + 1] : 0, third = i + 2 < n ? b[i + 2] : 0;
    const unsigned word = (unsigned)b[i] << 16 | second << 8 | third;
    fputc(digits[word >> 18], file);
    fputc(digits[word >> 12 & 63], file);
    fputc(i + 1 < n ? digits[word >> 6 & 63] : '=', file);
    fputc(i + 2 < n ? digits[word & 63] : '=', file);
  }
}

void srs_json_bytes(srs_json *json, const char *key, const void *bytes, size_t n)
{
  begin_value(json, key);
  fputc('"', json->file);
  srs_put_base64(json->file, bytes, n);
  fputc('"', json->file);
  end_value(json);
}
