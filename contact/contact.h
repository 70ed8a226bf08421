/// What impulses answer? A contact problem, numbers only: a matrix, a vector, friction coefficients and bounds.
///
/// Rows in impulse and velocity units: w = W lambda + b, with lambda the impulses over the step and b the velocities
/// that the rows would have without them. Four kinds of rows, in this order:
///
///   bilateral   w = 0, lambda free                                          closures
///   contact     1 + d rows each: the normal n, then d = 0 … 3 tangents. 0 <= lambda_n _|_ w_n >= 0,
///               |lambda_t / e| <= mu lambda_n, and where it slides the impulse of that set that takes most from the
///               slip: lambda_t = -mu lambda_n e^2 w_t / |e w_t|             Signorini and Coulomb
///   unilateral  0 <= lambda _|_ w >= 0                                      joint limits
///   box         lower <= lambda <= upper; w >= 0 at lower, <= 0 at upper, 0 between     dry friction of joints
///
/// e, row by row, is the anisotropy: 1 each is Coulomb's round cone; else the friction set is an ellipse or ellipsoid
/// (e_t, e_o along two tangents, e_r about the normal: Chakraborty, Berard, Akella & Trinkle eq. 5, whose law this is),
/// in which slide and spin share what the normal impulse allows. With lambda_t = e x and v = e w_t it is the round cone
/// again, |x| <= mu lambda_n against v.
///
/// This is FCLIB's local problem with bilateral rows (u = W r + V lambda + q, 0 = V^T r + R lambda + s).
/// The residual quoted everywhere (mathematics: docs/theory.md): E is e for tangent rows, 1 for others. Contact i is
/// scaled by s_i = (mean of its 1 + d diagonal entries of E W E)^(-1/2), other rows by their own entry; with
/// lambda = E S lambda', w' = S E w, b' = S E b: residual
/// = |(lambda' - P_K(lambda' - w' - mu |w'_t| e_n), w'_b, …)|_2 / |b'|_2, K the cone |lambda'_t| <= mu lambda'_n; b = 0
/// has the answer 0. With a friction polyhedron (mlcp solvers): lambda'_n from max(0, lambda'_n - w'_n), lambda'_t from
/// the nearest point to lambda'_t - w'_t of the hull of mu lambda'_n d_k: two tangents: the corners d_k of a regular
/// polygon; three: these and +-1 about the normal (a double pyramid); one: +-1, which is the cone itself. `relaxed` is
/// judged so with w'_n - mu sigma for w'_n, sigma = max_k -d_k . w'_t.
#pragma once
#include <sarrus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How W comes about, where that is known: W = diag(own) + the sum over groups of L_g L_g^T, L_g of the rows of nodes
/// in the group and of as many columns as these rows are independent (rank): of rows on one free body six at most,
/// however many they are. Solvers may then look for velocities, of which there is one for each column, instead of
/// impulses.
typedef struct srs_contact_factor {
  int n_groups;
  const int *first;    // n_groups + 1: each group's first column
  const int *start;    // n_nodes + 1: where each node's groups begin
  const int *group;    // start[n_nodes]: these, each once
  const size_t *begin; // start[n_nodes]: where the numbers of the node in this group begin
  const double *value; // its rows, rows first, each over the group's columns
  const double *own;   // n, >= 0; NULL: zeros
} srs_contact_factor;

/// W by blocks, for large problems of which little is not zero, with any solver: memory and time of a step go with the
/// blocks and what their elimination fills. Nodes are the bilateral rows one by one, the contacts, the unilateral and
/// the box rows one by one. Symmetric.
typedef struct srs_contact_blocks {
  int n_nodes;
  const int *first;    // n_nodes + 1: each node's first row
  const int *start;    // n_nodes + 1: where each node's neighbours begin
  const int *column;   // start[n_nodes]: these, itself too, ascending: nodes between which W need not be zero
  const size_t *begin; // n_nodes + 1: where the numbers of each node's rows begin
  const double *value; // begin[n_nodes]: its rows, rows first, each over all rows of its neighbours side by side
  const srs_contact_factor *factor; // the same matrix to rounding, or NULL
} srs_contact_blocks;

