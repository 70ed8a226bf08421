// HDF5 lays the file out: groups, texts, data sets with attributes, chunks. Data sets are extended chunk by chunk in
// turn, with their space allocated at once, so that chunks of one number lie together.
//
// Where a number of rows lies HDF5 does not tell, and where chunks lie only slowly, so both are read from what it wrote
// (HDF5 File Format Specification 3.0, IV.A.1.a and III.A.1). An object header of version 1 is 16 bytes, then messages
// of 8 bytes (type, size, flags) and data. Message 1, the data space, has 8 bytes (version, rank, …) and then the
// dimensions; message 8, the layout, has version, class, rank, and the address of a tree over the chunks. All that is
// read is compared with what was asked for.
//
// Contacts have no fixed number a row. A group of chunks has room for a usual number of them for each of its rows;
// further chunks lie behind all groups.
#include "engine/output/hdf5/layout.h"

#include "topology/base/errors.h"

#include <string.h>
#include <unistd.h>

enum { FEWEST_ROWS = 256, MOST_CHUNKS = 256, MOST_NAMES = 3900 };

static const char index_name[] = "/resume/index", slots_name[] = "/resume/snapshots";

static srs_status no_memory(const srs_layout *l, srs_error *error)
{
  return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){l->path, 0, 0}, "", "no memory left for the trajectory");
}

// ---------------------------------------------------------------------------------------------------------------------
// Texts and attributes
// ---------------------------------------------------------------------------------------------------------------------

static hid_t text_type(size_t length)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0 && H5Tset_size(type, length) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
  if (type >= 0) H5Tclose(type);
  return -1;
}

static bool put_attribute(hid_t object, const char *name, hid_t type, hid_t space, const void *value)
{
  if (type < 0 || space < 0) return false;
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute < 0) return false;
  const bool is_good = H5Awrite(attribute, type, value) >= 0;
  return H5Aclose(attribute) >= 0 && is_good;
}

static bool put_text_attribute(hid_t object, const char *name, const char *text)
{
  const hid_t type = text_type(H5T_VARIABLE), space = H5Screate(H5S_SCALAR);
  const bool is_good = put_attribute(object, name, type, space, &text);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return is_good;
}

static bool put_names_attribute(hid_t object, const char *name, const char *const *texts, int n)
{
  const hsize_t size = (hsize_t)n;
  const hid_t type = text_type(H5T_VARIABLE), space = H5Screate_simple(1, &size, NULL);
  const bool is_good = put_attribute(object, name, type, space, texts);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return is_good;
}

static bool put_text(hid_t file, const srs_text_entry *entry)
{
  const hid_t type = text_type(strlen(entry->text) + 1), space = H5Screate(H5S_SCALAR);
  const hid_t set =
      type >= 0 && space >= 0 ? H5Dcreate2(file, entry->name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
  bool is_good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, entry->text) >= 0;
  if (is_good && entry->file != NULL) is_good = put_text_attribute(set, "file", entry->file);
  if (set >= 0) is_good = H5Dclose(set) >= 0 && is_good;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return is_good;
}

static bool put_group(hid_t file, const char *name)
{
  const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return group >= 0 && H5Gclose(group) >= 0;
}

// Bytes in one piece, allocated, not written.  @param at  out: their address
static bool put_bytes(hid_t file, const char *name, hsize_t n, haddr_t *at)
{
  const hid_t space = H5Screate_simple(1, &n, NULL), plan = H5Pcreate(H5P_DATASET_CREATE);
  bool is_good = space >= 0 && plan >= 0 && H5Pset_alloc_time(plan, H5D_ALLOC_TIME_EARLY) >= 0 &&
                 H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER) >= 0;
  const hid_t set = is_good ? H5Dcreate2(file, name, H5T_NATIVE_UCHAR, space, H5P_DEFAULT, plan, H5P_DEFAULT) : -1;
  *at = set >= 0 ? H5Dget_offset(set) : HADDR_UNDEF;
  is_good = *at != HADDR_UNDEF;
  if (set >= 0) H5Dclose(set);
  if (plan >= 0) H5Pclose(plan);
  if (space >= 0) H5Sclose(space);
  return is_good;
}

