// Convex polyhedra and polygons about a point inside them: facets, corners and edges for the ratio metric.
//
// A polyhedron is a hull (hull.c) moved to its centre; the centroid is the sum over tetrahedra from one point to the
// triangles of all faces, weighted by volume. A polygon is built by Andrew's monotone chain: points in order of x, then
// y; the lower and the upper chain each keep only left turns, decided exactly (orient.c). Its centroid is the sum over
// triangles. The offset of a facet is that of its outermost corner after the move, so that facets contain all of them.
//
// Facets are shuffled once (Fisher and Yates, fixed seed): taken in their order they come at random, and the same way
// every time.
#include "collision/ratio/polytope.h"
#include "topology/base/errors.h"
#include "topology/mesh/orient.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double FLAT = 1e-6;   // a polygon's area beside the square of its length
static const double INSIDE = 1e-9; // of the reach: how far inside the centre is at least

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for a polyhedron");
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory and order
// ---------------------------------------------------------------------------------------------------------------------

// The arrays while they are filled.
typedef struct draft {
  srs_polytope *polytope;
  double *gauge[3], *offsets;
  vec3 *normals, *corners;
  int *begin, *ring;
  srs_polytope_edge *edges;
} draft;

static draft take(int dimension, int n_facets, int n_corners, int n_edges, int n_ring)
{
  const size_t f = (size_t)n_facets, c = (size_t)n_corners, e = (size_t)n_edges, r = (size_t)n_ring;
  draft d = {.polytope = malloc(sizeof(srs_polytope) + (f + c) * sizeof(vec3) + 4 * f * sizeof(double) +
                                e * sizeof(srs_polytope_edge) + (f + 1 + r) * sizeof(int))};
  if (d.polytope == NULL) return d;
  d.normals = (vec3 *)(d.polytope + 1);
  d.corners = d.normals + f;
  d.offsets = (double *)(d.corners + c);
  for (int k = 0; k < 3; k++) d.gauge[k] = d.offsets + (size_t)(k + 1) * f;
  d.edges = (srs_polytope_edge *)(d.offsets + 4 * f);
  d.begin = (int *)(d.edges + e);
  d.ring = d.begin + f + 1;
  *d.polytope = (srs_polytope){.dimension = dimension,
                               .n_facets = n_facets,
                               .n_corners = n_corners,
                               .n_edges = n_edges,
                               .gauge = {d.gauge[0], d.gauge[1], d.gauge[2]},
                               .normals = d.normals,
                               .offsets = d.offsets,
                               .corners = d.corners,
                               .facet_begin = d.begin,
                               .facet_corners = d.ring,
                               .edges = d.edges};
  return d;
}

static int *shuffled(int n)
{
  int *order = malloc((size_t)n * sizeof *order);
  uint64_t state = 20070601;
  for (int i = 0; order != NULL && i < n; i++) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const int k = (int)((state >> 33) % (uint64_t)(i + 1));
    order[i] = order[k];
    order[k] = i;
  }
  return order;
}

// Moves the corners to the centre, fits the offsets and fills what follows from them.
static srs_status finish(draft *d, vec3 centre, srs_polytope **polytope, srs_error *error)
{
  srs_polytope *p = d->polytope;
  p->centre = centre;
  for (int i = 0; i < p->n_corners; i++) {
    d->corners[i] = sub3(d->corners[i], centre);
    p->reach = fmax(p->reach, norm3(d->corners[i]));
  }
  p->inradius = INFINITY;
  for (int f = 0; f < p->n_facets; f++) {
    d->offsets[f] = -INFINITY;
    for (int i = d->begin[f]; i < d->begin[f + 1]; i++)
      d->offsets[f] = fmax(d->offsets[f], dot3(d->normals[f], d->corners[d->ring[i]]));
    p->inradius = fmin(p->inradius, d->offsets[f]);
  }
  if (!(p->inradius > INSIDE * p->reach)) {
    free(p);
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, NULL,
                    "the centre (%g, %g, %g) is not inside of its polyhedron: give one that is, or none", centre.x,
                    centre.y, centre.z);
  }
  for (int f = 0; f < p->n_facets; f++) {
    d->gauge[0][f] = d->normals[f].x / d->offsets[f];
    d->gauge[1][f] = d->normals[f].y / d->offsets[f];
    d->gauge[2][f] = d->normals[f].z / d->offsets[f];
  }
  *polytope = p;
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Polyhedra
// ---------------------------------------------------------------------------------------------------------------------

