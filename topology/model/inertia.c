// Rigid-body inertias: which are possible, and the inertia of several bodies welded together.
//
// Principal moments are sums of two mean squares each, I_1 = m (<y^2> + <z^2>), ...: none is negative, and none exceeds
// the sum of the others (the triangle inequality). Files print moments with six digits, so that each is off by up to
// 5e-6 of itself (1.00000 against 1.000005); flat plates and thin rods, for which equality holds, are then off by up to
// 1e-5 of the largest moment: this much is allowed. Modelling errors found in practice are a hundred times larger and
// more.
//
// Welding: m = sum m_i, m c = sum m_i c_i, I = sum I_i + m_i (|d_i|^2 1 - d_i d_i^T) with d_i = c_i - c. The sums run
// about the common centre of mass, where nothing cancels.
#include "topology/model/inertia.h"
#include "topology/base/errors.h"

#include <stdio.h>
#include <string.h>

static const double tolerance = 1e-5;

// ---------------------------------------------------------------------------------------------------------------------
// Principal moments: Jacobi's rotations
// ---------------------------------------------------------------------------------------------------------------------

// Turns in the plane (p, q) so that a[p][q] vanishes. v: the axes so far as columns, or NULL.
static void eliminate(double a[3][3], double v[3][3], int p, int q)
{
  if (a[p][q] == 0) return;
  const int r = 3 - p - q;
  const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  a[p][p] -= t * a[p][q];
  a[q][q] += t * a[p][q];
  const double rp = c * a[r][p] - s * a[r][q], rq = s * a[r][p] + c * a[r][q];
  a[r][p] = a[p][r] = rp;
  a[r][q] = a[q][r] = rq;
  a[p][q] = a[q][p] = 0;
  for (int i = 0; v != NULL && i < 3; i++) {
    const double ip = c * v[i][p] - s * v[i][q];
    v[i][q] = s * v[i][p] + c * v[i][q];
    v[i][p] = ip;
  }
}

// a becomes diagonal.
static void diagonalise(double a[3][3], double v[3][3])
{
  for (int sweep = 0; sweep < 30; sweep++) { // quadratic convergence: five are plenty
    if (a[0][1] == 0 && a[0][2] == 0 && a[1][2] == 0) break;
    eliminate(a, v, 0, 1);
    eliminate(a, v, 0, 2);
    eliminate(a, v, 1, 2);
  }
}

