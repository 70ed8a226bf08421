// Which forces does a motion need, and what is the mass matrix? The inward passes of the recursive Newton-Euler and
// composite-rigid-body algorithms (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 5 and 6).
//
//   f = m a + U h,  n = I alpha + w x I w + h x a,   U = [alpha]x + [w]x [w]x
//
// With U at hand n takes 14 products: n_x = I_xx alpha_x + (I_zz - I_yy) w_y w_z + I_yz (U_yy - U_zz) - I_xy U_zx +
// I_xz U_yx, and so on in turn, U_yy - U_zz = w_y^2 - w_z^2.
#include "engine/generate/recursions.h"

static srs_term gyration(srs_graph *g, const term33 *inertia, term3 w, term3 alpha, const term33 *u, int x)
{
  const int y = (x + 1) % 3, z = (x + 2) % 3;
  const term33 *i = inertia;
  srs_term sum = srs_multiply(g, i->m[x][x], alpha.x[x]);
  sum = srs_add(g, sum, srs_multiply(g, srs_subtract(g, i->m[z][z], i->m[y][y]), srs_multiply(g, w.x[y], w.x[z])));
  const srs_term squares = srs_subtract(g, srs_multiply(g, w.x[y], w.x[y]), srs_multiply(g, w.x[z], w.x[z]));
  sum = srs_add(g, sum, srs_multiply(g, i->m[y][z], squares));
  sum = srs_subtract(g, sum, srs_multiply(g, i->m[x][y], u->m[z][x]));
  return srs_add(g, sum, srs_multiply(g, i->m[x][z], u->m[y][x]));
}

term6 srs_record_body_wrench(srs_recording *r, int k)
{
  srs_graph *g = &r->graph;
  const srs_segment_terms *t = &r->terms[k];
  const srs_term_body *b = &t->body;
  const term33 u = srs_record_rate_matrix(g, t->w, t->alpha);
  term6 f;
  f.lin = term3_add(g, term3_scale(g, b->mass, t->a), term33_times(g, &u, b->moment));
  for (int x = 0; x < 3; x++) f.ang.x[x] = gyration(g, &b->inertia, t->w, t->alpha, &u, x);
  f.ang = term3_add(g, f.ang, term3_cross(g, b->moment, t->a));
  return f;
}

srs_term srs_record_project(srs_recording *r, int k, int column, term6 f)
{
  srs_graph *g = &r->graph;
  const srs_segment *segment = &r->segments->segment[k];
  const int entry = srs_record_entry(segment, column);
  const srs_term picked = entry < 3 ? f.ang.x[entry] : f.lin.x[entry - 3];
  if (segment->kind != SRS_SEGMENT_SCREW) return picked;
  return srs_add(g, picked, srs_multiply(g, srs_constant(g, segment->pitch), f.lin.x[2]));
}

void srs_record_inverse_dynamics(srs_recording *r, const srs_term *a, term6 *wrench, srs_term *tau)
{
  srs_graph *g = &r->graph;
  const srs_segments *s = r->segments;
  const double *armature = s->model->armature;
  srs_record_accelerations(r, a);
  for (int k = 0; k < s->n; k++) wrench[k] = srs_record_body_wrench(r, k);
  for (int k = s->n - 1; k >= 0; k--) {
    const srs_segment *segment = &s->segment[k];
    for (int i = 0; i < segment->nv; i++) {
      const int v = segment->v + i;
      tau[v] = srs_record_project(r, k, i, wrench[k]);
      if (a != NULL) tau[v] = srs_add(g, tau[v], srs_multiply(g, srs_constant(g, armature[v]), a[v]));
    }
    if (segment->parent < 0) continue;
    const term6 f = srs_record_to_parent(r, k, wrench[k]);
    term6 *sum = &wrench[segment->parent];
    *sum = (term6){term3_add(g, sum->ang, f.ang), term3_add(g, sum->lin, f.lin)};
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The mass matrix
// ---------------------------------------------------------------------------------------------------------------------

srs_term_body srs_record_add_bodies(srs_graph *g, const srs_term_body *a, const srs_term_body *b)
{
  return (srs_term_body){srs_add(g, a->mass, b->mass), term3_add(g, a->moment, b->moment),
                         term33_add(g, &a->inertia, &b->inertia)};
}

// The wrench that one column's unit acceleration takes: f = m a + alpha x h, n = I alpha + h x a.
term6 srs_record_column_wrench(srs_recording *r, int k, int column, const srs_term_body *body)
{
  srs_graph *g = &r->graph;
  const term6 s = srs_record_column(r, k, column);
  const term3 n = term33_times(g, &body->inertia, s.ang), f = term3_scale(g, body->mass, s.lin);
  return (term6){term3_add(g, n, term3_cross(g, body->moment, s.lin)),
                 term3_add(g, f, term3_cross(g, s.ang, body->moment))};
}

void srs_record_mass_matrix(srs_recording *r, srs_term_body *composite, srs_term *mass_matrix)
{
  srs_graph *g = &r->graph;
  const srs_segments *s = r->segments;
  const int nv = s->model->nv;
  for (int i = 0; i < nv * nv; i++) mass_matrix[i] = srs_constant(g, 0);
  for (int k = 0; k < s->n; k++) composite[k] = r->terms[k].body;
  for (int k = s->n - 1; k >= 0; k--) {
    const srs_segment *segment = &s->segment[k];
    for (int i = 0; i < segment->nv; i++) {
      const int v = segment->v + i;
      term6 f = srs_record_column_wrench(r, k, i, &composite[k]);
      for (int j = 0; j < segment->nv; j++) mass_matrix[v * nv + segment->v + j] = srs_record_project(r, k, j, f);
      mass_matrix[v * nv + v] = srs_add(g, mass_matrix[v * nv + v], srs_constant(g, s->model->armature[v]));
      for (int from = k, to = segment->parent; to >= 0; from = to, to = s->segment[to].parent) {
        f = srs_record_to_parent(r, from, f);
        for (int j = 0; j < s->segment[to].nv; j++) {
          const int row = s->segment[to].v + j;
          mass_matrix[row * nv + v] = mass_matrix[v * nv + row] = srs_record_project(r, to, j, f);
        }
      }
    }
    if (segment->parent < 0) continue;
    const srs_term_body moved = srs_record_body_to_parent(r, k, &composite[k]);
    composite[segment->parent] = srs_record_add_bodies(g, &composite[segment->parent], &moved);
  }
}
