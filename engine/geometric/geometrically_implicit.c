// The geometrically implicit step: contacts hold where the bodies are at the end of the step, not where they were.
//
// Chakraborty, Berard, Akella & Trinkle's step (CBAT sec. 4) in the coordinates of the joints. The unknowns are v+, the
// impulses p, and for each pair of solids F = {f_i <= 0}, G = {g_j <= 0} the nearest points x and y = x + phi n with
// the signed gap phi and the multipliers l, k; q+ = integrate(q, h v+), and all geometry is that at q+:
//
//   M (v+ - v_free) = sum J(q+)^T p + G(q)^T lambda          M and v_free at q
//   n + sum k_j grad g_j(y) = 0,   |n| = 1,   n = sum l_i grad f_i(x)
//   0 <= l_i _|_ -f_i(x) >= 0,   0 <= k_j _|_ -g_j(y) >= 0    f = 0, g = 0 of a solid with one function
//   0 <= p_n _|_ phi >= 0                                     on F along -n, at x
//   p' = Pi(p' - v'),   p' = p_f / e,   v' = e v_f            Pi to the ball of radius mu p_n; (t, o, spin)
//   compliant layers: quasi_rigid.c
//   loops: Theta(q+, t + h) = 0;   0 <= lambda _|_ limits;   |lambda| <= h f for dry friction, actuators
//
// CBAT divide the multipliers by that of one active function, k_1, whose index has to be known (their remark 1). Here
// they are scaled so that n is a unit vector, which needs no index: the complementarity conditions select the active
// functions, for solids of several functions on both sides. phi is the multiplier of the distance, a distance itself,
// and passes through zero smoothly where the closest-point problem alone degenerates. y and n are eliminated. The
// projection for friction is CBAT's eq. 7 without its singularity at p = 0. A loop's forces act along its rows at q
// while its gap is closed at q+, as in SHAKE.
//
// All of it is one mixed complementarity problem (contact/solve/mcp.c). It is scaled so that velocities count by the
// square root of M's diagonal, impulses and gaps by that of their own inertia, and warm-started from the last step.

#include "engine/geometric/geometrically_implicit.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/geometric/geometrically_implicit_jacobian.h"
#include "engine/geometric/geometrically_implicit_rows.h"
#include "engine/geometric/independent_rows.h"
#include "engine/geometric/quasi_rigid.h"
#include "engine/geometric/smooth_pairs.h"
#include "engine/geometric/wrong_solutions.h"
#include "engine/loops/closure_newton.h"
#include "engine/rows/constraint_memory.h"
#include "engine/rows/contact_rows.h"
#include "engine/rows/joint_rows.h"
#include "engine/rows/row_sources.h"
#include "engine/rows/statistics.h"
#include "engine/state/step_context.h"
#include "topology/base/errors.h"

#include <string.h>

enum { MOST_PASSES = 8 };

// ---------------------------------------------------------------------------------------------------------------------
// Contacts of the step
// ---------------------------------------------------------------------------------------------------------------------

// Finds the coordinates that move the contact's links, roots first, and the motion that each causes.
static void find_path(struct srs_geometric *g, smooth_contact *c, int k)
{
  const srs_model *m = g->model;
  const size_t at = (size_t)k * (size_t)m->nv;
  c->path = g->path + at, c->side = g->side + at, c->has_side = g->has_side + at;
  c->turn = g->motions + 2 * at, c->move = c->turn + m->nv;
  c->n_path = 0;
  for (int i = 0; i < m->nv; i++) {
    const int link = m->link_of_v[i];
    unsigned char sides = 0;
    for (int s = 0; s < 2; s++)
      if (c->link[s] >= link && c->link[s] < m->subtree_end[link]) sides = (unsigned char)(sides | 1U << s);
    if (sides == 0) continue;
    c->has_side[c->n_path] = sides;
    c->side[c->n_path] = sides == 1 ? 1 : sides == 2 ? -1 : 0;
    c->path[c->n_path++] = i;
  }
}

static v3 any_tangent(v3 n)
{
  const double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
  const v3 t = cross(n, x <= y && x <= z ? m3_identity.x : y <= z ? m3_identity.y : m3_identity.z);
  return t * (1 / sqrt(dot(t, t)));
}

