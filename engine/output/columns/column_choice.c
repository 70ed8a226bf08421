// Which columns does a trajectory have?
//
// A source is asked for its columns where its option is set, and where names or patterns may mean some of them. Of a
// source whose option is set all are taken, of the others those that are meant. `time` is always taken; the rest of the
// state's columns go by patterns where there are any.
#include "engine/output/columns/column_choice.h"

#include "topology/base/text.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------------
// Sources
// ---------------------------------------------------------------------------------------------------------------------

static bool is_of_contacts(const srs_column_source *source)
{
  return source->make == srs_contact_columns_make || source->make == srs_body_contact_columns_make;
}

// How the names begin of a source that may refuse: all but one are of contacts.
static const char *group_of(const srs_column_source *source) { return is_of_contacts(source) ? "contact:" : "a:"; }

// Whether a source that was not asked for is looked at for what patterns mean: of the two of contacts, which name the
// same things, the one that there can be.
static bool may_be_meant(const srs_column_source *source, srs_sim *sim, const srs_trajectory_options *options)
{
  if (options->columns == NULL) return false;
  if (!is_of_contacts(source)) return true;
  if (options->contacts || options->body_contacts) return false;
  const srs_collider *collider = srs_sim_collider(sim);
  const bool is_by_links = collider != NULL && srs_collider_n_pairs(collider) > SRS_CONTACT_COLUMN_PAIRS;
  return is_by_links == (source->make == srs_body_contact_columns_make);
}

static srs_status make_sources(srs_arena *arena, srs_sim *sim, const srs_trajectory_options *options, bool is_hdf5,
                               srs_column_choice *choice, srs_error refused[SRS_COLUMN_SOURCES], srs_error *error)
{
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++) {
    const srs_column_source *source = &srs_column_sources[i];
    const bool is_asked = srs_has_columns(source, options);
    if (is_hdf5 && is_of_contacts(source)) {
      choice->has_contact_table = choice->has_contact_table || is_asked;
      continue;
    }
    if (!is_asked && !may_be_meant(source, sim, options)) continue;
    srs_error own = {0};
    choice->columns[i].sensors = options->instruments;
    choice->columns[i].filled_at = NAN;
    const srs_status status = source->make(arena, sim, &choice->columns[i], &own);
    const bool is_left = !is_asked && (status == SRS_ERROR_CAPACITY || status == SRS_ERROR_UNSUPPORTED);
    if (is_left) {
      choice->columns[i] = (srs_columns){.n = 0};
      refused[i] = own;
    } else if (status != SRS_OK) {
      if (error != NULL) *error = own;
      return status;
    }
  }
  return SRS_OK;
}

// ---------------------------------------------------------------------------------------------------------------------
// Names and patterns
// ---------------------------------------------------------------------------------------------------------------------

static bool is_meant(const srs_trajectory_options *options, const char *name)
{
  for (const char *const *pattern = options->columns; pattern != NULL && *pattern != NULL; pattern++)
    if (srs_column_matches(*pattern, name)) return true;
  return false;
}

static bool means_contacts(const char *pattern)
{
  return srs_column_matches(pattern, "contact:count") || strncmp(pattern, "contact:", strlen("contact:")) == 0;
}

// Up to and with the colon.
static bool is_of_group(const char *name, const char *pattern)
{
  const char *colon = strchr(pattern, ':');
  return colon != NULL && strncmp(name, pattern, (size_t)(colon - pattern) + 1) == 0;
}

static srs_status check_pattern(const srs_column_choice *choice, const char *pattern,
                                const srs_error refused[SRS_COLUMN_SOURCES], srs_error *error)
{
  bool has_group = false;
  int n = 0;
  srs_nearest nearest = srs_nearest_to(pattern);
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++)
    for (int k = 0; k < choice->columns[i].n; k++, n++) {
      const char *name = choice->columns[i].names[k];
      if (srs_column_matches(pattern, name)) return SRS_OK;
      has_group = has_group || is_of_group(name, pattern);
      srs_nearest_offer(&nearest, name);
    }
  for (int i = 0; i < SRS_COLUMN_SOURCES && !has_group; i++) {
    if (refused[i].status == SRS_OK || !is_of_group(group_of(&srs_column_sources[i]), pattern)) continue;
    if (error != NULL) *error = refused[i];
    return refused[i].status;
  }
  char hint[192];
  return srs_fail(error, SRS_ERROR_NAME, NULL, 0, 0, pattern,
                  "there is no column '%.80s'%s (sarrus info SCENE --columns lists the %d that there can be)", pattern,
                  srs_nearest_hint(&nearest, hint), n);
}

