// A program that uses a simulation in any order, with any numbers: the bytes are its calls. Nothing crashes, reads or
// writes where it may not, or leaks; each call does what it is asked or says in one line why not; a state stays finite;
// what fails leaves it as it was; what a snapshot holds is continued with the same bits.
//
// First a model and options, which are judged by srs_sim_create; then a byte a call, and its arguments.
#include "engine/state/option_table.h"
#include "fuzz/models.h"

enum { MOST_CALLS = 40, MOST_BYTES = 65536 };

typedef struct program {
  fuzz_bytes bytes;
  const srs_scene *scene;
  const srs_model *model;
  srs_sim *sim;
  int nq, nv;
  double q[FUZZ_MOST_Q], v[FUZZ_MOST_V]; // the state before a call
  uint64_t saved[MOST_BYTES / 8];
  size_t saved_size;
  srs_error error;
} program;

// ---- making a sim ----

// Options that are in range but cost seconds a step: their cost is what they promise, and is not what is looked for.
static void bound_the_work(srs_sim_options *options)
{
  if (options->contact.solver.most_work > 1e6) options->contact.solver.most_work = 1e6;
  if (options->contact.solver.max_iterations > 100) options->contact.solver.max_iterations = 100;
  if (options->contact.capacity > 1000) options->contact.capacity = 1000;
  if (options->contact.collider.pair_capacity > 1000) options->contact.collider.pair_capacity = 1000;
  if (options->implicit.iterations > 20) options->implicit.iterations = 20;
  if (options->implicit.halvings > 2 && options->implicit.halvings <= 20) options->implicit.halvings = 2;
}

// A flag is 0 or 1: another byte in a bool is no value at all.
static void set_any(const srs_option_row *row, fuzz_bytes *bytes, srs_sim_options *options)
{
  if (row->kind == SRS_OPTION_NUMBER)
    srs_option_set(row, options, fuzz_number(bytes));
  else if (row->kind == SRS_OPTION_FLAG)
    srs_option_set(row, options, fuzz_below(bytes, 2));
  else if (row->kind == SRS_OPTION_WORD)
    srs_option_set(row, options, fuzz_below(bytes, 12));
  else
    srs_option_set(row, options, fuzz_below(bytes, 4) > 0 ? fuzz_byte(bytes) - 3 : INT32_MIN);
}

static void create(program *p)
{
  srs_sim_options options = srs_scene_get_settings(p->scene)->sim;
  options.integrator = (srs_integrator)fuzz_below(&p->bytes, SRS_INTEGRATORS);
  options.energy_balance = true;
  for (int n = fuzz_below(&p->bytes, 6); n > 0; n--)
    set_any(&srs_option_rows[fuzz_below(&p->bytes, srs_n_option_rows)], &p->bytes, &options);
  bound_the_work(&options);
  srs_material material = srs_default_material("any");
  if (fuzz_below(&p->bytes, 4) == 1) {
    material.friction = fuzz_number(&p->bytes), material.restitution = fuzz_number(&p->bytes);
    material.torsional = fuzz_number(&p->bytes), material.along = fuzz_number(&p->bytes);
    fuzz_numbers(&p->bytes, material.direction, 3);
    options.contact.materials = fuzz_below(&p->bytes, 8) == 1 ? NULL : &material;
    options.contact.n_materials = fuzz_below(&p->bytes, 8) == 1 ? -1 : 1;
  }
  srs_sim_destroy(p->sim);
  p->sim = NULL;
  const srs_status status = fuzz_below(&p->bytes, 2) == 0 ? srs_scene_create_sim(p->scene, &options, &p->sim, &p->error)
                                                          : srs_sim_create(p->model, &options, &p->sim, &p->error);
  fuzz_judge(status, &p->error);
  fuzz_demand((status == SRS_OK) == (p->sim != NULL), "a sim or a message");
}

// ---- calls ----

static void expect_the_state_unchanged(const program *p)
{
  fuzz_demand(memcmp(p->q, srs_sim_q(p->sim), (size_t)p->nq * sizeof(double)) == 0, "q as it was");
  fuzz_demand(memcmp(p->v, srs_sim_v(p->sim), (size_t)p->nv * sizeof(double)) == 0, "v as it was");
}

static void expect_finite(const double *x, int n, const char *what)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) fprintf(stderr, "%s:\n", what), fuzz_demand(false, "finite numbers");
}

