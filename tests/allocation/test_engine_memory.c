// Out of memory in what makes and moves simulations: wherever the allocator gives up, the call says so in one line,
// nothing leaks, the state is as it was, and the same call with memory succeeds.
//
// The allocator is interposed: while armed, the n-th request fails and all after it; every n is tried, up to the first
// with which the call succeeds. Not walked: what reads files by libraries that do not survive a failing request of
// their own (libfyaml, libxml2, libhdf5).
#include "allocation/counted_allocator.h"
#include "support/mechanisms.h"
#include "support/testing.h"
#include <sarrus/engine.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_V = 16, MOST_REQUESTS = 10000 };

typedef struct fixture {
  srs_scene *scene, *boxes; // a mechanism; boxes whose contacts outgrow what a sim begins with
  const srs_model *model;
  srs_workspace *workspace;
  srs_builder *builder; // of another model, with a loop
  srs_model *minimal, *redundant;
  srs_sim *sim;
  double q[MOST_V + 4], v[MOST_V];
  const char *csv, *input;
} fixture;

// ---------------------------------------------------------------------------------------------------------------------
// The calls
// ---------------------------------------------------------------------------------------------------------------------

typedef srs_status call_of(fixture *f, srs_error *error);

static srs_status of_workspace(const fixture *f, srs_status status, srs_error *error)
{
  if (status != SRS_OK) *error = *srs_workspace_error(f->workspace);
  return status;
}

static srs_status make_workspace(fixture *f, srs_error *error)
{
  srs_workspace *w = NULL;
  const srs_status status = srs_workspace_create(f->model, &w, error);
  assert_true((status == SRS_OK) == (w != NULL));
  srs_workspace_destroy(w);
  return status;
}

// Rows that stay with the workspace would hide the next n: it is made anew with all memory.
static srs_status reserve_rows(fixture *f, srs_error *error)
{
  const long given = left;
  srs_workspace *w = NULL;
  left = MOST_REQUESTS;
  assert_int_equal(srs_workspace_create(f->model, &w, error), SRS_OK);
  left = given;
  const srs_status status = srs_workspace_reserve_rows(w, 600);
  if (status != SRS_OK) *error = *srs_workspace_error(w);
  srs_workspace_destroy(w);
  return status;
}

static srs_status find_gaps(fixture *f, srs_error *error)
{
  double gaps[6];
  return of_workspace(f, srs_loop_gaps(f->workspace, f->q, 0, gaps), error);
}

static srs_status find_ranks(fixture *f, srs_error *error)
{
  int ranks[1], rank;
  return of_workspace(f, srs_loop_ranks(f->workspace, f->q, 0, ranks, &rank), error);
}

static srs_status assemble(fixture *f, srs_error *error)
{
  double q[MOST_V + 4];
  srs_assembly_report report;
  memcpy(q, f->q, sizeof q);
  return of_workspace(f, srs_assemble(f->workspace, NULL, q, &report), error);
}

static srs_status assemble_velocity(fixture *f, srs_error *error)
{
  double v[MOST_V];
  srs_assembly_report report;
  memcpy(v, f->v, sizeof v);
  return of_workspace(f, srs_assemble_velocity(f->workspace, NULL, f->q, v, &report), error);
}

static srs_status make_ik(fixture *f, srs_error *error)
{
  srs_ik *ik = NULL;
  const srs_status status = srs_ik_create(f->model, 3, &ik, error);
  assert_true((status == SRS_OK) == (ik != NULL));
  srs_ik_destroy(ik);
  return status;
}

static srs_status build_redundant(fixture *f, srs_error *error)
{
  srs_model *model = NULL;
  const srs_status status = srs_build_redundant(f->builder, NULL, &model, error);
  assert_true((status == SRS_OK) == (model != NULL));
  srs_model_destroy(model);
  return status;
}

static srs_status convert_state(fixture *f, srs_error *error)
{
  const double q[2] = {0.1, 0.2}, v[2] = {1, 2};
  double q_out[14], v_out[12];
  return srs_redundant_state(f->minimal, f->redundant, q, v, q_out, v_out, error);
}

static srs_status make_collider(fixture *f, srs_error *error)
{
  srs_collider *collider = NULL;
  const srs_status status = srs_collider_create(f->model, NULL, &collider, error);
  assert_true((status == SRS_OK) == (collider != NULL));
  srs_collider_destroy(collider);
  return status;
}

