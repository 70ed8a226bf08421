// Out of memory in every public function: wherever the allocator gives up, the call says so in one line, nothing leaks,
// what there was stays as it was, and the same call with memory succeeds.
//
// The allocator is interposed: while armed, the n-th request fails and all after it, then that one alone; every n is
// tried, up to the first with which the call succeeds. Functions that never take memory are called too, and their
// requests counted. The public headers are read: a function that returns a status or a pointer and is in no table is an
// error, so that none is forgotten. Files are read by libraries that do not survive a failing request of their own
// (libfyaml, libxml2, libhdf5, assimp): of all requests those that come from the project's own code fail
// (docs/safety.md).
#include "allocation/every/contact.h"
#include "allocation/every/control.h"
#include "allocation/every/engine.h"
#include "allocation/every/topology.h"
#include "support/mechanisms.h"

#include <ctype.h>
#include <unistd.h>

static const struct {
  const walk *rows;
  size_t n;
} tables[] = {
    {topology_walks, sizeof topology_walks / sizeof *topology_walks},
    {topology_quiet, sizeof topology_quiet / sizeof *topology_quiet},
    {contact_walks, sizeof contact_walks / sizeof *contact_walks},
    {contact_quiet, sizeof contact_quiet / sizeof *contact_quiet},
    {engine_walks, sizeof engine_walks / sizeof *engine_walks},
    {engine_quiet, sizeof engine_quiet / sizeof *engine_quiet},
    {control_walks, sizeof control_walks / sizeof *control_walks},
    {control_quiet, sizeof control_quiet / sizeof *control_quiet},
};
enum { TABLES = sizeof tables / sizeof *tables };

