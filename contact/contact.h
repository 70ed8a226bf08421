/// Which contact impulses solve the step? A contact problem is numbers only: the Delassus matrix W, a vector, friction
/// coefficients and bounds.
///
/// w = W lambda + b: lambda are the impulses over the step, w the velocities after it, b the velocities that the rows
/// would have without impulses. There are four kinds of rows, in this order:
///
///   bilateral   w = 0, lambda free                                          loop closures
///   contact     1 + d rows each: the normal n, then d = 0 … 5 tangents. 0 <= lambda_n _|_ w_n >= 0,
///               |lambda_t / e| <= mu lambda_n, and where the contact slides the impulse of maximum dissipation,
///               lambda_t = -mu lambda_n e^2 w_t / |e w_t|                   Signorini and Coulomb
///   unilateral  0 <= lambda _|_ w >= 0                                      joint limits
///   box         lower <= lambda <= upper; w >= 0 at lower, <= 0 at upper, 0 between     dry friction of joints
///
/// e, row by row, is the anisotropy. With e = 1 the cone is Coulomb's round one; otherwise the friction set is an
/// ellipse or ellipsoid (e_t, e_o along two tangents, e_r about the normal: Chakraborty, Berard, Akella & Trinkle eq.
/// 5), in which sliding, torsional and rolling friction share the bound mu lambda_n. With lambda_t = e x and v = e w_t
/// the cone is round again: |x| <= mu lambda_n, opposing v.
///
/// This is FCLIB's local problem with bilateral rows (u = W r + V lambda + q, 0 = V^T r + R lambda + s).
///
/// The residual that all reports quote (derived in docs/theory.md): with E = e for tangent rows, 1 for others, contact
/// i is scaled by s_i = (mean of its 1 + d diagonal entries of E W E)^(-1/2), other rows by their own entry. With
/// lambda = E S lambda', w' = S E w, b' = S E b and K the cone |lambda'_t| <= mu lambda'_n it is the natural map
///
///   |(lambda' - P_K(lambda' - w' - mu |w'_t| e_n), w'_b, ...)|_2 / |b'|_2          for b = 0 the solution is 0
///
/// With a friction polyhedron (mlcp methods): lambda'_n from max(0, lambda'_n - w'_n), lambda'_t from the nearest point
/// to lambda'_t - w'_t of the convex hull of mu lambda'_n d_k. The d_k are, for two tangents, the corners of a regular
/// polygon; for more, these and +-1 along each further one (for three a double pyramid); for one, +-1, which is the
/// cone itself. `relaxed` is measured with w'_n - mu sigma for w'_n, sigma = max_k -d_k . w'_t.
#pragma once
#include <sarrus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A factorisation of the Delassus matrix: W = diag(own) + the sum over groups of L_g L_g^T. L_g has the rows of the
/// block rows in the group and as many columns as the rank of these rows: at most six for rows on one free body,
/// however many they are. Solvers may then solve for velocities, one for each column, instead of impulses.
typedef struct srs_contact_factor {
  int n_groups;
  const int *first;    // n_groups + 1: each group's first column
  const int *start;    // block rows + 1: where each block row's groups begin
  const int *group;    // start[block rows]: the groups, each once
  const size_t *begin; // start[block rows]: where the block row's numbers in this group begin
  const double *value; // row by row, each over the group's columns
  const double *own;   // n, >= 0; NULL: zeros
} srs_contact_factor;

/// The Delassus matrix in sparse block rows, for large problems; every method takes it. Memory and time of a step grow
/// with the number of blocks and the fill-in of their elimination. The block rows are the bilateral rows one by one,
/// the contacts, then the unilateral and the box rows one by one. Symmetric.
typedef struct srs_contact_blocks {
  int n_block_rows;
  const int *first;    // n_block_rows + 1: each block row's first row
  const int *start;    // n_block_rows + 1: where each block row's neighbours begin
  const int *column;   // start[n_block_rows]: block columns that may be nonzero, the diagonal too, ascending
  const size_t *begin; // n_block_rows + 1: where the numbers of each block row begin
  const double *value; // begin[n_block_rows]: row by row, each over all columns of its neighbours side by side
  const srs_contact_factor *factor; // of the same matrix, to rounding; or NULL
} srs_contact_blocks;

