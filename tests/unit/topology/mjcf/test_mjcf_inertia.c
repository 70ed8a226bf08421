// Masses: from geoms in closed form, from <inertial>, and what the compiler's settings do.
#include "unit/topology/mjcf/mjcf_cases.h"

static const double pi = 3.14159265358979323846;

// The one moving link of a free body that holds this.
static srs_link body(const char *settings, const char *inside, srs_model **model)
{
  static char text[4096];
  snprintf(text, sizeof text, "<body name='b'><freejoint/>%s</body>", inside);
  *model = world(settings, text);
  return *srs_model_link(*model, 0);
}

static void assert_body(const char *geom, double mass, double xx, double yy, double zz)
{
  srs_model *model;
  const srs_link link = body("", geom, &model);
  const double expected[6] = {xx, yy, zz, 0, 0, 0};
  assert_true(fabs(link.mass - mass) <= 1e-12 * mass);
  for (int i = 0; i < 6; i++)
    if (fabs(link.inertia[i] - expected[i]) > 1e-12 * zz)
      fail_msg("%s: moment %d is %.17g, not %.17g", geom, i, link.inertia[i], expected[i]);
  srs_model_destroy(model);
}

// Density 1000. The capsule's moments once more by numbers: integrals over its profile, to 17 digits by hand.
static void geoms_have_the_inertia_of_their_solids(void **state)
{
  (void)state;
  double m = 1000 * 4.0 / 3 * pi * 0.001;
  assert_body("<geom type='sphere' size='0.1'/>", m, m * 0.004, m * 0.004, m * 0.004);
  m = 1000 * 8 * 0.1 * 0.2 * 0.3;
  assert_body("<geom type='box' size='0.1 0.2 0.3'/>", m, m * 0.13 / 3, m * 0.1 / 3, m * 0.05 / 3);
  m = 1000 * 4.0 / 3 * pi * 0.006;
  assert_body("<geom type='ellipsoid' size='0.1 0.2 0.3'/>", m, m * 0.13 / 5, m * 0.1 / 5, m * 0.05 / 5);
  m = 1000 * pi * 0.01 * 0.6;
  assert_body("<geom type='cylinder' size='0.1 0.3'/>", m, m * (0.0025 + 0.03), m * (0.0025 + 0.03), m * 0.005);
  // Capsule r, half length l: int over z of pi rho^4 / 4 + pi rho^2 z^2, rho^2 = r^2 - (z - l)^2 beyond l.
  const double r = 0.1, l = 0.3, side = 2 * pi * r * r * l, balls = 4.0 / 3 * pi * r * r * r;
  const double x_of_side = side * (r * r / 4 + l * l / 3);
  const double x_of_balls = balls * (2 * r * r / 5 + l * l + 3 * l * r / 4);
  const double x = 1000 * (x_of_side + x_of_balls), z = 1000 * (side * r * r / 2 + balls * 2 * r * r / 5);
  assert_body("<geom type='capsule' size='0.1 0.3'/>", 1000 * (side + balls), x, x, z);
}

static void shells_have_the_inertia_of_their_surfaces(void **state)
{
  (void)state;
  assert_body("<geom type='sphere' size='0.1' mass='3' shellinertia='true'/>", 3, 0.02, 0.02, 0.02);
  // A cube of side 1: six plates of m/6 each, 5/18 m.
  assert_body("<geom type='box' size='0.5 0.5 0.5' mass='3' shellinertia='true'/>", 3, 15.0 / 18, 15.0 / 18, 15.0 / 18);
  // The density of a shell is per area.
  assert_body("<geom type='sphere' size='0.5' density='2' shellinertia='true'/>", 2 * pi, pi / 3, pi / 3, pi / 3);
}

#define CUBE                                                                                                           \
  "vertex='0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1' face='0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 "  \
  "4 2 2 4 6 1 3 5 3 7 5'"
static void meshes_have_the_inertia_of_what_they_bound(void **state)
{
  (void)state;
  static const char *const kinds[] = {"legacy", "exact", "shell"};
  for (int i = 0; i < 3; i++) {
    char settings[512];
    snprintf(settings, sizeof settings, "<asset><mesh name='m' " CUBE " scale='0.2 0.4 0.6' inertia='%s'/></asset>",
             kinds[i]);
    srs_model *model;
    const srs_link link = body(settings, "<geom type='mesh' mesh='m' mass='12'/>", &model);
    const double com[3] = {0.1, 0.2, 0.3}, solid[6] = {0.52, 0.4, 0.2, 0, 0, 0}; // 12/12 (y^2 + z^2), …
    testing_assert_close("centre", link.com, com, 3, 1e-12);
    if (i < 2) testing_assert_close("inertia", link.inertia, solid, 6, 1e-12);
    if (i == 2) assert_true(link.inertia[0] > 0.52);
    srs_model_destroy(model);
  }
  refused("<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 2 1 3 2'/></asset><worldbody><body>"
          "<freejoint/>\n<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
          SRS_ERROR_MODEL, 2, "bounds no volume");
}

