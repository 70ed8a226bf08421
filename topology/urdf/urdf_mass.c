// What does a shape weigh, and how is that distributed?
//
// At density rho, about the centre, z along the axis (L the length, of capsules the straight part):
//
//   box a b c    m = rho a b c          I_xx = m (b^2 + c^2) / 12, ...
//   cylinder     m = rho pi r^2 L       I_zz = m r^2 / 2,  I_xx = m (3 r^2 + L^2) / 12
//   sphere       m = rho 4/3 pi r^3     I = 2/5 m r^2
//   capsule      a cylinder m_c and the halves m_s of a sphere, each 3/8 r beyond the straight part's end:
//                I_zz = m_c r^2 / 2 + 2/5 m_s r^2,
//                I_xx = m_c (3 r^2 + L^2) / 12 + m_s (2/5 r^2 + L^2 / 4 + 3/8 L r)
//   mesh         mesh_solid.c; its hull where the triangles leave holes
#include "topology/urdf/urdf_mass.h"

static const double pi = 3.14159265358979323846;

static srs_body round_body(double cylinder, double balls, double r, double length)
{
  const double r2 = r * r, l2 = length * length;
  const double along = cylinder * r2 / 2 + 0.4 * balls * r2;
  const double across = cylinder * (3 * r2 + l2) / 12 + balls * (0.4 * r2 + l2 / 4 + 0.375 * length * r);
  return (srs_body){cylinder + balls, vec3_zero, {across, across, along, 0, 0, 0}};
}

srs_body srs_urdf_shape_body(srs_urdf *urdf, const srs_shape_def *def, const srs_urdf_mesh *mesh, double density)
{
  const double *s = def->size, r = s[0];
  const double ball = density * 4 / 3 * pi * r * r * r, disc = density * pi * r * r;
  srs_solid_mass solid;
  srs_body body = {0, vec3_zero, sym3_zero};
  if (def->kind == SRS_SHAPE_BOX) {
    const double m = body.mass = density * s[0] * s[1] * s[2], x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2];
    body.inertia = (sym3){m * (y + z) / 12, m * (x + z) / 12, m * (x + y) / 12, 0, 0, 0};
  } else if (def->kind == SRS_SHAPE_SPHERE) {
    body = round_body(0, ball, r, 0);
  } else if (def->kind == SRS_SHAPE_CYLINDER) {
    body = round_body(disc * s[1], 0, r, s[1]);
  } else if (def->kind == SRS_SHAPE_CAPSULE) {
    body = round_body(disc * s[1], ball, r, s[1]);
  } else if (mesh != NULL && srs_urdf_mesh_mass(urdf, mesh, &solid)) {
    double scaled[6];
    for (int i = 0; i < 6; i++) scaled[i] = density * solid.inertia[i];
    body = (srs_body){density * solid.volume, vec3_load(solid.com), sym3_load(scaled)};
  }
  return srs_body_move(body, vec3_load(def->pose.position), mat3_from_rows(def->pose.rotation));
}
