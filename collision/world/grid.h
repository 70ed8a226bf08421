// Spheres that are near each other, by grids of cells. Internal.
#pragma once
#include "collision/world/geometries.h"
#include <stdint.h>

enum { SRS_GRID_LEVELS = 16 };

typedef struct srs_grid {
  int n;                         // spheres
  int n_levels;                  // with cells; the finest first
  double size[SRS_GRID_LEVELS];  // m: no sphere of the level is wider
  int8_t *level;                 // n: -1: a sphere without a cell
  int *loose;                    // n_loose: those
  int n_loose, n_buckets, shift; // n_buckets = 2^(64 - shift)
  int *begin;                    // n_buckets + 1: into the spheres in order of their buckets
  uint64_t *key, *key_of_sphere; // n: of the cell; in that order, and in order of the spheres
  srs_ball *balls;               // n: in that order
  int *id;                       // n: likewise
} srs_grid;

/// @param balls  n: of which the radii count, which stay   @return false when out of memory
bool srs_grid_make(const srs_ball *const *balls, int n, srs_arena *arena, srs_grid *grid);

/// Calls report once for every two spheres within margin of each other, in no order that matters.
/// @param balls  n
void srs_grid_find(srs_grid *grid, const srs_ball *const *balls, double margin,
                   void (*report)(void *user, int i, int j), void *user);

/// The width of the spheres that are most, up to a factor of 2, m.
double srs_grid_usual_width(const srs_grid *grid);
