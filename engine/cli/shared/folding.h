// Messages of one kind become one line. Internal.
#pragma once
#include "topology/base/arena.h"

/// One kind of message: its first one, and how many there are.
typedef struct srs_fold {
  const char *text; // "FILE:LINE: text" of the first
  int count;
  int last_line; // of the file that the last one names; 0 where unknown
  const char *kind;
} srs_fold;

typedef struct srs_folds {
  srs_fold *folds; // n, in the order in which the kinds came
  int n, room;
  bool lists_all; // nothing is folded
  srs_arena memory;
} srs_folds;

/// Two messages are of one kind where they differ only in places, numbers and what stands between quotation marks.
/// @return false when out of memory
bool srs_folds_add(srs_folds *folds, const char *text);

/// The line of a kind: its first message, and "(and 11 more of this kind, the last in line 130)".  @return NULL when
/// out of memory; it lives as long as the folds
const char *srs_fold_line(srs_folds *folds, int index);

void srs_folds_release(srs_folds *folds);

/// "FILE:LINE: text": where the text begins, and the line; the whole text and 0 where it has no such head.
const char *srs_message_text(const char *message, int *line);
