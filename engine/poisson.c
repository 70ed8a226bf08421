// What does the second phase of an impact ask, by Poisson's law?
//
// Anitescu & Potra 1997: the first phase, solved with e = 0, leaves velocities u and impulses c. In the second each
// contact that bounces gives back the normal impulse g = e c_n at least, and friction is solved again:
//
//   u+ = W y + u      0 <= y_n - g _|_ u+_n >= 0      |y_t| <= mu y_n, against the slip u+_t
//
// Bilateral rows are solved again too, so they hold exactly at the end; a box row may add what its bounds leave. The
// cone's bound includes g: what is given is a contact of its own beside the one that may push more. Its normal row is
// coupled to nothing, u'_n = W_nn (y'_n - g), so that y'_n = g, with W_:n g put into the other rows' b; both have the
// same tangents, and impulses along the same slip add to one in the cone of their sum. Mostly nothing pushes more, so
// that is tried first, with the given ones alone.
//
// No energy is made: y is the answer of a variational inequality, so the second phase's energy y.(u + u+)/2 is at most
// that of any z with z_n >= g, |z_t| <= mu g. Such is z = (E c_n, e c_t), E the largest e, and E c of other rows within
// their bounds. For E = e that is never more than the first phase took; where restitutions differ and friction makes
// it more (or a box row has nothing left to give), all that is given is lowered by one factor s, s z.(W s z/2 + u)
// being what the first phase took.
#include "engine/poisson.h"

#include <math.h>
#include <string.h>

size_t srs_poisson_doubles(int n_rows, int n_contacts)
{
  const size_t n = (size_t)n_rows, contacts = (size_t)n_contacts, most = n + 3 * contacts;
  return most * most + 3 * most + 2 * contacts + contacts + 2 * n;
}

size_t srs_poisson_ints(int n_rows, int n_contacts) { return (size_t)n_rows + 3 * (size_t)n_contacts; }

