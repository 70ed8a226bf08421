// Which reader takes a robot file? That of its ending, in the table below. A reader makes builder calls, as urdf.c
// does.

#include "topology/files/robot_file.h"
#include "topology/base/errors.h"
#include "topology/base/text.h"
#include "topology/builder/builder.h"

static const struct {
  const char *ending;
  srs_status (*read)(srs_builder *builder, const char *path, const srs_load_options *options, srs_error *error);
} formats[] = {
    {".urdf", srs_builder_add_urdf},
    {".xml", srs_builder_add_urdf},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

static int format_of(const char *path)
{
  for (int i = 0; path != NULL && i < FORMATS; i++)
    if (srs_has_ending(path, formats[i].ending)) return i;
  return -1;
}

bool srs_is_robot_file(const char *path) { return format_of(path) >= 0; }

srs_status srs_builder_add_robot_file(srs_builder *builder, const char *path, const srs_load_options *options,
                                      srs_error *error)
{
  const int format = format_of(path);
  if (builder == NULL || options == NULL) return formats[format >= 0 ? format : 0].read(builder, path, options, error);
  const srs_builder_mark mark = srs_builder_take_mark(builder);
  srs_status status = formats[format >= 0 ? format : 0].read(builder, path, options, error);
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
