// Reads the triangles of a mesh file.
//
// The bytes are checked and reduced to what counts (mesh_clean.c, ../collada), given to assimp (mesh_import.c), and
// the corners that come back are welded: corners at the same place are one point. A hash of the coordinates' bits finds
// them; zeros have lost their sign.
#include "topology/mesh/mesh.h"
#include "topology/base/errors.h"
#include "topology/base/text.h"
#include "topology/mesh/mesh_draft.h"
#include "topology/mesh/mesh_import.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30 };

// ---------------------------------------------------------------------------------------------------------------------
// Bytes
// ---------------------------------------------------------------------------------------------------------------------

static srs_status cannot_read(const srs_mesh_draft *d, const char *why)
{
  return srs_fail(d->error, SRS_ERROR_FILE, d->path, 0, 0, NULL, "the mesh cannot be read: %s", why);
}

// The whole file and a zero byte, to be freed.
static srs_status read_bytes(const srs_mesh_draft *d, char **bytes, size_t *size)
{
  char why[128];
  *bytes = NULL;
  FILE *file = fopen(d->path, "rbe");
  if (file == NULL) return cannot_read(d, strerror_r(errno, why, sizeof why));
  size_t room = 1 << 16;
  *size = 0;
  *bytes = malloc(room);
  for (size_t n = 1; *bytes != NULL && n > 0 && *size < MOST_BYTES;) {
    n = fread(*bytes + *size, 1, room - *size - 1, file);
    *size += n;
    if (*size + 1 < room) continue;
    char *larger = realloc(*bytes, room *= 2);
    if (larger == NULL) free(*bytes);
    *bytes = larger;
  }
  const bool failed = ferror(file) != 0;
  (void)fclose(file);
  if (*bytes == NULL) return srs_mesh_no_memory(d);
  if (failed || *size >= MOST_BYTES) return cannot_read(d, failed ? "reading failed" : "it is larger than a gigabyte");
  (*bytes)[*size] = '\0';
  return SRS_OK;
}