// ---------------------------------------------------------------------------------------------------------------------
// Streams
// ---------------------------------------------------------------------------------------------------------------------

static int rank_of(const srs_stream *s) { return s->width > 0 ? 2 : 1; }

static void measure(const srs_layout *l, srs_stream *s)
{
  const uint64_t rows = l->most_rows / MOST_CHUNKS + 1, group = rows > FEWEST_ROWS ? rows : FEWEST_ROWS;
  const uint64_t most = s->is_ragged ? l->most_contacts : l->most_rows;
  s->row_size = (size_t)(s->width > 0 ? s->width : 1) * (s->is_integer ? sizeof(int32_t) : sizeof(double));
  s->chunk_rows = s->is_ragged ? l->contacts_a_row * group : group;
  s->n_chunks = (most + s->chunk_rows - 1) / s->chunk_rows;
}

static hid_t make_set(hid_t file, const srs_stream *s)
{
  const hsize_t rows[2] = {0, (hsize_t)s->width}, most[2] = {H5S_UNLIMITED, (hsize_t)s->width},
                chunk[2] = {s->chunk_rows, (hsize_t)s->width};
  const hid_t space = H5Screate_simple(rank_of(s), rows, most), plan = H5Pcreate(H5P_DATASET_CREATE);
  const hid_t type = s->is_integer ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE;
  const bool is_good = space >= 0 && plan >= 0 && H5Pset_chunk(plan, rank_of(s), chunk) >= 0 &&
                       H5Pset_alloc_time(plan, H5D_ALLOC_TIME_EARLY) >= 0 &&
                       H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER) >= 0;
  const hid_t set = is_good ? H5Dcreate2(file, s->path, type, space, H5P_DEFAULT, plan, H5P_DEFAULT) : -1;
  if (plan >= 0) H5Pclose(plan);
  if (space >= 0) H5Sclose(space);
  return set;
}

static bool describe(hid_t set, const srs_stream *s)
{
  bool is_good = true;
  if (s->names != NULL) is_good = put_names_attribute(set, "names", s->names, s->width);
  if (is_good && s->units != NULL) is_good = put_names_attribute(set, "units", s->units, s->width);
  if (is_good && s->axes != NULL) is_good = put_names_attribute(set, "axes", s->axes, s->width);
  if (is_good && s->unit != NULL) is_good = put_text_attribute(set, "unit", s->unit);
  if (is_good && s->note != NULL) is_good = put_text_attribute(set, "note", s->note);
  return is_good;
}

static bool extend(hid_t set, const srs_stream *s, uint64_t n_chunks)
{
  const uint64_t chunks = n_chunks < s->n_chunks ? n_chunks : s->n_chunks;
  const hsize_t size[2] = {chunks * s->chunk_rows, (hsize_t)s->width};
  return H5Dset_extent(set, size) >= 0;
}

// The chunks of one number after those of the one before; what contacts need beyond comes last.
static bool allocate(const srs_layout *l, const hid_t *sets)
{
  bool is_good = true;
  uint64_t n_groups = 1;
  for (int i = 0; i < l->n_streams; i++)
    if (!l->streams[i].is_ragged && l->streams[i].n_chunks > n_groups) n_groups = l->streams[i].n_chunks;
  for (uint64_t group = 1; group <= n_groups; group++)
    for (int i = 0; i < l->n_streams && is_good; i++) is_good = extend(sets[i], &l->streams[i], group);
  for (int i = 0; i < l->n_streams && is_good; i++)
    if (l->streams[i].n_chunks > n_groups) is_good = extend(sets[i], &l->streams[i], l->streams[i].n_chunks);
  return is_good;
}

