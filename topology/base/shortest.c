// Which is the first of %.15g, %.16g, %.17g that reads back as the same double?
//
// x = m 2^e with 2^52 <= m < 2^53. With k such that 10^16 <= x 10^k < 10^17, and s = -(e + k),
//
//   x 10^k = N / 2^s,   N = m 5^k = D 2^s + R,   0 <= R < 2^s:
//
// D has the first 17 digits of x, R is the exact rest. Rounded to P digits, u = 10^(17-P), D = q u + r, x lies
// below = r 2^s + R above q u, in units of 10^-k 2^-s, and printf takes q, or q + 1 where 2 below > u 2^s, of two as
// near the even one. The distance to what it takes is d = below, or u 2^s - below. A unit of m is 5^k of these units,
// so what is taken reads back as x if 2 d < 5^k, or 2 d = 5^k and m is even: strtod breaks ties that way too. Below m =
// 2^52 the doubles lie twice as close: 4 d there. 17 digits always suffice.
//
// With 0 <= k <= 50 all of this fits 128 bits but N, of which D and R are wanted only: 5^50 < 2^117, and since a double
// has less than 17 digits to be told, 2^s < 5^k. Nothing is rounded, so nothing needs a bound of errors. Other numbers,
// and compilers without integers of 128 bits, are left to the caller.
#include "topology/base/shortest.h"

#include "topology/base/spatial.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 wide;

enum { MOST_POWER = 50, MOST_IN_64 = 27, DIGITS = 17 };

static const uint64_t ten_to_17 = 100000000000000000;

// m, and x 10^k as in the head.
typedef struct scaled {
  uint64_t mantissa, whole; // m, D
  wide rest, one, step;     // R, 2^s, 5^k
  int power, shift;         // k, s
} scaled;

static wide power_of_five(int k)
{
  static const uint64_t five[MOST_IN_64 + 1] = {0x1,
                                                0x5,
                                                0x19,
                                                0x7d,
                                                0x271,
                                                0xc35,
                                                0x3d09,
                                                0x1312d,
                                                0x5f5e1,
                                                0x1dcd65,
                                                0x9502f9,
                                                0x2e90edd,
                                                0xe8d4a51,
                                                0x48c27395,
                                                0x16bcc41e9,
                                                0x71afd498d,
                                                0x2386f26fc1,
                                                0xb1a2bc2ec5,
                                                0x3782dace9d9,
                                                0x1158e460913d,
                                                0x56bc75e2d631,
                                                0x1b1ae4d6e2ef5,
                                                0x878678326eac9,
                                                0x2a5a058fc295ed,
                                                0xd3c21bcecceda1,
                                                0x422ca8b0a00a425,
                                                0x14adf4b7320334b9,
                                                0x6765c793fa10079d};
  return k <= MOST_IN_64 ? five[k] : (wide)five[MOST_IN_64] * five[k - MOST_IN_64];
}

// With a given k. False where it or s is out of bounds.
static bool scale_by(scaled *x, int exponent, int k)
{
  const int s = -(exponent + k);
  if (k < 0 || k > MOST_POWER || s < 0 || s > 120) return false;
  x->power = k;
  x->shift = s;
  x->step = power_of_five(k);
  x->one = (wide)1 << s;
  const wide product = x->mantissa * x->step; // modulo 2^128
  const wide low = (wide)x->mantissa * (uint64_t)x->step;
  const wide high = (wide)x->mantissa * (uint64_t)(x->step >> 64) + (low >> 64); // N / 2^64
  x->whole = (uint64_t)(s < 64 ? product >> s : high >> (s - 64));
  x->rest = product & (x->one - 1);
  return true;
}

static bool scale(scaled *x, double size)
{
  uint64_t bits;
  memcpy(&bits, &size, sizeof bits);
  const int biased = (int)(bits >> 52);
  if (biased == 0 || biased == 0x7ff) return false;
  x->mantissa = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  const int exponent = biased - 1075, log2 = biased - 1023;
  const int log10 = (log2 * 78913) >> 18; // floor(log2 log10(2)): at most one too small
  if (!scale_by(x, exponent, 16 - log10)) return false;
  return x->whole < ten_to_17 || scale_by(x, exponent, 15 - log10);
}

