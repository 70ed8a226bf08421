// Any bytes given as a snapshot are restored or refused. Restored, the sim steps on with finite numbers or says why
// not; refused, it is as it was.
//
// The first byte chooses the model, the second how the rest is meant: as the snapshot itself, or as edits (place, eight
// bytes) of a good one, whose checksum is then made to fit, so that what lies behind it is reached.
#include "engine/simulation/fingerprint.h"
#include "fuzz/models.h"

enum { MOST_BYTES = 65536, HEADER_BYTES = 64, STEPS = 3 };

typedef struct snapshot {
  uint64_t words[MOST_BYTES / 8];
  size_t size;
} snapshot;

static void save(const srs_sim *sim, snapshot *s)
{
  s->size = srs_sim_snapshot_size(sim);
  fuzz_demand(s->size <= MOST_BYTES, "snapshots of small models are small");
  srs_sim_snapshot_save(sim, s->words);
}

static void edit(fuzz_bytes *bytes, snapshot *s)
{
  const size_t n = s->size / 8;
  const bool is_cut = fuzz_byte(bytes) % 8 == 1;
  while (bytes->left > 0) {
    const size_t at = (size_t)(fuzz_byte(bytes) << 8 | fuzz_byte(bytes)) % n;
    const double number = fuzz_number(bytes);
    memcpy(&s->words[at], &number, sizeof number);
  }
  if (is_cut) s->size = s->words[0] % (s->size + 1);
  if (s->size < HEADER_BYTES) return;
  s->words[7] = srs_hash_bytes(SRS_HASH_START, s->words + 8, s->size - HEADER_BYTES);
}

static srs_sim *started(const srs_scene *scene, int settings)
{
  srs_sim_options options = srs_scene_get_settings(scene)->sim;
  options.integrator = (srs_integrator)(settings % SRS_INTEGRATORS);
  options.energy_balance = settings / 8 % 2 == 1;
  options.contact.solver.most_work = 1e7;
  options.implicit.halvings = 2;
  srs_sim *sim = NULL;
  srs_error error = {0};
  fuzz_judge(srs_scene_create_sim(scene, &options, &sim, &error), &error);
  return sim; // NULL where the integrator does not offer what the model has
}

static void step_on(srs_sim *sim)
{
  srs_error error = {0};
  fuzz_judge(srs_sim_step(sim, STEPS, &error), &error);
  for (int i = 0; i < srs_model_nq(srs_sim_model(sim)); i++)
    fuzz_demand(isfinite(srs_sim_q(sim)[i]), "coordinates stay finite");
  for (int i = 0; i < srs_model_nv(srs_sim_model(sim)); i++)
    fuzz_demand(isfinite(srs_sim_v(sim)[i]), "velocities stay finite");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static snapshot before, given, after;
  fuzz_bytes bytes = {data, size};
  const srs_scene *scene = fuzz_model(fuzz_below(&bytes, FUZZ_MODELS));
  srs_sim *sim = started(scene, fuzz_byte(&bytes));
  srs_error error = {0};
  if (sim == NULL) return 0;
  fuzz_judge(srs_sim_step(sim, STEPS, &error), &error);
  save(sim, &before);
  fuzz_expect(srs_sim_snapshot_restore(sim, before.words, before.size, &error), &error, "what was saved is restored");
  given = before;
  if (fuzz_byte(&bytes) % 4 != 3)
    edit(&bytes, &given);
  else {
    given.size = bytes.left < MOST_BYTES ? bytes.left : MOST_BYTES;
    memcpy(given.words, bytes.at, given.size);
  }
  void *exact = malloc(given.size > 0 ? given.size : 1); // what is read beyond its end is seen
  if (exact == NULL) abort();
  memcpy(exact, given.words, given.size);
  const srs_status status = srs_sim_snapshot_restore(sim, exact, given.size, &error);
  free(exact);
  fuzz_judge(status, &error);
  if (status != SRS_OK) {
    save(sim, &after);
    fuzz_demand(after.size == before.size && memcmp(after.words, before.words, after.size) == 0,
                "what is refused changes nothing");
  }
  step_on(sim);
  srs_sim_destroy(sim);
  return 0;
}
