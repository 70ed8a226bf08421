// What does a text such as `abs(q:gear.y) < 1e-3 && ever(time > 2)` ask? It becomes operations of a stack machine, by
// recursive descent, bounded in depth. The operations of a figure over time are kept apart, since they are carried out
// at every time that is noted.
#include "engine/sweep/expression.h"

#include <math.h>
#include <string.h>

enum {
  OP_NUMBER,
  OP_NAME,
  OP_FIGURE,
  OP_OR,
  OP_AND,
  OP_LESS,
  OP_LESS_EQUAL,
  OP_GREATER,
  OP_GREATER_EQUAL,
  OP_EQUAL,
  OP_DIFFERENT,
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIVIDE,
  OP_POWER,
  OP_NEGATE,
  OP_NOT,
  OP_FUNCTION // and on: OP_FUNCTION + its place in `functions`
};

enum { EVER, WHEN, LOWEST, HIGHEST, MEAN, INITIAL, N_FIGURES, DEEPEST = 24 };
static const char *const figure_names[N_FIGURES] = {"ever", "when", "lowest", "highest", "mean", "initial"};

typedef struct function_row {
  const char *name;
  int n; // arguments
  double (*one)(double);
  double (*two)(double, double); // neither: if
} function_row;

static const function_row functions[] = {
    {"abs", 1, fabs, NULL},  {"sqrt", 1, sqrt, NULL}, {"exp", 1, exp, NULL},     {"log", 1, log, NULL},
    {"sin", 1, sin, NULL},   {"cos", 1, cos, NULL},   {"tan", 1, tan, NULL},     {"asin", 1, asin, NULL},
    {"acos", 1, acos, NULL}, {"atan", 1, atan, NULL}, {"floor", 1, floor, NULL}, {"atan2", 2, NULL, atan2},
    {"min", 2, NULL, fmin},  {"max", 2, NULL, fmax},  {"hypot", 2, NULL, hypot}, {"if", 3, NULL, NULL},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, NAME_ROOM = 160 };

typedef struct reader {
  const char *text, *at;
  srs_place place;
  srs_expression_find find;
  void *context;
  srs_expression *e;
  int depth, stack; // of the text; of the machine
  bool is_inside;   // a figure
  srs_status status;
  srs_error *error;
} reader;

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

static srs_place place_at(const reader *r, const char *at)
{
  srs_place place = r->place;
  if (place.column > 0) place.column += (int)(at - r->text);
  return place;
}

static void refuse(reader *r, const char *at, const char *what)
{
  if (r->status != SRS_OK) return;
  r->status = srs_fail_at(r->error, SRS_ERROR_SYNTAX, place_at(r, at), "", "'%.120s': %s", r->text, what);
}

static void skip_blanks(reader *r)
{
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r') r->at++;
}

static bool take(reader *r, const char *sign)
{
  skip_blanks(r);
  const size_t length = strlen(sign);
  if (strncmp(r->at, sign, length) != 0) return false;
  r->at += length;
  return true;
}

static void emit(reader *r, int code, int index, double value, int growth)
{
  srs_expression *e = r->e;
  if (r->status != SRS_OK) return;
  int *n = r->is_inside ? &e->n_inner : &e->n;
  r->stack += growth;
  if (*n == SRS_EXPRESSION_OPS || r->stack > SRS_EXPRESSION_STACK) {
    refuse(r, r->at, "the expression is too long: split it into several");
    return;
  }
  (r->is_inside ? e->inner : e->ops)[(*n)++] = (srs_expression_op){code, index, value};
}

static void read_or(reader *r);

static void read_arguments(reader *r, const char *name, int n)
{
  for (int i = 0; i < n && r->status == SRS_OK; i++) {
    if (i > 0 && !take(r, ",")) {
      char what[NAME_ROOM + 48];
      srs_print(what, sizeof what, "%s takes %d arguments, commas between", name, n);
      refuse(r, r->at, what);
    }
    read_or(r);
  }
  if (r->status == SRS_OK && !take(r, ")")) refuse(r, r->at, "a ')' is missing here");
}

static void read_figure(reader *r, const char *start, int kind)
{
  srs_expression *e = r->e;
  if (r->is_inside) refuse(r, start, "a figure over time stands within another");
  if (e->n_figures == SRS_EXPRESSION_FIGURES) refuse(r, start, "more than 8 figures over time: take several outcomes");
  if (r->status != SRS_OK) return;
  const int stack = r->stack, first = e->n_inner;
  r->is_inside = true, r->stack = 0;
  read_arguments(r, figure_names[kind], 1);
  r->is_inside = false, r->stack = stack;
  e->figures[e->n_figures] = (srs_expression_figure){.kind = kind, .first = first, .n = e->n_inner - first};
  emit(r, OP_FIGURE, e->n_figures++, 0, 1);
}

