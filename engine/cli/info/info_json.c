// The JSON of `sarrus info --json`: links in tree order, each with the joint that carries it; frames by name with their
// link (null: the world); null for absent limits.
#include "engine/cli/info/info_json.h"

#include "engine/cli/info/sensors.h"
#include "engine/cli/shared/json.h"
#include "engine/cli/shared/loading.h"

static const char *link_name(const srs_model *model, int link)
{
  return link >= 0 ? srs_model_link(model, link)->name : NULL;
}

static void write_name(srs_json *json, const char *key, const char *name)
{
  if (name != NULL)
    srs_json_text(json, key, name);
  else
    srs_json_null(json, key);
}

static void write_coordinates(srs_json *json, const srs_model *model, const srs_joint *joint)
{
  srs_json_array(json, "q_names");
  for (int i = 0; i < joint->nq; i++) srs_json_text(json, NULL, srs_model_q_name(model, joint->q_index + i));
  srs_json_close(json);
  srs_json_array(json, "v_names");
  for (int i = 0; i < joint->nv; i++) srs_json_text(json, NULL, srs_model_v_name(model, joint->v_index + i));
  srs_json_close(json);
  srs_json_numbers(json, "lower", srs_model_lower(model) + joint->v_index, joint->nv);
  srs_json_numbers(json, "upper", srs_model_upper(model) + joint->v_index, joint->nv);
  srs_json_numbers(json, "max_effort", srs_model_max_effort(model) + joint->v_index, joint->nv);
  srs_json_numbers(json, "max_velocity", srs_model_max_velocity(model) + joint->v_index, joint->nv);
  srs_json_numbers(json, "armature", srs_model_armature(model) + joint->v_index, joint->nv);
  srs_json_numbers(json, "damping", srs_model_damping(model) + joint->v_index, joint->nv);
  srs_json_numbers(json, "stiffness", srs_model_stiffness(model) + joint->v_index, joint->nv);
  srs_json_numbers(json, "friction", srs_model_friction(model) + joint->v_index, joint->nv);
}

static void write_pose(srs_json *json, const char *key, const srs_pose *pose)
{
  double quaternion[4];
  srs_quaternion_from_rotation(pose->rotation, quaternion);
  srs_json_object(json, key);
  srs_json_numbers(json, "position", pose->position, 3);
  srs_json_numbers(json, "quaternion_wxyz", quaternion, 4);
  srs_json_close(json);
}

static void write_link(srs_json *json, const srs_model *model, int k)
{
  const srs_link *link = srs_model_link(model, k);
  const srs_joint *joint = srs_model_joint(model, k);
  srs_json_object(json, NULL);
  srs_json_text(json, "name", link->name);
  write_name(json, "parent", link_name(model, link->parent));
  srs_json_number(json, "mass", link->mass);
  srs_json_numbers(json, "com", link->com, 3);
  srs_json_numbers(json, "inertia", link->inertia, 6);
  srs_json_object(json, "joint");
  srs_json_text(json, "name", joint->name);
  srs_json_text(json, "kind", srs_joint_kind_name(joint->kind));
  write_pose(json, "origin", &joint->origin);
  srs_json_numbers(json, "axis", joint->axis, 3);
  if (joint->kind == SRS_JOINT_UNIVERSAL) srs_json_numbers(json, "axis2", joint->axis2, 3);
  if (joint->kind == SRS_JOINT_HELICAL) srs_json_number(json, "pitch", joint->pitch);
  write_coordinates(json, model, joint);
  srs_json_close(json);
  srs_json_close(json);
}

static void write_frames(srs_json *json, const srs_model *model)
{
  srs_json_array(json, "frames");
  for (int i = 0; i < srs_model_n_frames(model); i++) {
    const srs_frame *frame = srs_model_frame(model, i);
    srs_json_object(json, NULL);
    srs_json_text(json, "name", frame->name);
    write_name(json, "link", link_name(model, frame->link));
    write_pose(json, "pose", &frame->pose);
    srs_json_close(json);
  }
  srs_json_close(json);
}

static void write_overlaps(srs_json *json, const srs_model *model, const srs_shape_overlaps *shapes)
{
  if (shapes->n_pairs >= 0)
    srs_json_integer(json, "n_pairs", shapes->n_pairs);
  else
    srs_json_null(json, "n_pairs");
  srs_json_array(json, "overlaps");
  for (int i = 0; i < shapes->n_overlaps; i++) {
    const srs_overlap *overlap = &shapes->overlaps[i];
    char title[160];
    srs_json_object(json, NULL);
    srs_json_array(json, "shapes");
    srs_json_text(json, NULL, srs_shape_label(model, overlap->shape_a, title));
    srs_json_text(json, NULL, srs_shape_label(model, overlap->shape_b, title));
    srs_json_close(json);
    srs_json_number(json, "depth", overlap->depth);
    srs_json_text(json, "filter", srs_overlap_filter(overlap));
    srs_json_close(json);
  }
  srs_json_close(json);
  write_name(json, "collision_problem", shapes->problem[0] != '\0' ? shapes->problem : NULL);
}

static void write_values(srs_json *json, double friction, double restitution, double torsional, double rolling)
{
  srs_json_number(json, "friction", friction); // null: none of its own
  srs_json_number(json, "restitution", restitution);
  srs_json_number(json, "torsional", torsional);
  srs_json_number(json, "rolling", rolling);
  srs_json_close(json);
}

