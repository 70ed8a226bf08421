// What does a sweep's file ask for? Its keys, its variables, the places of the scene that they set; docs/sweep.md
// describes them. Expressions of what is asked of a run are read for their form here; their names are those of a run.
#include "engine/sweep/sweep_plan.h"

#include "engine/sweep/philox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const sweep_keys[] = {"scene", "seed", "repeat",   "every",  "variables",
                                         "set",   "stop", "outcomes", "output", NULL};
static const double most_runs = 1e9;

static srs_status no_memory(srs_error *error)
{
  return srs_fail(error, SRS_ERROR_MEMORY, NULL, 0, 0, NULL, "no memory left for the sweep");
}

// ---------------------------------------------------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_list(srs_sweep_plan *plan, const srs_yaml_node *list, srs_sweep_variable *v, srs_error *error)
{
  srs_status status = srs_yaml_expect_list(list, "values", error);
  if (status != SRS_OK) return status;
  if (list->count == 0) return srs_fail_at(error, SRS_ERROR_SYNTAX, list->place, v->name, "values is empty");
  double number;
  const bool has_words =
      list->first->kind == SRS_YAML_SCALAR && !srs_parse_number(list->first->text, list->first->length, &number);
  v->n = list->count;
  v->values = srs_arena_take(&plan->arena, (size_t)v->n, sizeof *v->values);
  v->words = has_words ? srs_arena_take(&plan->arena, (size_t)v->n, sizeof *v->words) : NULL;
  if (v->values == NULL || (has_words && v->words == NULL)) return no_memory(error);
  int i = 0;
  for (const srs_yaml_node *node = list->first; node != NULL && status == SRS_OK; node = node->next, i++) {
    const char *word = NULL;
    status = has_words ? srs_yaml_text(node, "an entry of values", &word, error)
                       : srs_yaml_number(node, "an entry of values", &v->values[i], error);
    if (!has_words || status != SRS_OK) continue;
    v->values[i] = i;
    v->words[i] = srs_arena_copy(&plan->arena, word);
    if (v->words[i] == NULL) status = no_memory(error);
    for (const char *c = word; *c != '\0' && status == SRS_OK; c++)
      if ((unsigned char)*c <= ' ' || strchr(",[]{}#&*!|>'\"%@`:", *c) != NULL)
        status = srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, word,
                             "values: '%.60s' is neither a number nor a word", word);
  }
  return status;
}

static srs_status read_range(srs_sweep_plan *plan, const srs_yaml_node *node, srs_sweep_variable *v, srs_error *error)
{
  const srs_yaml_node *from = srs_yaml_get(node, "from"), *to = srs_yaml_get(node, "to");
  const srs_yaml_node *count = srs_yaml_get(node, "count"), *spacing = srs_yaml_get(node, "spacing");
  if (from == NULL || to == NULL || count == NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, v->name,
                       "variable '%.60s' needs one of: values; from, to and count; uniform; log_uniform; normal",
                       v->name);
  const char *word = "linear";
  srs_status status = srs_yaml_number(from, "from", &v->a, error);
  if (status == SRS_OK) status = srs_yaml_number(to, "to", &v->b, error);
  if (status == SRS_OK) status = srs_yaml_integer(count, "count", &v->n, error);
  if (status == SRS_OK && spacing != NULL) status = srs_yaml_text(spacing, "spacing", &word, error);
  if (status != SRS_OK) return status;
  const bool is_log = strcmp(word, "log") == 0;
  if (!is_log && strcmp(word, "linear") != 0)
    return srs_fail_at(error, SRS_ERROR_NAME, spacing->place, word, "spacing is linear or log, not '%.60s'", word);
  if (v->n < 1 || v->n > 100000000)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, count->place, v->name, "count is 1 to 10^8, here is %.40s",
                       count->text);
  if (is_log && !(v->a > 0 && v->b > 0))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, from->place, v->name, "spacing: log needs from and to above 0");
  v->values = srs_arena_take(&plan->arena, (size_t)v->n, sizeof *v->values);
  if (v->values == NULL) return no_memory(error);
  for (int i = 0; i < v->n; i++) {
    const double t = v->n > 1 ? (double)i / (double)(v->n - 1) : 0;
    v->values[i] = is_log ? exp((1 - t) * log(v->a) + t * log(v->b)) : (1 - t) * v->a + t * v->b;
  }
  v->values[0] = v->a;
  if (v->n > 1) v->values[v->n - 1] = v->b;
  return SRS_OK;
}

