// Contact columns of a trajectory: which shapes pushed each other in the last step, how hard and where?
//
//   contact:count          contacts in the step's problem
//   contact:gap            the smallest of their gaps, where the step took its matrices; 0 without contacts
//   contact:residual       the largest scaled residual of the step's problems
//   contact:infeasibility  the largest max(0, -phi) over the contact points, phi as srs_contact_point measures it,
//                          where the step took its matrices
//   contact:A:B:fx …       sum of f_k, the force on A by B at each contact point k of the pair
//   contact:A:B:x …        sum n.f_k x_k / sum n.f_k, x_k halfway between the two surfaces; the plain mean of x_k where
//                          no point carries force; 0 where the pair has no point in the problem
//
// The contacts of a step are sorted by shapes, as the pairs are: one walk along both.
#include "collision/world/collider.h"
#include "engine/output/columns/column_sources.h"

#include "topology/base/text.h"

#include <string.h>

enum { SUMMARY = SRS_CONTACT_SUMMARY, PER_PAIR = 6 };

// Pairs of shapes that may collide, sorted.
typedef struct pair_list {
  int n;
  int *shape_a, *shape_b; // n
} pair_list;

const char srs_contact_columns_note[] = "contact:A:B:fx fy fz is the force on A by B (N, world axes, summed over the "
                                        "contact points of the pair), and x y z "
                                        "where it acts (m, world, the centre of pressure: the mean of the points "
                                        "weighted by normal force). Forces are those "
                                        "of the step that led to the row, impulse over dt in (t - dt, t]; the first "
                                        "row and rows after a state was set hold "
                                        "zeros.";

// ---------------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------------

bool srs_contact_summary_name(srs_arena *arena, srs_columns *c)
{
  return srs_columns_add(arena, c, "contact:", "count", "", "1") &&
         srs_columns_add(arena, c, "contact:", "gap", "", "m") &&
         srs_columns_add(arena, c, "contact:", "residual", "", "1") &&
         srs_columns_add(arena, c, "contact:", "infeasibility", "", "m or 1");
}

static bool name_columns(srs_arena *arena, const srs_model *model, const pair_list *pairs, srs_columns *c)
{
  static const char *const parts[PER_PAIR] = {":fx", ":fy", ":fz", ":x", ":y", ":z"};
  bool is_good = srs_contact_summary_name(arena, c);
  for (int p = 0; p < pairs->n && is_good; p++) {
    const char *pair = srs_text_join(arena, srs_model_shape(model, pairs->shape_a[p])->label, ":",
                                     srs_model_shape(model, pairs->shape_b[p])->label);
    is_good = pair != NULL;
    for (int i = 0; i < PER_PAIR && is_good; i++)
      is_good = srs_columns_add(arena, c, "contact:", pair, parts[i], i < 3 ? "N" : "m");
    if (is_good) srs_columns_axes(c, PER_PAIR, "world");
  }
  return is_good;
}

// ---------------------------------------------------------------------------------------------------------------------
// Columns and rows
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_contact_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  const srs_place nowhere = {NULL, 0, 0};
  const srs_collider *collider = srs_sim_collider(sim);
  const int n_pairs = collider != NULL ? srs_collider_n_pairs(collider) : 0;
  if (n_pairs > SRS_CONTACT_COLUMN_PAIRS)
    return srs_fail_at(
        error, SRS_ERROR_CAPACITY, nowhere, "contacts",
        "%d pairs of shapes may collide, and contact columns are written for %d at most: exclude pairs of "
        "no interest (collision: exclude, or group and mask), or take body_contacts: a group of columns for each pair "
        "of links that touched",
        n_pairs, SRS_CONTACT_COLUMN_PAIRS);
  bool is_good = srs_columns_reserve(arena, c, SUMMARY + PER_PAIR * (size_t)n_pairs, sizeof(pair_list));
  pair_list *pairs = c->state;
  if (is_good) {
    pairs->n = n_pairs;
    pairs->shape_a = srs_arena_take(arena, (size_t)n_pairs + 1, sizeof *pairs->shape_a);
    pairs->shape_b = srs_arena_take(arena, (size_t)n_pairs + 1, sizeof *pairs->shape_b);
    is_good = pairs->shape_a != NULL && pairs->shape_b != NULL;
  }
  int at[2] = {0, 0};
  for (int p = 0; p < n_pairs && is_good; p++)
    srs_collider_next_pair(collider, at, &pairs->shape_a[p], &pairs->shape_b[p]);
  return srs_columns_made(is_good && name_columns(arena, srs_sim_model(sim), pairs, c), "contact columns", error);
}

// The n contacts of one pair.
static void fill_pair(const srs_sim_contact *contacts, int n, double *values)
{
  double weight = 0, weighted[3] = {0}, plain[3] = {0};
  for (int k = 0; k < n; k++) {
    const srs_sim_contact *c = &contacts[k];
    const double force = c->force[0] * c->contact.normal[0] + c->force[1] * c->contact.normal[1] +
                         c->force[2] * c->contact.normal[2]; // not friction, so that it is the centre of pressure
    weight += force;
    for (int i = 0; i < 3; i++) {
      const double x = 0.5 * (c->contact.point_a[i] + c->contact.point_b[i]);
      values[i] += c->force[i];
      weighted[i] += force * x;
      plain[i] += x;
    }
  }
  for (int i = 0; i < 3; i++) values[3 + i] = weight > 0 ? weighted[i] / weight : plain[i] / n;
}

static bool is_of_pair(const pair_list *pairs, int p, const srs_contact_point *contact)
{
  return pairs->shape_a[p] == contact->shape_a && pairs->shape_b[p] == contact->shape_b;
}

void srs_contact_summary_fill(srs_sim *sim, double values[SRS_CONTACT_SUMMARY])
{
  int n = 0;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  values[0] = n;
  values[1] = 0;
  for (int k = 0; k < n; k++)
    if (k == 0 || contacts[k].contact.gap < values[1]) values[1] = contacts[k].contact.gap;
  values[2] = srs_sim_get_statistics(sim)->residual_last;
  values[3] = srs_sim_get_statistics(sim)->infeasibility_last;
}

srs_status srs_contact_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  int n = 0;
  const pair_list *pairs = c->state;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  memset(c->values, 0, (size_t)c->n * sizeof *c->values);
  srs_contact_summary_fill(sim, c->values);
  for (int k = 0, p = 0; k < n && p < pairs->n; p++) {
    int end = k;
    while (end < n && is_of_pair(pairs, p, &contacts[end].contact)) end++;
    if (end > k) fill_pair(contacts + k, end - k, c->values + SUMMARY + PER_PAIR * (size_t)p);
    k = end;
  }
  return SRS_OK;
}