static double dot(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static double clamp(double x, double lower, double upper) { return x < lower ? lower : x > upper ? upper : x; }

// z, what may be compared with.
static void comparison(const srs_contact_problem *p, const double *impulse, const double *e, double *z)
{
  const int n = srs_contact_problem_rows(p), first = p->n_bilateral, boxes = n - p->n_box;
  double most = 0;
  for (int c = 0; c < p->n_contacts; c++) most = fmax(most, e[c]);
  for (int i = 0; i < n; i++) z[i] = most * impulse[i];
  for (int c = 0; c < p->n_contacts; c++)
    for (int k = 1; k < 3; k++) z[first + 3 * c + k] = e[c] * impulse[first + 3 * c + k];
  for (int k = 0; k < p->n_box; k++)
    z[boxes + k] = clamp(z[boxes + k], p->box_lower[k] - impulse[boxes + k], p->box_upper[k] - impulse[boxes + k]);
}

// s, at most 1.
static double lowered(const srs_contact_problem *p, const double *impulse, const double *velocity, const double *z)
{
  const int n = srs_contact_problem_rows(p);
  double square = 0, taken = 0; // z . W z, and what the first phase took
  for (int i = 0; i < n; i++) square += z[i] * dot(p->W + (size_t)i * (size_t)n, z, n);
  for (int i = 0; i < n; i++) taken -= 0.5 * impulse[i] * (velocity[i] + p->b[i]);
  const double along = dot(z, velocity, n);
  if (0.5 * square + along <= taken || !(square > 0)) return 1;
  return taken > 0 ? fmin(1, (sqrt(along * along + 2 * square * taken) - along) / square) : 0;
}

bool srs_poisson_begin(const srs_contact_problem *first, const double *impulse, const double *velocity,
                       const double *restitution, double *doubles, int *ints, srs_poisson *out)
{
  const int n = srs_contact_problem_rows(first);
  const size_t contacts = (size_t)first->n_contacts, most = (size_t)n + 3 * contacts;
  double *at = doubles;
  *out = (srs_poisson){.source = ints};
  out->W = at, at += most * most;
  out->b = at, at += most;
  out->impulse = at, at += most;
  out->velocity = at, at += most;
  out->friction = at, at += 2 * contacts;
  out->given = at, at += contacts;
  out->lower = at, at += n;
  out->upper = at;
  comparison(first, impulse, restitution, out->impulse);
  const double s = lowered(first, impulse, velocity, out->impulse);
  bool any = false;
  for (int c = 0; c < first->n_contacts; c++) {
    out->given[c] = s * restitution[c] * fmax(impulse[first->n_bilateral + 3 * c], 0);
    any = any || out->given[c] > 0;
  }
  return any;
}

// Rows of the problem that stand for given normal impulses have their source's complement, -1 - source.
static int add_rows(srs_poisson *p, int n, int from, int count, bool is_given)
{
  for (int k = 0; k < count; k++) p->source[n + k] = is_given && k == 0 ? -1 - from : from + k;
  return n + count;
}

static int rows_of(const srs_contact_problem *first, bool may_push, srs_poisson *p)
{
  const int contacts = first->n_bilateral, scalars = contacts + 3 * first->n_contacts;
  int n = add_rows(p, 0, 0, contacts, false);
  p->problem = *first;
  p->problem.n_contacts = 0;
  for (int c = 0; c < first->n_contacts; c++)
    for (int copy = 0; copy < 2; copy++) {
      const bool is_given = copy == 1;
      if (is_given ? !(p->given[c] > 0) : p->given[c] > 0 && !may_push) continue;
      n = add_rows(p, n, contacts + 3 * c, 3, is_given);
      p->friction[p->problem.n_contacts++] = first->friction[c];
    }
  return add_rows(p, n, scalars, first->n_unilateral + first->n_box, false);
}

void srs_poisson_make(const srs_contact_problem *first, const double *impulse, const double *velocity, bool may_push,
                      srs_poisson *p)
{
  const int n = rows_of(first, may_push, p), boxes = srs_contact_problem_rows(first) - first->n_box;
  const size_t from_stride = (size_t)srs_contact_problem_rows(first);
  for (int i = 0; i < n; i++) {
    const int row = p->source[i];
    const double *from = first->W + (size_t)(row < 0 ? -1 - row : row) * from_stride;
    double *to = p->W + (size_t)i * (size_t)n;
    memset(to, 0, sizeof *to * (size_t)n);
    if (row < 0) {
      to[i] = from[-1 - row];
      p->b[i] = -to[i] * p->given[(-1 - row - first->n_bilateral) / 3];
      continue;
    }
    p->b[i] = velocity[row];
    for (int j = 0; j < n; j++)
      if (p->source[j] >= 0)
        to[j] = from[p->source[j]];
      else
        p->b[i] += from[-1 - p->source[j]] * p->given[(-1 - p->source[j] - first->n_bilateral) / 3];
  }
  for (int k = 0; k < first->n_box; k++) {
    p->lower[k] = fmin(0, first->box_lower[k] - impulse[boxes + k]);
    p->upper[k] = fmax(0, first->box_upper[k] - impulse[boxes + k]);
  }
  p->problem.W = p->W, p->problem.b = p->b, p->problem.friction = p->friction;
  p->problem.box_lower = p->lower, p->problem.box_upper = p->upper;
}

void srs_poisson_add(const srs_contact_problem *first, const srs_poisson *p, double *impulse)
{
  const int n = srs_contact_problem_rows(&p->problem);
  for (int i = 0; i < n; i++)
    if (p->source[i] >= 0)
      impulse[p->source[i]] += p->impulse[i];
    else
      impulse[-1 - p->source[i]] += p->given[(-1 - p->source[i] - first->n_bilateral) / 3];
}

bool srs_poisson_is_pressed(const srs_contact_problem *first, const srs_poisson *p, const double *impulse)
{
  const int n = srs_contact_problem_rows(first);
  double scale = 0, lowest = 0;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(first->b[i]));
  for (int c = 0; c < first->n_contacts; c++) {
    const int row = first->n_bilateral + 3 * c;
    if (p->given[c] > 0) lowest = fmin(lowest, dot(first->W + (size_t)row * (size_t)n, impulse, n) + first->b[row]);
  }
  return lowest < -1e-11 * scale;
}
