// Sparse LU by fronts: adjacent places of AMD's order that are eliminated together, in a dense matrix of their own.
//
// A front has the rows and columns of its places and of those after it that they reach. It takes A's numbers and what
// the fronts whose first reached place is its own have left, is eliminated (contact/algebra/sparse_front.h), and leaves
// the rest to the next: children before parents, so a stack holds what is left (Duff and Reid 1983). Then, front after
// front, y_i <- A_ii^-1 (y_i - sum L_ik y_k), and back x_i = y_i - sum V_ij x_j.
//
// Which places make a front is chosen by what it saves: one that reaches fewer than the next is filled up with zeros.
// In memory: what is left; L of a front where it is not kept; V of all fronts, L beside each where it is kept.
#include "contact/algebra/sparse.h"
#include "contact/algebra/sparse_front.h"

enum { MOST = 2 * SRS_NODE_MOST, MOST_OWN = 96 }; // rows of a place of least squares; of a front's places
_Static_assert((int)MOST <= (int)SRS_FRONT_BLOCK, "fronts have room for least squares");

// Multiplications that take as long as adding a number to a parent, and as all else about a front.
static const double cost_of_number = 6, cost_of_front = 1500;

// ---- which places ----

static double cost_of(double own, double wide)
{
  return own * (own + wide) * (own + wide) + cost_of_number * wide * wide + cost_of_front;
}

static double rows_of(const srs_sparse *s, int first, int end) { return s->offset[end] - s->offset[first]; }

// The last front and the one before it, its child, are one from now on where that takes less.
static bool merge_last(srs_sparse *s, int end)
{
  const int n = s->n_fronts;
  if (n < 2) return false;
  const int child = s->front[n - 2], middle = s->front[n - 1];
  if (s->panel_start[middle] == s->panel_start[middle - 1]) return false; // it reaches none
  if (s->panel[s->panel_start[middle - 1]] >= end) return false;
  const double own = rows_of(s, child, middle), rest = rows_of(s, middle, end), wide = s->reach[end - 1];
  if (own + rest > MOST_OWN) return false;
  if (cost_of(own + rest, wide) > cost_of(own, s->reach[middle - 1]) + cost_of(rest, wide)) return false;
  s->n_fronts--;
  return true;
}

static srs_front shape_of(const srs_sparse *s, int number, int times)
{
  const int first = s->front[number], end = s->front[number + 1];
  srs_front f = {.own = times * (s->offset[end] - s->offset[first]), .wide = times * s->reach[end - 1]};
  f.beside = srs_dense_stride(f.own);
  f.stride = f.beside + srs_dense_stride(f.wide);
  return f;
}

static size_t left_by(const srs_front *f)
{
  const size_t wide = (size_t)(f->stride - f->beside);
  return wide * wide;
}

// The front that a front leaves its rest to; none: n_fronts.
static int parent_of(const srs_sparse *s, int number)
{
  const int last = s->front[number + 1] - 1;
  return s->panel_start[last] < s->panel_start[last + 1] ? s->front_of[s->panel[s->panel_start[last]]] : s->n_fronts;
}

static srs_sparse_sizes sizes_of(srs_sparse *s, int times)
{
  srs_sparse_sizes sizes = {0};
  int *waiting = s->scratch, n_waiting = 0;
  size_t used = 0;
  for (int number = 0; number < s->n_fronts; number++) {
    const srs_front f = shape_of(s, number, times);
    const size_t own = (size_t)f.own * (size_t)f.stride;
    if (used + left_by(&f) > sizes.stack) sizes.stack = used + left_by(&f);
    for (; n_waiting > 0 && parent_of(s, waiting[n_waiting - 1]) == number; n_waiting--) {
      const srs_front child = shape_of(s, waiting[n_waiting - 1], times);
      used -= left_by(&child);
    }
    waiting[n_waiting++] = number;
    used += left_by(&f);
    sizes.upper += own;
    if (own > sizes.most) sizes.most = own;
  }
  return sizes;
}

