// What of an OBJ or STL file may assimp see? Nothing that it would stumble over or silently take wrongly.
//
// Assimp's readers end the process on some damaged files and pass over other damage in silence. So each file is
// checked here first, line by line, and written anew in the plainest form: corners, faces and groups alone.
//
// OBJ: lines `v x y z` are corners, `f a b c ...` faces of three or more, by numbers from 1, or, negative, from the
// last one back; what follows a slash is left out. `o` and `g` name what follows; groups count where no object is
// named. STL: `vertex x y z` three times a triangle, or, binary, 80 bytes, a count n and n times 12 floats and 2 bytes,
// which the size of the file shows, whatever its first word. Text that was cut short is rejected where it shows: a zero
// byte in it, STL without its last line `endsolid`.
#include "topology/base/errors.h"
#include "topology/mesh/mesh_draft.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STL_HEADER = 84, STL_TRIANGLE = 50, MOST_DIGITS = 40 };

typedef struct cleaning {
  srs_mesh_draft *draft;
  int line, group, n_entered, n_points, n_corners; // corners of a text STL so far
  bool has_objects, is_ended;                      // by `endsolid`
} cleaning;

// ---------------------------------------------------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_mesh_no_memory(const srs_mesh_draft *draft)
{
  return srs_fail(draft->error, SRS_ERROR_MEMORY, draft->path, 0, 0, NULL, "out of memory for a mesh");
}

bool srs_mesh_reserve(srs_mesh_draft *draft, size_t n)
{
  if (draft->clean_room - draft->n_clean >= n) return true;
  const size_t room = 2 * draft->clean_room + n + 4096;
  char *larger = realloc(draft->clean, room);
  if (larger == NULL) return false;
  draft->clean = larger;
  draft->clean_room = room;
  return true;
}

void srs_mesh_draft_release(srs_mesh_draft *draft)
{
  free(draft->clean);
  free(draft->numbers);
  free(draft->faces);
  free((void *)draft->names);
}

static srs_status write_word(cleaning *c, const char *word, size_t length, char after)
{
  srs_mesh_draft *d = c->draft;
  if (!srs_mesh_reserve(d, length + 1)) return srs_mesh_no_memory(d);
  memcpy(d->clean + d->n_clean, word, length);
  d->clean[d->n_clean + length] = after;
  d->n_clean += length + 1;
  return SRS_OK;
}

static srs_status write_line(cleaning *c, const char *line) { return write_word(c, line, strlen(line), '\n'); }

static srs_status note_face(cleaning *c, int n_triangles)
{
  srs_mesh_draft *d = c->draft;
  if (d->n_faces == d->face_room) {
    const size_t room = 2 * d->face_room + 256;
    srs_mesh_face *larger = realloc(d->faces, room * sizeof *larger);
    if (larger == NULL) return srs_mesh_no_memory(d);
    d->faces = larger;
    d->face_room = room;
  }
  d->faces[d->n_faces++] = (srs_mesh_face){c->group, c->line, n_triangles};
  return SRS_OK;
}

bool srs_mesh_put_number(srs_mesh_draft *draft, int number, char after)
{
  char digits[12];
  size_t n = sizeof digits;
  digits[--n] = after;
  do digits[--n] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  if (!srs_mesh_reserve(draft, sizeof digits)) return false;
  memcpy(draft->clean + draft->n_clean, digits + n, sizeof digits - n);
  draft->n_clean += sizeof digits - n;
  return true;
}

bool srs_mesh_is_number(const char *word, size_t length)
{
  bool has_digit = false, has_point = false, has_exponent = false;
  if (length > MOST_DIGITS) return false;
  for (size_t i = 0; i < length; i++) {
    const char x = word[i];
    if (x >= '0' && x <= '9') {
      has_digit = true;
    } else if (x == '.') {
      if (has_point || has_exponent) return false;
      has_point = true;
    } else if (x == 'e' || x == 'E') {
      if (!has_digit || has_exponent || i + 1 == length) return false;
      has_exponent = true;
    } else if ((x != '-' && x != '+') || (i > 0 && word[i - 1] != 'e' && word[i - 1] != 'E') || i + 1 == length) {
      return false;
    }
  }
  return has_digit;
}

