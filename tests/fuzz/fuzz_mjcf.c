// Any bytes given to the MJCF reader end in a model or in a message, never in both, in a crash or in a leak. Includes
// lead nowhere: the document names a folder that is not there.
#include "fuzz/fuzz.h"
#include "topology/mjcf/mjcf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  srs_error error;
  memset(&error, 0, sizeof error);
  srs_xml *document = NULL;
  srs_model *model = NULL;
  srs_builder *builder = srs_builder_create();
  if (builder == NULL) return 0;
  srs_load_options options = srs_default_load_options();
  if (size % 3 == 0) options.prefix = "p/";
  if (size % 5 == 0) options.key = "home";
  srs_status status = srs_xml_parse("no/such/fuzz.xml", (const char *)data, size, &document, &error);
  fuzz_demand((status == SRS_OK) == (document != NULL), "a document or a message");
  if (status == SRS_OK) status = srs_mjcf_add(builder, document, &options, &error);
  if (status == SRS_OK) status = srs_builder_build(builder, NULL, &model, &error);
  fuzz_demand((status == SRS_OK) == (model != NULL), "a model or a message");
  fuzz_judge(status, &error);
  fuzz_demand(status != SRS_ERROR_MEMORY, "inputs are small");
  srs_model_destroy(model);
  srs_builder_destroy(builder);
  srs_xml_destroy(document);
  return 0;
}