void srs_sparse_find_fronts(srs_sparse *s)
{
  s->n_fronts = 0;
  for (int k = 0; k < s->n_nodes; k++) {
    s->reach[k] = 0;
    for (int l = s->panel_start[k]; l < s->panel_start[k + 1]; l++) s->reach[k] += srs_sparse_size(s, s->panel[l]);
    s->front[s->n_fronts++] = k;
    while (merge_last(s, k + 1)) {}
  }
  s->front[s->n_fronts] = s->n_nodes;
  for (int f = 0; f < s->n_fronts; f++)
    for (int k = s->front[f]; k < s->front[f + 1]; k++) s->front_of[k] = f;
  s->sizes[0] = sizes_of(s, 1);
  s->sizes[1] = sizes_of(s, 2);
}

size_t srs_sparse_factor_doubles(const srs_sparse *s) { return s->sizes[0].stack + 2 * s->sizes[0].upper; }

size_t srs_sparse_most_doubles(const srs_sparse *s)
{
  const srs_sparse_sizes *squares = &s->sizes[1];
  const size_t solve = squares->stack + squares->most + squares->upper;
  const size_t kept = srs_sparse_factor_doubles(s) + (size_t)SRS_SPARSE_VECTORS * (size_t)s->n;
  return solve > kept ? solve : kept;
}

// ---- a front's numbers ----

typedef struct elimination {
  const srs_sparse *s;
  const double *A;
  int times; // 1, or 2 for least squares
  double shift;
  int *position; // n_nodes: of a place, its first column in the front
  srs_run *run;  // columns side by side of what a child leaves
  int *begin;    // where they begin in the front
  int n_runs;
} elimination;

static int offset_of(const elimination *e, int place) { return e->times * e->s->offset[place]; }

static int size_of(const elimination *e, int place) { return e->times * srs_sparse_size(e->s, place); }

static void find_positions(const elimination *e, int number, const srs_front *f)
{
  const srs_sparse *s = e->s;
  const int first = s->front[number], last = s->front[number + 1] - 1;
  for (int k = first; k <= last; k++) e->position[k] = offset_of(e, k) - offset_of(e, first);
  for (int l = s->panel_start[last], at = f->beside; l < s->panel_start[last + 1]; l++) {
    e->position[s->panel[l]] = at;
    at += size_of(e, s->panel[l]);
  }
}

// A's block of a node and a neighbour, and of the neighbour and the node.
SRS_CONTACT_INLINE void copy_blocks(size_t rows, size_t columns, const double *block, size_t wide,
                                    const double *opposite, size_t across, double *top, double *left, size_t step)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++) {
      top[i * step + j] = block[i * wide + j];
      left[i * step + j] = opposite[j * across + i];
    }
}

// The four blocks of least squares, whose matrix is symmetric.
static void copy_squares(size_t rows, size_t columns, const double *block, size_t wide, const double *opposite,
                         size_t across, double unit, double shift, double *to, size_t step)
{
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++) {
      to[i * step + j] = i == j ? unit : 0;
      to[i * step + columns + j] = block[i * wide + j];
      to[(rows + i) * step + j] = opposite[j * across + i];
      to[(rows + i) * step + columns + j] = i == j ? -shift : 0;
    }
}

// Of a node and its k-th neighbour, to the front's row `at` and column `position`.
SRS_CONTACT_INLINE void load_block(const elimination *e, int node, int k, const srs_front *f, int at, int position)
{
  const srs_sparse *s = e->s;
  const int other = s->column[k], rows = s->first[node + 1] - s->first[node];
  const int columns = s->first[other + 1] - s->first[other];
  const size_t wide = (size_t)s->wide[node], across = (size_t)s->wide[other], step = (size_t)f->stride;
  const double *block = e->A + s->begin[node] + s->at[k];
  const double *opposite = e->A + s->begin[other] + s->at[s->across[k]];
  double *top = f->top + (size_t)at * step + position, *left = f->left + (size_t)at * step + position;
  if (e->times == 2) {
    const double unit = node == other, shift = e->shift * unit;
    copy_squares((size_t)rows, (size_t)columns, block, wide, opposite, across, unit, shift, top, step);
    copy_squares((size_t)rows, (size_t)columns, block, wide, opposite, across, unit, shift, left, step);
  } else if (rows == 3 && columns == 3) {
    copy_blocks(3, 3, block, wide, opposite, across, top, left, step);
  } else if (rows == 2 && columns == 2) {
    copy_blocks(2, 2, block, wide, opposite, across, top, left, step);
  } else {
    copy_blocks((size_t)rows, (size_t)columns, block, wide, opposite, across, top, left, step);
  }
}

