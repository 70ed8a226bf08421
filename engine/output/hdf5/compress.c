// Compressed chunks differ in size, so that the places of rows cannot be laid out before the run: the finished file is
// written anew. Data sets of rows are copied block by block into chunks that gzip compresses; all else is copied as it
// is, but for /resume, whose index tells places of the old file. The new file grows in memory (page_file.h) and
// replaces the old one as a whole.
#include "engine/output/hdf5/compress.h"

#include "engine/output/hdf5/page_file.h"
#include "topology/base/errors.h"
#include "topology/base/whole_file.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 18, LEVEL = 4 };

typedef struct row_set {
  hid_t set, space, type;
  int rank;
  hsize_t size[2], chunk[2];
  size_t row_bytes;
} row_set;

static bool open_rows(hid_t from, const char *name, row_set *r)
{
  *r = (row_set){.set = H5Dopen2(from, name, H5P_DEFAULT), .space = -1, .type = -1};
  if (r->set >= 0) r->space = H5Dget_space(r->set), r->type = H5Dget_type(r->set);
  hsize_t most[2] = {0, 1};
  r->rank = r->space >= 0 ? H5Sget_simple_extent_ndims(r->space) : 0;
  if (r->type < 0 || r->rank < 1 || r->rank > 2 || H5Sget_simple_extent_dims(r->space, r->size, most) < 0) return false;
  if (most[0] != H5S_UNLIMITED) return false;
  if (r->rank == 1) r->size[1] = 1;
  r->row_bytes = H5Tget_size(r->type) * (size_t)r->size[1];
  const hsize_t rows = r->row_bytes > 0 ? CHUNK_BYTES / r->row_bytes : 0;
  r->chunk[0] = rows > 0 ? rows : 1;
  if (r->size[0] > 0 && r->chunk[0] > r->size[0]) r->chunk[0] = r->size[0];
  r->chunk[1] = r->size[1];
  return r->row_bytes > 0;
}

static void close_rows(row_set *r)
{
  if (r->type >= 0) H5Tclose(r->type);
  if (r->space >= 0) H5Sclose(r->space);
  if (r->set >= 0) H5Dclose(r->set);
}

