// Snapshots: saves and restores all that a simulation needs to continue with the same bits.
//
// A snapshot is a header with layout, sizes and a fingerprint of the model; then hashes of its pieces; then the
// options, number by number, and hashes of their lists; then the block of doubles that a step reads; then the impulses
// that warm-start the next step's contact problems. A checksum detects damaged bytes. What was saved can be restored
// where model and options are the same; elsewhere the first difference is named. Values that no step can produce (a
// number that is not finite, a quaternion that is not unit) are refused by name.

#include "engine/simulation/snapshot.h"
#include "engine/dynamics/checks.h"
#include "engine/rows/constraint_memory.h"
#include "engine/simulation/fingerprint.h"
#include "engine/simulation/inputs.h"
#include "engine/state/option_table.h"
#include "topology/base/errors.h"

#include <math.h>
#include <string.h>

enum { HEADER = 8, LAYOUT = 0x5a220d }; // which marks a snapshot, and its layout
enum { AT_CHECKSUM = HEADER - 1 };

static void header_of(const srs_snapshot_parts *p, size_t n_warm, const void *payload, size_t size,
                      uint64_t header[HEADER])
{
  header[0] = LAYOUT;
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

static size_t options_size(void)
{
  return (size_t)srs_n_option_rows * sizeof(double) + SRS_OPTION_LISTS * sizeof(uint64_t);
}

// The number of shapes, and hashes of the model's pieces.
static size_t model_size(const srs_snapshot_parts *p)
{
  return (1 + (size_t)srs_fingerprint_pieces(p->model)) * sizeof(uint64_t);
}

static size_t payload_size(const srs_snapshot_parts *p, size_t n_warm)
{
  return model_size(p) + options_size() + p->state->n * sizeof(double) + n_warm * sizeof(warm_contact);
}

static char *put_model(const srs_snapshot_parts *p, char *at)
{
  const uint64_t n_shapes = (uint64_t)p->model->n_shapes;
  memcpy(at, &n_shapes, sizeof n_shapes);
  memcpy(at + sizeof n_shapes, p->pieces, model_size(p) - sizeof n_shapes);
  return at + model_size(p);
}

static char *put_options(const srs_sim_options *options, char *at)
{
  for (int i = 0; i < srs_n_option_rows; i++, at += sizeof(double)) {
    const double value = srs_option_value(&srs_option_rows[i], options);
    memcpy(at, &value, sizeof value);
  }
  for (int i = 0; i < SRS_OPTION_LISTS; i++, at += sizeof(uint64_t)) {
    const uint64_t hash = srs_option_list_fingerprint(options, i);
    memcpy(at, &hash, sizeof hash);
  }
  return at;
}

size_t srs_snapshot_size(const srs_snapshot_parts *p)
{
  return HEADER * sizeof(uint64_t) + payload_size(p, warm_count(p));
}

void srs_snapshot_save(const srs_snapshot_parts *p, void *bytes)
{
  const size_t n_warm = warm_count(p), state_size = p->state->n * sizeof(double);
  char *payload = (char *)bytes + HEADER * sizeof(uint64_t);
  char *at = put_options(p->options, put_model(p, payload));
  memcpy(at, p->state->block, state_size);
  if (n_warm > 0) memcpy(at + state_size, p->constraints->warm, n_warm * sizeof(warm_contact));
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

// Checks that the bytes are an undamaged snapshot.
static srs_status check_bytes(const void *bytes, size_t size, uint64_t header[HEADER], srs_error *error)
{
  static const uint64_t layout = LAYOUT;
  if (size < HEADER * sizeof *header || memcmp(bytes, &layout, sizeof layout) != 0)
    return refuse(error, "these bytes are no snapshot of this version");
  memcpy(header, bytes, HEADER * sizeof *header);
  const char *payload = (const char *)bytes + HEADER * sizeof *header;
  if (header[AT_CHECKSUM] == srs_hash_bytes(SRS_HASH_START, payload, size - HEADER * sizeof *header)) return SRS_OK;
  return refuse(error, "this snapshot is damaged or cut short: its checksum does not fit what it holds");
}

// Names the first of the options that is another here.
static srs_status check_options(const srs_snapshot_parts *p, const char *at, srs_error *error)
{
  for (int i = 0; i < srs_n_option_rows; i++, at += sizeof(double)) {
    const srs_option_row *row = &srs_option_rows[i];
    const double here = srs_option_value(row, p->options);
    double there;
    memcpy(&there, at, sizeof there);
    if (there == here || (isnan(there) && isnan(here))) continue;
    char texts[2][64];
    return srs_fail(
        error, SRS_ERROR_ARGUMENT, NULL, 0, 0, row->name,
        "this snapshot was taken with %s = %s, here it is %s: restore it in a simulation with the same options",
        row->name, srs_option_text(row, there, texts[0]), srs_option_text(row, here, texts[1]));
  }
  for (int i = 0; i < SRS_OPTION_LISTS; i++, at += sizeof(uint64_t)) {
    const uint64_t here = srs_option_list_fingerprint(p->options, i);
    if (memcmp(at, &here, sizeof here) == 0) continue;
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, srs_option_list_name(i),
                    "this snapshot was taken with other %s: restore it in a simulation with the same options",
                    srs_option_list_name(i));
  }
  return SRS_OK;
}

static srs_status refuse_model(srs_error *error, const char *what, uint64_t there, size_t here)
{
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, what,
                  "this snapshot is of a model with %s = %llu, here it is %zu: restore it in a simulation of the same "
                  "model",
                  what, (unsigned long long)there, here);
}

