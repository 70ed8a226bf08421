// The normal along which two cores are nearest, exactly. Internal to collision/.
#pragma once
#include "collision/gjk/core.h"

struct srs_simplex;

typedef struct srs_pair_optimum {
  vec3 normal;          // unit, from B to A, seen from the frame that the cores are given in
  vec3 a, b;            // points of the cores; a - b = gap * normal up to rounding
  double gap;           // of the cores
  double cap;           // where proven: no normal n + t, t across n and |t| <= cap, is better
  int piece_a, piece_b; // pieces that meet
  bool is_proven;       // the conditions of an optimum hold to rounding
} srs_pair_optimum;

/// From a normal nearby to the best one. Where the cores are apart the result is the best of all, wherever it starts.
/// @param scale   a length as large as the two
/// @param rounds  how often to try again from what was found, until it is proven
void srs_refine(const srs_core *a, const srs_core *b, vec3 start, double scale, int rounds, srs_pair_optimum *optimum);

/// The same by GJK and the pieces it meets, starting anywhere: in a microsecond, and left unproven where that does not
/// do. Cores farther apart than `far` are left at some gap that is above it.
/// @param simplex  out: points of C; four that hold the origin where the cores overlap and no optimum was met
void srs_near(const srs_core *a, const srs_core *b, vec3 start, double scale, double far, struct srs_simplex *simplex,
              srs_pair_optimum *optimum);

/// The best normal by GJK alone, if the cores are apart; keeps what is known if they are not, or if that is better.
void srs_part(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum);

/// For an optimum that is not proven: points of the cores that fit its normal and gap within 1e-7 * scale.
void srs_points(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum);

/// Looks for a normal along which overlapping cores are less deep than along those known, and takes it. What is left is
/// within 1e-8 * scale of the least depth.
/// @param simplex  points of C to begin with; four, or any
/// @return false where rounding or its room ended the search
bool srs_epa(const srs_core *a, const srs_core *b, double scale, const struct srs_simplex *simplex,
             srs_pair_optimum *optimum);
