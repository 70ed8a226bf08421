// What the walks of every public function share: their fixture, a row of their tables, and calls that take no memory.
#pragma once
#include "allocation/library_calls.h"
#include "support/testing.h"
#include <sarrus/engine.h>

#include <math.h>
#include <stdio.h>

enum { MOST_V = 16, MOST_REQUESTS = 20000, ROOM = 64 };

static const double down[3] = {0, 0.1, -1};

/// What the calls work on, made with all memory.
typedef struct fixture {
  srs_scene *scene, *boxes; // a mechanism; boxes whose contacts outgrow what a sim begins with
  const srs_model *model;   // the mechanism's
  srs_workspace *workspace; // with memory for derivatives
  srs_ik *ik;
  srs_ik_target target; // where its frame is already
  srs_builder *builder; // of another model, with a loop
  srs_model *minimal, *redundant;
  srs_batch *batch;             // of `minimal`
  srs_sim *sim, *still, *loose; // the last: of the boxes, with room for their contacts
  srs_linearisation *linearisation;
  srs_sensors *sensors;
  struct srs_control_loop *loop;
  srs_rollout *rollout; // of the boxes, two threads
  srs_link_inertia inertia;
  srs_coordinate_parameters coordinate;
  double size[3], *many;
  srs_actuator actuator;
  srs_collider *collider; // of `boxes`
  srs_polytope *polytope;
  srs_contact_solver *contacts;
  srs_nonconvex_solver *corners;
  srs_mcp_solver *mcp;
  srs_trajectory *trajectory;
  srs_input *read_input;
  srs_results *results;
  double q[MOST_V + 4], v[MOST_V], zeros[MOST_V * MOST_V];
  srs_pose poses[ROOM];
  char *snapshot;
  size_t snapshot_size;
  const char *csv, *h5, *input, *urdf, *srdf, *mjcf, *yaml, *problem, *kept;
} fixture;

/// A call of one public function: with the error filled where it fails.
typedef struct walk {
  const char *name;
  srs_status (*call)(fixture *f, srs_error *error);
  bool takes_none;   // it never asks for memory, and the walk sees that it does not
  bool goes_without; // of its requests some that fail alone are done without: the place for later messages, a smaller
                     // copy of what there is already, a file that assimp asks for twice
} walk;

/// A row of a table of walks.
#define WALK(function)                                                                                                 \
  {                                                                                                                    \
    .name = #function, .call = walk_##function                                                                         \
  }
#define QUIET(function, ...) {.name = #function, .call = quiet_##function, .takes_none = true},

/// A call that takes no memory and returns a pointer or nothing; one that returns a status, and must go well.
#define QUIET_VALUE(function, ...)                                                                                     \
  static srs_status quiet_##function(fixture *f, srs_error *error)                                                     \
  {                                                                                                                    \
    (void)f, (void)error;                                                                                              \
    (void)function(__VA_ARGS__);                                                                                       \
    return SRS_OK;                                                                                                     \
  }
#define QUIET_STATUS(function, ...)                                                                                    \
  static srs_status quiet_##function(fixture *f, srs_error *error)                                                     \
  {                                                                                                                    \
    (void)f, (void)error;                                                                                              \
    return function(__VA_ARGS__);                                                                                      \
  }

/// Runs with all memory, within a walk; `left` goes on from `given` afterwards.
#define WITH_MEMORY(statement)                                                                                         \
  do {                                                                                                                 \
    const long given = left;                                                                                           \
    left = 100L * MOST_REQUESTS;                                                                                       \
    statement;                                                                                                         \
    left = given;                                                                                                      \
  } while (0)

/// The status, with the error of a call that fills none.
static inline srs_status plainly(srs_status status, srs_error *error)
{
  if (status != SRS_OK) *error = (srs_error){.status = status}, strcpy(error->message, srs_status_string(status));
  return status;
}
