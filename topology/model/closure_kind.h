// The kinds of loop closures: names, rows and axes. Internal.
#pragma once
#include <sarrus/topology.h>

enum { SRS_ANGULAR_ROWS = 0x07, SRS_LINEAR_ROWS = 0x38 };

typedef struct srs_closure_facts {
  const char *name;
  unsigned rows;
  bool has_axis;
} srs_closure_facts;

extern const srs_closure_facts srs_closure_table[SRS_CLOSURE_KINDS];

/// The mask of a closure's rows, 0 for a rod and a tendon, and how many rows it has.
unsigned srs_closure_row_mask(const srs_closure_def *def);
int srs_closure_row_count(const srs_closure_def *def);