typedef struct srs_contact_problem {
  int n_bilateral, n_contacts, n_unilateral, n_box;
  const double *W; // n x n, rows first, n = n_bilateral + n_contacts + all tangents + n_unilateral + n_box; as stored
  const srs_contact_blocks *blocks; // NULL; or W, which is NULL then
  const double *b;                  // n
  const double *friction;           // n_contacts, >= 0
  const unsigned char *tangents;    // n_contacts: tangent rows of each: 0, 1 (t: planar), 2 (t1, t2), 3 (t1, t2, spin
                                    // about the normal); NULL: 2 each
  const double *anisotropy; // n_contacts x 3, > 0: e of each tangent row; of the spin row, whose impulse is a torque's,
                            // a length (m). Those of rows that are not there are ignored. NULL: 1 each
  const double *box_lower; // n_box, <= 0
  const double *box_upper; // n_box, >= 0
} srs_contact_problem;

/// W as a matrix, rows first.
void srs_contact_blocks_expand(const srs_contact_blocks *blocks, double *W);

/// Rows of a problem.
int srs_contact_problem_rows(const srs_contact_problem *problem);

typedef enum srs_contact_method {
  SRS_METHOD_MNCP_RLM,     // exact cone (Todorov's form), regularised Levenberg-Marquardt
  SRS_METHOD_MNCP_PLM,     // the same equations, "projected" Levenberg-Marquardt: by QR
  SRS_METHOD_MLCP_LEMKE,   // friction polyhedron, Lemke's pivots; with blocks an interior point, then Newton's steps
  SRS_METHOD_MLCP_PFB_RLM, // friction polyhedron, penalised Fischer-Burmeister equations
  SRS_METHOD_MLCP_PFB_PLM,
  SRS_METHOD_MLCP_FB_RLM, // friction polyhedron, Fischer-Burmeister equations
  SRS_METHOD_MLCP_FB_PLM,
  SRS_METHOD_RELAXED, // friction polyhedron, the convex relaxation (Hart & Anitescu 2.10): sliding contacts lift off
  SRS_METHOD_RELAXED_FIXED_POINT, // friction polyhedron, relaxed problems until they are the problem itself
} srs_contact_method;

enum { SRS_CONTACT_SOLVERS = SRS_METHOD_RELAXED_FIXED_POINT + 1, SRS_CONTACT_DIRECTIONS_MOST = 64 };

/// Solvers before this one solve the complementarity problem itself, wherever it has an answer.
enum { SRS_COMPLEMENTARITY_SOLVERS = SRS_METHOD_MLCP_FB_PLM + 1 };

/// "mncp-rlm", "mncp-plm", "mlcp-lemke", "mlcp-pfb-rlm", "mlcp-pfb-plm", "mlcp-fb-rlm", "mlcp-fb-plm",
/// "relaxed", "relaxed-fixed-point"
const char *srs_contact_method_name(srs_contact_method name);
bool srs_contact_method_from_name(const char *text, srs_contact_method *name);

/// Where an answer came from.
typedef enum srs_contact_stage {
  SRS_STAGE_NONE,         // nothing to solve
  SRS_STAGE_WARM,         // from the impulses handed in
  SRS_STAGE_COLD,         // from a few sweeps, or from z = b (no impulses)
  SRS_STAGE_GAUSS_SEIDEL, // from many projected Gauss-Seidel sweeps
  SRS_STAGE_LEMKE,        // from Lemke's answer for a friction polyhedron (with mlcp solvers: that answer itself)
  SRS_STAGE_INTERIOR,     // large problems: from, or by, an interior point with a friction polyhedron
  SRS_STAGE_SOFTENED,     // by way of problems with softer contacts (mncp solvers)
} srs_contact_stage;

/// "none", "warm", "cold", "gauss-seidel", "lemke", "interior", "softened"
const char *srs_contact_stage_name(srs_contact_stage stage);

