// Meshes of a URDF file: found wherever the field keeps them, read into hulls, told of where they are hollow or
// missing.
#include "support/urdf_cases.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char cube_faces[] = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

// The unit cube as OBJ text.
static const char *cube(void)
{
  static char text[1024];
  int n = 0;
  for (int i = 0; i < 8; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "v %d %d %d\n", i & 1, i >> 1 & 1, i >> 2);
  snprintf(text + n, sizeof text - (size_t)n, "%s", cube_faces);
  return text;
}

// A channel: outer 0.1 x 0.1 x 0.05, a slot 0.04 wide and 0.03 deep (F18), as three boxes that touch.
static const char *channel(void)
{
  static const double boxes[3][6] = {{-0.05, -0.05, 0, 0.05, 0.05, 0.02},
                                     {-0.05, -0.05, 0.02, -0.02, 0.05, 0.05},
                                     {0.02, -0.05, 0.02, 0.05, 0.05, 0.05}};
  static char text[4096];
  int n = 0;
  for (int b = 0; b < 3; b++) {
    n += snprintf(text + n, sizeof text - (size_t)n, "o box%d\n", b);
    for (int i = 0; i < 8; i++)
      n += snprintf(text + n, sizeof text - (size_t)n, "v %g %g %g\n", boxes[b][i & 1 ? 3 : 0], boxes[b][i & 2 ? 4 : 1],
                    boxes[b][i & 4 ? 5 : 2]);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "f -8 -6 -5 -7\nf -4 -3 -1 -2\nf -8 -7 -3 -4\nf -6 -2 -1 -5\nf -8 -4 -2 -6\nf -7 -5 -1 -3\n");
  }
  return text;
}

static const char *collision(const char *mesh, const char *more)
{
  static char text[2048];
  snprintf(text, sizeof text, BALL "<collision><geometry>\n<mesh filename='%s'/></geometry>%s</collision>", mesh, more);
  return text;
}

static void assert_span(const srs_shape *shape, const double low[3], const double high[3])
{
  assert_int_equal(shape->kind, SRS_SHAPE_HULL);
  assert_false(shape->is_visual);
  for (int c = 0; c < 3; c++) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < shape->n_points; i++) {
      least = fmin(least, shape->points[3 * i + c]);
      most = fmax(most, shape->points[3 * i + c]);
    }
    assert_true(least == low[c] && most == high[c]);
  }
}

static void one_mesh_is_found_by_every_way_of_naming_it(void **state) // F16
{
  (void)state;
  char folder[1024], address[1200], given[1200], before[1024];
  assert_non_null(getcwd(before, sizeof before));
  static const char *const folders[] = {"foo_description", "foo_description/urdf", "foo_description/meshes"};
  for (int i = 0; i < 3; i++) {
    snprintf(folder, sizeof folder, "%s/%s", testing_folder(), folders[i]);
    assert_int_equal(mkdir(folder, 0700), 0);
  }
  testing_write("foo_description/meshes/b.obj", cube());
  snprintf(address, sizeof address, "file://%s/b.obj", folder);
  snprintf(given, sizeof given, "elsewhere=%s", folder);
  const char *const packages[] = {given, NULL};
  srs_load_options options = srs_default_load_options();
  options.packages = packages;
  const char *const addresses[] = {"package://foo_description/meshes/b.obj", "../meshes/b.obj", address,
                                   "package://elsewhere/b.obj", "..\\meshes\\b.obj"};
  static const char *const places[] = {"/", "."};
  for (int at = 0; at < 2; at++)
    for (int i = 0; i < 5; i++) {
      const char *path =
          testing_write("foo_description/urdf/a.urdf", one_joint("continuous", "", collision(addresses[i], "")));
      assert_int_equal(chdir(at == 0 ? places[0] : testing_folder()), 0);
      srs_model *model = loaded_file(path, &options);
      assert_int_equal(chdir(before), 0);
      assert_int_equal(srs_model_n_shapes(model), 1);
      assert_span(srs_model_shape(model, 0), (double[]){0, 0, 0}, (double[]){1, 1, 1});
      if (i == 4) assert_warns(model, 3, "use /");
      srs_model_destroy(model);
    }
}

