// Contact problems made by drawing lots, each with an answer: W = J M^-1 J^T, b = J v_free, and a velocity v° that
// strictly satisfies n . J v° > mu |E J_t v°| and the bilateral rows, which is enough for an answer to exist.
#pragma once
#include "support/testing.h"

typedef struct contact_lots {
  int most_contacts;      // 1 … this many, before copying
  int most_bilateral;     // 0 … this many
  int most_copies;        // a contact may stand there up to this often
  int most_unilateral;    // 0 … this many
  int most_box;           // 0 … this many
  double most_friction;   // 0 … this
  double most_mass_ratio; // 1 … this, by orders of magnitude
  bool has_any_tangents;  // each contact has 0 to 3 tangents; false: two
  bool has_rolling;       // 0 to 5
  int n_contacts;         // not 0: so many, before copying
  int n_bodies;           // not 0: so many bodies, each touching the ground or one of the next
  double most_anisotropy; // above 1: a tangent row's anisotropy is 1/this … this, by orders of magnitude; else 1
} contact_lots;

typedef struct random_problem {
  srs_contact_problem problem; // its arrays belong to this struct
  double *memory;
} random_problem;

random_problem random_problem_make(testing_random *random, const contact_lots *lots);
void random_problem_free(random_problem *random);

// Problems without an answer: velocities w = J v + c have to satisfy w_i >= 0 in some rows, while a combination
// sum y_i J_i of these rows, y_i > 0, and of bilateral ones is zero and sum y_i c_i < 0. Opposed contacts are the case
// of two rows, y = (1, 1).
enum { CONTRADICTION_CONTACTS = 8, CONTRADICTION_ROWS = 48, CONTRADICTION_COORDINATES = 24 };

typedef struct contradiction {
  srs_contact_problem problem;
  int n, n_coordinates;
  double J[CONTRADICTION_ROWS][CONTRADICTION_COORDINATES], inverse[CONTRADICTION_COORDINATES];
  double W[CONTRADICTION_ROWS * CONTRADICTION_ROWS], b[CONTRADICTION_ROWS], friction[CONTRADICTION_CONTACTS],
      anisotropy[3 * CONTRADICTION_CONTACTS];
  double lower[2], upper[2];
  unsigned char tangents[CONTRADICTION_CONTACTS];
} contradiction;

void contradiction_draw(testing_random *random, contradiction *d);

/// The row of a contact's normal, or of a unilateral row where there are no contacts so many.
int contradiction_row(const contradiction *d, int number);
