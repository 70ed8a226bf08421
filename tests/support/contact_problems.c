// Contact problems made by drawing lots, with an answer and (at the end) without one.
//
// Half of them are made of dense random rows over as many coordinates as they please (rows beyond the coordinates make
// W rank-deficient), half of bodies with six coordinates each that touch the ground and each other. Each contact's
// normal row is moved along v° (within the coordinates that it has) until n . J v° = mu |E J_t v°| + something
// positive, each bilateral row until J v° = 0.
#include "support/contact_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct plan {
  int n_coordinates, n_bodies; // bodies: 0 when rows are dense
  int reach;                   // bodies touch those so far away at most; 0: any
  int n_rows;
  double *J;             // n_rows x n_coordinates
  double *inverse;       // n_coordinates: of the mass
  double *inside, *free; // n_coordinates: v°, v_free
} plan;

static double *row_of(const plan *p, int i) { return p->J + (size_t)i * (size_t)p->n_coordinates; }

static double dot(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// Random entries where the two bodies are (or everywhere).
static void draw_row(testing_random *random, const plan *p, int one, int other, double *row)
{
  for (int j = 0; j < p->n_coordinates; j++) {
    const bool is_in = p->n_bodies == 0 || j / 6 == one || j / 6 == other;
    row[j] = is_in ? testing_uniform(random, -1, 1) : 0;
  }
}

// Adds a multiple of v° within the row's own coordinates, so that row . v° = wanted.
static void move_row(const plan *p, double wanted, double *row)
{
  double square = 0;
  for (int j = 0; j < p->n_coordinates; j++)
    if (row[j] != 0) square += p->inside[j] * p->inside[j];
  const double share = (wanted - dot(row, p->inside, p->n_coordinates)) / square;
  for (int j = 0; j < p->n_coordinates; j++)
    if (row[j] != 0) row[j] += share * p->inside[j];
}

static void draw_bodies(testing_random *random, const plan *p, int *one, int *other)
{
  *one = p->n_bodies > 0 ? testing_below(random, p->n_bodies) : 0;
  if (p->reach > 0) {
    *other = *one + testing_below(random, p->reach + 1);
    if (*other == *one || *other > p->n_bodies) *other = p->n_bodies;
    return;
  }
  *other = p->n_bodies > 0 ? testing_below(random, p->n_bodies + 1) : 0; // n_bodies: the ground
}

static void draw_contact(testing_random *random, const plan *p, double mu, int tangents, const double *anisotropy,
                         int first)
{
  int one, other;
  double slip = 0;
  draw_bodies(random, p, &one, &other);
  for (int i = 0; i <= tangents; i++) draw_row(random, p, one, other, row_of(p, first + i));
  for (int i = 0; i < tangents; i++)
    slip = hypot(slip, anisotropy[i] * dot(row_of(p, first + 1 + i), p->inside, p->n_coordinates));
  move_row(p, mu * slip + testing_uniform(random, 0.05, 1), row_of(p, first));
}

static void fill(const plan *p, double *W, double *b)
{
  for (int i = 0; i < p->n_rows; i++) {
    b[i] = dot(row_of(p, i), p->free, p->n_coordinates);
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < p->n_coordinates; k++) sum += row_of(p, i)[k] * p->inverse[k] * row_of(p, j)[k];
      W[(size_t)i * (size_t)p->n_rows + (size_t)j] = W[(size_t)j * (size_t)p->n_rows + (size_t)i] = sum;
    }
  }
}

static double draw_friction(testing_random *random, double most)
{
  const int kind = testing_below(random, 6);
  return kind == 0 ? 0 : testing_uniform(random, 0, kind < 4 && most > 1 ? 1 : most);
}

enum { REACH = 3 };

