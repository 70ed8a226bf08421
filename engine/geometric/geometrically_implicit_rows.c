// The residual of a geometrically implicit step's equations at given unknowns. Mathematics: geometrically_implicit.c.

#include "engine/geometric/geometrically_implicit_rows.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "engine/geometric/quasi_rigid.h"
#include "engine/loops/closure.h"
#include "topology/model/configuration.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Placements at the end of the step
// ---------------------------------------------------------------------------------------------------------------------

static void place(struct srs_geometric *g, const double *z)
{
  const srs_model *m = g->model;
  for (int i = 0; i < m->nv; i++) g->v_next[i] = g->scale[i] * z[i];
  srs_integrate(m, g->step.state->q, g->v_next, g->h, g->q_next);
  srs_place_links(g->workspace, g->q_next);
}

// A link's axes as carried by its parent at the end, but with its own joint's rotation as at the start of the step.
// (They are the columns of a ball's or free joint's rotation. The velocity that they give to v+ is that of the axes at
// the end, since exp(h w) w = w; and an impulse changes the angular momentum in space along them, whereas the axes at
// the end would turn with the body.)
static m3 axes_at_start(const struct srs_geometric *g, int link)
{
  const srs_model *m = g->model;
  const srs_workspace *w = g->workspace;
  const int quaternion = srs_joint_kind_quaternion((srs_joint_kind)m->kind[link]);
  const mat3 turned = mat3_from_quaternion(g->step.state->q + m->q_index[link] + quaternion);
  const placement *parent = m->parent[link] < 0 ? &world_placement : &w->place[m->parent[link]];
  return m3_times_matrix(m3_times_matrix(parent->axes, &m->turn[link]), &turned);
}

void srs_smooth_motions(const struct srs_geometric *g, smooth_contact *c)
{
  const srs_model *m = g->model;
  const srs_workspace *w = g->workspace;
  v3 slip = v3_zero, spin = v3_zero;
  m3 axes = m3_identity;
  for (int a = 0, last = -1; a < c->n_path; a++) {
    const int i = c->path[a], link = m->link_of_v[i], turning = srs_turning_coordinate(m, i);
    if (turning >= 0 && link != last) {
      axes = axes_at_start(g, link);
      last = link;
    }
    v6 s = turning < 0 ? joint_column(w, link, i) : v6_zero;
    if (turning >= 0) s.ang = turning == 0 ? axes.x : turning == 1 ? axes.y : axes.z;
    c->turn[a] = s.ang;
    c->move[a] = s.lin + cross(s.ang, c->x - w->place[link].origin);
    const double rate = c->side[a] * g->v_next[i];
    slip += rate * c->move[a];
    spin += rate * c->turn[a];
  }
  c->slip = slip;
  c->spin = spin;
}

static smooth_value value_at(const struct srs_geometric *g, int link, const smooth_part *part, v3 point)
{
  const placement *p = link < 0 ? &world_placement : &g->workspace->place[link];
  smooth_value out = {.axes = m3_times_matrix(p->axes, &part->axes)};
  const v3 arm = point - (p->origin + m3_times_packed(p->axes, &part->offset)), local = m3_times_back(out.axes, arm);
  const srs_surface_point at = srs_surface_at(&part->surface, (vec3){local[0], local[1], local[2]});
  out.value = at.value;
  out.gradient = m3_times_packed(out.axes, &at.gradient);
  out.hessian = at.hessian;
  return out;
}

// Evaluates the functions of one side at a point. Returns the sum of their gradients, weighted by the multipliers.
static v3 find_values(const struct srs_geometric *g, const smooth_contact *c, int side, v3 point, const double *z)
{
  smooth_value *values = g->values + c->surface + (side > 0 ? c->n_parts[0] : 0);
  const double *multiplier = z + srs_smooth_multiplier(c, side);
  v3 sum = v3_zero;
  for (int i = 0; i < c->n_parts[side]; i++) {
    values[i] = value_at(g, c->link[side], &c->part[side][i], point);
    sum += multiplier[i] * values[i].gradient;
  }
  return sum;
}

v3 srs_smooth_normal(const struct srs_geometric *g, const smooth_contact *c, const double *multipliers)
{
  v3 sum = v3_zero;
  for (int i = 0; i < c->n_parts[0]; i++)
    sum += multipliers[i] * value_at(g, c->link[0], &c->part[0][i], c->x).gradient;
  return sum;
}

void srs_smooth_tangents(const struct srs_geometric *g, smooth_contact *c)
{
  const smooth_pair *pair = &g->pairs[c->pair];
  c->across = c->reference;
  if (pair->anisotropy_side >= 0 && c->link[pair->anisotropy_side] >= 0)
    c->across = m3_times(g->workspace->place[c->link[pair->anisotropy_side]].axes, c->reference);
  const v3 within = c->across - dot(c->across, c->n) * c->n;
  c->across_length = sqrt(dot(within, within));
  c->t = within * (1 / c->across_length);
  c->o = cross(c->n, c->t);
}

static void find_impulses(const struct srs_geometric *g, smooth_contact *c, const double *z)
{
  const double *p = z + srs_smooth_impulse(c), *anisotropy = g->pairs[c->pair].anisotropy;
  c->force = -c->impulse_scale * p[0] * c->n;
  c->torque = v3_zero;
  for (int k = 0; k < c->n_friction; k++) {
    const int row = c->friction_row[k];
    const double impulse = c->impulse_scale * anisotropy[row] * p[1 + k];
    if (row < 2)
      c->force += impulse * (row == 0 ? c->t : c->o);
    else
      c->torque += impulse * c->n;
  }
}

