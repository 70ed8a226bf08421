// The generated source: sines and cosines, then one straight-line function after the other.
#include "engine/generate/plan.h"
#include "engine/generate/recursions.h"

#include <stdlib.h>
#include <string.h>

// What gcc is told. In ISO C it fuses no products and sums by itself.
static const char packing[] = "\n#if defined(__GNUC__) && !defined(__clang__)\n"
                              "#pragma GCC optimize(\"no-tree-slp-vectorize\") // gathering single numbers into "
                              "vectors takes longer than it saves\n"
                              "#pragma GCC optimize(\"fp-contract=fast\") // x * y + z by one instruction, also under "
                              "-std=c99\n"
                              "#endif\n\n";

// As SRS_KERNEL of topology/base/kernel.h does it for the library. musl has no functions that are chosen at load time.
static const char clones[] =
    "// Where a program for any x86-64 processor is made, each function is compiled for those with AVX2 and FMA,\n"
    "// and for those with AVX-512, too, and chosen when the program is loaded.\n"
    "#if defined(__GNUC__) && !defined(__clang__) && !defined(%s_NO_CLONES)\n"
    "#define %s_INLINE static inline __attribute__((always_inline))\n"
    "#else\n"
    "#define %s_INLINE static inline\n"
    "#endif\n"
    "#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && !defined(__AVX2__) "
    "&& \\\n"
    "    !defined(__SANITIZE_THREAD__) && !defined(%s_NO_CLONES)\n"
    "#if __GNUC__ >= 12\n"
    "#define %s_CLONES __attribute__((target_clones(\"arch=x86-64-v4\", \"arch=x86-64-v3\", \"default\")))\n"
    "#endif\n"
    "#endif\n"
    "#ifndef %s_CLONES\n"
    "#define %s_CLONES\n"
    "#endif\n\n";

// The same polynomials and reduction as engine/dynamics/sincos.h. The far ones are inlined too: with their calls
// inside, gcc keeps a frame pointer, by which each of thousands of numbers on the stack is reached with a byte of code
// less.
static const char sines[] =
    "// s[i] = sin(x[i] + shift[i]) and c[i] = cos(x[i] + shift[i]), to 2e-16: x = k pi/2 + r - shift with the nearest "
    "k,\n"
    "// then polynomials in r; the coefficients are those of fdlibm. Without shift, NULL, it is 0. Angles beyond 1e6, "
    "and "
    "compilers\n"
    "// that do not keep to double, take <math.h>.\n"
    "%s_INLINE void %s_far_sincos(int n, const double *x, const double *shift, double *s, double *c)\n"
    "{\n"
    "  int i;\n"
    "  for (i = 0; i < n; i++) {\n"
    "    const double by = shift != NULL ? shift[i] : 0.0;\n"
    "    const double sx = sin(x[i]), cx = cos(x[i]), ss = sin(by), cs = cos(by);\n"
    "    s[i] = by == 0.0 ? sx : sx * cs + cx * ss;\n"
    "    c[i] = by == 0.0 ? cx : cx * cs - sx * ss;\n"
    "  }\n"
    "}\n\n"
    "#if defined(__FAST_MATH__) || FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD < 0 || defined(%s_USE_LIBM)\n"
    "#define %s_sincos %s_far_sincos\n"
    "#else\n"
    "%s_INLINE void %s_sincos(int n, const double *restrict x, const double *restrict shift, double *restrict s,\n"
    "                             double *restrict c)\n"
    "{\n"
    "  int i;\n"
    "  for (i = 0; i < n; i++) {\n"
    "    const double shifter = 6755399441055744.0;\n"
    "    const double shifted = shift != NULL ? x[i] + shift[i] : x[i];\n"
    "    const double k = (shifted * 0.6366197723675814 + shifter) - shifter;\n"
    "    const double near = (x[i] - k * 1.5707963267341256) - k * 6.077100506303966e-11;\n"
    "    const double rest = near - k * 2.0222662487959506e-21, r = shift != NULL ? rest + shift[i] : rest;\n"
    "    const double z = r * r;\n"
    "    const double s5 = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10;\n"
    "    const double s3 = -1.98412698298579493134e-04 + z * (2.75573137070700676789e-06 + z * s5);\n"
    "    const double sine = r + r * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * s3));\n"
    "    const double c5 = 2.08757232129817482790e-09 + z * -1.13596475577881948265e-11;\n"
    "    const double c3 = -1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * "
    "(-2.75573143513906633035e-07 + z * c5));\n"
    "    const double cosine = 1.0 - 0.5 * z + z * z * (4.16666666666666019037e-02 + z * c3);\n"
    "    const double q = k - 4.0 * ((k * 0.25 + shifter) - shifter), square = q * q;\n"
    "    const double odd = square * (4.0 - square) * (1.0 / 3.0), even = (1.0 - odd) * (1.0 - 0.5 * square);\n"
    "    s[i] = even * sine + odd * q * cosine;\n"
    "    c[i] = even * cosine - odd * q * sine;\n"
    "  }\n"
    "}\n"
    "#endif\n";