// How many bodies and coordinates the rows are of.
static void draw_sizes(testing_random *random, const contact_lots *lots, int n_drawn, int n_independent, plan *p)
{
  if (lots->n_bodies > 0) {
    p->n_bodies = lots->n_bodies, p->reach = REACH;
    p->n_coordinates = 6 * p->n_bodies;
  } else if (testing_below(random, 2) == 0) {
    p->n_bodies = 1 + testing_below(random, n_drawn + 1);
    p->n_coordinates = 6 * p->n_bodies;
  } else {
    const bool is_deficient = testing_below(random, 2) == 0;
    p->n_coordinates =
        is_deficient ? 2 + testing_below(random, n_independent) : n_independent + testing_below(random, 6);
  }
}

static void draw_coordinates(testing_random *random, const contact_lots *lots, plan *p)
{
  const double orders = testing_below(random, 2) == 0 ? 0 : testing_uniform(random, 0, log10(lots->most_mass_ratio));
  for (int j = 0; j < p->n_coordinates; j++) {
    const bool is_same_body = p->n_bodies > 0 && j % 6 != 0;
    p->inverse[j] = is_same_body ? p->inverse[j - 1] : pow(10, testing_uniform(random, -orders / 2, orders / 2));
    p->inside[j] = testing_uniform(random, -1, 1);
    p->free[j] = testing_uniform(random, -1, 1);
  }
}

// What was drawn of contacts: each drawn one stands `copies` times, and has so many tangents.
enum { MOST_DRAWN = 256 };
typedef struct drawn_contacts {
  int copies[MOST_DRAWN], tangents[MOST_DRAWN];
  int n, n_contacts, rows, rows_without_copies;
} drawn_contacts;

static drawn_contacts draw_contacts(testing_random *random, const contact_lots *lots)
{
  drawn_contacts d = {.n = 0};
  const int most = lots->most_contacts < 64 ? lots->most_contacts : 64;
  d.n = lots->n_contacts > 0 ? lots->n_contacts : 1 + testing_below(random, most);
  assert_true(d.n <= MOST_DRAWN);
  const bool has_copies = lots->most_copies > 1 && testing_below(random, 4) == 0;
  for (int i = 0; i < d.n; i++) {
    d.copies[i] = has_copies && testing_below(random, 3) == 0 ? 1 + testing_below(random, lots->most_copies) : 1;
    d.tangents[i] = lots->has_rolling        ? testing_below(random, 6)
                    : lots->has_any_tangents ? testing_below(random, 4)
                                             : 2;
    d.n_contacts += d.copies[i];
    d.rows += d.copies[i] * (1 + d.tangents[i]);
    d.rows_without_copies += 1 + d.tangents[i];
  }
  return d;
}

// Where the numbers of a problem are.
typedef struct problem_arrays {
  double *W, *b, *friction, *lower, *upper, *anisotropy, *rolling;
  unsigned char *tangents;
} problem_arrays;

static problem_arrays lay_out(double *memory, int n_rows, int n_contacts, int n_box)
{
  problem_arrays x = {.W = memory};
  x.b = x.W + (size_t)n_rows * (size_t)n_rows;
  x.friction = x.b + n_rows;
  x.lower = x.friction + n_contacts;
  x.upper = x.lower + n_box;
  x.anisotropy = x.upper + n_box;
  x.rolling = x.anisotropy + 3 * (size_t)n_contacts;
  x.tangents = (unsigned char *)(x.rolling + n_contacts);
  return x;
}

// Rows of the problem from `row` on.  @return the first one after them
static int draw_bilateral_rows(testing_random *random, const plan *p, int n)
{
  int one, other;
  for (int row = 0; row < n; row++) {
    draw_bodies(random, p, &one, &other);
    draw_row(random, p, one, other, row_of(p, row));
    if (row > 0 && testing_below(random, 6) == 0)
      memcpy(row_of(p, row), row_of(p, row - 1), (size_t)p->n_coordinates * sizeof(double));
    move_row(p, 0, row_of(p, row));
  }
  return n;
}

