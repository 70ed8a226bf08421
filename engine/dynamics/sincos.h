// Sines and cosines of many angles at once. Internal.
//
// x = k pi/2 + r, |r| <= pi/4, k by rounding; r exact to about 1e-17 by subtracting k times pi/2 in three pieces of 33
// bits (k times a piece is exact for |k| < 2^20); then polynomials on r, and the quadrant swaps and signs them. The
// code has no branches, so that the compiler works on four or eight angles at a time. Absolute error below 1.2e-16.
// Angles beyond 1e6 rad go to the C library.
//
// The pieces and the polynomials' coefficients are those of fdlibm (its files e_rem_pio2, k_sin and k_cos).
#pragma once
#include "engine/dynamics/lane_numbers.h"

#define SRS_SINCOS_LIMIT 1e6

// Of x and so many right angles.
SRS_INLINE void sincos_turned(lanes x, int64_t quarters, lanes *sine, lanes *cosine)
{
  const double shifter = 0x1.8p52;
  const lanes shifted = x * 0x1.45f306dc9c883p-1 + shifter, k = shifted - shifter; // nearest integer to x * 2/pi
  lanes r = x - k * 0x1.921fb544p+0;
  r -= k * 0x1.0b4611a6p-34;
  r -= k * 0x1.3198a2e037073p-69;
  const lanes z = r * r;
  const lanes s5 = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10;
  const lanes s3 = -1.98412698298579493134e-04 + z * (2.75573137070700676789e-06 + z * s5);
  const lanes s = r + r * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * s3));
  const lanes c5 = 2.08757232129817482790e-09 + z * -1.13596475577881948265e-11;
  const lanes c3 = 2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * c5);
  const lanes c = 1 - 0.5 * z + z * z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * c3));
  // The quadrant k mod 4 is in the last two bits: odd ones swap, the signs follow sin(k pi/2) and cos(k pi/2).
  const lane_mask quadrant = (lane_mask)shifted + quarters, odd = -(quadrant & 1);
  const lane_mask swap = ((lane_mask)s ^ (lane_mask)c) & odd;
  *sine = (lanes)((lane_mask)s ^ swap ^ ((quadrant & 2) << 62));
  *cosine = (lanes)((lane_mask)c ^ swap ^ (((quadrant + 1) & 2) << 62));
}

SRS_INLINE void sincos_reduced(lanes x, lanes *sine, lanes *cosine) { sincos_turned(x, 0, sine, cosine); }
