// One write a stream for the rows gathered, one for their number. See writer.h for their order.
#include "engine/output/hdf5/writer.h"

#include "topology/base/errors.h"
#include "topology/base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { GATHERED = 128, GATHERED_CONTACTS = 1024, SLOTS = 2, END_AT = 40 }; // END_AT: of superblock 0, the file's end

static const double longest_wait = 0.25, slow_row = 0.05; // s

typedef struct gathered {
  char *rows; // room of them
  uint64_t room, n;
  uint64_t written; // rows in the file
  uint64_t counted; // rows that the file says it has
} gathered;

struct srs_h5_writer {
  srs_layout *layout;
  int descriptor;
  gathered *streams;  // of each
  uint64_t end, told; // of the file: as it is, as it says
  double last, added; // s: when it was flushed, when the last row came
  int slot;           // the next one
};

typedef struct slot_head {
  char magic[8];
  uint64_t rows, steps, size, sum;
} slot_head;

static const char magic[8] = "srs row";

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// FNV-1a over eight bytes at a time.
static uint64_t sum_of(const void *bytes, size_t n)
{
  const char *at = bytes;
  uint64_t sum = 0xcbf29ce484222325;
  for (; n > 0;) {
    uint64_t word = 0;
    const size_t part = n < sizeof word ? n : sizeof word;
    memcpy(&word, at, part);
    sum = (sum ^ word) * 0x100000001b3;
    at += part, n -= part;
  }
  return sum;
}

static srs_status file_failure(const srs_layout *l, const char *what, srs_error *error)
{
  char why[128];
  const int number = errno;
  return srs_fail_at(error, SRS_ERROR_FILE, (srs_place){l->path, 0, 0}, "", "%s: %s", what,
                     strerror_r(number, why, sizeof why));
}

static bool write_at(int descriptor, uint64_t at, const void *bytes, size_t n)
{
  for (const char *from = bytes; n > 0;) {
    const ssize_t written = pwrite(descriptor, from, n, (off_t)at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    from += written, at += (uint64_t)written, n -= (size_t)written;
  }
  return true;
}

static bool read_at(int descriptor, uint64_t at, void *bytes, size_t n)
{
  return pread(descriptor, bytes, n, (off_t)at) == (ssize_t)n;
}

static uint64_t place_of(const srs_stream *s, uint64_t row)
{
  return s->chunks[row / s->chunk_rows] + row % s->chunk_rows * s->row_size;
}

// ---------------------------------------------------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------------------------------------------------

static srs_h5_writer *make(srs_layout *l, srs_arena *arena)
{
  srs_h5_writer *w = srs_arena_take(arena, 1, sizeof *w);
  if (w == NULL) return NULL;
  *w = (srs_h5_writer){.layout = l, .descriptor = -1, .added = now()}; // the first row goes to the file at once
  w->streams = srs_arena_take(arena, (size_t)l->n_streams + 1, sizeof *w->streams);
  return w->streams != NULL ? w : NULL;
}

static bool take_rows(srs_h5_writer *w, srs_arena *arena)
{
  for (int i = 0; i < w->layout->n_streams; i++) {
    gathered *g = &w->streams[i];
    g->room = w->layout->streams[i].is_ragged ? GATHERED_CONTACTS : GATHERED;
    g->rows = srs_arena_take(arena, (size_t)g->room, w->layout->streams[i].row_size);
    if (g->rows == NULL) return false;
  }
  return true;
}

static srs_status no_memory(const srs_layout *l, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){l->path, 0, 0}, "", "no memory left for the trajectory");
}

