// Any bytes given to the reader of scenes end in a scene or in a message. A scene of few coordinates then makes a sim
// and steps, or says why not.
//
// A robot and a mesh lie beside the scene, for those that name them.
#include "fuzz/fuzz.h"

enum { MOST_COORDINATES = 16, STEPS = 2 };

static const char robot[] =
    "<robot name='r'><link name='w'/><link name='p'><inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' "
    "ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><sphere radius='.1'/></geometry></collision></link>"
    "<joint name='h' type='continuous'><parent link='w'/><child link='p'/></joint></robot>";
static const char mesh[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static bool has_neighbours;
  if (!has_neighbours) {
    (void)fuzz_file("robot.urdf", robot, strlen(robot));
    (void)fuzz_file("mesh.obj", mesh, strlen(mesh));
    has_neighbours = true;
  }
  srs_scene *scene = NULL;
  srs_sim *sim = NULL;
  srs_error error = {0};
  srs_status status = srs_scene_load(fuzz_file("input", data, size), NULL, &scene, &error);
  fuzz_judge(status, &error);
  fuzz_demand((status == SRS_OK) == (scene != NULL), "a scene or a message");
  if (status == SRS_OK && srs_model_nv(srs_scene_model(scene)) <= MOST_COORDINATES) {
    srs_sim_options options = srs_scene_get_settings(scene)->sim;
    if (options.contact.solver.most_work > 1e7) options.contact.solver.most_work = 1e7; // hard problems cost seconds
    if (options.implicit.halvings > 2) options.implicit.halvings = 2;
    if (options.implicit.iterations > 50) options.implicit.iterations = 50;
    status = srs_scene_create_sim(scene, &options, &sim, &error);
    fuzz_judge(status, &error);
    fuzz_demand((status == SRS_OK) == (sim != NULL), "a sim or a message");
  }
  if (sim != NULL) {
    fuzz_judge(srs_sim_step(sim, STEPS, &error), &error);
    for (int i = 0; i < srs_model_nq(srs_sim_model(sim)); i++)
      fuzz_demand(isfinite(srs_sim_q(sim)[i]), "coordinates stay finite");
  }
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
  return 0;
}
