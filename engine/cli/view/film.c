// Where was each body? Placements come from the recorded coordinates by forward kinematics, so that columns q: are all
// that a recording must have. A link's kinetic energy is half of m v.v about its centre of mass plus half of w.I w.
//
// A rotation is kept as four 16-bit integers, unit quaternions times 32767: within 5e-5 rad. Positions are in single
// precision: within 1e-7 of their size.

#include "engine/cli/view/film.h"

#include "engine/cli/shared/messages.h"
#include "engine/cli/view/film_contacts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 3000, MOST_POSES = 150000 }; // a pose has 20 bytes

typedef struct projector {
  srs_film *film;
  srs_workspace *workspace;
  double *q, *v;            // nq, nv
  int *q_column, *v_column; // nq, nv
  int *frame;               // n_bodies: of each link
  bool has_v;
} projector;

// ---------------------------------------------------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------------------------------------------------

static srs_status find_state(projector *p, srs_error *error)
{
  const srs_model *model = p->film->model;
  const srs_recording *recording = p->film->recording;
  const int nq = srs_model_nq(model), nv = srs_model_nv(model);
  for (int i = 0; i < nq; i++) {
    p->q_column[i] = srs_film_column(recording, "q:", srs_model_q_name(model, i), "", 1 + i);
    if (p->q_column[i] < 0)
      return srs_report_fill(error, SRS_ERROR_NAME,
                             "%s has no column 'q:%.80s', which the model has: is it of another scene, or without "
                             "that column? Name the scene by --scene, or record all of q",
                             recording->path, srs_model_q_name(model, i));
  }
  p->has_v = nv > 0;
  for (int i = 0; i < nv && p->has_v; i++) {
    p->v_column[i] = srs_film_column(recording, "v:", srs_model_v_name(model, i), "", 1 + nq + i);
    p->has_v = p->v_column[i] >= 0;
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------------------------------------------------

static double kinetic_energy(const projector *p, int body)
{
  const srs_link *link = srs_model_link(p->film->model, body);
  double twist[6], energy = 0; // at the link's origin, in its own axes
  if (srs_frame_velocity(p->workspace, p->frame[body], SRS_AXES_LOCAL, twist) != SRS_OK) return 0;
  const double *w = twist, *c = link->com, *I = link->inertia;
  const double v[3] = {twist[3] + w[1] * c[2] - w[2] * c[1], twist[4] + w[2] * c[0] - w[0] * c[2],
                       twist[5] + w[0] * c[1] - w[1] * c[0]};
  for (int i = 0; i < 3; i++) energy += link->mass * v[i] * v[i] + I[i] * w[i] * w[i];
  energy += 2 * (I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2]);
  return energy / 2;
}

static srs_status place_bodies(projector *p, int frame)
{
  srs_film *film = p->film;
  const double *row = srs_film_row(film, frame);
  const int nq = srs_model_nq(film->model), nv = srs_model_nv(film->model);
  for (int i = 0; i < nq; i++) p->q[i] = row[p->q_column[i]];
  for (int i = 0; i < nv && p->has_v; i++) p->v[i] = row[p->v_column[i]];
  srs_status status =
      p->has_v ? srs_forward_velocity(p->workspace, p->q, p->v) : srs_forward_kinematics(p->workspace, p->q);
  for (int body = 0; body < film->n_bodies && status == SRS_OK; body++) {
    const size_t at = (size_t)frame * (size_t)film->n_bodies + (size_t)body;
    srs_pose pose;
    double quaternion[4];
    status = srs_frame_placement(p->workspace, p->frame[body], &pose);
    if (status != SRS_OK) break;
    for (int i = 0; i < 3; i++) film->positions[3 * at + (size_t)i] = (float)pose.position[i];
    srs_quaternion_from_rotation(pose.rotation, quaternion);
    for (int i = 0; i < 4; i++) film->rotations[4 * at + (size_t)i] = (int16_t)lround(32767 * quaternion[(i + 1) % 4]);
    if (p->has_v) film->energies[at] = (float)kinetic_energy(p, body);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The film
// ---------------------------------------------------------------------------------------------------------------------

static bool choose_rows(srs_film *film, int every)
{
  const int n_rows = film->recording->table.n_rows;
  int most = film->n_bodies > 0 ? MOST_POSES / film->n_bodies : MOST_FRAMES;
  if (most > MOST_FRAMES) most = MOST_FRAMES;
  if (most < 2) most = 2;
  if (every <= 0) every = (n_rows + most - 1) / most;
  film->rows = malloc(((size_t)n_rows / (size_t)every + 2) * sizeof *film->rows);
  if (film->rows == NULL) return false;
  for (int row = 0; row < n_rows; row += every) film->rows[film->n_frames++] = row;
  if (film->rows[film->n_frames - 1] != n_rows - 1) film->rows[film->n_frames++] = n_rows - 1;
  return true;
}

static bool take_memory(projector *p)
{
  srs_film *film = p->film;
  const size_t nq = (size_t)srs_model_nq(film->model), nv = (size_t)srs_model_nv(film->model);
  const size_t n_bodies = (size_t)film->n_bodies, n_poses = n_bodies * (size_t)film->n_frames;
  p->q = calloc(nq + nv + 1, sizeof *p->q);
  p->q_column = calloc(nq + nv + 1, sizeof *p->q_column);
  p->frame = calloc(n_bodies + 1, sizeof *p->frame);
  film->positions = calloc(3 * n_poses + 1, sizeof *film->positions);
  film->rotations = calloc(4 * n_poses + 1, sizeof *film->rotations);
  film->energies = calloc(n_poses + 1, sizeof *film->energies);
  if (p->q == NULL || p->q_column == NULL || p->frame == NULL || film->positions == NULL || film->rotations == NULL ||
      film->energies == NULL)
    return false;
  p->v = p->q + nq;
  p->v_column = p->q_column + nq;
  for (int i = 0; i < film->n_bodies; i++)
    p->frame[i] = srs_model_find_frame(film->model, srs_model_link(film->model, i)->name);
  return true;
}

static srs_status project(projector *p, srs_error *error)
{
  srs_film *film = p->film;
  srs_status status = find_state(p, error);
  if (status == SRS_OK) status = srs_workspace_create(film->model, &p->workspace, error);
  if (status != SRS_OK) return status;
  for (int frame = 0; frame < film->n_frames; frame++) {
    status = place_bodies(p, frame);
    if (status != SRS_OK)
      return srs_report_fill(error, status, "%s: row %d: %.300s", film->recording->path, film->rows[frame] + 1,
                             srs_workspace_error(p->workspace)->message);
  }
  if (!p->has_v) {
    free(film->energies);
    film->energies = NULL;
  }
  return SRS_OK;
}

srs_status srs_film_make(const srs_model *model, const srs_recording *recording, int every, srs_film *film,
                         srs_error *error)
{
  *film = (srs_film){.model = model, .recording = recording, .n_bodies = srs_model_n_links(model)};
  projector p = {.film = film};
  const bool has_memory = choose_rows(film, every) && take_memory(&p) && srs_film_add_contacts(film);
  srs_status status = SRS_OK;
  if (!has_memory) status = srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for the page");
  if (status == SRS_OK) status = project(&p, error);
  srs_workspace_destroy(p.workspace);
  free(p.q);
  free(p.q_column);
  free(p.frame);
  if (status != SRS_OK) srs_film_free(film);
  return status;
}

void srs_film_free(srs_film *film)
{
  for (int i = 0; i < film->n_pairs; i++) free(film->pairs[i].names);
  free(film->pairs);
  free(film->rows);
  free(film->positions);
  free(film->rotations);
  free(film->energies);
  free(film->contact_ends);
  free(film->contact_pair);
  free(film->contacts);
  free(film->cones);
  *film = (srs_film){0};
}
