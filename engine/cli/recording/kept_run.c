// The file, in the machine's own numbers: eight bytes that name the format; its length and the hash (FNV-1a) of what
// follows; sizes; five texts, each ended by a zero byte; the snapshot that the run starts from; its steps. A step is
// the number of inputs that changed, index and value of each, the hash of the state after it, and its coordinates and
// velocities. So a changed bit anywhere is known, and a difference can be told to the coordinate.

#include "engine/cli/recording/kept_run.h"

#include "engine/simulation/fingerprint.h"
#include "engine/simulation/inputs.h"
#include "engine/simulation/sim.h"
#include "topology/base/errors.h"
#include "topology/base/whole_file.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 5, SIZES = 8 };
enum { SIZE_TEXTS, SIZE_START, SIZE_NQ, SIZE_NV, SIZE_INPUTS, SIZE_STEPS, SIZE_STEP_BYTES, SIZE_FAILED };

typedef struct file_head {
  char format[8];
  uint64_t length, hash; // of the file; of all that follows
  uint64_t sizes[SIZES];
} file_head;

static const char format[8] = "SRSRUN1", any_format[6] = "SRSRUN";
enum { HASHED_FROM = offsetof(file_head, sizes) };

bool srs_is_same_bits(const double *a, const double *b)
{
  uint64_t bits[2];
  memcpy(&bits[0], a, sizeof *a);
  memcpy(&bits[1], b, sizeof *b);
  return bits[0] == bits[1];
}

const char *srs_kept_run_build(void)
{
#if !defined(__x86_64__)
  return "compiler " __VERSION__; // one copy of the kernels (topology/base/kernel.h)
#else
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")
             ? "compiler " __VERSION__ ", x86-64-v3"
             : "compiler " __VERSION__ ", x86-64";
#endif
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

static srs_status refuse(const char *path, srs_error *error, srs_status status, const char *why)
{
  return srs_fail_at(error, status, (srs_place){path, 0, 0}, "", "%s", why);
}

static srs_status read_all(const char *path, char **bytes, size_t *length, srs_error *error)
{
  FILE *file = fopen(path, "rbe");
  if (file == NULL)
    return srs_fail_at(error, SRS_ERROR_FILE, (srs_place){path, 0, 0}, "", "cannot be opened: %s", strerror(errno));
  size_t room = 1 << 16, n = 0;
  char *all = malloc(room);
  while (all != NULL) {
    n += fread(all + n, 1, room - n, file);
    if (n < room) break;
    char *more = room < SIZE_MAX / 4 ? realloc(all, room *= 2) : NULL;
    if (more == NULL) free(all);
    all = more;
  }
  const bool is_bad = ferror(file) != 0;
  (void)fclose(file);
  *bytes = all, *length = n;
  if (all == NULL) return refuse(path, error, SRS_ERROR_MEMORY, "out of memory for a recorded run");
  return is_bad ? refuse(path, error, SRS_ERROR_FILE, "cannot be read; is it a folder?") : SRS_OK;
}

static srs_status check_head(const char *path, const char *bytes, size_t length, file_head *head, srs_error *error)
{
  if (length < sizeof any_format || memcmp(bytes, any_format, sizeof any_format) != 0)
    return refuse(path, error, SRS_ERROR_SYNTAX, "is no recorded run; sarrus run SCENE --record-run FILE writes one");
  if (length >= sizeof format && memcmp(bytes, format, sizeof format) != 0)
    return refuse(path, error, SRS_ERROR_UNSUPPORTED,
                  "was recorded in another format than this version's; replay it with the version that recorded it");
  if (length >= sizeof *head) memcpy(head, bytes, sizeof *head);
  if (length < sizeof *head || length < head->length)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){path, 0, 0}, "",
                       "is cut short: %zu bytes are left%s; record the run again", length,
                       length < sizeof *head ? "" : " of more");
  if (length > head->length || srs_hash_bytes(SRS_HASH_START, bytes + HASHED_FROM, length - HASHED_FROM) != head->hash)
    return refuse(path, error, SRS_ERROR_SYNTAX,
                  "is damaged: its checksum does not fit what it holds; record the run again");
  const uint64_t *sizes = head->sizes;
  uint64_t rest = length - sizeof *head;
  const uint64_t parts[3] = {sizes[SIZE_TEXTS], sizes[SIZE_START], sizes[SIZE_STEP_BYTES]};
  bool fits = sizes[SIZE_NQ] <= 1 << 30 && sizes[SIZE_NV] <= 1 << 30 && sizes[SIZE_STEPS] <= rest;
  for (int i = 0; i < 3; i++) {
    fits = fits && parts[i] <= rest;
    rest -= fits ? parts[i] : 0;
  }
  return fits && rest == 0 ? SRS_OK
                           : refuse(path, error, SRS_ERROR_SYNTAX, "is damaged: its sizes do not fit its length");
}

