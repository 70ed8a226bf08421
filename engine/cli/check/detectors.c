// Where do the two detectors of collision differ? Both are asked at the same poses, and of each pair of shapes the
// least gap is compared.
//
// Distances are Euclidean, whatever the scene takes: the ratio metric is the same for both.
//
// A pair that only one of them finds within reach is at least reach - gap apart for the other: that is the difference.
// Normals are told but not judged, since at corners and edges several are as good as one another.
#include "engine/cli/check/detectors.h"

#include "engine/cli/shared/messages.h"
#include "engine/dynamics/kinematics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct nearest_list {
  srs_collider *collider;
  srs_contact_point *contacts; // room: after `find` the nearest of each pair, n of them, ordered by shapes
  int room, n;
} nearest_list;

struct srs_detectors_work {
  srs_workspace *workspace;
  srs_pose *links;
  nearest_list exact, bullet;
  int room; // for pairs
};

static srs_status no_memory(srs_error *error)
{
  return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory to compare the detectors");
}

srs_status srs_detectors_begin(const srs_model *model, const srs_collider_options *options, double reach, double margin,
                               srs_detectors *detectors, srs_error *error)
{
  *detectors = (srs_detectors){.reach = reach, .margin = margin};
  struct srs_detectors_work *work = calloc(1, sizeof *work);
  if (work == NULL) return no_memory(error);
  detectors->work = work;
  work->links = calloc((size_t)srs_model_n_links(model) + 1, sizeof *work->links);
  if (work->links == NULL) return no_memory(error);
  srs_collider_options chosen = *options;
  chosen.distance = SRS_DISTANCE_EUCLIDEAN, chosen.ratio_metric = NULL, chosen.makes_sides = false;
  srs_status status = srs_workspace_create(model, &work->workspace, error);
  chosen.detector = SRS_DETECTOR_EXACT;
  if (status == SRS_OK) status = srs_collider_create(model, &chosen, &work->exact.collider, error);
  chosen.detector = SRS_DETECTOR_BULLET;
  if (status == SRS_OK) status = srs_collider_create(model, &chosen, &work->bullet.collider, error);
  return status;
}

static void end_list(nearest_list *list)
{
  srs_collider_destroy(list->collider);
  free(list->contacts);
}

void srs_detectors_end(srs_detectors *detectors)
{
  struct srs_detectors_work *work = detectors->work;
  if (work != NULL) {
    end_list(&work->exact), end_list(&work->bullet);
    srs_workspace_destroy(work->workspace);
    free(work->links);
    free(work);
  }
  free(detectors->pairs);
  *detectors = (srs_detectors){0};
}

static int order(int a1, int b1, int a2, int b2) { return a1 != a2 ? (a1 < a2 ? -1 : 1) : (b1 > b2) - (b1 < b2); }

// Keeps the nearest contact point of each pair.
static void keep_nearest(nearest_list *list, int n)
{
  list->n = 0;
  for (int i = 0; i < n; i++) {
    srs_contact_point *last = list->n > 0 ? &list->contacts[list->n - 1] : NULL;
    const srs_contact_point *next = &list->contacts[i];
    if (last == NULL || order(last->shape_a, last->shape_b, next->shape_a, next->shape_b) != 0)
      list->contacts[list->n++] = *next;
    else if (next->gap < last->gap)
      *last = *next;
  }
}

static srs_status find(nearest_list *list, const srs_pose *links, double reach, srs_error *error)
{
  for (;;) {
    int n = 0;
    const srs_status status =
        srs_collider_contacts(list->collider, links, reach, list->contacts, list->room, &n, error);
    if (status == SRS_OK) keep_nearest(list, n);
    if (status != SRS_ERROR_CAPACITY || n <= list->room) return status;
    srs_contact_point *more = realloc(list->contacts, (size_t)n * sizeof *more);
    if (more == NULL) return no_memory(error);
    list->contacts = more, list->room = n;
  }
}

