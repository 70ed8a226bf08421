// How do numbers in text become doubles, and doubles text?
//
// Reading: the text is reduced to a sign, at most 800 significant digits and a decimal exponent. strtod in the "C"
// locale rounds these correctly. No double, and no midpoint between two, has more than 767 digits, so digits after the
// 800th matter only by not being zero: one digit stands for all of them.
//
// Writing: any decimal of up to 15 digits survives the way through a normal double, so the first of %.15g, %.16g, %.17g
// that reads back as the same double is the shortest. Denormals have fewer digits and start at one. Most numbers are
// written by shortest.c, the same way without printf.
#include "topology/base/c_locale.h"
#include "topology/base/shortest.h"
#include <sarrus/base.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
  int length = srs_format_shortest(value, text);
  if (length > 0) return length;
  if (isnan(value)) return snprintf(text, 32, "nan");
  if (isinf(value)) return snprintf(text, 32, value > 0 ? "inf" : "-inf");
  const c_locale locale = enter_c_locale();
  for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
    length = snprintf(text, 32, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  leave_c_locale(locale);
  return length;
}
