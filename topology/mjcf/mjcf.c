// Reads an MJCF file into a builder.
//
// Included files are put in place first. Then sections become lists: settings and classes, assets, the tree of bodies.
// Then masses are found, since settings scale them all; then everything becomes builder calls. Last, what was not
// honoured is reported. All that is gathered lives in the memory of the main document.

#include "topology/mjcf/mjcf.h"
#include "topology/builder/builder.h"
#include "topology/mjcf/mjcf_actuators.h"
#include "topology/mjcf/mjcf_constraints.h"
#include "topology/mjcf/mjcf_geoms.h"
#include "topology/mjcf/mjcf_inertia.h"
#include "topology/mjcf/mjcf_joints.h"
#include "topology/mjcf/mjcf_options.h"
#include "topology/mjcf/mjcf_sensors.h"
#include "topology/mjcf/mjcf_tendons.h"
#include "topology/mjcf/mjcf_tree.h"
#include "topology/mjcf/mjcf_words.h"
#include "topology/mjcf_base/mjcf_assets.h"
#include "topology/mjcf_base/mjcf_pose.h"
#include "topology/mjcf_base/mjcf_settings.h"
#include "topology/xml/include.h"
#include "topology/xml/loader.h"

#include <string.h>

static srs_status check_kind_of_file(srs_mjcf *mjcf)
{
  const srs_xml_node *root = mjcf->document->root;
  if (mjcf->options->base == SRS_BASE_FLOATING)
    return srs_mjcf_fail(
        mjcf, SRS_ERROR_ARGUMENT, root, NULL,
        "an MJCF file says itself how its bodies hang on the world: leave out base: floating, and give "
        "the body a <freejoint/>");
  if (strcmp(root->name, "mujoco") == 0) return SRS_OK;
  return srs_mjcf_fail(mjcf, SRS_ERROR_SYNTAX, root, NULL,
                       "is not an MJCF file: the root element is <%.60s>, expected <mujoco>", root->name);
}

static srs_status add_sites(srs_mjcf *mjcf)
{
  srs_status status = SRS_OK;
  for (int i = 0; i < mjcf->n_sites && status == SRS_OK; i++) {
    const srs_mjcf_site *site = &mjcf->sites[i];
    if (site->name == NULL) continue;
    const char *name = srs_mjcf_prefixed(mjcf, site->name), *link = NULL;
    srs_pose pose = site->pose;
    if (site->body >= 0)
      link = srs_mjcf_prefixed(mjcf, mjcf->bodies[site->body].name);
    else
      pose = srs_mjcf_compose(&mjcf->options->placement, &site->pose);
    if (name == NULL || (site->body >= 0 && link == NULL)) return srs_mjcf_no_memory(mjcf);
    srs_mjcf_locate(mjcf, site->node);
    status = srs_builder_add_frame(mjcf->builder, name, link, &pose, mjcf->error);
  }
  return status;
}

static srs_status read_model(srs_mjcf *mjcf)
{
  srs_status status = srs_mjcf_read_compiler(mjcf);
  if (status == SRS_OK) status = srs_mjcf_read_classes(mjcf);
  if (status == SRS_OK) status = srs_mjcf_read_assets(mjcf);
  if (status == SRS_OK) status = srs_mjcf_read_tree(mjcf);
  if (status == SRS_OK) status = srs_mjcf_read_contact(mjcf);
  if (status == SRS_OK) status = srs_mjcf_find_masses(mjcf);
  if (status == SRS_OK) status = srs_mjcf_read_options(mjcf);
  if (status == SRS_OK) status = srs_mjcf_read_keys(mjcf);
  if (status == SRS_OK) status = srs_mjcf_read_tendons(mjcf);
  if (status == SRS_OK) status = srs_mjcf_read_actuators(mjcf);
  if (status == SRS_OK) status = srs_mjcf_add_bodies(mjcf);
  if (status == SRS_OK) status = srs_mjcf_add_geoms(mjcf);
  if (status == SRS_OK) status = add_sites(mjcf);
  if (status == SRS_OK) status = srs_mjcf_add_constraints(mjcf);
  if (status == SRS_OK) status = srs_mjcf_add_sensors(mjcf);
  if (status == SRS_OK) status = srs_mjcf_name_unread(mjcf);
  return status == SRS_OK ? srs_xml_report_hand_on(&mjcf->report, mjcf->builder) : status;
}

static srs_status read_document(srs_builder *builder, srs_xml *document, const srs_load_options *options,
                                srs_error *error)
{
  srs_mjcf mjcf = {
      .builder = builder, .document = document, .options = options, .error = error, .report = {.error = error}};
  static const char *const roots[] = {"mujoco", "mujocoinclude", NULL};
  srs_status status = check_kind_of_file(&mjcf);
  if (status == SRS_OK) status = srs_xml_include(document, roots, options->allow_outside, &builder->read, error);
  if (status == SRS_OK) status = read_model(&mjcf);
  srs_names_release(&mjcf.body_names);
  srs_names_release(&mjcf.joint_names);
  srs_names_release(&mjcf.geom_names);
  srs_names_release(&mjcf.site_names);
  srs_names_release(&mjcf.tendon_names);
  srs_names_release(&mjcf.frame_names);
  srs_xml_report_release(&mjcf.report);
  return status;
}

srs_status srs_mjcf_add(srs_builder *builder, srs_xml *document, const srs_load_options *options, srs_error *error)
{
  return srs_xml_load_document(builder, document, options, read_document, error);
}

srs_status srs_builder_add_mjcf(srs_builder *builder, const char *path, const srs_load_options *options,
                                srs_error *error)
{
  return srs_xml_load(builder, path, options, read_document, error);
}
