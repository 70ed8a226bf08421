// Reads the triangles of OBJ and STL files.
//
// OBJ: lines `v x y z` are corners, `f a b c ...` faces of three or more, by numbers from 1, or, negative, from the
// last one back; what follows a slash is ignored. A face becomes the fan of its first corner. `o` and `g` name what
// follows; groups count where no object is named. STL: `vertex x y z` three times a triangle, or, binary, 80 bytes, a
// count n and n times 12 floats and 2 bytes, which the size of the file shows. All else is ignored. Numbers in text are
// read as doubles, so that a box written in decimals is the box of a scene. Truncated text is rejected where it shows:
// a zero byte in it, STL without its last line `endsolid`.
#include "topology/mesh/mesh.h"
#include "topology/base/errors.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STL_HEADER = 84, STL_TRIANGLE = 50, MOST_BYTES = 1 << 30 };

typedef struct draft {
  srs_mesh *mesh;
  srs_error *error;
  double *points;
  int *triangles, *group, *line;
  size_t point_room, triangle_room;
  int current_group, at;      // line
  bool has_objects, is_ended; // by `endsolid`
} draft;

static srs_status no_memory(const draft *d)
{
  return srs_fail(d->error, SRS_ERROR_MEMORY, d->mesh->path, 0, 0, NULL, "out of memory for a mesh");
}

// ---------------------------------------------------------------------------------------------------------------------
// Gathering
// ---------------------------------------------------------------------------------------------------------------------

static bool enlarge(void **array, size_t count, size_t size)
{
  void *larger = realloc(*array, count * size);
  if (larger != NULL) *array = larger;
  return larger != NULL;
}

static srs_status add_point(draft *d, const double x[3])
{
  const size_t n = (size_t)d->mesh->n_points;
  if (n == d->point_room) {
    d->point_room = n == 0 ? 256 : 2 * n;
    if (!enlarge((void **)&d->points, d->point_room, 3 * sizeof(double))) return no_memory(d);
  }
  for (size_t c = 0; c < 3; c++) d->points[3 * n + c] = x[c];
  d->mesh->n_points++;
  return SRS_OK;
}

static srs_status add_triangle(draft *d, int a, int b, int c)
{
  const size_t n = (size_t)d->mesh->n_triangles;
  if (n == d->triangle_room) {
    d->triangle_room = n == 0 ? 256 : 2 * n;
    if (!enlarge((void **)&d->triangles, d->triangle_room, 3 * sizeof(int)) ||
        !enlarge((void **)&d->group, d->triangle_room, sizeof(int)) ||
        !enlarge((void **)&d->line, d->triangle_room, sizeof(int)))
      return no_memory(d);
  }
  d->triangles[3 * n] = a, d->triangles[3 * n + 1] = b, d->triangles[3 * n + 2] = c;
  d->group[n] = d->current_group;
  d->line[n] = d->at;
  d->mesh->n_triangles++;
  return SRS_OK;
}

