// What does the benchmark ask of an engine? One mechanism, 64 states, and the same quantities from each of them.
//
// An engine is a table of functions. It builds its own model from a bench_model, keeps the states in whatever form
// suits it, and computes a quantity from q (v, tau) as often as it is told. States and accelerations cross this border
// in Sarrus' conventions: a free joint has q = (x y z, qw qx qy qz) and v = (velocity of the origin in the world's
// axes, angular velocity in the link's axes). Gravity is (0, 0, -9.81).
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_quantity {
  BENCH_FK,        // where every link is
  BENCH_RNEA,      // inverse dynamics
  BENCH_CRBA,      // the mass matrix
  BENCH_ABA,       // forward dynamics
  BENCH_LAMBDA_1,  // J M^-1 J^T of the point velocities at 1 node
  BENCH_LAMBDA_4,  // 4 nodes
  BENCH_LAMBDA_12, // 12 nodes
  BENCH_D_RNEA,    // derivatives of inverse dynamics by q, v and a
  BENCH_D_ABA,     // derivatives of forward dynamics by q, v and tau
  BENCH_STEP,      // one step of semi-implicit Euler
} bench_quantity;

enum {
  BENCH_QUANTITIES = BENCH_STEP + 1,
  BENCH_NODES = 12, // the most of a quantity
  BENCH_NODE_ROWS = 3,
  BENCH_STATES = 64,
  BENCH_STEPS_PER_STATE = 16, // BENCH_STEP starts from the next state every so many calls
};

typedef enum bench_joint {
  BENCH_REVOLUTE,
  BENCH_PRISMATIC,
  BENCH_FREE, // of the first link only, its joint frame the world's
} bench_joint;

// A link and the joint that carries it; the link's frame is the joint's on the child side.
typedef struct bench_link {
  char name[64];
  int parent; // -1: the world
  bench_joint joint;
  int q_index, v_index;
  double position[3], rotation[9]; // the joint's frame seen from the parent's, m; rows first
  double axis[3];                  // unit, in the joint's frame
  double mass, com[3];             // kg, m
  double inertia[6];               // I_xx I_yy I_zz I_xy I_xz I_yz about com, link's axes, kg m^2
  double moments[3], principal[9]; // the same by its principal moments; their axes are the columns, rows first
} bench_link;

typedef struct bench_model {
  char name[32];
  int n_links, nq, nv;
  bench_link *links; // n_links, parents first, subtrees contiguous
} bench_model;

typedef struct bench_states {
  double *q;   // BENCH_STATES x nq
  double *v;   // BENCH_STATES x nv
  double *a;   // BENCH_STATES x nv: input of the inverse dynamics
  double *tau; // BENCH_STATES x nv: input of the forward dynamics and of steps
} bench_states;

enum { BENCH_WHY = 256 };

typedef struct bench_engine {
  const char *key;   // what the command line calls it
  const char *title; // what the table calls it
  unsigned offers;   // bit k: quantity k

  // NULL and a reason when the engine does not take the mechanism. Model and states outlive the instance.
  void *(*create)(const bench_model *model, const bench_states *states, char why[BENCH_WHY]);
  void (*destroy)(void *instance);

  // Computes a quantity for calls first … first + n - 1; call i is of state i modulo BENCH_STATES. Steps: of state
  // i / BENCH_STEPS_PER_STATE modulo BENCH_STATES, going on from the call before.
  bool (*run)(void *instance, bench_quantity quantity, long first, long n);

  // Forward dynamics of one state, to see that all engines speak of the same thing.  a: nv, out
  bool (*acceleration)(void *instance, int state, double *a);

  // Likewise of RNEA (nv), CRBA (nv x nv, both triangles), and the Lambdas (rows in the world's axes, both triangles).
  // NULL: not told. false: not of this quantity.
  bool (*answer)(void *instance, bench_quantity quantity, int state, double *out);
} bench_engine;

#if defined(__GNUC__)
#define BENCH_VISIBLE __attribute__((visibility("default"))) // of libraries of their own that hide the rest
#else
#define BENCH_VISIBLE
#endif

extern const bench_engine bench_sarrus;
extern const bench_engine bench_batched;
extern const bench_engine bench_mujoco;
extern const bench_engine bench_dart;
extern const bench_engine bench_bullet;
BENCH_VISIBLE extern const bench_engine bench_pinocchio;
BENCH_VISIBLE extern const bench_engine bench_rbdl;

#define BENCH_STEP_SIZE 0.001
#define BENCH_GRAVITY   (-9.81)

static inline int bench_state_of_call(bench_quantity quantity, long call)
{
  return (int)((quantity == BENCH_STEP ? call / BENCH_STEPS_PER_STATE : call) % BENCH_STATES);
}

static inline int bench_node_count(bench_quantity quantity)
{
  return quantity == BENCH_LAMBDA_1 ? 1 : quantity == BENCH_LAMBDA_4 ? 4 : BENCH_NODES;
}

// Points spread along the tree: with n of them, node i is the origin of the last link of the i-th n-th part.
static inline int bench_node_link(const bench_model *model, int n, int i)
{
  return ((i + 1) * model->n_links + n - 1) / n - 1;
}

// Whether a step starts anew from its state: at the first call of a run, since other quantities may have been asked
// between.
static inline bool bench_starts_anew(long call, long first)
{
  return call == first || call % BENCH_STEPS_PER_STATE == 0;
}

#ifdef __cplusplus
}
#endif