static srs_status clean(srs_mesh_draft *draft)
{
  const char *path = draft->path;
  const bool is_obj = srs_has_ending(path, ".obj"), is_stl = srs_has_ending(path, ".stl");
  if (!is_obj && !is_stl && !srs_has_ending(path, ".dae"))
    return srs_fail(draft->error, SRS_ERROR_UNSUPPORTED, path, 0, 0, NULL,
                    "meshes are read from .stl, .obj and .dae; convert the file");
  char *bytes = NULL;
  size_t size = 0;
  srs_status status = read_bytes(draft, &bytes, &size);
  if (status == SRS_OK)
    status = is_obj   ? srs_mesh_clean_obj(draft, bytes, size)
             : is_stl ? srs_mesh_clean_stl(draft, bytes, size)
                      : srs_mesh_clean_collada(draft, bytes, size);
  free(bytes);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Welding
// ---------------------------------------------------------------------------------------------------------------------

static size_t hash_of(const double x[3])
{
  uint64_t h = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 3; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    h = (h ^ bits) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return (size_t)h;
}

static bool are_one(const double *a, const double *b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

// The soup's corners become points (in place) and indices.
static bool weld(srs_mesh_soup *soup, srs_mesh *mesh)
{
  const size_t n = 3 * (size_t)soup->n_triangles;
  size_t n_slots = 16;
  while (n_slots < 2 * n) n_slots *= 2;
  int *slots = malloc(n_slots * sizeof *slots), *triangles = malloc(n * sizeof *triangles);
  mesh->triangles = triangles;
  if (slots == NULL || triangles == NULL) {
    free(slots);
    return false;
  }
  for (size_t i = 0; i < n_slots; i++) slots[i] = -1;
  double *points = soup->corners;
  int n_points = 0;
  for (size_t i = 0; i < n; i++) {
    double x[3];
    for (size_t c = 0; c < 3; c++) x[c] = points[3 * i + c] + 0.0; // never -0
    size_t slot = hash_of(x) & (n_slots - 1);
    while (slots[slot] >= 0 && !are_one(points + 3 * (size_t)slots[slot], x)) slot = (slot + 1) & (n_slots - 1);
    if (slots[slot] < 0) {
      memcpy(points + 3 * (size_t)n_points, x, sizeof x); // behind the corners that are still to come
      slots[slot] = n_points++;
    }
    triangles[i] = slots[slot];
  }
  free(slots);
  mesh->n_points = n_points;
  mesh->n_triangles = soup->n_triangles;
  mesh->points = points;
  soup->corners = NULL;
  double *exact = realloc(points, 3 * (size_t)n_points * sizeof *exact); // points are a sixth of the corners
  if (exact != NULL) mesh->points = exact;
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Groups and lines
// ---------------------------------------------------------------------------------------------------------------------

// The group of a node that is called "gN".
static int group_of(const srs_mesh_draft *draft, const char *name)
{
  const long number = name[0] == 'g' ? strtol(name + 1, NULL, 10) : 0;
  return number > 0 && number < draft->n_names ? (int)number : 0;
}

// Which triangle of the soup comes k-th in the file. Faces of a group come back in the order in which they were
// written, each as its triangles.
static void find_order(const srs_mesh_draft *draft, const int *group, int n, int *next, int *order, int *sorted)
{
  for (int t = 0; t < n; t++) next[group[t] + 1]++;
  for (int g = 0; g < draft->n_names; g++) next[g + 1] += next[g];
  for (int t = 0; t < n; t++) sorted[next[group[t]]++] = t;
  for (int g = draft->n_names; g > 0; g--) next[g] = next[g - 1];
  next[0] = 0;
  int k = 0;
  for (size_t f = 0; f < draft->n_faces; f++)
    for (int i = 0; i < draft->faces[f].n_triangles && k < n; i++) {
      const int at = next[draft->faces[f].group]++;
      order[k++] = at < n ? sorted[at] : 0;
    }
}

// Back to the file's order, with lines. Where the numbers do not agree assimp has left faces out: no line is known
// then.
static bool restore_order(const srs_mesh_draft *draft, srs_mesh_soup *soup, int *line)
{
  const size_t n = (size_t)soup->n_triangles;
  size_t n_written = 0;
  for (size_t f = 0; f < draft->n_faces; f++) n_written += (size_t)draft->faces[f].n_triangles;
  if (n_written != n) return true;
  int *next = calloc((size_t)draft->n_names + 1, sizeof *next), *order = malloc(2 * n * sizeof *order);
  double *corners = malloc(9 * n * sizeof *corners);
  const bool has_memory = next != NULL && order != NULL && corners != NULL;
  if (has_memory) {
    find_order(draft, soup->node, (int)n, next, order, order + n);
    for (size_t k = 0; k < n; k++) memcpy(corners + 9 * k, soup->corners + 9 * (size_t)order[k], 9 * sizeof *corners);
    size_t k = 0;
    for (size_t f = 0; f < draft->n_faces; f++)
      for (int i = 0; i < draft->faces[f].n_triangles; i++, k++)
        line[k] = draft->faces[f].line, soup->node[k] = draft->faces[f].group;
    free(soup->corners);
    soup->corners = corners;
  } else {
    free(corners);
  }
  free(next);
  free(order);
  return has_memory;
}

static srs_status take(srs_mesh_draft *draft, srs_mesh_soup *soup, srs_mesh *mesh)
{
  const size_t n = (size_t)soup->n_triangles;
  int *line = calloc(n, sizeof *line);
  mesh->line = line;
  if (line == NULL) return srs_mesh_no_memory(draft);
  for (size_t t = 0; t < n; t++) soup->node[t] = group_of(draft, soup->names[soup->node[t]]);
  if (draft->n_faces > 0 && !restore_order(draft, soup, line)) return srs_mesh_no_memory(draft);
  if (strcmp(draft->format, "stl") == 0 && draft->n_numbers == 9 * n) // in the file's order already
    memcpy(soup->corners, draft->numbers, 9 * n * sizeof *soup->corners);
  if (!weld(soup, mesh)) return srs_mesh_no_memory(draft);
  mesh->group = soup->node;
  soup->node = NULL;
  mesh->groups = draft->names;
  mesh->n_groups = draft->n_names;
  mesh->up = draft->up;
  draft->names = NULL;
  return SRS_OK;
}

srs_status srs_mesh_read(const char *path, srs_read_files *files, srs_mesh *mesh, srs_error *error)
{
  *mesh = (srs_mesh){.path = path};
  srs_mesh_draft draft = {.path = path, .error = error, .memory = &mesh->memory};
  srs_mesh_soup soup = {0};
  srs_status status = srs_note_read(files, path) ? clean(&draft) : srs_mesh_no_memory(&draft);
  if (status == SRS_OK) status = srs_mesh_import(&draft, &soup);
  if (status == SRS_OK) status = take(&draft, &soup, mesh);
  srs_mesh_soup_release(&soup);
  srs_mesh_draft_release(&draft);
  return status;
}

// "v x y z ..." at the start of a line.
static bool read_corner(const char *line, size_t length, double at[3])
{
  const char *word = line + 1, *end = line + length;
  for (int i = 0; i < 3; i++) {
    while (word < end && (*word == ' ' || *word == '\t')) word++;
    const char *begin = word;
    while (word < end && *word != ' ' && *word != '\t') word++;
    if (!srs_parse_number(begin, (size_t)(word - begin), &at[i])) return false;
  }
  return true;
}

static srs_status take_corners(srs_mesh *mesh, const char *text, srs_error *error)
{
  size_t n_lines = 1;
  for (const char *c = text; *c != '\0'; c++) n_lines += *c == '\n';
  double *points = n_lines <= INT_MAX / 3 ? malloc(3 * n_lines * sizeof *points) : NULL;
  mesh->points = points;
  if (points == NULL)
    return srs_fail(error, SRS_ERROR_MEMORY, mesh->path, 0, 0, NULL, "out of memory for the points of a mesh");
  int number = 1;
  for (const char *line = text; *line != '\0'; number++) {
    const size_t length = strcspn(line, "\r\n"), gap = length + (line[length] == '\r' && line[length + 1] == '\n');
    const bool is_corner = line[0] == 'v' && (line[1] == ' ' || line[1] == '\t');
    if (is_corner && !read_corner(line, length, points + 3 * (size_t)mesh->n_points++))
      return srs_fail(error, SRS_ERROR_SYNTAX, mesh->path, number, 0, NULL, "a corner needs three numbers");
    line += gap + (line[gap] != '\0');
  }
  return SRS_OK;
}

srs_status srs_mesh_read_points(const char *path, srs_read_files *files, srs_mesh *mesh, srs_error *error)
{
  *mesh = (srs_mesh){.path = path};
  char *text = NULL;
  size_t length = 0;
  srs_status status = srs_read_text(path, files, &text, &length, error);
  if (status == SRS_OK) status = take_corners(mesh, text, error);
  free(text);
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
