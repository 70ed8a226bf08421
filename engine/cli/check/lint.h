// Doubts about a mechanism that was read without complaint. Internal.
#pragma once
#include "engine/cli/shared/folding.h"
#include "topology/builder/source.h"
#include <sarrus/engine.h>

/// Adds a message "FILE:LINE: what is odd" for each doubt: masses, radii of gyration and densities that no robot has,
/// limits that look like degrees, meshes whose size smells of mm, scales that mirror.
/// @return false when out of memory
bool srs_lint_values(const srs_model *model, srs_folds *doubts);

/// Adds a message where one of several alike differs: a left and a right, or one of a numbered row.
/// @return false when out of memory
bool srs_lint_symmetry(const srs_model *model, srs_folds *doubts);

/// Adds a message for a joint whose two bodies are apart, where all other joints' bodies touch or nearly do: to the
/// doubts where there are many others, to the notes where there are few.
/// @return false when out of memory
bool srs_lint_gaps(const srs_model *model, srs_folds *doubts, srs_folds *notes);

/// Adds a message for a joint that breaks the pattern of axes and places that all others follow.
/// @return false when out of memory
bool srs_lint_axes(const srs_model *model, srs_folds *notes);

/// The line of a joint in its file; {NULL, 0, 0} where there is none.
srs_place srs_lint_place_of(const srs_model *model, const char *joint);
