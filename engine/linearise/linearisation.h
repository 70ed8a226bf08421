// The memory of a linearisation, and its parts. Internal.
//
// A column is a direction in which the step's arguments move: nv of q's tangent, nv of v, nv of torques, and the
// parameters. Matrices of derivatives keep one column after the other.
#pragma once
#include "engine/rows/constraints.h"
#include "engine/step/simulation.h"
#include <sarrus/linearisation.h>

/// What srs_move_parameter restores.
typedef struct srs_parameter_backup {
  const srs_parameter *moved; // NULL: none is
  double part[10], link[10], mass;
  double value; // of others
  vec3 offset;
} srs_parameter_backup;

/// What a row of the step's problem asks for where the step is differentiated.
typedef enum srs_line_kind {
  SRS_LINE_FREE,     // open, or beyond its friction's reach: it has no part in the derivative
  SRS_LINE_VELOCITY, // its velocity stays
  SRS_LINE_IMPULSE,  // its impulse stays at its bound
  SRS_LINE_SLIDE,    // a tangent of a contact that slides
} srs_line_kind;

/// One row of the step's problem.
typedef struct srs_line {
  int contact, component; // index among the active contacts and which of its rows; contact -1: a scalar row
  int scalar;             // its index
  srs_line_kind kind;
  bool is_pushed;  // it holds in the push-out,
  double push;     // with this impulse, kg m
  double impulse;  // of the step
  double velocity; // w, shift and softness included
  double softness;
  double slope;     // of its shift by its gap, 1/s; where that does not hold: NAN, the shift itself is differentiated
  double gap;       // m or rad
  double direction; // of a tangent that slides: the slip's component, of a unit vector
  bool is_weak;     // it is of kind `other` as well as of `kind`
  srs_line_kind other;
  srs_weakness weakness; // of a weak row; its tangents have none of their own
} srs_line;

/// What of a row changes with the arguments while v+ and its impulse stay.
typedef struct srs_line_value {
  double velocity, shift, bound; // J v+; the shift; the impulse's bound, where it is at one
  double way;                    // J times the push-out's motion
  double gap, friction;          // of contacts
} srs_line_value;

struct srs_linearisation {
  const srs_sim *of;         // the sim that it was made for
  srs_sim *twin;             // takes the step that is differentiated
  srs_workspace *dynamics;   // for the dynamics' derivatives
  srs_workspace *weightless; // for J^T f
  int nv, n_columns, n_parameters;
  srs_parameter *parameters; // n_parameters: columns 3 nv onwards
  srs_error error;

  // The step: configuration, velocities, impulses.
  double *q, *v, *tau;                       // nq, nv, nv
  double *v_free, *v_plus, *a;               // nv: without and with rows, before momentum
  double *moved;                             // nv: the push-out, before it is shortened; then that
  double *force, *load, *force_up, *load_up; // nv: scratch of differences
  double *wrench, *push_wrench;              // n_links x 6: scratch
  bool has_push;                             // the step pushes out
  double *zero, *scratch;                    // nv
  double *q_up, *v_up;                       // nq, nv: the step's end for one argument
  bool *is_solved;                           // nv: coordinates of trees whose velocity terms are iterated
  double *push_load, *push_load_up;          // nv: scratch likewise, J^T times impulses of the push-out
  double *scratch_push;                      // nv
  int *push_line;                            // n_links: scratch
  double *dforce, *dload, *dpush, *dfree_a, *dfree, *dplus, *dmoved; // n_columns x nv
  double *dneed, *dneed_rows, *dneed_push; // n_parameters x nv: of what inverse dynamics asks at a, and more at
                                           // the rows' acceleration and the push-out
  double *dfirst, *drows;                  // n_columns x nv: of the acceleration that is known
  double *dq_next, *dv_next;               // n_columns x nv: of the step's end
  double *mass, *factor, *iterated;        // square, with a stride: M + E; its factors
  double *by_v, *by_q;                     // nv x nv: of inverse dynamics;
  double *by_q_spare;                      // 3 nv: scratch
  double *by_q_rows, *by_q_push;           // how much more of it the rows' acceleration and the push-out need
  int *pivot;                              // nv
  int stride;

