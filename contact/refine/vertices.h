// Velocities at which contacts that touch and contacts that stick determine all others. Internal.
#pragma once
#include "contact/refine/rest.h"

/// w = b + L u as a function of the velocities of rows that rest: a dictionary of linear programming.
typedef struct srs_vertices {
  const srs_resting *resting;
  double *T, *U;         // dw/dy: n x wide; du/dy: rank x wide; y: velocities of rows that rest, but not by sticking
  double *value;         // n + rank: w and u at y = 0
  double *cost, *state;  // columns: of y, not below 0; nodes: what each does
  double *node;          // of each column
  double *key;           // nodes: scratch
  int columns, touching; // the first columns are of nodes that touch, others still free
  size_t wide;
} srs_vertices;

enum { SRS_VERTEX_APART, SRS_VERTEX_TOUCHES, SRS_VERTEX_STICKS };

/// A dictionary in the memory of resting->lm: its factor, J, tall, r, trial, trial_r and gradient.
srs_vertices srs_vertices_of(const srs_resting *resting);

/// Draws contacts that stick, and a direction; among all velocities at which these stick and no contact sinks in, goes
/// to the vertex that is the farthest that way. Where normals do not determine all velocities (touching < columns), it
/// is one of these for some of them.
/// @return false where there is none, or the budget is spent
bool srs_vertices_draw(srs_vertices *vertices);

/// Draws contacts that stick: all y are still free. @return false where these contradict, or the budget is spent
bool srs_vertices_draw_sticking(srs_vertices *vertices);

/// The dictionary of velocities at which so many rows rest that they determine all: y are some of these, `node` has
/// their rows, `key` is 1 for all that rest. @return false where rows do not determine all, or the budget is spent
bool srs_vertices_at(srs_vertices *vertices, const double *w);

/// Two columns change places.
void srs_vertices_swap(const srs_vertices *vertices, int a, int b);

/// To a neighbouring vertex, one as likely as another.
bool srs_vertices_move(srs_vertices *vertices);

/// Whether more rows rest than make the vertex.
bool srs_vertices_is_special(const srs_vertices *vertices);

/// Whether impulses that push all nodes that touch make these velocities, whatever those of nodes that stick.
bool srs_vertices_is_pressed(const srs_vertices *vertices);
