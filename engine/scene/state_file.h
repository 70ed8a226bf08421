// States written in files: coordinates by name or as a whole list. Internal; the command's --state reads with it.
#pragma once
#include "engine/scene/values/yaml.h"
#include <sarrus/topology.h>

/// Reads coordinates from a list of all of them, or from a map whose keys are joints (a number, or a list for joints
/// with several coordinates) or single coordinates.
/// @param what    "q", "v", "a", "tau": for messages
/// @param is_q    configurations: nq values, and quaternions must have unit length within 1e-6 and are normalised;
///                else nv values
/// @param values  in: the values of entries that are not given; out. Undefined on failure
srs_status srs_state_read(const srs_yaml_node *node, const char *what, const srs_model *model, bool is_q,
                          double *values, srs_error *error);

/// Which parts a state file gave.
typedef struct srs_state_given {
  bool q, v, a, tau;
} srs_state_given;

/// Reads a file {"q": …, "v": …, "a": …, "tau": …}, each part optional.
/// @param q, v, a, tau  nq, nv, nv, nv: in: the values of entries that are not given; out
/// @param given         out
srs_status srs_state_load(const char *path, const srs_model *model, double *q, double *v, double *a, double *tau,
                          srs_state_given *given, srs_error *error);