typedef struct srs_contact_options {
  srs_contact_method solver;    // default SRS_METHOD_MNCP_RLM
  double tolerance;             // on the scaled residual. Default 1e-12
  int max_iterations;           // of Levenberg-Marquardt, each time that it is started. Default 60
  srs_contact_stage last_stage; // stages beyond are not tried: bounds the time. Default SRS_STAGE_SOFTENED
  // Multiplications of one solve, after which it ends with the best so far: the same on every machine. 1e10 take about
  // a second. As many as 300 factorisations of W take (n^3 / 3 each) are allowed always, and it is looked at between
  // larger pieces only: mlcp solvers on hundreds of contacts, whose matrices are some times larger, can go on for
  // minutes. With blocks it is a quarter of that, a multiplication taking longer there. Default 1e10
  double most_work;
  // mlcp and relaxed solvers:
  int n_directions;       // corners of the friction polyhedron in the plane of two tangents: even, 4 …
                          // SRS_CONTACT_DIRECTIONS_MOST. Default 4
  double direction_angle; // of the first from t1 towards t2, rad. Default 0
  double penalty_weight;  // of Fischer-Burmeister in its penalised form (MJ eq. 8), in (0, 1]. Default 0.7
} srs_contact_options;

srs_contact_options srs_default_contact_options(void);

typedef enum srs_contact_status {
  SRS_CONTACT_SOLVED,
  SRS_CONTACT_STAGNATED,  // below this no rounding allows; residual above the tolerance
  SRS_CONTACT_UNSOLVED,   // no stage reached the tolerance: the best iterate is returned
  SRS_CONTACT_NOT_FINITE, // the problem holds a NaN or an infinity: nothing was computed
} srs_contact_status;

const char *srs_contact_status_name(srs_contact_status status);

/// The certificate: computed after every solve from the original W and b, whatever the solver says of itself.
typedef struct srs_contact_report {
  srs_contact_status status;
  srs_contact_stage stage;
  int iterations;        // of all stages together
  double work;           // multiplications of the search, about
  double residual;       // scaled natural map, above; mlcp and relaxed solvers: with their own polyhedron for the cone,
                         // `relaxed`: of the relaxed problem
  double exact_residual; // the same with the exact cone, whatever the solver
  // Unscaled, worst over the rows, in the rows' own units:
  double bilateral;       // |w|
  double normal;          // |min(lambda_n, w_n)|
  double cone;            // max(0, |lambda_t / e| - mu lambda_n), N s
  double sliding;         // the smaller of |lambda_t / e + mu lambda_n e w_t / |e w_t|| and s^2 |e w_t|: 0 where it
                          // sticks, N s
  double unilateral, box; // likewise
  double energy;          // lambda . (w + b) / 2: kinetic energy that the impulses add (negative: take), J
  // Independent rows among the bilateral ones, by more than about 1e-6 of their length. What the others ask is taken as
  // asked already: impulses are the smallest that give the independent ones their velocities (with blocks: those that
  // were found first, and all rows count as independent). Where the others
  // contradict, `bilateral` says by how much, and the status is unsolved; contacts are solved all the same.
  int bilateral_rank;
  double bilateral_pivot; // the least of their pivots, in the row's own unit of W: towards 0 as that row can no
                          // longer be moved by itself; INFINITY where there is none
  int bilateral_weakest;  // the row that has it, -1 where there is none
  // relaxed-fixed-point: the length of its last step over that of the one before (below 1: it converges); 0: it took
  // fewer than two, or these were rounding. Other solvers: 0.
  double contraction;
} srs_contact_report;

/// Memory for problems of up to `n_rows` rows. One thread at a time. Growing is left to the reserve functions alone.
typedef struct srs_contact_solver srs_contact_solver;

srs_status srs_contact_solver_create(int n_rows, srs_contact_solver **solver, srs_error *error);
srs_status srs_contact_solver_reserve(srs_contact_solver *solver, int n_rows, srs_error *error);

/// The same for mlcp solvers with more than 4 directions.
srs_status srs_contact_solver_reserve_directions(srs_contact_solver *solver, int n_rows, int n_directions,
                                                 srs_error *error);

/// How large problems with blocks may be.
typedef struct srs_contact_sizes {
  int n_rows, n_nodes;
  size_t n_blocks, n_values; // start[n_nodes], begin[n_nodes]
  int n_directions;          // of friction polyhedra
  int n_groups, n_columns;   // of factors: groups, first[n_groups]; zeros where there are none
  size_t n_links, n_numbers; // start[n_nodes], numbers
} srs_contact_sizes;

/// Memory for problems with blocks. Where srs_contact_solve has just found no room for what elimination fills
/// (SRS_ERROR_CAPACITY), a call gives twice as much.
srs_status srs_contact_solver_reserve_blocks(srs_contact_solver *solver, const srs_contact_sizes *sizes,
                                             srs_error *error);

