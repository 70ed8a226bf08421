// Where are the segments and how do they move? Transforms of vectors, wrenches and bodies from segment to segment,
// and the outward pass of the Newton-Euler recursion.
//
//   w = R^T w_p + ang v              alpha = R^T alpha_p + (R^T w_p) x ang v + ang a
//   a = R^T (a_p + U_p arm) + 2 (R^T w_p) x lin v + lin a,   U = [alpha]x + [w]x [w]x
#include "engine/generate/recursions.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------------
// Placements
// ---------------------------------------------------------------------------------------------------------------------

static void place_turn(srs_recording *r, const srs_segment *segment, srs_segment_terms *t)
{
  srs_graph *g = &r->graph;
  const srs_term angle = r->q[segment->q];
  const double c = srs_snap(cos(segment->shift)), s = srs_snap(sin(segment->shift));
  if (c != 0 && s != 0) {
    const srs_term shifted = srs_add(g, angle, srs_constant(g, segment->shift));
    t->cosine = srs_cosine(g, shifted), t->sine = srs_sine(g, shifted);
    return;
  }
  const srs_term cosine = srs_cosine(g, angle), sine = srs_sine(g, angle);
  const srs_term c0 = srs_constant(g, c), s0 = srs_constant(g, s);
  t->cosine = srs_subtract(g, srs_multiply(g, c0, cosine), srs_multiply(g, s0, sine));
  t->sine = srs_add(g, srs_multiply(g, s0, cosine), srs_multiply(g, c0, sine));
}

static void place_ball(srs_recording *r, const srs_segment *segment, srs_segment_terms *t)
{
  srs_graph *g = &r->graph;
  const srs_term one = srs_constant(g, 1), two = srs_constant(g, 2);
  srs_term p[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++)
      p[i][j] = srs_multiply(g, srs_multiply(g, two, r->q[segment->q + i]), r->q[segment->q + j]);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const int low = j < k ? j : k, high = j < k ? k : j;
    t->ball.m[i][i] = srs_subtract(g, one, srs_add(g, p[low + 1][low + 1], p[high + 1][high + 1]));
    const srs_term product = i < j ? p[i + 1][j + 1] : p[j + 1][i + 1];
    t->ball.m[i][j] = srs_subtract(g, product, p[0][k + 1]);
    t->ball.m[j][i] = srs_add(g, product, p[0][k + 1]);
  }
}

static srs_term_body constant_body(srs_graph *g, const srs_segment_body *b)
{
  const sym3 i = b->inertia;
  return (srs_term_body){srs_constant(g, b->mass), term3_constant(g, b->moment),
                         term33_constant(g, (mat3){{i.xx, i.xy, i.xz}, {i.xy, i.yy, i.yz}, {i.xz, i.yz, i.zz}})};
}

