// Fingerprint of a model: a hash of all that affects its motion.

#include "engine/simulation/fingerprint.h"

// FNV-1a.
uint64_t srs_hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ byte[i]) * 1099511628211U;
  return hash;
}

static uint64_t mixed_shape(uint64_t hash, const srs_shape *s)
{
  const unsigned numbers[5] = {(unsigned)s->kind, (unsigned)s->frame, s->is_visual, s->group, s->mask};
  hash = srs_hash_bytes(hash, numbers, sizeof numbers);
  hash = srs_hash_bytes(hash, s->pose.position, sizeof s->pose.position);
  hash = srs_hash_bytes(hash, s->pose.rotation, sizeof s->pose.rotation);
  hash = srs_hash_bytes(hash, s->size, sizeof s->size);
  hash = srs_hash_bytes(hash, s->exponent, sizeof s->exponent);
  if (s->n_points > 0) hash = srs_hash_bytes(hash, s->points, 3 * (size_t)s->n_points * sizeof *s->points);
  if (s->n_triangles > 0) hash = srs_hash_bytes(hash, s->triangles, 3 * (size_t)s->n_triangles * sizeof *s->triangles);
  if (s->n_rows > 0)
    hash = srs_hash_bytes(srs_hash_bytes(hash, &s->n_rows, sizeof s->n_rows), s->heights,
                          (size_t)s->n_rows * (size_t)s->n_columns * sizeof *s->heights);
  return hash;
}

static uint64_t mixed_motion(uint64_t hash, const srs_motion *m)
{
  const double numbers[6] = {m->kind, m->start, m->rate, m->amplitude, m->frequency, m->phase};
  hash = srs_hash_bytes(hash, numbers, sizeof numbers);
  if (m->n_points == 0) return hash;
  hash = srs_hash_bytes(hash, m->times, (size_t)m->n_points * sizeof *m->times);
  return srs_hash_bytes(hash, m->values, (size_t)m->n_points * sizeof *m->values);
}

static uint64_t mixed_loops(uint64_t hash, const srs_model *m)
{
  for (int i = 0; i < m->n_closures; i++) {
    const srs_closure *c = &m->closures[i];
    const int numbers[5] = {(int)c->kind, c->link[0], c->link[1], (int)c->rows, c->motion_row};
    hash = srs_hash_bytes(hash, numbers, sizeof numbers);
    hash = srs_hash_bytes(hash, &m->closure_ends[i], sizeof m->closure_ends[i]);
    hash = srs_hash_bytes(hash, &c->joint, sizeof c->joint);
    hash = mixed_motion(srs_hash_bytes(hash, &c->length, sizeof c->length), &c->motion);
    if (c->is_embedded)
      hash =
          srs_hash_bytes(srs_hash_bytes(hash, "embedded", 8), c->independent, (size_t)c->n_independent * sizeof(int));
  }
  for (int i = 0; i < m->n_couplings; i++) {
    const srs_coupling *c = &m->couplings[i];
    const int numbers[2] = {c->follower_q, c->leader_q};
    hash = srs_hash_bytes(srs_hash_bytes(hash, numbers, sizeof numbers), c->coefficients, sizeof c->coefficients);
    hash = mixed_motion(hash, &c->motion);
  }
  return hash;
}

uint64_t srs_model_fingerprint(const srs_model *m)
{
  const size_t n = (size_t)m->n_links, nq = (size_t)m->nq, nv = (size_t)m->nv, n_frames = (size_t)m->n_frames;
  const struct {
    const void *items;
    size_t n, size;
  } parts[] = {
      {m->kind, n, sizeof *m->kind},
      {m->parent, n, sizeof *m->parent},
      {m->turn, n, sizeof *m->turn},
      {m->offset, n, sizeof *m->offset},
      {m->turn2, n, sizeof *m->turn2},
      {m->pitch, n, sizeof *m->pitch},
      {m->inertia, 10 * n, sizeof *m->inertia},
      {m->link_axes, n, sizeof *m->link_axes},
      {m->frame_link, n_frames, sizeof *m->frame_link},
      {m->frame_offset, n_frames, sizeof *m->frame_offset},
      {m->frame_axes, n_frames, sizeof *m->frame_axes},
      {m->armature, nv, sizeof *m->armature},
      {m->damping, nv, sizeof *m->damping},
      {m->stiffness, nv, sizeof *m->stiffness},
      {m->friction, nv, sizeof *m->friction},
      {m->lower, nv, sizeof *m->lower},
      {m->upper, nv, sizeof *m->upper},
      {m->max_effort, nv, sizeof *m->max_effort},
      {m->max_velocity, nv, sizeof *m->max_velocity},
      {m->reference, nq, sizeof *m->reference},
  };
  uint64_t hash = SRS_HASH_START;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (parts[i].n > 0) hash = srs_hash_bytes(hash, parts[i].items, parts[i].n * parts[i].size);
  for (int k = 0; k < m->n_links; k++) {
    const srs_joint *at = &m->joints[k];
    const double numbers[6] = {at->max_swing, at->min_twist, at->max_twist, at->axis[0], at->axis[1], at->axis[2]};
    if (at->kind == SRS_JOINT_SPHERICAL) hash = srs_hash_bytes(hash, numbers, sizeof numbers);
  }
  for (int i = 0; i < m->n_shapes; i++) hash = mixed_shape(hash, &m->shapes[i]);
  return mixed_loops(hash, m);
}
