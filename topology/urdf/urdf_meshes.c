// How do the meshes of a URDF file collide?
//
// A mesh to collide with becomes its convex hull, whose volume is compared with the mesh's own: what exceeds it by a
// fifth fills hollows that something may have to go into, and a note says so. One on a link that is welded to the world
// is terrain: its triangles as they are. `<sarrus collide="…"/>` chooses otherwise: `parts` makes a hull of each
// connected piece, which must be convex, `surface` takes the triangles, which must enclose a solid where they move. A
// mesh of the same file and scale is read once.
//
// A Collada file may say that its x or y axis points up. Programs that read robot descriptions take the axes as they
// are, so that is the default, and said. Where they are to be turned, by R, a mesh of scale S in a pose T is one of
// scale R' S R, again along the axes, in the pose T R.
//
// A mesh that is missing is a note where it is only drawn. One to collide with is a warning, and an obstacle to any
// simulation: a robot that falls through the floor in silence helps nobody.
#include "topology/urdf/urdf_meshes.h"
#include "topology/base/text.h"
#include "topology/builder/builder.h"
#include "topology/mesh/decomposition.h"
#include "topology/mesh/mesh_pieces.h"
#include "topology/mesh/resource.h"

#include <stdlib.h>
#include <string.h>

static const double HOLLOW = 1.2; // volume of a hull, of its mesh

struct srs_urdf_mesh {
  struct srs_urdf_mesh *next;
  const char *file, *address; // address: as the file names it
  double scale[3];            // as the file has it
  srs_mesh mesh;              // scaled
  srs_mesh_hull hull;
  bool has_hull, is_told;
};

// How a mesh's axes become x, y and z up: the axis that each of them is, and its sign.
typedef struct turn {
  int axis[3];
  double sign[3];
} turn;

// ---------------------------------------------------------------------------------------------------------------------
// Scale and place
// ---------------------------------------------------------------------------------------------------------------------

static bool has_one_word(const char *text)
{
  static const char *const space = " \t\r\n";
  const char *word = text + strspn(text, space), *rest = word + strcspn(word, space);
  return *word != '\0' && rest[strspn(rest, space)] == '\0';
}

static srs_status read_scale(srs_urdf *urdf, srs_xml_node *node, double scale[3])
{
  for (int i = 0; i < 3; i++) scale[i] = 1;
  const char *text = srs_xml_peek(node, "scale");
  if (text == NULL) return SRS_OK;
  const bool is_one = has_one_word(text);
  srs_status status = srs_xml_numbers(node, "scale", is_one ? 1 : 3, scale, urdf->error);
  if (status != SRS_OK) return status;
  if (is_one) scale[1] = scale[2] = scale[0];
  if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0)
    return srs_fail_at(urdf->error, SRS_ERROR_MODEL, srs_xml_place(node), NULL,
                       "<mesh scale=\"%.60s\">: a scale of 0 leaves nothing; expected three numbers that are not",
                       text);
  if (!is_one) return SRS_OK;
  return srs_urdf_note(urdf, node->line,
                       srs_xml_format(urdf->document,
                                      "<mesh scale=\"%.60s\"> has one number, the format wants three: taken for all",
                                      text));
}

// The axes to the right, away from the eye and up of a Collada file are x, -z, y where y is up, -y, -z, x where x is.
static turn turn_of(char up)
{
  if (up == 'Z') return (turn){{0, 1, 2}, {1, 1, 1}};
  if (up == 'X') return (turn){{1, 2, 0}, {-1, -1, 1}};
  return (turn){{0, 2, 1}, {1, -1, 1}}; // Y_UP, also where the file says nothing
}

static void turn_scale(turn t, const double scale[3], double turned[3])
{
  for (int i = 0; i < 3; i++) turned[t.axis[i]] = scale[i];
}

static void turn_shape(turn t, srs_shape_def *def)
{
  double scale[3], rotation[9];
  memcpy(scale, def->size, sizeof scale);
  memcpy(rotation, def->pose.rotation, sizeof rotation);
  turn_scale(t, scale, def->size);
  for (int row = 0; row < 3; row++)
    for (int i = 0; i < 3; i++) def->pose.rotation[3 * row + t.axis[i]] = t.sign[i] * rotation[3 * row + i];
}

