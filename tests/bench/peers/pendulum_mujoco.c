// MuJoCo in the main experiment: its contacts are soft and have no restitution; solref is their time constant.
#include "mujoco_text.h"
#include "pendulum.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mjModel *compile(const char *contacts, char why[PENDULUM_WHY])
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  mjModel *model = NULL;
  if (out != NULL) {
    fprintf(out,
            "<mujoco><compiler angle=\"radian\"/><option timestep=\"0.001\" integrator=\"Euler\"/>\n"
            "<default><geom friction=\"0.5 0.005 0.0001\" %s/></default><worldbody>\n"
            "<geom type=\"plane\" size=\"50 50 1\" pos=\"0 0 0.1\"/>\n"
            "<geom type=\"plane\" size=\"50 50 1\" pos=\"0 4 0\" zaxis=\"0 -1 0\"/>\n",
            contacts);
    for (int k = 0; k < PENDULUM_LINKS; k++)
      fprintf(out,
              "<body pos=\"0 0 %s\"><joint type=\"hinge\" axis=\"1 0 0\"/><inertial pos=\"0 0 -1\" mass=\"1\" "
              "diaginertia=\"0.025 0.025 0.025\"/><geom type=\"sphere\" size=\"0.25\" pos=\"0 0 -1\"/>\n",
              k == 0 ? "10.1" : "-1");
    for (int k = 0; k < PENDULUM_LINKS; k++) fputs("</body>", out);
    fputs("</worldbody></mujoco>\n", out);
    if (fclose(out) == 0) model = mujoco_compile(text, size, why, PENDULUM_WHY);
  }
  free(text);
  return model;
}

static bool simulate(const char *contacts, double *q, double *cpu, char why[PENDULUM_WHY])
{
  snprintf(why, PENDULUM_WHY, "no memory left");
  mjModel *model = compile(contacts, why);
  mjData *data = model != NULL ? mj_makeData(model) : NULL;
  if (data != NULL) {
    data->qpos[0] = PENDULUM_START;
    data->qvel[0] = 1;
    const double begin = bench_cpu_time();
    for (int i = 0; i < PENDULUM_STEPS; i++) {
      mj_step(model, data);
      memcpy(q + (size_t)i * PENDULUM_LINKS, data->qpos, PENDULUM_LINKS * sizeof *q);
    }
    *cpu = bench_cpu_time() - begin;
    mj_deleteData(data);
  }
  if (model != NULL) mj_deleteModel(model);
  return data != NULL;
}

bool pendulum_mujoco(double *q, double *cpu, char why[PENDULUM_WHY]) { return simulate("", q, cpu, why); }

bool pendulum_mujoco_stiff(double *q, double *cpu, char why[PENDULUM_WHY])
{
  return simulate("solref=\"0.002 1\"", q, cpu, why);
}
