// Snapshots: saves and restores all that a simulation needs to continue with the same bits.
//
// A snapshot is a header with layout, sizes and a fingerprint of the model, then the block of doubles that a step
// reads, then the impulses that warm-start the next step's contact problems. A checksum detects damaged bytes. Values
// that no step can produce (a number that is not finite, a quaternion that is not unit) are refused by name.

#include "engine/simulation/snapshot.h"
#include "engine/dynamics/checks.h"
#include "engine/rows/constraint_memory.h"
#include "engine/simulation/fingerprint.h"
#include "engine/simulation/inputs.h"
#include "topology/base/errors.h"

#include <string.h>

enum { HEADER = 8 };
enum { AT_CHECKSUM = HEADER - 1 };

static void header_of(const srs_snapshot_parts *p, size_t n_warm, const void *payload, size_t size,
                      uint64_t header[HEADER])
{
  header[0] = 0x5a220a; // marks a snapshot, and its layout
  header[1] = (uint64_t)p->model->nq;
  header[2] = (uint64_t)p->model->nv;
  header[3] = (uint64_t)p->model->n_frames;
  header[4] = p->state->n;
  header[5] = p->fingerprint;
  header[6] = n_warm;
  header[AT_CHECKSUM] = srs_hash_bytes(SRS_HASH_START, payload, size);
}

static size_t warm_count(const srs_snapshot_parts *p)
{
  return p->constraints != NULL ? (size_t)p->constraints->n_warm : 0;
}

static size_t payload_size(const srs_snapshot_parts *p, size_t n_warm)
{
  return p->state->n * sizeof(double) + n_warm * sizeof(warm_contact);
}

size_t srs_snapshot_size(const srs_snapshot_parts *p)
{
  return HEADER * sizeof(uint64_t) + payload_size(p, warm_count(p));
}

void srs_snapshot_save(const srs_snapshot_parts *p, void *bytes)
{
  const size_t n_warm = warm_count(p), state_size = p->state->n * sizeof(double);
  char *payload = (char *)bytes + HEADER * sizeof(uint64_t);
  memcpy(payload, p->state->block, state_size);
  if (n_warm > 0) memcpy(payload + state_size, p->constraints->warm, n_warm * sizeof(warm_contact));
  uint64_t header[HEADER];
  header_of(p, n_warm, payload, payload_size(p, n_warm), header);
  memcpy(bytes, header, sizeof header);
}

// ---------------------------------------------------------------------------------------------------------------------
// Restoring
// ---------------------------------------------------------------------------------------------------------------------

static srs_status refuse(srs_error *error, const char *why)
{
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s", why);
}

// Checks that the bytes are an undamaged snapshot of a simulation like this one; finds the number of warm contacts.
static srs_status check_header(const srs_snapshot_parts *p, const void *bytes, size_t size, size_t *n_warm,
                               srs_error *error)
{
  static const char foreign[] = "these bytes are no snapshot of a simulation of this model";
  uint64_t header[HEADER], expected[HEADER];
  if (size < sizeof header) return refuse(error, foreign);
  memcpy(header, bytes, sizeof header);
  const size_t rest = size - sizeof header, state_size = p->state->n * sizeof(double);
  if (rest < state_size || (rest - state_size) % sizeof(warm_contact) != 0) return refuse(error, foreign);
  *n_warm = (rest - state_size) / sizeof(warm_contact);
  if (*n_warm > 1000000000 || (*n_warm > 0 && p->constraints == NULL)) return refuse(error, foreign);
  header_of(p, *n_warm, (const char *)bytes + sizeof header, rest, expected);
  for (int i = 0; i < AT_CHECKSUM; i++)
    if (header[i] != expected[i]) return refuse(error, foreign);
  if (header[AT_CHECKSUM] == expected[AT_CHECKSUM]) return SRS_OK;
  return refuse(error, "this snapshot is damaged: its checksum does not fit what it holds");
}

// The name of entry i of the state: "q of 'joint'".
static void name_entry(const srs_snapshot_parts *p, size_t i, char text[192])
{
  const srs_model *m = p->model;
  const struct {
    const double *begin;
    int n;
    const char *word;
    const char *const *names;
  } parts[] = {
      {p->state->time, 1, "time", NULL},
      {p->state->q, m->nq, "q", m->q_names},
      {p->state->v, m->nv, "v", m->v_names},
      {p->state->inputs.tau, m->nv, "tau", m->v_names},
      {p->state->inputs.q_ref, m->nq, "q_ref", m->q_names},
      {p->state->inputs.v_ref, m->nv, "v_ref", m->v_names},
      {p->state->inputs.kp, m->nv, "kp", m->v_names},
      {p->state->inputs.kd, m->nv, "kd", m->v_names},
  };
  srs_print(text, 192, "entry %zu of its state", i);
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
    const size_t begin = (size_t)(parts[k].begin - p->state->block);
    if (i < begin || i >= begin + (size_t)parts[k].n) continue;
    if (parts[k].names == NULL)
      srs_print(text, 192, "%s", parts[k].word);
    else
      srs_print(text, 192, "%s of '%.150s'", parts[k].word, parts[k].names[i - begin]);
  }
}

static srs_status check_state(const srs_snapshot_parts *p, const char *payload, size_t n_warm, srs_error *error)
{
  const size_t nq = (size_t)p->model->nq;
  for (size_t i = 0; i < p->state->n; i++) {
    double value;
    memcpy(&value, payload + i * sizeof value, sizeof value);
    if (srs_first_not_finite(&value, 1) < 0) continue;
    char name[192];
    name_entry(p, i, name);
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, NULL, "%s in this snapshot is not a finite number", name);
  }
  const double *configurations[2] = {p->state->q, p->state->inputs.q_ref};
  for (int c = 0; c < 2; c++) {
    if (nq > 0)
      memcpy(p->q_scratch, payload + (size_t)((const char *)configurations[c] - (const char *)p->state->block),
             nq * sizeof(double));
    const srs_status status = srs_check_quaternions(p->model, p->q_scratch, error);
    if (status != SRS_OK) return status;
  }
  payload += p->state->n * sizeof(double);
  for (size_t i = 0; i < n_warm; i++) {
    warm_contact warm;
    memcpy(&warm, payload + i * sizeof warm, sizeof warm);
    if (srs_first_not_finite(warm.impulse, 3) >= 0)
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, NULL,
                      "the impulse of contact %zu in this snapshot is not a finite number", i);
  }
  return SRS_OK;
}

srs_status srs_snapshot_check(const srs_snapshot_parts *p, const void *bytes, size_t size, size_t *n_warm,
                              srs_error *error)
{
  const char *payload = (const char *)bytes + HEADER * sizeof(uint64_t);
  srs_status status = check_header(p, bytes, size, n_warm, error);
  if (status == SRS_OK) status = check_state(p, payload, *n_warm, error);
  if (status != SRS_OK) return status;
  if (*n_warm > 0 && srs_contacts_reserve(p->constraints, (int)*n_warm) != SRS_OK)
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %zu contacts", *n_warm);
  return SRS_OK;
}

void srs_snapshot_load(const srs_snapshot_parts *p, const void *bytes, size_t n_warm)
{
  const char *payload = (const char *)bytes + HEADER * sizeof(uint64_t);
  const size_t state_size = p->state->n * sizeof(double);
  memcpy(p->state->block, payload, state_size);
  if (n_warm > 0) memcpy(p->constraints->warm, payload + state_size, n_warm * sizeof(warm_contact));
  if (p->constraints != NULL) p->constraints->n_warm = (int)n_warm;
}
