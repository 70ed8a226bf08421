// The configuration manifold: how q moves along v, and which v leads from one q to another.
//
// Quaternions q (w x y z) turn with the angular velocity w in the link's axes: dq/dt = q (0, w) / 2, so that for
// constant w
//
//   q(h) = q(0) exp(h w / 2),  exp(u / 2) = (cos(theta / 2), sin(theta / 2) u / theta),  theta = |u|
//
// and the difference is the logarithm: with d = conj(q0) q1, negated where d_w < 0 (the shorter way),
// u = 2 atan2(|d_v|, d_w) d_v / |d_v|. atan2 is accurate near 0 and near pi, and does not mind the length of d.
#include "topology/model/configuration.h"
#include "topology/base/rotations.h"
#include "topology/model/joint_kind.h"

// ---------------------------------------------------------------------------------------------------------------------
// Quaternions
// ---------------------------------------------------------------------------------------------------------------------

typedef struct quaternion {
  double w;
  vec3 v;
} quaternion;

SRS_INLINE quaternion load(const double *q) { return (quaternion){q[0], vec3_load(q + 1)}; }

SRS_INLINE quaternion times(quaternion a, quaternion b)
{
  return (quaternion){a.w * b.w - dot3(a.v, b.v), add3(cross3(a.v, b.v), add3(scale3(a.w, b.v), scale3(b.w, a.v)))};
}

// exp(u / 2). Below theta = 1e-10 the next term of the series, theta^2 / 48, is far under rounding.
static quaternion exponential(vec3 u)
{
  const double square = dot3(u, u);
  if (square < 1e-20) return (quaternion){1, scale3(0.5, u)};
  const double theta = sqrt(square);
  return (quaternion){cos(theta / 2), scale3(sin(theta / 2) / theta, u)};
}

static vec3 logarithm(quaternion d)
{
  if (d.w < 0) d = (quaternion){-d.w, scale3(-1, d.v)};
  const double square = dot3(d.v, d.v);
  if (square < 1e-20 * d.w * d.w) return scale3(2 / d.w, d.v);
  const double length = sqrt(square);
  return scale3(length > 0 ? 2 * atan2(length, d.w) / length : 0, d.v);
}

// What does not turn keeps its quaternion to the bit, if that is unit up to rounding: normalised once more it could go
// to and fro between two neighbours.
static void turn_quaternion(const double *q, vec3 u, double *q_out)
{
  const double rounding = 1e-15;
  const quaternion turned = times(load(q), exponential(u));
  const double square = turned.w * turned.w + dot3(turned.v, turned.v);
  const bool stays = dot3(u, u) == 0 && fabs(square - 1) <= rounding;
  const double scale = stays ? 1 : 1 / sqrt(square);
  q_out[0] = scale * turned.w;
  vec3_store(q_out + 1, scale3(scale, turned.v));
}

static vec3 quaternion_difference(const double *q1, const double *q0)
{
  const quaternion a = load(q0);
  return logarithm(times((quaternion){a.w, scale3(-1, a.v)}, load(q1)));
}

// ---------------------------------------------------------------------------------------------------------------------
// The manifold
// ---------------------------------------------------------------------------------------------------------------------

static inline void integrate_joint(const srs_joint_facts *kind, const double *q, const double *v, double h, double *out)
{
  const int n_numbers = kind->quaternion >= 0 ? kind->quaternion : kind->nv;
  for (int i = 0; i < n_numbers; i++) out[i] = q[i] + h * v[i];
  if (kind->quaternion >= 0) turn_quaternion(q + n_numbers, scale3(h, vec3_load(v + n_numbers)), out + n_numbers);
}

void srs_integrate_joint(srs_joint_kind kind, const double *q, const double *v, double h, double *q_out)
{
  integrate_joint(&srs_joint_table[kind], q, v, h, q_out);
}

void srs_integrate(const srs_model *model, const double *q, const double *v, double h, double *q_out)
{
  for (int k = 0; k < model->n_links; k++) {
    const int q_index = model->q_index[k];
    integrate_joint(&srs_joint_table[model->kind[k]], q + q_index, v + model->v_index[k], h, q_out + q_index);
  }
}