void srs_principal_axes(sym3 inertia, double moments[3], mat3 *axes)
{
  const sym3 s = inertia;
  double a[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  diagonalise(a, v);
  for (int i = 0; i < 3; i++) moments[i] = a[i][i];
  *axes = (mat3){{v[0][0], v[1][0], v[2][0]}, {v[0][1], v[1][1], v[2][1]}, {v[0][2], v[1][2], v[2][2]}};
}

void srs_principal_moments(sym3 inertia, double moments[3])
{
  const sym3 s = inertia;
  double a[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
  diagonalise(a, NULL);
  for (int i = 0; i < 3; i++) moments[i] = a[i][i];
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < 2; i++)
      if (moments[i] > moments[i + 1]) {
        const double larger = moments[i];
        moments[i] = moments[i + 1];
        moments[i + 1] = larger;
      }
}

// ---------------------------------------------------------------------------------------------------------------------
// The nearest possible moments
// ---------------------------------------------------------------------------------------------------------------------

// Possible moments are a cone of three sides, x_i <= x_j + x_k, with the edges (0, 1, 1), (1, 0, 1), (1, 1, 0). The
// nearest point of a cone is the point itself, or its foot on a side, or on an edge, or the tip: the nearest of those
// feet that lie in the cone.
static bool is_in_cone(const double x[3], double slack)
{
  for (int i = 0; i < 3; i++)
    if (x[i] > x[(i + 1) % 3] + x[(i + 2) % 3] + slack) return false;
  return true;
}

static void nearest_moments(const double x[3], double nearest[3])
{
  const double size = fabs(x[0]) + fabs(x[1]) + fabs(x[2]), slack = 1e-15 * size;
  double least = INFINITY;
  for (int k = 0; k < 8; k++) { // the point, three sides, three edges, the tip
    double y[3] = {0, 0, 0};
    const int i = (k - 1) % 3, j = (i + 1) % 3, l = (i + 2) % 3;
    if (k == 0) memcpy(y, x, sizeof y);
    if (k >= 1 && k <= 3) {
      const double over = (x[i] - x[j] - x[l]) / 3;
      y[i] = x[i] - over, y[j] = x[j] + over, y[l] = x[l] + over;
    }
    if (k >= 4 && k <= 6) y[j] = y[l] = fmax(0, (x[j] + x[l]) / 2);
    double far = 0;
    for (int c = 0; c < 3; c++) far += (y[c] - x[c]) * (y[c] - x[c]);
    if (!is_in_cone(y, slack) || !(far < least)) continue;
    least = far;
    memcpy(nearest, y, sizeof y);
  }
}

sym3 srs_inertia_nearest(sym3 inertia)
{
  const sym3 s = inertia;
  double a[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, moments[3], nearest[3] = {0, 0, 0};
  diagonalise(a, v);
  for (int i = 0; i < 3; i++) moments[i] = a[i][i];
  if (is_in_cone(moments, 0)) return inertia;
  nearest_moments(moments, nearest);
  sym3 n = sym3_zero;
  for (int i = 0; i < 3; i++) {
    const double m = nearest[i], x = v[0][i], y = v[1][i], z = v[2][i];
    n = sym3_add(n, (sym3){m * x * x, m * y * y, m * z * z, m * x * y, m * x * z, m * y * z});
  }
  return n;
}

// ---------------------------------------------------------------------------------------------------------------------
// Judging
// ---------------------------------------------------------------------------------------------------------------------

bool srs_mass_is_in_range(double mass) { return mass == 0 || (mass >= SRS_LEAST_MASS && mass <= SRS_MOST_MASS); }

srs_inertia_fault srs_inertia_validate(double mass, sym3 inertia)
{
  return srs_inertia_validate_within(mass, inertia, 0);
}

srs_inertia_fault srs_inertia_validate_within(double mass, sym3 inertia, double rounding)
{
  double moments[3];
  srs_principal_moments(inertia, moments);
  const double size = fmax(fabs(moments[0]), fabs(moments[2]));
  if (mass < 0) return SRS_INERTIA_NEGATIVE_MASS;
  if (mass == 0 && size > 0) return SRS_INERTIA_WITHOUT_MASS;
  if (moments[0] < -tolerance * size - rounding) return SRS_INERTIA_NEGATIVE;
  if (moments[2] > moments[0] + moments[1] + tolerance * size + rounding) return SRS_INERTIA_TRIANGLE;
  return SRS_INERTIA_POSSIBLE;
}

// With at least one decimal, so that it is seen to be a measured number: 1.0, 0.25, 3e-06.
static void print_moment(double moment, int digits, char text[40])
{
  srs_print(text, 40, "%.*g", digits, moment);
  if (strpbrk(text, ".e") == NULL) strncat(text, ".0", 39 - strlen(text));
}

// As few digits as show that a > b + c.
static void print_triangle(const double moments[3], char *text, size_t size)
{
  char printed[3][40];
  for (int digits = 6; digits <= 17; digits++) {
    double read[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
      print_moment(moments[i], digits, printed[i]);
      srs_parse_number(printed[i], strlen(printed[i]), &read[i]);
    }
    if (read[2] > read[0] + read[1]) break;
  }
  snprintf(text, size, "%s > %s + %s", printed[2], printed[0], printed[1]);
}

const char *srs_inertia_describe(double mass, sym3 inertia, char *text, size_t size)
{
  double moments[3];
  srs_principal_moments(inertia, moments);
  char numbers[160], printed[3][40];
  for (int i = 0; i < 3; i++) print_moment(moments[i], 6, printed[i]);
  switch (srs_inertia_validate(mass, inertia)) {
  case SRS_INERTIA_POSSIBLE: snprintf(text, size, "a possible inertia"); break;
  case SRS_INERTIA_NEGATIVE_MASS: srs_print(text, size, "mass %g kg is negative", mass); break;
  case SRS_INERTIA_WITHOUT_MASS:
    snprintf(text, size,
             "principal moments %s, %s, %s kg m^2 but no mass: give it a mass, or set its inertia to zero too",
             printed[0], printed[1], printed[2]);
    break;
  case SRS_INERTIA_NEGATIVE:
    snprintf(
        text, size,
        "principal moments %s, %s, %s kg m^2, but none can be negative: check the products of inertia, their signs "
        "and the units",
        printed[0], printed[1], printed[2]);
    break;
  case SRS_INERTIA_TRIANGLE:
    print_triangle(moments, numbers, sizeof numbers);
    srs_print(text, size,
              "principal moments %s kg m^2, but no body has one above the sum of the others (here by %.3g): check the "
              "moments and their order",
              numbers, moments[2] - moments[0] - moments[1]);
    break;
  }
  return text;
}

// ---------------------------------------------------------------------------------------------------------------------
// Welding
// ---------------------------------------------------------------------------------------------------------------------

srs_body srs_body_of(const srs_link_def *def)
{
  return (srs_body){def->mass, vec3_load(def->com),
                    sym3_rotate(mat3_from_rows(def->inertia_rotation), sym3_load(def->inertia))};
}

srs_body srs_body_move(srs_body body, vec3 offset, mat3 axes)
{
  return (srs_body){body.mass, add3(offset, rotate(axes, body.com)), sym3_rotate(axes, body.inertia)};
}

srs_body srs_body_weld(const srs_body *bodies, int n)
{
  int n_massive = 0;
  srs_body whole = {0, vec3_zero, sym3_zero};
  for (int i = 0; i < n; i++) {
    if (bodies[i].mass == 0) continue;
    n_massive++;
    whole.mass += bodies[i].mass;
    whole.com = n_massive == 1 ? bodies[i].com
                               : add_scaled3(whole.com, bodies[i].mass / whole.mass, sub3(bodies[i].com, whole.com));
  }
  for (int i = 0; i < n; i++) {
    whole.inertia = sym3_add(whole.inertia, bodies[i].inertia);
    if (n_massive > 1)
      whole.inertia = sym3_add(whole.inertia, sym3_point_mass(bodies[i].mass, sub3(bodies[i].com, whole.com)));
  }
  return whole;
}
