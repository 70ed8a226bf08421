// What do the figures say? See report.h.
//
// The reference table was measured on another machine, with engines that Debian does not package, and with the same
// MuJoCo that runs here. Its best time T of a quantity comes to this machine as
//   T * (MuJoCo here / MuJoCo there),
// row by row and column by column. Lambda has no row of MuJoCo: the mean of the four ratios of the model's other rows
// serves.
#include "report.h"

#include "timing.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Reference figures, microseconds a call: one 2-core x86-64 virtual machine (AVX2), single thread, processor time,
// median over 64 random states, everything from q (v, tau). 0: not measured. README.md says more.
// ---------------------------------------------------------------------------------------------------------------------

typedef struct reference_row {
  const char *who;                        // the fastest engine
  double best[BENCH_REFERENCE_COLUMNS];   // its times
  double mujoco[BENCH_REFERENCE_COLUMNS]; // MuJoCo 2.2.2 (Debian) beside it
} reference_row;

static const reference_row reference[BENCH_QUANTITIES] = {
    [BENCH_FK] = {"Pinocchio 3.7", {0.75, 3.17, 12.9, 0.52, 0.38, 2.76}, {1.95, 7.89, 31.3, 1.38, 0.99, 7.13}},
    [BENCH_RNEA] = {"RBDL 3.3", {1.37, 5.66, 22.8, 1.02, 0.71, 5.38}, {4.12, 16.6, 66.1, 3.11, 2.15, 15.3}},
    [BENCH_CRBA] = {"Pinocchio 3.7", {1.37, 10.6, 66.1, 0.94, 0.61, 6.29}, {3.56, 21.1, 184, 2.50, 1.68, 15.0}},
    [BENCH_ABA] = {"RBDL 3.3", {3.50, 14.7, 61.8, 2.54, 1.70, 13.9}, {6.81, 60.8, 1488, 4.83, 3.32, 30.2}},
    [BENCH_LAMBDA_1] = {"Pinocchio 3.7", {4.0, 16.3, 66.9, 0, 0, 13.2}, {0}},
    [BENCH_LAMBDA_4] = {"Pinocchio 3.7", {6.1, 19.5, 71.8, 0, 0, 15.7}, {0}},
    [BENCH_LAMBDA_12] = {"Pinocchio 3.7", {15.6, 30.1, 83.2, 0, 0, 24.4}, {0}},
    [BENCH_STEP] = {"", {0}, {7.18, 61.7, 1480, 5.18, 3.61, 32.1}},
};

static const struct {
  const char *key, *title;
} names[BENCH_QUANTITIES] = {
    [BENCH_FK] = {"fk", "Forward kinematics"},
    [BENCH_RNEA] = {"rnea", "Inverse dynamics (RNEA)"},
    [BENCH_CRBA] = {"crba", "Mass matrix (CRBA)"},
    [BENCH_ABA] = {"aba", "Forward dynamics (ABA)"},
    [BENCH_LAMBDA_1] = {"lambda1", "Delassus matrix, 1 point"},
    [BENCH_LAMBDA_4] = {"lambda4", "Delassus matrix, 4 points"},
    [BENCH_LAMBDA_12] = {"lambda12", "Delassus matrix, 12 points"},
    [BENCH_STEP] = {"step", "One step, semi-implicit Euler"},
};

const char *bench_quantity_key(bench_quantity quantity) { return names[quantity].key; }

// ---------------------------------------------------------------------------------------------------------------------
// Ratios
// ---------------------------------------------------------------------------------------------------------------------

enum { OF_MEDIANS = -1, REFERENCE = -1 };

// The fastest other engine: one measured in this run, or one of the reference table brought to this machine.
typedef struct bench_rival {
  int engine;         // REFERENCE: of the reference table
  const char *name;   // "" where there is none
  double time;        // s a call, NAN for none
  double ratio;       // Sarrus / rival, NAN where either is missing
  double least, most; // of the ratios of BENCH_RUNS parts of the rounds, one after the other
} bench_rival;

// Seconds a call in one round, or the median.
static double time_of(const bench_result *result, int quantity, int engine, int batch)
{
  return batch == OF_MEDIANS ? result->median[quantity][engine] : result->batches[quantity][engine][batch];
}

// MuJoCo here / MuJoCo there; NAN where MuJoCo did not run.
static double machine_scale(const bench_result *result, int quantity, int batch)
{
  const double there = reference[quantity].mujoco[result->column];
  if (there > 0) return 1e6 * time_of(result, quantity, BENCH_SCALE, batch) / there;
  double sum = 0;
  for (int row = BENCH_FK; row <= BENCH_ABA; row++)
    sum += 1e6 * time_of(result, row, BENCH_SCALE, batch) / reference[row].mujoco[result->column];
  return sum / (BENCH_ABA - BENCH_FK + 1);
}

