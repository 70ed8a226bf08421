// Reads the pairs of links that never collide from an SRDF file, the semantic companion of a URDF file.
//
//   <disable_collisions link1="a" link2="b" reason="Adjacent"/>   a and b
//   <disable_default_collisions link="a"/>                         a and every link, but for
//   <enable_collisions link1="a" link2="b"/>                       a and b
//
// Groups, states, end effectors and the like are for planners. A file often belongs to a larger robot than the one that
// was loaded, so pairs with links that are not there are counted in one warning.
#include "topology/files/srdf.h"
#include "topology/builder/builder.h"
#include "topology/xml/xml_values.h"

#include <string.h>

typedef struct srdf_reader {
  srs_builder *builder;
  srs_xml *document;
  const char *prefix;
  int n_unknown, unknown_line;
  const char *unknown; // the first link that is not there
  srs_error *error;
} srdf_reader;

static srs_status no_memory(const srdf_reader *r)
{
  return srs_fail(r->error, SRS_ERROR_MEMORY, r->document->path, 0, 0, NULL, "out of memory");
}

// The link's name with the prefix; *link NULL where there is no such link.
static srs_status read_link(srdf_reader *r, srs_xml_node *node, const char *attribute, const char **link)
{
  const char *name = NULL;
  const srs_status status = srs_xml_required_text(node, attribute, &name, r->error);
  if (status != SRS_OK) return status;
  *link = srs_xml_format(r->document, "%s%s", r->prefix, name);
  if (*link == NULL) return no_memory(r);
  if (srs_names_find(&r->builder->link_names, *link) >= 0) return SRS_OK;
  if (r->n_unknown++ == 0) r->unknown = *link, r->unknown_line = node->line;
  *link = NULL;
  return SRS_OK;
}

static srs_status read_pair(srdf_reader *r, srs_xml_node *node, const char **a, const char **b)
{
  *b = NULL;
  const srs_status status = read_link(r, node, "link1", a);
  if (status != SRS_OK || *a == NULL) return status;
  return read_link(r, node, "link2", b);
}

static srs_status exclude(srdf_reader *r, const srs_xml_node *node, const char *a, const char *b)
{
  srs_builder_set_location(r->builder, r->document->path, node->line, 0);
  return srs_builder_exclude(r->builder, a, b, r->error);
}

static bool joins(const srs_xml_node *node, const char *prefix, const char *a, const char *b)
{
  const char *one = srs_xml_peek(node, "link1"), *other = srs_xml_peek(node, "link2");
  const size_t n = strlen(prefix);
  if (one == NULL || other == NULL || strncmp(a, prefix, n) != 0 || strncmp(b, prefix, n) != 0) return false;
  return (strcmp(one, a + n) == 0 && strcmp(other, b + n) == 0) ||
         (strcmp(one, b + n) == 0 && strcmp(other, a + n) == 0);
}

static bool is_enabled(const srdf_reader *r, const char *a, const char *b)
{
  for (const srs_xml_node *node = r->document->root->first_child; node != NULL; node = node->next)
    if (strcmp(node->name, "enable_collisions") == 0 && joins(node, r->prefix, a, b)) return true;
  return false;
}

// The link and every other one of the robot, which the prefix tells from links of others.
static srs_status exclude_all(srdf_reader *r, srs_xml_node *node)
{
  const char *link;
  srs_status status = read_link(r, node, "link", &link);
  for (int i = 0; i < r->builder->n_links && status == SRS_OK && link != NULL; i++) {
    const char *other = r->builder->links[i].def.name;
    if (strcmp(other, link) == 0 || strncmp(other, r->prefix, strlen(r->prefix)) != 0) continue;
    if (!is_enabled(r, link, other)) status = exclude(r, node, link, other);
  }
  return status;
}

static srs_status read_element(srdf_reader *r, srs_xml_node *node)
{
  const char *a = NULL, *b = NULL;
  if (strcmp(node->name, "disable_default_collisions") == 0) return exclude_all(r, node);
  if (strcmp(node->name, "disable_collisions") != 0) return SRS_OK;
  const srs_status status = read_pair(r, node, &a, &b);
  return status == SRS_OK && b != NULL ? exclude(r, node, a, b) : status;
}

static srs_status read_all(srdf_reader *r)
{
  srs_xml_node *root = r->document->root;
  if (strcmp(root->name, "robot") != 0)
    return srs_fail_at(r->error, SRS_ERROR_SYNTAX, srs_xml_place(root), NULL,
                       "is not an SRDF file: the root element is <%.60s>, expected <robot>", root->name);
  srs_status status = SRS_OK;
  for (srs_xml_node *node = root->first_child; node != NULL && status == SRS_OK; node = node->next)
    status = read_element(r, node);
  if (status != SRS_OK || r->n_unknown == 0) return status;
  srs_builder_set_location(r->builder, r->document->path, r->unknown_line, 0);
  status = srs_builder_warn(r->builder,
                            "%d pair%s of links that do not collide name%s a link that the model does not have, here "
                            "'%s': left out",
                            r->n_unknown, r->n_unknown == 1 ? "" : "s", r->n_unknown == 1 ? "s" : "", r->unknown);
  return status == SRS_OK ? status : no_memory(r);
}

srs_status srs_builder_add_srdf(srs_builder *builder, const char *path, const char *prefix, srs_error *error)
{
  if (builder == NULL || path == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s is NULL", builder == NULL ? "builder" : "path");
  const srs_builder_mark mark = srs_builder_take_mark(builder);
  srdf_reader reader = {.builder = builder, .prefix = prefix != NULL ? prefix : "", .error = error};
  srs_status status = srs_xml_read(path, &builder->read, &reader.document, error);
  if (status != SRS_OK) return status;
  status = read_all(&reader);
  if (status != SRS_OK)
    srs_builder_roll_back(builder, mark);
  else
    srs_builder_set_location(builder, NULL, 0, 0);
  srs_xml_destroy(reader.document);
  return status;
}
