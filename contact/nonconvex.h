/// Contact problems with corners: of each group of sides at least one has to hold.
#pragma once
#include <sarrus/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A nonconvex contact problem: the free space outside a corner is a union of half-spaces, not their intersection
/// (Egan, Berard & Trinkle). A group lists contacts, its sides. At least one side of each group has to hold, w_n >= 0
/// (b_n with gap / h in it, as for other contacts), beside all contacts in no group and all other rows. Every side has
/// its own friction.
typedef struct srs_nonconvex_problem {
  srs_contact_problem contacts; // with every side of every group
  int n_groups;
  const int *first; // n_groups + 1: where each group's sides begin in `side`, from 0; one at least in each
  const int *side;  // first[n_groups]: contacts, each once and in one group at most
  const int *size;  // first[n_groups]: number of consecutive contacts, from `side` on, that make one side and have to
                    // hold together: a face on several points. NULL: 1 each
} srs_nonconvex_problem;

typedef enum srs_nonconvex_form {
  SRS_NONCONVEX_MAX,       // exact: max_k w_k >= 0 in each group; a side pushes only if no side has w_k > 0;
                           // w_k of a side of several contacts is their least
  SRS_NONCONVEX_SUMMATION, // sum_k max(-epsilon, w_k) + (sides - 1) epsilon >= 0: corners cut by about epsilon, and
                           // untouched sides may push too (EBT sec. V); friction polyhedra, Lemke's pivoting
} srs_nonconvex_form;

/// "max", "summation"
const char *srs_nonconvex_form_name(srs_nonconvex_form form);
bool srs_nonconvex_form_from_name(const char *text, srs_nonconvex_form *form);

typedef struct srs_nonconvex_options {
  srs_nonconvex_form form;     // default SRS_NONCONVEX_MAX
  srs_contact_options contact; // max: for the problem with the chosen sides, with any method; summation:
                               // tolerance, n_directions and direction_angle count
  int most_tries;              // max: combinations of sides to try. Default 1000
  double slack;   // max: another side may push although this one separates, by up to this velocity, m/s, >= 0:
                  // for sides that meet in one point, nearly parallel, with friction. Default 0
  double epsilon; // summation: the cut of a corner over the time step, m/s, > 0. Default 1e-3
} srs_nonconvex_options;

srs_nonconvex_options srs_default_nonconvex_options(void);

typedef struct srs_nonconvex_report {
  srs_contact_status status;  // solved: contacts, other rows and groups
  srs_contact_report contact; // max: for the problem with the chosen sides (rows of other sides left out); summation:
                              // for the whole, where a side's normal row counts as solved
  int tries;                  // problems solved
  int iterations;             // of all tries (summation: pivots)
  double violation;           // maximum over groups of max(0, -max_k w_k), in summation of its sum, m/s
  double phantom;             // largest impulse of a side while another side of its group separates by more than
                              // rounding and slack (summation: while the sum is above 0), N s
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

/// Solves, and certifies. Allocates nothing. Without groups this is srs_contact_solve. Where several combinations
/// of sides have a solution the first found is returned: the sides handed in, then those nearest to separating, then
/// others.
/// @param options  NULL for the default
/// @param is_warm  impulse and side hold a guess
/// @param impulse  n, in: warm start if is_warm; out: the solution, zero for sides that were not chosen
/// @param velocity n, out: w; may be NULL
/// @param side     n_groups, in if is_warm: the sides of the last step, counted within each group (out of range:
///                 unknown); out: the chosen sides; summation: those that push most, else those that separate most
/// @param report   out
/// @return SRS_OK also when unsolved (the report says so, and impulse is the best found, no worse than none);
/// SRS_ERROR_ARGUMENT,
///         _CAPACITY, _NOT_FINITE, _UNSUPPORTED (summation without memory for it, or sides of several contacts)
srs_status srs_nonconvex_solve(srs_nonconvex_solver *solver, const srs_nonconvex_problem *problem,
                               const srs_nonconvex_options *options, bool is_warm, double *impulse, double *velocity,
                               int *side, srs_nonconvex_report *report);

#ifdef __cplusplus
}
#endif
