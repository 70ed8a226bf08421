// Which problem of bilateral rows and contacts alone is equivalent? FCLIB knows no other rows.
//
//   ellipse         tangent rows times e: the round cone in lambda_t / e and e w_t
//   fewer tangents  decoupled rows, W_ii > 0 alone on the diagonal, b_i = 0: the impulse has to oppose
//                   w_i = W_ii lambda_i, so it is 0
//   limit           lambda >= 0, w >= 0: a frictionless contact, its tangents such rows
//   box             [m - f, m + f]: with lambda = m + lambda' a tangent under |lambda'| <= 1 lambda_n, whose decoupled
//                   normal row w_n = W_nn (lambda_n - f) gives lambda_n = f
//
// Added rows get the diagonal of the row that they serve, so that a contact's scale stays the same.
#include "contact/problem/as_contacts.h"
#include "contact/problem/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool srs_is_as_contacts(const srs_contact_problem *p)
{
  if (p->n_unilateral != 0 || p->n_box != 0) return false;
  const int first = p->n_contacts > 0 ? srs_contact_tangents(p, 0) : 2;
  if (first != 1 && first != 2) return false;
  for (int i = 0; i < p->n_contacts; i++) {
    if (srs_contact_tangents(p, i) != first) return false;
    for (int k = 0; k < first; k++)
      if (srs_contact_anisotropy(p, i, k) != 1) return false;
  }
  return true;
}

static bool is_possible(const srs_contact_problem *p)
{
  for (int i = 0; i < p->n_contacts; i++)
    if (srs_contact_tangents(p, i) > 2) return false;
  for (int i = 0; i < p->n_box; i++)
    if (!isfinite(p->box_lower[i]) || !isfinite(p->box_upper[i])) return false;
  return true;
}

static srs_status take_memory(const srs_contact_problem *p, srs_as_contacts *out)
{
  const size_t contacts = (size_t)p->n_contacts + (size_t)p->n_unilateral + (size_t)p->n_box,
               rows = (size_t)p->n_bilateral + 3 * contacts, n = (size_t)srs_contact_problem_rows(p);
  double *memory = calloc(rows * rows + 2 * rows + contacts + 2 * n + 1, sizeof *memory);
  int *place = calloc(n + 1, sizeof *place);
  if (memory == NULL || place == NULL) {
    free(memory);
    free(place);
    return SRS_ERROR_MEMORY;
  }
  out->memory = memory, out->place = place, out->n = (int)n;
  out->problem = (srs_contact_problem){.n_bilateral = p->n_bilateral, .n_contacts = (int)contacts};
  out->problem.W = memory, memory += rows * rows;
  out->problem.b = memory, memory += rows;
  out->forced = memory, memory += rows;
  out->problem.friction = memory, memory += contacts;
  out->scale = memory, memory += n;
  out->offset = memory;
  return SRS_OK;
}

// Where each row goes, and the contacts' friction.
static void place_rows(const srs_contact_problem *p, srs_as_contacts *out, double *friction)
{
  int row = p->n_bilateral, to = p->n_bilateral, contact = 0;
  for (int i = 0; i < out->n; i++) out->scale[i] = 1;
  for (int i = 0; i < p->n_bilateral; i++) out->place[i] = i;
  for (int i = 0; i < p->n_contacts; i++, to += 3) {
    const int tangents = srs_contact_tangents(p, i);
    friction[contact++] = tangents > 0 ? p->friction[i] : 0;
    out->place[row++] = to;
    for (int k = 0; k < tangents; k++, row++)
      out->place[row] = to + 1 + k, out->scale[row] = srs_contact_anisotropy(p, i, k);
  }
  for (int i = 0; i < p->n_unilateral; i++, to += 3) out->place[row++] = to, contact++;
  for (int i = 0; i < p->n_box; i++, to += 3) {
    friction[contact++] = 1;
    out->offset[row] = 0.5 * (p->box_lower[i] + p->box_upper[i]);
    out->forced[to] = 0.5 * (p->box_upper[i] - p->box_lower[i]);
    out->place[row++] = to + 1;
  }
}

static void fill(const srs_contact_problem *p, srs_as_contacts *out, double *W, double *b)
{
  const size_t n = (size_t)out->n, rows = (size_t)p->n_bilateral + 3 * (size_t)out->problem.n_contacts;
  for (size_t i = 0; i < n; i++) {
    const size_t to = (size_t)out->place[i];
    double sum = p->b[i];
    for (size_t j = 0; j < n; j++) {
      W[to * rows + (size_t)out->place[j]] = out->scale[i] * p->W[i * n + j] * out->scale[j];
      sum += p->W[i * n + j] * out->offset[j];
    }
    b[to] = out->scale[i] * sum;
  }
  for (size_t first = (size_t)p->n_bilateral; first < rows; first += 3) {
    double diagonal = 0;
    bool is_own[3] = {false, false, false};
    for (size_t i = 0; i < n; i++) {
      const size_t k = (size_t)out->place[i] - first;
      if ((size_t)out->place[i] < first || k > 2) continue;
      is_own[k] = true;
      diagonal = fmax(diagonal, W[(first + k) * (rows + 1)]);
    }
    for (size_t k = 0; k < 3; k++)
      if (!is_own[k]) W[(first + k) * (rows + 1)] = diagonal > 0 ? diagonal : 1;
    b[first] -= is_own[0] ? 0 : W[first * (rows + 1)] * out->forced[first];
  }
}

srs_status srs_as_contacts_make(const srs_contact_problem *p, srs_as_contacts *out)
{
  if (!is_possible(p)) return SRS_ERROR_UNSUPPORTED;
  const srs_status status = take_memory(p, out);
  if (status != SRS_OK) return status;
  double *W = out->memory;
  const size_t rows = (size_t)p->n_bilateral + 3 * (size_t)out->problem.n_contacts;
  place_rows(p, out, W + rows * rows + 2 * rows);
  fill(p, out, W, W + rows * rows);
  return SRS_OK;
}

void srs_as_contacts_free(srs_as_contacts *as)
{
  if (as == NULL) return;
  free(as->memory);
  free(as->place);
  *as = (srs_as_contacts){0};
}

void srs_as_contacts_carry(const srs_as_contacts *as, bool is_velocity, const double *from, double *to)
{
  const int rows = srs_contact_problem_rows(&as->problem);
  for (int i = 0; i < rows; i++) to[i] = is_velocity ? 0 : as->forced[i];
  for (int i = 0; i < as->n; i++)
    to[as->place[i]] = is_velocity ? as->scale[i] * from[i] : (from[i] - as->offset[i]) / as->scale[i];
}
