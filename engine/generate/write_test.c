// The generated self-test: states, what the library computes there, and a program that compares. It needs no library,
// so it runs on the machine that the code is for.
#include "engine/generate/plan.h"
#include "topology/base/errors.h"
#include <sarrus/derivatives.h>

#include <math.h>
#include <string.h>

enum { STATES = 5 };

// A state and the workspace that knows what comes of it.
typedef struct sample {
  const srs_plan *plan;
  srs_workspace *workspace;
  double *arrays[SRS_ARRAY_KINDS];
} sample;

// Numbers within +-1 by a congruence (Knuth's MMIX): a model's test is the same wherever it is written.
static double draw(unsigned long long *state)
{
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

// The first state is the model's own at rest; the next ones turn by up to 3 rad, the last by up to 300.
static void draw_state(const sample *s, int which, unsigned long long *random)
{
  static const double reach[STATES] = {0, 1, 3, 3, 300}, speed[STATES] = {0, 1, 1, 10, 1};
  const srs_model *m = s->plan->model;
  double *v = s->arrays[SRS_ARRAY_V];
  for (int i = 0; i < m->nv; i++) v[i] = reach[which] * draw(random);
  srs_integrate(m, m->neutral, v, 1, s->arrays[SRS_ARRAY_Q]);
  (void)srs_normalise(m, s->arrays[SRS_ARRAY_Q]);
  for (int i = 0; i < m->nv; i++) {
    v[i] = speed[which] * draw(random);
    s->arrays[SRS_ARRAY_A][i] = speed[which] * draw(random);
    s->arrays[SRS_ARRAY_TAU][i] = 10 * speed[which] * draw(random);
  }
  memcpy(s->arrays[SRS_ARRAY_GRAVITY], s->plan->options->gravity, 3 * sizeof(double));
}

static srs_status compute_frames(const sample *s)
{
  const int nv = s->plan->model->nv;
  srs_status status = srs_forward_kinematics(s->workspace, s->arrays[SRS_ARRAY_Q]);
  for (int i = 0; i < s->plan->n_frames && status == SRS_OK; i++) {
    srs_pose pose;
    double *out = s->arrays[SRS_ARRAY_POSE] + (size_t)(12 * i);
    status = srs_frame_placement(s->workspace, s->plan->frames[i], &pose);
    if (status != SRS_OK) break;
    memcpy(out, pose.position, sizeof pose.position);
    memcpy(out + 3, pose.rotation, sizeof pose.rotation);
    status = srs_frame_jacobian(s->workspace, s->plan->frames[i], SRS_AXES_WORLD,
                                s->arrays[SRS_ARRAY_JACOBIAN] + (size_t)(6 * nv * i));
  }
  return status;
}

static srs_status compute(const sample *s, srs_generated which)
{
  double *const *x = s->arrays;
  switch (which) {
  case SRS_GENERATED_RNEA:
    return srs_inverse_dynamics(s->workspace, x[SRS_ARRAY_Q], x[SRS_ARRAY_V], x[SRS_ARRAY_A], NULL, x[SRS_ARRAY_TAU]);
  case SRS_GENERATED_ABA:
    return srs_forward_dynamics(s->workspace, x[SRS_ARRAY_Q], x[SRS_ARRAY_V], x[SRS_ARRAY_TAU], NULL, x[SRS_ARRAY_A]);
  case SRS_GENERATED_CRBA: return srs_mass_matrix(s->workspace, x[SRS_ARRAY_Q], x[SRS_ARRAY_MASS_MATRIX]);
  case SRS_GENERATED_FK:
  case SRS_GENERATED_JACOBIAN: return compute_frames(s);
  case SRS_GENERATED_DERIVATIVES:
    return srs_inverse_dynamics_derivatives(s->workspace, x[SRS_ARRAY_Q], x[SRS_ARRAY_V], x[SRS_ARRAY_A], NULL,
                                            x[SRS_ARRAY_DTAU_DQ], x[SRS_ARRAY_DTAU_DV], x[SRS_ARRAY_DTAU_DA]);
  }
  return SRS_ERROR_ARGUMENT;
}

// What the largest difference is measured by, beside the largest entry. Accelerations are as certain as the equations
// that they solve: |da| <= e |M^-1| (|M| |a| + |tau - M a| + |tau|) for relative changes of e, of which 1e-12 counts a
// hundredth.
static srs_status scale_of(const sample *s, srs_generated which, double *scale)
{
  double *const *x = s->arrays;
  const size_t nv = (size_t)s->plan->model->nv;
  double *inverse = x[SRS_ARRAY_DTAU_DA], *mass = x[SRS_ARRAY_MASS_MATRIX];
  *scale = 1;
  if (which != SRS_GENERATED_ABA) return SRS_OK;
  srs_status status = srs_forward_dynamics_derivatives(s->workspace, x[SRS_ARRAY_Q], x[SRS_ARRAY_V], x[SRS_ARRAY_TAU],
                                                       NULL, NULL, x[SRS_ARRAY_DTAU_DQ], x[SRS_ARRAY_DTAU_DV], inverse);
  if (status == SRS_OK) status = srs_mass_matrix(s->workspace, x[SRS_ARRAY_Q], mass);
  if (status != SRS_OK) return status;
  double *force = x[SRS_ARRAY_DTAU_DQ]; // nv of it
  for (size_t j = 0; j < nv; j++) {
    double sum = 0;
    force[j] = fabs(x[SRS_ARRAY_TAU][j]);
    for (size_t k = 0; k < nv; k++) {
      sum += mass[j * nv + k] * x[SRS_ARRAY_A][k];
      force[j] += fabs(mass[j * nv + k] * x[SRS_ARRAY_A][k]);
    }
    force[j] += fabs(x[SRS_ARRAY_TAU][j] - sum);
  }
  for (size_t i = 0; i < nv; i++) {
    double sum = 0;
    for (size_t j = 0; j < nv; j++) sum += fabs(inverse[i * nv + j]) * force[j];
    *scale = fmax(*scale, 0.01 * sum);
  }
  return SRS_OK;
}

static void write_array(const sample *s, srs_array_kind kind, const char *role, srs_save *text)
{
  srs_save_print(text, "    static const double %s_%s[] = {", role, srs_array_name(kind));
  srs_save_numbers(text, s->arrays[kind], srs_array_size(s->plan, kind), ",\n      ", "HUGE_VAL");
  srs_save_add(text, "};\n");
}

// One state of one function: a block that calls it and compares.
static void write_block(const sample *s, srs_generated which, double scale, srs_save *text)
{
  srs_array_kind in[SRS_MOST_ARRAYS + 1], out[SRS_MOST_ARRAYS];
  int n_in = 0, n_out = 0;
  srs_plan_arrays(s->plan, which, in, &n_in, out, &n_out);
  srs_save_add(text, "  {\n");
  for (int i = 0; i < n_in; i++) write_array(s, in[i], "at", text);
  for (int i = 0; i < n_out; i++) write_array(s, out[i], "is", text);
  for (int i = 0; i < n_out; i++)
    srs_save_print(text, "    static double %s[%d];\n", srs_array_name(out[i]), srs_array_size(s->plan, out[i]));
  srs_save_print(text, "    %s_%s(", s->plan->options->prefix, srs_generated_names[which]);
  for (int i = 0; i < n_in; i++) srs_save_print(text, "%sat_%s", i > 0 ? ", " : "", srs_array_name(in[i]));
  for (int i = 0; i < n_out; i++) srs_save_print(text, ", %s", srs_array_name(out[i]));
  srs_save_add(text, ");\n");
  for (int i = 0; i < n_out; i++)
    srs_save_print(text, "    compare(%s, is_%s, %d, %.1e);\n", srs_array_name(out[i]), srs_array_name(out[i]),
                   srs_array_size(s->plan, out[i]), scale);
  srs_save_add(text, "  }\n");
}

// The library's answer, NULL arrays aside. A state where forward dynamics is singular has none and is left out.
static srs_status write_function(const sample *s, srs_generated which, srs_save *text)
{
  unsigned long long random = 7;
  srs_save_print(text, "\nstatic void test_%s(void)\n{\n", srs_generated_names[which]);
  for (int i = 0; i < STATES; i++) {
    draw_state(s, i, &random);
    double scale = 1;
    srs_status status = compute(s, which);
    if (status == SRS_OK) status = scale_of(s, which, &scale);
    if (status == SRS_OK)
      write_block(s, which, scale, text);
    else if (status != SRS_ERROR_SINGULAR)
      return status;
  }
  srs_save_add(text, "}\n");
  return SRS_OK;
}

static const char checks[] =
    "static double worst; // of the function at hand\n\n"
    "// The largest difference, over the largest entry or the scale given.\n"
    "static void compare(const double *computed, const double *expected, int n, double scale)\n"
    "{\n"
    "  double most = 0;\n"
    "  int i;\n"
    "  for (i = 0; i < n; i++) scale = fmax(scale, fabs(expected[i]));\n"
    "  for (i = 0; i < n; i++) most = isfinite(computed[i]) ? fmax(most, fabs(computed[i] - expected[i])) : HUGE_VAL;\n"
    "  worst = fmax(worst, most / scale);\n"
    "}\n";

static srs_status write_all(const sample *s, srs_save *text)
{
  const srs_generate_options *options = s->plan->options;
  const char *prefix = options->prefix;
  srs_save_print(
      text, "// Compares %s_dynamics.c with what the library computes, to 1e-12. Exit status 0: it agrees.\n", prefix);
  srs_save_print(text, "// Written by sarrus generate, version %s.\n#include \"%s_dynamics.h\"\n\n", srs_version(),
                 prefix);
  srs_save_add(text, "#include <math.h>\n#include <stdio.h>\n\n");
  srs_save_add(text, checks);
  for (int i = 0; i < SRS_GENERATED_FUNCTIONS; i++) {
    if ((options->functions >> i & 1) == 0) continue;
    const srs_status status = write_function(s, (srs_generated)i, text);
    if (status != SRS_OK) return status;
  }
  srs_save_add(text, "\nstatic int report(const char *name)\n{\n"
                     "  const int is_wrong = !(worst <= 1e-12);\n"
                     "  printf(\"%-12s %.1e%s\\n\", name, worst, is_wrong ? \"  WRONG\" : \"\");\n"
                     "  worst = 0;\n  return is_wrong;\n}\n\nint main(void)\n{\n  int wrong = 0;\n");
  for (int i = 0; i < SRS_GENERATED_FUNCTIONS; i++)
    if ((options->functions >> i & 1) != 0)
      srs_save_print(text, "  test_%s();\n  wrong |= report(\"%s\");\n", srs_generated_names[i],
                     srs_generated_names[i]);
  srs_save_add(text, "  return wrong;\n}\n");
  return text->failed ? SRS_ERROR_MEMORY : SRS_OK;
}

srs_status srs_write_test(const srs_plan *plan, srs_save *text, srs_error *error)
{
  srs_arena arena = {0};
  sample s = {.plan = plan};
  srs_status status = srs_workspace_create(plan->model, &s.workspace, error);
  if (status != SRS_OK) return status;
  for (int i = 1; i < SRS_ARRAY_KINDS; i++)
    s.arrays[i] = srs_arena_take(&arena, (size_t)srs_array_size(plan, (srs_array_kind)i), sizeof(double));
  if (arena.failed) status = srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "out of memory for a self-test");
  if (status == SRS_OK) status = srs_workspace_set_gravity(s.workspace, plan->options->gravity);
  if (status == SRS_OK) status = srs_workspace_reserve_derivatives(s.workspace);
  if (status == SRS_OK) status = write_all(&s, text);
  if (status != SRS_OK && error != NULL && error->status != status) *error = *srs_workspace_error(s.workspace);
  srs_workspace_destroy(s.workspace);
  srs_arena_release(&arena);
  return status;
}