// The pages that HDF5 wrote, the first one last: until then the file is none.
static bool write_pages(srs_h5_writer *w, srs_page_file *pages)
{
  uint64_t end = 0;
  for (size_t i = 0; i < pages->n_pages; i++)
    if (pages->pages[i] != NULL) end = (i + 1) * SRS_PAGE;
  if (end > pages->end) end = pages->end;
  if (w->layout->end > end) end = w->layout->end;
  w->end = w->told = end;
  if (!srs_page_file_put(pages, END_AT, &end, sizeof end) || ftruncate(w->descriptor, (off_t)end) != 0) return false;
  for (size_t i = pages->n_pages; i-- > 0;) {
    const uint64_t at = i * SRS_PAGE;
    if (pages->pages[i] == NULL || at >= end) continue;
    const size_t n = end - at < SRS_PAGE ? (size_t)(end - at) : SRS_PAGE;
    if (!write_at(w->descriptor, at, pages->pages[i], n)) return false;
  }
  return true;
}

static srs_status open_new(srs_h5_writer *w, srs_page_file *pages, srs_error *error)
{
  const char *path = w->layout->path;
  struct stat info;
  w->descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const bool is_new = w->descriptor >= 0;
  if (!is_new && errno == EEXIST) w->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (w->descriptor < 0) return file_failure(w->layout, "cannot be created", error);
  if (fstat(w->descriptor, &info) != 0 || !S_ISREG(info.st_mode))
    return srs_fail_at(error, SRS_ERROR_FILE, (srs_place){path, 0, 0}, "",
                       "is no regular file, which HDF5 needs; write CSV there");
  if (ftruncate(w->descriptor, 0) == 0 && write_pages(w, pages)) return SRS_OK;
  const srs_status status = file_failure(w->layout, "cannot be written", error);
  // A file or a link that was there stays, without the half that was written.
  const bool is_undone = is_new ? unlink(path) == 0 : ftruncate(w->descriptor, 0) == 0;
  (void)is_undone; // the first failure is what is told
  return status;
}

