// MuJoCo beside us: an MJCF text written at run time, and its own functions for each quantity.
//
// What MuJoCo calls kinematics + comPos (+ comVel) is what its recursions need before they start, so it belongs to the
// price of a quantity from q. There are no geoms, hence no contacts; mj_forward is then smooth dynamics through L^T D L
// of M.
#include "mechanism.h"
#include "mjcf_link.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mujoco_instance {
  const bench_states *states;
  mjModel *model;
  mjData *data;
  mjtNum *torque; // nv: result of the inverse dynamics
} mujoco_instance;

// ---------------------------------------------------------------------------------------------------------------------
// The model as MJCF. MuJoCo's reader takes elements nested 100 deep and no deeper: a longer chain goes on in an
// included file.
// ---------------------------------------------------------------------------------------------------------------------

enum { BODIES_PER_FILE = 64, MOST_FILES = 32, FILE_NAME = 24 };

// The files under construction: the main one, and inside each the one that it includes.
typedef struct mjcf_writer {
  mjVFS *files;
  int n_open, n_files, n_bodies; // n_bodies: open ones
  struct {
    char name[FILE_NAME];
    FILE *out;
    char *text;
    size_t size;
  } open[MOST_FILES];
  bool failed;
} mjcf_writer;

static FILE *current(const mjcf_writer *writer) { return writer->open[writer->n_open - 1].out; }

static void open_file(mjcf_writer *writer)
{
  if (writer->failed || writer->n_open == MOST_FILES) {
    writer->failed = true;
    return;
  }
  const int at = writer->n_open;
  snprintf(writer->open[at].name, FILE_NAME, "bench%d.xml", writer->n_files);
  if (at > 0) fprintf(current(writer), "<include file=\"%s\"/>\n", writer->open[at].name);
  writer->open[at].out = open_memstream(&writer->open[at].text, &writer->open[at].size);
  if (writer->open[at].out == NULL) {
    writer->failed = true;
    return;
  }
  writer->n_open++;
  writer->n_files++;
  fputs(at > 0 ? "<mujocoinclude>\n" : "<mujoco>\n", current(writer));
}

static void close_file(mjcf_writer *writer)
{
  if (writer->n_open == 0) return;
  FILE *out = current(writer);
  const int at = --writer->n_open;
  fputs(at > 0 ? "</mujocoinclude>\n" : "</mujoco>\n", out);
  const bool written = fclose(out) == 0;
  const char *name = writer->open[at].name;
  if (written && mj_makeEmptyFileVFS(writer->files, name, (int)writer->open[at].size) == 0)
    memcpy(writer->files->filedata[mj_findFileVFS(writer->files, name)], writer->open[at].text, writer->open[at].size);
  else
    writer->failed = true;
  free(writer->open[at].text);
}

static void open_body(mjcf_writer *writer, const bench_link *link)
{
  if (writer->n_bodies > 0 && writer->n_bodies % BODIES_PER_FILE == 0) open_file(writer);
  if (writer->failed) return;
  mjcf_body(current(writer), link);
  writer->n_bodies++;
}

static void close_body(mjcf_writer *writer)
{
  if (writer->failed) return;
  fputs("</body>\n", current(writer));
  writer->n_bodies--;
  if (writer->n_bodies > 0 && writer->n_bodies % BODIES_PER_FILE == 0) close_file(writer);
}

static void write_model(mjcf_writer *writer, const bench_model *model)
{
  open_file(writer);
  if (writer->failed) return;
  fputs("<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n<option integrator=\"Euler\"", current(writer));
  const double step = BENCH_STEP_SIZE, gravity[3] = {0, 0, BENCH_GRAVITY};
  mjcf_numbers(current(writer), "timestep", &step, 1);
  mjcf_numbers(current(writer), "gravity", gravity, 3);
  fputs("><flag contact=\"disable\" constraint=\"disable\"/></option>\n<worldbody>\n", current(writer));
  int innermost = -1; // of the open bodies
  for (int k = 0; k < model->n_links; k++) {
    for (; innermost != model->links[k].parent; innermost = model->links[innermost].parent) close_body(writer);
    open_body(writer, &model->links[k]);
    innermost = k;
  }
  for (; innermost >= 0; innermost = model->links[innermost].parent) close_body(writer);
  if (!writer->failed) fputs("</worldbody>\n", current(writer));
  while (writer->n_open > 0) close_file(writer);
}