// Names the first piece of the model that is another here.
static srs_status check_model(const srs_snapshot_parts *p, uint64_t fingerprint, const char *at, size_t size,
                              srs_error *error)
{
  uint64_t n_shapes = 0;
  if (size >= sizeof n_shapes) memcpy(&n_shapes, at, sizeof n_shapes);
  if (size >= sizeof n_shapes && n_shapes != (uint64_t)p->model->n_shapes)
    return refuse_model(error, "shapes", n_shapes, (size_t)p->model->n_shapes);
  if (size < model_size(p) + options_size()) return refuse(error, "these bytes are no snapshot of this version");
  if (fingerprint == p->fingerprint) return SRS_OK;
  char difference[256];
  const char *label = srs_fingerprint_difference(p->model, p->pieces, at + sizeof n_shapes, difference);
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, label,
                  "this snapshot is of another model of this size: %s; restore it in a simulation of the same model",
                  difference);
}

// Checks that it is one of a simulation like this one; finds the number of warm contacts.
static srs_status check_header(const srs_snapshot_parts *p, const void *bytes, size_t size, size_t *n_warm,
                               srs_error *error)
{
  const srs_model *m = p->model;
  uint64_t header[HEADER];
  srs_status status = check_bytes(bytes, size, header, error);
  if (status != SRS_OK) return status;
  if (header[1] != (uint64_t)m->nq) return refuse_model(error, "nq", header[1], (size_t)m->nq);
  if (header[2] != (uint64_t)m->nv) return refuse_model(error, "nv", header[2], (size_t)m->nv);
  if (header[3] != (uint64_t)m->n_frames) return refuse_model(error, "frames", header[3], (size_t)m->n_frames);
  const char *payload = (const char *)bytes + sizeof header;
  status = check_model(p, header[5], payload, size - sizeof header, error);
  if (status == SRS_OK) status = check_options(p, payload + model_size(p), error);
  if (status != SRS_OK) return status;
  *n_warm = header[6];
  if (header[4] != p->state->n || *n_warm > 1000000000 || (*n_warm > 0 && p->constraints == NULL) ||
      size - sizeof header != payload_size(p, *n_warm))
    return refuse(error, "this snapshot's size does not fit this simulation");
  return SRS_OK;
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

// Works add up without end, and no step reads them.
static bool is_work(const srs_snapshot_parts *p, size_t i)
{
  const size_t first = (size_t)(p->state->works - p->state->block);
  return i >= first && i < first + SRS_WORKS;
}

static srs_status check_state(const srs_snapshot_parts *p, const char *payload, size_t n_warm, srs_error *error)
{
  const size_t nq = (size_t)p->model->nq;
  for (size_t i = 0; i < p->state->n; i++) {
    double value;
    memcpy(&value, payload + i * sizeof value, sizeof value);
    if (srs_first_not_finite(&value, 1) < 0 || is_work(p, i)) continue;
    char name[192];
    name_entry(p, i, name);
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, NULL, "%s in this snapshot is not a finite number", name);
  }
  const double *configurations[3] = {p->state->q, p->state->inputs.q_ref, p->state->start_q};
  for (int c = 0; c < 3; c++) {
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
  const char *payload = (const char *)bytes + HEADER * sizeof(uint64_t) + model_size(p) + options_size();
  srs_status status = check_header(p, bytes, size, n_warm, error);
  if (status == SRS_OK) status = check_state(p, payload, *n_warm, error);
  if (status != SRS_OK) return status;
  if (*n_warm > 0 && srs_contacts_reserve(p->constraints, (int)*n_warm) != SRS_OK)
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %zu contacts", *n_warm);
  return SRS_OK;
}

void srs_snapshot_load(const srs_snapshot_parts *p, const void *bytes, size_t n_warm)
{
  const char *payload = (const char *)bytes + HEADER * sizeof(uint64_t) + model_size(p) + options_size();
  const size_t state_size = p->state->n * sizeof(double);
  memcpy(p->state->block, payload, state_size);
  if (n_warm > 0) memcpy(p->constraints->warm, payload + state_size, n_warm * sizeof(warm_contact));
  if (p->constraints != NULL) p->constraints->n_warm = (int)n_warm;
}
