// How do the equations that close a loop change when the configuration moves?
//
// Closed loops stay closed: g(q(s, t)) = 0 for all s and t, so that its mixed derivatives vanish. All gaps are products
// of two vectors that links carry, axes a, b or the way p_b - p_a between points (closure.c; of three angular rows and
// of two the same products serve, their gaps being equal to second order where they vanish; of a rod |d|^2 / 2 length):
//
//   (x . y)_ts  = x_ts . y + x_t . y_s + x_s . y_t + x . y_ts
//   (x . y)_tts = x_tts . y + x_tt . y_s + 2 x_ts . y_t + 2 x_t . y_ts + x_s . y_tt + x . y_tts
//
// A link of velocity V and acceleration A that moves along s with D carries an axis and a point, with V = [w; u],
// A = [alpha; .], D = [theta; .] and their rates V_s, A_s all about the point p held fixed:
//
//   a_t = w x a,  a_s = theta x a,  a_ts = w_s x a + w x a_s,   p_t = u,  p_s = lin D,  p_ts = lin V_s + w x p_s
//   tt = alpha x . + w x ._t,   tts = alpha_s x . + alpha x ._s + w_s x ._t + w x ._ts      (of p: lin A, lin A_s
//   first)
//
// Outward over the joints' columns, which move with their link: S_s = D x S, S_t = V x S,
//
//   D += S d,  V += S v,  V_s += (D x S) v + S v_s,  A += S a + (V x S) v
//   A_s += (D x S) a + S a_s + (V_s x S + V x (D x S)) v + (V x S) v_s

#include "engine/embedded/loop_jets.h"
#include "engine/derivatives/outward.h"
#include "engine/dynamics/recursion.h"

// ---------------------------------------------------------------------------------------------------------------------
// Links
// ---------------------------------------------------------------------------------------------------------------------

static const srs_link_jet at_rest;

SRS_INLINE srs_link_jet carry_jet(const srs_link_jet *x, v3 arm)
{
  return (srs_link_jet){carry_motion(x->D, arm), carry_motion(x->V, arm), carry_motion(x->A, arm),
                        carry_motion(x->Vs, arm), carry_motion(x->As, arm)};
}

// Past the columns i … i + n - 1, which turn one body together.
static void pass_columns(const v6 *S, int i, int n, const srs_jet_rates *r, srs_link_jet *x)
{
  for (int j = i; j < i + n; j++) {
    x->D = v6_add_scaled(x->D, r->direction[j], S[j]);
    x->V = v6_add_scaled(x->V, r->v[j], S[j]);
  }
  for (int j = i; j < i + n; j++)
    x->Vs = v6_add_scaled(v6_add_scaled(x->Vs, r->v[j], motion_cross(x->D, S[j])), r->v_change[j], S[j]);
  for (int j = i; j < i + n; j++) {
    const v6 S_s = motion_cross(x->D, S[j]), S_t = motion_cross(x->V, S[j]);
    const v6 S_ts = v6_add(motion_cross(x->Vs, S[j]), motion_cross(x->V, S_s));
    x->A = v6_add_scaled(v6_add_scaled(x->A, r->a[j], S[j]), r->v[j], S_t);
    x->As = v6_add_scaled(v6_add_scaled(x->As, r->a[j], S_s), r->a_change[j], S[j]);
    x->As = v6_add_scaled(v6_add_scaled(x->As, r->v[j], S_ts), r->v_change[j], S_t);
  }
}

