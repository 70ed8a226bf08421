// The features that carry the contact near the optimum of the ratio metric. Internal.
#pragma once
#include "collision/ratio/ratio_metric.h"

/// As srs_ratio_events().
int srs_ratio_find_events(const srs_polytope_pair *pair, const srs_ratio *ratio, const srs_ratio_event_options *options,
                          srs_ratio_event *events, int capacity);
