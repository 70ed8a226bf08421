// Finds the file that a model names.
//
// Robot descriptions name meshes by package, and packages are found by tools that need not be installed. So all places
// where a package can be are tried in turn, and a message can list them.

#include "topology/mesh/resource.h"
#include "topology/xml/xml_values.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Bounds on what is looked through below an entry of ROS_PACKAGE_PATH.
enum { MOST_DEPTH = 12, MOST_FOLDERS = 20000 };

typedef struct search {
  const char *const *packages;
  const char *folder;      // of the model file, absolute where it can be had
  const char *name, *rest; // of the address; name is NULL for a plain path
  size_t name_length;
  srs_read_files *files; // package.xml among them
  srs_resource *resource;
  int n_folders; // looked through below entries of ROS_PACKAGE_PATH
  bool no_memory;
} search;

// ---------------------------------------------------------------------------------------------------------------------
// Texts and files
// ---------------------------------------------------------------------------------------------------------------------

// a/b/c, where b and c may be empty.
static char *joined(search *s, const char *a, size_t a_length, const char *b, const char *c)
{
  const size_t size = a_length + strlen(b) + strlen(c) + 3;
  char *text = malloc(size);
  if (text == NULL) {
    s->no_memory = true;
    return NULL;
  }
  const bool has_slash = a_length == 0 || a[a_length - 1] == '/';
  const char *first = *b != '\0' ? b : c, *second = *b != '\0' ? c : "";
  snprintf(text, size, "%.*s%s%s%s%s", (int)a_length, a, has_slash || *first == '\0' ? "" : "/", first,
           *second != '\0' ? "/" : "", second);
  return text;
}

static bool is_folder(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_readable_file(const char *path)
{
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, R_OK) == 0;
}

static void note_tried(search *s, const char *path)
{
  const char *before = s->resource->tried != NULL ? s->resource->tried : "";
  const size_t size = strlen(before) + strlen(path) + 3;
  char *text = malloc(size);
  if (text == NULL) {
    s->no_memory = true;
    return;
  }
  snprintf(text, size, "%s%s%s", before, *before != '\0' ? ", " : "", path);
  free(s->resource->tried);
  s->resource->tried = text;
}

