/// Collision detection: contact points, distances, overlaps and rays for the shapes of a model at given placements.
///
/// No call depends on earlier ones: the same placements give the same contacts, bit for bit and in the same order. Gaps
/// contain no collision margin.
#pragma once
#include <sarrus/topology.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One contact point: the nearest points of two surfaces, or the deepest ones where they overlap.
typedef struct srs_contact_point {
  int shape_a, shape_b; // indices of the model's shapes, shape_a < shape_b
  int link_a, link_b;   // links that carry them, -1: the world
  double point_a[3];    // on A's surface, m, world
  double point_b[3];    // on B's
  double normal[3];     // unit, from B to A
  double gap;           // normal . (point_a - point_b), m; negative where the shapes overlap
  uint64_t feature;     // which features meet; constant as long as the same ones meet
  // The distance measure; its rate is slope * normal . (velocity of A less that of B at the witness).
  double phi;        // the gap, m; of the ratio metric the event's phi, without unit
  double slope;      // 1; of the ratio metric the length of phi's gradient in x_A, 1/m
  double witness[3]; // halfway between the points; of the ratio metric where the grown bodies meet; world
  // Where several planes may separate the pair (corners): at least one of its `n_sides` sides must hold, each with all
  // of its contact points, which follow one another. 0 of 0: an ordinary contact.
  int side, n_sides; // 1 to n_sides
} srs_contact_point;

/// The most contact points that one pair of convex shapes has; they bound the contact area. By the ratio metric: the
/// most with one normal.
enum { SRS_MANIFOLD_POINTS = 8 };

/// The distance measure for pairs of boxes and hulls. All other pairs use the Euclidean distance.
typedef enum srs_distance_measure {
  SRS_DISTANCE_EUCLIDEAN,    // Euclidean distance and penetration depth: closed forms, GJK and EPA
  SRS_DISTANCE_RATIO_METRIC, // corners on faces and edges on edges near the optimum of the ratio metric, each with a
                             // normal of its own (srs_ratio_events of ratio_metric.h)
} srs_distance_measure;

/// What finds the nearest or deepest points of two convex solids. Half-spaces, ground, ellipsoids and other smooth
/// shapes, and pairs with the ratio metric have methods of their own whichever it is.
typedef enum srs_detector {
  SRS_DETECTOR_EXACT,  // closed forms, our GJK and EPA: exact to rounding
  SRS_DETECTOR_BULLET, // Bullet's GJK and EPA for every pair of boxes, hulls, cylinders, cones, capsules and spheres; a
                       // second opinion: as accurate as docs/contact.md says
} srs_detector;

typedef struct srs_collider_options {
  srs_self_collision self_collision; // of all robots. Default SRS_SELF_COLLISION_OWN: as each robot says
  bool parent_child;             // also between a link and its parent (lumped links and the static base count as one).
                                 // Default false
  const char *const *excluded;   // names or labels of shapes, or names of the links that carry them, two a pair, ended
                                 // by NULL
  const char *const *included;   // pairs that collide whatever the other filters say, likewise
  srs_detector detector;         // default SRS_DETECTOR_EXACT
  srs_distance_measure distance; // default SRS_DISTANCE_EUCLIDEAN
  const char *const *ratio_metric; // pairs with the ratio metric whatever `distance` says, named as in `excluded`
  const char *const *euclidean;    // pairs without it
  bool makes_sides; // at corners and edges of boxes and hulls every plane that may separate the pair has contact points
                    // of its own (srs_contact_point.side). Default false: only the nearest plane
  // Capacity for pairs whose bounds overlap at once. 0: all pairs that pass the filters, but at most 600 and 32 for
  // each shape; a call that finds more then allocates half more than it needs. Default 0
  int pair_capacity;
} srs_collider_options;

srs_collider_options srs_default_collider_options(void);

/// The shapes of one model prepared for collision detection, with all memory that a query needs. One thread at a time.
typedef struct srs_collider srs_collider;

