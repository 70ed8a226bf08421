// Messages between the ranks of a sweep. A rank sends the rows that it has and the number of runs that it can take, as
// one message of bytes; rank 0 answers with the first run and their number. Ranks are processes of one program on
// machines of one kind, so rows travel as they lie in memory.
#include "engine/cli/sweep/ranks.h"

#include <stdlib.h>
#include <string.h>

static bool is_under_mpirun(void)
{
  const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i]) != NULL) return true;
  return false;
}

#ifdef SARRUS_MPI
#include <mpi.h>

enum { TAG_ASK = 1, TAG_ANSWER };
static bool is_on = false;
static int my_rank = 0, all_ranks = 1;

typedef struct ask_head {
  int n_rows, most;
} ask_head;

bool srs_ranks_begin(int *rank, int *n_ranks)
{
  *rank = 0, *n_ranks = 1;
  if (!is_under_mpirun()) return true;
  int provided = 0;
  is_on = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS;
  if (!is_on) return false;
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &all_ranks);
  srs_ranks_count(rank, n_ranks);
  return true;
}

void srs_ranks_count(int *rank, int *n_ranks) { *rank = my_rank, *n_ranks = all_ranks; }

void srs_ranks_dismiss(void)
{
  static srs_sweep_row rows[SRS_RANKS_CHUNK];
  int n_rows, most, from;
  for (int left = my_rank == 0 ? all_ranks - 1 : 0; left > 0;) {
    if (!srs_ranks_listen(rows, &n_rows, &most, &from)) continue;
    srs_ranks_answer(from, 0, 0);
    left--;
  }
}

void srs_ranks_end(void)
{
  if (is_on) MPI_Finalize();
  is_on = false;
}

void srs_ranks_ask(const srs_sweep_row *rows, int n_rows, int most, long *first, int *n)
{
  static char bytes[sizeof(ask_head) + SRS_RANKS_CHUNK * sizeof(srs_sweep_row)];
  const ask_head head = {n_rows, most};
  memcpy(bytes, &head, sizeof head);
  if (n_rows > 0) memcpy(bytes + sizeof head, rows, (size_t)n_rows * sizeof *rows);
  MPI_Send(bytes, (int)(sizeof head + (size_t)n_rows * sizeof *rows), MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
  long answer[2];
  MPI_Recv(answer, 2, MPI_LONG, 0, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  *first = answer[0], *n = (int)answer[1];
}

bool srs_ranks_listen(srs_sweep_row *rows, int *n_rows, int *most, int *from)
{
  static char bytes[sizeof(ask_head) + SRS_RANKS_CHUNK * sizeof(srs_sweep_row)];
  int is_there = 0;
  MPI_Status status;
  if (!is_on) return false;
  MPI_Iprobe(MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &is_there, &status);
  if (!is_there) return false;
  MPI_Recv(bytes, (int)sizeof bytes, MPI_BYTE, status.MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD, &status);
  ask_head head;
  memcpy(&head, bytes, sizeof head);
  if (head.n_rows > 0) memcpy(rows, bytes + sizeof head, (size_t)head.n_rows * sizeof *rows);
  *n_rows = head.n_rows, *most = head.most, *from = status.MPI_SOURCE;
  return true;
}

void srs_ranks_answer(int to, long first, int n)
{
  const long answer[2] = {first, n};
  MPI_Send(answer, 2, MPI_LONG, to, TAG_ANSWER, MPI_COMM_WORLD);
}

#else

bool srs_ranks_begin(int *rank, int *n_ranks)
{
  const char *size = getenv("OMPI_COMM_WORLD_SIZE");
  if (size == NULL) size = getenv("PMI_SIZE");
  *rank = 0, *n_ranks = 1;
  return !is_under_mpirun() || (size != NULL && strcmp(size, "1") == 0);
}

void srs_ranks_end(void) {}

void srs_ranks_count(int *rank, int *n_ranks) { *rank = 0, *n_ranks = 1; }

void srs_ranks_dismiss(void) {}

void srs_ranks_ask(const srs_sweep_row *rows, int n_rows, int most, long *first, int *n)
{
  (void)rows, (void)n_rows, (void)most;
  *first = *n = 0;
}

bool srs_ranks_listen(srs_sweep_row *rows, int *n_rows, int *most, int *from)
{
  (void)rows, (void)n_rows, (void)most, (void)from;
  return false;
}

void srs_ranks_answer(int to, long first, int n) { (void)to, (void)first, (void)n; }

#endif
