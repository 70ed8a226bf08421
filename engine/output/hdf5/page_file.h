// A file that HDF5 writes and that lies in memory: the pages that were written, and none of the rest. Internal.
//
// HDF5 lays a trajectory out once, with room for rows that are yet to come; what it writes then are the pages that
// describe the layout, few among many. They go to the disk afterwards, where failures can be told, which HDF5 cannot
// do without coming to harm.
#pragma once
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

enum { SRS_PAGE = 4096 };

typedef struct srs_page_file {
  unsigned char **pages; // n_pages: the file's bytes from SRS_PAGE * i on; NULL where nothing was written
  size_t n_pages;
  uint64_t end; // bytes that HDF5 has given away
} srs_page_file;

/// Access properties by which H5Fcreate writes into `file`, which must be zero. Negative on failure.
hid_t srs_page_file_access(srs_page_file *file);

/// @return false: out of memory (put)
bool srs_page_file_put(srs_page_file *file, uint64_t at, const void *bytes, size_t n);
void srs_page_file_get(const srs_page_file *file, uint64_t at, void *bytes, size_t n); // zeros where nothing is

void srs_page_file_release(srs_page_file *file);
