// How far is one frame from another? The distance of their origins; and the angle of the turn D = A^T B between their
// axes: sin from its skew part, |s| = |(D_32 - D_23, D_13 - D_31, D_21 - D_12)| / 2, cos = (tr D - 1) / 2, which
// together keep their digits for small angles and large ones.
#include "engine/cli/against/compare.h"

#include <math.h>
#include <string.h>

static const double DEGREES = 180 / 3.14159265358979323846;

double srs_degrees_between(vec3 a, vec3 b) { return DEGREES * atan2(norm3(cross3(a, b)), dot3(a, b)); }

double srs_degrees_of_turn(mat3 a, mat3 b)
{
  const mat3 d = mul3(transpose3(a), b);
  const vec3 skew = {d.y.z - d.z.y, d.z.x - d.x.z, d.x.y - d.y.x};
  return DEGREES * atan2(0.5 * norm3(skew), 0.5 * (d.x.x + d.y.y + d.z.z - 1));
}

static double apart(srs_placed a, srs_placed b) { return norm3(sub3(a.at, b.at)); }

static bool is_moved(const srs_differences *found, srs_placed a, srs_placed b)
{
  return apart(a, b) > found->tolerance * fmax(1, fmax(norm3(a.at), norm3(b.at)));
}

static bool is_turned(const srs_differences *found, srs_placed a, srs_placed b)
{
  return srs_degrees_of_turn(a.axes, b.axes) > DEGREES * found->tolerance;
}

bool srs_placed_differs(const srs_differences *found, srs_placed a, srs_placed b)
{
  return is_moved(found, a, b) || is_turned(found, a, b);
}

// "0 0 0.4 m", and "rpy 0 0 1.5" where the axes differ.
static const char *placed_text(srs_placed placed, bool has_turn, char text[2 * SRS_NUMBERS_SIZE])
{
  char place[SRS_NUMBERS_SIZE], turn[SRS_NUMBERS_SIZE];
  double position[3], r[9];
  vec3_store(position, placed.at);
  mat3_to_rows(r, placed.axes);
  const double rpy[3] = {atan2(r[7], r[8]), -asin(fmax(-1, fmin(1, r[6]))), atan2(r[3], r[0])};
  srs_numbers_text(position, 3, place);
  srs_numbers_text(rpy, 3, turn);
  srs_print(text, 2 * (size_t)SRS_NUMBERS_SIZE, has_turn ? "xyz %s rpy %s" : "xyz %s", place, turn);
  return text;
}

void srs_compare_placed(srs_differences *found, const srs_compared *of, srs_difference_kind kind, const char *what,
                        srs_placed a, srs_placed b)
{
  const bool moved = is_moved(found, a, b), turned = is_turned(found, a, b);
  char first[2 * SRS_NUMBERS_SIZE], second[2 * SRS_NUMBERS_SIZE], how[120] = "";
  if (!moved && !turned) return;
  if (moved) srs_print(how, sizeof how, " %.4g mm away", 1000 * apart(a, b));
  if (turned)
    srs_print(how + (moved ? strlen(how) : 0), sizeof how - (moved ? strlen(how) : 0), "%s turned by %.4g degrees",
              moved ? "," : "", srs_degrees_of_turn(a.axes, b.axes));
  srs_differ(found, of, kind, placed_text(a, turned, first), placed_text(b, turned, second), "%s%s", what, how);
}
