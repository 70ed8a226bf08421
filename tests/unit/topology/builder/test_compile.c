// The frozen arrays: lumping, turned frames, inertia, frames, coordinates.
#include "support/testing.h"
#include "topology/model/configuration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static srs_pose at(double x, double y, double z, double roll, double pitch, double yaw)
{
  srs_pose pose = {{x, y, z}, {0}};
  srs_rotation_from_rpy((double[3]){roll, pitch, yaw}, pose.rotation);
  return pose;
}

static void add_link(srs_builder *builder, const char *name, double mass, const double com[3], const double moments[3])
{
  srs_link_def def = srs_default_link_def();
  def.name = name;
  def.mass = mass;
  memcpy(def.com, com, sizeof def.com);
  memcpy(def.inertia, moments, 3 * sizeof(double));
  assert_int_equal(srs_builder_add_link(builder, &def, NULL), SRS_OK);
}

static void add_joint(srs_builder *builder, const char *name, srs_joint_kind kind, const char *parent,
                      const char *child, srs_pose origin, const double axis[3])
{
  srs_joint_def def = srs_default_joint_def(kind);
  def.name = name;
  def.parent = parent;
  def.child = child;
  def.origin = origin;
  memcpy(def.axis, axis, sizeof def.axis);
  srs_error error;
  if (srs_builder_add_joint(builder, &def, &error) != SRS_OK) fail_msg("%s", error.message);
}