// NAN where the reference table has no figure.
static double rival_time(const bench_result *result, int quantity, int engine, int batch)
{
  if (engine != REFERENCE) return time_of(result, quantity, engine, batch);
  const double best = reference[quantity].best[result->column];
  return best > 0 ? 1e-6 * best * machine_scale(result, quantity, batch) : NAN;
}

static bench_rival find_rival(const bench_result *result, int quantity, const char *const titles[])
{
  bench_rival found = {
      REFERENCE, reference[quantity].who, rival_time(result, quantity, REFERENCE, OF_MEDIANS), NAN, NAN, NAN};
  for (int e = 0; e < BENCH_ENGINES; e++) {
    const double time = result->median[quantity][e];
    if (e != BENCH_OURS && !isnan(time) && !(time >= found.time))
      found = (bench_rival){e, titles[e], time, NAN, NAN, NAN};
  }
  if (isnan(found.time)) found.name = "";
  if (isnan(found.time) || isnan(result->median[quantity][BENCH_OURS])) return found;
  double ratios[BENCH_BATCHES];
  for (int batch = 0; batch < BENCH_BATCHES; batch++)
    ratios[batch] = result->batches[quantity][BENCH_OURS][batch] / rival_time(result, quantity, found.engine, batch);
  double parts[BENCH_RUNS]; // before the quantile of all, which sorts
  for (int run = 0; run < BENCH_RUNS; run++) {
    const int begin = run * BENCH_BATCHES / BENCH_RUNS, n = (run + 1) * BENCH_BATCHES / BENCH_RUNS - begin;
    double part[BENCH_BATCHES];
    memcpy(part, ratios + begin, (size_t)n * sizeof *part);
    parts[run] = bench_quantile(part, n, 0.5);
  }
  const bench_spread spread = bench_spread_of(parts);
  found.least = spread.least, found.most = spread.most;
  found.ratio = bench_quantile(ratios, BENCH_BATCHES, 0.5);
  return found;
}