/// Visual shapes and meshes are left out. Allocates; nothing after it does.
/// @param model  must outlive the collider
/// @return SRS_OK, SRS_ERROR_NAME (a filter names nothing), _UNSUPPORTED (no method for the kinds of a pair that
///         passes the filters; a pair named in ratio_metric has no boxes or hulls; named; or the detector is Bullet and
///         the libbulletc in use has single precision), _MODEL (a shape without
///         size, terrain on a moving link, a surface that is not closed), _MEMORY
srs_status srs_collider_create(const srs_model *model, const srs_collider_options *options, srs_collider **collider,
                               srs_error *error);
void srs_collider_destroy(srs_collider *collider);

/// The number of pairs that pass the filters.
int srs_collider_n_pairs(const srs_collider *collider);

/// The shapes of one of these pairs, shape_a < shape_b; pairs are sorted. Slow, for use at creation.
/// @param pair  0 to n_pairs - 1   @return false: there is no such pair
bool srs_collider_pair(const srs_collider *collider, int pair, int *shape_a, int *shape_b);

/// The pairs that SRS_SELF_COLLISION_AUTO leaves out: they overlap in the neutral configuration.
int srs_collider_n_left_out(const srs_collider *collider);

/// One of them, shape_a < shape_b; pairs are sorted.
/// @param pair  0 to n_left_out - 1   @param depth  out: by how much they overlap there, m   @return false: no such
/// pair
bool srs_collider_left_out(const srs_collider *collider, int pair, int *shape_a, int *shape_b, double *depth);

/// All contact points with gap <= margin, ordered by (shape_a, shape_b), then in the order of the manifold.
/// @param links     n_links: each link's frame in the world; link i has the frame of its name, whose placement
///                  srs_frame_placement gives after srs_forward_kinematics
/// @param margin    m, >= 0
/// @param contacts  out; room for `capacity`
/// @param n         out: how many there are
/// @return SRS_OK; SRS_ERROR_CAPACITY when there are more than `capacity` (*n says how many; the first `capacity` are
///         written), or more overlapping pairs than pair_capacity
srs_status srs_collider_contacts(srs_collider *collider, const srs_pose *links, double margin,
                                 srs_contact_point *contacts, int capacity, int *n, srs_error *error);

/// The nearest points between all shapes of two frames, whatever the filters say.
/// @param frame_a, frame_b  -1: the world
/// @return also SRS_ERROR_ARGUMENT when one of them carries no shape
srs_status srs_collider_distance(srs_collider *collider, const srs_pose *links, int frame_a, int frame_b,
                                 srs_contact_point *nearest, srs_error *error);

typedef struct srs_ray_hit {
  int shape;        // -1: nothing was hit
  double distance;  // m, along the unit direction
  double point[3];  // world
  double normal[3]; // unit, outward
} srs_ray_hit;

/// The first shape that a ray hits.
/// @param direction  3, any length above 1e-9   @param length  m, how far to look
srs_status srs_collider_cast_ray(srs_collider *collider, const srs_pose *links, const double from[3],
                                 const double direction[3], double length, srs_ray_hit *hit, srs_error *error);

/// The first shape that another one hits on a straight way, without turning. Filters do not apply; shapes of the same
/// link are passed through. Convex shapes by conservative advancement along the normal of the nearest points, exact to
/// 1e-9 of the shape's size; against triangles by advancing by the distance, to the same or, where it passes along
/// them, stopped short by a little more. No call allocates.
/// @param shape      of the model, bounded and not visual; it starts where its link is
/// @param direction  3, any length above 1e-9   @param length  m, finite, how far it moves
/// @param hit        out: the shape that is hit, how far the way is until then (0: they touch or overlap at the start),
///                   the point on that shape and its outward normal there
/// @return SRS_OK, SRS_ERROR_ARGUMENT, _NOT_FINITE, _UNSUPPORTED (it comes near a shape of a kind that has no distance
///         from it)
srs_status srs_collider_sweep(srs_collider *collider, const srs_pose *links, int shape, const double direction[3],
                              double length, srs_ray_hit *hit, srs_error *error);

/// Calls report for every pair that overlaps by more than `depth` at these placements.
srs_status srs_collider_overlaps(srs_collider *collider, const srs_pose *links, double depth,
                                 void (*report)(void *user, const srs_contact_point *deepest), void *user,
                                 srs_error *error);

#ifdef __cplusplus
}
#endif