static void write_anisotropy(srs_json *json, const srs_material *m)
{
  if (m->direction[0] == 0 && m->direction[1] == 0 && m->direction[2] == 0) {
    srs_json_null(json, "anisotropy");
    return;
  }
  srs_json_object(json, "anisotropy");
  srs_json_numbers(json, "direction", m->direction, 3);
  srs_json_number(json, "along", m->along);
  srs_json_number(json, "across", m->across);
  srs_json_close(json);
}

static void write_contact(srs_json *json, const srs_sim_options *options)
{
  const srs_contact_settings *c = &options->contact;
  if (!c->enabled) {
    srs_json_null(json, "contact");
    return;
  }
  srs_json_object(json, "contact");
  srs_json_text(json, "activation", srs_activation_name(c->activation));
  srs_json_number(json, "distance", c->distance);
  srs_json_text(json, "normal", srs_normal_law_name(c->normal));
  srs_json_number(json, "error_reduction", c->error_reduction);
  srs_json_number(json, "max_depenetration_velocity", c->max_depenetration_velocity);
  srs_json_text(json, "penetration", c->projection ? "positions" : "velocities");
  srs_json_text(json, "corners", srs_corners_name(c->corners));
  srs_json_text(json, "impact", srs_impact_law_name(c->impact));
  srs_json_number(json, "impact_threshold", srs_impact_threshold(options));
  srs_json_number(json, "friction", c->friction);
  srs_json_number(json, "restitution", c->restitution);
  srs_json_number(json, "torsional", c->torsional);
  srs_json_number(json, "rolling", c->rolling);
  srs_json_text(json, "friction_rule", srs_combination_name(c->friction_rule));
  srs_json_text(json, "restitution_rule", srs_combination_name(c->restitution_rule));
  srs_json_array(json, "materials");
  for (int i = 0; i < c->n_materials; i++) {
    srs_json_object(json, NULL);
    srs_json_text(json, "name", c->materials[i].name);
    write_anisotropy(json, &c->materials[i]);
    write_values(json, c->materials[i].friction, c->materials[i].restitution, c->materials[i].torsional,
                 c->materials[i].rolling);
  }
  srs_json_close(json);
  srs_json_array(json, "pairs");
  for (int i = 0; i < c->n_pairs; i++) {
    srs_json_object(json, NULL);
    srs_json_array(json, "between");
    srs_json_text(json, NULL, c->pairs[i].a);
    srs_json_text(json, NULL, c->pairs[i].b);
    srs_json_close(json);
    write_values(json, c->pairs[i].friction, c->pairs[i].restitution, c->pairs[i].torsional, c->pairs[i].rolling);
  }
  srs_json_close(json);
  srs_json_close(json);
}

static void write_loops(srs_json *json, const srs_model *model, const srs_loops *loops)
{
  srs_json_integer(json, "joints", srs_loops_joints(model));
  srs_json_integer(json, "independent_dof", srs_model_nv(model) - loops->rank);
  srs_json_array(json, "loops");
  for (int i = 0; i < loops->n; i++) {
    const srs_closure *closure = srs_model_closure(model, i);
    srs_json_object(json, NULL);
    srs_json_text(json, "name", srs_model_loop_name(model, i));
    srs_json_text(json, "kind", closure != NULL ? srs_closure_kind_name(closure->kind) : "coupling");
    srs_json_integer(json, "rows", srs_model_loop_rows(model, i));
    srs_json_integer(json, "rank", loops->ranks[i]);
    srs_json_number(json, "gap", loops->gaps[i]);
    srs_json_close(json);
  }
  srs_json_close(json);
  write_name(json, "assembly_problem", loops->is_closed ? NULL : loops->problem);
}

void srs_info_json(const char *path, const srs_scene *scene, const srs_shape_overlaps *shapes, const srs_loops *loops,
                   const srs_start_warnings *start)
{
  const srs_model *model = srs_scene_model(scene);
  srs_json json = {.file = stdout};
  srs_json_object(&json, NULL);
  srs_json_text(&json, "file", path);
  srs_json_text(&json, "base", srs_loading_base(model));
  srs_json_integer(&json, "dof", srs_model_nv(model));
  srs_json_integer(&json, "nq", srs_model_nq(model));
  srs_json_integer(&json, "nv", srs_model_nv(model));
  srs_json_integer(&json, "n_links", srs_model_n_links(model));
  srs_json_integer(&json, "n_frames", srs_model_n_frames(model));
  srs_json_integer(&json, "n_shapes", srs_model_n_shapes(model));
  srs_json_number(&json, "mass", srs_model_mass(model));
  srs_json_array(&json, "links");
  for (int k = 0; k < srs_model_n_links(model); k++) write_link(&json, model, k);
  srs_json_close(&json);
  write_frames(&json, model);
  write_loops(&json, model, loops);
  write_overlaps(&json, model, shapes);
  write_contact(&json, &srs_scene_get_settings(scene)->sim);
  srs_info_sensors_json(&json, scene);
  srs_json_array(&json, "warnings");
  for (int i = 0; i < srs_model_n_warnings(model); i++) srs_json_text(&json, NULL, srs_model_warning(model, i));
  for (int i = 0; i < start->n; i++) srs_json_text(&json, NULL, start->texts[i]);
  srs_json_close(&json);
  srs_json_close(&json);
}
