// Any bytes given to the reader of meshes, as OBJ, STL and Collada, end in convex solids or in a message, and so does a
// scene whose shape is that mesh.
#include "fuzz/fuzz.h"
#include "topology/mesh/mesh.h"
#include "topology/mesh/mesh_pieces.h"

// A mesh as read: every index leads to a point.
static void check_mesh(const srs_mesh *mesh)
{
  fuzz_demand(mesh->n_triangles > 0, "a mesh has triangles");
  for (int i = 0; i < 3 * mesh->n_triangles; i++)
    fuzz_demand(mesh->triangles[i] >= 0 && mesh->triangles[i] < mesh->n_points, "corners are points");
  for (int i = 0; i < mesh->n_triangles; i++)
    fuzz_demand(mesh->group[i] >= 0 && mesh->group[i] < mesh->n_groups, "groups are named");
}

static void as_mesh(const char *path)
{
  const double scale[3] = {1, 1, 1};
  srs_mesh mesh;
  srs_arena arena = {0};
  const srs_mesh_piece *pieces = NULL;
  int n = 0;
  srs_error error = {0};
  srs_status status = srs_mesh_read(path, NULL, &mesh, &error);
  fuzz_judge(status, &error);
  if (status == SRS_OK) {
    check_mesh(&mesh);
    status = srs_mesh_convex_pieces(&mesh, scale, &arena, &pieces, &n, &error);
    fuzz_judge(status, &error);
    fuzz_demand(status != SRS_OK || n > 0, "pieces or a message");
  }
  srs_mesh_release(&mesh);
  srs_arena_release(&arena);
}

static void as_shape(const char *ending)
{
  char text[512], name[16];
  snprintf(text, sizeof text,
           "models: [{name: m, base: floating, links: [{name: l, mass: 1, inertia: [1, 1, 1]}], shapes: [{link: l, "
           "kind: mesh, file: mesh.%s, collide: parts}]}]\n"
           "environment: [{name: floor, shape: half-space, normal: [0, 0, 1]}]\n",
           ending);
  snprintf(name, sizeof name, "%s.yaml", ending);
  fuzz_step_scene(fuzz_file(name, text, strlen(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  as_mesh(fuzz_file("mesh.obj", data, size));
  as_shape("obj");
  as_mesh(fuzz_file("mesh.stl", data, size));
  as_shape("stl");
  as_mesh(fuzz_file("mesh.dae", data, size));
  as_shape("dae");
  return 0;
}