  // Rows: room for `room`.
  int room, n_lines, n_contacts;
  srs_line *lines;
  srs_line_value *up, *down, *coarse; // room each
  scalar_row *scalars;                // scalar_capacity: the step's
  active_contact *active;             // capacity: likewise
  srs_contact_point *candidates;      // capacity
  int capacity;
  double *jacobian, *response;      // room x nv: J, (M + E)^-1 J^T
  double *dgap, *dfriction;         // n_parameters x room: of gaps, and of friction coefficients
  double *drow, *dbound, *dway;     // n_columns x room: of w while v+ and impulses stay, without the gap's; of bounds;
                                    // of the push-out
  double *matrix;                   // room x room
  double *right, *scratch_lines;    // room
  int *order, *columns, *rows_kept; // room

  srs_parameter_backup backup;
  bool has_result; // of a linearisation that succeeded, with the parameters chosen now

  // Results.
  srs_linearisation_report report;
  srs_weak_row *weak; // weak_room
  int weak_room;

  void *memory, *line_memory;
};

/// Takes the memory that does not depend on rows.
srs_status srs_linearisation_take(srs_linearisation *l);

/// Makes room for n rows and the twin's contacts.
srs_status srs_linearisation_reserve(srs_linearisation *l, int n_lines);

/// Sees one solution of the twin's velocities, as srs_step_watch.
srs_status srs_linearise_pass(void *linearisation, int k);

/// Lists the step's rows, and says which of them hold.
srs_status srs_list_lines(srs_linearisation *l);
void srs_judge_lines(srs_linearisation *l);

/// Adds a row to the report.
void srs_note_weak(srs_linearisation *l, int line, srs_weakness weakness);

/// What the push-out asks of a row's motion, and its change, dplus known.
double srs_push_target(const srs_linearisation *l, int line);
double srs_push_target_change(const srs_linearisation *l, int line, int column);

/// moved as it was before it was shortened; then moved and dmoved shortened.
void srs_lengthen_push(srs_linearisation *l);
void srs_shorten_push(srs_linearisation *l);

/// What depends on the twin's arguments.
typedef struct srs_evaluation {
  double *force;          // nv
  double *load, *push;    // nv: of the step's impulses and of the push-out's; NULL: geometry stays
  srs_line_value *values; // n_lines
} srs_evaluation;

srs_status srs_evaluate_lines(srs_linearisation *l, const srs_evaluation *to);

/// Fills dforce, dload, dpush, drow, dbound and dway.
srs_status srs_find_differences(srs_linearisation *l);

/// J^T f at q.  @param wrench  n_links x 6   @param out  nv
srs_status srs_generalise(srs_linearisation *l, const double *q, const double *wrench, double *out);

/// Moves a parameter of the twin by `by` from the sim's; 0: back, to the bit.
void srs_move_parameter(srs_linearisation *l, const srs_parameter *parameter, double by);

/// How far a parameter may be moved for differences.
double srs_parameter_width(const srs_linearisation *l, const srs_parameter *parameter);

/// The parameter of a column; NULL for those of the state and of torques.
static inline const srs_parameter *srs_parameter_of(const srs_linearisation *l, int column)
{
  return column >= 3 * l->nv ? &l->parameters[column - 3 * l->nv] : NULL;
}

/// Moves the twin's arguments along a column by `by` from those of the step.
void srs_set_arguments(srs_linearisation *l, int column, double by);

/// Solves the active rows: dplus from dfree; and dmoved.
srs_status srs_solve_lines(srs_linearisation *l);

/// The square system of srs_solve_lines. P A Q = L U with full pivoting, in place.
/// @param rows, columns  n, out: P and Q   @return the rank
int srs_full_pivot_lu(int n, double *A, int *rows, int *columns);

/// The null vector whose entry of the free column `which`, from 0, is 1.  @param x  n, out
void srs_full_pivot_null(int n, int rank, int which, const double *A, const int *rows, const int *columns, double *x);

/// A solution of A x = b, zero where the rank leaves it free.
/// @param b  n, in; out: x   @param scratch  n
void srs_full_pivot_solve(int n, int rank, const double *A, const int *rows, const int *columns, double *b,
                          double *scratch);

/// Fills dq_next and dv_next.
srs_status srs_find_ends(srs_linearisation *l);
