// Which functions are there, what goes in and what comes out?
#include "engine/generate/plan.h"

const char *const srs_generated_names[SRS_GENERATED_FUNCTIONS] = {"rnea", "aba",      "crba",
                                                                  "fk",   "jacobian", "derivatives"};

const srs_generated_facts srs_generated_table[SRS_GENERATED_FUNCTIONS] = {
    {"Inverse dynamics: tau = M(q) a + c(q, v), gravity and armature in it.",
     {SRS_ARRAY_Q, SRS_ARRAY_V, SRS_ARRAY_A},
     {SRS_ARRAY_TAU},
     true},
    {"Forward dynamics: a = M(q)^-1 (tau - c(q, v)).", {SRS_ARRAY_Q, SRS_ARRAY_V, SRS_ARRAY_TAU}, {SRS_ARRAY_A}, true},
    {"The mass matrix M(q), rows first, both triangles, armature in it.",
     {SRS_ARRAY_Q},
     {SRS_ARRAY_MASS_MATRIX},
     false},
    {"Poses of the frames, 12 numbers each: the origin in the world, m, then the rotation, rows first.",
     {SRS_ARRAY_Q},
     {SRS_ARRAY_POSE},
     false},
    {"Jacobians of the frames, 6 x nv each, rows first: angular rows, then those of the origin, world axes.",
     {SRS_ARRAY_Q},
     {SRS_ARRAY_JACOBIAN},
     false},
    {"Derivatives of inverse dynamics in tangent coordinates, nv x nv each: row i has those of tau[i].",
     {SRS_ARRAY_Q, SRS_ARRAY_V, SRS_ARRAY_A},
     {SRS_ARRAY_DTAU_DQ, SRS_ARRAY_DTAU_DV, SRS_ARRAY_DTAU_DA},
     true},
};

const char *srs_array_name(srs_array_kind kind)
{
  static const char *const names[SRS_ARRAY_KINDS] = {"",     "q",        "v", "a",       "tau",     "gravity",
                                                     "pose", "jacobian", "M", "dtau_dq", "dtau_dv", "dtau_da"};
  return names[kind];
}

int srs_array_size(const srs_plan *plan, srs_array_kind kind)
{
  const int nq = plan->model->nq, nv = plan->model->nv;
  switch (kind) {
  case SRS_ARRAY_Q: return nq;
  case SRS_ARRAY_GRAVITY: return 3;
  case SRS_ARRAY_POSE: return 12 * plan->n_frames;
  case SRS_ARRAY_JACOBIAN: return 6 * nv * plan->n_frames;
  case SRS_ARRAY_MASS_MATRIX:
  case SRS_ARRAY_DTAU_DQ:
  case SRS_ARRAY_DTAU_DV:
  case SRS_ARRAY_DTAU_DA: return nv * nv;
  default: return nv;
  }
}

void srs_plan_arrays(const srs_plan *plan, srs_generated which, srs_array_kind inputs[SRS_MOST_ARRAYS + 1],
                     int *n_inputs, srs_array_kind outputs[SRS_MOST_ARRAYS], int *n_outputs)
{
  const srs_generated_facts *facts = &srs_generated_table[which];
  *n_inputs = *n_outputs = 0;
  while (*n_inputs < SRS_MOST_ARRAYS && facts->inputs[*n_inputs] != SRS_ARRAY_NONE)
    inputs[*n_inputs] = facts->inputs[*n_inputs], (*n_inputs)++;
  if (facts->uses_gravity && plan->options->gravity_is_input) inputs[(*n_inputs)++] = SRS_ARRAY_GRAVITY;
  while (*n_outputs < SRS_MOST_ARRAYS && facts->outputs[*n_outputs] != SRS_ARRAY_NONE)
    outputs[*n_outputs] = facts->outputs[*n_outputs], (*n_outputs)++;
}

void srs_write_parameters(const srs_plan *plan, srs_generated which, const char *restrict_word, srs_save *text)
{
  srs_array_kind inputs[SRS_MOST_ARRAYS + 1], outputs[SRS_MOST_ARRAYS];
  int n_inputs = 0, n_outputs = 0;
  srs_plan_arrays(plan, which, inputs, &n_inputs, outputs, &n_outputs);
  for (int i = 0; i < n_inputs; i++)
    srs_save_print(text, "%sconst double %s[%s%d]", i > 0 ? ", " : "", srs_array_name(inputs[i]), restrict_word,
                   srs_array_size(plan, inputs[i]));
  for (int i = 0; i < n_outputs; i++)
    srs_save_print(text, ", double %s[%s%d]", srs_array_name(outputs[i]), restrict_word,
                   srs_array_size(plan, outputs[i]));
}
