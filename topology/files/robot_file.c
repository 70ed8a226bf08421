// Which reader takes a robot file? That of its root element, in the table below. A reader makes builder calls, as
// urdf.c and mjcf.c do.

#include "topology/files/robot_file.h"
#include "topology/base/text.h"
#include "topology/builder/builder.h"
#include "topology/mjcf/mjcf.h"
#include "topology/urdf/urdf.h"
#include "topology/xml/loader.h"

#include <string.h>

static const char *const endings[] = {".urdf", ".xml", ".mjcf", ".sdf"}; // the last one to be refused by its name

static const struct {
  const char *root;
  srs_xml_vocabulary *read;
} vocabularies[] = {
    {"robot", srs_urdf_add},
    {"mujoco", srs_mjcf_add},
};

bool srs_is_robot_file(const char *path)
{
  for (size_t i = 0; path != NULL && i < sizeof endings / sizeof *endings; i++)
    if (srs_has_ending(path, endings[i])) return true;
  return false;
}

static srs_status read_by_root(srs_builder *builder, srs_xml *document, const srs_load_options *options,
                               srs_error *error)
{
  if (options->key != NULL && strcmp(document->root->name, "robot") == 0)
    return srs_fail_at(error, SRS_ERROR_ARGUMENT, srs_xml_place(document->root), options->key,
                       "a URDF file has no named states; leave the key '%.60s' out", options->key);
  for (size_t i = 0; i < sizeof vocabularies / sizeof *vocabularies; i++)
    if (strcmp(document->root->name, vocabularies[i].root) == 0)
      return vocabularies[i].read(builder, document, options, error);
  if (strcmp(document->root->name, "sdf") == 0)
    return srs_fail_at(
        error, SRS_ERROR_UNSUPPORTED, srs_xml_place(document->root), NULL,
        "is an SDF file (its root element is <sdf>), which is not read: give the URDF that it comes from");
  return srs_fail_at(error, SRS_ERROR_SYNTAX, srs_xml_place(document->root), NULL,
                     "is no robot file: the root element is <%.60s>, expected <robot> (URDF) or <mujoco> (MJCF)",
                     document->root->name);
}

srs_status srs_builder_add_robot_file(srs_builder *builder, const char *path, const srs_load_options *options,
                                      srs_error *error)
{
  if (builder == NULL || options == NULL) return srs_xml_load(builder, path, options, read_by_root, error);
  const srs_builder_mark mark = srs_builder_take_mark(builder);
  srs_status status = srs_xml_load(builder, path, options, read_by_root, error);
  if (status != SRS_OK) return status;
  srs_builder_set_robot(builder, mark.n_shapes, options->self_collision);
  if (options->srdf != NULL) status = srs_builder_add_srdf(builder, options->srdf, options->prefix, error);
  if (status != SRS_OK) srs_builder_roll_back(builder, mark);
  return status;
}

srs_status srs_model_load(const char *path, const srs_load_options *options, srs_model **model, srs_error *error)
{
  if (model == NULL) return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "model is NULL");
  *model = NULL;
  srs_builder *builder = srs_builder_create();
  if (builder == NULL) return srs_fail(error, SRS_ERROR_MEMORY, path, 0, 0, NULL, "out of memory");
  srs_status status = srs_builder_add_robot_file(builder, path, options, error);
  if (status == SRS_OK) status = srs_builder_build(builder, options != NULL ? &options->build : NULL, model, error);
  srs_builder_destroy(builder);
  return status;
}
