// What the writers of the generated files share. Internal.
#pragma once
#include "engine/generate/emit.h"
#include "engine/generate/options.h"
#include "engine/generate/segments.h"

enum { SRS_MOST_ARRAYS = 4 };

/// An array of a generated function.
typedef enum srs_array_kind {
  SRS_ARRAY_NONE,
  SRS_ARRAY_Q,
  SRS_ARRAY_V,
  SRS_ARRAY_A,
  SRS_ARRAY_TAU,
  SRS_ARRAY_GRAVITY,
  SRS_ARRAY_POSE,
  SRS_ARRAY_JACOBIAN,
  SRS_ARRAY_MASS_MATRIX,
  SRS_ARRAY_DTAU_DQ,
  SRS_ARRAY_DTAU_DV,
  SRS_ARRAY_DTAU_DA,
} srs_array_kind;

enum { SRS_ARRAY_KINDS = SRS_ARRAY_DTAU_DA + 1 };

typedef struct srs_generated_facts {
  const char *purpose;                    // a line for the header
  srs_array_kind inputs[SRS_MOST_ARRAYS]; // gravity not among them
  srs_array_kind outputs[SRS_MOST_ARRAYS];
  bool uses_gravity;
} srs_generated_facts;

extern const srs_generated_facts srs_generated_table[SRS_GENERATED_FUNCTIONS];

typedef struct srs_plan {
  const srs_model *model;
  const srs_generate_options *options;
  srs_segments segments;
  srs_arena arena;
  const int *frames;
  int n_frames;
  srs_generated_cost *costs;
} srs_plan;

const char *srs_array_name(srs_array_kind kind);
int srs_array_size(const srs_plan *plan, srs_array_kind kind);

/// A function's arrays: inputs, then outputs, each in order; gravity is the last input where it is one.
void srs_plan_arrays(const srs_plan *plan, srs_generated which, srs_array_kind inputs[SRS_MOST_ARRAYS + 1],
                     int *n_inputs, srs_array_kind outputs[SRS_MOST_ARRAYS], int *n_outputs);

srs_status srs_write_source(srs_plan *plan, srs_save *text);
void srs_write_header(const srs_plan *plan, srs_save *text);
srs_status srs_write_test(const srs_plan *plan, srs_save *text, srs_error *error);

/// The parameters of a function's declaration.
void srs_write_parameters(const srs_plan *plan, srs_generated which, const char *restrict_word, srs_save *text);