srs_status srs_mesh_add_name(srs_mesh_draft *draft, const char *name)
{
  if (draft->n_names == draft->name_room) {
    const int room = 2 * draft->name_room + 16;
    const char **larger = realloc((void *)draft->names, (size_t)room * sizeof *larger);
    if (larger == NULL) return srs_mesh_no_memory(draft);
    draft->names = larger;
    draft->name_room = room;
  }
  const char *copy = srs_arena_copy(draft->memory, name);
  if (copy == NULL) return srs_mesh_no_memory(draft);
  draft->names[draft->n_names++] = copy;
  return SRS_OK;
}

// Makes the group of that name the one that faces belong to.
static srs_status enter_group(cleaning *c, const char *name)
{
  const srs_mesh_draft *d = c->draft;
  for (c->group = 0; c->group < d->n_names; c->group++)
    if (strcmp(d->names[c->group], name) == 0) return SRS_OK;
  return srs_mesh_add_name(c->draft, name);
}

// ---------------------------------------------------------------------------------------------------------------------
// Lines of text
// ---------------------------------------------------------------------------------------------------------------------

static const char *const space = " \t\r";

static char *next_word(char **rest)
{
  char *word = *rest + strspn(*rest, space);
  if (*word == '\0') return NULL;
  *rest = word + strcspn(word, space);
  if (**rest != '\0') *(*rest)++ = '\0';
  return word;
}

static srs_status fail_line(const cleaning *c, srs_status status, const char *what, const char *word)
{
  return srs_fail(c->draft->error, status, c->draft->path, c->line, 0, NULL, "%s%s%.60s%s", what,
                  word != NULL ? ", not '" : "", word != NULL ? word : "", word != NULL ? "'" : "");
}

// Keeps the number as a double too, which assimp does not.
static srs_status note_number(cleaning *c, const char *word, size_t length)
{
  srs_mesh_draft *d = c->draft;
  if (d->n_numbers == d->number_room) {
    const size_t room = 2 * d->number_room + 768;
    double *larger = realloc(d->numbers, room * sizeof *larger);
    if (larger == NULL) return srs_mesh_no_memory(d);
    d->numbers = larger;
    d->number_room = room;
  }
  double number;
  if (!srs_mesh_is_number(word, length) || !srs_parse_number(word, length, &number) || !(fabs(number) < 1e30))
    return fail_line(c, SRS_ERROR_SYNTAX, "a corner of a mesh needs three finite numbers", word);
  d->numbers[d->n_numbers++] = number;
  return SRS_OK;
}

static srs_status clean_corner(cleaning *c, const char *title, char *rest)
{
  srs_mesh_draft *d = c->draft;
  const size_t n = strlen(title);
  if (!srs_mesh_reserve(d, n + 1 + (size_t)3 * (MOST_DIGITS + 1))) return srs_mesh_no_memory(d);
  char *to = d->clean + d->n_clean;
  memcpy(to, title, n); // NOLINT(bugprone-not-null-terminated-result): in the middle of a text
  to += n;
  for (int i = 0; i < 3; i++) {
    const char *word = next_word(&rest);
    const size_t length = word != NULL ? strlen(word) : 0;
    if (word == NULL) return fail_line(c, SRS_ERROR_SYNTAX, "a corner of a mesh needs three finite numbers", NULL);
    const srs_status status = note_number(c, word, length);
    if (status != SRS_OK) return status;
    *to++ = ' ';
    memcpy(to, word, length); // NOLINT(bugprone-not-null-terminated-result): likewise
    to += length;
  }
  *to++ = '\n';
  d->n_clean = (size_t)(to - d->clean);
  return SRS_OK;
}

