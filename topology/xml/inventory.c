// What did a reader take from a document? The marks that reading has left (xml_values.h), element by element.
#include "topology/xml/inventory.h"
#include "topology/xml/xml_values.h"

#include <string.h>

enum { PATH_SIZE = 512 };

// "robot/link/inertial"; of a path that is too long the end.
static const char *path_of(const srs_xml_node *node, char text[PATH_SIZE])
{
  size_t at = PATH_SIZE - 1;
  text[at] = '\0';
  for (; node != NULL; node = node->parent) {
    const size_t n = strlen(node->name), slash = text[at] != '\0';
    if (n + slash > at) break;
    if (slash) text[--at] = '/';
    at -= n;
    memcpy(text + at, node->name, n);
  }
  return text + at;
}

void srs_xml_visit_items(const srs_xml *document, srs_file_visit visit, void *context)
{
  static const srs_item_state states[] = {
      [SRS_XML_UNREAD] = SRS_ITEM_UNREAD, [SRS_XML_READ] = SRS_ITEM_READ, [SRS_XML_WHOLE] = SRS_ITEM_KNOWN};
  char text[PATH_SIZE];
  for (const srs_xml_node *node = document->root; node != NULL; node = srs_xml_next(node, node->mark == SRS_XML_READ)) {
    srs_file_item item = {node->document->path, node->line, path_of(node, text), NULL, states[node->mark]};
    visit(context, &item);
    for (int i = 0; i < node->n_attributes && node->mark == SRS_XML_READ; i++) {
      item.attribute = node->attributes[i].name;
      item.state = node->attributes[i].is_read ? SRS_ITEM_READ : SRS_ITEM_UNREAD;
      visit(context, &item);
    }
  }
}
