// Fingerprints of models. Internal.
#pragma once
#include "topology/model/model.h"
#include <sarrus/simulation_options.h>

#include <stdint.h>

/// The hash of nothing.
#define SRS_HASH_START 14695981039346656037U

/// Continues a hash with more bytes.
uint64_t srs_hash_bytes(uint64_t hash, const void *bytes, size_t n);

/// A hash of all that affects a model's motion, to tell it from other models of the same size.
uint64_t srs_model_fingerprint(const srs_model *model);

/// The lists among the options: materials, pairs, solids, surfaces, and those of names of pairs.
enum { SRS_OPTION_LISTS = 8 };

/// "contact.materials", and a hash of what the list says.
const char *srs_option_list_name(int list);
uint64_t srs_option_list_fingerprint(const srs_sim_options *options, int list);
