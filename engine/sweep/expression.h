// Expressions of a sweep: numbers, names, arithmetic, comparisons, functions, and figures over time. Internal.
//
//   a || b   a && b   < <= > >= == !=   + -   * /   - !   ^        weakest first; true is 1, false 0
//   abs sqrt exp log sin cos tan asin acos atan floor (one argument), atan2 min max hypot (two), if(c, a, b); pi, nan
//   ever(e): 1 where e was true at some time. when(e): the first such time, nan for never. lowest(e), highest(e),
//   mean(e), initial(e): of its values over time. None of these stands within another.
//
// Names are letters, digits and _ . : / # and begin with a letter or _; others stand in '…'. Values are looked up by
// number: evaluation knows no names and allocates nothing.
#pragma once
#include "topology/base/text.h"

enum { SRS_EXPRESSION_OPS = 256, SRS_EXPRESSION_FIGURES = 8, SRS_EXPRESSION_STACK = 32 };

typedef struct srs_expression_op {
  int code;
  int index;    // of a name's value, or of a figure
  double value; // of a number
} srs_expression_op;

/// ever, when, lowest, highest, mean, initial: what is under way of one.
typedef struct srs_expression_figure {
  int kind, first, n; // its operations among `inner`
  double value;
  long count;
} srs_expression_figure;

typedef struct srs_expression {
  srs_expression_op ops[SRS_EXPRESSION_OPS], inner[SRS_EXPRESSION_OPS];
  int n, n_inner;
  srs_expression_figure figures[SRS_EXPRESSION_FIGURES];
  int n_figures;
} srs_expression;

/// The number of a name's value, -1 for none such.
typedef int (*srs_expression_find)(void *context, const char *name);

/// Reads an expression.
/// @param place  of the text, for messages   @param find  NULL: any name will do, for a look at the form alone
/// @return SRS_OK, SRS_ERROR_SYNTAX or _NAME
srs_status srs_expression_read(const char *text, srs_place place, srs_expression_find find, void *context,
                               srs_expression *e, srs_error *error);

/// Forgets what was noted of figures over time.
void srs_expression_restart(srs_expression *e);

/// Notes the present values for figures over time.
void srs_expression_note(srs_expression *e, double time, const double *values);

/// The value now.
double srs_expression_value(const srs_expression *e, const double *values);

/// Whether a text is a name, and can stand in an expression as it is.
bool srs_is_expression_name(const char *text);
