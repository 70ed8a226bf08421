// Which implicit surfaces bound a solid?
//
// Each solid is an intersection of the surfaces of surfaces.h: a box of six half-spaces, a cylinder of an endless one
// and two half-spaces, a paraboloid of its bowl and one half-space. A point well inside each is known.
#include "collision/shapes/solid_surfaces.h"

static void add(srs_solid_surfaces *s, srs_surface_kind kind, const srs_solid *solid)
{
  srs_surface *added = &s->surface[s->body.n];
  *added = srs_default_surface(kind);
  for (int i = 0; i < 3; i++) added->size[i] = solid->size[i];
  for (int i = 0; i < 2; i++) added->exponent[i] = solid->exponent[i];
  s->pose[s->body.n++] = srs_identity_pose();
}

// A half-space whose outward normal is axis `axis`, times `sign`, of the solid, `offset` from its origin.
static void add_plane(srs_solid_surfaces *s, const srs_solid *solid, int axis, double sign, double offset)
{
  const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const vec3 z = scale3(sign, axes[axis]), x = axes[(axis + 1) % 3];
  add(s, SRS_SURFACE_HALF_SPACE, solid);
  srs_pose *pose = &s->pose[s->body.n - 1];
  mat3_to_rows(pose->rotation, (mat3){x, cross3(z, x), z});
  vec3_store(pose->position, scale3(offset, z));
}

static double least3(const double size[3]) { return fmin(size[0], fmin(size[1], size[2])); }

bool srs_solid_surfaces_make(const srs_solid *solid, srs_solid_surfaces *s)
{
  const double *size = solid->size, mean = cbrt(size[0] * size[1] * size[2]);
  s->body = (srs_surface_body){.n = 0, .surfaces = s->surface, .poses = s->pose, .depth = 1};
  switch (solid->kind) {
  case SRS_SHAPE_SPHERE: add(s, SRS_SURFACE_SPHERE, solid), s->body.depth = 0.5 * size[0]; break;
  case SRS_SHAPE_ELLIPSOID: add(s, SRS_SURFACE_ELLIPSOID, solid), s->body.depth = 0.5 * mean; break;
  case SRS_SHAPE_SUPERELLIPSOID: add(s, SRS_SURFACE_SUPERELLIPSOID, solid), s->body.depth = 0.5 * mean; break;
  case SRS_SHAPE_PARABOLOID:
    add(s, SRS_SURFACE_PARABOLOID, solid);
    add_plane(s, solid, 2, -1, size[2]);
    s->body.centre[2] = -0.5 * size[2], s->body.depth = 0.5 * size[2];
    break;
  case SRS_SHAPE_CYLINDER:
    add(s, SRS_SURFACE_CYLINDER, solid);
    for (int i = 0; i < 2; i++) add_plane(s, solid, 2, i ? -1 : 1, 0.5 * size[1]);
    s->body.depth = 0.5 * fmin(size[0], size[1]);
    break;
  case SRS_SHAPE_BOX:
    for (int i = 0; i < 6; i++) add_plane(s, solid, i / 2, i % 2 ? -1 : 1, 0.5 * size[i / 2]);
    s->body.depth = 0.5 * least3(size);
    break;
  case SRS_SHAPE_HALF_SPACE: add(s, SRS_SURFACE_HALF_SPACE, solid), s->body.centre[2] = -1; break;
  default: break; // no surfaces
  }
  return s->body.n > 0;
}
