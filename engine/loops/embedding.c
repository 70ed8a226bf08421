// Embedded loops: finds the compound links that they form, and closes them by the dependent coordinates.
//
// A loop's joints are those that carry one of its ends and not the other. Loops that share joints share a compound.
// With the rows G of its loops, split into dependent and independent coordinates,
//
//   G_dependent v_dependent = -G_independent y,   G_dependent dv_dependent/dt = -dG/dt v - G_independent dy/dt
//
// by least squares (compound_rows.c). A residual says that the independent coordinates depend on each other.
// Configurations: Newton's method on the gaps over the dependent coordinates.

#include "engine/loops/embedding.h"
#include "engine/dynamics/checks.h"
#include "engine/dynamics/kinematics.h"
#include "engine/loops/compound_rows.h"
#include "topology/base/errors.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 30 };

static const double closed = 1e-12;     // m, rad
static const double most_open = 1e-6;   // largest gap of loops whose rates may be computed
static const double most_left = 1e-3;   // largest residual of a right-hand side, relative to its length
static const double largest_turn = 0.5; // rad or m: largest change in one iteration

// ---------------------------------------------------------------------------------------------------------------------
// The compounds
// ---------------------------------------------------------------------------------------------------------------------

// What the compounds consist of, before there is memory for them.
typedef struct gathering {
  int *leader;    // n_closures: forest; loops that share a link have one root, which is their mark
  int *mark;      // n_links: of the link's loops, -1 for none
  int *number;    // n_closures: of a mark, the compound's number, by their first links
  int *n_v;       // n_closures: of a mark, coordinates
  int *n_rows;    // n_closures: of a mark, rows
  int *last;      // n_closures: of a mark, the last link
  bool *is_named; // nv: an independent coordinate
} gathering;

static int leader_of(int *leader, int i)
{
  while (leader[i] != i) i = leader[i] = leader[leader[i]];
  return i;
}

// The next link on the way round a loop, from its two ends inward: a link comes after its parent, so the later end is
// on the loop unless both are the same.  @return -1 at the end
static int next_on_loop(const srs_model *m, int ends[2])
{
  if (ends[0] == ends[1]) return -1;
  const int later = ends[0] > ends[1] ? 0 : 1, link = ends[later];
  ends[later] = m->parent[link];
  return link;
}

// Marks the links of each embedded loop; loops that come to a marked link join those before.
static void mark_loops(const srs_model *m, gathering *g)
{
  for (int k = 0; k < m->n_links; k++) g->mark[k] = -1;
  for (int i = 0; i < m->n_closures; i++) {
    g->leader[i] = i;
    if (!m->closures[i].is_embedded) continue;
    int ends[2] = {m->closures[i].link[0], m->closures[i].link[1]};
    for (int k = next_on_loop(m, ends); k >= 0; k = next_on_loop(m, ends)) {
      if (g->mark[k] < 0)
        g->mark[k] = i;
      else
        g->leader[leader_of(g->leader, g->mark[k])] = leader_of(g->leader, i);
    }
  }
}

// Fills e->of_link and the sizes of each compound; returns how many there are.
static int count_compounds(const srs_model *m, gathering *g, int *of_link)
{
  int n = 0;
  for (int i = 0; i < m->n_closures; i++) {
    g->number[i] = -1;
    for (int j = 0; j < m->closures[i].n_independent; j++) g->is_named[m->closures[i].independent[j]] = true;
  }
  for (int k = 0; k < m->n_links; k++) {
    of_link[k] = -1;
    if (g->mark[k] < 0) continue;
    const int mark = g->mark[k] = leader_of(g->leader, g->mark[k]);
    if (g->number[mark] < 0) g->number[mark] = n++;
    of_link[k] = g->number[mark];
    g->n_v[mark] += m->v_index[k + 1] - m->v_index[k];
    g->last[mark] = k;
  }
  for (int i = 0; i < m->n_closures; i++)
    if (m->closures[i].is_embedded) g->n_rows[leader_of(g->leader, i)] += m->closures[i].n_rows;
  return n;
}

