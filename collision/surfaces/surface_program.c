// Interior-point method for two convex programs: the level at which two bodies touch, and their distance.
//
// Both are convex programs in z: min o(z) over c_k(z) = f_k(point) - level <= 0,
//
//   level:     z = (x, t), o = t, both bodies' point is x, the level t;
//   distance:  z = (x, y), o = |x + shift - y|^2 / 2, the level 0.
//
// From z with all s_k = -c_k > 0, and weights w_k > 0, Newton's method on
//
//   grad o + sum w_k grad c_k = 0,   w_k s_k = mu
//
// is damped so that s and w stay above zero and the residual falls. mu decreases with the gap w . s (Boyd and
// Vandenberghe, Convex Optimization, 11.7), but not faster than the dual residual, and no product w s falls far behind
// the others: a point close to a border far from the end would creep along it. Both programs start strictly inside, so
// that there is no first phase. Results are good to some 1e-8; surface_closest.c makes them exact.
#include "collision/surfaces/surface_program.h"

enum { MOST_ROUNDS = 120, MOST_CUTS = 40 };

typedef struct program {
  const srs_placed_surfaces *placed;
  bool is_level;
  int n; // unknowns
  vec3 shift;
  double part; // of the distance program: o is this times |r|^2 / 2
} program;

typedef struct program_state {
  double z[SRS_PROGRAM_UNKNOWNS], dual[SRS_PROGRAM_UNKNOWNS]; // unknowns, and grad o + sum w_k grad c_k
  double weight[SRS_PROGRAM_SURFACES], below[SRS_PROGRAM_SURFACES];
  srs_surface_point at[SRS_PROGRAM_SURFACES];
} program_state;

srs_surface_point srs_placed_surface_at(const srs_placed_surfaces *placed, int k, vec3 point)
{
  const vec3 local = scale3(placed->scale, rotate_back(placed->axes[k], sub3(point, placed->origin[k])));
  srs_surface_point at = srs_surface_at(placed->surface[k], local);
  at.value /= placed->scale;
  at.gradient = rotate(placed->axes[k], at.gradient);
  at.hessian = sym3_rotate(placed->axes[k], at.hessian);
  const double s = placed->scale;
  sym3 *h = &at.hessian;
  *h = (sym3){s * h->xx, s * h->yy, s * h->zz, s * h->xy, s * h->xz, s * h->yz};
  return at;
}

// Where surface k's point is among the unknowns.
static int block_of(const program *p, int k) { return p->is_level || k < p->placed->n_a ? 0 : 3; }

// All that depends on z; false where a constraint does not hold strictly.
static bool evaluate(const program *p, program_state *s)
{
  const double level = p->is_level ? s->z[3] : 0;
  for (int k = 0; k < p->placed->n; k++) {
    s->at[k] = srs_placed_surface_at(p->placed, k, vec3_load(s->z + block_of(p, k)));
    s->below[k] = level - s->at[k].value;
    if (!(s->below[k] > 0)) return false;
  }
  return true;
}

static void slope_of(const program *p, const program_state *s, int k, double slope[SRS_PROGRAM_UNKNOWNS])
{
  for (int i = 0; i < p->n; i++) slope[i] = 0;
  vec3_store(slope + block_of(p, k), s->at[k].gradient);
  if (p->is_level) slope[3] = -1;
}

// sum w_k grad c_k + grad o, the weights being those given.
static void dual_of(const program *p, const program_state *s, const double *weight, double *dual)
{
  const vec3 r = scale3(p->part, add3(p->shift, sub3(vec3_load(s->z), vec3_load(s->z + 3))));
  for (int i = 0; i < p->n; i++) dual[i] = 0;
  if (p->is_level)
    dual[3] = 1;
  else
    vec3_store(dual, r), vec3_store(dual + 3, scale3(-1, r));
  for (int k = 0; k < p->placed->n; k++) {
    double *d = dual + block_of(p, k);
    vec3_store(d, add_scaled3(vec3_load(d), weight[k], s->at[k].gradient));
    if (p->is_level) dual[3] -= weight[k];
  }
}