static void move_links(srs_workspace *w, int index, const srs_jet_rates *r)
{
  const srs_model *m = w->model;
  const struct srs_embedding *e = w->embedding;
  const struct srs_derivative_memory *d = w->derivatives;
  srs_link_jet *jets = d->embedded.jets;
  for (int k = e->compounds[index].first; k < m->n_links; k++) {
    if (e->of_link[k] != index) continue;
    const int p = m->parent[k];
    jets[k] = p >= 0 && e->of_link[p] == index ? carry_jet(&jets[p], w->place[k].arm) : at_rest;
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) d->S[i] = joint_column(w, k, i);
    for (int i = m->v_index[k]; i < m->v_index[k + 1];) {
      const int n = d->triple[i] ? 3 : 1;
      pass_columns(d->S, i, n, r, &jets[k]);
      i += n;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Vectors that links carry
// ---------------------------------------------------------------------------------------------------------------------

typedef struct vector_jet {
  v3 x, t, tt, s, ts, tts;
} vector_jet;

typedef struct end_jet {
  m3 axes;
  v3 point;
  srs_link_jet at; // about the point
} end_jet;

static end_jet end_of(const srs_workspace *w, int index, int closure, int end)
{
  const srs_model *m = w->model;
  const int link = m->closures[closure].link[end];
  const srs_closure_ends *local = &m->closure_ends[closure];
  const placement *p = link < 0 ? &world_placement : &w->place[link];
  const v3 arm = m3_times_packed(p->axes, &local->offset[end]);
  end_jet out = {m3_times_matrix(p->axes, &local->axes[end]), p->origin + arm, at_rest};
  if (link >= 0 && w->embedding->of_link[link] == index) out.at = carry_jet(&w->derivatives->embedded.jets[link], arm);
  return out;
}

static void turn_rates(const srs_link_jet *l, vector_jet *x)
{
  x->ts += cross(l->V.ang, x->s);
  x->tt += cross(l->V.ang, x->t);
  x->tts += cross(l->A.ang, x->s) + cross(l->Vs.ang, x->t) + cross(l->V.ang, x->ts);
}

static vector_jet axis_of(const end_jet *e, int i)
{
  const v3 a = i == 0 ? e->axes.x : i == 1 ? e->axes.y : e->axes.z;
  const srs_link_jet *l = &e->at;
  vector_jet out = {
      a, cross(l->V.ang, a), cross(l->A.ang, a), cross(l->D.ang, a), cross(l->Vs.ang, a), cross(l->As.ang, a)};
  turn_rates(l, &out);
  return out;
}

static vector_jet point_of(const end_jet *e)
{
  const srs_link_jet *l = &e->at;
  vector_jet out = {e->point, l->V.lin, l->A.lin, l->D.lin, l->Vs.lin, l->As.lin};
  turn_rates(l, &out);
  return out;
}

static vector_jet way_between(const end_jet e[2])
{
  const vector_jet a = point_of(&e[0]), b = point_of(&e[1]);
  return (vector_jet){b.x - a.x, b.t - a.t, b.tt - a.tt, b.s - a.s, b.ts - a.ts, b.tts - a.tts};
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

typedef struct mixed {
  double second, third;
} mixed;

static mixed product(const vector_jet *x, const vector_jet *y, double factor)
{
  const double second = dot(x->ts, y->x) + dot(x->t, y->s) + dot(x->s, y->t) + dot(x->x, y->ts);
  const double third = dot(x->tts, y->x) + dot(x->tt, y->s) + 2 * (dot(x->ts, y->t) + dot(x->t, y->ts)) +
                       dot(x->s, y->tt) + dot(x->x, y->tts);
  return (mixed){factor * second, factor * third};
}

// The angular row about axis x; which product it is as in srs_closure_bias.
static mixed angular_row(const end_jet e[2], unsigned mask, int x)
{
  const int y = (x + 1) % 3, z = (x + 2) % 3;
  const bool is_first = mask == 0x7 || mask == 1u << x || (mask >> y & 1u) != 0;
  const vector_jet a = axis_of(&e[0], is_first ? y : z), b = axis_of(&e[1], is_first ? z : y);
  return product(&a, &b, is_first ? -1 : 1);
}

static int closure_jets(const srs_closure *c, const end_jet e[2], mixed *out)
{
  const vector_jet d = way_between(e);
  if (c->kind == SRS_CLOSURE_ROD) {
    out[0] = product(&d, &d, 0.5 / c->length);
    return 1;
  }
  int n = 0;
  for (int i = 0; i < 6; i++) {
    if ((c->rows >> i & 1u) == 0) continue;
    if (i < 3) {
      out[n++] = angular_row(e, c->rows & 0x7, i);
    } else {
      const vector_jet a = axis_of(&e[0], i - 3);
      out[n++] = product(&a, &d, 1);
    }
  }
  return n;
}

void srs_compound_jets(srs_workspace *w, int index, const srs_jet_rates *rates, double *second, double *third)
{
  const srs_model *m = w->model;
  const srs_compound *c = &w->embedding->compounds[index];
  const double *zeros = w->zero_v;
  const srs_jet_rates r = {rates->v ? rates->v : zeros, rates->a ? rates->a : zeros,
                           rates->direction ? rates->direction : zeros, rates->v_change ? rates->v_change : zeros,
                           rates->a_change ? rates->a_change : zeros};
  move_links(w, index, &r);
  for (int i = 0, row = 0, n = 0; i < m->n_closures && n < c->n_rows; row += m->closures[i++].n_rows) {
    if (c->rows[n] != row || m->closures[i].n_rows == 0) continue;
    mixed of_row[6];
    const end_jet ends[2] = {end_of(w, index, i, 0), end_of(w, index, i, 1)};
    const int count = closure_jets(&m->closures[i], ends, of_row);
    for (int j = 0; j < count; j++, n++) {
      if (second != NULL) second[n] = of_row[j].second;
      if (third != NULL) third[n] = of_row[j].third;
    }
  }
}