static srs_status check_patterns(srs_column_choice *choice, const srs_trajectory_options *options, bool is_hdf5,
                                 const srs_error refused[SRS_COLUMN_SOURCES], srs_error *error)
{
  srs_status status = SRS_OK;
  for (const char *const *pattern = options->columns; pattern != NULL && *pattern != NULL; pattern++) {
    const bool is_table = is_hdf5 && means_contacts(*pattern);
    choice->has_contact_table = choice->has_contact_table || is_table;
    if (!is_table && status == SRS_OK) status = check_pattern(choice, *pattern, refused, error);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------------------------------
// The choice
// ---------------------------------------------------------------------------------------------------------------------

static void take(srs_column_choice *choice, int source, int place)
{
  const srs_columns *c = &choice->columns[source];
  const int n = choice->n++;
  choice->names[n] = c->names[place];
  choice->units[n] = c->units[place];
  choice->axes[n] = c->axes[place];
  choice->values[n] = &c->values[place];
  choice->stays[n] = c->is_used != NULL ? &c->is_used[place] : NULL;
  choice->is_on[source] = true;
}

static bool take_memory(srs_arena *arena, srs_column_choice *choice)
{
  size_t n = 1;
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++) n += (size_t)choice->columns[i].n;
  choice->names = srs_arena_take(arena, n, sizeof *choice->names);
  choice->units = srs_arena_take(arena, n, sizeof *choice->units);
  choice->axes = srs_arena_take(arena, n, sizeof *choice->axes);
  choice->values = srs_arena_take(arena, n, sizeof *choice->values);
  choice->stays = srs_arena_take(arena, n, sizeof *choice->stays);
  return !arena->failed;
}

srs_status srs_columns_choose(srs_arena *arena, srs_sim *sim, const srs_trajectory_options *options, bool is_hdf5,
                              srs_column_choice *choice, srs_error *error)
{
  srs_error refused[SRS_COLUMN_SOURCES] = {
      {.status = SRS_OK}}; // of sources that no option asked for: they are left out
  *choice = (srs_column_choice){.n = 0};
  srs_status status = make_sources(arena, sim, options, is_hdf5, choice, refused, error);
  if (status == SRS_OK) status = check_patterns(choice, options, is_hdf5, refused, error);
  if (status != SRS_OK) return status;
  if (!take_memory(arena, choice)) return srs_columns_made(false, "trajectory", error);
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++) {
    const bool is_asked = srs_has_columns(&srs_column_sources[i], options);
    for (int k = 0; k < choice->columns[i].n; k++) {
      const bool is_whole = is_asked && (i > 0 || options->columns == NULL || k == 0);
      if (is_whole || is_meant(options, choice->columns[i].names[k])) take(choice, i, k);
    }
  }
  return SRS_OK;
}

srs_status srs_column_choice_fill(srs_column_choice *choice, srs_sim *sim, srs_error *error)
{
  srs_status status = SRS_OK;
  for (int last = 0; last < 2; last++) // those that leave the links elsewhere come last, so that they are placed once
    for (int i = 0; i < SRS_COLUMN_SOURCES && status == SRS_OK; i++)
      if (choice->is_on[i] && srs_column_sources[i].leaves_state == (last == 1)) {
        status = srs_column_sources[i].fill(&choice->columns[i], sim, error);
        choice->columns[i].filled_at = srs_sim_time(sim);
      }
  return status;
}

size_t srs_column_choice_save(const srs_column_choice *choice, double *saved)
{
  size_t n = 0;
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++) {
    const srs_columns *c = &choice->columns[i];
    if (!choice->is_on[i]) continue;
    if (saved != NULL) saved[n] = c->filled_at;
    if (saved != NULL) memcpy(saved + n + 1, c->values, (size_t)c->n * sizeof *saved);
    n += 1 + (size_t)c->n;
  }
  return n;
}

void srs_column_choice_load(srs_column_choice *choice, const double *saved)
{
  for (int i = 0; i < SRS_COLUMN_SOURCES; i++) {
    srs_columns *c = &choice->columns[i];
    if (!choice->is_on[i]) continue;
    c->filled_at = *saved++;
    memcpy(c->values, saved, (size_t)c->n * sizeof *saved);
    saved += c->n;
  }
}