static srs_model *built(srs_builder *builder, bool keep)
{
  const srs_build_options options = {.keep_fixed_joints = keep};
  srs_model *model = NULL;
  srs_error error;
  if (srs_builder_build(builder, &options, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_builder_destroy(builder);
  return model;
}

static const double origin[3] = {0, 0, 0}, x_axis[3] = {1, 0, 0}, z_axis[3] = {0, 0, 1};

// F06, with its own values: Izz = 0.82, Iyy = 0.74, Ixx = 0.15 about the joint, mass 3, com x = 1/3.
static srs_builder *lump(void)
{
  srs_builder *builder = srs_builder_create();
  add_link(builder, "w", 0, origin, origin);
  add_link(builder, "arm", 1, origin, (double[3]){0.12, 0.2, 0.3});
  add_link(builder, "bracket", 2, origin, (double[3]){0.03, 0.02, 0.04});
  add_link(builder, "probe", 0, origin, origin);
  add_joint(builder, NULL, SRS_JOINT_FIXED, NULL, "w", srs_identity_pose(), origin);
  add_joint(builder, "h", SRS_JOINT_CONTINUOUS, "w", "arm", srs_identity_pose(), z_axis);
  add_joint(builder, "f1", SRS_JOINT_FIXED, "arm", "bracket", at(0.5, 0, 0, M_PI / 2, 0, 0), origin);
  add_joint(builder, "f2", SRS_JOINT_FIXED, "bracket", "probe", at(0, 0, 0.1, 0, 0, 0), origin);
  return builder;
}

static void fixed_joints_are_lumped_exactly(void **state)
{
  (void)state;
  srs_model *model = built(lump(), false);
  assert_int_equal(srs_model_n_links(model), 1);
  assert_int_equal(srs_model_n_frames(model), 4);
  const srs_link *link = srs_model_link(model, 0);
  assert_string_equal(link->name, "arm");
  assert_true(link->mass == 3 && srs_model_mass(model) == 3);
  testing_assert_close("com", link->com, (double[3]){1.0 / 3, 0, 0}, 3, 1e-16);
  // About the joint; about the com 3 / 9 less on y and z.
  testing_assert_close("inertia", model->inertia, (double[10]){3, 1, 0, 0, 0.15, 0.74, 0.82, 0, 0, 0}, 10, 1e-16);
  testing_assert_close("about com", link->inertia, (double[6]){0.15, 0.74 - 1.0 / 3, 0.82 - 1.0 / 3, 0, 0, 0}, 6,
                       1e-16);
  const srs_frame *probe = srs_model_frame(model, srs_model_find_frame(model, "probe"));
  assert_int_equal(probe->link, 0);
  testing_assert_close("probe", probe->pose.position, (double[3]){0.5, -0.1, 0}, 3, 1e-16);
  const srs_frame *world = srs_model_frame(model, srs_model_find_frame(model, "w"));
  assert_int_equal(world->link, -1);
  assert_int_equal(srs_model_find_link(model, "probe"), -1);
  srs_model_destroy(model);
}

static void kept_fixed_joints_stay_links_without_coordinates(void **state)
{
  (void)state;
  srs_model *model = built(lump(), true);
  assert_int_equal(srs_model_n_links(model), 4);
  assert_int_equal(srs_model_nq(model), 1);
  const int bracket = srs_model_find_link(model, "bracket");
  assert_int_equal(bracket, 2);
  assert_int_equal(srs_model_joint(model, bracket)->kind, SRS_JOINT_FIXED);
  assert_int_equal(srs_model_joint(model, bracket)->nv, 0);
  assert_string_equal(srs_model_joint(model, 0)->name, "");
  assert_int_equal(srs_model_find_joint(model, ""), -1);
  assert_int_equal(srs_model_find_joint(model, "f2"), 3);
  assert_true(srs_model_link(model, bracket)->mass == 2 && srs_model_mass(model) == 3);
  assert_int_equal(model->v_index[4], 1);
  assert_int_equal(srs_model_frame(model, srs_model_find_frame(model, "w"))->link, 0);
  srs_model_destroy(model);
}

static void links_welded_to_the_world_weigh_nothing(void **state)
{
  (void)state;
  for (int keep = 0; keep <= 1; keep++) {
    srs_builder *builder = srs_builder_create();
    add_link(builder, "base", 50, origin, (double[3]){1, 1, 1});
    add_link(builder, "post", 20, origin, (double[3]){1, 1, 1});
    add_link(builder, "arm", 2, origin, (double[3]){1, 1, 1});
    add_joint(builder, "a", SRS_JOINT_FIXED, NULL, "base", at(1, 0, 0, 0, 0, M_PI / 2), origin);
    add_joint(builder, "b", SRS_JOINT_FIXED, "base", "post", at(1, 0, 0, 0, 0, M_PI / 2), origin);
    add_joint(builder, "c", SRS_JOINT_REVOLUTE, "post", "arm", at(1, 0, 0, 0, 0, 0), z_axis);
    srs_model *model = built(builder, keep == 1);
    assert_true(srs_model_mass(model) == 2);
    if (keep == 0) { // walked: (1,0,0), then 1 along y, then 1 along -x
      testing_assert_close("origin", srs_model_joint(model, 0)->origin.position, (double[3]){0, 1, 0}, 3, 3e-16);
      const srs_frame *post = srs_model_frame(model, srs_model_find_frame(model, "post"));
      assert_int_equal(post->link, -1);
      testing_assert_close("post", post->pose.position, (double[3]){1, 1, 0}, 3, 3e-16);
    }
    srs_model_destroy(model);
  }
}

// Along coordinate axes nothing is rounded: every entry of the rotations is 0 or +-1 and inertias only change places.
static void turned_frames_of_coordinate_axes_are_exact(void **state)
{
  (void)state;
  const double axes[6][3] = {{2, 0, 0}, {-1, 0, 0}, {0, 0.3, 0}, {0, -7, 0}, {0, 0, 1e-8}, {0, 0, -1}};
  for (int i = 0; i < 36; i++) {
    srs_builder *builder = srs_builder_create();
    add_link(builder, "a", 1.1, (double[3]){0.1, 0.2, 0.3}, (double[3]){0.4, 0.5, 0.6});
    add_link(builder, "b", 1.3, (double[3]){0.1, 0.2, 0.3}, (double[3]){0.4, 0.5, 0.6});
    add_joint(builder, "h", SRS_JOINT_REVOLUTE, NULL, "a", srs_identity_pose(), axes[i / 6]);
    add_joint(builder, "i", SRS_JOINT_PRISMATIC, "a", "b", at(0.7, 0.8, 0.9, 0, 0, 0), axes[i % 6]);
    srs_model *model = built(builder, false);
    for (int k = 0; k < 2; k++) {
      double rows[27], trace = 0, offset = 0;
      mat3_to_rows(rows, model->turn[k]);
      mat3_to_rows(rows + 9, model->link_axes[k]);
      mat3_to_rows(rows + 18, model->turn2[k]);
      for (int j = 0; j < 27; j++) assert_true(rows[j] == 0 || fabs(rows[j]) == 1);
      for (int j = 0; j < 3; j++) trace += srs_model_link(model, k)->inertia[j];
      offset = fabs(model->offset[1].x) + fabs(model->offset[1].y) + fabs(model->offset[1].z);
      assert_true(fabs(trace - 1.5) < 3e-16 && fabs(offset - 2.4) < 5e-16); // sums in another order
      const vec3 z = rotate_back(model->link_axes[k], (vec3){0, 0, 1});     // the joint's axis, seen from the link
      const double *axis = srs_model_joint(model, k)->axis;
      assert_true(z.x == axis[0] && z.y == axis[1] && z.z == axis[2]);
    }
    srs_model_destroy(model);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Against a straight computation with the public view: link frames by Rodrigues' formula about the joint's own axis.
// ---------------------------------------------------------------------------------------------------------------------

static mat3 about(const double axis[3], double angle)
{
  const double s = sin(angle / 2), q[4] = {cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
  return mat3_from_quaternion(q);
}

typedef struct place {
  vec3 p;
  mat3 r;
} place;

static void move_plainly(const srs_joint *h, const double *q, place *j)
{
  const vec3 axis = vec3_load(h->axis);
  *j = (place){vec3_zero, mat3_identity};
  switch (h->kind) {
  case SRS_JOINT_FIXED: break;
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: j->r = about(h->axis, q[0]); break;
  case SRS_JOINT_PRISMATIC: j->p = scale3(q[0], axis); break;
  case SRS_JOINT_HELICAL:
    j->r = about(h->axis, q[0]);
    j->p = scale3(h->pitch * q[0], axis);
    break;
  case SRS_JOINT_CYLINDRICAL:
    j->r = about(h->axis, q[0]);
    j->p = scale3(q[1], axis);
    break;
  case SRS_JOINT_UNIVERSAL: j->r = mul3(about(h->axis, q[0]), about(h->axis2, q[1])); break;
  case SRS_JOINT_PLANAR: {
    const mat3 b = srs_turned_axes(axis);
    j->p = add3(scale3(q[0], b.x), scale3(q[1], b.y));
    j->r = about(h->axis, q[2]);
    break;
  }
  case SRS_JOINT_SPHERICAL: j->r = mat3_from_quaternion(q); break;
  case SRS_JOINT_FREE:
    j->r = mat3_from_quaternion(q + 3);
    j->p = vec3_load(q);
    break;
  }
}

static mat3 turn_z(double angle) { return about(z_axis, angle); }

// As model.h says.
static void move_turned(const srs_model *m, int k, const double *q, place *j)
{
  *j = (place){vec3_zero, mat3_identity};
  switch ((srs_joint_kind)m->kind[k]) {
  case SRS_JOINT_FIXED: break;
  case SRS_JOINT_REVOLUTE:
  case SRS_JOINT_CONTINUOUS: j->r = turn_z(q[0]); break;
  case SRS_JOINT_PRISMATIC: j->p.z = q[0]; break;
  case SRS_JOINT_HELICAL: *j = (place){{0, 0, m->pitch[k] * q[0]}, turn_z(q[0])}; break;
  case SRS_JOINT_CYLINDRICAL: *j = (place){{0, 0, q[1]}, turn_z(q[0])}; break;
  case SRS_JOINT_UNIVERSAL: j->r = mul3(turn_z(q[0]), mul3(m->turn2[k], turn_z(q[1]))); break;
  case SRS_JOINT_PLANAR: *j = (place){{q[0], q[1], 0}, turn_z(q[2])}; break;
  case SRS_JOINT_SPHERICAL: j->r = mat3_from_quaternion(q); break;
  case SRS_JOINT_FREE: *j = (place){vec3_load(q), mat3_from_quaternion(q + 3)}; break;
  }
}

static place compose(place a, place b) { return (place){add3(a.p, rotate(a.r, b.p)), mul3(a.r, b.r)}; }

static void turned_frames_lie_where_the_joints_put_them(void **state)
{
  (void)state;
  testing_random random = testing_random_start(71);
  for (int trial = 0; trial < 30; trial++) {
    srs_model *m = testing_random_model(&random, 12, NULL, 0, 0.7);
    double q[128];
    testing_random_q(&random, m, q);
    place plain[12], turned[12];
    for (int k = 0; k < 12; k++) {
      const srs_joint *h = srs_model_joint(m, k);
      const int p = srs_model_link(m, k)->parent;
      const place none = {vec3_zero, mat3_identity};
      const place start = {vec3_load(h->origin.position), mat3_from_rows(h->origin.rotation)};
      place j;
      move_plainly(h, q + h->q_index, &j);
      plain[k] = compose(p >= 0 ? plain[p] : none, compose(start, j));
      move_turned(m, k, q + m->q_index[k], &j);
      turned[k] = compose(p >= 0 ? turned[p] : none, compose((place){m->offset[k], m->turn[k]}, j));
      double a[12], b[12];
      vec3_store(a, plain[k].p), vec3_store(b, turned[k].p);
      mat3_to_rows(a + 3, plain[k].r);
      mat3_to_rows(b + 3, mul3(turned[k].r, m->link_axes[k]));
      testing_assert_close("placement", b, a, 12, 5e-15); // a dozen products of rotations
      // Inertia about the world's origin axes: the same from either view.
      const srs_link *link = srs_model_link(m, k);
      const vec3 com = vec3_load(link->com);
      const sym3 i = sym3_add(sym3_load(link->inertia), sym3_point_mass(link->mass, com));
      sym3_store(a, sym3_rotate(plain[k].r, i));
      sym3_store(b, sym3_rotate(turned[k].r, sym3_load(m->inertia + (size_t)k * 10 + 4)));
      vec3_store(a + 6, rotate(plain[k].r, scale3(link->mass, com)));
      vec3_store(b + 6, rotate(turned[k].r, vec3_load(m->inertia + (size_t)k * 10 + 1)));
      testing_assert_close("inertia", b, a, 9, 1e-14);
    }
    srs_model_destroy(m);
  }
}

static void frames_are_kept_in_their_links_turned_axes(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  add_link(builder, "a", 1, origin, (double[3]){1, 1, 1});
  add_link(builder, "b", 1, origin, (double[3]){1, 1, 1});
  add_joint(builder, "h", SRS_JOINT_REVOLUTE, NULL, "a", srs_identity_pose(), x_axis);
  add_joint(builder, "f", SRS_JOINT_FIXED, "a", "b", at(1, 2, 3, 0, 0, M_PI / 2), origin);
  const srs_pose pose = at(0.1, 0, 0, 0, 0, 0);
  assert_int_equal(srs_builder_add_frame(builder, "tool", "b", &pose, NULL), SRS_OK);
  assert_int_equal(srs_builder_add_frame(builder, "mark", NULL, &pose, NULL), SRS_OK);
  srs_shape_def shape = srs_default_shape_def(SRS_SHAPE_SPHERE);
  shape.link = "b";
  shape.pose = pose;
  shape.size[0] = 0.5;
  assert_int_equal(srs_builder_add_shape(builder, &shape, NULL), SRS_OK);
  srs_model *m = built(builder, false);
  const int tool = srs_model_find_frame(m, "tool"), mark = srs_model_find_frame(m, "mark");
  testing_assert_close("pose", srs_model_frame(m, tool)->pose.position, (double[3]){1, 2.1, 3}, 3, 2e-16);
  double got[3];
  vec3_store(got, m->frame_offset[tool]);
  testing_assert_close("turned", got, (double[3]){2.1, 3, 1}, 3, 2e-16); // e1 = y, e2 = z, n = x
  assert_int_equal(m->frame_link[mark], -1);
  assert_true(m->frame_offset[mark].x == 0.1);
  const srs_shape *kept = srs_model_shape(m, 0);
  assert_int_equal(kept->frame, srs_model_find_frame(m, "b"));
  assert_true(kept->pose.position[0] == 0.1 && kept->size[0] == 0.5 && !kept->is_visual);
  assert_string_equal(kept->name, "");
  assert_string_equal(kept->file, "");
  srs_model_destroy(m);
}

static void shapes_keep_their_arrays_groups_and_materials(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, heights[6] = {1, 2, 3, 4, 5, 6};
  int triangles[3] = {0, 1, 2};
  char material[] = "ice";
  srs_shape_def def = srs_default_shape_def(SRS_SHAPE_TERRAIN);
  def.points = points, def.n_points = 4, def.triangles = triangles, def.n_triangles = 1;
  def.heights = heights, def.n_rows = 2, def.n_columns = 3; // not terrain's: left behind
  def.group = 6, def.mask = 9, def.material = material;
  assert_int_equal(srs_builder_add_shape(builder, &def, NULL), SRS_OK);
  def.kind = SRS_SHAPE_HEIGHTFIELD;
  def.size[0] = def.size[1] = 0.5;
  assert_int_equal(srs_builder_add_shape(builder, &def, NULL), SRS_OK);
  points[4] = heights[2] = 99, triangles[1] = 99, material[0] = 'X';
  srs_model *m = built(builder, false);
  const srs_shape *terrain = srs_model_shape(m, 0), *field = srs_model_shape(m, 1);
  assert_true(terrain->n_points == 4 && terrain->points[4] == 0 && terrain->points[3] == 1);
  assert_true(terrain->n_triangles == 1 && terrain->triangles[1] == 1);
  assert_true(terrain->heights == NULL && terrain->n_rows == 0);
  assert_true(terrain->group == 6 && terrain->mask == 9);
  assert_string_equal(terrain->material, "ice");
  assert_true(field->points == NULL && field->n_points == 0 && field->triangles == NULL);
  assert_true(field->n_rows == 2 && field->n_columns == 3 && field->heights[2] == 3);
  srs_model_destroy(m);
}

static void bodies_are_what_fixed_joints_join(void **state)
{
  (void)state;
  for (int keep = 0; keep < 2; keep++) {
    srs_builder *builder = srs_builder_create();
    const char *names[] = {"base", "plate", "arm", "hand", "other", "ball"};
    for (int i = 0; i < 6; i++) add_link(builder, names[i], 1, origin, (double[3]){1, 1, 1});
    const srs_pose here = srs_identity_pose();
    add_joint(builder, "a", SRS_JOINT_FIXED, NULL, "base", here, origin);
    add_joint(builder, "b", SRS_JOINT_FIXED, "base", "plate", here, origin);
    add_joint(builder, "c", SRS_JOINT_REVOLUTE, "plate", "arm", here, x_axis);
    add_joint(builder, "d", SRS_JOINT_FIXED, "arm", "hand", here, origin);
    add_joint(builder, "e", SRS_JOINT_FIXED, NULL, "other", here, origin);
    add_joint(builder, "f", SRS_JOINT_FREE, "hand", "ball", here, origin);
    assert_int_equal(srs_builder_add_frame(builder, "tip", "hand", &here, NULL), SRS_OK);
    assert_int_equal(srs_builder_add_frame(builder, "mark", NULL, &here, NULL), SRS_OK);
    srs_model *m = built(builder, keep == 1);
    const char *frames[] = {"base", "plate", "arm", "hand", "other", "ball", "tip", "mark"};
    const char *bodies[] = {"base", "base", "arm", "arm", "other", "ball", "arm", NULL};
    const char *carriers[] = {NULL, NULL, "base", "base", NULL, NULL, "base", NULL};
    for (int i = 0; i < 8; i++) {
      const int frame = srs_model_find_frame(m, frames[i]);
      assert_int_equal(m->frame_body[frame], srs_model_find_frame(m, bodies[i]));
      assert_int_equal(m->frame_carrier[frame], srs_model_find_frame(m, carriers[i]));
      assert_int_equal(m->frame_is_static[frame], i < 2 || i == 4 || i == 7);
    }
    srs_model_destroy(m);
  }
}

static void angles_are_listed(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  char name[SRS_JOINT_KINDS][16];
  for (int k = 1; k < SRS_JOINT_KINDS; k++) {
    snprintf(name[k], sizeof name[k], "l%d", k);
    add_link(builder, name[k], 1, origin, (double[3]){1, 1, 1});
    add_joint(builder, name[k], (srs_joint_kind)k, k > 1 ? name[k - 1] : NULL, name[k], srs_identity_pose(), x_axis);
  }
  srs_model *m = built(builder, false);
  // revolute 0, continuous 1, prismatic 2, helical 3, cylindrical 4-5, universal 6-7, spherical 8-11, planar 12-14,
  // free 15-21
  const int angles[] = {0, 1, 3, 4, 6, 7, 14}, first[] = {0, 1, 2, 2, 3, 4, 6, 6, 7};
  assert_int_equal(m->n_angles, 7);
  assert_memory_equal(m->angle_q, angles, sizeof angles);
  assert_memory_equal(m->first_angle, first, sizeof first);
  for (int i = 0; i < m->nv; i++) assert_true(m->v_index[m->link_of_v[i]] <= i && i < m->v_index[m->link_of_v[i] + 1]);
  srs_model_destroy(m);
}

static void coordinate_arrays_follow_the_joints(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  add_link(builder, "a", 1, origin, (double[3]){1, 1, 1});
  add_link(builder, "b", 1, origin, (double[3]){1, 1, 1});
  srs_joint_def def = srs_default_joint_def(SRS_JOINT_SPHERICAL);
  def.name = "ball", def.child = "a";
  for (int i = 0; i < 6; i++) def.armature[i] = i, def.damping[i] = 10 + i;
  assert_int_equal(srs_builder_add_joint(builder, &def, NULL), SRS_OK);
  def = srs_default_joint_def(SRS_JOINT_CYLINDRICAL);
  def.name = "c", def.parent = "a", def.child = "b";
  for (int i = 0; i < 6; i++)
    def.stiffness[i] = 20 + i, def.friction[i] = i, def.lower[i] = 0 - i, def.upper[i] = i, def.reference[i] = 0.5;
  def.max_effort[1] = 7, def.max_velocity[0] = 8;
  assert_int_equal(srs_builder_add_joint(builder, &def, NULL), SRS_OK);
  srs_model *m = built(builder, false);
  const double inf = INFINITY;
  assert_memory_equal(srs_model_armature(m), ((double[5]){0, 1, 2, 0, 0}), 5 * sizeof(double));
  assert_memory_equal(srs_model_damping(m), ((double[5]){10, 11, 12, 0, 0}), 5 * sizeof(double));
  assert_memory_equal(srs_model_stiffness(m), ((double[5]){0, 0, 0, 20, 21}), 5 * sizeof(double));
  assert_memory_equal(srs_model_friction(m), ((double[5]){0, 0, 0, 0, 1}), 5 * sizeof(double));
  assert_memory_equal(srs_model_lower(m), ((double[5]){-inf, -inf, -inf, 0, -1}), 5 * sizeof(double));
  assert_memory_equal(srs_model_upper(m), ((double[5]){inf, inf, inf, 0, 1}), 5 * sizeof(double));
  assert_memory_equal(srs_model_max_effort(m), ((double[5]){inf, inf, inf, inf, 7}), 5 * sizeof(double));
  assert_memory_equal(srs_model_max_velocity(m), ((double[5]){inf, inf, inf, 8, inf}), 5 * sizeof(double));
  assert_memory_equal(srs_model_reference(m), ((double[6]){1, 0, 0, 0, 0.5, 0.5}), 6 * sizeof(double));
  assert_memory_equal(srs_model_neutral(m), ((double[6]){1, 0, 0, 0, 0, 0}), 6 * sizeof(double));
  assert_true(m->has_springs && m->has_damping);
  srs_model_destroy(m);
}

static void two_coordinates_of_one_name_are_refused(void **state)
{
  (void)state;
  srs_builder *builder = srs_builder_create();
  add_link(builder, "a", 1, origin, (double[3]){1, 1, 1});
  add_link(builder, "b", 1, origin, (double[3]){1, 1, 1});
  add_joint(builder, "a", SRS_JOINT_PLANAR, NULL, "a", srs_identity_pose(), x_axis);
  srs_builder_set_location(builder, "t.urdf", 9, 0);
  add_joint(builder, "a.x", SRS_JOINT_REVOLUTE, "a", "b", srs_identity_pose(), x_axis);
  srs_model *model = NULL;
  srs_error error;
  assert_int_equal(srs_builder_build(builder, NULL, &model, &error), SRS_ERROR_NAME);
  assert_string_equal(error.message, "joints 'a' and 'a.x' would both have a coordinate 'a.x'; rename one");
  assert_int_equal(error.line, 9);
  srs_builder_destroy(builder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_joints_are_lumped_exactly),
      cmocka_unit_test(kept_fixed_joints_stay_links_without_coordinates),
      cmocka_unit_test(links_welded_to_the_world_weigh_nothing),
      cmocka_unit_test(turned_frames_of_coordinate_axes_are_exact),
      cmocka_unit_test(turned_frames_lie_where_the_joints_put_them),
      cmocka_unit_test(frames_are_kept_in_their_links_turned_axes),
      cmocka_unit_test(shapes_keep_their_arrays_groups_and_materials),
      cmocka_unit_test(bodies_are_what_fixed_joints_join),
      cmocka_unit_test(angles_are_listed),
      cmocka_unit_test(coordinate_arrays_follow_the_joints),
      cmocka_unit_test(two_coordinates_of_one_name_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
