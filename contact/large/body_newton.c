// Newton's method on the softened problems of planar heaps (contact/planar/planar.c), a step by bodies.
//
//   r(z) = x + z - W x - b - rho (x - c) = 0    x = x(z)
//
// where c are the impulses so far. As long as no contact changes its mode (contact/planar/mode_path.c), x is linear in
// z and a step dz, from z to z - dz, solves the problem. With dx = D dz and y = L^T dx, the change of the bodies'
// velocities (W = L L^T, contact/large/interior_groups.c), it obeys
//
//   L y + rho dx + dz - dx = r
//
//   sticking   dx = dz                  dx = (r - L y) / rho
//   sliding    dx = p dx_n, p = (1, -+mu)   dx_n = (r - L y)_n / rho
//   open       dx = 0                   dz = r - L y
//
// that is dx = H (r - L y), H = 1 / rho, p q^T / rho with q = (1, 0), or 0: one solve by bodies,
//
//   (1 + L^T H L) y = L^T H r
//
// A step changes the modes of many contacts at once, and three to six steps arrive. Where they do not, they come round
// to modes that were there before, or ever more modes change: both are seen early, and rho is then too small.
//
// For smoothed contacts (contact/smooth/smooth_law.h), in space too, H is B.
#include "contact/large/body_newton.h"
#include "contact/iterate/mncp.h"
#include "contact/smooth/smooth_law.h"
#include "topology/base/reserve.h"

#include <stdint.h>
#include <string.h>

enum { MOST = SRS_NODE_MOST, SQUARE = MOST * MOST, MOST_STEPS = 16, MOST_IDLE = 4, SHARE = 7 };

// ---- memory ----

bool srs_body_newton_reserve(srs_body_newton *s, int n_rows, int n_nodes, int n_columns)
{
  if (n_rows <= s->most_rows && n_nodes <= s->most_nodes && n_columns <= s->most_columns) return true;
  srs_body_newton more = {.most_rows = n_rows > s->most_rows ? n_rows : s->most_rows,
                          .most_nodes = n_nodes > s->most_nodes ? n_nodes : s->most_nodes,
                          .most_columns = n_columns > s->most_columns ? n_columns : s->most_columns};
  const size_t rows = (size_t)more.most_rows + 1, nodes = (size_t)more.most_nodes + 1;
  more.doubles = srs_reserve(3 * rows + (size_t)2 * SQUARE * nodes + (size_t)more.most_columns, sizeof *more.doubles);
  more.integers = srs_reserve(nodes + 3 * rows, sizeof *more.integers);
  if (more.doubles == NULL || more.integers == NULL) {
    srs_body_newton_release(&more);
    return false;
  }
  srs_body_newton_release(s);
  *s = more;
  s->r = s->doubles, s->dx = s->r + rows, s->own = s->dx + rows, s->H = s->own + rows;
  s->law = s->H + SQUARE * nodes, s->velocity = s->law + SQUARE * nodes;
  s->row = s->integers, s->kept = s->row + nodes, s->at = s->kept + rows, s->mode = s->at + rows;
  return true;
}

void srs_body_newton_release(srs_body_newton *s)
{
  srs_release(s->doubles);
  srs_release(s->integers);
}

// ---- modes ----

typedef enum mode { OPEN, STICKING, FORWARDS, BACKWARDS } mode; // FORWARDS: z_t > 0, x_t = -mu x_n

// The modes at z; a hash of them.  @return how many have changed
static int find_modes(const srs_body_newton *s, const double *z, uint64_t *hash)
{
  const srs_cone_problem *cone = &s->cone->fallback.cone;
  const int scalars = srs_cone_scalars(cone), boxes = scalars + cone->n_unilateral;
  int changes = 0;
  *hash = 0;
  for (int i = 0, c = 0; i < cone->n; c++) {
    int is = OPEN, rows = 1;
    if (i < scalars) {
      rows = 1 + srs_cone_tangents(cone, c);
      if (z[i] < 0)
        is = rows == 1 || fabs(z[i + 1]) <= -cone->friction[c] * z[i] ? STICKING : z[i + 1] > 0 ? FORWARDS : BACKWARDS;
    } else if (i < boxes) {
      is = z[i] < 0 ? STICKING : OPEN;
    } else {
      is = -z[i] <= cone->lower[i - boxes] || -z[i] >= cone->upper[i - boxes] ? OPEN : STICKING;
    }
    changes += is != s->mode[i];
    s->mode[i] = is;
    *hash = (*hash ^ (uint64_t)is) * 0x9E3779B97F4A7C15u;
    *hash ^= *hash >> 29;
    i += rows;
  }
  return changes;
}

