// Where do the two detectors of collision differ?
#pragma once
#include <sarrus/engine.h>

/// What the detectors say of one pair of shapes, over all poses.
typedef struct srs_pair_difference {
  int shape_a, shape_b; // shape_a < shape_b
  long n_poses;         // in which one of them finds the pair within reach
  long n_apart;         // in which they differ by more than the margin
  double worst;         // m: the largest difference of their gaps
  double time;          // s: when
  double exact, bullet; // m: the gaps then; INFINITY: not within reach
  double angle;         // rad: between the normals then; NAN where one of them finds nothing
} srs_pair_difference;

typedef struct srs_detectors {
  srs_pair_difference *pairs; // n_pairs: those ever within reach, ordered by shapes
  int n_pairs;
  long n_poses;
  double reach, margin; // m
  struct srs_detectors_work *work;
} srs_detectors;

/// Prepares both detectors for the model of a workspace. Must be ended even after a failure.
/// @param options  of which the filters count
/// @param reach    m: gaps above it are not looked at   @param margin  m: differences up to it are none
srs_status srs_detectors_begin(const srs_model *model, const srs_collider_options *options, double reach, double margin,
                               srs_detectors *detectors, srs_error *error);

/// Asks both at a pose.  @param q  nq  @param time  s, for the report
srs_status srs_detectors_compare(srs_detectors *detectors, const double *q, double time, srs_error *error);
void srs_detectors_end(srs_detectors *detectors);