static void read_call(reader *r, const char *start, const char *name)
{
  for (int i = 0; i < N_FIGURES; i++)
    if (strcmp(name, figure_names[i]) == 0) {
      read_figure(r, start, i);
      return;
    }
  for (int i = 0; i < FUNCTIONS; i++)
    if (strcmp(name, functions[i].name) == 0) {
      read_arguments(r, name, functions[i].n);
      emit(r, OP_FUNCTION + i, 0, 0, 1 - functions[i].n);
      return;
    }
  srs_nearest nearest = srs_nearest_to(name);
  for (int i = 0; i < N_FIGURES; i++) srs_nearest_offer(&nearest, figure_names[i]);
  for (int i = 0; i < FUNCTIONS; i++) srs_nearest_offer(&nearest, functions[i].name);
  char hint[192];
  if (r->status == SRS_OK)
    r->status = srs_fail_at(r->error, SRS_ERROR_NAME, place_at(r, start), name, "there is no function '%s'%s", name,
                            srs_nearest_hint(&nearest, hint));
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_of_name(char c) { return is_letter(c) || is_digit(c) || (c != '\0' && strchr(".:/#", c) != NULL); }

bool srs_is_expression_name(const char *text)
{
  if (!is_letter(*text)) return false;
  for (const char *c = text; *c != '\0'; c++)
    if (!is_of_name(*c)) return false;
  return strlen(text) < NAME_ROOM;
}

static void use_name(reader *r, const char *start, const char *name)
{
  if (strcmp(name, "pi") == 0 || strcmp(name, "nan") == 0) {
    emit(r, OP_NUMBER, 0, name[0] == 'p' ? acos(-1) : NAN, 1);
    return;
  }
  const int index = r->find != NULL ? r->find(r->context, name) : 0;
  if (index < 0 && r->status == SRS_OK)
    r->status = srs_fail_at(r->error, SRS_ERROR_NAME, place_at(r, start), name,
                            "nothing is named '%s': names are those of variables and of a trajectory's columns", name);
  emit(r, OP_NAME, index, 0, 1);
}

static void read_name(reader *r)
{
  char name[NAME_ROOM];
  const char *start = r->at;
  const bool is_quoted = *start == '\'';
  const char *from = start + is_quoted, *end = from;
  while (is_quoted ? *end != '\'' && *end != '\0' : is_of_name(*end)) end++;
  if (is_quoted && *end == '\0') refuse(r, start, "the name that begins here has no closing '");
  if (end - from >= NAME_ROOM) refuse(r, start, "a name is too long");
  if (r->status != SRS_OK) return;
  memcpy(name, from, (size_t)(end - from));
  name[end - from] = '\0';
  r->at = end + is_quoted;
  if (!is_quoted && take(r, "("))
    read_call(r, start, name);
  else
    use_name(r, start, name);
}

static void read_number(reader *r)
{
  const char *c = r->at;
  while (is_digit(*c) || *c == '.') c++;
  if (*c == 'e' || *c == 'E') {
    c++;
    if (*c == '+' || *c == '-') c++;
    while (is_digit(*c)) c++;
  }
  double value = 0;
  if (!srs_parse_number(r->at, (size_t)(c - r->at), &value)) refuse(r, r->at, "this is no number");
  r->at = c;
  emit(r, OP_NUMBER, 0, value, 1);
}

static void read_primary(reader *r)
{
  skip_blanks(r);
  if (r->status != SRS_OK) return;
  if (is_digit(*r->at) || (*r->at == '.' && is_digit(r->at[1])))
    read_number(r);
  else if (is_letter(*r->at) || *r->at == '\'')
    read_name(r);
  else if (take(r, "(")) {
    read_or(r);
    if (r->status == SRS_OK && !take(r, ")")) refuse(r, r->at, "a ')' is missing here");
  } else
    refuse(r, r->at, "a number, a name or a '(' is missing here");
}

static void read_unary(reader *r)
{
  if (++r->depth > DEEPEST) refuse(r, r->at, "the expression is nested too deep");
  skip_blanks(r);
  if (r->status == SRS_OK && (*r->at == '-' || *r->at == '+' || (*r->at == '!' && r->at[1] != '='))) {
    const char sign = *r->at++;
    read_unary(r);
    if (sign != '+') emit(r, sign == '-' ? OP_NEGATE : OP_NOT, 0, 0, 0);
  } else if (r->status == SRS_OK) {
    read_primary(r);
    if (take(r, "^")) {
      read_unary(r);
      emit(r, OP_POWER, 0, 0, -1);
    }
  }
  r->depth--;
}

// Operators of one strength, the first that fits; longer signs stand before their beginnings.
typedef struct operator_row {
  const char *sign;
  int code, strength;
} operator_row;

enum { STRENGTHS = 5 };
static const operator_row operators[] = {
    {"||", OP_OR, 0},    {"&&", OP_AND, 1},       {"<=", OP_LESS_EQUAL, 2}, {">=", OP_GREATER_EQUAL, 2},
    {"==", OP_EQUAL, 2}, {"!=", OP_DIFFERENT, 2}, {"<", OP_LESS, 2},        {">", OP_GREATER, 2},
    {"+", OP_ADD, 3},    {"-", OP_SUBTRACT, 3},   {"*", OP_MULTIPLY, 4},    {"/", OP_DIVIDE, 4},
};

static const operator_row *take_operator(reader *r, int strength)
{
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i].strength == strength && take(r, operators[i].sign)) return &operators[i];
  return NULL;
}

