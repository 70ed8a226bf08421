// Lengths of tendons over joints.
//
//   L = sum c_i q_i over its own terms, L2 likewise over the second side's;   held: L = p(L2), p of degree 4

#include "topology/model/tendon.h"

#include <string.h>

static const srs_tendon_term *copy_terms(srs_arena *arena, const srs_tendon_term *terms, int n)
{
  srs_tendon_term *copy = srs_arena_take(arena, (size_t)n, sizeof *copy);
  for (int i = 0; i < n && copy != NULL; i++)
    copy[i] = (srs_tendon_term){srs_arena_copy(arena, terms[i].coordinate), terms[i].coefficient};
  return copy;
}

srs_tendon_def srs_tendon_copy(srs_arena *arena, const srs_tendon_def *tendon)
{
  srs_tendon_def copy = *tendon;
  copy.terms = tendon->n_terms > 0 ? copy_terms(arena, tendon->terms, tendon->n_terms) : NULL;
  copy.leaders = tendon->n_leaders > 0 ? copy_terms(arena, tendon->leaders, tendon->n_leaders) : NULL;
  return copy;
}

double srs_tendon_length(const srs_tendon *t, const double *q)
{
  double sum = 0;
  for (int i = 0; i < t->n_terms; i++) sum += t->coefficients[i] * q[t->q[i]];
  return sum;
}

double srs_tendon_rate(const srs_tendon *t, const double *v)
{
  double sum = 0;
  for (int i = 0; i < t->n_terms; i++) sum += t->coefficients[i] * v[t->v[i]];
  return sum;
}

double srs_tendon_gap(const srs_tendon *t, const double *q, double *slope)
{
  double led = 0, value = 0;
  for (int i = t->n_terms; i < t->n_terms + t->n_leaders; i++) led += t->coefficients[i] * q[t->q[i]];
  *slope = 0;
  for (int k = SRS_COUPLING_TERMS - 1; k >= 0; k--) { // Horner's scheme, with the derivative
    *slope = *slope * led + value;
    value = value * led + t->polynomial[k];
  }
  return srs_tendon_length(t, q) - value;
}
