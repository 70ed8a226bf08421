// What `solve --judge` prints of impulses.
#pragma once
#include "engine/cli/shared/json.h"
#include <sarrus/contact_judge.h>

typedef struct srs_judged {
  const srs_contact_problem *problem;
  const char *source; // whose impulses: for people
  srs_contact_claim claim;
  srs_contact_judgement judgement;
  srs_contact_finding *findings; // n_contacts
} srs_judged;

/// Judges the claim.  @param judged  in: problem, source, claim; out; freed by srs_judged_free, also on failure
srs_status srs_judged_make(srs_judged *judged, srs_error *error);
void srs_judged_free(srs_judged *judged);

void srs_judged_print(const srs_judged *judged);
void srs_judged_print_json(const srs_judged *judged, srs_json *json); // the key `judge`