// Gives each compound the rows of its loops.
static void fill_rows(const srs_model *m, gathering *g, struct srs_embedding *e)
{
  for (int i = 0, row = 0; i < m->n_closures; row += m->closures[i++].n_rows) {
    const int number = m->closures[i].is_embedded ? g->number[leader_of(g->leader, i)] : -1;
    if (number < 0) continue; // its ends are on one link
    srs_compound *c = &e->compounds[number];
    if (c->closure < 0) c->closure = i;
    for (int r = 0; r < m->closures[i].n_rows; r++) c->rows[c->n_rows++] = row + r;
  }
}

static bool take_compound(struct srs_embedding *e, srs_compound *c)
{
  srs_arena *a = &e->arena;
  const size_t n = (size_t)c->n, n_independent = (size_t)c->n_independent, n_dependent = (size_t)c->n_dependent,
               n_rows = (size_t)c->n_rows;
  c->X = srs_arena_take(a, n * n_independent, sizeof(double));
  c->drift = srs_arena_take(a, n, sizeof(double));
  c->G = srs_arena_take(a, n_rows * n_dependent, sizeof(double));
  c->G_old = srs_arena_take(a, n_rows * n_dependent, sizeof(double));
  c->QR = srs_arena_take(a, n_rows * n_dependent + n_dependent * n_dependent, sizeof(double));
  c->right = srs_arena_take(a, n_rows * (n_independent + 1), sizeof(double));
  c->beta = srs_arena_take(a, n_dependent, sizeof(double));
  c->size = srs_arena_take(a, n_dependent, sizeof(double));
  c->parts = srs_arena_take(a, n_dependent, sizeof(double));
  c->order = srs_arena_take(a, n_dependent, sizeof(int));
  c->M = srs_arena_take(a, n * n, sizeof(double));
  c->D = srs_arena_take(a, n_independent * n_independent, sizeof(double));
  c->share = srs_arena_take(a, n, sizeof(double));
  c->u = srs_arena_take(a, n_independent, sizeof(double));
  c->U = srs_arena_take(a, n, sizeof(v6));
  c->V = srs_arena_take(a, n_independent, sizeof(v6));
  return !a->failed;
}

// Takes the lists of the compound whose first link this is, and fills those of its coordinates.
static bool fill_compound(struct srs_embedding *e, const srs_model *m, int first, const gathering *g, srs_compound *c)
{
  const int mark = g->mark[first];
  const size_t n_v = (size_t)g->n_v[mark];
  c->base = m->parent[first];
  c->first = first;
  c->closure = -1;
  c->rows = srs_arena_take(&e->arena, (size_t)g->n_rows[mark], sizeof *c->rows);
  c->v = srs_arena_take(&e->arena, n_v, sizeof *c->v);
  c->independent = srs_arena_take(&e->arena, n_v, sizeof *c->independent);
  c->dependent = srs_arena_take(&e->arena, n_v, sizeof *c->dependent);
  c->column = srs_arena_take(&e->arena, n_v, sizeof *c->column);
  if (e->arena.failed) return false;
  for (int k = first; k <= g->last[mark]; k++)
    for (int i = m->v_index[k]; i < m->v_index[k + 1] && g->mark[k] == mark; i++) {
      e->place[i] = c->n;
      c->column[c->n] = g->is_named[i] ? -1 - c->n_independent : c->n_dependent;
      if (g->is_named[i])
        c->independent[c->n_independent++] = c->n;
      else
        c->dependent[c->n_dependent++] = c->n;
      c->v[c->n++] = i;
    }
  return true;
}

