// How does a graph become C? Terms that reach no output are left out. What is used more than once becomes a local
// variable at the place where the recursion made it, which keeps the numbers alive that the recursion keeps; the rest
// is written where it is used. Sines and cosines come first, together.
#include "engine/generate/emit.h"

#include <stdlib.h>
#include <string.h>

enum {
  LONGEST = 96, // characters of an expression that is written where it is used
  LANES = 4,    // sines that are computed together: what compilers have vectors for
};

static bool is_leaf(srs_operation operation) { return operation == SRS_TERM_CONSTANT || operation == SRS_TERM_INPUT; }

static bool is_trigonometric(srs_operation operation)
{
  return operation == SRS_TERM_SINE || operation == SRS_TERM_COSINE;
}

// How many times each term is used, 0: it reaches no output.  Freed by the caller, NULL when out of memory.
static int *count_uses(const srs_graph *graph, const srs_term *terms, int n)
{
  int *uses = calloc((size_t)graph->n + 1, sizeof *uses);
  if (uses == NULL) return NULL;
  for (int i = 0; i < n; i++) uses[terms[i]]++;
  for (int i = graph->n - 1; i >= 0; i--) { // operands come before what is made of them
    const srs_term_node *node = &graph->nodes[i];
    if (uses[i] == 0 || is_leaf(node->operation)) continue;
    uses[node->a] += node->operation == SRS_TERM_NEGATE ? uses[i] : 1;
    if (node->operation != SRS_TERM_NEGATE && !is_trigonometric(node->operation)) uses[node->b]++;
  }
  return uses;
}

static void count_node(const srs_graph *graph, int i, const int *uses, srs_emit_cost *cost)
{
  const srs_term_node *node = &graph->nodes[i];
  switch (node->operation) {
  case SRS_TERM_ADD:
  case SRS_TERM_SUBTRACT: cost->additions++; break;
  case SRS_TERM_MULTIPLY: cost->multiplications++; break;
  case SRS_TERM_DIVIDE: cost->divisions++; break;
  case SRS_TERM_SINE: cost->sines++; break;
  case SRS_TERM_COSINE: {
    int sine = i - 1; // recorded beside it
    if (sine < 0 || graph->nodes[sine].operation != SRS_TERM_SINE || uses[sine] == 0) sine = i + 1;
    const bool has_sine = sine < graph->n && graph->nodes[sine].operation == SRS_TERM_SINE && uses[sine] > 0;
    cost->sines += !has_sine;
    break;
  }
  default: break;
  }
}

