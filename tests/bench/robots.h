// Robots of the data folder at random states, for the benchmarks that need no peer.
#pragma once
#include <sarrus/sarrus.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef BENCH_DATA
#define BENCH_DATA "." // the build gives it
#endif

enum { STATES = 64, ROBOTS = 5 };

typedef struct robot {
  const char *name;
  srs_base_kind base;
  srs_model *model;
  srs_workspace *w;
  size_t nq, nv;
  double *q, *v, *a; // STATES each: angles within +-3, speeds and accelerations within +-1
} robot;

static const robot robots[ROBOTS] = {{.name = "chain12", .base = SRS_BASE_FIXED},
                                     {.name = "panda", .base = SRS_BASE_FIXED},
                                     {.name = "ur5", .base = SRS_BASE_FIXED},
                                     {.name = "anymal", .base = SRS_BASE_FLOATING},
                                     {.name = "more/a1", .base = SRS_BASE_FLOATING}};

static inline void die(const char *what)
{
  fprintf(stderr, "bench: %s\n", what);
  exit(1);
}

static inline double uniform(double low, double high)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static inline double *numbers(size_t n)
{
  double *x = calloc(n + 1, sizeof *x);
  if (x == NULL) die("no memory");
  return x;
}

// Workspace and states of a robot whose model is there.
static inline robot robot_of(robot r)
{
  srs_error error = {0};
  if (srs_workspace_create(r.model, &r.w, &error) != SRS_OK) die(error.message);
  r.nq = (size_t)srs_model_nq(r.model), r.nv = (size_t)srs_model_nv(r.model);
  r.q = numbers(STATES * r.nq), r.v = numbers(STATES * r.nv), r.a = numbers(STATES * r.nv);
  for (size_t i = 0; i < STATES * r.nv; i++) r.v[i] = uniform(-1, 1), r.a[i] = uniform(-1, 1);
  double *far = numbers(r.nv);
  for (size_t k = 0; k < STATES; k++) {
    for (size_t i = 0; i < r.nv; i++) far[i] = uniform(-3, 3);
    srs_integrate(r.model, srs_model_neutral(r.model), far, 1, r.q + k * r.nq);
  }
  free(far);
  return r;
}

static inline robot robot_start(const robot *which)
{
  robot r = *which;
  srs_error error = {0};
  srs_load_options options = srs_default_load_options();
  char path[1024];
  options.base = r.base;
  options.allow_missing_meshes = true;
  snprintf(path, sizeof path, "%s/robots/%s.urdf", BENCH_DATA, r.name);
  if (srs_model_load(path, &options, &r.model, &error) != SRS_OK) die(error.message);
  return robot_of(r);
}

static inline void robot_finish(robot *r)
{
  free(r->q), free(r->v), free(r->a);
  srs_workspace_destroy(r->w);
  srs_model_destroy(r->model);
}