static srs_status read_distribution(const srs_yaml_node *node, const char *what, srs_sweep_kind kind,
                                    srs_sweep_variable *v, srs_error *error)
{
  double pair[2];
  const srs_status status = srs_yaml_numbers(node, what, pair, 2, error);
  if (status != SRS_OK) return status;
  v->kind = kind, v->n = 1, v->a = pair[0], v->b = pair[1];
  if (kind == SRS_SWEEP_NORMAL ? v->b >= 0 : v->a <= v->b && (kind == SRS_SWEEP_UNIFORM || v->a > 0)) return SRS_OK;
  return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, v->name, "%s is [%s", what,
                     kind == SRS_SWEEP_NORMAL    ? "mean, standard deviation], the deviation not negative"
                     : kind == SRS_SWEEP_UNIFORM ? "low, high], low not above high"
                                                 : "low, high], both above 0, low not above high");
}

static srs_status read_variable(srs_sweep_plan *plan, const srs_yaml_node *node, srs_error *error)
{
  static const char *const keys[] = {"name",    "values",  "from",        "to",     "count",
                                     "spacing", "uniform", "log_uniform", "normal", NULL};
  static const srs_sweep_kind kinds[] = {SRS_SWEEP_UNIFORM, SRS_SWEEP_LOG, SRS_SWEEP_NORMAL};
  srs_sweep_variable *v = &plan->variables[plan->n_variables];
  srs_status status = srs_yaml_expect_map(node, "a variable", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(node, "a variable", keys, error);
  if (status != SRS_OK) return status;
  const srs_yaml_node *name = srs_yaml_get(node, "name"), *values = srs_yaml_get(node, "values");
  if (name == NULL) return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "", "a variable needs a name");
  const char *text = NULL;
  status = srs_yaml_text(name, "name", &text, error);
  if (status != SRS_OK) return status;
  const bool is_taken = strcmp(text, "time") == 0 || strcmp(text, "run") == 0 || strcmp(text, "status") == 0 ||
                        strcmp(text, "message") == 0;
  if (!srs_is_expression_name(text) || is_taken)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, name->place, text,
                       "'%.60s' cannot name a variable: letters, digits and _, and not time, run, status or message",
                       text);
  for (int i = 0; i < plan->n_variables; i++)
    if (strcmp(plan->variables[i].name, text) == 0)
      return srs_fail_at(error, SRS_ERROR_NAME, name->place, text, "two variables are named '%.60s'", text);
  *v = (srs_sweep_variable){.name = srs_arena_copy(&plan->arena, text), .n = 1};
  if (v->name == NULL) return no_memory(error);
  int n_ways = (values != NULL) + (srs_yaml_get(node, "from") != NULL);
  for (int i = 0; i < 3; i++) n_ways += srs_yaml_get(node, keys[6 + i]) != NULL;
  if (n_ways > 1)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, text, "variable '%.60s' varies in more than one way",
                       text);
  plan->n_variables++;
  if (values != NULL) return read_list(plan, values, v, error);
  for (int i = 0; i < 3; i++) {
    const srs_yaml_node *pair = srs_yaml_get(node, keys[6 + i]);
    if (pair != NULL) return read_distribution(pair, keys[6 + i], kinds[i], v, error);
  }
  return read_range(plan, node, v, error);
}

static srs_status read_variables(srs_sweep_plan *plan, const srs_yaml_node *list, srs_error *error)
{
  srs_status status = srs_yaml_expect_list(list, "variables", error);
  if (status == SRS_OK && list->count > SRS_SWEEP_VARIABLES)
    return srs_fail_at(error, SRS_ERROR_CAPACITY, list->place, "", "a sweep has %d variables at most",
                       SRS_SWEEP_VARIABLES);
  plan->variables = srs_arena_take(&plan->arena, SRS_SWEEP_VARIABLES, sizeof *plan->variables);
  if (plan->variables == NULL) return no_memory(error);
  for (const srs_yaml_node *node = list->first; node != NULL && status == SRS_OK; node = node->next)
    status = read_variable(plan, node, error);
  double n = plan->repeat;
  for (int i = 0; i < plan->n_variables; i++) n *= plan->variables[i].n;
  if (status == SRS_OK && n > most_runs)
    return srs_fail_at(error, SRS_ERROR_CAPACITY, list->place, "", "%.3g runs: a sweep has 10^9 at most", n);
  plan->n_runs = (long)n;
  return status;
}