static void load(const elimination *e, int number, const srs_front *f)
{
  const srs_sparse *s = e->s;
  const size_t bytes = sizeof(double) * (size_t)f->own * (size_t)f->stride;
  memset(f->top, 0, bytes);
  memset(f->left, 0, bytes);
  memset(f->rest, 0, sizeof(double) * left_by(f));
  for (int place = s->front[number]; place < s->front[number + 1]; place++) {
    const int node = s->order[place];
    for (int k = s->start[node]; k < s->start[node + 1]; k++) {
      const int other = s->place[s->column[k]];
      if (other >= place) load_block(e, node, k, f, e->position[place], e->position[other]);
    }
  }
}

// The runs of what a child leaves, those of the front's own columns first; returns how many these are.
static int find_runs(elimination *e, int child, const srs_front *f)
{
  const srs_sparse *s = e->s;
  const int last = s->front[child + 1] - 1;
  int n = 0, n_own = 0, column = 0;
  for (int l = s->panel_start[last]; l < s->panel_start[last + 1]; l++) {
    const int to = e->position[s->panel[l]], size = size_of(e, s->panel[l]);
    const bool goes_on = n > 0 && to != f->beside && e->begin[n - 1] + e->run[n - 1].to - e->run[n - 1].from == to;
    if (goes_on)
      e->run[n - 1].to += size;
    else
      e->begin[n] = to, e->run[n++] = (srs_run){column, column + size};
    column += size;
    if (to < f->own) n_own = n;
  }
  e->n_runs = n;
  return n_own;
}

typedef double pair __attribute__((vector_size(16), aligned(8)));

SRS_CONTACT_INLINE void add(int n, const double *from, double *to)
{
  int j = 0;
  for (; j + 4 <= n; j += 4) srs_store(to + j, srs_load(to + j) + srs_load(from + j));
  if (j + 2 <= n) {
    *(pair *)(to + j) += *(const pair *)(from + j);
    j += 2;
  }
  if (j < n) to[j] += from[j];
}

// What a child leaves, rows `step` apart. Of own rows and columns the front needs half; all are added.
SRS_CONTACT_KERNEL
static void add_child(const elimination *e, int n_own, const srs_front *f, const double *from, size_t step)
{
  const size_t stride = (size_t)f->stride, wide = (size_t)(f->stride - f->beside);
  for (int r = 0; r < e->n_runs; r++)
    for (int i = e->run[r].from, to = e->begin[r]; i < e->run[r].to; i++, to++) {
      const double *row = from + (size_t)i * step;
      for (int c = 0; c < n_own; c++)
        for (int j = e->run[c].from; j < e->run[c].to; j++)
          f->left[(size_t)(e->begin[c] + j - e->run[c].from) * stride + (size_t)to] += row[j];
      double *target = r < n_own ? f->top + (size_t)to * stride : f->rest + (size_t)(to - f->beside) * wide;
      for (int c = r < n_own ? 0 : n_own; c < e->n_runs; c++)
        add(e->run[c].to - e->run[c].from, row + e->run[c].from, target + e->begin[c] - (r < n_own ? 0 : f->beside));
    }
}

SRS_CONTACT_KERNEL
static bool factor(const elimination *e, int number, const srs_front *f, srs_pivots *p)
{
  const srs_sparse *s = e->s;
  const size_t step = (size_t)f->stride;
  for (int k = s->front[number]; k < s->front[number + 1]; k++) {
    const int at = e->position[k], n = size_of(e, k), from = at & ~3, after = (at + n) & ~3;
    double *V = f->top + (size_t)at * step, *L = f->left + (size_t)at * step;
    srs_front_subtract(n, f->stride - from, at, f->left + at, f->top + from, V + from, step);
    srs_front_subtract(n, f->stride - after, at, f->top + at, f->left + after, L + after, step);
    if (!srs_front_divide(n, at, V, step, s->pivot + offset_of(e, k), p)) return false;
  }
  srs_front_subtract_rest(f);
  return true;
}

// ---- solutions ----

typedef struct vector {
  double *y, *own; // of all places; of a front, its own columns and those beside
} vector;

SRS_CONTACT_INLINE void subtract_row(int from, int end, double f, const double *row, double *y)
{
  int j = from;
  for (; j < end && j % 4 != 0; j++) y[j] -= f * row[j];
  for (; j < end; j += 4) srs_store(y + j, srs_load(y + j) - f * srs_load(row + j));
}

