// Meshes and height fields of MJCF.
//
// A mesh is a file, or points (and triangles) written in place; points alone are those of their convex hull. Its points
// are moved by the inverse of refpos and refquat, then scaled, and stand in the geom's frame as they are. A mesh file
// is opened only where it counts: for a shape that collides or that gives a body its mass.
//
// A height field of r x c heights reaches from -x to x and -y to y (its `size`); heights are scaled so that they go
// from 0 to the third size. They are written in place, or come from a picture or a file of floats; without either the
// field is flat.

#include "topology/mjcf_base/mjcf_assets.h"
#include "topology/base/text.h"
#include "topology/builder/builder.h"
#include "topology/mesh/grey_image.h"
#include "topology/mesh/hull_triangles.h"
#include "topology/mesh/mesh.h"
#include "topology/mjcf_base/mjcf_pose.h"
#include "topology/mjcf_base/mjcf_settings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_NUMBERS = 10000000 };

// ---------------------------------------------------------------------------------------------------------------------
// Lists of numbers
// ---------------------------------------------------------------------------------------------------------------------

// All numbers of an attribute, in the reader's memory; none where it is missing.
static srs_status read_all(srs_mjcf *mjcf, srs_xml_node *node, const char *name, double **values, int *n)
{
  const char *text = srs_xml_peek(node, name), *const spaces = " \t\r\n";
  *n = 0;
  if (text == NULL) return SRS_OK;
  size_t count = 0;
  for (const char *c = text + strspn(text, spaces); *c != '\0'; count++) {
    c += strcspn(c, spaces);
    c += strspn(c, spaces);
  }
  if (count > MOST_NUMBERS)
    return srs_mjcf_fail(mjcf, SRS_ERROR_CAPACITY, node, NULL, "<%.40s %s=...> holds more than %d numbers", node->name,
                         name, MOST_NUMBERS);
  *values = srs_arena_take(&mjcf->document->memory, count, sizeof **values);
  if (*values == NULL) return srs_mjcf_no_memory(mjcf);
  for (const char *c = text + strspn(text, spaces); *c != '\0'; (*n)++) {
    const size_t length = strcspn(c, spaces);
    if (!srs_parse_number(c, length, *values + *n))
      return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, NULL, "<%.40s %s=...>: entry %d, '%.*s', is no finite number",
                           node->name, name, *n + 1, (int)(length < 40 ? length : 40), c);
    c += length;
    c += strspn(c, spaces);
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

// The path of an asset's file: in meshdir, which is seen from the main file, or from the file that names it.
static srs_status find_file(srs_mjcf *mjcf, const srs_xml_node *node, const char *file, srs_mjcf_asset *asset)
{
  srs_arena *memory = &mjcf->document->memory;
  const char *folder = mjcf->compiler.mesh_folder;
  if (mjcf->compiler.strip_path && strrchr(file, '/') != NULL) file = strrchr(file, '/') + 1;
  const char *inside = file;
  if (folder != NULL && *folder != '\0' && file[0] != '/') inside = srs_text_join(memory, folder, "/", file);
  const char *from[2] = {mjcf->document->path, node->document->path};
  for (int i = 0; i < 2 && inside != NULL; i++) {
    const char *path = srs_text_beside(memory, from[i], inside);
    if (path == NULL) break;
    if (i == 0) asset->file = path;
    asset->is_missing = access(path, R_OK) != 0;
    if (!asset->is_missing) {
      asset->file = path;
      break;
    }
  }
  return memory->failed ? srs_mjcf_no_memory(mjcf) : SRS_OK;
}

// A name is given, or is that of the file without folder and ending.
static srs_status name_asset(srs_mjcf *mjcf, srs_xml_node *node, srs_mjcf_asset *asset)
{
  asset->name = srs_xml_peek(node, "name");
  const char *file = srs_xml_peek(node, "file");
  if (asset->name != NULL) return SRS_OK;
  if (file == NULL)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, NULL, "<%.40s> has neither a name nor a file", node->name);
  const char *slash = strrchr(file, '/'), *base = slash != NULL ? slash + 1 : file, *dot = strrchr(base, '.');
  asset->name = srs_text_copy(&mjcf->document->memory, base, dot != NULL ? (size_t)(dot - base) : strlen(base));
  return asset->name != NULL ? SRS_OK : srs_mjcf_no_memory(mjcf);
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes
// ---------------------------------------------------------------------------------------------------------------------

static srs_status check_triangles(srs_mjcf *mjcf, const srs_xml_node *node, const double *numbers, int n, int n_points)
{
  for (int i = 0; i < n; i++)
    if (numbers[i] != floor(numbers[i]) || numbers[i] < 0 || numbers[i] >= n_points)
      return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, NULL,
                           "<mesh face=...>: entry %d is no index of a vertex, 0 to %d", i + 1, n_points - 1);
  return SRS_OK;
}