static vec3 centroid_of_hull(const srs_hull *h)
{
  const vec3 from = h->corners[0];
  vec3 sum = vec3_zero;
  double volume = 0;
  for (int f = 0; f < h->n_faces; f++) {
    const int *ring = h->face_corners + h->face_begin[f], n = h->face_begin[f + 1] - h->face_begin[f];
    const vec3 a = sub3(h->corners[ring[0]], from);
    for (int i = 1; i + 1 < n; i++) {
      const vec3 b = sub3(h->corners[ring[i]], from), c = sub3(h->corners[ring[i + 1]], from);
      const double v = dot3(a, cross3(b, c));
      volume += v;
      sum = add_scaled3(sum, v / 4, add3(a, add3(b, c)));
    }
  }
  return add_scaled3(from, 1 / volume, sum);
}

srs_status srs_polytope_from_hull(const srs_hull *hull, const vec3 *centre, srs_polytope **polytope, srs_error *error)
{
  *polytope = NULL;
  draft d = take(3, hull->n_faces, hull->n_corners, hull->n_edges, hull->face_begin[hull->n_faces]);
  int *order = shuffled(hull->n_faces);
  if (d.polytope == NULL || order == NULL) {
    free(d.polytope);
    free(order);
    return no_memory(error);
  }
  memcpy(d.corners, hull->corners, (size_t)hull->n_corners * sizeof *d.corners);
  d.begin[0] = 0;
  for (int f = 0; f < hull->n_faces; f++) {
    const int given = order[f], n = hull->face_begin[given + 1] - hull->face_begin[given];
    d.normals[f] = hull->normals[given];
    memcpy(d.ring + d.begin[f], hull->face_corners + hull->face_begin[given], (size_t)n * sizeof *d.ring);
    d.begin[f + 1] = d.begin[f] + n;
  }
  for (int e = 0; e < hull->n_edges; e++) {
    const int *edge = hull->edges + 4 * (size_t)e;
    d.edges[e] = (srs_polytope_edge){edge[0], edge[1]};
  }
  free(order);
  return finish(&d, centre != NULL ? *centre : centroid_of_hull(hull), polytope, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Polygons
// ---------------------------------------------------------------------------------------------------------------------

static int by_place(const void *a, const void *b)
{
  const vec3 *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y;
}

static bool turns_left(vec3 a, vec3 b, vec3 c) { return srs_orient(a, b, c, (vec3){a.x, a.y, 1}) > 0; }

// Points in order become the corners, counter-clockwise; line has room for one more than twice as many.
static int enclose(const vec3 *points, int n, vec3 *line)
{
  int k = 0;
  for (int i = 0; i < n; i++) {
    while (k >= 2 && !turns_left(line[k - 2], line[k - 1], points[i])) k--;
    line[k++] = points[i];
  }
  for (int i = n - 2, lower = k + 1; i >= 0; i--) {
    while (k >= lower && !turns_left(line[k - 2], line[k - 1], points[i])) k--;
    line[k++] = points[i];
  }
  return k - 1; // the last is the first again
}

static double cross2(vec3 a, vec3 b) { return a.x * b.y - a.y * b.x; }

// The centroid; false where there is no area to speak of.
static bool centroid_of_polygon(const vec3 *corners, int n, vec3 *centroid)
{
  vec3 sum = vec3_zero;
  double area = 0, length = 0;
  for (int i = 1; i + 1 < n; i++) {
    const vec3 a = sub3(corners[i], corners[0]), b = sub3(corners[i + 1], corners[0]);
    area += cross2(a, b);
    sum = add_scaled3(sum, cross2(a, b) / 3, add3(a, b));
    length = fmax(length, fmax(norm3(a), norm3(b)));
  }
  *centroid = add_scaled3(corners[0], 1 / area, sum);
  return area > FLAT * length * length;
}

static srs_status make_polygon(const vec3 *corners, int n, const vec3 *centre, srs_polytope **polytope,
                               srs_error *error)
{
  vec3 centroid;
  if (n < 3 || !centroid_of_polygon(corners, n, &centroid))
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, NULL,
                    "the points of a polygon span no area: give three or more that do not lie on one line");
  draft d = take(2, n, n, 0, 2 * n);
  int *order = shuffled(n);
  if (d.polytope == NULL || order == NULL) {
    free(d.polytope);
    free(order);
    return no_memory(error);
  }
  memcpy(d.corners, corners, (size_t)n * sizeof *corners);
  for (int f = 0; f < n; f++) {
    const int from = order[f], to = (from + 1) % n;
    const vec3 along = sub3(corners[to], corners[from]);
    const double length = norm3(along);
    d.normals[f] = (vec3){along.y / length, -along.x / length, 0};
    int *ring = d.ring + 2 * (size_t)f;
    d.begin[f] = 2 * f;
    ring[0] = from, ring[1] = to;
  }
  d.begin[n] = 2 * n;
  free(order);
  return finish(&d, centre != NULL ? *centre : centroid, polytope, error);
}

static srs_status polygon_from_points(const double *points, int n, const vec3 *centre, srs_polytope **polytope,
                                      srs_error *error)
{
  vec3 *sorted = malloc(3 * (size_t)n * sizeof *sorted + sizeof *sorted), *line = sorted + n;
  if (sorted == NULL) return no_memory(error);
  for (int i = 0; i < n; i++) {
    const double *point = points + 2 * (size_t)i;
    sorted[i] = (vec3){point[0], point[1], 0};
  }
  qsort(sorted, (size_t)n, sizeof *sorted, by_place);
  const srs_status status = make_polygon(line, enclose(sorted, n, line), centre, polytope, error);
  free(sorted);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The public part
// ---------------------------------------------------------------------------------------------------------------------

srs_status srs_polytope_create(const double *points, int n_points, int dimension, const double *centre,
                               srs_polytope **polytope, srs_error *error)
{
  if (polytope == NULL || points == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "srs_polytope_create: an argument is NULL");
  *polytope = NULL;
  if (dimension != 2 && dimension != 3)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "a polyhedron has 3 dimensions, a polygon 2, not %d",
                    dimension);
  if (n_points <= dimension)
    return srs_fail(error, SRS_ERROR_MODEL, NULL, 0, 0, NULL, "%d points span no %s: give %d or more",
                    n_points < 0 ? 0 : n_points, dimension == 3 ? "volume" : "area", dimension + 1);
  for (int i = 0; i < dimension * n_points; i++)
    if (!isfinite(points[i]))
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, NULL, "point %d of a polyhedron is not finite",
                      i / dimension);
  for (int i = 0; centre != NULL && i < dimension; i++)
    if (!isfinite(centre[i]))
      return srs_fail(error, SRS_ERROR_NOT_FINITE, NULL, 0, 0, NULL, "the centre of a polyhedron is not finite");
  const vec3 at = centre != NULL ? (vec3){centre[0], centre[1], dimension == 3 ? centre[2] : 0} : vec3_zero;
  if (dimension == 2) return polygon_from_points(points, n_points, centre != NULL ? &at : NULL, polytope, error);
  srs_hull *hull = NULL;
  srs_status status = srs_hull_create(points, n_points, &hull, error);
  if (status == SRS_OK) status = srs_polytope_from_hull(hull, centre != NULL ? &at : NULL, polytope, error);
  free(hull);
  return status;
}

void srs_polytope_destroy(srs_polytope *polytope) { free(polytope); }

int srs_polytope_n_facets(const srs_polytope *polytope) { return polytope->n_facets; }

void srs_polytope_facet(const srs_polytope *p, int facet, double normal[3], double *offset)
{
  vec3_store(normal, p->normals[facet]);
  *offset = p->offsets[facet] + dot3(p->normals[facet], p->centre);
}

void srs_polytope_centre(const srs_polytope *p, double centre[3], double *inradius)
{
  vec3_store(centre, p->centre);
  *inradius = p->inradius;
}
