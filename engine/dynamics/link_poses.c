// Where are the links, as collision wants to know it?
//
// The recursions place turned frames (topology/model/model.h); a link's own axes are the turned ones times B^T, its
// origin is the same.
#include "engine/dynamics/link_poses.h"

void srs_link_poses(const srs_workspace *w, srs_pose *links)
{
  const srs_model *m = w->model;
  for (int k = 0; k < m->n_links; k++) {
    const m3 rows = m3_transpose(m3_times_matrix(w->place[k].axes, &m->link_axes[k]));
    v3_store(links[k].position, w->place[k].origin);
    v3_store(links[k].rotation, rows.x);
    v3_store(links[k].rotation + 3, rows.y);
    v3_store(links[k].rotation + 6, rows.z);
  }
}
