// Puts included files in the place of <include>.
//
// The children of an included file's root become children of the element that held the <include>; each node keeps its
// own document, so that messages name the file and line where it was written. Hostile files end early: each file is
// included once (so there is no cycle and no doubling), at most 200 of them, 64 MiB together, 20 deep; a path is made
// absolute first, links undone, and must then lie below the folder of the main file.

#include "topology/xml/include.h"
#include "topology/base/text.h"
#include "topology/xml/report.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 200, MOST_DEPTH = 20, MOST_BYTES = 64 << 20 };

typedef struct includer {
  srs_xml *main;
  const char *const *roots;
  bool allow_outside;
  const char **paths; // of the files read so far, absolute: the main one and n of includes
  int n_paths;
  long long bytes;
  char *folder; // the main file's, absolute
  srs_read_files *files;
  srs_error *error;
} includer;

static srs_status no_memory(const includer *in)
{
  return srs_fail(in->error, SRS_ERROR_MEMORY, in->main->path, 0, 0, NULL, "out of memory");
}

static srs_status refuse(const includer *in, const srs_xml_node *node, srs_status status, const char *file,
                         const char *why)
{
  return srs_fail_at(in->error, status, srs_xml_place(node), file, "<include file=\"%.100s\">: %s", file, why);
}

// The folder of an absolute path; cut in place.
static void cut_to_folder(char *path)
{
  char *slash = strrchr(path, '/');
  if (slash != NULL) slash[slash == path] = '\0';
}

static bool is_below(const char *path, const char *folder)
{
  const size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || (length == 1 && folder[0] == '/'));
}

// The absolute path of the file meant, which malloc took; NULL when there is none.
static char *resolve(const includer *in, const srs_xml_node *node, const char *file)
{
  srs_arena *memory = &in->main->memory;
  const char *beside = srs_text_beside(memory, node->document->path, file);
  char *found = beside != NULL ? realpath(beside, NULL) : NULL;
  if (found != NULL || node->document == in->main) return found;
  beside = srs_text_beside(memory, in->main->path, file);
  return beside != NULL ? realpath(beside, NULL) : NULL;
}

static srs_status check_file(includer *in, const srs_xml_node *node, const char *file, const char *path)
{
  struct stat info;
  if (!in->allow_outside && !is_below(path, in->folder))
    return refuse(in, node, SRS_ERROR_FILE, file,
                  "the file lies outside the folder of the model; allow it with --allow-outside");
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
    return refuse(in, node, SRS_ERROR_FILE, file, "is not a regular file");
  in->bytes += info.st_size;
  if (in->bytes > MOST_BYTES)
    return refuse(in, node, SRS_ERROR_FILE, file, "the included files together are larger than 64 MiB");
  for (int i = 0; i < in->n_paths; i++)
    if (strcmp(in->paths[i], path) == 0)
      return refuse(in, node, SRS_ERROR_SYNTAX, file, "the file was read already; a file is included at most once");
  return SRS_OK;
}

// Included documents live as long as the main one, which names the first.
static srs_status keep(includer *in, srs_xml *document, const char *path)
{
  document->included = in->main->included;
  in->main->included = document;
  const char *copy = srs_arena_copy(&in->main->memory, path);
  if (copy == NULL) return no_memory(in);
  in->paths[in->n_paths++] = copy;
  return SRS_OK;
}

// Links the children of `from` into the list of node's siblings, in node's place.
static void replace(srs_xml_node *node, srs_xml_node *from)
{
  srs_xml_node *parent = node->parent, *first = from->first_child, *last = from->last_child, *before = NULL;
  for (srs_xml_node *child = first; child != NULL; child = child->next) child->parent = parent;
  if (parent->first_child != node)
    for (before = parent->first_child; before->next != node;) before = before->next;
  srs_xml_node *after = node->next;
  if (last != NULL) last->next = after;
  srs_xml_node *head = first != NULL ? first : after;
  if (before != NULL)
    before->next = head;
  else
    parent->first_child = head;
  if (after == NULL) parent->last_child = last != NULL ? last : before;
}

// How deep a document was included: the chain of its includers is kept in text_line of its root.
static srs_status include_one(includer *in, srs_xml_node *node, srs_xml **document)
{
  const char *file = NULL;
  *document = NULL;
  srs_status status = srs_xml_required_text(node, "file", &file, in->error);
  if (status != SRS_OK) return status;
  if (in->n_paths > MOST_FILES) return refuse(in, node, SRS_ERROR_FILE, file, "more than 200 files are included");
  const int depth = node->document->root->text_line;
  if (depth >= MOST_DEPTH) return refuse(in, node, SRS_ERROR_FILE, file, "files include each other more than 20 deep");
  char *path = resolve(in, node, file);
  if (path == NULL) return refuse(in, node, SRS_ERROR_FILE, file, "there is no such file");
  status = check_file(in, node, file, path);
  const char *shown = srs_text_beside(&in->main->memory, node->document->path, file);
  struct stat info;
  if (shown == NULL || stat(shown, &info) != 0) shown = path;
  if (status == SRS_OK) status = srs_xml_read(shown, in->files, document, in->error);
  if (status == SRS_OK) status = keep(in, *document, path);
  free(path);
  if (status != SRS_OK) return status;
  srs_xml_node *root = (*document)->root;
  if (srs_xml_word(root, in->roots) < 0)
    return srs_fail_at(in->error, SRS_ERROR_SYNTAX, srs_xml_place(root), NULL,
                       "is included, but its root element is <%.60s>, expected <%s>", root->name, in->roots[0]);
  root->text_line = depth + 1;
  return SRS_OK;
}

// Walks on from what was put in, so that its own includes are met too.
static srs_status include_all(includer *in)
{
  srs_xml_node *node = in->main->root;
  while (node != NULL) {
    if (strcmp(node->name, "include") != 0 || node->parent == NULL) {
      node = srs_xml_next(node, true);
      continue;
    }
    srs_xml *document;
    const srs_status status = include_one(in, node, &document);
    if (status != SRS_OK) return status;
    srs_xml_node *first = document->root->first_child;
    srs_xml_node *after = first != NULL ? first : srs_xml_next(node, false);
    replace(node, document->root);
    node = after;
  }
  return SRS_OK;
}

srs_status srs_xml_include(srs_xml *document, const char *const *roots, bool allow_outside, srs_read_files *files,
                           srs_error *error)
{
  includer in = {.main = document, .roots = roots, .allow_outside = allow_outside, .files = files, .error = error};
  document->root->text_line = 0;
  in.folder = realpath(document->path, NULL);
  if (in.folder == NULL && errno != ENOMEM) in.folder = realpath(".", NULL); // a document from memory
  in.paths = srs_arena_take(&document->memory, MOST_FILES + 2, sizeof *in.paths);
  if (in.folder == NULL || in.paths == NULL) {
    free(in.folder);
    return no_memory(&in);
  }
  in.paths[in.n_paths] = srs_arena_copy(&document->memory, in.folder);
  srs_status status = in.paths[in.n_paths++] != NULL ? SRS_OK : no_memory(&in);
  struct stat info;
  if (stat(in.folder, &info) == 0 && !S_ISDIR(info.st_mode)) cut_to_folder(in.folder);
  if (status == SRS_OK) status = include_all(&in);
  free(in.folder);
  return status;
}
