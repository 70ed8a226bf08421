// Scenes of many discs (spheres in a plane) between walls, written as a file would be.
#pragma once
#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pile {
  int n;               // discs of radius 1 m, density 1 kg/m^2
  double width;        // between the walls, m
  double nut;          // radius of one more disc in the middle of the floor, 0: none
  bool is_shaken;      // the floor goes up and down as in Hart & Anitescu's Brazil nut; else it stands
  bool is_reversed;    // bodies are listed from the last to the first
  double distance;     // of contacts that enter, m
  double dt;           // s
  const char *solver;  // what stands in its braces
  const char *contact; // what else stands in those of contacts; NULL: nothing
  int capacity;        // contacts for which memory is set aside; 0: it grows
} pile;

typedef struct pile_text {
  char *text;
  size_t room, used;
} pile_text;

__attribute__((format(printf, 2, 3))) static inline void pile_print(pile_text *t, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(t->text + t->used, t->room - t->used, format, arguments);
  va_end(arguments);
  assert_true(n >= 0 && (size_t)n < t->room - t->used);
  t->used += (size_t)n;
}

static inline void pile_disc(pile_text *t, const char *name, double radius)
{
  const double mass = 3.14159265358979323846 * radius * radius, inertia = 0.5 * mass * radius * radius;
  pile_print(t,
             "  - {name: %s, links: [{name: disc, mass: %.17g, inertia: [%.17g, %.17g, %.17g]}],\n     joints: [{name: "
             "plane, kind: planar, axis: [0, 0, 1], child: disc}],\n     shapes: [{link: disc, kind: sphere, radius: "
             "%.17g}]}\n",
             name, mass, inertia, inertia, inertia, radius);
}

// Rows 1.85 m apart of discs 2.1 m apart, a little off their places, none in the nut.
static inline void pile_places(const pile *p, double (*places)[2])
{
  const int per_row = (int)((p->width - 0.2) / 2.1);
  for (int n = 0, row = 0; n < p->n; row++)
    for (int i = 0; i < per_row - row % 2 && n < p->n; i++) {
      const double x = 2.1 * (i - 0.5 * (per_row - row % 2 - 1)) + 0.02 * ((7 * i + 3 * row) % 5 - 2);
      const double y = 1 + 1.85 * row;
      if (p->nut > 0 && hypot(x, y - p->nut) < p->nut + 1.05) continue;
      places[n][0] = x, places[n++][1] = y;
    }
}

static inline srs_scene *pile_scene(const pile *p)
{
  const size_t n = (size_t)p->n;
  pile_text t = {.room = 4096 + 512 * n};
  t.text = malloc(t.room);
  double(*places)[2] = malloc(n * sizeof *places);
  assert_true(t.text != NULL && places != NULL);
  pile_places(p, places);
  pile_print(&t, "gravity: [0, -9.81, 0]\nmodels:\n");
  if (p->is_shaken)
    pile_print(&t, "  - name: floor\n"
                   "    links: [{name: slab, mass: 1000, inertia: [1000, 1000, 1000]}]\n"
                   "    joints: [{name: lift, kind: prismatic, axis: [0, 1, 0], child: slab}]\n"
                   "    couplings: [{follower: lift, motion: {sine: {amplitude: -2, frequency: 3.351032163829113, "
                   "phase: 1.5707963267948966}, start: 2}}]\n"
                   "    shapes: [{name: ground, link: slab, kind: half-space, normal: [0, 1, 0], offset: 0}]\n");
  if (p->nut > 0) pile_disc(&t, "nut", p->nut);
  for (int i = 0; i < p->n; i++) {
    char name[16];
    snprintf(name, sizeof name, "d%d", p->is_reversed ? p->n - 1 - i : i);
    pile_disc(&t, name, 1);
  }
  pile_print(&t, "environment:\n");
  if (!p->is_shaken) pile_print(&t, "  - {name: floor, shape: half-space, normal: [0, 1, 0], offset: 0}\n");
  pile_print(&t,
             "  - {name: left, shape: half-space, normal: [1, 0, 0], offset: %.17g}\n"
             "  - {name: right, shape: half-space, normal: [-1, 0, 0], offset: %.17g}\n",
             -0.5 * p->width, -0.5 * p->width);
  if (p->is_shaken) pile_print(&t, "collision: {exclude: [[floor/ground, left], [floor/ground, right]]}\n");
  pile_print(
      &t,
      "contact: {friction: 0.5, activation: distance, distance: %.17g, normal: hart, error_reduction: 1, capacity: "
      "%d%s}\n"
      "solver: {%s}\ndt: %.17g\ninitial:\n  q:\n",
      p->distance, p->capacity, p->contact == NULL ? "" : p->contact, p->solver, p->dt);
  if (p->nut > 0) pile_print(&t, "    nut/plane: [0, %.17g, 0]\n", p->nut);
  for (int i = 0; i < p->n; i++) pile_print(&t, "    d%d/plane: [%.17g, %.17g, 0]\n", i, places[i][0], places[i][1]);
  srs_scene *scene;
  srs_error error;
  if (srs_scene_load(testing_write("pile.yaml", t.text), NULL, &scene, &error) != SRS_OK)
    fail_msg("line %d: %s", error.line, error.message);
  free(t.text);
  free(places);
  return scene;
}

static inline world pile_world(const pile *p)
{
  world w = {.scene = pile_scene(p)};
  srs_error error;
  if (srs_scene_create_sim(w.scene, NULL, &w.sim, &error) != SRS_OK) fail_msg("%s", error.message);
  w.model = srs_sim_model(w.sim);
  return w;
}
