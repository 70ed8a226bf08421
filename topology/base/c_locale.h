// The "C" locale for the calling thread, whatever the process's. Internal.
//
// glibc hands out its built-in "C" locale without allocating.
#pragma once
#include <locale.h>

typedef struct c_locale {
  locale_t c, before;
} c_locale;

static inline c_locale enter_c_locale(void)
{
  const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return (c_locale){c, c != (locale_t)0 ? uselocale(c) : (locale_t)0};
}

static inline void leave_c_locale(c_locale locale)
{
  if (locale.c == (locale_t)0) return;
  uselocale(locale.before);
  freelocale(locale.c);
}
