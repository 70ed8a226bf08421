// Swing and twist of a ball joint, and their derivatives.
//
// With n the axis, R = R(w, u) the child's axes in the joint's frame, u the quaternion's vector:
//
//   swing  m = R^T n is the parent's axis in the child's frame: theta = atan2(|m x n|, m . n).
//          d(R n)/dt = R (omega x n) makes d(theta)/dt = omega . (m x n) / |m x n|
//          without an axis, n = 0: the angle of R itself, 2 atan2(|u|, |w|), whose rate is omega . u / |u|
//   twist  R = swing twist, the swing about an axis at right angles to n: tau = 2 atan2(y, w), y = u . n. With
//          w' = -u . omega / 2, u' = (w omega + u x omega) / 2:
//          d(tau)/dt = omega . (w^2 n + w n x u + y u) / (w^2 + y^2), and w^2 + y^2 = cos^2(theta / 2)

#include "engine/loops/swing_twist.h"

// The angle of the whole rotation, in [0, pi]; its rate is that about its own axis.
static double whole_angle(const double *q, v3 *row)
{
  const v3 u = v3_load(q + 1);
  const double sine = sqrt(dot(u, u)), sign = q[0] < 0 ? -1 : 1;
  *row = sine > 1e-12 ? (sign / sine) * u : (v3){1, 0, 0, 0};
  return 2 * atan2(sine, fabs(q[0]));
}

double srs_joint_swing(const double *q, v3 n, v3 *row)
{
  if (dot(n, n) == 0) return whole_angle(q, row);
  const v3 u = v3_load(q + 1), across = cross(u, n);
  const v3 m = n - 2 * q[0] * across + 2 * cross(u, across);
  const v3 normal = cross(m, n);
  const double sine = sqrt(dot(normal, normal));
  if (sine > 1e-12) {
    *row = (1 / sine) * normal;
  } else { // any axis at right angles to n
    const v3 other = fabs(n[0]) < 0.6 ? (v3){1, 0, 0, 0} : (v3){0, 1, 0, 0};
    const v3 direction = cross(n, other);
    *row = (1 / sqrt(dot(direction, direction))) * direction;
  }
  return atan2(sine, dot(m, n));
}

double srs_joint_twist(const double *q, v3 n, double near, v3 *row)
{
  const double full = 2 * 3.14159265358979323846;
  const v3 u = v3_load(q + 1);
  const double w = q[0], y = dot(u, n), square = w * w + y * y;
  *row = square > 1e-24 ? (1 / square) * (w * w * n + w * cross(n, u) + y * u) : n;
  const double twist = 2 * atan2(y, w);
  return twist + full * round((near - twist) / full);
}
