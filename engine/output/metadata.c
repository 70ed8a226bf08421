// Metadata: a small YAML file beside a trajectory that says what its numbers mean.
//
// The scene's text becomes a literal block where YAML keeps it unchanged, else a quoted string: text with carriage
// returns or other control characters, with bytes that are not UTF-8 (which become U+FFFD), or of white space only.
#include "engine/output/metadata.h"

#include "engine/simulation/sim.h"
#include "topology/base/text.h"
#include "topology/base/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_words[] = "version: ";

// ---------------------------------------------------------------------------------------------------------------------
// Text in YAML
// ---------------------------------------------------------------------------------------------------------------------

static bool fits_block(const char *text)
{
  bool has_ink = false;
  for (const char *at = text; *at != '\0';) {
    long c;
    at = srs_next_character(at, &c);
    if ((c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0)) return false;
    if (c == 0x2028 || c == 0x2029 || c == 0xfeff || c == 0xfffe || c == 0xffff) return false;
    has_ink = has_ink || (c > ' ');
  }
  return has_ink;
}

static void put_quoted(FILE *out, const char *text)
{
  putc('"', out);
  while (*text != '\0') {
    const char *start = text;
    long c;
    text = srs_next_character(text, &c);
    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", (char)c);
    else if (c == '\n')
      fputs("\\n", out);
    else if (c >= 0 && c < 0x20)
      fprintf(out, "\\x%02lx", (unsigned long)c);
    else if (c < 0)
      fputs("\\uFFFD", out);
    else if ((c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || (c >= 0xfffe && c <= 0xffff) || c == 0xfeff)
      fprintf(out, "\\u%04lx", (unsigned long)c);
    else
      fwrite(start, 1, (size_t)(text - start), out);
  }
  putc('"', out);
}

static void put_text(FILE *out, const char *text)
{
  if (!fits_block(text)) {
    put_quoted(out, text);
    putc('\n', out);
    return;
  }
  const size_t length = strlen(text);
  const bool ends_line = text[length - 1] == '\n', ends_blank = ends_line && length > 1 && text[length - 2] == '\n';
  // The number is the indentation, needed where the first line begins with a space; the sign says what becomes of the
  // last line's end.
  fprintf(out, "|2%s\n", ends_blank ? "+" : ends_line ? "" : "-");
  while (*text != '\0') {
    const char *end = strchr(text, '\n');
    const size_t n = end != NULL ? (size_t)(end - text) : strlen(text);
    if (n > 0) fputs("  ", out);
    fwrite(text, 1, n, out);
    putc('\n', out);
    text += n + (end != NULL);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The file
// ---------------------------------------------------------------------------------------------------------------------

static void put_number(FILE *out, double value)
{
  char text[32];
  srs_format_number(value, text);
  fputs(text, out);
}

static void put_entry(FILE *out, const char *key, double value)
{
  fprintf(out, "  %s: ", key);
  put_number(out, value);
  putc('\n', out);
}

static void put_contact(FILE *out, srs_sim *sim)
{
  const srs_sim_options *options = srs_sim_get_options(sim);
  const srs_contact_settings *o = &options->contact;
  fprintf(out, "tolerance: ");
  put_number(out, o->solver.tolerance);
  fprintf(out, "\nmax_iterations: %d\n", o->solver.max_iterations);
  if (srs_contact_method_has_polyhedron(o->solver.method)) {
    fprintf(out, "directions: %d\nalignment: %s\n", o->solver.n_directions, srs_alignment_name(o->alignment));
    fprintf(out, "direction_angle: ");
    put_number(out, o->solver.direction_angle);
    fprintf(out, "\npenalty_weight: ");
    put_number(out, o->solver.penalty_weight);
    putc('\n', out);
  }
  fprintf(out, "contact:\n");
  put_entry(out, "friction", o->friction);
  put_entry(out, "restitution", o->restitution);
  put_entry(out, "torsional", o->torsional);
  put_entry(out, "rolling", o->rolling);
  fprintf(out, "  friction_rule: %s\n  restitution_rule: %s\n", srs_combination_name(o->friction_rule),
          srs_combination_name(o->restitution_rule));
  fprintf(out, "  impact: %s\n", srs_impact_law_name(o->impact));
  put_entry(out, "impact_threshold", srs_impact_threshold(options));
  fprintf(out, "  activation: %s\n", srs_activation_name(o->activation));
  put_entry(out, "distance", o->distance);
  fprintf(out, "  normal: %s\n", srs_normal_law_name(o->normal));
  put_entry(out, "error_reduction", o->error_reduction);
  put_entry(out, "max_depenetration_velocity", o->max_depenetration_velocity);
  fprintf(out, "  projection: %s\n", o->projection ? "true" : "false");
  fprintf(out, "  corners: %s\n", srs_corners_name(o->corners));
  put_entry(out, "corner_cap", o->corner_cap);
  fprintf(out, "  capacity: %d\n", o->capacity);
}

static void put_metadata(FILE *out, srs_sim *sim, const srs_trajectory_options *options,
                         const srs_column_choice *columns)
{
  const srs_sim_options *settings = srs_sim_get_options(sim);
  fprintf(out, "%s%s\n", first_words, srs_version());
  if (options->scene_file != NULL) {
    fputs("scene_file: ", out);
    put_quoted(out, options->scene_file);
    putc('\n', out);
  }
  fprintf(out, "integrator: %s\n", srs_integrator_name(settings->integrator));
  if (srs_sim_chooses_velocity_terms(sim))
    fprintf(out, "velocity_terms: %s\n", srs_velocity_terms_name(settings->velocity_terms));
  fprintf(out, "solver: %s\ndt: ", srs_sim_solver_name(sim));
  put_number(out, settings->dt);
  fputs("\ngravity: [", out);
  for (int i = 0; i < 3; i++) {
    if (i > 0) fputs(", ", out);
    put_number(out, settings->gravity[i]);
  }
  fputs("]\n", out);
  if (srs_sim_collider(sim) != NULL) put_contact(out, sim);
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++) {
    const srs_column_source *source = &srs_column_sources[i];
    if (source->note == NULL || !columns->is_on[i]) continue;
    fprintf(out, "%s: ", source->note_key);
    put_quoted(out, source->note);
    putc('\n', out);
  }
  fputs("columns:\n", out);
  for (int i = 0; i < columns->n; i++) {
    fputs("  - {name: ", out);
    put_quoted(out, columns->names[i]);
    fprintf(out, ", unit: \"%s\"", columns->units[i]);
    if (columns->axes[i][0] != '\0') {
      fputs(", axes: ", out);
      put_quoted(out, columns->axes[i]);
    }
    fputs("}\n", out);
  }
  if (options->scene_text == NULL) return;
  fputs("scene: ", out);
  put_text(out, options->scene_text);
}

// The first characters of the next line.
static void next_line(FILE *file, char begin[16])
{
  int n = 0;
  for (int c = getc(file); c != EOF && c != '\n'; c = getc(file))
    if (n < 15) begin[n++] = (char)c;
  begin[n] = '\0';
}

static bool begins(const char *text, const char *words) { return strncmp(text, words, strlen(words)) == 0; }

// Whether a file starts with the keys that metadata starts with. A file without a byte holds nothing that could be
// lost.
static bool is_metadata(FILE *file)
{
  char begin[16];
  const int first = getc(file);
  if (first == EOF) return true;
  (void)ungetc(first, file);
  next_line(file, begin);
  const char *version = begin + strlen(first_words);
  if (!begins(begin, first_words) || *version < '0' || *version > '9') return false;
  next_line(file, begin);
  if (begins(begin, "scene_file: \"")) next_line(file, begin);
  return begins(begin, "integrator: ");
}

// Of what else lies there nothing is replaced, nor what cannot be looked at.
static srs_status spare_others(const char *path, srs_error *error)
{
  FILE *file = fopen(path, "rbe");
  if (file == NULL && errno == ENOMEM)
    return srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){path, 0, 0}, "", "no memory left to look at the file");
  if (file == NULL && errno != ENOENT)
    return srs_fail_at(error, SRS_ERROR_FILE, (srs_place){path, 0, 0}, "",
                       "cannot be looked at and is not replaced: %s", strerror(errno));
  if (file == NULL) return SRS_OK;
  const bool is_ours = is_metadata(file);
  (void)fclose(file);
  if (is_ours) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_FILE, (srs_place){path, 0, 0}, "",
                     "is there and describes no run, and would be replaced; give the output another name");
}

