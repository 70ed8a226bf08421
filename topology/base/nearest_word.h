// "Did you mean ...?": the known word nearest to a mistyped one. Internal.
#pragma once

/// The search for the candidate that a mistyped word most likely meant.
typedef struct srs_nearest {
  const char *word;
  const char *best; // NULL: none is near
  int distance;
} srs_nearest;

srs_nearest srs_nearest_to(const char *word);
void srs_nearest_offer(srs_nearest *nearest, const char *candidate);

/// Writes ", did you mean `best`?" or nothing.
/// @return text
const char *srs_nearest_hint(const srs_nearest *nearest, char text[192]);

/// An English letter in lower case; anything else as it is.
static inline char srs_lower_case(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }
