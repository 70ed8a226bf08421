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

// ---------------------------------------------------------------------------------------------------------------------
// The ratio metric
// ---------------------------------------------------------------------------------------------------------------------

/// A convex polyhedron, or a polygon in the plane z = 0 of its frame, about a point inside it. Immutable.
typedef struct srs_polytope srs_polytope;

/// The convex hull of points. Allocates one block.
/// @param points     n_points x dimension, m
/// @param dimension  3, or 2: a polygon
/// @param centre     dimension; inside, the point from which it grows and shrinks. NULL: the centroid
/// @return SRS_OK, SRS_ERROR_MODEL (no volume or area, a centre that is not inside), _NOT_FINITE, _ARGUMENT, _MEMORY
srs_status srs_polytope_create(const double *points, int n_points, int dimension, const double *centre,
                               srs_polytope **polytope, srs_error *error);
void srs_polytope_destroy(srs_polytope *polytope);

/// Facets have numbers of their own, which do not change.
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

/// How much two bodies have to grow (r > 1) or shrink (r < 1) about their centres x1, x2, both alike, until they touch.
///
/// r's derivatives: with respect to x2 `normal`, to x1 its negative; with respect to turning a body about its centre,
/// by a vector in the world, turn1, turn2. Where several optima meet r has a ridge; they are then one of its
/// generalised gradients. rho's are those over r^2. Polygons move in the plane z = 0.
typedef struct srs_ratio {
  double r;          // min { t : body 1 grown by t meets body 2 grown by t }, >= 0
  double rho;        // (r - 1) / r; -INFINITY for r = 0
  double witness[3]; // a point that the grown bodies share, world
  double normal[3];  // from body 1 to body 2, 1/m: not a unit vector. normal . (x2 - x1) = r
  double turn1[3], turn2[3];
  int n_active;              // facets that determine witness and r: at most 4, polygons 3; 0 for r = 0
  srs_ratio_facet active[4]; // sorted by body and facet; weights may be zero
  bool is_proven;            // the conditions of an optimum hold to rounding
} srs_ratio;

/// The ratio metric (Hart 2007, ch. 2), a linear program in 4 variables (polygons: 3), in expected time linear in the
/// facets. Allocates nothing, remembers nothing; any number of threads.
/// @param pose_1, pose_2  of the polytopes' frames in the world; polygons turn about z only, and z is ignored
/// @param last  what a call for nearby poses gave, or NULL: a start. May be `ratio` itself. It changes how long the
/// call
///              takes, and no bit of what it gives (but `active`, where more facets than are needed meet in a corner)
/// @return false when the two are a polyhedron and a polygon, or a pose is not finite
bool srs_ratio_metric(const srs_polytope *polytope_1, const srs_pose *pose_1, const srs_polytope *polytope_2,
                      const srs_pose *pose_2, const srs_ratio *last, srs_ratio *ratio);

typedef enum srs_ratio_event_kind {
  SRS_RATIO_EVENT_CORNER_ON_FACET, // of body 1, of body 2
  SRS_RATIO_EVENT_FACET_ON_CORNER,
  SRS_RATIO_EVENT_EDGE_ON_EDGE,
} srs_ratio_event_kind;

/// A basic contact: the features that meet when both bodies are grown by t, as if there were no others.
typedef struct srs_ratio_event {
  srs_ratio_event_kind kind;
  int feature_1, feature_2;      // the corner's, facet's, edge's number
  double t, phi;                 // phi = (t - 1) / t, the event's own measure of distance
  double witness[3];             // where they meet, grown by t; world
  double normal[3];              // of t, as in srs_ratio; |normal . (x2 - x1)| = t
  double turn1[3], turn2[3];     // of t. Both arms go to the witness: momenta sum to zero
  double point_1[3], point_2[3]; // the features' points as they are, world: gap * n apart for n = normal / |normal|
  double gap;                    // n . (point_2 - point_1) = phi * (n . (x2 - x1)), m
} srs_ratio_event;

