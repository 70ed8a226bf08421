// The steps that all recursions share: one link of a pass, inlined. Internal.
//
// All quantities are in WORLD axes, taken at each link's OWN origin. So a step from a link to its parent rotates
// nothing, it only moves the point by `arm`, and no number grows with the distance from the world's origin.
// Accelerations are classical. With columns s_i = [ang; lin] of the joint, w_J = sum ang v_i, u_J = sum lin v_i:
//
//   w = w_p + w_J                     alpha = alpha_p + w_p x w_J + (universal: s1 v1 x s2 v2) + sum ang a_i
//   v = v_p + w_p x arm + u_J         a = a_p + alpha_p x arm + w_p x (w_p x arm + 2 u_J) + sum lin a_i
//
// because every angular column turns with the parent, except universal's second and the link-fixed ones (which add w_J
// x w_J = 0), and so does every linear column.
#pragma once
#include "engine/dynamics/workspace.h"

static const placement world_placement = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {0, 0, 0, 0}, {0, 0, 0, 0}};

// Places link k, given its parent. Joints with more than one coordinate write their columns to `column`.
SRS_INLINE placement place_link(const srs_model *m, int k, const placement *parent, const double *q,
                                const double *cosine, const double *sine, v6 *column)
{
  m3 r = m3_times_matrix(parent->axes, &m->turn[k]);
  v3 arm = m3_times_packed(parent->axes, &m->offset[k]);
  const int angle = m->first_angle[k];
  const double *x = q + m->q_index[k];
  v6 *s = column + m->v_index[k];
  switch ((srs_joint_kind)m->kind[k]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: r = turn_about_z(r, cosine[angle], sine[angle]); break;
  case SRS_JOINT_PRISMATIC: arm += x[0] * r.z; break;
  case SRS_JOINT_HELICAL:
    arm += m->pitch[k] * x[0] * r.z;
    r = turn_about_z(r, cosine[angle], sine[angle]);
    break;
  case SRS_JOINT_CYLINDRICAL:
    s[0] = (v6){r.z, v3_zero};
    s[1] = (v6){v3_zero, r.z};
    arm += x[1] * r.z;
    r = turn_about_z(r, cosine[angle], sine[angle]);
    break;
  case SRS_JOINT_UNIVERSAL:
    s[0] = (v6){r.z, v3_zero};
    r = m3_times_matrix(turn_about_z(r, cosine[angle], sine[angle]), &m->turn2[k]);
    s[1] = (v6){r.z, v3_zero};
    r = turn_about_z(r, cosine[angle + 1], sine[angle + 1]);
    break;
  case SRS_JOINT_PLANAR:
    s[0] = (v6){v3_zero, r.x};
    s[1] = (v6){v3_zero, r.y};
    s[2] = (v6){r.z, v3_zero};
    arm += x[0] * r.x + x[1] * r.y;
    r = turn_about_z(r, cosine[angle], sine[angle]);
    break;
  case SRS_JOINT_SPHERICAL: {
    const mat3 turned = mat3_from_quaternion(x);
    r = m3_times_matrix(r, &turned);
    s[0] = (v6){r.x, v3_zero};
    s[1] = (v6){r.y, v3_zero};
    s[2] = (v6){r.z, v3_zero};
    break;
  }
  case SRS_JOINT_FREE: {
    const mat3 turned = mat3_from_quaternion(x + 3);
    s[0] = (v6){v3_zero, r.x};
    s[1] = (v6){v3_zero, r.y};
    s[2] = (v6){v3_zero, r.z};
    arm += x[0] * r.x + x[1] * r.y + x[2] * r.z;
    r = m3_times_matrix(r, &turned);
    s[3] = (v6){r.x, v3_zero};
    s[4] = (v6){r.y, v3_zero};
    s[5] = (v6){r.z, v3_zero};
    break;
  }
  case SRS_JOINT_FIXED: break;
  }
  return (placement){r, arm, parent->origin + arm};
}

// The joint's columns times x: the motion of the link when its coordinates move at rates x.
SRS_INLINE v6 joint_motion(const srs_model *m, int k, v3 z, const v6 *column, const double *x)
{
  const int i = m->v_index[k];
  switch ((srs_joint_kind)m->kind[k]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: return (v6){x[i] * z, v3_zero};
  case SRS_JOINT_PRISMATIC: return (v6){v3_zero, x[i] * z};
  case SRS_JOINT_HELICAL: return (v6){x[i] * z, m->pitch[k] * x[i] * z};
  case SRS_JOINT_FIXED: return v6_zero;
  default: break; // by the columns
  }
  v6 sum = v6_zero;
  for (int j = i; j < m->v_index[k + 1]; j++) sum = v6_add_scaled(sum, x[j], column[j]);
  return sum;
}

