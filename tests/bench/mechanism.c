// Which mechanisms are measured, and at which states? See mechanism.h.
//
// Chains are made here, robots are read by Sarrus' own loader and handed on link by link, so that every engine builds
// the same mechanism. Some engines want an inertia by its principal moments: Jacobi's rotations, exact to rounding for
// 3 x 3.
#include "mechanism.h"

#include <float.h>
#include <math.h>
#include <sarrus/sarrus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A number within +-bound, by splitmix64.
static double uniform(uint64_t *state, double bound)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return bound * (2 * ((double)(z >> 11) * 0x1p-53) - 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Principal axes
// ---------------------------------------------------------------------------------------------------------------------

// One rotation in the plane (p, q) that makes s[p][q] zero; r gathers the rotations.
static void jacobi_rotate(double s[3][3], double r[3][3], int p, int q)
{
  if (fabs(s[p][q]) <= DBL_MIN) return;
  const double theta = (s[q][q] - s[p][p]) / (2 * s[p][q]);
  const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), d = t * c;
  for (int i = 0; i < 3; i++) {
    const double sip = s[i][p], siq = s[i][q], rip = r[i][p], riq = r[i][q];
    s[i][p] = c * sip - d * siq, s[i][q] = d * sip + c * siq;
    r[i][p] = c * rip - d * riq, r[i][q] = d * rip + c * riq;
  }
  for (int i = 0; i < 3; i++) {
    const double spi = s[p][i], sqi = s[q][i];
    s[p][i] = c * spi - d * sqi, s[q][i] = d * spi + c * sqi;
  }
}

static void find_principal_axes(bench_link *link)
{
  const double *t = link->inertia;
  double s[3][3] = {{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}};
  double r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  enum { SWEEPS = 10 }; // each squares the error; 6 reach rounding
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    jacobi_rotate(s, r, 0, 1);
    jacobi_rotate(s, r, 0, 2);
    jacobi_rotate(s, r, 1, 2);
  }
  for (int i = 0; i < 3; i++) link->moments[i] = s[i][i];
  memcpy(link->principal, r, sizeof r);
}

// ---------------------------------------------------------------------------------------------------------------------
// Models
// ---------------------------------------------------------------------------------------------------------------------

bool bench_chain(int n_links, bench_model *model)
{
  *model = (bench_model){.n_links = n_links, .nq = n_links, .nv = n_links};
  snprintf(model->name, sizeof model->name, "chain%d", n_links);
  model->links = calloc((size_t)n_links, sizeof *model->links);
  if (model->links == NULL) return false;
  for (int k = 0; k < n_links; k++) {
    bench_link *link = &model->links[k];
    *link = (bench_link){.parent = k - 1,
                         .joint = BENCH_REVOLUTE,
                         .q_index = k,
                         .v_index = k,
                         .position = {0, 0, k > 0 ? -1 : 0},
                         .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                         .axis = {1, 0, 0},
                         .mass = 1,
                         .com = {0, 0, -1},
                         .inertia = {0.025, 0.025, 0.025, 0, 0, 0}};
    snprintf(link->name, sizeof link->name, "link%d", k + 1);
    find_principal_axes(link);
  }
  return true;
}

// Parents of a humanoid's links: two legs of 6, torso 2, head 2, two arms of 7, each with a gripper of 7 small links.
static const signed char humanoid_parents[] = {-1, 0,  1,  2,  3,  4,  5,  0,  7,  8,  9,  10, 11, 0,  13,
                                               14, 15, 14, 17, 18, 19, 20, 21, 22, 23, 23, 25, 25, 23, 23,
                                               29, 14, 31, 32, 33, 34, 35, 36, 37, 37, 39, 39, 37, 37, 43};

bool bench_humanoid(bench_model *model)
{
  enum { LINKS = sizeof humanoid_parents, BASE_NQ = 7, BASE_NV = 6 };
  *model = (bench_model){.name = "humanoid", .n_links = LINKS, .nq = LINKS - 1 + BASE_NQ, .nv = LINKS - 1 + BASE_NV};
  model->links = calloc(LINKS, sizeof *model->links);
  if (model->links == NULL) return false;
  uint64_t random = 50;
  for (int k = 0; k < LINKS; k++) {
    bench_link *link = &model->links[k];
    *link = (bench_link){.parent = humanoid_parents[k],
                         .joint = k > 0 ? BENCH_REVOLUTE : BENCH_FREE,
                         .q_index = k > 0 ? k - 1 + BASE_NQ : 0,
                         .v_index = k > 0 ? k - 1 + BASE_NV : 0,
                         .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                         .mass = 2};
    link->axis[k % 3] = 1;
    for (int i = 0; i < 3; i++) {
      if (k > 0) link->position[i] = uniform(&random, 0.2);
      link->com[i] = uniform(&random, 0.1);
      link->inertia[i] = 0.02 + uniform(&random, 0.005);
      link->inertia[3 + i] = uniform(&random, 0.002);
    }
    snprintf(link->name, sizeof link->name, "link%d", k);
    find_principal_axes(link);
  }
  return true;
}