void srs_sweep_values(const srs_sweep_plan *plan, long run, double *values)
{
  long point = run / plan->repeat;
  for (int i = plan->n_variables - 1; i >= 0; i--) {
    const srs_sweep_variable *v = &plan->variables[i];
    double u[2];
    if (v->kind == SRS_SWEEP_VALUES) {
      values[i] = v->values[point % v->n];
      point /= v->n;
      continue;
    }
    srs_philox_uniform(plan->seed, (uint64_t)run, (uint32_t)i, u);
    if (v->kind == SRS_SWEEP_UNIFORM)
      values[i] = v->a + (v->b - v->a) * u[0];
    else if (v->kind == SRS_SWEEP_LOG)
      values[i] = exp(log(v->a) + (log(v->b) - log(v->a)) * u[0]);
    else // Box & Muller
      values[i] = v->a + v->b * sqrt(-2 * log(1 - u[0])) * cos(2 * acos(-1) * u[1]);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Places of the scene
// ---------------------------------------------------------------------------------------------------------------------

static int find_variable(void *context, const char *name)
{
  const srs_sweep_plan *plan = context;
  for (int i = 0; i < plan->n_variables; i++)
    if (strcmp(plan->variables[i].name, name) == 0) return i;
  return -1;
}

// Where in the text a place is: columns count characters.
static size_t byte_of(const char *text, srs_place place)
{
  const char *at = text;
  for (int line = 1; line < place.line && at != NULL; line++) {
    at = strchr(at, '\n');
    if (at != NULL) at++;
  }
  long character;
  for (int column = 1; at != NULL && column < place.column && *at != '\0'; column++)
    at = srs_next_character(at, &character);
  return at != NULL ? (size_t)(at - text) : 0;
}

static srs_status read_edit(srs_sweep_plan *plan, const srs_yaml_node *scene, const srs_yaml_node *node,
                            srs_error *error)
{
  const srs_yaml_node *found = NULL;
  const char *text = NULL;
  srs_status status = srs_yaml_text(node, node->key, &text, error);
  if (status == SRS_OK) status = srs_scene_path(scene, node->key, node->key_place, &found, error);
  if (status != SRS_OK) return status;
  srs_sweep_edit edit = {.begin = byte_of(plan->scene_text, found->place), .length = found->length, .word = -1};
  if (strncmp(plan->scene_text + edit.begin, found->text, found->length) != 0)
    return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, node->key_place, node->key,
                       "'%.100s' is written over several lines in the scene", node->key);
  const int variable = find_variable(plan, text);
  if (variable >= 0 && plan->variables[variable].words != NULL) {
    edit.word = variable;
  } else {
    edit.value = srs_arena_take(&plan->arena, 1, sizeof *edit.value);
    if (edit.value == NULL) return no_memory(error);
    status = srs_expression_read(text, node->place, find_variable, plan, edit.value, error);
    if (status == SRS_OK && edit.value->n_figures > 0)
      status = srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "", "figures over time are not known before the run");
  }
  int at = plan->n_edits++;
  for (; at > 0 && plan->edits[at - 1].begin > edit.begin; at--) plan->edits[at] = plan->edits[at - 1];
  plan->edits[at] = edit;
  if (status == SRS_OK && at > 0 && plan->edits[at - 1].begin == edit.begin)
    return srs_fail_at(error, SRS_ERROR_NAME, node->key_place, node->key, "'%.100s' is set twice", node->key);
  return status;
}

static srs_status read_edits(srs_sweep_plan *plan, const srs_yaml_node *map, const srs_yaml_node *scene,
                             srs_error *error)
{
  if (map == NULL) return SRS_OK;
  srs_status status = srs_yaml_expect_map(map, "set", error);
  if (status != SRS_OK) return status;
  if (map->count > SRS_SWEEP_EDITS)
    return srs_fail_at(error, SRS_ERROR_CAPACITY, map->place, "", "set: %d places at most", SRS_SWEEP_EDITS);
  plan->edits = srs_arena_take(&plan->arena, (size_t)map->count + 1, sizeof *plan->edits);
  if (plan->edits == NULL) return no_memory(error);
  for (const srs_yaml_node *node = map->first; node != NULL && status == SRS_OK; node = node->next)
    status = read_edit(plan, scene, node, error);
  return status;
}

