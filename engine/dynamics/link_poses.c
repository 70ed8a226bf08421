// Poses of the links, as collision takes them.
//
// The recursions place turned frames (topology/model/model.h). A link's own axes are the turned axes times B^T; the
// origin is the same.
#include "engine/dynamics/kinematics.h"

void srs_link_poses(const srs_workspace *w, srs_pose *links)
{
  const srs_model *m = w->model;
  srs_place_late(w);
  for (int k = 0; k < m->n_links; k++) {
    const m3 rows = m3_transpose(m3_times_matrix(w->place[k].axes, &m->link_axes[k]));
    v3_store(links[k].position, w->place[k].origin);
    v3_store(links[k].rotation, rows.x);
    v3_store(links[k].rotation + 3, rows.y);
    v3_store(links[k].rotation + 6, rows.z);
  }
}
