// A recording for ParaView: OUT.pvd names a file for each time (VTK's XML PolyData), in the folder OUT beside it. The
// world stands in one file that all times share; bodies are placed anew in each, cells with the number of their body;
// contacts are points with the force (N) on the first of the pair, to be drawn by the filter Glyph.
#include "engine/cli/motion/export.h"

#include "engine/cli/shared/json.h"
#include "engine/cli/shared/messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct piece {
  float *points;                    // n_points x 3
  int32_t *corners, *bodies, *ends; // n_triangles x 3, and n_triangles each
  int n_points, n_triangles;
} piece;

static void begin(FILE *out, int n_points, int n_vertices, int n_triangles)
{
  fprintf(out,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
          "NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n",
          n_points, n_vertices, n_triangles);
}

static void end(FILE *out) { fputs("</Piece>\n</PolyData>\n</VTKFile>\n", out); }

// Head and data are encoded each for itself, as VTK reads them.
static void put_array(FILE *out, const char *type, const char *name, int width, const void *values, size_t bytes)
{
  const uint64_t size = bytes;
  fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", type, name, width);
  unsigned char *both = malloc(sizeof size + bytes);
  if (both != NULL) {
    memcpy(both, &size, sizeof size);
    if (bytes > 0) memcpy(both + sizeof size, values, bytes);
    srs_put_base64(out, both, sizeof size + bytes);
  }
  free(both);
  fputs("</DataArray>\n", out);
}

// ---------------------------------------------------------------------------------------------------------------------
// Solids
// ---------------------------------------------------------------------------------------------------------------------

static bool take_piece(const srs_parts *parts, bool is_world, piece *p)
{
  *p = (piece){.n_points = 0};
  for (int i = 0; i < parts->n; i++) {
    if ((parts->parts[i].body < 0) != is_world) continue;
    p->n_points += parts->parts[i].triangles.n_points;
    p->n_triangles += parts->parts[i].triangles.n_triangles;
  }
  const size_t n = (size_t)p->n_triangles;
  p->points = malloc(3 * (size_t)p->n_points * sizeof *p->points + 1);
  p->corners = malloc(3 * n * sizeof *p->corners + 1);
  p->bodies = malloc(n * sizeof *p->bodies + 1);
  p->ends = malloc(n * sizeof *p->ends + 1);
  return p->points != NULL && p->corners != NULL && p->bodies != NULL && p->ends != NULL;
}

static void free_piece(piece *p)
{
  free(p->points);
  free(p->corners);
  free(p->bodies);
  free(p->ends);
}

static void transform(const double rotation[9], const double position[3], const double from[3], double to[3])
{
  for (int i = 0; i < 3; i++) {
    const double *row = rotation + 3 * (ptrdiff_t)i;
    to[i] = position[i] + row[0] * from[0] + row[1] * from[1] + row[2] * from[2];
  }
}

// Where the parts are in a frame.
static void fill_piece(const srs_film *film, int frame, const srs_parts *parts, bool is_world, piece *p)
{
  int point = 0, triangle = 0;
  for (int i = 0; i < parts->n; i++) {
    const srs_part *part = &parts->parts[i];
    const srs_triangles *t = &part->triangles;
    if ((part->body < 0) != is_world) continue;
    double position[3] = {0}, quaternion[4] = {0, 0, 0, 1}, rotation[9];
    if (part->body >= 0) srs_film_pose(film, frame, part->body, position, quaternion);
    srs_rotation_of(quaternion, rotation);
    for (int k = 0; k < t->n_triangles; k++, triangle++) {
      for (int c = 0; c < 3; c++) p->corners[3 * triangle + c] = t->corners[3 * k + c] + point;
      p->bodies[triangle] = part->body;
      p->ends[triangle] = 3 * (triangle + 1);
    }
    for (int k = 0; k < t->n_points; k++, point++) {
      const float *at = t->points + 3 * (size_t)k;
      const double own[3] = {at[0], at[1], at[2]};
      double in_body[3], in_world[3];
      transform(part->pose.rotation, part->pose.position, own, in_body);
      transform(rotation, position, in_body, in_world);
      for (int c = 0; c < 3; c++) p->points[3 * (size_t)point + (size_t)c] = (float)in_world[c];
    }
  }
}

