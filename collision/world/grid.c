// Which spheres are near each other? Grids of cubic cells, one for each power of two in width, hashed.
//
// A sphere of width w = 2 r belongs to the level k with w <= s_k, s_(k+1) = 2 s_k, and to the cell of its centre there.
// Cells are L_k = s_k + margin wide and a little more. Two spheres within the margin of each other,
//
//   |c - c'| <= r + r' + margin <= L_k     with k the coarser of their levels,
//
// have cells of that level that are neighbours or the same. So each sphere is compared with those in its own cell and
// in the 13 neighbours that come after it, and with those in the 27 around it on each coarser level. Levels with few
// spheres, such as that of a floor, have no cells: these are compared with everything.
//
// Cells go into buckets by a hash of their key, level and coordinates in one word, and spheres are put in order of
// their buckets by counting. Other cells in a bucket are told by their key. Far from the origin cells are one:
// coordinates end at 2^19. Nothing is remembered from one search to the next.
#include "collision/world/grid.h"

enum { FEW = 8, MOST_COORDINATE = (1 << 19) - 2 };

static const double WIDER = 1.01; // than needed, for the rounding of coordinates

// ---------------------------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------------------------

static int exponent_of(double width, double least)
{
  int exponent;
  const double part = frexp(width / least, &exponent);
  return part > 0.5 ? exponent : exponent - 1; // the least one with width <= least * 2^exponent, or one more
}

// Sorts the spheres into levels: of each exponent how many, then the coarsest that have more than a few.
static void choose_levels(const srs_ball *const *balls, srs_grid *g)
{
  enum { EXPONENTS = 64 };
  int count[EXPONENTS] = {0}, level_of[EXPONENTS];
  double least = INFINITY;
  for (int i = 0; i < g->n; i++) least = smaller(least, 2 * balls[i]->reach);
  for (int i = 0; i < g->n; i++) {
    const int exponent = exponent_of(2 * balls[i]->reach, least);
    count[exponent < EXPONENTS ? exponent : EXPONENTS - 1]++;
  }
  for (int e = 0; e < EXPONENTS; e++) g->n_levels += count[e] > FEW && e < EXPONENTS - 1;
  const int too_many = g->n_levels - SRS_GRID_LEVELS;
  int level = too_many > 0 ? -too_many : 0; // the finest then join the first that has a place
  for (int e = 0; e < EXPONENTS; e++) {
    level_of[e] = -1;
    if (count[e] <= FEW || e == EXPONENTS - 1) continue;
    level_of[e] = level > 0 ? level : 0;
    g->size[level_of[e]] = ldexp(least, e);
    level++;
  }
  if (too_many > 0) g->n_levels = SRS_GRID_LEVELS;
  for (int i = 0; i < g->n; i++) {
    const int exponent = exponent_of(2 * balls[i]->reach, least);
    g->level[i] = (int8_t)level_of[exponent < EXPONENTS ? exponent : EXPONENTS - 1];
    if (g->level[i] < 0) g->loose[g->n_loose++] = i;
  }
}

bool srs_grid_make(const srs_ball *const *balls, int n, srs_arena *arena, srs_grid *g)
{
  *g = (srs_grid){.n = n, .n_buckets = 2, .shift = 63};
  while (g->n_buckets < 2 * n && g->shift > 40) g->n_buckets *= 2, g->shift--;
  g->level = srs_arena_take(arena, (size_t)n, sizeof *g->level);
  g->loose = srs_arena_take(arena, (size_t)n, sizeof *g->loose);
  g->begin = srs_arena_take(arena, (size_t)g->n_buckets + 1, sizeof *g->begin);
  g->key = srs_arena_take(arena, (size_t)n, sizeof *g->key);
  g->key_of_sphere = srs_arena_take(arena, (size_t)n, sizeof *g->key_of_sphere);
  g->balls = srs_arena_take(arena, (size_t)n, sizeof *g->balls);
  g->id = srs_arena_take(arena, (size_t)n, sizeof *g->id);
  if (arena->failed) return false;
  choose_levels(balls, g);
  return true;
}

double srs_grid_usual_width(const srs_grid *g)
{
  int count[SRS_GRID_LEVELS] = {0}, most = 0;
  if (g->n_levels == 0) return 0;
  for (int i = 0; i < g->n; i++)
    if (g->level[i] >= 0) count[g->level[i]]++;
  for (int l = 1; l < g->n_levels; l++)
    if (count[l] > count[most]) most = l;
  return g->size[most];
}

// ---------------------------------------------------------------------------------------------------------------------
// Searching
// ---------------------------------------------------------------------------------------------------------------------

static uint64_t coordinate(double x, double per)
{
  const double at = x * per, most = MOST_COORDINATE;
  if (!(fabs(at) < most)) return at < 0 ? 2 : 2 + 2 * (uint64_t)MOST_COORDINATE;
  const int64_t whole = (int64_t)at;
  return (uint64_t)(whole - (at < (double)whole) + (2 + MOST_COORDINATE));
}

