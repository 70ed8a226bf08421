// The table of a simulation's options, and the checks that it says.
#include "engine/state/option_table.h"
#include "topology/base/errors.h"
#include "topology/base/text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char *integrator_word(int value) { return srs_integrator_name((srs_integrator)value); }
static const char *method_word(int value) { return srs_contact_method_name((srs_contact_method)value); }
static const char *stage_word(int value) { return srs_contact_stage_name((srs_contact_stage)value); }

#define AT(field)                  .name = #field, .at = offsetof(srs_sim_options, field)
#define IN(group_, key_)           .group = (group_), .key = (key_)
#define FLAG                       .kind = SRS_OPTION_FLAG, .high = 1, .unit = ""
#define NUMBER(low_, high_, unit_) .kind = SRS_OPTION_NUMBER, .low = (low_), .high = (high_), .unit = (unit_)
#define COUNT(low_, high_)         .kind = SRS_OPTION_COUNT, .low = (low_), .high = (high_), .unit = ""
#define WORD(words_)               .kind = SRS_OPTION_WORD, .words = (words_), .unit = ""
#define NAMED(n, name)             .kind = SRS_OPTION_WORD, .high = (n)-1, .name_of = (name), .unit = ""

static const double endless = 1e300, longest = 1e15;

const srs_option_row srs_option_rows[] = {
    {AT(dt), IN("", "dt"), NUMBER(0, 1e300, "s"), .is_above_low = true},
    {AT(integrator), IN("", "integrator"), NAMED(SRS_INTEGRATORS, integrator_word)},
    {AT(velocity_terms), IN("", "velocity_terms"), WORD(srs_velocity_terms_words)},
    {AT(gravity[0]), NUMBER(-1e300, 1e300, "m/s^2")},
    {AT(gravity[1]), NUMBER(-1e300, 1e300, "m/s^2")},
    {AT(gravity[2]), NUMBER(-1e300, 1e300, "m/s^2")},
    {AT(implicit_gyroscopic), FLAG},
    {AT(keep_momentum), IN("", "keep_momentum"), FLAG},
    {AT(energy_balance), IN("", "energy_balance"), FLAG},
    {AT(joint.limits), FLAG},
    {AT(joint.friction), IN("", "joint_friction"), FLAG},
    {AT(joint.actuator_limits), IN("", "actuator_limits"), FLAG},
    {AT(joint.restitution), IN("limits", "restitution"), NUMBER(0, 1, "")},
    {AT(joint.error_reduction), IN("limits", "error_reduction"), NUMBER(0, 1, "")},
    {AT(joint.max_depenetration_velocity), IN("limits", "max_depenetration_velocity"),
     NUMBER(0, INFINITY, "rad/s or m/s")},
    {AT(joint.projection), IN("limits", "projection"), FLAG},
    {AT(closure.projection), IN("closure", "projection"), FLAG},
    {AT(closure.error_reduction), IN("closure", "error_reduction"), NUMBER(0, 1, "")},
    {AT(implicit.tolerance), IN("implicit", "tolerance"), NUMBER(0, 1e300, ""), .is_above_low = true},
    {AT(implicit.iterations), IN("implicit", "iterations"), COUNT(1, 10000)},
    {AT(implicit.halvings), IN("implicit", "halvings"), COUNT(0, 20)},
    {AT(contact.enabled), IN("contact", "enabled"), FLAG},
    {AT(contact.friction), IN("contact", "friction"), NUMBER(0, 1e6, "")},
    {AT(contact.restitution), IN("contact", "restitution"), NUMBER(0, 1, "")},
    {AT(contact.torsional), IN("contact", "torsional"), NUMBER(0, 1e3, "m")},
    {AT(contact.rolling), IN("contact", "rolling"), NUMBER(0, 1e3, "m")},
    {AT(contact.friction_rule), IN("contact", "friction_rule"), WORD(srs_combination_words)},
    {AT(contact.restitution_rule), IN("contact", "restitution_rule"), WORD(srs_combination_words)},
    {AT(contact.impact), IN("contact", "impact"), WORD(srs_impact_law_words)},
    {AT(contact.impact_threshold), IN("contact", "impact_threshold"), NUMBER(0, INFINITY, "m/s"), .may_be_nan = true},
    {AT(contact.activation), IN("contact", "activation"), WORD(srs_activation_words)},
    {AT(contact.distance), NUMBER(0, 1e300, "m")},
    {AT(contact.normal), IN("contact", "normal"), WORD(srs_normal_law_words)},
    {AT(contact.error_reduction), IN("contact", "error_reduction"), NUMBER(0, 1, "")},
    {AT(contact.max_depenetration_velocity), IN("contact", "max_depenetration_velocity"), NUMBER(0, INFINITY, "m/s")},
    {AT(contact.projection), IN("contact", "projection"), FLAG},
    {AT(contact.capacity), IN("contact", "capacity"), COUNT(0, INT_MAX)},
    {AT(contact.corners), IN("contact", "corners"), WORD(srs_corners_words)},
    {AT(contact.corner_cap), IN("contact", "corner_cap"), NUMBER(0, 1e300, "m/s"), .is_above_low = true},
    {AT(contact.solver.method), NAMED(SRS_CONTACT_METHODS, method_word)},
    {AT(contact.solver.tolerance), IN("solver", "tolerance"), NUMBER(1e-15, 1, "")},
    {AT(contact.solver.max_iterations), IN("solver", "max_iterations"), COUNT(1, INT_MAX)},
    {AT(contact.solver.last_stage), NAMED(SRS_STAGE_SOFTENED + 1, stage_word)},
    {AT(contact.solver.most_work), IN("solver", "most_work"), NUMBER(1, INFINITY, "multiplications")},
    {AT(contact.solver.n_directions), IN("solver", "directions"), COUNT(4, SRS_CONTACT_DIRECTIONS_MOST),
     .is_even = true},
    {AT(contact.alignment), IN("solver", "alignment"), WORD(srs_alignment_words)},
    {AT(contact.solver.direction_angle), IN("solver", "direction_angle"), NUMBER(-1e300, 1e300, "rad")},
    {AT(contact.solver.penalty_weight), IN("solver", "penalty_weight"), NUMBER(1e-3, 1, "")},
    {AT(contact.collider.self_collision), WORD(srs_self_collision_words)},
    {AT(contact.collider.parent_child), IN("collision", "parent_child"), FLAG},
    {AT(contact.collider.detector), IN("collision", "detector"), WORD(srs_detector_words)},
    {AT(contact.collider.distance), WORD(srs_distance_words)},
    {AT(contact.collider.makes_sides), FLAG},
    {AT(contact.collider.pair_capacity), COUNT(0, INT_MAX)},
};
const int srs_n_option_rows = sizeof srs_option_rows / sizeof srs_option_rows[0];

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

