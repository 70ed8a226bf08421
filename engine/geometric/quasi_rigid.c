// Quasi-rigid bodies: the forces of compliant layers around rigid cores (CBAT sec. 5, both bodies).
//
// A layer's deflection d = (d_n, d_t, d_o) bears the contact's impulse p = (p_n, p_t, p_o) as
//
//   p = h K d + C (d - d-)  (d- that at the start),   p_n may be more where d_n = thickness: the core bears the rest,
//
// which is the mixed complementarity d_n <= thickness, h (K d)_n + ... - p_n <= 0 where it is at that bound. The layers
// of both bodies are in series: each bears all of p, as action and reaction require, and the surfaces touch where the
// deflections make up for the overlap,
//
//   0 <= p_n _|_ phi + d_n1 + d_n2 >= 0,
//
// phi the signed distance of the undeformed surfaces along the common normal. CBAT define a deflection by a level set
// of the body's function and convert it to metres (their eq. 35); here phi is a distance, so neither is needed. A layer
// whose force would have to pull detaches, and relaxes by 0 = h K d + C (d - d-).
//
// Friction acts between the layers' outer faces: their slip is that of the bodies plus the rates of shear, v_f + (d_f -
// d_f-) / h for each layer, d_f along the impulse on the first body. A sticking layer is an elastic bond. Forces act at
// the first body's undeformed surface.
//
// Unknowns are deflections over the contact's gap scale. Rows are impulses over its impulse scale, and for a layer that
// is stiff relative to h also over that stiffness.

#include "engine/geometric/quasi_rigid.h"
#include "topology/base/errors.h"

// ---------------------------------------------------------------------------------------------------------------------
// Unknowns
// ---------------------------------------------------------------------------------------------------------------------

int srs_layer_size(const smooth_contact *c)
{
  int n = 1;
  for (int k = 0; k < c->n_friction; k++) n += c->friction_row[k] < 2;
  return n;
}

int srs_layer_unknown(const smooth_contact *c, int layer, int row)
{
  return srs_smooth_impulse(c) + 1 + c->n_friction + layer * srs_layer_size(c) + row;
}

int srs_layer_impulse(const smooth_contact *c, int row) { return srs_smooth_impulse(c) + row; }

// The axis n, t or o of a row: an index into the layer's matrices.
static int axis_of(const smooth_contact *c, int row) { return row == 0 ? 0 : 1 + c->friction_row[row - 1]; }

// The deflection at the start of the step, m.
static double before(const struct srs_geometric *g, const smooth_contact *c, int layer, int axis)
{
  const double *last = g->step.state->smooth_warm + g->pairs[c->pair].warm;
  return last[WARM_STATE] == PAIR_IN ? last[WARM_DEFLECTION + 3 * layer + axis] : 0;
}

int srs_layer_lay_out(struct srs_geometric *g, const smooth_contact *c)
{
  const smooth_pair *pair = &g->pairs[c->pair];
  const double *warm = g->warm_next + pair->warm;
  double rest = fmax(0, -g->unknowns[srs_smooth_gap(c)]); // the overlap at the start of the search
  for (int l = 0; l < pair->n_layers; l++) {
    for (int row = 0; row < srs_layer_size(c); row++) {
      const int i = srs_layer_unknown(c, l, row);
      g->lower[i] = -INFINITY;
      g->upper[i] = row == 0 ? pair->layer[l].thickness / c->gap_scale : INFINITY;
      g->unknowns[i] = warm[WARM_DEFLECTION + 3 * l + axis_of(c, row)] / c->gap_scale;
    }
    const int normal = srs_layer_unknown(c, l, 0), is_last = l + 1 == pair->n_layers;
    const double most = g->upper[normal], taken = g->unknowns[normal] > 0 ? g->unknowns[normal] : 0.5 * rest;
    g->unknowns[normal] = fmin(most, is_last ? rest : fmin(rest, taken));
    rest -= g->unknowns[normal];
  }
  return pair->n_layers * srs_layer_size(c);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rows
// ---------------------------------------------------------------------------------------------------------------------

// One over the layer's stiffness in the contact's units, where that is above 1.
static double row_scale(const struct srs_geometric *g, const smooth_contact *c, int layer, int axis)
{
  const size_t entry = 4 * (size_t)axis;
  const srs_compliant_layer *at = &g->pairs[c->pair].layer[layer];
  const double stiffness = (g->h * at->stiffness[entry] + at->damping[entry]) * c->gap_scale / c->impulse_scale;
  return 1 / fmax(1, stiffness);
}

double srs_layer_slope(const struct srs_geometric *g, const smooth_contact *c, int layer, int row, int column)
{
  const srs_compliant_layer *at = &g->pairs[c->pair].layer[layer];
  const int entry = 3 * axis_of(c, row) + axis_of(c, column);
  return row_scale(g, c, layer, axis_of(c, row)) * (g->h * at->stiffness[entry] + at->damping[entry]) * c->gap_scale /
         c->impulse_scale;
}

double srs_layer_impulse_slope(const struct srs_geometric *g, const smooth_contact *c, int layer, int row)
{
  const double anisotropy = row == 0 ? 1 : g->pairs[c->pair].anisotropy[c->friction_row[row - 1]];
  return -row_scale(g, c, layer, axis_of(c, row)) * anisotropy;
}

double srs_layer_slip(const struct srs_geometric *g, const smooth_contact *c, const double *z, int k)
{
  double rate = 0;
  if (c->friction_row[k] >= 2) return 0;
  for (int l = 0; l < g->pairs[c->pair].n_layers; l++)
    rate += (c->gap_scale * z[srs_layer_unknown(c, l, 1 + k)] - before(g, c, l, 1 + c->friction_row[k])) / g->h;
  return rate;
}

void srs_layer_rows(const struct srs_geometric *g, const smooth_contact *c, const double *z, double *F)
{
  const smooth_pair *pair = &g->pairs[c->pair];
  const int n = srs_layer_size(c);
  for (int l = 0; l < pair->n_layers; l++) {
    F[srs_smooth_impulse(c)] += z[srs_layer_unknown(c, l, 0)];
    for (int row = 0; row < n; row++) {
      const int axis = axis_of(c, row);
      double sum = srs_layer_impulse_slope(g, c, l, row) * z[srs_layer_impulse(c, row)];
      for (int column = 0; column < n; column++)
        sum += srs_layer_slope(g, c, l, row, column) * z[srs_layer_unknown(c, l, column)];
      for (int other = 0; other < 3; other++)
        sum -= row_scale(g, c, l, axis) * pair->layer[l].damping[3 * axis + other] / c->impulse_scale *
               before(g, c, l, other);
      F[srs_layer_unknown(c, l, row)] = sum;
    }
  }
}

void srs_layer_keep(const struct srs_geometric *g, const smooth_contact *c, const double *z, double *deflection)
{
  for (int i = 0; i < 6; i++) deflection[i] = 0;
  for (int l = 0; l < g->pairs[c->pair].n_layers; l++)
    for (int row = 0; row < srs_layer_size(c); row++)
      deflection[3 * l + axis_of(c, row)] = c->gap_scale * z[srs_layer_unknown(c, l, row)];
}
