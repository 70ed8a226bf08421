// Implicit surfaces: the function, its gradient and its second derivatives for each kind of convex surface.
//
// Quadrics are written out. A superellipsoid is the unit ball of a norm N of the scaled point u_i = x_i / a_i,
//
//   N = (R^q + |u_3|^q)^(1/q),   R = (|u_1|^p + |u_2|^p)^(1/p),   f = m (N^2 - 1) / 2,
//
// so that f grows like a quadric, whatever the exponents: grad f = m N grad N, and its Hessian is m (grad N grad N^T +
// N Hess N). For a norm n = (|s|^k + |t|^k)^(1/k) of two numbers, with s and t over n as c and d,
//
//   n_s = sign(s) c^(k-1),   n n_ss = (k-1) c^(k-2) d^k,   n n_st = -(k-1) sign(s t) c^(k-1) d^(k-1),
//
// which has no 0/0 where k >= 2 and n > 0. N is this norm of R and u_3, R of u_1 and u_2. Where R = 0 its direction is
// taken along u_1; the terms with it vanish there, but for q = 2 < p, where the Hessian jumps. At the centre only p = q
// = 2 has a Hessian; that one is given.
#include "collision/surfaces/implicit_surface.h"

#include "topology/base/errors.h"

// ---------------------------------------------------------------------------------------------------------------------
// Superellipsoids

// The k-norm n of two numbers, its slopes, and n times its second derivatives.
typedef struct norm2 {
  double n, s, t, ss, st, tt;
} norm2;

static norm2 norm_of(double s, double t, double k)
{
  const double big = fmax(fabs(s), fabs(t));
  if (!(big > 0)) return (norm2){0, 1, 0, 0, 0, k == 2 ? 1 : 0};
  const double small = fmin(fabs(s), fabs(t)) / big, part = pow(1 + pow(small, k), 1 / k), n = big * part;
  const double c = fabs(s) / n, d = fabs(t) / n;
  const double ck = pow(c, k - 2), dk = pow(d, k - 2), slope_s = copysign(ck * c, s), slope_t = copysign(dk * d, t);
  return (norm2){
      n, slope_s, slope_t, (k - 1) * ck * dk * d * d, -(k - 1) * slope_s * slope_t, (k - 1) * dk * ck * c * c};
}

static double mean_size(const double size[3]) { return cbrt(size[0] * size[1] * size[2]); }

static vec3 over_size(vec3 x, const double size[3]) { return (vec3){x.x / size[0], x.y / size[1], x.z / size[2]}; }

static double superellipsoid_value(const srs_surface *s, vec3 x)
{
  const vec3 u = over_size(x, s->size);
  const double n = norm_of(norm_of(u.x, u.y, s->exponent[0]).n, u.z, s->exponent[1]).n;
  return 0.5 * mean_size(s->size) * (n - 1) * (n + 1);
}

