// How do joint forces change with the state? The derivatives of inverse dynamics by composite quantities: Singh,
// Russell & Wensing, IEEE Robotics and Automation Letters 7(2), 2022; Carpentier & Mansard, RSS 2018.
//
// With the motion V_c = [w; v], classical acceleration [alpha; a] that the parent carries to the segment's origin, and
// a column S = [s; l] of its joint,
//
//   psi'  = V_c x S = [w x s; v x s + w x l]
//   psi'' = [alpha x s + w x (w x s); a x s + 2 v x (w x s) + alpha x l + w x (w x l)]
//   S'    = V x S, V the segment's own motion
//
// B = V x* I - I V x + (I V) x̄* of a body acts on the angular part alone and takes 12 numbers: with the momentum [n;
// p],
//
//   B = [Y - [n]x; -2 [p]x],  Y = [w]x I - I [w]x - v h^T - h v^T + 2 (h.v) 1, symmetric
//
// and moves to the parent by Y' = R Y R^T - p r^T - r p^T + 2 (r.p) 1. Of the bodies outward of a segment, with wrench
// f,
//
//   t1 = I S   t2 = B S + I (psi' + S')   t3 = B psi' + I psi'' + S x̄* f   t4 = B^T S
//
// and for a column i of the same segment or one before it
//
//   dtau_i/dv_j = S_i.t2_j             dtau_j/dv_i = t1_j.(psi'_i + S'_i) + t4_j.S_i
//   dtau_i/dq_j = S_i.t3_j (before)    dtau_j/dq_i = t1_j.psi''_i + t4_j.psi'_i
#include "engine/generate/recursions.h"

// The composite of a segment.
typedef struct composite {
  srs_term_body body;
  term33 y;
  term6 momentum;
} composite;

// A column's rates.
typedef struct column_rates {
  term6 s, psi, both, psi2; // S, psi', psi' + S', psi''
} column_rates;

typedef struct derivative_recording {
  srs_recording *r;
  composite *composite;
  term6 *wrench;
  term3 *carried_v, *v; // the parent's at the segment's origin; its own
  column_rates *rates;  // nv
  srs_term *dq, *dv, *da;
  int nv;
} derivative_recording;

static term6 add6(srs_graph *g, term6 a, term6 b)
{
  return (term6){term3_add(g, a.ang, b.ang), term3_add(g, a.lin, b.lin)};
}

static srs_term dot6(srs_graph *g, term6 a, term6 b)
{
  return srs_add(g, term3_dot(g, a.ang, b.ang), term3_dot(g, a.lin, b.lin));
}

// Adds -a b^T - b a^T + 2 (a.b) 1.
static void add_symmetric(srs_graph *g, term33 *y, term3 a, term3 b)
{
  srs_term along[3];
  const srs_term two = srs_constant(g, 2);
  for (int i = 0; i < 3; i++) along[i] = srs_multiply(g, srs_multiply(g, two, a.x[i]), b.x[i]);
  for (int i = 0; i < 3; i++) {
    y->m[i][i] = srs_add(g, y->m[i][i], srs_add(g, along[(i + 1) % 3], along[(i + 2) % 3]));
    for (int j = 0; j < i; j++) {
      const srs_term products = srs_add(g, srs_multiply(g, a.x[i], b.x[j]), srs_multiply(g, b.x[i], a.x[j]));
      y->m[i][j] = y->m[j][i] = srs_subtract(g, y->m[i][j], products);
    }
  }
}

// I [alpha; a] of a body.
static term6 body_times(srs_graph *g, const srs_term_body *b, term6 x)
{
  return (term6){term3_add(g, term33_times(g, &b->inertia, x.ang), term3_cross(g, b->moment, x.lin)),
                 term3_subtract(g, term3_scale(g, b->mass, x.lin), term3_cross(g, b->moment, x.ang))};
}

static composite own_composite(srs_recording *r, int k, term3 v)
{
  srs_graph *g = &r->graph;
  const srs_segment_terms *t = &r->terms[k];
  const term33 wx = term33_cross(g, t->w), half = term33_product(g, &wx, &t->body.inertia);
  const term33 other = term33_transpose(&half);
  composite c = {.body = t->body, .y = term33_add(g, &half, &other)};
  c.momentum = body_times(g, &t->body, (term6){t->w, v});
  add_symmetric(g, &c.y, v, t->body.moment);
  return c;
}

