// Which texts was the model read from?
#include "engine/output/read_texts.h"

#include "topology/base/text.h"
#include "topology/base/whole_file.h"
#include "topology/builder/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 24 };

static bool is_text(const char *path)
{
  return srs_has_ending(path, ".urdf") || srs_has_ending(path, ".xml") || srs_has_ending(path, ".mjcf") ||
         srs_has_ending(path, ".srdf");
}

int srs_take_read_texts(const srs_model *model, srs_arena *arena, srs_text_entry *texts)
{
  int n = 0;
  const srs_read_file *file = srs_source_of(model)->read.first;
  for (; file != NULL && n < SRS_MOST_READ_TEXTS; file = file->next) {
    char *text = NULL, name[32];
    size_t length = 0;
    if (!is_text(file->path) || srs_read_text(file->path, NULL, &text, &length, NULL) != SRS_OK) continue;
    const bool fits = length > 0 && length <= MOST_BYTES && memchr(text, '\0', length) == NULL;
    snprintf(name, sizeof name, "/robots/%d", n + 1);
    if (fits)
      texts[n] =
          (srs_text_entry){srs_text_copy(arena, name, strlen(name)), srs_text_copy(arena, text, length), file->path};
    if (fits && texts[n].name != NULL && texts[n].text != NULL) n++;
    free(text);
  }
  return n;
}
