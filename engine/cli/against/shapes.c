// Shapes: which of one file is which of the other?
//
// Their names and order do not matter. First those that are equal where they stand are paired: on one link, or on
// links that are in one file alone, seen from a link of the body that both files have. What is left of a link is paired
// with what is left of the same link there, first that which differs in the least; each attribute that differs is told.
// What then is left is in one file only. Shapes that are only drawn pair among themselves.
#include "engine/cli/against/compare.h"
#include "engine/cli/against/mesh_files.h"
#include "topology/model/shape_kind.h"

#include <stdlib.h>
#include <string.h>

typedef struct shapes {
  const srs_sides *sides;
  srs_differences *found;
  int *link[2]; // per shape; -1: the world
  int *twin[2]; // per shape; -1: none yet
  int *nearest; // per shape of the first model: of those left of the second on its link that differing least; -1: none
  int *apart;   // by what weight
} shapes;

typedef enum shape_attribute { KIND, SIZE, MESH, PLACE, POINTS, GROUPS, MATERIAL } shape_attribute;
enum { ATTRIBUTES = MATERIAL + 1 };

static const srs_builder_shape *shape_of(const shapes *s, int which, int i)
{
  return &s->sides->side[which].source->shapes[i];
}

// Whether they are on one link; the world is one.
static bool are_on_one_link(const shapes *s, int i, int other)
{
  const int a = s->link[0][i], b = s->link[1][other];
  return a < 0 || b < 0 ? a == b : s->sides->side[0].twin[a] == b;
}

// ---------------------------------------------------------------------------------------------------------------------
// Two shapes
// ---------------------------------------------------------------------------------------------------------------------

static bool lists_differ(const srs_differences *found, const double *a, const double *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!srs_is_alike(found, a[i], b[i], 1)) return true;
  return false;
}

static bool points_differ(const srs_differences *found, const srs_shape_def *x, const srs_shape_def *y)
{
  if (x->n_points != y->n_points || x->n_triangles != y->n_triangles || x->n_rows != y->n_rows ||
      x->n_columns != y->n_columns)
    return true;
  return lists_differ(found, x->points, y->points, 3 * (size_t)x->n_points) ||
         (x->n_triangles > 0 && memcmp(x->triangles, y->triangles, 3 * (size_t)x->n_triangles * sizeof(int)) != 0) ||
         lists_differ(found, x->heights, y->heights, (size_t)x->n_rows * (size_t)x->n_columns);
}

static bool are_same_words(const char *a, const char *b) { return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0; }

static bool attribute_differs(const shapes *s, const srs_shape_def *x, const srs_shape_def *y, shape_attribute which)
{
  const bool has_same_file = x->file != NULL && y->file != NULL;
  switch (which) {
  case KIND: return x->kind != y->kind;
  case SIZE:
    return x->kind == y->kind &&
           (lists_differ(s->found, x->size, y->size, 3) || lists_differ(s->found, x->exponent, y->exponent, 2));
  case MESH: return srs_compare_files(x->file, y->file) != SRS_FILES_SAME || x->part != y->part;
  case PLACE: return srs_placed_differs(s->found, srs_placed_of(&x->pose), srs_placed_of(&y->pose));
  case POINTS: return x->kind == y->kind && !has_same_file && points_differ(s->found, x, y);
  case GROUPS: return !x->is_visual && (x->group != y->group || x->mask != y->mask);
  default: return !x->is_visual && !are_same_words(x->material, y->material);
  }
}

// Another kind of shape counts most, then another mesh.
static int weight_of(const shapes *s, const srs_shape_def *x, const srs_shape_def *y)
{
  static const int weights[] = {
      [KIND] = 20, [MESH] = 6, [SIZE] = 3, [PLACE] = 3, [POINTS] = 3, [GROUPS] = 1, [MATERIAL] = 1};
  int weight = 0;
  for (int i = 0; i < ATTRIBUTES; i++)
    if (attribute_differs(s, x, y, (shape_attribute)i)) weight += weights[i];
  return weight;
}

