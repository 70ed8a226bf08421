// How long does it take to load a robot file?
//
// A chain of 60 links without meshes, each with an inertia, a collision shape, a visual one and limits; one link with a
// ball of 100 352 triangles to collide with, as binary STL, OBJ and Collada, as its hull (it moves) and as terrain (it
// stands still). The ball is round, so that each corner is one of the hull, or wavy. The least processor time of some
// tries, ms.
#include "timing.h"
#include <sarrus/topology.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINKS = 60, ROWS = 225, COLUMNS = 224, TRIES = 7 }; // triangles: 2 (ROWS - 1) COLUMNS

static const double PI = 3.14159265358979323846;
static double waves; // 0 or 1
static char folder[] = "/tmp/bench_loading_XXXXXX";

static FILE *open_file(const char *name, char path[64])
{
  snprintf(path, 64, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    perror(path);
    exit(1); // NOLINT(concurrency-mt-unsafe): one thread
  }
  return file;
}

static void write_chain(char path[64])
{
  FILE *file = open_file("chain.urdf", path);
  fputs("<robot name='chain'><link name='l0'/>\n", file);
  for (int i = 1; i <= LINKS; i++)
    fprintf(file,
            "<link name='l%d'><inertial><origin xyz='0 0 0.05' rpy='0.1 0.2 0.3'/><mass value='1.5'/><inertia "
            "ixx='0.01' iyy='0.012' izz='0.009' ixy='0.0001' ixz='0' iyz='0'/></inertial>\n<visual><geometry><cylinder "
            "radius='0.03' length='0.1'/></geometry><material name='grey'><color rgba='0.5 0.5 0.5 "
            "1'/></material></visual>\n<collision><geometry><cylinder radius='0.03' "
            "length='0.1'/></geometry></collision></link>\n<joint name='j%d' type='revolute'><origin xyz='0 0 0.1' "
            "rpy='0 0.5 0'/><parent link='l%d'/><child link='l%d'/><axis xyz='0 1 0'/><limit lower='-2' upper='2' "
            "effort='50' velocity='3'/><dynamics damping='0.1' friction='0.2'/></joint>\n",
            i, i, i - 1, i);
  fputs("</robot>\n", file);
  fclose(file);
}

static void corner(int row, int column, double p[3])
{
  const double polar = PI * row / (ROWS - 1), angle = 2 * PI * column / COLUMNS;
  const double radius = 0.1 * (1 + waves * (0.05 * sin(6 * angle) * sin(polar) + 0.02 * cos(9 * polar)));
  p[0] = radius * sin(polar) * cos(angle), p[1] = radius * sin(polar) * sin(angle), p[2] = radius * cos(polar);
}

// The corners of a triangle: of the two below a cell's upper edge and its lower.
static void triangle_of(int t, int corners[3])
{
  const int row = t / (2 * COLUMNS), column = t % (2 * COLUMNS) / 2, next = (column + 1) % COLUMNS;
  const int a = row * COLUMNS + column, b = row * COLUMNS + next;
  corners[0] = t % 2 == 0 ? a : b;
  corners[1] = a + COLUMNS;
  corners[2] = t % 2 == 0 ? b : b + COLUMNS;
}

enum { TRIANGLES = 2 * (ROWS - 1) * COLUMNS };

static void write_stl(void)
{
  char path[64];
  FILE *file = open_file("ball.stl", path);
  const char head[80] = "solid, and yet binary";
  const uint32_t n = TRIANGLES;
  fwrite(head, 1, sizeof head, file);
  fwrite(&n, sizeof n, 1, file);
  for (int t = 0; t < TRIANGLES; t++) {
    float numbers[12] = {0};
    int corners[3];
    triangle_of(t, corners);
    for (int c = 0; c < 3; c++) {
      double p[3];
      corner(corners[c] / COLUMNS, corners[c] % COLUMNS, p);
      for (int i = 0; i < 3; i++) numbers[3 + 3 * c + i] = (float)p[i];
    }
    fwrite(numbers, sizeof numbers, 1, file);
    fwrite("\0", 1, 2, file);
  }
  fclose(file);
}

