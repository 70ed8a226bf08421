// Siconos's solvers of contact problems (Debian: libsiconos-numerics-dev). Default options but for tolerance and the
// number of iterations; of Gauss-Seidel also the choices of the problem of one contact that its manual offers.
#include "contact_peer.h"

#include <siconos/numerics/fc2d_compute_error.h>
#include <siconos/numerics/fc3d_compute_error.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct method {
  const char *name;
  int id, inner; // inner: of one contact, 0: the default
  bool in_blocks, dense, sparse;
} method;

static const method in_space[] = {
    {"NSN-AC", SICONOS_FRICTION_3D_NSN_AC, 0, true, true, true},
    {"NSGS Newton GP", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP, true, true, false},
    {"PROX", SICONOS_FRICTION_3D_PROX, 0, true, true, false},
    {"NSGS", SICONOS_FRICTION_3D_NSGS, 0, true, true, false},
    {"NSGS quartic", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, true, true, false},
    {"NSGS Newton", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, true, true, false},
    {"NSGS projection", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
     true, true, false},
    {"NSN-AC test", SICONOS_FRICTION_3D_NSN_AC_TEST, 0, false, true, true},
    {"NSN-FB", SICONOS_FRICTION_3D_NSN_FB, 0, true, true, true},
    {"NSN-NM", SICONOS_FRICTION_3D_NSN_NM, 0, true, true, true},
    {"ADMM", SICONOS_FRICTION_3D_ADMM, 0, false, false, true},
    {"TFP", SICONOS_FRICTION_3D_TFP, 0, true, true, false},
    {"ACLMFP", SICONOS_FRICTION_3D_ACLMFP, 0, true, true, false},
    {"SOCLCP", SICONOS_FRICTION_3D_SOCLCP, 0, true, true, false},
    {"NSGSV", SICONOS_FRICTION_3D_NSGSV, 0, true, true, false},
    {"EG", SICONOS_FRICTION_3D_EG, 0, true, true, false},
    {"VI-EG", SICONOS_FRICTION_3D_VI_EG, 0, true, true, false},
    {"VI-FPP", SICONOS_FRICTION_3D_VI_FPP, 0, true, true, false},
    {NULL, 0, 0, false, false, false},
};

static const method in_plane[] = {
    {"NSGS", SICONOS_FRICTION_2D_NSGS, 0, true, true, false},
    {"Lemke", SICONOS_FRICTION_2D_LEMKE, 0, false, true, false},
    {"CPG", SICONOS_FRICTION_2D_CPG, 0, false, true, false},
    {NULL, 0, 0, false, false, false},
};

struct contact_peer {
  FrictionContactProblem problem;
  SolverOptions *options;
  int storage, tangents, n;
  double norm, *W, *b, *friction, *r, *u;
};

const char *contact_peer_method(int tangents, int i) { return tangents == 2 ? in_space[i].name : in_plane[i].name; }

static double *copy(const double *from, size_t n)
{
  double *to = malloc((n + 1) * sizeof *to);
  if (to == NULL) abort();
  memcpy(to, from, n * sizeof *to);
  return to;
}

static double at(const contact_peer *p, int i, int j) { return p->W[(size_t)i + (size_t)j * (size_t)p->n]; }

static bool is_block(const contact_peer *p, int row, int column)
{
  const int d = 1 + p->tangents;
  for (int k = 0; k < d * d; k++)
    if (at(p, d * row + k % d, d * column + k / d) != 0) return true;
  return row == column;
}

static SparseBlockStructuredMatrix *blocks(const contact_peer *p)
{
  const unsigned d = 1 + (unsigned)p->tangents, rows = (unsigned)p->n / d;
  SparseBlockStructuredMatrix *m = SBM_new();
  m->nbblocks = 0;
  for (unsigned i = 0; i < rows * rows; i++) m->nbblocks += is_block(p, (int)(i / rows), (int)(i % rows));
  m->blocknumber0 = m->blocknumber1 = rows;
  m->filled1 = rows + 1, m->filled2 = m->nbblocks;
  m->block = calloc(m->nbblocks, sizeof *m->block);
  m->blocksize0 = calloc(rows, sizeof *m->blocksize0), m->blocksize1 = calloc(rows, sizeof *m->blocksize1);
  m->index1_data = calloc(rows + 1, sizeof *m->index1_data),
  m->index2_data = calloc(m->nbblocks, sizeof *m->index2_data);
  size_t n = 0;
  for (unsigned row = 0; row < rows; row++) {
    m->blocksize0[row] = m->blocksize1[row] = (row + 1) * d;
    m->index1_data[row] = n;
    for (unsigned column = 0; column < rows; column++) {
      if (!is_block(p, (int)row, (int)column)) continue;
      m->block[n] = calloc((size_t)d * d, sizeof **m->block);
      for (unsigned k = 0; k < d * d; k++) m->block[n][k] = at(p, (int)(d * row + k % d), (int)(d * column + k / d));
      m->index2_data[n++] = column;
    }
  }
  m->index1_data[rows] = n;
  return m;
}

