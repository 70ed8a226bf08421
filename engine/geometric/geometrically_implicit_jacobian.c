// The Jacobian of a geometrically implicit step's equations.
//
// By forward differentiation, column by column. With dx, d(gap), d(multipliers) of a contact's unknowns, and the
// rotation and displacement dtheta of each coordinate j on its links' paths (w_j its angular column, u_j what it does
// to x):
//
//   dn = sum l H dx + sum dl g + (w_j x n - sum l H u_j) dtheta_j      first solid's paths only
//   dy = dx + d(gap) n + gap dn
//   d(second) = sum k H dy + sum dk g + (w_j x second - sum k H (u_j + w_j x (y - x))) dtheta_j
//   d(column i) = (w_j x w_i, w_j x u_i - w_i x u_j) dtheta_j + (0, w_i x dx)      if j carries column i
//   d(slip) = spin x dx + (w_j x slip_j - spin_j x u_j) dtheta_j, slip_j and spin_j of the columns that j carries
//
// The coordinates follow by the differential of the exponential map: dtheta = h T(h v) dv, where T is 1 but for
// quaternions, T(u) = 1 + (1 - cos a) / a^2 [u] + (a - sin a) / a^3 [u]^2, a = |u|, for rotations about the axes that
// the link had at the start, as contacts use it; T(-u) about those at the end, as the rows of loops use it.

#include "engine/geometric/geometrically_implicit_jacobian.h"
#include "engine/geometric/geometrically_implicit_rows.h"
#include "engine/geometric/quasi_rigid.h"
#include "engine/loops/closure_newton.h"

#include <string.h>

// The changes caused by one column.
typedef struct change {
  v3 x, n, second; // of the points and normals
  v3 slip, spin;
  v3 across; // the reference of t, which moves with its body
} change;

typedef struct matrix {
  double *J;
  size_t stride;
} matrix;

static double *entry(matrix m, int row, int column) { return m.J + (size_t)row * m.stride + (size_t)column; }

static v3 bend(const smooth_value *at, v3 along)
{
  const v3 local = m3_times_back(at->axes, along);
  const vec3 bent = sym3_times(at->hessian, (vec3){local[0], local[1], local[2]});
  return m3_times_packed(at->axes, &bent);
}