static int draw_contact_rows(testing_random *random, const contact_lots *lots, const plan *p, const drawn_contacts *d,
                             const problem_arrays *x, int row)
{
  for (int i = 0, c = 0; i < d->n; i++) {
    const double mu = draw_friction(random, lots->most_friction);
    const int first = row, size = 1 + d->tangents[i];
    double drawn[5] = {1, 1, 1, 1, 1};
    for (int k = 0; k < 3 && lots->most_anisotropy > 1; k++)
      drawn[k] = pow(lots->most_anisotropy, testing_uniform(random, -1, 1));
    if (lots->has_rolling && lots->most_anisotropy > 1)
      drawn[3] = drawn[4] = pow(lots->most_anisotropy, testing_uniform(random, -1, 1));
    draw_contact(random, p, mu, d->tangents[i], drawn, first);
    for (int copy = 0; copy < d->copies[i]; copy++, row += size, c++) {
      x->friction[c] = mu;
      x->tangents[c] = (unsigned char)d->tangents[i];
      memcpy(x->anisotropy + 3 * (size_t)c, drawn, 3 * sizeof *drawn);
      x->rolling[c] = drawn[3];
      if (copy > 0) memcpy(row_of(p, row), row_of(p, first), (size_t)size * (size_t)p->n_coordinates * sizeof(double));
    }
  }
  return row;
}

static void draw_one_sided_rows(testing_random *random, const plan *p, int n_unilateral, int n_box,
                                const problem_arrays *x, int row)
{
  int one, other;
  for (int i = 0; i < n_unilateral; i++, row++) {
    draw_bodies(random, p, &one, &other);
    draw_row(random, p, one, other, row_of(p, row));
    move_row(p, testing_uniform(random, 0.05, 1), row_of(p, row));
  }
  for (int i = 0; i < n_box; i++, row++) {
    draw_bodies(random, p, &one, &other);
    draw_row(random, p, one, other, row_of(p, row));
    x->upper[i] = testing_uniform(random, 0, 1);
    x->lower[i] = testing_below(random, 4) == 0 ? 0 : -x->upper[i];
  }
}

random_problem random_problem_make(testing_random *random, const contact_lots *lots)
{
  const drawn_contacts d = draw_contacts(random, lots);
  const int n_bilateral = testing_below(random, lots->most_bilateral + 1);
  const int n_unilateral = testing_below(random, lots->most_unilateral + 1);
  const int n_box = testing_below(random, lots->most_box + 1);
  plan p = {.n_rows = n_bilateral + d.rows + n_unilateral + n_box};
  draw_sizes(random, lots, d.n, n_bilateral + d.rows_without_copies + n_unilateral + n_box, &p);
  const size_t rows = (size_t)p.n_rows, coordinates = (size_t)p.n_coordinates;
  double *scratch = calloc((rows + 3) * coordinates, sizeof *scratch);
  double *memory = calloc(rows * rows + rows + 6 * (size_t)d.n_contacts + 2 * (size_t)n_box + 1, sizeof *memory);
  assert_non_null(scratch);
  assert_non_null(memory);
  p.J = scratch, p.inverse = scratch + rows * coordinates, p.inside = p.inverse + coordinates;
  p.free = p.inside + coordinates;
  draw_coordinates(random, lots, &p);
  const problem_arrays x = lay_out(memory, p.n_rows, d.n_contacts, n_box);
  const int first_contact = draw_bilateral_rows(random, &p, n_bilateral);
  const int first_unilateral = draw_contact_rows(random, lots, &p, &d, &x, first_contact);
  draw_one_sided_rows(random, &p, n_unilateral, n_box, &x, first_unilateral);
  fill(&p, x.W, x.b);
  free(scratch);
  return (random_problem){{.n_bilateral = n_bilateral,
                           .n_contacts = d.n_contacts,
                           .n_unilateral = n_unilateral,
                           .n_box = n_box,
                           .W = x.W,
                           .b = x.b,
                           .friction = x.friction,
                           .tangents = lots->has_any_tangents || lots->has_rolling ? x.tangents : NULL,
                           .anisotropy = lots->most_anisotropy > 1 ? x.anisotropy : NULL,
                           .rolling = lots->has_rolling && lots->most_anisotropy > 1 ? x.rolling : NULL,
                           .box_lower = x.lower,
                           .box_upper = x.upper},
                          memory};
}

void random_problem_free(random_problem *random)
{
  free(random->memory);
  random->memory = NULL;
}

// ---- without an answer ----