static srs_surface_point superellipsoid(const srs_surface *s, vec3 x)
{
  const double m = mean_size(s->size), *a = s->size;
  const vec3 u = over_size(x, a);
  const norm2 flat = norm_of(u.x, u.y, s->exponent[0]), whole = norm_of(flat.n, u.z, s->exponent[1]);
  if (!(whole.n > 0))
    return (srs_surface_point){-0.5 * m, vec3_zero, {m / (a[0] * a[0]), m / (a[1] * a[1]), m / (a[2] * a[2]), 0, 0, 0}};
  // N Hess N = whole.ss grad R grad R^T + whole.s (N / R) (R Hess R) + the mixed terms; whole.s N / R = (R / N)^(q-2).
  const double bend = pow(flat.n / whole.n, s->exponent[1] - 2);
  const vec3 slope = {whole.s * flat.s, whole.s * flat.t, whole.t};
  const double xx = whole.ss * flat.s * flat.s + bend * flat.ss + slope.x * slope.x;
  const double yy = whole.ss * flat.t * flat.t + bend * flat.tt + slope.y * slope.y;
  const double xy = whole.ss * flat.s * flat.t + bend * flat.st + slope.x * slope.y;
  const double xz = whole.st * flat.s + slope.x * slope.z, yz = whole.st * flat.t + slope.y * slope.z;
  const double zz = whole.tt + slope.z * slope.z;
  return (srs_surface_point){0.5 * m * (whole.n - 1) * (whole.n + 1),
                             scale3(m * whole.n, over_size(slope, a)),
                             {m * xx / (a[0] * a[0]), m * yy / (a[1] * a[1]), m * zz / (a[2] * a[2]),
                              m * xy / (a[0] * a[1]), m * xz / (a[0] * a[2]), m * yz / (a[1] * a[2])}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Quadrics, and the caller's

static srs_surface_point ellipsoid(const double a[3], vec3 x)
{
  const double m = mean_size(a);
  const vec3 u = over_size(x, a);
  return (srs_surface_point){0.5 * m * (dot3(u, u) - 1),
                             scale3(m, over_size(u, a)),
                             {m / (a[0] * a[0]), m / (a[1] * a[1]), m / (a[2] * a[2]), 0, 0, 0}};
}

static srs_surface_point from_function(const srs_surface *s, vec3 x)
{
  double value, gradient[3], h[9];
  const double at[3] = {x.x, x.y, x.z};
  s->function(s->context, at, &value, gradient, h);
  return (srs_surface_point){value, vec3_load(gradient), {h[0], h[4], h[8], h[1], h[2], h[5]}};
}

srs_surface_point srs_surface_at(const srs_surface *s, vec3 x)
{
  const double r = s->size[0], bend = 1 / r;
  switch (s->kind) {
  case SRS_SURFACE_SPHERE:
    return (srs_surface_point){0.5 * (bend * dot3(x, x) - r), scale3(bend, x), {bend, bend, bend, 0, 0, 0}};
  case SRS_SURFACE_CYLINDER:
    return (srs_surface_point){
        0.5 * (bend * (x.x * x.x + x.y * x.y) - r), {bend * x.x, bend * x.y, 0}, {bend, bend, 0, 0, 0, 0}};
  case SRS_SURFACE_PARABOLOID: {
    const vec3 g = {x.x / s->size[0], x.y / s->size[1], 1};
    return (srs_surface_point){x.z + 0.5 * (x.x * g.x + x.y * g.y), g, {bend, 1 / s->size[1], 0, 0, 0, 0}};
  }
  case SRS_SURFACE_ELLIPSOID: return ellipsoid(s->size, x);
  case SRS_SURFACE_SUPERELLIPSOID: return superellipsoid(s, x);
  case SRS_SURFACE_FUNCTION: return from_function(s, x);
  default: return (srs_surface_point){x.z, {0, 0, 1}, sym3_zero};
  }
}

double srs_surface_value(const srs_surface *surface, const double point[3])
{
  const vec3 x = vec3_load(point);
  double value;
  switch (surface->kind) {
  case SRS_SURFACE_SUPERELLIPSOID: return superellipsoid_value(surface, x);
  case SRS_SURFACE_FUNCTION: surface->function(surface->context, point, &value, NULL, NULL); return value;
  default: return srs_surface_at(surface, x).value;
  }
}

void srs_surface_evaluate(const srs_surface *surface, const double point[3], double *value, double gradient[3],
                          double hessian[9])
{
  const srs_surface_point at = srs_surface_at(surface, vec3_load(point));
  const sym3 h = at.hessian;
  *value = at.value;
  vec3_store(gradient, at.gradient);
  hessian[0] = h.xx, hessian[4] = h.yy, hessian[8] = h.zz;
  hessian[1] = hessian[3] = h.xy, hessian[2] = hessian[6] = h.xz, hessian[5] = hessian[7] = h.yz;
}

// ---------------------------------------------------------------------------------------------------------------------

srs_surface srs_default_surface(srs_surface_kind kind)
{
  return (srs_surface){.kind = kind, .size = {1, 1, 1}, .exponent = {2, 2}};
}

const int srs_surface_sizes[SRS_SURFACE_KINDS] = {0, 1, 3, 1, 3, 2, 0};

srs_status srs_surface_check(const srs_surface *s, srs_error *error)
{
  if ((int)s->kind < 0 || (int)s->kind >= SRS_SURFACE_KINDS)
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, NULL, "there is no surface of kind %d", (int)s->kind);
  for (int i = 0; i < srs_surface_sizes[s->kind]; i++)
    if (!(s->size[i] > 0 && s->size[i] < INFINITY))
      return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, NULL, "size %d of a surface is %g; give one above zero", i,
                      s->size[i]);
  for (int i = 0; i < 2 && s->kind == SRS_SURFACE_SUPERELLIPSOID; i++)
    if (!(s->exponent[i] >= 2 && s->exponent[i] < INFINITY))
      return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, NULL,
                      "exponent %d of a superellipsoid is %g; give 2 or more: below, its surface has edges", i,
                      s->exponent[i]);
  if (s->kind == SRS_SURFACE_FUNCTION && s->function == NULL)
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, NULL, "a surface by function has none; give one");
  return SRS_OK;
}
