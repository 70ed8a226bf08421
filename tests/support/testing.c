// What tests share; see testing.h.
#include "support/testing.h"

#include <ftw.h>
#include <libfyaml.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATHS = 64, PATH_SIZE = 1024, CAUGHT = 65536 };

static char *next_path(void)
{
  static char paths[PATHS][PATH_SIZE];
  static int next = 0;
  next = (next + 1) % PATHS;
  return paths[next];
}

static const char *source_root(void)
{
  const char *root = getenv("SARRUS_SOURCE");
  return root != NULL ? root : ".";
}

const char *testing_source(const char *relative)
{
  char *path = next_path();
  snprintf(path, PATH_SIZE, "%s/%s", source_root(), relative);
  return path;
}

// Where there should be a file of the data.
static char *data_path(const char *relative)
{
  const char *data = getenv("SARRUS_DATA");
  char *path = next_path();
  if (data != NULL && data[0] == '/')
    snprintf(path, PATH_SIZE, "%s/%s", data, relative);
  else
    snprintf(path, PATH_SIZE, "%s/%s/%s", source_root(), data != NULL ? data : "../shared/data", relative);
  if (access(path, R_OK) != 0 && data != NULL) fail_msg("SARRUS_DATA is set, but %s cannot be read", path);
  return path;
}

bool testing_has_data(const char *relative)
{
  const char *path = data_path(relative);
  const bool is_there = access(path, R_OK) == 0;
  if (!is_there) print_message("not tested: no %s\n", path);
  return is_there;
}

const char *testing_data(const char *relative)
{
  const char *path = data_path(relative);
  if (access(path, R_OK) == 0) return path;
  print_message("skipped: no %s\n", path);
  skip();
  return path;
}

const char *testing_command(void)
{
  const char *command = getenv("SARRUS_COMMAND");
  return command != NULL ? command : "sarrus";
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk)
{
  (void)info, (void)type, (void)walk;
  return remove(path);
}

static char temporary[PATH_SIZE];

static void remove_temporary(void) { nftw(temporary, remove_entry, 8, FTW_DEPTH | FTW_PHYS); }

const char *testing_folder(void)
{
  if (temporary[0] == '\0') {
    const char *base = getenv("TMPDIR");
    snprintf(temporary, sizeof temporary, "%s/sarrus-test-XXXXXX", base != NULL ? base : P_tmpdir);
    assert_non_null(mkdtemp(temporary));
    assert_int_equal(atexit(remove_temporary), 0);
  }
  return temporary;
}

