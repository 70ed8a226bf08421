// The friction that a normal impulse allows, in long double.
//
// With directions c_k (corners of a regular polygon) and m_k the middle of the side from c_k to the next, side k of the
// polygon of radius r is g_k . t = r, g_k = m_k / |m_k|^2. With spin z the set is the double pyramid g_k . t + |z| <=
// r, whose faces are triangles of a side and an apex (0, 0, +-r). A point of the plane is nearest to a point of the
// plane, so that the polygon needs no code of its own: its t has z = 0.
//
// With rolling y_1, y_2, too, the set is gauge(t) + |z| + |y_1| + |y_2| <= r. Of the radius r the plane's part has some
// a, the further ones r - a: their nearest points are known each, by how much these would move outward for a little
// more radius the best a is bracketed.
#include "contact/problem/friction_set.h"

#include <math.h>

void srs_friction_set_make(int n, double angle, srs_friction_set *set)
{
  const srs_wide turn = 6.283185307179586476925286766559L;
  set->n = n;
  for (int k = 0; k < n; k++) {
    const srs_wide at = angle + k * turn / n;
    set->corner[k][0] = cosl(at), set->corner[k][1] = sinl(at);
  }
}

srs_wide srs_wide_length(int d, const srs_wide *t)
{
  srs_wide sum = 0;
  for (int k = 0; k < d; k++) sum += t[k] * t[k];
  return sqrtl(sum);
}

static bool is_round(const srs_friction_set *set, int d) { return set->n == 0 || d < 2; }

// g_k
static void find_side(const srs_friction_set *set, int k, srs_wide g[2])
{
  const srs_wide *a = set->corner[k], *b = set->corner[(k + 1) % set->n];
  const srs_wide m[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}, square = m[0] * m[0] + m[1] * m[1];
  g[0] = m[0] / square, g[1] = m[1] / square;
}

srs_wide srs_friction_set_gauge(const srs_friction_set *set, int d, const srs_wide *t)
{
  if (is_round(set, d)) return srs_wide_length(d, t);
  srs_wide most = 0;
  for (int k = 0; k < set->n; k++) {
    srs_wide g[2];
    find_side(set, k, g);
    most = fmaxl(most, g[0] * t[0] + g[1] * t[1]);
  }
  for (int k = 2; k < d; k++) most += fabsl(t[k]);
  return most;
}

srs_wide srs_friction_set_slip(const srs_friction_set *set, int d, const srs_wide *u)
{
  if (is_round(set, d)) return srs_wide_length(d, u);
  srs_wide most = 0;
  for (int k = 2; k < d; k++) most = fmaxl(most, fabsl(u[k]));
  for (int k = 0; k < set->n; k++) most = fmaxl(most, -(set->corner[k][0] * u[0] + set->corner[k][1] * u[1]));
  return most;
}

// ---- nearest points of the double pyramid ----

typedef struct search {
  srs_wide t[3], nearest[3], distance;
} search;

static void offer(search *s, const srs_wide q[3])
{
  const srs_wide away[3] = {s->t[0] - q[0], s->t[1] - q[1], s->t[2] - q[2]}, distance = srs_wide_length(3, away);
  if (!(distance < s->distance)) return;
  s->distance = distance;
  for (int i = 0; i < 3; i++) s->nearest[i] = q[i];
}

static void offer_segment(search *s, const srs_wide a[3], const srs_wide b[3])
{
  srs_wide along = 0, square = 0, q[3];
  for (int i = 0; i < 3; i++) along += (s->t[i] - a[i]) * (b[i] - a[i]), square += (b[i] - a[i]) * (b[i] - a[i]);
  const srs_wide part = fminl(fmaxl(along / square, 0), 1);
  for (int i = 0; i < 3; i++) q[i] = a[i] + part * (b[i] - a[i]);
  offer(s, q);
}

