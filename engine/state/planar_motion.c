// Which trees move in a plane? A coordinate with the column (s_w, s_v) moves its link, and what hangs on it, within the
// planes at right angles to p where
//
//   s_w x p = 0,   s_v . p = 0
//
// Turning about p and sliding at right angles to it leave p as it is. So where all columns of a tree are so at one
// configuration, they are at every one.

#include "engine/state/planar_motion.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/recursion.h"

#include <math.h>

static const double rounding = 1e-9; // rad, of what a file's numbers leave of right angles

static bool is_along(v3 a, v3 p)
{
  const v3 aside = cross(a, p);
  return dot(aside, aside) <= rounding * rounding * dot(a, a);
}

static bool is_across(v3 a, v3 p) { return fabs(dot(a, p)) <= rounding * sqrt(dot(a, a)); }

static v3 unit(v3 a) { return a * (1 / sqrt(dot(a, a))); }

// What a tree that moves like `*so_far` can do with one more column.
static void add_column(srs_tree_motion *so_far, const v6 *column)
{
  srs_tree_motion next = *so_far;
  const bool turns = dot(column->ang, column->ang) > 0, slides = dot(column->lin, column->lin) > 0;
  if (turns && next.kind == SRS_TREE_SLIDING) {
    next.kind = SRS_TREE_PLANAR;
    next.normal = unit(column->ang);
  } else if (slides && next.kind == SRS_TREE_SLIDING && dot(next.slide, next.slide) > 0 &&
             !is_along(column->lin, next.slide)) {
    next.kind = SRS_TREE_PLANAR;
    next.normal = unit(cross(next.slide, column->lin));
  }
  if (slides && dot(next.slide, next.slide) == 0) next.slide = unit(column->lin);
  if (next.kind == SRS_TREE_PLANAR && ((turns && !is_along(column->ang, next.normal)) ||
                                       !is_across(column->lin, next.normal) || !is_across(next.slide, next.normal)))
    next.kind = SRS_TREE_SPATIAL;
  if (so_far->kind != SRS_TREE_SPATIAL) *so_far = next;
}

void srs_find_tree_motions(srs_workspace *w, srs_tree_motion *motion)
{
  const srs_model *m = w->model;
  srs_place_links(w, m->reference);
  for (int k = 0; k < m->n_links; k++) {
    if (w->root[k] == k) motion[k] = (srs_tree_motion){SRS_TREE_SLIDING, v3_zero, v3_zero};
    for (int i = m->v_index[k]; i < m->v_index[k + 1]; i++) {
      const v6 column = joint_column(w, k, i);
      add_column(&motion[w->root[k]], &column);
    }
  }
}

bool srs_share_plane(const srs_tree_motion *a, const srs_tree_motion *b, v3 *normal)
{
  const srs_tree_motion *leader = a != NULL && a->kind == SRS_TREE_PLANAR ? a : b;
  if (leader == NULL || leader->kind != SRS_TREE_PLANAR) return false;
  const srs_tree_motion *other = leader == a ? b : a;
  *normal = leader->normal;
  if (other == NULL) return true;
  switch (other->kind) {
  case SRS_TREE_SPATIAL: return false;
  case SRS_TREE_PLANAR: return is_along(other->normal, leader->normal);
  case SRS_TREE_SLIDING: return is_across(other->slide, leader->normal);
  }
  return false;
}
