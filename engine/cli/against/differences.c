// Differences as lines and as JSON.
//
// Two numbers a, b are alike where |a - b| <= T max(|a|, |b|), T being the tolerance, or |a - b| <= T u, u one unit of
// their kind (1 m, 1 rad; 0 where there is none that is small for every robot, as of masses and torques).
#include "engine/cli/against/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const srs_difference_words[] = {
    [SRS_DIFFERS_LINK] = "link",         [SRS_DIFFERS_NAME] = "name",       [SRS_DIFFERS_JOINT] = "joint",
    [SRS_DIFFERS_KIND] = "kind",         [SRS_DIFFERS_PARENT] = "parent",   [SRS_DIFFERS_ORIGIN] = "origin",
    [SRS_DIFFERS_AXIS] = "axis",         [SRS_DIFFERS_LIMITS] = "limits",   [SRS_DIFFERS_EFFORT] = "effort",
    [SRS_DIFFERS_VELOCITY] = "velocity", [SRS_DIFFERS_DAMPING] = "damping", [SRS_DIFFERS_FRICTION] = "friction",
    [SRS_DIFFERS_ARMATURE] = "armature", [SRS_DIFFERS_SPRING] = "spring",   [SRS_DIFFERS_PITCH] = "pitch",
    [SRS_DIFFERS_MIMIC] = "mimic",       [SRS_DIFFERS_MASS] = "mass",       [SRS_DIFFERS_CENTRE] = "centre",
    [SRS_DIFFERS_INERTIA] = "inertia",   [SRS_DIFFERS_SHAPE] = "shape",     [SRS_DIFFERS_VISUAL] = "visual",
    [SRS_DIFFERS_CONTACT] = "contact",   [SRS_DIFFERS_FRAME] = "frame",     [SRS_DIFFERS_LOOP] = "loop",
    [SRS_DIFFERS_PAIR] = "pair",         [SRS_DIFFERENCE_KINDS] = NULL};

enum { FOLD_FROM = 7, SHOWN = 3 };

// ---------------------------------------------------------------------------------------------------------------------
// Numbers
// ---------------------------------------------------------------------------------------------------------------------

const char *srs_numbers_text(const double *values, int n, char text[SRS_NUMBERS_SIZE])
{
  size_t at = 0;
  text[0] = '\0';
  for (int i = 0; i < n; i++) {
    const char *gap = i > 0 ? " " : "";
    const double value = fabs(values[i]) < 1e-15 ? 0 : values[i];
    at += (size_t)(isfinite(value) ? srs_print(text + at, SRS_NUMBERS_SIZE - at, "%s%.9g", gap, value)
                                   : srs_print(text + at, SRS_NUMBERS_SIZE - at, "%snone", gap));
  }
  return text;
}

bool srs_is_alike(const srs_differences *all, double a, double b, double unit)
{
  if (a == b || !isfinite(a) || !isfinite(b)) return a == b;
  const double apart = fabs(a - b);
  return apart <= all->tolerance * unit || apart <= all->tolerance * fmax(fabs(a), fabs(b));
}

// ---------------------------------------------------------------------------------------------------------------------
// Gathering
// ---------------------------------------------------------------------------------------------------------------------

static void add(srs_differences *all, const srs_finding *difference)
{
  if (all->is_ignored[difference->kind]) return;
  if (all->n == all->room) {
    const int room = 2 * all->room + 32;
    srs_finding *more = realloc(all->items, (size_t)room * sizeof *more);
    if (more == NULL) {
      all->failed = true;
      return;
    }
    all->items = more, all->room = room;
  }
  srs_finding kept = *difference;
  kept.of.name = srs_arena_copy(&all->memory, kept.of.name);
  kept.value = srs_arena_copy_or_null(&all->memory, kept.value);
  kept.in_other = srs_arena_copy_or_null(&all->memory, kept.in_other);
  all->failed = all->failed || all->memory.failed;
  if (!all->failed) all->items[all->n++] = kept;
}

void srs_differ(srs_differences *all, const srs_compared *of, srs_difference_kind kind, const char *value,
                const char *in_other, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const char *what = srs_arena_vprint(&all->memory, format, arguments);
  va_end(arguments);
  add(all, &(srs_finding){kind, false, *of, what, value, in_other});
}

void srs_differ_not(srs_differences *all, const srs_compared *of, srs_difference_kind kind, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const char *what = srs_arena_vprint(&all->memory, format, arguments);
  va_end(arguments);
  add(all, &(srs_finding){kind, true, *of, what, NULL, NULL});
}

int srs_differences_count(const srs_differences *all, bool notes)
{
  int n = 0;
  for (int i = 0; i < all->n; i++) n += all->items[i].is_note == notes;
  return n;
}

