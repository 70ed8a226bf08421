// Masses of MJCF bodies.
//
// inertiafromgeom  auto: <inertial> where there is one, else the body's geoms; true: always geoms; false: never
// geoms            those of groups inertiagrouprange: mass, or density times volume (of a shell: times area)
// boundmass        no body's mass, boundinertia: no principal moment is below this
// balanceinertia   of moments that then break the triangle inequality each becomes the mean of the three
// settotalmass     all masses and moments times one factor, so that all bodies together have that mass

#include "topology/mjcf/mjcf_inertia.h"
#include "topology/mesh/mesh_inertia.h"
#include "topology/mjcf/mjcf_geoms.h"
#include "topology/mjcf_base/mjcf_assets.h"
#include "topology/mjcf_base/mjcf_pose.h"
#include "topology/model/shape_inertia.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Geoms
// ---------------------------------------------------------------------------------------------------------------------

static srs_status body_of_mesh(srs_mjcf *mjcf, const srs_mjcf_geom *geom, bool is_shell, srs_mesh_body *solid)
{
  srs_status status = srs_mjcf_load_mesh(mjcf, geom->asset);
  if (status != SRS_OK) return status;
  const srs_mjcf_asset *asset = &mjcf->assets[geom->asset];
  const int *triangles = asset->triangles;
  int n_triangles = asset->n_triangles;
  srs_mesh_body_kind kind = SRS_MESH_LEGACY;
  if (asset->inertia != NULL && strcmp(asset->inertia, "exact") == 0) kind = SRS_MESH_EXACT;
  if (asset->inertia != NULL && strcmp(asset->inertia, "convex") == 0) {
    kind = SRS_MESH_EXACT;
    status = srs_mjcf_hull_of_mesh(mjcf, asset, &triangles, &n_triangles);
    if (status != SRS_OK) return status;
  }
  if (is_shell || (asset->inertia != NULL && strcmp(asset->inertia, "shell") == 0)) kind = SRS_MESH_SHELL;
  if (srs_mesh_body_of(asset->points, triangles, n_triangles, kind, solid)) return SRS_OK;
  return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, geom->item.node, geom->word,
                       "mesh '%.80s' bounds no volume (it is flat, open or inside out), so that its body has no mass; "
                       "give the body an <inertial>",
                       asset->name);
}

// Volume (or area), centre and unit inertia of a geom, in its own frame. No volume: planes and height fields.
static srs_status solid_of(srs_mjcf *mjcf, const srs_mjcf_geom *geom, bool is_shell, srs_mesh_body *solid)
{
  *solid = (srs_mesh_body){0, vec3_zero, sym3_zero};
  if (geom->kind == SRS_MJCF_MESH) return body_of_mesh(mjcf, geom, is_shell, solid);
  if (geom->kind == SRS_MJCF_PLANE || geom->kind == SRS_MJCF_HFIELD) return SRS_OK;
  const srs_shape_def shape = srs_mjcf_shape_of(geom);
  if (is_shell)
    srs_shell_of_shape(shape.kind, shape.size, &solid->volume, &solid->inertia);
  else
    srs_solid_of_shape(shape.kind, shape.size, &solid->volume, &solid->inertia);
  return SRS_OK;
}

static srs_status body_of_geom(srs_mjcf *mjcf, const srs_mjcf_geom *geom, srs_body *body)
{
  bool is_shell = false;
  double density = 1000, mass = -1;
  *body = (srs_body){0, vec3_zero, sym3_zero};
  srs_status status = srs_mjcf_flag(mjcf, &geom->item, "shellinertia", &is_shell);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &geom->item, "density", 1, 1, &density, NULL);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &geom->item, "mass", 1, 1, &mass, NULL);
  if (status != SRS_OK) return status;
  if (srs_mjcf_text(&geom->item, "mass") != NULL ? mass < 0 : density < 0)
    return srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, geom->item.node, geom->word, "<geom> has a negative mass or density");
  if (mass == 0 || (mass < 0 && density == 0)) return SRS_OK;
  srs_mesh_body solid;
  status = solid_of(mjcf, geom, is_shell, &solid);
  if (status != SRS_OK || solid.volume == 0) return status;
  const double m = mass > 0 ? mass : density * solid.volume;
  const sym3 i = solid.inertia;
  const srs_body own = {m, solid.com, {m * i.xx, m * i.yy, m * i.zz, m * i.xy, m * i.xz, m * i.yz}};
  *body = srs_body_move(own, vec3_load(geom->pose.position), mat3_from_rows(geom->pose.rotation));
  return SRS_OK;
}

