// Sarrus as one engine among the others: only what <sarrus/sarrus.h> offers.
#include "ours.h"

#include <stdlib.h>
#include <string.h>

typedef struct sarrus_instance {
  const bench_states *states;
  size_t nq, nv;
  srs_model *model;
  srs_workspace *workspace;
  srs_sim *sim;
  srs_constraint_frame nodes[3][BENCH_NODES]; // 1, 4 and 12 points
  double *vector;                             // nv
  double *matrix, *by_q, *by_v;               // nv x nv
  double lambda[BENCH_NODE_ROWS * BENCH_NODES * BENCH_NODE_ROWS * BENCH_NODES];
} sarrus_instance;

// ---------------------------------------------------------------------------------------------------------------------
// The model
// ---------------------------------------------------------------------------------------------------------------------

static srs_status add_link(srs_builder *builder, const bench_model *model, const bench_link *link, srs_error *error)
{
  static const srs_joint_kind kinds[] = {
      [BENCH_REVOLUTE] = SRS_JOINT_REVOLUTE, [BENCH_PRISMATIC] = SRS_JOINT_PRISMATIC, [BENCH_FREE] = SRS_JOINT_FREE};
  srs_link_def body = srs_default_link_def();
  body.name = link->name;
  body.mass = link->mass;
  memcpy(body.com, link->com, sizeof body.com);
  memcpy(body.inertia, link->inertia, sizeof body.inertia);
  const srs_status status = srs_builder_add_link(builder, &body, error);
  if (status != SRS_OK) return status;

  char name[sizeof link->name + 8];
  snprintf(name, sizeof name, "joint %s", link->name);
  srs_joint_def joint = srs_default_joint_def(kinds[link->joint]);
  joint.name = name;
  joint.parent = link->parent < 0 ? NULL : model->links[link->parent].name;
  joint.child = link->name;
  memcpy(joint.origin.position, link->position, sizeof link->position);
  memcpy(joint.origin.rotation, link->rotation, sizeof link->rotation);
  memcpy(joint.axis, link->axis, sizeof link->axis);
  return srs_builder_add_joint(builder, &joint, error);
}

srs_model *bench_build(const bench_model *model, srs_error *error)
{
  srs_builder *builder = srs_builder_create();
  if (builder == NULL) return NULL;
  srs_status status = SRS_OK;
  for (int k = 0; status == SRS_OK && k < model->n_links; k++)
    status = add_link(builder, model, &model->links[k], error);
  srs_model *built = NULL;
  if (status == SRS_OK) status = srs_builder_build(builder, NULL, &built, error);
  srs_builder_destroy(builder);
  return status == SRS_OK ? built : NULL;
}

