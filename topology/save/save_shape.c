// How do poses, names and shapes stand in a scene? In flow maps, one line an entry; what has its default is left out.
#include "topology/save/save_shape.h"
#include "topology/model/shape_kind.h"
#include "topology/save/save_rotation.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Entries, texts, numbers
// ---------------------------------------------------------------------------------------------------------------------

void srs_scene_entry(srs_save *save, const char *indent, const char *key, int *n)
{
  if ((*n)++ == 0) srs_save_print(save, "%s%s:\n", indent, key);
  srs_save_print(save, "%s  - {", indent);
}

// A comma, unless an entry or a map has just begun.
static void add_key(srs_save *save, const char *key)
{
  const bool is_first = save->length > 0 && save->text[save->length - 1] == '{';
  srs_save_print(save, "%s%s: ", is_first ? "" : ", ", key);
}

// Letters, digits and marks that mean nothing in YAML, a letter first; not a word that could be more than a text.
static bool is_plain(const char *text)
{
  static const char *const words[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan"};
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  if (text[0] == '\0' || strchr(letters, text[0]) == NULL) return false;
  for (const char *c = text; *c != '\0'; c++)
    if (strchr(letters, *c) == NULL && strchr("0123456789-./", *c) == NULL) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *a = text, *b = words[i];
    while (*b != '\0' && (*a | 0x20) == *b) a++, b++;
    if (*a == '\0' && *b == '\0') return false;
  }
  return true;
}

void srs_scene_word(srs_save *save, const char *text)
{
  if (is_plain(text)) {
    srs_save_add(save, text);
    return;
  }
  srs_save_add(save, "\"");
  for (const char *c = text; *c != '\0'; c++) {
    const char one[2] = {*c, '\0'};
    if ((unsigned char)*c < ' ' || *c == 0x7f)
      srs_save_print(save, "\\x%02x", (unsigned char)*c);
    else
      srs_save_add(save, *c == '"' ? "\\\"" : *c == '\\' ? "\\\\" : one);
  }
  srs_save_add(save, "\"");
}

void srs_scene_text(srs_save *save, const char *key, const char *text)
{
  if (text == NULL) return;
  add_key(save, key);
  srs_scene_word(save, text);
}

void srs_scene_numbers(srs_save *save, const char *key, const double *values, int n)
{
  add_key(save, key);
  if (n > 1) srs_save_add(save, "[");
  srs_save_numbers(save, values, n, ", ", ".inf");
  if (n > 1) srs_save_add(save, "]");
}

// ---------------------------------------------------------------------------------------------------------------------
// Poses
// ---------------------------------------------------------------------------------------------------------------------

void srs_scene_rotation(srs_save *save, const char *key, const double rotation[9])
{
  double rpy[3];
  if (srs_is_identity_rotation(rotation)) return;
  add_key(save, key);
  srs_save_add(save, "{");
  if (srs_save_rpy(rotation, rpy))
    srs_scene_numbers(save, "rpy", rpy, 3);
  else
    srs_scene_numbers(save, "matrix", rotation, 9);
  srs_save_add(save, "}");
}

void srs_scene_pose(srs_save *save, const srs_pose *pose)
{
  if (!srs_all_are(pose->position, 3, 0)) srs_scene_numbers(save, "position", pose->position, 3);
  srs_scene_rotation(save, "rotation", pose->rotation);
}