static srs_status read_inline_mesh(srs_mjcf *mjcf, srs_mjcf_asset *asset)
{
  double *points = NULL, *faces = NULL;
  int n_points = 0, n_faces = 0;
  srs_status status = read_all(mjcf, asset->node, "vertex", &points, &n_points);
  if (status == SRS_OK) status = read_all(mjcf, asset->node, "face", &faces, &n_faces);
  if (status != SRS_OK) return status;
  const char *builtin = srs_xml_peek(asset->node, "builtin");
  if (builtin != NULL)
    return srs_mjcf_fail(mjcf, SRS_ERROR_UNSUPPORTED, asset->node, asset->name,
                         "<mesh builtin=\"%.40s\"> is not made here: save it to a file and name that", builtin);
  if (n_points % 3 != 0 || n_points < 12 || n_faces % 3 != 0)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, asset->node, asset->name,
                         "<mesh> needs a file, or four or more vertices (three numbers each) and faces (three "
                         "indices each)");
  status = check_triangles(mjcf, asset->node, faces, n_faces, n_points / 3);
  int *triangles = srs_arena_take(&mjcf->document->memory, (size_t)n_faces, sizeof *triangles);
  if (status != SRS_OK || triangles == NULL) return status != SRS_OK ? status : srs_mjcf_no_memory(mjcf);
  for (int i = 0; i < n_faces; i++) triangles[i] = (int)faces[i];
  asset->points = points;
  asset->n_points = n_points / 3;
  asset->triangles = triangles;
  asset->n_triangles = n_faces / 3;
  return SRS_OK;
}

static srs_status read_mesh_file(srs_mjcf *mjcf, srs_mjcf_asset *asset)
{
  if (asset->is_missing)
    return srs_mjcf_fail(mjcf, SRS_ERROR_FILE, asset->node, asset->name, "mesh '%.80s': there is no file %.200s",
                         asset->name, asset->file);
  srs_mesh mesh;
  srs_status status = srs_mesh_read(asset->file, &mjcf->builder->read, &mesh, mjcf->error);
  if (status == SRS_ERROR_MODEL && srs_has_ending(asset->file, ".obj")) { // without faces: points, whose hull counts
    srs_mesh_release(&mesh);
    *mjcf->error = (srs_error){0};
    status = srs_mesh_read_points(asset->file, &mjcf->builder->read, &mesh, mjcf->error);
    if (status == SRS_OK && mesh.n_points < 4)
      status = srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, asset->node, asset->name,
                             "mesh '%.80s' has no faces and %d points: a hull needs four", asset->name, mesh.n_points);
  }
  if (status == SRS_OK) {
    srs_arena *memory = &mjcf->document->memory;
    double *points = srs_arena_take(memory, (size_t)mesh.n_points, 3 * sizeof *points);
    int *triangles = srs_arena_take(memory, (size_t)mesh.n_triangles, 3 * sizeof *triangles);
    if (points != NULL && triangles != NULL) {
      memcpy(points, mesh.points, (size_t)mesh.n_points * 3 * sizeof *points);
      if (mesh.n_triangles > 0) memcpy(triangles, mesh.triangles, (size_t)mesh.n_triangles * 3 * sizeof *triangles);
      asset->points = points;
      asset->triangles = triangles;
      asset->n_points = mesh.n_points;
      asset->n_triangles = mesh.n_triangles;
    } else {
      status = srs_mjcf_no_memory(mjcf);
    }
  }
  srs_mesh_release(&mesh);
  return status;
}