// The matrix sum of multiplier * Hessian, world axes.
static m3 weighted_hessian(const struct srs_geometric *g, const smooth_contact *c, int side, const double *z)
{
  const smooth_value *values = g->values + c->surface + (side > 0 ? c->n_parts[0] : 0);
  const double *multiplier = z + srs_smooth_multiplier(c, side);
  m3 sum = m3_zero;
  for (int i = 0; i < c->n_parts[side]; i++) {
    sum.x += multiplier[i] * bend(&values[i], m3_identity.x);
    sum.y += multiplier[i] * bend(&values[i], m3_identity.y);
    sum.z += multiplier[i] * bend(&values[i], m3_identity.z);
  }
  return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// Effect of a column on the rows of its contact
// ---------------------------------------------------------------------------------------------------------------------

// The derivative of the friction rows, from those of the velocities along them and of the normal impulse.
static void friction_column(const struct srs_geometric *g, const smooth_contact *c, const double *z, matrix m,
                            int column, const double *velocity, const double *impulse, double normal)
{
  const int first = srs_smooth_impulse(c);
  const double mu = g->friction_scale * g->pairs[c->pair].friction, radius = mu * fmax(0, z[first]);
  double now[FRICTION_ROWS], target[FRICTION_ROWS];
  const double length = srs_friction_target(g, c, z, now, target);
  if (radius > 0 && length <= radius) {
    for (int k = 0; k < c->n_friction; k++) *entry(m, first + 1 + k, column) += velocity[k];
    return;
  }
  const double inverse = length > 0 ? 1 / length : 0, share = radius * inverse;
  double along = 0;
  for (int k = 0; k < c->n_friction; k++) along += target[k] * inverse * (impulse[k] - velocity[k]);
  for (int k = 0; k < c->n_friction; k++) {
    const double unit = target[k] * inverse;
    *entry(m, first + 1 + k, column) +=
        impulse[k] - share * (impulse[k] - velocity[k] - along * unit) - (z[first] > 0 ? mu * normal * unit : 0);
  }
}

// The changes of t and o with n and the reference.
static void tangent_change(const smooth_contact *c, const change *d, v3 *dt, v3 *d_o)
{
  const double lean = dot(c->across, c->n);
  const v3 within = d->across - (dot(d->across, c->n) + dot(c->across, d->n)) * c->n - lean * d->n;
  *dt = (within - dot(c->t, within) * c->t) * (1 / c->across_length);
  *d_o = cross(d->n, c->t) + cross(c->n, *dt);
}

// Writes a column's change into all rows of the contact, except the rotation of the momentum rows' own columns.
static void write_change(const struct srs_geometric *g, const smooth_contact *c, const double *z, matrix m, int column,
                         const change *d)
{
  const double *p = z + srs_smooth_impulse(c), *anisotropy = g->pairs[c->pair].anisotropy;
  v3 dt = v3_zero, d_o = v3_zero, force = -c->impulse_scale * p[0] * d->n, torque = v3_zero;
  double velocity[FRICTION_ROWS] = {0};
  static const double none[FRICTION_ROWS];
  v3 sum = d->n + d->second;
  for (int i = 0; i < 3; i++) *entry(m, c->first + i, column) += sum[i];
  *entry(m, srs_smooth_gap(c), column) += dot(c->n, d->n);
  if (c->n_friction > 0) tangent_change(c, d, &dt, &d_o);
  for (int k = 0; k < c->n_friction; k++) {
    const int row = c->friction_row[k];
    const double scale = c->impulse_scale * anisotropy[row];
    const v3 along = row == 0 ? c->t : row == 1 ? c->o : c->n, turned = row == 0 ? dt : row == 1 ? d_o : d->n;
    velocity[k] =
        scale * (row < 2 ? dot(turned, c->slip) + dot(along, d->slip) : dot(turned, c->spin) + dot(along, d->spin));
    if (row < 2)
      force += scale * p[1 + k] * turned;
    else
      torque += scale * p[1 + k] * turned;
  }
  if (c->n_friction > 0) friction_column(g, c, z, m, column, velocity, none, 0);
  const v3 lever = cross(d->x, c->force); // w x dx . P = w . (dx x P)
  for (int a = 0; a < c->n_path; a++)
    if (c->side[a] != 0)
      *entry(m, c->path[a], column) -= c->side[a] * (dot(c->turn[a], torque + lever) + dot(c->move[a], force));
}

static void surface_change(const struct srs_geometric *g, const smooth_contact *c, int side, matrix m, int column,
                           v3 point)
{
  const smooth_value *values = g->values + c->surface + (side > 0 ? c->n_parts[0] : 0);
  const double sign = (c->n_parts[side] == 1 ? 1 : -1) / c->gap_scale;
  for (int i = 0; i < c->n_parts[side]; i++)
    *entry(m, srs_smooth_multiplier(c, side) + i, column) += sign * dot(values[i].gradient, point);
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------------------------------------------------

// The columns of x, gap and multipliers.
static void point_columns(const struct srs_geometric *g, const smooth_contact *c, const double *z, matrix m,
                          const m3 *bend_1, const m3 *bend_2)
{
  const double gap = c->gap_scale * z[srs_smooth_gap(c)];
  for (int i = 0; i < 3; i++) {
    change d = {.x = c->gap_scale * (i == 0 ? m3_identity.x : i == 1 ? m3_identity.y : m3_identity.z)};
    d.n = m3_times(*bend_1, d.x);
    const v3 dy = d.x + gap * d.n;
    d.second = m3_times(*bend_2, dy);
    d.slip = cross(c->spin, d.x);
    surface_change(g, c, 0, m, c->first + i, d.x);
    surface_change(g, c, 1, m, c->first + i, dy);
    write_change(g, c, z, m, c->first + i, &d);
  }
  const v3 dy = c->gap_scale * c->n;
  const change apart = {.second = m3_times(*bend_2, dy)};
  surface_change(g, c, 1, m, srs_smooth_gap(c), dy);
  write_change(g, c, z, m, srs_smooth_gap(c), &apart);
  for (int i = 0; i < c->n_parts[0]; i++) {
    const int column = srs_smooth_multiplier(c, 0) + i;
    change d = {.n = g->values[c->surface + i].gradient};
    d.second = m3_times(*bend_2, gap * d.n);
    surface_change(g, c, 1, m, column, gap * d.n);
    write_change(g, c, z, m, column, &d);
  }
  for (int i = 0; i < c->n_parts[1]; i++) {
    const change d = {.second = g->values[c->surface + c->n_parts[0] + i].gradient};
    write_change(g, c, z, m, srs_smooth_multiplier(c, 1) + i, &d);
  }
}

static void impulse_columns(const struct srs_geometric *g, const smooth_contact *c, const double *z, matrix m)
{
  const double *anisotropy = g->pairs[c->pair].anisotropy, none[FRICTION_ROWS] = {0};
  const int first = srs_smooth_impulse(c);
  if (c->n_friction > 0) friction_column(g, c, z, m, first, none, none, 1);
  for (int k = -1; k < c->n_friction; k++) {
    const int row = k < 0 ? -1 : c->friction_row[k];
    const v3 along = row < 0 ? -c->n : row == 0 ? c->t : row == 1 ? c->o : c->n;
    const double scale = c->impulse_scale * (k < 0 ? 1 : anisotropy[row]);
    for (int a = 0; a < c->n_path; a++)
      if (c->side[a] != 0)
        *entry(m, c->path[a], first + 1 + k) -= c->side[a] * scale * dot(row < 2 ? c->move[a] : c->turn[a], along);
    if (k < 0) continue;
    double unit[FRICTION_ROWS] = {0};
    unit[k] = 1;
    friction_column(g, c, z, m, first + 1 + k, none, unit, 0);
  }
}

// The rows of the layers, and the columns of their deflections.
static void layer_columns(const struct srs_geometric *g, const smooth_contact *c, const double *z, matrix m)
{
  static const double none[FRICTION_ROWS];
  const smooth_pair *pair = &g->pairs[c->pair];
  const int n = srs_layer_size(c);
  for (int l = 0; l < pair->n_layers; l++) {
    *entry(m, srs_smooth_impulse(c), srs_layer_unknown(c, l, 0)) = 1;
    for (int row = 0; row < n; row++) {
      const int at = srs_layer_unknown(c, l, row);
      *entry(m, at, srs_layer_impulse(c, row)) = srs_layer_impulse_slope(g, c, l, row);
      for (int column = 0; column < n; column++)
        *entry(m, at, srs_layer_unknown(c, l, column)) = srs_layer_slope(g, c, l, row, column);
      if (row == 0) continue;
      double velocity[FRICTION_ROWS] = {0};
      velocity[row - 1] = c->impulse_scale * pair->anisotropy[c->friction_row[row - 1]] * c->gap_scale / g->h;
      friction_column(g, c, z, m, at, velocity, none, 0);
    }
  }
}

// Whether coordinate j moves the column of coordinate i, which is of the same link or one further out.
static bool carries(const srs_model *model, int j, int i)
{
  const int link = model->link_of_v[i], first = model->v_index[link];
  if (model->link_of_v[j] != link) return true;
  switch ((srs_joint_kind)model->kind[link]) {
  case SRS_JOINT_UNIVERSAL: return j < i;
  case SRS_JOINT_PLANAR: return i == first + 2 && j < i;
  case SRS_JOINT_FREE: return i >= first + 3 && j < first + 3; // it moves the origin; the axes are those at the start
  default: return false;                                       // its own axis does not move
  }
}

static bool is_above(const srs_model *model, int j, int i)
{
  const int above = model->link_of_v[j], below = model->link_of_v[i];
  return above <= below && below < model->subtree_end[above];
}

// The column of one coordinate of the paths: the links turn and move with it.
static void path_column(const struct srs_geometric *g, const smooth_contact *c, const double *z, matrix m, int b,
                        const m3 *bend_1, const m3 *bend_2)
{
  const int j = c->path[b], anisotropy_side = g->pairs[c->pair].anisotropy_side;
  const v3 w = c->turn[b], u = c->move[b];
  const double gap = c->gap_scale * z[srs_smooth_gap(c)];
  change d = {.x = v3_zero};
  v3 dy = v3_zero;
  if ((c->has_side[b] & 1) != 0) {
    d.n = cross(w, c->n) - m3_times(*bend_1, u);
    dy = gap * d.n;
    surface_change(g, c, 0, m, j, -u);
  }
  d.second = m3_times(*bend_2, dy);
  if ((c->has_side[b] & 2) != 0) {
    const v3 at_y = u + cross(w, c->y - c->x);
    d.second += cross(w, c->second) - m3_times(*bend_2, at_y);
    dy -= at_y;
  }
  surface_change(g, c, 1, m, j, dy);
  if (anisotropy_side >= 0 && (c->has_side[b] & (1 << anisotropy_side)) != 0) d.across = cross(w, c->across);
  const v3 along = cross(c->torque, w) - cross(u, c->force), across = cross(c->force, w);
  v3 slip = v3_zero, spin = v3_zero;
  for (int a = 0; a < c->n_path; a++) {
    const int i = c->path[a];
    if (c->side[a] == 0 || !is_above(g->model, j, i) || !carries(g->model, j, i)) continue;
    const double rate = c->side[a] * g->v_next[i];
    slip += rate * c->move[a];
    spin += rate * c->turn[a];
    *entry(m, i, j) -= c->side[a] * (dot(c->turn[a], along) + dot(c->move[a], across));
  }
  d.slip = cross(w, slip) - cross(spin, u);
  d.spin = cross(w, spin);
  write_change(g, c, z, m, j, &d);
}

// The columns of v+ in the slip.
static void rate_columns(const struct srs_geometric *g, const smooth_contact *c, const double *z, matrix m)
{
  static const double none[FRICTION_ROWS];
  const double *anisotropy = g->pairs[c->pair].anisotropy;
  for (int a = 0; a < c->n_path; a++) {
    double velocity[FRICTION_ROWS] = {0};
    if (c->side[a] == 0) continue;
    for (int k = 0; k < c->n_friction; k++) {
      const int row = c->friction_row[k];
      velocity[k] = c->side[a] * c->impulse_scale * anisotropy[row] *
                    (row == 0   ? dot(c->t, c->move[a])
                     : row == 1 ? dot(c->o, c->move[a])
                                : dot(c->n, c->turn[a]));
    }
    friction_column(g, c, z, m, c->path[a], velocity, none, 0);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole matrix
// ---------------------------------------------------------------------------------------------------------------------

// Turns columns of dtheta into columns of v, in rows from … end - 1.  @param sign  1: rotations about the axes at the
// start; -1: at the end
static void apply_tangent(const struct srs_geometric *g, int from, int end, double sign, matrix m)
{
  const srs_model *model = g->model;
  for (int r = from; r < end; r++)
    for (int i = 0; i < model->nv; i++) *entry(m, r, i) *= g->h;
  for (int k = 0; k < model->n_links; k++) {
    const int i = model->v_index[k + 1] - 3;
    if (i < 0 || model->link_of_v[i] != k || srs_turning_coordinate(model, i) != 0) continue;
    const vec3 u = scale3(sign * g->h, vec3_load(g->v_next + i));
    const double square = dot3(u, u), angle = sqrt(square);
    const double a = square > 1e-6 ? (1 - cos(angle)) / square : 0.5 - square / 24;
    const double b = square > 1e-6 ? (angle - sin(angle)) / (square * angle) : 1.0 / 6 - square / 120;
    for (int r = from; r < end; r++) { // rho T = rho + a rho x u + b (rho x u) x u, rho a row
      double *row = entry(m, r, i);
      const vec3 rho = vec3_load(row), across = cross3(rho, u);
      vec3_store(row, add_scaled3(add_scaled3(rho, a, across), b, cross3(across, u)));
    }
  }
}

static void loop_columns(const struct srs_geometric *g, matrix m)
{
  const srs_workspace *w = g->workspace;
  const int nv = g->model->nv;
  for (int k = 0; k < g->n_rows; k++) {
    if (!g->rows[k].is_loop) continue;
    srs_add_row_line(w, &g->constraints->loop_rows[g->rows[k].index].row, entry(m, nv + k, 0));
    for (int i = 0; i < nv; i++) *entry(m, nv + k, i) *= g->rows[k].scale / g->h;
  }
}

// The constant parts: M, the rows' impulses, and rows that are linear in the velocity.
static void constant_parts(const struct srs_geometric *g, matrix m)
{
  const int nv = g->model->nv;
  for (int i = 0; i < nv; i++)
    for (int j = 0; j < nv; j++) *entry(m, i, j) += g->mass[(size_t)i * (size_t)nv + (size_t)j];
  for (int k = 0; k < g->n_rows; k++) {
    const smooth_row *row = &g->rows[k];
    const double *line = g->row_matrix + (size_t)k * (size_t)nv;
    for (int i = 0; i < nv; i++) *entry(m, i, nv + k) = -row->scale * line[i];
    if (row->is_loop) continue;
    for (int i = 0; i < nv; i++) *entry(m, nv + k, i) = row->scale * line[i];
    *entry(m, nv + k, nv + k) = row->scale * row->scale * g->constraints->scalars[row->index].softness;
  }
}

void srs_geometric_jacobian(void *data, const double *z, double *J, int stride)
{
  struct srs_geometric *g = data;
  const matrix m = {J, (size_t)stride};
  const int nv = g->model->nv;
  srs_geometric_function(g, z, g->z); // unless g is there already
  loop_columns(g, m);
  for (int k = 0; k < g->n_contacts; k++) {
    const smooth_contact *c = &g->contacts[k];
    const m3 bend_1 = weighted_hessian(g, c, 0, z), bend_2 = weighted_hessian(g, c, 1, z);
    for (int b = 0; b < c->n_path; b++) path_column(g, c, z, m, b, &bend_1, &bend_2);
    point_columns(g, c, z, m, &bend_1, &bend_2);
  }
  apply_tangent(g, 0, nv, 1, m);
  apply_tangent(g, nv, nv + g->n_rows, -1, m);
  apply_tangent(g, nv + g->n_rows, g->n, 1, m);
  for (int k = 0; k < g->n_contacts; k++) {
    rate_columns(g, &g->contacts[k], z, m);
    impulse_columns(g, &g->contacts[k], z, m);
    layer_columns(g, &g->contacts[k], z, m);
    *entry(m, srs_smooth_impulse(&g->contacts[k]), srs_smooth_gap(&g->contacts[k])) = 1;
  }
  constant_parts(g, m);
  for (int i = 0; i < nv; i++)
    for (int j = 0; j < g->n; j++) *entry(m, i, j) *= g->scale[i];
  for (int r = 0; r < g->n; r++)
    for (int i = 0; i < nv; i++) *entry(m, r, i) *= g->scale[i];
}
