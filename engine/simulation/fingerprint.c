// Fingerprints: of a model, a hash of all that affects its motion; of the lists among the options, of what they say.

#include "engine/simulation/fingerprint.h"

#include <string.h>

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
  const int filters[2] = {s->robot, (int)s->self_collision};
  if (s->self_collision > SRS_SELF_COLLISION_ALL) hash = srs_hash_bytes(hash, filters, sizeof filters);
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
    if (c->tendon != NULL) {
      const srs_tendon *t = c->tendon;
      const int sizes[3] = {t->n_terms, t->n_leaders, t->is_held};
      hash = srs_hash_bytes(srs_hash_bytes(hash, sizes, sizeof sizes), t->q, sizeof t->q);
      hash = srs_hash_bytes(srs_hash_bytes(hash, t->coefficients, sizeof t->coefficients), t->polynomial,
                            sizeof t->polynomial);
    }
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
  if (m->n_excluded > 0) hash = srs_hash_bytes(hash, m->excluded, 2 * (size_t)m->n_excluded * sizeof *m->excluded);
  return mixed_loops(hash, m);
}

// ---------------------------------------------------------------------------------------------------------------------
// Lists of options
// ---------------------------------------------------------------------------------------------------------------------

const char *srs_option_list_name(int list)
{
  static const char *const names[SRS_OPTION_LISTS] = {"contact.materials",
                                                      "contact.pairs",
                                                      "contact.solids",
                                                      "contact.surfaces",
                                                      "contact.collider.excluded",
                                                      "contact.collider.included",
                                                      "contact.collider.euclidean",
                                                      "contact.collider.ratio_metric"};
  return names[list];
}

static uint64_t mixed_text(uint64_t hash, const char *text)
{
  return text != NULL ? srs_hash_bytes(hash, text, strlen(text) + 1) : srs_hash_bytes(hash, "\1", 1);
}

static uint64_t mixed_numbers(uint64_t hash, const double *numbers, size_t n)
{
  for (size_t i = 0; i < n; i++) hash = srs_hash_bytes(hash, &numbers[i], sizeof numbers[i]);
  return hash;
}

static uint64_t hash_of_materials(const srs_contact_settings *o)
{
  uint64_t hash = SRS_HASH_START;
  for (int i = 0; i < o->n_materials; i++) {
    const srs_material *m = &o->materials[i];
    const double numbers[6] = {m->friction, m->restitution, m->torsional, m->along, m->across, m->layer.thickness};
    hash = mixed_numbers(mixed_numbers(mixed_text(hash, m->name), numbers, 6), m->direction, 3);
    hash = mixed_numbers(mixed_numbers(hash, m->layer.stiffness, 9), m->layer.damping, 9);
  }
  return hash;
}

static uint64_t hash_of_pairs(const srs_contact_settings *o)
{
  uint64_t hash = SRS_HASH_START;
  for (int i = 0; i < o->n_pairs; i++) {
    const srs_material_pair *p = &o->pairs[i];
    const double numbers[3] = {p->friction, p->restitution, p->torsional};
    hash = mixed_numbers(mixed_text(mixed_text(hash, p->a), p->b), numbers, 3);
  }
  return hash;
}

static uint64_t hash_of_names(const char *const *names)
{
  uint64_t hash = SRS_HASH_START;
  for (; names != NULL && *names != NULL; names++) hash = mixed_text(hash, *names);
  return hash;
}

static uint64_t hash_of_solids(const srs_contact_settings *o)
{
  uint64_t hash = SRS_HASH_START;
  for (int i = 0; i < o->n_solids; i++) {
    for (int k = 0; k < o->solids[i].n; k++) hash = mixed_text(hash, o->solids[i].half_spaces[k]);
    hash = mixed_text(hash, NULL);
  }
  return hash;
}

static uint64_t hash_of_surfaces(const srs_contact_settings *o)
{
  uint64_t hash = SRS_HASH_START;
  for (int i = 0; i < o->n_surfaces; i++) hash = mixed_text(hash, o->surfaces[i].shape); // what they are is code
  return hash;
}

uint64_t srs_option_list_fingerprint(const srs_sim_options *options, int list)
{
  const srs_contact_settings *o = &options->contact;
  switch (list) {
  case 0: return hash_of_materials(o);
  case 1: return hash_of_pairs(o);
  case 2: return hash_of_solids(o);
  case 3: return hash_of_surfaces(o);
  case 4: return hash_of_names(o->collider.excluded);
  case 5: return hash_of_names(o->collider.included);
  case 6: return hash_of_names(o->collider.euclidean);
  default: return hash_of_names(o->collider.ratio_metric);
  }
}
