// A box slides from level ground into a bank: over terrain, a heightfield and a surface as between two half-spaces.
#include "support/sims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GROUNDS = 4 };

// The bank rises by `rise` over 2 m from the y axis on.
static void write_ground(int kind, double rise, char *text, size_t size)
{
  const double s = rise / hypot(rise, 2), c = 2 / hypot(rise, 2);
  if (kind == 0)
    snprintf(text, size, "{name: g, shape: half-space}, {name: h, shape: half-space, normal: [%.17g, 0, %.17g]}", -s,
             c);
  else if (kind == 1)
    snprintf(
        text, size,
        "{name: g, shape: terrain, points: [[-2, -1, 0], [0, -1, 0], [2, -1, %.17g], [-2, 1, 0], [0, 1, 0], [2, 1, "
        "%.17g]], triangles: [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]}",
        rise, rise);
  else if (kind == 2)
    snprintf(text, size,
             "{name: g, shape: heightfield, heights: [[0, 0, %.17g], [0, 0, %.17g], [0, 0, %.17g]], spacing: 2}", rise,
             rise, rise);
  else
    snprintf(text, size, "{name: g, shape: mesh, file: bank.obj, collide: surface}");
  if (kind < 3) return;
  char mesh[1024];
  snprintf(mesh, sizeof mesh,
           "v -2 -1 0\nv 0 -1 0\nv 2 -1 %.17g\nv 2 -1 -1\nv -2 -1 -1\nv -2 1 0\nv 0 1 0\nv 2 1 %.17g\nv 2 1 -1\n"
           "v -2 1 -1\nf 1 5 2\nf 2 5 4\nf 2 4 3\nf 6 7 10\nf 7 9 10\nf 7 8 9\nf 1 2 7 6\nf 2 3 8 7\nf 3 4 9 8\n"
           "f 4 5 10 9\nf 5 1 6 10\n",
           rise, rise);
  testing_write("bank.obj", mesh);
}

static void slide(int kind, double rise, double speed, double q[7], double *deepest)
{
  char ground[512], text[1536];
  write_ground(kind, rise, ground, sizeof ground);
  snprintf(text, sizeof text,
           "models:\n  - name: b\n    base: floating\n    position: [%.17g, 0.013, 0.1]\n"
           "    links: [{name: b, mass: 1, inertia: [0.0067, 0.0067, 0.0067]}]\n"
           "    shapes: [{link: b, kind: box, size: [0.2, 0.2, 0.2]}]\n"
           "environment: [%s]\ncontact: {friction: 0}\ninitial: {v: {root.vx: %.17g}}\ndt: 0.001\n",
           -0.1 - 50.3e-3 * speed, ground, speed);
  srs_scene *scene = scene_of_text(text);
  srs_sim *sim = sim_with_step(scene, 1e-3);
  for (int i = 0; i < 150; i++) {
    step(sim, 1);
    const double *at = srs_sim_q(sim); // the corner in front and below
    double rotation[9];
    srs_rotation_from_quaternion(at + 3, rotation);
    const double x = at[0] + 0.1 * (rotation[0] - rotation[2]), z = at[2] + 0.1 * (rotation[6] - rotation[8]);
    *deepest = fmax(*deepest, fmax(-z, (x * rise - z * 2) / hypot(rise, 2)));
  }
  memcpy(q, srs_sim_q(sim), 7 * sizeof *q);
  srs_sim_destroy(sim);
  srs_scene_destroy(scene);
}

static void a_box_meets_a_bank_as_it_meets_a_half_space(void **state)
{
  (void)state;
  const double angles[] = {0.3, 0.5, 1, 1.3}, speeds[] = {1, 2, 10};
  double worst = 0, deepest = 0;
  for (int a = 0; a < 4; a++)
    for (int v = 0; v < 3; v++) {
      double q[GROUNDS][7];
      const double rise = round(2048 * tan(angles[a])) / 1024; // exact in single precision too
      for (int kind = 0; kind < GROUNDS; kind++) {
        slide(kind, rise, speeds[v], q[kind], &deepest);
        for (int i = 0; i < 7; i++) worst = fmax(worst, fabs(q[kind][i] - q[0][i]));
      }
    }
  print_message("as between half-spaces to %.2g, the corner in the ground by %.2g m at most\n", worst, deepest);
  assert_true(worst < 1e-12 && deepest < 1e-12);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_box_meets_a_bank_as_it_meets_a_half_space)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