void srs_differences_release(srs_differences *all)
{
  free(all->items);
  srs_arena_release(&all->memory);
}

// ---------------------------------------------------------------------------------------------------------------------
// Telling
// ---------------------------------------------------------------------------------------------------------------------

static bool is_there(srs_place place) { return place.line >= 0; }

static void print_place(srs_place place, const char *path)
{
  fputs(place.file != NULL ? place.file : path, stdout);
  if (place.line > 0) printf(":%d", place.line);
}

static void print_one(const srs_differences *all, const srs_finding *item)
{
  const srs_compared *of = &item->of;
  fputs("  ", stdout);
  print_place(is_there(of->here) ? of->here : of->there, is_there(of->here) ? all->path : all->other);
  printf(": %s '%s': %s", of->element, of->name, item->what);
  if (item->value != NULL) printf(": %s", item->value);
  if (is_there(of->here) && is_there(of->there)) {
    fputs(item->value != NULL ? "; in " : " (in ", stdout);
    print_place(of->there, all->other);
    if (item->in_other != NULL) printf(": %s", item->in_other);
    if (item->value == NULL) putchar(')');
  }
  putchar('\n');
}

static bool are_of_one_kind(const srs_finding *a, const srs_finding *b)
{
  return a->kind == b->kind && a->is_note == b->is_note && strcmp(a->of.element, b->of.element) == 0 &&
         is_there(a->of.here) == is_there(b->of.here) && is_there(a->of.there) == is_there(b->of.there);
}

// Those after the first ones that are shown; a name once, however many of a link differ.
static void print_others(const srs_differences *all, int last_shown, int n)
{
  const srs_finding *like = &all->items[last_shown];
  printf("  and %d more of this kind (%s of %ss; --all has each):", n, srs_difference_words[like->kind],
         like->of.element);
  const char *told = NULL;
  for (int i = last_shown + 1; i < all->n; i++) {
    const char *name = all->items[i].of.name;
    if (!are_of_one_kind(&all->items[i], like) || (told != NULL && strcmp(told, name) == 0)) continue;
    printf("%s '%s'", told == NULL ? "" : ",", name);
    told = name;
  }
  putchar('\n');
}

static void print_sort(const srs_differences *all, bool notes, bool lists_all)
{
  for (int i = 0; i < all->n; i++) {
    const srs_finding *item = &all->items[i];
    int n = 0, before = 0;
    if (item->is_note != notes) continue;
    for (int k = 0; k < all->n; k++) {
      const bool is_alike = are_of_one_kind(&all->items[k], item);
      n += is_alike;
      before += is_alike && k < i;
    }
    const bool is_folded = n >= FOLD_FROM && !lists_all;
    if (!is_folded || before < SHOWN) print_one(all, item);
    if (is_folded && before == SHOWN - 1) print_others(all, i, n - SHOWN);
  }
}

void srs_differences_print(const srs_differences *all, bool lists_all)
{
  print_sort(all, false, lists_all);
  if (srs_differences_count(all, true) > 0) puts("\nnotes");
  print_sort(all, true, lists_all);
}

static void write_place(srs_json *json, srs_place place, const char *path, bool is_other)
{
  const char *file_key = is_other ? "other_file" : "file", *line_key = is_other ? "other_line" : "line";
  if (is_there(place))
    srs_json_text(json, file_key, place.file != NULL ? place.file : path);
  else
    srs_json_null(json, file_key);
  if (place.line > 0)
    srs_json_integer(json, line_key, place.line);
  else
    srs_json_null(json, line_key);
}

static void write_or_null(srs_json *json, const char *key, const char *text)
{
  if (text != NULL)
    srs_json_text(json, key, text);
  else
    srs_json_null(json, key);
}

void srs_differences_write(const srs_differences *all, srs_json *json)
{
  for (int notes = 0; notes < 2; notes++) {
    srs_json_array(json, notes == 1 ? "notes" : "differences");
    for (int i = 0; i < all->n; i++) {
      const srs_finding *item = &all->items[i];
      if (item->is_note != (notes == 1)) continue;
      srs_json_object(json, NULL);
      srs_json_text(json, "kind", srs_difference_words[item->kind]);
      srs_json_text(json, "element", item->of.element);
      srs_json_text(json, "name", item->of.name);
      srs_json_text(json, "what", item->what);
      write_or_null(json, "value", item->value);
      write_or_null(json, "other_value", item->in_other);
      write_place(json, item->of.here, all->path, false);
      write_place(json, item->of.there, all->other, true);
      srs_json_close(json);
    }
    srs_json_close(json);
  }
}