static void read_operators(reader *r, int strength)
{
  if (strength == STRENGTHS) {
    read_unary(r);
    return;
  }
  read_operators(r, strength + 1);
  const operator_row *found;
  while (r->status == SRS_OK && (found = take_operator(r, strength)) != NULL) {
    read_operators(r, strength + 1);
    emit(r, found->code, 0, 0, -1);
    if (strength == 2 && take_operator(r, 2) != NULL)
      refuse(r, r->at - 1, "comparisons in a row: write a < b && b < c");
  }
}

static void read_or(reader *r)
{
  if (++r->depth > DEEPEST) refuse(r, r->at, "the expression is nested too deep");
  if (r->status == SRS_OK) read_operators(r, 0);
  r->depth--;
}

srs_status srs_expression_read(const char *text, srs_place place, srs_expression_find find, void *context,
                               srs_expression *e, srs_error *error)
{
  reader r = {.text = text, .at = text, .place = place, .find = find, .context = context, .e = e, .error = error};
  e->n = e->n_inner = e->n_figures = 0;
  read_or(&r);
  skip_blanks(&r);
  if (r.status == SRS_OK && *r.at != '\0') refuse(&r, r.at, "the expression ends before this; an operator is missing");
  srs_expression_restart(e);
  return r.status;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

static double binary(int code, double a, double b)
{
  switch (code) {
  case OP_OR: return a != 0 || b != 0;
  case OP_AND: return a != 0 && b != 0;
  case OP_LESS: return a < b;
  case OP_LESS_EQUAL: return a <= b;
  case OP_GREATER: return a > b;
  case OP_GREATER_EQUAL: return a >= b;
  case OP_EQUAL: return a == b;
  case OP_DIFFERENT: return a != b;
  case OP_ADD: return a + b;
  case OP_SUBTRACT: return a - b;
  case OP_MULTIPLY: return a * b;
  case OP_DIVIDE: return a / b;
  default: return pow(a, b);
  }
}

// Takes its arguments from the stack's end and leaves its value.  @return the stack's new height
static int call(const function_row *f, double *stack, int height)
{
  double *a = stack + height - f->n;
  if (f->one != NULL)
    a[0] = f->one(a[0]);
  else if (f->two != NULL)
    a[0] = f->two(a[0], a[1]);
  else
    a[0] = a[0] != 0 ? a[1] : a[2];
  return height - f->n + 1;
}

// A figure's value at the end of the run.
static double figure_value(const srs_expression_figure *f)
{
  if (f->kind == EVER) return f->value;
  if (f->count == 0) return NAN;
  return f->kind == MEAN ? f->value / (double)f->count : f->value;
}

static double evaluate(const srs_expression *e, const srs_expression_op *ops, int n, const double *values)
{
  double stack[SRS_EXPRESSION_STACK + 1] = {0};
  int height = 0;
  for (int i = 0; i < n; i++) {
    const srs_expression_op *op = &ops[i];
    if (op->code == OP_NUMBER)
      stack[height++] = op->value;
    else if (op->code == OP_NAME)
      stack[height++] = values[op->index];
    else if (op->code == OP_FIGURE)
      stack[height++] = figure_value(&e->figures[op->index]);
    else if (op->code >= OP_FUNCTION)
      height = call(&functions[op->code - OP_FUNCTION], stack, height);
    else if (op->code == OP_NEGATE)
      stack[height - 1] = -stack[height - 1];
    else if (op->code == OP_NOT)
      stack[height - 1] = stack[height - 1] == 0;
    else {
      height--;
      stack[height - 1] = binary(op->code, stack[height - 1], stack[height]);
    }
  }
  return stack[0];
}

static bool is_true(double value) { return value != 0 && !isnan(value); }

void srs_expression_restart(srs_expression *e)
{
  for (int i = 0; i < e->n_figures; i++) e->figures[i].value = 0, e->figures[i].count = 0;
}

void srs_expression_note(srs_expression *e, double time, const double *values)
{
  for (int i = 0; i < e->n_figures; i++) {
    srs_expression_figure *f = &e->figures[i];
    if ((f->kind == WHEN || f->kind == INITIAL) && f->count > 0) continue;
    const double now = evaluate(e, e->inner + f->first, f->n, values);
    const bool is_first = f->count == 0;
    switch (f->kind) {
    case EVER: f->value = f->value != 0 || is_true(now); break;
    case WHEN:
      if (!is_true(now)) continue;
      f->value = time;
      break;
    case LOWEST: f->value = is_first ? now : fmin(f->value, now); break;
    case HIGHEST: f->value = is_first ? now : fmax(f->value, now); break;
    case MEAN: f->value += now; break;
    default: f->value = now; break;
    }
    f->count++;
  }
}

double srs_expression_value(const srs_expression *e, const double *values) { return evaluate(e, e->ops, e->n, values); }