// Level, z, y, x of a cell: 4 and three times 20 bits, so that a neighbour's key differs by a constant.
static uint64_t key_at(int level, vec3 c, double per)
{
  return (uint64_t)level << 60 | coordinate(c.z, per) << 40 | coordinate(c.y, per) << 20 | coordinate(c.x, per);
}

static uint64_t neighbour(uint64_t key, int x, int y, int z)
{
  return key + (uint64_t)((int64_t)z * (1LL << 40) + (int64_t)y * (1LL << 20) + x);
}

// Cells of one row along x have buckets one after the other.
SRS_INLINE int bucket_of(const srs_grid *g, uint64_t key)
{
  const uint64_t row = (key >> 20) * 0x9e3779b97f4a7c15U >> g->shift;
  return (int)((row + (key & 0xfffff)) & (uint64_t)(g->n_buckets - 1));
}

// Puts the spheres that have cells in order of their buckets. Returns how many.
static int fill(srs_grid *g, const srs_ball *const *balls, const double per[SRS_GRID_LEVELS])
{
  for (int b = 0; b <= g->n_buckets; b++) g->begin[b] = 0;
  for (int i = 0; i < g->n; i++) {
    if (g->level[i] < 0) continue;
    g->key_of_sphere[i] = key_at(g->level[i], balls[i]->centre, per[g->level[i]]);
    g->begin[bucket_of(g, g->key_of_sphere[i])]++;
  }
  int n = 0;
  for (int b = 0; b <= g->n_buckets; b++) n += g->begin[b], g->begin[b] = n;
  for (int i = g->n - 1; i >= 0; i--) {
    if (g->level[i] < 0) continue;
    const int at = --g->begin[bucket_of(g, g->key_of_sphere[i])];
    g->key[at] = g->key_of_sphere[i], g->balls[at] = *balls[i], g->id[at] = i;
  }
  return n;
}

typedef struct search {
  const srs_grid *grid;
  double margin;
  void (*report)(void *user, int i, int j);
  void *user;
} search;

// A sphere with those from place `begin` to before `end` in the `n_cells` cells from `key` on along x.
SRS_INLINE void look_at(const search *s, int begin, int end, uint64_t key, uint64_t n_cells, const srs_ball *ball,
                        int id)
{
  const srs_grid *g = s->grid;
  for (int k = begin; k < end; k++)
    if (g->key[k] - key < n_cells && srs_balls_meet(ball, &g->balls[k], s->margin)) s->report(s->user, id, g->id[k]);
}

static void look_in_cell(const search *s, uint64_t key, int first, const srs_ball *ball, int id)
{
  const int bucket = bucket_of(s->grid, key), begin = s->grid->begin[bucket];
  look_at(s, begin > first ? begin : first, s->grid->begin[bucket + 1], key, 1, ball, id);
}

// The three cells around one in its row.
static void look_in_row(const search *s, uint64_t middle, const srs_ball *ball, int id)
{
  const int bucket = bucket_of(s->grid, middle - 1);
  if (bucket + 2 < s->grid->n_buckets) {
    look_at(s, s->grid->begin[bucket], s->grid->begin[bucket + 3], middle - 1, 3, ball, id);
    return;
  }
  for (int x = -1; x <= 1; x++) look_in_cell(s, neighbour(middle, x, 0, 0), 0, ball, id);
}

static void look_around(const search *s, int at, const double per[SRS_GRID_LEVELS])
{
  const srs_grid *g = s->grid;
  const uint64_t key = g->key[at];
  const srs_ball ball = g->balls[at];
  const int id = g->id[at], level = (int)(key >> 60);
  look_in_cell(s, key, at + 1, &ball, id);
  look_in_cell(s, neighbour(key, 1, 0, 0), 0, &ball, id);
  look_in_row(s, neighbour(key, 0, 1, 0), &ball, id);
  for (int y = -1; y <= 1; y++) look_in_row(s, neighbour(key, 0, y, 1), &ball, id);
  for (int coarser = level + 1; coarser < g->n_levels; coarser++) {
    const uint64_t there = key_at(coarser, ball.centre, per[coarser]);
    for (int y = -1; y <= 1; y++)
      for (int z = -1; z <= 1; z++) look_in_row(s, neighbour(there, 0, y, z), &ball, id);
  }
}

void srs_grid_find(srs_grid *g, const srs_ball *const *balls, double margin, void (*report)(void *user, int i, int j),
                   void *user)
{
  double per[SRS_GRID_LEVELS];
  const search s = {g, margin, report, user};
  for (int l = 0; l < g->n_levels; l++) per[l] = 1 / (WIDER * (g->size[l] + margin));
  const int n = fill(g, balls, per);
  for (int at = 0; at < n; at++) look_around(&s, at, per);
  for (int k = 0; k < g->n_loose; k++) {
    const srs_ball *loose = balls[g->loose[k]];
    for (int at = 0; at < n; at++)
      if (srs_balls_meet(loose, &g->balls[at], margin)) report(user, g->loose[k], g->id[at]);
    for (int l = k + 1; l < g->n_loose; l++)
      if (srs_balls_meet(loose, balls[g->loose[l]], margin)) report(user, g->loose[k], g->loose[l]);
  }
}