void srs_difference(const srs_model *model, const double *q1, const double *q0, double *v)
{
  for (int k = 0; k < model->n_links; k++) {
    const srs_joint_facts *kind = &srs_joint_table[model->kind[k]];
    const double *a = q0 + model->q_index[k], *b = q1 + model->q_index[k];
    double *out = v + model->v_index[k];
    const int n_numbers = kind->quaternion >= 0 ? kind->quaternion : kind->nv;
    for (int i = 0; i < n_numbers; i++) out[i] = b[i] - a[i];
    if (kind->quaternion >= 0) vec3_store(out + n_numbers, quaternion_difference(b + n_numbers, a + n_numbers));
  }
}

bool srs_normalise(const srs_model *model, double *q)
{
  for (int k = 0; k < model->n_links; k++) {
    const int at = srs_joint_table[model->kind[k]].quaternion;
    if (at < 0) continue;
    double copy[4];
    for (int i = 0; i < 4; i++) copy[i] = q[model->q_index[k] + at + i];
    if (!srs_quaternion_normalise(copy, 1e-9)) return false;
  }
  for (int k = 0; k < model->n_links; k++) {
    const int at = srs_joint_table[model->kind[k]].quaternion;
    if (at >= 0) srs_quaternion_normalise(q + model->q_index[k] + at, 1e-9);
  }
  return true;
}

// The series where the difference would cancel, the first term left out is below 3e-16 there.
double srs_logarithm_factor(double square)
{
  if (square < 0.01) return 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square * (1.0 / 1209600)));
  const double half = sqrt(square) / 2;
  return (1 - half * cos(half) / sin(half)) / square;
}

void srs_tangent_rate(const srs_model *model, const double *u, const double *v, double *du)
{
  for (int k = 0; k < model->n_links; k++) {
    const srs_joint_facts *kind = &srs_joint_table[model->kind[k]];
    const double *uk = u + model->v_index[k], *vk = v + model->v_index[k];
    double *out = du + model->v_index[k];
    const int n_numbers = kind->quaternion >= 0 ? kind->quaternion : kind->nv;
    for (int i = 0; i < n_numbers; i++) out[i] = vk[i];
    if (kind->quaternion < 0) continue;
    const vec3 a = vec3_load(uk + n_numbers), w = vec3_load(vk + n_numbers), aw = cross3(a, w);
    const double c = srs_logarithm_factor(dot3(a, a));
    vec3_store(out + n_numbers, add_scaled3(add_scaled3(w, 0.5, aw), c, cross3(a, aw)));
  }
}

void srs_spring_forces(const srs_model *model, const double *d, const double *stiffness, double *tau)
{
  for (int k = 0; k < model->n_links; k++) {
    const srs_joint_facts *kind = &srs_joint_table[model->kind[k]];
    const double *dk = d + model->v_index[k], *stiff = stiffness + model->v_index[k];
    double *out = tau + model->v_index[k];
    const int n_numbers = kind->quaternion >= 0 ? kind->quaternion : kind->nv;
    for (int i = 0; i < n_numbers; i++) out[i] = stiff[i] > 0 ? -stiff[i] * dk[i] : 0;
    if (kind->quaternion < 0) continue;
    const vec3 a = vec3_load(dk + n_numbers), K = vec3_load(stiff + n_numbers);
    const vec3 pull = {-K.x * a.x, -K.y * a.y, -K.z * a.z}, across = cross3(a, pull);
    const double c = srs_logarithm_factor(dot3(a, a));
    vec3_store(out + n_numbers, add_scaled3(add_scaled3(pull, -0.5, across), c, cross3(a, across)));
  }
}

void srs_spring_damper_forces(const srs_model *model, const double *q, const double *v, double *tau)
{
  if (model->has_springs) {
    srs_difference(model, q, model->reference, tau);
    srs_spring_forces(model, tau, model->stiffness, tau);
  }
  for (int i = 0; i < model->nv; i++) tau[i] = (model->has_springs ? tau[i] : 0) - model->damping[i] * v[i];
}