// The same solid at the same place of a body, on links that are no twins of each other.
static bool are_equal_in_body(const shapes *s, int i, int other)
{
  const int a = s->link[0][i], b = s->link[1][other];
  const bool is_lone = (a >= 0 && s->sides->side[0].twin[a] < 0) || (b >= 0 && s->sides->side[1].twin[b] < 0);
  int common = -1;
  if (!is_lone || !srs_sides_common(s->sides, a, b, &common)) return false;
  const srs_shape_def *x = &shape_of(s, 0, i)->def, *y = &shape_of(s, 1, other)->def;
  for (int k = 0; k < ATTRIBUTES; k++)
    if (k != PLACE && attribute_differs(s, x, y, (shape_attribute)k)) return false;
  return !srs_placed_differs(s->found, srs_sides_seen(s->sides, 0, common, a, srs_placed_of(&x->pose)),
                             srs_sides_seen(s->sides, 1, common, b, srs_placed_of(&y->pose)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------------------------------------------------

static const char *link_name_of(const srs_shape_def *def) { return def->link != NULL ? def->link : "world"; }

static const char *element_of(const srs_shape_def *def) { return def->link != NULL ? "link" : "environment"; }

// What is drawn, or what collides.
static const char *sort_of(const srs_shape_def *def) { return def->is_visual ? "visual" : "shape"; }

static srs_difference_kind kind_of(const srs_shape_def *def)
{
  return def->is_visual ? SRS_DIFFERS_VISUAL : SRS_DIFFERS_SHAPE;
}

static void tell_size(const shapes *s, const srs_compared *of, const srs_shape_def *x, const srs_shape_def *y)
{
  char first[SRS_NUMBERS_SIZE], second[SRS_NUMBERS_SIZE], what[80];
  const double a[5] = {x->size[0], x->size[1], x->size[2], x->exponent[0], x->exponent[1]};
  const double b[5] = {y->size[0], y->size[1], y->size[2], y->exponent[0], y->exponent[1]};
  const bool is_cylinder = x->kind == SRS_SHAPE_CYLINDER || x->kind == SRS_SHAPE_CAPSULE || x->kind == SRS_SHAPE_CONE;
  const int n = x->kind == SRS_SHAPE_SPHERE ? 1 : is_cylinder ? 2 : x->kind == SRS_SHAPE_SUPERELLIPSOID ? 5 : 3;
  srs_print(what, sizeof what, "%s: %s of the %s%s", sort_of(x), x->file != NULL ? "scale" : "size",
            srs_shape_kind_name(x->kind), is_cylinder ? " (radius, length)" : "");
  srs_differ(s->found, of, kind_of(x), srs_numbers_text(a, n, first), srs_numbers_text(b, n, second), "%s", what);
}

static void tell_attribute(const shapes *s, const srs_compared *of, const srs_shape_def *x, const srs_shape_def *y,
                           shape_attribute which)
{
  char first[80], second[80];
  const char *kind = srs_shape_kind_name(x->kind);
  switch (which) {
  case KIND:
    srs_differ(s->found, of, kind_of(x), kind, srs_shape_kind_name(y->kind), "%s: another kind of shape", sort_of(x));
    break;
  case SIZE: tell_size(s, of, x, y); break;
  case MESH:
    if (x->part != y->part)
      srs_differ(s->found, of, kind_of(x), NULL, NULL, "%s: another part of its mesh, %d and %d", sort_of(x), x->part,
                 y->part);
    else
      srs_differ(s->found, of, kind_of(x), x->file != NULL ? x->file : "none", y->file != NULL ? y->file : "none",
                 "%s: %s", sort_of(x),
                 srs_compare_files(x->file, y->file) == SRS_FILES_OTHERS
                     ? "another mesh"
                     : "another mesh file (not there to be compared)");
    break;
  case PLACE:
    srs_print(first, sizeof first, "%s: %s", sort_of(x), kind);
    srs_compare_placed(s->found, of, kind_of(x), first, srs_placed_of(&x->pose), srs_placed_of(&y->pose));
    break;
  case POINTS: srs_differ(s->found, of, kind_of(x), NULL, NULL, "%s: other points of the %s", sort_of(x), kind); break;
  case GROUPS:
    srs_print(first, sizeof first, "%u, mask 0x%x", x->group, x->mask);
    srs_print(second, sizeof second, "%u, mask 0x%x", y->group, y->mask);
    srs_differ(s->found, of, SRS_DIFFERS_CONTACT, first, second, "%s: group of the %s", sort_of(x), kind);
    break;
  case MATERIAL:
    srs_differ(s->found, of, SRS_DIFFERS_CONTACT, x->material != NULL ? x->material : "none",
               y->material != NULL ? y->material : "none", "%s: material of the %s", sort_of(x), kind);
    break;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Pairing
// ---------------------------------------------------------------------------------------------------------------------

static void pair(shapes *s, int i, int other) { s->twin[0][i] = other, s->twin[1][other] = i; }

static bool is_free(const shapes *s, int which, int i) { return s->twin[which][i] < 0; }

static bool are_of_one_sort(const shapes *s, int i, int other)
{
  return shape_of(s, 0, i)->def.is_visual == shape_of(s, 1, other)->def.is_visual;
}

static void pair_equal(shapes *s, bool in_body)
{
  for (int i = 0; i < s->sides->side[0].source->n_shapes; i++)
    for (int k = 0; k < s->sides->side[1].source->n_shapes && is_free(s, 0, i); k++) {
      if (!is_free(s, 1, k) || !are_of_one_sort(s, i, k)) continue;
      if (in_body ? are_equal_in_body(s, i, k)
                  : are_on_one_link(s, i, k) && weight_of(s, &shape_of(s, 0, i)->def, &shape_of(s, 1, k)->def) == 0)
        pair(s, i, k);
    }
}

// Where the nearest has been taken, the others are as far or farther: the first that is as far ends the search.
static void find_nearest(shapes *s, int i)
{
  const int n = s->sides->side[1].source->n_shapes, from = s->nearest[i] + 1, least = s->apart[i];
  s->nearest[i] = -1;
  for (int step = 0; step < n; step++) {
    const int k = (from + step) % n;
    if (!are_on_one_link(s, i, k) || !is_free(s, 1, k) || !are_of_one_sort(s, i, k)) continue;
    const int weight = weight_of(s, &shape_of(s, 0, i)->def, &shape_of(s, 1, k)->def);
    const bool is_nearer = s->nearest[i] < 0 || weight < s->apart[i] || (weight == s->apart[i] && k < s->nearest[i]);
    if (is_nearer) s->nearest[i] = k, s->apart[i] = weight;
    if (weight == least) return;
  }
}

static void tell_pair(const shapes *s, int i, int other)
{
  const srs_builder_shape *x = shape_of(s, 0, i), *y = shape_of(s, 1, other);
  const srs_compared of = {element_of(&x->def), link_name_of(&x->def), x->place, y->place};
  for (int k = 0; k < ATTRIBUTES; k++)
    if (attribute_differs(s, &x->def, &y->def, (shape_attribute)k))
      tell_attribute(s, &of, &x->def, &y->def, (shape_attribute)k);
}

// Of all that is left of one link the two that differ least.
static bool pair_next(shapes *s)
{
  const int n = s->sides->side[0].source->n_shapes;
  int best = -1;
  for (int i = 0; i < n; i++)
    if (is_free(s, 0, i) && s->nearest[i] >= 0 && (best < 0 || s->apart[i] < s->apart[best])) best = i;
  if (best < 0) return false;
  const int other = s->nearest[best];
  pair(s, best, other);
  tell_pair(s, best, other);
  for (int i = 0; i < n; i++)
    if (is_free(s, 0, i) && s->nearest[i] == other) find_nearest(s, i);
  return true;
}

static void pair_rest(shapes *s)
{
  for (int i = 0; i < s->sides->side[0].source->n_shapes; i++) {
    s->nearest[i] = -1, s->apart[i] = 0; // what differs by nothing is paired
    if (is_free(s, 0, i)) find_nearest(s, i);
  }
  while (pair_next(s)) continue;
}

static void tell_lone_shapes(const shapes *s, int which)
{
  for (int i = 0; i < s->sides->side[which].source->n_shapes; i++) {
    const srs_builder_shape *shape = shape_of(s, which, i);
    if (!is_free(s, which, i)) continue;
    const srs_compared of = {element_of(&shape->def), link_name_of(&shape->def),
                             which == 0 ? shape->place : srs_no_place(), which == 1 ? shape->place : srs_no_place()};
    srs_differ(s->found, &of, kind_of(&shape->def), NULL, NULL, "%s: a %s in this file only%s%s", sort_of(&shape->def),
               srs_shape_kind_name(shape->def.kind), shape->def.file != NULL ? ", of " : "",
               shape->def.file != NULL ? shape->def.file : "");
  }
}

static bool take_lists(shapes *s)
{
  const int n[2] = {s->sides->side[0].source->n_shapes, s->sides->side[1].source->n_shapes};
  for (int which = 0; which < 2; which++) {
    s->link[which] = malloc(((size_t)n[which] + 1) * sizeof(int));
    s->twin[which] = malloc(((size_t)n[which] + 1) * sizeof(int));
    if (s->link[which] == NULL || s->twin[which] == NULL) return false;
    for (int i = 0; i < n[which]; i++) {
      s->link[which][i] = srs_side_link(&s->sides->side[which], shape_of(s, which, i)->def.link);
      s->twin[which][i] = -1;
    }
  }
  s->nearest = malloc(((size_t)n[0] + 1) * sizeof(int));
  s->apart = malloc(((size_t)n[0] + 1) * sizeof(int));
  return s->nearest != NULL && s->apart != NULL;
}

void srs_compare_shapes(srs_sides *sides)
{
  shapes s = {.sides = sides, .found = sides->found};
  if (!take_lists(&s)) {
    sides->found->failed = true;
  } else {
    pair_equal(&s, false);
    pair_equal(&s, true);
    pair_rest(&s);
    tell_lone_shapes(&s, 0);
    tell_lone_shapes(&s, 1);
  }
  for (int which = 0; which < 2; which++) {
    free(s.link[which]);
    free(s.twin[which]);
  }
  free(s.nearest);
  free(s.apart);
}
