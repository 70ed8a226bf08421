// What must be kept to go on as if nothing had happened? The block of doubles that a step reads, after a header that
// says whose it is: layout, sizes, and a fingerprint of all that makes the model move as it does; then the impulses
// that the next step's contact problems may start from.

#include "engine/constraint.h"
#include "engine/simulation.h"
#include "topology/internal.h"

#include <string.h>

enum { HEADER = 7 };

// FNV-1a.
static uint64_t mixed(uint64_t hash, const void *bytes, size_t n)
{
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ byte[i]) * 1099511628211U;
  return hash;
}

static uint64_t mixed_shape(uint64_t hash, const srs_shape *s)
{
  const unsigned numbers[5] = {(unsigned)s->kind, (unsigned)s->frame, s->is_visual, s->group, s->mask};
  hash = mixed(hash, numbers, sizeof numbers);
  hash = mixed(hash, s->pose.position, sizeof s->pose.position);
  hash = mixed(hash, s->pose.rotation, sizeof s->pose.rotation);
  hash = mixed(hash, s->size, sizeof s->size);
  if (s->n_points > 0) hash = mixed(hash, s->points, 3 * (size_t)s->n_points * sizeof *s->points);
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
      {m->reference, nq, sizeof *m->reference},
  };
  uint64_t hash = 14695981039346656037U;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (parts[i].n > 0) hash = mixed(hash, parts[i].items, parts[i].n * parts[i].size);
  for (int i = 0; i < m->n_shapes; i++) hash = mixed_shape(hash, &m->shapes[i]);
  return hash;
}

static void header_of(const srs_sim *sim, double header[HEADER])
{
  header[0] = 0x5a2207; // says that this is a snapshot, and of which layout
  header[1] = sim->model->nq;
  header[2] = sim->model->nv;
  header[3] = sim->model->n_frames;
  header[4] = (double)sim->n_state;
  header[5] = (double)(sim->fingerprint >> 11); // 53 bits, exact as a double
  header[6] = sim->contacts != NULL ? sim->contacts->n_warm : 0;
}

static size_t bytes_of(const srs_sim *sim, size_t n_warm)
{
  return (HEADER + sim->n_state) * sizeof(double) + n_warm * sizeof(warm_contact);
}

size_t srs_sim_snapshot_size(const srs_sim *sim)
{
  if (sim == NULL) return 0;
  return bytes_of(sim, sim->contacts != NULL ? (size_t)sim->contacts->n_warm : 0);
}

void srs_sim_snapshot_save(const srs_sim *sim, void *bytes)
{
  if (sim == NULL || bytes == NULL) return;
  double header[HEADER];
  header_of(sim, header);
  char *at = bytes;
  memcpy(at, header, sizeof header);
  at += sizeof header;
  memcpy(at, sim->state, sim->n_state * sizeof(double));
  at += sim->n_state * sizeof(double);
  if (header[HEADER - 1] > 0) memcpy(at, sim->contacts->warm, (size_t)sim->contacts->n_warm * sizeof(warm_contact));
}

// Whether the bytes are of a simulation like this one; then how many warm contacts they hold.
static bool is_ours(const srs_sim *sim, const void *bytes, size_t size, size_t *n_warm)
{
  double expected[HEADER], header[HEADER];
  header_of(sim, expected);
  if (size < sizeof header) return false;
  memcpy(header, bytes, sizeof header);
  for (int i = 0; i < HEADER - 1; i++)
    if (header[i] != expected[i]) return false;
  const double warm = header[HEADER - 1];
  if (!(warm >= 0 && warm < 1e9) || (warm > 0 && sim->contacts == NULL)) return false;
  *n_warm = (size_t)warm;
  return size == bytes_of(sim, *n_warm);
}

srs_status srs_sim_snapshot_restore(srs_sim *sim, const void *bytes, size_t size, srs_error *error)
{
  if (sim == NULL || bytes == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "no sim, or no snapshot");
  size_t n_warm = 0;
  if (!is_ours(sim, bytes, size, &n_warm))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL,
                    "these bytes are no snapshot of a simulation of this model");
  if (n_warm > 0 && srs_contacts_reserve(sim->contacts, (int)n_warm) != SRS_OK)
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %zu contacts", n_warm);
  const char *at = (const char *)bytes + HEADER * sizeof(double);
  memcpy(sim->state, at, sim->n_state * sizeof(double));
  at += sim->n_state * sizeof(double);
  if (n_warm > 0) memcpy(sim->contacts->warm, at, n_warm * sizeof(warm_contact));
  if (sim->contacts != NULL) {
    srs_contacts_forget(sim->contacts);
    sim->contacts->n_warm = (int)n_warm;
  }
  sim->workspace_is_current = false;
  return SRS_OK;
}
