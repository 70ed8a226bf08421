// Any bytes given as a grey picture (PNG) or as a table of numbers (CSV) end in heights or in a message, and so does a
// scene whose ground they are. A picture's checksums are set right before, else few changes would get beyond them.
#include "fuzz/fuzz.h"
#include "topology/mesh/grey_image.h"

enum { MOST = 8192, MOST_POINTS = 4096 }; // bytes of a picture; points of ground that a scene is made of

static uint32_t checksum(const uint8_t *bytes, size_t n)
{
  uint32_t sum = 0xffffffff;
  for (size_t i = 0; i < n; i++) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum;
}

// A chunk: four bytes of length, its name, its data, four bytes of checksum over name and data.
static void mend_checksums(uint8_t *picture, size_t size)
{
  for (size_t at = 8; at + 12 <= size;) {
    const uint8_t *l = picture + at;
    const size_t length = (size_t)l[0] << 24 | (size_t)l[1] << 16 | (size_t)l[2] << 8 | l[3];
    if (length > size - at - 12) return;
    const uint32_t sum = checksum(picture + at + 4, length + 4);
    for (size_t i = 0; i < 4; i++) picture[at + 8 + length + i] = (uint8_t)(sum >> (24 - 8 * i));
    at += length + 12;
  }
}

// @return its points; 0 where it is none
static long as_picture(const char *path)
{
  srs_grey_image image;
  srs_error error = {0};
  const srs_status status = srs_grey_image_read(path, NULL, &image, &error);
  fuzz_judge(status, &error);
  fuzz_demand((status == SRS_OK) == (image.levels != NULL), "levels or a message");
  const long n = status == SRS_OK ? (long)image.n_rows * image.n_columns : 0;
  for (long i = 0; i < n; i++) fuzz_demand(image.levels[i] >= 0 && image.levels[i] <= 1, "levels are from 0 to 1");
  free(image.levels);
  return n;
}

static void as_ground(const char *name, const char *how)
{
  char text[512];
  snprintf(text, sizeof text,
           "models: [{name: m, base: floating, position: [0, 0, 1], links: [{name: l, mass: 1, inertia: [1, 1, 1]}], "
           "shapes: "
           "[{link: l, kind: sphere, radius: 0.2}]}]\n"
           "environment: [{name: hills, shape: heightfield, file: %s, spacing: [0.5, 0.4]%s}]\n",
           name, how);
  fuzz_step_scene(fuzz_file("hills.yaml", text, strlen(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static uint8_t picture[MOST];
  const size_t n = size < MOST ? size : MOST;
  (void)as_picture(fuzz_file("raw.png", data, size));
  memcpy(picture, data, n);
  mend_checksums(picture, n);
  if (as_picture(fuzz_file("hills.png", picture, n)) <= MOST_POINTS) as_ground("hills.png", ", range: [-1, 1]");
  (void)fuzz_file("hills.csv", data, n);
  as_ground("hills.csv", "");
  return 0;
}
