// Fingerprints of models. Internal.
#pragma once
#include "topology/model/model.h"

#include <stdint.h>

/// Where a hash begins.
#define SRS_HASH_START 14695981039346656037U

/// The hash of bytes on top of another hash.
uint64_t srs_hash_bytes(uint64_t hash, const void *bytes, size_t n);

/// A number for all that makes a model move as it does, so that another one of the same size is told from it.
uint64_t srs_model_fingerprint(const srs_model *model);