static srs_status make_polytope(fixture *f, srs_error *error)
{
  (void)f;
  static const double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, centre[3] = {0.2, 0.2, 0.2};
  srs_polytope *polytope = NULL;
  const srs_status status = srs_polytope_create(points, 4, 3, centre, &polytope, error);
  assert_true((status == SRS_OK) == (polytope != NULL));
  srs_polytope_destroy(polytope);
  return status;
}

static srs_status make_mcp_solver(fixture *f, srs_error *error)
{
  (void)f;
  srs_mcp_solver *solver = NULL;
  const srs_status status = srs_mcp_solver_create(20, &solver, error);
  assert_true((status == SRS_OK) == (solver != NULL));
  srs_mcp_solver_destroy(solver);
  return status;
}

static srs_status make_sim(fixture *f, srs_error *error)
{
  srs_sim *sim = NULL;
  srs_sim_options options = srs_scene_get_settings(f->scene)->sim;
  const srs_material stone = {.name = "stone", .friction = 0.3, .restitution = NAN, .torsional = NAN};
  options.contact.materials = &stone;
  options.contact.n_materials = 1;
  const srs_status status = srs_sim_create(f->model, &options, &sim, error);
  assert_true((status == SRS_OK) == (sim != NULL));
  srs_sim_destroy(sim);
  return status;
}

static srs_status make_sim_of_scene(fixture *f, srs_error *error)
{
  srs_sim *sim = NULL;
  const srs_status status = srs_scene_create_sim(f->scene, NULL, &sim, error);
  assert_true((status == SRS_OK) == (sim != NULL));
  srs_sim_destroy(sim);
  return status;
}

static srs_status assemble_sim(fixture *f, srs_error *error)
{
  srs_assembly_report report;
  assert_int_equal(srs_sim_set_state(f->sim, 0, f->q, f->v, NULL), SRS_OK);
  const srs_status status = srs_sim_assemble(f->sim, NULL, &report, error);
  if (status != SRS_OK) assert_memory_equal(srs_sim_q(f->sim), f->q, (size_t)srs_model_nq(f->model) * sizeof(double));
  return status;
}

// Contacts grow in a sim without a capacity; one that fails to can go on once there is memory.
static srs_status step_and_grow(fixture *f, srs_error *error)
{
  const long given = left;
  srs_sim *sim = NULL;
  left = MOST_REQUESTS;
  assert_int_equal(srs_scene_create_sim(f->boxes, NULL, &sim, error), SRS_OK);
  left = given;
  const srs_status status = srs_sim_step(sim, 20, error);
  const long made = srs_sim_steps(sim);
  left = MOST_REQUESTS;
  if (status != SRS_OK) assert_int_equal(srs_sim_step(sim, 20 - made, NULL), SRS_OK);
  assert_true(srs_sim_get_statistics(sim)->growths > 0);
  srs_sim_destroy(sim);
  return status;
}

static srs_status write_trajectory(fixture *f, srs_error *error)
{
  srs_trajectory *t = NULL;
  const srs_trajectory_options options = srs_default_trajectory_options();
  srs_status status = srs_trajectory_create(f->csv, f->sim, &options, &t, error);
  assert_true((status == SRS_OK) == (t != NULL));
  if (status != SRS_OK) return status;
  status = srs_trajectory_add(t, f->sim, error);
  const srs_status closed = srs_trajectory_close(t, status == SRS_OK ? error : NULL);
  return status != SRS_OK ? status : closed;
}

static srs_status read_input(fixture *f, srs_error *error)
{
  srs_input *input = NULL;
  srs_status status = srs_input_load(f->input, f->model, &input, error);
  assert_true((status == SRS_OK) == (input != NULL));
  if (status == SRS_OK) status = srs_input_apply(input, f->sim, error);
  srs_input_destroy(input);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Every n
// ---------------------------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  call_of *call;
} calls[] = {
    {"srs_workspace_create", make_workspace},
    {"srs_workspace_reserve_rows", reserve_rows},
    {"srs_loop_gaps", find_gaps},
    {"srs_loop_ranks", find_ranks},
    {"srs_assemble", assemble},
    {"srs_assemble_velocity", assemble_velocity},
    {"srs_ik_create", make_ik},
    {"srs_build_redundant", build_redundant},
    {"srs_redundant_state", convert_state},
    {"srs_collider_create", make_collider},
    {"srs_polytope_create", make_polytope},
    {"srs_mcp_solver_create", make_mcp_solver},
    {"srs_sim_create", make_sim},
    {"srs_scene_create_sim", make_sim_of_scene},
    {"srs_sim_assemble", assemble_sim},
    {"srs_sim_step", step_and_grow},
    {"srs_trajectory_create", write_trajectory},
    {"srs_input_load", read_input},
};

