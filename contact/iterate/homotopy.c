// Paths to answers: Lemke's for the exact cone, and from any point.
//
// Other starts descend |r| and may end where it has a minimum that is no answer. Here r is led to zero along a line,
//
//   r(z) = t d
//
// from a z where that holds, t > 0, along a path of solutions (z, t) across the kinks of r, until t = 0 or to infinity.
// It need not be monotone in t: with friction solutions appear and vanish in pairs, and where two meet the path turns
// back. With J = dr/dz its direction is
//
//   dz = u dt    J u = d    sign of dt = -sign det J / sign det J_start
//
// which Lemke's pivots obey too: the determinants' signs on both sides of a kink say whether t goes on or turns. Steps
// go just beyond the next kink or until a contact's slip has turned by 0.3 (srs_mncp_share), and Newton's correction of
// least length, t included, leads back to the path. A step that leaves the path too far is made shorter.
//
// Lemke's path pulls contacts apart, w = W x + b + t d with d > 0 in their normals: for large t none presses, z = b + t
// d. Any other point is on a path too, with d = r(z), t = 1. A path may go to infinity; of many, one usually leads to
// an answer.
//
// W + rho I instead of W keeps J regular where contacts are dependent: in W's null space the path then moves at nearly
// constant t, as Lemke's does. A path to infinity ends at impulses of about |b| / rho.
#include "contact/iterate/homotopy.h"
#include "contact/algebra/dense.h"
#include "contact/algebra/random.h"
#include "contact/iterate/mncp.h"

#include <string.h>

static const double off_path = 3e-2, least_t = 1e-2;  // |r - t d| that is too much, over |d| times t or least_t
static const double most_t = 10, most_step = 10;      // over t at the start; over the length of (z, t)
static const double shorter = 0.25, shortest = 1e-3;  // a step, after it left the path; over its first length
static const double usual_softness = 1e-6, far = 0.1; // rho; rho |z| at which a path goes to infinity

typedef struct path {
  const srs_homotopy *h;
  int n;
  double *z, t;       // here
  double *from, *way; // n each: the last point on the path and the step from there
  double from_t, way_t;
  double scale;    // |d|
  double softness; // rho
  int sign;        // of det J at the start; 0: not known yet
} path;

SRS_CONTACT_KERNEL
static double dot(int n, const double *a, const double *b) { return srs_dot(n, a, b); }

// Where every contact is about to be free.
static void begin_apart(path *p)
{
  const srs_cone_problem *cone = p->h->cone;
  uint64_t *state = p->h->state;
  const double spread = 1.5 + 1.5 * srs_random(state), sideways = exp(1.5 * srs_random(state));
  const int scalars = srs_cone_scalars(cone);
  double *d = p->h->covering;
  for (int i = 0; i < p->n; i++) d[i] = i < scalars ? sideways * srs_random(state) : 0;
  p->t = 0;
  for (int k = 0; k < cone->n_contacts + p->n - scalars; k++) {
    const int i = k < cone->n_contacts ? srs_cone_first(cone, k) : scalars + k - cone->n_contacts;
    d[i] = exp(spread * srs_random(state));
    p->t = fmax(p->t, -cone->b[i] / d[i]);
  }
  p->t = 1.01 * p->t + 0.01;
  for (int i = 0; i < p->n; i++) p->z[i] = cone->b[i] + p->t * d[i];
}

// r - t d into lm->r.
static double distance(const path *p)
{
  const srs_lm_memory *m = p->h->lm;
  srs_mncp_residual(p->h->cone, p->z, m->x, m->r);
  for (int i = 0; i < p->n; i++) m->r[i] -= p->t * p->h->covering[i];
  return sqrt(dot(p->n, m->r, m->r));
}

static void go(path *p, double part)
{
  for (int i = 0; i < p->n; i++) p->z[i] = p->from[i] + part * p->way[i];
  p->t = part == 1 && p->way_t == -p->from_t ? 0 : p->from_t + part * p->way_t;
}