/// Whether there is room for such problems, but for what elimination fills.
bool srs_contact_solver_has_room(const srs_contact_solver *solver, const srs_contact_sizes *sizes);
void srs_contact_solver_destroy(srs_contact_solver *solver);

/// Solves, and certifies. Allocates nothing.
/// @param options  NULL for the default
/// @param impulse  n, in: where to start if is_warm; out: the answer (the best iterate when unsolved)
/// @param velocity n, out: w; may be NULL
/// @param report   out
/// @return SRS_OK also when unsolved (the report says so); SRS_ERROR_ARGUMENT, _CAPACITY, _NOT_FINITE
srs_status srs_contact_solve(srs_contact_solver *solver, const srs_contact_problem *problem,
                             const srs_contact_options *options, bool is_warm, double *impulse, double *velocity,
                             srs_contact_report *report);

/// The certificate of any impulses for a problem, on the exact cone (solver: for its memory).
srs_status srs_contact_certify(srs_contact_solver *solver, const srs_contact_problem *problem, const double *impulse,
                               srs_contact_report *report);

/// For comparison with others: the natural map without scaling (rho = 1). Over |b| it is the figure in papers; Siconos
/// 4.4 divides by the larger of |b| and |impulse|, which is kinder where W is small.
/// @param impulse, velocity  n each
/// @return |(lambda - P_K(lambda - w - mu |w_t| e_n), w_b, …)|_2, not divided
double srs_contact_natural_map(const srs_contact_problem *problem, const double *impulse, const double *velocity);

// ---------------------------------------------------------------------------------------------------------------------
// Corners: groups of sides
// ---------------------------------------------------------------------------------------------------------------------

/// Contacts of which only some have to hold: what a corner seen from outside leaves free is a union of half-spaces, not
/// their meet (Egan, Berard & Trinkle). A group lists contacts, its sides; of each group at least one side has to hold,
/// w_n >= 0 (b_n with the gap over h in it, as for other contacts), beside all contacts that are in no group, and all
/// other rows. Every side has its own friction.
typedef struct srs_nonconvex_problem {
  srs_contact_problem contacts; // with every side of every group
  int n_groups;
  const int *first; // n_groups + 1: where each group's sides begin in `side`, from 0; one at least in each
  const int *side;  // first[n_groups]: contacts, each once and in one group at most
  const int *size;  // first[n_groups]: of how many contacts each side is, from `side` on one behind the other, which
                    // have to hold together: a face on several points. NULL: of one each
} srs_nonconvex_problem;

typedef enum srs_nonconvex_form {
  SRS_NONCONVEX_MAX,       // exact: max_k w_k >= 0 in each group, and a side gives an impulse only if none is beyond 0;
                           // w_k of a side of several contacts is the least of theirs
  SRS_NONCONVEX_SUMMATION, // sum_k max(-epsilon, w_k) + (sides - 1) epsilon >= 0: corners capped by about epsilon, and
                           // sides that nothing touches may push too (EBT sec. V); friction polyhedra; by Lemke's
                           // pivots
} srs_nonconvex_form;

/// "max", "summation"
const char *srs_nonconvex_form_name(srs_nonconvex_form form);
bool srs_nonconvex_form_from_name(const char *text, srs_nonconvex_form *form);

typedef struct srs_nonconvex_options {
  srs_nonconvex_form form;     // default SRS_NONCONVEX_MAX
  srs_contact_options contact; // max: of the problem that is left when sides are chosen, with any solver; summation:
                               // tolerance, n_directions and direction_angle count
  int most_tries;              // max: choices of sides that are tried. Default 1000
  double slack;   // max: a side that is free by no more than this may leave the push to another, m/s, >= 0:
                  // sides that meet in one point, nearly parallel, with friction. Default 0
  double epsilon; // summation: the cap of a corner over the step's length, m/s, > 0. Default 1e-3
} srs_nonconvex_options;

srs_nonconvex_options srs_default_nonconvex_options(void);