// F29
#define PAIR                                                                                                           \
  "<geom type='sphere' size='0.1' mass='2'/><frame pos='1 0 0'><geom type='sphere' size='0.1' mass='5' contype='0' "   \
  "conaffinity='0'/></frame>"
#define INERTIAL "<inertial pos='0.1 0.2 0.3' mass='1' diaginertia='0.01 0.01 0.01'/>"
static void the_compiler_says_what_gives_the_mass(void **state)
{
  (void)state;
  srs_model *model;
  srs_link link = body("<compiler inertiafromgeom='auto'/>", INERTIAL PAIR, &model);
  const double own[3] = {0.1, 0.2, 0.3}, geoms[3] = {5.0 / 7, 0, 0};
  assert_true(link.mass == 1);
  testing_assert_close("centre", link.com, own, 3, 1e-15);
  srs_model_destroy(model);
  link = body("<compiler inertiafromgeom='true'/>", INERTIAL PAIR, &model);
  assert_true(link.mass == 7);
  testing_assert_close("centre", link.com, geoms, 3, 1e-15);
  srs_model_destroy(model);
  link = body("<compiler inertiagrouprange='1 2'/>",
              "<geom type='sphere' size='0.1' mass='2'/><geom type='sphere' size='0.1' mass='3' group='2'/>", &model);
  assert_true(link.mass == 3);
  srs_model_destroy(model);
  srs_error error;
  assert_true(srs_model_load(testing_write("m.xml", "<mujoco><compiler inertiafromgeom='false'/><worldbody><body "
                                                    "name='b'><freejoint/>" PAIR "</body></worldbody></mujoco>"),
                             NULL, &model, &error) != SRS_OK);
  assert_has(error.message, "b");
}

static void inertials_are_read_in_their_axes(void **state)
{
  (void)state;
  srs_model *model;
  srs_link link = body("", "<inertial pos='0 0 0' euler='0 0 45' mass='3' diaginertia='0.4 0.9 1.1'/>", &model);
  const double turned[6] = {0.65, 0.65, 1.1, -0.25, 0, 0}; // F05
  testing_assert_close("inertia", link.inertia, turned, 6, 1e-15);
  srs_model_destroy(model);
  link = body("", "<inertial pos='0 0 0' mass='3' fullinertia='0.65 0.65 1.1 -0.25 0 0'/>", &model);
  testing_assert_close("inertia", link.inertia, turned, 6, 0);
  srs_model_destroy(model);
#define IN(WORDS) "<mujoco><worldbody><body><freejoint/>\n<inertial " WORDS "/></body></worldbody></mujoco>"
  refused(IN("pos='0 0 0' mass='3' fullinertia='1 1 1 0 0 0' euler='0 0 1'"), SRS_ERROR_SYNTAX, 2, "leave one out");
  refused(IN("pos='0 0 0' diaginertia='1 1 1'"), SRS_ERROR_SYNTAX, 2, "needs a mass");
  refused(IN("pos='0 0 0' mass='1' diaginertia='1 0.2 0.3'"), SRS_ERROR_MODEL, 2, "1.0 > 0.2 + 0.3");
}

static void settings_balance_bound_and_scale_masses(void **state)
{
  (void)state;
  srs_model *model;
  srs_link link =
      body("<compiler balanceinertia='true'/>", "<inertial pos='0 0 0' mass='1' diaginertia='1 0.2 0.3'/>", &model);
  const double even[6] = {0.5, 0.5, 0.5, 0, 0, 0};
  testing_assert_close("balanced", link.inertia, even, 6, 1e-15);
  srs_model_destroy(model);
  link = body("<compiler boundmass='2' boundinertia='0.25'/>",
              "<inertial pos='0 0 0' euler='0 0 45' mass='1' diaginertia='0.1 0.3 0.35'/>", &model);
  const double bound[6] = {0.275, 0.275, 0.35, -0.025, 0, 0};
  assert_true(link.mass == 2);
  testing_assert_close("bound", link.inertia, bound, 6, 1e-14);
  srs_model_destroy(model);
  link = body("<compiler settotalmass='10'/>",
              "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><body><inertial "
              "pos='1 0 0' mass='3' diaginertia='1 1 1'/></body>",
              &model);
  assert_number(link.mass, 10, 1e-14);
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(geoms_have_the_inertia_of_their_solids),
      cmocka_unit_test(shells_have_the_inertia_of_their_surfaces),
      cmocka_unit_test(meshes_have_the_inertia_of_what_they_bound),
      cmocka_unit_test(the_compiler_says_what_gives_the_mass),
      cmocka_unit_test(inertials_are_read_in_their_axes),
      cmocka_unit_test(settings_balance_bound_and_scale_masses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
