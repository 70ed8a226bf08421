// What does a scene look like in the course of time? Its simulation runs from time to time; at each it keeps what
// there is to see (gather.c), and the paths of frames in between, at most 4000 points of each.
#include "tools/pictures/stage.h"
#include "engine/cli/drawing/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRACE_POINTS = 4000, MOST_STEPS = 1000000000 };

typedef struct player {
  stage *s;
  srs_sim *sim;
  const stage_options *options;
  int *frames; // n_traces: of the model
  long every;  // steps between two points of a trace
  long n_steps;
  int length; // of the traces so far
} player;

static srs_status find_frames(player *p, srs_error *error)
{
  for (int i = 0; i < p->options->n_traces; i++) {
    p->frames[i] = srs_model_find_frame(p->s->model, p->options->traces[i]);
    if (p->frames[i] < 0)
      return picture_fail(error, SRS_ERROR_NAME, "no link or frame '%s' to trace; `sarrus info` lists them",
                          p->options->traces[i]);
  }
  return SRS_OK;
}

static srs_pose eye_of(const player *p)
{
  srs_pose eye = srs_identity_pose();
  memcpy(eye.rotation, p->options->view.axes, sizeof eye.rotation);
  return eye;
}

static void keep_traces(player *p)
{
  if (p->length == TRACE_POINTS) return;
  const srs_pose eye = eye_of(p);
  for (int i = 0; i < p->options->n_traces; i++) {
    srs_pose pose = srs_identity_pose();
    srs_frame_placement(srs_sim_workspace(p->sim), p->frames[i], &pose);
    sketch_point(&eye, pose.position, &p->s->traces[3 * ((size_t)i * TRACE_POINTS + (size_t)p->length)]);
  }
  p->length++;
}

static srs_status advance(player *p, double time, srs_error *error)
{
  const double steps = (time - srs_sim_time(p->sim)) / srs_sim_get_options(p->sim)->dt;
  if (steps > MOST_STEPS)
    return picture_fail(error, SRS_ERROR_CAPACITY, "%g s are %.3g steps from there, more than a picture is worth", time,
                        steps);
  for (long left = lround(steps); left > 0;) {
    const long n = p->options->n_traces > 0 ? p->every - p->n_steps % p->every : left;
    const long now = n < left ? n : left;
    const srs_status status = srs_sim_step(p->sim, now, error);
    if (status != SRS_OK) return status;
    p->n_steps += now;
    left -= now;
    if (p->n_steps % p->every == 0) keep_traces(p);
  }
  return SRS_OK;
}

static bool keep_contacts(player *p, stage_frame *frame)
{
  int n;
  const srs_sim_contact *contacts = srs_sim_contacts(p->sim, &n);
  frame->contacts = calloc((size_t)n + 1, sizeof *frame->contacts);
  if (frame->contacts == NULL) return false;
  const srs_pose eye = eye_of(p);
  for (int i = 0; i < n; i++) {
    const srs_contact_point *contact = &contacts[i].contact;
    const double *f = contacts[i].impulse;
    if (f[0] == 0 && f[1] == 0 && f[2] == 0) continue;
    stage_contact *kept = &frame->contacts[frame->n_contacts++];
    double middle[3], toward[3];
    for (int k = 0; k < 3; k++) {
      middle[k] = (contact->point_a[k] + contact->point_b[k]) / 2;
      toward[k] = contact->link_a < 0 ? -contact->normal[k] : contact->normal[k];
    }
    sketch_point(&eye, middle, kept->at);
    sketch_point(&eye, toward, kept->direction);
  }
  return true;
}

// Half-spaces that the scene says are one solid.
static void join_planes(const player *p, stage_frame *frame)
{
  const srs_contact_settings *contact = &srs_scene_get_settings(p->s->scene)->sim.contact;
  for (int i = 0; i < frame->n_planes; i++) {
    const char *name = srs_model_shape(p->s->model, frame->planes[i].shape)->name;
    for (int k = 0; k < contact->n_solids; k++)
      for (int j = 0; j < contact->solids[k].n; j++)
        if (strcmp(name, contact->solids[k].half_spaces[j]) == 0) frame->planes[i].solid = k;
  }
}

