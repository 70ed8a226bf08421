// What differs between two models, gathered item by item and told: as lines, or as JSON. Internal.
#pragma once
#include "engine/cli/shared/json.h"
#include "topology/base/arena.h"
#include "topology/base/errors.h"

typedef enum srs_difference_kind {
  SRS_DIFFERS_LINK, // in one model only
  SRS_DIFFERS_NAME,
  SRS_DIFFERS_JOINT, // in one model only
  SRS_DIFFERS_KIND,
  SRS_DIFFERS_PARENT,
  SRS_DIFFERS_ORIGIN,
  SRS_DIFFERS_AXIS,
  SRS_DIFFERS_LIMITS,
  SRS_DIFFERS_EFFORT,
  SRS_DIFFERS_VELOCITY,
  SRS_DIFFERS_DAMPING,
  SRS_DIFFERS_FRICTION,
  SRS_DIFFERS_ARMATURE,
  SRS_DIFFERS_SPRING,
  SRS_DIFFERS_PITCH,
  SRS_DIFFERS_MIMIC,
  SRS_DIFFERS_MASS,
  SRS_DIFFERS_CENTRE,
  SRS_DIFFERS_INERTIA,
  SRS_DIFFERS_SHAPE,
  SRS_DIFFERS_VISUAL,  // of shapes that are only drawn
  SRS_DIFFERS_CONTACT, // group, mask and material of shapes
  SRS_DIFFERS_FRAME,
  SRS_DIFFERS_LOOP,
  SRS_DIFFERS_PAIR,
} srs_difference_kind;

enum { SRS_DIFFERENCE_KINDS = SRS_DIFFERS_PAIR + 1 };

/// "link", "name", …: the words of --ignore and JSON, SRS_DIFFERENCE_KINDS of them and NULL.
extern const char *const srs_difference_words[];

/// What is compared: a joint, a link, …, and where it stands in either file. A place whose line is -1: it is not there.
typedef struct srs_compared {
  const char *element, *name;
  srs_place here, there;
} srs_compared;

typedef struct srs_finding {
  srs_difference_kind kind;
  bool is_note; // no difference in how the model moves, collides and looks
  srs_compared of;
  const char *what;             // "axis turned by 3 degrees"
  const char *value, *in_other; // "0 0 1", "0 0.05 0.99"; NULL where `what` says all
} srs_finding;

typedef struct srs_differences {
  srs_finding *items; // n, in the order in which they were found
  int n, room;
  bool is_ignored[SRS_DIFFERENCE_KINDS];
  double tolerance; // m, rad, and relative
  const char *path, *other;
  bool failed; // out of memory
  srs_arena memory;
} srs_differences;

/// Adds one, unless its kind is ignored. `format` makes `what`, printf-like; texts are copied.
void srs_differ(srs_differences *all, const srs_compared *of, srs_difference_kind kind, const char *value,
                const char *in_other, const char *format, ...) __attribute__((format(printf, 6, 7)));

/// The same as a note.
void srs_differ_not(srs_differences *all, const srs_compared *of, srs_difference_kind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// How many there are that are no notes, or notes.
int srs_differences_count(const srs_differences *all, bool notes);

/// One line each; of more than six of a kind and element the first three, and the names of the others in one line.
void srs_differences_print(const srs_differences *all, bool lists_all);

/// "differences" and "notes", two arrays.
void srs_differences_write(const srs_differences *all, srs_json *json);

void srs_differences_release(srs_differences *all);

enum { SRS_NUMBERS_SIZE = 200 };

/// "0 0 0.4", what rounding leaves of zero as 0, infinities as "none"; of up to 8 numbers.  @return text
const char *srs_numbers_text(const double *values, int n, char text[SRS_NUMBERS_SIZE]);

/// Whether two numbers are apart by no more than the tolerance, of their own size or absolutely (0: their size alone).
bool srs_is_alike(const srs_differences *all, double a, double b, double unit);