// The entry of a pair, made where it is new; NULL when out of memory.
static srs_pair_difference *entry_of(srs_detectors *detectors, int shape_a, int shape_b)
{
  int low = 0, high = detectors->n_pairs;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const srs_pair_difference *p = &detectors->pairs[middle];
    if (order(p->shape_a, p->shape_b, shape_a, shape_b) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  srs_pair_difference *at = detectors->pairs != NULL ? &detectors->pairs[low] : NULL;
  if (low < detectors->n_pairs && at->shape_a == shape_a && at->shape_b == shape_b) return at;
  if (detectors->n_pairs == detectors->work->room) {
    const int room = 2 * detectors->n_pairs + 64;
    srs_pair_difference *more = realloc(detectors->pairs, (size_t)room * sizeof *more);
    if (more == NULL) return NULL;
    detectors->pairs = more, detectors->work->room = room;
  }
  at = &detectors->pairs[low];
  memmove(at + 1, at, (size_t)(detectors->n_pairs++ - low) * sizeof *at);
  *at = (srs_pair_difference){.shape_a = shape_a, .shape_b = shape_b, .worst = -1};
  return at;
}

static double angle_between(const double a[3], const double b[3])
{
  double difference = 0, sum = 0;
  for (int i = 0; i < 3; i++) difference += (a[i] - b[i]) * (a[i] - b[i]), sum += (a[i] + b[i]) * (a[i] + b[i]);
  return 2 * atan2(sqrt(difference), sqrt(sum));
}

// Takes in what the two say of one pair; NULL: not within reach.
static bool compare_pair(srs_detectors *detectors, const srs_contact_point *exact, const srs_contact_point *bullet,
                         double time)
{
  const srs_contact_point *any = exact != NULL ? exact : bullet;
  srs_pair_difference *entry = entry_of(detectors, any->shape_a, any->shape_b);
  if (entry == NULL) return false;
  const double gap_exact = exact != NULL ? exact->gap : INFINITY, gap_bullet = bullet != NULL ? bullet->gap : INFINITY;
  const double reach = detectors->reach, difference = fabs(fmin(gap_exact, reach) - fmin(gap_bullet, reach));
  entry->n_poses++;
  entry->n_apart += difference > detectors->margin;
  if (!(difference > entry->worst)) return true;
  entry->worst = difference, entry->time = time;
  entry->exact = gap_exact, entry->bullet = gap_bullet;
  entry->angle = exact != NULL && bullet != NULL ? angle_between(exact->normal, bullet->normal) : NAN;
  return true;
}

srs_status srs_detectors_compare(srs_detectors *detectors, const double *q, double time, srs_error *error)
{
  struct srs_detectors_work *work = detectors->work;
  srs_status status = srs_forward_kinematics(work->workspace, q);
  if (status != SRS_OK) {
    *error = *srs_workspace_error(work->workspace);
    return status;
  }
  srs_link_poses(work->workspace, work->links);
  status = find(&work->exact, work->links, detectors->reach, error);
  if (status == SRS_OK) status = find(&work->bullet, work->links, detectors->reach, error);
  if (status != SRS_OK) return status;
  detectors->n_poses++;
  const nearest_list *e = &work->exact, *b = &work->bullet;
  for (int i = 0, k = 0; i < e->n || k < b->n;) { // both are ordered by shapes
    const srs_contact_point *exact = i < e->n ? &e->contacts[i] : NULL, *bullet = k < b->n ? &b->contacts[k] : NULL;
    const int first = exact == NULL    ? 1
                      : bullet == NULL ? -1
                                       : order(exact->shape_a, exact->shape_b, bullet->shape_a, bullet->shape_b);
    if (!compare_pair(detectors, first <= 0 ? exact : NULL, first >= 0 ? bullet : NULL, time)) return no_memory(error);
    i += first <= 0, k += first >= 0;
  }
  return SRS_OK;
}
