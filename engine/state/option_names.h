// The words of options, as scene files, messages and metadata write them. Internal.
#pragma once
#include <sarrus/simulation_options.h>

typedef struct srs_option_word {
  const char *name;
  int value;
} srs_option_word;

/// Each list ends with a name of NULL.
extern const srs_option_word srs_velocity_terms_words[], srs_activation_words[], srs_normal_law_words[],
    srs_impact_law_words[], srs_alignment_words[], srs_corners_words[], srs_combination_words[], srs_distance_words[],
    srs_detector_words[], srs_self_collision_words[];
