// In which frames is the way from a hinge to its parent shortest?
//
// A rotation about a coordinate axis takes a third of the multiplications of any rotation, and an arm without a
// component two thirds. Turning a hinge's frame about its axis by phi and moving it along by t changes nothing but the
// numbers by which its body and its children are described. With turn = Rz(a) Rx(b) Rz(c),
//
//   Rz(-phi_p) turn Rz(q + phi) = Rz(a - phi_p) Rx(b) Rz(q + c + phi)
//   r = Rz(-phi_p) (offset - t_p e_z) + Rz(a - phi_p) (0, -t sin b, t cos b)
//
// so phi_p = a of the first of a hinge's children that is a hinge leaves no a there, and t = r_y / sin b no r_y. Where
// the axes are parallel a is free, and puts r into the plane of x and z. These are the parameters of Denavit and
// Hartenberg but for axes that are nearly parallel, whose common normal is far away: those keep r_y.
//
// Which bodies are simplest? A thin rod on a hinge's axis does not notice the hinge: it may as well be part of what
// carries the hinge, and no joint's force is another. So each hinge's link gives a rod away that leaves it without m,
// h_z and I_yy (base parameters: Gautier & Khalil 1990); the first of a tree gives it to the world. With e the axis and
// r the hinge's origin seen from what carries it,
//
//   m += m_k,   h += m_k r + h_kz e,   I += tr(S) 1 - S,   S = m_k r r^T + h_kz (r e^T + e r^T) + I_kyy e e^T
//
// Not for forward dynamics: there, what a chain leaves of its links' forces is small, and would be the difference of
// large ones.

#include "engine/batch/frames.h"

#include <math.h>
#include <string.h>

// Beyond it a hinge's origin moves along its axis.
static const double least_sine = 0.5;

// Of numbers about one.
static const double rounding = 4e-16;

typedef struct euler {
  double a, b, c;
} euler;