static void evaluate(struct srs_geometric *g, smooth_contact *c, const double *z)
{
  c->x = c->start + c->gap_scale * v3_load(z + c->first);
  c->n = find_values(g, c, 0, c->x, z);
  c->y = c->x + c->gap_scale * z[srs_smooth_gap(c)] * c->n;
  c->second = find_values(g, c, 1, c->y, z);
  srs_smooth_motions(g, c);
  srs_smooth_tangents(g, c);
  find_impulses(g, c, z);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

// M (v+ - v_free) minus the impulses of rows at the start.
static void momentum_rows(const struct srs_geometric *g, const double *z, double *F)
{
  const int nv = g->model->nv;
  for (int i = 0; i < nv; i++) {
    const double *row = g->mass + (size_t)i * (size_t)nv;
    double sum = 0;
    for (int j = 0; j < nv; j++) sum += row[j] * (g->v_next[j] - g->v_free[j]);
    F[i] = sum;
  }
  for (int k = 0; k < g->n_rows; k++) {
    const double impulse = g->rows[k].scale * z[nv + k], *row = g->row_matrix + (size_t)k * (size_t)nv;
    for (int i = 0; i < nv; i++) F[i] -= impulse * row[i];
  }
}

// Rows of loops: the gap at the end. Other rows: their velocity, linear in v+.
static void other_rows(const struct srs_geometric *g, const double *z, double *F)
{
  struct srs_constraints *c = g->constraints;
  const int nv = g->model->nv;
  if (c->n_loop_rows > 0) srs_closure_rows(g->workspace, g->q_next, *g->step.state->time + g->h, c->loop_rows);
  for (int k = 0; k < g->n_rows; k++) {
    const smooth_row *row = &g->rows[k];
    if (row->is_loop) {
      F[nv + k] = row->scale * c->loop_rows[row->index].gap / g->h;
      continue;
    }
    const scalar_row *scalar = &c->scalars[row->index];
    const double *line = g->row_matrix + (size_t)k * (size_t)nv;
    double velocity = scalar->shift + scalar->softness * row->scale * z[nv + k];
    for (int i = 0; i < nv; i++) velocity += line[i] * g->v_next[i];
    F[nv + k] = row->scale * velocity;
  }
}

// With one function the point lies on the surface; with several, each has a multiplier and a complementarity condition.
static void surface_rows(const struct srs_geometric *g, const smooth_contact *c, int side, double *F)
{
  const smooth_value *values = g->values + c->surface + (side > 0 ? c->n_parts[0] : 0);
  const double sign = c->n_parts[side] == 1 ? 1 : -1;
  for (int i = 0; i < c->n_parts[side]; i++)
    F[srs_smooth_multiplier(c, side) + i] = sign * values[i].value / c->gap_scale;
}

// x - Pi(x - w), Pi the projection to the ball |x| <= mu p_n.
static void friction_rows(const struct srs_geometric *g, const smooth_contact *c, const double *z, double *F)
{
  const int first = srs_smooth_impulse(c);
  const double radius = g->friction_scale * g->pairs[c->pair].friction * fmax(0, z[first]);
  double velocity[FRICTION_ROWS], target[FRICTION_ROWS];
  const double length = srs_friction_target(g, c, z, velocity, target);
  for (int k = 0; k < c->n_friction; k++)
    F[first + 1 + k] = radius > 0 && length <= radius
                           ? velocity[k]
                           : z[first + 1 + k] - (length > 0 ? radius / length * target[k] : 0);
}

static void contact_rows(const struct srs_geometric *g, const smooth_contact *c, const double *z, double *F)
{
  v3_store(F + c->first, c->n + c->second);
  F[srs_smooth_gap(c)] = 0.5 * (dot(c->n, c->n) - 1);
  surface_rows(g, c, 0, F);
  surface_rows(g, c, 1, F);
  F[srs_smooth_impulse(c)] = z[srs_smooth_gap(c)];
  friction_rows(g, c, z, F);
  srs_layer_rows(g, c, z, F);
  for (int a = 0; a < c->n_path; a++)
    if (c->side[a] != 0) F[c->path[a]] -= c->side[a] * (dot(c->turn[a], c->torque) + dot(c->move[a], c->force));
}

double srs_friction_target(const struct srs_geometric *g, const smooth_contact *c, const double *z, double *velocity,
                           double *target)
{
  const double *anisotropy = g->pairs[c->pair].anisotropy, *x = z + srs_smooth_impulse(c) + 1;
  double square = 0;
  for (int k = 0; k < c->n_friction; k++) {
    const int row = c->friction_row[k];
    const double slip = row == 0 ? dot(c->t, c->slip) : row == 1 ? dot(c->o, c->slip) : dot(c->n, c->spin);
    velocity[k] = c->impulse_scale * anisotropy[row] * (slip + srs_layer_slip(g, c, z, k));
    target[k] = x[k] - velocity[k];
    square += target[k] * target[k];
  }
  return sqrt(square);
}

void srs_geometric_function(void *data, const double *z, double *F)
{
  struct srs_geometric *g = data;
  const size_t bytes = (size_t)g->n * sizeof *z;
  if (g->has_values && memcmp(z, g->at, bytes) == 0) {
    memcpy(F, g->F, bytes);
    return;
  }
  place(g, z);
  momentum_rows(g, z, F);
  if (g->n_rows > 0) other_rows(g, z, F);
  for (int k = 0; k < g->n_contacts; k++) {
    evaluate(g, &g->contacts[k], z);
    contact_rows(g, &g->contacts[k], z, F);
  }
  for (int i = 0; i < g->model->nv; i++) F[i] *= g->scale[i];
  memcpy(g->at, z, bytes);
  memcpy(g->F, F, bytes);
  g->has_values = true;
}
