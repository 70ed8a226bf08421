// Which accelerations do forces give? Two ways, of which the generator takes the one with fewer operations: the
// articulated-body algorithm (Featherstone 2008, ch. 7), and the mass matrix factored as L^T D L from the last
// coordinate to the first, which leaves the zeros between branches zero (ibid. sec. 6.5).
//
// An articulated inertia is [A B; B^T C] on [alpha; a]: n = A alpha + B a + ..., f = B^T alpha + C a + ... A ball's
// columns are eliminated one after the other, each by
//
//   U = I S,  D = S^T U + armature,  u = tau - S^T p,  I -= U U^T / D,  p += U u / D,  S^T a = (u - U^T a') / D
#include "engine/generate/recursions.h"

typedef struct articulated {
  srs_term m[6][6]; // symmetric
  srs_term p[6];
} articulated;

typedef struct pivot {
  srs_term U[6], inverse, u;
} pivot;

static void unpack(const srs_term_body *b, srs_graph *g, articulated *out)
{
  const term33 h = term33_cross(g, b->moment);
  const srs_term zero = srs_constant(g, 0);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      out->m[i][j] = b->inertia.m[i][j];
      out->m[i][3 + j] = out->m[3 + j][i] = h.m[i][j]; // n has h x a, f has -h x alpha
      out->m[3 + i][3 + j] = i == j ? b->mass : zero;
    }
}

static term33 block(const articulated *a, int row, int column)
{
  term33 out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out.m[i][j] = a->m[row + i][column + j];
  return out;
}

// The unit column as six terms.
static void column_of(srs_graph *g, const srs_segment *segment, int column, srs_term s[6])
{
  for (int i = 0; i < 6; i++) s[i] = srs_constant(g, 0);
  s[srs_record_entry(segment, column)] = srs_constant(g, 1);
  if (segment->kind == SRS_SEGMENT_SCREW) s[5] = srs_constant(g, segment->pitch);
}

static srs_term dot6(srs_graph *g, const srs_term *a, const srs_term *b)
{
  srs_term sum = srs_multiply(g, a[0], b[0]);
  for (int i = 1; i < 6; i++) sum = srs_add(g, sum, srs_multiply(g, a[i], b[i]));
  return sum;
}

static void eliminate(srs_recording *r, int k, int column, articulated *a, pivot *out)
{
  srs_graph *g = &r->graph;
  const srs_segment *segment = &r->segments->segment[k];
  const int v = segment->v + column;
  srs_term s[6], part[6];
  column_of(g, segment, column, s);
  for (int i = 0; i < 6; i++) out->U[i] = dot6(g, a->m[i], s);
  const srs_term d = srs_add(g, dot6(g, s, out->U), srs_constant(g, r->segments->model->armature[v]));
  out->inverse = srs_divide(g, srs_constant(g, 1), d);
  out->u = srs_subtract(g, r->tau[v], dot6(g, s, a->p));
  const srs_term pull = srs_multiply(g, out->u, out->inverse);
  for (int i = 0; i < 6; i++) part[i] = out->U[i] == d ? srs_constant(g, 1) : srs_multiply(g, out->U[i], out->inverse);
  for (int i = 0; i < 6; i++) {
    a->p[i] = srs_add(g, a->p[i], srs_multiply(g, out->U[i], pull));
    if (out->U[i] == d && s[i] == srs_constant(g, 1)) a->p[i] = r->tau[v]; // p + (tau - p)
    for (int j = 0; j <= i; j++) {
      const srs_term less = out->U[j] == d ? out->U[i] : srs_multiply(g, part[i], out->U[j]);
      a->m[i][j] = a->m[j][i] = srs_subtract(g, a->m[i][j], less);
    }
  }
}

// p += I c, the rest of the acceleration that the segment has without its joint's: R^T (w_p x (w_p x arm)), w x ang v
// and 2 w x lin v.
static void add_bias(srs_recording *r, int k, const srs_term c[6], articulated *a)
{
  (void)k;
  for (int i = 0; i < 6; i++) a->p[i] = srs_add(&r->graph, a->p[i], dot6(&r->graph, a->m[i], c));
}

