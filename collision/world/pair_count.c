// How many pairs of shapes may collide?
//
// Whether a pair passes the filters depends on groups, masks, rest and self_collision alone, unless the two are of one
// body, joined by a joint, or named. So shapes are put into classes of equal group, mask, rest, kind, and robot if its
// shapes do not meet each other; of two classes all pairs that are not related in those ways pass, or none. With c
// shapes in a class there are c c' pairs of two classes and c (c - 1)/2 within one; related pairs are taken out of
// these and asked one by one.
#include "collision/world/pair_count.h"

enum { MOST_CLASSES = 64 };

typedef struct class_of_shapes {
  unsigned group, mask;
  bool is_static;
  int apart; // the robot whose shapes do not collide with each other, 0 for others
  srs_shape_kind kind;
  int example;
  long count;
} class_of_shapes;

typedef struct counting {
  const srs_filter *f;
  srs_kinds_function *has_method;
  int n_classes;
  class_of_shapes classes[MOST_CLASSES];
  long related[MOST_CLASSES][MOST_CLASSES]; // pairs of a class and one that is not before it
  int *class_of;                            // n
  int *first, *next;                        // shapes of each body: first by body (n_bodies), then the next, or -1
  int n_bodies;
  long passing;
  bool refused;
} counting;

static bool is_kin(const srs_filter *f, int i, int j)
{
  return (f->body[i] >= 0 && f->body[i] == f->body[j]) || (f->carrier[i] >= 0 && f->carrier[i] == f->body[j]) ||
         (f->carrier[j] >= 0 && f->carrier[j] == f->body[i]);
}

static void add_passing(counting *c, int i, int j, long n)
{
  const srs_geometries *m = c->f->geometries;
  c->passing += n;
  c->refused = c->refused || (n > 0 && !c->has_method(m->solids[i].kind, m->solids[j].kind));
}

// A pair that is asked by itself.
static void ask(counting *c, int i, int j)
{
  const int p = c->class_of[i], q = c->class_of[j], low = i < j ? i : j, high = i < j ? j : i;
  c->related[p < q ? p : q][p < q ? q : p]++;
  if (srs_filter_passes(c->f, low, high)) add_passing(c, low, high, 1);
}

static bool sort_into_classes(counting *c)
{
  const srs_filter *f = c->f;
  for (int i = 0; i < f->geometries->n; i++) {
    const srs_shape_kind kind = f->geometries->solids[i].kind;
    const int apart = f->self[i] == SRS_SELF_COLLISION_NONE ? f->robot[i] : 0;
    int k = 0;
    while (k < c->n_classes &&
           (c->classes[k].group != f->group[i] || c->classes[k].mask != f->mask[i] || c->classes[k].apart != apart ||
            c->classes[k].is_static != f->is_static[i] || c->classes[k].kind != kind))
      k++;
    if (k == MOST_CLASSES) return false;
    if (k == c->n_classes)
      c->classes[c->n_classes++] = (class_of_shapes){f->group[i], f->mask[i], f->is_static[i], apart, kind, i, 0};
    c->classes[k].count++;
    c->class_of[i] = k;
  }
  return true;
}

static void ask_kin(counting *c)
{
  const srs_filter *f = c->f;
  for (int i = 0; i < f->geometries->n; i++) {
    const int body = f->body[i], carrier = f->carrier[i];
    for (int j = body >= 0 ? c->next[i] : -1; j >= 0; j = c->next[j]) ask(c, i, j); // those further on in its body
    if (carrier < 0 || carrier == body || carrier >= c->n_bodies) continue;
    for (int j = c->first[carrier]; j >= 0; j = c->next[j])
      if (f->carrier[j] != body || body < 0 || i < j) ask(c, i, j);
  }
}

static void ask_named(counting *c, const srs_pair_set *set, const srs_pair_set *asked)
{
  for (int k = 0; k < set->n; k++) {
    if (k > 0 && set->keys[k] == set->keys[k - 1]) continue;
    const int i = (int)(set->keys[k] >> 32), j = (int)(set->keys[k] & 0xffffffff);
    if (!is_kin(c->f, i, j) && (asked == NULL || !srs_pair_set_has(asked, i, j))) ask(c, i, j);
  }
}

// Whether two shapes of these classes pass that have nothing else to do with each other.
static bool strangers_pass(const class_of_shapes *a, const class_of_shapes *b)
{
  return !(a->is_static && b->is_static) && !(a->apart > 0 && a->apart == b->apart) && (a->group & b->mask) != 0 &&
         (b->group & a->mask) != 0;
}

static void count_strangers(counting *c)
{
  for (int p = 0; p < c->n_classes; p++)
    for (int q = p; q < c->n_classes; q++) {
      const class_of_shapes *a = &c->classes[p], *b = &c->classes[q];
      const long all = p == q ? a->count * (a->count - 1) / 2 : a->count * b->count;
      if (strangers_pass(a, b)) add_passing(c, a->example, b->example, all - c->related[p][q]);
    }
}

static void count_each(counting *c)
{
  c->passing = 0;
  for (int i = 0; i < c->f->geometries->n; i++)
    for (int j = i + 1; j < c->f->geometries->n; j++)
      if (srs_filter_passes(c->f, i, j)) add_passing(c, i, j, 1);
}

bool srs_count_pairs(const srs_filter *f, srs_kinds_function *has_method, long *n, bool *refused)
{
  const int n_shapes = f->geometries->n;
  counting c = {.f = f, .has_method = has_method};
  for (int i = 0; i < n_shapes; i++) c.n_bodies = f->body[i] >= c.n_bodies ? f->body[i] + 1 : c.n_bodies;
  srs_arena scratch = {0};
  c.class_of = srs_arena_take(&scratch, (size_t)n_shapes, sizeof *c.class_of);
  c.next = srs_arena_take(&scratch, (size_t)n_shapes, sizeof *c.next);
  c.first = srs_arena_take(&scratch, (size_t)c.n_bodies, sizeof *c.first);
  const bool has_memory = !scratch.failed;
  if (has_memory && sort_into_classes(&c)) {
    for (int b = 0; b < c.n_bodies; b++) c.first[b] = -1;
    for (int i = n_shapes - 1; i >= 0; i--) {
      if (f->body[i] < 0) continue;
      c.next[i] = c.first[f->body[i]];
      c.first[f->body[i]] = i;
    }
    ask_kin(&c);
    ask_named(&c, &f->excluded, NULL);
    ask_named(&c, &f->included, &f->excluded);
    count_strangers(&c);
  } else if (has_memory) {
    count_each(&c); // of many classes
  }
  srs_arena_release(&scratch);
  *n = c.passing, *refused = c.refused;
  return has_memory;
}
