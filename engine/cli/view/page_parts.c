// The files that a page is made of. The assembler copies them into the program as they are (.incbin); the build says
// where three.js, its controls and its licence are (SARRUS_PAGE_THREE, _CONTROLS, _LICENCE) and where page/ is.

#include "engine/cli/view/page_parts.h"

#include <string.h>

#ifdef SARRUS_PAGE_THREE

#define PART(symbol, path)                                                                                             \
  __asm__(".pushsection .rodata\n"                                                                                     \
          ".hidden " #symbol "\n.globl " #symbol "\n" #symbol ":\n"                                                    \
          ".incbin \"" path "\"\n"                                                                                     \
          ".hidden " #symbol "_end\n.globl " #symbol "_end\n" #symbol "_end:\n.byte 0\n"                               \
          ".popsection\n");                                                                                            \
  extern const char symbol[], symbol##_end[]; // NOLINT(bugprone-macro-parentheses)

PART(srs_page_three, SARRUS_PAGE_THREE)
PART(srs_page_controls, SARRUS_PAGE_CONTROLS)
PART(srs_page_licence, SARRUS_PAGE_LICENCE)
PART(srs_page_html, SARRUS_PAGE_FOLDER "/page.html")
PART(srs_page_css, SARRUS_PAGE_FOLDER "/page.css")
PART(srs_page_run, SARRUS_PAGE_FOLDER "/run.js")
PART(srs_page_solids, SARRUS_PAGE_FOLDER "/solids.js")
PART(srs_page_stage, SARRUS_PAGE_FOLDER "/stage.js")
PART(srs_page_marks, SARRUS_PAGE_FOLDER "/marks.js")
PART(srs_page_curves, SARRUS_PAGE_FOLDER "/curves.js")
PART(srs_page_player, SARRUS_PAGE_FOLDER "/player.js")
PART(srs_page_live, SARRUS_PAGE_FOLDER "/live.js")
PART(srs_page_main, SARRUS_PAGE_FOLDER "/main.js")

static const srs_page_part parts[] = {
    {"page.html", srs_page_html, srs_page_html_end},     {"page.css", srs_page_css, srs_page_css_end},
    {"three.js", srs_page_three, srs_page_three_end},    {"controls.js", srs_page_controls, srs_page_controls_end},
    {"licence", srs_page_licence, srs_page_licence_end}, {"run.js", srs_page_run, srs_page_run_end},
    {"solids.js", srs_page_solids, srs_page_solids_end}, {"stage.js", srs_page_stage, srs_page_stage_end},
    {"marks.js", srs_page_marks, srs_page_marks_end},    {"curves.js", srs_page_curves, srs_page_curves_end},
    {"player.js", srs_page_player, srs_page_player_end}, {"main.js", srs_page_main, srs_page_main_end},
    {"live.js", srs_page_live, srs_page_live_end},
};

const srs_page_part *srs_page_part_named(const char *name, size_t length)
{
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strlen(parts[i].name) == length && strncmp(parts[i].name, name, length) == 0) return &parts[i];
  return NULL;
}

#else

const srs_page_part *srs_page_part_named(const char *name, size_t length)
{
  (void)name, (void)length;
  return NULL;
}

#endif
