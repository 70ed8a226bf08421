// Default options, and the words for statuses and stages. Those of methods: contact/iterate/method.c.
#include <sarrus/contact.h>

#include <math.h>

const char *srs_contact_status_name(srs_contact_status status)
{
  switch (status) {
  case SRS_CONTACT_SOLVED: return "solved";
  case SRS_CONTACT_STAGNATED: return "stagnated";
  case SRS_CONTACT_UNSOLVED: return "unsolved";
  case SRS_CONTACT_NOT_FINITE: return "not finite";
  }
  return "unknown";
}

const char *srs_contact_stage_name(srs_contact_stage stage)
{
  switch (stage) {
  case SRS_STAGE_NONE: return "none";
  case SRS_STAGE_WARM: return "warm";
  case SRS_STAGE_COLD: return "cold";
  case SRS_STAGE_GAUSS_SEIDEL: return "gauss-seidel";
  case SRS_STAGE_LEMKE: return "lemke";
  case SRS_STAGE_INTERIOR: return "interior";
  case SRS_STAGE_SOFTENED: return "softened";
  }
  return "unknown";
}

srs_contact_options srs_default_contact_options(void)
{
  return (srs_contact_options){.method = SRS_METHOD_MNCP_RLM,
                               .tolerance = 1e-12,
                               .max_iterations = 60,
                               .last_stage = SRS_STAGE_SOFTENED,
                               .most_work = INFINITY,
                               .n_directions = 4,
                               .penalty_weight = 0.7};
}