void srs_record_placements(srs_recording *r)
{
  srs_graph *g = &r->graph;
  for (int k = 0; k < r->segments->n; k++) {
    const srs_segment *segment = &r->segments->segment[k];
    srs_segment_terms *t = &r->terms[k];
    t->turn = term33_constant(g, segment->turn);
    t->arm = term3_constant(g, segment->offset);
    t->body = constant_body(g, &segment->body);
    const srs_term slide = segment->nv > 0 ? r->q[segment->q] : srs_constant(g, 0);
    if (segment->kind == SRS_SEGMENT_TURN || segment->kind == SRS_SEGMENT_SCREW) place_turn(r, segment, t);
    if (segment->kind == SRS_SEGMENT_BALL) place_ball(r, segment, t);
    if (segment->kind == SRS_SEGMENT_SLIDE)
      t->arm = term3_add(g, t->arm, term3_scale(g, slide, term33_column(&t->turn, segment->axis)));
    if (segment->kind == SRS_SEGMENT_SCREW) {
      const srs_term travel = srs_multiply(g, srs_constant(g, segment->pitch), slide);
      t->arm = term3_add(g, t->arm, term3_scale(g, travel, term33_column(&t->turn, 2)));
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Transforms
// ---------------------------------------------------------------------------------------------------------------------

static bool turns(const srs_segment *segment)
{
  return segment->kind == SRS_SEGMENT_TURN || segment->kind == SRS_SEGMENT_SCREW;
}

term3 srs_record_inward(srs_recording *r, int k, term3 x)
{
  srs_graph *g = &r->graph;
  const srs_segment_terms *t = &r->terms[k];
  const term33 turn = term33_transpose(&t->turn), ball = term33_transpose(&t->ball);
  x = term33_times(g, &turn, x);
  if (r->segments->segment[k].kind == SRS_SEGMENT_BALL) return term33_times(g, &ball, x);
  if (!turns(&r->segments->segment[k])) return x;
  return (term3){{srs_add(g, srs_multiply(g, t->cosine, x.x[0]), srs_multiply(g, t->sine, x.x[1])),
                  srs_subtract(g, srs_multiply(g, t->cosine, x.x[1]), srs_multiply(g, t->sine, x.x[0])), x.x[2]}};
}

term3 srs_record_outward(srs_recording *r, int k, term3 x)
{
  srs_graph *g = &r->graph;
  const srs_segment_terms *t = &r->terms[k];
  if (r->segments->segment[k].kind == SRS_SEGMENT_BALL) x = term33_times(g, &t->ball, x);
  if (turns(&r->segments->segment[k]))
    x = (term3){{srs_subtract(g, srs_multiply(g, t->cosine, x.x[0]), srs_multiply(g, t->sine, x.x[1])),
                 srs_add(g, srs_multiply(g, t->sine, x.x[0]), srs_multiply(g, t->cosine, x.x[1])), x.x[2]}};
  return term33_times(g, &t->turn, x);
}

term6 srs_record_to_parent(srs_recording *r, int k, term6 f)
{
  srs_graph *g = &r->graph;
  const term3 lin = srs_record_outward(r, k, f.lin), ang = srs_record_outward(r, k, f.ang);
  return (term6){term3_add(g, ang, term3_cross(g, r->terms[k].arm, lin)), lin};
}

// R S R^T of a symmetric matrix, for a rotation about z:
// t = c (S_xx - S_yy) - 2 s S_xy:  S_xx' = S_yy + c t, S_yy' = S_xx - c t, S_xy' = S_xy + s t.
static term33 turn_symmetric(srs_graph *g, srs_term c, srs_term s, const term33 *m)
{
  const srs_term xx = m->m[0][0], yy = m->m[1][1], xy = m->m[0][1], xz = m->m[0][2], yz = m->m[1][2];
  const srs_term t = srs_subtract(g, srs_multiply(g, c, srs_subtract(g, xx, yy)),
                                  srs_multiply(g, s, srs_multiply(g, srs_constant(g, 2), xy)));
  term33 out = *m;
  out.m[0][0] = srs_add(g, yy, srs_multiply(g, c, t));
  out.m[1][1] = srs_subtract(g, xx, srs_multiply(g, c, t));
  out.m[0][1] = out.m[1][0] = srs_add(g, xy, srs_multiply(g, s, t));
  out.m[0][2] = out.m[2][0] = srs_subtract(g, srs_multiply(g, c, xz), srs_multiply(g, s, yz));
  out.m[1][2] = out.m[2][1] = srs_add(g, srs_multiply(g, s, xz), srs_multiply(g, c, yz));
  return out;
}

// R S R^T; only one triangle is worked out.
static term33 rotate_symmetric(srs_graph *g, const term33 *r, const term33 *m)
{
  const term33 half = term33_product(g, r, m);
  term33 out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++)
      out.m[i][j] = out.m[j][i] = term3_dot(g, (term3){{half.m[i][0], half.m[i][1], half.m[i][2]}},
                                            (term3){{r->m[j][0], r->m[j][1], r->m[j][2]}});
  return out;
}

term33 srs_record_outward_symmetric(srs_recording *r, int k, const term33 *m)
{
  srs_graph *g = &r->graph;
  const srs_segment_terms *t = &r->terms[k];
  term33 out = *m;
  if (r->segments->segment[k].kind == SRS_SEGMENT_BALL) out = rotate_symmetric(g, &t->ball, m);
  if (turns(&r->segments->segment[k])) out = turn_symmetric(g, t->cosine, t->sine, m);
  return rotate_symmetric(g, &t->turn, &out);
}

term33 srs_record_outward_matrix(srs_recording *r, int k, const term33 *m)
{
  term33 half, out;
  for (int j = 0; j < 3; j++) {
    const term3 column = srs_record_outward(r, k, term33_column(m, j));
    for (int i = 0; i < 3; i++) half.m[i][j] = column.x[i];
  }
  for (int i = 0; i < 3; i++) {
    const term3 row = srs_record_outward(r, k, (term3){{half.m[i][0], half.m[i][1], half.m[i][2]}});
    for (int j = 0; j < 3; j++) out.m[i][j] = row.x[j];
  }
  return out;
}

// I' = I + (m r^2 + 2 h.r) 1 - h r^T - r h^T - m r r^T = I + ((2 h + m r).r) 1 - h' r^T - r h^T,  h' = h + m r
srs_term_body srs_record_body_to_parent(srs_recording *r, int k, const srs_term_body *body)
{
  srs_graph *g = &r->graph;
  const term3 h = srs_record_outward(r, k, body->moment), arm = r->terms[k].arm;
  srs_term_body out = {body->mass, term3_add(g, h, term3_scale(g, body->mass, arm)),
                       srs_record_outward_symmetric(r, k, &body->inertia)};
  srs_term along[3];
  const term3 both = term3_add(g, h, out.moment);
  for (int i = 0; i < 3; i++) along[i] = srs_multiply(g, both.x[i], arm.x[i]);
  for (int i = 0; i < 3; i++) {
    const srs_term add = srs_add(g, along[(i + 1) % 3], along[(i + 2) % 3]);
    out.inertia.m[i][i] = srs_add(g, out.inertia.m[i][i], add);
    for (int j = 0; j < i; j++) {
      const srs_term products =
          srs_add(g, srs_multiply(g, out.moment.x[i], arm.x[j]), srs_multiply(g, h.x[j], arm.x[i]));
      out.inertia.m[i][j] = out.inertia.m[j][i] = srs_subtract(g, out.inertia.m[i][j], products);
    }
  }
  return out;
}

// ---------------------------------------------------------------------------------------------------------------------
// Motion
// ---------------------------------------------------------------------------------------------------------------------

int srs_record_entry(const srs_segment *segment, int column)
{
  if (segment->kind == SRS_SEGMENT_SLIDE) return 3 + segment->axis;
  return segment->kind == SRS_SEGMENT_BALL ? column : 2;
}

term6 srs_record_column(srs_recording *r, int k, int column)
{
  srs_graph *g = &r->graph;
  const srs_segment *segment = &r->segments->segment[k];
  const int entry = srs_record_entry(segment, column);
  term6 s = {term3_zero(g), term3_zero(g)};
  (entry < 3 ? &s.ang : &s.lin)->x[entry % 3] = srs_constant(g, 1);
  if (segment->kind == SRS_SEGMENT_SCREW) s.lin.x[2] = srs_constant(g, segment->pitch);
  return s;
}

term3 srs_record_turning(srs_recording *r, int k, const srs_term *rates)
{
  const srs_segment *segment = &r->segments->segment[k];
  term3 out = term3_zero(&r->graph);
  if (rates == NULL || segment->kind == SRS_SEGMENT_SLIDE || segment->nv == 0) return out;
  for (int i = 0; i < segment->nv; i++) out.x[srs_record_entry(segment, i)] = rates[segment->v + i];
  return out;
}

term3 srs_record_sliding(srs_recording *r, int k, const srs_term *rates)
{
  srs_graph *g = &r->graph;
  const srs_segment *segment = &r->segments->segment[k];
  term3 out = term3_zero(g);
  if (rates == NULL) return out;
  if (segment->kind == SRS_SEGMENT_SLIDE) out.x[segment->axis] = rates[segment->v];
  if (segment->kind == SRS_SEGMENT_SCREW)
    out.x[2] = srs_multiply(g, srs_constant(g, segment->pitch), rates[segment->v]);
  return out;
}

void srs_record_velocities(srs_recording *r)
{
  srs_graph *g = &r->graph;
  for (int k = 0; k < r->segments->n; k++) {
    const int parent = r->segments->segment[k].parent;
    srs_segment_terms *t = &r->terms[k];
    t->w_carried = parent < 0 ? term3_zero(g) : srs_record_inward(r, k, r->terms[parent].w);
    t->w = term3_add(g, t->w_carried, srs_record_turning(r, k, r->v));
  }
}

// U = [alpha]x + [w]x [w]x
term33 srs_record_rate_matrix(srs_graph *g, term3 w, term3 alpha)
{
  term33 u;
  srs_term square[3];
  for (int i = 0; i < 3; i++) square[i] = srs_multiply(g, w.x[i], w.x[i]);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const srs_term product = srs_multiply(g, w.x[i], w.x[j]);
    u.m[i][i] = srs_negate(g, srs_add(g, square[j], square[k]));
    u.m[i][j] = srs_subtract(g, product, alpha.x[k]);
    u.m[j][i] = srs_add(g, product, alpha.x[k]);
  }
  return u;
}

void srs_record_accelerations(srs_recording *r, const srs_term *a)
{
  srs_graph *g = &r->graph;
  const srs_term two = srs_constant(g, 2);
  for (int k = 0; k < r->segments->n; k++) {
    const int parent = r->segments->segment[k].parent;
    srs_segment_terms *t = &r->terms[k];
    const term3 turning = srs_record_turning(r, k, r->v), sliding = srs_record_sliding(r, k, r->v);
    term3 from;
    if (parent < 0) {
      t->alpha_carried = term3_zero(g);
      for (int i = 0; i < 3; i++) from.x[i] = srs_negate(g, r->gravity[i]);
    } else {
      const srs_segment_terms *p = &r->terms[parent];
      const term33 u = srs_record_rate_matrix(g, p->w, p->alpha);
      t->alpha_carried = srs_record_inward(r, k, p->alpha);
      from = term3_add(g, p->a, term33_times(g, &u, t->arm));
    }
    t->alpha = term3_add(g, term3_add(g, t->alpha_carried, term3_cross(g, t->w_carried, turning)),
                         srs_record_turning(r, k, a));
    t->a_carried = srs_record_inward(r, k, from);
    t->a = term3_add(g, t->a_carried, srs_record_sliding(r, k, a));
    t->a = term3_add(g, t->a, term3_scale(g, two, term3_cross(g, t->w_carried, sliding)));
  }
}
