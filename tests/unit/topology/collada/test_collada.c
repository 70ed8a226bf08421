// Collada files: units, placements and every kind of polygon are read; what is damaged is told with its line.
#include "support/testing.h"
#include "topology/mesh/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                           \
  "<?xml version='1.0' encoding='utf-8'?>\n<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "             \
  "version='1.4.1'>\n"
#define SOURCE                                                                                                         \
  "<source id='p'><float_array id='a' count='12'>0 0 0 1.1 0 0 0 1 0 0 0 0.3</float_array><technique_common>"          \
  "<accessor source='#a' count='4' stride='3'/></technique_common></source>\n"                                         \
  "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices>\n"
#define GEOMETRY(POLYGONS)                                                                                             \
  "<library_geometries><geometry id='g'><mesh>" SOURCE POLYGONS "</mesh></geometry></library_geometries>\n"
#define TRIANGLE "<triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles>"
#define SCENE(NODES)                                                                                                   \
  "<library_visual_scenes><visual_scene id='s'>" NODES "</visual_scene></library_visual_scenes>\n"                     \
  "<scene><instance_visual_scene url='#s'/></scene></COLLADA>\n"
#define NODE(PLACEMENT) "<node id='n' name='part'>" PLACEMENT "<instance_geometry url='#g'/></node>"

static void read_text(const char *text, srs_mesh *mesh)
{
  srs_error error = {0};
  if (srs_mesh_read(testing_write("a.dae", text), NULL, mesh, &error) != SRS_OK)
    fail_msg("%s\n%s", text, error.message);
}

// The unit multiplies; the up axis turns nothing here and is told; decimals come out as they were written.
static void units_count_and_the_up_axis_is_told(void **state)
{
  (void)state;
  static const char *const axes[] = {"X_UP", "Y_UP", "Z_UP"};
  for (int i = 0; i < 3; i++) {
    char text[4096];
    snprintf(text, sizeof text, HEAD "<asset><unit name='inch' meter='0.0254'/><up_axis>%s</up_axis></asset>\n%s",
             axes[i], GEOMETRY(TRIANGLE) SCENE(NODE("")));
    srs_mesh m;
    read_text(text, &m);
    assert_int_equal(m.n_triangles, 1);
    const double expected[9] = {0, 0, 0, 0.0254 * 1.1, 0, 0, 0, 0.0254, 0};
    testing_assert_close(axes[i], m.points, expected, 9, 1e-17); // one rounding of a product
    assert_string_equal(m.groups[m.group[0]], "part");
    assert_int_equal(m.up, axes[i][0]);
    srs_mesh_release(&m);
  }
  srs_mesh m;
  read_text(HEAD "<asset><up_axis>SIDEWAYS</up_axis></asset>" GEOMETRY(TRIANGLE) SCENE(NODE("")), &m);
  assert_int_equal(m.up, 0);
  srs_mesh_release(&m);
}

static void placements_of_nodes_add_up_and_mirrors_keep_the_outside(void **state)
{
  (void)state;
  srs_mesh m;
  read_text(HEAD GEOMETRY(TRIANGLE) SCENE("<node><translate>1 2 3</translate><rotate>0 0 1 90</rotate>" NODE(
                "<matrix>2 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>") "</node>"),
            &m);
  // x -> (2 x + 5, y, z), a quarter turn about z, and a shift: (1 - y, 2 + 2 x + 5, 3 + z).
  const double expected[9] = {1, 7, 3, 1, 9.2, 3, 0, 7, 3};
  testing_assert_close("points", m.points, expected, 9, 1e-6); // assimp turns in single precision
  srs_mesh_release(&m);
  read_text(HEAD GEOMETRY(TRIANGLE) SCENE(NODE("<scale>1 1 -1</scale>")), &m);
  static const int backwards[3] = {0, 1, 2}; // by first use: the corners come as c b a
  assert_memory_equal(m.triangles, backwards, sizeof backwards);
  assert_true(m.points[1] == 1 && m.points[3] == 1.1 && m.points[6] == 0);
  srs_mesh_release(&m);
}

