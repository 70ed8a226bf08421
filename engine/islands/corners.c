// Corners: chooses, in each step, which of the planes that meet at a corner keeps two bodies apart. Groups of sides:
// contact.h.
//
// Collision makes groups: of the planes that may separate a pair of convex solids, each with all of its contact points
// (collision/manifold/separating_planes.c); or, for half-spaces that bound one solid and each point of another body, of
// the planes that the point may be outside of. A group enters the problem where none of its sides is free without
// impulses: one free side means that there is no contact.
//
// In max form, sides that are not chosen leave the problem with their rows; what follows, such as a second phase of
// impacts, has plain contacts only. In summation form the sides that push remain. Each step chooses anew; only
// warm-started impulses carry over.
#include "engine/islands/corners.h"
#include "topology/base/errors.h"

#include <string.h>

static const double SLACK = 1e-3; // share of the speed that gravity adds in a step

// ---------------------------------------------------------------------------------------------------------------------
// Groups of an island
// ---------------------------------------------------------------------------------------------------------------------

static const active_contact *contact_of(const island *is, int i) { return &is->active[is->contacts[i]]; }

bool srs_has_groups(const island *is)
{
  for (int i = 0; i < is->n_contacts; i++)
    if (contact_of(is, i)->group >= 0) return true;
  return false;
}

static bool is_first_of_group(const island *is, int i)
{
  const int group = contact_of(is, i)->group;
  for (int k = 0; k < i && group >= 0; k++)
    if (contact_of(is, k)->group == group) return false;
  return group >= 0;
}

// The contacts of a side are consecutive, but contacts of other groups' sides may stand between the sides of a group.
static int gather_groups(struct srs_constraints *c, const island *is)
{
  int n_groups = 0, n_sides = 0;
  c->group_first[0] = 0;
  for (int i = 0; i < is->n_contacts; i++) {
    if (!is_first_of_group(is, i)) continue;
    for (int k = i, side = -1; k < is->n_contacts; k++) {
      const active_contact *a = contact_of(is, k);
      if (a->group != contact_of(is, i)->group) continue;
      if (a->side == side) {
        c->side_contacts[n_sides - 1]++;
        continue;
      }
      side = a->side;
      c->side_contact[n_sides] = k;
      c->side_contacts[n_sides++] = 1;
    }
    c->side_choice[n_groups++] = -1;
    c->group_first[n_groups] = n_sides;
  }
  return n_groups;
}

// ---------------------------------------------------------------------------------------------------------------------
// Contacts that remain
// ---------------------------------------------------------------------------------------------------------------------

// Marks the contacts of sides that were not chosen; in summation form only of those that do not push either.
static void mark_left_out(struct srs_constraints *c, const island *is, int n_groups)
{
  for (int group = 0; group < n_groups; group++)
    for (int k = c->group_first[group]; k < c->group_first[group + 1]; k++)
      for (int i = c->side_contact[k]; i < c->side_contact[k] + c->side_contacts[k]; i++) {
        const bool pushes = c->corners == SRS_CORNERS_SUMMATION && is->impulse[srs_row_of_contact(is, i)] > 0;
        c->active[is->contacts[i]].is_left_out = k - c->group_first[group] != c->side_choice[group] && !pushes;
      }
}

static void keep_row(const island *is, size_t from, size_t to)
{
  is->b[to] = is->b[from];
  is->impulse[to] = is->impulse[from];
  is->velocity[to] = is->velocity[from];
}

// Lists the rows that stay in `kept`, and moves contacts up in the island's list. Returns how many rows.
static int remove_rows(struct srs_constraints *c, island *is, int *kept)
{
  int *contacts = c->order + (is->contacts - c->order);
  int n = 0, n_contacts = 0;
  for (int i = 0; i < is->n_bilateral; i++) kept[n++] = i;
  for (int i = 0; i < is->n_contacts; i++) {
    active_contact *a = &c->active[is->contacts[i]];
    if (a->is_left_out) continue;
    for (int row = 0; row < a->n_rows; row++) kept[n + row] = a->row + row;
    a->row = n;
    n += a->n_rows;
    is->friction[n_contacts] = is->friction[i];
    is->restitution[n_contacts] = is->restitution[i];
    if (is->anisotropy != NULL)
      memmove(is->anisotropy + 3 * (size_t)n_contacts, is->anisotropy + 3 * (size_t)i, 3 * sizeof *is->anisotropy);
    if (is->rolling != NULL) is->rolling[n_contacts] = is->rolling[i];
    if (is->tangents != NULL) is->tangents[n_contacts] = is->tangents[i];
    contacts[n_contacts++] = is->contacts[i];
  }
  const int n_contact_rows = n - is->n_bilateral;
  for (int i = is->n_bilateral + is->n_contact_rows; i < is->n; i++) kept[n++] = i;
  is->n_contacts = n_contacts;
  is->n_contact_rows = n_contact_rows;
  return n;
}

static void shrink(struct srs_constraints *c, island *is)
{
  const size_t stride = (size_t)is->n;
  int *kept = c->row_of; // not in use after W is filled
  const int n = remove_rows(c, is, kept);
  for (int i = 0; i < n; i++) { // no row or column moves to a later place, so in-place copying is safe
    const double *from = is->W + (size_t)kept[i] * stride;
    double *to = is->W + (size_t)i * (size_t)n;
    for (int j = 0; j < n; j++) to[j] = from[kept[j]];
    keep_row(is, (size_t)kept[i], (size_t)i);
  }
  is->n = n;
}

srs_status srs_choose_sides(struct srs_constraints *c, const srs_sim_options *o, bool is_warm, island *is,
                            srs_contact_report *report)
{
  const int n_groups = gather_groups(c, is);
  const srs_nonconvex_problem problem = {.contacts = srs_island_problem(is, is->b, is->lower, is->upper),
                                         .n_groups = n_groups,
                                         .first = c->group_first,
                                         .side = c->side_contact,
                                         .size = c->corners == SRS_CORNERS_MAX ? c->side_contacts : NULL};
  srs_nonconvex_options options = srs_default_nonconvex_options();
  options.form = c->corners == SRS_CORNERS_MAX ? SRS_NONCONVEX_MAX : SRS_NONCONVEX_SUMMATION;
  options.contact = srs_problem_options(c, &o->contact.solver);
  options.epsilon = o->contact.corner_cap;
  options.slack = SLACK * norm3(vec3_load(o->gravity)) * o->dt;
  srs_nonconvex_report all;
  const srs_status status = srs_nonconvex_solve(c->corner_solver, &problem, &options, is_warm, is->impulse,
                                                is->velocity, c->side_choice, &all);
  if (status != SRS_OK) return status;
  *report = all.contact;
  report->status = all.status, report->iterations = all.iterations;
  srs_sim_statistics *s = &c->next;
  s->corner_solves++;
  s->tries += all.tries;
  if (all.tries > s->tries_max) s->tries_max = all.tries;
  mark_left_out(c, is, n_groups);
  shrink(c, is);
  return SRS_OK;
}