static bool is_identity(const srs_pose *pose)
{
  const srs_pose identity = srs_identity_pose();
  double difference = 0;
  for (int i = 0; i < 3; i++) difference += fabs(pose->position[i] - identity.position[i]);
  for (int i = 0; i < 9; i++) difference += fabs(pose->rotation[i] - identity.rotation[i]);
  return difference == 0;
}

static bool copy_link(const srs_model *source, int k, bench_link *to, char why[BENCH_WHY])
{
  const srs_link *link = srs_model_link(source, k);
  const srs_joint *joint = srs_model_joint(source, k);
  const bool is_free = joint->kind == SRS_JOINT_FREE && k == 0 && is_identity(&joint->origin);
  const bool is_revolute = joint->kind == SRS_JOINT_REVOLUTE || joint->kind == SRS_JOINT_CONTINUOUS;
  if (!is_free && !is_revolute && joint->kind != SRS_JOINT_PRISMATIC) {
    snprintf(why, BENCH_WHY, "joint '%s' is %s", joint->name, srs_joint_kind_name(joint->kind));
    return false;
  }
  *to = (bench_link){.parent = link->parent,
                     .joint = is_free       ? BENCH_FREE
                              : is_revolute ? BENCH_REVOLUTE
                                            : BENCH_PRISMATIC,
                     .q_index = joint->q_index,
                     .v_index = joint->v_index,
                     .mass = link->mass};
  snprintf(to->name, sizeof to->name, "%s", link->name);
  memcpy(to->position, joint->origin.position, sizeof to->position);
  memcpy(to->rotation, joint->origin.rotation, sizeof to->rotation);
  memcpy(to->axis, joint->axis, sizeof to->axis);
  memcpy(to->com, link->com, sizeof to->com);
  memcpy(to->inertia, link->inertia, sizeof to->inertia);
  find_principal_axes(to);
  return true;
}

bool bench_load(const char *path, const char *name, bool floating, bench_model *model, char why[BENCH_WHY])
{
  srs_load_options options = srs_default_load_options();
  options.base = floating ? SRS_BASE_FLOATING : SRS_BASE_FIXED;
  srs_model *source = NULL;
  srs_error error;
  if (srs_model_load(path, &options, &source, &error) != SRS_OK) {
    srs_error_format(&error, why, BENCH_WHY);
    return false;
  }
  *model = (bench_model){.n_links = srs_model_n_links(source), .nq = srs_model_nq(source), .nv = srs_model_nv(source)};
  snprintf(model->name, sizeof model->name, "%s", name);
  model->links = calloc((size_t)model->n_links, sizeof *model->links);
  bool good = model->links != NULL;
  if (!good) snprintf(why, BENCH_WHY, "no memory left");
  for (int k = 0; good && k < model->n_links; k++) good = copy_link(source, k, &model->links[k], why);
  srs_model_destroy(source);
  if (!good) bench_model_free(model);
  return good;
}

void bench_model_free(bench_model *model)
{
  free(model->links);
  *model = (bench_model){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// States
// ---------------------------------------------------------------------------------------------------------------------

static void random_joint(uint64_t *random, bench_joint joint, double *q)
{
  const double pi = 3.14159265358979323846;
  if (joint == BENCH_REVOLUTE) q[0] = uniform(random, pi);
  if (joint == BENCH_PRISMATIC) q[0] = uniform(random, 0.3);
  if (joint != BENCH_FREE) return;
  for (int i = 0; i < 3; i++) q[i] = uniform(random, 1);
  double norm = 0;
  for (int i = 3; i < 7; i++) q[i] = uniform(random, 1), norm += q[i] * q[i];
  for (int i = 3; i < 7; i++) q[i] /= sqrt(norm);
}

bool bench_random_states(const bench_model *model, bench_states *states)
{
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv, n_v = BENCH_STATES * nv;
  *states = (bench_states){.q = malloc(BENCH_STATES * nq * sizeof(double)),
                           .v = malloc(n_v * sizeof(double)),
                           .a = malloc(n_v * sizeof(double)),
                           .tau = malloc(n_v * sizeof(double))};
  if (states->q == NULL || states->v == NULL || states->a == NULL || states->tau == NULL) {
    bench_states_free(states);
    return false;
  }
  uint64_t random = 2024;
  for (size_t s = 0; s < BENCH_STATES; s++)
    for (int k = 0; k < model->n_links; k++)
      random_joint(&random, model->links[k].joint, states->q + s * nq + model->links[k].q_index);
  for (size_t i = 0; i < n_v; i++) states->v[i] = uniform(&random, 1);
  for (size_t i = 0; i < n_v; i++) states->a[i] = uniform(&random, 1);
  for (size_t i = 0; i < n_v; i++) states->tau[i] = uniform(&random, 1);
  return true;
}

void bench_states_free(bench_states *states)
{
  free(states->q);
  free(states->v);
  free(states->a);
  free(states->tau);
  *states = (bench_states){0};
}