int contradiction_row(const contradiction *d, int number)
{
  int row = d->problem.n_bilateral;
  for (int c = 0; c < number && c < d->problem.n_contacts; c++) row += 1 + d->tangents[c];
  return number < d->problem.n_contacts ? row : row + number - d->problem.n_contacts;
}

// The last one-sided row contradicts some others. By how much rows miss each other: nothing, or rounding.
static void contradict(testing_random *random, contradiction *d)
{
  const int n_sided = d->problem.n_contacts + d->problem.n_unilateral;
  const int last = contradiction_row(d, n_sided - 1),
            n_others = 1 + testing_below(random, n_sided < 4 ? n_sided - 1 : 3);
  const double miss = testing_below(random, 2) == 0 ? 0 : pow(10, testing_uniform(random, -17, -13));
  double sum = 0, row[CONTRADICTION_COORDINATES] = {0};
  for (int k = 0; k < n_others + d->problem.n_bilateral; k++) {
    const bool is_sided = k < n_others;
    const int other = is_sided ? contradiction_row(d, testing_below(random, n_sided - 1)) : k - n_others;
    const double y = n_others == 1 ? 1 : is_sided ? testing_uniform(random, 0.2, 2) : testing_uniform(random, -1, 1);
    if (!is_sided && testing_below(random, 2) == 0) continue;
    for (int j = 0; j < d->n_coordinates; j++) row[j] -= y * d->J[other][j];
    sum += y * d->b[other];
  }
  for (int j = 0; j < d->n_coordinates; j++) d->J[last][j] = row[j] + miss * testing_uniform(random, -1, 1);
  d->b[last] = -sum - testing_uniform(random, 0.1, 2);
}

void contradiction_draw(testing_random *random, contradiction *d)
{
  memset(d, 0, sizeof *d);
  srs_contact_problem *p = &d->problem;
  p->n_bilateral = testing_below(random, 3), p->n_box = testing_below(random, 3);
  p->n_contacts = testing_below(random, CONTRADICTION_CONTACTS + 1);
  p->n_unilateral = (p->n_contacts < 2 ? 2 : 0) + testing_below(random, 3);
  d->n = p->n_bilateral + p->n_unilateral + p->n_box;
  const int kind = testing_below(random, 3); // without tangents, with two, with any number
  for (int c = 0; c < p->n_contacts; c++) {
    d->tangents[c] = (unsigned char)(kind == 0 ? 0 : kind == 1 ? 2 : testing_below(random, 4));
    d->friction[c] = testing_below(random, 4) == 0 ? 0 : pow(10, testing_uniform(random, -2, 1));
    for (int k = 0; k < 3; k++) d->anisotropy[3 * c + k] = pow(10, testing_uniform(random, -0.5, 0.5));
    d->n += 1 + d->tangents[c];
  }
  d->n_coordinates = p->n_bilateral + 1 + testing_below(random, CONTRADICTION_COORDINATES - 3);
  const double orders = testing_below(random, 2) == 0 ? 0 : testing_uniform(random, 0, 6);
  for (int j = 0; j < d->n_coordinates; j++) d->inverse[j] = pow(10, testing_uniform(random, -orders / 2, orders / 2));
  for (int i = 0; i < d->n; i++) {
    for (int j = 0; j < d->n_coordinates; j++) d->J[i][j] = testing_uniform(random, -1, 1);
    d->b[i] = testing_uniform(random, -1, 1);
  }
  for (int i = 0; i < p->n_box; i++) d->upper[i] = testing_uniform(random, 0, 1), d->lower[i] = -d->upper[i];
  contradict(random, d);
  for (int i = 0; i < d->n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < d->n_coordinates; k++) sum += d->J[i][k] * d->inverse[k] * d->J[j][k];
      d->W[i * d->n + j] = d->W[j * d->n + i] = sum;
    }
  p->W = d->W, p->b = d->b, p->friction = d->friction, p->tangents = d->tangents;
  p->box_lower = d->lower, p->box_upper = d->upper;
  if (kind == 2) p->anisotropy = d->anisotropy;
}