srs_status srs_kept_run_load(const char *path, srs_kept_run *run, srs_error *error)
{
  size_t length = 0;
  file_head head;
  *run = (srs_kept_run){0};
  srs_status status = read_all(path, &run->bytes, &length, error);
  if (status == SRS_OK) status = check_head(path, run->bytes, length, &head, error);
  if (status != SRS_OK) {
    srs_kept_run_free(run);
    return status;
  }
  const char **texts[TEXTS] = {&run->version, &run->build, &run->scene_file, &run->scene, &run->arguments};
  const char *at = run->bytes + sizeof head, *end = at + head.sizes[SIZE_TEXTS];
  for (int i = 0; i < TEXTS && at != NULL; i++) {
    const char *zero = memchr(at, '\0', (size_t)(end - at));
    *texts[i] = at;
    at = zero != NULL ? zero + 1 : NULL;
  }
  if (at != end) {
    srs_kept_run_free(run);
    return refuse(path, error, SRS_ERROR_SYNTAX, "is damaged: its texts do not end");
  }
  run->start = end, run->n_start = head.sizes[SIZE_START];
  run->nq = (int)head.sizes[SIZE_NQ], run->nv = (int)head.sizes[SIZE_NV];
  run->n_inputs = head.sizes[SIZE_INPUTS], run->n_steps = (long)head.sizes[SIZE_STEPS];
  run->has_failed = head.sizes[SIZE_FAILED] != 0;
  run->at = end + run->n_start, run->end = run->at + head.sizes[SIZE_STEP_BYTES];
  return SRS_OK;
}

void srs_kept_run_free(srs_kept_run *run)
{
  free(run->bytes);
  *run = (srs_kept_run){0};
}

static bool take(srs_kept_run *run, void *out, size_t n)
{
  if ((size_t)(run->end - run->at) < n) return false;
  if (n > 0) memcpy(out, run->at, n);
  run->at += n;
  return true;
}

bool srs_kept_run_apply(srs_kept_run *run, srs_sim *sim)
{
  uint64_t n = 0, index = 0;
  double value = 0;
  if (!take(run, &n, sizeof n)) return false;
  for (uint64_t i = 0; i < n; i++) {
    if (!take(run, &index, sizeof index) || !take(run, &value, sizeof value)) return false;
    if (index >= srs_sim_input_count(sim) || !isfinite(value)) return false;
    *srs_sim_input(sim, index) = value;
  }
  return true;
}

bool srs_kept_run_state(srs_kept_run *run, uint64_t *hash, double *x)
{
  return take(run, hash, sizeof *hash) && take(run, x, ((size_t)run->nq + (size_t)run->nv) * sizeof *x);
}

// ---------------------------------------------------------------------------------------------------------------------
// Keeping
// ---------------------------------------------------------------------------------------------------------------------

struct srs_run_keeper {
  srs_sim *sim;
  double *inputs; // n_inputs: of the last step
  size_t n_inputs, steps_from;
  file_head head;
  char *bytes; // the file as far as it is: room for `room` bytes, `n` are taken
  size_t n, room;
};

static bool put(srs_run_keeper *k, const void *bytes, size_t n)
{
  if (n > k->room - k->n) {
    const size_t room = 2 * (k->n + n) + 4096;
    char *more = k->n < SIZE_MAX / 8 && n < SIZE_MAX / 8 ? realloc(k->bytes, room) : NULL;
    if (more == NULL) return false;
    k->bytes = more, k->room = room;
  }
  if (n > 0) memcpy(k->bytes + k->n, bytes, n);
  k->n += n;
  return true;
}