// Trees that a compound ties together share the root of the first one in w->tree.
static void join_trees(const srs_workspace *w, struct srs_embedding *e)
{
  const srs_model *m = w->model;
  memcpy(e->tree, w->root, (size_t)m->n_links * sizeof *e->tree);
  for (int k = 0; k < m->n_links; k++) {
    if (e->of_link[k] < 0) continue;
    const int a = e->tree[e->compounds[e->of_link[k]].first], b = e->tree[k];
    const int low = a < b ? a : b, high = a < b ? b : a;
    for (int l = 0; l < m->n_links && low != high; l++)
      if (e->tree[l] == high) e->tree[l] = low;
  }
}

static bool gather(const srs_model *m, srs_arena *a, gathering *g)
{
  const size_t n_closures = (size_t)m->n_closures;
  g->leader = srs_arena_take(a, n_closures, sizeof *g->leader);
  g->mark = srs_arena_take(a, (size_t)m->n_links, sizeof *g->mark);
  g->number = srs_arena_take(a, n_closures, sizeof *g->number);
  g->n_v = srs_arena_take(a, n_closures, sizeof *g->n_v);
  g->n_rows = srs_arena_take(a, n_closures, sizeof *g->n_rows);
  g->last = srs_arena_take(a, n_closures, sizeof *g->last);
  g->is_named = srs_arena_take(a, (size_t)m->nv, sizeof *g->is_named);
  if (a->failed) return false;
  mark_loops(m, g);
  return true;
}

static bool fill_compounds(srs_workspace *w, struct srs_embedding *e, gathering *g)
{
  const srs_model *m = w->model;
  e->n_compounds = count_compounds(m, g, e->of_link);
  e->compounds = srs_arena_take(&e->arena, (size_t)e->n_compounds, sizeof *e->compounds);
  if (e->compounds == NULL) return false;
  for (int k = 0, next = 0; k < m->n_links; k++)
    if (e->of_link[k] == next && !fill_compound(e, m, k, g, &e->compounds[next++])) return false;
  fill_rows(m, g, e);
  for (int i = 0; i < e->n_compounds; i++)
    if (!take_compound(e, &e->compounds[i])) return false;
  return true;
}

static bool fill(srs_workspace *w, struct srs_embedding *e)
{
  const srs_model *m = w->model;
  const size_t nv = (size_t)m->nv, n = (size_t)m->n_links, n_rows = (size_t)m->n_loop_rows;
  srs_arena *a = &e->arena, scratch = {0};
  gathering g;
  e->of_link = srs_arena_take(a, n, sizeof *e->of_link);
  e->tree = srs_arena_take(a, n, sizeof *e->tree);
  e->place = srs_arena_take(a, nv, sizeof *e->place);
  e->loops = srs_arena_take(a, n_rows, sizeof *e->loops);
  e->bias = srs_arena_take(a, n_rows, sizeof *e->bias);
  e->step = srs_arena_take(a, nv, sizeof *e->step);
  e->v = srs_arena_take(a, nv, sizeof *e->v);
  e->dv = srs_arena_take(a, nv, sizeof *e->dv);
  e->q = srs_arena_take(a, (size_t)m->nq, sizeof *e->q);
  e->impulse = srs_arena_take(a, n, sizeof *e->impulse);
  const bool good = !a->failed && gather(m, &scratch, &g) && fill_compounds(w, e, &g);
  srs_arena_release(&scratch);
  if (!good) return false;
  join_trees(w, e);
  e->holds_all = m->n_couplings == 0;
  for (int i = 0; i < m->n_closures; i++) e->holds_all = e->holds_all && m->closures[i].is_embedded;
  w->tree = e->tree;
  return true;
}

srs_status srs_embedding_create(srs_workspace *w, struct srs_embedding **embedding)
{
  *embedding = NULL;
  bool any = false;
  for (int i = 0; i < w->model->n_closures; i++) any = any || w->model->closures[i].is_embedded;
  if (!any) return SRS_OK;
  struct srs_embedding *e = calloc(1, sizeof *e);
  if (e != NULL && fill(w, e)) {
    *embedding = e;
    return SRS_OK;
  }
  srs_embedding_destroy(e);
  w->tree = w->root;
  return SRS_ERROR_MEMORY;
}