// ---------------------------------------------------------------------------------------------------------------------
// What HDF5 wrote
// ---------------------------------------------------------------------------------------------------------------------

static uint64_t read_number(const srs_page_file *file, uint64_t at, size_t size)
{
  uint64_t number = 0; // of a machine that is little-endian, as the file is
  srs_page_file_get(file, at, &number, size);
  return number;
}

// Where the data of an object header's message of a type are, 0: there is none, or no such header.
static uint64_t find_message(const srs_page_file *file, uint64_t header, uint64_t type)
{
  enum { PREFIX = 16, HEAD = 8 };
  const uint64_t n = read_number(file, header + 2, 2);
  uint64_t at = header + PREFIX;
  for (uint64_t i = 0; i < n && read_number(file, header, 1) == 1; i++) {
    if (read_number(file, at, 2) == type) return at + HEAD;
    at += HEAD + read_number(file, at + 2, 2);
  }
  return 0;
}

// Takes the addresses of the chunks under a node: keys and children take turns, a key has the chunk's size, a mask, and
// its first row among its rank + 1 offsets.
static bool walk(const srs_page_file *file, uint64_t node, srs_stream *s, int levels, uint64_t *n_found)
{
  const uint64_t level = read_number(file, node + 5, 1), n = read_number(file, node + 6, 2);
  const uint64_t key = 8 * ((uint64_t)rank_of(s) + 2);
  bool is_good = read_number(file, node, 4) == 0x45455254 && levels > 0; // "TREE"
  for (uint64_t i = 0; i < n && is_good; i++) {
    const uint64_t at = node + 24 + i * (key + 8), child = read_number(file, at + key, 8);
    const uint64_t row = read_number(file, at + 8, 8), chunk = row / s->chunk_rows;
    if (level > 0) {
      is_good = walk(file, child, s, levels - 1, n_found);
      continue;
    }
    is_good = row % s->chunk_rows == 0 && chunk < s->n_chunks && s->chunks[chunk] == 0;
    if (is_good) s->chunks[chunk] = child, (*n_found)++;
  }
  return is_good;
}

// The number of rows, all there is room for so far, and the tree over the chunks.
static bool find_places(const srs_page_file *file, uint64_t header, srs_arena *arena, srs_stream *s)
{
  enum { DATA_SPACE = 1, LAYOUT = 8, CHUNKED = 2, DEEPEST = 8 };
  const uint64_t space = find_message(file, header, DATA_SPACE), layout = find_message(file, header, LAYOUT);
  uint64_t n_found = 0;
  s->chunks = srs_arena_take(arena, (size_t)s->n_chunks + 1, sizeof *s->chunks);
  if (s->chunks == NULL || space == 0 || layout == 0) return false;
  s->count_at = space + 8;
  return read_number(file, space, 1) == 1 && read_number(file, s->count_at, 8) == s->n_chunks * s->chunk_rows &&
         read_number(file, layout, 1) == 3 && read_number(file, layout + 1, 1) == CHUNKED &&
         walk(file, read_number(file, layout + 3, 8), s, DEEPEST, &n_found) && n_found == s->n_chunks;
}

// ---------------------------------------------------------------------------------------------------------------------
// The index: for each stream the address of its number of rows, the rows of a chunk, the chunks, their addresses
// ---------------------------------------------------------------------------------------------------------------------

static uint64_t index_size(const srs_layout *l)
{
  uint64_t n = 4;
  for (int i = 0; i < l->n_streams; i++) n += 4 + l->streams[i].n_chunks;
  return n * sizeof(uint64_t);
}