static srs_status no_memory(srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){NULL, 0, 0}, "", "out of memory for --record-run");
}

static bool put_start(srs_run_keeper *k, const srs_kept_run *facts)
{
  const size_t size = srs_sim_snapshot_size(k->sim);
  void *snapshot = malloc(size);
  if (snapshot == NULL) return false;
  srs_sim_snapshot_save(k->sim, snapshot);
  const char *texts[TEXTS] = {srs_version(), srs_kept_run_build(), facts->scene_file, facts->scene, facts->arguments};
  bool is_put = put(k, &k->head, sizeof k->head);
  for (int i = 0; i < TEXTS && is_put; i++) is_put = put(k, texts[i], strlen(texts[i]) + 1);
  k->head.sizes[SIZE_TEXTS] = k->n - sizeof k->head;
  k->head.sizes[SIZE_START] = size;
  is_put = is_put && put(k, snapshot, size);
  free(snapshot);
  k->steps_from = k->n;
  return is_put;
}

srs_status srs_run_keeper_create(srs_sim *sim, const srs_kept_run *facts, srs_run_keeper **keeper, srs_error *error)
{
  srs_run_keeper *k = calloc(1, sizeof *k);
  *keeper = k;
  if (k == NULL) return no_memory(error);
  k->sim = sim;
  k->n_inputs = srs_sim_input_count(sim);
  k->inputs = malloc(k->n_inputs * sizeof *k->inputs);
  k->head.sizes[SIZE_NQ] = (uint64_t)srs_model_nq(srs_sim_model(sim));
  k->head.sizes[SIZE_NV] = (uint64_t)srs_model_nv(srs_sim_model(sim));
  k->head.sizes[SIZE_INPUTS] = k->n_inputs;
  for (size_t i = 0; k->inputs != NULL && i < k->n_inputs; i++) k->inputs[i] = *srs_sim_input(sim, i);
  if (k->inputs != NULL && put_start(k, facts)) return SRS_OK;
  srs_run_keeper_destroy(k);
  *keeper = NULL;
  return no_memory(error);
}

void srs_run_keeper_destroy(srs_run_keeper *k)
{
  if (k == NULL) return;
  free(k->inputs);
  free(k->bytes);
  free(k);
}

// A step changes no input: those that it had are those that are there.
srs_status srs_run_keeper_add(srs_run_keeper *k, srs_error *error)
{
  const size_t count_at = k->n, nq = k->head.sizes[SIZE_NQ], nv = k->head.sizes[SIZE_NV];
  uint64_t n = 0;
  const uint64_t hash = srs_sim_state_hash(k->sim);
  bool is_put = put(k, &n, sizeof n);
  for (uint64_t i = 0; i < k->n_inputs && is_put; i++) {
    const double *now = srs_sim_input(k->sim, i);
    if (srs_is_same_bits(now, &k->inputs[i])) continue;
    k->inputs[i] = *now, n++;
    is_put = put(k, &i, sizeof i) && put(k, now, sizeof *now);
  }
  is_put = is_put && put(k, &hash, sizeof hash) && put(k, srs_sim_q(k->sim), nq * sizeof(double)) &&
           put(k, srs_sim_v(k->sim), nv * sizeof(double));
  if (!is_put) {
    k->n = count_at;
    return no_memory(error);
  }
  memcpy(k->bytes + count_at, &n, sizeof n);
  k->head.sizes[SIZE_STEPS]++;
  return SRS_OK;
}

srs_status srs_run_keeper_write(srs_run_keeper *k, const char *path, bool has_failed, srs_error *error)
{
  if (k == NULL) return SRS_OK;
  memcpy(k->head.format, format, sizeof format);
  k->head.length = k->n;
  k->head.sizes[SIZE_STEP_BYTES] = k->n - k->steps_from;
  k->head.sizes[SIZE_FAILED] = has_failed;
  memcpy(k->bytes, &k->head, sizeof k->head);
  k->head.hash = srs_hash_bytes(SRS_HASH_START, k->bytes + HASHED_FROM, k->n - HASHED_FROM);
  memcpy(k->bytes, &k->head, sizeof k->head);
  return srs_write_whole_file(path, k->bytes, k->n, SRS_EXISTING_IS_REPLACED, error);
}