static double residual_of(const program *p, const program_state *s, double mu)
{
  double sum = 0;
  for (int i = 0; i < p->n; i++) sum += s->dual[i] * s->dual[i];
  for (int k = 0; k < p->placed->n; k++) {
    const double r = s->weight[k] * s->below[k] - mu;
    sum += r * r;
  }
  return sqrt(sum);
}

// ---------------------------------------------------------------------------------------------------------------------
// One step

typedef double unknowns_matrix[SRS_PROGRAM_UNKNOWNS][SRS_PROGRAM_UNKNOWNS];

static void add_hessian(double *row_x, double *row_y, double *row_z, double w, const sym3 *h)
{
  row_x[0] += w * h->xx, row_x[1] += w * h->xy, row_x[2] += w * h->xz;
  row_y[0] += w * h->xy, row_y[1] += w * h->yy, row_y[2] += w * h->yz;
  row_z[0] += w * h->xz, row_z[1] += w * h->yz, row_z[2] += w * h->zz;
}

static void system_of(const program *p, const program_state *s, unknowns_matrix a)
{
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++) a[i][j] = !p->is_level && i % 3 == j % 3 ? (i == j ? p->part : -p->part) : 0;
  for (int k = 0; k < p->placed->n; k++) {
    const int b = block_of(p, k);
    double slope[SRS_PROGRAM_UNKNOWNS];
    slope_of(p, s, k, slope);
    add_hessian(&a[b][b], &a[b + 1][b], &a[b + 2][b], s->weight[k], &s->at[k].hessian);
    const double w = s->weight[k] / s->below[k];
    for (int i = 0; i < p->n; i++)
      for (int j = 0; j < p->n; j++) a[i][j] += w * slope[i] * slope[j];
  }
}

// Cholesky's factors in place of a; a little is added where a direction has no curvature.
static void solve(int n, unknowns_matrix a, double x[SRS_PROGRAM_UNKNOWNS])
{
  double trace = 0;
  for (int i = 0; i < n; i++) trace += a[i][i];
  const double tiny = 1e-15 * trace + 1e-300;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = a[i][j];
      for (int k = 0; k < j; k++) sum -= a[i][k] * a[j][k];
      if (j < i)
        a[i][j] = sum / a[j][j];
      else
        a[i][i] = sqrt(fmax(sum, 0) + tiny);
    }
    for (int k = 0; k < i; k++) x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
  }
}

// Newton's step in z and in the weights.
static void step_of(const program *p, const program_state *s, double mu, double step[SRS_PROGRAM_UNKNOWNS],
                    double step_weight[SRS_PROGRAM_SURFACES])
{
  unknowns_matrix a;
  double pull[SRS_PROGRAM_SURFACES] = {0};
  for (int k = 0; k < p->placed->n; k++) pull[k] = mu / s->below[k];
  system_of(p, s, a);
  dual_of(p, s, pull, step);
  for (int i = 0; i < p->n; i++) step[i] = -step[i];
  solve(p->n, a, step);
  for (int k = 0; k < p->placed->n; k++) {
    double slope[SRS_PROGRAM_UNKNOWNS], along = 0;
    slope_of(p, s, k, slope);
    for (int i = 0; i < p->n; i++) along += slope[i] * step[i];
    step_weight[k] = pull[k] - s->weight[k] + s->weight[k] / s->below[k] * along;
  }
}

// No product of weight and distance from its border is far below the others.
static bool is_central(const program *p, const program_state *s, double mu)
{
  for (int k = 0; k < p->placed->n; k++)
    if (!(s->weight[k] * s->below[k] >= 0.01 * mu)) return false;
  return true;
}