// Sums over the path of the products of the coordinates' motions along two directions.
static double along(const smooth_contact *c, v3 a, v3 b)
{
  double sum = 0;
  for (int k = 0; k < c->n_path; k++)
    if (c->side[k] != 0) sum += dot(a, c->move[k]) * dot(b, c->move[k]);
  return sum;
}

// Chooses tangents so that the first has the largest response, and the other is idle if one is.
static v3 first_tangent(const smooth_contact *c, v3 n)
{
  const v3 t = any_tangent(n), o = cross(n, t);
  const double angle = 0.5 * atan2(2 * along(c, t, o), along(c, t, t) - along(c, o, o));
  return cos(angle) * t + sin(angle) * o;
}

// Chooses the friction rows that move something.
static void choose_friction(const struct srs_geometric *g, smooth_contact *c)
{
  const smooth_pair *pair = &g->pairs[c->pair];
  double whole = 0, turning = 0, spin = 0;
  for (int k = 0; k < c->n_path; k++) {
    if (c->side[k] == 0) continue;
    const double about = dot(c->n, c->turn[k]);
    whole += dot(c->move[k], c->move[k]);
    turning += dot(c->turn[k], c->turn[k]);
    spin += about * about;
  }
  c->n_friction = 0;
  if (!(pair->friction > 0)) return;
  const v3 directions[2] = {c->t, c->o};
  for (int row = 0; row < 2; row++)
    if (along(c, directions[row], directions[row]) > 1e-20 * whole) c->friction_row[c->n_friction++] = row;
  if (pair->anisotropy[2] > 0 && spin > 1e-20 * turning) c->friction_row[c->n_friction++] = 2;
}

// Prepares a contact at the start of the step, except for the places of its unknowns.  @return false: nothing moves it
static bool open_contact(struct srs_geometric *g, int k)
{
  smooth_contact *c = &g->contacts[k];
  const smooth_pair *pair = &g->pairs[c->pair];
  const double *warm = g->warm_next + pair->warm;
  for (int s = 0; s < 2; s++) {
    const smooth_solid *solid = &g->solids[pair->solid[s]];
    c->link[s] = solid->link;
    c->part[s] = g->parts + solid->first;
    c->n_parts[s] = solid->n;
  }
  find_path(g, c, k);
  c->start = c->x = v3_load(warm + WARM_POINT) + v3_load(warm + WARM_CHANGE);
  srs_smooth_motions(g, c);
  double response = 0, turning = 0;
  for (int a = 0; a < c->n_path; a++) {
    if (c->side[a] == 0) continue;
    const double scale = g->scale[c->path[a]] * g->scale[c->path[a]];
    response += scale * dot(c->move[a], c->move[a]) / 3;
    turning += scale * dot(c->turn[a], c->turn[a]);
  }
  if (!(response > 1e-24 * turning)) return false;
  c->impulse_scale = 1 / sqrt(response);
  c->gap_scale = g->h * sqrt(response);
  c->n = srs_smooth_normal(g, c, warm + WARM_MULTIPLIERS);
  const v3 last = v3_load(warm + WARM_REFERENCE);
  c->reference = pair->anisotropy_side >= 0 ? pair->anisotropy_direction
                 : dot(last, last) > 0      ? last
                                            : first_tangent(c, c->n);
  srs_smooth_tangents(g, c);
  choose_friction(g, c);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// The system
// ---------------------------------------------------------------------------------------------------------------------

static void bound(struct srs_geometric *g, int i, double lower, double upper)
{
  g->lower[i] = lower, g->upper[i] = upper;
}

// Assigns places to the contact's unknowns from `first` on, with bounds and initial values.  @return the next place
static int lay_out_contact(struct srs_geometric *g, smooth_contact *c, int first, int surface)
{
  const double *warm = g->warm_next + g->pairs[c->pair].warm, *anisotropy = g->pairs[c->pair].anisotropy;
  const int n_multipliers = c->n_parts[0] + c->n_parts[1];
  double *z = g->unknowns;
  c->first = first;
  c->surface = surface;
  for (int i = 0; i < 4; i++) bound(g, first + i, -INFINITY, INFINITY);
  z[first] = z[first + 1] = z[first + 2] = 0;
  z[srs_smooth_gap(c)] = warm[WARM_GAP] / c->gap_scale;
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < c->n_parts[s]; i++)
      bound(g, srs_smooth_multiplier(c, s) + i, c->n_parts[s] == 1 ? -INFINITY : 0, INFINITY);
  for (int i = 0; i < n_multipliers; i++) z[srs_smooth_multiplier(c, 0) + i] = warm[WARM_MULTIPLIERS + i];
  const int impulse = srs_smooth_impulse(c);
  bound(g, impulse, 0, INFINITY);
  const double *change = warm + WARM_CHANGE + 3;
  z[impulse] = fmax(0, warm[WARM_IMPULSE] + change[0]) / c->impulse_scale;
  for (int k = 0; k < c->n_friction; k++) {
    const int row = c->friction_row[k];
    bound(g, impulse + 1 + k, -INFINITY, INFINITY);
    z[impulse + 1 + k] = (warm[WARM_IMPULSE + 1 + row] + change[1 + row]) / (anisotropy[row] * c->impulse_scale);
  }
  return impulse + 1 + c->n_friction + srs_layer_lay_out(g, c);
}

