// What the tests of pictures share: a scene, and looking at SVG.
#pragma once
#include "support/testing.h"
#include "tools/pictures/sketch.h"

#include <stdlib.h>
#include <string.h>

/// A pendulum about y at (0, 0, 2), a rod of 1 m without shapes down to a bob, on a floor; it starts level.
__attribute__((unused)) static const char pendulum_scene[] =
    "models:\n"
    "  - name: pendulum\n"
    "    base: fixed\n"
    "    links: [{name: rod, mass: 1, com: [0, 0, -1], inertia: [0.01, 0.01, 0.01]}]\n"
    "    joints: [{name: h, kind: continuous, child: rod, axis: [0, 1, 0], "
    "origin: {position: [0, 0, 2]}}]\n"
    "    shapes: [{link: rod, kind: sphere, radius: 0.1, pose: {position: [0, 0, -1]}}]\n"
    "environment: [{name: floor, shape: half-space}]\n"
    "initial: {q: {h: -1.5707963267948966}}\n"
    "dt: 0.01\n"
    "duration: 1\n";

/// How often a part is in a text.
static inline int count_of(const char *text, const char *part)
{
  int n = 0;
  for (; (text = strstr(text, part)) != NULL; text++) n++;
  return n;
}

/// The next n numbers in a text, whatever is between them.
static inline void numbers_in(const char *text, int n, double *values)
{
  for (int i = 0; i < n; i++) {
    text += strcspn(text, "-0123456789");
    char *end;
    values[i] = strtod(text, &end);
    if (end == text) fail_msg("%d numbers wanted, %d found", n, i);
    text = end;
  }
}

static inline double area_of(const sketch *s, const sketch_path *path)
{
  double sum = 0;
  for (int i = 0; i < path->n; i++) {
    const double *a = &s->points[3 * (size_t)(path->first + i)],
                 *b = &s->points[3 * (size_t)(path->first + (i + 1) % path->n)];
    sum += (a[0] * b[1] - a[1] * b[0]) / 2;
  }
  return sum;
}

static inline int paths_of(const sketch *s, sketch_kind kind)
{
  int n = 0;
  for (int i = 0; i < s->n_paths; i++) n += s->paths[i].kind == kind;
  return n;
}

static inline srs_shape shape_of(srs_shape_kind kind, double a, double b, double c)
{
  return (srs_shape){.kind = kind, .name = "", .frame = -1, .pose = srs_identity_pose(), .size = {a, b, c}, .file = ""};
}
