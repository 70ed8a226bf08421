// Where do shapes touch at a state? The quantity `contacts` of `sarrus eval`.
#include "engine/cli/eval/contacts.h"

#include "engine/cli/shared/messages.h"
#include "engine/dynamics/kinematics.h"

#include <stdlib.h>

static void write_name(srs_json *json, const char *key, const char *name)
{
  if (name != NULL && name[0] != '\0')
    srs_json_text(json, key, name);
  else
    srs_json_null(json, key);
}

static void write_shape(srs_json *json, const srs_model *model, int shape, const char *shape_key, const char *link_key)
{
  const srs_shape *s = srs_model_shape(model, shape);
  write_name(json, shape_key, s->name);
  write_name(json, link_key, s->frame >= 0 ? srs_model_frame(model, s->frame)->name : NULL);
}

static void write_contact(srs_json *json, const srs_model *model, const srs_contact_point *contact)
{
  srs_json_object(json, NULL);
  write_shape(json, model, contact->shape_a, "shape_a", "link_a");
  write_shape(json, model, contact->shape_b, "shape_b", "link_b");
  srs_json_numbers(json, "point_a", contact->point_a, 3);
  srs_json_numbers(json, "point_b", contact->point_b, 3);
  srs_json_numbers(json, "normal", contact->normal, 3);
  srs_json_number(json, "gap", contact->gap);
  srs_json_close(json);
}

// All contacts, in memory of as many as there turn out to be.
static srs_status find_contacts(srs_collider *collider, const srs_pose *links, double margin,
                                srs_contact_point **contacts, int *n, srs_error *error)
{
  for (int capacity = 64;; capacity = *n) {
    free(*contacts);
    *contacts = calloc((size_t)capacity, sizeof **contacts);
    if (*contacts == NULL) return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %d contacts", capacity);
    const srs_status status = srs_collider_contacts(collider, links, margin, *contacts, capacity, n, error);
    if (status != SRS_ERROR_CAPACITY || *n <= capacity) return status;
  }
}

srs_status srs_contacts_write(const srs_query *query, srs_json *json, srs_error *error)
{
  const srs_model *model = query->state->model;
  srs_collider *collider = NULL;
  srs_contact_point *contacts = NULL;
  int n = 0;
  srs_pose *links = calloc((size_t)srs_model_n_links(model) + 1, sizeof *links);
  srs_status status = links != NULL ? SRS_OK : srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for placements");
  if (status == SRS_OK) status = srs_collider_create(model, query->collider_options, &collider, error);
  if (status == SRS_OK) {
    status = srs_forward_kinematics(query->workspace, query->state->parts[SRS_STATE_Q]);
    if (status != SRS_OK) *error = *srs_workspace_error(query->workspace);
  }
  if (status == SRS_OK) {
    srs_link_poses(query->workspace, links);
    status = find_contacts(collider, links, query->margin, &contacts, &n, error);
  }
  if (status == SRS_OK) {
    srs_json_array(json, "value");
    for (int i = 0; i < n; i++) write_contact(json, model, &contacts[i]);
    srs_json_close(json);
  }
  free(contacts);
  free(links);
  srs_collider_destroy(collider);
  return status;
}