char *srs_sweep_scene_text(const srs_sweep_plan *plan, const double *values)
{
  size_t room = plan->scene_length + 1;
  for (int i = 0; i < plan->n_edits; i++) {
    const srs_sweep_edit *e = &plan->edits[i];
    room += e->word >= 0 ? strlen(plan->variables[e->word].words[(int)values[e->word]]) : 32;
  }
  char *text = malloc(room), *to = text;
  if (text == NULL) return NULL;
  size_t from = 0;
  for (int i = 0; i < plan->n_edits; i++) {
    const srs_sweep_edit *e = &plan->edits[i];
    memcpy(to, plan->scene_text + from, e->begin - from);
    to += e->begin - from;
    from = e->begin + e->length;
    if (e->word >= 0) {
      const char *word = plan->variables[e->word].words[(int)values[e->word]];
      memcpy(to, word, strlen(word));
      to += strlen(word);
    } else {
      to += srs_format_number(srs_expression_value(e->value, values), to);
    }
  }
  memcpy(to, plan->scene_text + from, plan->scene_length - from);
  to[plan->scene_length - from] = '\0';
  return text;
}

// ---------------------------------------------------------------------------------------------------------------------
// What is asked of a run
// ---------------------------------------------------------------------------------------------------------------------

static srs_status read_question(srs_sweep_plan *plan, const srs_yaml_node *node, srs_sweep_question *question,
                                srs_error *error)
{
  const char *text = NULL;
  const srs_status status = srs_yaml_text(node, node->key, &text, error);
  if (status != SRS_OK) return status;
  *question = (srs_sweep_question){.name = srs_arena_copy(&plan->arena, node->key),
                                   .text = srs_arena_copy(&plan->arena, text),
                                   .place = {plan->file, node->place.line, node->place.column}};
  srs_expression *form = malloc(sizeof *form);
  if (question->name == NULL || question->text == NULL || form == NULL) {
    free(form);
    return no_memory(error);
  }
  const srs_status form_status = srs_expression_read(text, question->place, NULL, NULL, form, error);
  free(form);
  return form_status;
}

static srs_status read_outcomes(srs_sweep_plan *plan, const srs_yaml_node *map, srs_error *error)
{
  if (map == NULL) return SRS_OK;
  srs_status status = srs_yaml_expect_map(map, "outcomes", error);
  if (status != SRS_OK) return status;
  if (map->count > SRS_SWEEP_OUTCOMES)
    return srs_fail_at(error, SRS_ERROR_CAPACITY, map->place, "", "a sweep has %d outcomes at most",
                       SRS_SWEEP_OUTCOMES);
  plan->outcomes = srs_arena_take(&plan->arena, (size_t)map->count + 1, sizeof *plan->outcomes);
  if (plan->outcomes == NULL) return no_memory(error);
  for (const srs_yaml_node *node = map->first; node != NULL && status == SRS_OK; node = node->next) {
    const bool is_taken = find_variable(plan, node->key) >= 0 || strcmp(node->key, "run") == 0 ||
                          strcmp(node->key, "status") == 0 || strcmp(node->key, "message") == 0;
    if (is_taken || !srs_is_expression_name(node->key))
      return srs_fail_at(error, SRS_ERROR_NAME, node->key_place, node->key,
                         "'%.60s' cannot name an outcome: letters, digits and _, and no column's name", node->key);
    status = read_question(plan, node, &plan->outcomes[plan->n_outcomes++], error);
  }
  return status;
}

static srs_status read_seed(const srs_yaml_node *node, srs_sweep_plan *plan, srs_error *error)
{
  double seed = 0;
  const srs_status status = srs_yaml_number(node, "seed", &seed, error);
  if (status == SRS_OK && !(seed >= 0 && seed <= 0x1p53 && seed == floor(seed)))
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, "seed", "seed is a whole number from 0 to 2^53");
  plan->seed = status == SRS_OK ? (uint64_t)seed : 0;
  return status;
}

