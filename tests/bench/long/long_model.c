// Mechanisms of many links. See long_model.h.
//
// A loop pins point P of link b to link a = b - LONG_SPAN, a spherical pin: 3 rows. Where P lies seen from a at the
// state of long_state is found by walking from a to b, so that the loops are closed there.
#include "long_model.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const long_titles[] = {"chain", "tree", "loops, rows", "loops, embedded"};

static double angle_of(int k) { return 0.4 * sin(1.7 * k + 1); }

static uint64_t draw(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static int axis_of(int k) { return 1 + k % 2; } // y, z

static bool add_link(srs_builder *builder, int k, int parent)
{
  char name[16], joint_name[16], parent_name[16];
  snprintf(name, sizeof name, "l%d", k);
  snprintf(joint_name, sizeof joint_name, "j%d", k);
  snprintf(parent_name, sizeof parent_name, "l%d", parent);
  srs_link_def link = srs_default_link_def();
  link.name = name;
  link.mass = 1;
  link.com[0] = 0.5;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.025;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  joint.name = joint_name;
  joint.child = name;
  joint.parent = parent >= 0 ? parent_name : NULL;
  joint.origin.position[0] = parent >= 0;
  joint.axis[0] = 0;
  joint.axis[axis_of(k)] = 1;
  return srs_builder_add_link(builder, &link, NULL) == SRS_OK && srs_builder_add_joint(builder, &joint, NULL) == SRS_OK;
}

// x <- R_k x, the turn of link k's joint.
static void turn(int k, double x[3])
{
  const double c = cos(angle_of(k)), s = sin(angle_of(k));
  const int i = axis_of(k) == 1 ? 2 : 0, j = axis_of(k) == 1 ? 0 : 1; // about y: z to x; about z: x to y
  const double xi = x[i], xj = x[j];
  x[i] = c * xi - s * xj, x[j] = s * xi + c * xj;
}

static bool add_loop(srs_builder *builder, int a, bool is_embedded)
{
  char name[16], name_a[16], name_b[16], names[LONG_SPAN][16];
  const char *independent[LONG_SPAN];
  double at[3] = {1, 0, 0}; // the tip of b, seen from b's parent, … from a
  for (int k = a + LONG_SPAN; k > a; k--) {
    turn(k, at);
    at[0] += 1;
  }
  snprintf(name, sizeof name, "loop%d", a);
  snprintf(name_a, sizeof name_a, "l%d", a);
  snprintf(name_b, sizeof name_b, "l%d", a + LONG_SPAN);
  srs_closure_def closure = srs_default_closure_def(SRS_CLOSURE_POINT);
  closure.name = name;
  closure.frame_a = name_a;
  closure.frame_b = name_b;
  memcpy(closure.pose_a.position, at, sizeof at);
  closure.pose_b.position[0] = 1;
  if (is_embedded) {
    closure.embed = true;
    closure.n_independent = LONG_SPAN - 3; // all but three in the middle, which turn about y, z and y
    for (int i = 0, n = 0; i < LONG_SPAN; i++) {
      if (i >= LONG_SPAN / 2 - 1 && i <= LONG_SPAN / 2 + 1) continue;
      snprintf(names[n], sizeof names[n], "j%d", a + 1 + i);
      independent[n] = names[n], n++;
    }
    closure.independent = independent;
  }
  return srs_builder_add_closure(builder, &closure, NULL) == SRS_OK;
}

srs_model *long_model(long_kind kind, int n)
{
  srs_builder *builder = srs_builder_create();
  srs_model *model = NULL;
  bool good = builder != NULL;
  uint64_t random = 26;
  for (int k = 0; k < n && good; k++) {
    const uint64_t back = k > 0 ? 1 + draw(&random) % (uint64_t)(k < 20 ? k : 20) : 1;
    good = add_link(builder, k, kind == LONG_TREE && k > 0 ? k - (int)back : k - 1);
  }
  if (kind == LONG_ROWS || kind == LONG_EMBEDDED)
    for (int a = LONG_SPACING / 2; a + LONG_SPAN < n && good; a += LONG_SPACING)
      good = add_loop(builder, a, kind == LONG_EMBEDDED);
  srs_error error = {0};
  if (good && srs_builder_build(builder, NULL, &model, &error) != SRS_OK)
    fprintf(stderr, "%d links: %s\n", n, error.message);
  srs_builder_destroy(builder);
  return model;
}

void long_state(const srs_model *model, double *q)
{
  for (int k = 0; k < srs_model_n_links(model); k++) {
    const srs_joint *joint = srs_model_joint(model, k); // depth first: of a tree the names say which link it was
    q[joint->q_index] = angle_of((int)strtol(joint->name + 1, NULL, 10));
  }
}
