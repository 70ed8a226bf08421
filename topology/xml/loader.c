// Loads an XML robot file, whatever its vocabulary.
//
// Arguments and options are checked, the file is parsed as a whole, then a vocabulary's reader makes builder calls; the
// builder is rolled back when anything fails.

#include "topology/xml/loader.h"
#include "topology/builder/builder.h"
#include "topology/checks/check.h"
#include "topology/xml/inventory.h"

#include <string.h>

srs_load_options srs_default_load_options(void)
{
  return (srs_load_options){.base = SRS_BASE_FIXED,
                            .placement = srs_identity_pose(),
                            .self_collision = SRS_SELF_COLLISION_AUTO,
                            .build = srs_default_build_options()};
}

static srs_status check_options(const srs_load_options *options, srs_error *error)
{
  if (options->base != SRS_BASE_FIXED && options->base != SRS_BASE_FLOATING)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL,
                    "base is neither SRS_BASE_FIXED nor SRS_BASE_FLOATING");
  srs_pose placement = options->placement;
  const srs_status status = srs_check_pose(&placement, "option", "placement", (srs_place){NULL, 0, 0}, error);
  if (status != SRS_OK) return status;
  if (!(options->density >= 0 && options->density < 1e9))
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, "density",
                    "a density of %g kg/m^3 is none; expected a number above 0, or 0 for no masses from shapes",
                    options->density);
  for (const char *const *entry = options->packages; entry != NULL && *entry != NULL; entry++) {
    const char *equals = strchr(*entry, '=');
    if (equals == NULL || equals == *entry || equals[1] == '\0')
      return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, *entry,
                      "package '%.100s' is not of the form name=directory", *entry);
  }
  return SRS_OK;
}

srs_status srs_xml_load_document(srs_builder *builder, srs_xml *document, const srs_load_options *options,
                                 srs_xml_vocabulary *read, srs_error *error)
{
  const srs_builder_mark mark = srs_builder_take_mark(builder);
  const srs_status status = read(builder, document, options, error);
  if (status != SRS_OK) {
    srs_builder_roll_back(builder, mark);
  } else {
    srs_builder_set_robot(builder, mark.n_shapes, options->self_collision);
    srs_builder_set_location(builder, NULL, 0, 0);
  }
  return status;
}

srs_status srs_xml_load(srs_builder *builder, const char *path, const srs_load_options *options,
                        srs_xml_vocabulary *read, srs_error *error)
{
  if (builder == NULL || path == NULL)
    return srs_fail(error, SRS_ERROR_ARGUMENT, NULL, 0, 0, NULL, "%s is NULL", builder == NULL ? "builder" : "path");
  const srs_load_options standard = srs_default_load_options();
  if (options == NULL) options = &standard;
  srs_status status = check_options(options, error);
  if (status != SRS_OK) return status;
  srs_xml *document = NULL;
  status = srs_xml_read(path, &builder->read, &document, error);
  if (status != SRS_OK) return status;
  status = srs_xml_load_document(builder, document, options, read, error);
  if (options->visit != NULL) srs_xml_visit_items(document, options->visit, options->visit_context);
  srs_xml_destroy(document);
  return status;
}