const char *testing_write(const char *name, const char *text)
{
  char *path = next_path();
  snprintf(path, PATH_SIZE, "%s/%s", testing_folder(), name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  const size_t length = strlen(text);
  assert_int_equal(fwrite(text, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
  return path;
}

char *testing_read(const char *path, size_t *length)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail_msg("cannot read %s", path);
  size_t size = 0, room = 4096;
  char *text = malloc(room + 1);
  assert_non_null(text);
  for (size_t got = 0; (got = fread(text + size, 1, room - size, file)) > 0;) {
    size += got;
    if (size < room) continue;
    room *= 2;
    char *larger = realloc(text, room + 1);
    assert_non_null(larger);
    text = larger;
  }
  assert_int_equal(fclose(file), 0);
  text[size] = '\0';
  if (length != NULL) *length = size;
  return text;
}

static void catch_file(const char *path, char *text)
{
  if (text == NULL) return;
  FILE *file = fopen(path, "rb");
  const size_t got = file != NULL ? fread(text, 1, CAUGHT - 1, file) : 0;
  text[got] = '\0';
  if (file != NULL) assert_int_equal(fclose(file), 0);
}

int testing_run(const char *command, char out[65536], char err[65536])
{
  const char *folder = testing_folder();
  char line[4 * PATH_SIZE], out_path[PATH_SIZE + 8], err_path[PATH_SIZE + 8];
  snprintf(out_path, sizeof out_path, "%s/.out", folder);
  snprintf(err_path, sizeof err_path, "%s/.err", folder);
  const int length = snprintf(line, sizeof line, "( %s ) >'%s' 2>'%s' </dev/null", command, out_path, err_path);
  assert_in_range(length, 1, sizeof line - 1);
  const int status = system(line); // NOLINT(cert-env33-c): tests run the command as a user's shell would
  catch_file(out_path, out);
  catch_file(err_path, err);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : -1;
}

// ---------------------------------------------------------------------------------------------------------------------
// Random numbers: splitmix64
// ---------------------------------------------------------------------------------------------------------------------

testing_random testing_random_start(uint64_t default_seed)
{
  const char *text = getenv("SARRUS_SEED");
  const uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : default_seed;
  print_message("seed: SARRUS_SEED=%llu\n", (unsigned long long)seed);
  return (testing_random){seed};
}

static uint64_t next_bits(testing_random *random)
{
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double testing_uniform(testing_random *random, double low, double high)
{
  return low + (high - low) * ((double)(next_bits(random) >> 11) * 0x1p-53);
}

int testing_below(testing_random *random, int n) { return (int)(next_bits(random) % (uint64_t)n); }

// ---------------------------------------------------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------------------------------------------------

struct testing_json {
  struct fy_document *document;
  char *text;
  char *found; // the last text handed out
};

testing_json *testing_json_parse(const char *text)
{
  testing_json *json = calloc(1, sizeof *json);
  assert_non_null(json);
  json->text = strdup(text);
  assert_non_null(json->text);
  const struct fy_parse_cfg configuration = {.flags = FYPCF_JSON_FORCE};
  json->document = fy_document_build_from_string(&configuration, json->text, FY_NT);
  if (json->document == NULL) fail_msg("not JSON: %.200s", text);
  return json;
}

testing_json *testing_json_load(const char *path)
{
  char *text = testing_read(path, NULL);
  testing_json *json = testing_json_parse(text);
  free(text);
  return json;
}

void testing_json_free(testing_json *json)
{
  if (json == NULL) return;
  fy_document_destroy(json->document);
  free(json->text);
  free(json->found);
  free(json);
}

static struct fy_node *json_node(const testing_json *json, const char *path)
{
  return fy_node_by_path(fy_document_root(json->document), path, FY_NT, FYNWF_DONT_FOLLOW);
}

bool testing_json_has(const testing_json *json, const char *path) { return json_node(json, path) != NULL; }

int testing_json_count(const testing_json *json, const char *path)
{
  struct fy_node *node = json_node(json, path);
  return node != NULL && fy_node_is_sequence(node) ? fy_node_sequence_item_count(node) : -1;
}

static double scalar(struct fy_node *node, const char *path)
{
  size_t length = 0;
  const char *text = fy_node_get_scalar(node, &length);
  double value = 0;
  if (text == NULL || !srs_parse_number(text, length, &value)) fail_msg("no number at %s", path);
  return value;
}

double testing_json_number(const testing_json *json, const char *path)
{
  struct fy_node *node = json_node(json, path);
  if (node == NULL) fail_msg("nothing at %s", path);
  return scalar(node, path);
}

const char *testing_json_text(const testing_json *json, const char *path)
{
  struct fy_node *node = json_node(json, path);
  size_t length = 0;
  const char *text = node != NULL ? fy_node_get_scalar(node, &length) : NULL;
  if (text == NULL) fail_msg("no text at %s", path);
  testing_json *owner = (testing_json *)json;
  free(owner->found);
  owner->found = strndup(text, length);
  return owner->found;
}

static int flatten(struct fy_node *node, const char *path, double *values, int n, int count)
{
  if (!fy_node_is_sequence(node)) {
    if (count < n) values[count] = scalar(node, path);
    return count + 1;
  }
  void *at = NULL;
  for (struct fy_node *item = NULL; (item = fy_node_sequence_iterate(node, &at)) != NULL;)
    count = flatten(item, path, values, n, count); // NOLINT(misc-no-recursion)
  return count;
}

void testing_json_numbers(const testing_json *json, const char *path, double *values, int n)
{
  struct fy_node *node = json_node(json, path);
  if (node == NULL) fail_msg("nothing at %s", path);
  const int count = flatten(node, path, values, n, 0);
  if (count != n) fail_msg("%d numbers at %s, %d expected", count, path, n);
}

void testing_assert_close(const char *what, const double *a, const double *b, int n, double tolerance)
{
  double scale = 1, worst = 0;
  int at = -1;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(b[i]));
  for (int i = 0; i < n; i++) {
    const double error = fabs(a[i] - b[i]);
    if (!(error <= worst)) worst = error, at = i; // NaN counts as worst
  }
  if (at >= 0 && !(worst <= tolerance * scale))
    fail_msg("%s: entry %d is %.17g, expected %.17g: off by %.3g, scale %.3g, tolerance %.3g", what, at, a[at], b[at],
             worst, scale, tolerance);
}

// ---------------------------------------------------------------------------------------------------------------------
// Random mechanisms
// ---------------------------------------------------------------------------------------------------------------------

static void random_rotation(testing_random *random, double rotation[9])
{
  double quaternion[4];
  for (int i = 0; i < 4; i++) quaternion[i] = testing_uniform(random, -1, 1);
  srs_rotation_from_quaternion(quaternion, rotation);
}

static srs_link_def random_link(testing_random *random)
{
  srs_link_def link = srs_default_link_def();
  link.mass = testing_uniform(random, 0.2, 3);
  double square[3]; // mean squares of the mass' distribution along its principal axes
  for (int i = 0; i < 3; i++) {
    link.com[i] = testing_uniform(random, -0.5, 0.5);
    square[i] = link.mass * testing_uniform(random, 0.01, 0.1);
  }
  for (int i = 0; i < 3; i++) link.inertia[i] = square[(i + 1) % 3] + square[(i + 2) % 3];
  random_rotation(random, link.inertia_rotation);
  return link;
}

srs_builder *testing_random_builder(testing_random *random, int n_links, const srs_joint_kind *kinds, int n_kinds,
                                    double depth_bias)
{
  srs_builder *builder = srs_builder_create();
  assert_non_null(builder);
  srs_error error;
  for (int k = 0; k < n_links; k++) {
    char name[32], parent[32], joint_name[32];
    snprintf(name, sizeof name, "link%d", k);
    snprintf(joint_name, sizeof joint_name, "joint%d", k);
    srs_link_def link = random_link(random);
    link.name = name;
    assert_int_equal(srs_builder_add_link(builder, &link, &error), SRS_OK);

    const srs_joint_kind kind = n_kinds > 0 ? kinds[testing_below(random, n_kinds)]
                                            : (srs_joint_kind)(1 + testing_below(random, SRS_JOINT_KINDS - 1));
    srs_joint_def joint = srs_default_joint_def(kind);
    joint.name = joint_name;
    joint.child = name;
    if (k > 0) {
      const bool chained = testing_uniform(random, 0, 1) < depth_bias;
      snprintf(parent, sizeof parent, "link%d", chained ? k - 1 : testing_below(random, k));
      joint.parent = parent;
    }
    for (int i = 0; i < 3; i++) {
      joint.origin.position[i] = testing_uniform(random, -0.5, 0.5);
      joint.axis[i] = testing_uniform(random, -1, 1);
      joint.axis2[i] = testing_uniform(random, -1, 1);
    }
    joint.pitch = testing_uniform(random, -0.3, 0.3);
    random_rotation(random, joint.origin.rotation);
    for (int i = 0; i < SRS_MAX_JOINT_NV; i++) joint.armature[i] = testing_uniform(random, 0, 0.05);
    if (srs_builder_add_joint(builder, &joint, &error) != SRS_OK) fail_msg("%s", error.message);
  }
  return builder;
}

srs_model *testing_build(srs_builder *builder)
{
  srs_error error;
  srs_model *model = NULL;
  if (srs_builder_build(builder, NULL, &model, &error) != SRS_OK) fail_msg("%s", error.message);
  srs_builder_destroy(builder);
  return model;
}

srs_model *testing_random_model(testing_random *random, int n_links, const srs_joint_kind *kinds, int n_kinds,
                                double depth_bias)
{
  return testing_build(testing_random_builder(random, n_links, kinds, n_kinds, depth_bias));
}

void testing_random_q(testing_random *random, const srs_model *model, double *q)
{
  for (int i = 0; i < srs_model_nq(model); i++) q[i] = testing_uniform(random, -1.5, 1.5);
  if (!srs_normalise(model, q)) fail_msg("a random quaternion vanished");
}

void testing_random_v(testing_random *random, const srs_model *model, double scale, double *v)
{
  for (int i = 0; i < srs_model_nv(model); i++) v[i] = testing_uniform(random, -scale, scale);
}
