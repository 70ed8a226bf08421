// MuJoCo in the scenes with contacts: its contacts are soft; solref is their time constant.
#include "contact/scenes.h"
#include "mjcf_link.h"
#include "mujoco_text.h"
#include "timing.h"

#include <stdlib.h>
#include <string.h>

// Shapes of one tree meet only where the scene says so: the first tree is the only one of several links.
static void write_shape(FILE *out, const contact_scene *scene, const scene_shape *shape)
{
  const double size[3] = {shape->size[0] / 2, shape->size[1] / 2, shape->size[2] / 2};
  fprintf(out, "<geom type=\"%s\"", shape->is_box ? "box" : "sphere");
  mjcf_numbers(out, "size", shape->is_box ? size : shape->size, shape->is_box ? 3 : 1);
  mjcf_numbers(out, "pos", shape->position, 3);
  if (!scene->self_collision && scene->trees[shape->tree].n_links > 1) fputs(" contype=\"2\" conaffinity=\"1\"", out);
  fputs("/>", out);
}

static void write_tree(FILE *out, const contact_scene *scene, int tree)
{
  const bench_model *model = &scene->trees[tree];
  int innermost = -1;
  for (int k = 0; k < model->n_links; k++) {
    for (; innermost != model->links[k].parent; innermost = model->links[innermost].parent) fputs("</body>", out);
    mjcf_body(out, &model->links[k]);
    for (int i = 0; i < scene->n_shapes; i++)
      if (scene->shapes[i].tree == tree && scene->shapes[i].link == k) write_shape(out, scene, &scene->shapes[i]);
    innermost = k;
  }
  for (; innermost >= 0; innermost = model->links[innermost].parent) fputs("</body>", out);
}

static void write_scene(FILE *out, const contact_scene *scene, const char *contacts)
{
  enum { CONTACTS_PER_SHAPE = 20, ROWS_PER_CONTACT = 4 };
  const int contacts_at_most = CONTACTS_PER_SHAPE * scene->n_shapes;
  fprintf(out,
          "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><size njmax=\"%d\" nconmax=\"%d\"/><option",
          ROWS_PER_CONTACT * contacts_at_most, contacts_at_most);
  mjcf_numbers(out, "timestep", &scene->dt, 1);
  const double friction[3] = {scene->friction, 0.005, 0.0001};
  fprintf(out, "/><default><geom contype=\"1\" conaffinity=\"3\"%s", contacts);
  mjcf_numbers(out, "friction", friction, 3);
  fputs("/></default><worldbody>\n", out);
  for (int i = 0; i < scene->n_planes; i++) {
    const double *n = scene->planes[i], at[3] = {n[0] * n[3], n[1] * n[3], n[2] * n[3]};
    fputs("<geom type=\"plane\" size=\"50 50 1\"", out);
    mjcf_numbers(out, "pos", at, 3);
    mjcf_numbers(out, "zaxis", n, 3);
    fputs("/>\n", out);
  }
  for (int t = 0; t < scene->n_trees; t++) write_tree(out, scene, t);
  fputs("</worldbody></mujoco>\n", out);
}

static mjModel *compile(const contact_scene *scene, const char *contacts, char why[SCENE_WHY])
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  mjModel *model = NULL;
  if (out != NULL) {
    write_scene(out, scene, contacts);
    if (fclose(out) == 0) model = mujoco_compile(text, size, why, SCENE_WHY);
  }
  free(text);
  return model;
}

static bool simulate(const contact_scene *scene, const char *contacts, double *q, double *v, double *cpu,
                     char why[SCENE_WHY])
{
  const size_t nq = (size_t)scene->nq, nv = (size_t)scene->nv;
  snprintf(why, SCENE_WHY, "no memory left");
  mjModel *model = compile(scene, contacts, why);
  mjData *data = model != NULL ? mj_makeData(model) : NULL;
  if (data != NULL) {
    memcpy(data->qpos, scene->q, nq * sizeof *q);
    memcpy(data->qvel, scene->v, nv * sizeof *v);
    const double begin = bench_cpu_time();
    for (int i = 1; i <= scene->steps; i++) {
      scene_torque(scene, data->qpos, data->qvel, data->qfrc_applied);
      mj_step(model, data);
      if (i % scene->every != 0) continue;
      memcpy(q, data->qpos, nq * sizeof *q), q += nq;
      memcpy(v, data->qvel, nv * sizeof *v), v += nv;
    }
    *cpu = bench_cpu_time() - begin;
    mj_deleteData(data);
  }
  if (model != NULL) mj_deleteModel(model);
  return data != NULL;
}

bool scene_mujoco(const contact_scene *scene, double *q, double *v, double *cpu, char why[SCENE_WHY])
{
  return simulate(scene, "", q, v, cpu, why);
}

bool scene_mujoco_stiff(const contact_scene *scene, double *q, double *v, double *cpu, char why[SCENE_WHY])
{
  return simulate(scene, " solref=\"0.002 1\"", q, v, cpu, why);
}
