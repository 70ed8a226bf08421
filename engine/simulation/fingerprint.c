// Fingerprints: of a model, a hash of all that affects its motion; of the lists among the options, of what they say.

#include "engine/simulation/fingerprint.h"
#include "topology/base/errors.h"

#include <string.h>

// FNV-1a.
uint64_t srs_hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ byte[i]) * 1099511628211U;
  return hash;
}

static uint64_t mixed_text(uint64_t hash, const char *text)
{
  return text != NULL ? srs_hash_bytes(hash, text, strlen(text) + 1) : srs_hash_bytes(hash, "\1", 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------------------------------------------------

enum { SHAPE_ASPECTS = 4 };
static const char *const aspect_names[SHAPE_ASPECTS] = {"size or the place", "group, mask or robot", "name or the link",
                                                        "material"};

static uint64_t hash_of_solid(const srs_shape *s)
{
  const unsigned numbers[3] = {(unsigned)s->kind, (unsigned)s->frame, s->is_visual};
  uint64_t hash = srs_hash_bytes(SRS_HASH_START, numbers, sizeof numbers);
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

static uint64_t hash_of_filters(const srs_shape *s)
{
  const unsigned masks[2] = {s->group, s->mask};
  const int robot[2] = {s->robot, (int)s->self_collision};
  const uint64_t hash = srs_hash_bytes(SRS_HASH_START, masks, sizeof masks);
  return s->self_collision > SRS_SELF_COLLISION_ALL ? srs_hash_bytes(hash, robot, sizeof robot) : hash;
}

// Lists of pairs, solids and surfaces go by labels of shapes and names of links.
static uint64_t hash_of_titles(const srs_model *m, const srs_shape *s)
{
  const uint64_t hash = mixed_text(SRS_HASH_START, s->label);
  return mixed_text(hash, s->frame >= 0 ? m->frames[s->frame].name : NULL);
}

// What shapes to look at are called is of no account.
static void hash_shape(const srs_model *m, const srs_shape *s, uint64_t aspects[SHAPE_ASPECTS])
{
  aspects[0] = hash_of_solid(s);
  aspects[1] = hash_of_filters(s);
  aspects[2] = s->is_visual ? SRS_HASH_START : hash_of_titles(m, s);
  aspects[3] = s->is_visual ? SRS_HASH_START : mixed_text(SRS_HASH_START, s->material);
}

// 16 bits of each aspect.
static uint64_t packed(const uint64_t aspects[SHAPE_ASPECTS])
{
  uint64_t word = 0;
  for (int i = 0; i < SHAPE_ASPECTS; i++) {
    const uint64_t half = aspects[i] ^ aspects[i] >> 32;
    word |= ((half ^ half >> 16) & 0xffff) << 16 * i;
  }
  return word;
}

// ---------------------------------------------------------------------------------------------------------------------
// The mechanism
// ---------------------------------------------------------------------------------------------------------------------

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

enum { TREE, INERTIAS, FRAMES, JOINTS, PAIRS, LOOPS, PIECES };
static const char *const piece_names[PIECES] = {"the kind, parent or place of a joint differs",
                                                "a mass or an inertia differs",
                                                "a frame differs",
                                                "a limit, spring, damping, friction or armature of a joint differs",
                                                "other pairs of links never collide",
                                                "a loop or coupling differs"};

static void hash_arrays(const srs_model *m, uint64_t pieces[PIECES])
{
  const size_t n = (size_t)m->n_links, nq = (size_t)m->nq, nv = (size_t)m->nv, n_frames = (size_t)m->n_frames;
  const struct {
    int piece;
    const void *items;
    size_t n, size;
  } parts[] = {
      {TREE, m->kind, n, sizeof *m->kind},
      {TREE, m->parent, n, sizeof *m->parent},
      {TREE, m->turn, n, sizeof *m->turn},
      {TREE, m->offset, n, sizeof *m->offset},
      {TREE, m->turn2, n, sizeof *m->turn2},
      {TREE, m->pitch, n, sizeof *m->pitch},
      {INERTIAS, m->inertia, 10 * n, sizeof *m->inertia},
      {TREE, m->link_axes, n, sizeof *m->link_axes},
      {FRAMES, m->frame_link, n_frames, sizeof *m->frame_link},
      {FRAMES, m->frame_offset, n_frames, sizeof *m->frame_offset},
      {FRAMES, m->frame_axes, n_frames, sizeof *m->frame_axes},
      {JOINTS, m->armature, nv, sizeof *m->armature},
      {JOINTS, m->damping, nv, sizeof *m->damping},
      {JOINTS, m->stiffness, nv, sizeof *m->stiffness},
      {JOINTS, m->friction, nv, sizeof *m->friction},
      {JOINTS, m->lower, nv, sizeof *m->lower},
      {JOINTS, m->upper, nv, sizeof *m->upper},
      {JOINTS, m->max_effort, nv, sizeof *m->max_effort},
      {JOINTS, m->max_velocity, nv, sizeof *m->max_velocity},
      {JOINTS, m->reference, nq, sizeof *m->reference},
      {PAIRS, m->excluded, 2 * (size_t)m->n_excluded, sizeof *m->excluded},
      {PAIRS, m->frame_body, n_frames, sizeof *m->frame_body},
      {PAIRS, m->frame_carrier, n_frames, sizeof *m->frame_carrier},
  };
  for (int i = 0; i < PIECES; i++) pieces[i] = SRS_HASH_START;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    uint64_t *piece = &pieces[parts[i].piece];
    if (parts[i].n > 0) *piece = srs_hash_bytes(*piece, parts[i].items, parts[i].n * parts[i].size);
  }
}

int srs_fingerprint_pieces(const srs_model *m) { return PIECES + m->n_shapes; }

uint64_t srs_model_fingerprint(const srs_model *m, uint64_t *pieces)
{
  uint64_t own[PIECES], aspects[SHAPE_ASPECTS];
  hash_arrays(m, own);
  for (int k = 0; k < m->n_links; k++) {
    const srs_joint *at = &m->joints[k];
    const double numbers[6] = {at->max_swing, at->min_twist, at->max_twist, at->axis[0], at->axis[1], at->axis[2]};
    if (at->kind == SRS_JOINT_SPHERICAL) own[JOINTS] = srs_hash_bytes(own[JOINTS], numbers, sizeof numbers);
  }
  own[LOOPS] = mixed_loops(own[LOOPS], m);
  uint64_t hash = srs_hash_bytes(SRS_HASH_START, own, sizeof own);
  if (pieces != NULL) memcpy(pieces, own, sizeof own);
  for (int i = 0; i < m->n_shapes; i++) {
    hash_shape(m, &m->shapes[i], aspects);
    hash = srs_hash_bytes(hash, aspects, sizeof aspects);
    if (pieces != NULL) pieces[PIECES + i] = packed(aspects);
  }
  return hash;
}

const char *srs_fingerprint_difference(const srs_model *m, const uint64_t *here, const void *there, char text[256])
{
  const char *at = there;
  for (int i = 0; i < srs_fingerprint_pieces(m); i++, at += sizeof(uint64_t)) {
    uint64_t piece;
    memcpy(&piece, at, sizeof piece);
    if (piece == here[i]) continue;
    if (i < PIECES) {
      srs_print(text, 256, "%s", piece_names[i]);
      return "";
    }
    const char *label = m->shapes[i - PIECES].label;
    int aspect = 0;
    while (((here[i] ^ piece) >> 16 * aspect & 0xffff) == 0) aspect++;
    srs_print(text, 256, "the %s of shape '%.150s' differs", aspect_names[aspect], label);
    return label;
  }
  srs_print(text, 256, "a parameter that was set in one of the simulations differs");
  return "";
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
    const double numbers[7] = {m->friction, m->restitution, m->torsional,      m->rolling,
                               m->along,    m->across,      m->layer.thickness};
    hash = mixed_numbers(mixed_numbers(mixed_text(hash, m->name), numbers, 7), m->direction, 3);
    hash = mixed_numbers(mixed_numbers(hash, m->layer.stiffness, 9), m->layer.damping, 9);
  }
  return hash;
}

static uint64_t hash_of_pairs(const srs_contact_settings *o)
{
  uint64_t hash = SRS_HASH_START;
  for (int i = 0; i < o->n_pairs; i++) {
    const srs_material_pair *p = &o->pairs[i];
    const double numbers[4] = {p->friction, p->restitution, p->torsional, p->rolling};
    hash = mixed_numbers(mixed_text(mixed_text(hash, p->a), p->b), numbers, 4);
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
