// Contact problems with groups of sides, made by drawing lots, and the slow way to an answer: all choices of sides.
#pragma once
#include "support/testing.h"

enum { CORNER_ROWS = 120, CORNER_GROUPS = 6, CORNER_SIDES = 4, CORNER_VELOCITIES = 12 };

typedef struct corner_lots {
  int most_groups;      // 1 … this many, of 2 … most_sides sides
  int most_sides;       // up to CORNER_SIDES
  int most_contacts;    // ordinary ones, 0 … this many
  int most_bilateral;   // 0 … this many, fewer than the velocities
  int tangents;         // of each contact; -1: 0 … 3, each its own
  double most_friction; // 0 … this
} corner_lots;

/// W = J M^-1 J^T over 2 … 12 velocities. There is a velocity v° that strictly satisfies all ordinary contacts and one
/// side of each group, n . J v° > mu |J_t v°|, and the bilateral rows: one choice at least has an answer.
typedef struct corner_problem {
  srs_nonconvex_problem problem; // points into this struct
  double W[CORNER_ROWS * CORNER_ROWS], b[CORNER_ROWS], friction[CORNER_ROWS];
  unsigned char tangents[CORNER_ROWS];
  int first[CORNER_GROUPS + 1], side[CORNER_GROUPS * CORNER_SIDES];
  int normal[CORNER_ROWS]; // contacts' normal rows
} corner_problem;

void corner_problem_draw(testing_random *random, const corner_lots *lots, corner_problem *corner);

/// w = W x + b.  @return the largest |w| of bilateral rows
double corner_problem_velocities(const corner_problem *corner, const double *x, double *w);

/// How far impulses are from the max form's laws (choice: of each group the side that may push), worst over all, by
/// plain arithmetic: no code of the library.
double corner_problem_defect(const corner_problem *corner, const int *choice, const double *impulse);

/// The problem with one side of each group, in the caller's arrays of CORNER_ROWS (W: squared).
/// @param rows  which row of the whole each is; may be NULL
srs_contact_problem corner_problem_left(const corner_problem *corner, const int *choice, double *W, double *b,
                                        double *friction, unsigned char *tangents, int *rows);

/// That, solved.
/// @param impulse  of the whole, out
/// @return the defect of the answer; infinite where there is none
double corner_problem_try(const corner_problem *corner, srs_contact_solver *solver, const int *choice, double *impulse);

/// The next choice of sides; false when all have been.
bool corner_problem_next(const corner_problem *corner, int *choice);