// Makes the group of that name the one that faces belong to.
static srs_status enter_group(draft *d, const char *name)
{
  srs_mesh *m = d->mesh;
  for (int i = 0; i < m->n_groups; i++)
    if (strcmp(m->groups[i], name) == 0) {
      d->current_group = i;
      return SRS_OK;
    }
  const char **groups = realloc((void *)m->groups, ((size_t)m->n_groups + 1) * sizeof *groups);
  const char *copy = srs_arena_copy(&m->memory, name);
  if (groups != NULL) m->groups = groups;
  if (groups == NULL || copy == NULL) return no_memory(d);
  m->groups[m->n_groups] = copy;
  d->current_group = m->n_groups++;
  return SRS_OK;
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

static srs_status fail_line(const draft *d, srs_status status, const char *what, const char *word)
{
  return srs_fail(d->error, status, d->mesh->path, d->at, 0, NULL, "%s%s%.60s%s", what, word != NULL ? ", not '" : "",
                  word != NULL ? word : "", word != NULL ? "'" : "");
}

static srs_status read_corner(draft *d, char *rest)
{
  double x[3];
  for (int c = 0; c < 3; c++) {
    const char *word = next_word(&rest);
    if (word == NULL || !srs_parse_number(word, strlen(word), &x[c]))
      return fail_line(d, SRS_ERROR_SYNTAX, "a corner of a mesh needs three finite numbers", word);
  }
  return add_point(d, x);
}

// The corner that `12`, `12/3`, `12/3/4` or `-1` names.
static srs_status read_index(const draft *d, char *word, int *index)
{
  double number;
  const int n = d->mesh->n_points;
  const size_t length = strcspn(word, "/");
  if (!srs_parse_number(word, length, &number) || number != floor(number) || number == 0)
    return fail_line(d, SRS_ERROR_SYNTAX, "a face names its corners by whole numbers from 1", word);
  if (number > n || number < -n)
    return srs_fail(d->error, SRS_ERROR_MODEL, d->mesh->path, d->at, 0, NULL,
                    "a face names corner %.60s, but %d %s above it", word, n, n == 1 ? "corner is" : "corners are");
  *index = (int)number < 0 ? n + (int)number : (int)number - 1;
  return SRS_OK;
}

static srs_status read_face(draft *d, char *rest)
{
  int first = 0, last = 0, n = 0;
  srs_status status = SRS_OK;
  for (char *word = next_word(&rest); word != NULL && *word != '#' && status == SRS_OK; word = next_word(&rest), n++) {
    int index = 0;
    status = read_index(d, word, &index);
    if (status == SRS_OK && n >= 2) status = add_triangle(d, first, last, index);
    if (n == 0) first = index;
    last = index;
  }
  if (status == SRS_OK && n < 3) return fail_line(d, SRS_ERROR_SYNTAX, "a face needs three corners or more", NULL);
  return status;
}

static srs_status read_obj_line(draft *d, char *line)
{
  const char *word = next_word(&line);
  if (word == NULL) return SRS_OK;
  if (strcmp(word, "v") == 0) return read_corner(d, line);
  if (strcmp(word, "f") == 0) return read_face(d, line);
  const bool is_object = strcmp(word, "o") == 0;
  if (!is_object && (strcmp(word, "g") != 0 || d->has_objects)) return SRS_OK;
  d->has_objects = is_object;
  char *name = line + strspn(line, space);
  name[strcspn(name, "\r")] = '\0';
  return enter_group(d, name);
}

static srs_status read_stl_line(draft *d, char *line)
{
  const char *word = next_word(&line);
  if (word == NULL) return SRS_OK;
  d->is_ended = strcasecmp(word, "endsolid") == 0;
  if (strcasecmp(word, "vertex") != 0) return SRS_OK;
  const srs_status status = read_corner(d, line);
  const int n = d->mesh->n_points;
  if (status != SRS_OK || n % 3 != 0) return status;
  return add_triangle(d, n - 3, n - 2, n - 1);
}

static srs_status read_lines(draft *d, char *text, srs_status (*read)(draft *d, char *line))
{
  srs_status status = SRS_OK;
  for (char *line = text, *next; line != NULL && status == SRS_OK; line = next) {
    next = strchr(line, '\n');
    if (next != NULL) *next++ = '\0';
    d->at++;
    status = read(d, line);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

static uint32_t little_endian(const unsigned char *b)
{
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool is_binary_stl(const unsigned char *bytes, size_t size)
{
  return size >= STL_HEADER && size - STL_HEADER == (size_t)STL_TRIANGLE * little_endian(bytes + STL_HEADER - 4);
}

static srs_status read_binary_stl(draft *d, const unsigned char *bytes)
{
  const uint32_t n = little_endian(bytes + STL_HEADER - 4);
  srs_status status = SRS_OK;
  for (size_t t = 0; t < n && status == SRS_OK; t++) {
    const unsigned char *corners = bytes + STL_HEADER + STL_TRIANGLE * t + 12; // a normal comes first
    for (size_t k = 0; k < 3 && status == SRS_OK; k++) {
      double x[3];
      for (size_t c = 0; c < 3; c++) {
        const uint32_t bits = little_endian(corners + 12 * k + 4 * c);
        float number;
        memcpy(&number, &bits, sizeof number);
        x[c] = number;
        if (!isfinite(number))
          return srs_fail(d->error, SRS_ERROR_NOT_FINITE, d->mesh->path, 0, 0, NULL,
                          "a corner of triangle %zu is not finite", t + 1);
      }
      status = add_point(d, x);
    }
    const int last = d->mesh->n_points;
    if (status == SRS_OK) status = add_triangle(d, last - 3, last - 2, last - 1);
  }
  return status;
}

static srs_status cannot_read(const draft *d, const char *why)
{
  return srs_fail(d->error, SRS_ERROR_FILE, d->mesh->path, 0, 0, NULL, "the mesh cannot be read: %s", why);
}

// The whole file and a zero byte, to be freed.
static srs_status read_bytes(const draft *d, char **bytes, size_t *size)
{
  char why[128];
  *bytes = NULL;
  FILE *file = fopen(d->mesh->path, "rbe");
  if (file == NULL) return cannot_read(d, strerror_r(errno, why, sizeof why));
  size_t room = 1 << 16;
  *size = 0;
  bool is_good = enlarge((void **)bytes, room, 1);
  for (size_t n = 1; is_good && n > 0 && *size < MOST_BYTES;) {
    n = fread(*bytes + *size, 1, room - *size - 1, file);
    *size += n;
    if (*size + 1 == room) is_good = enlarge((void **)bytes, room *= 2, 1);
  }
  const bool failed = ferror(file) != 0;
  (void)fclose(file);
  if (!is_good) return no_memory(d);
  if (failed || *size >= MOST_BYTES) return cannot_read(d, failed ? "reading failed" : "it is larger than a gigabyte");
  (*bytes)[*size] = '\0';
  return SRS_OK;
}

// Text, without the mark of three bytes that some editors put before it.
static srs_status read_text(draft *d, char *bytes, size_t size, srs_status (*read)(draft *d, char *line))
{
  if (strlen(bytes) != size) return cannot_read(d, "it is neither text nor a whole binary STL file");
  return read_lines(d, strncmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? bytes + 3 : bytes, read);
}

static srs_status read_text_stl(draft *d, char *bytes, size_t size)
{
  const srs_status status = read_text(d, bytes, size, read_stl_line);
  if (status == SRS_OK && !d->is_ended) return cannot_read(d, "it is cut short: its last line is not 'endsolid'");
  return status;
}

static srs_status read_format(draft *d, char *bytes, size_t size)
{
  const char *dot = strrchr(d->mesh->path, '.');
  if (dot != NULL && strcasecmp(dot, ".obj") == 0) return read_text(d, bytes, size, read_obj_line);
  if (dot == NULL || strcasecmp(dot, ".stl") != 0)
    return srs_fail(d->error, SRS_ERROR_UNSUPPORTED, d->mesh->path, 0, 0, NULL,
                    "meshes that collide are read from .obj and .stl in this version; convert the file");
  if (is_binary_stl((const unsigned char *)bytes, size)) return read_binary_stl(d, (const unsigned char *)bytes);
  if (strncasecmp(bytes + strspn(bytes, " \t\r\n"), "solid", 5) != 0)
    return cannot_read(d, "it is no STL file: neither 'solid' at the start nor the size of a binary one");
  return read_text_stl(d, bytes, size);
}

srs_status srs_mesh_read(const char *path, srs_mesh *mesh, srs_error *error)
{
  *mesh = (srs_mesh){.path = path};
  draft d = {.mesh = mesh, .error = error};
  char *bytes = NULL;
  size_t size = 0;
  srs_status status = read_bytes(&d, &bytes, &size);
  if (status == SRS_OK) status = enter_group(&d, "");
  if (status == SRS_OK) status = read_format(&d, bytes, size);
  free(bytes);
  mesh->points = d.points, mesh->triangles = d.triangles, mesh->group = d.group, mesh->line = d.line;
  if (status == SRS_OK && mesh->n_triangles == 0)
    return srs_fail(error, SRS_ERROR_MODEL, path, 0, 0, NULL, "the mesh has no faces");
  return status;
}

void srs_mesh_release(srs_mesh *mesh)
{
  free((void *)mesh->points);
  free((void *)mesh->triangles);
  free((void *)mesh->group);
  free((void *)mesh->line);
  free((void *)mesh->groups);
  srs_arena_release(&mesh->memory);
  *mesh = (srs_mesh){0};
}
