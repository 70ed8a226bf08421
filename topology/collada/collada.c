// What of a Collada file may assimp see? Its polygons and where they are, written anew.
//
// Assimp's reader ends the process on many files that are damaged. So the file is read as XML first (xml.h: no
// entities, no DOCTYPE, bounded depth), and what counts of it is checked and written anew as the plainest Collada:
// for each geometry one array of positions and one list of polygons that name them, and a tree of nodes with their
// placements. Everything else (materials, normals, textures, skins, animations, lights) is left out.
//
// Texts and names are read in collada_words.c, geometries in collada_geometry.c. <instance_node> is the node, written
// where it is named.
//
// `<unit meter="...">` is kept, and applied by assimp. `<up_axis>` is left out of the copy, and told.
#include "topology/base/errors.h"
#include "topology/collada/collada_geometry.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_NODES = 20000, MOST_DEPTH = 200, MOST_CORNERS = 60 * 1000 * 1000 };
// ---------------------------------------------------------------------------------------------------------------------
// Nodes
// ---------------------------------------------------------------------------------------------------------------------

static srs_status write_placement(srs_collada *c, const srs_xml_node *node)
{
  static const struct {
    const char *name;
    size_t n;
  } kinds[] = {{"matrix", 16}, {"rotate", 4}, {"scale", 3}, {"translate", 3}, {"lookat", 9}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(node->name, kinds[i].name) != 0) continue;
    size_t n = 0;
    srs_collada_words w;
    srs_status status = srs_collada_count_numbers(c, node, &n);
    if (status == SRS_OK) status = srs_collada_text(c, node, &w);
    if (status != SRS_OK) return status;
    if (n != kinds[i].n) return srs_collada_refuse(c, node, "expected %zu numbers, found %zu", kinds[i].n, n);
    status = srs_collada_print(c, "<%s>", kinds[i].name);
    if (status == SRS_OK) status = srs_collada_put(c, w.at, (size_t)(w.end - w.at));
    return status == SRS_OK ? srs_collada_print(c, "</%s>", kinds[i].name) : status;
  }
  return strcmp(node->name, "skew") == 0
             ? srs_collada_refuse(c, node, "is not read: apply the placement before the export")
             : SRS_OK;
}

static srs_status add_group(const srs_collada *c, const srs_xml_node *node)
{
  const char *name = srs_xml_peek(node, "name");
  if (name == NULL) name = srs_xml_peek(node, "id");
  return srs_mesh_add_name(c->draft, name != NULL ? name : "");
}

static srs_status write_instance(srs_collada *c, const srs_xml_node *node)
{
  srs_xml_node *found = NULL;
  const srs_status status = srs_collada_find(c, node, "url", "geometry", &found);
  if (status != SRS_OK) return status;
  for (int i = 0; i < c->n_geometries; i++) {
    if (c->geometries[i].node != found || c->geometries[i].n_corners == 0) continue;
    c->n_instanced += c->geometries[i].n_corners;
    if (c->n_instanced > MOST_CORNERS)
      return srs_collada_refuse(c, node, "the file stands for more than 20 million triangles");
    return srs_collada_print(c, "<instance_geometry url=\"#m%d\"/>", i);
  }
  return SRS_OK;
}

static srs_status write_node(srs_collada *c, const srs_xml_node *node, int depth) // NOLINT(misc-no-recursion): bounded
{
  if (++c->n_written > MOST_NODES || depth > MOST_DEPTH)
    return srs_collada_refuse(c, node, "the nodes are too many, or nested too deep, or one is inside itself");
  srs_status status = srs_collada_print(c, "<node id=\"g%d\">", c->draft->n_names);
  if (status == SRS_OK) status = add_group(c, node);
  for (const srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next)
    status = write_placement(c, child);
  for (const srs_xml_node *child = node->first_child; child != NULL && status == SRS_OK; child = child->next) {
    srs_xml_node *other = NULL;
    if (strcmp(child->name, "instance_geometry") == 0) status = write_instance(c, child);
    if (strcmp(child->name, "node") == 0) status = write_node(c, child, depth + 1);
    if (strcmp(child->name, "instance_node") != 0) continue;
    status = srs_collada_find(c, child, "url", "node", &other);
    if (status == SRS_OK) status = write_node(c, other, depth + 1);
  }
  return status == SRS_OK ? srs_collada_print(c, "</node>\n") : status;
}