static const srs_term *take_inputs(srs_recording *r, srs_arena *arena, int first, int n)
{
  srs_term *terms = srs_arena_take(arena, (size_t)n, sizeof *terms);
  if (terms == NULL) return NULL;
  for (int i = 0; i < n; i++) terms[i] = srs_input(&r->graph, first + i);
  return terms;
}

// Inputs are numbered q, v, a, tau, gravity, whichever the function has.
static int first_of(const srs_model *m, srs_array_kind kind)
{
  const int nv = m->nv;
  switch (kind) {
  case SRS_ARRAY_V: return m->nq;
  case SRS_ARRAY_A: return m->nq + nv;
  case SRS_ARRAY_TAU: return m->nq + 2 * nv;
  case SRS_ARRAY_GRAVITY: return m->nq + 3 * nv;
  default: return 0;
  }
}

static bool start(const srs_plan *plan, srs_arena *arena, srs_recording *r)
{
  const srs_model *m = plan->model;
  *r = (srs_recording){.segments = &plan->segments};
  r->terms = srs_arena_take(arena, (size_t)plan->segments.n, sizeof *r->terms);
  r->q = take_inputs(r, arena, 0, m->nq);
  r->v = take_inputs(r, arena, first_of(m, SRS_ARRAY_V), m->nv);
  r->a = take_inputs(r, arena, first_of(m, SRS_ARRAY_A), m->nv);
  r->tau = take_inputs(r, arena, first_of(m, SRS_ARRAY_TAU), m->nv);
  for (int i = 0; i < 3; i++)
    r->gravity[i] = plan->options->gravity_is_input ? srs_input(&r->graph, first_of(m, SRS_ARRAY_GRAVITY) + i)
                                                    : srs_constant(&r->graph, plan->options->gravity[i]);
  if (arena->failed) return false;
  srs_record_placements(r);
  return true;
}

static bool record_inverse(srs_recording *r, srs_arena *arena, srs_term *out)
{
  term6 *wrench = srs_arena_take(arena, (size_t)r->segments->n, sizeof *wrench);
  if (wrench == NULL) return false;
  srs_record_velocities(r);
  srs_record_inverse_dynamics(r, r->a, wrench, out);
  return true;
}

static int weight(const srs_emit_cost *cost) { return cost->additions + cost->multiplications + 8 * cost->divisions; }

// Of n outputs recorded in two ways those that take less are kept, in `out`.
static bool keep_better(const srs_recording *r, const srs_term *other, srs_term *out, int n)
{
  srs_emit_cost first, second;
  if (r->graph.failed || !srs_emit_count(&r->graph, out, n, &first) || !srs_emit_count(&r->graph, other, n, &second))
    return false;
  if (weight(&second) < weight(&first)) memcpy(out, other, (size_t)n * sizeof *out);
  return true;
}

static bool record_forward(srs_recording *r, srs_arena *arena, srs_term *out)
{
  const int nv = r->segments->model->nv;
  srs_term *other = srs_arena_take(arena, (size_t)nv, sizeof *other);
  if (other == NULL) return false;
  srs_record_velocities(r);
  return srs_record_articulated(r, arena, out) && srs_record_factored(r, arena, other) &&
         keep_better(r, other, out, nv);
}

static bool record_of_frames(const srs_plan *plan, srs_generated which, srs_recording *r, srs_arena *arena,
                             srs_term *out)
{
  const bool is_fk = which == SRS_GENERATED_FK;
  const int n = srs_array_size(plan, is_fk ? SRS_ARRAY_POSE : SRS_ARRAY_JACOBIAN);
  srs_frame_choice choice = {plan->frames, plan->n_frames, false};
  srs_term *other = srs_arena_take(arena, (size_t)n, sizeof *other);
  if (other == NULL) return false;
  for (int i = 0; i < 2; i++) {
    srs_term *to = i == 0 ? out : other;
    choice.sums_angles = i == 1;
    if (!(is_fk ? srs_record_frames(r, arena, &choice, to) : srs_record_jacobians(r, arena, &choice, to))) return false;
  }
  return keep_better(r, other, out, n);
}

static bool record_mass_matrix(srs_recording *r, srs_arena *arena, srs_term *out)
{
  srs_term_body *composite = srs_arena_take(arena, (size_t)r->segments->n, sizeof *composite);
  if (composite == NULL) return false;
  srs_record_mass_matrix(r, composite, out);
  return true;
}