// Takes the path if it is a file. Owns it.
static bool take(search *s, char *path)
{
  if (path == NULL) return false;
  if (is_readable_file(path)) {
    s->resource->path = realpath(path, NULL);
    s->no_memory = s->no_memory || s->resource->path == NULL; // the file is there: nothing else can be the reason
    free(path);
    return true;
  }
  note_tried(s, path);
  free(path);
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Packages
// ---------------------------------------------------------------------------------------------------------------------

static bool says_name(search *s, const char *path)
{
  srs_xml *document = NULL;
  if (!is_readable_file(path)) return false;
  const srs_status status = srs_xml_read(path, s->files, &document, NULL);
  s->no_memory = s->no_memory || status == SRS_ERROR_MEMORY;
  if (status != SRS_OK) return false;
  const srs_xml_node *entry = srs_xml_child(document->root, "name");
  const bool same = entry != NULL && entry->text != NULL && strlen(entry->text) == s->name_length &&
                    memcmp(entry->text, s->name, s->name_length) == 0;
  srs_xml_destroy(document);
  return same;
}

static bool is_package(search *s, const char *folder, size_t length)
{
  size_t last = length;
  while (last > 0 && folder[last - 1] != '/') last--;
  if (length - last == s->name_length && memcmp(folder + last, s->name, s->name_length) == 0) return true;
  char *description = joined(s, folder, length, "package.xml", "");
  const bool is = description != NULL && says_name(s, description);
  free(description);
  return is;
}

// REST below FOLDER/MIDDLE/NAME, if there is such a folder.
static bool try_inside(search *s, const char *folder, size_t length, const char *middle, bool even_if_missing)
{
  char *place = joined(s, folder, length, middle, "");
  char *name = strndup(s->name, s->name_length);
  char *package = place != NULL && name != NULL ? joined(s, place, strlen(place), name, "") : NULL;
  s->no_memory = s->no_memory || name == NULL;
  bool found = false;
  if (package != NULL && (even_if_missing || is_folder(package)))
    found = take(s, joined(s, package, strlen(package), s->rest, ""));
  free(package);
  free(name);
  free(place);
  return found;
}

// ---------------------------------------------------------------------------------------------------------------------
// Packages below a folder, as ROS looks for them: a package is what has a package.xml or a manifest.xml, and nothing
// below one is another. Hidden folders and what says that it is to be passed over are not looked through.
// ---------------------------------------------------------------------------------------------------------------------

static bool has_file(search *s, const char *folder, const char *name)
{
  char *path = joined(s, folder, strlen(folder), name, "");
  struct stat info;
  const bool has = path != NULL && stat(path, &info) == 0;
  free(path);
  return has;
}

static bool is_passed_over(search *s, const char *folder)
{
  static const char *const marks[] = {"rospack_nosubdirs", "CATKIN_IGNORE", "COLCON_IGNORE", "AMENT_IGNORE"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (has_file(s, folder, marks[i])) return true;
  return false;
}

// A description is read as XML only where it holds the name at all.
static bool is_this_package(search *s, const char *folder)
{
  char *description = joined(s, folder, strlen(folder), "package.xml", ""), *text = NULL;
  size_t length = 0;
  bool is = false;
  if (description != NULL && is_readable_file(description) &&
      srs_read_text(description, NULL, &text, &length, NULL) == SRS_OK)
    is = memmem(text, length, s->name, s->name_length) != NULL && says_name(s, description);
  else if (description != NULL) // an old one, with a manifest alone: it goes by its folder
    is = is_package(s, folder, strlen(folder));
  free(text);
  free(description);
  return is;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static bool try_below(search *s, const char *folder, int depth) // NOLINT(misc-no-recursion): bounded
{
  struct dirent **entries = NULL;
  bool found = false;
  if (has_file(s, folder, "package.xml") || has_file(s, folder, "manifest.xml"))
    return is_this_package(s, folder) && take(s, joined(s, folder, strlen(folder), s->rest, ""));
  if (depth == MOST_DEPTH || is_passed_over(s, folder)) return false;
  const int n = scandir(folder, &entries, is_visible, alphasort);
  for (int i = 0; i < n; i++) {
    const bool may_be_folder =
        entries[i]->d_type == DT_DIR || entries[i]->d_type == DT_LNK || entries[i]->d_type == DT_UNKNOWN;
    char *below = may_be_folder && !found ? joined(s, folder, strlen(folder), entries[i]->d_name, "") : NULL;
    if (below != NULL && is_folder(below) && s->n_folders++ < MOST_FOLDERS) found = try_below(s, below, depth + 1);
    free(below);
    free(entries[i]);
  }
  free((void *)entries);
  return found;
}

static bool try_below_entries(search *s)
{
  const char *list = getenv("ROS_PACKAGE_PATH");
  bool found = false;
  while (list != NULL && *list != '\0' && !found) {
    const size_t length = strcspn(list, ":");
    char *folder = length > 0 ? strndup(list, length) : NULL;
    s->no_memory = s->no_memory || (length > 0 && folder == NULL);
    s->n_folders = 0;
    found = folder != NULL && try_below(s, folder, 0);
    if (s->n_folders > MOST_FOLDERS)
      note_tried(s, "the first folders below one of ROS_PACKAGE_PATH, which has too many");
    free(folder);
    list += length + (list[length] == ':' ? 1 : 0);
  }
  return found;
}

// ---------------------------------------------------------------------------------------------------------------------
// All places of a package
// ---------------------------------------------------------------------------------------------------------------------

static bool try_given(search *s)
{
  for (const char *const *entry = s->packages; entry != NULL && *entry != NULL; entry++) {
    const char *equals = strchr(*entry, '=');
    if (equals == NULL || (size_t)(equals - *entry) != s->name_length) continue;
    if (memcmp(*entry, s->name, s->name_length) != 0) continue;
    if (take(s, joined(s, equals + 1, strlen(equals + 1), s->rest, ""))) return true;
  }
  return false;
}

static bool try_above(search *s)
{
  if (s->folder[0] != '/') return false; // there is no such folder
  for (size_t length = strlen(s->folder);;) {
    if (is_package(s, s->folder, length) && take(s, joined(s, s->folder, length, s->rest, ""))) return true;
    if (try_inside(s, s->folder, length, "", false)) return true;
    if (length <= 1) return false;
    while (s->folder[length - 1] != '/') length--;
    while (length > 1 && s->folder[length - 1] == '/') length--;
  }
}

static bool try_environment(search *s, const char *variable, const char *middle, bool itself)
{
  const char *list = getenv(variable);
  while (list != NULL && *list != '\0') {
    const size_t length = strcspn(list, ":");
    if (length > 0) {
      if (itself && is_package(s, list, length) && take(s, joined(s, list, length, s->rest, ""))) return true;
      if (try_inside(s, list, length, middle, true)) return true;
    }
    list += length + (list[length] == ':' ? 1 : 0);
  }
  return false;
}

// What was looked through as a whole; single files that were not there have been noted already.
static void note_search(search *s)
{
  static const char *const variables[] = {"ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"};
  char text[4096 + 300];
  snprintf(text, sizeof text, "a package '%.*s' at or above %.4096s", (int)s->name_length, s->name, s->folder);
  note_tried(s, text);
  for (int i = 0; i < 2; i++) {
    const char *list = getenv(variables[i]);
    const bool is_set = list != NULL && *list != '\0';
    if (is_set && i == 1) continue;
    snprintf(text, sizeof text, is_set ? "the packages below %s" : "%s (not set)", variables[i]);
    note_tried(s, text);
  }
}

static bool find_in_package(search *s)
{
  if (try_given(s) || try_above(s) || try_environment(s, "ROS_PACKAGE_PATH", "", true) || try_below_entries(s) ||
      try_environment(s, "AMENT_PREFIX_PATH", "share", false))
    return true;
  note_search(s);
  return take(s, joined(s, s->folder, strlen(s->folder), s->rest, ""));
}

static bool find_path(search *s, const char *path)
{
  const bool absolute = path[0] == '/';
  return take(s, joined(s, s->folder, absolute ? 0 : strlen(s->folder), path, ""));
}

// ---------------------------------------------------------------------------------------------------------------------
// Addresses
// ---------------------------------------------------------------------------------------------------------------------

static const char *after(const char *text, const char *start)
{
  const size_t length = strlen(start);
  return strncmp(text, start, length) == 0 ? text + length : NULL;
}

static bool find(search *s, const char *address)
{
  const char *package = after(address, "package://");
  if (package == NULL) package = after(address, "model://");
  if (package != NULL) {
    s->name = package;
    s->name_length = strcspn(package, "/");
    s->rest = package + s->name_length;
    while (*s->rest == '/') s->rest++;
    return s->name_length > 0 && *s->rest != '\0' && find_in_package(s);
  }
  const char *path = after(address, "file://");
  if (path != NULL) return find_path(s, path);
  if (strstr(address, "://") != NULL) {
    note_tried(s, "nowhere: only package://, model://, file:// and plain paths are looked for");
    return false;
  }
  return find_path(s, address);
}

static int hex(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The address with %20 and the like undone, NULL when there is nothing to undo.
static char *undo_escapes(search *s, const char *address)
{
  if (strchr(address, '%') == NULL) return NULL;
  char *text = malloc(strlen(address) + 1);
  if (text == NULL) {
    s->no_memory = true;
    return NULL;
  }
  char *end = text;
  for (const char *c = address; *c != '\0'; c++) {
    const int high = *c == '%' ? hex(c[1]) : -1, low = high >= 0 ? hex(c[2]) : -1;
    if (low >= 0 && (high != 0 || low != 0))
      *end++ = (char)(16 * high + low), c += 2;
    else
      *end++ = *c;
  }
  *end = '\0';
  return text;
}

// The folder that holds the file; absolute unless it does not exist.
static char *folder_of(search *s, const char *file)
{
  const char *slash = strrchr(file, '/');
  char *folder = NULL;
  if (slash == NULL)
    folder = strdup(".");
  else
    folder = strndup(file, slash > file ? (size_t)(slash - file) : 1);
  char *whole = folder != NULL ? realpath(folder, NULL) : NULL;
  if (folder == NULL || (whole == NULL && errno == ENOMEM)) s->no_memory = true;
  if (whole == NULL) return folder;
  free(folder);
  return whole;
}

srs_status srs_resource_find(const char *address, const char *model_file, const char *const *packages,
                             srs_read_files *files, srs_resource *resource)
{
  *resource = (srs_resource){0};
  search s = {.packages = packages, .files = files, .resource = resource};
  char *folder = folder_of(&s, model_file);
  if (folder != NULL) {
    s.folder = folder;
    if (!find(&s, address)) {
      char *plain = undo_escapes(&s, address);
      if (plain != NULL) find(&s, plain);
      free(plain);
    }
  }
  free(folder);
  if (!s.no_memory && resource->path == NULL && resource->tried == NULL) note_tried(&s, "nowhere: it names no file");
  if (!s.no_memory) return SRS_OK;
  srs_resource_release(resource);
  return SRS_ERROR_MEMORY;
}

void srs_resource_release(srs_resource *resource)
{
  free(resource->path);
  free(resource->tried);
  *resource = (srs_resource){0};
}