static void scales_stretch_and_mirror(void **state)
{
  (void)state;
  testing_write("c.obj", cube());
  static const struct {
    const char *scale;
    double low[3], high[3];
  } cases[] = {{"0.001 0.002 0.003", {0, 0, 0}, {0.001, 0.002, 0.003}},
               {"1 1 -2", {0, 0, -2}, {1, 1, 0}},
               {"0.5", {0, 0, 0}, {0.5, 0.5, 0.5}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char mesh[100];
    snprintf(mesh, sizeof mesh, "c.obj' scale='%s", cases[i].scale);
    srs_model *model = loaded(one_joint("continuous", "", collision(mesh, "")));
    assert_span(srs_model_shape(model, 0), cases[i].low, cases[i].high);
    if (i == 2) assert_warns(model, 3, "has one number");
    srs_model_destroy(model);
  }
  refused(one_joint("continuous", "", collision("c.obj' scale='1 0 1", "")), SRS_ERROR_MODEL, 3, "scale of 0");
  refused(one_joint("continuous", "", collision("c.obj' scale='1 2", "")), SRS_ERROR_SYNTAX, 3, "found 2");
}

// A box of 1 x 2 x 3 inches from the origin, as a Collada file.
static const char *collada_box(const char *asset)
{
  static char text[2000];
  snprintf(text, sizeof text,
           "<COLLADA><asset><unit meter='0.0254'/>%s</asset><library_geometries><geometry id='g'><mesh><source id='p'>"
           "<float_array id='a' count='24'>0 0 0 1 0 0 0 2 0 1 2 0 0 0 3 1 0 3 0 2 3 1 2 3</float_array>"
           "<technique_common><accessor source='#a' count='8' stride='3'/></technique_common></source><vertices "
           "id='v'><input semantic='POSITION' source='#p'/></vertices><polylist count='6'><input semantic='VERTEX' "
           "source='#v' offset='0'/><vcount>4 4 4 4 4 4</vcount><p>0 2 3 1 4 5 7 6 0 1 5 4 2 6 7 3 0 4 6 2 1 3 7 5</p>"
           "</polylist></mesh></geometry></library_geometries></COLLADA>",
           asset);
  return text;
}

// Where the points of a shape lie in its link's frame.
static void find_span(const srs_shape *shape, double low[3], double high[3])
{
  for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
  for (int i = 0; i < shape->n_points; i++)
    for (int k = 0; k < 3; k++) {
      double x = shape->pose.position[k];
      for (int j = 0; j < 3; j++) x += shape->pose.rotation[3 * k + j] * shape->points[3 * i + j];
      low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
    }
}

// Each axis, as it is and applied, with a scale that differs along the axes (of the mesh as it lies in the link) and
// with the unit. Drawn meshes turn alike: their pose and scale say it.
static void up_axes_are_told_and_turn_where_they_are_applied(void **state)
{
  (void)state;
  static const struct {
    const char *asset;
    int from[3]; // which of the file's axes x, y and z become
    double sign[3];
    const char *says; // while it is not applied; NULL: nothing
  } cases[] = {{"<up_axis>Z_UP</up_axis>", {0, 1, 2}, {1, 1, 1}, NULL},
               {"<up_axis>Y_UP</up_axis>", {0, 2, 1}, {1, -1, 1}, "says Y_UP: its axes are taken as they are"},
               {"<up_axis>X_UP</up_axis>", {1, 2, 0}, {-1, -1, 1}, "says X_UP: its axes are taken as they are"},
               {"", {0, 2, 1}, {1, -1, 1}, NULL}};
  static const double scale[3] = {2, 3, 5}, inch = 0.0254;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    testing_write("up.dae", collada_box(cases[i].asset));
    const char *text = one_joint("continuous", "",
                                 collision("up.dae' scale='2 3 5", "</collision><visual><geometry><mesh "
                                                                   "filename='up.dae' scale='2 3 5'/></geometry>"
                                                                   "</visual><collision><geometry><sphere "
                                                                   "radius='1'/></geometry>"));
    for (int applied = 0; applied < 2; applied++) {
      srs_load_options options = srs_default_load_options();
      double low[3], high[3];
      options.apply_up_axis = applied == 1;
      srs_model *model = loaded_with(text, &options);
      const srs_shape *shape = srs_model_shape(model, 0), *drawn = srs_model_shape(model, 1);
      find_span(shape, low, high);
      for (int k = 0; k < 3; k++) {
        const int from = applied ? cases[i].from[k] : k;
        const double sign = applied ? cases[i].sign[k] : 1, length = scale[k] * inch * (from + 1);
        if (fabs((sign > 0 ? high[k] : -low[k]) - length) > 1e-9 || fabs(sign > 0 ? low[k] : high[k]) > 1e-9)
          fail_msg("%s, applied %d: along %d it reaches from %g to %g", cases[i].asset, applied, k, low[k], high[k]);
        assert_true(drawn->is_visual && drawn->size[k] == shape->size[k]);
        if (applied) assert_true(drawn->size[cases[i].from[k]] == scale[k]);
      }
      assert_memory_equal(drawn->pose.rotation, shape->pose.rotation, sizeof shape->pose.rotation);
      if (!applied && cases[i].says != NULL) assert_warns(model, 3, cases[i].says);
      if (applied && i > 0)
        assert_warns(model, 3, i == 3 ? "the y up that Collada takes" : "to z up (up axis applied)");
      srs_model_destroy(model);
    }
  }
}

