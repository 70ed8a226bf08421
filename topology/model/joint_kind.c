// What is each kind of joint made of? One row for each: its name, its coordinates and their names.
#include "topology/model/joint_kind.h"

const srs_joint_facts srs_joint_table[SRS_JOINT_KINDS] = {
    [SRS_JOINT_FIXED] = {"fixed", "", "", {NULL}, {NULL}, 0, 0, -1, false},
    [SRS_JOINT_REVOLUTE] = {"revolute", "a", "a", {""}, {""}, 1, 1, -1, true},
    [SRS_JOINT_CONTINUOUS] = {"continuous", "a", "a", {""}, {""}, 1, 1, -1, true},
    [SRS_JOINT_PRISMATIC] = {"prismatic", "l", "l", {""}, {""}, 1, 1, -1, true},
    [SRS_JOINT_HELICAL] = {"helical", "a", "a", {""}, {""}, 1, 1, -1, true},
    [SRS_JOINT_CYLINDRICAL] = {"cylindrical", "al", "al", {"angle", "z"}, {"angle", "z"}, 2, 2, -1, true},
    [SRS_JOINT_UNIVERSAL] = {"universal", "aa", "aa", {"angle1", "angle2"}, {"angle1", "angle2"}, 2, 2, -1, true},
    [SRS_JOINT_SPHERICAL] = {"spherical", "1111", "aaa", {"qw", "qx", "qy", "qz"}, {"wx", "wy", "wz"}, 4, 3, 0, false},
    [SRS_JOINT_PLANAR] = {"planar", "lla", "lla", {"x", "y", "angle"}, {"x", "y", "angle"}, 3, 3, -1, true},
    [SRS_JOINT_FREE] = {"free",
                        "lll1111",
                        "lllaaa",
                        {"x", "y", "z", "qw", "qx", "qy", "qz"},
                        {"vx", "vy", "vz", "wx", "wy", "wz"},
                        7,
                        6,
                        3,
                        false},
};

static const srs_joint_facts *facts_of(srs_joint_kind kind)
{
  return (unsigned)kind < SRS_JOINT_KINDS ? &srs_joint_table[kind] : &srs_joint_table[SRS_JOINT_FIXED];
}

const char *srs_joint_kind_name(srs_joint_kind kind)
{
  return (unsigned)kind < SRS_JOINT_KINDS ? srs_joint_table[kind].name : "unknown";
}

int srs_joint_kind_nq(srs_joint_kind kind) { return facts_of(kind)->nq; }
int srs_joint_kind_nv(srs_joint_kind kind) { return facts_of(kind)->nv; }
int srs_joint_kind_quaternion(srs_joint_kind kind) { return facts_of(kind)->quaternion; }
bool srs_joint_kind_has_axis(srs_joint_kind kind) { return facts_of(kind)->has_axis; }
char srs_joint_kind_q_type(srs_joint_kind kind, int entry) { return facts_of(kind)->q_types[entry]; }
char srs_joint_kind_v_type(srs_joint_kind kind, int entry) { return facts_of(kind)->v_types[entry]; }
const char *srs_joint_kind_q_word(srs_joint_kind kind, int entry) { return facts_of(kind)->q_words[entry]; }
const char *srs_joint_kind_v_word(srs_joint_kind kind, int entry) { return facts_of(kind)->v_words[entry]; }

// e1 is the coordinate axis behind n's largest entry, n's part taken out; e2 = n x e1. Adding zero turns -0 into 0.
mat3 srs_turned_axes(vec3 n)
{
  const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  const vec3 e = x >= y && x >= z ? (vec3){0, 1, 0} : y >= z ? (vec3){0, 0, 1} : (vec3){1, 0, 0};
  const vec3 across = add_scaled3(e, -dot3(n, e), n);
  const vec3 e1 = add3(scale3(1 / norm3(across), across), vec3_zero), e2 = add3(cross3(n, e1), vec3_zero);
  return (mat3){e1, e2, n};
}
