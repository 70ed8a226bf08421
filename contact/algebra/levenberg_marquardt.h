// Which z solves r(z) = 0? Levenberg-Marquardt for any square system of equations. Internal.
#pragma once
#include "contact/algebra/budget.h"
#include "contact/algebra/sparse.h"

typedef struct srs_equations {
  int n, stride;    // unknowns = equations; matrices are stride x stride, rows first, vectors padded with zeros
  const void *data; // passed to both:
  void (*residual)(const void *data, const double *z, double *x, double *r); // r: n, out; x: n, out, the impulses of z
  void (*jacobian)(const void *data, const double *z, double *J);            // J = dr/dz: n x n, out
} srs_equations;

typedef struct srs_lm_memory {
  double *J, *gram, *factor;                                // stride x stride each, factor right behind gram
  double *x, *r, *trial, *trial_r, *gradient, *step, *best; // stride each
  double *tall;                                             // 2 stride
  int *pivot;                                               // stride
  const srs_sparse *sparse;                                 // J's pattern, J being packed; NULL: dense
  double *left; // budget of multiplications: counted down, no step begins that it does not have; NULL: unlimited
} srs_lm_memory;

/// Takes a piece of work from the budget before it is done; false when the budget does not have it.
static inline bool srs_lm_spend(const srs_lm_memory *memory, double multiplications)
{
  return memory->left == NULL || srs_spend(memory->left, multiplications);
}

/// Whether the budget has that much, which is not taken yet; if not, nothing is left.
static inline bool srs_lm_affords(const srs_lm_memory *memory, double multiplications)
{
  if (memory->left == NULL || *memory->left > multiplications) return true;
  *memory->left = 0;
  return false;
}

/// n^3, for the budget; in small systems each costs more.
static inline double srs_cube(int n) { return ((double)n + 60) * n * n; }

/// Multiplications of one LU.
static inline double srs_lm_cost(const srs_lm_memory *memory, int n)
{
  return memory->sparse == NULL ? srs_cube(n) / 3 : memory->sparse->multiplications + 50.0 * n;
}

/// step <- J^-1 step by LU; false where J (packed where there is a pattern) is nearly singular. J may be the memory of
/// factor, for the dense.
bool srs_lm_divide(const srs_lm_memory *memory, int n, double *J, int stride, double least_ratio, double *step);

typedef struct srs_lm_result {
  double norm;    // |r| at the z returned
  int iterations; // Jacobians formed
} srs_lm_result;

/// MJ 5.1, from z until |r| <= goal, or |r| <= enough at rounding level, or no step makes it smaller, or
/// max_iterations, or the budget is spent.
/// @param z  n, in: start; out: the best point found. m->x: its impulses.
typedef srs_lm_result srs_minimiser(const srs_equations *equations, const srs_lm_memory *memory, double goal,
                                    double enough, int max_iterations, double *z);
srs_lm_result srs_rlm(const srs_equations *equations, const srs_lm_memory *memory, double goal, double enough,
                      int max_iterations, double *z);

/// MJ 5.2, the same arguments: QR instead of J^T J, a non-monotone line search, a watchdog.
srs_lm_result srs_plm(const srs_equations *equations, const srs_lm_memory *memory, double goal, double enough,
                      int max_iterations, double *z);