static mjModel *compile(const bench_model *model, char why[BENCH_WHY])
{
  mjVFS *files = malloc(sizeof *files); // 2 MB
  if (files == NULL) return NULL;
  mj_defaultVFS(files);
  mjcf_writer writer = {.files = files};
  write_model(&writer, model);
  mjModel *compiled = writer.failed ? NULL : mj_loadXML("bench0.xml", files, why, BENCH_WHY);
  mj_deleteVFS(files);
  free(files);
  return compiled;
}

// ---------------------------------------------------------------------------------------------------------------------
// The engine
// ---------------------------------------------------------------------------------------------------------------------

static void mujoco_destroy(void *self)
{
  mujoco_instance *instance = self;
  if (instance == NULL) return;
  if (instance->data != NULL) mj_deleteData(instance->data);
  if (instance->model != NULL) mj_deleteModel(instance->model);
  free(instance->torque);
  free(instance);
}

static void *mujoco_create(const bench_model *model, const bench_states *states, char why[BENCH_WHY])
{
  snprintf(why, BENCH_WHY, "no memory left");
  mujoco_instance *instance = calloc(1, sizeof *instance);
  if (instance != NULL) instance->model = compile(model, why);
  if (instance != NULL && instance->model != NULL) {
    instance->states = states;
    instance->data = mj_makeData(instance->model);
    instance->torque = calloc((size_t)model->nv, sizeof *instance->torque);
    if (instance->data != NULL && instance->torque != NULL) return instance;
  }
  mujoco_destroy(instance);
  return NULL;
}

static void set(mjtNum *to, const double *from, int state, int n)
{
  memcpy(to, from + (size_t)state * (size_t)n, (size_t)n * sizeof *to);
}

static void set_state(const mujoco_instance *instance, int state)
{
  const bench_states *states = instance->states;
  mjData *d = instance->data;
  set(d->qpos, states->q, state, instance->model->nq);
  set(d->qvel, states->v, state, instance->model->nv);
  set(d->qfrc_applied, states->tau, state, instance->model->nv);
}

static void compute(const mujoco_instance *instance, bench_quantity quantity, int state)
{
  const mjModel *m = instance->model;
  mjData *d = instance->data;
  switch (quantity) {
  case BENCH_FK:
    set(d->qpos, instance->states->q, state, m->nq);
    mj_kinematics(m, d);
    break;
  case BENCH_RNEA:
    set(d->qpos, instance->states->q, state, m->nq);
    set(d->qvel, instance->states->v, state, m->nv);
    set(d->qacc, instance->states->a, state, m->nv);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 1, instance->torque);
    break;
  case BENCH_CRBA:
    set(d->qpos, instance->states->q, state, m->nq);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    break;
  default: set_state(instance, state); mj_forward(m, d);
  }
}

static bool mujoco_run(void *self, bench_quantity quantity, long first, long n)
{
  const mujoco_instance *instance = self;
  for (long i = first; i < first + n; i++) {
    const int state = bench_state_of_call(quantity, i);
    if (quantity != BENCH_STEP) {
      compute(instance, quantity, state);
      continue;
    }
    if (bench_starts_anew(i, first)) set_state(instance, state);
    mj_step(instance->model, instance->data);
  }
  return true;
}

static bool mujoco_acceleration(void *self, int state, double *a)
{
  const mujoco_instance *instance = self;
  compute(instance, BENCH_ABA, state);
  memcpy(a, instance->data->qacc, (size_t)instance->model->nv * sizeof *a);
  return true;
}

const bench_engine bench_mujoco = {
    .key = "mujoco",
    .title = "MuJoCo",
    .offers = 1u << BENCH_FK | 1u << BENCH_RNEA | 1u << BENCH_CRBA | 1u << BENCH_ABA | 1u << BENCH_STEP,
    .create = mujoco_create,
    .destroy = mujoco_destroy,
    .run = mujoco_run,
    .acceleration = mujoco_acceleration,
};
