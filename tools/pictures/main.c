// Which picture is wanted? docs/pictures/README.md lists the commands and options.
#include "tools/pictures/picture.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: picture scene SCENE.yaml --at T[,T...] --out FILE.svg [--view front|side|top|AZIMUTH,ELEVATION]\n"
    "         [--size WIDTH[,HEIGHT]] [--columns N] [--overlay] [--window LEFT,BOTTOM,RIGHT,TOP] [--trace FRAME]...\n"
    "         [--mark LINK] [--contacts] [--title TEXT]\n"
    "       picture plot FILE.csv --x COLUMN --y COLUMN[,COLUMN...] --out FILE.svg [--and FILE.csv]... [--label "
    "TEXT]...\n"
    "         [--log-x] [--log-y] [--title TEXT] [--x-label TEXT] [--y-label TEXT] [--y-range LOW,HIGH]\n"
    "         [--size WIDTH,HEIGHT]\n";

int main(int argc, char **argv)
{
  const char *command = argc > 1 ? argv[1] : "";
  if (strcmp(command, "--help") == 0 || (argc == 3 && strcmp(argv[2], "--help") == 0)) {
    fputs(usage, stdout);
    return 0;
  }
  srs_error error = {.status = SRS_ERROR_ARGUMENT, .message = "a command is missing: scene or plot"};
  srs_status status = SRS_ERROR_ARGUMENT;
  if (strcmp(command, "scene") == 0)
    status = picture_scene(argc - 2, argv + 2, &error);
  else if (strcmp(command, "plot") == 0)
    status = picture_plot(argc - 2, argv + 2, &error);
  else if (argc > 1)
    snprintf(error.message, sizeof error.message, "no command '%s'; there are scene and plot", command);
  if (status == SRS_OK) return 0;
  char text[1024];
  fprintf(stderr, "picture: %s%s\n", srs_error_format(&error, text, sizeof text),
          status == SRS_ERROR_ARGUMENT ? "; see picture --help" : "");
  return status == SRS_ERROR_ARGUMENT ? 2 : 1;
}
