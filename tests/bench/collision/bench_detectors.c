// How right are the detectors of collision? Ours, Bullet's GJK and EPA behind `detector: bullet`, and Bullet's whole
// world, on the same drawn poses of every two kinds of solids, at gaps that are aimed at along the normal.
//
// The judge is the separation s(n) = min over A of n . a - max over B of n . b: no unit n tells two solids farther
// apart than their signed distance, so the largest s that any of the three normals reaches is the truth as far as it is
// known. Of each answer are shown the error of its gap, and what its normal loses: the truth less s(n).
//
//   bench_detectors [POSES [SEED]]     poses for each two kinds and gap, 2000 if not given
#include "collision/shapes/support.h"
#include "collision/world/collider.h"
#include "timing.h"
#ifdef BENCH_WITH_BULLET
#include "bullet_world.h"
#endif

#include <malloc.h>
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 6, AIMS = 5, DETECTORS = 3, POSES_EACH = 20, GROUPS = 3 };

static const srs_shape_kind kinds[KINDS] = {SRS_SHAPE_BOX,    SRS_SHAPE_HULL,     SRS_SHAPE_CAPSULE,
                                            SRS_SHAPE_SPHERE, SRS_SHAPE_CYLINDER, SRS_SHAPE_CONE};
static const double aims[AIMS] = {0.1, 1e-3, 0, -1e-3, -0.1};
static const char *const aim_names[AIMS] = {"10 cm apart", "1 mm apart", "touching", "1 mm deep", "up to 10 cm deep"};
static const char *const detector_names[DETECTORS] = {"exact", "bullet", "Bullet's world"};
static const char *const group_names[GROUPS] = {"boxes, hulls", "with capsules, spheres", "with cylinders, cones"};

static void die(const char *what)
{
  fprintf(stderr, "bench_detectors: %s\n", what);
  exit(1);
}

static uint64_t random_state = 1;

static double uniform(double low, double high)
{
  random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * (double)(random_state >> 11) / 9007199254740992.0;
}