typedef struct srs_ratio_event_options {
  double epsilon_x; // m: how far beyond the features' borders an event may lie
  double epsilon_t; // how far above r its t may lie
  double epsilon_0; // how far below
  double epsilon_h; // how far its t may lie above what its normal alone asks of the bodies, t / h. INFINITY: do not ask
} srs_ratio_event_options;

/// What can come into contact in a step, after Hart's guideline v_max h: with the bodies' inradii i and reaches R,
/// epsilon_x = travel (1 + (R1 + R2) / (i1 + i2)), the others 2 travel / (i1 + i2); no less than 1e-9 of the bodies'
/// size, and 1e-9. What touches after a step was then among the events before it, up to terms of travel^2.
/// @param travel  m: how far points of the bodies can move against each other in a step
srs_ratio_event_options srs_default_ratio_event_options(const srs_polytope *polytope_1, const srs_polytope *polytope_2,
                                                        double travel);

/// All events near the optimum: r - epsilon_0 <= t <= r + epsilon_t, the witness within epsilon_x of both grown
/// features, and t - t / h <= epsilon_h, where h is the largest normal . (y1 - y2) over points of the bodies from their
/// centres. An event with h > 1 is none of the bodies': its normal does not part them at t, so it must not push them
/// that way.
/// @param ratio     what srs_ratio_metric gave for the same arguments
/// @param events    out: room for `capacity`. Where there are more, those of least t, in order of kind and features
/// @return how many there are
int srs_ratio_events(const srs_polytope *polytope_1, const srs_pose *pose_1, const srs_polytope *polytope_2,
                     const srs_pose *pose_2, const srs_ratio *ratio, const srs_ratio_event_options *options,
                     srs_ratio_event *events, int capacity);

// ---------------------------------------------------------------------------------------------------------------------
// Implicit surfaces
// ---------------------------------------------------------------------------------------------------------------------

typedef enum srs_surface_kind {
  SRS_SURFACE_HALF_SPACE,     // z
  SRS_SURFACE_SPHERE,         // size: radius r. (|x|^2 / r - r) / 2
  SRS_SURFACE_ELLIPSOID,      // size: semi-axes a, m their geometric mean. m ((x/a1)^2 + (y/a2)^2 + (z/a3)^2 - 1) / 2
  SRS_SURFACE_CYLINDER,       // about z, without ends; size: radius r. ((x^2 + y^2) / r - r) / 2
  SRS_SURFACE_SUPERELLIPSOID, // size: semi-axes; exponent: p across z, q along it, each >= 2. m (N^2 - 1) / 2 with
                              // N = (((x/a1)^p + (y/a2)^p)^(q/p) + (z/a3)^q)^(1/q): p = q = 2 is the ellipsoid, large
                              // ones come near a box. Barr's e1 = 2/q, e2 = 2/p. C2 but at the centre, and for
                              // q = 2 < p on the z axis
  SRS_SURFACE_PARABOLOID, // vertex at the origin, below z = 0; size: radii of curvature there. z + x^2/2r1 + y^2/2r2
  SRS_SURFACE_FUNCTION,   // the caller's
} srs_surface_kind;

enum { SRS_SURFACE_KINDS = SRS_SURFACE_FUNCTION + 1 };

/// A convex function f of a point, twice continuously differentiable: the solid is where f <= 0.
/// Near the surface the gradient is about unit in length, so that f is about a distance: exactly so on the surfaces of
/// half-space, sphere, cylinder and at a paraboloid's vertex; a superellipsoid's and ellipsoid's between m over its
/// longest and m over its shortest semi-axis.
typedef struct srs_surface {
  srs_surface_kind kind;
  double size[3];     // m, > 0; see the kinds
  double exponent[2]; // superellipsoids
  /// SRS_SURFACE_FUNCTION: convex, with gradient[3] and hessian[9] (rows; symmetric); each may be NULL: not wanted.
  /// Must be finite for every finite point, the gradient not 0 where the value is >= 0. Called by every thread that
  /// asks.
  void (*function)(const void *context, const double point[3], double *value, double *gradient, double *hessian);
  const void *context; // handed on
} srs_surface;