static bool has_figures(const bench_result *results, int n, bench_quantity quantity, int engine)
{
  for (int m = 0; m < n; m++)
    if (!isnan(results[m].median[quantity][engine])) return true;
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// Tables
// ---------------------------------------------------------------------------------------------------------------------

enum { CELL = 9 };

static void print_time(FILE *out, double seconds)
{
  const double us = 1e6 * seconds;
  if (isnan(us))
    fprintf(out, "%*s", CELL, "-");
  else
    fprintf(out, "%*.*f", CELL, us < 10 ? 3 : us < 100 ? 2 : 1, us);
}

static void print_row(FILE *out, const bench_result *result, bench_quantity quantity, const char *const titles[],
                      const bool columns[])
{
  fprintf(out, "  %-12s%4d", result->model, result->nv);
  for (int e = 0; e < BENCH_ENGINES; e++)
    if (columns[e]) print_time(out, result->median[quantity][e]);
  const bench_rival rival = find_rival(result, (int)quantity, titles);
  print_time(out, rival.time);
  const char *mark = isnan(rival.time) || rival.engine != REFERENCE ? "" : result->stands_in ? " **" : " *";
  char name[64];
  snprintf(name, sizeof name, "%s%s", rival.name, mark);
  if (isnan(rival.ratio))
    fprintf(out, "%s%s\n", name[0] != '\0' ? "  " : "", name);
  else
    fprintf(out, "  %-17s%5.2f (%.2f-%.2f)\n", name, rival.ratio, rival.least, rival.most);
}

static void print_table(FILE *out, const bench_result *results, int n, bench_quantity quantity,
                        const char *const titles[])
{
  bool columns[BENCH_ENGINES];
  fprintf(out, "\n%s, microseconds a call\n  %-12s%4s", names[quantity].title, "model", "nv");
  for (int e = 0; e < BENCH_ENGINES; e++) {
    columns[e] = has_figures(results, n, quantity, e);
    if (columns[e]) fprintf(out, "%*s", CELL, titles[e]);
  }
  fprintf(out, "%*s  %-17s%5s\n", CELL, "to beat", "of", "ratio");
  for (int m = 0; m < n; m++) print_row(out, &results[m], quantity, titles, columns);
}

static void print_summary(FILE *out, const bench_result *results, int n, const char *const titles[], unsigned shown)
{
  fprintf(out, "\nRatio of Sarrus to the best of the others\n  %-38s%8s%8s\n", "", "mean", "worst");
  for (int quantity = 0; quantity < BENCH_QUANTITIES; quantity++) {
    double logs = 0, worst = 0;
    int count = 0, at = 0;
    for (int m = 0; m < n; m++) {
      const double ratio = find_rival(&results[m], quantity, titles).ratio;
      if (isnan(ratio)) continue;
      logs += log(ratio);
      count++;
      if (ratio > worst) worst = ratio, at = m;
    }
    if ((shown >> quantity & 1) == 0 || count == 0) continue;
    fprintf(out, "  %-38s%8.2f%8.2f  (%s)\n", names[quantity].title, exp(logs / count), worst, results[at].model);
  }
}

static void print_differences(FILE *out, const bench_result *results, int n, const char *const titles[])
{
  fputs("Accelerations of all states, largest relative difference to the first engine:\n", out);
  for (int m = 0; m < n; m++) {
    fprintf(out, "  %-12s", results[m].model);
    for (int e = 0; e < BENCH_ENGINES; e++)
      if (!isnan(results[m].difference[e])) fprintf(out, "  %s %.1e", titles[e], results[m].difference[e]);
    for (int e = 0; e < BENCH_ENGINES; e++)
      if (results[m].absent[e] != NULL) fprintf(out, "  (%s: %s)", titles[e], results[m].absent[e]);
    fputs("\n", out);
  }
}

void bench_print_tables(FILE *out, const bench_result *results, int n, const char *const titles[], unsigned shown)
{
  print_differences(out, results, n, titles);
  for (int quantity = 0; quantity < BENCH_QUANTITIES; quantity++)
    if ((shown >> quantity & 1) != 0) print_table(out, results, n, (bench_quantity)quantity, titles);
  print_summary(out, results, n, titles, shown);
  fputs("\n*  measured on another machine, brought to this one by MuJoCo's times there and here (README.md)\n"
        "** the same from the reference's Talos (floating, nv 50): the humanoid has its tree, ANYmal a third of its "
        "links\n",
        out);
}

// ---------------------------------------------------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------------------------------------------------

static void print_number(FILE *out, const char *key, double value, const char *after)
{
  if (isnan(value))
    fprintf(out, "\"%s\": null%s", key, after);
  else
    fprintf(out, "\"%s\": %.6g%s", key, value, after);
}

static void print_cell(FILE *out, const bench_result *result, bench_quantity quantity, const char *const titles[])
{
  fprintf(out, "{\"model\": \"%s\", \"nv\": %d, \"quantity\": \"%s\", \"engines\": {", result->model, result->nv,
          bench_quantity_key(quantity));
  const char *comma = "";
  for (int e = 0; e < BENCH_ENGINES; e++) {
    if (isnan(result->median[quantity][e])) continue;
    fprintf(out, "%s\"%s\": {", comma, titles[e]);
    double sorted[BENCH_BATCHES];
    memcpy(sorted, result->batches[quantity][e], sizeof sorted);
    print_number(out, "microseconds", 1e6 * result->median[quantity][e], ", ");
    print_number(out, "fastest", 1e6 * bench_quantile(sorted, BENCH_BATCHES, 0), "}");
    comma = ", ";
  }
  const bench_rival rival = find_rival(result, (int)quantity, titles);
  const bool is_scaled = !isnan(rival.time) && rival.engine == REFERENCE;
  fprintf(out, "}, \"rival\": \"%s\", \"rival_is_scaled\": %s, \"rival_stands_in\": %s, ", rival.name,
          is_scaled ? "true" : "false", is_scaled && result->stands_in ? "true" : "false");
  print_number(out, "rival_microseconds", 1e6 * rival.time, ", ");
  print_number(out, "ratio", rival.ratio, "}");
}

void bench_print_json(FILE *out, const bench_result *results, int n, const char *const titles[], unsigned shown)
{
  const char *comma = "";
  fputs("{\"differences\": [\n", out);
  for (int m = 0; m < n; m++)
    for (int e = 0; e < BENCH_ENGINES; e++) {
      if (isnan(results[m].difference[e])) continue;
      fprintf(out, "%s{\"model\": \"%s\", \"engine\": \"%s\", ", comma, results[m].model, titles[e]);
      print_number(out, "acceleration", results[m].difference[e], "}");
      comma = ",\n";
    }
  fputs("\n], \"cells\": [\n", out);
  comma = "";
  for (int quantity = 0; quantity < BENCH_QUANTITIES; quantity++)
    for (int m = 0; m < n; m++) {
      if ((shown >> quantity & 1) == 0) continue;
      fputs(comma, out);
      print_cell(out, &results[m], (bench_quantity)quantity, titles);
      comma = ",\n";
    }
  fputs("\n]}\n", out);
}