bool srs_emit_count(const srs_graph *graph, const srs_term *terms, int n, srs_emit_cost *cost)
{
  *cost = (srs_emit_cost){0};
  int *uses = count_uses(graph, terms, n);
  if (uses == NULL) return false;
  for (int i = 0; i < graph->n; i++)
    if (uses[i] > 0) count_node(graph, i, uses, cost);
  free(uses);
  return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------------------------------------------------

typedef struct emitter {
  srs_save *text;
  const srs_graph *graph;
  const srs_emit_function *f;
  int *uses, *name;                // name: number of the local variable, 0 for none
  int *length;                     // of the expression
  int *angle;                      // angle[i]: index among the sines, of the argument i; -1
  int *sorted;                     // n_angles: the arguments
  int *first_output, *next_output; // of each term, of each output: the next one's number + 1, 0 for none
  int n_names, n_angles;
} emitter;

static void write_constant(emitter *e, double value)
{
  char number[32];
  const int length = srs_format_number(value, number);
  srs_save_add(e->text, number);
  if (strcspn(number, ".e") == (size_t)length) srs_save_add(e->text, ".0");
}

static void write_input(emitter *e, int input)
{
  for (int i = 0; i < e->f->n_inputs; i++) {
    const srs_emit_array *array = &e->f->inputs[i];
    if (input >= array->first && input < array->first + array->size)
      srs_save_print(e->text, "%s[%d]", array->name, input - array->first);
  }
}

static void write_expression(emitter *e, srs_term term);

// An operand, in parentheses where it is no name.
static void write_operand(emitter *e, srs_term term, bool needs_product)
{
  const srs_term_node *node = &e->graph->nodes[term];
  if (e->name[term] > 0) {
    srs_save_print(e->text, "t%d", e->name[term]);
    return;
  }
  const bool is_sum = node->operation == SRS_TERM_ADD || node->operation == SRS_TERM_SUBTRACT;
  const bool is_quotient = node->operation == SRS_TERM_DIVIDE;
  const bool is_negative = node->operation == SRS_TERM_CONSTANT && node->value < 0;
  const bool has_brackets =
      (needs_product && (is_sum || is_quotient)) || node->operation == SRS_TERM_NEGATE || is_negative;
  if (has_brackets) srs_save_add(e->text, "(");
  write_expression(e, term);
  if (has_brackets) srs_save_add(e->text, ")");
}

static void write_two(emitter *e, const srs_term_node *node, const char *sign, bool left_product, bool right_product)
{
  write_operand(e, node->a, left_product);
  srs_save_add(e->text, sign);
  write_operand(e, node->b, right_product);
}

static void write_expression(emitter *e, srs_term term)
{
  const srs_term_node *node = &e->graph->nodes[term];
  switch (node->operation) {
  case SRS_TERM_CONSTANT: write_constant(e, node->value); break;
  case SRS_TERM_INPUT: write_input(e, node->a); break;
  case SRS_TERM_ADD: write_two(e, node, " + ", false, true); break;
  case SRS_TERM_SUBTRACT: write_two(e, node, " - ", false, true); break;
  case SRS_TERM_MULTIPLY: write_two(e, node, " * ", true, true); break;
  case SRS_TERM_DIVIDE: write_two(e, node, " / ", true, true); break;
  case SRS_TERM_NEGATE:
    srs_save_add(e->text, "-");
    write_operand(e, node->a, true);
    break;
  case SRS_TERM_SINE: srs_save_print(e->text, "s[%d]", e->angle[node->a]); break;
  case SRS_TERM_COSINE: srs_save_print(e->text, "c[%d]", e->angle[node->a]); break;
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------------------------------------------------

// An angle is an entry of the inputs plus a constant.
static int angle_input(const srs_graph *graph, srs_term term, double *shift)
{
  const srs_term_node *node = &graph->nodes[term];
  *shift = 0;
  if (node->operation == SRS_TERM_INPUT) return node->a;
  const bool is_first = graph->nodes[node->a].operation == SRS_TERM_INPUT;
  *shift = graph->nodes[is_first ? node->b : node->a].value;
  return graph->nodes[is_first ? node->a : node->b].a;
}

// Angles are numbered as the inputs are.
static void number_angles(emitter *e)
{
  double shift = 0;
  for (int i = 0; i < e->graph->n; i++) e->angle[i] = -1;
  for (int i = 0; i < e->graph->n; i++)
    if (e->uses[i] > 0 && is_trigonometric(e->graph->nodes[i].operation)) e->angle[e->graph->nodes[i].a] = 0;
  for (int i = 0; i < e->graph->n; i++) {
    if (e->angle[i] < 0) continue;
    int at = e->n_angles++;
    for (; at > 0; at--) {
      if (angle_input(e->graph, e->sorted[at - 1], &shift) <= angle_input(e->graph, i, &shift)) break;
      e->sorted[at] = e->sorted[at - 1];
    }
    e->sorted[at] = i;
  }
  for (int i = 0; i < e->n_angles; i++) e->angle[e->sorted[i]] = i;
}

static bool write_shifts(emitter *e)
{
  double shift = 0;
  bool are_zero = true;
  for (int i = 0; i < e->n_angles; i++) {
    (void)angle_input(e->graph, e->sorted[i], &shift);
    are_zero = are_zero && shift == 0;
  }
  if (are_zero) return false;
  srs_save_print(e->text, "  static const double shift[%d] = {", e->n_angles);
  for (int i = 0; i < e->n_angles; i++) {
    (void)angle_input(e->graph, e->sorted[i], &shift);
    if (i > 0) srs_save_add(e->text, ", ");
    write_constant(e, shift);
  }
  srs_save_add(e->text, "};\n");
  return true;
}

static int angle_at(const emitter *e, int i)
{
  double shift = 0;
  return angle_input(e->graph, e->sorted[i], &shift);
}

// The address of angle i, and what follows it in a call.
static void write_addresses(emitter *e, bool are_in_place, bool has_shift, int i)
{
  srs_save_add(e->text, "&");
  if (are_in_place)
    write_input(e, angle_at(e, i));
  else
    srs_save_print(e->text, "angle[%d]", i);
  if (has_shift)
    srs_save_print(e->text, ", &shift[%d], &s[%d], &c[%d]);\n", i, i, i);
  else
    srs_save_print(e->text, ", NULL, &s[%d], &c[%d]);\n", i, i);
}

// Angles beyond 1e6, and no numbers, are found by the sum of the squares.
static void write_far(emitter *e, bool are_in_place, bool has_shift)
{
  srs_save_add(e->text, "  if (!(");
  for (int i = 0; i < e->n_angles; i++) {
    if (i > 0) srs_save_add(e->text, i % 8 == 0 ? " +\n        " : " + ");
    write_input(e, angle_at(e, i));
    srs_save_add(e->text, " * ");
    write_input(e, angle_at(e, i));
  }
  srs_save_print(e->text, " <= 1e12)) %s_far_sincos(%d, ", e->f->prefix, e->n_angles);
  write_addresses(e, are_in_place, has_shift, 0);
}

// Where the angles lie side by side among the inputs they are read there, several at a time.
static void write_angles(emitter *e)
{
  if (e->n_angles == 0) return;
  bool are_in_place = true;
  for (int i = 0; i < e->n_angles; i++) are_in_place = are_in_place && angle_at(e, i) == angle_at(e, 0) + i;
  srs_save_print(e->text, "  double s[%d], c[%d];\n", e->n_angles, e->n_angles);
  const bool has_shift = write_shifts(e);
  if (!are_in_place) {
    srs_save_print(e->text, "  const double angle[%d] = {", e->n_angles);
    for (int i = 0; i < e->n_angles; i++) {
      if (i > 0) srs_save_add(e->text, ", ");
      write_input(e, angle_at(e, i));
    }
    srs_save_add(e->text, "};\n");
  }
  for (int at = 0; at < e->n_angles; at += LANES) {
    const int n = e->n_angles < LANES ? e->n_angles : LANES;
    const int from = at + n > e->n_angles ? e->n_angles - n : at; // the last ones once more rather than fewer
    srs_save_print(e->text, "  %s_sincos(%d, ", e->f->prefix, n);
    write_addresses(e, are_in_place, has_shift, from);
  }
  write_far(e, are_in_place, has_shift);
}

// Whether the term is written where it is used: then so is all that it is made of.
static void choose_name(emitter *e, srs_term term)
{
  const srs_term_node *node = &e->graph->nodes[term];
  if (is_leaf(node->operation) || is_trigonometric(node->operation) || node->operation == SRS_TERM_NEGATE) {
    e->length[term] = 20;
    return;
  }
  e->length[term] = 4;
  if (e->angle[term] >= 0) return; // written among the angles
  const srs_term operands[2] = {node->a, node->b};
  for (int i = 0; i < 2; i++) e->length[term] += e->name[operands[i]] > 0 ? 5 : e->length[operands[i]];
  if (e->uses[term] == 1 && e->length[term] < LONGEST) return;
  e->name[term] = ++e->n_names;
}

// "tau[3] = ", by the number of the output.
static void write_output_name(emitter *e, int output)
{
  const srs_emit_function *f = e->f;
  for (int i = 0; i < f->n_outputs; i++)
    if (output >= f->outputs[i].first && output < f->outputs[i].first + f->outputs[i].size)
      srs_save_print(e->text, "  %s[%d] = ", f->outputs[i].name, output - f->outputs[i].first);
}

// All that is the term; it need not be kept until the end.
static void write_outputs_of(emitter *e, srs_term term)
{
  for (int output = e->first_output[term]; output > 0; output = e->next_output[output - 1]) {
    write_output_name(e, output - 1);
    if (e->name[term] > 0)
      srs_save_print(e->text, "t%d", e->name[term]);
    else
      write_expression(e, term);
    srs_save_add(e->text, ";\n");
  }
}

static void write_statements(emitter *e)
{
  for (int i = 0; i < e->graph->n; i++) {
    if (e->uses[i] == 0) continue;
    choose_name(e, i);
    if (e->name[i] > 0) {
      srs_save_print(e->text, "  const double t%d = ", e->name[i]);
      write_expression(e, i);
      srs_save_add(e->text, ";\n");
    }
    write_outputs_of(e, i);
  }
}

static bool take(emitter *e, int n_outputs)
{
  const size_t size = (size_t)e->graph->n + 1;
  e->uses = count_uses(e->graph, e->f->terms, n_outputs);
  e->name = calloc(size, sizeof *e->name), e->length = calloc(size, sizeof *e->length);
  e->angle = calloc(size, sizeof *e->angle), e->sorted = calloc(size, sizeof *e->sorted);
  e->first_output = calloc(size, sizeof *e->first_output);
  e->next_output = calloc((size_t)n_outputs + 1, sizeof *e->next_output);
  return e->uses != NULL && e->name != NULL && e->length != NULL && e->angle != NULL && e->sorted != NULL &&
         e->first_output != NULL && e->next_output != NULL;
}

bool srs_emit_body(srs_save *text, const srs_graph *graph, const srs_emit_function *f)
{
  int n = 0;
  for (int i = 0; i < f->n_outputs; i++) n += f->outputs[i].size;
  emitter e = {.text = text, .graph = graph, .f = f};
  const bool has_memory = take(&e, n);
  if (has_memory) {
    for (int i = n - 1; i >= 0; i--)
      e.next_output[i] = e.first_output[f->terms[i]], e.first_output[f->terms[i]] = i + 1;
    number_angles(&e);
    srs_save_add(text, "{\n");
    for (int i = 0; i < f->n_inputs; i++) srs_save_print(text, "  (void)%s;\n", f->inputs[i].name);
    write_angles(&e);
    write_statements(&e);
    srs_save_add(text, "}\n");
  }
  free(e.uses), free(e.name), free(e.length), free(e.angle), free(e.sorted);
  free(e.first_output), free(e.next_output);
  return has_memory && !text->failed;
}