static bool is_walked(const char *name)
{
  for (int t = 0; t < TABLES; t++)
    for (size_t i = 0; i < tables[t].n; i++)
      if (strcmp(tables[t].rows[i].name, name) == 0) return true;
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// The fixture
// ---------------------------------------------------------------------------------------------------------------------

static srs_scene *scene_of(const char *name, const char *text)
{
  srs_scene *scene = NULL;
  srs_error error = {0};
  if (srs_scene_load(testing_write(name, text), NULL, &scene, &error) != SRS_OK) fail_msg("%s", error.message);
  return scene;
}

static srs_scene *many_boxes(void)
{
  enum { N = 30 };
  char text[8192], *at = text;
  at += sprintf(at, "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\nmodels:\n");
  for (int k = 0; k < N; k++)
    at += sprintf(at,
                  "  - {name: b%d, base: floating, position: [%d, 0, 0.5], links: [{name: l, mass: 1, inertia: [0.1, "
                  "0.1, 0.1]}], shapes: [{link: l, kind: box, size: [0.5, 0.5, 1]}]}\n",
                  k, k);
  sprintf(at,
          "  - {name: way, links: [{name: l, mass: 1, inertia: [1, 1, 1]}], joints: [{name: slide, kind: prismatic, "
          "child: l, axis: [1, 0, 0]}], couplings: [{follower: slide, motion: {rate: 0}}]}\n");
  return scene_of("boxes.yaml", text);
}

static void make_builder(fixture *f)
{
  srs_error error = {0};
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
  assert_int_equal(srs_batch_create(f->minimal, &f->batch, &error), SRS_OK);
}

static void copy_file(const char *from, const char *to)
{
  char line[8500];
  snprintf(line, sizeof line, "cp '%s' '%s/%s'", testing_source(from), testing_folder(), to);
  assert_int_equal(testing_run(line, NULL, NULL), 0);
}

// Files of every kind that is read.
static void write_files(fixture *f)
{
  char header[128], path[4200];
  testing_write("cube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
  copy_file("tests/fuzz/corpus/mesh/binary.stl", "c.stl");
  copy_file("tests/fuzz/corpus/mesh/nodes.dae", "n.dae");
  f->urdf = testing_write(
      "r.urdf", "<robot name='r'><link name='w'/><link name='p'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><mesh filename='cube.obj'/>"
                "</geometry></collision><collision><geometry><mesh filename='c.stl'/></geometry></collision>"
                "<collision><geometry><mesh filename='n.dae'/></geometry></collision></link><joint name='h' "
                "type='revolute'><parent link='w'/><child link='p'/>"
                "<limit lower='-1' upper='1' effort='2' velocity='3'/><dynamics damping='0.1'/></joint></robot>");
  f->srdf = testing_write("r.srdf", "<robot name='r'><disable_collisions link1='l0' link2='l1'/></robot>");
  f->mjcf = testing_source("tests/fuzz/corpus/mjcf/loops.xml");
  f->yaml = testing_write(
      "files.yaml",
      "models:\n  - {name: r, file: r.urdf, base: floating, position: [0, 0, 1]}\n"
      "  - {name: m, base: floating, links: [{name: l, mass: 1, inertia: [1, 1, 1]}], shapes: [{link: l, kind: mesh, "
      "file: cube.obj}]}\n"
      "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n"
      "initial: {v: {'r/h': 1}}\ncontact: {friction: 0.5, materials: [{name: ice, friction: 0.1}]}\n");
  snprintf(header, sizeof header, "time,tau:%s\n0,1\n1,2\n", srs_model_v_name(f->model, 6));
  f->input = testing_write("input.csv", header);
  f->csv = testing_write("trajectory.csv", "");
  f->h5 = testing_write("trajectory.h5", "");
  f->kept = testing_write("kept", "");
  f->problem = testing_write("problem.hdf5", "");
  snprintf(path, sizeof path, "%s", f->problem);
  const srs_contact_file file = {.problem = one_contact, .impulse = one_claim.impulse, .title = "one"};
  assert_int_equal(srs_contact_file_write(path, &file, NULL), SRS_OK);
}

static void make_tools(fixture *f)
{
  static const double centre[3] = {0.2, 0.2, 0.2};
  srs_error error = {0};
  assert_int_equal(srs_workspace_create(f->model, &f->workspace, NULL), SRS_OK);
  assert_int_equal(srs_workspace_reserve_rows(f->workspace, 10), SRS_OK);
  assert_int_equal(srs_workspace_reserve_derivatives(f->workspace), SRS_OK);
  assert_int_equal(srs_ik_create(f->model, 1, &f->ik, NULL), SRS_OK);
  srs_pose at;
  assert_int_equal(srs_forward_kinematics(f->workspace, f->q), SRS_OK);
  assert_int_equal(srs_frame_placement(f->workspace, 1, &at), SRS_OK);
  f->target = srs_default_ik_target(1, &at);
  f->actuator = srs_default_actuator(6);
  assert_int_equal(srs_collider_create(srs_scene_model(f->boxes), NULL, &f->collider, NULL), SRS_OK);
  assert_int_equal(srs_polytope_create(tetrahedron, 4, 3, centre, &f->polytope, NULL), SRS_OK);
  assert_int_equal(srs_contact_solver_create(12, &f->contacts, NULL), SRS_OK);
  assert_int_equal(srs_nonconvex_solver_create(&a_corner, &f->corners, NULL), SRS_OK);
  assert_int_equal(srs_mcp_solver_create(4, &f->mcp, NULL), SRS_OK);
  assert_int_equal(srs_input_load(f->input, f->model, &f->read_input, &error), SRS_OK);
  assert_int_equal(srs_surface_body_prepare(&a_body, NULL), SRS_OK);
  char path[4200];
  snprintf(path, sizeof path, "%s.csv", f->kept);
  assert_int_equal(srs_trajectory_create(path, f->sim, NULL, &f->trajectory, &error), SRS_OK);
  write_h5(f);
  assert_int_equal(srs_results_read(f->h5, &f->results, &error), SRS_OK);
  f->snapshot_size = srs_sim_snapshot_size(f->sim);
  f->snapshot = malloc(f->snapshot_size);
  srs_sim_snapshot_save(f->sim, f->snapshot);
  for (int i = 0; i < ROOM; i++) f->poses[i] = srs_identity_pose(), f->poses[i].position[0] = 0.9 * i;
}

static void load(fixture *f)
{
  char text[4096];
  srs_error error = {0};
  snprintf(text, sizeof text, mechanisms_four_bar_on_a_box, "actuators: [{coordinate: q1, torque: 0.6}]");
  f->scene = scene_of("mechanism.yaml", text);
  f->model = srs_scene_model(f->scene);
  assert_true(srs_model_nv(f->model) <= MOST_V);
  if (srs_scene_create_sim(f->scene, NULL, &f->sim, &error) != SRS_OK) fail_msg("%s", error.message);
  if (srs_scene_create_sim(f->scene, NULL, &f->still, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_sim_step(f->sim, 1, &error), SRS_OK);
  memcpy(f->q, srs_sim_q(f->sim), (size_t)srs_model_nq(f->model) * sizeof(double));
  for (int i = 0; i < srs_model_nv(f->model); i++) f->v[i] = 0.01 * i;
  f->boxes = many_boxes();
  load_control(f);
  make_builder(f);
  write_files(f);
  make_tools(f);
}

static void unload(fixture *f)
{
  free(f->snapshot);
  assert_int_equal(srs_trajectory_close(f->trajectory, NULL), SRS_OK);
  srs_results_destroy(f->results);
  srs_input_destroy(f->read_input);
  srs_mcp_solver_destroy(f->mcp);
  srs_nonconvex_solver_destroy(f->corners);
  srs_contact_solver_destroy(f->contacts);
  srs_polytope_destroy(f->polytope);
  srs_collider_destroy(f->collider);
  srs_ik_destroy(f->ik);
  unload_control(f);
  srs_sim_destroy(f->sim), srs_sim_destroy(f->still);
  srs_workspace_destroy(f->workspace);
  srs_batch_destroy(f->batch);
  srs_model_destroy(f->minimal), srs_model_destroy(f->redundant);
  srs_builder_destroy(f->builder);
  srs_scene_destroy(f->scene);
  srs_scene_destroy(f->boxes);
}

// ---------------------------------------------------------------------------------------------------------------------
// Every n
// ---------------------------------------------------------------------------------------------------------------------

// A file that cannot be opened for want of memory is a matter of the file, and says so.
static bool says_memory(srs_status status, const srs_error *error)
{
  if (strchr(error->message, '\n') != NULL || error->message[0] == '\0') return false;
  if (status == SRS_ERROR_MEMORY) return true;
  return status == SRS_ERROR_FILE && strstr(error->message, "memory") != NULL;
}

// The call with n requests granted.
static srs_status with_requests(const walk *w, fixture *f, int n, srs_error *error)
{
  *error = (srs_error){0};
  left = n, live = 0, armed = true;
  const srs_status status = w->call(f, error);
  armed = false;
  return status;
}

static void fail_at(const walk *w, fixture *f, int n, srs_status *status)
{
  srs_error error;
  *status = with_requests(w, f, n, &error);
  if (live > 0) *status = with_requests(w, f, n, &error); // libraries keep their last message
  if (live > 0) fail_msg("%s, request %d: %ld pieces are left", w->name, n, live);
  if (*status != SRS_OK && !says_memory(*status, &error))
    fail_msg("%s, request %d: %d '%s'", w->name, n, (int)*status, error.message);
}

// @return how many requests the call takes
static int walk_one(const walk *w, fixture *f)
{
  srs_status status = SRS_ERROR_MEMORY;
  int n = 0;
  for (; status != SRS_OK; n++) {
    fail_at(w, f, n, &status);
    if (n == MOST_REQUESTS) fail_msg("%s takes too many", w->name);
  }
  fails_once = true;
  for (int k = 0; k < n - 1; k++) {
    fail_at(w, f, k, &status);
    if (status == SRS_OK && !w->goes_without) fail_msg("%s, request %d: its failure is not told", w->name, k);
  }
  fails_once = false;
  return n - 1;
}

static void every_request_may_fail(void **state)
{
  (void)state;
  fixture f = {0};
  load(&f);
  ours_only = true;
  for (int t = 0; t < TABLES; t++)
    for (size_t i = 0; i < tables[t].n; i++) {
      const walk *w = &tables[t].rows[i];
      srs_error error = {0};
      const long before = requests;
      const srs_status status = w->call(&f, &error); // libraries keep something for good at first
      if (status != SRS_OK) fail_msg("%s: %d %s", w->name, (int)status, error.message);
      if (w->takes_none && requests != before) fail_msg("%s takes memory", w->name);
      if (!w->takes_none) print_message("%s: %d requests\n", w->name, walk_one(w, &f));
    }
  ours_only = false;
  unload(&f);
}

// ---------------------------------------------------------------------------------------------------------------------
// None forgotten
// ---------------------------------------------------------------------------------------------------------------------

static const char *const headers[] = {"topology/base.h",          "topology/topology.h",  "collision/collision.h",
                                      "collision/ratio_metric.h", "collision/surfaces.h", "contact/contact.h",
                                      "contact/nonconvex.h",      "contact/mcp.h",        "contact/contact_file.h",
                                      "contact/contact_judge.h",  "engine/batch.h",       "engine/derivatives.h",
                                      "engine/dynamics.h",        "engine/loops.h",       "engine/simulation_options.h",
                                      "engine/simulation.h",      "engine/results.h",     "engine/scene.h",
                                      "engine/linearisation.h",   "engine/parameters.h",  "engine/sensors.h",
                                      "engine/control_loop.h",    "engine/rollout.h",     "topology/mechanism.h",
                                      "topology/model_files.h"};

static bool is_of_a_name(char c) { return isalnum((unsigned char)c) != 0 || c == '_'; }

// The public function that this line of a header declares, if it returns a status or a pointer.
static bool declared(const char *line, char name[64])
{
  const char *at = strstr(line, "srs_");
  for (; at != NULL; at = strstr(at + 4, "srs_")) {
    const char *end = at;
    while (is_of_a_name(*end)) end++;
    if (*end != '(' || at == line) continue;
    if (at[-1] != '*' && strncmp(line, "srs_status ", 11) != 0) return false;
    snprintf(name, 64, "%.*s", (int)(end - at), at);
    return true;
  }
  return false;
}

static void no_public_function_is_forgotten(void **state)
{
  (void)state;
  int found = 0, missing = 0;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    char *text = testing_read(testing_source(headers[i]), NULL), *rest = text, name[64];
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
      if (!islower((unsigned char)line[0]) || strncmp(line, "typedef", 7) == 0 || !declared(line, name)) continue;
      found++;
      if (is_walked(name)) continue;
      print_message("not walked: %s of %s\n", name, headers[i]);
      missing++;
    }
    free(text);
  }
  print_message("%d functions\n", found);
  assert_int_equal(missing, 0);
  assert_true(found > 150);
}

// The list above is that of the installed headers.
static void no_public_header_is_forgotten(void **state)
{
  (void)state;
  char *text = testing_read(testing_source("CMakeLists.txt"), NULL);
  char *at = strstr(text, "set(public_headers "), *end = at != NULL ? strchr(at, ')') : NULL;
  assert_non_null(end);
  *end = '\0';
  strsep(&at, " ");
  for (char *header; (header = strsep(&at, " ")) != NULL;) {
    bool is_known = strcmp(header, "engine/engine.h") == 0 || strcmp(header, "engine/sarrus.h") == 0; // they include
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) is_known |= strcmp(headers[i], header) == 0;
    if (!is_known) fail_msg("%s is not looked at", header);
  }
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_request_may_fail),
      cmocka_unit_test(no_public_function_is_forgotten),
      cmocka_unit_test(no_public_header_is_forgotten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