// The response to a unit impulse of a line, squared, in v's scaled units.
static double response_of(const struct srs_geometric *g, const double *line)
{
  double sum = 0;
  for (int i = 0; i < g->model->nv; i++) sum += g->scale[i] * g->scale[i] * line[i] * line[i];
  return sum;
}

// Fills a row's line from its sides.  @return its response; 0 where the sides cancel up to rounding (a loop's row out
// of its plane)
static double fill_line(struct srs_geometric *g, const srs_step_row *row, double *line)
{
  const int nv = g->model->nv;
  const size_t bytes = (size_t)nv * sizeof *line;
  double parts = 0, *side_line = g->one_side;
  memset(line, 0, bytes);
  for (int side = 0; side < row->n_sides; side++) {
    const srs_step_row one = {.n_sides = 1,
                              .is_coordinate = {row->is_coordinate[side]},
                              .link = {row->link[side]},
                              .coordinate = {row->coordinate[side]},
                              .coefficient = {row->coefficient[side]},
                              .wrench = {row->is_coordinate[side] ? v6_zero : row->wrench[side]}};
    memset(side_line, 0, bytes);
    srs_add_row_line(g->workspace, &one, side_line);
    parts += response_of(g, side_line);
    for (int i = 0; i < nv; i++) line[i] += side_line[i];
  }
  const double response = response_of(g, line);
  return response > 1e-26 * parts ? response : 0;
}

// Lays out the rows of loops, limits, dry friction and actuators.
static void lay_out_rows(struct srs_geometric *g)
{
  const struct srs_constraints *c = g->constraints;
  const int nv = g->model->nv;
  g->n_rows = c->n_scalars;
  for (int k = 0; k < g->n_rows; k++) {
    const scalar_row *scalar = &c->scalars[k];
    const double response = fill_line(g, &scalar->row, g->row_matrix + (size_t)k * (size_t)nv) + scalar->softness;
    const bool is_idle = !(response > 0);
    const double unit = is_idle ? 0 : 1 / sqrt(response), *last = g->step.state->warm_rows + 2 * (size_t)scalar->slot;
    g->rows[k] = (smooth_row){.is_loop = scalar->source == SRS_ROW_LOOP, .scale = unit, .index = k};
    bound(g, nv + k, -INFINITY, INFINITY);
    if (scalar->kind == SCALAR_UNILATERAL) bound(g, nv + k, 0, INFINITY);
    if (scalar->kind == SCALAR_BOX && !is_idle) bound(g, nv + k, scalar->lower / unit, scalar->upper / unit);
    if (is_idle) bound(g, nv + k, 0, 0);
    g->unknowns[nv + k] = is_idle ? 0 : last[1] / unit;
  }
  if (c->n_loop_rows > 0) srs_drop_dependent_rows(g);
}