static bool record(const srs_plan *plan, srs_generated which, srs_recording *r, srs_arena *arena, srs_term *out)
{
  bool ok = false;
  switch (which) {
  case SRS_GENERATED_RNEA: ok = record_inverse(r, arena, out); break;
  case SRS_GENERATED_ABA: ok = record_forward(r, arena, out); break;
  case SRS_GENERATED_CRBA: ok = record_mass_matrix(r, arena, out); break;
  case SRS_GENERATED_FK:
  case SRS_GENERATED_JACOBIAN: ok = record_of_frames(plan, which, r, arena, out); break;
  case SRS_GENERATED_DERIVATIVES: ok = srs_record_derivatives(r, arena, out); break;
  }
  return ok && !r->graph.failed;
}

static bool write_recorded(srs_plan *plan, srs_generated which, const srs_recording *r, const srs_term *out,
                           srs_save *text)
{
  srs_emit_array in_arrays[SRS_MOST_ARRAYS + 1], out_arrays[SRS_MOST_ARRAYS];
  srs_array_kind inputs[SRS_MOST_ARRAYS + 1], outputs[SRS_MOST_ARRAYS];
  srs_emit_function f = {.name = srs_generated_names[which],
                         .prefix = plan->options->prefix,
                         .inputs = in_arrays,
                         .outputs = out_arrays,
                         .terms = out};
  srs_plan_arrays(plan, which, inputs, &f.n_inputs, outputs, &f.n_outputs);
  int n = 0;
  for (int i = 0; i < f.n_inputs; i++)
    in_arrays[i] =
        (srs_emit_array){srs_array_name(inputs[i]), first_of(plan->model, inputs[i]), srs_array_size(plan, inputs[i])};
  for (int i = 0; i < f.n_outputs; i++) {
    out_arrays[i] = (srs_emit_array){srs_array_name(outputs[i]), n, srs_array_size(plan, outputs[i])};
    n += out_arrays[i].size;
  }
  srs_emit_cost cost;
  if (!srs_emit_count(&r->graph, out, n, &cost)) return false;
  plan->costs[which] = (srs_generated_cost){cost.additions, cost.multiplications, cost.divisions, cost.sines};
  srs_save_print(text, "\n%s_CLONES void %s_%s(", f.prefix, f.prefix, f.name);
  srs_write_parameters(plan, which, "restrict ", text);
  srs_save_add(text, ")\n");
  return srs_emit_body(text, &r->graph, &f);
}

static bool write_function(srs_plan *plan, srs_generated which, srs_save *text)
{
  srs_arena arena = {0};
  srs_recording r = {0};
  int n = 0, n_inputs = 0, n_outputs = 0;
  srs_array_kind inputs[SRS_MOST_ARRAYS + 1], outputs[SRS_MOST_ARRAYS];
  srs_plan_arrays(plan, which, inputs, &n_inputs, outputs, &n_outputs);
  for (int i = 0; i < n_outputs; i++) n += srs_array_size(plan, outputs[i]);
  srs_term *out = srs_arena_take(&arena, (size_t)n, sizeof *out);
  const bool ok =
      start(plan, &arena, &r) && record(plan, which, &r, &arena, out) && write_recorded(plan, which, &r, out, text);
  srs_graph_destroy(&r.graph);
  srs_arena_release(&arena);
  return ok;
}

srs_status srs_write_source(srs_plan *plan, srs_save *text)
{
  const char *prefix = plan->options->prefix;
  srs_save functions = {0};
  bool ok = true, has_sines = false;
  for (int i = 0; i < SRS_GENERATED_FUNCTIONS && ok; i++) {
    if ((plan->options->functions >> i & 1) == 0) continue;
    ok = write_function(plan, (srs_generated)i, &functions);
    has_sines = has_sines || plan->costs[i].sines > 0;
  }
  srs_save_print(text, "// Written by sarrus generate, version %s. %s_dynamics.h describes it.\n", srs_version(),
                 prefix);
  srs_save_print(text, "#include \"%s_dynamics.h\"\n", prefix);
  srs_save_add(text, packing);
  if (has_sines) srs_save_add(text, "#include <float.h>\n#include <math.h>\n#include <stddef.h>\n\n");
  srs_save_print(text, clones, prefix, prefix, prefix, prefix, prefix, prefix, prefix);
  if (has_sines) srs_save_print(text, sines, prefix, prefix, prefix, prefix, prefix, prefix, prefix);
  if (ok && functions.text != NULL) srs_save_add(text, functions.text);
  ok = ok && !functions.failed && !text->failed;
  free(functions.text);
  return ok ? SRS_OK : SRS_ERROR_MEMORY;
}