// The decimal with the last digit at the unit, a constant, so that no processor divides.  @return whether it reads back
SRS_INLINE bool round_to(const scaled *x, unsigned unit, uint64_t *decimal)
{
  const uint64_t q = x->whole / unit, r = x->whole - q * unit;
  if (r > 12 && r + 12 < unit) return false; // half a unit of m is below 10^17 / 2^53 of D
  const wide below = ((wide)r << x->shift) + x->rest, gap = (wide)unit << x->shift;
  const bool is_up = 2 * below > gap || (2 * below == gap && q % 2 == 1);
  const wide distance = is_up ? gap - below : below;
  const wide twice = (!is_up && x->mantissa == (uint64_t)1 << 52 ? 4 : 2) * distance;
  *decimal = q + is_up;
  return twice < x->step || (twice == x->step && x->mantissa % 2 == 0);
}

// Eight digits: the halves of a number, then those of each half, and of each quarter, side by side in one word. The
// products divide by 100 what is below 10^4, by 10 what is below 100.
static void put_eight(uint64_t number, char *to)
{
  const uint64_t top = number / 10000, halves = top | (number - 10000 * top) << 32;
  const uint64_t hundreds = ((halves * 10486) >> 20) & 0x0000007f0000007f;
  const uint64_t quarters = hundreds | (halves - 100 * hundreds) << 16;
  const uint64_t tens = ((quarters * 103) >> 10) & 0x000f000f000f000f;
  const uint64_t digits = (tens | (quarters - 10 * tens) << 8) | 0x3030303030303030;
  for (int i = 0; i < 8; i++) to[i] = (char)(digits >> 8 * i);
}

static void put_digits(uint64_t decimal, char to[DIGITS])
{
  const uint64_t high = decimal / 100000000, top = high / 100000000;
  to[0] = (char)('0' + top);
  put_eight(high - 100000000 * top, to + 1);
  put_eight(decimal - 100000000 * high, to + 9);
}

// 17 digits as %g writes them: d.ddde+xx for exponents below -4 or not below the precision, without zeros at the end.
// They are put behind the place of the point, and those before it moved there, so that nothing waits for a copy.
static char *put_text(uint64_t decimal, int exponent, int precision, char *to)
{
  static const char lead[6] = {'0', '.', '0', '0', '0', '0'};
  const bool has_power = exponent < -4 || exponent >= precision;
  const int whole = has_power ? 1 : exponent + 1; // digits before the point
  char *digits = to + (whole > 0 ? 1 : 2 - whole);
  memcpy(to, lead, sizeof lead);
  put_digits(decimal, digits);
  int n = DIGITS;
  while (digits[n - 1] == '0') n--;
  if (whole <= 0) return digits + n;
  for (int i = 0; i < whole; i++) to[i] = digits[i];
  char *end = to + whole;
  if (n > whole) *end = '.', end = digits + n;
  if (has_power) {
    const int size = exponent < 0 ? -exponent : exponent; // two digits: at most 35
    *end++ = 'e', *end++ = exponent < 0 ? '-' : '+';
    *end++ = (char)('0' + size / 10), *end++ = (char)('0' + size % 10);
  }
  return end;
}

int srs_format_shortest(double value, char text[32])
{
  scaled x;
  const bool is_negative = signbit(value);
  if (value == 0) {
    memcpy(text, is_negative ? "-0" : "0", is_negative ? 3 : 2);
    return 1 + is_negative;
  }
  if (!scale(&x, is_negative ? -value : value)) return 0;
  uint64_t decimal;
  int precision = 15, exponent = 16 - x.power;
  if (round_to(&x, 100, &decimal)) {
    decimal *= 100;
  } else if (round_to(&x, 10, &decimal)) {
    precision = 16;
    decimal *= 10;
  } else {
    precision = DIGITS;
    (void)round_to(&x, 1, &decimal);
  }
  if (decimal == ten_to_17) decimal /= 10, exponent++;
  char *at = text;
  if (is_negative) *at++ = '-';
  at = put_text(decimal, exponent, precision, at);
  *at = '\0';
  return (int)(at - text);
}

#else

int srs_format_shortest(double value, char text[32])
{
  (void)value, (void)text;
  return 0;
}

#endif
