// Sarrus in batches as one more engine: the 64 states side by side, one call of srs_batch for all of them.
#include "ours.h"

#include <sarrus/batch.h>
#include <stdlib.h>
#include <string.h>

typedef struct batch_instance {
  const bench_states *states;
  size_t nq, nv;
  srs_model *model;
  srs_batch *batch;
  int n_frames, *frames;         // of all links
  double *positions, *rotations; // BENCH_STATES x n_frames x 3, x 9
  double *out;                   // BENCH_STATES x nv x nv
  double *q, *v;                 // BENCH_STATES x nq, x nv: of steps
} batch_instance;

static void batch_destroy(void *self)
{
  batch_instance *b = self;
  if (b == NULL) return;
  srs_batch_destroy(b->batch);
  srs_model_destroy(b->model);
  free(b->frames), free(b->positions), free(b->rotations), free(b->out), free(b->q), free(b->v);
  free(b);
}

static bool reserve(batch_instance *b)
{
  const size_t n = (size_t)b->n_frames, states = BENCH_STATES;
  b->frames = calloc(n, sizeof *b->frames);
  b->positions = calloc(3 * states * n, sizeof(double));
  b->rotations = calloc(9 * states * n, sizeof(double));
  b->out = calloc(states * b->nv * b->nv, sizeof(double));
  b->q = calloc(states * b->nq, sizeof(double));
  b->v = calloc(states * b->nv, sizeof(double));
  return b->frames != NULL && b->positions != NULL && b->rotations != NULL && b->out != NULL && b->q != NULL &&
         b->v != NULL;
}

static void *batch_create(const bench_model *model, const bench_states *states, char why[BENCH_WHY])
{
  srs_error error = {0};
  snprintf(why, BENCH_WHY, "no memory left");
  batch_instance *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  *b = (batch_instance){.states = states, .nq = (size_t)model->nq, .nv = (size_t)model->nv, .n_frames = model->n_links};
  b->model = bench_build(model, &error);
  if (b->model != NULL && reserve(b) && srs_batch_create(b->model, &b->batch, &error) == SRS_OK) {
    for (int k = 0; k < b->n_frames; k++) b->frames[k] = srs_model_find_frame(b->model, model->links[k].name);
    return b;
  }
  if (error.message[0] != '\0') snprintf(why, BENCH_WHY, "%.240s", error.message);
  batch_destroy(b);
  return NULL;
}

static srs_status compute(batch_instance *b, bench_quantity quantity, int n)
{
  const bench_states *s = b->states;
  switch (quantity) {
  case BENCH_FK:
    return srs_batch_forward_kinematics(b->batch, n, s->q, b->frames, b->n_frames, b->positions, b->rotations);
  case BENCH_RNEA: return srs_batch_inverse_dynamics(b->batch, n, s->q, s->v, s->a, b->out);
  case BENCH_CRBA: return srs_batch_mass_matrix(b->batch, n, s->q, b->out);
  case BENCH_ABA: return srs_batch_forward_dynamics(b->batch, n, s->q, s->v, s->tau, b->out);
  default: return srs_batch_step(b->batch, n, BENCH_STEP_SIZE, b->q, b->v, s->tau);
  }
}

// Calls are taken 64 at a time, a state each; steps start anew after 16 of these.
static bool batch_run(void *self, bench_quantity quantity, long first, long n)
{
  batch_instance *b = self;
  (void)first;
  for (long done = 0, round = 0; done < n; done += BENCH_STATES, round++) {
    if (quantity == BENCH_STEP && round % BENCH_STEPS_PER_STATE == 0) {
      memcpy(b->q, b->states->q, BENCH_STATES * b->nq * sizeof *b->q);
      memcpy(b->v, b->states->v, BENCH_STATES * b->nv * sizeof *b->v);
    }
    const long left = n - done;
    if (compute(b, quantity, left < BENCH_STATES ? (int)left : BENCH_STATES) != SRS_OK) return false;
  }
  return true;
}

static bool batch_acceleration(void *self, int state, double *a)
{
  batch_instance *b = self;
  if (compute(b, BENCH_ABA, BENCH_STATES) != SRS_OK) return false;
  memcpy(a, b->out + (size_t)state * b->nv, b->nv * sizeof *a);
  return true;
}

static bool batch_answer(void *self, bench_quantity quantity, int state, double *out)
{
  batch_instance *b = self;
  if (quantity != BENCH_RNEA && quantity != BENCH_CRBA) return false;
  if (compute(b, quantity, BENCH_STATES) != SRS_OK) return false;
  const size_t numbers = quantity == BENCH_RNEA ? b->nv : b->nv * b->nv;
  memcpy(out, b->out + (size_t)state * numbers, numbers * sizeof *out);
  return true;
}

const bench_engine bench_batched = {
    .key = "batch",
    .title = "batch",
    .offers = 1u << BENCH_FK | 1u << BENCH_RNEA | 1u << BENCH_CRBA | 1u << BENCH_ABA | 1u << BENCH_STEP,
    .create = batch_create,
    .destroy = batch_destroy,
    .run = batch_run,
    .acceleration = batch_acceleration,
    .answer = batch_answer,
};
