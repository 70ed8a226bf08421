// Rotations as matrices, quaternions and roll-pitch-yaw angles, each from the others.
#include "topology/base/rotations.h"
#include "topology/base/spatial.h"

srs_pose srs_identity_pose(void) { return (srs_pose){{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}; }

void srs_rotation_from_rpy(const double rpy[3], double rotation[9])
{
  const double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]);
  const double cy = cos(rpy[2]), sy = sin(rpy[2]);
  const double made[9] = {cy * cp,
                          cy * sp * sr - sy * cr,
                          cy * sp * cr + sy * sr, //
                          sy * cp,
                          sy * sp * sr + cy * cr,
                          sy * sp * cr - cy * sr, //
                          -sp,
                          cp * sr,
                          cp * cr};
  for (int i = 0; i < 9; i++) rotation[i] = made[i] + 0.0; // no -0
}

// Scaled by the largest entry first, so that no square overflows or vanishes.
bool srs_quaternion_normalise(double *wxyz, double shortest)
{
  double largest = 0, scaled[4], square = 0;
  for (int i = 0; i < 4; i++) {
    if (!isfinite(wxyz[i])) return false;
    largest = fmax(largest, fabs(wxyz[i]));
  }
  if (largest == 0) return false;
  for (int i = 0; i < 4; i++) scaled[i] = wxyz[i] / largest, square += scaled[i] * scaled[i];
  const double length = sqrt(square);
  if (largest * length < shortest) return false;
  for (int i = 0; i < 4; i++) wxyz[i] = scaled[i] / length;
  return true;
}

bool srs_quaternion_is_unit(const double wxyz[4], double *length)
{
  *length = hypot(hypot(wxyz[0], wxyz[1]), hypot(wxyz[2], wxyz[3])); // no square overflows or vanishes
  return fabs(*length - 1) <= 1e-6;
}

void srs_rotation_from_quaternion(const double wxyz[4], double rotation[9])
{
  double unit[4] = {wxyz[0], wxyz[1], wxyz[2], wxyz[3]};
  mat3_to_rows(rotation, srs_quaternion_normalise(unit, 0) ? mat3_from_quaternion(unit) : mat3_identity);
}

// With t the largest of w^2, x^2, y^2, z^2 (times 4), the other three follow from sums and differences of the entries.
void srs_quaternion_from_rotation(const double rotation[9], double wxyz[4])
{
  const double *r = rotation;
  const double squares[4] = {1 + r[0] + r[4] + r[8], 1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8],
                             1 - r[0] - r[4] + r[8]};
  const double wx = r[7] - r[5], wy = r[2] - r[6], wz = r[3] - r[1];
  const double xy = r[1] + r[3], xz = r[2] + r[6], yz = r[5] + r[7];
  double rows[4][4] = {
      {squares[0], wx, wy, wz}, {wx, squares[1], xy, xz}, {wy, xy, squares[2], yz}, {wz, xz, yz, squares[3]}};
  int largest = 0;
  for (int i = 1; i < 4; i++)
    if (squares[i] > squares[largest]) largest = i;
  const double identity[4] = {1, 0, 0, 0};
  const double *unit = srs_quaternion_normalise(rows[largest], 0) ? rows[largest] : identity;
  const double sign = unit[0] < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++) wxyz[i] = sign * unit[i] + 0.0;
}