static srs_status tell_turn(srs_urdf *urdf, const srs_xml_node *node, const char *address, char up)
{
  const char *text = NULL;
  if (urdf->options->apply_up_axis)
    text = srs_xml_format(urdf->document, "mesh '%s' is turned from %s to z up (up axis applied)", address,
                          up == 'X'   ? "X_UP"
                          : up == 'Y' ? "Y_UP"
                                      : "the y up that Collada takes where nothing is said");
  else
    text = srs_xml_format(urdf->document,
                          "mesh '%s' says %c_UP: its axes are taken as they are, as rviz, MoveIt, Gazebo and Pinocchio "
                          "do; --up-axis turns them",
                          address, up);
  return srs_urdf_note(urdf, node->line, text);
}

// Some programs write Windows paths.
static srs_status turn_slashes(srs_urdf *urdf, const srs_xml_node *node, const char **address)
{
  if (strchr(*address, '\\') == NULL) return SRS_OK;
  char *turned = srs_arena_copy(&urdf->document->memory, *address);
  if (turned == NULL) return srs_urdf_no_memory(urdf);
  for (char *c = turned; *c != '\0'; c++)
    if (*c == '\\') *c = '/';
  const srs_status status =
      srs_urdf_warn(urdf, node->line,
                    srs_xml_format(urdf->document, "mesh '%s' is written with backslashes: looked for as '%s'; use /",
                                   *address, turned));
  *address = turned;
  return status;
}

