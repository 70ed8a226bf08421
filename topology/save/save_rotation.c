// Which angles make this rotation?
//
// R = Rz(yaw) Ry(pitch) Rx(roll) gives, with c = cos(pitch) of either sign,
//
//   roll = atan2(+-R21, +-R22), pitch = atan2(-R20, +-|c|), yaw = atan2(+-R10, +-R00)
//
// each to an ulp or two; the angles that a file had may also be a turn away, since sin(x + 2 pi) has other bits. So for
// each angle the candidates are: the shortest decimal within rounding, and the doubles around, each of them also a turn
// further and back. Of their combinations the first that gives all nine entries to the bit is taken, decimals first.
#include "topology/save/save_rotation.h"
#include "topology/base/c_locale.h"
#include "topology/base/spatial.h"
#include <sarrus/base.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 3, AROUND = 3, EACH = TURNS * (2 + 2 * AROUND) };
static const double PI = 3.14159265358979323846;

typedef struct candidates {
  double angle[EACH], sine[EACH], cosine[EACH];
  int n;
} candidates;

static void offer(candidates *c, double angle)
{
  c->angle[c->n] = angle, c->sine[c->n] = sin(angle), c->cosine[c->n] = cos(angle);
  c->n++;
}

// The decimal of fewest digits within a few roundings.
static double shortest_near(double angle)
{
  const double near = 1e-15 * fmax(1, fabs(angle));
  char text[32];
  double value = angle;
  const c_locale locale = enter_c_locale();
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, angle);
    value = strtod(text, NULL);
    if (fabs(value - angle) <= (fabs(angle) < 1e-3 ? 4e-16 * fabs(angle) : near)) break;
  }
  leave_c_locale(locale);
  return value;
}

// The decimals of the angle and of its turns come first: the first TURNS candidates.
static candidates around(double angle)
{
  candidates c = {.n = 0};
  const double turns[TURNS] = {angle, angle > 0 ? angle - 2 * PI : angle + 2 * PI,
                               angle > 0 ? angle + 2 * PI : angle - 2 * PI};
  for (int t = 0; t < TURNS; t++) offer(&c, shortest_near(turns[t]));
  for (int t = 0; t < TURNS; t++) {
    double below = turns[t], above = turns[t];
    offer(&c, turns[t]);
    for (int i = 0; i < AROUND; i++) {
      offer(&c, below = nextafter(below, -INFINITY));
      offer(&c, above = nextafter(above, INFINITY));
    }
  }
  return c;
}

// As srs_rotation_from_rpy computes it.
static bool is_made_by(const double *r, double cr, double sr, double cp, double sp, double cy, double sy)
{
  const double made[9] = {cy * cp,
                          cy * sp * sr - sy * cr,
                          cy * sp * cr + sy * sr,
                          sy * cp,
                          sy * sp * sr + cy * cr,
                          sy * sp * cr - cy * sr,
                          -sp,
                          cp * sr,
                          cp * cr};
  for (int i = 0; i < 9; i++) {
    const double entry = made[i] + 0.0; // no -0
    if (entry != r[i] || !signbit(entry) != !signbit(r[i])) return false;
  }
  return true;
}

static bool search(const double *rotation, const candidates c[3], int most, double rpy[3])
{
  for (int p = 0; p < most; p++) {
    if (c[1].sine[p] != -rotation[6]) continue;
    for (int r = 0; r < most; r++)
      for (int y = 0; y < most; y++) {
        if (!is_made_by(rotation, c[0].cosine[r], c[0].sine[r], c[1].cosine[p], c[1].sine[p], c[2].cosine[y],
                        c[2].sine[y]))
          continue;
        rpy[0] = c[0].angle[r], rpy[1] = c[1].angle[p], rpy[2] = c[2].angle[y];
        return true;
      }
  }
  return false;
}

bool srs_save_rpy(const double rotation[9], double rpy[3])
{
  const double *r = rotation;
  const double c = fmax(hypot(r[7], r[8]), hypot(r[0], r[3]));
  candidates found[2][3];
  for (int flip = 0; flip < 2; flip++) {
    const double sign = flip ? -1 : 1;
    double angles[3] = {atan2(sign * r[7] + 0.0, sign * r[8] + 0.0), atan2(-r[6] + 0.0, sign * c),
                        atan2(sign * r[3] + 0.0, sign * r[0] + 0.0)};
    if (c == 0) angles[0] = 0, angles[2] = atan2(-r[1], r[4]); // roll and yaw turn about one axis
    if (flip == 0) memcpy(rpy, angles, sizeof angles);
    for (int i = 0; i < 3; i++) found[flip][i] = around(angles[i]);
  }
  for (int all = 0; all < 2; all++)
    for (int flip = 0; flip < 2; flip++)
      if (search(r, found[flip], all ? found[flip][0].n : TURNS, rpy)) return true;
  return false;
}