// One coordinate's column, for any joint.
SRS_INLINE v6 joint_column(const srs_workspace *w, int k, int i)
{
  const v3 z = w->place[k].axes.z;
  switch ((srs_joint_kind)w->model->kind[k]) {
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: return (v6){z, v3_zero};
  case SRS_JOINT_PRISMATIC: return (v6){v3_zero, z};
  case SRS_JOINT_HELICAL: return (v6){z, w->model->pitch[k] * z};
  default: return w->column[i]; // as place_link left it
  }
}

SRS_INLINE bool turns_only(const srs_model *m, int k)
{
  return m->kind[k] == SRS_JOINT_REVOLUTE || m->kind[k] == SRS_JOINT_CONTINUOUS;
}

// How a link moves, as what it carries needs it: A d is what a point at d accelerates beyond the link's origin,
// A = [alpha x] + [w x][w x].
typedef struct link_motion {
  v3 spin;
  v6 acceleration;
  d33 turning; // A
} link_motion;

SRS_INLINE d33 turning_of(v3 w, v3 alpha)
{
  const v3 square = w * w, next = w * cycle(w);
  return (d33){-cycle(square) - cycle_back(square), next - cycle_back(alpha), cycle_back(next) + cycle(alpha)};
}

// The acceleration of link k from its parent's motion and its own joint rates, without joint accelerations. rate is
// joint_motion of v; turning is that of the parent.
SRS_INLINE v6 carry_acceleration(const srs_model *m, int k, v6 parent, v3 parent_w, d33 turning, v3 arm, v6 rate,
                                 const v6 *column, const double *v)
{
  v6 a = {parent.ang + cross(parent_w, rate.ang), parent.lin + d33_times(turning, arm)};
  if (!turns_only(m, k)) {
    a.lin += 2 * cross(parent_w, rate.lin);
    if (m->kind[k] == SRS_JOINT_UNIVERSAL) {
      const int i = m->v_index[k];
      a.ang += v[i] * v[i + 1] * cross(column[i].ang, column[i + 1].ang);
    }
  }
  return a;
}

// The world's motion: gravity enters here.
SRS_INLINE link_motion resting_link(const srs_workspace *w)
{
  return (link_motion){v3_zero, {v3_zero, -w->gravity}, {v3_zero, v3_zero, v3_zero}};
}

// The motion of link p, as the pass has left it; of the world for -1.
SRS_INLINE link_motion parent_motion(const srs_workspace *w, int p)
{
  if (p < 0) return resting_link(w);
  const v3 spin = w->velocity[p].ang, alpha = w->acceleration[p].ang;
  return (link_motion){spin, {alpha, w->acceleration[p].lin}, turning_of(spin, alpha)};
}

// The motion of link k while its joint does not accelerate, from its parent's.
SRS_INLINE link_motion moved_link(const srs_model *m, int k, const link_motion *parent, v3 arm, v6 rate,
                                  const v6 *column, const double *v)
{
  const v3 spin = parent->spin + rate.ang;
  const v6 a = carry_acceleration(m, k, parent->acceleration, parent->spin, parent->turning, arm, rate, column, v);
  return (link_motion){spin, a, turning_of(spin, a.ang)};
}

// Structs are stored and loaded vector by vector: copies are made in other pieces, for which loads wait.
SRS_INLINE void store_v6(v6 *to, v6 a) { to->ang = a.ang, to->lin = a.lin; }
SRS_INLINE void store_placement(placement *to, const placement *p)
{
  to->axes.x = p->axes.x, to->axes.y = p->axes.y, to->axes.z = p->axes.z;
  to->origin = p->origin, to->arm = p->arm;
}
SRS_INLINE void store_body(body *to, const body *b)
{
  to->inertia.d = b->inertia.d, to->inertia.e = b->inertia.e, to->moment = b->moment, to->mass = b->mass;
}

// Whether a link carries others than the one after it, which a pass still has in registers. What only the links that
// it carries need is stored for these alone.
SRS_INLINE bool has_branches(const srs_model *m, int k)
{
  const int end = m->subtree_end[k];
  return end > k + 1 && m->subtree_end[k + 1] < end;
}

// Where branches of a long tree start, the parent's record is far away: passes fetch it so many links ahead.
enum { AHEAD = 8, LONG = 2000, VERY_LONG = 5000 };

SRS_INLINE bool needs_fetching(const srs_workspace *w) { return w->model->n_links >= LONG && w->n_tips > 1; }

