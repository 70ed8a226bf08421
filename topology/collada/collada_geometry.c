// Which polygons does a geometry of a Collada file have? One array of positions, and lists of polygons that name them.
//
//   <triangles>, <polylist>, <polygons>  polygons as they are; indices of other inputs are skipped, so of n inputs
//                                        (offset 0 ... n - 1) every n-th index counts
//   <tristrips>, <trifans>               the triangles a b c, c b d, ... and a b c, a c d, ...
#include "topology/collada/collada_geometry.h"

#include <stdint.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Positions
// ---------------------------------------------------------------------------------------------------------------------

static srs_xml_node *with_semantic(const srs_xml_node *node, const char *semantic)
{
  for (srs_xml_node *child = node->first_child; child != NULL; child = child->next) {
    const char *word = strcmp(child->name, "input") == 0 ? srs_xml_peek(child, "semantic") : NULL;
    if (word != NULL && strcmp(word, semantic) == 0) return child;
  }
  return NULL;
}

// Writes a source of positions; n_points: how many it has.
static srs_status write_source(srs_collada *c, const srs_xml_node *source, int number, size_t *n_points)
{
  srs_xml_node *technique = srs_xml_child((srs_xml_node *)source, "technique_common"), *array = NULL;
  srs_xml_node *accessor = technique != NULL ? srs_xml_child(technique, "accessor") : NULL;
  if (accessor == NULL) return srs_collada_refuse(c, source, "has no accessor for its numbers");
  size_t stride, offset, n_numbers = 0;
  srs_status status = srs_collada_find(c, accessor, "source", "float_array", &array);
  if (status == SRS_OK) status = srs_collada_whole(c, accessor, "count", 0, n_points);
  if (status == SRS_OK) status = srs_collada_whole(c, accessor, "stride", 1, &stride);
  if (status == SRS_OK) status = srs_collada_whole(c, accessor, "offset", 0, &offset);
  if (status == SRS_OK) status = srs_collada_count_numbers(c, array, &n_numbers);
  if (status != SRS_OK) return status;
  if (stride < 3 || stride > 64)
    return srs_collada_refuse(c, accessor, "a stride of %zu holds no positions x y z", stride);
  if (*n_points == 0 || offset + *n_points * stride > n_numbers)
    return srs_collada_refuse(c, accessor, "wants %zu positions, but its array has %zu numbers", *n_points, n_numbers);
  srs_collada_words w;
  status = srs_collada_text(c, array, &w);
  if (status == SRS_OK)
    status =
        srs_collada_print(c, "<source id=\"s%d\"><float_array id=\"a%d\" count=\"%zu\">", number, number, n_numbers);
  if (status == SRS_OK) status = srs_collada_put(c, w.at, (size_t)(w.end - w.at));
  if (status == SRS_OK)
    status =
        srs_collada_print(c,
                          "</float_array><technique_common><accessor source=\"#a%d\" count=\"%zu\" stride=\"%zu\" "
                          "offset=\"%zu\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param "
                          "name=\"Z\" type=\"float\"/>",
                          number, *n_points, stride, offset);
  for (size_t i = 3; i < stride && status == SRS_OK; i++) status = srs_collada_print(c, "<param type=\"float\"/>");
  if (status == SRS_OK)
    status =
        srs_collada_print(c,
                          "</accessor></technique_common></source>\n<vertices id=\"v%d\"><input semantic=\"POSITION\" "
                          "source=\"#s%d\"/></vertices>\n",
                          number, number);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Polygons
// ---------------------------------------------------------------------------------------------------------------------

typedef enum form { FORM_NONE, FORM_TRIANGLES, FORM_POLYLIST, FORM_POLYGONS, FORM_STRIPS, FORM_FANS } form;

static form form_of(const srs_xml_node *node)
{
  static const char *const names[] = {"", "triangles", "polylist", "polygons", "tristrips", "trifans"};
  for (int i = FORM_TRIANGLES; i <= FORM_FANS; i++)
    if (strcmp(node->name, names[i]) == 0) return (form)i;
  return FORM_NONE;
}

// Corners of polygons, and how many each has, for one element.
typedef struct polygons {
  size_t n_polygons, n_corners, counts_at; // in c->indices: the corners' indices, from counts_at on the counts
} polygons;

static srs_status put_number(srs_collada *c, int value)
{
  return srs_mesh_put_number(c->draft, value, ' ') ? SRS_OK : srs_mesh_no_memory(c->draft);
}

// The runs of an element: each <p>'s indices thinned to those of vertices.
static srs_status read_run(srs_collada *c, const srs_xml_node *p, size_t stride, size_t offset, size_t begin,
                           size_t *end)
{
  size_t n = begin;
  const srs_status status = srs_collada_add_indices(c, p, &n);
  if (status != SRS_OK) return status;
  if ((n - begin) % stride != 0)
    return srs_collada_refuse(c, p, "%zu indices are not whole corners of %zu each", n - begin, stride);
  for (size_t i = begin, k = begin; i < n; i += stride) c->indices[k++] = c->indices[i + offset];
  *end = begin + (n - begin) / stride;
  return SRS_OK;
}

static srs_status check_indices(const srs_collada *c, const srs_xml_node *node, size_t begin, size_t end,
                                size_t n_points)
{
  for (size_t i = begin; i < end; i++)
    if ((size_t)c->indices[i] >= n_points)
      return srs_collada_refuse(c, node, "index %d names no position: there are %zu", c->indices[i], n_points);
  return SRS_OK;
}

static srs_status write_polygon(srs_collada *c, const int *corners, size_t n, const int order[3])
{
  srs_status status = SRS_OK;
  if (order != NULL) {
    for (int i = 0; i < 3 && status == SRS_OK; i++) status = put_number(c, corners[order[i]]);
    return status;
  }
  for (size_t i = 0; i < n && status == SRS_OK; i++) status = put_number(c, corners[i]);
  return status;
}

// One <polygons> of assimp's for a run of corners that make one polygon, or the triangles of a strip or fan.
static srs_status write_run(srs_collada *c, form f, const int *corners, size_t n)
{
  static const int even[3] = {0, 1, 2}, odd[3] = {1, 0, 2};
  srs_status status = SRS_OK;
  if (f == FORM_STRIPS)
    for (size_t i = 0; i + 2 < n && status == SRS_OK; i++)
      status = write_polygon(c, corners + i, 3, i % 2 == 0 ? even : odd);
  else if (f == FORM_FANS)
    for (size_t i = 1; i + 1 < n && status == SRS_OK; i++) {
      const int triangle[3] = {0, (int)i, (int)i + 1};
      status = write_polygon(c, corners, 3, triangle);
    }
  else
    status = write_polygon(c, corners, n, NULL);
  return status;
}

static srs_status open_list(srs_collada *c, int number, const char *title, size_t count)
{
  return srs_collada_print(c, "<%s count=\"%zu\"><input semantic=\"VERTEX\" source=\"#v%d\" offset=\"0\"/>", title,
                           count, number);
}

// Triangles, strips and fans, and polygons: runs of corners.
static srs_status write_triangles(srs_collada *c, const srs_xml_node *node, form f, size_t stride, size_t offset,
                                  srs_collada_geometry *g, int number, size_t n_points)
{
  srs_status status = SRS_OK;
  for (const srs_xml_node *p = node->first_child; p != NULL && status == SRS_OK; p = p->next) {
    if (strcmp(p->name, "ph") == 0)
      return srs_collada_refuse(c, p, "polygons with holes are not read: export triangles");
    if (strcmp(p->name, "p") != 0) continue;
    size_t n = 0;
    status = read_run(c, p, stride, offset, 0, &n);
    if (status == SRS_OK) status = check_indices(c, p, 0, n, n_points);
    if (status != SRS_OK) return status;
    if (f == FORM_TRIANGLES && n % 3 != 0) return srs_collada_refuse(c, p, "%zu corners are no whole triangles", n);
    if (n < 3) continue;
    const size_t n_triangles = f == FORM_TRIANGLES ? n / 3 : n - 2;
    if (f == FORM_POLYGONS) {
      status = open_list(c, number, "polylist", 1);
      if (status == SRS_OK) status = srs_collada_print(c, "<vcount>%zu</vcount><p>", n);
    } else {
      status = open_list(c, number, "triangles", n_triangles);
      if (status == SRS_OK) status = srs_collada_print(c, "<p>");
    }
    if (status == SRS_OK) status = write_run(c, f, c->indices, n);
    if (status == SRS_OK) status = srs_collada_print(c, "</p></%s>\n", f == FORM_POLYGONS ? "polylist" : "triangles");
    g->n_corners += 3 * n_triangles;
  }
  return status;
}

static srs_status write_polylist(srs_collada *c, srs_xml_node *node, size_t stride, size_t offset,
                                 srs_collada_geometry *g, int number, size_t n_points)
{
  const srs_xml_node *p = srs_xml_child(node, "p"), *vcount = srs_xml_child(node, "vcount");
  if (p == NULL || vcount == NULL) return SRS_OK; // no polygons
  size_t n = 0, end = 0, sum = 0;
  srs_status status = read_run(c, p, stride, offset, 0, &n);
  if (status == SRS_OK) status = check_indices(c, p, 0, n, n_points);
  end = n;
  if (status == SRS_OK) status = srs_collada_add_indices(c, vcount, &end);
  if (status != SRS_OK) return status;
  for (size_t i = n; i < end; i++) sum += (size_t)c->indices[i];
  if (sum != n) return srs_collada_refuse(c, vcount, "its polygons have %zu corners, but <p> has %zu", sum, n);
  size_t n_good = 0;
  for (size_t i = n; i < end; i++) n_good += c->indices[i] >= 3;
  if (n_good == 0) return SRS_OK;
  status = open_list(c, number, "polylist", n_good);
  if (status == SRS_OK) status = srs_collada_print(c, "<vcount>");
  for (size_t i = n; i < end && status == SRS_OK; i++)
    if (c->indices[i] >= 3) status = put_number(c, c->indices[i]);
  if (status == SRS_OK) status = srs_collada_print(c, "</vcount><p>");
  size_t at = 0;
  for (size_t i = n; i < end && status == SRS_OK; at += (size_t)c->indices[i++])
    if (c->indices[i] >= 3) status = write_run(c, FORM_POLYLIST, c->indices + at, (size_t)c->indices[i]);
  g->n_corners += 3 * n;
  return status == SRS_OK ? srs_collada_print(c, "</p></polylist>\n") : status;
}

// The inputs of an element: how many indices a corner has, and which of them is the vertex.
static srs_status read_inputs(const srs_collada *c, const srs_xml_node *node, size_t *stride, size_t *offset)
{
  *stride = 1;
  for (const srs_xml_node *input = node->first_child; input != NULL; input = input->next) {
    if (strcmp(input->name, "input") != 0) continue;
    size_t at = 0;
    const srs_status status = srs_collada_whole(c, input, "offset", 0, &at);
    if (status != SRS_OK) return status;
    if (at > 63) return srs_collada_refuse(c, input, "an offset of %zu is none", at);
    if (at >= *stride) *stride = at + 1;
    const char *semantic = srs_xml_peek(input, "semantic");
    if (semantic != NULL && strcmp(semantic, "VERTEX") == 0) *offset = at;
  }
  return SRS_OK;
}

srs_status srs_collada_write_geometry(srs_collada *c, int number)
{
  srs_collada_geometry *g = &c->geometries[number];
  srs_xml_node *mesh = srs_xml_child(g->node, "mesh");
  srs_xml_node *vertices = mesh != NULL ? srs_xml_child(mesh, "vertices") : NULL;
  if (vertices == NULL) return SRS_OK; // a spline, or no corners
  const srs_xml_node *position = with_semantic(vertices, "POSITION");
  if (position == NULL) return srs_collada_refuse(c, vertices, "has no input POSITION");
  srs_xml_node *source = NULL;
  size_t n_points = 0;
  srs_status status = srs_collada_find(c, position, "source", "source", &source);
  if (status == SRS_OK) status = srs_collada_print(c, "<geometry id=\"m%d\"><mesh>", number);
  if (status == SRS_OK) status = write_source(c, source, number, &n_points);
  for (srs_xml_node *node = mesh->first_child; node != NULL && status == SRS_OK; node = node->next) {
    const form f = form_of(node);
    size_t stride = 1, offset = SIZE_MAX, count = 0;
    if (f == FORM_NONE) continue;
    status = srs_collada_whole(c, node, "count", 1, &count);
    if (status == SRS_OK) status = read_inputs(c, node, &stride, &offset);
    if (count == 0 || node->first_child == NULL) continue;
    if (status == SRS_OK && offset == SIZE_MAX) status = srs_collada_refuse(c, node, "has no input VERTEX");
    if (status != SRS_OK) continue;
    status = f == FORM_POLYLIST ? write_polylist(c, node, stride, offset, g, number, n_points)
                                : write_triangles(c, node, f, stride, offset, g, number, n_points);
  }
  return status == SRS_OK ? srs_collada_print(c, "</mesh></geometry>\n") : status;
}
