// `sarrus convert RUN OUT`: CSV with the run's own numbers, files for ParaView and animations whose numbers are those
// of closed forms.
#include "support/command.h"

#include <math.h>
#include <stdint.h>

// A ball of 2 kg that falls 0.1 s from 5 m, and one that rests.
static const char balls[] = "models:\n"
                            "- name: f\n  base: floating\n  position: [1, 2, 5]\n"
                            "  links: [{name: ball, mass: 2, inertia: [1, 1, 1]}]\n"
                            "  shapes: [{link: ball, kind: sphere, radius: 0.1}]\n"
                            "- name: r\n  base: floating\n  position: [0, 0, 0.1]\n"
                            "  links: [{name: ball, mass: 2, inertia: [1, 1, 1]}]\n"
                            "  shapes: [{link: ball, kind: sphere, radius: 0.1}]\n"
                            "environment: [{name: floor, shape: half-space}]\n"
                            "dt: 0.001\nduration: 0.1\nintegrator: semi-implicit-euler\n";

static void write_run(void)
{
  testing_write("balls.yaml", balls);
  assert_int_equal(sarrus("run balls.yaml --contacts --energies --every 10 --out run.h5 --quiet"), 0);
}

static char *read_named(const char *name)
{
  char path[1200];
  size_t length = 0;
  snprintf(path, sizeof path, "%s/%s", testing_folder(), name);
  return testing_read(path, &length);
}

// The bytes behind `mark` in a text.
static unsigned char *decode(const char *text, const char *mark, size_t n)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = strstr(text, mark);
  if (at == NULL) fail_msg("no %s", mark);
  at += strlen(mark);
  unsigned char *bytes = calloc(n + 3, 1);
  for (size_t i = 0; i < n; i += 3, at += 4) {
    unsigned word = 0;
    for (int k = 0; k < 4; k++) {
      const char *digit = strchr(digits, at[k]);
      word = word << 6 | (at[k] != '=' && digit != NULL ? (unsigned)(digit - digits) : 0);
    }
    bytes[i] = (unsigned char)(word >> 16), bytes[i + 1] = (unsigned char)(word >> 8),
    bytes[i + 2] = (unsigned char)word;
  }
  return bytes;
}

static double fallen(int steps) { return 5 - 9.81e-6 * steps * (steps + 1) / 2; } // of semi-implicit Euler

// From the floor's origin the ball reaches 0.2 m: a square of 0.4 m.
static void the_ground_is_as_large_as_what_moves(void **state)
{
  (void)state;
  testing_write("ball.yaml", "models:\n- name: r\n  base: floating\n  position: [0, 0, 0.1]\n"
                             "  links: [{name: ball, mass: 2, inertia: [1, 1, 1]}]\n"
                             "  shapes: [{link: ball, kind: sphere, radius: 0.0999}]\n"
                             "environment: [{name: floor, shape: half-space}]\n"
                             "dt: 0.001\nduration: 0.001\n");
  assert_int_equal(sarrus("run ball.yaml --out ball.h5 --quiet"), 0);
  assert_int_equal(sarrus("convert ball.h5 ball.gltf"), 0);
  char *text = read_named("ball.gltf");
  const char *most = strstr(text, "\"max\": [0.2");
  assert_non_null(most);
  assert_null(strstr(text, "\"max\": [10"));
  free(text);
}

static int count(const char *text, const char *what)
{
  int n = 0;
  for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) n++;
  return n;
}

// A pendulum of two links without shapes: sticks from pivot to pivot and to the mass, 1 m and 0.5 m long, two pivots,
// and a knob for the last mass. The page of `sarrus view` has the same.
static void links_without_shapes_are_sticks(void **state)
{
  (void)state;
  testing_write("two.urdf",
                "<robot name='two'><link name='base'/>\n"
                "<link name='a'><inertial><origin xyz='0 0 -0.5'/><mass value='1'/><inertia ixx='1' iyy='1' "
                "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
                "<link name='b'><inertial><origin xyz='0 0 -0.5'/><mass value='1'/><inertia ixx='1' iyy='1' "
                "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
                "<joint name='one' type='continuous'><parent link='base'/><child link='a'/><axis xyz='1 0 "
                "0'/></joint>\n"
                "<joint name='next' type='continuous'><origin xyz='0 0 -1'/><parent link='a'/><child "
                "link='b'/><axis xyz='1 0 0'/></joint></robot>\n");
  testing_write("two.yaml", "models: [{file: two.urdf, name: t, base: fixed}]\ndt: 0.001\nduration: 0.002\n");
  assert_int_equal(sarrus("run two.yaml --out two.h5 --quiet"), 0);
  assert_int_equal(sarrus("convert two.h5 two.gltf"), 0);
  char *text = read_named("two.gltf");
  assert_int_equal(count(text, "\"name\": \"stick\""), 2);
  assert_int_equal(count(text, "\"name\": \"pivot\""), 2);
  assert_int_equal(count(text, "\"name\": \"mass\""), 1);
  assert_non_null(strstr(text, ", 0.5]")); // the "max" of a cylinder of 1 m, and of 0.5 m
  assert_non_null(strstr(text, ", 0.25]"));
  free(text);
}

