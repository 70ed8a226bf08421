// A link as MJCF: its body element, left open, with joint and inertia.
#pragma once
#include "peers.h"
#include <sarrus/base.h>
#include <sarrus/topology.h>
#include <stdio.h>

static inline void mjcf_numbers(FILE *out, const char *attribute, const double *values, int n)
{
  fprintf(out, " %s=\"", attribute);
  for (int i = 0; i < n; i++) {
    char text[32];
    srs_format_number(values[i], text);
    fprintf(out, "%s%s", i > 0 ? " " : "", text);
  }
  fputs("\"", out);
}

static inline void mjcf_body(FILE *out, const bench_link *link)
{
  double quaternion[4];
  fprintf(out, "<body name=\"%s\"", link->name);
  mjcf_numbers(out, "pos", link->position, 3);
  srs_quaternion_from_rotation(link->rotation, quaternion);
  mjcf_numbers(out, "quat", quaternion, 4);
  fputs(">", out);
  if (link->joint == BENCH_FREE) {
    fputs("<freejoint/>", out);
  } else {
    fprintf(out, "<joint type=\"%s\"", link->joint == BENCH_REVOLUTE ? "hinge" : "slide");
    mjcf_numbers(out, "axis", link->axis, 3);
    fputs("/>", out);
  }
  fputs("<inertial", out);
  mjcf_numbers(out, "mass", &link->mass, 1);
  mjcf_numbers(out, "pos", link->com, 3);
  srs_quaternion_from_rotation(link->principal, quaternion);
  mjcf_numbers(out, "quat", quaternion, 4);
  mjcf_numbers(out, "diaginertia", link->moments, 3);
  fputs("/>\n", out);
}