/// A surface of a kind with sizes 1 and exponents 2.
srs_surface srs_default_surface(srs_surface_kind kind);

/// Whether sizes, exponents and the function are such as its kind asks for.
/// @return SRS_OK, SRS_ERROR_MODEL
srs_status srs_surface_check(const srs_surface *surface, srs_error *error);

/// @param point  in the surface's own frame, m   @return m; negative inside. Allocates nothing
double srs_surface_value(const srs_surface *surface, const double point[3]);

/// Value, gradient and second derivatives at one point of the surface's own frame.
/// @param gradient  out: no unit   @param hessian  out: 9, 1/m, rows; symmetric, no eigenvalue below zero
void srs_surface_evaluate(const srs_surface *surface, const double point[3], double *value, double gradient[3],
                          double hessian[9]);

enum { SRS_BODY_SURFACES = 16 }; // of one body at most

/// A convex solid where all of its surfaces' functions are at most zero: where their largest is. A cylinder with ends
/// is a cylinder and two half-spaces. Filled in by the caller but for the last two, which srs_surface_body_prepare
/// does.
typedef struct srs_surface_body {
  int n;                       // 1 to SRS_BODY_SURFACES
  const srs_surface *surfaces; // n
  const srs_pose *poses;       // n: of the surfaces' frames in the body's; NULL: all are the body's
  double centre[3];            // a point well inside, body's frame
  double depth;                // m: each function is at most -depth there; a measure of the body's size
} srs_surface_body;

/// Checks the surfaces and looks for a point inside. Allocates nothing.
/// @return SRS_OK, SRS_ERROR_MODEL (a surface that is none; nothing is inside of all), _ARGUMENT (too many surfaces)
srs_status srs_surface_body_prepare(srs_surface_body *body, srs_error *error);

/// The nearest points of two such bodies.
///
/// Apart, gap > 0, they are the nearest of all: with weights that are not negative, and none for functions below zero,
///
///   point_a - point_b = gap normal,   sum weight_a grad f_a(point_a) = -normal,   sum weight_b grad f_b(point_b) =
///   normal,
///
/// and all functions at most zero at the body's own point, which for convex functions proves it. Overlapping, gap < 0,
/// they satisfy the same, -gap being how far A has to move along the normal until the two just touch; it passes through
/// zero smoothly. Of several ways out it is one that the line between the bodies' centres leads to, no longer than that
/// along this line, and not always the shortest.
typedef struct srs_surface_gap {
  double gap;                         // m
  double point_a[3], point_b[3];      // world
  double normal[3];                   // unit, from B to A, world
  double weight_a[SRS_BODY_SURFACES]; // one for each of A's surfaces
  double weight_b[SRS_BODY_SURFACES]; // and of B's
  int body_a, body_b;                 // of unions: which of their bodies these are
  int iterations;                     // of all systems solved
  double residual;                    // of the conditions, in lengths of the bodies' size
  bool is_proven;                     // they hold to 1e-10, in lengths of the bodies' size
} srs_surface_gap;

/// At least one of the two must be bounded in each direction. Allocates nothing, remembers nothing; any number of
/// threads.
/// @param a, b  prepared   @param pose_a, pose_b  of the bodies' frames in the world
/// @return false when no answer was found: the overlap has no end, or a function is not convex or not finite. A proof
///         that fails is no such case: see is_proven
bool srs_surface_closest(const srs_surface_body *a, const srs_pose *pose_a, const srs_surface_body *b,
                         const srs_pose *pose_b, srs_surface_gap *gap);

/// The same of two unions of bodies, each in one frame: of all pairs the one with the least gap, the first of equals.
/// @param a, b  n_a, n_b   @return false when one of the pairs has no answer
bool srs_surface_union_closest(const srs_surface_body *a, int n_a, const srs_pose *pose_a, const srs_surface_body *b,
                               int n_b, const srs_pose *pose_b, srs_surface_gap *gap);

#ifdef __cplusplus
}
#endif