static srs_status write_piece(const piece *p, const char *path, bool is_forced, srs_error *error)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL) return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %.200s", path);
  const size_t n = (size_t)p->n_triangles;
  begin(out, p->n_points, 0, p->n_triangles);
  fputs("<CellData>\n", out);
  put_array(out, "Int32", "body", 1, p->bodies, n * sizeof *p->bodies);
  fputs("</CellData>\n<Points>\n", out);
  put_array(out, "Float32", "Points", 3, p->points, 3 * (size_t)p->n_points * sizeof *p->points);
  fputs("</Points>\n<Polys>\n", out);
  put_array(out, "Int32", "connectivity", 1, p->corners, 3 * n * sizeof *p->corners);
  put_array(out, "Int32", "offsets", 1, p->ends, n * sizeof *p->ends);
  fputs("</Polys>\n", out);
  end(out);
  return srs_export_write(out, &text, &length, path, is_forced, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------------------------

static srs_status write_contacts(const srs_film *film, int frame, const char *path, bool is_forced, srs_error *error)
{
  const int first = frame > 0 ? film->contact_ends[frame - 1] : 0, n = film->contact_ends[frame] - first;
  char *text = NULL;
  size_t length = 0;
  float *values = malloc(6 * (size_t)n * sizeof *values + 1);
  int32_t *numbers = malloc(2 * (size_t)n * sizeof *numbers + 1);
  FILE *out = values != NULL && numbers != NULL ? open_memstream(&text, &length) : NULL;
  if (out == NULL) {
    free(values);
    free(numbers);
    return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %.200s", path);
  }
  for (int i = 0; i < n; i++) {
    memcpy(values + 3 * (size_t)i, film->contacts + 6 * (size_t)(first + i), 3 * sizeof *values);
    memcpy(values + 3 * (size_t)(n + i), film->contacts + 6 * (size_t)(first + i) + 3, 3 * sizeof *values);
    numbers[i] = i;
    numbers[n + i] = i + 1;
  }
  const size_t bytes = 3 * (size_t)n * sizeof *values;
  begin(out, n, n, 0);
  fputs("<PointData Vectors=\"force\">\n", out);
  put_array(out, "Float32", "force", 3, values + 3 * (size_t)n, bytes);
  fputs("</PointData>\n<Points>\n", out);
  put_array(out, "Float32", "Points", 3, values, bytes);
  fputs("</Points>\n<Verts>\n", out);
  put_array(out, "Int32", "connectivity", 1, numbers, (size_t)n * sizeof *numbers);
  put_array(out, "Int32", "offsets", 1, numbers + n, (size_t)n * sizeof *numbers);
  fputs("</Verts>\n", out);
  end(out);
  free(values);
  free(numbers);
  return srs_export_write(out, &text, &length, path, is_forced, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// All files
// ---------------------------------------------------------------------------------------------------------------------

typedef struct paths {
  char *folder, *file; // room for its longest file
  const char *name;    // the folder's, without those that it lies in
} paths;

static bool name_paths(const char *pvd, paths *p)
{
  const size_t stem = strlen(pvd) - strlen(".pvd");
  *p = (paths){.folder = strndup(pvd, stem), .file = malloc(stem + 64)};
  if (p->folder == NULL || p->file == NULL) return false;
  const char *slash = strrchr(p->folder, '/');
  p->name = slash != NULL ? slash + 1 : p->folder;
  return true;
}

static void list_file(FILE *list, const paths *p, double time, int part, const char *file)
{
  char number[40];
  srs_format_number(time, number);
  fprintf(list, "<DataSet timestep=\"%s\" part=\"%d\" file=\"", number, part);
  for (const char *c = p->name; *c != '\0'; c++) {
    if (*c == '&' || *c == '<' || *c == '"')
      fprintf(list, "&#%d;", *c);
    else
      putc(*c, list);
  }
  fprintf(list, "/%s\"/>\n", file);
}

static srs_status write_frame(const srs_film *film, const srs_parts *parts, int frame, piece *bodies, const paths *p,
                              bool is_forced, FILE *list, srs_error *error)
{
  char name[40];
  const double time = srs_film_row(film, frame)[0];
  list_file(list, p, time, 0, "world.vtp");
  fill_piece(film, frame, parts, false, bodies);
  snprintf(name, sizeof name, "bodies_%06d.vtp", frame);
  list_file(list, p, time, 1, name);
  sprintf(p->file, "%s/%s", p->folder, name);
  srs_status status = write_piece(bodies, p->file, is_forced, error);
  if (status != SRS_OK || film->contact_ends == NULL) return status;
  snprintf(name, sizeof name, "contacts_%06d.vtp", frame);
  list_file(list, p, time, 2, name);
  sprintf(p->file, "%s/%s", p->folder, name);
  return write_contacts(film, frame, p->file, is_forced, error);
}

static srs_status write_all(const srs_film *film, const srs_parts *parts, const paths *p, piece *world, piece *bodies,
                            const char *path, bool is_forced, srs_error *error)
{
  char *text = NULL;
  size_t length = 0;
  FILE *list = open_memstream(&text, &length);
  if (list == NULL) return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %.200s", path);
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n", list);
  fill_piece(film, 0, parts, true, world);
  sprintf(p->file, "%s/world.vtp", p->folder);
  srs_status status = write_piece(world, p->file, is_forced, error);
  for (int frame = 0; frame < film->n_frames && status == SRS_OK; frame++)
    status = write_frame(film, parts, frame, bodies, p, is_forced, list, error);
  fputs("</Collection>\n</VTKFile>\n", list);
  if (status == SRS_OK) return srs_export_write(list, &text, &length, path, is_forced, error);
  (void)fclose(list);
  free(text);
  return status;
}

srs_status srs_export_pvd(const srs_film *film, const srs_parts *parts, const char *path, bool is_forced,
                          srs_error *error)
{
  paths p;
  piece world = {0}, bodies = {0};
  srs_status status = SRS_OK;
  if (!name_paths(path, &p) || !take_piece(parts, true, &world) || !take_piece(parts, false, &bodies))
    status = srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %.200s", path);
  if (status == SRS_OK && mkdir(p.folder, 0777) != 0 && (errno != EEXIST || !is_forced))
    status = srs_report_fill(error, SRS_ERROR_FILE, "%.300s: the folder for the frames cannot be made: %s%s", p.folder,
                             strerror(errno), errno == EEXIST ? "; --force writes into it" : "");
  if (status == SRS_OK) status = write_all(film, parts, &p, &world, &bodies, path, is_forced, error);
  free_piece(&world);
  free_piece(&bodies);
  free(p.folder);
  free(p.file);
  return status;
}