void srs_embedding_destroy(struct srs_embedding *e)
{
  if (e == NULL) return;
  srs_arena_release(&e->arena);
  free(e);
}

// ---------------------------------------------------------------------------------------------------------------------
// Failures
// ---------------------------------------------------------------------------------------------------------------------

static const char *name_of(const srs_workspace *w, const srs_compound *c, int place)
{
  return w->model->v_names[c->v[place]];
}

static const char *loop_of(const srs_workspace *w, const srs_compound *c)
{
  return w->model->closures[c->closure].name;
}

// Lists the independent coordinates for messages.
static void list_free(const srs_workspace *w, const srs_compound *c, char list[160])
{
  int used = srs_print(list, 160, "%s", c->n_independent == 0 ? "none" : "");
  for (int f = 0; f < c->n_independent && used < 100; f++)
    used +=
        srs_print(list + used, 160 - (size_t)used, "%s'%.40s'", f > 0 ? ", " : "", name_of(w, c, c->independent[f]));
}

static srs_status fail_undetermined(srs_workspace *w, const srs_compound *c, int held)
{
  char list[160];
  list_free(w, c, list);
  const char *name = name_of(w, c, c->dependent[held]);
  return srs_workspace_fail(w, SRS_ERROR_MODEL, loop_of(w, c),
                            "embedded loop '%.80s': its independent coordinates (%s) do not determine '%.60s' in this "
                            "configuration; choose another independent coordinate, or one more",
                            loop_of(w, c), list, name);
}

static srs_status fail_dependent(srs_workspace *w, const srs_compound *c, int free)
{
  return srs_workspace_fail(w, SRS_ERROR_MODEL, loop_of(w, c),
                            "embedded loop '%.80s': '%.60s' cannot be chosen as independent beside the others: the "
                            "loop leaves less free; name fewer coordinates",
                            loop_of(w, c), name_of(w, c, c->independent[free]));
}

static srs_status fail_open(srs_workspace *w, const srs_compound *c, double gap)
{
  char list[160];
  list_free(w, c, list);
  return srs_workspace_fail(w, SRS_ERROR_UNREACHABLE, loop_of(w, c),
                            "embedded loop '%.80s' cannot be closed where its independent coordinates (%s) are: a gap "
                            "of %.3g is left; near such a place choose another independent coordinate",
                            loop_of(w, c), list, gap);
}

// ---------------------------------------------------------------------------------------------------------------------
// Configurations
// ---------------------------------------------------------------------------------------------------------------------