static vec3 direction(void)
{
  for (;;) {
    const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    const vec3 v = {x, y, z};
    const double length = norm3(v);
    if (length > 0.1 && length < 1) return scale3(1 / length, v);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Two bodies
// ---------------------------------------------------------------------------------------------------------------------

typedef struct two_bodies {
  srs_model *model;
  srs_collider *colliders[2];
  srs_geometries geometries;
  srs_pose links[2];
#ifdef BENCH_WITH_BULLET
  bullet_world *world;
#endif
} two_bodies;

typedef struct answer {
  bool is_known;
  double gap;
  vec3 normal;
} answer;

static srs_shape_def draw_shape(srs_shape_kind kind, double points[60])
{
  srs_shape_def def = srs_default_shape_def(kind);
  for (int i = 0; i < 3; i++) def.size[i] = uniform(0.1, 1);
  if (kind != SRS_SHAPE_BOX) def.size[0] *= 0.5; // a radius
  if (kind != SRS_SHAPE_HULL) return def;
  const double size = uniform(0.2, 0.7);
  for (int i = 0; i < 20; i++) vec3_store(points + 3 * (size_t)i, scale3(size, direction()));
  def.points = points, def.n_points = 20;
  return def;
}

#ifdef BENCH_WITH_BULLET
static bullet_solid as_bullet(const srs_shape_def *def)
{
  static const char letters[SRS_SHAPE_KINDS] = {
      [SRS_SHAPE_BOX] = 'b',    [SRS_SHAPE_HULL] = 'h',     [SRS_SHAPE_CAPSULE] = 'c',
      [SRS_SHAPE_SPHERE] = 's', [SRS_SHAPE_CYLINDER] = 'y', [SRS_SHAPE_CONE] = 'o'};
  return (bullet_solid){letters[def->kind], def->size, def->points, def->n_points};
}
#endif

static two_bodies make(srs_shape_def a, srs_shape_def b)
{
  two_bodies two = {0};
  const srs_shape_def *const defs[2] = {&a, &b};
  srs_builder *builder = srs_builder_create();
  srs_error error;
  for (int i = 0; i < 2; i++) {
    srs_link_def link = srs_default_link_def();
    srs_joint_def joint = srs_default_joint_def(SRS_JOINT_FREE);
    srs_shape_def def = *defs[i];
    def.link = joint.name = joint.child = link.name = i == 0 ? "a" : "b";
    link.mass = link.inertia[0] = link.inertia[1] = link.inertia[2] = 1;
    if (srs_builder_add_link(builder, &link, &error) != SRS_OK ||
        srs_builder_add_joint(builder, &joint, &error) != SRS_OK ||
        srs_builder_add_shape(builder, &def, &error) != SRS_OK)
      die(error.message);
  }
  if (srs_builder_build(builder, NULL, &two.model, &error) != SRS_OK) die(error.message);
  srs_builder_destroy(builder);
  for (int i = 0; i < 2; i++) {
    srs_collider_options options = srs_default_collider_options();
    options.detector = i == 0 ? SRS_DETECTOR_EXACT : SRS_DETECTOR_BULLET;
    if (srs_collider_create(two.model, &options, &two.colliders[i], &error) != SRS_OK) die(error.message);
  }
  if (srs_geometries_make(two.model, &two.geometries, &error) != SRS_OK) die(error.message);
#ifdef BENCH_WITH_BULLET
  const bullet_solid of_a = as_bullet(&a), of_b = as_bullet(&b);
  two.world = bullet_world_create(&of_a, &of_b);
#endif
  return two;
}

static void drop(two_bodies *two)
{
  for (int i = 0; i < 2; i++) srs_collider_destroy(two->colliders[i]);
  srs_geometries_release(&two->geometries);
  srs_model_destroy(two->model);
#ifdef BENCH_WITH_BULLET
  bullet_world_destroy(two->world);
#endif
}

#ifdef BENCH_WITH_BULLET
static void as_columns(const srs_pose *pose, double x[16])
{
  const mat3 r = mat3_from_rows(pose->rotation);
  const vec3 columns[3] = {r.x, r.y, r.z};
  for (int c = 0; c < 3; c++) vec3_store(x + 4 * (size_t)c, columns[c]), x[4 * c + 3] = 0;
  vec3_store(x + 12, vec3_load(pose->position)), x[15] = 1;
}

static int ask_world(two_bodies *two, bool forgets, answer *got)
{
  double a[16], b[16];
  bullet_answer found;
  as_columns(&two->links[0], a), as_columns(&two->links[1], b);
  bullet_world_ask(two->world, a, b, forgets, &found);
  got->is_known = found.n > 0;
  got->gap = found.gap, got->normal = vec3_load(found.normal);
  return found.n;
}
#else
static int ask_world(two_bodies *two, bool forgets, answer *got)
{
  (void)two, (void)forgets;
  got->is_known = false;
  return 0;
}
#endif

static answer ask(two_bodies *two, int detector)
{
  answer got = {0};
  if (detector == 2) {
    ask_world(two, true, &got);
    return got;
  }
  srs_contact_point nearest;
  srs_error error;
  if (srs_collider_distance(two->colliders[detector], two->links, 0, 1, &nearest, &error) != SRS_OK) return got;
  return (answer){true, nearest.gap, vec3_load(nearest.normal)};
}

static srs_pose draw_pose(void)
{
  srs_pose pose;
  double quaternion[4];
  for (int c = 0; c < 3; c++) pose.position[c] = uniform(-2, 2);
  for (int c = 0; c < 4; c++) quaternion[c] = uniform(-1, 1);
  srs_rotation_from_quaternion(quaternion, pose.rotation);
  return pose;
}

// Draws both bodies well apart and moves B along the normal; deeper than the solids are wide another way out is
// shorter.
static void aim_at(two_bodies *two, double gap)
{
  for (int i = 0; i < 2; i++) two->links[i] = draw_pose();
  vec3_store(two->links[1].position, add_scaled3(vec3_load(two->links[0].position), 5, direction()));
  const answer start = ask(two, 0);
  const vec3 at = vec3_load(two->links[1].position);
  vec3_store(two->links[1].position, add_scaled3(at, start.gap - gap, start.normal));
}

// ---------------------------------------------------------------------------------------------------------------------
// Errors
// ---------------------------------------------------------------------------------------------------------------------

typedef struct errors {
  double *gap, *loss, *angle; // room
  int n, n_unknown;
} errors;

static void judge(two_bodies *two, errors at[DETECTORS])
{
  answer answers[DETECTORS];
  double separation[DETECTORS], truth = -INFINITY;
  if (!srs_geometries_place(&two->geometries, two->links)) die("a pose is not finite");
  for (int d = 0; d < DETECTORS; d++) {
    answers[d] = ask(two, d);
    if (!answers[d].is_known) continue;
    separation[d] = srs_separation(&two->geometries.placed[0], &two->geometries.placed[1], answers[d].normal);
    truth = fmax(truth, separation[d]);
  }
  for (int d = 0; d < DETECTORS; d++) {
    errors *e = &at[d];
    if (!answers[d].is_known) {
      e->n_unknown++;
      continue;
    }
    e->gap[e->n] = fabs(answers[d].gap - truth);
    e->loss[e->n] = truth - separation[d];
    e->angle[e->n++] = 2 * asin(fmin(norm3(sub3(answers[d].normal, answers[0].normal)) / 2, 1));
  }
}

static void print_errors(errors *e)
{
  if (e->n == 0) {
    printf(" | %44s", "nothing");
    return;
  }
  // The quantiles sort, which is done last.
  printf(" | %7.0e %7.0e  %7.0e %7.0e  %7.0e", bench_quantile(e->gap, e->n, 0.99), bench_quantile(e->gap, e->n, 1),
         bench_quantile(e->loss, e->n, 0.99), bench_quantile(e->loss, e->n, 1), bench_quantile(e->angle, e->n, 0.99));
}

static void print_row(const char *name, const char *aim, errors at[DETECTORS])
{
  printf("%-22s %-17s", name, aim);
  for (int d = 0; d < DETECTORS; d++) print_errors(&at[d]);
  if (at[2].n_unknown > 0 && at[2].n > 0) printf("  (of %d)", at[2].n);
  putchar('\n');
}

static errors take(int room)
{
  errors e = {0};
  double *numbers = calloc(3 * (size_t)room, sizeof *numbers);
  if (numbers == NULL) die("out of memory");
  e.gap = numbers, e.loss = numbers + room, e.angle = numbers + 2 * (size_t)room;
  return e;
}

static void gather(errors *sum, const errors *part)
{
  for (int i = 0; i < part->n; i++) {
    sum->gap[sum->n] = part->gap[i], sum->loss[sum->n] = part->loss[i];
    sum->angle[sum->n++] = part->angle[i];
  }
  sum->n_unknown += part->n_unknown;
}

static int group_of(int i, int k) { return i >= 4 || k >= 4 ? 2 : i >= 2 || k >= 2 ? 1 : 0; }

static void bench_errors(int poses)
{
  errors groups[GROUPS][AIMS][DETECTORS], one[DETECTORS];
  for (int d = 0; d < DETECTORS; d++) {
    one[d] = take(poses + POSES_EACH);
    for (int g = 0; g < GROUPS; g++)
      for (int a = 0; a < AIMS; a++) groups[g][a][d] = take((poses + POSES_EACH) * KINDS * KINDS);
  }
  printf("%-40s | %-44s | %-44s | %-44s\n", "", detector_names[0], detector_names[1], detector_names[2]);
  printf("%-40s", "");
  for (int d = 0; d < DETECTORS; d++) printf(" | gap 99%%   worst  loss 99%%  worst  angle 99%%");
  puts("   m, rad");
  for (int i = 0; i < KINDS; i++)
    for (int k = i; k < KINDS; k++)
      for (int a = 0; a < AIMS; a++) {
        char name[64];
        snprintf(name, sizeof name, "%s - %s", srs_shape_kind_name(kinds[i]), srs_shape_kind_name(kinds[k]));
        for (int d = 0; d < DETECTORS; d++) one[d].n = one[d].n_unknown = 0;
        for (int made = 0; made < poses; made += POSES_EACH) {
          double points[2][60];
          const srs_shape_def first = draw_shape(kinds[i], points[0]), second = draw_shape(kinds[k], points[1]);
          two_bodies two = make(first, second);
          for (int pose = 0; pose < POSES_EACH; pose++) aim_at(&two, aims[a]), judge(&two, one);
          drop(&two);
        }
        for (int d = 0; d < DETECTORS; d++) gather(&groups[group_of(i, k)][a][d], &one[d]);
        print_row(name, aim_names[a], one);
      }
  putchar('\n');
  for (int g = 0; g < GROUPS; g++)
    for (int a = 0; a < AIMS; a++) print_row(group_names[g], aim_names[a], groups[g][a]);
}

// ---------------------------------------------------------------------------------------------------------------------
// Contact points, times, memory
// ---------------------------------------------------------------------------------------------------------------------

// How many contact points hold a body that stands on a box, 0.1 mm deep.
static void bench_resting(void)
{
  static const double cube[24] = {1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, -1, -1, 1, -1, -1, -1};
  double corners[24];
  for (int i = 0; i < 24; i++) corners[i] = 0.1 * cube[i];
  puts("\nstanding on a box, 0.1 mm deep: contact points         exact  bullet  world once  world five times, turned a "
       "little");
  for (int k = 0; k < KINDS; k++) {
    srs_shape_def a = srs_default_shape_def(kinds[k]), box = srs_default_shape_def(SRS_SHAPE_BOX);
    a.size[0] = kinds[k] == SRS_SHAPE_BOX ? 0.2 : 0.1, a.size[1] = a.size[2] = 0.2;
    a.points = corners, a.n_points = 8;
    box.size[0] = box.size[1] = box.size[2] = 1;
    two_bodies two = make(a, box);
    int n[4] = {0};
    const double up = kinds[k] == SRS_SHAPE_CAPSULE ? 0.2 : 0.1;
    srs_contact_point contacts[16];
    for (int i = 0; i < 2; i++) two.links[i] = srs_identity_pose();
    two.links[0].position[2] = 0.5 + up - 1e-4;
    for (int d = 0; d < 2; d++) srs_collider_contacts(two.colliders[d], two.links, 0.01, contacts, 16, &n[d], NULL);
    answer got;
    n[2] = ask_world(&two, true, &got);
    for (int i = 0; i < 5; i++) {
      const double turn[3] = {1e-3 * sin(2.4 * i), 1e-3 * cos(2.4 * i), 0.01 * i};
      srs_rotation_from_rpy(turn, two.links[0].rotation);
      n[3] = ask_world(&two, false, &got);
    }
    printf("%-54s %6d %7d %11d %17d\n", srs_shape_kind_name(kinds[k]), n[0], n[1], n[2], n[3]);
    drop(&two);
  }
}

static double time_of(two_bodies *two, const srs_pose *poses, int n, int detector)
{
  double times[15];
  for (int round = -1; round < 15; round++) { // the first one warms up
    const double start = bench_cpu_time();
    for (int i = 0; i < n; i++) {
      two->links[0] = poses[2 * (size_t)i], two->links[1] = poses[2 * (size_t)i + 1];
      ask(two, detector);
    }
    if (round >= 0) times[round] = (bench_cpu_time() - start) / n;
  }
  return bench_quantile(times, 15, 0.5);
}

static void bench_times(void)
{
  enum { STATES = 200 };
  static srs_pose poses[2 * STATES];
  puts("\nus for one pair              1 mm apart: exact  bullet  world      1 mm deep: exact  bullet  world");
  for (int i = 0; i < KINDS; i++)
    for (int k = i; k < KINDS; k++) {
      double points[2][60];
      const srs_shape_def first = draw_shape(kinds[i], points[0]), second = draw_shape(kinds[k], points[1]);
      two_bodies two = make(first, second);
      printf("%-10s - %-16s", srs_shape_kind_name(kinds[i]), srs_shape_kind_name(kinds[k]));
      for (int a = 1; a < 4; a += 2) {
        for (int s = 0; s < STATES; s++) {
          aim_at(&two, aims[a]);
          poses[2 * (size_t)s] = two.links[0], poses[2 * (size_t)s + 1] = two.links[1];
        }
        printf("%18.2f", 1e6 * time_of(&two, poses, STATES, 0));
        for (int d = 1; d < DETECTORS; d++) printf(" %7.2f", 1e6 * time_of(&two, poses, STATES, d));
      }
      putchar('\n');
      drop(&two);
    }
}

static void bench_memory(void)
{
  srs_shape_def box = srs_default_shape_def(SRS_SHAPE_BOX);
  box.size[0] = box.size[1] = box.size[2] = 1;
  two_bodies two = make(box, box);
  puts("");
  for (int d = 0; d < 2; d++) {
    srs_collider_options options = srs_default_collider_options();
    options.detector = d == 0 ? SRS_DETECTOR_EXACT : SRS_DETECTOR_BULLET;
    const size_t before = mallinfo2().uordblks;
    srs_collider *collider = NULL;
    if (srs_collider_create(two.model, &options, &collider, NULL) != SRS_OK) die("no collider");
    printf("a collider of two boxes, %s: %zu bytes\n", detector_names[d], mallinfo2().uordblks - before);
    srs_collider_destroy(collider);
  }
  drop(&two);
}

int main(int argc, char **argv)
{
  const int poses = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 2000;
  random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  if (poses < 1) die("how many poses? usage: bench_detectors [POSES [SEED]]");
  if (!bench_pin()) fprintf(stderr, "bench_detectors: not pinned to one processor\n");
  bench_errors(poses);
  bench_resting();
  bench_times();
  bench_memory();
  return 0;
}