// The numbers of the places that a front reaches, side by side, taken from those of all places or given back.
SRS_CONTACT_INLINE void copy_reached(const elimination *e, int number, bool gives, double *y, double *beside)
{
  const srs_sparse *s = e->s;
  const int last = s->front[number + 1] - 1, end = s->panel_start[last + 1];
  for (int l = s->panel_start[last], next; l < end; l = next) {
    for (next = l + 1; next < end && s->panel[next] == s->panel[next - 1] + 1;) next++;
    const int from = offset_of(e, s->panel[l]), n = offset_of(e, s->panel[next - 1] + 1) - from;
    const double *source = gives ? beside : y + from;
    double *target = gives ? y + from : beside;
    int j = 0;
    for (; j + 4 <= n; j += 4) srs_store(target + j, srs_load(source + j));
    for (; j < n; j++) target[j] = source[j];
    beside += n;
  }
}

SRS_CONTACT_INLINE void gather(const elimination *e, int number, const srs_front *f, const vector *v)
{
  const double *y = v->y + offset_of(e, e->s->front[number]);
  for (int i = 0; i < f->own; i++) v->own[i] = y[i];
  for (int i = f->own; i < f->beside; i++) v->own[i] = 0;
  for (int i = f->beside + f->wide; i < f->stride; i++) v->own[i] = 0;
  copy_reached(e, number, false, v->y, v->own + f->beside);
}

SRS_CONTACT_INLINE void scatter_own(const elimination *e, int number, const srs_front *f, const vector *v)
{
  double *y = v->y + offset_of(e, e->s->front[number]);
  for (int i = 0; i < f->own; i++) y[i] = v->own[i];
}

SRS_CONTACT_KERNEL
static void go_down(const elimination *e, int number, const srs_front *f, const vector *v)
{
  const srs_sparse *s = e->s;
  const size_t step = (size_t)f->stride;
  gather(e, number, f, v);
  for (int k = s->front[number], at = 0; k < s->front[number + 1]; k++) {
    const int n = size_of(e, k);
    srs_front_divide_vector(n, f->top + (size_t)at * step + at, step, s->pivot + offset_of(e, k), v->own + at);
    for (int i = 0; i < n; i++)
      subtract_row(at + n, f->stride, v->own[at + i], f->left + (size_t)(at + i) * step, v->own);
    at += n;
  }
  scatter_own(e, number, f, v);
  copy_reached(e, number, true, v->y, v->own + f->beside);
}

SRS_CONTACT_KERNEL
static void go_up(const elimination *e, int number, const srs_front *f, const vector *v)
{
  const srs_sparse *s = e->s;
  const size_t step = (size_t)f->stride;
  gather(e, number, f, v);
  for (int k = s->front[number + 1] - 1, at = f->own; k >= s->front[number]; k--) {
    const int n = size_of(e, k), after = at;
    at -= n;
    for (int i = 0; i < n; i++)
      v->own[at + i] -= srs_dot(f->stride - after, f->top + (size_t)(at + i) * step + after, v->own + after);
  }
  scatter_own(e, number, f, v);
}

// ---- all fronts ----

typedef struct room {
  double *stack, *left, *upper;
  bool keeps_left; // beside upper
} room;

static room divide_up(const srs_sparse *s, int times, bool keeps_left, double *doubles)
{
  const srs_sparse_sizes *sizes = &s->sizes[times - 1];
  double *left = doubles + sizes->stack;
  return (room){doubles, left, keeps_left ? left : left + sizes->most, keeps_left};
}

static double *place_front(const room *m, srs_front *f, double *upper)
{
  const size_t size = (size_t)f->own * (size_t)f->stride;
  f->top = upper;
  f->left = m->keeps_left ? upper + size : m->left;
  return upper + (m->keeps_left ? 2 : 1) * size;
}

static elimination start(const srs_sparse *s, const double *A, int times, double shift)
{
  elimination e = {.s = s, .A = A, .times = times, .shift = shift, .position = s->scratch};
  const size_t nodes = (size_t)s->n_nodes;
  e.run = (srs_run *)(s->scratch + 2 * nodes); // after those that wait
  e.begin = s->scratch + 4 * nodes;
  return e;
}