static srs_status read_count(const srs_yaml_node *root, const char *key, int *count, srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(root, key);
  const srs_status status = node != NULL ? srs_yaml_integer(node, key, count, error) : SRS_OK;
  if (status == SRS_OK && *count < 1)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, node->place, key, "%s is 1 or more, here is %.40s", key, node->text);
  return status;
}

static srs_status read_scene_file(srs_sweep_plan *plan, const srs_yaml_node *root, srs_yaml *scene, srs_error *error)
{
  const srs_yaml_node *node = srs_yaml_get(root, "scene");
  const char *name = NULL;
  if (node == NULL)
    return srs_fail_at(error, SRS_ERROR_SYNTAX, root->place, "scene", "a sweep needs 'scene', the file that it varies");
  srs_status status = srs_yaml_text(node, "scene", &name, error);
  if (status != SRS_OK) return status;
  if (srs_has_ending(name, ".urdf") || srs_has_ending(name, ".xml") || srs_has_ending(name, ".mjcf"))
    return srs_fail_at(error, SRS_ERROR_UNSUPPORTED, node->place, name,
                       "a sweep varies scenes in YAML: write one with models: [{file: %.80s}]", name);
  plan->scene_file = srs_text_beside(&plan->arena, plan->file, name);
  if (plan->scene_file == NULL) return no_memory(error);
  status = srs_yaml_load(plan->scene_file, scene, error);
  if (status != SRS_OK) return status;
  plan->scene_text = srs_text_copy(&plan->arena, scene->text, scene->length);
  plan->scene_length = scene->length;
  return plan->scene_text != NULL ? srs_yaml_expect_map(scene->root, "a scene", error) : no_memory(error);
}

static srs_status read_output(srs_sweep_plan *plan, const srs_yaml_node *node, srs_error *error)
{
  const char *name = NULL;
  const srs_status status = srs_yaml_text(node, "output", &name, error);
  if (status != SRS_OK) return status;
  plan->output = srs_arena_copy(&plan->arena, name);
  return plan->output != NULL ? SRS_OK : no_memory(error);
}

static srs_status read_all(srs_sweep_plan *plan, const srs_yaml_node *root, srs_yaml *scene, srs_error *error)
{
  srs_status status = srs_yaml_expect_map(root, "a sweep", error);
  if (status == SRS_OK) status = srs_yaml_check_keys(root, "a sweep", sweep_keys, error);
  if (status != SRS_OK) return status;
  const srs_yaml_node *seed = srs_yaml_get(root, "seed"), *variables = srs_yaml_get(root, "variables");
  const srs_yaml_node *stop = srs_yaml_get(root, "stop"), *output = srs_yaml_get(root, "output");
  if (seed != NULL) status = read_seed(seed, plan, error);
  if (status == SRS_OK) status = read_count(root, "repeat", &plan->repeat, error);
  if (status == SRS_OK) status = read_count(root, "every", &plan->every, error);
  plan->n_runs = plan->repeat;
  if (status == SRS_OK && variables != NULL) status = read_variables(plan, variables, error);
  if (status == SRS_OK) status = read_scene_file(plan, root, scene, error);
  if (status == SRS_OK) status = read_edits(plan, srs_yaml_get(root, "set"), scene->root, error);
  if (status == SRS_OK && stop != NULL) status = read_question(plan, stop, &plan->stop, error);
  if (status == SRS_OK) status = read_outcomes(plan, srs_yaml_get(root, "outcomes"), error);
  return status == SRS_OK && output != NULL ? read_output(plan, output, error) : status;
}

srs_status srs_sweep_plan_read(const char *path, srs_sweep_plan *plan, srs_error *error)
{
  *plan = (srs_sweep_plan){.repeat = 1, .every = 1};
  plan->file = srs_arena_copy(&plan->arena, path);
  srs_yaml yaml, scene = {0};
  srs_status status = plan->file != NULL ? srs_yaml_load(plan->file, &yaml, error) : no_memory(error);
  if (status != SRS_OK) return status;
  plan->text = srs_text_copy(&plan->arena, yaml.text, yaml.length);
  status = plan->text != NULL ? read_all(plan, yaml.root, &scene, error) : no_memory(error);
  srs_yaml_free(&scene);
  srs_yaml_free(&yaml);
  return status;
}

void srs_sweep_plan_free(srs_sweep_plan *plan)
{
  srs_arena_release(&plan->arena);
  *plan = (srs_sweep_plan){.n_runs = 0};
}