// [A B; B^T C] to the parent: turned, then with r = arm: C' = C, B' = B + r x C, A' = A + r x B^T - B' r x.
static void add_to_parent(srs_recording *r, int k, const articulated *from, articulated *to)
{
  srs_graph *g = &r->graph;
  const term33 a = block(from, 0, 0), b = block(from, 0, 3), c = block(from, 3, 3);
  term33 at = srs_record_outward_symmetric(r, k, &a), ct = srs_record_outward_symmetric(r, k, &c);
  term33 bt = srs_record_outward_matrix(r, k, &b);
  const term33 rx = term33_cross(g, r->terms[k].arm);
  const term33 rc = term33_product(g, &rx, &ct), bt_transposed = term33_transpose(&bt);
  const term33 moved = term33_add(g, &bt, &rc);
  const term33 rb = term33_product(g, &rx, &bt_transposed), br = term33_product(g, &moved, &rx);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      if (j <= i)
        to->m[i][j] = to->m[j][i] =
            srs_add(g, to->m[i][j], srs_add(g, at.m[i][j], srs_subtract(g, rb.m[i][j], br.m[i][j])));
      to->m[i][3 + j] = to->m[3 + j][i] = srs_add(g, to->m[i][3 + j], moved.m[i][j]);
      if (j <= i) to->m[3 + i][3 + j] = to->m[3 + j][3 + i] = srs_add(g, to->m[3 + i][3 + j], ct.m[i][j]);
    }
  const term6 p = {{{from->p[0], from->p[1], from->p[2]}}, {{from->p[3], from->p[4], from->p[5]}}};
  const term6 f = srs_record_to_parent(r, k, p);
  for (int i = 0; i < 3; i++) {
    to->p[i] = srs_add(g, to->p[i], f.ang.x[i]);
    to->p[3 + i] = srs_add(g, to->p[3 + i], f.lin.x[i]);
  }
}

static void drift(srs_recording *r, int k, srs_term c[6])
{
  srs_graph *g = &r->graph;
  const srs_segment *segment = &r->segments->segment[k];
  const srs_segment_terms *t = &r->terms[k];
  const term3 ang = term3_cross(g, t->w_carried, srs_record_turning(r, k, r->v));
  term3 lin = term3_scale(g, srs_constant(g, 2), term3_cross(g, t->w_carried, srs_record_sliding(r, k, r->v)));
  if (segment->parent >= 0) {
    const term33 square = srs_record_rate_matrix(g, r->terms[segment->parent].w, term3_zero(g));
    lin = term3_add(g, lin, srs_record_inward(r, k, term33_times(g, &square, t->arm)));
  }
  for (int i = 0; i < 3; i++) c[i] = ang.x[i], c[3 + i] = lin.x[i];
}

// a' = X a_p + c: what the segment would do without its joint's accelerations.
static void carry(srs_recording *r, int k, const srs_term parent[6], srs_term out[6])
{
  srs_graph *g = &r->graph;
  const term3 alpha = {{parent[0], parent[1], parent[2]}}, a = {{parent[3], parent[4], parent[5]}};
  const term3 ang = srs_record_inward(r, k, alpha);
  const term3 lin = srs_record_inward(r, k, term3_add(g, a, term3_cross(g, alpha, r->terms[k].arm)));
  for (int i = 0; i < 3; i++) {
    out[i] = srs_add(g, ang.x[i], out[i]);
    out[3 + i] = srs_add(g, lin.x[i], out[3 + i]);
  }
}

