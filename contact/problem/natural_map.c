// The natural map without scaling, which other programs report.
//
// Over |b|, with rho = 1: |lambda - P(lambda - w - mu |w_t| e_n)|_2 / |b|_2. It
// depends on the units, so Sarrus reports a scaled one (contact.h); users of Siconos and FCLIB know this one.
#include "contact/problem/cone.h"
#include "contact/problem/problem.h"

double srs_contact_natural_map(const srs_contact_problem *problem, const double *impulse, const double *velocity)
{
  const int n = srs_contact_problem_rows(problem), boxes = n - problem->n_box;
  double sum = 0;
  int row = problem->n_bilateral;
  for (int i = 0; i < row; i++) sum += velocity[i] * velocity[i];
  for (int c = 0; c < problem->n_contacts; c++) {
    const int d = srs_contact_tangents(problem, c);
    double x[1 + SRS_CONTACT_TANGENTS_MOST] = {impulse[row]}, w[1 + SRS_CONTACT_TANGENTS_MOST] = {velocity[row]};
    for (int k = 0; k < d; k++) { // where friction is an ellipsoid: as a round cone
      const double e = srs_contact_anisotropy(problem, c, k);
      x[1 + k] = impulse[row + 1 + k] / e, w[1 + k] = e * velocity[row + 1 + k];
    }
    sum += srs_cone_defect(d, x, w, problem->friction[c]);
    row += 1 + d;
  }
  for (; row < n; row++) {
    const double lower = row < boxes ? 0 : problem->box_lower[row - boxes],
                 upper = row < boxes ? INFINITY : problem->box_upper[row - boxes];
    const double defect = srs_clamp(velocity[row], impulse[row] - upper, impulse[row] - lower);
    sum += defect * defect;
  }
  return sqrt(sum);
}