static double gap_of(const struct srs_embedding *e, const srs_compound *c)
{
  double largest = 0;
  for (int r = 0; r < c->n_rows; r++) {
    const double size = fabs(e->loops[c->rows[r]].gap);
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

// Finds the gaps at q; returns the largest of embedded loops.  @param worst  out: its loop
static double evaluate(srs_workspace *w, const double *q, int *worst)
{
  struct srs_embedding *e = w->embedding;
  srs_place_links(w, q);
  srs_closure_rows(w, q, 0, e->loops); // embedded loops have no prescribed motion, so the time does not matter
  double largest = 0;
  *worst = 0;
  for (int i = 0; i < e->n_compounds; i++) {
    const double gap = gap_of(e, &e->compounds[i]);
    if (!(gap <= largest)) largest = gap, *worst = i;
  }
  return largest;
}

// Finds the Newton step of all compounds, e->step, with new factors or the old ones.
static srs_status find_step(srs_workspace *w, bool is_fresh)
{
  struct srs_embedding *e = w->embedding;
  memset(e->step, 0, (size_t)w->model->nv * sizeof *e->step);
  for (int i = 0; i < e->n_compounds; i++) {
    srs_compound *c = &e->compounds[i];
    if (is_fresh) {
      srs_compound_fill_rows(w, c);
      const int bad = srs_compound_factor(c);
      if (bad >= 0) return fail_undetermined(w, c, bad);
    }
    double largest = 0;
    for (int r = 0; r < c->n_rows; r++) c->right[r] = -e->loops[c->rows[r]].gap;
    srs_compound_follow(c, c->right);
    for (int j = 0; j < c->n_dependent; j++) largest = fmax(largest, fabs(c->right[j]));
    const double share = largest > largest_turn ? largest_turn / largest : 1;
    for (int j = 0; j < c->n_dependent; j++) e->step[c->v[c->dependent[c->order[j]]]] = share * c->right[j];
  }
  return SRS_OK;
}

// A few roundings of the positions whose differences the gaps are.
static double rounding_of(const srs_workspace *w)
{
  double square = 1;
  for (int k = 0; k < w->model->n_links; k++) square = fmax(square, dot(w->place[k].origin, w->place[k].origin));
  return 1e-15 * sqrt(square);
}

srs_status srs_embedding_close(srs_workspace *w, double *q)
{
  struct srs_embedding *e = w->embedding;
  const srs_model *m = w->model;
  int worst;
  memcpy(e->q, q, (size_t)m->nq * sizeof *q);
  double gap = evaluate(w, e->q, &worst);
  const double target = fmax(closed, rounding_of(w));
  bool is_fresh = true; // factors are reused as long as the gaps shrink tenfold per iteration
  for (int i = 0; i < MOST_ITERATIONS && !(gap <= target); i++) {
    const srs_status status = find_step(w, is_fresh);
    if (status != SRS_OK) return status;
    const double before = gap;
    srs_integrate(m, e->q, e->step, 1, e->q);
    gap = evaluate(w, e->q, &worst);
    is_fresh = !(gap < 0.1 * before);
  }
  if (!(gap <= target)) return fail_open(w, &e->compounds[worst], gap);
  memcpy(q, e->q, (size_t)m->nq * sizeof *q);
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Rates
// ---------------------------------------------------------------------------------------------------------------------

static srs_status map(srs_workspace *w, srs_compound *c)
{
  const size_t n = (size_t)c->n_rows, n_independent = (size_t)c->n_independent;
  srs_compound_fill_rows(w, c);
  const int bad = srs_compound_factor(c);
  if (bad >= 0) return fail_undetermined(w, c, bad);
  memset(c->X, 0, (size_t)c->n * n_independent * sizeof *c->X);
  for (size_t f = 0; f < n_independent; f++) {
    if (srs_compound_follow(c, c->right + f * n) > most_left) return fail_dependent(w, c, (int)f);
    c->X[(size_t)c->independent[f] * n_independent + f] = 1;
    for (int j = 0; j < c->n_dependent; j++)
      c->X[(size_t)c->dependent[c->order[j]] * n_independent + f] = c->right[f * n + (size_t)j];
  }
  return SRS_OK;
}

srs_status srs_embedding_map(srs_workspace *w, const double *q)
{
  struct srs_embedding *e = w->embedding;
  int worst;
  const double gap = q != NULL ? evaluate(w, q, &worst) : 0;
  if (!(gap <= most_open)) {
    const char *loop = loop_of(w, &e->compounds[worst]);
    return srs_workspace_fail(w, SRS_ERROR_UNREACHABLE, loop,
                              "embedded loop '%.80s' is open by %.3g; assemble it first", loop, gap);
  }
  for (int i = 0; i < e->n_compounds; i++) {
    const srs_status status = map(w, &e->compounds[i]);
    if (status != SRS_OK) return status;
  }
  return SRS_OK;
}

void srs_embedding_lift(const srs_workspace *w, double *v)
{
  const struct srs_embedding *e = w->embedding;
  for (int i = 0; i < e->n_compounds; i++) {
    const srs_compound *c = &e->compounds[i];
    for (int j = 0; j < c->n_dependent; j++) {
      double sum = 0;
      for (int f = 0; f < c->n_independent; f++)
        sum += c->X[(size_t)c->dependent[j] * (size_t)c->n_independent + (size_t)f] * v[c->v[c->independent[f]]];
      v[c->v[c->dependent[j]]] = sum;
    }
  }
}

void srs_embedding_drift(srs_workspace *w, const double *v)
{
  struct srs_embedding *e = w->embedding;
  srs_move_links(w, v);
  srs_accelerate_links(w, v, w->zero_v);
  srs_closure_bias(w, e->bias);
  for (int i = 0; i < e->n_compounds; i++) {
    srs_compound *c = &e->compounds[i];
    double *right = c->right + (size_t)c->n_independent * (size_t)c->n_rows;
    for (int r = 0; r < c->n_rows; r++) right[r] = -e->bias[c->rows[r]];
    srs_compound_follow(c, right);
    memset(c->drift, 0, (size_t)c->n * sizeof *c->drift);
    for (int j = 0; j < c->n_dependent; j++) c->drift[c->dependent[c->order[j]]] = right[j];
  }
}

void srs_embedding_add_drift(const srs_workspace *w, double *a)
{
  for (int i = 0; i < w->embedding->n_compounds; i++) {
    const srs_compound *c = &w->embedding->compounds[i];
    for (int j = 0; j < c->n; j++) a[c->v[j]] += c->drift[j];
  }
}

srs_status srs_embedding_prepare(srs_workspace *w, const double *q, double *v)
{
  const srs_status status = srs_embedding_map(w, q);
  if (status != SRS_OK) return status;
  srs_embedding_lift(w, v);
  srs_embedding_drift(w, v);
  return SRS_OK;
}

void srs_embedding_keep(srs_workspace *w)
{
  for (int i = 0; i < w->embedding->n_compounds; i++) {
    srs_compound *c = &w->embedding->compounds[i];
    memcpy(c->G_old, c->G, (size_t)c->n_rows * (size_t)c->n_dependent * sizeof *c->G);
  }
}

// The sign of the determinant, by Gaussian elimination. A: n x n, overwritten.
static int sign_of(size_t n, double *A)
{
  int sign = 1;
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    for (size_t j = 0; j < n && best != k; j++) {
      const double entry = A[k * n + j];
      A[k * n + j] = A[best * n + j];
      A[best * n + j] = entry;
    }
    if (best != k) sign = -sign;
    if (A[k * n + k] < 0) sign = -sign;
    if (!(fabs(A[k * n + k]) > 0)) return 0;
    for (size_t i = k + 1; i < n; i++)
      for (size_t j = n; j-- > k;) A[i * n + j] -= A[i * n + k] / A[k * n + k] * A[k * n + j];
  }
  return sign;
}

srs_status srs_embedding_check_passage(srs_workspace *w)
{
  for (int i = 0; i < w->embedding->n_compounds; i++) {
    srs_compound *c = &w->embedding->compounds[i];
    const size_t n = (size_t)c->n_rows, n_dependent = (size_t)c->n_dependent;
    double *product = c->QR; // its factors are no longer needed; it has at least as many rows as columns
    for (size_t a = 0; a < n_dependent; a++)
      for (size_t b = 0; b < n_dependent; b++) {
        double sum = 0;
        for (size_t r = 0; r < n; r++) sum += c->G_old[a * n + r] * c->G[b * n + r];
        product[a * n_dependent + b] = sum;
      }
    if (sign_of(n_dependent, product) > 0) continue;
    char list[160];
    list_free(w, c, list);
    return srs_workspace_fail(w, SRS_ERROR_MODEL, loop_of(w, c),
                              "embedded loop '%.80s' passes a configuration in which its independent coordinates (%s) "
                              "do not determine the others; choose another independent coordinate",
                              loop_of(w, c), list);
  }
  return SRS_OK;
}