static bool make_text(srs_sim *sim, const srs_trajectory_options *options, const srs_column_choice *columns,
                      char **text, size_t *length)
{
  *text = NULL;
  FILE *memory = open_memstream(text, length);
  bool is_good = memory != NULL;
  if (is_good) {
    put_metadata(memory, sim, options, columns);
    is_good = ferror(memory) == 0;
    is_good = fclose(memory) == 0 && is_good;
  }
  if (is_good) return true;
  free(*text);
  *text = NULL;
  return false;
}

bool srs_metadata_text(srs_sim *sim, const srs_trajectory_options *options, const srs_column_choice *columns,
                       char **text)
{
  size_t length = 0;
  return make_text(sim, options, columns, text, &length);
}

srs_status srs_metadata_write(const char *path, srs_sim *sim, const srs_trajectory_options *options,
                              const srs_column_choice *columns, srs_error *error)
{
  char *text = NULL;
  size_t length = 0;
  const srs_status others = spare_others(path, error);
  if (others != SRS_OK) return others;
  const srs_status status =
      make_text(sim, options, columns, &text, &length)
          ? srs_write_whole_file(path, text, length, SRS_EXISTING_IS_REPLACED, error)
          : srs_fail_at(error, SRS_ERROR_MEMORY, (srs_place){path, 0, 0}, "", "no memory left to write the file");
  free(text);
  return status;
}
