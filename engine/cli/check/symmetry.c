// Which one of several alike differs? Robots have left and right legs, and rows of equal links, so a value that was
// changed in one place stands out against its counterparts.
//
// What is compared does not depend on how a counterpart's frames are mirrored: masses, lengths, traces and norms of
// tensors, magnitudes of the components of directions, sizes, the smaller and the larger limit. What is printed are the
// numbers that the file has. Things without a feature, a fixed joint without an axis, are not compared by it.
#include "engine/cli/check/lint.h"
#include "topology/base/spatial.h"
#include "topology/builder/source.h"
#include "topology/model/joint_kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 200, MOST_COMPARED = 3, MOST_SHOWN = 6, NUMBERS_SIZE = 160 };

enum { MASS, CENTRE, INERTIA, N_SHAPES, SIZES, PLACES, LINK_FEATURES };
enum { ORIGIN, TURN, AXIS, LIMITS, EFFORT, VELOCITY, DAMPING, FRICTION, JOINT_FEATURES };

static const char *const link_words[] = {
    "mass", "centre of mass", "inertia (ixx iyy izz ixy ixz iyz)", "number of shapes", NULL,
    NULL}; // shapes have words of their own
static const char *const joint_words[] = {"origin (xyz)", "turn of the origin (rpy)", "axis",    "limits",
                                          "effort limit", "velocity limit",           "damping", "friction"};

typedef struct item {
  const char *name, *title; // title: "link", "joint"
  srs_place place;
  const srs_link_def *link;
  const srs_joint_def *joint; // one of the two, the other NULL
  int n_shapes;
  double sizes, places; // of the link's shapes: sums of magnitudes
} item;

// What is compared of a thing, and what is shown of it. n_compared 0: it has no such feature.
typedef struct feature {
  int n_compared, n_shown;
  double compared[MOST_COMPARED], shown[MOST_SHOWN];
  double tolerance; // between numbers, beside what is relative
} feature;

typedef struct rows {
  item *items;
  int n, n_features;
  srs_names names;
  const srs_builder *source;
  srs_folds *doubts;
  bool failed;
} rows;

// ---------------------------------------------------------------------------------------------------------------------
// Features
// ---------------------------------------------------------------------------------------------------------------------

static feature scalar(double value) { return (feature){1, 1, {value}, {value}, 1e-9}; }

static feature length(const double xyz[3])
{
  return (feature){1, 3, {norm3(vec3_load(xyz))}, {xyz[0], xyz[1], xyz[2]}, 1e-9};
}

// Components in the directions of a counterpart's axes may have other signs.
static feature direction(const double components[3], const double shown[3])
{
  return (feature){
      3, 3, {fabs(components[0]), fabs(components[1]), fabs(components[2])}, {shown[0], shown[1], shown[2]}, 1e-3};
}

static feature inertia(const double I[6])
{
  const double squares = I[0] * I[0] + I[1] * I[1] + I[2] * I[2] + 2 * (I[3] * I[3] + I[4] * I[4] + I[5] * I[5]);
  return (feature){2, 6, {I[0] + I[1] + I[2], sqrt(squares)}, {I[0], I[1], I[2], I[3], I[4], I[5]}, 1e-9};
}

static feature link_feature(const item *of, int which)
{
  switch (which) {
  case MASS: return scalar(of->link->mass);
  case CENTRE: return length(of->link->com);
  case INERTIA: return inertia(of->link->inertia);
  case N_SHAPES: return scalar(of->n_shapes);
  case SIZES: return scalar(of->sizes);
  default: return scalar(of->places);
  }
}

static feature joint_feature(const item *of, int which)
{
  const srs_joint_def *def = of->joint;
  const double *r = def->origin.rotation;
  const bool has_one = srs_joint_kind_nv(def->kind) == 1;
  const double low = def->lower[0], high = def->upper[0];
  switch (which) {
  case ORIGIN: return length(def->origin.position);
  case TURN:
    return direction((double[]){r[0], r[4], r[8]},
                     (double[]){atan2(r[7], r[8]), -asin(fmax(-1, fmin(1, r[6]))), atan2(r[3], r[0])});
  case AXIS: return srs_joint_kind_has_axis(def->kind) ? direction(def->axis, def->axis) : (feature){0};
  case LIMITS:
    if (!has_one) return (feature){0};
    return (feature){2, 2, {fmin(fabs(low), fabs(high)), fmax(fabs(low), fabs(high))}, {low, high}, 1e-9};
  case EFFORT: return has_one ? scalar(def->max_effort[0]) : (feature){0};
  case VELOCITY: return has_one ? scalar(def->max_velocity[0]) : (feature){0};
  case DAMPING: return has_one ? scalar(def->damping[0]) : (feature){0};
  default: return has_one ? scalar(def->friction[0]) : (feature){0};
  }
}

