// Words of scene files that have changed (CHANGELOG.md): files with the former ones still work. Internal.
#pragma once
#include "topology/base/nearest_word.h"

/// The present name of a key that had another one; NULL where it never changed.
const char *srs_present_key(const char *former);

/// The word that a value is written with now: the text itself where it never changed.
const char *srs_present_word(const char *text);

/// Offer a present key or word to the search, and the former ones that it replaced. Whichever of these is near, the
/// search finds the present one: `hinge` leads to 'joints'.
void srs_offer_key(srs_nearest *nearest, const char *key);
void srs_offer_word(srs_nearest *nearest, const char *word);
