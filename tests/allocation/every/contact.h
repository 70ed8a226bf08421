// Walks of <sarrus/collision.h> and its neighbours, <sarrus/contact.h> and its own.
#pragma once
#include "allocation/every/walk.h"

// ---------------------------------------------------------------------------------------------------------------------
// Collision
// ---------------------------------------------------------------------------------------------------------------------

static srs_status make_collider(const srs_model *model, srs_distance_measure distance, srs_error *error)
{
  srs_collider *collider = NULL;
  srs_collider_options options = srs_default_collider_options();
  options.distance = distance;
  const srs_status status = srs_collider_create(model, &options, &collider, error);
  assert_true((status == SRS_OK) == (collider != NULL));
  srs_collider_destroy(collider);
  return status;
}

static srs_status walk_srs_collider_create(fixture *f, srs_error *error)
{
  return make_collider(f->model, SRS_DISTANCE_EUCLIDEAN, error);
}

static srs_status make_ratio_collider(fixture *f, srs_error *error)
{
  return make_collider(f->model, SRS_DISTANCE_RATIO_METRIC, error);
}

static const double tetrahedron[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

static srs_status walk_srs_polytope_create(fixture *f, srs_error *error)
{
  (void)f;
  static const double centre[3] = {0.2, 0.2, 0.2};
  srs_polytope *polytope = NULL;
  const srs_status status = srs_polytope_create(tetrahedron, 4, 3, centre, &polytope, error);
  assert_true((status == SRS_OK) == (polytope != NULL));
  srs_polytope_destroy(polytope);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Contact problems
// ---------------------------------------------------------------------------------------------------------------------

static const double one_W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, one_b[3] = {-1, 0.1, 0}, one_friction = 0.5;
static const srs_contact_problem one_contact = {.n_contacts = 1, .W = one_W, .b = one_b, .friction = &one_friction};
static const srs_contact_claim one_claim = {.impulse = (const double[3]){1, 0, 0}};
static const srs_contact_sizes blocks_of_ten = {.n_rows = 30, .n_block_rows = 10, .n_blocks = 100, .n_values = 900};

static srs_status walk_srs_contact_solver_create(fixture *f, srs_error *error)
{
  (void)f;
  srs_contact_solver *solver = NULL;
  const srs_status status = srs_contact_solver_create(30, &solver, error);
  assert_true((status == SRS_OK) == (solver != NULL));
  srs_contact_solver_destroy(solver);
  return status;
}

// A solver that cannot grow solves what it could before.
static srs_status grow_solver(int way, srs_error *error)
{
  srs_contact_solver *solver = NULL;
  WITH_MEMORY(assert_int_equal(srs_contact_solver_create(3, &solver, NULL), SRS_OK));
  const srs_status status = way == 0   ? srs_contact_solver_reserve(solver, 60, error)
                            : way == 1 ? srs_contact_solver_reserve_directions(solver, 12, 16, error)
                                       : srs_contact_solver_reserve_blocks(solver, &blocks_of_ten, error);
  double x[3];
  srs_contact_report report;
  assert_int_equal(srs_contact_solve(solver, &one_contact, NULL, false, x, NULL, &report), SRS_OK);
  assert_int_equal(report.status, SRS_CONTACT_SOLVED);
  srs_contact_solver_destroy(solver);
  return status;
}

static srs_status walk_srs_contact_solver_reserve(fixture *f, srs_error *error)
{
  (void)f;
  return grow_solver(0, error);
}

static srs_status walk_srs_contact_solver_reserve_directions(fixture *f, srs_error *error)
{
  (void)f;
  return grow_solver(1, error);
}

static srs_status walk_srs_contact_solver_reserve_blocks(fixture *f, srs_error *error)
{
  (void)f;
  return grow_solver(2, error);
}

static const srs_nonconvex_capacity a_corner = {
    .n_rows = 12, .n_groups = 2, .n_sides = 4, .n_directions = 4, .has_summation = true};

static srs_status walk_srs_nonconvex_solver_create(fixture *f, srs_error *error)
{
  (void)f;
  srs_nonconvex_solver *solver = NULL;
  const srs_status status = srs_nonconvex_solver_create(&a_corner, &solver, error);
  assert_true((status == SRS_OK) == (solver != NULL));
  srs_nonconvex_solver_destroy(solver);
  return status;
}

static srs_status walk_srs_mcp_solver_create(fixture *f, srs_error *error)
{
  (void)f;
  srs_mcp_solver *solver = NULL;
  const srs_status status = srs_mcp_solver_create(20, &solver, error);
  assert_true((status == SRS_OK) == (solver != NULL));
  srs_mcp_solver_destroy(solver);
  return status;
}

static srs_status walk_srs_contact_file_read(fixture *f, srs_error *error)
{
  srs_contact_file file = {0};
  const srs_status status = srs_contact_file_read(f->problem, &file, error);
  assert_true((status == SRS_OK) == (file.memory != NULL));
  if (status == SRS_OK) srs_contact_file_free(&file);
  return status;
}

static srs_status walk_srs_contact_file_write(fixture *f, srs_error *error)
{
  char path[4200];
  snprintf(path, sizeof path, "%s.hdf5", f->kept);
  const srs_contact_file file = {.problem = one_contact, .impulse = one_claim.impulse, .title = "one"};
  return srs_contact_file_write(path, &file, error);
}

static const walk contact_walks[] = {
    WALK(srs_collider_create),
    {.name = "srs_collider_create", .call = make_ratio_collider},
    WALK(srs_polytope_create),
    WALK(srs_contact_solver_create),
    WALK(srs_contact_solver_reserve),
    WALK(srs_contact_solver_reserve_directions),
    WALK(srs_contact_solver_reserve_blocks),
    WALK(srs_nonconvex_solver_create),
    WALK(srs_mcp_solver_create),
    WALK(srs_contact_file_read),
    WALK(srs_contact_file_write),
};

// ---------------------------------------------------------------------------------------------------------------------
// Without memory
// ---------------------------------------------------------------------------------------------------------------------

static void shifted(void *data, const double *z, double *F) { F[0] = z[0] - *(double *)data; }
static void shifted_jacobian(void *data, const double *z, double *J, int stride)
{
  (void)data, (void)z, (void)stride;
  J[0] = 1;
}
static double one_shift = 1;
static const double one_lower = 0, one_upper = INFINITY;
static const srs_mcp one_mcp = {1, &one_lower, &one_upper, &one_shift, shifted, shifted_jacobian};
static const srs_nonconvex_problem two_sides = {
    .contacts = {.n_contacts = 2,
                 .W = (const double[36]){[0] = 1, [7] = 1, [14] = 1, [21] = 1, [28] = 1, [35] = 1},
                 .b = (const double[6]){-1, 0, 0, -2, 0, 0},
                 .friction = (const double[2]){0.5, 0.5}},
    .n_groups = 1,
    .first = (const int[2]){0, 2},
    .side = (const int[2]){0, 1}};
static void ignore_overlap(void *user, const srs_contact_point *deepest) { (void)user, (void)deepest; }
static const double above[3] = {0, 0, 3};
static srs_surface a_sphere = {.kind = SRS_SURFACE_ELLIPSOID, .size = {1, 1, 1}};
static srs_surface_body a_body = {.n = 1, .surfaces = &a_sphere};

// clang-format off
#define CONTACT_STATUSES(X)                                                                                       \
  X(srs_collider_contacts, f->collider, f->poses, 0.01, (srs_contact_point[500]){{0}}, 500, &(int){0}, error)      \
  X(srs_collider_distance, f->collider, f->poses, 0, 1, &(srs_contact_point){0}, error)                            \
  X(srs_collider_cast_ray, f->collider, f->poses, above, down, 10, &(srs_ray_hit){0}, error)                       \
  X(srs_collider_sweep, f->collider, f->poses, 1, down, 10, &(srs_ray_hit){0}, error)                              \
  X(srs_collider_overlaps, f->collider, f->poses, 1e-6, ignore_overlap, NULL, error)                               \
  X(srs_surface_check, &a_sphere, error)                                                                           \
  X(srs_surface_body_prepare, &a_body, error)                                                                      \
  X(srs_contact_solve, f->contacts, &one_contact, NULL, false, (double[3]){0}, NULL, &(srs_contact_report){0})      \
  X(srs_contact_certify, f->contacts, &one_contact, one_claim.impulse, &(srs_contact_report){0})                   \
  X(srs_nonconvex_solve, f->corners, &two_sides, NULL, false, (double[6]){0}, NULL, (int[1]){0},                    \
    &(srs_nonconvex_report){0})                                                                                    \
  X(srs_mcp_solve, f->mcp, &one_mcp, NULL, (double[1]){0}, &(srs_mcp_report){0})                                   \
  X(srs_contact_judge, &one_contact, &one_claim, &(srs_contact_judgement){0}, NULL)
#define CONTACT_VALUES(X)                                                                                          \
  X(srs_contact_method_name, SRS_METHOD_MNCP_RLM)                                                                  \
  X(srs_contact_stage_name, SRS_STAGE_COLD)                                                                        \
  X(srs_contact_status_name, SRS_CONTACT_SOLVED)                                                                   \
  X(srs_contact_mode_name, (srs_contact_mode)0)                                                                    \
  X(srs_nonconvex_form_name, SRS_NONCONVEX_MAX)                                                                    \
  X(srs_mcp_status_name, SRS_MCP_SOLVED)                                                                           \
  X(srs_mcp_residual, f->mcp, &one_mcp, &one_shift)                                                                \
  X(srs_contact_natural_map, &one_contact, one_claim.impulse, one_b)                                               \
  X(srs_surface_closest, &a_body, &f->poses[0], &a_body, &f->poses[2], &(srs_surface_gap){0})                       \
  X(srs_ratio_metric, f->polytope, &f->poses[0], f->polytope, &f->poses[2], NULL, &(srs_ratio){0})
// clang-format on

CONTACT_STATUSES(QUIET_STATUS)
CONTACT_VALUES(QUIET_VALUE)
static const walk contact_quiet[] = {CONTACT_STATUSES(QUIET) CONTACT_VALUES(QUIET)};
