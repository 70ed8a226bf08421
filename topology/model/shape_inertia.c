// Volumes, areas and unit inertias of homogeneous solids and shells, in closed form.
//
//   solids     I / m, xx (zz where it differs)
//   sphere     2/5 r^2
//   box        (y^2 + z^2) / 12, …
//   ellipsoid  (b^2 + c^2) / 5, …
//   cylinder   r^2/4 + h^2/12        zz: r^2/2
//   capsule    the cylinder's, and of two half balls 2/5 r^2 + h^2/4 + 3/8 h r        zz: r^2/2 and 2/5 r^2
//
//   shells     sphere 2/3 r^2; cylinder: side r^2/2 + h^2/12, zz r^2, and discs r^2/4 + h^2/4, zz r^2/2; half spheres
//              2/3 r^2 + h^2/4 + h r/2, zz 2/3 r^2; box: three pairs of plates; ellipsoid: a skin (its comment)
#include "topology/model/shape_inertia.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static sym3 diagonal(double x, double y, double z) { return (sym3){x, y, z, 0, 0, 0}; }

bool srs_solid_of_shape(srs_shape_kind kind, const double size[3], double *volume, sym3 *inertia)
{
  const double a = size[0], b = size[1], c = size[2];
  switch (kind) {
  case SRS_SHAPE_SPHERE:
    *volume = 4.0 / 3 * pi * a * a * a;
    *inertia = diagonal(0.4 * a * a, 0.4 * a * a, 0.4 * a * a);
    return true;
  case SRS_SHAPE_BOX:
    *volume = a * b * c;
    *inertia = diagonal((b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12);
    return true;
  case SRS_SHAPE_ELLIPSOID:
    *volume = 4.0 / 3 * pi * a * b * c;
    *inertia = diagonal((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5);
    return true;
  case SRS_SHAPE_CYLINDER: {
    *volume = pi * a * a * b;
    const double x = a * a / 4 + b * b / 12;
    *inertia = diagonal(x, x, a * a / 2);
    return true;
  }
  case SRS_SHAPE_CAPSULE: {
    const double side = pi * a * a * b, balls = 4.0 / 3 * pi * a * a * a;
    const double p = balls / (side + balls), s = 1 - p; // shares of the mass
    const double x = s * (a * a / 4 + b * b / 12) + p * (0.4 * a * a + b * b / 4 + 0.375 * a * b);
    *volume = side + balls;
    *inertia = diagonal(x, x, s * a * a / 2 + p * 0.4 * a * a);
    return true;
  }
  default: return false;
  }
}

// Two plates y x z at a distance x apart, of unit mass: their inertia, weighed.
static sym3 plates(double share, double x, double y, double z)
{
  const double far = x * x / 4;
  return diagonal(share * (y * y + z * z) / 12, share * (z * z / 12 + far), share * (y * y / 12 + far));
}

static void shell_of_box(const double s[3], double *area, sym3 *inertia)
{
  const double x = 2 * s[1] * s[2], y = 2 * s[2] * s[0], z = 2 * s[0] * s[1];
  *area = x + y + z;
  const sym3 a = plates(x / *area, s[0], s[1], s[2]), b = plates(y / *area, s[1], s[2], s[0]),
             c = plates(z / *area, s[2], s[0], s[1]);
  *inertia = diagonal(a.xx + b.zz + c.yy, a.yy + b.xx + c.zz, a.zz + b.yy + c.xx);
}

// The moment about x of what lies between the ellipsoid a b c and that with semi-axes longer by SKIN, of unit mass:
// (V' (b'^2 + c'^2) - V (b^2 + c^2)) / (5 (V' - V)), written so that nothing cancels. MuJoCo's shell, skin included.
static double moment_of_skin(double a, double b, double c)
{
  const double e = 1e-6, b2 = b + e, c2 = c + e;
  const double gain = e * (a * b + b * c + c * a) + e * e * (a + b + c) + e * e * e;
  return (gain * (b2 * b2 + c2 * c2) + a * b * c * e * 2 * (b + c + e)) / (5 * gain);
}

static void shell_of_ellipsoid(const double s[3], double *area, sym3 *inertia)
{
  const double p = 1.6075, a = s[0], b = s[1], c = s[2]; // Thomsen's formula, within 1.1 %; a sphere's is exact
  *area = 4 * pi * pow((pow(a * b, p) + pow(b * c, p) + pow(c * a, p)) / 3, 1 / p);
  *inertia = diagonal(moment_of_skin(a, b, c), moment_of_skin(b, c, a), moment_of_skin(c, a, b));
}

bool srs_shell_of_shape(srs_shape_kind kind, const double size[3], double *area, sym3 *inertia)
{
  const double r = size[0], h = size[1], side = 2 * pi * r * h;
  switch (kind) {
  case SRS_SHAPE_SPHERE:
    *area = 4 * pi * r * r;
    *inertia = diagonal(2 * r * r / 3, 2 * r * r / 3, 2 * r * r / 3);
    return true;
  case SRS_SHAPE_BOX: shell_of_box(size, area, inertia); return true;
  case SRS_SHAPE_ELLIPSOID: shell_of_ellipsoid(size, area, inertia); return true;
  case SRS_SHAPE_CYLINDER: {
    const double discs = 2 * pi * r * r, p = discs / (side + discs), s = 1 - p;
    const double x = s * (r * r / 2 + h * h / 12) + p * (r * r / 4 + h * h / 4);
    *area = side + discs;
    *inertia = diagonal(x, x, s * r * r + p * r * r / 2);
    return true;
  }
  case SRS_SHAPE_CAPSULE: {
    const double balls = 4 * pi * r * r, p = balls / (side + balls), s = 1 - p;
    const double x = s * (r * r / 2 + h * h / 12) + p * (2 * r * r / 3 + h * h / 4 + h * r / 2);
    *area = side + balls;
    *inertia = diagonal(x, x, s * r * r + p * 2 * r * r / 3);
    return true;
  }
  default: return false;
  }
}
