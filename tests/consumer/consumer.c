// A horizontal pendulum that is let go: its angular acceleration is m g l / (I + m l^2). It has a round end that meets
// nothing: so that what collision needs is linked too.
#include <math.h>
#include <sarrus/sarrus.h>
#include <stdio.h>

int main(void)
{
  srs_link_def rod = srs_default_link_def();
  rod.name = "rod";
  rod.mass = 2;
  rod.com[0] = 0.5;
  for (int i = 0; i < 3; i++) rod.inertia[i] = 0.1;
  srs_joint_def joint = srs_default_joint_def(SRS_JOINT_REVOLUTE);
  joint.name = "joint";
  joint.child = "rod";
  joint.axis[0] = 0, joint.axis[1] = 1;
  srs_shape_def end = srs_default_shape_def(SRS_SHAPE_SPHERE);
  end.link = "rod";
  end.size[0] = 0.1;

  srs_error error;
  srs_builder *builder = srs_builder_create();
  srs_model *model = NULL;
  srs_workspace *workspace = NULL;
  srs_collider *collider = NULL;
  const double zero = 0;
  double acceleration = 0;
  const bool done = srs_builder_add_link(builder, &rod, &error) == SRS_OK &&
                    srs_builder_add_joint(builder, &joint, &error) == SRS_OK &&
                    srs_builder_add_shape(builder, &end, &error) == SRS_OK &&
                    srs_builder_build(builder, NULL, &model, &error) == SRS_OK &&
                    srs_workspace_create(model, &workspace, &error) == SRS_OK &&
                    srs_collider_create(model, NULL, &collider, &error) == SRS_OK &&
                    srs_forward_dynamics(workspace, &zero, &zero, &zero, NULL, &acceleration) == SRS_OK;
  const double expected = 2 * 9.81 * 0.5 / (0.1 + 2 * 0.25);
  printf("sarrus %s: %.6f rad/s^2, expected %.6f\n", srs_version(), acceleration, expected);
  srs_collider_destroy(collider);
  srs_workspace_destroy(workspace);
  srs_model_destroy(model);
  srs_builder_destroy(builder);
  return done && fabs(acceleration - expected) < 1e-12 * expected ? 0 : 1;
}
