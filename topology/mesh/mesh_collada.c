// What of a Collada file may assimp see? Its polygons and where they are, written anew.
//
// Assimp's reader ends the process on many files that are damaged. So the file is read as XML first (xml.h: no
// entities, no DOCTYPE, bounded depth), and what counts of it is checked and written anew as the plainest Collada:
// for each geometry one array of positions and one list of polygons that name them, and a tree of nodes with their
// placements. Everything else (materials, normals, textures, skins, animations, lights) is left out.
//
//   <triangles>, <polylist>, <polygons>  polygons as they are; indices of other inputs are skipped, so of n inputs
//                                        (offset 0 ... n - 1) every n-th index counts
//   <tristrips>, <trifans>               the triangles a b c, c b d, ... and a b c, a c d, ...
//   <instance_node>                      the node, written where it is named
//
// `<unit meter="...">` is kept, and applied by assimp. `<up_axis>` is left out of the copy, and told.
#include "topology/base/errors.h"
#include "topology/base/names.h"
#include "topology/mesh/mesh_draft.h"
#include "topology/xml/xml_values.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_NODES = 20000, MOST_DEPTH = 200, MOST_CORNERS = 60 * 1000 * 1000 };

typedef struct geometry {
  srs_xml_node *node;
  size_t n_corners; // of all its polygons
} geometry;

typedef struct collada {
  srs_mesh_draft *draft;
  srs_xml *document;
  const char *bytes;
  srs_names ids;        // "KIND:ID" -> index into nodes
  srs_xml_node **nodes; // room as the document has elements
  geometry *geometries; // likewise
  int *indices;         // room_for_indices
  size_t room_for_indices, n_instanced;
  int n_ids, n_geometries, n_written;
} collada;

// ---------------------------------------------------------------------------------------------------------------------
// Messages, writing
// ---------------------------------------------------------------------------------------------------------------------

