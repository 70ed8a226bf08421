// Which scalar rows does a step have? Those of each source in the table, in the order in which they stand in the
// problem.
//
// Contacts are no scalar rows: contact_rows.c. What can act on one coordinate (limits, dry friction, actuators, loop
// joints) is a table of its own in joint_rows.c. Messages call rows by row_title.c (engine/islands).

#include "engine/rows/row_sources.h"
#include "engine/rows/joint_rows.h"
#include "engine/rows/loop_rows.h"

static srs_status count_loops(struct srs_constraints *c, const srs_model *m, const srs_sim_options *o, srs_error *error)
{
  (void)o, (void)error;
  c->n_loop_rows = srs_model_n_loop_rows(m);
  c->scalar_capacity += c->n_loop_rows;
  c->n_slots += c->n_loop_rows;
  return SRS_OK;
}

static void fill_loops(struct srs_constraints *c, const srs_step_context *step, const double *v_free)
{
  (void)v_free; // bilateral rows hold whatever it is
  if (c->n_loop_rows > 0) srs_add_loop_rows(c, step);
}

static srs_status count_joints(struct srs_constraints *c, const srs_model *m, const srs_sim_options *o,
                               srs_error *error)
{
  return srs_joint_coordinates_create(c, m, &o->joint, error);
}

static const struct {
  srs_status (*count)(struct srs_constraints *c, const srs_model *m, const srs_sim_options *o, srs_error *error);
  void (*fill)(struct srs_constraints *c, const srs_step_context *step, const double *v_free);
} sources[] = {
    {count_loops, fill_loops},         // closures, couplings, prescribed motions
    {count_joints, srs_add_joint_rows} // coordinates of joints and of loop joints
};

enum { SOURCES = sizeof sources / sizeof sources[0] };

// What rows of tendons have beyond the four sides of other rows: a tendon that is held has one row, others those of a
// coordinate.
static int sides_of_long_tendons(const srs_model *m)
{
  int n = 0;
  for (int i = 0; i < m->n_closures; i++) {
    const srs_tendon *t = m->closures[i].tendon;
    const int beyond = t != NULL ? t->n_terms + t->n_leaders - SRS_ROW_WRENCHES : 0;
    if (beyond > 0) n += beyond * JOINT_SLOTS;
  }
  return n;
}

srs_status srs_count_rows(struct srs_constraints *c, const srs_model *m, const srs_sim_options *o, srs_error *error)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < SOURCES && status == SRS_OK; i++) status = sources[i].count(c, m, o, error);
  c->sides_beyond = sides_of_long_tendons(m);
  return status;
}

void srs_fill_rows(struct srs_constraints *c, const srs_step_context *step, const double *v_free)
{
  for (int i = 0; i < SOURCES; i++) sources[i].fill(c, step, v_free);
}
