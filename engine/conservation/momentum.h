// The momentum of trees that float. Internal. Mathematics: momentum.c.
#pragma once
#include "engine/conservation/floating_trees.h"

/// A step whose velocities and positions are found.
typedef struct srs_momentum_step {
  double dt;
  bool is_mean;              // positions move with the mean of v and v_next
  const double *q, *v;       // nq, nv: at the step's start
  const double *known;       // the state's `momentum`
  const double *q_matrices;  // nq: the configuration of matrices and forces
  const double *force;       // nv: on the coordinates, and
  const double *extra;       // nv: its linear change
  const double *a;           // nv: change of v by forces and impulses, over dt
  bool aligns;               // the tree turns until L has its direction, before velocities are set
  bool aligns_bodies;        // likewise trees of one link alone
  const double *link_wrench; // n_links x 6 at q_matrices, about the links' origins, world axes; NULL for none
} srs_momentum_step;

/// Turns the roots of the trees that float alone with the mean of v and v_next.
/// @param rate  nv, in: v_next; out
void srs_turn_with_mean(const srs_floating_trees *trees, const double *v, const double *v_next, double *rate);

/// Gives each tree that floats the momentum that the step's outside impulses say, and its mass centre the way of that
/// momentum. Only the coordinates of roots change. The workspace then stands at q_next where the next step begins
/// there, else nowhere.
void srs_keep_momentum(srs_floating_trees *trees, srs_workspace *workspace, const srs_momentum_step *step,
                       double *q_next, double *v_next);

/// What the accepted step leaves for the next one.
/// @param trees  NULL: the step has set nothing   @param n  floating roots   @param known  the state's `momentum`, out
void srs_accept_momentum(const srs_floating_trees *trees, int n, double *known);