static void choose_nodes(sarrus_instance *instance, const bench_model *model)
{
  for (int set = 0; set < 3; set++) {
    const int n = bench_node_count((bench_quantity)(BENCH_LAMBDA_1 + set));
    for (int i = 0; i < n; i++)
      instance->nodes[set][i] = (srs_constraint_frame){
          .frame = srs_model_find_frame(instance->model, model->links[bench_node_link(model, n, i)].name),
          .axes = SRS_AXES_WORLD,
          .rows = SRS_ROWS_POINT};
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The engine
// ---------------------------------------------------------------------------------------------------------------------

static void sarrus_destroy(void *self)
{
  sarrus_instance *instance = self;
  if (instance == NULL) return;
  srs_sim_destroy(instance->sim);
  srs_workspace_destroy(instance->workspace);
  srs_model_destroy(instance->model);
  free(instance->vector);
  free(instance->matrix);
  free(instance->by_q);
  free(instance->by_v);
  free(instance);
}

static void *sarrus_create(const bench_model *model, const bench_states *states, char why[BENCH_WHY])
{
  snprintf(why, BENCH_WHY, "no memory left");
  sarrus_instance *instance = calloc(1, sizeof *instance);
  if (instance == NULL) return NULL;
  instance->states = states;
  instance->nq = (size_t)model->nq;
  instance->nv = (size_t)model->nv;
  instance->vector = calloc(instance->nv, sizeof(double));
  const size_t entries = instance->nv * instance->nv;
  instance->matrix = calloc(entries, sizeof(double));
  instance->by_q = calloc(entries, sizeof(double));
  instance->by_v = calloc(entries, sizeof(double));
  srs_error error = {0};
  srs_sim_options options = srs_default_sim_options();
  options.dt = BENCH_STEP_SIZE;
  options.integrator = SRS_SEMI_IMPLICIT_EULER;
  instance->model = bench_build(model, &error);
  const bool has_room =
      instance->vector != NULL && instance->matrix != NULL && instance->by_q != NULL && instance->by_v != NULL;
  if (has_room && instance->model != NULL &&
      srs_workspace_create(instance->model, &instance->workspace, &error) == SRS_OK &&
      srs_workspace_reserve_derivatives(instance->workspace) == SRS_OK &&
      srs_sim_create(instance->model, &options, &instance->sim, &error) == SRS_OK) {
    choose_nodes(instance, model);
    return instance;
  }
  if (error.message[0] != '\0') snprintf(why, BENCH_WHY, "%.240s", error.message);
  sarrus_destroy(instance);
  return NULL;
}

static srs_status compute(sarrus_instance *self, bench_quantity quantity, int state)
{
  const size_t at = (size_t)state;
  const double *q = self->states->q + at * self->nq, *v = self->states->v + at * self->nv;
  const double *a = self->states->a + at * self->nv, *tau = self->states->tau + at * self->nv;
  switch (quantity) {
  case BENCH_FK: return srs_forward_kinematics(self->workspace, q);
  case BENCH_RNEA: return srs_inverse_dynamics(self->workspace, q, v, a, NULL, self->vector);
  case BENCH_CRBA: return srs_mass_matrix(self->workspace, q, self->matrix);
  case BENCH_ABA: return srs_forward_dynamics(self->workspace, q, v, tau, NULL, self->vector);
  case BENCH_D_RNEA:
    return srs_inverse_dynamics_derivatives(self->workspace, q, v, a, NULL, self->by_q, self->by_v, self->matrix);
  case BENCH_D_ABA:
    return srs_forward_dynamics_derivatives(self->workspace, q, v, tau, NULL, self->vector, self->by_q, self->by_v,
                                            self->matrix);
  default: break;
  }
  const int set = (int)quantity - (int)BENCH_LAMBDA_1;
  const int n = bench_node_count(quantity);
  return srs_delassus(self->workspace, q, self->nodes[set], n, BENCH_NODE_ROWS * n, self->lambda);
}

static srs_status set_sim(sarrus_instance *self, int state)
{
  const size_t at = (size_t)state;
  const srs_status status =
      srs_sim_set_state(self->sim, 0, self->states->q + at * self->nq, self->states->v + at * self->nv, NULL);
  return status == SRS_OK ? srs_sim_set_torque(self->sim, self->states->tau + at * self->nv, NULL) : status;
}

static bool sarrus_run(void *pointer, bench_quantity quantity, long first, long n)
{
  sarrus_instance *self = pointer;
  srs_status status = SRS_OK;
  for (long i = first; status == SRS_OK && i < first + n; i++) {
    const int state = bench_state_of_call(quantity, i);
    if (quantity != BENCH_STEP) {
      status = compute(self, quantity, state);
      continue;
    }
    if (bench_starts_anew(i, first)) status = set_sim(self, state);
    if (status == SRS_OK) status = srs_sim_step(self->sim, 1, NULL);
  }
  return status == SRS_OK;
}

static bool sarrus_acceleration(void *pointer, int state, double *a)
{
  sarrus_instance *self = pointer;
  if (compute(self, BENCH_ABA, state) != SRS_OK) return false;
  memcpy(a, self->vector, self->nv * sizeof *a);
  return true;
}

static bool sarrus_answer(void *pointer, bench_quantity quantity, int state, double *out)
{
  sarrus_instance *self = pointer;
  if (compute(self, quantity, state) != SRS_OK) return false;
  const size_t rows = BENCH_NODE_ROWS * (size_t)bench_node_count(quantity);
  switch (quantity) {
  case BENCH_RNEA: memcpy(out, self->vector, self->nv * sizeof *out); return true;
  case BENCH_CRBA: memcpy(out, self->matrix, self->nv * self->nv * sizeof *out); return true;
  case BENCH_LAMBDA_1:
  case BENCH_LAMBDA_4:
  case BENCH_LAMBDA_12: memcpy(out, self->lambda, rows * rows * sizeof *out); return true;
  default: return false;
  }
}

const bench_engine bench_sarrus = {
    .key = "sarrus",
    .title = "Sarrus",
    .offers = (1u << BENCH_QUANTITIES) - 1,
    .create = sarrus_create,
    .destroy = sarrus_destroy,
    .run = sarrus_run,
    .acceleration = sarrus_acceleration,
    .answer = sarrus_answer,
};