static srs_status write_scene(srs_collada *c)
{
  srs_xml_node *root = c->document->root, *scene = srs_xml_child(root, "scene"), *visual = NULL;
  srs_xml_node *instance = scene != NULL ? srs_xml_child(scene, "instance_visual_scene") : NULL;
  srs_status status = SRS_OK;
  if (instance != NULL) status = srs_collada_find(c, instance, "url", "visual_scene", &visual);
  if (status != SRS_OK) return status;
  if (visual == NULL) {
    srs_xml_node *library = srs_xml_child(root, "library_visual_scenes");
    visual = library != NULL ? srs_xml_child(library, "visual_scene") : NULL;
  }
  status = srs_collada_print(c, "<library_visual_scenes><visual_scene id=\"scene\">");
  if (visual == NULL) { // geometry without a scene
    for (int i = 0; i < c->n_geometries && status == SRS_OK; i++) {
      if (c->geometries[i].n_corners == 0) continue;
      status = srs_collada_print(c, "<node id=\"g%d\"><instance_geometry url=\"#m%d\"/></node>", c->draft->n_names, i);
      if (status == SRS_OK) status = add_group(c, c->geometries[i].node);
    }
  } else {
    for (const srs_xml_node *node = visual->first_child; node != NULL && status == SRS_OK; node = node->next)
      if (strcmp(node->name, "node") == 0) status = write_node(c, node, 0);
  }
  if (status != SRS_OK) return status;
  return srs_collada_print(
      c, "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#scene\"/></scene>");
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

static srs_status write_head(srs_collada *c)
{
  srs_xml_node *asset = srs_xml_child(c->document->root, "asset");
  srs_xml_node *unit = asset != NULL ? srs_xml_child(asset, "unit") : NULL;
  double meter = 1;
  const srs_status status = unit != NULL ? srs_xml_numbers(unit, "meter", 1, &meter, c->draft->error) : SRS_OK;
  c->draft->up = up_axis(asset);
  if (status != SRS_OK) return status;
  if (!(meter > 1e-9 && meter < 1e9)) return srs_collada_refuse(c, unit, "a unit of %g m is none", meter);
  return srs_collada_print(c,
                           "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
                           "version=\"1.4.1\">\n<asset><unit meter=\"%.9g\"/></asset>\n<library_geometries>",
                           meter);
}

static srs_status clean(srs_collada *c)
{
  srs_xml_node *root = c->document->root;
  size_t n = 0;
  if (strcmp(root->name, "COLLADA") != 0)
    return srs_collada_refuse(c, root, "is not the root of a Collada file: <COLLADA> was expected");
  for (const srs_xml_node *node = root; node != NULL; node = srs_xml_next(node, true)) n++;
  c->nodes = srs_arena_take(&c->document->memory, n, sizeof(srs_xml_node *));
  c->geometries = srs_arena_take(&c->document->memory, n, sizeof *c->geometries);
  if (c->nodes == NULL || c->geometries == NULL) return srs_mesh_no_memory(c->draft);
  srs_status status = SRS_OK;
  for (srs_xml_node *node = root; node != NULL && status == SRS_OK; node = srs_xml_next(node, true))
    status = srs_collada_list(c, node);
  if (status == SRS_OK) status = srs_mesh_add_name(c->draft, "");
  if (status == SRS_OK) status = write_head(c);
  for (int i = 0; i < c->n_geometries && status == SRS_OK; i++) status = srs_collada_write_geometry(c, i);
  if (status == SRS_OK) status = srs_collada_print(c, "</library_geometries>\n");
  if (status == SRS_OK) status = write_scene(c);
  if (status == SRS_OK && c->n_instanced == 0 && c->n_written > 0)
    return srs_fail(c->draft->error, SRS_ERROR_MODEL, c->draft->path, 0, 0, NULL, "the mesh has no faces");
  return status == SRS_OK ? srs_collada_print(c, "</COLLADA>\n") : status;
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
  srs_collada c = {.draft = draft, .bytes = bytes};
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
