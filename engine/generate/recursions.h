// The recursive algorithms over recorded terms. Internal.
//
// All is in the segments' own axes, moments about their own origins, accelerations classical and with gravity in them.
#pragma once
#include "engine/generate/segments.h"
#include "engine/generate/term_vector.h"

typedef struct srs_term_body {
  srs_term mass;
  term3 moment;
  term33 inertia; // symmetric
} srs_term_body;

// A wrench or a motion.
typedef struct term6 {
  term3 ang, lin;
} term6;

// One segment: its transform to the parent, its body and its motion.
typedef struct srs_segment_terms {
  term33 turn, ball; // constant; of the coordinates
  srs_term cosine, sine;
  term3 arm; // its origin, in the parent's axes
  srs_term_body body;
  term3 w_carried, w;             // the parent's angular velocity and its own
  term3 alpha_carried, a_carried; // the parent's accelerations, at the segment's origin
  term3 alpha, a;
} srs_segment_terms;

/// What is recorded, and the inputs that it is made of.
typedef struct srs_recording {
  srs_graph graph;
  const srs_segments *segments;
  srs_segment_terms *terms;        // one a segment
  const srs_term *q, *v, *a, *tau; // nq, nv, nv, nv
  srs_term gravity[3];
} srs_recording;

/// Fills the segments' transforms and bodies from q.
void srs_record_placements(srs_recording *r);

/// A vector of the parent's axes in segment k's, and back.
term3 srs_record_inward(srs_recording *r, int k, term3 x);
term3 srs_record_outward(srs_recording *r, int k, term3 x);

/// Segment k's wrench, moved to its parent's origin and axes.
term6 srs_record_to_parent(srs_recording *r, int k, term6 f);

/// A composite body of segment k's as its parent has it.
srs_term_body srs_record_body_to_parent(srs_recording *r, int k, const srs_term_body *body);

/// Column `column` of segment k's joint: which entry of [ang; lin] is 1, and the pitch at entry 5 of a screw.
int srs_record_entry(const srs_segment *segment, int column);

/// That column.
term6 srs_record_column(srs_recording *r, int k, int column);

/// Angular velocities; accelerations from joint accelerations, NULL for none. After the placements.
void srs_record_velocities(srs_recording *r);
void srs_record_accelerations(srs_recording *r, const srs_term *a);

/// The joint's part of [ang; lin], of rates by coordinate (NULL: zeros).
term3 srs_record_turning(srs_recording *r, int k, const srs_term *rates);
term3 srs_record_sliding(srs_recording *r, int k, const srs_term *rates);

/// U = [alpha]x + [w]x [w]x.
term33 srs_record_rate_matrix(srs_graph *g, term3 w, term3 alpha);

/// R M R^T of segment k, of a symmetric matrix and of any.
term33 srs_record_outward_symmetric(srs_recording *r, int k, const term33 *m);
term33 srs_record_outward_matrix(srs_recording *r, int k, const term33 *m);

srs_term_body srs_record_add_bodies(srs_graph *g, const srs_term_body *a, const srs_term_body *b);

/// The wrench that the segment's own body needs for its motion.
term6 srs_record_body_wrench(srs_recording *r, int k);

/// S^T f of one column.
srs_term srs_record_project(srs_recording *r, int k, int column, term6 f);

/// tau, nv. Records everything before it.  @param a  nv; NULL: none, tau is the bias
void srs_record_inverse_dynamics(srs_recording *r, const srs_term *a, term6 *wrench, srs_term *tau);

/// The wrench that a unit acceleration along one column takes of a composite body.
term6 srs_record_column_wrench(srs_recording *r, int k, int column, const srs_term_body *body);

/// M, nv x nv, both triangles. After the placements.
void srs_record_mass_matrix(srs_recording *r, srs_term_body *composite, srs_term *mass_matrix);

/// The accelerations by either way of record_forward.c. After the placements and velocities.  @return false when out of
/// memory
bool srs_record_articulated(srs_recording *r, srs_arena *arena, srs_term *acceleration);
bool srs_record_factored(srs_recording *r, srs_arena *arena, srs_term *acceleration);

/// Which frames, and which of two ways to their axes.
typedef struct srs_frame_choice {
  const int *frames; // n
  int n;
  bool sums_angles; // turns about parallel axes are one turn by the sum of the angles
} srs_frame_choice;

/// Poses, 12 terms each, and Jacobians, 6 x nv each, of frames. After the placements.
bool srs_record_frames(srs_recording *r, srs_arena *arena, const srs_frame_choice *choice, srs_term *poses);
bool srs_record_jacobians(srs_recording *r, srs_arena *arena, const srs_frame_choice *choice, srs_term *jacobians);

/// dtau/dq, dtau/dv, dtau/da, nv x nv each, one after the other. After the placements.
bool srs_record_derivatives(srs_recording *r, srs_arena *arena, srs_term *derivatives);