static srs_status play(player *p, srs_error *error)
{
  const stage_options *options = p->options;
  stage *s = p->s;
  srs_status status = find_frames(p, error);
  if (status != SRS_OK) return status;
  const double whole = options->times[options->n_times - 1] / srs_sim_get_options(p->sim)->dt;
  p->every = 1 + (long)(fmin(whole, MOST_STEPS) / (TRACE_POINTS - 2));
  keep_traces(p);
  for (int i = 0; i < options->n_times; i++) {
    status = advance(p, options->times[i], error);
    if (status != SRS_OK) return status;
    stage_frame *frame = &s->frames[i];
    s->n_frames = i + 1;
    frame->time = options->times[i];
    frame->trace_length = p->length;
    if (!stage_gather(srs_sim_workspace(p->sim), &options->view, frame) ||
        (options->contacts && !keep_contacts(p, frame)))
      return picture_fail(error, SRS_ERROR_MEMORY, "no memory left for the picture");
    join_planes(p, frame);
  }
  return SRS_OK;
}

srs_status stage_play(const char *scene, const stage_options *options, stage *s, srs_error *error)
{
  *s = (stage){.n_traces = options->n_traces, .trace_capacity = TRACE_POINTS};
  player p = {.s = s, .options = options};
  srs_status status = srs_scene_load(scene, NULL, &s->scene, error);
  if (status == SRS_OK) status = srs_scene_create_sim(s->scene, NULL, &p.sim, error);
  if (status == SRS_OK) {
    s->model = srs_scene_model(s->scene);
    p.frames = calloc((size_t)options->n_traces + 1, sizeof *p.frames);
    s->frames = calloc((size_t)options->n_times + 1, sizeof *s->frames);
    s->traces = calloc((size_t)options->n_traces * TRACE_POINTS * 3 + 1, sizeof *s->traces);
    status = p.frames != NULL && s->frames != NULL && s->traces != NULL
                 ? play(&p, error)
                 : picture_fail(error, SRS_ERROR_MEMORY, "no memory left for the picture");
  }
  srs_sim_destroy(p.sim);
  free(p.frames);
  if (status != SRS_OK) stage_destroy(s);
  return status;
}

void stage_destroy(stage *s)
{
  for (int i = 0; i < s->n_frames; i++) {
    stage_frame *frame = &s->frames[i];
    sketch_destroy(&frame->solids);
    free(frame->dots);
    free(frame->planes);
    free(frame->terrains);
    free(frame->contacts);
  }
  free(s->frames);
  free(s->traces);
  srs_scene_destroy(s->scene);
  *s = (stage){0};
}

static void include(double low[3], double high[3], const double point[3])
{
  for (int i = 0; i < 3; i++) {
    low[i] = fmin(low[i], point[i]);
    high[i] = fmax(high[i], point[i]);
  }
}

bool stage_bounds(const stage *s, double low[3], double high[3])
{
  for (int i = 0; i < 3; i++) {
    low[i] = INFINITY;
    high[i] = -INFINITY;
  }
  for (int f = 0; f < s->n_frames; f++) {
    const stage_frame *frame = &s->frames[f];
    for (int i = 0; i < frame->solids.n_solids; i++) {
      include(low, high, frame->solids.solids[i].low);
      include(low, high, frame->solids.solids[i].high);
    }
    for (int i = 0; i < frame->n_dots; i++) include(low, high, frame->dots[i].at);
    for (int t = 0; t < s->n_traces; t++)
      for (int i = 0; i < frame->trace_length; i++)
        include(low, high, &s->traces[3 * ((size_t)t * (size_t)s->trace_capacity + (size_t)i)]);
  }
  return low[0] <= high[0];
}
