// The generated header: what there is, in which order and units, and what a call costs.
#include "engine/generate/plan.h"

#include <ctype.h>
#include <string.h>

// A name for a comment: no backslash or question mark, which may continue a line or stand for other characters.
static void write_comment_name(srs_save *text, const char *name)
{
  for (const char *c = name; *c != '\0'; c++) {
    const bool is_odd = (unsigned char)*c < ' ' || *c == '\\' || *c == '?' || *c == 127;
    srs_save_print(text, "%c", is_odd ? '_' : *c);
  }
}

// The part of an identifier that a name gives: letters and digits, all else becomes _.
static const char *identifier_of(srs_arena *arena, const char *name)
{
  char *copy = srs_arena_copy(arena, name);
  for (char *c = copy; c != NULL && *c != '\0'; c++)
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9'))) *c = '_';
  return copy;
}

typedef const char *(*name_getter)(const srs_plan *plan, int i);

static const char *q_name(const srs_plan *plan, int i) { return srs_model_q_name(plan->model, i); }
static const char *v_name(const srs_plan *plan, int i) { return srs_model_v_name(plan->model, i); }
static const char *frame_name(const srs_plan *plan, int i)
{
  return srs_model_frame(plan->model, plan->frames[i])->name;
}

static const char *q_unit(const srs_plan *plan, int i) { return srs_model_q_unit(plan->model, i); }
static const char *v_unit(const srs_plan *plan, int i) { return srs_model_v_unit(plan->model, i); }

static bool is_taken(const char **names, int n, const char *name)
{
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

// An enumeration of indices; names that come out alike, or alike with what another was made, get a number.
static void write_names(const srs_plan *plan, srs_save *text, const char *kind, int n, name_getter name,
                        name_getter unit)
{
  srs_arena arena = {0};
  const char **names = srs_arena_take(&arena, (size_t)n, sizeof *names);
  srs_save_add(text, "enum {\n");
  for (int i = 0; i < n && names != NULL; i++) {
    const char *plain = identifier_of(&arena, name(plan, i));
    const char *unique = plain;
    for (int count = 2; unique != NULL && is_taken(names, i, unique); count++)
      unique = srs_arena_print(&arena, "%s_%d", plain, count);
    if (unique == NULL) break;
    names[i] = unique;
    srs_save_print(text, "  %s_%s_%s = %d, // ", plan->options->prefix, kind, unique, i);
    write_comment_name(text, name(plan, i));
    srs_save_print(text, "%s%s%s\n", unit != NULL ? ", " : " (frame)", unit != NULL ? unit(plan, i) : "", "");
  }
  srs_save_print(text, "  %s_n_%s = %d\n};\n\n", plan->options->prefix, kind, n);
  if (arena.failed) text->failed = true;
  srs_arena_release(&arena);
}

static void write_function(const srs_plan *plan, srs_generated which, srs_save *text)
{
  const srs_generated_cost *cost = &plan->costs[which];
  srs_save_print(text, "// %s\n", srs_generated_table[which].purpose);
  srs_save_print(text, "// %d additions, %d multiplications, %d divisions, %d sines with their cosines.\n",
                 cost->additions, cost->multiplications, cost->divisions, cost->sines);
  srs_save_print(text, "void %s_%s(", plan->options->prefix, srs_generated_names[which]);
  srs_write_parameters(plan, which, "", text);
  srs_save_add(text, ");\n\n");
}

static void write_top(const srs_plan *plan, srs_save *text)
{
  const srs_model *m = plan->model;
  const double *g = plan->options->gravity;
  srs_save_print(text, "// Dynamics of one model, %d links and %d velocities, as straight-line C99.\n", m->n_links,
                 m->nv);
  srs_save_print(text, "// Written by sarrus generate, version %s; made anew rather than edited.\n//\n", srs_version());
  srs_save_add(text, "// Units are SI. Free joints: q = x y z, quaternion w x y z, of the link in its parent's frame; "
                     "v = velocity along\n"
                     "// the parent's axes, angular velocity along the link's. Ball joints likewise. Quaternions have "
                     "unit length. tau\n"
                     "// has the order and axes of v: N m where v is rad/s, N where it is m/s. Outputs must not "
                     "overlap inputs. Nothing\n"
                     "// is allocated or kept between calls, and any number of threads may call at once.\n");
  srs_save_add(text, "// Springs, damping and dry friction are not in tau.\n");
  if (plan->options->gravity_is_input) {
    srs_save_add(text, "// gravity: m/s^2, world axes.\n");
  } else {
    srs_save_add(text, "// Gravity is (");
    srs_save_numbers(text, g, 3, ", ", "inf");
    srs_save_add(text, ") m/s^2, world axes.\n");
  }
  if (m->n_couplings > 0)
    srs_save_print(
        text,
        "// Coupled joints (mimic, gear; %d here) are coordinates of their own: no coupling is in these functions.\n",
        m->n_couplings);
}

void srs_write_header(const srs_plan *plan, srs_save *text)
{
  const char *prefix = plan->options->prefix;
  write_top(plan, text);
  srs_save_print(text, "#ifndef %s_DYNAMICS_H\n#define %s_DYNAMICS_H\n\n", prefix, prefix);
  srs_save_add(text, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
  write_names(plan, text, "q", plan->model->nq, q_name, q_unit);
  write_names(plan, text, "v", plan->model->nv, v_name, v_unit);
  if ((plan->options->functions & (1U << SRS_GENERATED_FK | 1U << SRS_GENERATED_JACOBIAN)) != 0)
    write_names(plan, text, "frame", plan->n_frames, frame_name, NULL);
  for (int i = 0; i < SRS_GENERATED_FUNCTIONS; i++)
    if ((plan->options->functions >> i & 1) != 0) write_function(plan, (srs_generated)i, text);
  srs_save_add(text, "#ifdef __cplusplus\n}\n#endif\n#endif\n");
}