static void a_hollow_mesh_is_told_with_its_ratio_and_its_cure(void **state) // F18
{
  (void)state;
  testing_write("u.obj", channel());
  testing_write("c.obj", cube());
  srs_model *model = loaded(one_joint("continuous", "", collision("u.obj", "")));
  assert_warns(model, 3, "1.32 times its volume"); // 0.1 x 0.1 x 0.05 without 0.04 x 0.1 x 0.03: 1 / 0.76
  assert_warns(model, 3, "collide: parts");
  assert_warns(model, 3, "convex decomposition");
  assert_int_equal(srs_model_n_shapes(model), 1);
  srs_model_destroy(model);
  model = loaded(one_joint("continuous", "", collision("u.obj", "<sarrus collide='parts' group='2' mask='5'/>")));
  assert_int_equal(srs_model_n_shapes(model), 3);
  assert_int_equal(srs_model_n_warnings(model), 0);
  assert_true(srs_model_shape(model, 2)->group == 2 && srs_model_shape(model, 2)->mask == 5);
  srs_model_destroy(model);
  model = loaded(one_joint("continuous", "", collision("c.obj", "")));
  assert_int_equal(srs_model_n_warnings(model), 1);
  assert_warns(model, 3, "1 mesh collides as convex hull, 1.00 to 1.00 times");
  srs_model_destroy(model);
  refused(one_joint("continuous", "", collision("c.obj", "<sarrus collide='part'/>")), SRS_ERROR_SYNTAX, 3,
          "expected hull, parts, surface or none");
}

// A program that stands in for CoACD.
static void a_program_that_divides_meshes_is_named_where_it_is_installed(void **state)
{
  (void)state;
  char folder[1024], path[4096], before[4096];
  snprintf(before, sizeof before, "%s", getenv("PATH")); // NOLINT(concurrency-mt-unsafe): one thread
  snprintf(folder, sizeof folder, "%s/bin", testing_folder());
  assert_int_equal(mkdir(folder, 0700), 0);
  assert_int_equal(setenv("PATH", folder, 1), 0); // NOLINT(concurrency-mt-unsafe)
  testing_write("u.obj", channel());
  testing_write("bin/coacd", "no program: it may not be run\n");
  srs_model *model = loaded(one_joint("continuous", "", collision("u.obj", "")));
  assert_warns(model, 3, "convex parts (a program for convex decomposition such as CoACD or V-HACD does)");
  srs_model_destroy(model);
  assert_int_equal(chmod(testing_write("bin/TestVHACD", ""), 0700), 0);
  model = loaded(one_joint("continuous", "", collision("u.obj", "")));
  assert_warns(model, 3, "convex parts (installed here: TestVHACD ");
  srs_model_destroy(model);
  assert_int_equal(chmod(testing_write("bin/coacd", ""), 0700), 0);
  snprintf(path, sizeof path, "/nowhere::%s", folder);
  assert_int_equal(setenv("PATH", path, 1), 0); // NOLINT(concurrency-mt-unsafe)
  model = loaded(one_joint("continuous", "", collision("u.obj", "")));
  snprintf(path, sizeof path, "convex parts (installed here: coacd -i %s/u.obj -o parts.obj)", testing_folder());
  assert_warns(model, 3, path);
  srs_model_destroy(model);
  assert_int_equal(setenv("PATH", before, 1), 0); // NOLINT(concurrency-mt-unsafe)
}

