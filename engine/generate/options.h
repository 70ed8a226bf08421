// What can be generated, and how. Internal.
#pragma once
#include <sarrus/topology.h>

typedef enum srs_generated {
  SRS_GENERATED_RNEA,
  SRS_GENERATED_ABA,
  SRS_GENERATED_CRBA,
  SRS_GENERATED_FK,
  SRS_GENERATED_JACOBIAN,
  SRS_GENERATED_DERIVATIVES,
} srs_generated;

enum { SRS_GENERATED_FUNCTIONS = SRS_GENERATED_DERIVATIVES + 1 };

/// Their names: "rnea", ...
extern const char *const srs_generated_names[SRS_GENERATED_FUNCTIONS];

typedef struct srs_generate_options {
  const char *prefix;    // of all names and files: a C identifier that does not begin with _
  unsigned functions;    // bits by srs_generated
  const int *frames;     // n_frames: of fk and jacobian
  int n_frames;          // 0: the frames of the links that carry no other
  double gravity[3];     // m/s^2
  bool gravity_is_input; // an argument of the functions; `gravity` is then the self-test's
  bool overwrite;
} srs_generate_options;

/// What one call of a generated function does.
typedef struct srs_generated_cost {
  int additions, multiplications, divisions, sines; // the last: pairs of a sine and a cosine
} srs_generated_cost;
