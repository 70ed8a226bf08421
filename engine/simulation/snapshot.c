// What must be kept to go on as if nothing had happened? The block of doubles that a step reads, after a header that
// says whose it is: layout, sizes, and a fingerprint of all that makes the model move as it does; then the impulses
// that the next step's contact problems may start from. A checksum over both tells bytes that have suffered, and what
// no step can have left (a number that is not finite, a quaternion that is not unit) is refused by name.

#include "engine/dynamics/checks.h"
#include "engine/islands/constraint.h"
#include "engine/simulation/simulation.h"
#include "topology/base/errors.h"

#include <string.h>

enum { HEADER = 8 };
enum { AT_CHECKSUM = HEADER - 1 };

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
  hash = mixed(hash, s->exponent, sizeof s->exponent);
  if (s->n_points > 0) hash = mixed(hash, s->points, 3 * (size_t)s->n_points * sizeof *s->points);
  if (s->n_triangles > 0) hash = mixed(hash, s->triangles, 3 * (size_t)s->n_triangles * sizeof *s->triangles);
  if (s->n_rows > 0)
    hash = mixed(mixed(hash, &s->n_rows, sizeof s->n_rows), s->heights,
                 (size_t)s->n_rows * (size_t)s->n_columns * sizeof *s->heights);
  return hash;
}

static uint64_t mixed_motion(uint64_t hash, const srs_motion *m)
{
  const double numbers[6] = {m->kind, m->start, m->rate, m->amplitude, m->frequency, m->phase};
  hash = mixed(hash, numbers, sizeof numbers);
  if (m->n_points == 0) return hash;
  hash = mixed(hash, m->times, (size_t)m->n_points * sizeof *m->times);
  return mixed(hash, m->values, (size_t)m->n_points * sizeof *m->values);
}

static uint64_t mixed_loops(uint64_t hash, const srs_model *m)
{
  for (int i = 0; i < m->n_closures; i++) {
    const srs_closure *c = &m->closures[i];
    const int numbers[5] = {(int)c->kind, c->link[0], c->link[1], (int)c->rows, c->motion_row};
    hash = mixed(hash, numbers, sizeof numbers);
    hash = mixed(hash, &m->closure_ends[i], sizeof m->closure_ends[i]);
    hash = mixed(hash, &c->joint, sizeof c->joint);
    hash = mixed_motion(mixed(hash, &c->length, sizeof c->length), &c->motion);
    if (c->is_embedded)
      hash = mixed(mixed(hash, "embedded", 8), c->independent, (size_t)c->n_independent * sizeof(int));
  }
  for (int i = 0; i < m->n_couplings; i++) {
    const srs_coupling *c = &m->couplings[i];
    const int numbers[2] = {c->follower_q, c->leader_q};
    hash = mixed(mixed(hash, numbers, sizeof numbers), c->coefficients, sizeof c->coefficients);
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
  uint64_t hash = 14695981039346656037U;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (parts[i].n > 0) hash = mixed(hash, parts[i].items, parts[i].n * parts[i].size);
  for (int k = 0; k < m->n_links; k++) {
    const srs_joint *at = &m->joints[k];
    const double numbers[6] = {at->max_swing, at->min_twist, at->max_twist, at->axis[0], at->axis[1], at->axis[2]};
    if (at->kind == SRS_JOINT_SPHERICAL) hash = mixed(hash, numbers, sizeof numbers);
  }
  for (int i = 0; i < m->n_shapes; i++) hash = mixed_shape(hash, &m->shapes[i]);
  return mixed_loops(hash, m);
}

static void header_of(const srs_sim *sim, size_t n_warm, const void *payload, size_t size, uint64_t header[HEADER])
{
  header[0] = 0x5a2209; // says that this is a snapshot, and of which layout
  header[1] = (uint64_t)sim->model->nq;
  header[2] = (uint64_t)sim->model->nv;
  header[3] = (uint64_t)sim->model->n_frames;
  header[4] = sim->n_state;
  header[5] = sim->fingerprint;
  header[6] = n_warm;
  header[AT_CHECKSUM] = mixed(14695981039346656037U, payload, size);
}

static size_t warm_count(const srs_sim *sim) { return sim->constraints != NULL ? (size_t)sim->constraints->n_warm : 0; }

static size_t payload_size(const srs_sim *sim, size_t n_warm)
{
  return sim->n_state * sizeof(double) + n_warm * sizeof(warm_contact);
}

size_t srs_sim_snapshot_size(const srs_sim *sim)
{
  return sim != NULL ? HEADER * sizeof(uint64_t) + payload_size(sim, warm_count(sim)) : 0;
}

void srs_sim_snapshot_save(const srs_sim *sim, void *bytes)
{
  if (sim == NULL || bytes == NULL) return;
  const size_t n_warm = warm_count(sim), state_size = sim->n_state * sizeof(double);
  char *payload = (char *)bytes + HEADER * sizeof(uint64_t);
  memcpy(payload, sim->state, state_size);
  if (n_warm > 0) memcpy(payload + state_size, sim->constraints->warm, n_warm * sizeof(warm_contact));
  uint64_t header[HEADER];
  header_of(sim, n_warm, payload, payload_size(sim, n_warm), header);
  memcpy(bytes, header, sizeof header);
}

// ---------------------------------------------------------------------------------------------------------------------
// Restoring
// ---------------------------------------------------------------------------------------------------------------------

static srs_status refuse(srs_error *error, const char *why)
{
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s", why);
}

// Whether the bytes are of a simulation like this one, and whole; then how many warm contacts they hold.
static srs_status check_header(const srs_sim *sim, const void *bytes, size_t size, size_t *n_warm, srs_error *error)
{
  static const char foreign[] = "these bytes are no snapshot of a simulation of this model";
  uint64_t header[HEADER], expected[HEADER];
  if (size < sizeof header) return refuse(error, foreign);
  memcpy(header, bytes, sizeof header);
  const size_t rest = size - sizeof header, state_size = sim->n_state * sizeof(double);
  if (rest < state_size || (rest - state_size) % sizeof(warm_contact) != 0) return refuse(error, foreign);
  *n_warm = (rest - state_size) / sizeof(warm_contact);
  if (*n_warm > 1000000000 || (*n_warm > 0 && sim->constraints == NULL)) return refuse(error, foreign);
  header_of(sim, *n_warm, (const char *)bytes + sizeof header, rest, expected);
  for (int i = 0; i < AT_CHECKSUM; i++)
    if (header[i] != expected[i]) return refuse(error, foreign);
  if (header[AT_CHECKSUM] == expected[AT_CHECKSUM]) return SRS_OK;
  return refuse(error, "this snapshot is damaged: its checksum does not fit what it holds");
}

// What entry i of the state is called: "q of 'joint'".
static void name_entry(const srs_sim *sim, size_t i, char text[192])
{
  const srs_model *m = sim->model;
  const struct {
    const double *begin;
    int n;
    const char *word;
    const char *const *names;
  } parts[] = {
      {sim->time, 1, "time", NULL},
      {sim->q, m->nq, "q", m->q_names},
      {sim->v, m->nv, "v", m->v_names},
      {sim->tau, m->nv, "tau", m->v_names},
      {sim->q_ref, m->nq, "q_ref", m->q_names},
      {sim->v_ref, m->nv, "v_ref", m->v_names},
      {sim->kp, m->nv, "kp", m->v_names},
      {sim->kd, m->nv, "kd", m->v_names},
  };
  srs_print(text, 192, "entry %zu of its state", i);
  for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
    const size_t begin = (size_t)(parts[p].begin - sim->state);
    if (i < begin || i >= begin + (size_t)parts[p].n) continue;
    if (parts[p].names == NULL)
      srs_print(text, 192, "%s", parts[p].word);
    else
      srs_print(text, 192, "%s of '%.150s'", parts[p].word, parts[p].names[i - begin]);
  }
}