// A run of a file that was read with an option is looked at without it.
static void what_ran_is_read_again(void **state)
{
  (void)state;
  testing_write("muscle.xml", "<mujoco><worldbody><body name='b'><joint name='j' axis='0 1 0'/>\n"
                              "<geom type='capsule' fromto='0 0 0 0 0 -1' size='0.05'/></body></worldbody>\n"
                              "<actuator><muscle joint='j'/></actuator></mujoco>\n");
  assert_refused(sarrus("run muscle.xml --duration 0.1 --quiet"), 1,
                 "muscle.xml:3: <muscle> is not honoured: there are no such actuators; --allow-unsupported");
  assert_int_equal(sarrus("run muscle.xml --duration 0.1 --quiet --allow-unsupported --out muscle.h5"), 0);
  assert_int_equal(sarrus("convert muscle.h5 muscle.gltf"), 0);
  testing_write("loose.urdf",
                "<robot name='l'><link name='base'/><link name='a'/>\n"
                "<joint name='j' type='fixed'><parent link='base'/><child link='a'/></joint>\n"
                "<joint name='k' type='fixed'><parent link='base'/><child link='none'/></joint></robot>\n");
  assert_int_equal(sarrus("run loose.urdf --duration 0.01 --quiet --allow-missing-links --out loose.csv"), 0);
  assert_int_equal(sarrus("convert loose.csv loose.gltf"), 0);
}

// Names with commas and quotes, as every CSV reader takes them.
static void quoted_names_are_read(void **state)
{
  (void)state;
  testing_write("odd.urdf",
                "<robot name='o'><link name='base'/><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
                "<joint name='a, &quot;b&quot;' type='continuous'><parent link='base'/><child link='a'/></joint>"
                "</robot>\n");
  assert_int_equal(sarrus("run odd.urdf --duration 0.01 --quiet --out odd.csv"), 0);
  assert_int_equal(sarrus("convert odd.csv odd2.csv"), 0);
  char *text = read_named("odd2.csv");
  assert_int_equal(strncmp(text, "time,\"q:a, \"\"b\"\"\",\"v:a, \"\"b\"\"\"\n", 31), 0);
  free(text);
  assert_int_equal(sarrus("convert odd.csv odd.gltf"), 0);
  assert_int_equal(sarrus("plot odd.csv 'q:*' -o odd.svg"), 0);
}

static void csv_has_the_numbers_of_the_run(void **state)
{
  (void)state;
  write_run();
  assert_int_equal(sarrus("convert run.h5 out.csv"), 0);
  assert_int_equal(sarrus("run balls.yaml --energies --every 10 --columns 'q:*,v:*' --out own.csv --quiet"), 0);
  char *own = read_named("own.csv"), *out = read_named("out.csv");
  // The same columns first; the balance's come by name and the contacts' summary with them.
  char *from = strchr(own, '\n'), *to = strchr(out, '\n');
  for (int row = 0; row < 11; row++) {
    char *rest = NULL;
    for (int i = 0; i < 1 + 14 + 12; i++) {
      assert_true(strtod(from + 1, &rest) == strtod(to + 1, &to));
      from = rest;
    }
    from = strchr(from, '\n'), to = strchr(to, '\n');
  }
  free(own);
  free(out);
  char *meaning = read_named("out.csv.yaml"), *contacts = read_named("out.contacts.csv");
  assert_non_null(strstr(meaning, "{name: \"q:f/root.z\", unit: \"m\", axes: \"world\"}"));
  assert_memory_equal(contacts, "time,a,b,x,y,z,fx,fy,fz\n", 24);
  const char *last = strrchr(contacts, ','); // fz of the last contact, on the ball: its weight
  assert_non_null(strstr(contacts, ",r/ball,floor,"));
  assert_true(fabs(strtod(last + 1, NULL) - 2 * 9.81) < 1e-9);
  free(meaning);
  free(contacts);
}

