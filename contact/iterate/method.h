// The contact methods: a row each. Internal.
#pragma once
#include "contact/iterate/method_parts.h"

typedef enum srs_method_family {
  SRS_FAMILY_CONE,        // the exact friction cone
  SRS_FAMILY_POLYHEDRON,  // a friction polyhedron
  SRS_FAMILY_RELAXED,     // the convex relaxation of that
  SRS_FAMILY_FIXED_POINT, // relaxed problems until they are the problem itself
} srs_method_family;

typedef struct srs_method {
  const char *name;
  srs_method_family family;
  srs_minimiser *minimise; // NULL: by pivots
  bool is_penalised;       // Fischer-Burmeister in its penalised form

  /// @param warm  impulses of the cone problem to start from, or NULL
  void (*solve)(const srs_method_parts *parts, const double *warm);

  /// Once more from the best impulses, for a problem that has changed a little.
  void (*again)(const srs_method_parts *parts);
} srs_method;

/// By srs_contact_method.
extern const srs_method srs_methods[SRS_CONTACT_METHODS];