// One that is only drawn is a note; one to collide with a warning, and an obstacle unless it may be missing.
static srs_status tell_missing(srs_urdf *urdf, const srs_xml_node *node, const char *address, const char *link,
                               bool is_visual, const char *tried)
{
  const bool may_be_missing = is_visual || urdf->options->allow_missing_meshes;
  const char *text = srs_xml_format(urdf->document, "mesh '%s' of link '%s'%s was not found%s (looked for %s)", address,
                                    link, is_visual ? ", only drawn," : " to collide with",
                                    is_visual        ? ""
                                    : may_be_missing ? ": nothing of it collides"
                                                     : ", so no simulation can be made",
                                    tried);
  const srs_status status = is_visual ? srs_urdf_note(urdf, node->line, text) : srs_urdf_warn(urdf, node->line, text);
  if (may_be_missing || status != SRS_OK) return status;
  srs_urdf_locate(urdf, node);
  srs_builder_obstruct(
      urdf->builder, SRS_ERROR_FILE,
      "mesh '%.100s', which link '%.60s' collides with, was not found: name its folder with a package "
      "(--package NAME=DIR), do without it (--allow-missing-meshes) or without all shapes (--no-collision); looked for "
      "%.200s",
      address, link, tried);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

static bool is_same_scale(const double *a, const double *b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

static bool turns(const srs_urdf *urdf, const char *file, char up)
{
  return urdf->options->apply_up_axis && srs_has_ending(file, ".dae") && up != 'Z';
}

// A mesh that is only drawn is read for its axis where that counts; what is damaged in it is nobody's loss.
static srs_status turn_drawn(srs_urdf *urdf, const srs_xml_node *node, const char *address, srs_shape_def *def)
{
  srs_mesh mesh;
  if (!turns(urdf, def->file, '\0')) return SRS_OK;
  const srs_status status = srs_mesh_read(def->file, &urdf->builder->read, &mesh, NULL);
  const char up = mesh.up;
  srs_mesh_release(&mesh);
  if (status == SRS_ERROR_MEMORY) return srs_urdf_no_memory(urdf);
  if (status != SRS_OK || !turns(urdf, def->file, up)) return SRS_OK;
  turn_shape(turn_of(up), def);
  return tell_turn(urdf, node, address, up);
}

static srs_status take_mesh(srs_urdf *urdf, const srs_xml_node *node, const char *address, srs_shape_def *def,
                            const srs_urdf_mesh **mesh)
{
  for (srs_urdf_mesh *known = urdf->meshes; known != NULL; known = known->next)
    if (strcmp(known->file, def->file) == 0 && is_same_scale(known->scale, def->size)) {
      *mesh = known;
      if (turns(urdf, known->file, known->mesh.up)) turn_shape(turn_of(known->mesh.up), def);
      return SRS_OK;
    }
  srs_urdf_mesh *made = srs_arena_take(&urdf->document->memory, 1, sizeof *made);
  if (made == NULL) return srs_urdf_no_memory(urdf);
  *made = (srs_urdf_mesh){.next = urdf->meshes, .file = def->file, .address = address};
  memcpy(made->scale, def->size, sizeof made->scale);
  urdf->meshes = made; // to be released, whatever happens now
  const srs_status status = srs_mesh_read(made->file, &urdf->builder->read, &made->mesh, urdf->error);
  if (status != SRS_OK) {
    srs_place_error(urdf->error, srs_xml_place(node));
    return status;
  }
  const char up = made->mesh.up;
  if (turns(urdf, made->file, up)) turn_shape(turn_of(up), def);
  srs_mesh_scale(&made->mesh, def->size);
  srs_mesh_turn_outwards(&made->mesh);
  *mesh = made;
  const bool is_told = urdf->options->apply_up_axis ? turns(urdf, made->file, up) : up == 'X' || up == 'Y';
  return is_told ? tell_turn(urdf, node, address, up) : SRS_OK;
}

srs_status srs_urdf_read_mesh(srs_urdf *urdf, srs_xml_node *node, const char *link, srs_shape_def *def,
                              const srs_urdf_mesh **mesh)
{
  const char *address = NULL;
  *mesh = NULL;
  def->kind = SRS_SHAPE_MESH;
  srs_status status = srs_xml_required_text(node, "filename", &address, urdf->error);
  if (status == SRS_OK) status = read_scale(urdf, node, def->size);
  if (status == SRS_OK) status = turn_slashes(urdf, node, &address);
  if (status != SRS_OK) return status;
  srs_resource found;
  if (srs_resource_find(address, urdf->document->path, urdf->options->packages, &urdf->builder->read, &found) != SRS_OK)
    return srs_urdf_no_memory(urdf);
  def->file = srs_arena_copy(&urdf->document->memory, found.path != NULL ? found.path : address);
  if (def->file == NULL)
    status = srs_urdf_no_memory(urdf);
  else if (found.path == NULL)
    status = tell_missing(urdf, node, address, link, def->is_visual, found.tried);
  else if (def->is_visual)
    status = turn_drawn(urdf, node, address, def);
  else
    status = take_mesh(urdf, node, address, def, mesh);
  srs_resource_release(&found);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Adding
// ---------------------------------------------------------------------------------------------------------------------

static srs_status add_parts(srs_urdf *urdf, const srs_urdf_mesh *mesh, const srs_shape_def *def)
{
  static const double as_it_is[3] = {1, 1, 1};
  const srs_mesh_piece *pieces = NULL;
  int n = 0;
  srs_status status = srs_mesh_convex_pieces(&mesh->mesh, as_it_is, &urdf->document->memory, &pieces, &n, urdf->error);
  for (int i = 0; i < n && status == SRS_OK; i++) {
    srs_shape_def hull = *def;
    hull.kind = SRS_SHAPE_HULL;
    hull.points = pieces[i].points;
    hull.n_points = pieces[i].n_points;
    hull.part = i + 1;
    status = srs_builder_add_shape(urdf->builder, &hull, urdf->error);
  }
  return status;
}

// Its triangles, but those that two places of a corner make none.
static srs_status add_triangles(srs_urdf *urdf, const srs_urdf_mesh *mesh, bool is_still, const srs_shape_def *def,
                                int line)
{
  const int *from = mesh->mesh.triangles;
  int *kept = srs_arena_take(&urdf->document->memory, 3 * (size_t)mesh->mesh.n_triangles, sizeof *kept);
  if (kept == NULL) return srs_urdf_no_memory(urdf);
  srs_shape_def shape = *def;
  shape.kind = is_still ? SRS_SHAPE_TERRAIN : SRS_SHAPE_SURFACE;
  shape.points = mesh->mesh.points, shape.n_points = mesh->mesh.n_points;
  shape.triangles = kept, shape.n_triangles = 0;
  for (int t = 0; t < mesh->mesh.n_triangles; t++, from += 3)
    if (from[0] != from[1] && from[1] != from[2] && from[2] != from[0])
      memcpy(kept + 3 * (size_t)shape.n_triangles++, from, 3 * sizeof *kept);
  if (is_still && urdf->n_terrains++ == 0) urdf->terrain_line = line;
  return srs_builder_add_shape(urdf->builder, &shape, urdf->error);
}

static srs_status tell_hollow(srs_urdf *urdf, const srs_urdf_mesh *mesh, int line)
{
  static const char *const anyone = "a program for convex decomposition such as CoACD or V-HACD does";
  const char *command = srs_decomposition_command(mesh->file, &urdf->document->memory);
  const char *how = command != NULL ? srs_xml_format(urdf->document, "installed here: %s", command) : anyone;
  if (how == NULL) return srs_urdf_no_memory(urdf);
  return srs_urdf_note(
      urdf, line,
      srs_xml_format(urdf->document,
                     "mesh '%s' collides as its convex hull, %.2f times its volume: where its hollows matter divide it "
                     "into convex parts (%s) and have these collide (collide: parts in a scene, <sarrus "
                     "collide=\"parts\"/> in the <collision>)",
                     mesh->address, mesh->hull.hull.volume / mesh->hull.mesh.volume, how));
}

static srs_status find_hull(srs_urdf *urdf, srs_urdf_mesh *mesh)
{
  if (mesh->has_hull) return SRS_OK;
  const srs_status status = srs_mesh_make_hull(&mesh->mesh, &urdf->document->memory, &mesh->hull, urdf->error);
  mesh->has_hull = status == SRS_OK;
  return status;
}

static srs_status add_hull(srs_urdf *urdf, srs_urdf_mesh *mesh, const srs_shape_def *def, int line)
{
  srs_status status = find_hull(urdf, mesh);
  if (status != SRS_OK) return status;
  srs_urdf_hulls *hulls = &urdf->hulls;
  if (hulls->count++ == 0) hulls->line = line;
  const double ratio = mesh->hull.is_closed ? mesh->hull.hull.volume / mesh->hull.mesh.volume : 0;
  if (!mesh->hull.is_closed) hulls->n_open++;
  if (ratio > 0 && (hulls->least == 0 || ratio < hulls->least)) hulls->least = ratio;
  if (ratio > hulls->most) hulls->most = ratio;
  if (ratio > HOLLOW && !mesh->is_told) status = tell_hollow(urdf, mesh, line);
  mesh->is_told = true;
  srs_shape_def hull = *def;
  hull.kind = SRS_SHAPE_HULL;
  hull.points = mesh->hull.points;
  hull.n_points = mesh->hull.n_points;
  return status == SRS_OK ? srs_builder_add_shape(urdf->builder, &hull, urdf->error) : status;
}

srs_status srs_urdf_add_mesh(srs_urdf *urdf, const srs_urdf_mesh *mesh, srs_urdf_collide collide, bool is_still,
                             const srs_shape_def *def)
{
  const int line = urdf->builder_line;
  if (collide == SRS_COLLIDE_PARTS) return add_parts(urdf, mesh, def);
  if (collide == SRS_COLLIDE_SURFACE || (collide == SRS_COLLIDE_OWN && is_still))
    return add_triangles(urdf, mesh, is_still, def, line);
  return add_hull(urdf, (srs_urdf_mesh *)mesh, def, line);
}

bool srs_urdf_mesh_mass(srs_urdf *urdf, const srs_urdf_mesh *mesh, srs_solid_mass *mass)
{
  if (srs_mesh_mass(&mesh->mesh, mass)) return true;
  if (find_hull(urdf, (srs_urdf_mesh *)mesh) != SRS_OK) return false;
  *mass = mesh->hull.hull;
  return true;
}

static srs_status tell_hulls(srs_urdf *urdf)
{
  const srs_urdf_hulls *hulls = &urdf->hulls;
  if (hulls->count == 0) return SRS_OK;
  char range[80] = "", open[80] = "";
  if (hulls->most > 0) srs_print(range, sizeof range, ", %.2f to %.2f times their volume", hulls->least, hulls->most);
  if (hulls->n_open > 0)
    srs_print(open, sizeof open, "; %d of them bound no volume, since their triangles leave holes", hulls->n_open);
  const bool is_one = hulls->count == 1;
  return srs_urdf_note(urdf, hulls->line,
                       srs_xml_format(urdf->document, "%d mesh%s as convex hull%s%s%s", hulls->count,
                                      is_one ? " collides" : "es, from here on, collide", is_one ? "" : "s", range,
                                      open));
}

srs_status srs_urdf_tell_meshes(srs_urdf *urdf)
{
  const int n = urdf->n_terrains;
  const srs_status status = tell_hulls(urdf);
  if (status != SRS_OK || n == 0) return status;
  return srs_urdf_note(urdf, urdf->terrain_line,
                       n == 1 ? "1 mesh stands still and collides as terrain, by its triangles"
                              : srs_xml_format(urdf->document,
                                               "%d meshes, from here on, stand still and collide as terrain, by their "
                                               "triangles",
                                               n));
}

void srs_urdf_release_meshes(srs_urdf *urdf)
{
  for (srs_urdf_mesh *mesh = urdf->meshes; mesh != NULL; mesh = mesh->next) srs_mesh_release(&mesh->mesh);
  urdf->meshes = NULL;
}