static feature feature_of(const item *of, int which)
{
  return of->link != NULL ? link_feature(of, which) : joint_feature(of, which);
}

static bool is_near(double a, double b, double tolerance)
{
  if (a == b || !isfinite(a) || !isfinite(b)) return a == b;
  return fabs(a - b) <= tolerance + 1e-5 * fmax(fabs(a), fabs(b));
}

static bool are_alike(const item *a, const item *b, int which)
{
  const feature x = feature_of(a, which), y = feature_of(b, which);
  if (x.n_compared == 0 || y.n_compared == 0) return true;
  if (a->link != NULL && which > N_SHAPES && a->n_shapes != b->n_shapes) return true; // that is told instead
  for (int i = 0; i < x.n_compared; i++)
    if (!is_near(x.compared[i], y.compared[i], x.tolerance)) return false;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------------------------------------------------

// One number, or "[1 0 0]".
static const char *numbers(const double *values, int n, char text[NUMBERS_SIZE])
{
  size_t at = 0;
  for (int i = 0; i < n; i++) {
    const double value = fabs(values[i]) < 1e-12 ? 0 : values[i];
    at += (size_t)srs_print(text + at, NUMBERS_SIZE - at, "%s%.9g", i > 0 ? " " : n > 1 ? "[" : "", value);
  }
  if (n > 1) srs_print(text + at, NUMBERS_SIZE - at, "]");
  return text;
}

// "FILE:LINE: the WHAT of link 'a', 1, differs from that of 'b', 2".
static void say(rows *r, srs_place place, const char *what, const item *odd, const item *other, const double *is,
                const double *was, int n)
{
  char text[900], first[NUMBERS_SIZE], second[NUMBERS_SIZE];
  const bool is_plural = strcmp(what, joint_words[LIMITS]) == 0;
  srs_print(text, sizeof text, "%s:%d: the %s of %s '%s', %s, differ%s from %s of '%s', %s",
            place.file != NULL ? place.file : "model", place.line, what, odd->title, odd->name, numbers(is, n, first),
            is_plural ? "" : "s", is_plural ? "those" : "that", other->name, numbers(was, n, second));
  if (!srs_folds_add(r->doubts, text)) r->failed = true;
}

static bool is_on(const srs_shape_def *shape, const item *link)
{
  return shape->link != NULL && strcmp(shape->link, link->name) == 0;
}

// The shape of a link that is like the given one in kind, and comes as late among those.
static const srs_shape_def *counterpart_of(const rows *r, int shape, const item *link, const item *other)
{
  const srs_builder_shape *shapes = r->source->shapes;
  const srs_shape_def *def = &shapes[shape].def;
  int before = 0;
  for (int i = 0; i < shape; i++) before += shapes[i].def.kind == def->kind && is_on(&shapes[i].def, link);
  for (int i = 0; i < r->source->n_shapes; i++)
    if (shapes[i].def.kind == def->kind && is_on(&shapes[i].def, other) && before-- == 0) return &shapes[i].def;
  return NULL;
}

static double sum_of_sizes(const srs_shape_def *s) { return fabs(s->size[0]) + fabs(s->size[1]) + fabs(s->size[2]); }

// Which attributes of which shapes make the sum another one.
static void tell_sizes(rows *r, const item *odd, const item *other, int shape)
{
  const srs_shape_def *def = &r->source->shapes[shape].def, *like = counterpart_of(r, shape, odd, other);
  const srs_place place = r->source->shapes[shape].place;
  const char *kind = srs_shape_kind_name(def->kind);
  char what[80];
  if (like == NULL) {
    snprintf(what, sizeof what, "number of shapes of the kind %s", kind);
    double n[2] = {0, 0};
    for (int i = 0; i < r->source->n_shapes; i++) {
      const srs_shape_def *each = &r->source->shapes[i].def;
      n[0] += each->kind == def->kind && is_on(each, odd), n[1] += each->kind == def->kind && is_on(each, other);
    }
    say(r, place, what, odd, other, &n[0], &n[1], 1);
  } else if (is_near(sum_of_sizes(def), sum_of_sizes(like), 1e-9)) {
    return;
  } else if (def->file != NULL) {
    say(r, place, "scale of a mesh", odd, other, def->size, like->size, 3);
  } else if (def->kind == SRS_SHAPE_CYLINDER || def->kind == SRS_SHAPE_CAPSULE || def->kind == SRS_SHAPE_CONE) {
    for (int i = 0; i < 2; i++) {
      snprintf(what, sizeof what, "%s of a %s", i == 0 ? "radius" : "length", kind);
      if (!is_near(def->size[i], like->size[i], 1e-9))
        say(r, place, what, odd, other, def->size + i, like->size + i, 1);
    }
  } else {
    const bool is_round = def->kind == SRS_SHAPE_SPHERE;
    snprintf(what, sizeof what, "%s of a %s", is_round ? "radius" : "size", kind);
    say(r, place, what, odd, other, def->size, like->size, is_round ? 1 : 3);
  }
}

static void tell_place(rows *r, const item *odd, const item *other, int shape)
{
  const srs_shape_def *def = &r->source->shapes[shape].def, *like = counterpart_of(r, shape, odd, other);
  char what[80];
  if (like == NULL) return; // its kind is told
  const double *is = def->pose.position, *was = like->pose.position;
  snprintf(what, sizeof what, "place (xyz) of a %s", srs_shape_kind_name(def->kind));
  if (!is_near(norm3(vec3_load(is)), norm3(vec3_load(was)), 1e-9))
    say(r, r->source->shapes[shape].place, what, odd, other, is, was, 3);
}

static void tell(rows *r, const item *odd, const item *other, int which)
{
  if (odd->link != NULL && which > N_SHAPES) {
    for (int i = 0; i < r->source->n_shapes; i++)
      if (is_on(&r->source->shapes[i].def, odd)) (which == SIZES ? tell_sizes : tell_place)(r, odd, other, i);
    return;
  }
  const feature is = feature_of(odd, which), was = feature_of(other, which);
  say(r, odd->place, (odd->link != NULL ? link_words : joint_words)[which], odd, other, is.shown, was.shown,
      is.n_shown);
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
    for (int v = 0; other >= 0 && v < r->n_features; v++)
      if (!are_alike(&r->items[i], &r->items[other], v)) tell(r, &r->items[i], &r->items[other], v);
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

// The one that more than half are alike to, if there is such a one (Boyer and Moore's vote).
static const item *usual_of(const item **having, int n, int which)
{
  const item *usual = having[0];
  int ahead = 0;
  for (int i = 0; i < n; i++) {
    if (ahead == 0) usual = having[i];
    ahead += are_alike(having[i], usual, which) ? 1 : -1;
  }
  return usual;
}

// Whether a joint's parent is the child of another of the row: an arm is a row each of which carries the next.
static bool is_carried_in(const rows *r, const int *row, int n, int i)
{
  const char *parent = r->items[row[i]].joint->parent;
  for (int k = 0; k < n && parent != NULL; k++)
    if (strcmp(r->items[row[k]].joint->child, parent) == 0) return true;
  return false;
}

// Marks what is of a row by its name alone: markers, links without mass and shapes; and of joints that carry each other
// a fixed one, the flange of an arm, and the first.
static void mark_ends(const rows *r, const int *row, int n, bool *is_end)
{
  int n_carried = 0;
  for (int i = 0; i < n; i++) {
    const item *of = &r->items[row[i]];
    is_end[i] = of->link != NULL ? of->link->mass == 0 && of->n_shapes == 0 : !is_carried_in(r, row, n, i);
    n_carried += !is_end[i];
  }
  for (int i = 0; i < n && r->items[row[0]].joint != NULL; i++) {
    const bool is_chain = 4 * n_carried >= 3 * n;
    is_end[i] = is_chain && (is_end[i] || r->items[row[i]].joint->kind == SRS_JOINT_FIXED);
  }
}

// Whether it is odd of an end to differ. An end that stands as its parent does is where the row begins or ends.
static bool is_odd(const item *of, bool is_end, int which)
{
  if (!is_end) return true;
  if (of->link != NULL) return false;
  const double *r = of->joint->origin.rotation;
  if (which == TURN) return r[0] + r[4] + r[8] < 3 - 1e-12;
  return which != ORIGIN || norm3(vec3_load(of->joint->origin.position)) > 0;
}

// In a row of four or more that have a feature, those whose feature is not that of all others, if it is that of three
// quarters.
static void compare_row(rows *r, const int *row, int n, const item **having, bool *is_end)
{
  mark_ends(r, row, n, is_end);
  for (int v = 0; v < r->n_features; v++) {
    int n_having = 0, n_odd = 0;
    for (int i = 0; i < n; i++)
      if (feature_of(&r->items[row[i]], v).n_compared > 0) having[n_having++] = &r->items[row[i]];
    if (n_having < 4) continue;
    const item *usual = usual_of(having, n_having, v);
    for (int i = 0; i < n_having; i++) n_odd += !are_alike(having[i], usual, v);
    for (int i = 0; i < n && 4 * n_odd <= n_having; i++) {
      const item *of = &r->items[row[i]];
      if (feature_of(of, v).n_compared > 0 && !are_alike(of, usual, v) && is_odd(of, is_end[i], v))
        tell(r, of, usual, v);
    }
  }
}

static void compare_rows(rows *r)
{
  int *row = malloc(((size_t)r->n + 1) * sizeof *row);
  const item **having = malloc(((size_t)r->n + 1) * sizeof *having);
  bool *is_done = calloc((size_t)r->n + 1, sizeof *is_done), *is_end = calloc((size_t)r->n + 1, sizeof *is_end);
  r->failed = r->failed || row == NULL || having == NULL || is_done == NULL || is_end == NULL;
  for (int i = 0; i < r->n && !r->failed; i++) {
    int n = 0;
    if (is_done[i]) continue;
    row[n++] = i;
    for (int k = i + 1; k < r->n; k++)
      if (!is_done[k] && is_of_row(r->items[i].name, r->items[k].name)) row[n++] = k;
    for (int k = 0; k < n && n >= 4; k++) is_done[row[k]] = true;
    if (n >= 4) compare_row(r, row, n, having, is_end);
  }
  free(row);
  free(having);
  free(is_done);
  free(is_end);
}

// ---------------------------------------------------------------------------------------------------------------------
// Links and joints
// ---------------------------------------------------------------------------------------------------------------------

static void add_shapes(rows *links)
{
  for (int i = 0; i < links->source->n_shapes; i++) {
    const srs_shape_def *shape = &links->source->shapes[i].def;
    const int link = shape->link != NULL ? srs_names_find(&links->names, shape->link) : -1;
    if (link < 0) continue;
    links->items[link].n_shapes++;
    links->items[link].sizes += sum_of_sizes(shape);
    links->items[link].places += norm3(vec3_load(shape->pose.position));
  }
}

static bool compare(rows *r, bool has_shapes)
{
  for (int i = 0; i < r->n && !r->failed; i++) {
    r->failed = !srs_names_reserve(&r->names);
    if (!r->failed) srs_names_add(&r->names, r->items[i].name, i);
  }
  if (!r->failed && has_shapes) add_shapes(r);
  if (!r->failed) compare_sides(r);
  if (!r->failed) compare_rows(r);
  srs_names_release(&r->names);
  free(r->items);
  return !r->failed;
}

bool srs_lint_symmetry(const srs_model *model, srs_folds *doubts)
{
  const srs_builder *source = srs_source_of(model);
  rows links = {.n_features = LINK_FEATURES, .source = source, .doubts = doubts};
  rows joints = {.n_features = JOINT_FEATURES, .source = source, .doubts = doubts};
  links.items = calloc((size_t)source->n_links + 1, sizeof *links.items);
  joints.items = calloc((size_t)source->n_joints + 1, sizeof *joints.items);
  links.failed = joints.failed = links.items == NULL || joints.items == NULL;
  for (int i = 0; i < source->n_links && !links.failed; i++) {
    const srs_builder_link *link = &source->links[i];
    links.items[links.n++] = (item){.name = link->def.name, .title = "link", .place = link->place, .link = &link->def};
  }
  for (int i = 0; i < source->n_joints && !joints.failed; i++) {
    const srs_builder_joint *joint = &source->joints[i];
    if (joint->def.name == NULL) continue;
    joints.items[joints.n++] =
        (item){.name = joint->def.name, .title = "joint", .place = joint->place, .joint = &joint->def};
  }
  const bool has_links = compare(&links, true), has_joints = compare(&joints, false);
  return has_links && has_joints;
}