// A ball of radius 15 mm, let go 1 mm above the floor of the channel's slot: where its centre is after 0.3 s.
static double height_of_ball(const char *in_channel, const char *fixed)
{
  char text[2048];
  snprintf(text, sizeof text,
           "<robot name='r'><link name='w'/><link name='u'>%s</link>%s<link name='b'>" BALL
           "<collision><geometry><sphere radius='0.015'/></geometry></collision></link><joint name='f' type='floating'>"
           "<parent link='w'/><child link='b'/></joint></robot>",
           in_channel, fixed);
  srs_model *model = loaded(text);
  srs_sim *sim = NULL;
  srs_error error;
  double *q = calloc((size_t)srs_model_nq(model), sizeof *q);
  assert_non_null(q);
  memcpy(q, srs_model_neutral(model), (size_t)srs_model_nq(model) * sizeof *q);
  const int z = srs_model_find_q(model, "f.z");
  q[z] = 0.036;
  if (srs_sim_create(model, NULL, &sim, &error) != SRS_OK) fail_msg("%s", error.message);
  assert_int_equal(srs_sim_set_state(sim, 0, q, NULL, &error), SRS_OK);
  assert_int_equal(srs_sim_step(sim, 300, &error), SRS_OK);
  const double height = srs_sim_q(sim)[z];
  srs_sim_destroy(sim);
  free(q);
  srs_model_destroy(model);
  return height;
}

// What stands still is terrain, and a ball lies in its slot; by hull it is pushed out. Whichever way its triangles
// face.
static void a_mesh_that_stands_still_collides_by_its_triangles(void **state) // F18
{
  (void)state;
  static const char weld[] = "<joint name='g' type='fixed'><parent link='w'/><child link='u'/></joint>";
  static const char boxes[] =
      "<collision><origin xyz='0 0 0.01'/><geometry><box size='0.1 0.1 0.02'/></geometry></collision>"
      "<collision><origin xyz='-0.035 0 0.035'/><geometry><box size='0.03 0.1 0.03'/></geometry></collision>"
      "<collision><origin xyz='0.035 0 0.035'/><geometry><box size='0.03 0.1 0.03'/></geometry></collision>";
  static const char mesh[] = "<collision><geometry><mesh filename='u.obj'/></geometry>";
  char text[640];
  testing_write("u.obj", channel());
  assert_true(fabs(height_of_ball(boxes, weld) - 0.035) < 1e-5);
  snprintf(text, sizeof text, "%s</collision>", mesh);
  assert_true(fabs(height_of_ball(text, weld) - 0.035) < 1e-5);
  snprintf(text, sizeof text, "%s<sarrus collide='parts'/></collision>", mesh);
  assert_true(fabs(height_of_ball(text, weld) - 0.035) < 1e-5);
  snprintf(text, sizeof text, "%s<sarrus collide='hull'/></collision>", mesh);
  assert_true(height_of_ball(text, weld) > 0.04);

  snprintf(text, sizeof text, "<robot name='r'><link name='w'/><link name='u'>\n%s</collision></link>%s</robot>", mesh,
           weld);
  srs_model *model = loaded(text);
  assert_int_equal(srs_model_shape(model, 0)->kind, SRS_SHAPE_TERRAIN);
  assert_warns(model, 2, "1 mesh stands still and collides as terrain, by its triangles");
  srs_model_destroy(model);
  srs_load_options options = srs_default_load_options();
  options.base = SRS_BASE_FLOATING; // then it moves
  snprintf(text, sizeof text,
           "<robot name='r'><link name='w'>" BALL "</link><link name='u'>\n%s</collision></link>%s"
           "</robot>",
           mesh, weld);
  model = loaded_with(text, &options);
  assert_int_equal(srs_model_shape(model, 0)->kind, SRS_SHAPE_HULL);
  srs_model_destroy(model);

  testing_write("in.obj",
                "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n"); // shows its inside
  model = loaded("<robot name='r'><link name='w'><collision><geometry><mesh filename='in.obj'/></geometry></collision>"
                 "</link></robot>");
  const srs_shape *shape = srs_model_shape(model, 0);
  const double *a = shape->points + 3 * (size_t)shape->triangles[0],
               *b = shape->points + 3 * (size_t)shape->triangles[1];
  const double *c = shape->points + 3 * (size_t)shape->triangles[2]; // of the face in z = 0: its normal is -z
  assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0);
  srs_model_destroy(model);
}