typedef struct srs_nonconvex_report {
  srs_contact_status status;  // solved: contacts, other rows and groups, all of it
  srs_contact_report contact; // max: of the problem with the sides chosen (rows of other sides left out); summation: of
                              // the whole, where a side's normal row counts as solved
  int tries;                  // problems solved, or pivoted
  int iterations;             // of all tries together (summation: pivots)
  double violation;           // worst of the groups: max(0, -max_k w_k), in summation with its own sum, m/s
  double phantom;             // worst of the sides: its impulse, where another side is free beyond rounding and slack
                              // (summation: where the sum is beyond 0), N s
} srs_nonconvex_report;

typedef struct srs_nonconvex_capacity {
  int n_rows, n_groups, n_sides; // of one problem; sides of all groups together
  int n_directions;              // of friction polyhedra, as in srs_contact_solver_reserve_directions
  bool has_summation;            // memory for that form too
} srs_nonconvex_capacity;

/// Memory for problems up to this size. One thread at a time.
typedef struct srs_nonconvex_solver srs_nonconvex_solver;

/// Allocates. @return SRS_OK, SRS_ERROR_ARGUMENT, _MEMORY
srs_status srs_nonconvex_solver_create(const srs_nonconvex_capacity *capacity, srs_nonconvex_solver **solver,
                                       srs_error *error);
void srs_nonconvex_solver_destroy(srs_nonconvex_solver *solver);

/// Solves, and certifies. Allocates nothing. Without groups this is srs_contact_solve. Where several choices of sides
/// have an answer it is the first found: the sides handed in, then those nearest to free, then others.
/// @param options  NULL for the default
/// @param is_warm  impulse and side hold a guess
/// @param impulse  n, in: where to start if is_warm; out: the answer, zero for sides that were not chosen
/// @param velocity n, out: w; may be NULL
/// @param side     n_groups, in if is_warm: the sides of the last step, counted within each group (out of range: not
///                 known); out: the sides chosen; summation: those that push most, else the freest
/// @param report   out
/// @return SRS_OK also when unsolved (the report says so, and impulse is the best found); SRS_ERROR_ARGUMENT,
///         _CAPACITY, _NOT_FINITE, _UNSUPPORTED (summation without memory for it, or sides of several contacts)
srs_status srs_nonconvex_solve(srs_nonconvex_solver *solver, const srs_nonconvex_problem *problem,
                               const srs_nonconvex_options *options, bool is_warm, double *impulse, double *velocity,
                               int *side, srs_nonconvex_report *report);

// ---------------------------------------------------------------------------------------------------------------------
// Mixed complementarity problems
// ---------------------------------------------------------------------------------------------------------------------

/// Any problem of this kind, given by callbacks: find lower <= z <= upper with, in every row,
///   F_i(z) >= 0 where z_i = lower_i,   F_i(z) <= 0 where z_i = upper_i,   F_i(z) = 0 between.
/// Bounds may be infinite; a row without any is an equation, one with lower = upper fixes z_i. F is to be continuous
/// and differentiable but for kinks, at which any of the limits of its derivative will do. It may be asked for z
/// outside the bounds.
typedef struct srs_mcp {
  int n;
  const double *lower, *upper;                                          // n each, lower <= upper
  void *data;                                                           // handed to both:
  void (*function)(void *data, const double *z, double *F);             // F: n, out
  void (*jacobian)(void *data, const double *z, double *J, int stride); // J_ij = dF_i/dz_j at J[i stride + j]: out,
                                                                        // zero before the call
} srs_mcp;

typedef enum srs_mcp_function {
  SRS_MCP_FB,  // Fischer-Burmeister
  SRS_MCP_PFB, // the same, penalised (MJ eq. 8)
} srs_mcp_function;

typedef enum srs_mcp_method {
  SRS_MCP_RLM, // regularised Levenberg-Marquardt (MJ 5.1); near an answer Newton's
  SRS_MCP_PLM, // by QR, with a non-monotone line search (MJ 5.2)
} srs_mcp_method;

typedef struct srs_mcp_options {
  srs_mcp_function function; // default SRS_MCP_FB
  srs_mcp_method method;     // default SRS_MCP_RLM
  double penalty_weight;     // of SRS_MCP_PFB, in (0, 1]. Default 0.7
  double tolerance;          // on the natural map: what counts as solved. Default 1e-10
  double goal;               // on the equations' norm: it is looked for until then, or until rounding allows no more.
                             // Default 1e-13
  int max_iterations;        // of each way that is tried. Default 100
  bool recovers;             // where the way asked for fails the other methods and functions are tried, from the start
                             // and from the point between the bounds that is nearest 0. Default true
} srs_mcp_options;

