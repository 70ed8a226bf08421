// The files that a page is made of, within this program. Internal.
#pragma once
#include <stddef.h>

typedef struct srs_page_part {
  const char *name; // as in page.html, between {{ and }}
  const char *begin, *end;
} srs_page_part;

/// NULL where there is none of that name, or the program was built without pages.
const srs_page_part *srs_page_part_named(const char *name, size_t length);
