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
/// @param pieces  out: hashes of its pieces, srs_fingerprint_pieces of them; or NULL
uint64_t srs_model_fingerprint(const srs_model *model, uint64_t *pieces);
int srs_fingerprint_pieces(const srs_model *model);

/// Tells the first piece that differs between this model and another one with as many shapes.
/// @param there  as of srs_model_fingerprint, at any address
/// @param text   out: "the material of shape 'ball' differs"
/// @return the shape's label; "" where it is none
const char *srs_fingerprint_difference(const srs_model *model, const uint64_t *here, const void *there, char text[256]);

/// The lists among the options: materials, pairs, solids, surfaces, and those of names of pairs.
enum { SRS_OPTION_LISTS = 8 };

/// "contact.materials", and a hash of what the list says.
const char *srs_option_list_name(int list);
uint64_t srs_option_list_fingerprint(const srs_sim_options *options, int list);