// Adds the geoms of all bodies that are to get their mass from them. first[b], next[g]: lists of geoms by body.
static srs_status weld_geoms(srs_mjcf *mjcf, const int *first, const int *next, int b, srs_body *parts)
{
  int n = 0;
  for (int g = first[b]; g >= 0; g = next[g]) {
    int group = 0;
    srs_status status = srs_mjcf_integer(mjcf, &mjcf->geoms[g].item, "group", &group);
    if (status != SRS_OK) return status;
    if (group < mjcf->compiler.group_range[0] || group > mjcf->compiler.group_range[1]) continue;
    status = body_of_geom(mjcf, &mjcf->geoms[g], &parts[n]);
    if (status != SRS_OK) return status;
    n += parts[n].mass > 0;
  }
  mjcf->bodies[b].mass = srs_body_weld(parts, n);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// <inertial>
// ---------------------------------------------------------------------------------------------------------------------

static void balance(double moments[3])
{
  const double a = moments[0], b = moments[1], c = moments[2];
  const double slack = 1e-12 * (a + b + c); // flat bodies are at the bound
  if (a + b + slack >= c && a + c + slack >= b && b + c + slack >= a) return;
  moments[0] = moments[1] = moments[2] = (a + b + c) / 3;
}

static srs_status read_moments(srs_mjcf *mjcf, const srs_mjcf_item *item, const srs_pose *pose, sym3 *inertia)
{
  static const char *const turns[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
  double m[6] = {0};
  const bool is_full = srs_mjcf_text(item, "fullinertia") != NULL;
  const srs_status status = is_full ? srs_mjcf_numbers(mjcf, item, "fullinertia", 6, 6, m, NULL)
                                    : srs_mjcf_numbers(mjcf, item, "diaginertia", 3, 3, m, NULL);
  if (status != SRS_OK) return status;
  *inertia = sym3_load(m);
  if (!is_full) *inertia = sym3_rotate(mat3_from_rows(pose->rotation), *inertia);
  for (size_t i = 0; i < sizeof turns / sizeof *turns && is_full; i++)
    if (srs_mjcf_text(item, turns[i]) != NULL)
      return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, item->node, NULL,
                           "<inertial> has a fullinertia and %s: the full matrix has its axes in it; leave one out",
                           turns[i]);
  return SRS_OK;
}

static srs_status read_inertial(srs_mjcf *mjcf, srs_mjcf_body *body)
{
  const srs_mjcf_item item = srs_mjcf_bare(body->inertial);
  srs_pose pose;
  if (srs_mjcf_text(&item, "mass") == NULL)
    return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, body->inertial, body->word, "<inertial> of body '%.80s' needs a mass",
                         body->name);
  srs_status status = srs_mjcf_pose(mjcf, &item, &pose);
  if (status == SRS_OK) status = srs_mjcf_numbers(mjcf, &item, "mass", 1, 1, &body->mass.mass, NULL);
  if (status == SRS_OK) status = read_moments(mjcf, &item, &pose, &body->mass.inertia);
  body->mass.com = vec3_load(pose.position);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Settings
// ---------------------------------------------------------------------------------------------------------------------

// Bounds first, then balance, on the principal moments; where neither changes anything the inertia stays as it is.
static void bound(const srs_mjcf_compiler *compiler, srs_body *mass)
{
  double before[3], moments[3];
  mat3 axes;
  mass->mass = fmax(mass->mass, compiler->bound_mass);
  srs_principal_axes(mass->inertia, before, &axes);
  for (int i = 0; i < 3; i++) moments[i] = fmax(before[i], compiler->bound_inertia);
  if (compiler->balance_inertia) balance(moments);
  if (moments[0] == before[0] && moments[1] == before[1] && moments[2] == before[2]) return;
  mass->inertia = sym3_rotate(axes, (sym3){moments[0], moments[1], moments[2], 0, 0, 0});
}

static void scale_all(srs_mjcf *mjcf)
{
  double total = 0;
  for (int i = 0; i < mjcf->n_bodies; i++) total += mjcf->bodies[i].mass.mass;
  if (!(mjcf->compiler.total_mass > 0) || !(total > 0)) return;
  const double factor = mjcf->compiler.total_mass / total;
  for (int i = 0; i < mjcf->n_bodies; i++) {
    srs_body *body = &mjcf->bodies[i].mass;
    const sym3 s = body->inertia;
    body->mass *= factor;
    body->inertia = (sym3){factor * s.xx, factor * s.yy, factor * s.zz, factor * s.xy, factor * s.xz, factor * s.yz};
  }
}

static srs_status find_mass(srs_mjcf *mjcf, const int *first, const int *next, int b, srs_body *parts)
{
  srs_mjcf_body *body = &mjcf->bodies[b];
  const srs_mjcf_inertia_source source = mjcf->compiler.from_geoms;
  body->mass = (srs_body){0, vec3_zero, sym3_zero};
  srs_status status = SRS_OK;
  if (source == SRS_MJCF_ALWAYS || (source == SRS_MJCF_AUTO && body->inertial == NULL))
    status = weld_geoms(mjcf, first, next, b, parts);
  else if (body->inertial != NULL)
    status = read_inertial(mjcf, body);
  // MuJoCo puts what boundmass gives to a body of nothing at the body's own `pos`, seen from the body.
  if (mjcf->compiler.bound_mass > 0 && !(body->mass.mass > 0) && (body->inertial == NULL || source == SRS_MJCF_ALWAYS))
    body->mass.com = body->written;
  if (status == SRS_OK) bound(&mjcf->compiler, &body->mass);
  if (status == SRS_OK && body->mass.mass < 0)
    status = srs_mjcf_fail(mjcf, SRS_ERROR_MODEL, body->inertial, body->word, "body '%.80s' has a negative mass",
                           body->name);
  return status;
}

srs_status srs_mjcf_find_masses(srs_mjcf *mjcf)
{
  srs_arena *memory = &mjcf->document->memory;
  int *first = srs_arena_take(memory, (size_t)mjcf->n_bodies, sizeof *first);
  int *next = srs_arena_take(memory, (size_t)mjcf->n_geoms, sizeof *next);
  srs_body *parts = srs_arena_take(memory, (size_t)mjcf->n_geoms + 1, sizeof *parts);
  if (first == NULL || next == NULL || parts == NULL) return srs_mjcf_no_memory(mjcf);
  for (int b = 0; b < mjcf->n_bodies; b++) first[b] = -1;
  for (int g = mjcf->n_geoms - 1; g >= 0; g--) {
    const int b = mjcf->geoms[g].body;
    next[g] = -1;
    if (b < 0) continue;
    next[g] = first[b];
    first[b] = g;
  }
  srs_status status = SRS_OK;
  for (int b = 0; b < mjcf->n_bodies && status == SRS_OK; b++) status = find_mass(mjcf, first, next, b, parts);
  if (status == SRS_OK) scale_all(mjcf);
  return status;
}
