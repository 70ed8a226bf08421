// Which shapes of one robot overlap in how many of its configurations?
//
// Those that overlap in all or nearly all of them are inside each other by the way the robot is drawn, not by the way
// it moves. The poses are drawn by a generator of their own, so that they are the same on every machine.
#include "collision/sampling/sampled_pairs.h"
#include "collision/world/collider.h"
#include "collision/world/self_overlaps.h"
#include "topology/base/errors.h"
#include "topology/model/joint_kind.h"
#include "topology/model/link_placement.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for the pairs of shapes to be sampled");
}

// ---------------------------------------------------------------------------------------------------------------------
// Configurations
// ---------------------------------------------------------------------------------------------------------------------

// splitmix64: 0 ... 1
static double draw(uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// half: half the range of a coordinate without limits
static double draw_between(double lower, double upper, double half, uint64_t *state)
{
  const double share = draw(state);
  if (isinf(lower) && isinf(upper)) lower = -half, upper = half;
  if (isinf(lower)) lower = upper - 2 * half;
  if (isinf(upper)) upper = lower + 2 * half;
  return lower + share * (upper - lower);
}

// Uniform over all rotations: a point of the unit ball in four dimensions, on its surface.
static void draw_quaternion(double *q, uint64_t *state)
{
  double square;
  do {
    square = 0;
    for (int i = 0; i < 4; i++) q[i] = 2 * draw(state) - 1, square += q[i] * q[i];
  } while (square > 1 || square < 0.01);
  for (int i = 0; i < 4; i++) q[i] /= sqrt(square);
}

static void draw_configuration(const srs_model *model, double *q, uint64_t *state)
{
  for (int k = 0; k < model->n_links; k++) {
    const srs_joint *joint = &model->joints[k];
    double *own = q + joint->q_index;
    if (joint->kind == SRS_JOINT_FREE) continue;
    if (joint->kind == SRS_JOINT_SPHERICAL) draw_quaternion(own, state);
    for (int i = 0; i < joint->nv && joint->kind != SRS_JOINT_SPHERICAL; i++) {
      const int v = joint->v_index + i;
      const bool is_angle = srs_joint_kind_v_type(joint->kind, i) == 'a';
      own[i] = draw_between(model->lower[v], model->upper[v], is_angle ? pi : 1, state);
    }
  }
  for (int i = 0; i < model->n_couplings; i++) { // leaders come before their followers
    const srs_coupling *c = &model->couplings[i];
    double value = srs_motion_at(&c->motion, 0, NULL), power = 1;
    for (int e = 0; e < SRS_COUPLING_TERMS; e++) {
      value += c->coefficients[e] * power;
      power *= c->leader_q >= 0 ? q[c->leader_q] : 0;
    }
    q[c->follower_q] = value;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Sampling
// ---------------------------------------------------------------------------------------------------------------------

typedef struct sampler {
  srs_collider *collider;
  srs_pair *candidates;    // n
  srs_sampled_pair *pairs; // n
  int n;
  double *q;
  srs_pose *links;
} sampler;

static bool list_candidates(sampler *s, srs_arena *memory)
{
  const srs_geometries *m = &s->collider->geometries;
  const srs_filter *f = &s->collider->filter;
  for (int pass = 0; pass < 2; pass++) {
    s->n = 0;
    for (int i = 0; i < m->n; i++)
      for (int j = i + 1; j < m->n; j++) {
        if (!srs_self_can_overlap(m, f, i, j)) continue;
        if (pass == 1) s->candidates[s->n] = (srs_pair){i, j};
        if (pass == 1) s->pairs[s->n] = (srs_sampled_pair){.shape_a = m->shape[i], .shape_b = m->shape[j]};
        s->n++;
      }
    if (pass == 1) break;
    s->candidates = srs_arena_take(memory, (size_t)s->n, sizeof *s->candidates);
    s->pairs = srs_arena_take(memory, (size_t)s->n, sizeof *s->pairs);
    if (s->candidates == NULL || s->pairs == NULL) return false;
  }
  return true;
}

// One configuration, which is in s->q.
static srs_status look(sampler *s, bool is_neutral, srs_error *error)
{
  srs_geometries *m = &s->collider->geometries;
  srs_pose_links(m->model, s->q, s->links);
  const srs_status status = srs_collider_place(s->collider, s->links, error);
  for (int k = 0; k < s->n && status == SRS_OK; k++) {
    const double depth = srs_self_depth(m, &s->collider->narrow_phase, s->candidates[k].i, s->candidates[k].j);
    if (!(depth > 0)) continue;
    s->pairs[k].depth = fmax(s->pairs[k].depth, depth);
    if (is_neutral)
      s->pairs[k].neutral_depth = depth;
    else
      s->pairs[k].n_overlaps++;
  }
  return status;
}

static srs_status sample(sampler *s, int n_poses, uint64_t seed, srs_error *error)
{
  const srs_model *model = s->collider->geometries.model;
  for (int i = 0; i < model->nq; i++) s->q[i] = model->neutral[i];
  srs_status status = look(s, true, error);
  for (int pose = 0; pose < n_poses && status == SRS_OK; pose++) {
    draw_configuration(model, s->q, &seed);
    status = look(s, false, error);
  }
  return status;
}

srs_status srs_sample_pairs(const srs_model *model, const srs_collider_options *options, int n_poses, uint64_t seed,
                            srs_sampled_pairs *found, srs_error *error)
{
  *found = (srs_sampled_pairs){.n_poses = n_poses};
  if (n_poses < 1)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%d poses are to be sampled, give 1 or more", n_poses);
  srs_collider_options all = options != NULL ? *options : srs_default_collider_options();
  all.self_collision = SRS_SELF_COLLISION_ALL;
  sampler s = {0};
  srs_status status = srs_collider_create_for_pairs(model, &all, &s.collider, error);
  if (status != SRS_OK) return status;
  s.q = srs_arena_take(&found->memory, (size_t)model->nq, sizeof *s.q);
  s.links = srs_arena_take(&found->memory, (size_t)model->n_links, sizeof *s.links);
  status = s.q != NULL && s.links != NULL && list_candidates(&s, &found->memory) ? SRS_OK : no_memory(error);
  if (status == SRS_OK) status = sample(&s, n_poses, seed, error);
  found->pairs = s.pairs, found->n_pairs = s.n;
  for (int k = 0; k < s.n && status == SRS_OK; k++)
    if (s.pairs[k].depth > 0) found->pairs[found->n++] = s.pairs[k];
  srs_collider_destroy(s.collider);
  return status;
}

void srs_sampled_pairs_free(srs_sampled_pairs *found)
{
  srs_arena_release(&found->memory);
  *found = (srs_sampled_pairs){0};
}
