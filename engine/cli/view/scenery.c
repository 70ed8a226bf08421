// What is there to see of a model? Each shape with its body and its pose there, as a solid with a name or as triangles.

#include "engine/cli/view/scenery.h"

#include "engine/cli/view/solids.h"
#include "engine/cli/view/sticks.h"
#include "engine/cli/view/triangles.h"

static void put_vector(srs_json *json, const char *key, const double v[3]) { srs_json_numbers(json, key, v, 3); }

static void put_quaternion(srs_json *json, const char *key, const double rotation[9])
{
  double q[4];
  srs_quaternion_from_rotation(rotation, q);
  const double xyzw[4] = {q[1], q[2], q[3], q[0]};
  srs_json_numbers(json, key, xyzw, 4);
}

// ---------------------------------------------------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------------------------------------------------

static bool is_solid_of_triangles(srs_shape_kind kind)
{
  return kind == SRS_SHAPE_MESH || kind == SRS_SHAPE_HULL || kind == SRS_SHAPE_POLYGON ||
         kind == SRS_SHAPE_HEIGHTFIELD || kind == SRS_SHAPE_TERRAIN || kind == SRS_SHAPE_SURFACE;
}

static bool put_shape(srs_json *json, const srs_model *model, const srs_shape *shape, int *n_missing,
                      srs_error *missing)
{
  srs_triangles t = {0};
  const bool is_good = srs_triangles_of(&t, shape, n_missing, missing);
  if (is_good && (t.n_triangles > 0 || !is_solid_of_triangles(shape->kind))) {
    const srs_frame *frame = shape->frame >= 0 ? srs_model_frame(model, shape->frame) : NULL;
    const srs_pose pose = frame != NULL ? srs_solid_compose(&frame->pose, &shape->pose) : shape->pose;
    srs_json_object(json, NULL);
    srs_json_text(json, "name", shape->label);
    srs_json_text(json, "kind", t.n_triangles > 0 ? "triangles" : srs_shape_kind_name(shape->kind));
    srs_json_integer(json, "body", frame != NULL ? frame->link : -1);
    put_vector(json, "position", pose.position);
    put_quaternion(json, "rotation", pose.rotation);
    put_vector(json, "size", shape->size);
    if (shape->kind == SRS_SHAPE_SUPERELLIPSOID) srs_json_numbers(json, "exponent", shape->exponent, 2);
    srs_json_integer(json, "visual", shape->is_visual);
    if (t.n_triangles > 0) {
      srs_json_bytes(json, "points", t.points, 3 * (size_t)t.n_points * sizeof *t.points);
      srs_json_bytes(json, "triangles", t.corners, 3 * (size_t)t.n_triangles * sizeof *t.corners);
    }
    srs_json_close(json);
  }
  srs_triangles_free(&t);
  return is_good;
}

static void put_bodies(srs_json *json, const srs_model *model)
{
  srs_json_array(json, "bodies");
  for (int i = 0; i < srs_model_n_links(model); i++) {
    const srs_link *link = srs_model_link(model, i);
    srs_json_object(json, NULL);
    srs_json_text(json, "name", link->name);
    srs_json_integer(json, "parent", link->parent);
    srs_json_number(json, "mass", link->mass);
    put_vector(json, "com", link->com);
    srs_json_close(json);
  }
  srs_json_close(json);
}

// A joint's place is seen from the body that carries it.
static void put_joints(srs_json *json, const srs_model *model)
{
  srs_json_array(json, "joints");
  for (int i = 0; i < srs_model_n_links(model); i++) {
    const srs_joint *joint = srs_model_joint(model, i);
    srs_json_object(json, NULL);
    srs_json_text(json, "name", joint->name);
    srs_json_text(json, "kind", srs_joint_kind_name(joint->kind));
    put_vector(json, "position", joint->origin.position);
    srs_json_close(json);
  }
  srs_json_close(json);
}

static void put_closures(srs_json *json, const srs_model *model)
{
  srs_json_array(json, "closures");
  for (int i = 0; i < srs_model_n_closures(model); i++) {
    const srs_closure *closure = srs_model_closure(model, i);
    const double bodies[2] = {closure->link[0], closure->link[1]};
    srs_json_object(json, NULL);
    srs_json_text(json, "name", closure->name);
    srs_json_integer(json, "rod", closure->kind == SRS_CLOSURE_ROD);
    srs_json_numbers(json, "bodies", bodies, 2);
    put_vector(json, "a", closure->pose[0].position);
    put_vector(json, "b", closure->pose[1].position);
    srs_json_close(json);
  }
  srs_json_close(json);
}

static void put_frames(srs_json *json, const srs_model *model)
{
  srs_json_array(json, "frames");
  for (int i = 0; i < srs_model_n_frames(model); i++) {
    const srs_frame *frame = srs_model_frame(model, i);
    srs_json_object(json, NULL);
    srs_json_text(json, "name", frame->name);
    srs_json_integer(json, "body", frame->link);
    put_vector(json, "position", frame->pose.position);
    put_quaternion(json, "rotation", frame->pose.rotation);
    srs_json_close(json);
  }
  srs_json_close(json);
}

static bool put_sticks(srs_json *json, const srs_model *model)
{
  srs_sticks sticks;
  const bool is_good = srs_sticks_make(model, &sticks);
  srs_json_array(json, "sticks");
  for (int i = 0; i < sticks.n_sticks && is_good; i++) {
    srs_json_object(json, NULL);
    srs_json_integer(json, "body", sticks.sticks[i].body);
    put_vector(json, "from", sticks.sticks[i].from);
    put_vector(json, "to", sticks.sticks[i].to);
    srs_json_close(json);
  }
  srs_json_close(json);
  srs_json_array(json, "knobs");
  for (int i = 0; i < sticks.n_knobs && is_good; i++) {
    srs_json_object(json, NULL);
    srs_json_integer(json, "body", sticks.knobs[i].body);
    put_vector(json, "at", sticks.knobs[i].at);
    srs_json_integer(json, "pivot", sticks.knobs[i].is_pivot);
    srs_json_close(json);
  }
  srs_json_close(json);
  srs_sticks_free(&sticks);
  return is_good;
}

srs_status srs_scenery_write(srs_json *json, const srs_model *model, int *n_missing, srs_error *missing)
{
  bool is_good = true;
  *n_missing = 0;
  put_bodies(json, model);
  srs_json_array(json, "shapes");
  for (int i = 0; i < srs_model_n_shapes(model) && is_good; i++)
    is_good = put_shape(json, model, srs_model_shape(model, i), n_missing, missing);
  srs_json_close(json);
  put_joints(json, model);
  put_closures(json, model);
  is_good = put_sticks(json, model) && is_good;
  put_frames(json, model);
  return is_good ? SRS_OK : SRS_ERROR_MEMORY;
}