static void add_to_parent(srs_recording *r, int k, const composite *from, composite *to)
{
  srs_graph *g = &r->graph;
  const srs_term_body body = srs_record_body_to_parent(r, k, &from->body);
  to->body = srs_record_add_bodies(g, &to->body, &body);
  term33 y = srs_record_outward_symmetric(r, k, &from->y);
  const term6 momentum = srs_record_to_parent(r, k, from->momentum);
  add_symmetric(g, &y, momentum.lin, r->terms[k].arm);
  to->y = term33_add(g, &to->y, &y);
  to->momentum = add6(g, to->momentum, momentum);
}

static void record_linear_velocities(derivative_recording *d)
{
  srs_recording *r = d->r;
  srs_graph *g = &r->graph;
  for (int k = 0; k < r->segments->n; k++) {
    const int parent = r->segments->segment[k].parent;
    d->carried_v[k] = term3_zero(g);
    if (parent >= 0)
      d->carried_v[k] =
          srs_record_inward(r, k, term3_add(g, d->v[parent], term3_cross(g, r->terms[parent].w, r->terms[k].arm)));
    d->v[k] = term3_add(g, d->carried_v[k], srs_record_sliding(r, k, r->v));
  }
}

// [w; v] x [s; l]
static term6 cross_motion(srs_graph *g, term3 w, term3 v, term6 s)
{
  return (term6){term3_cross(g, w, s.ang), term3_add(g, term3_cross(g, v, s.ang), term3_cross(g, w, s.lin))};
}

static column_rates rates_of(derivative_recording *d, int k, int column)
{
  srs_recording *r = d->r;
  srs_graph *g = &r->graph;
  const srs_segment_terms *t = &r->terms[k];
  const term3 w = t->w_carried, v = d->carried_v[k];
  column_rates c = {.s = srs_record_column(r, k, column)};
  c.psi = cross_motion(g, w, v, c.s);
  c.both = r->segments->segment[k].kind == SRS_SEGMENT_BALL ? cross_motion(g, t->w, d->v[k], c.s) : c.psi;
  c.both = add6(g, c.psi, c.both);
  const term3 ws = c.psi.ang;
  c.psi2 = cross_motion(g, t->alpha_carried, t->a_carried, c.s);
  c.psi2.ang = term3_add(g, c.psi2.ang, term3_cross(g, w, ws));
  c.psi2.lin = term3_add(g, c.psi2.lin, term3_scale(g, srs_constant(g, 2), term3_cross(g, v, ws)));
  c.psi2.lin = term3_add(g, c.psi2.lin, term3_cross(g, w, term3_cross(g, w, c.s.lin)));
  return c;
}

// B [x; .]
static term6 b_times(srs_graph *g, const composite *c, term3 x)
{
  return (term6){term3_subtract(g, term33_times(g, &c->y, x), term3_cross(g, c->momentum.ang, x)),
                 term3_scale(g, srs_constant(g, -2), term3_cross(g, c->momentum.lin, x))};
}

static term6 by_velocity(derivative_recording *d, int k, const column_rates *c)
{
  srs_graph *g = &d->r->graph;
  const composite *all = &d->composite[k];
  return add6(g, b_times(g, all, c->s.ang), body_times(g, &all->body, c->both));
}

static term6 by_position(derivative_recording *d, int k, const column_rates *c)
{
  srs_graph *g = &d->r->graph;
  const composite *all = &d->composite[k];
  const term6 f = d->wrench[k];
  const term6 turned = {term3_add(g, term3_cross(g, c->s.ang, f.ang), term3_cross(g, c->s.lin, f.lin)),
                        term3_cross(g, c->s.ang, f.lin)};
  return add6(g, add6(g, b_times(g, all, c->psi.ang), body_times(g, &all->body, c->psi2)), turned);
}

static term3 couple_of(derivative_recording *d, int k, const column_rates *c)
{
  srs_graph *g = &d->r->graph;
  const composite *all = &d->composite[k];
  const term3 ns = term3_cross(g, all->momentum.ang, c->s.ang);
  const term3 pl = term3_scale(g, srs_constant(g, 2), term3_cross(g, all->momentum.lin, c->s.lin));
  return term3_add(g, term3_add(g, term33_times(g, &all->y, c->s.ang), ns), pl);
}