static void set_state(program *p)
{
  double q[FUZZ_MOST_Q], v[FUZZ_MOST_V];
  const int which = fuzz_byte(&p->bytes);
  memcpy(q, srs_model_neutral(p->model), (size_t)p->nq * sizeof *q);
  for (int n = which >> 4; n > 0 && p->nq > 0; n--) q[fuzz_below(&p->bytes, p->nq)] = fuzz_number(&p->bytes);
  fuzz_numbers(&p->bytes, v, p->nv);
  const double time = which & 4 ? fuzz_number(&p->bytes) : 0;
  const srs_status status = srs_sim_set_state(p->sim, time, which & 1 ? q : NULL, which & 2 ? v : NULL, &p->error);
  fuzz_judge(status, &p->error);
  if (status != SRS_OK) expect_the_state_unchanged(p);
}

static void set_torque(program *p)
{
  double tau[FUZZ_MOST_V];
  fuzz_numbers(&p->bytes, tau, p->nv);
  fuzz_judge(srs_sim_set_torque(p->sim, tau, &p->error), &p->error);
}

static void set_wrench(program *p)
{
  double wrench[6];
  const int frame = fuzz_below(&p->bytes, srs_model_n_frames(p->model) + 2) - 1;
  const srs_axes axes = (srs_axes)fuzz_below(&p->bytes, 3);
  fuzz_numbers(&p->bytes, wrench, 6);
  fuzz_judge(srs_sim_set_wrench(p->sim, frame, axes, wrench, &p->error), &p->error);
}

static void set_servo(program *p)
{
  double q[FUZZ_MOST_Q], v[FUZZ_MOST_V] = {0}, kp[FUZZ_MOST_V], kd[FUZZ_MOST_V];
  memcpy(q, srs_model_neutral(p->model), (size_t)p->nq * sizeof *q);
  for (int n = fuzz_below(&p->bytes, 4); n > 0 && p->nq > 0; n--)
    q[fuzz_below(&p->bytes, p->nq)] = fuzz_number(&p->bytes);
  fuzz_numbers(&p->bytes, kp, p->nv);
  fuzz_numbers(&p->bytes, kd, p->nv);
  fuzz_judge(srs_sim_set_servo(p->sim, q, v, kp, kd, &p->error), &p->error);
}

static void set_actuator(program *p)
{
  srs_actuator a = srs_default_actuator(fuzz_below(&p->bytes, p->nv + 2) - 1);
  const int which = fuzz_byte(&p->bytes);
  a.is_of_closure = which & 1;
  if (which & 2) a.gear = fuzz_number(&p->bytes);
  if (which & 4) a.torque = fuzz_number(&p->bytes);
  if (which & 8) a.position = fuzz_number(&p->bytes), a.velocity = fuzz_number(&p->bytes);
  if (which & 16) a.kp = fuzz_number(&p->bytes);
  if (which & 32) a.kd = fuzz_number(&p->bytes);
  fuzz_judge(srs_sim_set_actuator(p->sim, &a, &p->error), &p->error);
}

static void step(program *p)
{
  const long n = fuzz_below(&p->bytes, 4), before = srs_sim_steps(p->sim);
  const srs_status status = srs_sim_step(p->sim, n, &p->error);
  fuzz_judge(status, &p->error);
  const long made = srs_sim_steps(p->sim) - before;
  fuzz_demand(status == SRS_OK ? made == n : made >= 0 && made < n, "steps are counted");
  if (made == 0) expect_the_state_unchanged(p);
}

static void save(program *p)
{
  p->saved_size = srs_sim_snapshot_size(p->sim);
  fuzz_demand(p->saved_size <= MOST_BYTES, "snapshots of small models are small");
  srs_sim_snapshot_save(p->sim, p->saved);
}

static void restore(program *p)
{
  if (p->saved_size == 0) return;
  const srs_status status = srs_sim_snapshot_restore(p->sim, p->saved, p->saved_size, &p->error);
  fuzz_judge(status, &p->error);
  if (status != SRS_OK) expect_the_state_unchanged(p);
}