// The inverse of the reference placement, then scale.
static srs_status place_points(srs_mjcf *mjcf, srs_mjcf_asset *asset)
{
  srs_mjcf_item item;
  double offset[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0}, rows[9];
  srs_status status = srs_mjcf_item_of(mjcf, asset->node, "mesh", NULL, &item);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "refpos", 3, 3, offset, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "refquat", 4, 4, q, NULL);
  if (status != SRS_OK) return status;
  srs_rotation_from_quaternion(q, rows);
  const mat3 turn = mat3_from_rows(rows);
  double *points = srs_arena_take(&mjcf->document->memory, (size_t)asset->n_points, 3 * sizeof *points);
  if (points == NULL) return srs_mjcf_no_memory(mjcf);
  for (size_t i = 0; i < (size_t)asset->n_points; i++) {
    const double *p = asset->points + 3 * i, *s = asset->scale;
    const vec3 moved = rotate_back(turn, sub3(vec3_load(p), vec3_load(offset)));
    vec3_store(points + 3 * i, (vec3){s[0] * moved.x, s[1] * moved.y, s[2] * moved.z});
  }
  asset->points = points;
  if (asset->scale[0] * asset->scale[1] * asset->scale[2] >= 0) return SRS_OK;
  int *turned = srs_arena_take(&mjcf->document->memory, (size_t)asset->n_triangles, 3 * sizeof *turned);
  if (turned == NULL) return srs_mjcf_no_memory(mjcf);
  for (int i = 0; i < 3 * asset->n_triangles; i++) turned[i] = asset->triangles[i / 3 * 3 + 2 - i % 3];
  asset->triangles = turned; // a mirror turns them inside out
  return SRS_OK;
}

srs_status srs_mjcf_hull_of_mesh(srs_mjcf *mjcf, const srs_mjcf_asset *asset, const int **triangles, int *n_triangles)
{
  srs_arena *memory = &mjcf->document->memory;
  vec3 *points = srs_arena_take(memory, (size_t)asset->n_points, sizeof *points);
  if (points == NULL) return srs_mjcf_no_memory(mjcf);
  double extent = 0;
  for (int i = 0; i < asset->n_points; i++) {
    points[i] = vec3_load(asset->points + 3 * (size_t)i);
    extent = fmax(extent, norm3(sub3(points[i], points[0])));
  }
  srs_hull_triangle *hull = NULL;
  const int n = srs_hull_triangulate(points, asset->n_points, 1e-12 * extent, 1e-9 * extent, &hull);
  int *corners = n > 0 ? srs_arena_take(memory, (size_t)n, 3 * sizeof *corners) : NULL;
  for (size_t i = 0; corners != NULL && i < (size_t)n; i++)
    memcpy(corners + 3 * i, hull[i].corners, 3 * sizeof *corners);
  free(hull);
  if (n < 0 || (n > 0 && corners == NULL)) return srs_mjcf_no_memory(mjcf);
  *triangles = corners;
  *n_triangles = n;
  return SRS_OK;
}

srs_status srs_mjcf_load_mesh(srs_mjcf *mjcf, int index)
{
  srs_mjcf_asset *asset = &mjcf->assets[index];
  if (asset->points != NULL) return SRS_OK;
  srs_status status = asset->file != NULL ? read_mesh_file(mjcf, asset) : read_inline_mesh(mjcf, asset);
  if (status == SRS_OK) status = place_points(mjcf, asset);
  if (status == SRS_OK && asset->n_triangles == 0)
    status = srs_mjcf_hull_of_mesh(mjcf, asset, &asset->triangles, &asset->n_triangles);
  return status;
}

static srs_status read_mesh(srs_mjcf *mjcf, srs_xml_node *node, srs_mjcf_asset *asset)
{
  srs_mjcf_item item;
  for (int i = 0; i < 3; i++) asset->scale[i] = 1;
  srs_status status = srs_mjcf_item_of(mjcf, node, "mesh", NULL, &item);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "scale", 3, 3, asset->scale, NULL);
  if (status != SRS_OK) return status;
  asset->inertia = srs_mjcf_text(&item, "inertia");
  const char *file = srs_xml_peek(node, "file");
  if (file != NULL) status = find_file(mjcf, node, file, asset);
  if (status != SRS_OK || file == NULL || !asset->is_missing) return status;
  return srs_mjcf_note(mjcf, node, srs_mjcf_format(mjcf, "mesh '%s' was not found at %s", asset->name, asset->file));
}

// ---------------------------------------------------------------------------------------------------------------------
// Height fields
// ---------------------------------------------------------------------------------------------------------------------