// As far along the step as stays inside and lowers the residual: the part of it, 0 where nothing does.
static double move(const program *p, program_state *s, double mu)
{
  double step[SRS_PROGRAM_UNKNOWNS], step_weight[SRS_PROGRAM_SURFACES], part = 1;
  step_of(p, s, mu, step, step_weight);
  for (int k = 0; k < p->placed->n; k++)
    if (step_weight[k] < 0) part = fmin(part, -0.99 * s->weight[k] / step_weight[k]);
  double far = 0, longest = 0; // where nothing bends, steps have no end
  for (int i = 0; i < p->n; i++) far = fmax(far, fabs(s->z[i])), longest = fmax(longest, fabs(step[i]));
  if (part * longest > 2 * (1 + far)) part = 2 * (1 + far) / longest;
  const double before = residual_of(p, s, mu);
  program_state next;
  for (int cut = 0; cut < MOST_CUTS; cut++) {
    if (cut > 0) part *= 0.6;
    for (int i = 0; i < SRS_PROGRAM_UNKNOWNS; i++) next.z[i] = i < p->n ? s->z[i] + part * step[i] : 0;
    for (int k = 0; k < p->placed->n; k++) next.weight[k] = s->weight[k] + part * step_weight[k];
    if (!evaluate(p, &next)) continue;
    dual_of(p, &next, next.weight, next.dual);
    if (!is_central(p, &next, mu) || !(residual_of(p, &next, mu) <= (1 - 0.01 * part) * before)) continue;
    *s = next;
    return part;
  }
  return 0;
}

static double norm_of_dual(const program *p, const program_state *s)
{
  double sum = 0;
  for (int i = 0; i < p->n; i++) sum += s->dual[i] * s->dual[i];
  return sqrt(sum);
}

static double gap_of(const program *p, const program_state *s)
{
  double sum = 0;
  for (int k = 0; k < p->placed->n; k++) sum += s->weight[k] * s->below[k];
  return sum;
}

// The level, or the distance.
static double objective_of(const program *p, const program_state *s)
{
  return p->is_level ? s->z[3] : norm3(add3(p->shift, sub3(vec3_load(s->z), vec3_load(s->z + 3))));
}

static bool solve_program(const program *p, program_state *s, double enough, srs_program_end *end)
{
  const double n = p->placed->n;
  bool is_done = false;
  double centring = 0.5;
  *end = (srs_program_end){.level = INFINITY}; // where the surfaces are not finite at the start
  if (!evaluate(p, s)) return false;
  for (int k = 0; k < p->placed->n; k++) s->weight[k] = 1 / (n * fmax(s->below[k], 1e-2));
  dual_of(p, s, s->weight, s->dual);
  for (int round = 0; round < MOST_ROUNDS && !is_done; round++) {
    const double gap = gap_of(p, s);
    end->iterations++;
    const double part = move(p, s, fmax(centring * gap, 0.1 * norm_of_dual(p, s)) / n);
    if (!(part > 0)) break;
    centring = part > 0.7 ? 0.1 : part > 0.3 ? 0.4 : 0.8;
    is_done = (gap_of(p, s) < 1e-11 && residual_of(p, s, 0) < 1e-9) || objective_of(p, s) < enough;
    if (!(fabs(s->z[0]) + fabs(s->z[1]) + fabs(s->z[2]) < 1e9)) break;
  }
  is_done = is_done || (gap_of(p, s) < 1e-7 && residual_of(p, s, 0) < 1e-5); // as far as rounding lets it
  end->point_a = vec3_load(s->z), end->point_b = p->is_level ? end->point_a : vec3_load(s->z + 3);
  end->level = p->is_level ? s->z[3] : 0;
  for (int k = 0; k < p->placed->n; k++)
    end->weight[k] = s->weight[k] / (p->is_level ? 1 : p->part), end->below[k] = s->below[k];
  return is_done;
}

bool srs_level_program(const srs_placed_surfaces *placed, vec3 start, double enough, srs_program_end *end)
{
  const program p = {placed, true, 4, vec3_zero, 0};
  program_state s;
  double highest = -INFINITY;
  for (int k = 0; k < placed->n; k++) highest = fmax(highest, srs_placed_surface_at(placed, k, start).value);
  for (int i = 0; i < SRS_PROGRAM_UNKNOWNS; i++) s.z[i] = 0;
  vec3_store(s.z, start);
  s.z[3] = highest + fmax(1, 0.1 * fabs(highest));
  return solve_program(&p, &s, enough, end);
}

bool srs_distance_program(const srs_placed_surfaces *placed, vec3 shift, vec3 start_a, vec3 start_b, double enough,
                          srs_program_end *end)
{
  const double far = norm3(add3(shift, sub3(start_a, start_b)));
  const program p = {placed, false, 6, shift, far > 1 ? 1 / far : 1};
  program_state s;
  vec3_store(s.z, start_a), vec3_store(s.z + 3, start_b);
  return solve_program(&p, &s, enough, end);
}
