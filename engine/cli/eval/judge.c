// What `solve --judge` prints of impulses: the residual of each kind of law (contact_judge.h), the energy, and a line
// for each contact.
#include "engine/cli/eval/judge.h"

#include "engine/cli/shared/messages.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

srs_status srs_judged_make(srs_judged *judged, srs_error *error)
{
  judged->findings = calloc((size_t)judged->problem->n_contacts + 1, sizeof *judged->findings);
  if (judged->findings == NULL)
    return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for %d contacts", judged->problem->n_contacts);
  const srs_status status = srs_contact_judge(judged->problem, &judged->claim, &judged->judgement, judged->findings);
  return status == SRS_OK ? SRS_OK : srs_report_fill(error, status, "cannot be judged: %s", srs_status_string(status));
}

void srs_judged_free(srs_judged *judged)
{
  free(judged->findings);
  judged->findings = NULL;
}

// ---- figures over |b| ----

static double length(int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

typedef struct over_data {
  double natural_map, siconos; // over |b|; over the larger of |b| and |impulse|
} over_data;

static over_data divide(const srs_judged *judged)
{
  const int n = srs_contact_problem_rows(judged->problem);
  const double map = judged->judgement.natural_map, b = length(n, judged->problem->b);
  const double larger = fmax(b, length(n, judged->claim.impulse));
  return (over_data){b > 0 ? map / b : map, larger > 0 ? map / larger : map};
}

typedef struct kind {
  const char *name, *unit, *index; // what `index` counts
  const srs_contact_residual *residual;
  bool is_there;
} kind;

enum { KINDS = 7 };

static void list_kinds(const srs_judged *judged, kind kinds[KINDS])
{
  const srs_contact_problem *p = judged->problem;
  const srs_contact_judgement *j = &judged->judgement;
  const bool has_contacts = p->n_contacts > 0;
  const kind all[KINDS] = {
      {"gap", " N s or m/s", "contact", &j->gap, has_contacts},
      {"cone", " N s", "contact", &j->cone, has_contacts},
      {"dissipation", " N s or m/s", "contact", &j->dissipation, has_contacts},
      {"loops", " m/s", "row", &j->loops, p->n_bilateral > 0},
      {"limits", " N s or m/s", "row", &j->limits, p->n_unilateral > 0},
      {"box", " N s or m/s", "row", &j->box, p->n_box > 0},
      {"velocity", " m/s", "row", &j->velocity, judged->claim.velocity != NULL},
  };
  for (int i = 0; i < KINDS; i++) kinds[i] = all[i];
}

// ---- for people ----

static void print_number(const char *label, double value, const char *unit)
{
  char text[32];
  srs_format_number(value, text);
  printf("  %-14s %s%s\n", label, text, unit);
}

static void print_contacts(const srs_judged *judged)
{
  printf("\n%7s %-5s %11s %11s %9s %11s %11s %9s %9s %11s %9s\n", "contact", "mode", "normal", "friction", "mu",
         "velocity", "slip", "gap", "cone", "dissipation", "relative");
  printf("%7s %-5s %11s %11s %9s %11s %11s %9s %9s %11s %9s\n", "", "", "N s", "N s", "", "m/s", "m/s", "", "N s", "",
         "");
  for (int i = 0; i < judged->problem->n_contacts; i++) {
    const srs_contact_finding *f = &judged->findings[i];
    printf("%7d %-5s %11.5g %11.5g %9.4g %11.4g %11.4g %9.1e %9.1e %11.1e %9.1e\n", i, srs_contact_mode_name(f->mode),
           f->normal, f->friction, judged->problem->friction[i], f->normal_velocity, f->slip, f->gap, f->cone,
           f->dissipation, f->relative);
  }
}

void srs_judged_print(const srs_judged *judged)
{
  const srs_contact_judgement *j = &judged->judgement;
  const over_data over = divide(judged);
  printf("\njudged in long double (%d bits): %s, ", LDBL_MANT_DIG, judged->source);
  if (judged->claim.n_directions > 0)
    printf("friction polyhedra of %d directions%s\n", judged->claim.n_directions,
           judged->claim.is_relaxed ? ", relaxed" : "");
  else
    printf("round cones\n");
  print_number("residual", j->residual, "");
  if (judged->claim.n_directions > 0) print_number("round cones", j->exact_residual, "");
  print_number("natural map", over.natural_map, "");
  print_number("Siconos's", over.siconos, "");
  print_number("energy change", j->energy, " J");
  kind kinds[KINDS];
  list_kinds(judged, kinds);
  for (int i = 0; i < KINDS; i++) {
    if (!kinds[i].is_there) continue;
    printf("  %-14s at most %.3g%s, relative %.3g", kinds[i].name, kinds[i].residual->worst, kinds[i].unit,
           kinds[i].residual->relative);
    if (kinds[i].residual->index >= 0) printf(": %s %d", kinds[i].index, kinds[i].residual->index);
    printf("\n");
  }
  if (judged->problem->n_contacts > 0) print_contacts(judged);
}

// ---- for programs ----

static void print_findings(const srs_judged *judged, srs_json *json)
{
  srs_json_array(json, "contacts");
  for (int i = 0; i < judged->problem->n_contacts; i++) {
    const srs_contact_finding *f = &judged->findings[i];
    srs_json_object(json, NULL);
    srs_json_text(json, "mode", srs_contact_mode_name(f->mode));
    srs_json_number(json, "normal", f->normal);
    srs_json_number(json, "friction", f->friction);
    srs_json_number(json, "mu", judged->problem->friction[i]);
    srs_json_number(json, "normal_velocity", f->normal_velocity);
    srs_json_number(json, "slip", f->slip);
    srs_json_number(json, "gap", f->gap);
    srs_json_number(json, "cone", f->cone);
    srs_json_number(json, "dissipation", f->dissipation);
    srs_json_number(json, "relative", f->relative);
    srs_json_close(json);
  }
  srs_json_close(json);
}

void srs_judged_print_json(const srs_judged *judged, srs_json *json)
{
  const srs_contact_judgement *j = &judged->judgement;
  const over_data over = divide(judged);
  srs_json_object(json, "judge");
  srs_json_text(json, "impulses", judged->source);
  srs_json_integer(json, "precision_bits", LDBL_MANT_DIG);
  srs_json_integer(json, "directions", judged->claim.n_directions);
  srs_json_number(json, "residual", j->residual);
  srs_json_number(json, "exact_residual", j->exact_residual);
  srs_json_number(json, "natural_map", over.natural_map);
  srs_json_number(json, "siconos_error", over.siconos);
  srs_json_number(json, "energy", j->energy);
  kind kinds[KINDS];
  list_kinds(judged, kinds);
  for (int i = 0; i < KINDS; i++) {
    if (!kinds[i].is_there) continue;
    srs_json_object(json, kinds[i].name);
    srs_json_number(json, "worst", kinds[i].residual->worst);
    srs_json_number(json, "relative", kinds[i].residual->relative);
    if (kinds[i].residual->index < 0)
      srs_json_null(json, kinds[i].index);
    else
      srs_json_integer(json, kinds[i].index, kinds[i].residual->index);
    srs_json_close(json);
  }
  print_findings(judged, json);
  srs_json_close(json);
}
