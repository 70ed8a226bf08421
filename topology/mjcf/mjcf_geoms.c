// Geoms of MJCF.
//
// Sizes there are radii and half lengths; here boxes and lengths are whole. A plane is the half-space below it, however
// large it is drawn. A mesh collides as the convex hull of its points, as in MuJoCo. What neither meets others
// (contype) nor is met (conaffinity) is drawn only.

#include "topology/mjcf/mjcf_geoms.h"
#include "topology/builder/builder.h"
#include "topology/mjcf/mjcf_constraints.h"
#include "topology/mjcf_base/mjcf_assets.h"
#include "topology/mjcf_base/mjcf_pose.h"
#include "topology/mjcf_base/mjcf_settings.h"
#include "topology/xml/additions.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Listing
// ---------------------------------------------------------------------------------------------------------------------

static const char *const kinds[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                    "cylinder", "box",    "mesh",   "sdf",     NULL};

// How many entries of `size` a kind has that must be above zero.
static int sizes_of(srs_mjcf_geom_kind kind)
{
  static const int n[] = {0, 0, 1, 2, 3, 2, 3, 0, 0};
  return n[kind];
}

// A segment gives the half length, of boxes and ellipsoids that along z.
static srs_status read_size(srs_mjcf *mjcf, srs_mjcf_geom *geom, double half)
{
  srs_status status = srs_mjcf_numbers(mjcf, &geom->item, "size", 0, 3, geom->size, NULL);
  if (status != SRS_OK) return status;
  if (half >= 0 && (geom->kind == SRS_MJCF_BOX || geom->kind == SRS_MJCF_ELLIPSOID)) {
    geom->size[1] = geom->size[0];
    geom->size[2] = half;
  } else if (half >= 0) {
    geom->size[1] = half;
  }
  for (int i = 0; i < sizes_of(geom->kind); i++)
    if (!(geom->size[i] > 0))
      return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, geom->item.node, geom->word,
                           "<geom type=\"%s\"> needs %d sizes above 0, and number %d is %g", kinds[geom->kind],
                           sizes_of(geom->kind), i + 1, geom->size[i]);
  return SRS_OK;
}

static srs_status read_asset(srs_mjcf *mjcf, srs_mjcf_geom *geom)
{
  const char *mesh = srs_mjcf_text(&geom->item, "mesh"), *hfield = srs_mjcf_text(&geom->item, "hfield");
  const bool is_mesh = geom->kind == SRS_MJCF_MESH, is_hfield = geom->kind == SRS_MJCF_HFIELD;
  geom->asset = -1;
  if (geom->kind == SRS_MJCF_SDF)
    return srs_mjcf_fail(mjcf, SRS_ERROR_UNSUPPORTED, geom->item.node, geom->word,
                         "<geom type=\"sdf\"> needs a plugin, which is not read; give it another type");
  if (mesh != NULL && !is_mesh)
    return srs_mjcf_fail(mjcf, SRS_ERROR_UNSUPPORTED, geom->item.node, geom->word,
                         "<geom type=\"%s\" mesh=...>: fitting a shape to a mesh is not supported; give it sizes, or "
                         "type=\"mesh\"",
                         kinds[geom->kind]);
  if (!is_mesh && !is_hfield) return SRS_OK;
  const char *name = is_mesh ? mesh : hfield;
  if (name == NULL)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, geom->item.node, geom->word, "<geom type=\"%s\"> needs %s=...",
                         kinds[geom->kind], kinds[geom->kind]);
  return srs_mjcf_find_asset(mjcf, name, is_hfield, geom->item.node, &geom->asset);
}