// The triangle of corners a, b and the upper apex.
static void offer_face(search *s, const srs_wide a[3], const srs_wide b[3], const srs_wide g[2], srs_wide r)
{
  const srs_wide apex[3] = {0, 0, r};
  const srs_wide above = (g[0] * s->t[0] + g[1] * s->t[1] + s->t[2] - r) / (g[0] * g[0] + g[1] * g[1] + 1);
  const srs_wide q[3] = {s->t[0] - above * g[0], s->t[1] - above * g[1], s->t[2] - above};
  // q = share a + … b + … apex
  const srs_wide area = a[0] * b[1] - a[1] * b[0];
  if ((q[0] * b[1] - q[1] * b[0]) / area >= 0 && (a[0] * q[1] - a[1] * q[0]) / area >= 0 && q[2] >= 0) offer(s, q);
  offer_segment(s, a, b);
  offer_segment(s, a, apex);
  offer_segment(s, b, apex);
}

static void project_on_pyramid(const srs_friction_set *set, int d, srs_wide r, const srs_wide *t, srs_wide *nearest)
{
  search s = {.t = {t[0], t[1], d == 3 ? fabsl(t[2]) : 0}, .distance = INFINITY};
  for (int k = 0; k < set->n; k++) {
    const srs_wide *a = set->corner[k], *b = set->corner[(k + 1) % set->n];
    const srs_wide A[3] = {r * a[0], r * a[1], 0}, B[3] = {r * b[0], r * b[1], 0};
    srs_wide g[2];
    find_side(set, k, g);
    offer_face(&s, A, B, g, r);
  }
  nearest[0] = s.nearest[0], nearest[1] = s.nearest[1];
  if (d == 3) nearest[2] = copysignl(s.nearest[2], t[2]);
}

// The nearest point of sum |y| <= r; how fast half the squared distance falls as r grows.
static srs_wide project_on_axes(int n, srs_wide r, const srs_wide *y, srs_wide *nearest)
{
  srs_wide sum = 0, least = 0;
  for (int k = 0; k < n; k++) sum += fabsl(y[k]);
  for (int left = n; sum > r;) { // all are shortened by `least`, those that end below zero are left out
    least = (sum - r) / left;
    srs_wide next = 0;
    int stay = 0;
    for (int k = 0; k < n; k++)
      if (fabsl(y[k]) > least) next += fabsl(y[k]), stay++;
    if (stay == left || stay == 0) break;
    sum = next, left = stay;
  }
  for (int k = 0; k < n; k++) nearest[k] = copysignl(fmaxl(fabsl(y[k]) - least, 0), y[k]);
  return least;
}

// Likewise of the polygon.
static srs_wide project_on_polygon(const srs_friction_set *set, srs_wide r, const srs_wide *t, srs_wide *nearest)
{
  nearest[0] = t[0], nearest[1] = t[1];
  if (srs_friction_set_gauge(set, 2, t) <= r) return 0;
  if (r > 0)
    project_on_pyramid(set, 2, r, t, nearest);
  else
    nearest[0] = nearest[1] = 0;
  const srs_wide away[2] = {nearest[0] - t[0], nearest[1] - t[1]};
  return srs_friction_set_slip(set, 2, away);
}

static void project_with_rolling(const srs_friction_set *set, int d, srs_wide r, const srs_wide *t, srs_wide *nearest)
{
  srs_wide low = 0, high = r;
  for (int k = 0; k < 128; k++) {
    const srs_wide a = (low + high) / 2;
    if (project_on_polygon(set, a, t, nearest) > project_on_axes(d - 2, r - a, t + 2, nearest + 2))
      low = a;
    else
      high = a;
  }
}

bool srs_friction_set_project(const srs_friction_set *set, int d, srs_wide r, const srs_wide *t, srs_wide *nearest)
{
  const srs_wide gauge = srs_friction_set_gauge(set, d, t);
  if (gauge <= r) {
    for (int k = 0; k < d; k++) nearest[k] = t[k];
    return true;
  }
  if (!is_round(set, d) && r > 0 && d > 3)
    project_with_rolling(set, d, r, t, nearest);
  else if (!is_round(set, d) && r > 0)
    project_on_pyramid(set, d, r, t, nearest);
  else
    for (int k = 0; k < d; k++) nearest[k] = t[k] / gauge * r;
  return false;
}
