// Loop closures and couplings: their gaps, and the constraint rows that are the gaps' exact derivatives.
//
// A closure has frames a and b at p_a, p_b. Each row is the exact derivative of its gap, so that Newton's method
// converges from afar, and the wrenches on both links are equal and opposite.
//
//   linear i      a_i . d, d = p_b - p_a; the force acts along a_i at p_b on both
//   three angular the rotation vector u = log(R_a^T R_b); du = (1 - [u]/2 + c [u]^2) R_a^T w, w = w_b - w_a
//   two angular   z the axis that is left free: f (a_z x b_z) in a's axes, f = theta / sin(theta) of the angle theta
//                 between a_z and b_z. With s = b_z . (a_x, a_y), C = a_z . b_z: gaps (-f s_y, f s_x),
//                 d(a_i . b_z) = w . (b_z x a_i), df = -h dC, h = (sin(theta) - theta cos(theta)) / sin^3(theta)
//   one angular x -a_y . b_z, and y, z by cyclic permutation
//   rod           |d| - length
//
// A coupling's gap is q_i - p(q_j) - motion, its row e_i - p'(q_j) e_j on the coordinates themselves. A tendon that is
// held has the gap L - p(L2), L and L2 being sums c . q, and the row c - p'(L2) c2.

#include "engine/loops/closure.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"
#include "topology/model/configuration.h"
#include "topology/model/tendon.h"

typedef struct ends {
  m3 axes[2];
  v3 point[2];  // in the world
  v3 origin[2]; // of the links
  int link[2];
} ends;

static ends locate(const srs_workspace *w, int closure)
{
  const srs_model *m = w->model;
  const srs_closure_ends *local = &m->closure_ends[closure];
  ends e;
  for (int i = 0; i < 2; i++) {
    e.link[i] = m->closures[closure].link[i];
    const placement *p = e.link[i] < 0 ? &world_placement : &w->place[e.link[i]];
    e.axes[i] = m3_times_matrix(p->axes, &local->axes[i]);
    e.origin[i] = p->origin;
    e.point[i] = p->origin + m3_times_packed(p->axes, &local->offset[i]);
  }
  return e;
}

static void push_torque(const ends *e, v3 torque, srs_step_row *row)
{
  row->n_sides = 0;
  srs_wrench_side(e->link[0], (v6){-torque, v3_zero}, row);
  srs_wrench_side(e->link[1], (v6){torque, v3_zero}, row);
}

static void push_force(const ends *e, v3 point, v3 force, srs_step_row *row)
{
  row->n_sides = 0;
  srs_wrench_side(e->link[0], (v6){cross(force, point - e->origin[0]), -force}, row);
  srs_wrench_side(e->link[1], (v6){cross(point - e->origin[1], force), force}, row);
}

static v3 column(const m3 *axes, int i) { return i == 0 ? axes->x : i == 1 ? axes->y : axes->z; }

// ---------------------------------------------------------------------------------------------------------------------
// Angular rows: gaps and torques about the three axes, for the axes of the mask
// ---------------------------------------------------------------------------------------------------------------------

typedef struct turn {
  double gap[3];
  v3 torque[3];
} turn;

static void one_angular(const ends *e, int i, turn *t)
{
  const v3 a = column(&e->axes[0], (i + 1) % 3), b = column(&e->axes[1], (i + 2) % 3);
  t->gap[i] = -dot(a, b);
  t->torque[i] = cross(a, b);
}

// f and h for sin(theta) = s, cos(theta) = c. By their series where the difference would cancel: its next terms are
// below rounding.
static void swing_factors(double s, double c, double *f, double *h)
{
  const double square = s * s;
  if (c > 0 && square < 1e-4) {
    *f = 1 + square * (1.0 / 6 + square * (3.0 / 40 + square * (15.0 / 336)));
    *h = 1.0 / 3 + square * (2.0 / 15 + square * (8.0 / 105 + square * (16.0 / 315)));
    return;
  }
  const double theta = atan2(s, c), safe = fmax(s, 1e-8); // at theta = pi no direction is determined
  *f = theta / safe;
  *h = (s - theta * c) / (safe * safe * safe);
}

static void two_angular(const ends *e, int z, turn *t)
{
  const int x = (z + 1) % 3, y = (z + 2) % 3;
  const v3 ax = column(&e->axes[0], x), ay = column(&e->axes[0], y), az = column(&e->axes[0], z);
  const v3 bz = column(&e->axes[1], z);
  const double sx = dot(ax, bz), sy = dot(ay, bz);
  double f, h;
  swing_factors(sqrt(sx * sx + sy * sy), dot(az, bz), &f, &h);
  const v3 rise = h * cross(bz, az);
  t->gap[x] = -f * sy;
  t->gap[y] = f * sx;
  t->torque[x] = sy * rise - f * cross(bz, ay);
  t->torque[y] = f * cross(bz, ax) - sx * rise;
}