// The sign of det J, whose LU it is; 0: singular.
static int factor(const path *p)
{
  const srs_lm_memory *m = p->h->lm;
  const int stride = p->h->cone->stride;
  int sign = 1;
  srs_mncp_jacobian(p->h->cone, p->z, m->factor);
  if (!(srs_dense_lu(p->n, m->factor, stride, m->pivot) > 0)) return 0;
  for (int i = 0; i < p->n; i++) {
    if (m->pivot[i] != i) sign = -sign;
    if (m->factor[(size_t)i * (size_t)(stride + 1)] < 0) sign = -sign;
  }
  return sign;
}

// Back to the path, and the next step along it. False where the direction is not defined.
static bool advance(path *p)
{
  const srs_lm_memory *m = p->h->lm;
  const int n = p->n, stride = p->h->cone->stride, sign = factor(p);
  if (sign == 0) return false;
  double *u = m->step, *q = m->trial;
  memcpy(u, p->h->covering, sizeof *u * (size_t)n);
  srs_dense_lu_solve(n, m->factor, stride, m->pivot, u);
  memcpy(q, m->r, sizeof *q * (size_t)n);
  srs_dense_lu_solve(n, m->factor, stride, m->pivot, q);
  if (p->sign == 0) p->sign = sign;
  const double square = 1 + dot(n, u, u), correction = dot(n, u, q) / square;
  for (int i = 0; i < n; i++) p->z[i] += correction * u[i] - q[i];
  p->t += correction;
  const double rate = (sign == p->sign ? -1 : 1) / sqrt(square); // dt over the length of (dz, dt)
  double length = most_step * (1 + sqrt(dot(n, p->z, p->z)) + p->t);
  const bool reaches_end = rate < 0 && p->t < -rate * length;
  if (reaches_end) length = -p->t / rate;
  for (int i = 0; i < n; i++) q[i] = -length * rate * u[i];
  const double part = srs_mncp_share(p->h->cone, p->z, q);
  for (int i = 0; i < n; i++) p->way[i] = -part * q[i];
  p->way_t = part >= 1 && reaches_end ? -p->t : part * length * rate;
  memcpy(p->from, p->z, sizeof *p->z * (size_t)n);
  p->from_t = p->t;
  go(p, 1);
  return true;
}

static bool follow(path *p, int *formed)
{
  const double t_most = most_t * p->t, z_most = far / p->softness;
  double part = 1;
  while (*formed < p->h->most) {
    const double away = distance(p), size = sqrt(dot(p->n, p->z, p->z));
    if (!(away <= off_path * p->scale * (least_t + p->t) + 1e-14 * size) && part > shortest && *formed > 0) {
      part *= shorter;
      go(p, part);
      continue;
    }
    if (p->t <= 0) return true;
    if (!(p->t <= t_most && size <= z_most)) return false;
    ++*formed;
    if (!srs_lm_spend(p->h->lm, srs_lm_cost(p->h->lm, p->n)) || !advance(p)) return false;
    part = 1;
  }
  return false;
}

static bool run(path *p, int *formed)
{
  const srs_cone_problem *cone = p->h->cone;
  for (int i = 0; i < p->n; i++) {
    p->h->diagonal[i] = *srs_cone_diagonal(cone, i);
    *srs_cone_diagonal(cone, i) = p->h->diagonal[i] + p->softness;
  }
  *formed = 0;
  const bool is_found = follow(p, formed);
  for (int i = 0; i < p->n; i++) *srs_cone_diagonal(cone, i) = p->h->diagonal[i];
  return is_found;
}

bool srs_homotopy_apart(const srs_homotopy *h, double *z, int *formed)
{
  path p = {.h = h, .n = h->cone->n, .z = z, .from = h->lm->best, .way = h->lm->gradient};
  p.scale = 1, p.softness = usual_softness;
  begin_apart(&p);
  return run(&p, formed);
}

bool srs_homotopy_near(const srs_homotopy *h, double size, double *z, int *formed)
{
  path p = {.h = h, .n = h->cone->n, .z = z, .from = h->lm->best, .way = h->lm->gradient, .t = 1};
  for (int i = 0; i < p.n; i++)
    for (int k = 0; k < 3; k++) z[i] += size * srs_random(h->state);
  srs_mncp_residual(h->cone, z, h->lm->x, h->covering);
  p.scale = sqrt(dot(p.n, h->covering, h->covering));
  p.softness = fmin(usual_softness, 1e-3 * p.scale);
  return run(&p, formed);
}