double srs_option_value(const srs_option_row *row, const srs_sim_options *options)
{
  const char *field = (const char *)options + row->at;
  double number;
  bool flag;
  int count;
  switch (row->kind) {
  case SRS_OPTION_NUMBER: memcpy(&number, field, sizeof number); return number;
  case SRS_OPTION_FLAG: memcpy(&flag, field, sizeof flag); return flag ? 1 : 0;
  default: memcpy(&count, field, sizeof count); return count;
  }
}

void srs_option_set(const srs_option_row *row, srs_sim_options *options, double value)
{
  char *field = (char *)options + row->at;
  const bool flag = value != 0;
  switch (row->kind) {
  case SRS_OPTION_NUMBER: memcpy(field, &value, sizeof value); break;
  case SRS_OPTION_FLAG: memcpy(field, &flag, sizeof flag); break;
  default: memcpy(field, &(int){(int)value}, sizeof(int)); break;
  }
}

const char *srs_option_word_of(const srs_option_row *row, int value)
{
  if (row->words == NULL) return value >= 0 && value <= (int)row->high ? row->name_of(value) : NULL;
  for (const srs_option_word *word = row->words; word->name != NULL; word++)
    if (word->value == value) return word->name;
  return NULL;
}

// The same of any number: what is no int is no enumerator.
static const char *word_of_number(const srs_option_row *row, double value)
{
  return value >= INT_MIN && value <= INT_MAX && value == floor(value) ? srs_option_word_of(row, (int)value) : NULL;
}

bool srs_option_is_in_range(const srs_option_row *row, double value)
{
  if (row->kind == SRS_OPTION_WORD) return word_of_number(row, value) != NULL;
  if (isnan(value)) return row->may_be_nan;
  if (row->is_even && fmod(value, 2) != 0) return false;
  return (row->is_above_low ? value > row->low : value >= row->low) && value <= row->high;
}

const char *srs_option_range(const srs_option_row *row, char text[96])
{
  const bool is_endless = row->high >= endless || row->high == INT_MAX;
  if (row->kind == SRS_OPTION_COUNT && !is_endless)
    srs_print(text, 96, "%s from %g to %g", row->is_even ? "an even number" : "a whole number", row->low, row->high);
  else if (is_endless && row->low <= -endless)
    srs_print(text, 96, "a finite number below %g in size", endless);
  else if (is_endless)
    srs_print(text, 96, row->is_above_low ? "greater than %g" : "%g or more", row->low);
  else
    srs_print(text, 96, "between %g and %g", row->low, row->high);
  return text;
}

const char *srs_option_text(const srs_option_row *row, double value, char text[64])
{
  const char *word = row->kind == SRS_OPTION_WORD ? word_of_number(row, value) : NULL;
  if (word != NULL)
    srs_print(text, 64, "%s", word);
  else if (row->kind == SRS_OPTION_FLAG)
    srs_print(text, 64, "%s", value != 0 ? "true" : "false");
  else
    srs_print(text, 64, fabs(value) < longest ? "%.15g" : "%g", value);
  return text;
}

