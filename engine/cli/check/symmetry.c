// Which one of several alike differs? Robots have left and right legs, and rows of equal links, so a value that was
// changed in one place stands out against its counterparts.
//
// What is compared does not depend on how a counterpart's frames are mirrored: masses, lengths, traces and norms of
// tensors, sizes, the smaller and the larger limit.
#include "engine/cli/check/lint.h"
#include "topology/base/spatial.h"
#include "topology/builder/source.h"
#include "topology/model/joint_kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 12, NAME_SIZE = 200 };

typedef struct item {
  const char *name, *title; // title: "link", "joint"
  srs_place place;
  double values[MOST_VALUES];
} item;

static const char *const link_words[] = {"mass",
                                         "distance of the centre of mass",
                                         "trace of the inertia",
                                         "norm of the inertia",
                                         "sizes of its shapes",
                                         "places of its shapes",
                                         NULL};
static const char *const joint_words[] = {"distance from its parent",
                                          "turn of the origin",
                                          "direction of the axis",
                                          "smaller limit",
                                          "larger limit",
                                          "effort limit",
                                          "velocity limit",
                                          "damping",
                                          "friction",
                                          NULL};

typedef struct rows {
  item *items;
  int n;
  srs_names names;
  const char *const *words;
  srs_folds *doubts;
  bool failed;
} rows;

static bool is_near(double a, double b) { return a == b || fabs(a - b) <= 1e-9 + 1e-5 * fmax(fabs(a), fabs(b)); }

static void tell(rows *r, const item *odd, const item *other, int value)
{
  char text[900];
  srs_print(text, sizeof text, "%s:%d: the %s of %s '%s', %.9g, differs from that of '%s', %.9g",
            odd->place.file != NULL ? odd->place.file : "model", odd->place.line, r->words[value], odd->title,
            odd->name, odd->values[value], other->name, other->values[value]);
  if (!srs_folds_add(r->doubts, text)) r->failed = true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Left and right
// ---------------------------------------------------------------------------------------------------------------------

// Words for left and right; those with is_whole only between separators or at an end of the name.
static const struct {
  const char *left, *right;
  bool is_whole;
} sides[] = {{"left", "right", false}, {"Left", "Right", false}, {"LEFT", "RIGHT", false}, {"l", "r", true},
             {"L", "R", true},         {"lf", "rf", true},       {"lh", "rh", true},       {"LF", "RF", true},
             {"LH", "RH", true},       {"FL", "FR", true},       {"HL", "HR", true},       {"RL", "RR", true},
             {"BL", "BR", true},       {"fl", "fr", true},       {"rl", "rr", true},       {"hl", "hr", true}};

static bool is_separator(char c) { return c == '\0' || c == '_' || c == '-' || c == '/' || c == '.'; }

// The counterpart of a name on the left, if there is one.
static int find_right(const rows *r, const char *name)
{
  char other[NAME_SIZE];
  for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
    const size_t n = strlen(sides[s].left);
    for (const char *at = strstr(name, sides[s].left); at != NULL; at = strstr(at + 1, sides[s].left)) {
      const bool starts = at == name || is_separator(at[-1]), ends = is_separator(at[n]);
      const bool is_initial = at == name && sides[s].left[0] == 'L' && n == 1 && at[1] >= 'A' && at[1] <= 'Z';
      if (sides[s].is_whole && !(starts && ends) && !is_initial) continue;
      snprintf(other, sizeof other, "%.*s%s%s", (int)(at - name), name, sides[s].right, at + n);
      const int found = srs_names_find(&r->names, other);
      if (found >= 0) return found;
    }
  }
  return -1;
}

