// Contact columns by links: which links pushed each other in the last step, how hard and where?
//
// As contact_columns.c, summed over all shapes of a link; shapes of the world stand for themselves. A robot has many
// pairs of shapes and few that touch: the columns of pairs that never did go when the file is closed.
#include "collision/world/collider.h"
#include "engine/output/columns/column_sources.h"

#include "topology/base/errors.h"
#include "topology/base/text.h"

#include <string.h>

enum { PER_PAIR = 6, MOST_SHAPE_PAIRS = 50000 };

const char srs_body_contact_columns_note[] =
    "contact:A:B:fx fy fz is the force on link A by link B (N, world axes, summed over all their contact points), and "
    "x "
    "y z where it acts (m, world, the centre of pressure: the mean of the points weighted by normal force). Shapes of "
    "the world stand for themselves. Pairs that never touched have no columns. Forces are those of the step that led "
    "to "
    "the row, impulse over dt in (t - dt, t]; the first row and rows after a state was set hold zeros.";

// A unit is a link that carries shapes, or a shape of the world.
typedef struct unit_pairs {
  int n;           // pairs
  int (*pairs)[2]; // n: units, in the order of the first shapes that may touch
  int *buckets;    // of a hash table of pairs, -1: free
  unsigned n_buckets;
  double *weight, *plain; // n, n x 3
  int *count;             // n: contact points
} unit_pairs;

static int unit_of(const srs_model *model, int shape)
{
  const int frame = srs_model_shape(model, shape)->frame;
  return frame >= 0 ? frame : srs_model_n_frames(model) + shape;
}

static const char *name_of(const srs_model *model, int unit)
{
  const int n_frames = srs_model_n_frames(model);
  return unit < n_frames ? srs_model_frame(model, unit)->name : srs_model_shape(model, unit - n_frames)->label;
}

// The pair's bucket: its own, or the free one where it would go.
static unsigned bucket_of(const unit_pairs *u, int a, int b)
{
  unsigned at = ((unsigned)a * 2654435761U ^ (unsigned)b * 40503U) & (u->n_buckets - 1);
  while (u->buckets[at] >= 0 && (u->pairs[u->buckets[at]][0] != a || u->pairs[u->buckets[at]][1] != b))
    at = (at + 1) & (u->n_buckets - 1);
  return at;
}

static srs_status refuse(int n, const char *what, int most, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_CAPACITY, (srs_place){NULL, 0, 0}, "body_contacts",
                     "%d pairs of %s may touch, and contact columns are written for %d at most: exclude pairs of no "
                     "interest (collision: exclude, or group and mask), or leave the columns out",
                     n, what, most);
}

static srs_status list_pairs(const srs_collider *collider, const srs_model *model, unit_pairs *u, srs_error *error)
{
  const int n_shape_pairs = collider != NULL ? srs_collider_n_pairs(collider) : 0;
  if (n_shape_pairs > MOST_SHAPE_PAIRS) return refuse(n_shape_pairs, "shapes", MOST_SHAPE_PAIRS, error);
  for (unsigned i = 0; i < u->n_buckets; i++) u->buckets[i] = -1;
  int cursor[2] = {0, 0};
  for (int i = 0; i < n_shape_pairs; i++) {
    int shape_a, shape_b;
    srs_collider_next_pair(collider, cursor, &shape_a, &shape_b);
    int a = unit_of(model, shape_a), b = unit_of(model, shape_b);
    if (u->buckets[bucket_of(u, b, a)] >= 0) continue; // shapes of two links may come in turns
    const unsigned at = bucket_of(u, a, b);
    if (u->buckets[at] >= 0) continue;
    if (u->n == SRS_BODY_CONTACT_PAIRS) return refuse(u->n + 1, "links or more", SRS_BODY_CONTACT_PAIRS, error);
    u->pairs[u->n][0] = a, u->pairs[u->n][1] = b;
    u->buckets[at] = u->n++;
  }
  return SRS_OK;
}