// log(R_a^T R_b), in a's axes.
static v3 rotation_vector(const ends *e)
{
  const v3 x = m3_times_back(e->axes[0], e->axes[1].x), y = m3_times_back(e->axes[0], e->axes[1].y);
  const v3 z = m3_times_back(e->axes[0], e->axes[1].z);
  const v3 s = 0.5 * (v3){y[2] - z[1], z[0] - x[2], x[1] - y[0], 0}; // sin(theta) n
  const double sine = sqrt(dot(s, s)), cosine = 0.5 * (x[0] + y[1] + z[2] - 1);
  if (cosine > 0) return (sine > 1e-10 ? atan2(sine, cosine) / sine : 1) * s;
  const double rows[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
  double quaternion[4]; // beyond a quarter turn the sine determines the axis badly
  srs_quaternion_from_rotation(rows, quaternion);
  const v3 v = v3_load(quaternion + 1);
  const double length = sqrt(dot(v, v));
  return 2 * atan2(length, quaternion[0]) / length * v;
}

static void three_angular(const ends *e, turn *t)
{
  const v3 u = rotation_vector(e);
  const double c = srs_logarithm_factor(dot(u, u));
  for (int i = 0; i < 3; i++) {
    const v3 unit = column(&m3_identity, i), across = cross(u, unit);
    t->gap[i] = u[i];
    t->torque[i] = m3_times(e->axes[0], unit + 0.5 * across + c * cross(u, across));
  }
}

static void angular(const ends *e, unsigned mask, turn *t)
{
  switch (mask) {
  case 0x0: return;
  case 0x1: one_angular(e, 0, t); return;
  case 0x2: one_angular(e, 1, t); return;
  case 0x4: one_angular(e, 2, t); return;
  case 0x3: two_angular(e, 2, t); return;
  case 0x5: two_angular(e, 1, t); return;
  case 0x6: two_angular(e, 0, t); return;
  default: three_angular(e, t); return;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Loops
// ---------------------------------------------------------------------------------------------------------------------

static double rod_gap(const ends *e, double length)
{
  const v3 d = e->point[1] - e->point[0];
  return sqrt(dot(d, d)) - length;
}

static void rod(const ends *e, double length, srs_closure_row *out)
{
  const v3 d = e->point[1] - e->point[0];
  const double far = sqrt(dot(d, d));
  const v3 along = far > 0 ? (1 / far) * d : e->axes[0].z; // the points coincide: any direction serves
  push_force(e, e->point[1], along, &out->row);
  out->gap = rod_gap(e, length);
  out->rate = 0;
  out->is_angular = false;
}

// The vector from a's point to b's, in a's axes.
static v3 distance(const ends *e) { return m3_times_back(e->axes[0], e->point[1] - e->point[0]); }

// Fills the rows of a mask; returns how many.
static int masked_rows(const ends *e, unsigned mask, srs_closure_row *out)
{
  turn t;
  angular(e, mask & 0x7, &t);
  const v3 d = distance(e);
  int n = 0;
  for (int i = 0; i < 6; i++) {
    if ((mask >> i & 1u) == 0) continue;
    out[n].is_angular = i < 3;
    out[n].rate = 0;
    if (i < 3)
      push_torque(e, t.torque[i], &out[n].row);
    else
      push_force(e, e->point[1], column(&e->axes[0], i - 3), &out[n].row);
    out[n++].gap = i < 3 ? t.gap[i] : d[i - 3];
  }
  return n;
}

// Appends the sides of the terms first … end - 1, times a factor.
static void tendon_sides(const srs_workspace *w, const srs_tendon *t, int first, int end, double factor,
                         srs_step_row *row)
{
  for (int i = first; i < end; i++) srs_coordinate_sides(w, t->v[i], factor * t->coefficients[i], row);
}

static void tendon_row(const srs_workspace *w, const srs_closure *c, const double *q, srs_closure_row *out)
{
  _Static_assert((int)SRS_TENDON_TERMS <= (int)SRS_ROW_SIDES, "a row has a side for each term");
  const srs_tendon *t = c->tendon;
  double slope;
  out->gap = srs_tendon_gap(t, q, &slope);
  out->rate = 0;
  out->is_angular = t->is_angle;
  out->row.n_sides = 0;
  tendon_sides(w, t, 0, t->n_terms, 1, &out->row);
  tendon_sides(w, t, t->n_terms, t->n_terms + t->n_leaders, -slope, &out->row);
}

static int closure_rows(const srs_workspace *w, const double *q, int closure, double time, srs_closure_row *out)
{
  const srs_closure *c = &w->model->closures[closure];
  if (c->tendon != NULL) {
    if (c->n_rows > 0) tendon_row(w, c, q, out), out->closure = closure;
    return c->n_rows;
  }
  const ends e = locate(w, closure);
  if (c->kind == SRS_CLOSURE_ROD)
    rod(&e, c->length, out);
  else
    masked_rows(&e, c->rows, out);
  for (int i = 0; i < c->n_rows; i++) out[i].closure = closure;
  if (c->motion.kind != SRS_MOTION_NONE)
    out[c->motion_row].gap -= srs_motion_at(&c->motion, time, &out[c->motion_row].rate);
  return c->n_rows;
}

int srs_target_rows(const srs_workspace *w, int frame, const srs_pose *pose, unsigned mask, srs_closure_row *rows)
{
  const srs_model *m = w->model;
  const int link = m->frame_link[frame];
  const placement *p = link < 0 ? &world_placement : &w->place[link];
  const mat3 wanted = mat3_from_rows(pose->rotation);
  ends e = {.link = {-1, link}};
  e.axes[0] = m3_times_matrix(m3_identity, &wanted);
  e.axes[1] = m3_times_matrix(p->axes, &m->frame_axes[frame]);
  e.origin[0] = v3_zero;
  e.origin[1] = p->origin;
  e.point[0] = v3_load(pose->position);
  e.point[1] = p->origin + m3_times_packed(p->axes, &m->frame_offset[frame]);
  const int n = masked_rows(&e, mask, rows);
  for (int i = 0; i < n; i++) rows[i].closure = -1;
  return n;
}

double srs_coupling_value(const srs_coupling *c, const double *q, double time, double *slope, double *rate)
{
  double value = 0;
  *slope = 0;
  for (int k = SRS_COUPLING_TERMS - 1; c->leader_q >= 0 && k >= 0; k--) { // Horner's scheme, with the derivative
    *slope = *slope * q[c->leader_q] + value;
    value = value * q[c->leader_q] + c->coefficients[k];
  }
  return value + srs_motion_at(&c->motion, time, rate);
}

static void coupling_row(const srs_workspace *w, int coupling, const double *q, double time, srs_closure_row *out)
{
  const srs_coupling *c = &w->model->couplings[coupling];
  double slope;
  out->gap = q[c->follower_q] - srs_coupling_value(c, q, time, &slope, &out->rate);
  out->closure = w->model->n_closures + coupling;
  out->is_angular = c->is_angle;
  out->row.n_sides = 0;
  srs_coordinate_sides(w, c->follower_v, 1, &out->row);
  if (c->leader_q >= 0) srs_coordinate_sides(w, c->leader_v, -slope, &out->row);
}

int srs_closure_rows(const srs_workspace *w, const double *q, double time, srs_closure_row *rows)
{
  int n = 0;
  for (int i = 0; i < w->model->n_closures; i++) n += closure_rows(w, q, i, time, rows + n);
  for (int i = 0; i < w->model->n_couplings; i++) coupling_row(w, i, q, time, &rows[n++]);
  return n;
}

static void closure_gaps(const srs_workspace *w, const double *q, int closure, double time, double *gaps)
{
  const srs_closure *c = &w->model->closures[closure];
  double rate;
  if (c->tendon != NULL) {
    if (c->n_rows > 0) gaps[0] = srs_tendon_gap(c->tendon, q, &rate);
    return;
  }
  const ends e = locate(w, closure);
  if (c->kind == SRS_CLOSURE_ROD) {
    gaps[0] = rod_gap(&e, c->length);
  } else {
    turn t;
    angular(&e, c->rows & 0x7, &t);
    const v3 d = distance(&e);
    for (int i = 0, n = 0; i < 6; i++)
      if ((c->rows >> i & 1u) != 0) gaps[n++] = i < 3 ? t.gap[i] : d[i - 3];
  }
  if (c->motion.kind != SRS_MOTION_NONE) gaps[c->motion_row] -= srs_motion_at(&c->motion, time, &rate);
}

void srs_closure_gaps(const srs_workspace *w, const double *q, double time, double *gaps)
{
  const srs_model *m = w->model;
  double slope, rate;
  for (int i = 0; i < m->n_closures; gaps += m->closures[i++].n_rows) closure_gaps(w, q, i, time, gaps);
  for (int i = 0; i < m->n_couplings; i++)
    gaps[i] = q[m->couplings[i].follower_q] - srs_coupling_value(&m->couplings[i], q, time, &slope, &rate);
}

// ---------------------------------------------------------------------------------------------------------------------
// Second derivatives, where the gaps and their rates are zero: with w and alpha, a changes at the rate w x a, and that
// rate at alpha x a + w x (w x a)
// ---------------------------------------------------------------------------------------------------------------------

// Motion of an end: angular velocity and acceleration of its axes w, alpha; velocity and acceleration of its point.
typedef struct end_motion {
  v3 w, alpha, velocity, acceleration;
} end_motion;

static end_motion motion_of(const srs_workspace *w, const ends *e, int end)
{
  const int link = e->link[end];
  if (link < 0) return (end_motion){v3_zero, v3_zero, v3_zero, v3_zero};
  const v6 velocity = w->velocity[link], acceleration = w->acceleration[link];
  const v3 arm = e->point[end] - e->origin[end];
  return (end_motion){velocity.ang, acceleration.ang, velocity.lin + cross(velocity.ang, arm),
                      acceleration.lin + cross(acceleration.ang, arm) + cross(velocity.ang, cross(velocity.ang, arm))};
}

static v3 second_of_axis(const end_motion *m, v3 a) { return cross(m->alpha, a) + cross(m->w, cross(m->w, a)); }

// The second derivative of a . b, one axis of each end.
static double second_of_product(const end_motion m[2], v3 a, v3 b)
{
  return dot(second_of_axis(&m[0], a), b) + 2 * dot(cross(m[0].w, a), cross(m[1].w, b)) +
         dot(a, second_of_axis(&m[1], b));
}

static void angular_bias(const ends *e, const end_motion m[2], unsigned mask, double bias[3])
{
  const bool is_all = mask == 0x7;
  const v3 relative = m3_times_back(e->axes[0], m[1].alpha - m[0].alpha);
  for (int x = 0; x < 3; x++) {
    const int y = (x + 1) % 3, z = (x + 2) % 3;
    const m3 *a = &e->axes[0], *b = &e->axes[1];
    if (is_all)
      bias[x] = relative[x];
    else if (mask == 1u << x || (mask >> y & 1u) != 0) // by itself, or the axis left free is z
      bias[x] = -second_of_product(m, column(a, y), column(b, z));
    else // the axis left free is y
      bias[x] = second_of_product(m, column(a, z), column(b, y));
  }
}

static void masked_bias(const ends *e, const end_motion m[2], unsigned mask, double *bias)
{
  double angular[3];
  angular_bias(e, m, mask & 0x7, angular);
  const v3 d = e->point[1] - e->point[0], rate = m[1].velocity - m[0].velocity;
  const v3 change = m[1].acceleration - m[0].acceleration;
  int n = 0;
  for (int i = 0; i < 6; i++) {
    if ((mask >> i & 1u) == 0) continue;
    const v3 a = column(&e->axes[0], i % 3);
    bias[n++] =
        i < 3 ? angular[i] : dot(second_of_axis(&m[0], a), d) + 2 * dot(cross(m[0].w, a), rate) + dot(a, change);
  }
}

void srs_closure_bias(const srs_workspace *w, double *bias)
{
  for (int i = 0, n = 0; i < w->model->n_closures; n += w->model->closures[i++].n_rows) {
    const srs_closure *c = &w->model->closures[i];
    if (c->tendon != NULL) { // of embedded loops alone is this asked for
      if (c->n_rows > 0) bias[n] = 0;
      continue;
    }
    const ends e = locate(w, i);
    const end_motion m[2] = {motion_of(w, &e, 0), motion_of(w, &e, 1)};
    if (c->kind != SRS_CLOSURE_ROD) {
      masked_bias(&e, m, c->rows, bias + n);
      continue;
    }
    const v3 rate = m[1].velocity - m[0].velocity, d = e.point[1] - e.point[0];
    bias[n] = (dot(rate, rate) + dot(d, m[1].acceleration - m[0].acceleration)) / c->length;
  }
}

double srs_largest_gap(const srs_closure_row *rows, int n_rows)
{
  double largest = 0;
  for (int i = 0; i < n_rows; i++) {
    const double size = fabs(rows[i].gap);
    if (!(size <= largest)) largest = size; // NaN counts as the largest
  }
  return largest;
}

// ---------------------------------------------------------------------------------------------------------------------
// The free coordinate of a loop joint
// ---------------------------------------------------------------------------------------------------------------------

bool srs_closure_coordinate_row(const srs_workspace *w, int closure, srs_step_row *row)
{
  const srs_closure_kind kind = w->model->closures[closure].kind;
  const srs_tendon *tendon = w->model->closures[closure].tendon;
  if (tendon != NULL) {
    row->n_sides = 0;
    tendon_sides(w, tendon, 0, tendon->n_terms, 1, row);
    return !tendon->is_held;
  }
  const ends e = locate(w, closure);
  if (kind == SRS_CLOSURE_REVOLUTE)
    push_torque(&e, e.axes[0].z, row);
  else if (kind == SRS_CLOSURE_PRISMATIC)
    push_force(&e, e.point[1], e.axes[0].z, row);
  return kind == SRS_CLOSURE_REVOLUTE || kind == SRS_CLOSURE_PRISMATIC;
}

// The derivative of z . (w_b - w_a), or of z . (v_b - v_a), both velocities at b's point, which moves with b.
double srs_closure_coordinate_bias(const srs_workspace *w, int closure)
{
  if (w->model->closures[closure].tendon != NULL) return 0;
  ends e = locate(w, closure);
  const v3 z = e.axes[0].z;
  e.point[0] = e.point[1];
  const end_motion a = motion_of(w, &e, 0), b = motion_of(w, &e, 1);
  const v3 turning = cross(a.w, z);
  if (w->model->closures[closure].kind == SRS_CLOSURE_REVOLUTE)
    return dot(z, b.alpha - a.alpha) + dot(turning, b.w - a.w);
  const v3 rate = b.velocity - a.velocity;
  return dot(z, b.acceleration - a.acceleration - cross(a.w, rate)) + dot(turning, rate);
}

srs_status srs_closure_coordinate(const srs_workspace *w, int closure, double near, double *value, double *rate)
{
  if (w == NULL || value == NULL || closure < 0 || closure >= w->model->n_closures) return SRS_ERROR_ARGUMENT;
  if (w->model->closures[closure].tendon != NULL) return SRS_ERROR_ARGUMENT; // no workspace holds q
  if (w->state_level < (rate != NULL ? 2 : 1)) return SRS_ERROR_ARGUMENT;
  srs_place_late(w);
  srs_step_row row;
  if (!srs_closure_coordinate_row(w, closure, &row)) return SRS_ERROR_ARGUMENT;
  const ends e = locate(w, closure);
  if (w->model->closures[closure].kind == SRS_CLOSURE_PRISMATIC) {
    *value = dot(e.axes[0].z, e.point[1] - e.point[0]);
  } else {
    const double full = 2 * 3.14159265358979323846;
    const double angle = atan2(dot(e.axes[0].y, e.axes[1].x), dot(e.axes[0].x, e.axes[1].x));
    *value = angle + full * round((near - angle) / full);
  }
  if (rate != NULL) *rate = srs_row_velocity(&row, w->velocity, NULL);
  return SRS_OK;
}

srs_status srs_free_coordinate(const srs_workspace *w, const double *q, const double *v, int closure, double near,
                               double *value, double *rate)
{
  const srs_closure *c = srs_model_closure(w->model, closure);
  if (c == NULL || c->tendon == NULL) return srs_closure_coordinate(w, closure, near, value, rate);
  if (c->tendon->is_held) return SRS_ERROR_ARGUMENT;
  *value = srs_tendon_length(c->tendon, q);
  if (rate != NULL) *rate = srs_tendon_rate(c->tendon, v);
  return SRS_OK;
}

srs_loop_shape srs_shape_of_loop(const srs_model *m, int loop)
{
  srs_loop_shape s = {.n_rows = srs_model_loop_rows(m, loop), .is_on_coordinates = loop >= m->n_closures};
  const srs_tendon *tendon = loop < m->n_closures ? m->closures[loop].tendon : NULL;
  if (tendon != NULL) {
    s.is_on_coordinates = true;
    for (int k = 0; k < tendon->n_terms + tendon->n_leaders; k++) s.link[s.n_sides++] = m->link_of_v[tendon->v[k]];
  } else if (loop < m->n_closures) {
    for (int end = 0; end < 2; end++)
      if (m->closures[loop].link[end] >= 0) s.link[s.n_sides++] = m->closures[loop].link[end];
  } else {
    const srs_coupling *c = &m->couplings[loop - m->n_closures];
    s.link[s.n_sides++] = m->link_of_v[c->follower_v];
    if (c->leader_v >= 0) s.link[s.n_sides++] = m->link_of_v[c->leader_v];
  }
  return s;
}
