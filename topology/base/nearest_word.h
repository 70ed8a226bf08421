// Which of the words that there are did a mistyped one mean? Internal.
#pragma once

/// Looks for the candidate that a mistyped word most likely meant.
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

/// A letter of English as a small one; anything else as it is.
static inline char srs_small(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }
