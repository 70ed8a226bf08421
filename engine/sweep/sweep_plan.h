// A sweep as its file has it: which scene, what of it varies and how, what is asked of each run. Internal.
#pragma once
#include "engine/scene/values/yaml.h"
#include "engine/sweep/expression.h"

#include <stdint.h>

typedef enum srs_sweep_kind {
  SRS_SWEEP_VALUES,  // a list; or from, to, count
  SRS_SWEEP_UNIFORM, // between a and b
  SRS_SWEEP_LOG,     // its logarithm is uniform
  SRS_SWEEP_NORMAL   // mean a, standard deviation b
} srs_sweep_kind;

typedef struct srs_sweep_variable {
  const char *name;
  srs_sweep_kind kind;
  int n;              // SRS_SWEEP_VALUES: how many, else 1
  double *values;     // n
  const char **words; // n: where the values are words of the scene; NULL: they are numbers
  double a, b;
} srs_sweep_variable;

/// A scalar of the scene's text and what takes its place.
typedef struct srs_sweep_edit {
  size_t begin, length; // bytes of the text
  int word;             // the variable whose words it takes, -1: the expression's number
  srs_expression *value;
} srs_sweep_edit;

/// A text to be read as an expression once the names of a run are known.
typedef struct srs_sweep_question {
  const char *name, *text;
  srs_place place;
} srs_sweep_question;

typedef struct srs_sweep_plan {
  srs_arena arena;
  const char *file, *text; // of the sweep
  const char *scene_file, *scene_text;
  size_t scene_length;
  uint64_t seed;
  int repeat, every;             // runs at each point of the grid; figures over time are noted after so many steps
  srs_sweep_variable *variables; // n_variables
  int n_variables;
  srs_sweep_edit *edits; // n_edits, by their places in the text
  int n_edits;
  srs_sweep_question *outcomes; // n_outcomes
  int n_outcomes;
  srs_sweep_question stop; // text NULL: runs take the scene's duration
  const char *output;      // NULL: none is named
  const char *read_files;  // by srs_sweep_check: what the scene is made of besides, a line each
  long n_runs;
  bool in_lanes; // runs several at a time (sweep_lanes.h); set by the caller
} srs_sweep_plan;

enum { SRS_SWEEP_VARIABLES = 32, SRS_SWEEP_OUTCOMES = 64, SRS_SWEEP_EDITS = 256 };

/// Reads a sweep and the scene that it names. Allocates.
/// @param plan  out, freed by srs_sweep_plan_free, also on failure
/// @return SRS_OK or the error, FILE:LINE:COL named
srs_status srs_sweep_plan_read(const char *path, srs_sweep_plan *plan, srs_error *error);
void srs_sweep_plan_free(srs_sweep_plan *plan);

/// The variables of a run: points of the grid in order, the last variable fastest, each `repeat` times.
/// @param values  n_variables, out; of words, their places in the list
void srs_sweep_values(const srs_sweep_plan *plan, long run, double *values);

/// The scene's text with these values.  @return terminated, freed by the caller; NULL when out of memory
char *srs_sweep_scene_text(const srs_sweep_plan *plan, const double *values);

/// Finds the scalar of a scene that a path names: keys with dots between, [name] or [number] for an entry of a list;
/// entries go by `name`, actuators by `coordinate`, couplings by `follower`.
/// @param place  of the path, for messages
srs_status srs_scene_path(const srs_yaml_node *root, const char *path, srs_place place, const srs_yaml_node **found,
                          srs_error *error);