// The corner that `12`, `12/3`, `12/3/4` or `-1` names, from 1.
static srs_status read_index(const cleaning *c, char *word, int *index)
{
  char *end = word;
  const long number = strtol(word, &end, 10);
  if (end == word || (*end != '\0' && *end != '/') || number == 0)
    return fail_line(c, SRS_ERROR_SYNTAX, "a face names its corners by whole numbers from 1", word);
  if (number > c->n_points || number < -c->n_points)
    return srs_fail(c->draft->error, SRS_ERROR_MODEL, c->draft->path, c->line, 0, NULL,
                    "a face names corner %.60s, but %d %s above it", word, c->n_points,
                    c->n_points == 1 ? "corner is" : "corners are");
  *index = (int)number < 0 ? c->n_points + (int)number + 1 : (int)number;
  return SRS_OK;
}

static srs_status clean_face(cleaning *c, char *rest)
{
  const size_t begin = c->draft->n_clean;
  int n = 0;
  srs_status status = write_word(c, "f", 1, ' ');
  for (char *word = next_word(&rest); word != NULL && *word != '#' && status == SRS_OK; word = next_word(&rest), n++) {
    int index = 0;
    status = read_index(c, word, &index);
    if (status == SRS_OK && !srs_mesh_put_number(c->draft, index, ' ')) status = srs_mesh_no_memory(c->draft);
  }
  if (status != SRS_OK) return status;
  if (n < 3) return fail_line(c, SRS_ERROR_SYNTAX, "a face needs three corners or more", NULL);
  if (begin < c->draft->n_clean) c->draft->clean[c->draft->n_clean - 1] = '\n';
  return note_face(c, n - 2);
}

// The corner's number, as the colour that assimp keeps with it.
static srs_status number_corner(cleaning *c, int i)
{
  srs_mesh_draft *d = c->draft;
  d->clean[d->n_clean - 1] = ' ';
  const bool has_room = srs_mesh_put_number(d, i % SRS_MESH_COLOURS, ' ') &&
                        srs_mesh_put_number(d, i / SRS_MESH_COLOURS, ' ') && srs_mesh_put_number(d, 0, '\n');
  return has_room ? SRS_OK : srs_mesh_no_memory(d);
}

static srs_status clean_obj_line(cleaning *c, char *line)
{
  const char *word = next_word(&line);
  if (word == NULL) return SRS_OK;
  if (strcmp(word, "v") == 0) {
    const srs_status status = clean_corner(c, "v", line);
    return status == SRS_OK ? number_corner(c, c->n_points++) : status;
  }
  if (strcmp(word, "f") == 0) return clean_face(c, line);
  const bool is_object = strcmp(word, "o") == 0;
  if (!is_object && (strcmp(word, "g") != 0 || c->has_objects)) return SRS_OK;
  c->has_objects = is_object;
  char *name = line + strspn(line, space);
  name[strcspn(name, "\r")] = '\0';
  char title[40];
  const srs_status status = enter_group(c, name);
  snprintf(title, sizeof title, "o g%d_%d", c->group, c->n_entered++); // assimp does not return to an object
  return status == SRS_OK ? write_line(c, title) : status;
}

static srs_status clean_stl_line(cleaning *c, char *line)
{
  const char *word = next_word(&line);
  if (word == NULL) return SRS_OK;
  c->is_ended = (*word == 'e' || *word == 'E') && strcasecmp(word, "endsolid") == 0;
  if ((*word != 'v' && *word != 'V') || strcasecmp(word, "vertex") != 0) return SRS_OK;
  srs_status status = SRS_OK;
  if (c->n_corners % 3 == 0) status = write_line(c, "facet normal 0 0 1\nouter loop");
  if (status == SRS_OK) status = clean_corner(c, "vertex", line);
  if (status != SRS_OK || ++c->n_corners % 3 != 0) return status;
  status = write_line(c, "endloop\nendfacet");
  return status == SRS_OK ? note_face(c, 1) : status;
}