static srs_status read_contact(srs_mjcf *mjcf, srs_mjcf_geom *geom)
{
  int contype = 1, conaffinity = 1;
  geom->condim = 3;
  const double friction[3] = {1, 0.005, 0.0001};
  memcpy(geom->friction, friction, sizeof friction);
  srs_status status = srs_mjcf_integer(mjcf, &geom->item, "contype", &contype);
  if (status == SRS_OK) status = srs_mjcf_integer(mjcf, &geom->item, "conaffinity", &conaffinity);
  if (status == SRS_OK) status = srs_mjcf_integer(mjcf, &geom->item, "condim", &geom->condim);
  if (status == SRS_OK) status = srs_mjcf_integer(mjcf, &geom->item, "priority", &geom->priority);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &geom->item, "friction", 1, 3, geom->friction, NULL);
  if (status != SRS_OK) return status;
  geom->contype = (unsigned)contype;
  geom->conaffinity = (unsigned)conaffinity;
  if (geom->condim == 1 || geom->condim == 3 || geom->condim == 4 || geom->condim == 6) return SRS_OK;
  return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, geom->item.node, geom->word,
                       "<geom condim=\"%d\">: expected 1, 3, 4 or 6", geom->condim);
}

srs_status srs_mjcf_read_geom(srs_mjcf *mjcf, srs_xml_node *node, const char *word, int body, const srs_pose *around,
                              const srs_mjcf_class *class)
{
  srs_mjcf_geom *geoms = srs_mjcf_grow(mjcf, mjcf->geoms, mjcf->n_geoms, &mjcf->geom_room, sizeof *geoms);
  if (geoms == NULL) return srs_mjcf_no_memory(mjcf);
  mjcf->geoms = geoms;
  srs_mjcf_geom geom = {.word = word, .body = body};
  int kind = SRS_MJCF_SPHERE;
  srs_pose pose;
  double half;
  srs_status status = srs_mjcf_item_of(mjcf, node, "geom", class, &geom.item);
  if (status == SRS_OK) status = srs_mjcf_choice(mjcf, &geom.item, "type", kinds, &kind);
  geom.kind = (srs_mjcf_geom_kind)kind;
  if (status == SRS_OK) status = srs_mjcf_pose_of_segment(mjcf, &geom.item, &pose, &half);
  if (status == SRS_OK) status = read_asset(mjcf, &geom);
  if (status == SRS_OK) status = read_size(mjcf, &geom, half);
  if (status == SRS_OK) status = read_contact(mjcf, &geom);
  if (status == SRS_OK && word != NULL)
    status = srs_mjcf_add_name(mjcf, &mjcf->geom_names, "geom", word, mjcf->n_geoms, node);
  if (status != SRS_OK) return status;
  geom.pose = srs_mjcf_compose(around, &pose);
  mjcf->geoms[mjcf->n_geoms++] = geom;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Building
// ---------------------------------------------------------------------------------------------------------------------

srs_shape_def srs_mjcf_shape_of(const srs_mjcf_geom *geom)
{
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_SPHERE);
  const double *s = geom->size;
  switch (geom->kind) {
  case SRS_MJCF_PLANE: def.kind = SRS_SHAPE_HALF_SPACE; break;
  case SRS_MJCF_SPHERE: def.size[0] = s[0]; break;
  case SRS_MJCF_CAPSULE:
  case SRS_MJCF_CYLINDER:
    def.kind = geom->kind == SRS_MJCF_CAPSULE ? SRS_SHAPE_CAPSULE : SRS_SHAPE_CYLINDER;
    def.size[0] = s[0];
    def.size[1] = 2 * s[1];
    break;
  case SRS_MJCF_ELLIPSOID:
    def.kind = SRS_SHAPE_ELLIPSOID;
    memcpy(def.size, s, sizeof def.size);
    break;
  case SRS_MJCF_BOX:
    def.kind = SRS_SHAPE_BOX;
    for (int i = 0; i < 3; i++) def.size[i] = 2 * s[i];
    break;
  case SRS_MJCF_HFIELD:
  case SRS_MJCF_MESH:
  case SRS_MJCF_SDF: break;
  }
  return def;
}

