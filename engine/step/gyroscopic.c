// Implicit gyroscopic terms of bodies that float alone.
//
// In the body's axes I (w+ - w_free) + h (w+ x I w+ - w x I w) = 0 about the mass centre, one Newton step from w_free;
// w is the velocity of the terms in w_free, that of the start or the mean. Its Jacobian I + h ([w] I - [I w]) is not
// symmetric, so it is not part of the mass matrix.

#include "engine/step/gyroscopic.h"
#include "engine/loops/embedding.h"

static vec3 gyroscopic_step(sym3 inertia, vec3 w, vec3 w_free, double h)
{
  const vec3 free_spin = sym3_times(inertia, w_free);
  const vec3 residual = scale3(h, sub3(cross3(w_free, free_spin), cross3(w, sym3_times(inertia, w))));
  const mat3 I = {
      {inertia.xx, inertia.xy, inertia.xz}, {inertia.xy, inertia.yy, inertia.yz}, {inertia.xz, inertia.yz, inertia.zz}};
  const vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const vec3 column[3] = {I.x, I.y, I.z};
  vec3 J[3];
  for (int i = 0; i < 3; i++)
    J[i] = add_scaled3(column[i], h, sub3(cross3(w_free, column[i]), cross3(free_spin, unit[i])));
  const vec3 yz = cross3(J[1], J[2]);
  const double share = -1 / dot3(J[0], yz); // Cramer's rule
  return add3(w_free, scale3(share, (vec3){dot3(residual, yz), dot3(residual, cross3(J[2], J[0])),
                                           dot3(residual, cross3(J[0], J[1]))}));
}

void srs_gyroscopic_steps(const srs_workspace *w, double dt, const double *v, double *v_next)
{
  const srs_model *m = w->model;
  for (int k = 0; k < m->n_links; k++) {
    if (m->kind[k] != SRS_JOINT_FREE || m->parent[k] >= 0 || m->subtree_end[k] != k + 1 || !(m->links[k].mass > 0))
      continue;
    if (w->embedding != NULL && w->embedding->of_link[k] >= 0) continue; // an embedded loop holds it
    const int i = m->v_index[k] + 3;
    const sym3 inertia = sym3_load(m->links[k].inertia); // for free joints the turned axes are the link's
    const vec3 before = vec3_load(v_next + i);
    const vec3 after = gyroscopic_step(inertia, vec3_load(v + i), before, dt);
    vec3_store(v_next + i, after);
    // The mass centre keeps its velocity, so the velocity of the link's origin changes.
    const vec3 swing = cross3(sub3(before, after), vec3_load(m->links[k].com));
    double *origin = v_next + m->v_index[k];
    v3_store(origin, v3_load(origin) + m3_times_packed(w->place[k].axes, &swing));
  }
}
