// The energy balance: what each step's impulses do to the energy, and what is left over.
//
//   dT + dV_gravity + dV_springs = sum of works + rest
//
// An impulse p on a velocity w that goes from w- to w+ in the step does the work p . (w- + w+)/2, both at the
// configuration of the step's matrices, where T(v+) - T(v) is exactly the sum of such products over all impulses. The
// rest is the scheme's own: what it does with the velocity terms c while M changes with q, the difference between the
// works of gravity and springs and the changes of their potentials, and what keeps loops closed and momentum constant.
//
//   drives        torques and servos on coordinates (their efforts), actuators of loop joints, wrenches on frames
//   dampers       of joints: -h d (v + theta (v+ - v)) . (v + v+)/2, theta 1 in Euler's schemes, in midpoint schemes as
//                 the step takes it (step/theta.c)
//   loop joints   springs, dampers and rotors of loop joints, whose energies are neither in T nor in V
//   loops         p . U with the mean of the prescribed rates: a closure without motion does no work. What its impulses
//                 do by the error of G(q) v = 0 belongs to the rest
//   push-out      of a contact or limit that is violated: the part of p . (w- + w+)/2 by the speed that the row asks to
//                 lead it back. A motion of positions alone does the work dV: whoever makes one adds that to
//                 works[SRS_WORK_PUSH_OUT] of the step memory, after srs_find_works
//
// In a step with impacts (islands/impact.c) these have works of their own, at the velocities between which each blow
// acts; what else contacts do there goes from the velocities after the impacts, v_rows, to v+.
//
// Contacts (all of a step together), limits and dry friction only take energy. Where their p . (w- + w+)/2 is positive,
// w- points away and the step's own forces press: in the mean of w- and w+ the impulse acts before there is a reason
// for it. There w- is moved towards w_free, the velocity under the step's forces alone, until the work is 0, or as far
// as w_free; the difference belongs to the rest and is of order h. (For bounces on v_free it is e m g h v, which
// balances what semi-implicit Euler loses in flight: docs/theory.md.) Work that is still positive is made by the
// impulses, by a law that can (newton); by the default law, whose impacts are apart, contacts make none, and what is
// left belongs to the rest: with limits or loops in the same step either may act first. Of contacts that meet in one
// impact, some may give what others take: only the sum is certain, as well as that of normal and friction. Contacts of
// the geometrically implicit step do not bounce, and act along the normals of the step's end: a positive sum is the
// error of these, but with compliant layers, whose elastic energy counts as the contacts' work.

#include "engine/conservation/energy_balance.h"
#include "engine/dynamics/kinematics.h"
#include "engine/geometric/smooth_contact.h"
#include "engine/loops/embedding.h"
#include "engine/rows/contact_rows.h"
#include "topology/model/configuration.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Impulses that only take energy
// ---------------------------------------------------------------------------------------------------------------------

