// Does libfclib, whose format it is, agree? It reads what we write and we read what it writes: numbers to the bit.
// Skipped where libfclib is not installed.
#include "support/fclib_sample.h"

#ifdef SARRUS_WITH_FCLIB
#include <fclib.h>
#include <stdlib.h>
#include <string.h>

static void assert_matrix(const struct fclib_matrix *m, const double *W, int stride, int row, int column)
{
  double dense[ROWS * ROWS] = {0};
  assert_non_null(m);
  assert_int_equal(m->nz, -1); // by columns
  for (int j = 0; j < m->n; j++)
    for (int k = m->p[j]; k < m->p[j + 1]; k++) dense[m->i[k] * m->n + j] = m->x[k];
  for (int i = 0; i < m->m; i++)
    for (int j = 0; j < m->n; j++) assert_true(dense[i * m->n + j] == W[(row + i) * stride + column + j]);
}

static void libfclib_reads_what_is_written(void **state)
{
  (void)state;
  sample s;
  make_sample(&s);
  write_good(path_of("ours.hdf5"), &s.file);
  struct fclib_local *local = fclib_read_local(path_of("ours.hdf5"));
  assert_non_null(local);
  assert_int_equal(local->spacedim, 3);
  assert_int_equal(local->W->m, ROWS - BILATERAL);
  assert_matrix(local->W, s.W, ROWS, BILATERAL, BILATERAL);
  assert_matrix(local->V, s.W, ROWS, BILATERAL, 0);
  assert_matrix(local->R, s.W, ROWS, 0, 0);
  assert_memory_equal(local->q, s.b + BILATERAL, (ROWS - BILATERAL) * sizeof *s.b);
  assert_memory_equal(local->s, s.b, BILATERAL * sizeof *s.b);
  assert_memory_equal(local->mu, s.friction, sizeof s.friction);
  assert_string_equal(local->info->title, "two contacts");
  assert_string_equal(local->info->description, "and a joint");
  struct fclib_solution *solution = fclib_read_solution(path_of("ours.hdf5"));
  assert_non_null(solution);
  assert_memory_equal(solution->r, s.impulse + BILATERAL, (ROWS - BILATERAL) * sizeof *s.b);
  assert_memory_equal(solution->l, s.impulse, BILATERAL * sizeof *s.b);
  assert_memory_equal(solution->u, s.velocity + BILATERAL, (ROWS - BILATERAL) * sizeof *s.b);
  fclib_delete_solutions(solution, 1);
  fclib_delete_local(local);
  free(local);
}

static void what_libfclib_writes_is_read(void **state)
{
  (void)state;
  int Wp[] = {0, 1, 2, 2}, Wi[] = {0, 1, 2, 0}, Vp[] = {0, 2}, Vi[] = {0, 0}, Rp[] = {0, 1}, Ri[] = {0};
  double Wx[] = {1.5, 2.5, 3, 0.25}, Vx[] = {0.5, 0.125}, Rx[] = {4}; // W by triplets, R by rows
  struct fclib_matrix W = {4, 3, 3, Wp, Wi, Wx, 4, NULL}, V = {2, 3, 1, Vp, Vi, Vx, 2, NULL},
                      R = {1, 1, 1, Rp, Ri, Rx, -2, NULL};
  double mu[] = {0.3}, q[] = {-1, 2, 3}, s[] = {7}, u[] = {0, 1, 2}, r[] = {3, 4, 5}, l[] = {6};
  char title[] = "t", description[] = "d", math[] = "m", path[4200];
  struct fclib_info info = {title, description, math};
  struct fclib_local local = {&W, &V, &R, mu, q, s, 3, &info};
  struct fclib_solution solution = {NULL, u, r, l}, guesses[2] = {solution, solution};
  snprintf(path, sizeof path, "%s", path_of("theirs.hdf5"));
  assert_int_equal(fclib_write_local(&local, path), 1);
  assert_int_equal(fclib_write_solution(&solution, path), 1);
  assert_int_equal(fclib_write_guesses(2, guesses, path), 1);
  const double expected[16] = {4, 0.5, 0, 0.125, 0.5, 1.5, 0, 0, 0, 0, 2.5, 0, 0.125, 0.25, 0, 3};
  const double impulse[4] = {6, 3, 4, 5}, velocity[4] = {0, 0, 1, 2}, b[4] = {7, -1, 2, 3};
  srs_contact_file f = read_good(path);
  assert_int_equal(f.problem.n_bilateral, 1);
  assert_int_equal(f.problem.n_contacts, 1);
  assert_memory_equal(f.problem.W, expected, sizeof expected);
  assert_memory_equal(f.problem.b, b, sizeof b);
  assert_memory_equal(f.impulse, impulse, sizeof impulse);
  assert_memory_equal(f.velocity, velocity, sizeof velocity);
  assert_int_equal(f.n_guesses, 2);
  assert_memory_equal(f.guesses + 4, impulse, sizeof impulse);
  assert_string_equal(f.title, "t");
  srs_contact_file_free(&f);
}

#else

static void skipped(void **state)
{
  (void)state;
  print_message("skipped: libfclib is not installed\n");
  (void)make_sample, (void)path_of, (void)write_good, (void)read_good;
  skip();
}

#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
#ifdef SARRUS_WITH_FCLIB
      cmocka_unit_test(libfclib_reads_what_is_written),
      cmocka_unit_test(what_libfclib_writes_is_read),
#else
      cmocka_unit_test(skipped),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
