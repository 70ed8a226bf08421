// Which rows does each kind of loop closure hold?
//
// Every closure but a rod is a set of rows in a frame a that meets a frame b: a mask of three angular and three linear
// ones. So that the free axis is z, both frames are turned by B = [e1 e2 n] for an axis n; a universal closure has its
// first axis as y of a and its second as z of b, and the one angular row x, which keeps these two at right angles:
//
//   point 000111   revolute 110111   weld 111111   prismatic 111110   planar 110001   universal 100111
//
// with the rows in the order of angular x y z, then linear x y z.
#include "topology/model/closure_kind.h"

#include <math.h>

const srs_closure_facts srs_closure_table[SRS_CLOSURE_KINDS] = {
    [SRS_CLOSURE_POINT] = {"point", SRS_LINEAR_ROWS, false},
    [SRS_CLOSURE_REVOLUTE] = {"revolute", SRS_LINEAR_ROWS | 0x03, true},
    [SRS_CLOSURE_WELD] = {"weld", SRS_LINEAR_ROWS | SRS_ANGULAR_ROWS, false},
    [SRS_CLOSURE_PRISMATIC] = {"prismatic", 0x18 | SRS_ANGULAR_ROWS, true},
    [SRS_CLOSURE_ROD] = {"rod", 0, false},
    [SRS_CLOSURE_PLANAR] = {"planar", 0x20 | 0x03, true},
    [SRS_CLOSURE_UNIVERSAL] = {"universal", SRS_LINEAR_ROWS | 0x01, true},
    [SRS_CLOSURE_ROWS] = {"rows", 0, false},
    [SRS_CLOSURE_TENDON] = {"tendon", 0, false},
};

const char *srs_closure_kind_name(srs_closure_kind kind)
{
  return (unsigned)kind < SRS_CLOSURE_KINDS ? srs_closure_table[kind].name : NULL;
}

srs_closure_def srs_default_closure_def(srs_closure_kind kind)
{
  return (srs_closure_def){
      .kind = kind,
      .pose_a = srs_identity_pose(),
      .pose_b = srs_identity_pose(),
      .axis = {0, 0, 1},
      .axis2 = {1, 0, 0},
      .motion = {.kind = SRS_MOTION_NONE},
      .joint = {.lower = -INFINITY, .upper = INFINITY, .max_effort = INFINITY, .max_velocity = INFINITY}};
}

srs_coupling_def srs_default_coupling_def(void)
{
  return (srs_coupling_def){.coefficients = {0, 1}, .motion = {.kind = SRS_MOTION_NONE}};
}

bool srs_closure_has_coordinate(const srs_closure *closure)
{
  if (closure == NULL) return false;
  return closure->kind == SRS_CLOSURE_REVOLUTE || closure->kind == SRS_CLOSURE_PRISMATIC ||
         (closure->kind == SRS_CLOSURE_TENDON && !closure->tendon->is_held);
}

bool srs_closure_turns(const srs_closure *closure)
{
  return closure->kind == SRS_CLOSURE_TENDON ? closure->tendon->is_angle : closure->kind == SRS_CLOSURE_REVOLUTE;
}

unsigned srs_closure_row_mask(const srs_closure_def *def)
{
  return def->kind == SRS_CLOSURE_ROWS ? def->rows : srs_closure_table[def->kind].rows;
}

int srs_closure_row_count(const srs_closure_def *def)
{
  int n = def->kind == SRS_CLOSURE_ROD || (def->kind == SRS_CLOSURE_TENDON && def->tendon.is_held);
  for (unsigned bits = srs_closure_row_mask(def); bits != 0; bits &= bits - 1) n++;
  return n;
}