static void write_obj(void)
{
  char path[64];
  FILE *file = open_file("ball.obj", path);
  for (int k = 0; k < ROWS * COLUMNS; k++) {
    double p[3];
    corner(k / COLUMNS, k % COLUMNS, p);
    fprintf(file, "v %.9g %.9g %.9g\n", p[0], p[1], p[2]);
  }
  for (int t = 0; t < TRIANGLES; t++) {
    int corners[3];
    triangle_of(t, corners);
    fprintf(file, "f %d %d %d\n", corners[0] + 1, corners[1] + 1, corners[2] + 1);
  }
  fclose(file);
}

static void write_dae(void)
{
  char path[64];
  FILE *file = open_file("ball.dae", path);
  fprintf(file,
          "<?xml version='1.0'?>\n<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "
          "version='1.4.1'><asset><unit meter='1'/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry "
          "id='g'><mesh><source id='p'><float_array id='a' count='%d'>",
          3 * ROWS * COLUMNS);
  for (int k = 0; k < ROWS * COLUMNS; k++) {
    double p[3];
    corner(k / COLUMNS, k % COLUMNS, p);
    fprintf(file, "%.9g %.9g %.9g\n", p[0], p[1], p[2]);
  }
  fprintf(file,
          "</float_array><technique_common><accessor source='#a' count='%d' stride='3'><param name='X' "
          "type='float'/><param name='Y' type='float'/><param name='Z' type='float'/></accessor></technique_common>"
          "</source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles count='%d'><input "
          "semantic='VERTEX' source='#v' offset='0'/><p>",
          ROWS * COLUMNS, TRIANGLES);
  for (int t = 0; t < TRIANGLES; t++) {
    int corners[3];
    triangle_of(t, corners);
    fprintf(file, "%d %d %d\n", corners[0], corners[1], corners[2]);
  }
  fputs("</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='s'><node "
        "id='n'><instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene>"
        "<instance_visual_scene url='#s'/></scene></COLLADA>\n",
        file);
  fclose(file);
}

static void write_ball(const char *mesh, bool moves, char path[64])
{
  FILE *file = open_file("ball.urdf", path);
  fprintf(file,
          "<robot name='b'><link name='w'/><link name='b'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' "
          "izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><mesh "
          "filename='%s'/></geometry></collision></link><joint name='j' type='%s'><parent link='w'/><child "
          "link='b'/></joint></robot>\n",
          mesh, moves ? "continuous" : "fixed");
  fclose(file);
}

static void measure(const char *what, const char *path)
{
  double least = INFINITY;
  for (int i = 0; i < TRIES; i++) {
    srs_model *model = NULL;
    srs_error error;
    const double start = bench_cpu_time();
    if (srs_model_load(path, NULL, &model, &error) != SRS_OK) {
      fprintf(stderr, "%s: %s\n", path, error.message);
      exit(1); // NOLINT(concurrency-mt-unsafe): one thread
    }
    least = fmin(least, bench_cpu_time() - start);
    srs_model_destroy(model);
  }
  printf("%-40s %8.1f ms\n", what, 1e3 * least);
}

static void measure_balls(void)
{
  static const char *const meshes[] = {"ball.stl", "ball.obj", "ball.dae"};
  char path[64], what[80];
  write_stl();
  write_obj();
  write_dae();
  for (int moves = 1; moves >= 0; moves--)
    for (int i = 0; i < 3; i++) {
      write_ball(meshes[i], moves == 1, path);
      snprintf(what, sizeof what, "%d triangles, %s, %s, %s", TRIANGLES, waves > 0 ? "wavy" : "round", meshes[i] + 5,
               moves == 1 ? "hull" : "terrain");
      measure(what, path);
    }
}

int main(void)
{
  static const char *const files[] = {"chain.urdf", "ball.urdf", "ball.stl", "ball.obj", "ball.dae"};
  char path[64];
  if (mkdtemp(folder) == NULL) return 1;
  write_chain(path);
  measure("60 links without meshes", path);
  for (int i = 0; i < 2; i++) {
    waves = i;
    measure_balls();
  }
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    unlink(path);
  }
  rmdir(folder);
  return 0;
}
