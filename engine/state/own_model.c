// A sim's own parameters: a shallow copy of its model whose arrays of numbers that may change are its own. What the
// recursions read of a link is the sum of its parts, the links of the file that fixed joints join.

#include "engine/state/own_model.h"
#include "engine/dynamics/block.h"
#include "topology/model/inertia.h"

#include <stdlib.h>
#include <string.h>

enum { COORDINATES = sizeof((srs_own_model *)NULL)->coordinates / sizeof(double *) };

static void coordinate_arrays(const srs_model *m, const double *arrays[COORDINATES])
{
  const double *const all[COORDINATES] = {m->armature, m->damping, m->stiffness,  m->friction,
                                          m->lower,    m->upper,   m->max_effort, m->max_velocity};
  memcpy(arrays, all, sizeof all);
}

static size_t lay_out(const srs_model *m, srs_own_model *own, char *base)
{
  size_t used = 0;
  own->inertia = srs_block_take(base, &used, 10 * (size_t)m->n_links, sizeof *own->inertia);
  own->part_inertia = srs_block_take(base, &used, 10 * (size_t)m->n_parts, sizeof *own->part_inertia);
  for (int i = 0; i < COORDINATES; i++)
    own->coordinates[i] = srs_block_take(base, &used, (size_t)m->nv, sizeof **own->coordinates);
  own->offset = srs_block_take(base, &used, (size_t)m->n_links, sizeof *own->offset);
  own->shapes = srs_block_take(base, &used, (size_t)m->n_shapes, sizeof *own->shapes);
  own->closures = srs_block_take(base, &used, (size_t)m->n_closures, sizeof *own->closures);
  own->couplings = srs_block_take(base, &used, (size_t)m->n_couplings, sizeof *own->couplings);
  own->materials = srs_block_take(base, &used, 2 * (size_t)m->n_shapes, sizeof *own->materials);
  return used;
}

static void copy(void *to, const void *from, size_t bytes)
{
  if (bytes > 0) memcpy(to, from, bytes);
}

void srs_own_model_copy(const srs_model *from, srs_own_model *own)
{
  const double *arrays[COORDINATES];
  coordinate_arrays(from, arrays);
  copy(own->inertia, from->inertia, 10 * (size_t)from->n_links * sizeof(double));
  copy(own->part_inertia, from->part_inertia, 10 * (size_t)from->n_parts * sizeof(double));
  for (int i = 0; i < COORDINATES; i++) copy(own->coordinates[i], arrays[i], (size_t)from->nv * sizeof(double));
  copy(own->offset, from->offset, (size_t)from->n_links * sizeof *own->offset);
  copy(own->shapes, from->shapes, (size_t)from->n_shapes * sizeof *own->shapes);
  own->model.mass = from->mass;
  own->model.has_springs = from->has_springs;
  own->model.has_damping = from->has_damping;
}

srs_status srs_own_model_create(const srs_model *source, srs_own_model *own)
{
  const size_t size = lay_out(source, own, NULL);
  own->source = source;
  own->model = *source;
  own->memory = aligned_alloc(SRS_BLOCK_ALIGNMENT, size > 0 ? size : SRS_BLOCK_ALIGNMENT);
  if (own->memory == NULL) return SRS_ERROR_MEMORY;
  lay_out(source, own, own->memory);
  srs_own_model_copy(source, own);
  copy(own->closures, source->closures, (size_t)source->n_closures * sizeof *own->closures);
  copy(own->couplings, source->couplings, (size_t)source->n_couplings * sizeof *own->couplings);
  srs_model *m = &own->model;
  m->closures = own->closures, m->couplings = own->couplings;
  m->inertia = own->inertia, m->part_inertia = own->part_inertia;
  m->armature = own->coordinates[0], m->damping = own->coordinates[1], m->stiffness = own->coordinates[2];
  m->friction = own->coordinates[3], m->lower = own->coordinates[4], m->upper = own->coordinates[5];
  m->max_effort = own->coordinates[6], m->max_velocity = own->coordinates[7];
  m->offset = own->offset;
  m->shapes = own->shapes;
  return SRS_OK;
}

void srs_own_model_release(srs_own_model *own) { free(own->memory); }

// Adds a part's ten numbers, seen from the turned frame of its link, to the link's.
static void add_part(const srs_model *m, int part, double *sum)
{
  const double *x = m->part_inertia + 10 * (size_t)part;
  if (!(x[0] > 0)) return;
  const vec3 com = scale3(1 / x[0], vec3_load(x + 1));
  const sym3 about_com = sym3_add((sym3){x[4], x[5], x[6], x[7], x[8], x[9]}, sym3_point_mass(-x[0], com));
  const srs_body there = srs_body_move((srs_body){x[0], com, about_com}, m->frame_offset[part], m->frame_axes[part]);
  const sym3 I = sym3_add(there.inertia, sym3_point_mass(there.mass, there.com));
  const double own[10] = {there.mass,
                          there.mass * there.com.x,
                          there.mass * there.com.y,
                          there.mass * there.com.z,
                          I.xx,
                          I.yy,
                          I.zz,
                          I.xy,
                          I.xz,
                          I.yz};
  for (int i = 0; i < 10; i++) sum[i] += own[i];
}

void srs_own_model_weld(srs_own_model *own, int link)
{
  srs_model *m = &own->model;
  if (link < 0) return;
  double *sum = own->inertia + 10 * (size_t)link;
  memset(sum, 0, 10 * sizeof *sum);
  for (int part = 0; part < m->n_parts; part++)
    if (m->frame_link[part] == link) add_part(m, part, sum);
  m->mass = 0;
  for (int k = 0; k < m->n_links; k++) m->mass += own->inertia[10 * (size_t)k];
}
