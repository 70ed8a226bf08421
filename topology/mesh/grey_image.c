// What are the grey levels of a PNG file?
//
// libpng ends what it is doing by a jump to the place that setjmp marked, and by nothing else: decode() marks it, and
// everything that has to be released is in the struct that it is given. A level of n bits is level / (2^n - 1).
#include "topology/mesh/grey_image.h"
#include "topology/base/errors.h"
#include "topology/base/text.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_LEVELS = 1e8;

typedef struct reading {
  const char *path;
  const unsigned char *bytes; // the file: length
  size_t length, at;
  png_structp png;
  png_infop info;
  unsigned char *rows; // n_rows x row_size
  png_bytep *row;      // n_rows
  size_t row_size;
  png_uint_32 width, height;
  int depth, kind;
  char message[160]; // libpng's
} reading;

static void take_bytes(png_structp png, png_bytep to, size_t n)
{
  reading *r = png_get_io_ptr(png);
  if (n > r->length - r->at) png_error(png, "the file ends early");
  memcpy(to, r->bytes + r->at, n);
  r->at += n;
}

static void note_error(png_structp png, png_const_charp message)
{
  reading *r = png_get_error_ptr(png);
  srs_print(r->message, sizeof r->message, "%s", message);
  png_longjmp(png, 1);
}

static void leave_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

// Reads the head. @return false with r->message when libpng gives up
static bool read_head(reading *r)
{
  if (setjmp(png_jmpbuf(r->png)) != 0) return false;
  png_set_read_fn(r->png, r, take_bytes);
  png_read_info(r->png, r->info);
  png_get_IHDR(r->png, r->info, &r->width, &r->height, &r->depth, &r->kind, NULL, NULL, NULL);
  png_set_interlace_handling(r->png);
  png_read_update_info(r->png, r->info);
  r->row_size = png_get_rowbytes(r->png, r->info);
  return true;
}

static bool read_rows(reading *r)
{
  if (setjmp(png_jmpbuf(r->png)) != 0) return false;
  png_read_image(r->png, r->row);
  png_read_end(r->png, NULL);
  return true;
}

static srs_status no_memory(const reading *r, srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, r->path, 0, 0, NULL, "out of memory for a picture");
}

static srs_status give_up(const reading *r, srs_error *error)
{
  return srs_fail(error, SRS_ERROR_SYNTAX, r->path, 0, 0, NULL, "the PNG file is damaged: %s", r->message);
}

static srs_status check_head(const reading *r, srs_error *error)
{
  if (r->kind != PNG_COLOR_TYPE_GRAY)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, r->path, 0, 0, NULL,
                    "the picture has %s; heights are read from grey levels alone, so save it as grey%s",
                    r->kind == PNG_COLOR_TYPE_GRAY_ALPHA ? "an alpha channel" : "colours",
                    r->kind == PNG_COLOR_TYPE_GRAY_ALPHA ? " without one" : "");
  if (r->depth != 8 && r->depth != 16)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, r->path, 0, 0, NULL,
                    "the picture has %d bits a level; heights need 8 or 16", r->depth);
  if ((double)r->width * (double)r->height > MOST_LEVELS)
    return srs_fail(error, SRS_ERROR_UNSUPPORTED, r->path, 0, 0, NULL, "a picture of %u x %u is too large",
                    (unsigned)r->height, (unsigned)r->width);
  return SRS_OK;
}

static srs_status take_levels(const reading *r, srs_grey_image *image, srs_error *error)
{
  const size_t width = r->width, height = r->height;
  image->levels = malloc(width * height * sizeof *image->levels);
  if (image->levels == NULL) return no_memory(r, error);
  image->n_rows = (int)height, image->n_columns = (int)width;
  for (size_t i = 0; i < height; i++) {
    const unsigned char *row = r->row[i];
    for (size_t j = 0; j < width; j++) {
      const int level = r->depth == 8 ? row[j] : row[2 * j] << 8 | row[2 * j + 1]; // the high byte first
      image->levels[i * width + j] = level / (r->depth == 8 ? 255.0 : 65535.0);
    }
  }
  return SRS_OK;
}

static srs_status decode(reading *r, srs_grey_image *image, srs_error *error)
{
  if (r->length < 8 || png_sig_cmp(r->bytes, 0, 8) != 0)
    return srs_fail(error, SRS_ERROR_SYNTAX, r->path, 0, 0, NULL, "the file is no PNG picture, whatever its name says");
  r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, note_error, leave_warning);
  if (r->png != NULL) r->info = png_create_info_struct(r->png);
  if (r->info == NULL) return no_memory(r, error);
  if (!read_head(r)) return give_up(r, error);
  const srs_status status = check_head(r, error);
  if (status != SRS_OK) return status;
  r->rows = malloc(r->row_size * r->height);
  r->row = malloc(sizeof *r->row * r->height);
  if (r->rows == NULL || r->row == NULL) return no_memory(r, error);
  for (size_t i = 0; i < r->height; i++) r->row[i] = r->rows + i * r->row_size;
  return read_rows(r) ? take_levels(r, image, error) : give_up(r, error);
}

srs_status srs_grey_image_read(const char *path, srs_read_files *files, srs_grey_image *image, srs_error *error)
{
  *image = (srs_grey_image){0};
  reading r = {.path = path};
  char *text = NULL;
  srs_status status = srs_read_text(path, files, &text, &r.length, error);
  if (status != SRS_OK) return status;
  r.bytes = (const unsigned char *)text;
  status = decode(&r, image, error);
  if (r.png != NULL) png_destroy_read_struct(&r.png, &r.info, NULL);
  free(r.row);
  free(r.rows);
  free(text);
  return status;
}
