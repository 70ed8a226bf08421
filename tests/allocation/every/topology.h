// Walks of <sarrus/base.h> and <sarrus/topology.h>: builders, robot files, models.
#pragma once
#include "allocation/every/walk.h"

// ---------------------------------------------------------------------------------------------------------------------
// Builders
// ---------------------------------------------------------------------------------------------------------------------

static srs_status walk_srs_builder_create(fixture *f, srs_error *error)
{
  (void)f;
  srs_builder *builder = srs_builder_create();
  srs_builder_destroy(builder);
  return plainly(builder != NULL ? SRS_OK : SRS_ERROR_MEMORY, error);
}

// Links of a builder that is made with all memory.
static srs_builder *begun(int n_links)
{
  srs_builder *builder = NULL;
  const long given = left;
  left = 100L * MOST_REQUESTS;
  builder = srs_builder_create();
  for (int i = 0; i < n_links; i++) {
    char name[16];
    snprintf(name, sizeof name, "l%d", i);
    srs_link_def link = srs_default_link_def();
    link.name = name;
    link.mass = link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
    assert_int_equal(srs_builder_add_link(builder, &link, NULL), SRS_OK);
    snprintf(name, sizeof name, "j%d", i);
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
    char child[16];
    snprintf(child, sizeof child, "l%d", i);
    joint.name = name, joint.child = child;
    assert_int_equal(srs_builder_add_joint(builder, &joint, NULL), SRS_OK);
  }
  left = given;
  return builder;
}

enum { MANY = 20 }; // of each, so that lists have to grow

// One addition of many, so that each list grows.  @param kind  which
static srs_status add_one(srs_builder *builder, int kind, int i, srs_error *error)
{
  static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, times[2] = {0, 1}, values[2] = {2, 3};
  const srs_pose pose = srs_identity_pose();
  char name[16], link[16], joint[16], before[16], before_link[16];
  snprintf(name, sizeof name, "n%d", i);
  snprintf(link, sizeof link, "l%d", i);
  snprintf(joint, sizeof joint, "j%d", i);
  snprintf(before, sizeof before, "j%d", i + 1); // of MANY + 1
  snprintf(before_link, sizeof before_link, "l%d", i + 1);
  srs_link_def link_def = srs_default_link_def();
  srs_joint_def joint_def = srs_default_joint_def(SRS_JOINT_FREE);
  srs_shape_def shape = srs_default_shape_def(SRS_SHAPE_HULL);
  srs_closure_def closure = srs_default_closure_def(SRS_CLOSURE_POINT);
  srs_coupling_def coupling = srs_default_coupling_def();
  link_def.name = joint_def.name = joint_def.child = shape.name = closure.name = name;
  shape.link = shape.material = closure.frame_b = link;
  shape.points = corners, shape.n_points = 4;
  closure.motion = (srs_motion){.kind = SRS_MOTION_TABLE, .times = times, .values = values, .n_points = 2};
  coupling.follower = joint, coupling.leader = before;
  switch (kind) {
  case 0: return srs_builder_add_link(builder, &link_def, error);
  case 1: return srs_builder_add_joint(builder, &joint_def, error);
  case 2: return srs_builder_add_shape(builder, &shape, error);
  case 3: return srs_builder_add_frame(builder, name, link, &pose, error);
  case 4: return srs_builder_add_closure(builder, &closure, error);
  case 5: return srs_builder_add_coupling(builder, &coupling, error);
  default: return srs_builder_exclude(builder, link, i > 0 ? "l0" : "l1", error);
  }
}

static srs_status add_many(int kind, srs_error *error)
{
  srs_builder *builder = begun(MANY + 1);
  srs_status status = SRS_OK;
  for (int i = 0; i < MANY && status == SRS_OK; i++) {
    status = add_one(builder, kind, i, error);
    if (status == SRS_ERROR_MEMORY) WITH_MEMORY(assert_int_equal(add_one(builder, kind, i, NULL), SRS_OK)); // again
  }
  srs_builder_destroy(builder);
  return status;
}

// clang-format off
static srs_status walk_srs_builder_add_link(fixture *f, srs_error *e) { (void)f; return add_many(0, e); }
static srs_status walk_srs_builder_add_joint(fixture *f, srs_error *e) { (void)f; return add_many(1, e); }
static srs_status walk_srs_builder_add_shape(fixture *f, srs_error *e) { (void)f; return add_many(2, e); }
static srs_status walk_srs_builder_add_frame(fixture *f, srs_error *e) { (void)f; return add_many(3, e); }
static srs_status walk_srs_builder_add_closure(fixture *f, srs_error *e) { (void)f; return add_many(4, e); }
static srs_status walk_srs_builder_add_coupling(fixture *f, srs_error *e) { (void)f; return add_many(5, e); }
static srs_status walk_srs_builder_exclude(fixture *f, srs_error *e) { (void)f; return add_many(6, e); }
static srs_status walk_srs_builder_warn(fixture *f, srs_error *e) { (void)f; return add_many(7, e); }
static srs_status walk_srs_builder_note(fixture *f, srs_error *e) { (void)f; return add_many(8, e); }
// clang-format on

static void add_all(srs_builder *builder)
{
  for (int kind = 2; kind < 9; kind++) // joints and links are there
    for (int i = 0; i < MANY; i++) assert_int_equal(add_one(builder, kind, i, NULL), SRS_OK);
}

