// Vectors and matrices of recorded terms. Internal.
#pragma once
#include "engine/generate/graph.h"
#include "topology/base/spatial.h"

typedef struct term3 {
  srs_term x[3];
} term3;

typedef struct term33 {
  srs_term m[3][3]; // rows first
} term33;

static inline term3 term3_zero(srs_graph *g)
{
  const srs_term zero = srs_constant(g, 0);
  return (term3){{zero, zero, zero}};
}

static inline term3 term3_constant(srs_graph *g, vec3 v)
{
  return (term3){{srs_constant(g, v.x), srs_constant(g, v.y), srs_constant(g, v.z)}};
}

static inline term33 term33_constant(srs_graph *g, mat3 r)
{
  const term3 x = term3_constant(g, r.x), y = term3_constant(g, r.y), z = term3_constant(g, r.z);
  term33 out;
  for (int i = 0; i < 3; i++) out.m[i][0] = x.x[i], out.m[i][1] = y.x[i], out.m[i][2] = z.x[i];
  return out;
}

static inline term3 term3_add(srs_graph *g, term3 a, term3 b)
{
  for (int i = 0; i < 3; i++) a.x[i] = srs_add(g, a.x[i], b.x[i]);
  return a;
}

static inline term3 term3_subtract(srs_graph *g, term3 a, term3 b)
{
  for (int i = 0; i < 3; i++) a.x[i] = srs_subtract(g, a.x[i], b.x[i]);
  return a;
}

static inline term3 term3_scale(srs_graph *g, srs_term s, term3 a)
{
  for (int i = 0; i < 3; i++) a.x[i] = srs_multiply(g, s, a.x[i]);
  return a;
}

static inline srs_term term3_dot(srs_graph *g, term3 a, term3 b)
{
  srs_term sum = srs_multiply(g, a.x[0], b.x[0]);
  for (int i = 1; i < 3; i++) sum = srs_add(g, sum, srs_multiply(g, a.x[i], b.x[i]));
  return sum;
}

static inline term3 term3_cross(srs_graph *g, term3 a, term3 b)
{
  term3 out;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out.x[i] = srs_subtract(g, srs_multiply(g, a.x[j], b.x[k]), srs_multiply(g, a.x[k], b.x[j]));
  }
  return out;
}

static inline term3 term33_times(srs_graph *g, const term33 *a, term3 b)
{
  term3 out;
  for (int i = 0; i < 3; i++) out.x[i] = term3_dot(g, (term3){{a->m[i][0], a->m[i][1], a->m[i][2]}}, b);
  return out;
}

static inline term33 term33_transpose(const term33 *a)
{
  term33 out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out.m[i][j] = a->m[j][i];
  return out;
}

static inline term3 term33_column(const term33 *a, int j) { return (term3){{a->m[0][j], a->m[1][j], a->m[2][j]}}; }

static inline term33 term33_product(srs_graph *g, const term33 *a, const term33 *b)
{
  term33 out;
  for (int j = 0; j < 3; j++) {
    const term3 column = term33_times(g, a, term33_column(b, j));
    for (int i = 0; i < 3; i++) out.m[i][j] = column.x[i];
  }
  return out;
}

static inline term33 term33_add(srs_graph *g, const term33 *a, const term33 *b)
{
  term33 out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out.m[i][j] = srs_add(g, a->m[i][j], b->m[i][j]);
  return out;
}

// [a]x
static inline term33 term33_cross(srs_graph *g, term3 a)
{
  const srs_term zero = srs_constant(g, 0);
  return (term33){{{zero, srs_negate(g, a.x[2]), a.x[1]},
                   {a.x[2], zero, srs_negate(g, a.x[0])},
                   {srs_negate(g, a.x[1]), a.x[0], zero}}};
}
