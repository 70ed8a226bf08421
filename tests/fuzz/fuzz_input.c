// Any bytes given to the reader of input files (time, torques, servo targets in CSV) end in an input that can be
// applied, or in a message.
#include "fuzz/fuzz.h"

static const char arm[] = // coordinates h, s.x y z, p, root of a free body
    "models:\n"
    "  - {name: m, base: fixed, links: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]},"
    " {name: c, mass: 1, inertia: [1, 1, 1]}], joints: [{name: h, kind: revolute, child: a, lower: -1, upper: 1},"
    " {name: s, kind: spherical, parent: a, child: b}, {name: p, kind: prismatic, parent: b, child: c}]}\n"
    "  - {name: f, base: floating, links: [{name: l, mass: 1, inertia: [1, 1, 1]}]}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static srs_scene *scene;
  if (scene == NULL) scene = fuzz_scene(arm);
  const srs_model *model = srs_scene_model(scene);
  srs_input *input = NULL;
  srs_sim *sim = NULL;
  srs_error error = {0};
  srs_status status = srs_input_load(fuzz_file("input.csv", data, size), model, &input, &error);
  fuzz_judge(status, &error);
  fuzz_demand((status == SRS_OK) == (input != NULL), "an input or a message");
  if (status == SRS_OK) {
    int coordinate;
    double time, target;
    status = srs_scene_create_sim(scene, NULL, &sim, &error);
    fuzz_demand(status == SRS_OK, "the scene makes a sim");
    if (srs_input_beyond_limits(input, &coordinate, &time, &target))
      fuzz_demand(coordinate >= 0 && coordinate < srs_model_nv(model), "a coordinate of the model");
  }
  for (int i = 0; status == SRS_OK && i < 4; i++) {
    static const double times[] = {-1e300, 0, 0.5, 1e300};
    fuzz_demand(srs_sim_set_state(sim, times[i], NULL, NULL, &error) == SRS_OK, "any time is taken");
    status = srs_input_apply(input, sim, &error);
    fuzz_judge(status, &error);
    if (status == SRS_OK) fuzz_judge(srs_sim_step(sim, 1, &error), &error);
  }
  srs_sim_destroy(sim);
  srs_input_destroy(input);
  return 0;
}
