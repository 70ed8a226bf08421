// Velocity terms at the mean of a step's velocities. Internal. Mathematics: mean_velocity.c.
#pragma once
#include "engine/dynamics/workspace.h"
#include "engine/state/sim_state.h"

/// The changes that the iteration remembers.
enum { SRS_MEAN_DEPTH = 8 };

/// Memory of the iteration, and what it found in the step under way.
typedef struct srs_mean_velocity {
  double *v;                             // nv: the velocity of the terms c
  double *v_free;                        // nv: that before contacts and rows
  double *guess;                         // nv: acceleration
  double *best;                          // nv: the guess with the least residual
  double *residual;                      // nv: its change in an iteration
  double *changes[2 * SRS_MEAN_DEPTH];   // nv each: changes of residuals, orthonormal, then those of the accelerations
  double *last[2];                       // nv each: residual and acceleration of the last iteration
  double *turn;                          // n_links, of roots: rad in the step, of the link that turns fastest; 0: slow
  bool *is_free;                         // n_links, of roots: nothing but forces acts on the tree
  const double *first, *rows, *is_known; // first, rows and is_free of srs_mean_problem: of the last step, or
  double *again[3];                      // where the step is taken again: nv, nv, n_links
  bool all_free;                         // in place of is_free: no contact and no row
  bool is_far;                           // a link turns far in the step, so that a joint may
  bool has_balls;                        // the model has spherical or free joints
  int iterations;                        // after the first solution, of the tree that took the most
  int unresolved;                        // the link that turns fastest in a tree that has not converged; -1: none
  double speed;                          // rad/s, of that link
  srs_spin_statistics statistics;        // of accepted steps
} srs_mean_velocity;

/// A forward dynamics problem (M + diag(extra)) a = tau - c + J^T f whose velocity terms are to be at the mean.
typedef struct srs_mean_problem {
  double dt;
  const double *q, *v; // nq: configuration of the matrices; nv: at the step's start
  const double *first; // nv: first guess of a
  const double *rows;  // nv: acceleration by contacts and rows, as far as it is known
  const double
      *is_free; // n_links, of roots: 1 where the first guess is to be improved in slow trees too; as in srs_sim_state
  const double *tau, *extra;   // nv
  const double *link_wrenches; // n_links x 6, NULL for none
} srs_mean_problem;

/// Finds a with c at v + h/2 a.  @param a  nv, out   @param bad_v  out, with SRS_ERROR_SINGULAR
srs_status srs_solve_at_mean(srs_workspace *workspace, const srs_mean_problem *problem, srs_mean_velocity *memory,
                             double *a, int *bad_v);

/// Starts from what is known of the last step.
static inline void srs_mean_velocity_begin(srs_mean_velocity *memory, const srs_sim_state *state)
{
  memory->first = state->free_a, memory->rows = state->row_a, memory->is_known = state->is_free;
}

/// Whether contacts and rows did what `rows` says, as far as velocity terms tell; rows and first become what they did.
/// Call it after srs_find_free_groups. The links' velocities become others.
/// @param problem  that of srs_solve_at_mean   @param a  nv: its solution   @param v_next  nv
bool srs_rows_are_known(srs_workspace *workspace, const srs_mean_problem *problem, srs_mean_velocity *memory,
                        const double *a, const double *v_next);

/// Finds the trees that neither contacts nor rows acted on, of which v_next is v_free.
void srs_find_free_groups(const srs_workspace *workspace, srs_mean_velocity *memory, const double *v_next);

/// Keeps what the step after srs_solve_at_mean starts from.
/// @param a  nv: of the free motion   @param v_next  nv   @param first, rows  nv each, out   @param is_free  n_links,
/// out
void srs_keep_first_guess(const srs_workspace *workspace, const srs_mean_velocity *memory, double dt, const double *a,
                          const double *v_next, double *first, double *rows, double *is_free);

/// Whether there is something to count.
static inline bool srs_spin_counts(const srs_mean_velocity *memory)
{
  return memory->has_balls || memory->is_far || memory->iterations > 0 || memory->unresolved >= 0;
}

/// Adds the step from `time` to v_next (nv) to the statistics.
void srs_count_spin(srs_mean_velocity *memory, const srs_model *model, double time, double dt, const double *v_next);

/// Prepares the memory for a model.
void srs_mean_velocity_start(srs_mean_velocity *memory, const srs_model *model);

// ---------------------------------------------------------------------------------------------------------------------
// The iteration by itself, for those who solve in another way (engine/lanes)
// ---------------------------------------------------------------------------------------------------------------------

typedef struct srs_mean_tree {
  double dt;
  int nv;
  bool is_lone; // a body by itself
  bool is_free; // nothing but forces acted on it in the last step, and there was one
} srs_mean_tree;

/// Sums over a tree's coordinates.
typedef struct srs_mean_squares {
  double residual, a, v; // |a - guess|^2, |a|^2, |v|^2, v the velocity of the terms c
} srs_mean_squares;

/// Whether the guess was good enough for a; false may only mean that the next one has to say.
bool srs_mean_is_right_by_bound(const srs_mean_tree *tree, const srs_mean_squares *sums);

/// @param speed  rad/s, of the link that turns fastest   @param largest_v  the largest of |v|
bool srs_mean_is_right(const srs_mean_tree *tree, const srs_mean_squares *sums, double speed, double largest_v);

typedef struct srs_mean_iteration {
  double size, least, last; // |a - guess|: now, the least, the last
  int k, n;                 // guesses so far; changes that are known
} srs_mean_iteration;

/// Starts from a first guess of coordinates v … v + nv - 1, which led to one that is wrong by `size`.
/// @param memory  guess, best, residual, changes and last are used   @param first  all coordinates
srs_mean_iteration srs_mean_iteration_start(srs_mean_velocity *memory, int v, int nv, const double *first, double size);

/// Makes the next guess, in memory->guess, from what the last one led to.  @param a  all coordinates
/// @return false where enough have been tried: memory->best has the least residual
bool srs_mean_improve_guess(srs_mean_velocity *memory, int v, int nv, const double *a, srs_mean_iteration *iteration);