/// Tangent rows of a contact, at most; of problems by blocks.
enum { SRS_CONTACT_TANGENTS_MOST = 5, SRS_CONTACT_TANGENTS_BY_BLOCKS = 3 };

typedef struct srs_contact_problem {
  int n_bilateral, n_contacts, n_unilateral, n_box;
  const double *W;                  // Delassus matrix, n x n, rows first; n = srs_contact_problem_rows
  const srs_contact_blocks *blocks; // NULL; or the Delassus matrix by blocks: then W is NULL
  const double *b;                  // n
  const double *friction;           // n_contacts, >= 0
  const unsigned char *tangents;    // n_contacts: tangent rows of each: 0, 1 (t: planar), 2 (t1, t2), 3 (t1, t2, spin
                                    // about the normal), 4 (t1, t2, turning about t1 and about t2: rolling), 5 (t1, t2,
                                    // spin, rolling); NULL: 2 each. With blocks 3 at most
  const double *anisotropy;         // n_contacts x 3, > 0: e of each tangent row; for the torsional row (N m s) a
                                    // length, m. Entries of absent rows are ignored. NULL: 1 each
  const double *rolling;            // n_contacts, > 0: e of a contact's fourth and fifth tangent rows, m; NULL: 1 each
  const double *box_lower;          // n_box, <= 0
  const double *box_upper;          // n_box, >= 0
} srs_contact_problem;

/// The Delassus matrix as a dense one, rows first.
void srs_contact_blocks_expand(const srs_contact_blocks *blocks, double *W);

/// Rows of a problem.
int srs_contact_problem_rows(const srs_contact_problem *problem);

typedef enum srs_contact_method {
  SRS_METHOD_MNCP_RLM,     // exact cone (Todorov's form), regularised Levenberg-Marquardt
  SRS_METHOD_MNCP_PLM,     // the same equations, "projected" Levenberg-Marquardt: by QR
  SRS_METHOD_MLCP_LEMKE,   // friction polyhedron, Lemke's pivoting; with blocks an interior point, then Newton steps
  SRS_METHOD_MLCP_PFB_RLM, // friction polyhedron, penalised Fischer-Burmeister equations
  SRS_METHOD_MLCP_PFB_PLM,
  SRS_METHOD_MLCP_FB_RLM, // friction polyhedron, Fischer-Burmeister equations
  SRS_METHOD_MLCP_FB_PLM,
  SRS_METHOD_RELAXED, // friction polyhedron, convex relaxation (Hart & Anitescu 2.10): sliding contacts separate
  SRS_METHOD_RELAXED_FIXED_POINT, // friction polyhedron, fixed point of relaxed problems: an exact solution
} srs_contact_method;

enum { SRS_CONTACT_METHODS = SRS_METHOD_RELAXED_FIXED_POINT + 1, SRS_CONTACT_DIRECTIONS_MOST = 64 };

/// Methods before this one solve the complementarity problem itself, wherever it has a solution.
enum { SRS_COMPLEMENTARITY_METHODS = SRS_METHOD_MLCP_FB_PLM + 1 };

/// "mncp-rlm", "mncp-plm", "mlcp-lemke", "mlcp-pfb-rlm", "mlcp-pfb-plm", "mlcp-fb-rlm", "mlcp-fb-plm",
/// "relaxed", "relaxed-fixed-point"
const char *srs_contact_method_name(srs_contact_method method);
bool srs_contact_method_from_name(const char *text, srs_contact_method *method);

/// Whether a method approximates the friction cone by a polyhedron: n_directions and direction_angle count.
bool srs_contact_method_has_polyhedron(srs_contact_method method);

/// Whether a method solves convex relaxations (relaxed, relaxed-fixed-point).
bool srs_contact_method_is_relaxed(srs_contact_method method);

