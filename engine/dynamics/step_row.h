// One constraint row of a step's problem, from any source. Internal.
#pragma once
#include "engine/dynamics/workspace.h"

enum { SRS_ROW_SIDES = 16, SRS_ROW_WRENCHES = 4 };

/// A row's velocity is the sum over its sides. A side on a link gives wrench . V(link), the wrench being the row's unit
/// impulse on that link about the link's origin, world axes. A side on a coordinate gives coefficient * v[coordinate],
/// a unit impulse being the generalised impulse `coefficient` on that coordinate. Sides on the world are left out. Only
/// the first SRS_ROW_WRENCHES sides may be on links; a model's rows have at most most_row_sides.
typedef struct srs_step_row {
  int n_sides;
  bool is_coordinate[SRS_ROW_SIDES];
  int link[SRS_ROW_SIDES];       // of a coordinate: the link that its joint carries
  int coordinate[SRS_ROW_SIDES]; // index of v, where is_coordinate
  double coefficient[SRS_ROW_SIDES];
  v6 wrench[SRS_ROW_WRENCHES];
} srs_step_row;

static inline srs_step_row srs_empty_row(void) { return (srs_step_row){.n_sides = 0}; }

/// Appends a side with a wrench on a link; nothing for link -1. At most SRS_ROW_WRENCHES sides.
static inline void srs_wrench_side(int link, v6 wrench, srs_step_row *row)
{
  if (link < 0) return;
  const int i = row->n_sides++;
  row->is_coordinate[i] = false;
  row->link[i] = link;
  row->wrench[i] = wrench;
}

/// Appends a side coefficient * v[v_index]: an impulse on the joint's coordinate, so on child and parent at once.
static inline void srs_coordinate_sides(const srs_workspace *w, int v_index, double coefficient, srs_step_row *row)
{
  const int i = row->n_sides++;
  row->is_coordinate[i] = true;
  row->link[i] = w->model->link_of_v[v_index];
  row->coordinate[i] = v_index;
  row->coefficient[i] = coefficient;
  if (i < SRS_ROW_WRENCHES) row->wrench[i] = v6_zero;
}

/// Copies the sides in use; the others keep their values.
SRS_INLINE void srs_row_copy(const srs_step_row *from, srs_step_row *to)
{
  to->n_sides = from->n_sides;
  for (int i = 0; i < from->n_sides; i++) {
    to->is_coordinate[i] = from->is_coordinate[i];
    to->link[i] = from->link[i];
    to->coordinate[i] = from->coordinate[i];
    to->coefficient[i] = from->coefficient[i];
    if (i < SRS_ROW_WRENCHES) to->wrench[i] = from->wrench[i];
  }
}

/// One side, as srs_delassus_of_tree takes it.
static inline srs_row srs_row_side(const srs_step_row *row, int i)
{
  if (row->is_coordinate[i]) return (srs_row){row->link[i], row->coordinate[i], row->coefficient[i], v6_zero};
  return (srs_row){row->link[i], -1, 0, row->wrench[i]};
}

/// @param velocity  n_links: of the links' origins, world axes (srs_move_links)   @param v  nv
SRS_INLINE double srs_row_velocity(const srs_step_row *row, const v6 *velocity, const double *v)
{
  double sum = 0;
  for (int i = 0; i < row->n_sides; i++)
    sum += row->is_coordinate[i] ? row->coefficient[i] * v[row->coordinate[i]]
                                 : v6_dot(row->wrench[i], velocity[row->link[i]]);
  return sum;
}

/// Adds an impulse of the row to the impulses on links and on coordinates, for srs_respond.
/// @param on_links  n_links   @param on_coordinates  nv
SRS_INLINE void srs_row_push(const srs_step_row *row, double impulse, v6 *on_links, double *on_coordinates)
{
  for (int i = 0; i < row->n_sides; i++)
    if (row->is_coordinate[i])
      on_coordinates[row->coordinate[i]] += impulse * row->coefficient[i];
    else
      on_links[row->link[i]] = v6_add_scaled(on_links[row->link[i]], impulse, row->wrench[i]);
}
