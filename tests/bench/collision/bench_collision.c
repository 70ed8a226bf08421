// How fast is collision? One table: pairs of solids by themselves, and whole passes over models.
//
// A figure is the processor time of one call on one thread, pinned to one processor: the middle one of five runs in
// which all rows take turns, and in brackets the least and the most; a batch goes over the same 64 arrangements. Pairs
// are measured where they touch or nearly do, which is where their time goes; what is farther apart never gets there.
// The aims are those of the project, not of other engines.
#include "collision/gjk/gjk.h"
#include "collision/manifold/convex.h"
#include "collision/pairs/pairs.h"
#include "collision/world/collider.h"
#include "timing.h"

#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 64, MOST_ROWS = 32, MOST_LINKS = 900, ROOM = 20000 };

static const double batch_time = 2e-3; // s

static void die(const char *what)
{
  fprintf(stderr, "bench_collision: %s\n", what);
  exit(1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Random numbers, poses, models
// ---------------------------------------------------------------------------------------------------------------------

static double uniform(uint64_t *state, double low, double high)
{
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
}

static srs_pose random_pose(uint64_t *state, double reach)
{
  srs_pose pose;
  double quaternion[4];
  for (int c = 0; c < 3; c++) pose.position[c] = uniform(state, -reach, reach);
  for (int c = 0; c < 4; c++) quaternion[c] = uniform(state, -1, 1);
  srs_rotation_from_quaternion(quaternion, pose.rotation);
  return pose;
}

static void add_link(srs_builder *builder, const char *name, srs_joint_kind kind, const char *parent, double z)
{
  srs_link_def link = srs_default_link_def();
  link.name = name;
  link.mass = 1;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
  srs_joint_def joint = srs_default_joint_def(kind);
  joint.name = name;
  joint.parent = parent;
  joint.child = name;
  joint.origin.position[2] = z;
  if (srs_builder_add_link(builder, &link, NULL) != SRS_OK || srs_builder_add_joint(builder, &joint, NULL) != SRS_OK)
    die("a link cannot be added");
}

static void add_shape(srs_builder *builder, srs_shape_def def, const char *link)
{
  def.link = link;
  if (srs_builder_add_shape(builder, &def, NULL) != SRS_OK) die("a shape cannot be added");
}

static srs_shape_def shape(srs_shape_kind kind, double x, double y, double z)
{
  srs_shape_def def = srs_default_shape_def(kind);
  def.size[0] = x, def.size[1] = y, def.size[2] = z;
  return def;
}

static srs_model *build(srs_builder *builder)
{
  srs_model *model = NULL;
  srs_error error;
  if (srs_builder_build(builder, NULL, &model, &error) != SRS_OK) die(error.message);
  srs_builder_destroy(builder);
  return model;
}

// ---------------------------------------------------------------------------------------------------------------------
// Measuring
// ---------------------------------------------------------------------------------------------------------------------

// Runs over all states once and returns the nodes found.
typedef long run_once(void *instance);

typedef struct entry {
  const char *name, *aim;
  run_once *run;
  void *instance;
  void (*end)(void *instance);
  long nodes; // in all states
} entry;

static entry rows[MOST_ROWS];
static int n_rows;

static void add_row(const char *name, run_once *run, void *instance, void (*end)(void *instance), const char *aim)
{
  if (n_rows == MOST_ROWS) die("too many rows");
  rows[n_rows++] = (entry){name, aim, run, instance, end, 0};
}

static void compute(void *context, int which, long calls)
{
  entry *r = (entry *)context + which;
  for (long i = 0; i < calls; i++) r->nodes = r->run(r->instance);
}

// All rows take turns; then they are printed and gone.
static void measure(void)
{
  double times[MOST_ROWS][BENCH_RUNS];
  bench_take_turns(compute, rows, n_rows, batch_time, times);
  for (int i = 0; i < n_rows; i++) {
    char text[BENCH_SPREAD_TEXT];
    for (int run = 0; run < BENCH_RUNS; run++) times[i][run] *= 1e9 / STATES;
    printf("%-46s %-24s ns %8.2f nodes   %s\n", rows[i].name, bench_spread_print(bench_spread_of(times[i]), text),
           (double)rows[i].nodes / STATES, rows[i].aim);
    rows[i].end(rows[i].instance);
  }
  n_rows = 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pairs
// ---------------------------------------------------------------------------------------------------------------------

typedef struct pair_case {
  srs_pair_function *find;
  srs_placed a[STATES], b[STATES];
  double margin;
  srs_model *model;
  srs_geometries solids;
} pair_case;

static long run_pair(void *instance)
{
  pair_case *c = instance;
  srs_touch touches[SRS_MANIFOLD_POINTS];
  long n = 0;
  for (int s = 0; s < STATES; s++) n += c->find(NULL, &c->a[s], &c->b[s], c->margin, touches);
  return n;
}

static long run_gjk(void *instance)
{
  pair_case *c = instance;
  srs_touch touch;
  long n = 0;
  for (int s = 0; s < STATES; s++) n += srs_gjk_closest(&c->a[s], &c->b[s], 10, &touch);
  return n;
}

typedef enum arrangement { RESTING, LYING, TUMBLED } arrangement;

// A stands on B's upper side, turned about z and 1e-4 deep; or A is turned anyhow; or both are.
static void arrange(pair_case *c, const srs_geometries *m, arrangement how, double height)
{
  uint64_t random = 7;
  for (int s = 0; s < STATES; s++) {
    srs_pose a = random_pose(&random, 0.05);
    const double yaw[3] = {0, 0, uniform(&random, -3, 3)};
    if (how == RESTING) srs_rotation_from_rpy(yaw, a.rotation);
    a.position[2] = how == RESTING ? height - 1e-4 : height + 0.3 * a.position[2];
    const srs_pose b = how == TUMBLED ? random_pose(&random, 0.02) : srs_identity_pose();
    c->a[s] = (srs_placed){&m->solids[0], mat3_from_rows(a.rotation), vec3_load(a.position)};
    c->b[s] = (srs_placed){&m->solids[1], mat3_from_rows(b.rotation), vec3_load(b.position)};
  }
}

static void end_pair(void *instance)
{
  pair_case *c = instance;
  srs_geometries_release(&c->solids);
  srs_model_destroy(c->model);
  free(c);
}

static void add_pair(const char *name, srs_pair_function *find, srs_shape_def a, srs_shape_def b, arrangement how,
                     double height, const char *aim)
{
  srs_builder *builder = srs_builder_create();
  add_link(builder, "a", SRS_JOINT_FREE, NULL, 0);
  add_shape(builder, a, "a");
  add_shape(builder, b, NULL);
  pair_case *c = calloc(1, sizeof *c);
  if (c == NULL) die("out of memory");
  c->model = build(builder);
  srs_error error;
  if (srs_geometries_make(c->model, &c->solids, &error) != SRS_OK) die(error.message);
  c->find = find;
  c->margin = 0.01;
  arrange(c, &c->solids, how, height);
  add_row(name, find != NULL ? run_pair : run_gjk, c, end_pair, aim);
}

static void add_pairs(void)
{
  uint64_t random = 3;
  double cloud[3 * 64];
  for (int i = 0; i < 64; i++) {
    vec3 p = {uniform(&random, -1, 1), uniform(&random, -1, 1), uniform(&random, -1, 1)};
    vec3_store(cloud + 3 * (size_t)i, scale3(0.1 / norm3(p), p));
  }
  const srs_shape_def plane = shape(SRS_SHAPE_HALF_SPACE, 0, 0, 0), ball = shape(SRS_SHAPE_SPHERE, 0.1, 0, 0);
  const srs_shape_def box = shape(SRS_SHAPE_BOX, 0.2, 0.2, 0.2), rod = shape(SRS_SHAPE_CAPSULE, 0.05, 0.2, 0);
  const srs_shape_def can = shape(SRS_SHAPE_CYLINDER, 0.1, 0.2, 0), cone = shape(SRS_SHAPE_CONE, 0.1, 0.2, 0);
  srs_shape_def hull = shape(SRS_SHAPE_HULL, 0, 0, 0);
  hull.points = cloud, hull.n_points = 64;
  add_pair("sphere - half-space", srs_pair_sphere_half_space, ball, plane, RESTING, 0.1, "aim 30 ns");
  add_pair("capsule - half-space, lying", srs_pair_capsule_half_space, rod, plane, LYING, 0.1, "");
  add_pair("box - half-space, resting", srs_pair_box_half_space, box, plane, RESTING, 0.1, "");
  add_pair("cylinder - half-space, standing", srs_pair_cylinder_half_space, can, plane, RESTING, 0.1, "");
  add_pair("hull of 64 - half-space", srs_pair_hull_half_space, hull, plane, LYING, 0.1, "");
  add_pair("sphere - sphere", srs_pair_sphere_sphere, ball, ball, RESTING, 0.2, "");
  add_pair("sphere - box", srs_pair_sphere_box, ball, box, TUMBLED, 0.21, "");
  add_pair("capsule - capsule", srs_pair_capsule_capsule, rod, rod, TUMBLED, 0.15, "");
  add_pair("box - capsule", srs_pair_box_capsule, box, rod, TUMBLED, 0.2, "");
  add_pair("box - box, face on face", srs_pair_box_box, box, box, RESTING, 0.2, "aim 1.5 us");
  add_pair("box - box, tumbled", srs_pair_box_box, box, box, TUMBLED, 0.22, "aim 1.5 us");
  add_pair("cylinder - box, GJK alone", NULL, can, box, TUMBLED, 0.22, "aim 2 us");
  add_pair("hull of 64 - hull of 64, GJK alone", NULL, hull, hull, TUMBLED, 0.2, "aim 2 us");
  add_pair("cylinder - box, standing", srs_pair_convex, can, box, RESTING, 0.2, "aim 2 us");
  add_pair("cylinder - box, tumbled", srs_pair_convex, can, box, TUMBLED, 0.22, "aim 2 us");
  add_pair("cone - capsule, tumbled", srs_pair_convex, cone, rod, TUMBLED, 0.15, "aim 2 us");
  add_pair("hull of 64 - hull of 64", srs_pair_convex, hull, hull, TUMBLED, 0.2, "aim 2 us");
  add_pair("hull of 64 - box", srs_pair_convex, hull, box, TUMBLED, 0.2, "aim 2 us");
}

// ---------------------------------------------------------------------------------------------------------------------
// Whole passes
// ---------------------------------------------------------------------------------------------------------------------

typedef struct pass_case {
  srs_collider *collider;
  srs_pose *links; // STATES x n_links
  srs_contact_point *contacts;
  int n_links;
  srs_model *model;
} pass_case;

static long run_pass(void *instance)
{
  pass_case *c = instance;
  long sum = 0;
  for (int s = 0; s < STATES; s++) {
    int n;
    if (srs_collider_contacts(c->collider, c->links + (size_t)s * (size_t)c->n_links, 0.01, c->contacts, ROOM, &n,
                              NULL) != SRS_OK)
      die("contacts cannot be found");
    sum += n;
  }
  return sum;
}

static pass_case *make_pass(srs_model *model)
{
  pass_case *c = calloc(1, sizeof *c);
  srs_error error;
  if (c == NULL) die("out of memory");
  c->model = model;
  c->n_links = srs_model_n_links(model);
  if (srs_collider_create(model, NULL, &c->collider, &error) != SRS_OK) die(error.message);
  c->links = calloc((size_t)STATES * (size_t)c->n_links, sizeof *c->links);
  c->contacts = calloc(ROOM, sizeof *c->contacts);
  if (c->links == NULL || c->contacts == NULL) die("out of memory");
  return c;
}

static void end_pass(void *instance)
{
  pass_case *c = instance;
  srs_collider_destroy(c->collider);
  srs_model_destroy(c->model);
  free(c->links);
  free(c->contacts);
  free(c);
}

// Twelve links of 1 m that hang from 10.1 m, with a floor and a wall at 4 m: swung out and folded at random.
static void add_chain(const char *name, srs_shape_def part, double fold)
{
  enum { LINKS = 12 };
  srs_builder *builder = srs_builder_create();
  char names[LINKS][8];
  for (int k = 0; k < LINKS; k++) {
    snprintf(names[k], sizeof names[k], "l%d", k);
    add_link(builder, names[k], SRS_JOINT_REVOLUTE, k > 0 ? names[k - 1] : NULL, k > 0 ? -1 : 10.1);
    part.pose.position[2] = part.kind == SRS_SHAPE_SPHERE ? -1 : -0.5;
    add_shape(builder, part, names[k]);
  }
  srs_shape_def floor = shape(SRS_SHAPE_HALF_SPACE, 0, 0, 0), wall = floor;
  floor.pose.position[2] = 0.1;
  wall.pose.position[1] = 4;
  const double turn[3] = {1.5707963267948966, 0, 0};
  srs_rotation_from_rpy(turn, wall.pose.rotation);
  add_shape(builder, floor, NULL);
  add_shape(builder, wall, NULL);
  srs_model *model = build(builder);
  pass_case *c = make_pass(model);
  srs_workspace *workspace = NULL;
  if (srs_workspace_create(model, &workspace, NULL) != SRS_OK) die("out of memory");
  uint64_t random = 5;
  for (int s = 0; s < STATES; s++) {
    double q[LINKS];
    for (int k = 0; k < LINKS; k++) q[k] = uniform(&random, -fold, fold);
    if (srs_forward_kinematics(workspace, q) != SRS_OK) die("a state is no good");
    for (int k = 0; k < LINKS; k++)
      srs_frame_placement(workspace, srs_model_find_frame(model, names[k]), &c->links[s * LINKS + k]);
  }
  srs_workspace_destroy(workspace);
  add_row(name, run_pass, c, end_pass, "aim 2 us");
}

static void add_cubes(void)
{
  srs_builder *builder = srs_builder_create();
  for (int i = 0; i < MOST_LINKS; i++) {
    char name[16];
    snprintf(name, sizeof name, "cube%d", i);
    add_link(builder, name, SRS_JOINT_FREE, NULL, 0);
    add_shape(builder, shape(SRS_SHAPE_BOX, 0.1, 0.1, 0.1), name);
  }
  add_shape(builder, shape(SRS_SHAPE_HALF_SPACE, 0, 0, 0), NULL);
  srs_model *model = build(builder);
  pass_case *c = make_pass(model);
  for (int s = 0; s < STATES; s++)
    for (int i = 0; i < MOST_LINKS; i++) {
      srs_pose *pose = &c->links[s * MOST_LINKS + i];
      *pose = srs_identity_pose();
      const int row = i / 30, column = i % 30;
      pose->position[0] = 0.15 * column, pose->position[1] = 0.15 * row, pose->position[2] = 0.05;
    }
  add_row("900 cubes on a plane, whole pass", run_pass, c, end_pass, "");
}

int main(void)
{
  if (!bench_pin()) fprintf(stderr, "bench_collision: not pinned to one processor\n");
  printf("Sarrus %s, collision\n\n", srs_version());
  add_pairs();
  measure();
  putchar('\n');
  add_chain("12-link chain of spheres, whole pass", shape(SRS_SHAPE_SPHERE, 0.25, 0, 0), 0.6);
  add_chain("the same, folded", shape(SRS_SHAPE_SPHERE, 0.25, 0, 0), 3);
  add_chain("12-link chain of rods (capsules), whole pass", shape(SRS_SHAPE_CAPSULE, 0.05, 0.9, 0), 0.6);
  add_chain("the same, folded", shape(SRS_SHAPE_CAPSULE, 0.05, 0.9, 0), 3);
  add_cubes();
  measure();
  return 0;
}
