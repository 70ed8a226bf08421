// What does a shape weigh, and how is that distributed?
//
// Of boxes, cylinders, spheres and capsules by topology/model/shape_inertia.c; of meshes by mesh_solid.c, of their
// hulls where the triangles leave holes.
#include "topology/urdf/urdf_mass.h"
#include "topology/model/shape_inertia.h"

// A body of this volume, with the inertia of unit mass about its centre.
static srs_body body_of(double density, double volume, sym3 unit)
{
  const double m = density * volume;
  return (srs_body){m, vec3_zero, {m * unit.xx, m * unit.yy, m * unit.zz, m * unit.xy, m * unit.xz, m * unit.yz}};
}

srs_body srs_urdf_shape_body(srs_urdf *urdf, const srs_shape_def *def, const srs_urdf_mesh *mesh, double density)
{
  double volume;
  sym3 unit;
  srs_solid_mass solid;
  srs_body body = {0, vec3_zero, sym3_zero};
  if (srs_solid_of_shape(def->kind, def->size, &volume, &unit)) {
    body = body_of(density, volume, unit);
  } else if (mesh != NULL && srs_urdf_mesh_mass(urdf, mesh, &solid)) {
    double scaled[6];
    for (int i = 0; i < 6; i++) scaled[i] = density * solid.inertia[i];
    body = (srs_body){density * solid.volume, vec3_load(solid.com), sym3_load(scaled)};
  }
  return srs_body_move(body, vec3_load(def->pose.position), mat3_from_rows(def->pose.rotation));
}
