// Impulses, velocities and natural map of an interior point's weights.
//
//   x = sum_k z_k d_k at each contact,   w = W x + b,   slope_k = d_k . w,   and the natural map of (x, w)
#include "contact/large/interior_sums.h"
#include "contact/large/interior_step.h"
#include "contact/problem/cone.h"

#include <math.h>
#include <string.h>

enum { MOST = SRS_NODE_MOST };

void srs_interior_velocities(const srs_interior *s)
{
  const srs_sparse *p = &s->pattern;
  for (int i = 0; i < p->n; i++) s->dx[i] = s->x[s->kept[i]];
  srs_interior_multiply(s, s->dx, s->v);
  memcpy(s->w, s->b, sizeof *s->w * (size_t)s->n_rows);
  for (int i = 0; i < p->n; i++) s->v[i] = s->w[s->kept[i]] += s->v[i];
}

void srs_interior_add_up(const srs_interior *s)
{
  const srs_sparse *p = &s->pattern;
  for (int node = 0; node < s->n_nodes; node++) {
    const int row = s->problem->blocks->first[node], rows = s->problem->blocks->first[node + 1] - row;
    if (s->kind[node] != SRS_INTERIOR_CONE) continue;
    for (int i = 0; i < rows; i++) {
      double sum = 0;
      for (int k = s->first_direction[node]; k < s->first_direction[node + 1]; k++)
        sum += s->z[k] * s->whole[MOST * (size_t)k + (size_t)i];
      s->x[row + i] = sum;
    }
  }
  srs_interior_velocities(s);
  for (int node = 0; node < s->n_nodes; node++)
    for (int k = s->first_direction[node]; k < s->first_direction[node + 1]; k++)
      s->slope[k] =
          srs_interior_product(srs_interior_size(s, node), s->direction + MOST * (size_t)k, s->v + p->first[node]);
}

double srs_interior_natural_map(const srs_interior *s, const double *ahead)
{
  const srs_contact_problem *p = s->problem;
  const int contacts = p->n_bilateral, scalars = contacts + p->n_contacts, boxes = scalars + p->n_unilateral;
  const int *first = p->blocks->first;
  double sum = 0;
  for (int node = 0; node < s->n_nodes; node++) {
    const int row = first[node], rows = first[node + 1] - row;
    if (node >= contacts && node < scalars) {
      double w[MOST];
      for (int i = 0; i < rows; i++) w[i] = s->w[row + i];
      if (ahead != NULL) w[0] -= ahead[node - contacts];
      sum += srs_polyhedron_defect(&s->polyhedron, rows - 1, s->x + row, w, p->friction[node - contacts]);
      continue;
    }
    const double x = s->x[row], w = s->w[row];
    const double defect = node < contacts ? w
                          : node < boxes  ? (x < w ? x : w)
                                          : srs_clamp(w, x - s->upper[node - boxes], x - s->lower[node - boxes]);
    sum += defect * defect;
  }
  return sqrt(sum);
}
