// "Did you mean ...?": the known word nearest to a mistyped one.
//
// It is the word with the fewest edits: insertions, deletions, substitutions, swaps of neighbours (Damerau's distance),
// upper and lower case alike; none where that is over a third of the longer word. Nearest of all is NAME/word for a
// word without its model's name.

#include "topology/base/nearest_word.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 64 };

static int least(int a, int b) { return a < b ? a : b; }

// Words are short: both at most LONGEST_WORD letters.
static int edit_distance(const char *a, int n, const char *b, int m)
{
  int rows[3][LONGEST_WORD + 1];
  int *before = rows[0], *last = rows[1], *row = rows[2];
  for (int j = 0; j <= m; j++) last[j] = before[j] = j;
  for (int i = 1; i <= n; i++) {
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      row[j] =
          least(least(last[j], row[j - 1]) + 1, last[j - 1] + (srs_lower_case(a[i - 1]) != srs_lower_case(b[j - 1])));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = least(row[j], before[j - 2] + 1);
    }
    int *free_row = before;
    before = last;
    last = row;
    row = free_row;
  }
  return last[m];
}

static bool lacks_model(const char *word, size_t n, const char *candidate, size_t m)
{
  bool is_end = m > n + 1 && candidate[m - n - 1] == '/';
  for (size_t i = 0; i < n && is_end; i++) is_end = srs_lower_case(word[i]) == srs_lower_case(candidate[m - n + i]);
  return is_end;
}

srs_nearest srs_nearest_to(const char *word) { return (srs_nearest){word, NULL, 0}; }

void srs_nearest_offer(srs_nearest *nearest, const char *candidate)
{
  const size_t n = strlen(nearest->word), m = strlen(candidate);
  if (n == 0 || m == 0 || n > LONGEST_WORD || m > LONGEST_WORD) return;
  const bool is_end = lacks_model(nearest->word, n, candidate, m);
  const int distance = is_end ? 0 : edit_distance(nearest->word, (int)n, candidate, (int)m);
  const int longer = (int)(n > m ? n : m), most = longer < 6 ? 1 : longer / 3;
  if (distance > most || distance >= longer || (nearest->best != NULL && distance >= nearest->distance)) return;
  nearest->best = candidate;
  nearest->distance = distance;
}

const char *srs_nearest_hint(const srs_nearest *nearest, char text[192])
{
  text[0] = '\0';
  if (nearest->best != NULL) snprintf(text, 192, ", did you mean '%s'?", nearest->best);
  return text;
}
