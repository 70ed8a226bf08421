// What stands on the ground: status phrases, one-line errors, numbers in and out, rotations.
//
// Reading a number: the text is reduced to a sign, at most 800 significant digits and a decimal exponent, and that is
// given to strtod in the "C" locale, which rounds right. No double, and no midpoint of two, has more than 767 digits,
// so digits after the 800th matter only by not being zero: one stands for all. Writing one: any decimal of up to 15
// digits survives the way through a normal double, so the first of %.15g, %.16g, %.17g that reads back is the one;
// denormals have fewer digits and start at one.
//
// The locale is chosen for the calling thread and put back. glibc hands out its built-in "C" locale without allocating.
#include "topology/base/errors.h"
#include "topology/base/spatial.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Text as in the "C" locale
// ---------------------------------------------------------------------------------------------------------------------

typedef struct c_locale {
  locale_t c, before;
} c_locale;

static c_locale enter_c_locale(void)
{
  const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return (c_locale){c, c != (locale_t)0 ? uselocale(c) : (locale_t)0};
}

static void leave_c_locale(c_locale locale)
{
  if (locale.c == (locale_t)0) return;
  uselocale(locale.before);
  freelocale(locale.c);
}

int srs_vprint(char *text, size_t size, const char *format, va_list arguments)
{
  const c_locale locale = enter_c_locale();
  const int length = vsnprintf(text, size, format, arguments);
  leave_c_locale(locale);
  return length;
}

int srs_print(char *text, size_t size, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const int length = srs_vprint(text, size, format, arguments);
  va_end(arguments);
  return length;
}

// ---------------------------------------------------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------------------------------------------------

const char *srs_status_string(srs_status status)
{
  switch (status) {
  case SRS_OK: return "no error";
  case SRS_ERROR_ARGUMENT: return "invalid argument";
  case SRS_ERROR_NOT_FINITE: return "input that is not finite";
  case SRS_ERROR_MEMORY: return "out of memory";
  case SRS_ERROR_FILE: return "file cannot be read or written";
  case SRS_ERROR_SYNTAX: return "file is not well formed";
  case SRS_ERROR_NAME: return "name is unknown or taken";
  case SRS_ERROR_MODEL: return "mechanism is impossible";
  case SRS_ERROR_UNSUPPORTED: return "not supported";
  case SRS_ERROR_SINGULAR: return "no inertia against a joint";
  case SRS_ERROR_DIVERGED: return "motion is not finite any more";
  case SRS_ERROR_CAPACITY: return "more than there is room for";
  case SRS_ERROR_UNREACHABLE: return "no configuration does what is asked";
  }
  return "unknown status";
}

void srs_tidy(char *text)
{
  size_t length = 0;
  for (; text[length] != '\0'; length++)
    if ((unsigned char)text[length] < ' ' || text[length] == 127) text[length] = ' ';
  size_t start = length;
  while (start > 0 && length - start < 3 && ((unsigned char)text[start - 1] & 0xc0) == 0x80) start--;
  if (start == 0 || (unsigned char)text[start - 1] < 0xc0) return;
  const unsigned char lead = (unsigned char)text[start - 1];
  const size_t wanted = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  if (length - start < wanted) text[start - 1] = '\0';
}

static void copy_cut(char *to, size_t size, const char *from)
{
  const size_t length = strlen(from), kept = length < size ? length : size - 1;
  memcpy(to, from, kept);
  to[kept] = '\0';
  srs_tidy(to);
}

static srs_status fail(srs_error *error, srs_status status, srs_place place, const char *subject, const char *format,
                       va_list arguments)
{
  if (error == NULL) return status;
  srs_error made = {.status = status, .line = place.line, .column = place.column};
  if (place.file != NULL) {
    const size_t length = strlen(place.file), most = sizeof made.file - 1;
    if (length <= most)
      copy_cut(made.file, sizeof made.file, place.file);
    else
      snprintf(made.file, sizeof made.file, "...%s", place.file + length - most + 3);
  }
  if (subject != NULL) copy_cut(made.subject, sizeof made.subject, subject);
  srs_vprint(made.message, sizeof made.message, format, arguments);
  srs_tidy(made.message);
  *error = made;
  return status;
}

srs_status srs_fail(srs_error *error, srs_status status, const char *file, int line, int column, const char *subject,
                    const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fail(error, status, (srs_place){file, line, column}, subject, format, arguments);
  va_end(arguments);
  return status;
}

srs_status srs_fail_at(srs_error *error, srs_status status, srs_place place, const char *subject, const char *format,
                       ...)
{
  va_list arguments;
  va_start(arguments, format);
  fail(error, status, place, subject, format, arguments);
  va_end(arguments);
  return status;
}

const char *srs_error_format(const srs_error *error, char *text, size_t size)
{
  if (text == NULL || size == 0) return "";
  text[0] = '\0';
  if (error == NULL) return text;
  char line[16] = "", column[16] = "";
  if (error->line > 0) snprintf(line, sizeof line, "%d:", error->line);
  if (error->line > 0 && error->column > 0) snprintf(column, sizeof column, "%d:", error->column);
  const bool has_place = error->file[0] != '\0' || error->line > 0;
  snprintf(text, size, "%s%s%s%s%s%s", error->file, error->file[0] != '\0' ? ":" : "", line, column,
           has_place ? " " : "", error->message[0] != '\0' ? error->message : srs_status_string(error->status));
  srs_tidy(text);
  return text;
}

const char *srs_version(void) { return SARRUS_VERSION; }

// ---------------------------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------------------------

enum { MOST_DIGITS = 800, EXPONENT_CAP = 100000000 };

// A decimal on its way to strtod: sign, digits, then room for the sticky digit and the exponent.
typedef struct decimal {
  char text[MOST_DIGITS + 32];
  size_t length; // of text
  int digits;    // significant ones kept
  long exponent; // of the last digit kept
  bool lost;     // some digit that was dropped is not zero
} decimal;

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void take_digit(decimal *number, char digit, bool after_point)
{
  if (number->digits == 0 && digit == '0') { // leading zero
    number->exponent -= after_point;
  } else if (number->digits < MOST_DIGITS) {
    number->text[number->length++] = digit;
    number->digits++;
    number->exponent -= after_point;
  } else {
    number->lost = number->lost || digit != '0';
    number->exponent += !after_point;
  }
}

// The digits and the point. Returns the first character behind them, NULL if there is no digit.
static const char *read_digits(decimal *number, const char *at, const char *end)
{
  bool any = false, after_point = false;
  for (; at < end; at++) {
    if (*at == '.' && !after_point) {
      after_point = true;
    } else if (is_digit(*at)) {
      take_digit(number, *at, after_point);
      any = true;
    } else {
      break;
    }
  }
  return any ? at : NULL;
}

// An exponent, if there is one. NULL if it is broken.
static const char *read_exponent(decimal *number, const char *at, const char *end)
{
  if (at == end || (*at != 'e' && *at != 'E')) return at;
  at++;
  bool is_negative = false;
  if (at < end && (*at == '+' || *at == '-')) is_negative = *at++ == '-';
  if (at == end || !is_digit(*at)) return NULL;
  long exponent = 0;
  for (; at < end && is_digit(*at); at++)
    if (exponent < EXPONENT_CAP) exponent = 10 * exponent + (*at - '0');
  number->exponent += is_negative ? -exponent : exponent;
  return at;
}

static double read_back(const char *text)
{
  const c_locale locale = enter_c_locale();
  const double value = strtod(text, NULL);
  leave_c_locale(locale);
  return value;
}

