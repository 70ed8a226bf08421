// Solids in orthographic view: outlines, faces and edges.
//
// View coordinates: x to the right, y up, z toward the viewer, m, from the world's origin. All sketches are in
// these.
#pragma once
#include <sarrus/topology.h>

/// From where one looks: the rows are the view's axes in the world.
typedef struct sketch_view {
  double axes[9];
} sketch_view;

/// Azimuth 0 looks along the world's y with x to the right (front), 90 degrees along -x with y to the right (side);
/// elevation 90 looks down (top: x to the right, y up at azimuth 0).  @param azimuth, elevation  degrees
sketch_view sketch_look(double azimuth, double elevation);

/// A placement in the world, seen.
srs_pose sketch_pose(const sketch_view *view, const srs_pose *world);

/// parent, then child in it.
srs_pose sketch_compose(const srs_pose *parent, const srs_pose *child);

/// A point of a placement's frame.  @param seen  3, out
void sketch_point(const srs_pose *pose, const double local[3], double seen[3]);

typedef enum sketch_kind {
  SKETCH_FACE,    // a filled polygon with an edge round it
  SKETCH_OUTLINE, // the edge round a whole solid
  SKETCH_MARK,    // a thin line on a surface
  SKETCH_DISC,    // a filled circle: its centre is the one point
  SKETCH_STICK,   // a thick line
  SKETCH_ROD,     // a thinner one
} sketch_kind;

typedef struct sketch_path {
  sketch_kind kind;
  int first, n; // points
  double shade; // of faces and discs, as canvas_shade has it
  double radius;
} sketch_path;

/// A half-space: z <= 0 of its pose, seen.
typedef struct sketch_plane {
  srs_pose pose;
  int shape; // of the model
  int solid; // planes of one number bound a solid between them, what is in all of them; -1: on its own
} sketch_plane;

/// A convex thing that is drawn as one.
typedef struct sketch_solid {
  int owner; // the caller's
  int first_path, n_paths;
  int first_point, n_points;   // its hull is theirs
  int first_normal, n_normals; // of its faces
  double low[3], high[3];      // bounds of these points
} sketch_solid;

/// Solids and their lines, in the order they were added. Start with all zero.
typedef struct sketch {
  double *points; // n_points x 3
  int n_points, point_capacity;
  double *normals; // n_normals x 3, unit
  int n_normals, normal_capacity;
  sketch_path *paths;
  int n_paths, path_capacity;
  sketch_solid *solids;
  int n_solids, solid_capacity;
  bool has_failed; // memory was short; what is there is not all
} sketch;

void sketch_destroy(sketch *s);

/// Adds a solid: a shape of any kind but meshes, half-spaces and terrain, which leave the sketch as it was.
/// @param pose   of the shape, seen   @param owner  kept with it
/// @return false: there is nothing to draw of this shape
bool sketch_shape(sketch *s, const srs_shape *shape, const srs_pose *pose, int owner);

/// Adds a line as a solid of its own.  @param a, b  seen
void sketch_line(sketch *s, sketch_kind kind, const double a[3], const double b[3], int owner);

/// How bright a face is.  @param normal  unit, seen
double sketch_brightness(const double normal[3]);

/// The convex hull of points in the picture's plane, counter-clockwise, without those on its edges.
/// @param points   n x 3; z does not count   @param corners  n, out: indices   @return how many
int sketch_hull(const double *points, int n, int *corners);

// Building blocks, for round.c.

/// @return the index of the first of n new points, -1 when memory is short
int sketch_take_points(sketch *s, int n);
void sketch_add_path(sketch *s, sketch_kind kind, int first, int n, double shade);
void sketch_add_normal(sketch *s, const double normal[3]);
void sketch_begin_solid(sketch *s, int owner);
void sketch_end_solid(sketch *s); // finds its bounds

/// Adds the hull of the solid's points so far as one of its paths.
void sketch_add_silhouette(sketch *s, sketch_kind kind, double shade);

/// Spheres, ellipsoids, superellipsoids, paraboloids, capsules, cylinders, cones.
void sketch_round(sketch *s, const srs_shape *shape, const srs_pose *pose);
