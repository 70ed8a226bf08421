// Where are frames, and how do they move with the coordinates? Segments are placed in the world, R_k and p_k, and a
// frame's Jacobian has for each column of a joint above it [z; z x (p_f - p_k)] or [0; z], z an axis of R_k.
#include "engine/generate/recursions.h"

#include <math.h>

// A segment's axes are `base`, turned about its z by an angle.
typedef struct turned_axes {
  term33 base;
  srs_term cosine, sine;
} turned_axes;

static bool is_turn(const srs_segment *segment)
{
  return segment->kind == SRS_SEGMENT_TURN || segment->kind == SRS_SEGMENT_SCREW;
}

// Whether two turns in a row are one turn of the first one's base, about the same direction or the opposite one.
static bool is_parallel(const srs_segments *s, int k)
{
  const srs_segment *segment = &s->segment[k];
  if (segment->parent < 0 || !is_turn(segment) || !is_turn(&s->segment[segment->parent])) return false;
  return segment->turn.x.x == 1 && fabs(segment->turn.z.z) == 1;
}

// By the sums of angles: base Rz(a) Rx(0 or pi) Rz(b) = base Rx(0 or pi) Rz(b + a or b - a).
static turned_axes turn_on(srs_recording *r, int k, const turned_axes *parent)
{
  srs_graph *g = &r->graph;
  const srs_segment_terms *t = &r->terms[k];
  const bool is_opposite = r->segments->segment[k].turn.z.z < 0;
  const srs_term sine = is_opposite ? srs_negate(g, parent->sine) : parent->sine;
  turned_axes out = {.base = term33_product(g, &parent->base, &t->turn)};
  out.cosine = srs_subtract(g, srs_multiply(g, parent->cosine, t->cosine), srs_multiply(g, sine, t->sine));
  out.sine = srs_add(g, srs_multiply(g, sine, t->cosine), srs_multiply(g, parent->cosine, t->sine));
  return out;
}

static term33 turn_axes(srs_graph *g, const turned_axes *t)
{
  term33 out = t->base;
  for (int i = 0; i < 3; i++) {
    const srs_term x = t->base.m[i][0], y = t->base.m[i][1];
    out.m[i][0] = srs_add(g, srs_multiply(g, t->cosine, x), srs_multiply(g, t->sine, y));
    out.m[i][1] = srs_subtract(g, srs_multiply(g, t->cosine, y), srs_multiply(g, t->sine, x));
  }
  return out;
}

static bool place_segments(srs_recording *r, srs_arena *arena, bool sums_angles, term33 *axes, term3 *origin)
{
  srs_graph *g = &r->graph;
  const term33 unit = term33_constant(g, mat3_identity);
  turned_axes *turned = srs_arena_take(arena, (size_t)r->segments->n, sizeof *turned);
  if (arena->failed) return false;
  for (int k = 0; k < r->segments->n; k++) {
    const int parent = r->segments->segment[k].parent;
    const term33 *base = parent < 0 ? &unit : &axes[parent];
    const term3 arm = term33_times(g, base, r->terms[k].arm);
    origin[k] = parent < 0 ? arm : term3_add(g, origin[parent], arm);
    if (is_turn(&r->segments->segment[k])) {
      turned[k] = sums_angles && is_parallel(r->segments, k)
                      ? turn_on(r, k, &turned[parent])
                      : (turned_axes){term33_product(g, base, &r->terms[k].turn), r->terms[k].cosine, r->terms[k].sine};
      axes[k] = turn_axes(g, &turned[k]);
      continue;
    }
    for (int i = 0; i < 3; i++) { // a row of R_k is R_p's row, seen from the segment
      const term3 row = srs_record_inward(r, k, (term3){{base->m[i][0], base->m[i][1], base->m[i][2]}});
      for (int j = 0; j < 3; j++) axes[k].m[i][j] = row.x[j];
    }
  }
  return true;
}

static term3 frame_origin(srs_recording *r, const srs_segment_frame *f, const term33 *axes, const term3 *origin)
{
  const term3 own = term3_constant(&r->graph, f->offset);
  if (f->segment < 0) return own;
  return term3_add(&r->graph, origin[f->segment], term33_times(&r->graph, &axes[f->segment], own));
}

bool srs_record_frames(srs_recording *r, srs_arena *arena, const srs_frame_choice *choice, srs_term *poses)
{
  srs_graph *g = &r->graph;
  term33 *axes = srs_arena_take(arena, (size_t)r->segments->n, sizeof *axes);
  term3 *origin = srs_arena_take(arena, (size_t)r->segments->n, sizeof *origin);
  if (arena->failed || !place_segments(r, arena, choice->sums_angles, axes, origin)) return false;
  for (int i = 0; i < choice->n; i++) {
    const srs_segment_frame *f = &r->segments->frame[choice->frames[i]];
    const term33 own = term33_constant(g, f->axes);
    const term33 placed = f->segment < 0 ? own : term33_product(g, &axes[f->segment], &own);
    const term3 at = frame_origin(r, f, axes, origin);
    for (int j = 0; j < 3; j++) poses[12 * i + j] = at.x[j];
    for (int j = 0; j < 9; j++) poses[12 * i + 3 + j] = placed.m[j / 3][j % 3];
  }
  return true;
}

static void put_column(srs_recording *r, int k, int column, term3 axis, term3 reach, srs_term *jacobian, int nv)
{
  srs_graph *g = &r->graph;
  const srs_segment *segment = &r->segments->segment[k];
  const bool is_slide = segment->kind == SRS_SEGMENT_SLIDE;
  const term3 ang = is_slide ? term3_zero(g) : axis;
  term3 lin = is_slide ? axis : term3_cross(g, axis, reach);
  if (segment->kind == SRS_SEGMENT_SCREW)
    lin = term3_add(g, lin, term3_scale(g, srs_constant(g, segment->pitch), axis));
  for (int row = 0; row < 3; row++) {
    jacobian[row * nv + segment->v + column] = ang.x[row];
    jacobian[(3 + row) * nv + segment->v + column] = lin.x[row];
  }
}

bool srs_record_jacobians(srs_recording *r, srs_arena *arena, const srs_frame_choice *choice, srs_term *jacobians)
{
  srs_graph *g = &r->graph;
  const int nv = r->segments->model->nv;
  term33 *axes = srs_arena_take(arena, (size_t)r->segments->n, sizeof *axes);
  term3 *origin = srs_arena_take(arena, (size_t)r->segments->n, sizeof *origin);
  if (arena->failed || !place_segments(r, arena, choice->sums_angles, axes, origin)) return false;
  for (int i = 0; i < choice->n; i++) {
    srs_term *jacobian = jacobians + (size_t)i * 6 * (size_t)nv;
    for (int j = 0; j < 6 * nv; j++) jacobian[j] = srs_constant(g, 0);
    const srs_segment_frame *f = &r->segments->frame[choice->frames[i]];
    const term3 at = frame_origin(r, f, axes, origin);
    for (int k = f->segment; k >= 0; k = r->segments->segment[k].parent) {
      const srs_segment *segment = &r->segments->segment[k];
      const term3 reach = term3_subtract(g, at, origin[k]);
      for (int c = 0; c < segment->nv; c++)
        put_column(r, k, c, term33_column(&axes[k], srs_record_entry(segment, c) % 3), reach, jacobian, nv);
    }
  }
  return true;
}
