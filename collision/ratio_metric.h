/// The ratio metric of Hart: by how much must two convex polytopes grow or shrink until they touch, and which of their
/// features meet then?
///
/// For programs that measure distances themselves. A collider uses the metric where its options ask for it
/// (srs_collider_options.distance).
#pragma once
#include <sarrus/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A convex polyhedron, or a convex polygon in the plane z = 0 of its frame, with a centre inside it. Immutable.
typedef struct srs_polytope srs_polytope;

/// The convex hull of points. Allocates one block.
/// @param points     n_points x dimension, m
/// @param dimension  3, or 2: a polygon
/// @param centre     dimension; inside, the point about which it grows and shrinks. NULL: the centroid
/// @return SRS_OK, SRS_ERROR_MODEL (no volume or area, a centre that is not inside), _NOT_FINITE, _ARGUMENT, _MEMORY
srs_status srs_polytope_create(const double *points, int n_points, int dimension, const double *centre,
                               srs_polytope **polytope, srs_error *error);
void srs_polytope_destroy(srs_polytope *polytope);

/// Facets are numbered from 0; the numbers do not change.
int srs_polytope_n_facets(const srs_polytope *polytope);

/// One of them: normal . x <= offset inside, in the polytope's frame.  @param normal  out: unit, outward
void srs_polytope_facet(const srs_polytope *polytope, int facet, double normal[3], double *offset);

/// @param centre  out: in the polytope's frame   @param inradius  out: m, of the largest ball about it inside
void srs_polytope_centre(const srs_polytope *polytope, double centre[3], double *inradius);

/// A facet that holds an optimum, and its multiplier: with all facets as a . y <= b t, y from the centre, the
/// multipliers times b sum to 1, and times a to nothing.
typedef struct srs_ratio_facet {
  int body; // 1 or 2
  int facet;
  double weight; // >= 0: the multiplier times b
} srs_ratio_facet;

/// The factor by which two bodies must grow (r > 1) or shrink (r < 1) about their centres x1, x2 until they touch.
///
/// The derivative of r with respect to x2 is `normal`, with respect to x1 its negative; with respect to a rotation
/// vector of a body about its centre (world) it is turn1, turn2. Where several optima meet, r has a ridge and these are
/// one of its generalised gradients. The derivatives of rho are these over r^2. Polygons move in the plane z = 0.
typedef struct srs_ratio {
  double r;          // min { t : body 1 grown by t meets body 2 grown by t }, >= 0
  double rho;        // (r - 1) / r; -INFINITY for r = 0
  double witness[3]; // a point common to the grown bodies, world
  double normal[3];  // from body 1 to body 2, 1/m: not a unit vector. normal . (x2 - x1) = r
  double turn1[3], turn2[3];
  int n_active;              // facets that determine witness and r: at most 4, polygons 3; 0 for r = 0
  srs_ratio_facet active[4]; // sorted by body and facet; weights may be zero
  bool is_proven;            // the conditions of an optimum hold to rounding
} srs_ratio;

/// The ratio metric (Hart 2007, ch. 2), a linear program in 4 variables (polygons: 3), in expected time linear in the
/// facets. Allocates nothing, remembers nothing; any number of threads.
/// @param pose_1, pose_2  of the polytopes' frames in the world; polygons turn about z only, and z is ignored
/// @param last  the result for nearby poses, as a warm start, or NULL. May be `ratio` itself. It changes how long the
///              call takes and no bit of the result (but `active`, where more facets than needed meet in a corner)
/// @return false for a polyhedron and a polygon, or when a pose is not finite
bool srs_ratio_metric(const srs_polytope *polytope_1, const srs_pose *pose_1, const srs_polytope *polytope_2,
                      const srs_pose *pose_2, const srs_ratio *last, srs_ratio *ratio);

typedef enum srs_ratio_event_kind {
  SRS_RATIO_EVENT_CORNER_ON_FACET, // of body 1, of body 2
  SRS_RATIO_EVENT_FACET_ON_CORNER,
  SRS_RATIO_EVENT_EDGE_ON_EDGE,
} srs_ratio_event_kind;

/// A basic contact: two features that meet when both bodies are grown by t, as if there were no others.
typedef struct srs_ratio_event {
  srs_ratio_event_kind kind;
  int feature_1, feature_2;  // the corner's, facet's, edge's number
  double t, phi;             // phi = (t - 1) / t, the distance measure of this event
  double witness[3];         // where they meet, grown by t; world
  double normal[3];          // of t, as in srs_ratio; |normal . (x2 - x1)| = t
  double turn1[3], turn2[3]; // of t. Both arms end at the witness, so that momentum is conserved
  double point_1[3],
      point_2[3]; // the features' points at their true size, world: gap * n apart for n = normal / |normal|
  double gap;     // n . (point_2 - point_1) = phi * (n . (x2 - x1)), m
} srs_ratio_event;

typedef struct srs_ratio_event_options {
  double epsilon_x; // m: how far beyond the borders of the features an event may lie
  double epsilon_t; // how far above r its t may lie
  double epsilon_0; // how far below
  double epsilon_h; // how far its t may lie above t / h, what its normal alone requires. INFINITY: no such test
} srs_ratio_event_options;

/// Tolerances for all that can come into contact in a step, after Hart's guideline v_max h: with the bodies' inradii i
/// and reaches R, epsilon_x = travel (1 + (R1 + R2) / (i1 + i2)), the others 2 travel / (i1 + i2); no less than 1e-9 of
/// the bodies' size, and 1e-9. What touches after a step is then among the events before it, up to terms of travel^2.
/// @param travel  m: how far points of the bodies can move against each other in a step
srs_ratio_event_options srs_default_ratio_event_options(const srs_polytope *polytope_1, const srs_polytope *polytope_2,
                                                        double travel);

/// All events near the optimum: r - epsilon_0 <= t <= r + epsilon_t, the witness within epsilon_x of both grown
/// features, and t - t / h <= epsilon_h, where h is the largest normal . (y1 - y2) over points of the bodies from their
/// centres. An event with h > 1 is not one of these bodies: its normal does not separate them at t.
/// @param ratio     the result of srs_ratio_metric for the same arguments
/// @param events    out: room for `capacity`. Where there are more, those of least t, in order of kind and features
/// @return how many there are
int srs_ratio_events(const srs_polytope *polytope_1, const srs_pose *pose_1, const srs_polytope *polytope_2,
                     const srs_pose *pose_2, const srs_ratio *ratio, const srs_ratio_event_options *options,
                     srs_ratio_event *events, int capacity);

#ifdef __cplusplus
}
#endif