bool srs_record_articulated(srs_recording *r, srs_arena *arena, srs_term *acceleration)
{
  srs_graph *g = &r->graph;
  const srs_segments *s = r->segments;
  articulated *a = srs_arena_take(arena, (size_t)s->n, sizeof *a);
  pivot *pivots = srs_arena_take(arena, (size_t)s->model->nv, sizeof *pivots);
  srs_term(*motion)[6] = srs_arena_take(arena, (size_t)s->n, sizeof *motion);
  if (arena->failed) return false;
  for (int k = 0; k < s->n; k++) {
    srs_segment_terms *t = &r->terms[k];
    t->alpha = t->a = term3_zero(g);
    const term6 f = srs_record_body_wrench(r, k);
    unpack(&t->body, g, &a[k]);
    for (int i = 0; i < 3; i++) a[k].p[i] = f.ang.x[i], a[k].p[3 + i] = f.lin.x[i];
    drift(r, k, motion[k]);
  }
  for (int k = s->n - 1; k >= 0; k--) {
    const srs_segment *segment = &s->segment[k];
    if (segment->parent < 0) { // gravity: the world accelerates upwards
      const term3 up = srs_record_inward(
          r, k, (term3){{srs_negate(g, r->gravity[0]), srs_negate(g, r->gravity[1]), srs_negate(g, r->gravity[2])}});
      for (int i = 0; i < 3; i++) motion[k][3 + i] = srs_add(g, motion[k][3 + i], up.x[i]);
    }
    // With c in p at once, u = tau - S^T (p + I c) and what is solved for needs U^T X a_p alone.
    add_bias(r, k, motion[k], &a[k]);
    for (int i = 0; i < segment->nv; i++) eliminate(r, k, i, &a[k], &pivots[segment->v + i]);
    if (segment->parent >= 0) add_to_parent(r, k, &a[k], &a[segment->parent]);
  }
  for (int k = 0; k < s->n; k++) {
    const srs_segment *segment = &s->segment[k];
    const srs_term zero = srs_constant(g, 0);
    srs_term moving[6] = {zero, zero, zero, zero, zero, zero}, column[6];
    srs_term rest[6] = {zero, zero, zero, zero, zero, zero};
    if (segment->parent >= 0) {
      for (int i = 0; i < 6; i++) moving[i] = rest[i];
      carry(r, k, motion[segment->parent], moving);
    }
    for (int i = segment->nv - 1; i >= 0; i--) {
      const pivot *pv = &pivots[segment->v + i];
      const int v = segment->v + i;
      acceleration[v] = srs_multiply(g, srs_subtract(g, pv->u, dot6(g, pv->U, moving)), pv->inverse);
      column_of(g, segment, i, column);
      for (int j = 0; j < 6; j++) moving[j] = srs_add(g, moving[j], srs_multiply(g, column[j], acceleration[v]));
    }
    for (int i = 0; i < 6; i++) motion[k][i] = srs_add(g, motion[k][i], moving[i]);
  }
  return true;
}

// M = L^T D L in place, tau - bias -> accelerations: L^T y = x, then z = D^-1 y, L a = z.
bool srs_record_factored(srs_recording *r, srs_arena *arena, srs_term *acceleration)
{
  srs_graph *g = &r->graph;
  const srs_segments *s = r->segments;
  const int nv = s->model->nv;
  const size_t n = (size_t)nv;
  srs_term *m = srs_arena_take(arena, n * n, sizeof *m), *inverse = srs_arena_take(arena, n, sizeof *inverse);
  srs_term_body *composite = srs_arena_take(arena, (size_t)s->n, sizeof *composite);
  term6 *wrench = srs_arena_take(arena, (size_t)s->n, sizeof *wrench);
  srs_term *x = acceleration;
  if (arena->failed) return false;
  srs_record_mass_matrix(r, composite, m);
  srs_record_inverse_dynamics(r, NULL, wrench, x);
  for (int i = 0; i < nv; i++) x[i] = srs_subtract(g, r->tau[i], x[i]);
  for (int k = nv - 1; k >= 0; k--) {
    inverse[k] = srs_divide(g, srs_constant(g, 1), m[k * nv + k]);
    for (int i = k - 1; i >= 0; i--) {
      const srs_term l = srs_multiply(g, m[k * nv + i], inverse[k]);
      for (int j = i; j >= 0; j--) m[i * nv + j] = srs_subtract(g, m[i * nv + j], srs_multiply(g, l, m[k * nv + j]));
      m[k * nv + i] = l;
      x[i] = srs_subtract(g, x[i], srs_multiply(g, l, x[k]));
    }
  }
  for (int k = 0; k < nv; k++) {
    x[k] = srs_multiply(g, x[k], inverse[k]);
    for (int i = 0; i < k; i++) x[k] = srs_subtract(g, x[k], srs_multiply(g, m[k * nv + i], x[i]));
  }
  return true;
}