// Saves, steps, returns, steps: the same bits, whatever came before.
static void replay(program *p)
{
  double q[FUZZ_MOST_Q], v[FUZZ_MOST_V];
  save(p);
  const srs_status first = srs_sim_step(p->sim, 2, &p->error);
  memcpy(q, srs_sim_q(p->sim), (size_t)p->nq * sizeof *q);
  memcpy(v, srs_sim_v(p->sim), (size_t)p->nv * sizeof *v);
  fuzz_expect(srs_sim_snapshot_restore(p->sim, p->saved, p->saved_size, &p->error), &p->error,
              "what was saved is restored");
  expect_the_state_unchanged(p);
  fuzz_demand(srs_sim_step(p->sim, 2, &p->error) == first, "the same end");
  fuzz_demand(memcmp(q, srs_sim_q(p->sim), (size_t)p->nq * sizeof *q) == 0, "q with the same bits");
  fuzz_demand(memcmp(v, srs_sim_v(p->sim), (size_t)p->nv * sizeof *v) == 0, "v with the same bits");
}

// ---- looking ----

static void look_at_energies(program *p)
{
  srs_energies e;
  srs_energy_balance balance;
  srs_status status = srs_sim_energies(p->sim, &e, &p->error);
  fuzz_judge(status, &p->error);
  fuzz_demand(status != SRS_OK || (isfinite(e.kinetic) && isfinite(e.potential)), "energies are finite, or overflow");
  status = srs_sim_energy_balance(p->sim, &balance);
  fuzz_demand(status == SRS_OK || status == SRS_ERROR_UNSUPPORTED || status == SRS_ERROR_DIVERGED,
              "a balance, or why not");
}

static void look_at_forces(program *p)
{
  double wrench[6], a[FUZZ_MOST_V], value, rate, effort;
  int n, link;
  const int index = fuzz_below(&p->bytes, 8) - 1;
  const srs_sim_contact *contacts = srs_sim_contacts(p->sim, &n);
  for (int i = 0; i < n; i++) expect_finite(contacts[i].impulse, 3, "impulses");
  const srs_sim_row *rows = srs_sim_rows(p->sim, &n);
  for (int i = 0; i < n; i++) expect_finite(&rows[i].impulse, 1, "impulses of rows");
  if (srs_sim_loop_wrench(p->sim, index, &link, wrench) == SRS_OK) expect_finite(wrench, 6, "wrenches of loops");
  if (srs_sim_joint_wrench(p->sim, index, SRS_AXES_LOCAL, wrench) == SRS_OK) expect_finite(wrench, 6, "wrenches");
  if (srs_sim_closure_coordinate(p->sim, index, &value, &rate, &effort) == SRS_OK)
    expect_finite((double[]){value, rate, effort}, 3, "coordinates of closures");
  expect_finite(srs_sim_actuator_effort(p->sim), p->nv, "efforts");
  const srs_status status = srs_sim_acceleration(p->sim, a, &p->error);
  fuzz_judge(status, &p->error);
  if (status == SRS_OK) expect_finite(a, p->nv, "accelerations");
}

static void assemble(program *p)
{
  srs_assembly_report report;
  const srs_status status = srs_sim_assemble(p->sim, NULL, &report, &p->error);
  fuzz_judge(status, &p->error);
  if (status != SRS_OK) expect_the_state_unchanged(p);
}

static void reset(program *p) { srs_sim_reset(p->sim); }
static void clear(program *p) { srs_sim_clear_inputs(p->sim); }

static void step_more(program *p) { fuzz_judge(srs_sim_step(p->sim, 6, &p->error), &p->error); }

static void call(program *p)
{
  static void (*const calls[])(program *) = {
      step,   set_state, set_torque, set_wrench, set_servo,        set_actuator,   step,     save,  restore,
      replay, step_more, reset,      clear,      look_at_energies, look_at_forces, assemble, create};
  memcpy(p->q, srs_sim_q(p->sim), (size_t)p->nq * sizeof *p->q);
  memcpy(p->v, srs_sim_v(p->sim), (size_t)p->nv * sizeof *p->v);
  calls[fuzz_below(&p->bytes, sizeof calls / sizeof *calls)](p);
  if (p->sim == NULL) return;
  expect_finite(srs_sim_q(p->sim), p->nq, "q");
  expect_finite(srs_sim_v(p->sim), p->nv, "v");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static program p;
  p = (program){.bytes = {data, size}};
  p.scene = fuzz_model(fuzz_below(&p.bytes, FUZZ_MODELS));
  p.model = srs_scene_model(p.scene);
  p.nq = srs_model_nq(p.model);
  p.nv = srs_model_nv(p.model);
  create(&p);
  for (int i = 0; i < MOST_CALLS && p.sim != NULL && p.bytes.left > 0; i++) call(&p);
  srs_sim_destroy(p.sim);
  p.sim = NULL;
  return 0;
}
