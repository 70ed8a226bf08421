// Divides a mesh into its connected pieces and checks that each is convex.
//
// Corners at the same place within one object are one vertex; triangles that share a vertex are connected. A piece is
// convex if the plane of each of its triangles has all vertices on one side. Where it has vertices on both, the smaller
// of the two distances is the depth of a dent; the deepest is reported. Which side is the outer one does not matter, so
// triangles may have either orientation. A dent below 1e-4 of the piece's size is ignored, since STL rounds its
// numbers: the hull of the vertices fills it.
#include "topology/mesh/mesh_pieces.h"
#include "topology/base/errors.h"
#include "topology/base/spatial.h"

#include <stdlib.h>
#include <string.h>

static const double DENT = 1e-4, FLAT = 1e-6, NO_AREA = 1e-12; // of the size, and of its square

typedef struct corner {
  double x[3];
  int group, at; // 3 times the triangle, and which of its corners
} corner;

typedef struct parting {
  const srs_mesh *mesh;
  srs_error *error;
  corner *corners; // 3 n_triangles: sorted by group and place
  int *vertex;     // 3 n_triangles: the vertex of each corner
  vec3 *places;    // n_vertices
  int *next;       // n_vertices: union-find over connected vertices
  int *piece;      // n_vertices: number of the piece that it stands for, or -1
  int n_vertices, n_pieces;
} parting;

static srs_status no_memory(const parting *p)
{
  return srs_fail(p->error, SRS_ERROR_MEMORY, p->mesh->path, 0, 0, NULL, "out of memory for the pieces of a mesh");
}

// ---------------------------------------------------------------------------------------------------------------------
// Vertices and pieces
// ---------------------------------------------------------------------------------------------------------------------

static int by_place(const void *first, const void *second)
{
  const corner *a = first, *b = second;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  for (int c = 0; c < 3; c++)
    if (a->x[c] != b->x[c]) return a->x[c] < b->x[c] ? -1 : 1;
  return (a->at > b->at) - (a->at < b->at);
}

static bool are_one(const corner *a, const corner *b)
{
  return a->group == b->group && a->x[0] == b->x[0] && a->x[1] == b->x[1] && a->x[2] == b->x[2];
}

static void weld(parting *p, const double scale[3])
{
  const srs_mesh *m = p->mesh;
  const size_t n = 3 * (size_t)m->n_triangles;
  for (size_t i = 0; i < n; i++) {
    p->corners[i].group = m->group[i / 3];
    p->corners[i].at = (int)i;
    for (size_t c = 0; c < 3; c++)
      p->corners[i].x[c] = scale[c] * m->points[3 * (size_t)m->triangles[i] + c] + 0.0; // never -0
  }
  qsort(p->corners, n, sizeof *p->corners, by_place);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || !are_one(&p->corners[i], &p->corners[i - 1])) p->places[p->n_vertices++] = vec3_load(p->corners[i].x);
    p->vertex[p->corners[i].at] = p->n_vertices - 1;
  }
}

static int root_of(int *next, int i)
{
  while (next[i] != i) i = next[i] = next[next[i]];
  return i;
}

static void join(parting *p)
{
  const size_t n = (size_t)p->mesh->n_triangles;
  for (int i = 0; i < p->n_vertices; i++) p->next[i] = i, p->piece[i] = -1;
  for (size_t t = 0; t < n; t++)
    for (size_t k = 1; k < 3; k++) {
      const int a = root_of(p->next, p->vertex[3 * t]), b = root_of(p->next, p->vertex[3 * t + k]);
      p->next[a > b ? a : b] = a > b ? b : a;
    }
  for (size_t t = 0; t < n; t++) {
    const int root = root_of(p->next, p->vertex[3 * t]);
    if (p->piece[root] < 0) p->piece[root] = p->n_pieces++;
  }
}

static int piece_of(parting *p, int vertex) { return p->piece[root_of(p->next, vertex)]; }

// ---------------------------------------------------------------------------------------------------------------------
// Convexity
// ---------------------------------------------------------------------------------------------------------------------

typedef struct form {
  double size, dent, thickness; // m
  int line, group;              // of the triangle by the deepest dent, else of the first
} form;

// How far a piece's corners are on both sides of a triangle's plane.
static void look_along(const srs_mesh_piece *piece, vec3 from, vec3 normal, double *above, double *below)
{
  *above = *below = 0;
  for (int i = 0; i < piece->n_points; i++) {
    const double far = dot3(normal, sub3(vec3_load(piece->points + 3 * (size_t)i), from));
    *above = fmax(*above, far);
    *below = fmax(*below, -far);
  }
}

