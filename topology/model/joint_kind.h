// The kinds of joints: their names, coordinates and axes. Internal.
#pragma once
#include "topology/base/spatial.h"
#include <sarrus/topology.h>

typedef struct srs_joint_facts {
  const char *name;
  const char *q_types, *v_types; // one letter an entry: 'a' an angle, 'l' a length, '1' part of a quaternion
  const char *q_words[SRS_MAX_JOINT_NQ], *v_words[SRS_MAX_JOINT_NV]; // "" where the joint has one coordinate
  int nq, nv;
  int quaternion; // where it starts among the joint's q, -1 for none; its angular velocity starts there in v
  bool has_axis;
} srs_joint_facts;

extern const srs_joint_facts srs_joint_table[SRS_JOINT_KINDS];

/// The same for any value of the enum; what is no kind is taken as fixed.
int srs_joint_kind_nq(srs_joint_kind kind);
int srs_joint_kind_nv(srs_joint_kind kind);
int srs_joint_kind_quaternion(srs_joint_kind kind);
bool srs_joint_kind_has_axis(srs_joint_kind kind);
char srs_joint_kind_q_type(srs_joint_kind kind, int entry);
char srs_joint_kind_v_type(srs_joint_kind kind, int entry);
const char *srs_joint_kind_q_word(srs_joint_kind kind, int entry);
const char *srs_joint_kind_v_word(srs_joint_kind kind, int entry);

/// B = [e1 e2 n]: the turned axes for a unit axis n; entries exactly 0 or +-1 where n is a coordinate axis.
mat3 srs_turned_axes(vec3 n);