static srs_status check_state(srs_sim *sim, const char *payload, size_t n_warm, srs_error *error)
{
  const size_t nq = (size_t)sim->model->nq;
  for (size_t i = 0; i < sim->n_state; i++) {
    double value;
    memcpy(&value, payload + i * sizeof value, sizeof value);
    if (srs_first_not_finite(&value, 1) < 0) continue;
    char name[192];
    name_entry(sim, i, name);
    return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, NULL, "%s in this snapshot is not a finite number", name);
  }
  const double *configurations[2] = {sim->q, sim->q_ref};
  for (int c = 0; c < 2; c++) {
    if (nq > 0)
      memcpy(sim->q_next, payload + (size_t)((const char *)configurations[c] - (const char *)sim->state),
             nq * sizeof(double));
    const srs_status status = srs_check_quaternions(sim->model, sim->q_next, error);
    if (status != SRS_OK) return status;
  }
  payload += sim->n_state * sizeof(double);
  for (size_t i = 0; i < n_warm; i++) {
    warm_contact warm;
    memcpy(&warm, payload + i * sizeof warm, sizeof warm);
    if (srs_first_not_finite(warm.impulse, 3) >= 0)
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, NULL,
                      "the impulse of contact %zu in this snapshot is not a finite number", i);
  }
  return SRS_OK;
}

srs_status srs_sim_snapshot_restore(srs_sim *sim, const void *bytes, size_t size, srs_error *error)
{
  if (sim == NULL || bytes == NULL) return refuse(error, "no sim, or no snapshot");
  const char *payload = (const char *)bytes + HEADER * sizeof(uint64_t);
  size_t n_warm = 0;
  srs_status status = check_header(sim, bytes, size, &n_warm, error);
  if (status == SRS_OK) status = check_state(sim, payload, n_warm, error);
  if (status != SRS_OK) return status;
  if (n_warm > 0 && srs_contacts_reserve(sim->constraints, (int)n_warm) != SRS_OK)
    return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory for %zu contacts", n_warm);
  srs_sim_forget_last_step(sim);
  memcpy(sim->state, payload, sim->n_state * sizeof(double));
  if (n_warm > 0)
    memcpy(sim->constraints->warm, payload + sim->n_state * sizeof(double), n_warm * sizeof(warm_contact));
  if (sim->constraints != NULL) sim->constraints->n_warm = (int)n_warm;
  sim->workspace_is_current = false;
  return SRS_OK;
}