static mat3 about_z(double angle)
{
  const double c = cos(angle), s = sin(angle);
  return (mat3){{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

static bool are_parallel(const mat3 *turn) { return hypot(turn->z.x, turn->z.y) < rounding; }

// turn = Rz(a) Rx(b) Rz(c). Of parallel axes a is as given.
static euler angles_of(const mat3 *turn, double a_if_free)
{
  euler e = {a_if_free, turn->z.z > 0 ? 0 : M_PI, 0};
  if (!are_parallel(turn)) {
    e.a = atan2(turn->z.x, -turn->z.y);
    e.b = atan2(hypot(turn->z.x, turn->z.y), turn->z.z);
  }
  const vec3 back = rotate_back(about_z(e.a), turn->x); // (cos c, cos b sin c, sin b sin c)
  e.c = atan2(back.y * cos(e.b) + back.z * sin(e.b), back.x);
  return e;
}

// Of a vector's part across z; 0 where there is none but rounding.
static double heading(vec3 a) { return hypot(a.x, a.y) > 1e-15 * norm3(a) ? atan2(a.y, a.x) : 0; }

static bool is_hinge(const srs_model *m, int k)
{
  return k >= 0 && (m->kind[k] == SRS_JOINT_REVOLUTE || m->kind[k] == SRS_JOINT_CONTINUOUS);
}

// The joint of link k seen from its parent's frame, for links that are no hinges.
static void place_any(srs_batch *b, int k, double phi, double along)
{
  const srs_model *m = b->model;
  const mat3 back = about_z(-phi);
  const vec3 offset = m->offset[k];
  b->fixed[k].way = WAY_ANY;
  b->fixed[k].turn = phi == 0 ? m->turn[k] : mul3(back, m->turn[k]);
  b->fixed[k].offset = rotate(back, (vec3){offset.x, offset.y, offset.z - along});
}

// The same for hinges.  @return c; and how far its own origin moves
static double place_hinge(srs_batch *b, int k, euler e, double phi, double along, double *moved)
{
  batch_link *to = &b->fixed[k];
  const double a = e.a - phi;
  place_any(b, k, phi, along);
  *to = (batch_link){.turn = to->turn,
                     .offset = to->offset,
                     .cosine_a = cos(a),
                     .sine_a = sin(a),
                     .cosine_b = are_parallel(&b->model->turn[k]) ? copysign(1, cos(e.b)) : cos(e.b),
                     .sine_b = are_parallel(&b->model->turn[k]) ? 0 : sin(e.b),
                     .way = WAY_HINGE};
  *moved = 0;
  const bool is_square = fabs(to->cosine_b) <= rounding; // b lies between 0 and pi
  if (is_square) to->way = WAY_CORNER;
  if (a != 0) return e.c;
  vec3 *r = &to->offset;
  if (to->sine_b > least_sine) {
    *moved = r->y / to->sine_b;
    *r = (vec3){r->x, 0, r->z + *moved * to->cosine_b};
  }
  if (fabs(r->y) <= rounding * norm3(*r)) r->y = 0;
  if (r->y != 0) return e.c;
  to->way = is_square ? WAY_SQUARE : to->sine_b == 0 && to->cosine_b == 1 ? WAY_PARALLEL : WAY_SHORT;
  return e.c;
}

// An inertia in axes turned by phi and about a point t along z.
static void reexpress(double *to, const double *inertia, double phi, double t)
{
  const mat3 back = about_z(-phi);
  const double m = inertia[0];
  const vec3 h = rotate(back, (vec3){inertia[1], inertia[2], inertia[3]});
  const vec3 g = {h.x, h.y, h.z - 0.5 * m * t};
  sym3 I = sym3_rotate(back, sym3_load(inertia + 4));
  // With d = -t e_z from the new point: I += 2 (d . g) 1 - (d g^T + g d^T), g = h + m d / 2.
  I.xx -= 2 * t * g.z, I.yy -= 2 * t * g.z;
  I.xz += t * g.x, I.yz += t * g.y;
  to[0] = m;
  vec3_store(to + 1, (vec3){h.x, h.y, h.z - m * t});
  sym3_store(to + 4, I);
}

// phi and t of all hinges, from the root outward; their c is kept in their turns' cosines until all are known.
static void choose(srs_batch *b, double *turned)
{
  const srs_model *m = b->model;
  for (int k = 0; k < m->n_links; k++) turned[2 * (size_t)k] = NAN;
  for (int k = 0; k < m->n_links; k++) {
    const int p = m->parent[k];
    double *own = turned + 2 * (size_t)k, *parents = p >= 0 ? turned + 2 * (size_t)p : NULL;
    const bool on_hinge = is_hinge(m, p);
    if (!is_hinge(m, k)) {
      if (on_hinge && isnan(parents[0])) parents[0] = 0;
      place_any(b, k, on_hinge ? parents[0] : 0, on_hinge ? parents[1] : 0);
      own[0] = own[1] = 0;
      continue;
    }
    const bool is_free = on_hinge && isnan(parents[0]);
    const euler e = angles_of(&m->turn[k], is_free ? heading(m->offset[k]) : on_hinge ? parents[0] : 0);
    if (is_free) parents[0] = e.a;
    b->turns[m->first_angle[k]].cosine =
        place_hinge(b, k, e, on_hinge ? parents[0] : 0, on_hinge ? parents[1] : 0, &own[1]);
  }
}

static batch_turn turn_by(double angle)
{
  const double quarters = nearbyint(angle / (M_PI / 2)), rest = angle - quarters * (M_PI / 2);
  return (batch_turn){(int64_t)quarters, cos(rest), sin(rest), fabs(rest) <= 4 * rounding};
}

static void recognise(batch_frame *f)
{
  f->is_on_z = hypot(f->offset.x, f->offset.y) <= rounding * norm3(f->offset);
  f->is_square = true;
  const vec3 columns[] = {f->axes.x, f->axes.y, f->axes.z};
  for (int i = 0; i < 3; i++) {
    const vec3 a = columns[i];
    const double size[] = {fabs(a.x), fabs(a.y), fabs(a.z)};
    const int j = size[0] > 0.5 ? 0 : size[1] > 0.5 ? 1 : 2;
    f->along[i] = j;
    f->sign[i] = (j == 0 ? a.x : j == 1 ? a.y : a.z) > 0 ? 1 : -1;
    f->is_square &= size[(j + 1) % 3] <= rounding && size[(j + 2) % 3] <= rounding;
  }
}

static void describe_bodies(srs_batch *b, double *turned)
{
  const srs_model *m = b->model;
  for (int k = m->n_links - 1; k >= 0; k--) {
    double *own = turned + 2 * (size_t)k;
    if (isnan(own[0])) own[0] = 0;
    batch_link *l = &b->fixed[k];
    reexpress(l->inertia, m->inertia + 10 * (size_t)k, own[0], own[1]);
    if (!is_hinge(m, k)) continue;
    batch_turn *turn = &b->turns[m->first_angle[k]];
    *turn = turn_by(turn->cosine + own[0]);
  }
  for (int i = 0; i < m->n_frames; i++) {
    const int k = m->frame_link[i];
    const double *of_link = turned + 2 * (size_t)(k >= 0 ? k : 0);
    const double phi = k >= 0 ? of_link[0] : 0, t = k >= 0 ? of_link[1] : 0;
    const vec3 offset = m->frame_offset[i];
    b->frames[i] = (batch_frame){.axes = mul3(about_z(-phi), m->frame_axes[i]),
                                 .offset = rotate(about_z(-phi), (vec3){offset.x, offset.y, offset.z - t})};
    recognise(&b->frames[i]);
  }
}

// tr(S) 1 - S with S = s (a b^T + b a^T), added.
static void add_pair(double *I, double s, vec3 a, vec3 b)
{
  const double xx = 2 * a.x * b.x, yy = 2 * a.y * b.y, zz = 2 * a.z * b.z;
  const sym3 to = sym3_load(I);
  sym3_store(I, (sym3){to.xx + s * (yy + zz), to.yy + s * (xx + zz), to.zz + s * (xx + yy),
                       to.xy - s * (a.x * b.y + a.y * b.x), to.xz - s * (a.x * b.z + a.z * b.x),
                       to.yz - s * (a.y * b.z + a.z * b.y)});
}

static void give_rods_away(srs_batch *b)
{
  const srs_model *m = b->model;
  for (int k = 0; k < m->n_links; k++) memcpy(b->fixed[k].least, b->fixed[k].inertia, sizeof b->fixed[k].least);
  for (int k = m->n_links - 1; k >= 0; k--) {
    batch_link *l = &b->fixed[k];
    double *own = l->least;
    l->carried += l->way == WAY_ANY ? own[0] : 0;
    if (m->parent[k] >= 0) b->fixed[m->parent[k]].carried += l->carried;
    if (l->way == WAY_ANY) continue;
    const double mass = own[0], h = own[3], J = own[5];
    if (m->parent[k] >= 0) {
      double *to = b->fixed[m->parent[k]].least;
      const vec3 e = l->turn.z, r = l->offset;
      to[0] += mass;
      vec3_store(to + 1, add3(vec3_load(to + 1), add3(scale3(mass, r), scale3(h, e))));
      add_pair(to + 4, 0.5 * mass, r, r);
      add_pair(to + 4, h, r, e);
      add_pair(to + 4, 0.5 * J, e, e);
    }
    own[0] = own[3] = own[5] = 0;
    own[4] -= J;
  }
}

static void find_order(srs_batch *b)
{
  const srs_model *m = b->model;
  int found = 0;
  for (int k = 0; k < m->n_links; k = m->subtree_end[k]) b->order[found++] = k;
  for (int i = 0; i < found; i++) {
    const int k = b->order[i];
    for (int child = k + 1; child < m->subtree_end[k]; child = m->subtree_end[child]) b->order[found++] = child;
  }
}

void srs_batch_choose_frames(srs_batch *b, double *turned)
{
  const srs_model *m = b->model;
  for (int i = 0; i < m->n_angles; i++) b->turns[i] = turn_by(0);
  find_order(b);
  choose(b, turned);
  describe_bodies(b, turned);
  give_rods_away(b);
  for (int i = 0; i < m->nv; i++) b->row_end[i] = m->v_index[m->subtree_end[m->link_of_v[i]]];
}