static bool put_index(const srs_layout *l, srs_page_file *file, uint64_t at)
{
  const uint64_t head[4] = {(uint64_t)l->n_streams, l->most_rows, l->most_contacts, l->slots_at};
  bool is_good = srs_page_file_put(file, at, head, sizeof head);
  at += sizeof head;
  for (int i = 0; i < l->n_streams && is_good; i++) {
    const srs_stream *s = &l->streams[i];
    const uint64_t about[4] = {s->count_at, s->row_size, s->chunk_rows, s->n_chunks};
    is_good = srs_page_file_put(file, at, about, sizeof about) &&
              srs_page_file_put(file, at + sizeof about, s->chunks, (size_t)s->n_chunks * sizeof *s->chunks);
    at += sizeof about + s->n_chunks * sizeof *s->chunks;
  }
  return is_good;
}

// ---------------------------------------------------------------------------------------------------------------------
// The file
// ---------------------------------------------------------------------------------------------------------------------

static bool put_entries(hid_t file, const srs_layout *l)
{
  bool is_good = put_group(file, "/resume") && put_group(file, "/robots");
  for (int i = 0; i < l->n_streams && is_good; i++)
    if (l->streams[i].is_ragged) {
      is_good = put_group(file, "/contacts");
      break;
    }
  for (int i = 0; i < l->n_texts && is_good; i++) is_good = put_text(file, &l->texts[i]);
  const hid_t root = is_good ? H5Gopen2(file, "/", H5P_DEFAULT) : -1;
  for (int i = 0; i < l->n_attributes && is_good; i++)
    is_good = put_text_attribute(root, l->attributes[i].name, l->attributes[i].text);
  if (root >= 0) H5Gclose(root);
  return is_good;
}

static bool put_streams(hid_t file, const srs_layout *l, hid_t *sets, uint64_t *headers)
{
  bool is_good = true;
  for (int i = 0; i < l->n_streams && is_good; i++) {
    sets[i] = make_set(file, &l->streams[i]);
    H5O_info_t info;
    is_good = sets[i] >= 0 && describe(sets[i], &l->streams[i]) && H5Oget_info2(sets[i], &info, H5O_INFO_BASIC) >= 0;
    if (is_good) headers[i] = info.addr;
  }
  is_good = is_good && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && allocate(l, sets);
  for (int i = 0; i < l->n_streams; i++)
    if (sets[i] >= 0) is_good = H5Dclose(sets[i]) >= 0 && is_good;
  return is_good;
}

// What describes the layout lies in one block at the file's begin, so that the file is no longer than its rows. The
// tree over chunks has 2 k + 1 keys of 8 (rank + 2) bytes and 2 k addresses a node, k = 32, and nodes are half full at
// least.
static bool keep_together(const srs_layout *l, hid_t access)
{
  hsize_t size = 65536;
  for (int i = 0; i < l->n_streams; i++) size += 8192 + l->streams[i].n_chunks * 100;
  return H5Pset_meta_block_size(access, size) >= 0;
}

// Finds all places, and sets the numbers of rows from all there is room for to none.
static bool empty_streams(srs_layout *l, srs_arena *arena, srs_page_file *file, const uint64_t *headers)
{
  static const uint64_t none = 0;
  for (int i = 0; i < l->n_streams; i++) {
    srs_stream *s = &l->streams[i];
    if (!find_places(file, headers[i], arena, s) || !srs_page_file_put(file, s->count_at, &none, sizeof none))
      return false;
  }
  return true;
}

static srs_status check_widths(const srs_layout *l, srs_error *error)
{
  for (int i = 0; i < l->n_streams; i++)
    if (l->streams[i].names != NULL && l->streams[i].width > MOST_NAMES)
      return srs_fail_at(error, SRS_ERROR_CAPACITY, (srs_place){l->path, 0, 0}, "",
                         "%s has %d columns, and a data set's header takes the names of %d: leave some out, or write "
                         "CSV",
                         l->streams[i].path, l->streams[i].width, MOST_NAMES);
  return SRS_OK;
}

