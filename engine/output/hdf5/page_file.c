// A file driver of HDF5 (H5FD_class_t) over a table of pages.
#include "engine/output/hdf5/page_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct page_driver {
  H5FD_t public; // HDF5's own
  srs_page_file *file;
  uint64_t most; // bytes up to which something was written
} page_driver;

// ---------------------------------------------------------------------------------------------------------------------
// Pages
// ---------------------------------------------------------------------------------------------------------------------

static bool reserve(srs_page_file *file, size_t page)
{
  if (page < file->n_pages) return true;
  const size_t n = 2 * page + 16;
  unsigned char **pages = realloc(file->pages, n * sizeof *pages);
  if (pages == NULL) return false;
  memset(pages + file->n_pages, 0, (n - file->n_pages) * sizeof *pages);
  file->pages = pages;
  file->n_pages = n;
  return true;
}

bool srs_page_file_put(srs_page_file *file, uint64_t at, const void *bytes, size_t n)
{
  const unsigned char *from = bytes;
  while (n > 0) {
    const size_t page = (size_t)(at / SRS_PAGE), offset = (size_t)(at % SRS_PAGE);
    const size_t part = n < SRS_PAGE - offset ? n : SRS_PAGE - offset;
    if (!reserve(file, page)) return false;
    if (file->pages[page] == NULL) file->pages[page] = calloc(1, SRS_PAGE);
    if (file->pages[page] == NULL) return false;
    memcpy(file->pages[page] + offset, from, part);
    at += part, from += part, n -= part;
  }
  return true;
}

void srs_page_file_get(const srs_page_file *file, uint64_t at, void *bytes, size_t n)
{
  unsigned char *to = bytes;
  while (n > 0) {
    const size_t page = (size_t)(at / SRS_PAGE), offset = (size_t)(at % SRS_PAGE);
    const size_t part = n < SRS_PAGE - offset ? n : SRS_PAGE - offset;
    if (page < file->n_pages && file->pages[page] != NULL)
      memcpy(to, file->pages[page] + offset, part);
    else
      memset(to, 0, part);
    at += part, to += part, n -= part;
  }
}

void srs_page_file_release(srs_page_file *file)
{
  for (size_t i = 0; i < file->n_pages; i++) free(file->pages[i]);
  free(file->pages);
  *file = (srs_page_file){0};
}

// ---------------------------------------------------------------------------------------------------------------------
// The driver
// ---------------------------------------------------------------------------------------------------------------------

typedef struct page_access {
  srs_page_file *file;
} page_access;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
  (void)name, (void)flags, (void)most;
  const page_access *given = H5Pget_driver_info(access);
  page_driver *driver = given != NULL ? calloc(1, sizeof *driver) : NULL;
  if (driver == NULL) return NULL;
  driver->file = given->file;
  return &driver->public;
}

static herr_t driver_close(H5FD_t *file)
{
  free(file);
  return 0;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
  (void)file;
  *flags = H5FD_FEAT_AGGREGATE_METADATA; // the layout's pages lie together
  return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
  (void)type;
  return ((const page_driver *)file)->file->end;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
  (void)type;
  ((page_driver *)file)->file->end = end;
  return 0;
}

static haddr_t driver_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
  (void)type;
  return ((const page_driver *)file)->most;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t n, void *bytes)
{
  (void)type, (void)transfer;
  srs_page_file_get(((page_driver *)file)->file, at, bytes, n);
  return 0;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t n, const void *bytes)
{
  (void)type, (void)transfer;
  page_driver *driver = (page_driver *)file;
  if (at + n > driver->most) driver->most = at + n;
  return srs_page_file_put(driver->file, at, bytes, n) ? 0 : -1;
}

static herr_t driver_truncate(H5FD_t *file, hid_t transfer, hbool_t closing)
{
  (void)transfer, (void)closing;
  page_driver *driver = (page_driver *)file;
  driver->most = driver->file->end;
  return 0;
}

hid_t srs_page_file_access(srs_page_file *file)
{
  static const H5FD_class_t class = {.name = "srs_pages",
                                     .maxaddr = INT64_MAX,
                                     .fc_degree = H5F_CLOSE_STRONG,
                                     .fapl_size = sizeof(page_access),
                                     .open = driver_open,
                                     .close = driver_close,
                                     .query = driver_query,
                                     .get_eoa = driver_get_eoa,
                                     .set_eoa = driver_set_eoa,
                                     .get_eof = driver_get_eof,
                                     .read = driver_read,
                                     .write = driver_write,
                                     .truncate = driver_truncate,
                                     .fl_map = H5FD_FLMAP_DICHOTOMY};
  const page_access given = {file};
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), driver = H5FDregister(&class);
  const bool is_good = access >= 0 && driver >= 0 && H5Pset_driver(access, driver, &given) >= 0;
  if (driver >= 0) (void)H5FDunregister(driver); // the properties keep it
  if (is_good) return access;
  if (access >= 0) H5Pclose(access);
  return -1;
}