// And of very long ones no processor remembers which links have branches: what depends on that goes by addresses.
// Embedded loops take what the other passes leave (engine/loops/compound_recursions.c).
SRS_INLINE bool has_far_parents(const srs_workspace *w)
{
  return w->model->n_links >= VERY_LONG && w->n_tips > 1 && w->embedding == NULL;
}

// One of two addresses. @param is_far  by bits: of a condition the compiler would make a branch, which has to be
// guessed
SRS_INLINE const void *chosen(bool is_far, bool first, const void *yes, const void *no)
{
  if (!is_far) return first ? yes : no;
  const uintptr_t mask = (uintptr_t)0 - (uintptr_t)first;
  return (const void *)(((uintptr_t)yes & mask) | ((uintptr_t)no & ~mask));
}

// Whether link k has branches, without a branch.
SRS_INLINE bool branches_by_bits(const srs_model *m, int k)
{
  const int end = m->subtree_end[k];
  return m->subtree_end[k + (end > k + 1)] < end; // of a tip itself: not
}

// Stores what only the branches of link k need.
SRS_INLINE void keep_for_branches(const srs_model *m, bool is_far, int k, v6 *to, v6 *unread, v6 a)
{
  if (is_far)
    store_v6((v6 *)(uintptr_t)chosen(true, branches_by_bits(m, k), to, unread), a);
  else if (has_branches(m, k))
    store_v6(to, a);
}

// The parent of the link that comes `ahead` links after k (negative: before); k itself where there is none.
SRS_INLINE int parent_ahead(const srs_model *m, int k, int ahead)
{
  const int next = k + ahead, p = next >= 0 && next < m->n_links ? m->parent[next] : k;
  return p < 0 ? k : p;
}

SRS_INLINE void fetch(const void *record, size_t bytes)
{
  for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const char *)record + i);
}

// Where link p is; the world for -1.
SRS_INLINE placement parent_placement(const placement *place, int p)
{
  const placement *at = p < 0 ? &world_placement : &place[p];
  const v3 x = at->axes.x, y = at->axes.y, z = at->axes.z, origin = at->origin;
  return (placement){{x, y, z}, v3_zero, origin};
}

// R I R^T: the columns of R I, then their products with those of R.
SRS_INLINE s33 turned_inertia(const double *t, m3 r)
{
  const v3 a = t[0] * r.x + t[3] * r.y + t[4] * r.z;
  const v3 b = t[3] * r.x + t[1] * r.y + t[5] * r.z;
  const v3 c = t[4] * r.x + t[5] * r.y + t[2] * r.z;
  return (s33){a * r.x + b * r.y + c * r.z, a * cycle(r.x) + b * cycle(r.y) + c * cycle(r.z)};
}

SRS_INLINE body body_in_world(const double *inertia, m3 axes)
{
  const v3 moment = inertia[1] * axes.x + inertia[2] * axes.y + inertia[3] * axes.z;
  return (body){turned_inertia(inertia + 4, axes), moment, inertia[0]};
}

// The wrench that gives a body this acceleration at this angular velocity; turning is turning_of them.
SRS_INLINE v6 body_force_of(const body *b, v3 w, v6 a, d33 turning)
{
  const v3 h = b->moment, L = s33_times(b->inertia, w);
  return (v6){s33_times(b->inertia, a.ang) + cycle(w * cycle(L) - cycle(w) * L + (h * cycle(a.lin) - cycle(h) * a.lin)),
              b->mass * a.lin + d33_times(turning, h)};
}
SRS_INLINE v6 body_force(const body *b, v3 w, v6 a) { return body_force_of(b, w, a, turning_of(w, a.ang)); }

// The momentum of a body.
SRS_INLINE v6 body_momentum(const body *b, v6 v)
{
  return (v6){s33_times(b->inertia, v.ang) + cross(b->moment, v.lin), b->mass * v.lin + cross(v.ang, b->moment)};
}

SRS_INLINE void add_body(body *to, const body *b)
{
  to->inertia = s33_add(to->inertia, b->inertia);
  to->moment += b->moment;
  to->mass += b->mass;
}

// A body seen from the origin that lies r behind: with g = h + m r / 2, I += 2 (r . g) 1 - (r g^T + g r^T).
SRS_INLINE body moved_body(body b, v3 r)
{
  const v3 g = b.moment + 0.5 * b.mass * r, p = 2 * r * g;
  return (body){{b.inertia.d + cycle(p) + cycle_back(p), b.inertia.e - r * cycle(g) - g * cycle(r)},
                b.moment + b.mass * r,
                b.mass};
}
