// How long does a counted multiplication of a contact problem take on this machine?
#pragma once
#include <sarrus/contact.h>

/// A fraction of a second of searches for answers that do not exist, with the method given, until their work is used
/// up: opposed contacts of one body and of many, dense and by blocks.
/// @return s for a multiplication (srs_contact_options.most_work), four times the worst of these; 0 where there is no
/// memory
double srs_calibrate(const srs_contact_options *options);
