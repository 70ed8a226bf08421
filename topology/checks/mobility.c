// Does every joint carry inertia? Articulated-body inertia, evaluated in a few arbitrary configurations.
//
// With P the inertia that a link and its subtree (free to move on its joints) oppose to the link's motion, and s a unit
// motion of one coordinate, D = s^T P s + armature resists that coordinate. Coordinates are eliminated from the tip
// inwards, those of one joint one after the other, each leaving
//
//   U = P s,   P <- P - U U^T / D
//
// A massless link is legal where D > 0, and D counts as positive when it exceeds what rounding can have made of a zero.
// A crane of 1e5 kg on an axis of 0.1 kg, or a chain of 50 000 links, has a D that is tiny beside the moments of its
// subtree, but exact: so rounding errors are propagated. With N a bound (-N <= dP <= N as quadratic forms) and A = 1 -
// (U / D) s^T, one elimination, to first order, gives
//
//   N <- A N A^T + r diag(P),   and D is positive when D > s^T N s + r s^T diag(P) s
//
// since entries of P, P s and U U^T / D are no larger than what its diagonal allows; N then goes to the parent as P
// does. r is a hundred roundings: the products of a 6 x 6 congruence are some forty. What is zero in one configuration
// may be so by chance; what is zero in three unrelated ones is so by construction.
//
// 6 x 6 matrices, rows first, [angular; linear], in the link's turned axes at its origin.
#include "topology/checks/mobility.h"
#include "topology/model/configuration.h"
#include "topology/model/link_placement.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIGURATIONS = 3 };

static const double roundings = 100 * DBL_EPSILON;

typedef struct load {
  double p[36];     // articulated inertia
  double noise[36]; // bound of its rounding errors
} load;

// ---------------------------------------------------------------------------------------------------------------------
// Where the links are
// ---------------------------------------------------------------------------------------------------------------------

// Numbers in (-1, 1), the same each time: fractional parts of multiples of an irrational.
static double arbitrary(int configuration, int index)
{
  const double x = 0.6180339887498949 * (index + 1) + 0.3819660112501051 * 0.7548776662466927 * (configuration + 1);
  return 2 * (x - floor(x)) - 1;
}

// Unit motions of the joint's coordinates, in the link's turned axes at its origin: n x 6.
static int motions(const srs_model *model, int k, const mat3 *inner, double s[SRS_MAX_JOINT_NV][6])
{
  memset(s, 0, sizeof(double[SRS_MAX_JOINT_NV][6]));
  const srs_joint_kind kind = (srs_joint_kind)model->kind[k];
  switch (kind) {
  case SRS_JOINT_FIXED: break;
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: s[0][2] = 1; break;
  case SRS_JOINT_PRISMATIC: s[0][5] = 1; break;
  case SRS_JOINT_HELICAL:
    s[0][2] = 1;
    s[0][5] = model->pitch[k];
    break;
  case SRS_JOINT_CYLINDRICAL: s[0][2] = s[1][5] = 1; break;
  case SRS_JOINT_UNIVERSAL:
    vec3_store(s[0], rotate_back(*inner, (vec3){0, 0, 1}));
    s[1][2] = 1;
    break;
  case SRS_JOINT_PLANAR: s[0][3] = s[1][4] = s[2][2] = 1; break; // any axes in the plane span the same
  case SRS_JOINT_SPHERICAL: s[0][0] = s[1][1] = s[2][2] = 1; break;
  case SRS_JOINT_FREE: s[0][3] = s[1][4] = s[2][5] = s[3][0] = s[4][1] = s[5][2] = 1; break;
  }
  return srs_joint_kind_nv(kind);
}

// ---------------------------------------------------------------------------------------------------------------------
// The sweep
// ---------------------------------------------------------------------------------------------------------------------

static void add_body(load *l, const double *inertia)
{
  const double m = inertia[0];
  const vec3 h = vec3_load(inertia + 1);
  const double *i = inertia + 4;
  const double block[36] = {i[0], i[3], i[4], 0,    -h.z, h.y,  //
                            i[3], i[1], i[5], h.z,  0,    -h.x, //
                            i[4], i[5], i[2], -h.y, h.x,  0,    //
                            0,    h.z,  -h.y, m,    0,    0,    //
                            -h.z, 0,    h.x,  0,    m,    0,    //
                            h.y,  -h.x, 0,    0,    0,    m};
  for (int e = 0; e < 36; e++) l->p[e] += block[e];
}

// to += X^T p X
static void add_congruent(double *to, const double *p, const double *x)
{
  double px[36];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double sum = 0;
      for (int e = 0; e < 6; e++) sum += p[6 * i + e] * x[6 * e + j];
      px[6 * i + j] = sum;
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      for (int e = 0; e < 6; e++) to[6 * i + j] += x[6 * e + i] * px[6 * e + j];
}

