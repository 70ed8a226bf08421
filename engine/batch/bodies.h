// Composite bodies of links, of least bodies (frames.c). Internal.
#pragma once
#include "engine/batch/relative.h"

SRS_INLINE wide_body body_of(const double *inertia)
{
  const double *I = inertia + 4;
  return (wide_body){wide_vector(vec3_load(inertia + 1)),
                     {wide_number(I[0]), wide_number(I[1]), wide_number(I[2]), wide_number(I[3]), wide_number(I[4]),
                      wide_number(I[5])}};
}

// Number by number: what copies memory waits for what was stored in other pieces.
SRS_INLINE wide_body load_body(const wide_body *c)
{
  return (wide_body){wide_load3(&c->h), {c->I.xx, c->I.yy, c->I.zz, c->I.xy, c->I.xz, c->I.yz}};
}

SRS_INLINE void store_body(wide_body *to, const wide_body *c)
{
  wide_store3(&to->h, c->h);
  to->I.xx = c->I.xx, to->I.yy = c->I.yy, to->I.zz = c->I.zz;
  to->I.xy = c->I.xy, to->I.xz = c->I.xz, to->I.yz = c->I.yz;
}

SRS_INLINE wide_sym turned_inward(const wide_way *way, const wide_sym *I)
{
  if (way->kind == WAY_ANY) return wide_sym_rotate(way->R, I);
  wide_sym turned = wide_sym_about_z(I, way->c, way->s);
  if (way->kind == WAY_PARALLEL) return turned;
  turned = wide_is_right(way->kind) ? wide_sym_square(&turned) : wide_sym_about_x(&turned, way->cb, way->sb);
  return wide_has_third(way->kind) ? wide_sym_about_z(&turned, way->ca, way->sa) : turned;
}

// Adds a body of mass m, h and I seen in the parent's axes about the link's origin: with g = h + m r / 2,
// I += 2 (r . g) 1 - (r g^T + g r^T). What hinges alone carry has given its mass away (frames.c).
SRS_INLINE void add_moved(wide_body *to, double m, wide3 h, const wide_sym *I, const wide_way *way)
{
  const wide3 r = way->r;
  wide3 g = h;
  if (m != 0) {
    g = wide_add_scaled(h, wide_number(0.5 * m), r);
    h = wide_add_scaled(h, wide_number(m), r);
  }
  const lanes x = r.x * g.x, z = r.z * g.z;
  to->h = wide_add(to->h, h);
  to->I.xx = to->I.xx + (z + z) + I->xx; // I last: the next link waits for it
  to->I.yy = to->I.yy + 2 * (x + z) + I->yy;
  to->I.zz = to->I.zz + (x + x) + I->zz;
  to->I.xy = to->I.xy - r.x * g.y + I->xy;
  to->I.xz = to->I.xz - r.x * g.z - r.z * g.x + I->xz;
  to->I.yz = to->I.yz - r.z * g.y + I->yz;
  if (wide_is_short(way->kind)) return;
  const lanes y = r.y * g.y;
  to->I.xx += y + y;
  to->I.zz += y + y;
  to->I.xy -= r.y * g.x;
  to->I.yz -= r.y * g.z;
}

SRS_INLINE void compose(const srs_batch *b, int k, batch_way kind)
{
  const srs_model *m = b->model;
  const bool carries = m->subtree_end[k] > k + 1;
  const wide_body c = carries ? load_body(&b->bodies[k]) : body_of(b->fixed[k].least);
  if (!carries) store_body(&b->bodies[k], &c);
  const int p = m->parent[k];
  if (p < 0) return;
  const wide_way way = wide_way_of(b, k, kind);
  const wide_sym I = turned_inward(&way, &c.I);
  const bool is_first = m->subtree_end[p] == m->subtree_end[k]; // of those that the parent carries
  wide_body to = is_first ? body_of(b->fixed[p].least) : load_body(&b->bodies[p]);
  add_moved(&to, b->fixed[k].carried, wide_inward(&way, c.h), &I, &way);
  store_body(&b->bodies[p], &to);
}

// Column of coordinate i of link k, no hinge, in the link's axes.
SRS_INLINE wide6 own_column(const srs_batch *b, int k, int i)
{
  if (wide_has_columns(b->model, k)) return (wide6){wide_load3(&b->column[i].ang), wide_load3(&b->column[i].lin)};
  const vec3 screw = wide_screw(b->model, k);
  return (wide6){wide_vector((vec3){0, 0, screw.x}), wide_vector((vec3){0, 0, screw.y})};
}