void srs_scene_pose_key(srs_save *save, const char *key, const srs_pose *pose)
{
  if (srs_is_identity(pose)) return;
  add_key(save, key);
  srs_save_add(save, "{");
  srs_scene_pose(save, pose);
  srs_save_add(save, "}");
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------------------------------------------------

// A list of rows, each `n` of `stride` numbers long.
static void add_rows(srs_save *save, const char *key, const double *values, int rows, int n, int stride)
{
  add_key(save, key);
  for (int i = 0; i < rows; i++) {
    srs_save_add(save, i == 0 ? "[[" : ", [");
    srs_save_numbers(save, values + (size_t)i * (size_t)stride, n, ", ", ".inf");
    srs_save_add(save, "]");
  }
  srs_save_add(save, "]");
}

static void add_triangles(srs_save *save, const srs_shape_def *def)
{
  add_key(save, "triangles");
  for (int i = 0; i < def->n_triangles; i++) {
    const int *corners = def->triangles + 3 * (size_t)i;
    srs_save_print(save, "%s[%d, %d, %d]", i == 0 ? "[" : ", ", corners[0], corners[1], corners[2]);
  }
  srs_save_add(save, "]");
}

// The mesh that the points are of.
static void add_source(srs_save *save, const srs_shape_def *def)
{
  const double part = def->part;
  if (!srs_shape_table[def->kind].may_be_of_file || def->file == NULL) return;
  srs_save_add(save, ", source: {");
  srs_scene_text(save, "file", srs_save_file_name(save, def->file));
  if (!srs_all_are(def->size, 3, 1)) srs_scene_numbers(save, "size", def->size, 3);
  if (def->part > 0) srs_scene_numbers(save, "part", &part, 1);
  srs_save_add(save, "}");
}

static void add_measures(srs_save *save, const srs_shape_def *def)
{
  switch (def->kind) {
  case SRS_SHAPE_HALF_SPACE: break;
  case SRS_SHAPE_SPHERE: srs_scene_numbers(save, "radius", def->size, 1); break;
  case SRS_SHAPE_CYLINDER:
  case SRS_SHAPE_CAPSULE:
  case SRS_SHAPE_CONE:
    srs_scene_numbers(save, "radius", &def->size[0], 1);
    srs_scene_numbers(save, "length", &def->size[1], 1);
    break;
  case SRS_SHAPE_MESH:
    srs_scene_text(save, "file", srs_save_file_name(save, def->file));
    if (!srs_all_are(def->size, 3, 1)) srs_scene_numbers(save, "size", def->size, 3);
    break;
  case SRS_SHAPE_HULL: add_rows(save, "points", def->points, def->n_points, 3, 3); break;
  case SRS_SHAPE_TERRAIN:
  case SRS_SHAPE_SURFACE:
    add_rows(save, "points", def->points, def->n_points, 3, 3);
    add_triangles(save, def);
    break;
  case SRS_SHAPE_HEIGHTFIELD:
    srs_scene_numbers(save, "spacing", def->size, 2);
    add_rows(save, "heights", def->heights, def->n_rows, def->n_columns, def->n_columns);
    break;
  case SRS_SHAPE_PARABOLOID:
    srs_scene_numbers(save, "radii", def->size, 2);
    srs_scene_numbers(save, "height", &def->size[2], 1);
    break;
  case SRS_SHAPE_POLYGON:
    add_rows(save, "points", def->points, def->n_points, 2, 3);
    srs_scene_numbers(save, "thickness", def->size, 1);
    break;
  case SRS_SHAPE_SUPERELLIPSOID:
    srs_scene_numbers(save, "exponents", def->exponent, 2); // and its size
  // fall through
  case SRS_SHAPE_BOX:
  case SRS_SHAPE_ELLIPSOID: srs_scene_numbers(save, "size", def->size, 3); break;
  }
}

void srs_scene_shape(srs_save *save, const srs_shape_def *def, bool is_environment)
{
  if (def->name != NULL && def->name[0] != '\0') srs_scene_text(save, "name", def->name);
  srs_scene_text(save, is_environment ? "shape" : "kind", srs_shape_kind_name(def->kind));
  srs_scene_text(save, "link", def->link);
  if (is_environment)
    srs_scene_pose(save, &def->pose);
  else
    srs_scene_pose_key(save, "pose", &def->pose);
  add_measures(save, def);
  add_source(save, def);
  if (def->is_visual) srs_save_add(save, ", visual: true");
  const double group = def->group, mask = def->mask;
  if (def->group != 1) srs_scene_numbers(save, "group", &group, 1);
  if (def->mask != ~0U) srs_scene_numbers(save, "mask", &mask, 1);
  srs_scene_text(save, "material", def->material);
  srs_save_add(save, "}\n");
}