// H by nodes in the problem's order.
static void find_stiffness(const srs_body_newton *s, double rho)
{
  const srs_cone_problem *cone = &s->cone->fallback.cone;
  const srs_contact_problem *p = s->cone->problem;
  const double stiff = 1 / rho;
  memset(s->H, 0, sizeof *s->H * SQUARE * (size_t)p->blocks->n_block_rows);
  for (int node = 0; node < p->blocks->n_block_rows; node++) {
    const int rows = s->row[node + 1] - s->row[node];
    double *H = s->H + SQUARE * (size_t)node;
    if (rows == 0) continue;
    const int i = s->at[s->row[node]], is = s->mode[i];
    if (is == OPEN) continue;
    H[0] = stiff;
    if (rows == 1) continue;
    if (is == STICKING)
      H[MOST + 1] = stiff;
    else
      H[MOST] = (is == FORWARDS ? -1 : 1) * cone->friction[node - p->n_bilateral] * stiff;
  }
}

// ---- steps ----

static void multiply_block(int rows, const double *H, const double *u, double *dx)
{
  for (int i = 0; i < rows; i++) {
    dx[i] = 0;
    for (int k = 0; k < rows; k++) dx[i] += H[i * MOST + k] * u[k];
  }
}

// dx = H u, in the problem's order.
static void multiply(const srs_body_newton *s, const double *u, double *dx)
{
  const int nodes = s->cone->problem->blocks->n_block_rows;
  for (int node = 0; node < nodes; node++) {
    const double *H = s->H + SQUARE * (size_t)node;
    const int i = s->row[node], rows = s->row[node + 1] - i;
    if (rows == 1) dx[i] = H[0] * u[i];
    if (rows == 2) dx[i] = H[0] * u[i], dx[i + 1] = H[MOST] * u[i] + H[MOST + 1] * u[i + 1];
    if (rows > 2) multiply_block(rows, H, u + i, dx + i);
  }
}

// J at the modes.
static bool factor(srs_body_newton *s, double rho)
{
  s->rho = rho;
  find_stiffness(s, rho);
  return srs_groups_factor_general(s->groups, s->H);
}

void srs_body_newton_divide(const srs_body_newton *s, double *r)
{
  const int n = s->cone->pattern.n;
  for (int k = 0; k < n; k++) s->own[k] = r[s->at[k]];
  multiply(s, s->own, s->dx);
  srs_groups_gather(s->groups, s->dx, s->velocity);
  srs_groups_solve_general(s->groups, s->velocity);
  srs_groups_spread(s->groups, s->velocity, s->dx);
  for (int k = 0; k < n; k++) s->own[k] -= s->dx[k];
  multiply(s, s->own, s->dx);
  for (int k = 0; k < n; k++) r[s->at[k]] = s->own[k] + (1 - s->rho) * s->dx[k];
}

// r, and its length.
static double residual(const srs_body_newton *s, double rho, const double *z)
{
  srs_fallback *l = &s->cone->fallback;
  double sum = 0;
  srs_mncp_residual(&l->cone, z, l->w, s->r);
  for (int i = 0; i < l->cone.n; i++) {
    s->r[i] -= rho * (l->w[i] - l->centre[i]);
    sum += s->r[i] * s->r[i];
  }
  return sqrt(sum);
}

static bool factor_modes(void *data, double rho, const double *modes)
{
  srs_body_newton *s = data;
  uint64_t hash;
  (void)find_modes(s, modes, &hash);
  return factor(s, rho);
}

static void divide_by_modes(void *data, double *x) { srs_body_newton_divide(data, x); }

