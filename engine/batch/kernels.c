// What a batch works in, and its recursions, of one width.

#include "engine/batch/kernels.h"
#include "engine/batch/memory.h"
#include "engine/dynamics/block.h"

#include <limits.h>

static size_t lay_out(srs_batch *b, char *base)
{
  const srs_model *m = b->model;
  const size_t n = (size_t)m->n_links, nv = (size_t)m->nv;
  size_t used = 0;
  b->fixed = srs_block_take(base, &used, n, sizeof *b->fixed);
  b->frames = srs_block_take(base, &used, (size_t)m->n_frames, sizeof *b->frames);
  b->turns = srs_block_take(base, &used, (size_t)m->n_angles, sizeof *b->turns);
  b->order = srs_block_take(base, &used, n, sizeof *b->order);
  b->row_end = srs_block_take(base, &used, nv, sizeof *b->row_end);
  b->gaps = srs_block_take(base, &used, nv > SRS_BATCH_WHOLE ? 0 : nv * nv / ((size_t)2 * LANES) + 1, sizeof *b->gaps);
  b->q = srs_block_take(base, &used, (size_t)m->nq, sizeof *b->q);
  b->v = srs_block_take(base, &used, nv, sizeof *b->v);
  b->a = srs_block_take(base, &used, nv, sizeof *b->a);
  b->tau = srs_block_take(base, &used, nv, sizeof *b->tau);
  b->extra = srs_block_take(base, &used, nv, sizeof *b->extra);
  b->cosine = srs_block_take(base, &used, (size_t)m->n_angles, sizeof *b->cosine);
  b->sine = srs_block_take(base, &used, (size_t)m->n_angles, sizeof *b->sine);
  b->ahead.q = srs_block_take(base, &used, (size_t)m->nq, sizeof *b->ahead.q);
  b->ahead.cosine = srs_block_take(base, &used, (size_t)m->n_angles, sizeof *b->ahead.cosine);
  b->ahead.sine = srs_block_take(base, &used, (size_t)m->n_angles, sizeof *b->ahead.sine);
  b->links = srs_block_take(base, &used, n, sizeof *b->links);
  b->axes = srs_block_take(base, &used, n, sizeof *b->axes);
  b->origin = srs_block_take(base, &used, n, sizeof *b->origin);
  b->column = srs_block_take(base, &used, nv, sizeof *b->column);
  b->articulated = srs_block_take(base, &used, n, sizeof *b->articulated);
  b->pivots = srs_block_take(base, &used, nv, sizeof *b->pivots);
  b->bodies = srs_block_take(base, &used, n, sizeof *b->bodies);
  b->motions = srs_block_take(base, &used, nv, sizeof *b->motions);
  b->forces = srs_block_take(base, &used, nv, sizeof *b->forces);
  b->matrix = srs_block_take(base, &used, (nv > SRS_BATCH_WHOLE ? LANES : nv) * nv, sizeof *b->matrix);
  b->spare = srs_block_take(base, &used, nv * nv, sizeof *b->spare);
  return used;
}

const srs_batch_kernels srs_batch_four = {.width = LANES,
                                          .most_coordinates = LANES > QUAD ? SRS_BATCH_WHOLE : INT_MAX,
                                          .lay_out = lay_out,
                                          .forward_kinematics = srs_batch_places,
                                          .inverse_dynamics = srs_batch_forces,
                                          .forward_dynamics = srs_batch_accelerations,
                                          .mass_matrix = srs_batch_matrices,
                                          .step = srs_batch_steps};