static bool lay_out_system(struct srs_geometric *g, const double *v)
{
  const int nv = g->model->nv;
  int n_kept = 0;
  bool stays = false; // some contact persists: v changes as in the last step, not as in free motion
  const double *change = g->warm_next + g->n_warm - nv;
  for (int k = 0; k < g->n_contacts; k++) {
    g->contacts[n_kept].pair = g->contacts[k].pair;
    if (open_contact(g, n_kept)) n_kept++;
  }
  g->n_contacts = n_kept;
  lay_out_rows(g);
  int next = nv + g->n_rows, surface = 0;
  for (int k = 0; k < g->n_contacts; k++) {
    smooth_contact *c = &g->contacts[k];
    next = lay_out_contact(g, c, next, surface);
    surface += c->n_parts[0] + c->n_parts[1];
    stays = stays || g->unknowns[srs_smooth_impulse(c)] > 0;
  }
  for (int i = 0; i < nv; i++) {
    bound(g, i, -INFINITY, INFINITY);
    g->unknowns[i] = (stays ? v[i] + change[i] : g->v_free[i]) / g->scale[i];
  }
  g->n = next;
  g->has_values = false;
  return g->n_contacts + g->n_rows > 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Solving
// ---------------------------------------------------------------------------------------------------------------------

// Stores a contact's warm start, from the unknowns of its values.
static void keep_warm(struct srs_geometric *g, const smooth_contact *c, const double *z)
{
  const smooth_pair *pair = &g->pairs[c->pair];
  double *warm = g->warm_next + pair->warm;
  const double *impulse = z + srs_smooth_impulse(c);
  warm[WARM_STATE] = PAIR_IN;
  warm[WARM_GAP] = c->gap_scale * z[srs_smooth_gap(c)];
  v3_store(warm + WARM_POINT, c->x);
  v3_store(warm + WARM_REFERENCE, c->t);
  memset(warm + WARM_IMPULSE, 0, (WARM_MULTIPLIERS - WARM_IMPULSE) * sizeof *warm);
  warm[WARM_IMPULSE] = fmax(0, c->impulse_scale * impulse[0]);
  for (int k = 0; k < c->n_friction; k++)
    warm[WARM_IMPULSE + 1 + c->friction_row[k]] =
        c->impulse_scale * pair->anisotropy[c->friction_row[k]] * impulse[1 + k];
  srs_layer_keep(g, c, z, warm + WARM_DEFLECTION);
  memcpy(warm + WARM_MULTIPLIERS, z + srs_smooth_multiplier(c, 0),
         (size_t)(c->n_parts[0] + c->n_parts[1]) * sizeof *warm);
}

// An attempt lays its contacts out anew: they start elsewhere, in other units, and with other rows of friction. What
// the unknowns of the best one mean is kept with them.
static void keep_best(struct srs_geometric *g)
{
  g->best_n = g->n, g->n_best_contacts = g->n_contacts;
  memcpy(g->best_contacts, g->contacts, (size_t)g->n_contacts * sizeof *g->contacts);
  memcpy(g->z, g->unknowns, (size_t)g->n * sizeof *g->z);
}

static void return_to_best(struct srs_geometric *g)
{
  g->n = g->best_n, g->n_contacts = g->n_best_contacts;
  memcpy(g->contacts, g->best_contacts, (size_t)g->n_contacts * sizeof *g->contacts);
  for (int k = 0; k < g->n_contacts; k++) find_path(g, &g->contacts[k], k);
  g->has_values = false;
}

typedef enum start_kind { START_WARM, START_FREE, START_BEFORE, START_BEST } start_kind;

// Where an attempt starts: from what the last step left; from the nearest points at the end of a step without impulses,
// with its velocities; from the nearest points at the start; or from those at the end of the best attempt yet, with its
// velocities and impulses.
static void start_from(struct srs_geometric *g, start_kind start, const double *v)
{
  srs_workspace *w = g->workspace;
  const int nv = g->model->nv;
  const bool is_best = start == START_BEST;
  if (is_best) {
    return_to_best(g);
    srs_geometric_function(g, g->z, g->unknowns);
    memcpy(g->trial_v, g->v_next, (size_t)nv * sizeof *g->trial_v);
    for (int k = 0; k < g->n_contacts; k++) keep_warm(g, &g->contacts[k], g->z);
  }
  srs_integrate(g->model, g->step.state->q, is_best ? g->trial_v : g->v_free, start == START_BEFORE ? 0 : g->h,
                g->q_next);
  srs_place_links(w, g->q_next);
  for (int k = 0; k < g->n_contacts; k++) srs_smooth_restart(g, g->contacts[k].pair, is_best);
  memset(g->warm_next + g->n_warm - nv, 0, (size_t)nv * sizeof *g->warm_next);
  srs_place_links(w, g->step.state->q);
  lay_out_system(g, is_best ? g->trial_v : v);
}

// The attempts, in turn: later ones use all of the solver's strategies, or solve without friction first.
static const struct {
  start_kind start;
  bool recovers, slips_first;
} attempts[] = {{START_WARM, false, false}, {START_FREE, false, false}, {START_BEFORE, false, false},
                {START_BEST, false, false}, {START_FREE, true, false},  {START_BEFORE, true, false},
                {START_BEST, true, false},  {START_FREE, true, true},   {START_BEFORE, true, true}};

enum { ATTEMPTS = sizeof attempts / sizeof attempts[0] };

// Of all attempts together: smooth solids take 1 to 12 iterations, solids with edges that land on each other up to some
// thousand. An iteration factors about 4 n^3: systems of more than 90 unknowns have fewer, so that a step ends within
// seconds, and fewer still where the options bound the work of a contact problem.
enum { MOST_ITERATIONS = 4000, LEAST_ITERATIONS = 20 };
static const double usual_work = 1e10; // multiplications

static double work_of_iteration(const struct srs_geometric *g) { return 4.0 * g->n * g->n * g->n; }

static int iterations_within(const struct srs_geometric *g)
{
  const double left = g->most_work - g->work;
  return (int)fmax(LEAST_ITERATIONS, fmin(MOST_ITERATIONS, left / work_of_iteration(g)));
}

static bool has_leapt(struct srs_geometric *g)
{
  srs_geometric_function(g, g->unknowns, g->spare_F);
  return srs_is_leap(g, g->unknowns);
}

static srs_status solve(struct srs_geometric *g, const double *v, srs_mcp_report *best)
{
  static const srs_mcp_report none = {.status = SRS_MCP_UNSOLVED, .residual = INFINITY};
  struct srs_constraints *c = g->constraints;
  srs_mcp problem = {g->n, g->lower, g->upper, g, srs_geometric_function, srs_geometric_jacobian};
  srs_mcp_options options = srs_default_mcp_options();
  options.goal = 1e-13;
  *best = none;
  const int most = iterations_within(g);
  int iterations = 0;
  bool is_best_leap = false;
  for (int attempt = 0; attempt < ATTEMPTS && best->status != SRS_MCP_SOLVED && iterations < most; attempt++) {
    srs_mcp_report report;
    options.most_iterations = most - iterations;
    if (attempts[attempt].start != START_WARM) start_from(g, attempts[attempt].start, v);
    problem.n = g->n;
    options.recovers = attempts[attempt].recovers;
    g->friction_scale = attempts[attempt].slips_first ? 0 : 1;
    srs_status status = srs_mcp_solve(g->solver, &problem, &options, g->unknowns, &report);
    if (g->friction_scale == 0 && status == SRS_OK) {
      g->friction_scale = 1;
      g->has_values = false;
      iterations += report.iterations;
      options.most_iterations = most > iterations ? most - iterations : 1;
      status = srs_mcp_solve(g->solver, &problem, &options, g->unknowns, &report);
    }
    if (status == SRS_ERROR_NOT_FINITE) return srs_fail_overflowed(c, g->workspace);
    if (status != SRS_OK)
      return srs_fail(&c->error, status, NULL, 0, 0, NULL, "the system of %d unknowns of %d contacts: %s", g->n,
                      g->n_contacts, srs_status_string(status));
    iterations += report.iterations;
    if (report.status == SRS_MCP_SOLVED && srs_is_inside_out(g, g->unknowns)) report = none;
    const bool is_leap = report.status == SRS_MCP_SOLVED && has_leapt(g); // where there is no other, it will do
    if (is_leap) report.status = SRS_MCP_UNSOLVED;
    if (attempt > 0 && report.status != SRS_MCP_SOLVED && !(report.residual < best->residual)) continue;
    *best = report;
    is_best_leap = is_leap;
    keep_best(g);
  }
  if (is_best_leap) best->status = SRS_MCP_SOLVED;
  best->iterations = iterations;
  g->work += iterations * work_of_iteration(g);
  if (best->status == SRS_MCP_NOT_FINITE) return srs_fail_overflowed(c, g->workspace);
  return_to_best(g);
  memcpy(g->unknowns, g->z, (size_t)g->n * sizeof *g->z);
  srs_geometric_function(g, g->unknowns, g->z); // updates everything that depends on it
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Results of the step
// ---------------------------------------------------------------------------------------------------------------------

// Stores how a persisting contact changed in the step.
static void keep_change(struct srs_geometric *g, const smooth_contact *c)
{
  const size_t at = g->pairs[c->pair].warm;
  const double *last = g->step.state->smooth_warm + at;
  double *warm = g->warm_next + at;
  if (last[WARM_STATE] != PAIR_IN || !(last[WARM_IMPULSE] > 0) || !(warm[WARM_IMPULSE] > 0)) return;
  for (int i = 0; i < 3; i++) warm[WARM_CHANGE + i] = warm[WARM_POINT + i] - last[WARM_POINT + i];
  for (int i = 0; i < 1 + FRICTION_ROWS; i++)
    warm[WARM_CHANGE + 3 + i] = warm[WARM_IMPULSE + i] - last[WARM_IMPULSE + i];
  for (int i = 0; i < 4 + FRICTION_ROWS; i++)
    if (!isfinite(warm[WARM_CHANGE + i])) warm[WARM_CHANGE + i] = 0;
}

static void keep_contact(struct srs_geometric *g, const smooth_contact *c, srs_sim_contact *result)
{
  const smooth_pair *pair = &g->pairs[c->pair];
  const int first = g->solids[pair->solid[0]].shape, second = g->solids[pair->solid[1]].shape;
  const bool is_turned = first > second;
  const double *warm = g->warm_next + pair->warm, h = g->h;
  srs_contact_point *at = &result->contact;
  *result = (srs_sim_contact){.friction = pair->friction, .torsional_impulse = -warm[WARM_IMPULSE + 3]};
  *at = (srs_contact_point){.shape_a = is_turned ? second : first,
                            .shape_b = is_turned ? first : second,
                            .link_a = c->link[is_turned],
                            .link_b = c->link[!is_turned],
                            .gap = warm[WARM_GAP],
                            .feature = pair->feature,
                            .phi = warm[WARM_GAP],
                            .slope = 1};
  v3_store(at->point_a, is_turned ? c->y : c->x);
  v3_store(at->point_b, is_turned ? c->x : c->y);
  v3_store(at->normal, is_turned ? c->n : v3_zero - c->n);
  v3_store(at->witness, 0.5 * (c->x + c->y));
  memcpy(result->anisotropy, pair->anisotropy, sizeof result->anisotropy);
  v3_store(result->impulse, is_turned ? v3_zero - c->force : c->force);
  v3_store(result->force, (is_turned ? v3_zero - c->force : c->force) * (1 / h));
  result->torque = result->torsional_impulse / h;
}

static void keep_statistics(struct srs_geometric *g, const srs_mcp_report *report)
{
  struct srs_constraints *c = g->constraints;
  srs_sim_statistics *s = &c->next;
  double deepest = 0;
  for (int k = 0; k < g->n_contacts; k++) deepest = fmax(deepest, -c->next_results[k].contact.gap);
  s->solves++;
  s->iterations += report->iterations;
  if (report->iterations > s->iterations_max) s->iterations_max = report->iterations;
  srs_count_work(s, g->work, fmax(g->work, g->most_work), false); // the least number of iterations may take more
  s->residual_last = report->residual;
  s->residual_max = fmax(s->residual_max, report->residual);
  if (report->status != SRS_MCP_SOLVED) srs_count_failure(s, *g->step.state->time, report->residual);
  s->penetration_max = fmax(s->penetration_max, deepest);
  s->penetration_sum += deepest;
  s->infeasibility_max = fmax(s->infeasibility_max, deepest);
  s->infeasibility_sum += deepest;
  s->infeasibility_last = deepest;
  if (g->n_contacts > 0) s->contact_steps++;
  if (g->n_contacts > s->contacts_max) s->contacts_max = g->n_contacts;
  s->bilateral_rows = 0;
  for (int i = 0; i < c->n_scalars; i++) s->bilateral_rows += c->scalars[i].source == SRS_ROW_LOOP;
  if (c->n_scalars > s->rows_max) s->rows_max = c->n_scalars;
}

static srs_status keep(struct srs_geometric *g, const srs_mcp_report *report)
{
  struct srs_constraints *c = g->constraints;
  const int nv = g->model->nv;
  if (srs_contacts_reserve(c, g->n_contacts) != SRS_OK)
    return srs_fail(&c->error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %d contacts", g->n_contacts);
  for (int k = 0; k < g->n_contacts; k++) {
    keep_warm(g, &g->contacts[k], g->unknowns);
    keep_change(g, &g->contacts[k]);
    keep_contact(g, &g->contacts[k], &c->next_results[k]);
  }
  for (int i = 0; i < nv; i++) g->warm_next[g->n_warm - (size_t)nv + (size_t)i] = g->v_next[i] - g->step.state->v[i];
  for (int k = 0; k < g->n_rows; k++) c->scalars[g->rows[k].index].impulse = g->rows[k].scale * g->unknowns[nv + k];
  c->n_next = g->n_contacts;
  keep_statistics(g, report);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// The step
// ---------------------------------------------------------------------------------------------------------------------

// Prepares M at q with the diagonal of springs, dampers and servos, the square roots of its diagonal, and the links'
// velocities.
static srs_status prepare(struct srs_geometric *g, const srs_step_context *step, const double *extra,
                          const double *v_free)
{
  struct srs_constraints *c = g->constraints;
  srs_workspace *w = g->workspace;
  const size_t nv = (size_t)g->model->nv;
  g->step = *step;
  g->h = step->options->dt;
  g->preferred_row = -1, g->choices = 0;
  g->work = 0, g->most_work = fmin(usual_work, step->options->contact.solver.most_work);
  const srs_status status = srs_mass_matrix(w, step->q, g->mass);
  if (status != SRS_OK) return c->error = w->error, status;
  for (size_t i = 0; i < nv; i++) {
    g->mass[i * nv + i] += extra[i];
    g->scale[i] = 1 / sqrt(g->mass[i * nv + i]);
  }
  memcpy(g->v_free, v_free, nv * sizeof *v_free);
  memcpy(g->v_next, step->v, nv * sizeof *v_free);
  srs_move_links(w, step->v);
  memcpy(c->velocity_before, w->velocity, (size_t)g->model->n_links * sizeof *c->velocity_before);
  srs_move_links(w, v_free);
  memcpy(g->warm_next, step->state->smooth_warm, g->n_warm * sizeof *g->warm_next);
  for (int i = 0; i < c->n_coordinates; i++)
    c->coordinates[i].is_kept_from_lower = c->coordinates[i].is_kept_from_upper = false;
  return srs_smooth_select(g, c->velocity_before, w->velocity);
}

// A limit that is broken only through other impulses, or an unexpected pair, is added, or a row of a loop that was left
// open, and everything is solved again.
srs_status srs_geometric_step(struct srs_geometric *g, const srs_step_context *step, const double *extra,
                              double *v_next)
{
  struct srs_constraints *c = g->constraints;
  srs_workspace *w = g->workspace;
  const int nv = g->model->nv;
  c->n_next = c->n_scalars = 0;
  c->next = c->statistics;
  c->next.residual_last = c->next.infeasibility_last = 0;
  srs_start_work(&c->next);
  c->pivot = INFINITY;
  if (srs_first_not_finite(v_next, nv) >= 0) return SRS_OK; // srs_sim_step names the entry
  srs_status status = prepare(g, step, extra, v_next);
  for (int pass = 0; status == SRS_OK && pass <= MOST_PASSES + 2 * c->n_coordinates + g->choices; pass++) {
    srs_mcp_report report = {.status = SRS_MCP_SOLVED};
    if (pass > 0) srs_place_links(w, step->q);
    if (pass > 0) srs_move_links(w, g->v_free);
    c->n_scalars = 0;
    srs_fill_rows(c, step, g->v_free);
    if (lay_out_system(g, step->v)) status = solve(g, step->v, &report);
    if (status != SRS_OK) return status;
    memcpy(v_next, g->n_contacts + g->n_rows > 0 ? g->v_next : g->v_free, (size_t)nv * sizeof *v_next);
    srs_integrate(g->model, step->q, v_next, g->h, g->q_next);
    const bool is_broken = c->n_coordinates > 0 && srs_find_broken_limits(c, g->h, v_next);
    bool is_met = false;
    srs_place_links(w, g->q_next);
    srs_move_links(w, v_next);
    status = srs_smooth_check(g, &is_met);
    if (status == SRS_OK && !is_broken && !is_met && !srs_prefer_open_row(g))
      return g->n > nv ? keep(g, &report) : SRS_OK;
  }
  return status;
}

void srs_geometric_accept(const struct srs_geometric *g, srs_sim_state *state)
{
  memcpy(state->smooth_warm, g->warm_next, g->n_warm * sizeof *g->warm_next);
}

void srs_geometric_forget(const struct srs_geometric *g, srs_sim_state *state)
{
  memset(state->smooth_warm, 0, g->n_warm * sizeof *state->smooth_warm);
}