static void an_animation_moves_as_the_run_did(void **state)
{
  (void)state;
  write_run();
  assert_int_equal(sarrus("convert run.h5 out.gltf"), 0);
  char *text = read_named("out.gltf");
  testing_json *json = testing_json_parse(text);
  assert_string_equal(testing_json_text(json, "/asset/version"), "2.0");
  assert_string_equal(testing_json_text(json, "/nodes/1/name"), "f/ball");
  assert_true(testing_json_number(json, "/accessors/0/count") == 11);
  assert_true(testing_json_number(json, "/animations/0/channels/0/target/node") == 1);
  const size_t n = (size_t)testing_json_number(json, "/buffers/0/byteLength");
  float *values = (float *)(void *)decode(text, "base64,", n);
  for (int i = 0; i < 11; i++) {
    assert_true(fabs(values[i] - 0.01 * i) < 1e-7); // single precision
    const float *place = &values[11 + 3 * i], *turn = &values[11 + 33 + 4 * i];
    assert_true(place[0] == 1 && place[1] == 2 && fabs(place[2] - fallen(10 * i)) < 1e-6);
    assert_true(turn[0] == 0 && turn[3] == 1);
  }
  // Every solid's triangles look outwards: of a ball, away from its middle.
  const size_t points = (size_t)testing_json_number(json, "/bufferViews/5/byteOffset") / 4,
               corners = (size_t)testing_json_number(json, "/bufferViews/6/byteOffset") / 4;
  const int n_corners = (int)testing_json_number(json, "/accessors/6/count");
  const int32_t *corner = (const int32_t *)(void *)values + corners;
  for (int i = 0; i < n_corners; i += 3) {
    const float *solid = values + points, *a = &solid[3 * (size_t)corner[i]], *b = &solid[3 * (size_t)corner[i + 1]],
                *c = &solid[3 * (size_t)corner[i + 2]];
    const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, w[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const float out =
        a[0] * (u[1] * w[2] - u[2] * w[1]) + a[1] * (u[2] * w[0] - u[0] * w[2]) + a[2] * (u[0] * w[1] - u[1] * w[0]);
    assert_true(out > 0);
  }
  free(values);
  testing_json_free(json);
  free(text);
}

static void paraview_gets_solids_and_forces(void **state)
{
  (void)state;
  write_run();
  assert_int_equal(sarrus("convert run.h5 seen.pvd --every 5"), 0);
  char *list = read_named("seen.pvd");
  assert_non_null(strstr(list, "timestep=\"0.1\" part=\"1\" file=\"seen/bodies_000002.vtp\""));
  assert_null(strstr(list, "_000003"));
  free(list);
  char *text = read_named("seen/contacts_000002.vtp");
  assert_non_null(strstr(text, "NumberOfPoints=\"1\""));
  unsigned char *force = decode(text, "Name=\"force\" NumberOfComponents=\"3\" format=\"binary\">", 8 + 12);
  float f[3];
  memcpy(f, force + 8, sizeof f);
  assert_true(force[0] == 12 && fabs(f[2] - 2 * 9.81) < 1e-5); // on the ball, though the floor is the other side
  free(force);
  free(text);
  text = read_named("seen/bodies_000002.vtp");
  unsigned char *points = decode(text, "Name=\"Points\" NumberOfComponents=\"3\" format=\"binary\">", 8 + 12);
  memcpy(f, points + 8, sizeof f); // the pole of the first ball
  assert_true(f[0] == 1 && f[1] == 2 && fabs(f[2] - (fallen(100) - 0.1)) < 1e-5);
  free(points);
  free(text);
}

static void nothing_is_replaced_unasked(void **state)
{
  (void)state;
  write_run();
  assert_int_equal(sarrus("convert run.h5 a.gltf"), 0);
  assert_refused(sarrus("convert run.h5 a.gltf"), 1, "a.gltf");
  assert_int_equal(sarrus("convert run.h5 a.gltf --force"), 0);
  assert_refused(sarrus("convert own2.csv own2.csv"), 1, "own2.csv");
  assert_refused(sarrus("convert none.h5 b.gltf"), 1, "none.h5: cannot be read");
  assert_refused(sarrus("convert run.h5 no/b.pvd"), 1, "the folder for the frames cannot be made");
  assert_refused(sarrus("convert run.h5 b.gltf --every 0"), 2, "every");
}

static void another_ending_is_told(void **state)
{
  (void)state;
  assert_refused(sarrus("convert run.csv run.foo"), 2, "run.foo: a run becomes .csv, .pvd or .gltf");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(another_ending_is_told),
      cmocka_unit_test(links_without_shapes_are_sticks),
      cmocka_unit_test(quoted_names_are_read),
      cmocka_unit_test(what_ran_is_read_again),
      cmocka_unit_test(csv_has_the_numbers_of_the_run),
      cmocka_unit_test(the_ground_is_as_large_as_what_moves),
      cmocka_unit_test(an_animation_moves_as_the_run_did),
      cmocka_unit_test(paraview_gets_solids_and_forces),
      cmocka_unit_test(nothing_is_replaced_unasked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
