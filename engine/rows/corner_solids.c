// Finds the half-spaces that together bound a solid; its corners are where their planes meet
// (engine/islands/corners.c).

#include "engine/rows/corner_solids.h"
#include "topology/base/errors.h"

#include <string.h>

static int find_half_space(const srs_model *m, const char *name, srs_status *status, srs_error *error)
{
  int found = -1;
  *status = SRS_OK;
  for (int i = 0; i < m->n_shapes && found < 0; i++)
    if (strcmp(m->shapes[i].name, name) == 0) found = i;
  if (found < 0)
    *status = srs_fail(error, SRS_ERROR_NAME, NULL, 0, 0, name, "solids: no shape is called '%.80s'", name);
  else if (m->shapes[found].kind != SRS_SHAPE_HALF_SPACE)
    *status = srs_fail(error, SRS_ERROR_UNSUPPORTED, NULL, 0, 0, name,
                       "solids: '%.80s' is no half-space; boxes and hulls are solids by themselves", name);
  return found;
}

srs_status srs_corner_solids_create(struct srs_constraints *c, const srs_model *m, const srs_contact_settings *o,
                                    srs_error *error)
{
  if (o->corners == SRS_CORNERS_CONVEX) return SRS_OK;
  for (int i = 0; i < m->n_shapes; i++) c->solid_of[i] = -1;
  for (int s = 0; s < o->n_solids; s++)
    for (int k = 0; k < o->solids[s].n; k++) {
      srs_status status;
      const char *name = o->solids[s].half_spaces[k];
      const int shape = find_half_space(m, name, &status, error);
      if (status != SRS_OK) return status;
      if (c->solid_of[shape] >= 0)
        return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name,
                        "solids: half-space '%.80s' is named twice; it can bound one solid only", name);
      c->solid_of[shape] = s;
      c->solid_planes[shape] = o->solids[s].n;
    }
  return SRS_OK;
}
