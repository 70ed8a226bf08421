// Which files may output write over?
#include "engine/output/output_files.h"

#include "topology/base/errors.h"
#include "topology/base/whole_file.h"
#include "topology/builder/source.h"

// The file that will be written may not be this one.
static srs_status spare(const char *written, const char *input, const char *what, srs_error *error)
{
  if (!srs_is_same_file(written, input)) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_ARGUMENT, (srs_place){written, 0, 0}, "", "is %s, give the output another name",
                     what);
}

srs_status srs_spare_inputs(const char *written, const srs_model *model, const srs_trajectory_options *options,
                            srs_error *error)
{
  srs_status status = spare(written, options->scene_file, "the scene itself", error);
  if (status == SRS_OK) status = spare(written, options->input_file, "the run's input", error);
  const char *const *robot = options->robot_files;
  for (; status == SRS_OK && robot != NULL && *robot != NULL; robot++)
    status = spare(written, *robot, "a robot of the scene", error);
  for (int i = 0; status == SRS_OK && i < srs_model_n_shapes(model); i++) {
    const char *mesh = srs_model_shape(model, i)->file;
    if (mesh[0] != '\0') status = spare(written, mesh, "a mesh of the model", error);
  }
  const srs_read_file *file = srs_source_of(model)->read.first;
  for (; status == SRS_OK && file != NULL; file = file->next)
    status = spare(written, file->path, "a file that the model was read from", error);
  return status;
}

bool srs_is_hdf5(const char *path) { return srs_has_ending(path, ".h5") || srs_has_ending(path, ".hdf5"); }