static void compare_sides(rows *r)
{
  for (int i = 0; i < r->n; i++) {
    const int other = find_right(r, r->items[i].name);
    for (int v = 0; other >= 0 && r->words[v] != NULL; v++)
      if (!is_near(r->items[i].values[v], r->items[other].values[v])) tell(r, &r->items[i], &r->items[other], v);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Numbered rows
// ---------------------------------------------------------------------------------------------------------------------

// Whether two names differ in one number alone.
static bool is_of_row(const char *a, const char *b)
{
  while (*a != '\0' && *a == *b) a++, b++;
  static const char digits[] = "0123456789";
  const size_t m = strspn(a, digits), n = strspn(b, digits);
  return m + n > 0 && strcmp(a + m, b + n) == 0;
}

// In a row of four or more, the one whose value is not that of all others.
static void compare_row(rows *r, const int *row, int n)
{
  for (int v = 0; r->words[v] != NULL; v++) {
    int odd = -1, n_odd = 0;
    const double usual = is_near(r->items[row[0]].values[v], r->items[row[1]].values[v]) ? r->items[row[0]].values[v]
                                                                                         : r->items[row[2]].values[v];
    for (int i = 0; i < n; i++)
      if (!is_near(r->items[row[i]].values[v], usual)) odd = i, n_odd++;
    if (n_odd == 1) tell(r, &r->items[row[odd]], &r->items[row[odd == 0]], v);
  }
}

static void compare_rows(rows *r)
{
  int *row = malloc(((size_t)r->n + 1) * sizeof *row);
  bool *is_done = calloc((size_t)r->n + 1, sizeof *is_done);
  r->failed = r->failed || row == NULL || is_done == NULL;
  for (int i = 0; i < r->n && !r->failed; i++) {
    int n = 0;
    if (is_done[i]) continue;
    row[n++] = i;
    for (int k = i + 1; k < r->n; k++)
      if (!is_done[k] && is_of_row(r->items[i].name, r->items[k].name)) row[n++] = k;
    for (int k = 0; k < n && n >= 4; k++) is_done[row[k]] = true;
    if (n >= 4) compare_row(r, row, n);
  }
  free(row);
  free(is_done);
}

// ---------------------------------------------------------------------------------------------------------------------
// Links and joints
// ---------------------------------------------------------------------------------------------------------------------

static void fill_link(item *to, const srs_builder *source, const srs_builder_link *link)
{
  const srs_link_def *def = &link->def;
  const double *I = def->inertia;
  *to = (item){.name = def->name, .title = "link", .place = link->place};
  to->values[0] = def->mass;
  to->values[1] = norm3(vec3_load(def->com));
  to->values[2] = I[0] + I[1] + I[2];
  to->values[3] = sqrt(I[0] * I[0] + I[1] * I[1] + I[2] * I[2] + 2 * (I[3] * I[3] + I[4] * I[4] + I[5] * I[5]));
  for (int i = 0; i < source->n_shapes; i++) {
    const srs_shape_def *shape = &source->shapes[i].def;
    if (shape->link == NULL || strcmp(shape->link, def->name) != 0) continue;
    to->values[4] += fabs(shape->size[0]) + fabs(shape->size[1]) + fabs(shape->size[2]);
    to->values[5] += norm3(vec3_load(shape->pose.position));
  }
}

static void fill_joint(item *to, const srs_builder_joint *joint)
{
  const srs_joint_def *def = &joint->def;
  const double *r = def->origin.rotation;
  *to = (item){.name = def->name, .title = "joint", .place = joint->place};
  to->values[0] = norm3(vec3_load(def->origin.position));
  to->values[1] = fabs(r[0]) + 10 * fabs(r[4]) + 100 * fabs(r[8]); // the same where axes are mirrored
  to->values[2] = fabs(def->axis[0]) + 10 * fabs(def->axis[1]) + 100 * fabs(def->axis[2]);
  if (srs_joint_kind_nv(def->kind) != 1) return;
  to->values[3] = fmin(fabs(def->lower[0]), fabs(def->upper[0]));
  to->values[4] = fmax(fabs(def->lower[0]), fabs(def->upper[0]));
  to->values[5] = def->max_effort[0];
  to->values[6] = def->max_velocity[0];
  to->values[7] = def->damping[0];
  to->values[8] = def->friction[0];
}

static bool compare(rows *r)
{
  for (int i = 0; i < r->n && !r->failed; i++) {
    r->failed = !srs_names_reserve(&r->names);
    if (!r->failed) srs_names_add(&r->names, r->items[i].name, i);
  }
  if (!r->failed) compare_sides(r);
  if (!r->failed) compare_rows(r);
  srs_names_release(&r->names);
  free(r->items);
  return !r->failed;
}

bool srs_lint_symmetry(const srs_model *model, srs_folds *doubts)
{
  const srs_builder *source = srs_source_of(model);
  rows links = {.words = link_words, .doubts = doubts}, joints = {.words = joint_words, .doubts = doubts};
  links.items = calloc((size_t)source->n_links + 1, sizeof *links.items);
  joints.items = calloc((size_t)source->n_joints + 1, sizeof *joints.items);
  links.failed = joints.failed = links.items == NULL || joints.items == NULL;
  for (int i = 0; i < source->n_links && !links.failed; i++)
    fill_link(&links.items[links.n++], source, &source->links[i]);
  for (int i = 0; i < source->n_joints && !joints.failed; i++)
    if (source->joints[i].def.name != NULL) fill_joint(&joints.items[joints.n++], &source->joints[i]);
  const bool has_links = compare(&links), has_joints = compare(&joints);
  return has_links && has_joints;
}
