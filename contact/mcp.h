/// Mixed complementarity problems, given by callbacks.
#pragma once
#include <sarrus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A mixed complementarity problem: find lower <= z <= upper with, in every row,
///   F_i(z) >= 0 where z_i = lower_i,   F_i(z) <= 0 where z_i = upper_i,   F_i(z) = 0 between.
/// Bounds may be infinite; a row without any is an equation, one with lower = upper fixes z_i. F must be continuous and
/// differentiable except at kinks, where any limit of its derivative will do. It may be evaluated outside the bounds.
typedef struct srs_mcp {
  int n;
  const double *lower, *upper;                                          // n each, lower <= upper
  void *data;                                                           // passed to both:
  void (*function)(void *data, const double *z, double *F);             // F: n, out
  void (*jacobian)(void *data, const double *z, double *J, int stride); // J_ij = dF_i/dz_j at J[i stride + j]: out,
                                                                        // zero before the call
} srs_mcp;

typedef enum srs_mcp_function {
  SRS_MCP_FB,  // Fischer-Burmeister
  SRS_MCP_PFB, // the same, penalised (MJ eq. 8)
} srs_mcp_function;

typedef enum srs_mcp_method {
  SRS_MCP_RLM, // regularised Levenberg-Marquardt (MJ 5.1), Newton steps near a solution
  SRS_MCP_PLM, // by QR, with a non-monotone line search (MJ 5.2)
} srs_mcp_method;

typedef struct srs_mcp_options {
  srs_mcp_function function; // default SRS_MCP_FB
  srs_mcp_method method;     // default SRS_MCP_RLM
  double penalty_weight;     // of SRS_MCP_PFB, in (0, 1]. Default 0.7
  double tolerance;          // on the natural map: the problem counts as solved. Default 1e-10
  double goal;               // on the equations' norm: iterations stop here, or at rounding level. Default 1e-13
  int max_iterations;        // of each attempt. Default 100
  int most_iterations;       // of all attempts together, > 0: bounds the time. Default 10000, more than they take
  bool recovers;             // after a failure, try smoothing and the other methods and functions, from the start and
                             // from the feasible point nearest 0. Default true
} srs_mcp_options;

srs_mcp_options srs_default_mcp_options(void);

typedef enum srs_mcp_status {
  SRS_MCP_SOLVED,
  SRS_MCP_UNSOLVED,   // the best iterate is returned
  SRS_MCP_STATIONARY, // likewise; it is a stationary point of the equations' norm: there is no solution near it, and
                      // perhaps none at all
  SRS_MCP_NOT_FINITE, // F is not finite at the start
} srs_mcp_status;

/// "solved", "unsolved", "stationary", "not-finite"
const char *srs_mcp_status_name(srs_mcp_status status);

typedef struct srs_mcp_report {
  srs_mcp_status status;
  int iterations;  // Jacobians, of all attempts
  double residual; // the certificate: |z - mid(lower, upper, z - F(z))|_2 at the z returned
  double slope;    // unsolved: |J^T r| / (|J| |r|) of the equations r there; 0 at a stationary point. Solved: 0
} srs_mcp_report;

/// Memory for problems of up to `n` unknowns. One thread at a time.
typedef struct srs_mcp_solver srs_mcp_solver;

/// Allocates.  @param n  0 to 10000   @return SRS_OK, SRS_ERROR_ARGUMENT, _MEMORY
srs_status srs_mcp_solver_create(int n, srs_mcp_solver **solver, srs_error *error);
void srs_mcp_solver_destroy(srs_mcp_solver *solver);

/// Solves, and certifies. Allocates nothing. Dense: the time of an iteration grows with n^3. Scale rows and unknowns
/// so that one tolerance suits them all.
/// @param options  NULL for the default
/// @param z        n, in: start; out: the solution (the best iterate when unsolved)
/// @param report   out
/// @return SRS_OK also when unsolved (the report says so); SRS_ERROR_ARGUMENT, _CAPACITY, _NOT_FINITE (of z)
srs_status srs_mcp_solve(srs_mcp_solver *solver, const srs_mcp *problem, const srs_mcp_options *options, double *z,
                         srs_mcp_report *report);

/// The certificate of any z (solver: for its memory). NAN where there is no room for it.
double srs_mcp_residual(srs_mcp_solver *solver, const srs_mcp *problem, const double *z);

#ifdef __cplusplus
}
#endif