static bool name_columns(srs_arena *arena, const srs_model *model, const unit_pairs *u, srs_columns *c)
{
  static const char *const parts[PER_PAIR] = {":fx", ":fy", ":fz", ":x", ":y", ":z"};
  bool is_good = srs_contact_summary_name(arena, c);
  for (int p = 0; p < u->n && is_good; p++) {
    const char *pair = srs_text_join(arena, name_of(model, u->pairs[p][0]), ":", name_of(model, u->pairs[p][1]));
    is_good = pair != NULL;
    for (int i = 0; i < PER_PAIR && is_good; i++)
      is_good = srs_columns_add(arena, c, "contact:", pair, parts[i], i < 3 ? "N" : "m");
    if (is_good) srs_columns_axes(c, PER_PAIR, "world");
  }
  return is_good;
}

srs_status srs_body_contact_columns_make(srs_arena *arena, srs_sim *sim, srs_columns *c, srs_error *error)
{
  const size_t most = SRS_BODY_CONTACT_PAIRS, n_columns = SRS_CONTACT_SUMMARY + PER_PAIR * most;
  bool is_good = srs_columns_reserve(arena, c, n_columns, sizeof(unit_pairs));
  unit_pairs *u = c->state;
  if (is_good) {
    u->n_buckets = 8192;
    u->pairs = srs_arena_take(arena, most, sizeof *u->pairs);
    u->buckets = srs_arena_take(arena, u->n_buckets, sizeof *u->buckets);
    u->weight = srs_arena_take(arena, most, sizeof *u->weight);
    u->plain = srs_arena_take(arena, 3 * most, sizeof *u->plain);
    u->count = srs_arena_take(arena, most, sizeof *u->count);
    c->is_used = srs_arena_take(arena, n_columns, sizeof *c->is_used);
    is_good = !arena->failed;
  }
  if (!is_good) return srs_columns_made(false, "contact columns", error);
  const srs_status status = list_pairs(srs_sim_collider(sim), srs_sim_model(sim), u, error);
  if (status != SRS_OK) return status;
  for (int i = 0; i < SRS_CONTACT_SUMMARY; i++) c->is_used[i] = true;
  return srs_columns_made(name_columns(arena, srs_sim_model(sim), u, c), "contact columns", error);
}

static void add_contact(const srs_model *model, unit_pairs *u, const srs_sim_contact *contact, double *values)
{
  const srs_contact_point *point = &contact->contact;
  const int a = unit_of(model, point->shape_a), b = unit_of(model, point->shape_b);
  double sign = 1;
  int p = u->buckets[bucket_of(u, a, b)];
  if (p < 0) p = u->buckets[bucket_of(u, b, a)], sign = -1;
  if (p < 0) return;
  double *own = values + PER_PAIR * (size_t)p;
  const double *n = point->normal, *f = contact->force, force = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
  for (int i = 0; i < 3; i++) {
    const double x = 0.5 * (point->point_a[i] + point->point_b[i]);
    own[i] += sign * f[i];
    own[3 + i] += force * x;
    u->plain[3 * (size_t)p + (size_t)i] += x;
  }
  u->weight[p] += force;
  u->count[p]++;
}

srs_status srs_body_contact_columns_fill(srs_columns *c, srs_sim *sim, srs_error *error)
{
  (void)error;
  unit_pairs *u = c->state;
  int n = 0;
  const srs_sim_contact *contacts = srs_sim_contacts(sim, &n);
  double *values = c->values + SRS_CONTACT_SUMMARY;
  memset(c->values, 0, (size_t)c->n * sizeof *c->values);
  memset(u->weight, 0, (size_t)u->n * sizeof *u->weight);
  memset(u->plain, 0, 3 * (size_t)u->n * sizeof *u->plain);
  memset(u->count, 0, (size_t)u->n * sizeof *u->count);
  srs_contact_summary_fill(sim, c->values);
  for (int k = 0; k < n; k++) add_contact(srs_sim_model(sim), u, &contacts[k], values);
  for (int p = 0; p < u->n; p++) {
    double *own = values + PER_PAIR * (size_t)p;
    if (u->count[p] == 0) continue;
    for (int i = 0; i < 3; i++)
      own[3 + i] = u->weight[p] > 0 ? own[3 + i] / u->weight[p] : u->plain[3 * (size_t)p + (size_t)i] / u->count[p];
    if (own[0] == 0 && own[1] == 0 && own[2] == 0) continue; // near, but it does not touch
    for (int i = 0; i < PER_PAIR; i++) c->is_used[SRS_CONTACT_SUMMARY + PER_PAIR * p + i] = true;
  }
  return SRS_OK;
}
