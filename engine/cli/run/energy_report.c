// The energy balance of a run, to read: what the energies changed by, by what works, and what the scheme left over.
//
// The share that is warned of is that of the turnover: the kinetic energy at the start and all that it gained and lost,
// sampled every few steps, or the sum of all works where that is more (a drive against a brake). A scheme's error that
// comes and goes with the motion so becomes a smaller share the longer the run, and one that grows does not. Such an
// error is about what the kinetic energy changes by in half a step, velocities being half a step off (docs/theory.md,
// section 10), so that less than a whole step's change is not warned of. What is made at contacts and limits counts
// only where they do not take as much again: what rests is pushed out and falls back.
#include "engine/cli/run/energy_report.h"

#include "engine/cli/shared/messages.h"

#include <math.h>
#include <stdio.h>

static const double share_to_warn_of = 1e-3;
static const double rounding = 1e-9; // J: of a turnover below, no share is printed

enum { PARTS = 13, CHANGES = 3 };

typedef struct part {
  const char *label, *key;
  double value;
} part;

// The changes of energy, then the works, then the rest.
static void parts_of(const srs_energy_balance *b, part parts[PARTS])
{
  const part all[PARTS] = {
      {"kinetic", "kinetic", b->kinetic},
      {"gravity", "gravity", b->gravity},
      {"springs", "springs", b->springs},
      {"drives", "drives", b->drives},
      {"dampers", "dampers", b->dampers},
      {"dry friction", "dry_friction", b->dry_friction},
      {"contacts", "contact_normal", b->contact_normal},
      {"their friction", "contact_friction", b->contact_friction},
      {"limits", "limits", b->limits},
      {"motions", "loops", b->loops},
      {"loop joints", "loop_joints", b->loop_joints},
      {"push-out", "push_out", b->push_out},
      {"the scheme", "rest", b->rest},
  };
  for (int i = 0; i < PARTS; i++) parts[i] = all[i];
}

static double turnover_of(const srs_run_outcome *outcome)
{
  part parts[PARTS];
  parts_of(&outcome->balance, parts);
  double works = 0;
  for (int i = CHANGES; i < PARTS - 1; i++) works += fabs(parts[i].value);
  return fmax(works, outcome->turnover);
}

void srs_energy_report_print(const srs_run_outcome *outcome)
{
  if (!outcome->has_balance) return;
  part parts[PARTS];
  parts_of(&outcome->balance, parts);
  const double rest = outcome->balance.rest, turnover = turnover_of(outcome);
  const char *before = "  of which       ";
  for (int i = 0; i < CHANGES; i++) {
    if (parts[i].value == 0) continue;
    printf("%s%s %.6g J", before, parts[i].label, parts[i].value);
    before = ", ";
  }
  if (*before == ',') putchar('\n');
  for (int i = CHANGES; i < PARTS - 1; i++)
    if (parts[i].value != 0) printf("  %-14s %.6g J\n", parts[i].label, parts[i].value);
  printf("  %-14s %.3g J", parts[PARTS - 1].label, rest);
  if (turnover > rounding) printf(", %.2g %% of the %.4g J turned over", 100 * rest / turnover, turnover);
  putchar('\n');
}

void srs_energy_report_json(srs_json *json, const srs_run_outcome *outcome)
{
  if (!outcome->has_balance) return;
  part parts[PARTS];
  parts_of(&outcome->balance, parts);
  srs_json_object(json, "energy_balance");
  for (int i = 0; i < PARTS; i++) srs_json_number(json, parts[i].key, parts[i].value);
  srs_json_number(json, "turnover", turnover_of(outcome));
  srs_json_close(json);
}

// ---------------------------------------------------------------------------------------------------------------------
// The warning
// ---------------------------------------------------------------------------------------------------------------------

static const char *cause_of(const srs_sim_options *o, double rest, double pushed, double collided)
{
  if (pushed > 0.5 * (rest + collided))
    return "by leading back what overlaps or is beyond a limit: let nothing overlap at the start, or lower "
           "error_reduction";
  if (collided > rest)
    return o->contact.impact == SRS_IMPACT_NEWTON
               ? "at contacts, by the impact law newton: take impact: two-phase or poisson"
               : "at contacts, where impulses meet several bodies at once: take impact: poisson, or lower dt";
  switch (o->integrator) {
  case SRS_SEMI_IMPLICIT_EULER:
  case SRS_MOREAU_MIDPOINT:
  case SRS_GEOMETRICALLY_IMPLICIT:
    return "by steps that are long for how fast the mechanism moves: lower dt, or take integrator: implicit-moreau";
  default: return "by steps that are long for how fast the mechanism moves: lower dt";
  }
}

bool srs_energy_report_warns(srs_sim *sim, const srs_run_outcome *outcome, char text[400])
{
  const srs_energy_balance *b = &outcome->balance;
  const double collided = fmax(0, b->contact_normal + b->contact_friction + b->limits + b->push_out);
  const double made = b->rest + collided, turnover = turnover_of(outcome);
  const double least = 1e-12 + 1e-5 * fmax(fabs(outcome->energy_start), fabs(outcome->energy_end));
  if (!outcome->has_balance) return false;
  if (!(made > share_to_warn_of * turnover) || !(made > fmax(least, outcome->change_max))) return false;
  snprintf(text, 400, "the steps made %.3g J of energy, %.2g %% of the %.3g J turned over, %s", made,
           100 * made / turnover, turnover, cause_of(srs_sim_get_options(sim), b->rest, b->push_out, collided));
  return true;
}