srs_status srs_layout_make(srs_layout *l, srs_arena *arena, srs_page_file *file, srs_error *error)
{
  const srs_status status = check_widths(l, error);
  if (status != SRS_OK) return status;
  hid_t *sets = srs_arena_take(arena, (size_t)l->n_streams + 1, sizeof *sets);
  uint64_t *headers = srs_arena_take(arena, (size_t)l->n_streams + 1, sizeof *headers);
  if (sets == NULL || headers == NULL) return no_memory(l, error);
  for (int i = 0; i < l->n_streams; i++) {
    sets[i] = -1;
    measure(l, &l->streams[i]);
  }
  (void)H5dont_atexit();
  haddr_t index_at = HADDR_UNDEF, slots_at = HADDR_UNDEF;
  bool is_good;
  H5E_BEGIN_TRY
  {
    const hid_t access = srs_page_file_access(file);
    const hid_t h5 =
        access >= 0 && keep_together(l, access) ? H5Fcreate("pages", H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
    is_good = h5 >= 0 && put_entries(h5, l) && put_bytes(h5, index_name, index_size(l), &index_at) &&
              put_bytes(h5, slots_name, 2 * l->slot, &slots_at) && put_streams(h5, l, sets, headers);
    if (h5 >= 0) is_good = H5Fclose(h5) >= 0 && is_good;
    if (access >= 0) H5Pclose(access);
  }
  H5E_END_TRY
  l->slots_at = slots_at;
  l->end = slots_at + 2 * l->slot;
  is_good = is_good && empty_streams(l, arena, file, headers) && put_index(l, file, index_at);
  return is_good ? SRS_OK : no_memory(l, error);
}

// ---------------------------------------------------------------------------------------------------------------------
// Finding it again
// ---------------------------------------------------------------------------------------------------------------------

static bool read_at(int descriptor, uint64_t at, void *bytes, size_t n)
{
  return pread(descriptor, bytes, n, (off_t)at) == (ssize_t)n;
}

// The address of a data set in one piece.
static uint64_t find_bytes(const char *path, const char *name)
{
  haddr_t at = HADDR_UNDEF;
  (void)H5dont_atexit();
  H5E_BEGIN_TRY
  {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = file >= 0 ? H5Dopen2(file, name, H5P_DEFAULT) : -1;
    if (set >= 0) at = H5Dget_offset(set);
    if (set >= 0) H5Dclose(set);
    if (file >= 0) H5Fclose(file);
  }
  H5E_END_TRY
  return at == HADDR_UNDEF ? 0 : at;
}

srs_status srs_layout_find(srs_layout *l, srs_arena *arena, int descriptor, srs_error *error)
{
  static const char other[] =
      "is no trajectory of this scene with these columns, was not written by this version, or is "
      "compressed: it cannot be resumed";
  uint64_t head[4], at = find_bytes(l->path, index_name);
  bool is_good = at > 0 && read_at(descriptor, at, head, sizeof head) && head[0] == (uint64_t)l->n_streams;
  at += sizeof head;
  if (is_good) l->most_rows = head[1], l->most_contacts = head[2], l->slots_at = head[3];
  for (int i = 0; i < l->n_streams && is_good; i++) {
    srs_stream *s = &l->streams[i];
    uint64_t about[4];
    measure(l, s);
    is_good = read_at(descriptor, at, about, sizeof about) && about[1] == s->row_size && about[2] == s->chunk_rows &&
              about[3] == s->n_chunks;
    s->count_at = about[0];
    at += sizeof about;
    s->chunks = srs_arena_take(arena, (size_t)s->n_chunks + 1, sizeof *s->chunks);
    if (s->chunks == NULL) return no_memory(l, error);
    is_good = is_good && read_at(descriptor, at, s->chunks, (size_t)s->n_chunks * sizeof *s->chunks);
    at += s->n_chunks * sizeof *s->chunks;
  }
  if (!is_good) return srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){l->path, 0, 0}, "", other);
  return SRS_OK;
}
