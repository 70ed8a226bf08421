// The words of options: one list for each enumeration.
#include "engine/state/option_names.h"

#include <stddef.h>

const srs_option_word srs_velocity_terms_words[] = {
    {"mean", SRS_VELOCITY_TERMS_MEAN}, {"start", SRS_VELOCITY_TERMS_START}, {NULL, 0}};
const srs_option_word srs_activation_words[] = {{"predict", SRS_ACTIVATION_PREDICT},
                                                {"distance", SRS_ACTIVATION_DISTANCE},
                                                {"penetrating", SRS_ACTIVATION_PENETRATING},
                                                {NULL, 0}};
const srs_option_word srs_normal_law_words[] = {
    {"gap", SRS_NORMAL_GAP}, {"velocity", SRS_NORMAL_VELOCITY}, {"hart", SRS_NORMAL_HART}, {NULL, 0}};
const srs_option_word srs_impact_law_words[] = {
    {"two-phase", SRS_IMPACT_TWO_PHASE}, {"poisson", SRS_IMPACT_POISSON}, {"newton", SRS_IMPACT_NEWTON}, {NULL, 0}};
const srs_option_word srs_alignment_words[] = {{"slip", SRS_ALIGNMENT_SLIP}, {"fixed", SRS_ALIGNMENT_FIXED}, {NULL, 0}};
const srs_option_word srs_corners_words[] = {
    {"convex", SRS_CORNERS_CONVEX}, {"max", SRS_CORNERS_MAX}, {"summation", SRS_CORNERS_SUMMATION}, {NULL, 0}};
const srs_option_word srs_combination_words[] = {{"geometric-mean", SRS_COMBINE_GEOMETRIC_MEAN},
                                                 {"mean", SRS_COMBINE_MEAN},
                                                 {"larger", SRS_COMBINE_LARGER},
                                                 {"smaller", SRS_COMBINE_SMALLER},
                                                 {"product", SRS_COMBINE_PRODUCT},
                                                 {NULL, 0}};
const srs_option_word srs_distance_words[] = {
    {"euclidean", SRS_DISTANCE_EUCLIDEAN}, {"ratio-metric", SRS_DISTANCE_RATIO_METRIC}, {NULL, 0}};
const srs_option_word srs_detector_words[] = {
    {"exact", SRS_DETECTOR_EXACT}, {"bullet", SRS_DETECTOR_BULLET}, {NULL, 0}};
const srs_option_word srs_self_collision_words[] = {{"own", SRS_SELF_COLLISION_OWN},
                                                    {"all", SRS_SELF_COLLISION_ALL},
                                                    {"auto", SRS_SELF_COLLISION_AUTO},
                                                    {"false", SRS_SELF_COLLISION_NONE},
                                                    {NULL, 0}};

static const char *name_of(const srs_option_word *word, int value)
{
  for (; word->name != NULL; word++)
    if (word->value == value) return word->name;
  return "";
}

const char *srs_velocity_terms_name(srs_velocity_terms terms) { return name_of(srs_velocity_terms_words, (int)terms); }
const char *srs_activation_name(srs_activation activation) { return name_of(srs_activation_words, (int)activation); }
const char *srs_normal_law_name(srs_normal_law law) { return name_of(srs_normal_law_words, (int)law); }
const char *srs_impact_law_name(srs_impact_law law) { return name_of(srs_impact_law_words, (int)law); }
const char *srs_alignment_name(srs_alignment alignment) { return name_of(srs_alignment_words, (int)alignment); }
const char *srs_corners_name(srs_corners corners) { return name_of(srs_corners_words, (int)corners); }
const char *srs_combination_name(srs_combination rule) { return name_of(srs_combination_words, (int)rule); }
