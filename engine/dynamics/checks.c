// Checks of the arguments of the recursions, and the errors that name the entry or the joint. Errors are kept in the
// workspace, because its functions take no srs_error.

#include "engine/dynamics/checks.h"
#include "topology/base/errors.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

srs_status srs_workspace_fail(srs_workspace *w, srs_status status, const char *subject, const char *format, ...)
{
  w->error = (srs_error){.status = status};
  srs_print(w->error.subject, sizeof w->error.subject, "%s", subject);
  va_list arguments;
  va_start(arguments, format);
  srs_vprint(w->error.message, sizeof w->error.message, format, arguments);
  va_end(arguments);
  return status;
}

// The entries of "q", "v", "a" and "tau" have names; those of other arrays only have numbers.
static const char *entry_name(const srs_model *m, const char *what, int n, int i)
{
  if (strcmp(what, "q") == 0 && n == m->nq) return m->q_names[i];
  if (n == m->nv && (strcmp(what, "v") == 0 || strcmp(what, "a") == 0 || strcmp(what, "tau") == 0))
    return m->v_names[i];
  return NULL;
}

int srs_first_not_finite(const double *x, int n)
{
  double sum = 0; // 0 * x is 0 for every finite x, NaN otherwise
  for (int i = 0; i < n; i++) sum += 0 * x[i];
  if (sum == 0) return -1;
  int i = 0;
  while (i < n - 1 && isfinite(x[i])) i++;
  return i;
}

srs_status srs_check_finite(srs_workspace *w, const char *what, const double *x, int n)
{
  const int i = srs_first_not_finite(x, n);
  if (i < 0) return SRS_OK;
  const char *name = entry_name(w->model, what, n, i);
  if (name != NULL)
    return srs_workspace_fail(w, SRS_ERROR_NOT_FINITE, name, "%s of '%s' is not a finite number", what, name);
  return srs_workspace_fail(w, SRS_ERROR_NOT_FINITE, what, "entry %d of %s is not a finite number", i, what);
}

srs_status srs_workspace_singular(srs_workspace *w, int v_index)
{
  const srs_model *m = w->model;
  const int link = m->link_of_v[v_index];
  return srs_workspace_fail(
      w, SRS_ERROR_SINGULAR, m->joints[link].name,
      "in this configuration nothing resists joint '%s': link '%s' and all that it carries have no "
      "inertia about it; give one of them mass, or the joint an armature",
      m->joints[link].name, m->links[link].name);
}
