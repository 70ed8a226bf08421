// Each sensor with its kind, what it is on, and the numbers that it shows, in the words of a scene.

#include "engine/cli/info/sensors.h"

static bool is_of_joint(const srs_sensor_def *d)
{
  return d->kind == SRS_SENSOR_JOINT_POSITION || d->kind == SRS_SENSOR_JOINT_VELOCITY ||
         d->kind == SRS_SENSOR_JOINT_EFFORT || d->kind == SRS_SENSOR_JOINT_ACCELERATION;
}

static const char *place_of(const srs_model *model, const srs_sensor_def *d)
{
  return is_of_joint(d) ? srs_model_v_name(model, d->coordinate) : srs_model_frame(model, d->frame)->name;
}

// The link that a contact must be with; NULL for any.
static const char *other_of(const srs_model *model, const srs_sensor_def *d)
{
  if (d->kind != SRS_SENSOR_CONTACT || d->other == SRS_SENSOR_ANY) return NULL;
  return d->other == SRS_SENSOR_WORLD ? "world" : srs_model_frame(model, d->other)->name;
}

static bool has_axes(const srs_sensor_def *d)
{
  return d->kind == SRS_SENSOR_TWIST || d->kind == SRS_SENSOR_ACCELERATION || d->kind == SRS_SENSOR_FORCE_TORQUE ||
         d->kind == SRS_SENSOR_CONTACT;
}

void srs_info_print_sensors(const srs_scene *scene)
{
  const srs_scene_settings *s = srs_scene_get_settings(scene);
  const srs_model *model = srs_scene_model(scene);
  if (s->n_sensors > 0) puts("sensors:");
  for (int i = 0; i < s->n_sensors; i++) {
    const srs_sensor_def *d = &s->sensors[i];
    const char *other = other_of(model, d);
    printf("  %s: %s of %s", d->name, srs_sensor_kind_name(d->kind), place_of(model, d));
    if (other != NULL) printf(" with %s", other);
    if (has_axes(d)) printf(", %s axes", d->axes == SRS_AXES_WORLD ? "world" : "local");
    if (d->kind == SRS_SENSOR_RANGE) printf(", to %g m", d->range);
    const int n = srs_sensor_kind_size(d->kind);
    for (int k = 0; k < n && n > 1; k++) printf("%s%s", k == 0 ? ": " : " ", srs_sensor_component(d->kind, k));
    putchar('\n');
  }
}

void srs_info_sensors_json(srs_json *json, const srs_scene *scene)
{
  const srs_scene_settings *s = srs_scene_get_settings(scene);
  const srs_model *model = srs_scene_model(scene);
  srs_json_array(json, "sensors");
  for (int i = 0; i < s->n_sensors; i++) {
    const srs_sensor_def *d = &s->sensors[i];
    srs_json_object(json, NULL);
    srs_json_text(json, "name", d->name);
    srs_json_text(json, "kind", srs_sensor_kind_name(d->kind));
    srs_json_text(json, is_of_joint(d) ? "coordinate" : "frame", place_of(model, d));
    if (other_of(model, d) != NULL) srs_json_text(json, "other", other_of(model, d));
    if (has_axes(d)) srs_json_text(json, "axes", d->axes == SRS_AXES_WORLD ? "world" : "local");
    if (d->kind == SRS_SENSOR_RANGE) srs_json_number(json, "range", d->range);
    srs_json_array(json, "components");
    for (int k = 0; k < srs_sensor_kind_size(d->kind); k++) srs_json_text(json, NULL, srs_sensor_component(d->kind, k));
    srs_json_close(json);
    srs_json_close(json);
  }
  srs_json_close(json);
}