// Adds the child's load to the parent's: P_parent += X^T P X, with motion of the child X V = [R^T w; R^T (u + w x o)].
static void add_child(load *parent, const load *child, const srs_link_placement *at)
{
  double x[36] = {0};
  const vec3 columns[3] = {at->axes.x, at->axes.y, at->axes.z};
  for (size_t row = 0; row < 3; row++) {
    const vec3 c = columns[row], moved = cross3(at->offset, c); // c . (w x o) = w . (o x c)
    vec3_store(x + 6 * row, c);
    vec3_store(x + 6 * (row + 3), moved);
    vec3_store(x + 6 * (row + 3) + 3, c);
  }
  add_congruent(parent->p, child->p, x);
  add_congruent(parent->noise, child->noise, x);
}

// Eliminates the coordinate s, by U = P s and D.
static void project_out(load *l, const double *s, const double *u, double d)
{
  double back[36], noise[36] = {0}; // A^T, A N A^T
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) back[6 * i + j] = (i == j) - s[i] * u[j] / d;
  add_congruent(noise, l->noise, back);
  for (size_t i = 0; i < 6; i++) noise[7 * i] += roundings * fabs(l->p[7 * i]);
  memcpy(l->noise, noise, sizeof noise);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) l->p[6 * i + j] -= u[i] * u[j] / d;
}

// Eliminates the joint's coordinates, one after the other. Returns whether one has no inertia; it is then locked.
static bool eliminate_joint(load *l, const double s[][6], const double *armature, int n)
{
  bool met_nothing = false;
  for (int c = 0; c < n; c++) {
    double u[6] = {0}, d = armature[c], noise = 0;
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        u[i] += l->p[6 * i + j] * s[c][j];
        noise += s[c][i] * l->noise[6 * i + j] * s[c][j];
      }
    for (size_t i = 0; i < 6; i++) {
      d += s[c][i] * u[i];
      noise += roundings * s[c][i] * s[c][i] * fabs(l->p[7 * i]);
    }
    if (d > noise)
      project_out(l, s[c], u, d);
    else
      met_nothing = true;
  }
  return met_nothing;
}

static bool is_finite(const load *l)
{
  double sum = 0; // 0 * x is 0 for every finite x, NaN otherwise
  for (int e = 0; e < 36; e++) sum += 0 * l->p[e] + 0 * l->noise[e];
  return sum == 0;
}

// Returns the first link whose subtree overflows, or -1.
static int sweep(const srs_model *model, const double *q, load *loads, int *n_met_nothing)
{
  memset(loads, 0, (size_t)model->n_links * sizeof *loads);
  for (int k = model->n_links - 1; k >= 0; k--) {
    const srs_link_placement at = srs_place_link(model, k, q + model->q_index[k]);
    double s[SRS_MAX_JOINT_NV][6];
    const int n = motions(model, k, &at.inner, s);
    add_body(&loads[k], model->inertia + (size_t)k * 10);
    if (!is_finite(&loads[k])) return k;
    if (eliminate_joint(&loads[k], (const double(*)[6])s, model->armature + model->v_index[k], n)) n_met_nothing[k]++;
    if (model->parent[k] >= 0) add_child(&loads[model->parent[k]], &loads[k], &at);
  }
  return -1;
}

bool srs_mobility_check(const srs_model *model, bool *bare, int *n_bare, int *too_heavy)
{
  const size_t n = (size_t)model->n_links;
  *n_bare = 0;
  *too_heavy = -1;
  if (n == 0) return true;
  load *loads = malloc(n * sizeof *loads);
  double *q = calloc((size_t)model->nq + 1, sizeof *q);
  int *n_met_nothing = calloc(n, sizeof *n_met_nothing);
  const bool has_memory = loads != NULL && q != NULL && n_met_nothing != NULL;
  for (int c = 0; has_memory && c < CONFIGURATIONS && *too_heavy < 0; c++) {
    for (int i = 0; i < model->nq; i++) q[i] = arbitrary(c, i);
    for (int i = 0; i < model->n_angles; i++) q[model->angle_q[i]] *= 3;
    srs_normalise(model, q); // an arbitrary quaternion is not zero
    *too_heavy = sweep(model, q, loads, n_met_nothing);
  }
  for (size_t k = 0; has_memory && k < n; k++) {
    bare[k] = n_met_nothing[k] == CONFIGURATIONS;
    *n_bare += bare[k];
  }
  free(loads);
  free(q);
  free(n_met_nothing);
  return has_memory;
}