// Scales the heights, the lowest to 0 and the highest to `top`.
static void normalise(double *heights, size_t n, double top)
{
  double low = heights[0], high = heights[0];
  for (size_t i = 1; i < n; i++) low = fmin(low, heights[i]), high = fmax(high, heights[i]);
  const double unit = high > low ? top / (high - low) : 0;
  for (size_t i = 0; i < n; i++) heights[i] = unit * (heights[i] - low);
}

static srs_status check_grid(srs_mjcf *mjcf, const srs_mjcf_asset *asset)
{
  const int rows = asset->n_rows, columns = asset->n_columns;
  if (rows >= 2 && columns >= 2 && rows <= 10000 && columns <= 10000 && rows * columns <= MOST_NUMBERS) return SRS_OK;
  return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, asset->node, asset->name,
                       "<hfield> has %d x %d heights; nrow and ncol are 2 to 10000, and together at most %d", rows,
                       columns, MOST_NUMBERS);
}

static srs_status take_heights(srs_mjcf *mjcf, srs_mjcf_asset *asset, double **heights)
{
  const srs_status status = check_grid(mjcf, asset);
  if (status != SRS_OK) return status;
  *heights =
      srs_arena_take(&mjcf->document->memory, (size_t)asset->n_rows * (size_t)asset->n_columns, sizeof **heights);
  asset->heights = *heights;
  return *heights != NULL ? SRS_OK : srs_mjcf_no_memory(mjcf);
}

// Heights written in place, first row last: as one sees the field from above.
static srs_status read_elevation(srs_mjcf *mjcf, srs_mjcf_asset *asset)
{
  double *values = NULL, *heights = NULL;
  int n = 0;
  srs_status status = take_heights(mjcf, asset, &heights);
  if (status == SRS_OK) status = read_all(mjcf, asset->node, "elevation", &values, &n);
  if (status != SRS_OK || n == 0) return status;
  const int rows = asset->n_rows, columns = asset->n_columns;
  if (n != rows * columns)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, asset->node, asset->name,
                         "<hfield elevation=...> holds %d numbers, but nrow times ncol is %d", n, rows * columns);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) heights[r * columns + c] = values[(rows - 1 - r) * columns + c];
  return SRS_OK;
}

// A picture: white is high, the upper row is the last.
static srs_status read_picture(srs_mjcf *mjcf, srs_mjcf_asset *asset)
{
  srs_grey_image image;
  srs_status status = srs_grey_image_read(asset->file, &mjcf->builder->read, &image, mjcf->error);
  if (status != SRS_OK) return status;
  asset->n_rows = image.n_rows, asset->n_columns = image.n_columns;
  double *heights = NULL;
  status = take_heights(mjcf, asset, &heights);
  for (int r = 0; r < image.n_rows && status == SRS_OK; r++)
    memcpy(heights + (size_t)r * (size_t)image.n_columns,
           image.levels + (size_t)(image.n_rows - 1 - r) * (size_t)image.n_columns,
           (size_t)image.n_columns * sizeof *heights);
  free(image.levels);
  return status;
}

// MuJoCo's own format: two integers of 32 bits, rows and columns, and the heights as floats, the first row first. All
// little-endian, as on the machines that both run on.
static srs_status decode_heights(srs_mjcf *mjcf, const char *bytes, size_t length, srs_mjcf_asset *asset)
{
  int32_t sizes[2] = {0, 0};
  if (length >= sizeof sizes) memcpy(sizes, bytes, sizeof sizes);
  asset->n_rows = sizes[0], asset->n_columns = sizes[1];
  double *heights = NULL;
  const srs_status status = take_heights(mjcf, asset, &heights);
  if (status != SRS_OK) return status;
  const size_t n = (size_t)asset->n_rows * (size_t)asset->n_columns;
  bool is_good = length == sizeof sizes + n * sizeof(float);
  for (size_t i = 0; i < n && is_good; i++) {
    float height;
    memcpy(&height, bytes + sizeof sizes + i * sizeof height, sizeof height);
    is_good = isfinite(height);
    heights[i] = (double)height;
  }
  if (is_good) return SRS_OK;
  return srs_fail(mjcf->error, SRS_ERROR_SYNTAX, asset->file, 0, 0, asset->name,
                  "is no file of %d x %d heights: expected two integers and then as many finite floats", asset->n_rows,
                  asset->n_columns);
}