static void validate_triangle(parting *p, size_t triangle, const srs_mesh_piece *piece, form *f)
{
  const int *v = p->vertex + 3 * triangle;
  const vec3 from = p->places[v[0]];
  const vec3 normal = cross3(sub3(p->places[v[1]], from), sub3(p->places[v[2]], from));
  const double length = norm3(normal);
  if (!(length > NO_AREA * f->size * f->size)) return;
  double above, below;
  look_along(piece, from, scale3(1 / length, normal), &above, &below);
  f->thickness = fmax(f->thickness, fmax(above, below));
  if (fmin(above, below) <= f->dent) return;
  f->dent = fmin(above, below);
  f->line = p->mesh->line[triangle];
}

static srs_status refuse(const parting *p, int piece, const form *f, const char *what, const char *cure)
{
  const char *name = p->mesh->groups[f->group];
  return srs_fail(p->error, SRS_ERROR_MODEL, p->mesh->path, f->line, 0, name, "piece %d of %d%s%.60s%s %s: %s",
                  piece + 1, p->n_pieces, *name != '\0' ? " (in '" : "", name, *name != '\0' ? "')" : "", what, cure);
}

static srs_status validate_piece(const parting *p, int piece, const form *f)
{
  char what[96];
  if (f->dent > DENT * f->size) {
    srs_print(what, sizeof what, "is not convex, its deepest dent is %.3g m", f->dent);
    return refuse(p, piece, f, what, "split it into convex objects ('o NAME' in the file) that do not share corners");
  }
  if (f->thickness > FLAT * f->size) return SRS_OK;
  return refuse(p, piece, f, "is flat", "give it a thickness, or leave it out; objects must be whole solids");
}

static srs_status validate_all(parting *p, const srs_mesh_piece *pieces, form *forms)
{
  for (int i = 0; i < p->n_pieces; i++) {
    const vec3 first = vec3_load(pieces[i].points);
    for (int k = 0; k < pieces[i].n_points; k++)
      forms[i].size = fmax(forms[i].size, norm3(sub3(vec3_load(pieces[i].points + 3 * (size_t)k), first)));
  }
  for (size_t t = 0; t < (size_t)p->mesh->n_triangles; t++) {
    const int i = piece_of(p, p->vertex[3 * t]);
    validate_triangle(p, t, &pieces[i], &forms[i]);
  }
  for (int i = 0; i < p->n_pieces; i++) {
    const srs_status status = validate_piece(p, i, &forms[i]);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Parting
// ---------------------------------------------------------------------------------------------------------------------

// Vertices of each piece, in order of their places.
static bool fill(parting *p, srs_arena *arena, srs_mesh_piece *pieces, form *forms)
{
  for (int i = 0; i < p->n_vertices; i++) pieces[piece_of(p, i)].n_points++;
  for (int i = 0; i < p->n_pieces; i++) {
    pieces[i].points = srs_arena_take(arena, 3 * (size_t)pieces[i].n_points, sizeof(double));
    if (pieces[i].points == NULL) return false;
    pieces[i].n_points = 0;
  }
  for (int i = 0; i < p->n_vertices; i++) {
    srs_mesh_piece *piece = &pieces[piece_of(p, i)];
    vec3_store((double *)piece->points + 3 * (size_t)piece->n_points++, p->places[i]);
  }
  for (int t = p->mesh->n_triangles - 1; t >= 0; t--) { // the first of each comes last
    const int i = piece_of(p, p->vertex[3 * (size_t)t]);
    pieces[i].group = forms[i].group = p->mesh->group[t];
    forms[i].line = p->mesh->line[t];
  }
  return true;
}

srs_status srs_mesh_convex_pieces(const srs_mesh *mesh, const double scale[3], srs_arena *arena,
                                  const srs_mesh_piece **pieces, int *n_pieces, srs_error *error)
{
  const size_t n = 3 * (size_t)mesh->n_triangles;
  parting p = {.mesh = mesh, .error = error};
  srs_arena scratch = {0};
  p.corners = srs_arena_take(&scratch, n, sizeof *p.corners);
  p.vertex = srs_arena_take(&scratch, n, sizeof *p.vertex);
  p.places = srs_arena_take(&scratch, n, sizeof *p.places);
  p.next = srs_arena_take(&scratch, n, sizeof *p.next);
  p.piece = srs_arena_take(&scratch, n, sizeof *p.piece);
  srs_status status = scratch.failed ? no_memory(&p) : SRS_OK;
  if (status == SRS_OK) {
    weld(&p, scale);
    join(&p);
    srs_mesh_piece *found = srs_arena_take(arena, (size_t)p.n_pieces, sizeof *found);
    form *forms = srs_arena_take(&scratch, (size_t)p.n_pieces, sizeof *forms);
    const bool has_room = found != NULL && forms != NULL && fill(&p, arena, found, forms);
    status = has_room ? validate_all(&p, found, forms) : no_memory(&p);
    *pieces = found;
    *n_pieces = p.n_pieces;
  }
  srs_arena_release(&scratch);
  return status;
}