static bool solve(void *data, double rho, double goal, double *z, int *steps)
{
  srs_body_newton *s = data;
  srs_fallback *l = &s->cone->fallback;
  uint64_t met[MOST_STEPS + 1];
  int least = l->cone.n, idle = 0;
  if (!srs_spend(&l->left, 4 * srs_cone_numbers(&l->cone))) return false;
  (void)find_modes(s, z, &met[0]);
  (void)residual(s, rho, z);
  for (int k = 1; k <= MOST_STEPS; k++) {
    if (!srs_spend(&l->left, s->work)) return false;
    if (!factor(s, rho)) return false;
    srs_body_newton_divide(s, s->r);
    for (int i = 0; i < l->cone.n; i++) z[i] -= s->r[i];
    ++*steps;
    const double norm = residual(s, rho, z);
    const int changes = find_modes(s, z, &met[k]);
    if (changes == 0 && norm <= goal) return true;
    if (changes > l->cone.n_contacts / SHARE + 10 || !(norm < 1e6)) return false;
    if (changes < least) least = changes, idle = -1;
    if (++idle >= MOST_IDLE) return false;
    for (int j = 0; j < k && changes > 0; j++)
      if (met[j] == met[k]) return false;
  }
  return false;
}

static void sweep(void *data, int sweeps, double *x)
{
  const srs_body_newton *s = data;
  srs_body_sweep(&s->sweeps, sweeps, x);
}

// ---- smoothed contacts ----

static bool factor_smooth(void *data, double t, const double *y)
{
  const srs_body_newton *s = data;
  const srs_large_cone *cone = s->cone;
  const int nodes = cone->problem->blocks->n_block_rows;
  srs_smooth_blocks(&cone->fallback.cone, t, y, s->law);
  memset(s->H, 0, sizeof *s->H * SQUARE * (size_t)nodes);
  for (int node = 0; node < nodes; node++)
    if (cone->place[node] >= 0)
      memcpy(s->H + SQUARE * (size_t)node, s->law + SQUARE * (size_t)cone->place[node], sizeof *s->H * SQUARE);
  return srs_groups_factor_general(s->groups, s->H);
}

static void divide_smooth(void *data, double t, const double *y, const double *r, double *step)
{
  const srs_body_newton *s = data;
  const srs_cone_problem *cone = &s->cone->fallback.cone;
  srs_smooth_impulses(cone, t, y, 1, r, step);
  for (int k = 0; k < cone->n; k++) s->dx[k] = step[s->at[k]];
  srs_groups_gather(s->groups, s->dx, s->velocity);
  srs_groups_solve_general(s->groups, s->velocity);
  srs_groups_spread(s->groups, s->velocity, s->dx);
  for (int k = 0; k < cone->n; k++) step[s->at[k]] = r[s->at[k]] - s->dx[k];
  srs_smooth_step(cone, t, y, step, step);
}

// ---- the problem ----

bool srs_body_newton_begin(srs_body_newton *s, srs_groups *groups, srs_large_cone *cone)
{
  const srs_contact_blocks *W = cone->problem->blocks;
  s->cone = cone, s->groups = groups;
  if (W->factor == NULL || W->factor->own != NULL || W->n_block_rows > s->most_nodes ||
      cone->pattern.n > s->most_rows || W->factor->first[W->factor->n_groups] > s->most_columns)
    return false;
  int count = 0;
  for (int node = 0; node < W->n_block_rows; node++) {
    const int place = cone->place[node];
    s->row[node] = count;
    for (int i = place < 0 ? 0 : cone->pattern.first[place]; place >= 0 && i < cone->pattern.first[place + 1]; i++)
      s->kept[count] = cone->kept[i], s->at[count++] = i;
  }
  s->row[W->n_block_rows] = count;
  if (!srs_groups_begin(groups, W->factor, W->n_block_rows, W->first, s->row, s->kept, cone->unit)) return false;
  s->work = 2 * srs_groups_work(groups) + 2 * srs_cone_numbers(&cone->fallback.cone) + 100.0 * count;
  const double divide_work = srs_sparse_apply_work(&groups->pattern) + 24.0 * count;
  s->sweeps = (srs_body_sweeps){groups, cone, s->at, s->H, s->own, s->velocity};
  s->planar = (srs_planar_newton){
      solve, sweep, s, srs_body_sweep_work(&s->sweeps), {factor_modes, divide_by_modes, s, s->work, divide_work}};
  s->smooth = (srs_smooth_solver){factor_smooth, divide_smooth, srs_body_points_search, s, s->work + divide_work};
  return true;
}
