// Which contact methods are there? A row each: its name, its family, and the functions that solve.
//
// Large problems, given by blocks, are solved by family (contact/large/large.c).
#include "contact/iterate/method.h"
#include "contact/iterate/fallback.h"

#include <string.h>

static void solve_cone(const srs_method_parts *parts, const double *warm) { srs_fallback_run(parts->fallback, warm); }

static void solve_cone_again(const srs_method_parts *parts) { srs_fallback_again(parts->fallback); }

static void solve_polyhedral(const srs_method_parts *parts, const double *warm)
{
  srs_polyhedral_run(parts->polyhedral, parts->fallback->minimise, parts->fallback, warm);
}

static void solve_polyhedral_again(const srs_method_parts *parts)
{
  srs_polyhedral_again(parts->polyhedral, parts->fallback->minimise, parts->fallback);
}

static void solve_relaxed(const srs_method_parts *parts, const double *warm)
{
  srs_relaxation_solve(parts->relaxation, parts->fallback, warm);
}

static void solve_relaxed_again(const srs_method_parts *parts) { solve_relaxed(parts, parts->fallback->best); }

static void iterate_relaxed(const srs_method_parts *parts, const double *warm)
{
  srs_relaxation_iterate(parts->relaxation, parts->fallback, warm);
}

static void iterate_relaxed_again(const srs_method_parts *parts) { iterate_relaxed(parts, parts->fallback->best); }

const srs_method srs_methods[SRS_CONTACT_METHODS] = {
    [SRS_METHOD_MNCP_RLM] = {"mncp-rlm", SRS_FAMILY_CONE, srs_rlm, false, solve_cone, solve_cone_again},
    [SRS_METHOD_MNCP_PLM] = {"mncp-plm", SRS_FAMILY_CONE, srs_plm, false, solve_cone, solve_cone_again},
    [SRS_METHOD_MLCP_LEMKE] = {"mlcp-lemke", SRS_FAMILY_POLYHEDRON, NULL, false, solve_polyhedral,
                               solve_polyhedral_again},
    [SRS_METHOD_MLCP_PFB_RLM] = {"mlcp-pfb-rlm", SRS_FAMILY_POLYHEDRON, srs_rlm, true, solve_polyhedral,
                                 solve_polyhedral_again},
    [SRS_METHOD_MLCP_PFB_PLM] = {"mlcp-pfb-plm", SRS_FAMILY_POLYHEDRON, srs_plm, true, solve_polyhedral,
                                 solve_polyhedral_again},
    [SRS_METHOD_MLCP_FB_RLM] = {"mlcp-fb-rlm", SRS_FAMILY_POLYHEDRON, srs_rlm, false, solve_polyhedral,
                                solve_polyhedral_again},
    [SRS_METHOD_MLCP_FB_PLM] = {"mlcp-fb-plm", SRS_FAMILY_POLYHEDRON, srs_plm, false, solve_polyhedral,
                                solve_polyhedral_again},
    [SRS_METHOD_RELAXED] = {"relaxed", SRS_FAMILY_RELAXED, srs_rlm, false, solve_relaxed, solve_relaxed_again},
    [SRS_METHOD_RELAXED_FIXED_POINT] = {"relaxed-fixed-point", SRS_FAMILY_FIXED_POINT, srs_rlm, false, iterate_relaxed,
                                        iterate_relaxed_again},
};

static bool is_known(srs_contact_method method) { return (int)method >= 0 && (int)method < SRS_CONTACT_METHODS; }

const char *srs_contact_method_name(srs_contact_method method)
{
  return is_known(method) ? srs_methods[method].name : "unknown";
}

bool srs_contact_method_from_name(const char *text, srs_contact_method *method)
{
  if (text == NULL || method == NULL) return false;
  for (int i = 0; i < SRS_CONTACT_METHODS; i++) {
    if (strcmp(text, srs_methods[i].name) != 0) continue;
    *method = (srs_contact_method)i;
    return true;
  }
  return false;
}

bool srs_contact_method_has_polyhedron(srs_contact_method method)
{
  return is_known(method) && srs_methods[method].family != SRS_FAMILY_CONE;
}

bool srs_contact_method_is_relaxed(srs_contact_method method)
{
  return is_known(method) &&
         (srs_methods[method].family == SRS_FAMILY_RELAXED || srs_methods[method].family == SRS_FAMILY_FIXED_POINT);
}