/// The stage of the fallback sequence that found the answer.
typedef enum srs_contact_stage {
  SRS_STAGE_NONE,         // nothing to solve
  SRS_STAGE_WARM,         // warm start: from the impulses handed in
  SRS_STAGE_COLD,         // from a few sweeps, or from z = b (no impulses)
  SRS_STAGE_GAUSS_SEIDEL, // from many projected Gauss-Seidel sweeps
  SRS_STAGE_LEMKE,        // from Lemke's solution with a friction polyhedron (mlcp methods: that solution itself)
  SRS_STAGE_INTERIOR,     // large problems: from, or by, an interior point with a friction polyhedron
  SRS_STAGE_SOFTENED,     // by continuation: from softened contacts, on paths; by hops (mncp methods)
} srs_contact_stage;

/// "none", "warm", "cold", "gauss-seidel", "lemke", "interior", "softened"
const char *srs_contact_stage_name(srs_contact_stage stage);

typedef struct srs_contact_options {
  srs_contact_method method;    // default SRS_METHOD_MNCP_RLM
  double tolerance;             // on the scaled residual. Default 1e-12
  int max_iterations;           // of Levenberg-Marquardt, for each start. Default 60
  srs_contact_stage last_stage; // later stages are not tried: bounds the time. Default SRS_STAGE_SOFTENED
  // Bound on the work of one solve, in multiplications; > 0. What a piece of work costs (a factorisation, a sweep, a
  // pivot) is counted before it is done, and a piece beyond the bound is not: the solve ends with the best impulses so
  // far, the same on every machine. It holds for every method. 1.2e10 take 1 to 7 s. A bound below what checking,
  // scaling and certifying cost counts as that. Default INFINITY: 1.2e10, or 300 factorisations of W (n^3 / 3 each)
  // where these are more (with blocks and one tangent a contact: 1.2e10 for each 300 rows), and a little for the
  // impulses of problems without an answer
  double most_work;
  // mlcp and relaxed methods:
  int n_directions;       // corners of the friction polyhedron in the tangent plane: even, 4 …
                          // SRS_CONTACT_DIRECTIONS_MOST. Default 4
  double direction_angle; // of the first from t1 towards t2, rad. Default 0
  double penalty_weight;  // of Fischer-Burmeister in its penalised form (MJ eq. 8), in (0, 1]. Default 0.7
} srs_contact_options;

srs_contact_options srs_default_contact_options(void);

typedef enum srs_contact_status {
  SRS_CONTACT_SOLVED,
  SRS_CONTACT_STAGNATED,  // stagnated at rounding level, within 1e-6 of an answer; residual above the tolerance
  SRS_CONTACT_UNSOLVED,   // no stage reached the tolerance, or no answer exists; impulses no worse than none are
                          // returned (srs_contact_solve)
  SRS_CONTACT_NOT_FINITE, // the problem holds a NaN or an infinity: nothing was computed; or its numbers overflow
} srs_contact_status;

const char *srs_contact_status_name(srs_contact_status status);

/// The certificate: computed after every solve from the original W and b, independently of the solver.
typedef struct srs_contact_report {
  srs_contact_status status;
  srs_contact_stage stage;
  int iterations;        // of all stages together
  double work;           // multiplications, as most_work counts them: with blocks each as four
  double most_work;      // what they are bounded by: most_work, or what that stands for
  double residual;       // scaled natural map, above; mlcp and relaxed methods: with their polyhedron for the cone;
                         // `relaxed`: of the relaxed problem
  double exact_residual; // the same with the exact cone, whatever the method
  // Unscaled maxima over the rows, in the rows' units:
  double bilateral;       // |w|
  double normal;          // |min(lambda_n, w_n)|
  double cone;            // max(0, |lambda_t / e| - mu lambda_n), N s
  double sliding;         // the smaller of |lambda_t / e + mu lambda_n e w_t / |e w_t|| and s^2 |e w_t|: 0 where it
                          // sticks, N s
  double unilateral, box; // likewise
  double energy;          // lambda . (w + b) / 2: kinetic energy that the impulses add (negative: remove), J
  // Rank of the bilateral rows: how many are independent by more than about 1e-6 of their length. The others count as
  // redundant: impulses are the least-norm ones that satisfy the independent rows (with blocks: those found first, and
  // all rows count as independent). Where redundant rows contradict, `bilateral` says by how much and the status is
  // unsolved; contacts are solved all the same.
  int bilateral_rank;
  double bilateral_pivot; // their smallest pivot, in that row's unit of W: it tends to 0 as the row becomes redundant;
                          // INFINITY where there is none
  int bilateral_weakest;  // the row that has it, -1 where there is none
  // relaxed-fixed-point: ratio of its last two step lengths (below 1: it converges); 0 where it took fewer than two, or
  // where they were rounding. Other methods: 0.
  double contraction;
} srs_contact_report;

