// What is not honoured is named, one line a kind; slips are named each time.
#include "unit/topology/mjcf/mjcf_cases.h"

// F34
static void kinds_are_counted_and_named_once(void **state)
{
  (void)state;
  srs_model *model = world("", "<body><freejoint/>\n<geom size='0.1' solref='0.02 1' margin='0'/>"
                               "<geom size='0.1' solref='0.02 1' rgba='1 0 0 1'/>\n<geom size='0.1' gap='0.1'/>"
                               "<camera pos='0 0 1'/><light/></body>");
  assert_warns(model, 2,
               "solref (2 times, from here on) is not honoured: contacts, limits, friction and loops are hard");
  assert_warns(model, 3, "gap is not honoured");
  assert_int_equal(srs_model_n_warnings(model), 2);
  srs_model_destroy(model);
}

// F34: what acts in MuJoCo and not here is an error with its line, unless it may be left out.
static void parts_without_counterpart_are_refused_or_left_out(void **state)
{
  (void)state;
  const char *text = "<mujoco><worldbody><body><freejoint/>" BALL "</body></worldbody>\n<tendon><spatial name='t'/>"
                     "</tendon>\n<deformable/>\n<custom/><visual/><statistic/><size/></mujoco>";
  refused(text, SRS_ERROR_UNSUPPORTED, 2,
          "<spatial> is not honoured: there are no spatial tendons; --allow-unsupported (allow_unsupported) leaves it");
  srs_model *model = loaded_in_part(text);
  assert_warns(model, 2, "<spatial> is not honoured: there are no spatial tendons");
  assert_warns(model, 3, "<deformable> is not honoured");
  assert_warns(model, 4, "<custom> is not read; it has no effect on motion");
  assert_int_equal(srs_model_n_warnings(model), 3);
  srs_model_destroy(model);
  srs_load_options options = srs_default_load_options();
  options.build.strict = options.allow_unsupported = true;
  srs_error error;
  assert_true(srs_model_load(testing_write("soft.xml", text), &options, &model, &error) != SRS_OK);
  assert_has(error.message, "not honoured");
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"<mujoco><worldbody>\n<body gravcomp='1'><freejoint/>" BALL "</body></worldbody></mujoco>", "gravcomp"},
      {"<mujoco><worldbody><body>\n<joint springdamper='1 1'/>" BALL "</body></worldbody></mujoco>", "springdamper"},
      {"<mujoco>\n<option density='1.2'/><worldbody/></mujoco>", "density"},
      {"<mujoco><worldbody>\n<composite/></worldbody></mujoco>", "bodies are rigid"},
      {"<mujoco><worldbody><body><joint name='h'/>" BALL "</body></worldbody><actuator>\n<muscle joint='h'/></actuator>"
       "</mujoco>",
       "<muscle> is not honoured"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    refused(cases[i].text, SRS_ERROR_UNSUPPORTED, 2, cases[i].words);
  // Defaults act on nothing by themselves.
  model =
      loaded("<mujoco><default><muscle/></default><worldbody><body><freejoint/>" BALL "</body></worldbody></mujoco>");
  srs_model_destroy(model);
}

static void slips_are_named_each_time_with_their_place(void **state)
{
  (void)state;
  srs_model *model =
      world("", "<body name='b'><freejoint/>\n<geom size='0.1' frcition='1'/>\n<goem size='0.1'/></body>");
  assert_warns(model, 2, "mujoco/worldbody/body[@name='b']/geom/@frcition is no word of MJCF");
  assert_warns(model, 3, "goem is no element of MJCF that may stand here");
  srs_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_are_counted_and_named_once),
      cmocka_unit_test(parts_without_counterpart_are_refused_or_left_out),
      cmocka_unit_test(slips_are_named_each_time_with_their_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