static void every_kind_of_polygon_is_read(void **state)
{
  (void)state;
#define INPUT  "<input semantic='VERTEX' source='#v' offset='0'/>"
#define INPUT2 "<input semantic='NORMAL' source='#none' offset='0'/><input semantic='VERTEX' source='#v' offset='1'/>"
  static const struct {
    const char *polygons;
    int n_triangles;
  } cases[] = {
      {"<triangles count='2'>" INPUT "<p>0 1 2 0 1 3</p></triangles>", 2},
      {"<triangles count='2'>" INPUT2 "<p>9 0 9 1 9 2 9 0 9 1 9 3</p></triangles>", 2},
      {"<polylist count='2'>" INPUT "<vcount>3 4</vcount><p>0 1 2 0 1 2 3</p></polylist>", 3},
      {"<polygons count='2'>" INPUT "<p>0 1 2</p><p>0 1 2 3</p></polygons>", 3},
      {"<tristrips count='1'>" INPUT "<p>0 1 2 3</p></tristrips>", 2},
      {"<trifans count='1'>" INPUT "<p>0 1 2 3</p></trifans>", 2},
      {"<lines count='1'>" INPUT "<p>0 1</p></lines>" TRIANGLE, 1},
      {"<triangles count='0'><p/></triangles>" TRIANGLE, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[4096];
    snprintf(text, sizeof text,
             HEAD "<library_geometries><geometry id='g'><mesh>" SOURCE
                  "%s</mesh></geometry></library_geometries>" SCENE(NODE("")),
             cases[i].polygons);
    srs_mesh m;
    read_text(text, &m);
    if (m.n_triangles != cases[i].n_triangles) fail_msg("%s: %d triangles", cases[i].polygons, m.n_triangles);
    srs_mesh_release(&m);
  }
}

static void nodes_that_are_named_are_there_again(void **state)
{
  (void)state;
  srs_mesh m;
  read_text(
      HEAD GEOMETRY(TRIANGLE) "<library_nodes><node id='k'><translate>0 0 1</translate><instance_geometry url='#g'/>"
                              "</node></library_nodes>" SCENE("<node><instance_node url='#k'/></node>" NODE("")),
      &m);
  assert_int_equal(m.n_triangles, 2);
  srs_mesh_release(&m);
}

static void damage_is_told_with_its_line(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    srs_status status;
    int line;
    const char *words;
  } cases[] = {
      {"<!DOCTYPE a [<!ENTITY b 'c'>]>\n<COLLADA/>", SRS_ERROR_SYNTAX, 1, "DOCTYPE"},
      {HEAD "<library_geometries>", SRS_ERROR_SYNTAX, 3, "not well-formed"},
      {"<?xml version='1.0' encoding='utf-16'?><COLLADA/>", SRS_ERROR_UNSUPPORTED, 1, "UTF-8"},
      {HEAD "<asset><unit meter='0'/></asset></COLLADA>", SRS_ERROR_SYNTAX, 3, "unit"},
      {HEAD GEOMETRY("<triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 4</p></triangles>")
           SCENE(NODE("")),
       SRS_ERROR_SYNTAX, 5, "index 4 names no position: there are 4"},
      {HEAD GEOMETRY("<triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/><p>0 1</p></triangles>")
           SCENE(NODE("")),
       SRS_ERROR_SYNTAX, 5, "no whole triangles"},
      {HEAD GEOMETRY("<polylist count='1'><input semantic='VERTEX' source='#v' offset='0'/><vcount>4</vcount><p>0 1 2"
                     "</p></polylist>") SCENE(NODE("")),
       SRS_ERROR_SYNTAX, 5, "have 4 corners, but <p> has 3"},
      {HEAD GEOMETRY("<triangles count='1'><input semantic='VERTEX' source='#v' offset='99'/><p>0 1 2</p></triangles>")
           SCENE(NODE("")),
       SRS_ERROR_SYNTAX, 5, "offset"},
      {HEAD GEOMETRY("<triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/><p>0 -1 2</p></triangles>")
           SCENE(NODE("")),
       SRS_ERROR_SYNTAX, 5, "not '-1'"},
      {HEAD GEOMETRY(TRIANGLE) SCENE("<node><instance_geometry url='#none'/></node>"), SRS_ERROR_SYNTAX, 6,
       "names no <geometry>"},
      {HEAD GEOMETRY(TRIANGLE) SCENE(NODE("<matrix>1 0 0</matrix>")), SRS_ERROR_SYNTAX, 6,
       "expected 16 numbers, found 3"},
      {HEAD GEOMETRY(TRIANGLE) SCENE("<node id='c'><instance_node url='#c'/></node>"), SRS_ERROR_SYNTAX, 6,
       "inside itself"},
      {HEAD GEOMETRY(TRIANGLE) SCENE("<node/>"), SRS_ERROR_MODEL, 0, "no faces"},
      {HEAD
       "<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' count='3'>0 0 0</float_array>"
       "<technique_common><accessor source='#a' count='999999999' stride='3'/></technique_common></source>\n"
       "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices></mesh></geometry></library_geometries>"
       "</COLLADA>",
       SRS_ERROR_SYNTAX, 3, "count"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    srs_mesh m;
    srs_error error = {0};
    const srs_status status = srs_mesh_read(testing_write("a.dae", cases[i].text), NULL, &m, &error);
    srs_mesh_release(&m);
    if (status != cases[i].status || error.line != cases[i].line || strstr(error.message, cases[i].words) == NULL)
      fail_msg("%s: %d, line %d: %s", cases[i].text, status, error.line, error.message);
    assert_null(strchr(error.message, '\n'));
  }
}

static void an_element_of_very_many_attributes_is_refused(void **state)
{
  (void)state;
  enum { N = 2000 };
  static char text[20 * N];
  char *at = text + snprintf(text, 40, "<COLLADA>\n<node");
  for (int i = 0; i < N; i++) at += snprintf(at, 20, " x%d=''", i);
  (void)snprintf(at, 20, "/></COLLADA>");
  srs_mesh m;
  srs_error error = {0};
  assert_int_equal(srs_mesh_read(testing_write("many.dae", text), NULL, &m, &error), SRS_ERROR_SYNTAX);
  assert_int_equal(error.line, 2);
  assert_non_null(strstr(error.message, "more than 1000 attributes"));
  srs_mesh_release(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_count_and_the_up_axis_is_told),
      cmocka_unit_test(placements_of_nodes_add_up_and_mirrors_keep_the_outside),
      cmocka_unit_test(every_kind_of_polygon_is_read),
      cmocka_unit_test(nodes_that_are_named_are_there_again),
      cmocka_unit_test(damage_is_told_with_its_line),
      cmocka_unit_test(an_element_of_very_many_attributes_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