static srs_status read_binary(srs_mjcf *mjcf, srs_mjcf_asset *asset)
{
  char *bytes = NULL;
  size_t length = 0;
  srs_status status = srs_read_text(asset->file, &mjcf->builder->read, &bytes, &length, mjcf->error);
  if (status == SRS_OK) status = decode_heights(mjcf, bytes, length, asset);
  free(bytes);
  return status;
}

static srs_status read_heights_file(srs_mjcf *mjcf, const char *file, srs_mjcf_asset *asset)
{
  const char *type = srs_xml_peek(asset->node, "content_type");
  const size_t n = strlen(file);
  const bool is_picture =
      type != NULL ? strcmp(type, "image/png") == 0 : n > 4 && strcasecmp(file + n - 4, ".png") == 0;
  const srs_status status = find_file(mjcf, asset->node, file, asset);
  if (status != SRS_OK) return status;
  if (asset->is_missing)
    return srs_mjcf_fail(mjcf, SRS_ERROR_FILE, asset->node, asset->name, "<hfield>: there is no file %.200s",
                         asset->file);
  return is_picture ? read_picture(mjcf, asset) : read_binary(mjcf, asset);
}

static srs_status read_hfield(srs_mjcf *mjcf, srs_xml_node *node, srs_mjcf_asset *asset)
{
  const srs_mjcf_item item = srs_mjcf_bare(node);
  double size[4] = {0, 0, 0, 0};
  srs_status status = srs_mjcf_numbers(mjcf, &item, "size", 4, 4, size, NULL);
  if (status == SRS_OK) status = srs_mjcf_integer(mjcf, &item, "nrow", &asset->n_rows);
  if (status == SRS_OK) status = srs_mjcf_integer(mjcf, &item, "ncol", &asset->n_columns);
  if (status != SRS_OK) return status;
  if (!(size[0] > 0) || !(size[1] > 0) || !(size[2] > 0))
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, node, asset->name, "<hfield> needs a size of four numbers above 0");
  const char *file = srs_xml_peek(node, "file");
  status = file != NULL && *file != '\0' ? read_heights_file(mjcf, file, asset) : read_elevation(mjcf, asset);
  if (status != SRS_OK) return status;
  asset->spacing[0] = 2 * size[0] / (asset->n_columns - 1);
  asset->spacing[1] = 2 * size[1] / (asset->n_rows - 1);
  normalise((double *)asset->heights, (size_t)asset->n_rows * (size_t)asset->n_columns, size[2]);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// The lists
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_asset(srs_mjcf *mjcf, srs_xml_node *node)
{
  srs_mjcf_asset asset = {.node = node, .is_hfield = strcmp(node->name, "hfield") == 0};
  if (!asset.is_hfield && strcmp(node->name, "mesh") != 0) return SRS_OK;
  srs_mjcf_asset *assets = srs_mjcf_grow(mjcf, mjcf->assets, mjcf->n_assets, &mjcf->asset_room, sizeof *assets);
  if (assets == NULL) return srs_mjcf_no_memory(mjcf);
  mjcf->assets = assets;
  srs_status status = name_asset(mjcf, node, &asset);
  if (status == SRS_OK) status = asset.is_hfield ? read_hfield(mjcf, node, &asset) : read_mesh(mjcf, node, &asset);
  if (status == SRS_OK) mjcf->assets[mjcf->n_assets++] = asset;
  return status;
}

srs_status srs_mjcf_read_assets(srs_mjcf *mjcf)
{
  srs_status status = SRS_OK;
  for (srs_xml_node *node = mjcf->document->root->first_child; node != NULL; node = node->next) {
    if (strcmp(node->name, "asset") != 0) continue;
    for (srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next)
      status = read_asset(mjcf, child);
  }
  return status;
}

srs_status srs_mjcf_find_asset(srs_mjcf *mjcf, const char *name, bool is_hfield, const srs_xml_node *node, int *index)
{
  for (int i = 0; i < mjcf->n_assets; i++) {
    if (mjcf->assets[i].is_hfield != is_hfield || strcmp(mjcf->assets[i].name, name) != 0) continue;
    *index = i;
    return SRS_OK;
  }
  return srs_mjcf_fail(mjcf, SRS_ERROR_NAME, node, name, "<geom>: no %s of <asset> is named '%.80s'",
                       is_hfield ? "hfield" : "mesh", name);
}