bool srs_parse_number(const char *text, size_t length, double *value)
{
  if (text == NULL || value == NULL) return false;
  const char *at = text, *end = text + length;
  while (at < end && is_space(*at)) at++;
  while (end > at && is_space(end[-1])) end--;

  decimal number = {.length = 0};
  if (at < end && (*at == '+' || *at == '-')) {
    if (*at == '-') number.text[number.length++] = '-';
    at++;
  }
  at = read_digits(&number, at, end);
  if (at != NULL) at = read_exponent(&number, at, end);
  if (at != end) return false;

  if (number.digits == 0) number.text[number.length++] = '0', number.exponent = 0;
  if (number.lost) number.text[number.length++] = '1', number.exponent--;
  snprintf(number.text + number.length, sizeof number.text - number.length, "e%ld", number.exponent);
  const double result = read_back(number.text);
  if (!isfinite(result)) return false;
  *value = result;
  return true;
}

int srs_format_number(double value, char text[32])
{
  if (isnan(value)) return snprintf(text, 32, "nan");
  if (isinf(value)) return snprintf(text, 32, value > 0 ? "inf" : "-inf");
  const c_locale locale = enter_c_locale();
  int length = 0;
  for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
    length = snprintf(text, 32, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  leave_c_locale(locale);
  return length;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rotations
// ---------------------------------------------------------------------------------------------------------------------

srs_pose srs_identity_pose(void) { return (srs_pose){{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}; }

void srs_rotation_from_rpy(const double rpy[3], double rotation[9])
{
  const double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]);
  const double cy = cos(rpy[2]), sy = sin(rpy[2]);
  const double made[9] = {cy * cp,
                          cy * sp * sr - sy * cr,
                          cy * sp * cr + sy * sr, //
                          sy * cp,
                          sy * sp * sr + cy * cr,
                          sy * sp * cr - cy * sr, //
                          -sp,
                          cp * sr,
                          cp * cr};
  for (int i = 0; i < 9; i++) rotation[i] = made[i] + 0.0; // no -0
}

// Scaled by the largest entry first, so that no square overflows or vanishes.
bool srs_quaternion_normalise(double *wxyz, double shortest)
{
  double largest = 0, scaled[4], square = 0;
  for (int i = 0; i < 4; i++) {
    if (!isfinite(wxyz[i])) return false;
    largest = fmax(largest, fabs(wxyz[i]));
  }
  if (largest == 0) return false;
  for (int i = 0; i < 4; i++) scaled[i] = wxyz[i] / largest, square += scaled[i] * scaled[i];
  const double length = sqrt(square);
  if (largest * length < shortest) return false;
  for (int i = 0; i < 4; i++) wxyz[i] = scaled[i] / length;
  return true;
}

bool srs_quaternion_is_unit(const double wxyz[4], double *length)
{
  *length = hypot(hypot(wxyz[0], wxyz[1]), hypot(wxyz[2], wxyz[3])); // no square overflows or vanishes
  return fabs(*length - 1) <= 1e-6;
}

void srs_rotation_from_quaternion(const double wxyz[4], double rotation[9])
{
  double unit[4] = {wxyz[0], wxyz[1], wxyz[2], wxyz[3]};
  mat3_to_rows(rotation, srs_quaternion_normalise(unit, 0) ? mat3_from_quaternion(unit) : mat3_identity);
}

// With t the largest of w^2, x^2, y^2, z^2 (times 4), the other three follow from sums and differences of the entries.
void srs_quaternion_from_rotation(const double rotation[9], double wxyz[4])
{
  const double *r = rotation;
  const double squares[4] = {1 + r[0] + r[4] + r[8], 1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8],
                             1 - r[0] - r[4] + r[8]};
  const double wx = r[7] - r[5], wy = r[2] - r[6], wz = r[3] - r[1];
  const double xy = r[1] + r[3], xz = r[2] + r[6], yz = r[5] + r[7];
  double rows[4][4] = {
      {squares[0], wx, wy, wz}, {wx, squares[1], xy, xz}, {wy, xy, squares[2], yz}, {wz, xz, yz, squares[3]}};
  int largest = 0;
  for (int i = 1; i < 4; i++)
    if (squares[i] > squares[largest]) largest = i;
  const double identity[4] = {1, 0, 0, 0};
  const double *unit = srs_quaternion_normalise(rows[largest], 0) ? rows[largest] : identity;
  const double sign = unit[0] < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++) wxyz[i] = sign * unit[i] + 0.0;
}