static NumericsMatrix *sparse(const contact_peer *p)
{
  NumericsMatrix *m = NM_create(NM_SPARSE, p->n, p->n);
  NM_triplet_alloc(m, (CS_INT)p->n * p->n);
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->n; i++)
      if (at(p, i, j) != 0) NM_entry(m, i, j, at(p, i, j));
  return m;
}

contact_peer *contact_peer_open(const srs_contact_problem *problem, int storage)
{
  contact_peer *p = calloc(1, sizeof *p);
  if (p == NULL) abort();
  numerics_set_verbose(0);
  p->storage = storage;
  p->tangents = problem->tangents != NULL ? problem->tangents[0] : 2;
  p->n = (1 + p->tangents) * problem->n_contacts;
  const size_t n = (size_t)p->n;
  p->W = copy(problem->W, n * n);
  for (size_t i = 0; i < n; i++) // columns first
    for (size_t j = 0; j < n; j++) p->W[i + j * n] = problem->W[i * n + j];
  p->b = copy(problem->b, n), p->friction = copy(problem->friction, (size_t)problem->n_contacts);
  p->r = calloc(n, sizeof *p->r), p->u = calloc(n, sizeof *p->u);
  for (size_t i = 0; i < n; i++) p->norm += p->b[i] * p->b[i];
  p->norm = sqrt(p->norm);
  NumericsMatrix *m = storage == 0   ? NM_create_from_data(NM_DENSE, p->n, p->n, copy(p->W, n * n))
                      : storage == 1 ? NM_create_from_data(NM_SPARSE_BLOCK, p->n, p->n, blocks(p))
                                     : sparse(p);
  p->problem = (FrictionContactProblem){1 + p->tangents, problem->n_contacts, m, p->b, p->friction};
  return p;
}

bool contact_peer_set(contact_peer *p, int i, double tolerance)
{
  const method *m = p->tangents == 2 ? &in_space[i] : &in_plane[i];
  if (!(p->storage == 0 ? m->dense : p->storage == 1 ? m->in_blocks : m->sparse)) return false;
  if (p->options != NULL) solver_options_delete(p->options);
  p->options = solver_options_create(m->id);
  if (p->options == NULL) return false;
  if (m->inner != 0) solver_options_update_internal(p->options, 0, m->inner);
  p->options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  const bool is_newton = m->id == SICONOS_FRICTION_3D_NSN_AC || m->id == SICONOS_FRICTION_3D_NSN_AC_TEST ||
                         m->id == SICONOS_FRICTION_3D_NSN_FB || m->id == SICONOS_FRICTION_3D_NSN_NM;
  p->options->iparam[SICONOS_IPARAM_MAX_ITER] = is_newton ? 1000 : 1000000;
  return true;
}

void contact_peer_solve(contact_peer *p, double *impulse, double *velocity)
{
  memset(impulse, 0, (size_t)p->n * sizeof *impulse);
  memset(velocity, 0, (size_t)p->n * sizeof *velocity);
  if (p->tangents == 2)
    (void)fc3d_driver(&p->problem, impulse, velocity, p->options);
  else
    (void)fc2d_driver(&p->problem, impulse, velocity, p->options);
}

double contact_peer_error(contact_peer *p, const double *impulse)
{
  double error = 0;
  memcpy(p->r, impulse, (size_t)p->n * sizeof *p->r);
  if (p->tangents == 2)
    (void)fc3d_compute_error(&p->problem, p->r, p->u, 1e-10, p->options, p->norm, &error);
  else
    (void)fc2d_compute_error(&p->problem, p->r, p->u, 1e-10, p->norm, &error);
  return error;
}
