// The normal along which two cores are nearest, exactly. Internal.
#pragma once
#include "collision/gjk/polish.h"

/// From a normal nearby to the best one. Where the cores are apart the result is the best of all, wherever it starts.
/// @param scale   a length as large as the two
/// @param rounds  how often to try again from what was found, until it is proven
void srs_gjk_refine(const srs_core *a, const srs_core *b, vec3 start, double scale, int rounds,
                    srs_pair_optimum *optimum);

/// The same by GJK and the pieces it meets, from any start: in a microsecond, and left unproven where that is not
/// enough. For cores farther apart than `far` the gap is some value above it.
/// @param simplex  out: points of C; four that hold the origin where the cores overlap and no optimum was met
void srs_gjk_near(const srs_core *a, const srs_core *b, vec3 start, double scale, double far, srs_simplex *simplex,
                  srs_pair_optimum *optimum);

/// The best normal by GJK alone, if the cores are apart; keeps what is known if they are not, or if that is better.
void srs_gjk_separate(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum);

/// For an optimum that is not proven: points of the cores that fit its normal and gap within 1e-7 * scale.
void srs_gjk_witnesses(const srs_core *a, const srs_core *b, double scale, srs_pair_optimum *optimum);