srs_mcp_options srs_default_mcp_options(void);

typedef enum srs_mcp_status {
  SRS_MCP_SOLVED,
  SRS_MCP_UNSOLVED,   // the best iterate is returned
  SRS_MCP_STATIONARY, // likewise; the equations' norm has a hollow there: near it the problem has no answer, and it may
                      // have none at all
  SRS_MCP_NOT_FINITE, // F is not finite where the search began
} srs_mcp_status;

/// "solved", "unsolved", "stationary", "not-finite"
const char *srs_mcp_status_name(srs_mcp_status status);

typedef struct srs_mcp_report {
  srs_mcp_status status;
  int iterations;  // Jacobians, of all ways together
  double residual; // the certificate: |z - mid(lower, upper, z - F(z))|_2 at the z returned
  double slope;    // unsolved: |J^T r| / (|J| |r|) of the equations r there; 0 in a hollow. Solved: 0
} srs_mcp_report;

/// Memory for problems of up to `n` unknowns. One thread at a time.
typedef struct srs_mcp_solver srs_mcp_solver;

/// Allocates.  @param n  0 to 10000   @return SRS_OK, SRS_ERROR_ARGUMENT, _MEMORY
srs_status srs_mcp_solver_create(int n, srs_mcp_solver **solver, srs_error *error);
void srs_mcp_solver_destroy(srs_mcp_solver *solver);

/// Solves, and certifies. Allocates nothing. Dense: the time of an iteration goes with n^3. Scale rows and unknowns so
/// that what counts as small is alike in all of them.
/// @param options  NULL for the default
/// @param z        n, in: where to start; out: the answer (the best iterate when unsolved)
/// @param report   out
/// @return SRS_OK also when unsolved (the report says so); SRS_ERROR_ARGUMENT, _CAPACITY, _NOT_FINITE (of z)
srs_status srs_mcp_solve(srs_mcp_solver *solver, const srs_mcp *problem, const srs_mcp_options *options, double *z,
                         srs_mcp_report *report);

/// The certificate of any z (solver: for its memory). NAN where there is no room for it.
double srs_mcp_residual(srs_mcp_solver *solver, const srs_mcp *problem, const double *z);

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

/// A contact problem as a file holds it: FCLIB's "local" problem in HDF5 (docs/contact.md), u = W r + V lambda + q, 0 =
/// V^T r + R lambda + s: bilateral and contact rows, all contacts with two tangents (spacedim 3) or all with one
/// (spacedim 2), round.
typedef struct srs_contact_file {
  srs_contact_problem problem; // n rows
  const double *impulse;       // n: of the solution; NULL for none
  const double *velocity;      // n: of the solution, zero in bilateral rows; NULL for none
  const double *guesses;       // n_guesses x n: impulses to start from; NULL for none
  int n_guesses;
  const char *title, *description, *math_info; // NULL for none
  void *memory;                                // holds all of the above in a file that was read
} srs_contact_file;

/// Reads a file and checks every size, index and number in it. Allocates. HDF5 is to be used by one thread at a time.
/// @param file  out, to be freed by srs_contact_file_free; untouched on failure
/// @return SRS_OK, SRS_ERROR_FILE, _SYNTAX, _NOT_FINITE, _CAPACITY (more than 10000 rows), _UNSUPPORTED (a global
///         problem), _MEMORY; error names the file and the entry
srs_status srs_contact_file_read(const char *path, srs_contact_file *file, srs_error *error);
void srs_contact_file_free(srs_contact_file *file);

/// Writes a problem with all that is not NULL; `memory` is ignored. What is there is replaced when the new file is
/// whole. Unilateral and box rows, mixed tangents and ellipses are written as contacts of three rows that ask the same,
/// impulses and velocities with them, so another problem comes back. Allocates.
/// @return SRS_OK, SRS_ERROR_ARGUMENT, _NOT_FINITE, _UNSUPPORTED (friction against spin, box rows with infinite bounds;
///         columns of bilateral rows that differ from these rows by more than 1e-9 of the largest), _FILE, _MEMORY
srs_status srs_contact_file_write(const char *path, const srs_contact_file *file, srs_error *error);

#ifdef __cplusplus
}
#endif
