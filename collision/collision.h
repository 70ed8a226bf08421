/// Where do bodies touch? Shapes of a model at given placements, and the contact points between them.
///
/// No call depends on those before it: the same placements give the same contacts, bit for bit, in the
/// same order, whatever was asked before. No margin ever shows in a gap.
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
  uint64_t feature;     // which features meet; the same from step to step as long as they are the same
  // The measure that the node stands for; its rate is slope * normal . (velocity of A less that of B at the witness).
  double phi;        // the gap, m; of the ratio metric the event's phi, without unit
  double slope;      // 1; of the ratio metric the length of phi's gradient in x_A, 1/m
  double witness[3]; // halfway between the points; of the ratio metric where the grown bodies meet; world
  // Where several planes may keep the pair apart: one of its `n_sides` sides has to hold, each with all of its nodes,
  // which follow one another. 0 of 0: the node stands for itself.
  int side, n_sides; // 1 to n_sides
} srs_contact_point;

enum { SRS_MANIFOLD_POINTS = 8 }; // contact points that one pair of convex shapes gives at most; they bound the patch.
// By the ratio metric: at most with one normal.

/// How boxes and hulls find where they touch. All other kinds know but one way.
typedef enum srs_distance_measure {
  SRS_DISTANCE_EUCLIDEAN,    // Euclidean distance and depth: closed forms, and Bullet's GJK made exact
  SRS_DISTANCE_RATIO_METRIC, // corners on faces and edges on edges near the optimum of the ratio metric, each with a
                             // normal of its own (see srs_ratio_events)
} srs_distance_measure;

typedef struct srs_collider_options {
  bool parent_child;             // also between a link and the one that carries it (lumped links and the static base
                                 // count as one). Default false
  const char *const *excluded;   // names of shapes, or of the frames (links) that carry them, two a pair, ended by NULL
  const char *const *included;   // pairs that meet whatever the other filters say, likewise
  srs_distance_measure distance; // default SRS_DISTANCE_EUCLIDEAN
  const char *const *ratio_metric; // pairs that go by the ratio metric whatever `distance` says, named as in `excluded`
  const char *const *euclidean;    // pairs that do not
  bool makes_sides; // boxes and hulls, with each other and with round solids, at corners and edges: every plane that
                    // may keep the pair apart has nodes of its own (srs_contact_point.side). Default false: the nearest
                    // only
  // Pairs of shapes whose bounds overlap at once. 0: all that the filters leave where these are fewer than 600 and 32
  // for each shape, else that many, and a call that finds more takes memory for half more than it needs. Default 0
  int pair_capacity;
} srs_collider_options;

srs_collider_options srs_default_collider_options(void);

/// The shapes of one model made ready, with all memory that a query needs. One thread at a time.
typedef struct srs_collider srs_collider;

/// Visual shapes and meshes are left out. Allocates; nothing after it does.
/// @param model  must outlive the collider
/// @return SRS_OK, SRS_ERROR_NAME (a filter names nothing), _UNSUPPORTED (a pair of kinds that cannot meet yet is not
///         filtered out; a pair named in ratio_metric has no boxes or hulls; named), _MODEL (a shape without size,
///         terrain on a moving link), _MEMORY
srs_status srs_collider_create(const srs_model *model, const srs_collider_options *options, srs_collider **collider,
                               srs_error *error);
void srs_collider_destroy(srs_collider *collider);

/// Pairs of shapes that may meet after filtering.
int srs_collider_n_pairs(const srs_collider *collider);

/// The shapes of one of them, shape_a < shape_b; pairs are sorted. Slow, for use at creation.
/// @param pair  0 to n_pairs - 1   @return false: there is no such pair
bool srs_collider_pair(const srs_collider *collider, int pair, int *shape_a, int *shape_b);

/// All contact points with gap <= margin, ordered by (shape_a, shape_b), then by the patch's own order.
/// @param links     n_links: each link's frame in the world; link i has the frame of its name, whose placement
///                  srs_frame_placement tells after srs_forward_kinematics
/// @param margin    m, >= 0
/// @param contacts  out; room for `capacity`
/// @param n         out: how many there are
/// @return SRS_OK; SRS_ERROR_CAPACITY when there are more than `capacity` (*n says how many, and as many as have room
///         are there), or more overlapping pairs than pair_capacity
srs_status srs_collider_contacts(srs_collider *collider, const srs_pose *links, double margin,
                                 srs_contact_point *contacts, int capacity, int *n, srs_error *error);

/// The nearest points of the shapes of two frames (all shapes that each carries), whatever the filters say.
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

/// The first shape that a ray meets.  @param direction  3, any length above 1e-9   @param length  m, how far to look
srs_status srs_collider_cast_ray(srs_collider *collider, const srs_pose *links, const double from[3],
                                 const double direction[3], double length, srs_ray_hit *hit, srs_error *error);

/// Calls report for every pair that overlaps by more than `depth` at these placements: for messages about the start.
srs_status srs_collider_overlaps(srs_collider *collider, const srs_pose *links, double depth,
                                 void (*report)(void *user, const srs_contact_point *deepest), void *user,
                                 srs_error *error);

#ifdef __cplusplus
}
#endif