static srs_status clean_lines(cleaning *c, char *text, size_t n, srs_status (*clean)(cleaning *c, char *line))
{
  if (strlen(text) != n)
    return srs_fail(c->draft->error, SRS_ERROR_FILE, c->draft->path, 0, 0, NULL,
                    "the mesh cannot be read: it is neither text nor a whole binary STL file");
  if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3; // the mark that some editors put before it
  srs_status status = enter_group(c, "");
  for (char *line = text, *next; line != NULL && status == SRS_OK; line = next) {
    next = strchr(line, '\n');
    if (next != NULL) *next++ = '\0';
    c->line++;
    status = clean(c, line);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

static srs_status cannot_read(const srs_mesh_draft *draft, const char *why)
{
  return srs_fail(draft->error, SRS_ERROR_FILE, draft->path, 0, 0, NULL, "the mesh cannot be read: %s", why);
}

static uint32_t little_endian(const unsigned char *b)
{
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

srs_status srs_mesh_clean_obj(srs_mesh_draft *draft, char *bytes, size_t n)
{
  cleaning c = {.draft = draft};
  draft->format = "obj";
  srs_status status = write_line(&c, "# corners and faces alone"); // assimp wants 16 bytes at least
  return status == SRS_OK ? clean_lines(&c, bytes, n, clean_obj_line) : status;
}

// A header without words, and no colours.
static srs_status clean_binary(srs_mesh_draft *draft, const unsigned char *bytes)
{
  const size_t n = little_endian(bytes + STL_HEADER - 4), size = STL_HEADER + STL_TRIANGLE * n;
  cleaning c = {.draft = draft};
  const srs_status status = enter_group(&c, "");
  if (status != SRS_OK || !srs_mesh_reserve(draft, size)) return srs_mesh_no_memory(draft);
  draft->n_clean = size;
  draft->is_single = true;
  memcpy(draft->clean, bytes, size);
  memset(draft->clean, 0, STL_HEADER - 4);
  for (size_t t = 0; t < n; t++) {
    unsigned char *triangle = (unsigned char *)draft->clean + STL_HEADER + STL_TRIANGLE * t;
    memset(triangle, 0, 12); // the normal follows from the corners
    memset(triangle + 48, 0, 2);
    for (size_t i = 12; i < 48; i += 4) {
      const uint32_t bits = little_endian(triangle + i);
      float number;
      memcpy(&number, &bits, sizeof number);
      if (!(fabsf(number) < 1e30F))
        return srs_fail(draft->error, SRS_ERROR_NOT_FINITE, draft->path, 0, 0, NULL,
                        "a corner of triangle %zu is not finite", t + 1);
    }
  }
  return SRS_OK;
}

srs_status srs_mesh_clean_stl(srs_mesh_draft *draft, char *bytes, size_t n)
{
  draft->format = "stl";
  const bool has_header = n >= STL_HEADER;
  const size_t whole = has_header ? STL_HEADER + (size_t)STL_TRIANGLE * little_endian((unsigned char *)bytes + 80) : 0;
  if (has_header && n == whole) return clean_binary(draft, (const unsigned char *)bytes);
  const bool says_solid = strncasecmp(bytes + strspn(bytes, " \t\r\n"), "solid", 5) == 0;
  if (!says_solid && has_header && n > whole && strlen(bytes) < n) return clean_binary(draft, (unsigned char *)bytes);
  if (!says_solid && has_header && strlen(bytes) < n)
    return srs_fail(draft->error, SRS_ERROR_FILE, draft->path, 0, 0, NULL,
                    "the mesh cannot be read: its header promises %zu bytes, the file has %zu: it is cut short, or no "
                    "STL file",
                    whole, n);
  if (!says_solid)
    return cannot_read(draft, "it is no STL file: neither 'solid' at the start nor the size of a binary "
                              "one");
  cleaning c = {.draft = draft};
  srs_status status = write_line(&c, "solid g0");
  if (status == SRS_OK) status = clean_lines(&c, bytes, n, clean_stl_line);
  if (status == SRS_OK) status = write_line(&c, "endsolid g0");
  if (status != SRS_OK) return status;
  if (c.n_corners % 3 != 0 || !c.is_ended)
    return cannot_read(draft, "it is cut short: its last line is not 'endsolid', or a facet lacks corners");
  return SRS_OK;
}