static void what_is_missing_stops_a_simulation_where_it_would_collide(void **state) // F16
{
  (void)state;
  srs_sim *sim = NULL;
  srs_error error = {0};
  srs_load_options options = srs_default_load_options();
  srs_model *model = loaded(one_joint("continuous", "", collision("package://none/b.stl", "")));
  assert_warns(model, 3,
               "mesh 'package://none/b.stl' of link 'p' to collide with was not found, so no simulation can be made "
               "(looked for ");
  assert_warns(model, 3, "ROS_PACKAGE_PATH");
  assert_warns(model, 3, "AMENT_PREFIX_PATH");
  assert_int_equal(srs_sim_create(model, NULL, &sim, &error), SRS_ERROR_FILE);
  assert_has(error.message, "--no-collision");
  assert_has(error.message, "--package NAME=DIR");
  assert_int_equal(error.line, 3);
  srs_model_destroy(model);
  options.no_collision = true;
  model = loaded_with(one_joint("continuous", "", collision("package://none/b.stl", "")), &options);
  assert_int_equal(srs_sim_create(model, NULL, &sim, &error), SRS_OK);
  assert_true(srs_model_shape(model, 0)->is_visual);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  options = srs_default_load_options();
  options.allow_missing_meshes = true; // the ball still collides
  model = loaded_with(
      one_joint("continuous", "",
                collision("package://none/b.stl", "</collision><collision><geometry><sphere radius='1'/></geometry>")),
      &options);
  assert_warns(model, 3, "nothing of it collides");
  assert_true(srs_model_shape(model, 0)->is_visual && !srs_model_shape(model, 1)->is_visual);
  assert_int_equal(srs_sim_create(model, NULL, &sim, &error), SRS_OK);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
  // One that is only drawn stops nothing, not even strictly.
  options = srs_default_load_options();
  options.build.strict = true;
  model = loaded_with(
      one_joint("continuous", "", BALL "<visual><geometry><mesh filename='none.stl'/></geometry></visual>"), &options);
  assert_warns(model, 2, "only drawn, was not found");
  assert_int_equal(srs_sim_create(model, NULL, &sim, &error), SRS_OK);
  srs_sim_destroy(sim);
  srs_model_destroy(model);
}

static void a_damaged_mesh_is_told_with_its_file(void **state)
{
  (void)state;
  testing_write("bad.stl", "solid x\nfacet\n");
  srs_model *model = NULL;
  srs_error error = {0};
  assert_int_equal(srs_model_load(testing_write("a.urdf", one_joint("continuous", "", collision("bad.stl", ""))), NULL,
                                  &model, &error),
                   SRS_ERROR_FILE);
  assert_has(error.file, "bad.stl");
  assert_has(error.message, "cut short");
}

// Density 1000: a cube of 1 m, and a ball and a capsule by their closed forms.
static void a_density_gives_links_the_mass_of_their_shapes(void **state)
{
  (void)state;
  const double pi = 3.14159265358979323846;
  srs_load_options options = srs_default_load_options();
  options.density = 1000;
  testing_write("c.obj", cube());
  static const char *const shapes[] = {"<mesh filename='c.obj'/>", "<sphere radius='0.1'/>", "<box size='1 2 3'/>",
                                       "<cylinder radius='0.5' length='2'/>", "<capsule radius='0.1' length='0.3'/>"};
  const double mass[] = {1000, 1000 * 4.0 / 3 * pi * 1e-3, 6000, 500 * pi, 1000 * pi * (0.01 * 0.3 + 4.0 / 3 * 1e-3)};
  const double izz[] = {1000.0 / 6, 0.4 * mass[1] * 0.01, 6000 * 5.0 / 12, mass[3] * 0.125,
                        1000 * pi * (0.003 * 0.005 + 4.0 / 3 * 1e-3 * 0.4 * 0.01)};
  for (int i = 0; i < 5; i++) {
    char link[512];
    snprintf(link, sizeof link, "<collision><geometry>%s</geometry></collision>", shapes[i]);
    srs_model *model = loaded_with(one_joint("continuous", "", link), &options);
    assert_warns(model, 2, "has no <inertial>: it gets ");
    testing_assert_close("mass", &srs_model_link(model, 0)->mass, &mass[i], 1, 1e-12); // roundings of 6000 kg
    testing_assert_close("inertia", &srs_model_link(model, 0)->inertia[2], &izz[i], 1, 1e-12);
    srs_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_mesh_is_found_by_every_way_of_naming_it),
      cmocka_unit_test(scales_stretch_and_mirror),
      cmocka_unit_test(up_axes_are_told_and_turn_where_they_are_applied),
      cmocka_unit_test(a_hollow_mesh_is_told_with_its_ratio_and_its_cure),
      cmocka_unit_test(a_program_that_divides_meshes_is_named_where_it_is_installed),
      cmocka_unit_test(a_mesh_that_stands_still_collides_by_its_triangles),
      cmocka_unit_test(what_is_missing_stops_a_simulation_where_it_would_collide),
      cmocka_unit_test(a_damaged_mesh_is_told_with_its_file),
      cmocka_unit_test(a_density_gives_links_the_mass_of_their_shapes),
  };
  return cmocka_run_group_tests_name("urdf_meshes", tests, NULL, NULL);
}