// y: what has been eliminated of it too, or NULL.
static bool eliminate(elimination *e, double least_ratio, const room *m, const vector *v)
{
  const srs_sparse *s = e->s;
  int *waiting = s->scratch + s->n_nodes, n_waiting = 0;
  srs_pivots p = {INFINITY, 0};
  double *upper = m->upper, *free = m->stack;
  for (int number = 0; number < s->n_fronts; number++) {
    srs_front f = shape_of(s, number, e->times);
    upper = place_front(m, &f, upper);
    f.rest = free;
    find_positions(e, number, &f);
    load(e, number, &f);
    for (; n_waiting > 0 && parent_of(s, waiting[n_waiting - 1]) == number; n_waiting--) {
      const srs_front child = shape_of(s, waiting[n_waiting - 1], e->times);
      free -= left_by(&child);
      const int n_own = find_runs(e, waiting[n_waiting - 1], &f);
      add_child(e, n_own, &f, free, (size_t)(child.stride - child.beside));
    }
    if (!factor(e, number, &f, &p) || !(p.smallest > least_ratio * p.largest)) return false;
    if (v != NULL) go_down(e, number, &f, v);
    memmove(free, f.rest, sizeof *free * left_by(&f));
    waiting[n_waiting++] = number;
    free += left_by(&f);
  }
  return true;
}

// Back through the fronts, whose upper parts end there.
static void substitute(const elimination *e, const room *m, const vector *v)
{
  const srs_sparse *s = e->s;
  double *upper = m->upper + (m->keeps_left ? 2 : 1) * s->sizes[e->times - 1].upper;
  for (int number = s->n_fronts - 1; number >= 0; number--) {
    srs_front f = shape_of(s, number, e->times);
    upper -= (m->keeps_left ? 2 : 1) * (size_t)f.own * (size_t)f.stride;
    (void)place_front(m, &f, upper);
    go_up(e, number, &f, v);
  }
}

static void take(const elimination *e, const double *x, double *y)
{
  const srs_sparse *s = e->s;
  memset(y, 0, sizeof *y * (size_t)(e->times * s->n));
  for (int k = 0; k < s->n_nodes; k++)
    memcpy(y + offset_of(e, k), x + s->first[s->order[k]], sizeof *x * (size_t)srs_sparse_size(s, k));
}

// Of least squares, the lower half.
static void give(const elimination *e, const double *y, double *x)
{
  const srs_sparse *s = e->s;
  for (int k = 0; k < s->n_nodes; k++)
    memcpy(x + s->first[s->order[k]], y + offset_of(e, k + 1) - srs_sparse_size(s, k),
           sizeof *x * (size_t)srs_sparse_size(s, k));
}

static bool solve(elimination *e, double least_ratio, double *doubles, double *x)
{
  const room m = divide_up(e->s, e->times, false, doubles);
  const vector v = {e->s->y, e->s->work};
  take(e, x, v.y);
  if (!eliminate(e, least_ratio, &m, &v)) return false;
  substitute(e, &m, &v);
  give(e, v.y, x);
  return true;
}

bool srs_sparse_solve(const srs_sparse *s, const double *A, double least_ratio, double *memory, double *x)
{
  elimination e = start(s, A, 1, 0);
  return solve(&e, least_ratio, memory, x);
}

bool srs_sparse_least_squares(const srs_sparse *s, const double *A, double shift, double *memory, double *x)
{
  elimination e = start(s, A, 2, shift);
  return solve(&e, 0, memory, x);
}

bool srs_sparse_factor(const srs_sparse *s, const double *A, double least_ratio, double *doubles)
{
  elimination e = start(s, A, 1, 0);
  const room m = divide_up(s, 1, true, doubles);
  return eliminate(&e, least_ratio, &m, NULL);
}

void srs_sparse_apply(const srs_sparse *s, const double *doubles, double *x)
{
  const elimination e = start(s, NULL, 1, 0);
  const room m = divide_up(s, 1, true, (double *)doubles);
  const vector v = {s->y, s->work};
  take(&e, x, v.y);
  double *upper = m.upper;
  for (int number = 0; number < s->n_fronts; number++) {
    srs_front f = shape_of(s, number, 1);
    upper = place_front(&m, &f, upper);
    go_down(&e, number, &f, &v);
  }
  substitute(&e, &m, &v);
  give(&e, v.y, x);
}