static srs_status refuse(const collada *c, const srs_xml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static srs_status refuse(const collada *c, const srs_xml_node *node, const char *format, ...)
{
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  srs_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  return srs_fail(c->draft->error, SRS_ERROR_SYNTAX, c->draft->path, node->line, 0, NULL, "<%.40s>: %s", node->name,
                  text);
}

static srs_status put(collada *c, const char *text, size_t n)
{
  srs_mesh_draft *d = c->draft;
  if (!srs_mesh_reserve(d, n)) return srs_mesh_no_memory(d);
  memcpy(d->clean + d->n_clean, text, n);
  d->n_clean += n;
  return SRS_OK;
}

static srs_status print(collada *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static srs_status print(collada *c, const char *format, ...)
{
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  const int n = srs_vprint(text, sizeof text, format, arguments);
  va_end(arguments);
  return put(c, text, (size_t)n);
}

// ---------------------------------------------------------------------------------------------------------------------
// Texts of elements
// ---------------------------------------------------------------------------------------------------------------------

typedef struct words {
  const char *at, *end;
} words;

// What an element without children holds.
static srs_status text_of(const collada *c, const srs_xml_node *node, words *w)
{
  *w = (words){c->bytes + node->inside, c->bytes + node->end};
  if (node->end == node->inside) return SRS_OK; // <p/>
  if (node->first_child != NULL) return refuse(c, node, "numbers were expected, not <%.40s>", node->first_child->name);
  do w->end--;
  while (w->end > w->at && *w->end != '<'); // the end tag
  return SRS_OK;
}

static bool is_space(char x) { return x == ' ' || x == '\n' || x == '\t' || x == '\r'; }

static bool next_word(words *w, const char **word, size_t *length)
{
  while (w->at < w->end && is_space(*w->at)) w->at++;
  *word = w->at;
  while (w->at < w->end && !is_space(*w->at)) w->at++;
  *length = (size_t)(w->at - *word);
  return *length > 0;
}

static srs_status count_numbers(const collada *c, const srs_xml_node *node, size_t *n)
{
  words w;
  const char *word;
  size_t length;
  const srs_status status = text_of(c, node, &w);
  if (status != SRS_OK) return status;
  for (*n = 0; next_word(&w, &word, &length); ++*n)
    if (!srs_mesh_is_number(word, length))
      return refuse(c, node, "expected numbers, not '%.*s'", (int)(length < 40 ? length : 40), word);
  return SRS_OK;
}

// The indices of an element, appended to those that are there.
static srs_status add_indices(collada *c, const srs_xml_node *node, size_t *n)
{
  words w;
  const char *word;
  size_t length;
  const srs_status status = text_of(c, node, &w);
  if (status != SRS_OK) return status;
  while (next_word(&w, &word, &length)) {
    long value = 0;
    for (size_t i = 0; i < length && value >= 0; i++)
      value = word[i] >= '0' && word[i] <= '9' && value < INT_MAX / 20 ? 10 * value + (word[i] - '0') : -1;
    if (value < 0) return refuse(c, node, "expected whole numbers, not '%.*s'", (int)(length < 40 ? length : 40), word);
    if (*n == c->room_for_indices) {
      const size_t room = 2 * c->room_for_indices + 1024;
      int *larger = realloc(c->indices, room * sizeof *larger);
      if (larger == NULL) return srs_mesh_no_memory(c->draft);
      c->indices = larger;
      c->room_for_indices = room;
    }
    c->indices[(*n)++] = (int)value;
  }
  return SRS_OK;
}

// A whole attribute, `otherwise` where it is missing.
static srs_status whole(const collada *c, const srs_xml_node *node, const char *name, size_t otherwise, size_t *value)
{
  const char *text = srs_xml_peek(node, name);
  *value = otherwise;
  if (text == NULL) return SRS_OK;
  char *end = NULL;
  const unsigned long read = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
  if (end == NULL || *end != '\0' || read > INT_MAX / 20)
    return refuse(c, node, "%s=\"%.40s\" is no count", name, text);
  *value = read;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------------------------------------------------

static const char *key_of(collada *c, const char *kind, const char *id)
{
  return srs_xml_format(c->document, "%s:%s", kind, id);
}

static srs_status list(collada *c, srs_xml_node *node)
{
  const char *id = srs_xml_peek(node, "id");
  if (strcmp(node->name, "geometry") == 0) c->geometries[c->n_geometries++].node = node;
  if (id == NULL) return SRS_OK;
  const char *key = key_of(c, node->name, id);
  if (key == NULL || !srs_names_reserve(&c->ids)) return srs_mesh_no_memory(c->draft);
  if (srs_names_find(&c->ids, key) >= 0) return SRS_OK; // the first counts
  c->nodes[c->n_ids] = node;
  srs_names_add(&c->ids, key, c->n_ids++);
  return SRS_OK;
}

// The element of that kind that an attribute names as "#ID".
static srs_status find(collada *c, const srs_xml_node *node, const char *attribute, const char *kind,
                       srs_xml_node **found)
{
  const char *address = srs_xml_peek(node, attribute);
  if (address == NULL || address[0] != '#')
    return refuse(c, node, "%s=\"%.60s\" names nothing in this file", attribute, address != NULL ? address : "");
  const char *key = key_of(c, kind, address + 1);
  if (key == NULL) return srs_mesh_no_memory(c->draft);
  const int i = srs_names_find(&c->ids, key);
  if (i < 0) return refuse(c, node, "%s=\"%.60s\" names no <%s>", attribute, address, kind);
  *found = c->nodes[i];
  return SRS_OK;
}

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
static srs_status write_source(collada *c, const srs_xml_node *source, int number, size_t *n_points)
{
  srs_xml_node *technique = srs_xml_child((srs_xml_node *)source, "technique_common"), *array = NULL;
  srs_xml_node *accessor = technique != NULL ? srs_xml_child(technique, "accessor") : NULL;
  if (accessor == NULL) return refuse(c, source, "has no accessor for its numbers");
  size_t stride, offset, n_numbers = 0;
  srs_status status = find(c, accessor, "source", "float_array", &array);
  if (status == SRS_OK) status = whole(c, accessor, "count", 0, n_points);
  if (status == SRS_OK) status = whole(c, accessor, "stride", 1, &stride);
  if (status == SRS_OK) status = whole(c, accessor, "offset", 0, &offset);
  if (status == SRS_OK) status = count_numbers(c, array, &n_numbers);
  if (status != SRS_OK) return status;
  if (stride < 3 || stride > 64) return refuse(c, accessor, "a stride of %zu holds no positions x y z", stride);
  if (*n_points == 0 || offset + *n_points * stride > n_numbers)
    return refuse(c, accessor, "wants %zu positions, but its array has %zu numbers", *n_points, n_numbers);
  words w;
  status = text_of(c, array, &w);
  if (status == SRS_OK)
    status = print(c, "<source id=\"s%d\"><float_array id=\"a%d\" count=\"%zu\">", number, number, n_numbers);
  if (status == SRS_OK) status = put(c, w.at, (size_t)(w.end - w.at));
  if (status == SRS_OK)
    status = print(c,
                   "</float_array><technique_common><accessor source=\"#a%d\" count=\"%zu\" stride=\"%zu\" "
                   "offset=\"%zu\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param "
                   "name=\"Z\" type=\"float\"/>",
                   number, *n_points, stride, offset);
  for (size_t i = 3; i < stride && status == SRS_OK; i++) status = print(c, "<param type=\"float\"/>");
  if (status == SRS_OK)
    status = print(c,
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

static srs_status put_number(collada *c, int value)
{
  return srs_mesh_put_number(c->draft, value, ' ') ? SRS_OK : srs_mesh_no_memory(c->draft);
}

// The runs of an element: each <p>'s indices thinned to those of vertices.
static srs_status read_run(collada *c, const srs_xml_node *p, size_t stride, size_t offset, size_t begin, size_t *end)
{
  size_t n = begin;
  const srs_status status = add_indices(c, p, &n);
  if (status != SRS_OK) return status;
  if ((n - begin) % stride != 0)
    return refuse(c, p, "%zu indices are not whole corners of %zu each", n - begin, stride);
  for (size_t i = begin, k = begin; i < n; i += stride) c->indices[k++] = c->indices[i + offset];
  *end = begin + (n - begin) / stride;
  return SRS_OK;
}

static srs_status check_indices(const collada *c, const srs_xml_node *node, size_t begin, size_t end, size_t n_points)
{
  for (size_t i = begin; i < end; i++)
    if ((size_t)c->indices[i] >= n_points)
      return refuse(c, node, "index %d names no position: there are %zu", c->indices[i], n_points);
  return SRS_OK;
}

static srs_status write_polygon(collada *c, const int *corners, size_t n, const int order[3])
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
static srs_status write_run(collada *c, form f, const int *corners, size_t n)
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

static srs_status open_list(collada *c, int number, const char *title, size_t count)
{
  return print(c, "<%s count=\"%zu\"><input semantic=\"VERTEX\" source=\"#v%d\" offset=\"0\"/>", title, count, number);
}

// Triangles, strips and fans, and polygons: runs of corners.
static srs_status write_triangles(collada *c, const srs_xml_node *node, form f, size_t stride, size_t offset,
                                  geometry *g, int number, size_t n_points)
{
  srs_status status = SRS_OK;
  for (const srs_xml_node *p = node->first_child; p != NULL && status == SRS_OK; p = p->next) {
    if (strcmp(p->name, "ph") == 0) return refuse(c, p, "polygons with holes are not read: export triangles");
    if (strcmp(p->name, "p") != 0) continue;
    size_t n = 0;
    status = read_run(c, p, stride, offset, 0, &n);
    if (status == SRS_OK) status = check_indices(c, p, 0, n, n_points);
    if (status != SRS_OK) return status;
    if (f == FORM_TRIANGLES && n % 3 != 0) return refuse(c, p, "%zu corners are no whole triangles", n);
    if (n < 3) continue;
    const size_t n_triangles = f == FORM_TRIANGLES ? n / 3 : n - 2;
    if (f == FORM_POLYGONS) {
      status = open_list(c, number, "polylist", 1);
      if (status == SRS_OK) status = print(c, "<vcount>%zu</vcount><p>", n);
    } else {
      status = open_list(c, number, "triangles", n_triangles);
      if (status == SRS_OK) status = print(c, "<p>");
    }
    if (status == SRS_OK) status = write_run(c, f, c->indices, n);
    if (status == SRS_OK) status = print(c, "</p></%s>\n", f == FORM_POLYGONS ? "polylist" : "triangles");
    g->n_corners += 3 * n_triangles;
  }
  return status;
}

static srs_status write_polylist(collada *c, srs_xml_node *node, size_t stride, size_t offset, geometry *g, int number,
                                 size_t n_points)
{
  const srs_xml_node *p = srs_xml_child(node, "p"), *vcount = srs_xml_child(node, "vcount");
  if (p == NULL || vcount == NULL) return SRS_OK; // no polygons
  size_t n = 0, end = 0, sum = 0;
  srs_status status = read_run(c, p, stride, offset, 0, &n);
  if (status == SRS_OK) status = check_indices(c, p, 0, n, n_points);
  end = n;
  if (status == SRS_OK) status = add_indices(c, vcount, &end);
  if (status != SRS_OK) return status;
  for (size_t i = n; i < end; i++) sum += (size_t)c->indices[i];
  if (sum != n) return refuse(c, vcount, "its polygons have %zu corners, but <p> has %zu", sum, n);
  size_t n_good = 0;
  for (size_t i = n; i < end; i++) n_good += c->indices[i] >= 3;
  if (n_good == 0) return SRS_OK;
  status = open_list(c, number, "polylist", n_good);
  if (status == SRS_OK) status = print(c, "<vcount>");
  for (size_t i = n; i < end && status == SRS_OK; i++)
    if (c->indices[i] >= 3) status = put_number(c, c->indices[i]);
  if (status == SRS_OK) status = print(c, "</vcount><p>");
  size_t at = 0;
  for (size_t i = n; i < end && status == SRS_OK; at += (size_t)c->indices[i++])
    if (c->indices[i] >= 3) status = write_run(c, FORM_POLYLIST, c->indices + at, (size_t)c->indices[i]);
  g->n_corners += 3 * n;
  return status == SRS_OK ? print(c, "</p></polylist>\n") : status;
}

// The inputs of an element: how many indices a corner has, and which of them is the vertex.
static srs_status read_inputs(const collada *c, const srs_xml_node *node, size_t *stride, size_t *offset)
{
  *stride = 1;
  for (const srs_xml_node *input = node->first_child; input != NULL; input = input->next) {
    if (strcmp(input->name, "input") != 0) continue;
    size_t at = 0;
    const srs_status status = whole(c, input, "offset", 0, &at);
    if (status != SRS_OK) return status;
    if (at > 63) return refuse(c, input, "an offset of %zu is none", at);
    if (at >= *stride) *stride = at + 1;
    const char *semantic = srs_xml_peek(input, "semantic");
    if (semantic != NULL && strcmp(semantic, "VERTEX") == 0) *offset = at;
  }
  return SRS_OK;
}

static srs_status write_geometry(collada *c, int number)
{
  geometry *g = &c->geometries[number];
  srs_xml_node *mesh = srs_xml_child(g->node, "mesh");
  srs_xml_node *vertices = mesh != NULL ? srs_xml_child(mesh, "vertices") : NULL;
  if (vertices == NULL) return SRS_OK; // a spline, or no corners
  const srs_xml_node *position = with_semantic(vertices, "POSITION");
  if (position == NULL) return refuse(c, vertices, "has no input POSITION");
  srs_xml_node *source = NULL;
  size_t n_points = 0;
  srs_status status = find(c, position, "source", "source", &source);
  if (status == SRS_OK) status = print(c, "<geometry id=\"m%d\"><mesh>", number);
  if (status == SRS_OK) status = write_source(c, source, number, &n_points);
  for (srs_xml_node *node = mesh->first_child; node != NULL && status == SRS_OK; node = node->next) {
    const form f = form_of(node);
    size_t stride = 1, offset = SIZE_MAX, count = 0;
    if (f == FORM_NONE) continue;
    status = whole(c, node, "count", 1, &count);
    if (status == SRS_OK) status = read_inputs(c, node, &stride, &offset);
    if (count == 0 || node->first_child == NULL) continue;
    if (status == SRS_OK && offset == SIZE_MAX) status = refuse(c, node, "has no input VERTEX");
    if (status != SRS_OK) continue;
    status = f == FORM_POLYLIST ? write_polylist(c, node, stride, offset, g, number, n_points)
                                : write_triangles(c, node, f, stride, offset, g, number, n_points);
  }
  return status == SRS_OK ? print(c, "</mesh></geometry>\n") : status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------------------------------------------------

static srs_status write_placement(collada *c, const srs_xml_node *node)
{
  static const struct {
    const char *name;
    size_t n;
  } kinds[] = {{"matrix", 16}, {"rotate", 4}, {"scale", 3}, {"translate", 3}, {"lookat", 9}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(node->name, kinds[i].name) != 0) continue;
    size_t n = 0;
    words w;
    srs_status status = count_numbers(c, node, &n);
    if (status == SRS_OK) status = text_of(c, node, &w);
    if (status != SRS_OK) return status;
    if (n != kinds[i].n) return refuse(c, node, "expected %zu numbers, found %zu", kinds[i].n, n);
    status = print(c, "<%s>", kinds[i].name);
    if (status == SRS_OK) status = put(c, w.at, (size_t)(w.end - w.at));
    return status == SRS_OK ? print(c, "</%s>", kinds[i].name) : status;
  }
  return strcmp(node->name, "skew") == 0 ? refuse(c, node, "is not read: apply the placement before the export")
                                         : SRS_OK;
}

static srs_status add_group(const collada *c, const srs_xml_node *node)
{
  const char *name = srs_xml_peek(node, "name");
  if (name == NULL) name = srs_xml_peek(node, "id");
  return srs_mesh_add_name(c->draft, name != NULL ? name : "");
}

static srs_status write_instance(collada *c, const srs_xml_node *node)
{
  srs_xml_node *found = NULL;
  const srs_status status = find(c, node, "url", "geometry", &found);
  if (status != SRS_OK) return status;
  for (int i = 0; i < c->n_geometries; i++) {
    if (c->geometries[i].node != found || c->geometries[i].n_corners == 0) continue;
    c->n_instanced += c->geometries[i].n_corners;
    if (c->n_instanced > MOST_CORNERS) return refuse(c, node, "the file stands for more than 20 million triangles");
    return print(c, "<instance_geometry url=\"#m%d\"/>", i);
  }
  return SRS_OK;
}

static srs_status write_node(collada *c, const srs_xml_node *node, int depth) // NOLINT(misc-no-recursion): bounded
{
  if (++c->n_written > MOST_NODES || depth > MOST_DEPTH)
    return refuse(c, node, "the nodes are too many, or nested too deep, or one is inside itself");
  srs_status status = print(c, "<node id=\"g%d\">", c->draft->n_names);
  if (status == SRS_OK) status = add_group(c, node);
  for (const srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next)
    status = write_placement(c, child);
  for (const srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next) {
    srs_xml_node *other = NULL;
    if (strcmp(child->name, "instance_geometry") == 0) status = write_instance(c, child);
    if (strcmp(child->name, "node") == 0) status = write_node(c, child, depth + 1);
    if (strcmp(child->name, "instance_node") != 0) continue;
    status = find(c, child, "url", "node", &other);
    if (status == SRS_OK) status = write_node(c, other, depth + 1);
  }
  return status == SRS_OK ? print(c, "</node>\n") : status;
}

static srs_status write_scene(collada *c)
{
  srs_xml_node *root = c->document->root, *scene = srs_xml_child(root, "scene"), *visual = NULL;
  srs_xml_node *instance = scene != NULL ? srs_xml_child(scene, "instance_visual_scene") : NULL;
  srs_status status = SRS_OK;
  if (instance != NULL) status = find(c, instance, "url", "visual_scene", &visual);
  if (status != SRS_OK) return status;
  if (visual == NULL) {
    srs_xml_node *library = srs_xml_child(root, "library_visual_scenes");
    visual = library != NULL ? srs_xml_child(library, "visual_scene") : NULL;
  }
  status = print(c, "<library_visual_scenes><visual_scene id=\"scene\">");
  if (visual == NULL) { // geometry without a scene
    for (int i = 0; i < c->n_geometries && status == SRS_OK; i++) {
      if (c->geometries[i].n_corners == 0) continue;
      status = print(c, "<node id=\"g%d\"><instance_geometry url=\"#m%d\"/></node>", c->draft->n_names, i);
      if (status == SRS_OK) status = add_group(c, c->geometries[i].node);
    }
  } else {
    for (const srs_xml_node *node = visual->first_child; node != NULL && status == SRS_OK; node = node->next)
      if (strcmp(node->name, "node") == 0) status = write_node(c, node, 0);
  }
  if (status != SRS_OK) return status;
  return print(c, "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#scene\"/></scene>");
}

// ---------------------------------------------------------------------------------------------------------------------
// The whole
// ---------------------------------------------------------------------------------------------------------------------

// Words other than X_UP, Y_UP and Z_UP say nothing.
static char up_axis(srs_xml_node *asset)
{
  const srs_xml_node *node = asset != NULL ? srs_xml_child(asset, "up_axis") : NULL;
  const char *word = node != NULL && node->text != NULL ? node->text + strspn(node->text, " \t\r\n") : "";
  return word[0] >= 'X' && word[0] <= 'Z' && strncmp(word + 1, "_UP", 3) == 0 ? word[0] : '\0';
}

static srs_status write_head(collada *c)
{
  srs_xml_node *asset = srs_xml_child(c->document->root, "asset");
  srs_xml_node *unit = asset != NULL ? srs_xml_child(asset, "unit") : NULL;
  double meter = 1;
  const srs_status status = unit != NULL ? srs_xml_numbers(unit, "meter", 1, &meter, c->draft->error) : SRS_OK;
  c->draft->up = up_axis(asset);
  if (status != SRS_OK) return status;
  if (!(meter > 1e-9 && meter < 1e9)) return refuse(c, unit, "a unit of %g m is none", meter);
  return print(c,
               "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
               "version=\"1.4.1\">\n<asset><unit meter=\"%.9g\"/></asset>\n<library_geometries>",
               meter);
}

static srs_status clean(collada *c)
{
  srs_xml_node *root = c->document->root;
  size_t n = 0;
  if (strcmp(root->name, "COLLADA") != 0)
    return refuse(c, root, "is not the root of a Collada file: <COLLADA> was expected");
  for (const srs_xml_node *node = root; node != NULL; node = srs_xml_next(node, true)) n++;
  c->nodes = srs_arena_take(&c->document->memory, n, sizeof(srs_xml_node *));
  c->geometries = srs_arena_take(&c->document->memory, n, sizeof *c->geometries);
  if (c->nodes == NULL || c->geometries == NULL) return srs_mesh_no_memory(c->draft);
  srs_status status = SRS_OK;
  for (srs_xml_node *node = root; node != NULL && status == SRS_OK; node = srs_xml_next(node, true))
    status = list(c, node);
  if (status == SRS_OK) status = srs_mesh_add_name(c->draft, "");
  if (status == SRS_OK) status = write_head(c);
  for (int i = 0; i < c->n_geometries && status == SRS_OK; i++) status = write_geometry(c, i);
  if (status == SRS_OK) status = print(c, "</library_geometries>\n");
  if (status == SRS_OK) status = write_scene(c);
  if (status == SRS_OK && c->n_instanced == 0 && c->n_written > 0)
    return srs_fail(c->draft->error, SRS_ERROR_MODEL, c->draft->path, 0, 0, NULL, "the mesh has no faces");
  return status == SRS_OK ? print(c, "</COLLADA>\n") : status;
}

// Offsets into the bytes count only where the parser did not have to translate them.
static bool is_utf8(const char *bytes, size_t n)
{
  const char *begin = strncmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? bytes + 3 : bytes;
  if (strlen(bytes) != n || strncmp(begin, "<?xml", 5) != 0) return strlen(bytes) == n;
  const char *encoding = strstr(begin, "encoding"), *end = strstr(begin, "?>");
  if (encoding == NULL || end == NULL || encoding > end) return true;
  encoding += strcspn(encoding, "\"'") + 1;
  return strncasecmp(encoding, "utf-8", 5) == 0 || strncasecmp(encoding, "us-ascii", 8) == 0;
}

srs_status srs_mesh_clean_collada(srs_mesh_draft *draft, const char *bytes, size_t n)
{
  collada c = {.draft = draft, .bytes = bytes};
  draft->format = "dae";
  if (!is_utf8(bytes, n))
    return srs_fail(draft->error, SRS_ERROR_UNSUPPORTED, draft->path, 1, 0, NULL,
                    "a Collada file is read as UTF-8 alone: save it as that");
  srs_status status = srs_xml_parse(draft->path, bytes, n, &c.document, draft->error);
  if (status != SRS_OK) return status;
  status = clean(&c);
  srs_names_release(&c.ids);
  free(c.indices);
  srs_xml_destroy(c.document);
  return status;
}