// Ground stands on the world itself; bodies that are welded to the world stand there too.
static srs_status ground_pose(srs_mjcf *mjcf, const srs_mjcf_geom *geom, srs_pose *pose)
{
  if (geom->body >= 0 && mjcf->bodies[geom->body].weld >= 0)
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, geom->item.node, geom->word,
                         "a height field stands on a body that moves; only the world may have one");
  *pose = geom->pose;
  for (int body = geom->body; body >= 0; body = mjcf->bodies[body].parent)
    *pose = srs_mjcf_compose(&mjcf->bodies[body].pose, pose);
  *pose = srs_mjcf_compose(&mjcf->options->placement, pose);
  return SRS_OK;
}

static srs_status add_hfield(srs_mjcf *mjcf, const srs_mjcf_geom *geom, srs_shape_def *def)
{
  const srs_mjcf_asset *asset = &mjcf->assets[geom->asset];
  def->kind = SRS_SHAPE_HEIGHTFIELD;
  def->link = NULL;
  def->heights = asset->heights;
  def->n_rows = asset->n_rows;
  def->n_columns = asset->n_columns;
  memcpy(def->size, asset->spacing, sizeof asset->spacing);
  return ground_pose(mjcf, geom, &def->pose);
}

static srs_status add_mesh(srs_mjcf *mjcf, const srs_mjcf_geom *geom, srs_shape_def *def)
{
  const bool is_drawn_only = def->is_visual;
  const srs_mjcf_asset *asset = &mjcf->assets[geom->asset];
  def->kind = is_drawn_only ? SRS_SHAPE_MESH : SRS_SHAPE_HULL;
  if (!is_drawn_only) {
    const srs_status status = srs_mjcf_load_mesh(mjcf, geom->asset);
    def->points = asset->points;
    def->n_points = asset->n_points;
    return status;
  }
  memcpy(def->size, asset->scale, sizeof def->size);
  def->file = asset->file != NULL ? asset->file : asset->name;
  return SRS_OK;
}

static srs_status add_geom(srs_mjcf *mjcf, const srs_mjcf_geom *geom, unsigned group, unsigned mask)
{
  srs_shape_def def = srs_mjcf_shape_of(geom);
  def.pose = geom->pose;
  def.is_visual = geom->contype == 0 && geom->conaffinity == 0 && !geom->is_paired;
  def.group = group;
  def.mask = mjcf->has_no_contact ? 0 : mask;
  def.material = geom->material;
  if (geom->body >= 0)
    def.link = srs_mjcf_prefixed(mjcf, mjcf->bodies[geom->body].name);
  else
    def.pose = srs_mjcf_compose(&mjcf->options->placement, &geom->pose);
  if (geom->word != NULL) def.name = srs_mjcf_prefixed(mjcf, geom->word);
  if (mjcf->document->memory.failed) return srs_mjcf_no_memory(mjcf);
  srs_status status = SRS_OK;
  if (geom->kind == SRS_MJCF_HFIELD) status = add_hfield(mjcf, geom, &def);
  if (geom->kind == SRS_MJCF_MESH) status = add_mesh(mjcf, geom, &def);
  if (status != SRS_OK) return status;
  srs_mjcf_locate(mjcf, geom->item.node);
  return srs_builder_add_shape(mjcf->builder, &def, mjcf->error);
}

srs_status srs_mjcf_add_geoms(srs_mjcf *mjcf)
{
  unsigned *groups = srs_arena_take(&mjcf->document->memory, (size_t)mjcf->n_geoms, sizeof *groups);
  unsigned *masks = srs_arena_take(&mjcf->document->memory, (size_t)mjcf->n_geoms, sizeof *masks);
  if (groups == NULL || masks == NULL) return srs_mjcf_no_memory(mjcf);
  const int first = mjcf->builder->n_shapes;
  srs_status status = srs_mjcf_find_contact_groups(mjcf, groups, masks);
  for (int i = 0; i < mjcf->n_geoms && status == SRS_OK; i++)
    status = add_geom(mjcf, &mjcf->geoms[i], groups[i], masks[i]);
  srs_builder_set_own_filter(mjcf->builder, first);
  return status;
}
