// How do dependent coordinates, their rates and accelerations change with the independent ones?
//
// With the rows G of a compound's loops, split into dependent (h) and independent columns, v = X y and
// a = X dy/dt + drift, along a direction s of the configuration or of y (loop_jets.c has r2 and r3, the gaps' mixed
// derivatives with what is known so far):
//
//   G_h v_h,s = -r2(q_s = X e_k, v, 0)                    d v_h / d y_k          (dv_q)
//   G_h a_h,s = -r3(q_s = X e_k, v, a; v_s = dv_q e_k)    d a_h / d y_k          (da_q)
//   G_h a_h,s = -r3(q_s = 0,     v, a; v_s = X e_k)       d a_h / d (dy_k/dt)    (da_v)
//
// by the factors of srs_embedding_map. The same equation with v = X e_j gives d X e_j / d y_k.

#include "engine/embedded/motion.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/compound_rows.h"
#include "engine/loops/embedding.h"

#include <string.h>

bool srs_is_independent(const srs_workspace *w, int i)
{
  const struct srs_embedding *e = w->embedding;
  if (e == NULL) return true;
  const int index = e->of_link[w->model->link_of_v[i]];
  return index < 0 || e->compounds[index].column[e->place[i]] < 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// The map and how it changes
// ---------------------------------------------------------------------------------------------------------------------

// X e_f of a compound's independent coordinate f.
static void unit_motion(const srs_workspace *w, const srs_compound *c, int f, double *out)
{
  memset(out, 0, (size_t)w->model->nv * sizeof *out);
  for (int j = 0; j < c->n; j++) out[c->v[j]] = c->X[(size_t)j * (size_t)c->n_independent + (size_t)f];
}

// G_h x = -right: the dependent coordinates' entries of `out`, the others zero.
static void follow(const srs_workspace *w, const srs_compound *c, double *right, double *out)
{
  memset(out, 0, (size_t)w->model->nv * sizeof *out);
  for (int r = 0; r < c->n_rows; r++) right[r] = -right[r];
  srs_compound_follow(c, right);
  for (int j = 0; j < c->n_dependent; j++) out[c->v[c->dependent[c->order[j]]]] = right[j];
}

static void put_column(const srs_workspace *w, const srs_compound *c, int column, const double *x, double *matrix)
{
  for (int j = 0; j < c->n; j++) matrix[(size_t)c->v[j] * (size_t)w->model->nv + (size_t)column] = x[c->v[j]];
}

static void fill_column(srs_workspace *w, int index, int f)
{
  srs_embedded_memory *e = &w->derivatives->embedded;
  const srs_compound *c = &w->embedding->compounds[index];
  const int column = c->v[c->independent[f]];
  double *right = e->right;
  unit_motion(w, c, f, e->direction);
  put_column(w, c, column, e->direction, e->X);
  srs_jet_rates rates = {.v = e->v, .a = e->a, .direction = e->direction};
  srs_compound_jets(w, index, &rates, right, NULL);
  follow(w, c, right, e->change);
  put_column(w, c, column, e->change, e->dv_q);
  rates.v_change = e->change;
  srs_compound_jets(w, index, &rates, NULL, right);
  follow(w, c, right, e->change);
  put_column(w, c, column, e->change, e->da_q);
  rates = (srs_jet_rates){.v = e->v, .a = e->a, .v_change = e->direction};
  srs_compound_jets(w, index, &rates, NULL, right);
  follow(w, c, right, e->change);
  put_column(w, c, column, e->change, e->da_v);
}

srs_status srs_embedded_move(srs_workspace *w, const double *q, const double *v, const double *a)
{
  srs_embedded_memory *e = &w->derivatives->embedded;
  const size_t nv = (size_t)w->model->nv, square = nv * nv * sizeof *e->X;
  memcpy(e->v, v, nv * sizeof *v);
  const srs_status status = srs_embedding_prepare(w, q, e->v);
  if (status != SRS_OK) return status;
  memcpy(e->a, a != NULL ? a : w->zero_v, nv * sizeof *e->a);
  srs_embedding_lift(w, e->a);
  srs_embedding_add_drift(w, e->a);
  double *const matrices[] = {e->X, e->dv_q, e->da_q, e->da_v};
  for (size_t i = 0; i < 4; i++) memset(matrices[i], 0, square);
  for (size_t i = 0; i < nv; i++) e->X[i * (nv + 1)] = srs_is_independent(w, (int)i);
  for (int i = 0; i < w->embedding->n_compounds; i++)
    for (int f = 0; f < w->embedding->compounds[i].n_independent; f++) fill_column(w, i, f);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Matrices
// ---------------------------------------------------------------------------------------------------------------------

void srs_times_map(const srs_workspace *w, int rows, double *Z)
{
  const size_t nv = (size_t)w->model->nv;
  for (int i = 0; i < w->embedding->n_compounds; i++) {
    const srs_compound *c = &w->embedding->compounds[i];
    for (double *row = Z; row < Z + (size_t)rows * nv; row += nv)
      for (int h = 0; h < c->n_dependent; h++) {
        const size_t place = (size_t)c->dependent[h] * (size_t)c->n_independent;
        double *entry = row + c->v[c->dependent[h]];
        for (int f = 0; f < c->n_independent; f++) row[c->v[c->independent[f]]] += *entry * c->X[place + (size_t)f];
        *entry = 0;
      }
  }
}

void srs_map_times(const srs_workspace *w, double *Z)
{
  const size_t nv = (size_t)w->model->nv;
  for (int i = 0; i < w->embedding->n_compounds; i++) {
    const srs_compound *c = &w->embedding->compounds[i];
    for (int h = 0; h < c->n_dependent; h++) {
      const size_t place = (size_t)c->dependent[h] * (size_t)c->n_independent;
      double *from = Z + (size_t)c->v[c->dependent[h]] * nv;
      for (int f = 0; f < c->n_independent; f++) {
        double *to = Z + (size_t)c->v[c->independent[f]] * nv;
        for (size_t j = 0; j < nv; j++) to[j] += c->X[place + (size_t)f] * from[j];
      }
      memset(from, 0, nv * sizeof *from);
    }
  }
}

void srs_lift_rows(const srs_workspace *w, double *Z)
{
  const size_t nv = (size_t)w->model->nv;
  for (int i = 0; i < w->embedding->n_compounds; i++) {
    const srs_compound *c = &w->embedding->compounds[i];
    for (int h = 0; h < c->n_dependent; h++) {
      const size_t place = (size_t)c->dependent[h] * (size_t)c->n_independent;
      double *to = Z + (size_t)c->v[c->dependent[h]] * nv;
      memset(to, 0, nv * sizeof *to);
      for (int f = 0; f < c->n_independent; f++) {
        const double *from = Z + (size_t)c->v[c->independent[f]] * nv;
        for (size_t j = 0; j < nv; j++) to[j] += c->X[place + (size_t)f] * from[j];
      }
    }
  }
}

void srs_add_times(const srs_workspace *w, int rows, const double *Z, const double *B, double factor, double *out)
{
  const size_t nv = (size_t)w->model->nv;
  for (int i = 0; i < w->embedding->n_compounds; i++) {
    const srs_compound *c = &w->embedding->compounds[i];
    for (int h = 0; h < c->n_dependent; h++) {
      const size_t from = (size_t)c->v[c->dependent[h]];
      for (int f = 0; f < c->n_independent; f++) {
        const size_t to = (size_t)c->v[c->independent[f]];
        const double entry = factor * B[from * nv + to];
        for (size_t r = 0; r < (size_t)rows; r++) out[r * nv + to] += Z[r * nv + from] * entry;
      }
    }
  }
}

void srs_add_turned_map(srs_workspace *w, const double *force, double *out)
{
  srs_embedded_memory *e = &w->derivatives->embedded;
  const size_t nv = (size_t)w->model->nv;
  for (int i = 0; i < w->embedding->n_compounds; i++) {
    const srs_compound *c = &w->embedding->compounds[i];
    for (int k = 0; k < c->n_independent; k++)
      for (int j = 0; j < c->n_independent; j++) {
        unit_motion(w, c, k, e->direction);
        unit_motion(w, c, j, e->change);
        const srs_jet_rates rates = {.v = e->change, .direction = e->direction};
        srs_compound_jets(w, i, &rates, e->right, NULL);
        follow(w, c, e->right, e->change);
        double sum = 0;
        for (int h = 0; h < c->n_dependent; h++) sum += force[c->v[c->dependent[h]]] * e->change[c->v[c->dependent[h]]];
        out[(size_t)c->v[c->independent[j]] * nv + (size_t)c->v[c->independent[k]]] += sum;
      }
  }
}