// t1 and t4 beside the columns of segment `at`, which is column j's own or one before it.
static void record_column(derivative_recording *d, int j, term6 t1, term3 t4, int at)
{
  srs_graph *g = &d->r->graph;
  const srs_segment *segment = &d->r->segments->segment[at];
  for (int c = 0; c < segment->nv; c++) {
    const int i = segment->v + c, nv = d->nv;
    const column_rates *rates = &d->rates[i];
    d->da[i * nv + j] = d->da[j * nv + i] = srs_record_project(d->r, at, c, t1);
    d->dq[j * nv + i] = srs_add(g, dot6(g, t1, rates->psi2), term3_dot(g, t4, rates->psi.ang));
    d->dv[j * nv + i] = srs_add(g, dot6(g, t1, rates->both), term3_dot(g, t4, rates->s.ang));
  }
}

static void record_row(derivative_recording *d, int j, term6 t, int at, srs_term *matrix)
{
  const srs_segment *segment = &d->r->segments->segment[at];
  for (int c = 0; c < segment->nv; c++) matrix[(segment->v + c) * d->nv + j] = srs_record_project(d->r, at, c, t);
}

// One vector after the other is made and goes to the root, so that few numbers are alive.
static void record_columns(derivative_recording *d, int k)
{
  srs_recording *r = d->r;
  const srs_segment *segment = r->segments->segment;
  for (int c = 0; c < segment[k].nv; c++) {
    const int j = segment[k].v + c;
    const column_rates *rates = &d->rates[j];
    term6 t = body_times(&r->graph, &d->composite[k].body, rates->s);
    term3 t4 = couple_of(d, k, rates);
    for (int at = k; at >= 0; at = segment[at].parent) {
      record_column(d, j, t, t4, at);
      t = srs_record_to_parent(r, at, t), t4 = srs_record_outward(r, at, t4);
    }
    t = by_velocity(d, k, rates);
    for (int at = k; at >= 0; t = srs_record_to_parent(r, at, t), at = segment[at].parent)
      record_row(d, j, t, at, d->dv);
    t = by_position(d, k, rates);
    for (int at = k; at >= 0; t = srs_record_to_parent(r, at, t), at = segment[at].parent)
      if (at != k) record_row(d, j, t, at, d->dq);
  }
}

static bool take(derivative_recording *d, srs_arena *arena)
{
  const size_t n = (size_t)d->r->segments->n, nv = (size_t)d->nv;
  d->composite = srs_arena_take(arena, n, sizeof *d->composite);
  d->wrench = srs_arena_take(arena, n, sizeof *d->wrench);
  d->carried_v = srs_arena_take(arena, n, sizeof *d->carried_v);
  d->v = srs_arena_take(arena, n, sizeof *d->v);
  d->rates = srs_arena_take(arena, nv, sizeof *d->rates);
  return !arena->failed;
}

bool srs_record_derivatives(srs_recording *r, srs_arena *arena, srs_term *derivatives)
{
  const srs_segments *s = r->segments;
  const int nv = s->model->nv;
  derivative_recording d = {.r = r, .nv = nv};
  d.dq = derivatives, d.dv = derivatives + (size_t)nv * (size_t)nv, d.da = d.dv + (size_t)nv * (size_t)nv;
  srs_term *tau = srs_arena_take(arena, (size_t)nv, sizeof *tau);
  if (tau == NULL || !take(&d, arena)) return false;
  for (int i = 0; i < 3 * nv * nv; i++) derivatives[i] = srs_constant(&r->graph, 0);
  srs_record_velocities(r);
  srs_record_inverse_dynamics(r, r->a, d.wrench, tau);
  record_linear_velocities(&d);
  for (int k = 0; k < s->n; k++) {
    d.composite[k] = own_composite(r, k, d.v[k]);
    for (int c = 0; c < s->segment[k].nv; c++) d.rates[s->segment[k].v + c] = rates_of(&d, k, c);
  }
  for (int k = s->n - 1; k >= 0; k--) {
    record_columns(&d, k);
    if (s->segment[k].parent >= 0) add_to_parent(r, k, &d.composite[k], &d.composite[s->segment[k].parent]);
  }
  for (int i = 0; i < nv; i++)
    d.da[i * nv + i] = srs_add(&r->graph, d.da[i * nv + i], srs_constant(&r->graph, s->model->armature[i]));
  return true;
}
