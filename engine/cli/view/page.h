// A page that shows a run: one HTML file that needs nothing else. Internal.
#pragma once
#include "engine/cli/view/film.h"

/// Whether this program was built with three.js, which a page needs.
bool srs_page_is_built_in(void);

typedef struct srs_page {
  const srs_film *film;
  const char *title;
  double gravity[3]; // m/s^2, which way is down
  const int *chosen; // n_chosen: columns of the recording whose curves are drawn first
  int n_chosen;
  bool is_live; // further states come as events; no columns are kept
} srs_page;

/// The page's text, freed by the caller.
/// @param n_missing, missing  out: meshes for the eye that cannot be read, and why the first one cannot
/// @return SRS_OK or SRS_ERROR_MEMORY
srs_status srs_page_make(const srs_page *page, char **text, size_t *length, int *n_missing, srs_error *missing,
                         srs_error *error);