// A file that cannot be opened for want of memory is a matter of the file, and says so.
static bool says_memory(srs_status status, const srs_error *error)
{
  if (strchr(error->message, '\n') != NULL || error->message[0] == '\0') return false;
  if (status == SRS_ERROR_MEMORY) return true;
  return status == SRS_ERROR_FILE && strstr(error->message, "memory") != NULL;
}

static srs_scene *many_boxes(void)
{
  enum { N = 30 };
  char text[8192], *at = text;
  srs_scene *scene = NULL;
  srs_error error = {0};
  at += sprintf(at, "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\nmodels:\n");
  for (int k = 0; k < N; k++)
    at += sprintf(at,
                  "  - {name: b%d, base: floating, position: [%d, 0, 0.5], links: [{name: l, mass: 1, inertia: [0.1, "
                  "0.1, 0.1]}], shapes: [{link: l, kind: box, size: [0.5, 0.5, 1]}]}\n",
                  k, k);
  if (srs_scene_load(testing_write("boxes.yaml", text), NULL, &scene, &error) != SRS_OK) fail_msg("%s", error.message);
  return scene;
}

static void load(fixture *f)
{
  char text[4096];
  srs_error error = {0};
  snprintf(text, sizeof text, mechanisms_four_bar_on_a_box, "actuators: [{coordinate: q1, torque: 0.6}]");
  if (srs_scene_load(testing_write("mechanism.yaml", text), NULL, &f->scene, &error) != SRS_OK)
    fail_msg("%s", error.message);
  f->model = srs_scene_model(f->scene);
  assert_true(srs_model_nv(f->model) <= MOST_V);
  assert_int_equal(srs_workspace_create(f->model, &f->workspace, NULL), SRS_OK);
  if (srs_scene_create_sim(f->scene, NULL, &f->sim, &error) != SRS_OK) fail_msg("%s", error.message);
  memcpy(f->q, srs_sim_q(f->sim), (size_t)srs_model_nq(f->model) * sizeof(double));
  for (int i = 0; i < srs_model_nv(f->model); i++) f->v[i] = 0.01 * i;
  f->boxes = many_boxes();
  char header[128];
  snprintf(header, sizeof header, "time,tau:%s\n0,1\n1,2\n", srs_model_v_name(f->model, 6));
  f->input = testing_write("input.csv", header);
  f->csv = testing_write("trajectory.csv", "");
  f->builder = srs_builder_create();
  for (int i = 0; i < 2; i++) {
    srs_link_def link = srs_default_link_def();
    link.name = i == 0 ? "a" : "b";
    link.mass = link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
    joint.name = i == 0 ? "h" : "g";
    joint.parent = i == 0 ? NULL : "a";
    joint.child = link.name;
    assert_int_equal(srs_builder_add_link(f->builder, &link, &error), SRS_OK);
    assert_int_equal(srs_builder_add_joint(f->builder, &joint, &error), SRS_OK);
  }
  assert_int_equal(srs_builder_build(f->builder, NULL, &f->minimal, &error), SRS_OK);
  if (srs_build_redundant(f->builder, NULL, &f->redundant, &error) != SRS_OK) fail_msg("%s", error.message);
}

static void every_request_may_fail(void **state)
{
  (void)state;
  fixture f = {0};
  load(&f);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    srs_error error = {0};
    if (calls[i].call(&f, &error) != SRS_OK) fail_msg("%s: %s", calls[i].name, error.message); // what is kept for good
    srs_status status = SRS_ERROR_MEMORY;
    int n = 0;
    for (; status != SRS_OK; n++) {
      error = (srs_error){0};
      left = n, live = 0, armed = true;
      status = calls[i].call(&f, &error);
      armed = false;
      if (live != 0) fail_msg("%s, request %d: %ld pieces are left", calls[i].name, n, live);
      if (status != SRS_OK && !says_memory(status, &error))
        fail_msg("%s, request %d: %d '%s'", calls[i].name, n, (int)status, error.message);
      if (n == MOST_REQUESTS) fail_msg("%s takes too many", calls[i].name);
    }
    print_message("%s: %d requests\n", calls[i].name, n - 1);
  }
  srs_sim_destroy(f.sim);
  srs_workspace_destroy(f.workspace);
  srs_model_destroy(f.minimal), srs_model_destroy(f.redundant);
  srs_builder_destroy(f.builder);
  srs_scene_destroy(f.scene);
  srs_scene_destroy(f.boxes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_fail)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