static srs_status walk_srs_builder_build(fixture *f, srs_error *error)
{
  (void)f;
  srs_builder *builder = begun(MANY + 1);
  WITH_MEMORY(add_all(builder));
  srs_model *model = NULL;
  const srs_status status = srs_builder_build(builder, NULL, &model, error);
  assert_true((status == SRS_OK) == (model != NULL));
  srs_model_destroy(model);
  srs_builder_destroy(builder);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

static srs_status walk_srs_builder_add_urdf(fixture *f, srs_error *error)
{
  srs_builder *builder = begun(0);
  const srs_status status = srs_builder_add_urdf(builder, f->urdf, NULL, error);
  srs_builder_destroy(builder);
  return status;
}

static srs_status walk_srs_builder_add_mjcf(fixture *f, srs_error *error)
{
  srs_builder *builder = begun(0);
  const srs_status status = srs_builder_add_mjcf(builder, f->mjcf, NULL, error);
  srs_builder_destroy(builder);
  return status;
}

static srs_status walk_srs_builder_add_srdf(fixture *f, srs_error *error)
{
  srs_builder *builder = begun(MANY);
  const srs_status status = srs_builder_add_srdf(builder, f->srdf, NULL, error);
  srs_builder_destroy(builder);
  return status;
}

static srs_status load_model(const char *path, srs_error *error)
{
  srs_model *model = NULL;
  const srs_status status = srs_model_load(path, NULL, &model, error);
  assert_true((status == SRS_OK) == (model != NULL));
  srs_model_destroy(model);
  return status;
}

static srs_status walk_srs_model_load(fixture *f, srs_error *error) { return load_model(f->urdf, error); }
static srs_status load_mjcf(fixture *f, srs_error *error) { return load_model(f->mjcf, error); }

// A file that was there stays as it was where the new one is not complete.
static srs_status save_model(const fixture *f, const char *ending, srs_error *error)
{
  char path[4200];
  snprintf(path, sizeof path, "%s%s", f->kept, ending);
  srs_save_options options = srs_default_save_options();
  options.overwrite = true;
  return srs_model_save(f->minimal, path, &options, error);
}

static srs_status walk_srs_model_save(fixture *f, srs_error *error) { return save_model(f, ".urdf", error); }
static srs_status save_scene(fixture *f, srs_error *error) { return save_model(f, ".yaml", error); }

static const walk topology_walks[] = {
    WALK(srs_builder_create),
    WALK(srs_builder_add_link),
    WALK(srs_builder_add_joint),
    WALK(srs_builder_add_shape),
    WALK(srs_builder_add_frame),
    WALK(srs_builder_add_closure),
    WALK(srs_builder_add_coupling),
    WALK(srs_builder_exclude),
    WALK(srs_builder_warn),
    WALK(srs_builder_note),
    WALK(srs_builder_build),
    {.name = "srs_builder_add_urdf", .call = walk_srs_builder_add_urdf, .goes_without = true},
    WALK(srs_builder_add_mjcf),
    WALK(srs_builder_add_srdf),
    {.name = "srs_model_load", .call = walk_srs_model_load, .goes_without = true},
    {.name = "srs_model_load", .call = load_mjcf},
    WALK(srs_model_save),
    {.name = "srs_model_save", .call = save_scene},
};

// ---------------------------------------------------------------------------------------------------------------------
// Without memory
// ---------------------------------------------------------------------------------------------------------------------

// clang-format off
#define TOPOLOGY_VALUES(X)                                       \
  X(srs_status_string, SRS_OK)                                   \
  X(srs_error_format, error, (char[64]){0}, 64)                  \
  X(srs_version, )                                               \
  X(srs_format_number, 0.1, (char[32]){0})                       \
  X(srs_parse_number, "1.5", 3, &f->zeros[0])                    \
  X(srs_joint_kind_name, SRS_JOINT_REVOLUTE)                     \
  X(srs_shape_kind_name, SRS_SHAPE_BOX)                          \
  X(srs_closure_kind_name, SRS_CLOSURE_POINT)                    \
  X(srs_motion_kind_name, SRS_MOTION_SINE)                       \
  X(srs_model_loop_name, f->model, 0)                            \
  X(srs_model_link, f->model, 0)                                 \
  X(srs_model_joint, f->model, 0)                                \
  X(srs_model_frame, f->model, 0)                                \
  X(srs_model_shape, f->model, 0)                                \
  X(srs_model_closure, f->model, 0)                              \
  X(srs_model_coupling, f->model, 0)                             \
  X(srs_model_q_name, f->model, 0)                               \
  X(srs_model_v_name, f->model, 0)                               \
  X(srs_model_q_unit, f->model, 0)                               \
  X(srs_model_v_unit, f->model, 0)                               \
  X(srs_model_armature, f->model)                                \
  X(srs_model_damping, f->model)                                 \
  X(srs_model_stiffness, f->model)                               \
  X(srs_model_friction, f->model)                                \
  X(srs_model_lower, f->model)                                   \
  X(srs_model_upper, f->model)                                   \
  X(srs_model_max_effort, f->model)                              \
  X(srs_model_max_velocity, f->model)                            \
  X(srs_model_reference, f->model)                               \
  X(srs_model_neutral, f->model)                                 \
  X(srs_model_warning, f->model, 0)                              \
  X(srs_model_find_v, f->model, "q1")                            \
  X(srs_integrate, f->model, f->q, f->v, 0.1, (double[MOST_V + 4]){0}) \
  X(srs_difference, f->model, f->q, f->q, (double[MOST_V]){0})   \
  X(srs_normalise, f->model, f->q)
// clang-format on

TOPOLOGY_VALUES(QUIET_VALUE)
static const walk topology_quiet[] = {TOPOLOGY_VALUES(QUIET)};
