// Which messages say the same of different things? A message's kind is its text without its place, with every number as
// "#" and everything between quotation marks or in square brackets as "*"; of what is in round ones the first word
// counts.
#include "engine/cli/shared/folding.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The head ends with the first ":DIGITS:" (and maybe ":DIGITS:" again) before a blank.
const char *srs_message_text(const char *message, int *line)
{
  *line = 0;
  for (const char *at = strchr(message, ':'); at != NULL; at = strchr(at + 1, ':')) {
    char *end = NULL;
    if (!is_digit(at[1])) continue;
    const long number = strtol(at + 1, &end, 10);
    const char *stop = end;
    if (*stop == ':' && is_digit(stop[1])) stop += 1 + strspn(stop + 1, "0123456789");
    if (stop[0] != ':' || stop[1] != ' ') continue;
    *line = (int)number;
    return stop + 2;
  }
  return message;
}

static const char *kind_of(srs_folds *folds, const char *message)
{
  int line;
  const char *text = srs_message_text(message, &line);
  char *kind = srs_arena_take(&folds->memory, 2 * strlen(text) + 1, 1), *to = kind;
  for (const char *at = text; kind != NULL && *at != '\0';) {
    const char *close = *at == '[' ? strchr(at, ']') : *at == '\'' ? strchr(at + 1, '\'') : NULL;
    const bool is_number = is_digit(*at) && (at == text || strchr(" (-=\"", at[-1]) != NULL);
    if (close != NULL) {
      *to++ = '*';
      at = close + 1;
    } else if (*at == '(' && strchr(at, ')') != NULL) { // of what stands in brackets, places and numbers, a word
      while (*at != ' ' && *at != ')') *to++ = is_digit(*at) ? '#' : *at, at++;
      for (int depth = 1; *at != '\0' && depth > 0; at++) depth += (*at == '(') - (*at == ')');
    } else if (is_number) {
      *to++ = '#';
      at += strspn(at, "0123456789.e+-");
    } else {
      *to++ = *at++;
    }
  }
  return kind;
}

bool srs_folds_add(srs_folds *folds, const char *text)
{
  int line;
  srs_message_text(text, &line);
  const char *kind = kind_of(folds, text);
  if (kind == NULL) return false;
  for (int i = folds->lists_all ? folds->n : 0; i < folds->n; i++) {
    if (strcmp(folds->folds[i].kind, kind) != 0) continue;
    folds->folds[i].count++;
    folds->folds[i].last_line = line;
    return true;
  }
  if (folds->n == folds->room) {
    const int room = 2 * folds->room + 16;
    srs_fold *more = realloc(folds->folds, (size_t)room * sizeof *more);
    if (more == NULL) return false;
    folds->folds = more, folds->room = room;
  }
  const char *copy = srs_arena_copy(&folds->memory, text);
  if (copy == NULL) return false;
  folds->folds[folds->n++] = (srs_fold){copy, 1, line, kind};
  return true;
}

const char *srs_fold_line(srs_folds *folds, int index)
{
  const srs_fold *fold = &folds->folds[index];
  if (fold->count == 1) return fold->text;
  if (fold->last_line == 0)
    return srs_arena_print(&folds->memory, "%s (and %d more of this kind)", fold->text, fold->count - 1);
  return srs_arena_print(&folds->memory, "%s (and %d more of this kind, the last in line %d)", fold->text,
                         fold->count - 1, fold->last_line);
}

void srs_folds_release(srs_folds *folds)
{
  free(folds->folds);
  srs_arena_release(&folds->memory);
  *folds = (srs_folds){0};
}