static double taken(double mean_work, double free_work)
{
  return mean_work > 0 ? fmin(mean_work, fmax(0, free_work)) : mean_work;
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts
// ---------------------------------------------------------------------------------------------------------------------

typedef struct contact_work {
  double normal, friction;
} contact_work;

static v3 velocity_at(const srs_workspace *w, const v6 *velocity, int link, v3 point)
{
  return link < 0 ? v3_zero : velocity[link].lin + cross(velocity[link].ang, point - w->place[link].origin);
}

// Where the impulses act on A and on B.
static void points_of(const srs_work_step *s, int k, v3 point[2])
{
  const srs_contact_point *at = &s->constraints->next_results[k].contact;
  const bool is_at_witness = s->options->contact.normal == SRS_NORMAL_HART && at->slope != 1;
  point[0] = v3_load(is_at_witness ? at->witness : at->point_a);
  point[1] = v3_load(is_at_witness ? at->witness : at->point_b);
  if (s->geometric != NULL) point[0] = point[1] = s->geometric->contacts[k].x;
}

// A contact's impulse on A, without its blow.
static v3 impulse_of(const srs_work_step *s, int k)
{
  const struct srs_constraints *c = s->constraints;
  const v3 whole = v3_load(c->next_results[k].impulse);
  if (!c->has_blows) return whole;
  const active_contact *a = &c->active[k];
  v3 blow, rolling;
  (void)srs_split_impulse(a, a->blow, &blow, &rolling);
  return a->is_turned ? whole + blow : whole - blow;
}

// Likewise its torque, of torsional and rolling friction.
static v3 torque_of(const srs_work_step *s, int k)
{
  const struct srs_constraints *c = s->constraints;
  const srs_sim_contact *r = &c->next_results[k];
  const v3 whole = r->torsional_impulse * v3_load(r->contact.normal) + v3_load(r->rolling_impulse);
  if (!c->has_blows) return whole;
  const active_contact *a = &c->active[k];
  v3 force, rolling;
  const double spin = srs_split_impulse(a, a->blow, &force, &rolling);
  const v3 blow = spin * a->direction[0] + rolling;
  return a->is_turned ? whole + blow : whole - blow;
}

// The work of a contact at the links' velocities.
static contact_work work_at(const srs_workspace *w, const srs_work_step *s, int k)
{
  const v6 *velocity = w->velocity;
  const srs_sim_contact *r = &s->constraints->next_results[k];
  const int a = r->contact.link_a, b = r->contact.link_b;
  const v3 n = v3_load(r->contact.normal), impulse = impulse_of(s, k);
  v3 point[2];
  points_of(s, k, point);
  const v3 u = velocity_at(w, velocity, a, point[0]) - velocity_at(w, velocity, b, point[1]);
  const v3 spin = (a < 0 ? v3_zero : velocity[a].ang) - (b < 0 ? v3_zero : velocity[b].ang);
  const double normal = dot(n, impulse) * dot(n, u);
  return (contact_work){normal, dot(impulse, u) - normal + dot(torque_of(s, k), spin)};
}

static bool bounces(const srs_workspace *w, const srs_work_step *s, int k)
{
  const srs_sim_contact *r = &s->constraints->next_results[k];
  if (!(r->restitution > 0)) return false;
  const v6 *before = s->constraints->velocity_before;
  v3 point[2];
  points_of(s, k, point);
  const v3 u =
      velocity_at(w, before, r->contact.link_a, point[0]) - velocity_at(w, before, r->contact.link_b, point[1]);
  return dot(v3_load(r->contact.normal), u) < -s->constraints->impact_threshold;
}

// Of the mean of w- and w+, the share of the speed at which an overlap is led back. Where the contact bounces, the
// restitution acts on that, too.
static double push_of(const srs_workspace *w, const srs_work_step *s, int k)
{
  const srs_contact_settings *o = &s->options->contact;
  const srs_sim_contact *r = &s->constraints->next_results[k];
  const srs_contact_point *at = &r->contact;
  if (!(at->gap < 0) || s->geometric != NULL || srs_is_projected(o)) return 0;
  const double depth = o->normal == SRS_NORMAL_HART ? -at->phi / at->slope : -at->gap;
  double push = o->error_reduction * depth / s->options->dt;
  if (o->normal != SRS_NORMAL_HART) push = fmin(push, o->max_depenetration_velocity);
  if (!bounces(w, s, k)) return 0.5 * push;
  return o->impact == SRS_IMPACT_NEWTON ? 0 : 0.5 * (1 + r->restitution) * push;
}

// Likewise of the speed by which implicit Euler's contacts make up for turning (contact_rows.c): an error of its
// normals.
static double turning_of(const srs_workspace *w, const srs_work_step *s, int k)
{
  const struct srs_constraints *c = s->constraints;
  if (!s->has_excess || c->n_groups > 0 || s->options->contact.normal != SRS_NORMAL_GAP) return 0;
  if (!srs_is_projected(&s->options->contact) && bounces(w, s, k)) return 0;
  const double excess = c->excess[c->active[k].candidate], gap = c->next_results[k].contact.gap;
  return 0.5 * fmax(0, -excess - fmax(0, gap)) / s->options->dt;
}

// The mean of v+ and of v without rows.
static const double *mean_of_free(const srs_workspace *w, const srs_work_step *s)
{
  for (int i = 0; i < w->model->nv; i++) s->scratch[i] = s->v[i] + s->options->dt * s->a[i];
  if (w->embedding != NULL) srs_embedding_lift(w, s->scratch);
  for (int i = 0; i < w->model->nv; i++) s->scratch[i] = 0.5 * (s->scratch[i] + s->v_next[i]);
  return s->scratch;
}

// The sum over the contacts at the links' velocities, and the part of it that is push-out.
static contact_work sum_contacts(const srs_workspace *w, const srs_work_step *s, double *pushed)
{
  const struct srs_constraints *c = s->constraints;
  contact_work sum = {0, 0};
  *pushed = 0;
  for (int k = 0; k < c->n_next; k++) {
    const srs_sim_contact *r = &c->next_results[k];
    const double impulse = dot(v3_load(r->contact.normal), impulse_of(s, k));
    if (impulse == 0) continue;
    const contact_work at = work_at(w, s, k);
    const double push = impulse * push_of(w, s, k);
    sum.normal += at.normal - push - impulse * turning_of(w, s, k);
    sum.friction += at.friction;
    *pushed += push;
  }
  return sum;
}

static bool has_layers(const srs_work_step *s)
{
  for (int k = 0; s->geometric != NULL && k < s->geometric->n_contacts; k++)
    if (s->geometric->pairs[s->geometric->contacts[k].pair].n_layers > 0) return true;
  return false;
}

static void add_contacts(srs_workspace *w, const srs_work_step *s, double *works)
{
  const struct srs_constraints *c = s->constraints;
  const bool has_blows = s->geometric == NULL && c->has_blows;
  double pushed;
  for (int i = 0; has_blows && i < w->model->nv; i++) s->scratch[i] = 0.5 * (c->v_rows[i] + s->v_next[i]);
  srs_move_links(w, has_blows ? s->scratch : s->mean_v);
  contact_work at = sum_contacts(w, s, &pushed);
  const double sum = at.normal + at.friction;
  if (sum > 0 && s->geometric != NULL && !has_layers(s)) {
    at.normal -= sum;
  } else if (sum > 0 && s->geometric == NULL) {
    srs_move_links(w, mean_of_free(w, s));
    const contact_work free = sum_contacts(w, s, &pushed);
    const double change = free.normal + free.friction - sum, share = change < 0 ? fmin(1, -sum / change) : 0;
    at.normal += share * (free.normal - at.normal);
    at.friction += share * (free.friction - at.friction);
    srs_move_links(w, s->mean_v);
  }
  if (s->geometric == NULL && c->is_projected) at.normal -= fmax(0, at.normal + at.friction);
  if (has_blows) srs_move_links(w, s->mean_v);
  works[SRS_WORK_CONTACT_NORMAL] += at.normal + (has_blows ? c->blow_normal : 0);
  works[SRS_WORK_CONTACT_FRICTION] += at.friction + (has_blows ? c->blow_friction : 0);
  works[SRS_WORK_PUSH_OUT] += pushed;
}

// ---------------------------------------------------------------------------------------------------------------------
// Scalar rows
// ---------------------------------------------------------------------------------------------------------------------

static double loop_work(const srs_work_step *s, const scalar_row *row)
{
  const struct srs_constraints *c = s->constraints;
  const int i = row->slot - JOINT_SLOTS * c->n_coordinates;
  const double rate = c->loop_rows[i].rate; // at the time of the matrices
  return row->impulse * (s->is_mean ? rate : 0.5 * (rate + c->loop_rates[i]));
}

// A limit leads back with the speed -shift, but for a bounce.
static double limit_push(const srs_work_step *s, const scalar_row *row, const joint_coordinate *x)
{
  const double e = s->options->joint.restitution;
  const bool bounces = e > 0 && row->shift == e * (row->sign * x->rate);
  if (row->kind == SCALAR_BILATERAL) return -0.5 * row->shift; // a lock
  return row->shift < 0 && !bounces ? -0.5 * row->shift : 0;
}

static void add_row(const srs_work_step *s, const v6 *velocity, const scalar_row *row, double *works)
{
  if (row->source == SRS_ROW_LOOP) {
    works[SRS_WORK_LOOPS] += loop_work(s, row);
    return;
  }
  if (row->source == SRS_ROW_ACTUATOR && row->subject == SRS_ROW_OF_COORDINATE) return; // among the efforts
  const joint_coordinate *x = &s->constraints->coordinates[row->slot / JOINT_SLOTS];
  const double work = row->impulse * srs_row_velocity(&row->row, velocity, s->mean_v);
  const double forced = row->impulse * 0.5 * row->sign * (x->rate_free - x->rate);
  switch (row->source) {
  case SRS_ROW_LOWER_LIMIT:
  case SRS_ROW_UPPER_LIMIT: {
    const double pushed = row->impulse * limit_push(s, row, x);
    works[SRS_WORK_LIMITS] += taken(work - pushed, work - pushed + forced);
    works[SRS_WORK_PUSH_OUT] += pushed;
    break;
  }
  case SRS_ROW_FRICTION: works[SRS_WORK_DRY_FRICTION] += taken(work, work + forced); break;
  case SRS_ROW_ACTUATOR: works[SRS_WORK_DRIVES] += work; break;
  default: works[SRS_WORK_LOOP_JOINTS] += work; break;
  }
}

static bool is_on_links(const scalar_row *row)
{
  return row->source != SRS_ROW_LOOP && row->subject == SRS_ROW_OF_LOOP && row->impulse != 0;
}

static bool any_row_on_links(const struct srs_constraints *c)
{
  for (int i = 0; c != NULL && i < c->n_scalars; i++)
    if (is_on_links(&c->scalars[i])) return true;
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// A step
// ---------------------------------------------------------------------------------------------------------------------

static void add_dampers(const srs_model *m, const srs_work_step *s, double *works)
{
  double sum = 0;
  for (int i = 0; i < m->nv; i++) {
    const double theta = !s->is_mean ? 1 : s->theta != NULL ? s->theta[i] : 0.5;
    sum += m->damping[i] * (s->v[i] + theta * (s->v_next[i] - s->v[i])) * s->mean_v[i];
  }
  works[SRS_WORK_DAMPERS] -= s->options->dt * sum;
}

static double wrench_work(const srs_workspace *w, double time, const double *link_wrench)
{
  double sum = 0;
  for (int k = 0; k < w->model->n_links; k++) sum += v6_dot(v6_load(link_wrench + 6 * (size_t)k), w->velocity[k]);
  return time * sum;
}

// The constant parts of actuators of tendons, which act on coordinates.
static double tendon_work(const srs_work_step *s)
{
  const struct srs_constraints *c = s->constraints;
  double sum = 0;
  for (int k = c != NULL ? c->n_joint_coordinates : 0; c != NULL && k < c->n_coordinates; k++) {
    const joint_coordinate *x = &c->coordinates[k];
    if (x->subject == SRS_ROW_OF_LOOP && x->has_plan && x->row.is_coordinate[0])
      sum += x->plan.base * srs_row_velocity(&x->row, NULL, s->mean_v);
  }
  return sum;
}

void srs_find_works(srs_workspace *w, const srs_work_step *s, double *works)
{
  const struct srs_constraints *c = s->constraints;
  const bool has_contacts = c != NULL && c->n_next > 0;
  memset(works, 0, SRS_WORKS * sizeof *works);
  for (int i = 0; i < w->model->nv; i++) s->mean_v[i] = 0.5 * (s->v[i] + s->v_next[i]);
  add_dampers(w->model, s, works);
  if (has_contacts) add_contacts(w, s, works);
  if (s->link_wrench != NULL || any_row_on_links(c)) {
    if (has_contacts && s->geometric != NULL) srs_place_links(w, s->q);
    if (!has_contacts || s->geometric != NULL) srs_move_links(w, s->mean_v);
  }
  for (int i = 0; c != NULL && i < c->n_scalars; i++)
    if (c->scalars[i].impulse != 0) add_row(s, w->velocity, &c->scalars[i], works);
  if (s->link_wrench != NULL) works[SRS_WORK_DRIVES] += wrench_work(w, s->options->dt, s->link_wrench) + tendon_work(s);
}

void srs_add_stage_works(srs_workspace *w, double time, const double *q, const double *v, const double *force,
                         const double *link_wrench, double *scratch, double *works)
{
  const srs_model *m = w->model;
  double damped = 0, driven = 0;
  srs_spring_damper_forces(m, q, v, scratch);
  for (int i = 0; i < m->nv; i++) {
    damped += m->damping[i] * v[i] * v[i];
    driven += (force[i] - scratch[i]) * v[i];
  }
  works[SRS_WORK_DAMPERS] -= time * damped;
  works[SRS_WORK_DRIVES] += time * driven;
  if (link_wrench == NULL) return;
  srs_move_links(w, v);
  works[SRS_WORK_DRIVES] += wrench_work(w, time, link_wrench);
}

double srs_work_of(int n, double time, const double *f, const double *v)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += f[i] * v[i];
  return time * sum;
}

void srs_add_works(const double *works, double *sum)
{
  for (int i = 0; i < SRS_WORKS; i++)
    if (isfinite(sum[i] + works[i])) sum[i] += works[i];
}

// ---------------------------------------------------------------------------------------------------------------------
// The balance
// ---------------------------------------------------------------------------------------------------------------------

void srs_balance_energy(const srs_energies *start, const srs_energies *now, const double *works, srs_energy_balance *b)
{
  double sum = 0;
  for (int i = 0; i < SRS_WORKS; i++) sum += works[i];
  *b = (srs_energy_balance){.kinetic = now->kinetic - start->kinetic,
                            .gravity = (now->potential - now->springs) - (start->potential - start->springs),
                            .springs = now->springs - start->springs,
                            .drives = works[SRS_WORK_DRIVES],
                            .dampers = works[SRS_WORK_DAMPERS],
                            .dry_friction = works[SRS_WORK_DRY_FRICTION],
                            .contact_normal = works[SRS_WORK_CONTACT_NORMAL],
                            .contact_friction = works[SRS_WORK_CONTACT_FRICTION],
                            .limits = works[SRS_WORK_LIMITS],
                            .loops = works[SRS_WORK_LOOPS],
                            .loop_joints = works[SRS_WORK_LOOP_JOINTS],
                            .push_out = works[SRS_WORK_PUSH_OUT]};
  b->rest = (b->kinetic + b->gravity + b->springs) - sum;
}