static herr_t copy_attribute(hid_t from, const char *name, const H5A_info_t *info, void *to)
{
  (void)info;
  const hid_t attribute = H5Aopen(from, name, H5P_DEFAULT);
  const hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1, space = type >= 0 ? H5Aget_space(attribute) : -1;
  const hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
  void *value = n > 0 ? calloc((size_t)n, H5Tget_size(type)) : NULL;
  bool is_good = value != NULL && H5Aread(attribute, type, value) >= 0;
  if (is_good) {
    const hid_t copy = H5Acreate2(*(const hid_t *)to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    is_good = copy >= 0 && H5Awrite(copy, type, value) >= 0;
    if (copy >= 0) H5Aclose(copy);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
  }
  free(value);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (attribute >= 0) H5Aclose(attribute);
  return is_good ? 0 : -1;
}

static bool copy_blocks(const row_set *r, hid_t to)
{
  void *block = malloc((size_t)r->chunk[0] * r->row_bytes);
  bool is_good = block != NULL;
  for (hsize_t row = 0; row < r->size[0] && is_good; row += r->chunk[0]) {
    const hsize_t left = r->size[0] - row, first[2] = {row, 0};
    const hsize_t n[2] = {left < r->chunk[0] ? left : r->chunk[0], r->size[1]};
    const hid_t memory = H5Screate_simple(r->rank, n, NULL);
    is_good = memory >= 0 && H5Sselect_hyperslab(r->space, H5S_SELECT_SET, first, NULL, n, NULL) >= 0 &&
              H5Dread(r->set, r->type, memory, r->space, H5P_DEFAULT, block) >= 0 &&
              H5Dwrite(to, r->type, memory, r->space, H5P_DEFAULT, block) >= 0;
    if (memory >= 0) H5Sclose(memory);
  }
  free(block);
  return is_good;
}

static bool copy_rows(const row_set *r, hid_t to, const char *name)
{
  const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
  bool is_good = plan >= 0 && H5Pset_chunk(plan, r->rank, r->chunk) >= 0 && H5Pset_shuffle(plan) >= 0 &&
                 H5Pset_deflate(plan, LEVEL) >= 0;
  hid_t copy = is_good ? H5Dcreate2(to, name, r->type, r->space, H5P_DEFAULT, plan, H5P_DEFAULT) : -1;
  is_good = copy >= 0 && H5Aiterate2(r->set, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, copy_attribute, &copy) >= 0 &&
            copy_blocks(r, copy);
  if (copy >= 0) is_good = H5Dclose(copy) >= 0 && is_good;
  if (plan >= 0) H5Pclose(plan);
  return is_good;
}

static herr_t copy_link(hid_t from, const char *name, const H5L_info_t *info, void *to);

static bool copy_group(hid_t from, const char *name, hid_t to)
{
  const hid_t old = H5Gopen2(from, name, H5P_DEFAULT);
  hid_t new = old >= 0 ? H5Gcreate2(to, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
  const bool is_good = new >= 0 && H5Literate(old, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, copy_link, &new) >= 0;
  if (new >= 0) H5Gclose(new);
  if (old >= 0) H5Gclose(old);
  return is_good;
}

static herr_t copy_link(hid_t from, const char *name, const H5L_info_t *info, void *to)
{
  (void)info;
  const hid_t target = *(const hid_t *)to;
  H5O_info_t object;
  if (strcmp(name, "resume") == 0) return 0;
  if (H5Oget_info_by_name2(from, name, &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0) return -1;
  if (object.type == H5O_TYPE_GROUP) return copy_group(from, name, target) ? 0 : -1;
  row_set rows;
  const bool has_rows = open_rows(from, name, &rows);
  const bool is_good =
      has_rows ? copy_rows(&rows, target, name) : H5Ocopy(from, name, target, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
  close_rows(&rows);
  return is_good ? 0 : -1;
}

static bool copy_file(const char *path, srs_page_file *pages)
{
  const hid_t old = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), access = old >= 0 ? srs_page_file_access(pages) : -1;
  const hid_t new = access >= 0 ? H5Fcreate("pages", H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
  hid_t root = new >= 0 ? H5Gopen2(new, "/", H5P_DEFAULT) : -1;
  const hid_t old_root = root >= 0 ? H5Gopen2(old, "/", H5P_DEFAULT) : -1;
  bool is_good = old_root >= 0 &&
                 H5Aiterate2(old_root, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, copy_attribute, &root) >= 0 &&
                 H5Literate(old_root, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, copy_link, &root) >= 0;
  if (old_root >= 0) H5Gclose(old_root);
  if (root >= 0) H5Gclose(root);
  if (new >= 0) is_good = H5Fclose(new) >= 0 && is_good;
  if (access >= 0) H5Pclose(access);
  if (old >= 0) H5Fclose(old);
  return is_good;
}

static srs_status write_pages(const char *path, const srs_page_file *pages, srs_error *error)
{
  char *bytes = malloc((size_t)pages->end + 1);
  if (bytes == NULL)
    return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){path, 0, 0}, "", "no memory left to compress it");
  srs_page_file_get(pages, 0, bytes, (size_t)pages->end);
  const srs_status status = srs_write_whole_file(path, bytes, (size_t)pages->end, SRS_EXISTING_IS_REPLACED, error);
  free(bytes);
  return status;
}

srs_status srs_h5_compress(const char *path, srs_error *error)
{
  srs_page_file pages = {0};
  bool is_good;
  (void)H5dont_atexit();
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){path, 0, 0}, "", "this HDF5 library has no gzip");
  H5E_BEGIN_TRY { is_good = copy_file(path, &pages); }
  H5E_END_TRY
  const srs_status status = is_good ? write_pages(path, &pages, error)
                                    : srs_fail_at(error, SRS_ERROR_SYNTAX, (srs_place){path, 0, 0}, "",
                                                  "cannot be compressed; it is complete");
  srs_page_file_release(&pages);
  return status;
}
