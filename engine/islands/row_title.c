// Names of scalar rows in messages, such as "upper limit of 'elbow'".

#include "engine/islands/row_title.h"
#include "topology/base/errors.h"

const char *srs_row_source_name(srs_row_source source)
{
  static const char *const names[SRS_ROW_SOURCES] = {"loop",         "lower limit", "upper limit",
                                                     "dry friction", "actuator",    "spring and damper"};
  return (int)source >= 0 && (int)source < SRS_ROW_SOURCES ? names[source] : "";
}

const char *srs_scalar_owner(const srs_model *m, const scalar_row *scalar)
{
  return scalar->subject == SRS_ROW_OF_LOOP ? srs_model_loop_name(m, scalar->index) : m->v_names[scalar->index];
}

const char *srs_scalar_title(const srs_model *m, const scalar_row *scalar, char text[96])
{
  srs_print(text, 96, "%s of '%.60s'", srs_row_source_name(scalar->source), srs_scalar_owner(m, scalar));
  return text;
}