// ---------------------------------------------------------------------------------------------------------------------
// Checks
// ---------------------------------------------------------------------------------------------------------------------

static srs_status check_row(const srs_option_row *row, const srs_sim_options *options, srs_error *error)
{
  char range[96], text[64];
  const double value = srs_option_value(row, options);
  if (srs_option_is_in_range(row, value)) return SRS_OK;
  const bool may_be_any = row->low <= -endless && row->high >= endless;
  const srs_status status = may_be_any ? SRS_ERROR_NOT_FINITE : SRS_ERROR_ARGUMENT;
  if (row->kind == SRS_OPTION_WORD)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, row->name, "%s has no value %d", row->name, (int)value);
  return srs_fail(error, status, NULL, 0, 0, row->name, "%s must be %s, not %s", row->name,
                  srs_option_range(row, range), srs_option_text(row, value, text));
}

// A list's name, its count and whether there is one.
static srs_status check_list(const char *name, int n, const void *list, srs_error *error)
{
  if (n < 0)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "contact.n_%s must not be negative, but is %d", name,
                    n);
  if (n > 0 && list == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, name, "contact.n_%s is %d, but contact.%s is null", name, n,
                    name);
  return SRS_OK;
}

// A value of a list's entry; NAN: its default.
static srs_status check_value(const char *list, int i, const char *field, double value, double low, double high,
                              srs_error *error)
{
  if (isnan(value) || (value >= low && value <= high)) return SRS_OK;
  return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, list, "contact.%s[%d].%s must be between %g and %g, not %g",
                  list, i, field, low, high, value);
}

static srs_status check_friction(const char *list, int i, double friction, double restitution, double torsional,
                                 double rolling, srs_error *error)
{
  srs_status status = check_value(list, i, "friction", friction, 0, 1e6, error);
  if (status == SRS_OK) status = check_value(list, i, "restitution", restitution, 0, 1, error);
  if (status == SRS_OK) status = check_value(list, i, "torsional", torsional, 0, 1e3, error);
  return status == SRS_OK ? check_value(list, i, "rolling", rolling, 0, 1e3, error) : status;
}

static srs_status check_material(const srs_material *m, int i, srs_error *error)
{
  static const char list[] = "materials";
  const bool is_turned = m->direction[0] != 0 || m->direction[1] != 0 || m->direction[2] != 0;
  srs_status status = check_friction(list, i, m->friction, m->restitution, m->torsional, m->rolling, error);
  if (status != SRS_OK) return status;
  if (m->name == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, list, "contact.materials[%d] has no name", i);
  for (int k = 0; k < 3; k++)
    if (!isfinite(m->direction[k]))
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, list, "contact.materials[%d].direction is not finite",
                      i);
  if (is_turned && !(m->along > 0 && m->across > 0 && isfinite(m->along) && isfinite(m->across)))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, list,
                    "contact.materials[%d].along and .across must be greater than 0 where there is a direction", i);
  return check_value(list, i, "layer.thickness", m->layer.thickness, 0, INFINITY, error);
}

static srs_status check_lists(const srs_contact_settings *o, srs_error *error)
{
  srs_status status = check_list("materials", o->n_materials, o->materials, error);
  if (status == SRS_OK) status = check_list("pairs", o->n_pairs, o->pairs, error);
  if (status == SRS_OK) status = check_list("solids", o->n_solids, o->solids, error);
  if (status == SRS_OK) status = check_list("surfaces", o->n_surfaces, o->surfaces, error);
  for (int i = 0; i < o->n_materials && status == SRS_OK; i++) status = check_material(&o->materials[i], i, error);
  for (int i = 0; i < o->n_pairs && status == SRS_OK; i++) {
    const srs_material_pair *p = &o->pairs[i];
    status = check_friction("pairs", i, p->friction, p->restitution, p->torsional, p->rolling, error);
    if (status == SRS_OK && (p->a == NULL || p->b == NULL))
      status = srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "pairs", "contact.pairs[%d] lacks a name", i);
  }
  for (int i = 0; i < o->n_solids && status == SRS_OK; i++)
    if (o->solids[i].n < 0 || (o->solids[i].n > 0 && o->solids[i].half_spaces == NULL))
      status = srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "solids", "contact.solids[%d] has no half-spaces", i);
  for (int i = 0; i < o->n_surfaces && status == SRS_OK; i++)
    if (o->surfaces[i].shape == NULL)
      status = srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "surfaces", "contact.surfaces[%d] names no shape", i);
  return status;
}

srs_status srs_check_options(const srs_sim_options *options, srs_error *error)
{
  for (int i = 0; i < srs_n_option_rows; i++) {
    const srs_status status = check_row(&srs_option_rows[i], options, error);
    if (status != SRS_OK) return status;
  }
  return check_lists(&options->contact, error);
}