srs_status srs_h5_create(srs_layout *layout, srs_arena *arena, srs_h5_writer **writer, srs_error *error)
{
  srs_page_file pages = {0};
  *writer = NULL;
  srs_h5_writer *w = make(layout, arena);
  srs_status status = w != NULL ? srs_layout_make(layout, arena, &pages, error) : no_memory(layout, error);
  if (status == SRS_OK && !take_rows(w, arena)) status = no_memory(layout, error);
  if (status == SRS_OK) status = open_new(w, &pages, error);
  srs_page_file_release(&pages);
  if (status == SRS_OK)
    *writer = w;
  else if (w != NULL && w->descriptor >= 0)
    (void)close(w->descriptor);
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Adding
// ---------------------------------------------------------------------------------------------------------------------

// Writes the gathered rows of a stream, a piece for each chunk that they reach into.
static srs_status write_rows(srs_h5_writer *w, int stream, srs_error *error)
{
  const srs_stream *s = &w->layout->streams[stream];
  gathered *g = &w->streams[stream];
  for (uint64_t done = 0; done < g->n;) {
    const uint64_t row = g->written + done, chunk = row / s->chunk_rows, within = row % s->chunk_rows;
    uint64_t n = g->n - done;
    if (n > s->chunk_rows - within) n = s->chunk_rows - within;
    const unsigned long long room = s->n_chunks * s->chunk_rows;
    if (chunk >= s->n_chunks)
      return srs_fail_at(error, SRS_ERROR_CAPACITY, (srs_place){w->layout->path, 0, 0}, "",
                         "%s is full: the file was laid out for %llu rows; write fewer of them, or CSV", s->path, room);
    const uint64_t end = s->chunks[chunk] + s->chunk_rows * s->row_size;
    if (end > w->end) {
      if (ftruncate(w->descriptor, (off_t)end) != 0) return file_failure(w->layout, "cannot be made longer", error);
      w->end = end; // told in the first block before the rows are
    }
    if (!write_at(w->descriptor, s->chunks[chunk] + within * s->row_size, g->rows + done * s->row_size,
                  (size_t)n * s->row_size))
      return file_failure(w->layout, "cannot be written", error);
    done += n;
  }
  g->written += g->n;
  g->n = 0;
  return SRS_OK;
}

srs_status srs_h5_add(srs_h5_writer *w, int stream, void **row, srs_error *error)
{
  gathered *g = &w->streams[stream];
  const srs_status status = g->n == g->room ? write_rows(w, stream, error) : SRS_OK;
  if (status == SRS_OK) *row = g->rows + g->n++ * w->layout->streams[stream].row_size;
  return status;
}

srs_status srs_h5_put(srs_h5_writer *w, int stream, const void *row, srs_error *error)
{
  void *place = NULL;
  const srs_status status = srs_h5_add(w, stream, &place, error);
  if (status == SRS_OK) memcpy(place, row, w->layout->streams[stream].row_size);
  return status;
}

uint64_t srs_h5_rows(const srs_h5_writer *w, int stream) { return w->streams[stream].written + w->streams[stream].n; }

void srs_h5_end_row(srs_h5_writer *w, bool *is_due)
{
  const double time = now();
  *is_due = time - w->last > longest_wait || time - w->added > slow_row;
  w->added = time;
}

static bool write_count(srs_h5_writer *w, int stream)
{
  gathered *g = &w->streams[stream];
  if (g->counted == g->written) return true;
  if (!write_at(w->descriptor, w->layout->streams[stream].count_at, &g->written, sizeof g->written)) return false;
  g->counted = g->written;
  return true;
}

static bool write_snapshot(srs_h5_writer *w, const void *snapshot, size_t size, uint64_t steps)
{
  slot_head head = {.rows = w->streams[0].written, .steps = steps, .size = size, .sum = sum_of(snapshot, size)};
  if (sizeof head + size > w->layout->slot) return true;
  memcpy(head.magic, magic, sizeof magic);
  const uint64_t at = w->layout->slots_at + (uint64_t)w->slot * w->layout->slot;
  w->slot = (w->slot + 1) % SLOTS;
  return write_at(w->descriptor, at + sizeof head, snapshot, size) && write_at(w->descriptor, at, &head, sizeof head);
}

srs_status srs_h5_flush(srs_h5_writer *w, const void *snapshot, size_t size, uint64_t steps, srs_error *error)
{
  srs_status status = SRS_OK;
  for (int i = w->layout->n_streams - 1; i >= 0 && status == SRS_OK; i--) status = write_rows(w, i, error);
  if (status != SRS_OK) return status;
  bool is_good = w->end == w->told || write_at(w->descriptor, END_AT, &w->end, sizeof w->end);
  if (is_good) w->told = w->end;
  for (int i = w->layout->n_streams - 1; i >= 0 && is_good; i--) is_good = write_count(w, i);
  if (is_good && snapshot != NULL) is_good = write_snapshot(w, snapshot, size, steps);
  w->last = now();
  return is_good ? SRS_OK : file_failure(w->layout, "cannot be written", error);
}

// Contacts up to a row, -1 where that cannot be read. The one stream of integers that counts rows says it.
static int64_t contacts_up_to(const srs_h5_writer *w, uint64_t rows)
{
  for (int i = 0; i < w->layout->n_streams; i++) {
    const srs_stream *s = &w->layout->streams[i];
    int32_t contacts = 0;
    if (!s->is_integer || s->is_ragged || rows == 0) continue;
    return read_at(w->descriptor, place_of(s, rows - 1), &contacts, sizeof contacts) ? contacts : -1;
  }
  return 0;
}

void srs_h5_rescue(srs_h5_writer *w)
{
  uint64_t rows = UINT64_MAX, contacts = UINT64_MAX;
  for (int i = 0; i < w->layout->n_streams; i++) {
    uint64_t *least = w->layout->streams[i].is_ragged ? &contacts : &rows;
    if (w->streams[i].written < *least) *least = w->streams[i].written;
  }
  while (rows > 0 && contacts_up_to(w, rows) > (int64_t)(contacts < INT64_MAX ? contacts : INT64_MAX)) rows--;
  for (int i = 0; i < w->layout->n_streams; i++)
    if (!w->layout->streams[i].is_ragged) w->streams[i].written = rows;
  bool is_good = write_at(w->descriptor, END_AT, &w->end, sizeof w->end);
  for (int i = w->layout->n_streams - 1; i >= 0 && is_good; i--) is_good = write_count(w, i);
}

void srs_h5_close(srs_h5_writer *w)
{
  if (w != NULL && w->descriptor >= 0) (void)close(w->descriptor);
}

// ---------------------------------------------------------------------------------------------------------------------
// Resuming
// ---------------------------------------------------------------------------------------------------------------------

// The newest whole snapshot of rows that are there.
static bool find_snapshot(srs_h5_writer *w, srs_arena *arena, uint64_t rows, slot_head *best, void **snapshot)
{
  *best = (slot_head){.size = 0};
  for (int i = 0; i < SLOTS; i++) {
    const uint64_t at = w->layout->slots_at + (uint64_t)i * w->layout->slot;
    slot_head head;
    if (!read_at(w->descriptor, at, &head, sizeof head) || memcmp(head.magic, magic, sizeof magic) != 0) continue;
    if (head.size + sizeof head > w->layout->slot || head.rows > rows || head.rows <= best->rows) continue;
    void *bytes = srs_arena_take(arena, (size_t)head.size + 1, 1);
    if (bytes == NULL) return false;
    if (!read_at(w->descriptor, at + sizeof head, bytes, (size_t)head.size)) continue;
    if (sum_of(bytes, (size_t)head.size) != head.sum) continue;
    *best = head;
    *snapshot = bytes;
    w->slot = (i + 1) % SLOTS;
  }
  return true;
}

// Cuts all streams to so many rows.
static bool cut(srs_h5_writer *w, uint64_t rows)
{
  const int64_t contacts = contacts_up_to(w, rows);
  for (int i = 0; i < w->layout->n_streams && contacts >= 0; i++) {
    gathered *g = &w->streams[i];
    g->written = w->layout->streams[i].is_ragged ? (uint64_t)contacts : rows;
    g->counted = UINT64_MAX;
    if (!write_count(w, i)) return false;
  }
  return contacts >= 0;
}

srs_status srs_h5_resume(srs_layout *layout, srs_arena *arena, srs_h5_writer **writer, uint64_t *rows, void **snapshot,
                         size_t *size, srs_error *error)
{
  *writer = NULL;
  srs_h5_writer *w = make(layout, arena);
  if (w == NULL) return no_memory(layout, error);
  w->descriptor = open(layout->path, O_RDWR | O_CLOEXEC);
  if (w->descriptor < 0) return file_failure(layout, "cannot be opened", error);
  srs_status status = srs_layout_find(layout, arena, w->descriptor, error);
  slot_head best = {.size = 0};
  uint64_t there = 0;
  if (status == SRS_OK && !take_rows(w, arena)) status = no_memory(layout, error);
  if (status == SRS_OK && (!read_at(w->descriptor, layout->streams[0].count_at, &there, sizeof there) ||
                           !read_at(w->descriptor, END_AT, &w->end, sizeof w->end)))
    status = file_failure(layout, "cannot be read", error);
  w->told = w->end;
  if (status == SRS_OK && !find_snapshot(w, arena, there, &best, snapshot)) status = no_memory(layout, error);
  if (status == SRS_OK && best.size == 0)
    status = srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){layout->path, 0, 0}, "",
                         "holds no snapshot of the run: it cannot be resumed");
  if (status == SRS_OK && !cut(w, best.rows)) status = file_failure(layout, "cannot be written", error);
  if (status == SRS_OK) {
    *writer = w;
    *rows = best.rows;
    *size = (size_t)best.size;
  } else {
    (void)close(w->descriptor);
  }
  return status;
}
