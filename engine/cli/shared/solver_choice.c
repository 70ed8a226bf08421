// Choosing a contact solver: `mncp-rlm`, `mlcp-lemke@8`. A solver with a friction polyhedron may be followed by the
// number of its directions.
#include "engine/cli/shared/solver_choice.h"

#include "engine/cli/shared/messages.h"
#include "engine/cli/shared/values.h"

#include <stdio.h>
#include <string.h>

static int read_directions(const srs_command *command, const char *option, const char *text, srs_solver_choice *choice)
{
  double number = 0;
  if (!srs_contact_method_has_polyhedron(choice->solver))
    return srs_usage_error(command, "--%s: %s has the exact friction cone and takes no directions", option,
                           srs_contact_method_name(choice->solver));
  const bool is_number = srs_parse_number(text, strlen(text), &number);
  if (is_number && number >= 4 && number <= SRS_CONTACT_DIRECTIONS_MOST && number / 2 == (double)(int)(number / 2)) {
    choice->n_directions = (int)number;
    return SRS_EXIT_OK;
  }
  return srs_usage_error(command, "--%s: directions are an even number from 4 to %d, not '%s'", option,
                         SRS_CONTACT_DIRECTIONS_MOST, text);
}

int srs_solver_choice_read(const srs_command *command, const char *option, const char *text, srs_solver_choice *choice)
{
  const char *solvers[SRS_CONTACT_METHODS];
  for (int i = 0; i < SRS_CONTACT_METHODS; i++) solvers[i] = srs_contact_method_name((srs_contact_method)i);
  *choice = (srs_solver_choice){.n_directions = 0};
  snprintf(choice->label, sizeof choice->label, "%s", text);
  char name[sizeof choice->label];
  memcpy(name, choice->label, sizeof name);
  char *at = strchr(name, '@');
  if (at != NULL) *at = '\0';
  int solver = 0;
  int status = srs_value_word(command, option, name, solvers, SRS_CONTACT_METHODS, &solver);
  choice->solver = (srs_contact_method)solver;
  if (status == SRS_EXIT_OK && at != NULL) status = read_directions(command, option, at + 1, choice);
  return status;
}

static int choose_all(int most, srs_solver_choice *choices, int *n)
{
  for (*n = 0; *n < SRS_CONTACT_METHODS && *n < most; ++*n) {
    srs_solver_choice *choice = &choices[*n];
    *choice = (srs_solver_choice){.solver = (srs_contact_method)*n};
    snprintf(choice->label, sizeof choice->label, "%s", srs_contact_method_name(choice->solver));
  }
  return SRS_EXIT_OK;
}

int srs_solver_choices_read(const srs_command *command, const char *option, const char *text, int most,
                            srs_solver_choice *choices, int *n)
{
  if (strcmp(text, "all") == 0) return choose_all(most, choices, n);
  static const char space[] = " \t\n\r";
  *n = 0;
  for (const char *at = text;;) {
    char entry[sizeof choices->label];
    at += strspn(at, space);
    const size_t length = strcspn(at, ", \t\n\r");
    if (*n == most) return srs_usage_error(command, "--%s takes at most %d solvers", option, most);
    snprintf(entry, sizeof entry, "%.*s", (int)length, at);
    const int status = srs_solver_choice_read(command, option, entry, &choices[*n]);
    if (status != SRS_EXIT_OK) return status;
    for (int i = 0; i < *n; i++)
      if (strcmp(choices[i].label, entry) == 0) return srs_usage_error(command, "--%s names '%s' twice", option, entry);
    ++*n;
    at += length;
    at += strspn(at, space);
    if (*at == '\0') return SRS_EXIT_OK;
    if (*at == ',') at++;
  }
}

void srs_solver_choice_apply(const srs_solver_choice *choice, srs_contact_options *options)
{
  options->method = choice->solver;
  if (choice->n_directions > 0) options->n_directions = choice->n_directions;
}
