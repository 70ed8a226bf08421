// The second phase of an impact by Poisson's law of restitution.
//
// Anitescu & Potra 1997: the first phase, solved with e = 0, gives velocities u and impulses c. In the second phase
// each contact that bounces receives at least the normal impulse g = e c_n, and friction is solved again:
//
//   u+ = W y + u      0 <= y_n - g _|_ u+_n >= 0      |y_t| <= mu y_n, against the slip u+_t
//
// Bilateral rows are solved again too, so they hold exactly at the end; a box row may add what its bounds leave. The
// cone's bound includes g: the given impulse is a contact of its own beside the one that may push more. Its normal row
// is decoupled, u'_n = W_nn (y'_n - g), so that y'_n = g, with W_:n g added to the other rows' b. Both contacts have
// the same tangents, and impulses along the same slip add up to one in the cone of their sum. Usually nothing pushes
// more, so the given impulses alone are tried first.
//
// The phase adds no energy: y solves a variational inequality, so the second phase's energy y.(u + u+)/2 is at most
// that of any z with z_n >= g, |z_t| <= mu g. Such is z = (E c_n, e c_t), E the largest e, and E c of other rows within
// their bounds. For E = e that is never more than the first phase took. Where restitutions differ and friction makes it
// more (or a box row is at its bound), all given impulses are scaled down by one factor s, s z.(W s z/2 + u) being what
// the first phase took.
#include "engine/islands/poisson.h"

#include <math.h>
#include <string.h>

static int tangents_of(const srs_contact_problem *p, int contact)
{
  return p->tangents == NULL ? 2 : p->tangents[contact];
}

static double dot(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static double clamp(double x, double lower, double upper) { return x < lower ? lower : x > upper ? upper : x; }

// Finds z, the admissible impulses of the energy bound.
static void admissible_impulses(const srs_contact_problem *p, const double *impulse, const double *e, double *z)
{
  const int n = srs_contact_problem_rows(p), first = p->n_bilateral, boxes = n - p->n_box;
  double most = 0;
  for (int c = 0; c < p->n_contacts; c++) most = fmax(most, e[c]);
  for (int i = 0; i < n; i++) z[i] = most * impulse[i];
  for (int c = 0, i = first; c < p->n_contacts; i += 1 + tangents_of(p, c++))
    for (int k = 1; k <= tangents_of(p, c); k++) z[i + k] = e[c] * impulse[i + k];
  for (int k = 0; k < p->n_box; k++)
    z[boxes + k] = clamp(z[boxes + k], p->box_lower[k] - impulse[boxes + k], p->box_upper[k] - impulse[boxes + k]);
}

// Finds s <= 1.
static double energy_factor(const srs_contact_problem *p, const double *impulse, const double *velocity,
                            const double *z)
{
  const int n = srs_contact_problem_rows(p);
  double square = 0, taken = 0; // z . W z, and the energy that the first phase took
  for (int i = 0; i < n; i++) square += z[i] * dot(p->W + (size_t)i * (size_t)n, z, n);
  for (int i = 0; i < n; i++) taken -= 0.5 * impulse[i] * (velocity[i] + p->b[i]);
  const double along = dot(z, velocity, n);
  if (0.5 * square + along <= taken || !(square > 0)) return 1;
  return taken > 0 ? fmin(1, (sqrt(along * along + 2 * square * taken) - along) / square) : 0;
}

static double largest_velocity(const srs_contact_problem *p)
{
  const int n = srs_contact_problem_rows(p);
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(p->b[i]));
  return largest;
}

bool srs_poisson_begin(const srs_contact_problem *first, const double *impulse, const double *velocity,
                       const double *restitution, double *doubles, int *ints, srs_poisson *out)
{
  const size_t n = (size_t)srs_contact_problem_rows(first), contacts = (size_t)first->n_contacts, most = 2 * n;
  double *at = doubles;
  *out = (srs_poisson){.source = ints, .tangents = (unsigned char *)(ints + most)};
  out->W = at, at += most * most;
  out->b = at, at += most;
  out->impulse = at, at += most;
  out->velocity = at, at += most;
  out->friction = at, at += 2 * contacts;
  out->anisotropy = at, at += 6 * contacts;
  out->rolling = at, at += 2 * contacts;
  out->given = at, at += n;
  out->lower = at, at += n;
  out->upper = at;
  admissible_impulses(first, impulse, restitution, out->impulse);
  const double s = energy_factor(first, impulse, velocity, out->impulse);
  const double least = 1e-9 * largest_velocity(first); // smaller bounces are rounding
  bool any = false;
  memset(out->given, 0, n * sizeof *out->given);
  for (int c = 0, i = first->n_bilateral; c < first->n_contacts; i += 1 + tangents_of(first, c++)) {
    const double g = s * restitution[c] * impulse[i];
    if (!(first->W[(size_t)i * (n + 1)] * g > least)) continue;
    out->given[i] = g;
    any = true;
  }
  return any;
}