/// Rows of problems without blocks.
enum { SRS_CONTACT_MOST_ROWS = 10000 };

/// Memory for problems of up to `n_rows` rows: the square of that, of which the system gives what is used. One thread
/// at a time. Growing is left to the reserve functions alone.
typedef struct srs_contact_solver srs_contact_solver;

srs_status srs_contact_solver_create(int n_rows, srs_contact_solver **solver, srs_error *error);
srs_status srs_contact_solver_reserve(srs_contact_solver *solver, int n_rows, srs_error *error);

/// The same for mlcp methods with more than 4 directions.
srs_status srs_contact_solver_reserve_directions(srs_contact_solver *solver, int n_rows, int n_directions,
                                                 srs_error *error);

/// How large problems with blocks may be.
typedef struct srs_contact_sizes {
  int n_rows, n_block_rows;
  size_t n_blocks, n_values; // start[n_block_rows], begin[n_block_rows]
  int n_directions;          // of friction polyhedra
  int n_groups, n_columns;   // of factors: groups, first[n_groups]; zeros where there are none
  size_t n_links, n_numbers; // start[n_block_rows], numbers
} srs_contact_sizes;

/// Memory for problems with blocks. Where srs_contact_solve has just run out of room for fill-in
/// (SRS_ERROR_CAPACITY), a call doubles it.
srs_status srs_contact_solver_reserve_blocks(srs_contact_solver *solver, const srs_contact_sizes *sizes,
                                             srs_error *error);

/// Whether there is room for such problems, fill-in aside.
bool srs_contact_solver_has_room(const srs_contact_solver *solver, const srs_contact_sizes *sizes);
void srs_contact_solver_destroy(srs_contact_solver *solver);

/// Solves, and certifies. Allocates nothing.
///
/// Impulses of a problem reported unsolved are never worse than none: they are inside their cones (their polyhedra) and
/// bounds, their residual is at most that of no impulses, they add no energy, and scaled they are bounded by |b'| over
/// the least pivot of W that means anything (above 1e-7; times 2500 at most, and only for a residual that is as much
/// smaller). Bilateral rows aside: without W by blocks these are closed in any case, and `no impulses` means none in
/// the other rows.
/// @param options  NULL for the default
/// @param impulse  n, in: warm start if is_warm; out: the solution (the best impulses found when unsolved)
/// @param velocity n, out: w; may be NULL
/// @param report   out
///
/// Impulses, velocities and the residual are finite. Where numbers are so large that they overflow in what was found,
/// none are handed back, in bilateral rows either; where even these cannot be measured the call fails.
/// @return SRS_OK also when unsolved (the report says so); SRS_ERROR_DIVERGED: numbers overflow (impulse is 0, velocity
///         b, the report's status SRS_CONTACT_NOT_FINITE); SRS_ERROR_ARGUMENT, _CAPACITY, _NOT_FINITE
srs_status srs_contact_solve(srs_contact_solver *solver, const srs_contact_problem *problem,
                             const srs_contact_options *options, bool is_warm, double *impulse, double *velocity,
                             srs_contact_report *report);

/// The certificate of any impulses for a problem, on the exact cone (solver: for its memory).
srs_status srs_contact_certify(srs_contact_solver *solver, const srs_contact_problem *problem, const double *impulse,
                               srs_contact_report *report);

/// The natural map without scaling (rho = 1), to compare with other programs. Divided by |b| it is the figure in
/// papers; Siconos 4.4 divides by the larger of |b| and |impulse|, which is more lenient where W is small.
/// @param impulse, velocity  n each
/// @return |(lambda - P_K(lambda - w - mu |w_t| e_n), w_b, …)|_2, not divided
double srs_contact_natural_map(const srs_contact_problem *problem, const double *impulse, const double *velocity);

#ifdef __cplusplus
}
#endif