// Adds `count` rows. Rows that stand for given normal impulses have the complement of their source, -1 - source.
static int add_rows(srs_poisson *p, int n, int from, int count, bool is_given)
{
  for (int k = 0; k < count; k++) p->source[n + k] = is_given && k == 0 ? -1 - from : from + k;
  return n + count;
}

static int add_contact(const srs_contact_problem *first, srs_poisson *p, int n, int c, int row, bool is_given)
{
  const int place = p->problem.n_contacts++, d = tangents_of(first, c);
  p->friction[place] = first->friction[c];
  p->tangents[place] = (unsigned char)d;
  if (first->anisotropy != NULL)
    memcpy(p->anisotropy + 3 * (size_t)place, first->anisotropy + 3 * (size_t)c, 3 * sizeof *p->anisotropy);
  if (first->rolling != NULL) p->rolling[place] = first->rolling[c];
  return add_rows(p, n, row, 1 + d, is_given);
}

static int rows_of(const srs_contact_problem *first, bool may_push, srs_poisson *p)
{
  int row = first->n_bilateral, n = add_rows(p, 0, 0, row, false);
  p->problem = *first;
  p->problem.n_contacts = 0;
  for (int c = 0; c < first->n_contacts; row += 1 + tangents_of(first, c++)) {
    const bool is_given = p->given[row] > 0;
    if (!is_given || may_push) n = add_contact(first, p, n, c, row, false);
    if (is_given) n = add_contact(first, p, n, c, row, true);
  }
  p->problem.W = p->W, p->problem.b = p->b, p->problem.friction = p->friction;
  if (first->tangents != NULL) p->problem.tangents = p->tangents;
  if (first->anisotropy != NULL) p->problem.anisotropy = p->anisotropy;
  if (first->rolling != NULL) p->problem.rolling = p->rolling;
  return add_rows(p, n, row, first->n_unilateral + first->n_box, false);
}

void srs_poisson_make(const srs_contact_problem *first, const double *impulse, const double *velocity, bool may_push,
                      srs_poisson *p)
{
  const int n = rows_of(first, may_push, p), boxes = srs_contact_problem_rows(first) - first->n_box;
  const size_t from_stride = (size_t)srs_contact_problem_rows(first);
  for (int i = 0; i < n; i++) {
    const bool is_given = p->source[i] < 0;
    const int row = is_given ? -1 - p->source[i] : p->source[i];
    const double *from = first->W + (size_t)row * from_stride;
    double *to = p->W + (size_t)i * (size_t)n;
    memset(to, 0, sizeof *to * (size_t)n);
    if (is_given) to[i] = from[row];
    p->b[i] = is_given ? -to[i] * p->given[row] : velocity[row];
    for (int j = 0; j < n && !is_given; j++)
      if (p->source[j] >= 0)
        to[j] = from[p->source[j]];
      else
        p->b[i] += from[-1 - p->source[j]] * p->given[-1 - p->source[j]];
  }
  for (int k = 0; k < first->n_box; k++) {
    p->lower[k] = fmin(0, first->box_lower[k] - impulse[boxes + k]);
    p->upper[k] = fmax(0, first->box_upper[k] - impulse[boxes + k]);
  }
  p->problem.box_lower = p->lower, p->problem.box_upper = p->upper;
}

void srs_poisson_add(const srs_poisson *p, double *impulse)
{
  const int n = srs_contact_problem_rows(&p->problem);
  for (int i = 0; i < n; i++)
    if (p->source[i] >= 0)
      impulse[p->source[i]] += p->impulse[i];
    else
      impulse[-1 - p->source[i]] += p->given[-1 - p->source[i]];
}

bool srs_poisson_is_pressed(const srs_contact_problem *first, const srs_poisson *p, const double *impulse)
{
  const int n = srs_contact_problem_rows(first);
  double lowest = 0;
  for (int i = 0; i < n; i++)
    if (p->given[i] > 0) lowest = fmin(lowest, dot(first->W + (size_t)i * (size_t)n, impulse, n) + first->b[i]);
  return lowest < -1e-11 * largest_velocity(first);
}
